//! A quantity that enters the physics, and the case of a body that differs in it.

use super::draft::Edit;
use super::value::QuantityValue;
use crate::parts::Body;
use std::fmt;

/// A quantity that should be equal when methods are compared.
pub struct Quantity {
    /// What pictures and tables call it.
    pub name: &'static str,
    /// Whether the name is a plural.
    pub is_plural: bool,
    /// The fields of a scene that set it. Options of a method may contribute too.
    pub fields: &'static [&'static str],
    /// Its value in a body.
    pub(super) value: fn(&Body) -> QuantityValue,
    /// Changes that could make a body equal to its reference, the likeliest first.
    pub(super) changes: fn(&ComparisonCase<'_>) -> Vec<Change>,
}

impl Quantity {
    /// Its value in a body.
    pub fn of(&self, body: &Body) -> QuantityValue {
        (self.value)(body)
    }

    /// The words of a sentence that it differs, and the symbol in front of its first value.
    pub(super) fn sentence(&self) -> (String, &'static str) {
        let (subject, symbol) = match self.name {
            "c/m" => ("Damping".into(), "c/m = "),
            "dt" => ("Time step".into(), "dt = "),
            "law" => ("Spring law".into(), ""),
            "k" => ("Stiffness".into(), "k = "),
            "bending k" => ("Bending stiffness".into(), "k = "),
            name => {
                let mut letters = name.chars();
                let first = letters.next().map(char::to_uppercase);
                (first.into_iter().flatten().chain(letters).collect::<String>(), "")
            }
        };
        (format!("{subject} {}", if self.is_plural { "differ" } else { "differs" }), symbol)
    }

    /// The words that it differs: `c/m differs`, `pins differ`.
    pub fn differs(&self) -> String {
        format!("{} {}", self.name, if self.is_plural { "differ" } else { "differs" })
    }
}

impl fmt::Debug for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// Edits that are made together.
pub(super) type Change = Vec<Edit>;

/// A body that differs in a quantity from its reference.
pub(super) struct ComparisonCase<'a> {
    pub(super) quantity: &'a Quantity,
    pub(super) here: &'a Body,
    /// The reference.
    pub(super) there: &'a Body,
    /// The text of a field of the body.
    pub(super) written_here: &'a dyn Fn(&str) -> Option<String>,
    /// The text of a field of the reference.
    pub(super) written_there: &'a dyn Fn(&str) -> Option<String>,
}
