//! Interface between methods and the body that they move.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::{Blocks, Entry, Force, Jacobian, Known, Shared, SpringForce, Term};
use crate::body::{Body, Model, SpringMemory, State};
use crate::budget::{Cost, Item, Meter};
use crate::drive::Anchors;
use std::{cell::RefCell, sync::Arc};

/// A model with the forces that act on it and the memory of its springs.
#[derive(Clone, Copy)]
pub struct System<'a> {
    /// Masses, springs and pins.
    pub model: &'a Model,
    /// Plastic strain and broken springs so far; constant during a step.
    pub springs: &'a SpringMemory,
    forces: &'a [Arc<dyn Force>],
    anchors: &'a Anchors,
    meter: Option<&'a Meter>,
    sum: Option<&'a RefCell<dyn AccelerationSum>>,
    repeats: bool,
    length_changes: u64,
}

impl<'a> System<'a> {
    /// Returns the system with these forces in place of its own.
    pub(crate) fn with_forces<'b>(&self, forces: &'b [Arc<dyn Force>]) -> System<'b>
    where
        'a: 'b,
    {
        System { forces, sum: None, ..*self }
    }

    /// Creates a system whose forces are summed in the given order.
    pub fn new(
        model: &'a Model,
        springs: &'a SpringMemory,
        forces: &'a [Arc<dyn Force>],
        anchors: &'a Anchors,
    ) -> Self {
        Self {
            model,
            springs,
            forces,
            anchors,
            meter: None,
            sum: None,
            repeats: false,
            length_changes: 0,
        }
    }

    /// Returns the system with a meter that counts the cost of methods.
    pub(crate) fn metered(self, meter: &'a Meter) -> Self {
        Self { meter: Some(meter), ..self }
    }

    /// Returns the system with the number of changes of rest lengths so far. Methods that store
    /// copies of rest lengths update them when the number changes.
    pub(crate) fn with_length_changes(self, length_changes: u64) -> Self {
        Self { length_changes, ..self }
    }

    /// Number of changes of rest lengths so far; 0 if they are constant.
    pub(crate) fn length_changes(&self) -> u64 {
        self.length_changes
    }

    /// Returns the system with a kernel that sums its forces. The kernel is valid until another
    /// spring breaks.
    pub fn summed(self, sum: &'a RefCell<dyn AccelerationSum>) -> Self {
        Self { sum: Some(sum), ..self }
    }

    /// Returns the system for a step that starts from the end positions of the method's last step.
    pub(crate) fn going_on(self) -> Self {
        Self { repeats: self.forces.iter().all(|force| is_of_positions(force.as_ref())), ..self }
    }

    /// Whether an evaluation would give the same accelerations as the last evaluation of the
    /// previous step. This is the case if no node has moved since, and no force depends on
    /// velocities or on time.
    pub fn repeats(&self) -> bool {
        self.repeats
    }

    /// Counts a part of a step that the method's [`Cost`] does not include. Methods call it before
    /// the part runs. Returns `false` if the budget is exhausted: the method then abandons the
    /// step, and its state is invalid.
    pub fn charge(&self, cost: Cost) -> bool {
        self.meter.is_none_or(|meter| meter.spend_on(cost))
    }

    /// Counts operations, for the cost of the run. Returns `false` if the budget is exhausted, like
    /// [`System::charge`].
    pub(crate) fn count(&self, item: Item, count: u64) -> bool {
        self.meter.is_none_or(|meter| meter.count(item, count))
    }

    /// Number of operations that the remaining budget of the run pays for.
    pub(crate) fn left_for(&self, item: Item) -> u64 {
        self.meter.map_or(u64::MAX, |meter| meter.left_for(item))
    }

    /// Returns the body in the form that forces use.
    pub fn body(&self) -> Body<'a> {
        Body { model: self.model, springs: self.springs }
    }

    /// All forces, in the order of summation.
    pub(crate) fn forces(&self) -> &'a [Arc<dyn Force>] {
        self.forces
    }

    /// Moves the pinned nodes of a state to their positions at its time, and sets their velocities.
    /// Methods call this before they evaluate forces at times other than the start of a step.
    pub fn hold(&self, state: &mut State) {
        self.anchors.apply(state);
    }

    /// Writes the acceleration of each node under all forces to `a`, flat by axis. Pinned nodes get
    /// 0.
    pub fn accelerations(&self, state: &State, a: &mut [f64]) {
        self.accelerations_of(state, a, false);
    }

    /// Writes the accelerations without elastic forces to `a`, for methods that hold lengths
    /// instead of integrating springs.
    pub fn external_accelerations(&self, state: &State, a: &mut [f64]) {
        self.accelerations_of(state, a, true);
    }

    /// All forces as numbers, in order; `None` if kernels do not support one of them.
    pub fn terms(&self) -> Option<Vec<Term<'a>>> {
        self.forces.iter().map(|force| force.term()).collect()
    }

    /// The forces except elastic ones as numbers, for methods that hold lengths instead of
    /// integrating springs.
    pub fn external_terms(&self) -> impl Iterator<Item = Option<Term<'a>>> + use<'a> {
        self.forces.iter().filter(|force| !force.is_elastic()).map(|force| force.term())
    }

    /// Derivatives of the forces with respect to positions and velocities at a state.
    pub fn jacobian(&self, state: &State) -> Jacobian {
        let mut jacobian = Jacobian::default();
        self.each_block(state, false, &mut |entry| jacobian.entries.push(*entry));
        jacobian
    }

    /// Passes each block of the Jacobian to `take`, in the order of the forces. See
    /// [`Blocks::is_definite`].
    pub fn each_block(&self, state: &State, is_definite: bool, take: &mut dyn FnMut(&Entry)) {
        let (body, mut blocks) = (self.body(), Blocks::new(is_definite, take));
        for force in self.forces {
            force.add_jacobian(&body, state, &mut blocks);
        }
    }

    /// Passes each block of the Jacobian to `take`, and couplings over many nodes to `take_shared`.
    pub fn each_coupling(
        &self,
        state: &State,
        is_definite: bool,
        take: &mut dyn FnMut(&Entry),
        take_shared: &mut dyn FnMut(Shared),
    ) {
        let body = self.body();
        let mut blocks = Blocks::with_shared(is_definite, take, take_shared);
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
        for force in self.forces.iter().filter(|force| !(is_external && force.is_held())) {
            force.add_to(&body, state, a);
        }
        for axis in a.chunks_exact_mut(self.model.nodes()) {
            for (i, value) in axis.iter_mut().enumerate() {
                *value = if self.model.pinned[i] { 0.0 } else { *value / self.model.mass[i] };
            }
        }
    }
}

/// Sums the forces of a system. The result is bit-identical to plain loops.
pub trait AccelerationSum: Send {
    /// Writes the acceleration of each node to `a`, flat by axis, under all forces or under those
    /// that are not elastic. Pinned nodes get 0.
    fn accelerations(
        &mut self,
        system: &System<'_>,
        state: &State,
        a: &mut [f64],
        is_external: bool,
    );
}

/// Whether a force is known to depend only on positions, for a constant memory of springs.
pub(crate) fn is_of_positions(force: &dyn Force) -> bool {
    let known = force.known();
    matches!(known, Some(Known::Gravity { .. } | Known::Springs(SpringForce::Elastic { .. })))
}
