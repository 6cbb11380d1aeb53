//! Keeps the ledger: measures the body's energy between the parts of a step and books the changes.

use super::{Balance, Gains, Ledger, LedgerEntry, side_by_side};
use crate::body::{Body, Model, State, measure};
use crate::force::{Account, Energy, Force, ForceEnergy, Store, System, Unstored};
use crate::method::Integrator;
use crate::run::Setup;
use std::sync::Arc;

/// Keeps the ledger of one run.
pub(crate) struct Keeper {
    ledger: Ledger,
    setup: Arc<Setup>,
    /// Whether runs in lanes can keep this ledger.
    fits_lanes: bool,
    /// The model with the spring stiffness that the method uses.
    model: Model,
    /// Energy before the step.
    before: Energy,
    /// Energy at the last entry.
    now: Energy,
    /// Rest lengths before a change within the step; empty if lengths are constant.
    lengths_before: Vec<f64>,
    /// Gains of the step so far.
    step: Gains,
    /// The state before the step.
    start: State,
    /// State after the method's part of the step. Pins are in place; factors and later parts have
    /// not been applied.
    moved: State,
    /// Buffer for forces.
    force: Vec<f64>,
}

impl Keeper {
    /// Starts a ledger at this state.
    pub(crate) fn new(setup: &Arc<Setup>, system: &System<'_>, state: &State) -> Self {
        let mut keeper = Self {
            ledger: Ledger::default(),
            setup: Arc::clone(setup),
            fits_lanes: side_by_side::fits(setup),
            model: setup.with_method_stiffness().model,
            lengths_before: Vec::new(),
            before: Energy::default(),
            now: Energy::default(),
            step: Gains::default(),
            start: State::default(),
            moved: State::default(),
            force: vec![0.0; state.x.len()],
        };
        keeper.resume(None, system, state);
        keeper
    }

    /// Switches to a setup that an event has created, or that has other rest lengths.
    pub(crate) fn follow(&mut self, setup: &Arc<Setup>) {
        self.lengths_before.clear();
        if !setup.lengths.is_empty() {
            let held = self.setup.model.held().iter();
            self.lengths_before.extend(held.map(|spring| spring.rest_length));
        }
        self.setup = Arc::clone(setup);
        self.fits_lanes = side_by_side::fits(setup);
        self.model = setup.with_method_stiffness().model;
    }

    /// The ledger up to the last step.
    pub(crate) fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Whether runs in lanes can keep this ledger.
    pub(crate) fn fits_lanes(&self) -> bool {
        self.fits_lanes
    }

    /// The ledger and the energy at its last entry.
    pub(crate) fn entry(&self) -> LedgerEntry {
        LedgerEntry { ledger: self.ledger, now: self.now }
    }

    /// Replaces the ledger by one that was kept in lanes.
    pub(crate) fn take_over(&mut self, LedgerEntry { ledger, now }: LedgerEntry) {
        (self.ledger, self.now) = (ledger, now);
    }

    /// Continues from this state with a ledger that ended there, or starts a new ledger.
    pub(crate) fn resume(&mut self, ledger: Option<Ledger>, system: &System<'_>, state: &State) {
        self.now = self.energy(system, state);
        self.ledger = ledger.unwrap_or(Ledger::at(self.now));
    }

    /// Starts a step.
    pub(crate) fn begin(&mut self, state: &State, is_first_of_frame: bool) {
        if is_first_of_frame {
            self.ledger.frame = Balance::at(self.now);
        }
        self.before = self.now;
        self.step = Gains::default();
        self.start.clone_from(state);
    }

    /// Books the method's part of a step. `state` is the end of that part and `t` the time there.
    /// Pins count as being in place at that time.
    pub(crate) fn book_method(
        &mut self,
        system: &System<'_>,
        state: &State,
        t: f64,
        integrator: &dyn Integrator,
    ) {
        self.moved.clone_from(state);
        self.moved.t = t;
        system.hold(&mut self.moved);
        let forces = system.forces();
        let holds_lengths = self.setup.method.holds_lengths();
        // A change of lengths at the start of the step is booked already.
        let booked = self.step.total();
        for force in forces {
            if force.is_held() && holds_lengths {
                continue;
            }
            self.step.anchors += force.work_of_holders(&system.body(), &self.start, &self.moved);
            self.step.damping += force.work_within(&system.body(), &self.start, &self.moved);
            match force.energy() {
                ForceEnergy::Stored(_) => {}
                ForceEnergy::Booked(account) => {
                    let add = |body: &Body<'_>, state: &State, f: &mut [f64]| {
                        force.add_to(body, state, f);
                    };
                    let work = self.work(system, add, |_| true);
                    let given = self.work_of_medium(system, force.as_ref());
                    *self.step.of(account) += work - given;
                    self.step.external += given;
                }
                ForceEnergy::Split(_, unstored) => {
                    let add = |body: &Body<'_>, state: &State, f: &mut [f64]| {
                        unstored.add_unstored(body, state, f);
                    };
                    let work = self.work(system, add, |_| true);
                    let (given, of_unstored) =
                        self.work_of_holder(system, force.as_ref(), unstored);
                    *self.step.of(unstored.account()) += work - of_unstored;
                    self.step.anchors += given;
                }
            }
        }
        self.step.damping += self.work_of_own_drag(integrator);
        self.step.anchors += self.work_of_anchors(system, integrator);
        if holds_lengths {
            self.step.anchors += self.work_of_lengths(integrator);
        }
        let after = self.energy(system, &self.moved);
        self.step.method = after.total() - self.now.total() - (self.step.total() - booked);
        self.now = after;
    }

    /// Books the change of energy since the last entry.
    pub(crate) fn book(&mut self, account: Account, system: &System<'_>, state: &State) {
        let after = self.energy(system, state);
        *self.step.of(account) += after.total() - self.now.total();
        self.now = after;
    }

    /// Books the change of energy by contacts. `work` is the work of moving colliders.
    pub(crate) fn book_contact(&mut self, work: f64, system: &System<'_>, state: &State) {
        self.book(Account::Contact, system, state);
        self.step.contact -= work;
        self.step.colliders += work;
    }

    /// Ends the step: adds its gains to the ledger of the frame and to the ledger of the run.
    pub(crate) fn end(&mut self) {
        let (before, now) = (&self.before, self.now);
        let stores = (now.kinetic - before.kinetic).abs()
            + (now.gravitational - before.gravitational).abs()
            + (now.elastic - before.elastic).abs()
            + (now.bending - before.bending).abs()
            + (now.twist - before.twist).abs();
        let turned_over = self.step.all().iter().map(|gain| gain.abs()).sum::<f64>() + stores;
        self.ledger.frame.add(&self.step, now, turned_over);
        self.ledger.run.add(&self.step, now, turned_over);
    }

    /// Energy of the body.
    fn energy(&self, system: &System<'_>, state: &State) -> Energy {
        energy(&self.setup, &self.model, system, state)
    }

    /// Returns ½ (F + F')·(x' - x), summed over the nodes for which `counts` is `true`. F is the
    /// force that `add` adds.
    fn work(
        &mut self,
        system: &System<'_>,
        add: impl Fn(&Body<'_>, &State, &mut [f64]),
        counts: impl Fn(usize) -> bool,
    ) -> f64 {
        let n = self.model.nodes();
        let body = Body { model: &self.model, ..system.body() };
        self.force.fill(0.0);
        add(&body, &self.start, &mut self.force);
        add(&body, &self.moved, &mut self.force);
        let displacements = self.moved.x.iter().zip(&self.start.x).map(|(to, from)| to - from);
        let pushed =
            self.force.iter().zip(displacements).enumerate().filter(|(i, _)| counts(i % n));
        pushed.map(|(_, (force, displacement))| 0.5 * force * displacement).sum()
    }

    /// Returns ½ (F·w + F'·w') dt for a force F that drags nodes along with a medium of velocity w.
    /// This is the work of the medium on the body and the surrounding air.
    fn work_of_medium(&mut self, system: &System<'_>, force: &dyn Force) -> f64 {
        let (n, dt) = (self.model.nodes(), self.setup.dt());
        let body = Body { model: &self.model, ..system.body() };
        let mut given = 0.0;
        for state in [&self.start, &self.moved] {
            let Some(wind) = force.medium(state.t) else { continue };
            self.force.fill(0.0);
            force.add_to(&body, state, &mut self.force);
            let axes = self.force.chunks_exact(n).zip(wind);
            given += axes.map(|(f, wind)| wind * f.iter().sum::<f64>()).sum::<f64>();
        }
        0.5 * given * dt
    }

    /// Returns ½ (F + F')·(y' - y) for a force F that ties nodes to a moving point y. This is the
    /// work of the point's holder. The second value is the part of this work that is not stored.
    fn work_of_holder(
        &mut self,
        system: &System<'_>,
        force: &dyn Force,
        unstored: &dyn Unstored,
    ) -> (f64, f64) {
        let Some(displacement) = force.holder(self.start.t, self.moved.t) else {
            return (0.0, 0.0);
        };
        let (n, body) = (self.model.nodes(), Body { model: &self.model, ..system.body() });
        let mut given = |add: &dyn Fn(&State, &mut [f64])| {
            self.force.fill(0.0);
            add(&self.start, &mut self.force);
            add(&self.moved, &mut self.force);
            let axes = self.force.chunks_exact(n).zip(displacement);
            axes.map(|(f, displacement)| 0.5 * displacement * f.iter().sum::<f64>()).sum::<f64>()
        };
        let total = given(&|state, f| force.add_to(&body, state, f));
        (total, given(&|state, f| unstored.add_unstored(&body, state, f)))
    }

    /// Work of the method's own drag on free nodes.
    fn work_of_own_drag(&self, integrator: &dyn Integrator) -> f64 {
        let (dt, n) = (self.setup.dt(), self.model.nodes());
        let count = integrator.report().map_or(1, |report| report.count);
        let rate = self.setup.method.drag_rate(dt / count as f64);
        if rate == 0.0 {
            return 0.0;
        }
        let speeds = self.start.v.iter().zip(&self.moved.v);
        let places = self.start.x.iter().zip(&self.moved.x);
        let nodes = speeds.zip(places).enumerate().filter(|(i, _)| !self.model.pinned[i % n]);
        nodes
            .map(|(i, ((v, v_end), (x, x_end)))| {
                -0.5 * rate * self.model.mass[i % n] * (v + v_end) * (x_end - x)
            })
            .sum()
    }

    /// Work of the anchors: the change of the kinetic energy of the pins, minus the work of all
    /// other forces on them.
    fn work_of_anchors(&mut self, system: &System<'_>, integrator: &dyn Integrator) -> f64 {
        // Pins that stay in place do no work.
        if self.setup.anchors.is_empty() {
            return 0.0;
        }
        let setup = Arc::clone(&self.setup);
        let is_pinned = |node: usize| setup.model.pinned[node];
        let reactions = integrator.reactions();
        let mut work = reactions.map_or(0.0, |impulses| self.work_of_reactions(impulses));
        for force in system.forces() {
            if force.is_held() && reactions.is_some() {
                continue;
            }
            let add = |body: &Body<'_>, state: &State, f: &mut [f64]| {
                force.add_to(body, state, f);
            };
            work += self.work(system, add, is_pinned);
        }
        let n = self.model.nodes();
        let kinetic = |v: &[f64]| {
            let pins = v.iter().enumerate().filter(|(i, _)| is_pinned(i % n));
            pins.map(|(i, v)| 0.5 * setup.model.mass[i % n] * v * v).sum::<f64>()
        };
        kinetic(&self.moved.v) - kinetic(&self.start.v) - work
    }

    /// Work of held springs when their lengths change: tension times change of length.
    fn work_of_lengths(&self, integrator: &dyn Integrator) -> f64 {
        let tensions = integrator.tensions().unwrap_or_default();
        let changes = self.lengths_before.iter().zip(self.model.held());
        let changes = changes.map(|(before, spring)| before - spring.rest_length);
        tensions.iter().zip(changes).map(|(tension, change)| tension * change).sum()
    }

    /// Work of held springs and tethers on the pins: each impulse times the displacement of its
    /// pin.
    fn work_of_reactions(&self, impulses: &[f64]) -> f64 {
        let displacements = self.moved.x.iter().zip(&self.start.x).map(|(to, from)| to - from);
        let dt = self.setup.dt();
        let pins = impulses.iter().zip(displacements).filter(|(impulse, _)| **impulse != 0.0);
        pins.map(|(impulse, displacement)| impulse * (displacement / dt)).sum()
    }
}

/// Energy of a body whose springs have the stiffness given in `model`.
pub(crate) fn energy(setup: &Setup, model: &Model, system: &System<'_>, state: &State) -> Energy {
    let body = Body { model, ..system.body() };
    let holds_lengths = setup.method.holds_lengths();
    let mut energy = Energy { kinetic: measure::kinetic_energy(model, state), ..Energy::default() };
    for force in system.forces() {
        // A spring of fixed length is a rod and stores no energy.
        if force.is_held() && holds_lengths {
            continue;
        }
        let stored = force.energy().potential(&body, state);
        match force.energy().store() {
            Some(Store::Gravitational) => energy.gravitational += stored,
            Some(Store::Elastic) => {
                let moving = force.energy().of_motion(&body, state);
                energy.elastic += stored - moving;
                energy.kinetic += moving;
            }
            Some(Store::Bending) => {
                let twist = force.energy().of_twist(&body, state);
                energy.bending += stored - twist;
                energy.twist += twist;
            }
            None => {}
        }
    }
    energy
}
