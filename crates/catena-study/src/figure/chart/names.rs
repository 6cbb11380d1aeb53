//! Places the names of marks: at their ends if they fit, otherwise in the legend.

use super::frame::{PlotFrame, REST};
use super::label::{OccupiedGrid, pushed_apart};
use super::path::Point;
use super::patterns::{Dash, Marker};
use super::plot::{CellClass, CellLook, Mark, Plot};
use super::typeface::Typeface;
use crate::figure::chart::text_sizes::{LINE, SMALL};
use catena_draw::theme::Ink;
use image::Rgb;

/// Minimum number of comparison lines that share one name.
const MANY: usize = 3;

/// Sample of a mark, drawn next to its name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Swatch {
    /// Line, and the marker of the points on it.
    Line(Ink, f64, Dash, Option<(Marker, f64)>),
    Marker(Ink, Marker, f64),
    Square(Ink),
    Hatched(Ink),
}

/// Ink of the sample of a name whose colour differs between plots.
const TEXT: Ink = Rgb([17, 24, 32]);

impl Swatch {
    /// Ink of the sample.
    pub fn ink(&self) -> Ink {
        match self {
            Self::Line(ink, ..)
            | Self::Marker(ink, ..)
            | Self::Square(ink)
            | Self::Hatched(ink) => *ink,
        }
    }
}

impl Swatch {
    /// Returns the sample in another ink.
    fn in_ink(self, ink: Ink) -> Self {
        match self {
            Self::Line(_, width, dash, marker) => Self::Line(ink, width, dash, marker),
            Self::Marker(_, marker, size) => Self::Marker(ink, marker, size),
            Self::Square(_) => Self::Square(ink),
            Self::Hatched(_) => Self::Hatched(ink),
        }
    }
}

/// Name of a mark with its sample.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MarkName {
    pub text: String,
    pub swatch: Swatch,
}

/// Name beside the frame, at the height of its line's end.
pub(super) struct NameAtEnd {
    pub name: MarkName,
    /// End of the mark.
    pub end: Point,
    /// Vertical position of the name.
    pub y: f64,
}

/// Name inside the frame.
pub(super) struct NameInside {
    pub text: String,
    /// Left end of the name, at the middle of its height.
    pub at: Point,
}

/// Positions of all names of a plot.
#[derive(Default)]
pub(super) struct PlotNames {
    pub at_end: Vec<NameAtEnd>,
    pub inside: Vec<NameInside>,
    pub legend: Vec<MarkName>,
    /// Width of the names beside the frame.
    pub width: f64,
}

/// Names of all plots for a legend, without duplicates. Comparison lines come last.
///
/// A name whose colour differs between plots gets the ink of text. Many comparison lines share one
/// name.
pub(super) fn legend_names<'a>(plots: impl Iterator<Item = &'a PlotNames>) -> Vec<MarkName> {
    let mut all: Vec<(usize, MarkName)> = Vec::new();
    for (index, names) in plots.enumerate() {
        for name in &names.legend {
            let is_own = |swatch: &Swatch| swatch.ink() != REST;
            let is_met = |(plot, other): &&mut (usize, MarkName)| {
                let is_twin = *plot != index
                    && other.text == name.text
                    && is_own(&other.swatch)
                    && is_own(&name.swatch)
                    && other.swatch.in_ink(TEXT) == name.swatch.in_ink(TEXT);
                is_twin || other == name
            };
            match all.iter_mut().find(is_met) {
                Some((_, other)) if other != name => other.swatch = other.swatch.in_ink(TEXT),
                Some(_) => {}
                None => all.push((index, name.clone())),
            }
        }
    }
    let all = all.into_iter().map(|(_, name)| name);
    let (rest, mut all): (Vec<_>, Vec<_>) = all.partition(|name| name.swatch.ink() == REST);
    match rest.len() >= MANY {
        true => {
            let swatch = Swatch::Line(REST, 1.1, Dash::Solid, None);
            let text = format!("{} other methods", rest.len());
            all.push(MarkName { text, swatch });
        }
        false => all.extend(rest),
    }
    all
}

/// Distance from the frame to the names beside it, in pixels.
pub(super) const LEADER: f64 = 44.0;

/// End of a mark, near which its name is placed.
enum MarkEnd {
    /// Last point of a line.
    Point(Point),
    /// Vertical position of a horizontal rule.
    Across(f64),
    /// Horizontal position of a vertical rule.
    Upright(f64),
    /// No end: the name goes into the legend.
    None,
}

/// Finds positions for the names of a plot. `is_known` returns whether a plot to the right already
/// has a name.
pub(super) fn names(
    panel: &PlotFrame<'_>,
    typeface: &Typeface,
    is_known: impl Fn(&MarkName) -> bool,
) -> PlotNames {
    let mut names = PlotNames::default();
    let wanted = wanted(panel, is_known);
    let order: Vec<MarkName> = wanted.iter().map(|(name, _)| name.clone()).collect();
    let mut occupied = None;
    let mut at_side = Vec::new();
    // Names of lines that end inside the frame are either all inside the frame or all in the
    // legend, since a mixture would be confusing.
    let mut within = Vec::new();
    let mut is_crowded = false;
    for (name, end) in wanted {
        let occupied = occupied.get_or_insert_with(|| occupied_by(panel));
        match end {
            MarkEnd::None => names.legend.push(name),
            MarkEnd::Point(_) if panel.is_repeated => names.legend.push(name),
            MarkEnd::Point(end) if ends_at_border(end, panel.size, occupied) => {
                at_side.push((name, end));
            }
            _ => {
                let size = [typeface.width(&name.text, SMALL), LINE];
                let place = take_free_place(&end, size, panel.size, occupied);
                let is_line = matches!(end, MarkEnd::Point(_));
                is_crowded |= is_line && place.is_none();
                within.push((name, is_line, place));
            }
        }
    }
    for (name, is_line, place) in within {
        match place {
            Some(at) if !(is_line && is_crowded) => {
                names.inside.push(NameInside { text: name.text, at });
            }
            _ => names.legend.push(name),
        }
    }
    place_at_side(panel, typeface, at_side, &mut names);
    // The legend lists names in the order of their marks.
    names.legend.sort_by_key(|name| order.iter().position(|other| other == name));
    names
}

/// Names of a plot's marks without duplicates, each with its mark's end.
fn wanted(panel: &PlotFrame<'_>, is_known: impl Fn(&MarkName) -> bool) -> Vec<(MarkName, MarkEnd)> {
    let mut wanted: Vec<(MarkName, MarkEnd)> = Vec::new();
    for mark in &panel.plot.marks {
        for (name, end) in of_mark(panel, mark) {
            // The name of a rule is written at every rule.
            let is_elsewhere = !matches!(mark, Mark::Rule { .. }) && is_known(&name);
            match wanted.iter_mut().find(|(other, _)| is_same(other, &name)) {
                // A line and the points on it share a name, which is placed at the line's end.
                Some((known, known_end)) => {
                    known.swatch = joined(known.swatch, name.swatch);
                    if matches!(known_end, MarkEnd::None) {
                        *known_end = end;
                    }
                }
                None if name.text.is_empty() || is_elsewhere => {}
                None => wanted.push((name, end)),
            }
        }
    }
    wanted
}

/// Combined sample of the marks that have the name `text` in a plot; `None` if no mark has the
/// name.
pub(super) fn swatch_of(plot: &Plot, text: &str) -> Option<Swatch> {
    let is_named = |label: &Option<String>| label.as_deref() == Some(text);
    let samples = plot.marks.iter().filter_map(|mark| match mark {
        Mark::Line { color, label, dash, width, .. } if is_named(label) => {
            Some(Swatch::Line(*color, *width, *dash, None))
        }
        Mark::Points { color, label, shape, size, .. } if is_named(label) => {
            Some(Swatch::Marker(*color, *shape, *size))
        }
        _ => None,
    });
    samples.reduce(joined)
}

/// Combines the samples of a line and of the points on it.
fn joined(a: Swatch, b: Swatch) -> Swatch {
    match (a, b) {
        (Swatch::Line(ink, width, dash, None), Swatch::Marker(_, shape, size))
        | (Swatch::Marker(_, shape, size), Swatch::Line(ink, width, dash, None)) => {
            Swatch::Line(ink, width, dash, Some((shape, size)))
        }
        _ => a,
    }
}

/// Whether a line ends close enough to the right border for a name beside the frame.
fn ends_at_border([x, y]: Point, [width, height]: [f64; 2], occupied: &OccupiedGrid) -> bool {
    let (length, top) = (width - x - 8.0, (y - 1.0).clamp(0.0, height - 2.0));
    x >= 0.93 * width || (x >= 0.8 * width && occupied.is_free([x + 5.0, top], [length, 2.0]))
}

/// Whether two names are the same: a line and the points on it share text and colour.
pub(super) fn is_same(a: &MarkName, b: &MarkName) -> bool {
    a.text == b.text && a.swatch.ink() == b.swatch.ink()
}

/// Places names beside the frame, or in the legend if there are too many or they are too long.
fn place_at_side(
    panel: &PlotFrame<'_>,
    typeface: &Typeface,
    mut at_side: Vec<(MarkName, Point)>,
    names: &mut PlotNames,
) {
    let width = |name: &MarkName| typeface.width(&name.text, SMALL);
    let maximum = (0.8 * panel.size[0]).max(200.0);
    while let Some(index) = at_side.iter().position(|(name, _)| width(name) > maximum) {
        names.legend.push(at_side.remove(index).0);
    }
    let widest = at_side.iter().map(|(name, _)| width(name)).fold(0.0, f64::max);
    if LEADER + widest > panel.side_room {
        names.legend.extend(at_side.into_iter().map(|(name, _)| name));
        return;
    }
    let ends: Vec<f64> = at_side.iter().map(|(_, end)| end[1]).collect();
    // Names may extend slightly beyond the frame, as numbers at ticks do.
    let Some(heights) = pushed_apart(&ends, LINE - 1.0, [0.0, panel.size[1]]) else {
        names.legend.extend(at_side.into_iter().map(|(name, _)| name));
        return;
    };
    names.width = if at_side.is_empty() { 0.0 } else { LEADER + widest };
    let placed = at_side.into_iter().zip(heights);
    names.at_end = placed.map(|((name, end), y)| NameAtEnd { name, end, y }).collect();
}

/// Names of a mark, each with the mark's end.
fn of_mark(panel: &PlotFrame<'_>, mark: &Mark) -> Vec<(MarkName, MarkEnd)> {
    let name = |label: &Option<String>, swatch| {
        label.iter().map(|text| MarkName { text: text.clone(), swatch }).collect::<Vec<MarkName>>()
    };
    let (names, end) = match mark {
        Mark::Line { points, color, label, dash, width } => {
            let end = right_end(panel, points);
            (
                name(label, Swatch::Line(*color, *width, *dash, None)),
                end.map_or(MarkEnd::None, MarkEnd::Point),
            )
        }
        Mark::Points { points, color, label, shape, size } => {
            let shown: Vec<Point> = panel.line(points).into_iter().flatten().collect();
            let end = match shown[..] {
                [[x, y]] if panel.holds([x, y]) => MarkEnd::Point([x, y]),
                _ => MarkEnd::None,
            };
            (name(label, Swatch::Marker(*color, *shape, *size)), end)
        }
        Mark::Area { upper, lower, color, label } => {
            let middle = |(a, b): (&[f64; 2], &[f64; 2])| {
                let inside = |[x, y]: Point| [x, y.clamp(0.0, panel.size[1])];
                let (a, b) = (inside(panel.place_low(*a)?), inside(panel.place_low(*b)?));
                Some([a[0], (a[1] + b[1]) / 2.0])
            };
            let middles = upper.iter().zip(lower).map(middle);
            let shown = middles.flatten().filter(|point| panel.holds(*point));
            let end = shown.reduce(|a, b| if b[0] >= a[0] { b } else { a });
            (name(label, Swatch::Square(*color)), end.map_or(MarkEnd::None, MarkEnd::Point))
        }
        Mark::Rule { at, is_horizontal, color, label, dash } => {
            let share = panel.spans[usize::from(*is_horizontal)].share(*at);
            let end = match share.filter(|share| (0.0..=1.0).contains(share)) {
                None => return Vec::new(),
                Some(share) if *is_horizontal => MarkEnd::Across((1.0 - share) * panel.size[1]),
                Some(share) => MarkEnd::Upright(share * panel.size[0]),
            };
            (name(label, Swatch::Line(*color, 1.2, *dash, None)), end)
        }
        Mark::Cells { classes, .. } => {
            return classes.iter().filter_map(of_class).collect();
        }
        Mark::Picture { .. } | Mark::Text { .. } => return Vec::new(),
    };
    names.into_iter().zip([end]).collect()
}

/// Name of a class of cells in the legend; `None` for a colour of the colour bar.
fn of_class(class: &CellClass) -> Option<(MarkName, MarkEnd)> {
    let swatch = match class.look {
        CellLook::Named => Swatch::Square(class.ink),
        CellLook::Hatched => Swatch::Hatched(class.ink),
        CellLook::Shade => return None,
    };
    Some((MarkName { text: class.name.clone(), swatch }, MarkEnd::None))
}

/// Right end of the visible part of a line.
fn right_end(panel: &PlotFrame<'_>, points: &[[f64; 2]]) -> Option<Point> {
    let shown = |point: &[f64; 2]| panel.place(*point).filter(|point| panel.holds(*point));
    let first = points.iter().find_map(shown)?;
    let last = points.iter().rev().find_map(shown)?;
    Some(if first[0] > last[0] { first } else { last })
}

/// Areas of a frame that names must not cover.
fn occupied_by(panel: &PlotFrame<'_>) -> OccupiedGrid {
    let mut occupied = OccupiedGrid::new(panel.size);
    for mark in &panel.plot.marks {
        match mark {
            Mark::Line { points, .. } => {
                let placed = panel.line(points);
                for pair in placed.windows(2) {
                    if let [Some(a), Some(b)] = pair {
                        occupied.occupy_segment([*a, *b]);
                    }
                }
            }
            Mark::Points { points, size, .. } => {
                let size = size.clamp(0.5, 100.0);
                for [x, y] in panel.line(points).into_iter().flatten() {
                    occupied.occupy([x - size / 2.0, y - size / 2.0], [size, size]);
                }
            }
            Mark::Rule { at, is_horizontal, .. } => {
                let [width, height] = panel.size;
                match panel.spans[usize::from(*is_horizontal)].share(*at) {
                    Some(share) if *is_horizontal => {
                        let y = (1.0 - share) * height;
                        occupied.occupy_segment([[0.0, y], [width, y]]);
                    }
                    Some(share) => {
                        occupied.occupy_segment([[share * width, 0.0], [share * width, height]]);
                    }
                    None => {}
                }
            }
            Mark::Area { .. } | Mark::Cells { .. } | Mark::Picture { .. } | Mark::Text { .. } => {}
        }
    }
    occupied
}

/// Occupies a free box for a name near the end of its mark, and returns the middle of its left
/// side. `None` if no box is free.
fn take_free_place(
    end: &MarkEnd,
    [width, height]: [f64; 2],
    frame: [f64; 2],
    occupied: &mut OccupiedGrid,
) -> Option<Point> {
    let (left, middle) = (-width, -width / 2.0);
    let places: Vec<Point> = match *end {
        MarkEnd::None => Vec::new(),
        MarkEnd::Point([x, y]) => {
            let (up, down) = (y - height - 3.0, y + 3.0);
            vec![
                [x + 6.0, y - height / 2.0],
                [x + middle, up],
                [x + middle, down],
                [x + left - 6.0, y - height / 2.0],
                [x + 4.0, up],
                [x + 4.0, down],
                [x + left - 4.0, up],
                [x + left - 4.0, down],
            ]
        }
        MarkEnd::Across(y) => {
            let across = [frame[0] - width - 4.0, 6.0, 0.25 * frame[0], 0.5 * frame[0]];
            across.iter().flat_map(|x| [[*x, y - height - 2.0], [*x, y + 2.0]]).collect()
        }
        MarkEnd::Upright(x) => {
            let along = [4.0, frame[1] - height - 4.0, 0.2 * frame[1], 0.4 * frame[1]];
            along.iter().flat_map(|y| [[x + 5.0, *y], [x + left - 5.0, *y]]).collect()
        }
    };
    let corner = places.into_iter().find(|corner| occupied.is_free(*corner, [width, height]))?;
    occupied.occupy(corner, [width, height]);
    Some([corner[0], corner[1] + height / 2.0])
}
