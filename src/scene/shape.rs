//! What a body is made of: a rope or a cloth, checked before a node is allocated.

use super::choice::{Choice, Laws};
use super::diagnostic::Fault;
use super::error::SceneError;
use super::forces::SpringKind;
use super::schema::{ClothSettings, RopeSettings, Settings};
use super::stack::{Stack, highest, refuse, required};
use super::values::{ClothEdge, ClothPins, NodeNumber};
use crate::sim::{
    SpringLaw,
    body::shape::{
        Topology,
        cloth::Cloth,
        rope::{Matter, Rope},
    },
    force::law::Hooke,
};
use std::sync::Arc;

// What a cloth has where a scene says nothing. `defaults.ron` can have none of it: a scene that has
// a field of `cloth` has a cloth.
pub(super) const CLOTH_MASS: f64 = 1.0;
pub(super) const CLOTH_STIFFNESS: f64 = 100.0;
pub(super) const CLOTH_DAMPING: f64 = 0.0;
pub(super) const CLOTH_LAW: Hooke = Hooke {};

/// A body's nodes and springs to be.
pub(super) struct Shape {
    pub(super) topology: Box<dyn Topology>,
    pub(super) springs: SpringKind,
}

/// Reads the shape that the layers describe.
pub(super) fn shape(
    stack: &Stack<'_>,
    settings: &Settings,
    axes: usize,
) -> Result<Shape, SceneError> {
    match &settings.cloth {
        Some(cloth) => self::cloth(stack, cloth, axes),
        None => rope(stack, settings.rope.as_ref(), axes),
    }
}

fn rope(stack: &Stack<'_>, rope: Option<&RopeSettings>, axes: usize) -> Result<Shape, SceneError> {
    let rope = required(stack, "rope", rope)?;
    let start = required(stack, "rope.start", rope.start.as_ref())?.on(axes);
    let end = required(stack, "rope.end", rope.end.as_ref())?.on(axes);
    let nodes = required(stack, "rope.nodes", rope.nodes.as_ref())?.0;
    let pins = required(stack, "rope.pins", rope.pins.as_ref())?.0;
    let bending = required(stack, "rope.bending", rope.bending.as_ref())?.0;
    let built = Rope {
        pins: pinned(stack, "rope.pins", &pins, nodes)?,
        nodes: nodes as usize,
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
        law: law(stack, "rope.law", rope.law.as_ref())?,
        damping: required(stack, "rope.damping", rope.damping.as_ref())?.0,
        friction: required(stack, "rope.friction", rope.friction.as_ref())?.0,
        breaks_at: rope.breaks_at.map(|strain| strain.0),
        bends: bending > 0.0,
    };
    Ok(Shape { topology: Box::new(built), springs })
}

/// Mass and stiffness, from a material or as they are written.
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
    // What lies below the material is replaced by it; what lies beside or above it contradicts it.
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

fn cloth(stack: &Stack<'_>, cloth: &ClothSettings, axes: usize) -> Result<Shape, SceneError> {
    let needed = |path: &str, value: Option<super::values::Vector>| {
        let help = "a cloth needs `corner`, `across`, `down`, `rows` and `columns`";
        value.map(|vector| vector.on(axes)).ok_or_else(|| {
            let fault = Fault::new(format!("the cloth has no `{path}`")).help(help);
            refuse(stack, &format!("cloth.{path}"), fault)
        })
    };
    let rows = required(stack, "cloth.rows", cloth.rows.as_ref())?.0;
    let columns = required(stack, "cloth.columns", cloth.columns.as_ref())?.0;
    let nodes = rows * columns;
    let pins = match cloth.pins.clone().unwrap_or(ClothPins::At(ClothEdge::None)) {
        ClothPins::At(ClothEdge::None) => Vec::new(),
        ClothPins::At(ClothEdge::TopCorners) => vec![0, columns as usize - 1],
        ClothPins::At(ClothEdge::Corners) => {
            [0, columns - 1, nodes - columns, nodes - 1].map(|i| i as usize).to_vec()
        }
        ClothPins::At(ClothEdge::TopEdge) => (0..columns as usize).collect(),
        ClothPins::At(ClothEdge::LeftEdge) => {
            (0..nodes as usize).step_by(columns as usize).collect()
        }
        ClothPins::Nodes(list) => pinned(stack, "cloth.pins", &list.0, nodes)?,
    };
    let built = Cloth {
        corner: needed("corner", cloth.corner)?,
        across: needed("across", cloth.across)?,
        down: needed("down", cloth.down)?,
        rows: rows as usize,
        columns: columns as usize,
        mass: cloth.mass.map_or(CLOTH_MASS, |mass| mass.0),
        stiffness: cloth.stiffness.map_or(CLOTH_STIFFNESS, |stiffness| stiffness.0),
        pins,
    };
    if let Some(path) = flat_side(&built) {
        let fault =
            Fault::new("the cloth has no area: its sides must be longer than 0 and not parallel");
        return Err(refuse(stack, path, fault));
    }
    let springs = SpringKind {
        law: match &cloth.law {
            Some(choice) => law(stack, "cloth.law", Some(choice))?,
            None => Arc::new(CLOTH_LAW),
        },
        damping: cloth.damping.map_or(CLOTH_DAMPING, |damping| damping.0),
        friction: 0.0,
        breaks_at: cloth.breaks_at.map(|strain| strain.0),
        bends: true,
    };
    Ok(Shape { topology: Box::new(built), springs })
}

/// The field of the side that leaves a cloth without area.
fn flat_side(cloth: &Cloth) -> Option<&'static str> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (across, down) = (&cloth.across, &cloth.down);
    let (aa, dd, ad) = (dot(across, across), dot(down, down), dot(across, down));
    if !(aa / (cloth.columns * cloth.columns) as f64).is_normal() {
        return Some("cloth.across");
    }
    if !(dd / (cloth.rows * cloth.rows) as f64).is_normal() || ad * ad >= 0.999_999 * aa * dd {
        return Some("cloth.down");
    }
    None
}

/// The law of the springs.
fn law(
    stack: &Stack<'_>,
    path: &str,
    choice: Option<&Choice<Laws>>,
) -> Result<Arc<dyn SpringLaw>, SceneError> {
    let law = required(stack, path, choice)?.read();
    law.map(Arc::from).map_err(|fault| refuse(stack, path, fault))
}

/// The pins of a list, which must be nodes of the body.
fn pinned(
    stack: &Stack<'_>,
    path: &str,
    pins: &[NodeNumber],
    nodes: u64,
) -> Result<Vec<usize>, SceneError> {
    if let Some(index) = pins.iter().position(|pin| pin.0 >= nodes) {
        let pin = pins[index].0;
        let body = if path.starts_with("cloth") { "cloth" } else { "rope" };
        let message = format!("node {pin} cannot be pinned: the {body} has {nodes} nodes");
        let help = format!("nodes are numbered from 0 to {}", nodes - 1);
        return Err(refuse(stack, &format!("{path}[{index}]"), Fault::new(message).help(help)));
    }
    Ok(pins.iter().map(|pin| pin.0 as usize).collect())
}

/// Whether neighbouring nodes differ by a distance whose square is a number above zero.
fn has_length(rope: &Rope) -> bool {
    // Rounding is worst where coordinates are largest: at one of the two ends.
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
