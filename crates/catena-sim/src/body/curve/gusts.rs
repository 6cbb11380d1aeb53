//! Smooth noise around a mean: eight sines per axis, with phases and exact frequencies from a seed.
//!
//! Wave k of 0 to 7 has the frequency f = 2^((k - 2 + u)/2)/period, from half to eight times the
//! frequency 1/period of the slow gusts. Its amplitude is proportional to 2^(-(k - 2)/6). This is
//! the Kolmogorov spectrum, f^(-5/3), over bands whose width is proportional to f. u and the phase
//! divided by 2π come from SplitMix64, in the order of axes and waves. Each is the upper 53 bits of
//! a number, divided by 2^53. A value depends only on the seed and the time, not on the steps.
//! Sources: Kolmogorov 1941; Steele, Lea, Flood 2014, "Fast Splittable Pseudorandom Number
//! Generators".

use super::Curve;
use crate::body::curve::spans::PlaceAndRate;
use crate::body::random::Numbers;
use crate::drive::track::Extent;
use crate::named::{BadOption, Components, Info, OptionInfo};
use serde::Deserialize;
use std::f64::consts::TAU;

/// Smooth noise around a mean.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gusts {
    /// Mean value.
    pub mean: Components,
    /// Standard deviation of each component, at least 0.
    pub strength: f64,
    /// Period of the slow gusts, from 1e-6 to 1e9.
    #[serde(default = "period")]
    pub period: f64,
    /// Seed of the noise.
    #[serde(default)]
    pub seed: u64,
}
crate::identity!(Gusts { mean, strength, period, seed });

fn period() -> f64 {
    1.0
}

const MEAN: OptionInfo = OptionInfo {
    name: "mean",
    summary: "long-term mean",
    default: OptionInfo::NEEDED,
    range: Components::EXPECTED,
    unit: OptionInfo::OF_MOVED,
    ..OptionInfo::PLAIN
};

const STRENGTH: OptionInfo = OptionInfo {
    name: "strength",
    summary: "standard deviation of each component",
    default: OptionInfo::NEEDED,
    range: "a number of at least 0, at most 1e100",
    unit: OptionInfo::OF_MOVED,
    ..OptionInfo::PLAIN
};

const PERIOD: OptionInfo = OptionInfo {
    name: "period",
    summary: "mean period of the gusts; single gusts are half to eight times as fast",
    default: "1",
    range: "a number from 1e-6 to 1e9",
    unit: "time",
    ..OptionInfo::PLAIN
};

const SEED: OptionInfo = OptionInfo {
    name: "seed",
    summary: "seed of the noise: each seed gives different gusts with the same statistics",
    default: "0",
    range: "a whole number of at least 0",
    ..OptionInfo::PLAIN
};

/// Number of waves per axis.
const WAVES: usize = 8;

/// Amplitude of each wave for a standard deviation of 1: Σ a²/2 = 1.
fn amplitudes() -> [f64; WAVES] {
    let raw: [f64; WAVES] = std::array::from_fn(|k| libm::exp2((2.0 - k as f64) / 6.0));
    let variance: f64 = raw.iter().map(|a| 0.5 * a * a).sum();
    raw.map(|a| a / variance.sqrt())
}

impl Gusts {
    pub(super) const INFO: Info = Info {
        name: "Gusts",
        summary: "smooth random noise around a mean, such as wind",
        options: &[MEAN, STRENGTH, PERIOD, SEED],
    };

    /// Maximum deviation of a component from its mean.
    fn bound(&self) -> f64 {
        self.strength * amplitudes().iter().sum::<f64>()
    }
}

impl Curve for Gusts {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        STRENGTH.check((0.0..=1e100).contains(&self.strength))?;
        PERIOD.check((1e-6..=1e9).contains(&self.period))
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        self.mean.check(&MEAN, axes)
    }

    /// Corners of a box that contains all values.
    fn places(&self) -> Vec<(f64, [f64; 3])> {
        let (axes, bound, mean) = (self.mean.count(), self.bound(), self.mean.xyz());
        let corner = |index: usize| {
            [0, 1, 2].map(|axis| match axis < axes {
                true if index >> axis & 1 == 0 => mean[axis] - bound,
                true => mean[axis] + bound,
                false => 0.0,
            })
        };
        let time = |index: usize| index as f64 * self.period / WAVES as f64;
        (0..1 << axes).map(|index| (time(index), corner(index))).collect()
    }

    fn sines(&self) -> u64 {
        (WAVES * self.mean.count()) as u64
    }

    fn extent(&self) -> Extent {
        Extent::Endless(0.0, self.period)
    }

    fn at(&self, t: f64) -> PlaceAndRate {
        let (mut value, mut rate) = (self.mean.xyz(), [0.0; 3]);
        let amplitudes = amplitudes();
        let mut numbers = Numbers(self.seed);
        for axis in 0..self.mean.count() {
            for (k, amplitude) in amplitudes.iter().enumerate() {
                let octave = 0.5 * (k as f64 - 2.0 + numbers.next());
                let turns = libm::exp2(octave) / self.period;
                let angle = TAU * (turns * t + numbers.next());
                value[axis] += self.strength * amplitude * libm::sin(angle);
                rate[axis] += self.strength * amplitude * TAU * turns * libm::cos(angle);
            }
        }
        (value, rate)
    }
}
