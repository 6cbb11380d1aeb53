//! Estimates the size of an export before it is made.

use super::contents::{Contents, Shape};
use super::format::ExportFormat;
use super::outline::Outline;
use super::recording::Presence;
use super::tube::Tubes;
use crate::export::writer::RopeForm;

/// Approximate cost of one exported frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weight {
    /// Size of a frame in bytes.
    pub frame_bytes: u64,
    /// Time to write a frame, in nanoseconds of one core.
    pub frame_work: u64,
}

/// Element counts of a frame.
#[derive(Clone, Copy, Default)]
struct ElementCounts {
    /// Number of vertices, and number of vertices with normals.
    vertices: u64,
    normals: u64,
    /// Number of corners of faces and lines.
    corners: u64,
    nodes: u64,
    springs: u64,
    bones: u64,
    items: u64,
}

/// Estimates the cost of one frame in a format. Breaking springs add slightly to this cost.
pub fn weigh(contents: &Contents, format: ExportFormat, ropes: RopeForm) -> Weight {
    let has_tubes = (format, ropes) == (ExportFormat::Glb, RopeForm::Tube);
    let is_baked = matches!(format, ExportFormat::Vtp | ExportFormat::Obj);
    let mut all = ElementCounts::default();
    for body in contents.bodies() {
        all.nodes += body.nodes as u64;
        all.springs += body.springs.len() as u64;
        for item in &body.items {
            all.add_item(item, has_tubes);
            match &item.shape {
                Shape::Solid(solid) if is_baked => all.add_baked(&solid.mesh.sizes()),
                Shape::Solid(_) => all.bones += 1,
                _ => {}
            }
        }
        for figure in &body.figures {
            all.items += 1;
            all.bones += figure.skeleton.len() as u64;
            for mesh in figure.meshes.iter().filter(|_| is_baked) {
                all.add_baked(&[mesh.points.len(), mesh.triangles.len()]);
            }
        }
    }
    let ElementCounts { vertices, normals, corners, nodes, springs, bones, items } = all;
    // Bytes per number as text, per vertex and so on, measured on the files of scenes/.
    let (bytes, nanoseconds) = match format {
        ExportFormat::Glb => (12 * (vertices + normals) + 40 * bones + 400 * items, 4),
        ExportFormat::Usda => (38 * (vertices + normals) + 120 * bones + 120 * items, 6),
        ExportFormat::Vtp => (81 * nodes + 60 * springs + 16 * corners + 2500, 1),
        ExportFormat::Obj => (60 * (vertices + normals) + 12 * corners + 40 * items, 6),
    };
    // All values are recorded first, and read back.
    let recorded = 8 * (6 * nodes + 2 * springs + 22 * bones);
    Weight { frame_bytes: bytes, frame_work: nanoseconds * bytes + recorded }
}

impl ElementCounts {
    /// Adds a mesh whose points are written in each frame, by its numbers of points and triangles.
    fn add_baked(&mut self, sizes: &[usize; 2]) {
        let [points, triangles] = sizes.map(|count| count as u64);
        self.vertices += points;
        self.normals += points;
        self.nodes += points;
        self.corners += 3 * triangles;
    }

    fn add_item(&mut self, item: &super::contents::Item, has_tubes: bool) {
        self.items += 1;
        let outline = Outline::of(item, &Presence::default());
        let vertices = match item.shape {
            Shape::Lines { diameter, are_ropes, .. } if has_tubes => {
                let tubes = Tubes::new(&outline, 0.5 * diameter, are_ropes).vertices() as u64;
                self.normals += tubes;
                tubes
            }
            Shape::Lines { .. } => outline.vertices.len() as u64,
            Shape::Mesh { .. } => {
                self.normals += outline.vertices.len() as u64;
                outline.vertices.len() as u64
            }
            Shape::Solid(_) => 0,
        };
        self.vertices += vertices;
        let faces = outline.faces.iter().map(|face| face.len() as u64).sum::<u64>();
        let lines = outline.strands.iter().map(|strand| strand.count as u64).sum::<u64>();
        self.corners += faces + lines;
    }
}
