//! Names that nothing else has.

use catena_base::text::printable;
use std::collections::BTreeSet;

/// The names that are taken.
#[derive(Debug, Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    /// The wanted name, on one line and with a number behind it where it is taken. Of nothing comes
    /// `fallback`.
    pub(super) fn take(&mut self, wanted: &str, fallback: &str) -> String {
        self.take_with(printable::line(wanted).trim(), fallback, " ")
    }

    /// The wanted name as an identifier of USD: ASCII letters, digits and underscores, not a digit
    /// in front.
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
        // There is always one more number.
        let free = all.find(|name| !self.0.contains(name)).unwrap_or_default();
        self.0.insert(free.clone());
        free
    }
}
