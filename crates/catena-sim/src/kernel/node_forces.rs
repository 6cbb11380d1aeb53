//! The order in which kernels sum forces, and the forces that act on each node alone.
//!
//! A sum of forces starts at +0.0, and a sum that does not start at -0.0 never becomes -0.0. Adding
//! or subtracting a zero therefore changes nothing. The pull of a missing spring can be set to
//! zero.

use super::steps::Steps;
use crate::force::{Part, Term, formula};
use crate::lane::{Lane, LaneMask, Vector, WideSimd};

/// Number of kinds of forces in a sum.
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

/// Order of forces in a scene that has all of them.
const USUAL: [Addend; ADDENDS] =
    [Addend::Springs(Part::Held), Addend::Springs(Part::Bending), Addend::Gravity, Addend::Drag];

/// The forces of a setup as numbers, each kind at most once.
#[derive(Clone, Copy, Debug)]
pub struct NodeForces<const A: usize> {
    /// Order of the forces; `None` after the last.
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

    /// Whether forces are in the usual order, for which kernels are compiled separately. Without a
    /// branch for each addend, more springs are computed at once.
    pub fn is_usual(&self) -> bool {
        let place = |addend| USUAL.iter().position(|usual| *usual == addend);
        self.order.into_iter().flatten().map(place).is_sorted()
    }

    /// Flags of the acting kinds, in their usual order.
    pub fn acting(&self) -> [bool; ADDENDS] {
        USUAL.map(|addend| self.order.contains(&Some(addend)))
    }

    /// Converts the forces to vectors.
    #[inline(always)]
    pub fn wide<S: WideSimd>(&self, simd: S) -> NodeForceLanes<Vector<S>, A> {
        NodeForceLanes {
            gravity: Vector::splat_all(simd, self.gravity),
            drag: Vector::splat(simd, self.drag),
            wind: Vector::splat_all(simd, self.wind),
        }
    }
}

/// [`NodeForces`] on several nodes at a time.
#[derive(Clone, Copy)]
pub struct NodeForceLanes<V, const A: usize> {
    gravity: [V; A],
    drag: V,
    wind: [V; A],
}

impl<V: Lane, const A: usize> NodeForceLanes<V, A> {
    /// Adds m g.
    #[inline(always)]
    pub fn add_gravity(&self, f: &mut [V; A], mass: V) {
        for axis in 0..A {
            f[axis] = formula::weight(f[axis], mass, self.gravity[axis]);
        }
    }

    /// Adds -c (v - w).
    #[inline(always)]
    pub fn add_drag(&self, f: &mut [V; A], v: &[V; A]) {
        for axis in 0..A {
            f[axis] = formula::drag(f[axis], self.drag, v[axis], self.wind[axis]);
        }
    }
}

/// Motion of nodes under a force.
#[derive(Clone, Copy)]
pub struct NodeUpdate<V> {
    dt: V,
    with_new: bool,
    is_exact: bool,
}

/// Constants of nodes.
#[derive(Clone, Copy)]
pub struct NodeConstants<V: Lane> {
    /// m.
    pub mass: V,
    /// 1/m.
    pub inverse: V,
    /// Whether the node is pinned.
    pub pinned: V::Mask,
}

impl<S: WideSimd> NodeUpdate<Vector<S>> {
    /// Creates the update of these steps.
    #[inline(always)]
    pub fn new(simd: S, steps: &Steps) -> Self {
        let &Steps { dt, with_new, is_exact, .. } = steps;
        Self { dt: Vector::splat(simd, dt), with_new, is_exact }
    }
}

impl<V: Lane> NodeUpdate<V> {
    /// Returns one component of position and velocity after the step.
    #[inline(always)]
    pub fn step(&self, node: &NodeConstants<V>, f: V, x: V, v: V) -> (V, V) {
        let a = if self.is_exact { f * node.inverse } else { f / node.mass };
        let new_v = v + a * self.dt;
        let carrying = if self.with_new { new_v } else { v };
        let new_x = x + carrying * self.dt;
        (node.pinned.select(x, new_x), node.pinned.select(v, new_v))
    }
}

/// Whether 1/m is exact, so that f (1/m) rounds like f/m. This holds for powers of two.
pub fn has_exact_inverse(mass: f64) -> bool {
    let inverse = 1.0 / mass;
    let is_power = |value: f64| value.is_normal() && value.to_bits() << 12 == 0;
    is_power(mass) && is_power(inverse)
}
