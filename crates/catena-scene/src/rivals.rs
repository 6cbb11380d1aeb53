//! Fields that set the same quantity in two ways. A layer sets at most one of them, and the higher
//! layer decides.

use super::diagnostic::Fault;
use super::error::SceneError;
use super::layered::FieldValue;
use super::schema::Settings;
use super::stack::{PlacedSettings, Stack, highest, refuse, required};
use crate::grammar::Scope;

/// Pairs of fields that set the same quantity.
const RIVALS: [[&str; 2]; 1] = [["substeps", "max_dt"]];

/// Maximum number of steps per frame.
const MAX_SUBSTEPS: f64 = 1_000_000.0;

/// Returns the field that sets the same quantity in another way, if there is one.
pub(super) fn rival(path: &str) -> Option<&'static str> {
    RIVALS.into_iter().find_map(|[one, other]| match path {
        _ if path == one => Some(other),
        _ if path == other => Some(one),
        _ => None,
    })
}

/// Returns the errors of a layer that sets two rivals.
pub(super) fn faults(layer: &PlacedSettings<'_>) -> Vec<SceneError> {
    let mut set = Vec::new();
    layer.settings.set_paths("", Scope::Body, &mut set);
    let is_set = |path: &str| set.iter().any(|(own, _)| own == path);
    let both = RIVALS.into_iter().filter(|pair| pair.iter().all(|path| is_set(path)));
    let refused = |[one, other]: [&str; 2]| {
        let message = format!("`{one}` and `{other}` both set the time step");
        let help = "set one of them: dt = frame_time / substeps, or substeps = int(frame_time / max_dt) + 1";
        refuse(&vec![layer.clone()], other, Fault::new(message).help(help))
    };
    both.map(refused).collect()
}

/// Returns the maximum step, if it determines the number of steps per frame.
pub(super) fn max_dt(stack: &Stack<'_>, settings: &Settings) -> Option<f64> {
    let of_max_dt = highest(stack, |settings| settings.max_dt);
    let of_substeps = highest(stack, |settings| settings.substeps);
    settings.max_dt.filter(|_| of_max_dt > of_substeps).map(|max_dt| max_dt.0)
}

/// Returns the number of steps per frame: `substeps`, or int(frame_time / max_dt) + 1, whichever
/// the higher layer sets. The second is the formula of NeHe's lesson 40. If max_dt divides
/// frame_time, it gives one step more than necessary.
pub(super) fn substeps(
    stack: &Stack<'_>,
    settings: &Settings,
    frame_time: f64,
) -> Result<u64, SceneError> {
    let Some(max_dt) = max_dt(stack, settings) else {
        return Ok(required(stack, "substeps", settings.substeps.as_ref())?.0);
    };
    let count = (frame_time / max_dt).floor() + 1.0;
    if count <= MAX_SUBSTEPS {
        return Ok(count as u64);
    }
    let minimum = frame_time / MAX_SUBSTEPS;
    let message = format!("a frame of {frame_time} would have {count} steps, more than a million");
    let help = format!("set `max_dt` above {minimum}");
    Err(refuse(stack, "max_dt", Fault::new(message).help(help)))
}
