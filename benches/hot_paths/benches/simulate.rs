//! Simulation of frames with several methods and bodies, per spring and step.

#![allow(clippy::unwrap_used, missing_docs)]

use catena::sim::Simulation;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const BODIES: [(&str, &str); 7] = [
    ("SemiImplicitEuler, 16 nodes", "drag: 0.01"),
    ("SemiImplicitEuler, 65536 nodes", "rope: (nodes: 65536, stiffness: 1)"),
    ("ConstraintVerlet, 16 nodes", "integrator: ConstraintVerlet"),
    ("ConstraintVerlet, 4096 nodes", "integrator: ConstraintVerlet, rope: (nodes: 4096)"),
    ("ImplicitEuler, 1000 nodes", "integrator: ImplicitEuler, rope: (nodes: 1000)"),
    ("Rk4, 1000 nodes", "integrator: Rk4, rope: (nodes: 1000)"),
    (
        "SemiImplicitEuler, cloth 128x128",
        "gravity: (0, -1, 0), frame_time: 0.05, substeps: 4,
         cloth: (corner: (0, 0, 0), across: (127, 0, 0), down: (0, 0, 127), rows: 128, columns: 128, pins: TopCorners)",
    ),
];

fn simulate(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("simulate");
    for (name, base) in BODIES {
        let setup = hot_paths::setup(base);
        group.throughput(Throughput::Elements(setup.substeps * setup.model.springs.len() as u64));
        let mut simulation = Simulation::new(setup);
        group.bench_function(name, |bencher| bencher.iter(|| simulation.advance_frame()));
    }
    group.finish();
}

criterion_group!(benches, simulate);
criterion_main!(benches);
