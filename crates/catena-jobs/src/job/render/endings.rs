//! Endings of bodies, as words in the manifest.

use catena_analysis::settle::Ending;
use catena_output::manifest::{SteadyBody, SteadyEntry};

pub(super) const AT_REST: &str = "at rest";
pub(super) const MOVING: &str = "moving";
pub(super) const DIVERGED: &str = "diverged";

/// Parses the endings of all bodies. `None` for a body that was moving with unknown speed.
pub(super) fn endings(steady: &SteadyEntry) -> Vec<Option<Ending>> {
    let ending = |body: &SteadyBody| {
        let SteadyBody { frame, speed, .. } = *body;
        Some(match (body.ending.as_str(), speed) {
            (AT_REST, _) => Ending::AtRest { frame },
            (DIVERGED, _) => Ending::Diverged { frame },
            (_, speed) => Ending::Moving { frame, speed: speed? },
        })
    };
    steady.bodies.iter().map(ending).collect()
}
