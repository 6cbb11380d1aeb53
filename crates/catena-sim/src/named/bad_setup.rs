//! Errors of setups: the reason why a body or a run is invalid.

use super::BadOption;
use std::{error::Error, fmt};

/// An invalid setup: the field and the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadSetup {
    /// Path of the field, such as `pins` or `mass[3]`.
    pub field: String,
    /// Description of the problem and of the allowed values.
    pub message: String,
}

impl BadSetup {
    /// Creates an error about a field.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: field.into(), message: message.into() }
    }

    /// Creates an error about an option of `thing`, such as a method or a collider.
    pub fn option(thing: &str, bad: &BadOption) -> Self {
        let path = match bad.option == BadOption::WHOLE {
            true => thing.to_string(),
            false => format!("{thing}.{}", bad.path()),
        };
        Self::new(path, format!("expected {}", bad.expected))
    }

    /// Returns an error about a field unless `is_fine`.
    ///
    /// # Errors
    /// The error, if `is_fine` is `false`.
    pub fn unless(
        is_fine: bool,
        field: impl Into<String>,
        message: impl Into<String>,
    ) -> Result<(), Self> {
        if is_fine { Ok(()) } else { Err(Self::new(field, message)) }
    }
}

impl From<BadOption> for BadSetup {
    fn from(bad: BadOption) -> Self {
        Self::new(bad.path(), format!("expected {}", bad.expected))
    }
}

impl fmt::Display for BadSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

impl Error for BadSetup {}
