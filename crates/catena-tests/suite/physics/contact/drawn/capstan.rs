//! Euler's capstan: the tensions on both sides of a rope that slides over a disc have the ratio
//! e^{μθ}. This holds for a rope drawn over a fixed disc and for a disc that rotates below a fixed
//! rope.

use super::{Body, thick};
use catena::sim::{
    Collider, Simulation,
    contact::collider::{Moving, Sphere},
    drive::{
        curve::Linear,
        motion::Travel,
        rig::RotationTrack,
        track::{Animated, Key, KeyTrack},
    },
    force::applied::PointForce,
    method::ImplicitEuler,
};
use catena_sim::glam::DVec3;
use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

const RADIUS: f64 = 1.0;
const THICKNESS: f64 = 0.02;
const SPACING: f64 = 0.05;
const SPEED: f64 = 0.2;

/// The moving part.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Moves {
    Rope,
    Disc,
}

/// Ratio of the tensions on both sides of a disc with this wrap angle.
fn ratio(friction: f64, angle: f64, what: Moves) -> f64 {
    let around = RADIUS + 0.5 * THICKNESS;
    let (held, pulled) = (0.6, 0.4);
    let length = held + around * angle + pulled;
    let count = (length / SPACING) as usize + 1;
    let point = |i: usize| {
        let s = i as f64 * SPACING - held;
        // Clockwise from (0, around); slightly outside, where polygons touch the disc.
        let turn = (s / around).clamp(0.0, angle);
        let (sin, cos) = libm::sincos(turn);
        let out = around * (1.0 + 0.6 * (SPACING / around) * (SPACING / around));
        let straight = s - turn * around;
        [out * sin + straight * cos, out * cos - straight * sin, 0.0]
    };
    let points: Vec<_> = (0..count).map(point).collect();
    let mut body = Body::new(2);
    body.rope("", &points, false, (1e-4, 2000.0), thick(THICKNESS, 0.0, 0.0));
    body.model.pinned[count - 1] = true;
    let (last, direction) = (points[count - 1], sub_unit(points[count - 1], points[count - 2]));
    let far = if what == Moves::Rope { 2.0 * SPEED } else { 0.0 };
    let end = [last[0] + far * direction[0], last[1] + far * direction[1]];
    let curve = Linear { keys: vec![(0.0, [last[0], last[1]].into()), (2.0, end.into())] };
    let disc = Sphere { center: [0.0, 0.0].into(), radius: RADIUS, restitution: 0.0, friction };
    let force = PointForce { node: 0, force: [-1.0, 0.0].into(), from: 0.0, until: f64::INFINITY };
    let disc: Arc<dyn Collider> = match what {
        Moves::Rope => Arc::new(disc),
        Moves::Disc => {
            let keys = vec![Key::new(0.0, [0.0]), Key::new(10.0, [10.0 * SPEED / RADIUS])];
            let angle = KeyTrack::new(keys).unwrap();
            let turn = RotationTrack::about(DVec3::Z, Animated::moving(angle)).unwrap();
            Arc::new(Moving::new(disc, Travel { along: None, turn: Some(turn) }))
        }
    };
    let builder = body.setup().collider_of(disc).anchor(count - 1, curve).force(force);
    let builder = builder.method(ImplicitEuler::default()).drag(1e-5);
    let mut simulation = Simulation::new(builder.frames(1e-3, 1).build().unwrap());
    let tension = |simulation: &Simulation, spring: usize| {
        let spring = &simulation.setup().model.springs[spring];
        let length = simulation.setup().model.span(&simulation.state().x, spring).1;
        spring.stiffness * (length - spring.rest_length)
    };
    (0..700).for_each(|_| simulation.step());
    let (mut low, mut high) = (0.0, 0.0);
    for _ in 0..500 {
        simulation.step();
        low += tension(&simulation, 1);
        high += tension(&simulation, count - 2);
    }
    high / low
}

fn sub_unit(a: [f64; 3], b: [f64; 3]) -> [f64; 2] {
    let d = [a[0] - b[0], a[1] - b[1]];
    let size = (d[0] * d[0] + d[1] * d[1]).sqrt();
    [d[0] / size, d[1] / size]
}

#[test]
fn tensions_around_a_disc_grow_as_eulers() {
    // Four exponents, with the two motions in turn: each motion has each friction and each angle.
    // The nightly job has all combinations.
    for (row, friction) in [0.1, 0.4].into_iter().enumerate() {
        for (column, angle) in [FRAC_PI_2, PI].into_iter().enumerate() {
            let expected = libm::exp(friction * angle);
            for (number, what) in [Moves::Rope, Moves::Disc].into_iter().enumerate() {
                if (row + column + number) % 2 == 1 && !crate::is_thorough() {
                    continue;
                }
                let found = ratio(friction, angle, what);
                let off = found / expected - 1.0;
                assert!(off.abs() < 0.02, "{what:?}, {friction}, {angle}: {found}, not {expected}");
            }
        }
    }
}
