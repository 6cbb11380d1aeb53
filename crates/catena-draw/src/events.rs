//! What events change in pictures: pins that are released or taken, joints, and for half a second a
//! ring around the place where something happened.

use super::body::DrawnPart;
use super::camera::Camera;
use super::canvas::Canvas;
use super::rect::Rect;
use super::theme::mix;
use catena_sim::Simulation;
use serde::{Deserialize, Serialize};

/// For so many frames a mark is shown.
const SHOWN: u64 = 30;
/// Radius of the ring at first and at last, beyond the size of a pin, in pixels of a picture of
/// 1280x720.
const RADIUS: [f64; 2] = [4.0, 22.0];
/// Thickness of the ring at first and at last, in the same.
const WIDTH: [f64; 2] = [3.0, 1.0];
/// Corners of the ring.
const CORNERS: usize = 40;

/// What events have changed of what a frame shows of a body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BodyChanges {
    /// Whether each node is pinned; empty as long as the pins are those of the setup.
    pub pinned: Vec<bool>,
    /// How many springs, the last ones, are joints that events make.
    pub joints: usize,
    /// Where something happened not long ago.
    pub marks: Vec<EventMark>,
}

/// A mark around a place where something happened.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventMark {
    /// The place; z is 0 in the plane.
    pub at: [f64; 3],
    /// Frames since then, below `SHOWN`.
    pub age: u64,
}

impl BodyChanges {
    /// Nothing has happened.
    pub const NONE: Self = Self { pinned: Vec::new(), joints: 0, marks: Vec::new() };

    /// What events of a run have changed up to now.
    pub fn of(simulation: &Simulation) -> Self {
        let (memory, setup) = (simulation.events(), simulation.setup());
        let marks = memory.happened.iter().filter_map(|happened| {
            let age = simulation.frame().saturating_sub(happened.step.div_ceil(setup.substeps));
            Some(EventMark { at: happened.at?, age }).filter(|mark| mark.age < SHOWN)
        });
        let pinned = memory.pinned.clone();
        Self { pinned, joints: setup.joints(), marks: marks.collect() }
    }
}

/// Draws the marks of a body inside `clip`: rings that grow, get thinner and fade.
pub fn draw_marks(canvas: &mut Canvas, clip: Rect, camera: &Camera, figure: &DrawnPart<'_>) {
    if !figure.is_first() {
        return;
    }
    for EventMark { at, age } in &figure.changes.marks {
        let Some(seen) = camera.point(*at) else { continue };
        let share = *age as f64 / SHOWN as f64;
        let stroke = figure.look.stroke;
        let between = |[first, last]: [f64; 2]| stroke * (first + (last - first) * share);
        let style = &figure.look.style;
        let radius = 0.5 * style.node_size.max(style.line_width) + between(RADIUS);
        let corners: Vec<[f64; 2]> = (0..CORNERS)
            .map(|corner| {
                let angle = std::f64::consts::TAU * corner as f64 / CORNERS as f64;
                let [x, y] = seen.at;
                [x + radius * libm::cos(angle), y + radius * libm::sin(angle)]
            })
            .collect();
        let ink = mix(figure.look.pin, figure.look.pin_inside, (256.0 * share * share) as i32);
        canvas.shape(clip, ink, |pen| pen.outline(&corners, between(WIDTH)));
    }
}
