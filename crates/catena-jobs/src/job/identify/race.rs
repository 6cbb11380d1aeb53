//! Runs candidates side by side and drops those that move away from the data. All candidates run
//! for few frames, the best for more.

use super::super::rounding::{SINGLE, distance};
use super::base::{Base, Bases};
use super::candidate::{Candidate, MAX, MIN, Plan, Recipe};
use super::data::Data;
use catena_sim::run::batch::Batch;
use catena_sim::{Simulation, State};
use rayon::prelude::*;
use std::borrow::{Borrow, BorrowMut};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Minimum number of candidates that remain in every round, regardless of distance and work.
const FEW: usize = 6;
/// Minimum number of distant candidates that remain, so that there is a next best one.
const BEYOND: usize = 4;
/// Minimum number of methods among the distant candidates that remain, if there are that many.
const METHODS_BEYOND: usize = 8;
/// Maximum number of candidates that are compared over all frames, unless the user asks for more.
const FINALISTS: usize = 24;
/// Maximum estimated work of the remaining candidates for the next frames, in nanoseconds of one
/// core. A file with little information keeps many candidates near, and the expensive ones would
/// take most of the time. The estimate is the same on every machine.
const ROUND: u128 = 300_000_000;
/// Maximum ratio of the score of a near candidate to the score of the best one.
const MAX_RATIO: f64 = 8.0;
/// Number of candidates that advance together.
const COMPANY: usize = 64;

/// Distances of a candidate from the data in a frame of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameDistance {
    /// Frame of the file.
    pub(super) frame: u64,
    /// Largest distance of a node.
    pub(super) largest: f64,
    /// Node with the largest distance.
    pub(super) node: usize,
    /// Largest distance beyond the rounding of the file.
    pub(super) beyond: f64,
    /// Largest rounding of a position in the file.
    pub(super) rounding: f64,
    /// Largest coordinate of the frame.
    pub(super) size: f64,
}

/// Distances of a candidate from the data, with frames shifted by an offset.
#[derive(Clone, Debug)]
pub(super) struct Track {
    /// Frame of the run minus frame of the file.
    pub(super) offset: i64,
    pub(super) frames: Vec<FrameDistance>,
    /// Largest distance beyond rounding, in units of [`Data::unit`] times the frame's size.
    score: f64,
}

/// A running candidate.
pub(super) struct Runner {
    /// Index of the candidate.
    pub(super) candidate: usize,
    /// Index of its body.
    base: usize,
    pub(super) simulation: Simulation,
    pub(super) tracks: Vec<Track>,
}

impl Borrow<Simulation> for Runner {
    fn borrow(&self) -> &Simulation {
        &self.simulation
    }
}

impl BorrowMut<Simulation> for Runner {
    fn borrow_mut(&mut self) -> &mut Simulation {
        &mut self.simulation
    }
}

/// Compares a state with a frame of the file. `None` if the file has no such frame.
fn compare(data: &Data, frame: u64, state: &State, nodes: usize) -> Option<FrameDistance> {
    let found = data.frames.get(&frame)?;
    let mut all = FrameDistance {
        frame,
        largest: 0.0,
        node: found.points.first()?.node,
        beyond: 0.0,
        rounding: 0.0,
        size: found.size,
    };
    for point in &found.points {
        let distance = distance(state, nodes, point.node, point.place);
        if distance > all.largest {
            (all.largest, all.node) = (distance, point.node);
        }
        all.beyond = all.beyond.max(distance - point.rounding);
        all.rounding = all.rounding.max(point.rounding);
    }
    Some(all)
}

/// Returns the distance of a run from a frame of the file, divided by the size of that frame.
/// `None` if the file has no such frame.
pub(super) fn distance_of(data: &Data, frame: u64, run: &Simulation) -> Option<f64> {
    let found = compare(data, frame, run.state(), run.setup().model.nodes())?;
    Some(found.largest / found.size)
}

impl Track {
    /// Largest distance beyond rounding, in units of [`Data::unit`] times the frame's size.
    pub(super) fn score(&self) -> f64 {
        self.score
    }
}

impl Runner {
    fn new(candidate: usize, of: &Candidate, base: &Base) -> Self {
        let simulation = Simulation::new(of.setup.clone());
        // A run from the file's own start cannot be shifted.
        let offsets = if base.from_data { &[0][..] } else { &base.data.offsets };
        let track = |offset: &i64| Track { offset: *offset, frames: Vec::new(), score: 0.0 };
        let tracks = offsets.iter().map(track).collect();
        let mut runner = Self { candidate, base: of.base, simulation, tracks };
        runner.take(&base.data);
        runner
    }

    /// Compares the current state with the frame of the file for each offset.
    fn take(&mut self, data: &Data) {
        let (frame, nodes) = (self.simulation.frame(), self.simulation.setup().model.nodes());
        for track in &mut self.tracks {
            let Some(of_file) = frame.checked_add_signed(-track.offset) else { continue };
            let Some(found) = compare(data, of_file, self.simulation.state(), nodes) else {
                continue;
            };
            track.score = track.score.max(found.beyond / (data.unit() * found.size));
            track.frames.push(found);
        }
    }

    /// Whether the current state is farther from the file than `distance` for every offset.
    fn is_beyond(&self, distance: f64) -> bool {
        self.tracks.iter().all(|track| {
            track.frames.last().is_none_or(|found| {
                // The rounding of a float must not end a recipe.
                found.beyond > distance + 64.0 * SINGLE * found.size
            })
        })
    }

    /// Minimum distance from the file over all offsets in the current frame, divided by the frame's
    /// size.
    fn share(&self) -> f64 {
        let last = self.tracks.iter().filter_map(|track| track.frames.last());
        last.map(|found| found.largest / found.size).fold(f64::INFINITY, f64::min)
    }

    /// Whether the method is stable with any step. More substeps then do not stabilize a run that
    /// is far from the file.
    fn is_always_stable(&self) -> bool {
        self.simulation.setup().method.info().limit.is_none_or(f64::is_infinite)
    }

    /// Lowest score over all offsets.
    pub(super) fn score(&self) -> f64 {
        let score = |track: &Track| match track.frames.len() {
            0 => f64::INFINITY,
            _ if self.simulation.refusal().is_some() => f64::INFINITY,
            _ => track.score,
        };
        self.tracks.iter().map(score).fold(f64::INFINITY, f64::min)
    }
}

/// Advances runners with equal numbers of substeps up to a frame.
fn advance(runners: &mut [Runner], bases: &Bases, end: u64) {
    let mut batch = Batch::default();
    while runners.first().is_some_and(|runner| runner.simulation.frame() < end) {
        batch.advance_frames(runners);
        for runner in &mut *runners {
            runner.take(&bases.all[runner.base].data);
        }
    }
}

/// Outcome of a race.
pub(super) struct Race {
    /// Candidates that have been compared over all frames. The best is first.
    pub(super) finalists: Vec<Runner>,
    /// Indices of the candidates that were nearest in the first frame.
    pub(super) early: Vec<usize>,
    /// Number of candidates that were dropped although they were as near as the remaining ones.
    pub(super) crowded: usize,
}

/// Number of candidates that a second round begins with.
const EARLY: usize = 48;

/// Frames at which a race compares candidates.
struct Course {
    first: u64,
    last: u64,
}

impl Course {
    fn of(bases: &Bases) -> Self {
        let data = || bases.all.iter().map(|base| &base.data);
        let shift = data().flat_map(|data| &data.offsets).copied().max().unwrap_or(0).max(0) as u64;
        let first = data().map(|data| data.first_moving()).min().unwrap_or(1);
        let last = data().map(|data| data.last()).max().unwrap_or(1) + shift;
        Self { first: (first + shift).min(last), last }
    }
}

/// Advances runners up to a frame. Runners with equal numbers of substeps advance together.
fn advance_all(runners: &mut [Runner], bases: &Bases, end: u64) {
    let key = |it: &Runner| (it.simulation.setup().substeps, it.candidate);
    runners.sort_by_key(key);
    let same = |a: &Runner, b: &Runner| key(a).0 == key(b).0;
    let parts: Vec<&mut [Runner]> =
        runners.chunk_by_mut(same).flat_map(|part| part.chunks_mut(COMPANY)).collect();
    parts.into_par_iter().for_each(|part| advance(part, bases, end));
}

/// Number of substeps above which results converge or change evenly.
const EVEN: u64 = 32;
/// Factor on the last change that more substeps caused, which limits the change by even more
/// substeps. The ratio of the numbers of substeps is a second factor.
const CHANGE: f64 = 4.0;

/// Minimum distance of a lost run from the file, divided by the size of the frame.
const LOST: f64 = 10.0;

/// Previous run of a recipe, after the first frame.
struct Before {
    x: Vec<f64>,
    /// Distance from the file, divided by the size of the frame.
    share: f64,
}

impl Before {
    /// Whether a run with more substeps is also lost and not nearer, and its method is always
    /// stable. More substeps would not help, and the iterations of such runs would take most of the
    /// time.
    fn is_lost_with(&self, runner: &Runner) -> bool {
        self.share > LOST && runner.share() >= self.share && runner.is_always_stable()
    }
}

/// Starts candidates with increasing numbers of substeps, and runs them for a frame. A recipe ends
/// when it is too far from the data for more substeps to help. The estimate assumes that the effect
/// of more substeps falls, or grows at most in proportion to their number.
fn ascend(
    recipes: &[Recipe<'_>],
    substeps: &[u64],
    bases: &Bases,
    candidates: &mut Vec<Candidate>,
    end: u64,
) -> Vec<Runner> {
    let maximum = substeps.iter().copied().max().unwrap_or(1);
    let mut last: Vec<Option<Before>> = recipes.iter().map(|_| None).collect();
    let mut alive: Vec<usize> = (0..recipes.len()).collect();
    let (first, mut all) = (candidates.len(), Vec::new());
    for &count in substeps {
        let made: Vec<(usize, Candidate)> = alive
            .par_iter()
            .filter_map(|index| Some((*index, recipes[*index].candidate(bases, count)?)))
            .collect();
        let base = candidates.len();
        let mut runners: Vec<Runner> = made
            .par_iter()
            .enumerate()
            .map(|(index, (_, it))| Runner::new(base + index, it, &bases.all[it.base]))
            .collect();
        advance_all(&mut runners, bases, end);
        alive.clear();
        for runner in &runners {
            let recipe = made[runner.candidate - base].0;
            let x = &runner.simulation.state().x;
            let change = last[recipe].as_ref().map(|last| farthest(&last.x, x));
            let reach = CHANGE * (maximum as f64 / count as f64).max(1.0);
            let is_far = change.is_some_and(|change| runner.is_beyond(reach * change))
                || last[recipe].as_ref().is_some_and(|last| last.is_lost_with(runner));
            let is_refused = runner.simulation.refusal().is_some();
            if !is_refused && (count < EVEN || !is_far) {
                alive.push(recipe);
            }
            last[recipe] = Some(Before { x: x.clone(), share: runner.share() });
        }
        candidates.extend(made.into_iter().map(|(_, candidate)| candidate));
        all.extend(runners);
        // Runs that would be dropped in the end are dropped here already.
        prune(&mut all, candidates, Room { maximum: MAX, minimum: MIN, frames: 1 });
        forget(&all, candidates, first, bases);
    }
    all
}

/// Frees the setups of the candidates from `first` on that no longer run.
fn forget(runners: &[Runner], candidates: &mut [Candidate], first: usize, bases: &Bases) {
    let mut runs = vec![false; candidates.len()];
    for runner in runners {
        runs[runner.candidate] = true;
    }
    let gone = candidates.iter_mut().zip(runs).skip(first).filter(|(_, runs)| !runs);
    for (candidate, _) in gone {
        candidate.setup = Arc::clone(&bases.all[candidate.base].setup);
    }
}

/// Largest difference between two lists of coordinates. Infinite if a coordinate is not finite.
fn farthest(a: &[f64], b: &[f64]) -> f64 {
    let difference = |(a, b): (&f64, &f64)| if a == b { 0.0 } else { (a - b).abs() };
    let all = a.iter().zip(b).map(difference);
    all.fold(0.0, |maximum: f64, it| {
        if it <= maximum {
            maximum
        } else if it.is_nan() {
            f64::INFINITY
        } else {
            it
        }
    })
}

/// Runs a plan: all recipes with all numbers of substeps, and the unchanged bodies of the scene.
/// Returns the candidates and the outcome.
pub(super) fn race_of_plan(
    plan: &Plan,
    recipes: &[Recipe<'_>],
    bases: &Bases,
    top: usize,
) -> (Vec<Candidate>, Race) {
    let course = Course::of(bases);
    let mut candidates = plan.own.clone();
    let mut runners = started(&candidates, bases);
    advance_all(&mut runners, bases, course.first);
    runners.extend(ascend(recipes, &plan.substeps, bases, &mut candidates, course.first));
    let race = finish(runners, &candidates, bases, &course, top);
    (candidates, race)
}

/// Runs candidates. The result does not depend on the number of threads.
pub(super) fn race(candidates: &[Candidate], bases: &Bases, top: usize) -> Race {
    let course = Course::of(bases);
    let mut runners = started(candidates, bases);
    advance_all(&mut runners, bases, course.first);
    finish(runners, candidates, bases, &course, top)
}

/// Runs candidates up to the first frame after the start, without dropping any.
pub(super) fn run_first(candidates: &[Candidate], bases: &Bases) -> Vec<Runner> {
    let course = Course::of(bases);
    let mut runners = started(candidates, bases);
    advance_all(&mut runners, bases, course.first);
    runners
}

/// Runs candidates over all frames, without dropping any.
pub(super) fn run_whole(candidates: &[Candidate], bases: &Bases) -> Vec<Runner> {
    let course = Course::of(bases);
    let mut runners = started(candidates, bases);
    advance_all(&mut runners, bases, course.last);
    runners
}

fn started(candidates: &[Candidate], bases: &Bases) -> Vec<Runner> {
    let all = candidates.par_iter().enumerate();
    all.map(|(index, it)| Runner::new(index, it, &bases.all[it.base])).collect()
}

/// Continues until the best runners have been compared over all frames and the others are dropped.
fn finish(
    mut runners: Vec<Runner>,
    candidates: &[Candidate],
    bases: &Bases,
    course: &Course,
    top: usize,
) -> Race {
    let finalists = FINALISTS.max(top);
    let (mut end, mut taken, mut early) = (course.first, 1, Vec::new());
    loop {
        let is_last = end >= course.last;
        let maximum = if is_last { finalists } else { (MAX / taken).max(finalists) };
        let next = (taken as u64).min(course.last - end.min(course.last));
        let room = Room { maximum, minimum: (MIN / taken).max(FEW), frames: next };
        let crowded = prune(&mut runners, candidates, room);
        if taken == 1 {
            early = runners.iter().take(EARLY).map(|it| it.candidate).collect();
        }
        if is_last {
            return Race { finalists: runners, early, crowded };
        }
        end = (end + taken as u64).min(course.last);
        taken *= 2;
        advance_all(&mut runners, bases, end);
    }
}

/// Number of candidates that may remain, and number of frames in their next round.
#[derive(Clone, Copy)]
struct Room {
    /// Maximum number of near candidates.
    maximum: usize,
    /// Minimum total number of candidates, if fewer are near.
    minimum: usize,
    frames: u64,
}

/// Sorts runners by their scores and keeps the best. Returns the number of near runners that were
/// dropped because of the limits.
fn prune(runners: &mut Vec<Runner>, candidates: &[Candidate], room: Room) -> usize {
    let key = |runner: &Runner| {
        let candidate = &candidates[runner.candidate];
        (level(runner.score()), candidate.departure, runner.candidate)
    };
    runners.sort_by_key(key);
    let best = runners.iter().map(Runner::score).fold(f64::INFINITY, f64::min);
    let is_near = |runner: &Runner| runner.score() <= MAX_RATIO * best.max(1.0);
    let near = runners.iter().filter(|runner| is_near(runner)).count();
    let beyond = room.minimum.saturating_sub(near).max(BEYOND);
    let (mut kept, mut work) = ([[0; 2]; 2], 0_u128);
    let mut stays = vec![false; runners.len()];
    // Variants of one method are often alike and would displace all other methods, so surplus
    // variants come last.
    let most_of_method = (beyond / METHODS_BEYOND).max(FEW);
    let mut of_methods: BTreeMap<&str, usize> = BTreeMap::new();
    for is_last in [false, true] {
        for (runner, stays) in runners.iter().zip(&mut stays).filter(|(_, stays)| !**stays) {
            let (is_near, setup) = (is_near(runner), runner.simulation.setup());
            let own = setup.frame_cost() * u128::from(room.frames);
            // The float version of a near candidate is not a next best program, so it is counted
            // separately.
            let is_float = !is_near && candidates[runner.candidate].is_single();
            let count = &mut kept[usize::from(is_near)][usize::from(is_float)];
            let of_method = of_methods.entry(setup.method.info().name).or_default();
            // Cheaper candidates after an expensive one are still accepted.
            let has_time = *count < FEW || work + own <= ROUND;
            let has_room = *count < if is_near { room.maximum } else { beyond };
            let is_first = is_near || is_last || *of_method < most_of_method;
            if has_time && has_room && is_first {
                *stays = true;
                *count += 1;
                *of_method += usize::from(!is_near);
                work += own;
            }
        }
    }
    let near = runners.iter().zip(&stays).filter(|(runner, _)| is_near(runner));
    let dropped = near.filter(|(_, stays)| !**stays).count();
    let mut kept = stays.into_iter();
    runners.retain(|_| kept.next().unwrap_or(false));
    dropped
}

/// Logarithm of a score, so that scores within rounding are equal.
fn level(score: f64) -> i64 {
    if score > 1.0 { libm::ceil(libm::log2(score)).min(4096.0) as i64 } else { 0 }
}
