//! Ropes of a scene.

use super::rod::{self, RodPlan};
use super::{LengthKind, ReadShape, SpringKind, files, law, nodes, points, text, weights};
use crate::diagnostic::Fault;
use crate::entries::Factors;
use crate::error::SceneError;
use crate::node::NodeName;
use crate::over_time::OverTime;
use crate::schema::{RopeSettings, Settings};
use crate::stack::{Stack, highest, refuse, required};
use crate::values::Positive;
use catena_sim::body::hanging::LinkLaw;
use catena_sim::body::material::damping;
use catena_sim::body::shape::profile::Range;
use catena_sim::body::shape::rope::{Matter, Rope};
use catena_sim::body::shape::{
    HangingLoads, Profile, RopeShape, ShapedRope, StiffnessOf, Topology,
};
use catena_sim::drive::track::{Animated, Track};
use catena_sim::{Form, Spring, SpringLaw};
use std::sync::Arc;

/// Reads a rope.
pub(super) fn read(
    stack: &Stack<'_>,
    settings: &Settings,
    axes: usize,
) -> Result<(ReadShape, Option<RodPlan>), SceneError> {
    let rope = required(stack, "rope", settings.rope.as_ref())?;
    let start = required(stack, "rope.start", rope.start.as_ref())?.on(axes);
    let end = required(stack, "rope.end", rope.end.as_ref())?.on(axes);
    let count = required(stack, "rope.nodes", rope.nodes.as_ref())?.0 as usize;
    let pins = required(stack, "rope.pins", rope.pins.as_ref())?.0;
    let bending = required(stack, "rope.bending", rope.bending.as_ref())?.0;
    let form = Form::Rope { closed: false };
    let shape = shape(stack, &rope, axes, count)?;
    let rod = rod::read(stack, &rope, axes, count, is_closed(shape.as_ref(), &start, &end))?;
    let mut pins = nodes(stack, "rope.pins", &pins, &form, count)?;
    pins.extend(rod.iter().flat_map(RodPlan::clamped));
    pins.sort_unstable();
    pins.dedup();
    let built = Rope {
        pins,
        nodes: count,
        matter: matter(stack, &rope, rod.as_ref())?,
        bending,
        last_node: required(stack, "rope.last_node", rope.last_node.as_ref())?.into(),
        start,
        end,
    };
    let law = law(stack, "rope.law", rope.law.as_ref())?;
    let springs = SpringKind {
        length: changing_length(stack, &rope, rod.is_some(), law.as_ref())?,
        law,
        damping: required(stack, "rope.damping", rope.damping.as_ref())?.0,
        friction: required(stack, "rope.friction", rope.friction.as_ref())?.0,
        breaks_at: rope.breaks_at.map(|strain| strain.0),
    };
    if shape.info().name == "Straight" && !has_length(&built) {
        let fault = if built.start == built.end {
            Fault::new("the rope has no length: it starts and ends at the same point")
        } else {
            Fault::new("the rope is too short for its number of nodes: neighbouring nodes coincide")
        };
        return Err(refuse(stack, "rope.end", fault.help("move `end` away from `start`")));
    }
    let hanging = match shape.hangs() {
        true => Some(hanging_loads(stack, settings, axes, count, springs.law.as_ref())?),
        false => None,
    };
    let profile = profile(stack, &rope, count)?;
    let length = rope.length.as_ref().map(|length| length.track.at(0.0).0[0]);
    let mut springs = springs;
    let shaped = ShapedRope { rope: built, shape: shape.into(), length, profile, hanging };
    springs.damping += material_damping(stack, &rope, &shaped)?;
    Ok(((Box::new(shaped), springs), rod))
}

/// Returns whether and how the length of the rope can change. Stiffness times length stays constant
/// for a rope with a material, because a longer spring is more rope.
fn changing_length(
    stack: &Stack<'_>,
    rope: &RopeSettings,
    is_rod: bool,
    law: &dyn SpringLaw,
) -> Result<LengthKind, SceneError> {
    let keeps_axial = rope.material.is_some();
    let Some(OverTime { track: track @ Animated::Moving(_), .. }) = &rope.length else {
        return Ok(match is_rod || law.depends_on_path() {
            true => LengthKind::Fixed,
            false => LengthKind::Constant { keeps_axial },
        });
    };
    if is_rod {
        let fault = Fault::new("the length of a rod cannot change: its bending depends on it");
        let help = "write one number, or remove `rope.rod`";
        return Err(refuse(stack, "rope.length", fault.help(help)));
    }
    if law.depends_on_path() {
        let name = law.info().name;
        let message = format!(
            "a changing length is not possible with {name}, whose tension depends on past strain"
        );
        let help = "write one number, or choose another law";
        return Err(refuse(stack, "rope.length", Fault::new(message).help(help)));
    }
    Ok(LengthKind::Changing { track: track.clone(), keeps_axial })
}

/// Returns the damping of the first spring by the material of the rope, or 0 if the scene does not
/// set `material_damping`.
fn material_damping(
    stack: &Stack<'_>,
    rope: &RopeSettings,
    shaped: &ShapedRope,
) -> Result<f64, SceneError> {
    if rope.material_damping != Some(true) {
        return Ok(0.0);
    }
    let refused = |fault| refuse(stack, "rope.material_damping", fault);
    let Some(material) = &rope.material else {
        let fault = Fault::new("material_damping needs a material, but the rope has none");
        return Err(refused(fault.help("write a `material` and its `area`, or a `damping`")));
    };
    let material = material.read().map_err(|fault| refuse(stack, "rope.material", fault))?;
    // A rope that cannot be built is rejected later, with a better message.
    let Ok((model, _)) = shaped.build() else { return Ok(0.0) };
    let first = model.springs.first().map_or(0.0, |spring| spring.stiffness);
    Ok(damping(material.as_ref(), first, model.rest_length()))
}

/// Reads the curve along which the rope starts.
fn shape(
    stack: &Stack<'_>,
    rope: &RopeSettings,
    axes: usize,
    count: usize,
) -> Result<Box<dyn RopeShape>, SceneError> {
    const PATH: &str = "rope.shape";
    let choice = required(stack, PATH, rope.shape.as_ref())?;
    let mut shape = choice.read_for(axes, count).map_err(|fault| refuse(stack, PATH, fault))?;
    if let Some(file) = shape.file().map(str::to_owned) {
        let maximum = files(stack)?.max_points();
        let shows_text = files(stack)?.shows_text(&file);
        let points = points::read(&text(stack, PATH, &file)?, &file, shows_text, axes, maximum);
        shape.take_points(points.map_err(|fault| refuse(stack, PATH, fault))?);
    }
    if shape.has_own_ends() {
        // A shape replaces the ends set by lower layers. In its own layer or a higher one, ends
        // contradict it.
        let of = |get: fn(&RopeSettings) -> bool| {
            highest(stack, |settings| settings.rope.as_ref().filter(|rope| get(rope)).map(|_| ()))
        };
        let of_shape = of(|rope| rope.shape.is_some());
        let ends = [
            ("rope.start", of(|rope| rope.start.is_some())),
            ("rope.end", of(|rope| rope.end.is_some())),
        ];
        if let Some((path, _)) = ends.into_iter().find(|(_, layer)| *layer >= of_shape) {
            let name = shape.info().name;
            let fault = Fault::new(format!("`{path}` is determined by the points of {name}"));
            return Err(refuse(stack, path, fault.help("remove one of the two")));
        }
    }
    Ok(shape)
}

/// Whether the line along which a rope starts is closed.
fn is_closed(shape: &dyn RopeShape, start: &[f64], end: &[f64]) -> bool {
    let point = |at: &[f64]| [0, 1, 2].map(|axis| at.get(axis).copied().unwrap_or(0.0));
    shape.line([point(start), point(end)]).is_ok_and(|line| line.is_closed)
}

/// Returns gravity and the effective springs of a hanging rope.
fn hanging_loads(
    stack: &Stack<'_>,
    settings: &Settings,
    axes: usize,
    count: usize,
    law: &dyn SpringLaw,
) -> Result<HangingLoads, SceneError> {
    if !law.is_linear() {
        let name = law.info().name;
        let fault = Fault::new(format!("the shape Hanging needs Hooke's law, not {name}"));
        return Err(refuse(
            stack,
            "rope.law",
            fault.help("remove the law, or choose another shape"),
        ));
    }
    let gravity = required(stack, "gravity", settings.gravity.as_ref())?.at_start(axes, stack);
    let gravity = gravity.map_err(|fault| refuse(stack, "gravity", fault))?;
    let method = required(stack, "integrator", settings.integrator.as_ref())?
        .read_for(axes, count)
        .map_err(|fault| refuse(stack, "integrator", fault))?;
    let links = if method.holds_lengths() { LinkLaw::Rigid } else { LinkLaw::Elastic };
    let stiffness_of: StiffnessOf = Arc::new(move |spring: &Spring| method.stiffness_of(spring));
    Ok(HangingLoads { gravity, links, stiffness_of: Some(stiffness_of) })
}

/// Returns the properties that vary along the rope.
fn profile(stack: &Stack<'_>, rope: &RopeSettings, count: usize) -> Result<Profile, SceneError> {
    let form = Form::Rope { closed: false };
    let taper = rope.taper.as_ref();
    let ends = |factors: Option<Factors>| factors.map(|Factors((first, last))| [first.0, last.0]);
    let mut ranges = Vec::new();
    for (index, entry) in rope.ranges.iter().flat_map(|list| list.0.iter().enumerate()) {
        let node = |name: &NodeName, field: &str| {
            let found = name.in_one_piece(&form, count);
            found.map_err(|fault| refuse(stack, &format!("rope.ranges[{index}].{field}"), fault))
        };
        let (from, to) = (node(&entry.from, "from")?, node(&entry.to, "to")?);
        let path = format!("rope.ranges[{index}]");
        if from > to {
            let message = format!("the range goes from node {from} to node {to}");
            let fault = Fault::new(message).help("write the node nearer to the start first");
            return Err(refuse(stack, &path, fault));
        }
        if from == to && entry.stiffness.is_some() {
            let fault = Fault::new("a range of one node contains no spring");
            let help = "omit `stiffness`, or extend the range";
            return Err(refuse(stack, &format!("{path}.stiffness"), fault.help(help)));
        }
        if entry.mass.is_none() && entry.stiffness.is_none() {
            let fault = Fault::new("the range changes nothing");
            return Err(refuse(stack, &path, fault.help("write its `mass` or its `stiffness`")));
        }
        let of = |value: Option<Positive>| value.map(|value| value.0);
        ranges.push(Range { from, to, mass: of(entry.mass), stiffness: of(entry.stiffness) });
    }
    Ok(Profile {
        mass: ends(taper.and_then(|taper| taper.mass)),
        stiffness: ends(taper.and_then(|taper| taper.stiffness)),
        ranges,
        weights: weights(stack, "rope.weights", rope.weights.as_ref(), &form, count)?,
    })
}

/// Returns mass and stiffness, from a material or from the scene.
fn matter(
    stack: &Stack<'_>,
    rope: &RopeSettings,
    rod: Option<&RodPlan>,
) -> Result<Matter, SceneError> {
    let Some(material) = &rope.material else {
        let mass = required(stack, "rope.mass", rope.mass.as_ref())?.0;
        if let Some(young_area) = rod.and_then(|rod| rod.axial) {
            check_axial(stack)?;
            return Ok(Matter::Rod { mass, young_area });
        }
        return Ok(Matter::Nodes {
            mass,
            stiffness: required(stack, "rope.stiffness", rope.stiffness.as_ref())?.0,
        });
    };
    let material = material.read().map_err(|fault| refuse(stack, "rope.material", fault))?;
    let area = rope.area.map(|area| area.0).or(rod.and_then(|rod| rod.area));
    let Some(area) = area else {
        let message = format!("a rope of {} needs a cross-section", material.info().name);
        let help = "set its area as well: rope: (material: Steel, area: 1e-4)";
        return Err(refuse(stack, "rope.material", Fault::new(message).help(help)));
    };
    // A material replaces mass and stiffness of lower layers. In its own layer or a higher one,
    // these contradict it.
    let rope_of = |settings: &Settings| settings.rope.clone();
    let of_material = highest(stack, |settings| rope_of(settings)?.material.map(|_| ()));
    for (path, layer) in [
        ("rope.stiffness", highest(stack, |settings| rope_of(settings)?.stiffness.map(|_| ()))),
        ("rope.mass", highest(stack, |settings| rope_of(settings)?.mass.map(|_| ()))),
    ] {
        if layer >= of_material {
            let fault =
                Fault::new(format!("`{path}` is determined by the rope's material and area"));
            return Err(refuse(stack, path, fault.help("remove one of the two")));
        }
    }
    Ok(Matter::Material {
        young_area: material.young() * area,
        density_area: material.density() * area,
    })
}

/// Rejects a stiffness together with the `axial` of a rod. A stiffness in a lower layer is
/// replaced.
fn check_axial(stack: &Stack<'_>) -> Result<(), SceneError> {
    let of_rod = |settings: &Settings| settings.rope.clone()?.rod?.axial.map(|_| ());
    let of_rope = |settings: &Settings| settings.rope.clone()?.stiffness.map(|_| ());
    if highest(stack, of_rope) < highest(stack, of_rod) {
        return Ok(());
    }
    let fault = Fault::new("the stiffness of the springs is set by the rod, as EA in `axial`");
    Err(refuse(stack, "rope.stiffness", fault.help("remove one of the two")))
}

/// Whether the squared distance of neighbouring nodes is a normal number above zero.
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
