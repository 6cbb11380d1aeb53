//! Axes of sweeps: one or more fields that vary together, and their values.

use super::super::diagnostic::{Fault, similar};
use super::super::files::Files;
use super::super::patch::{check_path, layer_text};
use super::super::read::{children, read_text, title};
use super::super::source::{Source, TypedOption};
use super::series::{INTERVALS, Interval, written};
use super::{MAX_VARIANTS, ValueKind};
use catena_ron::{Node, TokenKind, words};
use std::{ops::Range, sync::Arc};

/// Source of an axis: a sweep file, or a command-line option.
#[derive(Clone, Debug)]
pub(super) struct AxisPlace {
    /// Name in messages.
    pub(super) origin: String,
    pub(super) text: Arc<str>,
    /// Whether messages give line numbers.
    pub(super) has_lines: bool,
}

impl AxisPlace {
    /// Returns the source of a layer that sets one path to one value. `typed` holds the offsets of
    /// path and value in the text.
    pub(super) fn source(
        &self,
        path: &str,
        value: &str,
        typed: [usize; 2],
        files: &Arc<Files>,
    ) -> Source {
        let (text, parts) = layer_text(path, value, typed);
        let change = format!("{path}={value}");
        let option =
            TypedOption { text: Arc::clone(&self.text), change, parts, has_lines: self.has_lines };
        Source::new(&*self.origin, text, files).typed(option)
    }
}

/// One or more fields that a sweep varies together.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    /// Paths, each with its offset in the text.
    pub(super) paths: Vec<(String, usize)>,
    pub(super) steps: Steps,
    pub(super) place: AxisPlace,
    /// Span of the values in the text.
    pub(super) span: Range<usize>,
}

/// Values of an axis.
#[derive(Clone, Debug)]
pub(super) enum Steps {
    /// List of values; each has a text and its offset for every path.
    Values(Vec<Vec<(String, usize)>>),
    /// Interval with a number of values.
    Numbers(Interval, u64),
    /// Interval whose values a sample chooses.
    Sampled(Interval),
}

const EXPECTED: &str = "expected a list of values, or Linear(from, to, count), Log(…), Whole(…) or \
WholeLog(…)";

/// Maximum number of values of an axis that are listed.
const MAX_LISTED: u64 = 4096;

impl Axis {
    /// Reads an axis. `names` is the text before `=` or `:`. It starts at byte `names_start` of the
    /// text of `place`. `steps` is the text after `=` or `:`.
    pub(super) fn read(
        place: &AxisPlace,
        names: &str,
        names_start: usize,
        steps: Node<'_>,
    ) -> Result<Self, Fault> {
        let mut paths: Vec<(String, usize)> = Vec::new();
        let mut start = names_start;
        for part in names.split(',') {
            let path = part.trim();
            let at = start + part.len() - part.trim_start().len();
            start += part.len() + 1;
            let span = at..at + path.len();
            let refused = |message: String| Fault::new(message).at(span.clone());
            check_path(path, "an axis").map_err(refused)?;
            if paths.iter().any(|(other, _)| *other == path) {
                let fault = refused(format!("`{path}` is written twice"));
                return Err(fault.help("an axis may name each field only once"));
            }
            paths.push((path.into(), at));
        }
        let span = steps.span();
        let steps = read_steps(steps, paths.len()).map_err(|fault| {
            let help = fault.help.clone();
            fault.help(help.unwrap_or_else(|| EXPECTED.into()))
        })?;
        Ok(Self { paths, steps, place: place.clone(), span })
    }

    /// Returns the number of values, or `None` if a sample chooses them.
    pub(super) fn count(&self) -> Option<u64> {
        match &self.steps {
            Steps::Values(values) => Some(values.len() as u64),
            Steps::Numbers(_, count) => Some(*count),
            Steps::Sampled(_) => None,
        }
    }

    /// Returns the texts of a value with their offsets, one for each path. `index` selects a listed
    /// or counted value. `share` selects a sampled value by its position within the interval.
    pub(super) fn value(&self, index: u64, share: f64) -> Vec<(String, usize)> {
        let number = match &self.steps {
            Steps::Values(values) => return values[index as usize].clone(),
            Steps::Numbers(interval, count) => interval.number(index, *count),
            Steps::Sampled(interval) => interval.at(share),
        };
        vec![(written(number), self.span.start)]
    }

    /// Returns all values of a field. Returns `None` if the axis does not vary the field, or the
    /// values are sampled or too many to list.
    pub(super) fn texts_of(&self, path: &str) -> Option<Vec<String>> {
        let field = self.paths.iter().position(|(known, _)| known == path)?;
        let count = self.count().filter(|count| *count <= MAX_LISTED)?;
        let text = |index| Some(self.value(index, 0.0).get(field)?.0.clone());
        (0..count).map(text).collect()
    }

    /// Returns the axis in sweep syntax with an interval of whole numbers, or `None` if that is
    /// impossible or unnecessary.
    pub(super) fn in_whole(&self) -> Option<String> {
        match &self.steps {
            Steps::Values(_) => None,
            Steps::Numbers(interval, count) => interval.in_whole(Some(*count)),
            Steps::Sampled(interval) => interval.in_whole(None),
        }
    }

    /// Whether the numbers have constant ratios; `None` for listed values.
    pub(super) fn is_log(&self) -> Option<bool> {
        match &self.steps {
            Steps::Values(_) => None,
            Steps::Numbers(interval, _) | Steps::Sampled(interval) => Some(interval.is_log()),
        }
    }

    /// Returns the type of the values of each field.
    pub(super) fn kinds(&self) -> Vec<ValueKind> {
        let values = match &self.steps {
            Steps::Values(values) => values,
            Steps::Numbers(interval, _) | Steps::Sampled(interval) => {
                return vec![if interval.counts() { ValueKind::Whole } else { ValueKind::Real }];
            }
        };
        let kind = |field: usize| {
            let texts = || values.iter().filter_map(|value| Some(value.get(field)?.0.as_str()));
            match () {
                () if texts().all(|text| text.parse::<u64>().is_ok()) => ValueKind::Whole,
                () if texts().all(|text| read_text::<f64>(text).is_ok()) => ValueKind::Real,
                () => ValueKind::Text,
            }
        };
        (0..self.paths.len()).map(kind).collect()
    }

    /// Returns the file names in the values, which are the texts of fields called `file`.
    pub(super) fn files(&self) -> Vec<String> {
        let Steps::Values(values) = &self.steps else { return Vec::new() };
        let fields = values.iter().flat_map(|value| self.paths.iter().zip(value));
        fields.flat_map(|((path, _), (text, _))| files_in(path, text)).collect()
    }

    /// Returns a normalized text that is equal for axes with equal values.
    pub(super) fn canonical(&self) -> String {
        let paths: Vec<&str> = self.paths.iter().map(|(path, _)| path.as_str()).collect();
        let steps = match &self.steps {
            Steps::Values(values) => {
                let one = |value: &Vec<(String, usize)>| {
                    let texts: Vec<String> = value.iter().map(|(text, _)| plain(text)).collect();
                    texts.join("\u{1f}")
                };
                values.iter().map(one).collect::<Vec<_>>().join("\u{1e}")
            }
            Steps::Numbers(interval, count) => format!("{interval} {count}"),
            Steps::Sampled(interval) => interval.to_string(),
        };
        format!("{}={steps}", paths.join(","))
    }
}

fn read_steps(node: Node<'_>, paths: usize) -> Result<Steps, Fault> {
    if node.opens('[') {
        return read_list(node, paths);
    }
    let refused = |message: &str| Fault::with_help(node.span(), message, EXPECTED);
    let bare = &node.text()[node.bare_span().start - node.start()..];
    let name = title(node).map_or(bare.trim(), |(name, _)| name);
    if similar(name, &INTERVALS.map(|(name, _)| name)).is_empty() {
        let message = "expected a list or an interval, found one value";
        let help = format!("write [{}], or several with commas between them", node.text().trim());
        return Err(Fault::with_help(node.span(), message, help));
    }
    let (interval, count) = Interval::read(node)?;
    if paths > 1 {
        return Err(refused("an axis of several fields needs a list: [(…, …), (…, …)]"));
    }
    Ok(match count {
        Some(count) if count > MAX_VARIANTS => {
            let what = format!("{count} values are more than the limit of {MAX_VARIANTS}");
            return Err(refused(&what));
        }
        Some(count) => Steps::Numbers(interval, count),
        None => Steps::Sampled(interval),
    })
}

fn read_list(node: Node<'_>, paths: usize) -> Result<Steps, Fault> {
    let all = children(node)?;
    if all.is_empty() {
        return Err(Fault::with_help(node.span(), "an axis needs at least one value", EXPECTED));
    }
    let placed = |node: Node<'_>| (node.text().to_owned(), node.start());
    if paths == 1 {
        return Ok(Steps::Values(all.into_iter().map(|child| vec![placed(child)]).collect()));
    }
    let mut values = Vec::with_capacity(all.len());
    for child in all {
        let parts = children(child)?;
        if parts.len() != paths || parts.iter().any(|part| !part.name().is_empty()) {
            let message = format!("expected {paths} values in parentheses, one for each field");
            return Err(Fault::new(message).at(child.span()));
        }
        values.push(parts.into_iter().map(placed).collect());
    }
    Ok(Steps::Values(values))
}

/// Name of fields whose value is a file name.
const FILE: &str = "file";

/// Returns the file names in the value of a field.
fn files_in(path: &str, text: &str) -> Vec<String> {
    let is_file = path.rsplit('.').next() == Some(FILE);
    let mut before = [if is_file { FILE } else { "" }, if is_file { ":" } else { "" }];
    let mut names = Vec::new();
    for (kind, place) in words(text, 0) {
        let token = text.get(place).unwrap_or_default();
        if kind == TokenKind::Text && before == [FILE, ":"] {
            names.extend(read_text::<String>(token).ok());
        }
        before = [before[1], token];
    }
    names
}

/// Removes spaces and comments between the tokens of a value, for comparisons.
pub(super) fn plain(text: &str) -> String {
    match read_text(text) {
        Ok(number) => written(number),
        Err(_) => words(text, 0).map(|(_, place)| &text[place]).collect(),
    }
}
