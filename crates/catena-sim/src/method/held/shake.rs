//! SHAKE: Störmer's method for a body whose springs are rigid rods. The step without springs is
//! v' = v + a dt, x' = x + v' dt. Corrections then follow until every rod has its length.
//!
//! Let s = x_b - x_a, r be the same vector at the start of the step, and w the inverse masses. The
//! multiplier δ of a rod moves x_a by w_a δ r and x_b by -w_b δ r. Lengths are exact when every |
//! |s|² - l² | ≤ 2 tolerance l². Corrections have the direction of the old rods, like the forces of
//! the rods in Störmer's recurrence, so energy does not drift.
//!
//! Newton's method finds all δ together ([`rods`](super::rods)). Chains lead to a tridiagonal
//! system (`chain_rods`), other bodies to a sparse system (`rod_graph`). If that fails or costs too
//! much, sweeps correct the rods in order, each with δ = (|s|² - l²) / (2 (w_a + w_b) s·r). The
//! number of sweeps grows with the diameter of the body. A rod whose s·r is almost 0 has rotated by
//! a right angle within the step and is skipped. A step counts as unconverged if it has such a rod,
//! exceeds the number of iterations, or has a taut chain between two pins.
//!
//! If a body has more rods than free coordinates, as a sheet with shear springs does, no sweep
//! makes all of them exact. Such a step ends as soon as the convergence rate of its sweeps shows
//! this.
//!
//! The velocity belongs to the middle of the last step, (x' - x)/dt; before the first step, it is
//! the initial velocity. The first step therefore takes half a kick, v' = v + a dt/2, and positions
//! are of order 2 in dt. The tension of a rod is δ l/dt², and twice this value in the first step.
//! Springs impose no stability limit, but tension does, as with a string: ω dt < 2 for transverse
//! waves. Sources: Ryckaert, Ciccotti, Berendsen 1977; Newton's method for all rods: Barth and
//! others 1995, "Algorithms for constrained molecular dynamics".

use super::{
    chain_rods::ChainRods,
    projection::{self, Correction, Projection, ProjectionState},
    reaction::Listener,
    rod_graph::RodGraph,
    rods::{Ending, MIN_SOLUTIONS},
    routes::{self, Hold},
};
use crate::body::{Model, Spring, State, vector::dot};
use crate::budget::{Cost, Sweeping};
use crate::method::held::projection::MIN_ALONG;
use crate::method::{Integrator, Method, MethodInfo};
use crate::named::{BadOption, OptionInfo};
use serde::Deserialize;
use std::sync::Arc;

/// The method, its accuracy and its maximum number of sweeps.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Shake {
    /// Maximum relative error of a length, above 0.
    pub tolerance: f64,
    /// Maximum number of sweeps per step, at least 1.
    pub iterations: u32,
}
crate::identity!(Shake { tolerance, iterations });

impl Default for Shake {
    fn default() -> Self {
        Self { tolerance: 1e-10, iterations: 5000 }
    }
}

const TOLERANCE: OptionInfo = OptionInfo {
    name: "tolerance",
    summary: "maximum relative error of a length",
    default: "1e-10",
    range: "a number above 0",
    ..OptionInfo::PLAIN
};

const ITERATIONS: OptionInfo = OptionInfo {
    name: "iterations",
    summary: "maximum number of passes over all springs per step",
    default: "5000",
    range: "a whole number of at least 1",
    ..OptionInfo::PLAIN
};

/// Number of sweeps between checks of convergence.
const WINDOW: u32 = 8;

/// Number of movable rods, and number of coordinates of free nodes. If there are more rods than
/// coordinates, not all rods can keep their length.
fn counts(model: &Model) -> (usize, usize) {
    let is_movable = |rod: &&Spring| !(model.pinned[rod.a] && model.pinned[rod.b]);
    let free = model.pinned.iter().filter(|is_pinned| !**is_pinned).count();
    (model.held().iter().filter(is_movable).count(), model.axes * free)
}

impl Shake {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "Shake",
        title: "SHAKE",
        summary: "moves nodes without springs, then corrects along the old springs until every length is exact",
        order: None,
        damped_order: None,
        limit: None,
        holds_lengths: true,
        velocity_carries: true,
        options: &[TOLERANCE, ITERATIONS],
    };
}

impl Method for Shake {
    fn info(&self) -> MethodInfo {
        Self::INFO
    }

    fn cost(&self) -> Cost {
        Cost { is_open: true, ..Cost::sweeps(MIN_SOLUTIONS, Sweeping::Projections) }
    }

    fn caution(&self, model: &Model) -> Option<String> {
        let (rods, coordinates) = counts(model);
        (rods > coordinates).then(|| {
            format!(
                "SHAKE cannot hold all springs of this body: {rods} lengths are more than the \
                 {coordinates} coordinates of its free nodes, so steps do not converge; use a \
                 method that lets springs stretch, such as XPBD"
            )
        })
    }

    fn check(&self) -> Result<(), BadOption> {
        TOLERANCE.check(self.tolerance > 0.0 && self.tolerance.is_finite())?;
        ITERATIONS.check(self.iterations >= 1)
    }

    fn iterations(&self) -> Option<u32> {
        Some(self.iterations)
    }

    fn with_iterations(&self, iterations: u32) -> Option<Arc<dyn Method>> {
        Some(Arc::new(Self { iterations, ..self.clone() }))
    }

    fn as_any(&self) -> Option<&dyn std::any::Any> {
        Some(self)
    }

    fn start(&self, model: &Model, _initial: &State, _dt: f64) -> Box<dyn Integrator> {
        let (rods, coordinates) = counts(model);
        self.start_with(Rods::new(model, rods > coordinates), model, false)
    }
}

impl Shake {
    fn start_with(
        &self,
        rods: Option<Rods>,
        model: &Model,
        is_along_new: bool,
    ) -> Box<dyn Integrator> {
        let (movable, coordinates) = counts(model);
        let correction = ShakeCorrection {
            tolerance: self.tolerance,
            iterations: self.iterations,
            rods,
            is_overdetermined: movable > coordinates,
            is_along_new,
        };
        Box::new(ProjectionState::new(correction, model))
    }

    /// Starts a run with corrections along the predicted rods instead of the old ones: a slip.
    pub(crate) fn start_along_new(&self, model: &Model) -> Box<dyn Integrator> {
        self.start_with(None, model, true)
    }
}

struct ShakeCorrection {
    tolerance: f64,
    iterations: u32,
    /// System that corrects all rods at once, if possible.
    rods: Option<Rods>,
    /// Whether there are more rods than coordinates of free nodes.
    is_overdetermined: bool,
    /// Whether corrections have the direction of the predicted rods instead of the rods at the
    /// start of the step (a slip).
    is_along_new: bool,
}

/// System that corrects all rods at once.
enum Rods {
    Chain(Box<ChainRods>),
    Graph(Box<RodGraph>),
}

impl Rods {
    /// Creates the system. `None` if solutions cost too much, or if a body other than a chain is
    /// overdetermined.
    fn new(model: &Model, is_overdetermined: bool) -> Option<Self> {
        if let Some(chain) = ChainRods::new(model) {
            return Some(Self::Chain(Box::new(chain)));
        }
        let graph = || RodGraph::new(model, &projection::weights(model));
        let graph = (!is_overdetermined).then(graph).flatten();
        graph.map(|graph| Self::Graph(Box::new(graph)))
    }

    fn solve(
        &mut self,
        projection: &Projection<'_>,
        x: &mut [f64],
        tolerance: f64,
        maximum: u32,
        keeps_totals: bool,
    ) -> Ending {
        match self {
            Self::Chain(chain) => chain.solve(projection, x, tolerance, maximum, keeps_totals),
            Self::Graph(graph) => graph.solve(projection, x, tolerance, maximum, keeps_totals),
        }
    }

    fn undo(&self, x: &mut [f64]) {
        match self {
            Self::Chain(chain) => chain.undo(x),
            Self::Graph(graph) => graph.undo(x),
        }
    }

    fn report_reactions(&self, projection: &Projection<'_>, listener: &mut impl Listener) {
        match self {
            Self::Chain(chain) => chain.report_reactions(projection, listener),
            Self::Graph(graph) => graph.report_reactions(projection, listener),
        }
    }
}

/// The result of a sweep.
#[derive(Clone, Copy, Default)]
struct ShakeSweep {
    /// Whether a rod was corrected.
    has_moved: bool,
    /// Whether a rod that is not exact was skipped.
    is_stuck: bool,
    /// Sum of the squares of (|s|² - l²)/l² over all rods, each before its correction.
    error: f64,
}

impl ShakeCorrection {
    /// Returns |s|² - l², and whether this is within the tolerance.
    fn excess(&self, length: f64, square: f64) -> (f64, bool) {
        let excess = length * length - square;
        (excess, excess.abs() <= 2.0 * self.tolerance * square)
    }

    fn sweep(
        &self,
        projection: &Projection<'_>,
        x: &mut [f64],
        listener: &mut impl Listener,
    ) -> ShakeSweep {
        let model = projection.system.model;
        let mut sweep = ShakeSweep::default();
        for (j, rod, weight) in projection.movable() {
            let (s, length) = model.span(x, rod);
            let square = rod.rest_length * rod.rest_length;
            let (excess, is_exact) = self.excess(length, square);
            let relative = excess / square;
            sweep.error += relative * relative;
            if is_exact {
                continue;
            }
            let r = if self.is_along_new { s } else { model.span(projection.start, rod).0 };
            let along = dot(s, r);
            // This case includes non-finite numbers.
            if along.is_nan() || along <= MIN_ALONG * square {
                sweep.is_stuck = true;
                continue;
            }
            let amount = excess / (2.0 * weight * along);
            projection.shift(x, rod, &r, amount, listener);
            listener.pulled(j, amount * rod.rest_length);
            sweep.has_moved = true;
        }
        sweep
    }

    /// Sweeps until every length is exact, at most `maximum` times. If `gives_up`, stops early when
    /// the convergence rate is too low.
    fn sweep_all(
        &self,
        projection: &Projection<'_>,
        x: &mut [f64],
        listener: &mut impl Listener,
        maximum: u32,
        gives_up: bool,
    ) -> bool {
        let system = projection.system;
        let mut error_before = f64::INFINITY;
        for left in (0..maximum).rev() {
            let sweep = self.sweep(projection, x, listener);
            if !sweep.has_moved {
                return !sweep.is_stuck;
            }
            if !system.charge(Cost::PROJECTION) {
                return false;
            }
            if gives_up && (maximum - left).is_multiple_of(WINDOW) {
                if !self.gets_there(sweep.error, error_before, left, system.model.held) {
                    break;
                }
                error_before = sweep.error;
            }
        }
        let is_exact = |rod: &Spring| {
            self.excess(system.model.span(x, rod).1, rod.rest_length * rod.rest_length).1
        };
        projection.movable().all(|(_, rod, _)| is_exact(rod))
    }

    /// Whether `left` more sweeps would suffice at the convergence rate of the last window. Returns
    /// `false` for non-finite errors.
    fn gets_there(&self, error: f64, error_before: f64, left: u32, rods: usize) -> bool {
        let pace = (error / error_before).min(1.0);
        let target = 4.0 * self.tolerance * self.tolerance * rods as f64;
        error * libm::pow(pace, f64::from(left / WINDOW)) <= target
    }
}

/// Maximum number of rounds in which rods and routes are corrected in turn.
const MAX_ROUNDS: u32 = 200;

impl Correction for ShakeCorrection {
    /// Corrects rods and routes in turn, until neither moves a node.
    fn correct(
        &mut self,
        projection: &Projection<'_>,
        x: &mut [f64],
        listener: &mut impl Listener,
    ) -> bool {
        let mut is_exact = self.correct_rods(projection, x, listener);
        for _ in 0..MAX_ROUNDS {
            if !routes::hold(projection, x, &mut Hold::Rigid, listener) {
                return is_exact;
            }
            is_exact = self.correct_rods(projection, x, listener);
        }
        false
    }

    fn starts_with_half_kick(&self) -> bool {
        true
    }
}

impl ShakeCorrection {
    /// Corrects all rods.
    fn correct_rods(
        &mut self,
        projection: &Projection<'_>,
        x: &mut [f64],
        listener: &mut impl Listener,
    ) -> bool {
        let Some(mut rods) = self.rods.take() else {
            let gives_up = self.is_overdetermined;
            return self.sweep_all(projection, x, listener, self.iterations, gives_up);
        };
        let (tolerance, maximum) = (self.tolerance, self.iterations);
        let ending = rods.solve(projection, x, tolerance, maximum, listener.needs_reports());
        let is_exact = match ending {
            Ending::Done { is_stuck } => !is_stuck,
            Ending::Spent => false,
            Ending::Failed { solutions } => {
                rods.undo(x);
                self.sweep_all(projection, x, listener, self.iterations - solutions, true)
            }
        };
        if listener.needs_reports() && !matches!(ending, Ending::Failed { .. }) {
            rods.report_reactions(projection, listener);
        }
        self.rods = Some(rods);
        is_exact
    }
}
