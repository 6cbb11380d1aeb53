//! Candidates: every method, variant and slip of the tables, with every number of substeps.

use super::super::rounding::{SINGLE_SLIP, with_single};
use super::IdentifyOptions;
use super::base::{Base, Bases, Own};
use super::named::{Variant, methods, slips};
use catena_sim::method::METHODS;
use catena_sim::named::OptionInfo;
use catena_sim::slip::Slip;
use catena_sim::{Method, Setup};
use serde::Serialize;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// Number of candidates that remain after the first frame even if they are far from the data. In
/// later rounds, it is divided by the number of frames.
pub(crate) const MIN: usize = 96;

/// Maximum number of candidates that remain after the first frame. In later rounds, it is divided
/// by the number of frames, so that the rounds take about equal work.
pub(crate) const MAX: usize = 2048;

/// Numbers of substeps that homework programs use, in addition to the scene's own numbers.
pub(super) const SUBSTEPS: [u64; 20] =
    [1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 60, 64, 100, 128, 200, 256, 500, 512, 1000, 1024];

/// Maximum number of uncommon numbers of substeps between two common ones.
const MAX_BETWEEN: u64 = 64;

/// A program that may have written the file.
#[derive(Clone)]
pub(super) struct Candidate {
    pub(super) base: usize,
    /// Method and its options. `None` for an unchanged body of the scene.
    pub(super) method: Option<Variant<dyn Method>>,
    pub(super) slips: Vec<Variant<dyn Slip>>,
    /// Index in [`Bases::own`] of an unchanged body of the scene.
    pub(super) own: Option<usize>,
    pub(super) setup: Arc<Setup>,
    /// Departure from the scene and from defaults. Among equally good candidates, the one with the
    /// lowest departure is the best explanation.
    pub(super) departure: u32,
}

/// Counts of what was tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tried {
    /// Number of candidates.
    pub candidates: usize,
    /// Number of methods.
    pub methods: usize,
    /// Number of methods with options, including the default options.
    pub variants: usize,
    /// Number of slips with options.
    pub slips: usize,
    /// Number of different numbers of substeps.
    pub substeps: usize,
}

/// Maximum estimated work until the first frame of all candidates, in nanoseconds of one core. If
/// it is exceeded, the largest common numbers of substeps are omitted.
const MAX_WORK: u64 = 6_000_000_000;

/// Maximum number of steps times nodes until the first frame of all candidates. A search that needs
/// more is an error.
const MAX_WORK_AT_ALL: u64 = 100_000_000_000;

/// Maximum memory of simultaneous candidates in bytes. If it is exceeded, only the scene's own
/// numbers of substeps are tried.
const MAX_BYTES: u64 = 1 << 30;

/// Maximum memory of simultaneous candidates in bytes. A search that needs more is an error.
const MAX_BYTES_AT_ALL: u64 = 8 << 30;

/// Memory of a candidate per node in bytes, including slips.
const NODE_BYTES: u64 = 250;

impl Candidate {
    /// Creates a candidate. Returns `None` if the setup cannot have this method or these slips.
    pub(super) fn new(
        bases: &Bases,
        base: usize,
        method: &Variant<dyn Method>,
        slips: &[&Variant<dyn Slip>],
        substeps: u64,
    ) -> Option<Self> {
        let base_setup = &bases.all[base].setup;
        let setup = Setup {
            method: Arc::clone(&method.thing),
            strain_limit: f64::INFINITY,
            ..Setup::clone(base_setup).with_steps(base_setup.frame_time, substeps)
        };
        // With a slip, a method that chooses its steps may never end, and no homework combines
        // both.
        if !slips.is_empty() && method.thing.chooses_steps() {
            return None;
        }
        let setup = match slips {
            [] => setup.check().is_ok().then_some(setup),
            _ => setup.with_slips(slips.iter().map(|slip| Arc::clone(&slip.thing)).collect()).ok(),
        }?;
        let setup = bounded(setup, bases.all[base].data.last());
        let slips: Vec<Variant<dyn Slip>> = slips.iter().map(|slip| (*slip).clone()).collect();
        let departure = departure(bases, &bases.all[base], method, &slips, substeps);
        let (method, setup) = (Some(method.clone()), Arc::new(setup));
        Some(Self { base, method, slips, own: None, setup, departure })
    }

    fn of_scene(index: usize, own: &Own) -> Self {
        let setup = Setup { strain_limit: f64::INFINITY, ..(*own.setup).clone() };
        let slips = Vec::new();
        let (base, setup) = (own.base, Arc::new(setup));
        Self { base, method: None, slips, own: Some(index), setup, departure: 0 }
    }

    /// Whether the program rounds to single precision.
    pub(super) fn is_single(&self) -> bool {
        self.slips.iter().any(|slip| slip.name == SINGLE_SLIP)
    }

    /// Identity of the program apart from its number of substeps. `None` for an unchanged body.
    pub(super) fn program(&self) -> Option<(usize, String, Vec<String>)> {
        let method = self.method.as_ref()?.written();
        Some((self.base, method, self.slips.iter().map(Variant::written).collect()))
    }

    /// Returns the candidate with another number of substeps. `None` for an unchanged body.
    pub(super) fn with_substeps(&self, bases: &Bases, substeps: u64) -> Option<Self> {
        let slips: Vec<&Variant<dyn Slip>> = self.slips.iter().collect();
        Self::new(bases, self.base, self.method.as_ref()?, &slips, substeps)
    }

    /// Returns the candidate with another number of iterations. `None` for an unchanged body, and
    /// for a method that does not iterate.
    pub(super) fn with_iterations(&self, bases: &Bases, count: u32) -> Option<Self> {
        let method = self.method.as_ref()?.with_iterations(count)?;
        let slips: Vec<&Variant<dyn Slip>> = self.slips.iter().collect();
        Self::new(bases, self.base, &method, &slips, self.setup.substeps)
    }

    /// Returns the candidate with another time per frame. `None` if the setup does not allow it.
    pub(super) fn with_frame_time(&self, frame_time: f64) -> Option<Self> {
        let setup = (*self.setup).clone().with_steps(frame_time, self.setup.substeps);
        setup.check().is_ok().then(|| Self { setup: Arc::new(setup), ..self.clone() })
    }

    /// Returns the setup of the candidate with 24 bits, or with 53 if the candidate has 24. `None`
    /// if no such setup exists.
    pub(super) fn in_other_width(
        &self,
        bases: &Bases,
        slips: &[Variant<dyn Slip>],
    ) -> Option<Arc<Setup>> {
        let Some(method) = &self.method else { return with_single(&self.setup) };
        if self.is_single() {
            let others: Vec<&Variant<dyn Slip>> =
                self.slips.iter().filter(|slip| slip.name != SINGLE_SLIP).collect();
            let found = Self::new(bases, self.base, method, &others, self.setup.substeps)?;
            return Some(self.in_same_time(found.setup));
        }
        let single = slips.iter().find(|slip| slip.name == SINGLE_SLIP)?;
        Some(self.in_same_time(self.with_slip(bases, single)?.setup))
    }

    /// Returns a setup with the time per frame of this candidate.
    fn in_same_time(&self, setup: Arc<Setup>) -> Arc<Setup> {
        let Setup { frame_time, substeps, .. } = *self.setup;
        match setup.frame_time.to_bits() == frame_time.to_bits() {
            true => setup,
            false => Arc::new((*setup).clone().with_steps(frame_time, substeps)),
        }
    }

    /// Returns the candidate with one more slip. `None` if the slip is not possible here.
    pub(super) fn with_slip(&self, bases: &Bases, slip: &Variant<dyn Slip>) -> Option<Self> {
        let method = self.method.as_ref()?;
        let is_there = self.slips.iter().any(|own| own.name == slip.name);
        if is_there {
            return None;
        }
        let mut all: Vec<&Variant<dyn Slip>> = self.slips.iter().collect();
        all.push(slip);
        let substeps = self.setup.substeps;
        // Slips that wrap any method have to come last. The order of other slips does not matter.
        let found = Self::new(bases, self.base, method, &all, substeps);
        found.or_else(|| {
            all.reverse();
            Self::new(bases, self.base, method, &all, substeps)
        })
    }
}

/// Limits the work of a run. If a motion explodes, adaptive steps and iterations would never end.
fn bounded(mut setup: Setup, frames: u64) -> Setup {
    let steps = setup.substeps.saturating_mul(20).saturating_add(400);
    let work = setup.step_cost().saturating_mul(steps).saturating_mul(frames + 2);
    setup.budget.work = setup.budget.work.min(work);
    setup
}

/// Most frequent methods of homework programs. They are preferred among methods that a file of few
/// digits does not distinguish.
const COMMON: [&str; 9] = [
    "ExplicitEuler",
    "SemiImplicitEuler",
    "ImplicitEuler",
    "ForceVerlet",
    "ConstraintVerlet",
    "VelocityVerlet",
    "Midpoint",
    "Heun",
    "Rk4",
];

/// Returns the departure of a candidate from the scene.
fn departure(
    bases: &Bases,
    base: &Base,
    method: &Variant<dyn Method>,
    slips: &[Variant<dyn Slip>],
    substeps: u64,
) -> u32 {
    let of_option = |(info, value): &(&'static OptionInfo, String)| match bases.gives(info, value) {
        true => 1,
        false => 4,
    };
    let of_options: u32 = method.options.iter().map(of_option).sum();
    let of_slips: u32 = slips.iter().map(|slip| 8 + 4 * slip.options.len() as u32).sum();
    let is_common = COMMON.contains(&method.name);
    let of_method = if bases.methods.contains(method.name) { 1 } else { 4 - u32::from(is_common) };
    let of_steps = if bases.substeps.contains(&substeps) { 0 } else { 2 };
    let of_base = 6 * base.changes.len() as u32 + u32::from(base.from_data);
    1 + of_options + of_slips + of_method + of_steps + of_base
}

/// Returns the numbers of substeps to try. `step` is the work in nanoseconds until the first frame
/// of all candidates with one substep, and `bytes` their memory.
fn substeps(bases: &Bases, options: &IdentifyOptions, step: u64, bytes: u64) -> BTreeSet<u64> {
    let given: BTreeSet<u64> = bases.substeps.iter().chain(&options.substeps).copied().collect();
    if options.only_given_substeps || bytes > MAX_BYTES {
        return given;
    }
    let mut all: BTreeSet<u64> = given.iter().copied().chain(SUBSTEPS).collect();
    let sum = |all: &BTreeSet<u64>| all.iter().copied().fold(0, u64::saturating_add);
    while sum(&all).saturating_mul(step) > MAX_WORK {
        let Some(maximum) = all.iter().rev().find(|it| !given.contains(it)).copied() else { break };
        all.remove(&maximum);
    }
    all
}

/// Number of steps times nodes until the first frame of all candidates.
fn work(bases: &Bases, substeps: &BTreeSet<u64>, methods: u64) -> u64 {
    let each = methods.saturating_mul(substeps.iter().copied().fold(0, u64::saturating_add));
    let of_base = |base: &Base| {
        let nodes = base.setup.model.nodes() as u64;
        base.data.first_moving().saturating_mul(nodes).saturating_mul(each)
    };
    bases.all.iter().map(of_base).fold(0, u64::saturating_add)
}

/// Estimated work of all candidates with one substep until the first frame of the file, in
/// nanoseconds.
fn step_work(bases: &Bases, methods: &[Variant<dyn Method>], slips: &[Variant<dyn Slip>]) -> u64 {
    let mut all: u64 = 0;
    for (index, base) in bases.all.iter().enumerate() {
        let costs = methods.iter().filter_map(|method| {
            let cost = Candidate::new(bases, index, method, &[], 1)?.setup.step_cost();
            let with = if bases.gives_all(method) { 1 + slips.len() as u64 } else { 1 };
            Some(cost.saturating_mul(with))
        });
        let each = costs.fold(0, u64::saturating_add);
        all = all.saturating_add(each.saturating_mul(base.data.first_moving()));
    }
    all
}

/// A method with slips on a body, for any number of substeps.
pub(super) struct Recipe<'a> {
    pub(super) base: usize,
    pub(super) method: &'a Variant<dyn Method>,
    pub(super) slip: Option<&'a Variant<dyn Slip>>,
}

impl Recipe<'_> {
    /// Returns the candidate with this number of substeps, if the setup is possible.
    pub(super) fn candidate(&self, bases: &Bases, substeps: u64) -> Option<Candidate> {
        Candidate::new(bases, self.base, self.method, self.slip.as_slice(), substeps)
    }
}

/// Methods, slips and numbers of substeps to try.
pub(super) struct Plan {
    pub(super) methods: Vec<Variant<dyn Method>>,
    pub(super) slips: Vec<Variant<dyn Slip>>,
    /// Numbers of substeps in ascending order.
    pub(super) substeps: Vec<u64>,
    /// Whether only the numbers of substeps that the user gives may be tried.
    pub(super) are_substeps_given: bool,
    /// Number of common numbers of substeps that are omitted because they take too long.
    pub(super) left_out: usize,
    /// Unchanged bodies of the scene.
    pub(super) own: Vec<Candidate>,
}

impl Plan {
    pub(super) fn new(bases: &Bases, options: &IdentifyOptions) -> Result<Self, String> {
        let (methods, slips) = (methods(&bases.given), slips());
        // Each method runs with each slip, and after each number of substeps only the best remain.
        let recipes = (methods.len() + METHODS.len() * slips.len()) as u64;
        let nodes: u64 = bases.all.iter().map(|base| base.setup.model.nodes() as u64).sum();
        let maximum = bases.all.iter().map(|base| base.setup.model.nodes() as u64).max();
        let bytes = nodes
            .saturating_mul(recipes)
            .saturating_add(maximum.unwrap_or(0).saturating_mul((MAX + MIN) as u64))
            .saturating_mul(NODE_BYTES);
        if bytes > MAX_BYTES_AT_ALL {
            return Err(format!(
                "{nodes} nodes are too many for {recipes} candidates at a time; compare fewer \
                 nodes, or name one --panel"
            ));
        }
        let substeps = substeps(bases, options, step_work(bases, &methods, &slips), bytes);
        if work(bases, &substeps, methods.len() as u64) > MAX_WORK_AT_ALL {
            let first = bases.all.iter().map(|base| base.data.first_moving()).max();
            return Err(format!(
                "all candidates must run to frame {}, the first of the file, which takes too long; \
                 number the frames of the file from 0 or 1, or say --first-frame 0",
                first.unwrap_or_default()
            ));
        }
        let substeps: Vec<u64> = substeps.into_iter().collect();
        let own = bases.own.iter().enumerate();
        let own = own.map(|(index, own)| Candidate::of_scene(index, own)).collect();
        let are_substeps_given = options.only_given_substeps || bytes > MAX_BYTES;
        let left_out = SUBSTEPS.iter().filter(|it| !substeps.contains(it)).count();
        let left_out = if options.only_given_substeps { 0 } else { left_out };
        Ok(Self { methods, slips, substeps, are_substeps_given, left_out, own })
    }

    /// Returns each method on each body, alone and with each slip that fits it.
    pub(super) fn recipes(&self, bases: &Bases) -> Vec<Recipe<'_>> {
        let mut all = Vec::new();
        for base in 0..bases.all.len() {
            for method in &self.methods {
                all.push(Recipe { base, method, slip: None });
                // Combinations of two faults are tried in a second round.
                if bases.gives_all(method) {
                    let slips = self.slips.iter();
                    all.extend(slips.map(|slip| Recipe { base, method, slip: Some(slip) }));
                }
            }
        }
        let fits = |recipe: &Recipe<'_>| recipe.candidate(bases, 1).is_some();
        all.into_iter().filter(fits).collect()
    }

    /// Returns the methods of the panels with uncommon numbers of substeps: all up to `maximum`,
    /// and above it some between two common ones.
    pub(super) fn of_panels(&self, bases: &Bases, maximum: u64) -> Vec<Candidate> {
        let is_there = |method: &&Variant<dyn Method>| {
            bases.methods.contains(method.name) && bases.gives_all(method)
        };
        let last = self.substeps.last().copied().unwrap_or(1);
        let is_tried = |count: &u64| *count <= maximum || count.is_multiple_of(self.gap(*count).1);
        let mut numbers: Vec<u64> = (1..=maximum.max(last)).filter(is_tried).collect();
        numbers.retain(|count| !self.substeps.contains(count));
        let mut all = Vec::new();
        for base in 0..bases.all.len() {
            for method in self.methods.iter().filter(is_there) {
                let others = numbers.iter().copied();
                all.extend(others.filter_map(|it| Candidate::new(bases, base, method, &[], it)));
            }
        }
        all
    }

    /// Returns the uncommon numbers of substeps around `own`, which end at the nearest common ones,
    /// and the step between the numbers that are tried.
    pub(super) fn gap(&self, own: u64) -> (Range<u64>, u64) {
        let below = self.substeps.iter().rev().find(|it| **it < own).copied();
        let above = self.substeps.iter().find(|it| **it > own).copied();
        let (low, high) = (below.unwrap_or(0) + 1, above.unwrap_or(own.saturating_mul(2)));
        (low..high, high.saturating_sub(low).div_ceil(MAX_BETWEEN).max(1))
    }

    /// Returns the counts of what was tried, for a number of recipes.
    pub(super) fn tried(&self, recipes: usize) -> Tried {
        Tried {
            candidates: recipes * self.substeps.len() + self.own.len(),
            methods: METHODS.len(),
            variants: self.methods.len(),
            slips: self.slips.len(),
            substeps: self.substeps.len(),
        }
    }
}
