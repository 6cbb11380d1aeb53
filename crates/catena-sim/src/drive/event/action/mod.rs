//! What events do, one file each.
//!
//! The `table!` call below is the table: a new action is a file and a line there.

use super::Target;
use crate::body::Model;
use crate::named::{BadOption, Info, OptionInfo, OptionKind, table};
use std::fmt::Debug;

/// Something that can happen to a body.
pub trait Action: Debug + Send + Sync {
    /// Its name and options.
    fn info(&self) -> Info;

    /// Refuses options that are out of range.
    ///
    /// # Errors
    /// The first option that is.
    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    /// Refuses nodes that the body does not have, and vectors that do not have as many components
    /// as space has axes.
    ///
    /// # Errors
    /// The first option that does not fit.
    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption>;

    /// Does it. Returns the nodes at which it happened; none where it happens to the whole body.
    ///
    /// # Errors
    /// Why nothing can happen, as the end of a sentence. The target is unchanged then.
    fn happen(&self, target: &mut dyn Target) -> Result<Vec<usize>, String>;

    /// What it is in words, for tables: its name and the options that are set, by number.
    fn words(&self) -> String;

    /// The spring that it makes, if it makes one.
    fn joint(&self) -> Option<Joint> {
        None
    }
}

/// A spring that an event makes between two nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// One node.
    pub a: usize,
    /// The other.
    pub b: usize,
    /// Force per length of stretch; `None` takes that of the stiffest structural spring.
    pub stiffness: Option<f64>,
    /// Rest length; `None` takes the distance of the nodes when it is made.
    pub length: Option<f64>,
}

impl Joint {
    /// The shortest rest length that is taken from a distance: a tenth of the shortest structural
    /// spring, so that strains of a joint stay of the size of others.
    pub fn least_length(model: &Model) -> f64 {
        let shortest = model.shortest_segment();
        if shortest.is_finite() { 0.1 * shortest } else { 1.0 }
    }
}

table! {
    /// Every action, in the order in which lists show them.
    ACTIONS: Info,
    /// Every action's name, as a scene writes it.
    ACTION_NAMES,
    Action:
    release::Release,
    pin::Pin,
    cut::Cut,
    join::Join,
    impulse::Impulse,
    gravity::Gravity,
    wind::Wind,
}

/// The option of actions on one node.
const NODE: OptionInfo = OptionInfo {
    name: "node",
    summary: "the node: a number, First, Last, Middle, (row, column) or (\"part\", node)",
    default: OptionInfo::NEEDED,
    range: OptionInfo::NODE,
    kind: OptionKind::Node,
    ..OptionInfo::PLAIN
};
