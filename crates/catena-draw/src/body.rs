//! Parts of bodies as drawn in one frame: positions, threads, cells and appearance, in the plane
//! and in space.

use super::color_scale::ColorScale;
use super::quantity::Values;
use super::theme::Ink;
use super::vector::Vec3;
use super::wound::Winding;
use crate::changes::BodyChanges;
use catena_scene::{Style, SurfaceStyle};
use catena_sim::{Arrangement, Form, Model, Part, SpringMemory};
use std::collections::BTreeSet;

/// Appearance of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyLook {
    /// Colour of body and nodes.
    pub ink: Ink,
    /// Colour of the ring around a pin.
    pub pin: Ink,
    /// Colour inside that ring.
    pub pin_inside: Ink,
    /// Sizes and shapes.
    pub style: Style,
    /// Scale of line widths, relative to a picture of 1280x720.
    pub stroke: f64,
    /// Opacity of the body with all its nodes and pins: 0 is invisible, 255 opaque.
    pub alpha: u8,
    /// Whether this is a ghost, which shows an earlier position of the body.
    pub is_ghost: bool,
    /// Scale of weights. `None` for the scale of the part's own weights.
    pub weight_scale: Option<WeightScale>,
}

impl BodyLook {
    /// Appearance with line width and node size scaled to the picture.
    pub fn new(ink: Ink, pin: [Ink; 2], style: Style, stroke: f64) -> Self {
        let (line_width, node_size) = (style.line_width * stroke, style.node_size * stroke);
        let style = Style { line_width, node_size, ..style };
        let (alpha, weight_scale) = (style.alpha, None);
        let [pin, pin_inside] = pin;
        Self { ink, pin, pin_inside, style, stroke, alpha, is_ghost: false, weight_scale }
    }
}

/// A part of a body at one moment.
#[derive(Clone, Copy, Debug)]
pub struct DrawnPart<'a> {
    /// Nodes and springs of the body.
    pub model: &'a Model,
    /// Part of the body. `None` for a body that is one chain or one sheet.
    pub part: Option<&'a Part>,
    /// Positions of the body's nodes, flat by axis.
    pub x: &'a [f64],
    /// State of the body's springs. Broken ones are not drawn.
    pub springs: &'a SpringMemory,
    /// Changes made by events.
    pub changes: &'a BodyChanges,
    /// Values that the colours show, and their scale.
    pub values: Option<(&'a Values, &'a ColorScale)>,
    /// Winding of the strands. `None` derives it from the shape.
    pub winding: Option<Winding>,
    /// Appearance of the part.
    pub look: BodyLook,
}

/// A facet of a surface with three or four corners.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    corners: [Vec3; 4],
    nodes: [usize; 4],
    count: usize,
}

impl Cell {
    /// Corners, counterclockwise when seen from the front.
    pub fn corners(&self) -> &[Vec3] {
        &self.corners[..self.count]
    }

    /// Indices of the corners in the part.
    pub fn nodes(&self) -> &[usize] {
        &self.nodes[..self.count]
    }
}

/// All parts of a body at one moment. `looks` has one entry per part, in the same order.
pub fn drawn_parts<'a>(
    model: &'a Model,
    x: &'a [f64],
    springs: &'a SpringMemory,
    changes: &'a BodyChanges,
    looks: impl IntoIterator<Item = BodyLook>,
) -> impl Iterator<Item = DrawnPart<'a>> {
    let parts: Vec<Option<&Part>> = match model.arrangement {
        Arrangement::Parts => model.parts.iter().map(Some).collect(),
        Arrangement::Chain | Arrangement::Sheet { .. } => vec![None],
    };
    let part = move |(part, look)| DrawnPart {
        model,
        part,
        x,
        springs,
        changes,
        values: None,
        winding: None,
        look,
    };
    parts.into_iter().zip(looks).map(part)
}

impl DrawnPart<'_> {
    /// Number of nodes in the part.
    pub fn nodes(&self) -> usize {
        self.part.map_or(self.model.nodes(), |part| part.nodes.len())
    }

    /// Index in the body of node `i` of the part.
    pub(super) fn number(&self, i: usize) -> usize {
        self.part.map_or(i, |part| part.nodes[i])
    }

    /// Whether a node of the part is pinned at this moment.
    pub fn is_pinned(&self, i: usize) -> bool {
        let number = self.number(i);
        self.changes.pinned.get(number).copied().unwrap_or(self.model.pinned[number])
    }

    /// Whether both parts belong to the same body at the same moment and have the same opacity.
    pub fn is_drawn_with(&self, other: &Self) -> bool {
        std::ptr::eq(self.x, other.x) && self.look.alpha == other.look.alpha
    }

    /// Whether this is the first part of its body. Objects that belong to no part are drawn with
    /// the first part.
    pub fn is_first(&self) -> bool {
        let first = self.model.parts.first();
        self.part.is_none_or(|part| first.is_some_and(|first| std::ptr::eq(first, part)))
    }

    /// Position of a node of the part; z is 0 in the plane.
    pub fn node(&self, i: usize) -> Vec3 {
        self.place(self.number(i))
    }

    /// Position of a node of the body.
    pub fn place(&self, number: usize) -> Vec3 {
        let n = self.model.nodes();
        [0, 1, 2].map(|axis| self.x.get(axis * n + number).copied().unwrap_or(0.0))
    }

    /// Indices in the body of the part's structural springs.
    fn spring_numbers(&self) -> impl Iterator<Item = usize> + '_ {
        let count = self.part.map_or(self.model.structural, |part| part.springs.len());
        (0..count).map(|j| self.part.map_or(j, |part| part.springs[j]))
    }

    /// Ends of all unbroken structural springs, and of joints made by events.
    pub fn threads(&self) -> impl Iterator<Item = [Vec3; 2]> + '_ {
        self.threads_with_lengths().map(|(ends, _)| ends.map(|number| self.place(number)))
    }

    /// Indices of both ends and rest length of the springs in [`Self::threads`].
    pub fn threads_with_lengths(&self) -> impl Iterator<Item = ([usize; 2], f64)> + '_ {
        let springs = &self.model.springs;
        self.drawn_springs().map(|j| ([springs[j].a, springs[j].b], springs[j].rest_length))
    }

    /// Indices of all unbroken structural springs, and of joints made by events.
    fn drawn_springs(&self) -> impl Iterator<Item = usize> + '_ {
        let springs = &self.model.springs;
        let joints = if self.is_first() { self.changes.joints } else { 0 };
        let joints = springs.len() - joints.min(springs.len())..springs.len();
        let drawn = self.spring_numbers().chain(joints);
        drawn.filter(|&j| !self.springs.is_broken(j))
    }

    /// Cells of a sheet, or triangles of a mesh, without broken threads. Empty for other parts.
    pub fn cells(&self) -> Vec<Cell> {
        match (self.model.arrangement, self.part.map(|part| &part.form)) {
            (_, Some(&Form::Sheet { rows, columns }))
            | (Arrangement::Sheet { rows, columns }, None) => self.sheet_cells(rows, columns),
            (_, Some(Form::Mesh { facets })) => self.triangles(facets),
            _ => Vec::new(),
        }
    }

    fn sheet_cells(&self, rows: usize, columns: usize) -> Vec<Cell> {
        // A part lists the springs along rows first, followed by those along columns.
        let spring = |j: usize| self.part.map_or(j, |part| part.springs[j]);
        let along = |row: usize, column: usize| spring(row * (columns - 1) + column);
        let down =
            |row: usize, column: usize| spring(rows * (columns - 1) + row * columns + column);
        let mut cells = Vec::with_capacity((rows - 1) * (columns - 1));
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let edges = [
                    along(row, column),
                    along(row + 1, column),
                    down(row, column),
                    down(row, column + 1),
                ];
                if edges.iter().any(|&edge| self.springs.is_broken(edge)) {
                    continue;
                }
                let corner = row * columns + column;
                // Counterclockwise if rows go down and columns go right, so that the normal points
                // to the front.
                let nodes = [corner, corner + columns, corner + columns + 1, corner + 1];
                cells.push(Cell { corners: nodes.map(|i| self.node(i)), nodes, count: 4 });
            }
        }
        cells
    }

    fn triangles(&self, facets: &[[usize; 3]]) -> Vec<Cell> {
        let pair = |a: usize, b: usize| (a.min(b), a.max(b));
        let broken = self.spring_numbers().filter(|&j| self.springs.is_broken(j));
        let broken: BTreeSet<_> =
            broken.map(|j| pair(self.model.springs[j].a, self.model.springs[j].b)).collect();
        let is_whole = |facet: &&[usize; 3]| {
            let [a, b, c] = facet.map(|i| self.number(i));
            broken.is_empty()
                || ![pair(a, b), pair(b, c), pair(c, a)].iter().any(|edge| broken.contains(edge))
        };
        let cell = |facet: &[usize; 3]| {
            let nodes = [facet[0], facet[1], facet[2], facet[0]];
            Cell { corners: nodes.map(|i| self.node(i)), nodes, count: 3 }
        };
        facets.iter().filter(is_whole).map(cell).collect()
    }

    /// Number of columns of a sheet. `None` for other parts.
    pub fn columns(&self) -> Option<usize> {
        match (self.model.arrangement, self.part.map(|part| &part.form)) {
            (_, Some(&Form::Sheet { columns, .. }))
            | (Arrangement::Sheet { columns, .. }, None) => Some(columns),
            _ => None,
        }
    }

    /// Colour of a node of the part.
    pub fn node_ink(&self, i: usize) -> Ink {
        self.ink_of(self.number(i))
    }

    /// Colour of a node of the body.
    pub fn ink_of(&self, number: usize) -> Ink {
        match self.values {
            Some((values, scale)) => scale.ink(values.nodes.get(number).copied().unwrap_or(0.0)),
            None => self.look.ink,
        }
    }

    /// Ends and colour of all unbroken structural springs and joints.
    pub fn colored_threads(&self) -> impl Iterator<Item = ([Vec3; 2], Ink)> + '_ {
        self.drawn_springs().map(|j| {
            let spring = &self.model.springs[j];
            let ink = match self.values {
                Some((values, scale)) => scale.ink(values.springs.get(j).copied().unwrap_or(0.0)),
                None => self.look.ink,
            };
            ([self.place(spring.a), self.place(spring.b)], ink)
        })
    }

    /// Mean rest length of the structural springs; 0 if there are none.
    pub fn spacing(&self) -> f64 {
        let lengths = || self.spring_numbers().map(|j| self.model.springs[j].rest_length);
        lengths().sum::<f64>() / lengths().count().max(1) as f64
    }

    /// Maximum size of node marks and threads that does not hide springs: the spacing. Infinite
    /// without springs.
    pub fn room(&self) -> f64 {
        if self.spring_numbers().next().is_some() { self.spacing() } else { f64::INFINITY }
    }

    /// Whether the part is a rope or ring, not a sheet, mesh or net.
    pub fn is_rope(&self) -> bool {
        match self.part {
            Some(part) => matches!(part.form, Form::Rope { .. }),
            None => self.model.arrangement == Arrangement::Chain,
        }
    }

    /// Whether the part has cells that can be filled.
    pub fn has_cells(&self) -> bool {
        self.part.map_or_else(|| !self.is_rope(), Part::is_surface)
    }

    /// Whether the part is drawn as a filled surface.
    pub fn is_filled(&self) -> bool {
        self.has_cells() && self.look.style.surface == SurfaceStyle::Facets
    }
}

/// Thickness of a thread in pixels for the given cell size. The limit keeps threads from filling a
/// fine cloth.
pub fn thread_width(line_width: f64, cell: f64) -> f64 {
    line_width.min((0.25 * cell).max(0.5))
}

/// Diameter of a node in pixels for the given spring length. `None` if nodes would hide the
/// springs.
pub fn node_size(figure: &DrawnPart<'_>, spacing: f64) -> Option<f64> {
    let style = &figure.look.style;
    if !figure.is_rope() {
        return (spacing >= 4.0 * style.node_size).then_some(style.node_size);
    }
    // Nodes closer together than their size would hide the rope, so they shrink and then vanish.
    let size = style.node_size.min(0.7 * spacing);
    (size > style.line_width).then_some(size)
}

/// Minimum mass of a weight, relative to the mean of the usual nodes of its part.
const HEAVY: f64 = 4.0;

/// Range of the diameter of a weight, relative to the diameter of a node.
const WEIGHT_SIZES: [f64; 2] = [1.6, 4.0];

/// Scale of the balls of weights: all weights of a scene are balls of one density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightScale {
    /// Mass of a ball with the diameter of a node.
    usual: f64,
    /// Diameter of the largest ball, relative to that of a node.
    largest: f64,
}

impl WeightScale {
    /// Common scale of the weights of several parts. `None` if there are no weights.
    pub fn of<'a>(parts: impl Iterator<Item = DrawnPart<'a>>) -> Option<Self> {
        let all: Vec<PartWeights> = parts.filter_map(|part| part_weights(&part)).collect();
        let usual = all.iter().map(|part| part.usual).reduce(f64::min)?.max(f64::MIN_POSITIVE);
        let scale = Self { usual, largest: 0.0 };
        let largest = |part: &PartWeights| {
            let sizes = part.nodes.iter().map(|(_, mass)| scale.size(*mass, part.minimum));
            sizes.fold(0.0, f64::max)
        };
        let sizes = all.iter().map(largest);
        Some(Self { largest: sizes.fold(WEIGHT_SIZES[1], f64::max), ..scale })
    }

    /// Diameter of a ball of this mass relative to that of a node, before the largest is limited.
    fn size(&self, mass: f64, minimum: f64) -> f64 {
        libm::cbrt(mass / self.usual).max(minimum)
    }
}

/// Weights of a part.
struct PartWeights {
    /// Indices in the part, and masses.
    nodes: Vec<(usize, f64)>,
    /// Mass of a usual node.
    usual: f64,
    /// Minimum diameter of a weight, relative to that of a node.
    minimum: f64,
}

/// Nodes of a part that are much heavier than its usual ones. In a part without springs, these are
/// all nodes heavier than the lightest one. `None` if there are none.
fn part_weights(figure: &DrawnPart<'_>) -> Option<PartWeights> {
    let n = figure.nodes();
    if figure.look.is_ghost || n < 2 {
        return None;
    }
    let mass = |i: usize| figure.model.mass[figure.number(i)];
    let range = (0..n)
        .map(mass)
        .fold([f64::INFINITY, 0.0], |[low, high]: [f64; 2], mass| [low.min(mass), high.max(mass)]);
    let is_loose = figure.spring_numbers().next().is_none();
    let (heavy, minimum) = if is_loose { (1.0, 1.0) } else { (HEAVY, WEIGHT_SIZES[0]) };
    if range[1] <= range[0] || range[1] < heavy * range[0] {
        return None;
    }
    let usual = if is_loose { range[0] } else { usual_mass((0..n).map(mass).collect()) };
    let is_weight = |i: &usize| {
        let is_heavy = mass(*i) / usual.max(f64::MIN_POSITIVE) >= heavy;
        is_heavy && (!is_loose || mass(*i) > range[0]) && !figure.is_pinned(*i)
    };
    let nodes: Vec<(usize, f64)> = (0..n).filter(is_weight).map(|i| (i, mass(i))).collect();
    (!nodes.is_empty()).then_some(PartWeights { nodes, usual, minimum })
}

/// Weights of a part with their diameters in pixels. If the largest ball would be too large, all
/// are smaller in proportion.
pub fn weights(figure: &DrawnPart<'_>, spacing: f64) -> Vec<(usize, f64)> {
    let Some(PartWeights { nodes, minimum, .. }) = part_weights(figure) else { return Vec::new() };
    let own = || WeightScale::of(std::iter::once(*figure));
    let Some(scale) = figure.look.weight_scale.or_else(own) else { return Vec::new() };
    let shrink = (WEIGHT_SIZES[1] - minimum) / (scale.largest - minimum);
    let style = &figure.look.style;
    let node = node_size(figure, spacing).unwrap_or(0.0).max(1.8 * style.line_width);
    let size = |mass: f64| node * (minimum + (scale.size(mass, minimum) - minimum) * shrink);
    nodes.into_iter().map(|(i, mass)| (i, size(mass))).collect()
}

/// Mean of the masses. Masses much heavier than the median are excluded if they are few.
fn usual_mass(masses: Vec<f64>) -> f64 {
    let mut sorted = masses.clone();
    let middle = sorted.len().saturating_sub(1) / 2;
    let (_, median, _) = sorted.select_nth_unstable_by(middle, f64::total_cmp);
    let is_light = |mass: &f64| *mass < HEAVY * *median;
    let mean = |masses: &[f64]| masses.iter().sum::<f64>() / masses.len().max(1) as f64;
    let light: Vec<f64> = masses.iter().copied().filter(is_light).collect();
    let are_few = masses.len() - light.len() <= masses.len().div_ceil(4);
    mean(if are_few { &light } else { &masses })
}

/// Outer and inner diameter in pixels of the mark on a pin.
pub fn pin_size(figure: &DrawnPart<'_>, spacing: f64) -> [f64; 2] {
    let (line_width, stroke) = (figure.look.style.line_width, figure.look.stroke);
    let outer = node_size(figure, spacing).unwrap_or(0.0).max(line_width) + 5.0 * stroke;
    if !figure.is_rope() {
        let outer = outer.min((0.6 * spacing).max(4.0 * stroke));
        return [outer, 0.5 * outer];
    }
    [outer, outer - 4.0 * stroke]
}
