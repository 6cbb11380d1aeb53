//! File containers: plain JSON, or a GLB with a JSON chunk and an optional binary chunk.

use super::error::GltfError;

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
fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((u32::from_le_bytes(*number) as usize, rest))
}

fn open_glb(bytes: &[u8]) -> Result<Container<'_>, GltfError> {
    let header = number(&bytes[MAGIC.len()..]).and_then(|(version, rest)| {
        let (length, _) = number(rest)?;
        Some((version, length))
    });
    let (version, length) =
        header.ok_or_else(|| GltfError::new("GLB header", "the file ends within its 12 bytes"))?;
    let message = format_args!("version {version}, but only version 2 is read");
    GltfError::unless(version == 2, "GLB header", message)?;
    let has = bytes.len();
    let so = if has < length { "its end is missing" } else { "something stands behind its end" };
    let message = format_args!("it announces {length} bytes, but the file has {has}: {so}");
    GltfError::unless(length == has, "GLB header", message)?;
    chunks(&bytes[12..])
}

/// Reads the chunks of a GLB: JSON first, then at most one binary chunk. Other chunks are skipped.
fn chunks(mut rest: &[u8]) -> Result<Container<'_>, GltfError> {
    let (mut json, mut binary) = (None, None);
    let mut index = 0;
    while !rest.is_empty() || index == 0 {
        let place = format_args!("GLB chunk {index}");
        let header = number(rest).and_then(|(length, rest)| {
            let (kind, rest) = rest.split_first_chunk::<4>()?;
            Some((length, *kind, rest))
        });
        let (length, kind, data) = header.ok_or_else(|| {
            GltfError::new(
                place,
                format_args!("{} of the 8 bytes of its header are there", rest.len()),
            )
        })?;
        let (data, behind) = data.split_at_checked(length).ok_or_else(|| {
            let left = data.len();
            GltfError::new(place, format_args!("it announces {length} bytes, but {left} are left"))
        })?;
        let slot = match kind {
            JSON => Some(&mut json),
            BINARY => Some(&mut binary),
            _ => None,
        };
        GltfError::unless(index != 0 || kind == JSON, place, "the first chunk must be JSON")?;
        if let Some(slot) = slot {
            let name = if kind == JSON { "JSON" } else { "BIN" };
            let message = format_args!("a second chunk of type {name}: a GLB has at most one");
            GltfError::unless(slot.replace(data).is_none(), place, message)?;
        }
        (rest, index) = (behind, index + 1);
    }
    let json = json.ok_or_else(|| GltfError::new("GLB chunk 0", "it must be JSON"))?;
    Ok(Container { json: without_zeros(json), binary })
}
