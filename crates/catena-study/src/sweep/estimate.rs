//! Estimates the work of a sweep by building and partly simulating some of its variants.
//!
//! A permutation of all variants selects them, which avoids correlation with any axis. No clock is
//! read, so a sweep has the same estimate on every machine.

use super::{deal::Deal, measure::Measure};
use crate::sweep::measure::{FrameTimes, PlannedMeasuring};
use catena_analysis::settle::RestRule;
use catena_scene::{
    Body, Panel, Scene,
    sweep::{Sweep, permuted},
};
use catena_sim::{Outcome, Setup, Simulation, run::frame_time_among};
use std::sync::Arc;

/// Maximum number of sampled variants.
const MAX_EXAMINED: u64 = 256;
/// Number of variants that are sampled even beyond [`MAX_WORK`], up to [`MAX_WORK_OF_FIRST`].
const FIRST: u64 = 16;
/// Maximum estimated nanoseconds for sampling.
const MAX_WORK: u128 = 500_000_000;
/// Maximum estimated nanoseconds for sampling the first variants.
const MAX_WORK_OF_FIRST: u128 = 4 * MAX_WORK;
/// Maximum nanoseconds of simulation per sampled variant.
const MAX_BEGUN: u64 = (MAX_WORK / MAX_EXAMINED as u128) as u64;

/// Fixed cost of a variant in nanoseconds: its scene is read and its row is written.
const VARIANT: u128 = 40_000;

/// Key of the permutation.
const KEY: u64 = 0x5eed;

/// Estimated cost of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SweepEstimate {
    /// Approximate nanoseconds of one core for all variants, including measures.
    pub work: u128,
    /// Whether variants may cost more: their methods iterate to a tolerance or divide steps, or
    /// nodes make contact.
    pub is_open: bool,
}

/// Estimates a sweep with `frames` frames per variant and `kept` variants that are not excluded.
pub fn estimate(
    sweep: &Sweep,
    deal: &Deal,
    measures: &[Box<dyn Measure>],
    kept: u64,
    frames: u64,
) -> SweepEstimate {
    let all = sweep.variants();
    let together = deal.together().min(usize::MAX as u64) as usize;
    let (mut work, mut looked_at, mut is_open, mut spent) = (0_u128, 0_u64, false, 0_u128);
    for place in 0..all.min(MAX_EXAMINED) {
        let maximum = if looked_at < FIRST { MAX_WORK_OF_FIRST } else { MAX_WORK };
        if spent > maximum {
            break;
        }
        let variant = sweep.variant(permuted(place, all, KEY));
        if sweep.leaves_out(&variant) {
            continue;
        }
        looked_at += 1;
        let one = match sweep.scene(&variant) {
            Ok(scene) => {
                let begin = |setup: &Arc<Setup>| Begun::new(setup, frames);
                VariantEstimate::new(&scene, begin, measures, frames, together)
            }
            Err(_) => VariantEstimate::MIN,
        };
        work = work.saturating_add(one.work);
        spent = spent.saturating_add(one.spent);
        is_open |= one.is_open;
    }
    let work = work.saturating_mul(u128::from(kept)) / u128::from(looked_at.max(1));
    SweepEstimate { work, is_open }
}

/// Estimates a sweep quickly, with the cost of the heaviest kind for every variant. All frames
/// count, since other kinds may not diverge where this one does. If the variant of that kind cannot
/// be built, the result is unbounded.
pub fn quick_estimate(
    sweep: &Sweep,
    deal: &Deal,
    measures: &[Box<dyn Measure>],
    frames: u64,
) -> u128 {
    let together = deal.together().min(usize::MAX as u64) as usize;
    let Ok(scene) = sweep.scene(&sweep.variant(deal.heaviest())) else { return u128::MAX };
    let begin = |setup: &Arc<Setup>| Begun {
        in_order: frames,
        is_bound: true,
        ..Begun::new(setup, frames)
    };
    let one = VariantEstimate::new(&scene, begin, measures, frames, together);
    one.work.saturating_mul(u128::from(sweep.variants()))
}

/// Estimated work of a variant.
struct VariantEstimate {
    /// Nanoseconds of one core, including measures.
    work: u128,
    /// Nanoseconds that the estimate itself took.
    spent: u128,
    is_open: bool,
}

impl VariantEstimate {
    /// Estimate of a variant that cannot be built.
    const MIN: Self = Self { work: VARIANT, spent: VARIANT, is_open: false };

    /// Estimates a scene. `begin` starts the run of each body.
    fn new(
        scene: &Scene,
        begin: impl Fn(&Arc<Setup>) -> Begun,
        measures: &[Box<dyn Measure>],
        frames: u64,
        together: usize,
    ) -> Self {
        let mut one = Self::MIN;
        let bodies =
            scene.panels.iter().flat_map(|panel| panel.bodies.iter().map(move |it| (panel, it)));
        for (panel, body) in bodies {
            let begun = begin(&body.setup);
            one.is_open |= body.setup.is_open();
            let took = begun.work(panel, body, measures, frames, together);
            one.work = one.work.saturating_add(took[0]);
            one.spent = one.spent.saturating_add(u128::from(begun.spent)).saturating_add(took[1]);
        }
        one
    }
}

/// Partly simulated run.
struct Begun {
    /// Number of frames without divergence, as far as known.
    in_order: u64,
    /// Estimated cost of the simulated part in nanoseconds, as methods count it.
    spent: u64,
    /// Ratio of the actual cost of a frame to its minimum cost.
    factor: f64,
    /// Whether the run stands for all variants of a sweep.
    is_bound: bool,
}

impl Begun {
    fn new(setup: &Arc<Setup>, frames: u64) -> Self {
        let a_frame = setup.frame_cost();
        let affordable = (u128::from(MAX_BEGUN) / a_frame.max(1)) as u64;
        let (mut simulation, mut ran) = (Simulation::new(Arc::clone(setup)), 0);
        while ran < frames.min(affordable) && simulation.work() < MAX_BEGUN {
            simulation.advance_frame();
            ran += 1;
            let is_over = simulation.refusal().is_some();
            if is_over || matches!(simulation.outcome(), Outcome::Diverged { .. }) {
                return Self::ended(&simulation, ran, ran, a_frame);
            }
        }
        Self::ended(&simulation, ran, frames, a_frame)
    }

    fn ended(simulation: &Simulation, ran: u64, in_order: u64, a_frame: u128) -> Self {
        let minimum = a_frame.saturating_mul(u128::from(ran)) as f64;
        let spent = simulation.work();
        let is_more = simulation.setup().is_open() && ran > 0;
        let factor = if is_more { (spent as f64 / minimum).max(1.0) } else { 1.0 };
        Self { in_order, spent: spent.max(minimum as u64), factor, is_bound: false }
    }

    /// Estimated nanoseconds of the complete run with its measures, and of the estimate itself.
    fn work(
        &self,
        panel: &Panel,
        body: &Body,
        measures: &[Box<dyn Measure>],
        frames: u64,
        count: usize,
    ) -> [u128; 2] {
        let mut simulation = Simulation::new(Arc::clone(&body.setup));
        let time = |simulation: &mut Simulation, count| {
            (frame_time_among(simulation, count) as f64 * self.factor) as u128
        };
        let [together, alone] = [count, 1].map(|count| time(&mut simulation, count));
        measures.iter().for_each(|measure| measure.prepare(&mut simulation));
        let measured = time(&mut simulation, count);
        let a_frame = FrameTimes { measured, together, alone };
        let rest =
            RestRule::for_body(&body.setup, panel.rest.speed, panel.rest.frames, panel.rest.limit)
                .without_vain_wait(&body.setup, 1);
        let run = PlannedMeasuring {
            setup: &body.setup,
            rest,
            frames,
            in_order: self.in_order,
            a_frame,
            is_bound: self.is_bound,
        };
        let simulated = u128::from(self.in_order.saturating_add(body.setup.warm_up));
        let costs = measures.iter().map(|measure| measure.work(&run));
        let [measured, spent] = costs.fold([0_u128; 2], |sum, more| {
            [sum[0].saturating_add(more[0]), sum[1].saturating_add(more[1])]
        });
        let own =
            a_frame.measured.saturating_mul(simulated).saturating_add(body.setup.changes_cost());
        [own.saturating_add(measured), spent]
    }
}
