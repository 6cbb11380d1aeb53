//! From the plane to pixels.

use super::layout::Rect;
use crate::scene::{Body, Scene, View};
use crate::sim::Model;

/// Maps points of the plane to pixels, y pointing up in the one and down in the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Pixels per length.
    pub scale: f64,
    center: [f64; 2],
    middle: [f64; 2],
}

impl Camera {
    /// Shows a view as large as it fits into a rectangle.
    pub fn new(view: View, rect: Rect) -> Self {
        let scale = (f64::from(rect.w) / view.extent[0]).min(f64::from(rect.h) / view.extent[1]);
        let middle = [
            f64::from(rect.x) + f64::from(rect.w) / 2.0,
            f64::from(rect.y) + f64::from(rect.h) / 2.0,
        ];
        Self { scale, center: view.center, middle }
    }

    /// Where a point of the plane lies in the picture, in pixels; infinite where that is too far to say.
    pub fn pixel(&self, x: f64, y: f64) -> [f64; 2] {
        [
            self.middle[0] + (x - self.center[0]) * self.scale,
            self.middle[1] - (y - self.center[1]) * self.scale,
        ]
    }
}

/// A box of the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bounds {
    low: [f64; 2],
    high: [f64; 2],
}

impl Bounds {
    const EMPTY: Self = Self { low: [f64::INFINITY; 2], high: [f64::NEG_INFINITY; 2] };

    fn include(&mut self, low: [f64; 2], high: [f64; 2]) {
        for axis in 0..2 {
            self.low[axis] = self.low[axis].min(low[axis]);
            self.high[axis] = self.high[axis].max(high[axis]);
        }
    }
}

/// The view of all that the ropes of a scene can reach, with a margin.
///
/// It depends on the scene alone and not on how many frames are drawn, so a frame looks the same whichever
/// range it is rendered in. All panels get the same one: what is compared has one scale.
pub fn fit(scene: &Scene) -> View {
    let mut bounds = Bounds::EMPTY;
    for body in scene.panels.iter().flat_map(|panel| &panel.bodies) {
        reach(body, &mut bounds);
    }
    let size = [0, 1].map(|axis| (bounds.high[axis] - bounds.low[axis]).max(f64::MIN_POSITIVE));
    let margin = 0.06 * size[0].max(size[1]);
    View {
        center: [0, 1].map(|axis| bounds.low[axis] + size[axis] / 2.0),
        extent: size.map(|side| side + 2.0 * margin),
    }
}

/// Adds what a body can reach: each node stays within a rope's length of the pins, and does not rise above
/// where the body started. Without pins it falls out of any view; three lengths of the fall are shown.
fn reach(body: &Body, bounds: &mut Bounds) {
    let (model, x) = (&body.setup.model, &body.setup.initial.x);
    let n = model.nodes();
    let mut start = Bounds::EMPTY;
    for i in 0..n {
        start.include([x[i], x[n + i]], [x[i], x[n + i]]);
    }
    let slack = 2.0 * hanging_stretch(model, &body.gravity);

    let mut all = start;
    if model.pinned.iter().any(|&pinned| pinned) {
        let distance = distance_to_pins(model, slack / model.rest_length());
        for i in (0..n).filter(|&i| !model.pinned[i]) {
            let mut low = [f64::NEG_INFINITY; 2];
            let mut high = [f64::INFINITY; 2];
            for &(pin, d) in &distance[i] {
                for axis in 0..2 {
                    low[axis] = low[axis].max(x[axis * n + pin] - d);
                    high[axis] = high[axis].min(x[axis * n + pin] + d);
                }
            }
            all.include(low, high);
        }
    } else {
        let fall = 3.0 * model.rest_length();
        let down =
            |axis: usize| body.gravity[axis] / norm(&body.gravity).max(f64::MIN_POSITIVE) * fall;
        all.include(
            [0, 1].map(|axis| start.low[axis] + down(axis)),
            [0, 1].map(|axis| start.high[axis] + down(axis)),
        );
    }
    // A rope released at rest does not climb as a whole, so the side against gravity needs little room: only a tip
    // can be flung above where it started.
    let headroom = 0.1 * model.rest_length();
    for (axis, other) in [(0, 1), (1, 0)] {
        let (g, across) = (body.gravity[axis], body.gravity[other]);
        if across == 0.0 && g < 0.0 {
            all.high[axis] = all.high[axis].min(start.high[axis] + headroom);
        } else if across == 0.0 && g > 0.0 {
            all.low[axis] = all.low[axis].max(start.low[axis] - headroom);
        }
    }
    bounds.include(all.low, all.high);
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|component| component * component).sum::<f64>().sqrt()
}

/// By how much the rope stretches under its own weight, about: all of it below one pin, or half of it on either
/// side when both ends are pinned.
fn hanging_stretch(model: &Model, gravity: &[f64]) -> f64 {
    let mut below: f64 = model.mass.iter().skip(1).sum();
    let mut stretch = 0.0;
    for spring in &model.springs {
        stretch += below * norm(gravity) / spring.stiffness;
        below -= model.mass[spring.b];
    }
    if model.pinned.first() == Some(&true) && model.pinned.last() == Some(&true) {
        stretch *= 0.25;
    }
    // A rope so soft that it would hang ten times its length is shown at ten times its length.
    stretch.min(10.0 * model.rest_length())
}

/// For each node the nearest pin on either side and how far along the rope it is, stretch included.
fn distance_to_pins(model: &Model, strain: f64) -> Vec<Vec<(usize, f64)>> {
    let n = model.nodes();
    let mut distances = vec![Vec::new(); n];
    let mut go = |order: &mut dyn Iterator<Item = usize>| {
        let mut last: Option<(usize, f64)> = None;
        let mut before: Option<usize> = None;
        for i in order {
            let step = before.map_or(0.0, |j| model.springs[i.min(j)].rest_length * (1.0 + strain));
            last = last.map(|(pin, d)| (pin, d + step));
            if model.pinned[i] {
                last = Some((i, 0.0));
            }
            distances[i].extend(last);
            before = Some(i);
        }
    };
    go(&mut (0..n));
    go(&mut (0..n).rev());
    distances
}
