//! Descriptions of what scenes name, and of options.

use std::{borrow::Cow, error::Error, fmt};

/// The description of a named thing.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// The name that a scene writes.
    pub name: &'static str,
    /// One line that says what it does.
    pub summary: &'static str,
    /// What a scene may write in parentheses behind the name.
    pub options: &'static [OptionInfo],
}

/// One option.
#[derive(Clone, Copy, Debug)]
pub struct OptionInfo {
    /// The name that a scene writes.
    pub name: &'static str,
    /// One line that says what it does.
    pub summary: &'static str,
    /// Its value when left out.
    pub default: &'static str,
    /// Which values are allowed, in words.
    pub range: &'static str,
    /// Kind of its value, for completion and checks.
    pub kind: OptionKind,
    /// Its unit, or `-`.
    pub unit: &'static str,
}

/// Kind of the value of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// A number, a text or a vector: nothing that has a name.
    Plain,
    /// `true` or `false`.
    Boolean,
    /// One of these words.
    Words(&'static [&'static str]),
    /// A node of the body, by number or by word.
    Node,
    /// One of the table of curves.
    Curve,
    /// One of the table of colliders.
    Collider,
    /// The name of a file in quotes, with one of these endings.
    File(&'static [&'static str]),
}

impl OptionInfo {
    /// The kind and the unit that most options have; all else is empty.
    pub const PLAIN: Self =
        Self { name: "", summary: "", default: "", range: "", kind: OptionKind::Plain, unit: "-" };

    /// The unit of points that something follows.
    pub const OF_MOVED: &'static str = "that of what moves";

    /// The unit of keys, which begin with their times.
    pub const OF_KEYS: &'static str = "time, and that of what moves";

    /// The option with a unit.
    #[must_use]
    pub const fn in_unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// What lists show as the default of an option that must be written.
    pub const NEEDED: &'static str = "must be written";

    /// What lists show as the default of an option whose value follows from other things if it is
    /// left out.
    pub const LEFT_OUT: &'static str = "left out";

    /// The range of an option that is a node. Scenes may write such a node by word as well.
    pub const NODE: &'static str = "a node of the body";

    /// Refuses the option's value unless it is fine.
    ///
    /// # Errors
    /// When it is not.
    pub fn check(&self, is_fine: bool) -> Result<(), BadOption> {
        if is_fine {
            Ok(())
        } else {
            Err(BadOption { option: self.name, entry: None, expected: self.range.into() })
        }
    }
}

/// A value outside of its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadOption {
    /// The option's name.
    pub option: &'static str,
    /// The entry of a list that is wrong, if the rest of the list is fine.
    pub entry: Option<usize>,
    /// The allowed range, for the message.
    pub expected: Cow<'static, str>,
}

impl BadOption {
    /// About an option, unless all is fine.
    ///
    /// # Errors
    /// Where it is not.
    pub fn unless(
        is_fine: bool,
        option: &'static str,
        expected: impl Into<Cow<'static, str>>,
    ) -> Result<(), Self> {
        if is_fine { Ok(()) } else { Err(Self { option, entry: None, expected: expected.into() }) }
    }

    /// The same about one entry of the option's list.
    #[must_use]
    pub fn of_entry(self, entry: usize) -> Self {
        Self { entry: Some(entry), ..self }
    }

    /// The option, with the entry of its list: `keys[1]`.
    pub fn path(&self) -> String {
        match self.entry {
            Some(entry) => format!("{}[{entry}]", self.option),
            None => self.option.into(),
        }
    }
}

impl fmt::Display for BadOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}", self.path(), self.expected)
    }
}

impl Error for BadOption {}
