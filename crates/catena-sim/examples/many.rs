//! Many variants of one rope at once: 64 masses in the lanes of one kernel.

#![allow(clippy::print_stdout)]

use catena_sim::method::ConstraintVerlet;
use catena_sim::run::batch::Batch;
use catena_sim::{BadSetup, Rope, Setup, Simulation};

fn main() -> Result<(), BadSetup> {
    let variant = |number: usize| {
        let mass = 0.01 * (1.0 + number as f64);
        let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 32).of(mass, 1000.0).pin(0);
        let damping = 0.0001 * number as f64;
        let method = ConstraintVerlet { damping, ..ConstraintVerlet::default() };
        let setup = Setup::new(&rope).gravity([0.0, -9.81]).method(method);
        Ok(Simulation::new(setup.frames(1.0 / 60.0, 16).check()?))
    };
    let mut variants = (0..64).map(variant).collect::<Result<Vec<_>, BadSetup>>()?;
    let (mut batch, mut in_lanes) = (Batch::default(), 0);
    for _ in 0..60 {
        in_lanes = batch.advance_frames(&mut variants);
    }
    println!("{in_lanes} of {} went side by side", variants.len());
    for number in [0, 31, 63] {
        let [x, y, _] = variants[number].position(31).unwrap_or_default();
        println!("variant {number}: its end is at ({x:.4}, {y:.4})");
    }
    Ok(())
}
