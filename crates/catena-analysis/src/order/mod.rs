//! Order of each method on the scene's own body, and the work per precision.
//!
//! All methods run the same body from its start for the same time T, with decreasing steps. Their
//! positions at T are compared with a reference: a run of Runge-Kutta 4 with a far smaller error.
//! The order is the slope of log error over log dt at the shortest steps, where the error is a
//! power of dt. If the curve is not straight there, no order is reported, and the verdict gives the
//! reason.

mod reference;
mod run;

pub use reference::{NoOrder, ReferenceRun};
pub use run::ErrorPoint;
pub use run::{EvaluationCounter, Evaluations};

use catena_sim::{
    Budget, Method, Setup,
    contact::Contacts,
    force::Account,
    method::{METHODS, MethodInfo, control::Fixed, with_defaults},
};
use rayon::prelude::*;
use run::{distance, run, size};
use std::sync::Arc;

/// Maximum work of all runs of one method: steps times nodes times force evaluations.
pub const MAX_WORK: u64 = 30_000_000;
/// Number of steps up to which steps are always shortened, unless the error approaches the
/// reference's own error first. Beyond it, only a curve that is not yet straight is refined.
const ENOUGH_STEPS: u64 = 1 << 13;
/// Minimum ratio of a usable error to the error of the reference. A smaller measured error would
/// consist partly of the reference's own error.
pub const ABOVE_REFERENCE: f64 = 30.0;
/// Cost of evaluating force derivatives and solving with them, in force evaluations.
const JACOBIAN: u64 = 16;

/// Errors of all runs of one method.
#[derive(Clone, Debug)]
pub struct ErrorCurve {
    /// Method of the runs.
    pub method: MethodInfo,
    /// Theoretical order of the method on this body.
    pub order: u32,
    /// Runs from the longest step to the shortest. All errors are well above the error of the
    /// reference.
    pub points: Vec<ErrorPoint>,
    /// Measured order, or the reason why there is none.
    pub verdict: SlopeVerdict,
}

/// Errors of all methods that have an order.
#[derive(Clone, Debug)]
pub struct Orders {
    /// Curves, in the order of the table of methods.
    pub curves: Vec<ErrorCurve>,
    /// Duration of all runs, and the run that they are compared with.
    pub reference: ReferenceRun,
    /// Names of the scene's features that the runs omit.
    pub left_out: Vec<&'static str>,
}

/// Whether velocity-dependent forces act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DampingForces {
    /// The runs omit these forces.
    Without,
    /// The runs include these forces, as in the scene.
    With,
}

/// Whether a body has velocity-dependent forces.
pub fn is_damped(setup: &Setup) -> bool {
    setup.forces.iter().any(|force| force.energy().account() == Some(Account::Damping))
}

/// Runs every method that has an order, with the default work limit.
///
/// # Errors
/// Returns the reason why no order can be measured on the body.
pub fn orders(setup: &Setup, damping: DampingForces) -> Result<Orders, NoOrder> {
    orders_within(setup, damping, 1.0, &|_| ())
}

/// Runs every method that has an order, with `share` times the default work limit. Calls `each`
/// with the total number of methods whenever one is done.
///
/// # Errors
/// Returns the reason why no order can be measured on the body.
pub fn orders_within(
    setup: &Setup,
    damping: DampingForces,
    share: f64,
    each: &(dyn Fn(usize) + Sync),
) -> Result<Orders, NoOrder> {
    let (setup, left_out) = smooth(setup, damping);
    let (reference, exact) = reference::choose(&setup, share)?;
    let maximum = (share * MAX_WORK as f64) as u64;
    let methods: Vec<(MethodInfo, u32, Arc<dyn Method>)> = METHODS
        .iter()
        .filter_map(|info| {
            let order = match damping {
                DampingForces::Without => info.order,
                DampingForces::With => info.damped_order,
            };
            Some((*info, order?, with_defaults(info.name)?))
        })
        .filter(|(_, _, method)| !method.chooses_steps())
        .collect();
    let curves = methods
        .par_iter()
        .map(|(info, order, method)| {
            let (points, verdict) = refine(&setup, method, *order, &reference, &exact, maximum);
            each(methods.len());
            ErrorCurve { method: *info, order: *order, points, verdict }
        })
        .collect();
    Ok(Orders { curves, reference, left_out })
}

/// Removes features that have no order or change with the step: jumps of velocity and force, and
/// factors per step. Returns the smooth setup and the names of the removed features.
fn smooth(setup: &Setup, damping: DampingForces) -> (Setup, Vec<&'static str>) {
    let mut setup = setup.clone();
    let mut left_out = Vec::new();
    let mut leave_out = |is_there: bool, name| {
        if is_there {
            left_out.push(name);
        }
    };
    let has = |setup: &Setup, account| {
        setup.forces.iter().any(|force| force.energy().account() == Some(account))
    };
    if damping == DampingForces::Without {
        leave_out(has(&setup, Account::Damping), "drag and damping");
        setup.forces.retain(|force| force.energy().account() != Some(Account::Damping));
    }
    leave_out(has(&setup, Account::Contact), "soft ground");
    setup.forces.retain(|force| force.energy().account() != Some(Account::Contact));
    leave_out(!setup.contacts.is_empty(), "contacts");
    leave_out(!setup.impulses.is_empty(), "impulses");
    leave_out(setup.flow.is_some(), "plastic flow");
    leave_out(setup.breaks_at.is_some(), "breaks");
    leave_out(
        setup.velocity_factor != 1.0 || setup.position_factor != 1.0,
        "velocity and position factors",
    );
    leave_out(!setup.lengths.is_empty(), "changes of rope length");
    let setup = setup.with_lengths_at(0.0);
    let smooth = Setup {
        contacts: Contacts::default(),
        impulses: Vec::new(),
        flow: None,
        breaks_at: None,
        velocity_factor: 1.0,
        position_factor: 1.0,
        strain_limit: f64::INFINITY,
        // Work is limited by counted force evaluations, so no budget is needed.
        events: Vec::new(),
        budget: Budget::UNLIMITED,
        step_control: Arc::new(Fixed {}),
        ..setup
    };
    (smooth, left_out)
}

/// Shortens the step of a method until its curve is straight, and at least to [`ENOUGH_STEPS`]
/// steps, at which methods are compared.
fn refine(
    setup: &Setup,
    method: &Arc<dyn Method>,
    order: u32,
    reference: &ReferenceRun,
    exact: &[f64],
    maximum: u64,
) -> (Vec<ErrorPoint>, SlopeVerdict) {
    let floor = ABOVE_REFERENCE * reference.error;
    let mut points = Vec::new();
    let mut steps = reference.fewest_steps();
    let mut spent = 0;
    loop {
        let (x, work) = run(setup, method, reference.time, steps);
        let error = distance(setup, &x, exact);
        if error < floor {
            let verdict = judge(&points, order, RefinementEnd::Reference);
            return (points, verdict);
        }
        points.push(ErrorPoint { steps, dt: reference.time / steps as f64, error, work });
        let verdict = judge(&points, order, RefinementEnd::Work { steps });
        if steps >= ENOUGH_STEPS && matches!(verdict, SlopeVerdict::Straight { .. }) {
            return (points, verdict);
        }
        let cost = cost(setup, work);
        spent += cost;
        if spent + 2 * cost > maximum {
            return (points, verdict);
        }
        steps = shorter(steps);
    }
}

/// Next number of steps: 2, 3, 4, 6, 8, … up to [`ENOUGH_STEPS`], then powers of two.
fn shorter(steps: u64) -> u64 {
    match steps.is_power_of_two() {
        true if steps < ENOUGH_STEPS / 2 => steps / 2 * 3,
        true => steps * 2,
        false => steps / 3 * 4,
    }
}

/// Cost of a run, in nodes times force evaluations.
fn cost(setup: &Setup, work: Evaluations) -> u64 {
    (work.forces + JACOBIAN * work.jacobians) * size(setup)
}

/// Ratio of the longest to the shortest step of a fitted window.
const SPAN: f64 = 4.0;
/// Minimum number of steps in a fit.
const FITTED: usize = 3;
/// Number of windows to try, starting with the shortest steps.
const WINDOWS: usize = 3;
/// Maximum difference of slope between the halves of a straight curve.
const BEND: f64 = 0.25;
/// Maximum difference between the slope of a straight curve and the theoretical order.
const NEAR: f64 = 0.15;
/// Maximum error that is fitted, as a share of the body's length.
const SMALL: f64 = 0.1;

/// Reason why no shorter steps were tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefinementEnd {
    /// The next error would be as small as the error of the reference.
    Reference,
    /// The work of more steps would exceed the limit.
    Work {
        /// Number of steps of the last run.
        steps: u64,
    },
}

/// Conclusion about the order of a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SlopeVerdict {
    /// The points are on a straight line in log-log scale, whose slope is the order.
    Straight {
        /// Slope fitted to the shortest steps.
        slope: f64,
    },
    /// The points are not on a straight line with the theoretical slope.
    Unresolved {
        /// Slope between the two shortest steps; `None` if fewer than two errors are small.
        slope: Option<f64>,
        /// Reason why no shorter steps were tried.
        stop: RefinementEnd,
    },
}

/// Judges the order of a method from its shortest steps. The reference's error may disturb the last
/// points, so windows without them are tried too.
fn judge(points: &[ErrorPoint], order: u32, stop: RefinementEnd) -> SlopeVerdict {
    let small = points.iter().rev().take_while(|point| point.error < SMALL);
    // Ordered from the shortest step to the longest.
    let logs: Vec<[f64; 2]> =
        small.map(|point| [libm::log(point.dt), libm::log(point.error)]).collect();
    let straight = |last: usize| {
        let far = logs[last][0] + libm::log(SPAN) + 1e-9;
        let count = logs[last..].iter().take_while(|log| log[0] <= far).count();
        let window = &logs[last..last + count];
        let [shorter, longer] = [&window[..=count / 2], &window[count.div_ceil(2) - 1..]];
        let bend = slope(shorter) - slope(longer);
        let slope = slope(window);
        let is_straight = bend.abs() <= BEND && (slope - f64::from(order)).abs() <= NEAR;
        (count >= FITTED && is_straight).then_some(slope)
    };
    match (0..logs.len().min(WINDOWS)).find_map(straight) {
        Some(slope) => SlopeVerdict::Straight { slope },
        None => SlopeVerdict::Unresolved { slope: logs.get(..2).map(slope), stop },
    }
}

/// Slope of points by least squares.
fn slope(points: &[[f64; 2]]) -> f64 {
    let count = points.len() as f64;
    let mean = [0, 1].map(|k| points.iter().map(|point| point[k]).sum::<f64>() / count);
    let [mut xx, mut xy] = [0.0; 2];
    for point in points {
        let [x, y] = [point[0] - mean[0], point[1] - mean[1]];
        xx += x * x;
        xy += x * y;
    }
    xy / xx
}
