//! Contribution of springs of Hooke's law to forces, matrix and right side of their nodes. A vector
//! holds several springs of a chain, or one spring of several chains.

use crate::force::formula::{self, spring_block};
use crate::lane::{Lane, LaneMask, divided, length};
use crate::linear::block_lanes::{positive, times};

/// Springs, one per lane.
pub(super) struct Springs<V, const A: usize> {
    /// Vectors from the first node to the second.
    pub(super) delta: [V; A],
    pub(super) stiffness: V,
    pub(super) rest: V,
    /// Displacements of the first and the second nodes in a step at constant velocity.
    pub(super) displacements: [[V; A]; 2],
}

/// Effect of springs on their nodes: -0.0 everywhere for a spring without effect, which changes no
/// sum.
#[derive(Clone, Copy)]
pub(super) struct Effect<V, const A: usize> {
    /// Force on the first node.
    pub(super) on_first: [V; A],
    /// Force on the second node.
    pub(super) on_second: [V; A],
    /// β K, which a spring adds to the diagonal blocks of both nodes.
    pub(super) own: [[V; A]; A],
    /// Contributions of one node's motion to the right side of the other node or of the same node.
    pub(super) second_to_first: [V; A],
    pub(super) first_to_first: [V; A],
    pub(super) first_to_second: [V; A],
    pub(super) second_to_second: [V; A],
}

impl<V: Copy, const A: usize> Effect<V, A> {
    /// Repeats a number in all entries.
    #[inline(always)]
    pub(super) fn all(number: V) -> Self {
        Self {
            on_first: [number; A],
            on_second: [number; A],
            own: [[number; A]; A],
            second_to_first: [number; A],
            first_to_first: [number; A],
            first_to_second: [number; A],
            second_to_second: [number; A],
        }
    }
}

/// Computes the effect of springs; none if they are broken or have length 0. `dt` and its square
/// are the weights of the matrix.
#[inline(always)]
pub(super) fn effect<V: Lane, const A: usize>(
    springs: &Springs<V, A>,
    is_broken: V::Mask,
    [dt, dt_squared]: [V; 2],
) -> Effect<V, A> {
    let &Springs { delta, stiffness, rest, displacements: [first, second] } = springs;
    let length = length(delta);
    let (zero, minus, none) = (length.like(0.0), length.like(-1.0), length.like(-0.0));
    let acts_not = is_broken | length.is_zero();
    let u = divided(delta, length);
    let tension = formula::tension(stiffness, length, rest);
    let k = spring_block(u, positive(stiffness), positive(tension / length));
    let mut effect = Effect::all(none);
    for p in 0..A {
        let force = tension * u[p];
        effect.on_first[p] = acts_not.select(none, force);
        effect.on_second[p] = acts_not.select(none, force * minus);
        for q in 0..A {
            effect.own[p][q] = acts_not.select(none, dt_squared * k[p][q]);
        }
        let (by_first, by_second) = (times(&k[p], &first), times(&k[p], &second));
        effect.second_to_first[p] = acts_not.select(none, dt * by_second);
        effect.first_to_first[p] = acts_not.select(none, dt * (zero - by_first));
        effect.first_to_second[p] = acts_not.select(none, dt * by_first);
        effect.second_to_second[p] = acts_not.select(none, dt * (zero - by_second));
    }
    effect
}

/// Adds the springs on both sides of a node to its block and its right side.
#[inline(always)]
pub(super) fn add_springs<V: Lane, const A: usize>(
    left: &Effect<V, A>,
    right: &Effect<V, A>,
    own: &mut [[V; A]; A],
    rhs: &mut [V; A],
) {
    for p in 0..A {
        rhs[p] += left.first_to_second[p];
        rhs[p] += left.second_to_second[p];
        rhs[p] += right.second_to_first[p];
        rhs[p] += right.first_to_first[p];
        for q in 0..A {
            own[p][q] += left.own[p][q];
            own[p][q] += right.own[p][q];
        }
    }
}

/// Adds drag to the block and the right side of a node. `c` is the diagonal term of drag. Drag does
/// not depend on positions, so the right side gets 0, or NaN if a displacement is not finite.
#[inline(always)]
pub(super) fn add_drag<V: Lane, const A: usize>(
    dt: V,
    c: V,
    displacement: &[V; A],
    own: &mut [[V; A]; A],
    rhs: &mut [V; A],
) {
    let sum = times(&[dt.like(0.0); A], displacement);
    for p in 0..A {
        rhs[p] += dt * sum;
        own[p][p] += c;
    }
}
