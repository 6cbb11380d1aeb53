//! Checks of a hanging rope that is cut at the top: its lower end stays in place at first, while
//! its centre of mass falls.

use super::{
    Check,
    Tolerance::{Absolute, Relative},
    bodies::CheckBody,
    check::{CheckList, CheckSetups},
    formula::bisect,
    readings::find_rise,
};
use catena_sim::{
    Setup,
    body::{
        hanging::{LinkLaw, hanging_chain},
        shape::rope::Matter,
    },
    method::VelocityVerlet,
};
use std::{f64::consts::PI, sync::Arc};

/// Number of nodes of the rope.
const NODES: usize = 201;
/// Stiffness of a spring.
const STIFFNESS: f64 = 2e5;
/// Mass of a node.
const MASS: f64 = 0.01;
/// Acceleration of gravity.
const G: f64 = 10.0;
/// Time step.
const DT: f64 = 1e-5;
/// Minimum displacement of a falling end, as a share of the displacement in free fall.
const SHARE: f64 = 0.01;

pub(super) fn checks() -> Vec<Check> {
    let mut list = CheckList::new("cut rope");
    // The released top node is part of the rope's mass, though no spring holds it from above.
    let wait = (MASS * NODES as f64 / (STIFFNESS / (NODES - 1) as f64)).sqrt();
    let modes = Modes::new();
    let falls = bisect(0.5 * wait, 1.5 * wait, |t| modes.drop(t) - SHARE * 0.5 * G * t * t);
    list.set_reference("free chain of 201 nodes, from the hanging shape: modes cos(pπ(j+½)/N), ω_p = 2√(k/m) sin(pπ/2N)");
    list.add(
        "time when the lower end has fallen 1 % of a free fall",
        falls,
        Relative(1e-3),
        fall_start,
    );
    let t = 0.8 * wait;
    list.add(
        "fall of the lower end at 0.8 √(M/K), over a free fall",
        0.0,
        Absolute(1e-6),
        move |setups| Some(end_of(setups, t)?.0 / (0.5 * G * t * t)),
    );
    list.set_reference(
        "continuum: the lower end stays at rest until a wave arrives from above, t = √(M/K)",
    );
    list.add_information("time when the lower end begins to fall, and √(M/K)", wait, fall_start);
    list.set_reference("the centre of mass falls freely: -gt²/2");
    let t = (1.5 * wait / DT).floor() * DT;
    list.add(
        "fall of the centre of mass at 1.5 √(M/K)",
        -0.5 * G * t * t,
        Relative(1e-9),
        move |setups| Some(end_of(setups, t)?.1),
    );
    list.done()
}

/// Hanging rope, released.
fn cut() -> Option<Setup> {
    let body = CheckBody {
        matter: Matter::Nodes { mass: MASS, stiffness: STIFFNESS },
        gravity: G,
        method: Arc::new(VelocityVerlet::default()),
        frame_time: DT,
        substeps: 1,
        ..CheckBody::hanging(NODES, 4.0, STIFFNESS)
    };
    let mut setup = body.setup();
    setup.initial.x = hanging_chain(&setup.model, &setup.initial.x, &[0.0, -G], LinkLaw::Elastic)?;
    setup.model.pinned[0] = false;
    Some(setup)
}

/// Time at which the lower end begins to fall.
fn fall_start(setups: &CheckSetups<'_>) -> Option<f64> {
    let mut run = setups.start(cut()?);
    let start = run.state().x[2 * NODES - 1];
    find_rise(&mut run, |state| {
        start - state.x[2 * NODES - 1] - SHARE * 0.5 * G * state.t * state.t
    })
}

/// Fall of the lower end, and rise of the centre of mass, at a time.
fn end_of(setups: &CheckSetups<'_>, t: f64) -> Option<(f64, f64)> {
    let mut run = setups.start(cut()?);
    let centre = |x: &[f64]| x[NODES..].iter().sum::<f64>() / NODES as f64;
    let before = (run.state().x[2 * NODES - 1], centre(&run.state().x));
    (0..(t / DT).round() as u64).for_each(|_| run.step());
    let x = &run.state().x;
    Some((before.0 - x[2 * NODES - 1], centre(x) - before.1))
}

/// Modes of the free chain.
struct Modes {
    /// Angular frequency ω of each mode, and its amplitude at the lower end, downwards.
    modes: Vec<(f64, f64)>,
}

impl Modes {
    fn new() -> Self {
        let n = NODES as f64;
        // Displacement of each node of the hanging rope due to the weight.
        let mut sum = 0.0;
        let mut displacements = vec![0.0];
        for j in 1..NODES {
            sum += (NODES - j) as f64 * MASS * G / STIFFNESS;
            displacements.push(sum);
        }
        let shape = |p: usize, j: usize| libm::cos(p as f64 * PI * (j as f64 + 0.5) / n);
        let mode = |p: usize| {
            let amplitude: f64 =
                displacements.iter().enumerate().map(|(j, u)| u * shape(p, j)).sum();
            let omega = 2.0 * (STIFFNESS / MASS).sqrt() * libm::sin(0.5 * p as f64 * PI / n);
            (omega, 2.0 / n * amplitude * shape(p, NODES - 1))
        };
        Self { modes: (1..NODES).map(mode).collect() }
    }

    /// Fall of the lower end at a time.
    fn drop(&self, t: f64) -> f64 {
        let swing = |&(omega, amplitude): &(f64, f64)| amplitude * (libm::cos(omega * t) - 1.0);
        0.5 * G * t * t + self.modes.iter().map(swing).sum::<f64>()
    }
}
