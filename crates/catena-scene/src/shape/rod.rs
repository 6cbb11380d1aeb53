//! Bending and twist of a rope in a scene: its stiffness, its rest shape and its clamps.

use crate::diagnostic::Fault;
use crate::entries::ClampEntry;
use crate::error::SceneError;
use crate::over_time::Changing;
use crate::schema::{RodSettings, RopeSettings};
use crate::stack::{Stack, refuse};
use crate::values::{Positive, RestCurvature, RodInertia};
use catena_base::text::number::digits;
use catena_sim::body::vector::norm;
use catena_sim::drive::track::Animated;
use catena_sim::drive::{Anchor, Curve};
use catena_sim::force::rod::{Clamp, Profile, Rod, Rods, Section, Tangent, largest_turn};
use catena_sim::{BadSetup, Form, Model, Part, Setup, State};
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

/// Maximum angle between successive directions of a clamp in radians, nearly half a turn.
const MAX_TURN: f64 = PI - 1e-6;

/// Rod of a part, before its nodes are known.
#[derive(Clone, Debug)]
pub(crate) struct RodPlan {
    section: Section,
    normal: Option<[f64; 3]>,
    curvature: Option<RestCurvature>,
    /// Rest twist, radians per length.
    twist: f64,
    turns: f64,
    inertia: f64,
    clamps: Vec<Clamp>,
    /// Stiffness of a spring times its length, if the rod sets it.
    pub(crate) axial: Option<f64>,
    /// Area of the section, if the rod sets it.
    pub(crate) area: Option<f64>,
}

impl RodPlan {
    /// Returns the nodes of the clamps.
    pub(crate) fn clamped(&self) -> impl Iterator<Item = usize> {
        self.clamps.iter().map(|clamp| clamp.node)
    }

    /// Returns the rod along a part, for a body with this initial state. A clamp on a node that
    /// turns with a bone also turns with the bone.
    fn along(&self, part: &Part, model: &Model, initial: &State, anchors: &[Anchor]) -> Rod {
        let count = part.nodes.len();
        let turning = |clamp: &Clamp| {
            let node = part.nodes[clamp.node];
            let anchor = anchors.iter().find(|anchor| anchor.node == node)?;
            anchor.curve.turn(initial.t)?;
            Some(Arc::clone(&anchor.curve))
        };
        let clamps = self.clamps.iter().map(|clamp| {
            let mut clamp = clamp.clone();
            if let Some(curve) = turning(&clamp) {
                clamp.tangent = match clamp.tangent {
                    None => Some(Tangent::Turning(curve, None)),
                    Some(Tangent::Constant(direction)) => {
                        Some(Tangent::Turning(curve, Some(direction)))
                    }
                    other => other,
                };
            }
            clamp
        });
        let rod = Rod {
            nodes: part.nodes.clone(),
            springs: part.springs.clone(),
            is_closed: part.form == Form::Rope { closed: true },
            section: self.section,
            sections: Vec::new(),
            normal: self.normal,
            rest_curvature: match &self.curvature {
                None => Vec::new(),
                Some(RestCurvature::Everywhere(curvature)) => vec![*curvature; count],
                Some(RestCurvature::Each(each)) => each.clone(),
                Some(RestCurvature::AsStart) => Vec::new(),
            },
            rest_twist: if self.twist == 0.0 { Vec::new() } else { vec![self.twist; count] },
            turns: self.turns,
            clamps: clamps.collect(),
            inertia: self.inertia,
        };
        match self.curvature {
            Some(RestCurvature::AsStart) => rod.at_rest_in(model, initial),
            _ => rod,
        }
    }
}

/// Two parts whose rods are joined so that they transmit moments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RigidJoint {
    /// Index of the join in its list.
    pub(crate) index: usize,
    /// Parts of both ends.
    pub(crate) parts: [usize; 2],
}

/// Invalid rod or joint of rods.
pub(crate) enum RodFault {
    /// Field of the rod of a part.
    OfPart(usize, BadSetup),
    /// Joint of a join.
    OfJoin(usize, BadSetup),
}

/// Rod along one or more parts. Each part has the index of its first clamp.
struct JoinedRod {
    rod: Rod,
    parts: Vec<(usize, usize)>,
}

/// Returns the force of the rods of a body. `plans` has one entry per part. `rigid` holds the
/// joints at which rods continue.
///
/// # Errors
/// Returns the first invalid field, as a path below the part's `rope.rod`, with the index of the
/// part, or the first invalid joint.
pub(crate) fn rods(
    plans: &[Option<RodPlan>],
    rigid: &[RigidJoint],
    model: &Model,
    initial: &State,
    anchors: &[Anchor],
) -> Result<Option<Rods>, RodFault> {
    let parts = model.part_list();
    let mut rods: Vec<JoinedRod> = Vec::new();
    for (index, (plan, part)) in plans.iter().zip(parts.iter()).enumerate() {
        if let Some(plan) = plan {
            let rod = plan.along(part, model, initial, anchors);
            rods.push(JoinedRod { rod, parts: vec![(index, 0)] });
        }
    }
    for joint in rigid {
        continue_rod(&mut rods, joint, model, initial)
            .map_err(|bad| RodFault::OfJoin(joint.index, bad))?;
    }
    if rods.is_empty() {
        return Ok(None);
    }
    let all = rods.iter().map(|joined| joined.rod.clone()).collect();
    Rods::new(model, initial, all).map(Some).map_err(|bad| {
        let split = bad.field.strip_prefix("rods[").and_then(|rest| rest.split_once("]."));
        let found =
            split.and_then(|(rod, field)| Some((rods.get(rod.parse::<usize>().ok()?)?, field)));
        let Some((joined, field)) = found else { return RodFault::OfPart(0, bad) };
        let (part, field) = field_of_part(&joined.parts, field);
        RodFault::OfPart(part, BadSetup::new(field, bad.message.clone()))
    })
}

/// Replaces the rods of two parts by one that runs along both.
fn continue_rod(
    rods: &mut Vec<JoinedRod>,
    joint: &RigidJoint,
    model: &Model,
    initial: &State,
) -> Result<(), BadSetup> {
    let mut find = |part: usize| {
        rods.iter().position(|joined| joined.parts.iter().any(|(own, _)| *own == part))
    };
    let [a, b] = joint.parts.map(&mut find);
    let message = "a rigid joint joins two rods: write rope: (rod: (…)) for both parts";
    let (Some(a), Some(b)) = (a, b) else { return Err(BadSetup::new("joint", message)) };
    let message = "the rods of a rigid joint would form a ring: write shape: Ring instead";
    BadSetup::unless(a != b, "joint", message)?;
    let is_forward = rods[a].rod.nodes.last() == rods[b].rod.nodes.first();
    let (first, second) = if is_forward { (a, b) } else { (b, a) };
    let clamps = rods[first].rod.clamps.len();
    let rod = rods[first].rod.clone().continued(rods[second].rod.clone(), model, initial)?;
    let moved = rods[second].parts.iter().map(|(part, clamp)| (*part, clamp + clamps));
    let parts = rods[first].parts.iter().copied().chain(moved).collect();
    rods[a] = JoinedRod { rod, parts };
    rods.remove(b);
    Ok(())
}

/// Returns notes about turns of clamps that do not twist their rod.
pub(crate) fn cautions(setup: &Setup) -> Vec<String> {
    let note = |node| {
        format!(
            "the `turn` of the clamp on node {node} rotates sections, but does not twist the rod, \
             because no other clamp holds them; add a clamp, or remove `turn`"
        )
    };
    setup.rods().map_or_else(Vec::new, Rods::idle_turns).into_iter().map(note).collect()
}

/// Returns the part that sets a field of a joined rod, and the path of the field in that part.
fn field_of_part(parts: &[(usize, usize)], field: &str) -> (usize, String) {
    let first = parts.first().map_or(0, |(part, _)| *part);
    let split = field.strip_prefix("clamps[").and_then(|rest| rest.split_once(']'));
    let found = split.and_then(|(clamp, rest)| {
        let clamp: usize = clamp.parse().ok()?;
        let (part, before) = parts.iter().rev().find(|(_, before)| *before <= clamp)?;
        Some((*part, format!("clamps[{}]{rest}", clamp - before)))
    });
    found.unwrap_or_else(|| (first, field.replace("rest_curvature", "curvature")))
}

/// Reads the rod of a rope; `None` for a rope that does not resist bending.
pub(super) fn read(
    stack: &Stack<'_>,
    rope: &RopeSettings,
    axes: usize,
    count: usize,
    is_closed: bool,
) -> Result<Option<RodPlan>, SceneError> {
    let Some(rod) = &rope.rod else { return Ok(None) };
    let refused = |field: &str, message: &str, help: &str| {
        Err(refuse(stack, &format!("rope.rod{field}"), Fault::new(message).help(help)))
    };
    if rope.bending.is_some_and(|bending| bending.0 > 0.0) {
        let message = "`rope.bending` and `rope.rod` cannot be combined";
        let fault = Fault::new(message).help("remove `rope.bending` or `rope.rod`");
        return Err(refuse(stack, "rope.bending", fault));
    }
    let (section, area) = section(stack, rope, rod)?;
    if section == Section::default() {
        let help = "write EI as `bending`, GJ as `torsion`, or a section: rod: (radius: 0.01)";
        return refused("", "the rod resists neither bending nor twist", help);
    }
    let clamps = clamps(stack, rod, axes, count)?;
    check_twist(stack, rod, axes, section.torsion > 0.0, &clamps, is_closed)?;
    let curvature = rod.curvature.as_ref();
    if let Some(RestCurvature::Each(each)) = curvature
        && each.len() != count
    {
        let message = format!("expected one curvature per node, {count}, found {}", each.len());
        let help = "write one number for all nodes, or a list with one number per node";
        return refused(".curvature", &message, help);
    }
    let is_round = section.bending[0] == section.bending[1];
    let turns = rod.turns.map_or(0.0, |turns| turns.0);
    let is_framed = axes == 3 && (!is_round || curvature.is_some() || rod.inertia.is_some());
    if is_closed && is_framed && turns != libm::round(turns) {
        let message = format!(
            "the ends of a ring must match: this section allows only whole turns, found {turns}"
        );
        let help = "write a whole number, or use a round section without `curvature` and `inertia`";
        return refused(".turns", &message, help);
    }
    let normal = rod.normal.map(|normal| normal.xyz());
    if normal.is_some_and(|normal| norm(normal) == 0.0) {
        return refused(".normal", "the direction must have a length above 0", "write (0, 1, 0)");
    }
    Ok(Some(RodPlan {
        section,
        normal,
        curvature: curvature.cloned(),
        twist: TAU * rod.twist.map_or(0.0, |twist| twist.0),
        turns,
        inertia: inertia(stack, rope, rod)?,
        clamps,
        axial: rod.axial.map(|axial| axial.0),
        area,
    }))
}

/// Returns the rotational inertia of sections per length; 0 if the rod has no inertia.
fn inertia(stack: &Stack<'_>, rope: &RopeSettings, rod: &RodSettings) -> Result<f64, SceneError> {
    let profile = match rod.inertia {
        None => return Ok(0.0),
        Some(RodInertia::Number(inertia)) => return Ok(inertia),
        Some(RodInertia::Section) => profile(stack, rod)?,
    };
    let (Some(profile), Some(material)) = (profile, &rope.material) else {
        let fault = Fault::new("inertia: Section needs a section and a material");
        let help =
            "write rope: (material: Steel, rod: (radius: 0.01, inertia: Section)), or a number";
        return Err(refuse(stack, "rope.rod.inertia", fault.help(help)));
    };
    let own = material.read().map_err(|fault| refuse(stack, "rope.material", fault))?;
    let inertia = own.density() * profile.second_moments().iter().sum::<f64>();
    if inertia > 0.0 && inertia.is_finite() {
        return Ok(inertia);
    }
    let fault =
        Fault::new("the inertia of this section is 0 or infinite in floating-point numbers");
    Err(refuse(stack, "rope.rod.inertia", fault.help("check the unit of the section's size")))
}

/// Rejects fields of twist that are not possible for the rod.
fn check_twist(
    stack: &Stack<'_>,
    rod: &RodSettings,
    axes: usize,
    twists: bool,
    clamps: &[Clamp],
    is_closed: bool,
) -> Result<(), SceneError> {
    let refused = |field: &str, message: &str, help: &str| {
        Err(refuse(stack, &format!("rope.rod{field}"), Fault::new(message).help(help)))
    };
    if axes == 2 {
        let turns = clamps.iter().any(|clamp| !matches!(clamp.turn, Animated::Constant([0.0])));
        let (twist, bend) =
            ("a rod in the plane does not twist", "a rod in the plane bends only in the plane");
        for (field, is_set, message) in [
            (".twist", rod.twist.is_some(), twist),
            (".turns", rod.turns.is_some(), twist),
            (".inertia", rod.inertia.is_some(), twist),
            (".clamps", turns, twist),
            (".torsion", rod.torsion.is_some_and(|torsion| torsion.0 > 0.0), twist),
            (".bending_across", rod.bending_across.is_some(), bend),
            (".normal", rod.normal.is_some(), bend),
        ] {
            if is_set {
                let help = "remove this, or give the vectors of the scene three components";
                return refused(field, message, help);
            }
        }
    } else if !twists {
        let help = "set GJ as `torsion` as well, or write a section: rod: (radius: 0.01)";
        let turns =
            clamps.iter().position(|clamp| !matches!(clamp.turn, Animated::Constant([0.0])));
        if let Some(clamp) = turns {
            let field = format!(".clamps[{clamp}].turn");
            return refused(&field, "a turn has no effect: the rod does not resist twist", help);
        }
        if rod.inertia.is_some() {
            let message = "inertia has no effect: the rod does not resist twist";
            return refused(".inertia", message, help);
        }
        if rod.twist.is_some() || rod.turns.is_some() {
            let field = if rod.twist.is_some() { ".twist" } else { ".turns" };
            return refused(field, "twist has no effect: the rod does not resist it", help);
        }
    }
    if rod.turns.is_some() && !is_closed {
        let help = "turn the ends with clamps: clamps: [(node: Last, turn: 3)]";
        return refused(".turns", "`turns` is only for a closed rope, such as shape: Ring", help);
    }
    if rod.turns.is_some_and(|turns| turns.0 != 0.0) && !clamps.is_empty() {
        let help = "remove `clamps`, and use `pins` to fix the positions of nodes";
        let message = "`turns` cannot be combined with clamps, which fix the angle of the section";
        return refused(".turns", message, help);
    }
    Ok(())
}

/// Returns the stiffness of the section, and the area of its profile if there is one.
fn section(
    stack: &Stack<'_>,
    rope: &RopeSettings,
    rod: &RodSettings,
) -> Result<(Section, Option<f64>), SceneError> {
    let refused = |field: &str, message: &str, help: &str| {
        Err(refuse(stack, &format!("rope.rod{field}"), Fault::new(message).help(help)))
    };
    let Some(profile) = profile(stack, rod)? else {
        if rod.poisson.is_some() {
            let help = "write a section, rod: (radius: 0.01), or remove `poisson`";
            return refused(".poisson", "Poisson's ratio has no effect without a section", help);
        }
        let bending = rod.bending.map_or(0.0, |bending| bending.0);
        let across = rod.bending_across.map_or(bending, |across| across.0);
        let torsion = rod.torsion.map_or(0.0, |torsion| torsion.0);
        if rope.material.is_some() && rod.bending.is_none() {
            let help = "write a section, rod: (radius: 0.01), or EI as `bending`";
            return refused("", "a rod with a material needs a radius or another section", help);
        }
        return Ok((Section { bending: [bending, across], torsion }, None));
    };
    let Some(material) = &rope.material else {
        let help = "write rope: (material: Steel, rod: (…)), or EI as `bending`";
        return refused("", "a section needs a material", help);
    };
    let own = material.read().map_err(|fault| refuse(stack, "rope.material", fault))?;
    let poisson = rod.poisson.map_or_else(|| own.poisson(), |poisson| poisson.0);
    if !(poisson > -1.0 && poisson <= 0.5) {
        let message = format!("expected a number above -1, at most 0.5, found {poisson}");
        return refused(".poisson", &message, "metals have about 0.3, rubber 0.5");
    }
    for (field, is_set) in [
        (".bending", rod.bending.is_some()),
        (".bending_across", rod.bending_across.is_some()),
        (".torsion", rod.torsion.is_some()),
        (".axial", rod.axial.is_some()),
    ] {
        if is_set {
            let message = "the stiffness is determined by the section and the material";
            return refused(field, message, "remove this, or the section");
        }
    }
    if rope.area.is_some() {
        let fault = Fault::new("the area is determined by the section of the rod");
        return Err(refuse(stack, "rope.area", fault.help("remove this, or the section")));
    }
    let young = own.young();
    let section = profile.of(young, 0.5 * young / (1.0 + poisson));
    let [towards, across] = section.bending;
    if ![towards, across, section.torsion].iter().all(|value| value.is_finite() && *value > 0.0) {
        let field = if rod.radius.is_some() { ".radius" } else { ".width" };
        let message = "EI or GJ of this section is 0 or infinite in floating-point numbers";
        return refused(field, message, "check the unit of the section's size");
    }
    Ok((section, Some(profile.area())))
}

/// Returns the section that the fields describe, if any.
fn profile(stack: &Stack<'_>, rod: &RodSettings) -> Result<Option<Profile>, SceneError> {
    let of = |value: Option<Positive>| value.map(|value| value.0);
    let refused = |field: &str, message: &str, help: &str| {
        Err(refuse(stack, &format!("rope.rod.{field}"), Fault::new(message).help(help)))
    };
    match (of(rod.radius), of(rod.inner), of(rod.width), of(rod.height)) {
        (None, None, None, None) => Ok(None),
        (Some(radius), None, None, None) => Ok(Some(Profile::Circle { radius })),
        (Some(radius), Some(inner), None, None) if inner < radius => {
            Ok(Some(Profile::Tube { radius, inner }))
        }
        (Some(radius), Some(inner), None, None) => {
            let message =
                format!("the inner radius {inner} must be less than the outer radius {radius}");
            let help = format!(
                "write a smaller `inner`, such as {}, or a larger `radius`; without `inner`, the \
                 section is a full circle",
                digits(0.8 * radius, 3)
            );
            refused("inner", &message, &help)
        }
        (None, None, Some(width), Some(height)) => Ok(Some(Profile::Rectangle { width, height })),
        (None, Some(_), None, None) => {
            refused("inner", "a tube needs an outer radius", "set `radius` as well")
        }
        (None, None, Some(_), None) => {
            refused("width", "a rectangle needs a height", "set `height` as well")
        }
        (None, None, None, Some(_)) => {
            refused("height", "a rectangle needs a width", "set `width` as well")
        }
        _ => refused(
            if rod.width.is_some() { "width" } else { "height" },
            "a section cannot be both round and rectangular",
            "remove `radius` and `inner`, or `width` and `height`",
        ),
    }
}

/// Reads the clamps.
fn clamps(
    stack: &Stack<'_>,
    rod: &RodSettings,
    axes: usize,
    count: usize,
) -> Result<Vec<Clamp>, SceneError> {
    let form = Form::Rope { closed: false };
    let mut clamps: Vec<Clamp> = Vec::new();
    for (index, entry) in rod.clamps.iter().flat_map(|list| list.0.iter().enumerate()) {
        let path = format!("rope.rod.clamps[{index}]");
        let Some(name) = &entry.node else {
            let fault = Fault::new("the clamp has no `node`");
            return Err(refuse(stack, &path, fault.help("set `node`: (node: First)")));
        };
        let found = name.in_one_piece(&form, count);
        let node = found.map_err(|fault| refuse(stack, &format!("{path}.node"), fault))?;
        if clamps.iter().any(|clamp| clamp.node == node) {
            let fault = Fault::new(format!("node {name} has two clamps"));
            let path = format!("{path}.node");
            return Err(refuse(stack, &path, fault.help("remove one of them")));
        }
        let tangent = tangent(stack, &format!("{path}.tangent"), entry, axes)?;
        let turn = entry.turn.0.as_ref().map_or(Animated::number(0.0), |turn| turn.track.clone());
        clamps.push(Clamp { node, tangent, turn });
    }
    Ok(clamps)
}

/// Reads the direction of a clamp.
fn tangent(
    stack: &Stack<'_>,
    path: &str,
    entry: &ClampEntry,
    axes: usize,
) -> Result<Option<Tangent>, SceneError> {
    let Some(written) = &entry.tangent.0 else { return Ok(None) };
    let refused = |message: &str, help: &str| {
        Err(refuse(stack, path, Fault::new(message.to_owned()).help(help)))
    };
    match written.on(axes, stack).map_err(|fault| refuse(stack, path, fault))? {
        Changing::Never(vector) => {
            let mut direction = [0.0; 3];
            direction.iter_mut().zip(&vector).for_each(|(to, from)| *to = *from);
            if norm(direction) == 0.0 {
                let help = if axes == 2 { "write (1, 0)" } else { "write (1, 0, 0)" };
                return refused("the direction must have a length above 0", help);
            }
            Ok(Some(Tangent::Constant(direction)))
        }
        Changing::OverTime(curve) => {
            if curve.places().iter().any(|(_, place)| norm(*place) == 0.0) {
                return refused(
                    "the direction must have a length above 0",
                    "change the key with length 0",
                );
            }
            if largest_turn(curve.as_ref()) >= MAX_TURN {
                let message = "the direction turns by half a turn between two keys, so the shorter \
                               path is undefined";
                return refused(message, "add a key between them");
            }
            let curve: Arc<dyn Curve> = curve;
            Ok(Some(Tangent::Along(curve)))
        }
    }
}
