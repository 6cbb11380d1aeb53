//! A picture and a coverage mask: antialiased shapes at fractions of a pixel.
//!
//! imageproc's own antialiased calls take whole pixels, so slow motion would jitter, and
//! overlapping shapes would blend twice. Here a shape goes into a [`Mask`] at subsample
//! coordinates, and then every touched pixel is mixed once, by the number of its bits. The canvas
//! knows its changes: only these are put back for the next picture, and only these are encoded.

use super::changes::Span;
use super::clip;
use super::glyphs::GlyphCache;
use super::mask::{Mask, Point, SUB};
use super::rect::Rect;
use super::space::SpaceBuffers;
use super::surface::Surface;
use super::theme::Ink;
use crate::instructions::Instructions;
use image::RgbImage;
use pulp::NullaryFnOnce;
use std::sync::Arc;

/// A picture to draw shapes on.
pub struct Canvas {
    surface: Surface,
    tools: DrawingBuffers,
}

/// The mask and the glyphs of a canvas, which another one of the same size and font can reuse.
pub(super) struct DrawingBuffers {
    mask: Mask,
    glyphs: GlyphCache,
    space: SpaceBuffers,
}

impl DrawingBuffers {
    fn new([width, height]: [u32; 2]) -> Self {
        Self {
            mask: Mask::new(width, height),
            glyphs: GlyphCache::default(),
            space: SpaceBuffers::default(),
        }
    }
}

impl Canvas {
    /// A canvas that shows `image`.
    pub fn new(image: RgbImage) -> Self {
        let surface = Surface::new(image);
        Self { tools: DrawingBuffers::new(surface.size()), surface }
    }

    /// A canvas that shows `backdrop` and can be put back to it.
    pub fn on(backdrop: Arc<RgbImage>) -> Self {
        Self::with_buffers(backdrop, None)
    }

    /// A canvas on a backdrop, with the buffers of an earlier canvas of this size.
    pub(super) fn with_buffers(backdrop: Arc<RgbImage>, buffers: Option<DrawingBuffers>) -> Self {
        let surface = Surface::on(backdrop);
        Self { tools: buffers.unwrap_or_else(|| DrawingBuffers::new(surface.size())), surface }
    }

    /// A canvas of one colour.
    pub fn plain([width, height]: [u32; 2], ink: Ink) -> Self {
        let mut canvas = Self::new(RgbImage::new(width, height));
        canvas.fill(canvas.all(), ink);
        canvas
    }

    fn all(&self) -> Rect {
        let [w, h] = self.surface.size().map(|side| side as i32);
        Rect { x: 0, y: 0, w, h }
    }

    /// Puts the canvas back to its backdrop; without one it only forgets the changes.
    pub fn restore(&mut self) {
        self.surface.restore();
    }

    /// The picture.
    pub fn image(&mut self) -> &RgbImage {
        self.surface.whole()
    }

    /// The picture, and the spans of each row that may differ from the backdrop, in any order. The
    /// picture is valid in rows with changes and their neighbours; other rows may be black.
    pub fn changes(&self) -> (&RgbImage, &[Vec<Span>]) {
        (self.surface.near_changes(), self.surface.changes().rows())
    }

    /// The finished picture.
    pub fn into_image(self) -> RgbImage {
        self.surface.into_image()
    }

    pub(super) fn into_parts(self) -> (RgbImage, DrawingBuffers) {
        (self.surface.into_image(), self.tools)
    }

    /// Draws one shape of one colour: all that `draw` adds with the pen, inside `clip`.
    pub fn shape(&mut self, clip: Rect, ink: Ink, draw: impl FnOnce(&mut Pen<'_>)) {
        let clip = clip.intersect(self.all());
        let Self { surface, tools: DrawingBuffers { mask, .. } } = self;
        mask.begin(clip);
        draw(&mut Pen { mask });
        Instructions::best().run(Composite { mask, surface, ink });
    }

    /// Copies so many pixels of a row from `corner` on.
    pub(super) fn copy_row(&mut self, [x, y]: [i32; 2], width: i32, pixels: &mut Vec<[u8; 3]>) {
        pixels.clear();
        let span = (x as u32, (x + width) as u32);
        pixels.extend_from_slice(self.surface.pixels(y as u32, span));
    }

    /// Puts pixels into a row from `corner` on, where they differ from what is there.
    pub(super) fn put_row(&mut self, [x, y]: [i32; 2], pixels: &[[u8; 3]]) {
        let (from, to) = (x as u32, x as u32 + pixels.len() as u32);
        self.surface.put(y as u32, (from, to), pixels);
    }

    /// What panels in space are drawn with.
    pub(super) fn take_space(&mut self) -> SpaceBuffers {
        std::mem::take(&mut self.tools.space)
    }

    /// Keeps what panels in space are drawn with, for the next one.
    pub(super) fn give_space(&mut self, space: SpaceBuffers) {
        self.tools.space = space;
    }

    /// Fills a rectangle of whole pixels.
    pub fn fill(&mut self, rect: Rect, ink: Ink) {
        let rect = rect.intersect(self.all());
        if rect.w <= 0 {
            return;
        }
        let row = ink.0.repeat(rect.w as usize);
        for y in rect.y..rect.bottom() {
            self.surface
                .change(y as u32, (rect.x as u32, rect.right() as u32))
                .copy_from_slice(&row);
        }
    }

    /// Draws the border of a rectangle, one pixel wide and inside it.
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

    /// What text is drawn with: the pixels, and the glyphs drawn before.
    pub(super) fn text_parts(&mut self) -> (&mut Surface, &mut GlyphCache) {
        (&mut self.surface, &mut self.tools.glyphs)
    }
}

/// Mixes the ink into the touched pixels of a mask, and clears the mask. Most of the time goes into
/// counting bits, which vector instructions do faster.
struct Composite<'a> {
    mask: &'a mut Mask,
    surface: &'a mut Surface,
    ink: Ink,
}

impl NullaryFnOnce for Composite<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { mask, surface, ink } = self;
        let above = spread(ink.0);
        for y in mask.take_rows() {
            let Some((first, bits)) = mask.take_row(y) else { continue };
            let pixels = surface.change(y as u32, (first, first + bits.len() as u32));
            for (pixel, bits) in pixels.as_chunks_mut::<3>().0.iter_mut().zip(bits) {
                // No branches: the processor cannot predict which pixels the rim of a shape covers.
                let covered = u64::from(std::mem::take(bits).count_ones());
                let sum = spread(*pixel) * (64 - covered) + above * covered + ROUND;
                *pixel = gather(sum >> 6);
            }
        }
    }
}

/// Half of 64 in each channel, for rounding.
const ROUND: u64 = 0x20_0020_0020;

/// The channels of a pixel, 16 bits each, with room for products.
#[inline(always)]
fn spread([r, g, b]: [u8; 3]) -> u64 {
    u64::from(r) | u64::from(g) << 16 | u64::from(b) << 32
}

/// The inverse of [`spread`].
#[inline(always)]
fn gather(channels: u64) -> [u8; 3] {
    [channels as u8, (channels >> 16) as u8, (channels >> 32) as u8]
}

/// Adds to a shape. Coordinates are pixels; whole numbers are the edges between pixels. Parts that
/// are not finite are left out; parts outside are clipped first, so that no coordinate is costly.
pub struct Pen<'a> {
    mask: &'a mut Mask,
}

impl Pen<'_> {
    /// A straight line of some thickness, with square ends; discs on its ends make them round.
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

    /// A filled polygon by the even-odd rule, larger by half a subsample on each side.
    pub fn polygon(&mut self, corners: &[[f64; 2]]) {
        let inside = clip_polygon(corners, self.mask.clip().grown(2.0));
        if inside.len() >= 3 {
            let points: Vec<_> = inside.into_iter().map(point).collect();
            self.mask.polygon(&points);
        }
    }

    /// The outline of a polygon, half of its thickness on either side, with square corners.
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

/// The subsample that holds a point near the picture.
fn subsample(point: [f64; 2]) -> (i32, i32) {
    let index = |value: f64| (value * f64::from(SUB)).floor() as i32;
    (index(point[0]), index(point[1]))
}

fn point(at: [f64; 2]) -> Point {
    let (x, y) = subsample(at);
    Point { x, y }
}

/// The part of a line inside a box (Liang and Barsky 1984); `None` if there is none or a number is
/// not finite.
fn clip_line(a: [f64; 2], b: [f64; 2], area: PixelBox) -> Option<([f64; 2], [f64; 2])> {
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
    // With huge numbers rounding may leave the box, or place an end inside that is not.
    let kept = |at: [f64; 2]| [0, 1].map(|axis| at[axis].clamp(area.low[axis], area.high[axis]));
    let at = |t: f64| {
        let value = |axis: usize| (a[axis] * 0.5 + t * (b[axis] * 0.5 - a[axis] * 0.5)) * 2.0;
        kept([value(0), value(1)])
    };
    let start = if enter > 0.0 { at(enter) } else { kept(a) };
    let end = if leave < 1.0 { at(leave) } else { kept(b) };
    Some((start, end))
}

/// The part of a polygon inside a box; empty if there is none or a number is not finite.
fn clip_polygon(corners: &[[f64; 2]], area: PixelBox) -> Vec<[f64; 2]> {
    let mut kept = corners.to_vec();
    for axis in 0..2 {
        // At half size no difference of two finite numbers overflows.
        kept = clip::polygon(&kept, |at| at[axis] * 0.5 - area.low[axis] * 0.5);
        kept = clip::polygon(&kept, |at| area.high[axis] * 0.5 - at[axis] * 0.5);
    }
    // Clipping may have dropped a corner that is not finite, so the original corners count too.
    let is_finite = |all: &[[f64; 2]]| all.as_flattened().iter().all(|value| value.is_finite());
    if !is_finite(corners) || !is_finite(&kept) {
        return Vec::new();
    }
    // With huge numbers rounding may leave the box.
    for at in &mut kept {
        *at = [0, 1].map(|axis| at[axis].clamp(area.low[axis], area.high[axis]));
    }
    kept
}

/// A box in pixels, with fractions.
#[derive(Clone, Copy, Debug)]
struct PixelBox {
    low: [f64; 2],
    high: [f64; 2],
}

impl PixelBox {
    fn contains(&self, point: [f64; 2]) -> bool {
        (0..2).all(|axis| (self.low[axis]..=self.high[axis]).contains(&point[axis]))
    }
}

impl Rect {
    fn grown(self, by: f64) -> PixelBox {
        PixelBox {
            low: [f64::from(self.x) - by, f64::from(self.y) - by],
            high: [f64::from(self.right()) + by, f64::from(self.bottom()) + by],
        }
    }
}
