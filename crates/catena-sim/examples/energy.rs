//! Energy ledger of a rope: three of Euler's methods over five seconds.

#![allow(clippy::print_stdout)]

use catena_sim::method::with_defaults;
use catena_sim::{BadSetup, Rope, Setup, Simulation};

fn main() -> Result<(), BadSetup> {
    let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 16).of(0.01, 200.0).pin(0);
    println!("{:<18} {:>11} {:>11} {:>11}", "method", "change", "drag", "method's own");
    for name in ["ExplicitEuler", "SemiImplicitEuler", "ImplicitEuler"] {
        let Some(method) = with_defaults(name) else { continue };
        let setup = Setup::new(&rope).gravity([0.0, -9.81]).drag(0.002).method_of(method);
        let mut simulation = Simulation::new(setup.frames(1.0 / 60.0, 200).check()?);
        simulation.keep_ledger();
        for _ in 0..300 {
            simulation.advance_frame();
        }
        if let Some(ledger) = simulation.ledger() {
            let (change, gains) = (ledger.run.change(), ledger.run.gains);
            println!("{name:<18} {change:>11.6} {:>11.6} {:>11.6}", gains.damping, gains.method);
        }
    }
    Ok(())
}
