//! Draws a panel in space: what never changes once, and each frame the tiles that bodies or their
//! shadows touch.

use super::facet::{Facet, facets};
use super::ground::Ground;
use super::light::Light;
use super::mesh::{Material, Mesh, Surface, channels};
use super::part::{Scale, add_part};
use super::shade::{Fragments, Lighting};
use super::shadow::{ShadowMap, around};
use super::single::{Single3, plus, single};
use super::solid::add_solid;
use super::tiles::TileGrid;
use super::visibility::{NOTHING, SAMPLES, TILE, Tile};
use crate::instructions::Instructions;
use crate::render::body::DrawnPart;
use crate::render::camera::SpatialCamera;
use crate::render::canvas::Canvas;
use crate::render::rect::Rect;
use crate::render::theme::Ink;
use crate::render::vector::{Vec3, along, dot, norm, sub};
use crate::scene::{self, Lens, Viewpoint};
use crate::sim::contact::collider::Solid;
use pulp::NullaryFnOnce;

/// The map of shadows reaches so much farther than the view at what the camera looks at.
const SHADOWED: f64 = 1.15;

/// What stands around the bodies of a panel.
pub struct Surroundings<'a> {
    /// Its colliders.
    pub solids: &'a [Solid],
    /// Its ground.
    pub ground: Option<scene::Ground>,
    /// The colour of colliders.
    pub solid: Ink,
    /// The colour behind everything.
    pub behind: Ink,
}

/// Draws one panel in space.
pub struct SpacePainter {
    camera: SpatialCamera,
    clip: Rect,
    /// Pixels per length where the camera looks to.
    scale: f64,
    light: Light,
    behind: Single3,
    ground: Option<Ground>,
    /// Ends and radii of balls and capsules, relative to what the camera looks at.
    capsules: Vec<([Single3; 2], f32)>,
    /// Materials and triangles of what never moves, and the shadows of colliders.
    materials: Vec<Material>,
    fixed: Vec<Facet>,
    fixed_tiles: Vec<Vec<u32>>,
    /// The texels of the map of shadows, from first to last column and row, on which the light on
    /// fixed surfaces in each cell of each tile depends; `None` where there are none.
    cells: Vec<Option<[u16; 4]>>,
    /// Whether a tile shows colliders, on which shadows may fall.
    has_solids: Vec<bool>,
    shadows: ShadowMap,
}

/// What a thread needs to draw panels in space, kept from frame to frame.
#[derive(Default)]
pub struct SpaceBuffers {
    mesh: Mesh,
    facets: Vec<Facet>,
    tiles: Vec<Vec<u32>>,
    /// Whether a tile shows parts of bodies or their shadows, and whether shadows.
    is_touched: Vec<bool>,
    is_shaded: Vec<bool>,
    shadows: Option<ShadowMap>,
    tile: Tile,
    fragments: Fragments,
    /// The colours of the pixels of a tile, and whether they are drawn anew.
    pixels: Vec<Single3>,
    is_shown: Vec<bool>,
    row: Vec<[u8; 3]>,
}

impl SpaceBuffers {
    /// Buffers for the pixels of a tile.
    fn make_room(&mut self) {
        self.pixels.resize(TILE * TILE, [0.0; 3]);
        self.is_shown.resize(TILE * TILE, false);
    }
}

/// The side of a cell of pixels, of which it is known where the sun sees it.
const CELL: usize = 8;

/// Cells along each side of a tile.
const CELLS: usize = TILE / CELL;


impl SpacePainter {
    /// The painter of a panel, seen from a viewpoint in a rectangle of the picture.
    pub fn new(viewpoint: &Viewpoint, clip: Rect, around: &Surroundings<'_>) -> Self {
        let camera = SpatialCamera::new(viewpoint, clip);
        let distance = norm(sub(viewpoint.eye, viewpoint.target));
        let height = match viewpoint.lens {
            Lens::Perspective { .. } => f64::from(clip.h) / camera.scale(distance),
            Lens::Orthographic { height } => height,
        };
        let aspect = f64::from(clip.w) / f64::from(clip.h);
        let reach = SHADOWED * 0.5 * height * (1.0 + aspect * aspect).sqrt();
        let up = if around.ground.is_some() { [0.0, 1.0, 0.0] } else { viewpoint.up };
        let light = Light::new(crate::render::vector::unit(up));
        let ground = around.ground.and_then(|it| Ground::new(&it, viewpoint.target, &camera));
        let mut painter = Self {
            camera,
            clip,
            scale: camera.scale(distance),
            light,
            behind: channels(around.behind),
            ground,
            capsules: capsules(around.solids, &camera),
            materials: Vec::new(),
            fixed: Vec::new(),
            fixed_tiles: Vec::new(),
            cells: Vec::new(),
            has_solids: Vec::new(),
            shadows: ShadowMap::new(light, reach),
        };
        painter.add_surroundings(around);
        painter
    }

    /// Makes the triangles of what never moves, and its shadows.
    fn add_surroundings(&mut self, around: &Surroundings<'_>) {
        let mut mesh = Mesh::default();
        let ink = channels(around.solid);
        for solid in around.solids {
            let sides = match *solid {
                Solid::Capsule { a, radius, .. } => round_sides(radius * self.camera.scale_at(a)),
                _ => 0,
            };
            add_solid(&mut mesh, solid, ink, sides);
        }
        cast(&mesh, &self.camera, &mut self.shadows);
        self.shadows.finish();
        if let Some(ground) = &self.ground {
            ground.add(&mut mesh);
        }
        let materials = mesh.materials.clone();
        let keeps_backs = |material: u16| keeps_back(&materials[material as usize]);
        facets(&mesh, &self.camera, self.clip, keeps_backs, &mut self.fixed);
        let grid = TileGrid(self.clip);
        self.fixed_tiles = vec![Vec::new(); grid.count()];
        grid.sort(&self.fixed, &mut self.fixed_tiles);
        let is_solid = |number: &u32| {
            materials[self.fixed[*number as usize].material as usize].surface != Surface::Ground
        };
        self.has_solids = self.fixed_tiles.iter().map(|tile| tile.iter().any(is_solid)).collect();
        self.materials = materials;
        self.cells = (0..grid.count()).flat_map(|index| self.cells_of(index)).collect();
    }

    /// The texels on which the light on fixed surfaces in each cell of a tile depends.
    fn cells_of(&self, index: usize) -> [Option<[u16; 4]>; CELLS * CELLS] {
        let mut cells = [None; CELLS * CELLS];
        let area = TileGrid(self.clip).tile(index);
        let mut tile = Tile::default();
        tile.add([area.x, area.y], &self.fixed, &self.fixed_tiles[index], 0);
        for (cell, texels) in cells.iter_mut().enumerate() {
            let (left, top) = (cell % CELLS * CELL, cell / CELLS * CELL);
            let (right, bottom) =
                ((left + CELL).min(area.w as usize), (top + CELL).min(area.h as usize));
            if left < right && top < bottom {
                *texels = self.texels(&tile, [area.x, area.y], [left, right, top, bottom]);
            }
        }
        cells
    }

    /// The texels on which the light on fixed surfaces depends in the pixels of a tile from the first
    /// column and row to before the last.
    fn texels(
        &self,
        tile: &Tile,
        corner: [i32; 2],
        [left, right, top, bottom]: [usize; 4],
    ) -> Option<[u16; 4]> {
        let pixels = || (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y)));
        let first = tile.pixel(left, top)[0];
        if pixels().all(|(x, y)| tile.pixel(x, y).iter().all(|number| *number == first)) {
            // Where a line crosses a triangle, the texels go in one direction, so that those of the
            // corners enclose all others.
            return self.texels_of(first, corner, [left, right, top, bottom]);
        }
        let mut all: Option<[u16; 4]> = None;
        for (x, y) in pixels() {
            let mut last = NOTHING;
            for &number in tile.pixel(x, y) {
                if number != last {
                    let texels = self.texels_of(number, corner, [x, x + 1, y, y + 1]);
                    all = [all, texels].into_iter().flatten().reduce(joined);
                    last = number;
                }
            }
        }
        all
    }

    /// The texels on which the light on a triangle depends within a rectangle of a tile.
    fn texels_of(
        &self,
        number: u32,
        corner: [i32; 2],
        [left, right, top, bottom]: [usize; 4],
    ) -> Option<[u16; 4]> {
        let facet = self.fixed.get(number as usize)?;
        let corners = [[left, top], [right, top], [left, bottom], [right, bottom]];
        let texels = corners.map(|place| {
            let at = [0, 1].map(|axis| f64::from(corner[axis]) + place[axis] as f64);
            let (at, normal) = facet.place_and_normal(at, self.camera.is_perspective());
            around(self.shadows.seen(at, normal).0)
        });
        texels.into_iter().reduce(joined)
    }

    /// The camera.
    pub fn camera(&self) -> &SpatialCamera {
        &self.camera
    }

    /// Pixels per length where the camera looks to.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Draws what never changes.
    pub fn draw_surroundings(&self, canvas: &mut Canvas) {
        let mut buffers = SpaceBuffers::default();
        let grid = TileGrid(self.clip);
        buffers.tiles = vec![Vec::new(); grid.count()];
        buffers.make_room();
        for index in 0..grid.count() {
            if !self.fixed_tiles[index].is_empty() {
                self.draw_tile(canvas, &mut buffers, index, &self.shadows);
            }
        }
    }

    /// Draws the parts of bodies at one moment, over what never changes.
    pub fn draw(&self, canvas: &mut Canvas, parts: &[DrawnPart<'_>]) {
        let mut buffers = canvas.take_space();
        buffers.make_room();
        let mut shadows = buffers
            .shadows
            .take()
            .map(|mut shadows| {
                shadows.copy(&self.shadows);
                shadows
            })
            .unwrap_or_else(|| self.shadows.clone());
        buffers.mesh.clear();
        buffers.mesh.materials.extend_from_slice(&self.materials);
        let scale = Scale { camera: &self.camera, at_target: self.scale };
        for part in parts {
            add_part(&mut buffers.mesh, part, scale);
        }
        buffers.facets.clear();
        let SpaceBuffers { mesh, facets: seen, .. } = &mut buffers;
        let keeps_backs = |material: u16| keeps_back(&mesh.materials[material as usize]);
        facets(mesh, &self.camera, self.clip, keeps_backs, seen);
        cast(mesh, &self.camera, &mut shadows);
        shadows.finish();
        self.find_tiles(&mut buffers, &shadows);
        for index in 0..TileGrid(self.clip).count() {
            if buffers.is_touched[index] {
                self.draw_tile(canvas, &mut buffers, index, &shadows);
            }
        }
        buffers.shadows = Some(shadows);
        canvas.give_space(buffers);
    }

    /// Finds the tiles that bodies or their shadows touch.
    fn find_tiles(&self, buffers: &mut SpaceBuffers, shadows: &ShadowMap) {
        let grid = TileGrid(self.clip);
        buffers.tiles.iter_mut().for_each(Vec::clear);
        buffers.tiles.resize_with(grid.count(), Vec::new);
        grid.sort(&buffers.facets, &mut buffers.tiles);
        self.find_shaded(buffers, shadows);
        buffers.is_touched.clear();
        let tiles = buffers.tiles.iter().zip(&buffers.is_shaded);
        buffers.is_touched.extend(tiles.map(|(tile, is_shaded)| *is_shaded || !tile.is_empty()));
    }

    /// Finds the tiles on which shadows of bodies may fall.
    fn find_shaded(&self, buffers: &mut SpaceBuffers, shadows: &ShadowMap) {
        let grid = TileGrid(self.clip);
        buffers.is_shaded.clear();
        buffers.is_shaded.extend_from_slice(&self.has_solids);
        let Some(ground) = &self.ground else { return };
        let to_sun = self.light.axes[2];
        let rise = dot(to_sun, [0.0, 1.0, 0.0]);
        let fallen: Vec<Option<[f64; 3]>> = buffers
            .mesh
            .vertices
            .iter()
            .map(|vertex| {
                let height = vertex.at[1] - ground.height();
                let at = along(vertex.at, -height / rise, to_sun);
                let seen = self.camera.point(at).filter(|_| height > 0.0)?;
                // A penumbra, and as much again for where the view is steep.
                let soft = 2.0 * shadows.penumbra() * self.camera.scale(seen.depth) + 2.0;
                Some([seen.at[0], seen.at[1], soft])
            })
            .collect();
        for (corners, material) in &buffers.mesh.triangles {
            if !casts(&buffers.mesh.materials[*material as usize]) {
                continue;
            }
            // A triangle that goes through the ground throws its shadow at where it is seen.
            let seen = corners.map(|corner| fallen[corner as usize]);
            grid.touch(seen.iter().flatten(), &mut buffers.is_shaded);
        }
    }

    /// Draws one tile anew.
    fn draw_tile(
        &self,
        canvas: &mut Canvas,
        buffers: &mut SpaceBuffers,
        index: usize,
        shadows: &ShadowMap,
    ) {
        let grid = TileGrid(self.clip);
        let area = grid.tile(index);
        let corner = [area.x, area.y];
        let SpaceBuffers { tile, tiles, facets, mesh, row, is_shaded, .. } = buffers;
        tile.clear();
        tile.add(corner, &self.fixed, &self.fixed_tiles[index], 0);
        tile.add(corner, facets, &tiles[index], self.fixed.len() as u32);
        let materials =
            if mesh.materials.is_empty() { &self.materials } else { &mesh.materials };
        let lighting = Lighting {
            light: &self.light,
            shadows,
            capsules: &self.capsules,
            ground: self.ground.as_ref(),
            eye: self.eye(),
            is_perspective: self.camera.is_perspective(),
        };
        let is_first = is_shaded.is_empty();
        let mut is_as_ever = [false; CELLS * CELLS];
        if !is_first {
            let cells = &self.cells[index * CELLS * CELLS..];
            for (cell, is_as_ever) in cells.iter().zip(&mut is_as_ever) {
                *is_as_ever = cell.is_none_or(|texels| !shadows.has_changed_in(texels));
            }
        }
        Instructions::best().run(ShadeTile {
            lighting: &lighting,
            facets: [&self.fixed, facets],
            materials,
            behind: self.behind,
            tile,
            area,
            fragments: &mut buffers.fragments,
            pixels: &mut buffers.pixels,
            is_shown: &mut buffers.is_shown,
            is_as_ever: &is_as_ever,
        });
        for y in 0..area.h {
            canvas.copy_row([area.x, area.y + y], area.w, row);
            let start = y as usize * TILE;
            let shown = buffers.is_shown[start..].iter().zip(&buffers.pixels[start..]);
            for (pixel, (&is_shown, color)) in row.iter_mut().zip(shown) {
                if is_shown {
                    *pixel = [byte(color[0]), byte(color[1]), byte(color[2])];
                }
            }
            canvas.put_row([area.x, area.y + y], row);
        }
    }

    /// The eye relative to what it looks at, or the direction to it where there is no perspective.
    fn eye(&self) -> Single3 {
        let eye = if self.camera.is_perspective() {
            self.camera.from_target(self.camera.eye())
        } else {
            self.camera.to_eye([0.0; 3])
        };
        single(eye)
    }
}

/// Gives the pixels of a tile their colours.
struct ShadeTile<'a> {
    lighting: &'a Lighting<'a>,
    /// What never moves, and what moves.
    facets: [&'a [Facet]; 2],
    materials: &'a [Material],
    behind: Single3,
    tile: &'a Tile,
    area: Rect,
    fragments: &'a mut Fragments,
    pixels: &'a mut [Single3],
    is_shown: &'a mut [bool],
    /// The cells whose fixed surfaces look as ever, row by row.
    is_as_ever: &'a [bool; CELLS * CELLS],
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
                self.is_shown[index] = !(self.is_as_ever[cell] && self.is_fixed(seen));
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
    /// Whether a pixel shows only what never moves.
    #[inline(always)]
    fn is_fixed(&self, seen: &[u32; SAMPLES]) -> bool {
        let mut is_fixed = true;
        for number in seen {
            is_fixed &= *number == NOTHING || (*number as usize) < self.facets[0].len();
        }
        is_fixed
    }

    /// Adds the fragments of a pixel: each triangle counts by the samples in which it is seen.
    #[inline(always)]
    fn pixel(&mut self, index: usize, seen: &[u32; SAMPLES], middle: [f32; 2]) {
        let mut differs = 0;
        for number in seen {
            differs |= number ^ seen[0];
        }
        if differs == 0 {
            self.add(index, (seen[0], 1.0), middle);
            return;
        }
        let mut left = [true; SAMPLES];
        for s in 0..SAMPLES {
            if !left[s] {
                continue;
            }
            let (mut count, mut offset) = (0.0_f32, [0.0_f32; 2]);
            for other in s..SAMPLES {
                if seen[other] == seen[s] {
                    left[other] = false;
                    count += 1.0;
                    offset[0] += OFFSETS_SINGLE[other][0];
                    offset[1] += OFFSETS_SINGLE[other][1];
                }
            }
            let at = [middle[0] + offset[0] / count, middle[1] + offset[1] / count];
            self.add(index, (seen[s], count / SAMPLES as f32), at);
        }
    }

    /// Adds a fragment of a triangle, or of what is behind everything.
    #[inline(always)]
    fn add(&mut self, index: usize, (number, share): (u32, f32), at: [f32; 2]) {
        if number == NOTHING {
            self.pixels[index] = plus(self.pixels[index], share, self.behind);
            return;
        }
        let [fixed, moving] = self.facets;
        let number = number as usize;
        let facet = if number < fixed.len() { &fixed[number] } else { &moving[number - fixed.len()] };
        let seen = (facet, &self.materials[facet.material as usize]);
        self.fragments.add((index, share), seen, at, self.lighting.is_perspective);
        if self.fragments.is_full() {
            self.flush();
        }
    }

    #[inline(always)]
    fn flush(&mut self) {
        self.fragments.shade(self.lighting, self.behind, self.pixels);
    }
}

/// Where samples lie, as [`super::visibility::OFFSETS`].
const OFFSETS_SINGLE: [[f32; 2]; SAMPLES] = {
    let mut all = [[0.0_f32; 2]; SAMPLES];
    let mut index = 0;
    while index < SAMPLES {
        let [x, y] = super::visibility::OFFSETS[index];
        all[index] = [x as f32, y as f32];
        index += 1;
    }
    all
};

/// Corners around something round of this radius in pixels: chords stay within a fifth of a pixel.
fn round_sides(radius: f64) -> usize {
    let sides = (5.0 * radius.sqrt()).ceil().clamp(16.0, 96.0);
    (sides as usize).div_ceil(4) * 4
}

/// Whether the back of a surface is seen.
fn keeps_back(material: &Material) -> bool {
    matches!(material.surface, Surface::Sheet(_) | Surface::Flat | Surface::Ground)
}

/// Whether a surface throws shadows.
fn casts(material: &Material) -> bool {
    !matches!(material.surface, Surface::Flat | Surface::Ground)
}

/// Adds the shadows of a mesh to a map around what the camera looks at.
fn cast(mesh: &Mesh, camera: &SpatialCamera, shadows: &mut ShadowMap) {
    for (corners, material) in &mesh.triangles {
        if casts(&mesh.materials[*material as usize]) {
            let place = |corner: u32| camera.from_target(mesh.vertices[corner as usize].at);
            shadows.add(corners.map(place));
        }
    }
}

/// Ends and radii of balls and capsules, relative to what the camera looks at.
fn capsules(solids: &[Solid], camera: &SpatialCamera) -> Vec<([Single3; 2], f32)> {
    let place = |at: Vec3| single(camera.from_target(at));
    let capsule = |solid: &Solid| match *solid {
        Solid::Capsule { a, b, radius } => Some(([place(a), place(b)], radius as f32)),
        _ => None,
    };
    solids.iter().filter_map(capsule).collect()
}

/// The texels of two ranges and all between them.
fn joined(a: [u16; 4], b: [u16; 4]) -> [u16; 4] {
    [a[0].min(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].max(b[3])]
}

/// A channel from 0 to 1 as a byte.
fn byte(channel: f32) -> u8 {
    (255.0 * channel + 0.5) as u8
}
