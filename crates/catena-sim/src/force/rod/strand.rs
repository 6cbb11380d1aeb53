//! One rod of a body with its clamps: force, energy and memory at a state.

use super::chain::{self, ChainJoints};
use super::clamp::{Clamp, Frame, Holder, carried, unit_or};
use super::joint::{self, Edge, plane, straight};
use super::lanes::{self, LaneLayout};
use super::layout::{Joint, Layout, Slot, Span};
use super::twist::{self, Held, Twisted};
use super::{Reading, Rod, RodKind, Section};
use crate::body::vector::{Vec3, along, cross, dot, norm, sub};
use crate::body::{Body, Model, SpringMemory, State};
use crate::named::BadSetup;
use std::borrow::Cow;
use std::f64::consts::TAU;

/// Minimum value of 1 + t_e·t_f at the start. Below it, two edges fold back onto each other.
pub(super) const MIN_OPEN: f64 = 1e-12;
/// Minimum sine of the angle between the rod and its normal at the start.
const MIN_ACROSS: f64 = 1e-9;
/// Number of equal time intervals at whose ends turns of clamps are sampled.
const SAMPLES: u32 = 64;

/// A rod with its constants.
#[derive(Debug)]
pub(super) struct Strand {
    pub rod: Rod,
    pub holders: Vec<Holder>,
    /// Normal at the start of the rod in the initial state.
    pub start_normal: Vec3,
    /// Whether the orientation of the sections matters: in space, if a section is not round, the
    /// rod is curved at rest, or its sections have inertia.
    pub is_framed: bool,
    /// Layout and spans with the pins of the model and without breaks.
    first: Laid,
}
crate::identity!(Strand { rod, holders, start_normal, is_framed; first });

/// A layout with its spans.
#[derive(Clone, Debug, Default)]
pub(super) struct Laid {
    pub layout: Layout,
    pub spans: Vec<Span>,
    lanes: LaneLayout,
}

/// A strand at a state.
pub(super) struct Posed<'a> {
    pub laid: Cow<'a, Laid>,
    pub edges: Vec<Edge>,
    pub twisted: Vec<Twisted>,
}

impl Strand {
    /// Checks a rod and prepares it.
    pub(super) fn new(model: &Model, initial: &State, rod: Rod) -> Result<Self, BadSetup> {
        check(model, &rod)?;
        let (start_normal, holders) = holders(model, initial, &rod);
        let memory = SpringMemory::default();
        let is_curved = rod.rest_curvature.iter().any(|curvature| *curvature != [0.0; 2]);
        let is_round = rod.all_sections().iter().all(Section::is_round);
        let is_framed = model.axes == 3 && (is_curved || !is_round || rod.inertia > 0.0);
        let mut strand = Self { rod, holders, start_normal, is_framed, first: Laid::default() };
        strand.first = strand.lay(&Body { model, springs: &memory });
        strand.check_start(model, initial)?;
        Ok(strand)
    }

    /// Returns the rod with one clamp fixed as at a time and rotated by a small angle about an
    /// axis.
    pub(super) fn with_rotated(&self, clamp: usize, t: f64, axis: usize, angle: f64) -> Self {
        let mut holders = self.holders.clone();
        holders[clamp] = holders[clamp].rotated(t, axis, angle);
        let (rod, first) = (self.rod.clone(), self.first.clone());
        Self { rod, holders, start_normal: self.start_normal, is_framed: self.is_framed, first }
    }

    /// Refuses a rod that folds back on itself at the start, and a normal along the rod.
    fn check_start(&self, model: &Model, initial: &State) -> Result<(), BadSetup> {
        let layout = &self.first.layout;
        let edges = self.edges(layout, model.nodes(), initial);
        for (k, joint) in layout.joints.iter().enumerate() {
            let next = (k + 1) % edges.len();
            let is_bent = joint.bend != [0.0; 2];
            if !is_bent || 1.0 + dot(edges[k].t, edges[next].t) > MIN_OPEN {
                continue;
            }
            let clamp = |slot: usize| match layout.slots[slot] {
                Slot::Clamp(clamp) => Some(self.holders[clamp].node),
                Slot::Edge { .. } => None,
            };
            let own = |node: usize| {
                let is_own = |clamp: &Clamp| self.rod.nodes[clamp.node] == node;
                self.rod.clamps.iter().position(is_own)
            };
            let message = "the rod folds back on itself here, so its curvature is unbounded";
            let (field, help) = match clamp(k).or(clamp(next)).and_then(own) {
                Some(clamp) => (
                    format!("clamps[{clamp}].tangent"),
                    "remove `tangent`, or write a direction that leads from each node to the next",
                ),
                None => ("bending".into(), "bend the start less there, or use more nodes"),
            };
            return Err(BadSetup::new(field, format!("{message}; {help}")));
        }
        let start = directions(model, initial, &self.rod);
        let is_across =
            |normal: Vec3, tangent: Vec3| norm(cross(normal, tangent)) > MIN_ACROSS * norm(normal);
        let is_sound = match (self.rod.normal, start.first()) {
            (Some(normal), Some(tangent)) => is_across(normal, *tangent),
            _ => true,
        };
        if is_sound {
            return Ok(());
        }
        let tangent = start.first().copied().unwrap_or_default();
        let along = |axis: &usize| tangent[*axis].abs();
        let across = (0..model.axes).min_by(|a, b| along(a).total_cmp(&along(b)));
        let across = ["(1, 0, 0)", "(0, 1, 0)", "(0, 0, 1)"][across.unwrap_or(0)];
        let message = format!(
            "`normal` is parallel to the rod where it starts, but must point across it: use \
             {across}, or remove `normal`"
        );
        Err(BadSetup::new("normal", message))
    }

    /// Number of values in the memory: the angle up to each clamp, and the closing angle of a ring.
    pub(super) fn numbers(&self) -> usize {
        if self.is_framed {
            return self.framed_numbers();
        }
        match self.first.spans.is_empty() && self.holders.len() < 2 {
            true => 0,
            false => self.holders.len() + usize::from(self.rod.is_closed),
        }
    }

    /// Kind of the rod.
    pub(super) fn kind(&self) -> RodKind {
        match self.first.spans.is_empty() {
            _ if self.is_framed => RodKind::Framed,
            true => RodKind::Bent,
            false => RodKind::Twisted,
        }
    }

    fn lay(&self, body: &Body<'_>) -> Laid {
        let layout = Layout::new(&self.rod, &self.holders, body);
        let twists =
            body.model.axes == 3 && self.rod.all_sections().iter().any(|one| one.torsion > 0.0);
        let spans = if twists { layout.spans(self.rod.is_closed) } else { Vec::new() };
        let lanes = LaneLayout::new(&layout);
        Laid { layout, spans, lanes }
    }

    /// Computes the edges, the spans and their twist at a state.
    pub(super) fn pose(&self, body: &Body<'_>, state: &State, memory: &[f64]) -> Posed<'_> {
        let laid = self.laid(body);
        let edges = self.edges(&laid.layout, body.model.nodes(), state);
        let twisted = laid.spans.iter().map(|span| {
            let phase = twist::phase_along(&edges, span);
            let held = self.held(span, edges[span.first].t, state.t);
            held.measure(*span, phase, self.expected(span, memory))
        });
        let twisted = twisted.collect();
        Posed { laid, edges, twisted }
    }

    /// Twist of a chain between two clamps; `None` for other rods.
    fn chain_twist(&self, laid: &Laid, state: &State, memory: &[f64]) -> Option<Twisted> {
        let (Some(chain), [span]) = (&laid.lanes.chain, laid.spans.as_slice()) else { return None };
        let joints = chain.joints(|clamp| self.holders[clamp].frame(state.t).tangent);
        let phase = chain::phase_along(joints, &state.x);
        let held = self.held(span, joints.ends[0]?, state.t);
        Some(held.measure(*span, phase, self.expected(span, memory)))
    }

    /// Returns the sections at the ends of a span. `tangent` is its first direction.
    fn held(&self, span: &Span, tangent: Vec3, t: f64) -> Held {
        match span.clamps {
            Some((from, to)) => Held::by_clamps(&self.holders, [from, to], t),
            None => Held::by_ring(tangent, self.rod.turns),
        }
    }

    /// Layout with the pins and breaks of a body.
    pub(super) fn laid(&self, body: &Body<'_>) -> Cow<'_, Laid> {
        match self.first.layout.fits(&self.rod, &self.holders, body) {
            true => Cow::Borrowed(&self.first),
            false => Cow::Owned(self.lay(body)),
        }
    }

    /// Angle of a span in the memory; 0 if there is no memory.
    fn expected(&self, span: &Span, memory: &[f64]) -> f64 {
        let at = |index: usize| memory.get(index).copied().unwrap_or(0.0);
        match span.clamps {
            Some((from, to)) if !span.wraps => at(to) - at(from),
            _ => at(self.holders.len()),
        }
    }

    /// Direction and inverse length of each slot.
    pub(super) fn edges(&self, layout: &Layout, n: usize, state: &State) -> Vec<Edge> {
        let edge = |slot: &Slot| match *slot {
            Slot::Edge { a, b } => {
                let d = sub(state.position(n, b), state.position(n, a));
                let inverse = 1.0 / norm(d);
                Edge { t: d.map(|d| d * inverse), inverse }
            }
            Slot::Clamp(clamp) => {
                Edge { t: self.holders[clamp].frame(state.t).tangent, inverse: 0.0 }
            }
        };
        layout.slots.iter().map(edge).collect()
    }

    /// Adds the force to `f`.
    pub(super) fn add_to(&self, body: &Body<'_>, state: &State, memory: &[f64], f: &mut [f64]) {
        let axes = body.model.axes;
        if self.is_framed {
            return self.add_framed(body, state, memory, f);
        }
        let laid = self.laid(body);
        let tangent = |clamp: usize| self.holders[clamp].frame(state.t).tangent;
        let Laid { lanes, spans, layout } = &*laid;
        if let Some(chain) = &lanes.chain {
            let twist = self.chain_twist(&laid, state, memory);
            let torque = twist.map(|twist| twist.torque());
            return chain::add_bending(axes, chain.joints(tangent), torque, &state.x, f);
        }
        let mut torques = Vec::new();
        if !spans.is_empty() {
            torques = vec![0.0; layout.joints.len()];
            for twisted in self.pose(body, state, memory).twisted {
                let Span { first, joints, .. } = twisted.span;
                for k in first..first + joints {
                    torques[k % layout.joints.len()] = twisted.torque();
                }
            }
        }
        lanes::add_bending(axes, lanes, &state.x, tangent, &torques, f);
    }

    /// Passes the joints to `take` if the rod is a chain whose derivative is the sum over its
    /// joints. Returns whether the rod is such a chain.
    pub(super) fn take_chain(
        &self,
        body: &Body<'_>,
        t: f64,
        is_definite: bool,
        take: &mut dyn FnMut(ChainJoints<'_>),
    ) -> bool {
        let laid = self.laid(body);
        let twist_bends = !is_definite && !laid.spans.is_empty();
        let chain = laid.lanes.chain.as_ref().filter(|_| !self.is_framed && !twist_bends);
        let Some(chain) = chain else { return false };
        take(chain.joints(|clamp| self.holders[clamp].frame(t).tangent));
        true
    }

    /// Energy of bending and of twist.
    pub(super) fn energy(&self, body: &Body<'_>, state: &State, memory: &[f64]) -> [f64; 2] {
        if self.is_framed {
            return self.framed_energy(body, state, memory);
        }
        let Posed { laid, edges, twisted } = self.pose(body, state, memory);
        let mut bending = 0.0;
        for (k, joint) in laid.layout.joints.iter().enumerate() {
            if joint.bend[0] == 0.0 {
                continue;
            }
            let (e, f) = (&edges[k], &edges[(k + 1) % edges.len()]);
            bending += match body.model.axes {
                2 => plane::energy(joint.bend[0], joint.rest[0], e, f),
                _ => straight::energy(joint.bend[0], e, f),
            };
        }
        [bending, twisted.iter().map(Twisted::energy).sum()]
    }

    /// Whether a clamp follows a curve.
    pub(super) fn moves(&self) -> bool {
        self.holders.iter().any(Holder::moves)
    }

    /// Whether no clamp moves or turns between two times.
    pub(super) fn is_still(&self, from: f64, to: f64) -> bool {
        self.holders.iter().all(|holder| holder.is_still(from, to))
    }

    /// Updates the memory after a step.
    pub(super) fn remember(&self, body: &Body<'_>, state: &State, memory: &mut [f64]) {
        if memory.is_empty() {
            return;
        }
        if self.is_framed {
            return self.remember_framed(body, state, memory);
        }
        let chain = self.chain_twist(&self.laid(body), state, memory).map(|twist| vec![twist]);
        let twisted = chain.unwrap_or_else(|| self.pose(body, state, memory).twisted);
        for Twisted { span, angle, .. } in twisted {
            match span.clamps {
                Some((from, to)) if !span.wraps => memory[to] = memory[from] + angle,
                _ => memory[self.holders.len()] = angle,
            }
        }
    }

    /// Returns the maximum turns per segment between neighbouring clamps in a time range, and the
    /// turns per segment of a ring. Each has its number of segments.
    pub(super) fn turns_per_segment(&self, from: f64, until: f64) -> Vec<(f64, usize)> {
        let (rod, segments) = (&self.rod, self.rod.springs.len());
        let place = |holder: &Holder| rod.nodes.iter().position(|node| *node == holder.node);
        let mut held: Vec<(usize, &Holder)> =
            self.holders.iter().filter_map(|holder| Some((place(holder)?, holder))).collect();
        held.sort_by_key(|(place, _)| *place);
        let mut pairs: Vec<_> =
            held.windows(2).map(|pair| (pair[1].0 - pair[0].0, pair[0].1, pair[1].1)).collect();
        if let (true, Some(first), Some(last)) = (rod.is_closed, held.first(), held.last()) {
            pairs.push((segments + first.0 - last.0, last.1, first.1));
        }
        let turns = |a: &Holder, b: &Holder| {
            let times =
                (0..=SAMPLES).map(|k| from + (until - from) * f64::from(k) / f64::from(SAMPLES));
            times.map(|t| (b.turned(t) - a.turned(t)).abs() / TAU).fold(0.0, f64::max)
        };
        let between = pairs.into_iter().filter(|(count, ..)| *count > 0);
        let between = between.map(|(count, a, b)| (turns(a, b) / count as f64, count));
        between.chain([(rod.turns.abs() / segments.max(1) as f64, segments)]).collect()
    }

    /// Measures curvature, frames and twist.
    pub(super) fn reading(&self, body: &Body<'_>, state: &State, memory: &[f64]) -> Reading {
        if self.is_framed {
            return self.framed_reading(body, state, memory);
        }
        let Posed { laid, edges, twisted } = self.pose(body, state, memory);
        let slots = edges.len();
        let start = start_frame(self.start_normal, edges[0].t);
        let mut angles = vec![(start, 0.0); slots];
        let mut rates = vec![0.0; slots];
        // Frames are carried along the rod, and rotated by the accumulated twist of the spans.
        let mut spun = 0.0;
        for k in 1..slots {
            let frame = angles[k - 1].0;
            let normal = carried(frame.normal, edges[k - 1].t, edges[k].t);
            angles[k] = (Frame { tangent: edges[k].t, normal }, 0.0);
        }
        for twisted in &twisted {
            let Span { first, joints, clamps, .. } = twisted.span;
            if let Some((from, _)) = clamps {
                let held = self.holders[from].frame(state.t);
                spun = angles[first].0.angle_to(held.normal) + self.holders[from].turned(state.t);
            }
            angles[first].1 = spun;
            for k in first..first + joints {
                let joint = &laid.layout.joints[k % laid.layout.joints.len()];
                let turn = twisted.torque() / joint.torsion + joint.rest_twist;
                spun += turn;
                let next = (k + 1) % slots;
                if next > k {
                    angles[next].1 = spun;
                }
                let rate = self.rate(turn, joint);
                rates[k % slots] += 0.5 * rate;
                rates[next] += 0.5 * rate;
            }
        }
        self.rotate_free_ends(&laid, state.t, &mut angles, &mut rates);
        let mut reading = Reading {
            turns: twisted.iter().map(|twisted| twisted.twist / TAU).sum(),
            ..Reading::default()
        };
        for (k, slot) in laid.layout.slots.iter().enumerate() {
            if twist::ends(*slot).is_some() {
                let (frame, angle) = angles[k];
                reading.frames.push(frame.rotated(angle));
                reading.twist.push(rates[k]);
            }
        }
        reading.curvature = self.curvature(&laid.layout, &edges);
        reading
    }

    /// Rotates the sections between a free end, or a break, and the nearest clamp. No torque acts
    /// there, so they turn with the clamp and have their twist at rest. `angles` and `rates` have
    /// one entry per slot.
    fn rotate_free_ends(
        &self,
        laid: &Laid,
        t: f64,
        angles: &mut [(Frame, f64)],
        rates: &mut [f64],
    ) {
        let Layout { slots, joints, .. } = &laid.layout;
        let mut is_free: Vec<bool> = joints.iter().map(|joint| joint.torsion > 0.0).collect();
        for span in &laid.spans {
            (span.first..span.first + span.joints).for_each(|k| is_free[k % joints.len()] = false);
        }
        let holder = |slot: &Slot| match slot {
            Slot::Clamp(holder) => Some(&self.holders[*holder]),
            Slot::Edge { .. } => None,
        };
        let is_loose = !self.rod.is_closed && slots.iter().all(|slot| holder(slot).is_none());
        for (k, slot) in slots.iter().enumerate() {
            let start = match holder(slot) {
                Some(held) => angles[k].0.angle_to(held.frame(t).normal) + held.turned(t),
                None if k == 0 && is_loose => 0.0,
                None => continue,
            };
            let mut rotate = |joint: usize, to: usize, angle: f64| {
                angles[to].1 = angle;
                let rate = 0.5 * self.rate(joints[joint].rest_twist, &joints[joint]);
                rates[joint] += rate;
                rates[joint + 1] += rate;
            };
            let mut angle = start;
            for joint in (k..slots.len() - 1).take_while(|joint| is_free[*joint]) {
                angle += joints[joint].rest_twist;
                rotate(joint, joint + 1, angle);
            }
            angle = start;
            for joint in (0..k).rev().take_while(|joint| is_free[*joint]) {
                angle -= joints[joint].rest_twist;
                rotate(joint, joint, angle);
            }
        }
    }

    /// Twist per length at a joint with the angle of twist `turn`.
    pub(super) fn rate(&self, turn: f64, joint: &Joint) -> f64 {
        match self.rod.sections.is_empty() {
            true => turn * joint.torsion / self.rod.section.torsion,
            false => turn / joint.length,
        }
    }

    /// Curvature at each node, from the joints at that node.
    pub(super) fn curvature(&self, layout: &Layout, edges: &[Edge]) -> Vec<f64> {
        let mut curvature = vec![0.0; self.rod.nodes.len()];
        // Uses the direction of the greater stiffness, because the other stiffness may be 0.
        let [bending, across] = self.rod.section.bending;
        let axis = usize::from(across > bending);
        for (k, joint) in layout.joints.iter().enumerate() {
            if joint.bend[axis] <= 0.0 {
                continue;
            }
            let next = (k + 1) % edges.len();
            let bent = norm(joint::binormal(&edges[k], &edges[next]));
            let over = match self.rod.sections.is_empty() {
                true => joint.bend[axis] / self.rod.section.bending[axis],
                false => 1.0 / joint.length,
            };
            let edges_before = |slot: usize| {
                layout.slots[..slot].iter().filter(|slot| twist::ends(**slot).is_some()).count()
            };
            // A clamp belongs to the node at which the next edge begins.
            let node = edges_before(if next == 0 { edges.len() } else { next });
            let at = node % curvature.len();
            curvature[at] = f64::max(curvature[at], bent * over);
        }
        curvature
    }
}

/// Directions of the springs of a rod.
pub(super) fn directions(model: &Model, state: &State, rod: &Rod) -> Vec<Vec3> {
    let (n, count) = (model.nodes(), rod.nodes.len());
    let edge = |k: usize| {
        let (a, b) = (rod.nodes[k], rod.nodes[(k + 1) % count]);
        sub(state.position(n, b), state.position(n, a))
    };
    (0..rod.springs.len()).map(|k| unit_or(edge(k), [1.0, 0.0, 0.0])).collect()
}

/// Curvature of a rod in a state, towards the normal and across it; 0 at free ends.
pub(super) fn curvature_of(model: &Model, state: &State, rod: &Rod) -> Vec<[f64; 2]> {
    let count = rod.nodes.len();
    let edges = directions(model, state, rod);
    let edges: Vec<Edge> = edges.into_iter().map(|t| Edge { t, inverse: 0.0 }).collect();
    let length = |k: usize| model.springs[rod.springs[k]].rest_length;
    let mut curvature = vec![[0.0; 2]; count];
    let mut normal = first_frame(rod, edges[0].t).normal;
    for k in 1..edges.len() + usize::from(rod.is_closed) {
        let (e, f) = (&edges[k - 1], &edges[k % edges.len()]);
        let kb = joint::binormal(e, f);
        let over = 1.0 / (0.5 * (length(k - 1) + length(k % edges.len())));
        let bent = match model.axes {
            2 => [kb[2], 0.0],
            _ => [dot(kb, cross(e.t, normal)), -dot(kb, normal)],
        };
        curvature[k % count] = bent.map(|bent| bent * over);
        normal = carried(normal, e.t, f.t);
    }
    curvature
}

/// Returns the frame at the start of a rod whose first direction is `tangent`.
pub(super) fn first_frame(rod: &Rod, tangent: Vec3) -> Frame {
    let upwards = if tangent[1].abs() < 0.9 { [0.0, 1.0, 0.0] } else { [1.0, 0.0, 0.0] };
    start_frame(rod.normal.unwrap_or(upwards), tangent)
}

/// Returns the frame with a tangent whose normal is as close as possible to the direction `normal`.
pub(super) fn start_frame(normal: Vec3, tangent: Vec3) -> Frame {
    let across = along(normal, -dot(normal, tangent), tangent);
    match norm(across) > 1e-9 * norm(normal) {
        true => Frame { tangent, normal: unit_or(across, normal) },
        false => Frame::any(tangent),
    }
}

/// Returns the normal at the start of a rod, and the holders of its clamps in their order along the
/// rod.
fn holders(model: &Model, initial: &State, rod: &Rod) -> (Vec3, Vec<Holder>) {
    let directions = directions(model, initial, rod);
    let mut clamps: Vec<_> = rod.clamps.iter().collect();
    clamps.sort_by_key(|clamp| clamp.node);
    let mut frame = first_frame(rod, directions[0]);
    let start = frame.normal;
    let (mut at, mut holders) = (0, Vec::new());
    for clamp in clamps {
        let before = match clamp.node.checked_sub(1) {
            None => rod.is_closed.then(|| directions[directions.len() - 1]),
            Some(before) => Some(directions[before]),
        };
        let after = directions.get(clamp.node).copied();
        // The direction at a node is the mean of the directions of its two edges.
        let own = match (before, after) {
            (Some(before), Some(after)) => unit_or(along(before, 1.0, after), after),
            (before, after) => before.or(after).unwrap_or([1.0, 0.0, 0.0]),
        };
        while at < clamp.node {
            frame = frame.carried(directions[at]);
            at += 1;
        }
        let holder = Holder::new(clamp, rod.nodes[clamp.node], own, frame, initial.t);
        frame = holder.frame(initial.t);
        holders.push(holder);
    }
    (start, holders)
}

/// Checks the parameters of a rod.
fn check(model: &Model, rod: &Rod) -> Result<(), BadSetup> {
    rod.all_sections().iter().try_for_each(Section::check)?;
    let count = rod.nodes.len();
    let springs = count.saturating_sub(usize::from(!rod.is_closed));
    let joins = |(k, &spring): (usize, &usize)| {
        let ends = (rod.nodes[k], rod.nodes[(k + 1) % count]);
        model
            .springs
            .get(spring)
            .is_some_and(|spring| (spring.a, spring.b) == ends || (spring.b, spring.a) == ends)
    };
    let is_sound =
        count >= 2 && rod.springs.len() == springs && rod.springs.iter().enumerate().all(joins);
    BadSetup::unless(is_sound, "springs", "spring k of a rod must join its nodes k and k + 1")?;
    let is_sound = rod.sections.is_empty() || rod.sections.len() == springs;
    BadSetup::unless(is_sound, "sections", "expected one section per spring, or none")?;
    let is_sound = rod.normal.is_none_or(|normal| norm(normal) > 0.0 && norm(normal).is_finite());
    BadSetup::unless(is_sound, "normal", "expected a direction of a length above 0")?;
    for (field, found) in
        [("rest_curvature", rod.rest_curvature.len()), ("rest_twist", rod.rest_twist.len())]
    {
        let message = format!("expected one entry per node, {count}, or none, found {found}");
        BadSetup::unless(found == 0 || found == count, field, message)?;
    }
    let curvatures = rod.rest_curvature.iter().flatten();
    let numbers = curvatures.map(|value| ("rest_curvature", value));
    let twists = rod.rest_twist.iter().map(|value| ("rest_twist", value));
    let message = format!("expected a finite number of at least 0, found {}", rod.inertia);
    BadSetup::unless(rod.inertia >= 0.0 && rod.inertia.is_finite(), "inertia", message)?;
    for (field, value) in numbers.chain(twists).chain([("turns", &rod.turns)]) {
        let why = match field {
            "rest_curvature" => ": where a rod folds back on itself, its curvature is unbounded",
            _ => "",
        };
        let message = format!("expected a finite number, found {value}{why}");
        BadSetup::unless(value.is_finite(), field, message)?;
    }
    let mut is_clamped = vec![false; count];
    for (index, clamp) in rod.clamps.iter().enumerate() {
        let field = format!("clamps[{index}].node");
        let message =
            format!("there is no node {}: nodes are numbered from 0 to {}", clamp.node, count - 1);
        BadSetup::unless(clamp.node < count, &field, message)?;
        let message = format!("node {} has two clamps", clamp.node);
        let is_first = !std::mem::replace(&mut is_clamped[clamp.node], true);
        BadSetup::unless(is_first, &field, message)?;
    }
    Ok(())
}
