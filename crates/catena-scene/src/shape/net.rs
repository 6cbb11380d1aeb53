//! Nets of a scene.

use super::cloth::{SheetSide, flat_side};
use super::{ReadShape, SpringKind, nodes};
use crate::diagnostic::Fault;
use crate::error::SceneError;
use crate::schema::NetSettings;
use crate::stack::{Stack, refuse, required};
use crate::values::{ClothEdge, ClothPins, MeshWord, Vector};
use catena_sim::Form;
use catena_sim::body::shape::net::{Meshes, Net};

/// Default stiffness of each spring of a net.
const STIFFNESS: f64 = 100.0;
/// Default mass of each node of a net.
const MASS: f64 = 1.0;

/// Reads a net.
pub(super) fn read(
    stack: &Stack<'_>,
    net: &NetSettings,
    axes: usize,
) -> Result<ReadShape, SceneError> {
    let law = net.law.as_ref();
    let springs = SpringKind::read(stack, "net", law, net.damping, net.breaks_at)?;
    Ok((Box::new(built(stack, net, axes)?), springs))
}

/// Builds the topology of a net.
fn built(stack: &Stack<'_>, net: &NetSettings, axes: usize) -> Result<Net, SceneError> {
    let needed = |path: &str, value: Option<Vector>| {
        let help = "a net needs `corner`, `across`, `down`, `rows` and `columns`";
        value.map(|vector| vector.on(axes)).ok_or_else(|| {
            let fault = Fault::new(format!("the net has no `{path}`")).help(help);
            refuse(stack, &format!("net.{path}"), fault)
        })
    };
    let mut built = Net {
        corner: needed("corner", net.corner)?,
        across: needed("across", net.across)?,
        down: needed("down", net.down)?,
        rows: required(stack, "net.rows", net.rows.as_ref())?.0 as usize,
        columns: required(stack, "net.columns", net.columns.as_ref())?.0 as usize,
        mesh: match net.mesh.unwrap_or(MeshWord::Square) {
            MeshWord::Square => Meshes::Square,
            MeshWord::Diamond => Meshes::Diamond,
        },
        strands: net.strands.map_or(1, |strands| strands.0 as usize),
        mass: net.mass.map_or(MASS, |mass| mass.0),
        stiffness: net.stiffness.map_or(STIFFNESS, |stiffness| stiffness.0),
        pins: Vec::new(),
    };
    built.pins = pins(stack, &built, net.pins.as_ref().map(|pins| &pins.0))?;
    let across = SheetSide { vector: &built.across, count: built.columns };
    let down = SheetSide { vector: &built.down, count: built.rows };
    if let Some(path) = flat_side("net", across, down) {
        let fault =
            Fault::new("the net has no area: its sides must be longer than 0 and not parallel");
        return Err(refuse(stack, &path, fault));
    }
    Ok(built)
}

/// Returns the indices of the pinned nodes.
fn pins(stack: &Stack<'_>, net: &Net, pins: Option<&ClothPins>) -> Result<Vec<usize>, SceneError> {
    let knots = net.knots();
    let (bottom, right) = (2 * net.rows, 2 * net.columns);
    let at = |is_it: &dyn Fn((usize, usize)) -> bool| {
        (0..knots.len()).filter(|&index| is_it(knots[index])).collect()
    };
    // A diamond net has no knots in its corners; the nearest ones are used instead.
    let first = knots.first().map_or(0, |knot| knot.1);
    let is_side = |j: usize| j == first || j == right - first;
    Ok(match pins.unwrap_or(&ClothPins::At(ClothEdge::None)) {
        ClothPins::At(ClothEdge::None) => Vec::new(),
        ClothPins::At(ClothEdge::TopCorners) => at(&|(i, j)| i == 0 && is_side(j)),
        ClothPins::At(ClothEdge::Corners) => at(&|(i, j)| (i == 0 || i == bottom) && is_side(j)),
        ClothPins::At(ClothEdge::TopEdge) => at(&|(i, _)| i == 0),
        ClothPins::At(ClothEdge::LeftEdge) => at(&|(_, j)| j == 0),
        ClothPins::Nodes(list) => {
            nodes(stack, "net.pins", &list.0, &Form::Graph, net.nodes().unwrap_or(0))?
        }
    })
}
