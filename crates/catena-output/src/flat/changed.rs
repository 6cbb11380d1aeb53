//! Differences of a picture from the template.

use image::RgbImage;

/// Range of pixels in a row: the first, and one past the last.
pub type Span = (u32, u32);

/// Picture, with the spans of each row that differ from the template, in any order. A span may
/// include equal pixels. The encoder reads the rows that differ, the rows below them, and the row
/// above each of these.
pub type Changed<'a> = (&'a RgbImage, &'a [Vec<Span>]);
