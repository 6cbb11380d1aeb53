//! A picture and a coverage mask: antialiased shapes at fractions of a pixel.
//!
//! imageproc's own antialiased calls take whole pixels, so slow motion would jitter, and
//! overlapping shapes would blend twice. Here a shape goes into a [`Mask`] at subsample
//! coordinates, and then every touched pixel is mixed once, by the number of its bits. The canvas
//! knows its changes: only these are put back for the next picture, and only these are encoded.

use super::changes::Span;
use super::glyphs::GlyphCache;
use super::mask::{Mask, Rasterizer};
use super::pen::Pen;
use super::rect::Rect;
use super::space::SpaceBuffers;
use super::surface::Surface;
use super::theme::Ink;
use catena_sim::instructions::Instructions;
use image::RgbImage;
use imageproc::{drawing::draw_filled_rect_mut, rect::Rect as DrawnRect};
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

    /// The canvas with another rasterizer than the one that the environment chooses.
    pub fn with_rasterizer(mut self, rasterizer: Rasterizer) -> Self {
        self.tools.mask = self.tools.mask.with_rasterizer(rasterizer);
        self
    }

    /// The rectangle of the whole picture.
    pub(super) fn all(&self) -> Rect {
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
        draw(&mut Pen::new(mask));
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
        if rect.w <= 0 || rect.h <= 0 {
            return;
        }
        if self.tools.mask.rasterizer() == Rasterizer::Imageproc {
            let drawn = DrawnRect::at(rect.x, rect.y).of_size(rect.w as u32, rect.h as u32);
            return draw_filled_rect_mut(&mut self.surface, drawn, ink);
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
