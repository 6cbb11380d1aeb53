//! Size and text of the files of figures, and their bytes.

use super::FIGURE_WIDTHS;
use crate::job::{RunError, prepare::faces};
use catena_base::read;
use catena_draw::faces::Faces;
use catena_output::{OutputError, png};
use catena_study::figure::{
    chart::{Chart, Typeface, Words, paper},
    export,
    study::Study,
};
use std::path::Path;
use std::{borrow::Cow, io, path::PathBuf};

/// Number of pixels in a PNG figure per CSS pixel.
const PNG_SCALE: f64 = 2.0;

/// CSS pixels per millimetre on paper.
pub(super) const PIXELS_PER_MILLIMETRE: f64 = 96.0 / 25.4;

/// Width of a column of a printed page, in millimetres.
const COLUMN: f64 = 85.0;

/// Width in millimetres up to which a figure is narrow.
const WIDE_ENOUGH: f64 = 100.0;

/// Resolution of a PNG figure with a given width, in dots per metre.
const DOTS_PER_METRE: f64 = 1000.0 * PNG_SCALE * PIXELS_PER_MILLIMETRE;

/// Size and text of figures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FigureStyle {
    /// Width of figures in millimetres, from 60 to 400. `None` uses the natural width.
    pub width: Option<f64>,
    /// Form of words in SVG and PDF files.
    pub text: Words,
    /// TrueType or OpenType files for letters that the built-in typeface and earlier files lack.
    pub fonts: Vec<PathBuf>,
    /// TrueType or OpenType file for the words of figures, before the built-in typeface.
    pub figure_font: Option<PathBuf>,
}

impl FigureStyle {
    /// Returns an error if the width is out of range.
    pub(in crate::job) fn check(&self) -> Result<(), RunError> {
        let Some(width) = self.width.filter(|width| !FIGURE_WIDTHS.contains(width)) else {
            return Ok(());
        };
        let [minimum, maximum] = [FIGURE_WIDTHS.start(), FIGURE_WIDTHS.end()];
        let message =
            format!("--figure-width {width}mm: the width must be from {minimum} to {maximum} mm");
        Err(RunError::Option(message))
    }
}

/// Faces for the words in figures.
fn faces_of_figures(style: &FigureStyle) -> Result<Faces, RunError> {
    let (faces, _) = faces(&style.fonts)?;
    let Some(path) = &style.figure_font else { return Ok(faces) };
    let refuse = |cause| OutputError::new("use the font file", path, cause);
    let bytes = read::file(path, read::FONT).map_err(refuse)?;
    let faces = faces.with_first(bytes).map_err(|error| refuse(io::Error::other(error)))?;
    Ok(faces)
}

/// Draws figures in a style.
pub struct FigureWriter {
    typeface: Typeface,
    /// Typeface for words that remain text in files. `None` draws outlines.
    text: Option<Typeface>,
    width: Option<f64>,
}

impl FigureWriter {
    /// Creates a writer of figures in a style.
    ///
    /// # Errors
    /// The width is out of range, or the typeface cannot be read.
    pub fn new(style: &FigureStyle) -> Result<Self, RunError> {
        style.check()?;
        let faces = faces_of_figures(style)?;
        let text = (style.text == Words::Text)
            .then(|| Typeface::new(faces.clone()).with_words(Words::Text));
        Ok(Self { typeface: Typeface::new(faces), text, width: style.width })
    }

    /// Typeface of outlines.
    pub(in crate::job) fn typeface(&self) -> &Typeface {
        &self.typeface
    }

    /// Typeface for a printed document, whose words remain text.
    pub(super) fn printed(&self) -> Typeface {
        Typeface::new(self.typeface.faces().clone()).with_words(Words::Text)
    }

    /// Returns the bytes of a figure's file in a format.
    ///
    /// # Errors
    /// The figure cannot be drawn.
    pub fn file(&self, study: &Study, format: FigureFormat) -> Result<Vec<u8>, OutputError> {
        self.fitted(study).file(format)
    }

    /// SVG of a figure as wide as a column, for narrow screens and for paper. `None` if the style
    /// already requests a narrow figure.
    pub(super) fn narrow(&self, study: &Study) -> Option<String> {
        if self.width.is_some_and(|width| width <= WIDE_ENOUGH) {
            return None;
        }
        let fitted = study.chart.fitted(COLUMN * PIXELS_PER_MILLIMETRE, &self.typeface);
        Some(fitted.svg(&study.name, &self.typeface, &paper()))
    }

    /// Figure in the width of the style.
    pub(super) fn fitted<'a>(&'a self, study: &'a Study) -> FittedFigure<'a> {
        let fit = |width| study.chart.fitted(width * PIXELS_PER_MILLIMETRE, &self.typeface);
        let chart = self.width.map_or(Cow::Borrowed(&study.chart), |width| Cow::Owned(fit(width)));
        FittedFigure { writer: self, study, chart }
    }
}

/// A figure with a chosen width.
pub(super) struct FittedFigure<'a> {
    writer: &'a FigureWriter,
    study: &'a Study,
    chart: Cow<'a, Chart>,
}

impl FittedFigure<'_> {
    /// SVG with outlines, which looks the same on every machine.
    pub fn outlined(&self) -> String {
        self.chart.svg(&self.study.name, &self.writer.typeface, &paper())
    }

    /// SVG with the form of words that the style requests.
    fn svg(&self) -> String {
        match &self.writer.text {
            Some(text) => self.chart.svg(&self.study.name, text, &paper()),
            None => self.outlined(),
        }
    }

    /// Bytes of a file in a format.
    pub fn file(&self, format: FigureFormat) -> Result<Vec<u8>, OutputError> {
        let refuse = |cause| {
            let name = format!("{}.{}", self.study.name, format.ending());
            OutputError::new("draw", name, cause)
        };
        let other = |error: export::ExportError| refuse(io::Error::other(error));
        match format {
            FigureFormat::Csv => Ok(self.study.chart.csv().into_bytes()),
            FigureFormat::Svg => Ok(self.svg().into_bytes()),
            FigureFormat::Pdf => {
                let font = self.writer.typeface.faces().first_file();
                export::pdf_with_font(&self.svg(), font).map_err(other)
            }
            FigureFormat::Png => {
                let picture = export::png(&self.outlined(), PNG_SCALE).map_err(other)?;
                let dots = self.writer.width.map(|_| DOTS_PER_METRE.round() as u32);
                match dots {
                    Some(dots) => png::encode_at(&picture, dots),
                    None => png::encode(&picture).map_err(io::Error::other),
                }
                .map_err(refuse)
            }
        }
    }
}

/// Format of the file of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureFormat {
    /// Scalable Vector Graphics.
    Svg,
    /// Portable Document Format.
    Pdf,
    /// Picture with two pixels per CSS pixel.
    Png,
    /// Data of the chart, one row per point.
    Csv,
}

impl FigureFormat {
    /// All formats with their file extensions.
    pub const ENDINGS: [(&str, Self); 4] =
        [("svg", Self::Svg), ("pdf", Self::Pdf), ("png", Self::Png), ("csv", Self::Csv)];

    /// Returns the format of a path by its extension, ignoring case. `None` for other extensions.
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?;
        let known = Self::ENDINGS.iter().find(|(known, _)| known.eq_ignore_ascii_case(ending));
        known.map(|(_, format)| *format)
    }

    /// File extension of the format.
    pub fn ending(self) -> &'static str {
        Self::ENDINGS.iter().find(|(_, format)| *format == self).map_or("", |(ending, _)| ending)
    }
}
