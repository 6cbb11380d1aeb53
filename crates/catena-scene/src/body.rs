//! Building of one body: from its layers to a setup.

use super::anchors::anchored;
use super::assembly::{BodySprings, BuiltBody};
use super::choice::{Choice, Forces, Slips};
use super::colliders::{ColliderEntry, ColliderLook};
use super::contact::contacts;
use super::diagnostic::Fault;
use super::entries::{ImpulseEntry, VelocityEntry};
use super::error::SceneError;
use super::events::{EventEntry, EventList};
use super::node::NodeName;
use super::over_time::{Changing, VectorOverTime};
use super::parts::{Body, BodyColors, Medium, Style};
use super::recorded::reference;
use super::refusals::Refusals;
use super::schema::Settings;
use super::shape::rod::{self, RigidJoint, RodFault, RodPlan};
use super::shape::solid;
use super::stack::{Stack, merged, refuse, required};
use super::values::Arrows;
use super::{assembly, labels, rig, rivals, routes, start};
use crate::body_style::{color_motion, style};
use catena_base::text::number::bytes;
use catena_sim::body::motion::{center_of_mass, push, push_all, spin};
use catena_sim::contact::Contacts;
use catena_sim::drive::curve::greatest;
use catena_sim::drive::event::{Event, Trigger};
use catena_sim::drive::track::Animated;
use catena_sim::drive::{Anchor, Impulse};
use catena_sim::force::{SoftPin, rod::Rods};
use catena_sim::identity::identity_of;
use catena_sim::method::control::{Misfit, check_fit};
use catena_sim::run::SurfaceFriction;
use catena_sim::vector::{norm, scaled};
use catena_sim::{
    BadSetup, Force, Form, Method, Model, Part, Setup, SetupBuilder, State, StepControl,
};
use std::sync::Arc;

/// Builds the body that the layers describe, in a space of `axes` axes. `numbers` holds the number
/// of its panel and of the body. If `numbers` is `None`, a `reference` is not read.
///
/// # Errors
/// Returns an error at the first field that is missing, out of range or contradictory.
pub(super) fn build(
    label: Option<String>,
    stack: &Stack<'_>,
    axes: usize,
    numbers: Option<[u64; 2]>,
) -> Result<Body, SceneError> {
    let settings = merged(stack);
    let built = assembly::build(stack, &settings, axes)?;
    let BuiltBody { model, mut initial, springs, field, part_contacts, rods, rigid, .. } = built;
    let (mut part_styles, part_colors): (Vec<_>, Vec<_>) = built.part_styles.into_iter().unzip();
    let (method, step_control) = method(stack, &settings, axes, model.nodes())?;
    check_effects(stack, &settings, &springs, &field, method.as_ref())?;
    let (parts, rig) = (model.part_list(), rig::rig(stack, &settings, axes)?);
    let listed = listed(stack, &settings, &model, rig.as_ref())?;
    let contacts = contacts(stack, &settings, &model, &initial, part_contacts, rig.as_ref())?;
    let held = anchored(stack, &settings, &model, &initial, &contacts, rig.as_ref())?;
    let events = events(stack, &settings, &model)?;
    apply_velocities(stack, &settings, &model, &parts, &mut initial)?;
    let refusals = Refusals::new(stack, &settings, &parts, built.part_entries, &held.entries);
    let (trails, impulses) = of_nodes(stack, &settings, &parts)?;
    drop(parts);
    let sliding = sliding(stack, &settings, &model, &contacts)?;
    check_beginnings(stack, &settings, &listed, &model, &initial)?;
    let rods = rod_forces(stack, &field, &rods, &rigid, &model, &initial, &held.anchors)?;
    let builder = with_springs(Setup::of_body(model, initial), &springs, &events)
        .anchors(held.anchors)
        .impulses(impulses)
        .events(events)
        .contacts(contacts)
        .method_of(method.into())
        .step_control_of(step_control.into());
    let builder = with_steps(builder, stack, &settings, rig.as_ref())?;
    let (builder, medium) = with_medium(stack, &settings, axes, builder)?;
    let builder = rods.into_iter().fold(builder, SetupBuilder::force);
    let builder = with_forces(builder, &held.soft, sliding.as_ref(), &listed);
    let checked = with_slips(builder, stack, &settings)?.check();
    let setup = start::started(stack, &settings, checked.map_err(|bad| refusals.error(&bad))?)?;
    let style = checked_style(stack, &settings, axes, &mut part_styles, &setup)?;
    Ok(Body {
        label: label.unwrap_or_else(|| labels::title(&setup.method.info(), &setup)),
        table_label: String::new(),
        part_styles,
        colors: BodyColors { own: color_motion(&settings), parts: part_colors },
        style,
        trails,
        method: setup.method.info(),
        stepping: labels::stepping(&settings, rivals::max_dt(stack, &settings)),
        medium,
        spring_damping: springs.damping,
        spring_friction: springs.friction,
        listed_forces: listed.len(),
        viscous_friction: viscous_friction(&settings),
        soft_pins: held.soft,
        reference: reference(stack, &settings, &setup, numbers)?,
        collider_looks: collider_looks(&settings),
        notes: notes(&setup, rig.as_ref(), built.notes),
        rig: rig.map(|built| built.shown),
        setup,
    })
}

/// Returns the look of each collider.
fn collider_looks(settings: &Settings) -> Vec<ColliderLook> {
    let all = settings.colliders.iter().flat_map(|list| &list.0);
    all.map(ColliderEntry::look).collect()
}

/// Returns the nodes that leave trails, and the impulses on nodes.
fn of_nodes(
    stack: &Stack<'_>,
    settings: &Settings,
    parts: &[Part],
) -> Result<(Vec<usize>, Vec<Impulse>), SceneError> {
    Ok((trails(stack, settings, parts)?, impulses(stack, settings, parts)?))
}

/// Returns the notes of a body, followed by the notes of its rig, its solids, its rods, its
/// routes and its steps.
fn notes(setup: &Setup, rig: Option<&rig::BuiltRig>, mut notes: Vec<String>) -> Vec<String> {
    notes.extend(rig.iter().flat_map(|rig| rig.notes.clone()));
    notes.extend(solid::cautions(setup));
    notes.extend(rod::cautions(setup));
    notes.extend(routes::cautions(setup));
    notes.extend(setup.method.step_caution(setup.dt()));
    notes.extend(setup.step_control.step_caution(setup.dt()));
    notes
}

/// Returns the bending and twist forces of the rods of a body.
fn rod_forces(
    stack: &Stack<'_>,
    field: &str,
    plans: &[Option<RodPlan>],
    rigid: &[RigidJoint],
    model: &Model,
    initial: &State,
    anchors: &[Anchor],
) -> Result<Option<Rods>, SceneError> {
    rod::rods(plans, rigid, model, initial, anchors).map_err(|fault| match fault {
        RodFault::OfPart(part, bad) => refuse_rod(stack, field, part, &bad),
        RodFault::OfJoin(join, bad) => {
            refuse(stack, &format!("joins[{join}].{}", bad.field), Fault::new(bad.message))
        }
    })
}

/// Returns the error of a rod of a part that the physics rejected.
fn refuse_rod(stack: &Stack<'_>, field: &str, part: usize, bad: &BadSetup) -> SceneError {
    let path = match field {
        "parts" => format!("parts[{part}].with.rope.rod.{}", bad.field),
        _ => format!("rope.rod.{}", bad.field),
    };
    refuse(stack, &path, Fault::new(bad.message.clone()))
}

/// Sets the time step and the factors that are applied after each step. The run begins at the start
/// of the rig, at most 0.
fn with_steps(
    builder: SetupBuilder,
    stack: &Stack<'_>,
    settings: &Settings,
    rig: Option<&rig::BuiltRig>,
) -> Result<SetupBuilder, SceneError> {
    let start = rig.map_or(0.0, |rig| rig.start);
    let frame_time = required(stack, "frame_time", settings.frame_time.as_ref())?.0;
    let substeps = rivals::substeps(stack, settings, frame_time)?;
    Ok(builder
        .frames(frame_time, substeps)
        .warming_up((-start / frame_time).ceil() as u64)
        .velocity_factor(velocity_factor(stack, settings)?)
        .position_factor(required(stack, "position_factor", settings.position_factor.as_ref())?.0))
}

/// Adds the soft pins and the friction on colliders, followed by the forces that the scene lists.
fn with_forces(
    builder: SetupBuilder,
    soft_pins: &[SoftPin],
    sliding: Option<&SurfaceFriction>,
    listed: &[Arc<dyn Force>],
) -> SetupBuilder {
    let builder = soft_pins.iter().cloned().fold(builder, SetupBuilder::force);
    let builder = sliding.into_iter().cloned().fold(builder, SetupBuilder::force);
    listed.iter().cloned().fold(builder, SetupBuilder::force_of)
}

/// Adds the slips that the scene lists.
fn with_slips(
    builder: SetupBuilder,
    stack: &Stack<'_>,
    settings: &Settings,
) -> Result<SetupBuilder, SceneError> {
    let choices = settings.slips.iter().flat_map(|list| list.0.iter().enumerate());
    choices.into_iter().try_fold(builder, |builder, (index, choice): (usize, &Choice<Slips>)| {
        let slip =
            choice.read().map_err(|fault| refuse(stack, &format!("slips[{index}]"), fault))?;
        Ok(builder.slip_of(slip.into()))
    })
}

/// Returns the coefficient of friction on colliders that does not depend on the load.
fn viscous_friction(settings: &Settings) -> f64 {
    let contact = settings.contact.as_ref();
    contact.and_then(|contact| contact.viscous).map_or(0.0, |friction| friction.0)
}

/// Returns the friction on colliders that does not depend on the load, if there is any.
fn sliding(
    stack: &Stack<'_>,
    settings: &Settings,
    model: &Model,
    contacts: &Contacts,
) -> Result<Option<SurfaceFriction>, SceneError> {
    let coefficient = viscous_friction(settings);
    if coefficient == 0.0 {
        return Ok(None);
    }
    if contacts.colliders.is_empty() {
        let fault = Fault::new("friction on colliders has no effect: there are no colliders");
        let help = "add `colliders`, or remove this; `PenaltyGround` has its own `friction` option";
        return Err(refuse(stack, "contact.viscous", fault.help(help)));
    }
    let gravity = required(stack, "gravity", settings.gravity.as_ref())?;
    let gravity = gravity.on(model.axes, stack).map_err(|fault| refuse(stack, "gravity", fault))?;
    let g = match gravity {
        Changing::Never(gravity) => norm(&gravity),
        Changing::OverTime(curve) => greatest(curve.as_ref()),
    };
    let frame_time = required(stack, "frame_time", settings.frame_time.as_ref())?.0;
    let dt = frame_time / rivals::substeps(stack, settings, frame_time)? as f64;
    Ok(Some(SurfaceFriction::new(coefficient, model, contacts, g, dt)))
}

/// Maximum memory for the earlier positions of one body, in bytes.
const GHOST_BYTES: u64 = 256 << 20;

/// Rejects ghosts whose positions need too much memory.
fn check_ghosts(stack: &Stack<'_>, style: &Style, setup: &Setup) -> Result<(), SceneError> {
    let numbers = (setup.model.nodes() * setup.model.axes) as u64;
    let (frames, each) = (u64::from(style.ghost_frames()), 8 * numbers);
    if frames.saturating_mul(each) <= GHOST_BYTES {
        return Ok(());
    }
    let fault = Fault::new(format!(
        "the positions for ghosts, {frames} frames of {} nodes, take {} of memory, more than the \
         limit of {}",
        setup.model.nodes(),
        bytes(frames.saturating_mul(each).into()),
        bytes(GHOST_BYTES.into())
    ));
    Err(refuse(stack, "style.ghosts", fault.help("use fewer ghosts or a smaller ghost_gap")))
}

/// Returns the nodes that leave trails.
fn trails(
    stack: &Stack<'_>,
    settings: &Settings,
    parts: &[Part],
) -> Result<Vec<usize>, SceneError> {
    let names = settings.style.as_ref().and_then(|style| style.trails.as_ref());
    let node = |(index, name): (usize, &NodeName)| {
        let refused = |fault| refuse(stack, &format!("style.trails[{index}]"), fault);
        name.of(parts).map_err(refused)
    };
    names.map_or(&[][..], |names| &names.0).iter().enumerate().map(node).collect()
}

/// Gives parts without a drawn thickness the thickness of their contact. Cloths get no thickness
/// from node contact, because their nodes keep the contact radius at any thickness.
fn give_thickness(setup: &Setup, part_styles: &mut [Style]) {
    let (model, contacts) = (&setup.model, &setup.contacts);
    let distance = || contacts.own.map_or(2.0 * contacts.radius, |own| own.thickness);
    for (index, (style, part)) in part_styles.iter_mut().zip(model.part_list().iter()).enumerate() {
        let touching = match (&contacts.drawn, &part.form) {
            (Some(drawn), _) => drawn.parts.get(index).map(|part| part.thickness),
            (None, Form::Rope { .. }) => Some(distance()).filter(|distance| *distance > 0.0),
            (None, _) => None,
        };
        style.thickness = style.thickness.or(touching);
    }
}

/// Sets the law of the springs, their damping and friction, and the strain at which they break.
/// Ropes get a length over time if an event changes one.
fn with_springs(builder: SetupBuilder, springs: &BodySprings, events: &[Event]) -> SetupBuilder {
    let by_events = events.iter().any(|event| event.action.reel().is_some());
    let builder = builder
        .law_of(Arc::clone(&springs.law))
        .spring_damping(springs.damping)
        .spring_friction(springs.friction)
        .breaking_at(springs.breaks_at.clone())
        .lengths_over(springs.lengths(by_events));
    with_frictions(builder, springs.each.clone())
}

/// Sets the damping and friction per spring, if the body has parts.
fn with_frictions(builder: SetupBuilder, each: Option<[Arc<[f64]>; 2]>) -> SetupBuilder {
    match each {
        Some([damping, friction]) => {
            builder.spring_damping_each(damping).spring_friction_each(friction)
        }
        None => builder,
    }
}

/// Returns the style of a body, and gives its parts their thickness. Rejects styles that the setup
/// cannot have.
fn checked_style(
    stack: &Stack<'_>,
    settings: &Settings,
    axes: usize,
    parts: &mut [Style],
    setup: &Setup,
) -> Result<Style, SceneError> {
    let own = style(stack, settings, axes)?;
    give_thickness(setup, parts);
    check_ghosts(stack, &own, setup)?;
    check_arrows(stack, parts.iter().chain([&own]), setup)?;
    Ok(own)
}

/// Rejects arrows without a scale if there is no weight to derive it from.
fn check_arrows<'a>(
    stack: &Stack<'_>,
    mut styles: impl Iterator<Item = &'a Style>,
    setup: &Setup,
) -> Result<(), SceneError> {
    let lacks_scale = |style: &Style| style.arrows != Arrows::None && style.arrow_scale.is_none();
    if setup.gravity_strength() > 0.0 || !styles.any(lacks_scale) {
        return Ok(());
    }
    let message = "without gravity, the length of arrows cannot be derived from weights";
    let help = "set `style.arrow_scale`, the length of an arrow per force";
    Err(refuse(stack, "style.arrows", Fault::new(message.to_owned()).help(help)))
}

/// Sets gravity, drag and wind, and returns the values that comparisons need.
fn with_medium(
    stack: &Stack<'_>,
    settings: &Settings,
    axes: usize,
    builder: SetupBuilder,
) -> Result<(SetupBuilder, Medium), SceneError> {
    let vector = |path: &str, value: Option<&VectorOverTime>| {
        let value = required(stack, path, value)?;
        value.on(axes, stack).map_err(|fault| refuse(stack, path, fault))
    };
    let mut medium = Medium::default();
    let builder = match vector("gravity", settings.gravity.as_ref())? {
        Changing::Never(gravity) => builder.gravity(gravity),
        Changing::OverTime(curve) => {
            medium.gravity_curve = Some(identity_of(&curve));
            builder.gravity_along(curve)
        }
    };
    let (builder, drags) = match required(stack, "drag", settings.drag.as_ref())?.track {
        Animated::Constant([drag]) => (builder.drag(drag), drag > 0.0),
        drag @ Animated::Moving(_) => {
            medium.drag_curve = Some(identity_of(&drag));
            (builder.drag_over(drag), true)
        }
    };
    // Panels may differ in drag alone, so wind is allowed without drag.
    let builder = match vector("wind", settings.wind.as_ref())? {
        Changing::Never(wind) => {
            medium.wind.clone_from(&wind);
            if drags { builder.wind(wind) } else { builder }
        }
        Changing::OverTime(curve) => {
            medium.wind_curve = Some(identity_of(&curve));
            if drags { builder.wind_along(curve) } else { builder }
        }
    };
    Ok((builder, medium))
}

/// Returns the forces that the scene lists.
fn listed(
    stack: &Stack<'_>,
    settings: &Settings,
    model: &Model,
    rig: Option<&rig::BuiltRig>,
) -> Result<Vec<Arc<dyn Force>>, SceneError> {
    let parts = model.part_list();
    let choices = settings.forces.iter().flat_map(|list| list.0.iter().enumerate());
    let force = |(index, choice): (usize, &Choice<Forces>)| {
        let refused = |fault| refuse(stack, &format!("forces[{index}]"), fault);
        let force: Box<dyn Force> = choice.read_of(model, &parts).map_err(refused)?;
        routes::completed(stack, choice, model, rig, force.into()).map_err(refused)
    };
    choices.map(force).collect()
}

/// Rejects listed forces that do not fit the initial state of the body.
fn check_beginnings(
    stack: &Stack<'_>,
    settings: &Settings,
    listed: &[Arc<dyn Force>],
    model: &Model,
    initial: &State,
) -> Result<(), SceneError> {
    let choices = settings.forces.iter().flat_map(|list| &list.0);
    for (index, (force, choice)) in listed.iter().zip(choices).enumerate() {
        force
            .check_start(model, initial)
            .map_err(|bad| refuse(stack, &format!("forces[{index}]"), choice.rejected(&bad)))?;
    }
    Ok(())
}

/// Method and step control of a body.
type Stepping = (Box<dyn Method>, Box<dyn StepControl>);

/// Reads the method and the step control, and rejects a pair that does not fit together.
fn method(
    stack: &Stack<'_>,
    settings: &Settings,
    axes: usize,
    nodes: usize,
) -> Result<Stepping, SceneError> {
    let method = required(stack, "integrator", settings.integrator.as_ref())?
        .read_for(axes, nodes)
        .map_err(|fault| refuse(stack, "integrator", fault))?;
    let control = required(stack, "step_control", settings.step_control.as_ref())?
        .read_for(axes, nodes)
        .map_err(|fault| refuse(stack, "step_control", fault))?;
    check_fit(control.as_ref(), method.as_ref()).map_err(|Misfit { why, help }| {
        let (control, method) = (control.info().name, method.info().name);
        let message = format!("{control} cannot be combined with {method}: {why}");
        refuse(stack, "step_control", Fault::new(message).help(help))
    })?;
    Ok((method, control))
}

fn velocity_factor(stack: &Stack<'_>, settings: &Settings) -> Result<f64, SceneError> {
    Ok(required(stack, "velocity_factor", settings.velocity_factor.as_ref())?.0)
}

/// Rejects a velocity factor or a spring law that the method would ignore.
fn check_effects(
    stack: &Stack<'_>,
    settings: &Settings,
    springs: &BodySprings,
    field: &str,
    method: &dyn Method,
) -> Result<(), SceneError> {
    let info = method.info();
    if velocity_factor(stack, settings)? != 1.0 && !info.velocity_carries {
        let message = format!(
            "{} stores motion as positions, so a velocity_factor would have no effect",
            info.name
        );
        let help = "use the method's own damping, or set velocity_factor in other panels only";
        return Err(refuse(stack, "velocity_factor", Fault::new(message).help(help)));
    }
    if info.order.is_none() && !springs.law.is_linear() {
        let law = springs.law.info().name;
        let message = format!(
            "{} has rigid segments instead of springs, so {law} would have no effect",
            info.name
        );
        let help = "choose a method with an order (see `catena methods`), or set the law in other panels only";
        let path = format!("{field}.law");
        return Err(refuse(stack, &path, Fault::new(message).help(help)));
    }
    Ok(())
}

/// Reads the impulses on nodes of the body.
fn impulses(
    stack: &Stack<'_>,
    settings: &Settings,
    parts: &[Part],
) -> Result<Vec<Impulse>, SceneError> {
    let entries = settings.impulses.as_ref().map_or(&[][..], |list| &list.0);
    let impulse = |(index, entry): (usize, &ImpulseEntry)| {
        let refused = |fault| refuse(stack, &format!("impulses[{index}].node"), fault);
        let node = entry.node.of(parts).map_err(refused)?;
        Ok(Impulse { node, at: entry.at.0, impulse: entry.impulse.xyz() })
    };
    entries.iter().enumerate().map(impulse).collect()
}

/// Adds the velocities that the layers describe to the nodes of a body.
fn apply_velocities(
    stack: &Stack<'_>,
    settings: &Settings,
    model: &Model,
    parts: &[Part],
    state: &mut State,
) -> Result<(), SceneError> {
    let entries = settings.velocities.as_ref().map_or(&[][..], |list| &list.0);
    for (index, entry) in entries.iter().enumerate() {
        let path = |field: &str| format!("velocities[{index}]{field}");
        match (&entry.node, entry.velocity, entry.spin) {
            (_, Some(_), Some(_)) | (_, None, None) | (Some(_), _, Some(_)) => {
                let fault = Fault::new("expected `velocity`, `node` and `velocity`, or `spin`");
                return Err(refuse(
                    stack,
                    &path(""),
                    fault.help("write a separate entry for each"),
                ));
            }
            (None, Some(velocity), None) => push_all(model, state, velocity.xyz()),
            (Some(node), Some(velocity), None) => {
                let refused = |fault| refuse(stack, &path(".node"), fault);
                let node = node.of(parts).map_err(refused)?;
                if model.pinned[node] {
                    let message =
                        format!("node {node} is pinned and cannot have an initial velocity");
                    let help = "move it along a curve with `anchors`, or remove it from `pins`";
                    return Err(refuse(stack, &path(".node"), Fault::new(message).help(help)));
                }
                push(model, state, node, velocity.xyz());
            }
            (None, None, Some(rate)) => {
                let omega = omega(entry, rate.0, model.axes);
                let omega = omega.map_err(|fault| refuse(stack, &path(".axis"), fault))?;
                let about = entry.about.map(|about| about.xyz());
                let about = about.unwrap_or_else(|| center_of_mass(model, state));
                spin(model, state, omega, about);
            }
        }
        if entry.spin.is_none() && (entry.axis.is_some() || entry.about.is_some()) {
            let fault = Fault::new("`axis` and `about` need `spin`, which is not set");
            return Err(refuse(stack, &path(""), fault));
        }
    }
    Ok(())
}

/// Returns the angular velocity vector of a spin.
fn omega(entry: &VelocityEntry, rate: f64, axes: usize) -> Result<[f64; 3], Fault> {
    match (axes, entry.axis) {
        (2, Some(_)) => Err(Fault::new("`axis` is not allowed in a planar scene")
            .help("remove `axis`: a positive spin turns counterclockwise")),
        (2, None) => Ok([0.0, 0.0, rate]),
        (_, None) => Err(Fault::new("a spin needs an `axis` in a three-dimensional scene")
            .help("add `axis: (0, 1, 0)`")),
        (_, Some(axis)) => {
            let length = norm(axis.xyz());
            match length.is_normal() {
                true => Ok(scaled(axis.xyz(), rate / length)),
                false => Err(Fault::new("the axis must have a length above 0")),
            }
        }
    }
}

/// Maximum number of events of a body.
const MAX_EVENTS: usize = 1000;

/// Reads the events of a body of this model.
///
/// # Errors
/// Returns an error at the first event that names something the body does not have.
fn events(stack: &Stack<'_>, settings: &Settings, model: &Model) -> Result<Vec<Event>, SceneError> {
    let Some(EventList(entries)) = &settings.events else { return Ok(Vec::new()) };
    if entries.len() > MAX_EVENTS {
        let fault =
            Fault::new(format!("{} events are more than the limit of {MAX_EVENTS}", entries.len()));
        return Err(refuse(stack, "events", fault.help("remove some of them")));
    }
    let parts = model.part_list();
    let event = |(index, entry): (usize, &EventEntry)| {
        let path = format!("events[{index}]");
        let trigger = match (&entry.at, &entry.when) {
            (Some(at), None) => Trigger::At(at.0),
            (None, Some(when)) => {
                let refused = |fault| refuse(stack, &format!("{path}.when"), fault);
                Trigger::When(when.read_of(model, &parts).map_err(refused)?.into())
            }
            (at, _) => {
                let what = if at.is_some() { "both a time and" } else { "neither a time nor" };
                let fault = Fault::new(format!("the event has {what} a condition"));
                return Err(refuse(stack, &path, fault.help("set either `at` or `when`")));
            }
        };
        let refused = |fault| refuse(stack, &format!("{path}.do"), fault);
        let action = entry.r#do.read_of(model, &parts).map_err(refused)?.into();
        Ok(Event { trigger, action })
    };
    entries.iter().enumerate().map(event).collect()
}
