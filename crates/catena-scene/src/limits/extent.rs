//! Approximate size of bodies in pictures, from their positions and the view of a panel.

use crate::parts::{Body, Lens, Panel, View, Viewpoint};
use catena_sim::vector::{cross, dot, sub};
use std::f64::consts::PI;

/// Direction from the bodies to the eye of an automatic view of space, as in the module `camera` of
/// catena-draw.
const TO_EYE: [f64; 3] = [0.45, 0.35, 1.0];
/// Share of a picture that the bodies fill in an automatic view.
const FILLED: f64 = 0.85;
/// Share of a panel's width and height that shows its view; the rest is its label and its margins.
const PLOT: f64 = 0.93;
/// Mean ratio of the visible length to the length of lines in random directions in space.
pub(super) const FORESHORTENED: f64 = PI / 4.0;
/// Maximum number of nodes and springs whose positions are read.
const SAMPLES: usize = 4096;

/// Size of a body in its panel, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    /// Mean length of the springs that are drawn.
    pub(super) thread: f64,
    /// Mean distance of neighbouring nodes, seen at a right angle.
    pub(super) cell: f64,
    /// Area of the box around the visible part of the body.
    pub(super) area: f64,
    /// Share of the body inside the panel, from 0 to 1; see [`share_inside`].
    pub(super) visible: f64,
}

/// View of a panel. Without one, the view fits a body.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PanelView {
    /// Part of the plane.
    pub(super) plane: Option<View>,
    /// Viewpoint in space.
    pub(super) space: Option<Viewpoint>,
}

impl PanelView {
    /// Returns the view of a panel, or otherwise `self`.
    pub(super) fn of(self, panel: &Panel) -> Self {
        Self { plane: panel.view.or(self.plane), space: panel.viewpoint.or(self.space) }
    }
}

/// Size of a panel in pixels.
#[derive(Clone, Copy)]
pub(super) struct PanelSize {
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Extent {
    /// Returns the size of a body with node positions `x`, flat by axis, clipped to its panel. The
    /// view fits the body if there is none. `None` for a body without springs, and for positions
    /// that are not numbers.
    pub(super) fn of(body: &Body, x: &[f64], view: PanelView, size: PanelSize) -> Option<Self> {
        let model = &body.setup.model;
        let nodes = model.nodes();
        let position = |node: usize| match model.axes {
            2 => [x[node], x[nodes + node], 0.0],
            _ => [x[node], x[nodes + node], x[2 * nodes + node]],
        };
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let stride = nodes.div_ceil(SAMPLES).max(1);
        let some_nodes = || (0..nodes).step_by(stride).map(position);
        for at in some_nodes() {
            for axis in 0..3 {
                low[axis] = low[axis].min(at[axis]);
                high[axis] = high[axis].max(at[axis]);
            }
        }
        let drawn = model.structural();
        let stride = drawn.len().div_ceil(SAMPLES).max(1);
        let some = drawn.iter().step_by(stride);
        let count = some.len() as f64;
        let mean = some.map(|spring| model.span(x, spring).1).sum::<f64>() / count;
        let sides = [0, 1, 2].map(|axis| high[axis] - low[axis]);
        let middle = [0, 1, 2].map(|axis| 0.5 * (high[axis] + low[axis]));
        let is_known = view.plane.is_some() || view.space.is_some();
        let share = if is_known { PLOT } else { 1.0 };
        let size = PanelSize { width: share * size.width, height: share * size.height };
        let extent = if model.axes < 3 {
            let scale = match view.plane {
                Some(view) => (size.width / view.extent[0]).min(size.height / view.extent[1]),
                None => FILLED * (size.width / sides[0]).min(size.height / sides[1]),
            };
            let cell = mean * scale;
            let reach = [0.5 * size.width / scale, 0.5 * size.height / scale];
            let visible = view.plane.map_or(1.0, |view| {
                share_inside(some_nodes(), |at| {
                    Some([0, 1].map(|axis| (at[axis] - view.center[axis]) / reach[axis]))
                })
            });
            let area = sides[0] * sides[1] * scale * scale;
            Self { thread: cell, cell, area, visible }
        } else {
            let (scale, forward) = scale_in_space(view.space, middle, sides, size);
            let visible = view.space.map_or(1.0, |viewpoint| {
                let eye = Eye::new(viewpoint, size);
                share_inside(some_nodes(), |at| eye.place(at))
            });
            let [x, y, z] = forward.map(f64::abs);
            let area = x * sides[1] * sides[2] + y * sides[0] * sides[2] + z * sides[0] * sides[1];
            let cell = mean * scale;
            let area = area * scale * scale;
            Self { thread: FORESHORTENED * cell, cell, area, visible }
        };
        let clipped = Self {
            thread: extent.thread.min(size.width.max(size.height)),
            cell: extent.cell.min(size.width.max(size.height)),
            area: (extent.visible * extent.area).min(size.width * size.height),
            visible: extent.visible,
        };
        (extent.thread.is_finite() && extent.area.is_finite()).then_some(clipped)
    }
}

/// Returns the share of a body inside a picture, from 0 to 1, as the greater of two: the share of
/// its points, and the share of the box around them. `place` returns the position of a point, from
/// -1 to 1 inside the picture, or `None` for a point behind the eye.
fn share_inside(
    points: impl Iterator<Item = [f64; 3]>,
    place: impl Fn([f64; 3]) -> Option<[f64; 2]>,
) -> f64 {
    let (mut inside, mut count) = (0_u64, 0_u64);
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for point in points {
        count += 1;
        let Some(at) = place(point) else { continue };
        inside += u64::from(at.iter().all(|value| value.abs() <= 1.0));
        for axis in 0..2 {
            low[axis] = low[axis].min(at[axis]);
            high[axis] = high[axis].max(at[axis]);
        }
    }
    let side = |axis: usize| (high[axis].min(1.0) - low[axis].max(-1.0)).max(0.0);
    let whole = (high[0] - low[0]) * (high[1] - low[1]);
    let of_box = if whole > 0.0 { side(0) * side(1) / whole } else { 0.0 };
    of_box.max(inside as f64 / count.max(1) as f64)
}

/// Axes of a viewpoint in a picture.
struct Eye {
    eye: [f64; 3],
    forward: [f64; 3],
    upward: [f64; 3],
    right: [f64; 3],
    lens: Lens,
    /// Width over height of the picture.
    aspect: f64,
}

impl Eye {
    fn new(viewpoint: Viewpoint, size: PanelSize) -> Self {
        let aspect = size.width / size.height;
        let Viewpoint { eye, target, up, lens, .. } = viewpoint.upright(aspect);
        let forward = unit(sub(target, eye));
        let lift = dot(up, forward);
        let upward = unit([0, 1, 2].map(|axis| up[axis] - lift * forward[axis]));
        Self { eye, forward, upward, right: cross(forward, upward), lens, aspect }
    }

    /// Returns the position of a point in the picture, from -1 to 1 inside it; `None` behind the
    /// eye.
    fn place(&self, at: [f64; 3]) -> Option<[f64; 2]> {
        let to = sub(at, self.eye);
        let depth = dot(to, self.forward);
        let half = match self.lens {
            Lens::Perspective { field_of_view } => libm::tan(field_of_view * PI / 360.0) * depth,
            Lens::Orthographic { height } => 0.5 * height,
        };
        let across = [dot(to, self.right) / (half * self.aspect), dot(to, self.upward) / half];
        (depth > 0.0).then_some(across)
    }
}

/// Returns the pixels per unit of length at the middle of a body, and the unit vector of the line
/// of sight.
fn scale_in_space(
    viewpoint: Option<Viewpoint>,
    middle: [f64; 3],
    sides: [f64; 3],
    size: PanelSize,
) -> (f64, [f64; 3]) {
    let Some(viewpoint) = viewpoint else {
        let forward = unit(TO_EYE);
        let [x, y, z] = forward.map(|cosine| (1.0 - cosine * cosine).sqrt());
        let diagonal = ((x * sides[0]) * (x * sides[0]) + (z * sides[2]) * (z * sides[2])).sqrt();
        let high = y * sides[1] + forward[1] * diagonal;
        return (FILLED * (size.width / diagonal).min(size.height / high), forward);
    };
    let Viewpoint { eye, target, lens, .. } = viewpoint.upright(size.width / size.height);
    let to = |at: [f64; 3]| [0, 1, 2].map(|axis| at[axis] - eye[axis]);
    let forward = unit(to(target));
    let depth: f64 = to(middle).iter().zip(forward).map(|(at, along)| at * along).sum();
    let high = match lens {
        Lens::Perspective { field_of_view } => {
            let farthest = sides.iter().fold(0.0, |most: f64, side| most.max(*side));
            2.0 * libm::tan(field_of_view * PI / 360.0) * depth.max(0.5 * farthest)
        }
        Lens::Orthographic { height } => height,
    };
    (size.height / high, forward)
}

fn unit(vector: [f64; 3]) -> [f64; 3] {
    let length = vector.iter().map(|value| value * value).sum::<f64>().sqrt();
    vector.map(|value| value / length)
}
