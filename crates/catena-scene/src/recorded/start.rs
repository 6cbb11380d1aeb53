//! Comparison of the first positions of a file with the initial state of a body. Only this
//! comparison determines the direction of y, and whether nodes are counted from 0 or from 1.

use super::samples::Sample;
use catena_sim::Setup;
use catena_sim::vector::{Vec3, norm, sub};

/// Maximum distance of equal positions, relative to the size of the body. It allows for numbers
/// with six digits.
const EXACT: f64 = 1e-5;
/// Maximum distance from which the direction of y is determined, relative to the size of the body.
const NEAR: f64 = 0.02;
/// Maximum distance after multiplication by a factor, as a fraction of the size of the body times
/// the difference between the factor and 1.
const UNEXPLAINED: f64 = 0.05;
/// Maximum distance of proportional positions, relative to the size of the body.
const PROPORTIONAL: f64 = 1e-3;
/// Minimum ratio between the distances of two readings at which the nearer reading is chosen.
const CLEARLY: f64 = 5.0;

/// Initial positions of a body.
pub(super) struct Start<'a> {
    pub(super) setup: &'a Setup,
    positions: Vec<Vec3>,
    /// Maximum extent of the body along an axis.
    pub(super) extent: f64,
    /// Maximum of the extent and the magnitudes of all coordinates.
    size: f64,
}

/// Result of a comparison of two readings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Verdict {
    First,
    Second,
    /// Both readings are equally near.
    Same,
    /// Neither reading is near.
    Neither,
}

impl<'a> Start<'a> {
    pub(super) fn of(setup: &'a Setup) -> Self {
        let n = setup.model.nodes();
        let positions: Vec<Vec3> = (0..n).map(|node| setup.initial.position(n, node)).collect();
        let range = |axis: usize| {
            let values = positions.iter().map(|place| place[axis]);
            let minimum = values.clone().fold(f64::INFINITY, f64::min);
            let maximum = values.fold(f64::NEG_INFINITY, f64::max);
            (maximum - minimum).max(0.0)
        };
        let extent = (0..3).map(range).fold(0.0, f64::max);
        let size =
            positions.iter().flatten().fold(extent, |maximum, value| maximum.max(value.abs()));
        let extent = if extent > 0.0 { extent } else { size };
        Self { setup, positions, extent, size }
    }

    /// Returns the initial position of a node.
    pub(super) fn of_node(&self, node: usize) -> Option<Vec3> {
        self.positions.get(node).copied()
    }

    /// Returns the maximum distance of samples from the initial state. Each sample has its node.
    pub(super) fn distance(&self, samples: impl Iterator<Item = (usize, Vec3)>) -> f64 {
        samples.fold(0.0, |maximum, (node, place)| {
            let known = self.positions.get(node);
            maximum.max(known.map_or(f64::INFINITY, |known| norm(sub(*known, place))))
        })
    }

    /// Whether a distance is within the rounding of printed numbers.
    pub(super) fn is_exact(&self, distance: f64) -> bool {
        distance <= EXACT * self.size
    }

    /// Compares the distances of two readings.
    pub(super) fn judge(&self, first: f64, second: f64) -> Verdict {
        let (near, minimum) = (NEAR * self.extent, 1e-9 * self.size);
        let is_clear = |a: f64, b: f64| a <= near && b > CLEARLY * a + minimum;
        match () {
            () if is_clear(first, second) => Verdict::First,
            () if is_clear(second, first) => Verdict::Second,
            () if first <= near => Verdict::Same,
            () => Verdict::Neither,
        }
    }

    /// Returns the factor that maps the positions of samples to positions of the initial state.
    /// Each sample is a node with its position. Returns `None` if no factor does so, or it is 1.
    pub(super) fn factor(&self, samples: &[(usize, Vec3)]) -> Option<f64> {
        let known = |node: usize| self.positions.get(node).copied();
        let pairs: Vec<(Vec3, Vec3)> =
            samples.iter().filter_map(|(node, place)| Some((*place, known(*node)?))).collect();
        let factor = proportion(&pairs, self.size).filter(|factor| *factor > 0.0);
        factor.filter(|_| pairs.len() == samples.len())
    }

    /// Returns the only node whose initial position is `place`, up to the rounding of printed
    /// numbers. Returns `None` if there are no such nodes or several.
    pub(super) fn node_at(&self, place: Vec3) -> Option<usize> {
        let mut found = (0..self.positions.len())
            .filter(|node| self.is_exact(norm(sub(self.positions[*node], place))));
        found.next().filter(|_| found.next().is_none())
    }
}

/// Returns the factor that maps the first position of each pair to the second. `size` is the
/// magnitude of the positions. Returns `None` if no factor does so, or it is 1.
pub fn proportion(pairs: &[(Vec3, Vec3)], size: f64) -> Option<f64> {
    let dot = |a: Vec3, b: Vec3| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let squares: f64 = pairs.iter().map(|(from, _)| dot(*from, *from)).sum();
    let factor = pairs.iter().map(|(from, to)| dot(*from, *to)).sum::<f64>() / squares;
    let difference = (factor - 1.0).abs();
    let left = pairs.iter().map(|(from, to)| norm(sub(from.map(|it| it * factor), *to)));
    // Noise has all directions and remains, while a factor between units explains everything.
    let maximum = PROPORTIONAL.min(UNEXPLAINED * difference);
    let is_near = left.fold(0.0, f64::max) <= maximum * size;
    (is_near && factor.is_finite() && difference > PROPORTIONAL).then_some(factor)
}

/// Returns the samples of the first time of a file.
pub(super) fn first(samples: &[Sample]) -> &[Sample] {
    let count = samples.iter().take_while(|it| it.at == samples[0].at).count();
    &samples[..count]
}
