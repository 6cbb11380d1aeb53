//! Steps chosen by their error, for error-controlled methods and step doubling.
//!
//! The error of a step is the maximum over all free nodes of |e_x|/L and |e_v| dt/L, divided by the
//! tolerance. L is the rest length of the body, and dt is the scene's step. An error of velocity
//! therefore counts as the displacement that it causes within dt. Both scales are constant, so the
//! choice depends neither on the position of the body nor on its mean velocity.
//!
//! A step is kept if its error is at most 1. The next step is h · min(5, max(0.2, s error^(-1/q))),
//! where s is the safety factor and q is the order of the estimate plus one. After a rejection the
//! next step is at most h. A step is never longer than `max_dt` or the scene's step. A step of the
//! minimum length is always kept, and counts as unconverged if its error is too large. The minimum
//! is `min_dt`, by default 2⁻¹⁴ of the scene's step, and at most `max_dt`. The last two steps of a
//! scene's step may be shortened, at most by half, so that they end at its end. If numbers are not
//! finite, the rest of the scene's step is taken at once. Source: Hairer, Nørsett, Wanner 1993,
//! "Solving Ordinary Differential Equations I", II.4.

use super::StepReport;
use super::arithmetic::{greatest, squares, wide};
use crate::body::Model;
use crate::named::{BadOption, OptionInfo};

/// Default safety factor: fraction of the step that the error allows.
const DEFAULT_SAFETY: f64 = 0.9;
/// Maximum safety factor. With 1, a rejected step whose error is just above 1 would be tried again
/// unchanged.
const MAX_SAFETY: f64 = 0.99;
/// Minimum ratio of a step to the one before it.
const MIN_FACTOR: f64 = 0.2;
/// Maximum ratio of a step to the one before it.
const MAX_FACTOR: f64 = 5.0;
/// Minimum step relative to the scene's: 2⁻¹⁴.
const SHORTEST: f64 = 1.0 / 16384.0;

pub(crate) const DEFAULT_TOLERANCE: f64 = 1e-6;

/// Option `tolerance` of all users of this module.
pub(crate) const TOLERANCE: OptionInfo = OptionInfo {
    name: "tolerance",
    summary: "maximum error of an inner step, as a fraction of the body's rest length",
    default: "0.000001",
    range: "a number above 0",
    ..OptionInfo::PLAIN
};

/// Option `safety` of all users of this module.
pub(crate) const SAFETY: OptionInfo = OptionInfo {
    name: "safety",
    summary: "safety factor: the next step is this fraction of the step that the error allows; \
              many courses use 0.8",
    default: "0.9",
    range: "a number above 0, at most 0.99",
    ..OptionInfo::PLAIN
};

/// Option `min_dt` of all users of this module.
pub(crate) const MIN_DT: OptionInfo = OptionInfo {
    name: "min_dt",
    summary: "minimum step, never rejected: if its error is too large, it counts as not converged; \
              if omitted, 1/16384 of the scene's step",
    default: OptionInfo::LEFT_OUT,
    range: "a number above 0, at most `max_dt`",
    unit: "time",
    ..OptionInfo::PLAIN
};

/// Option `max_dt` of all users of this module.
pub(crate) const MAX_DT: OptionInfo = OptionInfo {
    name: "max_dt",
    summary: "maximum step; the scene's own step, frame_time / substeps, is never exceeded",
    default: OptionInfo::LEFT_OUT,
    range: "a number above 0",
    unit: "time",
    ..OptionInfo::PLAIN
};

/// Rule for the next step, with the bounds of all steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepBounds {
    /// Fraction of the step that the error allows.
    pub(crate) safety: f64,
    /// Minimum step; `None` for 2⁻¹⁴ of the scene's step.
    pub(crate) min_dt: Option<f64>,
    /// Maximum step; `None` for the scene's step.
    pub(crate) max_dt: Option<f64>,
}

impl Default for StepBounds {
    fn default() -> Self {
        Self { safety: DEFAULT_SAFETY, min_dt: None, max_dt: None }
    }
}

impl StepBounds {
    /// Refuses numbers that are out of range.
    pub(crate) fn check(self) -> Result<(), BadOption> {
        let is_length = |dt: Option<f64>| dt.is_none_or(|dt| dt > 0.0 && dt.is_finite());
        SAFETY.check(self.safety > 0.0 && self.safety <= MAX_SAFETY)?;
        MAX_DT.check(is_length(self.max_dt))?;
        let maximum = self.max_dt.unwrap_or(f64::INFINITY);
        MIN_DT.check(is_length(self.min_dt) && self.min_dt.is_none_or(|minimum| minimum <= maximum))
    }

    /// Warning for the user if `min_dt` is not below the scene's step `dt`, so that no choice
    /// remains.
    pub(crate) fn caution(self, dt: f64) -> Option<String> {
        let minimum = self.min_dt.filter(|minimum| *minimum >= dt)?;
        Some(format!(
            "`min_dt` {minimum} is not below the scene's step {dt}, so every step has this length, whatever its error; set a smaller `min_dt`"
        ))
    }

    /// Minimum step within a scene's step of `dt`, at most [`StepBounds::longest`].
    fn shortest(self, dt: f64) -> f64 {
        self.min_dt.unwrap_or(dt * SHORTEST).min(self.longest(dt))
    }

    /// Maximum step within a scene's step of `dt`.
    pub(crate) fn longest(self, dt: f64) -> f64 {
        self.max_dt.map_or(dt, |maximum| maximum.min(dt))
    }
}

pub(crate) fn check_tolerance(tolerance: f64) -> Result<(), BadOption> {
    TOLERANCE.check(tolerance > 0.0 && tolerance.is_finite())
}

/// Maximum error of a free node in position, or in velocity times dt; NaN if an error is NaN.
/// Overwrites the errors.
pub(crate) fn greatest_error(model: &Model, x: &mut [f64], v: &mut [f64], dt: f64) -> f64 {
    let of = |errors: &mut [f64]| {
        wide(
            #[inline(always)]
            || greatest(squares(errors, model.nodes()), &model.pinned),
        )
    };
    greater(of(x).sqrt(), of(v).sqrt() * dt)
}

/// Maximum error for errors of the form e²/√(e² + 0.01 f²), from two estimates e and f for
/// positions and for velocities. Overwrites the estimates.
pub(crate) fn greatest_of_pairs(
    model: &Model,
    e: &mut (Vec<f64>, Vec<f64>),
    f: &mut (Vec<f64>, Vec<f64>),
    dt: f64,
) -> f64 {
    let of = |e: &mut [f64], f: &mut [f64]| {
        wide(
            #[inline(always)]
            || {
                let (e, f) = (squares(e, model.nodes()), squares(f, model.nodes()));
                for (e, f) in e.iter_mut().zip(f) {
                    // The quotient comes first, so that no square underflows. An error of 0 must
                    // not divide zero by zero.
                    let share = *e / (*e + 0.01 * *f);
                    *e = if *e == 0.0 { 0.0 * *f } else { share * *e };
                }
                greatest(e, &model.pinned)
            },
        )
    };
    greater(of(&mut e.0, &mut f.0).sqrt(), of(&mut e.1, &mut f.1).sqrt() * dt)
}

/// Returns the larger number; NaN if one is NaN.
fn greater(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

/// Attempts at a step, of which the last is then kept.
pub(crate) trait Trial {
    /// Attempts a step of h from the end of the last kept step. Returns its error divided by the
    /// tolerance.
    fn attempt(&mut self, h: f64) -> f64;

    /// Keeps the last attempt, which ends at the time `done` after the start of the scene's step.
    /// Returns its report.
    fn keep(&mut self, done: f64) -> StepReport;
}

/// Divides steps of the scene into steps with an error within the tolerance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepSize {
    /// Order of the error estimate plus one.
    q: f64,
    bounds: StepBounds,
    /// Step that the last error allows; the only memory of a run.
    next: f64,
    /// Whether a step is repeated if its error is too large.
    rejects: bool,
}

impl StepSize {
    /// Starts with the longest step within the scene's step of `dt`.
    pub(crate) fn new(q: u32, bounds: StepBounds, dt: f64) -> Self {
        Self { q: f64::from(q), bounds, next: bounds.longest(dt), rejects: true }
    }

    /// Returns the rule without rejections, which is a slip: every step is kept.
    pub(crate) fn without_rejection(self) -> Self {
        Self { rejects: false, ..self }
    }

    /// Returns the stored step.
    pub(crate) fn next(self) -> f64 {
        self.next
    }

    /// Restores the stored step.
    pub(crate) fn set_next(&mut self, next: f64) {
        self.next = next;
    }

    /// Takes one step of the scene and ends exactly at its end.
    pub(crate) fn advance(&mut self, dt: f64, trial: &mut impl Trial) -> StepReport {
        let (shortest, longest) = (self.bounds.shortest(dt), self.bounds.longest(dt));
        let mut report = StepReport::none();
        let (mut done, mut was_rejected) = (0.0, false);
        while done < dt {
            let left = dt - done;
            let h = self.choose(left);
            let error = trial.attempt(h);
            let is_fine = error <= 1.0;
            if self.rejects && !is_fine && h > shortest {
                self.next = (h * self.factor(error)).max(shortest);
                was_rejected = true;
                continue;
            }
            if !error.is_finite() {
                trial.attempt(left);
                self.next = longest;
                return report.and(StepReport { unconverged: 1, ..trial.keep(dt) });
            }
            done = if h < left { done + h } else { dt };
            let mut taken = trial.keep(done);
            taken.unconverged += u64::from(!is_fine);
            report = report.and(taken);

            let maximum = if was_rejected { 1.0 } else { MAX_FACTOR };
            let factor = self.factor(error).min(maximum);
            let allowed = (h * factor).clamp(shortest, longest);
            // If the end of the scene's step shortened this step, the longer previous step is still
            // valid.
            self.next = if factor >= 1.0 { allowed.max(self.next.min(longest)) } else { allowed };
            was_rejected = false;
        }
        report
    }

    /// Returns the next step. If two steps remain, both have the same length.
    fn choose(&self, left: f64) -> f64 {
        if self.next >= left {
            left
        } else if 2.0 * self.next > left {
            0.5 * left
        } else {
            self.next
        }
    }

    /// Ratio of the next step to the current step; the minimum ratio if the error is not finite.
    fn factor(&self, error: f64) -> f64 {
        if error.is_finite() {
            (self.bounds.safety * libm::pow(error, -1.0 / self.q)).clamp(MIN_FACTOR, MAX_FACTOR)
        } else {
            MIN_FACTOR
        }
    }
}
