//! Finds fields by their paths in RON text, for messages and documentation.

use super::read::{Child, children, name_place, start_in};
use std::ops::Range;

/// The span of the value at `path`, such as `panels[1].with.rope.pins[0]`, in bytes; `None` if the
/// text does not set it.
pub fn locate(text: &str, path: &str) -> Option<Range<usize>> {
    let mut value = text;
    for part in path.split(['.', '[']).filter(|part| !part.is_empty()) {
        let children = children(value).ok()?;
        value = match part.strip_suffix(']') {
            Some(index) => children.get(index.parse::<usize>().ok()?)?.value,
            None => children.iter().find(|child| child.name == part)?.value,
        };
    }
    let start = start_in(text, value);
    Some(start..start + value.len())
}

/// The path of the innermost value around a byte of the text, such as `base.rope.pins[0]`.
pub fn path_at(text: &str, offset: usize) -> String {
    let mut path = String::new();
    let mut value = text;
    loop {
        let at = offset.saturating_sub(start_in(text, value));
        let Ok(all) = children(value) else { return path };
        let holds = |child: &&Child<'_>| {
            let place = name_place(value, &child.name, child.value);
            let end = start_in(value, child.value) + child.value.len();
            (place.start..end.max(place.start + 1)).contains(&at)
        };
        let Some(index) = all.iter().position(|child| holds(&child)) else { return path };
        let child = &all[index];
        match child.name.as_str() {
            "" => path += &format!("[{index}]"),
            name if path.is_empty() => path += name,
            name => path += &format!(".{name}"),
        }
        value = child.value;
    }
}
