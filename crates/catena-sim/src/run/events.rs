//! Checks events before a run: whether they can happen, and bounds on what they add to the loads.

use super::Setup;
use crate::body::vector::norm;
use crate::body::{Model, State};
use crate::drive::event::{Event, Target, Trigger, action::Joint};
use crate::named::BadSetup;
use std::collections::BTreeSet;

/// A body for checks before a run: it records the effects of actions without changing.
struct Plan<'a> {
    setup: &'a Setup,
    /// Nodes whose pin state differs from their initial pin state.
    turned: BTreeSet<usize>,
    /// Springs that are cut.
    cut: BTreeSet<usize>,
    /// Assumed state of all pins; `None` uses the known states.
    assumed: Option<bool>,
    /// Nodes that were released or pinned.
    touched: Vec<usize>,
    sets_wind: bool,
    done: Bringing,
}

/// Bounds on the loads that events add to a body.
#[derive(Default)]
pub(super) struct Bringing {
    /// Impulses as pairs of node and magnitude.
    pub(super) impulses: Vec<(usize, f64)>,
    /// Maximum magnitude of the acceleration of gravity.
    pub(super) gravity: f64,
    /// Maximum load of forces under a wind.
    pub(super) wind: f64,
    /// Whether an event stops moving nodes.
    pub(super) stops: bool,
    /// Maximum pull of a joint that is created stretched.
    pub(super) pull: f64,
}

impl Bringing {
    /// Load that events add: a different weight, a different wind, the pull of joints.
    pub(super) fn load(&self, model: &Model) -> f64 {
        self.gravity * model.mass.iter().sum::<f64>() + self.wind + self.pull
    }
}

impl<'a> Plan<'a> {
    fn new(setup: &'a Setup, assumed: Option<bool>) -> Self {
        Self {
            setup,
            turned: BTreeSet::new(),
            cut: BTreeSet::new(),
            assumed,
            touched: Vec::new(),
            sets_wind: false,
            done: Bringing::default(),
        }
    }

    fn turn(&mut self, node: usize) {
        if !self.turned.remove(&node) {
            self.turned.insert(node);
        }
        self.touched.push(node);
    }
}

impl Target for Plan<'_> {
    fn model(&self) -> &Model {
        &self.setup.model
    }

    fn state(&self) -> &State {
        &self.setup.initial
    }

    fn is_pinned(&self, node: usize) -> bool {
        let is_now = self.setup.model.pinned[node] != self.turned.contains(&node);
        self.assumed.unwrap_or(is_now)
    }

    fn is_whole(&self, spring: usize) -> bool {
        !self.cut.contains(&spring)
    }

    fn release(&mut self, node: usize) {
        self.turn(node);
    }

    fn pin(&mut self, node: usize) {
        self.done.stops = true;
        self.turn(node);
    }

    fn cut(&mut self, spring: usize) {
        self.cut.insert(spring);
    }

    fn join(&mut self, _rest_length: f64) {}

    fn push(&mut self, node: usize, impulse: [f64; 3]) {
        self.done.impulses.push((node, norm(impulse)));
    }

    fn set_gravity(&mut self, acceleration: &[f64]) {
        self.done.gravity = self.done.gravity.max(norm(acceleration));
    }

    fn set_wind(&mut self, velocity: &[f64]) {
        let forces = self.setup.forces.iter().filter_map(|force| force.with_wind(velocity));
        let load: f64 = forces.map(|force| force.load(&self.setup.model)).sum();
        self.sets_wind = true;
        self.done.wind = self.done.wind.max(load);
    }

    fn set_winch(&mut self, _speed: f64) -> bool {
        self.setup.has_winch()
    }

    fn reel(&mut self, node: Option<usize>, _length: f64, _over: f64) -> Result<(), String> {
        self.setup.rope_of(node).map(|_| ())
    }
}

/// Refuses actions whose options are out of range or do not fit the body.
pub(super) fn check_actions(events: &[Event], model: &Model) -> Result<(), BadSetup> {
    events.iter().enumerate().try_for_each(|(index, Event { action, .. })| {
        let fits = action.check().and_then(|()| action.fits(model.axes, model.nodes()));
        fits.map_err(|bad| BadSetup::option(&format!("events[{index}].do"), &bad))
    })
}

impl Setup {
    /// Index in `lengths` of the rope that contains `node`, or of the only rope, for an event that
    /// changes its length.
    ///
    /// # Errors
    /// The reason why it is no rope, or which of several is meant, as the end of a sentence.
    pub(super) fn rope_of(&self, node: Option<usize>) -> Result<usize, String> {
        let is_at = |spring: usize| {
            let ends = self.model.springs.get(spring).map(|spring| [spring.a, spring.b]);
            node.is_none_or(|node| ends.is_some_and(|ends| ends.contains(&node)))
        };
        let ropes = self.lengths.0.iter().enumerate();
        let found: Vec<usize> = ropes
            .filter(|(_, rope)| rope.springs.iter().any(|spring| is_at(*spring)))
            .map(|(index, _)| index)
            .collect();
        match (found.first(), found.len(), node) {
            (Some(rope), 1, _) => Ok(*rope),
            (None, _, None) => Err("the body has no rope whose length can change: rods, ropes \
                with the law Dahl, cloths, nets, meshes and solids cannot"
                .into()),
            (None, _, Some(node)) => {
                Err(format!("node {node} is not in a rope whose length can change"))
            }
            (_, count, None) => {
                Err(format!("the body has {count} ropes: write a `node` of one of them"))
            }
            (_, count, Some(node)) => {
                Err(format!("node {node} joins {count} ropes: write a `node` inside one of them"))
            }
        }
    }

    /// Indices of two timed events that change the length of one rope: the first pair of which the
    /// second begins before the first ends.
    pub fn interrupted_reel(&self) -> Option<[usize; 2]> {
        let timed = |(index, event): (usize, &Event)| {
            let (Trigger::At(time), Some(reel)) = (&event.trigger, event.action.reel()) else {
                return None;
            };
            let rope = self.rope_of(reel.node).ok()?;
            Some((rope, time.max(0.0), time.max(0.0) + reel.over, index))
        };
        let mut reels: Vec<_> = self.events.iter().enumerate().filter_map(timed).collect();
        reels.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let interrupts = |pair: &&[(usize, f64, f64, usize)]| {
            let [first, second] = **pair else { return false };
            // The sum of a time and a duration is rounded.
            first.0 == second.0 && second.1 < first.2 * (1.0 - 1e-9)
        };
        reels.windows(2).find(interrupts).map(|pair| [pair[0].3, pair[1].3])
    }

    /// Index of the spring that the event creates; `None` if it creates none.
    pub(super) fn joint_of(&self, event: usize) -> Option<usize> {
        let is_joint = |event: &&Event| event.action.joint().is_some();
        self.events.get(event).filter(is_joint)?;
        let later = self.events[event..].iter().filter(is_joint).count();
        self.model.springs.len().checked_sub(later)
    }

    /// Number of springs that the events create. They are the last springs of the model.
    pub fn joints(&self) -> usize {
        self.events.iter().filter(|event| event.action.joint().is_some()).count()
    }

    /// Whether an event may break or create springs.
    pub(super) fn changes_springs(&self) -> bool {
        let cuts = |event: &Event| {
            let mut plan = Plan::new(self, None);
            event.action.joint().is_some()
                || (event.action.happen(&mut plan).is_ok() && !plan.cut.is_empty())
        };
        self.events.iter().any(cuts)
    }

    /// Whether an event pins this node.
    pub(super) fn pins_later(&self, node: usize) -> bool {
        let pins = |event: &Event| {
            let mut plan = Plan::new(self, Some(false));
            let fits = event.action.fits(self.model.axes, self.model.nodes()).is_ok();
            fits && event.action.happen(&mut plan).is_ok() && plan.touched.contains(&node)
        };
        self.events.iter().any(pins)
    }

    /// Bounds on the loads that all events together add.
    pub(super) fn loads_of_events(&self) -> Bringing {
        let mut plan = Plan::new(self, Some(false));
        let model = &self.model;
        for event in &self.events {
            // An action that cannot happen adds nothing.
            let _ = event.action.happen(&mut plan);
            if let Some(Joint { stiffness, length: Some(length), .. }) = event.action.joint() {
                let stiffest = model.structural().iter().map(|spring| spring.stiffness);
                let stiffness = stiffness.unwrap_or_else(|| stiffest.fold(0.0, f64::max));
                let pull = stiffness * (model.rest_length() - length).max(0.0);
                plan.done.pull = plan.done.pull.max(pull);
            }
        }
        plan.done
    }

    /// Checks events: their options, and contradictions that are known before a run.
    pub(super) fn check_events(&self) -> Result<(), BadSetup> {
        check_actions(&self.events, &self.model)?;
        self.check_joints()?;
        for (index, event) in self.events.iter().enumerate() {
            self.check_trigger(index, &event.trigger)?;
            let field = format!("events[{index}].do");
            let mut plans = [false, true].map(|assumed| Plan::new(self, Some(assumed)));
            let results = plans.each_mut().map(|plan| event.action.happen(plan));
            // The action must be possible for at least one state of the pins.
            if let [Err(why), Err(_)] = results {
                return Err(BadSetup::new(field, format!("this action is not possible: {why}")));
            }
            let has_medium = self.forces.iter().any(|force| force.with_wind(&[]).is_some());
            let is_fine = has_medium || plans.iter().all(|plan| !plan.sets_wind);
            let message = "wind has no effect without drag: give the body `drag`";
            BadSetup::unless(is_fine, field, message)?;
        }
        self.check_contradictions()
    }

    fn check_trigger(&self, index: usize, trigger: &Trigger) -> Result<(), BadSetup> {
        let (axes, nodes) = (self.model.axes, self.model.nodes());
        match trigger {
            Trigger::At(at) => {
                let message = format!("expected a finite number, found {at}");
                BadSetup::unless(at.is_finite(), format!("events[{index}].at"), message)
            }
            Trigger::When(condition) => {
                let field = format!("events[{index}].when");
                let fits = condition.check().and_then(|()| condition.fits(axes, nodes));
                fits.map_err(|bad| BadSetup::option(&field, &bad))?;
                let fits = condition.fits_body(&self.model);
                fits.map_err(|message| BadSetup::new(&field, message))?;
                let name = self.method.info().name;
                let message = format!(
                    "{name} does not compute the tension of springs: use a Length or Distance \
                     condition, or choose another method"
                );
                let is_known = !condition.needs_tension() || self.knows_tension();
                BadSetup::unless(is_known, field, message)
            }
        }
    }

    /// Whether the tension of held springs is known. This requires that they follow a law or that
    /// the method solves for the tension. All methods of this crate meet one of these conditions.
    pub fn knows_tension(&self) -> bool {
        let is_solved = || {
            let dt = self.dt();
            let mut run = self.step_control.start(&self.method, &self.model, &self.initial, dt);
            run.keep_reactions();
            run.tensions().is_some()
        };
        self.method.info().order.is_some() || is_solved()
    }

    /// Whether an event waits for a tension.
    pub(super) fn needs_tension(&self) -> bool {
        self.events.iter().any(|event| match &event.trigger {
            Trigger::When(condition) => condition.needs_tension(),
            Trigger::At(_) => false,
        })
    }

    /// Checks that the joints of events are the last springs.
    fn check_joints(&self) -> Result<(), BadSetup> {
        let is_there = |(index, event): (usize, &Event)| {
            let Some(Joint { a, b, .. }) = event.action.joint() else { return true };
            let spring = self.joint_of(index).filter(|spring| *spring >= self.model.held);
            let ends = spring.map(|spring| &self.model.springs[spring]).map(|s| (s.a, s.b));
            ends == Some((a, b))
        };
        let are_there = self.events.iter().enumerate().all(is_there);
        let message = "springs that events make must be the last ones of the model, in the order of the events";
        BadSetup::unless(are_there, "springs", message)
    }

    /// Refuses events that certainly have no effect. Timed events are checked in their order. If a
    /// conditional event may change a pin, the state of that pin is unknown.
    fn check_contradictions(&self) -> Result<(), BadSetup> {
        let outcome = |event: &Event, assumed| {
            let mut plan = Plan::new(self, assumed);
            let result = event.action.happen(&mut plan);
            (result, plan)
        };
        let turns = |event: &Event| {
            [false, true].iter().any(|pinned| !outcome(event, Some(*pinned)).1.touched.is_empty())
        };
        let asks_for_pins = |event: &Event| {
            outcome(event, Some(false)).0.is_ok() != outcome(event, Some(true)).0.is_ok()
        };
        let refused = |index: usize, why: String| {
            BadSetup::new(
                format!("events[{index}].do"),
                format!("this action is not possible: {why} at that time"),
            )
        };
        let mut timed = Vec::new();
        let mut may_turn = false;
        let turning = self.events.iter().filter(|event| turns(event)).count();
        for (index, event) in self.events.iter().enumerate() {
            let Trigger::At(at) = event.trigger else {
                let turns = turns(event);
                may_turn |= turns;
                let is_alone = turning == usize::from(turns);
                match outcome(event, None).0 {
                    Err(why) if is_alone => return Err(refused(index, why)),
                    _ => continue,
                }
            };
            timed.push((at, index));
        }
        timed.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut plan = Plan::new(self, None);
        for (_, index) in timed {
            let event = &self.events[index];
            match event.action.happen(&mut plan) {
                Err(why) if !(may_turn && asks_for_pins(event)) => return Err(refused(index, why)),
                _ => {}
            }
        }
        Ok(())
    }
}
