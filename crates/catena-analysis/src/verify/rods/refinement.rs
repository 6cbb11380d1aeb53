//! Errors of rods at rest against the number of their segments.

use super::{bends, buckling, order_of};
use crate::verify::check::CheckSetups;

/// A quantity of a rod for increasing numbers of segments.
#[derive(Clone, Debug, PartialEq)]
pub struct Refinement {
    /// Name of the quantity.
    pub name: &'static str,
    /// Value of the continuum.
    pub exact: f64,
    /// Numbers of segments, each with the measured value.
    pub values: Vec<(usize, f64)>,
}

impl Refinement {
    /// Relative error of a value.
    pub fn error(&self, value: f64) -> f64 {
        (value / self.exact - 1.0).abs()
    }

    /// Order of the error between consecutive numbers of segments.
    pub fn orders(&self) -> Vec<f64> {
        let pair = |pair: &[(usize, f64)]| order_of([pair[0].1, pair[1].1], self.exact);
        self.values.windows(2).map(pair).collect()
    }
}

/// Measures quantities of rods whose errors are of order 2. Each number of segments is twice the
/// previous one; a ring has 5/4 times as many. A ring with few segments does not buckle within the
/// range of the search and gives no value.
pub fn refinements(segments: &[usize]) -> Vec<Refinement> {
    type Measure = fn(&CheckSetups<'_>, usize) -> Option<(usize, f64)>;
    let cases: [(&'static str, f64, Measure); 3] = [
        ("elastica, PL²/EI = 1: fall of the tip", bends::ELASTICA[0].1, |setups, segments| {
            Some((segments, bends::elastica(setups, segments, 1.0)?[1]))
        }),
        ("45° bend: displacement from the centre", bends::BEND[0].1, |setups, segments| {
            Some((segments, bends::bend(setups, segments, bends::SQUARE)?[0]))
        }),
        ("ring of Michell: twist at which it leaves its plane", buckling::MICHELL, |setups, s| {
            Some((5 * s / 4, buckling::ring(setups, 5 * s / 4)?))
        }),
    ];
    let setups = &CheckSetups::default();
    let case = |(name, exact, measure): (&'static str, f64, Measure)| {
        let values = segments.iter().filter_map(|&count| measure(setups, count)).collect();
        Refinement { name, exact, values }
    };
    cases.into_iter().map(case).collect()
}
