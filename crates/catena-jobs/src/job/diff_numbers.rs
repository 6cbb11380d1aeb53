//! Comparison of two files of numbers, such as traces.

use super::diff_reading::{has_many_bodies, hint};
use catena_scene::recorded::{NumberRows, RowKey};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// Place of a difference, with both numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NumberPlace {
    /// Number of the frame, step or row.
    pub at: u64,
    /// Number of the panel, if the files have it.
    pub panel: Option<u64>,
    /// Number of the body, if the files have it.
    pub body: Option<u64>,
    /// Index of the node, if the files have several.
    pub node: Option<u32>,
    /// Name of the column.
    pub column: String,
    /// Numbers in the expected and the actual file. `None` is a missing or infinite number.
    pub values: [Option<f64>; 2],
    /// Line numbers in both files.
    pub lines: [usize; 2],
}

/// Differences of a column, or of all columns in a frame.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct NumberDifference {
    /// Largest difference. Infinite if one number of a pair is missing.
    pub largest: f64,
    /// Root of the mean squared difference.
    pub rms: f64,
    /// Number of compared pairs.
    pub count: u64,
    /// Place of the largest difference, unless all numbers are equal.
    pub place: Option<NumberPlace>,
}

/// Result of comparing two files of numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NumberComparison {
    /// Names of the expected and the actual file.
    pub files: [String; 2],
    /// Unit in which rows are numbered: `frame`, `step` or `row`.
    pub unit: &'static str,
    /// Maximum difference that passes.
    pub tolerance: f64,
    /// Number of rows with a counterpart.
    pub rows: u64,
    /// Columns that both files have, in the order of the expected file.
    pub columns: Vec<(String, NumberDifference)>,
    /// Frames, steps or rows, in order.
    pub frames: Vec<(u64, NumberDifference)>,
    /// First difference above the tolerance.
    pub first_beyond: Option<NumberPlace>,
    /// Rows of each file without a counterpart: their number, and the range of their frames.
    pub alone: [Option<(u64, [u64; 2])>; 2],
    /// Nodes that only one file has.
    pub nodes_alone: [Vec<u32>; 2],
    /// Columns that only one file has.
    pub columns_alone: [Vec<String>; 2],
    /// Columns of text, which are not compared.
    pub texts: Vec<String>,
    /// Lowest frame of each file.
    pub starts: [u64; 2],
    /// Reason why no row matches, if none does.
    pub unmatched: Option<String>,
    /// Advice on options for reading the actual file that make it agree far better.
    pub hint: Option<String>,
}

impl NumberComparison {
    /// Returns the result as JSON.
    ///
    /// # Errors
    /// The text does not fit into memory.
    pub fn json(&self) -> io::Result<String> {
        serde_json::to_string_pretty(self).map_err(io::Error::other)
    }

    /// Whether no difference is above the tolerance, and all rows have a counterpart. With
    /// `allows_extra`, the actual file may have more rows.
    pub fn passes(&self, allows_extra: bool) -> bool {
        let [missing, extra] = &self.alone;
        self.rows > 0
            && self.first_beyond.is_none()
            && missing.is_none()
            && (extra.is_none() || allows_extra)
    }
}

/// Sums of differences.
#[derive(Default)]
struct Sum {
    largest: f64,
    squares: f64,
    count: u64,
    place: Option<NumberPlace>,
}

impl Sum {
    fn add(&mut self, difference: f64, place: impl FnOnce() -> NumberPlace) {
        if difference > self.largest {
            self.largest = difference;
            self.place = Some(place());
        }
        self.squares += difference * difference;
        self.count += 1;
    }

    fn end(self) -> NumberDifference {
        let Self { largest, squares, count, place } = self;
        let rms = if count > 0 { (squares / count as f64).sqrt() } else { 0.0 };
        NumberDifference { largest, rms, count, place }
    }
}

/// Difference of two numbers. NaN is a missing number, and two missing numbers are equal.
fn difference(a: f64, b: f64) -> f64 {
    match (a.is_nan(), b.is_nan()) {
        (true, true) => 0.0,
        // Equal infinities have no difference.
        (false, false) if a == b => 0.0,
        (false, false) => (a - b).abs(),
        _ => f64::INFINITY,
    }
}

/// Compares two files. Rows are matched by frame, panel, body and node, and columns by name.
pub fn diff_numbers(
    expected: &NumberRows,
    actual: &NumberRows,
    tolerance: f64,
) -> NumberComparison {
    let texts = texts(expected, actual);
    let shared = shared_columns(expected, actual, &texts);
    // A file that describes only one body need not name it.
    let keys = |rows: &NumberRows| -> BTreeMap<RowKey, usize> {
        let names_bodies = [expected, actual].map(has_many_bodies).contains(&true);
        let key = |key: RowKey| match names_bodies {
            true => key,
            false => RowKey { panel: None, body: None, ..key },
        };
        rows.keys.iter().enumerate().map(|(index, (it, _))| (key(*it), index)).collect()
    };
    let (first, second) = (keys(expected), keys(actual));
    let mut columns: Vec<Sum> = shared.iter().map(|_| Sum::default()).collect();
    let mut frames: BTreeMap<u64, Sum> = BTreeMap::new();
    let (mut rows, mut beyond) = (0, None);
    for (key, a, b) in first.iter().filter_map(|(key, a)| Some((key, a, second.get(key)?))) {
        rows += 1;
        let frame = frames.entry(key.at).or_default();
        for (sum, (of_a, of_b)) in columns.iter_mut().zip(&shared) {
            let values = [expected.row(*a)[*of_a], actual.row(*b)[*of_b]];
            let found = difference(values[0], values[1]);
            let place = || NumberPlace {
                at: key.at,
                panel: key.panel,
                body: key.body,
                node: key.node,
                column: expected.columns[*of_a].clone(),
                values: values.map(|value| Some(value).filter(|value| !value.is_nan())),
                lines: [expected.keys[*a].1, actual.keys[*b].1],
            };
            sum.add(found, place);
            frame.add(found, place);
            if found > tolerance && beyond.is_none() {
                beyond = Some(place());
            }
        }
    }
    let names = shared.iter().map(|(index, _)| expected.columns[*index].clone());
    NumberComparison {
        files: [expected.name.clone(), actual.name.clone()],
        unit: if expected.unit == actual.unit { expected.unit } else { "row" },
        tolerance,
        rows,
        columns: names.zip(columns.into_iter().map(Sum::end)).collect(),
        frames: frames.into_iter().map(|(at, sum)| (at, sum.end())).collect(),
        hint: hint(expected, actual, beyond.is_some() || rows < first.len() as u64),
        first_beyond: beyond,
        alone: [without(&first, &second), without(&second, &first)],
        nodes_alone: [nodes_alone(&first, &second), nodes_alone(&second, &first)],
        columns_alone: [columns_alone(expected, actual), columns_alone(actual, expected)],
        texts,
        starts: [&first, &second].map(|keys| keys.keys().next().map_or(0, |key| key.at)),
        unmatched: (rows == 0).then(|| unmatched(expected, actual)),
    }
}

/// Names of the columns that have text in either file.
fn texts(expected: &NumberRows, actual: &NumberRows) -> Vec<String> {
    let is_text = |name: &&String| expected.texts.contains(name) || actual.texts.contains(name);
    expected.columns.iter().filter(is_text).cloned().collect()
}

/// Indices of the columns that both files have, except columns of text.
fn shared_columns(a: &NumberRows, b: &NumberRows, texts: &[String]) -> Vec<(usize, usize)> {
    let numbers = a.columns.iter().enumerate().filter(|(_, name)| !texts.contains(name));
    let pair = |(index, name): (usize, &String)| {
        Some((index, b.columns.iter().position(|other| other == name)?))
    };
    numbers.filter_map(pair).collect()
}

/// Names of the columns of `one` that `other` does not have.
fn columns_alone(one: &NumberRows, other: &NumberRows) -> Vec<String> {
    let names = one.columns.iter().filter(|name| !other.columns.contains(name));
    names.cloned().collect()
}

/// Nodes of `one` that no row of `other` has. Empty unless both files have nodes.
fn nodes_alone(one: &BTreeMap<RowKey, usize>, other: &BTreeMap<RowKey, usize>) -> Vec<u32> {
    let nodes = |keys: &BTreeMap<RowKey, usize>| -> BTreeSet<u32> {
        keys.keys().filter_map(|key| key.node).collect()
    };
    let others = nodes(other);
    match others.is_empty() {
        true => Vec::new(),
        false => nodes(one).difference(&others).copied().collect(),
    }
}

/// Number and range of the rows of `one` that `other` does not have.
fn without(
    one: &BTreeMap<RowKey, usize>,
    other: &BTreeMap<RowKey, usize>,
) -> Option<(u64, [u64; 2])> {
    let alone: Vec<u64> =
        one.keys().filter(|key| !other.contains_key(key)).map(|it| it.at).collect();
    let (first, last) = (alone.first()?, alone.last()?);
    Some((alone.len() as u64, [*first, *last]))
}

/// Returns whether the key of a row contains a certain part.
type HasPart = fn(&RowKey) -> bool;

/// Explains why no row of one file has a counterpart in the other.
fn unmatched(expected: &NumberRows, actual: &NumberRows) -> String {
    let files = [expected, actual];
    let uses = |has: HasPart| files.map(|it| it.keys.iter().any(|(key, _)| has(key)));
    let parts: [(&str, HasPart); 3] = [
        ("panels", |key| key.panel.is_some()),
        ("bodies", |key| key.body.is_some()),
        ("nodes", |key| key.node.is_some()),
    ];
    // A file that describes only one body need not name it.
    let ignored = if files.map(has_many_bodies).contains(&true) { 0 } else { 2 };
    for (word, has) in parts.into_iter().skip(ignored) {
        let (with, without) = match uses(has) {
            [true, false] => (expected, actual),
            [false, true] => (actual, expected),
            _ => continue,
        };
        return format!("{} has a column for {word}, but {} has none", with.name, without.name);
    }
    let units = [expected.unit, actual.unit];
    if units[0] != units[1] {
        let [a, b] = units;
        return format!("{} counts {a}s, but {} counts {b}s", expected.name, actual.name);
    }
    let range = |it: &NumberRows| {
        let at = || it.keys.iter().map(|(key, _)| key.at);
        let (first, last) = (at().min().unwrap_or(0), at().max().unwrap_or(0));
        format!("{} has {}s {first} to {last}", it.name, it.unit)
    };
    let same = files.map(|it| it.keys.iter().map(|(key, _)| key.at).collect::<BTreeSet<_>>());
    match same[0].is_disjoint(&same[1]) {
        true => format!("{}, but {}", range(expected), range(actual)),
        false => "their panels, bodies or nodes have different numbers".into(),
    }
}
