//! Values of a quantity that panels are compared by.

use crate::comparability::draft::Edit;
use crate::parts::Body;
use catena_base::text::number::short;
use catena_sim::identity::{Identity, identity_of};
use std::fmt;

/// Relative tolerance: numbers that differ by less than this fraction of the largest count as
/// equal.
const EQUAL: f64 = 1e-9;

/// Maximum length of a value in a sentence, in bytes. For longer values the sentence only says that
/// they differ.
const LONGEST: usize = 48;

/// Edits that are made together.
pub(crate) type SettingsChange = Vec<Edit>;

/// Body that differs from its reference in a quantity.
pub(crate) struct ComparisonCase<'a> {
    pub(crate) quantity: &'a Quantity,
    pub(crate) here: &'a Body,
    /// Reference body.
    pub(crate) there: &'a Body,
    /// Function that returns the text of a field of `here`.
    pub(crate) written_here: &'a dyn Fn(&str) -> Option<String>,
    /// Function that returns the text of a field of the reference.
    pub(crate) written_there: &'a dyn Fn(&str) -> Option<String>,
}

/// Value of a quantity in a body.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantityValue {
    content: ValueContent,
    /// Full text, for tables.
    pub text: String,
    /// Short text, for lines in panels and for sentences.
    pub brief: String,
    /// Text of a number with all its digits; the other texts have four.
    exact: Option<String>,
}

/// Content of a value that comparisons use.
#[derive(Clone, Debug, PartialEq)]
enum ValueContent {
    /// The quantity does not apply to the body, for example stiffness with rigid segments.
    Meaningless,
    /// The body lacks the quantity.
    Absent,
    Numbers(Vec<f64>),
    /// Bytes of everything that may differ.
    Identity(Vec<u8>),
}

impl QuantityValue {
    /// Returns a value of one number.
    pub(crate) fn number(value: f64) -> Self {
        Self::numbers(vec![value], short(value))
    }

    /// Returns a value of several numbers, which are compared one by one.
    pub(crate) fn numbers(numbers: Vec<f64>, text: String) -> Self {
        let brief = text.clone();
        Self { content: ValueContent::Numbers(numbers), brief, exact: None, text }
    }

    /// Returns the numbers of all nodes or springs. Runs of equal numbers count once, so that
    /// bodies with different node counts can be compared.
    pub(crate) fn profile(values: impl Iterator<Item = f64>) -> Self {
        let mut runs: Vec<f64> = values.collect();
        runs.dedup_by(|a, b| is_close(*a, *b, a.abs().max(b.abs())));
        let minimum = runs.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = runs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let text = match minimum == greatest {
            true => short(minimum),
            false => format!("{} to {}", short(minimum), short(greatest)),
        };
        if runs.is_empty() { Self::absent() } else { Self::numbers(runs, text) }
    }

    /// Returns a vector, which is compared by components.
    pub(crate) fn vector(vector: &[f64]) -> Self {
        let components: Vec<String> = vector.iter().map(|value| short(*value)).collect();
        Self::numbers(vector.to_vec(), format!("({})", components.join(", ")))
    }

    /// Returns a value with texts. Comparisons use the identity of `key`, which holds everything
    /// that may differ.
    pub(crate) fn words<T: Identity + ?Sized>(key: &T, text: String, brief: String) -> Self {
        Self { content: ValueContent::Identity(identity_of(key)), text, brief, exact: None }
    }

    /// Returns the value of a body that lacks the quantity.
    pub(crate) fn absent() -> Self {
        let none = || "none".to_owned();
        Self { content: ValueContent::Absent, text: none(), brief: none(), exact: None }
    }

    /// Adds a text with all digits, for values that four digits do not distinguish.
    pub(crate) fn exactly(self, exact: String) -> Self {
        Self { exact: Some(exact), ..self }
    }

    /// Returns the value of a body to which the quantity does not apply.
    pub(crate) fn meaningless() -> Self {
        let none = || "-".to_owned();
        Self { content: ValueContent::Meaningless, text: none(), brief: none(), exact: None }
    }

    /// Whether the quantity applies to the body.
    pub fn is_meaningful(&self) -> bool {
        self.content != ValueContent::Meaningless
    }

    /// Whether the body has the quantity.
    pub fn is_present(&self) -> bool {
        self.is_meaningful() && self.content != ValueContent::Absent
    }

    /// Whether two values are equal to within 1e-9 of the largest number. A meaningless value
    /// equals any other.
    pub fn equals(&self, other: &Self) -> bool {
        match (&self.content, &other.content) {
            (ValueContent::Meaningless, _) | (_, ValueContent::Meaningless) => true,
            (ValueContent::Numbers(a), ValueContent::Numbers(b)) => {
                let scale =
                    a.iter().chain(b).fold(0.0_f64, |maximum, value| maximum.max(value.abs()));
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_close(*a, *b, scale))
            }
            (a, b) => a == b,
        }
    }

    /// Returns the first number, if the value has numbers.
    pub(crate) fn first(&self) -> Option<f64> {
        match &self.content {
            ValueContent::Numbers(numbers) => numbers.first().copied(),
            _ => None,
        }
    }

    /// Returns two different texts that fit into a sentence, preferring full texts over short ones.
    pub(crate) fn full_pair<'a>(&'a self, other: &'a Self) -> Option<[&'a str; 2]> {
        let pairs = [[&*self.text, &*other.text], [&*self.brief, &*other.brief]];
        pairs
            .into_iter()
            .chain(self.exact_pair(other))
            .find(|[a, b]| a != b && a.len().max(b.len()) <= LONGEST)
    }

    /// Returns two different texts, preferring short texts over full ones.
    pub(crate) fn brief_pair<'a>(&'a self, other: &'a Self) -> Option<[&'a str; 2]> {
        let pairs = [[&*self.brief, &*other.brief], [&*self.text, &*other.text]];
        pairs.into_iter().chain(self.exact_pair(other)).find(|[a, b]| a != b)
    }

    /// Returns both values with all digits.
    fn exact_pair<'a>(&'a self, other: &'a Self) -> Option<[&'a str; 2]> {
        Some([self.exact.as_deref()?, other.exact.as_deref()?])
    }
}

/// Whether two numbers count as equal among numbers of magnitude `scale`.
fn is_close(a: f64, b: f64, scale: f64) -> bool {
    a == b || (a - b).abs() <= EQUAL * scale
}

/// Quantity that should be equal when methods are compared.
pub struct Quantity {
    /// Name in pictures and tables.
    pub name: &'static str,
    /// Whether the name is a plural.
    pub is_plural: bool,
    /// Fields of a scene that set the quantity. Options of a method may contribute too.
    pub fields: &'static [&'static str],
    /// Function that computes the value in a body.
    pub(crate) value: fn(&Body) -> QuantityValue,
    /// Function that returns possible remedies, most likely first.
    pub(crate) changes: fn(&ComparisonCase<'_>) -> Vec<SettingsChange>,
}

impl Quantity {
    /// Returns the value in a body.
    pub fn of(&self, body: &Body) -> QuantityValue {
        (self.value)(body)
    }

    /// Returns the start of a sentence about a difference, and the symbol before its first value.
    pub(crate) fn sentence(&self) -> (String, &'static str) {
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

    /// Returns the name in words, for pictures.
    pub fn in_words(&self) -> &'static str {
        match self.name {
            "c/m" => "damping rate",
            "dt" => "time step",
            "law" => "spring law",
            "k" => "stiffness",
            "bending k" => "bending stiffness",
            name => name,
        }
    }

    /// Returns a phrase such as `damping rate differs` or `pins differ`.
    pub fn differs(&self) -> String {
        format!("{} {}", self.in_words(), if self.is_plural { "differ" } else { "differs" })
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
