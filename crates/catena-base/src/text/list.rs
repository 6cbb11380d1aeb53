//! Lists of words in sentences.

/// The words as a sentence lists them: `a`, `a and b`, `a, b and c`.
pub fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// A label in quotation marks, for sentences.
pub fn quoted(label: &str) -> String {
    format!("\"{label}\"")
}
