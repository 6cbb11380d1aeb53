//! Uncommon numbers of substeps of programs that compute with 24 bits.
//!
//! Many substeps of a float differ so much from those of a double that the nearest doubles do not
//! lead to them, and only neighbouring numbers lead to each other. So these programs run with
//! numbers that lie close together, up to the first frame after the start, and with all numbers
//! around the nearest of them.

use super::base::Bases;
use super::candidate::{Candidate, Plan, SINGLE_SLIP};
use super::named::Variant;
use super::race::run_first;
use catena_scene::recorded::Width;
use catena_sim::slip::Slip;
use std::collections::BTreeMap;

/// Largest number of substeps that is tried.
const MOST: u64 = 1100;
/// Number of substeps up to which all are tried.
const ALL: u64 = 128;
/// Beyond it, ratio of a number of substeps to its distance from the next one that is tried.
const CLOSE: u64 = 16;
/// Number of numbers of substeps of a method around which all numbers are tried.
const REFINED: usize = 4;
/// Number of numbers of substeps of a method with which all its programs are tried in the end.
const LAST: usize = 3;
/// Maximum estimated work of the first runs, in nanoseconds of one core.
const MOST_WORK: u128 = 2_000_000_000;

/// Returns programs of floats with the numbers of substeps around those that are nearest to the
/// first frame of the file. Empty for a file that shows no floats.
pub(super) fn nearest(bases: &Bases, plan: &Plan) -> Vec<Candidate> {
    let is_float = |index: &usize| bases.all[*index].data.precision.width == Width::Single;
    if plan.are_substeps_given || !(0..bases.all.len()).any(|index| is_float(&index)) {
        return Vec::new();
    }
    let programs = programs(bases, plan);
    let walked = affordable(&programs, bases);
    let around = |candidate: &Candidate| {
        let own = candidate.setup.substeps;
        let reach = distance(own) + 1;
        let numbers = own.saturating_sub(reach).max(1)..=own + reach;
        numbers.filter_map(|it| candidate.with_substeps(bases, it)).collect::<Vec<_>>()
    };
    let near = apart(&walked, bases, REFINED, distance);
    let near: Vec<Candidate> = near.into_iter().flat_map(around).collect();
    // Options that change little in the first frame are told apart by later ones.
    let mut all = Vec::new();
    for found in apart(&near, bases, LAST, |_| 0) {
        let name = method_of(found);
        let own = programs.iter().filter(|program| method_of(program) == name);
        all.extend(own.filter_map(|program| program.with_substeps(bases, found.setup.substeps)));
    }
    all
}

/// Name of the method of a program.
fn method_of(candidate: &Candidate) -> &'static str {
    candidate.setup.method.info().name
}

/// Returns for each method the programs that are nearest to the first frame of the file, as many as
/// `most`, with numbers of substeps that are farther apart than `within` says.
fn apart<'a>(
    all: &'a [Candidate],
    bases: &Bases,
    most: usize,
    within: impl Fn(u64) -> u64,
) -> Vec<&'a Candidate> {
    let mut runners = run_first(all, bases);
    runners.sort_by(|a, b| a.score().total_cmp(&b.score()).then(a.candidate.cmp(&b.candidate)));
    let mut found: BTreeMap<&str, Vec<&Candidate>> = BTreeMap::new();
    for candidate in runners.iter().map(|runner| &all[runner.candidate]) {
        let (own, near) =
            (candidate.setup.substeps, found.entry(method_of(candidate)).or_default());
        let is_new = near.iter().all(|it| it.setup.substeps.abs_diff(own) > within(own));
        if near.len() < most && is_new {
            near.push(candidate);
        }
    }
    found.into_values().flatten().collect()
}

/// Distance of a number of substeps from the next one that is tried.
fn distance(count: u64) -> u64 {
    if count <= ALL { 1 } else { (count / CLOSE).max(1) }
}

/// Methods with operations of floats, with their smallest number of substeps.
fn programs(bases: &Bases, plan: &Plan) -> Vec<Candidate> {
    let is_float = |slip: &&Variant<dyn Slip>| slip.name == SINGLE_SLIP && !slip.options.is_empty();
    let slips: Vec<&Variant<dyn Slip>> = plan.slips.iter().filter(is_float).collect();
    let mut all = Vec::new();
    for base in (0..bases.all.len()).filter(|base| !bases.all[*base].from_data) {
        for (method, slip) in plan.methods.iter().flat_map(|it| slips.iter().map(move |s| (it, *s)))
        {
            let is_usual = method.options.iter().all(|(info, value)| bases.gives(info, value));
            let made = is_usual.then(|| Candidate::new(bases, base, method, &[slip], 1));
            all.extend(made.flatten());
        }
    }
    all
}

/// Returns programs with numbers of substeps that lie close together, as many as the work allows.
fn affordable(programs: &[Candidate], bases: &Bases) -> Vec<Candidate> {
    let (mut all, mut work, mut count) = (Vec::new(), 0, 1);
    while count <= MOST {
        for program in programs {
            let Some(candidate) = program.with_substeps(bases, count) else { continue };
            let first = bases.all[candidate.base].data.first_moving();
            work += candidate.setup.frame_cost() * u128::from(first);
            if work > MOST_WORK {
                return all;
            }
            all.push(candidate);
        }
        count += distance(count);
    }
    all
}
