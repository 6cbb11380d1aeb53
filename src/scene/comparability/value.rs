//! What a quantity is in a body: compared as numbers or words, and written for people.

use crate::text::number::short;

/// Numbers closer than this, as a share of the greatest, count as equal.
const EQUAL: f64 = 1e-9;

/// The longest text that stands in a sentence; what is longer is only said to differ.
const LONGEST: usize = 48;

/// What a quantity is in a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    content: Content,
    /// With all that is compared, for tables.
    pub text: String,
    /// The same in a few words, for lines under panels and for sentences.
    pub brief: String,
}

/// What is compared.
#[derive(Clone, Debug, PartialEq)]
enum Content {
    /// The quantity has no meaning for this body, such as the stiffness of springs whose lengths
    /// are held.
    Meaningless,
    /// The body has none of it.
    Absent,
    Numbers(Vec<f64>),
    Words(String),
}

impl Value {
    /// One number.
    pub(super) fn number(value: f64) -> Self {
        Self::numbers(vec![value], short(value))
    }

    /// Numbers that are compared one by one.
    pub(super) fn numbers(numbers: Vec<f64>, text: String) -> Self {
        Self { content: Content::Numbers(numbers), brief: text.clone(), text }
    }

    /// The numbers of all nodes or springs. Neighbours that agree count once, so that bodies with
    /// more nodes compare too.
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

    /// A vector.
    pub(super) fn vector(vector: &[f64]) -> Self {
        let components: Vec<String> = vector.iter().map(|value| short(*value)).collect();
        Self::numbers(vector.to_vec(), format!("({})", components.join(", ")))
    }

    /// Words, of which `key` has everything that may differ.
    pub(super) fn words(key: String, text: String, brief: String) -> Self {
        Self { content: Content::Words(key), text, brief }
    }

    /// The body has none of it.
    pub(super) fn absent() -> Self {
        let none = || "none".to_owned();
        Self { content: Content::Absent, text: none(), brief: none() }
    }

    /// The same value in other words.
    pub(super) fn called(self, text: String, brief: String) -> Self {
        Self { text, brief, ..self }
    }

    /// The quantity has no meaning for the body.
    pub(super) fn meaningless() -> Self {
        Self { content: Content::Meaningless, text: "-".into(), brief: "-".into() }
    }

    /// Whether the quantity means something for the body.
    pub fn is_meaningful(&self) -> bool {
        self.content != Content::Meaningless
    }

    /// Whether the body has some of it.
    pub fn is_present(&self) -> bool {
        self.is_meaningful() && self.content != Content::Absent
    }

    /// Whether the two are the same. What has no meaning for a body does not differ.
    pub fn equals(&self, other: &Self) -> bool {
        match (&self.content, &other.content) {
            (Content::Meaningless, _) | (_, Content::Meaningless) => true,
            (Content::Numbers(a), Content::Numbers(b)) => {
                let scale = a.iter().chain(b).fold(0.0_f64, |most, value| most.max(value.abs()));
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_close(*a, *b, scale))
            }
            (a, b) => a == b,
        }
    }

    /// The first number, where it has some.
    pub(super) fn first(&self) -> Option<f64> {
        match &self.content {
            Content::Numbers(numbers) => numbers.first().copied(),
            _ => None,
        }
    }

    /// The number, where it is one.
    fn single(&self) -> Option<f64> {
        match &self.content {
            Content::Numbers(numbers) => match numbers[..] {
                [one] => Some(one),
                _ => None,
            },
            _ => None,
        }
    }

    /// How many times as much it is as the other one, where both are numbers and that one is not 0.
    pub(super) fn ratio(&self, other: &Self) -> Option<f64> {
        let (here, there) = (self.single()?, other.single()?);
        (there != 0.0).then(|| here / there)
    }

    /// The two in full, where that tells them apart and is not too long for a sentence; otherwise
    /// in few words.
    pub(super) fn told_apart<'a>(&'a self, other: &'a Self) -> Option<[&'a str; 2]> {
        let pairs = [[&*self.text, &*other.text], [&*self.brief, &*other.brief]];
        pairs.into_iter().find(|[a, b]| a != b && a.len().max(b.len()) <= LONGEST)
    }

    /// The two in few words; in full where these are the same.
    pub(super) fn told_apart_briefly<'a>(&'a self, other: &'a Self) -> Option<[&'a str; 2]> {
        let pairs = [[&*self.brief, &*other.brief], [&*self.text, &*other.text]];
        pairs.into_iter().find(|[a, b]| a != b)
    }
}

/// Whether two numbers count as equal beside numbers as large as `scale`.
fn is_close(a: f64, b: f64, scale: f64) -> bool {
    a == b || (a - b).abs() <= EQUAL * scale
}
