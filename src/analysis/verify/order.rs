//! The order of each method: the slope of its global error over its step.

use super::Check;
use super::Tolerance::Absolute;
use super::bodies::Body;
use super::check::List;
use super::lab::Lab;
use super::methods::plain;
use super::recurrence::METHODS;
use super::watch::apart;
use crate::sim::{Method, Simulation, body::shape::rope::Matter, method::Rk4};
use std::sync::{Arc, OnceLock};

/// Steps with which the exact motion is found.
const EXACT: u64 = 20_000;
/// Steps are halved until the error is below this, by order: small enough for its leading term to rule, and far above
/// rounding.
const SMALL: [f64; 5] = [1e-3, 1e-6, 1e-8, 1e-9, 1e-9];
/// Points that the slope is fitted to.
const POINTS: usize = 3;

pub(super) fn checks() -> Vec<Check> {
    let mut list = List::new("order");
    list.reference("order of the global error of an elastic double pendulum at t = 1: the slope, fitted to three steps");
    for row in METHODS {
        let (name, order) = (row.name, row.order);
        list.add(format!("order of {name}"), f64::from(order), Absolute(0.1), move |lab| {
            slope(lab, &plain(name)?, SMALL[order as usize - 1])
        });
    }
    list.done()
}

/// Two masses on springs, let go from the horizontal.
pub(super) fn pendulum(method: Arc<dyn Method>, steps: u64) -> Body {
    Body {
        ends: [[0.0, 0.0], [1.0, 0.0]],
        matter: Matter::Nodes { mass: 0.5, stiffness: 40.0 },
        gravity: 10.0,
        method,
        ..Body::classroom(3, steps)
    }
}

/// Where it is at t = 1.
pub(super) fn exact() -> &'static [f64] {
    static POSITIONS: OnceLock<Vec<f64>> = OnceLock::new();
    POSITIONS.get_or_init(|| {
        let mut run = Simulation::new(Arc::new(pendulum(Arc::new(Rk4 {}), EXACT).setup()));
        run.advance_frame();
        run.state().x.clone()
    })
}

fn slope(lab: &Lab<'_>, method: &Arc<dyn Method>, small: f64) -> Option<f64> {
    let error = |steps: u64| {
        let mut run = lab.start(pendulum(Arc::clone(method), steps).setup());
        run.advance_frame();
        apart(&run.state().x, exact())
    };
    let first = (7..15).map(|power| 1_u64 << power).find(|&steps| error(steps) < small)?;
    let logs: Vec<f64> = (0..POINTS).map(|i| libm::log2(error(first << i))).collect();
    // Least squares over equal distances of the logarithm of the step.
    let middle = 0.5 * (POINTS - 1) as f64;
    let [mut product, mut square] = [0.0; 2];
    for (i, log) in logs.iter().enumerate() {
        let x = i as f64 - middle;
        product -= x * log;
        square += x * x;
    }
    Some(product / square)
}
