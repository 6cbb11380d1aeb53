//! Painter of a panel in space. Fixed objects are drawn once, and each frame only draws the tiles
//! that bodies or their shadows touch.

use super::facet::{Facet, facets};
use super::fixed::{CELLS, FixedObjects, Surroundings, cast};
use super::light::Light;
use super::mesh::channels;
use super::part::{PixelScale, add_part, add_trail};
use super::pixels::ShadeTile;
use super::rig::add_rig;
use super::shade::Lighting;
use super::shadow::{ShadowMap, SunRange};
use super::single::{Single3, mixed, single};
use super::solid::add_shown;
use super::visibility::{SAMPLES, TILE, Tile, TileGrid, Uncut};
use crate::band::Band;
use crate::camera::SpatialCamera;
use crate::canvas::Canvas;
use crate::panel_objects::PanelObjects;
use crate::rect::Rect;
use crate::space::buffers::{SpaceBuffers, TileBuffers};
use crate::vector::{norm, sub};
use catena_scene::{Lens, Viewpoint};
use catena_sim::instructions::Instructions;

/// Distance from the target of the camera within which objects cast shadows, relative to the size
/// of the view at the target.
const SHADOWED: f64 = 2.5;

/// Draws one panel in space.
pub struct SpacePainter {
    camera: SpatialCamera,
    clip: Rect,
    /// Pixels per length at the target of the camera.
    scale: f64,
    light: Light,
    /// Distance from the target within which objects cast shadows, and length of a pixel at the
    /// target.
    shadowed: [f64; 2],
    /// Background colours at the top and at the bottom.
    background: [Single3; 2],
    /// Colour that the edges of skins tend to.
    edge: Single3,
    fixed: FixedObjects,
}

impl SpacePainter {
    /// Painter of a panel, seen from a viewpoint in a rectangle of the picture.
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
        let light = Light::new(crate::vector::unit(up), around.light);
        let scale = camera.scale(distance);
        let shadowed = [reach, 1.0 / scale];
        let fixed = FixedObjects::new(around, viewpoint.target, &camera, clip, light, shadowed);
        let background = around.background.map(channels);
        // Edges are dark on a light background, and light on a dark background.
        let is_light = background.as_flattened().iter().sum::<f32>() > 3.0;
        let edge = if is_light { [0.2, 0.22, 0.26] } else { [0.8, 0.82, 0.86] };
        Self { camera, clip, scale, light, shadowed, background, edge, fixed }
    }

    /// Camera of the panel.
    pub fn camera(&self) -> &SpatialCamera {
        &self.camera
    }

    /// Pixels per length at the target of the camera.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Rectangle of the panel in the picture.
    pub(super) fn clip(&self) -> Rect {
        self.clip
    }

    /// Triangles of the objects that never move.
    pub(super) fn fixed_facets(&self) -> &[Facet] {
        &self.fixed.facets
    }

    /// Draws the background.
    pub fn draw_backdrop(&self, canvas: &mut Canvas) {
        for y in self.clip.y..self.clip.bottom() {
            let row = vec![bytes(self.background(y)); self.clip.w.max(0) as usize];
            canvas.put_row([self.clip.x, y], &row);
        }
    }

    /// Draws the background and the fixed objects.
    pub fn draw_surroundings(&self, canvas: &mut Canvas) {
        self.draw_backdrop(canvas);
        let (buffers, shadows) = (SpaceBuffers::default(), ShadowMap::new(self.light));
        let is_touched: Vec<bool> = self.fixed.tiles.iter().map(|tile| !tile.is_empty()).collect();
        self.draw_tiles(canvas, &buffers, &is_touched, &shadows);
    }

    /// Draws the objects of one frame over the fixed ones. `ink` is the default colour of
    /// colliders. `skin` is the one translucent skin to draw: the index of a rig, and of a skin of
    /// that rig.
    pub fn draw(
        &self,
        canvas: &mut Canvas,
        objects: PanelObjects<'_>,
        ink: [f32; 3],
        skin: Option<[usize; 2]>,
    ) {
        let PanelObjects { parts, trails, rigs, moving, .. } = objects;
        let mut buffers = canvas.take_space();
        let mut shadows = buffers.shadows.take().unwrap_or_else(|| ShadowMap::new(self.light));
        buffers.mesh.clear();
        buffers.mesh.materials.extend_from_slice(&self.fixed.materials);
        let scale = PixelScale { camera: &self.camera, at_target: self.scale };
        for part in parts {
            add_part(&mut buffers.mesh, part, scale);
        }
        for trail in trails {
            add_trail(&mut buffers.mesh, trail, scale);
        }
        for shown in moving {
            add_shown(&mut buffers.mesh, shown, ink, &self.camera);
        }
        for (index, rig) in rigs.iter().enumerate() {
            let translucent = skin.filter(|[rig, _]| *rig == index).map(|[_, skin]| skin);
            add_rig(&mut buffers.mesh, rig, translucent);
        }
        buffers.facets.clear();
        let SpaceBuffers { mesh, facets: seen, .. } = &mut buffers;
        rayon::join(
            || facets(mesh, &self.camera, self.clip, seen),
            || cast(mesh, &self.camera, self.light, self.shadowed, &mut shadows),
        );
        self.find_tiles(&mut buffers, &shadows);
        self.draw_tiles(canvas, &buffers, &buffers.is_touched, &shadows);
        buffers.shadows = Some(shadows);
        canvas.give_space(buffers);
    }

    /// Draws tiles on all threads, each of them a row of tiles at a time.
    fn draw_tiles(
        &self,
        canvas: &mut Canvas,
        frame: &SpaceBuffers,
        is_touched: &[bool],
        shadows: &ShadowMap,
    ) {
        let grid = TileGrid(self.clip);
        canvas.draw_bands(self.clip, TILE, |row, band| {
            let tiles = grid.row(row);
            if !is_touched[tiles.clone()].contains(&true) {
                return;
            }
            let mut buffers = frame.tile_buffers.take();
            for index in tiles.filter(|index| is_touched[*index]) {
                self.shade_tile(frame, &mut buffers, index, shadows);
                put_tile(band, grid.tile(index), &mut buffers);
            }
            frame.tile_buffers.give_back(buffers);
        });
    }

    /// Finds the tiles that bodies or their shadows touch.
    fn find_tiles(&self, buffers: &mut SpaceBuffers, shadows: &ShadowMap) {
        let grid = TileGrid(self.clip);
        buffers.tiles.iter_mut().for_each(Vec::clear);
        buffers.tiles.resize_with(grid.count(), Vec::new);
        grid.sort(&buffers.facets, &mut buffers.tiles);
        buffers.is_unchanged.clear();
        let is_unchanged = |rays: &Option<SunRange>| rays.is_none_or(|rays| !shadows.reaches(rays));
        buffers.is_unchanged.extend(self.fixed.cells.iter().map(is_unchanged));
        buffers.is_touched.clear();
        let cells = buffers.is_unchanged.chunks_exact(CELLS * CELLS);
        let tiles = buffers.tiles.iter().zip(cells);
        let is_touched = tiles.map(|(tile, cells)| !tile.is_empty() || cells.contains(&false));
        buffers.is_touched.extend(is_touched);
    }

    /// Background colour of a row of the picture.
    fn background(&self, y: i32) -> Single3 {
        let share = ((y - self.clip.y) as f32 + 0.5) / self.clip.h.max(1) as f32;
        mixed(self.background[0], self.background[1], share)
    }

    /// Computes the colours of the pixels in one tile, with the shadows of moving objects.
    fn shade_tile(
        &self,
        frame: &SpaceBuffers,
        buffers: &mut TileBuffers,
        index: usize,
        shadows: &ShadowMap,
    ) {
        let SpaceBuffers { tiles, facets, mesh, is_unchanged, .. } = frame;
        let TileBuffers { tile, nearness, fragments, pixels, bytes, is_shown } = buffers;
        let area = TileGrid(self.clip).tile(index);
        let moving = tiles.get(index).map_or(&[][..], |moving| moving);
        let whole = self.fixed.whole[index].filter(|_| moving.is_empty());
        let tile: &Tile = match &self.fixed.seen[index] {
            Some(seen) if moving.is_empty() => seen,
            _ if whole.is_some() => tile,
            seen => {
                match seen {
                    Some(seen) => tile.copy(seen),
                    None => {
                        tile.clear();
                        let fixed = &self.fixed;
                        tile.add([area.x, area.y], &fixed.facets, &fixed.tiles[index], 0);
                    }
                }
                self.add_moving(tile, nearness, frame, [area.x, area.y], moving);
                tile
            }
        };
        let materials =
            if mesh.materials.is_empty() { &self.fixed.materials } else { &mesh.materials };
        let mut background = [[0.0; 3]; TILE];
        (0..).zip(&mut background).for_each(|(y, ink)| *ink = self.background(area.y + y));
        let lighting = Lighting { textures: &mesh.textures, ..self.lighting(shadows, &background) };
        let mut cells = [false; CELLS * CELLS];
        if let Some(known) = is_unchanged.get(index * CELLS * CELLS..) {
            known.iter().zip(&mut cells).for_each(|(known, cell)| *cell = *known);
        }
        Instructions::best().run(ShadeTile {
            lighting: &lighting,
            facets: [&self.fixed.facets, facets],
            materials,
            tile,
            whole,
            area,
            fragments,
            pixels,
            bytes,
            is_shown,
            is_unchanged: &cells,
        });
    }

    /// Adds the triangles of moving objects to a tile whose first pixel is `corner`.
    fn add_moving(
        &self,
        tile: &mut Tile,
        nearness: &mut Vec<[f32; SAMPLES]>,
        SpaceBuffers { facets, mesh, .. }: &SpaceBuffers,
        corner: [i32; 2],
        moving: &[u32],
    ) {
        let base = self.fixed.facets.len() as u32;
        let is_past =
            |number: &u32| mesh.materials[facets[*number as usize].material as usize].is_past;
        // Earlier positions come first.
        let (past, now) = moving.split_at(moving.partition_point(is_past));
        if !past.is_empty() {
            tile.keep_nearness(nearness);
            tile.add(corner, facets, past, base);
            tile.restore_nearness(nearness);
        }
        let is_perspective = self.camera.is_perspective();
        let all = Uncut { facets, holes: Some(mesh), is_perspective };
        tile.add_with_holes(corner, all, now, base);
    }

    /// Light, shadows and background of a tile: shadows of moving objects, and a colour per row.
    fn lighting<'a>(
        &'a self,
        shadows: &'a ShadowMap,
        background: &'a [Single3; TILE],
    ) -> Lighting<'a> {
        Lighting {
            light: &self.light,
            shadows: [&self.fixed.shadows, shadows],
            capsules: &self.fixed.capsules,
            ground: self.fixed.ground.as_ref(),
            eye: self.eye(),
            is_perspective: self.camera.is_perspective(),
            pixel: (1.0 / self.camera.scale(1.0)) as f32,
            edge: self.edge,
            background,
            textures: &[],
        }
    }

    /// Position of the eye relative to its target, or the direction to the eye without perspective.
    fn eye(&self) -> Single3 {
        let eye = if self.camera.is_perspective() {
            self.camera.from_target(self.camera.eye())
        } else {
            self.camera.to_eye([0.0; 3])
        };
        single(eye)
    }
}

/// Copies the redrawn pixels of a tile into the picture.
fn put_tile(band: &mut Band<'_>, area: Rect, buffers: &mut TileBuffers) {
    for row in 0..area.h as usize {
        let all = row * TILE..row * TILE + area.w as usize;
        let (is_shown, bytes) = (&buffers.is_shown[all.clone()], &mut buffers.bytes[all]);
        let Some(first) = is_shown.iter().position(|is_shown| *is_shown) else { continue };
        let last = is_shown.iter().rposition(|is_shown| *is_shown).unwrap_or(first);
        let (is_shown, bytes) = (&is_shown[first..=last], &mut bytes[first..=last]);
        let (x, y) = (area.x as u32, area.y as u32 + row as u32);
        let span = (x + first as u32, x + last as u32 + 1);
        if is_shown.contains(&false) {
            let there = band.pixels(y, span).iter().zip(is_shown);
            for (known, (there, _)) in
                bytes.iter_mut().zip(there).filter(|(_, (_, shown))| !**shown)
            {
                *known = *there;
            }
        }
        band.put(y, span, bytes);
    }
}

/// Converts channels from 0 to 1 into bytes.
fn bytes(color: Single3) -> [u8; 3] {
    color.map(|channel| (255.0 * channel + 0.5) as u8)
}
