//! Ropes over pulleys in methods that hold lengths: one constraint per route, along its whole way.
//!
//! A route without friction, inertia and motor is held: C = ℓ - l is at most 0. A correction moves
//! its nodes along the gradient g of the length by w λ g, with the inverse masses w. A rigid rope
//! has λ = C/Σ w g², repeated until it is no longer than its rest length. An elastic one has the
//! tension T of its compliance α = l/EA, as in `xpbd`. Other routes act as forces in these methods.

use super::projection::{Projection, held};
use super::reaction::Listener;
use crate::body::vector::{Vec3, dot};
use crate::body::{Model, State};
use crate::force::System;
use crate::force::applied::Route;

/// Maximum number of corrections of a rigid route at a time.
const MOST_CORRECTIONS: usize = 50;

/// Largest excess of a rigid route, as a share of its length.
const EXACT: f64 = 1e-14;

/// Kind of constraint on routes.
pub(super) enum Hold<'a> {
    /// At their length.
    Rigid,
    /// By their stiffness, with the tension of each route so far.
    Elastic(&'a mut Vec<f64>),
}

/// A route that a method holds, at one time.
struct Held<'a> {
    route: &'a Route,
    system: &'a System<'a>,
    weights: &'a [f64],
    t: f64,
}

/// Corrects all routes once, in order. Returns whether one of them was too long.
pub(super) fn hold(
    projection: &Projection<'_>,
    x: &mut [f64],
    how: &mut Hold<'_>,
    listener: &mut impl Listener,
) -> bool {
    let Projection { system, weights, t, h, .. } = *projection;
    let mut was_long = false;
    for (index, route) in held(system).enumerate() {
        let held = Held { route, system, weights, t };
        was_long |= match how {
            Hold::Rigid => held.shorten(x, listener),
            Hold::Elastic(tensions) => {
                tensions.resize(tensions.len().max(index + 1), 0.0);
                held.pull(x, h, &mut tensions[index], listener);
                false
            }
        };
    }
    was_long
}

/// Corrects all routes of a system at their length, in positions at a time.
pub(super) fn hold_rigid(
    system: &System<'_>,
    weights: &[f64],
    state: &mut State,
    listener: &mut impl Listener,
) {
    for route in held(system) {
        Held { route, system, weights, t: state.t }.shorten(&mut state.x, listener);
    }
}

impl Held<'_> {
    /// Moves the nodes until the rope is no longer than its rest length. Returns whether it was.
    fn shorten(&self, x: &mut [f64], listener: &mut impl Listener) -> bool {
        let mut was_long = false;
        for _ in 0..MOST_CORRECTIONS {
            let (excess, rest, gradient) = self.measure(x);
            let weight = self.weight(&gradient);
            if !(excess > EXACT * rest && weight > 0.0) {
                break;
            }
            was_long = true;
            self.shift(x, &gradient, excess / weight, listener);
        }
        was_long
    }

    /// Changes the tension of an elastic rope to that of its stretch.
    fn pull(&self, x: &mut [f64], h: f64, tension: &mut f64, listener: &mut impl Listener) {
        let (excess, rest, gradient) = self.measure(x);
        let (weight, compliance) = (self.weight(&gradient), rest / self.route.axial);
        if weight == 0.0 {
            return;
        }
        let square = h * h;
        let change = (excess - compliance * *tension) / (square * weight + compliance);
        let change = change.max(-*tension);
        *tension += change;
        self.shift(x, &gradient, square * change, listener);
    }

    /// Excess over the rest length, that length, and the gradient by each node.
    fn measure(&self, x: &[f64]) -> (f64, f64, Vec<(usize, Vec3)>) {
        let state = State { t: self.t, x: x.to_vec(), v: vec![0.0; x.len()] };
        let (length, rest, gradient) = self.route.stretched(&self.system.body(), &state);
        (length - rest, rest, gradient)
    }

    /// Σ w g².
    fn weight(&self, gradient: &[(usize, Vec3)]) -> f64 {
        gradient.iter().map(|(node, by_x)| self.weights[*node] * dot(*by_x, *by_x)).sum()
    }

    /// Moves each node by -w λ g, and tells of the impulses on pins.
    fn shift(
        &self,
        x: &mut [f64],
        gradient: &[(usize, Vec3)],
        amount: f64,
        listener: &mut impl Listener,
    ) {
        let model: &Model = self.system.model;
        let n = model.nodes();
        let free = (0..n).find(|node| self.weights[*node] > 0.0);
        for (node, by_x) in gradient {
            for (axis, component) in by_x.iter().enumerate().take(model.axes) {
                x[axis * n + node] -= self.weights[*node] * amount * component;
                if let (true, Some(free)) = (model.pinned[*node], free) {
                    let by = amount * component / model.mass[free];
                    listener.moved(model, axis, *node, free, by);
                }
            }
        }
    }
}
