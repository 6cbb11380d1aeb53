//! The rows of numbers that lanes read at each slot, laid out once per run.

use super::{MAX_LANES, ProjectedChain};
use crate::kernel::held_spring::{self, HALVES};

/// Input of lanes from one chain, kept between calls.
#[derive(Default)]
pub struct Workspace {
    /// Layout of the rows.
    layout: Option<RowLayout>,
    /// One row per quantity and parity of the slot, in reverse order of the slots.
    pub(super) rows: Vec<f64>,
    /// Accelerations, as in the rows, by axis and lane, if they are equal at all smooth slots;
    /// otherwise `None`.
    pub(super) pushes: Option<[[f64; MAX_LANES]; 3]>,
    /// Number of consecutive smooth slots from each slot on. A slot is smooth if its spring joins
    /// two free nodes of equal mass.
    pub(super) smooth: Vec<usize>,
}

/// Parameters of rows other than their chain.
#[derive(Clone, Copy, PartialEq)]
struct RowLayout {
    period: usize,
    lanes: usize,
    dt: f64,
}

/// Value of row [`SHARE`] that marks a missing spring, which needs no correction.
pub(super) const ABSENT: f64 = 2.0;

/// Index of the row of rest lengths, among the rows for one slot parity.
pub(super) const REST: usize = 0;
/// Index of the row of shares of a correction for the carried node, or [`ABSENT`].
pub(super) const SHARE: usize = 1;
/// Index of the row of shares of a correction for the slot's node.
pub(super) const OTHER: usize = 2;
/// Index of the row that has 1 if the carried node is free, and 0 for a pin or if there is no node.
pub(super) const FREE: usize = 3;
/// Index of the first row of accelerations of the carried node, times dt² and the push factor; one
/// row per axis.
pub(super) const ACCELERATION: usize = 4;

impl Workspace {
    /// Lays the rows out, unless this layout exists already.
    pub(super) fn prepare<const D: usize>(
        &mut self,
        chain: &ProjectedChain<'_>,
        period: usize,
        lanes: usize,
    ) {
        let layout = RowLayout { period, lanes, dt: chain.dt };
        if self.layout != Some(layout) {
            self.lay_out::<D>(chain, layout);
            self.layout = Some(layout);
        }
    }

    fn lay_out<const D: usize>(&mut self, chain: &ProjectedChain<'_>, layout: RowLayout) {
        let RowLayout { period, lanes, .. } = layout;
        let (half, planes) = (period / 2, ACCELERATION + D);
        let width = half + lanes;
        self.rows.resize(2 * planes * width, 0.0);
        self.smooth.resize(period, 0);
        let mut smooth = 0;
        let mut pushes = None;
        let mut are_same = true;
        for slot in (0..period).rev() {
            let values = slot_values::<D>(chain, slot, period);
            let is_smooth =
                (values[SHARE], values[OTHER], values[FREE]) == (HALVES.0, HALVES.1, 1.0);
            smooth = if is_smooth { smooth + 1 } else { 0 };
            self.smooth[slot] = smooth;
            if is_smooth {
                // Compared as bits, because zeros of different signs differ.
                let push: [u64; D] =
                    std::array::from_fn(|axis| values[ACCELERATION + axis].to_bits());
                are_same &= push == *pushes.get_or_insert(push);
            }
            // Lane s reads the value s places later in the row, which belongs to the slot 2 s
            // earlier. The row repeats its start at its end.
            let place = half - 1 - slot / 2;
            let first = slot % 2 * planes * width + place;
            for (plane, value) in values.into_iter().enumerate().take(planes) {
                self.rows[first + plane * width] = value;
                if place < lanes {
                    self.rows[first + plane * width + half] = value;
                }
            }
        }
        self.pushes = pushes.filter(|_| are_same).map(|push| {
            let of_axis = |axis| push.get(axis).map_or(0.0, |bits| f64::from_bits(*bits));
            std::array::from_fn(|axis| [of_axis(axis); MAX_LANES])
        });
    }
}

/// Input of a lane at a slot: the values of the carried node, and of the spring between the carried
/// node and the slot's node.
fn slot_values<const D: usize>(
    chain: &ProjectedChain<'_>,
    slot: usize,
    period: usize,
) -> [f64; ACCELERATION + 3] {
    let model = chain.model;
    let n = model.nodes();
    let mut values = [0.0; ACCELERATION + 3];
    values[SHARE] = ABSENT;
    // A round starts at slot 0, where the lane carries the last node of the previous round.
    let carried = if slot == 0 { period - 1 } else { slot - 1 };
    if carried >= n {
        return values;
    }
    if slot > 0 && slot < n {
        values[REST] = held_spring::rest_length(model, chain.is_reversed, carried);
        if let Some(shares) = held_spring::shares(model, chain.is_reversed, carried, chain.factors)
        {
            (values[SHARE], values[OTHER]) = shares;
        }
    }
    let node = held_spring::node_at(n, chain.is_reversed, carried);
    values[FREE] = if model.pinned[node] { 0.0 } else { 1.0 };
    for axis in 0..D {
        values[ACCELERATION + axis] =
            chain.accelerations[axis * n + node] * chain.dt * chain.dt * chain.push_factor;
    }
    values
}
