//! A coverage mask: 8 by 8 subsamples a pixel, one bit each, and spans of them set eight at a time.
//!
//! The mask is a canvas that imageproc draws on, and imageproc's shapes are what it holds. imageproc sets one subsample after
//! the other, so the shapes of which frames are full, convex polygons and discs, are set here row by row, to the same
//! bits: the tests hold them beside imageproc's own.

mod discs;
mod edges;

use super::layout::Rect;
use discs::{LARGEST_STAMP, Stamps};
use edges::Edges;
pub use edges::is_convex;
use image::Luma;
use imageproc::{
    drawing::{Canvas as DrawTarget, draw_polygon_mut},
    point::Point,
};

/// Subsamples along each side of a pixel.
pub(super) const SUB: i32 = 8;

const ON: Luma<u8> = Luma([1]);

/// First and last touched pixel of a row; first > last where none is.
type Touched = (u32, u32);
const UNTOUCHED: Touched = (u32::MAX, 0);

/// The bits of a picture, 8 rows of 8 bits a pixel.
pub struct Mask {
    width: usize,
    bits: Vec<u64>,
    touched: Vec<Touched>,
    clip: Rect,
    /// The rows that may be touched.
    rows: (i32, i32),
    edges: Edges,
    stamps: Vec<Stamps>,
}

impl Mask {
    /// An empty mask of a picture of this size.
    pub fn new(width: u32, height: u32) -> Self {
        Self {
            width: width as usize,
            bits: vec![0; width as usize * height as usize],
            touched: vec![UNTOUCHED; height as usize],
            clip: Rect { x: 0, y: 0, w: width as i32, h: height as i32 },
            rows: NO_ROWS,
            edges: Edges::default(),
            stamps: Vec::new(),
        }
    }

    /// Begins a shape: nothing outside of `clip` will be touched.
    pub fn begin(&mut self, clip: Rect) {
        self.clip = clip;
        self.rows = NO_ROWS;
    }

    /// What the current shape stays in.
    pub fn clip(&self) -> Rect {
        self.clip
    }

    /// Hands every touched row to `take`, with its first touched pixel and the bits from there on, which `take` must clear.
    #[inline(always)]
    pub fn drain(&mut self, mut take: impl FnMut(u32, u32, &mut [u64])) {
        let (top, bottom) = self.rows;
        for y in top..=bottom {
            let (first, last) = std::mem::replace(&mut self.touched[y as usize], UNTOUCHED);
            if first <= last {
                let row = y as usize * self.width;
                let bits = &mut self.bits[row + first as usize..=row + last as usize];
                take(y as u32, first, bits);
            }
        }
        self.rows = NO_ROWS;
    }

    /// A filled polygon with its outline.
    pub fn polygon(&mut self, corners: &[Point<i32>]) {
        if !is_convex(corners) {
            draw_polygon_mut(self, corners, ON);
            return;
        }
        let mut edges = std::mem::take(&mut self.edges);
        edges.find(corners, (self.clip.y * SUB, self.clip.bottom() * SUB - 1));
        self.fill(edges.top, &edges.rows);
        for &(y, from, to) in &edges.apart {
            self.fill(y, &[(from, to)]);
        }
        self.edges = edges;
    }

    /// A filled circle.
    pub fn disc(&mut self, (x, y): (i32, i32), radius: i32) {
        let index = self.stamps.iter().position(|stamps| stamps.radius == radius);
        let index = index.unwrap_or_else(|| {
            self.stamps.push(Stamps::new(radius));
            self.stamps.len() - 1
        });
        let Rect { x: left, y: top, .. } = self.clip;
        let (right, bottom) = (self.clip.right(), self.clip.bottom());
        // A stamp is whole pixels, so it may reach a pixel further than its disc.
        let (px, py, reach) = (x >> 3, y >> 3, self.stamps[index].before() as i32);
        let is_inside =
            px - reach >= left && px + reach < right && py - reach >= top && py + reach < bottom;
        if !is_inside || radius > LARGEST_STAMP {
            let (top, rows) = self.stamps[index].rows((x, y));
            let first = (self.clip.y * SUB - top).clamp(0, rows.len() as i32);
            let last = (self.clip.bottom() * SUB - top).clamp(first, rows.len() as i32);
            self.fill(top + first, &rows[first as usize..last as usize]);
            return;
        }
        let Self { stamps, bits, touched, width, .. } = self;
        let stamp = stamps[index].at((x & 7) as usize, (y & 7) as usize);
        let (left, top) = ((x >> 3) as usize - stamp.before, (y >> 3) as usize - stamp.before);
        for (row, words) in (top..).zip(stamp.words.chunks_exact(stamp.width)) {
            let start = row * *width + left;
            for (bits, word) in bits[start..start + stamp.width].iter_mut().zip(words) {
                *bits |= word;
            }
            touch(&mut touched[row], left as u32, (left + stamp.width - 1) as u32);
        }
        let last = top + stamp.words.len() / stamp.width - 1;
        self.touch_rows(top as i32, last as i32);
    }

    /// Sets subsamples of rows that lie inside of the clip, from `top` down: from and to, both included, where they lie inside of
    /// the clip, too; none where from > to.
    fn fill(&mut self, top: i32, rows: &[(i32, i32)]) {
        if rows.is_empty() {
            return;
        }
        let (least, most) = (self.clip.x * SUB, self.clip.right() * SUB - 1);
        let (mut y, mut rest) = (top, rows);
        while !rest.is_empty() {
            // The subsample rows of one row of pixels.
            let (these, next) = rest.split_at(rest.len().min((8 - (y & 7)) as usize));
            let start = (y >> 3) as usize * self.width;
            let bits = &mut self.bits[start..start + self.width];
            let (mut leftmost, mut rightmost) = (i32::MAX, -1);
            for (shift, &(from, to)) in ((y & 7)..).zip(these) {
                let (from, to) = (from.max(least), to.min(most));
                if from <= to {
                    set(bits, 8 * shift, from, to);
                    (leftmost, rightmost) = (leftmost.min(from), rightmost.max(to));
                }
            }
            if rightmost >= 0 {
                let touched = &mut self.touched[(y >> 3) as usize];
                touch(touched, (leftmost >> 3) as u32, (rightmost >> 3) as u32);
            }
            y += these.len() as i32;
            rest = next;
        }
        self.touch_rows(top >> 3, (y - 1) >> 3);
    }

    fn touch_rows(&mut self, top: i32, bottom: i32) {
        self.rows = (self.rows.0.min(top), self.rows.1.max(bottom));
    }

    /// Whether nothing is set anywhere.
    pub fn is_clean(&self) -> bool {
        self.bits.iter().all(|&bits| bits == 0)
    }
}

/// Sets the subsamples from `from` to `to` of one row, whose bits begin at `shift` in each word.
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

const NO_ROWS: (i32, i32) = (i32::MAX, -1);

fn touch(touched: &mut Touched, first: u32, last: u32) {
    *touched = (touched.0.min(first), touched.1.max(last));
}

impl DrawTarget for Mask {
    type Pixel = Luma<u8>;

    /// Right and bottom of the clip: imageproc draws nothing beyond.
    fn dimensions(&self) -> (u32, u32) {
        ((self.clip.right() * SUB) as u32, (self.clip.bottom() * SUB) as u32)
    }

    fn get_pixel(&self, x: u32, y: u32) -> Luma<u8> {
        let bits = self.bits[(y / 8) as usize * self.width + (x / 8) as usize];
        Luma([(bits >> ((y % 8) * 8 + x % 8) & 1) as u8])
    }

    fn draw_pixel(&mut self, x: u32, y: u32, _color: Luma<u8>) {
        let (px, py) = (x / 8, y / 8);
        if (px as i32) < self.clip.x || (py as i32) < self.clip.y {
            return;
        }
        self.bits[py as usize * self.width + px as usize] |= 1 << ((y % 8) * 8 + x % 8);
        touch(&mut self.touched[py as usize], px, px);
        self.touch_rows(py as i32, py as i32);
    }
}
