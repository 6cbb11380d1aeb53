//! The simulation compared with a second program in the style of the homework: masses and springs
//! as objects, and loops as in the assignment. They must agree to 1e-9 after 100 steps.

use crate::scene_of;
use catena::sim::Simulation;
use std::sync::Arc;

#[derive(Clone, Copy)]
struct Mass {
    position: (f64, f64),
    last: (f64, f64),
    velocity: (f64, f64),
    force: (f64, f64),
    pinned: bool,
}

/// Parameters of a case.
#[derive(Clone, Copy)]
struct Physics {
    drag: f64,
    inner: f64,
    verlet_damping: f64,
    velocity_factor: f64,
    position_factor: f64,
    divisor: f64,
}

const PLAIN: Physics = Physics {
    drag: 0.0,
    inner: 0.0,
    verlet_damping: 0.0,
    velocity_factor: 1.0,
    position_factor: 1.0,
    divisor: 15.0,
};

const NODES: usize = 16;
const STIFFNESS: f64 = 100.0;
const MASS: f64 = 1.0;
const GRAVITY: (f64, f64) = (0.0, -1.0);

#[derive(Clone, Copy, PartialEq)]
enum Scheme {
    Explicit,
    SemiImplicit,
    ForceVerlet,
    ConstraintVerlet,
}

fn homework(scheme: Scheme, physics: Physics, dt: f64, steps: usize) -> Vec<Mass> {
    let at = |i: usize| (0.0 + (-400.0 - 0.0) * i as f64 / physics.divisor, 200.0);
    let mut masses: Vec<Mass> = (0..NODES)
        .map(|i| Mass {
            position: at(i),
            last: at(i),
            velocity: (0.0, 0.0),
            force: (0.0, 0.0),
            pinned: i == 0,
        })
        .collect();
    let rest = 400.0 / physics.divisor;
    for _ in 0..steps {
        if scheme == Scheme::ConstraintVerlet {
            satisfy(&mut masses, rest);
        } else {
            pull(&mut masses, rest, physics.inner);
        }
        for mass in &mut masses {
            if !mass.pinned {
                advance(mass, scheme, physics, dt);
            }
            mass.force = (0.0, 0.0);
        }
    }
    masses
}

fn satisfy(masses: &mut [Mass], rest: f64) {
    for i in 1..NODES {
        let (a, b) = (masses[i - 1].position, masses[i].position);
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let length = (dx * dx + dy * dy).sqrt();
        let (ux, uy) = (dx / length, dy / length);
        let excess = length - rest;
        if masses[i - 1].pinned {
            masses[i].position = (b.0 - ux * excess, b.1 - uy * excess);
        } else {
            masses[i - 1].position = (a.0 + ux * excess / 2.0, a.1 + uy * excess / 2.0);
            masses[i].position = (b.0 - ux * excess / 2.0, b.1 - uy * excess / 2.0);
        }
    }
}

fn pull(masses: &mut [Mass], rest: f64, inner: f64) {
    for i in 1..NODES {
        let (a, b) = (masses[i - 1], masses[i]);
        let (dx, dy) = (b.position.0 - a.position.0, b.position.1 - a.position.1);
        let length = (dx * dx + dy * dy).sqrt();
        let (ux, uy) = (dx / length, dy / length);
        let opening = (b.velocity.0 - a.velocity.0) * ux + (b.velocity.1 - a.velocity.1) * uy;
        let size = STIFFNESS * (length - rest) + inner * opening;
        masses[i - 1].force.0 += size * ux;
        masses[i - 1].force.1 += size * uy;
        masses[i].force.0 -= size * ux;
        masses[i].force.1 -= size * uy;
    }
}

fn advance(mass: &mut Mass, scheme: Scheme, physics: Physics, dt: f64) {
    let fx = mass.force.0 + GRAVITY.0 * MASS - physics.drag * mass.velocity.0;
    let fy = mass.force.1 + GRAVITY.1 * MASS - physics.drag * mass.velocity.1;
    let (ax, ay) = (fx / MASS, fy / MASS);
    let (x, y) = mass.position;
    match scheme {
        Scheme::Explicit => {
            mass.position = (x + mass.velocity.0 * dt, y + mass.velocity.1 * dt);
            mass.velocity = (mass.velocity.0 + ax * dt, mass.velocity.1 + ay * dt);
        }
        Scheme::SemiImplicit => {
            mass.velocity = (mass.velocity.0 + ax * dt, mass.velocity.1 + ay * dt);
            mass.position = (x + mass.velocity.0 * dt, y + mass.velocity.1 * dt);
        }
        Scheme::ForceVerlet | Scheme::ConstraintVerlet => {
            let keep = 1.0 - physics.verlet_damping;
            mass.position = (
                x + keep * (x - mass.last.0) + ax * dt * dt,
                y + keep * (y - mass.last.1) + ay * dt * dt,
            );
            mass.last = (x, y);
        }
    }
    mass.velocity =
        (mass.velocity.0 * physics.velocity_factor, mass.velocity.1 * physics.velocity_factor);
    mass.position =
        (mass.position.0 * physics.position_factor, mass.position.1 * physics.position_factor);
}

#[test]
fn an_independent_program_agrees_after_100_steps() {
    let d = Physics { verlet_damping: 5e-5, ..PLAIN };
    let cases = [
        (Scheme::Explicit, "integrator: ExplicitEuler", PLAIN),
        (
            Scheme::SemiImplicit,
            "integrator: SemiImplicitEuler, drag: 0.01",
            Physics { drag: 0.01, ..PLAIN },
        ),
        (Scheme::SemiImplicit, "velocity_factor: 0.99", Physics { velocity_factor: 0.99, ..PLAIN }),
        (Scheme::SemiImplicit, "rope: (damping: 0.3)", Physics { inner: 0.3, ..PLAIN }),
        (
            Scheme::SemiImplicit,
            "rope: (last_node: OneSpacingShort)",
            Physics { divisor: 16.0, ..PLAIN },
        ),
        (Scheme::ForceVerlet, "integrator: ForceVerlet(damping: 0.00005)", d),
        (Scheme::ConstraintVerlet, "integrator: ConstraintVerlet(damping: 0.00005)", d),
        (
            Scheme::ConstraintVerlet,
            "integrator: ConstraintVerlet(damping: 0.00005), position_factor: 0.999995",
            Physics { position_factor: 1.0 - 5e-6, ..d },
        ),
    ];
    for (scheme, settings, physics) in cases {
        // 100 steps in total. At long steps, explicit Euler multiplies rounding by a thousand.
        let coarse = if scheme == Scheme::Explicit { (80, 1) } else { (20, 5) };
        for (substeps, frames) in [(50, 2), (100, 1), coarse] {
            let scene = scene_of(&format!("Scene(base: (substeps: {substeps}, {settings}))"));
            let mut simulation = Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup));
            (0..frames).for_each(|_| simulation.advance_frame());
            let expected =
                homework(scheme, physics, 1.0 / f64::from(substeps), substeps as usize * frames);
            let state = simulation.state();
            let scale = expected
                .iter()
                .map(|m| m.position.0.abs().max(m.position.1.abs()))
                .fold(0.0, f64::max);
            for (i, mass) in expected.iter().enumerate() {
                for (found, expected) in
                    [(state.x[i], mass.position.0), (state.x[NODES + i], mass.position.1)]
                {
                    let error = (found - expected).abs() / scale;
                    assert!(
                        error < 1e-9,
                        "{settings}, {substeps} substeps, node {i}: {found} for {expected}"
                    );
                }
            }
        }
    }
}
