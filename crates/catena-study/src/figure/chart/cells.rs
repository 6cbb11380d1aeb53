//! Draws maps: cells of classes, hatched cells, and the border around hatched cells.

use super::{
    frame::PlotFrame,
    path::{Point, number},
    patterns::Dash,
    plot::{CellClass, CellLook},
    svg::SvgWriter,
};
use catena_draw::theme::mix;

/// Minimum width and height of cells with borders, in pixels.
const BORDERED: f64 = 14.0;

/// Distance of the lines of a hatching, along either axis, in pixels.
const HATCH: f64 = 6.0;

/// Line widths in pixels: in a hatching, and in the border around hatched cells.
const WIDTHS: [f64; 2] = [0.9, 1.6];

/// Map of rectangles in the frame of a plot.
pub(super) struct CellMap<'a> {
    pub edges: [&'a [f64]; 2],
    /// Class index of each cell, row by row.
    pub values: &'a [usize],
    pub classes: &'a [CellClass],
}

/// Rectangle in a frame: left, top, right, bottom, in pixels.
#[derive(Clone, Copy)]
pub(super) struct CellBox(pub [f64; 4]);

impl CellMap<'_> {
    /// Draws the cells, then the border between hatched and other cells.
    pub fn draw(&self, sheet: &mut SvgWriter<'_>, panel: &PlotFrame<'_>) {
        for (index, class) in self.classes.iter().enumerate() {
            let boxes = self.boxes(panel, index);
            match class.look {
                CellLook::Hatched => draw_hatched(sheet, class, &boxes),
                CellLook::Named | CellLook::Shade => {
                    let path: String = boxes.iter().map(CellBox::path).collect();
                    sheet.draw_area(class.ink, true, &path);
                }
            }
        }
        let page = sheet.theme.page;
        sheet.draw_stroke(page, 1.0, Dash::Solid, &self.borders(panel));
        let text = sheet.theme.text;
        sheet.draw_stroke(text, WIDTHS[1], Dash::Solid, &self.limit(panel));
    }

    /// Position of an edge along an axis, in pixels and within the frame.
    fn place(panel: &PlotFrame<'_>, axis: usize, value: f64) -> Option<f64> {
        let [width, height] = panel.size;
        let share = panel.spans[axis].share(value)?.clamp(0.0, 1.0);
        Some(if axis == 0 { share * width } else { (1.0 - share) * height })
    }

    fn columns(&self) -> usize {
        self.edges[0].len().saturating_sub(1)
    }

    /// Cells of one class, with neighbours in a row joined into one rectangle.
    fn boxes(&self, panel: &PlotFrame<'_>, class: usize) -> Vec<CellBox> {
        let [x, y] = self.edges;
        let columns = self.columns();
        let mut boxes = Vec::new();
        for (row, low) in y.windows(2).enumerate() {
            let place = |edge: f64| Self::place(panel, 1, edge);
            let (Some(bottom), Some(top)) = (place(low[0]), place(low[1])) else { continue };
            let of = |column: usize| self.values.get(row * columns + column).copied();
            let mut column = 0;
            while column < columns {
                let start = column;
                while column < columns && of(column) == Some(class) {
                    column += 1;
                }
                if column == start {
                    column += 1;
                    continue;
                }
                let place = |edge: usize| Self::place(panel, 0, x[edge]);
                if let (Some(left), Some(right)) = (place(start), place(column)) {
                    boxes.push(CellBox([left, top, right, bottom]));
                }
            }
        }
        boxes
    }

    /// Path of the lines between the columns and rows of a map; empty if cells are small.
    fn borders(&self, panel: &PlotFrame<'_>) -> String {
        let places = [0, 1].map(|axis| -> Vec<f64> {
            self.edges[axis].iter().filter_map(|edge| Self::place(panel, axis, *edge)).collect()
        });
        let is_large =
            |places: &Vec<f64>| places.windows(2).all(|pair| (pair[1] - pair[0]).abs() >= BORDERED);
        if !places.iter().all(is_large) {
            return String::new();
        }
        let [width, height] = panel.size;
        let within = |place: &f64, length: f64| (0.5..length - 0.5).contains(place);
        let mut path = String::new();
        for x in places[0].iter().filter(|x| within(x, width)) {
            path += &format!("M{} 0V{}", number(*x), number(height));
        }
        for y in places[1].iter().filter(|y| within(y, height)) {
            path += &format!("M0 {}H{}", number(*y), number(width));
        }
        path
    }

    /// Path of the border between hatched cells and cells of other classes.
    fn limit(&self, panel: &PlotFrame<'_>) -> String {
        let [x, y] = self.edges;
        let columns = self.columns();
        let is_hatched = |row: usize, column: usize| {
            let class = self.classes.get(*self.values.get(row * columns + column)?)?;
            Some(class.look == CellLook::Hatched)
        };
        let differ = |a: Option<bool>, b: Option<bool>| a.is_some() && b.is_some() && a != b;
        let point = |column: usize, row: usize| {
            let [x, y] =
                [Self::place(panel, 0, *x.get(column)?), Self::place(panel, 1, *y.get(row)?)];
            Some([x?, y?])
        };
        let mut path = String::new();
        let mut add = |ends: [Option<Point>; 2]| {
            if let [Some([a, b]), Some([c, d])] = ends {
                path += &format!("M{} {}L{} {}", number(a), number(b), number(c), number(d));
            }
        };
        for row in 0..y.len().saturating_sub(1) {
            for column in 0..columns {
                let own = is_hatched(row, column);
                if column + 1 < columns && differ(own, is_hatched(row, column + 1)) {
                    add([point(column + 1, row), point(column + 1, row + 1)]);
                }
                if differ(own, is_hatched(row + 1, column)) {
                    add([point(column, row + 1), point(column + 1, row + 1)]);
                }
            }
        }
        path
    }
}

/// Fills rectangles with a light tone of a class and hatches them.
pub(super) fn draw_hatched(sheet: &mut SvgWriter<'_>, class: &CellClass, boxes: &[CellBox]) {
    let ground: String = boxes.iter().map(CellBox::path).collect();
    let light = mix(sheet.theme.page, class.ink, 56);
    sheet.draw_area(light, true, &ground);
    let lines: String = boxes.iter().map(CellBox::hatching).collect();
    sheet.draw_stroke(class.ink, WIDTHS[0], Dash::Solid, &lines);
}

impl CellBox {
    fn path(&self) -> String {
        let [left, top, right, bottom] = self.0.map(number);
        format!("M{left} {bottom}H{right}V{top}H{left}Z")
    }

    /// Path of rising lines at equal distances. The lines of neighbours continue each other.
    fn hatching(&self) -> String {
        let [left, top, right, bottom] = self.0;
        let (first, last) = ((left + top) / HATCH, (right + bottom) / HATCH);
        let mut path = String::new();
        for index in first.ceil() as i64..=last.floor() as i64 {
            let sum = index as f64 * HATCH;
            let (from, to) = (left.max(sum - bottom), right.min(sum - top));
            if to - from > 0.05 {
                let ends = [from, sum - from, to, sum - to].map(number);
                let [a, b, c, d] = ends;
                path += &format!("M{a} {b}L{c} {d}");
            }
        }
        path
    }
}
