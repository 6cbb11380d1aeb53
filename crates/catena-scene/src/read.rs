//! Reads RON level by level: first the fields of a struct, then each value from its own piece of
//! text.
//!
//! Every fault is then known with its place in the text. The program also stays small: only values
//! are read through serde, and not every struct once for each kind of reader.

use super::diagnostic::{Fault, fault_of_ron};
use super::token::comment_length;
use ron::{Options, extensions::Extensions, value::RawValue};
use serde::{
    Deserialize, Deserializer,
    de::{self, DeserializeOwned},
};
use std::{fmt, ops::Range};

/// How RON is read everywhere: optional fields are written without `Some`.
pub(super) fn ron_options() -> Options {
    Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}

/// A value that can be read from RON.
pub trait FromRon: Sized {
    /// Reads the whole text as a value. A fault's span counts from the start of the text.
    ///
    /// # Errors
    /// When the text is not such a value.
    fn from_ron(text: &str) -> Result<Self, Fault>;
}

impl<T: DeserializeOwned> FromRon for T {
    fn from_ron(text: &str) -> Result<Self, Fault> {
        ron_options().from_str(text).map_err(|error| fault_of_ron(&error, text))
    }
}

/// A list whose elements are read one by one.
#[derive(Clone, Debug)]
pub struct List<T>(pub Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: FromRon> FromRon for List<T> {
    fn from_ron(text: &str) -> Result<Self, Fault> {
        if !bare(text).starts_with('[') {
            return Err(Fault::new("expected a list in brackets: […]").at(0..text.len()));
        }
        let all = children(text)?;
        let element = |child: Child<'_>| {
            T::from_ron(child.value).map_err(|fault| fault.moved(start_in(text, child.value)))
        };
        all.into_iter().map(element).collect::<Result<_, _>>().map(Self)
    }
}

/// A value that may be left out.
#[derive(Clone, Debug)]
pub struct Optional<T>(pub Option<T>);

impl<T> Default for Optional<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: FromRon> FromRon for Optional<T> {
    fn from_ron(text: &str) -> Result<Self, Fault> {
        T::from_ron(text).map(|value| Self(Some(value)))
    }
}

/// A value one level down.
pub(super) struct Child<'a> {
    /// Its name; empty in a list.
    pub(super) name: String,
    /// Its text.
    pub(super) value: &'a str,
}

/// The values one level down.
///
/// # Errors
/// When the syntax is wrong, or the text is neither a list nor fields in parentheses.
pub(super) fn children(text: &str) -> Result<Vec<Child<'_>>, Fault> {
    let all: Children<'_> =
        ron_options().from_str(text).map_err(|error| fault_of_ron(&error, text))?;
    Ok(all.0)
}

/// The fields of a struct: names, texts and starts of their values. Each name is one of `names` and
/// written once.
///
/// # Errors
/// When the text is not a struct, or a field is unknown or written twice.
pub(super) fn members<'a>(
    text: &'a str,
    title: &str,
    names: &'static [&'static str],
) -> Result<Vec<(String, &'a str, usize)>, Fault> {
    let body = bare(text);
    let body = body.strip_prefix(title).unwrap_or(body).trim_start();
    let refused =
        || Fault::new("expected fields in parentheses: (name: value, …)").at(0..text.len());
    if body.starts_with('{') {
        return Err(refused().help("write ( ) in place of { }, and names without quotes"));
    }
    let all = children(text)?;
    if !body.starts_with('(') {
        return Err(refused());
    }
    if let Some(child) = all.iter().find(|child| child.name.is_empty()) {
        let start = start_in(text, child.value);
        let fault = refused().at(start..start + child.value.len());
        return Err(match child.value.starts_with('{') {
            true => fault.help("write ( ) in place of { }, and names without quotes"),
            false => fault.help("this value has no name: a field is written `name: value`"),
        });
    }
    let mut found: Vec<(String, &str, usize)> = Vec::with_capacity(all.len());
    for Child { name, value } in all {
        let place = name_place(text, &name, value);
        if !names.contains(&name.as_str()) {
            return Err(Fault::unknown_field(&name, names).at(place));
        }
        if found.iter().any(|(other, ..)| *other == name) {
            let fault = Fault::new(format!("`{name}` is written twice"));
            return Err(fault.help("keep one of the two").at(place));
        }
        found.push((name, value, start_in(text, value)));
    }
    Ok(found)
}

/// A text without leading spaces and comments.
pub(super) fn bare(text: &str) -> &str {
    let mut rest = text.trim_start();
    while let Some(length) = comment_length(rest) {
        rest = rest[length..].trim_start();
    }
    rest
}

/// Where a piece of a text begins in it: the distance of the addresses, since the piece borrows
/// from the text.
pub(super) fn start_in(text: &str, piece: &str) -> usize {
    (piece.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// The span of a field's name, which stands before its value.
pub(super) fn name_place(text: &str, name: &str, value: &str) -> Range<usize> {
    let end = start_in(text, value).min(text.len());
    let start = text[..end].rfind(name).unwrap_or(end);
    start..(start + name.len()).min(text.len())
}

/// The values one level down, as serde reads them.
struct Children<'a>(Vec<Child<'a>>);

impl<'de> Deserialize<'de> for Children<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Children<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list or fields in parentheses")
            }

            fn visit_unit<E: de::Error>(self) -> Result<Children<'de>, E> {
                Ok(Children(Vec::new()))
            }

            fn visit_map<A: de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Children<'de>, A::Error> {
                let mut children = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, &RawValue>()? {
                    children.push(Child { name, value: value.trim().get_ron() });
                }
                Ok(Children(children))
            }

            fn visit_seq<A: de::SeqAccess<'de>>(
                self,
                mut seq: A,
            ) -> Result<Children<'de>, A::Error> {
                let mut children = Vec::new();
                while let Some(value) = seq.next_element::<&RawValue>()? {
                    children.push(Child { name: String::new(), value: value.trim().get_ron() });
                }
                Ok(Children(children))
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

/// Says which fields an entry of a list has.
macro_rules! entry_fields {
    ($name:ident { $($field:ident: $type:ty, $doc:expr;)+ }) => {
        impl $crate::entries::Entry for $name {
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

/// Makes a struct that is read as a whole, of fields some of which must be written.
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

/// Makes a struct whose fields may all be left out, and its reader.
macro_rules! readable {
    ($(#[$meta:meta])* pub struct $name:ident {
        $($(#[doc = $doc:literal])+ $field:ident: $type:ty,)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default)]
        pub struct $name { $($(#[doc = $doc])+ pub $field: $type,)+ }

        entry_fields!($name { $($field: $type, concat!($($doc),+);)+ });

        impl $crate::read::FromRon for $name {
            fn from_ron(text: &str) -> Result<Self, $crate::diagnostic::Fault> {
                let mut all = Self::default();
                const NAMES: &[&str] = &[$(stringify!($field)),+];
                for (name, value, start) in $crate::read::members(text, "Scene", NAMES)? {
                    match name.as_str() {
                        $(stringify!($field) => {
                            all.$field = $crate::read::FromRon::from_ron(value)
                                .map_err(|fault| fault.moved(start))?;
                        })+
                        _ => {}
                    }
                }
                Ok(all)
            }
        }
    };
}
