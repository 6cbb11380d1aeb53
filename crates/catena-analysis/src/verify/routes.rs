//! Checks of routes: weights on pulleys, friction on a bollard, a tackle, and a held length.

use super::{
    Check,
    Tolerance::{AtMost, Relative},
    check::{CheckList, CheckSetups},
    readings::advance_frames,
};
use catena_sim::{
    Arrangement, Body, Form, Model, Part, Setup, Simulation, State,
    force::applied::{Guide, Route},
    method::{Rk4, SemiImplicitEuler, Shake},
};
use std::f64::consts::PI;

const G: f64 = 9.81;
/// Radius of every pulley.
const RADIUS: f64 = 0.2;

pub(super) fn checks() -> Vec<Check> {
    let mut list = CheckList::new("lines");
    list.set_reference(
        "Atwood's machine: a = (m₁ - m₂) g/(m₁ + m₂ + I/r²), mean over a quarter of a second",
    );
    for (inertia, name) in [(None, "without inertia"), (Some(0.04), "with I/r² = 1")] {
        let expected = 2.0 * G / (4.0 + inertia.map_or(0.0, |it: f64| it / (RADIUS * RADIUS)));
        let name = format!("acceleration of Atwood's machine {name}");
        list.add(name, expected, Relative(5e-3), move |setups| atwood(setups, inertia));
    }
    list.set_reference("bollard: ratio of tensions e^(μθ), μ = 0.3, θ = π (Euler, Eytelwein)");
    list.add("ratio of tensions on a bollard", libm::exp(0.3 * PI), Relative(1e-9), bollard);
    list.set_reference("block and tackle of n parts carries n times the tension");
    for parts in 1..=4_u8 {
        let name = format!("load over tension of a tackle of {parts} parts");
        list.add(name, f64::from(parts), Relative(1e-6), move |setups| tackle(setups, parts));
    }
    list.set_reference("methods that hold lengths hold the length of a route; method: Shake");
    list.add("change of the length of a route, relative", 1e-12, AtMost, held_length);
    list.done()
}

/// Free weights in the plane without springs: mass, x and y.
fn weights(list: &[(f64, f64, f64)]) -> (Model, State) {
    let nodes = list.len();
    let part = Part {
        name: String::new(),
        form: Form::Graph,
        nodes: (0..nodes).collect(),
        springs: Vec::new(),
    };
    let model = Model {
        axes: 2,
        mass: list.iter().map(|one| one.0).collect(),
        pinned: vec![false; nodes],
        springs: Vec::new(),
        structural: 0,
        held: 0,
        arrangement: Arrangement::Parts,
        parts: vec![part],
    };
    let x = list.iter().map(|one| one.1).chain(list.iter().map(|one| one.2)).collect();
    (model, State::at_rest(x))
}

fn pulley(friction: Option<f64>, inertia: Option<f64>) -> Guide {
    Guide::Pulley {
        at: Some([0.0, 2.0].into()),
        along: None,
        node: None,
        bone: None,
        offset: None,
        radius: RADIUS,
        turn: None,
        friction,
        inertia,
    }
}

/// Ring at a position, or on a node.
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

/// Rope from node 0 to node 1 over guides.
fn between(axial: f64, via: Vec<Guide>) -> Route {
    Route { from: Some(0), via, to: Some(1), damping: 1000.0, ..Route::new(axial) }
}

fn route_of(run: &Simulation) -> Option<&Route> {
    run.setup().forces.iter().find_map(|force| force.route())
}

fn tensions(run: &Simulation) -> Option<Vec<f64>> {
    let body = Body { model: &run.setup().model, springs: run.springs() };
    Some(route_of(run)?.tensions(&body, run.state()))
}

/// Acceleration from the distance that the lighter weight travels.
fn atwood(setups: &CheckSetups<'_>, inertia: Option<f64>) -> Option<f64> {
    let (model, state) = weights(&[(3.0, -RADIUS, 0.0), (1.0, RADIUS, -1.0)]);
    let route = between(1e7, vec![pulley(None, inertia)]);
    let setup = Setup::of_body(model, state).gravity([0.0, -G]).force(route);
    let setup = setup.method(SemiImplicitEuler {}).frames(0.01, 400).build().ok()?;
    let mut run = setups.start(setup);
    advance_frames(&mut run, 50);
    Some(2.0 * (run.state().position(2, 1)[1] + 1.0) / 0.25)
}

fn bollard(setups: &CheckSetups<'_>) -> Option<f64> {
    let (model, state) = weights(&[(1.0, -RADIUS, 0.0), (4.0, RADIUS, -1.0)]);
    let setup = Setup::of_body(model, state).gravity([0.0, -G]);
    let setup = setup.force(between(1e5, vec![pulley(Some(0.3), None)])).method(Rk4 {});
    let mut run = setups.start(setup.frames(0.01, 40).build().ok()?);
    advance_frames(&mut run, 40);
    let found = tensions(&run)?;
    Some(found.get(1)? / found.first()?)
}

/// Load over tension. All parts are on one line, with rings above and a ring on the load.
fn tackle(setups: &CheckSetups<'_>, parts: u8) -> Option<f64> {
    let load = f64::from(parts);
    let (model, state) = weights(&[(load, 0.0, 0.0), (1.0, 0.0, 1.0)]);
    let guide = |i: u8| match i.is_multiple_of(2) {
        true => ring(None, Some(0)),
        false => ring(Some([0.0, 3.0]), None),
    };
    let route = Route { from: None, ..between(1e5, (1..=parts + 1).rev().map(guide).collect()) };
    let setup = Setup::of_body(model, state).gravity([0.0, -G]).force(route).method(Rk4 {});
    let mut run = setups.start(setup.frames(0.01, 40).build().ok()?);
    advance_frames(&mut run, 100);
    let drift = run.state().velocity(2, 0)[1].abs();
    (drift < 1e-5).then_some(())?;
    Some(load * G / tensions(&run)?.first()?)
}

/// Maximum relative change of the length of a route whose weight swings.
fn held_length(setups: &CheckSetups<'_>) -> Option<f64> {
    let (model, state) = weights(&[(3.0, -RADIUS - 0.1, 0.0), (1.0, RADIUS, -1.0)]);
    let setup = Setup::of_body(model, state).gravity([0.0, -G]);
    let setup = setup.force(between(1e5, vec![pulley(None, None)])).method(Shake::default());
    let mut run = setups.start(setup.frames(0.01, 40).build().ok()?);
    let length = |run: &Simulation| {
        let body = Body { model: &run.setup().model, springs: run.springs() };
        Some(route_of(run)?.stretched(&body, run.state()).0)
    };
    let initial = length(&run)?;
    let mut maximum = 0.0_f64;
    for _ in 0..60 {
        run.advance_frame();
        maximum = maximum.max((length(&run)? / initial - 1.0).abs());
    }
    Some(maximum)
}
