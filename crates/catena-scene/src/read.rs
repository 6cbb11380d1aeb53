//! Reads RON level by level: first the fields of a struct in the syntax tree, then each value from
//! its own piece of text.
//!
//! Every fault then has a span in the text. The executable is also smaller: only values are
//! deserialised by serde, not every struct for each kind of reader.

use catena_ron::fault::{Fault, fault_of_ron};
use catena_ron::{Node, Tree, syntax_fault};
use ron::{Options, extensions::Extensions, value::RawValue};
use serde::{
    Deserialize, Deserializer,
    de::{self, DeserializeOwned},
};
use std::fmt;
use std::ops::Range;

/// Options for all RON texts: optional fields are written without `Some`.
pub(super) fn ron_options() -> Options {
    Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}

/// Rejects a text that is not valid RON. `advise` may add advice to a fault that only RON detects.
///
/// # Errors
/// Returns the syntax error.
pub(super) fn check_syntax(text: &str, advise: impl Fn(Fault) -> Fault) -> Result<(), Fault> {
    let Err(error) = RawValue::from_ron(text) else { return Ok(()) };
    Err(syntax_fault(text).unwrap_or_else(|| {
        // RON reports better spans for single entries than for the whole text.
        let entries = deserialised::<Entries>(text, 0).err();
        advise(entries.unwrap_or_else(|| fault_of_ron(&error, text)))
    }))
}

/// Value that can be read from valid RON.
pub trait FromRon: Sized {
    /// Reads a value. Spans of faults are relative to the text of the syntax tree.
    ///
    /// # Errors
    /// Returns a fault when the text has another form.
    fn from_ron(node: Node<'_>) -> Result<Self, Fault>;
}

impl<T: DeserializeOwned> FromRon for T {
    fn from_ron(node: Node<'_>) -> Result<Self, Fault> {
        deserialised(node.text(), node.start())
    }
}

/// Deserialises the part of a text that starts at the byte `start`.
pub(super) fn deserialised<T: DeserializeOwned>(part: &str, start: usize) -> Result<T, Fault> {
    ron_options().from_str(part).map_err(|error| fault_of_ron(&error, part).moved(start))
}

/// Reads a whole text as a value.
pub(super) fn read_text<T: FromRon>(text: &str) -> Result<T, Fault> {
    T::from_ron(Tree::parse(text).root())
}

/// List whose elements are read one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List<T>(pub Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: FromRon> FromRon for List<T> {
    fn from_ron(node: Node<'_>) -> Result<Self, Fault> {
        if !node.opens('[') {
            return Err(Fault::new("expected a list in brackets: […]").at(node.span()));
        }
        node.entries().map(T::from_ron).collect::<Result<_, _>>().map(Self)
    }
}

/// Optional value.
#[derive(Clone, Debug)]
pub struct Optional<T>(pub Option<T>);

impl<T> Default for Optional<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: FromRon> FromRon for Optional<T> {
    fn from_ron(node: Node<'_>) -> Result<Self, Fault> {
        T::from_ron(node).map(|value| Self(Some(value)))
    }
}

/// Reads a whole number. `what` names it in the message, such as "the number of values".
///
/// # Errors
/// Returns a fault when the value is not a whole number of at least `minimum`.
pub(super) fn whole(node: Node<'_>, what: &str, minimum: u64) -> Result<u64, Fault> {
    let number = u64::from_ron(node).ok().filter(|number| *number >= minimum);
    number.ok_or_else(|| {
        let found = node.text().trim();
        let range = format!("expected a whole number of at least {minimum}");
        Fault::new(format!("{range} for {what}, found {found}")).at(node.span())
    })
}

/// Returns the children of a value.
///
/// # Errors
/// Returns a fault when the value is neither a list nor fields in parentheses.
pub(super) fn children(node: Node<'_>) -> Result<Vec<Node<'_>>, Fault> {
    if node.bracket().is_none() || node.head() == "Some" {
        // RON's message names the type that was found.
        deserialised::<Entries>(node.text(), node.start())?;
    }
    Ok(node.entries().collect())
}

/// Returns the fields of a struct. Each name must be one of `names` and occur once.
///
/// # Errors
/// Returns a fault when the value is not a struct, or a field is unknown or repeated.
pub(super) fn members<'a>(
    node: Node<'a>,
    title: &str,
    names: &'static [&'static str],
) -> Result<Vec<Node<'a>>, Fault> {
    const BRACES: &str = "write ( ) instead of { }, and names without quotes";
    let refused = |span: Range<usize>| {
        Fault::new("expected fields in parentheses: (name: value, …)").at(span)
    };
    if node.opens('{') {
        return Err(refused(node.span()).help(BRACES));
    }
    let all = children(node)?;
    if node.bracket() != Some('(') || !["", title].contains(&node.head()) {
        return Err(refused(node.span()));
    }
    if let Some(child) = all.iter().find(|child| child.name().is_empty()) {
        let help = match child.opens('{') {
            true => BRACES,
            false => "this value has no name: write a field as `name: value`",
        };
        return Err(refused(child.span()).help(help));
    }
    for (index, child) in all.iter().enumerate() {
        let name = child.name();
        if !names.contains(&name) {
            return Err(Fault::unknown_field(name, names).at(child.name_place()));
        }
        if all[..index].iter().any(|other| other.name() == name) {
            let message = format!("`{name}` is written twice");
            return Err(Fault::with_help(child.name_place(), message, "keep one of the two"));
        }
    }
    Ok(all)
}

/// Returns the name of a value as a string, such as a key of a map.
///
/// # Errors
/// Returns a fault when the name is not a string.
pub(super) fn key(node: Node<'_>) -> Result<String, Fault> {
    let (name, start) = node.written_name();
    deserialised(name, start)
}

/// Returns the text before the first parenthesis of a value, and its span.
pub(super) fn title(node: Node<'_>) -> Option<(&str, Range<usize>)> {
    let start = node.bare_span().start;
    let before = node.text()[start - node.start()..].split_once('(')?.0;
    Some((before.trim(), start..start + before.len()))
}

/// Deserialises entries in brackets, or a single word, and discards them.
struct Entries;

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list or fields in parentheses")
            }

            fn visit_unit<E: de::Error>(self) -> Result<Entries, E> {
                Ok(Entries)
            }

            fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                while map.next_entry::<String, &RawValue>()?.is_some() {}
                Ok(Entries)
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<Entries, A::Error> {
                while seq.next_element::<&RawValue>()?.is_some() {}
                Ok(Entries)
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

/// Generates the descriptions of an entry's fields.
macro_rules! entry_fields {
    ($name:ident { $($field:ident: $type:ty, $doc:expr;)+ }) => {
        impl $crate::entry::Entry for $name {
            fn in_words() -> String {
                "fields in parentheses".into()
            }

            fn inside() -> $crate::grammar::Grammar {
                use $crate::grammar::{Grammar, Member};
                fn members() -> Vec<Member> {
                    vec![$(Member::of_entry::<$type>(stringify!($field), $doc)),+]
                }
                Grammar::Fields(members)
            }
        }
    };
}

/// Generates a struct that is deserialised as a whole, with required and optional fields.
macro_rules! entry {
    ($(#[$meta:meta])* pub struct $name:ident {
        $($(#[doc = $doc:literal])+ $(#[serde($default:ident)])? pub $field:ident: $type:ty,)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[doc = $doc])+ $(#[serde($default)])? pub $field: $type,)+
        }

        entry_fields!($name { $($field: $type, concat!($($doc),+);)+ });
    };
}

/// Generates a struct of optional fields, and its reader.
macro_rules! readable {
    ($(#[$meta:meta])* pub struct $name:ident {
        $($(#[doc = $doc:literal])+ $field:ident: $type:ty,)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default)]
        pub struct $name { $($(#[doc = $doc])+ pub $field: $type,)+ }

        entry_fields!($name { $($field: $type, concat!($($doc),+);)+ });

        impl $crate::read::FromRon for $name {
            fn from_ron(node: catena_ron::Node<'_>) -> Result<Self, catena_ron::Fault> {
                let mut all = Self::default();
                const NAMES: &[&str] = &[$(stringify!($field)),+];
                for member in $crate::read::members(node, "Scene", NAMES)? {
                    match member.name() {
                        $(stringify!($field) => {
                            all.$field = $crate::read::FromRon::from_ron(member)?;
                        })+
                        _ => {}
                    }
                }
                Ok(all)
            }
        }
    };
}
