//! The mask as a canvas of imageproc, where each pixel is a subsample.

use super::{Mask, SUB, touch};
use image::Luma;
use imageproc::drawing::Canvas;

/// Colour of a set subsample.
pub(super) const ON: Luma<u8> = Luma([1]);

impl Canvas for Mask {
    type Pixel = Luma<u8>;

    /// Number of subsamples from the corner of the picture to the end of the clip.
    fn dimensions(&self) -> (u32, u32) {
        let subsamples = |end: i32| (SUB * end) as u32;
        (subsamples(self.clip.right()), subsamples(self.clip.bottom()))
    }

    fn get_pixel(&self, x: u32, y: u32) -> Luma<u8> {
        let (column, row, bit) = place(x, y);
        let word = self.bits[row * self.stride + column];
        Luma([u8::from(word & bit != 0)])
    }

    /// Sets a subsample inside the clip. The mask has one colour.
    fn draw_pixel(&mut self, x: u32, y: u32, _color: Luma<u8>) {
        let (column, row, bit) = place(x, y);
        let (x, y) = (column as i32, row as i32);
        let clip = self.clip;
        if x < clip.x || x >= clip.right() || y < clip.y || y >= clip.bottom() {
            return;
        }
        self.bits[row * self.stride + column] |= bit;
        touch(&mut self.touched[row], column as u32, column as u32);
        self.touch_rows(y, y);
    }
}

/// Column and row of the pixel that contains a subsample, and the subsample's bit.
fn place(x: u32, y: u32) -> (usize, usize, u64) {
    ((x >> 3) as usize, (y >> 3) as usize, 1 << (8 * (y & 7) + (x & 7)))
}
