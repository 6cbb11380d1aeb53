//! The `table!` macro, which creates tables of named objects.

/// Creates the table of one kind of object: the list of descriptions, the list of names, and `read`
/// for scenes.
///
/// A line is `module::Type`, which declares the module and exports the type, or `Type` if the type
/// is in scope. Each type must have a constant `INFO`. The standard `Box` has its full path here,
/// because one of the types is called `Box`.
macro_rules! table {
    (
        $(#[$infos_meta:meta])* $infos:ident: $info:ty,
        $(#[$names_meta:meta])* $names:ident,
        $thing:path:
        $($module:ident::$type:ident),+ $(,)?
    ) => {
        $(mod $module; pub use $module::$type;)+

        $crate::named::table! {
            $(#[$infos_meta])* $infos: $info,
            $(#[$names_meta])* $names,
            $thing: $($type),+
        }
    };
    (
        $(#[$infos_meta:meta])* $infos:ident: $info:ty,
        $(#[$names_meta:meta])* $names:ident,
        $thing:path:
        $($type:ident),+ $(,)?
    ) => {
        $(#[$infos_meta])*
        pub const $infos: &[$info] = &[$($type::INFO),+];

        $(#[$names_meta])*
        pub const $names: &[&str] = &[$($type::INFO.name),+];

        /// Reads the options of the object called `name`; `None` if the name is unknown.
        pub fn read<'de, D: serde::Deserializer<'de>>(
            name: &str,
            options: D,
        ) -> Option<Result<std::boxed::Box<dyn $thing>, D::Error>> {
            $(if name == $type::INFO.name {
                return Some(match <$type as serde::Deserialize>::deserialize(options) {
                    Ok(thing) => Ok(std::boxed::Box::new(thing)),
                    Err(error) => Err(error),
                });
            })+
            None
        }
    };
}

pub(crate) use table;
