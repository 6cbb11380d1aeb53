//! Condition on the length of a structural spring, or on the total length of all unbroken
//! structural springs.

use super::pair::{A, B, Pair, SPRING};
use super::{ABOVE, BELOW, Condition, Moment, check_bounds, is_beyond};
use crate::body::{Model, measure};
use crate::named::{BadOption, Info};
use serde::Deserialize;

/// Condition that the length of a spring, or of all springs, is beyond a bound.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Length {
    /// Index of the spring's first node.
    #[serde(default)]
    pub a: Option<usize>,
    /// Index of the spring's second node.
    #[serde(default)]
    pub b: Option<usize>,
    /// Index of the spring.
    #[serde(default)]
    pub spring: Option<usize>,
    /// Exclusive lower bound: the condition holds at a greater length.
    #[serde(default)]
    pub above: Option<f64>,
    /// Exclusive upper bound: the condition holds at a smaller length.
    #[serde(default)]
    pub below: Option<f64>,
}
crate::identity!(Length { a, b, spring, above, below });

impl Length {
    pub(super) const INFO: Info = Info {
        name: "Length",
        summary: "the length of a structural spring, or of all unbroken ones together, is above or below a bound",
        options: &[A, B, SPRING, ABOVE.in_unit("length"), BELOW.in_unit("length")],
    };

    /// Creates the condition that the total length of all unbroken structural springs exceeds
    /// `length`.
    pub fn above(length: f64) -> Self {
        Self { a: None, b: None, spring: None, above: Some(length), below: None }
    }

    fn pair(&self) -> Pair {
        Pair { a: self.a, b: self.b, spring: self.spring }
    }
}

impl Condition for Length {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        if !self.pair().is_empty() {
            self.pair().check()?;
        }
        check_bounds(self.above, self.below)
    }

    fn fits(&self, _axes: usize, nodes: usize) -> Result<(), BadOption> {
        self.pair().fits(nodes)
    }

    fn fits_body(&self, model: &Model) -> Result<(), String> {
        if self.pair().is_empty() { Ok(()) } else { self.pair().springs(model).map(|_| ()) }
    }

    fn reads_all(&self) -> bool {
        self.pair().is_empty()
    }

    fn holds(&self, moment: &Moment<'_>) -> bool {
        let Moment { model, state, springs, .. } = *moment;
        if self.pair().is_empty() {
            return is_beyond(measure::length(model, springs, &state.x), self.above, self.below);
        }
        let named = self.pair().springs(model).unwrap_or_default();
        let mut unbroken = named.into_iter().filter(|&j| !springs.is_broken(j));
        unbroken
            .any(|j| is_beyond(model.span(&state.x, &model.springs[j]).1, self.above, self.below))
    }
}
