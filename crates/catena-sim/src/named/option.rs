//! Descriptions of named objects and their options.

use std::{borrow::Cow, error::Error, fmt};

/// Description of a named object.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Name as written in scenes.
    pub name: &'static str,
    /// Summary in one line.
    pub summary: &'static str,
    /// Options, which scenes write in parentheses after the name.
    pub options: &'static [OptionInfo],
}

/// Description of an option.
#[derive(Clone, Copy, Debug)]
pub struct OptionInfo {
    /// Name as written in scenes.
    pub name: &'static str,
    /// Summary in one line.
    pub summary: &'static str,
    /// Default value, in words.
    pub default: &'static str,
    /// Allowed values, in words.
    pub range: &'static str,
    /// Kind of the value, for completion and checks.
    pub kind: OptionKind,
    /// Unit, or `-`.
    pub unit: &'static str,
    /// Values besides the default that programs and lecture notes use. `catena identify` tries
    /// them.
    pub common: &'static [&'static str],
}

/// Kind of an option's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// Number, text or vector, without a name.
    Plain,
    /// `true` or `false`.
    Boolean,
    /// One of these words.
    Words(&'static [&'static str]),
    /// A node of the body, by index or by word.
    Node,
    /// A curve by name.
    Curve,
    /// A collider by name.
    Collider,
    /// A flow by name.
    Flow,
    /// A list of guides of a route, each of which may name a node.
    Guides,
    /// A quoted file name with one of these extensions.
    File(&'static [&'static str]),
}

impl OptionInfo {
    /// Template with the most common kind and unit; all other fields are empty.
    pub const PLAIN: Self = Self {
        name: "",
        summary: "",
        default: "",
        range: "",
        kind: OptionKind::Plain,
        unit: "-",
        common: &[],
    };

    /// Unit of points that another object follows.
    pub const OF_MOVED: &'static str = "that of the moved quantity";

    /// Unit of keys, which begin with their times.
    pub const OF_KEYS: &'static str = "time, and that of the moved quantity";

    /// Returns the option with another unit.
    #[must_use]
    pub const fn in_unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// Default shown for a required option.
    pub const NEEDED: &'static str = "required";

    /// Default shown for an option without a fixed default value.
    pub const LEFT_OUT: &'static str = "not set";

    /// Range of an option that is a node. Scenes may also write a node by word.
    pub const NODE: &'static str = "a node of the body";

    /// Checks the value of the option.
    ///
    /// # Errors
    /// An error about the option, if `is_fine` is `false`.
    pub fn check(&self, is_fine: bool) -> Result<(), BadOption> {
        if is_fine {
            Ok(())
        } else {
            Err(BadOption { option: self.name, entry: None, expected: self.range.into() })
        }
    }
}

/// An option value outside of its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadOption {
    /// Name of the option.
    pub option: &'static str,
    /// Index of the wrong list entry; `None` if the error concerns the whole option.
    pub entry: Option<usize>,
    /// Allowed range, for the message.
    pub expected: Cow<'static, str>,
}

impl BadOption {
    /// Name in place of an option for an error about the item as a whole.
    pub const WHOLE: &'static str = "";

    /// Returns an error about an option unless `is_fine`.
    ///
    /// # Errors
    /// The error, if `is_fine` is `false`.
    pub fn unless(
        is_fine: bool,
        option: &'static str,
        expected: impl Into<Cow<'static, str>>,
    ) -> Result<(), Self> {
        if is_fine { Ok(()) } else { Err(Self { option, entry: None, expected: expected.into() }) }
    }

    /// Restricts the error to one entry of the option's list.
    #[must_use]
    pub fn of_entry(self, entry: usize) -> Self {
        Self { entry: Some(entry), ..self }
    }

    /// Returns the option, with the list entry if there is one, such as `keys[1]`.
    pub fn path(&self) -> String {
        match self.entry {
            Some(entry) => format!("{}[{entry}]", self.option),
            None => self.option.into(),
        }
    }
}

impl fmt::Display for BadOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.option == Self::WHOLE {
            true => write!(f, "expected {}", self.expected),
            false => write!(f, "{}: expected {}", self.path(), self.expected),
        }
    }
}

impl Error for BadOption {}
