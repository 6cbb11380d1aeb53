//! What one force, or one run of its springs, adds to the nodes of a tile.

use super::{TILE, loops, pulls, run::Run, run::Values};
use crate::body::{Model, State};
use crate::force::{Force, SpringForce, SpringLaw, System, Term, law::Tensions};
use crate::kernel::lanes::WideSimd;
use std::ops::Range;

/// One number for each node or place of a tile.
pub(super) type Numbers = [f64; TILE];

/// The working memory of a tile.
#[derive(Debug)]
pub(super) struct Tile {
    /// Forces, axis by axis.
    pub(super) f: [Numbers; 3],
    /// Length, tension and plastic strain of springs.
    pub(super) length: Numbers,
    pub(super) tension: Numbers,
    pub(super) plastic: Numbers,
}

impl Default for Tile {
    fn default() -> Self {
        let zeros = [0.0; TILE];
        Self { f: [zeros; 3], length: zeros, tension: zeros, plastic: zeros }
    }
}

/// A force on nodes alone, or springs of a force.
#[derive(Debug)]
pub(super) enum Stage {
    Weight { force: usize },
    Drag { force: usize },
    Springs(SpringStage),
}

/// How the springs of a stage pull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Hooke,
    Law,
    Damping,
    Friction,
}

/// Constants of springs, place by place.
#[derive(Debug)]
pub(super) struct Constants {
    pub(super) kind: Kind,
    /// Stiffness, or the coefficient of friction.
    pub(super) factor: Values,
    /// Rest lengths; none for friction.
    pub(super) rest: Values,
    /// Numbers of the springs, where they flow.
    pub(super) flowing: Vec<Option<usize>>,
}

impl Constants {
    /// For springs of a force, given by number; a hole has none.
    pub(super) fn new(kind: SpringForce<'_>, model: &Model, springs: &[Option<usize>]) -> Self {
        let values = |of: &dyn Fn(usize) -> f64| {
            Values::new(springs.iter().map(|j| j.map_or(super::run::HOLE, of)).collect())
        };
        let stiffness = |j: usize| model.springs[j].stiffness;
        let rest = |j: usize| model.springs[j].rest_length;
        let (kind, factor, rest, flows) = match kind {
            SpringForce::Elastic { law, .. } => {
                let kind = if law.is_linear() { Kind::Hooke } else { Kind::Law };
                (kind, values(&stiffness), values(&rest), law.flows())
            }
            SpringForce::Damping(c) => {
                let factor = values(&|j| c.of(model, j));
                (Kind::Damping, factor, Values::Each(Vec::new()), false)
            }
            SpringForce::Friction(c) => {
                let factor = values(&|j| c.of(model, j));
                (Kind::Friction, factor, Values::Each(Vec::new()), false)
            }
        };
        let flowing = if flows { springs.to_vec() } else { Vec::new() };
        Self { kind, factor, rest, flowing }
    }
}

/// The ends of some springs: positions and velocities, axis by axis.
pub(super) struct Ends<'a> {
    pub(super) x: [(&'a [f64], &'a [f64]); 3],
    pub(super) v: [(&'a [f64], &'a [f64]); 3],
}

impl Constants {
    /// The pulls of some places, at most as many as a tile has, on the nodes where their springs
    /// begin.
    #[inline(always)]
    pub(super) fn pull<S: WideSimd, const A: usize>(
        &self,
        simd: S,
        (system, force): (&System<'_>, usize),
        places: Range<usize>,
        ends: &Ends<'_>,
        tile: &mut Tile,
        mut out: [&mut [f64]; 3],
    ) {
        let (count, factor, out) = (places.len(), self.factor.of(&places), &mut out);
        match self.kind {
            Kind::Hooke => {
                pulls::hooke::<S, A>(simd, ends, (factor, self.rest.of(&places)), out);
            }
            Kind::Damping => pulls::damping::<S, A>(simd, ends, factor, out),
            Kind::Friction => pulls::friction::<S, A>(simd, ends, factor, out),
            Kind::Law => {
                let (length, tension) = (&mut tile.length[..count], &mut tile.tension[..count]);
                let (plastic, rest) = (&mut tile.plastic[..count], self.rest.of(&places));
                pulls::lengths::<S, A>(simd, ends, length);
                if let Some(springs) = self.flowing.get(places) {
                    for (plastic, spring) in plastic.iter_mut().zip(springs) {
                        *plastic = spring.map_or(0.0, |j| system.springs.plastic(j));
                    }
                }
                if let Some(law) = law(system, force) {
                    law.tensions(&Tensions { stiffness: factor, rest, length, plastic }, tension);
                }
                pulls::tense::<S, A>(simd, ends, (tension, length, rest), out);
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

/// A run of springs at work.
#[derive(Debug)]
pub(super) struct SpringStage {
    force: usize,
    is_elastic: bool,
    first: usize,
    places: usize,
    offset: usize,
    is_flipped: bool,
    constants: Constants,
    /// The pulls of a tile behind those of the last `offset` nodes before it, axis by axis.
    pulls: [Vec<f64>; 3],
}

/// The stage of a force on nodes alone, if it is one.
pub(super) fn on_nodes(number: usize, force: &dyn Force) -> Option<Stage> {
    match force.term()? {
        Term::Gravity { .. } => Some(Stage::Weight { force: number }),
        Term::Drag { .. } => Some(Stage::Drag { force: number }),
        Term::Hooke(_) => None,
    }
}

/// The stage of a run of springs of a force.
pub(super) fn of_springs(
    force: usize,
    (kind, is_elastic): (SpringForce<'_>, bool),
    model: &Model,
    run: &Run,
) -> Stage {
    let room = |axis: usize| vec![0.0; if axis < model.axes { run.offset + TILE } else { 0 }];
    Stage::Springs(SpringStage {
        force,
        is_elastic,
        first: run.first,
        places: run.springs.len(),
        offset: run.offset,
        is_flipped: run.is_flipped,
        constants: Constants::new(kind, model, &run.springs),
        pulls: [room(0), room(1), room(2)],
    })
}

/// What forces are summed for.
pub(super) struct Moment<'a, 'b> {
    pub(super) system: &'b System<'a>,
    pub(super) state: &'b State,
    pub(super) is_external: bool,
}

impl Stage {
    /// Adds the force on nodes of a tile. Tiles come in order.
    #[inline(always)]
    pub(super) fn add<S: WideSimd, const A: usize>(
        &mut self,
        simd: S,
        moment: &Moment<'_, '_>,
        nodes: &Range<usize>,
        tile: &mut Tile,
    ) {
        let mass = &moment.system.model.mass;
        let (n, forces) = (mass.len(), moment.system.forces());
        match self {
            Self::Weight { force } => {
                let Some(Term::Gravity { acceleration }) = forces[*force].term() else { return };
                for (f, g) in tile.f.iter_mut().zip(acceleration).take(A) {
                    loops::add_weight(&mut f[..nodes.len()], &mass[nodes.clone()], *g);
                }
            }
            Self::Drag { force } => {
                let Some(Term::Drag { coefficient, wind }) = forces[*force].term() else { return };
                for (axis, (f, w)) in tile.f.iter_mut().zip(wind).take(A).enumerate() {
                    let v = &moment.state.v[axis * n + nodes.start..axis * n + nodes.end];
                    loops::add_drag(&mut f[..nodes.len()], v, coefficient, *w);
                }
            }
            Self::Springs(springs) if springs.is_elastic && moment.is_external => {}
            Self::Springs(springs) => springs.add::<S, A>(simd, moment, nodes, tile),
        }
    }
}

impl SpringStage {
    /// Adds the pulls of its springs on nodes of a tile.
    #[inline(always)]
    fn add<S: WideSimd, const A: usize>(
        &mut self,
        simd: S,
        moment: &Moment<'_, '_>,
        nodes: &Range<usize>,
        tile: &mut Tile,
    ) {
        let ends = self.first + self.places;
        if nodes.end <= self.first || nodes.start >= ends + self.offset {
            return;
        }
        if nodes.start > self.first {
            for pulls in &mut self.pulls[..A] {
                pulls.copy_within(TILE.., 0);
            }
        }
        let within = |range: Range<usize>| {
            range.start.max(nodes.start)..range.end.min(nodes.end).max(range.start.max(nodes.start))
        };
        let own = within(self.first..ends);
        let other = within(self.first + self.offset..ends + self.offset);
        self.pull::<S, A>(simd, moment, nodes, &own, tile);
        let of = |range: &Range<usize>| range.start - nodes.start..range.end - nodes.start;
        let (own, other) = (of(&own), of(&other));
        for (f, pulls) in tile.f.iter_mut().zip(&self.pulls).take(A) {
            let (f_own, f_other) = (own.clone(), other.clone());
            let (p_own, p_other) = (&pulls[self.offset..][own.clone()], &pulls[other.clone()]);
            match (self.is_flipped, own == other) {
                (false, true) => loops::subtract_and_add(&mut f[f_own], p_other, p_own),
                (true, true) => loops::add_and_subtract(&mut f[f_own], p_other, p_own),
                (false, false) => {
                    loops::subtract(&mut f[f_other], p_other);
                    loops::add(&mut f[f_own], p_own);
                }
                (true, false) => {
                    loops::add(&mut f[f_other], p_other);
                    loops::subtract(&mut f[f_own], p_own);
                }
            }
        }
    }

    /// Computes the pulls of the places that begin at some nodes of a tile.
    #[inline(always)]
    fn pull<S: WideSimd, const A: usize>(
        &mut self,
        simd: S,
        moment: &Moment<'_, '_>,
        nodes: &Range<usize>,
        own: &Range<usize>,
        tile: &mut Tile,
    ) {
        if own.is_empty() {
            return;
        }
        let n = moment.system.model.nodes();
        let (mut x, mut v) = ([(&[][..], &[][..]); 3], [(&[][..], &[][..]); 3]);
        for axis in 0..A {
            let low = axis * n + own.start..axis * n + own.end;
            let high = low.start + self.offset..low.end + self.offset;
            let (from, to) = if self.is_flipped { (high, low) } else { (low, high) };
            x[axis] = (&moment.state.x[from.clone()], &moment.state.x[to.clone()]);
            v[axis] = (&moment.state.v[from], &moment.state.v[to]);
        }
        let places = own.start - self.first..own.end - self.first;
        let room = own.start - nodes.start + self.offset..own.end - nodes.start + self.offset;
        let out = self.pulls.each_mut().map(|pulls| match pulls.is_empty() {
            true => &mut pulls[..],
            false => &mut pulls[room.clone()],
        });
        let what = (moment.system, self.force);
        self.constants.pull::<S, A>(simd, what, places, &Ends { x, v }, tile, out);
    }
}
