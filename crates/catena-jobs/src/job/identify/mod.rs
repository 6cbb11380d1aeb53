//! Search for the program that wrote a file: its method, variant, slip and number of steps.
//!
//! Candidates are enumerated from the tables of methods and slips, so a new row takes part
//! automatically. All of them run for a frame, the nearest run for more frames, and the last ones
//! for all. A file is identified if rounding explains all distances. This includes the rounding of
//! printed digits and the growth of rounding in the method, which a second run with 24 bits
//! measures.

mod advice;
mod any_steps;
mod base;
mod candidate;
mod data;
mod iterations;
mod named;
mod race;
mod row_steps;
mod substeps;
mod values;
mod verdict;
mod words;

pub use candidate::Tried;
pub use values::{Value as FittedValue, Values as FittedValues};

use super::prepare::limited;
use super::{RunError, threads};
use advice::{COMPARE, MOVES, advice_of, is_other_reading};
use base::Bases;
use candidate::{Candidate, Plan};
use catena_base::text::number::short;
use catena_scene::limits::{PlannedRun, Product};
use catena_scene::recorded::{NodeOrder, YAxis};
use catena_scene::{Limits, Scene};
use serde::Serialize;
use std::collections::{BTreeSet, HashSet};
use std::io;
use verdict::{Agreement, Finalist, Verdict};

/// Options of a search.
#[derive(Clone, Debug)]
pub struct IdentifyOptions {
    /// Name of the file in messages.
    pub name: String,
    /// Meaning of the columns. `None` derives it from their names.
    pub columns: Option<String>,
    /// Node of a file that describes one point.
    pub node: Option<usize>,
    /// Node of the body that is the lowest node number in the file.
    pub first_node: Option<usize>,
    /// Direction in which the file counts nodes.
    pub node_order: Option<NodeOrder>,
    /// Frame of the scene at the earliest time in the file.
    pub first_frame: Option<u64>,
    /// Direction of y in the file.
    pub y: Option<YAxis>,
    /// Factor for the positions in the file.
    pub scale: f64,
    /// Position of the file's origin in the scene.
    pub translate: [f64; 3],
    /// Panel to read if the file contains several.
    pub file_panel: Option<u64>,
    /// Body to read if the file contains several.
    pub file_body: Option<u64>,
    /// Index of the panel of the scene. `None` tries all panels.
    pub panel: Option<u64>,
    /// Maximum number of frames to compare. `None` compares 600.
    pub frames: Option<u64>,
    /// Numbers of substeps to try in addition to common ones and the scene's own ones.
    pub substeps: Vec<u64>,
    /// Whether to omit common numbers of substeps.
    pub only_given_substeps: bool,
    /// Minimum number of candidates that are compared over all frames. `None` uses a default.
    pub top: Option<usize>,
    /// Limits on the scene.
    pub limits: Limits,
    /// Number of threads, 1 to 1024. `None` uses the caller's rayon pool. The result does not
    /// depend on it.
    pub threads: Option<u16>,
}

impl Default for IdentifyOptions {
    fn default() -> Self {
        let (columns, node, first_node, node_order, first_frame) = Default::default();
        let (y, top, file_panel, file_body, panel, frames, substeps) = Default::default();
        Self {
            name: "the file".into(),
            columns,
            node,
            first_node,
            node_order,
            first_frame,
            y,
            scale: 1.0,
            translate: [0.0; 3],
            file_panel,
            file_body,
            panel,
            frames,
            substeps,
            only_given_substeps: false,
            top,
            limits: Limits::default(),
            threads: None,
        }
    }
}

/// Error of a search.
#[derive(Debug, thiserror::Error)]
pub enum IdentifyError {
    /// An option does not fit the scene or the file.
    #[error("{0}")]
    Usage(String),
    /// The file cannot be read, or does not fit the scene.
    #[error("{0}")]
    Data(String),
    /// The job cannot run.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Some candidates reproduce the file, and others do not.
    Identified,
    /// The file does not distinguish the candidates that reproduce it from others.
    Undecided,
    /// No candidate reproduces the file.
    None,
}

/// A candidate and its agreement with the file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Match {
    /// Description of the method, its options, slips and steps.
    pub phrase: String,
    /// Name of the method.
    pub method: String,
    /// Names of the slips.
    pub slips: Vec<String>,
    /// Steps per frame.
    pub substeps: u64,
    /// Label of the panel that simulates the body, including the changes.
    pub panel: String,
    /// Whether the scene contains this candidate without any change.
    pub is_in_scene: bool,
    /// Changes of the scene that give the candidate, as `PATH=VALUE`.
    pub changes: Vec<String>,
    /// Index of the panel, from 0.
    pub panel_index: usize,
    /// Largest distance from the file in the compared frames. `None` if infinite.
    pub largest: Option<f64>,
    /// Largest distance in all frames of the file. `None` if infinite.
    pub farthest: Option<f64>,
    /// Frame of the largest distance.
    pub frame: u64,
    /// Node with the largest distance.
    pub node: usize,
    /// Distance that rounding explains in that frame.
    pub tolerance: f64,
    /// Part of the tolerance that comes from the digits of the file.
    pub printed: f64,
    /// Largest coordinate of the file in the frame of the largest distance.
    pub size: f64,
    /// Whether the motion has diverged in the frame of the largest distance.
    pub has_diverged: bool,
    /// Whether the method preserves lengths instead of integrating springs.
    pub holds_lengths: bool,
    /// First frame whose distance rounding does not explain.
    pub parts_at: Option<u64>,
    /// Node with the largest distance in frame `parts_at`.
    pub parts_node: Option<usize>,
    /// Last frame that was compared.
    pub compared_to: u64,
    /// Frame of the run minus frame of the file.
    pub offset: i64,
    /// Whether the run begins at the first positions of the file.
    pub from_data: bool,
    /// Remarks about faults that the candidate reproduces.
    pub remarks: Vec<String>,
}

/// Result of a search.
#[derive(Clone, Debug, Serialize)]
pub struct Identified {
    /// Description of the file as it was read.
    pub file: String,
    /// Digits of the file, and what follows from them.
    pub digits: String,
    /// Remarks about the start and the length of the file.
    pub notes: Vec<String>,
    /// Counts of what was tried.
    pub tried: Tried,
    /// Outcome of the search.
    pub outcome: Outcome,
    /// Candidates that reproduce the file, the best explanation first. If there are none, the
    /// nearest candidates.
    pub matches: Vec<Match>,
    /// The nearest candidate that does not reproduce the file.
    pub next: Option<Match>,
    /// Ratio of the largest distance of the next candidate to the largest distance of the best one.
    pub margin: Option<f64>,
    /// Whether the file agrees only within the rounding of 24 bits.
    pub is_single: bool,
    /// Lowest and highest number of substeps with which the best candidate reproduces the file.
    /// `None` if only one number does.
    pub substeps: Option<[u64; 2]>,
    /// Number of candidates that were dropped although they were as near as the remaining ones.
    pub crowded: usize,
    /// The unchanged body of the scene that is nearest to the file in all frames. Set only if no
    /// candidate reproduces the file.
    pub own: Option<Match>,
    /// Advice on how to continue. Empty if the program is identified.
    pub advice: Vec<String>,
    /// Whether the advice is another reading of the file, for example in other units. The nearest
    /// candidates are then meaningless.
    pub is_other_reading: bool,
    /// Largest extent of the body at the start.
    pub extent: f64,
    /// Fitted values of fields, different from the values of the scene, with which a candidate
    /// reproduces the file. Set only if no candidate does with the values of the scene, or only
    /// within the rounding of 24 bits.
    pub other_values: Option<FittedValues>,
}

impl Identified {
    /// Returns the result as JSON.
    ///
    /// # Errors
    /// The text does not fit into memory.
    pub fn json(&self) -> io::Result<String> {
        serde_json::to_string_pretty(self).map_err(io::Error::other)
    }
}

/// Finds the candidates that reproduce a file.
///
/// # Errors
/// The file cannot be read, does not fit the scene, or an option is out of range.
pub fn identify(
    scene: &Scene,
    bytes: &[u8],
    options: &IdentifyOptions,
) -> Result<Identified, IdentifyError> {
    let bases = Bases::of(scene, bytes, options)?;
    let last = bases.all.iter().map(|base| base.data.last()).max().unwrap_or_default();
    let run = PlannedRun::up_to(last.saturating_add(1), Product::Numbers);
    limited(scene, &options.limits, &run)?;
    let plan = Plan::new(&bases, options).map_err(IdentifyError::Usage)?;
    let question = Question { bases: &bases, plan: &plan, bytes, options };
    Ok(threads::with(options.threads, || search(&question))?)
}

/// Input of a search: the file, the bodies and everything to try.
struct Question<'a> {
    bases: &'a Bases,
    plan: &'a Plan,
    bytes: &'a [u8],
    options: &'a IdentifyOptions,
}

fn search(question: &Question<'_>) -> Identified {
    let Question { bases, plan, options, .. } = *question;
    let top = options.top.unwrap_or_default();
    let recipes = plan.recipes(bases);
    let mut tried = plan.tried(recipes.len());
    let (candidates, race) = race::race_of_plan(plan, &recipes, bases, top);
    let (slips, mut crowded) = (&plan.slips, race.crowded);
    let first = verdict::decide(race.finalists, &candidates, bases, slips);
    if first.fits > 0 && !first.is_loose() && !first.is_stretched() && !first.is_rough() {
        let other = with_nearer_substeps(question, &first);
        tried.candidates += other.len();
        let race = race::race(&other, bases, top);
        let second = verdict::decide(race.finalists, &other, bases, slips);
        let best = if second.is_better_than(&first) { second } else { first };
        return describe(question, &best, tried, crowded);
    }
    // One fault and common numbers of substeps may explain the file within its digits or within the
    // rounding of a float. Only otherwise are combinations of two faults and uncommon numbers of
    // substeps tried.
    let last: Vec<usize> = first.all.iter().map(|(it, _)| it.index).collect();
    let mut more = any_steps::nearest(bases, plan);
    let near = [&last[..], &race.early];
    more.extend(seconds(bases, plan, &candidates, near));
    more.extend(iterations::others(bases, &candidates, near));
    if !first.is_rough() {
        more.extend(between(bases, plan, &candidates, near));
    }
    let mut known = HashSet::new();
    more.retain(|it| it.program().is_none_or(|own| known.insert((own, it.setup.substeps))));
    tried.candidates += more.len();
    let more_race = race::race(&more, bases, top);
    let second_crowded = more_race.crowded;
    let second = verdict::decide(more_race.finalists, &more, bases, slips);
    // Large numbers are tried with gaps. The next search fills the gaps around the nearest numbers,
    // and tries uncommon numbers of iterations of the nearest combinations.
    let mut closer = Vec::new();
    if second.fits == 0 || second.is_loose() || second.is_stretched() {
        closer.extend(within_gaps(bases, plan, &second));
        let near: Vec<usize> = second.all.iter().map(|(it, _)| it.index).collect();
        closer.extend(iterations::others(bases, &more, [&near, &[]]));
    }
    tried.candidates += closer.len();
    let third_race = (!closer.is_empty()).then(|| race::race(&closer, bases, top));
    let third_crowded = third_race.as_ref().map_or(0, |race| race.crowded);
    let third = third_race.map(|race| verdict::decide(race.finalists, &closer, bases, slips));
    let mut best = first;
    for (other, others) in [(Some(second), second_crowded), (third, third_crowded)] {
        let Some(other) = other.filter(|it| it.is_better_than(&best)) else { continue };
        crowded = if other.fits > 0 { others } else { crowded };
        best = other;
    }
    let best = match best.is_loose() {
        true => best.without_excuse(&verdict::of_scene(&plan.own, bases)),
        false => best,
    };
    describe(question, &best, tried, crowded)
}

/// Number of programs that explain a file and are tried with other numbers of substeps.
const EXPLAINED: usize = 8;

/// Returns the programs that explain the file only beyond its digits, with other numbers of
/// substeps that may agree better. Rounding can grow so far that it explains the difference between
/// two high numbers. Empty if the best program agrees within the digits.
fn with_nearer_substeps(question: &Question<'_>, verdict: &Verdict<'_>) -> Vec<Candidate> {
    let is_within = verdict.all.first().is_none_or(|(_, best)| best.is_within_digits());
    if is_within || question.plan.are_substeps_given {
        return Vec::new();
    }
    let fits = verdict.all[..verdict.fits].iter().map(|(it, _)| it.candidate);
    let fits: Vec<&Candidate> = fits.filter(|it| it.method.is_some()).take(EXPLAINED).collect();
    any_steps::of_programs(&fits, question.bases)
}

/// Returns the candidates of each list with one more slip, or with another variant of their method.
fn seconds(
    bases: &Bases,
    plan: &Plan,
    candidates: &[Candidate],
    lists: [&[usize]; 2],
) -> Vec<Candidate> {
    let Plan { slips, methods, .. } = plan;
    let mut all = Vec::new();
    let indices: BTreeSet<usize> = lists.into_iter().flatten().copied().collect();
    for candidate in indices.into_iter().map(|index| &candidates[index]) {
        all.extend(slips.iter().filter_map(|slip| candidate.with_slip(bases, slip)));
        let Some(own) = &candidate.method else { continue };
        if candidate.slips.is_empty() {
            continue;
        }
        let slips: Vec<_> = candidate.slips.iter().collect();
        let others =
            methods.iter().filter(|it| it.name == own.name && it.written() != own.written());
        let substeps = candidate.setup.substeps;
        all.extend(
            others.filter_map(|method| {
                Candidate::new(bases, candidate.base, method, &slips, substeps)
            }),
        );
    }
    all
}

/// Number of substeps up to which all numbers are tried with the methods of the panels.
const MAX_OF_PANELS: u64 = 128;
/// Number of methods with slips for which uncommon numbers of substeps are tried.
const REFINED: usize = 24;

/// Returns the methods of the panels with uncommon numbers of substeps. Adds the nearest candidates
/// of each list with the numbers up to the next common ones.
fn between(
    bases: &Bases,
    plan: &Plan,
    candidates: &[Candidate],
    lists: [&[usize]; 2],
) -> Vec<Candidate> {
    if plan.are_substeps_given {
        return Vec::new();
    }
    let mut all = plan.of_panels(bases, MAX_OF_PANELS);
    for list in lists {
        let mut known = BTreeSet::new();
        for candidate in list.iter().map(|index| &candidates[*index]) {
            let Some(program) = candidate.program() else { continue };
            if known.len() >= REFINED || !known.insert(program) {
                continue;
            }
            let own = candidate.setup.substeps;
            let (numbers, step) = plan.gap(own);
            let numbers = numbers.filter(|it| *it != own && it.is_multiple_of(step));
            all.extend(numbers.filter_map(|count| candidate.with_substeps(bases, count)));
        }
    }
    all
}

/// Returns the last candidates of a search with the numbers of substeps in the gaps next to theirs.
fn within_gaps(bases: &Bases, plan: &Plan, verdict: &Verdict<'_>) -> Vec<Candidate> {
    let (mut known, mut all) = (BTreeSet::new(), Vec::new());
    for candidate in verdict.all.iter().map(|(it, _)| it.candidate) {
        let Some(program) = candidate.program() else { continue };
        let own = candidate.setup.substeps;
        let step = plan.gap(own).1.max(plan.gap(own + 1).1);
        for count in own.saturating_sub(step).max(1)..=own.saturating_add(step) {
            // Candidates without gaps are included for comparison.
            if (step > 1 || count == own) && known.insert((program.clone(), count)) {
                all.extend(candidate.with_substeps(bases, count));
            }
        }
    }
    all
}

/// Minimum margin over the next best candidate if the rounding of a float explains the distances.
const CLEAR: f64 = 3.0;

/// Minimum margin if the distance exceeds the digits of the file and these digits do not show a
/// float.
const CLEARER: f64 = 100.0;

/// Minimum share of the compared frames in which the best candidate is well within rounding. With a
/// lower share, only the start of the motion agrees.
const SEEN: f64 = 0.4;

/// Whether the best candidate is well within rounding in enough of the compared frames.
fn is_enough([near, seen]: [u64; 2]) -> bool {
    near as f64 >= SEEN * seen as f64
}

/// Minimum number of candidates that are listed if none reproduces the file.
const NEAREST: usize = 8;

/// Converts a verdict to numbers and sentences.
fn describe(
    question: &Question<'_>,
    verdict: &Verdict<'_>,
    tried: Tried,
    crowded: usize,
) -> Identified {
    let Question { bases, plan, .. } = *question;
    let data = verdict.all.first().map_or(&*bases.all[0].data, |(it, _)| it.data);
    let (fits, others) = verdict.all.split_at(verdict.fits);
    let maximum = NEAREST.max(question.options.top.unwrap_or_default());
    let shown = if fits.is_empty() { &others[..others.len().min(maximum)] } else { fits };
    let next = next_best(fits, others);
    let best = fits.first().map(|(_, agreement)| agreement.largest);
    let margin = best.zip(next.as_ref()).map(|(best, (_, next))| next.largest / best);
    let outcome = outcome_of(verdict, margin);
    let is_none = outcome == Outcome::None;
    let of_scene = if is_none { verdict::of_scene(&plan.own, bases) } else { Vec::new() };
    let own = verdict::nearest_of_scene(&of_scene).map(|index| &of_scene[index]);
    let matches = shown.iter().map(|(it, agreement)| matched(bases, it, agreement)).collect();
    let matches = with_panels(matches, bases, &of_scene);
    let mut advice = advice_of(question, verdict, outcome, own);
    let own = own.map(|it| matched(bases, it, &it.agreement(false, u64::MAX)));
    let other_values = other_values(question, verdict, outcome, &mut advice);
    let is_other_reading = is_none && is_other_reading(&advice);
    let agrees = own_of(&of_scene).filter(|_| !is_other_reading && other_values.is_none());
    advice.splice(0..0, agrees.map(|it| agrees_until(bases, it)));
    // By digits alone, a float explains the file, and so do other values.
    let outcome = match (outcome, &other_values) {
        (Outcome::Identified, Some(_)) => Outcome::Undecided,
        (outcome, _) => outcome,
    };
    Identified {
        is_other_reading,
        extent: data.extent,
        file: data.description.clone(),
        digits: data.digits(outcome == Outcome::Identified && verdict.needs_float()),
        notes: notes(data, fits.first()).into_iter().chain(left_out(plan)).collect(),
        tried,
        outcome,
        next: next.as_ref().zip(fits.first()).map(|((it, agreement), (best, _))| {
            words::apart(bases, matched(bases, it, agreement), it, best)
        }),
        matches,
        margin: margin.filter(|margin| margin.is_finite()),
        is_single: verdict.is_single && !fits.is_empty(),
        substeps: substeps::range(question, verdict),
        crowded,
        own,
        advice,
        other_values,
    }
}

/// Returns the nearest candidate that does not reproduce the file, with its agreement. `None` if no
/// candidate reproduces it. A float version of a candidate that reproduces the file is not a
/// different program.
fn next_best<'a, 'b>(
    fits: &[(Finalist<'b>, Agreement)],
    others: &'a [(Finalist<'b>, Agreement)],
) -> Option<(&'a Finalist<'b>, Agreement)> {
    let is_other = |it: &Finalist<'_>| !fits.iter().any(|(fit, _)| it.is_width_of(fit));
    let near = others.iter().filter(|(it, _)| !fits.is_empty() && is_other(it));
    let near = near.map(|(it, agreement)| (it, *agreement));
    near.min_by(|a, b| a.1.largest.total_cmp(&b.1.largest))
}

/// Adds bodies of the scene that are nearer than the farthest listed candidate, in order of
/// distance. A search may have dropped them, since it first compares few frames.
fn with_panels(mut all: Vec<Match>, bases: &Bases, of_scene: &[Finalist<'_>]) -> Vec<Match> {
    let maximum = all.len();
    let distance = |it: &Match| it.farthest.unwrap_or(f64::INFINITY);
    for own in of_scene {
        let own = matched(bases, own, &own.agreement(false, u64::MAX));
        let is_known = all.iter().any(|it| it.is_in_scene && it.panel_index == own.panel_index);
        if !is_known {
            let at = all.partition_point(|it| distance(it) <= distance(&own));
            all.insert(at, own);
        }
    }
    all.truncate(maximum);
    all
}

/// Returns the body of the scene that agrees within the digits for the most frames. `None` if that
/// is fewer than [`verdict::LONG`] frames.
fn own_of<'a, 'b>(of_scene: &'a [Finalist<'b>]) -> Option<&'a Finalist<'b>> {
    let all = of_scene.iter().filter(|it| it.exact() >= verdict::LONG);
    all.max_by_key(|it| (it.exact(), std::cmp::Reverse(it.index)))
}

/// Sentence about a body of the scene that agrees with the file up to a frame.
fn agrees_until(bases: &Bases, finalist: &Finalist<'_>) -> String {
    let found = matched(bases, finalist, &finalist.agreement(false, u64::MAX));
    let what = match &*found.panel {
        "" => "the scene".to_owned(),
        label => format!("panel \"{label}\""),
    };
    let moving = finalist.frames.iter().filter(|it| it.frame > 0);
    let exact = finalist.exact();
    let last = moving.clone().take(exact).last().map_or(0, |it| it.frame);
    let first = moving.clone().nth(exact).map_or(String::new(), |it| {
        format!(", and deviates in frame {} at node {}", it.frame, it.node)
    });
    format!(
        "{what} agrees within the digits up to frame {last}{first}: compare what the program does \
         there"
    )
}

/// Returns the outcome of a search. Without a next candidate, there is no margin.
fn outcome_of(verdict: &Verdict<'_>, margin: Option<f64>) -> Outcome {
    // The growth of rounding is known only within a factor, so a small margin over it is not
    // significant.
    let is_stretched = verdict.is_stretched();
    let minimum = if verdict.is_loose() || is_stretched { CLEARER } else { CLEAR };
    let is_within = !verdict.is_single && !is_stretched;
    let is_clear = is_within && !verdict.has_other_motions()
        || !is_within && margin.is_some_and(|margin| margin >= minimum);
    match verdict.fits {
        0 => Outcome::None,
        _ if margin.is_some() && is_clear && is_enough(verdict.near()) => Outcome::Identified,
        _ => Outcome::Undecided,
    }
}

/// Finds other values of the scene with which a candidate reproduces the file. Removes advice that
/// these values make unnecessary, or adds a sentence about an unsuccessful search.
fn other_values(
    question: &Question<'_>,
    verdict: &Verdict<'_>,
    outcome: Outcome,
    advice: &mut Vec<String>,
) -> Option<FittedValues> {
    let data = verdict.all.first().map_or(&*question.bases.all[0].data, |(it, _)| it.data);
    // The rounding of a float explains as much as small differences between values.
    let is_beyond = || verdict.all.first().is_some_and(|(_, best)| !best.is_within_digits());
    let is_open = match outcome {
        Outcome::Identified | Outcome::Undecided => verdict.is_loose() && is_beyond(),
        Outcome::None => !is_other_reading(advice),
    };
    let starts_elsewhere = data.from_start.is_some() && !data.is_start;
    if !is_open || starts_elsewhere || data.diverges_at().is_some() {
        return None;
    }
    match values::find(question, verdict) {
        values::FoundValues::Values(found) if outcome != Outcome::None && !found.is_other() => None,
        values::FoundValues::Values(found) => {
            advice.retain(|line| !line.starts_with(COMPARE) && !line.starts_with(MOVES));
            Some(found)
        }
        values::FoundValues::Nothing(count) => {
            advice.extend(values::unsuccessful_fits(count).filter(|_| outcome == Outcome::None));
            None
        }
    }
}

fn matched(bases: &Bases, finalist: &Finalist<'_>, agreement: &Agreement) -> Match {
    let candidate = finalist.candidate;
    let setup = &candidate.setup;
    Match {
        phrase: words::phrase(candidate, bases),
        method: setup.method.info().name.into(),
        slips: setup.slips.iter().map(|slip| slip.info().name.into()).collect(),
        substeps: setup.substeps,
        panel: match candidate.own {
            Some(own) => bases.own[own].label.clone(),
            None => bases.all[candidate.base].label.clone(),
        },
        is_in_scene: candidate.own.is_some(),
        panel_index: match candidate.own {
            Some(own) => bases.own[own].panel,
            None => bases.all[candidate.base].panel,
        },
        changes: words::changes_of_all(candidate, bases),
        largest: Some(agreement.largest).filter(|largest| largest.is_finite()),
        farthest: Some(finalist.farthest()).filter(|farthest| farthest.is_finite()),
        frame: agreement.frame,
        node: agreement.node,
        tolerance: agreement.tolerance,
        printed: agreement.printed,
        size: agreement.size,
        has_diverged: finalist.data.is_diverged(agreement.size),
        holds_lengths: setup.method.info().holds_lengths,
        parts_at: agreement.parts_at,
        parts_node: agreement.parts_node,
        compared_to: agreement.horizon.min(finalist.data.last()),
        offset: finalist.offset,
        from_data: bases.all[candidate.base].from_data,
        remarks: words::remarks(candidate, bases),
    }
}

/// Returns a remark about common numbers of substeps that were not tried.
fn left_out(plan: &Plan) -> Option<String> {
    let maximum = plan.substeps.last().copied().unwrap_or(1);
    (plan.left_out > 0).then(|| {
        format!(
            "of the common numbers of substeps, those up to {maximum} were tried, since more take too \
             long for this rope: --substeps N adds one"
        )
    })
}

/// Returns remarks about the start and the length of a file.
fn notes(data: &data::Data, best: Option<&(Finalist<'_>, Agreement)>) -> Vec<String> {
    let mut all = Vec::new();
    if let Some(distance) = data.from_start.filter(|_| !data.is_start) {
        all.push(format!(
            "frame 0 of the file is not the scene's start: they differ by {}",
            short(distance)
        ));
    }
    if let Some(frame) = data.diverges_at() {
        all.push(format!(
            "the file diverges: from frame {frame} on, coordinates exceed 1000 times the initial \
             size, so distances in these frames are relative to the largest coordinate"
        ));
    }
    if data.left_out > 0 {
        let (last, left) = (data.last(), data.left_out);
        all.push(format!(
            "compared up to frame {last}; {left} later ones are left out (--frames N)"
        ));
    }
    if let Some((finalist, agreement)) = best {
        match finalist.offset {
            0 => {}
            offset if offset > 0 => all.push(format!(
                "frame k of the file is the scene's frame k + {offset}: it counts one frame less"
            )),
            offset => all.push(format!(
                "frame k of the file is the scene's frame k - {}: it counts one frame more",
                -offset
            )),
        }
        if agreement.horizon < data.last() {
            all.push(format!(
                "compared up to frame {}: later on, rounding alone separates two runs of this method",
                agreement.horizon
            ));
        }
    }
    all
}
