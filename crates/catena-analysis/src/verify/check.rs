//! Checks: expected value, measurement and tolerance.

use super::bodies;
use crate::stability::oscillator::Oscillator;
use catena_sim::{Method, Setup, Simulation};
use std::sync::Arc;

/// Whether a check must pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// The check must pass. Its reference is the theory of the discrete body.
    Discrete,
    /// The check only reports the distance to a limit that need not be met: a continuum, or a
    /// textbook bound.
    Information,
}

/// Allowed difference between the measured and the expected value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// Maximum of |measured / expected - 1|.
    Relative(f64),
    /// Maximum of |measured - expected|, in their unit.
    Absolute(f64),
    /// The expected value is an upper bound.
    AtMost,
    /// The expected value is a lower bound.
    AtLeast,
}

impl Tolerance {
    /// Error of a measured value in the unit of this tolerance; NaN if nothing was measured.
    fn error(self, expected: f64, measured: f64) -> f64 {
        let difference = measured - expected;
        match self {
            _ if measured == expected => 0.0,
            Self::Relative(_) => (difference / expected).abs(),
            Self::Absolute(_) => difference.abs(),
            _ if measured.is_nan() => f64::NAN,
            Self::AtMost => difference.max(0.0),
            Self::AtLeast => (-difference).max(0.0),
        }
    }

    /// Maximum error that passes.
    pub fn greatest(self) -> f64 {
        match self {
            Self::Relative(tolerance) | Self::Absolute(tolerance) => tolerance,
            Self::AtMost | Self::AtLeast => 0.0,
        }
    }
}

type MeasureFunction = Box<dyn Fn(&CheckSetups<'_>) -> Option<f64> + Send + Sync>;

/// Comparison of a measured value with a theoretical one.
pub struct Check {
    /// Theme of the check.
    pub group: &'static str,
    /// Short name, unique among all checks.
    pub name: String,
    /// Source of the expected value: a formula and its author.
    pub reference: &'static str,
    /// Whether the check must pass.
    pub gate: Gate,
    /// Theoretical value, in the unit implied by the name.
    pub expected: f64,
    /// Allowed difference of the measured value.
    pub tolerance: Tolerance,
    measure: MeasureFunction,
}

/// Result of a check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    /// Measured value; NaN if there is none.
    pub measured: f64,
    /// Difference from the expected value, in the unit of the tolerance.
    pub error: f64,
    /// Whether the error is within the tolerance; always true for information.
    pub passes: bool,
}

impl Check {
    /// Measures and judges a value.
    pub fn run(&self, setups: &CheckSetups<'_>) -> Finding {
        self.judge((self.measure)(setups).unwrap_or(f64::NAN))
    }

    /// Judges a value. NaN passes only as information.
    pub fn judge(&self, measured: f64) -> Finding {
        let error = self.tolerance.error(self.expected, measured);
        let passes = self.gate == Gate::Information || error <= self.tolerance.greatest();
        Finding { measured, error, passes }
    }
}

/// Builder of a theme's list of checks.
pub(super) struct CheckList {
    group: &'static str,
    reference: &'static str,
    checks: Vec<Check>,
}

impl CheckList {
    pub(super) fn new(group: &'static str) -> Self {
        Self { group, reference: "", checks: Vec::new() }
    }

    /// Sets the reference of the checks added next.
    pub(super) fn set_reference(&mut self, reference: &'static str) {
        self.reference = reference;
    }

    /// Adds a check that must pass.
    pub(super) fn add(
        &mut self,
        name: impl Into<String>,
        expected: f64,
        tolerance: Tolerance,
        measure: impl Fn(&CheckSetups<'_>) -> Option<f64> + Send + Sync + 'static,
    ) {
        self.checks.push(Check {
            group: self.group,
            name: name.into(),
            reference: self.reference,
            gate: Gate::Discrete,
            expected,
            tolerance,
            measure: Box::new(measure),
        });
    }

    /// Adds a check of a formula against its printed value, with the absolute tolerance `unit`.
    pub(super) fn add_printed(
        &mut self,
        name: impl Into<String>,
        printed: f64,
        unit: f64,
        value: f64,
    ) {
        self.add(name, printed, Tolerance::Absolute(unit), move |_| Some(value));
    }

    /// Adds a check that only reports its relative error.
    pub(super) fn add_information(
        &mut self,
        name: impl Into<String>,
        expected: f64,
        measure: impl Fn(&CheckSetups<'_>) -> Option<f64> + Send + Sync + 'static,
    ) {
        self.add(name, expected, Tolerance::Relative(0.0), measure);
        if let Some(check) = self.checks.last_mut() {
            check.gate = Gate::Information;
        }
    }

    pub(super) fn done(self) -> Vec<Check> {
        self.checks
    }
}

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
