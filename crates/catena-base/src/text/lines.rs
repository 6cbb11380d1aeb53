//! Lines of a text, numbered as editors number them.

/// Iterates over the lines of a text with their numbers, from 1. A line ends with a line feed, a
/// carriage return, or both.
pub fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = Some(text).filter(|text| !text.is_empty());
    let lines = std::iter::from_fn(move || {
        let text = rest?;
        let Some((line, after)) = text.find(['\n', '\r']).map(|end| text.split_at(end)) else {
            rest = None;
            return Some(text);
        };
        let after = after.strip_prefix("\r\n").unwrap_or_else(|| &after[1..]);
        rest = Some(after).filter(|after| !after.is_empty());
        Some(line)
    });
    (1..).zip(lines)
}
