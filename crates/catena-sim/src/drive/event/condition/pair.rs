//! A structural spring in an event, given by its two nodes or by its index.

use crate::body::Model;
use crate::named::{BadOption, OptionInfo, OptionKind};

/// First node of the spring.
pub(in crate::drive::event) const A: OptionInfo = OptionInfo {
    name: "a",
    summary: "first node",
    default: OptionInfo::LEFT_OUT,
    range: OptionInfo::NODE,
    kind: OptionKind::Node,
    ..OptionInfo::PLAIN
};

/// Second node of the spring.
pub(in crate::drive::event) const B: OptionInfo = OptionInfo {
    name: "b",
    summary: "second node",
    default: OptionInfo::LEFT_OUT,
    range: OptionInfo::NODE,
    kind: OptionKind::Node,
    ..OptionInfo::PLAIN
};

/// Returns an error if `a` and `b` are the same node, or not among the body's `nodes` nodes.
pub(in crate::drive::event) fn two_nodes(
    a: usize,
    b: usize,
    nodes: usize,
) -> Result<(), BadOption> {
    A.check(a < nodes)?;
    B.check(b < nodes)?;
    BadOption::unless(a != b, B.name, "another node than `a`")
}

/// Index of a structural spring.
pub(in crate::drive::event) const SPRING: OptionInfo = OptionInfo {
    name: "spring",
    summary: "number of a structural spring, instead of its nodes `a` and `b`; in a rope, spring i joins nodes i and i + 1",
    default: OptionInfo::LEFT_OUT,
    range: "the number of a structural spring; or its two nodes in `a` and `b`",
    ..OptionInfo::PLAIN
};

/// Two neighbouring nodes, or a spring.
#[derive(Clone, Copy, Debug)]
pub(in crate::drive::event) struct Pair {
    pub(in crate::drive::event) a: Option<usize>,
    pub(in crate::drive::event) b: Option<usize>,
    pub(in crate::drive::event) spring: Option<usize>,
}

impl Pair {
    /// Whether neither nodes nor a spring are given.
    pub(in crate::drive::event) fn is_empty(&self) -> bool {
        (self.a, self.b, self.spring) == (None, None, None)
    }

    /// Returns the fields that are set, as written in scenes.
    pub(in crate::drive::event) fn words(&self) -> String {
        match (self.a, self.b, self.spring) {
            (Some(a), Some(b), _) => format!("a: {a}, b: {b}"),
            (.., Some(spring)) => format!("spring: {spring}"),
            _ => String::new(),
        }
    }

    /// Returns an error unless either two nodes or one spring are given.
    pub(in crate::drive::event) fn check(&self) -> Result<(), BadOption> {
        match (self.a, self.b, self.spring) {
            (Some(_), Some(_), None) | (None, None, Some(_)) => Ok(()),
            _ => SPRING.check(false),
        }
    }

    /// Returns an error for nodes that the body does not have.
    pub(in crate::drive::event) fn fits(&self, nodes: usize) -> Result<(), BadOption> {
        let is_of_body = |node: Option<usize>| node.is_none_or(|node| node < nodes);
        A.check(is_of_body(self.a))?;
        B.check(is_of_body(self.b))
    }

    /// Returns the structural springs of this pair.
    ///
    /// # Errors
    /// A message if there are none.
    pub(in crate::drive::event) fn springs(&self, model: &Model) -> Result<Vec<usize>, String> {
        if let (Some(a), Some(b)) = (self.a, self.b) {
            let all = model.structural_between(a, b);
            if all.is_empty() {
                return Err(format!("no structural spring joins nodes {a} and {b}"));
            }
            return Ok(all);
        }
        match self.spring {
            Some(spring) if spring < model.structural => Ok(vec![spring]),
            _ if model.structural == 0 => Err("the body has no structural springs".into()),
            _ => {
                let last = model.structural - 1;
                Err(format!("structural springs are numbered from 0 to {last}"))
            }
        }
    }
}
