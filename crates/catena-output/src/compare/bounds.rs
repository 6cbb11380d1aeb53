//! Bounding rectangles of pixels in a picture.

/// Rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Column of the leftmost pixels and row of the topmost ones.
    pub corner: [u32; 2],
    /// Width and height in pixels.
    pub size: [u32; 2],
}

/// Minimum and maximum columns and rows of the pixels added so far.
#[derive(Clone, Copy)]
pub(super) struct BoundsBuilder {
    least: [usize; 2],
    greatest: [usize; 2],
}

impl BoundsBuilder {
    pub(super) const NOTHING: Self = Self { least: [usize::MAX; 2], greatest: [0; 2] };

    pub(super) fn add(&mut self, x: usize, y: usize) {
        for (axis, value) in [x, y].into_iter().enumerate() {
            self.least[axis] = self.least[axis].min(value);
            self.greatest[axis] = self.greatest[axis].max(value);
        }
    }

    pub(super) fn bounds(self) -> Option<Bounds> {
        let [corner, last] = [self.least, self.greatest].map(|at| at.map(|value| value as u32));
        let is_some = self.least[0] <= self.greatest[0];
        is_some.then(|| Bounds { corner, size: [0, 1].map(|axis| last[axis] - corner[axis] + 1) })
    }
}
