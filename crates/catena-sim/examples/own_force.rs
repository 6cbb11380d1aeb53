//! A custom force: a magnet that pulls every node to a point. The compiler checks that the
//! implementation is complete.

#![allow(clippy::print_stdout)]

use catena_sim::force::{Account, AtRest, Blocks, Force, ForceEnergy, diagonal};
use catena_sim::method::ImplicitEuler;
use catena_sim::{BadSetup, Body, Model, Rope, Setup, Simulation, State};

/// F = k (c - x) on every node.
#[derive(Debug)]
struct Magnet {
    center: [f64; 2],
    strength: f64,
}
catena_sim::identity!(Magnet { center, strength });

impl Force for Magnet {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let n = body.model.nodes();
        for ((f, x), center) in f.chunks_mut(n).zip(state.x.chunks(n)).zip(self.center) {
            for (f, x) in f.iter_mut().zip(x) {
                *f += self.strength * (center - x);
            }
        }
    }

    fn add_jacobian(&self, body: &Body<'_>, _state: &State, blocks: &mut Blocks<'_>) {
        let axes = body.model.axes;
        for i in 0..body.model.nodes() {
            blocks.add_own(i, diagonal(axes, -self.strength), diagonal(axes, 0.0));
        }
    }

    /// Returns the total force at a distance of 2 from every node.
    fn load(&self, model: &Model) -> f64 {
        2.0 * self.strength * model.nodes() as f64
    }

    fn at_rest(&self) -> AtRest<'_> {
        AtRest::Other
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Booked(Account::External)
    }
}

fn main() -> Result<(), BadSetup> {
    let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 11).of(0.05, 400.0).pin(0);
    let magnet = Magnet { center: [0.5, 0.8], strength: 0.3 };
    let setup = Setup::new(&rope)
        .gravity([0.0, -9.81])
        .drag(0.02)
        .force(magnet)
        .method(ImplicitEuler::default())
        .frames(1.0 / 60.0, 4)
        .check()?;
    let mut simulation = Simulation::new(setup);
    for _ in 0..300 {
        simulation.advance_frame();
    }
    let [x, y, _] = simulation.position(10).unwrap_or_default();
    println!("the end of the rope rests at ({x:.4}, {y:.4})");
    Ok(())
}
