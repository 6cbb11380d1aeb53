//! Shapes of bodies and parts: ropes, cloths, nets, meshes, graphs and solids. Shapes are checked
//! before nodes are allocated. Each kind has its own file.

mod adjacency;
mod cloth;
pub(super) mod data_file;
mod graph;
mod mesh;
mod mesh_content;
mod mesh_file;
mod net;
mod obj;
mod ply;
mod points;
mod polygon;
pub(super) mod rod;
mod rope;
pub(super) mod solid;
pub(super) mod solid_file;
mod stl;
mod welded;

pub(super) use adjacency::count as adjacent;
pub(super) use cloth::{CLOTH_DAMPING, CLOTH_LAW, CLOTH_MASS, CLOTH_STIFFNESS};
pub(super) use mesh::counts;

use super::choice::{Choice, Laws};
use super::diagnostic::Fault;
use super::entries::Weights;
use super::error::SceneError;
use super::files::Files;
use super::node::NodeName;
use super::schema::{DEFAULTS, Settings};
use super::stack::{PlacedSettings, Stack, refuse, required};
use super::values::{NonNegative, Positive};
use catena_sim::body::shape::{Graph, Topology};
use catena_sim::drive::track::Animated;
use catena_sim::identity::is_same;
use catena_sim::{BadSetup, Form, Model, SpringLaw, State};
use rod::RodPlan;
use std::sync::Arc;

/// Properties of the springs of a body apart from their stiffness.
#[derive(Clone)]
pub(super) struct SpringKind {
    pub(super) law: Arc<dyn SpringLaw>,
    pub(super) damping: f64,
    pub(super) friction: f64,
    pub(super) breaks_at: Option<f64>,
    /// Whether the length can change.
    pub(super) length: LengthKind,
}

/// Whether and how the length of a rope can change.
#[derive(Clone, Debug)]
pub(super) enum LengthKind {
    /// The springs are no rope, or a rope whose length cannot change.
    Fixed,
    /// The length changes only by events.
    Constant {
        /// Whether stiffness times length stays constant.
        keeps_axial: bool,
    },
    /// The length follows a curve.
    Changing {
        /// Length over time.
        track: Animated<1>,
        /// Whether stiffness times length stays constant.
        keeps_axial: bool,
    },
}

impl SpringKind {
    /// Reads the springs of any kind except a rope, from the field `kind`.
    fn read(
        stack: &Stack<'_>,
        kind: &str,
        own: Option<&Choice<Laws>>,
        damping: Option<NonNegative>,
        breaks_at: Option<Positive>,
    ) -> Result<Self, SceneError> {
        Ok(Self {
            law: match own {
                Some(choice) => law(stack, &format!("{kind}.law"), Some(choice))?,
                None => Arc::new(CLOTH_LAW),
            },
            damping: damping.map_or(CLOTH_DAMPING, |damping| damping.0),
            friction: 0.0,
            breaks_at: breaks_at.map(|strain| strain.0),
            length: LengthKind::Fixed,
        })
    }

    /// Rejects a law that differs from the law of the first part, because a body has one law. The
    /// fault is at `path`.
    pub(super) fn check_law(
        &self,
        first: &Self,
        stack: &Stack<'_>,
        path: &str,
    ) -> Result<(), SceneError> {
        if is_same(&self.law, &first.law) {
            return Ok(());
        }
        let fault = Fault::new("all parts of a body must have the same spring law");
        let help = "use the same law in every part, or make the parts separate bodies";
        Err(refuse(stack, path, fault.help(help)))
    }
}

/// Shape of a body before its nodes are allocated.
pub(super) struct BodyShape {
    pub(super) topology: Box<dyn Topology>,
    pub(super) springs: SpringKind,
    /// Field that describes the shape: `rope`, `cloth`, `net`, `mesh`, `graph`, `solid` or `rig`.
    pub(super) field: &'static str,
    /// Notes for the user.
    pub(super) notes: Vec<String>,
    /// Rod of a rope that resists bending.
    pub(super) rod: Option<RodPlan>,
}

/// Single pinned node, for a body that consists of a rig only.
struct LoneNode {
    axes: usize,
}

impl Topology for LoneNode {
    fn build(&self) -> Result<(Model, State), BadSetup> {
        let (positions, links) = (vec![vec![0.0; self.axes]], Vec::new());
        Graph { positions, links, mass: 1.0, pins: vec![0] }.build()
    }
}

/// Whether a body consists of a rig only: no layer except the defaults sets a shape.
fn is_rig_alone(stack: &Stack<'_>, settings: &Settings) -> bool {
    let writes_rope = |layer: &PlacedSettings<'_>| {
        layer.settings.rope.is_some() && &*layer.source.text != DEFAULTS
    };
    settings.rig.is_some() && kind(settings) == "rope" && !stack.iter().any(writes_rope)
}

/// Returns the field that describes a body.
fn kind(settings: &Settings) -> &'static str {
    match settings {
        Settings { mesh: Some(_), .. } => "mesh",
        Settings { graph: Some(_), .. } => "graph",
        Settings { solid: Some(_), .. } => "solid",
        Settings { net: Some(_), .. } => "net",
        Settings { cloth: Some(_), .. } => "cloth",
        _ => "rope",
    }
}

/// Returns the field that describes a body, or an error if there are several.
pub(super) fn one_kind(stack: &Stack<'_>, settings: &Settings) -> Result<&'static str, SceneError> {
    let (field, Settings { cloth, net, mesh, graph, solid, .. }) = (kind(settings), settings);
    let others = [cloth.is_some(), net.is_some(), mesh.is_some(), graph.is_some(), solid.is_some()];
    if others.iter().filter(|is_set| **is_set).count() > 1 {
        let message = "a body can be only one of: cloth, net, mesh, graph, solid";
        let fault = Fault::new(message).help("remove all but one of them");
        return Err(refuse(stack, field, fault));
    }
    Ok(field)
}

/// Reads the shape that the layers describe.
pub(super) fn shape(
    stack: &Stack<'_>,
    settings: &Settings,
    axes: usize,
) -> Result<BodyShape, SceneError> {
    let field = one_kind(stack, settings)?;
    if let Some(mesh) = &settings.mesh {
        let ((topology, springs), notes) = mesh::read(stack, mesh, axes)?;
        return Ok(BodyShape { topology, springs, field, notes, rod: None });
    }
    if is_rig_alone(stack, settings) {
        let springs = SpringKind::read(stack, "rig", None, None, None)?;
        let topology = Box::new(LoneNode { axes });
        return Ok(BodyShape { topology, springs, field: "rig", notes: Vec::new(), rod: None });
    }
    let (topology, springs) = match settings {
        Settings { graph: Some(graph), .. } => graph::read(stack, graph, axes)?,
        Settings { solid: Some(solid), .. } => solid::read(stack, solid, axes)?,
        Settings { net: Some(net), .. } => net::read(stack, net, axes)?,
        Settings { cloth: Some(cloth), .. } => cloth::read(stack, cloth, axes)?,
        _ => {
            let ((topology, springs), rod) = rope::read(stack, settings, axes)?;
            return Ok(BodyShape { topology, springs, field, notes: Vec::new(), rod });
        }
    };
    Ok(BodyShape { topology, springs, field, notes: Vec::new(), rod: None })
}

/// Result of reading one kind of shape.
type ReadShape = (Box<dyn Topology>, SpringKind);

/// Returns the files of a stack of layers.
pub(super) fn files<'a>(stack: &Stack<'a>) -> Result<&'a Files, SceneError> {
    let top = stack.last().map(|layer| &*layer.source.files);
    top.ok_or_else(|| refuse(stack, "", Fault::new("the body has no settings")))
}

/// Returns the text of the file that the field at `path` names.
pub(super) fn text(stack: &Stack<'_>, path: &str, name: &str) -> Result<Arc<str>, SceneError> {
    files(stack)?.text(name).map_err(|fault| refuse(stack, path, fault))
}

/// Reads the spring law.
fn law(
    stack: &Stack<'_>,
    path: &str,
    choice: Option<&Choice<Laws>>,
) -> Result<Arc<dyn SpringLaw>, SceneError> {
    let law = required(stack, path, choice)?.read();
    law.map(Arc::from).map_err(|fault| refuse(stack, path, fault))
}

/// Returns the node indices of a list of node names in a body without parts.
fn nodes(
    stack: &Stack<'_>,
    path: &str,
    names: &[NodeName],
    form: &Form,
    count: usize,
) -> Result<Vec<usize>, SceneError> {
    let node = |(index, name): (usize, &NodeName)| {
        let found = name.in_one_piece(form, count);
        found.map_err(|fault| refuse(stack, &format!("{path}[{index}]"), fault))
    };
    names.iter().enumerate().map(node).collect()
}

/// Returns nodes with the masses that are added to them.
fn weights(
    stack: &Stack<'_>,
    path: &str,
    weights: Option<&Weights>,
    form: &Form,
    count: usize,
) -> Result<Vec<(usize, f64)>, SceneError> {
    let entries = weights.map_or(&[][..], |list| &list.0);
    let weight = |(index, entry): (usize, &super::entries::WeightEntry)| {
        let node = entry.node.in_one_piece(form, count);
        let path = format!("{path}[{index}].node");
        Ok((node.map_err(|fault| refuse(stack, &path, fault))?, entry.mass.0))
    };
    entries.iter().enumerate().map(weight).collect()
}
