//! Verlet methods in which every operation is rounded to 24 bits, with options and numbers of
//! iterations that the first rounds try only with 53 bits.
//!
//! A Verlet of floats depends on the order of its operations, so its motion is near the motion of
//! a double only in the first frames. Each option is therefore tried with each order.

use super::super::rounding::SINGLE_SLIP;
use super::base::Bases;
use super::candidate::{Candidate, Plan};
use super::named::Variant;
use super::verdict::Verdict;
use catena_scene::recorded::Width;
use catena_sim::slip::Slip;
use std::collections::{BTreeSet, HashSet};

/// Maximum number of iterations.
const MAX_ITERATIONS: u32 = 16;
/// Number of candidates of each verdict whose numbers of substeps are tried.
const NEAREST: usize = 6;
/// Maximum estimated work of all candidates over the first frame, in nanoseconds of one core.
const MAX_WORK: u128 = 1_500_000_000;

/// Returns the methods that have such orders of operations with each option, alone and with each
/// number of iterations up to [`MAX_ITERATIONS`]. Numbers of substeps are those of the scene and of
/// the nearest candidates. Empty if the file needs doubles.
pub(super) fn others(bases: &Bases, plan: &Plan, verdicts: [&Verdict<'_>; 2]) -> Vec<Candidate> {
    let is_order = |slip: &&Variant<dyn Slip>| slip.name == SINGLE_SLIP && !slip.options.is_empty();
    let orders: Vec<&Variant<dyn Slip>> = plan.slips.iter().filter(is_order).collect();
    let nearest = verdicts.iter().flat_map(|verdict| verdict.all.iter().take(NEAREST));
    let mut substeps: BTreeSet<u64> = nearest.map(|(it, _)| it.candidate.setup.substeps).collect();
    if !plan.are_substeps_given {
        substeps.extend(&bases.substeps);
    }
    let (mut all, mut work, mut known) = (Vec::new(), 0, HashSet::new());
    for (index, base) in bases.all.iter().enumerate() {
        if base.from_data || base.data.precision.width == Width::Double {
            continue;
        }
        for method in &plan.methods {
            for count in 0..=MAX_ITERATIONS {
                let other = method.with_iterations(count.max(1));
                let method = if count == 0 { Some(method.clone()) } else { other };
                let Some(method) = method.filter(|it| known.insert((index, it.written()))) else {
                    continue;
                };
                let made = substeps.iter().flat_map(|number| {
                    let made = |slip: &&Variant<dyn Slip>| {
                        Candidate::new(bases, index, &method, &[slip], *number)
                    };
                    orders.iter().filter_map(made).collect::<Vec<_>>()
                });
                let frames = u128::from(base.data.first_moving());
                for candidate in made {
                    work += candidate.setup.frame_cost() * frames;
                    if work > MAX_WORK {
                        return all;
                    }
                    all.push(candidate);
                }
            }
        }
    }
    all
}
