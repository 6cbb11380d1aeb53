//! What a body is made of: a rope or a cloth, checked before a node is allocated.

use super::assembly::{self, NetSettings};
use super::choice::{Choice, Laws};
use super::diagnostic::Fault;
use super::error::SceneError;
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

// Defaults of cloths. They cannot stand in `defaults.ron`: a scene that sets a field of `cloth` has
// a cloth.
pub(super) const CLOTH_MASS: f64 = 1.0;
pub(super) const CLOTH_STIFFNESS: f64 = 100.0;
pub(super) const CLOTH_DAMPING: f64 = 0.0;
pub(super) const CLOTH_LAW: Hooke = Hooke {};

/// What the springs of a body have beside their stiffness.
pub(super) struct SpringKind {
    pub(super) law: Arc<dyn SpringLaw>,
    pub(super) damping: f64,
    pub(super) friction: f64,
    pub(super) breaks_at: Option<f64>,
}

/// What a body is made of, before its nodes are allocated.
pub(super) struct BodyShape {
    pub(super) topology: Box<dyn Topology>,
    pub(super) springs: SpringKind,
}

/// Reads the shape that the layers describe.
pub(super) fn shape(
    stack: &Stack<'_>,
    settings: &Settings,
    axes: usize,
) -> Result<BodyShape, SceneError> {
    match (&settings.net, &settings.cloth) {
        (Some(net), _) => self::net(stack, net, axes),
        (None, Some(cloth)) => self::cloth(stack, cloth, axes),
        (None, None) => rope(stack, settings.rope.as_ref(), axes),
    }
}

/// The net that the layers describe.
fn net(stack: &Stack<'_>, net: &NetSettings, axes: usize) -> Result<BodyShape, SceneError> {
    let springs = SpringKind {
        law: match &net.law {
            Some(choice) => law(stack, "net.law", Some(choice))?,
            None => Arc::new(CLOTH_LAW),
        },
        damping: net.damping.map_or(CLOTH_DAMPING, |damping| damping.0),
        friction: 0.0,
        breaks_at: net.breaks_at.map(|strain| strain.0),
    };
    Ok(BodyShape { topology: Box::new(assembly::net(stack, net, axes)?), springs })
}

impl SpringKind {
    /// Refuses another part whose springs differ in what a body has once.
    pub(super) fn check_same(
        &self,
        other: &Self,
        stack: &Stack<'_>,
        settings: &Settings,
    ) -> Result<(), SceneError> {
        let kind = match (&settings.net, &settings.cloth) {
            (Some(_), _) => "net",
            (None, Some(_)) => "cloth",
            (None, None) => "rope",
        };
        for (field, is_same) in [
            ("law", format!("{:?}", self.law) == format!("{:?}", other.law)),
            ("damping", self.damping == other.damping),
            ("friction", self.friction == other.friction),
            ("breaks_at", self.breaks_at == other.breaks_at),
        ] {
            if !is_same {
                let message = format!("`{field}` is the same for all parts of a body");
                let help = "set it alike in every part, or make bodies of the parts";
                let fault = Fault::new(message).help(help);
                return Err(refuse(stack, &format!("{kind}.{field}"), fault));
            }
        }
        Ok(())
    }
}

/// The rope that the layers describe.
fn rope(
    stack: &Stack<'_>,
    rope: Option<&RopeSettings>,
    axes: usize,
) -> Result<BodyShape, SceneError> {
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

/// The cloth that the layers describe.
fn cloth(stack: &Stack<'_>, cloth: &ClothSettings, axes: usize) -> Result<BodyShape, SceneError> {
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
    let sides = ((&*built.across, built.columns), (&*built.down, built.rows));
    if let Some(path) = flat_side("cloth", sides.0, sides.1) {
        let fault =
            Fault::new("the cloth has no area: its sides must be longer than 0 and not parallel");
        return Err(refuse(stack, &path, fault));
    }
    let springs = SpringKind {
        law: match &cloth.law {
            Some(choice) => law(stack, "cloth.law", Some(choice))?,
            None => Arc::new(CLOTH_LAW),
        },
        damping: cloth.damping.map_or(CLOTH_DAMPING, |damping| damping.0),
        friction: 0.0,
        breaks_at: cloth.breaks_at.map(|strain| strain.0),
    };
    Ok(BodyShape { topology: Box::new(built), springs })
}

/// The field of a side that leaves a sheet without area. Each side has its cells.
pub(super) fn flat_side(
    kind: &str,
    (across, columns): (&[f64], usize),
    (down, rows): (&[f64], usize),
) -> Option<String> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (aa, dd, ad) = (dot(across, across), dot(down, down), dot(across, down));
    if !(aa / (columns * columns) as f64).is_normal() {
        return Some(format!("{kind}.across"));
    }
    if !(dd / (rows * rows) as f64).is_normal() || ad * ad >= 0.999_999 * aa * dd {
        return Some(format!("{kind}.down"));
    }
    None
}

/// Reads the law of the springs.
fn law(
    stack: &Stack<'_>,
    path: &str,
    choice: Option<&Choice<Laws>>,
) -> Result<Arc<dyn SpringLaw>, SceneError> {
    let law = required(stack, path, choice)?.read();
    law.map(Arc::from).map_err(|fault| refuse(stack, path, fault))
}

/// The pins of a list, which must be nodes of the body.
pub(super) fn pinned(
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
