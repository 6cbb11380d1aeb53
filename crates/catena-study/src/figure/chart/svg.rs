//! Writes SVG: paths, markers and pictures; `words.rs` writes text.
//!
//! Elements in colours of the page have classes: `ch-page`, `ch-text`, `ch-muted`, `ch-alarm`,
//! `ch-grid`, `ch-axis`, `ch-halo`. Style sheet rules override attributes, so a page that inlines a
//! chart can set these colours. A standalone file always looks the same, also in print.

use super::{
    path::number,
    patterns::{Dash, Marker},
    typeface::{GlyphKey, NO_FACE, Typeface},
};
use catena_base::text::markup::{base64, color, escape};
use catena_draw::{
    text::Align,
    theme::{Ink, Theme},
};
use std::{collections::BTreeSet, fmt::Write as _};

/// Role of text and lines in colours of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageInk {
    Text,
    Muted,
    Alarm,
    Grid,
    Axis,
}

/// Line of text.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextLine<'a> {
    pub text: &'a str,
    pub size: f64,
    pub align: Align,
    /// Anticlockwise rotation in eighths of a full turn: 0, 1 or 2.
    pub eighths: u8,
    /// Whether the text has a halo in the page's colour, which keeps it legible over lines.
    pub has_halo: bool,
}

impl<'a> TextLine<'a> {
    /// Creates a horizontal line of text without a halo; `size` is the em size in pixels.
    pub fn new(text: &'a str, size: f64, align: Align) -> Self {
        Self { text, size, align, eighths: 0, has_halo: false }
    }
}

/// SVG document under construction.
pub(super) struct SvgWriter<'a> {
    pub(super) typeface: &'a Typeface,
    pub(super) theme: &'a Theme,
    /// Prefix of all ids.
    pub(super) name: String,
    pub(super) body: String,
    pub(super) letters: BTreeSet<GlyphKey>,
    /// Characters written as text, each with its glyph.
    pub(super) written: BTreeSet<(char, u16)>,
    /// Outlines of markers, in the order of their ids.
    markers: Vec<String>,
}

impl<'a> SvgWriter<'a> {
    pub fn new(name: &str, typeface: &'a Typeface, theme: &'a Theme) -> Self {
        Self {
            typeface,
            theme,
            name: identifier(name),
            body: String::new(),
            letters: BTreeSet::new(),
            written: BTreeSet::new(),
            markers: Vec::new(),
        }
    }

    /// Opens a group translated by (x, y).
    pub fn open(&mut self, x: f64, y: f64) {
        let _ = writeln!(self.body, "<g transform=\"translate({} {})\">", number(x), number(y));
    }

    /// Closes a group.
    pub fn close(&mut self) {
        self.body += "</g>\n";
    }

    /// Draws a line in a colour of the page.
    pub fn draw_rule(&mut self, role: PageInk, width: f64, path: &str) {
        let (class, ink) = self.role(role);
        let _ = writeln!(
            self.body,
            "<path class=\"{class}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" d=\"{path}\"/>",
            color(ink.0),
            number(width)
        );
    }

    /// Draws a line in the colour of a mark.
    pub fn draw_stroke(&mut self, ink: Ink, width: f64, dash: Dash, path: &str) {
        if path.is_empty() {
            return;
        }
        let lengths = dash_lengths(dash).iter().map(|length| number(length * width));
        let lengths: Vec<String> = lengths.collect();
        let pattern = match lengths[..] {
            [] => String::new(),
            _ => format!(" stroke-dasharray=\"{}\"", lengths.join(" ")),
        };
        let _ = writeln!(
            self.body,
            "<path fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\" \
             stroke-linecap=\"{}\"{pattern} d=\"{path}\"/>",
            color(ink.0),
            number(width),
            if matches!(dash, Dash::Dashed | Dash::LongDashed) { "butt" } else { "round" },
        );
    }

    /// Fills an area in the colour of a mark. `is_crisp` aligns borders to whole pixels, so that no
    /// gap appears between neighbours.
    ///
    /// Nothing in a chart is transparent: PDF stores transparency in a table, which svg2pdf writes
    /// in random order.
    pub fn draw_area(&mut self, ink: Ink, is_crisp: bool, path: &str) {
        if path.is_empty() {
            return;
        }
        let crisp = if is_crisp { " shape-rendering=\"crispEdges\"" } else { "" };
        let _ = writeln!(self.body, "<path fill=\"{}\"{crisp} d=\"{path}\"/>", color(ink.0));
    }

    /// Draws a picture, given as the bytes of a PNG file.
    pub fn draw_picture(&mut self, [x, y]: [f64; 2], [width, height]: [f64; 2], png: &[u8]) {
        let _ = writeln!(
            self.body,
            "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" \
             xlink:href=\"data:image/png;base64,{}\"/>",
            number(x),
            number(y),
            number(width),
            number(height),
            base64(png)
        );
    }

    /// Draws a marker at each point.
    pub fn draw_markers(&mut self, shape: Marker, size: f64, ink: Ink, points: &[[f64; 2]]) {
        let outline = marker(shape, size);
        let known = self.markers.iter().position(|known| *known == outline);
        let id = known.unwrap_or_else(|| {
            self.markers.push(outline);
            self.markers.len() - 1
        });
        let (page, width) = (color(self.theme.page.0), number((size / 4.5).max(1.2)));
        let ink = color(ink.0);
        let paint = match shape {
            Marker::Ring
            | Marker::OpenSquare
            | Marker::OpenTriangle
            | Marker::OpenDiamond
            | Marker::OpenWedge => format!(
                "class=\"ch-page\" fill=\"{page}\" stroke=\"{ink}\" stroke-width=\"{width}\""
            ),
            Marker::Cross | Marker::Plus => {
                format!("fill=\"none\" stroke=\"{ink}\" stroke-width=\"{width}\"")
            }
            _ => format!("fill=\"{ink}\""),
        };
        let _ = writeln!(self.body, "<g {paint}>");
        for [x, y] in points {
            let _ = writeln!(
                self.body,
                "<use xlink:href=\"#{}-m{id}\" x=\"{}\" y=\"{}\"/>",
                self.name,
                number(*x),
                number(*y)
            );
        }
        self.close();
    }

    /// Returns the whole document.
    ///
    /// `zoom` is the ratio of the size on paper to the size in pixels. This ratio sets the
    /// document's size in millimetres, so that other programs place the document at the intended
    /// size.
    pub fn finish(
        self,
        [width, height]: [f64; 2],
        zoom: Option<f64>,
        title: &str,
        caption: &str,
    ) -> String {
        let (w, h, name) = (number(width), number(height), &self.name);
        let [wide, high] = match zoom {
            Some(zoom) => {
                [width, height].map(|pixels| format!("{}mm", number(zoom * pixels * 25.4 / 96.0)))
            }
            None => [w.clone(), h.clone()],
        };
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" \
             width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {w} {h}\" role=\"img\" \
             aria-labelledby=\"{name}-title {name}-desc\">\n<title id=\"{name}-title\">{}</title>\n\
             <desc id=\"{name}-desc\">{}</desc>\n<defs>\n",
            escape(title),
            escape(caption)
        );
        for key in &self.letters {
            let path = self.typeface.outline(*key);
            let _ = writeln!(out, "<path id=\"{name}-{}\" d=\"{path}\"/>", letter_id(*key));
        }
        for (index, path) in self.markers.iter().enumerate() {
            let _ = writeln!(out, "<path id=\"{name}-m{index}\" d=\"{path}\"/>");
        }
        out += &self.font_face();
        let page = color(self.theme.page.0);
        let _ = writeln!(
            out,
            "</defs>\n<path class=\"ch-page\" fill=\"{page}\" d=\"M0 0H{w}V{h}H0Z\"/>"
        );
        out + &self.body + "</svg>\n"
    }

    pub(super) fn role(&self, role: PageInk) -> (&'static str, Ink) {
        use catena_draw::theme::mix;
        let theme = self.theme;
        match role {
            PageInk::Text => ("ch-text", theme.text),
            PageInk::Muted => ("ch-muted", theme.muted),
            PageInk::Alarm => ("ch-alarm", theme.alarm),
            PageInk::Grid => ("ch-grid", mix(theme.page, theme.text, 28)),
            PageInk::Axis => ("ch-axis", mix(theme.page, theme.text, 128)),
        }
    }
}

/// Dash and gap lengths of a pattern, in line widths.
fn dash_lengths(dash: Dash) -> &'static [f64] {
    match dash {
        Dash::Solid => &[],
        Dash::Dashed => &[4.0, 2.5],
        Dash::Dotted => &[0.0, 2.2],
        Dash::DashDotted => &[4.0, 2.5, 0.0, 2.5],
        Dash::LongDashed => &[9.0, 3.0],
        Dash::DashDotDotted => &[4.0, 2.4, 0.0, 2.4, 0.0, 2.4],
    }
}

/// Outline of a marker around the origin; `size` is its width in pixels.
fn marker(shape: Marker, size: f64) -> String {
    let r = size / 2.0;
    match shape {
        // Four cubic curves approximate a circle to a thousandth of its radius.
        Marker::Disc | Marker::Ring => {
            let (a, b) = (number(r), number(r * 0.552_285));
            format!("M{a} 0C{a} {b} {b} {a} 0 {a}S-{a} {b} -{a} 0S-{b} -{a} 0 -{a}S{a} -{b} {a} 0Z")
        }
        Marker::Square | Marker::OpenSquare => {
            let a = number(r * 0.9);
            format!("M-{a} -{a}H{a}V{a}H-{a}Z")
        }
        Marker::Cross => {
            let a = number(r * 0.85);
            format!("M-{a} -{a}L{a} {a}M-{a} {a}L{a} -{a}")
        }
        Marker::Plus => {
            let a = number(r * 1.1);
            format!("M-{a} 0H{a}M0 -{a}V{a}")
        }
        Marker::Triangle | Marker::OpenTriangle => {
            let (w, low, high) = (number(r * 1.1), number(r * 0.8), number(r * 1.15));
            format!("M0 -{high}L{w} {low}H-{w}Z")
        }
        Marker::Wedge | Marker::OpenWedge => {
            let (w, low, high) = (number(r * 1.1), number(r * 1.15), number(r * 0.8));
            format!("M0 {low}L{w} -{high}H-{w}Z")
        }
        Marker::Diamond | Marker::OpenDiamond => {
            let a = number(r * 1.2);
            format!("M0 -{a}L{a} 0L0 {a}L-{a} 0Z")
        }
    }
}

/// Converts a name into an id: ASCII letters, digits, `-` and `_`, starting with a letter.
fn identifier(name: &str) -> String {
    let keep = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    let name: String = name.chars().map(keep).collect();
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { format!("c{name}") }
}

/// Id of an outline in the file, without the name of the chart.
pub(super) fn letter_id(key: GlyphKey) -> String {
    let GlyphKey { face, glyph } = key;
    if face == NO_FACE { "box".into() } else { format!("f{face}g{glyph}") }
}
