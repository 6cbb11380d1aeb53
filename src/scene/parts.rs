//! What a scene consists of once it is built: panels, and bodies with the setups to simulate.

use super::color::Color;
use super::parsed::ParsedScene;
use super::values::{Decoration, NodeShape, SurfaceWord};
use crate::sim::{Setup, method::MethodInfo};
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
    /// How many axes space has: 2, or 3 where a vector of the scene has three components.
    pub axes: usize,
    /// How the panels stand.
    pub arrangement: Arrangement,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
    /// What it was parsed from, to build bodies with other settings.
    pub(super) parsed: ParsedScene,
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
    /// What is far looks small; the angle between the lowest and the highest line of sight, in
    /// degrees.
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
#[derive(Debug)]
pub struct Body {
    /// What pictures call it.
    pub label: String,
    /// How it is drawn.
    pub style: Style,
    /// Its method.
    pub method: MethodInfo,
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
