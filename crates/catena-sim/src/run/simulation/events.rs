//! Events of a run: their conditions, their effects, and the continuation of the run.
//!
//! Pins, springs and forces of a setup are constant during a step. An event creates a new setup
//! from the first one and from all changes so far. The method restarts from the state, because its
//! history from before the change does not describe the motion after it.

use super::{Checkpoint, Simulation, Steering};
use crate::body::{Model, SpringMemory, State};
use crate::drive::Anchors;
use crate::drive::event::{Action, EventMemory, Happened, Moment, Reeled, Target, Trigger};
use crate::drive::track::Track;
use crate::force::Account;
use crate::method::Displaced;
use crate::run::{Setup, watch::Watch};
use std::{collections::BTreeMap, sync::Arc};

/// A body while an event happens to it.
struct Happening<'a> {
    setup: &'a Setup,
    state: &'a mut State,
    springs: &'a mut SpringMemory,
    memory: &'a mut EventMemory,
    /// Index of the spring that the event creates.
    joint: Option<usize>,
    /// Whether pins, springs or forces have changed.
    is_changed: bool,
    /// Nodes that were pinned or released.
    turned: Vec<usize>,
    /// Nodes that were pushed.
    pushed: Vec<usize>,
    /// Account that the change of energy is booked on.
    account: Account,
}

impl Happening<'_> {
    fn set_pinned(&mut self, node: usize, is_pinned: bool) {
        if self.memory.pinned.is_empty() {
            self.memory.pinned.clone_from(&self.setup.model.pinned);
        }
        self.memory.pinned[node] = is_pinned;
        self.turned.push(node);
        self.is_changed = true;
        self.account = Account::Anchors;
    }

    fn change(&mut self, account: Account) {
        self.is_changed = true;
        self.account = account;
    }
}

impl Target for Happening<'_> {
    fn model(&self) -> &Model {
        &self.setup.model
    }

    fn state(&self) -> &State {
        self.state
    }

    fn is_pinned(&self, node: usize) -> bool {
        let now = if self.memory.pinned.is_empty() {
            &self.setup.model.pinned
        } else {
            &self.memory.pinned
        };
        now[node]
    }

    fn is_whole(&self, spring: usize) -> bool {
        !self.springs.is_broken(spring)
    }

    fn release(&mut self, node: usize) {
        self.set_pinned(node, false);
    }

    fn pin(&mut self, node: usize) {
        self.set_pinned(node, true);
    }

    fn cut(&mut self, spring: usize) {
        let across = across(&self.setup.model, self.springs, self.setup.joints(), spring);
        for spring in across.into_iter().chain([spring]) {
            self.springs.broken[spring] = true;
        }
        self.change(Account::Yielding);
    }

    fn join(&mut self, rest_length: f64) {
        let Some(spring) = self.joint else { return };
        self.springs.broken[spring] = false;
        if let Some(plastic) = self.springs.plastic.get_mut(spring) {
            *plastic = 0.0;
        }
        self.memory.joints.push((spring, rest_length));
        self.change(Account::External);
    }

    fn push(&mut self, node: usize, impulse: [f64; 3]) {
        let Model { axes, mass, .. } = &self.setup.model;
        let n = mass.len();
        for (axis, component) in impulse.iter().enumerate().take(*axes) {
            self.state.v[axis * n + node] += component / mass[node];
        }
        self.pushed.push(node);
        self.account = Account::External;
    }

    fn set_gravity(&mut self, acceleration: &[f64]) {
        self.memory.gravity = Some(acceleration.to_vec());
        self.change(Account::External);
    }

    fn set_wind(&mut self, velocity: &[f64]) {
        self.memory.wind = Some(velocity.to_vec());
        self.change(Account::External);
    }

    fn set_winch(&mut self, speed: f64) -> bool {
        self.memory.winch = Some(speed);
        self.change(Account::Anchors);
        self.setup.has_winch()
    }

    fn reel(&mut self, node: Option<usize>, length: f64, over: f64) -> Result<(), String> {
        let rope = self.setup.rope_of(node)?;
        let t = self.state.t;
        let [before] = self.setup.lengths.0[rope].length.at(t).0;
        let until = (t + over).max(t.next_up());
        let reeled = Reeled { rope, times: [t, until], lengths: [before, length] };
        self.memory.reels.retain(|it| it.rope != rope);
        self.memory.reels.push(reeled);
        self.change(Account::Anchors);
        Ok(())
    }
}

/// Shear and bending springs whose ends were connected by exactly one pair of unbroken structural
/// springs, one of which is `cut`.
fn across(model: &Model, memory: &SpringMemory, joints: usize, cut: usize) -> Vec<usize> {
    let ends = [model.springs[cut].a, model.springs[cut].b];
    let others = model.structural..model.springs.len() - joints;
    let is_near = |j: &usize| {
        let spring = &model.springs[*j];
        !memory.is_broken(*j) && (ends.contains(&spring.a) || ends.contains(&spring.b))
    };
    let near: Vec<usize> = others.filter(is_near).collect();
    let mut neighbours: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    for spring in near.iter().map(|&j| &model.springs[j]) {
        neighbours.insert(spring.a, Vec::new());
        neighbours.insert(spring.b, Vec::new());
    }
    let unbroken = (0..model.structural).filter(|j| *j == cut || !memory.is_broken(*j));
    for j in unbroken {
        let spring = &model.springs[j];
        for (node, other) in [(spring.a, spring.b), (spring.b, spring.a)] {
            neighbours.entry(node).and_modify(|list| list.push((other, j)));
        }
    }
    let is_cut_off = |&j: &usize| {
        let spring = &model.springs[j];
        let mut paths = [false; 2];
        for (middle, first) in &neighbours[&spring.a] {
            for (_, second) in neighbours[&spring.b].iter().filter(|(node, _)| node == middle) {
                paths[usize::from([*first, *second].contains(&cut))] = true;
            }
        }
        paths == [false, true]
    };
    near.into_iter().filter(is_cut_off).collect()
}

impl Setup {
    /// Returns the setup after the changes by events and from outside.
    fn after(&self, memory: &EventMemory, steering: &Steering) -> Self {
        let mut setup = self.clone();
        if !memory.pinned.is_empty() {
            setup.model.pinned.clone_from(&memory.pinned);
        }
        for (spring, rest_length) in &memory.joints {
            setup.model.springs[*spring].rest_length = *rest_length;
        }
        for reeled in &memory.reels {
            if let Some(rope) = setup.lengths.0.get_mut(reeled.rope) {
                rope.reel(reeled);
            }
        }
        for force in &mut setup.forces {
            let gravity = memory.gravity.as_ref().and_then(|g| force.with_gravity(g));
            let wind = memory.wind.as_ref().and_then(|wind| force.with_wind(wind));
            let fed = memory.winch.and_then(|speed| force.fed_at(speed));
            if let Some(changed) = gravity.or(wind).or(fed) {
                *force = changed;
            }
        }
        steering.steer(&mut setup);
        setup
    }

    /// Whether an event can have changed a length in this way.
    fn has_reeled(&self, Reeled { rope, times, lengths }: &Reeled) -> bool {
        let is_length = |length: &f64| *length > 0.0 && length.is_finite();
        let [from, until] = times;
        *rope < self.lengths.0.len()
            && from < until
            && until.is_finite()
            && lengths.iter().all(is_length)
    }

    /// Whether events in a run of this setup can have this memory.
    pub(super) fn has_memory(&self, memory: &EventMemory) -> bool {
        let (axes, nodes) = (self.model.axes, self.model.nodes());
        let EventMemory { happened, pinned, gravity, wind, winch, reels, joints } = memory;
        let is_vector = |vector: &Option<Vec<f64>>| {
            vector.as_ref().is_none_or(|v| v.len() == axes && v.iter().all(|v| v.is_finite()))
        };
        let mut numbers: Vec<usize> = happened.iter().map(|happened| happened.event).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let reserved = self.model.springs.len() - self.joints()..self.model.springs.len();
        numbers.len() == happened.len()
            && numbers.last().is_none_or(|last| *last < self.events.len())
            && (pinned.is_empty() || pinned.len() == nodes)
            && is_vector(gravity)
            && is_vector(wind)
            && winch.is_none_or(f64::is_finite)
            && reels.iter().all(|it| self.has_reeled(it))
            && joints.iter().all(|(spring, length)| {
                reserved.contains(spring) && *length > 0.0 && length.is_finite()
            })
    }
}

impl Simulation {
    /// Effects of events so far.
    pub fn events(&self) -> &EventMemory {
        &self.events
    }

    /// Triggers the events that are due at the end of a step that began at the time `before`, or at
    /// the start of the run.
    pub(super) fn trigger_events(&mut self, before: f64) {
        if self.pending.is_empty() {
            return;
        }
        let setup = Arc::clone(&self.setup);
        let mut tensions = None;
        let mut pending = std::mem::take(&mut self.pending);
        pending.retain(|&index| {
            let is_due = match &setup.events[index].trigger {
                Trigger::At(at) => before < *at && *at <= self.state.t,
                Trigger::When(_) if self.steps == 0 => false,
                Trigger::When(condition) => {
                    if condition.needs_tension() && tensions.is_none() {
                        tensions = self.tensions().map(<[f64]>::to_vec);
                    }
                    condition.holds(&self.moment(&|spring| self.tension(&tensions, spring)))
                }
            };
            if is_due {
                self.happen(index);
            }
            !is_due
        });
        self.pending = pending;
    }

    fn moment<'a>(&'a self, tension: &'a dyn Fn(usize) -> f64) -> Moment<'a> {
        let (model, state, springs) = (&self.setup.model, &self.state, &self.springs);
        Moment { model, state, springs, tension }
    }

    /// Tension of a held spring, from the method's solution or from the spring's law.
    fn tension(&self, solved: &Option<Vec<f64>>, spring: usize) -> f64 {
        if let Some(tensions) = solved {
            return tensions.get(spring).copied().unwrap_or(f64::NAN);
        }
        let Setup { model, .. } = &*self.setup;
        let length = model.span(&self.state.x, &model.springs[spring]).1;
        let plastic = self.springs.plastic(spring);
        let law = self.setup.spring_law();
        law.map_or(f64::NAN, |law| law.tension(&model.springs[spring], length, plastic))
    }

    /// Executes an event.
    fn happen(&mut self, index: usize) {
        let setup = Arc::clone(&self.setup);
        let result = self.act(setup.events[index].action.as_ref(), setup.joint_of(index));
        let (nodes, nothing) = match result {
            Ok(nodes) => (nodes, None),
            Err(why) => (Vec::new(), Some(why)),
        };
        let n = setup.model.nodes();
        let places: Vec<_> = nodes.iter().map(|node| self.state.position(n, *node)).collect();
        let at = (!places.is_empty()).then(|| crate::body::vector::middle(&places));
        self.events.happened.push(Happened { event: index, step: self.steps, nodes, at, nothing });
    }

    /// Applies an action whose joint is the spring `joint`, and continues with its changes. Returns
    /// the affected nodes.
    ///
    /// # Errors
    /// The reason why the action has no effect.
    pub(super) fn act(
        &mut self,
        action: &dyn Action,
        joint: Option<usize>,
    ) -> Result<Vec<usize>, String> {
        let setup = Arc::clone(&self.setup);
        self.undisturbed.clone_from(&self.state);
        let mut happening = Happening {
            setup: &setup,
            state: &mut self.state,
            springs: &mut self.springs,
            memory: &mut self.events,
            joint,
            is_changed: false,
            turned: Vec::new(),
            pushed: Vec::new(),
            account: Account::External,
        };
        let result = action.happen(&mut happening);
        let Happening { is_changed, turned, mut pushed, account, .. } = happening;
        if is_changed {
            self.steering.pins.retain(|pin| !turned.contains(&pin.node));
            self.change(&turned);
        }
        if !pushed.is_empty() {
            pushed.sort_unstable();
            pushed.dedup();
            let what = Displaced {
                nodes: &pushed,
                model: &setup.model,
                before: &self.undisturbed,
                state: &self.state,
            };
            self.integrator.displaced(&what, setup.dt());
        }
        self.book(account);
        result
    }

    /// Continues with the changes that events have made. `turned` lists the nodes that were pinned
    /// or released.
    pub(super) fn change(&mut self, turned: &[usize]) {
        self.renew(turned, Self::take_changes);
    }

    /// Continues from the current state with the same setup, after pins in `turned` have moved.
    pub(super) fn restart(&mut self, turned: &[usize]) {
        self.renew(turned, Self::restart_method);
    }

    fn renew(&mut self, turned: &[usize], renewal: fn(&mut Self)) {
        let mut memory = Vec::new();
        self.integrator.save(&mut memory);
        let tensions = self.tensions().unwrap_or_default().iter().enumerate();
        let unbroken_tension = |(j, tension)| if self.springs.is_broken(j) { 0.0 } else { tension };
        self.tensions_before =
            tensions.map(|(j, tension)| unbroken_tension((j, *tension))).collect();
        renewal(self);
        self.anchors.apply(&mut self.state);
        self.integrator.take_over(&memory, &self.setup.model, turned);
        self.forget_places();
    }

    /// Replaces the setup by the one with all changes by events and from outside, and restarts the
    /// method.
    pub(super) fn take_changes(&mut self) {
        let is_first = self.events == EventMemory::default() && self.steering.is_none();
        self.setup = match is_first {
            true => Arc::clone(&self.first_setup),
            false => Arc::new(self.first_setup.after(&self.events, &self.steering)),
        };
        self.change_lengths(self.state.t);
        self.watch = Watch::new(&self.setup);
        self.meter.set_prices(self.setup.prices());
        if let Some(keeper) = &mut self.keeper {
            keeper.follow(&self.setup);
        }
        if let Some(forces) = &mut self.forces {
            forces.follow(&self.setup);
        }
        self.sum = None;
        self.lengths = None;
        self.restart_method();
    }

    /// Holds pins at their positions in the state, and restarts the method from the state.
    fn restart_method(&mut self) {
        let Setup { model, method, step_control, anchors, .. } = &*self.setup;
        self.anchors = Anchors::new(model, &self.state, anchors);
        self.integrator = step_control.start(method, model, &self.state, self.setup.dt());
        if self.keeps_reactions {
            self.integrator.keep_reactions();
        }
    }

    /// Restores the changes by events and from outside from a checkpoint. The state must already be
    /// restored.
    pub(super) fn restore_changes(&mut self, checkpoint: &Checkpoint) {
        let is_changed = |events: &EventMemory, steering: &Steering| {
            !(events.pinned.is_empty() && steering.is_none())
        };
        let is_plain = self.first_setup.events.is_empty()
            && !is_changed(&self.events, &self.steering)
            && !is_changed(&checkpoint.events, &checkpoint.steering);
        self.steering.clone_from(&checkpoint.steering);
        if is_plain {
            return;
        }
        self.events.clone_from(&checkpoint.events);
        let happened: Vec<usize> = self.events.happened.iter().map(|it| it.event).collect();
        let events = 0..self.first_setup.events.len();
        self.pending = events.filter(|event| !happened.contains(event)).collect();
        self.take_changes();
    }
}
