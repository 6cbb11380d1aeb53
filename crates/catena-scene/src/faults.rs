//! Independent errors of a scene, collected for editors.
//!
//! Readers stop at the first fault. The entry with the fault is then replaced by spaces, and the
//! text is read again. Faults that may be caused by the replacement are left out.

use super::error::SceneError;
use super::file::SceneText;
use super::files::{Files, GivenFiles};
use super::limits::Limits;
use super::load::{finish, parsed_with};
use super::panel_layers::panel_layers;
use super::parts::Scene;
use super::stack::ParsedScene;
use crate::grammar::Scope;
use crate::layer_faults::layer_faults;
use catena_ron::Context;
use ron::value::RawValue;
use std::ops::Range;
use std::sync::Arc;

/// Maximum number of faults that are collected.
const MAX_FAULTS: usize = 20;
/// Maximum number of bytes that all repeated readings process together.
const MAX_BYTES: usize = 4 << 20;

/// Reads a scene within limits.
///
/// # Errors
/// Returns all faults that are independent of each other, at least one.
pub fn check(text: &SceneText, limits: &Limits) -> Result<Scene, Vec<SceneError>> {
    check_with(text, limits, &Files::of_scene(&text.origin, limits))
}

/// Reads a scene like [`check`]. Its files are given as bytes, and the file system is not used.
///
/// # Errors
/// Returns all faults that are independent of each other, at least one.
pub fn check_with_given(
    text: &SceneText,
    limits: &Limits,
    files: GivenFiles,
) -> Result<Scene, Vec<SceneError>> {
    check_with(text, limits, &Files::given(files, limits))
}

fn check_with(
    text: &SceneText,
    limits: &Limits,
    files: &Arc<Files>,
) -> Result<Scene, Vec<SceneError>> {
    let parsed = match parsed_with(text, &[], limits, files) {
        Ok(parsed) => parsed,
        Err(first) => return Err(unreadable(text, first, limits, files)),
    };
    let misplaced = misplaced(&parsed, limits);
    if !misplaced.is_empty() {
        return Err(misplaced);
    }
    finish(text, parsed, limits).map_err(|fault| vec![fault])
}

/// Returns the faults of a text that cannot be read.
fn unreadable(
    text: &SceneText,
    first: SceneError,
    limits: &Limits,
    files: &Arc<Files>,
) -> Vec<SceneError> {
    let read = |text: &SceneText| parsed_with(text, &[], limits, files);
    let (mut faults, whole) = one_by_one(text, first, read, |_, _| false);
    faults.extend(whole.iter().flat_map(|parsed| misplaced(parsed, limits)));
    faults
}

/// Returns the faults of a text whose first fault is known, and the result of `read` for the text
/// without its faults. `follows` tells whether faults in other fields may cause a fault in a
/// top-level field. Such a fault is left out.
pub fn one_by_one<T>(
    text: &SceneText,
    first: SceneError,
    read: impl Fn(&SceneText) -> Result<T, SceneError>,
    follows: impl Fn(&str, &[String]) -> bool,
) -> (Vec<SceneError>, Option<T>) {
    // After a syntax error the rest of the text cannot be interpreted.
    if RawValue::from_ron(&text.text).is_err() {
        return (vec![first], None);
    }
    let mut masked = text.clone();
    let mut covered: Vec<Range<usize>> = Vec::new();
    let mut fields: Vec<String> = Vec::new();
    let mut faults = Vec::new();
    let mut next = first;
    for _ in 0..=MAX_FAULTS.min(MAX_BYTES / text.text.len().max(1)) {
        // A fault in another file cannot be covered.
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

/// Overwrites a part of a text with spaces, so that all byte positions stay valid.
fn cover(text: &mut String, part: &Range<usize>) {
    let blank: String =
        text[part.clone()].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
    text.replace_range(part.clone(), &blank);
}

/// Returns the faults of misplaced fields and of names and options.
fn misplaced(parsed: &ParsedScene, limits: &Limits) -> Vec<SceneError> {
    let mut faults = layer_faults(&parsed.lower()[1], Scope::Scene);
    let panels = panel_layers(parsed, limits).map_or(Vec::new(), |(panels, _)| panels);
    let mut seen: Vec<String> = Vec::new();
    for layer in panels.iter().flat_map(|panel| &panel.layers) {
        // A row of a grid is a layer of several panels.
        if !seen.contains(&layer.prefix) {
            seen.push(layer.prefix.clone());
            faults.extend(layer_faults(layer, Scope::Panel));
        }
        if faults.len() >= MAX_FAULTS {
            break;
        }
    }
    faults.truncate(MAX_FAULTS);
    faults
}
