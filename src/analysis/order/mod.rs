//! How fast a method's error falls with its step, and what that costs: work and precision on the scene's own body.
//!
//! All methods run the same body from its start for the same time T, with steps that are halved
//! again and again. Their positions at T are compared with those of a run of Runge-Kutta 4 whose
//! own error is far smaller. The order is the slope of log error over log dt, at the finest steps,
//! where the error is a power of dt; a line that has not become straight by then has none, and it
//! is said why.

mod count;
mod line;
mod span;

pub use count::{Counter, Evaluations};
pub use line::{Stop, Verdict};
pub use span::{Reason, Span};

use crate::sim::{
    Budget, Method, Setup, Simulation,
    contact::Contacts,
    force::Account,
    method::{METHODS, MethodInfo, control::Fixed, with_defaults},
};
use rayon::prelude::*;
use std::sync::Arc;

/// Steps times nodes times evaluations of forces that the runs of one method may take together.
pub const MOST_WORK: u64 = 30_000_000;
/// Every method gets so many steps, or an error near that of the reference; more only where its
/// line is not straight by then.
const ENOUGH_STEPS: u64 = 1 << 13;
/// Errors below so many times that of the reference are left out: they would say more about the
/// reference than about the method.
pub const ABOVE_REFERENCE: f64 = 30.0;
/// What evaluating the derivatives of forces and solving with them costs, in evaluations of forces.
const JACOBIAN: u64 = 16;

/// One run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// How many steps it took.
    pub steps: u64,
    /// The step.
    pub dt: f64,
    /// The greatest distance of a node from where it should be, as a share of the body's length; not finite where the run was lost.
    pub error: f64,
    /// What it cost.
    pub work: Evaluations,
}

/// All runs of a method.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The method.
    pub method: MethodInfo,
    /// The order that it should have here, by theory.
    pub order: u32,
    /// From the longest step to the shortest, all of them well above the error of the reference.
    pub points: Vec<Point>,
    /// The slope of its line, or why it has none.
    pub verdict: Verdict,
}

/// Errors of all methods that have an order.
#[derive(Clone, Debug)]
pub struct Orders {
    /// In the order of the table of methods.
    pub curves: Vec<Curve>,
    /// The time that all runs take, and the run that they are compared with.
    pub span: Span,
    /// What of the scene is left out of these runs.
    pub left_out: Vec<&'static str>,
}

/// Whether forces that depend on velocity act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damping {
    /// They are left out.
    Without,
    /// They act as in the scene.
    With,
}

/// Whether a body has forces that depend on velocity.
pub fn is_damped(setup: &Setup) -> bool {
    setup.forces.iter().any(|force| force.account() == Account::Damping)
}

/// Runs every method that has an order.
///
/// # Errors
/// When there is nothing that an order could be measured on; the reason says what.
pub fn orders(setup: &Setup, damping: Damping) -> Result<Orders, Reason> {
    let (setup, left_out) = smooth(setup, damping);
    let (span, exact) = span::choose(&setup)?;
    let methods: Vec<(MethodInfo, u32, Arc<dyn Method>)> = METHODS
        .iter()
        .filter_map(|info| {
            let order = match damping {
                Damping::Without => info.order,
                Damping::With => info.damped_order,
            };
            Some((*info, order?, with_defaults(info.name)?))
        })
        .filter(|(_, _, method)| !method.chooses_steps())
        .collect();
    let curves = methods
        .par_iter()
        .map(|(info, order, method)| {
            let (points, verdict) = refine(&setup, method, *order, &span, &exact);
            Curve { method: *info, order: *order, points, verdict }
        })
        .collect();
    Ok(Orders { curves, span, left_out })
}

/// The body without what has no order or changes with the step: jumps of velocity and force, and
/// factors a step. Says what that was.
fn smooth(setup: &Setup, damping: Damping) -> (Setup, Vec<&'static str>) {
    let mut setup = setup.clone();
    let mut left_out = Vec::new();
    let mut leave_out = |is_there: bool, name| {
        if is_there {
            left_out.push(name);
        }
    };
    let has = |setup: &Setup, account| setup.forces.iter().any(|force| force.account() == account);
    if damping == Damping::Without {
        leave_out(has(&setup, Account::Damping), "drag and damping");
        setup.forces.retain(|force| force.account() != Account::Damping);
    }
    leave_out(has(&setup, Account::Contact), "soft grounds");
    setup.forces.retain(|force| force.account() != Account::Contact);
    leave_out(!setup.contacts.is_empty(), "contacts");
    leave_out(!setup.impulses.is_empty(), "impulses");
    leave_out(setup.flow.is_some(), "plastic flow");
    leave_out(setup.breaks_at.is_some(), "breaks");
    leave_out(setup.velocity_factor != 1.0 || setup.position_factor != 1.0, "factors");
    let smooth = Setup {
        contacts: Contacts::default(),
        impulses: Vec::new(),
        flow: None,
        breaks_at: None,
        velocity_factor: 1.0,
        position_factor: 1.0,
        strain_limit: f64::INFINITY,
        // What its runs take is counted by evaluations of forces.
        budget: Budget::UNLIMITED,
        step_control: Arc::new(Fixed {}),
        ..setup
    };
    (smooth, left_out)
}

/// Halves the step of a method until its line is straight, and at least to where others are
/// compared with it.
fn refine(
    setup: &Setup,
    method: &Arc<dyn Method>,
    order: u32,
    span: &Span,
    exact: &[f64],
) -> (Vec<Point>, Verdict) {
    let floor = ABOVE_REFERENCE * span.error;
    let mut points = Vec::new();
    let mut steps = span.fewest_steps();
    let mut spent = 0;
    loop {
        let (x, work) = run(setup, method, span.time, steps);
        let error = distance(setup, &x, exact);
        if error < floor {
            let verdict = line::judge(&points, order, Stop::Reference);
            return (points, verdict);
        }
        points.push(Point { steps, dt: span.time / steps as f64, error, work });
        let verdict = line::judge(&points, order, Stop::Work { steps });
        if steps >= ENOUGH_STEPS && matches!(verdict, Verdict::Straight { .. }) {
            return (points, verdict);
        }
        let cost = cost(setup, work);
        spent += cost;
        if spent + 2 * cost > MOST_WORK {
            return (points, verdict);
        }
        steps = shorter(steps);
    }
}

/// The next number of steps: 2, 3, 4, 6, 8, … as long as that is cheap, then powers of two.
fn shorter(steps: u64) -> u64 {
    match steps.is_power_of_two() {
        true if steps < ENOUGH_STEPS / 2 => steps / 2 * 3,
        true => steps * 2,
        false => steps / 3 * 4,
    }
}

/// What a run cost, in nodes times evaluations of forces.
fn cost(setup: &Setup, work: Evaluations) -> u64 {
    (work.forces + JACOBIAN * work.jacobians) * size(setup)
}

/// What an evaluation of forces costs: nodes or springs, whichever are more.
fn size(setup: &Setup) -> u64 {
    setup.model.nodes().max(setup.model.springs.len()) as u64
}

/// Positions at the end, and what it cost to get there.
fn run(setup: &Setup, method: &Arc<dyn Method>, time: f64, steps: u64) -> (Vec<f64>, Evaluations) {
    let counter = Arc::new(Counter::default());
    let mut setup =
        Setup { method: Arc::clone(method), frame_time: time, substeps: steps, ..setup.clone() };
    setup.forces.push(Arc::clone(&counter) as _);
    let mut simulation = Simulation::new(Arc::new(setup));
    (0..steps).for_each(|_| simulation.step());
    (simulation.state().x.clone(), counter.evaluations())
}

/// The greatest distance between the places of a node, as a share of the body's length.
fn distance(setup: &Setup, a: &[f64], b: &[f64]) -> f64 {
    let n = setup.model.nodes();
    let mut greatest = 0.0;
    for i in 0..n {
        let square: f64 = (i..a.len()).step_by(n).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum();
        if !square.is_finite() {
            return f64::INFINITY;
        }
        greatest = f64::max(greatest, square);
    }
    greatest.sqrt() / setup.model.rest_length()
}
