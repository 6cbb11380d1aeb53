//! Harmonic motion about a centre: x = c + a sin(2π t/T + φ).

use super::Curve;
use crate::body::curve::spans::PlaceAndRate;
use crate::drive::track::Extent;
use crate::named::{BadOption, Components, Info, OptionInfo};
use serde::Deserialize;
use std::f64::consts::TAU;

/// Harmonic motion, with its centre, amplitude, period and phase.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sine {
    /// Centre c, in the unit of the moved quantity.
    pub center: Components,
    /// Amplitude a, in the unit of the moved quantity.
    pub amplitude: Components,
    /// Period T, in units of time; above 0.
    pub period: f64,
    /// Phase φ, in degrees.
    #[serde(default)]
    pub phase: f64,
}
crate::identity!(Sine { center, amplitude, period, phase });

const CENTER: OptionInfo = OptionInfo {
    name: "center",
    summary: "middle of the motion",
    default: OptionInfo::NEEDED,
    range: Components::EXPECTED,
    unit: OptionInfo::OF_MOVED,
    ..OptionInfo::PLAIN
};

const AMPLITUDE: OptionInfo = OptionInfo {
    name: "amplitude",
    summary: "maximum displacement from the middle",
    default: OptionInfo::NEEDED,
    range: Components::EXPECTED,
    unit: OptionInfo::OF_MOVED,
    ..OptionInfo::PLAIN
};

const PERIOD: OptionInfo = OptionInfo {
    name: "period",
    summary: "period of the oscillation",
    default: OptionInfo::NEEDED,
    range: "a number from 1e-6 to 1e9",
    unit: "time",
    ..OptionInfo::PLAIN
};

const PHASE: OptionInfo = OptionInfo {
    name: "phase",
    summary: "phase at time 0; 90 starts at the maximum displacement",
    default: "0",
    range: "a finite number",
    unit: "degrees",
    ..OptionInfo::PLAIN
};

impl Sine {
    pub(super) const INFO: Info = Info {
        name: "Sine",
        summary: "harmonic motion about a centre",
        options: &[CENTER, AMPLITUDE, PERIOD, PHASE],
    };
}

impl Curve for Sine {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        PERIOD.check((1e-6..=1e9).contains(&self.period))?;
        PHASE.check(self.phase.is_finite())
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        self.center.check(&CENTER, axes)?;
        self.amplitude.check(&AMPLITUDE, axes)
    }

    /// The two turning points, half a period apart.
    fn places(&self) -> Vec<(f64, [f64; 3])> {
        let (center, amplitude) = (self.center.xyz(), self.amplitude.xyz());
        let at = |sign: f64| [0, 1, 2].map(|axis| center[axis] + sign * amplitude[axis]);
        vec![(0.0, at(1.0)), (0.5 * self.period, at(-1.0))]
    }

    fn extent(&self) -> Extent {
        Extent::Endless(0.0, self.period)
    }

    fn at(&self, t: f64) -> PlaceAndRate {
        let angle = TAU * (t / self.period) + self.phase.to_radians();
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        let (center, amplitude) = (self.center.xyz(), self.amplitude.xyz());
        let rate = TAU / self.period * cos;
        (
            [0, 1, 2].map(|axis| center[axis] + amplitude[axis] * sin),
            amplitude.map(|amplitude| amplitude * rate),
        )
    }
}
