//! What never moves in a panel: colliders and the ground, how they are seen, and their shadows.

use super::facet::{Facet, facets};
use super::ground::Ground;
use super::light::Light;
use super::mesh::{Material, Mesh, Surface, channels};
use super::shadow::{EVERYWHERE, ShadowMap, around};
use super::single::{Single3, single};
use super::solid::add_solid;
use super::tiles::TileGrid;
use super::visibility::{NOTHING, TILE, Tile};
use crate::camera::SpatialCamera;
use crate::rect::Rect;
use crate::theme::Ink;
use crate::vector::Vec3;
use catena_scene as scene;
use catena_sim::contact::collider::Solid;
use rayon::prelude::*;

/// The side of a cell of pixels, of which it is known where the sun sees it.
pub const CELL: usize = 8;

/// Cells along each side of a tile.
pub const CELLS: usize = TILE / CELL;

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
    /// Whether the camera moves, so that each frame has surroundings of its own.
    pub is_moving: bool,
}

/// What never moves in a panel, as it is seen.
pub struct Fixed {
    /// Its ground.
    pub ground: Option<Ground>,
    /// Ends and radii of balls and capsules, relative to what the camera looks at.
    pub capsules: Vec<([Single3; 2], f32)>,
    /// Its materials.
    pub materials: Vec<Material>,
    /// Its triangles.
    pub facets: Vec<Facet>,
    /// The triangles in each tile.
    pub tiles: Vec<Vec<u32>>,
    /// The texels of the map of shadows, from first to last column and row, on which the light on
    /// it in each cell of each tile depends; `None` where there is nothing.
    pub cells: Vec<Option<[u16; 4]>>,
    /// What is seen of it in each tile that shows colliders.
    pub seen: Vec<Option<Box<Tile>>>,
    /// The shadows of colliders.
    pub shadows: ShadowMap,
    is_perspective: bool,
}

impl Fixed {
    /// What stands around the bodies of a panel, in a light whose shadows are known as far as
    /// `reach` from what the camera looks at.
    pub fn new(
        around: &Surroundings<'_>,
        target: Vec3,
        (camera, clip): (&SpatialCamera, Rect),
        (light, reach): (Light, f64),
    ) -> Self {
        let ground = around.ground.and_then(|it| Ground::new(&it, target, camera));
        let mut mesh = Mesh::default();
        let ink = channels(around.solid);
        for solid in around.solids {
            add_solid(&mut mesh, solid, ink, sides_around(solid, camera));
        }
        let mut shadows = ShadowMap::new(light, reach);
        cast(&mesh, camera, &mut shadows);
        shadows.finish();
        shadows.forget_changes();
        if let Some(ground) = &ground {
            ground.add(&mut mesh);
        }
        let mut fixed = Self {
            ground,
            capsules: capsules(around.solids, camera),
            materials: mesh.materials.clone(),
            facets: Vec::new(),
            tiles: Vec::new(),
            cells: Vec::new(),
            seen: Vec::new(),
            shadows,
            is_perspective: camera.is_perspective(),
        };
        facets(&mesh, camera, clip, &mut fixed.facets);
        fixed.see(TileGrid(clip), around.is_moving);
        fixed
    }

    /// Finds what is seen in each tile. What is drawn once need not be kept, and all of it counts
    /// as touched by every shadow.
    fn see(&mut self, grid: TileGrid, is_moving: bool) {
        self.tiles = vec![Vec::new(); grid.count()];
        grid.sort(&self.facets, &mut self.tiles);
        if is_moving {
            let of_tile =
                |tile: &Vec<u32>| [(!tile.is_empty()).then_some(EVERYWHERE); CELLS * CELLS];
            self.cells = self.tiles.iter().flat_map(of_tile).collect();
            self.seen = vec![None; grid.count()];
            return;
        }
        let see = |index: usize| {
            let area = grid.tile(index);
            let mut tile = Box::<Tile>::default();
            tile.add([area.x, area.y], &self.facets, &self.tiles[index], 0);
            let has_solids = self.tiles[index].iter().any(|&number| {
                let material = self.facets[number as usize].material;
                self.materials[material as usize].surface != Surface::Ground
            });
            (self.cells_of(area, &tile), has_solids.then_some(tile))
        };
        let seen: Vec<_> = (0..grid.count()).into_par_iter().map(see).collect();
        for (cells, tile) in seen {
            self.cells.extend(cells);
            self.seen.push(tile);
        }
    }

    /// The texels on which the light on fixed surfaces in each cell of a tile depends.
    fn cells_of(&self, area: Rect, tile: &Tile) -> [Option<[u16; 4]>; CELLS * CELLS] {
        let mut cells = [None; CELLS * CELLS];
        for (cell, texels) in cells.iter_mut().enumerate() {
            let (left, top) = (cell % CELLS * CELL, cell / CELLS * CELL);
            let (right, bottom) =
                ((left + CELL).min(area.w as usize), (top + CELL).min(area.h as usize));
            if left < right && top < bottom {
                *texels = self.texels(tile, [area.x, area.y], [left, right, top, bottom]);
            }
        }
        cells
    }

    /// The texels on which the light on fixed surfaces depends in the pixels of a tile from the
    /// first column and row to before the last.
    fn texels(
        &self,
        tile: &Tile,
        corner: [i32; 2],
        [left, right, top, bottom]: [usize; 4],
    ) -> Option<[u16; 4]> {
        // Where a line crosses a triangle, the texels go in one direction, so that those of the
        // corners of a rectangle enclose all others.
        let mut all: Option<[u16; 4]> = None;
        for (number, pixels) in extents(tile, [left, right, top, bottom]) {
            let texels = self.texels_of(number, corner, pixels);
            all = [all, texels].into_iter().flatten().reduce(joined);
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
        let facet = self.facets.get(number as usize)?;
        let corners = [[left, top], [right, top], [left, bottom], [right, bottom]];
        let view = self.shadows.view();
        let mut all = None;
        for place in corners {
            let at = [0, 1].map(|axis| f64::from(corner[axis]) + place[axis] as f64);
            // Of a triangle that is seen from its edge, a corner may lie behind the eye.
            let Some((at, normal)) = facet.place_and_normal(at, self.is_perspective) else {
                return Some(EVERYWHERE);
            };
            let texels = around(view.seen(at, normal).0);
            all = Some(all.map_or(texels, |all| joined(all, texels)));
        }
        all
    }
}

/// The triangles that are seen in the pixels of a tile from the first column and row to before the
/// last, and such pixels around those that show each.
fn extents(tile: &Tile, [left, right, top, bottom]: [usize; 4]) -> Vec<(u32, [usize; 4])> {
    let mut all: Vec<(u32, [usize; 4])> = Vec::new();
    for y in top..bottom {
        for x in left..right {
            let mut last = NOTHING;
            for &number in tile.pixel(x, y) {
                if number == last {
                    continue;
                }
                last = number;
                match all.iter_mut().find(|(known, _)| *known == number) {
                    Some((_, [left, right, _, bottom])) => {
                        (*left, *right) = ((*left).min(x), (*right).max(x + 1));
                        *bottom = y + 1;
                    }
                    None => all.push((number, [x, x + 1, y, y + 1])),
                }
            }
        }
    }
    all
}

/// The number of corners around a solid that is round.
pub(super) fn sides_around(solid: &Solid, camera: &SpatialCamera) -> usize {
    match *solid {
        Solid::Capsule { a, radius, .. } => round_sides(radius * camera.scale_at(a)),
        _ => 0,
    }
}

/// Corners around something round of this radius in pixels: chords stay within a fifth of a pixel.
fn round_sides(radius: f64) -> usize {
    let sides = (5.0 * radius.sqrt()).ceil().clamp(16.0, 96.0);
    (sides as usize).div_ceil(4) * 4
}

/// Adds the shadows of a mesh to a map around what the camera looks at.
pub fn cast(mesh: &Mesh, camera: &SpatialCamera, shadows: &mut ShadowMap) {
    for (corners, material) in &mesh.triangles {
        if mesh.materials[*material as usize].casts {
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
