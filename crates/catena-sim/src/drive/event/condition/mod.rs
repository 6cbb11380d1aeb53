//! What events wait for, one file each.
//!
//! The `table!` call below is the table: a new condition is a file and a line there.

mod pair;

pub(super) use pair::{A, B, Pair, SPRING, two_nodes};

use crate::body::{Model, SpringMemory, State};
use crate::named::{BadOption, Info, OptionInfo, table};
use std::fmt::Debug;

/// A body at the end of a step.
pub struct Moment<'a> {
    /// Masses and springs.
    pub model: &'a Model,
    /// Positions and velocities.
    pub state: &'a State,
    /// Breaks and plastic strain of springs.
    pub springs: &'a SpringMemory,
    /// Tension of a held spring, above 0 where it pulls; NaN where it is not known.
    pub tension: &'a dyn Fn(usize) -> f64,
}

/// Something that holds or does not.
pub trait Condition: Debug + Send + Sync {
    /// Its name and options.
    fn info(&self) -> Info;

    /// Refuses options that are out of range.
    ///
    /// # Errors
    /// The first option that is.
    fn check(&self) -> Result<(), BadOption>;

    /// Refuses nodes that the body does not have.
    ///
    /// # Errors
    /// The first option that does not fit.
    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption>;

    /// Refuses springs that the body does not have.
    ///
    /// # Errors
    /// What is wrong, as a sentence.
    fn fits_body(&self, _model: &Model) -> Result<(), String> {
        Ok(())
    }

    /// Whether it asks for the tension of springs.
    fn needs_tension(&self) -> bool {
        false
    }

    /// Whether it reads all springs.
    fn reads_all(&self) -> bool {
        false
    }

    /// Whether it holds; `false` where numbers are not finite.
    fn holds(&self, moment: &Moment<'_>) -> bool;
}

table! {
    /// Every condition, in the order in which lists show them.
    CONDITIONS: Info,
    /// Every condition's name, as a scene writes it.
    CONDITION_NAMES,
    Condition:
    tension::Tension,
    length::Length,
    distance::Distance,
}

const ABOVE: OptionInfo = OptionInfo {
    name: "above",
    summary: "it holds above this; one of `above` and `below` must be written",
    default: OptionInfo::LEFT_OUT,
    range: "a finite number in one of `above` and `below`",
    ..OptionInfo::PLAIN
};

const BELOW: OptionInfo = OptionInfo {
    name: "below",
    summary: "it holds below this",
    default: OptionInfo::LEFT_OUT,
    range: "a finite number in one of `above` and `below`",
    ..OptionInfo::PLAIN
};

/// Refuses bounds that are none, or both.
fn check_bounds(above: Option<f64>, below: Option<f64>) -> Result<(), BadOption> {
    BELOW.check(below.is_none_or(|bound| bound.is_finite() && above.is_none()))?;
    ABOVE.check(above.or(below).is_some_and(f64::is_finite))
}

/// Whether a value is beyond its bound.
fn is_beyond(value: f64, above: Option<f64>, below: Option<f64>) -> bool {
    above.is_some_and(|bound| value > bound) || below.is_some_and(|bound| value < bound)
}
