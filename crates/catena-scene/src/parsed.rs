//! A scene as it was parsed: its layers, with the texts that they stand in.

use super::schema::{SceneFile, Settings};
use super::source::Source;
use super::stack::{PlacedSettings, Stack};

/// The texts of a scene and what was parsed from them.
#[derive(Clone, Debug)]
pub(super) struct ParsedScene {
    /// The scene file.
    pub(super) source: Source,
    pub(super) file: SceneFile,
    /// The lowest layer.
    pub(super) defaults: (Source, Settings),
    /// The highest layers: what the command line sets, in the order given.
    pub(super) overrides: Vec<(Source, Settings)>,
    /// Number of values of a sweep's axes among these; they come first.
    pub(super) axes: usize,
    /// Whether panels and bodies that become equal are all built: tables of sweeps have a row for
    /// each.
    pub(super) keeps_equal: bool,
}

impl ParsedScene {
    /// The layers below all panels: the defaults and the base.
    pub(super) fn below(&self) -> [PlacedSettings<'_>; 2] {
        [whole(&self.defaults), self.in_file("base", &self.file.base)]
    }

    /// The layers of the command line.
    pub(super) fn overrides(&self) -> Stack<'_> {
        self.overrides.iter().map(whole).collect()
    }

    /// Settings of the scene file, at a path.
    pub(super) fn in_file<'a>(&'a self, path: &str, settings: &'a Settings) -> PlacedSettings<'a> {
        PlacedSettings { source: &self.source, prefix: path.into(), settings }
    }
}

/// Settings that are all of their source.
fn whole((source, settings): &(Source, Settings)) -> PlacedSettings<'_> {
    PlacedSettings { source, prefix: String::new(), settings }
}
