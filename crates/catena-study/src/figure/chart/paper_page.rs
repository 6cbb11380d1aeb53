//! Page of a document on paper: lines of text and figures, as one SVG.

use super::{
    paper,
    path::{Point, number},
    svg::{PageInk, SvgWriter, TextLine},
    typeface::Typeface,
};
use catena_draw::{text::Align, theme::Theme};

/// Page under construction. Lengths are in CSS pixels, 96 per inch.
pub(in crate::figure) struct PaperPage {
    name: String,
    /// Text, or figures in their places, in the order in which they were added.
    parts: Vec<PagePart>,
}

enum PagePart {
    Line { at: Point, size: f64, is_muted: bool, text: String },
    Rule { at: Point, width: f64 },
    Figure { at: Point, svg: String },
}

impl PaperPage {
    /// Creates an empty page. The name begins all ids on it.
    pub fn new(name: String) -> Self {
        Self { name, parts: Vec::new() }
    }

    /// Adds a line of text; `at` is the left end of its baseline.
    pub fn add_line(&mut self, at: Point, size: f64, is_muted: bool, text: &str) {
        self.parts.push(PagePart::Line { at, size, is_muted, text: text.into() });
    }

    /// Adds a thin horizontal line.
    pub fn add_rule(&mut self, at: Point, width: f64) {
        self.parts.push(PagePart::Rule { at, width });
    }

    /// Adds the SVG of a figure; `at` is its top left corner. The figure keeps the ids of its
    /// chart.
    pub fn add_figure(&mut self, at: Point, svg: String) {
        self.parts.push(PagePart::Figure { at, svg });
    }

    /// Draws the page as SVG.
    pub fn svg(&self, size: [f64; 2], typeface: &Typeface, title: &str) -> String {
        let theme: Theme = paper();
        let mut sheet = SvgWriter::new(&self.name, typeface, &theme);
        for part in &self.parts {
            match part {
                PagePart::Line { at: [x, y], size, is_muted, text } => {
                    let role = if *is_muted { PageInk::Muted } else { PageInk::Text };
                    sheet.write_text((*x, *y), role, TextLine::new(text, *size, Align::Left));
                }
                PagePart::Rule { at: [x, y], width } => {
                    let path = format!("M{} {}h{}", number(*x), number(*y), number(*width));
                    sheet.draw_rule(PageInk::Axis, 0.6, &path);
                }
                PagePart::Figure { at: [x, y], svg } => {
                    let place = format!("<svg x=\"{}\" y=\"{}\" ", number(*x), number(*y));
                    sheet.body += &svg.replacen("<svg ", &place, 1);
                }
            }
        }
        sheet.finish(size, Some(1.0), title, title)
    }
}
