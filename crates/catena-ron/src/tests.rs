//! Compares the tree with RON's own reading of valid texts, and parses arbitrary texts.

use crate::{Context, Node, Tree, format, locate, path_at, syntax_fault, tokens};
use ron::value::RawValue;
use serde::{Deserialize, Deserializer, de};
use std::fmt;

/// Names and texts of entries as the crate `ron` reads them.
struct Entries<'a>(Vec<(String, &'a str)>);

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("entries in brackets")
            }

            fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
                Ok(Entries(Vec::new()))
            }

            fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut all = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, &RawValue>()? {
                    all.push((name, value.trim().get_ron()));
                }
                Ok(Entries(all))
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut all = Vec::new();
                while let Some(value) = seq.next_element::<&RawValue>()? {
                    all.push((String::new(), value.trim().get_ron()));
                }
                Ok(Entries(all))
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

/// Compares a value and all inner values with RON's reading; returns their number.
fn compare(node: Node<'_>) -> usize {
    let Ok(Entries(expected)) = ron::from_str(node.text()) else {
        assert_eq!(node.entries().count(), 0, "{}", node.text());
        return 1;
    };
    let found: Vec<_> = node.entries().map(|it| (it.name().to_owned(), it.text())).collect();
    assert_eq!(found, expected, "{}", node.text());
    1 + node.entries().map(compare).sum::<usize>()
}

/// A valid text with all features of RON.
const VALID: &str = r##"/* one /* two */ */ Scene( // what follows
    base: (rope: (pins: [0, -1, First, ], law: Exponential(alpha: 2e-1,), end: (1, .5)),
        r#type: 'a', quote: ')', comma: ',', none: None, some: Some((a: 1)), unit: (), word: Word),
    titles: ["a \"(\" b", r#"raw ")" text"#, b"bytes", "line
    break", ""], map: {"a.b": [], "c": {}, "d": Log (1, 2)}, 名: "größe",
    deep: [[[[(((1,),),)]]]],
)
"##;

#[test]
fn the_tree_is_what_ron_reads() {
    let tree = Tree::parse(VALID);
    assert!(RawValue::from_ron(VALID).is_ok());
    assert_eq!(compare(tree.root()), 40);
    let pieces: String = tokens(VALID, 0).map(|(_, place)| &VALID[place]).collect();
    assert_eq!(pieces, VALID);
}

#[test]
fn any_text_is_read() {
    let mut texts: Vec<String> = (0..=VALID.len())
        .filter(|at| VALID.is_char_boundary(*at))
        .flat_map(|at| [VALID[..at].to_owned(), VALID[at..].to_owned()])
        .collect();
    let signs = ["(", ")", "[", "]", "{", "}", ",", ":", "\"", "'", "a", "1", "#", "/*", "= ", "ß"];
    let pairs = signs.iter().flat_map(|a| signs.iter().map(move |b| format!("{a}{b}")));
    let pairs: Vec<String> = pairs.collect();
    texts.extend(pairs.iter().flat_map(|a| pairs.iter().map(move |b| format!("(x: {a}{b}"))));
    texts.push("([{".repeat(10_000));
    for text in &texts {
        let _ = (syntax_fault(text), format(text), path_at(text, text.len() / 2));
        for at in [0, text.len() / 2, text.len()] {
            let context = Context::at(text, at);
            let _ = (context.slot(), context.siblings(), context.entry());
        }
    }
}

#[test]
fn paths_lead_to_what_is_written_and_nothing_else() {
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
        if let Some(span) = locate(text, path) {
            assert!(path_at(text, span.start).starts_with(path), "{path}");
        }
    }
}

#[test]
fn texts_need_not_be_whole() {
    for (text, path, expected) in [
        ("(a: (b: 1, c: [2", "a.c[0]", Some("2")),
        ("(a: (b: [1), d: 4)", "d", Some("4")),
        ("(a: 1 b: 2, c: 3)", "c", Some("3")),
        (")(a: '(', b: 2", "b", Some("2")),
        ("(a: {1: 2}, b: \"(\", c: /* ) */ 3)", "c", Some("3")),
        ("", "a", None),
        (":,,(:", "a", None),
    ] {
        assert_eq!(locate(text, path).map(|span| &text[span]), expected, "{text}");
    }
}

#[test]
fn all_spaces_of_ron_separate_tokens() {
    for space in ['\t', '\u{b}', '\u{c}', '\u{85}', '\u{200e}', '\u{200f}', '\u{2028}', '\u{2029}']
    {
        let text = format!(
            "(base:{space}({space}nodes{space}: 8,{space}),{space}pins: [1,{space}2,{space}])"
        );
        assert_eq!(compare(Tree::parse(text.as_str()).root()), 6, "{text:?}");
    }
}

#[test]
fn brackets_without_partners_are_passed_over() {
    let text = "[".repeat(1 << 16) + &")".repeat(1 << 16);
    let tree = Tree::parse(text.as_str());
    assert_eq!(tree.root().entries().count(), 1);
}
