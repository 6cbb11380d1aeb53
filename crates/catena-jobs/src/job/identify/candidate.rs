//! Candidates: every method, variant and slip of the tables, with every number of substeps.

use super::base::{Base, Bases, Own};
use super::named::{Variant, methods, slips};
use catena_sim::method::METHODS;
use catena_sim::named::OptionInfo;
use catena_sim::slip::Slip;
use catena_sim::{Method, Setup};
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Numbers of substeps that programs of homework use, beside those of the scene.
pub(super) const SUBSTEPS: [u64; 19] =
    [1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128, 200, 256, 500, 512, 1000, 1024];

/// A program that may have written the file.
#[derive(Clone)]
pub(super) struct Candidate {
    pub(super) base: usize,
    /// `None` for a body of the scene as it is.
    pub(super) method: Option<Variant<dyn Method>>,
    pub(super) slips: Vec<Variant<dyn Slip>>,
    /// Index of the body of the scene, for one as it is.
    pub(super) own: Option<usize>,
    pub(super) setup: Arc<Setup>,
    /// Departure from the scene and from defaults. Among equally good candidates the one with the
    /// lowest number is the best explanation.
    pub(super) departure: u32,
}

/// Numbers of what was tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tried {
    /// Number of candidates.
    pub candidates: usize,
    /// Number of methods.
    pub methods: usize,
    /// Number of methods with options, the defaults included.
    pub variants: usize,
    /// Number of slips with options.
    pub slips: usize,
    /// Number of different substeps.
    pub substeps: usize,
}

/// Maximum number of steps times nodes until the first frame of all candidates. Beyond it only the
/// scene's own numbers of substeps are tried.
const MOST_WORK: u64 = 2_000_000_000;

impl Candidate {
    /// Creates a candidate. Returns `None` if the setup cannot have this method or these slips.
    pub(super) fn new(
        bases: &Bases,
        base: usize,
        method: &Variant<dyn Method>,
        slips: &[&Variant<dyn Slip>],
        substeps: u64,
    ) -> Option<Self> {
        let setup = Setup {
            method: Arc::clone(&method.thing),
            substeps,
            strain_limit: f64::INFINITY,
            ..(*bases.all[base].setup).clone()
        };
        let setup = match slips {
            [] => setup.check().is_ok().then_some(setup),
            _ => setup.with_slips(slips.iter().map(|slip| Arc::clone(&slip.thing)).collect()).ok(),
        }?;
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

    /// Returns the candidate with one more slip. `None` if that does not fit.
    pub(super) fn with_slip(&self, bases: &Bases, slip: &Variant<dyn Slip>) -> Option<Self> {
        let method = self.method.as_ref()?;
        let is_there = self.slips.iter().any(|own| own.name == slip.name);
        if is_there {
            return None;
        }
        let mut all: Vec<&Variant<dyn Slip>> = self.slips.iter().collect();
        all.push(slip);
        let substeps = self.setup.substeps;
        // Slips that work around any method have to come last; the others may have any order.
        let found = Self::new(bases, self.base, method, &all, substeps);
        found.or_else(|| {
            all.reverse();
            Self::new(bases, self.base, method, &all, substeps)
        })
    }
}

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
    let of_method = if bases.methods.contains(method.name) { 1 } else { 3 };
    let of_steps = if bases.substeps.contains(&substeps) { 0 } else { 2 };
    let of_base = 6 * base.changes.len() as u32 + u32::from(base.from_data);
    1 + of_options + of_slips + of_method + of_steps + of_base
}

/// Returns all candidates, and what they are made of. `more` are numbers of substeps to try too.
pub(super) fn all(bases: &Bases, more: &[u64]) -> (Vec<Candidate>, Tried) {
    let own = bases.own.iter().enumerate();
    let mut all: Vec<Candidate> =
        own.map(|(index, own)| Candidate::of_scene(index, own)).collect();
    let (methods, slips) = (methods(&bases.given), slips());
    let scene: BTreeSet<u64> = bases.substeps.iter().chain(more).copied().collect();
    let mut substeps: BTreeSet<u64> = scene.iter().copied().chain(SUBSTEPS).collect();
    let work: u64 = bases.all.iter().map(|base| {
        let frames = base.data.first_moving();
        let nodes = base.setup.model.nodes() as u64;
        let each: u64 = substeps.iter().sum();
        frames.saturating_mul(nodes).saturating_mul(each).saturating_mul(methods.len() as u64)
    }).fold(0, u64::saturating_add);
    if work > MOST_WORK {
        substeps = scene;
    }
    for base in 0..bases.all.len() {
        for method in &methods {
            for substeps in &substeps {
                all.extend(Candidate::new(bases, base, method, &[], *substeps));
            }
            // A slip beside a printed variant would be two faults, which a second round tries.
            if method.options.iter().all(|(info, value)| bases.gives(info, value)) {
                let slips = slips.iter().filter(|slip| {
                    Candidate::new(bases, base, method, &[slip], 1).is_some()
                });
                for slip in slips {
                    for substeps in &substeps {
                        all.extend(Candidate::new(bases, base, method, &[slip], *substeps));
                    }
                }
            }
        }
    }
    let tried = Tried {
        candidates: all.len(),
        methods: METHODS.len(),
        variants: methods.len(),
        slips: slips.len(),
        substeps: substeps.len(),
    };
    (all, tried)
}
