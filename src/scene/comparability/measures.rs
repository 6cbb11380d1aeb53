//! What each quantity is in a body.

use super::value::Value;
use crate::scene::build::Body;
use crate::sim::{
    Arrangement, Setup,
    drive::{Anchor, Impulse},
};
use crate::text::number::short;
use std::fmt::Debug;

/// c/m: what drag, the method's own damping and a velocity factor together take from a velocity,
/// per time and share of it.
pub(super) fn damping(body: &Body) -> Value {
    let setup = &*body.setup;
    let Damping { drag, method, factor } = Damping::of(setup);
    if method == 0.0 || !setup.step_control.chooses_steps() {
        return Value::number(drag + method + factor);
    }
    // The method's own damping acts once in each step, and these are chosen as the body moves.
    let least = setup.method.drag_rate(setup.step_control.longest(setup.dt())) + drag + factor;
    let text = format!("at least {}", short(least));
    Value::words(format!("{:?} {least:?}", setup.step_control), text.clone(), text)
}

/// What damps a body, as c/m.
#[derive(Clone, Copy, Debug)]
pub(super) struct Damping {
    /// Drag of the medium.
    pub(super) drag: f64,
    /// The method's own damping.
    pub(super) method: f64,
    /// The velocity factor.
    pub(super) factor: f64,
}

impl Damping {
    pub(super) fn of(setup: &Setup) -> Self {
        let drag: f64 = setup.forces.iter().map(|force| force.resistance()).sum();
        Self {
            drag: drag / mean_mass(setup),
            method: setup.method.drag_rate(setup.dt()),
            factor: (1.0 - setup.velocity_factor) / setup.dt(),
        }
    }
}

pub(super) fn mean_mass(setup: &Setup) -> f64 {
    let mass = &setup.model.mass;
    mass.iter().sum::<f64>() / mass.len() as f64
}

/// How springs answer to being stretched.
pub(super) fn law(body: &Body) -> Value {
    let text = law_text(&body.setup);
    let brief = text.split('(').next().unwrap_or(&text).to_owned();
    Value::words(text.clone(), text, brief)
}

/// The spring law with its options, as a scene writes it.
pub(super) fn law_text(setup: &Setup) -> String {
    if setup.method.holds_lengths() {
        return "held lengths".into();
    }
    setup.forces.iter().find_map(|force| force.spring_law()).unwrap_or("no springs".into())
}

pub(super) fn rest_length(body: &Body) -> Value {
    Value::number(body.setup.model.rest_length())
}

pub(super) fn gravity(body: &Body) -> Value {
    Value::vector(&body.gravity)
}

/// The stiffness that the method gives to springs it does not hold.
pub(super) fn stiffness(body: &Body) -> Value {
    let Setup { model, method, .. } = &*body.setup;
    match method.holds_lengths() {
        true => Value::meaningless(),
        false => Value::profile(model.held().iter().map(|spring| method.stiffness_of(spring))),
    }
}

/// Bending springs are forces, whatever the method.
pub(super) fn bending(body: &Body) -> Value {
    let model = &body.setup.model;
    Value::profile(model.springs[model.held..].iter().map(|spring| spring.stiffness))
}

pub(super) fn mass(body: &Body) -> Value {
    Value::profile(body.setup.model.mass.iter().copied())
}

pub(super) fn nodes(body: &Body) -> Value {
    let model = &body.setup.model;
    let text = match model.arrangement {
        Arrangement::Chain => model.nodes().to_string(),
        Arrangement::Sheet { rows, columns } => format!("{rows} × {columns}"),
    };
    Value::words(text.clone(), text.clone(), text)
}

/// Where a node stands in its body, as shares of the way along each side: the same place whatever
/// the number of nodes.
fn share(setup: &Setup, node: usize) -> [f64; 2] {
    let part = |index: usize, count: usize| index as f64 / (count - 1) as f64;
    match setup.model.arrangement {
        Arrangement::Chain => [part(node, setup.model.nodes()), 0.0],
        Arrangement::Sheet { rows, columns } => {
            [part(node / columns, rows), part(node % columns, columns)]
        }
    }
}

pub(super) fn pins(body: &Body) -> Value {
    let setup = &*body.setup;
    let pins: Vec<usize> =
        (0..setup.model.nodes()).filter(|&node| setup.model.pinned[node]).collect();
    let text = match &pins[..] {
        [] => return Value::absent(),
        few if few.len() <= 4 => few.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
        many => format!("{} nodes", many.len()),
    };
    Value::numbers(pins.iter().flat_map(|&pin| share(setup, pin)).collect(), text)
}

pub(super) fn anchors(body: &Body) -> Value {
    let entry =
        |anchor: &Anchor| format!("{:?} {:?}", share(&body.setup, anchor.node), anchor.curve);
    counted(&body.setup.anchors, entry)
}

pub(super) fn impulses(body: &Body) -> Value {
    let entry = |Impulse { node, at, impulse }: &Impulse| {
        format!("{:?} {at:?} {impulse:?}", share(&body.setup, *node))
    };
    counted(&body.setup.impulses, entry)
}

/// Things of which only the number is told.
fn counted<T>(things: &[T], entry: impl Fn(&T) -> String) -> Value {
    let count = things.len().to_string();
    match things {
        [] => Value::absent(),
        all => {
            Value::words(all.iter().map(entry).collect::<Vec<_>>().join("; "), count.clone(), count)
        }
    }
}

/// The forces that the scene lists.
pub(super) fn forces(body: &Body) -> Value {
    let all = &body.setup.forces;
    named(&all[all.len() - body.listed_forces..], "")
}

pub(super) fn colliders(body: &Body) -> Value {
    let contacts = &body.setup.contacts;
    let radius = match contacts.radius {
        0.0 => String::new(),
        radius => format!(" at {}", short(radius)),
    };
    named(&contacts.colliders, &radius)
}

/// Things that go by the names of their types, with their options.
fn named<T: Debug>(things: &[T], addition: &str) -> Value {
    if things.is_empty() {
        return Value::absent();
    }
    let texts: Vec<String> = things.iter().map(|thing| format!("{thing:?}")).collect();
    let name = |text: &String| text.split([' ', '(']).next().unwrap_or(text).to_owned();
    let names = texts.iter().map(name).collect::<Vec<_>>().join(", ") + addition;
    Value::words(texts.join("; ") + addition, names.clone(), names)
}

/// The wind where there is drag: without drag it pushes nothing.
pub(super) fn wind(body: &Body) -> Value {
    let has_drag = body.setup.forces.iter().any(|force| force.resistance() > 0.0);
    match body.wind.iter().any(|component| *component != 0.0) && has_drag {
        true => Value::vector(&body.wind),
        false => Value::absent(),
    }
}

pub(super) fn self_contact(body: &Body) -> Value {
    let Some(own) = body.setup.contacts.own else { return Value::absent() };
    let text = format!(
        "at {}, restitution {}, friction {}",
        short(own.thickness),
        short(own.surface.restitution),
        short(own.surface.friction)
    );
    Value::words(format!("{own:?}"), text, format!("at {}", short(own.thickness)))
}

pub(super) fn spring_damping(body: &Body) -> Value {
    positive(body.spring_damping)
}

pub(super) fn spring_friction(body: &Body) -> Value {
    positive(body.spring_friction)
}

pub(super) fn breaks_at(body: &Body) -> Value {
    body.setup.breaks_at.map_or(Value::absent(), Value::number)
}

fn positive(value: f64) -> Value {
    if value > 0.0 { Value::number(value) } else { Value::absent() }
}

/// It acts once a step, so its rate is compared.
pub(super) fn position_factor(body: &Body) -> Value {
    let (factor, dt) = (body.setup.position_factor, body.setup.dt());
    match factor == 1.0 {
        true => Value::absent(),
        false => Value::numbers(vec![(1.0 - factor) / dt], format!("{factor} each {}", short(dt))),
    }
}

/// Where a body points at the start and how it is proportioned: its sides over its rest length.
pub(super) fn direction(body: &Body) -> Value {
    let setup = &*body.setup;
    let (n, axes) = (setup.model.nodes(), setup.model.axes);
    let ends = match setup.model.arrangement {
        Arrangement::Chain => vec![n - 1],
        Arrangement::Sheet { columns, .. } => vec![columns - 1, n - columns],
    };
    let start = setup.initial.position(n, 0);
    let length = setup.model.rest_length();
    let sides = ends.into_iter().flat_map(|end| {
        let at = setup.initial.position(n, end);
        (0..axes).map(move |axis| (at[axis] - start[axis]) / length)
    });
    Value::vector(&sides.collect::<Vec<_>>())
}

/// Where a body is. It matters only where something else has a place: colliders, forces with a
/// ground, moving pins, or the origin that a position factor pulls to.
pub(super) fn place(body: &Body) -> Value {
    let setup = &*body.setup;
    let is_alone = setup.contacts.colliders.is_empty()
        && body.listed_forces == 0
        && setup.anchors.is_empty()
        && setup.position_factor == 1.0;
    let start = setup.initial.position(setup.model.nodes(), 0);
    match is_alone {
        true => Value::meaningless(),
        false => Value::vector(&start[..setup.model.axes]),
    }
}
