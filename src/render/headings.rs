//! Draws the words that all frames have in common: title, labels, legends and notes.

use super::canvas::Canvas;
use super::entries;
use super::font::Font;
use super::layout::{Layout, MOST_WRAPPED};
use super::notes::{MOST_LINES, Notes, lines_of};
use super::rect::Rect;
use super::sizes::Sizes;
use super::text::Align;
use super::theme::{Ink, Theme};
use crate::scene::{Arrangement, Scene};

/// Draws the words of a template.
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

    /// Draws title, and labels of rows and columns.
    pub(super) fn draw(&self, canvas: &mut Canvas) {
        let Layout { sizes, title, rows, columns, .. } = self.layout;
        if let (Some(area), Some(text)) = (title, &self.scene.title) {
            let lines = self.font.wrap(text, sizes.title, area.w, MOST_WRAPPED);
            self.draw_lines(canvas, (area.x, area.y), Align::Left, sizes.title, &lines);
        }
        let Arrangement::Grid { rows: row_names, columns: column_names } = &self.scene.arrangement
        else {
            return;
        };
        let line = Sizes::line(sizes.label);
        for (area, name) in rows.iter().zip(row_names) {
            let most = (area.h / line).clamp(1, MOST_LINES as i32) as usize;
            let lines = self.font.wrap(name, sizes.label, area.w - sizes.gap / 2, most);
            let height = (lines.len() as i32 - 1) * line + sizes.label as i32;
            let at = (area.x, area.y + (area.h - height) / 2);
            self.draw_lines(canvas, at, Align::Left, sizes.label, &lines);
        }
        for (area, name) in columns.iter().zip(column_names) {
            let most = self.lines_in(*area, sizes.label);
            let lines = self.font.wrap(name, sizes.label, area.w, most);
            let height = (lines.len() as i32 - 1) * line + sizes.label as i32;
            let at = (area.x + area.w / 2, area.y + (area.h - height) / 3);
            self.draw_lines(canvas, at, Align::Center, sizes.label, &lines);
        }
    }

    /// How many lines of a size a strip holds.
    fn lines_in(&self, area: Rect, size: f64) -> usize {
        (1..=MOST_WRAPPED).rev().find(|lines| Sizes::strip_of(size, *lines) <= area.h).unwrap_or(1)
    }

    fn draw_lines(
        &self,
        canvas: &mut Canvas,
        (x, mut y): (i32, i32),
        align: Align,
        size: f64,
        lines: &[String],
    ) {
        for text in lines {
            self.font.draw(canvas, (x, y), align, size, self.theme.text, text);
            y += Sizes::line(size);
        }
    }

    /// Draws the notes on unequal physics: those of all below the title, and each panel's own.
    pub(super) fn draw_notes(&self, canvas: &mut Canvas) {
        let size = self.layout.sizes.note();
        let (line, margin) = (Sizes::line(size), Sizes::margin(size));
        let notes = Notes::of(self.scene);
        let mut draw = |notes: &[String], [x, mut y]: [i32; 2], (width, most): (i32, usize)| {
            for text in lines_of(notes, self.font, (size, width), most) {
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

    /// Draws labels, each behind a stroke in its colour if it has one: one label may have two
    /// lines, and several stand beside each other in one line or two.
    pub(super) fn draw_entries(
        &self,
        canvas: &mut Canvas,
        area: Rect,
        entries: &[(&str, Option<Ink>)],
    ) {
        let size = self.layout.sizes.label;
        let top = area.y + (size * 0.4) as i32;
        if let [(text, ink)] = entries {
            let left = self.draw_stroke(canvas, area, (area.x + Sizes::margin(size), top), *ink);
            let room = entries::room(area.w, size, 1, ink.is_some());
            let lines = self.font.wrap(text, size, room, self.lines_in(area, size));
            self.draw_lines(canvas, (left, top), Align::Left, size, &lines);
            return;
        }
        let lines = self.lines_in(area, size);
        for (index, row) in entries.chunks(entries.len().div_ceil(lines)).enumerate() {
            let labels: Vec<&str> = row.iter().map(|(text, _)| *text).collect();
            let is_whole = entries::fit(self.font, size, area.w, &labels);
            let room = if is_whole { area.w } else { entries::room(area.w, size, row.len(), true) };
            let (mut x, top) =
                (area.x + Sizes::margin(size), top + index as i32 * Sizes::line(size));
            for (text, ink) in row {
                let left = self.draw_stroke(canvas, area, (x, top), *ink);
                let text = self.font.fit(text, size, room);
                self.font.draw(canvas, (left, top), Align::Left, size, self.theme.text, &text);
                x = left + self.font.width(&text, size) + entries::gap(size);
            }
        }
    }

    /// Draws the stroke of a label, if it has a colour, and returns where the label begins.
    fn draw_stroke(
        &self,
        canvas: &mut Canvas,
        area: Rect,
        (x, top): (i32, i32),
        ink: Option<Ink>,
    ) -> i32 {
        let size = self.layout.sizes.label;
        let Some(ink) = ink else { return x };
        let (middle, length) = (f64::from(top) + size * 0.5, size * entries::STROKE);
        canvas.shape(area, ink, |pen| {
            let (a, b) = ([f64::from(x), middle], [f64::from(x) + length, middle]);
            pen.line(a, b, size * 3.0 / 17.0);
            pen.disc([f64::from(x) + length / 2.0, middle], (size * 0.5).round());
        });
        x + entries::indent(size)
    }
}
