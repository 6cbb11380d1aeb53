//! Long-range tethers: no free node is farther from its pin than the length of the path along
//! springs at rest.
//!
//! The path is the shortest one along structural springs to the nearest pin; the first pin wins a
//! tie. A node that is too far is moved back along the straight line to its pin. Tethers only pull:
//! a node may be nearer. One application replaces many sweeps of a projection along springs, for
//! any number of nodes. Source: Kim, Chentanez, Müller-Fischer 2012, "Long Range Attachments".

use super::reaction::Listener;
use crate::body::Model;
use crate::body::paths::{Neighbours, Path};
use crate::force::System;
use crate::named::{OptionInfo, OptionKind};

/// Option of methods with tethers.
pub(crate) const TETHERS: OptionInfo = OptionInfo {
    name: "tethers",
    summary: "keeps every free node within the rest length of the path along springs to its nearest pin",
    default: "false",
    range: "true or false",
    kind: OptionKind::Boolean,
    ..OptionInfo::PLAIN
};

/// The tether of one node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tether {
    /// The free node.
    pub node: usize,
    /// The nearest pin of the node.
    pub pin: usize,
    /// Maximum distance between node and pin, above 0.
    pub reach: f64,
}

/// Tethers of a body. A node without a connection to a pin has none.
#[derive(Clone, Debug)]
pub struct Tethers {
    list: Vec<Tether>,
    /// Broken springs that the list takes into account.
    broken: Vec<bool>,
    /// Changes of rest lengths that the list takes into account.
    length_changes: u64,
}

impl Tethers {
    /// Creates the tethers of a body without broken springs.
    pub fn new(model: &Model) -> Self {
        Self { list: tethers(model, &[]), broken: Vec::new(), length_changes: 0 }
    }

    /// All tethers, in the order of the nodes.
    pub fn list(&self) -> &[Tether] {
        &self.list
    }

    /// Moves back every node that is too far from its pin. The pins in `x` must be in place. Takes
    /// into account which springs broke and which rest lengths changed since the last call.
    pub(crate) fn apply(
        &mut self,
        system: &System<'_>,
        x: &mut [f64],
        listener: &mut impl Listener,
    ) {
        let model = system.model;
        let length_changes = system.length_changes();
        if self.broken != system.springs.broken || self.length_changes != length_changes {
            self.length_changes = length_changes;
            self.broken.clone_from(&system.springs.broken);
            self.list = tethers(model, &self.broken);
        }
        let n = model.nodes();
        for Tether { node, pin, reach } in &self.list {
            let path = |axis: usize, x: &[f64]| x[axis * n + node] - x[axis * n + pin];
            let square: f64 = (0..model.axes).map(|axis| path(axis, x) * path(axis, x)).sum();
            if square > reach * reach {
                let share = reach / square.sqrt();
                for axis in 0..model.axes {
                    let to = x[axis * n + pin] + share * path(axis, x);
                    listener.moved(model, axis, *pin, *node, to - x[axis * n + node]);
                    x[axis * n + node] = to;
                }
            }
        }
    }
}

/// Computes the tethers along the paths from the nearest pins, without broken springs.
fn tethers(model: &Model, broken: &[bool]) -> Vec<Tether> {
    let neighbours = Neighbours::new(model, |j| broken.get(j) == Some(&true));
    let lengths: Vec<f64> = model.structural().iter().map(|spring| spring.rest_length).collect();
    let pins: Vec<usize> = (0..model.nodes()).filter(|&i| model.pinned[i]).collect();
    let mut paths = neighbours.shortest_paths(&lengths, &pins);
    paths.retain(|path| !model.pinned[path.node]);
    paths.sort_unstable_by_key(|path| path.node);
    let tether = |Path { length, source, node, .. }| Tether { node, pin: source, reach: length };
    paths.into_iter().map(tether).collect()
}
