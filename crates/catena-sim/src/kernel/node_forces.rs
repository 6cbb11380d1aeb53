//! The order in which kernels sum forces, and the forces that act on each node alone.
//!
//! A sum of forces begins at +0.0, and a sum that does not begin at -0.0 never becomes -0.0. So
//! adding or subtracting a zero changes nothing, and a missing spring may pull with zero.

use super::{lanes::WideSimd, steps::Steps};
use crate::force::{Part, Term};

/// The number of kinds of forces in a sum.
pub const ADDENDS: usize = 4;

/// A kind of force in a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addend {
    /// Gravity, m g.
    Gravity,
    /// Drag, -c (v - w).
    Drag,
    /// The springs of one part of the model.
    Springs(Part),
}

/// The order of forces in a scene that has all of them.
const USUAL: [Addend; ADDENDS] =
    [Addend::Springs(Part::Held), Addend::Springs(Part::Bending), Addend::Gravity, Addend::Drag];

/// The forces of a setup as numbers, each kind at most once.
#[derive(Clone, Copy, Debug)]
pub struct NodeForces<const A: usize> {
    /// Their order; `None` after the last.
    pub order: [Option<Addend>; ADDENDS],
    /// g.
    gravity: [f64; A],
    /// c.
    drag: f64,
    /// w.
    wind: [f64; A],
}

impl<const A: usize> NodeForces<A> {
    /// Reads the terms; `None` if a kind occurs twice or does not fit the number of axes.
    pub fn new(terms: &[Term<'_>]) -> Option<Self> {
        let mut forces =
            Self { order: [None; ADDENDS], gravity: [0.0; A], drag: 0.0, wind: [0.0; A] };
        for (place, term) in terms.iter().enumerate() {
            let addend = match term {
                Term::Gravity { acceleration } => {
                    forces.gravity = (*acceleration).try_into().ok()?;
                    Addend::Gravity
                }
                Term::Drag { coefficient, wind } => {
                    forces.drag = *coefficient;
                    forces.wind = (*wind).try_into().ok()?;
                    Addend::Drag
                }
                Term::Hooke(part) => Addend::Springs(*part),
            };
            if forces.order.contains(&Some(addend)) {
                return None;
            }
            *forces.order.get_mut(place)? = Some(addend);
        }
        Some(forces)
    }

    /// Whether they stand in the usual order, for which kernels are compiled separately: without a
    /// choice for each addend, more springs are computed at a time.
    pub fn is_usual(&self) -> bool {
        let place = |addend| USUAL.iter().position(|usual| *usual == addend);
        self.order.into_iter().flatten().map(place).is_sorted()
    }

    /// Which of the kinds act, in their usual order.
    pub fn acting(&self) -> [bool; ADDENDS] {
        USUAL.map(|addend| self.order.contains(&Some(addend)))
    }

    /// The same as vectors.
    #[inline(always)]
    pub fn wide<S: WideSimd>(&self, simd: S) -> NodeForceVectors<S, A> {
        let mut wide = NodeForceVectors {
            gravity: [simd.splat_f64s(0.0); A],
            drag: simd.splat_f64s(self.drag),
            wind: [simd.splat_f64s(0.0); A],
        };
        for axis in 0..A {
            wide.gravity[axis] = simd.splat_f64s(self.gravity[axis]);
            wide.wind[axis] = simd.splat_f64s(self.wind[axis]);
        }
        wide
    }
}

/// [`NodeForces`] in vectors.
#[derive(Clone, Copy)]
pub struct NodeForceVectors<S: WideSimd, const A: usize> {
    gravity: [S::f64s; A],
    drag: S::f64s,
    wind: [S::f64s; A],
}

impl<S: WideSimd, const A: usize> NodeForceVectors<S, A> {
    /// Adds m g.
    #[inline(always)]
    pub fn add_gravity(&self, simd: S, f: &mut [S::f64s; A], mass: S::f64s) {
        for (f, g) in f.iter_mut().zip(self.gravity) {
            *f = simd.add_f64s(*f, simd.mul_f64s(mass, g));
        }
    }

    /// Adds -c (v - w).
    #[inline(always)]
    pub fn add_drag(&self, simd: S, f: &mut [S::f64s; A], v: &[S::f64s; A]) {
        for axis in 0..A {
            let slip = simd.sub_f64s(v[axis], self.wind[axis]);
            f[axis] = simd.sub_f64s(f[axis], simd.mul_f64s(self.drag, slip));
        }
    }
}

/// The motion of a node under a force.
#[derive(Clone, Copy)]
pub struct NodeUpdate<S: WideSimd> {
    dt: S::f64s,
    with_new: bool,
    is_exact: bool,
}

/// Constants of nodes.
#[derive(Clone, Copy)]
pub struct NodeConstants<S: WideSimd> {
    /// m.
    pub mass: S::f64s,
    /// 1/m.
    pub inverse: S::f64s,
    /// Whether the node is held.
    pub pinned: S::m64s,
}

impl<S: WideSimd> NodeUpdate<S> {
    /// The same as vectors.
    #[inline(always)]
    pub fn new(simd: S, steps: &Steps) -> Self {
        let &Steps { dt, with_new, is_exact, .. } = steps;
        Self { dt: simd.splat_f64s(dt), with_new, is_exact }
    }

    /// One component of position and velocity after the step.
    #[inline(always)]
    pub fn step(
        &self,
        simd: S,
        node: &NodeConstants<S>,
        f: S::f64s,
        (x, v): (S::f64s, S::f64s),
    ) -> (S::f64s, S::f64s) {
        let a = if self.is_exact {
            simd.mul_f64s(f, node.inverse)
        } else {
            simd.div_f64s(f, node.mass)
        };
        let new_v = simd.add_f64s(v, simd.mul_f64s(a, self.dt));
        let carrying = if self.with_new { new_v } else { v };
        let new_x = simd.add_f64s(x, simd.mul_f64s(carrying, self.dt));
        (simd.select_f64s(node.pinned, x, new_x), simd.select_f64s(node.pinned, v, new_v))
    }
}

/// The pull of springs on their first nodes, k (|d| - l) d/|d|; zero if |d| is zero or the rest
/// length is below zero, which stands for no spring.
#[inline(always)]
pub fn pull<S: WideSimd, const A: usize>(
    simd: S,
    d: [S::f64s; A],
    stiffness: S::f64s,
    rest_length: S::f64s,
) -> [S::f64s; A] {
    let zero = simd.splat_f64s(0.0);
    let mut square = simd.mul_f64s(d[0], d[0]);
    for component in &d[1..] {
        square = simd.add_f64s(square, simd.mul_f64s(*component, *component));
    }
    let length = simd.sqrt_f64s(square);
    let tension = simd.mul_f64s(stiffness, simd.sub_f64s(length, rest_length));
    let is_point = simd.equal_f64s(length, zero);
    let is_slack = simd.or_m64s(is_point, simd.less_than_f64s(rest_length, zero));
    let mut force = d;
    for component in &mut force {
        let along = simd.mul_f64s(tension, simd.div_f64s(*component, length));
        *component = simd.select_f64s(is_slack, zero, along);
    }
    force
}

/// Whether 1/m is exact, as it is for powers of two, so that f (1/m) rounds as f/m does.
pub fn has_exact_inverse(mass: f64) -> bool {
    let inverse = 1.0 / mass;
    let is_power = |value: f64| value.is_normal() && value.to_bits() << 12 == 0;
    is_power(mass) && is_power(inverse)
}
