//! Search for the minimum sum of squares of a part of the data.

use super::derivative::{Derivatives, STEP, Stencil, TriedSteps};
use super::normal::Normal;
use super::{FitError, Parameter, Residuals};

/// Relative change of all parameters below which the fit has converged.
const CONVERGED: f64 = 1e-11;
/// Remaining decrease of the sum of squares below which the fit has converged, in variances of a
/// residual. This is the squared distance from the minimum in standard errors.
const LEFT: f64 = 1e-10;
/// Decrease of the sum of squares, in variances of a residual, that a fit of a part of the data may
/// leave. [`SHARE_OF_PART`] allows a further decrease.
const LEFT_OF_PART: f64 = 1.0;
/// Further decrease that a fit of a part may leave, as a share of the sum of squares at the start
/// values.
const SHARE_OF_PART: f64 = 1e-6;
/// Decrease of the sum of squares, in variances of a residual, below which a step is idle.
const IDLE: f64 = 1e-3;
/// Number of successive idle steps after which a search ends. If runs depend very strongly on
/// parameters, derivatives are too inaccurate for convergence.
const MAX_IDLE: u32 = 8;
/// Predicted decrease of a full step, in variances of a residual, below which a search without
/// progress has converged: a tenth of a standard error. With noise, derivatives are too inaccurate
/// for smaller decreases.
const SETTLED: f64 = 1e-2;
/// Factors by which an iteration multiplies the damping of its trial steps.
const DAMPINGS: [f64; 4] = [0.0, 0.1, 1.0, 100.0];
/// Factors by which an iteration multiplies the damping of its trial steps after a step that went
/// as predicted.
const DAMPINGS_OF_TRUSTED: [f64; 2] = [0.0, 1.0];
/// Minimum actual decrease of a step that went as predicted, as a share of the predicted decrease.
const AS_PREDICTED: f64 = 0.25;
/// Damping above which the search ends, because no step helps.
const MAX_DAMPING: f64 = 1e12;

/// State of a search.
pub(super) struct Search<'a> {
    pub(super) model: &'a dyn Residuals,
    pub(super) parameters: &'a [Parameter],
    pub(super) part: usize,
    pub(super) point: Vec<f64>,
    pub(super) residuals: Vec<f64>,
    pub(super) slopes: Derivatives,
    /// Relative step of the finite differences by each parameter.
    steps: Vec<f64>,
    /// Residuals at the start values. If the model has no result there, those at the point at which
    /// the search began.
    pub(super) first: Vec<f64>,
    damping: f64,
    /// Predicted decrease of the last full step.
    previous: Option<f64>,
    is_trusted: bool,
    /// Number of successive idle steps.
    idle: u32,
    pub(super) iterations: u64,
    is_over: bool,
    pub(super) has_converged: bool,
}

/// Sum of squared residuals, added in order.
fn squares(residuals: &[f64]) -> f64 {
    residuals.iter().map(|value| value * value).sum()
}

/// Step of an iteration.
struct Trial {
    damping: f64,
    point: Vec<f64>,
    /// Predicted decrease of the sum of squares.
    decrease: f64,
    /// Whether the step stays within all ranges.
    is_whole: bool,
}

impl<'a> Search<'a> {
    /// Begins at a point, or at the start values if these fit the data better.
    ///
    /// # Errors
    /// The model has no result at either point, or near the better one.
    pub(super) fn begin(
        model: &'a dyn Residuals,
        parameters: &'a [Parameter],
        part: usize,
        point: &[f64],
        start: &[f64],
    ) -> Result<Self, FitError> {
        let is_rough = part + 1 < model.parts();
        let steps = vec![STEP; point.len()];
        let stencil = Stencil::new(parameters, point, &steps, is_rough);
        let mut points = vec![point.to_vec()];
        if point != start {
            points.push(start.to_vec());
        }
        let own = points.len();
        points.extend(stencil.points.iter().cloned());
        let mut found = model.at(&points, part);
        let finite = |found: Option<Vec<f64>>| found.filter(|all| squares(all).is_finite());
        let of_stencil = found.split_off(own.min(found.len()));
        let at_start = finite(found.pop().flatten());
        let here = if point == start { at_start.clone() } else { finite(found.pop().flatten()) };
        let cost = |of: &Option<Vec<f64>>| of.as_deref().map_or(f64::INFINITY, squares);
        let is_start = point == start || cost(&at_start) <= cost(&here);
        let first = at_start.clone().or_else(|| here.clone()).ok_or(FitError::Start)?;
        let residuals = if is_start { at_start } else { here }.ok_or(FitError::Start)?;
        let mut search = Self {
            model,
            parameters,
            part,
            point: if is_start { start } else { point }.to_vec(),
            residuals,
            slopes: Derivatives::new(),
            steps,
            first,
            damping: 1e-3,
            previous: None,
            is_trusted: true,
            idle: 0,
            iterations: 0,
            is_over: false,
            has_converged: false,
        };
        search.slopes = match is_start && point != start {
            false => search.slopes_of(&stencil, &of_stencil)?,
            true => search.slopes_here()?,
        };
        Ok(search)
    }

    /// Sum of squared residuals at the current point.
    pub(super) fn cost(&self) -> f64 {
        squares(&self.residuals)
    }

    /// Number of residuals minus number of parameters, at least 1.
    fn freedom(&self) -> f64 {
        self.residuals.len().saturating_sub(self.point.len()).max(1) as f64
    }

    /// Sum of squares of [`Search::first`].
    pub(super) fn first_cost(&self) -> f64 {
        squares(&self.first)
    }

    /// Mean of the squared residuals; 0 if there are none.
    pub(super) fn mean_square(&self) -> f64 {
        self.cost() / self.residuals.len().max(1) as f64
    }

    fn is_rough(&self) -> bool {
        self.part + 1 < self.model.parts()
    }

    /// Points from which the derivatives at a point are computed.
    fn stencil(&self, point: &[f64]) -> Stencil<'a> {
        Stencil::new(self.parameters, point, &self.steps, self.is_rough())
    }

    /// Computes the derivatives at the current point.
    fn slopes_here(&mut self) -> Result<Derivatives, FitError> {
        let stencil = self.stencil(&self.point);
        let found = self.model.at(&stencil.points, self.part);
        self.slopes_of(&stencil, &found)
    }

    /// Computes the derivatives from the residuals of a stencil around the current point. If
    /// residuals are nonlinear within the stencil, a stencil with shorter steps is used.
    fn slopes_of(
        &mut self,
        stencil: &Stencil<'_>,
        found: &[Option<Vec<f64>>],
    ) -> Result<Derivatives, FitError> {
        let mut tried = vec![TriedSteps::default(); self.point.len()];
        if !stencil.adapt(&mut self.steps, &mut tried, &self.residuals, found) {
            return stencil.slopes(&self.residuals, found);
        }
        loop {
            let stencil = self.stencil(&self.point);
            let found = self.model.at(&stencil.points, self.part);
            if !stencil.adapt(&mut self.steps, &mut tried, &self.residuals, &found) {
                return stencil.slopes(&self.residuals, &found);
            }
        }
    }

    /// Takes up to `maximum` steps, or fewer if the search ends. Calls `step` after each one. If
    /// `step` returns `false`, stops and returns `false`.
    pub(super) fn run(&mut self, maximum: u64, step: &dyn Fn() -> bool) -> Result<bool, FitError> {
        for _ in 0..maximum {
            self.iterate()?;
            if !step() {
                return Ok(false);
            }
            if self.is_over {
                break;
            }
        }
        Ok(true)
    }

    /// Takes one step, or ends the search.
    fn iterate(&mut self) -> Result<(), FitError> {
        self.iterations += 1;
        let normal = Normal::of(&self.slopes, &self.residuals);
        let trials = self.trials(&normal);
        let Some(first) = trials.first() else {
            return self.miss(0.0, 0.0);
        };
        if self.is_near(first) {
            if first.damping == 0.0 && first.is_whole {
                self.take_last(&first.point.clone());
            }
            (self.is_over, self.has_converged) = (true, true);
            return Ok(());
        }
        let stencil = self.stencil(&first.point);
        let points = trials.iter().map(|trial| &trial.point).chain(&stencil.points);
        let mut found = self.model.at(&points.cloned().collect::<Vec<_>>(), self.part);
        let of_stencil = found.split_off(trials.len().min(found.len()));
        let costs = found.iter().map(|it| it.as_ref().map_or(f64::INFINITY, |it| squares(it)));
        let best = costs.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        let now = self.cost();
        let Some((index, cost)) = best.filter(|(_, cost)| *cost < now) else {
            return self.miss(self.moved(&first.point), first.decrease);
        };
        let trial = &trials[index];
        self.is_trusted = index == 0 && now - cost >= AS_PREDICTED * trial.decrease;
        self.previous = (index == 0 && trial.is_whole).then_some(trial.decrease);
        self.has_converged = self.moved(&trial.point) < CONVERGED;
        let variance = cost / self.freedom();
        self.idle = if now - cost < IDLE * variance { self.idle + 1 } else { 0 };
        self.is_over = self.has_converged || self.idle >= MAX_IDLE;
        self.has_converged |= self.is_over && first.decrease <= SETTLED * variance;
        self.damping = trial.damping.max(1e-9);
        self.point.clone_from(&trial.point);
        self.residuals = found.swap_remove(index).unwrap_or_default();
        self.slopes = match index {
            0 => self.slopes_of(&stencil, &of_stencil)?,
            _ => self.slopes_here()?,
        };
        Ok(())
    }

    /// Returns the steps to try, the least damped first.
    fn trials(&self, normal: &Normal) -> Vec<Trial> {
        let is_free: Vec<bool> = (0..self.point.len())
            .map(|k| {
                let direction = -normal.gradient[k];
                normal.matrix[k][k] > 0.0
                    && !self.parameters[k].bounds.holds(self.point[k], direction)
            })
            .collect();
        let factors = if self.is_trusted { &DAMPINGS_OF_TRUSTED[..] } else { &DAMPINGS };
        let trial = |factor: &f64| {
            let damping = factor * self.damping;
            let step = normal.step(damping, &is_free)?;
            let full_step: Vec<f64> =
                self.point.iter().zip(&step).map(|(at, step)| at + step).collect();
            let limited = |k: usize| self.parameters[k].bounds.limit(self.point[k], full_step[k]);
            let point: Vec<f64> = (0..step.len()).map(limited).collect();
            let (decrease, is_whole) = (normal.decrease(&step), point == full_step);
            Some(Trial { damping, point, decrease, is_whole })
        };
        factors.iter().filter_map(trial).collect()
    }

    /// Whether the decrease that remains after a step is too small to be worth a run. The share
    /// that remains is estimated from the last step.
    fn is_near(&self, step: &Trial) -> bool {
        let share = self.previous.map_or(1.0, |previous| (step.decrease / previous).min(1.0));
        let variance = (self.cost() - step.decrease).max(0.0) / self.freedom();
        let maximum = match self.is_rough() {
            true => LEFT_OF_PART * variance + SHARE_OF_PART * self.first_cost(),
            false => LEFT * variance,
        };
        step.decrease * share <= maximum
    }

    /// Takes the last step without a run: the residuals at its end are extrapolated from the
    /// derivatives.
    fn take_last(&mut self, point: &[f64]) {
        for (k, slopes) in self.slopes.iter().enumerate() {
            let change = point[k] - self.point[k];
            for (residual, slope) in self.residuals.iter_mut().zip(slopes) {
                *residual += change * slope;
            }
        }
        self.point = point.to_vec();
    }

    /// Handles an iteration in which no step helps, by ending the search or increasing the damping.
    /// At the minimum, rounding decides whether a step helps. `smallest` is the relative change of
    /// the least damped step, and `decrease` is its predicted decrease.
    fn miss(&mut self, smallest: f64, decrease: f64) -> Result<(), FitError> {
        self.previous = None;
        // A step with a large predicted decrease was too long, however short it is.
        let is_rounding = smallest < CONVERGED || decrease < AS_PREDICTED * self.cost();
        if smallest < 1e3 * CONVERGED && smallest > 0.0 && is_rounding || self.cost() == 0.0 {
            (self.is_over, self.has_converged) = (true, true);
        } else if self.is_trusted {
            self.is_trusted = false;
        } else {
            self.damping *= 1e4;
            self.is_over = self.damping > MAX_DAMPING;
            // If no step decreases the sum, the point is a minimum within the accuracy of runs.
            let is_settled = decrease <= SETTLED * self.cost() / self.freedom();
            self.has_converged = self.is_over && (smallest < 1e-6 || is_settled);
        }
        Ok(())
    }

    /// Maximum relative change of a parameter.
    fn moved(&self, point: &[f64]) -> f64 {
        let share = |(a, b): (&f64, &f64)| (a - b).abs() / a.abs().max(b.abs()).max(1e-300);
        self.point.iter().zip(point).map(share).fold(0.0, f64::max)
    }
}
