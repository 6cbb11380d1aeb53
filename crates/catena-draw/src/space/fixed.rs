//! Fixed objects of a panel, which are colliders and the ground: their visibility and their
//! shadows.

use super::facet::{Facet, facets};
use super::ground::Ground;
use super::light::Light;
use super::mesh::{Material, Mesh, Surface, channels};
use super::shadow::{EVERYWHERE, ShadowMap, around};
use super::single::{Single3, single};
use super::solid::add_solid;
use super::visibility::TileGrid;
use super::visibility::{NOTHING, TILE, Tile};
use crate::camera::SpatialCamera;
use crate::rect::Rect;
use crate::theme::Ink;
use crate::vector::Vec3;
use catena_scene as scene;
use catena_sim::contact::collider::Solid;
use rayon::prelude::*;

/// Side of a cell in pixels. For each cell, the texels that light it are known.
pub const CELL: usize = 8;

/// Number of cells along each side of a tile.
pub const CELLS: usize = TILE / CELL;

/// Surroundings of the bodies of a panel.
pub struct Surroundings<'a> {
    /// Colliders.
    pub solids: &'a [Solid],
    /// Ground, if there is one.
    pub ground: Option<scene::Ground>,
    /// Colour of colliders.
    pub solid: Ink,
    /// Background colour.
    pub behind: Ink,
    /// Whether the camera moves, so that each frame has surroundings of its own.
    pub is_moving: bool,
}

/// Fixed objects of a panel, as seen by its camera.
pub struct FixedObjects {
    /// Ground, if there is one.
    pub ground: Option<Ground>,
    /// Ends and radii of balls and capsules, relative to the target of the camera.
    pub capsules: Vec<([Single3; 2], f32)>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Triangles.
    pub facets: Vec<Facet>,
    /// Indices of the triangles in each tile.
    pub tiles: Vec<Vec<u32>>,
    /// Range of texels in the shadow map that determines the light in each cell of each tile: first
    /// and last column and row. `None` if the cell is empty.
    pub cells: Vec<Option<[u16; 4]>>,
    /// Visible triangles in each tile that shows colliders.
    pub seen: Vec<Option<Box<Tile>>>,
    /// Shadows of colliders.
    pub shadows: ShadowMap,
    is_perspective: bool,
}

impl FixedObjects {
    /// Fixed objects from the surroundings. Shadows are known up to the distance `reach` from the
    /// target of the camera.
    pub fn new(
        around: &Surroundings<'_>,
        target: Vec3,
        camera: &SpatialCamera,
        clip: Rect,
        light: Light,
        reach: f64,
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

    /// Finds the visible triangles of each tile. With a moving camera they are drawn only once and
    /// not stored, and any shadow may affect them.
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

    /// Texels that determine the light on fixed surfaces in each cell of a tile.
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

    /// Texels that determine the light on fixed surfaces in a half-open rectangle of a tile's
    /// pixels.
    fn texels(
        &self,
        tile: &Tile,
        corner: [i32; 2],
        [left, right, top, bottom]: [usize; 4],
    ) -> Option<[u16; 4]> {
        // Along a line across a triangle, the texels change monotonically. The texels of the
        // corners of a rectangle therefore enclose all others.
        let mut all: Option<[u16; 4]> = None;
        for (number, pixels) in extents(tile, [left, right, top, bottom]) {
            let texels = self.texels_of(number, corner, pixels);
            all = [all, texels].into_iter().flatten().reduce(joined);
        }
        all
    }

    /// Texels that determine the light on a triangle within a rectangle of a tile.
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
            // If a triangle is seen edge-on, a corner may be behind the eye.
            let Some((at, normal)) = facet.place_and_normal(at, self.is_perspective) else {
                return Some(EVERYWHERE);
            };
            let texels = around(view.seen(at, normal).0);
            all = Some(all.map_or(texels, |all| joined(all, texels)));
        }
        all
    }
}

/// Triangles visible in a half-open rectangle of a tile's pixels, each with its bounding rectangle.
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

/// Number of corners around a round solid; 0 for other solids.
pub(super) fn sides_around(solid: &Solid, camera: &SpatialCamera) -> usize {
    match *solid {
        Solid::Capsule { a, radius, .. } => round_sides(radius * camera.scale_at(a)),
        _ => 0,
    }
}

/// Number of corners for a circle of this radius in pixels. The deviation of the chords is below a
/// fifth of a pixel.
fn round_sides(radius: f64) -> usize {
    let sides = (5.0 * radius.sqrt()).ceil().clamp(16.0, 96.0);
    (sides as usize).div_ceil(4) * 4
}

/// Adds the shadows of a mesh to a map centred on the target of the camera.
pub fn cast(mesh: &Mesh, camera: &SpatialCamera, shadows: &mut ShadowMap) {
    for (corners, material) in &mesh.triangles {
        if mesh.materials[*material as usize].casts {
            let place = |corner: u32| camera.from_target(mesh.vertices[corner as usize].at);
            shadows.add(corners.map(place));
        }
    }
}

/// Ends and radii of balls and capsules, relative to the target of the camera.
fn capsules(solids: &[Solid], camera: &SpatialCamera) -> Vec<([Single3; 2], f32)> {
    let place = |at: Vec3| single(camera.from_target(at));
    let capsule = |solid: &Solid| match *solid {
        Solid::Capsule { a, b, radius } => Some(([place(a), place(b)], radius as f32)),
        _ => None,
    };
    solids.iter().filter_map(capsule).collect()
}

/// Smallest range that contains two ranges of texels.
fn joined(a: [u16; 4], b: [u16; 4]) -> [u16; 4] {
    [a[0].min(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].max(b[3])]
}
