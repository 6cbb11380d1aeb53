//! Setups that checks run, which a test can alter.

use super::bodies;
use crate::stability::oscillator::Oscillator;
use catena_sim::{Method, Setup, Simulation};
use std::sync::Arc;

/// Supplies setups to checks. Tests alter them to verify that the checks detect the difference.
pub struct CheckSetups<'a> {
    alter: &'a (dyn Fn(&mut Setup) + Sync),
}

impl Default for CheckSetups<'static> {
    /// Supplies setups without alteration.
    fn default() -> Self {
        Self { alter: &|_| () }
    }
}

impl<'a> CheckSetups<'a> {
    /// Supplies setups that `alter` changes before they run.
    pub fn altered(alter: &'a (dyn Fn(&mut Setup) + Sync)) -> Self {
        Self { alter }
    }

    /// Setup to run, after any alteration.
    pub(super) fn ready(&self, mut setup: Setup) -> Arc<Setup> {
        (self.alter)(&mut setup);
        Arc::new(setup)
    }

    /// Simulation of a setup, at frame 0.
    pub(super) fn start(&self, setup: Setup) -> Simulation {
        Simulation::new(self.ready(setup))
    }

    /// Method to use in analyses that build their own setup, after any alteration.
    pub(super) fn method(&self, method: Arc<dyn Method>) -> Arc<dyn Method> {
        Arc::clone(&self.ready(bodies::spring(method, Oscillator::new(1.0, 0.0), 1.0)).method)
    }
}
