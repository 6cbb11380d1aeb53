//! JSON parser with a size check before parsing.

use super::document::Document;
use super::error::{GltfError, shortened};
use super::limits::Limits;

/// Parses the JSON of a file.
pub(super) fn parse(json: &[u8], limits: &Limits) -> Result<Document, GltfError> {
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

/// Replaces the terms of serde by those of JSON, such as object for map.
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
    for (found, most, what) in [
        (deepest, limits.json_depth, "lists and objects within each other"),
        (values, limits.values, "values"),
        (objects, limits.objects, "objects"),
    ] {
        let message = format_args!("{found} {what}: at most {most} are read");
        GltfError::unless(found <= most, "JSON", message)?;
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
