//! `catena statics`: rest of each body, from the balance of forces.

use super::{Failure, args::StaticsArgs, load_path, modes, paths::GivenPaths, say, threads};
use crate::analysis::statics::{
    Contact, EXACT_FORCE, Equilibrium, Friction, MODES, Mode, Reaction, RouteRest, Scale, Stability,
};
use crate::cli::rests::{each, write};
use crate::job::{self, BodyRest, StaticsOptions};
use crate::output::png;
use crate::scene::{Body, Scene};
use crate::sim::{
    Model,
    vector::{cross, norm, sub},
};
use crate::text::{
    number::{counted, digits},
    printable,
};
use std::{io, path::Path};

/// Number of pins that are printed. JSON contains all pins.
const PINS: usize = 6;

pub(super) fn run(args: &StaticsArgs, paths: &GivenPaths) -> Result<(), Failure> {
    if let Some(load) = &args.load {
        return load_path::run(args, load, paths);
    }
    if let Some(option) = args.style.words().first() {
        return Err(Failure::Usage(format!(
            "{option} applies only to a figure; add --load and -o \
                                           FILE"
        )));
    }
    let scene = args.scene.load_for(args.panel.as_deref())?;
    paths.keep(&job::scene_inputs(&scene))?;
    let panel = args.panel.as_deref().map(|wanted| job::find_panel(&scene, wanted)).transpose()?;
    if let Some(path) = args.output.as_ref().filter(|_| args.mode.is_none()) {
        check_ending(path)?;
    }
    if let Some(warning) = scene.override_warning(false) {
        say::aside(&format!("warning: {warning}"));
    }
    let scene = panel.map_or_else(|| scene.clone(), |panel| job::with_panel(&scene, panel));
    let friction = if args.friction { Friction::Limit } else { Friction::LeftOut };
    let options = StaticsOptions { limits: args.scene.limit.limits(), threads: None, friction };
    let pool = threads::pool(threads::wanted(args.threads), "statics", false)?;
    let rests = pool.install(|| job::statics(&scene, &options))?;
    match (&args.output, args.modes, args.mode) {
        (Some(path), Some(count), _) => modes::picture(&scene, &rests, count.into(), path)?,
        (Some(path), None, Some(mode)) => {
            pool.install(|| modes::film(&scene, &rests, mode.into(), path, args))?;
        }
        (Some(path), None, None) => draw(&scene, &rests, path)?,
        (None, ..) => {}
    }
    match args.json {
        true => say::json(&format!("{:#}\n", json(&scene, &rests, panel))),
        false => say::lines(report(&scene, &rests, panel)),
    }
}

fn check_ending(path: &Path) -> Result<(), Failure> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("png") => Ok(()),
        _ => {
            let shown = printable::path(path);
            Err(Failure::Usage(format!(
                "-o {shown}: the picture is a PNG file; use the extension \
                                        .png"
            )))
        }
    }
}

fn draw(scene: &Scene, rests: &[BodyRest], path: &Path) -> Result<(), Failure> {
    let image = job::rest_picture(scene, rests)?;
    write(png::encode(&image).map_err(io::Error::other), path)
}

/// All numbers as JSON. The bodies of a chosen panel have the index of this panel.
fn json(scene: &Scene, rests: &[BodyRest], chosen: Option<usize>) -> serde_json::Value {
    let mut value = job::statics_json(scene, rests);
    let bodies = value["bodies"].as_array_mut().into_iter().flatten();
    if let Some(panel) = chosen {
        bodies.for_each(|body| body["panel"] = panel.into());
    }
    value
}

fn report(scene: &Scene, rests: &[BodyRest], chosen: Option<usize>) -> Vec<String> {
    let mut text = vec![scene.title.clone().unwrap_or_else(|| scene.name.clone())];
    for (panel, body, label, rest) in each(scene, rests) {
        let panel = chosen.unwrap_or(panel) + 1;
        text.extend([String::new(), format!("panel {panel}: {label} ({})", body.method.name)]);
        let lines = match rest {
            None => vec![("rest", "this body is a figure without springs".into())],
            Some(Err(reason)) => {
                vec![("no rest", reason.to_string()), ("what to do", reason.help().into())]
            }
            Some(Ok(rest)) => lines(body, rest),
        };
        text.extend(lines.into_iter().map(|(key, value)| format!("  {key:<12} {value}")));
    }
    text
}

/// Keys and sentences about a body at rest.
fn lines(body: &Body, rest: &Equilibrium) -> Vec<(&'static str, String)> {
    let model = &body.setup.model;
    let key = if rest.is_unstable() { "no rest" } else { "rest" };
    let mut lines = vec![(key, solved(body, rest)), ("stability", stability(rest, model))];
    if let Some([reason, help]) = rest.unrest() {
        let how = std::mem::replace(&mut lines[0].1, reason);
        lines.insert(1, ("equilibrium", how));
        lines.push(("what to do", help));
    }
    if let Some(left) = &rest.left {
        let how = buckles(left, model.nodes());
        let kind = if is_straight(model, &left.x) { "unstable straight" } else { "unstable" };
        let when = match left.time > body.setup.start_time {
            true => format!(" at time {}", five(left.time)),
            false => String::new(),
        };
        lines.push(("", format!("the search left the {kind} equilibrium{when}: {how}")));
    }
    if body.setup.method.holds_lengths() {
        lines.push(("lengths", "fixed: the limit of many iterations".into()));
    }
    let (length, unloaded) = (rest.length(model), Equilibrium::unloaded_length(model));
    if model.structural > 0 {
        let strain = 100.0 * (length / unloaded - 1.0);
        // Smaller strains are rounding errors of the sum of all segments.
        let strain = digits(if strain.abs() < 1e-11 { 0.0 } else { strain }, 3);
        let line = format!("{} of all segments, {strain} % longer than unloaded", five(length));
        lines.push(("length", line));
    }
    lines.extend(deflection(body, rest).map(|line| ("deflection", line)));
    for link in &rest.links {
        let [asked, at_rest] = [link.asked, link.at_rest].map(|turns| digits(turns, 4));
        lines.push(("link", format!("{asked} turns requested, {at_rest} at rest")));
    }
    lines.extend(tension(model, rest).map(|line| ("tension", line)));
    lines.extend(routes(rest));
    for (index, pin) in rest.pins.iter().take(PINS).enumerate() {
        let key = if index == 0 { "pins" } else { "" };
        lines.push((key, reaction(pin, model.axes, 1e-12 * rest.weight)));
    }
    if let Some(more) = rest.pins.len().checked_sub(PINS).filter(|more| *more > 0) {
        lines.push(("", format!("and {} more; --json lists all", counted(more as u64, "pin"))));
    }
    lines.extend(job::rest_warnings(&body.setup, rest).into_iter().map(|text| ("warning", text)));
    if !rest.contacts.is_empty() {
        lines.extend(contacts(model, rest));
    }
    lines.extend(frequencies(rest).map(|line| ("frequencies", line)));
    if !rest.torsion.is_empty() {
        let omegas = rest.torsion.iter().take(MODES).map(|mode| five(mode.omega_squared.sqrt()));
        let omegas = omegas.collect::<Vec<_>>().join(", ");
        lines.push(("torsion", format!("ω = {omegas} of rotations about the line at rest")));
    }
    lines
}

/// Describes the node that is farthest from its start, with its displacement and position. `None`
/// if no node is displaced.
fn deflection(body: &Body, rest: &Equilibrium) -> Option<String> {
    let axes = body.setup.model.axes;
    let (node, displacement) = rest.deflection(&body.setup)?;
    let rounding = rest.rounding(&body.setup);
    let part = |values: [f64; 3]| {
        let shown = |value: &f64| five(if value.abs() <= rounding { 0.0 } else { *value });
        let parts: Vec<String> = values.iter().take(axes).map(shown).collect();
        format!("({})", parts.join(", "))
    };
    let n = body.setup.model.nodes();
    let place = [0, 1, 2].map(|axis| rest.x.get(axis * n + node).copied().unwrap_or(0.0));
    let (size, displacement, place) = (five(norm(displacement)), part(displacement), part(place));
    Some(format!("at most {size}: node {node} moves from its start by {displacement} to {place}"))
}

/// Frequencies of the modes that oscillate. Modes have the same numbers in pictures and films.
fn frequencies(rest: &Equilibrium) -> Option<String> {
    let swings = |mode: &&Mode| mode.omega_squared > rest.zero;
    let omegas: Vec<String> =
        rest.modes.iter().filter(swings).map(|mode| five(mode.omega_squared.sqrt())).collect();
    let before = rest.modes.len() - omegas.len();
    let which = match before {
        0 => String::new(),
        _ if omegas.len() == 1 => format!(" in mode {}", before + 1),
        _ => format!(" in modes {} to {}", before + 1, rest.modes.len()),
    };
    let is_any = !omegas.is_empty();
    let holds = |contact: &Contact| contact.friction > 0.0 && !contact.slides();
    let is_held = rest.friction != Friction::LeftOut && rest.contacts.iter().any(holds);
    let held = match is_held {
        true => "; friction holds contacts that have not slid, so no mode moves them",
        false => "",
    };
    is_any.then(|| format!("ω = {}{which}, without damping{held}", omegas.join(", ")))
}

fn solved(body: &Body, rest: &Equilibrium) -> String {
    if is_held(&body.setup.model) {
        return "every node is pinned, so nothing can move".into();
    }
    let forces = digits(rest.residual, 2);
    let name = rest.scale.name(body.setup.gravity_strength() > 0.0);
    let end = match rest.scale {
        Scale::Loads => "",
        Scale::Tension | Scale::Buckling => ",",
        Scale::Nothing => ", since no force acts:",
    };
    let how = match rest.iterations {
        0 => "the body is at rest at the start".to_owned(),
        steps => format!("found in {}", counted(steps as u64, "step")),
    };
    let when = match rest.time > body.setup.start_time {
        true => format!(" at time {}, after the last change", five(rest.time)),
        false => String::new(),
    };
    let floor = match rest.residual > EXACT_FORCE {
        true => format!(", and rounding explains up to {}", digits(rest.rounding, 2)),
        false => String::new(),
    };
    format!("{how}{when}; unbalanced force: {forces} of {name}{end} {}{floor}", five(rest.weight))
}

/// Whether all nodes are pinned.
fn is_held(model: &Model) -> bool {
    model.pinned.iter().all(|pinned| *pinned)
}

fn stability(rest: &Equilibrium, model: &Model) -> String {
    match rest.stability {
        Stability::Stable => match rest.smallest() {
            Some(smallest) => format!("stable: the smallest ω² is {}", five(smallest)),
            None if is_held(model) => "stable: no node is free".into(),
            None if rest.friction == Friction::LeftOut => {
                "stable: contacts prevent all motion".into()
            }
            None => "stable: contacts and friction prevent all motion".into(),
        },
        Stability::Neutral => {
            "neutral: a displacement costs no energy, so other shapes are in equilibrium as well"
                .into()
        }
        Stability::Unstable => format!("unstable: {}", buckles(rest, model.nodes())),
    }
}

/// Describes how a body leaves an unstable equilibrium.
fn buckles(rest: &Equilibrium, n: usize) -> String {
    let Some(mode) = rest.modes.first() else { return "no mode was found".into() };
    let size = |node: usize| -> f64 {
        mode.shape.iter().skip(node).step_by(n).map(|value| value * value).sum()
    };
    let farthest = (0..n).max_by(|&a, &b| size(a).total_cmp(&size(b))).unwrap_or(0);
    let square = five(mode.omega_squared);
    format!("ω² = {square}, the body buckles in a mode that moves node {farthest} most")
}

fn tension(model: &Model, rest: &Equilibrium) -> Option<String> {
    let held = rest.tensions.get(..model.held)?;
    let maximum = (0..held.len()).max_by(|&a, &b| held[a].abs().total_cmp(&held[b].abs()))?;
    let (spring, tension) = (&model.springs[maximum], held[maximum]);
    if tension.abs() <= rest.rounding.max(EXACT_FORCE) * rest.weight {
        return Some("none".into());
    }
    let kind = if tension < 0.0 { "push" } else { "pull" };
    let size = five(tension.abs());
    Some(format!("at most {size}, a {kind} between nodes {} and {}", spring.a, spring.b))
}

/// Tension and length of the rope of each route, and effects that are not included.
fn routes(rest: &Equilibrium) -> Vec<(&'static str, String)> {
    let line = |(index, route): (usize, &RouteRest)| {
        let key = if index == 0 { "routes" } else { "" };
        let slips = if route.slips { "; its winch slips" } else { "" };
        let stop = match route.stop {
            Some((node, push)) => {
                format!("; node {node} is at its stop and pushes its guide with {}", five(push))
            }
            None => String::new(),
        };
        let [tension, length] = [route.tension, route.length].map(five);
        let longer = match (route.has_motor, route.tension > 0.0) {
            (true, _) => ", pulled by a motor".into(),
            (false, true) => {
                let strain = 100.0 * (route.length / route.rest_length - 1.0);
                // Smaller strains are rounding errors of a rope whose length the method preserves.
                let strain = digits(if strain.abs() < 1e-11 { 0.0 } else { strain }, 3);
                format!(", {strain} % longer than unloaded")
            }
            (false, false) => format!(", slack: {} long unloaded", five(route.rest_length)),
        };
        let force = route.force;
        (
            key,
            format!(
                "the rope of forces[{force}] has the tension {tension} and is {length} long{longer}{slips}{stop}"
            ),
        )
    };
    let mut lines: Vec<_> = rest.routes.iter().enumerate().map(line).collect();
    if rest.leaves_out_route_friction() {
        let left = "frictionless: with the friction of its guides, other shapes are in equilibrium \
                    as well";
        lines.push(("", left.into()));
    }
    lines
}

/// Number and forces of all contacts, and effects that are not included.
fn contacts(model: &Model, rest: &Equilibrium) -> Vec<(&'static str, String)> {
    let count = counted(rest.contacts.len() as u64, "contact");
    let greatest = rest.contacts.iter().map(|contact| contact.force).fold(0.0, f64::max);
    let pushes = format!("{count}, maximum push {}", five(greatest));
    let rough = rest.contacts.iter().filter(|contact| contact.friction > 0.0);
    let friction = match rest.friction {
        Friction::LeftOut if rest.leaves_out_friction() => {
            "frictionless: with the friction of the scene, other shapes are in equilibrium as \
             well; --friction finds the shape whose contacts slid from the start"
                .into()
        }
        Friction::Limit if rough.clone().count() > 0 => {
            let slid =
                counted(rough.clone().filter(|contact| contact.slides()).count() as u64, "contact");
            let all = rough.count();
            format!(
                "friction at its limit: {slid} of {all} slid from the start, and the others \
                     stick"
            )
        }
        Friction::Followed if rough.clone().count() > 0 => {
            let slid = rough.clone().filter(|contact| contact.slides()).count();
            let all = counted(rough.count() as u64, "contact");
            format!(
                "friction followed from the start without inertia: {slid} of {all} were dragged \
                 until the end, and the others stick"
            )
        }
        _ => "frictionless, as in the scene".into(),
    };
    let mut lines = vec![("contact", pushes), ("", friction)];
    lines.extend(slides(model, rest).map(|line| ("", line)));
    lines
}

/// Describes the direction along a rope in which contacts slid, on which its forces depend. `None`
/// if no contact slid, or if the body has no first and last node.
fn slides(model: &Model, rest: &Equilibrium) -> Option<String> {
    let slides = rest.slides_along(model)?;
    let last = model.nodes() - 1;
    let node = |is_last: bool| if is_last { last } else { 0 };
    let (many, few, is_to_last) = match slides.to_last >= slides.to_first {
        true => (slides.to_last, slides.to_first, true),
        false => (slides.to_first, slides.to_last, false),
    };
    let (to, other) = (node(is_to_last), node(!is_to_last));
    let both = match few {
        0 => String::new(),
        _ => format!(", and {few} towards node {other}"),
    };
    (many > 0).then(|| {
        format!(
            "{many} slid along the rope towards node {to}{both}: forces depend on this direction, \
             so a start from which the rope slides in the other direction gives different forces"
        )
    })
}

/// Describes the force on a pin. Components up to `rounding` are shown as 0.
fn reaction(pin: &Reaction, axes: usize, rounding: f64) -> String {
    let size = pin.force.iter().map(|force| force * force).sum::<f64>().sqrt();
    let shown = |force: &f64| five(if force.abs() <= rounding { 0.0 } else { *force });
    let parts: Vec<String> = pin.force.iter().take(axes).map(shown).collect();
    let moment = pin.moment.map_or(String::new(), |moment| {
        let parts: Vec<String> = moment.iter().map(shown).collect();
        match axes {
            2 => format!(", moment {}", parts[2]),
            _ => format!(", moment ({})", parts.join(", ")),
        }
    });
    format!("node {} carries {}: ({}){moment}", pin.node, five(size), parts.join(", "))
}

/// Whether all nodes lie on a line, up to rounding.
fn is_straight(model: &Model, x: &[f64]) -> bool {
    let n = model.nodes();
    let at = |node: usize| [0, 1, 2].map(|axis| x.get(axis * n + node).copied().unwrap_or(0.0));
    let from = |node: usize| sub(at(node), at(0));
    let far = (0..n).max_by(|&a, &b| norm(from(a)).total_cmp(&norm(from(b)))).unwrap_or(0);
    let length = norm(from(far));
    (0..n).all(|node| norm(cross(from(node), from(far))) <= 1e-6 * length * length)
}

fn five(value: f64) -> String {
    digits(value, 5)
}
