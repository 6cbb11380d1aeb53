//! The rope that the layers describe.

use super::{BodyShape, SpringKind, law, nodes};
use crate::scene::diagnostic::Fault;
use crate::scene::error::SceneError;
use crate::scene::schema::{RopeSettings, Settings};
use crate::scene::stack::{Stack, highest, refuse, required};
use crate::sim::{
    Form,
    body::shape::rope::{Matter, Rope},
};

/// Reads a rope.
pub(super) fn read(
    stack: &Stack<'_>,
    rope: Option<&RopeSettings>,
    axes: usize,
) -> Result<BodyShape, SceneError> {
    let rope = required(stack, "rope", rope)?;
    let start = required(stack, "rope.start", rope.start.as_ref())?.on(axes);
    let end = required(stack, "rope.end", rope.end.as_ref())?.on(axes);
    let count = required(stack, "rope.nodes", rope.nodes.as_ref())?.0 as usize;
    let pins = required(stack, "rope.pins", rope.pins.as_ref())?.0;
    let bending = required(stack, "rope.bending", rope.bending.as_ref())?.0;
    let built = Rope {
        pins: nodes(stack, "rope.pins", &pins, (&Form::Rope { closed: false }, count))?,
        nodes: count,
        matter: matter(stack, &rope)?,
        bending,
        last_node: required(stack, "rope.last_node", rope.last_node.as_ref())?.into(),
        start,
        end,
    };
    if !has_length(&built) {
        let fault = if built.start == built.end {
            Fault::new("the rope has no length: it starts and ends at the same point")
        } else {
            Fault::new("the rope is too short for so many nodes: neighbours fall on one point")
        };
        return Err(refuse(stack, "rope.end", fault.help("move `end` away from `start`")));
    }
    let springs = SpringKind {
        field: "rope",
        law: law(stack, "rope.law", rope.law.as_ref())?,
        damping: required(stack, "rope.damping", rope.damping.as_ref())?.0,
        friction: required(stack, "rope.friction", rope.friction.as_ref())?.0,
        breaks_at: rope.breaks_at.map(|strain| strain.0),
    };
    Ok(BodyShape { topology: Box::new(built), springs })
}

/// Mass and stiffness: those of a material, or as the scene has them.
fn matter(stack: &Stack<'_>, rope: &RopeSettings) -> Result<Matter, SceneError> {
    let Some(material) = &rope.material else {
        return Ok(Matter::Nodes {
            mass: required(stack, "rope.mass", rope.mass.as_ref())?.0,
            stiffness: required(stack, "rope.stiffness", rope.stiffness.as_ref())?.0,
        });
    };
    let material = material.read().map_err(|fault| refuse(stack, "rope.material", fault))?;
    let Some(area) = rope.area else {
        let message = format!("a rope of {} needs a cross-section", material.info().name);
        let help = "write its area beside it: rope: (material: Steel, area: 1e-4)";
        return Err(refuse(stack, "rope.material", Fault::new(message).help(help)));
    };
    // A material replaces mass and stiffness of layers below it; in its own layer or above they
    // contradict it.
    let rope_of = |settings: &Settings| settings.rope.clone();
    let of_material = highest(stack, |settings| rope_of(settings)?.material.map(|_| ()));
    for (path, layer) in [
        ("rope.stiffness", highest(stack, |settings| rope_of(settings)?.stiffness.map(|_| ()))),
        ("rope.mass", highest(stack, |settings| rope_of(settings)?.mass.map(|_| ()))),
    ] {
        if layer >= of_material {
            let fault = Fault::new(format!("`{path}` follows from the rope's material and area"));
            return Err(refuse(stack, path, fault.help("leave one of the two out")));
        }
    }
    Ok(Matter::Material {
        young_area: material.young() * area.0,
        density_area: material.density() * area.0,
    })
}

/// Whether neighbouring nodes differ by a distance whose square is a number above zero.
fn has_length(rope: &Rope) -> bool {
    // Rounding is greatest where coordinates are: at one of the two ends.
    let ends = |first: usize| {
        let square: f64 = rope
            .start
            .iter()
            .zip(&rope.end)
            .map(|(start, end)| {
                let at = |i: usize| start + (end - start) * i as f64 / rope.parts();
                (at(first + 1) - at(first)) * (at(first + 1) - at(first))
            })
            .sum();
        square.is_normal()
    };
    ends(0) && ends(rope.nodes - 2)
}
