//! Wavefront OBJ: one file per frame, with an object per item and a group per panel.
//!
//! Numbers are written with full precision. Elements that are absent in a frame are omitted.

use super::contents::{Group, IndexedBody, Item, Shape};
use super::normals::{add_normals, unit_or_any};
use super::outline::Outline;
use super::recording::Presence;
use super::solids::{RigidMotion, SolidMesh};
use crate::export::morphs::SkinnedMesh;
use crate::export::writer::{ExportError, Files, WriterInput};
use catena_base::text::printable;
use catena_sim::{
    glam::{DAffine3, DVec3},
    rig::Skinning,
    vector::Vec3,
};
use std::{collections::BTreeMap, fmt::Write as _};

/// Writes a folder of files.
pub(super) fn write(input: &mut WriterInput<'_>, files: &mut dyn Files) -> Result<(), ExportError> {
    for (frame, number) in input.contents.frames.clone().enumerate() {
        input.check_interruption()?;
        let mut text = Object::default();
        let (contents, mut index) = (input.contents, 0);
        for group in &contents.groups {
            for body in &group.bodies {
                text.add_body(input, group, IndexedBody { index, body }, frame)?;
                index += 1;
            }
        }
        let name = format!("frame_{number:05}.obj");
        files.write_file(&name, &mut |out| Ok(out.write_all(text.text.as_bytes())?))?;
    }
    Ok(())
}

/// Text of a frame, and the number of positions and normals written so far.
#[derive(Default)]
struct Object {
    text: String,
    places: usize,
    normals: usize,
}

impl Object {
    fn add_body(
        &mut self,
        input: &mut WriterInput<'_>,
        group: &Group,
        owner: IndexedBody<'_>,
        frame: usize,
    ) -> Result<(), ExportError> {
        let (contents, body) = (input.contents, owner.body);
        let presence = &input.recording.presences()[owner.index];
        let moment = input.recording.moment(owner, frame)?;
        let mut nodes = Vec::new();
        moment.read_places(&mut nodes);
        let motions: Vec<_> = (0..body.items.len())
            .map(|index| body.items[index].solid().map(|_| moment.rigid_motion(index)))
            .collect();
        for (item, motion) in body.items.iter().zip(motions) {
            self.begin(group, &contents.full_name(group, &item.name));
            match (item.solid(), motion) {
                (Some(solid), Some(motion)) => self.add_solid(&solid.mesh, &motion),
                _ => self.add_item(item, &nodes, presence, frame),
            }
        }
        for (place, figure) in body.figures.iter().enumerate() {
            let world = figure.world(input.recording.moment(owner, frame)?.bones(place));
            for mesh in &figure.meshes {
                self.begin(group, &contents.full_name(group, &mesh.name));
                let points = mesh.shape_at(contents.time_of(frame)).points;
                self.add_skinned(mesh, &points, &world, figure.skinning);
            }
        }
        Ok(())
    }

    /// Writes the header of an item.
    fn begin(&mut self, group: &Group, name: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "o {}\ng {}", word(name), word(&group.name));
    }

    fn add_item(&mut self, item: &Item, nodes: &[Vec3], presence: &Presence, frame: usize) {
        // Positions are ordered by node index, since an item may use only some nodes.
        let order: BTreeMap<usize, usize> = match &item.shape {
            Shape::Lines { lines, .. } => numbered(lines.iter().flat_map(|it| &it.nodes)),
            Shape::Mesh { faces } => numbered(faces.iter().flat_map(super::contents::Face::nodes)),
            Shape::Solid(_) => return,
        };
        let places: Vec<Vec3> = order.keys().map(|node| nodes[*node]).collect();
        self.write_vectors("v", &places);
        match &item.shape {
            Shape::Lines { .. } => {
                let outline = Outline::of(item, presence);
                let attendance = outline.attendance(presence, frame);
                for strand in &outline.strands {
                    if outline.has_strand(strand, &attendance) {
                        let run = strand.first..strand.first + strand.count;
                        let mut run: Vec<usize> =
                            run.map(|i| order[&outline.vertices[i].node]).collect();
                        run.extend(run.first().copied().filter(|_| strand.is_closed));
                        self.write_line(&run);
                    }
                }
            }
            Shape::Mesh { faces } => {
                let whole: Vec<Vec<usize>> = faces
                    .iter()
                    .filter(|face| presence.are_there(face.springs(), frame))
                    .map(|face| face.nodes().iter().map(|node| order[node]).collect())
                    .collect();
                let mut sums = Vec::new();
                add_normals(whole.iter().map(|face| &face[..]), &places, &mut sums);
                let normals: Vec<Vec3> = sums.into_iter().map(unit_or_any).collect();
                self.write_vectors("vn", &normals);
                whole.iter().for_each(|face| self.write_face(face));
                self.normals += normals.len();
            }
            Shape::Solid(_) => {}
        }
        self.places += places.len();
    }

    fn add_solid(&mut self, mesh: &SolidMesh, motion: &RigidMotion) {
        self.write_vectors("v", &motion.points(&mesh.points));
        self.write_vectors("vn", &motion.directions(&mesh.normals));
        mesh.triangles.iter().for_each(|triangle| self.write_face(triangle));
        self.places += mesh.points.len();
        self.normals += mesh.normals.len();
    }

    fn add_skinned(
        &mut self,
        mesh: &SkinnedMesh,
        points: &[DVec3],
        world: &[DAffine3],
        skinning: Skinning,
    ) {
        let (places, normals) = mesh.posed(points, world, skinning);
        self.write_vectors("v", &places);
        self.write_vectors("vn", &normals);
        mesh.outward(world).for_each(|triangle| self.write_face(&triangle));
        self.places += places.len();
        self.normals += normals.len();
    }

    fn write_vectors(&mut self, kind: &str, vectors: &[Vec3]) {
        for [x, y, z] in vectors {
            let _ = writeln!(self.text, "{kind} {x:?} {y:?} {z:?}");
        }
    }

    /// Writes a line through positions of the item. Indices in a file start at 1.
    fn write_line(&mut self, run: &[usize]) {
        self.text.push('l');
        for place in run {
            let _ = write!(self.text, " {}", self.places + place + 1);
        }
        self.text.push('\n');
    }

    fn write_face(&mut self, corners: &[usize]) {
        self.text.push('f');
        for corner in corners {
            let [place, normal] = [self.places, self.normals].map(|before| before + corner + 1);
            let _ = write!(self.text, " {place}//{normal}");
        }
        self.text.push('\n');
    }
}

/// Ranks of the nodes in index order.
fn numbered<'a>(nodes: impl Iterator<Item = &'a usize>) -> BTreeMap<usize, usize> {
    let mut order: BTreeMap<usize, usize> = nodes.map(|node| (*node, 0)).collect();
    order.values_mut().enumerate().for_each(|(index, place)| *place = index);
    order
}

/// Converts a name into a single word.
fn word(name: &str) -> String {
    let plain = printable::line(name);
    plain.split_whitespace().collect::<Vec<_>>().join("_")
}
