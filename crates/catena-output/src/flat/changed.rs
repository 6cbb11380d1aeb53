//! Where a picture differs from the template.

use image::RgbImage;

/// A range of pixels in a row: the first, and the one past the last.
pub type Span = (u32, u32);

/// A picture, and for each row the pixels that differ from the template, in any order. Equal pixels
/// may be among them. The encoder reads the rows that differ, the rows below them, and the row
/// above either.
pub type Changed<'a> = (&'a RgbImage, &'a [Vec<Span>]);
