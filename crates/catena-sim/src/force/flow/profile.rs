//! A flow that changes with the height y, linearly between given heights: a current that is slower
//! near the bed, a wind that grows above the ground.

use super::{EVEN, Flow, Gradient};
use crate::body::vector::{Vec3, norm};
use crate::named::{BadOption, Components, Info, OptionInfo};
use serde::Deserialize;

/// Heights and velocities.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Heights y and velocities, by rising height. Below the first and above the last height, the
    /// velocity is constant.
    pub points: Vec<(f64, Components)>,
}
crate::identity!(Profile { points });

const POINTS: OptionInfo = OptionInfo {
    name: "points",
    summary: "heights y and velocities: [(-50, (0.2, 0)), (0, (1, 0))]",
    default: OptionInfo::NEEDED,
    range: "at least one (height, velocity), each height finite and above the one before it, each velocity with one component per axis",
    unit: "length, and length/time",
    ..OptionInfo::PLAIN
};

/// A height and a velocity.
type ProfilePoint = (f64, Components);

impl Profile {
    pub(super) const INFO: Info = Info {
        name: "Profile",
        summary: "velocity as a function of height, linear between the given heights",
        options: &[POINTS],
    };

    /// Returns the two points around a height, and the weight of the second point. `None` below the
    /// first and above the last height.
    fn around(&self, height: f64) -> Option<(&ProfilePoint, &ProfilePoint, f64)> {
        let pair = self.points.windows(2).find(|pair| (pair[0].0..pair[1].0).contains(&height))?;
        let [low, high] = pair else { return None };
        Some((low, high, (height - low.0) / (high.0 - low.0)))
    }
}

impl Flow for Profile {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        let rises = self.points.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let is_finite = self.points.iter().all(|(height, _)| height.is_finite());
        POINTS.check(!self.points.is_empty() && rises && is_finite)
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        let checked = self.points.iter().map(|(_, velocity)| velocity.check(&POINTS, axes));
        checked.enumerate().try_for_each(|(entry, is)| is.map_err(|bad| bad.of_entry(entry)))
    }

    fn at(&self, place: Vec3, _t: f64) -> Vec3 {
        let height = place[1];
        match self.around(height) {
            Some((low, high, share)) => {
                let (low, high) = (low.1.xyz(), high.1.xyz());
                [0, 1, 2].map(|axis| low[axis] + share * (high[axis] - low[axis]))
            }
            None => {
                let is_below = self.points.first().is_some_and(|(lowest, _)| height < *lowest);
                let end = if is_below { self.points.first() } else { self.points.last() };
                end.map_or([0.0; 3], |(_, velocity)| velocity.xyz())
            }
        }
    }

    fn gradient(&self, place: Vec3, _t: f64) -> Gradient {
        self.around(place[1]).map_or(EVEN, |(low, high, _)| {
            let rise = high.0 - low.0;
            let (low, high) = (low.1.xyz(), high.1.xyz());
            [0, 1, 2].map(|axis| [0.0, (high[axis] - low[axis]) / rise, 0.0])
        })
    }

    fn fastest(&self) -> f64 {
        self.points.iter().map(|(_, velocity)| norm(velocity.xyz())).fold(0.0, f64::max)
    }

    fn everywhere(&self, _t: f64) -> Option<Vec3> {
        if let [(_, velocity)] = self.points.as_slice() { Some(velocity.xyz()) } else { None }
    }
}
