//! Count of the boxes and triangles that searches in solids of triangles visit. Searches happen at
//! many places, also where shapes are shared between threads, so each thread counts its own.

use crate::budget::{Item, Meter};
use std::cell::Cell;

thread_local! {
    static VISITS: Cell<Visits> = const { Cell::new(Visits { boxes: 0, triangles: 0 }) };
}

/// Number of visited boxes and triangles of solids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Visits {
    /// Boxes of trees whose distance or overlap was computed.
    pub(crate) boxes: u64,
    /// Triangles whose nearest point was computed.
    pub(crate) triangles: u64,
}

impl Visits {
    /// Returns the visits of this thread until now. Only differences are meaningful.
    pub(crate) fn until_now() -> Self {
        VISITS.get()
    }

    /// Returns the visits of this thread since an earlier call of [`Visits::until_now`].
    pub(crate) fn since(before: Self) -> Self {
        VISITS.get().without(before)
    }

    /// Adds visits to the count of this thread.
    pub(super) fn record(self) {
        VISITS.set(self.and(VISITS.get()));
    }

    /// Returns the sum of two counts.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            boxes: self.boxes.wrapping_add(other.boxes),
            triangles: self.triangles.wrapping_add(other.triangles),
        }
    }

    /// Returns the difference of two counts.
    pub(crate) fn without(self, other: Self) -> Self {
        Self {
            boxes: self.boxes.wrapping_sub(other.boxes),
            triangles: self.triangles.wrapping_sub(other.triangles),
        }
    }

    /// Counts the visits as operations of a run.
    pub(crate) fn count(self, meter: &Meter) {
        if self != Self::default() {
            meter.count(Item::FacetBox, self.boxes);
            meter.count(Item::FacetTriangle, self.triangles);
        }
    }

    /// Counts the visits as operations of a run outside its budget; see [`Meter::note`].
    pub(crate) fn note(self, meter: &Meter) {
        if self != Self::default() {
            meter.note(Item::FacetBox, self.boxes);
            meter.note(Item::FacetTriangle, self.triangles);
        }
    }
}
