//! The value of a quantity in a body: compared as numbers or words, and written for people.

use catena_base::text::number::short;

/// Numbers closer than this, as a share of the greatest, count as equal.
const EQUAL: f64 = 1e-9;

/// The longest text in a sentence, in bytes; of a longer one a sentence says only that it differs.
const LONGEST: usize = 48;

/// The value of a quantity in a body.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantityValue {
    content: ValueContent,
    /// The value in full, for tables.
    pub text: String,
    /// The value in a few words, for lines in panels and for sentences.
    pub brief: String,
    /// All digits of a number whose text has four of more.
    exact: Option<String>,
}

/// What is compared.
#[derive(Clone, Debug, PartialEq)]
enum ValueContent {
    /// The quantity has no meaning for the body, such as stiffness where lengths are held.
    Meaningless,
    /// The body has none of it.
    Absent,
    Numbers(Vec<f64>),
    Words(String),
}

impl QuantityValue {
    /// One number.
    pub(super) fn number(value: f64) -> Self {
        Self::numbers(vec![value], short(value))
    }

    /// Several numbers, compared one by one.
    pub(super) fn numbers(numbers: Vec<f64>, text: String) -> Self {
        let brief = text.clone();
        Self { content: ValueContent::Numbers(numbers), brief, exact: None, text }
    }

    /// The numbers of all nodes or springs. Equal neighbours count once, so that bodies with
    /// different numbers of nodes compare too.
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

    /// A vector, compared by components.
    pub(super) fn vector(vector: &[f64]) -> Self {
        let components: Vec<String> = vector.iter().map(|value| short(*value)).collect();
        Self::numbers(vector.to_vec(), format!("({})", components.join(", ")))
    }

    /// Words; `key` holds everything that may differ and is compared.
    pub(super) fn words(key: String, text: String, brief: String) -> Self {
        Self { content: ValueContent::Words(key), text, brief, exact: None }
    }

    /// The value of a body that has none of the quantity.
    pub(super) fn absent() -> Self {
        let none = || "none".to_owned();
        Self { content: ValueContent::Absent, text: none(), brief: none(), exact: None }
    }

    /// The same value with all its digits, for where four do not tell it from another.
    pub(super) fn exactly(self, exact: String) -> Self {
        Self { exact: Some(exact), ..self }
    }

    /// The value of a body for which the quantity has no meaning.
    pub(super) fn meaningless() -> Self {
        let none = || "-".to_owned();
        Self { content: ValueContent::Meaningless, text: none(), brief: none(), exact: None }
    }

    /// Whether the quantity means something for the body.
    pub fn is_meaningful(&self) -> bool {
        self.content != ValueContent::Meaningless
    }

    /// Whether the body has some of the quantity.
    pub fn is_present(&self) -> bool {
        self.is_meaningful() && self.content != ValueContent::Absent
    }

    /// Whether two values count as equal, to 1e-9 of the greatest number. A value without meaning
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

    /// The first number, if the value has numbers.
    pub(super) fn first(&self) -> Option<f64> {
        match &self.content {
            ValueContent::Numbers(numbers) => numbers.first().copied(),
            _ => None,
        }
    }

    /// Two texts that differ and fit into a sentence: the values in full, or else in few words.
    pub(super) fn told_apart<'a>(&'a self, other: &'a Self) -> Option<[&'a str; 2]> {
        let pairs = [[&*self.text, &*other.text], [&*self.brief, &*other.brief]];
        pairs
            .into_iter()
            .chain(self.exactly_beside(other))
            .find(|[a, b]| a != b && a.len().max(b.len()) <= LONGEST)
    }

    /// Two texts that differ: the values in few words, or else in full.
    pub(super) fn told_apart_briefly<'a>(&'a self, other: &'a Self) -> Option<[&'a str; 2]> {
        let pairs = [[&*self.brief, &*other.brief], [&*self.text, &*other.text]];
        pairs.into_iter().chain(self.exactly_beside(other)).find(|[a, b]| a != b)
    }

    /// Both values with all their digits.
    fn exactly_beside<'a>(&'a self, other: &'a Self) -> Option<[&'a str; 2]> {
        Some([self.exact.as_deref()?, other.exact.as_deref()?])
    }
}

/// Whether two numbers count as equal among numbers as large as `scale`.
fn is_close(a: f64, b: f64, scale: f64) -> bool {
    a == b || (a - b).abs() <= EQUAL * scale
}
