//! Comparison of the first positions of a file with the initial state of a body. Only this decides
//! between directions of y, and between counting from 0 and from 1.

use super::samples::Sample;
use catena_sim::Setup;
use catena_sim::vector::{Vec3, norm, sub};

/// Largest distance, relative to the size of the body, of positions that programs print with six
/// digits.
const EXACT: f64 = 1e-5;
/// Largest distance, relative to the size of the body, that decides the direction of y.
const NEAR: f64 = 0.02;
/// Share of the difference between the positions of a file and of a scene that a factor leaves, at
/// most.
const UNEXPLAINED: f64 = 0.05;
/// Largest distance of proportional positions, relative to the size of the body.
const PROPORTIONAL: f64 = 1e-3;
/// Factor between the distances of two readings of which the nearer one is right.
const CLEARLY: f64 = 5.0;

/// Initial positions of a body.
pub(super) struct Start<'a> {
    pub(super) setup: &'a Setup,
    positions: Vec<Vec3>,
    /// Largest extent of the body.
    pub(super) extent: f64,
    /// Largest coordinate or extent.
    size: f64,
}

/// Result of a comparison of two readings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Verdict {
    First,
    Second,
    /// Both are equally near.
    Same,
    /// Neither is near.
    Neither,
}

impl<'a> Start<'a> {
    pub(super) fn of(setup: &'a Setup) -> Self {
        let n = setup.model.nodes();
        let positions: Vec<Vec3> = (0..n).map(|node| setup.initial.position(n, node)).collect();
        let range = |axis: usize| {
            let values = positions.iter().map(|place| place[axis]);
            let least = values.clone().fold(f64::INFINITY, f64::min);
            let most = values.fold(f64::NEG_INFINITY, f64::max);
            (most - least).max(0.0)
        };
        let extent = (0..3).map(range).fold(0.0, f64::max);
        let size = positions.iter().flatten().fold(extent, |most, value| most.max(value.abs()));
        let extent = if extent > 0.0 { extent } else { size };
        Self { setup, positions, extent, size }
    }

    /// Initial position of a node.
    pub(super) fn of_node(&self, node: usize) -> Option<Vec3> {
        self.positions.get(node).copied()
    }

    /// Largest distance of samples from the initial state, with the node of each.
    pub(super) fn distance(&self, samples: impl Iterator<Item = (usize, Vec3)>) -> f64 {
        samples.fold(0.0, |most, (node, place)| {
            let known = self.positions.get(node);
            most.max(known.map_or(f64::INFINITY, |known| norm(sub(*known, place))))
        })
    }

    /// Whether a distance is within the rounding of printed numbers.
    pub(super) fn is_exact(&self, distance: f64) -> bool {
        distance <= EXACT * self.size
    }

    /// Compares the distances of two readings.
    pub(super) fn judge(&self, first: f64, second: f64) -> Verdict {
        let (near, least) = (NEAR * self.extent, 1e-9 * self.size);
        let is_clear = |a: f64, b: f64| a <= near && b > CLEARLY * a + least;
        match () {
            () if is_clear(first, second) => Verdict::First,
            () if is_clear(second, first) => Verdict::Second,
            () if first <= near => Verdict::Same,
            () => Verdict::Neither,
        }
    }

    /// Factor by which positions have to be multiplied to be those of the initial state, with the
    /// node of each. `None` if there is none, or it is 1.
    pub(super) fn factor(&self, samples: &[(usize, Vec3)]) -> Option<f64> {
        let known = |node: usize| self.positions.get(node).copied();
        let pairs: Vec<(Vec3, Vec3)> =
            samples.iter().filter_map(|(node, place)| Some((*place, known(*node)?))).collect();
        let factor = proportion(&pairs, self.size).filter(|factor| *factor > 0.0);
        factor.filter(|_| pairs.len() == samples.len())
    }

    /// Node whose initial position a point has, within the rounding of printed numbers.
    pub(super) fn node_at(&self, place: Vec3) -> Option<usize> {
        let mut found = (0..self.positions.len())
            .filter(|node| self.is_exact(norm(sub(self.positions[*node], place))));
        found.next().filter(|_| found.next().is_none())
    }
}

/// Factor by which the first positions of all pairs have to be multiplied to be the second ones,
/// for positions of this size. `None` if there is none, or it is 1.
pub fn proportion(pairs: &[(Vec3, Vec3)], size: f64) -> Option<f64> {
    let dot = |a: Vec3, b: Vec3| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let squares: f64 = pairs.iter().map(|(from, _)| dot(*from, *from)).sum();
    let factor = pairs.iter().map(|(from, to)| dot(*from, *to)).sum::<f64>() / squares;
    let difference = (factor - 1.0).abs();
    let left = pairs.iter().map(|(from, to)| norm(sub(from.map(|it| it * factor), *to)));
    // Noise is in all directions, and other units leave none.
    let most = PROPORTIONAL.min(UNEXPLAINED * difference);
    let is_near = left.fold(0.0, f64::max) <= most * size;
    (is_near && factor.is_finite() && difference > PROPORTIONAL).then_some(factor)
}

/// Samples of the first time of a file.
pub(super) fn first(samples: &[Sample]) -> &[Sample] {
    let count = samples.iter().take_while(|it| it.at == samples[0].at).count();
    &samples[..count]
}
