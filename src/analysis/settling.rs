//! When variants of a body come to rest, and the way of a node until then.

use super::settle::{Ending, RestRule, settle};
use crate::sim::{Outcome, Setup, Simulation, force::Drag};
use rayon::prelude::*;
use std::sync::Arc;

/// A variant, and how it ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variant {
    /// What was varied: substeps a frame, or c/m of the drag.
    pub value: f64,
    /// How it ended.
    pub ending: Ending,
}

/// The same body with other numbers of substeps.
pub fn over_substeps(setup: &Setup, rule: RestRule, substeps: &[u64]) -> Vec<Variant> {
    let run = |&substeps: &u64| {
        let variant = Setup { substeps, ..setup.clone() };
        Variant {
            value: substeps as f64,
            ending: settle(&Arc::new(variant), rule, &|_| true).ending,
        }
    };
    substeps.par_iter().map(run).collect()
}

/// The same body in media of other drag: all drag that it has is replaced by c/m = each of `rates`, per time. What the method damps by itself stays.
pub fn over_drag(setup: &Setup, rule: RestRule, rates: &[f64]) -> Vec<Variant> {
    let mass = setup.model.mass.iter().sum::<f64>() / setup.model.nodes() as f64;
    let run = |&rate: &f64| {
        let mut variant = setup.clone();
        variant.forces.retain(|force| force.resistance() == 0.0);
        let wind = vec![0.0; setup.model.axes];
        variant.forces.push(Arc::new(Drag { coefficient: rate * mass, wind }));
        Variant { value: rate, ending: settle(&Arc::new(variant), rule, &|_| true).ending }
    };
    rates.par_iter().map(run).collect()
}

/// A node in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Simulated time.
    pub t: f64,
    /// Where it is.
    pub x: [f64; 3],
    /// How fast it is.
    pub v: [f64; 3],
}

/// Where following a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Followed {
    /// After all frames.
    Whole,
    /// Before the frame that diverged.
    Diverged,
    /// Before the frame that would have taken more than the run may.
    Refused,
}

impl Followed {
    /// Where a run ends now; `None` where it goes on.
    pub fn end(run: &Simulation) -> Option<Self> {
        match run.outcome() {
            _ if run.refusal().is_some() => Some(Self::Refused),
            Outcome::Fine => None,
            Outcome::Diverged { .. } => Some(Self::Diverged),
        }
    }
}

/// The way of a node through so many frames, the initial state included, and where it ends.
pub fn way(setup: &Arc<Setup>, node: usize, frames: u64) -> (Vec<Moment>, Followed) {
    let n = setup.model.nodes();
    let mut run = Simulation::new(Arc::clone(setup));
    let mut way = Vec::new();
    for frame in 0..frames {
        if frame > 0 {
            run.advance_frame();
        }
        if let Some(end) = Followed::end(&run) {
            return (way, end);
        }
        let state = run.state();
        let moment = Moment { t: state.t, x: state.position(n, node), v: state.velocity(n, node) };
        way.push(moment);
    }
    (way, Followed::Whole)
}

/// The free node that is farthest from every pin along the springs; the last node where nothing is pinned.
pub fn tip(setup: &Setup) -> usize {
    let model = &setup.model;
    let n = model.nodes();
    let mut neighbours = vec![Vec::new(); n];
    for spring in model.structural() {
        neighbours[spring.a].push(spring.b);
        neighbours[spring.b].push(spring.a);
    }
    let mut order: Vec<usize> = (0..n).filter(|&i| model.pinned[i]).collect();
    let mut is_seen = model.pinned.clone();
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        for &other in &neighbours[node] {
            if !is_seen[other] {
                is_seen[other] = true;
                order.push(other);
            }
        }
        next += 1;
    }
    order.last().copied().unwrap_or(n - 1)
}
