//! Layers of settings with where they stand in a text, so that what is wrong in them can be pointed at.

use super::diagnostic::Fault;
use super::error::SceneError;
use super::layered::{Value, join};
use super::load::Source;
use super::locate::locate;
use super::schema::{DEFAULTS, Settings};

/// Settings together with where they stand.
#[derive(Clone)]
pub(super) struct Placed<'a> {
    pub(super) source: &'a Source,
    /// Path of the settings in the source; empty when the source is settings alone.
    pub(super) prefix: String,
    pub(super) settings: &'a Settings,
}

/// Layers from the lowest to the highest.
pub(super) type Stack<'a> = Vec<Placed<'a>>;

/// All layers laid over each other.
pub(super) fn merged(stack: &Stack<'_>) -> Settings {
    let mut all = Settings::default();
    for layer in stack {
        all.overlay(layer.settings);
    }
    all
}

/// The error for a fault in the field at `path`: it points into the highest layer that sets the field.
pub(super) fn refuse(stack: &Stack<'_>, path: &str, fault: Fault) -> SceneError {
    // What stands nowhere is pointed at through the nearest thing around it that does.
    let found = paths_outwards(path).find_map(|path| {
        stack.iter().rev().find_map(|layer| {
            let span = locate(&layer.source.text, &join(&layer.prefix, path))?;
            let is_default = layer.source.text == DEFAULTS;
            (!is_default).then(|| (layer, join(&layer.prefix, path), span))
        })
    });
    match found {
        Some((layer, full, span)) => {
            let span = match &fault.span {
                Some(inner) => span.start + inner.start..span.start + inner.end,
                None => span,
            };
            let fault = Fault { field: Some(full), ..fault }.at(span);
            layer.source.error(fault)
        }
        None => {
            let fault = Fault { field: Some(path.into()), span: None, ..fault };
            SceneError::new("scene", "", fault)
        }
    }
}

/// The number of the highest layer of which `get` finds something.
pub(super) fn highest<T>(stack: &Stack<'_>, get: impl Fn(&Settings) -> Option<T>) -> Option<usize> {
    stack.iter().rposition(|layer| get(layer.settings).is_some())
}

/// `a.b[1]`, `a.b`, `a`.
fn paths_outwards(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| path.rfind(['.', '[']).map(|end| &path[..end]))
}

/// The value of a field that has a default.
pub(super) fn required<T: Clone>(
    stack: &Stack<'_>,
    path: &str,
    value: Option<&T>,
) -> Result<T, SceneError> {
    value.cloned().ok_or_else(|| {
        refuse(stack, path, Fault::new(format!("`{path}` is needed here and not set")))
    })
}

/// The panel's layers, the body's own, and the command line once more on top.
pub(super) fn body_stack<'a>(
    stack: &Stack<'a>,
    tops: &Stack<'a>,
    index: usize,
    with: &'a Settings,
) -> Stack<'a> {
    let mut all = stack.clone();
    if let Some(owner) = stack.iter().rev().find(|layer| layer.settings.bodies.is_some()) {
        let prefix = join(&owner.prefix, &format!("bodies[{index}].with"));
        all.push(Placed { source: owner.source, prefix, settings: with });
    }
    all.extend(tops.iter().cloned());
    all
}
