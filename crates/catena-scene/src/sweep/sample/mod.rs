//! Samples: points of a cube with one side per sampled axis. A point depends only on its number, so
//! shards need no shared list.

mod sequences;

pub use sequences::permuted;

use super::super::diagnostic::Fault;
use super::super::read::{title, whole};
use catena_ron::Node;
use sequences::{SOBOL_SIDES, hash, sobol_bits, unit};

/// Distribution of the points of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleKind {
    /// Sobol's sequence with the direction numbers of Joe and Kuo (2008), shifted by the seed.
    Sobol,
    /// Latin hypercube: each side is divided into one slice per point, and each slice contains one
    /// point.
    LatinHypercube,
    /// Independent random points.
    Random,
}

/// Names in sweep files, with their meanings.
pub const SAMPLES: [(&str, &str); 3] = [
    ("Sobol", "Sobol(count, seed): Sobol's sequence, which fills a cube evenly"),
    ("LatinHypercube", "LatinHypercube(count, seed): one point in each slice of each axis"),
    ("Random", "Random(count, seed): independent points"),
];

/// Kind of each name.
const KINDS: [(&str, SampleKind); 3] = [
    (SAMPLES[0].0, SampleKind::Sobol),
    (SAMPLES[1].0, SampleKind::LatinHypercube),
    (SAMPLES[2].0, SampleKind::Random),
];

/// Sample with a kind, a count and a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Distribution of its points.
    pub kind: SampleKind,
    /// Number of points.
    pub count: u64,
    /// Seed; different seeds give different points.
    pub seed: u64,
}

const EXPECTED: &str = "expected Sobol(count, seed), LatinHypercube(count, seed) or \
Random(count, seed); the seed is optional";

impl Sample {
    /// Reads `Sobol(1000)`, `Sobol(1000, 7)` or `Sobol(count: 1000, seed: 7)`.
    pub(crate) fn read(node: Node<'_>) -> Result<Self, Fault> {
        let refused = |message: &str| Fault::with_help(node.span(), message, EXPECTED);
        let (name, place) = title(node).ok_or_else(|| refused("expected a sample"))?;
        let Some((_, kind)) = KINDS.iter().find(|(known, _)| *known == name) else {
            let names = KINDS.map(|(name, _)| name);
            return Err(Fault::unknown("sample", name, &names).at(place));
        };
        let (mut count, mut seed) = (None, 0);
        for (index, child) in node.entries().enumerate() {
            let number = |what| whole(child, what, 0).map_err(|fault| fault.help(EXPECTED));
            match (child.name(), index) {
                ("count", _) | ("", 0) => count = Some(number("the count")?),
                ("seed", _) | ("", 1) => seed = number("the seed")?,
                _ => return Err(refused("a sample takes a count and an optional seed")),
            }
        }
        let count = count.filter(|count| *count > 0);
        let count = count.ok_or_else(|| refused("a sample needs at least one point"))?;
        Ok(Self { kind: *kind, count, seed })
    }

    /// Returns the name of the sample's kind.
    pub fn name(&self) -> &'static str {
        KINDS.iter().find(|(_, kind)| *kind == self.kind).map_or("", |(name, _)| name)
    }

    /// Maximum number of dimensions of the sample.
    pub fn max_sides(&self) -> usize {
        if self.kind == SampleKind::Sobol { SOBOL_SIDES } else { usize::MAX }
    }

    /// Returns the position of a point along a side, from 0 to below 1.
    pub fn at(&self, point: u64, side: usize) -> f64 {
        let key = hash(self.seed ^ hash(side as u64 + 1));
        match self.kind {
            SampleKind::Sobol => unit(sobol_bits(point, side) ^ key),
            SampleKind::LatinHypercube => {
                let slice = permuted(point, self.count, key);
                let within = unit(hash(key ^ hash(point)));
                // Rounding must not move the last point to 1.
                ((slice as f64 + within) / self.count as f64).min(1.0 - f64::EPSILON / 2.0)
            }
            SampleKind::Random => unit(hash(key ^ hash(point))),
        }
    }
}
