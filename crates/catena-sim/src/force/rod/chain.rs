//! Rods along consecutive nodes, without clamps except at their ends: one joint per node.
//!
//! One vectorised pass over the nodes computes the force of bending. Edges are computed once, and
//! pass from one vector to the next in registers. The result is bit-identical to the general loops
//! (`lanes`).

#![allow(
    clippy::needless_range_loop,
    reason = "a call of an iterator that is not inlined would be compiled for the baseline"
)]

use super::layout::{Layout, Slot};
use super::phase::{self, Complex, FACTORS, PARTS};
use crate::body::vector::Vec3;
use crate::instructions::Instructions;
use crate::lane::{Lane, LaneMask, Vector, WideSimd, WideWork, scaled};

/// Minimum value of 1 + t_e·t_f, which keeps the force finite if two edges fold onto each other.
pub(super) const MIN: f64 = 1e-150;

/// Constants of the joints of a chain, one number per node.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Chain {
    /// Index of the first node.
    first: usize,
    /// Bending stiffness over length at each node; 0 for nodes without a joint.
    bend: Vec<f64>,
    /// Rest curvature times length at each node.
    rest: Vec<f64>,
    /// Indices of the clamps at the first and the last node.
    clamps: [Option<usize>; 2],
}

/// Joints of a chain at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChainJoints<'a> {
    /// Index of the first node.
    pub first: usize,
    /// Bending stiffness over length at each node.
    pub bend: &'a [f64],
    /// Rest curvature times length at each node.
    pub rest: &'a [f64],
    /// Directions of the clamps at the first and the last node.
    pub ends: [Option<Vec3>; 2],
}

impl Chain {
    /// Returns the chain of a layout; `None` if the layout is not a chain.
    pub(super) fn new(layout: &Layout) -> Option<Self> {
        let edge = |slot: &Slot| match *slot {
            Slot::Edge { a, b } if b == a + 1 => Some(a),
            _ => None,
        };
        let clamp = |slot: Option<&Slot>| match slot {
            Some(Slot::Clamp(clamp)) => Some(*clamp),
            _ => None,
        };
        let clamps = [clamp(layout.slots.first()), clamp(layout.slots.last())];
        let [skipped, left] = clamps.map(|clamp| usize::from(clamp.is_some()));
        let edges = layout.slots.get(skipped..layout.slots.len().checked_sub(left)?)?;
        let first = edge(edges.first()?)?;
        let is_row = edges.iter().enumerate().all(|(k, slot)| edge(slot) == Some(first + k));
        // A ring has one joint more than a row of the same length.
        if !is_row || layout.joints.len() + 1 != layout.slots.len() {
            return None;
        }
        let values = |of: fn(&super::layout::Joint) -> f64| {
            let mut values = vec![0.0; edges.len() + 1];
            let start = 1 - skipped;
            for (value, joint) in values[start..].iter_mut().zip(&layout.joints) {
                *value = of(joint);
            }
            values
        };
        let (bend, rest) = (values(|joint| joint.bend[0]), values(|joint| joint.rest[0]));
        Some(Self { first, bend, rest, clamps })
    }

    /// Returns the joints, with the directions of the clamps from `tangent`.
    pub(super) fn joints(&self, tangent: impl Fn(usize) -> Vec3) -> ChainJoints<'_> {
        let Self { first, bend, rest, clamps } = self;
        ChainJoints { first: *first, bend, rest, ends: clamps.map(|clamp| clamp.map(&tangent)) }
    }
}

/// Computation of the bending force, and of the twist force by a torque in a chain between two
/// clamps.
struct Bending<'a, const A: usize, const TWISTS: bool> {
    chain: Bent<'a, A>,
    torque: f64,
    f: &'a mut [f64],
}

/// Adds the force of bending to `f`. In space also adds the force of twist, if there is a torque.
pub(super) fn add_bending(
    axes: usize,
    joints: ChainJoints<'_>,
    torque: Option<f64>,
    x: &[f64],
    f: &mut [f64],
) {
    let set = Instructions::best();
    match (axes, torque) {
        (2, _) => {
            set.run_with(Bending::<2, false> { chain: Bent { joints, x }, torque: 0.0, f });
        }
        (_, None) => {
            set.run_with(Bending::<3, false> { chain: Bent { joints, x }, torque: 0.0, f });
        }
        (_, Some(torque)) => {
            set.run_with(Bending::<3, true> { chain: Bent { joints, x }, torque, f });
        }
    }
}

/// Product of the overlaps (see `phase`) from the clamp at the start of a chain to the clamp at its
/// end.
struct Carrying<'a>(Bent<'a, 3>);

/// Product of the overlaps (see `phase`) from the clamp at the start of a chain in space to the
/// clamp at its end.
pub(super) fn phase_along(joints: ChainJoints<'_>, x: &[f64]) -> Complex<f64> {
    Instructions::best().run_with(Carrying(Bent { joints, x }))
}

/// A chain at a state.
#[derive(Clone, Copy)]
struct Bent<'a, const A: usize> {
    joints: ChainJoints<'a>,
    x: &'a [f64],
}

/// Loads vector `i`; 0 beyond the end of the numbers.
#[inline(always)]
fn load<S: WideSimd>(simd: S, numbers: &[f64], i: usize) -> Vector<S> {
    match S::as_simd_f64s(numbers).0.get(i) {
        Some(vector) => Vector::new(simd, *vector),
        None => {
            let start = (i * S::F64_LANES).min(numbers.len());
            Vector::new(simd, simd.partial_load_f64s(&numbers[start..]))
        }
    }
}

/// Stores vector `i`, up to the end of the numbers.
#[inline(always)]
fn store<S: WideSimd>(simd: S, numbers: &mut [f64], i: usize, vector: Vector<S>) {
    match S::as_mut_simd_f64s(numbers).0.get_mut(i) {
        Some(place) => *place = vector.numbers(),
        None => simd.partial_store_f64s(&mut numbers[i * S::F64_LANES..], vector.numbers()),
    }
}

/// Replaces the numbers from a lane on.
#[inline(always)]
fn patch<S: WideSimd>(simd: S, vector: &mut Vector<S>, lane: usize, number: f64) {
    let mut numbers = [0.0; 8];
    vector.write(&mut numbers, 0);
    for place in &mut numbers[lane..] {
        *place = number;
    }
    *vector = Vector::read(simd, &numbers, 0);
}

/// Derivatives of the energy of joints with respect to the edges before and after them.
struct Slopes<S: WideSimd, const A: usize> {
    by_e: [Vector<S>; A],
    by_f: [Vector<S>; A],
}

impl<const A: usize> Bent<'_, A> {
    /// Returns the positions of the nodes and of their next nodes, per axis.
    #[inline(always)]
    fn nodes(&self) -> [[&[f64]; 2]; A] {
        let (n, count, first) = (self.x.len() / A, self.joints.bend.len(), self.joints.first);
        let mut nodes: [[&[f64]; 2]; A] = [[&[]; 2]; A];
        for axis in 0..A {
            let from = &self.x[axis * n + first..][..count];
            nodes[axis] = [from, &from[1..]];
        }
        nodes
    }

    /// Returns the directions and inverse lengths of vector `i` of the edges.
    #[inline(always)]
    fn edges<S: WideSimd>(
        &self,
        simd: S,
        nodes: &[[&[f64]; 2]; A],
        i: usize,
    ) -> ([Vector<S>; A], Vector<S>) {
        let ChainJoints { bend, ends, .. } = self.joints;
        let count = bend.len();
        let mut t = [Vector::splat(simd, 0.0); A];
        let mut square = Vector::splat(simd, 0.0);
        for axis in 0..A {
            let [from, to] = nodes[axis];
            t[axis] = load(simd, to, i) - load(simd, from, i);
            square += t[axis] * t[axis];
        }
        let mut inverse = Vector::splat(simd, 1.0) / square.sqrt();
        t = scaled(t, inverse);
        if let (Some(tangent), true) = (ends[1], (count - 1) / S::F64_LANES == i) {
            let lane = (count - 1) % S::F64_LANES;
            patch(simd, &mut inverse, lane, 0.0);
            for axis in 0..A {
                patch(simd, &mut t[axis], lane, tangent[axis]);
            }
        }
        (t, inverse)
    }

    /// Returns the derivatives of the bending energy at vector `i` of the joints, and 1/(1 +
    /// t_e·t_f).
    #[inline(always)]
    fn slopes<S: WideSimd>(
        &self,
        simd: S,
        i: usize,
        [e, f]: [&[Vector<S>; A]; 2],
        [own, next]: [Vector<S>; 2],
    ) -> (Slopes<S, A>, Vector<S>) {
        let (zero, one) = (Vector::splat(simd, 0.0), Vector::splat(simd, 1.0));
        let bend = load(simd, self.joints.bend, i);
        let mut c = zero;
        for axis in 0..A {
            c += e[axis] * f[axis];
        }
        let over = one / (one + c).larger(Vector::splat(simd, MIN));
        let mut slopes = Slopes { by_e: [zero; A], by_f: [zero; A] };
        if A == 2 {
            let rest = load(simd, self.joints.rest, i);
            let kappa = Vector::splat(simd, 2.0) * over * (e[0] * f[1] - e[1] * f[0]);
            let rate = one + Vector::splat(simd, 0.25) * kappa * kappa;
            let slope = bend * (kappa - rest) * rate;
            let (slope_e, slope_f) = (-slope * own, slope * next);
            slopes.by_e[0] = -slope_e * e[1];
            slopes.by_e[1] = slope_e * e[0];
            slopes.by_f[0] = -slope_f * f[1];
            slopes.by_f[1] = slope_f * f[0];
        } else {
            let slope = Vector::splat(simd, -4.0) * bend * over * over;
            let (slope_e, slope_f) = (slope * own, slope * next);
            for axis in 0..A {
                slopes.by_e[axis] = slope_e * (f[axis] - c * e[axis]);
                slopes.by_f[axis] = slope_f * (e[axis] - c * f[axis]);
            }
        }
        // A lane without a joint may have no edge.
        let is_none = bend.is_zero();
        slopes.by_e = is_none.choose([zero; A], slopes.by_e);
        slopes.by_f = is_none.choose([zero; A], slopes.by_f);
        (slopes, over)
    }
}

impl<S: WideSimd, const A: usize> Slopes<S, A> {
    /// Adds the derivatives of the twist in space times a factor, which is the torque over
    /// 1 + t_e·t_f.
    #[inline(always)]
    fn add_twist(
        &mut self,
        factor: Vector<S>,
        [e, f]: [&[Vector<S>; A]; 2],
        [own, next]: [Vector<S>; 2],
    ) {
        let (by_e, by_f) = (factor * own, factor * next);
        for axis in 0..A {
            let (p, q) = ((axis + 1) % A, (axis + 2) % A);
            let across = e[p] * f[q] - e[q] * f[p];
            self.by_e[axis] += by_e * across;
            self.by_f[axis] += by_f * across;
        }
    }
}

impl WideWork for Carrying<'_> {
    type Output = Complex<f64>;

    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) -> Complex<f64> {
        let Self(chain) = self;
        let count = chain.joints.bend.len();
        let nodes = chain.nodes();
        let [start, _] = chain.joints.ends.map(Option::unwrap_or_default);
        let mut before = phase::spinor(Vector::splat_all(simd, start));
        let vectors_per_row = PARTS / S::F64_LANES;
        let one = [Vector::splat(simd, 1.0), Vector::splat(simd, 0.0)];
        let mut products = [one; PARTS];
        for i in 0..count.div_ceil(S::F64_LANES) {
            if i > 0 && i.is_multiple_of(vectors_per_row * FACTORS) {
                for part in 0..vectors_per_row {
                    products[part] = phase::normalized(products[part]);
                }
            }
            let next = phase::spinor(chain.edges(simd, &nodes, i).0);
            let mut own = next;
            for component in 0..own.len() {
                own[component] = next[component].before(before[component]);
            }
            let mut factor = phase::overlap(&own, &next);
            if (i + 1) * S::F64_LANES > count {
                patch(simd, &mut factor[0], count % S::F64_LANES, 1.0);
                patch(simd, &mut factor[1], count % S::F64_LANES, 0.0);
            }
            let part = i % vectors_per_row;
            products[part] = phase::multiplied(products[part], factor);
            before = next;
        }
        let mut parts = [[0.0; PARTS]; 2];
        for part in 0..vectors_per_row {
            products[part][0].store(&mut parts[0], part);
            products[part][1].store(&mut parts[1], part);
        }
        phase::joined(std::array::from_fn(|k| [parts[0][k], parts[1][k]]))
    }
}

impl<const A: usize, const TWISTS: bool> WideWork for Bending<'_, A, TWISTS> {
    type Output = ();

    /// Adds the forces. The nodes are processed one vector behind the joints, because the force on
    /// an edge depends on the joint after it.
    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) {
        let Self { chain, torque, f } = self;
        let ChainJoints { first, bend, ends, .. } = chain.joints;
        let (n, count) = (chain.x.len() / A, bend.len());
        let nodes = chain.nodes();
        let mut forces: [&mut [f64]; A] = std::array::from_fn(|_| Default::default());
        for (force, f) in forces.iter_mut().zip(f.chunks_exact_mut(n)) {
            *force = &mut f[first..first + count];
        }
        let zero = Vector::splat(simd, 0.0);
        let mut before = (Vector::splat_all(simd, [0.0; A]), zero);
        if let Some(tangent) = ends[0] {
            for axis in 0..A {
                before.0[axis] = Vector::splat(simd, tangent[axis]);
            }
        }
        let vectors = count.div_ceil(S::F64_LANES);
        let mut last = Slopes { by_e: [zero; A], by_f: [zero; A] };
        let mut pulled = [zero; A];
        for i in 0..=vectors {
            let mut slopes = Slopes { by_e: [zero; A], by_f: [zero; A] };
            if i < vectors {
                let (t, inverse) = chain.edges(simd, &nodes, i);
                let mut e = t;
                for axis in 0..A {
                    e[axis] = t[axis].before(before.0[axis]);
                }
                let inverses = [inverse.before(before.1), inverse];
                let over;
                (slopes, over) = chain.slopes(simd, i, [&e, &t], inverses);
                if TWISTS {
                    slopes.add_twist(Vector::splat(simd, torque) * over, [&e, &t], inverses);
                }
                before = (t, inverse);
            }
            if i > 0 {
                for axis in 0..A {
                    let pull = last.by_e[axis].after(slopes.by_e[axis]) + last.by_f[axis];
                    let sum = load(simd, forces[axis], i - 1) + pull - pull.before(pulled[axis]);
                    store(simd, forces[axis], i - 1, sum);
                    pulled[axis] = pull;
                }
            }
            last = slopes;
        }
    }
}
