//! Steps of chains in lanes: elimination from the first node to the last, and substitution back.

use super::super::sequence::Eliminated;
use super::super::spring::{self, Effect};
use super::{LaneTerm, Lanes, NodeState};
use crate::force::formula::{drag, weight};
use crate::lane::{
    CacheLine, Lane, LaneMask, Mask, Vector, WideSimd, WideWork, add, along, dot, scaled, sub,
};

/// Steps of all lanes.
pub(super) struct Steps<'a, const A: usize> {
    pub(super) lanes: &'a mut Lanes<A>,
    pub(super) count: u64,
}

impl<const A: usize> WideWork for Steps<'_, A> {
    /// Whether all matrices could be solved.
    type Output = bool;

    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) -> bool {
        let Self { lanes, count } = self;
        let zero = Vector::splat(simd, 0.0);
        let mut irregular = zero.is_below(zero);
        // One vector after the other, so that its chains stay in the innermost cache.
        for part in 0..lanes.used.div_ceil(S::F64_LANES) {
            for _ in 0..count {
                let here = lanes.forward(simd, part);
                irregular = irregular | here;
                lanes.backward(simd, part);
            }
        }
        !irregular.any()
    }
}

/// A node before its elimination.
#[derive(Clone, Copy)]
struct Node<V, const A: usize> {
    x: [V; A],
    v: [V; A],
    /// Displacement in a step at constant velocity; a pin does not move.
    displacement: [V; A],
}

impl<const A: usize> Lanes<A> {
    #[inline(always)]
    fn node<S: WideSimd>(&self, simd: S, i: usize, part: usize) -> Node<Vector<S>, A> {
        let NodeState { x, v } = &self.motion[i];
        let (x, v) = (CacheLine::get_all(x, simd, part), CacheLine::get_all(v, simd, part));
        let mut displacement = [Vector::splat(simd, 0.0); A];
        if !self.pinned[i] {
            displacement = scaled(v, self.dt.get(simd, part));
        }
        Node { x, v, displacement }
    }

    /// Assembles the matrix and performs forward elimination, from the first node to the last.
    /// Stores the eliminated rows for `backward`. Returns the lanes in which a pivot is 0 or not
    /// finite.
    #[inline(always)]
    fn forward<S: WideSimd>(&mut self, simd: S, part: usize) -> Mask<S> {
        let (zero, none) = (Vector::splat(simd, 0.0), Vector::splat(simd, -0.0));
        let (n, mut irregular) = (self.motion.len(), zero.is_below(zero));
        let mut last = Eliminated::begin(zero);
        let (mut left, mut node) = (Effect::all(none), self.node(simd, 0, part));
        for i in 0..n {
            let (mut right, mut next, mut between) = (Effect::all(none), node, [[zero; A]; A]);
            if i + 1 < n {
                next = self.node(simd, i + 1, part);
                (right, between) = self.spring(simd, i, part, [&node, &next]);
            }
            let (own, rhs) = self.assemble(simd, i, part, &node, [&left, &right]);
            irregular = irregular | !last.next(own, rhs, between);
            let row = &mut self.rows[i];
            for p in 0..A {
                CacheLine::set_all(&mut row.upper[p], part, last.upper[p]);
            }
            CacheLine::set_all(&mut row.y, part, last.y);
            (left, node) = (right, next);
        }
        irregular
    }

    /// The effect of the spring after a node, and the block between its nodes.
    #[inline(always)]
    fn spring<S: WideSimd>(
        &self,
        simd: S,
        i: usize,
        part: usize,
        [node, next]: [&Node<Vector<S>, A>; 2],
    ) -> (Effect<Vector<S>, A>, [[Vector<S>; A]; A]) {
        let zero = Vector::splat(simd, 0.0);
        let dt = self.dt.get(simd, part);
        let springs = spring::Springs {
            delta: sub(next.x, node.x),
            stiffness: self.nodes[i].stiffness.get(simd, part),
            rest: self.nodes[i].rest.get(simd, part),
            displacements: [node.displacement, next.displacement],
        };
        let effect = spring::effect(&springs, zero.is_below(zero), [dt, dt * dt]);
        let mut between = [[zero; A]; A];
        if !self.pinned[i] && !self.pinned[i + 1] {
            for p in 0..A {
                between[p] = sub(between[p], effect.own[p]);
            }
        }
        (effect, between)
    }

    /// The diagonal block and the right side of a node between two springs.
    #[inline(always)]
    fn assemble<S: WideSimd>(
        &self,
        simd: S,
        i: usize,
        part: usize,
        node: &Node<Vector<S>, A>,
        [left, right]: [&Effect<Vector<S>, A>; 2],
    ) -> ([[Vector<S>; A]; A], [Vector<S>; A]) {
        let (zero, one) = (Vector::splat(simd, 0.0), Vector::splat(simd, 1.0));
        let (dt, mass) = (self.dt.get(simd, part), self.nodes[i].mass.get(simd, part));
        let (mut own, mut rhs) = ([[zero; A]; A], [zero; A]);
        if self.pinned[i] {
            for p in 0..A {
                own[p][p] = one;
                rhs[p] = dt * mass * zero;
            }
            return (own, rhs);
        }
        for term in &self.terms {
            for p in 0..A {
                rhs[p] = match term {
                    LaneTerm::Gravity { acceleration } => {
                        weight(rhs[p], mass, acceleration[p].get(simd, part))
                    }
                    LaneTerm::Drag { coefficient, wind, .. } => {
                        let c = coefficient.get(simd, part);
                        drag(rhs[p], c, node.v[p], wind[p].get(simd, part))
                    }
                    LaneTerm::Springs => rhs[p] + left.on_second[p] + right.on_first[p],
                };
            }
        }
        for p in 0..A {
            rhs[p] = dt * mass * (rhs[p] / mass);
            own[p][p] = mass;
        }
        for term in &self.terms {
            match term {
                LaneTerm::Gravity { .. } => {}
                LaneTerm::Drag { in_matrix, .. } => {
                    let c = in_matrix.get(simd, part);
                    spring::add_drag(dt, c, &node.displacement, &mut own, &mut rhs);
                }
                LaneTerm::Springs => spring::add_springs(left, right, &mut own, &mut rhs),
            }
        }
        (own, rhs)
    }

    /// Performs back substitution and moves the nodes, from the last to the first.
    #[inline(always)]
    fn backward<S: WideSimd>(&mut self, simd: S, part: usize) {
        let Self { pinned, motion, rows, dt, .. } = self;
        let dt = dt.get(simd, part);
        let mut next = None;
        for i in (0..motion.len()).rev() {
            let (row, node) = (&rows[i], &mut motion[i]);
            let mut change: [Vector<S>; A] = CacheLine::get_all(&row.y, simd, part);
            if let Some(next) = next {
                for p in 0..A {
                    change[p] -= dot(CacheLine::get_all(&row.upper[p], simd, part), next);
                }
            }
            next = Some(change);
            if pinned[i] {
                continue;
            }
            let v = add(CacheLine::get_all(&node.v, simd, part), change);
            let x = along(CacheLine::get_all(&node.x, simd, part), dt, v);
            CacheLine::set_all(&mut node.x, part, x);
            CacheLine::set_all(&mut node.v, part, v);
        }
    }
}
