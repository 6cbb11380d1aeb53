//! Simulation of a bunch of variants in parallel lanes, and their measures.

use crate::job::Interruption;
use catena_analysis::settle::RestRule;
use catena_output::hash::ByteHash;
use catena_scene::{
    Body, Limits, Panel, Scene,
    limits::{PlannedRun, Product},
    recorded::Reference,
    sweep::{Sweep, ValueKind, Variant},
};
use catena_sim::identity::identify;
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

/// State that all bunches of a sweep share.
pub(super) struct BunchRunner<'a> {
    pub(super) sweep: &'a Sweep,
    pub(super) measures: &'a [Box<dyn Measure>],
    /// Number of columns of all measures.
    pub(super) columns: usize,
    pub(super) limits: &'a Limits,
    pub(super) interruption: &'a dyn Interruption,
    /// Results of finished runs, by key.
    pub(super) known: Mutex<HashMap<RunKey, RunResult>>,
    /// Work of runs beyond their estimates, in nanoseconds of one core.
    pub(super) excess: AtomicU64,
}

/// SHA-256 of everything that a run depends on.
type RunKey = [u8; 32];

/// Maximum number of stored results. If there are more, all are discarded.
const MAX_KNOWN: usize = 50_000;

/// Status of a run, and the values of its measures.
#[derive(Clone)]
pub(super) struct RunResult {
    status: &'static str,
    values: Arc<[Value]>,
}

/// A body of a variant.
struct VariantBody {
    variant: usize,
    body: u32,
    labels: [String; 2],
    key: RunKey,
}

/// A run that has to be simulated.
struct WantedRun {
    key: RunKey,
    setup: Arc<Setup>,
    reference: Option<Arc<Reference>>,
    rest: RestRule,
    frames: u64,
}

/// A run in progress.
struct ActiveRun {
    number: usize,
    simulation: Simulation,
    measuring: Vec<Box<dyn Measuring>>,
}

impl Borrow<Simulation> for ActiveRun {
    fn borrow(&self) -> &Simulation {
        &self.simulation
    }
}

impl BorrowMut<Simulation> for ActiveRun {
    fn borrow_mut(&mut self) -> &mut Simulation {
        &mut self.simulation
    }
}

/// Status of a run that neither diverged nor used up its budget.
pub(super) const FINE: &str = "fine";
/// Status of a run that diverged.
pub(super) const DIVERGED: &str = "diverged";
/// Status of a run that used up its budget of work.
pub(super) const EXHAUSTED: &str = "exhausted";
/// Status of a variant whose scene is invalid, so that it is not simulated.
pub(super) const REFUSED: &str = "refused";

impl BunchRunner<'_> {
    /// Returns the rows of a bunch's variants in order. `None` if the job is interrupted.
    pub(super) fn rows(&self, numbers: &[u64]) -> Option<Vec<Row>> {
        let variants = deal::kept(self.sweep, numbers);
        let kinds = self.sweep.kinds();
        let (mut entries, mut planned, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        let mut known: HashMap<RunKey, RunResult> = HashMap::new();
        for (index, variant) in variants.iter().enumerate() {
            match self.scene(variant) {
                Ok(scene) => self.plan(index, &scene, &mut entries, &mut planned, &mut known),
                Err(message) => refused.push((index, message)),
            }
        }
        for (key, found) in self.run(planned)? {
            known.insert(key, found);
        }
        self.remember(&known);
        let mut rows: Vec<Row> = entries
            .into_iter()
            .filter_map(|VariantBody { variant, body, labels, key }| {
                let RunResult { status, values } = known.get(&key)?;
                let words = [(*status).to_owned(), String::new()];
                Some(row(&variants[variant], &kinds, body, labels, words, values))
            })
            .collect();
        rows.extend(refused.into_iter().map(|(index, message)| {
            let labels = [String::new(), String::new()];
            let words = [REFUSED.to_owned(), message];
            row(&variants[index], &kinds, 0, labels, words, &vec![Value::None; self.columns])
        }));
        rows.sort_by_key(|row| (row.variant, row.body));
        Some(rows)
    }

    /// Returns the scene of a variant, or the reason why it is invalid.
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

    /// Adds the bodies of a variant, and the runs that are neither known nor planned.
    fn plan(
        &self,
        variant: usize,
        scene: &Scene,
        entries: &mut Vec<VariantBody>,
        planned: &mut Vec<WantedRun>,
        known: &mut HashMap<RunKey, RunResult>,
    ) {
        let bodies =
            scene.panels.iter().flat_map(|panel| panel.bodies.iter().map(move |it| (panel, it)));
        for (number, (panel, body)) in (0..).zip(bodies) {
            let (setup, rest) = (Arc::clone(&body.setup), rest(panel, body));
            let frames = self.frames(scene);
            let reference = body.reference.clone();
            let key = setup_key(&setup, &rest, frames, reference.as_deref());
            let labels = [panel.table_label.clone(), body.table_label.clone()];
            entries.push(VariantBody { variant, body: number, labels, key });
            if known.contains_key(&key) || planned.iter().any(|run| run.key == key) {
                continue;
            }
            let remembered = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            match remembered.get(&key) {
                Some(found) => {
                    known.insert(key, found.clone());
                }
                None => planned.push(WantedRun { key, setup, reference, rest, frames }),
            }
        }
    }

    fn remember(&self, found: &HashMap<RunKey, RunResult>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() + found.len() > MAX_KNOWN {
            known.clear();
        }
        known.extend(found.iter().map(|(key, found)| (*key, found.clone())));
    }

    /// Simulates all runs in lanes. `None` if the job is interrupted.
    fn run(&self, planned: Vec<WantedRun>) -> Option<Vec<(RunKey, RunResult)>> {
        let mut running: Vec<ActiveRun> =
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
                    // Order-preserving removal keeps the remaining runs in their lanes.
                    ended.push(running.remove(index));
                }
            }
            batch.advance_frames(&mut running);
            frame += 1;
        }
        Some(self.found(&planned, &mut ended))
    }

    /// Counts the work of a run beyond the part that could be predicted.
    fn count_excess(&self, simulation: &Simulation) {
        let setup = simulation.setup();
        if setup.is_open() {
            let frames = u128::from(simulation.frame().saturating_add(setup.warm_up));
            let minimum = setup.frame_cost().saturating_mul(frames);
            let minimum = u64::try_from(minimum).unwrap_or(u64::MAX);
            self.excess.fetch_add(simulation.spent().saturating_sub(minimum), Ordering::Relaxed);
        }
    }

    /// Results of finished runs.
    fn found(&self, planned: &[WantedRun], ended: &mut [ActiveRun]) -> Vec<(RunKey, RunResult)> {
        ended.iter().for_each(|run| self.count_excess(&run.simulation));
        let mut values = vec![Vec::new(); ended.len()];
        for (number, measure) in self.measures.iter().enumerate() {
            let mut runs: Vec<Ended<'_>> = Vec::with_capacity(ended.len());
            for ActiveRun { number: plan, simulation, measuring } in ended.iter_mut() {
                let WantedRun { setup, rest, frames, .. } = &planned[*plan];
                let end = RunEnd { setup, simulation, frames: *frames, rest: *rest };
                runs.push(Ended { measuring: measuring[number].as_mut(), end });
            }
            for (values, more) in values.iter_mut().zip(measure.values(&mut runs)) {
                values.extend(more);
            }
        }
        let found = |(run, values): (&ActiveRun, Vec<Value>)| {
            let found = RunResult { status: status(&run.simulation), values: values.into() };
            (planned[run.number].key, found)
        };
        ended.iter().zip(values).map(found).collect()
    }

    fn begin(&self, number: usize, planned: &WantedRun) -> ActiveRun {
        let mut simulation = Simulation::new(Arc::clone(&planned.setup));
        self.measures.iter().for_each(|measure| measure.prepare(&mut simulation));
        let (setup, reference) = (&planned.setup, planned.reference.as_ref());
        let measuring =
            self.measures.iter().map(|it| it.begin_compared(setup, reference)).collect();
        ActiveRun { number, simulation, measuring }
    }
}

/// Status of a run.
fn status(simulation: &Simulation) -> &'static str {
    match simulation.outcome() {
        Outcome::Diverged { .. } => DIVERGED,
        Outcome::Fine if simulation.refusal().is_some() => EXHAUSTED,
        Outcome::Fine => FINE,
    }
}

/// Rule of the scene for rest, without a wait for a body that never rests.
fn rest(panel: &Panel, body: &Body) -> RestRule {
    RestRule::for_body(&body.setup, panel.rest.speed, panel.rest.frames, panel.rest.limit)
        .without_vain_wait(&body.setup, 1)
}

/// Returns the row of a body. `words` are the status and a message.
fn row(
    variant: &Variant,
    kinds: &[ValueKind],
    body: u32,
    labels: [String; 2],
    words: [String; 2],
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

/// SHA-256 of a setup, a rule for rest, a number of frames and a reference. Two setups with the
/// same key have the same run, because the identity of a setup contains all of its parts.
fn setup_key(
    setup: &Setup,
    rest: &RestRule,
    frames: u64,
    reference: Option<&Reference>,
) -> [u8; 32] {
    let mut hash = ByteHash::default();
    // Equal runs may have different reference motions.
    let motion = reference.map(|reference| reference.motion.identity());
    identify(&(setup, rest, frames, motion), &mut |bytes| hash.update(bytes));
    hash.finish()
}
