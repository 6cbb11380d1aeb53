//! What may be written in a scene file.

use super::assembly::{JoinList, PartList};
use super::choice::{
    Choice, Choices, Colliders, Curves, Forces, Laws, Materials, Methods, StepControls,
};
use super::color::Color;
use super::diagnostic::Fault;
use super::layered::{FieldInfo, FieldValue, Scope, join};
use super::locate::locate;
use super::node::NodeName;
use super::over_time::{NumberOverTime, VectorOverTime};
use super::read::{List, Optional};
use super::shape::NetSettings;
use super::values::{
    Arrows, ClothPins, Decoration, Extent, Factor, Finite, LastNodeWord, NodeShape, Nodes, NonNegative,
    PictureSize, Pixels, Point, Positive, Projection, Share, SurfaceStyle, Vector, ViewAngle,
    Whole,
};
use serde::Deserialize;

readable! {
    /// A scene file: a base, and panels or a grid of panels that say what differs from it.
    pub struct SceneFile {
        /// Drawn above the panels.
        title: Option<String>,
        /// What all panels have in common.
        base: Settings,
        /// The panels, in order.
        panels: List<Layer>,
        /// Panels as the product of rows and columns; not together with `panels`.
        grid: Optional<Grid>,
    }
}

readable! {
    /// A panel, a row or column of a grid, or a body: its label and what differs.
    pub struct Layer {
        /// What pictures call it.
        label: Option<String>,
        /// What differs from the layers below it.
        with: Settings,
    }
}

readable! {
    /// Rows and columns of panels.
    pub struct Grid {
        /// What differs from row to row.
        rows: List<Layer>,
        /// What differs from column to column; laid over the row.
        columns: List<Layer>,
    }
}

layered! {
    /// All fields that can be set. A layer sets some of them; the defaults are a layer too.
    pub struct Settings {
        /// Width and height of each picture.
        (Scene, "px") size: PictureSize,
        /// Number of frames that are rendered, frame 0 being the initial state; the command line
        /// may say otherwise.
        (Scene, "frames") frames: Whole<1, 1_000_000_000>,
        /// Simulated time from one frame to the next.
        (Scene, "time") frame_time: Positive,
        /// Colour of the picture behind the panels; text and borders adapt to it.
        (Scene, "-") background: Color,
        /// Full: title, labels, borders and live numbers. Bare: nothing but the ropes.
        (Scene, "-") decoration: Decoration,
        /// How many panels stand side by side; left out, as many as make the ropes largest. Not in
        /// a grid.
        (Scene, "panels") columns: Whole<1, 1024>,
        /// The part of the plane that a panel shows; left out, all that the ropes of all panels can
        /// reach.
        (Panel, "-") view: ViewSettings,
        /// From where a three-dimensional scene is seen; left out, a view of all that the bodies
        /// can reach.
        (Panel, "-") camera: CameraSettings,
        /// A level ground that is drawn, in three-dimensional scenes; it stops nothing.
        (Panel, "-") ground: GroundSettings,
        /// When a panel counts as at rest, for the steady-state comparison.
        (Panel, "-") rest: RestSettings,
        /// Several ropes in one panel, drawn over each other: a list of (label, with), each with
        /// what differs.
        (Panel, "-") bodies: Bodies,
        /// Acceleration of gravity.
        (Body, "length/time²") gravity: VectorOverTime,
        /// Steps a frame: dt = frame_time / substeps.
        (Body, "steps") substeps: Whole<1, 1_000_000>,
        /// The method; `catena methods` lists them with their options.
        (Body, "-") integrator: Choice<Methods>,
        /// What steps the method takes within one step; `catena methods` lists the controls with
        /// their options.
        (Body, "-") step_control: Choice<StepControls>,
        /// Viscous drag c of the medium: force -c (v - wind) on every node.
        (Body, "force·time/length") drag: NumberOverTime,
        /// Velocity of the medium; without drag it does nothing.
        (Body, "length/time") wind: VectorOverTime,
        /// Every velocity is multiplied by this after each step. Only for methods that carry a
        /// velocity.
        (Body, "-") velocity_factor: Factor,
        /// Every free position is multiplied by this after each step, which pulls towards the
        /// origin.
        (Body, "-") position_factor: Factor,
        /// More forces; `catena methods` lists them with their options.
        (Body, "-") forces: Choices<Forces>,
        /// Changes of momentum at a moment: a list of (node, at, impulse).
        (Body, "-") impulses: Impulses,
        /// Pinned nodes that move: a list of (node, curve), such as (node: 0, curve: Linear(keys:
        /// [(0, (0, 0)), (1, (5, 0))])).
        (Body, "-") anchors: AnchorList,
        /// Solid things; `catena methods` lists them with their options.
        (Body, "-") colliders: Choices<Colliders>,
        /// How nodes keep away from colliders and from each other.
        (Body, "-") contact: ContactSettings,
        /// The rope.
        (Body, "-") rope: RopeSettings,
        /// A cloth; where it is set the body is a cloth and no rope.
        (Body, "-") cloth: ClothSettings,
        /// A net; where it is set the body is a net and no rope.
        (Body, "-") net: NetSettings,
        /// Parts that are one body: a list of (name, with, repeat, shift), each with what differs.
        (Body, "-") parts: PartList,
        /// What holds parts together: a list of Touching and of (from, to, stiffness, length).
        (Body, "-") joins: JoinList,
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
        (Body, "nodes") nodes: Whole<2, 1_000_000_000>,
        /// Stiffness k of each spring. Methods that hold lengths do not use it.
        (Body, "force/length") stiffness: Positive,
        /// Mass of each node.
        (Body, "mass") mass: Positive,
        /// What it is made of, with its area: stiffness E A/l and mass ρ A l a segment, half of it
        /// to either end. Not together with stiffness or mass.
        (Body, "-") material: Choice<Materials>,
        /// Cross-section of a rope with a material.
        (Body, "length²") area: Positive,
        /// Stiffness of bending springs over two nodes; 0 for none.
        (Body, "force/length") bending: NonNegative,
        /// Nodes that are held in their place; node 0 is at start.
        (Body, "nodes") pins: Nodes,
        /// Friction inside each spring, along its direction: force per speed of stretching. In
        /// bending springs it goes with their stiffness.
        (Body, "force·time/length") damping: NonNegative,
        /// Friction inside each spring on the whole relative velocity of its ends, as in NeHe
        /// lesson 40. In bending springs it goes with their stiffness.
        (Body, "force·time/length") friction: NonNegative,
        /// How the tension of a spring follows from its length; `catena methods` lists the laws
        /// with their options.
        (Body, "-") law: Choice<Laws>,
        /// Strain at which a spring breaks; left out, none does.
        (Body, "-") breaks_at: Positive,
        /// Where the last node lies: on end, or one spacing before it (x_i = start + i (end -
        /// start) / n).
        (Body, "-") last_node: LastNodeWord,
    }
}

layered! {
    /// A sheet of rows by columns of nodes at rest, every spring at its rest length.
    pub struct ClothSettings {
        /// Position of the first node of the first row.
        (Body, "length") corner: Vector,
        /// From the corner to the last node of the first row.
        (Body, "length") across: Vector,
        /// From the corner to the first node of the last row.
        (Body, "length") down: Vector,
        /// Number of rows.
        (Body, "nodes") rows: Whole<2, 10_000>,
        /// Number of columns.
        (Body, "nodes") columns: Whole<2, 10_000>,
        /// Stiffness k of the structural springs; those that resist shear have k/2, those over two
        /// nodes k/4. Left out, 100.
        (Body, "force/length") stiffness: Positive,
        /// Mass of each node. Left out, 1.
        (Body, "mass") mass: Positive,
        /// Nodes that are held. Left out, None.
        (Body, "-") pins: ClothPins,
        /// Friction inside each spring, along its direction: force per speed of stretching. Left
        /// out, 0.
        (Body, "force·time/length") damping: NonNegative,
        /// How the tension of a spring follows from its length. Left out, Hooke.
        (Body, "-") law: Choice<Laws>,
        /// Strain at which a spring breaks; left out, none does.
        (Body, "-") breaks_at: Positive,
    }
}

layered! {
    /// How nodes keep away from things.
    pub struct ContactSettings {
        /// Distance that nodes keep from colliders.
        (Body, "length") radius: NonNegative,
        /// Distance that nodes keep from each other, at most the shortest spring; left out, they
        /// pass through each other.
        (Body, "length") thickness: Positive,
        /// Share of the approach speed of two nodes that comes back.
        (Body, "-") restitution: Share,
        /// Coefficient of Coulomb friction between two nodes.
        (Body, "-") friction: NonNegative,
    }
}

layered! {
    /// From where space is seen.
    pub struct CameraSettings {
        /// Whether what is far looks smaller. Left out, Perspective.
        (Panel, "-") projection: Projection,
        /// Where the camera is.
        (Panel, "length") eye: Vector,
        /// The point in the middle of the picture. Left out, the origin.
        (Panel, "length") target: Vector,
        /// What points upwards in the picture. Left out, (0, 1, 0).
        (Panel, "-") up: Vector,
        /// Angle between the lowest and the highest line of sight, in perspective. Left out, 45.
        (Panel, "degrees") field_of_view: ViewAngle,
        /// Height that is visible, in an orthographic view.
        (Panel, "length") height: Positive,
    }
}

layered! {
    /// A level ground, for the eye.
    pub struct GroundSettings {
        /// y of the ground.
        (Panel, "length") height: Finite,
        /// It reaches so far from the point below the target in x and in z.
        (Panel, "length") size: Positive,
        /// Its colour in front.
        (Panel, "-") near: Color,
        /// Its colour far behind.
        (Panel, "-") far: Color,
        /// Colour of the shadows on it; left out, there are none.
        (Panel, "-") shadow: Color,
        /// Thickness of the shadow of a rope.
        (Panel, "px") shadow_width: Pixels,
    }
}

layered! {
    /// A part of the plane.
    pub struct ViewSettings {
        /// The point in the middle of the panel.
        (Panel, "length") center: Point,
        /// Width and height that are visible at least.
        (Panel, "length") extent: Extent,
    }
}

layered! {
    /// When a panel is at rest.
    pub struct RestSettings {
        /// Greatest speed of any node at rest; left out, 1e-4·√(g L) with the rope's rest length
        /// L (without gravity, 1e-6·L/frame_time).
        (Panel, "length/time") speed: Positive,
        /// For how many frames in a row; left out, half the period of a pendulum as long as the
        /// rope, π√(L/g) (without gravity, 60 frames). Where that is more than the limit, a body
        /// counts as moving.
        (Panel, "frames") frames: Whole<1, 1_000_000>,
        /// The frame after which waiting for rest is given up; the last frame that is rendered, if
        /// that comes later. `render` gives up sooner where that takes more work than the frames,
        /// unless `--steady-time` allows it.
        (Panel, "frames") limit: Whole<1, 1_000_000_000>,
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
        /// How a cloth is drawn: Wires or Facets.
        (Body, "-") surface: SurfaceStyle,
        /// Whether pinned nodes get a mark of their own.
        (Body, "-") mark_pins: bool,
        /// Which forces are drawn as arrows, means over each frame: what pins feel, what colliders
        /// feel (Contacts), All or None. Runs that show them go step by step.
        (Body, "-") arrows: Arrows,
        /// Length of an arrow per force; left out, that of the greatest weight of a body in the
        /// scene is three tenths of a panel. Without gravity it is needed.
        (Body, "length/force") arrow_scale: Positive,
    }
}

/// A pinned node that moves, and its curve.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnchorEntry {
    /// The node; it must be pinned.
    pub node: NodeName,
    /// Its position over time.
    pub curve: Choice<Curves>,
}

/// The moving pins of a body.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct AnchorList(pub Vec<AnchorEntry>);

impl FieldValue for AnchorList {
    fn expected() -> String {
        "a list of (node: …, curve: …), the curves listed by `catena methods`".into()
    }

    fn check_choices(&self, path: &str, faults: &mut Vec<(String, Fault)>) {
        for (index, entry) in self.0.iter().enumerate() {
            entry.curve.check_choices(&format!("{path}[{index}].curve"), faults);
        }
    }
}

/// An impulse on a node.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImpulseEntry {
    /// The node.
    pub node: NodeName,
    /// The time at which it acts.
    #[serde(default)]
    pub at: NonNegative,
    /// Mass times change of velocity.
    pub impulse: Vector,
}

/// The impulses on a body.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct Impulses(pub Vec<ImpulseEntry>);

impl FieldValue for Impulses {
    fn expected() -> String {
        "a list of (node: …, at: time, impulse: vector)".into()
    }

    fn vectors(&self, path: &str, all: &mut Vec<(String, usize)>) {
        for (index, entry) in self.0.iter().enumerate() {
            entry.impulse.vectors(&join(&format!("{path}[{index}]"), "impulse"), all);
        }
    }
}

/// The bodies of a panel.
pub type Bodies = List<Layer>;

impl FieldValue for Bodies {
    fn expected() -> String {
        "a list of (label: \"…\", with: (…))".into()
    }

    fn vectors(&self, path: &str, all: &mut Vec<(String, usize)>) {
        for (index, layer) in self.0.iter().enumerate() {
            layer.with.vectors(&format!("{path}[{index}].with"), all);
        }
    }
}

/// The defaults: the lowest layer.
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

/// The default of the field at `path`, as a scene would write it; `None` if it has none.
pub fn default_of(path: &str) -> Option<&'static str> {
    locate(DEFAULTS, path).map(|span| &DEFAULTS[span])
}
