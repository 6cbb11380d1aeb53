//! Checks of the order of each method: the slope of its global error over its step.

use super::{
    Check,
    Tolerance::Absolute,
    bodies::CheckBody,
    check::{CheckList, CheckSetups},
    methods::plain,
    readings::apart,
    recurrence::METHODS,
};
use catena_sim::{
    Method, Simulation,
    body::shape::rope::Matter,
    method::{Rk4, Shake},
};
use std::sync::{Arc, OnceLock};

/// Number of steps of the run that counts as exact.
const EXACT: u64 = 20_000;
/// Number of steps of the run with rigid rods that counts as exact.
const RIGID: u64 = 1 << 16;
/// Error below which steps are no longer halved, by order. The error is small enough for the
/// leading term to dominate, and far above rounding.
const SMALL: [f64; 8] = [1e-3, 1e-6, 1e-8, 1e-9, 1e-9, 1e-9, 1e-8, 1e-7];
/// Number of points in a slope fit.
const POINTS: usize = 3;

pub(super) fn checks() -> Vec<Check> {
    let mut list = CheckList::new("order");
    list.set_reference("order of the global error of an elastic double pendulum at t = 1: slope fitted to three step sizes");
    for row in METHODS {
        let (name, order) = (row.name, row.order);
        // An error of order 8 reaches rounding before its leading term dominates.
        let tolerance = Absolute(if order < 8 { 0.1 } else { 0.3 });
        list.add(format!("order of {name}"), f64::from(order), tolerance, move |setups| {
            slope(setups, &plain(name)?, SMALL[order as usize - 1], exact())
        });
    }
    list.set_reference(
        "order of SHAKE: a rigid double pendulum at t = 1, compared with a run with 65,536 steps",
    );
    list.add("order of Shake", 2.0, Absolute(0.1), |setups| {
        slope(setups, &shake(), SMALL[1], rigid())
    });
    list.done()
}

/// Two masses on springs, released from the horizontal.
pub(super) fn pendulum(method: Arc<dyn Method>, steps: u64) -> CheckBody {
    CheckBody {
        ends: [[0.0, 0.0], [1.0, 0.0]],
        matter: Matter::Nodes { mass: 0.5, stiffness: 40.0 },
        gravity: 10.0,
        method,
        ..CheckBody::classroom(3, steps)
    }
}

/// Positions of the elastic pendulum at t = 1.
pub(super) fn exact() -> &'static [f64] {
    static POSITIONS: OnceLock<Vec<f64>> = OnceLock::new();
    POSITIONS.get_or_init(|| {
        let mut run = Simulation::new(Arc::new(pendulum(Arc::new(Rk4 {}), EXACT).setup()));
        run.advance_frame();
        run.state().x.clone()
    })
}

fn shake() -> Arc<dyn Method> {
    Arc::new(Shake { tolerance: 1e-13, ..Shake::default() })
}

/// Positions of the pendulum with rigid rods at t = 1.
fn rigid() -> &'static [f64] {
    static POSITIONS: OnceLock<Vec<f64>> = OnceLock::new();
    POSITIONS.get_or_init(|| {
        let mut run = Simulation::new(Arc::new(pendulum(shake(), RIGID).setup()));
        run.advance_frame();
        run.state().x.clone()
    })
}

/// Slope of the logarithm of the error, from the longest steps with an error below `small`.
fn slope(
    setups: &CheckSetups<'_>,
    method: &Arc<dyn Method>,
    small: f64,
    exact: &[f64],
) -> Option<f64> {
    let error = |steps: u64| {
        let mut run = setups.start(pendulum(Arc::clone(method), steps).setup());
        run.advance_frame();
        apart(&run.state().x, exact)
    };
    let first = (4..15).map(|power| 1_u64 << power).find(|&steps| error(steps) < small)?;
    let logs: Vec<f64> = (0..POINTS).map(|i| libm::log2(error(first << i))).collect();
    // Least squares with equally spaced logarithms of the step.
    let middle = 0.5 * (POINTS - 1) as f64;
    let [mut product, mut square] = [0.0; 2];
    for (i, log) in logs.iter().enumerate() {
        let x = i as f64 - middle;
        product -= x * log;
        square += x * x;
    }
    Some(product / square)
}
