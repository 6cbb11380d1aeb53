//! PNG and PDF pictures of charts, made from their SVG.

use catena_draw::faces::BUILT_IN;
use image::RgbImage;
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{self, Tree};
use svg2pdf::{ConversionOptions, PageOptions};

/// Why a chart cannot be turned into another kind of picture.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The text is not SVG.
    #[error("the chart cannot be read: {0}")]
    Unreadable(#[from] usvg::Error),
    /// The picture would have no pixels, or more than 20,000 along a side.
    #[error("a picture of {width} x {height} pixels cannot be made")]
    Size {
        /// In pixels.
        width: f32,
        /// In pixels.
        height: f32,
    },
    /// The SVG cannot be converted to PDF.
    #[error("the chart cannot be turned into a PDF file: {0}")]
    Pdf(String),
}

/// Pictures with more pixels than this along a side are refused.
const MOST_PIXELS: f32 = 20_000.0;

/// CSS pixels of an inch on paper.
const PIXELS_PER_INCH: f32 = 96.0;

/// The picture with `scale` pixels for each CSS pixel; 2 is sharp on most screens.
///
/// # Errors
/// When the text is not SVG, or the picture would have no or too many pixels.
pub fn png(svg: &str, scale: f64) -> Result<RgbImage, ExportError> {
    let tree = read(svg)?;
    let scale = scale as f32;
    let [width, height] = [tree.size().width(), tree.size().height()].map(|s| (s * scale).ceil());
    let refused = || ExportError::Size { width, height };
    if !(1.0..=MOST_PIXELS).contains(&width) || !(1.0..=MOST_PIXELS).contains(&height) {
        return Err(refused());
    }
    let mut pixels = Pixmap::new(width as u32, height as u32).ok_or_else(refused)?;
    // What the SVG leaves uncovered is white, as paper is.
    pixels.fill(Color::WHITE);
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    let bytes = pixels.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]);
    RgbImage::from_raw(width as u32, height as u32, bytes.collect()).ok_or_else(refused)
}

/// The picture as a PDF file with one page of its size, without a date or random names. Words that
/// are text stay text, with the part of the typeface that they need.
///
/// # Errors
/// The text is not SVG.
pub fn pdf(svg: &str) -> Result<Vec<u8>, ExportError> {
    let page = PageOptions { dpi: PIXELS_PER_INCH };
    svg2pdf::to_pdf(&read(svg)?, ConversionOptions::default(), page)
        .map(in_order)
        .map_err(|error| ExportError::Pdf(error.to_string()))
}

/// Sorts the entries of each dictionary of pictures, which svg2pdf writes in random order. The
/// table at the file's end stays right: no object begins or ends elsewhere.
fn in_order(pdf: Vec<u8>) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = pdf.split_inclusive(|byte| *byte == b'\n').collect();
    for run in lines.chunk_by_mut(|one, next| is_picture(one) && is_picture(next)) {
        run.sort_unstable();
    }
    lines.concat()
}

/// Whether a line names a picture, such as `/xo1 7 0 R`.
fn is_picture(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b' ';
    line.strip_prefix(b"/xo")
        .and_then(|rest| rest.strip_suffix(b" 0 R"))
        .is_some_and(|rest| rest.iter().all(is_plain))
}

/// Reads a chart, with the built-in typeface for words that are text.
fn read(svg: &str) -> Result<Tree, ExportError> {
    let mut options = usvg::Options::default();
    if svg.contains("<text ") {
        options.fontdb_mut().load_font_data(BUILT_IN.to_vec());
    }
    Ok(Tree::from_str(svg, &options)?)
}
