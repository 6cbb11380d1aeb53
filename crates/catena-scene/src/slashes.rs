//! Backslashes in file names. They separate folders only on Windows, and start escapes in strings.

/// Extensions of files that scenes name.
const ENDINGS: [&str; 8] = [".csv", ".glb", ".gltf", ".json", ".obj", ".ron", ".tsv", ".txt"];

/// Returns advice for a parsed file name that contains backslashes or characters from escapes.
pub(super) fn advice(name: &str) -> Option<String> {
    let slashed = slashed(name);
    (slashed != name).then(|| format!("write / between folders: \"{slashed}\""))
}

/// Returns advice for the text between quotes, if it is a file name with backslashes.
pub(super) fn advice_as_written(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let is_name = ENDINGS.iter().any(|ending| lower.ends_with(ending));
    let parts: Vec<&str> = text.split('\\').filter(|part| !part.is_empty()).collect();
    let name = parts.join("/");
    (is_name && name != text).then(|| format!("write / between folders: \"{name}\""))
}

/// Returns a name with `/` in place of backslashes. A character from an escape is replaced by `/`
/// and the escape's letter.
fn slashed(name: &str) -> String {
    let mut slashed = String::with_capacity(name.len());
    for letter in name.chars() {
        match letter {
            '\\' => slashed.push('/'),
            '\n' => slashed += "/n",
            '\r' => slashed += "/r",
            '\t' => slashed += "/t",
            '\0' => slashed += "/0",
            other => slashed.push(other),
        }
    }
    slashed
}
