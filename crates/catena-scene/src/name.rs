//! Scene names, derived from file names and safe as folder names on every system.

use catena_base::text::printable::is_hidden;
use std::path::Path;

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
pub fn of(path: &Path) -> String {
    path.file_stem().map_or(STDIN.into(), |stem| safe(&stem.to_string_lossy()))
}

fn safe(stem: &str) -> String {
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
