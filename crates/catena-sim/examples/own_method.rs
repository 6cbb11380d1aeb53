//! A custom method: Ralston's method, of order 2 with the smallest error bound. The program
//! compares it with Heun's method on a swinging rope, with the same number of force evaluations.

#![allow(clippy::print_stdout)]

use catena_sim::method::{Heun, MethodInfo, Rk4};
use catena_sim::{
    BadSetup, Cost, Integrator, Method, Model, Rope, Setup, Simulation, State, System,
};

#[derive(Clone, Debug)]
struct Ralston;
catena_sim::identity!(Ralston {});

impl Method for Ralston {
    fn info(&self) -> MethodInfo {
        MethodInfo {
            name: "Ralston",
            title: "Ralston",
            summary: "a second slope at two thirds of the step",
            order: Some(2),
            damped_order: Some(2),
            limit: Some(0.0),
            holds_lengths: false,
            velocity_carries: true,
            options: &[],
        }
    }

    fn cost(&self) -> Cost {
        Cost::evaluations(2)
    }

    fn start(&self, _model: &Model, initial: &State, _dt: f64) -> Box<dyn Integrator> {
        let zeros = vec![0.0; initial.x.len()];
        Box::new(RalstonState { stage: initial.clone(), first: zeros.clone(), second: zeros })
    }
}

/// The slopes of one step.
struct RalstonState {
    stage: State,
    first: Vec<f64>,
    second: Vec<f64>,
}

impl Integrator for RalstonState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        let Self { stage, first, second } = self;
        system.accelerations(state, first);
        advance(&mut stage.x, &state.x, &[(2.0 / 3.0 * dt, &state.v)]);
        advance(&mut stage.v, &state.v, &[(2.0 / 3.0 * dt, first)]);
        stage.t = state.t + 2.0 / 3.0 * dt;
        system.hold(stage);
        system.accelerations(stage, second);
        let (x, v) = (state.x.clone(), state.v.clone());
        advance(&mut state.x, &x, &[(0.25 * dt, &v), (0.75 * dt, &stage.v)]);
        advance(&mut state.v, &v, &[(0.25 * dt, first), (0.75 * dt, second)]);
    }
}

/// y + Σ h k, into `out`.
fn advance(out: &mut [f64], y: &[f64], slopes: &[(f64, &[f64])]) {
    for (i, out) in out.iter_mut().enumerate() {
        *out = slopes.iter().fold(y[i], |sum, (h, k)| sum + h * k[i]);
    }
}

/// Position of the end of the rope after a second.
fn end(method: impl Method + 'static, substeps: u64) -> Result<[f64; 3], BadSetup> {
    let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 6).of(0.1, 500.0).pin(0);
    let setup = Setup::new(&rope).gravity([0.0, -9.81]).method(method);
    let mut simulation = Simulation::new(setup.frames(0.05, substeps).check()?);
    for _ in 0..20 {
        simulation.advance_frame();
    }
    Ok(simulation.position(5).unwrap_or_default())
}

fn main() -> Result<(), BadSetup> {
    let exact = end(Rk4 {}, 4096)?;
    let error = |[x, y, _]: [f64; 3]| {
        ((x - exact[0]) * (x - exact[0]) + (y - exact[1]) * (y - exact[1])).sqrt()
    };
    for substeps in [64, 128, 256] {
        let (ralston, heun) = (error(end(Ralston, substeps)?), error(end(Heun {}, substeps)?));
        println!("{substeps} steps a frame: Ralston {ralston:.2e}, Heun {heun:.2e}");
    }
    Ok(())
}
