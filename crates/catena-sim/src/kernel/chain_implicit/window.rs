//! A few nodes of a chain and the springs between them: their part of the matrix and of the right
//! side.
//!
//! All arrays go node by node, so that loops over them compile to vector instructions. Loops run to
//! the next multiple of [`LANES`]; what they compute beyond the last node is never read.

use super::{
    Body, Pin,
    numbers::{CAPACITY, LANES, NODES, Numbers, Properties, after, at, each, put, set},
    spring,
};
use crate::force::{Part, Term};
use crate::linear::{Tridiagonal, block::Square};
use pulp::Simd;
use std::array::from_fn;

const ZERO: Numbers = [0.0; CAPACITY];

/// The [`Effect`](spring::Effect) of springs on their nodes. Spring i + 1 is on the right of node i
/// of the window, and spring 0 on the left of its first node.
struct Springs<const A: usize> {
    on_first: [Numbers; A],
    on_second: [Numbers; A],
    own: [[Numbers; A]; A],
    /// -β K, between its nodes; 0 if one of them is pinned.
    between: [[Numbers; A]; A],
    second_to_first: [Numbers; A],
    first_to_first: [Numbers; A],
    first_to_second: [Numbers; A],
    second_to_second: [Numbers; A],
}

/// Some nodes that follow each other, with their springs.
pub(super) struct Window<const A: usize> {
    /// Index of the first node.
    start: usize,
    nodes: usize,
    x: [Numbers; A],
    v: [Numbers; A],
    /// h v, and the real motion of pins.
    way: [Numbers; A],
    mass: Numbers,
    stiffness: Numbers,
    rest: Numbers,
    /// 1 for springs that exist and are unbroken, else 0; numbers, so that they are as wide as the
    /// others.
    whole: Numbers,
    springs: Springs<A>,
    /// Right side.
    right: [Numbers; A],
    /// Diagonal blocks.
    own: [[Numbers; A]; A],
}

impl<const A: usize> Window<A> {
    /// A window without nodes, for bodies of these properties.
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
        way: [ZERO; A],
        mass: ZERO,
        stiffness: ZERO,
        rest: ZERO,
        whole: ZERO,
        springs: Springs {
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

    /// Number of vectors that the nodes fill.
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

    /// Moves on to these nodes: the right spring of the last one becomes the left spring of the
    /// first one.
    #[inline(always)]
    pub(super) fn load(
        &mut self,
        body: &Body<'_>,
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
        each(vectors, |i| self.whole[i] = if i < range.len() { 1.0 } else { 0.0 });
        let broken = body.broken.get(range).unwrap_or_default();
        for (whole, is_broken) in self.whole.iter_mut().zip(broken) {
            *whole = if *is_broken { 0.0 } else { *whole };
        }
        // Springs also need the node after the window.
        for (way, v) in self.way.iter_mut().zip(&self.v) {
            each(vectors + 1, |i| way[i] = body.dt * v[i]);
        }
        for (i, pin) in self.pins(body) {
            (0..A).for_each(|p| self.way[p][i] = pin.way[p]);
        }
    }

    /// The pins among the nodes and the one after them, with their places in the window.
    #[inline(always)]
    fn pins<'a>(&self, body: &Body<'a>) -> impl Iterator<Item = (usize, &'a Pin)> + use<'a, A> {
        let (start, end) = (self.start, self.start + self.nodes);
        let first = body.pins.partition_point(|pin| pin.node < start);
        let pins = body.pins[first..].iter().take_while(move |pin| pin.node <= end);
        pins.map(move |pin| (pin.node - start, pin))
    }

    /// Computes the effect of the springs.
    #[inline(always)]
    pub(super) fn assemble_springs<S: Simd>(&mut self, simd: S, dt: f64) {
        let zero = simd.splat_f64s(0.0);
        let weights = [simd.splat_f64s(dt), simd.splat_f64s(dt * dt)];
        for j in 0..self.vectors() * LANES / S::F64_LANES {
            let (mut delta, mut ways) = ([zero; A], [[zero; A]; 2]);
            for p in 0..A {
                delta[p] = simd.sub_f64s(after::<S>(&self.x[p], j), at::<S>(&self.x[p], j));
                ways[0][p] = at::<S>(&self.way[p], j);
                ways[1][p] = after::<S>(&self.way[p], j);
            }
            let (stiffness, rest) = (at::<S>(&self.stiffness, j), at::<S>(&self.rest, j));
            let is_broken = simd.equal_f64s(at::<S>(&self.whole, j), zero);
            let springs = spring::Springs { delta, stiffness, rest, ways };
            let effect = spring::effect(simd, &springs, is_broken, weights);
            let springs = &mut self.springs;
            for p in 0..A {
                put::<S>(&mut springs.on_first[p], j, effect.on_first[p]);
                put::<S>(&mut springs.on_second[p], j, effect.on_second[p]);
                put::<S>(&mut springs.second_to_first[p], j, effect.second_to_first[p]);
                put::<S>(&mut springs.first_to_first[p], j, effect.first_to_first[p]);
                put::<S>(&mut springs.first_to_second[p], j, effect.first_to_second[p]);
                put::<S>(&mut springs.second_to_second[p], j, effect.second_to_second[p]);
                for q in 0..A {
                    let own = effect.own[p][q];
                    put::<S>(&mut springs.own[p][q], j, own);
                    put::<S>(&mut springs.between[p][q], j, simd.sub_f64s(zero, own));
                }
            }
        }
    }

    /// Sums the forces on nodes, and computes the right side and the diagonal blocks.
    #[inline(always)]
    pub(super) fn assemble_nodes<S: Simd>(&mut self, simd: S, body: &Body<'_>) {
        let zero = simd.splat_f64s(0.0);
        let dt = simd.splat_f64s(body.dt);
        for j in 0..self.vectors() * LANES / S::F64_LANES {
            let mass = at::<S>(&self.mass, j);
            let (mut right, mut own) = ([zero; A], [[zero; A]; A]);
            for p in 0..A {
                let force = self.force(simd, body, p, j);
                right[p] = simd.mul_f64s(simd.mul_f64s(dt, mass), simd.div_f64s(force, mass));
                own[p][p] = mass;
            }
            for term in body.terms {
                match *term {
                    Term::Gravity { .. } | Term::Hooke(Part::Bending) => {}
                    Term::Drag { coefficient, .. } => {
                        let c = body.dt * -coefficient + body.dt * body.dt * 0.0;
                        self.add_drag(simd, (dt, simd.splat_f64s(-c)), j, &mut right, &mut own);
                    }
                    Term::Hooke(Part::Held) => self.add_springs(simd, j, &mut right, &mut own),
                }
            }
            for p in 0..A {
                set::<S>(&mut self.right[p], j, right[p]);
                for (numbers, own) in self.own[p].iter_mut().zip(own[p]) {
                    set::<S>(numbers, j, own);
                }
            }
        }
        self.hold(body);
    }

    /// The force on some nodes.
    #[inline(always)]
    fn force<S: Simd>(&self, simd: S, body: &Body<'_>, p: usize, j: usize) -> S::f64s {
        let mut force = simd.splat_f64s(0.0);
        for term in body.terms {
            match *term {
                Term::Gravity { acceleration } => {
                    let acceleration = simd.splat_f64s(acceleration[p]);
                    let weight = simd.mul_f64s(at::<S>(&self.mass, j), acceleration);
                    force = simd.add_f64s(force, weight);
                }
                Term::Drag { coefficient, wind } => {
                    let slip = simd.sub_f64s(at::<S>(&self.v[p], j), simd.splat_f64s(wind[p]));
                    let drag = simd.mul_f64s(simd.splat_f64s(coefficient), slip);
                    force = simd.sub_f64s(force, drag);
                }
                Term::Hooke(Part::Bending) => {}
                Term::Hooke(Part::Held) => {
                    force = simd.add_f64s(force, at::<S>(&self.springs.on_second[p], j));
                    force = simd.add_f64s(force, after::<S>(&self.springs.on_first[p], j));
                }
            }
        }
        force
    }

    /// Gives pins rows of the unit matrix.
    #[inline(always)]
    fn hold(&mut self, body: &Body<'_>) {
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

    /// The change of velocity of free nodes is not known yet, so drag adds 0 to the right side, or
    /// NaN.
    #[inline(always)]
    fn add_drag<S: Simd>(
        &self,
        simd: S,
        (dt, c): (S::f64s, S::f64s),
        j: usize,
        right: &mut [S::f64s; A],
        own: &mut [[S::f64s; A]; A],
    ) {
        let zero = simd.splat_f64s(0.0);
        let mut sum = zero;
        for way in &self.way {
            sum = simd.add_f64s(sum, simd.mul_f64s(zero, at::<S>(way, j)));
        }
        for p in 0..A {
            right[p] = simd.add_f64s(right[p], simd.mul_f64s(dt, sum));
            own[p][p] = simd.add_f64s(own[p][p], c);
        }
    }

    #[inline(always)]
    fn add_springs<S: Simd>(
        &self,
        simd: S,
        j: usize,
        right: &mut [S::f64s; A],
        own: &mut [[S::f64s; A]; A],
    ) {
        let springs = &self.springs;
        for p in 0..A {
            for part in [
                at::<S>(&springs.first_to_second[p], j),
                at::<S>(&springs.second_to_second[p], j),
                after::<S>(&springs.second_to_first[p], j),
                after::<S>(&springs.first_to_first[p], j),
            ] {
                right[p] = simd.add_f64s(right[p], part);
            }
            for (own, springs) in own[p].iter_mut().zip(&springs.own[p]) {
                *own = simd.add_f64s(*own, at::<S>(springs, j));
                *own = simd.add_f64s(*own, after::<S>(springs, j));
            }
        }
    }

    /// Copies what was assembled into a system.
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
