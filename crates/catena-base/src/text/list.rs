//! Lists of words in sentences.

/// Joins words into a list for a sentence: `a`, `a and b`, `a, b and c`.
pub fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// Puts a label in double quotation marks, for a sentence.
pub fn quoted(label: &str) -> String {
    format!("\"{label}\"")
}
