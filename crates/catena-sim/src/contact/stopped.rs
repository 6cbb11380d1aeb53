//! A pin that stops at colliders, like the connection point of a rope at the ground. Source: NeHe,
//! lesson 40.
//!
//! A position inside a collider is moved to the closest point of its surface, at the contact
//! radius. There the pin loses the velocity into the surface and keeps the velocity along it.
//!
//! A pin on a curve follows the curve again as soon as the curve is outside the colliders. A pin
//! that is moved by a velocity continues from the position where it was stopped. Such a pin is
//! stopped at the end of each step of a run.

use super::collider::Collider;
use crate::body::vector::{Vec3, add, along, dot, greatest, sub};
use crate::drive::curve::Curve;
use crate::drive::track::Extent;
use crate::named::{BadOption, Info};
use glam::DQuat;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Relative rounding error of distances and times. A pin within this distance counts as touching.
const CLOSE: f64 = 64.0 * f64::EPSILON;

/// Maximum number of passes over the colliders, for corners between several colliders.
const PASSES: usize = 8;

/// Number of steps between cached sums. Sums between them are recomputed.
const KEPT: u64 = 256;

/// Steps of a run. A pin that is moved by a velocity stops at their ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StopSteps {
    /// Time of the first step.
    pub start: f64,
    /// Length of a step.
    pub dt: f64,
}

/// A curve that ends at the surfaces of colliders.
pub struct Stopped {
    curve: Arc<dyn Curve>,
    colliders: Vec<Arc<dyn Collider>>,
    radius: f64,
    /// Steps at whose ends a pin that is moved by a velocity stops; `None` for a pin on a curve.
    steps: Option<StopSteps>,
    cache: Mutex<Stops>,
}
crate::identity!(Stopped { curve, colliders, radius; steps, cache });

/// Sums of all displacements by colliders.
#[derive(Clone, Debug, Default)]
struct Stops {
    /// Sums before steps 0, [`KEPT`], 2 [`KEPT`] and so on.
    kept: Vec<Vec3>,
    /// Last requested step, and the sum before it.
    last: (u64, Vec3),
}

impl Stopped {
    /// Creates a curve that stops at a distance of `radius` from colliders. `steps` are the steps
    /// of the run for a pin that is moved by a velocity, and `None` for a pin on a curve.
    pub fn new(
        curve: Arc<dyn Curve>,
        colliders: Vec<Arc<dyn Collider>>,
        radius: f64,
        steps: Option<StopSteps>,
    ) -> Self {
        Self { curve, colliders, radius, steps, cache: Mutex::default() }
    }

    /// Returns the closest point outside of all colliders at a time.
    fn outside(&self, t: f64, point: Vec3) -> Vec3 {
        let mut point = point;
        for _ in 0..PASSES {
            let before = point;
            for collider in &self.colliders {
                let (distance, normal) = collider.distance_at(t, point);
                if distance < self.radius {
                    point = along(point, self.radius - distance, normal);
                }
            }
            if point == before {
                break;
            }
        }
        point
    }

    /// Returns the velocity without its part into touching surfaces.
    fn along_surfaces(&self, t: f64, point: Vec3, velocity: Vec3) -> Vec3 {
        let close = CLOSE * (greatest(point) + self.radius);
        let mut velocity = velocity;
        for collider in &self.colliders {
            let (distance, normal) = collider.distance_at(t, point);
            if distance - self.radius > close {
                continue;
            }
            let moves = collider.frame_at(t, point).map(|frame| frame.velocity_at(point));
            let into = dot(normal, sub(velocity, moves.unwrap_or_default()));
            if into < 0.0 {
                velocity = along(velocity, -into, normal);
            }
        }
        velocity
    }

    /// Returns the sum of all displacements up to the last end of a step before a time.
    fn displacement(&self, steps: StopSteps, t: f64) -> Vec3 {
        let count = ((t - steps.start) / steps.dt * (1.0 - CLOSE)).floor().max(0.0) as u64;
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut step, mut sum) = cache.last;
        if step > count {
            let kept = (count / KEPT).min(cache.kept.len().max(1) as u64 - 1);
            step = kept * KEPT;
            sum = cache.kept.get(kept as usize).copied().unwrap_or_default();
        }
        while step < count {
            if step.is_multiple_of(KEPT) && cache.kept.len() as u64 == step / KEPT {
                cache.kept.push(sum);
            }
            step += 1;
            let end = steps.start + step as f64 * steps.dt;
            let free = add(self.curve.at(end).0, sum);
            let stopped = self.outside(end, free);
            // A pin that is not displaced keeps the exact integral.
            if stopped != free {
                sum = add(sum, sub(stopped, free));
            }
        }
        cache.last = (step, sum);
        sum
    }
}

impl Clone for Stopped {
    fn clone(&self) -> Self {
        let Self { curve, colliders, radius, steps, .. } = self;
        Self::new(Arc::clone(curve), colliders.clone(), *radius, *steps)
    }
}

/// Shows the definition of the curve without its cache.
impl fmt::Debug for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { curve, colliders, radius, .. } = self;
        write!(f, "{curve:?} stops at {colliders:?} at {radius:?}")
    }
}

impl Curve for Stopped {
    fn info(&self) -> Info {
        self.curve.info()
    }

    fn check(&self) -> Result<(), BadOption> {
        self.curve.check()
    }

    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption> {
        self.curve.fits(axes, nodes)
    }

    fn at(&self, t: f64) -> (Vec3, Vec3) {
        let (free, velocity) = self.curve.at(t);
        let moved = self.steps.map_or(free, |steps| add(free, self.displacement(steps, t)));
        let point = self.outside(t, moved);
        (point, self.along_surfaces(t, point, velocity))
    }

    fn places(&self) -> Vec<(f64, Vec3)> {
        self.curve.places().into_iter().map(|(t, _)| (t, self.at(t).0)).collect()
    }

    fn extent(&self) -> Extent {
        let motions = self.colliders.iter().filter_map(|collider| collider.motion());
        self.curve.extent().with(Extent::of_all(motions.map(|motion| motion.extent())))
    }

    fn turn(&self, t: f64) -> Option<DQuat> {
        self.curve.turn(t)
    }

    fn jumps(&self) -> bool {
        self.curve.jumps()
    }

    fn with_step(&self, dt: f64) -> Option<Arc<dyn Curve>> {
        let steps = StopSteps { dt, ..self.steps? };
        let (curve, colliders) = (Arc::clone(&self.curve), self.colliders.clone());
        Some(Arc::new(Self::new(curve, colliders, self.radius, Some(steps))))
    }
}
