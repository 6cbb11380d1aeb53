//! Masks: pixels that a comparison ignores, such as a date or a version in a picture.

use super::Raster;
use catena_base::read;
use std::path::{Path, PathBuf};

/// Pixels that are ignored when pictures of one size are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Mask {
    path: PathBuf,
    size: [u32; 2],
    /// Whether each pixel is ignored, row by row.
    ignored: Vec<bool>,
}

/// Minimum luma of a white pixel of a mask, in 16-bit levels over black.
const WHITE: u64 = 0x8000;

impl Mask {
    /// Reads a mask. Its white pixels are ignored, and its black or transparent pixels are
    /// compared.
    ///
    /// # Errors
    /// Returns the reason why the file cannot be read or is not a mask.
    pub fn read(path: &Path) -> Result<Self, String> {
        let file = read::file(path, read::LARGE).map_err(|error| error.to_string())?;
        let raster = Raster::decode(&file)?;
        let mut ignored = Vec::new();
        let mut row = Vec::new();
        for y in 0..raster.size[1] as usize {
            raster.read_row(y, &mut row);
            ignored.extend(row.iter().map(is_white));
        }
        if !ignored.contains(&true) {
            return Err("it has no white pixels, so it excludes nothing".into());
        }
        if !ignored.contains(&false) {
            return Err("all its pixels are white, so nothing is left to compare".into());
        }
        Ok(Self { path: path.to_owned(), size: raster.size, ignored })
    }

    /// File of the mask.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Whether each pixel of a row is ignored.
    pub(super) fn row(&self, y: usize) -> &[bool] {
        let width = self.size[0] as usize;
        &self.ignored[y * width..][..width]
    }
}

fn is_white([r, g, b, a]: &[u16; 4]) -> bool {
    let sum = 2126 * u64::from(*r) + 7152 * u64::from(*g) + 722 * u64::from(*b);
    sum / 10_000 * u64::from(*a) / u64::from(u16::MAX) >= WHITE
}
