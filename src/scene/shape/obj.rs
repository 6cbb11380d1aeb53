//! Reads Wavefront OBJ: places, faces, and names of groups and objects. All else is for pictures.
//!
//! Our own reader, since nodes must keep the numbers of the file and belong to all groups whose
//! faces have them, and since messages name lines: crates for OBJ give each group vertices of its
//! own.

use std::collections::BTreeMap;

/// A mesh of an OBJ file.
#[derive(Debug, Default)]
pub(super) struct ObjMesh {
    pub(super) positions: Vec<[f64; 3]>,
    /// Triangles. Faces of more corners are cut into a fan.
    pub(super) facets: Vec<[usize; 3]>,
    /// The line of each place and of each triangle, numbered from 1.
    pub(super) position_lines: Vec<usize>,
    pub(super) facet_lines: Vec<usize>,
    /// Nodes of each group and each object, by name.
    pub(super) groups: BTreeMap<String, Vec<usize>>,
    /// How many faces had more than three corners.
    pub(super) fans: usize,
}

/// At most so many nodes and springs of the mesh of a text, without reading it.
pub(in crate::scene) fn counts(text: &str) -> (u64, u64) {
    let (mut nodes, mut corners) = (0, 0);
    for line in text.lines() {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("v") => nodes += 1,
            // A face of c corners has c edges and c - 3 edges of its fan, and each may bend.
            Some("f") => corners += 2 * words.count() as u64,
            _ => {}
        }
    }
    (nodes, 2 * corners)
}

/// Reads a text.
///
/// # Errors
/// The number of the first line that cannot be read, and what is wrong with it.
pub(super) fn read(text: &str) -> Result<ObjMesh, (usize, String)> {
    let mut mesh = ObjMesh::default();
    // Names of the object and of the groups that faces belong to now.
    let (mut object, mut groups) = (None, Vec::new());
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_ascii_whitespace();
        let Some(word) = words.next() else { continue };
        let rest: Vec<&str> = words.collect();
        let fail = |message: String| (number, message);
        match word {
            "v" => {
                mesh.positions.push(position(&rest).map_err(fail)?);
                mesh.position_lines.push(number);
            }
            "o" => object = Some(rest.join(" ")),
            "g" => groups = rest.iter().map(|name| (*name).to_owned()).collect(),
            "f" => {
                let corners = corners(&rest, mesh.positions.len()).map_err(fail)?;
                for name in groups.iter().chain(&object) {
                    mesh.groups.entry(name.clone()).or_default().extend(&corners);
                }
                mesh.fans += usize::from(corners.len() > 3);
                for pair in corners[1..].windows(2) {
                    mesh.facets.push([corners[0], pair[0], pair[1]]);
                    mesh.facet_lines.push(number);
                }
            }
            _ if line.ends_with('\\') => {
                return Err(fail("a line that goes on in the next is not read".into()));
            }
            _ => {}
        }
    }
    for nodes in mesh.groups.values_mut() {
        nodes.sort_unstable();
        nodes.dedup();
    }
    Ok(mesh)
}

/// The place of a `v`: three numbers, and perhaps a weight or a colour, which stay unread.
fn position(words: &[&str]) -> Result<[f64; 3], String> {
    let mut place = [0.0; 3];
    if words.len() < 3 {
        return Err(format!("expected three numbers after `v`, found {}", words.len()));
    }
    for (value, word) in place.iter_mut().zip(words) {
        let number = word.parse().ok().filter(|number: &f64| number.abs() <= 1e100);
        *value = number.ok_or_else(|| format!("expected a number, found {word:?}"))?;
    }
    Ok(place)
}

/// The nodes of an `f`: numbers from 1, or from the end below 0, each perhaps with numbers of other
/// kinds behind slashes.
fn corners(words: &[&str], nodes: usize) -> Result<Vec<usize>, String> {
    if words.len() < 3 {
        return Err(format!("a face has at least three corners, this one has {}", words.len()));
    }
    let corner = |word: &&str| {
        let first = word.split('/').next().unwrap_or_default();
        let number: i64 = first
            .parse()
            .map_err(|_| format!("expected the number of a vertex, found {word:?}"))?;
        let index = if number < 0 { nodes as i64 + number } else { number - 1 };
        usize::try_from(index).ok().filter(|index| *index < nodes).ok_or_else(|| {
            format!("there is no vertex {number}: {nodes} come before this face, numbered from 1")
        })
    };
    words.iter().map(corner).collect()
}
