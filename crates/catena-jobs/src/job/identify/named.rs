//! Methods and slips with options, enumerated from their tables.

use catena_sim::Method;
use catena_sim::method::{self, METHODS, MethodInfo};
use catena_sim::named::{OptionInfo, OptionKind};
use catena_sim::slip::{self, SLIPS, Slip};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Maximum number of options in a variant that have a non-default word or boolean.
const MAX_WORDS: usize = 2;

/// Options that no homework has together with another non-default word. They are combined only if a
/// panel of the scene sets them.
const ALONE: [&str; 1] = ["tethers"];

/// Options, each with the option without which it has no effect.
const NEEDED: [(&str, &str); 1] = [("damping_of", "damping")];

/// Values of options by name, as the panels of a scene write them.
pub(super) type GivenValues = BTreeMap<String, BTreeSet<String>>;

/// A method or slip with options.
#[derive(Debug)]
pub(super) struct Variant<T: ?Sized> {
    pub(super) name: &'static str,
    /// Options with non-default values, in scene syntax.
    pub(super) options: Vec<(&'static OptionInfo, String)>,
    pub(super) thing: Arc<T>,
}

impl<T: ?Sized> Clone for Variant<T> {
    fn clone(&self) -> Self {
        Self { name: self.name, options: self.options.clone(), thing: Arc::clone(&self.thing) }
    }
}

impl<T: ?Sized> Variant<T> {
    /// Returns the name with its options in scene syntax.
    pub(super) fn written(&self) -> String {
        let options = self.options.iter().map(|(info, value)| format!("{}: {value}", info.name));
        match &options.collect::<Vec<_>>()[..] {
            [] => self.name.into(),
            options => format!("{}({})", self.name, options.join(", ")),
        }
    }

    /// Whether this variant contains all options of another variant of the same method or slip.
    pub(super) fn has_all_of(&self, other: &Self) -> bool {
        let has = |option: &(&OptionInfo, String)| {
            self.options.iter().any(|own| own.0.name == option.0.name && own.1 == option.1)
        };
        self.name == other.name && other.options.iter().all(has)
    }
}

impl Variant<dyn Method> {
    /// Returns the method with another number of iterations and otherwise equal options. `None` if
    /// its motion does not depend on such a number: a maximum number of iterations until a
    /// tolerance is reached has no common values.
    pub(super) fn with_iterations(&self, count: u32) -> Option<Self> {
        let known = self.thing.info().options;
        let is_count = |info: &&OptionInfo| info.name == ITERATIONS && !info.common.is_empty();
        let info = known.iter().find(is_count)?;
        let others = self.options.iter().filter(|(own, _)| own.name != ITERATIONS).cloned();
        let own = (info, count.to_string());
        let own = Some(own).filter(|(_, value)| number(value) != number(info.default));
        // The options keep the order of the table.
        let place =
            |(own, _): &(&OptionInfo, String)| known.iter().position(|it| it.name == own.name);
        let mut options: Vec<_> = others.chain(own).collect();
        options.sort_by_key(place);
        let map = options.iter().map(|(info, value)| (info.name.to_owned(), json(value))).collect();
        let thing = read_method(self.name, map)?;
        Some(Self { name: self.name, options, thing })
    }
}

/// Name of the option that counts iterations.
const ITERATIONS: &str = "iterations";

fn read_method(name: &str, options: Map<String, Value>) -> Option<Arc<dyn Method>> {
    let method: Arc<dyn Method> = method::read(name, Value::Object(options))?.ok()?.into();
    method.check().is_ok().then_some(method)
}

/// Returns all methods with default options and in each variant.
pub(super) fn methods(given: &GivenValues) -> Vec<Variant<dyn Method>> {
    let of_method = |info: &MethodInfo| variants(info.name, info.options, given, read_method);
    METHODS.iter().flat_map(of_method).collect()
}

/// Returns all slips with default options and in each variant.
pub(super) fn slips() -> Vec<Variant<dyn Slip>> {
    let read = |name: &str, options: Map<String, Value>| {
        let slip: Arc<dyn Slip> = slip::read(name, Value::Object(options))?.ok()?.into();
        slip.check().is_ok().then_some(slip)
    };
    let given = GivenValues::new();
    SLIPS.iter().flat_map(|info| variants(info.name, info.options, &given, read)).collect()
}

/// Returns the variants of a method or slip that can be parsed.
fn variants<T: ?Sized>(
    name: &'static str,
    options: &'static [OptionInfo],
    given: &GivenValues,
    read: impl Fn(&str, Map<String, Value>) -> Option<Arc<T>>,
) -> Vec<Variant<T>> {
    let mut all: Vec<Vec<(&'static OptionInfo, String)>> = vec![Vec::new()];
    for info in options {
        let values = values(info, given);
        for index in 0..all.len() {
            let own = &all[index];
            let words = own.iter().filter(|(info, _)| is_word(info)).count();
            let is_alone = ALONE.contains(&info.name) && !given.contains_key(info.name);
            let maximum = if is_alone { 1 } else { MAX_WORDS };
            let needed = NEEDED.iter().find(|(name, _)| *name == info.name);
            let has = |name: &str| own.iter().any(|(info, _)| info.name == name);
            if (is_word(info) && words >= maximum) || needed.is_some_and(|(_, name)| !has(name)) {
                continue;
            }
            all.extend(
                values
                    .iter()
                    .map(|value| [&all[index][..], &[(info, value.clone())]].concat())
                    .collect::<Vec<_>>(),
            );
        }
    }
    let read = |options: Vec<(&'static OptionInfo, String)>| {
        let map = options.iter().map(|(info, value)| (info.name.to_owned(), json(value))).collect();
        Some(Variant { name, thing: read(name, map)?, options })
    };
    all.into_iter().filter_map(read).collect()
}

/// Whether the value of an option is a word or a boolean.
fn is_word(info: &OptionInfo) -> bool {
    matches!(info.kind, OptionKind::Boolean | OptionKind::Words(_))
}

/// Returns the values of an option to try in addition to its default. For a number, these are
/// common values and the values in panels.
fn values(info: &OptionInfo, given: &GivenValues) -> Vec<String> {
    let all: Vec<String> = match info.kind {
        OptionKind::Boolean => vec!["true".into(), "false".into()],
        OptionKind::Words(words) => words.iter().map(|word| (*word).to_owned()).collect(),
        OptionKind::Plain => {
            let given = given.get(info.name).into_iter().flatten().cloned();
            info.common.iter().map(|value| (*value).to_owned()).chain(given).collect()
        }
        OptionKind::Node
        | OptionKind::Curve
        | OptionKind::Collider
        | OptionKind::Flow
        | OptionKind::Guides
        | OptionKind::File(_) => Vec::new(),
    };
    let mut found: Vec<String> = Vec::new();
    for value in all {
        let is_like = |other: &str| {
            json(other) == json(&value)
                || number(other).is_some_and(|it| Some(it) == number(&value))
        };
        if !is_like(info.default) && !found.iter().any(|other| is_like(other)) {
            found.push(value);
        }
    }
    found
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok()
}

/// Converts a value in scene syntax to JSON: a number, a boolean or a word.
fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.into()))
}
