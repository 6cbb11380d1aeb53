//! As many faults of a scene as can be found independently of each other, for editors.
//!
//! Readers stop at the first fault. What it lies in is then covered by spaces, and the rest is read
//! once more. Faults that would follow from what is covered are left out.

use super::error::SceneError;
use super::file::SceneText;
use super::layered::Scope;
use super::limits::Limits;
use super::load::{finish, parsed};
use super::panel_layers::panel_layers;
use super::parsed::ParsedScene;
use super::parts::Scene;
use super::stack::layer_faults;
use catena_ron::Context;
use ron::value::RawValue;
use std::ops::Range;

/// How many faults are looked for.
const MOST: usize = 20;
/// How many bytes are read for them, all readings together, apart from the first.
const MOST_BYTES: usize = 4 << 20;

/// Reads a scene within limits.
///
/// # Errors
/// The faults that were found, one at least; all of them but those that cannot be told from what
/// follows from others.
pub fn check(text: &SceneText, limits: &Limits) -> Result<Scene, Vec<SceneError>> {
    let parsed = match parsed(text, &[], limits) {
        Ok(parsed) => parsed,
        Err(first) => return Err(unreadable(text, first, limits)),
    };
    let misplaced = misplaced(&parsed, limits);
    if !misplaced.is_empty() {
        return Err(misplaced);
    }
    finish(text, parsed, limits).map_err(|fault| vec![fault])
}

/// The faults of a text that cannot be read.
fn unreadable(text: &SceneText, first: SceneError, limits: &Limits) -> Vec<SceneError> {
    let read = |text: &SceneText| parsed(text, &[], limits);
    let (mut faults, whole) = one_by_one(text, first, read, |_, _| false);
    faults.extend(whole.iter().flat_map(|parsed| misplaced(parsed, limits)));
    faults
}

/// The faults of a text of which one is known, and what `read` makes of the text without them.
/// `follows` says whether a fault in a field of the outermost parentheses may follow from those
/// that were found in others, and is not told.
pub fn one_by_one<T>(
    text: &SceneText,
    first: SceneError,
    read: impl Fn(&SceneText) -> Result<T, SceneError>,
    follows: impl Fn(&str, &[String]) -> bool,
) -> (Vec<SceneError>, Option<T>) {
    // Where the syntax is wrong, nothing behind it can be told.
    if RawValue::from_ron(&text.text).is_err() {
        return (vec![first], None);
    }
    let mut masked = text.clone();
    let mut covered: Vec<Range<usize>> = Vec::new();
    let mut fields: Vec<String> = Vec::new();
    let mut faults = Vec::new();
    let mut next = first;
    for _ in 0..=MOST.min(MOST_BYTES / text.text.len().max(1)) {
        // What is wrong in another file cannot be covered.
        let at = next.span().filter(|_| next.text().1 == text.origin);
        let context = at.map(|at| Context::at(&masked.text, at.start));
        let entry = context.as_ref().and_then(Context::entry);
        let field = context.and_then(|context| context.levels().get(1)?.name.clone());
        let field = field.and_then(|name| masked.text.get(name)).unwrap_or_default().to_owned();
        let is_around = |entry: &Range<usize>| {
            covered.iter().any(|other| entry.start <= other.start && other.end <= entry.end)
        };
        if !entry.as_ref().is_some_and(is_around) && !follows(&field, &fields) {
            faults.push(next);
            fields.push(field);
        }
        let Some(entry) = entry else { return (faults, None) };
        cover(&mut masked.text, &entry);
        covered.push(entry);
        match read(&masked) {
            Ok(whole) => return (faults, Some(whole)),
            Err(fault) => next = fault,
        }
    }
    (faults, None)
}

/// Writes spaces over a part of a text, so that all places stay.
fn cover(text: &mut String, part: &Range<usize>) {
    let blank: String =
        text[part.clone()].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
    text.replace_range(part.clone(), &blank);
}

/// The faults of fields that stand where they may not, and of names and options.
fn misplaced(parsed: &ParsedScene, limits: &Limits) -> Vec<SceneError> {
    let mut faults = layer_faults(&parsed.below()[1], Scope::Scene);
    let panels = panel_layers(parsed, limits).map_or(Vec::new(), |(panels, _)| panels);
    let mut seen: Vec<String> = Vec::new();
    for layer in panels.iter().flat_map(|panel| &panel.layers) {
        // A row of a grid is a layer of several panels.
        if !seen.contains(&layer.prefix) {
            seen.push(layer.prefix.clone());
            faults.extend(layer_faults(layer, Scope::Panel));
        }
        if faults.len() >= MOST {
            break;
        }
    }
    faults.truncate(MOST);
    faults
}
