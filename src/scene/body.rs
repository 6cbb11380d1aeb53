//! One body of a scene: from its layers to a setup.

use super::build::{Body, Stack, Style, merged, refuse, required};
use super::diagnostic::{Fault, SceneError};
use super::limits;
use super::schema::Settings;
use crate::sim::{
    Force, Setup, Spring, SpringLaw,
    force::{Drag, ElasticSprings, Gravity, SpringDamping, SpringFriction},
    topology::rope::Rope,
};
use std::sync::Arc;

/// Builds the body that the layers describe. `nodes` counts the nodes of the scene so far.
pub(super) fn build(
    label: Option<String>,
    stack: &Stack<'_>,
    nodes: &mut u64,
) -> Result<Body, SceneError> {
    let settings = merged(stack);
    let rope = rope(stack, &settings, nodes)?;
    let choice = required(stack, "integrator", settings.integrator.as_ref())?;
    let method = choice.read().map_err(|fault| refuse(stack, "integrator", fault))?;
    let info = method.info();

    let velocity_factor = required(stack, "velocity_factor", settings.velocity_factor.as_ref())?.0;
    if velocity_factor != 1.0 && !info.velocity_carries {
        let message = format!(
            "{} carries its motion in positions, so a velocity_factor would change nothing",
            info.name
        );
        let help = "use the method's own damping, or set velocity_factor in other panels only";
        return Err(refuse(stack, "velocity_factor", Fault::new(message).help(help)));
    }

    let (model, initial) = rope.build();
    let gravity = required(stack, "gravity", settings.gravity.as_ref())?.0.to_vec();
    let mut setup = Setup {
        model,
        initial,
        forces: forces(stack, &settings, &gravity)?,
        flow: Some(law(stack, &settings)?).filter(|law| law.flows()),
        breaks_at: settings.rope.as_ref().and_then(|rope| rope.breaks_at).map(|strain| strain.0),
        anchors: Vec::new(),
        method,
        frame_time: required(stack, "frame_time", settings.frame_time.as_ref())?.0,
        substeps: required(stack, "substeps", settings.substeps.as_ref())?.0,
        velocity_factor,
        position_factor: required(stack, "position_factor", settings.position_factor.as_ref())?.0,
        strain_limit: 0.0,
    };
    setup.strain_limit = strain_limit(&setup, &gravity);
    if setup.dt() == 0.0 {
        let fault = Fault::new("frame_time over substeps is too small to be told from 0");
        return Err(refuse(stack, "frame_time", fault));
    }
    Ok(Body {
        label: label.unwrap_or_else(|| info.title.into()),
        style: style(stack, &settings)?,
        method: info,
        has_reference: law(stack, &settings)?.is_linear() && setup.position_factor == 1.0,
        gravity,
        setup: Arc::new(setup),
    })
}

/// The strain from which a body counts as diverged: ten times what is natural. That is one rest length, what the weight of
/// the whole rope does to the top spring, and what a projection cannot undo in one step.
fn strain_limit(setup: &Setup, gravity: &[f64]) -> f64 {
    let g = gravity.iter().map(|component| component * component).sum::<f64>().sqrt();
    let weight: f64 = setup.model.mass.iter().sum::<f64>() * g;
    let sag = setup.model.nodes() as f64 * g * setup.dt() * setup.dt();
    let natural = |spring: &Spring| (weight / spring.stiffness + sag) / spring.rest_length;
    10.0 * setup
        .model
        .springs
        .iter()
        .map(natural)
        .fold(1.0_f64, |most, strain| most.max(1.0 + strain))
}

/// The law of the springs.
fn law(stack: &Stack<'_>, settings: &Settings) -> Result<Box<dyn SpringLaw>, SceneError> {
    let choice = settings.rope.as_ref().and_then(|rope| rope.law.as_ref());
    let choice = required(stack, "rope.law", choice)?;
    choice.read().map_err(|fault| refuse(stack, "rope.law", fault))
}

/// Springs first, then what acts on each mass. Forces that are zero are left out.
fn forces(
    stack: &Stack<'_>,
    settings: &Settings,
    gravity: &[f64],
) -> Result<Vec<Box<dyn Force>>, SceneError> {
    let mut forces: Vec<Box<dyn Force>> =
        vec![Box::new(ElasticSprings { law: law(stack, settings)? })];
    let damping = settings.rope.as_ref().and_then(|rope| rope.damping.as_ref());
    let damping = required(stack, "rope.damping", damping)?.0;
    if damping > 0.0 {
        forces.push(Box::new(SpringDamping { coefficient: damping }));
    }
    let friction = settings.rope.as_ref().and_then(|rope| rope.friction.as_ref());
    let friction = required(stack, "rope.friction", friction)?.0;
    if friction > 0.0 {
        forces.push(Box::new(SpringFriction { coefficient: friction }));
    }
    forces.push(Box::new(Gravity { acceleration: gravity.to_vec() }));
    let drag = required(stack, "drag", settings.drag.as_ref())?.0;
    if drag > 0.0 {
        let wind = required(stack, "wind", settings.wind.as_ref())?.0.to_vec();
        forces.push(Box::new(Drag { coefficient: drag, wind }));
    }
    Ok(forces)
}

fn rope(stack: &Stack<'_>, settings: &Settings, total: &mut u64) -> Result<Rope, SceneError> {
    let rope = required(stack, "rope", settings.rope.as_ref())?;
    let start = required(stack, "rope.start", rope.start.as_ref())?.0;
    let end = required(stack, "rope.end", rope.end.as_ref())?.0;
    let nodes = required(stack, "rope.nodes", rope.nodes.as_ref())?.0;
    let pins = required(stack, "rope.pins", rope.pins.as_ref())?;
    let pins: Vec<u64> = pins.0.iter().map(|pin| pin.0).collect();

    // Everything is refused before a node is allocated.
    *total = total.saturating_add(nodes);
    if *total > limits::NODES {
        let gib = (*total).saturating_mul(limits::BYTES_A_NODE) >> 30;
        let message =
            format!("the scene's bodies add up to {total} nodes, which would take about {gib} GiB");
        let help = format!("all bodies together may have {} nodes", limits::NODES);
        return Err(refuse(stack, "rope.nodes", Fault::new(message).help(help)));
    }
    if let Some(index) = pins.iter().position(|&pin| pin >= nodes) {
        let pin = pins[index];
        let message = format!("node {pin} cannot be pinned: the rope has {nodes} nodes");
        let help = format!("nodes are numbered from 0 to {}", nodes - 1);
        return Err(refuse(stack, &format!("rope.pins[{index}]"), Fault::new(message).help(help)));
    }
    let rope = Rope {
        start: start.to_vec(),
        end: end.to_vec(),
        nodes: nodes as usize,
        mass: required(stack, "rope.mass", rope.mass.as_ref())?.0,
        stiffness: required(stack, "rope.stiffness", rope.stiffness.as_ref())?.0,
        pins: pins.iter().map(|&pin| pin as usize).collect(),
        last_node: required(stack, "rope.last_node", rope.last_node.as_ref())?.into(),
    };
    if !has_length(&rope) {
        let fault = if start == end {
            Fault::new("the rope has no length: it starts and ends at the same point")
        } else {
            Fault::new("the rope is too short for so many nodes: neighbours fall on one point")
        };
        return Err(refuse(stack, "rope.end", fault.help("move `end` away from `start`")));
    }
    Ok(rope)
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

fn style(stack: &Stack<'_>, settings: &Settings) -> Result<Style, SceneError> {
    let style = required(stack, "style", settings.style.as_ref())?;
    Ok(Style {
        color: style.color,
        line_width: required(stack, "style.line_width", style.line_width.as_ref())?.0,
        node_size: required(stack, "style.node_size", style.node_size.as_ref())?.0,
        node_shape: required(stack, "style.node_shape", style.node_shape.as_ref())?,
        mark_pins: required(stack, "style.mark_pins", style.mark_pins.as_ref())?,
    })
}
