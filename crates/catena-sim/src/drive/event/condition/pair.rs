//! A structural spring as events name it: by its two ends, or by its number.

use crate::body::Model;
use crate::named::{BadOption, OptionInfo, OptionKind};

/// One end.
pub(in crate::drive::event) const A: OptionInfo = OptionInfo {
    name: "a",
    summary: "a node",
    default: OptionInfo::LEFT_OUT,
    range: OptionInfo::NODE,
    kind: OptionKind::Node,
    ..OptionInfo::PLAIN
};

/// The other end.
pub(in crate::drive::event) const B: OptionInfo = OptionInfo {
    name: "b",
    summary: "another node",
    default: OptionInfo::LEFT_OUT,
    range: OptionInfo::NODE,
    kind: OptionKind::Node,
    ..OptionInfo::PLAIN
};

/// Refuses nodes `a` and `b` that a body of so many nodes does not have, or that are one.
pub(in crate::drive::event) fn two_nodes(
    a: usize,
    b: usize,
    nodes: usize,
) -> Result<(), BadOption> {
    A.check(a < nodes)?;
    B.check(b < nodes)?;
    BadOption::unless(a != b, B.name, "another node than `a`")
}

/// The number of a structural spring.
pub(in crate::drive::event) const SPRING: OptionInfo = OptionInfo {
    name: "spring",
    summary: "a structural spring, in place of its nodes `a` and `b`; in a rope, spring i joins nodes i and i + 1",
    default: OptionInfo::LEFT_OUT,
    range: "the number of a structural spring, or its two nodes in `a` and `b`",
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
    /// Whether nothing is named.
    pub(in crate::drive::event) fn is_empty(&self) -> bool {
        (self.a, self.b, self.spring) == (None, None, None)
    }

    /// What is named, as a scene writes it.
    pub(in crate::drive::event) fn words(&self) -> String {
        match (self.a, self.b, self.spring) {
            (Some(a), Some(b), _) => format!("a: {a}, b: {b}"),
            (.., Some(spring)) => format!("spring: {spring}"),
            _ => String::new(),
        }
    }

    /// Refuses all but two nodes or one spring.
    pub(in crate::drive::event) fn check(&self) -> Result<(), BadOption> {
        match (self.a, self.b, self.spring) {
            (Some(_), Some(_), None) | (None, None, Some(_)) => Ok(()),
            _ => SPRING.check(false),
        }
    }

    /// Refuses nodes that the body does not have.
    pub(in crate::drive::event) fn fits(&self, nodes: usize) -> Result<(), BadOption> {
        let is_of_body = |node: Option<usize>| node.is_none_or(|node| node < nodes);
        A.check(is_of_body(self.a))?;
        B.check(is_of_body(self.b))
    }

    /// The structural springs that are named.
    ///
    /// # Errors
    /// What is wrong: there are none.
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
