//! What methods share that move nodes on without springs and then put springs right: the prediction, the order in which
//! springs are gone over, and the velocity at the end.
//!
//! A node's weight is its inverse mass, 0 for a pin. A correction along a spring moves its ends by their weights, and so
//! keeps the momentum of two free nodes.

use super::reaction::Listener;
use crate::body::{Model, Spring, State};
use crate::force::System;
use crate::named::OptionInfo;

/// The option of methods that go over the springs a fixed number of times.
pub(crate) const ITERATIONS: OptionInfo = OptionInfo {
    name: "iterations",
    summary: "how many times a step goes over all springs",
    default: "10",
    range: "a whole number of at least 1",
};

/// Inverse mass of each node, 0 for pins.
pub(crate) fn weights(model: &Model) -> Vec<f64> {
    let nodes = model.mass.iter().zip(&model.pinned);
    nodes.map(|(mass, &is_pinned)| if is_pinned { 0.0 } else { 1.0 / mass }).collect()
}

/// Numbers of the springs that are held, in the order of a sweep: from the first, or from the last
/// where that end is pinned and the other is not.
pub(crate) fn sweep(model: &Model) -> impl Iterator<Item = usize> + use<> {
    let (count, from_the_end) = (model.held, is_from_the_end(model));
    (0..count).map(move |step| if from_the_end { count - 1 - step } else { step })
}

/// Whether a sweep goes from the last spring to the first: where the last node is pinned and node 0
/// is not. Other pins do not matter.
pub(crate) fn is_from_the_end(model: &Model) -> bool {
    (model.pinned.first(), model.pinned.last()) == (Some(&false), Some(&true))
}

/// The springs of a sweep that are whole and have an end that can move, with their numbers and the sum of their ends'
/// weights.
pub(crate) fn movable<'a>(
    system: &System<'a>,
    weights: &'a [f64],
) -> impl Iterator<Item = (usize, &'a Spring, f64)> + use<'a> {
    let (model, memory) = (system.model, system.springs);
    sweep(model).filter(move |&j| !memory.is_broken(j)).filter_map(move |j| {
        let spring = &model.springs[j];
        let weight = weights[spring.a] + weights[spring.b];
        (weight > 0.0).then_some((j, spring, weight))
    })
}

/// Moves free nodes on as if there were no springs to hold: v' = v + a dt, x' = x + v' dt. Pins go to where they are at
/// the end of the step. `a` is room for the accelerations.
pub(crate) fn predict(system: &System<'_>, state: &mut State, a: &mut [f64], dt: f64) {
    system.external_accelerations(state, a);
    for ((x, v), a) in state.x.iter_mut().zip(&mut state.v).zip(&*a) {
        *v += a * dt;
        *x += *v * dt;
    }
    state.t += dt;
    system.hold(state);
}

/// Moves the ends of a spring by `amount` times their weights: the first along `direction`, the second against it.
pub(crate) fn shift(
    (model, weights): (&Model, &[f64]),
    x: &mut [f64],
    spring: &Spring,
    direction: &[f64; 3],
    amount: f64,
    listener: &mut impl Listener,
) {
    let n = model.nodes();
    for (axis, component) in direction.iter().enumerate().take(model.axes) {
        let by_a = weights[spring.a] * amount * component;
        let by_b = weights[spring.b] * amount * component;
        x[axis * n + spring.a] += by_a;
        x[axis * n + spring.b] -= by_b;
        tell(model, axis, spring, (by_a, -by_b), listener);
    }
}

/// Says how far the ends of a spring were moved along an axis, where one of them is a pin.
pub(crate) fn tell(
    model: &Model,
    axis: usize,
    &Spring { a, b, .. }: &Spring,
    (by_a, by_b): (f64, f64),
    listener: &mut impl Listener,
) {
    match (model.pinned[a], model.pinned[b]) {
        (true, false) => listener.moved(model, axis, a, b, by_b),
        (false, true) => listener.moved(model, axis, b, a, by_a),
        _ => {}
    }
}

/// v' = (x' - x)/dt of free nodes, x being `start`. Pins keep the velocity that they are held with.
pub(crate) fn velocities(model: &Model, start: &[f64], state: &mut State, dt: f64) {
    let n = model.nodes();
    for (index, (v, x)) in state.v.iter_mut().zip(&state.x).enumerate() {
        if !model.pinned[index % n] {
            *v = (x - start[index]) / dt;
        }
    }
}
