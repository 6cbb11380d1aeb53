//! Table of the quantities that enter the physics. A row has a name, the fields that set the
//! quantity, its value in a body, and possible remedies.
//!
//! A new schema field must be added to the `fields` of a row, or to [`NOT_PHYSICS`] with a reason.
//! Quantities that methods treat differently are compared by their effect. For example, XPBD's
//! stiffness is the inverse of its compliance, and methods with rigid segments have no stiffness.

use super::quantity::Quantity;
use super::{changes, measures, step};

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
    "c/m", ["drag", "velocity_factor"], measures::damping, changes::damping;
    "dt", ["substeps", "step_control"], step::step, step::changes;
    "law", ["rope.law", "cloth.law", "net.law", "mesh.law", "graph.law"], measures::law, changes::law;
    "rest length", [
        "rope.end", "rope.start", "rope.last_node", "rope.nodes", "rope.shape", "rope.length",
        "cloth.across", "cloth.down", "cloth.rows", "cloth.columns",
        "net.across", "net.down", "net.rows", "net.columns", "net.mesh",
        "mesh.file", "mesh.scale", "graph.nodes", "graph.springs",
    ], measures::rest_length, changes::length;
    "gravity", ["gravity"], measures::gravity, changes::copy;
    "k", [
        "rope.stiffness", "rope.material", "rope.area", "rope.taper.stiffness", "rope.ranges",
        "cloth.stiffness", "net.stiffness", "mesh.stiffness", "graph.stiffness", "graph.springs",
    ],
        measures::stiffness, changes::stiffness;
    "mass of a node", [
        "rope.mass", "rope.material", "rope.area", "rope.taper.mass", "rope.ranges", "rope.weights",
        "cloth.mass", "cloth.weights", "net.mass", "mesh.mass", "mesh.density", "mesh.weights",
        "graph.mass", "graph.weights",
    ],
        measures::mass, changes::mass;
    "nodes" plural, [
        "rope.nodes", "cloth.rows", "cloth.columns", "graph.nodes",
        "net.rows", "net.columns", "net.mesh", "net.strands",
    ], measures::nodes, changes::kind;
    "pins" plural, ["rope.pins", "cloth.pins", "net.pins", "mesh.pins", "graph.pins"], measures::pins, changes::pins;
    "moving pins" plural, ["anchors"], measures::anchors, changes::copy;
    "forces" plural, ["forces"], measures::forces, changes::copy;
    "wind", ["wind"], measures::wind, changes::copy;
    "impulses" plural, ["impulses"], measures::impulses, changes::copy;
    "events" plural, ["events"], measures::events, changes::copy;
    "colliders" plural, ["colliders", "contact.radius"], measures::colliders, changes::copy;
    "self-contact", [
        "contact.of", "contact.thickness", "contact.restitution", "contact.friction",
    ], measures::self_contact, changes::copy;
    "spring damping", ["rope.damping", "cloth.damping", "net.damping", "mesh.damping", "graph.damping"],
        measures::spring_damping, changes::spring_damping;
    "spring friction", ["rope.friction"], measures::spring_friction, changes::copy;
    "bending k", ["rope.bending", "cloth.stiffness", "mesh.bending"], measures::bending, changes::bending;
    "breaking strain", ["rope.breaks_at", "cloth.breaks_at", "net.breaks_at", "mesh.breaks_at", "graph.breaks_at"], measures::breaks_at, changes::copy;
    "position factor", ["position_factor"], measures::position_factor, changes::position_factor;
    "direction", ["rope.end", "rope.start", "cloth.across", "cloth.down", "net.across", "net.down"],
        measures::direction, changes::length;
    "proportions" plural, ["cloth.across", "cloth.down", "net.across", "net.down", "graph.nodes"],
        measures::proportions, changes::length;
    "shape", ["rope.shape", "rope.length"],
        measures::shape, changes::copy;
    "velocities" plural, ["velocities"], measures::velocities, changes::copy;
    "place", ["rope.start", "rope.end", "cloth.corner", "net.corner", "mesh.translate"],
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
    ("view.*", "of the picture"),
    ("camera.*", "of the picture"),
    ("ground.*", "it is drawn and stops nothing"),
    ("rest.*", "when a run is ended, not how it goes"),
    ("bodies", "its entries are bodies themselves"),
    ("parts", "what they set is compared in the body that they make"),
    ("joins", "joined nodes and springs are compared as nodes, masses and k of the body"),
    ("mesh.merge", "how a file is read; nodes and lengths that come of it are compared"),
    ("style.*", "of the picture"),
    ("rig.*", "what hangs on its bones is compared as moving pins and as colliders"),
];
