//! A name with options in parentheses, such as `ConstraintVerlet(damping: 0.00005)`.
//!
//! Which options there are only the named thing knows, so the text is kept as it stands and read in a second
//! step. A name without parentheses means all options at their defaults.

use super::diagnostic::{Fault, fault_of_ron};
use super::layered::Value;
use super::load::ron_options;
use super::locate::locate;
use super::read::{Child, children, start_in};
use crate::sim::{
    Collider, Curve, Method, SpringLaw, StepControl,
    body::material::{self, Material},
    contact::collider,
    drive::curve,
    force::{
        applied::{self, AppliedForce},
        law,
    },
    method::{self, control},
    named::BadOption,
};
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

    /// Refuses options that do not fit a body of so many nodes in a space of so many axes.
    fn fits(thing: &Self::Thing, axes: usize, nodes: usize) -> Result<(), BadOption>;
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

            fn fits(thing: &Self::Thing, axes: usize, nodes: usize) -> Result<(), BadOption> {
                thing.fits(axes, nodes)
            }
        }
    };
}

table!(/// The methods.
    Methods, "method", Method, method, METHOD_NAMES);
table!(/// The spring laws.
    Laws, "spring law", SpringLaw, law, LAW_NAMES);
table!(/// The curves.
    Curves, "curve", Curve, curve, CURVE_NAMES);
table!(/// The colliders.
    Colliders, "collider", Collider, collider, COLLIDER_NAMES);
table!(/// The forces that a scene lists.
    Forces, "force", AppliedForce, applied, FORCE_NAMES);
table!(/// The materials.
    Materials, "material", Material, material, MATERIAL_NAMES);
table!(/// The step controls.
    StepControls, "step control", StepControl, control, STEP_CONTROL_NAMES);

/// A list of choices; it is replaced as a whole.
pub struct Choices<T>(pub Vec<Choice<T>>);

impl<T> Clone for Choices<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> fmt::Debug for Choices<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0).finish()
    }
}

impl<'de, T> Deserialize<'de> for Choices<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self)
    }
}

impl<T: Table> Value for Choices<T> {
    fn expected() -> String {
        format!("a list, each a {} and its options, listed by `catena methods`", T::KIND)
    }

    fn check_choices(&self, path: &str, faults: &mut Vec<(String, Fault)>) {
        for (index, choice) in self.0.iter().enumerate() {
            choice.check_choices(&format!("{path}[{index}]"), faults);
        }
    }
}

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
        format!("a {} and its options, listed by `catena methods`", T::KIND)
    }

    fn check_choices(&self, path: &str, faults: &mut Vec<(String, Fault)>) {
        if let Err(fault) = self.read() {
            faults.push((path.into(), fault));
        }
    }
}

impl<T> Choice<T> {
    /// Bytes of the written text.
    pub(super) fn length(&self) -> usize {
        self.text.len()
    }
}

impl<T: Table> Choice<T> {
    /// Reads the options. A fault's span counts from the start of the written text.
    pub fn read(&self) -> Result<Box<T::Thing>, Fault> {
        let (name, options) = self.split();
        let options_text = if options.trim().is_empty() { "()" } else { options };
        if name.is_empty() {
            let help = format!("allowed here: {}", T::NAMES.join(", "));
            let fault = Fault::new(format!("expected the name of a {}, without quotes", T::KIND));
            return Err(fault.help(help).at(0..self.text.len()));
        }

        let mut reader = ron::Deserializer::from_str_with_options(options_text, &ron_options())
            .map_err(|error| fault_of_ron(&error, options_text).moved(name.len()))?;
        let thing = match T::read(name, &mut reader) {
            Some(Ok(thing)) => thing,
            Some(Err(error)) => {
                let fault = fault_of_ron(&reader.span_error(error), options_text);
                return Err(named(fault, name, options_text).moved(name.len()));
            }
            None => return Err(Fault::unknown(T::KIND, name, T::NAMES).at(0..name.len())),
        };
        T::check(&thing).map_err(|bad| self.out_of_range(&bad))?;
        Ok(thing)
    }

    /// The same, and refuses what does not fit a body of so many nodes in a space of so many axes.
    pub fn read_for(&self, axes: usize, nodes: usize) -> Result<Box<T::Thing>, Fault> {
        let thing = self.read()?;
        T::fits(&thing, axes, nodes).map_err(|bad| self.out_of_range(&bad))?;
        Ok(thing)
    }

    /// The name, and what stands behind it.
    fn split(&self) -> (&str, &str) {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let name_end = self.text.find(|c| !is_name(c)).unwrap_or(self.text.len());
        self.text.split_at(name_end)
    }

    fn out_of_range(&self, bad: &BadOption) -> Fault {
        let (name, options) = self.split();
        let option = match bad.entry {
            Some(index) => format!("{}[{index}]", bad.option),
            None => bad.option.into(),
        };
        let message = format!("`{option}` of {name} is out of range: expected {}", bad.expected);
        let span = locate(options, &option).unwrap_or(0..options.len());
        Fault::new(message).at(span).moved(name.len())
    }
}

/// Says which option a fault of reading stands in, with the whole of its value, where the text as such is sound.
fn named(fault: Fault, name: &str, options: &str) -> Fault {
    let Some(at) = fault.span.as_ref().map(|span| span.start) else { return fault };
    let all = children(options).unwrap_or_default();
    let holds = |child: &&Child<'_>| {
        let start = start_in(options, child.value);
        !child.name.is_empty() && (start..start + child.value.len()).contains(&at)
    };
    match all.iter().find(holds) {
        Some(child) => {
            let message = format!("`{}` of {name} cannot be `{}`", child.name, child.value);
            let start = start_in(options, child.value);
            let help = fault.help.unwrap_or(fault.message);
            Fault::new(message).help(help).at(start..start + child.value.len())
        }
        None => fault,
    }
}
