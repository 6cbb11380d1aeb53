//! A line in space, and nodes on it at equal distances.

use super::walk::{Track, equal_chords};
use crate::body::vector::{Vec3, norm, sub};
use std::fmt;

/// A map from numbers from 0 to 1 to positions.
pub type Map = Box<dyn Fn(f64) -> Vec3 + Send + Sync>;

/// Geometry of a line.
pub enum Geometry {
    /// Straight from one end of the rope to the other.
    Straight,
    /// A map whose chords are equal for equal steps: a circle, a helix.
    Even(Map),
    /// A smooth map, whose chords may differ for equal steps.
    Smooth(Map),
    /// Straight segments from point to point; at least two points.
    Corners(Vec<Vec3>),
}

/// A line along which a rope is placed.
#[derive(Debug)]
pub struct Line {
    /// Geometry of the line.
    pub geometry: Geometry,
    /// Whether the line is a ring. A map must then have one position at 0 and 1, and corners return
    /// to the first one.
    pub is_closed: bool,
}

impl Line {
    /// Creates an open line.
    pub fn open(geometry: Geometry) -> Self {
        Self { geometry, is_closed: false }
    }

    /// Returns positions of `count` nodes, with equal distances between neighbours. The first and
    /// the last are at the ends of an open line. `None` for a straight line, whose ends only the
    /// rope knows, and for a line of length 0.
    pub fn nodes(&self, count: usize) -> Option<Vec<Vec3>> {
        let parts = if self.is_closed { count } else { count - 1 };
        match &self.geometry {
            Geometry::Straight => None,
            Geometry::Even(map) => Some((0..count).map(|i| map(i as f64 / parts as f64)).collect()),
            Geometry::Smooth(map) => {
                let samples = (4 * parts).clamp(2048, 1 << 20);
                let place = |i: usize| map(i as f64 / samples as f64);
                equal_chords(&Track::new(map, lengths(samples, place), self.is_closed), parts)
            }
            Geometry::Corners(points) => {
                let steps = if self.is_closed { points.len() } else { points.len() - 1 };
                let place = |i: usize| points[i % points.len()];
                let map = |share: f64| {
                    let at = share * steps as f64;
                    let index = (at as usize).min(steps - 1);
                    let (from, to) = (place(index), place(index + 1));
                    let share = at - index as f64;
                    [0, 1, 2].map(|axis| from[axis] + (to[axis] - from[axis]) * share)
                };
                equal_chords(&Track::new(&map, lengths(steps, place), self.is_closed), parts)
            }
        }
    }
}

/// Returns the lengths from the start of a line to each of its samples.
fn lengths(samples: usize, place: impl Fn(usize) -> Vec3) -> Vec<f64> {
    let mut all = Vec::with_capacity(samples + 1);
    all.push(0.0);
    let (mut sum, mut before) = (0.0, place(0));
    for i in 1..=samples {
        let here = place(i);
        sum += norm(sub(here, before));
        all.push(sum);
        before = here;
    }
    all
}

impl fmt::Debug for Geometry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Straight => f.write_str("Straight"),
            Self::Even(_) => f.write_str("Even"),
            Self::Smooth(_) => f.write_str("Smooth"),
            Self::Corners(points) => f.debug_tuple("Corners").field(points).finish(),
        }
    }
}
