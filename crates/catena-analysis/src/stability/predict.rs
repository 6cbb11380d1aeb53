//! Predicts the longest stable step of a body from its highest mode.

use super::{
    StabilityTimes,
    equilibrium::{self, Equilibrium, equilibrium, steady},
    held,
    oscillator::Oscillator,
    stiffest::{FilmEnd, Stiffening, find_stiffest_states},
};
use crate::budget::{CoreTime, StudyBudget};
pub use crate::stability::prediction::{LimitCause, LimitReach, ModePlace, Prediction};
use catena_sim::{
    Body, Force, Model, Setup, SpringLaw, SpringMemory, State, System,
    body::hanging::LinkLaw,
    drive::Anchors,
    linear::spectrum::{Spectrum, search_largest_frequency, spectrum_bound},
};
use std::sync::Arc;

/// Relative tolerance of ω².
const EXACT: f64 = 1e-10;

/// Powers of ten by which a setup with `substeps` substeps per frame multiplies the amplitude of a
/// mode in a simulated time. Infinite if a step has no finite factor.
fn grown_decades(setup: &Setup, mode: Spectrum, time: f64, substeps: f64) -> f64 {
    let dt = setup.frame_time / substeps;
    let growth = Oscillator::of_mode(setup, mode).growth(&setup.method, dt);
    if growth.is_finite() { time / dt * libm::log10(growth) } else { f64::INFINITY }
}

/// Maximum number of substeps per frame in a search.
const MAX_SUBSTEPS: f64 = 1e12;

/// Substeps per frame at which the amplitude of a mode grows by `decades` powers of ten in a
/// simulated time. With fewer substeps it grows more. `None` if it grows less with a single
/// substep, or more with every number.
pub fn substeps_of_growth(setup: &Setup, mode: Spectrum, time: f64, decades: f64) -> Option<f64> {
    let grows = |substeps: f64| grown_decades(setup, mode, time, substeps) > decades;
    let [mut low, mut high] = [1.0, MAX_SUBSTEPS];
    if !grows(low) || grows(high) {
        return None;
    }
    while high > 1.001 * low {
        let middle = (low * high).sqrt();
        if grows(middle) { low = middle } else { high = middle }
    }
    Some(high)
}

/// Highest mode of a setup in a state, with undeformed springs; ω² has the relative tolerance
/// `exact`.
pub fn spectrum_at(setup: &Setup, state: &State, exact: f64) -> Spectrum {
    spectrum_counted(setup, state, exact, &mut 0)
}

/// Returns [`spectrum_at`], and adds the nanoseconds of its search to `work`.
pub(super) fn spectrum_counted(
    setup: &Setup,
    state: &State,
    exact: f64,
    work: &mut u64,
) -> Spectrum {
    let search = |system: &System<'_>| search_largest_frequency(system, state, exact, u64::MAX);
    let found = of_system(setup, search);
    *work += found.work;
    found.spectrum
}

/// Upper bounds on ω and γ of all modes of a setup in a state, with undeformed springs.
pub(super) fn spectrum_bound_at(setup: &Setup, state: &State) -> Spectrum {
    of_system(setup, |system| spectrum_bound(system, state))
}

fn of_system<R>(setup: &Setup, ask: impl FnOnce(&System<'_>) -> R) -> R {
    let anchors = Anchors::new(&setup.model, &setup.initial, &setup.anchors);
    let memory = SpringMemory::default();
    ask(&System::new(&setup.model, &memory, &setup.forces, &anchors))
}

/// Upper bound on ω of all modes under Hooke's law: ω² ≤ max 2 Σ k / m, where the sum is over the
/// springs of a node (Gershgorin, for blocks k u uᵀ).
pub fn bound(model: &Model) -> f64 {
    let mut sums = vec![0.0; model.nodes()];
    for spring in &model.springs {
        sums[spring.a] += spring.stiffness;
        sums[spring.b] += spring.stiffness;
    }
    let free = (0..model.nodes()).filter(|&i| !model.pinned[i]);
    free.map(|i| 2.0 * sums[i] / model.mass[i]).fold(0.0, f64::max).sqrt()
}

/// Whether all springs follow Hooke's law. Their stiffness is then the same in all states.
pub(super) fn is_hooke(setup: &Setup) -> bool {
    setup.spring_law().is_none_or(SpringLaw::is_linear)
}

/// Predicts the longest stable step for a simulated time: by [`predict`] and, for springs that do
/// not follow Hooke's law, by the stiffest state of a run.
///
/// A method that integrates no springs is limited by the forces that it integrates and by tension.
pub fn predict_film(setup: &Setup, time: f64, budget: &mut StudyBudget) -> Option<Prediction> {
    predict_film_counted(setup, time, budget, &mut 0)
}

/// Returns [`predict_film`], and adds the nanoseconds of its searches to `work`. They do not
/// include what it takes from the budget.
pub fn predict_film_counted(
    setup: &Setup,
    time: f64,
    budget: &mut StudyBudget,
    work: &mut u64,
) -> Option<Prediction> {
    if !setup.has_known_limit() {
        return None;
    }
    if setup.method.info().limit.is_none() {
        let frames = (time / setup.frame_time).round() as u64;
        // A study time above the default raises the budget in proportion.
        let usual = StabilityTimes::ONE.predicting.seconds;
        let running = held::RUNNING.times((budget.left().seconds / usual).max(1.0));
        let found = held::predict(setup, frames, false, running, work);
        return found.map(|found| found.prediction);
    }
    let found = predict_counted(setup, work)?;
    let is_limited = found.longest_step.is_some_and(f64::is_finite);
    if !is_limited || is_hooke(setup) {
        return Some(found);
    }
    let frames = (time / setup.frame_time).round() as u64;
    let Some([own, last]) = find_stiffest_states(setup, Stiffening::Law, frames, budget) else {
        return Some(Prediction { longest_step: None, ..found });
    };
    let (stiffest, reach) = match (own.end, last.end) {
        (FilmEnd::Film, _) | (_, FilmEnd::Film) => (last, LimitReach::Whole),
        (FilmEnd::StudyBudget, _) => (last, LimitReach::Until(last.until)),
        (FilmEnd::Lost, _) => (own, LimitReach::TooLong),
    };
    if stiffest.highest.omega <= found.highest.omega * (1.0 + 1e-6) {
        return Some(Prediction { reach, ..found });
    }
    let (highest, place) = (stiffest.highest, ModePlace::Passing { time: stiffest.time });
    Some(Prediction { highest, place, longest_step: Some(stiffest.longest), reach, ..found })
}

/// Predicts the longest stable step about the initial state and the rest shape. The rest shape is
/// used if only weight and springs determine it; time-dependent drag counts at its minimum and
/// maximum. Returns `None` if the method integrates no springs, no restoring force acts, or a slip
/// changes the limit.
pub fn predict(setup: &Setup) -> Option<Prediction> {
    predict_counted(setup, &mut 0)
}

/// Returns [`predict`], and adds the nanoseconds of its searches to `work`.
fn predict_counted(setup: &Setup, work: &mut u64) -> Option<Prediction> {
    if !setup.has_known_limit() || setup.method.info().limit.is_none() {
        return None;
    }
    let mut all = Vec::new();
    for (setup, _) in steady(setup) {
        let rest = at_rest(&setup, equilibrium::WORK, work);
        let start = start_mode(&setup, EXACT, work);
        all.extend(predict_steady(&setup, start, EXACT, &rest, work));
    }
    all.extend(once_taut(setup, |taut| predict_counted(taut, work)));
    minimum(all.into_iter())
}

/// Predicts the longest stable step about the initial state alone, at a far lower cost.
pub fn predict_at_start(setup: &Setup) -> Option<Prediction> {
    if !setup.has_known_limit() || setup.method.info().limit.is_none() {
        return None;
    }
    let all = steady(setup).into_iter().filter_map(|(setup, _)| {
        let start = start_mode(&setup, EXACT, &mut 0);
        limited(&setup.with_method_stiffness(), at_start(start))
    });
    minimum(all.chain(once_taut(setup, predict_at_start)))
}

/// Prediction for slack routes once their ropes are taut; `None` if none is slack.
fn once_taut(
    setup: &Setup,
    predict: impl FnOnce(&Setup) -> Option<Prediction>,
) -> Option<Prediction> {
    let memory = SpringMemory::default();
    let body = Body { model: &setup.model, springs: &memory };
    let taut = |force: &Arc<dyn Force>| -> Option<Arc<dyn Force>> {
        Some(Arc::new(force.route()?.tightened(&body, &setup.initial)?))
    };
    let forces = setup.forces.iter();
    let forces: Vec<_> = forces.map(|force| (taut(force), Arc::clone(force))).collect();
    if forces.iter().all(|(taut, _)| taut.is_none()) {
        return None;
    }
    let forces = forces.into_iter().map(|(taut, own)| taut.unwrap_or(own)).collect();
    let found = predict(&Setup { forces, ..setup.clone() })?;
    let place = if found.place == ModePlace::Start { ModePlace::Taut } else { found.place };
    Some(Prediction { place, ..found })
}

fn minimum(all: impl Iterator<Item = Prediction>) -> Option<Prediction> {
    // `None` means that no step is stable, which is the strictest limit.
    let step = |found: &Prediction| found.longest_step.unwrap_or(f64::NEG_INFINITY);
    all.reduce(|found, next| if step(&next) < step(&found) { next } else { found })
}

/// Rest shape, searched within a budget if the limit depends on it. Adds the nanoseconds of the
/// search to `work`.
pub(super) fn at_rest(setup: &Setup, maximum: CoreTime, work: &mut u64) -> Equilibrium {
    let setup = &setup.with_method_stiffness();
    if let Some(chain) = setup.hanging_chain(LinkLaw::Elastic) {
        return Equilibrium::At(chain);
    }
    // Every step, or none, is stable in all shapes.
    let is_limited = setup.method.info().limit.is_some_and(|it| it > 0.0 && it.is_finite());
    if is_limited { equilibrium(setup, maximum, work) } else { Equilibrium::Unsought }
}

/// Highest mode at the initial state, with ω² to the relative tolerance `exact`. Adds the
/// nanoseconds of the search to `work`.
pub(super) fn start_mode(setup: &Setup, exact: f64, work: &mut u64) -> Spectrum {
    spectrum_counted(&setup.with_method_stiffness(), &setup.initial, exact, work)
}

/// Predicts for constant drag, with the highest mode at the initial state and the given rest shape.
/// The mode of that shape has ω² to the relative tolerance `exact`. Adds the nanoseconds of its
/// search to `work`.
pub(super) fn predict_steady(
    setup: &Setup,
    start: Spectrum,
    exact: f64,
    rest: &Equilibrium,
    work: &mut u64,
) -> Option<Prediction> {
    let setup = &setup.with_method_stiffness();
    let mut found = at_start(start);
    found.is_rest_known &= *rest != Equilibrium::NotFound;
    if let Equilibrium::At(x) = rest {
        let rest = spectrum_counted(setup, &State::at_rest(x.clone()), exact, work);
        // If both are equal up to rounding, the start is reported, since it can be verified by
        // hand.
        if rest.omega > found.highest.omega * (1.0 + 1e-6) {
            (found.highest, found.place) = (rest, ModePlace::Rest);
        }
    }
    limited(setup, found)
}

/// Prediction with the highest mode at the initial state, without its longest step.
fn at_start(highest: Spectrum) -> Prediction {
    Prediction {
        highest,
        place: ModePlace::Start,
        longest_step: None,
        reach: LimitReach::Whole,
        cause: LimitCause::Springs,
        is_rest_known: true,
    }
}

/// Adds the longest step to a prediction; `None` if nothing oscillates.
fn limited(setup: &Setup, mut found: Prediction) -> Option<Prediction> {
    if !found.highest.omega.is_finite() || found.highest.omega == 0.0 {
        return None;
    }
    found.longest_step = Oscillator::of_mode(setup, found.highest).longest_step(&setup.method);
    Some(found)
}
