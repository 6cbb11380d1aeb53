//! Condition on the distance of two nodes.

use super::pair::{A, B, two_nodes};
use super::{ABOVE, BELOW, Condition, Moment, check_bounds, is_beyond};
use crate::body::vector::{norm, sub};
use crate::named::{BadOption, Info};
use serde::Deserialize;

/// Condition that the distance of two nodes is beyond a bound.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Distance {
    /// Index of the first node.
    pub a: usize,
    /// Index of the second node.
    pub b: usize,
    /// Exclusive lower bound: the condition holds at a greater distance.
    #[serde(default)]
    pub above: Option<f64>,
    /// Exclusive upper bound: the condition holds at a smaller distance.
    #[serde(default)]
    pub below: Option<f64>,
}
crate::identity!(Distance { a, b, above, below });

impl Distance {
    pub(super) const INFO: Info = Info {
        name: "Distance",
        summary: "the distance between two nodes is above or below a bound",
        options: &[A, B, ABOVE.in_unit("length"), BELOW.in_unit("length")],
    };
}

impl Condition for Distance {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        check_bounds(self.above, self.below)
    }

    fn fits(&self, _axes: usize, nodes: usize) -> Result<(), BadOption> {
        two_nodes(self.a, self.b, nodes)
    }

    fn holds(&self, moment: &Moment<'_>) -> bool {
        let n = moment.model.nodes();
        let at = |node: usize| moment.state.position(n, node);
        is_beyond(norm(sub(at(self.a), at(self.b))), self.above, self.below)
    }
}
