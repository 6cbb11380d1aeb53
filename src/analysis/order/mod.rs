//! How fast a method's error falls with its step, and what that costs: work and precision on the scene's own body.
//!
//! All methods run the same body from its start for the same time T with T/128, T/256, … as their step. Their positions at T are
//! compared with those of a converged run. The order is the slope of log error over log dt, by least squares over the neighbouring steps
//! where it is straightest: short enough for the error to be a power of dt and long enough for it to be more than rounding.

mod count;

pub use count::{Counter, Evaluations};

use super::stability::predict::spectrum_at;
use crate::sim::{
    Method, Setup, Simulation,
    integrator::{METHODS, MethodInfo, with_defaults},
    ledger::Account,
    step_control::Fixed,
};
use rayon::prelude::*;
use std::sync::Arc;

/// ω_max T: a few periods of the highest mode, long enough for errors to show and short enough for them to stay a power of dt.
const RADIANS: f64 = 400.0;
/// The first and the last number of steps, as powers of two.
const POWERS: std::ops::RangeInclusive<u32> = 7..=15;
/// The reference is Runge-Kutta 4 with so many steps.
const REFERENCE: u64 = 1 << 17;
/// Where the error is a power of dt: ω_max dt at the most.
const ASYMPTOTIC: f64 = 1.0;
/// Errors below this, as a share of the body's length, are rounding.
const ROUNDING: f64 = 1e-12;
/// The least fall of log error from a step to half of it; a method of order 1 has log 2, which is 0.69.
const FALL: f64 = 0.5;
/// The order is fitted to so many neighbouring steps.
const FITTED: usize = 3;
/// A body may have so many springs.
const MOST_SPRINGS: usize = 2000;

/// One run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
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
    /// From the longest step to the shortest.
    pub points: Vec<Point>,
    /// The fitted order; `None` where fewer than three points can be used.
    pub slope: Option<f64>,
}

/// Errors of all methods that have an order.
#[derive(Clone, Debug)]
pub struct Orders {
    /// In the order of the table of methods.
    pub curves: Vec<Curve>,
    /// T.
    pub time: f64,
    /// How far the reference is from itself with half the steps, as a share of the body's length.
    pub reference_error: f64,
}

/// The same body without drag, springs' damping and factors: most methods take such forces at another time than the rest, which costs them their order.
pub fn undamped(setup: &Setup) -> Setup {
    let mut setup = setup.clone();
    setup.forces.retain(|force| force.account() != Account::Damping);
    Setup { velocity_factor: 1.0, position_factor: 1.0, ..setup }
}

/// Runs every method that has an order; `None` for a body that is too large, or that nothing pulls back.
pub fn orders(setup: &Setup) -> Option<Orders> {
    if setup.model.springs.len() > MOST_SPRINGS {
        return None;
    }
    let highest = spectrum_at(setup, &setup.initial, 1e-6);
    if !(highest.omega.is_finite() && highest.omega > 0.0) {
        return None;
    }
    let time = RADIANS / highest.omega;
    let reference = with_defaults("Rk4")?;
    let [half, exact] =
        [REFERENCE / 2, REFERENCE].map(|steps| run(setup, &reference, time, steps).0);
    let methods: Vec<(MethodInfo, Arc<dyn Method>)> = METHODS
        .iter()
        .filter(|info| info.order.is_some())
        .filter_map(|info| Some((*info, with_defaults(info.name)?)))
        .filter(|(_, method)| !method.chooses_steps())
        .collect();
    let curves = methods
        .par_iter()
        .map(|(info, method)| {
            let points: Vec<Point> = POWERS
                .map(|power| {
                    let steps = 1 << power;
                    let (x, work) = run(setup, method, time, steps);
                    Point { dt: time / steps as f64, error: distance(setup, &x, &exact), work }
                })
                .collect();
            let slope = slope(&points, ASYMPTOTIC / highest.omega);
            Curve { method: *info, points, slope }
        })
        .collect();
    Some(Orders { curves, time, reference_error: distance(setup, &half, &exact) })
}

/// Positions at the end, and what it cost to get there.
fn run(setup: &Setup, method: &Arc<dyn Method>, time: f64, steps: u64) -> (Vec<f64>, Evaluations) {
    let counter = Arc::new(Counter::default());
    let mut setup = Setup {
        method: Arc::clone(method),
        step_control: Arc::new(Fixed {}),
        frame_time: time,
        substeps: steps,
        strain_limit: f64::INFINITY,
        ..setup.clone()
    };
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

/// The slope of log error over log dt where it is straightest: there the error is a power of dt, and neither higher powers nor rounding show.
fn slope(points: &[Point], longest: f64) -> Option<f64> {
    let is_used = |point: &&Point| point.dt <= longest && (ROUNDING..0.1).contains(&point.error);
    let logs: Vec<[f64; 2]> = points
        .iter()
        .filter(is_used)
        .map(|point| [libm::log(point.dt), libm::log(point.error)])
        .collect();
    // Where a shorter step no longer makes the error much smaller, what is left of it is rounding.
    let falls = |part: &&[[f64; 2]]| part.windows(2).all(|pair| pair[0][1] - pair[1][1] > FALL);
    logs.windows(FITTED)
        .filter(falls)
        .map(line)
        .min_by(|a, b| a.missed.total_cmp(&b.missed))
        .map(|line| line.slope)
}

/// A line through points by least squares.
struct Line {
    slope: f64,
    /// The sum of squares of what it misses.
    missed: f64,
}

fn line(points: &[[f64; 2]]) -> Line {
    let count = points.len() as f64;
    let mean = [0, 1].map(|k| points.iter().map(|point| point[k]).sum::<f64>() / count);
    let [mut xx, mut xy, mut yy] = [0.0; 3];
    for point in points {
        let [x, y] = [point[0] - mean[0], point[1] - mean[1]];
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    Line { slope: xy / xx, missed: yy - xy * xy / xx }
}
