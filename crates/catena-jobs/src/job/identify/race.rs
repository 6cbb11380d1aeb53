//! Runs candidates side by side and drops those that leave the data: all of them for few frames,
//! the best for more.

use super::super::rounding::{SINGLE, distance};
use super::base::{Base, Bases};
use super::candidate::{Candidate, LEAST, MOST, Plan, Recipe};
use super::data::Data;
use catena_sim::run::batch::Batch;
use catena_sim::{Simulation, State};
use rayon::prelude::*;
use std::borrow::{Borrow, BorrowMut};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Number of candidates that stay to the end, whatever their distance.
const FEW: usize = 6;
/// Number of candidates that stay although others are nearer, so that there is a next best one.
const BEYOND: usize = 4;
/// Minimum number of methods among the distant candidates that stay, if there are as many.
const METHODS_BEYOND: usize = 8;
/// Number of candidates that are compared with all frames, at most, unless more are asked for.
const FINALISTS: usize = 24;
/// Maximum estimated work of the candidates that stay for the next frames, in nanoseconds of one
/// core. A file that tells little keeps many candidates near, and the dear ones among them would
/// take most of the time. The estimate is the same on every machine.
const ROUND: u128 = 300_000_000;
/// Factor between the distances of the best candidate and of others that stay.
const BESIDE: f64 = 8.0;
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
    /// Rounding of the file, at its largest.
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
    /// Largest distance beyond rounding, in units of [`Data::unit`] times the size.
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

/// Returns the distances of a state from a frame of the file.
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

/// Returns the distance of a run from a frame of the file, in sizes of that frame. `None` if the
/// file has no such frame.
pub(super) fn distance_of(data: &Data, frame: u64, run: &Simulation) -> Option<f64> {
    let found = compare(data, frame, run.state(), run.setup().model.nodes())?;
    Some(found.largest / found.size)
}

impl Track {
    /// Largest distance beyond rounding, in units of [`Data::unit`] times the size.
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

    /// Compares the current frame with those of the file.
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

    /// Whether the current frame is farther from the file than a distance, with every offset.
    fn is_beyond(&self, distance: f64) -> bool {
        self.tracks.iter().all(|track| {
            track.frames.last().is_none_or(|found| {
                // Rounding of a float must not end a recipe.
                found.beyond > distance + 64.0 * SINGLE * found.size
            })
        })
    }

    /// Distance from the file in the current frame, in sizes of that frame, with the best offset.
    fn share(&self) -> f64 {
        let last = self.tracks.iter().filter_map(|track| track.frames.last());
        last.map(|found| found.largest / found.size).fold(f64::INFINITY, f64::min)
    }

    /// Whether the method stays bounded with any step. A run that is far outside then does not
    /// become stable with more substeps.
    fn is_always_stable(&self) -> bool {
        self.simulation.setup().method.info().limit.is_none_or(f64::is_infinite)
    }

    /// Lowest score of all offsets.
    pub(super) fn score(&self) -> f64 {
        let score = |track: &Track| match track.frames.len() {
            0 => f64::INFINITY,
            _ if self.simulation.refusal().is_some() => f64::INFINITY,
            _ => track.score,
        };
        self.tracks.iter().map(score).fold(f64::INFINITY, f64::min)
    }
}

/// Advances runners that have one number of substeps up to a frame.
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
    /// Candidates that have been compared with all frames. The best is first.
    pub(super) finalists: Vec<Runner>,
    /// Indices of the candidates that were nearest in the first frame.
    pub(super) early: Vec<usize>,
    /// Number of candidates that were dropped although they were as near as others.
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

/// Advances runners up to a frame, those with one number of substeps together.
fn advance_all(runners: &mut [Runner], bases: &Bases, end: u64) {
    let key = |it: &Runner| (it.simulation.setup().substeps, it.candidate);
    runners.sort_by_key(key);
    let same = |a: &Runner, b: &Runner| key(a).0 == key(b).0;
    let parts: Vec<&mut [Runner]> =
        runners.chunk_by_mut(same).flat_map(|part| part.chunks_mut(COMPANY)).collect();
    parts.into_par_iter().for_each(|part| advance(part, bases, end));
}

/// Number of substeps from which results approach a limit or change evenly.
const EVEN: u64 = 32;
/// Factor between the change that more substeps may bring and the last change, beside the ratio of
/// the numbers of substeps.
const CHANGE: f64 = 4.0;

/// Distance from the file, in sizes of its frame, beyond which a run is lost.
const LOST: f64 = 10.0;

/// Last run of a recipe after a frame.
struct Before {
    x: Vec<f64>,
    /// Distance from the file, in sizes of its frame.
    share: f64,
}

impl Before {
    /// Whether a run with more substeps is lost as well, and no nearer, without an instability that
    /// even more substeps would end. Its iterations would take most of the time.
    fn is_lost_with(&self, runner: &Runner) -> bool {
        self.share > LOST && runner.share() >= self.share && runner.is_always_stable()
    }
}

/// Starts candidates with more and more substeps, and runs them for a frame. A recipe ends when it
/// is too far from the data for more substeps to help: their effect falls with the step, or at most
/// grows in proportion to their number. The search also ends when more substeps only lead away from
/// the data.
fn ascend(
    recipes: &[Recipe<'_>],
    substeps: &[u64],
    bases: &Bases,
    candidates: &mut Vec<Candidate>,
    end: u64,
) -> Vec<Runner> {
    let most = substeps.iter().copied().max().unwrap_or(1);
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
            let reach = CHANGE * (most as f64 / count as f64).max(1.0);
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
        // The runs that stay in the end are among the best now.
        prune(&mut all, candidates, Room { most: MOST, least: LEAST, frames: 1 });
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

/// Largest difference of two lists of coordinates, infinite if one is lost.
fn farthest(a: &[f64], b: &[f64]) -> f64 {
    let difference = |(a, b): (&f64, &f64)| if a == b { 0.0 } else { (a - b).abs() };
    let all = a.iter().zip(b).map(difference);
    all.fold(0.0, |most: f64, it| {
        if it <= most {
            most
        } else if it.is_nan() {
            f64::INFINITY
        } else {
            it
        }
    })
}

/// Runs a plan: all recipes with all numbers of substeps, and the bodies of the scene as they are.
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

/// Runs on until only the best are left, which have been compared with all frames.
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
        let most = if is_last { finalists } else { (MOST / taken).max(finalists) };
        let next = (taken as u64).min(course.last - end.min(course.last));
        let room = Room { most, least: (LEAST / taken).max(FEW), frames: next };
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

/// Numbers of candidates that may stay, and the frames that they run next.
#[derive(Clone, Copy)]
struct Room {
    /// Number of near ones, at most.
    most: usize,
    /// Number of those that stay whatever their distance.
    least: usize,
    frames: u64,
}

/// Sorts runners by their scores and keeps the best. Returns how many were dropped that are as near
/// as others, since there is no room for them.
fn prune(runners: &mut Vec<Runner>, candidates: &[Candidate], room: Room) -> usize {
    let key = |runner: &Runner| {
        let candidate = &candidates[runner.candidate];
        (level(runner.score()), candidate.departure, runner.candidate)
    };
    runners.sort_by_key(key);
    let best = runners.iter().map(Runner::score).fold(f64::INFINITY, f64::min);
    let is_near = |runner: &Runner| runner.score() <= BESIDE * best.max(1.0);
    let near = runners.iter().filter(|runner| is_near(runner)).count();
    let beyond = room.least.saturating_sub(near).max(BEYOND);
    let (mut kept, mut work) = ([[0; 2]; 2], 0_u128);
    let mut stays = vec![false; runners.len()];
    // Many variants of one method are often alike, and would take the place of all others. They
    // come last.
    let most_of_method = (beyond / METHODS_BEYOND).max(FEW);
    let mut of_methods: BTreeMap<&str, usize> = BTreeMap::new();
    for is_last in [false, true] {
        for (runner, stays) in runners.iter().zip(&mut stays).filter(|(_, stays)| !**stays) {
            let (is_near, setup) = (is_near(runner), runner.simulation.setup());
            let own = setup.frame_cost() * u128::from(room.frames);
            // Floats of a near candidate are no next best one, so they do not take its place.
            let is_float = !is_near && candidates[runner.candidate].is_single();
            let count = &mut kept[usize::from(is_near)][usize::from(is_float)];
            let of_method = of_methods.entry(setup.method.info().name).or_default();
            // Cheaper candidates behind a dear one still have room.
            let has_time = *count < FEW || work + own <= ROUND;
            let has_room = *count < if is_near { room.most } else { beyond };
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
