//! The longest stable step of a body, from its highest mode.

use super::{
    oscillator::Oscillator,
    passing::{End, pass},
};
use crate::analysis::{
    budget::Budget,
    hanging::{Law, hanging_chain},
};
use crate::sim::{
    Model, Setup, SpringMemory, State, System,
    drive::Anchors,
    linear::spectrum::{Spectrum, largest_frequency_within},
};

/// How exact ω² must be, as a share of it.
const EXACT: f64 = 1e-10;

/// Where a body was looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// As it starts.
    Start,
    /// As it hangs at rest.
    Rest,
    /// As a run of the film passes through it.
    Passing {
        /// The time of the run.
        time: f64,
    },
}

/// What the longest step is known to hold for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reach {
    /// Small motions about the place, where springs follow Hooke's law; the whole film where they follow another.
    Whole,
    /// The film up to this time: there the budget was spent. Springs may be stiffer later.
    Until(f64),
    /// It is too long: runs with shorter steps met stiffer springs, and the budget was spent before one came to the film's end.
    TooLong,
}

/// What the spectrum of M⁻¹K says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// The highest mode of the stiffest of all places that were looked at.
    pub highest: Spectrum,
    /// Which one that was.
    pub place: Place,
    /// The longest step: infinite where every step is stable, `None` where none is.
    pub longest_step: Option<f64>,
    /// What it holds for.
    pub reach: Reach,
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

/// Whether all springs follow Hooke's law, so that a body is as stiff wherever it is, but for what tension adds across.
pub(super) fn is_hooke(setup: &Setup) -> bool {
    setup.forces.iter().filter_map(|force| force.spring_law()).all(|law| law == "Hooke")
}

/// Predicts the longest stable step of a film of so much time: [`predict`], and where springs follow another law than Hooke's, what a run of
/// the film passes through besides.
pub fn predict_film(
    setup: &Setup,
    gravity: &[f64],
    has_reference: bool,
    time: f64,
    budget: &mut Budget,
) -> Option<Prediction> {
    let found = predict(setup, gravity, has_reference)?;
    let is_limited = found.longest_step.is_some_and(f64::is_finite);
    if !is_limited || is_hooke(setup) {
        return Some(found);
    }
    let frames = (time / setup.frame_time).round() as u64;
    let Some([own, last]) = pass(setup, frames, budget) else {
        return Some(Prediction { longest_step: None, ..found });
    };
    let (stiffest, reach) = match (own.end, last.end) {
        (End::Film, _) | (_, End::Film) => (last, Reach::Whole),
        (End::Budget, _) => (last, Reach::Until(last.until)),
        (End::Lost, _) => (own, Reach::TooLong),
    };
    if stiffest.highest.omega <= found.highest.omega * (1.0 + 1e-6) {
        return Some(Prediction { reach, ..found });
    }
    let (highest, place) = (stiffest.highest, Place::Passing { time: stiffest.time });
    Some(Prediction { highest, place, longest_step: Some(stiffest.longest), reach })
}

/// Predicts the longest stable step about the start and the shape at rest; `None` where the question has no meaning: the method integrates no springs, or nothing
/// pulls back. `gravity` is the acceleration, one number an axis; with it the shape at rest is found, where `has_reference`
/// says that the balance of forces gives it.
pub fn predict(setup: &Setup, gravity: &[f64], has_reference: bool) -> Option<Prediction> {
    let setup = &setup.as_taken();
    setup.method.info().limit?;
    let start = spectrum_at(setup, &setup.initial, EXACT);
    let mut found =
        Prediction { highest: start, place: Place::Start, longest_step: None, reach: Reach::Whole };
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
    found.longest_step = oscillator(setup, found.highest).longest_step(&setup.method);
    Some(found)
}

/// The model problem of a mode of a body.
pub(super) fn oscillator(setup: &Setup, mode: Spectrum) -> Oscillator {
    let factors = [setup.velocity_factor, setup.position_factor];
    Oscillator { factors, ..Oscillator::new(mode.omega, mode.damping.max(0.0)) }
}
