//! Scene texts and their names, and detection of bytes that are not text.
//!
//! A name is derived from the file name and is safe as a folder name on every system.

use super::diagnostic::Fault;
use super::error::SceneError;
use super::limits::{LIFT, Limits};
use catena_base::text::printable::is_hidden;
use std::path::Path;

/// Text of a scene with its name and its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneText {
    /// Name of the text in messages: the path as it was given, or `standard input`.
    pub origin: String,
    /// Name of the scene: the file name without its extension.
    pub name: String,
    /// Text without a byte-order mark.
    pub text: String,
}

impl SceneText {
    /// Returns the name of the scene in a file, which is also the name of its folder below `out`.
    pub fn name_of(path: &Path) -> String {
        scene_name(path)
    }

    /// Creates a scene text from the contents of an editor, which may be unsaved.
    ///
    /// # Errors
    /// Returns an error when the text is empty or exceeds `limits.file_bytes`.
    pub fn of_text(path: &Path, text: &str, limits: &Limits) -> Result<Self, SceneError> {
        let (origin, name) = (path.display().to_string(), scene_name(path));
        Self::of_bytes(origin, name, text.into(), limits.file_bytes)
    }

    /// Returns the error of a text of more than `maximum` bytes.
    pub fn too_long(origin: &str, maximum: u64) -> SceneError {
        let fault = Fault::new(format!("the file is larger than the limit of {maximum} bytes"));
        SceneError::new(origin, "", fault.help(LIFT))
    }

    /// Decodes a scene of at most `maximum` bytes, which must be UTF-8 and not empty.
    pub(super) fn of_bytes(
        origin: String,
        name: String,
        bytes: Vec<u8>,
        maximum: u64,
    ) -> Result<Self, SceneError> {
        if bytes.len() as u64 > maximum {
            return Err(Self::too_long(&origin, maximum));
        }
        let text = decoded(&origin, bytes)?;
        Ok(Self { origin, name, text })
    }
}

/// Returns the type of a file that is not text, and advice if any. Returns `None` for text.
pub(super) fn no_text(bytes: &[u8]) -> Option<(&'static str, Option<&'static str>)> {
    const KINDS: [(&[u8], &str); 6] = [
        (b"\x89PNG", "a PNG picture"),
        (b"\xff\xd8\xff", "a JPEG picture"),
        (b"GIF8", "a GIF picture"),
        (b"glTF", "a glTF file"),
        (b"\x1f\x8b", "a compressed file"),
        (b"PK\x03\x04", "a zip file"),
    ];
    let known = KINDS.iter().find(|(start, _)| bytes.starts_with(start));
    if let Some((_, what)) = known {
        return Some((what, None));
    }
    let start = &bytes[..bytes.len().min(4096)];
    // In UTF-16 without a byte-order mark, Latin characters have a zero in every second byte.
    let is_wide = |first: usize| {
        let zeros = start.iter().skip(first).step_by(2).filter(|byte| **byte == 0).count();
        zeros > 0 && 4 * zeros > start.len()
    };
    let is_marked = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    if is_marked || is_wide(0) != is_wide(1) {
        let help = "save it with the encoding UTF-8";
        return Some(("text in UTF-16", Some(help)));
    }
    start.contains(&0).then_some(("a binary file", None))
}

/// Decodes the bytes of a file. Text that is not UTF-8 or is empty is an error.
fn decoded(origin: &str, bytes: Vec<u8>) -> Result<String, SceneError> {
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let good = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            let fault = Fault::new("the file is not UTF-8 text");
            if let Some((what, help)) = no_text(error.as_bytes()) {
                let help = help.unwrap_or("specify a scene, a text file that ends in .ron");
                let fault = Fault::new(format!("this is {what}, not a scene file"));
                return Err(SceneError::new(origin, "", fault.help(help)));
            }
            let fault = fault.at(good..good + '\u{fffd}'.len_utf8());
            return Err(SceneError::new(origin, &text, fault.help("save it as UTF-8")));
        }
    };
    let text = text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_owned);
    if text.trim().is_empty() {
        let fault = Fault::new("the file is empty").at(0..0);
        let help = "the shortest scene is `Scene()`; see docs/scene-format.md";
        return Err(SceneError::new(origin, &text, fault.help(help)));
    }
    Ok(text)
}

/// Name of a scene without a file, or whose file name has no usable character.
pub(super) const STDIN: &str = "scene";

/// Maximum length of a name in bytes. With an extension it must stay below the 255 bytes of file
/// systems.
const LONGEST: usize = 200;

/// Returns the scene name of a file: the file name without its extension.
///
/// The name cannot lead out of the folder that it is joined to. Characters that are invalid or
/// special on some system become `_`. Leading dots and spaces are removed, as are trailing ones.
/// Names of Windows devices get a `_` at the end.
pub fn scene_name(path: &Path) -> String {
    path.file_stem().map_or(STDIN.into(), |stem| safe_name(&stem.to_string_lossy()))
}

fn safe_name(stem: &str) -> String {
    let is_bad = |c: char| is_hidden(c) || "/\\:*?\"<>|\u{fffd}".contains(c);
    let name: String = stem.chars().map(|c| if is_bad(c) { '_' } else { c }).collect();
    let name = name.trim_start_matches(['.', ' ']);
    let name = name[..name.floor_char_boundary(LONGEST)].trim_end_matches(['.', ' ']);
    match name {
        "" => STDIN.into(),
        device if is_device(device) => format!("{device}_"),
        name => name.into(),
    }
}

/// Whether Windows reserves a name for a device, with any extension.
fn is_device(name: &str) -> bool {
    let first = name.split('.').next().unwrap_or(name).trim_end().to_ascii_uppercase();
    match first.as_str() {
        "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$" => true,
        port => {
            let number = port.strip_prefix("COM").or_else(|| port.strip_prefix("LPT"));
            number.is_some_and(|n| {
                matches!(
                    n,
                    "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³"
                )
            })
        }
    }
}
