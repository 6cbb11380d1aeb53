//! Weights of layers: a number or a track, multiplied by fades.

use crate::drive::track::{Animated, Extent, Track};
use crate::named::BadSetup;

/// A transition from 0 to 1, or from 1 to 0, over a time range. With s from 0 to 1 it is s, or 3s²
/// - 2s³, whose rate is 0 at both ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fade {
    start: f64,
    length: f64,
    is_smooth: bool,
    is_out: bool,
}
crate::identity!(Fade { start, length, is_smooth, is_out });

impl Fade {
    fn new(start: f64, length: f64, is_out: bool) -> Result<Self, BadSetup> {
        let is_fine = start.is_finite() && length >= 0.0 && length.is_finite();
        let message = "expected a finite start and a length of at least 0";
        BadSetup::unless(is_fine, "fade", message)?;
        Ok(Self { start, length, is_smooth: true, is_out })
    }

    /// Creates a smooth fade from 0 before `start` to 1 after `start + length`.
    ///
    /// # Errors
    /// Returns an error if `start` is not finite, or if `length` is negative or not finite.
    pub fn rising(start: f64, length: f64) -> Result<Self, BadSetup> {
        Self::new(start, length, false)
    }

    /// Creates a smooth fade from 1 before `start` to 0 after `start + length`.
    ///
    /// # Errors
    /// Returns the errors of [`Fade::rising`].
    pub fn falling(start: f64, length: f64) -> Result<Self, BadSetup> {
        Self::new(start, length, true)
    }

    /// Makes the fade linear.
    pub fn straight(self) -> Self {
        Self { is_smooth: false, ..self }
    }

    /// Returns the times at which the fade begins and ends.
    pub fn extent(&self) -> Extent {
        Extent::Bounded(self.start, self.start + self.length)
    }

    /// Returns the factor and its rate at a time.
    pub fn at(&self, t: f64) -> (f64, f64) {
        let (share, rate) = if t < self.start {
            (0.0, 0.0)
        } else if t >= self.start + self.length {
            (1.0, 0.0)
        } else {
            let s = (t - self.start) / self.length;
            match self.is_smooth {
                true => (s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s) / self.length),
                false => (s, 1.0 / self.length),
            }
        };
        if self.is_out { (1.0 - share, -rate) } else { (share, rate) }
    }
}

/// Product of a number, which may vary over time, and of fades.
#[derive(Clone, Debug)]
pub struct Weight {
    /// Number or track to which the fades are applied.
    pub value: Animated<1>,
    /// Factors of the weight.
    pub fades: Vec<Fade>,
}
crate::identity!(Weight { value, fades });

impl Weight {
    /// Creates a constant weight.
    pub fn constant(value: f64) -> Self {
        Self { value: Animated::number(value), fades: Vec::new() }
    }

    /// Creates a weight of 1 with fades.
    pub fn fading(fades: Vec<Fade>) -> Self {
        Self { value: Animated::number(1.0), fades }
    }

    /// Returns the weight and its rate at a time.
    pub fn at(&self, t: f64) -> (f64, f64) {
        let ([mut weight], [mut rate]) = self.value.at(t);
        for fade in &self.fades {
            let (share, change) = fade.at(t);
            rate = rate * share + weight * change;
            weight *= share;
        }
        (weight, rate)
    }
}
