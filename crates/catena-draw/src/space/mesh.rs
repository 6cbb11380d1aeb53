//! Triangles, and what their surfaces are like.

use crate::theme::Ink;
use crate::vector::Vec3;

/// A corner of triangles, and what it says of the surface around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// Its place.
    pub at: Vec3,
    /// The outward normal of length 1; of a sheet, that of its front.
    pub normal: Vec3,
    /// Colour, each channel from 0 to 1.
    pub ink: [f32; 3],
    /// Its place on the surface: on a sheet columns and rows; on a rope the turns of its strands
    /// and the strands around it.
    pub grain: [f64; 2],
    /// On a rope the direction along it; elsewhere zero.
    pub axis: Vec3,
}

impl Vertex {
    /// A corner without grain.
    pub fn plain(at: Vec3, normal: Vec3, ink: [f32; 3]) -> Self {
        Self { at, normal, ink, grain: [0.0; 2], axis: [0.0; 3] }
    }
}

/// What a surface is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// How light falls on it.
    pub surface: Surface,
    /// How strongly it mirrors the light, from 0 to 1.
    pub gloss: f32,
    /// Whether it has no edges of its own: its normals go on from triangle to triangle.
    pub is_smooth: bool,
    /// Whether it throws shadows.
    pub casts: bool,
    /// Which of its sides are seen.
    pub sides: Sides,
    /// Whether it shows where something was: what is there now hides it, wherever it is.
    pub is_past: bool,
}

/// Sides of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sides {
    /// The front alone, as of all that is solid.
    Front,
    /// The back alone, as of the lower layer of a thick sheet.
    Back,
    /// Both.
    Both,
}

impl Sides {
    /// Whether the front is seen, or the back.
    pub fn show(self, is_front: bool) -> bool {
        self == Self::Both || (self == Self::Front) == is_front
    }
}

impl Material {
    /// A surface with edges; what light does not change throws no shadow either.
    pub fn new(surface: Surface, gloss: f32) -> Self {
        let casts = !matches!(surface, Surface::Flat | Surface::Ground);
        let sides = match surface {
            Surface::Solid | Surface::Strands(_) | Surface::Skin(_) => Sides::Front,
            Surface::Sheet(_) | Surface::Flat | Surface::Ground => Sides::Both,
        };
        Self { surface, gloss, is_smooth: false, casts, sides, is_past: false }
    }

    /// The same without edges.
    pub fn smooth(surface: Surface, gloss: f32) -> Self {
        Self { is_smooth: true, ..Self::new(surface, gloss) }
    }
}

/// How light falls on a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Surface {
    /// The outside of something solid.
    Solid,
    /// A rope of so many strands.
    Strands(f32),
    /// Both sides of a sheet, with a pattern.
    Sheet(Weave),
    /// A skin with a pattern, through which no light comes.
    Skin(Weave),
    /// A colour of its own that no light changes.
    Flat,
    /// The ground, whose colour its place says.
    Ground,
}

/// The pattern of a sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weave {
    /// Its kind.
    pub pattern: catena_scene::Pattern,
    /// Cells from one line of the pattern to the next.
    pub cells: f32,
}

/// Triangles with their corners.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Corners.
    pub vertices: Vec<Vertex>,
    /// Corners of each triangle, counterclockwise as seen from outside or from the front, and the
    /// number of its material.
    pub triangles: Vec<([u32; 3], u16)>,
    /// Materials.
    pub materials: Vec<Material>,
}

impl Mesh {
    /// Forgets everything but its memory.
    pub fn clear(&mut self) {
        self.vertices.clear();
        self.triangles.clear();
        self.materials.clear();
    }

    /// Adds a material and returns its number.
    pub fn add_material(&mut self, material: Material) -> u16 {
        if let Some(known) = self.materials.iter().position(|known| *known == material) {
            return known as u16;
        }
        self.materials.push(material);
        (self.materials.len() - 1) as u16
    }

    /// Adds a corner and returns its number.
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

/// The channels of a colour, each from 0 to 1.
pub fn channels(ink: Ink) -> [f32; 3] {
    ink.0.map(|channel| f32::from(channel) / 255.0)
}
