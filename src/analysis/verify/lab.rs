//! Where checks get their simulations from.

use super::bodies;
use crate::analysis::stability::oscillator::Oscillator;
use crate::sim::{Method, Setup, Simulation};
use std::sync::Arc;

/// Hands out what checks run. One that alters its setups shows whether the checks notice.
pub struct Lab<'a> {
    alter: &'a (dyn Fn(&mut Setup) + Sync),
}

impl Default for Lab<'static> {
    /// The one that does everything right.
    fn default() -> Self {
        Self { alter: &|_| () }
    }
}

impl<'a> Lab<'a> {
    /// One that changes each setup before it runs.
    pub fn altered(alter: &'a (dyn Fn(&mut Setup) + Sync)) -> Self {
        Self { alter }
    }

    /// A setup, ready to run.
    pub(super) fn ready(&self, mut setup: Setup) -> Arc<Setup> {
        (self.alter)(&mut setup);
        Arc::new(setup)
    }

    /// A run of it, at frame 0.
    pub(super) fn start(&self, setup: Setup) -> Simulation {
        Simulation::new(self.ready(setup))
    }

    /// A method, for analyses that build their own body.
    pub(super) fn method(&self, method: Arc<dyn Method>) -> Arc<dyn Method> {
        Arc::clone(&self.ready(bodies::spring(method, Oscillator::new(1.0, 0.0), 1.0)).method)
    }
}
