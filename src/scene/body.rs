//! One body of a scene: from its layers to a setup.

use super::build::{Body, Style};
use super::diagnostic::Fault;
use super::error::SceneError;
use super::forces::forces;
use super::schema::Settings;
use super::shape::shape;
use super::stack::{Stack, merged, refuse, required};
use crate::sim::{
    Arrangement, Budget, Model, Setup, Spring, State,
    contact::{Contacts, SelfContact, collider::Surface},
    drive::{Anchor, Impulse},
    method::control::{Misfit, goes_with},
};
use std::{collections::HashSet, sync::Arc};

/// Builds the body that the layers describe in a space of so many axes.
pub(super) fn build(
    label: Option<String>,
    stack: &Stack<'_>,
    axes: usize,
) -> Result<Body, SceneError> {
    let settings = merged(stack);
    let shape = shape(stack, &settings, axes)?;
    let (model, initial) = shape.topology.build();
    let count = model.nodes();
    let choice = required(stack, "integrator", settings.integrator.as_ref())?;
    let method =
        choice.read_for(axes, count).map_err(|fault| refuse(stack, "integrator", fault))?;
    let info = method.info();
    let control = required(stack, "step_control", settings.step_control.as_ref())?;
    let step_control =
        control.read_for(axes, count).map_err(|fault| refuse(stack, "step_control", fault))?;
    goes_with(step_control.as_ref(), method.as_ref()).map_err(|Misfit { why, help }| {
        let message = format!("{} does not go with {}: {why}", step_control.info().name, info.name);
        refuse(stack, "step_control", Fault::new(message).help(help))
    })?;

    let velocity_factor = required(stack, "velocity_factor", settings.velocity_factor.as_ref())?.0;
    if velocity_factor != 1.0 && !info.velocity_carries {
        let message = format!(
            "{} carries its motion in positions, so a velocity_factor would change nothing",
            info.name
        );
        let help = "use the method's own damping, or set velocity_factor in other panels only";
        return Err(refuse(stack, "velocity_factor", Fault::new(message).help(help)));
    }

    if info.order.is_none() && !shape.springs.law.is_linear() {
        let law = shape.springs.law.info().name;
        let message = format!(
            "{} holds lengths and knows no spring law, so {law} would change nothing",
            info.name
        );
        let help = "choose a method with an order (see `catena methods`), or set the law in other panels only";
        return Err(refuse(stack, "rope.law", Fault::new(message).help(help)));
    }

    let gravity = required(stack, "gravity", settings.gravity.as_ref())?.on(axes);
    let mut setup = Setup {
        forces: forces(stack, &settings, &shape.springs, &gravity, &model)?,
        flow: Some(Arc::clone(&shape.springs.law)).filter(|law| law.flows()),
        breaks_at: shape.springs.breaks_at,
        anchors: anchors(stack, &settings, &model)?,
        impulses: impulses(stack, &settings, count)?,
        contacts: contacts(stack, &settings, &model, &initial)?,
        method: method.into(),
        step_control: step_control.into(),
        frame_time: required(stack, "frame_time", settings.frame_time.as_ref())?.0,
        substeps: required(stack, "substeps", settings.substeps.as_ref())?.0,
        velocity_factor,
        position_factor: required(stack, "position_factor", settings.position_factor.as_ref())?.0,
        strain_limit: 0.0,
        budget: Budget::UNLIMITED,
        model,
        initial,
    };
    setup.strain_limit = strain_limit(&setup, &gravity);
    if setup.dt() == 0.0 {
        let fault = Fault::new("frame_time over substeps is too small to be told from 0");
        return Err(refuse(stack, "frame_time", fault));
    }
    // The balance of forces knows gravity and Hooke's springs along a chain, and nothing else.
    let listed_forces = settings.forces.as_ref().map_or(0, |list| list.0.len());
    let is_plain = setup.model.arrangement == Arrangement::Chain
        && !shape.springs.bends
        && listed_forces == 0
        && setup.anchors.is_empty()
        && setup.contacts.is_empty()
        && !is_windy(stack, &settings)?;
    Ok(Body {
        label: label.unwrap_or_else(|| info.title.into()),
        style: style(stack, &settings)?,
        method: info,
        has_reference: is_plain && shape.springs.law.is_linear() && setup.position_factor == 1.0,
        gravity,
        wind: required(stack, "wind", settings.wind.as_ref())?.on(axes),
        spring_damping: shape.springs.damping,
        spring_friction: shape.springs.friction,
        listed_forces,
        setup: Arc::new(setup),
    })
}

/// Whether moving air pushes the body.
fn is_windy(stack: &Stack<'_>, settings: &Settings) -> Result<bool, SceneError> {
    let drag = required(stack, "drag", settings.drag.as_ref())?.0;
    let wind = required(stack, "wind", settings.wind.as_ref())?.xyz();
    Ok(drag > 0.0 && wind != [0.0; 3])
}

/// The strain from which a body counts as diverged: ten times what is natural. That is one rest length, how far pins
/// are led apart, what all loads together do to one spring, what a projection cannot undo in one step, how far a pin moves in
/// one step, and what the hardest impulse does to a spring.
fn strain_limit(setup: &Setup, gravity: &[f64]) -> f64 {
    let model = &setup.model;
    let g = norm(gravity);
    let load: f64 = setup.forces.iter().map(|force| force.load(model)).sum();
    let sag = model.nodes() as f64 * g * setup.dt() * setup.dt();
    let [way, jump] = farthest_ways(setup);
    // m v²/2 = k s²/2 with m v = J.
    let hardest = |stiffness: f64| {
        let stretch = |impulse: &Impulse| {
            norm(&impulse.impulse) / (model.mass[impulse.node] * stiffness).sqrt()
        };
        setup.impulses.iter().map(stretch).fold(0.0, f64::max)
    };
    let mut struck = (f64::NAN, 0.0);
    let natural = |spring: &Spring| {
        let stiffness = setup.method.stiffness_of(spring);
        // Many springs are as stiff as the one before.
        if struck.0 != stiffness {
            struck = (stiffness, hardest(stiffness));
        }
        (load / stiffness + sag + jump + struck.1) / spring.rest_length
    };
    // A bending spring is never strained more than the two springs beside it.
    let strains = model.held().iter().map(natural);
    let apart = way / model.rest_length();
    10.0 * strains.fold(1.0_f64, |most, strain| most.max(1.0 + apart + strain))
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|component| component * component).sum::<f64>().sqrt()
}

/// How far curves lead pins from where they started, and how far a pin moves in one step at the most.
fn farthest_ways(setup: &Setup) -> [f64; 2] {
    let (mut way, mut jump) = (0.0_f64, 0.0_f64);
    for Anchor { node, curve } in &setup.anchors {
        let apart = |a: [f64; 3], b: [f64; 3]| norm(&[0, 1, 2].map(|axis| a[axis] - b[axis]));
        let start = setup.initial.position(setup.model.nodes(), *node);
        let places = curve.places();
        way = places.iter().fold(way, |way, place| way.max(apart(place.1, start)));
        // To where it is at the beginning, it goes at once.
        jump = jump.max(apart(start, curve.at(0.0).0));
        for pair in places.windows(2) {
            let (distance, time) = (apart(pair[0].1, pair[1].1), pair[1].0 - pair[0].0);
            // A smooth curve may for a while be faster than its mean.
            let share = if curve.jumps() { 1.0 } else { (3.0 * setup.dt() / time).min(1.0) };
            jump = jump.max(share * distance);
        }
    }
    [way, jump]
}

/// Pinned nodes that move.
fn anchors(
    stack: &Stack<'_>,
    settings: &Settings,
    model: &Model,
) -> Result<Vec<Anchor>, SceneError> {
    let entries = settings.anchors.as_ref().map_or(&[][..], |list| &list.0);
    let mut anchors: Vec<Anchor> = Vec::with_capacity(entries.len());
    let mut moved = HashSet::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        let (node, path) = (entry.node.0 as usize, format!("anchors[{index}].node"));
        if model.pinned.get(node) != Some(&true) {
            let fault = Fault::new(format!("node {node} cannot be moved: it is not pinned"));
            return Err(refuse(stack, &path, fault.help("add it to `pins`")));
        }
        if !moved.insert(node) {
            let fault = Fault::new(format!("node {node} has two curves"));
            return Err(refuse(stack, &path, fault.help("leave one of them out")));
        }
        let curve = entry.curve.read_for(model.axes, model.nodes());
        let path = format!("anchors[{index}].curve");
        let curve = curve.map_err(|fault| refuse(stack, &path, fault))?;
        anchors.push(Anchor { node, curve: curve.into() });
    }
    Ok(anchors)
}

fn impulses(
    stack: &Stack<'_>,
    settings: &Settings,
    nodes: usize,
) -> Result<Vec<Impulse>, SceneError> {
    let entries = settings.impulses.as_ref().map_or(&[][..], |list| &list.0);
    let impulse = |(index, entry): (usize, &super::schema::ImpulseEntry)| {
        let node = entry.node.0 as usize;
        if node >= nodes {
            let fault = Fault::new(format!("there is no node {node}"))
                .help(format!("nodes are numbered from 0 to {}", nodes - 1));
            return Err(refuse(stack, &format!("impulses[{index}].node"), fault));
        }
        Ok(Impulse { node, at: entry.at.0, impulse: entry.impulse.xyz() })
    };
    entries.iter().enumerate().map(impulse).collect()
}

/// What the body can touch. No free node may begin inside of a collider.
fn contacts(
    stack: &Stack<'_>,
    settings: &Settings,
    model: &Model,
    initial: &State,
) -> Result<Contacts, SceneError> {
    let contact = required(stack, "contact", settings.contact.as_ref())?;
    let radius = required(stack, "contact.radius", contact.radius.as_ref())?.0;
    let mut colliders = Vec::new();
    for (index, choice) in settings.colliders.iter().flat_map(|list| list.0.iter().enumerate()) {
        let path = format!("colliders[{index}]");
        let collider = choice
            .read_for(model.axes, model.nodes())
            .map_err(|fault| refuse(stack, &path, fault))?;
        let inside = |&i: &usize| {
            let at = initial.position(model.nodes(), i);
            // What lies on the surface may be inside by rounding.
            let rounding = 1e-12 * (radius + norm(&at));
            !model.pinned[i] && collider.distance(at).0 < radius - rounding
        };
        if let Some(node) = (0..model.nodes()).find(inside) {
            let message = format!("node {node} begins inside of this {}", collider.info().name);
            let help = "move one of the two, or make contact.radius smaller";
            return Err(refuse(stack, &path, Fault::new(message).help(help)));
        }
        colliders.push(collider.into());
    }

    let surface = Surface {
        restitution: required(stack, "contact.restitution", contact.restitution.as_ref())?.0,
        friction: required(stack, "contact.friction", contact.friction.as_ref())?.0,
    };
    let own = contact.thickness.map(|thickness| SelfContact { thickness: thickness.0, surface });
    let shortest =
        model.springs.iter().map(|spring| spring.rest_length).fold(f64::INFINITY, f64::min);
    if let Some(own) = own.filter(|own| own.thickness > shortest) {
        let message = format!("{} is more than the shortest spring, {shortest}", own.thickness);
        let help = "nodes that a spring joins would touch each other at rest";
        return Err(refuse(stack, "contact.thickness", Fault::new(message).help(help)));
    }
    Ok(Contacts { colliders, radius, own })
}

fn style(stack: &Stack<'_>, settings: &Settings) -> Result<Style, SceneError> {
    let style = required(stack, "style", settings.style.as_ref())?;
    Ok(Style {
        color: style.color,
        line_width: required(stack, "style.line_width", style.line_width.as_ref())?.0,
        node_size: required(stack, "style.node_size", style.node_size.as_ref())?.0,
        node_shape: required(stack, "style.node_shape", style.node_shape.as_ref())?,
        surface: required(stack, "style.surface", style.surface.as_ref())?,
        mark_pins: required(stack, "style.mark_pins", style.mark_pins.as_ref())?,
    })
}
