//! Built scenes: panels, and bodies with the setups to simulate. Other files add methods on one
//! subject each to `Scene`: labels, values of fields, variants and oversights.

use super::colliders::ColliderLook;
use super::color::{Color, Tint};
use super::file::SceneText;
use super::files::UsedFile;
use super::gltf::MeshTexture;
use super::layered::join;
use super::overridden::Overridden;
use super::recorded::Reference;
use super::source::Source;
use super::stack::{ParsedScene, PlacedSettings, Stack};
use super::values::{Arrows, ColorBy, Decoration, Fit, NodeShape, Pattern, SurfaceStyle};
use super::words::{RestBy, Visible};
use catena_sim::drive::track::{Animated, Track};
use catena_sim::force::SoftPin;
use catena_sim::force::rod::{Rod, Rods};
use catena_sim::method::MethodInfo;
use catena_sim::rig::{PosedRig, Rig, RigSkin};
use catena_sim::{Curve, Setup};
use std::f64::consts::PI;
use std::sync::Arc;

/// Scene that is ready to run. A scene can be read from text with `str::parse` or [`super::load`].
#[derive(Clone, Debug)]
pub struct Scene {
    /// Name: the file name without its extension.
    pub name: String,
    /// Text that the scene was read from.
    pub text: String,
    /// Title above the panels.
    pub title: Option<String>,
    /// Width and height of the picture in pixels.
    pub size: [u32; 2],
    /// Number of frames to render.
    pub frames: u64,
    /// Colour behind the panels. Text, borders and colours of methods are chosen for it.
    pub background: Color,
    /// Opacity of the background and of the panels: 0 is invisible, 255 opaque.
    pub background_alpha: u8,
    /// Background of panels in space.
    pub backdrop: Backdrop,
    /// Amount of labels and lines around the ropes.
    pub decoration: Decoration,
    /// Whether pictures show only shapes, without live numbers and notes about different physics.
    /// Views of panels are then enlarged until they contain all bodies. A scene file cannot set
    /// this field.
    pub shapes_only: bool,
    /// Default view of panels that set none.
    pub fit: Fit,
    /// Motion blur. `None` draws sharp frames.
    pub motion_blur: Option<MotionBlur>,
    /// Number of axes: 3 if a vector of the scene has three components, otherwise 2.
    pub axes: usize,
    /// Arrangement of the panels.
    pub arrangement: Arrangement,
    /// Panels, row by row; never empty.
    pub panels: Vec<Panel>,
    /// Files that the scene names, as they were read.
    pub files: Vec<UsedFile>,
    /// Parsed scene, from which bodies with other settings can be built.
    pub(super) parsed: ParsedScene,
    /// Positions of the shown panels in the file.
    pub(super) shown: Vec<ShownPanel>,
    /// Effects of `--set` and axes on values and labels of panels.
    pub(super) overridden: Overridden,
}

impl Scene {
    /// Returns the text that the scene was read from, with its names.
    pub fn source_text(&self) -> SceneText {
        let Source { origin, text, .. } = &self.parsed.source;
        SceneText { origin: origin.clone(), name: self.name.clone(), text: text.to_string() }
    }

    /// Returns the overrides that the scene was loaded with as `PATH=VALUE`: first from a sweep's
    /// axes, then from `--set`.
    pub fn changes(&self) -> Vec<String> {
        let options = self.parsed.overrides.iter();
        options.filter_map(|it| Some(it.source.option.as_ref()?.change.clone())).collect()
    }
}

/// Motion blur: each frame is the mean of several moments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionBlur {
    /// Number of moments, at least 2.
    pub samples: u32,
    /// Fraction of a frame for which the shutter is open, above 0 and at most 1. The shutter closes
    /// at the time of the frame.
    pub open: f64,
}

impl MotionBlur {
    /// Returns the moments as fractions of the frame that ends at the time of the picture. They are
    /// the midpoints of equal parts of the open time.
    pub fn moments(&self) -> impl ExactSizeIterator<Item = f64> {
        let Self { samples, open } = *self;
        (0..samples)
            .map(move |index| 1.0 - open * (1.0 - (f64::from(index) + 0.5) / f64::from(samples)))
    }
}

/// Arrangement of panels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// One after another in rows.
    Flow {
        /// Number of panels per row; `None` leaves it to the layout.
        columns: Option<usize>,
    },
    /// Rows and columns with labels of their own.
    Grid {
        /// Label of each row.
        rows: Vec<String>,
        /// Label of each column.
        columns: Vec<String>,
    },
}

/// Panel of a scene.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Label in pictures, see labels.rs.
    pub label: String,
    /// Label in tables of sweeps, without the values that axes vary.
    pub table_label: String,
    /// Whether the scene set the label; otherwise it is derived from the labels of its bodies.
    pub is_named: bool,
    /// Visible part of the plane at the start; `None` fits the view to the bodies.
    pub view: Option<View>,
    /// Animation of the view, if any.
    pub view_motion: Option<ViewMotion>,
    /// Viewpoint in space at the start; `None` fits it to the bodies. Always `None` in a planar
    /// scene.
    pub viewpoint: Option<Viewpoint>,
    /// Animation of the viewpoint, if any.
    pub motion: Option<CameraMotion>,
    /// Ground to draw in space.
    pub ground: Option<Ground>,
    /// Light in space.
    pub light: Light,
    /// Criteria for its bodies to be at rest.
    pub rest: RestCriteria,
    /// Bodies in drawing order, the lowest first; never empty.
    pub bodies: Vec<Body>,
}

/// Rectangular part of the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Centre point.
    pub center: [f64; 2],
    /// Minimum visible width and height.
    pub extent: [f64; 2],
}

/// Viewpoint of a camera in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewpoint {
    /// Position of the camera.
    pub eye: [f64; 3],
    /// Point at the centre of the picture; must differ from `eye`.
    pub target: [f64; 3],
    /// Upward direction in the picture; must not be parallel to the line of sight.
    pub up: [f64; 3],
    /// Projection and size of the view.
    pub lens: Lens,
    /// Ratio of width to height below which the lens spans the width of a panel of this ratio,
    /// above 0.
    pub aspect: f64,
}

impl Viewpoint {
    /// Returns the same view for a panel with a ratio of width to height. In a panel narrower than
    /// `self.aspect`, the lens spans a fixed width, so that no side is cut off.
    #[must_use]
    pub fn upright(self, aspect: f64) -> Self {
        if aspect >= self.aspect {
            return self;
        }
        let aspect = aspect / self.aspect;
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

/// Projection and size of a view of space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lens {
    /// Perspective projection.
    Perspective {
        /// Angle between the lowest and the highest line of sight in degrees, between 0 and 180.
        field_of_view: f64,
    },
    /// Orthographic projection.
    Orthographic {
        /// Visible height.
        height: f64,
    },
}

/// Level ground to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Height (y) of the ground.
    pub height: f64,
    /// Distance from the point below the target over which the colour changes from `near` to
    /// `far`. Farther away, the ground fades towards the horizon.
    pub size: f64,
    /// Colour near the camera.
    pub near: Color,
    /// Colour in the distance.
    pub far: Color,
    /// Colour in full shadow; `None` darkens the ground's own colour.
    pub shadow: Option<Color>,
}

/// Light of a panel in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Direction to the sun; `None` for the default.
    pub direction: Option<[f64; 3]>,
    /// Colour of the sun.
    pub color: Color,
    /// Strength of the sun, relative to the default.
    pub sun: f64,
    /// Strength of the light from all sides, relative to the default.
    pub sky: f64,
    /// Angle between the middle and the edge of the sun in degrees; `None` for the default.
    pub softness: Option<f64>,
}

impl Default for Light {
    fn default() -> Self {
        Self { direction: None, color: Color([255; 3]), sun: 1.0, sky: 1.0, softness: None }
    }
}

/// Background of panels in space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backdrop {
    /// Background colour of the scene, without a gradient.
    Flat,
    /// Soft gradient derived from the background colour of the scene.
    Soft,
    /// Colours at the top and at the bottom.
    Gradient([Color; 2]),
}

/// Criteria for a body to be at rest. For `None`, the analysis chooses the value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestCriteria {
    /// Method of finding the state at rest.
    pub by: RestBy,
    /// Maximum speed of a node, length/time.
    pub speed: Option<f64>,
    /// Number of consecutive frames.
    pub frames: Option<u64>,
    /// Last frame of the wait for rest.
    pub limit: u64,
}

/// Body of a panel.
#[derive(Clone, Debug)]
pub struct Body {
    /// Label in its panel, see labels.rs.
    pub label: String,
    /// Label in tables of sweeps, without the values that axes vary.
    pub table_label: String,
    /// Style of the body as a whole.
    pub style: Style,
    /// Style of each part, in the order of the model's parts; never empty.
    pub part_styles: Vec<Style>,
    /// Colour animations of the body and of each part.
    pub colors: BodyColors,
    /// Nodes that leave a trail.
    pub trails: Vec<usize>,
    /// Method that simulates the body.
    pub method: MethodInfo,
    /// Settings of the method and its steps as text, by name. Labels contain the settings in which
    /// bodies differ.
    pub stepping: Vec<(String, String)>,
    /// Gravity, wind and drag in the form that comparisons use.
    pub medium: Medium,
    /// Damping along springs, force·time/length.
    pub spring_damping: f64,
    /// Damping of the full relative velocity of spring ends, force·time/length.
    pub spring_friction: f64,
    /// Number of forces that the scene lists; they are the last ones of the setup.
    pub listed_forces: usize,
    /// Friction on colliders that does not depend on the load, force per speed.
    pub viscous_friction: f64,
    /// Look of each collider, in the order of the setup's contacts.
    pub collider_looks: Vec<ColliderLook>,
    /// Bones that pins and colliders may follow; `None` if there are none.
    pub rig: Option<ShownRig>,
    /// Nodes that springs pull along curves. Their forces precede the listed ones in the setup.
    pub soft_pins: Vec<SoftPin>,
    /// Motion that the body is compared with, if any.
    pub reference: Option<Arc<Reference>>,
    /// Notes for the user about how the body was built.
    pub notes: Vec<String>,
    /// Setup to simulate.
    pub setup: Arc<Setup>,
}

/// Look of a skin from a file.
#[derive(Clone, Debug)]
pub struct SkinLook {
    /// Colour of each vertex in sRGB; `None` if the file has no vertex colours.
    pub colors: Option<Arc<[[u8; 3]]>>,
    /// Texture and the colour in sRGB that multiplies it.
    pub texture: Option<(MeshTexture, [u8; 3])>,
    /// Opacity: 255 is opaque.
    pub alpha: u8,
}

/// Rig and its appearance.
#[derive(Clone, Debug)]
pub struct ShownRig {
    /// Bones, animation and skins.
    pub rig: Arc<Rig>,
    /// Parts of the rig that are drawn.
    pub show: Visible,
    /// Colour that replaces the skins' own colours.
    pub color: Option<Color>,
    /// Look of each skin of a file; empty if the skins are from the scene.
    pub skin_looks: Vec<SkinLook>,
    /// Pattern on tube skins, and the number of rings and sides per pattern cell.
    pub pattern: (Pattern, u32),
    /// Thickness of drawn bones as a fraction of their length.
    pub bone_width: f64,
    /// Fields of the rig as text. Bodies with equal texts share one drawn rig.
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

    /// Returns the look of a skin of this rig; `None` if `color` replaces it or the skin is from
    /// the scene.
    pub fn look_of(&self, skin: &RigSkin) -> Option<&SkinLook> {
        let index = self.rig.skins.iter().position(|known| std::ptr::eq(&**known, skin))?;
        self.skin_looks.get(index).filter(|_| self.color.is_none())
    }

    /// Returns the opacity of a skin of this rig: 255 is opaque.
    pub fn alpha_of(&self, skin: &RigSkin) -> u8 {
        self.look_of(skin).map_or(u8::MAX, |look| look.alpha)
    }

    /// Returns the drawn parts of the rig at a time.
    pub fn at(&self, t: f64) -> PosedRig<'_> {
        if self.shows_skin() { self.rig.at(t) } else { self.rig.bones_at(t) }
    }
}

/// Medium around a body. Comparisons use the identity of values that change over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Medium {
    /// Velocity of the medium, one number per axis; empty if it changes over time.
    pub wind: Vec<f64>,
    /// Identity of the gravity curve, for comparisons; `None` if gravity is constant.
    pub gravity_curve: Option<Vec<u8>>,
    /// Identity of the wind curve, for comparisons; `None` if wind is constant.
    pub wind_curve: Option<Vec<u8>>,
    /// Identity of the drag curve, for comparisons; `None` if drag is constant.
    pub drag_curve: Option<Vec<u8>>,
}

/// Style of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Colour at the start; `None` uses the theme.
    pub color: Option<Color>,
    /// Opacity at the start: 0 is invisible, 255 opaque.
    pub alpha: u8,
    /// Width of the rope's line in pixels.
    pub line_width: f64,
    /// Diameter of a rope or thickness of a cloth in space; `None` uses the thickness of its
    /// contact.
    pub thickness: Option<f64>,
    /// Number of strands that wind around a rope in space.
    pub strands: Option<u32>,
    /// Length of one full turn of a strand; `None` derives it from the thickness.
    pub lay: Option<f64>,
    /// Diameter of a node in pixels.
    pub node_size: f64,
    /// Shape of a node: disc or square.
    pub node_shape: NodeShape,
    /// Quantity that colours show.
    pub color_by: ColorBy,
    /// Limits of the colour scale; `None` derives them from the frames.
    pub color_range: Option<[f64; 2]>,
    /// Number of earlier positions to draw.
    pub ghosts: u32,
    /// Number of frames between two ghosts, at least 1.
    pub ghost_gap: u32,
    /// Number of frames that trails show.
    pub trail_frames: u32,
    /// Surface of a cloth: wires or facets.
    pub surface: SurfaceStyle,
    /// Pattern on facets in space.
    pub pattern: Pattern,
    /// Number of mesh cells per pattern cell.
    pub pattern_cells: u32,
    /// Whether pinned nodes are marked.
    pub mark_pins: bool,
    /// Whether the paths of moving pins are drawn.
    pub paths: bool,
    /// Forces that are drawn as arrows.
    pub arrows: Arrows,
    /// Length of an arrow per force; `None` derives it from the picture.
    pub arrow_scale: Option<f64>,
    /// Colour of the body's colliders; `None` uses the theme.
    pub collider_color: Option<Color>,
    /// Strength of reflections on the body's colliders in space; `None` for the default.
    pub collider_gloss: Option<f64>,
}

impl Style {
    /// Returns the style with the colour of the track at a time, if there is a track.
    fn colored(self, track: Option<&Animated<4>>, t: f64) -> Self {
        let Some(Tint { color, alpha }) = track.map(|track| Tint::at(track, t)) else {
            return self;
        };
        Self { color: Some(color), alpha, ..self }
    }

    /// Returns the number of earlier frames that its ghosts span.
    pub fn ghost_frames(&self) -> u32 {
        self.ghosts * self.ghost_gap
    }
}

/// Colour animations of a body: red, green, blue and opacity; `None` for constant colours.
#[derive(Clone, Debug, Default)]
pub struct BodyColors {
    /// Animation of the body's colour.
    pub own: Option<Animated<4>>,
    /// Animation of each part's colour.
    pub parts: Vec<Option<Animated<4>>>,
}

/// Number of sampled times at which the maximum opacity of an animated colour is determined.
const ALPHA_SAMPLES: u32 = 256;

/// Returns the opacity of a style, or the maximum opacity of its track.
fn greatest_opacity(style: &Style, track: Option<&Animated<4>>) -> u8 {
    let Some(track) = track else { return style.alpha };
    let Some((from, to)) = track.extent().window() else { return style.alpha };
    let at = |index: u32| from + (to - from) * f64::from(index) / f64::from(ALPHA_SAMPLES);
    (0..=ALPHA_SAMPLES).map(|index| Tint::at(track, at(index)).alpha).fold(style.alpha, u8::max)
}

impl Body {
    /// Returns the style of the body as a whole at a time.
    pub fn style_at(&self, t: f64) -> Style {
        self.style.colored(self.colors.own.as_ref(), t)
    }

    /// Returns the style of each part at a time.
    pub fn part_styles_at(&self, t: f64) -> impl Iterator<Item = Style> {
        let tracks = self.colors.parts.iter().map(Option::as_ref);
        let styles = self.part_styles.iter().zip(tracks.chain(std::iter::repeat(None)));
        styles.map(move |(style, track)| style.colored(track, t))
    }

    /// Returns the opacity of the body as a whole. For an animated colour, this is the maximum
    /// opacity, because a body that fades in is invisible at the start.
    pub fn own_opacity(&self) -> u8 {
        greatest_opacity(&self.style, self.colors.own.as_ref())
    }

    /// Returns the opacity of a part, like [`Body::own_opacity`]. For a body without parts, returns
    /// the opacity of the body.
    pub fn opacity_of(&self, part: usize) -> u8 {
        match self.part_styles.get(part) {
            Some(style) => {
                greatest_opacity(style, self.colors.parts.get(part).and_then(Option::as_ref))
            }
            None => self.own_opacity(),
        }
    }

    /// Whether the body consists of a rig only, so that there is nothing to simulate.
    pub fn is_rig_alone(&self) -> bool {
        let model = &self.setup.model;
        self.rig.is_some() && model.nodes() == 1 && model.pinned[0]
    }

    /// Returns the rods of the body, in the order of its parts.
    pub fn rods(&self) -> impl Iterator<Item = &Rod> {
        self.setup.rods().into_iter().flat_map(Rods::rods)
    }

    /// Whether any of its forces are drawn.
    pub fn shows_forces(&self) -> bool {
        self.part_styles.iter().chain([&self.style]).any(|style| style.arrows != Arrows::None)
    }
}

/// Animation of a camera.
#[derive(Clone, Debug, Default)]
pub struct CameraMotion {
    /// Position over time; `None` keeps the start position.
    pub eye: Option<Arc<dyn Curve>>,
    /// Target over time; `None` keeps the start target.
    pub target: Option<Arc<dyn Curve>>,
    /// Upward direction over time; `None` keeps the start direction.
    pub up: Option<Arc<dyn Curve>>,
    /// Field of view or view height over time, depending on the lens; `None` if it is constant.
    pub zoom: Option<Animated<1>>,
    /// Period of one orbit around the target, counterclockwise seen from above; `None` for no
    /// orbit.
    pub turntable: Option<f64>,
}

/// Animation of a planar view.
#[derive(Clone, Debug)]
pub struct ViewMotion {
    /// Centre of the view over time; `None` keeps it fixed.
    pub center: Option<Arc<dyn Curve>>,
    /// Width and height over time.
    pub extent: Animated<2>,
}

impl CameraMotion {
    /// Whether any property of the camera changes.
    pub(crate) fn moves(&self) -> bool {
        let curves = [&self.eye, &self.target, &self.up];
        let is_zoomed = self.zoom.is_some() || self.turntable.is_some();
        is_zoomed || curves.into_iter().any(Option::is_some)
    }
}

impl ViewMotion {
    /// Whether the centre or the extent changes.
    pub(crate) fn moves(&self) -> bool {
        self.center.is_some() || matches!(self.extent, Animated::Moving(_))
    }
}

impl Scene {
    /// Returns the text of a field of a body, from the highest layer that sets it. The defaults are
    /// the lowest layer. Returns `None` if no layer sets the field, or there is no such body.
    pub fn value_of(&self, panel: usize, body: usize, path: &str) -> Option<String> {
        self.panels.get(panel)?.bodies.get(body)?;
        let layers = self.layers_of(panel, body);
        let stack: Stack<'_> = [layers.lower, layers.overrides].concat();
        stack.iter().rev().find_map(|layer: &PlacedSettings<'_>| {
            let found = layer.source.root().locate(&join(&layer.prefix, path))?;
            Some(found.text().trim().to_owned())
        })
    }
}

/// Index of a panel in the scene file, and its shown bodies.
#[derive(Clone, Debug)]
pub(crate) struct ShownPanel {
    /// Index among all panels of the file; row by row in a grid.
    pub(crate) index: usize,
    /// Indices of the shown bodies in the list of the panel; `None` if all are shown.
    pub(crate) bodies: Option<Vec<usize>>,
}
