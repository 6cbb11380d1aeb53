//! The setups that checks run, which a test can alter.

use super::bodies;
use crate::stability::oscillator::Oscillator;
use catena_sim::{Method, Setup, Simulation};
use std::sync::Arc;

/// Hands setups to checks. A test alters them to see whether the checks notice.
pub struct CheckSetups<'a> {
    alter: &'a (dyn Fn(&mut Setup) + Sync),
}

impl Default for CheckSetups<'static> {
    /// Setups without alteration.
    fn default() -> Self {
        Self { alter: &|_| () }
    }
}

impl<'a> CheckSetups<'a> {
    /// Setups that are changed by a function before they run.
    pub fn altered(alter: &'a (dyn Fn(&mut Setup) + Sync)) -> Self {
        Self { alter }
    }

    /// A setup to run, altered where wanted.
    pub(super) fn ready(&self, mut setup: Setup) -> Arc<Setup> {
        (self.alter)(&mut setup);
        Arc::new(setup)
    }

    /// A simulation of a setup, at frame 0.
    pub(super) fn start(&self, setup: Setup) -> Simulation {
        Simulation::new(self.ready(setup))
    }

    /// A method, for analyses that build their own setup.
    pub(super) fn method(&self, method: Arc<dyn Method>) -> Arc<dyn Method> {
        Arc::clone(&self.ready(bodies::spring(method, Oscillator::new(1.0, 0.0), 1.0)).method)
    }
}
