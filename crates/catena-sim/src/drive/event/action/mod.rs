//! Actions of events, one file each.
//!
//! To add an action, add a file and a line in the `table!` call below.

use super::Target;
use crate::body::Model;
use crate::identity::Identity;
use crate::named::{BadOption, Info, OptionInfo, OptionKind, table};
use std::fmt::Debug;

/// A change that an event can make.
pub trait Action: Debug + Identity + Send + Sync {
    /// Returns the name and options.
    fn info(&self) -> Info;

    /// Checks the ranges of the options.
    ///
    /// # Errors
    /// The first option that is out of range.
    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    /// Checks that the body has the nodes, and that vectors have one component per axis.
    ///
    /// # Errors
    /// The first option that does not fit.
    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption>;

    /// Applies the action. Returns the affected nodes; none if it affects the whole body.
    ///
    /// # Errors
    /// The reason why it has no effect, as the end of a sentence. The target is then unchanged.
    fn happen(&self, target: &mut dyn Target) -> Result<Vec<usize>, String>;

    /// Returns a description for tables: the name and the options that are set, with node indices.
    fn words(&self) -> String;

    /// Returns the spring that the action creates; `None` if it creates none.
    fn joint(&self) -> Option<Joint> {
        None
    }

    /// Returns the change of a rope's length; `None` for other actions.
    fn reel(&self) -> Option<&Reel> {
        None
    }
}

/// A spring that an event creates between two nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// Index of the first node.
    pub a: usize,
    /// Index of the second node.
    pub b: usize,
    /// Stiffness in force per length; `None` for the maximum stiffness of the structural springs.
    pub stiffness: Option<f64>,
    /// Rest length; `None` for the distance of the nodes when they are joined.
    pub length: Option<f64>,
}

impl Joint {
    /// Returns the minimum rest length that is derived from a distance. A tenth of the shortest
    /// structural spring keeps the strains of a joint comparable to the strains of other springs.
    pub fn least_length(model: &Model) -> f64 {
        let shortest = model.shortest_segment();
        if shortest.is_finite() { 0.1 * shortest } else { 1.0 }
    }
}

table! {
    /// All actions, in the order of listings.
    ACTIONS: Info,
    /// Names of all actions, as written in scenes.
    ACTION_NAMES,
    Action:
    release::Release,
    pin::Pin,
    cut::Cut,
    join::Join,
    impulse::Impulse,
    gravity::Gravity,
    wind::Wind,
    winch::Winch,
    reel::Reel,
}

/// Option of actions on one node.
const NODE: OptionInfo = OptionInfo {
    name: "node",
    summary: "node: a number, First, Last, Middle, (row, column) or (\"part\", node)",
    default: OptionInfo::NEEDED,
    range: OptionInfo::NODE,
    kind: OptionKind::Node,
    ..OptionInfo::PLAIN
};
