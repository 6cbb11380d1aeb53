//! A flow with the same velocity everywhere, which follows a curve over time: a gusty wind, a tide.

use super::{EVEN, Flow, Gradient};
use crate::body::curve::{Curve, greatest};
use crate::body::vector::Vec3;
use crate::budget::{Bill, Item};
use crate::named::{BadOption, Info, Named, OptionInfo, OptionKind};
use serde::Deserialize;

/// The curve.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Changing {
    /// Velocity of the fluid over time.
    pub curve: Named<dyn Curve>,
}
crate::identity!(Changing { curve });

const CURVE: OptionInfo = OptionInfo {
    name: "curve",
    summary: "velocity over time: Gusts(mean: (8, 0), strength: 2)",
    default: OptionInfo::NEEDED,
    range: "a curve that fits the scene",
    kind: OptionKind::Curve,
    unit: "length/time",
    common: &[],
};

impl Changing {
    pub(super) const INFO: Info = Info {
        name: "Changing",
        summary: "the same velocity at every place, along a curve over time",
        options: &[CURVE],
    };
}

impl Flow for Changing {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        CURVE.check(self.curve.0.check().is_ok())
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        CURVE.check(self.curve.0.fits(axes, 0).is_ok())
    }

    fn at(&self, _place: Vec3, t: f64) -> Vec3 {
        self.curve.0.at(t).0
    }

    fn gradient(&self, _place: Vec3, _t: f64) -> Gradient {
        EVEN
    }

    fn fastest(&self) -> f64 {
        greatest(self.curve.0.as_ref())
    }

    fn everywhere(&self, t: f64) -> Option<Vec3> {
        Some(self.at([0.0; 3], t))
    }

    fn everywhere_bill(&self) -> Bill {
        Bill::of(Item::Flow, 1).and(Item::Gust, self.curve.0.sines())
    }

    fn changes_with_time(&self) -> bool {
        true
    }
}
