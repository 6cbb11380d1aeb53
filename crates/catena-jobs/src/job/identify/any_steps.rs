//! Uncommon numbers of substeps of every method.
//!
//! Candidates with uncommon numbers of substeps cannot be found from the nearest ones with common
//! numbers, which often have other methods. In addition, results with many substeps differ much
//! between floats and doubles. Only neighbouring numbers of one method have similar results. So
//! each method runs up to the first frame after the start with closely spaced numbers, and then
//! with all numbers around the nearest ones. If the file shows floats, the methods run with 24
//! bits. Otherwise they run with 53 bits and in all their variants.

use super::super::rounding::SINGLE_SLIP;
use super::base::Bases;
use super::candidate::{Candidate, Plan};
use super::named::Variant;
use super::race::run_first;
use catena_scene::recorded::Width;
use catena_sim::slip::Slip;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of substeps.
const MAX: u64 = 1100;
/// Number of substeps up to which every number is tried.
const ALL: u64 = 128;
/// Above [`ALL`], ratio of a number of substeps to its distance from the next number.
const CLOSE: u64 = 16;
/// Number of nearest choices per method around which all numbers are tried.
const REFINED: usize = 4;
/// Number of nearest choices per method whose numbers of substeps are finally tried with all
/// programs of the method.
const LAST: usize = 3;
/// Maximum estimated work of the first runs, in nanoseconds of one core.
const MAX_WORK: u128 = 2_000_000_000;

/// Number of candidates that are created at a time, which limits the memory.
const COMPANY: usize = 2048;

/// Index of a program, with a number of substeps.
type Choice = (usize, u64);

/// Programs that run with many different numbers of substeps.
struct Field<'a> {
    bases: &'a Bases,
    /// Programs with one substep each.
    programs: Vec<Candidate>,
}

/// Returns programs of all methods with numbers of substeps that come nearest to the first frame of
/// the file.
pub(super) fn nearest(bases: &Bases, plan: &Plan) -> Vec<Candidate> {
    if plan.are_substeps_given {
        return Vec::new();
    }
    Field { bases, programs: programs(bases, plan) }.nearest()
}

/// Returns the programs of `candidates` with numbers of substeps that come nearest to the first
/// frame of the file.
pub(super) fn of_programs(candidates: &[&Candidate], bases: &Bases) -> Vec<Candidate> {
    let programs = candidates.iter().filter_map(|it| it.with_substeps(bases, 1)).collect();
    Field { bases, programs }.nearest()
}

/// Name of the method of a program.
fn method_of(candidate: &Candidate) -> &'static str {
    candidate.setup.method.info().name
}

/// Distance from a number of substeps to the next number.
fn distance(count: u64) -> u64 {
    if count <= ALL { 1 } else { (count / CLOSE).max(1) }
}

impl Field<'_> {
    /// Returns the programs with numbers of substeps that come nearest to the first frame of the
    /// file.
    fn nearest(&self) -> Vec<Candidate> {
        let around = |(program, own): Choice| {
            let reach = distance(own) + 1;
            let numbers = own.saturating_sub(reach).max(1)..=own + reach;
            numbers.map(move |count| (program, count))
        };
        let near = self.apart(&self.affordable(), REFINED, distance);
        let near: BTreeSet<Choice> = near.into_iter().flat_map(around).collect();
        let near: Vec<Choice> = near.into_iter().collect();
        // Options that change little in the first frame differ in later frames, so all are
        // returned.
        let mut all = Vec::new();
        for (found, count) in self.apart(&near, LAST, |_| 0) {
            let own = self.programs.iter().filter(|it| method_of(it) == self.name(found));
            all.extend(own.filter_map(|program| program.with_substeps(self.bases, count)));
        }
        all
    }

    /// Name of the method of a program.
    fn name(&self, program: usize) -> &'static str {
        method_of(&self.programs[program])
    }

    /// Returns closely spaced numbers of substeps for each program. All programs have an equal
    /// share of the work. A share that a cheap program does not use is divided among the others.
    fn affordable(&self) -> Vec<Choice> {
        let mut costs: Vec<(u128, usize)> = Vec::new();
        for (index, program) in self.programs.iter().enumerate() {
            let first = self.bases.all[program.base].data.first_moving();
            costs.push((program.setup.frame_cost() * u128::from(first), index));
        }
        costs.sort_unstable();
        let (mut all, mut work, mut left) = (Vec::new(), MAX_WORK, costs.len() as u128);
        for (cost, program) in costs {
            let (share, mut count, mut spent) = (work / left, 1, 0);
            while count <= MAX && spent + cost * u128::from(count) <= share {
                spent += cost * u128::from(count);
                all.push((program, count));
                count += distance(count);
            }
            work -= spent;
            left -= 1;
        }
        all
    }

    /// Distances of programs from the first frame of the file, as scores of a race. A program that
    /// cannot run has an infinite score.
    fn scores(&self, choices: &[Choice]) -> Vec<f64> {
        let mut all = Vec::new();
        for part in choices.chunks(COMPANY) {
            let made = part.par_iter().enumerate().filter_map(|(index, (program, count))| {
                Some((index, self.programs[*program].with_substeps(self.bases, *count)?))
            });
            let (places, made): (Vec<usize>, Vec<Candidate>) = made.unzip();
            let mut scores = vec![f64::INFINITY; part.len()];
            for runner in run_first(&made, self.bases) {
                scores[places[runner.candidate]] = runner.score();
            }
            all.extend(scores);
        }
        all
    }

    /// Returns for each method at most `maximum` programs that are nearest to the first frame of
    /// the file. Their numbers of substeps differ by more than `within` of each number.
    fn apart(
        &self,
        choices: &[Choice],
        maximum: usize,
        within: impl Fn(u64) -> u64,
    ) -> Vec<Choice> {
        let mut scored: Vec<(f64, Choice)> =
            self.scores(choices).into_iter().zip(choices.iter().copied()).collect();
        scored.retain(|(score, _)| score.is_finite());
        scored.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut found: BTreeMap<&str, Vec<Choice>> = BTreeMap::new();
        for (_, (program, own)) in scored {
            let near = found.entry(self.name(program)).or_default();
            let is_new = near.iter().all(|(_, other)| other.abs_diff(own) > within(own));
            if near.len() < maximum && is_new {
                near.push((program, own));
            }
        }
        found.into_values().flatten().collect()
    }
}

/// Programs with one substep each. If the file shows floats, the methods operate on floats.
/// Otherwise all variants of the methods are included.
fn programs(bases: &Bases, plan: &Plan) -> Vec<Candidate> {
    let is_float = |slip: &&Variant<dyn Slip>| slip.name == SINGLE_SLIP && !slip.options.is_empty();
    let floats: Vec<&Variant<dyn Slip>> = plan.slips.iter().filter(is_float).collect();
    let mut all = Vec::new();
    for base in (0..bases.all.len()).filter(|base| !bases.all[*base].from_data) {
        let shows_floats = bases.all[base].data.precision.width == Width::Single;
        for method in &plan.methods {
            let made = |slips: &[&Variant<dyn Slip>]| Candidate::new(bases, base, method, slips, 1);
            if !shows_floats {
                all.extend(made(&[]));
            } else if bases.gives_all(method) {
                all.extend(floats.iter().filter_map(|slip| made(&[slip])));
            }
        }
    }
    all.retain(|it| !it.setup.method.chooses_steps());
    all
}
