//! Work budgets of the runs behind figures, in counted seconds of one core, and their description.

use catena_analysis::budget::CoreTime;
use catena_base::text::number::short;

/// Budget of the frames in the player, for all bodies together.
pub(super) const PLAYER: CoreTime = CoreTime { seconds: 12.0 };
/// Budget of the contact sheet, for all bodies together.
pub(super) const STRIP: CoreTime = CoreTime { seconds: 5.0 };
/// Budget of the runs in the maps of stability, for all bodies together. Predictions of the maximum
/// stable step have their own budget.
pub(super) const MAPS: CoreTime = CoreTime { seconds: 16.0 };
/// Budget of the stability regions, for all bodies together.
pub(super) const REGIONS: CoreTime = CoreTime { seconds: 8.0 };
/// Budget of the time-reversed runs, for all bodies together.
pub(super) const REVERSAL: CoreTime = CoreTime { seconds: 4.0 };
/// Budget of the areas in phase space, for all bodies together.
pub(super) const PHASE_AREA: CoreTime = CoreTime { seconds: 4.0 };
/// Budget of the convergence of iterations, for all bodies together.
pub(super) const ITERATIONS: CoreTime = CoreTime { seconds: 2.0 };
/// Approximate maximum work of the orders of all methods. Their runs have a maximum number of force
/// evaluations instead of a budget, so `ORDERS` enters only the total and the description.
pub(super) const ORDERS: CoreTime = CoreTime { seconds: 9.0 };
/// Budget of the modes and their spectra, for all bodies together.
pub(super) const SPECTRA: CoreTime = CoreTime { seconds: 6.0 };
/// Budget of the runs to the shapes at rest, for all bodies together. A body whose film needs more
/// than its share gets the work of its film.
pub(super) const SHAPES: CoreTime = CoreTime { seconds: 3.0 };
/// Budget of the settling times with different substeps, for all bodies together.
pub(super) const SETTLING: CoreTime = CoreTime { seconds: 12.0 };
/// Budget of the energy over time, for all bodies together.
pub(super) const ENERGY: CoreTime = CoreTime { seconds: 6.0 };
/// Budget of the paths, phase portraits and spectra of nodes, for all bodies together.
pub(super) const PATHS: CoreTime = CoreTime { seconds: 3.0 };
/// Budget of the distances from references, for all bodies together. The page does not list this
/// budget, because most scenes have no reference.
pub(super) const REFERENCES: CoreTime = CoreTime { seconds: 6.0 };

/// Budgets that the page lists, with the names of their figures, as in `--only`.
const ALL: [(&str, CoreTime); 13] = [
    ("player", PLAYER),
    ("strip", STRIP),
    ("stability_map", MAPS),
    ("stability_regions", REGIONS),
    ("reversal", REVERSAL),
    ("phase_area", PHASE_AREA),
    ("iterations", ITERATIONS),
    ("order", ORDERS),
    ("modes", SPECTRA),
    ("shape", SHAPES),
    ("settling", SETTLING),
    ("energy_over_time", ENERGY),
    ("path", PATHS),
];

/// Factor for all budgets that makes the sum of the listed budgets `study_time` seconds; 1 if there
/// is no `study_time`.
pub(super) fn scale(study_time: Option<f64>) -> f64 {
    study_time.map_or(1.0, |seconds| seconds / total())
}

/// Returns the study time of a whole report in which the part called `part` has `seconds`.
pub(super) fn whole_for(part: &str, seconds: f64) -> f64 {
    let own = ALL.iter().find(|(name, _)| *name == part);
    own.map_or(seconds, |(_, amount)| seconds * total() / amount.seconds)
}

/// Sum of the listed budgets in seconds.
fn total() -> f64 {
    ALL.iter().map(|(_, amount)| amount.seconds).sum()
}

/// Sentence on the page about the listed budgets, each multiplied by `scale`.
pub(super) fn budget_sentence(scale: f64) -> String {
    if scale.is_infinite() {
        return "The simulations for the figures have no time limit.".into();
    }
    let each = |(name, amount): &(&str, CoreTime)| {
        format!("{name} {} s", short(amount.times(scale).seconds))
    };
    let parts: Vec<String> = ALL.iter().map(each).collect();
    format!(
        "The simulations for each figure have a limit of estimated CPU time: {}; in total {} s. \
         `--study-time SECONDS` changes the total.",
        parts.join(", "),
        short(scale * total())
    )
}
