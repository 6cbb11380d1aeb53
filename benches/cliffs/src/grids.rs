//! Grids of short ropes: all variants in one batch, compared with one variant after another.

use crate::cases::{SMOOTH, applied};
use catena_sim::contact::collider::Plane;
use catena_sim::contact::{DrawnContact, PartContact, SelfContact};
use catena_sim::force::law;
use catena_sim::method::control::StabilityLimit;
use catena_sim::method::with_defaults;
use catena_sim::run::SetupBuilder;
use catena_sim::run::batch::Batch;
use catena_sim::{Components, Rope, Setup, Simulation};
use serde::de::value::{Error, MapDeserializer};
use std::sync::Arc;
use std::time::Instant;

const VARIANTS: usize = 1024;
const NODES: usize = 16;
const SUBSTEPS: u64 = 64;

/// Measured times of a grid, in nanoseconds per node and step.
struct Times {
    together: f64,
    alone: f64,
    /// Number of variants that were advanced in lanes.
    in_lanes: usize,
}

/// A variant of a grid, before its method and features.
fn variant(number: usize) -> SetupBuilder {
    let stiffness = 50.0 + number as f64;
    let rope = Rope::new([0.0, 0.0], [0.6, -0.8], NODES).of(0.01, stiffness).pin(0);
    Setup::new(&rope).gravity([0.0, -9.81]).frames(1.0 / 240.0, SUBSTEPS)
}

/// Measures a grid whose variants are given by number.
fn measured(variant: impl Fn(usize) -> SetupBuilder) -> Times {
    let start = |number| Simulation::new(variant(number).check().unwrap());
    let mut together: Vec<Simulation> = (0..VARIANTS).map(start).collect();
    let mut alone: Vec<Simulation> =
        together.iter().map(|one| Simulation::new(Arc::clone(one.setup()))).collect();
    let mut batch = Batch::default();
    let mut in_lanes = 0;
    let work = (VARIANTS * NODES) as f64 * SUBSTEPS as f64;
    let mut times = (Vec::new(), Vec::new());
    for _ in 0..crate::PAIRS {
        let start = Instant::now();
        in_lanes = batch.advance_frames(&mut together);
        times.0.push(start.elapsed().as_secs_f64() * 1e9 / work);
        let start = Instant::now();
        alone.iter_mut().for_each(Simulation::advance_frame);
        times.1.push(start.elapsed().as_secs_f64() * 1e9 / work);
    }
    Times { together: crate::median(times.0), alone: crate::median(times.1), in_lanes }
}

/// Prints the time of a grid. `ending` continues the line.
fn print(name: &str, times: &Times, ending: &str) {
    let Times { together, alone, in_lanes } = times;
    println!(
        "grid           {name:<44} {together:>9.2} {:>8.2}x faster than one by one ({in_lanes} of \
         {VARIANTS} at once){ending}",
        alone / together
    );
}

/// Prints nanoseconds per node and step of a grid under a method, batched and one by one. `floor`
/// is the time of the square roots and divisions of a spring in a step.
pub fn print_method(method: &str, floor: f64) {
    let times = measured(|number| variant(number).method_of(with_defaults(method).unwrap()));
    let floor = floor * (NODES - 1) as f64 / NODES as f64;
    let ending = format!(", {:.1}x its square roots and divisions", times.together / floor);
    print(method, &times, &ending);
}

/// A feature: its name, and how it changes a variant with this number.
type Feature = (&'static str, fn(SetupBuilder, f64) -> SetupBuilder);

/// Features that variants of a sweep may have, each with a value that depends on the variant.
const FEATURES: &[Feature] = &[
    ("nothing else", |setup, _| setup),
    ("drag", |setup, x| setup.drag(0.01 * x)),
    ("wind", |setup, x| setup.drag(0.01).wind([x, 0.5])),
    ("friction along springs", |setup, x| setup.spring_damping(0.01 * x)),
    ("whole friction", |setup, x| setup.spring_friction(0.01 * x)),
    ("breaking springs", |setup, x| setup.breaks_at(10.0 * x)),
    ("velocity factor", |setup, x| setup.velocity_factor(1.0 - 0.001 * x)),
    ("exponential law", |setup, x| {
        let options = MapDeserializer::<_, Error>::new([("alpha", 2.0 * x)].into_iter());
        setup.law_of(law::read("Exponential", options).unwrap().unwrap().into())
    }),
    ("steps at the stability limit", |setup, x| {
        setup.step_control(StabilityLimit { safety: 0.5 * x })
    }),
    ("a plane that nothing touches", |setup, x| {
        let point = Components::from([0.0, -5.0 * x]);
        let normal = Components::from([0.0, 1.0]);
        setup.collider(Plane { point, normal, restitution: 0.0, friction: 0.0 })
    }),
    ("self-contact that nothing touches", |setup, x| {
        setup.self_contact(SelfContact { thickness: 0.0005 * x, surface: SMOOTH })
    }),
    ("segments that nothing touches", |setup, x| {
        let part = PartContact { thickness: 0.0005 * x, surface: SMOOTH };
        setup.drawn_contact(DrawnContact { parts: vec![part] })
    }),
    ("force PenaltyGround", |setup, _| setup.force_of(applied("PenaltyGround", NODES))),
    ("force PointForce", |setup, _| setup.force_of(applied("PointForce", NODES))),
    ("force LineDrag", |setup, _| setup.force_of(applied("LineDrag", NODES))),
    ("force Buoyancy", |setup, _| setup.force_of(applied("Buoyancy", NODES))),
    ("force PointDrag", |setup, _| setup.force_of(applied("PointDrag", NODES))),
];

/// Prints the time of a grid with each feature.
pub fn print_features() {
    let mut bare = None;
    for (name, change) in FEATURES {
        let times = measured(|number| {
            let share = 0.5 + 0.5 * number as f64 / VARIANTS as f64;
            change(variant(number), share)
        });
        let bare = *bare.get_or_insert(times.together);
        print(name, &times, &format!(", {:.1}x the time of nothing else", times.together / bare));
    }
}
