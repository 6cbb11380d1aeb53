//! Runs a body until it is at rest.

use catena_sim::drive::event::Trigger;
use catena_sim::{
    Body, Outcome, Setup, Simulation, SpringMemory, State,
    body::{
        measure,
        vector::{norm, sub},
    },
    drive::{Anchor, track::Extent},
    force::{Drag, rod::Rods},
    run::batch::Batch,
};
use rayon::prelude::*;
use std::{cell::Cell, sync::Arc};

/// Criterion for a body at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestRule {
    /// Maximum speed of a node at rest, and of sections of a rod that spin.
    pub speed: f64,
    /// Number of consecutive frames that must satisfy the speed limit.
    pub frames: u64,
    /// Index of the last frame to simulate.
    pub limit: u64,
}
catena_sim::identity!(RestRule { speed, frames, limit });

impl RestRule {
    /// Creates a rule for a body from the given values. `None` takes defaults from its length L and
    /// gravity g.
    ///
    /// The default speed is 1e-4·√(g L), about a ten-thousandth of the speed after a fall through
    /// L. The default time is half the period of a pendulum of length L, so that a turning point
    /// does not count as rest.
    pub fn for_body(setup: &Setup, speed: Option<f64>, frames: Option<u64>, limit: u64) -> Self {
        let length = setup.model.rest_length();
        let g = setup.gravity_strength();
        let natural_speed =
            if g > 0.0 { 1e-4 * (g * length).sqrt() } else { 1e-6 * length / setup.frame_time };
        let natural_frames = if g > 0.0 {
            (std::f64::consts::PI * (length / g).sqrt() / setup.frame_time).ceil() as u64
        } else {
            60
        };
        // If this exceeds the limit, rest cannot be detected, and the body counts as moving.
        let frames = frames.unwrap_or(natural_frames).max(1);
        Self { speed: speed.unwrap_or(natural_speed), frames, limit }
    }

    /// If the body can never satisfy the rule, returns the rule with `last` as its limit. Waiting
    /// for rest beyond the frames that are simulated anyway would be useless.
    #[must_use]
    pub fn without_vain_wait(self, setup: &Setup, last: u64) -> Self {
        if self.limit > last && unrest(setup, self).is_some() {
            return Self { limit: last, ..self };
        }
        self
    }
}

/// Part of a body that never stops moving, so that the body never rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unrest {
    /// A pinned node that never stops moving.
    #[error("pin {node} never stops moving")]
    Pin {
        /// Index of the node.
        node: usize,
    },
    /// A clamp of a rod that never stops moving or turning.
    #[error("a clamp never stops moving or turning")]
    Clamp,
}

/// Maximum number of frames in which [`unrest`] checks a pin.
const MAX_EXAMINED: u64 = 100_000;

/// Finds a part of a body that prevents it from ever satisfying a rule. This is a clamp that never
/// stops, or a pin that is never slow for the required number of frames. `None` if rest is possible
/// or undecided, as with events, which may release pins.
pub fn unrest(setup: &Setup, rule: RestRule) -> Option<Unrest> {
    if let Some(Extent::Endless(..)) = setup.rods().map(Rods::extent) {
        return Some(Unrest::Clamp);
    }
    if !setup.events.is_empty() {
        return None;
    }
    let mut pins = setup.anchors.iter().filter(|anchor| setup.model.pinned[anchor.node]);
    let node = pins.find(|anchor| is_never_slow(setup, anchor, rule))?.node;
    Some(Unrest::Pin { node })
}

/// Whether a pin never stops and is never slow for the number of frames that a rule requires.
/// Checks the frames up to the end of two windows of its motion, which contain each pause of a
/// repeated motion completely.
fn is_never_slow(setup: &Setup, anchor: &Anchor, rule: RestRule) -> bool {
    let Extent::Endless(from, until) = anchor.curve.extent() else { return false };
    let time = (until - setup.start_time).max(0.0) + (until - from).max(0.0);
    let looked_at = time / setup.frame_time + 2.0 * rule.frames as f64 + 2.0;
    if looked_at.is_nan() || looked_at > MAX_EXAMINED as f64 {
        return false;
    }
    let place = |frame: u64| anchor.curve.at(setup.time_after(frame * setup.substeps));
    let speed = |frame: u64| match setup.position_factor {
        1.0 => norm(place(frame).1),
        _ => norm(sub(place(frame).0, place(frame - 1).0)) / setup.frame_time,
    };
    let (mut slow, mut longest) = (0, 0);
    for frame in 1..=looked_at as u64 {
        slow = if speed(frame) <= rule.speed { slow + 1 } else { 0 };
        longest = longest.max(slow);
    }
    // In later repetitions a pause may contain one more frame at each end.
    longest + 2 < rule.frames
}

/// Outcome of a run to rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    /// The body came to rest.
    AtRest {
        /// First frame of the final sequence that satisfied the speed limit.
        frame: u64,
    },
    /// The body still moved at the frame limit, or when its budget was spent.
    Moving {
        /// Last frame that was simulated.
        frame: u64,
        /// Maximum speed of a node in that frame.
        speed: f64,
    },
    /// The run diverged.
    Diverged {
        /// First frame that diverged.
        frame: u64,
    },
}

/// Outcome of a run to rest, and its last valid state.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    /// Outcome of the run.
    pub ending: Ending,
    /// Last valid state. If the run diverged, this is the last state before the divergence.
    pub state: State,
    /// Plastic strain and breaks of the springs in that state.
    pub springs: SpringMemory,
    /// Whether each node is pinned in that state. Empty if no event has changed the pins.
    pub pinned: Vec<bool>,
    /// Rest length of each spring in that state. Empty if rest lengths are constant.
    pub rests: Vec<f64>,
}

/// Rest lengths of the springs of a run whose lengths change; empty for any other.
fn rests_of(simulation: &Simulation) -> Vec<f64> {
    let Setup { lengths, model, .. } = &**simulation.setup();
    let springs = model.springs.iter().filter(|_| !lengths.is_empty());
    springs.map(|spring| spring.rest_length).collect()
}

/// Time until which something drives a body: pins, clamps of rods, lengths or colliders that move
/// or change, also by timed events, and forces whose change ends. Infinite for a clamp that never
/// stops, since speeds of nodes do not show its motion. They do show other endless changes, which
/// are ignored here.
fn driven_until(setup: &Setup) -> f64 {
    let pins = setup.anchors.iter().filter(|anchor| setup.model.pinned[anchor.node]);
    let colliders = setup.contacts.colliders.iter().filter_map(|collider| collider.motion());
    let extents = pins
        .map(|anchor| anchor.curve.extent())
        .chain([setup.lengths.extent()])
        .chain(colliders.map(|motion| motion.extent()))
        .chain(setup.forces.iter().map(|force| force.extent()));
    let until = |extent: Extent| match extent {
        Extent::Bounded(_, until) => until,
        Extent::Still | Extent::Endless(..) => f64::NEG_INFINITY,
    };
    let reeled = setup.events.iter().filter_map(|event| match event.trigger {
        Trigger::At(at) => event.action.reel().map(|reel| at + reel.over),
        Trigger::When(_) => None,
    });
    let until = extents.map(until).chain(reeled).fold(f64::NEG_INFINITY, f64::max);
    match setup.rods().map(Rods::extent) {
        Some(Extent::Endless(..)) => f64::INFINITY,
        Some(Extent::Bounded(_, end)) => until.max(end),
        Some(Extent::Still) | None => until,
    }
}

/// Runs from frame 0 until the rule is met or the limit is reached. A frame can count as quiet only
/// after everything that drives the body has stopped. `continues` receives the simulation after
/// each frame and returns whether to continue.
pub fn settle(
    setup: &Arc<Setup>,
    rule: RestRule,
    continues: &dyn Fn(&Simulation) -> bool,
) -> Settled {
    let mut run = RunToRest::new(setup, rule);
    loop {
        run.simulation.advance_frame();
        let goes_on = continues(&run.simulation);
        if let Some(ending) = run.observe_frame(goes_on) {
            return run.settled(ending);
        }
    }
}

/// Runs several bodies like [`settle`], in lanes where they fit. Returns their outcomes in order.
pub fn settle_all(subjects: &[(Arc<Setup>, RestRule)]) -> Vec<Settled> {
    let mut runs: Vec<RunToRest> =
        subjects.iter().map(|(setup, rule)| RunToRest::new(setup, *rule)).collect();
    let mut endings: Vec<Option<Ending>> = vec![None; runs.len()];
    let mut batch = Batch::default();
    loop {
        let is_running = |(_, ending): &(_, &mut Option<Ending>)| ending.is_none();
        let mut running: Vec<_> = runs.iter_mut().zip(&mut endings).filter(is_running).collect();
        if running.is_empty() {
            break;
        }
        let simulations = running.iter_mut().map(|(run, _)| &mut run.simulation);
        batch.advance_frames(&mut simulations.collect::<Vec<_>>());
        for (run, ending) in running {
            *ending = run.observe_frame(true);
        }
    }
    let settled = |(run, ending): (RunToRest, Option<Ending>)| Some(run.settled(ending?));
    runs.into_iter().zip(endings).filter_map(settled).collect()
}

/// Observation of a run that finds the frame in which a body has come to rest.
pub struct RestWatch {
    /// Setup at the start; events may change that of the simulation.
    setup: Arc<Setup>,
    rule: RestRule,
    /// State of the last valid frame.
    last: State,
    /// Number of consecutive quiet frames up to now. Frame 0 does not count: a rope that is about
    /// to fall is also motionless.
    quiet: u64,
    /// Time until which something drives the body, as known at the start.
    driven: f64,
    /// Whether events can start changes of length.
    reels: bool,
}

impl RestWatch {
    /// Starts to observe a simulation at frame 0.
    pub fn new(simulation: &Simulation, rule: RestRule) -> Self {
        let setup = simulation.setup();
        Self {
            setup: Arc::clone(setup),
            rule,
            last: simulation.state().clone(),
            quiet: 0,
            driven: driven_until(setup),
            reels: setup.events.iter().any(|event| event.action.reel().is_some()),
        }
    }

    /// Reads the valid frame that the simulation has reached. Each frame must be read once. Returns
    /// whether the rule is met.
    pub fn observe_frame(&mut self, simulation: &Simulation) -> bool {
        self.observe_speed(simulation);
        self.is_met()
    }

    /// Reads a frame like [`Self::observe_frame`], and returns the maximum speed of a node or of a
    /// section that spins.
    fn observe_speed(&mut self, simulation: &Simulation) -> f64 {
        let spin = spin_speed(&self.setup, simulation.springs());
        let speed = speed(&self.setup, &self.last, simulation.state()).max(spin);
        self.last.clone_from(simulation.state());
        // An event with a condition may have begun a change of length.
        let now = self.reels.then(|| driven_until(simulation.setup()));
        let driven = now.map_or(self.driven, |now| self.driven.max(now));
        let is_quiet = speed <= self.rule.speed && self.last.t >= driven;
        self.quiet = if is_quiet { self.quiet + 1 } else { 0 };
        speed
    }

    /// Whether the rule is met.
    fn is_met(&self) -> bool {
        self.quiet >= self.rule.frames
    }
}

/// A run until a body is at rest.
struct RunToRest {
    watch: RestWatch,
    simulation: Simulation,
    /// Springs and pins of the last valid frame, for a [`Settled`].
    springs: SpringMemory,
    pinned: Vec<bool>,
    rests: Vec<f64>,
}

impl RunToRest {
    fn new(setup: &Arc<Setup>, rule: RestRule) -> Self {
        let simulation = Simulation::new(Arc::clone(setup));
        Self {
            watch: RestWatch::new(&simulation, rule),
            springs: simulation.springs().clone(),
            pinned: simulation.events().pinned.clone(),
            rests: rests_of(&simulation),
            simulation,
        }
    }

    /// Reads the frame that the simulation has reached, and keeps it as the last valid one if it is
    /// valid. Returns the outcome if the run is over. Without `goes_on` it always is.
    fn observe_frame(&mut self, goes_on: bool) -> Option<Ending> {
        let (watch, simulation) = (&mut self.watch, &self.simulation);
        let frame = simulation.frame();
        if let Outcome::Diverged { frame, .. } = simulation.outcome() {
            return Some(Ending::Diverged { frame });
        }
        // The budget is spent, so `last` is the final state.
        if simulation.refusal().is_some() {
            let speed = measure::greatest_speed(&watch.setup.model, &watch.last);
            let speed = speed.max(spin_speed(&watch.setup, &self.springs));
            return Some(Ending::Moving { frame: frame - 1, speed });
        }
        let speed = watch.observe_speed(simulation);
        self.springs.clone_from(simulation.springs());
        self.pinned.clone_from(&simulation.events().pinned);
        self.rests = rests_of(simulation);
        if watch.is_met() {
            return Some(Ending::AtRest { frame: frame + 1 - watch.quiet });
        }
        (!goes_on || frame >= watch.rule.limit).then_some(Ending::Moving { frame, speed })
    }

    fn settled(self, ending: Ending) -> Settled {
        let Self { watch, springs, pinned, rests, .. } = self;
        Settled { ending, state: watch.last, springs, pinned, rests }
    }
}

/// Maximum speed of rod sections that spin about the axis of their rod, which does not move nodes.
fn spin_speed(setup: &Setup, springs: &SpringMemory) -> f64 {
    let body = Body { model: &setup.model, springs };
    setup.rods().map_or(0.0, |rods| rods.spin_speed(&body))
}

/// Maximum speed of a node. A position factor moves nodes without changing velocities. With one,
/// the displacement since the last frame is used instead.
fn speed(setup: &Setup, last: &State, now: &State) -> f64 {
    if setup.position_factor == 1.0 {
        return measure::greatest_speed(&setup.model, now);
    }
    let v = now.x.iter().zip(&last.x).map(|(now, last)| (now - last) / setup.frame_time).collect();
    measure::greatest_speed(&setup.model, &State { t: now.t, x: now.x.clone(), v })
}

/// Finds the rest state of a body: from the balance of forces if possible, otherwise from a run
/// with added drag. Drag changes the path to rest. The rest state itself changes only if springs
/// flow or break, or with friction.
///
/// # Errors
/// Returns the outcome of a run that does not come to rest within `limit` frames and its budget.
pub fn rest_state(setup: &Setup, limit: u64) -> Result<State, Ending> {
    if let Some(x) = setup.hanging_chain(setup.link_law()) {
        return Ok(State::at_rest(x));
    }
    let rule = RestRule::for_body(setup, None, None, limit);
    // Critical damping of a pendulum as long as the body, which approximates its slowest motion.
    let slowest = (setup.gravity_strength() / setup.model.rest_length()).sqrt();
    let mut slowed = setup.clone();
    slowed.forces.push(Arc::new(drag_of_rate(setup, 2.0 * slowest)));
    let settled = settle(&Arc::new(slowed), rule, &|_| true);
    match settled.ending {
        Ending::AtRest { .. } => Ok(State::at_rest(settled.state.x)),
        ending => Err(ending),
    }
}

/// Variant of a body, and the outcome of its run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SettledVariant {
    /// Varied value: substeps per frame, or c/m of the drag per unit of time.
    pub value: f64,
    /// Outcome of the run.
    pub ending: Ending,
    /// Work of the run, in nanoseconds of one core, as budgets count it.
    pub work: u64,
}

/// Runs a variant of a body until it is at rest.
fn settled(value: f64, setup: Setup, rule: RestRule) -> SettledVariant {
    let work = Cell::new(0);
    let continues = |simulation: &Simulation| {
        work.set(simulation.spent());
        true
    };
    let ending = settle(&Arc::new(setup), rule, &continues).ending;
    SettledVariant { value, ending, work: work.get() }
}

/// Runs a body with each number of substeps until the body is at rest.
pub fn over_substeps(setup: &Setup, rule: RestRule, substeps: &[u64]) -> Vec<SettledVariant> {
    let run = |&substeps: &u64| settled(substeps as f64, Setup { substeps, ..setup.clone() }, rule);
    substeps.par_iter().map(run).collect()
}

/// Runs a body with each drag in `rates`, as c/m per unit of time, until it is at rest. The rate
/// replaces all drag of the body; the method's own damping stays.
pub fn over_drag(setup: &Setup, rule: RestRule, rates: &[f64]) -> Vec<SettledVariant> {
    let run = |&rate: &f64| settled(rate, with_drag_rate(setup, rate), rule);
    rates.par_iter().map(run).collect()
}

/// Returns a setup with a drag of `rate` in place of its own, as c/m per unit of time. A slip of
/// the drag stays.
fn with_drag_rate(setup: &Setup, rate: f64) -> Setup {
    let mut variant = setup.clone();
    let drag = drag_of_rate(setup, rate);
    let own = variant.forces.iter().find_map(|force| force.with_drag(drag.coefficient));
    variant.forces.retain(|force| force.resistance() == 0.0);
    variant.forces.push(own.unwrap_or_else(|| Arc::new(drag)));
    variant
}

/// Drag of a medium at rest. `rate` is c/m per unit of time for nodes of the mean mass.
fn drag_of_rate(setup: &Setup, rate: f64) -> Drag {
    let mass = setup.model.mass.iter().sum::<f64>() / setup.model.nodes() as f64;
    Drag { coefficient: rate * mass, wind: vec![0.0; setup.model.axes] }
}
