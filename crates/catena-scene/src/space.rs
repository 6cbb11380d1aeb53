//! Plane and space: the number of axes, planar views, cameras and grounds.

use super::camera_motion::{CameraMotion, ViewMotion, sight_fault};
use super::color::Color;
use super::diagnostic::Fault;
use super::error::SceneError;
use super::layered::FieldValue;
use super::over_time::{Changing, VectorOverTime};
use super::parts::{Ground, Lens, View, Viewpoint};
use super::schema::{CameraSettings, Settings, ViewSettings};
use super::stack::{Stack, refuse, required};
use super::values::Projection;
use catena_sim::drive::track::{Animated, Track};

/// Returns the number of axes: 3 if any vector of the scene has three components, otherwise 2. In
/// space, all vectors must have three.
pub(super) fn axes(written: &Stack<'_>) -> Result<usize, SceneError> {
    let vectors = |index: usize| {
        let mut all = Vec::new();
        written[index].settings.vectors("", &mut all);
        all
    };
    let axes = (0..written.len()).flat_map(vectors).map(|(_, count)| count).max().unwrap_or(2);
    for (index, layer) in written.iter().enumerate() {
        if let Some((path, count)) = vectors(index).into_iter().find(|(_, count)| *count < axes) {
            let message = format!("{count} components in a three-dimensional scene");
            let help = "a scene is three-dimensional when one of its vectors has three components, and then all have";
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
    let fault =
        Fault::new(format!("`{path}` is for three-dimensional scenes, and this one is planar"));
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
        let changing = place.on(axes).map_err(|fault| refuse(stack, path, fault))?;
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
    Ok(Some((Viewpoint { eye, target, up, lens }, motion)))
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
    let center = required(stack, CENTER, view.center.as_ref())?.0.on(2);
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
    let is_dark = settings.background.is_some_and(Color::is_dark);
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
