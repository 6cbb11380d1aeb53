//! Water under an irregular sea: waves of the JONSWAP spectrum in one direction, generated from a
//! seed.
//!
//! S(f) is proportional to f⁻⁵ exp(-5/4 (p/f)⁴) γ^r with the frequency p of the peak and r =
//! exp(-(f/p - 1)²/(2σ²)). σ is 0.07 below the peak and 0.09 above. The band from p/2 to 4 p is
//! divided into equal intervals. Each interval has one wave, whose frequency and phase follow from
//! the seed. Its amplitude is √(2 S Δf). All amplitudes are multiplied by one factor, so that the
//! significant height is exactly four times the standard deviation of the surface. Source:
//! Hasselmann and others 1973.

use super::airy::{CURRENT, DEPTH, DIRECTION, GRAVITY, SURFACE, check_axes, check_water, unit_of};
use super::wave::{Sea, Wave, wave_number};
use super::{Flow, Gradient};
use crate::body::{random::Numbers, vector::Vec3};
use crate::budget::Item;
use crate::named::{BadOption, Components, Info, OptionInfo};
use serde::Deserialize;
use std::f64::consts::TAU;

/// An irregular sea.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "Written")]
pub struct Jonswap {
    written: Written,
    sea: Sea,
}
crate::identity!(Jonswap { written; sea });

/// Fields that a scene writes.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename = "Jonswap", deny_unknown_fields)]
struct Written {
    /// Significant height, length.
    height: f64,
    /// Period of the peak, time.
    period: f64,
    /// γ, the ratio of the spectral peak to the peak of a fully developed sea.
    #[serde(default = "sharp")]
    peak: f64,
    /// Number of waves.
    #[serde(default = "count")]
    waves: usize,
    #[serde(default)]
    seed: u64,
    #[serde(default = "deep")]
    depth: f64,
    #[serde(default)]
    surface: f64,
    #[serde(default)]
    direction: f64,
    #[serde(default)]
    current: Option<Components>,
    #[serde(default = "earth")]
    gravity: f64,
}
crate::identity!(Written {
    height,
    period,
    peak,
    waves,
    seed,
    depth,
    surface,
    direction,
    current,
    gravity
});

fn sharp() -> f64 {
    3.3
}

fn count() -> usize {
    32
}

fn deep() -> f64 {
    f64::INFINITY
}

fn earth() -> f64 {
    9.81
}

/// Maximum number of waves.
const MAX: usize = 1000;

const HEIGHT: OptionInfo = OptionInfo {
    name: "height",
    summary: "significant height: four times the standard deviation of the surface",
    default: OptionInfo::NEEDED,
    range: "a number of at least 0, at most 1e6",
    unit: "length",
    ..OptionInfo::PLAIN
};

const PERIOD: OptionInfo = OptionInfo {
    name: "period",
    summary: "period of the peak of the spectrum",
    default: OptionInfo::NEEDED,
    range: "a number from 1e-6 to 1e6",
    unit: "time",
    ..OptionInfo::PLAIN
};

const PEAK: OptionInfo = OptionInfo {
    name: "peak",
    summary: "γ: 1 for a fully developed sea, 3.3 for a growing one",
    default: "3.3",
    range: "a number from 1 to 20",
    ..OptionInfo::PLAIN
};

const WAVES: OptionInfo = OptionInfo {
    name: "waves",
    summary: "number of waves; each takes computing time in every step",
    default: "32",
    range: "a whole number from 1 to 1000",
    ..OptionInfo::PLAIN
};

const SEED: OptionInfo = OptionInfo {
    name: "seed",
    summary: "seed of frequencies and phases",
    default: "0",
    range: "a whole number of at least 0",
    ..OptionInfo::PLAIN
};

impl Jonswap {
    pub(super) const INFO: Info = Info {
        name: "Jonswap",
        summary: "water under an irregular sea in one direction, from a seed",
        options: &[HEIGHT, PERIOD, PEAK, WAVES, SEED, DEPTH, SURFACE, DIRECTION, CURRENT, GRAVITY],
    };
}

/// Value of the spectrum at a multiple of the peak's frequency, up to a factor.
fn spectrum(share: f64, peak: f64) -> f64 {
    let width = if share <= 1.0 { 0.07 } else { 0.09 };
    let off = (share - 1.0) / width;
    let r = libm::exp(-0.5 * off * off);
    let square = share * share;
    let down = libm::exp(-1.25 / (square * square));
    down / (square * square * share) * libm::pow(peak, r)
}

/// Generates the waves of a sea.
fn waves(written: &Written) -> Vec<Wave> {
    const BAND: (f64, f64) = (0.5, 4.0);
    let count = written.waves.clamp(1, MAX);
    let step = (BAND.1 - BAND.0) / count as f64;
    let mut numbers = Numbers(written.seed);
    let mut waves: Vec<Wave> = (0..count)
        .map(|k| {
            let share = BAND.0 + step * (k as f64 + numbers.next());
            let frequency = TAU * share / written.period;
            Wave {
                amplitude: spectrum(share, written.peak).sqrt(),
                frequency,
                number: wave_number(frequency, written.depth, written.gravity),
                phase: TAU * numbers.next(),
                depth: written.depth,
            }
        })
        .collect();
    let variance: f64 = waves.iter().map(|wave| 0.5 * wave.amplitude * wave.amplitude).sum();
    let scale = 0.25 * written.height / variance.sqrt();
    waves.iter_mut().for_each(|wave| wave.amplitude *= scale);
    waves
}

impl From<Written> for Jonswap {
    fn from(written: Written) -> Self {
        let sea = Sea {
            waves: waves(&written),
            direction: unit_of(written.direction),
            surface: written.surface,
            current: written.current.map_or([0.0; 3], |current| current.xyz()),
        };
        Self { written, sea }
    }
}

impl Flow for Jonswap {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        let Written { height, period, peak, waves, depth, surface, direction, gravity, .. } =
            self.written;
        HEIGHT.check((0.0..=1e6).contains(&height))?;
        PERIOD.check((1e-6..=1e6).contains(&period))?;
        PEAK.check((1.0..=20.0).contains(&peak))?;
        WAVES.check((1..=MAX).contains(&waves))?;
        check_water(depth, surface, direction, gravity)
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        check_axes(self.written.direction, self.written.current, axes)
    }

    fn at(&self, place: Vec3, t: f64) -> Vec3 {
        self.sea.at(place, t)
    }

    fn gradient(&self, place: Vec3, t: f64) -> Gradient {
        self.sea.gradient(place, t)
    }

    fn fastest(&self) -> f64 {
        self.sea.fastest()
    }

    fn at_a_place(&self) -> (Item, u64) {
        (Item::Wave, self.sea.waves.len() as u64)
    }

    fn changes_with_time(&self) -> bool {
        self.written.height > 0.0
    }
}
