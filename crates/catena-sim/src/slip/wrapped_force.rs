//! A force that kernels do not recognise, with optional sums or operations in single precision.

use super::operations;
use crate::body::{Body, Model, State};
use crate::budget::Bill;
use crate::force::applied::Route;
use crate::force::rod::Rods;
use crate::force::{AtRest, Blocks, Derivative, Extent, Force, ForceEnergy, SpringForce};
use crate::identity::{Identifier, Identity};
use crate::named::{BadOption, BadSetup};
use std::{fmt, sync::Arc};

/// A force whose kind is hidden from kernels, which would compute it without the slip.
pub(super) struct WrappedForce {
    pub(super) force: Arc<dyn Force>,
    /// Whether the sum is rounded to single precision after this force.
    pub(super) is_rounded: bool,
    /// Whether every operation of linear springs is rounded.
    pub(super) is_single: bool,
}

impl WrappedForce {
    /// Wraps all forces.
    pub(super) fn wrap_all(forces: &mut [Arc<dyn Force>], is_rounded: bool) {
        Self::wrap(forces, is_rounded, false);
    }

    /// Wraps all forces, so that every operation of linear springs is rounded.
    pub(super) fn wrap_in_operations(forces: &mut [Arc<dyn Force>]) {
        Self::wrap(forces, true, true);
    }

    fn wrap(forces: &mut [Arc<dyn Force>], is_rounded: bool, is_single: bool) {
        for force in forces {
            *force = Arc::new(Self { force: Arc::clone(force), is_rounded, is_single });
        }
    }

    fn around(&self, force: Arc<dyn Force>) -> Arc<dyn Force> {
        Arc::new(Self { force, is_rounded: self.is_rounded, is_single: self.is_single })
    }
}

/// Identity of the wrapped force, so that panels with the same forces are comparable. The slips are
/// part of the setup's identity.
impl Identity for WrappedForce {
    fn identify(&self, to: &mut Identifier<'_>) {
        let Self { force, is_rounded: _, is_single: _ } = self;
        (**force).identify(to);
    }

    fn type_path(&self) -> &'static str {
        self.force.type_path()
    }
}

/// Shows the wrapped force.
impl fmt::Debug for WrappedForce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.force.fmt(f)
    }
}

impl Force for WrappedForce {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        match self.force.spring_force().filter(|_| self.is_single) {
            Some(SpringForce::Elastic { law, part }) if law.is_linear() => {
                return operations::pull(body, part, &state.x, f);
            }
            _ => self.force.add_to(body, state, f),
        }
        if self.is_rounded {
            round_all(f);
        }
    }

    fn add_jacobian(&self, body: &Body<'_>, state: &State, blocks: &mut Blocks<'_>) {
        self.force.add_jacobian(body, state, blocks);
    }

    fn load(&self, model: &Model) -> f64 {
        self.force.load(model)
    }

    fn load_from(&self, model: &Model, initial: &State) -> f64 {
        self.force.load_from(model, initial)
    }

    fn at_rest(&self) -> AtRest<'_> {
        self.force.at_rest()
    }

    fn energy(&self) -> ForceEnergy<'_> {
        self.force.energy()
    }

    fn medium(&self, t: f64) -> Option<[f64; 3]> {
        self.force.medium(t)
    }

    fn holder(&self, from: f64, to: f64) -> Option<[f64; 3]> {
        self.force.holder(from, to)
    }

    fn work_of_holders(&self, body: &Body<'_>, start: &State, end: &State) -> f64 {
        self.force.work_of_holders(body, start, end)
    }

    fn rods(&self) -> Option<&Rods> {
        self.force.rods()
    }

    fn route(&self) -> Option<&Route> {
        self.force.route()
    }

    fn numbers(&self) -> usize {
        self.force.numbers()
    }

    fn work_within(&self, body: &Body<'_>, start: &State, end: &State) -> f64 {
        self.force.work_within(body, start, end)
    }

    fn ahead(&self) -> Option<Arc<dyn Force>> {
        self.force.ahead().map(|force| self.around(force))
    }

    fn remembering_at(&self, from_end: usize) -> Option<Arc<dyn Force>> {
        self.force.remembering_at(from_end).map(|force| self.around(force))
    }

    fn fed_at(&self, speed: f64) -> Option<Arc<dyn Force>> {
        self.force.fed_at(speed).map(|force| self.around(force))
    }

    fn balanced(&self, model: &Model, initial: &State) -> Result<Option<Arc<dyn Force>>, BadSetup> {
        Ok(self.force.balanced(model, initial)?.map(|force| self.around(force)))
    }

    fn check_start(&self, model: &Model, initial: &State) -> Result<(), BadOption> {
        self.force.check_start(model, initial)
    }

    fn first_memory(&self, body: &Body<'_>, state: &State) -> Vec<f64> {
        self.force.first_memory(body, state)
    }

    fn remember(&self, body: &Body<'_>, state: &State, memory: &mut [f64]) -> bool {
        self.force.remember(body, state, memory)
    }

    fn stop(
        &self,
        body: &Body<'_>,
        state: &mut State,
        holds_lengths: bool,
        displaced: &mut Vec<usize>,
    ) {
        self.force.stop(body, state, holds_lengths, displaced);
    }

    fn jacobian_bill(&self, model: &Model) -> Bill {
        self.force.jacobian_bill(model)
    }

    fn bill(&self, model: &Model) -> Option<Bill> {
        self.force.bill(model)
    }

    fn check(&self) -> Result<(), BadOption> {
        self.force.check()
    }

    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption> {
        self.force.fits(axes, nodes)
    }

    fn resistance(&self) -> f64 {
        self.force.resistance()
    }

    fn with_drag(&self, coefficient: f64) -> Option<Arc<dyn Force>> {
        self.force.with_drag(coefficient).map(|force| self.around(force))
    }

    fn extremes(&self) -> Vec<Arc<dyn Force>> {
        self.force.extremes().into_iter().map(|force| self.around(force)).collect()
    }

    fn with_step(&self, dt: f64) -> Option<Arc<dyn Force>> {
        self.force.with_step(dt).map(|force| self.around(force))
    }

    fn changes_with_time(&self) -> bool {
        self.force.changes_with_time()
    }

    fn extent(&self) -> Extent {
        self.force.extent()
    }

    fn uniform_acceleration(&self) -> f64 {
        self.force.uniform_acceleration()
    }

    fn nominal_gravity(&self) -> Option<&[f64]> {
        self.force.nominal_gravity()
    }

    fn with_gravity(&self, acceleration: &[f64]) -> Option<Arc<dyn Force>> {
        self.force.with_gravity(acceleration).map(|force| self.around(force))
    }

    fn with_wind(&self, wind: &[f64]) -> Option<Arc<dyn Force>> {
        self.force.with_wind(wind).map(|force| self.around(force))
    }

    fn derivative(&self, t: f64) -> Option<Derivative<'_>> {
        self.force.derivative(t)
    }

    fn name(&self) -> &'static str {
        self.force.name()
    }

    fn is_elastic(&self) -> bool {
        self.force.is_elastic()
    }

    fn is_held(&self) -> bool {
        self.force.is_held()
    }
}

/// Rounds numbers to single precision.
pub(super) fn round_all(numbers: &mut [f64]) {
    for number in numbers {
        *number = f64::from(*number as f32);
    }
}
