//! Simulation of all bodies of a scene, divided among threads if there is enough work.
//!
//! Bodies do not interact, so the division does not change any result.

use catena_sim::{Simulation, run::batch::Batch};
use rayon::prelude::*;

/// Estimated cost of a frame of all bodies, in nanoseconds, below which a second thread does not
/// pay off.
const LEAST: u128 = 100_000;

/// All bodies in order, divided into one part per thread.
#[derive(Default)]
pub(in crate::job) struct Batches {
    /// Number of bodies and batch of each part.
    parts: Vec<(usize, Batch)>,
}

impl Batches {
    /// Advances all bodies by one frame. The bodies must be the same in each call.
    pub(in crate::job) fn advance(&mut self, mut all: Vec<&mut Simulation>) {
        if self.parts.iter().map(|(count, _)| count).sum::<usize>() != all.len() {
            self.divide(&all, rayon::current_num_threads());
        }
        if let [(_, batch)] = &mut self.parts[..] {
            batch.advance_frames(&mut all);
            return;
        }
        let mut rest = &mut all[..];
        let mut work = Vec::with_capacity(self.parts.len());
        for (count, batch) in &mut self.parts {
            let (part, behind) = rest.split_at_mut(*count);
            work.push((part, batch));
            rest = behind;
        }
        work.into_par_iter().for_each(|(part, batch)| {
            batch.advance_frames(part);
        });
    }

    /// Divides the bodies into parts of about equal cost.
    fn divide(&mut self, all: &[&mut Simulation], threads: usize) {
        let costs: Vec<u128> = all.iter().map(|body| body.setup().frame_cost()).collect();
        let total = costs.iter().fold(0, |sum: u128, cost| sum.saturating_add(*cost));
        let parts = if total < LEAST { 1 } else { threads.clamp(1, all.len().max(1)) };
        let share = total.max(1).div_ceil(parts as u128);
        let mut counts = vec![0; parts];
        let mut before: u128 = 0;
        for cost in costs {
            // A body belongs to the part that contains the middle of its cost.
            let middle = before.saturating_add(cost / 2).min(total.saturating_sub(1));
            counts[(middle / share) as usize] += 1;
            before = before.saturating_add(cost);
        }
        self.parts = counts.into_iter().map(|count| (count, Batch::default())).collect();
    }
}
