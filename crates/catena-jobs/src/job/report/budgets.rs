//! Work budgets of the runs behind figures, in counted seconds of one core, and their description.

use catena_analysis::budget::CoreTime;
use catena_base::text::number::short;

/// Budgets of the player and of each figure, for all bodies together.
pub(super) const PLAYER: CoreTime = CoreTime { seconds: 12.0 };
pub(super) const STRIP: CoreTime = CoreTime { seconds: 5.0 };
pub(super) const MAPS: CoreTime = CoreTime { seconds: 16.0 };
pub(super) const REGIONS: CoreTime = CoreTime { seconds: 8.0 };
pub(super) const REVERSAL: CoreTime = CoreTime { seconds: 4.0 };
pub(super) const PHASE_AREA: CoreTime = CoreTime { seconds: 4.0 };
pub(super) const ITERATIONS: CoreTime = CoreTime { seconds: 2.0 };
/// Approximate maximum for the runs of all methods, which count evaluations of forces.
pub(super) const ORDERS: CoreTime = CoreTime { seconds: 9.0 };
pub(super) const SPECTRA: CoreTime = CoreTime { seconds: 6.0 };
pub(super) const SHAPES: CoreTime = CoreTime { seconds: 3.0 };
pub(super) const SETTLING: CoreTime = CoreTime { seconds: 12.0 };
pub(super) const ENERGY: CoreTime = CoreTime { seconds: 6.0 };
pub(super) const PATHS: CoreTime = CoreTime { seconds: 3.0 };
/// Budget of the distances from references. It is not listed on the page, because most scenes have
/// no reference.
pub(super) const REFERENCES: CoreTime = CoreTime { seconds: 6.0 };

/// All budgets with the names of their figures, as in `--only`.
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

/// Factor for all budgets that makes their sum `study_time` seconds.
pub(super) fn scale(study_time: Option<f64>) -> f64 {
    study_time.map_or(1.0, |seconds| seconds / total())
}

/// Returns the study time of a whole report in which the part of this name has `seconds`.
pub(super) fn whole_for(part: &str, seconds: f64) -> f64 {
    let own = ALL.iter().find(|(name, _)| *name == part);
    own.map_or(seconds, |(_, amount)| seconds * total() / amount.seconds)
}

/// Sum of all budgets in seconds.
fn total() -> f64 {
    ALL.iter().map(|(_, amount)| amount.seconds).sum()
}

/// Description of the budgets for the page.
pub(super) fn said(scale: f64) -> String {
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
