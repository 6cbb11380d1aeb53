//! Words of YAML documents.

use super::printable;

/// A text as a YAML string in double quotes, on one line.
pub fn quoted(text: &str) -> String {
    // A JSON string is one of YAML, and what YAML does not allow bare in it is hidden.
    printable::json(&serde_json::Value::from(text).to_string()).into_owned()
}
