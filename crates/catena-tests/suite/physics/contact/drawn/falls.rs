//! Falling chains: over the edge of a table, and onto the ground.

use super::{Body, thick};
use catena::sim::{
    Simulation,
    contact::collider::{Capsule, Plane},
    method::SemiImplicitEuler,
};
use std::f64::consts::FRAC_PI_2;

#[test]
fn a_chain_slides_off_a_table_as_cosh() {
    // A chain on any guide without friction: with x the height of the flat end above the hanging
    // one, x'' = g x/L for any shape in between. The rounded edge of the table is the guide, and
    // the chain presses on it until half of it hangs.
    let (length, count, radius, thickness) = (1.0, 71, 0.2, 0.002);
    let around = radius + 0.5 * thickness;
    let spacing = length / (count as f64 - 1.0);
    // The polygon is circumscribed around the circle.
    let out = around / libm::cos(0.5 * spacing / around);
    let hangs = 0.36;
    let point = |i: usize| {
        let s = i as f64 * spacing - (length - hangs);
        let turn = (s / around).clamp(0.0, FRAC_PI_2);
        let (sin, cos) = libm::sincos(turn);
        let rest = s - turn * around;
        [out * sin + rest * cos, out * cos - radius - rest * sin, 0.0]
    };
    let points: Vec<_> = (0..count).map(point).collect();
    let mut body = Body::new(2);
    // Each end has half a link, so that the sum over nodes equals the integral.
    body.rope("", &points, false, (spacing, 1.4e6), thick(thickness, 0.0, 0.0));
    [0, count - 1].iter().for_each(|&end| body.model.mass[end] *= 0.5);
    let table = Capsule {
        a: [-3.0, -radius].into(),
        b: [0.0, -radius].into(),
        radius,
        restitution: 0.0,
        friction: 0.0,
    };
    let (g, dt) = (10.0, 7e-5);
    let builder = body.setup().gravity([0.0, -g]).collider(table).spring_damping(1.4);
    let mut simulation =
        Simulation::new(builder.method(SemiImplicitEuler {}).frames(dt, 1).build().unwrap());
    let height = |s: &Simulation| s.position(0).unwrap()[1] - s.position(count - 1).unwrap()[1];
    let begun = height(&simulation);
    let rate = (g / length).sqrt();
    let mut worst: f64 = 0.0;
    while height(&simulation) < 0.5 * length {
        simulation.step();
        let expected = begun * libm::cosh(rate * simulation.state().t);
        worst = worst.max((height(&simulation) / expected - 1.0).abs());
    }
    assert!(worst < 1e-3, "{worst}");
}

#[test]
fn a_falling_chain_presses_three_times_its_weight() {
    let (length, count, thickness) = (1.0, 101, 2e-4);
    let spacing = length / (count as f64 - 1.0);
    // Links lean alternately to both sides, so that the chain folds as it lands.
    let point = |i: usize| [1e-3 * (i % 2) as f64, 0.5 * thickness + spacing * i as f64, 0.0];
    let points: Vec<_> = (0..count).map(point).collect();
    let mut body = Body::new(2);
    // Links do not push: the chain falls freely until it lands.
    body.rope("", &points, false, (spacing, 1e-3), thick(thickness, 0.0, 0.0));
    [0, count - 1].iter().for_each(|&end| body.model.mass[end] *= 0.5);
    let ground = Plane {
        point: [0.0, 0.0].into(),
        normal: [0.0, 1.0].into(),
        restitution: 0.0,
        friction: 0.0,
    };
    let (g, dt) = (10.0, 1e-4);
    let builder = body.setup().gravity([0.0, -g]).collider(ground);
    let mut simulation =
        Simulation::new(builder.method(SemiImplicitEuler {}).frames(dt, 1).build().unwrap());
    let (mut felt, mut expected) = (0.0, 0.0);
    let end = 0.9 * (2.0 * length / g).sqrt();
    while simulation.state().t < end {
        simulation.step();
        let t = simulation.state().t;
        if t > 0.2 * end {
            let forces = simulation.contact_impulses();
            felt -= forces.on_colliders.first().map_or(0.0, |impulse| impulse[1]);
            expected += 3.0 * (0.5 * g * t * t / length) * g * dt;
        }
    }
    assert!((felt / expected - 1.0).abs() < 0.05, "{}", felt / expected);
}

#[test]
fn a_plane_holds_wherever_it_lies() {
    // A rope that falls onto a slope, and the same rope far from the scene's origin.
    let fallen = |offset: [f64; 2]| {
        let points: Vec<_> =
            (0..9).map(|i| [0.125 * f64::from(i) + offset[0], 0.75 + offset[1], 0.0]).collect();
        let mut body = Body::new(2);
        body.rope("", &points, false, (0.0625, 500.0), thick(0.0625, 0.0, 0.5));
        let plane = Plane {
            point: offset.into(),
            normal: [0.25, 1.0].into(),
            restitution: 0.0,
            friction: 0.5,
        };
        let builder = body.setup().gravity([0.0, -8.0]).collider(plane).spring_damping(0.5);
        let mut run = Simulation::new(builder.frames(1.0 / 64.0, 16).build().unwrap());
        (0..1200).for_each(|_| run.step());
        assert!(!run.contact_impulses().is_empty());
        let place = |node| run.position(node).unwrap();
        (0..9).map(|i| [place(i)[0] - offset[0], place(i)[1] - offset[1]]).collect::<Vec<_>>()
    };
    let expected = fallen([0.0; 2]);
    for offset in [[0.0, 150.0], [0.0, -3.0], [-40.0, 8.0], [5.0, 5.0]] {
        for (found, expected) in fallen(offset).into_iter().zip(&expected) {
            let off = (found[0] - expected[0]).abs().max((found[1] - expected[1]).abs());
            assert!(off < 1e-8, "{offset:?}: {found:?}, not {expected:?}");
            let height = (found[0] * 0.25 + found[1]) / 1.0625_f64.sqrt();
            assert!((0.99 * 0.03125..0.2).contains(&height), "{offset:?}: {height}");
        }
    }
}
