//! Runs a bunch of variants side by side and measures them.

use super::setup_key::setup_key;
use crate::job::Interruption;
use catena_analysis::settle::RestRule;
use catena_scene::{
    Body, Limits, Panel, Scene,
    limits::{PlannedRun, Product},
    sweep::{Sweep, ValueKind, Variant},
};
use catena_sim::{Outcome, Setup, Simulation, run::batch::Batch};
use catena_study::sweep::{
    deal,
    measure::{Ended, Measure, Measuring, RunEnd},
    table::{Row, Value},
};
use std::{
    borrow::{Borrow, BorrowMut},
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

/// What all bunches of a sweep have in common.
pub(super) struct BunchRunner<'a> {
    pub(super) sweep: &'a Sweep,
    pub(super) measures: &'a [Box<dyn Measure>],
    /// How many columns measures have.
    pub(super) columns: usize,
    pub(super) limits: &'a Limits,
    pub(super) interruption: &'a dyn Interruption,
    /// What runs found, by what they were made of.
    pub(super) known: Mutex<HashMap<RunKey, Found>>,
    /// Nanoseconds of one core that runs took beyond their estimates.
    pub(super) excess: AtomicU64,
}

/// SHA-256 of all that a run depends on.
type RunKey = [u8; 32];

/// More known runs than this are forgotten.
const MOST_KNOWN: usize = 50_000;

/// What became of a run, and the values of its measures.
#[derive(Clone)]
pub(super) struct Found {
    status: &'static str,
    values: Arc<[Value]>,
}

/// A body of a variant.
struct Entry {
    variant: usize,
    body: u32,
    labels: [String; 2],
    key: RunKey,
}

/// A run that is to be made.
struct Planned {
    key: RunKey,
    setup: Arc<Setup>,
    rest: RestRule,
    frames: u64,
}

/// A run at work.
struct Running {
    number: usize,
    simulation: Simulation,
    measuring: Vec<Box<dyn Measuring>>,
}

impl Borrow<Simulation> for Running {
    fn borrow(&self) -> &Simulation {
        &self.simulation
    }
}

impl BorrowMut<Simulation> for Running {
    fn borrow_mut(&mut self) -> &mut Simulation {
        &mut self.simulation
    }
}

/// Words of the column `status`.
pub(super) const FINE: &str = "fine";
pub(super) const DIVERGED: &str = "diverged";
pub(super) const EXHAUSTED: &str = "exhausted";
pub(super) const REFUSED: &str = "refused";

impl BunchRunner<'_> {
    /// The rows of the variants of a bunch, in order; `None` when the job is to end.
    pub(super) fn rows(&self, numbers: &[u64]) -> Option<Vec<Row>> {
        let variants = deal::kept(self.sweep, numbers);
        let kinds = self.sweep.kinds();
        let (mut entries, mut planned, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        let mut known: HashMap<RunKey, Found> = HashMap::new();
        for (index, variant) in variants.iter().enumerate() {
            match self.scene(variant) {
                Ok(scene) => self.plan((index, &scene), &mut entries, &mut planned, &mut known),
                Err(message) => refused.push((index, message)),
            }
        }
        for (key, found) in self.run(planned)? {
            known.insert(key, found);
        }
        self.remember(&known);
        let mut rows: Vec<Row> = entries
            .into_iter()
            .filter_map(|Entry { variant, body, labels, key }| {
                let Found { status, values } = known.get(&key)?;
                let named = (body, labels, [(*status).to_owned(), String::new()]);
                Some(row((&variants[variant], &kinds), named, values))
            })
            .collect();
        rows.extend(refused.into_iter().map(|(index, message)| {
            let named = (0, [String::new(), String::new()], [REFUSED.to_owned(), message]);
            row((&variants[index], &kinds), named, &vec![Value::None; self.columns])
        }));
        rows.sort_by_key(|row| (row.variant, row.body));
        Some(rows)
    }

    /// The scene of a variant, or why there is none.
    fn scene(&self, variant: &Variant) -> Result<Scene, String> {
        let scene = self.sweep.scene(variant).map_err(|error| error.to_string())?;
        let run = PlannedRun::up_to(self.frames(&scene), Product::Numbers);
        let checked = self.limits.check_run(&scene.source_text(), &scene, &run);
        checked.map_err(|error| error.to_string())?;
        Ok(scene)
    }

    fn frames(&self, scene: &Scene) -> u64 {
        self.sweep.frames.unwrap_or(scene.frames)
    }

    /// Adds the bodies of a variant, and those runs that are neither known nor planned.
    fn plan(
        &self,
        (variant, scene): (usize, &Scene),
        entries: &mut Vec<Entry>,
        planned: &mut Vec<Planned>,
        known: &mut HashMap<RunKey, Found>,
    ) {
        let bodies =
            scene.panels.iter().flat_map(|panel| panel.bodies.iter().map(move |it| (panel, it)));
        for (number, (panel, body)) in (0..).zip(bodies) {
            let (setup, rest) = (Arc::clone(&body.setup), rest(panel, body));
            let frames = self.frames(scene);
            let key = setup_key(&setup, &rest, frames);
            let labels = [panel.table_label.clone(), body.table_label.clone()];
            entries.push(Entry { variant, body: number, labels, key });
            if known.contains_key(&key) || planned.iter().any(|run| run.key == key) {
                continue;
            }
            let remembered = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            match remembered.get(&key) {
                Some(found) => {
                    known.insert(key, found.clone());
                }
                None => planned.push(Planned { key, setup, rest, frames }),
            }
        }
    }

    fn remember(&self, found: &HashMap<RunKey, Found>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() + found.len() > MOST_KNOWN {
            known.clear();
        }
        known.extend(found.iter().map(|(key, found)| (*key, found.clone())));
    }

    /// Makes all runs side by side; `None` when the job is to end.
    fn run(&self, planned: Vec<Planned>) -> Option<Vec<(RunKey, Found)>> {
        let mut running: Vec<Running> =
            (0..).zip(&planned).map(|(n, it)| self.begin(n, it)).collect();
        let mut ended = Vec::with_capacity(planned.len());
        let mut batch = Batch::default();
        let mut frame = 0;
        while !running.is_empty() {
            if self.interruption.is_set() {
                return None;
            }
            let mut index = 0;
            while index < running.len() {
                let run = &mut running[index];
                let planned = &planned[run.number];
                let is_in_order =
                    run.simulation.outcome() == Outcome::Fine && run.simulation.refusal().is_none();
                if is_in_order {
                    run.measuring.iter_mut().for_each(|it| it.observe_frame(&run.simulation));
                }
                if is_in_order && frame + 1 < planned.frames {
                    index += 1;
                } else {
                    // In order, so that those that go on keep their places in the lanes.
                    ended.push(running.remove(index));
                }
            }
            batch.advance_frames(&mut running);
            frame += 1;
        }
        Some(self.found(&planned, &mut ended))
    }

    /// Counts the work of a run that could not be known before.
    fn count_excess(&self, simulation: &Simulation) {
        let setup = simulation.setup();
        if setup.is_open() {
            let frames = u128::from(simulation.frame().saturating_add(setup.warm_up));
            let least = setup.frame_cost().saturating_mul(frames);
            let least = u64::try_from(least).unwrap_or(u64::MAX);
            self.excess.fetch_add(simulation.spent().saturating_sub(least), Ordering::Relaxed);
        }
    }

    /// What runs have found at their ends.
    fn found(&self, planned: &[Planned], ended: &mut [Running]) -> Vec<(RunKey, Found)> {
        ended.iter().for_each(|run| self.count_excess(&run.simulation));
        let mut values = vec![Vec::new(); ended.len()];
        for (number, measure) in self.measures.iter().enumerate() {
            let mut runs: Vec<Ended<'_>> = Vec::with_capacity(ended.len());
            for Running { number: plan, simulation, measuring } in ended.iter_mut() {
                let Planned { setup, rest, frames, .. } = &planned[*plan];
                let end = RunEnd { setup, simulation, frames: *frames, rest: *rest };
                runs.push(Ended { measuring: measuring[number].as_mut(), end });
            }
            for (values, more) in values.iter_mut().zip(measure.values(&mut runs)) {
                values.extend(more);
            }
        }
        let found = |(run, values): (&Running, Vec<Value>)| {
            let found = Found { status: status(&run.simulation), values: values.into() };
            (planned[run.number].key, found)
        };
        ended.iter().zip(values).map(found).collect()
    }

    fn begin(&self, number: usize, planned: &Planned) -> Running {
        let mut simulation = Simulation::new(Arc::clone(&planned.setup));
        self.measures.iter().for_each(|measure| measure.prepare(&mut simulation));
        let measuring = self.measures.iter().map(|it| it.begin(&planned.setup)).collect();
        Running { number, simulation, measuring }
    }
}

/// What became of a run.
fn status(simulation: &Simulation) -> &'static str {
    match simulation.outcome() {
        Outcome::Diverged { .. } => DIVERGED,
        Outcome::Fine if simulation.refusal().is_some() => EXHAUSTED,
        Outcome::Fine => FINE,
    }
}

/// When a body counts as at rest.
fn rest(panel: &Panel, body: &Body) -> RestRule {
    RestRule::for_body(&body.setup, panel.rest.speed, panel.rest.frames, panel.rest.limit)
}

/// The row of a body; `words` are its status and a message.
fn row(
    (variant, kinds): (&Variant, &[ValueKind]),
    (body, labels, words): (u32, [String; 2], [String; 2]),
    values: &[Value],
) -> Row {
    let text = |text: String| if text.is_empty() { Value::None } else { Value::Text(text) };
    let mut cells = vec![Value::Whole(variant.number)];
    cells.extend(labels.map(text));
    cells.extend(variant.values.iter().zip(kinds).map(|(value, kind)| {
        match (kind, value.number()) {
            (ValueKind::Whole, Some(number)) => Value::Whole(number as u64),
            (ValueKind::Real, Some(number)) => Value::Real(number),
            _ => Value::Text(value.value.clone()),
        }
    }));
    cells.extend(words.map(text));
    cells.extend(values.iter().cloned());
    Row { variant: variant.number, body, cells }
}
