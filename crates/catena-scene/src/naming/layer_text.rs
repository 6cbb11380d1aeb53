//! Layers with their own texts, so that the value of a field is found without a search of the whole
//! scene.

use super::super::layered::FieldValue;
use super::super::rivals::rival;
use super::super::schema::{Layer, Settings};
use super::super::stack::ParsedScene;
use crate::grammar::Scope;
use catena_ron::{Node, one_line};

/// Settings, their text, and the paths of the fields that they set.
#[derive(Clone)]
pub(crate) struct LayerText<'a> {
    pub(super) settings: &'a Settings,
    text: Option<Node<'a>>,
    pub(super) paths: Vec<String>,
}

impl<'a> LayerText<'a> {
    fn new(settings: &'a Settings, text: Option<Node<'a>>) -> Self {
        let mut set = Vec::new();
        settings.set_paths("", Scope::Body, &mut set);
        let paths = set.into_iter().map(|(path, _)| path).collect();
        Self { settings, text, paths }
    }

    /// Returns the text of a field on one line, or `None` if the layer does not set it.
    pub(super) fn get(&self, path: &str) -> Option<String> {
        let part = self.text.filter(|_| self.sets(path)).and_then(|text| text.locate(path));
        part.map(|part| one_line(part.text()))
    }

    /// Whether the layer sets a field.
    pub(super) fn sets(&self, path: &str) -> bool {
        self.paths.iter().any(|own| own == path)
    }

    /// Returns the entries of the layer's list of bodies, with their labels.
    pub(super) fn bodies(&self) -> Vec<NamedText<'a>> {
        let list = self.settings.bodies.as_ref().map_or(&[][..], |bodies| &bodies.0);
        entries(self.text, "bodies", list)
    }
}

/// Layer with the label that the scene gives it.
#[derive(Clone)]
pub(crate) struct NamedText<'a> {
    pub(super) label: Option<&'a str>,
    pub(super) layer: LayerText<'a>,
}

/// Returns the layers of the list at a path of a text.
fn entries<'a>(text: Option<Node<'a>>, path: &str, list: &'a [Layer]) -> Vec<NamedText<'a>> {
    let with = |index: usize| text?.locate(&format!("{path}[{index}].with"));
    let named = |(index, layer): (usize, &'a Layer)| NamedText {
        label: layer.label.as_deref(),
        layer: LayerText::new(&layer.with, with(index)),
    };
    list.iter().enumerate().map(named).collect()
}

/// Whether a layer sets a field or its rival.
fn sets_either(layer: &LayerText<'_>, path: &str) -> bool {
    layer.sets(path) || rival(path).is_some_and(|rival| layer.sets(rival))
}

/// All layers of a scene.
pub(crate) struct SceneTexts<'a> {
    /// Defaults and base.
    pub(super) lower: [LayerText<'a>; 2],
    pub(super) panels: Vec<NamedText<'a>>,
    pub(super) rows: Vec<NamedText<'a>>,
    pub(super) columns: Vec<NamedText<'a>>,
    /// Overrides by axes and `--set`.
    pub(super) above: Vec<LayerText<'a>>,
    /// Number of axis values in `above`; they come first.
    axes: usize,
    /// Whether panels and bodies with equal runs are all built.
    pub(super) keeps_equal: bool,
}

impl<'a> SceneTexts<'a> {
    /// Returns the layers of a scene, or `None` if nothing overrides it.
    pub(crate) fn of(parsed: &'a ParsedScene) -> Option<Self> {
        if parsed.overrides.is_empty() {
            return None;
        }
        let text = parsed.source.root();
        let file = &parsed.file;
        let grid = file.grid.0.as_ref();
        let list = |path: &str, list: Option<&'a [Layer]>| {
            list.filter(|list| !list.is_empty())
                .map_or(Vec::new(), |list| entries(Some(text), path, list))
        };
        let above = parsed.overrides.iter();
        Some(Self {
            lower: [
                LayerText::new(&parsed.defaults.settings, Some(parsed.defaults.source.root())),
                LayerText::new(&file.base, text.locate("base")),
            ],
            panels: list("panels", Some(&file.panels.0)),
            rows: list("grid.rows", grid.map(|grid| &grid.rows.0[..])),
            columns: list("grid.columns", grid.map(|grid| &grid.columns.0[..])),
            above: above
                .map(|layer| LayerText::new(&layer.settings, Some(layer.source.root())))
                .collect(),
            axes: parsed.axes,
            keeps_equal: parsed.keeps_equal,
        })
    }

    /// Whether an override sets a field or its rival.
    pub(super) fn is_overridden(&self, path: &str) -> bool {
        self.above.iter().any(|layer| sets_either(layer, path))
    }

    /// Returns the fields that `--set` and axes change, and their rivals, without duplicates.
    pub(super) fn overridden(&self) -> Vec<&str> {
        let mut all: Vec<&str> = Vec::new();
        for path in self.above.iter().flat_map(|layer| &layer.paths) {
            for path in [path.as_str()].into_iter().chain(rival(path)) {
                if path != "bodies" && !all.contains(&path) {
                    all.push(path);
                }
            }
        }
        all
    }

    /// Whether an axis changes a field or its rival.
    pub(super) fn is_on_axis(&self, path: &str) -> bool {
        self.above[..self.axes].iter().any(|layer| sets_either(layer, path))
    }

    /// Whether the scene is a variant of a sweep.
    pub(super) fn has_axes(&self) -> bool {
        self.axes > 0
    }

    /// Returns the options that change fields, as named in messages.
    pub(super) fn options(&self) -> &'static str {
        match (self.axes, self.above.len() - self.axes) {
            (0, _) => "--set",
            (_, 0) => "--axis",
            _ => "--axis and --set",
        }
    }

    /// Returns the layers of the panel at an index: the panel's own layer, or the layers of its row
    /// and column.
    pub(super) fn own_of_panel(&self, index: usize) -> Vec<&LayerText<'a>> {
        if !self.panels.is_empty() {
            return self.panels.get(index).map(|it| &it.layer).into_iter().collect();
        }
        let columns = self.columns.len().max(1);
        let row = self.rows.get(index / columns);
        let column = self.columns.get(index % columns);
        [row, column].into_iter().flatten().map(|it| &it.layer).collect()
    }
}
