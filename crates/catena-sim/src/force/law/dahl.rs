//! A spring in parallel with friction, with rounded corners: T = k l (h ε + s)/(1 + h), with the
//! strain s of the sliding part. ds/dε is 1 - s/y while the strain grows and 1 + s/y while it
//! falls, so s approaches y or -y smoothly. Source: Dahl 1968, "A Solid Friction Model".
//!
//! The hysteresis loops do not depend on the speed. A cycle between the strains -A and A is closed,
//! with s = ±y tanh(A/y) at its ends. Each cycle turns 4 k l² y (A - y tanh(A/y))/(1 + h) into
//! heat.
//!
//! The memory is p = ε - s. Within a step p is constant and the spring is elastic, with the slope
//! k. After the step, s follows from the exact solution between the strains before and after the
//! step.

use super::SpringLaw;
use crate::body::Spring;
use crate::named::{BadOption, Info, OptionInfo};
use serde::Deserialize;

/// The law, with the limit of its sliding strain and its hardening.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Dahl {
    /// y: limit of the sliding part's strain, above 0.
    pub yield_strain: f64,
    /// h: stiffness of the elastic part as a multiple of the sliding part's stiffness, at least 0.
    pub hardening: f64,
}
crate::identity!(Dahl { yield_strain, hardening });

impl Default for Dahl {
    fn default() -> Self {
        Self { yield_strain: 0.05, hardening: 0.1 }
    }
}

const YIELD_STRAIN: OptionInfo = OptionInfo {
    name: "yield_strain",
    summary: "limit of the strain of the sliding part",
    default: "0.05",
    range: "a number above 0",
    ..OptionInfo::PLAIN
};

const HARDENING: OptionInfo = OptionInfo {
    name: "hardening",
    summary: "stiffness of the elastic part, as a multiple of that of the sliding part",
    default: "0.1",
    range: "a number of at least 0",
    ..OptionInfo::PLAIN
};

impl Dahl {
    pub(super) const INFO: Info = Info {
        name: "Dahl",
        summary: "a spring in parallel with friction that slides from the start: hysteresis with \
                  rounded corners, independent of speed",
        options: &[YIELD_STRAIN, HARDENING],
    };

    /// Strain s of the sliding part after the strain has changed by `change`.
    fn slid(&self, s: f64, change: f64) -> f64 {
        let end = if change < 0.0 { -self.yield_strain } else { self.yield_strain };
        end + (s - end) * libm::exp(-change.abs() / self.yield_strain)
    }
}

/// Strain of a spring of this length.
fn strain(spring: &Spring, length: f64) -> f64 {
    (length - spring.rest_length) / spring.rest_length
}

impl SpringLaw for Dahl {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        YIELD_STRAIN.check(self.yield_strain > 0.0 && self.yield_strain.is_finite())?;
        HARDENING.check(self.hardening >= 0.0 && self.hardening.is_finite())
    }

    /// Uses h ε + s = (1 + h) ε - p.
    fn tension(&self, spring: &Spring, length: f64, plastic: f64) -> f64 {
        let slid = plastic / (1.0 + self.hardening);
        spring.stiffness * (length - spring.rest_length * (1.0 + slid))
    }

    fn slope(&self, spring: &Spring, _length: f64, _plastic: f64) -> f64 {
        spring.stiffness
    }

    /// Energy of both parts: ½ k l² (h ε² + s²)/(1 + h).
    fn energy(&self, spring: &Spring, length: f64, plastic: f64) -> f64 {
        let strain = strain(spring, length);
        let s = strain - plastic;
        let square = self.hardening * strain * strain + s * s;
        let length = spring.rest_length;
        0.5 * spring.stiffness * length * length * square / (1.0 + self.hardening)
    }

    fn pulled_out(&self, spring: &Spring, length: f64) -> (f64, f64) {
        let (h, y) = (self.hardening, self.yield_strain);
        let strain = strain(spring, length);
        let s = self.slid(0.0, strain);
        let scale = spring.stiffness * spring.rest_length / (1.0 + h);
        let area = 0.5 * h * strain * strain + y * (strain.abs() - s.abs());
        (scale * (h * strain + s), scale * spring.rest_length * area)
    }

    fn flows(&self) -> bool {
        true
    }

    fn depends_on_path(&self) -> bool {
        true
    }

    /// Returns the memory p after a motion to `length` from the length at which the sliding part
    /// has no strain.
    fn flow(&self, spring: &Spring, length: f64, plastic: f64, dt: f64) -> f64 {
        let from = spring.rest_length * (1.0 + plastic);
        self.flow_along(spring, [from, length], plastic, dt)
    }

    fn flow_along(&self, spring: &Spring, [from, to]: [f64; 2], plastic: f64, _dt: f64) -> f64 {
        let (from, to) = (strain(spring, from), strain(spring, to));
        to - self.slid(from - plastic, to - from)
    }
}
