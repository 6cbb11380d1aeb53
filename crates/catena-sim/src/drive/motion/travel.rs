//! Motion of a frame whose origin follows a curve while it turns.

use super::{Motion, Placement};
use crate::body::curve::Curve;
use crate::drive::rig::{MovingRotation, RotationTrack};
use crate::drive::track::Extent;
use crate::named::{BadOption, OptionInfo, OptionKind};
use glam::DVec3;
use std::sync::Arc;

/// An optional path and an optional rotation. Without a path, the origin stays at the origin of the
/// scene. Without a rotation, the axes stay parallel to the axes of the scene.
#[derive(Clone, Debug, Default)]
pub struct Travel {
    /// Path of the origin.
    pub along: Option<Arc<dyn Curve>>,
    /// Rotation of the axes.
    pub turn: Option<RotationTrack>,
}
crate::identity!(Travel { along, turn });

const ALONG: OptionInfo = OptionInfo {
    name: "along",
    summary: "path of the movement",
    default: OptionInfo::LEFT_OUT,
    range: "a curve that fits the scene, without jumps",
    kind: OptionKind::Curve,
    ..OptionInfo::PLAIN
};

const TURN: OptionInfo = OptionInfo {
    name: "turn",
    summary: "rotation over time",
    default: OptionInfo::LEFT_OUT,
    range: "rotations about z alone, since the scene is planar",
    ..OptionInfo::PLAIN
};

impl Motion for Travel {
    fn check(&self) -> Result<(), BadOption> {
        let Some(along) = &self.along else { return Ok(()) };
        ALONG.check(along.check().is_ok() && !along.jumps())
    }

    fn fits(&self, axes: usize) -> Result<(), BadOption> {
        let fits = |along: &Arc<dyn Curve>| along.fits(axes, 0).is_ok();
        ALONG.check(self.along.as_ref().is_none_or(fits))?;
        TURN.check(axes == 3 || self.turn.as_ref().is_none_or(RotationTrack::is_about_z))
    }

    fn at(&self, t: f64) -> Placement {
        let place = self.along.as_ref().map_or(([0.0; 3], [0.0; 3]), |along| along.at(t));
        let turn = self.turn.as_ref().map_or(MovingRotation::IDENTITY, |turn| turn.at(t));
        let (place, velocity) = (DVec3::from_array(place.0), DVec3::from_array(place.1));
        Placement::new(place, velocity, turn.turn, turn.angular_velocity())
    }

    fn extent(&self) -> Extent {
        let along = self.along.as_ref().map_or(Extent::Still, |along| along.extent());
        along.with(self.turn.as_ref().map_or(Extent::Still, RotationTrack::extent))
    }
}
