//! Physical quantity, and the case of a body that differs in it.

use super::draft::Edit;
use super::value::QuantityValue;
use crate::parts::Body;
use std::fmt;

/// Quantity that should be equal when methods are compared.
pub struct Quantity {
    /// Name in pictures and tables.
    pub name: &'static str,
    /// Whether the name is a plural.
    pub is_plural: bool,
    /// Fields of a scene that set the quantity. Options of a method may contribute too.
    pub fields: &'static [&'static str],
    /// Function that computes the value in a body.
    pub(super) value: fn(&Body) -> QuantityValue,
    /// Function that returns possible remedies, most likely first.
    pub(super) changes: fn(&ComparisonCase<'_>) -> Vec<Change>,
}

impl Quantity {
    /// Returns the value in a body.
    pub fn of(&self, body: &Body) -> QuantityValue {
        (self.value)(body)
    }

    /// Returns the start of a sentence about a difference, and the symbol before its first value.
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

    /// Returns a phrase such as `c/m differs` or `pins differ`.
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

/// Body that differs from its reference in a quantity.
pub(super) struct ComparisonCase<'a> {
    pub(super) quantity: &'a Quantity,
    pub(super) here: &'a Body,
    /// Reference body.
    pub(super) there: &'a Body,
    /// Returns the text of a field of `here`.
    pub(super) written_here: &'a dyn Fn(&str) -> Option<String>,
    /// Returns the text of a field of the reference.
    pub(super) written_there: &'a dyn Fn(&str) -> Option<String>,
}
