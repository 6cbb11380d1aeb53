//! Schema of scene files.

use super::choice::{
    Choice, Choices, Forces, Laws, Materials, Methods, Shapes, Slips, StepControls,
};
use super::colliders::ColliderList;
use super::color::{Background, Color};
use super::entries::{
    Adjacency, AnchorList, ClampList, Factors, GraphSprings, Impulses, MeshPins, Positions, Ranges,
    Velocities, Weights,
};
use super::events::EventList;
use super::grammar::{Grammar, Scope};
use super::layered::{FieldInfo, FieldValue};
use super::node::NodeName;
use super::over_time::{ColorOverTime, OverTime, PointOverTime, VectorOverTime};
use super::part_entries::{JoinList, PartChanges, PartList};
use super::read::{List, Optional};
use super::rig::RigSettings;
use super::values::{
    Arrows, ClothPins, ColorBy, Decoration, Extent, Factor, Finite, Fit, LastNodeWord, MeshFile,
    MeshWord, MotionFile, NetPins, NodeShape, Nodes, NonNegative, Pattern, PictureSize, Pixels,
    Poisson, Positive, Projection, Range, RestCurvature, RodInertia, Share, SurfaceStyle, Touching,
    Vector, ViewAngle, Whole, YAxis,
};
use super::words::{NodeOrder, RestBy};
use crate::entry::Entry;
use crate::solid_shape::SolidShape;
use catena_ron::{Node, Tree};
use std::sync::LazyLock;

readable! {
    /// Scene file: a base, and panels or a grid of panels that differ from it.
    pub struct SceneFile {
        /// Title above the panels.
        title: Option<String>,
        /// Settings shared by all panels.
        base: Settings,
        /// Panels, in order.
        panels: List<Layer>,
        /// Panels as the product of rows and columns. Cannot be combined with `panels`.
        grid: Optional<Grid>,
    }
}

readable! {
    /// Panel, row or column of a grid, or body: its label and its own settings.
    pub struct Layer {
        /// Label of the layer in pictures.
        label: Option<String>,
        /// Settings that differ from the layers below.
        with: Settings,
    }
}

readable! {
    /// Rows and columns of panels.
    pub struct Grid {
        /// Settings that differ between rows.
        rows: List<Layer>,
        /// Settings that differ between columns. They override the settings of the row.
        columns: List<Layer>,
    }
}

layered! {
    /// All fields that can be set. Each layer, including the defaults, sets some of them.
    pub struct Settings {
        /// Width and height of each picture.
        (Scene, "px") size: PictureSize,
        /// Number of rendered frames, including frame 0, the initial state. The command line can
        /// override it.
        (Scene, "frames") frames: Whole<1, 1_000_000_000>,
        /// Simulated time between two frames.
        (Scene, "time") frame_time: Positive,
        /// Background colour of the picture. Text and borders adapt to it. With an opacity, or with
        /// Transparent, frames have an alpha channel: straight, not premultiplied. Gradient: two
        /// colours behind panels in space. Without it, these panels have a soft gradient that suits
        /// the colour. In Bare pictures, a colour has no gradient if the scene sets it.
        (Scene, "-") background: Background,
        /// Amount of decoration. Full: title, labels, borders and live numbers. Bare: only the
        /// bodies; in space also `ground` and the colliders.
        (Scene, "-") decoration: Decoration,
        /// Number of panels per row. If omitted, the number that makes the ropes largest. Not for
        /// grids with rows and columns.
        (Scene, "panels") columns: Whole<1, 1024>,
        /// Visible part of panels without `view` or `camera`. Frames: every position in all
        /// `frames` of the scene, or Reach if that takes too long to compute. Reach: everything
        /// that bodies can ever reach.
        (Scene, "-") fit: Fit,
        /// Motion blur. If omitted, frames are sharp.
        (Scene, "-") motion_blur: MotionBlurSettings,
        /// Visible part of the plane. If omitted, `fit` chooses one for all panels.
        (Panel, "-") view: ViewSettings,
        /// Viewpoint of a three-dimensional scene. If omitted, `fit` chooses it.
        (Panel, "-") camera: CameraSettings,
        /// Level ground of a three-dimensional scene. The ground is only drawn and does not stop
        /// anything.
        (Panel, "-") ground: GroundSettings,
        /// Light of a three-dimensional scene: a sun, and light from all sides.
        (Panel, "-") light: LightSettings,
        /// Method of finding the state at rest, and criteria for rest, for the steady-state
        /// comparison.
        (Panel, "-") rest: RestSettings,
        /// Bodies of a panel, drawn over each other: a list of (label, with), each with the
        /// settings that differ.
        (Panel, "-") bodies: Bodies,
        /// Acceleration of gravity.
        (Body, "length/time²") gravity: VectorOverTime,
        /// Number of steps per frame: dt = frame_time / substeps.
        (Body, "steps") substeps: Whole<1, 1_000_000>,
        /// Maximum time step. A frame has int(frame_time / max_dt) + 1 steps, as in NeHe's lesson
        /// 40. A layer can set either `max_dt` or `substeps`; the higher layer takes precedence.
        (Body, "time") max_dt: Positive,
        /// Integration method. `catena methods` lists the methods with their options.
        (Body, "-") integrator: Choice<Methods>,
        /// Control of the steps that the method takes within dt. `catena methods` lists the step
        /// controls with their options.
        (Body, "-") step_control: Choice<StepControls>,
        /// Viscous drag c of the medium: force -c (v - wind) on every node.
        (Body, "force·time/length") drag: OverTime<NonNegative>,
        /// Velocity of the medium. Has no effect without `drag`.
        (Body, "length/time") wind: VectorOverTime,
        /// Factor by which every velocity is multiplied after each step. Only for methods that
        /// store velocities.
        (Body, "-") velocity_factor: Factor,
        /// Factor by which every free position is multiplied after each step, which pulls the body
        /// towards the origin.
        (Body, "-") position_factor: Factor,
        /// Additional forces. `catena methods` lists the forces with their options.
        (Body, "-") forces: Choices<Forces>,
        /// Common mistakes in student programs, for comparison with the correct form; `catena
        /// methods slips` lists them.
        (Body, "-") slips: Choices<Slips>,
        /// Sudden changes of momentum: a list of (node, at, impulse).
        (Body, "-") impulses: Impulses,
        /// Motion of pinned nodes: a list of (node, curve), such as (node: 0, curve: Linear(keys:
        /// [(0, (0, 0)), (1, (5, 0))])), (node, velocity) or (node, bone, offset). With
        /// `stiffness`, and optionally `damping`, the node is not pinned: a spring pulls it along.
        /// With `stops_at_colliders`, the node stops at the ground.
        (Body, "-") anchors: AnchorList,
        /// One-time actions at a time or on a condition: a list of (at, do) and (when, do), such as
        /// (at: 1.5, do: Release(node: Last)).
        (Body, "-") events: EventList,
        /// Solid obstacles. `catena methods` lists the colliders with their options. OnBone(bone,
        /// of) attaches a collider to a bone; Painted(of, color, gloss) gives a collider its own
        /// colour and gloss; Skin(friction) is the skin of the body's rig.
        (Body, "-") colliders: ColliderList,
        /// Contact of the body with colliders and with itself.
        (Body, "-") contact: ContactSettings,
        /// Rope.
        (Body, "-") rope: RopeSettings,
        /// Cloth. If set, the body is a cloth instead of a rope.
        (Body, "-") cloth: ClothSettings,
        /// Net. If set, the body is a net instead of a rope.
        (Body, "-") net: NetSettings,
        /// Parts of one body: a list of (name, with, repeat, shift), each with the settings that
        /// differ.
        (Body, "-") parts: PartList,
        /// Settings of single parts that override the settings in the list of parts: a list of
        /// (name, with). On the command line, `--set parts.ball.solid.mass=2` adds an entry.
        (Body, "-") part_changes: PartChanges,
        /// Connections between parts: a list of Touching and (from, to, stiffness, length).
        (Body, "-") joins: JoinList,
        /// Cloth of triangles from a file. If set, the body is this cloth instead of a rope.
        (Body, "-") mesh: MeshSettings,
        /// Individual nodes and springs. If set, the body consists of them instead of a rope.
        (Body, "-") graph: GraphSettings,
        /// Rigid body with a mass. Makes the body or part a solid instead of a rope.
        (Body, "-") solid: SolidSettings,
        /// Initial velocities: a list of (velocity), (node, velocity) and (spin, axis, about),
        /// which add up. Entries without `node` apply to all nodes that are not pinned.
        (Body, "-") velocities: Velocities,
        /// Whether the body starts in equilibrium, which is found from its shape. The rope shape
        /// `Rest` has the same effect.
        (Body, "-") starts_at_rest: bool,
        /// Bones that carry pins and colliders, clips that move the bones, and skins over them.
        (Body, "-") rig: RigSettings,
        /// Motion of another program, from a CSV file, with which the body is compared.
        (Body, "-") reference: ReferenceSettings,
        /// Style in which the body is drawn.
        (Body, "-") style: StyleSettings,
    }
}

layered! {
    /// Rigid body with a mass, which joins connect to ropes.
    pub struct SolidSettings {
        /// Shape: Ball(radius: 0.1), Capsule(radius: 0.1, length: 0.5) along x, or Box(size: (1, 1,
        /// 1)).
        (Body, "-") shape: SolidShape,
        /// Mass. If omitted, 1.
        (Body, "mass") mass: Positive,
        /// Position of its centre. If omitted, the origin.
        (Body, "length") at: Vector,
        /// Rotation at the start, in degrees counterclockwise. If omitted, 0.
        (Body, "degrees") turn: Finite,
        /// Axis of the rotation, in space. If omitted, z.
        (Body, "-") axis: Vector,
        /// Velocity of its centre at the start. If omitted, 0.
        (Body, "length/time") velocity: Vector,
        /// Angular velocity at the start, in radians per unit of time. If omitted, 0.
        (Body, "1/time") spin: Finite,
        /// Axis of the spin, in space. If omitted, z.
        (Body, "-") spin_axis: Vector,
        /// Points at which joins hold the body, in its own coordinates. Joins name the first as
        /// ("ball", 1), since node 0 is the centre. If omitted, none.
        (Body, "length") points: Positions,
        /// Stiffness of the springs between its nodes within a step. If omitted, 100.
        (Body, "force/length") stiffness: Positive,
        /// Nodes that are fixed in place: 0 is the centre, 1 the first of `points`. A single pin is
        /// a pivot. If omitted, none.
        (Body, "nodes") pins: Nodes,
    }
}

layered! {
    /// Motion that a body is compared with.
    pub struct ReferenceSettings {
        /// A CSV file, relative to the scene: a row per node and frame, a row per frame, or a row
        /// per time of one point.
        (Body, "-") file: MotionFile,
        /// Roles of the columns, in order: "frame,node,x,y", with - for a column to skip; or by
        /// name: "frame=Bild,x=px,y=py". If omitted, they are derived from the names or the numbers
        /// of the columns.
        (Body, "-") columns: String,
        /// Name in pictures and figures. If omitted, the name of the file.
        (Body, "-") label: String,
        /// Node that a file of one point describes. If omitted, the last.
        (Body, "-") node: NodeName,
        /// Node of the body for the lowest node number in the file. If omitted, it is derived from
        /// the start state.
        (Body, "-") first_node: NodeName,
        /// Direction in which the file counts nodes: Forward or Reversed. If omitted, it is derived
        /// from the start state.
        (Body, "-") node_order: NodeOrder,
        /// Frame of the scene at the first time in the file. If omitted, it is derived from the
        /// numbers in the file and the start state.
        (Body, "frames") first_frame: Whole<0, 1_000_000_000>,
        /// Direction of y in the file: Up or Down. If omitted, it is derived from the start state.
        (Body, "-") y: YAxis,
        /// Panel of a file with a column `panel`. If omitted, the body's own number.
        (Body, "-") panel: Whole<0, 1_000_000>,
        /// Body of a file with a column `body`. If omitted, the body's own number.
        (Body, "-") body: Whole<0, 1_000_000>,
        /// Factor of the positions in the file. If omitted, 1.
        (Body, "-") scale: Positive,
        /// Position of the file's origin in the scene. If omitted, the origin.
        (Body, "length") translate: Vector,
    }
}

layered! {
    /// Contacts of a body.
    pub struct ContactSettings {
        /// Parts of the body that touch. Nodes: the nodes, as points. Drawn: everything that is
        /// drawn, with a thickness.
        (Body, "-") of: Touching,
        /// Minimum distance of nodes from colliders. With Drawn, half of `thickness` applies
        /// instead.
        (Body, "length") radius: NonNegative,
        /// Minimum distance between nodes, at most the shortest spring. If omitted, nodes pass
        /// through each other. With Drawn, the diameter of a rope or the thickness of a cloth.
        (Body, "length") thickness: Positive,
        /// Coefficient of restitution where the body touches itself: fraction of the approach speed
        /// that remains after the impact.
        (Body, "-") restitution: Share,
        /// Coefficient of Coulomb friction where the body touches itself.
        (Body, "-") friction: NonNegative,
        /// Viscous friction on colliders, as in course notes: force -c v along the surface,
        /// independent of the load. If omitted, 0. The `friction` of colliders is Coulomb friction,
        /// which grows with the load.
        (Body, "force·time/length") viscous: NonNegative,
    }
}

layered! {
    /// Viewpoint in space.
    pub struct CameraSettings {
        /// Projection of space. Perspective: distant objects look smaller. Orthographic: they do
        /// not. If omitted, Perspective.
        (Panel, "-") projection: Projection,
        /// Position of the camera. May follow a curve.
        (Panel, "length") eye: VectorOverTime,
        /// Point in the middle of the picture. May follow a curve. If omitted, the origin.
        (Panel, "length") target: VectorOverTime,
        /// Time in which the camera circles `target` once, about `up`. If omitted, the camera does
        /// not circle.
        (Panel, "time") turntable: Positive,
        /// Direction that points upwards in the picture. If omitted, (0, 1, 0).
        (Panel, "-") up: VectorOverTime,
        /// Vertical angle of view, in perspective. If omitted, 45.
        (Panel, "degrees") field_of_view: OverTime<ViewAngle>,
        /// Visible height, in an orthographic view.
        (Panel, "length") height: OverTime<Positive>,
        /// Ratio of width to height. A narrower panel shows the same width as a panel of this
        /// ratio, so that its sides are not cut, and more above and below. If omitted, 1.
        (Panel, "-") aspect: Positive,
    }
}

layered! {
    /// Level ground that is only drawn.
    pub struct GroundSettings {
        /// y of the ground.
        (Panel, "length") height: Finite,
        /// Distance from the point below `target` over which the colour changes from `near` to
        /// `far`. Farther away, the ground fades towards the horizon. With Transparent, only
        /// shadows are visible.
        (Panel, "length") size: Positive,
        /// Colour of the ground near the camera. If omitted, a grey that suits the background.
        (Panel, "-") near: Color,
        /// Colour of the ground far from the camera. If omitted, a grey that suits the background.
        (Panel, "-") far: Color,
        /// Colour of the ground in full shade. If omitted, a darker shade of the ground's colour.
        (Panel, "-") shadow: Color,
    }
}

layered! {
    /// Light of a three-dimensional scene.
    pub struct LightSettings {
        /// Direction from the scene to the sun. If omitted, from above, slightly right and in
        /// front.
        (Panel, "-") direction: Vector,
        /// Strength of the sun, relative to the default. If omitted, 1.
        (Panel, "-") sun: NonNegative,
        /// Strength of the light from sky and ground, relative to the default. If omitted, 1.
        (Panel, "-") sky: NonNegative,
        /// Colour of the sun. If omitted, white.
        (Panel, "-") color: Color,
        /// Radius of the sun as an angle, up to 20: 0 for hard shadows. If omitted, 1.15.
        (Panel, "degrees") softness: NonNegative,
    }
}

layered! {
    /// Motion blur: each frame is the mean of several moments, in amounts of light.
    pub struct MotionBlurSettings {
        /// Number of moments per frame; 1 draws sharp frames. If omitted, 16.
        (Scene, "-") samples: Whole<1, 1024>,
        /// Time for which the shutter is open, as an angle up to 360, which is the whole frame. The
        /// shutter closes at the time of the frame. If omitted, 180.
        (Scene, "degrees") shutter: Positive,
    }
}

layered! {
    /// Visible part of the plane.
    pub struct ViewSettings {
        /// Point in the middle of the panel.
        (Panel, "length") center: PointOverTime,
        /// Minimum visible width and height.
        (Panel, "length") extent: OverTime<Extent, 2>,
    }
}

layered! {
    /// Method of finding the state at rest, and criteria for rest.
    pub struct RestSettings or by: RestBy {
        /// Method of finding the state at rest. Wait: the simulation continues until the body is at
        /// rest. Solve: the balance of forces is solved, and the simulation ends with the last
        /// rendered frame; a body without a solution waits. `rest: Solve` is short for `rest: (by:
        /// Solve)`.
        (Panel, "-") by: RestBy,
        /// Maximum speed of any node at rest. If omitted, 1e-4·√(g L) with the rope's rest length L
        /// (without gravity, 1e-6·L/frame_time).
        (Panel, "length/time") speed: Positive,
        /// Number of consecutive frames at rest. If omitted, half the period of a pendulum as long
        /// as the rope, π√(L/g) (without gravity, 60 frames). If this exceeds `limit`, the body is
        /// treated as moving.
        (Panel, "frames") frames: Whole<1, 1_000_000>,
        /// Last frame in which the simulation waits for rest, or the last rendered frame if that is
        /// later. `render` stops earlier if waiting takes longer than the frames, unless
        /// `--steady-time` allows it.
        (Panel, "frames") limit: Whole<1, 1_000_000_000>,
    }
}

layered! {
    /// Style of a body.
    pub struct StyleSettings {
        /// Colour of the body. If omitted, the colour of its method.
        (Body, "-") color: ColorOverTime,
        /// Line width of the rope. In space, it applies to ropes without `thickness`, at the
        /// distance of the camera's target.
        (Body, "px") line_width: Pixels,
        /// Diameter of a rope or thickness of a cloth in space. If omitted, `contact.thickness`, or
        /// for a rope twice `contact.radius`; without these, `line_width`, or for a cloth with
        /// facets a tenth of a cell, at most 3 pixels.
        (Body, "length") thickness: Positive,
        /// Number of strands that wind around a rope in space. If omitted, the rope is smooth.
        (Body, "-") strands: Whole<2, 12>,
        /// Length of rope per turn of a strand. If omitted, five times the thickness.
        (Body, "length") lay: Positive,
        /// Diameter of a node.
        (Body, "px") node_size: Pixels,
        /// Shape of a node: Disc or Square.
        (Body, "-") node_shape: NodeShape,
        /// Quantity shown by the colours of a body: None, Strain, Tension, Speed or Energy, or
        /// Curvature or Twist of a rod. All panels share one scale.
        (Body, "-") color_by: ColorBy,
        /// Values at the two ends of the colour scale. The first body that shows the quantity sets
        /// them. If omitted, the range over all frames.
        (Body, "-") color_range: Range,
        /// Number of earlier positions that are drawn, each fainter than the one after it.
        (Body, "-") ghosts: Whole<0, 24>,
        /// Number of frames between two ghosts.
        (Body, "frames") ghost_gap: Whole<1, 1000>,
        /// Nodes that leave a trail.
        (Body, "-") trails: Nodes,
        /// Length of trails.
        (Body, "frames") trail_frames: Whole<1, 10_000>,
        /// Style of a cloth: Wires or Facets. If omitted, Facets in space and Wires in the plane.
        (Body, "-") surface: SurfaceStyle,
        /// Pattern on the facets of a cloth in space: Plain, Stripes, Checks or Weave. Not for
        /// meshes.
        (Body, "-") pattern: Pattern,
        /// Number of cells between two lines of the pattern.
        (Body, "cells") pattern_cells: Whole<1, 1000>,
        /// Whether pinned nodes are marked, in space by balls. If omitted, only in the plane.
        (Body, "-") mark_pins: bool,
        /// Whether the paths of moving pins are drawn, with marks at their keys or control points.
        (Body, "-") paths: bool,
        /// Forces drawn as arrows, averaged over each frame: forces on pins (Pins), forces on
        /// colliders (Contacts), All or None. Runs with arrows simulate every step separately.
        (Body, "-") arrows: Arrows,
        /// Length of an arrow per unit of force. If omitted, the weight of the heaviest body in the
        /// scene gives an arrow of three tenths of a panel. Required without gravity.
        (Body, "length/force") arrow_scale: Positive,
        /// Colour of the body's colliders. If omitted, a grey that suits the background.
        (Body, "-") collider_color: Color,
        /// Strength of reflections on the body's colliders in space: 0 is matt. If omitted, 0.25.
        (Body, "-") collider_gloss: Share,
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
        /// Position of the other end. Must differ from `start`.
        (Body, "length") end: Vector,
        /// Initial shape, with equally spaced nodes. `catena methods` lists the shapes with their
        /// options.
        (Body, "-") shape: Choice<Shapes>,
        /// Total rest length of all springs. The rope is slack if it is longer than its initial
        /// shape, and stretched if it is shorter. If omitted, the length of the initial shape. A
        /// curve pays rope out and reels it in.
        (Body, "length") length: OverTime<Positive>,
        /// Number of nodes.
        (Body, "nodes") nodes: Whole<2, 1_000_000_000>,
        /// Stiffness k of each spring. Methods that keep springs at their rest length ignore it.
        (Body, "force/length") stiffness: Positive,
        /// Mass of each node.
        (Body, "mass") mass: Positive,
        /// Material of the rope, which needs `area`. Each segment has stiffness E A/l and mass ρ A
        /// l, half of it at either end. Cannot be combined with stiffness or mass.
        (Body, "-") material: Choice<Materials>,
        /// Cross-section area of a rope with a material.
        (Body, "length²") area: Positive,
        /// Whether springs have the damping of the material in addition to `damping`: its loss
        /// factor in the lowest longitudinal mode. If omitted, false.
        (Body, "-") material_damping: bool,
        /// Stiffness of bending springs between every second node; 0 for none. They do not stiffen
        /// a straight rope against small bends: their energy rises with the fourth power of the
        /// angle.
        (Body, "force/length") bending: NonNegative,
        /// Resistance to bending and twist, which makes the rope a rod.
        (Body, "-") rod: RodSettings,
        /// Nodes that are fixed in place. Node 0 is at `start`.
        (Body, "nodes") pins: Nodes,
        /// Damping of each spring along its direction: force per speed of stretching. In bending
        /// springs it is proportional to their stiffness.
        (Body, "force·time/length") damping: NonNegative,
        /// Damping of each spring on the whole relative velocity of its ends, as in NeHe lesson 40.
        /// In bending springs it is proportional to their stiffness.
        (Body, "force·time/length") friction: NonNegative,
        /// Spring law: tension of a spring as a function of its length. `catena methods` lists the
        /// laws with their options.
        (Body, "-") law: Choice<Laws>,
        /// Strain at which a spring breaks. If omitted, springs do not break.
        (Body, "-") breaks_at: Positive,
        /// Position of the last node. AtEnd: at `end`. OneSpacingShort: one spacing before it (x_i
        /// = start + i (end - start) / n).
        (Body, "-") last_node: LastNodeWord,
        /// Linear change of mass and stiffness from one end to the other.
        (Body, "-") taper: TaperSettings,
        /// Ranges of nodes with their own mass per node or stiffness per spring: a list of (from,
        /// to, mass, stiffness). They override the taper, and later ranges override earlier ones.
        (Body, "-") ranges: Ranges,
        /// Masses added at nodes: a list of (node, mass).
        (Body, "-") weights: Weights,
    }
}

layered! {
    /// Bending and twist of a rope. Stiffness is given as EI, GJ and EA, or by a section and the
    /// rope's material.
    pub struct RodSettings {
        /// Bending stiffness EI. With `bending_across`, the stiffness towards the normal of the
        /// section.
        (Body, "force·length²") bending: NonNegative,
        /// Bending stiffness across the normal. If omitted, equal to `bending`, as for a round
        /// section.
        (Body, "force·length²") bending_across: NonNegative,
        /// Torsional stiffness GJ, in space. If omitted, 0: the rod twists freely.
        (Body, "force·length²") torsion: NonNegative,
        /// Stiffness EA against stretching: k = EA/l for each spring. If omitted, `rope.stiffness`.
        (Body, "force") axial: Positive,
        /// Radius of a round section, for a rope with a material.
        (Body, "length") radius: Positive,
        /// Inner radius of a tube. If omitted, the section is solid.
        (Body, "length") inner: Positive,
        /// Size of a rectangular section across its normal; out of the plane in a planar scene.
        (Body, "length") width: Positive,
        /// Size of a rectangular section along its normal; in the plane in a planar scene.
        (Body, "length") height: Positive,
        /// Direction of the section's normal where the rod starts, in space. If omitted, upwards,
        /// or along x where the rod starts nearly upwards.
        (Body, "-") normal: Vector,
        /// Poisson's ratio ν, above -1 and at most 0.5: G = E/(2(1 + ν)). If omitted, the value of
        /// the material.
        (Body, "-") poisson: Finite,
        /// Curvature at rest: a number, positive to the left; in space also (towards the normal,
        /// across it); a list with one entry per node; or AsStart, the curvature of the initial
        /// shape. If omitted, 0.
        (Body, "1/length") curvature: RestCurvature,
        /// Twist at rest. If omitted, 0.
        (Body, "turns/length") twist: Finite,
        /// Turns by which a ring was twisted before it was closed. If omitted, 0.
        (Body, "turns") turns: Finite,
        /// Rotational inertia of sections about the rod, per length, in space: ρ(I₁ + I₂), for
        /// torsional waves. `Section` takes it from the section and the density of the material. If
        /// omitted, twist is in equilibrium at all times.
        (Body, "mass·length") inertia: RodInertia,
        /// Nodes at which position, direction and material angle are fixed: a list of (node,
        /// tangent, turn). They are also pinned.
        (Body, "-") clamps: ClampList,
    }
}

layered! {
    /// Sheet of rows by columns of nodes, with every spring at its rest length.
    pub struct ClothSettings {
        /// Position of the first node of the first row.
        (Body, "length") corner: Vector,
        /// Vector from the corner to the last node of the first row.
        (Body, "length") across: Vector,
        /// Vector from the corner to the first node of the last row.
        (Body, "length") down: Vector,
        /// Number of rows.
        (Body, "nodes") rows: Whole<2, 10_000>,
        /// Number of columns.
        (Body, "nodes") columns: Whole<2, 10_000>,
        /// Stiffness k of the structural springs. Shear springs have k/2, or less with `poisson`,
        /// and bending springs between every second node have k/4. If omitted, 100.
        (Body, "force/length") stiffness: Positive,
        /// Mass of each node. If omitted, 1.
        (Body, "mass") mass: Positive,
        /// Material, with `thickness` t: stiffness E t, Poisson's ratio of the material, and mass ρ
        /// t per area. Cells must be square. Cannot be combined with stiffness or mass.
        (Body, "-") material: Choice<Materials>,
        /// Thickness t of a cloth with a material.
        (Body, "length") thickness: Positive,
        /// Poisson's ratio ν: shear springs have k/(2 (1 + ν)). If omitted, 0, or the value of the
        /// material.
        (Body, "-") poisson: Poisson,
        /// Nodes that are fixed in place. If omitted, None.
        (Body, "-") pins: ClothPins,
        /// Masses added at nodes: a list of (node, mass).
        (Body, "-") weights: Weights,
        /// Damping of each spring along its direction: force per speed of stretching. If omitted,
        /// 0.
        (Body, "force·time/length") damping: NonNegative,
        /// Spring law: tension of a spring as a function of its length. If omitted, Hooke.
        (Body, "-") law: Choice<Laws>,
        /// Strain at which a spring breaks. If omitted, springs do not break.
        (Body, "-") breaks_at: Positive,
    }
}

layered! {
    /// Linear change of a rope's properties from its first to its last node.
    pub struct TaperSettings {
        /// Mass factors of the first and the last node, linear in between.
        (Body, "-") mass: Factors,
        /// Stiffness factors of the first and the last spring, linear in between. Damping and
        /// friction in springs are proportional to stiffness.
        (Body, "-") stiffness: Factors,
    }
}

layered! {
    /// Cloth whose threads are the edges of triangles.
    pub struct MeshSettings {
        /// Wavefront OBJ, STL or PLY file, relative to the scene.
        (Body, "-") file: MeshFile,
        /// Stiffness k of each edge. If omitted, 100.
        (Body, "force/length") stiffness: Positive,
        /// Mass of each node. If omitted, 1, or the value from `density`.
        (Body, "mass") mass: Positive,
        /// Mass per area. Each corner of a triangle carries a third of its mass. Cannot be combined
        /// with `mass`.
        (Body, "mass/length²") density: Positive,
        /// Stiffness of bending springs, which join the opposite corners of two triangles with a
        /// common edge. If omitted, 0: none.
        (Body, "force/length") bending: NonNegative,
        /// Nodes that are fixed in place: names of groups and objects of the file in quotes, and
        /// nodes. If omitted, none.
        (Body, "-") pins: MeshPins,
        /// Masses added at nodes: a list of (node, mass).
        (Body, "-") weights: Weights,
        /// Scale factor of the positions in the file. If omitted, 1.
        (Body, "-") scale: Positive,
        /// Position of the file's origin in the scene. If omitted, the origin.
        (Body, "length") translate: Vector,
        /// Distance within which vertices become one node. Vertices without triangles and triangles
        /// without area are dropped as well. If omitted, a file that contains either is an error.
        (Body, "length") merge: NonNegative,
        /// Damping of each spring along its direction: force per speed of stretching. If omitted,
        /// 0.
        (Body, "force·time/length") damping: NonNegative,
        /// Spring law: tension of a spring as a function of its length. If omitted, Hooke.
        (Body, "-") law: Choice<Laws>,
        /// Strain at which a spring breaks. If omitted, springs do not break.
        (Body, "-") breaks_at: Positive,
    }
}

layered! {
    /// Explicit nodes and springs.
    pub struct GraphSettings {
        /// Position of each node.
        (Body, "length") nodes: Positions,
        /// Springs between nodes: a list of (a, b), (a, b, stiffness) or (a, b, stiffness, length).
        /// If omitted, none. A spring without `length` is at rest at the start.
        (Body, "-") springs: GraphSprings,
        /// Springs as a symmetric matrix, numbered before the springs in `springs`: entry (i, j) is
        /// 0, or the stiffness of the spring between nodes i and j as a multiple of `stiffness`.
        (Body, "-") adjacency: Adjacency,
        /// Rest lengths of the springs of `adjacency`, as a symmetric matrix; 0 for the initial
        /// distance. If omitted, all are 0.
        (Body, "length") lengths: Adjacency,
        /// Stiffness of springs without their own stiffness, and of an entry 1 of `adjacency`. If
        /// omitted, 100.
        (Body, "force/length") stiffness: Positive,
        /// Mass of each node. If omitted, 1.
        (Body, "mass") mass: Positive,
        /// Nodes that are fixed in place. If omitted, none.
        (Body, "nodes") pins: Nodes,
        /// Masses added at nodes: a list of (node, mass).
        (Body, "-") weights: Weights,
        /// Damping of each spring along its direction: force per speed of stretching. If omitted,
        /// 0.
        (Body, "force·time/length") damping: NonNegative,
        /// Spring law: tension of a spring as a function of its length. If omitted, Hooke.
        (Body, "-") law: Choice<Laws>,
        /// Strain at which a spring breaks. If omitted, springs do not break.
        (Body, "-") breaks_at: Positive,
    }
}

layered! {
    /// Flat net with every spring at its rest length.
    pub struct NetSettings {
        /// Position of the first corner.
        (Body, "length") corner: Vector,
        /// Vector from the corner along the first row.
        (Body, "length") across: Vector,
        /// Vector from the corner along the first column.
        (Body, "length") down: Vector,
        /// Number of meshes in a column.
        (Body, "meshes") rows: Whole<1, 10_000>,
        /// Number of meshes in a row.
        (Body, "meshes") columns: Whole<1, 10_000>,
        /// Direction of the cords. Square: along the sides of the net. Diamond: diagonal. If
        /// omitted, Square.
        (Body, "-") mesh: MeshWord,
        /// Number of springs per side of a mesh. If omitted, 1.
        (Body, "springs") strands: Whole<1, 1000>,
        /// Stiffness k of each spring. If omitted, 100.
        (Body, "force/length") stiffness: Positive,
        /// Mass of each node. If omitted, 1.
        (Body, "mass") mass: Positive,
        /// Nodes that are fixed in place. If omitted, None. Knots have the lowest numbers, row by
        /// row.
        (Body, "-") pins: NetPins,
        /// Damping of each spring along its direction: force per speed of stretching. If omitted,
        /// 0.
        (Body, "force·time/length") damping: NonNegative,
        /// Spring law: tension of a spring as a function of its length. If omitted, Hooke.
        (Body, "-") law: Choice<Laws>,
        /// Strain at which a spring breaks. If omitted, springs do not break.
        (Body, "-") breaks_at: Positive,
    }
}
