//! What may be written in a scene file.

use super::choice::{Choice, Laws, Methods};
use super::layered::{FieldInfo, Scope, Value};
use super::locate::locate;
use super::values::{
    Color, Decoration, Extent, Factor, LastNodeWord, NodeShape, Nodes, NonNegative, PictureSize,
    Pixels, Positive, Vector, Whole,
};
use serde::Deserialize;

/// A scene file: a base, and panels or a grid of panels that say what differs from it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename = "Scene", default, deny_unknown_fields)]
pub struct SceneFile {
    /// Drawn above the panels.
    pub title: Option<String>,
    /// What all panels have in common.
    pub base: Settings,
    /// The panels, in order.
    pub panels: Vec<Layer>,
    /// Panels as the product of rows and columns; not together with `panels`.
    pub grid: Option<Grid>,
}

/// A label and what differs.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Layer {
    /// What pictures call it.
    pub label: Option<String>,
    /// What differs from the layers below.
    pub with: Settings,
}

/// Rows and columns of panels.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Grid {
    /// What differs from row to row.
    pub rows: Vec<Layer>,
    /// What differs from column to column; laid over the row.
    pub columns: Vec<Layer>,
}

layered! {
    /// All that can be set. A layer sets some of it; the defaults set all that has a default.
    pub struct Settings {
        /// Width and height of each picture.
        (Scene, "px") size: PictureSize,
        /// Number of frames that are rendered, frame 0 being the initial state; the command line may say otherwise.
        (Scene, "frames") frames: Whole<1, 1_000_000>,
        /// Simulated time from one frame to the next.
        (Scene, "time") frame_time: Positive,
        /// Colour of the picture behind the panels; text and borders adapt to it.
        (Scene, "-") background: Color,
        /// Full: title, labels, borders and live numbers. Bare: nothing but the ropes.
        (Scene, "-") decoration: Decoration,
        /// How many panels stand side by side; left out, as many as make the ropes largest. Not in a grid.
        (Scene, "panels") columns: Whole<1, 1024>,
        /// The part of the plane that a panel shows; left out, all that the ropes of all panels can reach.
        (Panel, "-") view: ViewSettings,
        /// When a panel counts as at rest, for the steady-state comparison.
        (Panel, "-") rest: RestSettings,
        /// Several ropes in one panel, drawn over each other: a list of (label, with), each with what differs.
        (Panel, "-") bodies: Bodies,
        /// Acceleration of gravity.
        (Body, "length/time²") gravity: Vector,
        /// Steps a frame: dt = frame_time / substeps.
        (Body, "steps") substeps: Whole<1, 1_000_000>,
        /// The method; `catena methods` lists them with their options.
        (Body, "-") integrator: Choice<Methods>,
        /// Viscous drag c of the medium: force -c (v - wind) on every node.
        (Body, "force·time/length") drag: NonNegative,
        /// Velocity of the medium; without drag it does nothing.
        (Body, "length/time") wind: Vector,
        /// Every velocity is multiplied by this after each step. Only for methods that carry a velocity.
        (Body, "-") velocity_factor: Factor,
        /// Every free position is multiplied by this after each step, which pulls towards the origin.
        (Body, "-") position_factor: Factor,
        /// The rope.
        (Body, "-") rope: RopeSettings,
        /// How the rope is drawn.
        (Body, "-") style: StyleSettings,
    }
}

layered! {
    /// A straight rope at rest, every spring at its rest length.
    pub struct RopeSettings {
        /// Position of node 0.
        (Body, "length") start: Vector,
        /// Position of the other end; not the same point as start.
        (Body, "length") end: Vector,
        /// Number of nodes.
        (Body, "nodes") nodes: Whole<2, 10_000_000>,
        /// Stiffness k of each spring. ConstraintVerlet holds lengths instead and does not use it.
        (Body, "force/length") stiffness: Positive,
        /// Mass of each node.
        (Body, "mass") mass: Positive,
        /// Nodes that are held in their place; node 0 is at start.
        (Body, "nodes") pins: Nodes,
        /// Friction inside each spring, along its direction: force per speed of stretching.
        (Body, "force·time/length") damping: NonNegative,
        /// Friction inside each spring on the whole relative velocity of its ends, as in NeHe lesson 40.
        (Body, "force·time/length") friction: NonNegative,
        /// How the tension of a spring follows from its length; `catena methods` lists the laws with their options.
        (Body, "-") law: Choice<Laws>,
        /// Strain at which a spring breaks; left out, none does.
        (Body, "-") breaks_at: Positive,
        /// Where the last node lies: on end, or one spacing before it (x_i = start + i (end - start) / n).
        (Body, "-") last_node: LastNodeWord,
    }
}

layered! {
    /// A part of the plane.
    pub struct ViewSettings {
        /// The point in the middle of the panel.
        (Panel, "length") center: Vector,
        /// Width and height that are visible at least.
        (Panel, "length") extent: Extent,
    }
}

layered! {
    /// When a panel is at rest.
    pub struct RestSettings {
        /// Greatest speed of any node at rest; left out, 1e-4·√(g L) with the rope's rest length L (without gravity, 1e-6·L/frame_time).
        (Panel, "length/time") speed: Positive,
        /// For how many frames in a row; left out, half the period of a pendulum as long as the rope, π√(L/g) (without gravity, 60 frames); at most the limit.
        (Panel, "frames") frames: Whole<1, 1_000_000>,
        /// The frame after which waiting for rest is given up; the last frame that is rendered, if that comes later.
        (Panel, "frames") limit: Whole<1, 10_000_000>,
    }
}

layered! {
    /// How a body is drawn.
    pub struct StyleSettings {
        /// Colour of the rope; left out, the colour of its method.
        (Body, "-") color: Color,
        /// Thickness of the rope.
        (Body, "px") line_width: Pixels,
        /// Diameter of a node.
        (Body, "px") node_size: Pixels,
        /// Disc or Square.
        (Body, "-") node_shape: NodeShape,
        /// Whether pinned nodes get a mark of their own.
        (Body, "-") mark_pins: bool,
    }
}

/// The bodies of a panel.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct Bodies(pub Vec<Layer>);

impl Value for Bodies {
    fn expected() -> String {
        "a list of (label: \"…\", with: (…))".into()
    }
}

/// The defaults, a layer like any other and the lowest of all.
pub(super) const DEFAULTS: &str = include_str!("defaults.ron");

/// Every field that can be set, in the order of the documentation.
pub fn fields() -> Vec<FieldInfo> {
    let top = FieldInfo {
        path: String::new(),
        summary: String::new(),
        unit: "-",
        expected: String::new(),
        scope: Scope::Scene,
    };
    let mut all = Vec::new();
    Settings::describe(top, &mut all);
    all
}

/// The default of the field at `path`, as a scene would write it; `None` where left out means something else.
pub fn default_of(path: &str) -> Option<&'static str> {
    locate(DEFAULTS, path).map(|span| &DEFAULTS[span])
}
