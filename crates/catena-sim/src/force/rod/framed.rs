//! Rods whose sections have an orientation: sections that are not round, and curvature at rest.
//!
//! The angles of the sections on the edges minimise the energy at every state, unless the sections
//! have a rotational inertia (`spin`). Angles count from a frame that is carried along the rod
//! without spin. Newton's method solves for them with a tridiagonal matrix, starting from the
//! angles of the last step. At the minimum the force at fixed angles is the whole force. The angles
//! contribute the term W C⁻¹ Wᵀ to the derivative of the force. C holds the second derivatives of
//! the energy with respect to the angles, and W the mixed second derivatives with respect to
//! positions and angles.

use super::clamp::{Frame, carried};
use super::derivative::add_hessian;
use super::framed_joint::FramedJoint;
use super::joint::{Edge, Gradient};
use super::layout::Slot;
use super::strand::{Laid, Strand, start_frame};
use super::twist::{self, near};
use super::{Reading, layout::Layout};
use crate::body::vector::{Vec3, along};
use crate::body::{Body, State};
use crate::force::{Blocks, Coupling, Shared};
use std::borrow::Cow;
use std::f64::consts::TAU;

/// Maximum number of iterations of Newton's method.
const MAX_ITERATIONS: u32 = 50;
/// Maximum change of an angle, in radians, at which Newton's method has converged.
const EXACT: f64 = 1e-14;
/// Share of the torsional stiffness that is added to C where no clamp holds the sections. Otherwise
/// C is singular for a straight rod, which can rotate as a whole.
const SHIFT: f64 = 1e-9;
/// Maximum change of an angle in one iteration, in radians.
const MAX_CHANGE: f64 = 0.5;

/// A framed rod at a state.
pub(super) struct Framed<'a> {
    pub laid: Cow<'a, Laid>,
    pub edges: Vec<Edge>,
    /// Frames that are carried along the rod without spin.
    carried: Vec<Frame>,
    /// Angles of the sections relative to the carried frames, in radians.
    angles: Vec<f64>,
    /// Frames of the sections: the carried ones, rotated by their angles.
    pub frames: Vec<Frame>,
    /// Angle by which the carried frame turns around a ring, including the ring's own turns.
    closing: f64,
    /// Angle of each clamp relative to the carried frame, without the clamp's own turn; for the
    /// memory.
    held: Vec<f64>,
}

/// Parts of the memory.
struct Remembered<'a> {
    normal: Option<&'a [f64]>,
    edges: &'a [f64],
    held: &'a [f64],
    closing: f64,
}

impl Strand {
    /// Number of values in the memory: the first normal, angles of edges and of clamps, the closing
    /// angle of a ring, and the spin of sections with inertia.
    pub(super) fn framed_numbers(&self) -> usize {
        self.angle_numbers() + self.spin_numbers()
    }

    /// Number of values in the memory before the values of the spin.
    pub(super) fn angle_numbers(&self) -> usize {
        3 + self.rod.springs.len() + self.holders.len() + 1
    }

    fn remembered<'a>(&self, memory: &'a [f64]) -> Remembered<'a> {
        if memory.len() < self.framed_numbers() || memory[..3] == [0.0; 3] {
            return Remembered { normal: None, edges: &[], held: &[], closing: 0.0 };
        }
        let (normal, rest) = memory.split_at(3);
        let (edges, rest) = rest.split_at(self.rod.springs.len());
        let (held, rest) = rest.split_at(self.holders.len());
        Remembered { normal: Some(normal), edges, held, closing: rest[0] }
    }

    /// Computes the frames and angles at a state.
    pub(super) fn framed(&self, body: &Body<'_>, state: &State, memory: &[f64]) -> Framed<'_> {
        let laid = self.laid(body);
        let edges = self.edges(&laid.layout, body.model.nodes(), state);
        let before = self.remembered(memory);
        let slots = &laid.layout.slots;
        let first = match slots[0] {
            Slot::Clamp(clamp) => self.holders[clamp].frame(state.t),
            Slot::Edge { .. } => {
                let normal = before.normal.map_or(self.start_normal, |n| [n[0], n[1], n[2]]);
                start_frame(normal, edges[0].t)
            }
        };
        let mut carried_frames = vec![first];
        for pair in edges.windows(2) {
            let normal =
                carried(carried_frames[carried_frames.len() - 1].normal, pair[0].t, pair[1].t);
            carried_frames.push(Frame { tangent: pair[1].t, normal });
        }
        let mut held = vec![0.0; self.holders.len()];
        let (mut angles, mut edge) = (Vec::with_capacity(slots.len()), 0);
        for (slot, frame) in slots.iter().zip(&carried_frames) {
            match *slot {
                Slot::Clamp(clamp) => {
                    let holder = &self.holders[clamp];
                    let expected = before.held.get(clamp).copied().unwrap_or(0.0);
                    held[clamp] = near(frame.angle_to(holder.frame(state.t).normal), expected);
                    angles.push(held[clamp] + holder.turned(state.t));
                }
                Slot::Edge { .. } => {
                    let angle = before.edges.get(edge).copied().unwrap_or(0.0);
                    angles.push(self.angle_on(memory, edge, frame, angle));
                    edge += 1;
                }
            }
        }
        let closing = if self.rod.is_closed {
            let last = carried_frames[carried_frames.len() - 1];
            let end = last.carried(edges[0].t);
            near(end.angle_to(first.normal), before.closing)
        } else {
            0.0
        };
        let mut framed = Framed {
            laid,
            edges,
            carried: carried_frames,
            angles,
            frames: Vec::new(),
            closing: closing + TAU * self.rod.turns,
            held,
        };
        if before.normal.is_none() {
            framed.spread();
        }
        framed.rotate();
        if self.rod.inertia == 0.0 || before.normal.is_none() {
            framed.solve();
        }
        framed
    }

    /// Adds the force to `f`.
    pub(super) fn add_framed(&self, body: &Body<'_>, state: &State, memory: &[f64], f: &mut [f64]) {
        let (n, axes) = (body.model.nodes(), body.model.axes);
        let framed = self.framed(body, state, memory);
        let mut gradient = vec![[0.0; 3]; framed.edges.len()];
        for k in framed.bent() {
            let Gradient { e, f } = framed.joint(k).gradient();
            let next = framed.next(k);
            gradient[k] = along(gradient[k], 1.0, e);
            gradient[next] = along(gradient[next], 1.0, f);
        }
        for (slot, gradient) in framed.laid.layout.slots.iter().zip(&gradient) {
            let Some((a, b)) = twist::ends(*slot) else { continue };
            for (axis, gradient) in gradient.iter().enumerate().take(axes) {
                f[axis * n + a] += gradient;
                f[axis * n + b] -= gradient;
            }
        }
    }

    /// Energy of bending and of twist.
    pub(super) fn framed_energy(&self, body: &Body<'_>, state: &State, memory: &[f64]) -> [f64; 2] {
        let framed = self.framed(body, state, memory);
        framed.bent().fold([0.0, self.energy_of_spin(body, memory)], |[bending, twist], k| {
            let [more_bending, more_twist] = framed.joint(k).energy();
            [bending + more_bending, twist + more_twist]
        })
    }

    /// Adds the blocks of the derivative, and the coupling through the angles.
    pub(super) fn add_framed_jacobian(
        &self,
        body: &Body<'_>,
        state: &State,
        memory: &[f64],
        blocks: &mut Blocks<'_>,
    ) {
        let framed = self.framed(body, state, memory);
        let is_definite = blocks.is_definite();
        // Within a step, the angles of sections with inertia are constant.
        let is_free = self.rod.inertia == 0.0;
        let slots = &framed.laid.layout.slots;
        let mut angles = framed.empty_matrix();
        let mut couplings: Vec<Coupling> = Vec::new();
        let mut couple = |angle: Option<usize>, slot: Slot, by: Vec3| {
            let (Some(quantity), Some((a, b))) = (angle, twist::ends(slot)) else { return };
            for (node, sign) in [(a, -1.0), (b, 1.0)] {
                let by_x = by.map(|value| sign * value);
                couplings.push(Coupling { quantity, node, by_x });
            }
        };
        let unknowns = framed.unknowns();
        for k in framed.bent() {
            let next = framed.next(k);
            let hessian = framed.joint(k).hessian(is_definite);
            add_hessian(3, [slots[k], slots[next]].map(twist::ends), &hessian.edges, blocks);
            framed.add_angles(k, hessian.angles, &unknowns, &mut angles);
            for (side, at) in [k, next].into_iter().enumerate() {
                couple(unknowns[at], slots[k], hessian.e_angles[side]);
                couple(unknowns[at], slots[next], hessian.f_angles[side]);
            }
        }
        if angles.diagonal.is_empty() || !is_free {
            return;
        }
        couplings.sort_by_key(|coupling| (coupling.quantity, coupling.node));
        couplings.dedup_by(|next, kept| {
            let is_same = (next.quantity, next.node) == (kept.quantity, kept.node);
            if is_same {
                kept.by_x = along(kept.by_x, 1.0, next.by_x);
            }
            is_same
        });
        angles.couplings = couplings;
        angles.homes = slots.iter().filter_map(|slot| Some(twist::ends(*slot)?.0)).collect();
        framed.shift(&mut angles);
        blocks.add_shared(angles);
    }

    /// Updates the memory after a step.
    pub(super) fn remember_framed(&self, body: &Body<'_>, state: &State, memory: &mut [f64]) {
        let mut framed = self.framed(body, state, memory);
        let spin = self.advance_spin(body, state, memory, &mut framed);
        let closing = framed.closing - TAU * self.rod.turns;
        let edges = framed.laid.layout.slots.iter().zip(&framed.angles);
        let edges = edges.filter(|(slot, _)| twist::ends(**slot).is_some());
        let numbers = framed.carried[0].normal.into_iter();
        let numbers = numbers.chain(edges.map(|(_, angle)| *angle));
        let numbers: Vec<f64> =
            numbers.chain(framed.held.iter().copied()).chain([closing]).chain(spin).collect();
        memory.copy_from_slice(&numbers);
    }

    /// Measures curvature, frames and twist.
    pub(super) fn framed_reading(&self, body: &Body<'_>, state: &State, memory: &[f64]) -> Reading {
        let framed = self.framed(body, state, memory);
        let Framed { laid, edges, .. } = &framed;
        let mut rates = vec![0.0; edges.len()];
        let mut turned = 0.0;
        for k in framed.bent().filter(|&k| laid.layout.joints[k].torsion > 0.0) {
            let twist = framed.twist(k);
            let rate = self.rate(twist, &laid.layout.joints[k]);
            rates[k] += 0.5 * rate;
            rates[framed.next(k)] += 0.5 * rate;
            turned += twist / TAU;
        }
        let mut reading = Reading {
            curvature: self.curvature(&laid.layout, edges),
            turns: turned,
            ..Reading::default()
        };
        for (k, slot) in laid.layout.slots.iter().enumerate() {
            if twist::ends(*slot).is_some() {
                reading.frames.push(framed.frames[k]);
                reading.twist.push(rates[k]);
            }
        }
        reading
    }
}

/// Returns the solution of a system of angles. The diagonal is increased until the solution is a
/// descent direction.
pub(super) fn downwards(matrix: &Shared, right: &[f64]) -> Vec<f64> {
    let mut change = right.to_vec();
    matrix.solve(&mut change);
    let mut lift = SHIFT * matrix.diagonal.iter().fold(0.0, |maximum: f64, d| maximum.max(d.abs()));
    while change.iter().zip(right).map(|(a, b)| a * b).sum::<f64>() < 0.0 {
        lift *= 10.0;
        let mut lifted = matrix.clone();
        lifted.diagonal.iter_mut().for_each(|diagonal| *diagonal += lift);
        change.copy_from_slice(right);
        lifted.solve(&mut change);
    }
    change
}

impl Framed<'_> {
    fn layout(&self) -> &Layout {
        &self.laid.layout
    }

    /// Slot after a joint.
    fn next(&self, joint: usize) -> usize {
        if joint + 1 < self.edges.len() { joint + 1 } else { 0 }
    }

    /// Joints that are not broken.
    fn bent(&self) -> impl Iterator<Item = usize> + use<'_> {
        let is_whole = |k: &usize| {
            let joint = &self.layout().joints[*k];
            joint.bend != [0.0; 2] || joint.torsion > 0.0
        };
        (0..self.layout().joints.len()).filter(is_whole)
    }

    /// Angle of twist at a joint.
    fn twist(&self, k: usize) -> f64 {
        let next = self.next(k);
        let around = if next == 0 { self.closing } else { 0.0 };
        self.angles[next] + around - self.angles[k]
    }

    fn joint(&self, k: usize) -> FramedJoint<'_> {
        let next = self.next(k);
        FramedJoint {
            joint: &self.layout().joints[k],
            e: self.edges[k],
            f: self.edges[next],
            frame_e: self.frames[k],
            frame_f: self.frames[next],
            twist: self.twist(k),
        }
    }

    /// Index of the unknown of each slot; `None` for clamps.
    pub(super) fn unknowns(&self) -> Vec<Option<usize>> {
        let mut count = 0;
        let unknown = |slot: &Slot| {
            let is_edge = twist::ends(*slot).is_some();
            count += usize::from(is_edge);
            is_edge.then(|| count - 1)
        };
        self.layout().slots.iter().map(unknown).collect()
    }

    /// A matrix of zeros over the unknown angles.
    fn empty_matrix(&self) -> Shared {
        let slots = self.layout().slots.iter();
        let count = slots.filter(|slot| twist::ends(**slot).is_some()).count();
        let off_diagonal = vec![0.0; count.saturating_sub(1)];
        Shared { diagonal: vec![0.0; count], off_diagonal, ..Shared::default() }
    }

    /// Adds the second derivatives with respect to the angles at a joint.
    fn add_angles(
        &self,
        k: usize,
        [ee, ef, ff]: [f64; 3],
        unknowns: &[Option<usize>],
        to: &mut Shared,
    ) {
        let (e, f) = (unknowns[k], unknowns[self.next(k)]);
        for (unknown, value) in [(e, ee), (f, ff)] {
            if let Some(unknown) = unknown {
                to.diagonal[unknown] += value;
            }
        }
        if let (Some(e), Some(f)) = (e, f) {
            if f == e + 1 {
                to.off_diagonal[e] += ef;
            } else {
                to.corner += ef;
            }
        }
    }

    /// Shifts the diagonal for sections that no clamp holds.
    fn shift(&self, matrix: &mut Shared) {
        self.shift_by(matrix, &self.shifts());
    }

    fn shift_by(&self, matrix: &mut Shared, shifts: &[(f64, bool)]) {
        for (diagonal, (shift, is_held)) in matrix.diagonal.iter_mut().zip(shifts) {
            if !is_held || *diagonal == 0.0 {
                *diagonal += shift;
            }
        }
    }

    /// Returns the shift of each unknown angle, and whether a clamp holds its section.
    fn shifts(&self) -> Vec<(f64, bool)> {
        let is_held = self.held_slots();
        let joints = self.layout().joints.iter();
        let stiffness = joints.map(|joint| joint.torsion + joint.bend[0].max(joint.bend[1]));
        let greatest = stiffness.fold(0.0, f64::max);
        // Without any stiffness every angle is an equilibrium, and the angles do not change.
        let shift = if greatest > 0.0 { SHIFT * greatest } else { 1.0 };
        let edges = self.layout().slots.iter().zip(&is_held);
        let edges = edges.filter(|(slot, _)| twist::ends(**slot).is_some());
        edges.map(|(_, is_held)| (shift, *is_held)).collect()
    }

    /// Whether each slot is connected to a clamp by joints that resist twist.
    fn held_slots(&self) -> Vec<bool> {
        let slots = self.layout().slots.len();
        let mut is_held: Vec<bool> =
            self.layout().slots.iter().map(|slot| twist::ends(*slot).is_none()).collect();
        let joints = &self.layout().joints;
        // One pass along the rod and one pass back; a ring needs two rounds.
        for _ in 0..2 {
            for k in (0..joints.len()).chain((0..joints.len()).rev()) {
                let next = (k + 1) % slots;
                if joints[k].torsion > 0.0 {
                    let either = is_held[k] || is_held[next];
                    (is_held[k], is_held[next]) = (either, either);
                }
            }
        }
        is_held
    }

    /// Spreads the twist between clamps evenly, as the start of the search.
    fn spread(&mut self) {
        let slots: Vec<usize> = (0..self.edges.len())
            .filter(|&k| twist::ends(self.layout().slots[k]).is_none())
            .collect();
        for pair in slots.windows(2) {
            let (from, to) = (self.angles[pair[0]], self.angles[pair[1]]);
            for k in pair[0] + 1..pair[1] {
                let share = (k - pair[0]) as f64 / (pair[1] - pair[0]) as f64;
                self.angles[k] = from + share * (to - from);
            }
        }
        if let (Some(&first), Some(&last)) = (slots.first(), slots.last()) {
            let (first_angle, last_angle) = (self.angles[first], self.angles[last]);
            self.angles[..first].fill(first_angle);
            self.angles[last + 1..].fill(last_angle);
        } else if self.closing != 0.0 {
            let count = self.angles.len() as f64;
            for (k, angle) in self.angles.iter_mut().enumerate() {
                *angle = self.closing * k as f64 / count;
            }
        }
    }

    /// Second derivatives of the energy with respect to the angles, and the negated first
    /// derivatives.
    pub(super) fn by_angles(&self, unknowns: &[Option<usize>]) -> (Shared, Vec<f64>) {
        let mut matrix = self.empty_matrix();
        let mut right = vec![0.0; matrix.diagonal.len()];
        for k in self.bent() {
            let (gradient, hessian) = self.joint(k).by_angles();
            for (at, value) in [k, self.next(k)].into_iter().zip(gradient) {
                if let Some(unknown) = unknowns[at] {
                    right[unknown] -= value;
                }
            }
            self.add_angles(k, hessian, unknowns, &mut matrix);
        }
        (matrix, right)
    }

    /// Finds the angles of minimum energy by Newton's method.
    fn solve(&mut self) {
        let (unknowns, shifts) = (self.unknowns(), self.shifts());
        let mut before = f64::NAN;
        for _ in 0..MAX_ITERATIONS {
            let (mut matrix, right) = self.by_angles(&unknowns);
            if matrix.diagonal.is_empty() {
                return;
            }
            self.shift_by(&mut matrix, &shifts);
            let change = downwards(&matrix, &right);
            let greatest =
                change.iter().fold(0.0, |maximum: f64, change| maximum.max(change.abs()));
            if !change.iter().all(|change| change.is_finite()) {
                return;
            }
            let share = if greatest > MAX_CHANGE { MAX_CHANGE / greatest } else { 1.0 };
            self.turn(&unknowns, &change, share);
            if greatest > MAX_CHANGE {
                continue;
            }
            // Rounding ends the search where changes no longer shrink.
            if greatest <= EXACT || greatest >= 0.5 * before && greatest < 1e-9 {
                return;
            }
            before = greatest;
        }
    }

    /// Angles of the sections from the carried frames.
    pub(super) fn angles(&self) -> &[f64] {
        &self.angles
    }

    /// Sets the angles of the sections to the angles at the start plus a share of a change.
    pub(super) fn turn_from(
        &mut self,
        start: &[f64],
        unknowns: &[Option<usize>],
        change: &[f64],
        share: f64,
    ) {
        self.angles.copy_from_slice(start);
        self.turn(unknowns, change, share);
    }

    fn turn(&mut self, unknowns: &[Option<usize>], change: &[f64], share: f64) {
        for (angle, unknown) in self.angles.iter_mut().zip(unknowns) {
            if let Some(unknown) = *unknown {
                *angle += share * change[unknown];
            }
        }
        self.rotate();
    }

    /// Updates the frames of the sections.
    fn rotate(&mut self) {
        let pairs = self.carried.iter().zip(&self.angles);
        let rotated = pairs.map(|(frame, angle)| frame.rotated(*angle));
        self.frames.clear();
        self.frames.extend(rotated);
    }
}
