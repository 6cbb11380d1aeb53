//! Contribution of one force, or of one run of its springs, to the nodes of a tile.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::{
    TILE, pulls,
    pulls::{PulledEnd, Pulls, Tense},
    run::Run,
    run::Values,
    single_run::SingleRun,
};
use crate::body::{Model, State};
use crate::force::formula::{drag, weight};
use crate::force::{Known, SpringForce, SpringLaw, System, law::Tensions};
use crate::kernel::force_sum::pulls::Ends;
use crate::lane::WideSimd;
use std::{array, ops::Range};

/// One number per node or place of a tile.
pub(super) type TileNumbers = [f64; TILE];

/// Working memory of a tile, with one number per place of a spring.
#[derive(Debug)]
pub(super) struct TileMemory {
    /// Lengths of springs.
    pub(super) length: TileNumbers,
    /// Tensions of springs.
    pub(super) tension: TileNumbers,
    /// Plastic strains of springs.
    pub(super) plastic: TileNumbers,
}

impl Default for TileMemory {
    fn default() -> Self {
        let zeros = [0.0; TILE];
        Self { length: zeros, tension: zeros, plastic: zeros }
    }
}

/// A force on nodes alone, or springs of a force.
#[derive(Debug)]
pub(super) enum Stage {
    Weight { force: usize },
    Drag { force: usize },
    Springs(SpringStage),
}

/// Kind of the springs of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StageKind {
    Hooke,
    Law,
    Damping,
    Friction,
}

/// Constants of springs by place.
#[derive(Debug)]
pub(super) struct Constants {
    /// Index of the force of the springs.
    force: usize,
    pub(super) kind: StageKind,
    /// Stiffness or friction coefficient.
    pub(super) factor: Values,
    /// Rest lengths; empty for friction.
    pub(super) rest: Values,
    /// Indices of the springs, if they flow plastically; otherwise empty.
    pub(super) flowing: Vec<Option<usize>>,
}

impl Constants {
    /// Whether pulls depend on velocities.
    pub(super) fn depend_on_velocities(&self) -> bool {
        matches!(self.kind, StageKind::Damping | StageKind::Friction)
    }

    /// Collects the constants of the springs at these places, including holes.
    pub(super) fn new(
        force: usize,
        kind: SpringForce<'_>,
        model: &Model,
        springs: &[Option<usize>],
    ) -> Self {
        let values = |of: &dyn Fn(usize) -> f64| {
            Values::new(springs.iter().map(|j| j.map_or(super::run::HOLE, of)).collect())
        };
        let stiffness = |j: usize| model.springs[j].stiffness;
        let rest = |j: usize| model.springs[j].rest_length;
        let (kind, factor, rest, flows) = match kind {
            SpringForce::Elastic { law, .. } => {
                let kind = if law.is_linear() { StageKind::Hooke } else { StageKind::Law };
                (kind, values(&stiffness), values(&rest), law.flows())
            }
            SpringForce::Damping(c) => {
                let factor = values(&|j| c.of(model, j));
                (StageKind::Damping, factor, Values::Each(Vec::new()), false)
            }
            SpringForce::Friction(c) => {
                let factor = values(&|j| c.of(model, j));
                (StageKind::Friction, factor, Values::Each(Vec::new()), false)
            }
        };
        let flowing = if flows { springs.to_vec() } else { Vec::new() };
        Self { force, kind, factor, rest, flowing }
    }
}

impl Constants {
    /// Computes the pulls of some places, at most one tile, on the nodes where their springs start.
    #[inline(always)]
    pub(super) fn pull<S: WideSimd, const A: usize>(
        &self,
        simd: S,
        system: &System<'_>,
        places: Range<usize>,
        ends: &Ends<'_>,
        tile: &mut TileMemory,
        mut out: [&mut [f64]; 3],
    ) {
        let (count, factor, out) = (places.len(), self.factor.of(&places), &mut out);
        match self.kind {
            StageKind::Hooke => {
                pulls::hooke::<S, A>(simd, ends, factor, self.rest.of(&places), out);
            }
            StageKind::Damping => pulls::damping::<S, A>(simd, ends, factor, out),
            StageKind::Friction => pulls::friction::<S, A>(simd, ends, factor, out),
            StageKind::Law => {
                let (length, tension) = (&mut tile.length[..count], &mut tile.tension[..count]);
                let (plastic, rest) = (&mut tile.plastic[..count], self.rest.of(&places));
                pulls::lengths::<S, A>(simd, ends, length);
                if let Some(springs) = self.flowing.get(places) {
                    for (plastic, spring) in plastic.iter_mut().zip(springs) {
                        *plastic = spring.map_or(0.0, |j| system.springs.plastic(j));
                    }
                }
                if let Some(law) = law(system, self.force) {
                    law.tensions(&Tensions { stiffness: factor, rest, length, plastic }, tension);
                }
                pulls::tense::<S, A>(simd, ends, &Tense { tension, length, rest }, out);
            }
        }
    }
}

/// The law of a force of elastic springs.
fn law<'a>(system: &System<'a>, force: usize) -> Option<&'a dyn SpringLaw> {
    match system.forces()[force].spring_force()? {
        SpringForce::Elastic { law, .. } => Some(law),
        _ => None,
    }
}

/// A run of springs with its workspace.
#[derive(Debug)]
pub(super) struct SpringStage {
    is_elastic: bool,
    first: usize,
    places: usize,
    offset: usize,
    constants: Constants,
    /// Pulls by axis: first of the last `offset` nodes before a tile, then of the tile.
    pulls: [Vec<f64>; 3],
}

/// Creates the stage for a run of springs that belong to one force.
pub(super) fn of_springs(
    force: usize,
    kind: SpringForce<'_>,
    is_elastic: bool,
    model: &Model,
    run: &Run,
) -> Stage {
    let room = |axis: usize| vec![0.0; if axis < model.axes { run.offset + TILE } else { 0 }];
    Stage::Springs(SpringStage {
        is_elastic,
        first: run.first,
        places: run.springs.len(),
        offset: run.offset,
        constants: Constants::new(force, kind, model, &run.springs),
        pulls: [room(0), room(1), room(2)],
    })
}

/// State and system of a sum of forces.
pub(super) struct StageMoment<'a, 'b> {
    pub(super) system: &'b System<'a>,
    pub(super) state: &'b State,
    pub(super) is_external: bool,
}

impl Stage {
    pub(super) fn is_of_springs(&self) -> bool {
        matches!(self, Self::Springs(_))
    }
}

/// Maximum number of runs whose pulls are summed in one pass.
const AT_ONCE: usize = 8;

/// Last operation on a tile, which turns forces into accelerations.
#[derive(Clone, Copy)]
pub(super) struct Last<'a> {
    /// Reciprocals of the masses, if all are exact. `None` divides forces by the masses.
    pub(super) inverse: Option<&'a [f64]>,
    /// Acceleration of gravity by axis, if the last force is a weight. The operation adds it.
    pub(super) g: Option<&'a [f64]>,
}

/// Sum of the forces on the nodes of a tile.
pub(super) struct Sum<'a, 'b, 'c> {
    pub(super) moment: &'b StageMoment<'a, 'b>,
    pub(super) nodes: Range<usize>,
    pub(super) tile: &'c mut TileMemory,
    /// Forces, and finally accelerations, of all nodes, flat by axis.
    pub(super) a: &'c mut [f64],
    /// Whether the sum does not contain any force yet.
    pub(super) is_first: bool,
}

impl Sum<'_, '_, '_> {
    /// Adds the pulls of stages of springs, in order. Turns forces into accelerations if no other
    /// stage follows.
    #[inline(always)]
    pub(super) fn add_springs<S: WideSimd, const A: usize>(
        &mut self,
        simd: S,
        stages: &mut [Stage],
        last: Option<Last<'_>>,
    ) {
        let Model { mass, .. } = self.moment.system.model;
        let (n, count) = (mass.len(), self.nodes.len());
        if let ([Stage::Springs(springs)], Some(last), true) = (&mut *stages, last, self.is_first)
            && springs.accelerate::<S, A>(simd, self.moment, &self.nodes, last, self.a)
        {
            return;
        }
        let passes = stages.len().div_ceil(AT_ONCE).max(1);
        for pass in 0..passes {
            let stages = &mut stages[pass * AT_ONCE..];
            let stages = if stages.len() > AT_ONCE { &mut stages[..AT_ONCE] } else { stages };
            let mut are_pulling = [false; AT_ONCE];
            for (stage, is_pulling) in stages.iter_mut().zip(&mut are_pulling) {
                if let Stage::Springs(springs) = stage {
                    let is_left_out = springs.is_elastic && self.moment.is_external;
                    *is_pulling = !is_left_out
                        && springs.compute::<S, A>(simd, self.moment, &self.nodes, self.tile);
                }
            }
            for axis in 0..A {
                let mut lists = [Pulls { ending: &[], beginning: &[] }; AT_ONCE];
                let mut pulling = 0;
                for (stage, is_pulling) in stages.iter().zip(are_pulling) {
                    if let (Stage::Springs(springs), true) = (stage, is_pulling) {
                        lists[pulling] = springs.pulls(axis, count);
                        pulling += 1;
                    }
                }
                let end = match last {
                    Some(Last { inverse, g }) if pass + 1 == passes => PulledEnd::Acceleration {
                        mass: &mass[self.nodes.clone()],
                        inverse: inverse.map(|inverse| &inverse[self.nodes.clone()]),
                        g: g.map(|g| g[axis]),
                    },
                    _ => PulledEnd::Force,
                };
                let out = &mut self.a[axis * n + self.nodes.start..axis * n + self.nodes.end];
                pulls::sum(simd, out, self.is_first, &lists[..pulling], &end);
            }
            self.is_first = false;
        }
    }

    /// Adds a force on nodes alone, in loops over slices. `for_each` is not always inlined; its
    /// body would then be compiled for the baseline instructions.
    #[inline(always)]
    pub(super) fn add_on_nodes<const A: usize>(&mut self, stage: &Stage) {
        let system = self.moment.system;
        let mass = &system.model.mass;
        for axis in 0..A {
            let range = axis * mass.len() + self.nodes.start..axis * mass.len() + self.nodes.end;
            let f = &mut self.a[range.clone()];
            match stage {
                Stage::Weight { force } => {
                    let Some(g) = acceleration(system, *force) else { return };
                    for (f, mass) in f.iter_mut().zip(&mass[self.nodes.clone()]) {
                        *f = weight(*f, *mass, g[axis]);
                    }
                }
                Stage::Drag { force } => {
                    let known = system.forces()[*force].known();
                    let Some(Known::Drag { coefficient, wind }) = known else { return };
                    for (f, v) in f.iter_mut().zip(&self.moment.state.v[range]) {
                        *f = drag(*f, coefficient, *v, wind[axis]);
                    }
                }
                Stage::Springs(_) => {}
            }
        }
    }
}

/// Acceleration of gravity, if the force is a weight.
#[inline(always)]
pub(super) fn acceleration<'a>(system: &System<'a>, force: usize) -> Option<&'a [f64]> {
    match system.forces()[force].known()? {
        Known::Gravity { acceleration } => Some(acceleration),
        _ => None,
    }
}

impl SpringStage {
    /// The pulls on the nodes of a tile, along one axis.
    #[inline(always)]
    fn pulls(&self, axis: usize, count: usize) -> Pulls<'_> {
        let pulls = &self.pulls[axis];
        let (ending, beginning) = (&pulls[..count], &pulls[self.offset..][..count]);
        Pulls { ending, beginning }
    }

    /// Writes the accelerations of the nodes of a tile under these springs alone, and the weight.
    /// Returns `false` and changes nothing if that takes more than one pass.
    #[inline(always)]
    fn accelerate<S: WideSimd, const A: usize>(
        &mut self,
        simd: S,
        moment: &StageMoment<'_, '_>,
        nodes: &Range<usize>,
        last: Last<'_>,
        a: &mut [f64],
    ) -> bool {
        let is_pulling = self.first <= nodes.start && nodes.start < self.first + self.places;
        let is_simple = self.constants.kind == StageKind::Hooke && !moment.is_external;
        if !is_simple || !is_pulling || self.offset < S::F64_LANES {
            return false;
        }
        let own = self.begin::<A>(nodes);
        let (n, places) =
            (moment.system.model.nodes(), own.start - self.first..own.end - self.first);
        let mut axes = a.chunks_exact_mut(n);
        let mut out: [&mut [f64]; A] =
            array::from_fn(|_| axes.next().map_or(&mut [][..], |axis| &mut axis[nodes.clone()]));
        let mut g = [None; A];
        if let Some(components) = last.g {
            g = array::from_fn(|axis| Some(components[axis]));
        }
        let mut run = SingleRun {
            ends: self.ends::<A>(moment.state, n, &own),
            stiffness: self.constants.factor.of(&places),
            rest: self.constants.rest.of(&places),
            mass: &moment.system.model.mass[nodes.clone()],
            inverse: last.inverse.map(|inverse| &inverse[nodes.clone()]),
            g,
            offset: self.offset,
            pulls: &mut self.pulls,
        };
        run.accelerate(simd, &mut out);
        true
    }

    /// Prepares the pulls of a tile: those of the last nodes before it come first, and those of
    /// nodes without a spring are zero. Returns the nodes of the tile that have a spring.
    #[inline(always)]
    fn begin<const A: usize>(&mut self, nodes: &Range<usize>) -> Range<usize> {
        for pulls in &mut self.pulls[..A] {
            if nodes.start > self.first {
                pulls.copy_within(TILE.., 0);
            } else {
                pulls[..self.offset].fill(0.0);
            }
        }
        let ends = self.first + self.places;
        let own = self.first.max(nodes.start)..ends.min(nodes.end).max(nodes.start);
        // Pulls at the start of the tile will be replaced.
        let replaced = if own.start == nodes.start { own.len() } else { 0 };
        for pulls in &mut self.pulls[..A] {
            pulls[self.offset + replaced..].fill(0.0);
        }
        own
    }

    /// Positions and velocities of both ends of the springs that start at some nodes.
    #[inline(always)]
    fn ends<'a, const A: usize>(&self, state: &'a State, n: usize, own: &Range<usize>) -> Ends<'a> {
        let (mut x, mut v) = ([(&[][..], &[][..]); 3], [(&[][..], &[][..]); 3]);
        for axis in 0..A {
            let low = axis * n + own.start..axis * n + own.end;
            let high = low.start + self.offset..low.end + self.offset;
            x[axis] = (&state.x[low.clone()], &state.x[high.clone()]);
            v[axis] = (&state.v[low], &state.v[high]);
        }
        Ends { x, v }
    }

    /// Computes the pulls on the nodes of a tile. Returns whether there are any pulls. The pull is
    /// zero where no spring starts. A sum that starts with zero is never -0, so adding a zero to it
    /// changes nothing.
    #[inline(always)]
    fn compute<S: WideSimd, const A: usize>(
        &mut self,
        simd: S,
        moment: &StageMoment<'_, '_>,
        nodes: &Range<usize>,
        tile: &mut TileMemory,
    ) -> bool {
        let ends = self.first + self.places;
        if nodes.end <= self.first || nodes.start >= ends + self.offset {
            return false;
        }
        let own = self.begin::<A>(nodes);
        self.pull::<S, A>(simd, moment, nodes, &own, tile);
        true
    }

    /// Computes the pulls of the places that start at some nodes of a tile.
    #[inline(always)]
    fn pull<S: WideSimd, const A: usize>(
        &mut self,
        simd: S,
        moment: &StageMoment<'_, '_>,
        nodes: &Range<usize>,
        own: &Range<usize>,
        tile: &mut TileMemory,
    ) {
        if own.is_empty() {
            return;
        }
        let n = moment.system.model.nodes();
        let ends = self.ends::<A>(moment.state, n, own);
        let places = own.start - self.first..own.end - self.first;
        let room = own.start - nodes.start + self.offset..own.end - nodes.start + self.offset;
        // `map` is not always inlined.
        let [first, second, third] = &mut self.pulls;
        let third = if A == 3 { &mut third[room.clone()] } else { &mut third[..] };
        let out = [&mut first[room.clone()], &mut second[room], third];
        self.constants.pull::<S, A>(simd, moment.system, places, &ends, tile, out);
    }
}
