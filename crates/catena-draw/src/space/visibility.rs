//! Front triangle in each of eight samples per pixel of a tile.

use super::coverage::{Edges, RealEdges, WholeEdges};
use super::facet::Facet;
use catena_sim::instructions::Instructions;
use pulp::NullaryFnOnce;

/// Number of samples per pixel.
pub const SAMPLES: usize = 8;

/// Side of a tile in pixels.
pub const TILE: usize = 32;

/// Value for a sample without a triangle.
pub const NOTHING: u32 = u32::MAX;

/// Offsets of a pixel's samples from its centre, in sixteenths of a pixel. No two share a row or
/// column, so that nearly horizontal or vertical edges also have eight steps.
const PATTERN: [[i32; 2]; SAMPLES] =
    [[1, -3], [-1, 3], [5, 1], [-3, -5], [-5, 5], [-7, -1], [3, 7], [7, -7]];

/// Offsets of a pixel's samples from its centre, in pixels.
pub const OFFSETS: [[f64; 2]; SAMPLES] = offsets();

const fn offsets() -> [[f64; 2]; SAMPLES] {
    let mut all = [[0.0; 2]; SAMPLES];
    let mut index = 0;
    while index < SAMPLES {
        all[index] = [PATTERN[index][0] as f64 / 16.0, PATTERN[index][1] as f64 / 16.0];
        index += 1;
    }
    all
}

/// Maximum distance of a sample from the centre of its pixel, in x and in y.
pub const FARTHEST: f64 = 7.0 / 16.0;

/// Visible triangles in a square of pixels.
#[derive(Clone, Debug)]
pub struct Tile {
    nearness: Vec<[f32; SAMPLES]>,
    facets: Vec<[u32; SAMPLES]>,
}

impl Default for Tile {
    fn default() -> Self {
        let pixels = TILE * TILE;
        Self {
            nearness: vec![[f32::NEG_INFINITY; SAMPLES]; pixels],
            facets: vec![[NOTHING; SAMPLES]; pixels],
        }
    }
}

impl Tile {
    /// Copies another tile into this one.
    pub fn copy(&mut self, other: &Self) {
        self.nearness.copy_from_slice(&other.nearness);
        self.facets.copy_from_slice(&other.facets);
    }

    /// Copies the nearness of all samples.
    pub fn keep_nearness(&self, kept: &mut Vec<[f32; SAMPLES]>) {
        kept.clear();
        kept.extend_from_slice(&self.nearness);
    }

    /// Restores the nearness of all samples. Triangles added since then are visible but hide
    /// nothing.
    pub fn restore_nearness(&mut self, kept: &[[f32; SAMPLES]]) {
        self.nearness.copy_from_slice(kept);
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        self.nearness.fill([f32::NEG_INFINITY; SAMPLES]);
        self.facets.fill([NOTHING; SAMPLES]);
    }

    /// Numbers of the front triangles in the samples of a pixel.
    #[inline(always)]
    pub fn pixel(&self, x: usize, y: usize) -> &[u32; SAMPLES] {
        &self.facets[y * TILE + x]
    }

    /// Adds triangles, given by their indices in `all`, to the tile whose first pixel is `corner`.
    /// The tile stores each index plus `base`. Of two equally near triangles, the first one stays.
    pub fn add(&mut self, corner: [i32; 2], all: &[Facet], numbers: &[u32], base: u32) {
        Instructions::best().run(AddAll { tile: self, corner, all, numbers, base });
    }
}

struct AddAll<'a> {
    tile: &'a mut Tile,
    corner: [i32; 2],
    all: &'a [Facet],
    numbers: &'a [u32],
    base: u32,
}

impl NullaryFnOnce for AddAll<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for &number in self.numbers {
            add(self.tile, self.corner, &self.all[number as usize], self.base + number);
        }
    }
}

/// Adds one triangle.
#[inline(always)]
fn add(tile: &mut Tile, corner: [i32; 2], facet: &Facet, number: u32) {
    match WholeEdges::new(facet) {
        Some(edges) => add_covered(tile, corner, facet, number, &edges),
        None => add_covered(tile, corner, facet, number, &RealEdges::new(facet)),
    }
}

/// Adds the samples of one triangle that are covered according to `edges`.
#[inline(always)]
fn add_covered(
    tile: &mut Tile,
    [left, top]: [i32; 2],
    facet: &Facet,
    number: u32,
    edges: &impl Edges,
) {
    let [first, last, upper, lower] = facet.pixels;
    let (first, last) = (first.max(left), last.min(left + TILE as i32 - 1));
    let (upper, lower) = (upper.max(top), lower.min(top + TILE as i32 - 1));
    let spans = Spans::new(facet);
    let mut offsets = [0.0_f32; SAMPLES];
    for (s, [x, y]) in OFFSETS.iter().enumerate() {
        offsets[s] = (facet.nearness[0] * x + facet.nearness[1] * y) as f32;
    }
    for y in upper..=lower {
        let middle = f64::from(y) + 0.5;
        let Some((from, to)) = spans.row(facet, middle, first, last) else { continue };
        for x in from..=to {
            let at = [f64::from(x) + 0.5, middle];
            let index = (y - top) as usize * TILE + (x - left) as usize;
            let nearness = facet.nearness[0] * (at[0] - facet.origin[0])
                + facet.nearness[1] * (at[1] - facet.origin[1])
                + facet.nearness[2];
            let covered = edges.covered([x, y]);
            let (front, seen) = (&mut tile.nearness[index], &mut tile.facets[index]);
            put(front, seen, nearness as f32, &offsets, &covered, number);
        }
    }
}

/// Stores a triangle in the covered samples where it is nearer than the previous one.
#[inline(always)]
fn put(
    front: &mut [f32; SAMPLES],
    seen: &mut [u32; SAMPLES],
    middle: f32,
    offsets: &[f32; SAMPLES],
    covered: &[u32; SAMPLES],
    number: u32,
) {
    let mut mask = [0_u32; SAMPLES];
    let mut found = [0.0_f32; SAMPLES];
    for s in 0..SAMPLES {
        found[s] = middle + offsets[s];
        mask[s] = covered[s] & u32::from(found[s] > front[s]).wrapping_neg();
    }
    for s in 0..SAMPLES {
        let bits = (found[s].to_bits() & mask[s]) | (front[s].to_bits() & !mask[s]);
        front[s] = f32::from_bits(bits);
        seen[s] = (number & mask[s]) | (seen[s] & !mask[s]);
    }
}

/// Horizontal extents of a triangle.
struct Spans {
    /// Maximum difference of an edge function between a pixel's samples and its centre.
    most: [f64; 3],
    /// Shift of an edge along x per unit of its edge function; infinite for a horizontal edge.
    shift: [f64; 3],
}

/// Upper limit of rounding errors at the ends of a row, in pixels.
const SLACK: f64 = 1e-6;

impl Spans {
    #[inline(always)]
    fn new(facet: &Facet) -> Self {
        let (mut most, mut shift) = ([0.0; 3], [0.0; 3]);
        for (k, [x, y, _]) in facet.edges.iter().enumerate() {
            most[k] = (x.abs() + y.abs()) * FARTHEST;
            shift[k] = -1.0 / x;
        }
        Self { most, shift }
    }

    /// First and last pixel of a row that a triangle may touch.
    #[inline(always)]
    fn row(&self, facet: &Facet, middle: f64, first: i32, last: i32) -> Option<(i32, i32)> {
        let (mut from, mut to) = (f64::from(first), f64::from(last));
        for (k, [x, y, c]) in facet.edges.iter().enumerate() {
            // Requires x u + y v + c > 0 somewhere in the pixel, where v is known to half a pixel.
            let rest = y * middle + c + self.most[k];
            if *x > 0.0 {
                from = from.max((rest * self.shift[k] - (0.5 + SLACK)).ceil());
            } else if *x < 0.0 {
                to = to.min((rest * self.shift[k] - (0.5 - SLACK)).floor());
            } else if rest < 0.0 {
                return None;
            }
        }
        (from <= to).then_some((from as i32, to as i32))
    }
}
