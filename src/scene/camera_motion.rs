//! How the camera of a panel moves: along curves, and around what it looks at.

use super::diagnostic::Fault;
use super::parts::{Panel, Viewpoint};
use crate::sim::Curve;
use crate::sim::vector::{Vec3, add, cross, dot, scaled, sub, unit};
use std::f64::consts::TAU;
use std::sync::Arc;

/// How a camera moves.
#[derive(Clone, Debug, Default)]
pub struct CameraMotion {
    /// Where it is over time; `None` leaves it in its place.
    pub eye: Option<Arc<dyn Curve>>,
    /// What it looks at over time; `None` leaves it.
    pub target: Option<Arc<dyn Curve>>,
    /// The time in which it goes once around what it looks at, against the clock seen from above;
    /// `None` if it does not.
    pub turntable: Option<f64>,
}

impl CameraMotion {
    /// Whether it moves at all.
    pub(super) fn moves(&self) -> bool {
        self.eye.is_some() || self.target.is_some() || self.turntable.is_some()
    }
}

impl Panel {
    /// The viewpoint of its camera at a time; `None` where the scene gives none. While nothing says
    /// where the camera looks to or which way is up, that of the start.
    pub fn viewpoint_at(&self, t: f64) -> Option<Viewpoint> {
        let start = self.viewpoint?;
        let Some(CameraMotion { eye, target, turntable }) = &self.motion else {
            return Some(start);
        };
        let place = |curve: &Option<Arc<dyn Curve>>, start: Vec3| {
            curve.as_ref().map_or(start, |curve| curve.at(t).0)
        };
        let target = place(target, start.target);
        let mut eye = place(eye, start.eye);
        if let Some(time) = turntable {
            let turns = t / time;
            eye = add(target, turned(sub(eye, target), start.up, TAU * (turns - turns.floor())));
        }
        let is_sound = sight_fault(eye, target, start.up).is_none();
        Some(if is_sound { Viewpoint { eye, target, ..start } } else { start })
    }
}

/// A vector turned about an axis, against the clock seen from the axis' tip.
fn turned(way: Vec3, axis: Vec3, angle: f64) -> Vec3 {
    let (axis, sine, cosine) = (unit(axis), libm::sin(angle), libm::cos(angle));
    let along = scaled(axis, dot(axis, way) * (1.0 - cosine));
    add(add(scaled(way, cosine), scaled(cross(axis, way), sine)), along)
}

/// Why nothing is seen from an eye, with the field to change.
pub(super) fn sight_fault(eye: Vec3, target: Vec3, up: Vec3) -> Option<(&'static str, Fault)> {
    let sight = sub(target, eye);
    let square = |v: Vec3| dot(v, v);
    if !square(sight).is_normal() {
        let fault = Fault::new("the camera looks at the point where it is");
        return Some(("camera.eye", fault.help("move `eye` away from `target`")));
    }
    if square(cross(sight, up)) <= 1e-12 * square(sight) * square(up) {
        let fault = Fault::new("the camera looks along `up`, so nothing says which way is up");
        return Some(("camera.up", fault.help("turn `up` aside, such as (0, 0, -1)")));
    }
    None
}
