//! Contacts of a body: its colliders, and the parts of the body that touch.

use super::colliders::Surroundings;
use super::diagnostic::Fault;
use super::error::SceneError;
use super::node::in_words;
use super::rig::BuiltRig;
use super::rivals;
use super::schema::Settings;
use super::shape::files;
use super::stack::{Stack, refuse, required};
use super::values::Touching;
use catena_sim::{
    Model, State,
    contact::{Contacts, DrawnContact, PartContact, SelfContact, collider::Surface},
    vector::norm,
};

/// Builds the contacts of a body. If `parts` is not empty, the drawn surface touches instead of the
/// nodes. A free node that starts inside a collider is an error.
pub(super) fn contacts(
    stack: &Stack<'_>,
    settings: &Settings,
    model: &Model,
    initial: &State,
    parts: Vec<PartContact>,
    rig: Option<&BuiltRig>,
) -> Result<Contacts, SceneError> {
    let contact = required(stack, "contact", settings.contact.as_ref())?;
    let radius = required(stack, "contact.radius", contact.radius.as_ref())?.0;
    let start = rig.map_or(0.0, |rig| rig.start);
    let around = Surroundings {
        axes: model.axes,
        nodes: model.nodes(),
        rig,
        files: files(stack)?,
        dt: step(stack, settings)?,
    };
    let mut colliders = Vec::new();
    for (index, choice) in settings.colliders.iter().flat_map(|list| list.0.iter().enumerate()) {
        let path = format!("colliders[{index}]");
        let collider = choice
            .read(&around)
            .map_err(|(field, fault)| refuse(stack, &format!("{path}{field}"), fault))?;
        let inside = |&i: &usize| {
            let at = initial.position(model.nodes(), i);
            // A node on the surface may be inside because of rounding.
            let rounding = 1e-12 * (radius + norm(at));
            !model.pinned[i] && collider.distance_at(start, at).0 < radius - rounding
        };
        if let Some(node) = (0..model.nodes()).find(inside) {
            let node = in_words(node, &model.part_list());
            let message = format!("{node} starts inside this {}", collider.info().name);
            let help = match parts.is_empty() {
                _ if hangs(settings) => HANGING,
                true => "move one of the two, or reduce contact.radius",
                false => "move one of the two",
            };
            return Err(refuse(stack, &path, Fault::new(message).help(help)));
        }
        colliders.push(collider);
    }
    if !parts.is_empty() {
        if radius != 0.0 {
            let fault = Fault::new("contact.radius has no effect with contact: (of: Drawn)");
            let help = "remove contact.radius, or write contact: (of: Nodes)";
            return Err(refuse(stack, "contact.radius", fault.help(help)));
        }
        let drawn = Some(DrawnContact { parts });
        return Ok(Contacts { colliders, drawn, ..Contacts::default() });
    }
    let own = own(stack, settings, model)?;
    Ok(Contacts { colliders, radius, own, ..Contacts::default() })
}

/// Returns the length of a step.
fn step(stack: &Stack<'_>, settings: &Settings) -> Result<f64, SceneError> {
    let frame_time = required(stack, "frame_time", settings.frame_time.as_ref())?.0;
    let substeps = rivals::substeps(stack, settings, frame_time)?;
    Ok(frame_time / substeps as f64)
}

/// Advice for a hanging rope that starts inside a collider.
pub(super) const HANGING: &str = "`Hanging` ignores contact: start the rope outside the collider, \
                                  as in rope: (shape: Points(points: [(x, y), …])), and let it \
                                  settle; or move the collider";

/// Whether a body without parts, or a part, is a rope of the shape `Hanging`.
pub(super) fn hangs(settings: &Settings) -> bool {
    let shape = settings.rope.as_ref().and_then(|rope| rope.shape.as_ref());
    let shape = shape.filter(|_| settings.parts.is_none());
    shape.and_then(|shape| shape.read().ok()).is_some_and(|shape| shape.hangs())
}

/// Reads the contact between nodes, if they have a thickness.
fn own(
    stack: &Stack<'_>,
    settings: &Settings,
    model: &Model,
) -> Result<Option<SelfContact>, SceneError> {
    let contact = required(stack, "contact", settings.contact.as_ref())?;
    let Some(thickness) = contact.thickness else { return Ok(None) };
    let own = SelfContact { thickness: thickness.0, surface: surface(stack, settings)? };
    let shortest = model.shortest_spring();
    if own.thickness > shortest {
        let message =
            format!("{} is more than the length of the shortest spring, {shortest}", own.thickness);
        let help = "reduce it: the two nodes of that spring would touch each other at rest";
        return Err(refuse(stack, "contact.thickness", Fault::new(message).help(help)));
    }
    Ok(Some(own))
}

fn surface(stack: &Stack<'_>, settings: &Settings) -> Result<Surface, SceneError> {
    let contact = required(stack, "contact", settings.contact.as_ref())?;
    Ok(Surface {
        restitution: required(stack, "contact.restitution", contact.restitution.as_ref())?.0,
        friction: required(stack, "contact.friction", contact.friction.as_ref())?.0,
    })
}

/// Reads the contact of a part or of an undivided body. Returns `None` if only nodes touch.
///
/// # Errors
/// Returns an error when the drawn surface touches but has no thickness.
pub(super) fn of_part(
    stack: &Stack<'_>,
    settings: &Settings,
) -> Result<Option<PartContact>, SceneError> {
    let contact = required(stack, "contact", settings.contact.as_ref())?;
    if required(stack, "contact.of", contact.of.as_ref())? == Touching::Nodes {
        return Ok(None);
    }
    let Some(thickness) = contact.thickness else {
        let fault = Fault::new("contact of: Drawn needs a thickness");
        let help = "add contact.thickness, the diameter of the rope or the thickness of the cloth";
        return Err(refuse(stack, "contact.of", fault.help(help)));
    };
    let surface = surface(stack, settings)?;
    Ok(Some(PartContact { thickness: thickness.0, surface }))
}

/// Returns the contact of each part. Either all parts or none must have one. Springs of joins, the
/// last part, are as thick as the thinnest part.
///
/// # Errors
/// Returns an error when some parts touch with their drawn surface and others with their nodes.
pub(super) fn of_parts(
    stack: &Stack<'_>,
    contacts: &[Option<PartContact>],
    count: usize,
) -> Result<Vec<PartContact>, SceneError> {
    let mut all: Vec<PartContact> = contacts.iter().flatten().copied().collect();
    if all.is_empty() {
        return Ok(all);
    }
    if all.len() < contacts.len() {
        let fault =
            Fault::new("some parts use contact: (of: Drawn), but others contact: (of: Nodes)");
        let help = "write contact: (of: Drawn) next to `parts`; a part can still set its own \
                    `thickness`";
        return Err(refuse(stack, "parts", fault.help(help)));
    }
    let thinnest = all.iter().copied().min_by(|a, b| a.thickness.total_cmp(&b.thickness));
    if let Some(thinnest) = thinnest {
        all.resize(count, thinnest);
    }
    Ok(all)
}
