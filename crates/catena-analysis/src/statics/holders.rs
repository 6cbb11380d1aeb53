//! Equilibria of a body with rods while its pins and clamps move to their final positions.
//!
//! A rod keeps the shape into which it buckled during the motion: a twisted rod coils, and a rod
//! whose ends approach each other bows. So the pins move in stages, and the body comes to rest in
//! each. The body leaves an equilibrium that becomes unstable.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::balance::{Guess, passages};
use super::search::{Found, near};
use super::{Left, NoRest, Rest, Solver, Start};
use crate::topology::Watch;
use catena_sim::contact::gaps::Gaps;
use catena_sim::{Setup, State, drive::Anchors, force::rod::Rods};
use std::rc::Rc;

/// Maximum displacement of a pin in a stage, as a share of the body's size.
const MAX_SHIFT: f64 = 0.02;
/// Maximum rotation of a clamp in a stage, in radians.
const ANGLE: f64 = 0.35;
/// Maximum length of a stage in which the body may jump, as a share of the motion.
const JUMP: f64 = 1e-3;
/// Minimum number of stages.
const STAGES: f64 = 8.0;
/// Length at or below which a stage is not divided further, as a share of the motion.
const SHORTEST: f64 = 1e-5;

/// Follows a body from the start of its run to time `until`, within the work limit of `own`.
///
/// # Errors
/// The body touches itself during the motion, or no equilibrium was found.
pub(super) fn followed(setup: &Setup, until: f64, own: &Start) -> Result<Start, NoRest> {
    let from = setup.start_time;
    let at = |time: f64| {
        let start = Start::at(setup, time, own.effort);
        Start { work: Rc::clone(&own.work), ..start }
    };
    let mut start = match settled(setup, at(from), true) {
        // Without an equilibrium at the start, the search begins with the pins at their final
        // positions.
        Err(NoRest::NotFound { .. }) => return Ok(at(until)),
        start => start?,
    };
    let duration = until - from;
    let mut step = duration / STAGES;
    // A body whose drawn pieces touch must not pass through itself.
    let drawn = setup.contacts.drawn.as_ref();
    let mut watch = drawn.map(|_| Watch::new(&setup.model, &start.state));
    while start.state.t < until {
        let time = if start.state.t + 1.01 * step >= until { until } else { start.state.t + step };
        let is_short = step <= SHORTEST * duration;
        if !is_short && is_far(setup, start.state.t, time) {
            step *= 0.5;
            continue;
        }
        // At a fold no equilibrium is near, and the body jumps to a distant one.
        let jumps = step <= JUMP * duration;
        match settled(setup, carried(setup, &start, time), jumps) {
            Ok(next) => start = next,
            Err(NoRest::NotFound { .. }) if !is_short => {
                step *= 0.5;
                continue;
            }
            Err(reason) => return Err(reason),
        }
        if let Some(watch) = &mut watch {
            // Too many pieces close together count as a passage.
            let passed = watch.advance(&setup.model, &start.state, &start.memory);
            if passed.map_or(true, |passed| !passed.is_empty()) {
                return Err(NoRest::passes_itself(setup, time));
            }
        }
        step = (2.0 * step).min(duration / STAGES);
    }
    Ok(start)
}

/// Whether a pin or a clamp moves farther between two times than a stage allows.
fn is_far(setup: &Setup, from: f64, until: f64) -> bool {
    let size = super::balance::size(setup);
    let moves = displacements(setup, from, until);
    let n = setup.model.nodes();
    let distance = |node: usize| {
        let parts = moves.iter().skip(node).step_by(n);
        parts.map(|part| part * part).sum::<f64>().sqrt()
    };
    let farthest = (0..n).map(distance).fold(0.0, f64::max);
    let angle = setup.rods().map_or(0.0, |rods| rods.turned_between(from, until));
    farthest > MAX_SHIFT * size || angle > ANGLE
}

/// Displacements of the pins between two times, flat by axis.
fn displacements(setup: &Setup, from: f64, until: f64) -> Vec<f64> {
    let anchors = Anchors::new(&setup.model, &setup.initial, &setup.anchors);
    let at = |t: f64| {
        let mut state = State { t, ..setup.initial.clone() };
        anchors.apply(&mut state);
        state.x
    };
    at(until).iter().zip(at(from)).map(|(to, from)| to - from).collect()
}

/// Copy of `start` with the pins at their positions at `time`. Nodes of a rod between two pins move
/// by interpolated displacements of these pins.
fn carried(setup: &Setup, start: &Start, time: f64) -> Start {
    let moves = displacements(setup, start.state.t, time);
    let mut state = State { t: time, ..start.state.clone() };
    let n = setup.model.nodes();
    let mut shifts = moves.clone();
    for rod in setup.rods().into_iter().flat_map(Rods::rods) {
        let pins: Vec<usize> =
            (0..rod.nodes.len()).filter(|&k| setup.model.pinned[rod.nodes[k]]).collect();
        for (k, &node) in rod.nodes.iter().enumerate() {
            let before = pins.iter().rev().find(|&&pin| pin <= k).or(pins.first());
            let after = pins.iter().find(|&&pin| pin >= k).or(pins.last());
            let (Some(&before), Some(&after)) = (before, after) else { continue };
            let share = match after > before {
                true => (k - before) as f64 / (after - before) as f64,
                false => 0.0,
            };
            for axis in 0..setup.model.axes {
                let at = |k: usize| moves[axis * n + rod.nodes[k]];
                shifts[axis * n + node] = at(before) + share * (at(after) - at(before));
            }
        }
    }
    state.x.iter_mut().zip(&shifts).for_each(|(x, shift)| *x += shift);
    Anchors::new(&setup.model, &setup.initial, &setup.anchors).apply(&mut state);
    let more = passages(setup, &start.memory, &start.state.x, &state.x);
    Start {
        state,
        memory: start.memory.clone(),
        left: start.left.clone(),
        passages: start.passages + more,
        work: Rc::clone(&start.work),
        known: start.known.clone(),
        ..*start
    }
}

/// Equilibrium of the body with its current pins. If none is near and `is_long` is set, the search
/// descends, so the body may jump.
fn settled(setup: &Setup, mut start: Start, is_long: bool) -> Result<Start, NoRest> {
    let (guess, iterations, left) = {
        let solver = Solver::new(setup, &start)?;
        let mut found = near(&solver.balance, solver.start());
        if !found.is_exact && is_long {
            let iterations = found.iterations;
            found = solver.descended(&solver.start())?;
            found.iterations += iterations;
        }
        let iterations = found.iterations;
        let (guess, more, left) = stable(&solver, found)?;
        (guess, iterations + more, left)
    };
    let gaps = Gaps::new(&setup.contacts, &setup.model, start.state.t);
    if gaps.own_overlap(&guess.x).is_some() {
        return Err(NoRest::passes_itself(setup, start.state.t));
    }
    start.state.x = guess.x;
    start.memory.rods = guess.rods;
    start.passages = guess.passages;
    start.iterations += iterations;
    start.left = start.left.or(left);
    Ok(start)
}

/// Guess of the last equilibrium, the number of linear systems solved, and the unstable equilibrium
/// that was left, if any.
type Settled = (Guess, usize, Option<Box<super::Equilibrium>>);

fn stable(solver: &Solver<'_>, found: Found) -> Result<Settled, NoRest> {
    let linear = solver.balance.linear(&found.guess, false, super::FIRM);
    let negative = linear.map_or(0, |linear| linear.matrix.factor().negative);
    if found.is_exact && negative == 0 {
        return Ok((found.guess, 0, None));
    }
    let before = found.iterations;
    let Left { rest: Rest { equilibrium: rest, guess }, first, .. } =
        solver.leave_unstable(solver.report(found)?)?;
    Ok((guess, rest.iterations.saturating_sub(before), first.map(Box::new)))
}
