//! Parsed scenes: layers with their source texts.

use super::schema::{SceneFile, Settings};
use super::source::Source;
use super::stack::{PlacedSettings, Stack};

/// Texts of a scene and the values parsed from them.
#[derive(Clone, Debug)]
pub(super) struct ParsedScene {
    /// Scene file.
    pub(super) source: Source,
    pub(super) file: SceneFile,
    /// Lowest layer.
    pub(super) defaults: (Source, Settings),
    /// Highest layers, set by the command line in the given order.
    pub(super) overrides: Vec<(Source, Settings)>,
    /// Number of axis values of a sweep in `overrides`; they come first.
    pub(super) axes: usize,
    /// Whether panels and bodies that become equal are all built, because tables of sweeps have a
    /// row for each.
    pub(super) keeps_equal: bool,
}

impl ParsedScene {
    /// Returns the layers below all panels: the defaults and the base.
    pub(super) fn below(&self) -> [PlacedSettings<'_>; 2] {
        [whole(&self.defaults), self.in_file("base", &self.file.base)]
    }

    /// Returns the layers of the command line.
    pub(super) fn overrides(&self) -> Stack<'_> {
        self.overrides.iter().map(whole).collect()
    }

    /// Returns settings of the scene file at a path.
    pub(super) fn in_file<'a>(&'a self, path: &str, settings: &'a Settings) -> PlacedSettings<'a> {
        PlacedSettings { source: &self.source, prefix: path.into(), settings }
    }
}

/// Returns settings that make up the whole source.
fn whole((source, settings): &(Source, Settings)) -> PlacedSettings<'_> {
    PlacedSettings { source, prefix: String::new(), settings }
}
