//! Fixed objects of a panel, which are colliders and the ground: their visibility and their
//! shadows.

use super::facet::{Facet, facets};
use super::ground::Ground;
use super::light::Light;
use super::mesh::{Material, Mesh, Painted, Sides, Surface, Vertex, Wire, channels};
use super::shadow::{EVERYWHERE, ShadowMap, SunBounds, SunHoles, SunRange};
use super::single::{Single3, inner, single};
use super::solid::add_shown;
use super::visibility::TileGrid;
use super::visibility::{NOTHING, TILE, Tile, covers};
use crate::camera::SpatialCamera;
use crate::rect::Rect;
use crate::solids::ShownSolid;
use crate::theme::Ink;
use crate::vector::Vec3;
use catena_scene as scene;
use catena_sim::contact::collider::Solid;
use rayon::prelude::*;

/// Side of a cell in pixels. The rays of the sun that light a cell are stored per cell.
pub const CELL: usize = 8;

/// Number of cells along each side of a tile.
pub const CELLS: usize = TILE / CELL;

/// Surroundings of the bodies of a panel.
pub struct Surroundings<'a> {
    /// Colliders.
    pub solids: &'a [ShownSolid],
    /// Ground, if there is one.
    pub ground: Option<scene::Ground>,
    /// Colour of colliders.
    pub solid: Ink,
    /// Background colours at the top and at the bottom of the panel.
    pub background: [Ink; 2],
    /// Whether the ground is invisible and only shows shadows.
    pub is_clear: bool,
    /// Light.
    pub light: &'a scene::Light,
    /// Whether the camera moves, so that the surroundings are drawn again in each frame.
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
    /// Rays of the sun that determine the light in each cell of each tile. `None` if the cell is
    /// empty.
    pub cells: Vec<Option<SunRange>>,
    /// Triangle that covers a whole tile alone, by its index.
    pub whole: Vec<Option<u32>>,
    /// Visible triangles in each tile that shows colliders, unless it is whole.
    pub seen: Vec<Option<Box<Tile>>>,
    /// Shadows of colliders.
    pub shadows: ShadowMap,
    is_perspective: bool,
    /// Axes of the light.
    axes: [Single3; 3],
}

impl FixedObjects {
    /// Fixed objects from the surroundings. Shadows are known up to the distance `reach` from the
    /// target of the camera, where a pixel has the length `pixel`.
    pub fn new(
        around: &Surroundings<'_>,
        target: Vec3,
        camera: &SpatialCamera,
        clip: Rect,
        light: Light,
        [reach, pixel]: [f64; 2],
    ) -> Self {
        let is_clear = around.is_clear;
        let ground = around.ground.and_then(|it| Ground::new(&it, target, camera, is_clear));
        let mut mesh = Mesh::default();
        let ink = channels(around.solid);
        for shown in around.solids {
            add_shown(&mut mesh, shown, ink, camera);
        }
        let mut shadows = ShadowMap::new(light);
        cast(&mesh, camera, light, [reach, pixel], &mut shadows);
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
            whole: Vec::new(),
            seen: Vec::new(),
            shadows,
            is_perspective: camera.is_perspective(),
            axes: light.single_axes,
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
        let whole = |(index, numbers): (usize, &Vec<u32>)| match numbers[..] {
            [number] => {
                let facet = &self.facets[number as usize];
                let forms_runs = self.materials[facet.material as usize].forms_runs();
                (forms_runs && covers(facet, grid.tile(index))).then_some(number)
            }
            _ => None,
        };
        self.whole = self.tiles.iter().enumerate().map(whole).collect();
        if is_moving {
            let of_tile =
                |tile: &Vec<u32>| [(!tile.is_empty()).then_some(EVERYWHERE); CELLS * CELLS];
            self.cells = self.tiles.iter().flat_map(of_tile).collect();
            self.seen = vec![None; grid.count()];
            return;
        }
        let see = |tile: &mut Tile, index: usize| {
            let (area, numbers) = (grid.tile(index), &self.tiles[index]);
            if numbers.is_empty() {
                return ([None; CELLS * CELLS], None);
            }
            if let Some(number) = self.whole[index] {
                return (self.cells_of(area, |pixels| vec![(number, pixels)]), None);
            }
            tile.clear();
            tile.add([area.x, area.y], &self.facets, numbers, 0);
            let has_solids = numbers.iter().any(|&number| {
                let material = self.facets[number as usize].material;
                self.materials[material as usize].surface != Surface::Ground
            });
            let cells = self.cells_of(area, |pixels| extents(tile, pixels));
            (cells, has_solids.then(|| Box::new(tile.clone())))
        };
        let all = (0..grid.count()).into_par_iter();
        let seen: Vec<_> = all.map_init(Tile::default, see).collect();
        for (cells, tile) in seen {
            self.cells.extend(cells);
            self.seen.push(tile);
        }
    }

    /// Rays that determine the light on fixed surfaces in each cell of a tile. `extents` returns
    /// the triangles visible in a half-open rectangle of the tile's pixels, each with its bounding
    /// rectangle.
    fn cells_of(
        &self,
        area: Rect,
        extents: impl Fn([usize; 4]) -> Vec<(u32, [usize; 4])>,
    ) -> [Option<SunRange>; CELLS * CELLS] {
        let mut cells = [None; CELLS * CELLS];
        for (cell, rays) in cells.iter_mut().enumerate() {
            let (left, top) = (cell % CELLS * CELL, cell / CELLS * CELL);
            let (right, bottom) =
                ((left + CELL).min(area.w as usize), (top + CELL).min(area.h as usize));
            if left < right && top < bottom {
                *rays = self.rays(extents([left, right, top, bottom]), [area.x, area.y]);
            }
        }
        cells
    }

    /// Rays that determine the light on triangles within rectangles of a tile.
    fn rays(&self, extents: Vec<(u32, [usize; 4])>, corner: [i32; 2]) -> Option<SunRange> {
        // Along a line across a triangle, the rays change monotonically. The rays of the corners of
        // a rectangle therefore enclose all others.
        let mut all: Option<SunRange> = None;
        for (number, pixels) in extents {
            let rays = self.rays_of(number, corner, pixels);
            all = [all, rays].into_iter().flatten().reduce(joined);
        }
        all
    }

    /// Rays that determine the light on a triangle within a rectangle of a tile.
    fn rays_of(
        &self,
        number: u32,
        corner: [i32; 2],
        [left, right, top, bottom]: [usize; 4],
    ) -> Option<SunRange> {
        let facet = self.facets.get(number as usize)?;
        let corners = [[left, top], [right, top], [left, bottom], [right, bottom]];
        let mut all = None;
        for place in corners {
            let at = [0, 1].map(|axis| f64::from(corner[axis]) + place[axis] as f64);
            // If a triangle is seen edge-on, a corner may be behind the eye.
            let Some(at) = facet.place(at, self.is_perspective) else {
                return Some(EVERYWHERE);
            };
            let [x, y] = [inner(self.axes[0], at), inner(self.axes[1], at)];
            all = Some(all.map_or([x, x, y, y], |all| joined(all, [x, x, y, y])));
        }
        all
    }
}

/// Triangles visible in a half-open rectangle of a tile's pixels, each with its bounding rectangle.
fn extents(tile: &Tile, [left, right, top, bottom]: [usize; 4]) -> Vec<(u32, [usize; 4])> {
    let mut all: Vec<(u32, [usize; 4])> = Vec::new();
    // Index of the triangle that was found last, which adjacent pixels often show alone.
    let mut found = 0;
    for y in top..bottom {
        for x in left..right {
            let seen = tile.pixel(x, y);
            if let Some((number, extent)) = all.get_mut(found)
                && seen.iter().fold(0, |differs, other| differs | (other ^ *number)) == 0
            {
                widen(extent, x, y);
                continue;
            }
            let mut last = NOTHING;
            for &number in seen {
                if number == last {
                    continue;
                }
                last = number;
                match all.iter().position(|(known, _)| *known == number) {
                    Some(index) => {
                        found = index;
                        widen(&mut all[index].1, x, y);
                    }
                    None => {
                        found = all.len();
                        all.push((number, [x, x + 1, y, y + 1]));
                    }
                }
            }
        }
    }
    all
}

/// Widens a half-open rectangle by a pixel that is not above it.
fn widen([left, right, _, bottom]: &mut [usize; 4], x: usize, y: usize) {
    (*left, *right) = ((*left).min(x), (*right).max(x + 1));
    *bottom = y + 1;
}

/// Fills a map with the shadows of a mesh. Objects farther than `reach` from the target of the
/// camera, where a pixel has the length `pixel`, do not widen the map.
pub fn cast(
    mesh: &Mesh,
    camera: &SpatialCamera,
    light: Light,
    [reach, pixel]: [f64; 2],
    shadows: &mut ShadowMap,
) {
    let mut bounds = SunBounds::EMPTY;
    // Triangles share their corners, so each corner is transformed once.
    let seen = |vertex: &Vertex| light.coordinates(camera.from_target(vertex.at));
    let seen: Vec<Vec3> = mesh.vertices.iter().map(seen).collect();
    let casts = |material: u16| mesh.materials[material as usize].casts;
    for (corners, _) in mesh.triangles.iter().filter(|(_, material)| casts(*material)) {
        for corner in corners {
            bounds.include(seen[*corner as usize], reach);
        }
    }
    for wire in &mesh.wires {
        for end in wire.ends {
            bounds.include_ball(&light, camera.from_target(end), wire.thickness, reach);
        }
    }
    shadows.fit(light, &bounds, pixel);
    for (corners, material) in mesh.triangles.iter().filter(|(_, material)| casts(*material)) {
        let Material { surface, sides, texture, .. } = mesh.materials[*material as usize];
        let is_solid = matches!(surface, Surface::Solid | Surface::Strands(_));
        let placed = corners.map(|corner| seen[corner as usize]);
        let is_closed = is_solid && sides == Sides::Front;
        match texture.filter(|painted| painted.cutoff > 0.0) {
            None => shadows.add(placed, is_closed),
            Some(Painted { index, cutoff }) => {
                let places = corners.map(|corner| mesh.vertices[corner as usize].grain);
                let texture = &mesh.textures[index];
                // The sun enters through the holes of both sides.
                shadows.add_with_holes(placed, false, &SunHoles { places, texture, cutoff });
            }
        }
    }
    for wire in &mesh.wires {
        let ends = wire.ends.map(|end| camera.from_target(end));
        shadows.add_wire(&Wire { ends, ..*wire });
    }
    shadows.finish();
}

/// Ends and radii of balls and capsules, relative to the target of the camera.
fn capsules(solids: &[ShownSolid], camera: &SpatialCamera) -> Vec<([Single3; 2], f32)> {
    let place = |at: Vec3| single(camera.from_target(at));
    let capsule = |shown: &ShownSolid| match shown.solid {
        Solid::Capsule { a, b, radius } => Some(([place(a), place(b)], radius as f32)),
        _ => None,
    };
    solids.iter().filter_map(capsule).collect()
}

/// Smallest range that contains two ranges of rays.
fn joined(a: SunRange, b: SunRange) -> SunRange {
    [a[0].min(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].max(b[3])]
}
