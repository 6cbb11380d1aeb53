//! Schema of scene files.

use super::assembly::{JoinList, PartList};
use super::choice::{
    Choice, Choices, Forces, Laws, Materials, Methods, Shapes, Slips, StepControls,
};
use super::colliders::ColliderList;
use super::color::Color;
use super::entries::{
    AnchorList, Entry, Factors, GraphSprings, Impulses, MeshPins, Positions, Ranges, Velocities,
    Weights,
};
use super::events::EventList;
use super::grammar::Grammar;
use super::layered::{FieldInfo, FieldValue, Scope};
use super::node::NodeName;
use super::over_time::{ColorOverTime, OverTime, PointOverTime, VectorOverTime};
use super::read::{List, Optional};
use super::rig::RigSettings;
use super::values::{
    Arrows, ClothPins, ColorBy, Decoration, Extent, Factor, Finite, Fit, LastNodeWord, MeshFile,
    MeshWord, MotionFile, NetPins, NodeShape, Nodes, NonNegative, Pattern, PictureSize, Pixels, Positive,
    Projection, Range, Share, SurfaceStyle, Touching, Vector, ViewAngle, Whole, YAxis,
};
use catena_ron::{Node, Tree};
use std::sync::LazyLock;

readable! {
    /// Scene file: a base, and panels or a grid of panels that differ from it.
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
    /// Panel, row or column of a grid, or body: its label and its own settings.
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
    /// All fields that can be set. Each layer, including the defaults, sets some of them.
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
        /// Full: title, labels, borders and live numbers. Bare: nothing but the bodies; in space
        /// also the colliders that they lie on, and a `ground`.
        (Scene, "-") decoration: Decoration,
        /// How many panels stand side by side; left out, as many as make the ropes largest. Not in
        /// a grid.
        (Scene, "panels") columns: Whole<1, 1024>,
        /// What panels without a `view` or a `camera` of their own show. Frames: where bodies are
        /// in the scene's `frames`, whichever are rendered; where finding out takes too much work,
        /// as Reach. Reach: all that bodies can reach at any time.
        (Scene, "-") fit: Fit,
        /// The part of the plane that a panel shows; left out, what `fit` says, the same for all
        /// panels.
        (Panel, "-") view: ViewSettings,
        /// From where a three-dimensional scene is seen; left out, what `fit` says.
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
        /// Longest step, from which the steps of a frame follow as int(frame_time / max_dt) + 1, as
        /// NeHe's lesson 40 prints it. A layer sets this or `substeps`; the higher layer decides.
        (Body, "time") max_dt: Positive,
        /// The method; `catena methods` lists them with their options.
        (Body, "-") integrator: Choice<Methods>,
        /// What steps the method takes within one step; `catena methods` lists the controls with
        /// their options.
        (Body, "-") step_control: Choice<StepControls>,
        /// Viscous drag c of the medium: force -c (v - wind) on every node.
        (Body, "force·time/length") drag: OverTime<NonNegative>,
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
        /// Faults that programs of students have, for comparison with the correct form; `catena
        /// methods slips` lists them.
        (Body, "-") slips: Choices<Slips>,
        /// Changes of momentum at a moment: a list of (node, at, impulse).
        (Body, "-") impulses: Impulses,
        /// Pinned nodes that move: a list of (node, curve), such as (node: 0, curve: Linear(keys:
        /// [(0, (0, 0)), (1, (5, 0))])), and of (node, bone, offset). With a stiffness, and a
        /// damping if there is any, a spring draws a node along that is not pinned.
        (Body, "-") anchors: AnchorList,
        /// What happens once, at a time or when something holds: a list of (at, do) and (when, do),
        /// such as (at: 1.5, do: Release(node: Last)).
        (Body, "-") events: EventList,
        /// Solid things; `catena methods` lists them with their options. OnBone(bone, of) lies in
        /// the frame of a bone and moves with it.
        (Body, "-") colliders: ColliderList,
        /// How the body keeps away from colliders and from itself.
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
        /// A cloth of triangles from a file; where it is set the body is that and no rope.
        (Body, "-") mesh: MeshSettings,
        /// Nodes and springs one by one; where it is set the body is that and no rope.
        (Body, "-") graph: GraphSettings,
        /// How the body moves at the start: a list of (velocity), (node, velocity) and (spin, axis,
        /// about), which add up. Of all nodes but the pinned ones where no node is named.
        (Body, "-") velocities: Velocities,
        /// Bones that pins and colliders may hang on, clips that move them, and skins over them.
        (Body, "-") rig: RigSettings,
        /// A motion of another program, from a CSV file, that the body is compared with.
        (Body, "-") reference: ReferenceSettings,
        /// How the rope is drawn.
        (Body, "-") style: StyleSettings,
    }
}

layered! {
    /// Motion that a body is compared with.
    pub struct ReferenceSettings {
        /// A CSV file, relative to the scene: a row per node and frame, a row per frame, or a row
        /// per time of one point.
        (Body, "-") file: MotionFile,
        /// Meaning of the columns, in order: "frame,node,x,y", with - for a column to skip; or by
        /// name: "frame=Bild,x=px,y=py". Left out, names of columns or the numbers tell.
        (Body, "-") columns: String,
        /// Name in pictures and figures. Left out, that of the file.
        (Body, "-") label: String,
        /// Node that a file of one point describes. Left out, the last.
        (Body, "-") node: NodeName,
        /// Node that the lowest number in the file means. Left out, the start state decides.
        (Body, "-") first_node: NodeName,
        /// Frame that the first time of the file shows. Left out, the numbers of the file and the
        /// start state decide.
        (Body, "frames") first_frame: Whole<0, 1_000_000_000>,
        /// Direction of y in the file: Up or Down. Left out, the start state decides.
        (Body, "-") y: YAxis,
        /// Panel of a file with a column `panel`. Left out, the body's own number.
        (Body, "-") panel: Whole<0, 1_000_000>,
        /// Body of a file with a column `body`. Left out, the body's own number.
        (Body, "-") body: Whole<0, 1_000_000>,
        /// Factor of the positions in the file. Left out, 1.
        (Body, "-") scale: Positive,
        /// Place of the file's origin. Left out, the origin.
        (Body, "length") translate: Vector,
    }
}

layered! {
    /// Contacts of a body.
    pub struct ContactSettings {
        /// What touches: nodes as points, or all that is drawn with a thickness.
        (Body, "-") of: Touching,
        /// Distance that nodes keep from colliders; with Drawn half of the thickness is kept.
        (Body, "length") radius: NonNegative,
        /// Distance that nodes keep from each other, at most the shortest spring; left out, they
        /// pass through each other. With Drawn the diameter of a rope and the thickness of a cloth.
        (Body, "length") thickness: Positive,
        /// Share of the approach speed that comes back where the body touches itself.
        (Body, "-") restitution: Share,
        /// Coefficient of Coulomb friction of the body with itself.
        (Body, "-") friction: NonNegative,
    }
}

layered! {
    /// Viewpoint in space.
    pub struct CameraSettings {
        /// Whether what is far looks smaller. Left out, Perspective.
        (Panel, "-") projection: Projection,
        /// Where the camera is, also along a curve.
        (Panel, "length") eye: VectorOverTime,
        /// The point in the middle of the picture, also along a curve. Left out, the origin.
        (Panel, "length") target: VectorOverTime,
        /// The time in which the camera goes once around `target`, about `up`; left out, it does
        /// not.
        (Panel, "time") turntable: Positive,
        /// What points upwards in the picture. Left out, (0, 1, 0).
        (Panel, "-") up: VectorOverTime,
        /// Angle between the lowest and the highest line of sight, in perspective; in a panel
        /// higher than wide, between the leftmost and the rightmost. Left out, 45.
        (Panel, "degrees") field_of_view: OverTime<ViewAngle>,
        /// Height that is visible, in an orthographic view; in a panel higher than wide, the
        /// width.
        (Panel, "length") height: OverTime<Positive>,
    }
}

layered! {
    /// Level ground that is only drawn.
    pub struct GroundSettings {
        /// y of the ground.
        (Panel, "length") height: Finite,
        /// It reaches so far from the point below the target, and fades into the background.
        (Panel, "length") size: Positive,
        /// Its colour in front; left out, a grey that suits the background.
        (Panel, "-") near: Color,
        /// Its colour far behind; left out, a grey that suits the background.
        (Panel, "-") far: Color,
        /// Its colour in full shade; left out, its own made darker.
        (Panel, "-") shadow: Color,
    }
}

layered! {
    /// Visible part of the plane.
    pub struct ViewSettings {
        /// The point in the middle of the panel.
        (Panel, "length") center: PointOverTime,
        /// Width and height that are visible at least.
        (Panel, "length") extent: OverTime<Extent, 2>,
    }
}

layered! {
    /// Criteria for a panel to be at rest.
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
    /// Style of a body.
    pub struct StyleSettings {
        /// Colour of the rope; left out, the colour of its method.
        (Body, "-") color: ColorOverTime,
        /// Thickness of the rope; in space that of a rope without a thickness of its own, where the
        /// camera looks to.
        (Body, "px") line_width: Pixels,
        /// Diameter of a rope or thickness of a cloth in space; left out, that of its contact
        /// (`contact.thickness`, of a rope also twice `contact.radius`), or else `line_width`, of a
        /// cloth in facets a tenth of a cell, but at most 3 pixels.
        (Body, "length") thickness: Positive,
        /// How many strands wind around a rope in space; left out, it is smooth.
        (Body, "-") strands: Whole<2, 12>,
        /// The length of rope on which a strand winds around it once; left out, five times its
        /// thickness.
        (Body, "length") lay: Positive,
        /// Diameter of a node.
        (Body, "px") node_size: Pixels,
        /// Disc or Square.
        (Body, "-") node_shape: NodeShape,
        /// What the colours of a body show: None, Strain, Tension, Speed or Energy, by a scale that
        /// all panels share.
        (Body, "-") color_by: ColorBy,
        /// The values at both ends of the scale; left out, those of all frames. The first body that
        /// shows a quantity gives them.
        (Body, "-") color_range: Range,
        /// How many earlier positions are drawn, fading.
        (Body, "-") ghosts: Whole<0, 24>,
        /// From one of them to the next.
        (Body, "frames") ghost_gap: Whole<1, 1000>,
        /// Nodes that leave a trail.
        (Body, "-") trails: Nodes,
        /// How long trails are.
        (Body, "frames") trail_frames: Whole<1, 10_000>,
        /// How a cloth is drawn: Wires or Facets.
        (Body, "-") surface: SurfaceStyle,
        /// The pattern on the facets of a cloth in space, not of a mesh: Plain, Stripes, Checks or
        /// Weave.
        (Body, "-") pattern: Pattern,
        /// From one line of the pattern to the next.
        (Body, "cells") pattern_cells: Whole<1, 1000>,
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

/// Bodies of a panel.
pub type Bodies = List<Layer>;

impl FieldValue for Bodies {
    fn grammar() -> Grammar {
        Grammar::List(Layer::inside)
    }

    fn expected() -> String {
        "a list of (label: \"…\", with: (…))".into()
    }

    fn vectors(&self, path: &str, all: &mut Vec<(String, usize)>) {
        for (index, layer) in self.0.iter().enumerate() {
            layer.with.vectors(&format!("{path}[{index}].with"), all);
        }
    }
}

/// Defaults, the lowest layer.
pub(super) const DEFAULTS: &str = include_str!("defaults.ron");

/// Returns every field that can be set, in the order of the documentation.
pub fn fields() -> Vec<FieldInfo> {
    let top = FieldInfo {
        path: String::new(),
        summary: String::new(),
        unit: "-",
        expected: String::new(),
        scope: Scope::Scene,
        grammar: Grammar::Plain,
    };
    let mut all = Vec::new();
    Settings::describe(top, &mut all);
    all
}

/// Returns the defaults in the syntax of a scene's base.
pub fn defaults() -> &'static str {
    DEFAULTS
}

/// Returns the default of the field at `path` in scene syntax, if it has one.
pub fn default_of(path: &str) -> Option<&'static str> {
    static TREE: LazyLock<Tree> = LazyLock::new(|| Tree::parse(DEFAULTS));
    TREE.root().locate(path).map(Node::text)
}

layered! {
    /// Rope. By default it is straight, with every spring at its rest length.
    pub struct RopeSettings {
        /// Position of node 0.
        (Body, "length") start: Vector,
        /// Position of the other end; not the same point as start.
        (Body, "length") end: Vector,
        /// The line along which it starts, nodes equally far apart; `catena methods` lists the
        /// shapes with their options.
        (Body, "-") shape: Choice<Shapes>,
        /// Length of all its springs at rest, slack or stretched between its ends; left out, as
        /// long as it starts.
        (Body, "length") length: Positive,
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
        /// Stiffness of bending springs over two nodes; 0 for none. A straight rope stays without
        /// stiffness against small bends: their energy rises with the fourth power of the angle.
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
        /// How mass and stiffness change evenly from one end to the other.
        (Body, "-") taper: TaperSettings,
        /// Ranges with a mass of each node or a stiffness of each spring of their own: a list of
        /// (from, to, mass, stiffness). They replace the taper, later ones earlier ones.
        (Body, "-") ranges: Ranges,
        /// Masses that are added at nodes: a list of (node, mass).
        (Body, "-") weights: Weights,
    }
}

layered! {
    /// Sheet of rows by columns of nodes, with every spring at its rest length.
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
        /// Masses that are added at nodes: a list of (node, mass).
        (Body, "-") weights: Weights,
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
    /// Linear change of a rope's properties from its first to its last node.
    pub struct TaperSettings {
        /// Factors of the mass of the first and the last node; linear in between.
        (Body, "-") mass: Factors,
        /// Factors of the stiffness of the first and the last spring; linear in between. Friction
        /// in springs goes with their stiffness.
        (Body, "-") stiffness: Factors,
    }
}

layered! {
    /// Cloth whose threads are the edges of triangles.
    pub struct MeshSettings {
        /// A Wavefront OBJ file, relative to the scene.
        (Body, "-") file: MeshFile,
        /// Stiffness k of each edge. Left out, 100.
        (Body, "force/length") stiffness: Positive,
        /// Mass of each node. Left out, 1, or as `density` has it.
        (Body, "mass") mass: Positive,
        /// Mass of an area, a third of each triangle's at each corner; not together with mass.
        (Body, "mass/length²") density: Positive,
        /// Stiffness of springs from corner to corner across each edge that two triangles share.
        /// Left out, 0: none.
        (Body, "force/length") bending: NonNegative,
        /// Nodes that are held: names of groups and objects of the file in quotes, and nodes. Left
        /// out, none.
        (Body, "-") pins: MeshPins,
        /// Masses that are added at nodes: a list of (node, mass).
        (Body, "-") weights: Weights,
        /// Factor of the places in the file. Left out, 1.
        (Body, "-") scale: Positive,
        /// Where the origin of the file lies. Left out, at the origin.
        (Body, "length") translate: Vector,
        /// Distance within which vertices become one node; vertices of no triangle and triangles
        /// without area are dropped. Left out, such files are refused.
        (Body, "length") merge: NonNegative,
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
    /// Explicit nodes and springs.
    pub struct GraphSettings {
        /// Position of each node.
        (Body, "length") nodes: Positions,
        /// Springs between nodes: a list of (a, b), (a, b, stiffness) or (a, b, stiffness, length).
        /// Left out, none. Without a length of its own a spring is at rest at the start.
        (Body, "-") springs: GraphSprings,
        /// Stiffness of springs that have none of their own. Left out, 100.
        (Body, "force/length") stiffness: Positive,
        /// Mass of each node. Left out, 1.
        (Body, "mass") mass: Positive,
        /// Nodes that are held. Left out, none.
        (Body, "nodes") pins: Nodes,
        /// Masses that are added at nodes: a list of (node, mass).
        (Body, "-") weights: Weights,
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
    /// Flat net with every spring at its rest length.
    pub struct NetSettings {
        /// Position of the first corner.
        (Body, "length") corner: Vector,
        /// From the corner along the first row.
        (Body, "length") across: Vector,
        /// From the corner along the first column.
        (Body, "length") down: Vector,
        /// Number of meshes in a column.
        (Body, "meshes") rows: Whole<1, 10_000>,
        /// Number of meshes in a row.
        (Body, "meshes") columns: Whole<1, 10_000>,
        /// Square: cords along the sides of the net. Diamond: across them. Left out, Square.
        (Body, "-") mesh: MeshWord,
        /// Springs in each side of a mesh. Left out, 1.
        (Body, "springs") strands: Whole<1, 1000>,
        /// Stiffness k of each spring. Left out, 100.
        (Body, "force/length") stiffness: Positive,
        /// Mass of each node. Left out, 1.
        (Body, "mass") mass: Positive,
        /// Nodes that are held. Left out, None. Knots have the lowest numbers, row by row.
        (Body, "-") pins: NetPins,
        /// Friction inside each spring, along its direction: force per speed of stretching. Left
        /// out, 0.
        (Body, "force·time/length") damping: NonNegative,
        /// How the tension of a spring follows from its length. Left out, Hooke.
        (Body, "-") law: Choice<Laws>,
        /// Strain at which a spring breaks; left out, none does.
        (Body, "-") breaks_at: Positive,
    }
}
