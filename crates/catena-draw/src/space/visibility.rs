//! Tiles of a panel, and the front triangle in each of eight samples per pixel.

use super::facet::Facet;
use super::mesh::Mesh;
use super::texture::opacity;
use crate::rect::Rect;
use catena_scene::gltf::Texture;
use catena_sim::instructions::Instructions;
use pulp::NullaryFnOnce;
use std::ops::Range;

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

    /// Restores the nearness of all samples. Triangles added since it was saved are visible but
    /// hide nothing.
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
    /// The tile stores each index plus `base`. If two triangles are equally near, the first one
    /// wins.
    pub fn add(&mut self, corner: [i32; 2], all: &[Facet], numbers: &[u32], base: u32) {
        let all = Uncut { facets: all, holes: None, is_perspective: false };
        self.add_with_holes(corner, all, numbers, base);
    }

    /// Adds triangles like [`Tile::add`], without the samples in holes of their textures.
    pub fn add_with_holes(&mut self, corner: [i32; 2], all: Uncut<'_>, numbers: &[u32], base: u32) {
        Instructions::best().run(AddAll { tile: self, corner, all, numbers, base });
    }
}

/// Triangles before their holes are cut out.
#[derive(Clone, Copy)]
pub struct Uncut<'a> {
    /// The triangles.
    pub facets: &'a [Facet],
    /// Mesh whose textures have holes.
    pub holes: Option<&'a Mesh>,
    /// Whether the projection is perspective.
    pub is_perspective: bool,
}

impl<'a> Uncut<'a> {
    /// Holes of a triangle.
    #[inline(always)]
    fn holes(&self, facet: &'a Facet) -> Option<Holes<'a>> {
        let mesh = self.holes.filter(|mesh| !mesh.textures.is_empty())?;
        let painted = mesh.materials[facet.material as usize].texture?;
        let texture = &mesh.textures[painted.index];
        let is_perspective = self.is_perspective;
        (painted.cutoff > 0.0).then_some(Holes {
            facet,
            texture,
            cutoff: painted.cutoff,
            is_perspective,
        })
    }
}

/// Whether a point of the picture is in a hole of a triangle's texture.
pub fn is_in_hole(mesh: &Mesh, facet: &Facet, at: [f64; 2], is_perspective: bool) -> bool {
    let all = Uncut { facets: &[], holes: Some(mesh), is_perspective };
    all.holes(facet).is_some_and(|holes| holes.has(at))
}

/// Holes of a triangle.
struct Holes<'a> {
    facet: &'a Facet,
    texture: &'a Texture,
    cutoff: f32,
    is_perspective: bool,
}

impl Holes<'_> {
    /// Removes the samples of a pixel that are in holes.
    fn cut(&self, [x, y]: [i32; 2], covered: &mut [u32; SAMPLES]) {
        for (covered, offset) in covered.iter_mut().zip(OFFSETS) {
            let at = [f64::from(x) + 0.5 + offset[0], f64::from(y) + 0.5 + offset[1]];
            if *covered != 0 && self.has(at) {
                *covered = 0;
            }
        }
    }

    /// Whether a point of the picture is in a hole.
    fn has(&self, at: [f64; 2]) -> bool {
        let place = self.facet.grain(at, self.is_perspective);
        place.is_some_and(|[u, v, _]| opacity(self.texture, [u, v]) < self.cutoff)
    }
}

struct AddAll<'a> {
    tile: &'a mut Tile,
    corner: [i32; 2],
    all: Uncut<'a>,
    numbers: &'a [u32],
    base: u32,
}

impl NullaryFnOnce for AddAll<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for &number in self.numbers {
            let facet = &self.all.facets[number as usize];
            let holes = self.all.holes(facet);
            add(self.tile, self.corner, facet, self.base + number, holes.as_ref());
        }
    }
}

/// Adds one triangle.
#[inline(always)]
fn add(tile: &mut Tile, corner: [i32; 2], facet: &Facet, number: u32, holes: Option<&Holes<'_>>) {
    if holes.is_some() {
        add_covered(tile, corner, facet, number, &RealEdges::new(facet), holes);
        return;
    }
    match WholeEdges::new(facet) {
        Some(edges) => add_covered(tile, corner, facet, number, &edges, None),
        None => add_covered(tile, corner, facet, number, &RealEdges::new(facet), None),
    }
}

/// Number of pixels from which a row of a triangle is tested as a whole, minus one.
const LONG: i32 = 7;

/// Whether a triangle covers all samples of a rectangle.
pub fn covers(facet: &Facet, area: Rect) -> bool {
    let [first, last, upper, lower] = facet.pixels;
    let (right, bottom) = (area.right() - 1, area.bottom() - 1);
    let is_near = first <= area.x && last >= right && upper <= area.y && lower >= bottom;
    // Rounded edge functions are monotonic along rows and columns, so the corners decide.
    let corners = [[area.x, area.y], [right, area.y], [area.x, bottom], [right, bottom]];
    let edges = RealEdges::new(facet);
    is_near && corners.into_iter().all(|corner| edges.is_inside(corner))
}

/// Adds the samples of one triangle that are covered according to `edges`.
#[inline(always)]
fn add_covered(
    tile: &mut Tile,
    [left, top]: [i32; 2],
    facet: &Facet,
    number: u32,
    edges: &impl Edges,
    holes: Option<&Holes<'_>>,
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
        // Rounded edge functions are monotonic along a row, so both ends decide for all pixels.
        let is_inside = to - from >= LONG && edges.is_inside([from, y]) && edges.is_inside([to, y]);
        for x in from..=to {
            let at = [f64::from(x) + 0.5, middle];
            let index = (y - top) as usize * TILE + (x - left) as usize;
            let nearness = facet.nearness[0] * (at[0] - facet.origin[0])
                + facet.nearness[1] * (at[1] - facet.origin[1])
                + facet.nearness[2];
            let mut covered = if is_inside { [u32::MAX; SAMPLES] } else { edges.covered([x, y]) };
            if let Some(holes) = holes {
                holes.cut([x, y], &mut covered);
            }
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
    maximum: [f64; 3],
    /// Shift of an edge along x per unit of its edge function; infinite for a horizontal edge.
    shift: [f64; 3],
}

/// Upper limit of rounding errors at the ends of a row, in pixels.
const SLACK: f64 = 1e-6;

impl Spans {
    #[inline(always)]
    fn new(facet: &Facet) -> Self {
        let (mut maximum, mut shift) = ([0.0; 3], [0.0; 3]);
        for (k, [x, y, _]) in facet.edges.iter().enumerate() {
            maximum[k] = (x.abs() + y.abs()) * FARTHEST;
            shift[k] = -1.0 / x;
        }
        Self { maximum, shift }
    }

    /// First and last pixel of a row that a triangle may touch.
    #[inline(always)]
    fn row(&self, facet: &Facet, middle: f64, first: i32, last: i32) -> Option<(i32, i32)> {
        let (mut from, mut to) = (f64::from(first), f64::from(last));
        for (k, [x, y, c]) in facet.edges.iter().enumerate() {
            // Requires x u + y v + c > 0 somewhere in the pixel, where v is known to half a pixel.
            let rest = y * middle + c + self.maximum[k];
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

/// Tiles of a rectangle of the picture, row by row.
#[derive(Clone, Copy)]
pub struct TileGrid(pub Rect);

impl TileGrid {
    fn across(&self) -> usize {
        (self.0.w.max(0) as usize).div_ceil(TILE)
    }

    /// Number of tiles.
    pub fn count(&self) -> usize {
        self.across() * (self.0.h.max(0) as usize).div_ceil(TILE)
    }

    /// Indices of the tiles in a row of tiles.
    pub fn row(&self, row: usize) -> Range<usize> {
        row * self.across()..(row + 1) * self.across()
    }

    /// Pixels of a tile.
    pub fn tile(&self, index: usize) -> Rect {
        let (row, column) = (index / self.across(), index % self.across());
        let (x, y) = (self.0.x + (column * TILE) as i32, self.0.y + (row * TILE) as i32);
        Rect { x, y, w: TILE as i32, h: TILE as i32 }.intersect(self.0)
    }

    /// Calls `visit` with each tile that touches a range of pixels, given by first and last column
    /// and row.
    fn each(&self, [first, last, top, bottom]: [i32; 4], mut visit: impl FnMut(usize)) {
        let side = TILE as i32;
        for row in (top - self.0.y) / side..=(bottom - self.0.y) / side {
            for column in (first - self.0.x) / side..=(last - self.0.x) / side {
                visit(row as usize * self.across() + column as usize);
            }
        }
    }

    /// Adds the index of each triangle to the tiles that it may touch.
    pub fn sort(&self, facets: &[Facet], tiles: &mut [Vec<u32>]) {
        for (number, facet) in facets.iter().enumerate() {
            self.each(facet.pixels, |tile| tiles[tile].push(number as u32));
        }
    }
}

/// Edges of a triangle.
pub trait Edges {
    /// Whether all samples of a pixel are covered. May be false although they are.
    fn is_inside(&self, pixel: [i32; 2]) -> bool;

    /// Mask of the covered samples of a pixel: all bits set for a covered sample, none for others.
    fn covered(&self, pixel: [i32; 2]) -> [u32; SAMPLES];
}

/// Edges of a triangle of any size.
pub struct RealEdges<'a> {
    facet: &'a Facet,
    /// Difference of each edge function between a pixel's samples and its centre.
    offsets: [[f64; SAMPLES]; 3],
    /// Maximum difference of each edge function between a pixel's samples and its centre.
    maximum: [f64; 3],
}

impl<'a> RealEdges<'a> {
    /// The edges of a triangle.
    #[inline(always)]
    pub fn new(facet: &'a Facet) -> Self {
        let (mut offsets, mut maximum) = ([[0.0; SAMPLES]; 3], [0.0; 3]);
        for (k, [x, y, _]) in facet.edges.iter().enumerate() {
            for s in 0..SAMPLES {
                offsets[k][s] = x * OFFSETS[s][0] + y * OFFSETS[s][1];
            }
            maximum[k] = (x.abs() + y.abs()) * FARTHEST;
        }
        Self { facet, offsets, maximum }
    }
}

impl Edges for RealEdges<'_> {
    #[inline(always)]
    fn is_inside(&self, pixel: [i32; 2]) -> bool {
        let at = [f64::from(pixel[0]) + 0.5, f64::from(pixel[1]) + 0.5];
        let mut is_inside = true;
        for (k, [x, y, c]) in self.facet.edges.iter().enumerate() {
            is_inside &= x * at[0] + y * at[1] + c > self.maximum[k];
        }
        is_inside
    }

    #[inline(always)]
    fn covered(&self, pixel: [i32; 2]) -> [u32; SAMPLES] {
        let at = [f64::from(pixel[0]) + 0.5, f64::from(pixel[1]) + 0.5];
        let mut middle = [0.0; 3];
        let mut is_inside = true;
        for (k, [x, y, c]) in self.facet.edges.iter().enumerate() {
            middle[k] = x * at[0] + y * at[1] + c;
            is_inside &= middle[k] > self.maximum[k];
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
    /// Edge functions at the centre of the first pixel.
    start: [i32; 3],
    /// Change of each edge function from pixel to pixel, in x and in y.
    steps: [[i32; 2]; 3],
    offsets: [[i32; SAMPLES]; 3],
    maximum: [i32; 3],
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
        let (mut offsets, mut maximum) = ([[0; SAMPLES]; 3], [0; 3]);
        for (k, [x, y, c]) in facet.edges.iter().enumerate() {
            // Subtracting 1 maps the smallest positive integer to 0.
            start[k] = (UNITS * (x * at[0] + y * at[1] + c)).ceil() as i32 - 1;
            steps[k] = [(UNITS * x) as i32, (UNITS * y) as i32];
            for s in 0..SAMPLES {
                offsets[k][s] = (UNITS * (x * OFFSETS[s][0] + y * OFFSETS[s][1])) as i32;
            }
            maximum[k] = (UNITS * (x.abs() + y.abs()) * FARTHEST) as i32;
        }
        Some(Self { first, start, steps, offsets, maximum })
    }
}

impl Edges for WholeEdges {
    #[inline(always)]
    fn is_inside(&self, pixel: [i32; 2]) -> bool {
        let (x, y) = (pixel[0] - self.first[0], pixel[1] - self.first[1]);
        let mut minimum = 0;
        for k in 0..3 {
            let middle = self.start[k] + self.steps[k][0] * x + self.steps[k][1] * y;
            minimum |= middle - self.maximum[k];
        }
        minimum >= 0
    }

    #[inline(always)]
    fn covered(&self, pixel: [i32; 2]) -> [u32; SAMPLES] {
        let (x, y) = (pixel[0] - self.first[0], pixel[1] - self.first[1]);
        let mut middle = [0; 3];
        let mut minimum = 0;
        for (k, middle) in middle.iter_mut().enumerate() {
            *middle = self.start[k] + self.steps[k][0] * x + self.steps[k][1] * y;
            minimum |= *middle - self.maximum[k];
        }
        let mut covered = [u32::MAX; SAMPLES];
        if minimum >= 0 {
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
