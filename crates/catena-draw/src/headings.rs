//! Drawing of the text that all frames share: title, labels, legends and notes; and the room of
//! legend lines.

use super::canvas::Canvas;
use super::is_right_to_left;
use super::layout::{Layout, MOST_WRAPPED, Sizes};
use super::notes::{MOST_LINES, Notes, lines_of};
use super::rect::Rect;
use super::text::{Align, Font};
use super::theme::{Ink, Theme};
use catena_scene::{Arrangement, Scene};

/// Draws the text of a template.
pub(super) struct Headings<'a> {
    scene: &'a Scene,
    font: &'a Font,
    layout: &'a Layout,
    theme: &'a Theme,
}

impl<'a> Headings<'a> {
    pub(super) fn new(
        scene: &'a Scene,
        font: &'a Font,
        layout: &'a Layout,
        theme: &'a Theme,
    ) -> Self {
        Self { scene, font, layout, theme }
    }

    /// Draws the title and the labels of rows and columns.
    pub(super) fn draw(&self, canvas: &mut Canvas) {
        let Layout { sizes, title, rows, columns, .. } = self.layout;
        if let (Some(area), Some(text)) = (title, &self.scene.title) {
            let lines = self.font.wrap(text, sizes.title, area.w, MOST_WRAPPED);
            let (x, align) = begin([area.x, area.right()], text);
            self.draw_lines(canvas, (x, area.y), align, sizes.title, &lines);
        }
        let Arrangement::Grid { rows: row_names, columns: column_names } = &self.scene.arrangement
        else {
            return;
        };
        let line = Sizes::line(sizes.label);
        for (area, name) in rows.iter().zip(row_names) {
            let lines = row_lines(self.font, *sizes, *area, name);
            let height = (lines.len() as i32 - 1) * line + sizes.label as i32;
            let (x, align) = begin([area.x, area.right() - sizes.gap / 2], name);
            let at = (x, area.y + (area.h - height) / 2);
            self.draw_lines(canvas, at, align, sizes.label, &lines);
        }
        for (area, name) in columns.iter().zip(column_names) {
            let lines = column_lines(self.font, sizes.label, *area, name);
            let height = (lines.len() as i32 - 1) * line + sizes.label as i32;
            let at = (area.x + area.w / 2, area.y + (area.h - height) / 3);
            self.draw_lines(canvas, at, Align::Center, sizes.label, &lines);
        }
    }

    fn draw_lines(
        &self,
        canvas: &mut Canvas,
        at: (i32, i32),
        align: Align,
        size: f64,
        lines: &[String],
    ) {
        let (x, mut y) = at;
        for text in lines {
            self.font.draw(canvas, (x, y), align, size, self.theme.text, text);
            y += Sizes::line(size);
        }
    }

    /// Draws the notes about different physics: common ones below the title, others in their
    /// panels.
    pub(super) fn draw_notes(&self, canvas: &mut Canvas) {
        let size = self.layout.sizes.note();
        let (line, margin) = (Sizes::line(size), Sizes::margin(size));
        let notes = Notes::of(self.scene);
        let mut draw = |notes: &[String], [x, mut y]: [i32; 2], (width, most): (i32, usize)| {
            for text in lines_of(notes, self.font, size, width, most) {
                self.font.draw(canvas, (x, y), Align::Left, size, self.theme.muted, &text);
                y += line;
            }
        };
        if let Some(area) = self.layout.notes {
            draw(&notes.common, [area.x, area.y], (area.w, MOST_WRAPPED));
        }
        for (place, notes) in self.layout.panels.iter().zip(&notes.panels) {
            let Some(area) = place.notes else { continue };
            let most = ((area.h - margin) / line) as usize;
            draw(notes, [area.x + margin, area.y + margin / 2], (area.w - 2 * margin, most));
        }
    }

    /// Draws labels, each after a stroke in its colour if it has one. A single label may take two
    /// lines. Several labels are drawn side by side in one or two lines.
    pub(super) fn draw_entries(
        &self,
        canvas: &mut Canvas,
        area: Rect,
        entries: &[(&str, Option<Ink>)],
    ) {
        let size = self.layout.sizes.label;
        let top = area.y + (size * 0.4) as i32;
        if let [(text, ink)] = entries {
            let ends = [area.x, area.right()];
            let margin = Sizes::margin(size);
            let (x, align) = begin([ends[0] + margin, ends[1] - margin], text);
            let is_left = align == Align::Left;
            let at = if is_left { x } else { x - (size * STROKE) as i32 };
            let after = self.draw_stroke(canvas, area, at, top, *ink);
            let x = if is_left { after } else { x - (after - at) };
            let lines = label_lines(self.font, size, area, text, ink.is_some());
            self.draw_lines(canvas, (x, top), align, size, &lines);
            return;
        }
        let labels: Vec<&str> = entries.iter().map(|(text, _)| *text).collect();
        let mut inks = entries.iter().map(|(_, ink)| *ink);
        for (index, row) in legend_rows(self.font, size, area, &labels).into_iter().enumerate() {
            let top = top + index as i32 * Sizes::line(size);
            let mut x = area.x + Sizes::margin(size);
            for text in row {
                let left = self.draw_stroke(canvas, area, x, top, inks.next().flatten());
                self.font.draw(canvas, (left, top), Align::Left, size, self.theme.text, &text);
                x = left + self.font.width(&text, size) + label_gap(size);
            }
        }
    }

    /// Draws the stroke of a label if it has a colour. Returns the left edge of the label.
    fn draw_stroke(
        &self,
        canvas: &mut Canvas,
        area: Rect,
        x: i32,
        top: i32,
        ink: Option<Ink>,
    ) -> i32 {
        let size = self.layout.sizes.label;
        let Some(ink) = ink else { return x };
        let (middle, length) = (f64::from(top) + size * 0.5, size * STROKE);
        canvas.shape(area, ink, |pen| {
            let (a, b) = ([f64::from(x), middle], [f64::from(x) + length, middle]);
            pen.line(a, b, size * 3.0 / 17.0);
            pen.disc([f64::from(x) + length / 2.0, middle], (size * 0.5).round());
        });
        x + label_indent(size)
    }
}

/// Position at which a text begins between a left and a right end, and its alignment: at the right
/// if it runs from right to left.
fn begin([left, right]: [i32; 2], text: &str) -> (i32, Align) {
    if is_right_to_left(text) { (right, Align::Right) } else { (left, Align::Left) }
}

/// Whether a layout cuts any label.
pub(super) fn cuts(scene: &Scene, font: &Font, layout: &Layout) -> bool {
    let (sizes, size) = (layout.sizes, layout.sizes.label);
    let is_cut = |text: &str, lines: &[String]| {
        let drawn = lines.last().is_some_and(|line| line.ends_with('…'));
        drawn && !text.ends_with('…')
    };
    if let Arrangement::Grid { rows, columns } = &scene.arrangement {
        let of_row =
            |(area, name): (&Rect, &String)| is_cut(name, &row_lines(font, sizes, *area, name));
        let of_column =
            |(area, name): (&Rect, &String)| is_cut(name, &column_lines(font, size, *area, name));
        let rows_are_cut = layout.rows.iter().zip(rows).any(of_row);
        if rows_are_cut || layout.columns.iter().zip(columns).any(of_column) {
            return true;
        }
    }
    layout.panels.iter().zip(&scene.panels).any(|(place, panel)| {
        let has_ink = panel.bodies.len() == 1;
        let of_label =
            |area| is_cut(&panel.label, &label_lines(font, size, area, &panel.label, has_ink));
        let of_legend = |area| {
            let labels: Vec<&str> = panel.bodies.iter().map(|body| &*body.label).collect();
            let drawn = legend_rows(font, size, area, &labels).into_iter().flatten();
            drawn.zip(&labels).any(|(drawn, label)| drawn != *label)
        };
        place.label.is_some_and(of_label) || place.legend.is_some_and(of_legend)
    })
}

/// Number of lines of this text size that fit into a strip.
fn lines_in(area: Rect, size: f64) -> usize {
    (1..=MOST_WRAPPED).rev().find(|lines| Sizes::strip_of(size, *lines) <= area.h).unwrap_or(1)
}

/// Lines of the label of a row.
fn row_lines(font: &Font, sizes: Sizes, area: Rect, name: &str) -> Vec<String> {
    let most = (area.h / Sizes::line(sizes.label)).clamp(1, MOST_LINES as i32) as usize;
    font.wrap(name, sizes.label, area.w - sizes.gap / 2, most)
}

/// Lines of the label of a column.
fn column_lines(font: &Font, size: f64, area: Rect, name: &str) -> Vec<String> {
    font.wrap(name, size, area.w, lines_in(area, size))
}

/// Lines of a single label, with or without a stroke before it.
fn label_lines(font: &Font, size: f64, area: Rect, text: &str, has_ink: bool) -> Vec<String> {
    font.wrap(text, size, label_room(area.w, size, 1, has_ink), lines_in(area, size))
}

/// Labels side by side in one or two lines, cut where necessary.
fn legend_rows(font: &Font, size: f64, area: Rect, labels: &[&str]) -> Vec<Vec<String>> {
    let row = |row: &[&str]| {
        let is_whole = labels_fit_side_by_side(font, size, area.w, row);
        let room = if is_whole { area.w } else { label_room(area.w, size, row.len(), true) };
        row.iter().map(|text| font.fit(text, size, room)).collect()
    };
    labels.chunks(labels.len().div_ceil(lines_in(area, size))).map(row).collect()
}

/// Length of the stroke before a label, relative to the text size; and the same with the gap after
/// it.
const STROKE: f64 = 1.2;
const WITH_STROKE: f64 = STROKE + 0.5;
/// Gap between two labels, relative to the text size.
const LABEL_GAP: f64 = 1.5;
/// Total margin at both ends of a line, relative to the text size.
const LABEL_ENDS: f64 = 1.1;

/// Width for each of `count` labels side by side.
pub(super) fn label_room(width: i32, size: f64, count: usize, has_ink: bool) -> i32 {
    let before = if has_ink { WITH_STROKE } else { 0.0 };
    width / count.max(1) as i32 - (size * (before + LABEL_ENDS)) as i32
}

/// Distance from the left end of a label's stroke to the label.
fn label_indent(size: f64) -> i32 {
    (size * WITH_STROKE) as i32
}

/// Distance from the end of a label to the next one.
fn label_gap(size: f64) -> i32 {
    (size * LABEL_GAP) as i32
}

/// Whether labels with strokes labels_fit_side_by_side side by side without cuts.
fn labels_fit_side_by_side(font: &Font, size: f64, width: i32, labels: &[&str]) -> bool {
    let each = |label: &&str| label_indent(size) + font.width(label, size);
    let all: i32 = labels.iter().map(each).sum();
    all + (labels.len() as i32 - 1) * label_gap(size) <= width - (size * LABEL_ENDS) as i32
}

/// Number of lines of a legend: two if a single line would cut a label.
pub(super) fn legend_lines(font: &Font, size: f64, width: i32, labels: &[&str]) -> usize {
    if labels.len() < 2 || labels_fit_side_by_side(font, size, width, labels) { 1 } else { 2 }
}
