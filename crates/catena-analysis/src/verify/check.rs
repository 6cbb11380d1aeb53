//! A check: the expected number, its measurement and its tolerance.

use super::setups::CheckSetups;

/// Whether a check counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// It must pass. Its reference is as discrete as what is measured.
    Discrete,
    /// It shows the distance to a limit that need not be met: a continuum, or a bound of textbooks.
    Information,
}

/// How far the measured number may be from the expected one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// |measured / expected - 1| is at most this.
    Relative(f64),
    /// |measured - expected| is at most this, in the unit of the two.
    Absolute(f64),
    /// The expected number is an upper bound.
    AtMost,
    /// The expected number is a lower bound.
    AtLeast,
}

impl Tolerance {
    /// The error of a measured number, as this tolerance counts it; NaN if nothing was measured.
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

    /// The greatest error that passes.
    pub fn greatest(self) -> f64 {
        match self {
            Self::Relative(tolerance) | Self::Absolute(tolerance) => tolerance,
            Self::AtMost | Self::AtLeast => 0.0,
        }
    }
}

type Measure = Box<dyn Fn(&CheckSetups<'_>) -> Option<f64> + Send + Sync>;

/// One check.
pub struct Check {
    /// Its theme.
    pub group: &'static str,
    /// What is checked, in a few words; unique among all checks.
    pub name: String,
    /// Where the expected number comes from: a formula and its author.
    pub reference: &'static str,
    /// Whether the check must pass.
    pub gate: Gate,
    /// The number of theory, in the unit that the name implies.
    pub expected: f64,
    /// How close the measured number must be.
    pub tolerance: Tolerance,
    measure: Measure,
}

/// The outcome of a check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    /// The measured number; NaN if there is none.
    pub measured: f64,
    /// Its distance from the expected number, as the tolerance counts.
    pub error: f64,
    /// Whether it is close enough; always true for information.
    pub passes: bool,
}

impl Check {
    /// Measures and judges.
    pub fn run(&self, setups: &CheckSetups<'_>) -> Finding {
        self.judge((self.measure)(setups).unwrap_or(f64::NAN))
    }

    /// Judges a number. NaN passes only as information.
    pub fn judge(&self, measured: f64) -> Finding {
        let error = self.tolerance.error(self.expected, measured);
        let passes = self.gate == Gate::Information || error <= self.tolerance.greatest();
        Finding { measured, error, passes }
    }
}

/// The checks of a theme, under construction.
pub(super) struct CheckList {
    group: &'static str,
    reference: &'static str,
    checks: Vec<Check>,
}

impl CheckList {
    pub(super) fn new(group: &'static str) -> Self {
        Self { group, reference: "", checks: Vec::new() }
    }

    /// Sets the reference of the checks that follow.
    pub(super) fn reference(&mut self, reference: &'static str) {
        self.reference = reference;
    }

    /// Adds a check that counts.
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

    /// Adds a check of a formula against its printed number, which is right to about `unit`.
    pub(super) fn printed(&mut self, name: impl Into<String>, printed: f64, unit: f64, value: f64) {
        self.add(name, printed, Tolerance::Absolute(unit), move |_| Some(value));
    }

    /// Adds a relative distance that is shown and does not count.
    pub(super) fn information(
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
