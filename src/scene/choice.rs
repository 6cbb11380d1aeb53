//! A name with options in parentheses, such as `ConstraintVerlet(damping: 0.00005)`.
//!
//! Which options there are only the named thing knows, so the text is kept as it stands and read in a second
//! step. A name without parentheses means all options at their defaults.

use super::diagnostic::{Fault, fault_of_ron};
use super::layered::Value;
use super::load::ron_options;
use super::locate::locate;
use crate::sim::{Method, SpringLaw, integrator, law, option::BadOption};
use ron::value::RawValue;
use serde::{Deserialize, Deserializer};
use std::{fmt, marker::PhantomData};

/// A table of things that can be named.
pub trait Table {
    /// What comes out.
    type Thing: ?Sized;
    /// What one of them is called in messages.
    const KIND: &'static str;
    /// All names.
    const NAMES: &'static [&'static str];

    /// Reads the options of the thing called `name`; `None` when there is no such thing.
    fn read<'de, D: Deserializer<'de>>(
        name: &str,
        options: D,
    ) -> Option<Result<Box<Self::Thing>, D::Error>>;

    /// Refuses options that are out of range.
    fn check(thing: &Self::Thing) -> Result<(), BadOption>;
}

/// Makes a [`Table`] of a module of `sim` that has one.
macro_rules! table {
    ($(#[$meta:meta])* $name:ident, $kind:literal, $thing:path, $module:ident, $names:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name;

        impl Table for $name {
            type Thing = dyn $thing;
            const KIND: &'static str = $kind;
            const NAMES: &'static [&'static str] = $module::$names;

            fn read<'de, D: Deserializer<'de>>(
                name: &str,
                options: D,
            ) -> Option<Result<Box<Self::Thing>, D::Error>> {
                $module::read(name, options)
            }

            fn check(thing: &Self::Thing) -> Result<(), BadOption> {
                thing.check()
            }
        }
    };
}

table!(/// The methods.
    Methods, "method", Method, integrator, METHOD_NAMES);
table!(/// The spring laws.
    Laws, "spring law", SpringLaw, law, LAW_NAMES);

/// A thing of a table and its options, unread.
pub struct Choice<T> {
    text: String,
    table: PhantomData<T>,
}

impl<T> Clone for Choice<T> {
    fn clone(&self) -> Self {
        Self { text: self.text.clone(), table: PhantomData }
    }
}

impl<T> fmt::Debug for Choice<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<'de, T> Deserialize<'de> for Choice<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Self { text: raw.trim().get_ron().into(), table: PhantomData })
    }
}

impl<T: Table> Value for Choice<T> {
    fn expected() -> String {
        T::NAMES.join(" or ")
    }
}

impl<T: Table> Choice<T> {
    /// Reads the options. A fault's span counts from the start of the written text.
    pub fn read(&self) -> Result<Box<T::Thing>, Fault> {
        let name_end =
            self.text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.text.len());
        let (name, options) = self.text.split_at(name_end);
        let options_text = if options.trim().is_empty() { "()" } else { options };
        if name.is_empty() {
            let help = format!("allowed here: {}", T::NAMES.join(", "));
            let fault = Fault::new(format!("expected the name of a {}, without quotes", T::KIND));
            return Err(fault.help(help).at(0..self.text.len()));
        }

        let mut reader = ron::Deserializer::from_str_with_options(options_text, &ron_options())
            .map_err(|error| fault_of_ron(&error, options_text).moved(name_end))?;
        let thing = match T::read(name, &mut reader) {
            Some(Ok(thing)) => thing,
            Some(Err(error)) => {
                let error = reader.span_error(error);
                return Err(fault_of_ron(&error, options_text).moved(name_end));
            }
            None => return Err(Fault::unknown(T::KIND, name, T::NAMES).at(0..name_end)),
        };
        T::check(&thing).map_err(|bad| {
            let message =
                format!("`{}` of {name} is out of range: expected {}", bad.option, bad.expected);
            let span = locate(options_text, bad.option);
            Fault::new(message).at(span.unwrap_or(0..options_text.len())).moved(name_end)
        })?;
        Ok(thing)
    }
}
