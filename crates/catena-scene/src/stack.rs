//! Parsed scenes and their stacks of layers. Layers keep their positions in source texts, so that
//! errors can point at a field.

use super::diagnostic::Fault;
use super::error::SceneError;
use super::layered::{FieldValue, join};
use super::schema::{DEFAULTS, SceneFile, Settings};
use super::source::Source;

/// Settings with their position in a text.
#[derive(Clone)]
pub(super) struct PlacedSettings<'a> {
    pub(super) source: &'a Source,
    /// Path of the settings in the source; empty if they are the whole source.
    pub(super) prefix: String,
    pub(super) settings: &'a Settings,
}

/// Layers from the lowest to the highest.
pub(super) type Stack<'a> = Vec<PlacedSettings<'a>>;

/// Merges all layers.
pub(super) fn merged(stack: &Stack<'_>) -> Settings {
    let mut all = Settings::default();
    for layer in stack {
        all.overlay(layer.settings);
    }
    all
}

/// Inserts `own` layers between the layers below all panels and the layers of the command line.
pub(super) fn over<'a>(
    lower: &[PlacedSettings<'a>],
    own: &[PlacedSettings<'a>],
    overrides: &[PlacedSettings<'a>],
) -> Stack<'a> {
    [lower, own, overrides].concat()
}

/// Returns the stack of a body: its panel's layers, its own, and the command line's again on top.
pub(super) fn body_stack<'a>(
    stack: &Stack<'a>,
    overrides: &Stack<'a>,
    index: usize,
    with: &'a Settings,
) -> Stack<'a> {
    let mut all = stack.clone();
    if let Some(owner) = stack.iter().rev().find(|layer| layer.settings.bodies.is_some()) {
        let prefix = join(&owner.prefix, &format!("bodies[{index}].with"));
        all.push(PlacedSettings { source: owner.source, prefix, settings: with });
    }
    all.extend(overrides.iter().cloned());
    all
}

/// Creates the error of a fault in the field at `path`. The error points into the highest layer
/// that sets the field.
pub(super) fn refuse(stack: &Stack<'_>, path: &str, fault: Fault) -> SceneError {
    // If no layer sets the field, the error points at the innermost enclosing group that is set.
    let found = paths_outwards(path).find_map(|path| {
        stack.iter().rev().find_map(|layer| {
            let span = layer.source.root().locate(&join(&layer.prefix, path))?.span();
            let is_default = &*layer.source.text == DEFAULTS;
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

/// Returns a path and its prefixes: `a.b[1]`, `a.b`, `a`.
fn paths_outwards(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| path.rfind(['.', '[']).map(|end| &path[..end]))
}

/// Returns the index of the highest layer in which `get` finds a value.
pub(super) fn highest<T>(stack: &Stack<'_>, get: impl Fn(&Settings) -> Option<T>) -> Option<usize> {
    stack.iter().rposition(|layer| get(layer.settings).is_some())
}

/// Returns the value of a required field.
pub(super) fn required<T: Clone>(
    stack: &Stack<'_>,
    path: &str,
    value: Option<&T>,
) -> Result<T, SceneError> {
    value
        .cloned()
        .ok_or_else(|| refuse(stack, path, Fault::new(format!("`{path}` is required here"))))
}

/// Settings that make up a whole source.
#[derive(Clone, Debug)]
pub(super) struct SourceLayer {
    pub(super) source: Source,
    pub(super) settings: Settings,
}

impl SourceLayer {
    /// Returns the settings with their source.
    pub(super) fn placed(&self) -> PlacedSettings<'_> {
        let Self { source, settings } = self;
        PlacedSettings { source, prefix: String::new(), settings }
    }
}

/// Texts of a scene and the values parsed from them.
#[derive(Clone, Debug)]
pub(super) struct ParsedScene {
    /// Scene file.
    pub(super) source: Source,
    pub(super) file: SceneFile,
    /// Lowest layer.
    pub(super) defaults: SourceLayer,
    /// Highest layers, set by the command line in the given order.
    pub(super) overrides: Vec<SourceLayer>,
    /// Number of axis values of a sweep in `overrides`; they come first.
    pub(super) axes: usize,
    /// Whether panels and bodies that become equal are all built, because tables of sweeps have a
    /// row for each.
    pub(super) keeps_equal: bool,
}

impl ParsedScene {
    /// Returns the layers below all panels: the defaults and the base.
    pub(super) fn lower(&self) -> [PlacedSettings<'_>; 2] {
        [self.defaults.placed(), self.in_file("base", &self.file.base)]
    }

    /// Returns the layers of the command line.
    pub(super) fn overrides(&self) -> Stack<'_> {
        self.overrides.iter().map(SourceLayer::placed).collect()
    }

    /// Returns settings of the scene file at a path.
    pub(super) fn in_file<'a>(&'a self, path: &str, settings: &'a Settings) -> PlacedSettings<'a> {
        PlacedSettings { source: &self.source, prefix: path.into(), settings }
    }
}
