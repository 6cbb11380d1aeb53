//! Numbers of a scene that the page of `catena watch --serve` changes with sliders, and the button
//! that writes their values into the file.

use super::FileChanges;
use catena_base::read;
use catena_output::replace::replace;
use catena_scene::numbers::{WrittenNumber, written_numbers};
use catena_scene::{Limits, Patch, SceneText, load_within};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Maximum number of changes at a time.
const MAX_CHANGES: usize = 200;
/// Optional first character of a UTF-8 file.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// A scene whose numbers a page changes.
pub trait Tuner: Send + Sync {
    /// The numbers and the current changes, as JSON.
    fn numbers(&self) -> String;

    /// Replaces all changes. Each is `PATH=VALUE`, as in `--set`.
    ///
    /// # Errors
    /// A message about a change that cannot be used. The earlier changes are kept.
    fn set(&self, changes: &[String]) -> Result<(), String>;

    /// Writes the changed values into the file of the scene, and discards the changes.
    ///
    /// # Errors
    /// The file does not contain such a number, has been changed, or cannot be written.
    fn write(&self) -> Result<(), String>;
}

/// Numbers for a page.
#[derive(Serialize)]
struct PageNumbers<'a> {
    numbers: Vec<PageNumber<'a>>,
    /// Changes of the page.
    set: Vec<String>,
}

/// A number that a slider moves.
#[derive(Serialize)]
struct PageNumber<'a> {
    path: &'a str,
    /// Text of the number.
    text: &'a str,
    value: f64,
    whole: bool,
    field: &'a str,
    before: &'a str,
    after: &'a str,
}

impl Tuner for FileChanges {
    fn numbers(&self) -> String {
        let text = SceneText::read_within(self.path(), self.limits());
        let text = text.map_or(String::new(), |text| text.text);
        let numbers = written_numbers(&text);
        let numbers = numbers.iter().filter_map(|number| page_number(number, &text)).collect();
        let message = PageNumbers { numbers, set: self.tuned().iter().map(Patch::text).collect() };
        serde_json::to_string(&message).unwrap_or_default()
    }

    fn set(&self, changes: &[String]) -> Result<(), String> {
        if changes.len() > MAX_CHANGES {
            return Err(format!("too many changes: the maximum is {MAX_CHANGES}"));
        }
        let patches: Vec<Patch> =
            changes.iter().map(|one| one.parse::<Patch>()).collect::<Result<_, _>>()?;
        let all = [self.patches(), &patches].concat();
        let text = SceneText::read_within(self.path(), self.limits());
        let text = text.map_err(|error| error.report(false))?;
        load_within(&text, &all, self.limits()).map_err(|error| error.report(false))?;
        self.tune(patches);
        Ok(())
    }

    fn write(&self) -> Result<(), String> {
        let changes: Vec<String> = self.tuned().iter().map(Patch::text).collect();
        if changes.is_empty() {
            return Err("there are no changes to write".into());
        }
        let text = SceneText::read_within(self.path(), self.limits());
        let old = text.map_err(|error| error.report(false))?.text;
        let new = with_changes(&old, &changes)?;
        write(self.path(), self.limits(), &old, &new)?;
        self.tune(Vec::new());
        Ok(())
    }
}

/// Returns a number for the page. `None` if a change cannot set it separately.
fn page_number<'a>(number: &'a WrittenNumber, text: &'a str) -> Option<PageNumber<'a>> {
    let set = number.set.as_ref()?;
    Some(PageNumber {
        path: &number.path,
        text: text.get(number.span.clone())?,
        value: number.value,
        whole: number.is_whole,
        field: &set.field,
        before: &set.before,
        after: &set.after,
    })
}

/// Replaces the text of a file, unless it is no longer `old`. Keeps a byte-order mark.
fn write(path: &Path, limits: &Limits, old: &str, new: &str) -> Result<(), String> {
    let there = read::file(path, limits.file_bytes).map_err(|error| error.to_string())?;
    let mark = if there.starts_with(BYTE_ORDER_MARK.as_bytes()) { BYTE_ORDER_MARK } else { "" };
    let [old, new] = [old, new].map(|text| format!("{mark}{text}"));
    replace(path, old.as_bytes(), new.as_bytes()).map_err(|error| error.to_string())
}

/// Returns a text with the changed numbers. Everything else in the text is kept, including
/// comments.
///
/// # Errors
/// The text does not contain a changed number.
pub fn with_changes(text: &str, changes: &[String]) -> Result<String, String> {
    let all = written_numbers(text);
    let mut by_field: BTreeMap<&str, Vec<&WrittenNumber>> = BTreeMap::new();
    for number in &all {
        if let Some(set) = &number.set {
            by_field.entry(&set.field).or_default().push(number);
        }
    }
    let mut new: Vec<(&WrittenNumber, &str)> = Vec::new();
    for change in changes {
        let (field, value) = change.split_once('=').unwrap_or((change, ""));
        let numbers = by_field.get(field.trim()).map(Vec::as_slice).unwrap_or_default();
        let found = numbers_in(text, numbers, value).ok_or_else(|| {
            format!("the file contains no {field} in the form {value}; add the field by hand")
        })?;
        new.extend(found);
    }
    new.sort_by_key(|(number, _)| number.span.start);
    let mut written = text.to_owned();
    for (number, value) in new.into_iter().rev() {
        written.replace_range(number.span.clone(), value);
    }
    Ok(written)
}

/// Finds the numbers in the value of a field that is written like `value`.
fn numbers_in<'a, 'b>(
    text: &str,
    numbers: &[&'a WrittenNumber],
    value: &'b str,
) -> Option<Vec<(&'a WrittenNumber, &'b str)>> {
    let (mut found, mut rest, mut from) = (Vec::new(), value, 0);
    for number in numbers {
        let (set, own) = (number.set.as_ref()?, text.get(number.span.clone())?);
        rest = rest.strip_prefix(set.before.get(from..)?)?;
        let is_part = |c: char| c.is_ascii_alphanumeric() || "+-._".contains(c);
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (digits, tail) = rest.split_at(end);
        digits.replace('_', "").parse::<f64>().ok()?;
        found.push((*number, digits));
        (rest, from) = (tail, set.before.len() + own.len());
    }
    let last = numbers.last()?.set.as_ref()?;
    (rest == last.after).then_some(found)
}
