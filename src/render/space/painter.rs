//! Draws a panel in space: what never changes once, and each frame the tiles that bodies or their
//! shadows touch.

use super::facet::{Facet, facets};
use super::ground::Ground;
use super::light::Light;
use super::mesh::{Material, Mesh, Surface, channels};
use super::part::{Scale, add_part};
use super::shade::Lighting;
use super::shadow::ShadowMap;
use super::solid::add_solid;
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
    behind: [f32; 3],
    ground: Option<Ground>,
    /// Ends and radii of balls and capsules, relative to what the camera looks at.
    capsules: Vec<([[f32; 3]; 2], f32)>,
    /// Materials and triangles of what never moves, and the shadows of colliders.
    materials: Vec<Material>,
    fixed: Vec<Facet>,
    fixed_tiles: Vec<Vec<u32>>,
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
    is_touched: Vec<bool>,
    shadows: Option<ShadowMap>,
    tile: Tile,
    row: Vec<[u8; 3]>,
}

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
        for index in 0..grid.count() {
            if !self.fixed_tiles[index].is_empty() {
                self.draw_tile(canvas, &mut buffers, index, &self.shadows);
            }
        }
    }

    /// Draws the parts of bodies at one moment, over what never changes.
    pub fn draw(&self, canvas: &mut Canvas, parts: &[DrawnPart<'_>]) {
        let mut buffers = canvas.take_space();
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
        buffers.is_touched.clear();
        buffers.is_touched.extend(buffers.tiles.iter().map(|tile| !tile.is_empty()));
        if buffers.mesh.triangles.is_empty() {
            return;
        }
        for (touched, has_solids) in buffers.is_touched.iter_mut().zip(&self.has_solids) {
            *touched |= has_solids;
        }
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
            grid.touch(seen.iter().flatten(), &mut buffers.is_touched);
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
        let SpaceBuffers { tile, tiles, facets, mesh, row, .. } = buffers;
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
        for y in 0..area.h {
            Instructions::best().run(ShadeRow {
                lighting: &lighting,
                facets: [&self.fixed, facets],
                materials,
                behind: self.behind,
                tile,
                corner,
                y,
                row: &mut *row,
                width: area.w,
            });
            canvas.put_row([area.x, area.y + y], row);
        }
    }

    /// The eye relative to what it looks at, or the direction to it where there is no perspective.
    fn eye(&self) -> [f32; 3] {
        let eye = if self.camera.is_perspective() {
            self.camera.from_target(self.camera.eye())
        } else {
            self.camera.to_eye([0.0; 3])
        };
        eye.map(|value| value as f32)
    }
}

/// Gives the pixels of one row of a tile their colours.
struct ShadeRow<'a> {
    lighting: &'a Lighting<'a>,
    /// What never moves, and what moves.
    facets: [&'a [Facet]; 2],
    materials: &'a [Material],
    behind: [f32; 3],
    tile: &'a Tile,
    corner: [i32; 2],
    y: i32,
    row: &'a mut Vec<[u8; 3]>,
    width: i32,
}

impl NullaryFnOnce for ShadeRow<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.row.clear();
        for x in 0..self.width {
            let seen = self.tile.pixel(x as usize, self.y as usize);
            let color = self.pixel(seen, [self.corner[0] + x, self.corner[1] + self.y]);
            self.row.push(color.map(|channel| (channel.clamp(0.0, 1.0) * 255.0 + 0.5) as u8));
        }
    }
}

impl ShadeRow<'_> {
    /// The colour of a pixel: each triangle counts by the samples in which it is seen.
    #[inline(always)]
    fn pixel(&self, seen: &[u32; SAMPLES], at: [i32; 2]) -> [f32; 3] {
        let mut sum = [0.0_f32; 3];
        let mut left = [true; SAMPLES];
        for s in 0..SAMPLES {
            if !left[s] {
                continue;
            }
            let (mut count, mut middle) = (0.0_f32, [0.0_f32; 2]);
            for other in s..SAMPLES {
                if seen[other] == seen[s] {
                    left[other] = false;
                    count += 1.0;
                    for axis in 0..2 {
                        middle[axis] += OFFSETS_SINGLE[other][axis];
                    }
                }
            }
            let share = count / SAMPLES as f32;
            let color = if seen[s] == NOTHING {
                self.behind
            } else {
                let at = [0, 1].map(|axis| at[axis] as f32 + 0.5 + middle[axis] / count);
                self.color(seen[s], at)
            };
            for k in 0..3 {
                sum[k] += share * color[k].clamp(0.0, 1.0);
            }
        }
        sum
    }

    /// The colour of a triangle at a point, over what is behind everything.
    #[inline(always)]
    fn color(&self, number: u32, at: [f32; 2]) -> [f32; 3] {
        let [fixed, moving] = self.facets;
        let number = number as usize;
        let facet = if number < fixed.len() { &fixed[number] } else { &moving[number - fixed.len()] };
        let material = &self.materials[facet.material as usize];
        let (color, share) = self.lighting.color(facet, material, at);
        [0, 1, 2].map(|k| self.behind[k] + (color[k] - self.behind[k]) * share)
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

/// The tiles of a rectangle of the picture, row by row.
struct TileGrid(Rect);

impl TileGrid {
    fn across(&self) -> usize {
        (self.0.w.max(0) as usize).div_ceil(TILE)
    }

    fn count(&self) -> usize {
        self.across() * (self.0.h.max(0) as usize).div_ceil(TILE)
    }

    /// The pixels of a tile.
    fn tile(&self, index: usize) -> Rect {
        let (row, column) = (index / self.across(), index % self.across());
        let (x, y) = (self.0.x + (column * TILE) as i32, self.0.y + (row * TILE) as i32);
        Rect { x, y, w: TILE as i32, h: TILE as i32 }.intersect(self.0)
    }

    /// Calls `take` with each tile that pixels from first to last column and row touch.
    fn each(&self, [first, last, top, bottom]: [i32; 4], mut take: impl FnMut(usize)) {
        let side = TILE as i32;
        for row in (top - self.0.y) / side..=(bottom - self.0.y) / side {
            for column in (first - self.0.x) / side..=(last - self.0.x) / side {
                take(row as usize * self.across() + column as usize);
            }
        }
    }

    /// Adds the number of each triangle to the tiles that it may touch.
    fn sort(&self, facets: &[Facet], tiles: &mut [Vec<u32>]) {
        for (number, facet) in facets.iter().enumerate() {
            self.each(facet.pixels, |tile| tiles[tile].push(number as u32));
        }
    }

    /// Marks the tiles around some points, each with a distance in pixels.
    fn touch<'a>(&self, points: impl Iterator<Item = &'a [f64; 3]> + Clone, is_touched: &mut [bool]) {
        let least = |axis: usize| {
            points.clone().fold(f64::INFINITY, |low, at| low.min(at[axis] - at[2])) as i32
        };
        let most = |axis: usize| {
            points.clone().fold(f64::NEG_INFINITY, |top, at| top.max(at[axis] + at[2])) as i32
        };
        let Rect { x, y, .. } = self.0;
        let pixels = [
            least(0).max(x),
            most(0).min(self.0.right() - 1),
            least(1).max(y),
            most(1).min(self.0.bottom() - 1),
        ];
        if pixels[0] <= pixels[1] && pixels[2] <= pixels[3] {
            self.each(pixels, |tile| is_touched[tile] = true);
        }
    }
}

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
fn capsules(solids: &[Solid], camera: &SpatialCamera) -> Vec<([[f32; 3]; 2], f32)> {
    let single = |at: Vec3| camera.from_target(at).map(|value| value as f32);
    let capsule = |solid: &Solid| match *solid {
        Solid::Capsule { a, b, radius } => Some(([single(a), single(b)], radius as f32)),
        _ => None,
    };
    solids.iter().filter_map(capsule).collect()
}
