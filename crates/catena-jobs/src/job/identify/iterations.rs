//! Uncommon numbers of iterations of the nearest candidates.
//!
//! The table of a method lists common numbers of iterations. A program with another number moves
//! differently, but in the first frames its motion is near the motions with listed numbers.

use super::base::Bases;
use super::candidate::Candidate;
use std::collections::HashSet;

/// Maximum number of iterations.
const MAX: u32 = 64;
/// Number of programs per list whose other numbers of iterations are tried.
const PROGRAMS: usize = 24;
/// Maximum estimated work of all candidates over the first frame, in nanoseconds of one core.
const MAX_WORK: u128 = 1_500_000_000;

/// Returns the nearest candidates of each list with each number of iterations up to [`MAX`]. Skips
/// candidates whose methods have no such option, and candidates whose work exceeds [`MAX_WORK`].
pub(super) fn others(
    bases: &Bases,
    candidates: &[Candidate],
    lists: [&[usize]; 2],
) -> Vec<Candidate> {
    let (mut all, mut work) = (Vec::new(), 0);
    let mut known = HashSet::new();
    for list in lists {
        let mut programs = 0;
        for candidate in list.iter().map(|index| &candidates[*index]) {
            let Some(minimum) = candidate.with_iterations(bases, 1) else { continue };
            let Some(program) = minimum.program() else { continue };
            if programs >= PROGRAMS || !known.insert((program, minimum.setup.substeps)) {
                continue;
            }
            programs += 1;
            let frames = u128::from(bases.all[candidate.base].data.first_moving());
            for count in 1..=MAX {
                let Some(other) = candidate.with_iterations(bases, count) else { continue };
                let own = other.setup.frame_cost() * frames;
                if work + own <= MAX_WORK {
                    work += own;
                    all.push(other);
                }
            }
        }
    }
    all
}
