//! Derivatives of residuals with respect to parameters, from finite differences.

use super::{FitError, Parameter};

/// Derivatives of all residuals with respect to each parameter.
pub(super) type Derivatives = Vec<Vec<f64>>;

/// Step of a central difference, relative to the parameter. The error of the difference is about
/// the square of the step, plus the rounding error of 1e-16 divided by the step.
pub(super) const STEP: f64 = 1e-5;
/// Minimum step, for residuals that depend on a parameter very strongly. Their differences are
/// large as well, so that a derivative still has six accurate digits.
const MIN_STEP: f64 = 1e-10;
/// Bend (second difference divided by first difference) above which a step is too long. The
/// relative error of a derivative is about the square of the bend.
const BENT: f64 = 0.05;
/// Minimum and maximum factor by which a step that is too long is shortened.
const SHORTER: [f64; 2] = [0.01, 0.5];
/// Relative step of a one-sided difference, whose error is proportional to the step.
const ROUGH_STEP: f64 = 1e-7;
/// Scale of a parameter whose value is 0.
const SIZE_OF_ZERO: f64 = 1e-2;

/// Points from which the derivative with respect to one parameter is computed.
#[derive(Clone, Copy)]
enum Difference {
    Central,
    /// Two points on one side, if the other side is out of bounds; with the sign of the side.
    OneSided(f64),
    /// One point, on the side with this sign.
    Rough(f64),
}

impl Difference {
    /// Number of points in addition to the point of the derivative.
    fn count(self) -> usize {
        match self {
            Self::Central | Self::OneSided(_) => 2,
            Self::Rough(_) => 1,
        }
    }
}

/// Points whose residuals give the derivatives at a point.
pub(super) struct Stencil<'a> {
    parameters: &'a [Parameter],
    at: Vec<f64>,
    kinds: Vec<Difference>,
    /// Points, ordered by parameter.
    pub(super) points: Vec<Vec<f64>>,
}

impl<'a> Stencil<'a> {
    /// Chooses the points, each a step of one parameter away. Rough derivatives need half as many
    /// points, and use [`ROUGH_STEP`].
    pub(super) fn new(
        parameters: &'a [Parameter],
        at: &[f64],
        steps: &[f64],
        is_rough: bool,
    ) -> Self {
        let step = |k: usize| {
            let size = if at[k] == 0.0 { SIZE_OF_ZERO } else { at[k].abs() };
            size * if is_rough { ROUGH_STEP } else { steps[k] }
        };
        let moved = |k: usize, steps: f64| {
            let mut other = at.to_vec();
            other[k] += steps * step(k);
            other
        };
        let kind = |k: usize| {
            let bounds = &parameters[k].bounds;
            let has = |sign: f64| bounds.contains(at[k] + sign * step(k));
            match (is_rough, has(-1.0), has(1.0)) {
                (true, _, is_in) => Difference::Rough(if is_in { 1.0 } else { -1.0 }),
                (false, false, _) => Difference::OneSided(1.0),
                (false, _, false) => Difference::OneSided(-1.0),
                _ => Difference::Central,
            }
        };
        let kinds: Vec<Difference> = (0..at.len()).map(kind).collect();
        let mut points = Vec::new();
        for (k, kind) in kinds.iter().enumerate() {
            match kind {
                Difference::Central => points.extend([moved(k, -1.0), moved(k, 1.0)]),
                Difference::OneSided(sign) => {
                    points.extend([moved(k, *sign), moved(k, 2.0 * sign)]);
                }
                Difference::Rough(sign) => points.push(moved(k, *sign)),
            }
        }
        Self { parameters, at: at.to_vec(), kinds, points }
    }

    /// Returns the derivatives, from the residuals `here` at the current point and `found` at the
    /// points of the stencil.
    ///
    /// # Errors
    /// The model has no result at a point of the stencil.
    pub(super) fn slopes(
        &self,
        here: &[f64],
        found: &[Option<Vec<f64>>],
    ) -> Result<Derivatives, FitError> {
        let mut first = 0;
        let mut all = Vec::with_capacity(self.kinds.len());
        for (k, kind) in self.kinds.iter().enumerate() {
            let missing = || FitError::Derivative(self.parameters[k].name.clone());
            let get = |at: usize| found.get(at).and_then(Option::as_ref).ok_or_else(missing);
            // The actual difference of the rounded values, which is not exactly the step.
            let place = |at: usize| self.points[at][k];
            all.push(match kind {
                Difference::Rough(_) => {
                    let width = place(first) - self.at[k];
                    let pairs = here.iter().zip(get(first)?);
                    pairs.map(|(now, a)| (a - now) / width).collect()
                }
                Difference::Central => {
                    let width = place(first + 1) - place(first);
                    let pairs = get(first)?.iter().zip(get(first + 1)?);
                    pairs.map(|(a, b)| (b - a) / width).collect()
                }
                Difference::OneSided(_) => {
                    let width = place(first + 1) - place(first);
                    let triples = get(first)?.iter().zip(get(first + 1)?).zip(here);
                    let slope = |((a, b), now)| (4.0 * a - b - 3.0 * now) / (2.0 * width);
                    triples.map(slope).collect()
                }
            });
            first += kind.count();
        }
        Ok(all)
    }

    /// Shortens the steps of parameters on which residuals do not depend linearly within their
    /// step. If no step helps, rounding dominates, or the first difference is 0. Then the step with
    /// the smallest bend is taken. Returns whether another stencil is needed.
    pub(super) fn adapt(
        &self,
        steps: &mut [f64],
        tried: &mut [TriedSteps],
        here: &[f64],
        found: &[Option<Vec<f64>>],
    ) -> bool {
        let (mut first, mut is_other) = (0, false);
        for ((kind, step), tried) in self.kinds.iter().zip(steps).zip(tried) {
            let pair = found.get(first).zip(found.get(first + 1));
            first += kind.count();
            let Some((Some(a), Some(b))) = pair else { continue };
            // Positions along the line, in steps.
            let bend = match kind {
                Difference::Rough(_) => continue,
                Difference::Central => bend(a, here, b),
                Difference::OneSided(_) => bend(here, a, b),
            };
            is_other |= tried.adapt(step, bend);
        }
        is_other
    }
}

/// Record of the steps of one parameter that were tried at one point.
#[derive(Clone, Default)]
pub(super) struct TriedSteps {
    /// Minimum bend so far, and its step.
    minimum: Option<(f64, f64)>,
    is_chosen: bool,
}

impl TriedSteps {
    /// Chooses the next step after a step with bend `bend`. Returns whether the step has changed.
    fn adapt(&mut self, step: &mut f64, bend: f64) -> bool {
        if self.is_chosen || bend <= BENT {
            self.is_chosen = true;
            return false;
        }
        let minimum = self.minimum.filter(|(minimum, _)| *minimum <= bend).unwrap_or((bend, *step));
        self.minimum = Some(minimum);
        let next = if *step > MIN_STEP {
            let [minimum, maximum] = SHORTER;
            (*step * (BENT / bend).clamp(minimum, maximum)).max(MIN_STEP)
        } else {
            self.is_chosen = true;
            minimum.1
        };
        let is_other = next != *step;
        *step = next;
        is_other
    }
}

/// Bend of three evenly spaced lists: the second difference divided by the first difference.
fn bend(a: &[f64], middle: &[f64], b: &[f64]) -> f64 {
    let (mut second, mut first) = (0.0, 0.0);
    for ((a, middle), b) in a.iter().zip(middle).zip(b) {
        let (bent, moved) = (a - 2.0 * middle + b, b - a);
        second += bent * bent;
        first += moved * moved;
    }
    if first > 0.0 { (second / first).sqrt() } else { 0.0 }
}
