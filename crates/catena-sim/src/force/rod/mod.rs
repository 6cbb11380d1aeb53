//! Rods: ropes that resist bending and twist (discrete elastic rods).
//!
//! Nodes of the centre line are the only coordinates. Without [`Rod::inertia`], twist has no
//! inertia. Between two points where the section is held, it is uniform at all times, as if
//! torsional waves were infinitely fast. The twist of a span is the difference of the turns at its
//! ends plus an angle of the centre line: a frame that is carried along it without spin turns by
//! this angle. Positions give this angle up to whole turns. The memory of the springs stores the
//! whole turns, and changes only between steps.
//!
//! Bending and twist are stored energy, and the force is minus its gradient. Springs resist
//! stretching. In the plane a rod bends and does not twist. Sources: Bergou, Wardetzky, Robinson,
//! Audoly, Grinspun 2008, "Discrete elastic rods"; Bergou, Audoly, Vouga, Wardetzky, Grinspun 2010,
//! "Discrete viscous threads".

mod chain;
mod clamp;
mod derivative;
mod framed;
mod framed_joint;
mod join;
mod joint;
mod lanes;
mod layout;
mod phase;
mod section;
mod spin;
mod strand;
mod twist;
mod wide;

pub(crate) use chain::ChainJoints;
pub use clamp::{Clamp, Frame, Tangent, largest_turn};
pub use section::{Profile, Section};
pub use spin::Torsion;
pub(crate) use wide::{Bend, WideHessian, hessian};

use super::{AtRest, Blocks, Force, ForceEnergy, Potential, Shared, Store};
use crate::body::vector::Vec3;
use crate::body::{Body, Form, Model, State};
use crate::drive::track::{Animated, Extent};
use crate::named::BadSetup;
use layout::Joint;
use std::sync::Arc;
use strand::Strand;

/// A rod along springs of a body.
#[derive(Clone, Debug)]
pub struct Rod {
    /// Nodes in their order along the rod, at least 2.
    pub nodes: Vec<usize>,
    /// Springs in their order along the rod: spring k joins nodes k and k + 1. In a ring the last
    /// spring joins the last node and node 0.
    pub springs: Vec<usize>,
    /// Whether the rod is a ring.
    pub is_closed: bool,
    /// Stiffness against bending and twist.
    pub section: Section,
    /// Section of each spring if it varies along the rod; empty if all springs have `section`.
    pub sections: Vec<Section>,
    /// Direction of the section's normal at the start of the rod; `None` for y (upwards), or for x
    /// if the rod starts nearly along y. In a scene in the plane, the normal is in the plane.
    pub normal: Option<Vec3>,
    /// Rest curvature at each node, 1/length, towards the normal and across it; empty for a rod
    /// that is straight at rest. In the plane only the first number counts, positive to the left.
    pub rest_curvature: Vec<[f64; 2]>,
    /// Rest twist at each node, radians per length; empty for none.
    pub rest_twist: Vec<f64>,
    /// Turns by which a ring was twisted before it was closed.
    pub turns: f64,
    /// Clamps, at most one per node.
    pub clamps: Vec<Clamp>,
    /// Rotational inertia of sections about the rod, per length: ρ (I₁ + I₂). 0 for twist in
    /// equilibrium at all times. It has no effect in the plane.
    pub inertia: f64,
}
crate::identity!(Rod {
    nodes,
    springs,
    is_closed,
    section,
    sections,
    normal,
    rest_curvature,
    rest_twist,
    turns,
    clamps,
    inertia,
});

impl Rod {
    /// Creates a straight rod without clamps along a part of a body.
    ///
    /// # Errors
    /// The body has no such part, or the part is not a rope.
    pub fn along(model: &Model, part: usize, section: Section) -> Result<Self, BadSetup> {
        let parts = model.part_list();
        let found = parts.get(part).and_then(|part| match part.form {
            Form::Rope { closed } => Some((part, closed)),
            _ => None,
        });
        let Some((part, is_closed)) = found else {
            return Err(BadSetup::new(format!("parts[{part}]"), "a rod must follow a rope"));
        };
        Ok(Self {
            nodes: part.nodes.clone(),
            springs: part.springs.clone(),
            is_closed,
            section,
            sections: Vec::new(),
            normal: None,
            rest_curvature: Vec::new(),
            rest_twist: Vec::new(),
            turns: 0.0,
            clamps: Vec::new(),
            inertia: 0.0,
        })
    }

    /// Returns the rod with this rest curvature at all nodes.
    #[must_use]
    pub fn curved(self, curvature: [f64; 2]) -> Self {
        Self { rest_curvature: vec![curvature; self.nodes.len()], ..self }
    }

    /// Returns the rod with the curvature of a state as its rest curvature, except at its ends.
    #[must_use]
    pub fn at_rest_in(self, model: &Model, state: &State) -> Self {
        let rest_curvature = strand::curvature_of(model, state, &self);
        Self { rest_curvature, ..self }
    }

    /// Returns the rod with an additional clamp.
    #[must_use]
    pub fn clamp(mut self, clamp: Clamp) -> Self {
        self.clamps.push(clamp);
        self
    }

    /// Sections of all springs, or the only section.
    pub fn all_sections(&self) -> &[Section] {
        match self.sections.is_empty() {
            true => std::slice::from_ref(&self.section),
            false => &self.sections,
        }
    }

    /// Section of a spring of the rod.
    fn section_of(&self, spring: usize) -> Section {
        self.sections.get(spring).copied().unwrap_or(self.section)
    }

    /// Returns the joint at a node between halves of springs. `springs` has the index in the rod
    /// and the whole length of each spring. Halves of different stiffness act in series.
    fn joint(&self, node: usize, springs: &[(usize, f64)]) -> Joint {
        let length = match springs {
            [(_, a), (_, b)] => 0.5 * (a + b),
            _ => springs.iter().map(|(_, length)| 0.5 * length).sum(),
        };
        let Some(&(first, _)) = springs.first() else { return Joint::default() };
        let Section { bending, torsion } = self.section_of(first);
        let is_even =
            springs.iter().all(|(one, _)| self.section_of(*one) == self.section_of(first));
        let over = |of: &dyn Fn(Section) -> f64, own: f64| {
            if is_even {
                return own / length;
            }
            let halves =
                springs.iter().map(|&(one, length)| 0.5 * length / of(self.section_of(one)));
            1.0 / halves.sum::<f64>()
        };
        let [towards, across] = bending;
        Joint {
            bend: [over(&|one| one.bending[0], towards), over(&|one| one.bending[1], across)],
            torsion: over(&|one| one.torsion, torsion),
            rest: self.rest_curvature.get(node).copied().unwrap_or_default().map(|k| k * length),
            rest_twist: self.rest_twist.get(node).copied().unwrap_or(0.0) * length,
            length,
        }
    }
}

/// The force of all rods of a body.
#[derive(Debug)]
pub struct Rods {
    strands: Vec<Strand>,
}
crate::identity!(Rods { strands });

impl Rods {
    /// Creates the force of rods along springs of a body that starts in a state. Clamps begin with
    /// the direction and the orientation of the rod at their nodes.
    ///
    /// # Errors
    /// The first invalid number of a rod.
    pub fn new(model: &Model, initial: &State, rods: Vec<Rod>) -> Result<Self, BadSetup> {
        let strand = |(index, rod): (usize, Rod)| {
            Strand::new(model, initial, rod)
                .map_err(|bad| BadSetup::new(format!("rods[{index}].{}", bad.field), bad.message))
        };
        let strands = rods.into_iter().enumerate().map(strand).collect::<Result<_, _>>()?;
        Ok(Self { strands })
    }

    /// Returns the rods with twist in equilibrium at all times, for the search for rest. `None` if
    /// no rod has inertia.
    ///
    /// # Errors
    /// As for [`Rods::new`].
    fn without_inertia(&self, model: &Model, initial: &State) -> Result<Option<Self>, BadSetup> {
        if self.rods().all(|rod| rod.inertia == 0.0) {
            return Ok(None);
        }
        let rods = self.rods().cloned().map(|rod| Rod { inertia: 0.0, ..rod });
        Self::new(model, initial, rods.collect()).map(Some)
    }

    /// Returns the rods.
    pub fn rods(&self) -> impl Iterator<Item = &Rod> {
        self.strands.iter().map(|strand| &strand.rod)
    }

    /// Kind and number of nodes of each rod.
    pub fn count_nodes(&self) -> Vec<(RodKind, usize)> {
        self.strands.iter().map(|strand| (strand.kind(), strand.rod.nodes.len())).collect()
    }

    /// Whether a rod remembers numbers between steps.
    pub fn remembers(&self) -> bool {
        self.strands.iter().any(|strand| strand.numbers() > 0)
    }

    /// Nodes of clamps whose turn applies no force: the only clamp of a rod whose sections are
    /// round, straight at rest and without inertia.
    pub fn idle_turns(&self) -> Vec<usize> {
        let idle = |strand: &Strand| match &strand.rod.clamps[..] {
            [Clamp { node, turn, .. }] if !strand.is_framed => {
                let is_still = matches!(turn, Animated::Constant([0.0]));
                (!is_still).then(|| strand.rod.nodes[*node])
            }
            _ => None,
        };
        self.strands.iter().filter_map(idle).collect()
    }

    /// Time range in which clamps move or turn.
    pub fn extent(&self) -> Extent {
        let holders = self.strands.iter().flat_map(|strand| &strand.holders);
        Extent::of_all(holders.map(clamp::Holder::extent))
    }

    /// Maximum angle by which a clamp turns between two times, about any axis, in radians.
    pub fn turned_between(&self, from: f64, until: f64) -> f64 {
        let holders = self.strands.iter().flat_map(|strand| &strand.holders);
        holders.map(|holder| holder.turned_between(from, until)).fold(0.0, f64::max)
    }

    /// Maximum number of turns per segment, and the number of segments of that span. Includes the
    /// turns with which a ring is closed, and the turns of neighbouring clamps relative to each
    /// other. Times within the range are sampled.
    pub fn most_turns_per_segment(&self, from: f64, until: f64) -> (f64, usize) {
        let all = self.strands.iter().flat_map(|strand| strand.turns_per_segment(from, until));
        all.fold((0.0, 0), |maximum, next| if next.0 > maximum.0 { next } else { maximum })
    }

    /// Maximum speed of spinning sections: the speed at which the mass of a section would have the
    /// energy of its spin. 0 for rods without rotational inertia.
    pub fn spin_speed(&self, body: &Body<'_>) -> f64 {
        let strands = self.each(&body.springs.rods);
        let speeds = strands.map(|(strand, memory)| strand.speed_of_spin(body, memory));
        speeds.fold(0.0, f64::max)
    }

    /// Twist and bending of each rod at a state.
    pub fn readings(&self, body: &Body<'_>, state: &State) -> Vec<Reading> {
        self.each(body.springs.rods.as_slice())
            .map(|(strand, memory)| strand.reading(body, state, memory))
            .collect()
    }

    /// Returns the sections that may spin, for each rod in order; `None` for rods without inertia.
    pub fn torsion(&self, body: &Body<'_>, state: &State) -> Vec<Option<Torsion>> {
        self.strands.iter().map(|strand| strand.torsion(body, state)).collect()
    }

    /// Moment of each rod on each clamp that holds, with the node of the clamp.
    pub fn moments(&self, body: &Body<'_>, state: &State) -> Vec<(usize, Vec3)> {
        let strands = self.each(&body.springs.rods);
        strands
            .flat_map(|(strand, memory)| moments_on_clamps(strand, body, state, memory))
            .collect()
    }

    /// Returns each strand with its part of the memory; an empty part without a memory.
    fn each<'a>(&'a self, memory: &'a [f64]) -> impl Iterator<Item = (&'a Strand, &'a [f64])> {
        let mut rest = memory;
        self.strands.iter().map(move |strand| {
            let (own, after) = rest.split_at(strand.numbers().min(rest.len()));
            rest = after;
            (strand, own)
        })
    }

    /// Passes the joints of each rod to `take`, in order, if linear systems support all rods. They
    /// support chains of consecutive nodes whose sections have no orientation. Returns whether all
    /// rods are supported.
    pub(crate) fn each_chain(
        &self,
        body: &Body<'_>,
        t: f64,
        is_definite: bool,
        take: &mut dyn FnMut(ChainJoints<'_>),
    ) -> bool {
        self.strands.iter().all(|strand| strand.take_chain(body, t, is_definite, take))
    }

    /// Passes the couplings over many nodes to `take`: one per span with twist.
    pub(crate) fn each_shared(&self, body: &Body<'_>, state: &State, take: &mut dyn FnMut(Shared)) {
        for (strand, memory) in self.each(&body.springs.rods) {
            strand.each_shared(&strand.pose(body, state, memory), take);
        }
    }

    /// Energy of bending and of twist.
    fn energies(&self, body: &Body<'_>, state: &State) -> [f64; 2] {
        self.each(&body.springs.rods).fold([0.0; 2], |[bending, twist], (strand, memory)| {
            let [more_bending, more_twist] = strand.energy(body, state, memory);
            [bending + more_bending, twist + more_twist]
        })
    }
}

/// Kind of a rod, by the parts of its force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RodKind {
    /// Bending of a round section that is straight at rest, or in the plane.
    Bent,
    /// Bending as for [`RodKind::Bent`], and a twist that is uniform between held sections.
    Twisted,
    /// Bending and twist of sections with an orientation.
    Framed,
}

/// Shape of a rod at a time, measured along the rod.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Curvature at each node, 1/length; 0 at free ends.
    pub curvature: Vec<f64>,
    /// Orientation of the section on each spring.
    pub frames: Vec<Frame>,
    /// Twist per length on each side of each spring's middle: one number per spring, radians per
    /// length.
    pub twist: Vec<f64>,
    /// Total twist between the first and the last held section, in turns; 0 if none is held.
    pub turns: f64,
}

impl Force for Rods {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        for (strand, memory) in self.each(&body.springs.rods) {
            strand.add_to(body, state, memory, f);
        }
    }

    fn add_jacobian(&self, body: &Body<'_>, state: &State, blocks: &mut Blocks<'_>) {
        for (strand, memory) in self.each(&body.springs.rods) {
            strand.add_jacobian(body, state, memory, blocks);
        }
    }

    /// Returns 0: rods only respond to other forces.
    fn load(&self, _model: &Model) -> f64 {
        0.0
    }

    fn at_rest(&self) -> AtRest<'_> {
        AtRest::Other
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Stored(self)
    }

    fn work_of_holders(&self, body: &Body<'_>, start: &State, end: &State) -> f64 {
        if self.strands.iter().all(|strand| strand.is_still(start.t, end.t)) {
            return 0.0;
        }
        let energy = |x: &State, t: f64| {
            let state = State { t, ..x.clone() };
            self.energies(body, &state).iter().sum::<f64>()
        };
        0.5 * (energy(start, end.t) - energy(start, start.t) + energy(end, end.t)
            - energy(end, start.t))
    }

    fn changes_with_time(&self) -> bool {
        self.strands.iter().any(Strand::moves)
    }

    fn extent(&self) -> Extent {
        Self::extent(self)
    }

    fn rods(&self) -> Option<&Rods> {
        Some(self)
    }

    fn numbers(&self) -> usize {
        self.strands.iter().map(Strand::numbers).sum()
    }

    fn first_memory(&self, body: &Body<'_>, state: &State) -> Vec<f64> {
        let mut memory = vec![0.0; self.numbers()];
        self.remember(body, state, &mut memory);
        memory
    }

    fn remember(&self, body: &Body<'_>, state: &State, memory: &mut [f64]) -> bool {
        let mut rest = memory;
        for strand in &self.strands {
            let (own, after) = rest.split_at_mut(strand.numbers().min(rest.len()));
            strand.remember(body, state, own);
            rest = after;
        }
        false
    }

    fn balanced(&self, model: &Model, initial: &State) -> Result<Option<Arc<dyn Force>>, BadSetup> {
        Ok(self.without_inertia(model, initial)?.map(|rods| Arc::new(rods) as Arc<dyn Force>))
    }
}

impl Potential for Rods {
    fn store(&self) -> Store {
        Store::Bending
    }

    fn potential(&self, body: &Body<'_>, state: &State) -> f64 {
        self.energies(body, state).iter().sum()
    }

    fn of_twist(&self, body: &Body<'_>, state: &State) -> f64 {
        self.energies(body, state)[1]
    }
}

/// Angle of the finite differences, in radians.
const ANGLE: f64 = 1e-3;

/// Returns the moment of a rod on each clamp that holds, with the node of the clamp. In the plane
/// only z is computed.
///
/// The moment is the negated derivative of the rod's energy with respect to rotations of the clamp.
/// Finite differences of five points have an error of the fourth order in the angle. For [`ANGLE`],
/// that error and the rounding error are both about 1e-12 of the energy.
fn moments_on_clamps(
    strand: &Strand,
    body: &Body<'_>,
    state: &State,
    memory: &[f64],
) -> Vec<(usize, Vec3)> {
    let axes = if body.model.axes == 2 { 2..3 } else { 0..3 };
    let held = (0..strand.holders.len()).filter(|&k| body.model.pinned[strand.holders[k].node]);
    held.map(|clamp| {
        let energy = |axis: usize, angle: f64| -> f64 {
            let turned = strand.with_rotated(clamp, state.t, axis, angle);
            turned.energy(body, state, memory).iter().sum()
        };
        let mut moment = [0.0; 3];
        for axis in axes.clone() {
            let slope = |angle: f64| energy(axis, angle) - energy(axis, -angle);
            moment[axis] = -(8.0 * slope(ANGLE) - slope(2.0 * ANGLE)) / (12.0 * ANGLE);
        }
        (strand.holders[clamp].node, moment)
    })
    .collect()
}
