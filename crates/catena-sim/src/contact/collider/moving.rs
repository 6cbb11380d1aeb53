//! Moving colliders: a solid that is fixed to a moving frame.
//!
//! Coordinates of the solid are relative to the frame. By default, the frame is at the origin of
//! the scene and not rotated.

use super::file::{BadContent, FileContent, WantedFile};
use super::{Collider, Shape, Solid, Surface};
use crate::body::curve::Curve;
use crate::drive::motion::{Motion, Placement, Travel};
use crate::drive::rig::RotationTrack;
use crate::drive::track::{Extent, WrittenKey, WrittenTrack};
use crate::named::{BadOption, Components, Info, Named, OptionInfo, OptionKind};
use glam::DVec3;
use serde::Deserialize;
use std::sync::Arc;

/// A solid with a motion, either written in a scene or created in code.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "Written")]
pub struct Moving {
    /// The solid, in the frame of the motion. The solid itself must not move.
    pub of: Arc<dyn Collider>,
    /// Motion of the frame.
    pub motion: Arc<dyn Motion>,
}
crate::identity!(Moving { of, motion });

/// Fields as written in a scene.
#[derive(Deserialize)]
#[serde(rename = "Moving", deny_unknown_fields)]
struct Written {
    of: Named<dyn Collider>,
    #[serde(default)]
    along: Option<Named<dyn Curve>>,
    #[serde(default)]
    turn: Vec<WrittenKey<f64>>,
    #[serde(default)]
    axis: Option<Components>,
}

/// Motion as written in a scene: translation along a curve, and rotation about an axis.
#[derive(Clone)]
struct ColliderPath {
    travel: Travel,
    /// Times and angles in degrees.
    turn: WrittenTrack<f64>,
    /// Whether the keys of `turn` form a valid track.
    has_angle: bool,
    axis: Option<Components>,
}
crate::identity!(ColliderPath { travel, turn, axis; has_angle });

const OF: OptionInfo = OptionInfo {
    name: "of",
    summary: "collider in the coordinates of the moving frame: Sphere(center: (0, 0), radius: 1)",
    default: OptionInfo::NEEDED,
    range: "a collider other than Moving",
    kind: OptionKind::Collider,
    ..OptionInfo::PLAIN
};

const ALONG: OptionInfo = OptionInfo {
    name: "along",
    summary: "path of the frame's origin",
    default: OptionInfo::LEFT_OUT,
    range: "a curve that fits the scene, without jumps",
    kind: OptionKind::Curve,
    unit: "length",
    common: &[],
};

const TURN: OptionInfo = OptionInfo {
    name: "turn",
    summary: "times and angles in degrees by which the frame turns: [(0, 0), (2, 360)]",
    default: OptionInfo::LEFT_OUT,
    range: "finite times and degrees, each time later than the one before it; an optional third entry sets the interpolation, as in `Keys`",
    unit: "time, degrees",
    ..OptionInfo::PLAIN
};

const AXIS: OptionInfo = OptionInfo {
    name: "axis",
    summary: "axis of rotation, in space",
    default: "along z",
    range: "in space a vector that is not zero, together with `turn`",
    ..OptionInfo::PLAIN
};

impl Moving {
    /// Name in scenes.
    pub const NAME: &'static str = Self::INFO.name;

    pub(super) const INFO: Info = Info {
        name: "Moving",
        summary: "collider that moves along a curve and turns",
        options: &[OF, ALONG, TURN, AXIS],
    };

    /// Creates a solid that follows a motion.
    pub fn new(of: impl Collider + 'static, motion: impl Motion + 'static) -> Self {
        Self { of: Arc::new(of), motion: Arc::new(motion) }
    }
}

impl From<Written> for Moving {
    fn from(Written { of, along, turn, axis }: Written) -> Self {
        let about = axis.map_or(DVec3::Z, |axis| DVec3::from_array(axis.xyz()));
        let turn = WrittenTrack::new(turn);
        let angle = turn.track(|degrees| [degrees.to_radians()]).ok();
        let has_angle = angle.is_some();
        // `check` reports an invalid angle or axis.
        let rotation = angle.and_then(|angle| RotationTrack::about(about, angle).ok());
        let travel = Travel { along: along.map(|along| along.0), turn: rotation };
        let motion = ColliderPath { travel, turn, has_angle, axis };
        Self { of: of.0, motion: Arc::new(motion) }
    }
}

impl Motion for ColliderPath {
    fn check(&self) -> Result<(), BadOption> {
        ALONG.check(self.travel.check().is_ok())?;
        let turns = !self.turn.keys.is_empty();
        TURN.check(!turns || self.has_angle)?;
        AXIS.check(self.axis.is_none() || turns && self.travel.turn.is_some())
    }

    fn fits(&self, axes: usize) -> Result<(), BadOption> {
        AXIS.check(axes == 3 || self.axis.is_none())?;
        self.axis.map_or(Ok(()), |axis| axis.check(&AXIS, axes))?;
        ALONG.check(self.travel.fits(axes).is_ok())
    }

    fn at(&self, t: f64) -> Placement {
        self.travel.at(t)
    }

    fn extent(&self) -> Extent {
        self.travel.extent()
    }
}

impl std::fmt::Debug for ColliderPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { travel, turn, axis, .. } = self;
        write!(f, "along {:?}, turn {:?} about {axis:?}", travel.along, turn.keys)
    }
}

impl Collider for Moving {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        OF.check(self.of.motion().is_none())?;
        self.of.check()?;
        self.motion.check()
    }

    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption> {
        self.of.fits(axes, nodes)?;
        self.motion.fits(axes)
    }

    fn surface(&self) -> Surface {
        self.of.surface()
    }

    fn motion(&self) -> Option<Arc<dyn Motion>> {
        Some(Arc::clone(&self.motion))
    }

    fn wanted_file(&self) -> Option<WantedFile<'_>> {
        self.of.wanted_file()
    }

    fn with_file(&self, content: FileContent) -> Result<Arc<dyn Collider>, BadContent> {
        Ok(Arc::new(Self { of: self.of.with_file(content)?, ..self.clone() }))
    }

    fn solid(&self) -> Solid {
        self.of.solid()
    }

    fn distance(&self, point: [f64; 3]) -> (f64, [f64; 3]) {
        self.of.distance(point)
    }

    fn sweep(&self, from: [f64; 3], to: [f64; 3], radius: f64) -> Option<f64> {
        self.of.sweep(from, to, radius)
    }

    fn shape(&self) -> Option<Shape> {
        Some(Shape::of(&self.of))
    }
}
