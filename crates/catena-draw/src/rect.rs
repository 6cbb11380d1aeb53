//! Rectangles of whole pixels.

/// A rectangle of whole pixels, with y pointing down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
    /// Width.
    pub w: i32,
    /// Height.
    pub h: i32,
}

impl Rect {
    /// One past the last column.
    pub fn right(self) -> i32 {
        self.x + self.w
    }

    /// One past the last row.
    pub fn bottom(self) -> i32 {
        self.y + self.h
    }

    /// Intersection; a side is 0 if it is empty.
    pub fn intersect(self, other: Self) -> Self {
        let (x, y) = (self.x.max(other.x), self.y.max(other.y));
        let (w, h) = (self.right().min(other.right()) - x, self.bottom().min(other.bottom()) - y);
        Self { x, y, w: w.max(0), h: h.max(0) }
    }

    /// Rectangle without a margin of `by` pixels on each side.
    pub fn shrunk(self, by: i32) -> Self {
        Self { x: self.x + by, y: self.y + by, w: self.w - 2 * by, h: self.h - 2 * by }
    }

    /// Cuts a strip off the top and returns it.
    pub(super) fn cut_top(&mut self, height: i32) -> Self {
        let strip = Self { h: height, ..*self };
        self.y += height;
        self.h -= height;
        strip
    }

    /// Cuts a strip off the bottom and returns it.
    pub(super) fn cut_bottom(&mut self, height: i32) -> Self {
        self.h -= height;
        Self { y: self.bottom(), h: height, ..*self }
    }
}
