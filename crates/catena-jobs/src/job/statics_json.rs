//! Rest of each body as JSON.

use super::BodyRest;
use catena_analysis::statics::{
    Contact, Equilibrium, Friction, Mode, NoRest, Reaction, RodLink, RouteRest, Stability,
    TorsionalMode,
};
use catena_base::text::number::digits;
use catena_scene::Scene;
use catena_sim::{Setup, vector::norm};
use serde_json::{Value, json};

/// Error of the moments on clamps above which a warning is given, as a share of the largest moment.
/// The error must also exceed [`MIN_MOMENT`].
const MOMENT_ERROR: f64 = 1e-5;
/// Error of the moments on clamps up to which no warning is given, as a share of the body's weight
/// times its unloaded length.
const MIN_MOMENT: f64 = 1e-9;
/// Strain of the start above which a warning is given if contacts have friction. Rounding causes
/// smaller strains.
const STRAINED: f64 = 1e-6;

/// Everything about the rest of each body, as `catena statics --json` prints it.
pub fn statics_json(scene: &Scene, rests: &[BodyRest]) -> Value {
    let panels = scene.panels.iter().enumerate();
    let all = panels.flat_map(|(index, panel)| panel.bodies.iter().map(move |body| (index, body)));
    let bodies: Vec<Value> = all
        .zip(scene.body_labels())
        .zip(rests)
        .map(|(((panel, body), label), rest)| {
            let mut value = match rest {
                None => json!({ "rest": false, "reason": "this body is a figure without springs" }),
                Some(Err(reason)) => refused(reason),
                Some(Ok(rest)) => found(&body.setup, rest),
            };
            value["panel"] = panel.into();
            value["label"] = label.into();
            value["method"] = body.method.name.into();
            value
        })
        .collect();
    json!({ "scene": scene.name, "bodies": bodies })
}

/// Warnings about a start whose strain friction preserves, about passages of the body through
/// itself, about linking numbers that were not preserved, and about inaccurate moments.
pub fn rest_warnings(setup: &Setup, rest: &Equilibrium) -> Vec<String> {
    let model = &setup.model;
    let mut warnings: Vec<String> = strained_start(setup, rest).into_iter().collect();
    if rest.passages > 0 {
        warnings.push(passage_warning(rest.passages));
    }
    for link in rest.links.iter().filter(|link| link.is_lost()) {
        let [asked, left] = [link.asked, link.at_rest].map(|turns| digits(turns, 4));
        warnings.push(format!(
            "the linking number was not preserved: the closed rod started with a link of {asked} \
             turns, but has {left} at rest"
        ));
    }
    let moments = rest.pins.iter().filter_map(|pin| pin.moment).map(norm);
    let greatest = moments.fold(0.0, f64::max);
    let unit = rest.weight * Equilibrium::unloaded_length(model);
    if rest.moment_error > (MOMENT_ERROR * greatest).max(MIN_MOMENT * unit) {
        warnings.push(format!(
            "the moments on clamps have a total error of {}: the rods are so stiff that rounding \
             of positions hides their bending; lower the stiffness by a factor of 1000 or more",
            digits(rest.moment_error, 2)
        ));
    }
    warnings
}

/// Warning about a start that is longer than the body without load, if contacts have friction. The
/// body contracts against the friction and retains a part of its strain.
fn strained_start(setup: &Setup, rest: &Equilibrium) -> Option<String> {
    let unloaded = Equilibrium::unloaded_length(&setup.model);
    let springs = setup.model.structural().iter();
    let start: f64 = springs.map(|spring| setup.model.span(&setup.initial.x, spring).1).sum();
    let strain = start / unloaded - 1.0;
    let is_rough = |contact: &Contact| contact.friction > 0.0;
    let is_held = rest.friction != Friction::LeftOut && rest.contacts.iter().any(is_rough);
    (is_held && strain > STRAINED).then(|| {
        let [start, unloaded] = [start, unloaded].map(|length| digits(length, 5));
        let percent = digits(100.0 * strain, 2);
        format!(
            "the start is {start} long, {percent} % longer than the {unloaded} of the body without \
             load: friction opposes its contraction and preserves part of the strain, so forces \
             depend on the shape of the start; make the start no longer than `length`, or move a \
             pin there with `anchors`"
        )
    })
}

/// Warning about passages of a body through itself.
pub fn passage_warning(count: usize) -> String {
    format!(
        "the body passed through itself {} during the search, so it may have lost up to two turns \
         of twist per passage; a run with `contact: (of: Drawn)` preserves them",
        times(count)
    )
}

fn times(count: usize) -> String {
    if count == 1 { "once".into() } else { format!("{count} times") }
}

fn refused(reason: &NoRest) -> Value {
    json!({ "rest": false, "reason": reason.to_string(), "help": reason.help() })
}

fn found(setup: &Setup, rest: &Equilibrium) -> Value {
    let model = &setup.model;
    let n = model.nodes();
    let points = |flat: &[f64]| -> Vec<Vec<f64>> {
        let point = |node: usize| flat.iter().skip(node).step_by(n).copied().collect();
        (0..n).map(point).collect()
    };
    let mode =
        |mode: &Mode| json!({ "omega_squared": mode.omega_squared, "shape": points(&mode.shape) });
    let pin = |pin: &Reaction| {
        let moment = pin.moment.map(|moment| match model.axes {
            2 => moment[2..].to_vec(),
            _ => moment.to_vec(),
        });
        json!({ "node": pin.node, "force": pin.force[..model.axes], "moment": moment })
    };
    let contact = |it: &Contact| contact(it, model.axes);
    let link =
        |link: &RodLink| json!({ "part": link.part, "asked": link.asked, "at_rest": link.at_rest });
    let [reason, help] = rest.unrest().map_or([None, None], |words| words.map(Some));
    json!({
        "rest": !rest.is_unstable(),
        "reason": reason,
        "help": help,
        "warnings": rest_warnings(setup, rest),
        "stability": word(rest.stability),
        "iterations": rest.iterations,
        "residual": rest.residual,
        "rounding": rest.rounding,
        "length_error": rest.length_error,
        "history": rest.history,
        "weight": rest.weight,
        "time": rest.time,
        "length": rest.length(model),
        "unloaded_length": Equilibrium::unloaded_length(model),
        "deflection": rest.deflection(setup).map(|(node, displacement)| {
            json!({ "node": node, "way": displacement[..model.axes] })
        }),
        "positions": points(&rest.x),
        "tensions": rest.tensions,
        "passages": rest.passages,
        "moment_error": rest.moment_error,
        "pins": rest.pins.iter().map(pin).collect::<Vec<_>>(),
        "links": rest.links.iter().map(link).collect::<Vec<_>>(),
        "routes": rest.routes.iter().map(route).collect::<Vec<_>>(),
        "friction": match rest.friction {
            Friction::LeftOut => "left out",
            Friction::Limit => "limit",
            Friction::Followed => "followed",
        },
        "slid_along": rest.slides_along(model).map(|slides| {
            json!({ "to_first": slides.to_first, "to_last": slides.to_last })
        }),
        "contacts": rest.contacts.iter().map(contact).collect::<Vec<_>>(),
        "modes": rest.modes.iter().map(mode).collect::<Vec<_>>(),
        "torsion": rest.torsion.iter().map(torsion).collect::<Vec<_>>(),
        "left": rest.left.as_ref().map(|left| found(setup, left)),
    })
}

fn word(stability: Stability) -> &'static str {
    match stability {
        Stability::Stable => "stable",
        Stability::Neutral => "neutral",
        Stability::Unstable => "unstable",
    }
}

fn contact(contact: &Contact, axes: usize) -> Value {
    json!({
        "collider": contact.collider,
        "nodes": contact.nodes,
        "normal": contact.normal[..axes],
        "force": contact.force,
        "gap": contact.gap,
        "friction": contact.friction,
        "friction_force": contact.held[..axes],
        "slides": contact.friction > 0.0 && contact.slides(),
    })
}

fn route(route: &RouteRest) -> Value {
    json!({
        "force": route.force,
        "tension": route.tension,
        "length": route.length,
        "unloaded_length": (!route.has_motor).then_some(route.rest_length),
        "friction": route.has_friction,
        "stop": route.stop.map(|(node, push)| json!({ "node": node, "force": push })),
        "winch_slips": route.slips,
    })
}

fn torsion(mode: &TorsionalMode) -> Value {
    json!({ "rod": mode.rod, "omega_squared": mode.omega_squared, "turns": mode.turns })
}
