//! What a scene consists of once it is built: panels, and bodies with the setups to simulate.

use super::camera_motion::{CameraMotion, ViewMotion};
use super::color::Color;
use super::file::SceneText;
use super::files::UsedFile;
use super::naming::{Overridden, ShownPanel};
use super::parsed::ParsedScene;
use super::source::Source;
use super::values::{Arrows, ColorBy, Decoration, Fit, NodeShape, Pattern, SurfaceStyle};
use super::words::Visible;
use catena_sim::rig::{PosedRig, Rig};
use catena_sim::{Setup, drive::track::Animated, force::SoftPin, method::MethodInfo};
use std::f64::consts::PI;
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
    /// Width and height of the picture, in pixels.
    pub size: [u32; 2],
    /// How many frames to render.
    pub frames: u64,
    /// Colour behind the panels.
    pub background: Color,
    /// How much is drawn around the ropes.
    pub decoration: Decoration,
    /// What panels without a view of their own show.
    pub fit: Fit,
    /// The number of axes: 3 if a vector of the scene has three components, otherwise 2.
    pub axes: usize,
    /// How the panels are arranged.
    pub arrangement: Arrangement,
    /// The panels, row by row; never empty.
    pub panels: Vec<Panel>,
    /// The files that it names, as they were read.
    pub files: Vec<UsedFile>,
    /// What it was parsed from, to build bodies with other settings.
    pub(super) parsed: ParsedScene,
    /// Places of its panels in the file, of which some may be left out.
    pub(super) shown: Vec<ShownPanel>,
    /// Effects of `--set` and axes on values and names of panels.
    pub(super) overridden: Overridden,
}

impl Scene {
    /// The text that it was read from, with its names.
    pub fn source_text(&self) -> SceneText {
        let Source { origin, text, .. } = &self.parsed.source;
        SceneText { origin: origin.clone(), name: self.name.clone(), text: text.to_string() }
    }

    /// The changes that it was loaded with, each as `PATH=VALUE`: those of a sweep's axes, and
    /// above them those of `--set`.
    pub fn changes(&self) -> Vec<String> {
        let options = self.parsed.overrides.iter();
        options.filter_map(|(source, _)| Some(source.option.as_ref()?.change.clone())).collect()
    }
}

/// How panels are arranged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// One after another in rows.
    Flow {
        /// Panels in a row; `None` leaves it to the layout.
        columns: Option<usize>,
    },
    /// In rows and columns with labels of their own.
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
    /// What pictures call it, see labels.rs.
    pub label: String,
    /// Label in tables of sweeps, which leaves out what axes vary.
    pub table_label: String,
    /// Whether the scene gave the label; otherwise it is made of its bodies' labels.
    pub is_named: bool,
    /// The part of the plane that it shows, at the start; `None` leaves it to the camera.
    pub view: Option<View>,
    /// How that part moves, if it does.
    pub view_motion: Option<ViewMotion>,
    /// The viewpoint in space, at the start; `None` leaves it to the camera. Always `None` in a
    /// planar scene.
    pub viewpoint: Option<Viewpoint>,
    /// How the viewpoint moves, if it does.
    pub motion: Option<CameraMotion>,
    /// The ground to draw, in space.
    pub ground: Option<Ground>,
    /// When its bodies count as at rest.
    pub rest: RestCriteria,
    /// Its bodies, the first one at the bottom; never empty.
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

/// The viewpoint of a camera in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewpoint {
    /// Where the camera is.
    pub eye: [f64; 3],
    /// The point in the middle of the picture; not the eye.
    pub target: [f64; 3],
    /// The direction that points upwards in the picture; not along the line of sight.
    pub up: [f64; 3],
    /// Projection and size of the view.
    pub lens: Lens,
}

impl Viewpoint {
    /// The same view in a panel of this aspect, width over height: where a panel is higher than
    /// wide, angle and height of view span its width, so that no side is cut off.
    #[must_use]
    pub fn upright(self, aspect: f64) -> Self {
        if aspect >= 1.0 {
            return self;
        }
        let lens = match self.lens {
            Lens::Perspective { field_of_view } => {
                let half = libm::atan(libm::tan(field_of_view * PI / 360.0) / aspect);
                Lens::Perspective { field_of_view: half * 360.0 / PI }
            }
            Lens::Orthographic { height } => Lens::Orthographic { height: height / aspect },
        };
        Self { lens, ..self }
    }
}

/// How space is projected, and how much of it is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lens {
    /// Things look smaller the farther they are.
    Perspective {
        /// Angle between the lowest and the highest line of sight, in degrees; above 0 and below
        /// 180.
        field_of_view: f64,
    },
    /// Things look equally large at any distance.
    Orthographic {
        /// Visible height.
        height: f64,
    },
}

/// A level ground to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// y of the ground.
    pub height: f64,
    /// How far it reaches from the point below the target, where it has faded.
    pub size: f64,
    /// Its colour in front.
    pub near: Color,
    /// Its colour far behind.
    pub far: Color,
    /// Its colour in full shade; `None` for its own made darker.
    pub shadow: Option<Color>,
}

/// When a body counts as at rest; `None` leaves a number to the analysis of settling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestCriteria {
    /// The greatest speed of a node, length/time.
    pub speed: Option<f64>,
    /// How many frames in a row.
    pub frames: Option<u64>,
    /// The last frame of the wait.
    pub limit: u64,
}

/// One body of a panel.
#[derive(Clone, Debug)]
pub struct Body {
    /// What its panel calls it, see labels.rs.
    pub label: String,
    /// Label in tables of sweeps, which leaves out what axes vary.
    pub table_label: String,
    /// How it is drawn as a whole.
    pub style: Style,
    /// How each part of it is drawn, in the order of the parts of its model; never empty.
    pub part_styles: Vec<Style>,
    /// How its colour changes, and that of each part, where they do.
    pub colors: BodyColors,
    /// Its nodes that leave a trail.
    pub trails: Vec<usize>,
    /// Its method.
    pub method: MethodInfo,
    /// Gravity, wind and drag as comparisons see them.
    pub medium: Medium,
    /// Friction inside springs along their direction, force·time/length.
    pub spring_damping: f64,
    /// Friction inside springs on the whole relative velocity, force·time/length.
    pub spring_friction: f64,
    /// How many forces the scene lists; they are the last ones of the setup.
    pub listed_forces: usize,
    /// The bones that its pins and colliders may hang on; `None` if there are none.
    pub rig: Option<ShownRig>,
    /// The nodes that springs draw along curves; these forces come before those that it lists.
    pub soft_pins: Vec<SoftPin>,
    /// What should be known of what it is made of.
    pub notes: Vec<String>,
    /// The setup to simulate.
    pub setup: Arc<Setup>,
}

/// A rig, and how it is drawn.
#[derive(Clone, Debug)]
pub struct ShownRig {
    /// What it is.
    pub rig: Arc<Rig>,
    /// What is drawn of it.
    pub show: Visible,
    /// The colour of skins in place of their own.
    pub color: Option<Color>,
    /// The pattern on skins that are tubes, and its rings and sides from one line to the next.
    pub pattern: (Pattern, u32),
    /// Thickness of bones that are drawn, as a share of their length.
    pub bone_width: f64,
    /// Its fields as the scene has them, by which bodies share it.
    pub written: String,
}

impl ShownRig {
    /// Whether skins are drawn.
    pub fn shows_skin(&self) -> bool {
        matches!(self.show, Visible::Skin | Visible::All) && !self.rig.skins.is_empty()
    }

    /// Whether bones are drawn.
    pub fn shows_bones(&self) -> bool {
        matches!(self.show, Visible::Bones | Visible::All)
    }

    /// All that is drawn of it at a time.
    pub fn at(&self, t: f64) -> PosedRig<'_> {
        if self.shows_skin() { self.rig.at(t) } else { self.rig.bones_at(t) }
    }
}

/// What is around a body; what changes with time is compared in full and has a text here.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Medium {
    /// Velocity of the medium, one number an axis; empty where it changes.
    pub wind: Vec<f64>,
    /// Gravity, where it changes.
    pub gravity_curve: Option<String>,
    /// Wind, where it changes.
    pub wind_curve: Option<String>,
    /// Drag, where it changes.
    pub drag_curve: Option<String>,
}

/// How a body is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Colour of the body, at the start; `None` leaves it to the theme.
    pub color: Option<Color>,
    /// Thickness of the rope, in pixels.
    pub line_width: f64,
    /// Diameter of a rope or thickness of a cloth in space; `None` leaves it to its contact.
    pub thickness: Option<f64>,
    /// How many strands wind around a rope in space.
    pub strands: Option<u32>,
    /// The length on which a strand winds around once; `None` leaves it to the thickness.
    pub lay: Option<f64>,
    /// Diameter of a node, in pixels.
    pub node_size: f64,
    /// Disc or square.
    pub node_shape: NodeShape,
    /// What its colours show.
    pub color_by: ColorBy,
    /// The ends of their scale; `None` leaves them to the frames.
    pub color_range: Option<[f64; 2]>,
    /// How many earlier positions are drawn.
    pub ghosts: u32,
    /// Frames from one of them to the next, at least 1.
    pub ghost_gap: u32,
    /// Frames that trails show.
    pub trail_frames: u32,
    /// How a cloth is drawn.
    pub surface: SurfaceStyle,
    /// The pattern on its facets in space.
    pub pattern: Pattern,
    /// Cells from one line of the pattern to the next.
    pub pattern_cells: u32,
    /// Whether pinned nodes are marked.
    pub mark_pins: bool,
    /// Which forces are drawn as arrows.
    pub arrows: Arrows,
    /// Length of an arrow per force; `None` leaves it to the picture.
    pub arrow_scale: Option<f64>,
}

impl Style {
    /// The style with the colour that a track has at a time, if there is one.
    fn colored(self, track: Option<&Animated<4>>, t: f64) -> Self {
        let color = track.map_or(self.color, |track| Some(Color::at(track, t)));
        Self { color, ..self }
    }

    /// How many earlier frames its ghosts go back.
    pub fn ghost_frames(&self) -> u32 {
        self.ghosts * self.ghost_gap
    }
}

/// Colours over time: red, green, blue and opacity; `None` where a colour stays.
#[derive(Clone, Debug, Default)]
pub struct BodyColors {
    /// That of the body.
    pub own: Option<Animated<4>>,
    /// That of each part.
    pub parts: Vec<Option<Animated<4>>>,
}

impl Body {
    /// How it is drawn as a whole at a time.
    pub fn style_at(&self, t: f64) -> Style {
        self.style.colored(self.colors.own.as_ref(), t)
    }

    /// How each part of it is drawn at a time.
    pub fn part_styles_at(&self, t: f64) -> impl Iterator<Item = Style> {
        let tracks = self.colors.parts.iter().map(Option::as_ref);
        let styles = self.part_styles.iter().zip(tracks.chain(std::iter::repeat(None)));
        styles.map(move |(style, track)| style.colored(track, t))
    }

    /// Whether it is a rig and nothing else: there is nothing to simulate.
    pub fn is_rig_alone(&self) -> bool {
        let model = &self.setup.model;
        self.rig.is_some() && model.nodes() == 1 && model.pinned[0]
    }

    /// Whether some of its forces are drawn.
    pub fn shows_forces(&self) -> bool {
        self.part_styles.iter().chain([&self.style]).any(|style| style.arrows != Arrows::None)
    }
}
