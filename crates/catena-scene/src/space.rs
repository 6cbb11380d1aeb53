//! Plane and space: the number of axes, planar views, cameras and grounds.
//!
//! Views and cameras may be animated: cameras follow curves or orbit their target.

use super::color::{Background, Color};
use super::diagnostic::Fault;
use super::error::SceneError;
use super::layered::FieldValue;
use super::over_time::{Changing, VectorOverTime};
use super::parts::{
    Backdrop, CameraMotion, Ground, Lens, Light, Panel, View, ViewMotion, Viewpoint,
};
use super::schema::{CameraSettings, Settings, ViewSettings};
use super::stack::{Stack, refuse, required};
use super::values::{Decoration, Projection};
use catena_sim::Curve;
use catena_sim::drive::track::{Animated, Track};
use catena_sim::vector::{Vec3, add, cross, dot, scaled, sub, unit};
use std::f64::consts::TAU;
use std::sync::Arc;

/// Returns the number of axes: 3 if any vector of the scene has three components, otherwise 2. In
/// space, all vectors must have three.
pub(super) fn axes(written: &Stack<'_>) -> Result<usize, SceneError> {
    let vectors = |index: usize| {
        let mut all = Vec::new();
        written[index].settings.vectors("", &mut all);
        all
    };
    let counts: Vec<usize> = (0..written.len()).flat_map(vectors).map(|(_, count)| count).collect();
    let axes = counts.iter().copied().max().unwrap_or(2);
    let wide = counts.iter().filter(|count| **count == 3).count();
    // The minority of the vectors is at fault.
    if 2 * wide < counts.len() {
        for (index, layer) in written.iter().enumerate().filter(|_| wide > 0) {
            let found = vectors(index).into_iter().find(|(_, count)| *count == 3);
            if let Some((path, _)) = found {
                let fault = Fault::new("the vector has 3 components, but the scene is planar");
                let help = "write two components, or give all vectors of the scene three \
                            components to make it three-dimensional";
                return Err(refuse(&vec![layer.clone()], &path, fault.help(help)));
            }
        }
    }
    for (index, layer) in written.iter().enumerate() {
        if let Some((path, count)) = vectors(index).into_iter().find(|(_, count)| *count < axes) {
            let message =
                format!("the vector has {count} components, but the scene is three-dimensional");
            let help = "a scene is three-dimensional if one of its vectors has three components; \
                        then all vectors need three";
            return Err(refuse(&vec![layer.clone()], &path, Fault::new(message).help(help)));
        }
    }
    Ok(axes)
}

/// Rejects a field of a planar scene that only applies to space.
fn only_in_space(stack: &Stack<'_>, path: &str, axes: usize) -> Result<(), SceneError> {
    if axes == 3 {
        return Ok(());
    }
    let what = if path == "background" { "a gradient".into() } else { format!("`{path}`") };
    let fault =
        Fault::new(format!("{what} is for three-dimensional scenes, but this one is planar"));
    let help = "give its vectors three components, such as gravity: (0, -9.81, 0)";
    Err(refuse(stack, path, fault.help(help)))
}

/// Returns the camera of a panel at the start, and its animation.
pub(super) fn viewpoint(
    stack: &Stack<'_>,
    camera: Option<&CameraSettings>,
    axes: usize,
) -> Result<Option<(Viewpoint, CameraMotion)>, SceneError> {
    let Some(camera) = camera else { return Ok(None) };
    only_in_space(stack, "camera", axes)?;
    let place = |path: &str, place: &VectorOverTime| {
        let changing = place.on(axes, stack).map_err(|fault| refuse(stack, path, fault))?;
        Ok::<_, SceneError>(match changing {
            Changing::Never(at) => ([at[0], at[1], at[2]], None),
            Changing::OverTime(curve) => (curve.at(0.0).0, Some(curve)),
        })
    };
    let eye = required(stack, "camera.eye", camera.eye.as_ref())?;
    let (eye, eye_curve) = place("camera.eye", &eye)?;
    let place_or = |path: &str, at: Option<&VectorOverTime>, usual: [f64; 3]| {
        at.map_or(Ok((usual, None)), |at| place(path, at))
    };
    let (target, target_curve) = place_or("camera.target", camera.target.as_ref(), [0.0; 3])?;
    let (up, up_curve) = place_or("camera.up", camera.up.as_ref(), [0.0, 1.0, 0.0])?;
    if let Some((path, fault)) = sight_fault(eye, target, up) {
        return Err(refuse(stack, path, fault));
    }
    let turntable = camera.turntable.map(|time| time.0);
    let (lens, zoom) = lens(stack, camera)?;
    let motion =
        CameraMotion { eye: eye_curve, target: target_curve, up: up_curve, zoom, turntable };
    let aspect = camera.aspect.map_or(1.0, |aspect| aspect.0);
    Ok(Some((Viewpoint { eye, target, up, lens, aspect }, motion)))
}

/// Returns the lens of a camera at the start, and the animation of its field of view or height, if
/// any.
fn lens(
    stack: &Stack<'_>,
    camera: &CameraSettings,
) -> Result<(Lens, Option<Animated<1>>), SceneError> {
    let (lens, zoom): (fn(f64) -> Lens, _) =
        match camera.projection.unwrap_or(Projection::Perspective) {
            Projection::Perspective => {
                let angle = camera.field_of_view.as_ref().map(|angle| angle.track.clone());
                let usual = || Animated::number(45.0);
                (|field_of_view| Lens::Perspective { field_of_view }, angle.unwrap_or_else(usual))
            }
            Projection::Orthographic => {
                let height = required(stack, "camera.height", camera.height.as_ref())?;
                (|height| Lens::Orthographic { height }, height.track)
            }
        };
    let start = lens(zoom.at(0.0).0[0]);
    Ok((start, Some(zoom).filter(|zoom| matches!(zoom, Animated::Moving(_)))))
}

/// Returns the view of a planar panel at the start, and its animation.
pub(super) fn view(
    stack: &Stack<'_>,
    view: Option<&ViewSettings>,
) -> Result<Option<(View, ViewMotion)>, SceneError> {
    const CENTER: &str = "view.center";
    let Some(view) = view else { return Ok(None) };
    let center = required(stack, CENTER, view.center.as_ref())?.0.on(2, stack);
    let (center, curve) = match center.map_err(|fault| refuse(stack, CENTER, fault))? {
        Changing::Never(at) => ([at[0], at[1]], None),
        Changing::OverTime(curve) => {
            let [x, y, _] = curve.at(0.0).0;
            ([x, y], Some(curve))
        }
    };
    let extent = required(stack, "view.extent", view.extent.as_ref())?.track;
    let start = View { center, extent: extent.at(0.0).0 };
    Ok(Some((start, ViewMotion { center: curve, extent })))
}

/// Returns the ground of a panel.
pub(super) fn ground(
    stack: &Stack<'_>,
    settings: &Settings,
    axes: usize,
) -> Result<Option<Ground>, SceneError> {
    let Some(ground) = &settings.ground else { return Ok(None) };
    only_in_space(stack, "ground", axes)?;
    let is_dark = settings.background.is_some_and(|background| background.tint.color.is_dark());
    let [near, far] =
        if is_dark { [[52, 57, 64], [38, 42, 48]] } else { [[214, 219, 226], [244, 245, 247]] };
    Ok(Some(Ground {
        height: required(stack, "ground.height", ground.height.as_ref())?.0,
        size: required(stack, "ground.size", ground.size.as_ref())?.0,
        near: ground.near.unwrap_or(Color(near)),
        far: ground.far.unwrap_or(Color(far)),
        shadow: ground.shadow,
    }))
}

/// Returns the background of panels in space. For bare pictures, a colour that the scene's layers
/// in `written` set is used without a gradient.
pub(super) fn backdrop(
    stack: &Stack<'_>,
    written: &Stack<'_>,
    background: Background,
    decoration: Decoration,
    axes: usize,
) -> Result<Backdrop, SceneError> {
    if let Some(colors) = background.gradient {
        only_in_space(stack, "background", axes)?;
        return Ok(Backdrop::Gradient(colors));
    }
    let is_opaque = background.tint.alpha == u8::MAX;
    let is_written = written.iter().any(|layer| layer.settings.background.is_some());
    let is_free = decoration == Decoration::Full || !is_written;
    Ok(if axes == 3 && is_opaque && is_free { Backdrop::Soft } else { Backdrop::Flat })
}

/// Maximum angle between the middle and the edge of the sun, in degrees.
const WIDEST_SUN: f64 = 20.0;

/// Returns the light of a panel.
pub(super) fn light(
    stack: &Stack<'_>,
    settings: &Settings,
    axes: usize,
) -> Result<Light, SceneError> {
    let Some(light) = &settings.light else { return Ok(Light::default()) };
    only_in_space(stack, "light", axes)?;
    let usual = Light::default();
    let direction = light.direction.map(|direction| direction.xyz());
    if direction.is_some_and(|direction| dot(direction, direction) <= 0.0) {
        let fault = Fault::new("the direction to the sun must have a length above 0");
        let help = "write the direction from the scene to the sun, such as (0.4, 1, 0.6)";
        return Err(refuse(stack, "light.direction", fault.help(help)));
    }
    let softness = light.softness.map(|degrees| degrees.0);
    if softness.is_some_and(|degrees| degrees > WIDEST_SUN) {
        let fault = Fault::new(format!(
            "the radius of the sun is greater than the maximum of {WIDEST_SUN}°"
        ));
        let help = "write an angle from 0, for hard shadows, to 20; the default is 1.15";
        return Err(refuse(stack, "light.softness", fault.help(help)));
    }
    Ok(Light {
        direction,
        color: light.color.unwrap_or(usual.color),
        sun: light.sun.map_or(usual.sun, |sun| sun.0),
        sky: light.sky.map_or(usual.sky, |sky| sky.0),
        softness,
    })
}

impl Panel {
    /// Whether the view or the camera of the panel moves.
    pub fn moves(&self) -> bool {
        self.motion.is_some() || self.view_motion.is_some()
    }

    /// Returns the camera's viewpoint at a time, or `None` if the scene sets none. If the sight
    /// line is invalid at that time, for example parallel to `up`, the initial eye, target and `up`
    /// are used; the zoom still applies.
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
fn turned(vector: Vec3, axis: Vec3, angle: f64) -> Vec3 {
    let (axis, sine, cosine) = (unit(axis), libm::sin(angle), libm::cos(angle));
    let along = scaled(axis, dot(axis, vector) * (1.0 - cosine));
    add(add(scaled(vector, cosine), scaled(cross(axis, vector), sine)), along)
}

/// Returns the field at fault and the reason if the sight line of a viewpoint is undefined.
fn sight_fault(eye: Vec3, target: Vec3, up: Vec3) -> Option<(&'static str, Fault)> {
    let sight = sub(target, eye);
    let square = |v: Vec3| dot(v, v);
    if !square(sight).is_normal() {
        let fault = Fault::new("the camera is at the point that it looks at");
        return Some(("camera.eye", fault.help("move `eye` away from `target`")));
    }
    if square(cross(sight, up)) <= 1e-12 * square(sight) * square(up) {
        let fault = Fault::new("the camera looks along `up`, so the upward direction is undefined");
        return Some((
            "camera.up",
            fault.help("set `up` to another direction, such as (0, 0, -1)"),
        ));
    }
    None
}
