//! Contacts: nothing passes through anything, and no contact adds energy.

mod colliders;
mod drawn;
mod fences;
mod itself;
mod meshes;
mod methods;
mod moving;

use crate::scene_of;
use catena::sim::{
    Arrangement, Body, Collider, Meter, Model, Simulation, SpringMemory, State,
    contact::{ContactForces, Contacts, collider::read},
};
use catena_tests::Random;
use std::sync::Arc;

/// A simulation of a body with these settings.
fn body(settings: &str) -> Simulation {
    let scene = scene_of(&format!("Scene(base: ({settings}))"));
    Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup))
}

fn collider(text: &str) -> Arc<dyn Collider> {
    let (name, options) = text.split_at(text.find('(').unwrap());
    read(name, &mut ron::Deserializer::from_str(options).unwrap()).unwrap().unwrap().into()
}

/// Nodes without springs.
fn cloud(axes: usize, mass: Vec<f64>) -> Model {
    Model {
        axes,
        pinned: vec![false; mass.len()],
        mass,
        springs: Vec::new(),
        structural: 0,
        held: 0,
        arrangement: Arrangement::Chain,
        parts: Vec::new(),
    }
}

fn kinetic(model: &Model, state: &State) -> f64 {
    let n = model.nodes();
    state.v.iter().enumerate().map(|(k, v)| 0.5 * model.mass[k % n] * v * v).sum()
}

/// Σ m a, by axis.
fn moment(model: &Model, a: &[f64]) -> Vec<f64> {
    let sum = |axis: &[f64]| axis.iter().zip(&model.mass).map(|(a, m)| a * m).sum();
    a.chunks_exact(model.nodes()).map(sum).collect()
}

fn between(state: &State, n: usize, i: usize, j: usize) -> [f64; 3] {
    let (a, b) = (state.position(n, i), state.position(n, j));
    [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| a[k] * b[k]).sum()
}

/// Minimum distance of two nodes without a common spring, on straight paths from one state to
/// another.
fn closest(model: &Model, start: &State, end: &State) -> f64 {
    let n = model.nodes();
    let mut minimum = f64::INFINITY;
    for (i, j) in (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))) {
        if model.held().iter().any(|spring| (spring.a, spring.b) == (i, j)) {
            continue;
        }
        let (from, to) = (between(start, n, i, j), between(end, n, i, j));
        let displacement = [0, 1, 2].map(|k| to[k] - from[k]);
        let share = (-dot(from, displacement) / dot(displacement, displacement).max(1e-300))
            .clamp(0.0, 1.0);
        let near = [0, 1, 2].map(|k| from[k] + share * displacement[k]);
        minimum = minimum.min(dot(near, near).sqrt()).min(dot(to, to).sqrt());
    }
    minimum
}

fn bits(state: &State) -> Vec<u64> {
    state.x.iter().chain(&state.v).map(|value| value.to_bits()).collect()
}

/// Resolves the contacts of one step of a body with undeformed springs. Returns the nodes that it
/// moved.
fn resolve(contacts: &Contacts, model: &Model, start: &State, end: &mut State) -> Vec<usize> {
    let (springs, mut displaced) = (SpringMemory::default(), Vec::new());
    let body = Body { model, springs: &springs };
    let mut forces = ContactForces::default();
    contacts.resolve(body, start, end, &mut displaced, &mut forces, &Meter::default());
    displaced
}

/// Nodes of different masses on a grid of unit cells, slightly displaced.
fn scattered(random: &mut Random, axes: usize, side: usize) -> (Model, State) {
    let count = (0..axes).fold(1, |count, _| count * side);
    let model = cloud(axes, (0..count).map(|_| 1.5 + random.signed()).collect());
    let at = |axis: usize, i: usize| (0..axis).fold(i, |i, _| i / side) % side;
    let x = (0..axes)
        .flat_map(|axis| (0..count).map(move |i| at(axis, i) as f64))
        .map(|x| x + 0.2 * random.signed())
        .collect();
    (model, State::at_rest(x))
}

/// A rope whose halves are thrown at each other, ends first.
fn thrown(method: &str, dt: f64, contact: &str) -> Simulation {
    let stiffness = (0.2 / (dt * dt)).min(100.0);
    let mut simulation = body(&format!(
        "gravity: (0, 0), frame_time: {dt:?}, substeps: 1, integrator: {method}, contact: ({contact}),
         rope: (start: (-10, 0), end: (10, 0), nodes: 21, pins: [], stiffness: {stiffness:?})"
    ));
    let mut checkpoint = simulation.checkpoint();
    let mut random = Random::new(5);
    for i in 0..21 {
        let s = (i as f64 - 10.0) / 10.0;
        checkpoint.state.v[i] = -8.0 * s + random.signed();
        checkpoint.state.v[21 + i] = 3.0 * s * s + random.signed();
    }
    simulation.restore(&checkpoint);
    simulation
}
