//! Simulation of all bodies of a scene, frame by frame, divided among threads if there is enough
//! work.
//!
//! Bodies do not interact, so the division does not change any bit of the result.

use catena_sim::{Simulation, run::batch::Batch};
use rayon::prelude::*;

/// Minimum estimated cost of the frames of all bodies, in nanoseconds, at which a second thread
/// pays off.
const MIN: u128 = 100_000;

/// Bodies in order, divided into one part for each thread.
#[derive(Default)]
pub struct Batches {
    /// Number of bodies and batch of each part.
    parts: Vec<(usize, Batch)>,
}

impl Batches {
    /// Advances all bodies by one frame. They must be the same bodies as in the previous call.
    pub fn advance(&mut self, mut all: Vec<&mut Simulation>) {
        if self.parts.iter().map(|(count, _)| count).sum::<usize>() != all.len() {
            self.divide(&all, rayon::current_num_threads(), 1);
        }
        if let [(_, batch)] = &mut self.parts[..] {
            batch.advance_frames(&mut all);
            return;
        }
        let mut rest = &mut all[..];
        let mut work = Vec::with_capacity(self.parts.len());
        for (count, batch) in &mut self.parts {
            let (part, tail) = rest.split_at_mut(*count);
            work.push((part, batch));
            rest = tail;
        }
        work.into_par_iter().for_each(|(part, batch)| {
            batch.advance_frames(part);
        });
    }

    /// Advances bodies by a number of frames. After every frame of a body, `observe` is called with
    /// the body's follower; the body stops when `observe` returns false.
    ///
    /// Threads synchronise once instead of in every frame, so that dividing small bodies pays off
    /// too.
    pub fn follow<'a, F: Send>(
        mut all: Vec<&'a mut Simulation>,
        mut followers: Vec<F>,
        frames: u64,
        observe: &(dyn Fn(&Simulation, &mut F) -> bool + Sync),
    ) {
        let mut divided = Self::default();
        divided.divide(&all, rayon::current_num_threads(), frames);
        let mut work = Vec::with_capacity(divided.parts.len());
        for (count, batch) in divided.parts.into_iter().rev() {
            let first = all.len() - count;
            work.push((all.split_off(first), followers.split_off(first), batch));
        }
        work.into_par_iter().for_each(|(mut bodies, mut followers, mut batch)| {
            for _ in 0..frames {
                if bodies.is_empty() {
                    break;
                }
                batch.advance_frames(&mut bodies);
                let looked = bodies.iter().zip(&mut followers);
                let continues: Vec<bool> = looked.map(|(body, it)| observe(body, it)).collect();
                if continues.contains(&false) {
                    bodies = those(bodies, &continues);
                    followers = those(followers, &continues);
                }
            }
        });
    }

    /// Divides bodies into parts of similar cost. Threads synchronise after `frames` frames.
    fn divide(&mut self, all: &[&mut Simulation], threads: usize, frames: u64) {
        let costs: Vec<u128> = all.iter().map(|body| body.setup().frame_cost()).collect();
        let total = costs.iter().fold(0, |sum: u128, cost| sum.saturating_add(*cost));
        let is_little = total.saturating_mul(frames.into()) < MIN;
        let parts = if is_little { 1 } else { threads.clamp(1, all.len().max(1)) };
        let share = total.max(1).div_ceil(parts as u128);
        let mut counts = vec![0; parts];
        let mut before: u128 = 0;
        for cost in costs {
            // The middle of a body's work determines its part.
            let middle = before.saturating_add(cost / 2).min(total.saturating_sub(1));
            counts[(middle / share) as usize] += 1;
            before = before.saturating_add(cost);
        }
        self.parts = counts.into_iter().map(|count| (count, Batch::default())).collect();
    }
}

/// The chosen elements of a list.
fn those<T>(all: Vec<T>, chosen: &[bool]) -> Vec<T> {
    all.into_iter().zip(chosen).filter_map(|(it, is_chosen)| is_chosen.then_some(it)).collect()
}
