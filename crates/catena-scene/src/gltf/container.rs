//! File containers: plain JSON, or a GLB with a JSON chunk and an optional binary chunk.
//!
//! The size of the JSON is checked before it is parsed.

use super::document::JsonDocument;
use super::limits::Limits;
use super::messages::{GltfError, shortened};

/// Two parts of a figure file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Container<'a> {
    /// JSON text that describes the figure.
    pub(super) json: &'a [u8],
    /// Buffer that a GLB contains.
    pub(super) binary: Option<&'a [u8]>,
}

const MAGIC: &[u8] = b"glTF";
const JSON: [u8; 4] = *b"JSON";
const BINARY: [u8; 4] = *b"BIN\0";

/// Splits a file into its parts. A byte-order mark before the JSON and zeros after it are skipped.
pub(super) fn open(bytes: &[u8]) -> Result<Container<'_>, GltfError> {
    if bytes.starts_with(MAGIC) {
        return open_glb(bytes);
    }
    let json = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let is_json = json.trim_ascii_start().first() == Some(&b'{');
    let message = "expected glTF 2.0: JSON that begins with {, or a GLB that begins with glTF";
    GltfError::unless(is_json, "file", message)?;
    Ok(Container { json: without_zeros(json), binary: None })
}

fn without_zeros(json: &[u8]) -> &[u8] {
    let end = json.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    &json[..end]
}

/// Splits off a little-endian 32-bit integer.
fn little_endian(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((u32::from_le_bytes(*number) as usize, rest))
}

fn open_glb(bytes: &[u8]) -> Result<Container<'_>, GltfError> {
    let header = little_endian(&bytes[MAGIC.len()..]).and_then(|(version, rest)| {
        let (length, _) = little_endian(rest)?;
        Some((version, length))
    });
    let (version, length) =
        header.ok_or_else(|| GltfError::new("GLB header", "the file ends within its 12 bytes"))?;
    let message = format_args!("version {version}, but only version 2 is supported");
    GltfError::unless(version == 2, "GLB header", message)?;
    let has = bytes.len();
    let so = if has < length { "its end is missing" } else { "there is data after its end" };
    let message = format_args!("it declares {length} bytes, but the file has {has}: {so}");
    GltfError::unless(length == has, "GLB header", message)?;
    chunks(&bytes[12..])
}

/// Reads the chunks of a GLB: JSON first, then at most one binary chunk. Other chunks are skipped.
fn chunks(mut rest: &[u8]) -> Result<Container<'_>, GltfError> {
    let (mut json, mut binary) = (None, None);
    let mut index = 0;
    while !rest.is_empty() || index == 0 {
        let place = format_args!("GLB chunk {index}");
        let header = little_endian(rest).and_then(|(length, rest)| {
            let (kind, rest) = rest.split_first_chunk::<4>()?;
            Some((length, *kind, rest))
        });
        let (length, kind, data) = header.ok_or_else(|| {
            GltfError::new(
                place,
                format_args!("only {} of the 8 bytes of its header are present", rest.len()),
            )
        })?;
        let (data, tail) = data.split_at_checked(length).ok_or_else(|| {
            let left = data.len();
            GltfError::new(
                place,
                format_args!("it declares {length} bytes, but only {left} are left"),
            )
        })?;
        let slot = match kind {
            JSON => Some(&mut json),
            BINARY => Some(&mut binary),
            _ => None,
        };
        GltfError::unless(index != 0 || kind == JSON, place, "the first chunk must be JSON")?;
        if let Some(slot) = slot {
            let name = if kind == JSON { "JSON" } else { "BIN" };
            let message = format_args!("a second chunk of type {name}: a GLB may have only one");
            GltfError::unless(slot.replace(data).is_none(), place, message)?;
        }
        (rest, index) = (tail, index + 1);
    }
    let json = json.ok_or_else(|| GltfError::new("GLB chunk 0", "it must be JSON"))?;
    Ok(Container { json: without_zeros(json), binary })
}

/// Parses the JSON of a file.
pub(super) fn parse(json: &[u8], limits: &Limits) -> Result<JsonDocument, GltfError> {
    let is_object = json.trim_ascii_start().first() == Some(&b'{');
    GltfError::unless(is_object, "JSON", "expected an object, which begins with {")?;
    check_size(json, limits)?;
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    let document = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = error.path().to_string();
        // An error in the JSON syntax has no path.
        let is_root = path == "." || error.inner().is_syntax() || error.inner().is_eof();
        let place = if is_root { "JSON" } else { &path };
        GltfError::new(place, in_words_of_json(shortened(error.inner().to_string())))
    })?;
    deserializer.end().map_err(|error| GltfError::new("JSON", error))?;
    Ok(document)
}

/// Replaces serde's terms by JSON terms, such as map by object.
fn in_words_of_json(message: String) -> String {
    [
        ("invalid type: map,", "invalid type: object,"),
        ("invalid type: sequence,", "invalid type: list,"),
        ("expected a sequence at", "expected a list at"),
        ("expected an array of", "expected a list of"),
    ]
    .iter()
    .fold(message, |message, (serde, json)| message.replacen(serde, json, 1))
}

/// Rejects JSON with too many values, objects or levels. The check counts brackets and commas
/// outside strings; the parser checks the syntax later.
fn check_size(json: &[u8], limits: &Limits) -> Result<(), GltfError> {
    let (mut values, mut objects) = (0, 0);
    let (mut depth, mut deepest) = (0_usize, 0);
    let mut bytes = json.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => pass_string(&mut bytes),
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
                values += 1;
                objects += usize::from(*byte == b'{');
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' => values += 1,
            _ => {}
        }
    }
    for (found, maximum, what) in [
        (deepest, limits.json_depth, "levels of nested lists and objects"),
        (values, limits.values, "values"),
        (objects, limits.objects, "objects"),
    ] {
        let message = format_args!("{found} {what}: at most {maximum} are allowed");
        GltfError::unless(found <= maximum, "JSON", message)?;
    }
    Ok(())
}

/// Skips to the end of a string.
fn pass_string(bytes: &mut std::slice::Iter<'_, u8>) {
    while let Some(byte) = bytes.find(|byte| matches!(byte, b'"' | b'\\')) {
        if *byte == b'"' {
            return;
        }
        bytes.next();
    }
}
