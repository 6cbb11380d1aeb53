//! Reference motions of bodies: dashed lines over the bodies, and distances.

use super::panel_run::BodyFrame;
use super::theme::Ink;
use super::vector::{Vec3, add, norm, scaled, sub};
use crate::panel_objects::Trail;
use catena_scene::{Body, Panel};
use std::collections::BTreeSet;

/// Length of a dash and of the gap after it, in pixels of a picture of 1280x720.
const DASH: [f64; 2] = [7.0, 5.0];
/// Thickness of a dash, in pixels of a picture of 1280x720.
const WIDTH: f64 = 1.6;
/// Diameter of a node, in pixels of a picture of 1280x720.
const NODE: f64 = 6.0;
/// Diameter of a node on a line over a body, in pixels of a picture of 1280x720. Small enough to
/// leave the body's own node visible.
const DOT: f64 = 3.6;
/// Half the size of the cross at a node without neighbours, in pixels of a picture of 1280x720.
const CROSS: f64 = 6.0;
/// Maximum number of dashes per spring. Longer springs are drawn without gaps.
const MAX_DASHES: f64 = 400.0;

/// Number of the frame at time `t` of a body's run.
fn frame_at(body: &Body, t: f64) -> u64 {
    let setup = &body.setup;
    ((t - setup.start_time) / setup.frame_time).round().max(0.0) as u64
}

/// Largest distance of a body from its reference in a frame. `None` if the reference has no
/// positions for the frame.
pub(super) fn distance(body: &Body, frame: &BodyFrame) -> Option<f64> {
    let reference = body.reference.as_ref()?;
    let at = frame_at(body, frame.t);
    let found = reference.motion.compare(at, &frame.x, body.setup.model.nodes());
    (found.count > 0).then_some(found.largest)
}

/// Labels of the references of a panel, without duplicates.
pub(super) fn labels(panel: &Panel) -> Vec<&str> {
    let mut all: Vec<&str> = Vec::new();
    for reference in panel.bodies.iter().filter_map(|body| body.reference.as_ref()) {
        if !all.contains(&&*reference.label) {
            all.push(&reference.label);
        }
    }
    all
}

/// Pen for the lines of a reference.
pub(super) struct DashPen {
    /// Length of a pixel in a 1280x720 picture.
    pub(super) pixel: f64,
    /// Scale from pixels of a 1280x720 picture to pixels of this picture.
    pub(super) stroke: f64,
    pub(super) ink: Ink,
}

impl DashPen {
    fn trail(&self, points: Vec<Vec3>, width: f64) -> Trail {
        Trail { points, inks: [self.ink; 2], alpha: u8::MAX, width: width * self.stroke }
    }

    /// Lines of the reference of a body at a time: dashes along springs, and marks at nodes.
    pub(super) fn trails(&self, body: &Body, t: f64) -> Vec<Trail> {
        let Some(reference) = &body.reference else { return Vec::new() };
        let model = &body.setup.model;
        let mut places: Vec<Option<Vec3>> = vec![None; model.nodes()];
        for (node, place) in reference.motion.at(frame_at(body, t)) {
            if let Some(known) = places.get_mut(node) {
                *known = Some(place);
            }
        }
        let (mut trails, mut joined) = (Vec::new(), BTreeSet::new());
        let (mut phase, mut last) = (0.0, None);
        for spring in &model.springs[..model.structural] {
            let (Some(a), Some(b)) = (places[spring.a], places[spring.b]) else { continue };
            if last != Some(spring.a) {
                phase = 0.0;
            }
            self.dashes([a, b], &mut phase, &mut trails);
            last = Some(spring.b);
            joined.extend([spring.a, spring.b]);
        }
        // Marks at all nodes of a net or cloth would hide its threads.
        let has_marks = model.structural <= model.nodes();
        for (node, place) in places.iter().enumerate() {
            let Some(place) = place else { continue };
            match joined.contains(&node) {
                true if has_marks => trails.push(self.dot(*place, DOT)),
                true => {}
                false => trails.extend(self.cross(*place)),
            }
        }
        trails
    }

    /// Line without gaps.
    pub(super) fn line(&self, points: Vec<Vec3>) -> Trail {
        self.trail(points, WIDTH)
    }

    /// Mark of a node on a line.
    pub(super) fn disc(&self, place: Vec3) -> Trail {
        self.dot(place, NODE)
    }

    fn dot(&self, place: Vec3, size: f64) -> Trail {
        let end = [place[0] + 0.25 * self.pixel, place[1], place[2]];
        self.trail(vec![place, end], size)
    }

    /// Mark of a single node.
    fn cross(&self, place: Vec3) -> [Trail; 2] {
        [[1.0, 1.0, 0.0], [1.0, -1.0, 0.0]].map(|direction| {
            let arm = scaled(direction, CROSS * self.pixel);
            self.trail(vec![add(place, arm), sub(place, arm)], WIDTH)
        })
    }

    /// Adds the dashes of a spring. `phase` is the position in the pattern where it begins.
    fn dashes(&self, [a, b]: [Vec3; 2], phase: &mut f64, trails: &mut Vec<Trail>) {
        let [dash, gap] = DASH.map(|length| length * self.pixel);
        let (length, period) = (norm(sub(b, a)), dash + gap);
        let count = length / period;
        if count.is_nan() || count >= MAX_DASHES {
            trails.push(self.trail(vec![a, b], WIDTH));
            return;
        }
        let place = |at: f64| add(a, scaled(sub(b, a), at / length));
        let mut at = -*phase;
        while at < length {
            let (from, to) = (at.max(0.0), (at + dash).min(length));
            if to > from {
                trails.push(self.trail(vec![place(from), place(to)], WIDTH));
            }
            at += period;
        }
        *phase = length - (at - period);
    }
}
