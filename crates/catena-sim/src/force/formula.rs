//! Force formulas for one spring or node, or for a vector of them.
//!
//! The plain loops and the kernels share these formulas, so both have the same rounding.

use crate::lane::{Lane, LaneMask, length};

/// Returns the sum of `f` and a weight m g.
#[inline(always)]
pub fn weight<V: Lane>(f: V, mass: V, g: V) -> V {
    f + mass * g
}

/// Returns the sum of `f` and drag -c (v - w).
#[inline(always)]
pub fn drag<V: Lane>(f: V, c: V, v: V, wind: V) -> V {
    f - c * (v - wind)
}

/// Tension of a Hookean spring, k (|d| - l).
#[inline(always)]
pub fn tension<V: Lane>(stiffness: V, length: V, rest_length: V) -> V {
    stiffness * (length - rest_length)
}

/// Forces of Hookean springs on their first nodes, k (|d| - l) d/|d|. The force is zero for springs
/// of length zero and for absent springs. Absent springs have a negative rest length.
#[inline(always)]
pub fn pull<V: Lane, const A: usize>(d: [V; A], stiffness: V, rest_length: V) -> [V; A] {
    let length = length(d);
    let is_absent = length.is_zero() | rest_length.is_below(length.like(0.0));
    directed(d, length, tension(stiffness, length, rest_length), is_absent)
}

/// Returns a force of this magnitude in the direction of d; zero if d has no direction.
#[inline(always)]
pub fn directed<V: Lane, const A: usize>(
    mut d: [V; A],
    length: V,
    size: V,
    is_absent: V::Mask,
) -> [V; A] {
    let zero = length.like(0.0);
    for component in &mut d {
        *component = is_absent.select(zero, size * (*component / length));
    }
    d
}

/// Speed at which the ends of springs separate: Σ w d/|d|.
#[inline(always)]
pub fn parting_speed<V: Lane, const A: usize>(d: [V; A], length: V, relative: [V; A]) -> V {
    let mut speed = length.like(0.0);
    for axis in 0..A {
        speed += relative[axis] * (d[axis] / length);
    }
    speed
}

/// Derivative of the force of a spring in direction u: along · u uᵀ + across · (1 - u uᵀ).
#[inline(always)]
pub fn spring_block<V: Lane, const A: usize>(u: [V; A], along: V, across: V) -> [[V; A]; A] {
    let (zero, difference) = (along.like(0.0), along - across);
    let mut block = [[zero; A]; A];
    for p in 0..A {
        for q in 0..A {
            block[p][q] = (if p == q { across } else { zero }) + difference * u[p] * u[q];
        }
    }
    block
}
