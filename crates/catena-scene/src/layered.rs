//! Structs of optional fields that can be merged layer by layer.
//!
//! The `layered!` macro creates a struct from one table of fields. Merging, the format
//! documentation and the checks of allowed positions are all derived from that table.

use super::diagnostic::Fault;
use super::grammar::{Grammar, Scope};
use super::read::FromRon;

/// Description of a field, for documentation and messages.
#[derive(Clone, Debug)]
pub struct FieldInfo {
    /// Path inside the settings, such as `rope.mass`.
    pub path: String,
    /// Summary of what the field sets.
    pub summary: String,
    /// Unit, or `-`.
    pub unit: &'static str,
    /// Type and range.
    pub expected: String,
    /// Positions where the field is allowed.
    pub scope: Scope,
    /// Grammar of the value.
    pub grammar: Grammar,
}

/// Value of a field.
pub trait FieldValue: Clone + FromRon {
    /// Returns the type and range in words.
    fn expected() -> String;

    /// Returns the grammar of the value, for editors and shells.
    fn grammar() -> Grammar {
        Grammar::Plain
    }

    /// Overrides the value by the fields that `top` sets.
    fn overlay(&mut self, top: &Self) {
        self.clone_from(top);
    }

    /// Unsets the field at a path inside the value.
    fn leave_out(&mut self, _path: &str) {}

    /// Adds the description of the field that holds this value, or of its inner fields.
    fn describe(field: FieldInfo, all: &mut Vec<FieldInfo>) {
        all.push(FieldInfo { expected: Self::expected(), grammar: Self::grammar(), ..field });
    }

    /// Adds path and component count of every vector in the value.
    fn vectors(&self, _path: &str, _all: &mut Vec<(String, usize)>) {}

    /// Adds path and fault of every invalid choice in the value, except in bodies.
    fn check_choices(&self, _path: &str, _faults: &mut Vec<(String, Fault)>) {}

    /// Adds path and scope of every field that is set.
    fn set_paths(&self, path: &str, scope: Scope, all: &mut Vec<(String, Scope)>) {
        all.push((path.into(), scope));
    }
}

/// Returns `prefix.name`, or `name` if the prefix is empty.
pub(super) fn join(prefix: &str, name: &str) -> String {
    if prefix.is_empty() { name.into() } else { format!("{prefix}.{name}") }
}

/// Defines a struct of optional fields. Each field is preceded by its scope and its unit. With
/// `or field: Type`, a bare word instead of the parentheses sets that field.
macro_rules! layered {
    ($(#[$meta:meta])* pub struct $name:ident $(or $word:ident: $word_type:ty)? {
        $($(#[doc = $doc:literal])+ ($scope:ident, $unit:literal) $field:ident: $type:ty,)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default)]
        pub struct $name { $($(#[doc = $doc])+ pub $field: Option<$type>,)+ }

        impl $crate::read::FromRon for $name {
            fn from_ron(node: catena_ron::Node<'_>) -> Result<Self, catena_ron::Fault> {
                let mut all = Self::default();
                $(if node.bracket().is_none() {
                    all.$word = Some($crate::read::FromRon::from_ron(node)?);
                    return Ok(all);
                })?
                const NAMES: &[&str] = &[$(stringify!($field)),+];
                for member in $crate::read::members(node, "", NAMES)? {
                    match member.name() {
                        $(stringify!($field) => {
                            all.$field = Some($crate::read::FromRon::from_ron(member)?);
                        })+
                        _ => {}
                    }
                }
                Ok(all)
            }
        }

        impl $crate::layered::FieldValue for $name {
            fn expected() -> String {
                "fields in parentheses".into()
            }

            fn grammar() -> $crate::grammar::Grammar {
                use $crate::grammar::{Grammar, Member};
                fn members() -> Vec<Member> {
                    vec![$(Member {
                        name: stringify!($field),
                        summary: concat!($($doc),+).trim().into(),
                        expected: <$type as $crate::layered::FieldValue>::expected(),
                        unit: $unit,
                        scope: Some($crate::grammar::Scope::$scope),
                        default: None,
                        grammar: <$type as $crate::layered::FieldValue>::grammar(),
                    }),+]
                }
                let words: &[fn() -> Vec<Grammar>] = &[$(|| {
                    vec![
                        <$word_type as $crate::layered::FieldValue>::grammar(),
                        Grammar::Fields(members),
                    ]
                })?];
                words.first().map_or(Grammar::Fields(members), |words| Grammar::Either(*words))
            }

            fn overlay(&mut self, top: &Self) {
                $(match (&mut self.$field, &top.$field) {
                    (Some(lower), Some(above)) => {
                        $crate::layered::FieldValue::overlay(lower, above);
                    }
                    (lower @ None, Some(above)) => *lower = Some(above.clone()),
                    (_, None) => {}
                })+
            }

            fn leave_out(&mut self, path: &str) {
                let (name, rest) = path.split_once('.').map_or((path, None), |(a, b)| (a, Some(b)));
                match name {
                    $(stringify!($field) => match (rest, &mut self.$field) {
                        (Some(rest), Some(value)) => {
                            $crate::layered::FieldValue::leave_out(value, rest);
                        }
                        (None, field) => *field = None,
                        (Some(_), None) => {}
                    })+
                    _ => {}
                }
            }

            fn describe(
                field: $crate::layered::FieldInfo,
                all: &mut Vec<$crate::layered::FieldInfo>,
            ) {
                $(<$type as $crate::layered::FieldValue>::describe(
                    $crate::layered::FieldInfo {
                        path: $crate::layered::join(&field.path, stringify!($field)),
                        summary: concat!($($doc),+).trim().into(),
                        unit: $unit,
                        expected: String::new(),
                        scope: $crate::grammar::Scope::$scope,
                        grammar: $crate::grammar::Grammar::Plain,
                    },
                    all,
                );)+
            }

            fn check_choices(
                &self,
                path: &str,
                faults: &mut Vec<(String, $crate::diagnostic::Fault)>,
            ) {
                $(if let Some(value) = &self.$field {
                    $crate::layered::FieldValue::check_choices(
                        value,
                        &$crate::layered::join(path, stringify!($field)),
                        faults,
                    );
                })+
            }

            fn vectors(&self, path: &str, all: &mut Vec<(String, usize)>) {
                $(if let Some(value) = &self.$field {
                    $crate::layered::FieldValue::vectors(
                        value,
                        &$crate::layered::join(path, stringify!($field)),
                        all,
                    );
                })+
            }

            fn set_paths(
                &self,
                path: &str,
                _scope: $crate::grammar::Scope,
                all: &mut Vec<(String, $crate::grammar::Scope)>,
            ) {
                $(if let Some(value) = &self.$field {
                    $crate::layered::FieldValue::set_paths(
                        value,
                        &$crate::layered::join(path, stringify!($field)),
                        $crate::grammar::Scope::$scope,
                        all,
                    );
                })+
            }
        }
    };
}
