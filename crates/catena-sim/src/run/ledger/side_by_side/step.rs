//! Gains of a step, computed in vectors in the order of operations of [`super::super::Keeper`].

use super::books::{Changes, Energies};
use super::forces::{LaneForce, LaneSpring};
use super::{LaneMotion, LedgerGroup};
use crate::lane::{CacheLine, Lane, LaneMask, Vector, WIDTH, WideSimd, WideWork};

/// The end of a step of a group, to be booked.
pub(super) struct StepEnd<'a> {
    pub(super) group: &'a mut LedgerGroup,
}

impl WideWork for StepEnd<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) {
        let parts = self.group.used.div_ceil(S::F64_LANES).min(WIDTH / S::F64_LANES);
        for part in 0..parts {
            match self.group.axes {
                2 => self.group.book::<S, 2>(simd, part),
                _ => self.group.book::<S, 3>(simd, part),
            }
        }
    }
}

/// Initial value of sums; the same as for iterator sums.
const NOTHING: f64 = -0.0;

impl LedgerGroup {
    #[inline(always)]
    fn book<S: WideSimd, const D: usize>(&mut self, simd: S, part: usize) {
        let read = |line: &CacheLine| line.get(simd, part);
        let zero = Vector::splat(simd, 0.0);
        let (mut damping, mut external) = (zero, zero);
        for number in 0..self.forces.len() {
            match &self.forces[number] {
                LaneForce::Gravity { .. } | LaneForce::Hooke(_) => {}
                LaneForce::Drag { coefficient, wind, is_windy } => {
                    let c = read(coefficient);
                    let work = self.work_of_drag(simd, part, c, wind);
                    let Some(is_windy) = is_windy else {
                        damping += work;
                        continue;
                    };
                    let given = self.given_by_wind(simd, part, c, wind);
                    let given = read(is_windy).is_zero().select(zero, given);
                    damping += work - given;
                    external += given;
                }
                LaneForce::Friction { springs, is_along } => {
                    let (nodes, force) = (self.mass.len(), &mut self.force);
                    for line in &mut *force {
                        line.set(part, zero);
                    }
                    for motion in [&self.start, &self.moved] {
                        add_friction::<S, D>(simd, part, motion, springs, *is_along, force, nodes);
                    }
                    damping += self.work_of_forces(simd, part);
                }
            }
        }
        if let Some(rate) = &self.drag_rate {
            let rate = read(rate);
            damping += rate.is_zero().select(zero, self.work_of_own_drag(simd, part, rate));
        }
        self.write_down::<S, D>(simd, part, damping, external);
    }

    /// Records the gains of a step and computes the method's share.
    #[inline(always)]
    fn write_down<S: WideSimd, const D: usize>(
        &mut self,
        simd: S,
        part: usize,
        damping: Vector<S>,
        external: Vector<S>,
    ) {
        let read = |line: &CacheLine| line.get(simd, part);
        let before = self.books.now.map(|line| read(&line));
        let after = self.energies::<S, D>(simd, part);
        let gained = (Vector::splat(simd, 0.0) + damping) + external;
        let method = (total(&after) - total(&before)) - gained;
        let [kinetic, gravitational, elastic] = [0, 1, 2].map(|it| (after[it] - before[it]).abs());
        let stores = kinetic + gravitational + elastic;
        let turned_over = damping.abs() + external.abs() + method.abs() + stores;
        let changes: Changes<_> = [damping, external, method, turned_over];
        for balance in [&mut self.books.frame, &mut self.books.run] {
            for (line, change) in balance.iter_mut().zip(changes) {
                line.set(part, read(line) + change);
            }
        }
        for (line, energy) in self.books.now.iter_mut().zip(after) {
            line.set(part, energy);
        }
    }

    /// Energies of the body at the end of the step.
    #[inline(always)]
    fn energies<S: WideSimd, const D: usize>(&self, simd: S, part: usize) -> Energies<Vector<S>> {
        let read = |line: &CacheLine| line.get(simd, part);
        let (zero, half) = (Vector::splat(simd, 0.0), Vector::splat(simd, 0.5));
        let nodes = self.mass.len();
        let mut kinetic = Vector::splat(simd, NOTHING);
        for axis in self.moved.v.chunks_exact(nodes) {
            for (v, mass) in axis.iter().zip(&self.mass) {
                kinetic += half * read(mass) * read(v) * read(v);
            }
        }
        let (mut gravitational, mut elastic) = (zero, zero);
        for force in &self.forces {
            match force {
                LaneForce::Gravity { acceleration } => {
                    let mut stored = Vector::splat(simd, NOTHING);
                    for (x, g) in self.moved.x.chunks_exact(nodes).zip(acceleration) {
                        let mut sum = Vector::splat(simd, NOTHING);
                        for (x, mass) in x.iter().zip(&self.mass) {
                            sum += read(mass) * read(x);
                        }
                        stored += (Vector::splat(simd, -0.0) - read(g)) * sum;
                    }
                    gravitational += stored;
                }
                LaneForce::Hooke(springs) => {
                    let mut stored = Vector::splat(simd, NOTHING);
                    for spring in springs {
                        let length = span::<S, D>(simd, part, &self.moved.x, spring, nodes).1;
                        let stretch = length - read(&spring.rest);
                        stored += half * read(&spring.factor) * stretch * stretch;
                    }
                    elastic += stored;
                }
                LaneForce::Drag { .. } | LaneForce::Friction { .. } => {}
            }
        }
        [kinetic, gravitational, elastic]
    }

    /// Returns ½ (F + F')·(x' - x) for F = -c (v - w).
    #[inline(always)]
    fn work_of_drag<S: WideSimd>(
        &self,
        simd: S,
        part: usize,
        c: Vector<S>,
        wind: &[CacheLine],
    ) -> Vector<S> {
        let read = |line: &CacheLine| line.get(simd, part);
        let (zero, half) = (Vector::splat(simd, 0.0), Vector::splat(simd, 0.5));
        let (nodes, mut work) = (self.mass.len(), Vector::splat(simd, NOTHING));
        for (axis, wind) in wind.iter().enumerate() {
            let wind = read(wind);
            for at in axis * nodes..(axis + 1) * nodes {
                let at_start = zero - c * (read(&self.start.v[at]) - wind);
                let force = at_start - c * (read(&self.moved.v[at]) - wind);
                work += half * force * (read(&self.moved.x[at]) - read(&self.start.x[at]));
            }
        }
        work
    }

    /// Returns ½ (F·w + F'·w') dt for F = -c (v - w).
    #[inline(always)]
    fn given_by_wind<S: WideSimd>(
        &self,
        simd: S,
        part: usize,
        c: Vector<S>,
        wind: &[CacheLine],
    ) -> Vector<S> {
        let read = |line: &CacheLine| line.get(simd, part);
        let (zero, nothing) = (Vector::splat(simd, 0.0), Vector::splat(simd, NOTHING));
        let (nodes, mut given) = (self.mass.len(), zero);
        for motion in [&self.start, &self.moved] {
            let mut of_axes = nothing;
            for (v, wind) in motion.v.chunks_exact(nodes).zip(wind) {
                let (wind, mut sum) = (read(wind), nothing);
                for v in v {
                    sum += zero - c * (read(v) - wind);
                }
                of_axes += wind * sum;
            }
            given += of_axes;
        }
        Vector::splat(simd, 0.5) * given * read(&self.dt)
    }

    /// Returns ½ F·(x' - x), where F sums the forces at both ends of the step.
    #[inline(always)]
    fn work_of_forces<S: WideSimd>(&self, simd: S, part: usize) -> Vector<S> {
        let read = |line: &CacheLine| line.get(simd, part);
        let half = Vector::splat(simd, 0.5);
        let mut work = Vector::splat(simd, NOTHING);
        for (force, (to, from)) in self.force.iter().zip(self.moved.x.iter().zip(&self.start.x)) {
            work += half * read(force) * (read(to) - read(from));
        }
        work
    }

    /// Work of the method's own drag on free nodes.
    #[inline(always)]
    fn work_of_own_drag<S: WideSimd>(&self, simd: S, part: usize, rate: Vector<S>) -> Vector<S> {
        let read = |line: &CacheLine| line.get(simd, part);
        let (nodes, mut work) = (self.mass.len(), Vector::splat(simd, NOTHING));
        let share = Vector::splat(simd, -0.5) * rate;
        for at in (0..self.moved.x.len()).filter(|at| !self.pinned[at % nodes]) {
            let speed = read(&self.start.v[at]) + read(&self.moved.v[at]);
            let offset = read(&self.moved.x[at]) - read(&self.start.x[at]);
            work += share * read(&self.mass[at % nodes]) * speed * offset;
        }
        work
    }
}

#[inline(always)]
fn total<S: WideSimd>(&[kinetic, gravitational, elastic]: &Energies<Vector<S>>) -> Vector<S> {
    kinetic + gravitational + elastic
}

/// Returns the vector from one end of a spring to the other, by axis, and its length.
#[inline(always)]
fn span<S: WideSimd, const D: usize>(
    simd: S,
    part: usize,
    x: &[CacheLine],
    spring: &LaneSpring,
    nodes: usize,
) -> ([Vector<S>; D], Vector<S>) {
    let zero = Vector::splat(simd, 0.0);
    let (mut d, mut square) = ([zero; D], zero);
    for (axis, d) in d.iter_mut().enumerate() {
        let [a, b] = [spring.a, spring.b].map(|node| x[axis * nodes + node].get(simd, part));
        *d = b - a;
        square += *d * *d;
    }
    (d, square.sqrt())
}

/// Adds the friction in springs to the forces on their nodes. A spring of length 0 has no
/// direction, and therefore no friction along it.
#[inline(always)]
fn add_friction<S: WideSimd, const D: usize>(
    simd: S,
    part: usize,
    motion: &LaneMotion,
    springs: &[LaneSpring],
    is_along: bool,
    force: &mut [CacheLine],
    nodes: usize,
) {
    let read = |line: &CacheLine| line.get(simd, part);
    let (zero, one) = (Vector::splat(simd, 0.0), Vector::splat(simd, 1.0));
    for spring in springs {
        let ends = |axis: usize| [spring.a, spring.b].map(|node| axis * nodes + node);
        let mut relative = [zero; D];
        for (axis, relative) in relative.iter_mut().enumerate() {
            let [a, b] = ends(axis).map(|at| read(&motion.v[at]));
            *relative = b - a;
        }
        let (mut pull, mut length, c) = (relative, one, read(&spring.factor));
        if is_along {
            let (mut direction, own) = span::<S, D>(simd, part, &motion.x, spring, nodes);
            length = own;
            let mut closing = zero;
            for (direction, relative) in direction.iter_mut().zip(relative) {
                *direction = *direction / length;
                closing += relative * *direction;
            }
            for (pull, direction) in pull.iter_mut().zip(direction) {
                *pull = c * closing * direction;
            }
        } else {
            for pull in &mut pull {
                *pull = c * *pull;
            }
        }
        for (axis, pull) in pull.into_iter().enumerate() {
            let [a, b] = ends(axis);
            let old = read(&force[a]);
            force[a].set(part, length.is_zero().select(old, old + pull));
            let old = read(&force[b]);
            force[b].set(part, length.is_zero().select(old, old - pull));
        }
    }
}
