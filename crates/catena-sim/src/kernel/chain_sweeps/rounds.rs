//! Sweeps of a single step along a chain, several iterations at once. Used if a step has too many
//! iterations, or a burst too few steps, for lanes of steps.
//!
//! Lane l + 1 processes the iteration after the iteration of lane l, two springs behind it. A node
//! that a lane has finished is the input of the next lane at the next tick. The last lane writes
//! nodes and tensions back to memory. The first lane reads them for the next round of iterations,
//! which follows without a pause. If the iterations do not fill the last round, the extra lanes
//! pass nodes on unchanged in the first round. Results are bit-identical to the plain loop, as in
//! `stage`.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::{
    SweptChain,
    rows::{Rows, Workspace},
};
use crate::instructions::Instructions;
use crate::kernel::{
    held_spring::node_at,
    swept_spring::{ABSENT, Law, SweptSpring},
};
use crate::lane::{Lane, LaneMask, Vector, WideSimd, WideWork};

/// Number of slots between lanes.
const STRIDE: usize = 2;

/// Number of parallel iterations along a short chain.
const FEW: usize = 8;

/// Number of parallel iterations along a chain with at least [`STRIDE`] nodes per iteration.
const MANY: usize = 16;

/// Minimum number of nodes for which lanes are faster than the plain loop.
const MIN_NODES: usize = 8;

/// Number of parallel iterations for a chain.
fn lanes(nodes: usize, iterations: usize) -> usize {
    if nodes >= STRIDE * MANY && iterations > FEW { MANY } else { FEW }
}

/// Whether rounds are faster than the plain loop.
pub(super) fn fit(nodes: usize, iterations: usize) -> bool {
    let lanes = lanes(nodes, iterations);
    let slots = nodes.max(STRIDE * lanes);
    let ticks = iterations.div_ceil(lanes).saturating_mul(slots) + STRIDE * lanes;
    nodes >= MIN_NODES && ticks.saturating_mul(3) <= iterations.saturating_mul(2 * (nodes - 1))
}

/// Sweeps over the springs of a chain in one step. `x` holds the predicted positions, flat by axis.
/// `tension` receives the tensions of the held springs, if the law defines any. Returns whether all
/// springs meet the accuracy of the law. Returns `None` and changes nothing if the plain loop is
/// equally fast.
pub fn sweep(
    set: Instructions,
    chain: &SweptChain<'_>,
    x: &mut [f64],
    tension: &mut [f64],
    workspace: &mut Workspace,
) -> Option<bool> {
    let nodes = chain.model.nodes();
    if !fit(nodes, chain.iterations) {
        return None;
    }
    tension.fill(0.0);
    let lanes = lanes(nodes, chain.iterations);
    let rows = workspace.rows(chain, lanes, STRIDE);
    let numbers = RoundNumbers { chain, rows, lanes, x, tension };
    match (chain.model.axes, chain.law) {
        (2, Law::Share(_)) => set.run_with(Rounds::<2, false>(numbers)),
        (2, _) => set.run_with(Rounds::<2, true>(numbers)),
        (_, Law::Share(_)) => set.run_with(Rounds::<3, false>(numbers)),
        _ => set.run_with(Rounds::<3, true>(numbers)),
    }
    Some(are_exact(chain, x, tension))
}

/// Whether the length of each movable spring matches its tension. Non-finite numbers do not match.
fn are_exact(chain: &SweptChain<'_>, x: &[f64], tension: &[f64]) -> bool {
    let Law::Compliance(compliance, tolerance) = chain.law else { return true };
    let mut are_exact = true;
    for (j, spring) in chain.model.held().iter().enumerate() {
        let excess = chain.model.span(x, spring).1 - spring.rest_length;
        let residual = excess - compliance[j] * tension[j];
        let is_movable = chain.weights[spring.a] + chain.weights[spring.b] > 0.0;
        let is_exact = residual.abs() <= tolerance * spring.rest_length;
        are_exact &= is_exact | !is_movable;
    }
    are_exact
}

/// Input and output of rounds.
struct RoundNumbers<'a, 'b> {
    chain: &'a SweptChain<'b>,
    rows: &'a Rows,
    lanes: usize,
    x: &'a mut [f64],
    tension: &'a mut [f64],
}

/// All iterations of a step. `GIVES` means that springs have a compliance.
struct Rounds<'a, 'b, const D: usize, const GIVES: bool>(RoundNumbers<'a, 'b>);

impl<const D: usize, const GIVES: bool> WideWork for Rounds<'_, '_, D, GIVES> {
    type Output = ();

    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) {
        match self.0.lanes / S::F64_LANES {
            1 => roll::<S, D, GIVES, 1>(simd, self.0),
            2 => roll::<S, D, GIVES, 2>(simd, self.0),
            4 => roll::<S, D, GIVES, 4>(simd, self.0),
            _ => roll::<S, D, GIVES, 8>(simd, self.0),
        }
    }
}

/// State of a vector of lanes between ticks.
#[derive(Clone, Copy)]
struct RoundStage<S: WideSimd, const D: usize> {
    /// The carried node after the correction of the previous spring.
    at: [Vector<S>; D],
    /// The node that was passed on at the last tick.
    given: [Vector<S>; D],
    /// Tensions after the corrections of the last two ticks.
    tension: [Vector<S>; 2],
}

/// Takes all rounds, with `V` vectors of lanes.
#[inline(always)]
fn roll<S: WideSimd, const D: usize, const GIVES: bool, const V: usize>(
    simd: S,
    mut numbers: RoundNumbers<'_, '_>,
) {
    let (rows, lanes, iterations) = (numbers.rows, numbers.lanes, numbers.chain.iterations);
    let (period, zero) = (rows.period, Vector::splat(simd, 0.0));
    let springs = SweptSpring::<Vector<S>, GIVES>::new(simd, numbers.chain.law, numbers.chain.h);
    let begin = RoundStage::<S, D> { at: [zero; D], given: [zero; D], tension: [zero; 2] };
    let mut stages = [begin; V];
    let rounds = iterations.div_ceil(lanes);
    let idle = idle_until::<S, V>(simd, rounds * lanes - iterations, period);
    // Ticks from the entry of a node until the last lane processes the spring before it.
    let delay = STRIDE * (lanes - 1);
    let mut slot = 0;
    for t in 0..=rounds * period + delay {
        // If nodes pass from the last lane to the first without delay, memory would be slower.
        let mut entering = stages[V - 1].given;
        if t < period || period > STRIDE * lanes {
            entering = numbers.node(simd, slot);
        }
        let tense = if GIVES { numbers.tension(simd, slot) } else { zero };
        let time = Vector::splat(simd, t as f64);
        for v in (0..V).rev() {
            let ahead = STRIDE * S::F64_LANES * v;
            let slot = if slot >= ahead { slot - ahead } else { slot + period - ahead };
            let (node, tense) = match v.checked_sub(1) {
                Some(before) => (stages[before].given, stages[before].tension[1]),
                None => (entering, tense),
            };
            let mut spring = rows.spring::<S, GIVES>(simd, rows.place(slot), tense);
            let is_idle = time.is_below(idle[v]);
            spring.rest = is_idle.select(Vector::splat(simd, ABSENT), spring.rest);
            let RoundStage { at: mut carried, given, tension: [newer, older] } = stages[v];
            spring.tension = older.before(tense);
            let mut next = node;
            for axis in 0..D {
                next[axis] = given[axis].before(node[axis]);
            }
            let after = springs.correct(&mut carried, &mut next, &spring);
            stages[v] = RoundStage { at: next, given: carried, tension: [after, newer] };
        }
        if t >= delay {
            let treated = (slot + period - delay) % period;
            numbers.put::<S, D, GIVES>(treated, t > delay, &stages[V - 1]);
        }
        slot = if slot + 1 == period { 0 } else { slot + 1 };
    }
}

impl RoundNumbers<'_, '_> {
    /// A slot's node in all lanes; zeros if it has none.
    #[inline(always)]
    fn node<S: WideSimd, const D: usize>(&self, simd: S, slot: usize) -> [Vector<S>; D] {
        let n = self.chain.model.nodes();
        let mut node = [Vector::splat(simd, 0.0); D];
        if slot < n {
            let index = node_at(n, self.chain.is_reversed, slot);
            for (axis, vector) in node.iter_mut().enumerate() {
                *vector = Vector::splat(simd, self.x[axis * n + index]);
            }
        }
        node
    }

    /// Tension of the spring before a slot's node in all lanes; zero if there is none.
    #[inline(always)]
    fn tension<S: WideSimd>(&self, simd: S, slot: usize) -> Vector<S> {
        let spring = spring_before(self.chain, slot);
        Vector::splat(simd, spring.map_or(0.0, |spring| self.tension[spring]))
    }

    /// Writes the last lane's results at the slot that it has processed: the tension of the spring
    /// and, if a node has left, that node.
    #[inline(always)]
    fn put<S: WideSimd, const D: usize, const GIVES: bool>(
        &mut self,
        treated: usize,
        has_left: bool,
        stage: &RoundStage<S, D>,
    ) {
        let (n, is_reversed) = (self.chain.model.nodes(), self.chain.is_reversed);
        let left = treated.checked_sub(1).unwrap_or(self.rows.period - 1);
        if has_left && left < n {
            let index = node_at(n, is_reversed, left);
            for (axis, vector) in stage.given.iter().enumerate() {
                self.x[axis * n + index] = vector.last();
            }
        }
        if GIVES && let Some(spring) = spring_before(self.chain, treated) {
            self.tension[spring] = stage.tension[0].last();
        }
    }
}

/// Index of the spring between a slot's node and the node before.
#[inline(always)]
fn spring_before(chain: &SweptChain<'_>, slot: usize) -> Option<usize> {
    let n = chain.model.nodes();
    let is_there = slot > 0 && slot < n;
    is_there.then(|| if chain.is_reversed { n - 1 - slot } else { slot - 1 })
}

/// Tick at which each lane starts to correct springs. The first `count` lanes are idle in the first
/// round.
#[inline(always)]
fn idle_until<S: WideSimd, const V: usize>(simd: S, count: usize, period: usize) -> [Vector<S>; V] {
    let mut ticks = [0.0; MANY];
    for (lane, until) in ticks.iter_mut().enumerate().take(count) {
        *until = (period + STRIDE * lane) as f64;
    }
    let mut until = [Vector::splat(simd, 0.0); V];
    for v in 0..V {
        until[v] = Vector::load(simd, &ticks, v);
    }
    until
}
