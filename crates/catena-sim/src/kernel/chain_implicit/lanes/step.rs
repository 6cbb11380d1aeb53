//! Steps of chains in lanes: elimination from the first node to the last, and substitution back.

use super::super::spring::{self, Effect};
use super::{Constants, LaneTerm, Lanes, Motion, Row};
use crate::kernel::lanes::CacheLine;
use crate::linear::block_lanes::{any, dot, eliminate, pick, pivot, solve};
use pulp::{Simd, WithSimd};

/// Steps of all lanes.
pub(super) struct Steps<'a, const A: usize> {
    pub(super) lanes: &'a mut Lanes<A>,
    pub(super) count: u64,
}

impl<const A: usize> WithSimd for Steps<'_, A> {
    /// Whether all matrices could be solved.
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> bool {
        let Self { lanes, count } = self;
        let zero = simd.splat_f64s(0.0);
        let mut irregular = simd.less_than_f64s(zero, zero);
        // One vector after the other, so that its chains stay in the nearest cache.
        for part in 0..lanes.used.div_ceil(S::F64_LANES) {
            for _ in 0..count {
                let here = lanes.forward(simd, part);
                irregular = simd.or_m64s(irregular, here);
                lanes.backward(simd, part);
            }
        }
        !any(simd, irregular)
    }
}

/// The vector of a line.
#[inline(always)]
fn at<S: Simd>(line: &CacheLine, part: usize) -> S::f64s {
    line.vectors::<S>()[part]
}

/// The vectors of some lines.
#[inline(always)]
fn all_at<S: Simd, const A: usize>(simd: S, lines: &[CacheLine; A], part: usize) -> [S::f64s; A] {
    let mut vectors = [simd.splat_f64s(0.0); A];
    for p in 0..A {
        vectors[p] = at::<S>(&lines[p], part);
    }
    vectors
}

/// Stores vectors in some lines.
#[inline(always)]
fn set<S: Simd, const A: usize>(lines: &mut [CacheLine; A], part: usize, vectors: &[S::f64s; A]) {
    for p in 0..A {
        lines[p].vectors_mut::<S>()[part] = vectors[p];
    }
}

/// A node as the elimination comes to it.
#[derive(Clone, Copy)]
struct Node<V, const A: usize> {
    x: [V; A],
    v: [V; A],
    /// How far it goes in a step if it keeps its velocity; a pin does not move.
    way: [V; A],
}

impl<const A: usize> Lanes<A> {
    #[inline(always)]
    fn node<S: Simd>(&self, simd: S, i: usize, part: usize) -> Node<S::f64s, A> {
        let Motion { x, v } = &self.motion[i];
        let (x, v) = (all_at(simd, x, part), all_at(simd, v, part));
        let mut way = [simd.splat_f64s(0.0); A];
        if !self.pinned[i] {
            let dt = at::<S>(&self.dt, part);
            for p in 0..A {
                way[p] = simd.mul_f64s(dt, v[p]);
            }
        }
        Node { x, v, way }
    }

    /// Assembles and eliminates, from the first node to the last. Returns the lanes in which a
    /// pivot is 0 or not finite.
    #[inline(always)]
    fn forward<S: Simd>(&mut self, simd: S, part: usize) -> S::m64s {
        let (zero, none) = (simd.splat_f64s(0.0), simd.splat_f64s(-0.0));
        let (n, mut irregular) = (self.motion.len(), simd.less_than_f64s(zero, zero));
        let (mut lower, mut upper, mut y) = ([[zero; A]; A], [[zero; A]; A], [zero; A]);
        let (mut left, mut node) = (Effect::all(none), self.node(simd, 0, part));
        for i in 0..n {
            let (mut right, mut next, mut between) = (Effect::all(none), node, [[zero; A]; A]);
            if i + 1 < n {
                next = self.node(simd, i + 1, part);
                (right, between) = self.spring(simd, (i, part), [&node, &next]);
            }
            let (mut own, mut rhs) = self.assemble(simd, (i, part), &node, [&left, &right]);
            subtract(simd, [&lower, &upper], &y, (&mut own, &mut rhs));
            let here = reduce(simd, &mut own, &between, &mut rhs, &mut upper);
            irregular = simd.or_m64s(irregular, here);
            y = rhs;
            let Row { upper: upper_of, y: y_of } = &mut self.rows[i];
            for (p, row) in upper_of.iter_mut().enumerate() {
                set::<S, A>(row, part, &upper[p]);
            }
            set::<S, A>(y_of, part, &y);
            // The matrix is symmetric, so the block below is the one to the right.
            (lower, left, node) = (between, right, next);
        }
        irregular
    }

    /// The effect of the spring after a node, and the block between its nodes.
    #[inline(always)]
    fn spring<S: Simd>(
        &self,
        simd: S,
        (i, part): (usize, usize),
        [node, next]: [&Node<S::f64s, A>; 2],
    ) -> (Effect<S::f64s, A>, [[S::f64s; A]; A]) {
        let zero = simd.splat_f64s(0.0);
        let (mut delta, mut between) = ([zero; A], [[zero; A]; A]);
        for (p, delta) in delta.iter_mut().enumerate() {
            *delta = simd.sub_f64s(next.x[p], node.x[p]);
        }
        let dt = at::<S>(&self.dt, part);
        let Constants { stiffness, rest, .. } = &self.nodes[i];
        let (stiffness, rest) = (at::<S>(stiffness, part), at::<S>(rest, part));
        let springs = spring::Springs { delta, stiffness, rest, ways: [node.way, next.way] };
        let none_broken = simd.less_than_f64s(zero, zero);
        let effect = spring::effect(simd, &springs, none_broken, [dt, simd.mul_f64s(dt, dt)]);
        if !self.pinned[i] && !self.pinned[i + 1] {
            for (p, row) in between.iter_mut().enumerate() {
                for (q, between) in row.iter_mut().enumerate() {
                    *between = simd.sub_f64s(zero, effect.own[p][q]);
                }
            }
        }
        (effect, between)
    }

    /// The diagonal block and the right side of a node between two springs.
    #[inline(always)]
    fn assemble<S: Simd>(
        &self,
        simd: S,
        (i, part): (usize, usize),
        node: &Node<S::f64s, A>,
        [left, right]: [&Effect<S::f64s, A>; 2],
    ) -> ([[S::f64s; A]; A], [S::f64s; A]) {
        let (zero, one) = (simd.splat_f64s(0.0), simd.splat_f64s(1.0));
        let dt = at::<S>(&self.dt, part);
        let mass = at::<S>(&self.nodes[i].mass, part);
        let weight = simd.mul_f64s(dt, mass);
        let (mut own, mut rhs) = ([[zero; A]; A], [zero; A]);
        if self.pinned[i] {
            for p in 0..A {
                own[p][p] = one;
                rhs[p] = simd.mul_f64s(weight, zero);
            }
            return (own, rhs);
        }
        for term in &self.terms {
            for p in 0..A {
                let sum = &mut rhs[p];
                match term {
                    LaneTerm::Gravity { acceleration } => {
                        let acceleration = at::<S>(&acceleration[p], part);
                        *sum = simd.add_f64s(*sum, simd.mul_f64s(mass, acceleration));
                    }
                    LaneTerm::Drag { coefficient, wind, .. } => {
                        let slip = simd.sub_f64s(node.v[p], at::<S>(&wind[p], part));
                        let drag = simd.mul_f64s(at::<S>(coefficient, part), slip);
                        *sum = simd.sub_f64s(*sum, drag);
                    }
                    LaneTerm::Springs => {
                        *sum = simd.add_f64s(*sum, left.on_second[p]);
                        *sum = simd.add_f64s(*sum, right.on_first[p]);
                    }
                }
            }
        }
        for p in 0..A {
            rhs[p] = simd.mul_f64s(weight, simd.div_f64s(rhs[p], mass));
            own[p][p] = mass;
        }
        for term in &self.terms {
            match term {
                LaneTerm::Gravity { .. } => {}
                LaneTerm::Drag { in_matrix, .. } => {
                    let sum = nothing_of(simd, &node.way);
                    for p in 0..A {
                        rhs[p] = simd.add_f64s(rhs[p], simd.mul_f64s(dt, sum));
                        own[p][p] = simd.add_f64s(own[p][p], at::<S>(in_matrix, part));
                    }
                }
                LaneTerm::Springs => add_springs(simd, [left, right], &mut own, &mut rhs),
            }
        }
        (own, rhs)
    }

    /// Substitutes back and moves the nodes on, from the last to the first.
    #[inline(always)]
    fn backward<S: Simd>(&mut self, simd: S, part: usize) {
        let Self { pinned, motion, rows, dt, .. } = self;
        let dt = at::<S>(dt, part);
        let mut next = None;
        for i in (0..motion.len()).rev() {
            let (row, node) = (&rows[i], &mut motion[i]);
            let mut change = all_at(simd, &row.y, part);
            if let Some(next) = next {
                for (p, change) in change.iter_mut().enumerate() {
                    let upper = all_at(simd, &row.upper[p], part);
                    *change = simd.sub_f64s(*change, dot(simd, &upper, &next));
                }
            }
            next = Some(change);
            if pinned[i] {
                continue;
            }
            let (mut x, mut v) = (all_at(simd, &node.x, part), all_at(simd, &node.v, part));
            for p in 0..A {
                v[p] = simd.add_f64s(v[p], change[p]);
                x[p] = simd.add_f64s(x[p], simd.mul_f64s(dt, v[p]));
            }
            set::<S, A>(&mut node.x, part, &x);
            set::<S, A>(&mut node.v, part, &v);
        }
    }
}

/// The change of velocity is not known when drag is assembled, so it adds 0, or NaN.
#[inline(always)]
fn nothing_of<S: Simd, const A: usize>(simd: S, way: &[S::f64s; A]) -> S::f64s {
    let zero = simd.splat_f64s(0.0);
    let mut sum = zero;
    for way in way {
        sum = simd.add_f64s(sum, simd.mul_f64s(zero, *way));
    }
    sum
}

/// Adds what the springs on both sides of a node do to its block and its right side.
#[inline(always)]
fn add_springs<S: Simd, const A: usize>(
    simd: S,
    [left, right]: [&Effect<S::f64s, A>; 2],
    own: &mut [[S::f64s; A]; A],
    rhs: &mut [S::f64s; A],
) {
    for p in 0..A {
        let parts = [
            left.first_to_second[p],
            left.second_to_second[p],
            right.second_to_first[p],
            right.first_to_first[p],
        ];
        for part in parts {
            rhs[p] = simd.add_f64s(rhs[p], part);
        }
        for (q, own) in own[p].iter_mut().enumerate() {
            *own = simd.add_f64s(*own, left.own[p][q]);
            *own = simd.add_f64s(*own, right.own[p][q]);
        }
    }
}

/// Subtracts from a block and a right side what the node before has to do with them: its U, times
/// the block between the two, and its y.
#[inline(always)]
fn subtract<S: Simd, const A: usize>(
    simd: S,
    [lower, upper]: [&[[S::f64s; A]; A]; 2],
    y: &[S::f64s; A],
    (own, rhs): (&mut [[S::f64s; A]; A], &mut [S::f64s; A]),
) {
    for p in 0..A {
        for r in 0..A {
            for (q, own) in own[p].iter_mut().enumerate() {
                *own = simd.sub_f64s(*own, simd.mul_f64s(lower[p][r], upper[r][q]));
            }
        }
        rhs[p] = simd.sub_f64s(rhs[p], dot(simd, &lower[p], y));
    }
}

/// Factors a diagonal block; `upper` becomes its inverse times `between`, and y its inverse times
/// y. Returns the lanes in which a pivot is 0 or not finite.
#[inline(always)]
fn reduce<S: Simd, const A: usize>(
    simd: S,
    own: &mut [[S::f64s; A]; A],
    between: &[[S::f64s; A]; A],
    y: &mut [S::f64s; A],
    upper: &mut [[S::f64s; A]; A],
) -> S::m64s {
    let (zero, infinity) = (simd.splat_f64s(0.0), simd.splat_f64s(f64::INFINITY));
    let mut order = [zero; A];
    for (p, order) in order.iter_mut().enumerate() {
        *order = simd.splat_f64s(p as f64);
    }
    let mut regular = simd.equal_f64s(zero, zero);
    for k in 0..A {
        pivot(simd, own, &mut order, k);
        let size = simd.abs_f64s(own[k][k]);
        let is_finite = simd.less_than_f64s(size, infinity);
        let is_fine = simd.and_m64s(is_finite, simd.less_than_f64s(zero, size));
        regular = simd.and_m64s(regular, is_fine);
        eliminate(simd, own, k);
    }
    for q in 0..A {
        let mut column = [zero; A];
        for p in 0..A {
            column[p] = between[p][q];
        }
        let solved = solve(simd, own, pick(simd, &column, &order));
        for p in 0..A {
            upper[p][q] = solved[p];
        }
    }
    *y = solve(simd, own, pick(simd, y, &order));
    simd.xor_m64s(regular, simd.equal_f64s(zero, zero))
}
