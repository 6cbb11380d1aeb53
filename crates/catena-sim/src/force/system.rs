//! What a method may ask about the body that it moves.

use super::{Blocks, Entry, Force, Jacobian, Known, SpringForce, Term};
use crate::body::{Body, Model, SpringMemory, State};
use crate::budget::{Cost, Meter};
use crate::drive::Anchors;
use std::{cell::RefCell, sync::Arc};

/// A model together with the forces that act on it and what its springs have been through.
#[derive(Clone, Copy)]
pub struct System<'a> {
    /// Masses, springs and pins.
    pub model: &'a Model,
    /// Plastic flow and broken springs so far; constant during a step.
    pub springs: &'a SpringMemory,
    forces: &'a [Arc<dyn Force>],
    anchors: &'a Anchors,
    meter: Option<&'a Meter>,
    sum: Option<&'a RefCell<dyn AccelerationSum>>,
    repeats: bool,
}

impl<'a> System<'a> {
    /// Forces are summed in the order given here.
    pub fn new(
        model: &'a Model,
        springs: &'a SpringMemory,
        forces: &'a [Arc<dyn Force>],
        anchors: &'a Anchors,
    ) -> Self {
        Self { model, springs, forces, anchors, meter: None, sum: None, repeats: false }
    }

    /// The same with a meter that counts what methods take.
    pub(crate) fn metered(self, meter: &'a Meter) -> Self {
        Self { meter: Some(meter), ..self }
    }

    /// The same with a kernel that sums the forces of this system, for as long as no more of its
    /// springs break.
    pub fn summed(self, sum: &'a RefCell<dyn AccelerationSum>) -> Self {
        Self { sum: Some(sum), ..self }
    }

    /// The same for a step that begins with the positions with which the method's last step has
    /// ended.
    pub(crate) fn going_on(self) -> Self {
        Self { repeats: self.forces.iter().all(|force| is_of_positions(force.as_ref())), ..self }
    }

    /// Whether a method that asked for accelerations at the end of its last step, after it had
    /// moved and held all nodes, would get the same numbers if it asked again: nothing has moved
    /// since, and no force depends on velocities or on time.
    pub fn repeats(&self) -> bool {
        self.repeats
    }

    /// Counts a part of a step beyond what its method's [`Cost`] says, before it is taken. Where
    /// this gives `false`, the run is at its end: the step is given up, and its state is of no
    /// matter.
    pub fn goes_on(&self, cost: Cost) -> bool {
        self.meter.is_none_or(|meter| meter.spend_on(cost))
    }

    /// The same for so many nanoseconds.
    pub(crate) fn spend(&self, work: u64) -> bool {
        self.meter.is_none_or(|meter| meter.spend(work))
    }

    /// Nanoseconds that the run may still take.
    pub(crate) fn left(&self) -> u64 {
        self.meter.map_or(u64::MAX, Meter::left)
    }

    /// The body alone, as forces see it.
    pub fn body(&self) -> Body<'a> {
        Body { model: self.model, springs: self.springs }
    }

    /// All forces, in the order in which they are summed.
    pub(crate) fn forces(&self) -> &'a [Arc<dyn Force>] {
        self.forces
    }

    /// Puts the pinned nodes of a state where they are at its time, with their velocity. Methods
    /// that ask for forces at other times than the beginning of a step do this first.
    pub fn hold(&self, state: &mut State) {
        self.anchors.apply(state);
    }

    /// Acceleration of each node under all forces, into `a` (flat by axis). Pinned nodes get 0.
    pub fn accelerations(&self, state: &State, a: &mut [f64]) {
        self.accelerations_of(state, a, false);
    }

    /// The same without elastic forces, for methods that hold lengths instead of integrating
    /// springs.
    pub fn external_accelerations(&self, state: &State, a: &mut [f64]) {
        self.accelerations_of(state, a, true);
    }

    /// All forces in numbers, in order; `None` where kernels do not know one of them.
    pub fn terms(&self) -> Option<Vec<Term<'a>>> {
        self.forces.iter().map(|force| force.term()).collect()
    }

    /// The same without elastic forces, for methods that hold lengths instead of integrating
    /// springs.
    pub fn external_terms(&self) -> impl Iterator<Item = Option<Term<'a>>> + use<'a> {
        self.forces.iter().filter(|force| !force.is_elastic()).map(|force| force.term())
    }

    /// How the forces change with positions and velocities at a state.
    pub fn jacobian(&self, state: &State) -> Jacobian {
        let mut jacobian = Jacobian::default();
        self.each_block(state, false, &mut |entry| jacobian.entries.push(*entry));
        jacobian
    }

    /// The same, block by block: hands each to `take`, in the order of the forces. See
    /// [`Blocks::is_definite`].
    pub fn each_block(&self, state: &State, is_definite: bool, take: &mut dyn FnMut(&Entry)) {
        let (body, mut blocks) = (self.body(), Blocks::new(is_definite, take));
        for force in self.forces {
            force.add_jacobian(&body, state, &mut blocks);
        }
    }

    /// Potential energy of all forces that have one.
    pub fn potential(&self, state: &State) -> f64 {
        let body = self.body();
        self.forces.iter().map(|force| force.energy().potential(&body, state)).sum()
    }

    fn accelerations_of(&self, state: &State, a: &mut [f64], is_external: bool) {
        if let Some(mut sum) = self.sum.and_then(|sum| sum.try_borrow_mut().ok()) {
            return sum.accelerations(self, state, a, is_external);
        }
        let body = self.body();
        a.fill(0.0);
        for force in self.forces.iter().filter(|force| !(is_external && force.is_elastic())) {
            force.add_to(&body, state, a);
        }
        for axis in a.chunks_exact_mut(self.model.nodes()) {
            for (i, value) in axis.iter_mut().enumerate() {
                *value = if self.model.pinned[i] { 0.0 } else { *value / self.model.mass[i] };
            }
        }
    }
}

/// Sums the forces of a system, with the bits of their plain loops.
pub trait AccelerationSum: Send {
    /// Acceleration of each node under all forces, or under those that are not elastic, into `a`,
    /// flat by axis; 0 for pinned nodes.
    fn accelerations(
        &mut self,
        system: &System<'_>,
        state: &State,
        a: &mut [f64],
        is_external: bool,
    );
}

/// Whether a force is known to depend on positions alone, as long as springs remember the same.
fn is_of_positions(force: &dyn Force) -> bool {
    let known = force.known();
    matches!(known, Some(Known::Gravity { .. } | Known::Springs(SpringForce::Elastic { .. })))
}
