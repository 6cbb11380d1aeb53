//! The last resort of drawn contact: groups of nodes that move as one.
//!
//! What still hits after all passes forms zones. A zone moves by its mean displacement, by mass, so
//! its pieces stay as far apart as they were at the start; a zone with a pinned node moves with it,
//! and one that touches a collider stays where it was. Zones that hit each other merge until
//! nothing hits. Momentum stays and kinetic energy never grows. Source: Provot 1997, without the
//! rotation of zones.

use super::solve::Nodes;
use crate::body::groups::Groups;
use crate::body::vector::{Vec3, along, scaled, sub};
use std::collections::BTreeMap;

/// Which nodes move as one.
pub(super) struct Rigid {
    zones: Groups,
    /// The first collider that a zone touched.
    pub(super) collider: Option<usize>,
    /// Number of nodes of the body. Zones of colliders are those of the node after the last.
    nodes: usize,
}

/// Motion of a zone.
#[derive(Clone, Copy, Default)]
struct Motion {
    nodes: usize,
    mass: f64,
    sum: Vec3,
    is_led: bool,
}

impl Rigid {
    pub(super) fn new(nodes: usize) -> Self {
        Self { zones: Groups::new(nodes + 1), collider: None, nodes }
    }

    /// Whether these nodes are in one zone.
    pub(super) fn is_one(&self, nodes: impl IntoIterator<Item = usize>) -> bool {
        let mut zones = nodes.into_iter().map(|node| self.zones.of(node.min(self.nodes)));
        let first = zones.next();
        zones.all(|zone| Some(zone) == first)
    }

    /// Makes one zone of these nodes.
    pub(super) fn join(&mut self, nodes: impl IntoIterator<Item = usize>) {
        let mut nodes = nodes.into_iter().map(|node| node.min(self.nodes));
        let Some(first) = nodes.next() else { return };
        nodes.for_each(|node| self.zones.join(first, node));
    }

    /// Must be called after the last [`Rigid::join`] and before zones are asked for or moved.
    pub(super) fn settle(&mut self) {
        self.zones.flatten();
    }

    /// Moves zones by the mean of the displacements from the start to `wanted`.
    pub(super) fn move_together(&self, nodes: &mut Nodes, wanted: &[Vec3], pinned: &[bool]) {
        let ways: Vec<Vec3> = (0..self.nodes).map(|i| sub(wanted[i], nodes.from[i])).collect();
        let means = self.means(nodes, &ways, pinned);
        for (i, mean) in means.into_iter().enumerate() {
            if let Some(way) = mean {
                nodes.to[i] = along(nodes.from[i], 1.0, way);
            }
        }
    }

    /// Gives the nodes of a zone its mean velocity. Returns the momentum that each zone lost which
    /// has a leader, by the pinned node that leads it, or the number of nodes for colliders.
    pub(super) fn share_velocity(
        &self,
        nodes: &mut Nodes,
        pinned: &[bool],
    ) -> BTreeMap<usize, Vec3> {
        let means = self.means(nodes, &nodes.v[..self.nodes], pinned);
        let mut leaders = BTreeMap::from([(self.zones.of(self.nodes), self.nodes)]);
        for i in (0..self.nodes).filter(|&i| pinned[i]) {
            leaders.entry(self.zones.of(i)).or_insert(i);
        }
        let mut lost = BTreeMap::new();
        for (i, mean) in means.into_iter().enumerate() {
            let Some(v) = mean else { continue };
            if let Some(leader) = leaders.get(&self.zones.of(i)) {
                let sum = lost.entry(*leader).or_insert([0.0; 3]);
                *sum = along(*sum, 1.0 / nodes.inverse[i], sub(nodes.v[i], v));
            }
            nodes.v[i] = v;
        }
        lost
    }

    /// The mean of the values in the zone of each free node that is not alone in one.
    fn means(&self, nodes: &Nodes, values: &[Vec3], pinned: &[bool]) -> Vec<Option<Vec3>> {
        let mut motions = vec![Motion::default(); self.nodes + 1];
        let ground = &mut motions[self.zones.of(self.nodes)];
        *ground = Motion { nodes: 1, mass: 1.0, sum: [0.0; 3], is_led: true };
        for i in 0..self.nodes {
            let motion = &mut motions[self.zones.of(i)];
            motion.nodes += 1;
            if motion.is_led {
                continue;
            }
            if pinned[i] {
                (motion.mass, motion.sum, motion.is_led) = (1.0, values[i], true);
            } else {
                let mass = 1.0 / nodes.inverse[i];
                motion.mass += mass;
                motion.sum = along(motion.sum, mass, values[i]);
            }
        }
        let mean = |i: usize| {
            let motion = &motions[self.zones.of(i)];
            let counts = motion.nodes > 1 && !pinned[i];
            counts.then(|| scaled(motion.sum, 1.0 / motion.mass))
        };
        (0..self.nodes).map(mean).collect()
    }
}
