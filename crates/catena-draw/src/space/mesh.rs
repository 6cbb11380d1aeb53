//! Triangle meshes and their materials.

use crate::theme::Ink;
use crate::vector::Vec3;
use catena_scene::gltf::Texture;
use std::sync::Arc;

/// Corner of triangles, with attributes of the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// Position.
    pub at: Vec3,
    /// Outward unit normal; for a sheet, the normal of its front.
    pub normal: Vec3,
    /// Colour, with each channel from 0 to 1.
    pub ink: [f32; 3],
    /// Coordinates on the surface: columns and rows on a sheet; turns along a rope and around it;
    /// the position in a texture.
    pub grain: [f64; 2],
    /// Direction along a rope; zero for other surfaces.
    pub axis: Vec3,
    /// Depth of a fold, relative to the distance of nodes: positive in a valley of the front,
    /// negative on a ridge. 0 for surfaces other than cloth.
    pub crease: f64,
}

impl Vertex {
    /// Corner without surface coordinates.
    pub fn plain(at: Vec3, normal: Vec3, ink: [f32; 3]) -> Self {
        Self { at, normal, ink, grain: [0.0; 2], axis: [0.0; 3], crease: 0.0 }
    }
}

/// Material of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Kind of surface, which determines its shading.
    pub surface: Surface,
    /// Strength of reflections, from 0 to 1.
    pub gloss: f32,
    /// Whether the surface is smooth: its normals are continuous across triangles.
    pub is_smooth: bool,
    /// Whether it casts shadows.
    pub casts: bool,
    /// Visible sides.
    pub sides: Sides,
    /// Whether it shows an earlier position of an object. Current objects always cover it.
    pub is_past: bool,
    /// Texture that multiplies the colours of the corners.
    pub texture: Option<Painted>,
}

/// Texture of a material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Painted {
    /// Index among the textures of the mesh.
    pub index: usize,
    /// Opacity of the texture below which the surface has holes; 0 for no holes.
    pub cutoff: f32,
}

/// Visible sides of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sides {
    /// Front only, as for solids.
    Front,
    /// Back only, as for the lower layer of a thick sheet.
    Back,
    /// Both sides.
    Both,
}

impl Sides {
    /// Whether the front (or the back, if `is_front` is false) is visible.
    pub fn show(self, is_front: bool) -> bool {
        self == Self::Both || (self == Self::Front) == is_front
    }
}

impl Material {
    /// Material with edges. Surfaces that ignore light cast no shadow.
    pub fn new(surface: Surface, gloss: f32) -> Self {
        let casts = !matches!(surface, Surface::Flat | Surface::Ground);
        let sides = match surface {
            Surface::Solid | Surface::Strands(_) | Surface::Skin(_) => Sides::Front,
            Surface::Sheet(_) | Surface::Flat | Surface::Ground => Sides::Both,
        };
        Self { surface, gloss, is_smooth: false, casts, sides, is_past: false, texture: None }
    }

    /// Whether adjacent pixels can be shaded together. The colours of textures and strands are
    /// computed pixel by pixel.
    #[inline(always)]
    pub fn forms_runs(&self) -> bool {
        self.texture.is_none() && !matches!(self.surface, Surface::Strands(_))
    }

    /// Material without edges.
    pub fn smooth(surface: Surface, gloss: f32) -> Self {
        Self { is_smooth: true, ..Self::new(surface, gloss) }
    }
}

/// Kind of surface, which determines its shading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Surface {
    /// Outside of a solid.
    Solid,
    /// Rope with this number of strands.
    Strands(f32),
    /// Both sides of a sheet with a pattern.
    Sheet(Weave),
    /// Skin with a pattern, which is opaque.
    Skin(Weave),
    /// Constant colour, independent of light.
    Flat,
    /// Ground, whose colour depends on the position.
    Ground,
}

/// Pattern of a sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weave {
    /// Kind of pattern.
    pub pattern: catena_scene::Pattern,
    /// Number of cells from one line of the pattern to the next.
    pub cells: f32,
}

/// Triangles with their corners.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Corners.
    pub vertices: Vec<Vertex>,
    /// Corners of each triangle, counterclockwise as seen from outside or from the front, and the
    /// index of its material.
    pub triangles: Vec<([u32; 3], u16)>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Textures of the materials.
    pub textures: Vec<Arc<Texture>>,
    /// Straight pieces of tubes, which cast the shadows of the tubes.
    pub wires: Vec<Wire>,
}

/// A straight piece of a tube.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wire {
    /// Ends of the centre line.
    pub ends: [Vec3; 2],
    /// Diameter.
    pub thickness: f64,
    /// Whether each end is a free end of the tube, which is round.
    pub is_free: [bool; 2],
}

impl Mesh {
    /// Removes everything but keeps the allocated memory.
    pub fn clear(&mut self) {
        self.vertices.clear();
        self.triangles.clear();
        self.materials.clear();
        self.textures.clear();
        self.wires.clear();
    }

    /// Adds a material and returns its index.
    pub fn add_material(&mut self, material: Material) -> u16 {
        if let Some(known) = self.materials.iter().position(|known| *known == material) {
            return known as u16;
        }
        self.materials.push(material);
        (self.materials.len() - 1) as u16
    }

    /// Adds a texture and returns its index.
    pub fn add_texture(&mut self, texture: &Arc<Texture>) -> usize {
        if let Some(known) = self.textures.iter().position(|known| Arc::ptr_eq(known, texture)) {
            return known;
        }
        self.textures.push(Arc::clone(texture));
        self.textures.len() - 1
    }

    /// Adds a corner and returns its index.
    pub fn add(&mut self, vertex: Vertex) -> u32 {
        self.vertices.push(vertex);
        (self.vertices.len() - 1) as u32
    }

    /// Adds a triangle.
    pub fn triangle(&mut self, corners: [u32; 3], material: u16) {
        self.triangles.push((corners, material));
    }

    /// Adds a quadrilateral as two triangles.
    pub fn quadrilateral(&mut self, [a, b, c, d]: [u32; 4], material: u16) {
        self.triangle([a, b, c], material);
        self.triangle([a, c, d], material);
    }
}

/// Channels of a colour, each from 0 to 1.
pub fn channels(ink: Ink) -> [f32; 3] {
    ink.0.map(|channel| f32::from(channel) / 255.0)
}
