//! Strings of YAML documents.

use super::printable;

/// Quotes a text as a one-line YAML string in double quotes.
pub fn quoted(text: &str) -> String {
    // Every JSON string is a YAML string. Characters that YAML forbids unescaped are hidden ones.
    printable::json(&serde_json::Value::from(text).to_string()).into_owned()
}
