//! Name with options in parentheses, such as `ConstraintVerlet(damping: 0.00005)`.
//!
//! Only the named item knows its options, so the text is stored and read in a second step. A name
//! without parentheses uses the defaults of all options.

use super::diagnostic::{Fault, fault_of_ron};
use super::grammar::{Grammar, Inside, Thing};
use super::layered::FieldValue;
use super::node::NodeName;
use super::other_names::other_thing;
use super::read::{FromRon, ron_options};
use catena_ron::{Node, Tree};
use catena_sim::{
    Collider, Curve, Method, Model, Part, SpringLaw, StepControl,
    body::{
        material::{self, Material},
        shape::path::{self, RopeShape},
    },
    contact::collider,
    drive::{
        curve,
        event::{Action, Condition, action, condition},
    },
    force::{
        applied::{self, AppliedForce},
        flow::{self, Flow},
        law,
    },
    method::{self, control},
    named::{BadOption, Nested, OptionInfo, OptionKind},
    slip::{self, Slip},
};
use ron::value::RawValue;
use serde::{Deserialize, Deserializer};
use std::{fmt, marker::PhantomData};

/// Maximum length of a value that a message repeats.
const SHORT: usize = 24;

/// Table of items that scenes refer to by name.
pub trait Table {
    /// Trait of the items.
    type Item: ?Sized;
    /// Name of the item type in messages.
    const KIND: &'static str;
    /// Names of all items.
    const NAMES: &'static [&'static str];
    /// Text to insert before a bare list in brackets; a closing parenthesis is appended. `None` if
    /// a bare list is invalid.
    const LIST: Option<&'static str> = None;

    /// Reads the options of the item called `name`. Returns `None` if there is no such item.
    fn read<'de, D: Deserializer<'de>>(
        name: &str,
        options: D,
    ) -> Option<Result<Box<Self::Item>, D::Error>>;

    /// Returns all items with their options.
    fn things() -> Vec<Thing>;

    /// Returns the options of the item called `name`.
    fn options(name: &str) -> &'static [OptionInfo];

    /// Rejects options that are out of range.
    fn check(item: &Self::Item) -> Result<(), BadOption>;

    /// Rejects options that do not fit a body of `nodes` nodes in a space of `axes` axes.
    fn fits(item: &Self::Item, axes: usize, nodes: usize) -> Result<(), BadOption>;
}

/// Implements [`Table`] for a module of the physics crate.
macro_rules! table {
    (
        $(#[$meta:meta])* $name:ident, $kind:literal, $item:path, $module:ident, $names:ident,
        $infos:ident $(; $list:literal)?
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name;

        impl Table for $name {
            type Item = dyn $item;
            const KIND: &'static str = $kind;
            const NAMES: &'static [&'static str] = $module::$names;
            $(const LIST: Option<&'static str> = Some($list);)?

            fn read<'de, D: Deserializer<'de>>(
                name: &str,
                options: D,
            ) -> Option<Result<Box<Self::Item>, D::Error>> {
                $module::read(name, options)
            }

            fn things() -> Vec<Thing> {
                let thing = |(name, summary, options)| {
                    Thing { name, summary, inside: Inside::Options(options) }
                };
                let infos = $module::$infos.iter();
                infos.map(|info| thing((info.name, info.summary, info.options))).collect()
            }

            fn options(name: &str) -> &'static [OptionInfo] {
                let info = $module::$infos.iter().find(|info| info.name == name);
                info.map_or(&[], |info| info.options)
            }

            fn check(item: &Self::Item) -> Result<(), BadOption> {
                item.check()
            }

            fn fits(item: &Self::Item, axes: usize, nodes: usize) -> Result<(), BadOption> {
                item.fits(axes, nodes)
            }
        }
    };
}

table!(/// Methods.
    Methods, "method", Method, method, METHOD_NAMES, METHODS);
table!(/// Spring laws.
    Laws, "spring law", SpringLaw, law, LAW_NAMES, LAWS);
table!(/// Curves.
    Curves, "curve", Curve, curve, CURVE_NAMES, CURVES; "Keys(keys: ");
table!(/// Colliders.
    Colliders, "collider", Collider, collider, COLLIDER_NAMES, COLLIDERS);
table!(/// Flows of a fluid.
    Flows, "flow", Flow, flow, FLOW_NAMES, FLOWS);
table!(/// Forces that a scene lists.
    Forces, "force", AppliedForce, applied, FORCE_NAMES, FORCES);
table!(/// Materials.
    Materials, "material", Material, material, MATERIAL_NAMES, MATERIALS);
table!(/// Actions of events.
    Actions, "action", Action, action, ACTION_NAMES, ACTIONS);
table!(/// Conditions of events.
    Conditions, "condition", Condition, condition, CONDITION_NAMES, CONDITIONS);
table!(/// Shapes of ropes.
    Shapes, "shape", RopeShape, path, SHAPE_NAMES, SHAPES);
table!(/// Step controls.
    StepControls, "step control", StepControl, control, STEP_CONTROL_NAMES, STEP_CONTROLS);
table!(/// Slips.
    Slips, "slip", Slip, slip, SLIP_NAMES, SLIPS);

/// List of choices, which a higher layer replaces as a whole.
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

impl<'de, T: Table> Deserialize<'de> for Choices<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self)
    }
}

impl<T: Table> FieldValue for Choices<T> {
    fn expected() -> String {
        format!("a list in which each entry is {}", Choice::<T>::expected())
    }

    fn grammar() -> Grammar {
        Grammar::List(Choice::<T>::grammar)
    }

    fn check_choices(&self, path: &str, faults: &mut Vec<(String, Fault)>) {
        for (index, choice) in self.0.iter().enumerate() {
            choice.check_choices(&format!("{path}[{index}]"), faults);
        }
    }
}

/// Text of a table item and its options.
pub struct Choice<T> {
    tree: Tree,
    /// Number of bytes inserted before the user's text.
    added: usize,
    table: PhantomData<T>,
}

impl<T> Clone for Choice<T> {
    fn clone(&self) -> Self {
        Self { tree: self.tree.clone(), added: self.added, table: PhantomData }
    }
}

impl<T> fmt::Debug for Choice<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tree.text())
    }
}

impl<'de, T: Table> Deserialize<'de> for Choice<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let text = raw.trim().get_ron();
        let (tree, added) = match T::LIST.filter(|_| text.starts_with('[')) {
            Some(before) => (Tree::parse(format!("{before}{text})")), before.len()),
            None => (Tree::parse(text), 0),
        };
        Ok(Self { tree, added, table: PhantomData })
    }
}

impl<T: Table> FieldValue for Choice<T> {
    fn expected() -> String {
        format!("{} and its options, listed by `catena methods`", with_article(T::KIND))
    }

    fn grammar() -> Grammar {
        Grammar::Things(T::things)
    }

    fn check_choices(&self, path: &str, faults: &mut Vec<(String, Fault)>) {
        if let Err(fault) = self.check() {
            faults.push((path.into(), fault));
        }
    }
}

/// Returns the name of a kind after its article.
fn with_article(kind: &str) -> String {
    let article = if kind.starts_with('a') { "an" } else { "a" };
    format!("{article} {kind}")
}

/// Returns the fault of an unknown name. If other programs use the name, the advice says what
/// scenes call the item.
fn unknown_name<T: Table>(name: &str) -> Fault {
    let fault = Fault::unknown(T::KIND, name, T::NAMES).at(0..name.len());
    match other_thing(T::KIND, name) {
        Some(advice) => fault.help(advice),
        None => fault,
    }
}

impl<T> Choice<T> {
    /// Returns an option that is written as a number.
    pub(super) fn number(&self, option: &str) -> Option<f64> {
        let mut entries = self.tree.root().entries();
        entries.find(|entry| entry.name() == option)?.text().trim().parse().ok()
    }

    /// Returns the length of the text in bytes.
    pub(super) fn length(&self) -> usize {
        self.tree.text().len()
    }
}

impl<T: Table> Choice<T> {
    /// Reads the item with its options. Spans of errors are relative to the user's text.
    pub fn read(&self) -> Result<Box<T::Item>, Fault> {
        self.read_text().map_err(|fault| self.as_written(fault))
    }

    fn read_text(&self) -> Result<Box<T::Item>, Fault> {
        let (name, options) = self.split();
        let options_text = if options.trim().is_empty() { "()" } else { options };
        if name.is_empty() {
            let inside = self.tree.text().trim().trim_matches('"');
            let known = T::NAMES.iter().find(|name| name.eq_ignore_ascii_case(inside));
            let write = match (known, other_thing(T::KIND, inside)) {
                (Some(name), _) => format!("write {name}; "),
                (None, Some(advice)) => format!("{advice}; "),
                (None, None) => String::new(),
            };
            let help = format!("{write}allowed here: {}", T::NAMES.join(", "));
            let fault = {
                let kind = with_article(T::KIND);
                Fault::new(format!("expected the name of {kind}, without quotes"))
            };
            return Err(fault.help(help).at(0..self.length()));
        }

        let mut reader = ron::Deserializer::from_str_with_options(options_text, &ron_options())
            .map_err(|error| fault_of_ron(&error, options_text).moved(name.len()))?;
        let item = match T::read(name, &mut reader) {
            Some(Ok(item)) => item,
            Some(Err(error)) => {
                let error = reader.span_error(error);
                let mut fault = fault_of_ron(&error, options_text);
                if let ron::Error::MissingStructField { field, outer } = &error.code
                    && outer.as_deref().is_none_or(|outer| outer == name)
                    && let Some(info) = T::options(name).iter().find(|info| info.name == *field)
                {
                    fault = fault.help(format!("add `{field}: …`, {}", info.summary));
                }
                let fault = named(fault.moved(name.len()), self.shown(), self.tree.root());
                return Err(match self.flow_advice(&fault) {
                    Some(advice) => fault.help(advice),
                    None => fault,
                });
            }
            None => return Err(unknown_name::<T>(name)),
        };
        T::check(&item).map_err(|bad| self.out_of_range(&bad))?;
        Ok(item)
    }

    /// Reads the item and rejects it if it does not fit a body of `nodes` nodes in `axes` axes.
    pub fn read_for(&self, axes: usize, nodes: usize) -> Result<Box<T::Item>, Fault> {
        let item = self.read()?;
        let bad = |bad: BadOption| self.as_written(self.out_of_range(&bad));
        T::fits(&item, axes, nodes).map_err(bad)?;
        Ok(item)
    }

    /// Reads the item for a body with these parts. The options may name nodes of the parts.
    ///
    /// # Errors
    /// Returns the fault of the item, or of a node that it names.
    pub fn read_of(&self, model: &Model, parts: &[Part]) -> Result<Box<T::Item>, Fault> {
        let number = |node: Node<'_>| NodeName::from_ron(node)?.of(parts);
        self.with_nodes(&number)?.read_for(model.axes, model.nodes())
    }

    /// Returns the fault of an option that the physics rejected, at its place in the user's text.
    pub(super) fn rejected(&self, bad: &BadOption) -> Fault {
        self.as_written(self.out_of_range(bad))
    }

    /// Returns a fault at the place of an option in the user's text, or of the whole item.
    pub(super) fn at_option(&self, option: &str, fault: Fault) -> Fault {
        let node = self.tree.root().locate(option).map_or(0..self.length(), Node::span);
        self.as_written(fault.at(node))
    }

    /// Rejects an item that is invalid for every body.
    ///
    /// # Errors
    /// Returns the fault of the name or of an option.
    pub fn check(&self) -> Result<(), Fault> {
        let is_name = |node: Node<'_>| NodeName::from_ron(node).map(|_| 0);
        self.with_nodes(&is_name)?.read().map(|_| ())
    }

    /// Replaces the nodes among the options by the indices that `number` returns. Each index is
    /// padded to the length of the replaced text, so that later byte positions stay valid unless an
    /// index is longer than the text.
    ///
    /// # Errors
    /// Returns the fault of `number`, prefixed with the option's name.
    fn with_nodes(&self, number: &dyn Fn(Node<'_>) -> Result<usize, Fault>) -> Result<Self, Fault> {
        let name = self.split().0;
        let (mut text, mut done) = (String::new(), 0);
        for node in self.nodes() {
            let (place, length) = (node.span(), node.text().len());
            let number = number(node).map_err(|fault| {
                let message = format!("`{}` of {name}: {}", node.name(), fault.message);
                Fault { message, ..fault }.at(place.clone())
            })?;
            text += &self.tree.text()[done..place.start];
            text += &format!("{number:<length$}");
            done = place.end;
        }
        if done == 0 {
            return Ok(self.clone());
        }
        text += &self.tree.text()[done..];
        Ok(Self { tree: Tree::parse(text), ..*self })
    }

    /// Returns the options that are nodes, with their text.
    fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        let options = T::options(self.split().0);
        let kind = move |node: Node<'_>| {
            let is_it = |option: &&OptionInfo| option.name == node.name();
            options.iter().find(is_it).map(|option| option.kind)
        };
        // An unreadable text is rejected when it is read as a whole.
        self.tree.root().entries().flat_map(move |node| match kind(node) {
            Some(OptionKind::Node) => vec![node],
            Some(OptionKind::Guides) => {
                node.entries().filter_map(|guide| guide.options().get("node")).collect()
            }
            _ => Vec::new(),
        })
    }

    /// Returns index and name of each node that the options name, for a body with these parts.
    pub fn named_nodes(&self, parts: &[Part]) -> Vec<(usize, String)> {
        let named = |node: Node<'_>| {
            let name = NodeName::from_ron(node).ok()?;
            Some((name.of(parts).ok()?, name.to_string()))
        };
        self.nodes().filter_map(named).collect()
    }

    /// Returns the name of the item.
    pub(super) fn name(&self) -> &str {
        self.split().0
    }

    /// Splits the text into the name and the options.
    fn split(&self) -> (&str, &str) {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let text = self.tree.text();
        text.split_at(text.find(|c| !is_name(c)).unwrap_or(text.len()))
    }

    /// Whether the item has this name.
    pub(super) fn is_named(&self, name: &str) -> bool {
        self.split().0 == name
    }

    /// Returns the item's name for messages, or `the list` for a bare list.
    fn shown(&self) -> &str {
        if self.added == 0 { self.split().0 } else { "the list" }
    }

    /// Converts the span of a fault to one in the user's text.
    fn as_written(&self, fault: Fault) -> Fault {
        let end = self.length() - self.added - usize::from(self.added > 0);
        let place = |at: usize| at.saturating_sub(self.added).min(end);
        let span = fault.span.map(|span| place(span.start)..place(span.end));
        Fault { span, ..fault }
    }

    /// Returns the fault of an option that is out of range, or of an item that does not fit.
    fn out_of_range(&self, bad: &BadOption) -> Fault {
        let (option, shown) = (bad.path(), self.shown());
        let name = self.split().0.len();
        if bad.option == BadOption::WHOLE {
            let message = format!("{shown} cannot be used here: expected {}", bad.expected);
            return Fault::new(message).at(0..name);
        }
        let node = self.tree.root().locate(&option);
        let value = node.map(Node::text).filter(|text| is_short(text));
        let found = value.map_or(String::new(), |value| format!(", found {value}"));
        let message =
            format!("`{option}` of {shown} is out of range: expected {}{found}", bad.expected);
        let fault = Fault::new(message).at(node.map_or(name..self.length(), Node::span));
        let info = T::options(self.split().0).iter().find(|info| info.name == bad.option);
        match info.filter(|_| value.is_some()) {
            Some(info) => fault.help(format!("`{option}`: {}", info.summary)),
            None => fault,
        }
    }

    /// Returns advice for a flow option whose value is a velocity, constant or over time.
    fn flow_advice(&self, fault: &Fault) -> Option<String> {
        let at = fault.span.as_ref()?.start;
        let is_flow = |child: &Node<'_>| {
            let options = T::options(self.split().0).iter();
            let mut flows = options.filter(|info| info.kind == OptionKind::Flow);
            child.span().contains(&at) && flows.any(|info| info.name == child.name())
        };
        let child = self.tree.root().entries().find(is_flow)?;
        let text = child.text();
        if text.starts_with('(') {
            return Some(format!("write a constant velocity as `Uniform(velocity: {text})`"));
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let word = &text[..text.find(|c| !is_word(c)).unwrap_or(text.len())];
        if text.starts_with('[') || <dyn Curve as Nested>::NAMES.contains(&word) {
            return Some(format!("write a velocity over time as `Changing(curve: {text})`"));
        }
        let names = <dyn Flow as Nested>::NAMES;
        (!names.contains(&word)).then(|| format!("allowed here: {}", names.join(", ")))
    }
}

/// Whether a value is short enough for a message: a number or a word.
fn is_short(text: &str) -> bool {
    text.len() <= SHORT && !text.contains(['(', '[', '"'])
}

/// Adds the option's name and whole value to a fault, if the options can be parsed.
fn named(fault: Fault, name: &str, options: Node<'_>) -> Fault {
    let Some(at) = fault.span.as_ref().map(|span| span.start) else { return fault };
    let holds = |child: &Node<'_>| !child.name().is_empty() && child.span().contains(&at);
    match options.entries().find(holds) {
        // In a long list, the span of the element is more precise than the span of the whole list.
        Some(child) if child.opens('[') => {
            let message = format!("`{}` of {name}: {}", child.name(), fault.message);
            Fault { message, ..fault }
        }
        Some(child) => {
            let message = format!("`{}` of {name} cannot be `{}`", child.name(), child.text());
            Fault::with_help(child.span(), message, fault.help.unwrap_or(fault.message))
        }
        None => fault,
    }
}
