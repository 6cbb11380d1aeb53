//! Sums of many angles with one arctangent.
//!
//! An angle is the argument of D + iN. A sum of angles is the argument of the product, plus the
//! whole turns that it has made: one more wherever the product passes the negative real axis. So
//! the sum of millions of solid angles takes products alone. Source: Arai 2013, "A rigorous
//! numerical algorithm for computing the linking number of links".

/// A sum of angles, each from -π to π.
#[derive(Clone, Copy, Debug)]
pub(super) struct AngleSum {
    re: f64,
    im: f64,
    turns: i64,
}

impl AngleSum {
    /// The sum of none.
    pub(super) fn new() -> Self {
        Self { re: 1.0, im: 0.0, turns: 0 }
    }

    /// Adds atan2(im, re). An angle with im = 0 has no sense of rotation and adds nothing: it is of
    /// segments in one plane.
    pub(super) fn add(&mut self, im: f64, re: f64) {
        if im == 0.0 {
            return;
        }
        let sum = [self.re * re - self.im * im, self.re * im + self.im * re];
        // The argument lies in [0, π] or in [-π, 0): the sum of two that turn one way has made a
        // turn where it seems to lie on the other side.
        let (was_left, turns_left, is_left) = (self.im >= 0.0, im >= 0.0, sum[1] >= 0.0);
        if was_left == turns_left && is_left != was_left {
            self.turns += if was_left { 1 } else { -1 };
        }
        let size = sum[0].abs().max(sum[1].abs());
        let scale = if (1e-60..1e60).contains(&size) { 1.0 } else { 1.0 / size };
        (self.re, self.im) = (sum[0] * scale, sum[1] * scale);
    }

    /// The sum over 2π.
    pub(super) fn in_turns(&self) -> f64 {
        self.turns as f64 + libm::atan2(self.im, self.re) / std::f64::consts::TAU
    }
}
