//! One line of the table: what is expected, how it is measured, and how far apart the two may be.

use super::lab::Lab;

/// Whether a check counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// It must pass. Its reference is as discrete as what is measured.
    Discrete,
    /// It shows how far a limit is that need not be met: a continuum, or a bound that textbooks print.
    Information,
}

/// How far what is measured may be from what is expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// |measured / expected - 1| is at most this.
    Relative(f64),
    /// |measured - expected| is at most this, in the unit of the two.
    Absolute(f64),
    /// What is expected is an upper bound.
    AtMost,
    /// What is expected is a lower bound.
    AtLeast,
}

impl Tolerance {
    /// How far apart the two are, as this tolerance sees it; NaN where nothing was measured.
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

type Measure = Box<dyn Fn(&Lab<'_>) -> Option<f64> + Send + Sync>;

/// What is checked.
pub struct Check {
    /// The theme that it belongs to.
    pub group: &'static str,
    /// What is checked, in a few words. No two checks have the same.
    pub name: String,
    /// Where the expected number comes from: a formula and its author.
    pub reference: &'static str,
    /// Whether it counts.
    pub gate: Gate,
    /// What theory says; in the unit that the name implies.
    pub expected: f64,
    /// How close it must be.
    pub tolerance: Tolerance,
    measure: Measure,
}

/// What came out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    /// The number that was found; NaN where none was.
    pub measured: f64,
    /// How far it is from what is expected, as the tolerance counts.
    pub error: f64,
    /// Whether it is close enough. Information always is.
    pub passes: bool,
}

impl Check {
    /// Measures, and judges.
    pub fn run(&self, lab: &Lab<'_>) -> Finding {
        self.judge((self.measure)(lab).unwrap_or(f64::NAN))
    }

    /// What is to be said of a number. NaN never passes where a check counts.
    pub fn judge(&self, measured: f64) -> Finding {
        let error = self.tolerance.error(self.expected, measured);
        let passes = self.gate == Gate::Information || error <= self.tolerance.greatest();
        Finding { measured, error, passes }
    }
}

/// The checks of a theme, as they are written down.
pub(super) struct List {
    group: &'static str,
    reference: &'static str,
    checks: Vec<Check>,
}

impl List {
    pub(super) fn new(group: &'static str) -> Self {
        Self { group, reference: "", checks: Vec::new() }
    }

    /// The reference of the checks that follow.
    pub(super) fn reference(&mut self, reference: &'static str) {
        self.reference = reference;
    }

    /// A check that counts.
    pub(super) fn add(
        &mut self,
        name: impl Into<String>,
        expected: f64,
        tolerance: Tolerance,
        measure: impl Fn(&Lab<'_>) -> Option<f64> + Send + Sync + 'static,
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

    /// A formula beside the number that docs and books print for it, right to about `unit` of the last digit.
    pub(super) fn printed(&mut self, name: impl Into<String>, printed: f64, unit: f64, value: f64) {
        self.add(name, printed, Tolerance::Absolute(unit), move |_| Some(value));
    }

    /// A distance that is shown and does not count, as a share of what is expected.
    pub(super) fn information(
        &mut self,
        name: impl Into<String>,
        expected: f64,
        measure: impl Fn(&Lab<'_>) -> Option<f64> + Send + Sync + 'static,
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
