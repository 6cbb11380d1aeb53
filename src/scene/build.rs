//! From what is written to what it means: layers are laid over each other, checked together, and become the
//! setups that are simulated.

use super::census::Census;
use super::color::Color;
use super::diagnostic::Fault;
use super::error::SceneError;
use super::layered::{Scope, Value, join};
use super::limits::Limits;
use super::load::SceneText;
use super::schema::Layer;
use super::stack::{Placed, Stack, body_stack, merged, refuse, required};
use super::values::{Decoration, NodeShape, SurfaceWord};
use super::written::Written;
use super::{body, space};
use crate::sim::{Setup, method::MethodInfo};
use std::sync::Arc;

/// A scene, ready to run. It can be read from text, with `str::parse` or [`super::load`].
#[derive(Clone, Debug)]
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
    /// How many axes space has: 2, or 3 where a vector of the scene has three components.
    pub axes: usize,
    /// How the panels stand.
    pub arrangement: Arrangement,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
    /// What it was read from, to build bodies with other settings.
    pub(super) written: Written,
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
#[derive(Clone, Debug)]
pub struct Panel {
    /// What pictures call it.
    pub label: String,
    /// Whether the scene gave the label; otherwise it is made of its bodies' labels.
    pub is_named: bool,
    /// What it shows of the plane; `None` leaves it to the camera.
    pub view: Option<View>,
    /// From where space is seen; `None` leaves it to the camera, and so it is in a planar scene.
    pub viewpoint: Option<Viewpoint>,
    /// The ground that is drawn, in space.
    pub ground: Option<Ground>,
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

/// From where space is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewpoint {
    /// Where the camera is.
    pub eye: [f64; 3],
    /// The point in the middle of the picture; not the eye.
    pub target: [f64; 3],
    /// Points upwards in the picture; not along the line of sight.
    pub up: [f64; 3],
    /// How much is seen.
    pub lens: Lens,
}

/// How much of space is seen, and how it is put into the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lens {
    /// What is far looks small; the angle between the lowest and the highest line of sight, in degrees.
    Perspective {
        /// Above 0 and below 180.
        field_of_view: f64,
    },
    /// What is far looks as large as what is near.
    Orthographic {
        /// Visible height.
        height: f64,
    },
}

/// A level ground that is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// y of the ground.
    pub height: f64,
    /// It reaches so far from the point below the target, in x and in z.
    pub size: f64,
    /// Its colour in front.
    pub near: Color,
    /// Its colour far behind.
    pub far: Color,
    /// Colour of the shadows on it, if there are any.
    pub shadow: Option<Color>,
    /// Thickness of the shadow of a rope, in pixels.
    pub shadow_width: f64,
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
#[derive(Clone, Debug)]
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
    /// Velocity of the medium, one number an axis.
    pub wind: Vec<f64>,
    /// Friction inside springs along their direction, as the scene has it.
    pub spring_damping: f64,
    /// Friction inside springs on the whole relative velocity, as the scene has it.
    pub spring_friction: f64,
    /// How many of the setup's forces, from the last, the scene lists itself.
    pub listed_forces: usize,
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
    /// How a cloth is drawn.
    pub surface: SurfaceWord,
    /// Whether pinned nodes are marked.
    pub mark_pins: bool,
}

/// Builds a scene of what is written.
pub(super) fn build(
    text: &SceneText,
    written: Written,
    limits: &Limits,
) -> Result<Scene, SceneError> {
    let (below, tops) = (written.below(), written.tops());
    for layer in tops.iter().chain([&below[1]]) {
        check_layer(layer, Scope::Scene)?;
    }

    let scene_stack: Stack<'_> = below.iter().chain(&tops).cloned().collect();
    let (cells, arrangement) = written.cells(limits)?;
    let mut census = Census::new(limits);
    for cell in &cells {
        census.panel(cell.label.as_deref(), &over(&below, &cell.layers, &tops), &tops)?;
    }

    let layers: Stack<'_> = tops
        .iter()
        .chain(&below[1..])
        .chain(cells.iter().flat_map(|cell| &cell.layers))
        .cloned()
        .collect();
    let axes = space::axes(&layers)?;
    let mut panels = Vec::with_capacity(cells.len());
    for cell in cells {
        for layer in &cell.layers {
            check_layer(layer, Scope::Panel)?;
        }
        let stack = over(&below, &cell.layers, &tops);
        panels.push(panel(cell.label, &stack, &tops, axes)?);
    }

    let title = written.file.title.clone();
    let settings = merged(&scene_stack);
    let need = |path, value: Option<_>| required(&scene_stack, path, value);
    Ok(Scene {
        name: text.name.clone(),
        text: text.text.clone(),
        title,
        size: required(&scene_stack, "size", settings.size.as_ref())?.0,
        frames: need("frames", settings.frames.as_ref())?.0,
        background: required(&scene_stack, "background", settings.background.as_ref())?,
        decoration: required(&scene_stack, "decoration", settings.decoration.as_ref())?,
        axes,
        arrangement,
        panels,
        written,
    })
}

/// The layers of a panel.
pub(super) fn over<'a>(below: &[Placed<'a>], own: &[Placed<'a>], tops: &[Placed<'a>]) -> Stack<'a> {
    [below, own, tops].concat()
}

/// Refuses fields that do not belong into a layer, and method options that do not fit.
pub(super) fn check_layer(layer: &Placed<'_>, level: Scope) -> Result<(), SceneError> {
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
    let mut faults = Vec::new();
    layer.settings.check_choices("", &mut faults);
    if let Some((path, fault)) = faults.into_iter().next() {
        return Err(refuse(&stack, &path, fault));
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
    axes: usize,
) -> Result<Panel, SceneError> {
    let settings = merged(stack);
    let view = match settings.view {
        None => None,
        Some(ref view) => Some(View {
            center: required(stack, "view.center", view.center.as_ref())?.0,
            extent: required(stack, "view.extent", view.extent.as_ref())?.0,
        }),
    };
    let viewpoint = space::viewpoint(stack, settings.camera.as_ref(), axes)?;
    let ground = space::ground(stack, settings.ground.as_ref(), axes)?;
    if axes == 3 && view.is_some() {
        let fault = Fault::new("`view` is for planar scenes, and this one is three-dimensional");
        return Err(refuse(stack, "view", fault.help("write a `camera` instead")));
    }
    let rest = required(stack, "rest", settings.rest.as_ref())?;
    let rest = Rest {
        speed: rest.speed.map(|speed| speed.0),
        frames: rest.frames.map(|frames| frames.0),
        limit: required(stack, "rest.limit", rest.limit.as_ref())?.0,
    };

    let bodies = match settings.bodies.as_ref().map_or(&[][..], |bodies| &bodies.0) {
        [] => vec![body::build(None, stack, axes)?],
        list => {
            let mut bodies = Vec::with_capacity(list.len());
            for (index, layer) in list.iter().enumerate() {
                let stack = body_stack(stack, tops, index, &layer.with);
                bodies.push(body::build(layer.label.clone(), &stack, axes)?);
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
    Ok(Panel { label, is_named, view, viewpoint, ground, rest, bodies })
}
