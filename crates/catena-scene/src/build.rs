//! Building of scenes: layers are merged, checked together, and turned into setups.

use super::diagnostic::Fault;
use super::error::SceneError;
use super::file::SceneText;
use super::limits::Limits;
use super::naming::SceneTexts;
use super::overridden::Overridden;
use super::panel_layers::{PanelLayers, panel_layers};
use super::parts::{CameraMotion, MotionBlur, Panel, RestCriteria, Scene, ViewMotion};
use super::schema::MotionBlurSettings;
use super::stack::{ParsedScene, Stack, body_stack, merged, over, refuse, required};
use super::totals::Totals;
use super::{body, labels, naming, space};
use crate::grammar::Scope;
use crate::layer_faults::check_layer;
use crate::parts::ShownPanel;

/// Builds a parsed scene.
///
/// # Errors
/// Returns an error at the first layer, panel or body that cannot be used, or when the scene
/// exceeds a limit.
pub(super) fn build(
    text: &SceneText,
    parsed: ParsedScene,
    limits: &Limits,
) -> Result<Scene, SceneError> {
    let (lower, overrides) = (parsed.lower(), parsed.overrides());
    for layer in overrides.iter().chain([&lower[1]]) {
        check_layer(layer, Scope::Scene)?;
    }
    let scene_stack: Stack<'_> = lower.iter().chain(&overrides).cloned().collect();
    let (all, arrangement) = panel_layers(&parsed, limits)?;
    let mut totals = Totals::new(limits);
    for panel in &all {
        let stack = over(&lower, &panel.layers, &overrides);
        totals.add_panel(panel.label.as_deref(), &stack, &overrides)?;
    }

    let layers: Stack<'_> = overrides
        .iter()
        .chain(&lower[1..])
        .chain(all.iter().flat_map(|panel| &panel.layers))
        .cloned()
        .collect();
    let axes = space::axes(&layers)?;
    for layer in all.iter().flat_map(|panel| &panel.layers) {
        check_layer(layer, Scope::Panel)?;
    }
    let texts = SceneTexts::of(&parsed);
    let mut shown = naming::shown(texts.as_ref(), all.len(), arrangement);
    let mut panels = panels(&shown.panels, &all, &lower.to_vec(), &overrides, axes)?;
    let mut title = parsed.file.title.clone();
    let overridden = texts.map_or_else(Overridden::default, |texts| {
        naming::rename(&texts, &mut shown, &mut panels, &mut title)
    });
    let settings = merged(&scene_stack);
    let background = required(&scene_stack, "background", settings.background.as_ref())?;
    let decoration = required(&scene_stack, "decoration", settings.decoration.as_ref())?;
    let backdrop = space::backdrop(&scene_stack, &layers, background, decoration, axes)?;
    Ok(Scene {
        name: text.name.clone(),
        text: text.text.clone(),
        title,
        size: required(&scene_stack, "size", settings.size.as_ref())?.0,
        frames: required(&scene_stack, "frames", settings.frames.as_ref())?.0,
        background: background.tint.color,
        background_alpha: background.tint.alpha,
        backdrop,
        decoration,
        shapes_only: false,
        fit: required(&scene_stack, "fit", settings.fit.as_ref())?,
        motion_blur: motion_blur(&scene_stack, settings.motion_blur.as_ref())?,
        axes,
        arrangement: shown.arrangement,
        panels,
        shown: shown.panels,
        overridden,
        files: parsed.source.files.used(),
        parsed,
    })
}

/// Default number of moments per frame with motion blur, and default shutter angle in degrees.
const USUAL_BLUR: (u64, f64) = (16, 180.0);

/// Returns the motion blur of a scene.
fn motion_blur(
    stack: &Stack<'_>,
    settings: Option<&MotionBlurSettings>,
) -> Result<Option<MotionBlur>, SceneError> {
    let Some(settings) = settings else { return Ok(None) };
    let shutter = settings.shutter.map_or(USUAL_BLUR.1, |angle| angle.0);
    if shutter > 360.0 {
        let fault = Fault::new("the shutter is open for longer than a frame");
        let help = "write an angle up to 360; 180 is half of the frame";
        return Err(refuse(stack, "motion_blur.shutter", fault.help(help)));
    }
    let samples = settings.samples.map_or(USUAL_BLUR.0, |samples| samples.0);
    let samples = u32::try_from(samples).unwrap_or(u32::MAX);
    Ok((samples > 1).then_some(MotionBlur { samples, open: shutter / 360.0 }))
}

/// Builds the panels that are shown.
fn panels(
    shown: &[ShownPanel],
    all: &[PanelLayers<'_>],
    lower: &Stack<'_>,
    overrides: &Stack<'_>,
    axes: usize,
) -> Result<Vec<Panel>, SceneError> {
    let mut panels = Vec::with_capacity(shown.len());
    for (number, place) in (0..).zip(shown) {
        let PanelLayers { label, layers } = &all[place.index];
        let stack = over(lower, layers, overrides);
        let built = panel(label.clone(), number, place, &stack, overrides, axes);
        panels.push(built.map_err(|error| match all.len() {
            1 => error,
            _ => error.of_panel(&labels::of_layers(label.as_deref(), place.index)),
        })?);
    }
    labels::distinguish(&mut panels);
    Ok(panels)
}

/// Builds a panel from its label, its number, its position in the file, and its layers including
/// the layers of the command line.
fn panel(
    label: Option<String>,
    number: u64,
    place: &ShownPanel,
    stack: &Stack<'_>,
    overrides: &Stack<'_>,
    axes: usize,
) -> Result<Panel, SceneError> {
    let settings = merged(stack);
    let (view, view_motion) = space::view(stack, settings.view.as_ref())?.unzip();
    let camera = space::viewpoint(stack, settings.camera.as_ref(), axes)?;
    let ground = space::ground(stack, &settings, axes)?;
    let light = space::light(stack, &settings, axes)?;
    if axes == 3 && view.is_some() {
        let fault = Fault::new("`view` is for planar scenes, but this one is three-dimensional");
        return Err(refuse(stack, "view", fault.help("write a `camera` instead")));
    }
    let rest = required(stack, "rest", settings.rest.as_ref())?;
    let rest = RestCriteria {
        by: required(stack, "rest.by", rest.by.as_ref())?,
        speed: rest.speed.map(|speed| speed.0),
        frames: rest.frames.map(|frames| frames.0),
        limit: required(stack, "rest.limit", rest.limit.as_ref())?.0,
    };

    let mut bodies = match settings.bodies.as_ref().map_or(&[][..], |bodies| &bodies.0) {
        [] => vec![body::build(None, stack, axes, Some([number, 0]))?],
        list => {
            let mut bodies = Vec::with_capacity(list.len());
            let is_shown = |index| place.bodies.as_ref().is_none_or(|all| all.contains(&index));
            for (index, layer) in list.iter().enumerate().filter(|(index, _)| is_shown(*index)) {
                let stack = body_stack(stack, overrides, index, &layer.with);
                let numbers = Some([number, bodies.len() as u64]);
                bodies.push(body::build(layer.label.clone(), &stack, axes, numbers)?);
            }
            bodies
        }
    };
    bodies.iter_mut().for_each(|body| body.table_label.clone_from(&body.label));
    let (label, is_named) = labels::of_panel(label, &bodies);
    let viewpoint = camera.as_ref().map(|(viewpoint, _)| *viewpoint);
    let motion = camera.map(|(_, motion)| motion).filter(CameraMotion::moves);
    let view_motion = view_motion.filter(ViewMotion::moves);
    let table_label = label.clone();
    Ok(Panel {
        label,
        table_label,
        is_named,
        view,
        view_motion,
        viewpoint,
        motion,
        ground,
        light,
        rest,
        bodies,
    })
}
