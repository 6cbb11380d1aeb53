//! Simulates two seconds of a swinging rope of 16 nodes that is pinned at one end. Prints the
//! position of its free end four times per second.

#![allow(clippy::print_stdout)]

use catena_sim::{BadSetup, Rope, Setup, Simulation};

fn main() -> Result<(), BadSetup> {
    let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 16).of(0.01, 1000.0).pin(0);
    let setup = Setup::new(&rope).gravity([0.0, -9.81]).frames(1.0 / 60.0, 64).check()?;
    let mut simulation = Simulation::new(setup);
    for frame in 1..=120 {
        simulation.advance_frame();
        if frame % 15 == 0 {
            let [x, y, _] = simulation.position(15).unwrap_or_default();
            println!("{:.2} s: ({x:.4}, {y:.4})", simulation.state().t);
        }
    }
    Ok(())
}
