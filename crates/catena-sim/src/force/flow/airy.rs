//! Water under one regular wave, with a steady current.

use super::wave::{Sea, Wave, wave_number};
use super::{Flow, Gradient};
use crate::body::vector::Vec3;
use crate::budget::Item;
use crate::named::{BadOption, Components, Info, OptionInfo};
use serde::Deserialize;
use std::f64::consts::TAU;

/// A regular wave.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "Written")]
pub struct Airy {
    written: Written,
    sea: Sea,
}
crate::identity!(Airy { written; sea });

/// Fields that a scene writes.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename = "Airy", deny_unknown_fields)]
struct Written {
    /// Height from trough to crest, length.
    height: f64,
    /// Period, time.
    period: f64,
    /// Depth of the water; infinite for deep water.
    #[serde(default = "deep")]
    depth: f64,
    /// y of still water.
    #[serde(default)]
    surface: f64,
    /// Direction of travel in degrees from x towards z.
    #[serde(default)]
    direction: f64,
    /// Phase in degrees at x = 0 and time 0; 0 is a crest.
    #[serde(default)]
    phase: f64,
    /// Velocity of a steady current.
    #[serde(default)]
    current: Option<Components>,
    /// g, length/time².
    #[serde(default = "earth")]
    gravity: f64,
}
crate::identity!(Written { height, period, depth, surface, direction, phase, current, gravity });

fn deep() -> f64 {
    f64::INFINITY
}

fn earth() -> f64 {
    9.81
}

const HEIGHT: OptionInfo = OptionInfo {
    name: "height",
    summary: "height of the wave from trough to crest",
    default: OptionInfo::NEEDED,
    range: "a number of at least 0, at most 1e6",
    unit: "length",
    ..OptionInfo::PLAIN
};

const PERIOD: OptionInfo = OptionInfo {
    name: "period",
    summary: "period of the wave",
    default: OptionInfo::NEEDED,
    range: "a number from 1e-6 to 1e6",
    unit: "time",
    ..OptionInfo::PLAIN
};

pub(super) const DEPTH: OptionInfo = OptionInfo {
    name: "depth",
    summary: "depth of the water",
    default: "inf",
    range: "a number above 0, or inf",
    unit: "length",
    ..OptionInfo::PLAIN
};

pub(super) const SURFACE: OptionInfo = OptionInfo {
    name: "surface",
    summary: "height y of still water",
    default: "0",
    range: "a finite number",
    unit: "length",
    ..OptionInfo::PLAIN
};

pub(super) const DIRECTION: OptionInfo = OptionInfo {
    name: "direction",
    summary: "direction in which waves travel, as an angle from x towards z; 0 or 180 in a planar scene",
    default: "0",
    range: "a finite number; 0 or 180 in a planar scene",
    unit: "degrees",
    ..OptionInfo::PLAIN
};

const PHASE: OptionInfo = OptionInfo {
    name: "phase",
    summary: "phase at the origin and time 0; 0 is a crest",
    default: "0",
    range: "a finite number",
    unit: "degrees",
    ..OptionInfo::PLAIN
};

pub(super) const CURRENT: OptionInfo = OptionInfo {
    name: "current",
    summary: "velocity of a steady current, added to that of the waves",
    default: OptionInfo::LEFT_OUT,
    range: Components::EXPECTED,
    unit: "length/time",
    ..OptionInfo::PLAIN
};

pub(super) const GRAVITY: OptionInfo = OptionInfo {
    name: "gravity",
    summary: "gravity that drives the waves",
    default: "9.81",
    range: "a number above 0",
    unit: "length/time²",
    ..OptionInfo::PLAIN
};

/// Checks the options that all waves share: depth, surface, direction and gravity.
pub(super) fn check_water(
    depth: f64,
    surface: f64,
    direction: f64,
    g: f64,
) -> Result<(), BadOption> {
    DEPTH.check(depth > 0.0)?;
    SURFACE.check(surface.is_finite())?;
    DIRECTION.check(direction.is_finite())?;
    GRAVITY.check(g > 0.0 && g.is_finite())
}

/// Checks that waves travel within the plane, and that the current fits the scene.
pub(super) fn check_axes(
    direction: f64,
    current: Option<Components>,
    axes: usize,
) -> Result<(), BadOption> {
    DIRECTION.check(axes == 3 || direction == 0.0 || direction == 180.0)?;
    current.map_or(Ok(()), |current| current.check(&CURRENT, axes))
}

/// Unit vector of a direction in degrees from x towards z.
pub(super) fn unit_of(degrees: f64) -> Vec3 {
    match degrees {
        0.0 => [1.0, 0.0, 0.0],
        180.0 => [-1.0, 0.0, 0.0],
        _ => {
            let angle = degrees.to_radians();
            [libm::cos(angle), 0.0, libm::sin(angle)]
        }
    }
}

impl Airy {
    pub(super) const INFO: Info = Info {
        name: "Airy",
        summary: "water under a regular wave; above the height of still water, the velocity is \
                  that at this height",
        options: &[HEIGHT, PERIOD, DEPTH, SURFACE, DIRECTION, PHASE, CURRENT, GRAVITY],
    };
}

impl From<Written> for Airy {
    fn from(written: Written) -> Self {
        let frequency = TAU / written.period;
        let wave = Wave {
            amplitude: 0.5 * written.height,
            frequency,
            number: wave_number(frequency, written.depth, written.gravity),
            phase: written.phase.to_radians(),
            depth: written.depth,
        };
        let sea = Sea {
            waves: vec![wave],
            direction: unit_of(written.direction),
            surface: written.surface,
            current: written.current.map_or([0.0; 3], |current| current.xyz()),
        };
        Self { written, sea }
    }
}

impl Flow for Airy {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        let Written { height, period, depth, surface, direction, phase, gravity, .. } =
            self.written;
        HEIGHT.check((0.0..=1e6).contains(&height))?;
        PERIOD.check((1e-6..=1e6).contains(&period))?;
        PHASE.check(phase.is_finite())?;
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
        (Item::Wave, 1)
    }

    fn changes_with_time(&self) -> bool {
        self.written.height > 0.0
    }
}
