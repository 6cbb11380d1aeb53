//! The path of an anchor curve, from its first key to its last.

use super::{Geometry, Line, RopeShape};
use crate::body::curve;
use crate::body::vector::Vec3;
use crate::named::{BadOption, Info, Named, OptionInfo, OptionKind};
use serde::Deserialize;
use std::sync::Arc;

/// Shape of a rope along the path of a curve.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Curve {
    /// Curve that the rope follows.
    pub curve: Named<dyn curve::Curve>,
}

const CURVE: OptionInfo = OptionInfo {
    name: "curve",
    summary: "curve of any kind that anchors use: CatmullRom(keys: [(0, (0, 0)), (1, (2, 1))])",
    default: OptionInfo::NEEDED,
    range: "a curve that fits the scene, without jumps and with at least 2 different times",
    kind: OptionKind::Curve,
    unit: "length",
    common: &[],
};

impl Curve {
    pub(super) const INFO: Info = Info {
        name: "Curve",
        summary: "path of a curve; start and end of the rope are ignored",
        options: &[CURVE],
    };
}

impl RopeShape for Curve {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        CURVE.check(self.curve.0.check().is_ok() && !self.curve.0.jumps())?;
        CURVE.check(self.curve.0.places().len() >= 2)
    }

    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption> {
        CURVE.check(self.curve.0.fits(axes, nodes).is_ok())
    }

    fn line(&self, _ends: [Vec3; 2]) -> Result<Line, String> {
        let curve = Arc::clone(&self.curve.0);
        let places = curve.places();
        let (Some((from, _)), Some((until, _))) = (places.first(), places.last()) else {
            return Err("a curve without keys has no path".into());
        };
        let (from, until) = (*from, *until);
        Ok(Line::open(Geometry::Smooth(Box::new(move |share| {
            curve.at(from + (until - from) * share).0
        }))))
    }

    fn has_own_ends(&self) -> bool {
        true
    }
}
