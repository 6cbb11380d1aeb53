//! What a sweep takes: some of its variants are looked at, and begun to see how long they last.
//!
//! Which ones follows from a permutation of all, so that they are in step with no axis. No clock is
//! read: a sweep has the same estimate on every machine.

use super::{deal::Deal, measure::Measure};
use catena_analysis::settle::RestRule;
use catena_scene::{
    Body, Panel, Scene,
    sweep::{Sweep, permuted},
};
use catena_sim::{Outcome, Setup, Simulation, run::frame_time_among};
use std::sync::Arc;

/// The most variants that are looked at.
const MOST_LOOKED_AT: u64 = 256;
/// As many are looked at whatever they take.
const LEAST_LOOKED_AT: u64 = 16;
/// Estimated nanoseconds that looking at all of them may take.
const MOST_WORK: u128 = 500_000_000;
/// The share of a variant that is begun.
const MOST_BEGUN: u64 = (MOST_WORK / MOST_LOOKED_AT as u128) as u64;

/// Nanoseconds of a variant whatever it does: its scene is read and its row is written.
const VARIANT: u128 = 40_000;

/// The key of the permutation.
const KEY: u64 = 0x5eed;

/// The run of a body in a variant, as measures that take more than a look at each frame are told
/// of it.
pub struct PlannedMeasuring<'a> {
    /// The setup at its start.
    pub setup: &'a Arc<Setup>,
    /// When its body counts as at rest.
    pub rest: RestRule,
    /// How many frames it is to have.
    pub frames: u64,
    /// How many of them are in order, as far as is known.
    pub in_order: u64,
    /// Estimated nanoseconds of a frame among variants that are alike, and by itself.
    pub a_frame: [u128; 2],
}

/// What a sweep takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SweepEstimate {
    /// Nanoseconds of one core for all variants, measures included, about.
    pub work: u128,
    /// Whether variants may take more: their methods iterate until something is exact or divide
    /// steps, or nodes touch.
    pub is_open: bool,
}

/// Estimates a sweep of so many frames a variant, of whose variants so many are not left out.
pub fn estimate(
    (sweep, deal): (&Sweep, &Deal),
    measures: &[Box<dyn Measure>],
    (kept, frames): (u64, u64),
) -> SweepEstimate {
    let all = sweep.variants();
    let together = deal.together().min(usize::MAX as u64) as usize;
    let (mut work, mut looked_at, mut is_open, mut spent) = (0_u128, 0_u64, false, 0_u128);
    for place in 0..all.min(MOST_LOOKED_AT) {
        if looked_at >= LEAST_LOOKED_AT && spent > MOST_WORK {
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
                VariantEstimate::new(&scene, begin, measures, (frames, together))
            }
            Err(_) => VariantEstimate::LEAST,
        };
        work = work.saturating_add(one.work);
        spent = spent.saturating_add(one.spent);
        is_open |= one.is_open;
    }
    let work = work.saturating_mul(u128::from(kept)) / u128::from(looked_at.max(1));
    SweepEstimate { work, is_open }
}

/// Estimates the work of the variants of a sweep in little time: as much for each as for the
/// heaviest kind. This kind may diverge where others do not, so all of its frames count. If its
/// variant cannot be built, nothing bounds the others.
pub fn quick_estimate(
    (sweep, deal): (&Sweep, &Deal),
    measures: &[Box<dyn Measure>],
    frames: u64,
) -> u128 {
    let together = deal.together().min(usize::MAX as u64) as usize;
    let Ok(scene) = sweep.scene(&sweep.variant(deal.heaviest())) else { return u128::MAX };
    let begin = |setup: &Arc<Setup>| Begun { in_order: frames, ..Begun::new(setup, frames) };
    let one = VariantEstimate::new(&scene, begin, measures, (frames, together));
    one.work.saturating_mul(u128::from(sweep.variants()))
}

/// The estimated work of a variant.
struct VariantEstimate {
    /// Nanoseconds of one core, measures included.
    work: u128,
    /// Nanoseconds that the estimate took.
    spent: u128,
    is_open: bool,
}

impl VariantEstimate {
    /// The estimate of a variant that cannot be built.
    const LEAST: Self = Self { work: VARIANT, spent: VARIANT, is_open: false };

    /// Estimates a scene, whose runs `begin` begins.
    fn new(
        scene: &Scene,
        begin: impl Fn(&Arc<Setup>) -> Begun,
        measures: &[Box<dyn Measure>],
        (frames, together): (u64, usize),
    ) -> Self {
        let mut one = Self::LEAST;
        let bodies =
            scene.panels.iter().flat_map(|panel| panel.bodies.iter().map(move |it| (panel, it)));
        for (panel, body) in bodies {
            let begun = begin(&body.setup);
            one.is_open |= body.setup.is_open();
            let took = begun.work((panel, body), measures, (frames, together));
            one.work = one.work.saturating_add(took[0]);
            one.spent = one.spent.saturating_add(u128::from(begun.spent)).saturating_add(took[1]);
        }
        one
    }
}

/// A run that was begun.
struct Begun {
    /// How many of its frames are in order, as far as is known.
    in_order: u64,
    /// What it took, as methods count it.
    spent: u64,
    /// How many times its least price a frame took.
    factor: f64,
}

impl Begun {
    fn new(setup: &Arc<Setup>, frames: u64) -> Self {
        let a_frame = setup.frame_cost();
        let affordable = (u128::from(MOST_BEGUN) / a_frame.max(1)) as u64;
        let (mut simulation, mut ran) = (Simulation::new(Arc::clone(setup)), 0);
        while ran < frames.min(affordable) && simulation.spent() < MOST_BEGUN {
            simulation.advance_frame();
            ran += 1;
            let is_over = simulation.refusal().is_some();
            if is_over || matches!(simulation.outcome(), Outcome::Diverged { .. }) {
                return Self::ended(&simulation, (ran, ran), a_frame);
            }
        }
        Self::ended(&simulation, (ran, frames), a_frame)
    }

    fn ended(simulation: &Simulation, (ran, in_order): (u64, u64), a_frame: u128) -> Self {
        let least = a_frame.saturating_mul(u128::from(ran)) as f64;
        let spent = simulation.spent();
        let is_more = simulation.setup().is_open() && ran > 0;
        let factor = if is_more { (spent as f64 / least).max(1.0) } else { 1.0 };
        Self { in_order, spent: spent.max(least as u64), factor }
    }

    /// Estimated nanoseconds of the whole run with its measures, and what the estimate took.
    fn work(
        &self,
        (panel, body): (&Panel, &Body),
        measures: &[Box<dyn Measure>],
        (frames, together): (u64, usize),
    ) -> [u128; 2] {
        let mut simulation = Simulation::new(Arc::clone(&body.setup));
        measures.iter().for_each(|measure| measure.prepare(&mut simulation));
        let a_frame = [together, 1].map(|count| {
            let time = frame_time_among(&mut simulation, count);
            (time as f64 * self.factor) as u128
        });
        let rest =
            RestRule::for_body(&body.setup, panel.rest.speed, panel.rest.frames, panel.rest.limit);
        let run =
            PlannedMeasuring { setup: &body.setup, rest, frames, in_order: self.in_order, a_frame };
        let simulated = u128::from(self.in_order.saturating_add(body.setup.warm_up));
        let costs = measures.iter().map(|measure| measure.work(&run));
        let [measured, spent] = costs.fold([0_u128; 2], |sum, more| {
            [sum[0].saturating_add(more[0]), sum[1].saturating_add(more[1])]
        });
        let own = a_frame[0].saturating_mul(simulated).saturating_add(body.setup.changes_cost());
        [own.saturating_add(measured), spent]
    }
}
