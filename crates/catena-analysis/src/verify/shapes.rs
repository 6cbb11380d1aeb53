//! Checks of ropes that start in a shape: hanging, loaded, rotating as a ring, as a double
//! pendulum.

use super::{
    Check,
    Tolerance::{Absolute, AtMost, Relative},
    bodies::{CheckBody, bare},
    check::{CheckList, CheckSetups},
    readings::{advance_frames, measure_frequency},
};
use catena_sim::{
    Rope, Setup,
    body::{
        hanging::LinkLaw,
        motion::spin,
        shape::{
            Profile, ShapedRope, Topology,
            path::{Hanging, Ring},
        },
    },
    force::{Gravity, SpringCoefficient, SpringDamping},
    method::{Shake, VelocityVerlet},
    vector::{norm, sub},
};
use std::sync::Arc;

/// Acceleration of gravity, in m/s².
const G: f64 = 9.81;
/// Length of a link of the double pendulum.
const LINK: f64 = 0.5;
/// Weight in the middle of a light rope.
const WEIGHT: f64 = 2.0 * G;
/// Number of nodes of the ring, and its angular velocity.
const RING: (usize, f64) = (64, 3.0);
/// Mass per node of the ring.
const RING_MASS: f64 = 0.03;

pub(super) fn checks() -> Vec<Check> {
    let mut list = CheckList::new("shapes");
    list.set_reference("the catenary of a rope of 1.5 over a span of 1: sag a (cosh(1/2a) - 1), 1.5 = 2a sinh(1/2a)");
    list.add("sag of 2000 hanging rigid links", 0.502_633_3, Absolute(1e-6), |setups| {
        let rope = slack(2001, 1.0 / 2000.0, 1e12).hanging_by([0.0, -G], LinkLaw::Rigid);
        let shape = setups.ready(hung(&rope)?).hanging_chain(LinkLaw::Rigid)?;
        Some(-shape[2001 + 1000])
    });
    list.set_reference("a rope that starts in equilibrium does not move");
    list.add(
        "displacement of a hanging rope in 200 frames over its length",
        1e-9,
        AtMost,
        |setups| {
            let rope = slack(17, 0.1, 2000.0).hanging_by([0.0, -G], LinkLaw::Elastic);
            let setup = hung(&rope)?;
            let start = setup.initial.clone();
            let mut run = setups.start(setup);
            advance_frames(&mut run, 200);
            let distance = |i: usize| norm(sub(run.state().position(17, i), start.position(17, i)));
            Some((0..17).map(distance).fold(0.0, f64::max) / 1.5)
        },
    );
    list.set_reference(
        "a weight W in the middle of a light rope: tension W/(2 sin θ) in both halves (Stevin)",
    );
    list.add("tension next to a weight over W/(2 sin θ)", 1.0, Relative(1e-6), weighed);
    list.set_reference(
        "a ring of line density λ that rotates at speed v has the tension λv² (Routh)",
    );
    list.add("tension of a ring over λv²", 1.0, Relative(1e-3), turning);
    list.set_reference(
        "double pendulum of equal links and masses: ω² = (2 ± √2) g/l (Euler, Bernoulli)",
    );
    for (name, sign) in [("slow", -1.0), ("fast", 1.0)] {
        let expected = ((2.0 + sign * 2.0_f64.sqrt()) * G / LINK).sqrt();
        list.add(
            format!("{name} swing of a double pendulum"),
            expected,
            Relative(1e-6),
            move |setups| double_pendulum(setups, sign),
        );
    }
    list.done()
}

/// Rope of length 1.5 between two supports at distance 1.
fn slack(nodes: usize, mass: f64, stiffness: f64) -> ShapedRope {
    let rope = Rope::new([0.0, 0.0], [1.0, 0.0], nodes).of(mass, stiffness);
    rope.pin(0).pin(nodes - 1).shaped(Hanging {}).length(1.5)
}

/// Setup of a hanging rope.
fn hung(rope: &ShapedRope) -> Option<Setup> {
    let (model, initial) = rope.build().ok()?;
    let mut setup = bare(model, initial, Arc::new(VelocityVerlet::default()), 0.016);
    setup.substeps = 64;
    setup.forces.push(Arc::new(Gravity { acceleration: vec![0.0, -G] }));
    Some(setup)
}

fn weighed(setups: &CheckSetups<'_>) -> Option<f64> {
    let profile = Profile { weights: vec![(50, WEIGHT / G)], ..Profile::default() };
    let rope = slack(101, 1e-10, 1e6).profile(profile);
    let setup = setups.ready(hung(&rope.hanging_by([0.0, -G], LinkLaw::Elastic))?);
    let (model, x) = (&setup.model, &setup.initial.x);
    let (d, length) = model.span(x, &model.springs[20]);
    let tension = model.springs[20].stiffness * (length - model.springs[20].rest_length);
    Some(tension * 2.0 * (d[1].abs() / length) / WEIGHT)
}

/// Rotates a ring until its springs balance the rotation. Returns the mean of T/(λ v²): tension
/// over line density and squared speed.
fn turning(setups: &CheckSetups<'_>) -> Option<f64> {
    let (nodes, rate) = RING;
    let ring = Rope::new([-1.0, 0.0], [1.0, 0.0], nodes).of(RING_MASS, 1000.0);
    let (model, mut initial) = ring.shaped(Ring { toward: None }).build().ok()?;
    spin(&model, &mut initial, [0.0, 0.0, rate], [0.0; 3]);
    let mut setup = bare(model, initial, Arc::new(VelocityVerlet::default()), 0.01);
    setup.substeps = 64;
    // Friction in the springs damps all motion but the rotation.
    setup
        .forces
        .push(Arc::new(SpringDamping { coefficient: SpringCoefficient::new(30.0, &setup.model) }));
    let mut run = setups.start(setup);
    advance_frames(&mut run, 300);
    let (model, state) = (&run.setup().model, run.state());
    let each = |j: usize| {
        let spring = &model.springs[j];
        let length = model.span(&state.x, spring).1;
        let speed = norm(state.velocity(nodes, j));
        // λ is the mass of a node divided by the length of a segment.
        spring.stiffness * (length - spring.rest_length) / (RING_MASS / length * speed * speed)
    };
    Some((0..nodes).map(each).sum::<f64>() / nodes as f64)
}

/// Frequency of small oscillations in one of the two modes. The lower link's amplitude is √2 times
/// the upper link's amplitude. In the slow mode both swing to the same side.
fn double_pendulum(setups: &CheckSetups<'_>, sign: f64) -> Option<f64> {
    let body = CheckBody {
        gravity: G,
        method: Arc::new(Shake { tolerance: 1e-13, ..Shake::default() }),
        frame_time: 0.000_25,
        substeps: 1,
        ..CheckBody::hanging(3, 2.0 * LINK, 1.0)
    };
    let mut setup = body.setup();
    let x = &mut setup.initial.x;
    let wide = 1e-5 * LINK;
    for (i, across) in [(1, wide), (2, -sign * 2.0_f64.sqrt() * wide)] {
        x[i] = x[i - 1] + across;
        x[3 + i] = x[2 + i] - (LINK * LINK - across * across).sqrt();
    }
    measure_frequency(&mut setups.start(setup), 4, |state| state.x[1])
}
