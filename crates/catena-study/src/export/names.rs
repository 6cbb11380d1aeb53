//! Unique names.

use catena_base::text::printable;
use std::collections::BTreeSet;

/// Set of used names.
#[derive(Debug, Default)]
pub(super) struct UsedNames(BTreeSet<String>);

impl UsedNames {
    /// Returns the wanted name on one line, with a number appended if it is used. An empty name
    /// becomes `fallback`.
    pub(super) fn take(&mut self, wanted: &str, fallback: &str) -> String {
        self.take_with(printable::line(wanted).trim(), fallback, " ")
    }

    /// Returns the wanted name as a USD identifier: ASCII letters, digits and underscores, without
    /// a leading digit.
    pub(super) fn take_identifier(&mut self, wanted: &str) -> String {
        let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let name: String = wanted.chars().map(letter).collect();
        let is_led_by_digit = name.starts_with(|c: char| c.is_ascii_digit());
        let name = if is_led_by_digit { format!("_{name}") } else { name };
        self.take_with(&name, "_", "_")
    }

    fn take_with(&mut self, wanted: &str, fallback: &str, gap: &str) -> String {
        let wanted = if wanted.is_empty() { fallback } else { wanted };
        let numbered = (2_u64..).map(|number| format!("{wanted}{gap}{number}"));
        let mut all = [wanted.to_owned()].into_iter().chain(numbered);
        // Unreachable default: there is always another number.
        let free = all.find(|name| !self.0.contains(name)).unwrap_or_default();
        self.0.insert(free.clone());
        free
    }
}
