//! Lists of words in sentences.

/// Joins words into a list for a sentence: `a`, `a and b`, `a, b and c`.
pub fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// Puts a label in double quotation marks, for a sentence.
pub fn quoted(label: &str) -> String {
    format!("\"{label}\"")
}
