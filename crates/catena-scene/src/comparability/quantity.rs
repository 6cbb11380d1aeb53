//! Quantities that enter the physics: their table, and their values in bodies.
//!
//! A row of the table has a name, the fields that set the quantity, its value in a body, and
//! possible remedies. A new schema field must be added to the `fields` of a row, or to
//! [`NOT_PHYSICS`] with a reason. Quantities that methods treat differently are compared by their
//! effect. For example, XPBD's stiffness is the inverse of its compliance, and methods with rigid
//! segments have no stiffness. Values are compared as numbers, or by their identity.

use super::{changes, measures};
use crate::comparability::quantity_value::Quantity;

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
        "panels compare methods; their options are compared as the quantities that they set",
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
    ("ground.*", "it is only drawn, and stops nothing"),
    ("light.*", "of the picture"),
    ("rest.*", "it sets when a run ends, not the motion"),
    ("bodies", "its entries are bodies themselves"),
    ("parts", "their settings are compared as values of the whole body"),
    ("part_changes", "their settings are compared as values of the whole body"),
    ("joins", "joined nodes and springs are compared as nodes, masses and k of the body"),
    ("mesh.merge", "how a file is read; the resulting nodes and lengths are compared"),
    ("reference.*", "a motion to compare with, which has no effect on the body"),
    ("style.*", "of the picture"),
    ("rig.*", "objects attached to its bones are compared as moving pins and colliders"),
];
