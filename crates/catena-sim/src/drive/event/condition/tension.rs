//! Condition on the tension of a structural spring, from its force law or from a method that solves
//! for it. A broken spring has no tension.

use super::pair::{A, B, Pair, SPRING};
use super::{ABOVE, BELOW, Condition, Moment, check_bounds, is_beyond};
use crate::body::Model;
use crate::named::{BadOption, Info};
use serde::Deserialize;

/// Condition that the tension of a spring is beyond a bound.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tension {
    /// Index of the spring's first node.
    #[serde(default)]
    pub a: Option<usize>,
    /// Index of the spring's second node.
    #[serde(default)]
    pub b: Option<usize>,
    /// Index of the spring.
    #[serde(default)]
    pub spring: Option<usize>,
    /// Exclusive lower bound: the condition holds at a greater force.
    #[serde(default)]
    pub above: Option<f64>,
    /// Exclusive upper bound: the condition holds at a smaller force.
    #[serde(default)]
    pub below: Option<f64>,
}
crate::identity!(Tension { a, b, spring, above, below });

impl Tension {
    pub(super) const INFO: Info = Info {
        name: "Tension",
        summary: "the tension of a structural spring is above or below a bound",
        options: &[A, B, SPRING, ABOVE.in_unit("force"), BELOW.in_unit("force")],
    };

    /// Creates the condition that the tension of a spring exceeds `force`.
    pub fn above(spring: usize, force: f64) -> Self {
        Self { a: None, b: None, spring: Some(spring), above: Some(force), below: None }
    }

    fn pair(&self) -> Pair {
        Pair { a: self.a, b: self.b, spring: self.spring }
    }
}

impl Condition for Tension {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        self.pair().check()?;
        check_bounds(self.above, self.below)
    }

    fn fits(&self, _axes: usize, nodes: usize) -> Result<(), BadOption> {
        self.pair().fits(nodes)
    }

    fn fits_body(&self, model: &Model) -> Result<(), String> {
        self.pair().springs(model).map(|_| ())
    }

    fn needs_tension(&self) -> bool {
        true
    }

    fn holds(&self, moment: &Moment<'_>) -> bool {
        let springs = self.pair().springs(moment.model).unwrap_or_default();
        let mut unbroken = springs.into_iter().filter(|&j| !moment.springs.is_broken(j));
        unbroken.any(|j| is_beyond((moment.tension)(j), self.above, self.below))
    }
}
