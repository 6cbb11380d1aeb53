//! Pixels of a tile: division among triangles, and blending of the colours.

use super::facet::Facet;
use super::fixed::{CELL, CELLS};
use super::mesh::Material;
use super::shade::{Fragments, Lighting};
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
    /// Pixels of the tile.
    pub area: Rect,
    /// Buffer for fragments.
    pub fragments: &'a mut Fragments,
    /// Colour of each pixel. Rows have the length of a tile.
    pub pixels: &'a mut [Single3],
    /// Whether each pixel is redrawn.
    pub is_shown: &'a mut [bool],
    /// Cells whose fixed surfaces are unchanged, row by row.
    pub is_unchanged: &'a [bool; CELLS * CELLS],
}

impl NullaryFnOnce for ShadeTile<'_> {
    type Output = ();

    #[inline(always)]
    fn call(mut self) {
        for y in 0..self.area.h as usize {
            for x in 0..self.area.w as usize {
                let index = y * TILE + x;
                self.pixels[index] = [0.0; 3];
                let cell = y / CELL * CELLS + x / CELL;
                let seen = self.tile.pixel(x, y);
                self.is_shown[index] = !(self.is_unchanged[cell] && self.is_fixed(seen));
                if self.is_shown[index] {
                    let at = [self.area.x + x as i32, self.area.y + y as i32];
                    self.pixel(index, seen, [at[0] as f32 + 0.5, at[1] as f32 + 0.5]);
                }
            }
        }
        self.flush();
    }
}

impl ShadeTile<'_> {
    /// Whether a pixel shows only fixed objects.
    #[inline(always)]
    fn is_fixed(&self, seen: &[u32; SAMPLES]) -> bool {
        let mut is_fixed = true;
        for number in seen {
            is_fixed &= *number == NOTHING || (*number as usize) < self.facets[0].len();
        }
        is_fixed
    }

    /// Adds the fragments of a pixel. Each triangle is weighted by its number of visible samples.
    #[inline(always)]
    fn pixel(&mut self, index: usize, seen: &[u32; SAMPLES], middle: [f32; 2]) {
        let mut differs = 0;
        for number in seen {
            differs |= number ^ seen[0];
        }
        if differs == 0 {
            self.add(index, seen[0], 1.0, middle);
            return;
        }
        // Adjacent triangles of a smooth surface form one fragment.
        let (mut last, mut is_continued) = (seen[0], true);
        for &number in seen {
            if is_continued && number != last {
                last = number;
                is_continued = number == seen[0] || self.is_continuation(seen[0], number, middle);
            }
        }
        if is_continued {
            self.add(index, seen[0], 1.0, middle);
            return;
        }
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
