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

/// Operations beyond the minimum in the first frames of a body.
#[derive(Clone, Debug, Default)]
struct Extra {
    bill: Bill,
    frames: u64,
    /// Operations in the last quarter to five eighths of the sampled frames; `late_frames` is the
    /// number of these frames. They represent the frames after the sample, because a body that
    /// falls at first touches things later.
    late: Bill,
    late_frames: u64,
}

impl Extra {
    /// Returns the operations beyond the minimum in the first `frames` frames.
    fn of(&self, frames: u64) -> Bill {
        match frames.checked_sub(self.frames) {
            Some(more @ 1..) if self.late_frames > 0 => {
                let mut all = self.bill.clone();
                all.add_times(&self.late.clone().extended(more, self.late_frames), 1);
                all
            }
            _ => self.bill.clone().extended(frames, self.frames.max(1)),
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

    /// Returns the operations beyond the minimum in the first `frames` frames of a body.
    pub(super) fn of(&self, body: usize, frames: u64) -> Bill {
        self.bodies.get(body).map_or_else(Bill::default, |extra| extra.of(frames))
    }
}

/// Simulates a body for `frames` frames, or until it has used `work`.
fn sample(setup: &Arc<Setup>, frames: u64, work: u64) -> Extra {
    let budget = Budget { work: work.saturating_mul(2), pairs: MAX_PAIRS };
    let setup = Setup { budget, warm_up: 0, ..(**setup).clone() };
    let mut simulation = Simulation::new(Arc::new(setup));
    // Frame 0 is the initial state and needs no step.
    let (mut ran, wanted) = (0, frames.saturating_sub(1));
    // Bills after the last two frame counts that are powers of two.
    let mut marks = [(0, Bill::default()), (0, Bill::default())];
    while ran < wanted && simulation.spent() < work && simulation.refusal().is_none() {
        simulation.advance_frame();
        ran += 1;
        if matches!(simulation.outcome(), Outcome::Diverged { .. }) {
            break;
        }
        if ran.is_power_of_two() {
            marks.rotate_left(1);
            marks[1] = (ran, extra_bill(&simulation));
        }
    }
    let bill = extra_bill(&simulation);
    let [earlier, later] = &marks;
    // At least a quarter of the frames count as late.
    let (from, before) = if 4 * (ran - later.0) >= ran { later } else { earlier };
    Extra { late: bill.clone().beyond(before), late_frames: ran - from, bill, frames: ran }
}
