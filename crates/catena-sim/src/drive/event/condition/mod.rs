//! Conditions that trigger events, one file each.
//!
//! To add a condition, add a file and a line in the `table!` call below.

mod pair;

pub(super) use pair::{A, B, Pair, SPRING, two_nodes};

use crate::body::{Model, SpringMemory, State};
use crate::identity::Identity;
use crate::named::{BadOption, Info, OptionInfo, table};
use std::fmt::Debug;

/// A body at the end of a step, as seen by conditions.
pub struct Moment<'a> {
    /// Constant parts of the body: masses and springs.
    pub model: &'a Model,
    /// State of the body: time, positions and velocities.
    pub state: &'a State,
    /// Broken springs and plastic strains.
    pub springs: &'a SpringMemory,
    /// Returns the tension of a held spring, above 0 if it pulls; NaN if unknown.
    pub tension: &'a dyn Fn(usize) -> f64,
}

/// A condition on the state of a body.
pub trait Condition: Debug + Identity + Send + Sync {
    /// Returns the name and options.
    fn info(&self) -> Info;

    /// Checks the ranges of the options.
    ///
    /// # Errors
    /// The first option that is out of range.
    fn check(&self) -> Result<(), BadOption>;

    /// Checks that the body has the nodes.
    ///
    /// # Errors
    /// The first option that does not fit.
    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption>;

    /// Checks that the body has the springs.
    ///
    /// # Errors
    /// A description of the problem, as a sentence.
    fn fits_body(&self, _model: &Model) -> Result<(), String> {
        Ok(())
    }

    /// Whether the condition needs the tension of springs.
    fn needs_tension(&self) -> bool {
        false
    }

    /// Whether the condition reads all springs.
    fn reads_all(&self) -> bool {
        false
    }

    /// Whether the condition holds; `false` if numbers are not finite.
    fn holds(&self, moment: &Moment<'_>) -> bool;
}

table! {
    /// All conditions, in the order of listings.
    CONDITIONS: Info,
    /// Names of all conditions, as written in scenes.
    CONDITION_NAMES,
    Condition:
    tension::Tension,
    length::Length,
    distance::Distance,
}

const ABOVE: OptionInfo = OptionInfo {
    name: "above",
    summary: "lower bound: true above this value; one of `above` and `below` is required",
    default: OptionInfo::LEFT_OUT,
    range: "a finite number in one of `above` and `below`",
    ..OptionInfo::PLAIN
};

const BELOW: OptionInfo = OptionInfo {
    name: "below",
    summary: "upper bound: true below this value",
    default: OptionInfo::LEFT_OUT,
    range: "a finite number in one of `above` and `below`",
    ..OptionInfo::PLAIN
};

/// Returns an error unless exactly one bound is set and finite.
fn check_bounds(above: Option<f64>, below: Option<f64>) -> Result<(), BadOption> {
    BELOW.check(below.is_none_or(|bound| bound.is_finite() && above.is_none()))?;
    ABOVE.check(above.or(below).is_some_and(f64::is_finite))
}

/// Whether a value is beyond its bound.
fn is_beyond(value: f64, above: Option<f64>, below: Option<f64>) -> bool {
    above.is_some_and(|bound| value > bound) || below.is_some_and(|bound| value < bound)
}
