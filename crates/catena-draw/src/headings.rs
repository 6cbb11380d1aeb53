//! Drawing of the text that all frames share: title, labels, legends and notes.

use super::canvas::Canvas;
use super::is_right_to_left;
use super::layout::Layout;
use super::notes::{Notes, lines_of};
use super::palette::is_faint;
use super::rect::Rect;
use super::text::Align;
use super::theme::{Ink, Theme};
use crate::font::Font;
use crate::label_lines::{
    MAX_WRAPPED, STROKE, column_lines, label_gap, label_indent, label_lines, legend_rows, row_lines,
};
use crate::sizes::Sizes;
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
            let lines = self.font.wrap(text, sizes.title, area.w, MAX_WRAPPED);
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

    /// Draws the notes about different physics: common notes below the title, others in their
    /// panels.
    pub(super) fn draw_notes(&self, canvas: &mut Canvas) {
        let size = self.layout.sizes.note();
        let (line, margin) = (Sizes::line(size), Sizes::margin(size));
        let notes = Notes::of(self.scene);
        let mut draw = |notes: &[String], [x, mut y]: [i32; 2], (width, maximum): (i32, usize)| {
            for text in lines_of(notes, self.font, size, width, maximum) {
                self.font.draw(canvas, (x, y), Align::Left, size, self.theme.muted, &text);
                y += line;
            }
        };
        if let Some(area) = self.layout.notes {
            draw(&notes.common, [area.x, area.y], (area.w, MAX_WRAPPED));
        }
        for (place, notes) in self.layout.panels.iter().zip(&notes.panels) {
            let Some(area) = place.notes else { continue };
            let maximum = ((area.h - margin) / line) as usize;
            draw(notes, [area.x + margin, area.y + margin / 2], (area.w - 2 * margin, maximum));
        }
    }

    /// Draws labels, each after a stroke in its colour if it has one. A single label may take two
    /// lines. Several labels are drawn side by side in one or two lines, from right to left if the
    /// first letter with a direction runs so.
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
        let (margin, stroke) = (Sizes::margin(size), (size * STROKE) as i32);
        let is_mirrored = is_right_to_left(&labels.join(" "));
        for (index, row) in legend_rows(self.font, size, area, &labels).into_iter().enumerate() {
            let top = top + index as i32 * Sizes::line(size);
            // Distance from the side where the legend begins.
            let mut from = margin;
            for text in row {
                let at = if is_mirrored { area.right() - from - stroke } else { area.x + from };
                let after = self.draw_stroke(canvas, area, at, top, inks.next().flatten());
                let indent = after - at;
                let (x, align) = match is_mirrored {
                    true => (area.right() - from - indent, Align::Right),
                    false => (after, Align::Left),
                };
                self.font.draw(canvas, (x, top), align, size, self.theme.text, &text);
                from += indent + self.font.width(&text, size) + label_gap(size);
            }
        }
    }

    /// Draws the stroke of a label if it has a colour, with an outline if the colour is faint.
    /// Returns the left edge of the label.
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
        let mut draw = |ink: Ink, wider: f64| {
            canvas.shape(area, ink, |pen| {
                let a = [f64::from(x) - 0.5 * wider, middle];
                let b = [f64::from(x) + length + 0.5 * wider, middle];
                pen.line(a, b, size * 3.0 / 17.0 + wider);
                let disc = (size * 0.5).round() + wider;
                pen.disc([f64::from(x) + length / 2.0, middle], disc);
            });
        };
        if is_faint(ink, self.theme.backdrop_or(self.theme.background(self.scene))[0]) {
            draw(self.theme.muted, 2.0 * f64::from(self.layout.sizes.hairline()));
        }
        draw(ink, 0.0);
        x + label_indent(size)
    }
}

/// Start position and alignment of a text between a left and a right end. A text that runs from
/// right to left starts at the right end.
fn begin([left, right]: [i32; 2], text: &str) -> (i32, Align) {
    if is_right_to_left(text) { (right, Align::Right) } else { (left, Align::Left) }
}
