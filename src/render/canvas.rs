//! A picture and a coverage mask: antialiased shapes at fractions of a pixel, drawn by imageproc.
//!
//! imageproc's own antialiased calls take whole pixels, so slow motion would jitter, and shapes that touch would
//! blend twice where they overlap. Here a shape goes into a [`Mask`] at subsample coordinates; then every touched pixel is mixed
//! once, by the number of its bits. What was changed is remembered: only that is put back for the next picture, and only
//! that is looked at when the picture becomes a file.

use super::changes::{Changes, Span};
use super::clip;
use super::layout::Rect;
use super::mask::{Mask, SUB};
use super::text::Glyphs;
use super::theme::Ink;
use crate::instructions::Instructions;
use image::RgbImage;
use imageproc::point::Point;
use pulp::NullaryFnOnce;

/// A picture that shapes can be drawn on.
pub struct Canvas {
    image: RgbImage,
    mask: Mask,
    changes: Changes,
    glyphs: Glyphs,
}

impl Canvas {
    /// A canvas that shows `image`.
    pub fn new(image: RgbImage) -> Self {
        let mask = Mask::new(image.width(), image.height());
        let changes = Changes::none(image.height());
        Self { image, mask, changes, glyphs: Glyphs::default() }
    }

    /// A canvas of one colour.
    pub fn plain([width, height]: [u32; 2], ink: Ink) -> Self {
        let mut canvas = Self::new(RgbImage::new(width, height));
        canvas.fill(Rect::of(&canvas.image), ink);
        canvas
    }

    /// Takes back all that was drawn. `image` is the picture that the canvas was made with.
    pub fn restore(&mut self, image: &RgbImage) {
        let width = self.image.width() as usize;
        let raw: &mut [u8] = &mut self.image;
        self.changes.drain(|y, (from, to)| {
            let bytes = 3 * (y * width + from as usize)..3 * (y * width + to as usize);
            raw[bytes.clone()].copy_from_slice(&image.as_raw()[bytes]);
        });
    }

    /// The picture.
    pub fn image(&self) -> &RgbImage {
        &self.image
    }

    /// The pixels that may differ from the picture that the canvas was made with: spans of each row, in any order.
    pub fn changes(&self) -> &[Vec<Span>] {
        self.changes.rows()
    }

    /// Ends drawing.
    pub fn into_image(self) -> RgbImage {
        self.image
    }

    /// Draws one shape of one colour: all that `draw` does with the pen, inside of `clip`.
    pub fn shape(&mut self, clip: Rect, ink: Ink, draw: impl FnOnce(&mut Pen<'_>)) {
        self.mask.begin(clip.intersect(Rect::of(&self.image)));
        draw(&mut Pen { mask: &mut self.mask });
        let Self { image, mask, changes, .. } = self;
        Instructions::best().run(Composite { mask, image, changes, ink });
    }

    /// Changes pixels of a rectangle one by one.
    pub fn change(&mut self, rect: Rect, mut change: impl FnMut([i32; 2], &mut Ink)) {
        let rect = rect.intersect(Rect::of(&self.image));
        if rect.w == 0 {
            return;
        }
        for y in rect.y..rect.bottom() {
            for x in rect.x..rect.right() {
                change([x, y], self.image.get_pixel_mut(x as u32, y as u32));
            }
            self.changes.add(y as u32, rect.x as u32, rect.right() as u32);
        }
    }

    /// Fills a rectangle of whole pixels.
    pub fn fill(&mut self, rect: Rect, ink: Ink) {
        let rect = rect.intersect(Rect::of(&self.image));
        if rect.w <= 0 || rect.h <= 0 {
            return;
        }
        let width = self.image.width() as i32;
        let raw: &mut [u8] = &mut self.image;
        let bytes = |y: i32| {
            let from = 3 * (y * width + rect.x) as usize;
            from..from + 3 * rect.w as usize
        };
        let first = bytes(rect.y);
        raw[first.clone()].chunks_exact_mut(3).for_each(|pixel| pixel.copy_from_slice(&ink.0));
        for y in rect.y..rect.bottom() {
            if y > rect.y {
                raw.copy_within(first.clone(), bytes(y).start);
            }
            self.changes.add(y as u32, rect.x as u32, rect.right() as u32);
        }
    }

    /// Draws the border of a rectangle, one pixel wide and inside of it.
    pub fn frame(&mut self, rect: Rect, ink: Ink) {
        for edge in [
            Rect { h: 1, ..rect },
            Rect { y: rect.bottom() - 1, h: 1, ..rect },
            Rect { w: 1, ..rect },
            Rect { x: rect.right() - 1, w: 1, ..rect },
        ] {
            self.fill(edge, ink);
        }
    }

    /// What text is drawn with: the picture, glyphs that were drawn before, and the changes.
    pub(super) fn text_parts(&mut self) -> (&mut RgbImage, &mut Glyphs, &mut Changes) {
        (&mut self.image, &mut self.glyphs, &mut self.changes)
    }
}

/// Mixes the ink into the touched pixels of a mask, and clears it. Counting bits is what takes the time.
struct Composite<'a> {
    mask: &'a mut Mask,
    image: &'a mut RgbImage,
    changes: &'a mut Changes,
    ink: Ink,
}

impl NullaryFnOnce for Composite<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { mask, image, changes, ink } = self;
        let (width, above) = (image.width() as usize, spread(ink.0));
        let raw: &mut [u8] = image;
        for y in mask.take_rows() {
            let Some((first, bits)) = mask.take_row(y) else { continue };
            changes.add(y as u32, first, first + bits.len() as u32);
            let start = 3 * (y as usize * width + first as usize);
            let pixels = raw[start..start + 3 * bits.len()].as_chunks_mut::<3>().0;
            for (pixel, bits) in pixels.iter_mut().zip(bits) {
                // Without branches: whether a pixel is covered cannot be foretold at the rim of a shape.
                let covered = u64::from(std::mem::take(bits).count_ones());
                let sum = spread(*pixel) * (64 - covered) + above * covered + ROUND;
                *pixel = gather(sum >> 6);
            }
        }
    }
}

/// Half of 64 for each channel.
const ROUND: u64 = 0x20_0020_0020;

/// The channels of a pixel, with room between them for products.
#[inline(always)]
fn spread([r, g, b]: [u8; 3]) -> u64 {
    u64::from(r) | u64::from(g) << 16 | u64::from(b) << 32
}

#[inline(always)]
fn gather(channels: u64) -> [u8; 3] {
    [channels as u8, (channels >> 16) as u8, (channels >> 32) as u8]
}

/// Adds to a shape. Coordinates are pixels; whole numbers are the edges between pixels. What is not finite is
/// left out, and what lies outside is clipped before it is drawn, so no coordinate costs more than another.
pub struct Pen<'a> {
    mask: &'a mut Mask,
}

impl Pen<'_> {
    /// A straight line of some thickness with square ends. Draw discs on its ends for round ones.
    pub fn line(&mut self, a: [f64; 2], b: [f64; 2], width: f64) {
        let Some((a, b)) = clip_line(a, b, self.mask.clip().grown(width + 2.0)) else { return };
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let length = (dx * dx + dy * dy).sqrt();
        if length == 0.0 {
            return;
        }
        // imageproc's polygons include their outline: half a subsample on each side.
        let half = (width - 1.0 / f64::from(SUB)) / 2.0;
        let (nx, ny) = (-dy / length * half, dx / length * half);
        let corners = [
            [a[0] + nx, a[1] + ny],
            [b[0] + nx, b[1] + ny],
            [b[0] - nx, b[1] - ny],
            [a[0] - nx, a[1] - ny],
        ];
        self.mask.polygon(&corners.map(point));
    }

    /// A filled circle.
    pub fn disc(&mut self, center: [f64; 2], diameter: f64) {
        if !self.mask.clip().grown(diameter).contains(center) {
            return;
        }
        let radius = (diameter * f64::from(SUB) - 1.0) / 2.0;
        self.mask.disc(subsample(center), radius.round().max(0.0) as i32);
    }

    /// A filled polygon. Where edges cross, what lies within them twice is left out. It is larger by half a subsample on
    /// each side.
    pub fn polygon(&mut self, corners: &[[f64; 2]]) {
        let inside = clip_polygon(corners, self.mask.clip().grown(2.0));
        if inside.len() >= 3 {
            let points: Vec<_> = inside.into_iter().map(point).collect();
            self.mask.polygon(&points);
        }
    }

    /// The outline of a polygon, half of its thickness on either side. Its corners are not rounded.
    pub fn outline(&mut self, corners: &[[f64; 2]], width: f64) {
        for (index, &corner) in corners.iter().enumerate() {
            self.line(corner, corners[(index + 1) % corners.len()], width);
        }
    }

    /// A filled square with horizontal and vertical sides.
    pub fn square(&mut self, center: [f64; 2], side: f64) {
        if !self.mask.clip().grown(side).contains(center) {
            return;
        }
        let half = (side - 1.0 / f64::from(SUB)) / 2.0;
        let corner = |dx: f64, dy: f64| point([center[0] + dx * half, center[1] + dy * half]);
        let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        self.mask.polygon(&corners);
    }
}

/// The subsample that holds a point, which lies near the picture.
fn subsample(point: [f64; 2]) -> (i32, i32) {
    let index = |value: f64| (value * f64::from(SUB)).floor() as i32;
    (index(point[0]), index(point[1]))
}

fn point(at: [f64; 2]) -> Point<i32> {
    let (x, y) = subsample(at);
    Point { x, y }
}

/// The part of a line inside of a box (Liang and Barsky 1984); `None` when there is none or a number is not finite.
fn clip_line(a: [f64; 2], b: [f64; 2], area: Area) -> Option<([f64; 2], [f64; 2])> {
    if ![a, b].as_flattened().iter().all(|value| value.is_finite()) {
        return None;
    }
    // At half size no difference of two finite numbers overflows.
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for axis in 0..2 {
        let (from, to) = (a[axis] * 0.5, b[axis] * 0.5);
        let (low, high) = (area.low[axis] * 0.5, area.high[axis] * 0.5);
        let d = to - from;
        if d == 0.0 {
            if from < low || from > high {
                return None;
            }
            continue;
        }
        let (t0, t1) = ((low - from) / d, (high - from) / d);
        enter = enter.max(t0.min(t1));
        leave = leave.min(t0.max(t1));
    }
    if enter > leave {
        return None;
    }
    // Rounding of huge numbers may leave the box again, and find the end of a line inside that is not.
    let kept = |at: [f64; 2]| [0, 1].map(|axis| at[axis].clamp(area.low[axis], area.high[axis]));
    let at = |t: f64| {
        let value = |axis: usize| (a[axis] * 0.5 + t * (b[axis] * 0.5 - a[axis] * 0.5)) * 2.0;
        kept([value(0), value(1)])
    };
    let start = if enter > 0.0 { at(enter) } else { kept(a) };
    let end = if leave < 1.0 { at(leave) } else { kept(b) };
    Some((start, end))
}

/// The part of a polygon inside of a box; empty when there is none or a number is not finite.
fn clip_polygon(corners: &[[f64; 2]], area: Area) -> Vec<[f64; 2]> {
    let mut kept = corners.to_vec();
    for axis in 0..2 {
        // At half size no difference of two finite numbers overflows.
        kept = clip::polygon(&kept, |at| at[axis] * 0.5 - area.low[axis] * 0.5);
        kept = clip::polygon(&kept, |at| area.high[axis] * 0.5 - at[axis] * 0.5);
    }
    // A number that is not finite may have lost its corner already, so all of them are looked at.
    let is_finite = |all: &[[f64; 2]]| all.as_flattened().iter().all(|value| value.is_finite());
    if !is_finite(corners) || !is_finite(&kept) {
        return Vec::new();
    }
    // Rounding of huge numbers may leave the box again.
    for at in &mut kept {
        *at = [0, 1].map(|axis| at[axis].clamp(area.low[axis], area.high[axis]));
    }
    kept
}

/// A box in pixels, as fractions.
#[derive(Clone, Copy, Debug)]
struct Area {
    low: [f64; 2],
    high: [f64; 2],
}

impl Area {
    fn contains(&self, point: [f64; 2]) -> bool {
        (0..2).all(|axis| (self.low[axis]..=self.high[axis]).contains(&point[axis]))
    }
}

impl Rect {
    fn grown(self, by: f64) -> Area {
        Area {
            low: [f64::from(self.x) - by, f64::from(self.y) - by],
            high: [f64::from(self.right()) + by, f64::from(self.bottom()) + by],
        }
    }
}
