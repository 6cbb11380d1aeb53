//! Discs with the same subsamples as imageproc's, stored as rows and as bit masks.

use super::ON;
use image::Luma;
use imageproc::drawing::{Canvas, draw_filled_circle_mut};

/// Maximum radius of a disc in subsamples. imageproc's time for a disc is proportional to its area.
pub const LARGEST_DISC: i32 = 4096;

/// Maximum radius of discs that are stored as bit masks, in subsamples.
pub(super) const LARGEST_STAMP: i32 = 80;

/// Discs of one radius, for each of the 64 positions of a centre within its pixel.
pub(super) struct DiscStamps {
    pub(super) radius: i32,
    rows: DiscRows,
    places: Vec<Option<DiscStamp>>,
}

/// Bits of a disc, one word per pixel.
pub(super) struct DiscStamp {
    /// See [`DiscStamps::before`].
    pub(super) before: usize,
    pub(super) width: usize,
    pub(super) words: Vec<u64>,
}

impl DiscStamps {
    pub(super) fn new(radius: i32) -> Self {
        let places = std::iter::repeat_with(|| None).take(64).collect();
        Self { radius, rows: DiscRows::new(radius), places }
    }

    /// Rows of a disc around `center`, from `first` up to but excluding `end`. Returns the top row,
    /// and the first and last subsample of each row.
    pub(super) fn rows(&self, center: (i32, i32), first: i32, end: i32) -> (i32, [Vec<i32>; 2]) {
        let (left, top) = (center.0 - self.radius, center.1 - self.radius);
        let count = self.rows.from.len() as i32;
        let from = (first - top).clamp(0, count);
        let to = (end - top).clamp(from, count);
        let rows = from as usize..to as usize;
        let shifted = |ends: &[i32]| ends[rows.clone()].iter().map(|x| left + x).collect();
        (top + from, [shifted(&self.rows.from), shifted(&self.rows.to)])
    }

    /// Number of pixels from the left and top edges of a stamp to the pixel of its centre.
    pub(super) fn before(&self) -> usize {
        (self.radius as usize).div_ceil(8)
    }

    /// Stamp with its centre at this subsample of a pixel.
    pub(super) fn at(&mut self, x: usize, y: usize) -> &DiscStamp {
        let before = self.before();
        let Self { radius, rows, places } = self;
        places[y * 8 + x].get_or_insert_with(|| {
            let [left, top] = [x, y].map(|at| (before * 8 + at) as i32 - *radius);
            let width = 2 * before + 1;
            let mut words = vec![0; width * width];
            for (y, (from, to)) in (top..).zip(rows.from.iter().zip(&rows.to)) {
                let row = &mut words[(y >> 3) as usize * width..][..width];
                set(row, 8 * (y & 7), left + from, left + to);
            }
            DiscStamp { before, width, words }
        })
    }
}

/// First and last subsample of each row of a disc, relative to its upper left corner. imageproc
/// draws the disc into it once per radius.
struct DiscRows {
    from: Vec<i32>,
    to: Vec<i32>,
}

impl DiscRows {
    fn new(radius: i32) -> Self {
        let rows = 2 * radius as usize + 1;
        let mut drawn = Self { from: vec![i32::MAX; rows], to: vec![i32::MIN; rows] };
        draw_filled_circle_mut(&mut drawn, (radius, radius), radius, ON);
        drawn
    }
}

/// A disc has no gaps within a row, so the ends of its rows define all subsamples.
impl Canvas for DiscRows {
    type Pixel = Luma<u8>;

    fn dimensions(&self) -> (u32, u32) {
        let side = self.from.len() as u32;
        (side, side)
    }

    fn get_pixel(&self, x: u32, y: u32) -> Luma<u8> {
        let row = self.from[y as usize]..=self.to[y as usize];
        Luma([u8::from(row.contains(&(x as i32)))])
    }

    fn draw_pixel(&mut self, x: u32, y: u32, _color: Luma<u8>) {
        let (from, to) = (&mut self.from[y as usize], &mut self.to[y as usize]);
        (*from, *to) = ((*from).min(x as i32), (*to).max(x as i32));
    }
}

/// Sets the subsamples from `from` to `to` of a row whose bits start at `shift` in each word.
#[inline(always)]
fn set(bits: &mut [u64], shift: i32, from: i32, to: i32) {
    let (first, last) = ((from >> 3) as usize, (to >> 3) as usize);
    let head = 0xff_u64 << (from & 7) & 0xff;
    let tail = 0xff_u64 >> (7 - (to & 7));
    if first == last {
        bits[first] |= (head & tail) << shift;
        return;
    }
    bits[first] |= head << shift;
    for word in &mut bits[first + 1..last] {
        *word |= 0xff << shift;
    }
    bits[last] |= tail << shift;
}
