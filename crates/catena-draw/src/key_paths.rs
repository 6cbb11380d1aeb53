//! Paths of moving pins, with marks at the keys of their curves.

use super::reference::DashPen;
use super::vector::Vec3;
use crate::panel_objects::Trail;
use catena_scene::Body;

/// Number of pieces of a path for each key.
const PIECES: u32 = 24;

/// Maximum number of keys of a path that are drawn.
const MAX_KEYS: usize = 400;

/// Lines along the curves of a body's moving pins, and discs at their keys or control points. Empty
/// unless the style shows paths.
pub(super) fn trails(body: &Body, pen: &DashPen) -> Vec<Trail> {
    let mut trails = Vec::new();
    if !body.style.paths {
        return trails;
    }
    for anchor in &body.setup.anchors {
        let keys = anchor.curve.places();
        let keys = &keys[..keys.len().min(MAX_KEYS)];
        // A curve that jumps has no path.
        if let Some(window) = anchor.curve.extent().window().filter(|_| !anchor.curve.jumps()) {
            let pieces = PIECES * keys.len().max(2) as u32;
            pen_line(pen, window, pieces, |t| anchor.curve.at(t).0, &mut trails);
        }
        trails.extend(keys.iter().map(|(_, place)| pen.disc(*place)));
    }
    trails
}

/// Adds the line along a curve in an interval of time.
fn pen_line(
    pen: &DashPen,
    (from, until): (f64, f64),
    pieces: u32,
    at: impl Fn(f64) -> Vec3,
    trails: &mut Vec<Trail>,
) {
    let step = (until - from) / f64::from(pieces);
    if step > 0.0 && step.is_finite() {
        let points = (0..=pieces).map(|piece| at(from + f64::from(piece) * step));
        trails.push(pen.line(points.collect()));
    }
}
