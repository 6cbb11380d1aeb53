//! What a scene was read from: its layers, and bodies built with one layer more.

use super::body;
use super::build::{Arrangement, Body, Scene, check_layer, over};
use super::cells::{Cell, cells};
use super::census;
use super::error::SceneError;
use super::layered::{Scope, Value, join};
use super::limits::{Limits, too_many};
use super::load::{SceneText, Source, parse};
use super::locate::locate;
use super::read::children;
use super::schema::{SceneFile, Settings};
use super::stack::{Placed, Stack, merged, refuse};
use std::collections::BTreeMap;

/// The texts of a scene and what was read from them.
#[derive(Clone, Debug)]
pub(super) struct Written {
    /// The scene file.
    pub(super) source: Source,
    pub(super) file: SceneFile,
    /// They lie below everything.
    pub(super) defaults: (Source, Settings),
    /// What the command line sets, above everything.
    pub(super) tops: Vec<(Source, Settings)>,
}

fn alone((source, settings): &(Source, Settings)) -> Placed<'_> {
    Placed { source, prefix: String::new(), settings }
}

impl Written {
    /// The layers that all panels have: the defaults and the base.
    pub(super) fn below(&self) -> [Placed<'_>; 2] {
        [alone(&self.defaults), self.in_file("base", &self.file.base)]
    }

    /// The layers of the command line.
    pub(super) fn tops(&self) -> Stack<'_> {
        self.tops.iter().map(alone).collect()
    }

    fn in_file<'a>(&'a self, prefix: &str, settings: &'a Settings) -> Placed<'a> {
        Placed { source: &self.source, prefix: prefix.into(), settings }
    }

    /// The panels to be.
    pub(super) fn cells(
        &self,
        limits: &Limits,
    ) -> Result<(Vec<Cell<'_>>, Arrangement), SceneError> {
        let all: Stack<'_> = self.below().into_iter().chain(self.tops()).collect();
        let in_file = |prefix: &str, settings| self.in_file(prefix, settings);
        cells(&self.source, &self.file, &in_file, merged(&all).columns, limits)
    }

    /// The layers of a body but for those of the command line, and whether each belongs to this
    /// body alone; `None` where there is no such body.
    fn layers(&self, panel: usize, body: usize) -> Option<(Stack<'_>, Vec<bool>)> {
        let (cells, _) = self.cells(&Limits::unlimited()).ok()?;
        let below = self.below();
        let mut layers = over(&below, &cells.get(panel)?.layers, &[]);
        let is_of_one_panel = |layer: &Placed<'_>| {
            let is_it = |other: &Placed<'_>| std::ptr::eq(other.settings, layer.settings);
            let is_below = below.iter().any(is_it);
            match is_below {
                true => cells.len() == 1 && !std::ptr::eq(layer.settings, &self.defaults.1),
                false => cells.iter().filter(|cell| cell.layers.iter().any(is_it)).count() == 1,
            }
        };
        let mut is_own: Vec<bool> = layers.iter().map(is_of_one_panel).collect();
        let tops = self.tops();
        let all = layers.iter().chain(&tops).rev();
        let owner = all.clone().find(|layer| layer.settings.bodies.is_some()).cloned();
        let list = owner.as_ref().and_then(|owner| owner.settings.bodies.as_ref());
        match list.map_or(&[][..], |list| &list.0) {
            [] => (body == 0).then_some((layers, is_own)),
            list => {
                let (owner, layer) = (owner?, list.get(body)?);
                // What lies below the list belongs to all bodies of it.
                if list.len() > 1 {
                    is_own.fill(false);
                }
                is_own.push(is_of_one_panel(&owner));
                // Where the command line brings the bodies, its other settings lie above them all
                // the same.
                let prefix = join(&owner.prefix, &format!("bodies[{body}].with"));
                layers.push(Placed { source: owner.source, prefix, settings: &layer.with });
                Some((layers, is_own))
            }
        }
    }
}

/// The layers of one body: what is written for its fields, and what it is with more settings.
pub(super) struct BodyLayers<'a> {
    /// Those below the command line.
    below: Stack<'a>,
    /// Whether each of them belongs to this body alone.
    is_own: Vec<bool>,
    tops: Stack<'a>,
    /// What is written for each field, by its path, in the highest layer that has it.
    texts: BTreeMap<String, &'a str>,
    axes: usize,
}

impl BodyLayers<'_> {
    /// What is written for a field, in one line.
    pub(super) fn field(&self, path: &str) -> Option<String> {
        self.texts.get(path).map(|text| one_line(text))
    }

    /// The body without the fields at these paths of its own layers, and with more settings, as if
    /// they were written into its own `with`. One of more nodes than `most_nodes` is refused.
    pub(super) fn build(
        &self,
        settings: &str,
        left_out: &[String],
        most_nodes: u64,
    ) -> Result<Body, SceneError> {
        let source =
            Source { origin: "settings".into(), text: format!("({settings})"), typed: None };
        let settings: Settings = parse(&source, &Limits::unlimited())?;
        let more = Placed { source: &source, prefix: String::new(), settings: &settings };
        check_layer(&more, Scope::Body)?;
        let mut cleared: Vec<Option<Settings>> = vec![None; self.below.len()];
        if !left_out.is_empty() {
            for (index, _) in self.is_own.iter().enumerate().filter(|(_, is_own)| **is_own) {
                let mut settings = self.below[index].settings.clone();
                left_out.iter().for_each(|path| settings.leave_out(path));
                cleared[index] = Some(settings);
            }
        }
        // Its own `with` is one layer with them: what hides a field of a layer below is refused
        // beside it.
        let is_its = self.is_own.last() == Some(&true);
        if let (true, Some(top), Some(last)) = (is_its, self.below.last(), cleared.last_mut()) {
            last.get_or_insert_with(|| top.settings.clone()).overlay(&settings);
        }
        let layers = self.below.iter().zip(&cleared);
        let below: Stack<'_> = layers
            .map(|(layer, cleared)| Placed {
                settings: cleared.as_ref().unwrap_or(layer.settings),
                ..layer.clone()
            })
            .collect();
        let above: &[Placed<'_>] = if is_its { &[] } else { &[more] };
        let stack = over(&below, above, &self.tops);
        let nodes = census::nodes(&merged(&stack));
        if nodes > most_nodes {
            return Err(refuse(&stack, "", too_many(nodes, "nodes", most_nodes)));
        }
        body::build(None, &stack, self.axes)
    }
}

/// Adds the fields of a text and of the groups in it, such as `rope.nodes`.
fn collect<'a>(text: &'a str, prefix: &str, all: &mut BTreeMap<String, &'a str>) {
    for child in children(text).unwrap_or_default().into_iter().filter(|it| !it.name.is_empty()) {
        let path = join(prefix, &child.name);
        if child.value.starts_with('(') {
            collect(child.value, &path, all);
        }
        all.insert(path, child.value);
    }
}

/// Without comments and breaks.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if let Some(length) = super::scan::comment_length(rest) {
            rest = &rest[length..];
            line.push(' ');
        } else {
            line.push(letter);
            rest = &rest[letter.len_utf8()..];
        }
    }
    let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
    words.replace("( ", "(").replace(" )", ")").replace("[ ", "[").replace(" ]", "]")
}

impl Scene {
    /// The text that it was read from, with its names.
    pub fn source_text(&self) -> SceneText {
        let Source { origin, text, .. } = &self.written.source;
        SceneText { origin: origin.clone(), name: self.name.clone(), text: text.clone() }
    }

    /// The changes that it was loaded with, each as `PATH=VALUE`.
    pub fn changes(&self) -> Vec<String> {
        let typed = self.written.tops.iter().filter_map(|(source, _)| source.typed.as_ref());
        typed.map(|typed| typed.text().to_owned()).collect()
    }

    /// The body of a panel with more settings, as if they were written into its own `with`, and
    /// without the fields at some paths, as if they were removed from where they are set for this
    /// body alone. What the command line sets lies above that.
    ///
    /// # Errors
    /// When they cannot be read, or make no sense beside what else is set.
    pub fn body_with(
        &self,
        panel: usize,
        body: usize,
        settings: &str,
        left_out: &[String],
    ) -> Result<Body, SceneError> {
        self.layers_of(panel, body).build(settings, left_out, u64::MAX)
    }

    /// The layers of a body.
    pub(super) fn layers_of(&self, panel: usize, body: usize) -> BodyLayers<'_> {
        let (below, is_own) = self.written.layers(panel, body).unwrap_or_default();
        let tops = self.written.tops();
        let text = |layer: &Placed<'_>| match layer.prefix.as_str() {
            "" => Some(0..layer.source.text.len()),
            prefix => locate(&layer.source.text, prefix),
        };
        let mut texts = BTreeMap::new();
        for layer in below.iter().chain(&tops) {
            let source = layer.source;
            if let Some(span) = text(layer) {
                collect(&source.text[span], "", &mut texts);
            }
        }
        BodyLayers { below, is_own, tops, texts, axes: self.axes }
    }
}
