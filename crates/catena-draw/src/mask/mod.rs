//! Coverage mask with 8 by 8 subsamples per pixel, stored as bits. Spans are set in eight rows at a
//! time.
//!
//! imageproc defines the shapes, but sets one subsample after another. Fast paths set the same
//! subsamples row by row, and imageproc draws all other shapes.

mod discs;
mod edges;
mod rasterizer;

pub use discs::LARGEST_DISC;
pub use edges::is_monotone;
pub use rasterizer::Rasterizer;

use super::rect::Rect;
use catena_sim::instructions::Instructions;
use discs::{DiscStamps, LARGEST_STAMP};
use edges::{FARTHEST, PolygonEdges};
use image::Luma;
use imageproc::drawing::{Canvas, draw_filled_circle_mut, draw_line_segment_mut, draw_polygon_mut};
use pulp::NullaryFnOnce;
use std::ops::RangeInclusive;

/// Subsamples along each side of a pixel.
pub(super) const SUB: i32 = 8;

/// A corner in subsamples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Subsamples from the left.
    pub x: i32,
    /// Subsamples from the top.
    pub y: i32,
}

impl Point {
    /// Nearest point within the coordinate range of imageproc.
    fn near(self) -> Self {
        let [x, y] = [self.x, self.y].map(|at| at.clamp(1 - FARTHEST, FARTHEST - 1));
        Self { x, y }
    }
}

/// Maximum number of disc radii that are cached. A moving view may need another radius in each
/// frame.
const MAX_RADII: usize = 256;

/// First and last touched pixel of a row; first > last if no pixel is touched.
type Touched = (u32, u32);
const UNTOUCHED: Touched = (u32::MAX, 0);

/// Bits of a picture, with 8 rows of 8 bits per pixel.
pub struct Mask {
    /// Number of words from one row of pixels to the next.
    stride: usize,
    bits: Vec<u64>,
    touched: Vec<Touched>,
    bounds: Rect,
    rasterizer: Rasterizer,
    clip: Rect,
    /// Rows that may be touched.
    rows: (i32, i32),
    edges: PolygonEdges,
    stamps: Vec<DiscStamps>,
}

impl Mask {
    /// Empty mask for a picture of this size.
    pub fn new(width: u32, height: u32) -> Self {
        // Runs are set eight pixels at a time, so a row needs up to seven more than the width. An
        // odd number of cache lines keeps the rows of a shape from competing for the same cache
        // sets.
        let stride = 8 * ((width.div_ceil(8) as usize + 1) | 1);
        let bounds = Rect { x: 0, y: 0, w: width as i32, h: height as i32 };
        Self {
            stride,
            bits: vec![0; stride * height as usize],
            touched: vec![UNTOUCHED; height as usize],
            bounds,
            rasterizer: Rasterizer::chosen(),
            clip: bounds,
            rows: NO_ROWS,
            edges: PolygonEdges::default(),
            stamps: Vec::new(),
        }
    }

    /// Sets the rasterizer. The default depends on the environment.
    pub fn with_rasterizer(self, rasterizer: Rasterizer) -> Self {
        Self { rasterizer, ..self }
    }

    /// Rasterizer that draws the shapes.
    pub fn rasterizer(&self) -> Rasterizer {
        self.rasterizer
    }

    /// Starts a shape, which is clipped to `clip`.
    pub fn begin(&mut self, clip: Rect) {
        self.clip = clip.intersect(self.bounds);
        self.rows = NO_ROWS;
    }

    /// Clip of the current shape.
    pub fn clip(&self) -> Rect {
        self.clip
    }

    /// Returns the rows that the shape may have touched, and resets them.
    pub fn take_rows(&mut self) -> RangeInclusive<i32> {
        let (top, bottom) = std::mem::replace(&mut self.rows, NO_ROWS);
        top..=bottom
    }

    /// Returns the first touched pixel of a row and the bits from there to the last touched pixel.
    /// The caller must clear the bits. `None` if the row is not touched.
    #[inline(always)]
    pub fn take_row(&mut self, y: i32) -> Option<(u32, &mut [u64])> {
        let (first, last) = std::mem::replace(&mut self.touched[y as usize], UNTOUCHED);
        let row = y as usize * self.stride;
        (first <= last).then(|| (first, &mut self.bits[row + first as usize..=row + last as usize]))
    }

    /// First and last row of subsamples inside the clip.
    fn clip_rows(&self) -> (i32, i32) {
        (self.clip.y * SUB, self.clip.bottom() * SUB - 1)
    }

    /// Whether the clip has no pixel. imageproc panics on a canvas without rows.
    fn is_empty(&self) -> bool {
        self.clip.w <= 0 || self.clip.h <= 0
    }

    /// Adds a filled polygon with its outline, in subsamples. Corners more than 2²¹ subsamples away
    /// are moved to that distance.
    pub fn polygon(&mut self, corners: &[Point]) {
        if self.is_empty() {
            return;
        }
        if corners.iter().any(|at| *at != at.near()) {
            let corners: Vec<_> = corners.iter().map(|at| at.near()).collect();
            return self.polygon(&corners);
        }
        if self.rasterizer == Rasterizer::Fast && is_monotone(corners) {
            Instructions::best().run(FillShape { mask: self, shape: MaskShape::Polygon(corners) });
        } else {
            let corner = |at: &Point| imageproc::point::Point { x: at.x, y: at.y };
            let corners: Vec<_> = corners.iter().map(corner).collect();
            draw_polygon_mut(self, &corners, ON);
        }
    }

    /// Adds a line with the thickness of one subsample. Ends more than 2²¹ subsamples away are
    /// moved to that distance.
    pub fn line(&mut self, ends: [Point; 2]) {
        if !self.is_empty() {
            let [a, b] = ends.map(Point::near).map(|at| (at.x as f32, at.y as f32));
            draw_line_segment_mut(self, a, b, ON);
        }
    }

    /// Adds a filled circle, in subsamples. The radius is limited to [`LARGEST_DISC`].
    pub fn disc(&mut self, center: (i32, i32), radius: i32) {
        if self.is_empty() {
            return;
        }
        let Point { x, y } = Point { x: center.0, y: center.1 }.near();
        let radius = radius.clamp(0, LARGEST_DISC);
        if self.rasterizer == Rasterizer::Imageproc {
            draw_filled_circle_mut(self, (x, y), radius, ON);
            return;
        }
        let index = self.stamps_of(radius);
        let Rect { x: left, y: top, .. } = self.clip;
        let (right, bottom) = (self.clip.right(), self.clip.bottom());
        // A stamp covers whole pixels, so it may extend one pixel beyond its disc.
        let (px, py, reach) = (x >> 3, y >> 3, self.stamps[index].before() as i32);
        let is_inside =
            px - reach >= left && px + reach < right && py - reach >= top && py + reach < bottom;
        if !is_inside || radius > LARGEST_STAMP {
            let (top, [from, to]) = self.stamps[index].rows((x, y), top * SUB, bottom * SUB);
            let shape = MaskShape::Rows(top, (&from, &to));
            Instructions::best().run(FillShape { mask: self, shape });
            return;
        }
        let Self { stamps, bits, touched, stride, .. } = self;
        let stamp = stamps[index].at((x & 7) as usize, (y & 7) as usize);
        let (left, top) = ((x >> 3) as usize - stamp.before, (y >> 3) as usize - stamp.before);
        for (row, words) in (top..).zip(stamp.words.chunks_exact(stamp.width)) {
            let bits = &mut bits[row * *stride + left..][..stamp.width];
            set(bits, words, is_apart(touched[row], left as u32, stamp.width as u32));
            touch(&mut touched[row], left as u32, (left + stamp.width - 1) as u32);
        }
        let last = top + stamp.words.len() / stamp.width - 1;
        self.touch_rows(top as i32, last as i32);
    }

    /// Index of the stamps of a radius, which are created if necessary.
    fn stamps_of(&mut self, radius: i32) -> usize {
        if let Some(index) = self.stamps.iter().position(|stamps| stamps.radius == radius) {
            return index;
        }
        if self.stamps.len() >= MAX_RADII {
            self.stamps.clear();
        }
        self.stamps.push(DiscStamps::new(radius));
        self.stamps.len() - 1
    }

    /// Sets runs of subsamples inside the clip, one per row from `top` downwards. The rows
    /// themselves must be inside.
    #[inline(always)]
    fn fill(&mut self, top: i32, runs: (&[i32], &[i32])) {
        if runs.0.is_empty() {
            return;
        }
        let (minimum, end) = (self.clip.x * SUB, self.clip.right() * SUB);
        let (mut y, mut rest) = (top, runs);
        while !rest.0.is_empty() {
            // Eight subsample rows of one row of pixels. A missing row is an empty run.
            let before = (y & 7) as usize;
            let count = rest.0.len().min(8 - before);
            let (these, next) = (rest.0.split_at(count), rest.1.split_at(count));
            let (mut from, mut to) = ([i32::MAX; 8], [i32::MIN; 8]);
            from[before..before + count].copy_from_slice(these.0);
            to[before..before + count].copy_from_slice(next.0);
            let leftmost =
                from.iter().fold(i32::MAX, |minimum, &from| minimum.min(from)).max(minimum);
            let rightmost = to.iter().fold(i32::MIN, |maximum, &to| maximum.max(to)).min(end - 1);
            if leftmost <= rightmost {
                let from = from.map(|from| from.max(minimum));
                let to = to.map(|to| to.saturating_add(1).clamp(minimum, end));
                self.fill_row((y >> 3) as usize, [leftmost >> 3, rightmost >> 3], from, to);
            }
            y += count as i32;
            rest = (these.1, next.1);
        }
        self.touch_rows(top >> 3, (y - 1) >> 3);
    }

    /// Sets the runs of the eight subsample rows of a row of pixels, up to but excluding `to`. They
    /// are between the pixels `first` and `last`.
    #[inline(always)]
    fn fill_row(&mut self, row: usize, [first, last]: [i32; 2], from: [i32; 8], to: [i32; 8]) {
        let start = row * self.stride;
        for x in (first..=last).step_by(8) {
            let mut rows = [0; 8];
            for (row, (from, to)) in rows.iter_mut().zip(from.into_iter().zip(to)) {
                *row = below(to - 8 * x) & !below(from - 8 * x);
            }
            let bits = &mut self.bits[start + x as usize..][..8];
            set(bits, &transposed(rows), is_apart(self.touched[row], x as u32, 8));
        }
        touch(&mut self.touched[row], first as u32, last as u32);
    }

    fn touch_rows(&mut self, top: i32, bottom: i32) {
        self.rows = (self.rows.0.min(top), self.rows.1.max(bottom));
    }

    /// Whether no bit is set.
    pub fn is_clean(&self) -> bool {
        self.bits.iter().all(|&bits| bits == 0)
    }
}

/// A shape that is set row by row.
enum MaskShape<'a> {
    Polygon(&'a [Point]),
    /// First row; and the first and last subsample of each row from there downwards.
    Rows(i32, (&'a [i32], &'a [i32])),
}

struct FillShape<'a> {
    mask: &'a mut Mask,
    shape: MaskShape<'a>,
}

impl NullaryFnOnce for FillShape<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { mask, shape } = self;
        match shape {
            MaskShape::Polygon(corners) => {
                let mut edges = std::mem::take(&mut mask.edges);
                edges.find(corners, mask.clip_rows());
                mask.fill(edges.top, (&edges.rows.from, &edges.rows.to));
                for &(y, from, to) in &edges.apart {
                    mask.fill(y, (&[from], &[to]));
                }
                mask.edges = edges;
            }
            MaskShape::Rows(top, runs) => mask.fill(top, runs),
        }
    }
}

/// Mask of the lowest `count` bits: 0 if `count` is negative, all bits if it is at least 64.
#[inline(always)]
fn below(count: i32) -> u64 {
    let bits = (1_u64 << (count & 63)).wrapping_sub(1);
    if count >= 64 {
        u64::MAX
    } else if count < 0 {
        0
    } else {
        bits
    }
}

/// Transposes eight rows of eight bytes: byte r of column c is byte c of row r.
#[inline(always)]
fn transposed(mut all: [u64; 8]) -> [u64; 8] {
    // Swaps blocks of 4 by 4 bytes, then of 2 by 2, then single bytes.
    for (apart, mask) in [(4, 0xffff_ffff), (2, 0xffff_0000_ffff), (1, 0x00ff_00ff_00ff_00ff)] {
        for i in (0..8).filter(|i| i & apart == 0) {
            let change = (all[i] >> (8 * apart) ^ all[i + apart]) & mask;
            all[i + apart] ^= change;
            all[i] ^= change << (8 * apart);
        }
    }
    all
}

const NO_ROWS: (i32, i32) = (i32::MAX, -1);

/// Whether `count` pixels from `x` on are untouched.
#[inline(always)]
fn is_apart((first, last): Touched, x: u32, count: u32) -> bool {
    x + count <= first || x > last
}

/// Sets bits. Untouched words are written without being read: reading memory before its first write
/// costs two page faults, and the second one interrupts all other threads.
#[inline(always)]
fn set(bits: &mut [u64], more: &[u64], are_none: bool) {
    if are_none {
        bits.copy_from_slice(more);
    } else {
        bits.iter_mut().zip(more).for_each(|(bits, more)| *bits |= more);
    }
}

fn touch(touched: &mut Touched, first: u32, last: u32) {
    *touched = (touched.0.min(first), touched.1.max(last));
}

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
