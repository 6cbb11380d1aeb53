//! Samples of a pixel that a triangle covers.
//!
//! Both implementations are exact and give the same result. Corners are on a grid, so the edge
//! functions of a small triangle fit into 32-bit integers, which take a third of the time of
//! floating point.

use super::facet::Facet;
use super::visibility::{FARTHEST, OFFSETS, SAMPLES};

/// Edges of a triangle.
pub trait Edges {
    /// Mask of the covered samples of a pixel: all bits set for a covered sample, none for others.
    fn covered(&self, pixel: [i32; 2]) -> [u32; SAMPLES];
}

/// Edges of a triangle of any size.
pub struct RealEdges<'a> {
    facet: &'a Facet,
    /// Difference of each edge function between a pixel's samples and its centre.
    offsets: [[f64; SAMPLES]; 3],
    /// Upper limit of that difference.
    most: [f64; 3],
}

impl<'a> RealEdges<'a> {
    /// The edges of a triangle.
    #[inline(always)]
    pub fn new(facet: &'a Facet) -> Self {
        let (mut offsets, mut most) = ([[0.0; SAMPLES]; 3], [0.0; 3]);
        for (k, [x, y, _]) in facet.edges.iter().enumerate() {
            for s in 0..SAMPLES {
                offsets[k][s] = x * OFFSETS[s][0] + y * OFFSETS[s][1];
            }
            most[k] = (x.abs() + y.abs()) * FARTHEST;
        }
        Self { facet, offsets, most }
    }
}

impl Edges for RealEdges<'_> {
    #[inline(always)]
    fn covered(&self, pixel: [i32; 2]) -> [u32; SAMPLES] {
        let at = [f64::from(pixel[0]) + 0.5, f64::from(pixel[1]) + 0.5];
        let mut middle = [0.0; 3];
        let mut is_inside = true;
        for (k, [x, y, c]) in self.facet.edges.iter().enumerate() {
            middle[k] = x * at[0] + y * at[1] + c;
            is_inside &= middle[k] > self.most[k];
        }
        let mut covered = [u32::MAX; SAMPLES];
        if is_inside {
            return covered;
        }
        for (s, covered) in covered.iter_mut().enumerate() {
            let is_in = (middle[0] + self.offsets[0][s] > 0.0)
                & (middle[1] + self.offsets[1][s] > 0.0)
                & (middle[2] + self.offsets[2][s] > 0.0);
            *covered = u32::from(is_in).wrapping_neg();
        }
        covered
    }
}

/// Edges of a small triangle as integers, in units of 2⁻¹⁶. Values of at least 0 are inside.
pub struct WholeEdges {
    /// First pixel that the triangle may touch.
    first: [i32; 2],
    /// Edge functions at the centre of that pixel.
    start: [i32; 3],
    /// Change of each edge function from pixel to pixel, in x and in y.
    steps: [[i32; 2]; 3],
    offsets: [[i32; SAMPLES]; 3],
    most: [i32; 3],
}

/// Maximum length of an edge in x and in y, in pixels, so that all values fit into 32 bits.
const LONGEST: f64 = 64.0;

/// Number of integer units per unit of the edge functions.
const UNITS: f64 = 65_536.0;

impl WholeEdges {
    /// Edges of a triangle. `None` if it is too large.
    #[inline(always)]
    pub fn new(facet: &Facet) -> Option<Self> {
        let mut is_small = true;
        for [x, y, _] in &facet.edges {
            is_small &= (x.abs() <= LONGEST) & (y.abs() <= LONGEST);
        }
        if !is_small {
            return None;
        }
        let first = [facet.pixels[0], facet.pixels[2]];
        let at = [f64::from(first[0]) + 0.5, f64::from(first[1]) + 0.5];
        let (mut start, mut steps) = ([0; 3], [[0; 2]; 3]);
        let (mut offsets, mut most) = ([[0; SAMPLES]; 3], [0; 3]);
        for (k, [x, y, c]) in facet.edges.iter().enumerate() {
            // Subtracting 1 maps the smallest positive integer to 0.
            start[k] = (UNITS * (x * at[0] + y * at[1] + c)).ceil() as i32 - 1;
            steps[k] = [(UNITS * x) as i32, (UNITS * y) as i32];
            for s in 0..SAMPLES {
                offsets[k][s] = (UNITS * (x * OFFSETS[s][0] + y * OFFSETS[s][1])) as i32;
            }
            most[k] = (UNITS * (x.abs() + y.abs()) * FARTHEST) as i32;
        }
        Some(Self { first, start, steps, offsets, most })
    }
}

impl Edges for WholeEdges {
    #[inline(always)]
    fn covered(&self, pixel: [i32; 2]) -> [u32; SAMPLES] {
        let (x, y) = (pixel[0] - self.first[0], pixel[1] - self.first[1]);
        let mut middle = [0; 3];
        let mut least = 0;
        for (k, middle) in middle.iter_mut().enumerate() {
            *middle = self.start[k] + self.steps[k][0] * x + self.steps[k][1] * y;
            least |= *middle - self.most[k];
        }
        let mut covered = [u32::MAX; SAMPLES];
        if least >= 0 {
            return covered;
        }
        for (s, covered) in covered.iter_mut().enumerate() {
            // The combined sign bit is set if any of the three is negative.
            let signs = (middle[0] + self.offsets[0][s])
                | (middle[1] + self.offsets[1][s])
                | (middle[2] + self.offsets[2][s]);
            *covered = !((signs >> 31) as u32);
        }
        covered
    }
}
