//! Quantities that enter the physics: their table, and their values in bodies.
//!
//! A row of the table has a name, the fields that set the quantity, its value in a body, and
//! possible remedies. A new schema field must be added to the `fields` of a row, or to
//! [`NOT_PHYSICS`] with a reason. Quantities that methods treat differently are compared by their
//! effect. For example, XPBD's stiffness is the inverse of its compliance, and methods with rigid
//! segments have no stiffness. Values are compared as numbers, or by
//! their identity.

use super::draft::Edit;
use super::{changes, measures};
use crate::parts::Body;
use catena_base::text::number::short;
use catena_sim::identity::{Identity, identity_of};
use std::fmt;

/// Builds the table. The keyword `plural` marks rows with a plural name.
macro_rules! quantities {
    ($($name:literal $($plural:ident)?, [$($field:literal),* $(,)?], $value:path, $changes:path;)+) => {
        /// All compared quantities, the most important first.
        pub static QUANTITIES: &[Quantity] = &[$(Quantity {
            name: $name,
            is_plural: ["" $(, stringify!($plural))?].len() > 1,
            fields: &[$($field),*],
            value: $value,
            changes: $changes,
        }),+];
    };
}

quantities! {
    "slips" plural, ["slips"], measures::slips, changes::slips;
    "c/m", ["drag", "velocity_factor"], measures::damping, changes::damping;
    "dt", ["substeps", "max_dt", "step_control"], measures::step, changes::step;
    "law", ["rope.law", "cloth.law", "net.law", "mesh.law", "graph.law"], measures::law, changes::law;
    "rest length", [
        "rope.end", "rope.start", "rope.last_node", "rope.nodes", "rope.shape", "rope.length",
        "cloth.across", "cloth.down", "cloth.rows", "cloth.columns",
        "net.across", "net.down", "net.rows", "net.columns", "net.mesh",
        "mesh.file", "mesh.scale", "graph.nodes", "graph.springs", "graph.adjacency", "graph.lengths",
        "solid.shape", "solid.points",
    ], measures::rest_length, changes::length;
    "gravity", ["gravity"], measures::gravity, changes::copy;
    "k", [
        "rope.stiffness", "rope.material", "rope.area", "rope.rod.axial", "rope.taper.stiffness",
        "rope.ranges",
        "cloth.stiffness", "cloth.material", "cloth.thickness", "cloth.poisson",
        "net.stiffness", "mesh.stiffness", "graph.stiffness", "graph.springs",
        "graph.adjacency", "solid.stiffness",
    ],
        measures::stiffness, changes::stiffness;
    "mass of a node", [
        "rope.mass", "rope.material", "rope.area", "rope.taper.mass", "rope.ranges", "rope.weights",
        "cloth.mass", "cloth.material", "cloth.thickness", "cloth.weights", "net.mass", "mesh.mass", "mesh.density", "mesh.weights",
        "graph.mass", "graph.weights", "solid.mass", "solid.points",
    ],
        measures::mass, changes::mass;
    "nodes" plural, [
        "rope.nodes", "cloth.rows", "cloth.columns", "graph.nodes",
        "net.rows", "net.columns", "net.mesh", "net.strands", "solid.points",
    ], measures::nodes, changes::kind;
    "pins" plural, ["rope.pins", "cloth.pins", "net.pins", "mesh.pins", "graph.pins", "solid.pins"], measures::pins, changes::pins;
    "moving pins" plural, ["anchors"], measures::anchors, changes::copy;
    "forces" plural, ["forces"], measures::forces, changes::copy;
    "wind", ["wind"], measures::wind, changes::copy;
    "impulses" plural, ["impulses"], measures::impulses, changes::copy;
    "events" plural, ["events"], measures::events, changes::copy;
    "colliders" plural, ["colliders", "contact.radius", "contact.viscous"], measures::colliders, changes::copy;
    "self-contact", [
        "contact.of", "contact.thickness", "contact.restitution", "contact.friction",
    ], measures::self_contact, changes::copy;
    "spring damping", ["rope.damping", "rope.material_damping", "cloth.damping", "net.damping", "mesh.damping", "graph.damping"],
        measures::spring_damping, changes::spring_damping;
    "spring friction", ["rope.friction"], measures::spring_friction, changes::copy;
    "bending k", ["rope.bending", "cloth.stiffness", "cloth.material", "cloth.thickness", "mesh.bending"], measures::bending, changes::bending;
    "rod", [
        "rope.rod.bending", "rope.rod.bending_across", "rope.rod.torsion", "rope.rod.radius",
        "rope.rod.inner", "rope.rod.width", "rope.rod.height", "rope.rod.poisson",
        "rope.rod.normal", "rope.rod.curvature", "rope.rod.twist", "rope.rod.turns",
        "rope.rod.inertia", "rope.rod.clamps",
    ], measures::rod, changes::copy;
    "breaking strain", ["rope.breaks_at", "cloth.breaks_at", "net.breaks_at", "mesh.breaks_at", "graph.breaks_at"], measures::breaks_at, changes::copy;
    "position factor", ["position_factor"], measures::position_factor, changes::position_factor;
    "direction", [
        "rope.end", "rope.start", "cloth.across", "cloth.down", "net.across", "net.down",
    ],
        measures::direction, changes::length;
    "proportions" plural, [
        "cloth.across", "cloth.down", "net.across", "net.down", "graph.nodes", "solid.shape",
        "solid.points", "solid.turn", "solid.axis",
    ],
        measures::proportions, changes::length;
    "shape", ["rope.shape", "rope.length", "starts_at_rest"],
        measures::shape, changes::copy;
    "velocities" plural, ["velocities", "solid.velocity", "solid.spin", "solid.spin_axis"], measures::velocities, changes::copy;
    "place", ["rope.start", "rope.end", "cloth.corner", "net.corner", "mesh.translate", "solid.at"],
        measures::place, changes::length;
}

/// Fields that do not enter the physics of a body or cannot differ between bodies, with the reason.
/// A name ending in `.*` includes all fields below it.
pub const NOT_PHYSICS: &[(&str, &str)] = &[
    (
        "integrator",
        "methods are what panels compare; options of theirs are read with the quantities that they set",
    ),
    ("frame_time", "it is the same for all bodies of a scene"),
    ("size", "of the picture"),
    ("frames", "of the film"),
    ("background", "of the picture"),
    ("decoration", "of the picture"),
    ("columns", "of the picture"),
    ("fit", "of the picture"),
    ("motion_blur.*", "of the picture"),
    ("view.*", "of the picture"),
    ("camera.*", "of the picture"),
    ("ground.*", "it is drawn and stops nothing"),
    ("light.*", "of the picture"),
    ("rest.*", "when a run is ended, not how it goes"),
    ("bodies", "its entries are bodies themselves"),
    ("parts", "what they set is compared in the body that they make"),
    ("part_changes", "what they set is compared in the body that they make"),
    ("joins", "joined nodes and springs are compared as nodes, masses and k of the body"),
    ("mesh.merge", "how a file is read; nodes and lengths that come of it are compared"),
    ("reference.*", "a motion to compare with, which acts on nothing"),
    ("style.*", "of the picture"),
    ("rig.*", "what hangs on its bones is compared as moving pins and as colliders"),
];

/// Quantity that should be equal when methods are compared.
pub struct Quantity {
    /// Name in pictures and tables.
    pub name: &'static str,
    /// Whether the name is a plural.
    pub is_plural: bool,
    /// Fields of a scene that set the quantity. Options of a method may contribute too.
    pub fields: &'static [&'static str],
    /// Function that computes the value in a body.
    pub(super) value: fn(&Body) -> QuantityValue,
    /// Function that returns possible remedies, most likely first.
    pub(super) changes: fn(&ComparisonCase<'_>) -> Vec<SettingsChange>,
}

impl Quantity {
    /// Returns the value in a body.
    pub fn of(&self, body: &Body) -> QuantityValue {
        (self.value)(body)
    }

    /// Returns the start of a sentence about a difference, and the symbol before its first value.
    pub(super) fn sentence(&self) -> (String, &'static str) {
        let (subject, symbol) = match self.name {
            "c/m" => ("Damping".into(), "c/m = "),
            "dt" => ("Time step".into(), "dt = "),
            "law" => ("Spring law".into(), ""),
            "k" => ("Stiffness".into(), "k = "),
            "bending k" => ("Bending stiffness".into(), "k = "),
            name => {
                let mut letters = name.chars();
                let first = letters.next().map(char::to_uppercase);
                (first.into_iter().flatten().chain(letters).collect::<String>(), "")
            }
        };
        (format!("{subject} {}", if self.is_plural { "differ" } else { "differs" }), symbol)
    }

    /// Returns the name in words, for pictures.
    pub fn in_words(&self) -> &'static str {
        match self.name {
            "c/m" => "damping rate",
            "dt" => "time step",
            "law" => "spring law",
            "k" => "stiffness",
            "bending k" => "bending stiffness",
            name => name,
        }
    }

    /// Returns a phrase such as `damping rate differs` or `pins differ`.
    pub fn differs(&self) -> String {
        format!("{} {}", self.in_words(), if self.is_plural { "differ" } else { "differs" })
    }
}

impl fmt::Debug for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// Edits that are made together.
pub(super) type SettingsChange = Vec<Edit>;

/// Body that differs from its reference in a quantity.
pub(super) struct ComparisonCase<'a> {
    pub(super) quantity: &'a Quantity,
    pub(super) here: &'a Body,
    /// Reference body.
    pub(super) there: &'a Body,
    /// Returns the text of a field of `here`.
    pub(super) written_here: &'a dyn Fn(&str) -> Option<String>,
    /// Returns the text of a field of the reference.
    pub(super) written_there: &'a dyn Fn(&str) -> Option<String>,
}

/// Relative tolerance: numbers that differ by less than this fraction of the largest count as
/// equal.
const EQUAL: f64 = 1e-9;

/// Maximum length of a value in a sentence, in bytes. For longer values the sentence only says that
/// they differ.
const LONGEST: usize = 48;

/// Value of a quantity in a body.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantityValue {
    content: ValueContent,
    /// Full text, for tables.
    pub text: String,
    /// Short text, for lines in panels and for sentences.
    pub brief: String,
    /// All digits of a number whose other texts have four.
    exact: Option<String>,
}

/// Content of a value that comparisons use.
#[derive(Clone, Debug, PartialEq)]
enum ValueContent {
    /// The quantity does not apply to the body, for example stiffness with rigid segments.
    Meaningless,
    /// The body lacks the quantity.
    Absent,
    Numbers(Vec<f64>),
    /// Bytes of everything that may differ.
    Identity(Vec<u8>),
}

impl QuantityValue {
    /// Returns a value of one number.
    pub(super) fn number(value: f64) -> Self {
        Self::numbers(vec![value], short(value))
    }

    /// Returns a value of several numbers, which are compared one by one.
    pub(super) fn numbers(numbers: Vec<f64>, text: String) -> Self {
        let brief = text.clone();
        Self { content: ValueContent::Numbers(numbers), brief, exact: None, text }
    }

    /// Returns the numbers of all nodes or springs. Runs of equal numbers count once, so that
    /// bodies with different node counts can be compared.
    pub(super) fn profile(values: impl Iterator<Item = f64>) -> Self {
        let mut runs: Vec<f64> = values.collect();
        runs.dedup_by(|a, b| is_close(*a, *b, a.abs().max(b.abs())));
        let least = runs.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = runs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let text = match least == greatest {
            true => short(least),
            false => format!("{} to {}", short(least), short(greatest)),
        };
        if runs.is_empty() { Self::absent() } else { Self::numbers(runs, text) }
    }

    /// Returns a vector, which is compared by components.
    pub(super) fn vector(vector: &[f64]) -> Self {
        let components: Vec<String> = vector.iter().map(|value| short(*value)).collect();
        Self::numbers(vector.to_vec(), format!("({})", components.join(", ")))
    }

    /// Returns a value with texts. Comparisons use the identity of `key`, which holds everything
    /// that may differ.
    pub(super) fn words<T: Identity + ?Sized>(key: &T, text: String, brief: String) -> Self {
        Self { content: ValueContent::Identity(identity_of(key)), text, brief, exact: None }
    }

    /// Returns the value of a body that lacks the quantity.
    pub(super) fn absent() -> Self {
        let none = || "none".to_owned();
        Self { content: ValueContent::Absent, text: none(), brief: none(), exact: None }
    }

    /// Adds a text with all digits, for values that four digits do not distinguish.
    pub(super) fn exactly(self, exact: String) -> Self {
        Self { exact: Some(exact), ..self }
    }

    /// Returns the value of a body to which the quantity does not apply.
    pub(super) fn meaningless() -> Self {
        let none = || "-".to_owned();
        Self { content: ValueContent::Meaningless, text: none(), brief: none(), exact: None }
    }

    /// Whether the quantity applies to the body.
    pub fn is_meaningful(&self) -> bool {
        self.content != ValueContent::Meaningless
    }

    /// Whether the body has the quantity.
    pub fn is_present(&self) -> bool {
        self.is_meaningful() && self.content != ValueContent::Absent
    }

    /// Whether two values are equal to within 1e-9 of the largest number. A meaningless value
    /// equals any other.
    pub fn equals(&self, other: &Self) -> bool {
        match (&self.content, &other.content) {
            (ValueContent::Meaningless, _) | (_, ValueContent::Meaningless) => true,
            (ValueContent::Numbers(a), ValueContent::Numbers(b)) => {
                let scale = a.iter().chain(b).fold(0.0_f64, |most, value| most.max(value.abs()));
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_close(*a, *b, scale))
            }
            (a, b) => a == b,
        }
    }

    /// Returns the first number, if the value has numbers.
    pub(super) fn first(&self) -> Option<f64> {
        match &self.content {
            ValueContent::Numbers(numbers) => numbers.first().copied(),
            _ => None,
        }
    }

    /// Returns two different texts that fit into a sentence, preferring full texts over short ones.
    pub(super) fn told_apart<'a>(&'a self, other: &'a Self) -> Option<[&'a str; 2]> {
        let pairs = [[&*self.text, &*other.text], [&*self.brief, &*other.brief]];
        pairs
            .into_iter()
            .chain(self.exactly_beside(other))
            .find(|[a, b]| a != b && a.len().max(b.len()) <= LONGEST)
    }

    /// Returns two different texts, preferring short texts over full ones.
    pub(super) fn told_apart_briefly<'a>(&'a self, other: &'a Self) -> Option<[&'a str; 2]> {
        let pairs = [[&*self.brief, &*other.brief], [&*self.text, &*other.text]];
        pairs.into_iter().chain(self.exactly_beside(other)).find(|[a, b]| a != b)
    }

    /// Returns both values with all digits.
    fn exactly_beside<'a>(&'a self, other: &'a Self) -> Option<[&'a str; 2]> {
        Some([self.exact.as_deref()?, other.exact.as_deref()?])
    }
}

/// Whether two numbers count as equal among numbers of magnitude `scale`.
fn is_close(a: f64, b: f64, scale: f64) -> bool {
    a == b || (a - b).abs() <= EQUAL * scale
}
