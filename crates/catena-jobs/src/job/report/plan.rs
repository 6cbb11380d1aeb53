//! Input of a report's figures, and their result.

use super::{ReportOptions, budgets};
use crate::job::Progress;
use catena_analysis::{
    budget::CoreTime,
    settle::{RestRule, Unrest, unrest},
    stability::{
        held_limit,
        predict::{Prediction, predict},
        warning_amount,
    },
};
use catena_draw::text::Font;
use catena_scene::Scene;
use catena_sim::Setup;
use catena_study::figure::findings::{Fact, Facts, Finding, LimitFacts, findings};
use catena_study::figure::study::{Study, Subject, subjects};
use rayon::prelude::*;
use std::sync::{
    Mutex, OnceLock,
    atomic::{AtomicU64, Ordering},
};

/// Maximum number of bodies with a plot of their own in a figure.
pub(super) const MAX_BODIES: usize = 48;

/// Input of all figures.
pub(super) struct ReportPlan<'a> {
    pub(super) frames: u64,
    pub(super) scene: &'a Scene,
    pub(super) options: &'a ReportOptions,
    /// Font of the words in frames.
    pub(super) font: &'a Font,
    pub(super) extent: Extent<'a>,
    pub(super) known: Knowledge,
}

/// Facts that the parts of a report have determined so far.
pub(super) struct Knowledge {
    facts: Mutex<Facts>,
    /// Maximum stable step of each body with a plot of its own. Several parts need these steps.
    predictions: OnceLock<Vec<Option<Prediction>>>,
    /// Maximum stable step of each body whose method does not integrate springs, and its cause.
    held: OnceLock<Vec<Option<(f64, String)>>>,
}

impl Knowledge {
    pub(super) fn new(scene: &Scene, frames: u64) -> Self {
        let facts = Mutex::new(Facts::new(scene, frames, &subjects(scene)));
        Self { facts, predictions: OnceLock::new(), held: OnceLock::new() }
    }
}

/// Progress within the current part of the report.
pub(super) struct Extent<'a> {
    progress: &'a dyn Progress,
    done: AtomicU64,
}

impl<'a> Extent<'a> {
    pub(super) fn new(progress: &'a dyn Progress) -> Self {
        Self { progress, done: AtomicU64::new(0) }
    }

    /// Starts a part.
    pub(super) fn begin(&self, name: &str, number: usize, of: usize) {
        self.done.store(0, Ordering::Relaxed);
        self.progress.part(name, number as u64, of as u64);
    }

    /// Counts one more step of at most `all`. A step is a frame, a run or a body.
    pub(super) fn add_one(&self, all: u64) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        self.progress.part_reached(done.min(all), all);
    }
}

/// Figures, and the reasons for missing ones.
pub(super) struct Figures {
    pub(super) studies: Vec<Study>,
    pub(super) left_out: Vec<String>,
}

impl<'a> ReportPlan<'a> {
    /// Whether the options request a figure.
    pub(super) fn wants(&self, name: &str) -> bool {
        self.options.only.as_ref().is_none_or(|names| names.iter().any(|it| it == name))
    }

    /// Bodies with plots of their own.
    pub(super) fn subjects(&self) -> Vec<Subject<'a>> {
        let mut all = subjects(self.scene);
        all.truncate(MAX_BODIES);
        all
    }

    /// All bodies, for figures that show them together.
    pub(super) fn all_subjects(&self) -> Vec<Subject<'a>> {
        subjects(self.scene)
    }

    /// Adds a fact to the findings. Parts add facts in a fixed order, even if they run in parallel.
    pub(super) fn learn(&self, fact: Fact) {
        if let Ok(mut facts) = self.known.facts.lock() {
            facts.learn(fact);
        }
    }

    /// Sentences about all facts that are known so far.
    pub(super) fn findings(&self) -> Vec<Finding> {
        self.known.facts.lock().map_or_else(|_| Vec::new(), |facts| findings(&facts))
    }

    /// Maximum stable step of each of [`Self::subjects`], from its stiffest mode.
    pub(super) fn predictions(&self) -> &[Option<Prediction>] {
        self.known.predictions.get_or_init(|| {
            let setups = self.subjects().into_par_iter().map(|subject| &subject.body.setup);
            setups.map(|setup| predict(setup)).collect()
        })
    }

    /// Maximum stable step of each of [`Self::subjects`] whose method does not integrate springs.
    fn held_limits(&self) -> &[Option<(f64, String)>] {
        self.known.held.get_or_init(|| {
            let subjects = self.subjects();
            let maximum = warning_amount(subjects.len());
            let setups = subjects.into_par_iter().map(|subject| &subject.body.setup);
            setups.map(|setup| held_limit(setup, self.frames, maximum)).collect()
        })
    }

    /// Adds the maximum stable steps of bodies to the findings, except for bodies with adaptive
    /// steps.
    pub(super) fn learn_limits(&self) {
        for (index, subject) in self.subjects().iter().enumerate() {
            let setup = &subject.body.setup;
            let found = self.predictions().get(index).and_then(Option::as_ref);
            if let Some(found) = found.filter(|_| !setup.chooses_its_step()) {
                self.learn(Fact::Limit(index, LimitFacts::new(setup, found)));
            }
            let held = self.held_limits().get(index).and_then(Option::as_ref);
            if let Some(held) = held.filter(|_| !setup.chooses_its_step()) {
                self.learn(Fact::Held(index, held.clone()));
            }
        }
    }

    /// Note about bodies without plots.
    pub(super) fn unseen(&self) -> Option<String> {
        let count = self.all_subjects().len();
        (count > MAX_BODIES).then(|| {
            format!(
                "Figures with a plot for each body show only the first {MAX_BODIES} of {count} \
                 bodies; the figure of energy over time shows all."
            )
        })
    }

    pub(super) fn film_time(&self, setup: &Setup) -> f64 {
        self.frames as f64 * setup.frame_time
    }

    /// Budget per body in a figure with plots.
    pub(super) fn share(&self, amount: CoreTime) -> CoreTime {
        self.scaled(amount).shared(self.subjects().len())
    }

    /// Budget of a figure, scaled by the options.
    pub(super) fn scaled(&self, amount: CoreTime) -> CoreTime {
        amount.times(budgets::scale(self.options.study_time))
    }

    /// Budget per body in a figure of all bodies.
    pub(super) fn share_of_all(&self, amount: CoreTime) -> CoreTime {
        self.scaled(amount).shared(self.all_subjects().len())
    }

    /// Budget of a body's run to rest: its share of `amount`, or the work of its film if that is
    /// more. A render waits for the same time as its frames take.
    pub(super) fn patience(&self, amount: CoreTime, setup: &Setup) -> CoreTime {
        let share = self.share(amount);
        let steps = self.frames as f64 * setup.substeps as f64;
        let film = CoreTime::nanoseconds(steps * setup.step_cost() as f64);
        if film.seconds > share.seconds { film } else { share }
    }

    /// Note about a body that a figure shows for fewer frames than the film has.
    pub(super) fn shortened(&self, label: &str, figure: &str, frames: usize) -> String {
        let all = self.frames;
        format!(
            "\"{label}\": {figure} for only {frames} of {all} frames, because of the work limit of \
             the figure."
        )
    }

    /// Frame up to which a moving body is simulated at most, as in a render of the film.
    pub(super) fn rest_limit(&self, subject: &Subject<'_>) -> u64 {
        self.scene.panels[subject.panel].rest.limit.max(self.frames - 1)
    }

    /// The scene's own rule for rest.
    pub(super) fn rest_rule(&self, subject: &Subject<'_>, limit: u64) -> RestRule {
        let rest = self.scene.panels[subject.panel].rest;
        RestRule::for_body(&subject.body.setup, rest.speed, rest.frames, limit)
            .without_vain_wait(&subject.body.setup, (self.frames - 1).max(1))
    }

    /// Part of a body that never rests, if any.
    pub(super) fn unrest(&self, subject: &Subject<'_>) -> Option<Unrest> {
        unrest(&subject.body.setup, self.rest_rule(subject, self.rest_limit(subject)))
    }
}

impl Figures {
    /// Returns a figure, or the reason why it is missing.
    pub(super) fn or(study: Option<Study>, reason: &str) -> Self {
        let left_out = if study.is_none() { vec![reason.into()] } else { Vec::new() };
        Self { studies: study.into_iter().collect(), left_out }
    }
}
