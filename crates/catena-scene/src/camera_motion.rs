//! How what a panel shows moves: the camera of space along curves and around what it looks at, the
//! view of the plane.

use super::diagnostic::Fault;
use super::parts::{Lens, Panel, View, Viewpoint};
use catena_sim::Curve;
use catena_sim::drive::track::{Animated, Track};
use catena_sim::vector::{Vec3, add, cross, dot, scaled, sub, unit};
use std::f64::consts::TAU;
use std::sync::Arc;

/// How a camera moves.
#[derive(Clone, Debug, Default)]
pub struct CameraMotion {
    /// Where it is over time; `None` leaves it in its place.
    pub eye: Option<Arc<dyn Curve>>,
    /// What it looks at over time; `None` leaves it.
    pub target: Option<Arc<dyn Curve>>,
    /// What points upwards in the picture over time; `None` leaves it.
    pub up: Option<Arc<dyn Curve>>,
    /// Angle or height of view over time, as the lens has it; `None` leaves it.
    pub zoom: Option<Animated<1>>,
    /// The time in which it goes once around what it looks at, against the clock seen from above;
    /// `None` if it does not.
    pub turntable: Option<f64>,
}

/// How a view of the plane moves.
#[derive(Clone, Debug)]
pub struct ViewMotion {
    /// The point in the middle over time; `None` leaves it.
    pub center: Option<Arc<dyn Curve>>,
    /// Width and height over time.
    pub extent: Animated<2>,
}

impl CameraMotion {
    /// Whether it moves at all.
    pub(super) fn moves(&self) -> bool {
        let curves = [&self.eye, &self.target, &self.up];
        let is_zoomed = self.zoom.is_some() || self.turntable.is_some();
        is_zoomed || curves.into_iter().any(Option::is_some)
    }
}

impl ViewMotion {
    /// Whether it moves at all.
    pub(super) fn moves(&self) -> bool {
        self.center.is_some() || matches!(self.extent, Animated::Moving(_))
    }
}

impl Panel {
    /// Whether what it shows of the plane or of space moves.
    pub fn moves(&self) -> bool {
        self.motion.is_some() || self.view_motion.is_some()
    }

    /// The viewpoint of its camera at a time; `None` where the scene gives none. While nothing says
    /// where the camera looks to or which way is up, that of the start.
    pub fn viewpoint_at(&self, t: f64) -> Option<Viewpoint> {
        let start = self.viewpoint?;
        let Some(CameraMotion { eye, target, up, zoom, turntable }) = &self.motion else {
            return Some(start);
        };
        let place = |curve: &Option<Arc<dyn Curve>>, start: Vec3| {
            curve.as_ref().map_or(start, |curve| curve.at(t).0)
        };
        let (target, up) = (place(target, start.target), place(up, start.up));
        let mut eye = place(eye, start.eye);
        if let Some(time) = turntable {
            let turns = t / time;
            eye = add(target, turned(sub(eye, target), up, TAU * (turns - turns.floor())));
        }
        let is_sound = sight_fault(eye, target, up).is_none();
        let lens = zoom.as_ref().map_or(start.lens, |zoom| start.lens.zoomed(zoom.at(t).0[0]));
        let at = if is_sound { Viewpoint { eye, target, up, ..start } } else { start };
        Some(Viewpoint { lens, ..at })
    }

    /// The part of the plane that it shows at a time; `None` where the scene gives none.
    pub fn view_at(&self, t: f64) -> Option<View> {
        let start = self.view?;
        let Some(ViewMotion { center, extent }) = &self.view_motion else { return Some(start) };
        let center = center.as_ref().map_or(start.center, |center| {
            let [x, y, _] = center.at(t).0;
            [x, y]
        });
        Some(View { center, extent: extent.at(t).0 })
    }
}

impl Lens {
    /// The same projection with another angle or height of view.
    fn zoomed(self, to: f64) -> Self {
        match self {
            Self::Perspective { .. } => Self::Perspective { field_of_view: to },
            Self::Orthographic { .. } => Self::Orthographic { height: to },
        }
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
