//! Predicted limit of a step, its cause and its reach.

use crate::stability::oscillator::Oscillator;
use catena_sim::Setup;
use catena_sim::linear::spectrum::Spectrum;

/// Growth per step, minus 1, from which a mode is said to grow. Rounding stays below it.
const VISIBLE: f64 = 1e-9;

/// State whose highest mode was computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ModePlace {
    /// Initial state.
    Start,
    /// Initial state, once the slack ropes of routes are taut.
    Taut,
    /// Rest shape.
    Rest,
    /// State during a run of the frames.
    Passing {
        /// Simulated time of that state.
        time: f64,
    },
}

/// Range in which the longest step is valid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LimitReach {
    /// Everywhere: under Hooke's law, for small motions about the state; under other laws, in all
    /// frames.
    Whole,
    /// Up to this time, when the budget was spent. Springs may be stiffer later.
    Until(f64),
    /// Limit of the forces alone. The budget was spent before corrections of lengths were tested,
    /// which may lengthen or shorten the limit.
    Uncorrected,
    /// Nowhere: the step is too long. Runs with shorter steps reached stiffer springs, and the
    /// budget was spent before any run finished.
    TooLong,
}

/// Cause of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitCause {
    /// Springs that the method integrates.
    Springs,
    /// Friction in springs, under a method that corrects lengths.
    Friction,
    /// Other forces, under a method that corrects lengths: bending springs, soft pins.
    Forces,
    /// Transverse waves along tense springs whose lengths are enforced.
    Tension,
}

/// Longest stable step, from the spectrum of M⁻¹K or as found for a method that enforces lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// Highest mode of the stiffest state.
    pub highest: Spectrum,
    /// State that this mode belongs to.
    pub place: ModePlace,
    /// Longest stable step: infinite if every step is stable, `None` if none is.
    pub longest_step: Option<f64>,
    /// Range in which the longest step is valid.
    pub reach: LimitReach,
    /// Cause of the limit.
    pub cause: LimitCause,
    /// Whether the rest shape was found, for bodies that have one.
    pub is_rest_known: bool,
}

impl Prediction {
    /// Factor by which a step of the setup multiplies the amplitude of the highest mode.
    pub fn growth(&self, setup: &Setup) -> f64 {
        Oscillator::of_mode(setup, self.highest).growth(&setup.method, setup.dt())
    }

    /// Simulated time in which the amplitude of the highest mode grows tenfold, with the step of
    /// the setup. `None` if it does not grow, or not by a finite factor.
    pub fn tenfold_time(&self, setup: &Setup) -> Option<f64> {
        let growth = self.growth(setup);
        let grows = growth.is_finite() && growth > 1.0 + VISIBLE;
        grows.then(|| setup.dt() * std::f64::consts::LN_10 / libm::log(growth))
    }
}
