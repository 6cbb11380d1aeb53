//! Where a picture differs from the template.

use image::RgbImage;

/// The first pixel and the one past the last of a change, in one row.
pub type Span = (u32, u32);

/// A picture, and for each row all pixels that differ from the template, in any order; pixels that do not differ may be among them. Rows
/// are looked at only where they or the rows above them differ, and above those.
pub type Changed<'a> = (&'a RgbImage, &'a [Vec<Span>]);
