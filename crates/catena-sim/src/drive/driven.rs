//! A pin that is moved by a velocity: its position is the start plus the integral of the velocity
//! between two times. The pin rests before the first time and after the second one.
//!
//! The integral of a constant is exact. The integral of a curve is a sum over panels, by
//! Gauss-Legendre quadrature with five points. Panels begin at the keys, so the integral of
//! polynomial pieces between keys is exact to rounding. The result depends only on the time, not on
//! the steps.

use crate::body::curve::Curve;
use crate::body::vector::{Vec3, add, along, norm, scaled};
use crate::drive::track::Extent;
use crate::named::{BadOption, Info, OptionInfo};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Number of panels between two keys of a velocity.
const PANELS: u32 = 16;
/// Number of panels in the window of an endless velocity, and of sampled intervals of its path.
const WINDOW_PANELS: u32 = 256;

/// Abscissae and weights on the interval from -1 to 1 (Abramowitz and Stegun, table 25.4).
const GAUSS: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.906_179_845_938_664, 0.236_926_885_056_189_1),
];

const UNTIL: OptionInfo = OptionInfo {
    name: "until",
    range: "a finite time after `from`",
    unit: "time",
    ..OptionInfo::PLAIN
};

const FROM: OptionInfo =
    OptionInfo { name: "from", range: "a finite time", unit: "time", ..OptionInfo::PLAIN };

/// Velocity of a pin.
#[derive(Clone, Debug)]
pub enum Velocity {
    /// Constant velocity.
    Constant(Vec3),
    /// Velocity over time.
    Curve(Arc<dyn Curve>),
}
crate::identity!(
    enum Velocity {
        Constant(value),
        Curve(value),
    }
);

impl Velocity {
    fn at(&self, t: f64) -> Vec3 {
        match self {
            Self::Constant(velocity) => *velocity,
            Self::Curve(curve) => curve.at(t).0,
        }
    }
}

/// A position that follows a velocity.
pub struct Driven {
    start: Vec3,
    velocity: Velocity,
    from: f64,
    until: Option<f64>,
    /// Starts of the panels of a velocity that ends; each piece between keys is divided evenly.
    /// After the last one the velocity is constant.
    knots: Vec<f64>,
    /// Length of the panels of an endless velocity; 0 for others.
    width: f64,
    /// Integrals from the start to the start of each panel, computed on demand.
    sums: Mutex<Vec<Vec3>>,
}
crate::identity!(Driven { start, velocity, from, until; knots, width, sums });

impl Driven {
    const INFO: Info =
        Info { name: "Velocity", summary: "the integral of a velocity", options: &[] };

    /// Creates a pin that rests at `start` until the time `from`, and rests again after `until`.
    pub fn new(start: Vec3, velocity: Velocity, from: f64, until: Option<f64>) -> Self {
        let (mut knots, mut width) = (Vec::new(), 0.0);
        if let Velocity::Curve(curve) = &velocity {
            match curve.extent() {
                Extent::Endless(a, b) => width = (b - a) / f64::from(WINDOW_PANELS),
                Extent::Still | Extent::Bounded(..) => knots = panels(curve.as_ref(), from),
            }
        }
        let sums = Mutex::new(vec![[0.0; 3]]);
        Self { start, velocity, from, until, knots, width, sums }
    }

    /// Returns the start of a panel; `None` after the last one.
    fn knot(&self, index: usize) -> Option<f64> {
        match self.width > 0.0 {
            true => Some(self.from + index as f64 * self.width),
            false => self.knots.get(index).copied(),
        }
    }

    /// Returns the index of the panel that contains a time.
    fn panel(&self, t: f64) -> usize {
        let passed = match self.width > 0.0 {
            true => ((t - self.from) / self.width).floor() as usize + 1,
            false => self.knots.partition_point(|knot| *knot <= t),
        };
        passed.max(1) - 1
    }

    /// Returns the integral of the velocity from `from` to a later time.
    fn integral(&self, t: f64) -> Vec3 {
        let curve = match &self.velocity {
            Velocity::Constant(velocity) => return scaled(*velocity, t - self.from),
            Velocity::Curve(curve) => curve.as_ref(),
        };
        let panel = self.panel(t);
        let mut sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        while let (true, Some(a), Some(b)) =
            (sums.len() <= panel, self.knot(sums.len() - 1), self.knot(sums.len()))
        {
            let before = sums.last().copied().unwrap_or_default();
            sums.push(add(before, gauss(curve, a, b)));
        }
        let before = sums.get(panel).copied().unwrap_or_default();
        let Some(start) = self.knot(panel) else { return before };
        let rest = match self.knot(panel + 1) {
            Some(_) => gauss(curve, start, t),
            None => scaled(curve.at(t).0, t - start),
        };
        add(before, rest)
    }
}

/// Returns the starts of the panels of a velocity, beginning at a time.
fn panels(curve: &dyn Curve, from: f64) -> Vec<f64> {
    let mut times = vec![from];
    times.extend(curve.places().iter().map(|place| place.0).filter(|time| *time > from));
    if times.len() == 1 {
        return times;
    }
    let inner = |pair: &[f64]| {
        let (a, width) = (pair[0], (pair[1] - pair[0]) / f64::from(PANELS));
        (0..PANELS).map(move |panel| a + f64::from(panel) * width).collect::<Vec<_>>()
    };
    let last = times[times.len() - 1];
    times.windows(2).flat_map(inner).chain([last]).collect()
}

/// Returns the integral of a curve's values between two times.
fn gauss(curve: &dyn Curve, a: f64, b: f64) -> Vec3 {
    let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
    let sum = GAUSS
        .iter()
        .fold([0.0; 3], |sum, (x, weight)| along(sum, *weight, curve.at(middle + half * x).0));
    scaled(sum, half)
}

impl Clone for Driven {
    fn clone(&self) -> Self {
        Self::new(self.start, self.velocity.clone(), self.from, self.until)
    }
}

/// Shows the definition of the curve, without computed values.
impl fmt::Debug for Driven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { start, velocity, from, until, .. } = self;
        write!(f, "Velocity({velocity:?}, from {from:?} until {until:?}, at {start:?})")
    }
}

impl Curve for Driven {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        FROM.check(self.from.is_finite())?;
        let is_later = |until: f64| until.is_finite() && until > self.from;
        UNTIL.check(self.until.is_none_or(is_later))?;
        match &self.velocity {
            Velocity::Constant(_) => Ok(()),
            Velocity::Curve(curve) => curve.check(),
        }
    }

    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption> {
        match &self.velocity {
            Velocity::Constant(_) => Ok(()),
            Velocity::Curve(curve) => curve.fits(axes, nodes),
        }
    }

    fn at(&self, t: f64) -> (Vec3, Vec3) {
        if t < self.from {
            return (self.start, [0.0; 3]);
        }
        match self.until {
            Some(until) if t >= until => (add(self.start, self.integral(until)), [0.0; 3]),
            _ => (add(self.start, self.integral(t)), self.velocity.at(t)),
        }
    }

    fn places(&self) -> Vec<(f64, Vec3)> {
        let end = match (self.extent().window(), self.knots.last()) {
            (Some((_, end)), _) | (None, Some(&end)) => end,
            (None, None) => self.from,
        };
        let count = f64::from(WINDOW_PANELS);
        let time = |index: u32| self.from + (end - self.from) * f64::from(index) / count;
        (0..=WINDOW_PANELS).map(|index| (time(index), self.at(time(index)).0)).collect()
    }

    /// Returns the time range of the motion. For a motion without end, this is the window of the
    /// velocity, or the time in which the pin moves by one unit of length.
    fn extent(&self) -> Extent {
        if let Some(until) = self.until {
            return Extent::Bounded(self.from, until);
        }
        let speed = match &self.velocity {
            Velocity::Constant(velocity) => norm(*velocity),
            Velocity::Curve(curve) => {
                let end = curve.extent().window().map_or(self.from, |(_, end)| end);
                if end > self.from {
                    return Extent::Endless(self.from, end);
                }
                norm(curve.at(end).0)
            }
        };
        match speed > 0.0 {
            true => Extent::Endless(self.from, self.from + 1.0 / speed),
            false => Extent::Still,
        }
    }
}
