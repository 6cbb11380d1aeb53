//! Simulation of all frames before the first picture, for a view that contains all frames of the
//! scene. The frames that are drawn come from the same simulation.

use super::batches::Batches;
use super::{SimulatedFrame, frame_bytes};
use crate::{
    BodyFrame, BodyRun, PanelFrame, PanelRun, SharedPass,
    camera::{BodyWatch, SeenFrames},
};
use catena_base::hash::NumberHash;
use catena_scene::{Panel, Scene};
use catena_sim::{Outcome, Simulation, State};
use std::{
    collections::BTreeMap,
    ops::Range,
    sync::atomic::{AtomicBool, Ordering},
    vec,
};

/// Maximum number of bytes for frames that wait to be drawn, approximately. Frames beyond this
/// limit are simulated again.
const BYTES: usize = 64 << 20;

/// Runs of all panels up to a frame, and the frames before it that will be drawn.
pub struct FramesAhead {
    /// Runs of all panels, at frame `at`.
    pub(super) runs: Vec<PanelRun>,
    pub(super) at: u64,
    /// Whether the runs have the budgets of a pass. Such runs must not continue.
    pub(super) is_pass: bool,
    /// Number of steps so far that did not converge, per body.
    pub(super) unconverged: Vec<u64>,
    /// All panels at frame 0.
    pub first: Vec<PanelFrame>,
    /// Requested frames up to the frame of the runs.
    pub frames: BTreeMap<u64, SimulatedFrame>,
}

impl FramesAhead {
    /// Runs at the start, without frames.
    pub fn none(all: &[Panel]) -> Self {
        let runs: Vec<PanelRun> = all.iter().map(PanelRun::new).collect();
        let count = runs.iter().map(|run| run.simulations().len()).sum();
        let (first, frames) = (panels(&runs), BTreeMap::new());
        Self { runs, at: 0, is_pass: false, unconverged: vec![0; count], first, frames }
    }
}

/// Positions for the view, and the simulated frames. The frames are `None` if the pass takes too
/// much work.
pub type Lookahead = (SeenFrames, Option<FramesAhead>);

/// Simulates the frames that the view of a scene contains, and keeps the frames in `range`. Returns
/// `None` if drawing needs a separate simulation.
pub fn simulate_ahead(scene: &Scene, range: &Range<u64>) -> Option<Lookahead> {
    // A pass skips the moments of motion blur between frames.
    if range.is_empty() || scene.motion_blur.is_some() {
        return None;
    }
    let SharedPass { panels, mut watches } = SharedPass::of(scene)?;
    let room = (BYTES / frame_bytes(scene)).max(1) as u64;
    let at = range.end.min(scene.frames).min(range.start.saturating_add(room)).saturating_sub(1);
    let mut ahead = FramesAhead { at, is_pass: true, ..FramesAhead::none(&panels) };
    let frames = run_to(&mut ahead, &mut watches, range.start);
    let is_refused = is_refused(&ahead);
    if !is_refused {
        run_ahead(&panels, &ahead, &mut watches, scene.frames);
    }
    match watches.iter().any(BodyWatch::gives_up) {
        true => Some((SeenFrames::by(watches), None)),
        // A body exceeded its budget after it had diverged, where a pass stops.
        false if is_refused => None,
        false => {
            ahead.frames = together(&panels, range.start..at + 1, frames);
            Some((SeenFrames::by(watches), Some(ahead)))
        }
    }
}

fn is_refused(ahead: &FramesAhead) -> bool {
    let all = || ahead.runs.iter().flat_map(PanelRun::simulations);
    all().any(|simulation| simulation.refusal().is_some())
}

/// Frames and states of one body.
type KeptBodies = Vec<(BodyFrame, State)>;

/// Records the frames of one body during its run.
struct Follower<'a> {
    body: BodyRun<'a>,
    watch: &'a mut BodyWatch,
    unconverged: &'a mut u64,
    frames: &'a mut KeptBodies,
    /// Number of the first frame to keep.
    from: u64,
}

impl Follower<'_> {
    /// Records the current frame of the body.
    fn keep(&mut self, simulation: &Simulation) {
        self.watch.observe(simulation);
        if simulation.frame() >= self.from {
            self.frames.push((self.body.current().clone(), simulation.state().clone()));
        }
    }

    /// Records the next frame, to which the simulation has advanced.
    fn follow(&mut self, simulation: &Simulation) {
        self.body.update(simulation);
        // Iterations after a divergence are not a property of the method.
        if simulation.outcome() == Outcome::Fine {
            let more = simulation.report().unconverged;
            *self.unconverged = self.unconverged.saturating_add(more);
        }
        self.keep(simulation);
    }
}

/// Advances runs from the start to frame `at`, and returns the frames of each body. Stops early if
/// a run exceeds its budget.
fn run_to(ahead: &mut FramesAhead, watches: &mut [BodyWatch], from: u64) -> Vec<KeptBodies> {
    let mut kept: Vec<KeptBodies> = watches.iter().map(|_| Vec::new()).collect();
    let bodies = ahead.runs.iter_mut().flat_map(PanelRun::bodies_mut);
    let parts = watches.iter_mut().zip(&mut ahead.unconverged).zip(&mut kept);
    let follower = |((simulation, body), ((watch, unconverged), frames))| {
        let simulation: &mut Simulation = simulation;
        let mut follower = Follower { body, watch, unconverged, frames, from };
        follower.keep(simulation);
        (simulation, follower)
    };
    let (bodies, followers): (Vec<_>, Vec<_>) = bodies.zip(parts).map(follower).unzip();
    let has_ended = AtomicBool::new(bodies.iter().any(|body| body.refusal().is_some()));
    Batches::follow(bodies, followers, ahead.at, &|simulation, follower| {
        follower.follow(simulation);
        if simulation.refusal().is_some() {
            has_ended.store(true, Ordering::Relaxed);
        }
        !has_ended.load(Ordering::Relaxed)
    });
    kept
}

/// Combines the frames of all bodies into frames of the scene.
fn together(
    panels: &[Panel],
    numbers: Range<u64>,
    bodies: Vec<KeptBodies>,
) -> BTreeMap<u64, SimulatedFrame> {
    let mut bodies: Vec<vec::IntoIter<_>> = bodies.into_iter().map(Vec::into_iter).collect();
    let mut frames = BTreeMap::new();
    for frame in numbers {
        let (mut hash, mut shown) = (NumberHash::default(), Vec::with_capacity(panels.len()));
        let mut rest = &mut bodies[..];
        for panel in panels {
            let (own, others) = rest.split_at_mut(panel.bodies.len());
            rest = others;
            let mut bodies = Vec::with_capacity(own.len());
            for (body, state) in own.iter_mut().filter_map(Iterator::next) {
                add_state(&mut hash, &state);
                bodies.push(body);
            }
            shown.push(PanelFrame { bodies });
        }
        let state_sha256 = hash.finish();
        frames.insert(
            frame,
            SimulatedFrame {
                frame,
                panels: shown,
                moments: Vec::new(),
                before: None,
                state_sha256,
            },
        );
    }
    frames
}

/// Simulates the remaining frames of the scene for the view alone. The runs in `ahead` do not
/// advance.
fn run_ahead(panels: &[Panel], ahead: &FramesAhead, watches: &mut [BodyWatch], frames: u64) {
    let left = frames.saturating_sub(ahead.at + 1);
    if left == 0 {
        return;
    }
    let forks = panels.iter().zip(&ahead.runs).map(|(panel, run)| run.fork(panel));
    let mut forks: Vec<PanelRun> = forks.collect();
    let all = forks.iter_mut().flat_map(PanelRun::simulations_mut).zip(watches);
    let (all, watches): (Vec<_>, Vec<_>) = all.filter(|(_, watch)| watch.is_open()).unzip();
    let has_ended = AtomicBool::new(false);
    Batches::follow(all, watches, left, &|simulation, watch| {
        let continues = watch.observe(simulation);
        if watch.gives_up() {
            has_ended.store(true, Ordering::Relaxed);
        }
        continues && !has_ended.load(Ordering::Relaxed)
    });
}

/// All panels at the current frame.
pub(crate) fn panels(runs: &[PanelRun]) -> Vec<PanelFrame> {
    runs.iter().map(|run| run.current().clone()).collect()
}

/// Adds the state of a body to the hash of a frame.
pub(crate) fn add_state(hash: &mut NumberHash, state: &State) {
    hash.add(&[state.t]);
    hash.add(&state.x);
    hash.add(&state.v);
}
