//! Force of bending of round rods, in loops over slices that are compiled for each instruction set.
//! Results are bit-identical on every instruction set, because sums are not reordered.
//!
//! In space the rod is straight at rest; in the plane it may be curved. See `joint` for the
//! formulas. `chain` computes rods along consecutive nodes in one pass.

use super::chain::{Chain, MIN};
use super::layout::{Layout, Slot};
use crate::body::vector::Vec3;
use crate::instructions::Instructions;
use pulp::NullaryFnOnce;

/// Edges between consecutive nodes: edge i of the run goes from node `a` + i to `a` + i + 1.
#[derive(Clone, Copy, Debug, PartialEq)]
struct EdgeRun {
    slot: usize,
    a: usize,
    count: usize,
}

/// Constants of a layout, one number per joint.
#[derive(Clone, Debug, Default)]
pub(super) struct LaneLayout {
    runs: Vec<EdgeRun>,
    /// Edges between nodes that are not consecutive, as (slot, a, b).
    loose: Vec<(usize, usize, usize)>,
    /// Clamps, as (slot, clamp).
    clamps: Vec<(usize, usize)>,
    bend: Vec<f64>,
    rest: Vec<f64>,
    slots: usize,
    /// The rod as a chain of consecutive nodes; `None` for a rod that is not a chain.
    pub(super) chain: Option<Chain>,
}

impl LaneLayout {
    pub(super) fn new(layout: &Layout) -> Self {
        let (slots, chain) = (layout.slots.len(), Chain::new(layout));
        let mut lanes = Self { slots, chain, ..Self::default() };
        for (slot, kind) in layout.slots.iter().enumerate() {
            match *kind {
                Slot::Clamp(clamp) => lanes.clamps.push((slot, clamp)),
                Slot::Edge { a, b } if b == a + 1 => match lanes.runs.last_mut() {
                    Some(run) if run.slot + run.count == slot && run.a + run.count == a => {
                        run.count += 1;
                    }
                    _ => lanes.runs.push(EdgeRun { slot, a, count: 1 }),
                },
                Slot::Edge { a, b } => lanes.loose.push((slot, a, b)),
            }
        }
        lanes.bend = layout.joints.iter().map(|joint| joint.bend[0]).collect();
        lanes.rest = layout.joints.iter().map(|joint| joint.rest[0]).collect();
        lanes
    }
}

/// Adds the force of bending to `f`, and in space also the force of twist. `tangent` returns the
/// direction of a clamp. `torques` has the torque at each joint; it is empty for a rod without
/// twist.
pub(super) fn add_bending(
    axes: usize,
    lanes: &LaneLayout,
    x: &[f64],
    tangent: impl Fn(usize) -> Vec3,
    torques: &[f64],
    f: &mut [f64],
) {
    let tangents: Vec<Vec3> = lanes.clamps.iter().map(|(_, clamp)| tangent(*clamp)).collect();
    let tangents = tangents.as_slice();
    match axes {
        2 => Instructions::best().run(Bending::<2> { lanes, x, tangents, torques: &[], f }),
        _ => Instructions::best().run(Bending::<3> { lanes, x, tangents, torques, f }),
    }
}

struct Bending<'a, const A: usize> {
    lanes: &'a LaneLayout,
    x: &'a [f64],
    tangents: &'a [Vec3],
    torques: &'a [f64],
    f: &'a mut [f64],
}

/// Directions and inverse lengths of all slots, with the first one repeated after the last.
struct Directions<const A: usize> {
    t: [Vec<f64>; A],
    inverse: Vec<f64>,
}

impl<const A: usize> Bending<'_, A> {
    #[inline(always)]
    fn directions(&self) -> Directions<A> {
        let (lanes, n) = (self.lanes, self.x.len() / A);
        let mut t: [Vec<f64>; A] = std::array::from_fn(|_| vec![0.0; lanes.slots + 1]);
        let mut inverse = vec![0.0; lanes.slots + 1];
        for &EdgeRun { slot, a, count } in &lanes.runs {
            let mut square = vec![0.0; count];
            for (axis, t) in t.iter_mut().enumerate() {
                let (from, to) =
                    (&self.x[axis * n + a..][..count], &self.x[axis * n + a + 1..][..count]);
                let t = &mut t[slot..][..count];
                for i in 0..count {
                    let d = to[i] - from[i];
                    t[i] = d;
                    square[i] += d * d;
                }
            }
            let inverse = &mut inverse[slot..][..count];
            for i in 0..count {
                inverse[i] = 1.0 / square[i].sqrt();
            }
            for t in &mut t {
                let t = &mut t[slot..][..count];
                for i in 0..count {
                    t[i] *= inverse[i];
                }
            }
        }
        for &(slot, a, b) in &lanes.loose {
            let d: [f64; A] =
                std::array::from_fn(|axis| self.x[axis * n + b] - self.x[axis * n + a]);
            let mut square = 0.0;
            d.iter().for_each(|d| square += d * d);
            inverse[slot] = 1.0 / square.sqrt();
            for (t, d) in t.iter_mut().zip(d) {
                t[slot] = d * inverse[slot];
            }
        }
        for (&(slot, _), tangent) in lanes.clamps.iter().zip(self.tangents) {
            for (t, component) in t.iter_mut().zip(tangent) {
                t[slot] = *component;
            }
        }
        for t in &mut t {
            t[lanes.slots] = t[0];
        }
        inverse[lanes.slots] = inverse[0];
        Directions { t, inverse }
    }

    /// Computes the derivatives of the energy with respect to each slot: first of the joint after
    /// the slot, then of the joint before it.
    #[inline(always)]
    fn gradients(&self, directions: &Directions<A>) -> [[Vec<f64>; A]; 2] {
        let Directions { t, inverse } = directions;
        let (slots, joints) = (self.lanes.slots, self.lanes.bend.len());
        let zeros = || std::array::from_fn(|_| vec![0.0; slots + 1]);
        let (mut after, mut before): ([Vec<f64>; A], [Vec<f64>; A]) = (zeros(), zeros());
        let (bend, rest) = (&self.lanes.bend[..joints], &self.lanes.rest[..joints]);
        let (own, next) = (&inverse[..joints], &inverse[1..][..joints]);
        let e: [&[f64]; A] = std::array::from_fn(|axis| &t[axis][..joints]);
        let f: [&[f64]; A] = std::array::from_fn(|axis| &t[axis][1..][..joints]);
        let [mut by_e, mut by_f] = [&mut after, &mut before].map(<[Vec<f64>; A]>::each_mut);
        let by_e: [&mut [f64]; A] = by_e.each_mut().map(|list| &mut list[..joints]);
        let by_f: [&mut [f64]; A] = by_f.each_mut().map(|list| &mut list[1..][..joints]);
        for k in 0..joints {
            let mut c = 0.0;
            for axis in 0..A {
                c += e[axis][k] * f[axis][k];
            }
            let over = 1.0 / (1.0 + c).max(MIN);
            if A == 2 {
                let kappa = 2.0 * over * (e[0][k] * f[1][k] - e[1][k] * f[0][k]);
                let slope = bend[k] * (kappa - rest[k]) * (1.0 + 0.25 * kappa * kappa);
                let (slope_e, slope_f) = (-slope * own[k], slope * next[k]);
                by_e[0][k] = -slope_e * e[1][k];
                by_e[1][k] = slope_e * e[0][k];
                by_f[0][k] = -slope_f * f[1][k];
                by_f[1][k] = slope_f * f[0][k];
            } else {
                let slope = -4.0 * bend[k] * over * over;
                let (slope_e, slope_f) = (slope * own[k], slope * next[k]);
                for axis in 0..A {
                    by_e[axis][k] = slope_e * (f[axis][k] - c * e[axis][k]);
                    by_f[axis][k] = slope_f * (e[axis][k] - c * f[axis][k]);
                }
            }
        }
        if A == 3 && !self.torques.is_empty() {
            self.add_twist(directions, [&mut after, &mut before]);
        }
        for before in &mut before {
            before[0] += before[slots];
        }
        [after, before]
    }

    /// Adds the derivatives of the twist times the torques, in the order of
    /// [`gradients`](Self::gradients).
    #[inline(always)]
    fn add_twist(&self, directions: &Directions<A>, [after, before]: [&mut [Vec<f64>; A]; 2]) {
        let Directions { t, inverse } = directions;
        let joints = self.torques.len();
        let (torques, own, next) = (self.torques, &inverse[..joints], &inverse[1..][..joints]);
        let [e, f] = [0, 1].map(|from| [0, 1, 2].map(|axis| &t[axis][from..][..joints]));
        for axis in 0..A {
            let (p, q) = ((axis + 1) % 3, (axis + 2) % 3);
            let by_e = &mut after[axis][..joints];
            let by_f = &mut before[axis][1..][..joints];
            for k in 0..joints {
                let c = e[0][k] * f[0][k] + e[1][k] * f[1][k] + e[2][k] * f[2][k];
                let pull = torques[k] * (1.0 / (1.0 + c).max(MIN));
                let across = e[p][k] * f[q][k] - e[q][k] * f[p][k];
                by_e[k] += pull * own[k] * across;
                by_f[k] += pull * next[k] * across;
            }
        }
    }
}

impl<const A: usize> NullaryFnOnce for Bending<'_, A> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let directions = self.directions();
        let [after, before] = self.gradients(&directions);
        let Self { lanes, x, f, .. } = self;
        let n = x.len() / A;
        for axis in 0..A {
            let (after, before) = (&after[axis], &before[axis]);
            for &EdgeRun { slot, a, count } in &lanes.runs {
                let (after, before) = (&after[slot..][..count], &before[slot..][..count]);
                let at_a = &mut f[axis * n + a..][..count];
                for i in 0..count {
                    at_a[i] += after[i] + before[i];
                }
                let at_b = &mut f[axis * n + a + 1..][..count];
                for i in 0..count {
                    at_b[i] -= after[i] + before[i];
                }
            }
            for &(slot, a, b) in &lanes.loose {
                let force = after[slot] + before[slot];
                f[axis * n + a] += force;
                f[axis * n + b] -= force;
            }
        }
    }
}
