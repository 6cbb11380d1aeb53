//! Checks of contact between drawn bodies: a rope around a disc, a chain over an edge, a chain over
//! a peg, a chain onto the ground.

use super::{
    Check,
    Tolerance::Relative,
    check::{CheckList, CheckSetups},
};
use catena_sim::{
    Model, Setup, SetupBuilder, Spring, State,
    contact::{
        DrawnContact, PartContact,
        collider::{Capsule, Plane, Sphere, Surface},
    },
    drive::curve::Linear,
    force::applied::PointForce,
    method::{ImplicitEuler, SemiImplicitEuler},
};
use std::f64::consts::{FRAC_PI_2, PI};

/// Acceleration of gravity.
const G: f64 = 10.0;

pub(super) fn checks() -> Vec<Check> {
    let mut list = CheckList::new("contact");
    list.set_reference("capstan: tensions on both sides of a rope that slides around a disc have the ratio e^(μθ) (Euler, Eytelwein)");
    for (friction, angle, name) in [(0.1, FRAC_PI_2, "π/2"), (0.4, PI, "π")] {
        list.add(
            format!("ratio of tensions, μ = {friction}, θ = {name}"),
            libm::exp(friction * angle),
            Relative(0.02),
            move |setups| capstan(setups, friction, angle),
        );
    }
    list.set_reference("chain over an edge without friction: x = x₀ cosh(√(g/L) t), with the height x of one end above the other");
    let expected = libm::acosh(HALF / EDGE_START) / G.sqrt();
    list.add(
        "time until the ends differ in height by half, 50 links",
        expected,
        Relative(1e-3),
        slide,
    );
    list.set_reference("chain over a peg without friction: x = x₀ cosh(√(2g/L) t)");
    let growth = libm::cosh((2.0 * G).sqrt() * PEG_TIME);
    list.add("growth of the height between the ends over a peg", growth, Relative(2e-3), peg);
    list.set_reference("chain that falls onto the ground: the force on the ground is three times the weight that has landed");
    list.add("mean force on the ground over the weight that has landed", 3.0, Relative(0.05), fall);
    list.done()
}

/// Planar chain through the given points, at rest, with half the mass at each end.
fn chain(points: &[[f64; 2]], mass: f64, stiffness: f64) -> (Model, State) {
    let count = points.len();
    let rest_length = |i: usize| {
        let [d, e] = [0, 1].map(|k| points[i + 1][k] - points[i][k]);
        (d * d + e * e).sqrt()
    };
    let spring = |i: usize| Spring { a: i, b: i + 1, stiffness, rest_length: rest_length(i) };
    let mut masses = vec![mass; count];
    [0, count - 1].iter().for_each(|&end| masses[end] *= 0.5);
    let model = Model {
        axes: 2,
        mass: masses,
        pinned: vec![false; count],
        springs: (0..count - 1).map(spring).collect(),
        structural: count - 1,
        held: count - 1,
        ..Model::default()
    };
    let axis = |k: usize| points.iter().map(move |point| point[k]);
    (model, State::at_rest(axis(0).chain(axis(1)).collect()))
}

/// Adds contact with this thickness and no friction.
fn touching(builder: SetupBuilder, thickness: f64) -> SetupBuilder {
    let surface = Surface { restitution: 0.0, friction: 0.0 };
    builder.drawn_contact(DrawnContact { parts: vec![PartContact { thickness, surface }] })
}

/// Points at equal spacing along a straight line that wraps around a circle by an angle and then
/// continues straight. The circle is centred at the origin. The path starts `before` ahead of the
/// circle's highest point, where the arc begins.
pub(super) fn around(
    spacing: f64,
    count: usize,
    radius: f64,
    angle: f64,
    before: f64,
) -> impl Iterator<Item = [f64; 2]> {
    // Edges touch the circle, so nodes are slightly outside it.
    let out = radius / libm::cos(0.5 * spacing / radius);
    (0..count).map(move |i| {
        let s = i as f64 * spacing - before;
        let turn = (s / radius).clamp(0.0, angle);
        let (sin, cos) = libm::sincos(turn);
        let rest = s - turn * radius;
        [out * sin + rest * cos, out * cos - rest * sin]
    })
}

/// Ratio of tensions on the two sides of a disc around which a rope slides.
fn capstan(setups: &CheckSetups<'_>, friction: f64, angle: f64) -> Option<f64> {
    let (thickness, spacing, before, speed) = (0.02, 0.05, 0.6, 0.2);
    let radius = 1.0 + 0.5 * thickness;
    let count = ((before + radius * angle + 0.4) / spacing) as usize + 1;
    let points: Vec<_> = around(spacing, count, radius, angle, before).collect();
    let (mut model, initial) = chain(&points, 1e-4, 2000.0);
    let end = count - 1;
    model.pinned[end] = true;
    let springs = [model.springs[1], model.springs[end - 1]];
    let (sin, cos) = libm::sincos(angle);
    let last = points[end];
    let far = [last[0] + 2.0 * speed * cos, last[1] - 2.0 * speed * sin];
    let force = PointForce { node: 0, force: [-1.0, 0.0].into(), from: 0.0, until: f64::INFINITY };
    let disc = Sphere { center: [0.0, 0.0].into(), radius: 1.0, restitution: 0.0, friction };
    let builder = touching(Setup::of_body(model, initial), thickness)
        .collider(disc)
        .anchor(end, Linear { keys: vec![(0.0, last.into()), (2.0, far.into())] })
        .force(force)
        .drag(1e-5)
        .method(ImplicitEuler::default())
        .frames(1e-3, 1);
    let mut run = setups.start(builder.build().ok()?);
    let mut sums = [0.0; 2];
    for step in 0..1200 {
        run.step();
        if step >= 700 {
            for (sum, spring) in sums.iter_mut().zip(&springs) {
                let length = run.setup().model.span(&run.state().x, spring).1;
                *sum += spring.stiffness * (length - spring.rest_length);
            }
        }
    }
    Some(sums[1] / sums[0])
}

/// Initial height difference of the two ends of the chain, as a share of its length.
const EDGE_START: f64 = EDGE_HANGS - EDGE_RADIUS * (FRAC_PI_2 - 1.0);
/// Height difference of the two ends at the end of the check, as a share of the length. At a sharp
/// edge, half of the chain would then hang.
const HALF: f64 = 0.5;
/// Initial length of chain beyond the highest point of the edge, as a share of the whole length.
const EDGE_HANGS: f64 = 0.36;
/// Radius of the edge plus half the thickness of the chain, as a share of the chain's length.
const EDGE_RADIUS: f64 = 0.201;

/// Time until the ends of a chain that slides over the rounded edge of a table differ in height by
/// [`HALF`].
fn slide(setups: &CheckSetups<'_>) -> Option<f64> {
    let (count, thickness, radius) = (51, 0.002, 0.2);
    let spacing = 1.0 / (count as f64 - 1.0);
    let points: Vec<_> = around(spacing, count, EDGE_RADIUS, FRAC_PI_2, 1.0 - EDGE_HANGS).collect();
    let (model, initial) = chain(&points, spacing, 1e6);
    let table = Capsule {
        a: [-3.0, 0.0].into(),
        b: [0.0, 0.0].into(),
        radius,
        restitution: 0.0,
        friction: 0.0,
    };
    let builder = touching(Setup::of_body(model, initial), thickness)
        .collider(table)
        .gravity([0.0, -G])
        .spring_damping(1.0)
        .method(SemiImplicitEuler {})
        .frames(1e-4, 1);
    let mut run = setups.start(builder.build().ok()?);
    super::readings::find_rise(&mut run, |state| state.x[count] - state.x[2 * count - 1] - HALF)
}

/// Time in which the chain slides over the peg.
const PEG_TIME: f64 = 0.4;

/// Ratio of the heights of one end above the other, after and before a chain of length 1 slides
/// over a peg for [`PEG_TIME`].
fn peg(setups: &CheckSetups<'_>) -> Option<f64> {
    let (count, thickness, radius, dt) = (31, 0.002, 0.1, 1e-4);
    let (spacing, outer) = (1.0 / (count as f64 - 1.0), radius + 0.5 * thickness);
    // The chain starts on the left of the peg. One end hangs 0.1 below the other.
    let before = 0.5 * (1.0 - PI * outer - 0.1);
    let turned = around(spacing, count, outer, PI, before).map(|[x, y]| [-y, x]);
    let points: Vec<_> = turned.collect();
    let (model, initial) = chain(&points, spacing, 1e6);
    let disc = Sphere { center: [0.0, 0.0].into(), radius, restitution: 0.0, friction: 0.0 };
    let builder = touching(Setup::of_body(model, initial), thickness)
        .collider(disc)
        .gravity([0.0, -G])
        .spring_damping(1.0)
        .method(SemiImplicitEuler {})
        .frames(dt, 1);
    let mut run = setups.start(builder.build().ok()?);
    let height = |state: &State| state.x[count] - state.x[2 * count - 1];
    let start = height(run.state());
    super::readings::advance_frames(&mut run, (PEG_TIME / dt).round() as u64);
    Some(height(run.state()) / start)
}

/// Force on the ground of a chain that falls onto it, relative to the weight that has landed.
fn fall(setups: &CheckSetups<'_>) -> Option<f64> {
    let (count, thickness, dt) = (101, 2e-4, 1e-4);
    let spacing = 1.0 / (count as f64 - 1.0);
    // Alternate links lean to opposite sides, so that the chain folds as it lands. Its weak links
    // exert almost no force.
    let point = |i: usize| [1e-3 * (i % 2) as f64, 0.5 * thickness + spacing * i as f64];
    let points: Vec<_> = (0..count).map(point).collect();
    let (model, initial) = chain(&points, spacing, 1e-3);
    let ground = Plane {
        point: [0.0, 0.0].into(),
        normal: [0.0, 1.0].into(),
        restitution: 0.0,
        friction: 0.0,
    };
    let builder = touching(Setup::of_body(model, initial), thickness)
        .collider(ground)
        .gravity([0.0, -G])
        .method(SemiImplicitEuler {})
        .frames(dt, 1);
    let mut run = setups.start(builder.build().ok()?);
    let end = 0.9 * (2.0 / G).sqrt();
    let (mut push, mut lies) = (0.0, 0.0);
    while run.state().t < end {
        run.step();
        let t = run.state().t;
        if t > 0.2 * end {
            push -= run.contact_impulses().on_colliders.first().map_or(0.0, |sum| sum[1]);
            lies += 0.5 * G * t * t * G * dt;
        }
    }
    Some(push / lies)
}
