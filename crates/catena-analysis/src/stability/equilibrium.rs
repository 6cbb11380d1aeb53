//! Finds the rest shape of any body: the minimum of its energy, by damped Newton steps.
//!
//! A step solves (M/h² + K) Δx = f with the static forces f and the positive semidefinite part K of
//! their negative derivative -∂f/∂x. A step with a short h follows the forces downhill; with a long
//! h it is a step of Newton's method. h grows after each step that lowers the energy. Once energies
//! differ only by rounding, h grows after each step that lowers the forces. After any other step, h
//! shrinks. Work is counted, not timed.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use crate::budget::{CoreTime, StudyBudget};
use catena_sim::{
    Force, Setup, SpringMemory, State, System,
    body::{hanging::LinkLaw, paths::Neighbours, vector::norm},
    drive::Anchors,
    force::AtRest,
    linear::{Kind, Limits, LinearSystem, Weights},
};
use std::{borrow::Cow, sync::Arc};

/// Budget of a search in the study of one body.
pub(super) const WORK: CoreTime = CoreTime { seconds: 0.2 };
/// Residual force at which the search ends, as a share of the total weight.
const EXACT: f64 = 1e-10;
/// Limits of the iterative solver, for bodies that are not solved directly.
const SOLUTION: Limits = Limits { tolerance: 1e-8, iterations: 400 };
/// Factor on h² after a step that lowers the energy or, up to rounding, the forces.
const LONGER: f64 = 16.0;
/// Factor on h² after any other step.
const SHORTER: f64 = 0.25;

/// Result of a search.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Equilibrium {
    /// Rest positions, flat by axis.
    At(Vec<f64>),
    /// Not searched: nothing holds the body, or forces other than weight and springs act.
    Unsought,
    /// Not found: the budget was spent, or no step improved the shape.
    NotFound,
}

/// Whether only weight and Hookean springs determine the rest shape, and every node is connected to
/// a pin.
fn is_known(setup: &Setup) -> bool {
    let knows = |at_rest: AtRest<'_>| match at_rest {
        AtRest::Nothing | AtRest::Weight(_) => true,
        AtRest::Springs { law, .. } => law.is_linear(),
        AtRest::Other => false,
    };
    let model = &setup.model;
    let pins: Vec<usize> = (0..model.nodes()).filter(|&node| model.pinned[node]).collect();
    let lengths = vec![1.0; model.structural];
    let is_held = || {
        let reached = Neighbours::new(model, |_| false).shortest_paths(&lengths, &pins);
        reached.len() == model.nodes()
    };
    setup.forces.iter().all(|force| knows(force.at_rest()))
        && setup.anchors.is_empty()
        && setup.lengths.is_empty()
        && setup.events.is_empty()
        && setup.contacts.is_empty()
        && setup.breaks_at.is_none()
        && setup.position_factor == 1.0
        && setup.gravity_strength() > 0.0
        && is_held()
}

/// Searches for the rest shape of a body from its initial state, within a budget. Springs have the
/// stiffness of the model. Adds the nanoseconds of the search to `work`.
pub(super) fn equilibrium(setup: &Setup, maximum: CoreTime, work: &mut u64) -> Equilibrium {
    if !is_known(setup) {
        return Equilibrium::Unsought;
    }
    let anchors = Anchors::new(&setup.model, &setup.initial, &setup.anchors);
    let memory = SpringMemory::default();
    let system = System::new(&setup.model, &memory, &setup.forces, &anchors);
    let mut budget = StudyBudget::new(maximum);
    let found = EquilibriumSearch::new(setup, system).run(&mut budget);
    *work += budget.spent_of(maximum);
    found.map_or(Equilibrium::NotFound, Equilibrium::At)
}

/// Maximum cost of the rest searches in a prediction for one body; 0 if there are none.
pub fn max_work(setup: &Setup) -> CoreTime {
    let has_search = is_known(setup) && setup.hanging_chain(LinkLaw::Elastic).is_none();
    WORK.times(if has_search { steady(setup).len() as f64 } else { 0.0 })
}

struct EquilibriumSearch<'a> {
    setup: &'a Setup,
    system: System<'a>,
    linear: LinearSystem,
    state: State,
    force: Vec<f64>,
}

impl<'a> EquilibriumSearch<'a> {
    fn new(setup: &'a Setup, system: System<'a>) -> Self {
        let state = State::at_rest(setup.initial.x.clone());
        let linear = LinearSystem::new(&setup.model, SOLUTION);
        let force = vec![0.0; state.x.len()];
        Self { setup, system, linear, state, force }
    }

    fn run(mut self, budget: &mut StudyBudget) -> Option<Vec<f64>> {
        let model = &self.setup.model;
        let solution = self.setup.prices().solution;
        let weight: f64 = model.mass.iter().sum::<f64>() * self.setup.gravity_strength();
        let mut step = vec![0.0; self.state.x.len()];
        // With h² = m/k, nodes move about as far as the stiffest spring allows.
        let stiffest = model.springs.iter().fold(0.0_f64, |maximum, it| maximum.max(it.stiffness));
        let lightest = model.mass.iter().copied().fold(f64::INFINITY, f64::min);
        let mut square = lightest / stiffest;
        let mut energy = self.update_forces();
        let mut left = norm(&self.force);
        while left > EXACT * weight {
            if !budget.spend(1.0, solution) || !square.is_normal() {
                return None;
            }
            let weights = Weights { by_v: 0.0, by_x: square };
            self.linear.assemble(&self.system, &self.state, weights, Kind::Definite, None);
            let right: Vec<f64> = self.force.iter().map(|force| square * force).collect();
            // An inexact direction still leads downhill.
            budget.take(self.linear.solve_counted(&right, &mut step, budget.left().whole()));
            let before = self.state.x.clone();
            self.state.x.iter_mut().zip(&step).for_each(|(x, step)| *x += step);
            let force_before = self.force.clone();
            let next = self.update_forces();
            let rest = norm(&self.force);
            let is_level = (next - energy).abs() <= 1e-12 * energy.abs();
            if next < energy || (is_level && rest < left) {
                (energy, left) = (next, rest);
                square *= LONGER;
            } else {
                (self.state.x, self.force) = (before, force_before);
                square *= SHORTER;
            }
        }
        Some(self.state.x)
    }

    /// Updates the forces on free nodes, and returns the energy.
    fn update_forces(&mut self) -> f64 {
        self.system.accelerations(&self.state, &mut self.force);
        let mass = &self.setup.model.mass;
        let n = mass.len();
        self.force.iter_mut().enumerate().for_each(|(index, force)| *force *= mass[index % n]);
        self.system.potential(&self.state)
    }
}

/// Setups with everything constant. Time-dependent drag gives two setups, with its minimum and its
/// maximum, each returned with that drag; otherwise the drag is `None`. Ropes of changing length
/// give one setup with their initial lengths and one with their minimum lengths.
pub(super) fn steady(setup: &Setup) -> Vec<(Cow<'_, Setup>, Option<f64>)> {
    if !setup.lengths.is_empty() {
        let start = setup.clone().with_lengths_at(setup.start_time);
        let shortest = Setup { model: setup.shortest_model(), ..start.clone() };
        let owned =
            |(setup, drag): (Cow<'_, Setup>, Option<f64>)| (Cow::Owned(setup.into_owned()), drag);
        let all = [&start, &shortest].into_iter().flat_map(steady_drag);
        return all.map(owned).collect();
    }
    steady_drag(setup)
}

/// Setups with constant drag, as in [`steady`].
fn steady_drag(setup: &Setup) -> Vec<(Cow<'_, Setup>, Option<f64>)> {
    let changing = setup.forces.iter().position(|force| !force.extremes().is_empty());
    let Some(index) = changing else { return vec![(Cow::Borrowed(setup), None)] };
    let kept = |force: Arc<dyn Force>| {
        let drag = force.resistance();
        let mut forces = setup.forces.clone();
        forces[index] = force;
        (Cow::Owned(Setup { forces, ..setup.clone() }), Some(drag))
    };
    setup.forces[index].extremes().into_iter().map(kept).collect()
}
