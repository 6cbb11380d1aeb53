//! Value of each compared quantity in a body.

use crate::comparability::quantity_value::QuantityValue;
use crate::parts::Body;
use catena_base::text::number::short;
use catena_sim::contact::PartContact;
use catena_sim::drive::{Anchor, Impulse};
use catena_sim::force::SoftPin;
use catena_sim::force::rod::{Clamp, Rod};
use catena_sim::identity::{Identity, identity_of};
use catena_sim::vector::{Vec3, norm, sub};
use catena_sim::{Arrangement, BreakingStrain, Form, Model, Setup};

/// Returns the damping rate c/m per time: the sum of drag, the method's own damping and the
/// velocity factor.
pub(super) fn damping(body: &Body) -> QuantityValue {
    let setup = &*body.setup;
    let DampingRates { drag, method, factor } = DampingRates::of(setup);
    if let Some(curve) = &body.medium.drag_curve {
        return changing(&(curve, mean_mass(setup), method, factor));
    }
    if method == 0.0 || !setup.step_control.chooses_steps() {
        return QuantityValue::number(drag + method + factor);
    }
    // The method's own damping acts once per step, and the step size varies.
    let minimum = setup.method.drag_rate(setup.step_control.longest(setup.dt())) + drag + factor;
    let text = format!("at least {}", short(minimum));
    QuantityValue::words(&(&setup.step_control, minimum), text.clone(), text)
}

/// Returns the damping rate c/m of a body's setup per time, with the steps of the scene.
pub(crate) fn damping_rate(body: &Body) -> f64 {
    let DampingRates { drag, method, factor } = DampingRates::of(&body.setup);
    drag + method + factor
}

/// Components of the damping rate c/m, per time.
#[derive(Clone, Copy, Debug)]
pub(super) struct DampingRates {
    /// Drag of the medium.
    pub(super) drag: f64,
    /// Damping of the method itself.
    pub(super) method: f64,
    /// Contribution of the velocity factor.
    pub(super) factor: f64,
}

impl DampingRates {
    pub(super) fn of(setup: &Setup) -> Self {
        let drag: f64 = setup.forces.iter().map(|force| force.resistance()).sum();
        Self {
            // A reversed sign is reported as a slip.
            drag: drag.abs() / mean_mass(setup),
            method: setup.method.drag_rate(setup.dt()).abs(),
            factor: (1.0 - setup.velocity_factor) / setup.dt(),
        }
    }
}

/// Returns the mean mass of a node.
pub(super) fn mean_mass(setup: &Setup) -> f64 {
    let mass = &setup.model.mass;
    mass.iter().sum::<f64>() / mass.len() as f64
}

/// Returns the method's maximum step. For variable steps, the text names the method or step
/// control that chooses them.
pub(super) fn step(body: &Body) -> QuantityValue {
    let setup = &*body.setup;
    let (method, control) = (&setup.method, &setup.step_control);
    let longest = control.longest(setup.dt()) / f64::from(method.inner_steps());
    if !setup.chooses_its_step() {
        return QuantityValue::number(longest).exactly(longest.to_string());
    }
    let tolerances = method.chooses_steps().then_some(method);
    let by = if method.chooses_steps() { body.method.name } else { control.info().name };
    QuantityValue::words(
        &(control, tolerances, longest),
        format!("chosen by {by}, at most {}", short(longest)),
        "chosen".into(),
    )
}

/// Returns the spring law.
pub(super) fn law(body: &Body) -> QuantityValue {
    let setup = &*body.setup;
    let text = law_text(setup);
    let brief = text.split('(').next().unwrap_or(&text).to_owned();
    let law = (!setup.method.holds_lengths()).then(|| setup.spring_law());
    QuantityValue::words(&law, text, brief)
}

/// Text of the spring law for methods with rigid segments.
pub(super) const HELD: &str = "held lengths";

/// Returns the spring law with its options in scene syntax, or [`HELD`] for rigid segments.
pub(super) fn law_text(setup: &Setup) -> String {
    if setup.method.holds_lengths() {
        return HELD.into();
    }
    // A law's debug format is its scene syntax except for the brackets.
    let written = |law| format!("{law:?}").replace(" { ", "(").replace(" }", ")");
    setup.spring_law().map_or("no springs".into(), written)
}

pub(super) fn rest_length(body: &Body) -> QuantityValue {
    if !body.setup.lengths.is_empty() {
        return changing(&body.setup.lengths);
    }
    QuantityValue::number(body.setup.model.rest_length())
}

pub(super) fn gravity(body: &Body) -> QuantityValue {
    match &body.medium.gravity_curve {
        Some(curve) => changing(curve),
        None => QuantityValue::vector(&body.setup.gravity()),
    }
}

/// Returns a value that changes over time. Comparisons use the identity of `key`.
fn changing<T: Identity>(key: &T) -> QuantityValue {
    QuantityValue::words(key, "changes".into(), "changes".into())
}

/// Returns the effective stiffness of springs in the method; meaningless for rigid segments.
pub(super) fn stiffness(body: &Body) -> QuantityValue {
    let Setup { model, method, .. } = &*body.setup;
    match method.holds_lengths() {
        true => QuantityValue::meaningless(),
        false => {
            QuantityValue::profile(model.held().iter().map(|spring| method.stiffness_of(spring)))
        }
    }
}

/// Returns the stiffness of bending springs, which are forces in every method.
pub(super) fn bending(body: &Body) -> QuantityValue {
    let model = &body.setup.model;
    QuantityValue::profile(model.springs[model.held..].iter().map(|spring| spring.stiffness))
}

/// Returns the stiffness, the rest shape and the clamps of all rods.
pub(super) fn rod(body: &Body) -> QuantityValue {
    let all: Vec<_> = body.rods().collect();
    let Some(first) = all.first() else { return QuantityValue::absent() };
    let key = |rod: &Rod| {
        let Rod {
            section, normal, rest_curvature, rest_twist, turns, clamps, nodes, inertia, ..
        } = rod;
        let last = (nodes.len() - 1) as f64;
        let clamps = clamps.iter().map(|clamp| {
            let Clamp { node, tangent, turn } = clamp;
            (*node as f64 / last, tangent, turn)
        });
        let clamps: Vec<_> = clamps.collect();
        let runs = |list: &[[f64; 2]]| {
            let mut runs = list.to_vec();
            runs.dedup();
            runs
        };
        let mut twists = rest_twist.clone();
        twists.dedup();
        let curvature = runs(rest_curvature);
        identity_of(&((section, *inertia), normal, curvature, twists, turns, clamps))
    };
    let [towards, across] = first.section.bending.map(short);
    let torsion = short(first.section.torsion);
    let bending = if towards == across { towards } else { format!("{towards} and {across}") };
    let text = format!("EI {bending}, GJ {torsion}");
    let key: Vec<_> = all.into_iter().map(key).collect();
    QuantityValue::words(&key, text.clone(), text)
}

pub(super) fn mass(body: &Body) -> QuantityValue {
    QuantityValue::profile(body.setup.model.mass.iter().copied())
}

pub(super) fn nodes(body: &Body) -> QuantityValue {
    let model = &body.setup.model;
    let text = match model.arrangement {
        Arrangement::Chain => model.nodes().to_string(),
        Arrangement::Sheet { rows, columns } => format!("{rows} × {columns}"),
        Arrangement::Parts if model.parts.len() == 1 => model.nodes().to_string(),
        Arrangement::Parts => format!("{} in {} parts", model.nodes(), model.parts.len()),
    };
    QuantityValue::words(&text, text.clone(), text.clone())
}

/// Returns a node's position along each side of its body as a fraction, so that bodies with
/// different node counts can be compared.
fn share(setup: &Setup, node: usize) -> [f64; 2] {
    let part = |index: usize, count: usize| index as f64 / (count - 1) as f64;
    match setup.model.arrangement {
        Arrangement::Chain => [part(node, setup.model.nodes()), 0.0],
        Arrangement::Sheet { rows, columns } => {
            [part(node / columns, rows), part(node % columns, columns)]
        }
        Arrangement::Parts => [node as f64, 0.0],
    }
}

pub(super) fn pins(body: &Body) -> QuantityValue {
    let setup = &*body.setup;
    let pins: Vec<usize> =
        (0..setup.model.nodes()).filter(|&node| setup.model.pinned[node]).collect();
    let text = match &pins[..] {
        [] => return QuantityValue::absent(),
        few if few.len() <= 4 => few.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
        many => format!("{} nodes", many.len()),
    };
    QuantityValue::numbers(pins.iter().flat_map(|&pin| share(setup, pin)).collect(), text)
}

pub(super) fn anchors(body: &Body) -> QuantityValue {
    let entry = |Anchor { node, curve }: &Anchor| identity_of(&(share(&body.setup, *node), curve));
    let drawn = |pin: &SoftPin| {
        let SoftPin { node, target, stiffness, damping } = pin;
        identity_of(&(share(&body.setup, *node), target, stiffness, damping))
    };
    let held = body.setup.anchors.iter().map(entry);
    counted(held.chain(body.soft_pins.iter().map(drawn)))
}

pub(super) fn impulses(body: &Body) -> QuantityValue {
    let entry = |Impulse { node, at, impulse }: &Impulse| {
        identity_of(&(share(&body.setup, *node), at, impulse))
    };
    counted(body.setup.impulses.iter().map(entry))
}

pub(super) fn events(body: &Body) -> QuantityValue {
    counted(body.setup.events.iter().map(identity_of))
}

/// Returns a value that compares identities and shows only their count.
fn counted(identities: impl Iterator<Item = Vec<u8>>) -> QuantityValue {
    let all: Vec<_> = identities.collect();
    let count = all.len().to_string();
    match all.is_empty() {
        true => QuantityValue::absent(),
        false => QuantityValue::words(&all, count.clone(), count),
    }
}

/// Returns the forces that the scene lists.
pub(super) fn forces(body: &Body) -> QuantityValue {
    let all = &body.setup.forces;
    named(&all[all.len().saturating_sub(body.listed_forces)..], |force| force.name(), String::new())
}

/// Returns the slips, each with its options.
pub(super) fn slips(body: &Body) -> QuantityValue {
    named(&body.setup.slips, |slip| slip.info().name, String::new())
}

pub(super) fn colliders(body: &Body) -> QuantityValue {
    let contacts = &body.setup.contacts;
    let radius = match contacts.radius {
        0.0 => String::new(),
        radius => format!(" at {}", short(radius)),
    };
    let radius = match body.viscous_friction {
        0.0 => radius,
        friction => format!("{radius} with viscous friction {}", short(friction)),
    };
    named(&contacts.colliders, |collider| collider.info().name, radius)
}

/// Returns a value that compares names and options and shows only the names.
fn named<T: Identity>(
    things: &[T],
    name: impl Fn(&T) -> &'static str,
    addition: String,
) -> QuantityValue {
    if things.is_empty() {
        return QuantityValue::absent();
    }
    let names = things.iter().map(name).collect::<Vec<_>>().join(", ") + &addition;
    QuantityValue::words(&(things, addition), names.clone(), names)
}

/// Returns the wind. Without drag, wind has no effect and counts as absent.
pub(super) fn wind(body: &Body) -> QuantityValue {
    let has_drag = body.setup.forces.iter().any(|force| force.resistance() != 0.0);
    if let Some(curve) = body.medium.wind_curve.as_ref().filter(|_| has_drag) {
        return changing(curve);
    }
    match body.medium.wind.iter().any(|component| *component != 0.0) && has_drag {
        true => QuantityValue::vector(&body.medium.wind),
        false => QuantityValue::absent(),
    }
}

pub(super) fn self_contact(body: &Body) -> QuantityValue {
    let contacts = &body.setup.contacts;
    if let Some(drawn) = &contacts.drawn {
        let at = |part: &PartContact| short(part.thickness);
        let mut all: Vec<String> = drawn.parts.iter().map(at).collect();
        all.dedup();
        let text = format!("drawn surfaces, {} thick", all.join(", "));
        return QuantityValue::words(drawn, text.clone(), text);
    }
    let Some(own) = contacts.own else { return QuantityValue::absent() };
    let text = format!(
        "at {}, restitution {}, friction {}",
        short(own.thickness),
        short(own.surface.restitution),
        short(own.surface.friction)
    );
    QuantityValue::words(&own, text, format!("at {}", short(own.thickness)))
}

pub(super) fn spring_damping(body: &Body) -> QuantityValue {
    positive(body.spring_damping)
}

pub(super) fn spring_friction(body: &Body) -> QuantityValue {
    positive(body.spring_friction)
}

pub(super) fn breaks_at(body: &Body) -> QuantityValue {
    match &body.setup.breaks_at {
        None => QuantityValue::absent(),
        Some(BreakingStrain::All(strain)) => QuantityValue::number(*strain),
        Some(BreakingStrain::Each(strains)) => QuantityValue::profile(strains.iter().copied()),
    }
}

fn positive(value: f64) -> QuantityValue {
    if value > 0.0 { QuantityValue::number(value) } else { QuantityValue::absent() }
}

/// Returns the position factor. Comparisons use its rate per time, because the factor acts once per
/// step.
pub(super) fn position_factor(body: &Body) -> QuantityValue {
    let (factor, dt) = (body.setup.position_factor, body.setup.dt());
    match factor == 1.0 {
        true => QuantityValue::absent(),
        false => QuantityValue::numbers(
            vec![(1.0 - factor) / dt],
            format!("{factor} each {}", short(dt)),
        ),
    }
}

/// Returns the nodes at the far ends of the sides that start at node 0: the last node of a chain,
/// or two corners of a sheet.
fn ends_of_sides(model: &Model) -> Vec<usize> {
    let n = model.nodes();
    match model.arrangement {
        Arrangement::Chain => vec![n - 1],
        Arrangement::Sheet { columns, .. } => vec![columns - 1, n - columns],
        Arrangement::Parts => Vec::new(),
    }
}

/// Returns the sides of a body at the start, as vectors.
fn sides(setup: &Setup) -> Vec<Vec3> {
    let n = setup.model.nodes();
    let start = setup.initial.position(n, 0);
    let ends = ends_of_sides(&setup.model).into_iter();
    ends.map(|end| sub(setup.initial.position(n, end), start)).collect()
}

/// Returns unit vectors along the sides of a body at the start; zero for a side of length zero. A
/// body of parts has no sides.
pub(super) fn direction(body: &Body) -> QuantityValue {
    let unit = |side: Vec3| {
        let length = norm(side);
        side.map(|component| if length > 0.0 { component / length } else { 0.0 })
    };
    let axes = body.setup.model.axes;
    let sides: Vec<f64> =
        sides(&body.setup).into_iter().flat_map(|side| unit(side).into_iter().take(axes)).collect();
    if sides.is_empty() { QuantityValue::meaningless() } else { QuantityValue::vector(&sides) }
}

/// Returns the proportions of a body at the start; a chain has none. For a sheet, these are its
/// side lengths divided by the rest length. For several parts, they are the extents along each axis
/// divided by the diagonal.
pub(super) fn proportions(body: &Body) -> QuantityValue {
    let setup = &*body.setup;
    let n = setup.model.nodes();
    let lengths: Vec<f64> = match setup.model.arrangement {
        Arrangement::Chain => return QuantityValue::meaningless(),
        Arrangement::Sheet { .. } => sides(setup).into_iter().map(norm).collect(),
        Arrangement::Parts => {
            let reach = setup.initial.x.chunks(n).map(|axis| {
                let greatest = axis.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                greatest - axis.iter().copied().fold(f64::INFINITY, f64::min)
            });
            reach.collect()
        }
    };
    let whole = match setup.model.arrangement {
        Arrangement::Parts => norm(&lengths),
        _ => setup.model.rest_length(),
    };
    if whole == 0.0 {
        return QuantityValue::absent();
    }
    QuantityValue::vector(&lengths.iter().map(|side| side / whole).collect::<Vec<_>>())
}

/// Returns the shape of a body at the start, absent if it is straight or flat and unstretched. The
/// value consists of each node's offset from the first node and the most extreme stretch of a
/// spring.
pub(super) fn shape(body: &Body) -> QuantityValue {
    let Setup { model, initial, .. } = &*body.setup;
    let n = model.nodes();
    let stretches =
        || model.structural().iter().map(|s| model.span(&initial.x, s).1 / s.rest_length);
    let stretch = stretches().fold(1.0, |maximum: f64, stretch| {
        if (stretch - 1.0).abs() > (maximum - 1.0).abs() { stretch } else { maximum }
    });
    let own: f64 = model.structural().iter().map(|s| model.span(&initial.x, s).1).sum();
    let start = initial.position(n, 0);
    let offsets = (0..n).map(|i| sub(initial.position(n, i), start));
    let is_plain = match model.arrangement {
        Arrangement::Chain => norm(sub(initial.position(n, n - 1), start)) > own * (1.0 - 1e-9),
        Arrangement::Sheet { .. } => true,
        // Bodies without ropes are already described by their direction and proportions.
        Arrangement::Parts => {
            !model.parts.iter().any(|part| matches!(part.form, Form::Rope { .. }))
        }
    };
    if is_plain && (stretch - 1.0).abs() < 1e-9 {
        return QuantityValue::absent();
    }
    let length = model.rest_length();
    let numbers: Vec<f64> =
        offsets.flatten().map(|coordinate| coordinate / length).chain([stretch]).collect();
    let text = match (is_plain, (stretch - 1.0).abs() < 1e-9) {
        (true, _) => format!("straight, {} of its rest length", short(stretch)),
        (false, true) => "not straight".into(),
        (false, false) => format!("not straight, up to {} of its rest length", short(stretch)),
    };
    QuantityValue::numbers(numbers, text)
}

/// Returns the velocities at the start.
pub(super) fn velocities(body: &Body) -> QuantityValue {
    let Setup { model, initial, .. } = &*body.setup;
    let n = model.nodes();
    let fastest = (0..n).map(|i| norm(initial.velocity(n, i))).fold(0.0, f64::max);
    match fastest > 0.0 {
        true => QuantityValue::numbers(initial.v.clone(), format!("up to {}", short(fastest))),
        false => QuantityValue::absent(),
    }
}

/// Returns the position of node 0 at the start. The position matters only relative to colliders,
/// listed forces, moving pins, or the origin of a position factor.
pub(super) fn place(body: &Body) -> QuantityValue {
    let setup = &*body.setup;
    let is_alone = setup.contacts.colliders.is_empty()
        && body.listed_forces == 0
        && body.soft_pins.is_empty()
        && setup.anchors.is_empty()
        && setup.position_factor == 1.0;
    let start = setup.initial.position(setup.model.nodes(), 0);
    match is_alone {
        true => QuantityValue::meaningless(),
        false => QuantityValue::vector(&start[..setup.model.axes]),
    }
}
