//! Why a body or a run cannot be what was asked for.

use super::BadOption;
use std::{error::Error, fmt};

/// Something that was asked for and cannot be: which field, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadSetup {
    /// The field, such as `pins` or `mass[3]`.
    pub field: String,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl BadSetup {
    /// About a field.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: field.into(), message: message.into() }
    }

    /// An option of a thing, such as a method or a collider, that is out of range.
    pub fn option(thing: &str, bad: &BadOption) -> Self {
        Self::new(format!("{thing}.{}", bad.path()), format!("expected {}", bad.expected))
    }

    /// About a field, unless all is fine.
    ///
    /// # Errors
    /// Where it is not.
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
