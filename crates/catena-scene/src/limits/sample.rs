//! Sample runs that measure the work of bodies beyond their minimum: contacts, iterations and
//! divided steps, which only a run shows. The limit is counted work, so samples are equal on every
//! machine.

use crate::limits::planned::bodies;
use crate::parts::Scene;
use catena_sim::run::extra_bill;
use catena_sim::{Bill, Budget, Outcome, Setup, Simulation};
use std::sync::Arc;

/// Maximum work of all samples of a scene, in nanoseconds of one core.
const MAX_WORK: u64 = 20_000_000;

/// Maximum number of pairs of nodes that may touch in a sample.
const MAX_PAIRS: u64 = 4_000_000;

/// Operations beyond the minimum for each body of a scene.
#[derive(Clone, Debug, Default)]
pub struct Extras {
    bodies: Vec<Extra>,
}

/// Operations beyond the minimum in the first steps of a body.
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
}

impl Extra {
    /// Returns the operations beyond the minimum in the first `frames` frames after time 0.
    fn of(&self, frames: u64) -> Bill {
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
}

impl Extras {
    /// Returns no operations beyond the minimum.
    pub fn none() -> Self {
        Self::default()
    }

    /// Samples the first `frames` frames of a scene, or fewer if they exceed a fixed amount of
    /// work.
    pub fn of_first(scene: &Scene, frames: u64) -> Self {
        let open = bodies(scene).filter(|body| body.setup.is_open()).count().max(1) as u64;
        let sampled = |body: &crate::parts::Body| match body.setup.is_open() {
            true => sample(&body.setup, frames, MAX_WORK / open),
            false => Extra::default(),
        };
        Self { bodies: bodies(scene).map(sampled).collect() }
    }

    /// Returns the operations beyond the minimum of a body in `frames` frames after time 0.
    pub(super) fn of(&self, body: usize, frames: u64) -> Bill {
        self.bodies.get(body).map_or_else(Bill::default, |extra| extra.of(frames))
    }
}

/// Share of its work, as a divisor, that a part of a sample may take before parts become shorter. A
/// part that the sample does not complete would count as a whole one.
const PARTS: u64 = 16;

/// Simulates a body for `frames` frames, or until it has used `work`.
fn sample(setup: &Arc<Setup>, frames: u64, work: u64) -> Extra {
    let budget = Budget { work: work.saturating_mul(2), pairs: MAX_PAIRS };
    let setup = Setup { budget, warm_up: 0, ..(**setup).clone() };
    let substeps = setup.substeps;
    let mut simulation = Simulation::new(Arc::new(setup));
    // Frame 0 is the initial state and needs no step.
    let wanted = frames.saturating_sub(1).saturating_mul(substeps);
    // Numbers of steps and bills of the run so far, each with a quarter more steps than the last.
    let mut marks = vec![(0, Bill::default())];
    let mut stride = 1;
    while simulation.steps() < wanted && simulation.work() < work && simulation.refusal().is_none()
    {
        let before = simulation.work();
        match stride < substeps {
            true => simulation.advance_steps(stride.min(simulation.steps_to_frame(1))),
            false => simulation.advance_frame(),
        }
        // The work of a part is known only afterwards, so parts begin with one step.
        stride = match (simulation.work() - before).saturating_mul(PARTS) {
            taken if taken <= work / 2 => (2 * stride).min(substeps),
            taken if taken > work => (stride / 2).max(1),
            _ => stride,
        };
        if matches!(simulation.outcome(), Outcome::Diverged { .. }) {
            break;
        }
        if marks.last().is_some_and(|(last, _)| 4 * simulation.steps() >= 5 * last) {
            marks.push((simulation.steps(), extra_bill(&simulation)));
        }
    }
    let (bill, steps) = (extra_bill(&simulation), simulation.steps());
    // At least a quarter of the steps count as late.
    let is_early = |(at, _): &&(u64, Bill)| 4 * (steps - at) >= steps;
    let (from, before) = marks.iter().rfind(is_early).unwrap_or(&marks[0]);
    let late = bill.clone().beyond(before);
    Extra { late, late_steps: steps - from, bill, steps, substeps }
}
