//! Changes of a run from outside, between steps: pins, pushes, impulses and whole states.
//!
//! They use the mechanism of events: a change of pins or forces creates a new setup from the first
//! one, and the method restarts from the state. The memory of all changes is part of a checkpoint.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::{Outcome, Simulation, with_memory};
use crate::body::Model;
use crate::body::vector::{Vec3, norm, sub};
use crate::drive::event::action::Release;
use crate::drive::{Anchor, Driven, Velocity};
use crate::force::{Account, Pushes};
use crate::method::Displaced;
use crate::named::BadSetup;
use crate::run::Setup;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A pin that is moved from outside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SteeredPin {
    /// Index of the node.
    pub node: usize,
    /// Position and velocity of the pin, and the time from which the pin moves at this constant
    /// velocity. `None` for a pin that is held at its position in the state.
    pub motion: Option<(Vec3, Vec3, f64)>,
}

/// A constant force on a node from outside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Push {
    /// Index of the node.
    pub node: usize,
    /// Force, in units of force; unused axes are 0.
    pub force: Vec3,
    /// Step count, from the start, after which the force ends.
    pub until: u64,
}

/// All changes of a run from outside. The default is a run without changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Steering {
    /// Pins that were moved, at most one entry per node.
    pub pins: Vec<SteeredPin>,
    /// Currently acting forces.
    pub pushes: Vec<Push>,
    /// Increase of the strain above which the run counts as diverged.
    pub strain: f64,
    /// First step of an incomplete frame after which the state counted as diverged.
    pub suspect: Option<u64>,
}

impl Steering {
    /// Whether nothing has changed the setup.
    pub(super) fn is_none(&self) -> bool {
        self.pins.is_empty() && self.pushes.is_empty() && self.strain == 0.0
    }

    /// Whether these changes can belong to a run of this model.
    pub(super) fn fits(&self, model: &Model) -> bool {
        let is_node = |node: usize| node < model.nodes();
        let is_finite = |vector: &Vec3| vector.iter().all(|component| component.is_finite());
        let moves = |pin: &SteeredPin| {
            pin.motion.is_none_or(|(place, velocity, from)| {
                is_finite(&place) && is_finite(&velocity) && from.is_finite()
            })
        };
        self.pins.iter().all(|pin| is_node(pin.node) && moves(pin))
            && self.pushes.iter().all(|push| is_node(push.node) && is_finite(&push.force))
            && self.strain >= 0.0
    }

    /// Applies all changes to a setup.
    pub(super) fn steer(&self, setup: &mut Setup) {
        if self.is_none() {
            return;
        }
        for pin in &self.pins {
            setup.anchors.retain(|anchor| anchor.node != pin.node);
            if let Some((place, velocity, from)) = pin.motion {
                let curve = Driven::new(place, Velocity::Constant(velocity), from, None);
                setup.anchors.push(Anchor { node: pin.node, curve: Arc::new(curve) });
            }
        }
        if !self.pushes.is_empty() {
            let mut pushes = Pushes::none(&setup.model);
            self.pushes.iter().for_each(|push| pushes.add(&setup.model, push.node, push.force));
            setup.forces.push(Arc::new(pushes));
        }
        setup.strain_limit = setup.strain_limit.max(setup.natural_strain_limit()) + self.strain;
    }
}

/// Factor on strains, the same as in [`Setup::natural_strain_limit`].
const MARGIN: f64 = 10.0;

impl Simulation {
    /// Changes from outside so far.
    pub fn steering(&self) -> &Steering {
        &self.steering
    }

    /// Pins a node, or moves a pin. The pin starts at `place`, or at its current position if
    /// `None`, and moves from there at the constant `velocity`. Without a velocity it stays there.
    /// This replaces a curve of the scene.
    ///
    /// # Errors
    /// There is no such node, or a vector does not have one finite number per axis.
    pub fn pin(
        &mut self,
        node: usize,
        place: Option<&[f64]>,
        velocity: Option<&[f64]>,
    ) -> Result<(), BadSetup> {
        self.check_node(node)?;
        let (n, now) = (self.setup.model.nodes(), self.state.t);
        let place = match place {
            Some(place) => self.vector("place", place)?,
            None => self.state.position(n, node),
        };
        let velocity = velocity.map_or(Ok([0.0; 3]), |it| self.vector("velocity", it))?;
        self.record_pins();
        let start = self.first_setup.initial.position(n, node);
        let distance = norm(sub(place, start)) / self.setup.model.rest_length();
        let is_wider = self.allow(MARGIN * distance);
        let is_held = self.setup.model.pinned[node]
            && self.setup.anchors.iter().all(|anchor| anchor.node != node);
        for axis in 0..self.setup.model.axes {
            self.state.x[axis * n + node] = place[axis];
            self.state.v[axis * n + node] = velocity[axis];
        }
        let motion = (velocity != [0.0; 3]).then_some((place, velocity, now));
        self.steer_pin(node, motion);
        self.pin_in_memory(node);
        // If the pin was held before and is held after, the setup does not change.
        match is_held && motion.is_none() && !is_wider {
            true => self.restart(&[node]),
            false => self.change(&[node]),
        }
        self.book(Account::Anchors);
        Ok(())
    }

    /// Releases a pinned node, which keeps the velocity of its pin.
    ///
    /// # Errors
    /// There is no such node, or it is not pinned.
    pub fn release(&mut self, node: usize) -> Result<(), BadSetup> {
        self.check_node(node)?;
        self.record_pins();
        let released = self.act(&Release { node }, None);
        released.map(|_| ()).map_err(|why| BadSetup::new("node", why))
    }

    /// Adds a constant force on a node to the next `steps` steps. Forces on one node add up. A
    /// pinned node does not move.
    ///
    /// # Errors
    /// There is no such node, or the force does not have one finite number per axis.
    pub fn push(&mut self, node: usize, force: &[f64], steps: u64) -> Result<(), BadSetup> {
        self.push_all(&[(node, force)], steps)
    }

    /// Adds constant forces on nodes to the next `steps` steps: see [`Simulation::push`].
    ///
    /// # Errors
    /// A node does not exist, or a force does not have one finite number per axis. In that case
    /// nothing changes.
    pub fn push_all(&mut self, forces: &[(usize, &[f64])], steps: u64) -> Result<(), BadSetup> {
        let mut pushes = Vec::with_capacity(forces.len());
        let until = self.steps.saturating_add(steps);
        for (node, force) in forces {
            self.check_node(*node)?;
            pushes.push(Push { node: *node, force: self.vector("force", force)?, until });
        }
        if steps > 0 && !pushes.is_empty() {
            self.steering.pushes.extend(pushes);
            self.change(&[]);
        }
        Ok(())
    }

    /// Ends all forces of [`Simulation::push`].
    pub fn end_all_pushes(&mut self) {
        if self.is_pushed() {
            self.steering.pushes.clear();
            self.change(&[]);
        }
    }

    /// Changes the momentum of a free node instantly: v' = v + J/m.
    ///
    /// # Errors
    /// There is no such node, it is pinned, or the impulse does not have one finite number per
    /// axis.
    pub fn kick(&mut self, node: usize, impulse: &[f64]) -> Result<(), BadSetup> {
        self.check_node(node)?;
        let impulse = self.vector("impulse", impulse)?;
        let setup = Arc::clone(&self.setup);
        let Model { axes, mass, pinned, .. } = &setup.model;
        let message = format!("node {node} is pinned, so an impulse cannot move it");
        BadSetup::unless(!pinned[node], "node", message)?;
        self.undisturbed.clone_from(&self.state);
        for (axis, component) in impulse.iter().enumerate().take(*axes) {
            self.state.v[axis * mass.len() + node] += component / mass[node];
        }
        let what = Displaced {
            nodes: &[node],
            model: &setup.model,
            before: &self.undisturbed,
            state: &self.state,
        };
        self.integrator.displaced(&what, setup.dt());
        if self.allow(MARGIN * setup.strain_of(&self.state)) {
            self.change(&[]);
        }
        self.book(Account::External);
        Ok(())
    }

    /// Sets all positions and velocities, flat by axis as in a state. The method restarts from
    /// them, and rods discard their turns. Pins are held at their new positions, except those on
    /// curves. A diverged run counts as valid again.
    ///
    /// # Errors
    /// A list has the wrong length, or a number is not finite.
    pub fn set_motion(&mut self, x: &[f64], v: &[f64]) -> Result<(), BadSetup> {
        for (field, values, now) in
            [("positions", x, &self.state.x), ("velocities", v, &self.state.v)]
        {
            let message = format!("expected {} finite numbers", now.len());
            let is_fine = values.len() == now.len() && values.iter().all(|it| it.is_finite());
            BadSetup::unless(is_fine, field, message)?;
        }
        self.record_pins();
        let n = self.setup.model.nodes();
        let is_moved = |node: usize| (node..x.len()).step_by(n).any(|i| self.state.x[i] != x[i]);
        let is_held = |node: usize| {
            self.setup.model.pinned[node] && self.setup.anchors.iter().all(|it| it.node != node)
        };
        let moved: Vec<usize> = (0..n).filter(|node| is_held(*node) && is_moved(*node)).collect();
        self.state.x.copy_from_slice(x);
        self.state.v.copy_from_slice(v);
        moved.into_iter().for_each(|node| self.steer_pin(node, None));
        self.allow(MARGIN * self.setup.strain_of(&self.state));
        let springs = std::mem::take(&mut self.springs);
        self.springs = with_memory(&self.setup, springs, &self.state);
        self.take_changes();
        self.anchors.apply(&mut self.state);
        self.tensions_before.clear();
        self.contact_forces.clear();
        self.forget_places();
        if let Some(drawn) = &mut self.drawn {
            drawn.part();
        }
        (self.outcome, self.steering.suspect) = (Outcome::Fine, None);
        self.book(Account::External);
        Ok(())
    }

    /// Whether forces from outside act.
    pub(super) fn is_pushed(&self) -> bool {
        !self.steering.pushes.is_empty()
    }

    /// Ends the forces from outside whose duration is over, at the end of a step.
    pub(super) fn end_pushes(&mut self) {
        let steps = self.steps;
        if self.steering.pushes.iter().any(|push| push.until <= steps) {
            self.steering.pushes.retain(|push| push.until > steps);
            self.change(&[]);
        }
    }

    /// Raises the strain limit, if necessary, to allow a strain that a change from outside causes.
    /// Returns whether the limit changes.
    fn allow(&mut self, strain: f64) -> bool {
        let is_more = strain > self.steering.strain;
        if is_more {
            // Factor 2, so that repeated changes seldom change the limit.
            self.steering.strain = 2.0 * strain;
        }
        is_more
    }

    /// Sets the motion of a pin.
    fn steer_pin(&mut self, node: usize, motion: Option<(Vec3, Vec3, f64)>) {
        self.steering.pins.retain(|pin| pin.node != node);
        self.steering.pins.push(SteeredPin { node, motion });
    }

    /// Marks a node as pinned for later setups.
    fn pin_in_memory(&mut self, node: usize) {
        if self.setup.model.pinned[node] {
            return;
        }
        if self.events.pinned.is_empty() {
            self.events.pinned.clone_from(&self.setup.model.pinned);
        }
        self.events.pinned[node] = true;
    }

    /// Records forces on pins if a ledger is kept, because moving pins do work.
    fn record_pins(&mut self) {
        if self.keeper.is_some() && !self.keeps_reactions {
            self.keep_reactions();
        }
    }

    fn check_node(&self, node: usize) -> Result<(), BadSetup> {
        let nodes = self.setup.model.nodes();
        let message =
            format!("there is no node {node}: nodes are numbered from 0 to {}", nodes - 1);
        BadSetup::unless(node < nodes, "node", message)
    }

    /// Checks a vector with one finite number per axis.
    fn vector(&self, field: &str, components: &[f64]) -> Result<Vec3, BadSetup> {
        let axes = self.setup.model.axes;
        let is_fine = components.len() == axes && components.iter().all(|it| it.is_finite());
        BadSetup::unless(is_fine, field, format!("expected {axes} finite numbers"))?;
        Ok([0, 1, 2].map(|axis| components.get(axis).copied().unwrap_or(0.0)))
    }
}
