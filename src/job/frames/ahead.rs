//! Frames that are simulated before the first picture, because the view is to hold all of them: the
//! run for the view is also the run that is drawn.

use super::{
    batches::Batches,
    simulator::{SimulatedFrame, add_state, frame_bytes, panels},
};
use crate::output::hash::NumberHash;
use crate::render::{
    BodyFrame, BodyRun, PanelFrame, PanelRun, SharedPass,
    camera::{BodyWatch, SeenFrames},
};
use crate::scene::{Panel, Scene};
use crate::sim::{Outcome, Simulation, State};
use std::{
    collections::BTreeMap,
    ops::Range,
    sync::atomic::{AtomicBool, Ordering},
    vec,
};

/// Bytes of the frames that are kept until they are drawn, about. Frames beyond it are simulated
/// once more when their turn comes.
const BYTES: usize = 64 << 20;

/// Runs that were taken ahead, with the frames on their way.
pub(in crate::job) struct FramesAhead {
    /// All panels, at frame `at`.
    pub(super) runs: Vec<PanelRun>,
    pub(super) at: u64,
    /// Whether the runs have the budgets of a pass, and are not to go on.
    pub(super) is_pass: bool,
    /// Steps of each body that did not converge so far.
    pub(super) unconverged: Vec<u64>,
    /// Frame 0.
    pub(super) first: Vec<PanelFrame>,
    /// Those that are asked for, up to `at`.
    pub(super) frames: BTreeMap<u64, SimulatedFrame>,
}

impl FramesAhead {
    /// No frame yet, and runs that stand at the start.
    pub(super) fn none(all: &[Panel]) -> Self {
        let runs: Vec<PanelRun> = all.iter().map(PanelRun::new).collect();
        let count = runs.iter().map(|run| run.simulations().len()).sum();
        let (first, frames) = (panels(&runs), BTreeMap::new());
        Self { runs, at: 0, is_pass: false, unconverged: vec![0; count], first, frames }
    }
}

/// What a look ahead has found: what the view is to hold, and the frames. These are `None` where the
/// view has to do without them.
pub(in crate::job) type Lookahead = (SeenFrames, Option<FramesAhead>);

/// Simulates the frames of a scene that its view is to hold, and keeps those in `range`. `None`
/// where the view does not ask for it, and where a run uses up a budget of the scene.
pub(in crate::job) fn look_ahead(scene: &Scene, range: &Range<u64>) -> Option<Lookahead> {
    if range.is_empty() {
        return None;
    }
    let SharedPass { panels, mut watches, is_strict } = SharedPass::of(scene)?;
    let room = (BYTES / frame_bytes(scene)).max(1) as u64;
    let at = range.end.min(scene.frames).min(range.start.saturating_add(room)).saturating_sub(1);
    let mut ahead = FramesAhead { at, is_pass: true, ..FramesAhead::none(&panels) };
    let frames = run_to(&mut ahead, &mut watches, range.start);
    let is_refused = is_refused(&ahead);
    if !is_refused {
        look_on(&panels, &ahead, &mut watches, scene.frames);
    }
    match watches.iter().any(BodyWatch::gives_up) {
        true => is_strict.then(|| (SeenFrames::by(watches), None)),
        // The pass says nothing of what a body takes after it has diverged.
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

/// What is kept of a body: what a frame shows of it, and its state.
type KeptBodies = Vec<(BodyFrame, State)>;

/// Who follows a body on its way.
struct Follower<'a> {
    body: BodyRun<'a>,
    watch: &'a mut BodyWatch,
    unconverged: &'a mut u64,
    frames: &'a mut KeptBodies,
    /// The first frame that is kept.
    from: u64,
}

impl Follower<'_> {
    /// Keeps what there is to keep of the frame that the body is at.
    fn keep(&mut self, simulation: &Simulation) {
        self.watch.look(simulation);
        if simulation.frame() >= self.from {
            self.frames.push((self.body.current().clone(), simulation.state().clone()));
        }
    }

    /// The same of the next frame.
    fn follow(&mut self, simulation: &Simulation) {
        self.body.update(simulation);
        // What follows a divergence says nothing about the method's iterations.
        if simulation.outcome() == Outcome::Fine {
            let more = simulation.report().unconverged;
            *self.unconverged = self.unconverged.saturating_add(more);
        }
        self.keep(simulation);
    }
}

/// Takes runs that stand at the start to their frame, and keeps frames of each body. Ends early
/// where one is refused.
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
    let ends = AtomicBool::new(bodies.iter().any(|body| body.refusal().is_some()));
    Batches::follow((bodies, followers), ahead.at, &|simulation, follower| {
        follower.follow(simulation);
        if simulation.refusal().is_some() {
            ends.store(true, Ordering::Relaxed);
        }
        !ends.load(Ordering::Relaxed)
    });
    kept
}

/// Frames of all bodies, put together.
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
        frames.insert(frame, SimulatedFrame { frame, panels: shown, state_sha256 });
    }
    frames
}

/// Simulates what the view is to hold beyond the runs, which stay where they are.
fn look_on(panels: &[Panel], ahead: &FramesAhead, watches: &mut [BodyWatch], frames: u64) {
    let left = frames.saturating_sub(ahead.at + 1);
    if left == 0 {
        return;
    }
    let forks = panels.iter().zip(&ahead.runs).map(|(panel, run)| run.fork(panel));
    let mut forks: Vec<PanelRun> = forks.collect();
    let all = forks.iter_mut().flat_map(PanelRun::simulations_mut).zip(watches);
    let (all, watches): (Vec<_>, Vec<_>) = all.filter(|(_, watch)| watch.is_open()).unzip();
    let ends = AtomicBool::new(false);
    Batches::follow((all, watches), left, &|simulation, watch| {
        let goes_on = watch.look(simulation);
        if watch.gives_up() {
            ends.store(true, Ordering::Relaxed);
        }
        goes_on && !ends.load(Ordering::Relaxed)
    });
}
