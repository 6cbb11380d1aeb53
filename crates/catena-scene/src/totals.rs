//! Counts of nodes, springs and list entries of a scene, computed from settings before allocation.

use super::assembly::PartLayers;
use super::choice::{Choice, Choices};
use super::colliders::ColliderList;
use super::entries::{AnchorEntry, ClampEntry};
use super::error::SceneError;
use super::events::EventList;
use super::limits::{BYTES_PER_NODE, LIFT, Limits, too_many};
use super::over_time::VectorOverTime;
use super::rig::RigSettings;
use super::schema::{NetSettings, RodSettings, Settings};
use super::shape;
use super::stack::{Stack, body_stack, merged, refuse};
use super::values::{ClothPins, Nodes, RestCurvature, Whole};

/// Sums over all bodies so far. Sums cannot overflow, because numbers of a scene have at most 30
/// bits and sums saturate.
pub(super) struct Totals<'a> {
    limits: &'a Limits,
    bodies: u64,
    nodes: u64,
    springs: u64,
    colliders: u64,
    labels: u64,
    entries: u64,
    encounters: u64,
}

impl<'a> Totals<'a> {
    /// Creates the totals of no bodies.
    pub(super) fn new(limits: &'a Limits) -> Self {
        let [bodies, nodes, springs, colliders, labels, entries, encounters] = [0; 7];
        Self { limits, bodies, nodes, springs, colliders, labels, entries, encounters }
    }

    /// Adds the bodies of a panel. Returns an error when a total exceeds a limit.
    pub(super) fn add_panel(
        &mut self,
        label: Option<&str>,
        stack: &Stack<'_>,
        overrides: &Stack<'_>,
    ) -> Result<(), SceneError> {
        let settings = merged(stack);
        let list = settings.bodies.as_ref().map_or(&[][..], |bodies| &bodies.0);
        let count = list.len() as u64;
        if count > self.limits.bodies {
            let fault = too_many(count, "bodies of one panel", self.limits.bodies);
            return Err(refuse(stack, "bodies", fault));
        }
        self.bodies = self.bodies.saturating_add(count.max(1));
        if self.bodies > self.limits.all_bodies {
            let fault = too_many(self.bodies, "bodies in all panels", self.limits.all_bodies);
            return Err(refuse(stack, "bodies", fault));
        }
        let labels = list.iter().filter_map(|layer| layer.label.as_deref()).chain(label);
        let labels = labels.map(|label| label.len() as u64).sum();
        self.labels = self.labels.saturating_add(labels);
        if self.labels > self.limits.labels {
            let what = "bytes of labels, counted for each panel,";
            return Err(refuse(stack, "bodies", too_many(self.labels, what, self.limits.labels)));
        }
        if list.is_empty() {
            return self.add_body(stack, &settings);
        }
        for (index, layer) in list.iter().enumerate() {
            let stack = body_stack(stack, overrides, index, &layer.with);
            self.add_body(&stack, &merged(&stack))?;
        }
        Ok(())
    }

    /// Adds one body. Returns an error when a total exceeds a limit.
    fn add_body(&mut self, stack: &Stack<'_>, settings: &Settings) -> Result<(), SceneError> {
        let BodySize { nodes, springs, field } = whole_size(stack, settings)?;
        self.nodes = self.nodes.saturating_add(nodes);
        let maximum = self.limits.nodes;
        if self.nodes > maximum {
            let gib = self.nodes.saturating_mul(BYTES_PER_NODE) >> 30;
            let what = format!("nodes of all bodies, which would take about {} GiB,", gib.max(1));
            let help = format!("lower `{field}`; {LIFT}");
            return Err(refuse(stack, field, too_many(self.nodes, &what, maximum).help(help)));
        }
        let colliders = settings.colliders.as_ref().map_or(0, |list| list.0.len() as u64);
        let forces = settings.forces.as_ref().map_or(0, |list| list.0.len() as u64);
        let list_field = if colliders >= forces { "colliders" } else { "forces" };
        self.springs = self.springs.saturating_add(springs);
        self.colliders = self.colliders.saturating_add(colliders);
        self.entries = self.entries.saturating_add(entries(settings));
        self.encounters = self.encounters.saturating_add(nodes.saturating_mul(colliders + forces));
        let limits = self.limits;
        for (found, maximum, what, field) in [
            (self.springs, limits.springs, "springs of all bodies", field),
            (self.colliders, limits.colliders, "colliders of all bodies", "colliders"),
            (
                self.encounters,
                limits.encounters,
                "pairs of a node with a collider or a force",
                list_field,
            ),
            (
                self.entries,
                limits.entries,
                "entries of lists and options, counted for each body,",
                longest(settings),
            ),
        ] {
            if found > maximum {
                return Err(refuse(stack, field, too_many(found, what, maximum)));
            }
        }
        Ok(())
    }
}

/// Node and spring counts of a body, and the field that determines them.
struct BodySize {
    nodes: u64,
    springs: u64,
    field: &'static str,
}

/// Returns the number of nodes of a body.
///
/// # Errors
/// Returns an error when the file of a mesh cannot be read.
pub(super) fn nodes(stack: &Stack<'_>, settings: &Settings) -> Result<u64, SceneError> {
    whole_size(stack, settings).map(|size| size.nodes)
}

/// Returns the size of a body including all copies of its parts.
fn whole_size(stack: &Stack<'_>, settings: &Settings) -> Result<BodySize, SceneError> {
    let parts = settings.parts.as_ref().map_or(&[][..], |parts| &parts.0);
    if parts.is_empty() {
        return size(stack, settings);
    }
    let mut all = BodySize { nodes: 0, springs: 0, field: "parts" };
    let layers = PartLayers::new(stack);
    for (index, entry) in parts.iter().enumerate() {
        let of_part = size(&layers.stack(index, entry), &layers.settings(entry))?;
        let copies = entry.repeat.0.map_or(1, |count| count.0);
        all.nodes = all.nodes.saturating_add(of_part.nodes.saturating_mul(copies));
        all.springs = all.springs.saturating_add(of_part.springs.saturating_mul(copies));
    }
    // A spring may join each node to another one.
    all.springs = all.springs.saturating_add(all.nodes);
    Ok(all)
}

fn size(stack: &Stack<'_>, settings: &Settings) -> Result<BodySize, SceneError> {
    shape::one_kind(stack, settings)?;
    if let Some(mesh) = &settings.mesh {
        let (nodes, springs) = shape::counts(stack, mesh)?;
        return Ok(BodySize { nodes, springs, field: "mesh.file" });
    }
    if let Some(solid) = &settings.solid {
        let points = solid.points.as_ref().map_or(0, |points| points.0.len() as u64);
        return Ok(BodySize { nodes: 5 + points, springs: 10 + 5 * points, field: "solid.points" });
    }
    if let Some(graph) = &settings.graph {
        let nodes = graph.nodes.as_ref().map_or(0, |nodes| nodes.0.len() as u64);
        let listed = graph.springs.as_ref().map_or(0, |springs| springs.0.len() as u64);
        let springs = listed + graph.adjacency.as_ref().map_or(0, shape::adjacent);
        return Ok(BodySize { nodes, springs, field: "graph.nodes" });
    }
    if let Some(net) = &settings.net {
        return Ok(net_size(net));
    }
    if let Some(cloth) = &settings.cloth {
        let side = |side: Option<Whole<2, 10_000>>| side.map_or(0, |side| side.0);
        let (r, c) = (side(cloth.rows), side(cloth.columns));
        let less = |count: u64, by: u64| count.saturating_sub(by);
        let structural = r * less(c, 1) + less(r, 1) * c;
        let shear = 2 * less(r, 1) * less(c, 1);
        let bending = r * less(c, 2) + less(r, 2) * c;
        let springs = structural + shear + bending;
        return Ok(BodySize { nodes: r * c, springs, field: "cloth.rows" });
    }
    let rope = settings.rope.as_ref();
    let nodes = rope.and_then(|rope| rope.nodes).map_or(0, |nodes| nodes.0);
    let bends = rope.and_then(|rope| rope.bending).is_some_and(|bending| bending.0 > 0.0);
    let bending = if bends { nodes.saturating_sub(2) } else { 0 };
    Ok(BodySize { nodes, springs: nodes.saturating_sub(1) + bending, field: "rope.nodes" })
}

fn net_size(net: &NetSettings) -> BodySize {
    let (rows, columns) = (net.rows.map_or(0, |rows| rows.0), net.columns.map_or(0, |c| c.0));
    let strands = net.strands.map_or(1, |strands| strands.0);
    // A diamond net has four sides of its own per mesh, a square net about two.
    let cords = 4 * (rows + 1) * (columns + 1);
    BodySize { nodes: cords * strands, springs: cords * strands, field: "net.rows" }
}

/// Number of bytes in the text of a choice, such as a method or a curve, that count as one entry.
const BYTES_PER_ENTRY: u64 = 8;

fn of_text<T>(choice: &Choice<T>) -> u64 {
    1 + choice.length() as u64 / BYTES_PER_ENTRY
}

fn of_list<T>(list: Option<&Choices<T>>) -> u64 {
    list.map_or(0, |list| list.0.iter().map(of_text).sum())
}

fn of_colliders(list: &ColliderList) -> u64 {
    list.0.iter().map(|entry| 1 + entry.length() as u64 / BYTES_PER_ENTRY).sum()
}

fn of_events(events: &EventList) -> u64 {
    let (bytes, entries) = events.length();
    entries as u64 + bytes as u64 / BYTES_PER_ENTRY
}

fn of_vector(vector: &VectorOverTime) -> u64 {
    match vector {
        VectorOverTime::Constant(_) => 0,
        VectorOverTime::Curve(curve) => of_text(curve),
    }
}

/// Returns the entries of an anchor: the entries of its curve, or 1 if it has no curve, plus the
/// entries of its velocity.
fn of_anchor(entry: &AnchorEntry) -> u64 {
    let velocity = entry.velocity.0.as_ref().map_or(0, of_vector);
    entry.curve.0.as_ref().map_or(1, of_text) + velocity
}

/// Returns the entries of the lists and curves of a rod.
fn of_rod(rod: &RodSettings) -> u64 {
    let of_clamp = |clamp: &ClampEntry| {
        let turn = clamp.turn.0.as_ref().map_or(0, |turn| of_curve(turn.length));
        1 + turn + clamp.tangent.0.as_ref().map_or(0, of_vector)
    };
    let curvature = match &rod.curvature {
        Some(RestCurvature::Each(each)) => each.len() as u64,
        _ => 0,
    };
    curvature + rod.clamps.iter().flat_map(|list| &list.0).map(of_clamp).sum::<u64>()
}

/// Returns the entries of a curve with a text of this length.
fn of_curve(length: usize) -> u64 {
    length as u64 / BYTES_PER_ENTRY
}

/// Returns the number of pins of a solid.
fn of_solid(settings: &Settings) -> u64 {
    of_nodes(settings.solid.as_ref().and_then(|solid| solid.pins.as_ref()))
}

/// Returns the number of nodes in a list.
fn of_nodes(list: Option<&Nodes>) -> u64 {
    list.map_or(0, |list| list.0.len() as u64)
}

/// Returns the entries of the length of a rope over time.
fn of_length(settings: &Settings) -> u64 {
    let length = settings.rope.as_ref().and_then(|rope| rope.length.as_ref());
    length.map_or(0, |length| of_curve(length.length))
}

/// Returns name and entry count of each list of a body.
fn lists(settings: &Settings) -> Vec<(&'static str, u64)> {
    let rope = settings.rope.as_ref();
    let cloth = settings.cloth.as_ref();
    let cloth_pins = match cloth.and_then(|cloth| cloth.pins.as_ref()) {
        Some(ClothPins::Nodes(nodes)) => nodes.0.len() as u64,
        _ => 0,
    };
    let pins = rope.and_then(|rope| rope.pins.as_ref()).map_or(0, |pins| pins.0.len() as u64);
    let law = |law: Option<&Choice<_>>| law.map_or(0, of_text);
    let (mesh, graph) = (settings.mesh.as_ref(), settings.graph.as_ref());
    let weights = [
        rope.and_then(|rope| rope.weights.as_ref()),
        cloth.and_then(|cloth| cloth.weights.as_ref()),
        mesh.and_then(|mesh| mesh.weights.as_ref()),
        graph.and_then(|graph| graph.weights.as_ref()),
    ];
    let weights = weights.into_iter().flatten().map(|list| list.0.len() as u64).sum();
    let shape = rope.and_then(|rope| rope.shape.as_ref());
    let color = settings.style.as_ref().and_then(|style| style.color.as_ref());
    let anchors = settings.anchors.iter().flat_map(|list| &list.0);
    vec![
        // A name without options has no entries.
        (
            "rope.shape",
            shape.map_or(0, |shape| (shape.length().max(1) as u64 - 1) / BYTES_PER_ENTRY),
        ),
        (
            "rope.ranges",
            rope.and_then(|rope| rope.ranges.as_ref()).map_or(0, |list| list.0.len() as u64),
        ),
        ("rope.rod", rope.and_then(|rope| rope.rod.as_ref()).map_or(0, of_rod)),
        ("weights", weights),
        ("velocities", settings.velocities.as_ref().map_or(0, |list| list.0.len() as u64)),
        (
            "mesh.pins",
            mesh.and_then(|mesh| mesh.pins.as_ref()).map_or(0, |list| list.0.len() as u64),
        ),
        ("graph.pins", of_nodes(graph.and_then(|graph| graph.pins.as_ref()))),
        ("solid.pins", of_solid(settings)),
        ("rope.pins", pins),
        ("rope.length", of_length(settings)),
        ("rope.law", law(rope.and_then(|rope| rope.law.as_ref()))),
        ("cloth.pins", cloth_pins),
        ("cloth.law", law(cloth.and_then(|cloth| cloth.law.as_ref()))),
        ("impulses", settings.impulses.as_ref().map_or(0, |list| list.0.len() as u64)),
        ("events", settings.events.as_ref().map_or(0, of_events)),
        ("gravity", settings.gravity.as_ref().map_or(0, of_vector)),
        ("wind", settings.wind.as_ref().map_or(0, of_vector)),
        ("drag", settings.drag.as_ref().map_or(0, |drag| of_curve(drag.length))),
        ("anchors", anchors.map(of_anchor).sum()),
        ("style.color", of_curve(color.map_or(0, |color| color.length))),
        ("rig", settings.rig.as_ref().map_or(0, RigSettings::entries)),
        ("colliders", settings.colliders.as_ref().map_or(0, of_colliders)),
        ("forces", of_list(settings.forces.as_ref())),
        ("slips", of_list(settings.slips.as_ref())),
        ("integrator", settings.integrator.as_ref().map_or(0, of_text)),
    ]
}

fn entries(settings: &Settings) -> u64 {
    lists(settings).iter().map(|(_, count)| count).sum()
}

/// Returns the name of the list with the most entries.
fn longest(settings: &Settings) -> &'static str {
    lists(settings).into_iter().max_by_key(|(_, count)| *count).map_or("base", |(name, _)| name)
}
