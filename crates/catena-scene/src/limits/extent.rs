//! Approximate size of bodies in pictures, from their initial positions and the view of a panel.

use crate::parts::{Body, Lens, Panel, Viewpoint};
use std::f64::consts::PI;

/// Direction from the bodies to the eye of an automatic view of space, as in the module `camera` of
/// catena-draw.
const TO_EYE: [f64; 3] = [0.45, 0.35, 1.0];
/// Share of a picture that the bodies fill in an automatic view.
const FILLED: f64 = 0.85;
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
    /// Area of the box around the body.
    pub(super) area: f64,
}

/// Size of a panel in pixels.
#[derive(Clone, Copy)]
pub(super) struct PanelSize {
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Extent {
    /// Returns the size of a body at the start, clipped to its panel. The view is the panel's, or
    /// fits the body. `None` for a body without springs, and for positions that are not numbers.
    pub(super) fn of(body: &Body, panel: &Panel, size: PanelSize) -> Option<Self> {
        let setup = &body.setup;
        let (model, initial) = (&setup.model, &setup.initial);
        let nodes = model.nodes();
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let stride = nodes.div_ceil(SAMPLES).max(1);
        for at in (0..nodes).step_by(stride).map(|node| initial.position(nodes, node)) {
            for axis in 0..3 {
                low[axis] = low[axis].min(at[axis]);
                high[axis] = high[axis].max(at[axis]);
            }
        }
        let drawn = model.structural();
        let stride = drawn.len().div_ceil(SAMPLES).max(1);
        let some = drawn.iter().step_by(stride);
        let count = some.len() as f64;
        let mean = some.map(|spring| model.span(&initial.x, spring).1).sum::<f64>() / count;
        let sides = [0, 1, 2].map(|axis| high[axis] - low[axis]);
        let middle = [0, 1, 2].map(|axis| 0.5 * (high[axis] + low[axis]));
        let extent = if model.axes < 3 {
            let scale = match &panel.view {
                Some(view) => (size.width / view.extent[0]).min(size.height / view.extent[1]),
                None => FILLED * (size.width / sides[0]).min(size.height / sides[1]),
            };
            let cell = mean * scale;
            Self { thread: cell, cell, area: sides[0] * sides[1] * scale * scale }
        } else {
            let (scale, forward) = scale_in_space(panel, middle, sides, size);
            let [x, y, z] = forward.map(f64::abs);
            let area = x * sides[1] * sides[2] + y * sides[0] * sides[2] + z * sides[0] * sides[1];
            let cell = mean * scale;
            Self { thread: FORESHORTENED * cell, cell, area: area * scale * scale }
        };
        let clipped = Self {
            thread: extent.thread.min(size.width.max(size.height)),
            cell: extent.cell.min(size.width.max(size.height)),
            area: extent.area.min(size.width * size.height),
        };
        (extent.thread.is_finite() && extent.area.is_finite()).then_some(clipped)
    }
}

/// Returns the pixels per unit of length at the middle of a body, and the unit vector of the line
/// of sight.
fn scale_in_space(
    panel: &Panel,
    middle: [f64; 3],
    sides: [f64; 3],
    size: PanelSize,
) -> (f64, [f64; 3]) {
    let Some(viewpoint) = panel.viewpoint else {
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
