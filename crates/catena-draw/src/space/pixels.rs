//! Pixels of a tile: division among triangles, and blending of the colours.

use super::facet::Facet;
use super::fixed::{CELL, CELLS};
use super::mesh::Material;
use super::shade::{Fragments, LANES, Lighting};
use super::single::{Single3, plus};
use super::visibility::{NOTHING, OFFSETS, SAMPLES, TILE, Tile};
use crate::rect::Rect;
use pulp::NullaryFnOnce;

/// Computes the colours of the pixels in a tile.
pub struct ShadeTile<'a> {
    /// Light and shadows.
    pub lighting: &'a Lighting<'a>,
    /// Fixed triangles, and moving ones.
    pub facets: [&'a [Facet]; 2],
    /// All materials.
    pub materials: &'a [Material],
    /// Visible triangles.
    pub tile: &'a Tile,
    /// Fixed triangle that covers the whole tile. `tile` then has no meaning.
    pub whole: Option<u32>,
    /// Pixels of the tile.
    pub area: Rect,
    /// Buffer for fragments.
    pub fragments: &'a mut Fragments,
    /// Sum of the colours of each pixel's fragments. Rows have the length of a tile.
    pub pixels: &'a mut [Single3],
    /// Colour of each pixel, as bytes.
    pub bytes: &'a mut [[u8; 3]],
    /// Whether each pixel is redrawn.
    pub is_shown: &'a mut [bool],
    /// Cells whose fixed surfaces are unchanged, row by row.
    pub is_unchanged: &'a [bool; CELLS * CELLS],
}

/// Adjacent pixels of a row that show one triangle.
struct Run {
    number: u32,
    /// Index of the first pixel, and the number of pixels.
    first: usize,
    count: usize,
    /// Middle of the first pixel.
    at: [f32; 2],
}

impl NullaryFnOnce for ShadeTile<'_> {
    type Output = ();

    #[inline(always)]
    fn call(mut self) {
        self.pixels.fill([0.0; 3]);
        for y in 0..self.area.h as usize {
            match self.whole {
                Some(number) => self.whole_row(number, y),
                None => self.row(y),
            }
        }
        self.flush();
        let channels = self.pixels.as_flattened().iter();
        for (byte, channel) in self.bytes.as_flattened_mut().iter_mut().zip(channels) {
            *byte = (255.0 * channel + 0.5) as u8;
        }
    }
}

impl ShadeTile<'_> {
    /// Adds the pixels of a row.
    #[inline(always)]
    fn row(&mut self, y: usize) {
        let mut run = Run { number: NOTHING, first: 0, count: 0, at: [0.0; 2] };
        let width = self.area.w as usize;
        for x in 0..=width {
            let (index, middle) = (y * TILE + x, self.middle(x, y));
            let is_shown = x < width && self.find_shown(x, y);
            let number = if is_shown { self.single(self.tile.pixel(x, y), middle) } else { None };
            let is_continued = number == Some(run.number) && run.count < LANES;
            if is_continued && index == run.first + run.count {
                run.count += 1;
                continue;
            }
            self.add_run(&run);
            run = match number {
                Some(number) => Run { number, first: index, count: 1, at: middle },
                None => Run { count: 0, ..run },
            };
            if is_shown && number.is_none() {
                self.add_parts(index, self.tile.pixel(x, y), middle);
            }
            self.flush_if_full();
        }
    }

    /// Finds and stores whether a pixel is redrawn.
    #[inline(always)]
    fn find_shown(&mut self, x: usize, y: usize) -> bool {
        let is_unchanged = self.is_unchanged[y / CELL * CELLS + x / CELL];
        let is_shown = !(is_unchanged && self.is_fixed(self.tile.pixel(x, y)));
        self.is_shown[y * TILE + x] = is_shown;
        is_shown
    }

    /// Adds the pixels of a row that shows one fixed triangle.
    #[inline(always)]
    fn whole_row(&mut self, number: u32, y: usize) {
        let facet = numbered(self.facets, number);
        let material = &self.materials[facet.material as usize];
        let width = self.area.w as usize;
        for x in (0..width).step_by(CELL) {
            let (first, count) = (y * TILE + x, CELL.min(width - x));
            let is_shown = !self.is_unchanged[y / CELL * CELLS + x / CELL];
            self.is_shown[first..first + count].fill(is_shown);
            if is_shown {
                let at = self.middle(x, y);
                self.fragments.add_run([first, count], facet, material, at, self.lighting);
                self.flush_if_full();
            }
        }
    }

    /// Middle of a pixel of the tile in the picture.
    #[inline(always)]
    fn middle(&self, x: usize, y: usize) -> [f32; 2] {
        [(self.area.x + x as i32) as f32 + 0.5, (self.area.y + y as i32) as f32 + 0.5]
    }

    /// Whether a pixel shows only fixed objects.
    #[inline(always)]
    fn is_fixed(&self, seen: &[u32; SAMPLES]) -> bool {
        let mut is_fixed = true;
        for number in seen {
            is_fixed &= *number == NOTHING || (*number as usize) < self.facets[0].len();
        }
        is_fixed
    }

    /// Triangle or background whose colour represents a whole pixel. `None` if there are several.
    #[inline(always)]
    fn single(&self, seen: &[u32; SAMPLES], middle: [f32; 2]) -> Option<u32> {
        let mut differs = 0;
        for number in seen {
            differs |= number ^ seen[0];
        }
        if differs == 0 {
            return Some(seen[0]);
        }
        // Adjacent triangles of a smooth surface form one fragment.
        let (mut last, mut is_continued) = (seen[0], true);
        for &number in seen {
            if is_continued && number != last {
                last = number;
                is_continued = number == seen[0] || self.is_continuation(seen[0], number, middle);
            }
        }
        is_continued.then_some(seen[0])
    }

    /// Adds the fragments of a pixel that shows several triangles. Each of them is weighted by its
    /// number of visible samples.
    #[inline(always)]
    fn add_parts(&mut self, index: usize, seen: &[u32; SAMPLES], middle: [f32; 2]) {
        let mut left = [true; SAMPLES];
        for s in 0..SAMPLES {
            if !left[s] {
                continue;
            }
            let (mut count, mut offset) = (0.0_f32, [0.0_f32; 2]);
            let (mut last, mut is_continued) = (seen[s], true);
            for other in s..SAMPLES {
                if left[other] && seen[other] != last {
                    last = seen[other];
                    is_continued = last == seen[s] || self.is_continuation(seen[s], last, middle);
                }
                if left[other] && is_continued {
                    left[other] = false;
                    count += 1.0;
                    offset[0] += OFFSETS_SINGLE[other][0];
                    offset[1] += OFFSETS_SINGLE[other][1];
                }
            }
            let at = [middle[0] + offset[0] / count, middle[1] + offset[1] / count];
            self.add(index, seen[s], count / SAMPLES as f32, at);
        }
    }

    /// Whether two triangles are adjacent on a smooth surface at the centre of a pixel, so that one
    /// colour represents both. The difference between the nearness of both triangles is compared
    /// with the smaller change of nearness within the pixel.
    #[inline(always)]
    fn is_continuation(&self, a: u32, b: u32, middle: [f32; 2]) -> bool {
        if a == NOTHING || b == NOTHING {
            return false;
        }
        let (a, b) = (numbered(self.facets, a), numbered(self.facets, b));
        if a.material != b.material
            || a.is_front != b.is_front
            || !self.materials[a.material as usize].is_smooth
        {
            return false;
        }
        let (near_a, slope_a) = a.nearness_at(middle);
        let (near_b, slope_b) = b.nearness_at(middle);
        (near_a - near_b).abs() <= if slope_a < slope_b { slope_a } else { slope_b }
    }

    /// Adds the fragments of a run.
    #[inline(always)]
    fn add_run(&mut self, run: &Run) {
        let Run { number, first, count, at } = *run;
        if count == 0 {
            return;
        }
        if number == NOTHING {
            let background = self.lighting.background[first / TILE];
            for pixel in &mut self.pixels[first..first + count] {
                *pixel = plus(*pixel, 1.0, background);
            }
            return;
        }
        let facet = numbered(self.facets, number);
        let material = &self.materials[facet.material as usize];
        if material.forms_runs() {
            self.fragments.add_run([first, count], facet, material, at, self.lighting);
            return;
        }
        for k in 0..count {
            let at = [at[0] + k as f32, at[1]];
            self.fragments.add(first + k, 1.0, facet, material, at, self.lighting);
        }
    }

    /// Adds a fragment of a triangle or of the background.
    #[inline(always)]
    fn add(&mut self, index: usize, number: u32, share: f32, at: [f32; 2]) {
        if number == NOTHING {
            let background = self.lighting.background[index / TILE];
            self.pixels[index] = plus(self.pixels[index], share, background);
            return;
        }
        let facet = numbered(self.facets, number);
        let material = &self.materials[facet.material as usize];
        self.fragments.add(index, share, facet, material, at, self.lighting);
    }

    #[inline(always)]
    fn flush_if_full(&mut self) {
        if self.fragments.is_full() {
            self.flush();
        }
    }

    #[inline(always)]
    fn flush(&mut self) {
        self.fragments.shade(self.lighting, self.pixels);
    }
}

/// [`OFFSETS`] in single precision.
const OFFSETS_SINGLE: [[f32; 2]; SAMPLES] = {
    let mut all = [[0.0_f32; 2]; SAMPLES];
    let mut index = 0;
    while index < SAMPLES {
        let [x, y] = OFFSETS[index];
        all[index] = [x as f32, y as f32];
        index += 1;
    }
    all
};

/// Triangle with the given number. Numbers of fixed triangles come first.
#[inline(always)]
fn numbered([fixed, moving]: [&[Facet]; 2], number: u32) -> &Facet {
    let number = number as usize;
    if number < fixed.len() { &fixed[number] } else { &moving[number - fixed.len()] }
}
