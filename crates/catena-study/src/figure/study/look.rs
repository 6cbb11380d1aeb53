//! How bodies and methods look in figures: a hue for each family of methods, and a pattern and a
//! marker for each of its members, so that they are told apart without colour.

use crate::figure::chart::{Dash, Mark, Marker, REST};
use catena_draw::palette::{method_color, method_family, nth_shade};
use catena_draw::theme::Ink;
use image::Rgb;

/// Colour, pattern and marker of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Its colour.
    pub color: Ink,
    /// Its pattern.
    pub dash: Dash,
    /// The shape of the points on it.
    pub marker: Marker,
}

/// What figures are drawn on.
pub(super) const PAPER: Ink = Rgb([255; 3]);

const DASHES: [Dash; 6] = [
    Dash::Solid,
    Dash::Dashed,
    Dash::DashDotted,
    Dash::LongDashed,
    Dash::Dotted,
    Dash::DashDotDotted,
];

/// The markers of a family: its members take turns.
const MARKERS: [[Marker; 2]; 6] = [
    [Marker::Disc, Marker::Ring],
    [Marker::Square, Marker::OpenSquare],
    [Marker::Triangle, Marker::OpenTriangle],
    [Marker::Diamond, Marker::OpenDiamond],
    [Marker::Wedge, Marker::OpenWedge],
    [Marker::Cross, Marker::Plus],
];

/// The look of a method, by the name that scenes write. No two methods have the same, with colour
/// or without.
pub fn method_look(name: &str) -> Look {
    let [family, member] = method_family(name).unwrap_or_default();
    let places = DASHES.len();
    Look {
        color: method_color(name, PAPER),
        dash: DASHES[member % places],
        marker: MARKERS[family % MARKERS.len()][(member + member / places) % 2],
    }
}

/// The look of the `index`-th entry of a list.
pub fn nth_look(index: usize) -> Look {
    let (family, turn) = (index % MARKERS.len(), index / MARKERS.len());
    Look {
        color: nth_shade(index, PAPER),
        dash: DASHES[(family + turn) % DASHES.len()],
        marker: MARKERS[family][turn % 2],
    }
}

impl Look {
    /// The same pattern and marker in grey.
    #[must_use]
    pub fn grey(self) -> Self {
        Self { color: REST, ..self }
    }

    /// A line without markers.
    pub(super) fn line(self, points: Vec<[f64; 2]>, label: Option<String>, width: f64) -> Mark {
        Mark::Line { points, color: self.color, label, dash: self.dash, width }
    }

    /// Markers without a line.
    pub(super) fn points(self, points: Vec<[f64; 2]>, label: Option<String>, size: f64) -> Mark {
        Mark::Points { points, color: self.color, label, shape: self.marker, size }
    }

    /// A line and markers on it, which share a name.
    pub(super) fn line_with(
        self,
        points: Vec<[f64; 2]>,
        marked: Vec<[f64; 2]>,
        label: &str,
        width: f64,
    ) -> [Mark; 2] {
        let label = Some(label.to_string());
        [self.line(points, label.clone(), width), self.points(marked, label, 3.2 + width)]
    }
}
