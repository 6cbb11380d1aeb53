//! Labels that run from right to left in English sentences.

/// Characters that isolate the direction of the text between them.
const ISOLATE: [char; 2] = ['\u{2068}', '\u{2069}'];

/// Isolates the labels in quotation marks that have letters from right to left, so that the words
/// and numbers around them keep their order. For pages, not for terminals.
pub fn isolated(text: &str) -> String {
    if !text.contains(is_right_to_left) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 12);
    for (index, part) in text.split('"').enumerate() {
        if index > 0 {
            out.push('"');
        }
        let is_label = index % 2 == 1 && part.contains(is_right_to_left);
        let [before, after] = ISOLATE;
        match is_label {
            true => out.extend([before].into_iter().chain(part.chars()).chain([after])),
            false => out += part,
        }
    }
    out
}

/// Whether a character is in a block of scripts from right to left: Hebrew, Arabic, Syriac, Thaana,
/// N'Ko and others.
fn is_right_to_left(letter: char) -> bool {
    matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}
