//! Conversion from RGB to yuv420p: BT.709 or BT.601, limited range, chroma centred between four
//! pixels.
//!
//! With the luma Y' and the scales b and r of a matrix:
//!
//! - Y = 16 + 219 Y' / 255 of each pixel,
//! - Cb = 128 + 224 (B - Y') / b / 255 of the mean of four pixels,
//! - Cr = 128 + 224 (R - Y') / r / 255 of the same mean.
//!
//! The computation uses integers in units of 2^-16. The factors of Cb sum to 0, and so do the
//! factors of Cr, so that grey stays exactly grey.

use image::RgbImage;

/// Factors of red, green and blue, in units of 2^-16.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColorMatrix {
    y: [i32; 3],
    /// Addend to luma before its fraction is truncated.
    rounding: i32,
    cb: [i32; 3],
    cr: [i32; 3],
}

impl ColorMatrix {
    /// Matrix of ITU-R BT.709-6, items 3.2 to 3.5: Y' = 0.2126 R + 0.7152 G + 0.0722 B, with scales
    /// of 1.8556 and 1.5748. Used in files that have a tag for the matrix.
    pub(super) const BT709: Self = Self {
        y: [11_966, 40_254, 4_064],
        rounding: 1 << 15,
        cb: [-6_596, -22_188, 28_784],
        cr: [28_784, -26_145, -2_639],
    };
    /// Matrix of ITU-R BT.601-7, items 2.5.1 to 2.5.3: Y' = 0.299 R + 0.587 G + 0.114 B, with
    /// scales of 1.772 and 1.402. YUV4MPEG2 has no tag for a matrix and implies this one.
    ///
    /// The usual reader is ffmpeg, whose fast conversion truncates fractions and therefore loses
    /// half a level on average. Luma is therefore rounded up from a fraction of 1/4. This adds at
    /// most a quarter of a level in exact readers.
    pub(super) const BT601: Self = Self {
        y: [16_829, 33_039, 6_416],
        rounding: 3 << 14,
        cb: [-9_714, -19_071, 28_785],
        cr: [28_785, -24_104, -4_681],
    };
}

/// Number of pixels of a row that are compared at once; must be even.
const BLOCK: usize = 32;

/// Converter of consecutive frames. Only pixels that changed since the previous frame are
/// converted.
pub(super) struct YuvConverter {
    matrix: ColorMatrix,
    /// Width and height of the frames, and both padded to even numbers by repeating the last
    /// pixels.
    size: [usize; 2],
    padded: [usize; 2],
    /// Bytes of the previous frame; empty before the first.
    before: Vec<u8>,
    planes: Vec<u8>,
}

impl YuvConverter {
    pub(super) fn new(matrix: ColorMatrix, size: [u32; 2]) -> Self {
        let padded = padded(size).map(|side| side as usize);
        let pixels = padded[0] * padded[1];
        Self {
            matrix,
            size: size.map(|side| side as usize),
            padded,
            before: Vec::new(),
            planes: vec![0; pixels + pixels / 2],
        }
    }

    /// Converts a frame, and returns its planes Y, Cb and Cr, one after the other.
    pub(super) fn convert(&mut self, image: &RgbImage) -> &[u8] {
        let raw = image.as_raw();
        let [width, height] = self.size;
        let is_first = self.before.is_empty();
        if is_first {
            self.before.extend_from_slice(raw);
        }
        let stride = 3 * width;
        for pair in 0..self.padded[1] / 2 {
            let rows = [2 * pair, (2 * pair + 1).min(height - 1)];
            let rows = rows.map(|y| y * stride..(y + 1) * stride);
            if is_first {
                self.convert_rows(raw, pair, 0..width.div_ceil(2));
                continue;
            }
            if rows.iter().all(|row| self.before[row.clone()] == raw[row.clone()]) {
                continue;
            }
            // Ropes change small parts of a row. Converting changed blocks costs less than
            // converting everything between the first and the last change.
            for from in (0..width).step_by(BLOCK) {
                let to = (from + BLOCK).min(width);
                let blocks = rows.clone().map(|row| row.start + 3 * from..row.start + 3 * to);
                if blocks.iter().any(|block| self.before[block.clone()] != raw[block.clone()]) {
                    self.convert_rows(raw, pair, from / 2..to.div_ceil(2));
                    for block in blocks {
                        self.before[block.clone()].copy_from_slice(&raw[block]);
                    }
                }
            }
        }
        &self.planes
    }

    /// Converts columns of a pair of rows; `columns` counts pairs of pixels.
    fn convert_rows(&mut self, raw: &[u8], pair: usize, columns: std::ops::Range<usize>) {
        let ([width, height], [across, down]) = (self.size, self.padded);
        let matrix = self.matrix;
        let (luma, chroma) = self.planes.split_at_mut(across * down);
        let (blue, red) = chroma.split_at_mut(across * down / 4);
        let (upper, lower) = luma[2 * pair * across..][..2 * across].split_at_mut(across);
        let blue = &mut blue[pair * across / 2..][..across / 2];
        let red = &mut red[pair * across / 2..][..across / 2];
        let above = &raw[3 * width * (2 * pair)..][..3 * width];
        let below = &raw[3 * width * (2 * pair + 1).min(height - 1)..][..3 * width];
        // An odd last column is used twice.
        let whole = columns.start..columns.end.min(width / 2);
        let pixels = 6 * whole.start..6 * whole.end;
        let inputs = above[pixels.clone()].chunks_exact(6).zip(below[pixels].chunks_exact(6));
        let doubled = 2 * whole.start..2 * whole.end;
        let lumas = upper[doubled.clone()].chunks_exact_mut(2);
        let lumas = lumas.zip(lower[doubled].chunks_exact_mut(2));
        let chromas = blue[whole.clone()].iter_mut().zip(&mut red[whole]);
        for (((a, b), (upper, lower)), (blue, red)) in inputs.zip(lumas).zip(chromas) {
            (upper[0], upper[1]) = (matrix.luma_of(&a[..3]), matrix.luma_of(&a[3..]));
            (lower[0], lower[1]) = (matrix.luma_of(&b[..3]), matrix.luma_of(&b[3..]));
            let sum = |i: usize| {
                i32::from(a[i]) + i32::from(a[i + 3]) + i32::from(b[i]) + i32::from(b[i + 3])
            };
            (*blue, *red) = matrix.chroma_of([sum(0), sum(1), sum(2)]);
        }
        if columns.end > width / 2 {
            let (a, b) = (&above[3 * (width - 1)..], &below[3 * (width - 1)..]);
            upper[across - 2..].fill(matrix.luma_of(a));
            lower[across - 2..].fill(matrix.luma_of(b));
            let sum = |i: usize| 2 * (i32::from(a[i]) + i32::from(b[i]));
            (blue[across / 2 - 1], red[across / 2 - 1]) =
                matrix.chroma_of([sum(0), sum(1), sum(2)]);
        }
    }
}

impl ColorMatrix {
    #[inline(always)]
    fn luma_of(self, pixel: &[u8]) -> u8 {
        let [r, g, b] = self.y;
        let sum = r * i32::from(pixel[0]) + g * i32::from(pixel[1]) + b * i32::from(pixel[2]);
        ((sum + (16 << 16) + self.rounding) >> 16) as u8
    }

    /// Cb and Cr from the sums of red, green and blue of four pixels.
    #[inline(always)]
    fn chroma_of(self, sums: [i32; 3]) -> (u8, u8) {
        let of = |factors: [i32; 3]| {
            let sum = factors[0] * sums[0] + factors[1] * sums[1] + factors[2] * sums[2];
            ((sum + (128 << 18) + (1 << 17)) >> 18) as u8
        };
        (of(self.cb), of(self.cr))
    }
}

/// Size with each odd side enlarged by one.
pub(super) fn padded(size: [u32; 2]) -> [u32; 2] {
    size.map(|side| side.next_multiple_of(2))
}

/// Message about a padded size; `None` if the size is even.
pub(super) fn note(size: [u32; 2]) -> Option<String> {
    let [width, height] = padded(size);
    (padded(size) != size).then(|| {
        format!(
            "note: frames of {}x{} are padded to {width}x{height}, because yuv420p needs even sides; the last column or row is repeated",
            size[0], size[1]
        )
    })
}
