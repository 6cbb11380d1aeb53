//! From what is written to what it means: layers are laid over each other, checked together, and become the
//! setups that are simulated.

use super::diagnostic::{Fault, SceneError};
use super::layered::{Scope, Value, join};
use super::load::{SceneText, Source};
use super::locate::locate;
use super::schema::{DEFAULTS, Layer, SceneFile, Settings};
use super::values::{Color, Decoration, NodeShape};
use super::{body, cells::cells, limits};
use crate::sim::{Setup, integrator::MethodInfo};
use std::sync::Arc;

/// A scene, ready to run.
#[derive(Debug)]
pub struct Scene {
    /// Its name: the file's, without the ending.
    pub name: String,
    /// The text it was read from.
    pub text: String,
    /// Drawn above the panels.
    pub title: Option<String>,
    /// Width and height of a picture, in pixels.
    pub size: [u32; 2],
    /// How many frames to render.
    pub frames: u64,
    /// Behind the panels.
    pub background: Color,
    /// How much is drawn around the ropes.
    pub decoration: Decoration,
    /// How the panels stand.
    pub arrangement: Arrangement,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
}

/// How panels stand beside each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// One after another, so many in a row; `None` leaves it to the layout.
    Flow {
        /// Panels in a row.
        columns: Option<usize>,
    },
    /// Rows and columns with their own labels.
    Grid {
        /// Label of each row.
        rows: Vec<String>,
        /// Label of each column.
        columns: Vec<String>,
    },
}

/// One panel of a scene.
#[derive(Debug)]
pub struct Panel {
    /// What pictures call it.
    pub label: String,
    /// Whether the scene gave the label; otherwise it is made of its bodies' labels.
    pub is_named: bool,
    /// What it shows; `None` leaves it to the camera.
    pub view: Option<View>,
    /// When it counts as at rest.
    pub rest: Rest,
    /// Its bodies, the first at the bottom. Never empty.
    pub bodies: Vec<Body>,
}

/// A part of the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The point in the middle.
    pub center: [f64; 2],
    /// Width and height that are visible at least.
    pub extent: [f64; 2],
}

/// When a panel is at rest; see the scene format. `None` leaves a number to the settling analysis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rest {
    /// Greatest speed.
    pub speed: Option<f64>,
    /// Frames in a row.
    pub frames: Option<u64>,
    /// The frame after which waiting is given up.
    pub limit: u64,
}

/// One body of a panel.
#[derive(Debug)]
pub struct Body {
    /// What pictures call it.
    pub label: String,
    /// How it is drawn.
    pub style: Style,
    /// Its method.
    pub method: MethodInfo,
    /// Whether the balance of forces gives its shape at rest: springs of Hooke's law that no factor shifts.
    pub has_reference: bool,
    /// Acceleration of gravity, one number an axis.
    pub gravity: Vec<f64>,
    /// What is simulated.
    pub setup: Arc<Setup>,
}

/// How a body is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// `None` leaves it to the theme.
    pub color: Option<Color>,
    /// Thickness of the rope, in pixels.
    pub line_width: f64,
    /// Diameter of a node, in pixels.
    pub node_size: f64,
    /// Disc or square.
    pub node_shape: NodeShape,
    /// Whether pinned nodes are marked.
    pub mark_pins: bool,
}

/// Settings together with where they stand.
#[derive(Clone)]
pub(super) struct Placed<'a> {
    source: &'a Source,
    /// Path of the settings in the source; empty when the source is settings alone.
    prefix: String,
    settings: &'a Settings,
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
            SceneError::new(&layer.source.origin, &layer.source.text, fault)
        }
        None => {
            let fault = Fault { field: Some(path.into()), span: None, ..fault };
            SceneError::new("scene", "", fault)
        }
    }
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

/// Builds a scene. `defaults` lies below everything, `tops` above.
pub(super) fn build(
    text: &SceneText,
    source: &Source,
    file: &SceneFile,
    (defaults_source, defaults): (&Source, &Settings),
    tops: &[(Source, Settings)],
) -> Result<Scene, SceneError> {
    let in_file = |prefix: &str, settings| Placed { source, prefix: prefix.into(), settings };
    let base = in_file("base", &file.base);
    let tops: Stack<'_> = tops
        .iter()
        .map(|(source, settings)| Placed { source, prefix: String::new(), settings })
        .collect();
    for layer in tops.iter().chain([&base]) {
        check_layer(layer, Scope::Scene)?;
    }

    let below =
        [Placed { source: defaults_source, prefix: String::new(), settings: defaults }, base];
    let scene_stack: Stack<'_> = below.iter().chain(&tops).cloned().collect();
    let (cells, arrangement) = cells(source, file, &in_file, merged(&scene_stack).columns)?;

    let mut panels = Vec::with_capacity(cells.len());
    let mut nodes = 0;
    for cell in cells {
        for layer in &cell.layers {
            check_layer(layer, Scope::Panel)?;
        }
        let stack: Stack<'_> = below.iter().chain(&cell.layers).chain(&tops).cloned().collect();
        panels.push(panel(cell.label, &stack, &tops, &mut nodes)?);
    }

    let settings = merged(&scene_stack);
    let need = |path, value: Option<_>| required(&scene_stack, path, value);
    Ok(Scene {
        name: text.name.clone(),
        text: text.text.clone(),
        title: file.title.clone(),
        size: required(&scene_stack, "size", settings.size.as_ref())?.0,
        frames: need("frames", settings.frames.as_ref())?.0,
        background: required(&scene_stack, "background", settings.background.as_ref())?,
        decoration: required(&scene_stack, "decoration", settings.decoration.as_ref())?,
        arrangement,
        panels,
    })
}

/// Refuses fields that do not belong into a layer, and method options that do not fit.
fn check_layer(layer: &Placed<'_>, level: Scope) -> Result<(), SceneError> {
    let stack = vec![layer.clone()];
    let mut set = Vec::new();
    layer.settings.set_paths("", level, &mut set);
    if let Some((path, scope)) = set.iter().find(|(_, scope)| *scope < level) {
        let where_to = match scope {
            Scope::Scene => "it concerns the whole picture: write it in `base`",
            _ => "it concerns the whole panel: write it in the panel's `with` or in `base`",
        };
        let message = format!("`{path}` cannot differ here");
        return Err(refuse(&stack, path, Fault::new(message).help(where_to)));
    }
    if let Some(choice) = &layer.settings.integrator {
        choice.read().map_err(|fault| refuse(&stack, "integrator", fault))?;
    }
    if let Some(choice) = layer.settings.rope.as_ref().and_then(|rope| rope.law.as_ref()) {
        choice.read().map_err(|fault| refuse(&stack, "rope.law", fault))?;
    }
    for (index, Layer { with, .. }) in
        layer.settings.bodies.iter().flat_map(|b| b.0.iter().enumerate())
    {
        let prefix = join(&layer.prefix, &format!("bodies[{index}].with"));
        check_layer(&Placed { source: layer.source, prefix, settings: with }, Scope::Body)?;
    }
    Ok(())
}

fn panel(
    label: Option<String>,
    stack: &Stack<'_>,
    tops: &Stack<'_>,
    nodes: &mut u64,
) -> Result<Panel, SceneError> {
    let settings = merged(stack);
    let view = match settings.view {
        None => None,
        Some(ref view) => Some(View {
            center: required(stack, "view.center", view.center.as_ref())?.0,
            extent: required(stack, "view.extent", view.extent.as_ref())?.0,
        }),
    };
    let rest = required(stack, "rest", settings.rest.as_ref())?;
    let rest = Rest {
        speed: rest.speed.map(|speed| speed.0),
        frames: rest.frames.map(|frames| frames.0),
        limit: required(stack, "rest.limit", rest.limit.as_ref())?.0,
    };

    let bodies = match settings.bodies.as_ref().map_or(&[][..], |bodies| &bodies.0) {
        [] => vec![body::build(None, stack, nodes)?],
        list if list.len() > limits::BODIES => {
            let message =
                format!("{} bodies are more than the {} of a panel", list.len(), limits::BODIES);
            return Err(refuse(stack, "bodies", Fault::new(message)));
        }
        list => {
            let mut bodies = Vec::with_capacity(list.len());
            for (index, layer) in list.iter().enumerate() {
                let stack = body_stack(stack, tops, index, &layer.with);
                bodies.push(body::build(layer.label.clone(), &stack, nodes)?);
            }
            bodies
        }
    };
    let is_named = label.as_ref().is_some_and(|label| !label.trim().is_empty());
    let label = label.filter(|_| is_named).unwrap_or_else(|| match &bodies[..] {
        [a] => a.label.clone(),
        [a, b] => format!("{} and {}", a.label, b.label),
        many => format!("{} ropes", many.len()),
    });
    Ok(Panel { label, is_named, view, rest, bodies })
}

/// The panel's layers, the body's own, and the command line once more on top.
fn body_stack<'a>(
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
