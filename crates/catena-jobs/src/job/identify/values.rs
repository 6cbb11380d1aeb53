//! Fitted values of the scene with which a program reproduces a file, although it does not with the
//! values of the scene.
//!
//! Stiffness, drag, damping and gravity are fitted to the first frames, first each of them alone
//! and then all together. The fitted programs are the panels of the scene, the nearest candidates,
//! and both with other numbers of substeps. The best are then fitted to the whole file, as `catena
//! fit` does. Only a fit that explains the file is proposed.

mod alone;

use super::base::changed;
use super::candidate::Candidate;
use super::data::Data;
use super::verdict::Verdict;
use super::{IdentifyOptions, Question, words};
use crate::job::fit::{
    Datum, Fit, FitData, FitOptions, FitTerm, ROUNDED, ROUNDED_SINGLE, Trial, fit, scanned_trial,
    setup_of, trial, usual_fields,
};
use catena_analysis::fit::Estimate;
use catena_base::text::number::{counted, digits, short};
use catena_scene::recorded::{Placement, Width};
use catena_sim::Setup;
use catena_sim::identity::identity_of;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::HashSet;
use std::sync::Arc;

/// Values with which a program reproduces a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Values {
    /// Description of the method, its options, slips and steps.
    pub phrase: String,
    /// Index of the panel, from 0.
    pub panel_index: usize,
    /// Changes of the scene that give the program, as `PATH=VALUE`.
    pub changes: Vec<String>,
    /// Fields that the fit varies, in the syntax of `--vary`.
    pub vary: Vec<String>,
    /// Frame of the scene at the earliest time in the file. `None` if the file itself determines
    /// it.
    pub first_frame: Option<u64>,
    /// Each field with its value in the scene, and its estimate.
    pub values: Vec<Value>,
    /// Sentences about faults that explain the values.
    pub remarks: Vec<String>,
    /// Root mean square of the residuals.
    pub rms: f64,
    /// Lowest and highest number of substeps with which a fit is equally good. `None` if only one
    /// number is.
    pub substeps: Option<[u64; 2]>,
}

impl Values {
    /// Whether any estimate differs from the value in the scene.
    pub fn is_other(&self) -> bool {
        self.values.iter().any(Value::is_other)
    }
}

/// A field with its value in the scene and its estimate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Value {
    /// Name of the field.
    pub field: String,
    /// Value in the scene, at which the fit starts.
    pub start: f64,
    /// Estimated value.
    pub value: f64,
}

/// Maximum difference between an estimate and the value of the scene, in standard errors, for which
/// both count as equal.
const NOISE: f64 = 5.0;

/// Maximum ratio of an estimate to the value of the scene for which the estimate counts as 0.
const NONE: f64 = 1e-6;

/// Minimum relative difference between two different values.
const OTHER: f64 = 1e-4;

impl Value {
    /// Whether the estimate differs from the value in the scene.
    pub fn is_other(&self) -> bool {
        (self.value - self.start).abs() > OTHER * self.value.abs().max(self.start.abs())
    }

    /// Factor of the time per frame with the same effect as this estimate: accelerations are
    /// proportional to its square, and rates to the factor itself. `None` for other fields.
    fn time_factor(&self) -> Option<f64> {
        let ratio = self.value / self.start;
        let factor = match self.field.rsplit('.').next()? {
            "stiffness" | "gravity" => ratio.sqrt(),
            "drag" => ratio,
            _ => return None,
        };
        (factor.is_finite() && factor > 0.0).then_some(factor)
    }
}

/// Fitted values of a program, or the number of programs that were fitted unsuccessfully.
pub(super) enum FoundValues {
    Values(Values),
    Nothing(usize),
}

/// Minimum number of frames of a short fit.
const FRAMES: usize = 12;
/// Minimum number of positions in the frames of a short fit.
const POINTS: usize = 120;
/// Maximum number of frames of a short fit.
const MAX_FRAMES: usize = 60;
/// Minimum number of frames from which to decide whether a different rest length could explain the
/// file.
const FEW_FRAMES: usize = 6;
/// Minimum number of positions per fitted value for that decision.
const FEW_POINTS: usize = 3;
/// Maximum residual of a fit to few data for a program that may have written the data, as a
/// multiple of the residual that the digits explain.
const POSSIBLE: f64 = 10.0;
/// Number of nearest candidates whose values are fitted.
const NEAREST: usize = 6;
/// Number of methods that are fitted with all common numbers of substeps.
const SCANNED: usize = 6;
/// Number of programs for which uncommon numbers of substeps are fitted.
const REFINED: usize = 3;
/// Maximum number of uncommon numbers of substeps between two common ones.
const MAX_BETWEEN: u64 = 32;
/// Maximum number of substep numbers between two common ones for fits of the whole file.
const MAX_AROUND: u64 = 40;
/// Maximum number of intervals between common numbers of substeps that are searched for the best
/// one.
const MAX_INTERVALS: usize = 3;
/// Maximum difference between the sums of squares of two equally good fits, in variances of a
/// residual.
const AS_GOOD: f64 = 12.0;
/// Number of programs for which more fields are varied.
const WIDENED: usize = 8;
/// Maximum number of fits of the whole file.
const WHOLE: usize = 12;
/// Approximate number of runs in a short fit.
const RUNS: u128 = 60;
/// Maximum estimated work of all short fits, in nanoseconds of one core.
const MAX_WORK: u128 = 2_000_000_000;
/// Maximum estimated work of a whole fit.
const MAX_WORK_OF_WHOLE: u128 = 2_000_000_000;

/// A program whose values are fitted.
#[derive(Clone)]
struct Program {
    panel: usize,
    changes: Vec<String>,
    departure: u32,
    vary: Vec<String>,
    substeps: u64,
    /// Estimated work of a frame, in nanoseconds.
    cost: u128,
}

impl Program {
    /// Changed method in scene syntax. `None` if the program uses the method of the panel.
    fn method(&self) -> Option<&str> {
        let all = self.changes.iter().chain(&self.vary);
        all.filter_map(|it| it.strip_prefix("integrator=")).next()
    }

    /// Describes the program with velocities that has the same positions as force Verlet with a
    /// fitted damping. `None` for other methods and values.
    fn as_velocities(&self, values: &[Value]) -> Option<String> {
        let share = values.iter().find(|it| it.field == "ForceVerlet.damping" && it.is_other())?;
        let of_step = self.method().is_some_and(|it| it.contains("damping_of: Step"));
        Some(words::damped_velocities(&short(share.value), of_step))
    }
}

/// A program with the residual of its short fit, which determines the order of whole fits.
struct Tried {
    rms: f64,
    program: Program,
}

/// A program with its fit to the whole file.
struct FittedProgram {
    fit: Fit,
    program: Program,
}

/// Finds values with which a program reproduces the file.
pub(super) fn find(question: &Question<'_>, verdict: &Verdict<'_>) -> FoundValues {
    let bases = question.bases;
    let nearest = verdict.all.first().map(|(it, _)| it);
    let data = nearest.map_or(&*bases.all[0].data, |it| it.data);
    let offset = nearest.map_or(0, |it| it.offset);
    let search = Search { question, data, offset, begin: beginning(data, offset) };
    let mut known = HashSet::new();
    let mut work = MAX_WORK;
    let mut found = search.whole(&search.with_one_value());
    let own = search.limited(search.of_scene(), &mut known, &mut work);
    let mut all = search.tried(own);
    found = found.or_else(|| search.whole(&all));
    found = found.or_else(|| search.whole(&search.with_other_starts()));
    found = found.or_else(|| search.whole(&search.with_substeps()));
    found = found.or_else(|| search.whole(&search.with_lengths(verdict)));
    if found.is_none() {
        let near = search.limited(search.of_nearest(verdict), &mut known, &mut work);
        all.extend(search.tried(near));
        let scan = search.limited(search.of_substeps(&all), &mut known, &mut work);
        all.extend(search.tried(scan));
        found = search.whole(&all);
    }
    if found.is_none() {
        let between = search.limited(search.of_others(&all), &mut known, &mut work);
        all.extend(search.tried(between));
        found = search.whole(&all);
    }
    let count = all.len();
    if found.is_none() {
        all.sort_by(|a, b| a.rms.total_cmp(&b.rms));
        let wide = all.iter().take(WIDENED).filter_map(|it| search.widened(&it.program)).collect();
        let wide = search.limited(wide, &mut HashSet::new(), &mut work);
        let wide = search.tried(wide);
        found = search.whole(&wide);
    }
    let values = found.and_then(|found| {
        let (best, substeps) = search.with_best_substeps(search.with_frame_time(found));
        Some(Values { substeps, ..search.values(&best)? })
    });
    values.map_or(FoundValues::Nothing(count), FoundValues::Values)
}

/// Sentence about values that were fitted unsuccessfully.
pub(super) fn unsuccessful_fits(count: usize) -> Option<String> {
    (count > 0).then(|| {
        format!(
            "fits of the length of the rope, stiffness, drag, damping, mass and gravity with {} of \
             methods and substeps do not explain the file either: compare the start, the nodes and \
             the forces",
            counted(count as u64, "pair")
        )
    })
}

/// Data of the first frames after the start.
fn beginning(data: &Data, offset: i64) -> Vec<Datum> {
    let (mut all, mut frames) = (Vec::new(), 0);
    for (number, frame) in &data.frames {
        let is_enough = frames >= FRAMES && all.len() >= POINTS;
        if is_enough || frames >= MAX_FRAMES {
            break;
        }
        let Some(of_scene) = number.checked_add_signed(offset) else { continue };
        let datum = |point: &super::data::DataPoint| Datum {
            frame: of_scene,
            node: point.node,
            place: point.place,
        };
        all.extend(frame.points.iter().map(datum));
        frames += usize::from(of_scene > 0);
    }
    all
}

/// Returns the data of the fewest first frames that can determine this number of values.
fn few_of(data: &[Datum], values: usize) -> &[Datum] {
    let (mut frames, mut count) = (0, 0);
    for frame in data.chunk_by(|a, b| a.frame == b.frame) {
        if frames >= FEW_FRAMES && count >= FEW_POINTS * values {
            break;
        }
        frames += usize::from(frame[0].frame > 0);
        count += frame.len();
    }
    &data[..count]
}

struct Search<'a> {
    question: &'a Question<'a>,
    data: &'a Data,
    offset: i64,
    begin: Vec<Datum>,
}

impl Search<'_> {
    /// Returns the programs of the scene's panels.
    fn of_scene(&self) -> Vec<Program> {
        let own = self.question.bases.own.iter();
        own.filter_map(|own| self.program(own.panel, Vec::new(), 0)).collect()
    }

    /// Returns the programs of the scene's panels with all common numbers of substeps.
    fn of_scene_with_substeps(&self) -> Vec<Program> {
        let mut all = Vec::new();
        for own in self.of_scene() {
            for count in &self.question.plan.substeps {
                let changes = [&own.changes[..], &[format!("substeps={count}")]].concat();
                all.extend(self.program(own.panel, changes, own.departure + 2));
            }
        }
        all
    }

    /// Returns the programs of the nearest candidates.
    fn of_nearest(&self, verdict: &Verdict<'_>) -> Vec<Program> {
        let Question { bases, .. } = self.question;
        let nearest = verdict.all.iter().map(|(it, _)| it.candidate);
        let of_candidate =
            |it: &Candidate| (bases.all[it.base].panel, words::changes(it, bases), it.departure);
        let is_single = Candidate::is_single;
        let is_other =
            |it: &&Candidate| it.own.is_none() && !bases.all[it.base].from_data && !is_single(it);
        let nearest = nearest.filter(is_other).take(NEAREST).map(of_candidate);
        let program = |(panel, changes, departure)| self.program(panel, changes, departure);
        nearest.filter_map(program).collect()
    }

    /// Returns the best programs with all common numbers of substeps.
    fn of_substeps(&self, tried: &[Tried]) -> Vec<Program> {
        let mut near: Vec<&Tried> = tried.iter().collect();
        let is_other = |it: &Tried| it.program.departure > 0;
        near.sort_by(|a, b| is_other(a).cmp(&is_other(b)).then(a.rms.total_cmp(&b.rms)));
        let (mut known, mut all) = (HashSet::new(), Vec::new());
        for it in near {
            let mut changes = it.program.changes.clone();
            changes.retain(|change| !change.starts_with("substeps="));
            let method = self.question.bases.scene.value_of(it.program.panel, 0, "integrator");
            let is_new = known.insert((method, changes.clone()));
            if !is_new || known.len() > SCANNED {
                continue;
            }
            for count in &self.question.plan.substeps {
                let changes = [&changes[..], &[format!("substeps={count}")]].concat();
                all.extend(self.program(it.program.panel, changes, it.program.departure + 2));
            }
        }
        all
    }

    /// Returns the nearest programs with the numbers of substeps between the common ones around
    /// theirs.
    fn of_others(&self, tried: &[Tried]) -> Vec<Program> {
        let plan = self.question.plan;
        let mut near: Vec<&Tried> = tried.iter().filter(|_| !plan.are_substeps_given).collect();
        near.sort_by(|a, b| a.rms.total_cmp(&b.rms));
        let mut all = Vec::new();
        for Tried { program, .. } in near.into_iter().take(REFINED) {
            let below = plan.substeps.iter().rev().find(|it| **it < program.substeps);
            let above = plan.substeps.iter().find(|it| **it > program.substeps);
            let (low, high) = (below.map_or(1, |it| it + 1), above.copied().unwrap_or_default());
            let step = high.saturating_sub(low).div_ceil(MAX_BETWEEN).max(1);
            let mut changes = program.changes.clone();
            changes.retain(|change| !change.starts_with("substeps="));
            for count in (low..high).filter(|it| it.is_multiple_of(step)) {
                let changes = [&changes[..], &[format!("substeps={count}")]].concat();
                all.extend(self.program(program.panel, changes, program.departure + 1));
            }
        }
        all
    }

    /// Returns the program of a panel with changes. `None` if it cannot be fitted.
    fn program(&self, panel: usize, changes: Vec<String>, departure: u32) -> Option<Program> {
        let scene = &self.question.bases.scene;
        // A fit uses the first body of a panel.
        if scene.panels.get(panel)?.bodies.len() != 1 {
            return None;
        }
        let vary = Vec::new();
        let program = Program { panel, changes, departure, vary, substeps: 0, cost: 0 };
        let vary = usual_fields(scene, panel, program.method());
        (!vary.is_empty()).then(|| without_varied(Program { vary, ..program }))
    }

    /// Fits programs with another rest length of the rope to the first frames: the programs of the
    /// scene and the nearest ones. The rest length is first fitted alone, and then together with
    /// the other values. A scan finds its start values, since the sum of squares has many minima.
    fn with_lengths(&self, verdict: &Verdict<'_>) -> Vec<Tried> {
        let (mut known, mut work) = (HashSet::new(), MAX_WORK);
        let mut programs = self.of_scene();
        programs.extend(self.of_nearest(verdict));
        programs.extend(self.of_scene_with_substeps());
        let programs = self.limited(programs, &mut known, &mut work);
        let found = programs.into_par_iter().filter_map(|program| self.with_length(&program));
        let found: Vec<Vec<Tried>> = found.collect();
        found.into_iter().flatten().collect()
    }

    /// Fits the rest length of a program's rope to the first frames, alone and together with the
    /// other values. A program that does not explain the first few data is omitted, since it cannot
    /// explain more. `None` if the body is not a rope.
    fn with_length(&self, program: &Program) -> Option<Vec<Tried>> {
        let usual = &program.vary;
        let with = |length: String, others: &[String], departure: u32| {
            let vary = [&[format!("rope.length={length}")], others].concat();
            without_varied(Program { vary, departure, ..program.clone() })
        };
        let alone = with(format!("{:?}", self.length_of(program)?), &[], program.departure);
        let few = few_of(&self.begin, 1 + usual.len());
        let first = self.scanned(&alone, few)?;
        let (mut tried, mut length) = (Vec::new(), first.values.first().copied()?);
        if self.may_explain(&first, few) {
            let found = if few.len() == self.begin.len() {
                Some(first)
            } else {
                self.scanned(&alone, &self.begin)
            };
            if let Some(found) = found {
                length = found.values.first().copied()?;
                let alone = with(digits(length, 6), &[], alone.departure);
                tried.push(Tried { rms: found.rms, program: alone });
            }
        }
        let all = with(digits(length, 6), usual, alone.departure + 4);
        let is_whole = few.len() == self.begin.len();
        if is_whole || self.trial(&all, few).is_some_and(|it| self.may_explain(&it, few)) {
            let found = self.trial(&all, &self.begin);
            tried.extend(found.map(|it| Tried { rms: it.rms, program: all }));
        }
        Some(tried)
    }

    /// Whether the same values may explain all data of the first frames, given a fit to `few` of
    /// them. The sum of squares of all data is at least the sum of squares of `few`.
    fn may_explain(&self, found: &Trial, few: &[Datum]) -> bool {
        let share = self.begin.len() as f64 / few.len().max(1) as f64;
        found.rms <= POSSIBLE * share.sqrt() * self.explained()
    }

    /// Fits a program to data, from its start values.
    fn trial(&self, program: &Program, data: &[Datum]) -> Option<Trial> {
        let (options, settings) = self.options(program)?;
        let scene = &self.question.bases.scene;
        trial(scene, &options, &settings, data, self.explained())
    }

    /// Fits a program to data, from its start values and from the best starts of a scan.
    fn scanned(&self, program: &Program, data: &[Datum]) -> Option<Trial> {
        let (options, settings) = self.options(program)?;
        let scene = &self.question.bases.scene;
        scanned_trial(scene, &options, &settings, data, self.explained())
    }

    /// Returns the setup of a program with the values of the scene.
    fn setup_of(&self, program: &Program) -> Option<Arc<Setup>> {
        let (options, settings) = self.options(program)?;
        setup_of(&self.question.bases.scene, &options, &settings)
    }

    /// Returns the sum of the rest lengths of a program's rope. `None` if its body is not a rope.
    fn length_of(&self, program: &Program) -> Option<f64> {
        self.question.bases.scene.value_of(program.panel, 0, "rope")?;
        let setup = self.setup_of(program)?;
        let length: f64 = setup.model.held().iter().map(|it| it.rest_length).sum();
        (length > 0.0).then_some(length)
    }

    /// Returns a program that also varies the damping of springs. `None` if that is not possible.
    fn widened(&self, program: &Program) -> Option<Program> {
        let stiffness = program.vary.iter().find(|it| it.ends_with(".stiffness"))?;
        let damping = stiffness.replace(".stiffness", ".damping");
        if program.vary.iter().any(|it| it.starts_with(&damping)) {
            return None;
        }
        let mut other = program.clone();
        // A damping of 0 has no scale for the first step of the search.
        other.vary.insert(1, format!("{damping}=0.01"));
        Some(without_varied(other))
    }

    /// Returns the programs with new setups, as far as the work limit allows.
    fn limited(
        &self,
        programs: Vec<Program>,
        known: &mut HashSet<(Vec<u8>, Vec<String>)>,
        work: &mut u128,
    ) -> Vec<Program> {
        let frames = self.begin.last().map_or(0, |datum| datum.frame);
        let mut all = Vec::new();
        for mut program in programs {
            let Some((options, settings)) = self.options(&program) else { continue };
            let scene = &self.question.bases.scene;
            let Some(setup) = setup_of(scene, &options, &settings) else { continue };
            if !known.insert((identity_of(&*setup), program.vary.clone())) {
                continue;
            }
            (program.cost, program.substeps) = (setup.frame_cost(), setup.substeps);
            let own = RUNS * u128::from(frames) * program.cost;
            if own <= *work {
                *work -= own;
                all.push(program);
            }
        }
        all
    }

    fn options(&self, program: &Program) -> Option<(FitOptions, Vec<(String, String)>)> {
        let vary: Vec<FitTerm> =
            program.vary.iter().map(|it| it.parse().ok()).collect::<Option<_>>()?;
        let limits = self.question.options.limits.clone();
        let panel = program.panel;
        let options = FitOptions { vary, panel, is_local: true, limits, ..FitOptions::default() };
        let settings = program.changes.iter().map(|it| pair(it)).collect::<Option<_>>()?;
        Some((options, settings))
    }

    /// Fits the programs to the first frames.
    fn tried(&self, programs: Vec<Program>) -> Vec<Tried> {
        let one = |program: Program| {
            let found = self.trial(&program, &self.begin)?;
            Some(Tried { rms: found.rms, program })
        };
        programs.into_par_iter().filter_map(one).collect()
    }

    /// Fits the programs that explain the first frames to the whole file. Returns the first fit, in
    /// order of increasing departure, that explains it.
    fn whole(&self, tried: &[Tried]) -> Option<FittedProgram> {
        let maximum = self.explained();
        let mut near: Vec<&Tried> = tried.iter().filter(|it| it.rms <= maximum).collect();
        let key = |it: &Tried| it.program.departure + it.program.vary.len() as u32;
        near.sort_by(|a, b| key(a).cmp(&key(b)).then(a.rms.total_cmp(&b.rms)));
        let near: Vec<Program> = near.iter().take(WHOLE).map(|it| it.program.clone()).collect();
        self.fits(near).into_iter().next()
    }

    /// Fits programs to the whole file. Returns the fits that explain the file, in the same order.
    fn fits(&self, mut programs: Vec<Program>) -> Vec<FittedProgram> {
        let cost = |it: &Program| RUNS * it.cost * u128::from(self.data.last());
        programs.retain(|it| cost(it) <= MAX_WORK_OF_WHOLE);
        let fitted = |program: Program| Some(FittedProgram { fit: self.fit(&program)?, program });
        let found: Vec<Option<FittedProgram>> = programs.into_par_iter().map(fitted).collect();
        let (maximum, rounding) = (self.explained(), self.rounding());
        // Residuals beyond the digits must be explained by the growth of rounding in the fitted
        // run.
        let explains = |it: &Fit| {
            let quality = &it.quality;
            let is_float = self.data.precision.width == Width::Single;
            let is_grown = is_float || quality.rms <= rounding || quality.beyond_digits.is_none();
            it.is_usable() && quality.rms <= maximum && is_grown
        };
        found.into_iter().flatten().filter(|it| explains(&it.fit)).collect()
    }

    /// Tries the numbers of substeps around the number of a program whose values explain the file,
    /// since other values can compensate for a wrong number. Returns the best fit, and the range of
    /// numbers whose fits are equally good.
    fn with_best_substeps(&self, found: FittedProgram) -> (FittedProgram, Option<[u64; 2]>) {
        if self.question.plan.are_substeps_given {
            return (found, None);
        }
        let mut all = vec![found];
        let (mut low, mut high) = (u64::MAX, 0);
        for _ in 0..MAX_INTERVALS {
            let best = all.iter().min_by(|a, b| a.fit.quality.rms.total_cmp(&b.fit.quality.rms));
            let Some(FittedProgram { program: best, .. }) = best else { break };
            if (low..=high).contains(&best.substeps)
                && best.substeps != low
                && best.substeps != high
            {
                break;
            }
            let others = self.around(&best.clone());
            let numbers = others.iter().map(|it| it.substeps);
            let (first, last) = (numbers.clone().min(), numbers.max());
            (low, high) = (low.min(first.unwrap_or(low)), high.max(last.unwrap_or(high)));
            let is_new =
                |it: &Program| all.iter().all(|known| known.program.substeps != it.substeps);
            let others = others.into_iter().filter(is_new).collect();
            let found = self.fits(others);
            if found.is_empty() {
                break;
            }
            all.extend(found);
        }
        let minimum = all.iter().map(|it| it.fit.quality.rms).fold(f64::INFINITY, f64::min);
        let is_as_good = |it: &FittedProgram| {
            let ratio = it.fit.quality.rms / minimum;
            it.fit.fitted.freedom as f64 * (ratio * ratio - 1.0) <= AS_GOOD
        };
        // The first number is a common one or the scene's own, and therefore more probable than its
        // neighbours.
        let best = all.iter().position(is_as_good).unwrap_or(0);
        let good = all.iter().filter(|it| is_as_good(it)).map(|it| it.program.substeps);
        let range = good.clone().min().zip(good.max()).filter(|(low, high)| low != high);
        (all.swap_remove(best), range.map(|(low, high)| [low, high]))
    }

    /// Returns the program with the numbers of substeps from the next lower common number to the
    /// next higher one, both included.
    fn around(&self, program: &Program) -> Vec<Program> {
        let common = &self.question.plan.substeps;
        let below = common.iter().rev().find(|it| **it < program.substeps);
        let above = common.iter().find(|it| **it > program.substeps);
        let low = below.copied().unwrap_or(1);
        let high = above.copied().unwrap_or(program.substeps.saturating_mul(2));
        let step = high.saturating_sub(low).div_ceil(MAX_AROUND).max(1);
        let own = program.substeps;
        let is_tried = |it: &u64| it.is_multiple_of(step) || it.abs_diff(own) <= 2 || *it == low;
        let mut changes = program.changes.clone();
        changes.retain(|change| !change.starts_with("substeps="));
        let with = |count: u64| {
            let changes = [&changes[..], &[format!("substeps={count}")]].concat();
            let vary = program.vary.clone();
            let cost = program.cost * u128::from(count) / u128::from(own.max(1));
            Program { changes, vary, substeps: count, cost, ..program.clone() }
        };
        (low..=high).filter(is_tried).map(with).collect()
    }

    /// Replaces a fit by a fit of `frame_time` alone if that explains the file too. Another time
    /// per frame changes stiffness, drag and gravity at once, and frame numbers do not show the
    /// time.
    fn with_frame_time(&self, found: FittedProgram) -> FittedProgram {
        let alone = || {
            let values = self.values(&found)?.values;
            let others: Vec<&Value> = values.iter().filter(|it| it.is_other()).collect();
            if others.len() < 2 || !self.data.counts_frames {
                return None;
            }
            let factor = others.into_iter().find_map(Value::time_factor)?;
            let frame_time = factor * self.setup_of(&found.program)?.frame_time;
            let vary = vec![format!("frame_time={}", digits(frame_time, 6))];
            let other = without_varied(Program { vary, ..found.program.clone() });
            self.fits(vec![other]).pop()
        };
        alone().unwrap_or(found)
    }

    /// Maximum root mean square of residuals that the digits of the file and the rounding of
    /// numbers explain. A program has no other noise, so larger residuals show a wrong program.
    fn explained(&self) -> f64 {
        let size = self.data.frames.values().map(|frame| frame.size).fold(0.0, f64::max);
        let share = match self.data.precision.width {
            Width::Single => ROUNDED_SINGLE,
            Width::Double | Width::Unknown => ROUNDED,
        };
        self.rounding().max(share * size)
    }

    /// Largest rounding of a position in the file.
    fn rounding(&self) -> f64 {
        let points = self.data.frames.values().flat_map(|frame| &frame.points);
        points.map(|point| point.rounding).fold(0.0, f64::max)
    }

    /// Fits a program to the file like the proposed command does.
    fn fit(&self, program: &Program) -> Option<Fit> {
        let Question { bases, options, bytes, .. } = self.question;
        let (fit_options, _) = self.options(program)?;
        let scene = changed(&bases.scene, &program.changes, options)?;
        let placement = self.placement(options, program.panel);
        let columns = options.columns.as_deref();
        let data = FitData { name: &options.name, bytes, columns, placement };
        fit(&scene, Some(data), &fit_options, &()).ok()
    }

    fn placement(&self, options: &IdentifyOptions, panel: usize) -> Placement {
        Placement {
            node: options.node,
            first_node: options.first_node,
            node_order: options.node_order,
            first_frame: options.first_frame.or(self.first_frame()),
            y: options.y,
            own: [panel as u64, 0],
            panel: options.file_panel,
            body: options.file_body,
            scale: options.scale,
            translate: options.translate,
        }
    }

    /// Frame of the scene at the earliest time in the file. `None` if the file itself determines
    /// it.
    fn first_frame(&self) -> Option<u64> {
        let first = *self.data.frames.keys().next()?;
        first.checked_add_signed(self.offset).filter(|_| self.offset != 0)
    }

    fn values(&self, found: &FittedProgram) -> Option<Values> {
        let FittedProgram { fit, program } = found;
        let scene = &self.question.bases.scene;
        let (options, mut settings) = self.options(program)?;
        let numbers: Vec<f64> = fit.fitted.estimates.iter().map(|it| it.value).collect();
        let all = FitTerm::divide(&options.vary, &numbers).into_iter();
        let fitted: Vec<String> = all.map(|(term, own)| term.setting(own)).collect();
        settings.extend(fitted.iter().filter_map(|it| pair(it)));
        let setup = setup_of(scene, &options, &settings)?;
        let mut parts = vec![setup.method.info().title.to_owned()];
        parts.extend(setup.slips.iter().map(|slip| slip.info().title.to_owned()));
        parts.push(counted(setup.substeps, "substep"));
        // A field without a value in the scene has only the start value of the fit.
        let start = |it: &Estimate| self.in_scene(program, &it.name).unwrap_or(it.start);
        let value = |it: &Estimate| {
            let (start, field) = (start(it), it.name.clone());
            let is_none = it.value.abs() <= NONE * start.abs();
            let is_noise = it.error.is_some_and(|error| (it.value - start).abs() <= NOISE * error);
            let value = if is_none { 0.0 } else { it.value };
            Value { field, start, value: if is_noise { start } else { value } }
        };
        let values: Vec<Value> = fit.fitted.estimates.iter().map(value).collect();
        // The proposed search begins at the estimates, from which it cannot reach another minimum.
        // A value that vanishes has no scale for a search, so it is set.
        let mut changes = program.changes.clone();
        let terms = FitTerm::divide(&options.vary, &values).into_iter().zip(&program.vary);
        let mut begun = |((term, own), written): ((&FitTerm, &[Value]), &String)| {
            if own.iter().any(|it| it.value == 0.0 && it.field == term.path && it.is_other()) {
                changes.push(format!("{}=0", term.path));
                return None;
            }
            let starts: Vec<String> = own.iter().map(|it| digits(it.value, 6)).collect();
            Some(if written.contains('=') || own.iter().any(Value::is_other) {
                term.with_starts(&starts)
            } else {
                written.clone()
            })
        };
        let vary = terms.filter_map(&mut begun).collect();
        let mut remarks: Vec<String> =
            values.iter().filter_map(|it| per_step(it, &setup)).collect();
        remarks.extend(program.as_velocities(&values));
        Some(Values {
            phrase: parts.join(", "),
            panel_index: program.panel,
            changes,
            vary,
            remarks,
            first_frame: self.first_frame().filter(|_| self.question.options.first_frame.is_none()),
            values,
            rms: fit.quality.rms,
            substeps: None,
        })
    }

    /// Returns the value of a varied field in the scene. `None` if the scene has none.
    fn in_scene(&self, program: &Program, name: &str) -> Option<f64> {
        let scene = &self.question.bases.scene;
        let unvaried = || Program { vary: Vec::new(), ..program.clone() };
        if let Some(written) = scene.value_of(program.panel, 0, name)
            && let Ok(number) = written.parse()
        {
            return Some(number);
        }
        match name {
            "rope.length" => self.length_of(&unvaried()),
            "frame_time" => Some(self.setup_of(&unvaried())?.frame_time),
            "gravity" => {
                let usual = usual_fields(scene, program.panel, None);
                let term = usual.iter().find(|it| it.starts_with("gravity="))?;
                term.parse::<FitTerm>().ok()?.starts().first().copied()?
            }
            name if name.ends_with("Verlet.damping") => {
                Some(damping_of(&scene.value_of(program.panel, 0, "integrator")?))
            }
            _ => None,
        }
    }
}

/// Damping of a Verlet method in scene syntax; 0 if it has none.
fn damping_of(method: &str) -> f64 {
    let value = method.split_once("damping:").map(|(_, rest)| rest);
    let value = value.and_then(|rest| rest.split([',', ')']).next());
    value.and_then(|it| it.trim().parse().ok()).unwrap_or(0.0)
}

/// Sentence about gravity that is larger by the factor 1/dt. `None` for other values.
fn per_step(value: &Value, setup: &Setup) -> Option<String> {
    let steps = 1.0 / setup.dt();
    let is_per_step =
        value.field == "gravity" && (value.value / value.start / steps - 1.0).abs() < OTHER;
    is_per_step.then(|| {
        format!(
            "gravity is {} = 1/dt times as large: a program that multiplies it by dt in place of \
             dt² does that",
            digits(steps, 6)
        )
    })
}

/// Path and value of a change.
fn pair(change: &str) -> Option<(String, String)> {
    let (path, value) = change.split_once('=')?;
    Some((path.to_owned(), value.to_owned()))
}

/// Removes changes to fields that are varied.
fn without_varied(mut program: Program) -> Program {
    let name = |text: &str| text.split_once('=').map_or(text, |(name, _)| name).to_owned();
    let varied: HashSet<String> = program.vary.iter().map(|field| name(field)).collect();
    program.changes.retain(|change| !varied.contains(&name(change)));
    program
}
