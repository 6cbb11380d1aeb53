//! Buoyancy of the segments of ropes and the threads of nets: the weight of the fluid that they
//! displace, upwards along y.
//!
//! A segment of rest length l and diameter d displaces V = π d² l/4 under water, and pushes each of
//! its ends upwards with half of ρ V g. At the surface, the share under water falls linearly from 1
//! to 0 while the middle of the segment rises by d.

use super::AppliedForce;
use super::line_drag::{DENSITY, DIAMETER};
use super::of_part::{self, PART};
use crate::body::{Body, Model, Spring, State};
use crate::force::jacobian::Entry;
use crate::force::{AtRest, Blocks, Force, ForceEnergy, Potential, Store};
use crate::named::{BadOption, Info, OptionInfo};
use serde::Deserialize;
use std::f64::consts::PI;

/// Buoyancy of a fluid on lines.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Buoyancy {
    /// ρ of the fluid, mass/volume.
    pub density: f64,
    /// d of the line, length.
    pub diameter: f64,
    /// g, length/time².
    #[serde(default = "earth")]
    pub gravity: f64,
    /// y of the surface; `None` puts everything under water.
    #[serde(default)]
    pub surface: Option<f64>,
    /// Name of the part on whose segments the force acts; `None` for all parts.
    #[serde(default)]
    pub part: Option<String>,
}
crate::identity!(Buoyancy { density, diameter, gravity, surface, part });

fn earth() -> f64 {
    9.81
}

const GRAVITY: OptionInfo = OptionInfo {
    name: "gravity",
    summary: "acceleration of gravity, along -y",
    default: "9.81",
    range: "a finite number of at least 0",
    unit: "length/time²",
    ..OptionInfo::PLAIN
};

const SURFACE: OptionInfo = OptionInfo {
    name: "surface",
    summary: "height y of the surface, above which there is no buoyancy",
    default: OptionInfo::LEFT_OUT,
    range: "a finite number",
    unit: "length",
    ..OptionInfo::PLAIN
};

impl Buoyancy {
    pub(super) const INFO: Info = Info {
        name: "Buoyancy",
        summary: "upward force: the weight of the fluid that ropes and threads displace",
        options: &[DENSITY, DIAMETER, GRAVITY, SURFACE, PART],
    };

    /// ρ V g per length of a segment under water.
    fn per_length(&self) -> f64 {
        0.25 * PI * self.diameter * self.diameter * self.density * self.gravity
    }

    /// Depth of a height below the top of the transition at the surface, in diameters; infinite if
    /// there is no surface.
    fn depth(&self, height: f64) -> f64 {
        self.surface.map_or(f64::INFINITY, |surface| (surface - height) / self.diameter + 0.5)
    }

    /// Unbroken segments, each with the height of its middle.
    fn segments<'a>(
        &'a self,
        body: &'a Body<'_>,
        state: &'a State,
    ) -> impl Iterator<Item = (&'a Spring, f64)> + 'a {
        let n = body.model.nodes();
        let springs = of_part::springs(body.model, self.part.as_deref());
        springs
            .filter(|(j, _)| !body.springs.is_broken(*j))
            .map(move |(_, spring)| (spring, 0.5 * (state.x[n + spring.a] + state.x[n + spring.b])))
    }
}

impl AppliedForce for Buoyancy {
    fn info(&self) -> Info {
        Self::INFO
    }
}

impl Force for Buoyancy {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let (n, per_length) = (body.model.nodes(), self.per_length());
        for (spring, height) in self.segments(body, state) {
            let share = self.depth(height).clamp(0.0, 1.0);
            let half = 0.5 * per_length * spring.rest_length * share;
            f[n + spring.a] += half;
            f[n + spring.b] += half;
        }
    }

    fn add_jacobian(&self, body: &Body<'_>, state: &State, blocks: &mut Blocks<'_>) {
        for (spring, height) in self.segments(body, state) {
            let depth = self.depth(height);
            if depth > 0.0 && depth < 1.0 {
                let mut by_x = [[0.0; 3]; 3];
                by_x[1][1] = -0.25 * self.per_length() * spring.rest_length / self.diameter;
                for i in [spring.a, spring.b] {
                    for j in [spring.a, spring.b] {
                        blocks.add(&Entry { i, j, by_x, by_v: [[0.0; 3]; 3] });
                    }
                }
            }
        }
    }

    /// Returns the total force with all segments under water.
    fn load(&self, model: &Model) -> f64 {
        let springs = of_part::springs(model, self.part.as_deref());
        let length: f64 = springs.map(|(_, spring)| spring.rest_length).sum();
        self.per_length() * length
    }

    fn at_rest(&self) -> AtRest<'_> {
        AtRest::Other
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Stored(self)
    }

    fn check(&self) -> Result<(), BadOption> {
        let above_0 = |value: f64| value > 0.0 && value.is_finite();
        DENSITY.check(above_0(self.density))?;
        DIAMETER.check(above_0(self.diameter))?;
        GRAVITY.check(self.gravity >= 0.0 && self.gravity.is_finite())?;
        SURFACE.check(self.surface.is_none_or(f64::is_finite))
    }

    fn check_start(&self, model: &Model, _initial: &State) -> Result<(), BadOption> {
        of_part::check(model, self.part.as_deref())
    }
}

impl Potential for Buoyancy {
    fn store(&self) -> Store {
        Store::Gravitational
    }

    /// Returns -ρ V g y for a segment under water, up to a constant; 0 above a surface.
    fn potential(&self, body: &Body<'_>, state: &State) -> f64 {
        let height_of = |height: f64| {
            let depth = self.depth(height);
            match depth {
                f64::INFINITY => -height,
                depth if depth <= 0.0 => 0.0,
                depth if depth >= 1.0 => self.diameter * (depth - 0.5),
                depth => 0.5 * self.diameter * depth * depth,
            }
        };
        let per_length = self.per_length();
        let each = self
            .segments(body, state)
            .map(|(spring, height)| per_length * spring.rest_length * height_of(height));
        each.sum()
    }
}
