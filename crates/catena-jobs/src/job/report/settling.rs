//! Runs behind the figure of settling times: variants of each body within a shared budget.

use super::budgets::SETTLING;
use super::plan::{Figures, ReportPlan};
use catena_analysis::budget::{CoreTime, StudyBudget};
use catena_analysis::settle::{Ending, SettledVariant, Unrest, over_drag, over_substeps};
use catena_base::text::{list::quoted, number::counted};
use catena_sim::Setup;
use catena_study::figure::study::Subject;
use catena_study::figure::study::settling::{SettlingSweep, study};

/// Reason why a body has no rest that a figure could show.
pub(super) fn never_at_rest(unrest: Unrest) -> String {
    format!("it never comes to rest: {unrest}")
}

/// Variants of a body whose settling times are compared.
struct Variants {
    /// Substeps per frame, ascending.
    substeps: Vec<u64>,
    /// Drag, c/m per unit of time, ascending.
    rates: Vec<f64>,
}

impl Variants {
    /// Variants around the values of a body.
    fn of(setup: &Setup) -> Self {
        let substeps = |i| (setup.substeps as f64 * libm::exp2(f64::from(i))).round().max(1.0);
        let mut substeps: Vec<u64> = (-3..=3).map(|i| substeps(i) as u64).collect();
        substeps.dedup();
        let rate = (setup.gravity_strength() / setup.model.rest_length()).sqrt();
        let rates = (-4..=3).map(|i| rate * libm::exp2(f64::from(i)));
        Self { substeps, rates: rates.filter(|rate| *rate > 0.0).collect() }
    }

    /// Maximum number of substeps.
    fn finest(&self) -> u64 {
        self.substeps.last().copied().unwrap_or(1)
    }

    /// Work of all variants, relative to the variant with the most work.
    fn work(&self, setup: &Setup) -> f64 {
        if setup.chooses_its_step() {
            // The substeps are the maximum length of a step, and hardly change the number of steps.
            return (self.substeps.len() + self.rates.len()) as f64;
        }
        let drag = self.rates.len() as f64 * setup.substeps as f64;
        let substeps: f64 = self.substeps.iter().map(|count| *count as f64).sum();
        (drag + substeps) / self.finest() as f64
    }
}

/// Settling times of a body's variants within a budget for all of them, and the sentences about
/// work limits. `None` if the budget allows no frame.
fn settling_sweep<'a>(
    plan: &ReportPlan<'_>,
    subject: Subject<'a>,
    amount: CoreTime,
) -> (Option<SettlingSweep<'a>>, Vec<String>) {
    let mut left_out = Vec::new();
    let body = subject.body;
    let variants = Variants::of(&body.setup);
    let maximum = amount.times(1.0 / variants.work(&body.setup));
    let setup = &maximum.bound(&body.setup);
    let finest = Setup { substeps: variants.finest(), ..setup.clone() };
    let asked = plan.rest_limit(&subject);
    let limit = maximum.frames(&finest, asked);
    if limit < asked {
        left_out.push(format!(
            "{}: the work limit ends each variant after {limit} of {asked} frames.",
            quoted(&subject.label)
        ));
    }
    if limit == 0 {
        return (None, left_out);
    }
    let rule = plan.rest_rule(&subject, limit);
    let substeps = over_substeps(setup, rule, &variants.substeps);
    let drag = over_drag(setup, rule, &variants.rates);
    let is_short = |variant: &&SettledVariant| match variant.ending {
        Ending::Moving { frame, .. } => frame < limit,
        _ => false,
    };
    let short = substeps.iter().chain(&drag).filter(is_short).count();
    if short > 0 {
        let variants = counted(short as u64, "variant");
        left_out.push(format!(
            "{}: rest is unknown for {variants} that reached the work limit first.",
            quoted(&subject.label)
        ));
    }
    // The figure covers all variants, so its limit is a frame that all of them have reached.
    let reached = substeps.iter().chain(&drag).filter_map(|variant| match variant.ending {
        Ending::Moving { frame, .. } => Some(frame),
        _ => None,
    });
    let limit = reached.min().unwrap_or(limit).max(1);
    (Some(SettlingSweep { substeps, drag, limit, subject }), left_out)
}

/// Figure of the settling times of all bodies.
pub(super) fn settling(plan: &ReportPlan<'_>) -> Figures {
    let (mut sweeps, mut left_out) = (Vec::new(), Vec::new());
    let mut wanted = Vec::new();
    for (index, subject) in plan.subjects().into_iter().enumerate() {
        match plan.unrest(&subject) {
            Some(unrest) => {
                left_out.push((
                    index,
                    format!("{}: {}.", quoted(&subject.label), never_at_rest(unrest)),
                ));
            }
            None => wanted.push((index, subject)),
        }
    }
    // Bodies with little work are first, so that the others can use what is left of the budget.
    let work = |subject: &Subject<'_>| {
        let setup = &subject.body.setup;
        (setup.chooses_its_step(), setup.frame_cost())
    };
    wanted.sort_by_key(|(_, subject)| work(subject));
    let mut budget = StudyBudget::new(plan.scaled(SETTLING));
    let (bodies, count) = (plan.subjects().len(), wanted.len());
    for (done, (index, subject)) in wanted.into_iter().enumerate() {
        let share = budget.left().shared(count - done);
        let (sweep, sentences) = settling_sweep(plan, subject, share);
        left_out.extend(sentences.into_iter().map(|sentence| (index, sentence)));
        let Some(sweep) = sweep else { continue };
        let used = sweep.substeps.iter().chain(&sweep.drag).map(|variant| variant.work);
        budget.take(used.sum());
        plan.extent.add_one(bodies as u64);
        sweeps.push((index, sweep));
    }
    sweeps.sort_by_key(|(index, _)| *index);
    left_out.sort_by_key(|(index, _)| *index);
    let mut sweeps: Vec<_> = sweeps.into_iter().map(|(_, sweep)| sweep).collect();
    let mut left_out: Vec<String> = left_out.into_iter().map(|(_, sentence)| sentence).collect();
    // A figure with only crosses at the last frame would look like a result.
    if !sweeps.is_empty() && !sweeps.iter().any(SettlingSweep::has_rest) {
        sweeps.clear();
        left_out.push(
            "No figure of the frame of rest: no variant comes to rest within the simulated frames."
                .into(),
        );
    }
    Figures { studies: study(&sweeps).into_iter().collect(), left_out }
}
