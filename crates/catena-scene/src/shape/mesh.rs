//! Meshes of a scene, read from files.
//!
//! A mesh may be cleaned up: vertices at equal positions are merged, and unused vertices and
//! triangles without area are dropped. Converters and scanners produce such vertices and triangles
//! along seams and at poles.

use super::mesh_file::MeshFormat;
use super::welded::Welded;
use super::{ReadShape, SpringKind, files, obj, text, weights};
use crate::diagnostic::{Fault, nearest};
use crate::entries::MeshPin;
use crate::error::SceneError;
use crate::schema::MeshSettings;
use crate::shape::mesh_content::MeshContent;
use crate::stack::{Stack, refuse};
use crate::values::MeshFile;
use catena_base::text::number::counted;
use catena_sim::body::shape::mesh::{Mesh, MeshMatter};
use catena_sim::body::shape::{Topology, Weighted};
use catena_sim::{BadSetup, Form, Model, State};
use std::sync::Arc;

// Defaults of meshes are not in `defaults.ron`, because there they would make every body a mesh.

/// Default mass of each node of a mesh without a density.
const MASS: f64 = 1.0;
/// Default stiffness of each edge of a mesh.
const STIFFNESS: f64 = 100.0;

/// Mesh whose errors refer to lines of its file.
struct FileMesh {
    mesh: Mesh,
    file: String,
    is_merged: bool,
    position_lines: Vec<usize>,
    facet_lines: Vec<usize>,
}

impl Topology for FileMesh {
    fn build(&self) -> Result<(Model, State), BadSetup> {
        self.mesh.build().map_err(|bad| {
            let line = |list: &str, lines: &[usize]| {
                let index = bad.field.strip_prefix(list)?.strip_prefix('[')?.strip_suffix(']')?;
                lines.get(index.parse::<usize>().ok()?).copied()
            };
            let line = line("facets", &self.facet_lines)
                .or_else(|| line("positions", &self.position_lines));
            let place = line.map_or(self.file.clone(), |line| format!("{}:{line}", self.file));
            let advice = self.advice().unwrap_or_default();
            BadSetup::new("file", format!("{place}: {}{advice}", bad.message))
        })
    }
}

/// Merge distance to suggest, for vertices that differ only by rounding.
const MERGE: f64 = 1e-6;

impl FileMesh {
    /// Returns advice to merge the vertices of an invalid mesh, if that would change the mesh.
    fn advice(&self) -> Option<String> {
        if self.is_merged || !self.mesh.positions.iter().flatten().all(|x| x.is_finite()) {
            return None;
        }
        let merged = Welded::new(&self.mesh.positions, &self.mesh.facets, MERGE).note()?;
        Some(format!("; mesh: (merge: {MERGE:e}) would repair the file: {merged}"))
    }
}

/// Merges vertices of a file and updates groups and line numbers. Returns the positions of the
/// nodes and a description of the changes.
fn merge(
    found: &mut MeshContent,
    positions: &[[f64; 3]],
    distance: f64,
) -> (Vec<[f64; 3]>, Option<String>) {
    let welded = Welded::new(positions, &found.facets, distance);
    for nodes in found.groups.values_mut() {
        *nodes = nodes.iter().filter_map(|vertex| welded.nodes[*vertex]).collect();
        nodes.sort_unstable();
        nodes.dedup();
    }
    let lines = |of: &[usize], kept: &[usize]| {
        kept.iter().filter_map(|index| of.get(*index).copied()).collect()
    };
    found.position_lines = lines(&found.position_lines, &welded.kept_positions);
    found.facet_lines = lines(&found.facet_lines, &welded.kept_facets);
    let note = welded.note();
    found.facets = welded.facets;
    (welded.positions, note)
}

/// Returns notes about a mesh: faces that were cut, nodes that were merged, and holes.
fn notes(mesh: &Mesh, file: &str, cut: usize, merged: Option<String>) -> Vec<String> {
    let mut notes = Vec::new();
    if cut > 0 {
        let faces = counted(cut as u64, "face");
        notes.push(format!("{file}: cut {faces} with more than three corners into triangles"));
    }
    notes.extend(merged.map(|merged| format!("{file}: {merged}")));
    let rims = mesh.rims();
    if rims > 1 {
        notes.push(format!(
            "{file}: the open edges form {rims} loops, so the mesh has holes or consists of \
             several pieces"
        ));
    }
    notes
}

/// Returns upper bounds of the node and spring counts of a mesh file, without building the mesh.
///
/// # Errors
/// Returns an error when the file cannot be read, or a row of it is too long.
pub(crate) fn counts(stack: &Stack<'_>, mesh: &MeshSettings) -> Result<(u64, u64), SceneError> {
    const FIELD: &str = "mesh.file";
    let Some(MeshFile(file)) = &mesh.file else { return Ok((0, 0)) };
    let shows_text = files(stack)?.shows_text(file);
    let found = match format(stack, file)? {
        MeshFormat::Obj => obj::counts(&text(stack, FIELD, file)?),
        other => other.read(&bytes(stack, file)?).map(|mesh| {
            // Each edge of a triangle may have a spring and a bending spring.
            (mesh.positions.len() as u64, 6 * mesh.facets.len() as u64)
        }),
    };
    found.map_err(|wrong| refuse(stack, FIELD, wrong.fault(file, shows_text)))
}

/// Returns the bytes of a mesh file.
fn bytes(stack: &Stack<'_>, file: &str) -> Result<Arc<[u8]>, SceneError> {
    files(stack)?.bytes(file).map_err(|fault| refuse(stack, "mesh.file", fault))
}

/// Returns the format of a mesh file.
fn format(stack: &Stack<'_>, file: &str) -> Result<MeshFormat, SceneError> {
    Ok(MeshFormat::of(file, &bytes(stack, file)?))
}

/// Reads a mesh and the notes about it.
pub(super) fn read(
    stack: &Stack<'_>,
    mesh: &MeshSettings,
    axes: usize,
) -> Result<(ReadShape, Vec<String>), SceneError> {
    if axes != 3 {
        let fault = Fault::new("`mesh` is for three-dimensional scenes, but this one is planar");
        let help = "give its vectors three components, such as gravity: (0, -9.81, 0)";
        return Err(refuse(stack, "mesh", fault.help(help)));
    }
    let Some(MeshFile(file)) = mesh.file.clone() else {
        let fault = Fault::new("the mesh has no `file`")
            .help("set it to the name of a Wavefront OBJ, STL or PLY file");
        return Err(refuse(stack, "mesh.file", fault));
    };
    let shows_text = files(stack)?.shows_text(&file);
    let found = match format(stack, &file)? {
        MeshFormat::Obj => obj::read(&text(stack, "mesh.file", &file)?),
        other => other.read(&bytes(stack, &file)?),
    };
    let mut found =
        found.map_err(|wrong| refuse(stack, "mesh.file", wrong.fault(&file, shows_text)))?;
    let scale = mesh.scale.map_or(1.0, |scale| scale.0);
    let origin = mesh.translate.map_or([0.0; 3], |translate| translate.xyz());
    let placed = |place: &[f64; 3]| [0, 1, 2].map(|axis| scale * place[axis] + origin[axis]);
    let positions: Vec<_> = found.positions.iter().map(placed).collect();
    let (positions, merged) = match mesh.merge {
        None => (positions, None),
        Some(distance) => merge(&mut found, &positions, distance.0),
    };
    let matter = matter(stack, mesh)?;
    let (form, count) = (Form::Mesh { facets: Vec::new() }, positions.len());
    let mut pins = Vec::new();
    for (index, pin) in mesh.pins.iter().flat_map(|list| list.0.iter().enumerate()) {
        let refused = |fault| refuse(stack, &format!("mesh.pins[{index}]"), fault);
        match pin {
            MeshPin::Node(_) if count == 0 => {}
            MeshPin::Node(name) => pins.push(name.in_one_piece(&form, count).map_err(refused)?),
            MeshPin::Group(name) => match found.groups.get(name) {
                Some(nodes) => pins.extend(nodes),
                None => return Err(refused(no_group(name, &found, &file, shows_text))),
            },
        }
    }
    let weights = weights(stack, "mesh.weights", mesh.weights.as_ref(), &form, count.max(1))?;
    let bending = mesh.bending.map_or(0.0, |bending| bending.0);
    let stiffness = mesh.stiffness.map_or(STIFFNESS, |stiffness| stiffness.0);
    let built = Mesh { positions, facets: found.facets, matter, stiffness, bending, pins };
    let law = mesh.law.as_ref();
    let springs = SpringKind::read(stack, "mesh", law, mesh.damping, mesh.breaks_at)?;
    let notes = notes(&built, &file, found.cut, merged);
    let (position_lines, facet_lines) = (found.position_lines, found.facet_lines);
    let is_merged = mesh.merge.is_some();
    let topology = FileMesh { mesh: built, file, is_merged, position_lines, facet_lines };
    let topology = Box::new(topology);
    Ok(((Box::new(Weighted { topology, weights }), springs), notes))
}

/// Returns the mass per node or per area.
fn matter(stack: &Stack<'_>, mesh: &MeshSettings) -> Result<MeshMatter, SceneError> {
    match (mesh.density, mesh.mass) {
        (Some(_), Some(_)) => {
            let fault = Fault::new("the mass of nodes is determined by the mesh's density");
            Err(refuse(stack, "mesh.mass", fault.help("remove one of the two")))
        }
        (Some(density), None) => Ok(MeshMatter::Area(density.0)),
        (None, mass) => Ok(MeshMatter::Node(mass.map_or(MASS, |mass| mass.0))),
    }
}

/// Returns the fault of a group that the file does not have.
fn no_group(name: &str, found: &MeshContent, file: &str, shows_text: bool) -> Fault {
    let names = || found.groups.keys().map(String::as_str);
    let fault = Fault::new(format!("{file} has no group or object {name:?} with faces"));
    if !shows_text {
        return fault;
    }
    match nearest(name, names()) {
        Some((_, meant)) => fault.help(format!("did you mean {meant:?}?")),
        None if found.groups.is_empty() => fault.help("the file has no group names"),
        None => {
            let few: Vec<_> = names().take(20).map(|name| format!("{name:?}")).collect();
            fault.help(format!("there are {}", few.join(", ")))
        }
    }
}
