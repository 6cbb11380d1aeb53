//! Layout of the panels and setup of their cameras, before the first frame.

use super::camera::{Camera, Subject};
use super::layout::{Layout, TooSmall, layout};
use super::panel_painter::PanelPainter;
use super::text::Font;
use super::theme::Theme;
use catena_scene::{Fit, Scene, View};

/// Layout, painter of each panel, and the content of panels without a view of their own.
pub(super) type Panels = (Layout, Vec<PanelPainter>, Option<Fit>);

/// Computes the panels of a planar scene.
pub(super) fn planar_panels(scene: &Scene, font: &Font) -> Result<Panels, TooSmall> {
    let is_fitted = scene.panels.iter().any(|panel| panel.view.is_none());
    let subject = is_fitted.then(|| Subject::of(scene));
    let fitted = subject.as_ref().map(Subject::view);
    let views: Vec<View> = scene.panels.iter().filter_map(|panel| panel.view.or(fitted)).collect();
    let aspect = views[0].extent[0] / views[0].extent[1];
    let layout = layout(scene, scene.size, font, aspect)?;
    let panels = scene
        .panels
        .iter()
        .zip(layout.panels.iter().zip(&views))
        .map(|(panel, (place, view))| {
            PanelPainter::planar(panel, Camera::planar(*view, place.plot))
        })
        .collect();
    Ok((layout, panels, subject.map(|subject| subject.fit())))
}

/// Computes the panels of a scene in space.
pub(super) fn spatial_panels(
    scene: &Scene,
    font: &Font,
    theme: &Theme,
) -> Result<Panels, TooSmall> {
    // A viewpoint of the scene's own does not determine the width. Most pictures are a third wider
    // than high.
    let is_fitted = scene.panels.iter().any(|panel| panel.viewpoint.is_none());
    let subject = is_fitted.then(|| Subject::of(scene));
    let aspect = match (scene.panels[0].viewpoint, &subject) {
        (None, Some(subject)) => subject.viewpoint(1.0).1,
        _ => 4.0 / 3.0,
    };
    let layout = layout(scene, scene.size, font, aspect)?;
    let aspects =
        layout.panels.iter().map(|place| f64::from(place.plot.w) / f64::from(place.plot.h));
    let narrowest = aspects.fold(f64::INFINITY, f64::min);
    let fitted = subject.as_ref().map(|subject| subject.viewpoint(narrowest).0);
    let panels = scene
        .panels
        .iter()
        .zip(&layout.panels)
        .filter_map(|(panel, place)| {
            let (plot, behind) = (place.plot, theme.behind(scene));
            let own = panel.viewpoint.map(|own| own.upright(f64::from(plot.w) / f64::from(plot.h)));
            Some(PanelPainter::spatial(panel, &own.or(fitted)?, plot, theme, behind))
        })
        .collect();
    Ok((layout, panels, subject.map(|subject| subject.fit())))
}
