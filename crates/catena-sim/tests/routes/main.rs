//! Ropes over pulleys, through rings and onto drums, compared with closed forms.

#![allow(clippy::unwrap_used)]

mod force;
mod pulleys;
mod stops;
mod winches;

use catena_sim::force::applied::{Guide, Route};
use catena_sim::{
    Arrangement, Form, Method, Model, Outcome, Part, Setup, Simulation, State,
    method::{ImplicitEuler, ImplicitMidpoint, Rk4, SemiImplicitEuler, VelocityVerlet},
};
use std::sync::Arc;

const G: f64 = 9.81;

/// Methods that sum forces, explicit and implicit.
fn methods() -> Vec<Arc<dyn Method>> {
    vec![
        Arc::new(SemiImplicitEuler {}),
        Arc::new(VelocityVerlet::default()),
        Arc::new(Rk4 {}),
        Arc::new(ImplicitEuler::default()),
        Arc::new(ImplicitMidpoint::default()),
    ]
}

/// Free weights in the plane without springs: mass, x and y.
fn weights(list: &[(f64, f64, f64)]) -> (Model, State) {
    let nodes = list.len();
    let model = Model {
        axes: 2,
        mass: list.iter().map(|one| one.0).collect(),
        pinned: vec![false; nodes],
        springs: Vec::new(),
        structural: 0,
        held: 0,
        arrangement: Arrangement::Parts,
        parts: vec![Part {
            name: String::new(),
            form: Form::Graph,
            nodes: (0..nodes).collect(),
            springs: Vec::new(),
        }],
    };
    let x = list.iter().map(|one| one.1).chain(list.iter().map(|one| one.2)).collect();
    (model, State::at_rest(x))
}

fn setup(
    (model, initial): (Model, State),
    method: &Arc<dyn Method>,
    route: Route,
    substeps: u64,
) -> Arc<Setup> {
    Setup::of_body(model, initial)
        .gravity(vec![0.0, -G])
        .method_of(Arc::clone(method))
        .frames(0.01, substeps)
        .force(route)
        .check()
        .unwrap()
}

/// A run after some frames.
fn after(setup: &Arc<Setup>, frames: u32) -> Simulation {
    let mut run = Simulation::new(Arc::clone(setup));
    run.keep_ledger();
    (0..frames).for_each(|_| run.advance_frame());
    assert_eq!(run.outcome(), Outcome::Fine);
    run
}

/// Upward acceleration of a node between 0.3 s, when the rope has settled, and 0.6 s.
fn acceleration(setup: &Arc<Setup>, node: usize) -> f64 {
    let nodes = setup.model.nodes();
    let mut run = after(setup, 30);
    let first = (run.state().velocity(nodes, node)[1], run.state().t);
    (0..30).for_each(|_| run.advance_frame());
    (run.state().velocity(nodes, node)[1] - first.0) / (run.state().t - first.1)
}

/// Checks that a value converges with the step with order 1 or higher, to an expected limit.
///
/// Each halving of the step then halves the change of the value, so the remaining error at the
/// shortest step is at most the last change; with a factor of 0.6 instead of 0.5, it is 1.5 times
/// the last change. `tolerance` is the difference between the limit and the expected value,
/// according to theory.
fn converges(name: &str, expected: f64, tolerance: f64, value: impl Fn(u64) -> f64) {
    let [coarse, middle, fine] = [40, 80, 160].map(value);
    let (first, second) = ((coarse - middle).abs(), (middle - fine).abs());
    let found = format!("{name}: {coarse} {middle} {fine}, not {expected}");
    assert!(second <= 0.6 * first + tolerance, "{found}");
    assert!(second <= 0.01 * expected.abs(), "{found}");
    assert!((fine - expected).abs() <= 1.5 * second + tolerance, "{found}");
}

/// A rope between nodes 0 and 1 over these guides.
fn between(via: Vec<Guide>) -> Route {
    Route { from: Some(0), via, to: Some(1), damping: 1000.0, ..Route::new(1e5) }
}

fn pulley(x: f64, y: f64, radius: f64, friction: Option<f64>, inertia: Option<f64>) -> Guide {
    let at = Some([x, y].into());
    Guide::Pulley {
        at,
        along: None,
        node: None,
        bone: None,
        offset: None,
        radius,
        turn: None,
        friction,
        inertia,
    }
}

fn ring(at: Option<[f64; 2]>, node: Option<usize>) -> Guide {
    Guide::Ring {
        at: at.map(Into::into),
        along: None,
        node,
        bone: None,
        offset: None,
        friction: 0.0,
    }
}
