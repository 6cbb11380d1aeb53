//! Names of files with backslashes, which separate folders on one system alone and begin escapes
//! in texts.

/// Endings of files that scenes name.
const ENDINGS: [&str; 8] = [".csv", ".glb", ".gltf", ".json", ".obj", ".ron", ".tsv", ".txt"];

/// The advice for a name that was read, where backslashes or what they were read as stand in it.
pub(super) fn advice(name: &str) -> Option<String> {
    let slashed = slashed(name);
    (slashed != name).then(|| format!("write / between folders: \"{slashed}\""))
}

/// The advice for a text as it is written, between its quotes, if it is the name of a file.
pub(super) fn advice_as_written(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let is_name = ENDINGS.iter().any(|ending| lower.ends_with(ending));
    let parts: Vec<&str> = text.split('\\').filter(|part| !part.is_empty()).collect();
    let name = parts.join("/");
    (is_name && name != text).then(|| format!("write / between folders: \"{name}\""))
}

/// A name with `/` in place of backslashes, and of the letters that a backslash and the letter
/// behind it stand for.
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
