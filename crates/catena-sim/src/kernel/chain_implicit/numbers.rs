//! The numbers of a window, and those of a model that it loads.

use std::ops::Range;

/// Nodes in a window: few enough to stay in the nearest cache.
pub(super) const NODES: usize = 64;

/// The most numbers in a vector.
pub(super) const LANES: usize = 8;

/// Nodes of a window and the one after it, rounded up to whole vectors.
pub(super) const CAPACITY: usize = NODES + LANES;

/// One number for each node or spring.
pub(super) type Numbers = [f64; CAPACITY];

/// One number for each node or spring of a model.
pub(super) enum Column {
    /// The same for all: the window has it from the beginning, which spares memory.
    Same(f64),
    /// One for each, in the order of the model.
    Each(Vec<f64>),
}

impl Column {
    /// Reads these numbers.
    pub(super) fn new(mut numbers: impl Iterator<Item = f64> + Clone) -> Self {
        let each = numbers.clone();
        let first = numbers.next().unwrap_or_default();
        let is_same = numbers.all(|number| number.to_bits() == first.to_bits());
        if is_same { Self::Same(first) } else { Self::Each(each.collect()) }
    }

    /// The numbers of a window before anything is loaded.
    pub(super) fn begin(&self) -> Numbers {
        [if let Self::Same(number) = self { *number } else { 0.0 }; CAPACITY]
    }

    /// Copies a range to the beginning of a window.
    #[inline(always)]
    pub(super) fn load(&self, window: &mut Numbers, range: Range<usize>) {
        if let Self::Each(numbers) = self {
            window[..range.len()].copy_from_slice(&numbers[range]);
        }
    }
}

/// What the kernel reads of a model, packed more tightly than the model's own springs.
pub(super) struct Properties {
    pub(super) mass: Column,
    pub(super) stiffness: Column,
    pub(super) rest: Column,
}
