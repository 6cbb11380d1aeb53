//! Sums many angles with a single arctangent.
//!
//! An angle is the argument of D + iN. A sum of angles is the argument of the product plus whole
//! turns: one per passage of the product across the negative real axis. So millions of solid angles
//! are summed by products alone. Source: Arai 2013, "A rigorous numerical algorithm for computing
//! the linking number of links".

/// Sum of angles, each from -π to π.
#[derive(Clone, Copy, Debug)]
pub(super) struct AngleSum {
    re: f64,
    im: f64,
    turns: i64,
}

impl AngleSum {
    /// Empty sum.
    pub(super) fn new() -> Self {
        Self { re: 1.0, im: 0.0, turns: 0 }
    }

    /// Adds atan2(im, re). An angle with im = 0 comes from coplanar segments. It has no sense of
    /// rotation and adds nothing.
    pub(super) fn add(&mut self, im: f64, re: f64) {
        if im == 0.0 {
            return;
        }
        let sum = [self.re * re - self.im * im, self.re * im + self.im * re];
        // The argument is in [0, π] or in [-π, 0). If two angles with the same sense of rotation
        // give a sum of the other sense, a whole turn was completed.
        let (was_left, turns_left, is_left) = (self.im >= 0.0, im >= 0.0, sum[1] >= 0.0);
        if was_left == turns_left && is_left != was_left {
            self.turns += if was_left { 1 } else { -1 };
        }
        let size = sum[0].abs().max(sum[1].abs());
        let scale = if (1e-60..1e60).contains(&size) { 1.0 } else { 1.0 / size };
        (self.re, self.im) = (sum[0] * scale, sum[1] * scale);
    }

    /// Sum divided by 2π.
    pub(super) fn in_turns(&self) -> f64 {
        self.turns as f64 + libm::atan2(self.im, self.re) / std::f64::consts::TAU
    }
}
