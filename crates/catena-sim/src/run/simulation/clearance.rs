//! Detects frames in which nothing can touch a collider. A kernel takes all steps of such a frame
//! at once, without checks between them.
//!
//! The test needs a bound D on the displacement of nodes from the start of the frame. Spring
//! lengths then differ by at most 2 D from the lengths at the start, which bounds every force. With
//! these forces no node may be farther than D after the next step. The minimum D for the whole
//! frame follows from one linear equation.

use super::Simulation;
use crate::body::State;
use crate::body::vector::norm;
use crate::force::{Part, Term};
use crate::run::Setup;

/// Factor on a bound, so that rounding errors do not matter.
const MARGIN: f64 = 1.01;

/// Maximum feedback of the bound on itself. Above this value, the bound is too large to be useful.
const MAX: f64 = 0.9;

impl Simulation {
    /// Returns whether contacts certainly do nothing in the next frame, so that no step needs a
    /// check. May update the boxes of the contact solver.
    pub(super) fn is_clear(&mut self) -> bool {
        let contacts = &self.setup.contacts;
        let is_possible = contacts.own.is_none() && contacts.drawn.is_none();
        if !is_possible || !self.displaced.is_empty() || !self.integrator.follows_forces() {
            return false;
        }
        let Some(farthest) = farthest(&self.setup, &self.state) else { return false };
        self.fence().is_some_and(|fence| fence.reach.iter().all(|reach| *reach >= farthest))
    }
}

/// Bound on the displacement of any node in a frame, for a method whose steps use the forces at
/// their start; `None` if there is no bound.
fn farthest(setup: &Setup, state: &State) -> Option<f64> {
    let (model, n, dt) = (&setup.model, setup.model.nodes(), setup.dt());
    let (time, steps) = (setup.frame_time, setup.substeps as f64);
    let (mut weight, mut drag, mut blown) = (0.0, 0.0, 0.0);
    // Forces at the start of the frame, and their growth with D.
    let mut pulls = vec![(0.0, 0.0); n];
    for force in &setup.forces {
        let springs = match force.term()? {
            Term::Gravity { acceleration } => {
                weight += norm(acceleration);
                continue;
            }
            Term::Drag { coefficient, wind } => {
                drag += coefficient;
                blown += coefficient * norm(wind);
                continue;
            }
            Term::Hooke(Part::Held) => &model.springs[..model.held],
            Term::Hooke(Part::Bending) => &model.springs[model.held..],
        };
        for spring in springs {
            let stretch = model.span(&state.x, spring).1 - spring.rest_length;
            for node in [spring.a, spring.b] {
                pulls[node].0 += spring.stiffness * stretch.abs();
                pulls[node].1 += 2.0 * spring.stiffness;
            }
        }
    }
    let (mut acceleration, mut growth_rate, mut drag_rate, mut speed) =
        (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    for node in (0..n).filter(|node| !model.pinned[*node]) {
        let (mass, (pull, growth)) = (model.mass[node], pulls[node]);
        acceleration = acceleration.max(weight + (pull + blown) / mass);
        growth_rate = growth_rate.max(growth / mass);
        drag_rate = drag_rate.max(drag / mass);
        speed = speed.max(norm(state.velocity(n, node)));
    }
    // The maximum speed, to which all accelerations add, bounds the drag.
    let left = 1.0 - drag_rate * time;
    let fall = 0.5 * time * (time + dt);
    let share = fall * growth_rate / left;
    if !(left >= 1.0 - MAX && share <= MAX) {
        return None;
    }
    let displacement = time * speed + fall * (acceleration + drag_rate * speed) / left;
    let size = state.x.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    let farthest = MARGIN * displacement / (1.0 - share);
    Some(farthest + 4.0 * f64::EPSILON * steps * (size + farthest))
}
