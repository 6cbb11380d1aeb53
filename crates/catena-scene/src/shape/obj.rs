//! Reader for Wavefront OBJ: vertices, faces, and names of groups and objects.
//!
//! Other statements are ignored. Crates for OBJ give each group its own vertices. Here, nodes must
//! keep the vertex numbers of the file, may belong to several groups, and messages must name lines.

use super::data_file::{DataError, RowLength};
use super::polygon::Cutter;
use crate::shape::mesh_content::MeshContent;
use catena_base::text::lines;

/// Word of a statement, with its line.
#[derive(Clone, Copy, Debug)]
struct StatementWord<'a> {
    text: &'a str,
    line: usize,
}

/// Visits all statements as lists of words. A backslash at the end of a line continues the
/// statement, except in a comment, because paths may end with one. A statement that is longer than
/// the maximum row is an error.
fn statements<'a>(
    text: &'a str,
    mut visit: impl FnMut(&[StatementWord<'a>]) -> Result<(), DataError>,
) -> Result<(), DataError> {
    let (mut words, mut length) = (Vec::new(), RowLength::default());
    for (line, whole) in lines::numbered(text) {
        length.add(line, whole)?;
        let (code, is_commented) = match whole.split_once('#') {
            Some((code, _)) => (code, true),
            None => (whole, false),
        };
        let continued = code.trim_end().strip_suffix('\\').filter(|_| !is_commented);
        let code = continued.unwrap_or(code).split_ascii_whitespace();
        words.extend(code.map(|text| StatementWord { text, line }));
        if continued.is_none() {
            if !words.is_empty() {
                visit(&words)?;
            }
            words.clear();
            length = RowLength::default();
        }
    }
    if words.is_empty() { Ok(()) } else { visit(&words) }
}

/// Returns upper bounds of the node and spring counts of a mesh, without building the mesh.
///
/// # Errors
/// Returns an error when a statement is too long.
pub(super) fn counts(text: &str) -> Result<(u64, u64), DataError> {
    let (mut nodes, mut corners) = (0, 0);
    statements(text, |words| {
        match words[0].text {
            "v" => nodes += 1,
            // A face of c corners has c edges and c - 3 cuts, and each may have a bending spring.
            "f" => corners += 2 * (words.len() as u64 - 1),
            _ => {}
        }
        Ok(())
    })?;
    Ok((nodes, 2 * corners))
}

/// Parses an OBJ text.
///
/// # Errors
/// Returns an error with the first invalid line.
pub(super) fn read(text: &str) -> Result<MeshContent, DataError> {
    let mut mesh = MeshContent::default();
    // Names of the current object and groups, to which the next faces belong.
    let (mut object, mut groups) = (None, Vec::new());
    let mut cutter = Cutter::default();
    statements(text, |words| {
        let (StatementWord { text: word, line }, rest) = (words[0], &words[1..]);
        match word {
            "v" => {
                mesh.positions.push(position(line, rest)?);
                mesh.position_lines.push(line);
            }
            "o" => {
                let names: Vec<&str> = rest.iter().map(|name| name.text).collect();
                object = Some(names.join(" "));
            }
            "g" => groups = rest.iter().map(|name| name.text.to_owned()).collect(),
            "f" => {
                let corners = corners(line, rest, mesh.positions.len())?;
                for name in groups.iter().chain(&object) {
                    mesh.groups.entry(name.clone()).or_default().extend(&corners);
                }
                mesh.cut += usize::from(corners.len() > 3);
                let triangles = cutter.triangles(&corners, &mesh.positions);
                let triangles = triangles.map_err(|message| DataError::new(line, message))?;
                mesh.facet_lines.extend(triangles.iter().map(|_| line));
                mesh.facets.extend(triangles);
            }
            _ => {}
        }
        Ok(())
    })?;
    for nodes in mesh.groups.values_mut() {
        nodes.sort_unstable();
        nodes.dedup();
    }
    Ok(mesh)
}

/// Parses the three numbers of a `v`. A weight or a colour after the numbers is ignored.
fn position(line: usize, words: &[StatementWord<'_>]) -> Result<[f64; 3], DataError> {
    let mut place = [0.0; 3];
    if words.len() < 3 {
        let message = format!("expected three numbers after `v`, found {}", words.len());
        return Err(DataError::new(line, message));
    }
    for (value, word) in place.iter_mut().zip(words) {
        let number = word.text.parse().ok().filter(|number: &f64| number.abs() <= 1e100);
        *value = number
            .ok_or_else(|| DataError::new(word.line, "expected a number").found(word.text))?;
    }
    Ok(place)
}

/// Parses the vertex indices of an `f`. Indices count from 1, or from the end if negative. Other
/// indices after slashes are ignored.
fn corners(
    line: usize,
    words: &[StatementWord<'_>],
    nodes: usize,
) -> Result<Vec<usize>, DataError> {
    if words.len() < 3 {
        let message =
            format!("a face must have at least three corners, but this one has {}", words.len());
        return Err(DataError::new(line, message));
    }
    let corner = |word: &StatementWord<'_>| {
        let first = word.text.split('/').next().unwrap_or_default();
        let number: i64 = first
            .parse()
            .map_err(|_| DataError::new(word.line, "expected a vertex number").found(word.text))?;
        let index =
            if number < 0 { (nodes as i64).checked_add(number) } else { number.checked_sub(1) };
        let index = index.and_then(|index| usize::try_from(index).ok());
        index.filter(|index| *index < nodes).ok_or_else(|| {
            let message =
                format!("there is no vertex {number}: {nodes} precede this face, numbered from 1");
            DataError::new(word.line, message)
        })
    };
    words.iter().map(corner).collect()
}
