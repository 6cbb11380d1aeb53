//! What a spring of Hooke's law adds to the forces, the matrix and the right side of its nodes, in
//! vectors: of several springs of a chain, or of a spring of several chains.

use pulp::Simd;

/// Springs, one a lane.
pub(super) struct Springs<V, const A: usize> {
    /// From the first node to the second.
    pub(super) delta: [V; A],
    pub(super) stiffness: V,
    pub(super) rest: V,
    /// How far the nodes go in a step if they keep their velocity; the first, then the second.
    pub(super) ways: [[V; A]; 2],
}

/// The effect of springs on their nodes: -0.0 everywhere for one without effect, which changes no
/// sum.
#[derive(Clone, Copy)]
pub(super) struct Effect<V, const A: usize> {
    /// Force on the first node.
    pub(super) on_first: [V; A],
    /// Force on the second node.
    pub(super) on_second: [V; A],
    /// β K, which a spring adds to the diagonal blocks of both nodes.
    pub(super) own: [[V; A]; A],
    /// What the motion of one node adds to the right side of the other, or of itself.
    pub(super) second_to_first: [V; A],
    pub(super) first_to_first: [V; A],
    pub(super) first_to_second: [V; A],
    pub(super) second_to_second: [V; A],
}

impl<V: Copy, const A: usize> Effect<V, A> {
    /// The same number everywhere.
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

/// The effect of springs, none where they are broken or have no length. `dt` and its square are the
/// weights of the matrix.
#[inline(always)]
pub(super) fn effect<S: Simd, const A: usize>(
    simd: S,
    springs: &Springs<S::f64s, A>,
    is_broken: S::m64s,
    [dt, dt_squared]: [S::f64s; 2],
) -> Effect<S::f64s, A> {
    let (zero, none) = (simd.splat_f64s(0.0), simd.splat_f64s(-0.0));
    let minus = simd.splat_f64s(-1.0);
    let Springs { delta, stiffness, rest, ways: [first, second] } = springs;
    // Loops fill arrays: what `map` calls is not always compiled for these instructions.
    let mut square = zero;
    for d in delta {
        square = simd.add_f64s(square, simd.mul_f64s(*d, *d));
    }
    let length = simd.sqrt_f64s(square);
    let acts_not = simd.or_m64s(is_broken, simd.equal_f64s(length, zero));
    let mut u = *delta;
    for u in &mut u {
        *u = simd.div_f64s(*u, length);
    }
    let tension = simd.mul_f64s(*stiffness, simd.sub_f64s(length, *rest));
    let along = positive(simd, *stiffness);
    let across = positive(simd, simd.div_f64s(tension, length));
    let difference = simd.sub_f64s(along, across);
    let mut effect = Effect::all(none);
    for p in 0..A {
        let force = simd.mul_f64s(tension, u[p]);
        effect.on_first[p] = unless(simd, acts_not, force);
        effect.on_second[p] = unless(simd, acts_not, simd.mul_f64s(force, minus));
        let (mut by_first, mut by_second) = (zero, zero);
        for q in 0..A {
            let across_here = if p == q { across } else { zero };
            let along_here = simd.mul_f64s(simd.mul_f64s(difference, u[p]), u[q]);
            let k = simd.add_f64s(across_here, along_here);
            effect.own[p][q] = unless(simd, acts_not, simd.mul_f64s(dt_squared, k));
            by_first = simd.add_f64s(by_first, simd.mul_f64s(k, first[q]));
            by_second = simd.add_f64s(by_second, simd.mul_f64s(k, second[q]));
        }
        effect.second_to_first[p] = unless(simd, acts_not, simd.mul_f64s(dt, by_second));
        let back = simd.sub_f64s(zero, by_first);
        effect.first_to_first[p] = unless(simd, acts_not, simd.mul_f64s(dt, back));
        effect.first_to_second[p] = unless(simd, acts_not, simd.mul_f64s(dt, by_first));
        let back = simd.sub_f64s(zero, by_second);
        effect.second_to_second[p] = unless(simd, acts_not, simd.mul_f64s(dt, back));
    }
    effect
}

/// The number, or 0 where it is below that or NaN.
#[inline(always)]
fn positive<S: Simd>(simd: S, value: S::f64s) -> S::f64s {
    let zero = simd.splat_f64s(0.0);
    simd.select_f64s(simd.less_than_f64s(zero, value), value, zero)
}

/// The number, or -0.0 where there is no effect.
#[inline(always)]
fn unless<S: Simd>(simd: S, acts_not: S::m64s, value: S::f64s) -> S::f64s {
    simd.select_f64s(acts_not, simd.splat_f64s(-0.0), value)
}
