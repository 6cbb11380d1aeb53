//! Ropes over pulleys in methods that hold lengths: one constraint per route, for its whole length.
//!
//! A route without friction, inertia and motor is a constraint: C = ℓ - l is at most 0, with the
//! length ℓ and the rest length l. A correction moves its nodes by -w λ g, with the inverse masses
//! w and the gradient g of the length. For a rigid rope, corrections with λ = C/Σ w g² repeat until
//! the rope is not longer than its rest length. An elastic rope has a tension by its compliance α =
//! l/EA, as in `xpbd`. Other routes act as forces in these methods.

use super::projection::{Projection, held};
use super::reaction::Listener;
use crate::body::vector::{Vec3, dot};
use crate::body::{Model, State};
use crate::force::System;
use crate::force::applied::Route;

/// Maximum number of successive corrections of a rigid route.
const MAX_CORRECTIONS: usize = 50;

/// Maximum excess length of a rigid route after corrections, as a share of its rest length.
const EXACT: f64 = 1e-14;

/// Kind of constraint on routes.
pub(super) enum Hold<'a> {
    /// Routes do not become longer than their rest length.
    Rigid,
    /// Routes stretch by their stiffness. The list has the current tension of each route.
    Elastic(&'a mut Vec<f64>),
}

/// A route that a method holds as a constraint, at one time.
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

/// Corrects positions until no route of a system is longer than its rest length at the time of
/// `state`.
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
    /// Moves the nodes until the rope is not longer than its rest length. Returns whether it was
    /// longer.
    fn shorten(&self, x: &mut [f64], listener: &mut impl Listener) -> bool {
        let mut was_long = false;
        for _ in 0..MAX_CORRECTIONS {
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

    /// Corrects the tension of an elastic rope towards the tension of its stretch, and moves the
    /// nodes.
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

    /// Returns the excess over the rest length, the rest length, and the gradient of the length
    /// with respect to each node.
    fn measure(&self, x: &[f64]) -> (f64, f64, Vec<(usize, Vec3)>) {
        let state = State { t: self.t, x: x.to_vec(), v: vec![0.0; x.len()] };
        let (length, rest, gradient) = self.route.stretched(&self.system.body(), &state);
        (length - rest, rest, gradient)
    }

    /// Returns Σ w g².
    fn weight(&self, gradient: &[(usize, Vec3)]) -> f64 {
        gradient.iter().map(|(node, by_x)| self.weights[*node] * dot(*by_x, *by_x)).sum()
    }

    /// Moves each node by -w λ g, and reports the impulses on pins. `amount` is λ.
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
