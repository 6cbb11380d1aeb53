//! The longest stable step of a body, from its highest mode.

use super::oscillator::Oscillator;
use crate::analysis::hanging::{Law, hanging_chain};
use crate::sim::{
    Model, Setup, SpringMemory, State, System,
    anchor::Anchors,
    spectrum::{Spectrum, largest_frequency_within},
};

/// How exact ω² must be, as a share of it.
const EXACT: f64 = 1e-10;

/// Where a body was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// As it starts.
    Start,
    /// As it hangs at rest.
    Rest,
}

/// What the spectrum of M⁻¹K says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// The highest mode, of the start or of the shape at rest, whichever is stiffer.
    pub highest: Spectrum,
    /// Which of the two it was.
    pub place: Place,
    /// The longest step: infinite where every step is stable, `None` where none is.
    pub longest_step: Option<f64>,
}

/// The highest mode of a setup at a state, springs being as new.
pub fn spectrum_at(setup: &Setup, state: &State, exact: f64) -> Spectrum {
    let anchors = Anchors::new(&setup.model, &setup.initial, &setup.anchors);
    let memory = SpringMemory::default();
    let system = System::new(&setup.model, &memory, &setup.forces, &anchors);
    largest_frequency_within(&system, state, exact)
}

/// A bound on ω of any mode of a body whose springs follow Hooke's law: ω² ≤ 2 Σ k / m over the springs of the node where that is greatest
/// (Gershgorin, for blocks k u uᵀ).
pub fn bound(model: &Model) -> f64 {
    let mut sums = vec![0.0; model.nodes()];
    for spring in &model.springs {
        sums[spring.a] += spring.stiffness;
        sums[spring.b] += spring.stiffness;
    }
    let free = (0..model.nodes()).filter(|&i| !model.pinned[i]);
    free.map(|i| 2.0 * sums[i] / model.mass[i]).fold(0.0, f64::max).sqrt()
}

/// Predicts the longest stable step; `None` where the question has no meaning: the method integrates no springs, or nothing
/// pulls back. `gravity` is the acceleration, one number an axis; with it the shape at rest is found, where `has_reference`
/// says that the balance of forces gives it.
pub fn predict(setup: &Setup, gravity: &[f64], has_reference: bool) -> Option<Prediction> {
    let setup = &setup.as_taken();
    let limit = setup.method.info().limit?;
    let start = spectrum_at(setup, &setup.initial, EXACT);
    let mut found = Prediction { highest: start, place: Place::Start, longest_step: None };
    if has_reference
        && let Some(x) = hanging_chain(&setup.model, &setup.initial.x, gravity, Law::Elastic)
    {
        let rest = spectrum_at(setup, &State::at_rest(x), EXACT);
        // Where both are the same but for rounding, the start is what a reader can check by hand.
        if rest.omega > found.highest.omega * (1.0 + 1e-6) {
            (found.highest, found.place) = (rest, Place::Rest);
        }
    }
    if !found.highest.omega.is_finite() || found.highest.omega == 0.0 {
        return None;
    }
    found.longest_step = longest_step(setup, limit, found.highest);
    Some(found)
}

fn longest_step(setup: &Setup, limit: f64, highest: Spectrum) -> Option<f64> {
    if limit == 0.0 && !is_damped(setup, highest) {
        return None;
    }
    oscillator(setup, highest).longest_step(&setup.method)
}

/// The model problem of a mode of a body.
pub(super) fn oscillator(setup: &Setup, mode: Spectrum) -> Oscillator {
    let factors = [setup.velocity_factor, setup.position_factor];
    Oscillator { factors, ..Oscillator::new(mode.omega, mode.damping.max(0.0)) }
}

/// Whether anything damps this mode: forces, factors, or what the method has of its own.
pub(super) fn is_damped(setup: &Setup, mode: Spectrum) -> bool {
    mode.damping > 0.0
        || setup.velocity_factor < 1.0
        || setup.position_factor < 1.0
        || setup.method.drag_rate(setup.dt()) > 0.0
}
