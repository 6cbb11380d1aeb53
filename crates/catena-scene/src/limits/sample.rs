//! Sample runs that measure what only a run shows: the work of bodies beyond their minimum, which
//! is contacts, iterations and divided steps, where bodies diverge, and where they are. The limit
//! is counted work, so samples are equal on every machine.

use super::extent::PanelView;
use crate::limits::planned::{bodies, numbered};
use crate::parts::{Body, Panel, Scene, View, Viewpoint};
use crate::words::RestBy;
use catena_analysis::settle::{RestRule, RestWatch};
use catena_sim::run::extra_bill;
use catena_sim::{Bill, Budget, Outcome, Setup, Simulation};
use std::ops::Range;
use std::sync::Arc;

/// Work after which the samples of a scene end, in nanoseconds of one core. A sample of few steps
/// may take [`LONGEST`] times its share.
const MAX_WORK: u64 = 800_000_000;

/// Maximum number of pairs of nodes that may touch in a sample.
const MAX_PAIRS: u64 = 4_000_000;

/// Work beyond the minimum of a run: operations of each body of a scene, and searches before the
/// first picture.
#[derive(Clone, Debug, Default)]
pub struct Extras {
    bodies: Vec<Extra>,
    /// Nanoseconds of the search for steps above the stability limit.
    searches: u64,
    /// View of panels without one of their own.
    view: PanelView,
}

/// Sample of the first steps of a body: its operations beyond the minimum, and its positions.
#[derive(Clone, Debug, Default)]
struct Extra {
    bill: Bill,
    steps: u64,
    /// Operations in the last quarter to two fifths of the sampled steps; `late_steps` is the
    /// number of these steps. They represent the steps after the sample, because a body that falls
    /// at first touches things later.
    late: Bill,
    late_steps: u64,
    /// Steps per frame.
    substeps: u64,
    /// Whether the body can touch itself or colliders.
    touches: bool,
    /// First frame with an invalid state, if the body diverges in the sample.
    diverged: Option<u64>,
    /// Frame in which the wait for rest ends, if the body comes to rest in the sample.
    rested: Option<u64>,
    /// Frames after the start with their node positions, flat by axis.
    shown: Vec<(u64, Vec<f64>)>,
}

impl Extra {
    /// Returns the operations beyond the minimum in the first `frames` frames after time 0.
    fn of(&self, frames: u64) -> Bill {
        let frames = frames.min(self.diverged.unwrap_or(u64::MAX));
        let steps = frames.saturating_mul(self.substeps);
        match steps.checked_sub(self.steps) {
            Some(more @ 1..) if self.late_steps > 0 => {
                let mut all = self.bill.clone();
                all.add_times(&self.late.clone().extended(more, self.late_steps), 1);
                all
            }
            _ => self.bill.clone().extended(steps, self.steps.max(1)),
        }
    }

    /// Number of frames that the sample contains.
    fn whole_frames(&self) -> u64 {
        self.steps / self.substeps.max(1)
    }
}

impl Extras {
    /// Returns no work beyond the minimum.
    pub fn none() -> Self {
        Self::default()
    }

    /// Samples the first `frames` frames of a scene, or fewer if they exceed a fixed amount of
    /// work.
    pub fn of_first(scene: &Scene, frames: u64) -> Self {
        let work = MAX_WORK / bodies(scene).count().max(1) as u64;
        let sampled = |(_, panel, body): (usize, &Panel, &Body)| {
            sample(&body.setup, rest_rule(panel, body), frames, work)
        };
        Self {
            bodies: numbered(scene).map(sampled).collect(),
            searches: 0,
            view: PanelView::default(),
        }
    }

    /// Returns the extras with the nanoseconds of the search for steps above the stability limit.
    #[must_use]
    pub fn with_searches(self, searches: u64) -> Self {
        Self { searches, ..self }
    }

    /// Returns the extras with the view of panels without one of their own: a part of the plane, or
    /// a viewpoint in space.
    #[must_use]
    pub fn with_view(self, plane: Option<View>, space: Option<Viewpoint>) -> Self {
        Self { view: PanelView { plane, space }, ..self }
    }

    /// Returns the view of panels without one of their own.
    pub(super) fn view(&self) -> PanelView {
        self.view
    }

    /// Returns the nanoseconds of the search for steps above the stability limit.
    pub(super) fn searches(&self) -> u64 {
        self.searches
    }

    /// Returns the last frame whose contacts are counted, if the sample of a body that can touch
    /// something ends before the last of `frames` frames.
    pub(super) fn contacts_until(&self, frames: u64) -> Option<u64> {
        let is_cut = |extra: &&Extra| extra.touches && extra.diverged.is_none();
        let ends = self.bodies.iter().filter(is_cut).map(Extra::whole_frames);
        ends.filter(|end| end + 1 < frames).min()
    }

    /// Returns the first frame with an invalid state, if a body diverges in its sample. Passes
    /// before the pictures, motion blur and the wait for rest end there.
    pub(super) fn diverged(&self, body: usize) -> Option<u64> {
        self.bodies.get(body)?.diverged
    }

    /// Returns the frame in which the wait for rest ends, if a body comes to rest in its sample.
    pub(super) fn rested(&self, body: usize) -> Option<u64> {
        self.bodies.get(body)?.rested
    }

    /// Returns sizes of parts of a range of frames, each with the node positions that represent the
    /// part. `None` stands for the positions at the start.
    pub(super) fn shown(
        &self,
        body: usize,
        frames: Range<u64>,
    ) -> impl Iterator<Item = (u64, Option<&[f64]>)> {
        let sampled = self.bodies.get(body).map_or(&[][..], |extra| &extra.shown);
        let starts = std::iter::once((0, None));
        let starts: Vec<(u64, Option<&[f64]>)> =
            starts.chain(sampled.iter().map(|(frame, x)| (*frame, Some(&**x)))).collect();
        let ends: Vec<u64> = starts.iter().skip(1).map(|(frame, _)| *frame).collect();
        let parts = starts.into_iter().zip(ends.into_iter().chain([u64::MAX]));
        parts.filter_map(move |((start, x), end)| {
            let count = end.min(frames.end).saturating_sub(start.max(frames.start));
            (count > 0).then_some((count, x))
        })
    }

    /// Returns the operations beyond the minimum of a body in `frames` frames after time 0.
    pub(super) fn of(&self, body: usize, frames: u64) -> Bill {
        self.bodies.get(body).map_or_else(Bill::default, |extra| extra.of(frames))
    }
}

/// Share of its work, as a divisor, that a part of a sample may take before parts become shorter. A
/// part that the sample does not complete would count as a whole one.
const PARTS: u64 = 16;

/// Minimum number of steps of a sample whose work is not above [`LONGEST`] times its amount. The
/// first step may take far more iterations than the others.
const STEPS: u64 = 8;

/// Maximum work of a sample, as a multiple of its amount.
const LONGEST: u64 = 4;

/// Maximum number of coordinates of a body whose positions are kept.
const SHOWN: usize = 1 << 20;

/// Returns the criterion of rest of a body. `None` if its rest is computed without a run.
fn rest_rule(panel: &Panel, body: &Body) -> Option<RestRule> {
    let rest = &panel.rest;
    let rule = || RestRule::for_body(&body.setup, rest.speed, rest.frames, u64::MAX);
    (rest.by != RestBy::Solve).then(rule)
}

/// Returns the number of steps of the next part of a sample, after a part that took `taken` of its
/// `work`.
fn next_stride(stride: u64, taken: u64, work: u64) -> u64 {
    match taken.saturating_mul(PARTS) {
        taken if taken <= work / 2 => 2 * stride,
        taken if taken > work => (stride / 2).max(1),
        _ => stride,
    }
}

/// Simulates a body for `frames` frames, or until it has used `work`.
fn sample(setup: &Arc<Setup>, rest: Option<RestRule>, frames: u64, work: u64) -> Extra {
    let budget = Budget { work: work.saturating_mul(LONGEST), pairs: MAX_PAIRS };
    let warm_up = setup.warm_up;
    let setup = Setup { budget, warm_up: 0, ..(**setup).clone() };
    let (substeps, touches) = (setup.substeps, !setup.contacts.is_empty());
    let mut simulation = Simulation::new(Arc::new(setup));
    // Frame 0 is the initial state and needs no step.
    let wanted = frames.saturating_sub(1).saturating_mul(substeps);
    // Numbers of steps and bills of the run so far, each with a quarter more steps than the last.
    let mut marks = vec![(0, Bill::default())];
    // The work of a part is known only afterwards, so parts begin with one step.
    let mut stride = 1;
    let is_short = |simulation: &Simulation| simulation.work() < work || simulation.steps() < STEPS;
    // A warm-up is not sampled, so a body with one is elsewhere at the same frame.
    let is_at_start = warm_up == 0;
    let mut diverged = None;
    let mut seen = is_at_start.then(|| Seen::new(&simulation, rest));
    // Number of steps up to the last part that the budget allowed.
    let mut steps = 0;
    while simulation.steps() < wanted && is_short(&simulation) && simulation.refusal().is_none() {
        let before = simulation.work();
        match stride < substeps {
            true => simulation.advance_steps(stride.min(simulation.steps_to_frame(1))),
            false => simulation.advance_frame(),
        }
        if simulation.refusal().is_some() {
            // The part counts as one step, because its state and its other steps are invalid.
            steps += 1;
            break;
        }
        steps = simulation.steps();
        stride = next_stride(stride, simulation.work() - before, work).min(substeps);
        if let Outcome::Diverged { frame, .. } = simulation.outcome() {
            diverged = Some(frame).filter(|_| is_at_start);
            break;
        }
        if let Some(seen) = seen.as_mut().filter(|_| steps.is_multiple_of(substeps)) {
            seen.observe_frame(steps / substeps, &simulation);
        }
        if marks.last().is_some_and(|(last, _)| 4 * simulation.steps() >= 5 * last) {
            marks.push((simulation.steps(), extra_bill(&simulation)));
        }
    }
    let bill = extra_bill(&simulation);
    // At least a quarter of the steps count as late.
    let is_early = |(at, _): &&(u64, Bill)| 4 * (steps - at) >= steps;
    let (from, before) = marks.iter().rfind(is_early).unwrap_or(&marks[0]);
    let (late, late_steps) = (bill.clone().beyond(before), steps - from);
    let Seen { rested, shown, .. } = seen.unwrap_or_default();
    Extra { late, late_steps, bill, steps, substeps, touches, diverged, rested, shown }
}

/// Observation of the frames of a sample.
#[derive(Default)]
struct Seen {
    /// Watch until the body is at rest.
    watch: Option<RestWatch>,
    rested: Option<u64>,
    shown: Vec<(u64, Vec<f64>)>,
    /// Number of coordinates at the start.
    numbers: usize,
}

impl Seen {
    /// Starts to observe a simulation at frame 0.
    fn new(simulation: &Simulation, rest: Option<RestRule>) -> Self {
        let watch = rest.map(|rule| RestWatch::new(simulation, rule));
        Self { watch, numbers: simulation.state().x.len(), ..Self::default() }
    }

    /// Reads the state at the end of a frame. Positions of frames 1, 2, 4, 8, and so on are kept,
    /// unless an event has changed the nodes.
    fn observe_frame(&mut self, frame: u64, simulation: &Simulation) {
        if self.watch.as_mut().is_some_and(|watch| watch.observe_frame(simulation)) {
            (self.rested, self.watch) = (Some(frame), None);
        }
        let x = &simulation.state().x;
        if frame.is_power_of_two() && x.len() == self.numbers && self.numbers <= SHOWN {
            self.shown.push((frame, x.clone()));
        }
    }
}
