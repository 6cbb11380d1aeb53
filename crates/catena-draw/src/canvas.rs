//! A picture with a coverage mask for antialiased shapes at subpixel positions.
//!
//! imageproc's antialiased functions take whole pixels, so slow motion would jitter, and
//! overlapping shapes would blend twice. Here a shape is drawn into a [`Mask`] at subsample
//! coordinates. Then each touched pixel is blended once, weighted by its number of set bits. The
//! canvas tracks its changes: only these are restored for the next picture, and only these are
//! encoded.

use super::band::{Band, Span};
use super::glyphs::GlyphCache;
use super::mask::{Mask, Rasterizer};
use super::matte;
use super::pen::Pen;
use super::rect::Rect;
use super::space::SpaceBuffers;
use super::surface::Surface;
use super::theme::Ink;
use catena_sim::instructions::Instructions;
use image::{RgbImage, RgbaImage};
use imageproc::{drawing::draw_filled_rect_mut, rect::Rect as DrawnRect};
use pulp::NullaryFnOnce;
use std::sync::Arc;

/// A picture to draw on.
pub struct Canvas {
    surface: Surface,
    tools: DrawingBuffers,
    /// Canvas of the picture over white, if the background is translucent. This canvas then has
    /// the picture over black.
    over_white: Option<Box<Self>>,
}

/// A finished picture.
pub enum Picture<'a> {
    /// Opaque pixels.
    Opaque(&'a RgbImage),
    /// Pixels with straight alpha.
    Translucent(RgbaImage),
}

/// Mask and glyphs of a canvas, which another canvas of the same size and font can reuse.
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
    /// Canvas with this image.
    pub fn new(image: RgbImage) -> Self {
        let surface = Surface::new(image);
        Self { tools: DrawingBuffers::new(surface.size()), surface, over_white: None }
    }

    /// Canvas with this backdrop, to which it can be restored.
    pub fn on(backdrop: Arc<RgbImage>) -> Self {
        Self::with_buffers(backdrop, None)
    }

    /// Canvas with this backdrop, and with the buffers of an earlier canvas of this size.
    pub(super) fn with_buffers(backdrop: Arc<RgbImage>, buffers: Option<DrawingBuffers>) -> Self {
        let surface = Surface::on(backdrop);
        let tools = buffers.unwrap_or_else(|| DrawingBuffers::new(surface.size()));
        Self { tools, surface, over_white: None }
    }

    /// Canvas of a translucent picture, with a second canvas for the same picture over white.
    pub(super) fn with_white(self, over_white: Option<Self>) -> Self {
        Self { over_white: over_white.map(Box::new), ..self }
    }

    /// Canvas of the same picture over white.
    pub(super) fn over_white(&mut self) -> Option<&mut Self> {
        self.over_white.as_deref_mut()
    }

    /// Returns the picture with alpha, if the background is translucent.
    pub fn picture_with_alpha(&mut self) -> Option<RgbaImage> {
        let white = self.over_white.as_mut()?;
        Some(matte::translucent(self.surface.whole(), white.image()))
    }

    /// Returns the picture, with alpha if the background is translucent.
    pub fn picture(&mut self) -> Picture<'_> {
        match self.picture_with_alpha() {
            Some(image) => Picture::Translucent(image),
            None => Picture::Opaque(self.surface.whole()),
        }
    }

    /// Canvas of one colour.
    pub fn plain([width, height]: [u32; 2], ink: Ink) -> Self {
        let mut canvas = Self::new(RgbImage::new(width, height));
        canvas.fill(canvas.all(), ink);
        canvas
    }

    /// Sets the rasterizer. The default depends on the environment.
    pub fn with_rasterizer(mut self, rasterizer: Rasterizer) -> Self {
        self.tools.mask = self.tools.mask.with_rasterizer(rasterizer);
        self
    }

    /// Rectangle of the whole picture.
    pub(super) fn all(&self) -> Rect {
        let [w, h] = self.surface.size().map(|side| side as i32);
        Rect { x: 0, y: 0, w, h }
    }

    /// Restores the backdrop. Without a backdrop, only clears the list of changes.
    pub fn restore(&mut self) {
        self.surface.restore();
    }

    /// Returns the picture.
    pub fn image(&mut self) -> &RgbImage {
        self.surface.whole()
    }

    /// The picture, and the spans of each row that may differ from the backdrop, in any order. Only
    /// rows with changes and their neighbours are valid; other rows may be black.
    pub fn changes(&self) -> (&RgbImage, &[Vec<Span>]) {
        (self.surface.near_changes(), self.surface.changes().rows())
    }

    /// Returns the finished picture.
    pub fn into_image(self) -> RgbImage {
        self.surface.into_image()
    }

    pub(super) fn into_parts(self) -> (RgbImage, DrawingBuffers) {
        (self.surface.into_image(), self.tools)
    }

    /// Draws one shape in one colour: everything that `draw` adds with the pen, inside `clip`.
    pub fn shape(&mut self, clip: Rect, ink: Ink, draw: impl FnOnce(&mut Pen<'_>)) {
        let clip = clip.intersect(self.all());
        let Self { surface, tools: DrawingBuffers { mask, .. }, .. } = self;
        mask.begin(clip);
        draw(&mut Pen::new(mask));
        Instructions::best().run(Composite { mask, surface, ink });
    }

    /// Copies `width` pixels of a row, starting at the given corner.
    pub(super) fn copy_row(&mut self, [x, y]: [i32; 2], width: i32, pixels: &mut Vec<[u8; 3]>) {
        pixels.clear();
        let span = (x as u32, (x + width) as u32);
        pixels.extend_from_slice(self.surface.pixels(y as u32, span));
    }

    /// Writes pixels into a row, starting at the given corner. Only pixels that differ count as
    /// changes.
    pub(super) fn put_row(&mut self, [x, y]: [i32; 2], pixels: &[[u8; 3]]) {
        let (from, to) = (x as u32, x as u32 + pixels.len() as u32);
        self.surface.put(y as u32, (from, to), pixels);
    }

    /// Calls `draw` with each band of `height` rows of a rectangle, on all threads.
    pub(super) fn draw_bands(
        &mut self,
        rect: Rect,
        height: usize,
        draw: impl Fn(usize, &mut Band<'_>) + Sync,
    ) {
        let Rect { y, h, .. } = rect.intersect(self.all());
        if h > 0 {
            self.surface.draw_bands(y as u32..(y + h) as u32, height, draw);
        }
    }

    /// Takes the buffers for drawing panels in space.
    pub(super) fn take_space(&mut self) -> SpaceBuffers {
        std::mem::take(&mut self.tools.space)
    }

    /// Stores the buffers for drawing panels in space, for the next frame.
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

    /// Draws the border of a rectangle, one pixel wide and on its inside.
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

    /// Pixels and glyph cache for drawing text.
    pub(super) fn text_parts(&mut self) -> (&mut Surface, &mut GlyphCache) {
        (&mut self.surface, &mut self.tools.glyphs)
    }
}

/// Blends the colour into the touched pixels of a mask, and clears the mask. Counting bits
/// dominates the time, and vector instructions accelerate it.
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
                // No branches: the pixels at the edge of a shape are unpredictable for the
                // processor.
                let covered = u64::from(std::mem::take(bits).count_ones());
                let sum = spread(*pixel) * (64 - covered) + above * covered + ROUND;
                *pixel = gather(sum >> 6);
            }
        }
    }
}

/// Half of 64 in each channel, for rounding.
const ROUND: u64 = 0x20_0020_0020;

/// Channels of a pixel with 16 bits each, wide enough for products.
#[inline(always)]
fn spread([r, g, b]: [u8; 3]) -> u64 {
    u64::from(r) | u64::from(g) << 16 | u64::from(b) << 32
}

/// Inverse of [`spread`].
#[inline(always)]
fn gather(channels: u64) -> [u8; 3] {
    [channels as u8, (channels >> 16) as u8, (channels >> 32) as u8]
}
