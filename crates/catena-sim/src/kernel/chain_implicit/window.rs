//! A few nodes of a chain and the springs between them, with their part of the matrix and of the
//! right side.
//!
//! All arrays are ordered by node, so that loops over them compile to vector instructions. Loops
//! run to the next multiple of [`LANES`]; the results beyond the last node are never read.

use super::{
    ChainBody, Pin,
    numbers::{CAPACITY, LANES, NODES, Properties, WindowNumbers, at, each, put},
    spring::{self, Effect},
};
use crate::force::formula::{drag, weight};
use crate::force::{Part, Term};
use crate::lane::{Lane, Vector, WideSimd};
use crate::linear::{Tridiagonal, block::Square};
use std::array::from_fn;

const ZERO: WindowNumbers = [0.0; CAPACITY];

/// The [`Effect`] of springs on their nodes. Spring i + 1 is on the right of node i of the window,
/// and spring 0 on the left of its first node.
struct WindowSprings<const A: usize> {
    on_first: [WindowNumbers; A],
    on_second: [WindowNumbers; A],
    own: [[WindowNumbers; A]; A],
    /// Block -β K between the nodes of each spring; 0 if a node is pinned.
    between: [[WindowNumbers; A]; A],
    second_to_first: [WindowNumbers; A],
    first_to_first: [WindowNumbers; A],
    first_to_second: [WindowNumbers; A],
    second_to_second: [WindowNumbers; A],
}

impl<const A: usize> WindowSprings<A> {
    /// Effect of the springs `SHIFT` places after the springs of a vector.
    #[inline(always)]
    fn effect<S: WideSimd, const SHIFT: usize>(&self, simd: S, j: usize) -> Effect<Vector<S>, A> {
        let read = |numbers: &WindowNumbers| at::<S, SHIFT>(simd, numbers, j);
        let mut effect = Effect::all(Vector::splat(simd, 0.0));
        for p in 0..A {
            effect.on_first[p] = read(&self.on_first[p]);
            effect.on_second[p] = read(&self.on_second[p]);
            effect.second_to_first[p] = read(&self.second_to_first[p]);
            effect.first_to_first[p] = read(&self.first_to_first[p]);
            effect.first_to_second[p] = read(&self.first_to_second[p]);
            effect.second_to_second[p] = read(&self.second_to_second[p]);
            for q in 0..A {
                effect.own[p][q] = read(&self.own[p][q]);
            }
        }
        effect
    }
}

/// Consecutive nodes with their springs.
pub(super) struct Window<const A: usize> {
    /// Index of the first node.
    start: usize,
    nodes: usize,
    x: [WindowNumbers; A],
    v: [WindowNumbers; A],
    /// Displacements: h v for free nodes, the actual ones for pins.
    displacement: [WindowNumbers; A],
    mass: WindowNumbers,
    stiffness: WindowNumbers,
    rest: WindowNumbers,
    /// 1 for springs that exist and are unbroken, otherwise 0. Stored as `f64` for the lane width
    /// of the other arrays.
    exists: WindowNumbers,
    springs: WindowSprings<A>,
    /// Right side.
    right: [WindowNumbers; A],
    /// Diagonal blocks.
    own: [[WindowNumbers; A]; A],
}

impl<const A: usize> Window<A> {
    /// Creates a window without nodes, for bodies with these properties.
    pub(super) fn new(properties: &Properties) -> Box<Self> {
        let mut window = Box::new(Self::ZERO);
        window.mass = properties.mass.begin();
        window.stiffness = properties.stiffness.begin();
        window.rest = properties.rest.begin();
        window
    }

    const ZERO: Self = Self {
        start: 0,
        nodes: 0,
        x: [ZERO; A],
        v: [ZERO; A],
        displacement: [ZERO; A],
        mass: ZERO,
        stiffness: ZERO,
        rest: ZERO,
        exists: ZERO,
        springs: WindowSprings {
            on_first: [ZERO; A],
            on_second: [ZERO; A],
            own: [[ZERO; A]; A],
            between: [[ZERO; A]; A],
            second_to_first: [ZERO; A],
            first_to_first: [ZERO; A],
            first_to_second: [ZERO; A],
            second_to_second: [ZERO; A],
        },
        right: [ZERO; A],
        own: [[ZERO; A]; A],
    };

    /// Number of vectors that the nodes occupy.
    #[inline(always)]
    fn vectors(&self) -> usize {
        self.nodes.div_ceil(LANES).min(NODES / LANES)
    }

    /// Prepares for the first window of a pass: no spring is on the left of the first node.
    #[inline(always)]
    pub(super) fn begin(&mut self) {
        self.nodes = 0;
        let springs = &mut self.springs;
        for p in 0..A {
            springs.on_second[p][0] = -0.0;
            springs.first_to_second[p][0] = -0.0;
            springs.second_to_second[p][0] = -0.0;
            for q in 0..A {
                springs.own[p][q][0] = -0.0;
            }
        }
    }

    /// Moves the window to a range of nodes. The right spring of the last node becomes the left
    /// spring of the first one.
    #[inline(always)]
    pub(super) fn load(
        &mut self,
        body: &ChainBody<'_>,
        x: &[&[f64]; A],
        v: &[&[f64]; A],
        start: usize,
        nodes: usize,
    ) {
        let (last, springs) = (self.nodes.min(NODES), &mut self.springs);
        for p in 0..A {
            springs.on_second[p][0] = springs.on_second[p][last];
            springs.first_to_second[p][0] = springs.first_to_second[p][last];
            springs.second_to_second[p][0] = springs.second_to_second[p][last];
            for q in 0..A {
                springs.own[p][q][0] = springs.own[p][q][last];
            }
        }
        (self.start, self.nodes) = (start, nodes.min(NODES));
        let vectors = self.vectors();
        let with_next = start..x[0].len().min(start + self.nodes + 1);
        for p in 0..A {
            self.x[p][..with_next.len()].copy_from_slice(&x[p][with_next.clone()]);
            self.v[p][..with_next.len()].copy_from_slice(&v[p][with_next.clone()]);
        }
        let range = start..x[0].len().saturating_sub(1).min(start + self.nodes);
        let Properties { mass, stiffness, rest } = body.properties;
        mass.load(&mut self.mass, start..start + self.nodes);
        stiffness.load(&mut self.stiffness, range.clone());
        rest.load(&mut self.rest, range.clone());
        each(vectors, |i| self.exists[i] = if i < range.len() { 1.0 } else { 0.0 });
        let broken = body.broken.get(range).unwrap_or_default();
        for (exists, is_broken) in self.exists.iter_mut().zip(broken) {
            *exists = if *is_broken { 0.0 } else { *exists };
        }
        // Springs also need the node after the window.
        for (displacement, v) in self.displacement.iter_mut().zip(&self.v) {
            each(vectors + 1, |i| displacement[i] = body.dt * v[i]);
        }
        for (i, pin) in self.pins(body) {
            (0..A).for_each(|p| self.displacement[p][i] = pin.displacement[p]);
        }
    }

    /// Pins among the nodes and the node after them, with their indices in the window.
    #[inline(always)]
    fn pins<'a>(
        &self,
        body: &ChainBody<'a>,
    ) -> impl Iterator<Item = (usize, &'a Pin)> + use<'a, A> {
        let (start, end) = (self.start, self.start + self.nodes);
        let first = body.pins.partition_point(|pin| pin.node < start);
        let pins = body.pins[first..].iter().take_while(move |pin| pin.node <= end);
        pins.map(move |pin| (pin.node - start, pin))
    }

    /// Computes the effect of the springs.
    #[inline(always)]
    pub(super) fn assemble_springs<S: WideSimd>(&mut self, simd: S, dt: f64) {
        let zero = Vector::splat(simd, 0.0);
        let weights = [Vector::splat(simd, dt), Vector::splat(simd, dt * dt)];
        for j in 0..self.vectors() * LANES / S::F64_LANES {
            let (mut delta, mut displacements) = ([zero; A], [[zero; A]; 2]);
            for p in 0..A {
                delta[p] = at::<S, 1>(simd, &self.x[p], j) - at::<S, 0>(simd, &self.x[p], j);
                displacements[0][p] = at::<S, 0>(simd, &self.displacement[p], j);
                displacements[1][p] = at::<S, 1>(simd, &self.displacement[p], j);
            }
            let read = |numbers: &WindowNumbers| at::<S, 0>(simd, numbers, j);
            let (stiffness, rest) = (read(&self.stiffness), read(&self.rest));
            let is_broken = read(&self.exists).is_zero();
            let springs = spring::Springs { delta, stiffness, rest, displacements };
            let effect = spring::effect(&springs, is_broken, weights);
            let springs = &mut self.springs;
            for p in 0..A {
                put(&mut springs.on_first[p], j, effect.on_first[p]);
                put(&mut springs.on_second[p], j, effect.on_second[p]);
                put(&mut springs.second_to_first[p], j, effect.second_to_first[p]);
                put(&mut springs.first_to_first[p], j, effect.first_to_first[p]);
                put(&mut springs.first_to_second[p], j, effect.first_to_second[p]);
                put(&mut springs.second_to_second[p], j, effect.second_to_second[p]);
                for q in 0..A {
                    put(&mut springs.own[p][q], j, effect.own[p][q]);
                    put(&mut springs.between[p][q], j, zero - effect.own[p][q]);
                }
            }
        }
    }

    /// Sums the forces on nodes, and computes the right side and the diagonal blocks.
    #[inline(always)]
    pub(super) fn assemble_nodes<S: WideSimd>(&mut self, simd: S, body: &ChainBody<'_>) {
        let (zero, dt) = (Vector::splat(simd, 0.0), Vector::splat(simd, body.dt));
        for j in 0..self.vectors() * LANES / S::F64_LANES {
            let mass = at::<S, 0>(simd, &self.mass, j);
            let left = self.springs.effect::<S, 0>(simd, j);
            let next = self.springs.effect::<S, 1>(simd, j);
            let (mut right, mut own, mut displacement) = ([zero; A], [[zero; A]; A], [zero; A]);
            for p in 0..A {
                let v = at::<S, 0>(simd, &self.v[p], j);
                let mut force = zero;
                for term in body.terms {
                    match *term {
                        Term::Gravity { acceleration: g } => {
                            force = weight(force, mass, v.like(g[p]));
                        }
                        Term::Drag { coefficient: c, wind } => {
                            force = drag(force, v.like(c), v, v.like(wind[p]));
                        }
                        Term::Hooke(Part::Bending) => {}
                        Term::Hooke(Part::Held) => {
                            force = force + left.on_second[p] + next.on_first[p];
                        }
                    }
                }
                right[p] = dt * mass * (force / mass);
                own[p][p] = mass;
                displacement[p] = at::<S, 0>(simd, &self.displacement[p], j);
            }
            for term in body.terms {
                match *term {
                    Term::Gravity { .. } | Term::Hooke(Part::Bending) => {}
                    Term::Drag { coefficient, .. } => {
                        let c = body.dt * -coefficient + body.dt * body.dt * 0.0;
                        spring::add_drag(dt, dt.like(-c), &displacement, &mut own, &mut right);
                    }
                    Term::Hooke(Part::Held) => {
                        spring::add_springs(&left, &next, &mut own, &mut right);
                    }
                }
            }
            for p in 0..A {
                right[p].store(&mut self.right[p][..NODES], j);
                for q in 0..A {
                    own[p][q].store(&mut self.own[p][q][..NODES], j);
                }
            }
        }
        self.hold(body);
    }

    /// Replaces the rows of pins by rows of the identity matrix.
    #[inline(always)]
    fn hold(&mut self, body: &ChainBody<'_>) {
        for (i, _) in self.pins(body) {
            for p in 0..A {
                self.right[p][i] = body.dt * self.mass[i] * 0.0;
                for q in 0..A {
                    self.own[p][q][i] = if p == q { 1.0 } else { 0.0 };
                    self.springs.between[p][q][i] = 0.0;
                    self.springs.between[p][q][i + 1] = 0.0;
                }
            }
        }
    }

    /// Copies the assembled blocks into a system.
    #[inline(always)]
    pub(super) fn store(&self, start: usize, system: &mut Tridiagonal<A>) {
        let (nodes, springs) = (0..self.nodes, 1..self.nodes + 1);
        let (mut own, mut between) = ([[&[][..]; A]; A], [[&[][..]; A]; A]);
        let mut right = [&[][..]; A];
        for p in 0..A {
            right[p] = &self.right[p][nodes.clone()];
            for q in 0..A {
                own[p][q] = &self.own[p][q][nodes.clone()];
                between[p][q] = &self.springs.between[p][q][springs.clone()];
            }
        }
        system.put_own(start, own, right);
        system.put_between(start, between);
    }

    /// The diagonal block and the right side of a node.
    #[inline(always)]
    pub(super) fn row(&self, i: usize) -> (Square<A>, [f64; A]) {
        let i = i.min(NODES);
        (from_fn(|p| from_fn(|q| self.own[p][q][i])), from_fn(|p| self.right[p][i]))
    }

    /// The block between a node and the next one.
    #[inline(always)]
    pub(super) fn upper_block(&self, i: usize) -> Square<A> {
        let i = i.min(NODES);
        from_fn(|p| from_fn(|q| self.springs.between[p][q][i + 1]))
    }
}
