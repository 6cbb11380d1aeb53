//! Range of the numbers of substeps that a file does not distinguish.

use super::Question;
use super::candidate::Candidate;
use super::race::run_whole;
use super::verdict::{Agreement, Verdict, decide};

/// Maximum estimated work of the runs, in nanoseconds of one core.
const MAX_WORK: u128 = 1_000_000_000;
/// Maximum number of numbers that are tried on each side.
const MAX: u64 = 64;

/// Returns the lowest and highest number of substeps with which the best candidate reproduces the
/// file, searched around the candidate's own number. `None` if no other number does.
pub(super) fn range(question: &Question<'_>, verdict: &Verdict<'_>) -> Option<[u64; 2]> {
    let Question { bases, plan, .. } = *question;
    let (best, agreement) = verdict.all.first().filter(|_| verdict.fits > 0)?;
    let is_exact = agreement.is_within_digits();
    if plan.are_substeps_given {
        return None;
    }
    let own = best.candidate.setup.substeps;
    let work = best.candidate.setup.frame_cost() * u128::from(best.data.last());
    let maximum = MAX_WORK / work.max(1);
    let fits = |numbers: Vec<u64>| -> Vec<u64> {
        let made = numbers.into_iter().filter(|it| *it > 0);
        let made: Vec<Candidate> =
            made.filter_map(|it| best.candidate.with_substeps(bases, it)).collect();
        let found = decide(run_whole(&made, bases), &made, bases, &plan.slips);
        if found.is_single && !verdict.is_single {
            return Vec::new();
        }
        // The rounding of a float explains larger distances than an exact run has.
        let is_as_good = |own: &Agreement| !is_exact || own.is_within_digits();
        let as_good = found.all[..found.fits].iter().filter(|(_, own)| is_as_good(own));
        as_good.map(|(it, _)| it.candidate.setup.substeps).collect()
    };
    if maximum < 4 || fits(vec![own - 1, own + 1]).is_empty() {
        return None;
    }
    let reach = MAX.min((maximum / 2) as u64);
    let all = fits((own.saturating_sub(reach)..=own + reach).filter(|it| *it != own).collect());
    let (mut low, mut high) = (own, own);
    while all.contains(&(low - 1)) {
        low -= 1;
    }
    while all.contains(&(high + 1)) {
        high += 1;
    }
    (low < high).then_some([low, high])
}
