//! Style of a body, and its colours over time.

use crate::error::SceneError;
use crate::parts::Style;
use crate::schema::Settings;
use crate::stack::{Stack, required};
use crate::words::SurfaceStyle;
use catena_sim::drive::track::Animated;

/// Returns the colour animation of the body, if any.
pub(crate) fn color_motion(settings: &Settings) -> Option<Animated<4>> {
    settings.style.as_ref()?.color.as_ref()?.track.clone()
}

/// Reads the style of the body, in a space of `axes` axes.
///
/// # Errors
/// Returns an error when the style is incomplete.
pub(crate) fn style(
    stack: &Stack<'_>,
    settings: &Settings,
    axes: usize,
) -> Result<Style, SceneError> {
    let style = required(stack, "style", settings.style.as_ref())?;
    Ok(Style {
        color: style.color.as_ref().map(|color| color.start.color),
        alpha: style.color.as_ref().map_or(u8::MAX, |color| color.start.alpha),
        line_width: required(stack, "style.line_width", style.line_width.as_ref())?.0,
        thickness: style.thickness.map(|thickness| thickness.0),
        strands: style.strands.map(|count| count.0 as u32),
        lay: style.lay.map(|lay| lay.0),
        node_size: required(stack, "style.node_size", style.node_size.as_ref())?.0,
        node_shape: required(stack, "style.node_shape", style.node_shape.as_ref())?,
        surface: style.surface.unwrap_or(match axes {
            3 => SurfaceStyle::Facets,
            _ => SurfaceStyle::Wires,
        }),
        color_by: required(stack, "style.color_by", style.color_by.as_ref())?,
        color_range: style.color_range.map(|range| range.0),
        ghosts: required(stack, "style.ghosts", style.ghosts.as_ref())?.0 as u32,
        ghost_gap: required(stack, "style.ghost_gap", style.ghost_gap.as_ref())?.0 as u32,
        trail_frames: required(stack, "style.trail_frames", style.trail_frames.as_ref())?.0 as u32,
        pattern: required(stack, "style.pattern", style.pattern.as_ref())?,
        pattern_cells: required(stack, "style.pattern_cells", style.pattern_cells.as_ref())?.0
            as u32,
        mark_pins: style.mark_pins.unwrap_or(axes == 2),
        paths: required(stack, "style.paths", style.paths.as_ref())?,
        arrows: required(stack, "style.arrows", style.arrows.as_ref())?,
        arrow_scale: style.arrow_scale.map(|scale| scale.0),
        collider_color: style.collider_color,
        collider_gloss: style.collider_gloss.map(|gloss| gloss.0),
    })
}
