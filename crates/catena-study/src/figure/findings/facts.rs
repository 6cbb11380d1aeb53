//! Facts behind the findings, determined by the studies of a report.

use super::Finding;
use crate::figure::study::Subject;
use catena_analysis::{
    order::Orders,
    settle::{Ending, RestRule, Settled, Unrest, unrest},
    stability::{oscillator::Oscillator, predict::Prediction},
};
use catena_scene::{Scene, comparability::differences};
use catena_sim::{Arrangement, Setup, body::measure, method::MethodInfo, run::ledger::Gains};

/// All facts about a scene.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Number of frames of the film.
    pub frames: u64,
    /// Facts about each body, in the order of the scene.
    pub bodies: Vec<BodyFacts>,
    /// Errors and work of methods on the first body.
    pub accuracy: Option<AccuracyFacts>,
    /// Names of the quantities other than the method in which bodies differ.
    pub differences: Vec<&'static str>,
    /// Sentences of other studies.
    pub sentences: Vec<Finding>,
}

/// Facts about a body. `None` marks a fact that is unknown, or not known yet.
#[derive(Clone, Debug)]
pub struct BodyFacts {
    /// Label of the body.
    pub label: String,
    /// Method of the body.
    pub method: MethodInfo,
    /// Time step of the body.
    pub dt: f64,
    /// Simulated time per frame.
    pub frame_time: f64,
    /// Whether the method or a step control divides steps.
    pub chooses_its_step: bool,
    /// Weight of the body times its length, the scale of its energies; 0 if there is no gravity.
    pub weight_by_length: f64,
    /// Run of the body over the frames.
    pub film: Option<FilmFacts>,
    /// Longest stable step of the body.
    pub limit: Option<LimitFacts>,
    /// Longest stable step of a method that integrates no springs, and what limits it.
    pub held: Option<(f64, String)>,
    /// Run of the body until it is at rest.
    pub rest: Option<RestFacts>,
}

/// Facts about a run over the frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilmFacts {
    /// Number of frames that were simulated.
    pub frames: u64,
    /// Frame at which the run diverged.
    pub diverged: Option<u64>,
    /// Minimum, maximum and last value of the energy that the method added, up to the divergence.
    pub method: [f64; 3],
    /// Energy that damping added, up to the divergence; above 0 only if its sign is reversed.
    pub damping: f64,
}

/// Longest stable step of a body, from its stiffest mode at the start and at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitFacts {
    /// Angular frequency of the stiffest mode.
    pub omega: f64,
    /// Longest stable step: infinite if every step is stable, `None` if none is.
    pub longest: Option<f64>,
    /// Growth of the stiffest mode per step of the scene.
    pub growth: f64,
}

/// End of a run to rest.
#[derive(Clone, Debug, PartialEq)]
pub struct RestFacts {
    /// End of the run.
    pub ending: Ending,
    /// Frame after which the run is abandoned.
    pub limit: u64,
    /// Maximum speed of a node at rest.
    pub speed: f64,
    /// Reason why the body can never come to rest; `None` if rest is possible.
    pub unrest: Option<Unrest>,
    /// Node farthest from the pins, at the end of the run.
    pub tip: Option<Tip>,
    /// Length of a rope at the end of the run.
    pub length: Option<f64>,
    /// Distance of the farthest node from the solved rest at the end of the run, or the reason why
    /// no solved rest exists. `None` if it was not searched.
    pub solved: Option<Result<f64, String>>,
    /// Smallest ω² of an unstable balance in which the run ended. `None` if it ended elsewhere.
    pub unstable: Option<f64>,
}

/// Node and its position.
#[derive(Clone, Debug, PartialEq)]
pub struct Tip {
    /// Index of the node.
    pub node: usize,
    /// Position of the node.
    pub position: Vec<f64>,
}

/// Work of the methods to reach an error on the first body.
#[derive(Clone, Debug)]
pub struct AccuracyFacts {
    /// Error as a share of the body's length.
    pub error: f64,
    /// Time at which the error was measured.
    pub time: f64,
    /// Features of the scene that the runs omit.
    pub left_out: Vec<&'static str>,
    /// Methods with an order, in the order of their table.
    pub needs: Vec<MethodNeed>,
}

/// Work of a method to reach an error.
#[derive(Clone, Debug)]
pub struct MethodNeed {
    /// Method that is compared.
    pub method: MethodInfo,
    /// Longest tried step such that this step and all shorter ones reached the error, and its
    /// number of evaluations of all forces. `None` if there is no such step.
    pub enough: Option<(f64, u64)>,
}

/// Fact found by a study.
#[derive(Clone, Debug)]
pub enum Fact {
    /// Run of the body with this index over the frames.
    Film(usize, FilmFacts),
    /// Longest stable step of the body with this index.
    Limit(usize, LimitFacts),
    /// Longest stable step of the body with this index, whose method integrates no springs, and
    /// what limits it.
    Held(usize, (f64, String)),
    /// State of rest of the body with this index.
    Rest(usize, RestFacts),
    /// Errors and work of the methods.
    Accuracy(AccuracyFacts),
    /// Sentence of a study without structured facts.
    Sentence(Finding),
}

impl Facts {
    /// Creates the facts that are known without a run.
    pub fn new(scene: &Scene, frames: u64, subjects: &[Subject<'_>]) -> Self {
        let mut names: Vec<&'static str> =
            differences(scene).iter().map(|difference| difference.quantity.name).collect();
        names.dedup();
        let bodies = subjects.iter().map(BodyFacts::new).collect();
        Self { frames, bodies, accuracy: None, differences: names, sentences: Vec::new() }
    }

    /// Adds a fact.
    pub fn learn(&mut self, fact: Fact) {
        match fact {
            Fact::Film(index, film) => self.change(index, |body| body.film = Some(film)),
            Fact::Limit(index, limit) => self.change(index, |body| body.limit = Some(limit)),
            Fact::Held(index, held) => self.change(index, |body| body.held = Some(held)),
            Fact::Rest(index, rest) => self.change(index, |body| body.rest = Some(rest)),
            Fact::Accuracy(accuracy) => self.accuracy = Some(accuracy),
            Fact::Sentence(sentence) => self.sentences.push(sentence),
        }
    }

    fn change(&mut self, index: usize, change: impl FnOnce(&mut BodyFacts)) {
        if let Some(body) = self.bodies.get_mut(index) {
            change(body);
        }
    }
}

impl BodyFacts {
    fn new(subject: &Subject<'_>) -> Self {
        let setup = &subject.body.setup;
        let free = setup.model.mass.iter().zip(&setup.model.pinned).filter(|it| !it.1);
        let weight = setup.gravity_strength() * free.map(|it| it.0).sum::<f64>();
        Self {
            label: subject.label.clone(),
            method: setup.method.info(),
            dt: setup.dt(),
            frame_time: setup.frame_time,
            chooses_its_step: setup.chooses_its_step(),
            weight_by_length: weight * setup.model.rest_length(),
            film: None,
            limit: None,
            held: None,
            rest: None,
        }
    }

    /// Frame at which the run over the frames diverged.
    pub(super) fn diverged(&self) -> Option<u64> {
        self.film?.diverged
    }

    /// Time of a frame.
    pub(super) fn time(&self, frame: u64) -> f64 {
        frame as f64 * self.frame_time
    }
}

impl FilmFacts {
    /// Summarises the gains of a run's frames.
    pub fn new<'a>(gains: impl ExactSizeIterator<Item = &'a Gains>, diverged: Option<u64>) -> Self {
        let frames = gains.len() as u64;
        let kept = diverged.unwrap_or(frames) as usize;
        let (mut method, mut damping) = ([0.0_f64; 3], 0.0);
        for gains in gains.take(kept) {
            let [minimum, greatest, _] = method;
            method = [minimum.min(gains.method), greatest.max(gains.method), gains.method];
            damping = gains.damping;
        }
        Self { frames, diverged, method, damping }
    }
}

impl LimitFacts {
    /// Creates the limit of a body, with the growth of its stiffest mode at the scene's own step.
    pub fn new(setup: &Setup, found: &Prediction) -> Self {
        let (omega, damping) = (found.highest.omega, found.highest.damping.max(0.0));
        let factors = [setup.velocity_factor, setup.position_factor];
        let growth = Oscillator { omega, damping, factors }.growth(&setup.method, setup.dt());
        Self { omega, longest: found.longest_step, growth }
    }
}

impl RestFacts {
    /// Creates the facts about a run to rest. `tip` is the node whose position is stated.
    pub fn new(setup: &Setup, settled: &Settled, rule: RestRule, tip: Option<usize>) -> Self {
        let (model, x) = (&setup.model, &settled.state.x);
        let nodes = model.nodes();
        let position = |node: usize| -> Vec<f64> {
            (0..model.axes).filter_map(|axis| x.get(axis * nodes + node).copied()).collect()
        };
        let is_rope = model.arrangement == Arrangement::Chain;
        Self {
            ending: settled.ending,
            limit: rule.limit,
            speed: rule.speed,
            unrest: unrest(setup, rule),
            tip: tip.map(|node| Tip { node, position: position(node) }),
            length: is_rope.then(|| measure::length(model, &settled.springs, x)),
            solved: None,
            unstable: None,
        }
    }
}

impl AccuracyFacts {
    /// Computes the work of all methods to reach an error, from the runs of the figures about
    /// order.
    pub fn new(orders: &Orders, error: f64) -> Self {
        let need = |curve: &catena_analysis::order::ErrorCurve| {
            let points = curve.points.iter().rev().take_while(|point| point.error <= error);
            let enough = points.last().map(|point| (point.dt, point.work.forces));
            MethodNeed { method: curve.method, enough }
        };
        Self {
            error,
            time: orders.reference.time,
            left_out: orders.left_out.clone(),
            needs: orders.curves.iter().map(need).collect(),
        }
    }
}
