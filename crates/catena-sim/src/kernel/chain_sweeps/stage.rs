//! Stages of a wavefront, and the transition from the last stage to the first.

use super::{
    SweptChain, SweptStates,
    rows::{FREE, MASS, Rows},
};
use crate::kernel::{
    held_spring::node_at,
    node_forces::{ADDENDS, Addend, NodeConstants, NodeForceLanes, NodeForces, NodeUpdate},
    steps::Steps,
    swept_spring::SweptSpring,
};
use crate::lane::{CacheLine, Lane, LaneMask, Mask, Vector, WideSimd};

/// State of a stage between ticks. Aligned, because loads across two cache lines are several times
/// slower.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct WaveStage<S: WideSimd, const D: usize> {
    /// The carried node after the correction of the previous spring.
    at: [Vector<S>; D],
    /// The node that the stage passed on at the last tick.
    given: [Vector<S>; D],
    /// Tensions after the corrections of the last two ticks, by the parity of the tick.
    tension: [Vector<S>; 2],
}

/// Position of a node in each lane.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct StagePlaces<S: WideSimd, const D: usize>([Vector<S>; D]);

/// A wavefront with all of its inputs.
pub(super) struct Wave<'a, 'b, S: WideSimd, const D: usize, const GIVES: bool> {
    simd: S,
    chain: &'a SweptChain<'b>,
    motion: SweptStates<'a>,
    rows: &'a Rows,
    order: [Option<Addend>; ADDENDS],
    forces: NodeForceLanes<Vector<S>, D>,
    update: NodeUpdate<Vector<S>>,
    springs: SweptSpring<Vector<S>, GIVES>,
    stages: Vec<WaveStage<S, D>>,
    /// Positions at the start of a step for the nodes in stages, by slot.
    starts: Vec<StagePlaces<S, D>>,
    /// Position at which the previous node arrived, for the length of the spring between it and the
    /// next node.
    arrived: [Vector<S>; D],
    /// Lanes whose step has an unconverged spring.
    is_loose: Mask<S>,
    unconverged: u64,
}

/// Nodes with their velocities.
type Moving<S, const D: usize> = ([Vector<S>; D], [Vector<S>; D]);

impl<'a, 'b, S: WideSimd, const D: usize, const GIVES: bool> Wave<'a, 'b, S, D, GIVES> {
    #[inline(always)]
    pub(super) fn new(
        simd: S,
        chain: &'a SweptChain<'b>,
        motion: SweptStates<'a>,
        rows: &'a Rows,
        forces: &NodeForces<D>,
    ) -> Self {
        let zero = Vector::splat(simd, 0.0);
        let none = [zero; D];
        let stage = WaveStage { at: none, given: none, tension: [zero; 2] };
        Self {
            simd,
            chain,
            motion,
            rows,
            order: forces.order,
            forces: forces.wide(simd),
            update: NodeUpdate::new(
                simd,
                &Steps { dt: chain.h, count: 1, with_new: true, is_exact: false },
            ),
            springs: SweptSpring::new(simd, chain.law, chain.h),
            stages: vec![stage; chain.iterations],
            starts: vec![StagePlaces(none); rows.stride],
            arrived: none,
            is_loose: zero.is_below(zero),
            unconverged: 0,
        }
    }

    /// Takes all steps and returns the number of unconverged ones.
    #[inline(always)]
    pub(super) fn roll(mut self, steps: u64) -> u64 {
        let period = self.rows.period;
        let rounds = steps as usize / S::F64_LANES;
        let ticks = rounds * period + self.rows.stride * S::F64_LANES + 1;
        let mut slot = 0;
        for t in 0..ticks {
            let entering = self.hand_over(t, slot, rounds);
            self.correct(t, slot, entering);
            slot = if slot + 1 == period { 0 } else { slot + 1 };
        }
        self.unconverged
    }

    /// Corrects one spring in every lane of every stage, the last stage first. Each stage reads the
    /// results of the previous stage at the last tick.
    #[inline(always)]
    fn correct(&mut self, t: usize, slot: usize, entering: [Vector<S>; D]) {
        let (period, parity) = (self.rows.period, t % 2);
        let zero = Vector::splat(self.simd, 0.0);
        for k in (1..self.stages.len()).rev() {
            let slot = if slot >= 2 * k { slot - 2 * k } else { slot + period - 2 * k };
            let WaveStage { given, tension, .. } = self.stages[k - 1];
            self.stages[k] = self.corrected(
                self.stages[k],
                self.rows.place(slot),
                given,
                tension[parity],
                parity,
            );
        }
        self.stages[0] =
            self.corrected(self.stages[0], self.rows.place(slot), entering, zero, parity);
    }

    /// Returns a stage after the correction of the springs from its carried nodes to the next ones.
    #[inline(always)]
    fn corrected(
        &self,
        stage: WaveStage<S, D>,
        place: usize,
        next: [Vector<S>; D],
        tension: Vector<S>,
        parity: usize,
    ) -> WaveStage<S, D> {
        let (mut carried, mut next) = (stage.at, next);
        let spring = self.rows.spring::<S, GIVES>(self.simd, place, tension);
        let mut after = stage;
        after.tension[parity] = self.springs.correct(&mut carried, &mut next, &spring);
        (after.given, after.at) = (carried, next);
        after
    }

    /// Ends the step of the nodes that left the last stage at the last tick, and starts the next
    /// step in the next lane. Writes the node that leaves the last lane; lane 0 reads the node of
    /// the slot. Counts unconverged steps. Returns the predicted positions of the nodes that enter
    /// the first stage.
    #[inline(always)]
    fn hand_over(&mut self, t: usize, slot: usize, rounds: usize) -> [Vector<S>; D] {
        let (simd, rows) = (self.simd, self.rows);
        let place = rows.place(slot);
        let (stride, lanes) = (rows.stride, S::F64_LANES);
        let (x, v) = self.arrivals(t, place);
        // Index of the last lane's node in the stream of slots; `None` before its first node
        // arrives.
        if let Some(back) =
            t.checked_sub(stride * lanes).filter(|back| *back < rounds * rows.period)
        {
            self.put(back, rounds, t % 2, &x, &v);
        }
        if GIVES && slot.is_multiple_of(stride) {
            self.count_lanes(t, slot);
        }
        let node = self.fetch(slot, t < rows.period);
        let (mut at, mut moving) = (x, v);
        for axis in 0..D {
            at[axis] = x[axis].before(Vector::splat(simd, node[0][axis]));
            moving[axis] = v[axis].before(Vector::splat(simd, node[1][axis]));
        }
        self.starts[t % stride] = StagePlaces(at);
        self.predicted(place, at, moving)
    }

    /// Returns the nodes that left the last stage, with positions and velocities at the end of
    /// their step. Pins are at their fixed positions. Also checks the springs before these nodes,
    /// if springs have a compliance.
    #[inline(always)]
    fn arrivals(&mut self, t: usize, place: usize) -> Moving<S, D> {
        let simd = self.simd;
        let last = self.stages[self.stages.len() - 1];
        let given = last.given;
        if GIVES {
            self.check_spring(place, &given, last.tension[t % 2]);
            self.arrived = given;
        }
        let StagePlaces(start) = self.starts[t % self.rows.stride];
        let (h, zero) = (Vector::splat(simd, self.chain.h), Vector::splat(simd, 0.0));
        let is_free = self.is_free(place + 1);
        let (mut x, mut v) = (given, given);
        for axis in 0..D {
            let displacement = given[axis] - start[axis];
            x[axis] = is_free.select(given[axis], start[axis]);
            v[axis] = is_free.select(displacement / h, zero);
        }
        (x, v)
    }

    #[inline(always)]
    fn is_free(&self, place: usize) -> Mask<S> {
        self.rows.at(self.simd, place, FREE).is_above(Vector::splat(self.simd, 0.0))
    }

    /// Marks the lanes in which the length of the spring before the arriving node does not match
    /// its tension.
    #[inline(always)]
    fn check_spring(&mut self, place: usize, given: &[Vector<S>; D], tension: Vector<S>) {
        let spring = self.rows.spring::<S, GIVES>(self.simd, place + 1, tension);
        self.is_loose = self.is_loose | self.springs.is_loose(self.arrived, *given, &spring);
    }

    /// Counts the step that a lane has ended, if it is unconverged and the lane was not idle.
    /// Clears the lane's mark.
    #[inline(always)]
    fn count_lanes(&mut self, t: usize, slot: usize) {
        let simd = self.simd;
        let (stride, period) = (self.rows.stride, self.rows.period);
        // Lane that leaves slot 0 at this tick.
        let each = period / stride;
        let lane = (slot / stride + each - 1) % each;
        if lane >= S::F64_LANES {
            return;
        }
        let (one, zero) = (Vector::splat(simd, 1.0), Vector::splat(simd, 0.0));
        let mut flags = CacheLine::all(0.0);
        flags.set(0, self.is_loose.select(one, zero));
        let is_step = t >= stride * (lane + 1) + period;
        self.unconverged += u64::from(is_step && flags.0[lane] > 0.0);
        flags.0[lane] = 0.0;
        self.is_loose = flags.get(simd, 0).is_above(zero);
    }

    /// Predicted positions without springs at the end of the step; pins stay.
    #[inline(always)]
    fn predicted(&self, place: usize, x: [Vector<S>; D], v: [Vector<S>; D]) -> [Vector<S>; D] {
        let simd = self.simd;
        let mass = self.rows.at(simd, place, MASS);
        let node = NodeConstants { mass, inverse: mass, pinned: !self.is_free(place) };
        let mut f = [Vector::splat(simd, 0.0); D];
        for addend in self.order.into_iter().flatten() {
            match addend {
                Addend::Gravity => self.forces.add_gravity(&mut f, mass),
                Addend::Drag => self.forces.add_drag(&mut f, &v),
                Addend::Springs(_) => {}
            }
        }
        let mut predicted = x;
        for axis in 0..D {
            (predicted[axis], _) = self.update.step(&node, f[axis], x[axis], v[axis]);
        }
        predicted
    }

    /// Returns a slot's node with its velocity; zeros if it has none.
    #[inline(always)]
    fn fetch(&self, slot: usize, is_first: bool) -> [[f64; D]; 2] {
        let n = self.chain.model.nodes();
        let mut node = [[0.0; D]; 2];
        if slot < n {
            let index = node_at(n, self.chain.is_reversed, slot);
            for (which, numbers) in node.iter_mut().enumerate() {
                let from = match self.motion.start {
                    Some(start) if is_first => start[which],
                    _ => &*self.motion.end[which],
                };
                for (axis, number) in numbers.iter_mut().enumerate() {
                    *number = from[axis * n + index];
                }
            }
        }
        node
    }

    /// Writes the node of the last lane. At the end of the last step, also writes its spring's
    /// tension.
    #[inline(always)]
    fn put(
        &mut self,
        back: usize,
        rounds: usize,
        parity: usize,
        x: &[Vector<S>; D],
        v: &[Vector<S>; D],
    ) {
        let (n, period) = (self.chain.model.nodes(), self.rows.period);
        let slot = back % period;
        if slot >= n {
            return;
        }
        let reversed = self.chain.is_reversed;
        let index = node_at(n, reversed, slot);
        for axis in 0..D {
            self.motion.end[0][axis * n + index] = x[axis].last();
            self.motion.end[1][axis * n + index] = v[axis].last();
        }
        if GIVES && slot > 0 && back >= (rounds - 1) * period {
            let tension = self.stages[self.stages.len() - 1].tension[parity];
            let before = node_at(n, reversed, slot - 1);
            self.motion.tension[index.min(before)] = tension.last();
        }
    }
}
