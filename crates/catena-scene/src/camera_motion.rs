//! Animation of a panel's view: cameras that follow curves or orbit their target, and moving views
//! of planar scenes.

use super::diagnostic::Fault;
use super::parts::{Lens, Panel, View, Viewpoint};
use catena_sim::Curve;
use catena_sim::drive::track::{Animated, Track};
use catena_sim::vector::{Vec3, add, cross, dot, scaled, sub, unit};
use std::f64::consts::TAU;
use std::sync::Arc;

/// Animation of a camera.
#[derive(Clone, Debug, Default)]
pub struct CameraMotion {
    /// Position over time; `None` keeps the start position.
    pub eye: Option<Arc<dyn Curve>>,
    /// Target over time; `None` keeps the start target.
    pub target: Option<Arc<dyn Curve>>,
    /// Upward direction over time; `None` keeps the start direction.
    pub up: Option<Arc<dyn Curve>>,
    /// Field of view or view height over time, depending on the lens; `None` keeps it constant.
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
    pub(super) fn moves(&self) -> bool {
        let curves = [&self.eye, &self.target, &self.up];
        let is_zoomed = self.zoom.is_some() || self.turntable.is_some();
        is_zoomed || curves.into_iter().any(Option::is_some)
    }
}

impl ViewMotion {
    /// Whether the centre or the extent changes.
    pub(super) fn moves(&self) -> bool {
        self.center.is_some() || matches!(self.extent, Animated::Moving(_))
    }
}

impl Panel {
    /// Whether the view or the camera of the panel moves.
    pub fn moves(&self) -> bool {
        self.motion.is_some() || self.view_motion.is_some()
    }

    /// Returns the camera's viewpoint at a time, or `None` if the scene sets none. While the sight
    /// line is undefined, for example parallel to `up`, the viewpoint of the start is used.
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

    /// Returns the view of a planar panel at a time, or `None` if the scene sets none.
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
    /// Returns the same projection with another field of view or view height.
    fn zoomed(self, to: f64) -> Self {
        match self {
            Self::Perspective { .. } => Self::Perspective { field_of_view: to },
            Self::Orthographic { .. } => Self::Orthographic { height: to },
        }
    }
}

/// Returns a vector rotated about an axis, counterclockwise seen from the tip of the axis.
fn turned(way: Vec3, axis: Vec3, angle: f64) -> Vec3 {
    let (axis, sine, cosine) = (unit(axis), libm::sin(angle), libm::cos(angle));
    let along = scaled(axis, dot(axis, way) * (1.0 - cosine));
    add(add(scaled(way, cosine), scaled(cross(axis, way), sine)), along)
}

/// Returns the field at fault and the reason if a viewpoint has no defined sight line.
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
