//! Spring laws, one file each: how the tension of a spring follows from its length.
//!
//! The `laws!` call below is the table: a new law is a file and a line there.

use super::Spring;
use super::option::{BadOption, OptionInfo};
use serde::{Deserialize, Deserializer};
use std::fmt::Debug;

/// What a law is, for people and for checks.
#[derive(Clone, Copy, Debug)]
pub struct LawInfo {
    /// The name that a scene writes.
    pub name: &'static str,
    /// One line that says what it does.
    pub summary: &'static str,
    /// What a scene may write in parentheses behind the name.
    pub options: &'static [OptionInfo],
}

/// A spring law with its options.
pub trait SpringLaw: Debug + Send + Sync {
    /// What it is.
    fn info(&self) -> LawInfo;

    /// Refuses options that are out of range.
    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    /// The force with which a spring of this length pulls its ends together.
    fn tension(&self, spring: &Spring, length: f64, plastic: f64) -> f64;

    /// The derivative of the tension by the length.
    fn slope(&self, spring: &Spring, length: f64, plastic: f64) -> f64;

    /// The work stored in the spring.
    fn energy(&self, spring: &Spring, length: f64, plastic: f64) -> f64;

    /// Whether the tension is the stiffness times the stretch.
    fn is_linear(&self) -> bool {
        false
    }

    /// Whether [`SpringLaw::flow`] ever changes the plastic strain.
    fn flows(&self) -> bool {
        false
    }

    /// The plastic strain after a step that ended at this length.
    fn flow(&self, _spring: &Spring, _length: f64, plastic: f64) -> f64 {
        plastic
    }
}

/// Makes the table of laws: `LAWS` for lists and messages, `read` for scenes.
macro_rules! laws {
    ($($module:ident::$law:ident),+ $(,)?) => {
        $(mod $module; pub use $module::$law;)+

        /// Every law, in the order in which lists show them.
        pub const LAWS: &[LawInfo] = &[$($law::INFO),+];

        /// Every law's name, as a scene writes it.
        pub const LAW_NAMES: &[&str] = &[$($law::INFO.name),+];

        /// Reads the options of the law called `name`; `None` when there is no such law.
        pub fn read<'de, D: Deserializer<'de>>(
            name: &str,
            options: D,
        ) -> Option<Result<Box<dyn SpringLaw>, D::Error>> {
            $(if name == $law::INFO.name {
                return Some(match $law::deserialize(options) {
                    Ok(law) => Ok(Box::new(law)),
                    Err(error) => Err(error),
                });
            })+
            None
        }
    };
}

laws! {
    hooke::Hooke,
    exponential::Exponential,
    piecewise_linear::PiecewiseLinear,
    plastic::Plastic,
}
