//! The quantities that enter the physics, one row each: its name, the fields that set it, what it
//! is in a body, and what could make it equal.
//!
//! A new field of the schema belongs into the `fields` of a row here, or into [`BESIDE_PHYSICS`]
//! with the reason why it does not enter the physics. What methods treat differently by their
//! nature is compared as far as it means the same: XPBD's stiffness is the inverse of its
//! compliance, and methods that hold lengths know no stiffness at all.

use super::changes::{self, Case, Change};
use super::value::Value;
use super::{measures, step};
use crate::scene::build::Body;
use std::fmt;

/// Something that should be equal for a comparison of methods.
pub struct Quantity {
    /// What pictures and tables call it.
    pub name: &'static str,
    /// Whether the name is a plural.
    pub is_plural: bool,
    /// The fields of a scene that set it. What a method's own options add to it is compared too.
    pub fields: &'static [&'static str],
    /// What it is in a body.
    pub(super) value: fn(&Body) -> Value,
    /// What could make a body equal to another one, the likeliest first.
    pub(super) changes: fn(&Case<'_>) -> Vec<Change>,
}

impl Quantity {
    /// What it is in a body.
    pub fn of(&self, body: &Body) -> Value {
        (self.value)(body)
    }

    /// `c/m differs`, `pins differ`.
    pub(super) fn differs(&self) -> String {
        format!("{} {}", self.name, if self.is_plural { "differ" } else { "differs" })
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

/// Makes the table; a row whose name is a plural says so.
macro_rules! quantities {
    ($($name:literal $($plural:ident)?, [$($field:literal),* $(,)?], $value:path, $changes:path;)+) => {
        /// All of them, what matters most first.
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
    "c/m", ["drag", "velocity_factor"], measures::damping, changes::damping;
    "dt", ["substeps", "step_control"], step::step, step::changes;
    "law", ["rope.law", "cloth.law"], measures::law, changes::law;
    "rest length", [
        "rope.end", "rope.start", "rope.last_node", "rope.nodes",
        "cloth.across", "cloth.down", "cloth.rows", "cloth.columns",
    ], measures::rest_length, changes::length;
    "gravity", ["gravity"], measures::gravity, changes::copy;
    "k", ["rope.stiffness", "rope.material", "rope.area", "cloth.stiffness"],
        measures::stiffness, changes::stiffness;
    "mass of a node", ["rope.mass", "rope.material", "rope.area", "cloth.mass"],
        measures::mass, changes::mass;
    "nodes" plural, ["rope.nodes", "cloth.rows", "cloth.columns"], measures::nodes, changes::kind;
    "pins" plural, ["rope.pins", "cloth.pins"], measures::pins, changes::pins;
    "moving pins" plural, ["anchors"], measures::anchors, changes::copy;
    "forces" plural, ["forces"], measures::forces, changes::copy;
    "wind", ["wind"], measures::wind, changes::copy;
    "impulses" plural, ["impulses"], measures::impulses, changes::copy;
    "colliders" plural, ["colliders", "contact.radius"], measures::colliders, changes::copy;
    "self-contact", ["contact.thickness", "contact.restitution", "contact.friction"],
        measures::self_contact, changes::copy;
    "spring damping", ["rope.damping", "cloth.damping"],
        measures::spring_damping, changes::spring_damping;
    "spring friction", ["rope.friction"], measures::spring_friction, changes::copy;
    "bending k", ["rope.bending", "cloth.stiffness"], measures::bending, changes::bending;
    "breaking strain", ["rope.breaks_at", "cloth.breaks_at"], measures::breaks_at, changes::copy;
    "position factor", ["position_factor"], measures::position_factor, changes::position_factor;
    "direction", ["rope.end", "rope.start", "cloth.across", "cloth.down"],
        measures::direction, changes::length;
    "place", ["rope.start", "rope.end", "cloth.corner"], measures::place, changes::length;
}

/// Fields that do not enter the physics of a body or cannot make bodies differ, and why; a name
/// with `.*` is all below it.
pub const BESIDE_PHYSICS: &[(&str, &str)] = &[
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
    ("view.*", "of the picture"),
    ("camera.*", "of the picture"),
    ("ground.*", "it is drawn and stops nothing"),
    ("rest.*", "when a run is ended, not how it goes"),
    ("bodies", "its entries are bodies themselves"),
    ("style.*", "of the picture"),
];
