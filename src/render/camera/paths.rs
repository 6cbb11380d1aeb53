//! Ways along the structural springs of a body, from its pins to its nodes.
//!
//! A spring counts with its length at rest, or with that at the start if it starts stretched, and
//! gives way under the weight that hangs from it. The shortest ways from all pins are a forest; as
//! if it carried the body, each spring bears what is beyond it.

use super::held::Held;
use super::reach::some_of;
use crate::sim::Setup;
use std::{cmp::Ordering, collections::BinaryHeap};

/// A way to a node. The shortest is the greatest, so that a heap gives it first.
#[derive(Clone, Copy, PartialEq)]
struct Way {
    length: f64,
    pin: usize,
    node: usize,
    /// The node before, and the spring from there.
    last: Option<(usize, usize)>,
}

impl Eq for Way {}

impl Ord for Way {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_length = other.length.total_cmp(&self.length);
        by_length.then(other.pin.cmp(&self.pin)).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Way {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// For each node the nearest pin and a few of all, with the greatest distances from them; none for
/// a node that no spring connects with a pin.
pub(super) fn distance_along_springs(setup: &Setup, held: &Held<'_>) -> Vec<Vec<(usize, f64)>> {
    let (model, n) = (&setup.model, setup.model.nodes());
    let mut lengths = lengths(setup);
    let mut next = vec![Vec::new(); n];
    for (j, spring) in model.structural().iter().enumerate().filter(|&(j, _)| !held.cut[j]) {
        next[spring.a].push((spring.b, j));
        next[spring.b].push((spring.a, j));
    }
    let pins: Vec<usize> = (0..n).filter(|&i| held.pinned[i]).collect();
    let nearest = ways(&next, &lengths, &pins);
    let stretches = stretches(setup, held, &nearest);
    let mut distances = vec![Vec::new(); n];
    let mut strain = 0.0_f64;
    for way in &nearest {
        let stretch = stretches[way.node].min(10.0 * way.length);
        strain = strain.max(stretch / way.length.max(f64::MIN_POSITIVE));
        distances[way.node].push((way.pin, way.length + stretch));
    }
    lengths.iter_mut().for_each(|length| *length *= 1.0 + strain);
    if pins.len() > 1 {
        for pin in some_of(&pins) {
            for way in ways(&next, &lengths, &[pin]) {
                distances[way.node].push((pin, way.length));
            }
        }
    }
    distances
}

/// The length of each structural spring: the greater of that at rest and that at the start.
fn lengths(setup: &Setup) -> Vec<f64> {
    let length = |spring| setup.model.span(&setup.initial.x, spring).1.max(spring.rest_length);
    setup.model.structural().iter().map(length).collect()
}

/// Dijkstra's algorithm from all these pins at once; the ways from short to long.
fn ways(next: &[Vec<(usize, usize)>], lengths: &[f64], pins: &[usize]) -> Vec<Way> {
    let starts = pins.iter().map(|&pin| Way { length: 0.0, pin, node: pin, last: None });
    let mut open: BinaryHeap<Way> = starts.collect();
    let (mut found, mut is_found) = (Vec::new(), vec![false; next.len()]);
    while let Some(way) = open.pop() {
        if std::mem::replace(&mut is_found[way.node], true) {
            continue;
        }
        found.push(way);
        for &(node, spring) in next[way.node].iter().filter(|(node, _)| !is_found[*node]) {
            let length = way.length + lengths[spring];
            open.push(Way { length, node, last: Some((way.node, spring)), ..way });
        }
    }
    found
}

/// For each node twice the stretch of the way to it under the weight that hangs from the way, as
/// much as in a fall from rest.
fn stretches(setup: &Setup, held: &Held<'_>, ways: &[Way]) -> Vec<f64> {
    let (model, g) = (&setup.model, held.gravity_strength());
    let mut beyond = model.mass.clone();
    for way in ways.iter().rev() {
        if let Some((before, _)) = way.last {
            beyond[before] += beyond[way.node];
        }
    }
    let mut stretches = vec![0.0; model.nodes()];
    for way in ways {
        if let Some((before, spring)) = way.last {
            let stretch = 2.0 * beyond[way.node] * g / model.springs[spring].stiffness;
            stretches[way.node] = stretches[before] + stretch;
        }
    }
    stretches
}
