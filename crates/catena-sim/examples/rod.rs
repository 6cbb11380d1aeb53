//! A rod between two clamps. One of them turns three times.

#![allow(clippy::print_stdout)]

use catena_sim::body::shape::Topology;
use catena_sim::drive::track::{Animated, KeyTrack};
use catena_sim::force::rod::{Clamp, Rod, Rods, Section};
use catena_sim::{BadSetup, Rope, Setup, Simulation, method::ImplicitEuler};

fn main() -> Result<(), BadSetup> {
    let rope = Rope::new([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], 41).of(0.01, 4000.0);
    let (model, start) = rope.pin(0).pin(40).build()?;
    let turns = KeyTrack::linear(&[(0.0, [0.0]), (2.0, [3.0])]).map(Animated::moving);
    let turn = turns.map_err(|bad| BadSetup::option("turn", &bad))?;
    let rod = Rod::along(&model, 0, Section::round(0.1, 0.08))?
        .clamp(Clamp { node: 0, tangent: None, turn: Animated::number(0.0) })
        .clamp(Clamp { node: 40, tangent: None, turn });
    let rods = Rods::new(&model, &start, vec![rod])?;
    let setup = Setup::of_body(model, start)
        .force(rods)
        .gravity([0.0, -1.0, 0.0])
        .drag(0.01)
        .method(ImplicitEuler::default())
        .frames(1.0 / 30.0, 16)
        .check()?;
    let mut simulation = Simulation::new(setup);
    for frame in 0..=90 {
        if frame % 30 == 0 {
            let energy = simulation.energy();
            let middle = simulation.position(20).unwrap_or_default();
            println!("bending {:.4}, twist {:.4}, {middle:.3?}", energy.bending, energy.twist);
        }
        simulation.advance_frame();
    }
    Ok(())
}
