//! Slots at which all lanes are between two free nodes of equal mass: most of a long chain.
//!
//! Half of the vectors are always ahead. Their springs are measured while the springs of the other
//! half are corrected, so that the processor always has square roots to compute. A branch for each
//! spring would prevent this overlap, so a block of slots runs without branches. If the block
//! contains an irregular spring (`is_odd`), it runs again in careful mode.

use super::{
    LaneState, Round, Tick, Workspace,
    rows::{ACCELERATION, REST},
    stream::{BLOCK, Fetched, Returned, Stream},
    trail::LastPositions,
};
use crate::kernel::held_spring::{HeldNodes, HeldSpring, Shares, SpringSpan, verlet};
use crate::lane::{Lane, LaneMask, Mask, Vector, WideSimd};
use std::ops::Range;

/// Runs these slots of one round. Stores the positions at the start of a step only for nodes that
/// return from their last step.
#[inline(always)]
pub(super) fn run<S: WideSimd, const D: usize, const R: usize, const REVERSED: bool>(
    tick: &Tick<S, R, REVERSED>,
    workspace: &Workspace,
    stream: &mut Stream<'_, D>,
    slots: Range<usize>,
    of: Round,
    held: &mut LaneState<S, D, R>,
) {
    let simd = tick.spring.simd;
    let start = held.start[R - 1].map(Vector::last);
    let mut now = SmoothState { at: held.at, given: held.given[0], start };
    let mut trail = LastPositions::new(slots.start, held);
    let mut given = Returned::EMPTY;
    let mut slot = slots.start;
    let mut is_careful = false;
    while slot < slots.end {
        let (end, before) = (slots.end.min(slot + BLOCK), trail.clone());
        let block = slot..end;
        let taken = stream.fetch_block(&block, of.is_first);
        let (to, trail_to) = (&mut given, &mut trail);
        let (after, was_odd) = if is_careful {
            run_block::<S, D, R, REVERSED, true>(tick, workspace, block, taken, to, now, trail_to)
        } else {
            run_block::<S, D, R, REVERSED, false>(tick, workspace, block, taken, to, now, trail_to)
        };
        if was_odd && !is_careful {
            (trail, is_careful) = (before, true);
            continue;
        }
        // All lanes are within the round, and so are the returning nodes.
        let lag = 2 * R * S::F64_LANES - 1;
        stream.put_all(&(slot - lag..end - lag), of, &given);
        // After a block that needed careful mode, the next one probably needs it as well.
        (now, slot, is_careful) = (after, end, was_odd);
    }
    (held.at, held.given[0]) = (now.at, now.given);
    held.start[R - 1] = Vector::splat_all(simd, now.start);
    trail.end(simd, slots.end, held);
}

/// Returns the state of the lanes after a block of slots, and whether a spring was irregular. With
/// an irregular spring the result is invalid unless `CAREFUL`.
#[inline(always)]
fn run_block<
    S: WideSimd,
    const D: usize,
    const R: usize,
    const REVERSED: bool,
    const CAREFUL: bool,
>(
    tick: &Tick<S, R, REVERSED>,
    workspace: &Workspace,
    slots: Range<usize>,
    taken: Fetched<'_, D, REVERSED>,
    given: &mut Returned<D>,
    now: SmoothState<S, D, R>,
    trail: &mut LastPositions<D>,
) -> (SmoothState<S, D, R>, bool) {
    let lanes = R * S::F64_LANES;
    let spring = HeldSpring::<S, R, REVERSED> { simd: tick.spring.simd };
    let springs = [spring.measure(&now.at[0], &now.at[0]); R];
    let zero = Vector::splat(spring.simd, 0.0);
    let is_odd = zero.is_below(zero);
    const { assert!(matches!(R, 1 | 2 | 4)) }
    let mut vectors = Vectors { spring, keep: tick.keep, next: now.at, now, springs, is_odd };
    if R > 1 {
        vectors.begin(0, taken.node(0)[0]);
    }
    if R > 2 {
        vectors.begin(1, taken.node(0)[0]);
    }
    let count = slots.len().min(BLOCK);
    let taken = taken.first(count);
    for place in 0..count {
        let number = slots.start + place;
        let slot = Slot::read(tick, workspace, &taken, number, place);
        let start = vectors.now.start;
        vectors.one::<CAREFUL>(0, slot, trail);
        if R > 1 {
            vectors.one::<CAREFUL>(1, slot, trail);
        }
        if R > 2 {
            vectors.one::<CAREFUL>(2, slot, trail);
            vectors.one::<CAREFUL>(3, slot, trail);
        }
        trail.receive(number, taken.node(place)[1]);
        let x = vectors.now.given[R - 1].map(Vector::last);
        given.put(place, [x, trail.of_lane(number, lanes - 1)], start);
    }
    let is_odd = vectors.is_odd.any();
    (vectors.now, is_odd)
}

/// State of lanes between slots.
#[derive(Clone, Copy)]
struct SmoothState<S: WideSimd, const D: usize, const R: usize> {
    at: HeldNodes<S, D, R>,
    given: HeldNodes<S, D, R>,
    /// Position of the last lane's node at the start of its step.
    start: [f64; D],
}

/// Input of all lanes at a slot.
#[derive(Clone, Copy)]
struct Slot<'a, const D: usize> {
    number: usize,
    rest: &'a [f64],
    pushes: [&'a [f64]; D],
    /// Positions of the nodes of this slot and the next one.
    nodes: [[f64; D]; 2],
}

impl<'a, const D: usize> Slot<'a, D> {
    #[inline(always)]
    fn read<S: WideSimd, const R: usize, const REVERSED: bool>(
        tick: &Tick<S, R, REVERSED>,
        workspace: &'a Workspace,
        taken: &Fetched<'_, D, REVERSED>,
        number: usize,
        place: usize,
    ) -> Self {
        let lanes = R * S::F64_LANES;
        let (rows, first) = tick.rows::<D>(&workspace.rows, number);
        let mut pushes = [rows; D];
        for axis in 0..D {
            pushes[axis] = match &workspace.pushes {
                Some(same) => &same[axis][..lanes],
                None => &rows[(ACCELERATION + axis) * tick.width + first..][..lanes],
            };
        }
        Self {
            number,
            rest: &rows[REST * tick.width + first..][..lanes],
            pushes,
            nodes: [taken.node(place)[0], taken.node(place + 1)[0]],
        }
    }
}

/// State of the vectors of lanes within a block.
struct Vectors<S: WideSimd, const D: usize, const R: usize, const REVERSED: bool> {
    spring: HeldSpring<S, R, REVERSED>,
    keep: Vector<S>,
    now: SmoothState<S, D, R>,
    /// The nodes that vectors received at their last slot, and the springs to them.
    next: HeldNodes<S, D, R>,
    springs: [SpringSpan<S, D>; R],
    /// Lanes with an irregular spring, in this block or measured for the next one.
    is_odd: Mask<S>,
}

impl<S: WideSimd, const D: usize, const R: usize, const REVERSED: bool> Vectors<S, D, R, REVERSED> {
    /// Measures the spring of the vector that is ahead of vector `r`, and corrects the spring of
    /// vector `r`.
    #[inline(always)]
    fn one<const CAREFUL: bool>(
        &mut self,
        r: usize,
        slot: Slot<'_, D>,
        trail: &mut LastPositions<D>,
    ) {
        let ahead = r + R / 2;
        self.begin(ahead % R, slot.nodes[ahead / R]);
        self.end::<CAREFUL>(r, slot, trail);
    }

    /// Receives the nodes that the previous lanes passed on, or a slot's node.
    #[inline(always)]
    fn begin(&mut self, r: usize, node: [f64; D]) {
        let Self { spring, now: SmoothState { at, given, .. }, next, springs, .. } = self;
        for axis in 0..D {
            let previous = match r {
                0 => Vector::splat(spring.simd, node[axis]),
                _ => given[r - 1][axis],
            };
            next[r][axis] = given[r][axis].before(previous);
        }
        springs[r] = spring.measure(&at[r], &next[r]);
        self.is_odd = self.is_odd | springs[r].is_odd;
    }

    /// Corrects the spring, moves the carried nodes and passes them on.
    #[inline(always)]
    fn end<const CAREFUL: bool>(
        &mut self,
        r: usize,
        slot: Slot<'_, D>,
        trail: &mut LastPositions<D>,
    ) {
        let Self { spring, keep, now: SmoothState { at, given, start }, next, springs, .. } = self;
        if r == R - 1 {
            *start = next[r].map(Vector::last);
        }
        let rest = Vector::load(spring.simd, slot.rest, r);
        let (at_r, next_r) = (&mut at[r], &mut next[r]);
        spring.correct::<D, CAREFUL>(&springs[r], at_r, next_r, rest, Shares::Halves);
        for axis in 0..D {
            let last = trail.last(spring.simd, slot.number, axis, r);
            let push = Vector::load(spring.simd, slot.pushes[axis], r);
            given[r][axis] = verlet(at[r][axis], last, *keep, push);
            trail.put(slot.number, axis, r, at[r][axis]);
        }
        at[r] = next[r];
    }
}
