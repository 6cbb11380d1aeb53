//! Fields that a fit varies.

use catena_analysis::fit::Bounds;
use catena_scene::reference::fields_like;
use catena_scene::{FieldInfo, fields};
use std::str::FromStr;

/// Field that a fit varies: `drag`, `drag=0.1` with a start, or `gravity=(0, {-9.81})`, where the
/// number in braces varies. Several numbers of one value may be in braces.
#[derive(Clone, Debug, PartialEq)]
pub struct FitTerm {
    /// Path of the field.
    pub path: String,
    /// Text of the value before the first number, between numbers and after the last one.
    around: Vec<String>,
    /// Start value of each number. `None` takes the value of the scene.
    pub(super) starts: Vec<Option<f64>>,
}

/// Names of the numbers in a vector.
const AXES: [&str; 3] = ["x", "y", "z"];

impl FromStr for FitTerm {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (path, value) = text.split_once('=').map_or((text, None), |(a, b)| (a, Some(b)));
        let path = path.trim().to_owned();
        let finite = |number: &str| {
            let found = number.trim().parse::<f64>().ok().filter(|number| number.is_finite());
            found.ok_or_else(|| format!("expected a number as the start, found `{number}`"))
        };
        if path.is_empty() {
            return Err("expected a field, such as drag or rope.stiffness=80".into());
        }
        let plain = |start: Option<f64>| Self {
            path: path.clone(),
            around: vec![String::new(); 2],
            starts: vec![start],
        };
        let Some(value) = value else { return Ok(plain(None)) };
        let Some((before, mut rest)) = value.split_once('{') else {
            return Ok(plain(Some(finite(value)?)));
        };
        let (mut around, mut starts) = (vec![before.to_owned()], Vec::new());
        loop {
            let (number, after) = rest.split_once('}').ok_or("there is no `}` behind `{`")?;
            if number.trim().is_empty() {
                return Err(format!(
                    "`{{}}` has no number: write the one at which the search begins, such as \
                     {path}={before}{{0.1}}…"
                ));
            }
            starts.push(Some(finite(number)?));
            let next = after.split_once('{');
            around.push(next.map_or(after, |(between, _)| between).to_owned());
            match next {
                Some((_, after)) => rest = after,
                None => return Ok(Self { path, around, starts }),
            }
        }
    }
}

impl FitTerm {
    /// Splits a list such as `rope.stiffness,drag` at its commas, except commas inside brackets.
    ///
    /// # Errors
    /// An entry is not a field with or without a value.
    pub fn list(text: &str) -> Result<Vec<Self>, String> {
        let (mut depth, mut parts) = (0_i32, vec![String::new()]);
        for letter in text.chars() {
            depth += match letter {
                '(' | '[' | '{' => 1,
                ')' | ']' | '}' => -1,
                _ => 0,
            };
            match (letter, depth) {
                (',', 0) => parts.push(String::new()),
                _ => parts.iter_mut().last().into_iter().for_each(|part| part.push(letter)),
            }
        }
        parts.iter().map(|part| part.parse()).collect()
    }

    /// Number of varied numbers.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// Pairs each term with its numbers. `all` contains the numbers of all terms in order.
    pub(in crate::job) fn divide<'a, T>(
        terms: &'a [Self],
        mut all: &'a [T],
    ) -> Vec<(&'a Self, &'a [T])> {
        let mut parts = Vec::new();
        for term in terms {
            let (own, rest) = all.split_at(term.count().min(all.len()));
            parts.push((term, own));
            all = rest;
        }
        parts
    }

    /// Returns the setting with these numbers in the syntax of `--set`, with all their digits.
    pub fn setting(&self, numbers: &[f64]) -> String {
        format!("{}={}", self.path, self.value(numbers))
    }

    /// Returns the value of the field with these numbers.
    pub(super) fn value(&self, numbers: &[f64]) -> String {
        self.filled(numbers.iter().map(|number| format!("{number:?}")))
    }

    /// Returns the value with texts in place of its numbers.
    fn filled(&self, texts: impl Iterator<Item = String>) -> String {
        let mut value = String::new();
        let mut texts = texts.fuse();
        for (index, around) in self.around.iter().enumerate() {
            if index > 0 {
                value.extend(texts.next());
            }
            value.push_str(around);
        }
        value
    }

    /// Returns the name of a number in results. For an option inside a value, it is a name such as
    /// `ConstraintVerlet.damping`, and otherwise the path of the field. Several numbers of a vector
    /// are `gravity.x` and `gravity.y`.
    pub fn name(&self, index: usize) -> String {
        let before = self.around[..=index].join("0");
        let before = before.trim_end();
        let is_word = |text: &str| {
            !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        let inside = before.strip_suffix(':').and_then(|before| {
            let (rest, option) = before.rsplit_once(['(', ',', '{'])?;
            let thing = rest.split('(').next()?.trim();
            let thing = if is_word(thing) { thing } else { self.path.as_str() };
            let option = option.trim();
            is_word(option).then(|| format!("{thing}.{option}"))
        });
        let place = before.matches(',').count();
        let is_vector = before.starts_with('(') && !before.contains(':') && place < AXES.len();
        inside.unwrap_or_else(|| match (self.count(), is_vector) {
            (1, _) => self.path.clone(),
            (_, true) => format!("{}.{}", self.path, AXES[place]),
            (_, false) => format!("{} {}", self.path, index + 1),
        })
    }

    /// Whether the number is inside a value, so that no field description states its range.
    pub(super) fn is_inside(&self) -> bool {
        self.around.iter().any(|text| !text.is_empty())
    }

    /// Start value of each number. `None` takes the value of the scene.
    pub(in crate::job) fn starts(&self) -> &[Option<f64>] {
        &self.starts
    }

    /// Returns the term in the syntax of `--vary` with these start values.
    pub(in crate::job) fn with_starts(&self, starts: &[String]) -> String {
        let text = |it: &String| if self.is_inside() { format!("{{{it}}}") } else { it.clone() };
        format!("{}={}", self.path, self.filled(starts.iter().map(text)))
    }

    /// Returns the option with a placeholder for the start value.
    pub(super) fn beginning(&self) -> String {
        let text = if self.is_inside() { "{START}" } else { "START" };
        let texts = std::iter::repeat_n(text.to_owned(), self.count());
        format!("{}={}", self.path, self.filled(texts))
    }

    /// Returns the range of the number from the description of the field. `has` returns whether the
    /// body has a shape: messages propose fields of this shape only.
    ///
    /// # Errors
    /// The field does not exist, or cannot vary continuously.
    pub(super) fn bounds(&self, has: &dyn Fn(&str) -> bool) -> Result<Bounds, String> {
        if self.is_inside() {
            return Ok(Bounds::NONE);
        }
        let all = fields();
        let Some(field) = all.iter().find(|field| field.path == self.path) else {
            return Err(self.no_field(&all, has));
        };
        if field.expected.starts_with("a whole number") {
            return Err(format!(
                "`{}` is a whole number, which a fit cannot vary; `catena sweep` tries its values",
                self.path
            ));
        }
        Ok(bounds(&field.expected))
    }
}

impl FitTerm {
    /// Message about a path that does not name a single field.
    fn no_field(&self, all: &[FieldInfo], has: &dyn Fn(&str) -> bool) -> String {
        let path = &self.path;
        let inside = all.iter().find(|field| field.path.starts_with(&format!("{path}.")));
        if let Some(field) = inside {
            let inside = &field.path;
            return format!("`{path}` has several fields; name one of them, such as {inside}");
        }
        let near = fields_like(path);
        let own: Vec<String> = near.iter().filter(|it| has(first_of(it))).cloned().collect();
        let near = if own.is_empty() { near } else { own };
        let advice = match near.is_empty() {
            true => format!(
                "`catena fields` lists all, and {path}=…{{START}}… varies a number in a value"
            ),
            false => format!("did you mean {}?", near.join(" or ")),
        };
        format!("a scene has no field `{path}`; {advice}")
    }
}

/// First part of a path.
fn first_of(path: &str) -> &str {
    path.split('.').next().unwrap_or(path)
}

/// Reads a range from the description of a field: `a number above 0, at most 1e100`.
fn bounds(expected: &str) -> Bounds {
    let after = |words: &str| -> Option<f64> {
        let (_, rest) = expected.split_once(words)?;
        let end = rest.find([',', ' ', ';']).unwrap_or(rest.len());
        rest[..end].parse().ok()
    };
    let mut bounds = Bounds::NONE;
    if let Some(low) = after("above ") {
        (bounds.low, bounds.is_open[0]) = (low, true);
    }
    if let Some(low) = after("at least ").or_else(|| after("from ")) {
        bounds.low = low;
    }
    if let Some(high) = after("at most ").or_else(|| after(" to ")) {
        bounds.high = high;
    }
    bounds
}
