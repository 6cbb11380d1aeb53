//! Finds where a field stands in RON text. Only for messages and documentation: reading does not need it.

use super::load::ron_options;
use ron::value::RawValue;
use serde::{Deserialize, Deserializer, de};
use std::{fmt, ops::Range};

/// The span of the value at `path`, such as `panels[1].with.rope.pins[0]`; `None` when it is not written.
pub(super) fn locate(text: &str, path: &str) -> Option<Range<usize>> {
    let mut value = text;
    for part in path.split(['.', '[']).filter(|part| !part.is_empty()) {
        let children: Children<'_> = ron_options().from_str(value).ok()?;
        value = match part.strip_suffix(']') {
            Some(index) => children.0.get(index.parse::<usize>().ok()?)?.1,
            None => children.0.iter().find(|(name, _)| name == part)?.1,
        };
    }
    // Children borrow from the text, so their place in it is the distance of the two addresses.
    let start = (value.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    Some(start..start + value.len())
}

/// The values one level down, with their names where they have some.
struct Children<'a>(Vec<(String, &'a str)>);

impl<'de> Deserialize<'de> for Children<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Children<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list or fields in parentheses")
            }

            fn visit_map<A: de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Children<'de>, A::Error> {
                let mut children = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, &RawValue>()? {
                    children.push((name, value.trim().get_ron()));
                }
                Ok(Children(children))
            }

            fn visit_seq<A: de::SeqAccess<'de>>(
                self,
                mut seq: A,
            ) -> Result<Children<'de>, A::Error> {
                let mut children = Vec::new();
                while let Some(value) = seq.next_element::<&RawValue>()? {
                    children.push((String::new(), value.trim().get_ron()));
                }
                Ok(Children(children))
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::locate;

    #[test]
    fn finds_what_is_written_and_nothing_else() {
        let text = "// α\nScene(base: (rope: (pins: [0, 7 /* last */], mass: /* kg */ 2)), panels: [(with: (m: V(d: 1)))])";
        for (path, expected) in [
            ("base.rope.pins[1]", Some("7")),
            ("base.rope.pins", Some("[0, 7 /* last */]")),
            ("base.rope.mass", Some("2")),
            ("panels[0].with.m", Some("V(d: 1)")),
            ("base.rope.nodes", None),
            ("panels[1]", None),
        ] {
            assert_eq!(locate(text, path).map(|span| &text[span]), expected, "{path}");
        }
    }
}
