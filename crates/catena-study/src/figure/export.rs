//! Converts charts from SVG into PNG and PDF.

use catena_draw::faces::BUILT_IN;
use image::RgbImage;
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref};
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{self, Tree};
use std::collections::BTreeMap;
use svg2pdf::{ConversionOptions, PageOptions};

/// Reason why a chart cannot be converted.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The text is not SVG.
    #[error("the SVG of the chart cannot be read: {0}")]
    Unreadable(#[from] usvg::Error),
    /// The picture would have no pixels, or more than 20,000 along a side.
    #[error(
        "a picture of {width} x {height} pixels cannot be created: each side must be from 1 to \
             20000 pixels"
    )]
    Size {
        /// Width in pixels.
        width: f32,
        /// Height in pixels.
        height: f32,
    },
    /// The SVG cannot be converted to PDF.
    #[error("the chart cannot be converted to PDF: {0}")]
    Pdf(String),
}

/// Maximum number of pixels along a side.
const MAX_PIXELS: f32 = 20_000.0;

/// CSS pixels per inch on paper.
const PIXELS_PER_INCH: f32 = 96.0;

/// Renders a chart with `scale` pixels per CSS pixel; 2 is sharp on most screens.
///
/// # Errors
/// Returns an error if the text is not SVG, or the picture would have no or too many pixels.
pub fn png(svg: &str, scale: f64) -> Result<RgbImage, ExportError> {
    let tree = read(svg, BUILT_IN)?;
    let scale = scale as f32;
    let [width, height] = [tree.size().width(), tree.size().height()].map(|s| (s * scale).ceil());
    let refused = || ExportError::Size { width, height };
    if !(1.0..=MAX_PIXELS).contains(&width) || !(1.0..=MAX_PIXELS).contains(&height) {
        return Err(refused());
    }
    let mut pixels = Pixmap::new(width as u32, height as u32).ok_or_else(refused)?;
    // Areas that the SVG does not cover are white, like paper.
    pixels.fill(Color::WHITE);
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    let bytes = pixels.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]);
    RgbImage::from_raw(width as u32, height as u32, bytes.collect()).ok_or_else(refused)
}

/// Converts a chart into a PDF file with one page of its size, without a date or random names. Text
/// stays text, with the necessary subset of the typeface.
///
/// # Errors
/// Returns an error if the text is not SVG, or cannot be converted.
pub fn pdf(svg: &str) -> Result<Vec<u8>, ExportError> {
    pdf_with_font(svg, BUILT_IN)
}

/// Converts a chart like [`pdf`], with a font file for words that are text.
///
/// # Errors
/// Returns an error if the text is not SVG, or cannot be converted.
pub fn pdf_with_font(svg: &str, font: &[u8]) -> Result<Vec<u8>, ExportError> {
    let page = PageOptions { dpi: PIXELS_PER_INCH };
    svg2pdf::to_pdf(&read(svg, font)?, ConversionOptions::default(), page)
        .map(in_order)
        .map_err(|error| ExportError::Pdf(error.to_string()))
}

/// Converts pages, each an SVG, into one PDF file, without a date or random names. Words that are
/// text use the glyphs of a font file.
///
/// # Errors
/// Returns an error if a text is not SVG, or cannot be converted.
pub fn pdf_of_pages(pages: &[String], font: &[u8]) -> Result<Vec<u8>, ExportError> {
    let mut next = Ref::new(1);
    let [catalog, tree] = [next.bump(), next.bump()];
    let mut pdf = Pdf::new();
    let mut kids = Vec::new();
    pdf.catalog(catalog).pages(tree);
    for svg in pages {
        let picture = read(svg, font)?;
        let [width, height] =
            [picture.size().width(), picture.size().height()].map(|side| side * POINTS_PER_PIXEL);
        let (chunk, object) = svg2pdf::to_chunk(&picture, ConversionOptions::default())
            .map_err(|error| ExportError::Pdf(error.to_string()))?;
        let [page, content] = [next.bump(), next.bump()];
        let mut known = BTreeMap::new();
        let chunk = chunk.renumber(|old| *known.entry(old).or_insert_with(|| next.bump()));
        let object = known.get(&object).copied().unwrap_or(object);
        let mut leaf = pdf.page(page);
        leaf.media_box(Rect::new(0.0, 0.0, width, height)).parent(tree).contents(content);
        leaf.resources().x_objects().pair(PICTURE, object);
        leaf.finish();
        let mut stream = Content::new();
        stream.transform([width, 0.0, 0.0, height, 0.0, 0.0]).x_object(PICTURE);
        pdf.stream(content, &stream.finish());
        pdf.extend(&chunk);
        kids.push(page);
    }
    let count = kids.len() as i32;
    pdf.pages(tree).kids(kids).count(count);
    Ok(in_order(pdf.finish()))
}

/// Name of the picture of a page.
const PICTURE: Name<'static> = Name(b"page");

/// Points of a PDF file per CSS pixel.
const POINTS_PER_PIXEL: f32 = 0.75;

/// Sorts the entries in dictionaries of pictures, which svg2pdf writes in random order. The
/// cross-reference table stays valid, since no object moves.
fn in_order(pdf: Vec<u8>) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = pdf.split_inclusive(|byte| *byte == b'\n').collect();
    for run in lines.chunk_by_mut(|one, next| is_picture(one) && is_picture(next)) {
        run.sort_unstable();
    }
    lines.concat()
}

/// Whether a line refers to a picture, such as `/xo1 7 0 R`.
fn is_picture(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b' ';
    line.strip_prefix(b"/xo")
        .and_then(|rest| rest.strip_suffix(b" 0 R"))
        .is_some_and(|rest| rest.iter().all(is_plain))
}

/// Parses a chart, with a font file for text.
fn read(svg: &str, font: &[u8]) -> Result<Tree, ExportError> {
    let mut options = usvg::Options::default();
    if svg.contains("<text ") {
        options.fontdb_mut().load_font_data(font.to_vec());
    }
    Ok(Tree::from_str(svg, &options)?)
}
