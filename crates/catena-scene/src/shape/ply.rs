//! Reader for PLY, the Stanford polygon format, in text and in binary of either byte order.
//!
//! Positions come from x, y and z of the element `vertex`, faces from the list `vertex_indices` or
//! `vertex_index` of the element `face`. Other elements and properties are skipped.

use super::data_file::DataError;
use super::polygon::Cutter;
use crate::shape::mesh_content::MeshContent;
use std::str::SplitAsciiWhitespace;

/// Type of a number.
#[derive(Clone, Copy, Debug)]
enum NumberType {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl NumberType {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return None,
        })
    }

    /// Returns the size of a number in bytes.
    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// Converts little-endian bytes to a number.
    fn number(self, bytes: [u8; 8]) -> f64 {
        let [a, b, c, d, ..] = bytes;
        match self {
            Self::I8 => f64::from(a as i8),
            Self::U8 => f64::from(a),
            Self::I16 => f64::from(i16::from_le_bytes([a, b])),
            Self::U16 => f64::from(u16::from_le_bytes([a, b])),
            Self::I32 => f64::from(i32::from_le_bytes([a, b, c, d])),
            Self::U32 => f64::from(u32::from_le_bytes([a, b, c, d])),
            Self::F32 => f64::from(f32::from_le_bytes([a, b, c, d])),
            Self::F64 => f64::from_le_bytes(bytes),
        }
    }
}

/// Property: a number, or a list with the type of its length.
struct Property {
    name: String,
    number: NumberType,
    length: Option<NumberType>,
}

struct Element {
    name: String,
    count: usize,
    properties: Vec<Property>,
}

/// Source of the numbers that follow a header.
enum PlyBody<'a> {
    Text(SplitAsciiWhitespace<'a>),
    Binary { bytes: &'a [u8], is_big: bool },
}

impl PlyBody<'_> {
    fn next(&mut self, number: NumberType) -> Result<f64, DataError> {
        let premature_end =
            || DataError::at(String::new(), "the file ends before its last element");
        match self {
            Self::Text(words) => {
                let word = words.next().ok_or_else(premature_end)?;
                let found = word.parse().ok().filter(|found: &f64| found.is_finite());
                found.ok_or_else(|| {
                    DataError::at(String::new(), "expected a finite number").found(word)
                })
            }
            Self::Binary { bytes, is_big } => {
                let size = number.size();
                let (first, rest) = bytes.split_at_checked(size).ok_or_else(premature_end)?;
                *bytes = rest;
                let mut eight = [0; 8];
                eight[..size].copy_from_slice(first);
                if *is_big {
                    eight[..size].reverse();
                }
                let found = number.number(eight);
                let message = "expected a finite number";
                found
                    .is_finite()
                    .then_some(found)
                    .ok_or_else(|| DataError::at(String::new(), message))
            }
        }
    }
}

/// Reads a PLY file.
///
/// # Errors
/// Returns an error if the header is invalid, the file ends early, or a face names a vertex that
/// does not exist.
pub(super) fn read(bytes: &[u8]) -> Result<MeshContent, DataError> {
    let (elements, mut body) = header(bytes)?;
    let mut mesh = MeshContent::default();
    let mut faces: Vec<Vec<f64>> = Vec::new();
    for element in &elements {
        if element.count > bytes.len() || (element.count > 0 && element.properties.is_empty()) {
            let message =
                format!("the file is too short for {} {} elements", element.count, element.name);
            return Err(DataError::at(String::new(), message));
        }
        let axes = place_of_axes(element)?;
        for _ in 0..element.count {
            let mut place = [0.0; 3];
            for (index, property) in element.properties.iter().enumerate() {
                let values = values(&mut body, property, bytes.len())?;
                match property.length {
                    Some(_) if is_corners(element, property) => faces.push(values),
                    Some(_) => {}
                    None => {
                        let axis = axes.iter().position(|of_axis| *of_axis == Some(index));
                        axis.into_iter().for_each(|axis| place[axis] = values[0]);
                    }
                }
            }
            if element.name == "vertex" {
                mesh.positions.push(place);
            }
        }
    }
    add_faces(&mut mesh, &faces)?;
    Ok(mesh)
}

/// Returns, for each property of the element `vertex`, the axis whose coordinate it has.
fn place_of_axes(element: &Element) -> Result<[Option<usize>; 3], DataError> {
    let is_axis = |name: &str| {
        let is = |property: &Property| property.name == name && property.length.is_none();
        element.properties.iter().position(is)
    };
    let axes = ["x", "y", "z"].map(is_axis);
    match element.name == "vertex" && axes.contains(&None) {
        true => Err(DataError::at(String::new(), "the `vertex` element has no property x, y or z")),
        false => Ok(axes),
    }
}

fn is_corners(element: &Element, property: &Property) -> bool {
    element.name == "face" && matches!(&property.name[..], "vertex_indices" | "vertex_index")
}

/// Reads the values of a property: one number, or a list of at most `maximum` numbers.
fn values(
    body: &mut PlyBody<'_>,
    property: &Property,
    maximum: usize,
) -> Result<Vec<f64>, DataError> {
    let Some(length) = property.length else { return Ok(vec![body.next(property.number)?]) };
    let count = body.next(length)?;
    if count < 0.0 || count > maximum as f64 {
        let message = format!("the file is too short for a list of {count} numbers");
        return Err(DataError::at(String::new(), message));
    }
    (0..count as usize).map(|_| body.next(property.number)).collect()
}

/// Cuts faces into triangles.
fn add_faces(mesh: &mut MeshContent, faces: &[Vec<f64>]) -> Result<(), DataError> {
    let (mut cutter, count) = (Cutter::default(), mesh.positions.len());
    for (index, face) in faces.iter().enumerate() {
        let refuse = |what: String| DataError::at(String::new(), format!("face {index} {what}"));
        if let Some(wrong) = face.iter().find(|corner| !(0.0..count as f64).contains(*corner)) {
            return Err(refuse(format!("refers to vertex {wrong}, but the file has {count}")));
        }
        if face.len() < 3 {
            return Err(refuse(format!("has {} corners, but needs at least three", face.len())));
        }
        let corners: Vec<usize> = face.iter().map(|corner| *corner as usize).collect();
        mesh.cut += usize::from(corners.len() > 3);
        mesh.facets.extend(cutter.triangles(&corners, &mesh.positions).map_err(refuse)?);
    }
    Ok(())
}

/// Maximum length of a header in bytes.
const MAX_HEADER: usize = 1 << 16;

/// Reads the header. Returns the elements and the data after the header.
fn header(bytes: &[u8]) -> Result<(Vec<Element>, PlyBody<'_>), DataError> {
    let (mut elements, mut format, mut at) = (Vec::<Element>::new(), None, 0);
    for line in 1.. {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(end) = rest.iter().take(MAX_HEADER).position(|byte| *byte == b'\n') else {
            return Err(DataError::new(line, "the header has no `end_header` line"));
        };
        at += end + 1;
        let text = std::str::from_utf8(&rest[..end]).unwrap_or_default();
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        match words[..] {
            ["ply"] | ["comment" | "obj_info", ..] | [] => {}
            ["format", name, _] => format = Some((line, name)),
            ["element", name, count] => {
                let count = count.parse().map_err(|_| {
                    DataError::new(line, "expected the number of elements").found(count)
                })?;
                elements.push(Element { name: name.into(), count, properties: Vec::new() });
            }
            ["property", "list", length, number, name] => {
                add(&mut elements, line, [number, name], Some(length))?;
            }
            ["property", number, name] => add(&mut elements, line, [number, name], None)?,
            ["end_header"] => break,
            _ => return Err(DataError::new(line, "this header line is not valid PLY").found(text)),
        }
    }
    let rest = &bytes[at..];
    let body = match format {
        Some((_, "binary_little_endian")) => PlyBody::Binary { bytes: rest, is_big: false },
        Some((_, "binary_big_endian")) => PlyBody::Binary { bytes: rest, is_big: true },
        Some((line, "ascii")) => {
            let text = std::str::from_utf8(rest);
            let text = text.map_err(|_| {
                DataError::new(line, "the format is ascii, but the file is not text")
            })?;
            PlyBody::Text(text.split_ascii_whitespace())
        }
        Some((line, other)) => {
            let message = "expected ascii, binary_little_endian or binary_big_endian";
            return Err(DataError::new(line, message).found(other));
        }
        None => return Err(DataError::at(String::new(), "the header has no `format` line")),
    };
    Ok((elements, body))
}

/// Adds a property to the last element.
fn add(
    elements: &mut [Element],
    line: usize,
    [number, name]: [&str; 2],
    length: Option<&str>,
) -> Result<(), DataError> {
    let of = |word: &str| {
        let message = "expected a type such as float or uchar";
        NumberType::named(word).ok_or_else(|| DataError::new(line, message).found(word))
    };
    let (number, length) = (of(number)?, length.map(of).transpose()?);
    let Some(element) = elements.last_mut() else {
        return Err(DataError::new(line, "a property precedes the first element"));
    };
    element.properties.push(Property { name: name.into(), number, length });
    Ok(())
}
