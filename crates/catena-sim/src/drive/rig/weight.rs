//! How much a layer counts: a number or a track, and fades at its ends.

use crate::drive::track::{Animated, Extent, Track};
use crate::named::BadSetup;

/// A way from 0 to 1, or back, over a stretch of time. With s from 0 to 1 it is s, or 3s² - 2s³,
/// which begins and ends without a jump of velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fade {
    start: f64,
    length: f64,
    is_smooth: bool,
    is_out: bool,
}

impl Fade {
    fn new(start: f64, length: f64, is_out: bool) -> Result<Self, BadSetup> {
        let is_fine = start.is_finite() && length >= 0.0 && length.is_finite();
        let message = "expected a finite start and a length of at least 0";
        BadSetup::unless(is_fine, "fade", message)?;
        Ok(Self { start, length, is_smooth: true, is_out })
    }

    /// From 0 before `start` to 1 from `start + length` on, smoothly.
    ///
    /// # Errors
    /// Where the start is not finite, or the length is not finite or is below 0.
    pub fn rising(start: f64, length: f64) -> Result<Self, BadSetup> {
        Self::new(start, length, false)
    }

    /// From 1 before `start` to 0 from `start + length` on, smoothly.
    ///
    /// # Errors
    /// As [`Fade::rising`].
    pub fn falling(start: f64, length: f64) -> Result<Self, BadSetup> {
        Self::new(start, length, true)
    }

    /// The same in a straight line.
    pub fn straight(self) -> Self {
        Self { is_smooth: false, ..self }
    }

    /// When it begins and ends.
    pub fn extent(&self) -> Extent {
        Extent::Bounded(self.start, self.start + self.length)
    }

    /// Share and rate at a time.
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

/// The product of a number, which a track may move, and of fades.
#[derive(Clone, Debug)]
pub struct Weight {
    /// The number.
    pub value: Animated<1>,
    /// What it is multiplied with.
    pub fades: Vec<Fade>,
}

impl Weight {
    /// A weight that stays as it is.
    pub fn constant(value: f64) -> Self {
        Self { value: Animated::number(value), fades: Vec::new() }
    }

    /// A weight of 1 that fades.
    pub fn fading(fades: Vec<Fade>) -> Self {
        Self { value: Animated::number(1.0), fades }
    }

    /// The weight and its rate at a time.
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
