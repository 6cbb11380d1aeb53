//! Bodies at rest on every kind of collider and on each other, by contact of nodes or drawn
//! contact.

use super::super::{Body, thick};
use catena::sim::contact::SelfContact;
use catena::sim::contact::collider::{Box as Block, Capsule, Moving, Plane, Sphere, Surface};
use catena::sim::drive::curve::{Curve, Linear};
use catena::sim::drive::motion::{Motion, Travel};
use catena::sim::drive::rig::RotationTrack;
use catena::sim::drive::track::{Animated, Key, KeyTrack};
use catena::sim::force::applied::PointForce;
use catena::sim::named::{BadOption, Info};
use catena::sim::{Collider, Setup, SetupBuilder, State};
use catena_sim::glam::DVec3;
use std::sync::Arc;

/// Half the thickness of all ropes, and the distance between their nodes and colliders.
pub(super) const HALF: f64 = 0.01;
pub(super) const MASS: f64 = 0.002;
const STIFFNESS: f64 = 300.0;
const DOWN: [f64; 3] = [0.0, -9.81, 0.0];
/// Gravity on a slope of 30°.
const ASLANT: [f64; 3] = [4.905, -8.4957, 0.0];
/// Radius of balls and drums.
const RADIUS: f64 = 0.1;
/// Force that pulls a rope around a bollard.
const PULL: f64 = 0.2;
/// Tension of a rope with held ends.
const HELD: f64 = 0.09;

/// Time until which colliders move: more than 10,000 frames.
const END: f64 = 200.0;

/// Shapes of a body that touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Of {
    Nodes,
    Drawn,
}

/// A body at rest relative to colliders that may move.
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) of: Of,
    pub(super) setup: SetupBuilder,
    /// The motion relative to which the body is at rest.
    pub(super) reference: Travel,
    pub(super) moves: bool,
}

/// Ropes in their rest positions, for either kind of contact.
struct Ropes {
    axes: usize,
    lines: Vec<Vec<[f64; 3]>>,
    /// Initial tensions of springs; 0 for springs that are not listed.
    tensions: Vec<f64>,
    friction: f64,
    pins: Vec<usize>,
}

impl Ropes {
    fn lying(axes: usize, heights: &[f64]) -> Self {
        let line = |(k, y): (usize, &f64)| line(12 - k, 0.17 - 0.02 * k as f64, *y);
        let lines = heights.iter().enumerate().map(line).collect();
        Self { axes, lines, tensions: Vec::new(), friction: 0.8, pins: Vec::new() }
    }

    fn through(points: Vec<[f64; 3]>) -> Self {
        Self { axes: 2, lines: vec![points], tensions: Vec::new(), friction: 0.8, pins: Vec::new() }
    }

    fn setup(&self, of: Of) -> SetupBuilder {
        let mut body = Body::new(self.axes);
        for points in &self.lines {
            let touch = thick(2.0 * HALF, 0.0, self.friction);
            body.rope("", points, false, (MASS, STIFFNESS), touch);
        }
        for (spring, tension) in body.model.springs.iter_mut().zip(&self.tensions) {
            spring.rest_length -= tension / STIFFNESS;
        }
        self.pins.iter().for_each(|pin| body.model.pinned[*pin] = true);
        let drawn = body.setup().spring_damping(0.1);
        if of == Of::Drawn {
            return drawn;
        }
        let axis = |k: usize| body.points.iter().map(move |point| point[k]);
        let initial = State::at_rest((0..self.axes).flat_map(axis).collect());
        let nodes = Setup::of_body(body.model.clone(), initial).spring_damping(0.1).radius(HALF);
        if self.lines.len() == 1 {
            return nodes;
        }
        let surface = Surface { restitution: 0.0, friction: self.friction };
        nodes.self_contact(SelfContact { thickness: 2.0 * HALF, surface })
    }
}

fn line(count: usize, half_length: f64, y: f64) -> Vec<[f64; 3]> {
    let x = |i: usize| half_length * (2.0 * i as f64 / (count - 1) as f64 - 1.0);
    (0..count).map(|i| [x(i), y, 0.0]).collect()
}

/// Points of a rope on a disc around the origin between two angles. The rope touches the disc with
/// its nodes or with the middles of its segments.
fn around(of: Of, count: usize, [from, to]: [f64; 2]) -> Vec<[f64; 3]> {
    let step = (to - from) / (count - 1) as f64;
    let radius = match of {
        Of::Nodes => RADIUS + HALF,
        Of::Drawn => (RADIUS + HALF) / libm::cos(0.5 * step),
    };
    (0..count).map(|i| on_circle(radius, from + i as f64 * step)).collect()
}

fn on_circle(radius: f64, angle: f64) -> [f64; 3] {
    let (s, c) = libm::sincos(angle);
    [radius * c, radius * s, 0.0]
}

fn plane(y: f64) -> Plane {
    Plane { point: [0.0, y].into(), normal: [0.0, 1.0].into(), restitution: 0.0, friction: 1.2 }
}

fn ball(x: f64) -> Sphere {
    Sphere { center: [x, 0.0].into(), radius: RADIUS, restitution: 0.0, friction: 0.8 }
}

fn block(axes: usize) -> Block {
    let (center, size) = match axes {
        2 => ([0.0, 0.0].into(), [0.4, 2.0 * RADIUS].into()),
        _ => ([0.0; 3].into(), [0.4, 2.0 * RADIUS, 0.3].into()),
    };
    Block { center, size, along: None, up: None, restitution: 0.0, friction: 0.8 }
}

fn capsule() -> Capsule {
    let (a, b) = ([-0.2, 0.0].into(), [0.2, 0.0].into());
    Capsule { a, b, radius: RADIUS, restitution: 0.0, friction: 0.8 }
}

/// A uniform motion of a frame.
fn steady(axes: usize, [x, y, z]: [f64; 3], spin: [f64; 3]) -> Travel {
    let at = |t: f64| if axes == 2 { [t * x, t * y].into() } else { [t * x, t * y, t * z].into() };
    let along = Linear { keys: vec![(-END, at(-END)), (END, at(END))] };
    let rate = DVec3::from_array(spin).length();
    let turn = (rate > 0.0).then(|| {
        let key = |t: f64| Key::new(t, [t * rate]);
        let angle = Animated::moving(KeyTrack::new(vec![key(-END), key(END)]).unwrap());
        RotationTrack::about(DVec3::from_array(spin), angle).unwrap()
    });
    Travel { along: Some(Arc::new(along)), turn }
}

/// A point that moves with a frame.
#[derive(Debug)]
struct Carried(Travel, [f64; 3]);
catena_sim::identity!(Carried(travel, place));

impl Curve for Carried {
    fn info(&self) -> Info {
        Info { name: "Carried", summary: "", options: &[] }
    }

    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    fn fits(&self, _axes: usize, _nodes: usize) -> Result<(), BadOption> {
        Ok(())
    }

    fn at(&self, t: f64) -> ([f64; 3], [f64; 3]) {
        let placement = self.0.at(t);
        let point = placement.point(self.1);
        (point, placement.velocity_at(point))
    }

    fn places(&self) -> Vec<(f64, [f64; 3])> {
        vec![(-1e6, self.at(0.0).0), (1e6, self.at(0.0).0)]
    }
}

fn on(name: &'static str, of: Of, ropes: &Ropes, gravity: [f64; 3]) -> Case {
    let setup = ropes.setup(of).gravity(gravity[..ropes.axes].to_vec());
    Case { name, of, setup, reference: Travel::default(), moves: false }
}

impl Case {
    fn of(mut self, collider: impl Collider + 'static) -> Self {
        self.setup = self.setup.collider(collider);
        self
    }

    /// Moves the collider and the whole body along, from the start.
    fn carried(mut self, ropes: &Ropes, collider: impl Collider + 'static, travel: Travel) -> Self {
        let placement = travel.at(0.0);
        let points = ropes.lines.concat();
        for (node, point) in points.iter().enumerate() {
            let velocity = placement.velocity_at(*point);
            self.setup = self.setup.velocity(node, velocity[..ropes.axes].to_vec());
        }
        for pin in &ropes.pins {
            self.setup = self.setup.anchor(*pin, Carried(travel.clone(), points[*pin]));
        }
        self.setup = self.setup.collider(Moving::new(collider, travel.clone()));
        Self { reference: travel, moves: true, ..self }
    }
}

/// A rope around a bollard, with one end pinned and the other pulled tangentially and inwards. The
/// inward force balances half of the contact force on the last segment.
fn loaded_bollard(of: Of, holds_lengths: bool) -> Case {
    let [from, to] = [0.3, 2.5];
    let mut ropes = Ropes { pins: vec![0], ..Ropes::through(around(of, 9, [from, to])) };
    if !holds_lengths {
        ropes.tensions = vec![PULL; 8];
    }
    let [a, b] = [ropes.lines[0][7], ropes.lines[0][8]];
    let side = [b[0] - a[0], b[1] - a[1]];
    let size = (side[0] * side[0] + side[1] * side[1]).sqrt();
    let pull = side.map(|value| PULL * value / size);
    // Nodes need a force that presses them onto the collider.
    let inwards = libm::tan(0.5 * (to - from) / 8.0);
    let force = [pull[0] - inwards * pull[1], pull[1] + inwards * pull[0]].into();
    let mut case = on("loaded bollard", of, &ropes, [0.0; 3]).of(ball(0.0));
    let force = PointForce { node: 8, force, from: 0.0, until: f64::INFINITY };
    case.setup = case.setup.force(force);
    case
}

/// All cases, for methods with rigid or with elastic lengths.
pub(super) fn all(holds_lengths: bool) -> Vec<Case> {
    [Of::Nodes, Of::Drawn].into_iter().flat_map(|of| cases(of, holds_lengths)).collect()
}

fn cases(of: Of, holds_lengths: bool) -> Vec<Case> {
    let top = RADIUS + HALF;
    let (flat, high) = (Ropes::lying(2, &[HALF]), Ropes::lying(2, &[top]));
    let space = Ropes::lying(3, &[top]);
    let mut ropes = Ropes::lying(2, &[HALF, 3.0 * HALF]);
    if of == Of::Nodes {
        // Nodes on nodes.
        ropes.lines[1] = line(12, 0.17, 3.0 * HALF);
    }
    // Each node on a ball is on its own slope; a segment touches two balls.
    let ball_case = match of {
        Of::Nodes => on("ball", of, &Ropes::through(around(of, 5, [1.2, 1.9])), DOWN).of(ball(0.0)),
        Of::Drawn => on("ball", of, &Ropes::through(line(2, 0.17, top)), ASLANT)
            .of(ball(-0.13))
            .of(ball(0.13)),
    };
    let held = Ropes {
        tensions: vec![HELD; 8],
        pins: vec![0, 8],
        ..Ropes::through(around(of, 9, [0.3, 2.5]))
    };
    let travel = steady(2, [0.25, 0.125, 0.0], [0.0; 3]);
    let turning = steady(3, [0.0; 3], [0.0, 1.0, 0.0]);
    let drum = steady(2, [0.0; 3], [0.0, 0.0, 1.0]);
    vec![
        on("slope", of, &flat, ASLANT).of(plane(0.0)),
        ball_case,
        on("capsule", of, &high, ASLANT).of(capsule()),
        on("box", of, &high, ASLANT).of(block(2)),
        on("box in space", of, &space, DOWN).of(block(3)),
        on("ropes", of, &ropes, DOWN).of(plane(0.0)),
        loaded_bollard(of, holds_lengths),
        on("held bollard", of, &held, [0.0; 3]).of(ball(0.0)),
        on("moving box", of, &high, DOWN).carried(&high, block(2), travel),
        on("turning table", of, &space, DOWN).carried(&space, block(3), turning),
        on("turning drum", of, &held, [0.0; 3]).carried(&held, ball(0.0), drum),
    ]
}
