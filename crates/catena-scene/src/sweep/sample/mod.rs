//! Samples: points of a cube with one side for each axis that is sampled. Any point is computed
//! from its number alone, so shards need no list.

mod permutation;
mod sobol;

use super::super::diagnostic::Fault;
use super::super::read::{FromRon, title};
use catena_ron::Node;
use permutation::{hash, unit};

pub use permutation::permuted;

/// How the points of a sample lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleKind {
    /// Sobol's sequence with the direction numbers of Joe and Kuo (2008), shifted by the seed.
    Sobol,
    /// A Latin hypercube: each of as many slices of a side as there are points has one of them.
    LatinHypercube,
    /// Points that do not know of each other.
    Random,
}

/// The names that sweeps write, and what they mean.
pub const SAMPLES: [(&str, &str); 3] = [
    ("Sobol", "Sobol(count, seed): Sobol's sequence, which fills a cube evenly"),
    ("LatinHypercube", "LatinHypercube(count, seed): a point in each slice of each side"),
    ("Random", "Random(count, seed): points that do not know of each other"),
];

/// The kinds of these names.
const KINDS: [(&str, SampleKind); 3] = [
    (SAMPLES[0].0, SampleKind::Sobol),
    (SAMPLES[1].0, SampleKind::LatinHypercube),
    (SAMPLES[2].0, SampleKind::Random),
];

/// A sample: so many points of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// How its points lie.
    pub kind: SampleKind,
    /// How many there are.
    pub count: u64,
    /// Another seed gives other points.
    pub seed: u64,
}

const EXPECTED: &str = "expected Sobol(count, seed), LatinHypercube(count, seed) or \
Random(count, seed); the seed may be left out";

impl Sample {
    /// Reads `Sobol(1000)`, `Sobol(1000, 7)` or `Sobol(count: 1000, seed: 7)`.
    pub(crate) fn read(node: Node<'_>) -> Result<Self, Fault> {
        let refused = |message: &str| Fault::told(node.span(), message, EXPECTED);
        let (name, place) = title(node).ok_or_else(|| refused("expected a sample"))?;
        let Some((_, kind)) = KINDS.iter().find(|(known, _)| *known == name) else {
            let names = KINDS.map(|(name, _)| name);
            return Err(Fault::unknown("sample", name, &names).at(place));
        };
        let (mut count, mut seed) = (None, 0);
        for (index, child) in node.entries().enumerate() {
            let number = u64::from_ron(child).map_err(|fault| fault.help(EXPECTED))?;
            match (child.name(), index) {
                ("count", _) | ("", 0) => count = Some(number),
                ("seed", _) | ("", 1) => seed = number,
                _ => return Err(refused("a sample has a count and a seed")),
            }
        }
        let count = count.filter(|count| *count > 0);
        let count = count.ok_or_else(|| refused("a sample has one point at least"))?;
        Ok(Self { kind: *kind, count, seed })
    }

    /// The name of its kind.
    pub fn name(&self) -> &'static str {
        KINDS.iter().find(|(_, kind)| *kind == self.kind).map_or("", |(name, _)| name)
    }

    /// The most sides of a cube that it fills.
    pub fn most_sides(&self) -> usize {
        if self.kind == SampleKind::Sobol { sobol::SIDES } else { usize::MAX }
    }

    /// Where a point lies along a side: from 0 to below 1.
    pub fn at(&self, point: u64, side: usize) -> f64 {
        let key = hash(self.seed ^ hash(side as u64 + 1));
        match self.kind {
            SampleKind::Sobol => unit(sobol::bits(point, side) ^ key),
            SampleKind::LatinHypercube => {
                let slice = permuted(point, self.count, key);
                let within = unit(hash(key ^ hash(point)));
                // Rounding must not lead into the next slice of the last point.
                ((slice as f64 + within) / self.count as f64).min(1.0 - f64::EPSILON / 2.0)
            }
            SampleKind::Random => unit(hash(key ^ hash(point))),
        }
    }
}
