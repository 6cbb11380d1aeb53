//! Reader for STL, in text and in binary.
//!
//! STL lists the corners of each triangle by position. Corners at one position become one node, in
//! the order of first appearance. Normals are ignored: the order of corners determines the front.

use super::data_file::{DataError, RowLength};
use crate::shape::mesh_content::MeshContent;
use catena_base::text::lines;
use std::collections::HashMap;

/// Bytes before the number of triangles in a binary file.
const HEADER: usize = 80;

/// Bytes of a triangle: a normal and three corners of 32-bit floats, and two bytes of attributes.
const TRIANGLE: usize = 50;

/// Nodes found so far, by the bit patterns of their positions.
#[derive(Default)]
struct StlNodes {
    mesh: MeshContent,
    known: HashMap<[u64; 3], usize>,
}

impl StlNodes {
    /// Returns the node at a position. Positive and negative zero are equal.
    fn at(&mut self, place: [f64; 3], line: Option<usize>) -> usize {
        let place = place.map(|x| x + 0.0);
        let next = self.mesh.positions.len();
        let node = *self.known.entry(place.map(f64::to_bits)).or_insert(next);
        if node == next {
            self.mesh.positions.push(place);
            self.mesh.position_lines.extend(line);
        }
        node
    }
}

/// Reads an STL file.
///
/// # Errors
/// Returns an error at the first invalid line, or if the length of a binary file does not match its
/// number of triangles.
pub(super) fn read(bytes: &[u8]) -> Result<MeshContent, DataError> {
    // Binary files may begin with "solid" too, so their length decides.
    let count = bytes.get(HEADER..HEADER + 4).and_then(|four| four.try_into().ok());
    let count = count.map(|four| u32::from_le_bytes(four) as usize);
    let length = count.and_then(|count| count.checked_mul(TRIANGLE)?.checked_add(HEADER + 4));
    match (length == Some(bytes.len()), std::str::from_utf8(bytes)) {
        (true, _) => binary(&bytes[HEADER + 4..]),
        (false, Ok(text)) if text.trim_start().starts_with("solid") => ascii(text),
        _ => Err(DataError::at(String::new(), length_message(bytes.len(), count))
            .help("export the file again; an STL text begins with `solid`")),
    }
}

fn length_message(bytes: usize, count: Option<usize>) -> String {
    match count {
        Some(count) => format!(
            "is not a valid STL file: {bytes} bytes are not {count} triangles of {TRIANGLE} bytes \
             after {} bytes",
            HEADER + 4
        ),
        None => format!("is not a valid STL file: {bytes} bytes are too few"),
    }
}

fn binary(triangles: &[u8]) -> Result<MeshContent, DataError> {
    let mut nodes = StlNodes::default();
    for (index, triangle) in triangles.chunks_exact(TRIANGLE).enumerate() {
        let number = |k: usize| {
            let four = [0, 1, 2, 3].map(|byte| triangle[12 + 4 * k + byte]);
            f64::from(f32::from_le_bytes(four))
        };
        let corner = |corner: usize| [0, 1, 2].map(|axis| number(3 * corner + axis));
        let corners = [corner(0), corner(1), corner(2)];
        if !corners.iter().flatten().all(|x| x.is_finite()) {
            let message = format!("triangle {index} has a position that is not a finite number");
            return Err(DataError::at(String::new(), message));
        }
        let facet = corners.map(|place| nodes.at(place, None));
        nodes.mesh.facets.push(facet);
    }
    Ok(nodes.mesh)
}

fn ascii(text: &str) -> Result<MeshContent, DataError> {
    let mut nodes = StlNodes::default();
    let (mut corners, mut length) = (Vec::new(), RowLength::default());
    for (line, whole) in lines::numbered(text) {
        length.add(line, whole)?;
        length = RowLength::default();
        let mut words = whole.split_ascii_whitespace();
        match words.next() {
            Some("vertex") => {
                let place = position(line, words)?;
                corners.push(nodes.at(place, Some(line)));
            }
            Some("endloop") => {
                let Ok(facet) = <[usize; 3]>::try_from(&corners[..]) else {
                    let message = format!(
                        "a triangle must have three corners, but this one has {}",
                        corners.len()
                    );
                    return Err(DataError::new(line, message));
                };
                nodes.mesh.facets.push(facet);
                nodes.mesh.facet_lines.push(line);
                corners.clear();
            }
            Some("solid" | "facet" | "outer" | "endfacet" | "endsolid") | None => {}
            Some(word) => {
                let message = "expected facet, outer loop, vertex, endloop, endfacet or endsolid";
                return Err(DataError::new(line, message).found(word));
            }
        }
    }
    match corners.is_empty() {
        true => Ok(nodes.mesh),
        false => Err(DataError::at(String::new(), "the last triangle has no `endloop`")),
    }
}

/// Parses the three numbers of a vertex.
fn position<'a>(
    line: usize,
    mut words: impl Iterator<Item = &'a str>,
) -> Result<[f64; 3], DataError> {
    let mut place = [0.0; 3];
    for value in &mut place {
        let word = words
            .next()
            .ok_or_else(|| DataError::new(line, "expected three numbers after `vertex`"))?;
        let number = word.parse().ok().filter(|number: &f64| number.abs() <= 1e100);
        *value = number.ok_or_else(|| DataError::new(line, "expected a number").found(word))?;
    }
    Ok(place)
}
