//! Long-range tethers: no free node is farther from its pin than the path to it along springs at
//! rest.
//!
//! The path is the shortest one along structural springs to the nearest pin, the first of pins
//! equally near. A node that is too far is put back along the straight line to its pin. Tethers
//! only pull: a node may come nearer. They do at once what a projection along springs needs many
//! sweeps for, whatever the number of nodes. Source: Kim, Chentanez, Müller-Fischer 2012, "Long
//! Range Attachments".

use super::reaction::Listener;
use crate::body::Model;
use crate::force::System;
use crate::named::OptionInfo;
use std::{cmp::Ordering, collections::BinaryHeap};

/// The option of methods that have tethers.
pub(crate) const TETHERS: OptionInfo = OptionInfo {
    name: "tethers",
    summary: "keeps every free node within the rest length of the path along springs to its nearest pin",
    default: "false",
    range: "true or false",
};

/// The tether of one node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tether {
    /// The free node.
    pub node: usize,
    /// Its nearest pin.
    pub pin: usize,
    /// The greatest distance between the two, above zero.
    pub reach: f64,
}

/// The tethers of a body. A node that no unbroken springs connect to a pin has none.
#[derive(Clone, Debug)]
pub struct Tethers {
    list: Vec<Tether>,
    /// The broken springs that the list takes into account.
    broken: Vec<bool>,
}

impl Tethers {
    /// The tethers of a body without broken springs.
    pub fn new(model: &Model) -> Self {
        Self { list: tethers(model, &[]), broken: Vec::new() }
    }

    /// All tethers, in the order of the nodes.
    pub fn list(&self) -> &[Tether] {
        &self.list
    }

    /// Puts back every node that is too far from its pin. The pins in `x` must be in place. Springs
    /// that broke since the last call no longer count as paths.
    pub(crate) fn apply(
        &mut self,
        system: &System<'_>,
        x: &mut [f64],
        listener: &mut impl Listener,
    ) {
        let model = system.model;
        if self.broken != system.springs.broken {
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

/// A path from a pin to a node. The shortest is the greatest, so that a heap gives it first.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Path {
    length: f64,
    pin: usize,
    node: usize,
}

impl Eq for Path {}

impl Ord for Path {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_length = other.length.total_cmp(&self.length);
        by_length.then(other.pin.cmp(&self.pin)).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Path {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Dijkstra's algorithm from all pins at once.
fn tethers(model: &Model, broken: &[bool]) -> Vec<Tether> {
    let mut next: Vec<Vec<(usize, f64)>> = vec![Vec::new(); model.nodes()];
    for (j, spring) in model.structural().iter().enumerate() {
        if broken.get(j) != Some(&true) {
            next[spring.a].push((spring.b, spring.rest_length));
            next[spring.b].push((spring.a, spring.rest_length));
        }
    }
    let pins = (0..model.nodes()).filter(|&i| model.pinned[i]);
    let mut open: BinaryHeap<Path> = pins.map(|pin| Path { length: 0.0, pin, node: pin }).collect();
    let mut found: Vec<Option<Path>> = vec![None; model.nodes()];
    while let Some(path) = open.pop() {
        if found[path.node].is_some() {
            continue;
        }
        found[path.node] = Some(path);
        for &(node, length) in &next[path.node] {
            if found[node].is_none() {
                open.push(Path { length: path.length + length, node, ..path });
            }
        }
    }
    let free = found.into_iter().flatten().filter(|path| !model.pinned[path.node]);
    free.map(|Path { length, pin, node }| Tether { node, pin, reach: length }).collect()
}
