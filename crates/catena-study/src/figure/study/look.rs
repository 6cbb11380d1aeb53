//! Looks of bodies and methods in figures. Each family of methods has a hue, and each member a
//! pattern and a marker, so that they can be distinguished without colour.

use crate::figure::chart::{Dash, Mark, Marker, REST};
use catena_draw::palette::{method_color, method_family, nth_shade};
use catena_draw::theme::Ink;
use image::Rgb;

/// Colour, pattern and marker of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Colour of line and markers.
    pub color: Ink,
    /// Pattern of the line.
    pub dash: Dash,
    /// Shape of the markers.
    pub marker: Marker,
}

/// Background colour of figures.
pub(super) const PAPER: Ink = Rgb([255; 3]);

const DASHES: [Dash; 6] = [
    Dash::Solid,
    Dash::Dashed,
    Dash::DashDotted,
    Dash::LongDashed,
    Dash::Dotted,
    Dash::DashDotDotted,
];

/// Markers of each family, which its members use alternately.
const MARKERS: [[Marker; 2]; 6] = [
    [Marker::Disc, Marker::Ring],
    [Marker::Square, Marker::OpenSquare],
    [Marker::Triangle, Marker::OpenTriangle],
    [Marker::Diamond, Marker::OpenDiamond],
    [Marker::Wedge, Marker::OpenWedge],
    [Marker::Cross, Marker::Plus],
];

/// Look of a method, by its name in scenes. No two methods have the same look, with or without
/// colour.
pub fn method_look(name: &str) -> Look {
    let [family, member] = method_family(name).unwrap_or_default();
    let places = DASHES.len();
    // Families beyond the list of markers share the markers of the first families, with other
    // patterns.
    let shift = family / MARKERS.len() * places / 2;
    Look {
        color: method_color(name, PAPER),
        dash: DASHES[(member + shift) % places],
        marker: MARKERS[family % MARKERS.len()][(member + member / places) % 2],
    }
}

/// Look of the `index`-th entry of a list.
pub fn nth_look(index: usize) -> Look {
    let (family, turn) = (index % MARKERS.len(), index / MARKERS.len());
    Look {
        color: nth_shade(index, PAPER),
        dash: DASHES[(family + turn) % DASHES.len()],
        marker: MARKERS[family][turn % 2],
    }
}

impl Look {
    /// Returns the look in grey, with the same pattern and marker.
    #[must_use]
    pub fn grey(self) -> Self {
        Self { color: REST, ..self }
    }

    /// Creates a line without markers.
    pub(super) fn line(self, points: Vec<[f64; 2]>, label: Option<String>, width: f64) -> Mark {
        Mark::Line { points, color: self.color, label, dash: self.dash, width }
    }

    /// Creates markers without a line.
    pub(super) fn points(self, points: Vec<[f64; 2]>, label: Option<String>, size: f64) -> Mark {
        Mark::Points { points, color: self.color, label, shape: self.marker, size }
    }

    /// Creates a line and markers on it, which share a name.
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
