//! XML PolyData of VTK: one file per frame, and a list of them with their times.
//!
//! All nodes of all bodies are points, in the same order as in a trace and bit-identical to it; the
//! points of figures and rigid bodies follow. Springs of ropes and nets are lines, facets are
//! polygons. Broken springs and torn facets are omitted. Numbers follow the XML as raw data.
//! Source: Kitware, "VTK File Formats".

use super::contents::{ExportedBody, IndexedBody, IndexedFigure, Shape};
use super::recording::{Presence, Recording};
use super::solids::{RigidMotion, SolidMesh};
use crate::export::writer::{ExportError, Files, WriterInput};
use catena_base::text::markup;
use catena_sim::{
    glam::DAffine3,
    vector::{Vec3, norm},
};
use std::{fmt::Write as _, io};

/// Writes a folder of files.
pub(super) fn write(input: &mut WriterInput<'_>, files: &mut dyn Files) -> Result<(), ExportError> {
    let name = &input.contents.name;
    let mut list = String::from(concat!(
        "<?xml version=\"1.0\"?>\n",
        "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n  <Collection>\n"
    ));
    for (frame, number) in input.contents.frames.clone().enumerate() {
        input.check_interruption()?;
        let time = number as f64 * input.contents.frame_time;
        let bytes = FrameData::read(input, frame)?.file(time);
        let file = format!("frame_{number:05}.vtp");
        let line =
            format!("    <DataSet timestep=\"{time:?}\" group=\"\" part=\"0\" file=\"{file}\"/>\n");
        list += &line;
        files.write_file(&file, &mut |out| Ok(out.write_all(&bytes)?))?;
    }
    list += "  </Collection>\n</VTKFile>\n";
    files.write_file(&format!("{name}.pvd"), &mut |out| Ok(out.write_all(list.as_bytes())?))
}

/// Data of a frame.
#[derive(Default)]
struct FrameData {
    points: Vec<Vec3>,
    velocities: Vec<Vec3>,
    pinned: Vec<u8>,
    /// Panel, body and node of each point; points of figures and rigid bodies have the node -1.
    owners: Vec<[i32; 3]>,
    lines: VtpCells,
    polygons: VtpCells,
    /// Whether the tension of all springs is known.
    knows_tension: bool,
}

impl FrameData {
    fn read(input: &mut WriterInput<'_>, frame: usize) -> Result<Self, ExportError> {
        let contents = input.contents;
        let mut all = Self {
            knows_tension: contents.bodies().all(|body| body.knows_tension),
            ..Self::default()
        };
        let (mut places, mut velocities) = (Vec::new(), Vec::new());
        for (index, body) in contents.bodies().enumerate() {
            let presence = &input.recording.presences()[index];
            let moment = input.recording.moment(IndexedBody { index, body }, frame)?;
            moment.read_places(&mut places);
            moment.read_velocities(&mut velocities);
            let springs = BodySprings {
                first: all.points.len(),
                place: body.place.map(|number| number as i32),
                strains: moment.strains(),
                tensions: moment.tensions(),
                presence: (presence, frame),
            };
            all.lines.add_lines(body, &springs);
            all.polygons.add_faces(body, &springs);
            all.pinned.extend(moment.pins().map(u8::from));
            let [panel, number] = springs.place;
            all.owners.extend((0..body.nodes).map(|node| [panel, number, node as i32]));
            all.points.append(&mut places);
            all.velocities.append(&mut velocities);
        }
        for (index, body) in contents.bodies().enumerate() {
            let owner = IndexedBody { index, body };
            for place in 0..body.figures.len() {
                let t = contents.time_of(frame);
                all.add_figure(input.recording, IndexedFigure { owner, place }, frame, t)?;
            }
            let moment = input.recording.moment(owner, frame)?;
            for (part, item) in body.items.iter().enumerate() {
                if let Some(solid) = item.solid() {
                    all.add_solid(&solid.mesh, &moment.rigid_motion(part), body, part);
                }
            }
        }
        Ok(all)
    }

    /// Adds the meshes of a figure at a frame, which has the time `t`.
    fn add_figure(
        &mut self,
        recording: &mut Recording,
        source: IndexedFigure<'_>,
        frame: usize,
        t: f64,
    ) -> io::Result<()> {
        let (figure, IndexedFigure { owner, place }) = (source.figure(), source);
        let body = owner.body;
        let moment = recording.moment(owner, frame)?;
        let (world, rates): (Vec<DAffine3>, _) =
            (figure.world(moment.bones(place)), moment.rates(place));
        for (part, mesh) in figure.meshes.iter().enumerate() {
            let first = self.points.len();
            let owner = body.place.map(|number| number as i32);
            let part = (body.items.len() + part) as i32;
            for triangle in mesh.outward(&world) {
                let corners = triangle.map(|corner| first + corner);
                self.polygons.add(&corners, [owner[0], owner[1], part], [0.0; 2]);
            }
            let shape = mesh.shape_at(t);
            let points = mesh.posed(&shape.points, &world, figure.skinning).0;
            self.pinned.extend(points.iter().map(|_| 0));
            self.owners.extend(points.iter().map(|_| [owner[0], owner[1], -1]));
            self.points.extend(points);
            self.velocities.extend(mesh.velocities(&shape, &world, &rates, figure.skinning));
        }
        Ok(())
    }

    /// Adds a rigid body at a frame, the item `part` of its body.
    fn add_solid(
        &mut self,
        mesh: &SolidMesh,
        motion: &RigidMotion,
        body: &ExportedBody,
        part: usize,
    ) {
        let first = self.points.len();
        let [panel, number] = body.place.map(|number| number as i32);
        for triangle in &mesh.triangles {
            let corners = triangle.map(|corner| first + corner);
            self.polygons.add(&corners, [panel, number, part as i32], [0.0; 2]);
        }
        self.pinned.extend(mesh.points.iter().map(|_| 0));
        self.owners.extend(mesh.points.iter().map(|_| [panel, number, -1]));
        self.points.extend(motion.points(&mesh.points));
        self.velocities.extend(motion.velocities(&mesh.points));
    }

    /// Bytes of the file.
    fn file(&self, time: f64) -> Vec<u8> {
        let mut data = Appended::default();
        let cells = [&self.lines, &self.polygons];
        let owners = |column: usize| ints(self.owners.iter().map(move |owner| owner[column]));
        let of_cells = |column: usize| {
            ints(cells.into_iter().flat_map(move |all| all.owners.iter().map(move |it| it[column])))
        };
        let values = |kind: usize| {
            let all = cells.into_iter().flat_map(|all| &all.values);
            floats(all.map(move |values| values[kind]))
        };
        let vectors = |all: &[Vec3]| floats(all.as_flattened().iter().copied());
        let speeds = floats(self.velocities.iter().map(norm));
        data.add_array("Float64", "TimeValue", " NumberOfTuples=\"1\"", floats([time].into_iter()));
        let field = data.take();
        data.add_array("Float64", "Points", THREE, vectors(&self.points));
        let points = data.take();
        data.add_array("Float64", "velocity", THREE, vectors(&self.velocities));
        data.add_array("Float64", "speed", "", speeds);
        data.add_array("UInt8", "pinned", "", self.pinned.clone());
        for (column, name) in ["panel", "body", "node"].into_iter().enumerate() {
            data.add_array("Int32", name, "", owners(column));
        }
        let point_data = data.take();
        data.add_array("Float64", "strain", "", values(0));
        if self.knows_tension {
            data.add_array("Float64", "tension", "", values(1));
        }
        for (column, name) in ["panel", "body", "part"].into_iter().enumerate() {
            data.add_array("Int32", name, "", of_cells(column));
        }
        let cell_data = data.take();
        let [lines, polygons] = cells.map(|cells| {
            data.add_array("Int64", "connectivity", "", longs(&cells.corners));
            data.add_array("Int64", "offsets", "", longs(&cells.ends));
            data.take()
        });
        let mut text = String::from(concat!(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" ",
            "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n  <PolyData>\n"
        ));
        let counts = [self.points.len(), self.lines.ends.len(), self.polygons.ends.len()];
        let _ = write!(
            text,
            "    <FieldData>\n{field}    </FieldData>\n    <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" \
             NumberOfLines=\"{}\" NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n\
             \x20     <Points>\n{points}      </Points>\n\
             \x20     <PointData Vectors=\"velocity\">\n{point_data}      </PointData>\n\
             \x20     <CellData Scalars=\"strain\">\n{cell_data}      </CellData>\n\
             \x20     <Lines>\n{lines}      </Lines>\n      <Polys>\n{polygons}      </Polys>\n\
             \x20   </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n_",
            counts[0], counts[1], counts[2]
        );
        [text.as_bytes(), &data.bytes, b"\n  </AppendedData>\n</VTKFile>\n"].concat()
    }
}

const THREE: &str = " NumberOfComponents=\"3\"";

/// Arrays after the XML, each preceded by its length in bytes.
#[derive(Default)]
struct Appended {
    bytes: Vec<u8>,
    /// XML `DataArray` elements that describe the arrays added since the last [`Appended::take`].
    text: String,
}

impl Appended {
    fn add_array(&mut self, kind: &str, name: &str, more: &str, values: Vec<u8>) {
        let name = markup::escape(name);
        let _ = writeln!(
            self.text,
            "        <DataArray type=\"{kind}\" Name=\"{name}\"{more} format=\"appended\" offset=\"{}\"/>",
            self.bytes.len()
        );
        self.bytes.extend((values.len() as u64).to_le_bytes());
        self.bytes.extend(values);
    }

    fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }
}

fn floats(values: impl Iterator<Item = f64>) -> Vec<u8> {
    values.flat_map(f64::to_le_bytes).collect()
}

fn ints(values: impl Iterator<Item = i32>) -> Vec<u8> {
    values.flat_map(i32::to_le_bytes).collect()
}

fn longs(values: &[usize]) -> Vec<u8> {
    values.iter().flat_map(|value| (*value as i64).to_le_bytes()).collect()
}

/// Cells with their owners and values.
#[derive(Default)]
struct VtpCells {
    /// Point indices of all cells.
    corners: Vec<usize>,
    /// End of each cell in `corners`.
    ends: Vec<usize>,
    /// Panel, body and part of each cell.
    owners: Vec<[i32; 3]>,
    /// Strain and tension of each cell.
    values: Vec<[f64; 2]>,
}

/// Springs of a body in a frame.
struct BodySprings<'a> {
    /// Index of the body's first node among all points.
    first: usize,
    /// Index of the panel, and of the body within it.
    place: [i32; 2],
    strains: &'a [f64],
    tensions: &'a [f64],
    presence: (&'a Presence, usize),
}

impl BodySprings<'_> {
    fn are_there(&self, springs: &[usize]) -> bool {
        let (presence, frame) = self.presence;
        presence.are_there(springs, frame)
    }

    /// Mean strain and mean tension of some springs.
    fn means(&self, springs: &[usize]) -> [f64; 2] {
        [self.strains, self.tensions].map(|values| {
            // Divided first, so that no sum overflows.
            springs.iter().map(|spring| values[*spring] / springs.len() as f64).sum()
        })
    }
}

impl VtpCells {
    /// Adds a cell of an owner, with its values.
    fn add(&mut self, corners: &[usize], owner: [i32; 3], values: [f64; 2]) {
        self.corners.extend(corners);
        self.ends.push(self.corners.len());
        self.owners.push(owner);
        self.values.push(values);
    }

    /// Adds a line per spring of ropes and nets.
    fn add_lines(&mut self, body: &ExportedBody, springs: &BodySprings<'_>) {
        for (part, item) in (0..).zip(&body.items) {
            let Shape::Lines { lines, .. } = &item.shape else { continue };
            let [panel, number] = springs.place;
            for line in lines {
                for (k, spring) in line.springs.iter().enumerate() {
                    if springs.are_there(&[*spring]) {
                        let ends = [line.nodes[k], line.nodes[(k + 1) % line.nodes.len()]];
                        let values = [springs.strains[*spring], springs.tensions[*spring]];
                        let corners = ends.map(|node| springs.first + node);
                        self.add(&corners, [panel, number, part], values);
                    }
                }
            }
        }
    }

    /// Adds the facets of cloth and meshes. Strain and tension are means over their edges.
    fn add_faces(&mut self, body: &ExportedBody, springs: &BodySprings<'_>) {
        for (part, item) in (0..).zip(&body.items) {
            let Shape::Mesh { faces } = &item.shape else { continue };
            let [panel, number] = springs.place;
            for face in faces.iter().filter(|face| springs.are_there(face.springs())) {
                let corners: Vec<usize> =
                    face.nodes().iter().map(|node| springs.first + node).collect();
                let values = springs.means(face.springs());
                self.add(&corners, [panel, number, part], values);
            }
        }
    }
}
