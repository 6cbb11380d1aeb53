//! Cuts a structural spring. Shear and bending springs break with it if no two unbroken structural
//! springs connect their ends any more.

use super::{Action, Target};
use crate::drive::event::condition::{A, B, Pair, SPRING};
use crate::named::{BadOption, Info};
use serde::Deserialize;

/// Action that cuts springs: all springs between two neighbours, or one spring by its index.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cut {
    /// Index of a node.
    #[serde(default)]
    pub a: Option<usize>,
    /// Index of its neighbour.
    #[serde(default)]
    pub b: Option<usize>,
    /// Index of the spring. In a rope, spring i joins nodes i and i + 1.
    #[serde(default)]
    pub spring: Option<usize>,
}
crate::identity!(Cut { a, b, spring });

impl Cut {
    pub(super) const INFO: Info = Info {
        name: "Cut",
        summary: "cuts a spring, given by its two nodes or its number",
        options: &[A, B, SPRING],
    };

    /// Creates a cut between two neighbouring nodes.
    pub fn between(a: usize, b: usize) -> Self {
        Self { a: Some(a), b: Some(b), spring: None }
    }

    fn pair(&self) -> Pair {
        Pair { a: self.a, b: self.b, spring: self.spring }
    }
}

impl Action for Cut {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        self.pair().check()
    }

    fn fits(&self, _axes: usize, nodes: usize) -> Result<(), BadOption> {
        self.pair().fits(nodes)
    }

    fn words(&self) -> String {
        format!("Cut({})", self.pair().words())
    }

    fn happen(&self, target: &mut dyn Target) -> Result<Vec<usize>, String> {
        let springs = self.pair().springs(target.model())?;
        let unbroken: Vec<usize> =
            springs.iter().copied().filter(|&spring| target.is_whole(spring)).collect();
        let Some(&first) = unbroken.first() else {
            return Err("the spring is already cut".into());
        };
        let ends = target.model().springs[first];
        unbroken.into_iter().for_each(|spring| target.cut(spring));
        Ok(vec![ends.a, ends.b])
    }
}
