//! Value of a quantity in a body, for comparison and for display.

use catena_base::text::number::short;

/// Relative tolerance: numbers that differ by less than this fraction of the largest count as
/// equal.
const EQUAL: f64 = 1e-9;

/// Maximum length of a value in a sentence, in bytes. For longer values the sentence only says that
/// they differ.
const LONGEST: usize = 48;

/// Value of a quantity in a body.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantityValue {
    content: ValueContent,
    /// Full text, for tables.
    pub text: String,
    /// Short text, for lines in panels and for sentences.
    pub brief: String,
    /// All digits of a number whose other texts have four.
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
    Words(String),
}

impl QuantityValue {
    /// Returns a value of one number.
    pub(super) fn number(value: f64) -> Self {
        Self::numbers(vec![value], short(value))
    }

    /// Returns a value of several numbers, which are compared one by one.
    pub(super) fn numbers(numbers: Vec<f64>, text: String) -> Self {
        let brief = text.clone();
        Self { content: ValueContent::Numbers(numbers), brief, exact: None, text }
    }

    /// Returns the numbers of all nodes or springs. Runs of equal numbers count once, so that
    /// bodies with different node counts can be compared.
    pub(super) fn profile(values: impl Iterator<Item = f64>) -> Self {
        let mut runs: Vec<f64> = values.collect();
        runs.dedup_by(|a, b| is_close(*a, *b, a.abs().max(b.abs())));
        let least = runs.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = runs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let text = match least == greatest {
            true => short(least),
            false => format!("{} to {}", short(least), short(greatest)),
        };
        if runs.is_empty() { Self::absent() } else { Self::numbers(runs, text) }
    }

    /// Returns a vector, which is compared by components.
    pub(super) fn vector(vector: &[f64]) -> Self {
        let components: Vec<String> = vector.iter().map(|value| short(*value)).collect();
        Self::numbers(vector.to_vec(), format!("({})", components.join(", ")))
    }

    /// Returns a text value. Comparisons use `key`, which holds everything that may differ.
    pub(super) fn words(key: String, text: String, brief: String) -> Self {
        Self { content: ValueContent::Words(key), text, brief, exact: None }
    }

    /// Returns the value of a body that lacks the quantity.
    pub(super) fn absent() -> Self {
        let none = || "none".to_owned();
        Self { content: ValueContent::Absent, text: none(), brief: none(), exact: None }
    }

    /// Adds a text with all digits, for values that four digits do not distinguish.
    pub(super) fn exactly(self, exact: String) -> Self {
        Self { exact: Some(exact), ..self }
    }

    /// Returns the value of a body to which the quantity does not apply.
    pub(super) fn meaningless() -> Self {
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
                let scale = a.iter().chain(b).fold(0.0_f64, |most, value| most.max(value.abs()));
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_close(*a, *b, scale))
            }
            (a, b) => a == b,
        }
    }

    /// Returns the first number, if the value has numbers.
    pub(super) fn first(&self) -> Option<f64> {
        match &self.content {
            ValueContent::Numbers(numbers) => numbers.first().copied(),
            _ => None,
        }
    }

    /// Returns two different texts that fit into a sentence, preferring full texts over short ones.
    pub(super) fn told_apart<'a>(&'a self, other: &'a Self) -> Option<[&'a str; 2]> {
        let pairs = [[&*self.text, &*other.text], [&*self.brief, &*other.brief]];
        pairs
            .into_iter()
            .chain(self.exactly_beside(other))
            .find(|[a, b]| a != b && a.len().max(b.len()) <= LONGEST)
    }

    /// Returns two different texts, preferring short texts over full ones.
    pub(super) fn told_apart_briefly<'a>(&'a self, other: &'a Self) -> Option<[&'a str; 2]> {
        let pairs = [[&*self.brief, &*other.brief], [&*self.text, &*other.text]];
        pairs.into_iter().chain(self.exactly_beside(other)).find(|[a, b]| a != b)
    }

    /// Returns both values with all digits.
    fn exactly_beside<'a>(&'a self, other: &'a Self) -> Option<[&'a str; 2]> {
        Some([self.exact.as_deref()?, other.exact.as_deref()?])
    }
}

/// Whether two numbers count as equal among numbers of magnitude `scale`.
fn is_close(a: f64, b: f64, scale: f64) -> bool {
    a == b || (a - b).abs() <= EQUAL * scale
}
