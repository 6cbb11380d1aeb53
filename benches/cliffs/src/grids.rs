//! Grids of short ropes: all variants in one batch, compared with one variant after another.

use catena_sim::method::with_defaults;
use catena_sim::run::batch::Batch;
use catena_sim::{Rope, Setup, Simulation};
use std::sync::Arc;
use std::time::Instant;

const VARIANTS: usize = 1024;
const NODES: usize = 16;
const SUBSTEPS: u64 = 64;

/// Prints nanoseconds per node and step of a grid under a method, batched and one by one. `floor`
/// is the time of the square roots and divisions of a spring in a step.
pub fn print(method: &str, floor: f64) {
    let variant = |number: usize| {
        let stiffness = 50.0 + number as f64;
        let rope = Rope::new([0.0, 0.0], [0.6, -0.8], NODES).of(0.01, stiffness).pin(0);
        let setup = Setup::new(&rope).gravity([0.0, -9.81]).frames(1.0 / 240.0, SUBSTEPS);
        Simulation::new(setup.method_of(with_defaults(method).unwrap()).check().unwrap())
    };
    let mut together: Vec<Simulation> = (0..VARIANTS).map(variant).collect();
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
    let (together, alone) = (crate::median(times.0), crate::median(times.1));
    println!(
        "grid           {method:<44} {together:>9.2} {:>8.2}x faster than one by one ({in_lanes} of {VARIANTS} at once), \
         {:.1}x its square roots and divisions",
        alone / together,
        together / (floor * (NODES - 1) as f64 / NODES as f64),
    );
}
