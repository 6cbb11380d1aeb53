//! Last resort of drawn contact: groups of nodes that move together.
//!
//! Pieces that still hit each other after all passes form zones. A zone moves by its mean
//! displacement, weighted by mass, so its pieces keep their initial distances. A zone with a pinned
//! node moves with that node. A zone that touches a collider stays in place with a fixed one, or
//! moves and turns with a moving one. Fixed colliders take precedence over moving ones, and moving
//! ones over pins. Zones that hit each other merge until there are no hits. Momentum is conserved,
//! and kinetic energy grows only by the work of pins and moving colliders. Source: Provot 1997,
//! without the rotation of zones.

use super::solve::Nodes;
use crate::body::groups::Groups;
use crate::body::vector::{Vec3, along, dot, scaled, sub};
use crate::contact::moving::Mover;
use std::collections::BTreeMap;

/// Partition of the nodes into zones.
pub(super) struct Rigid {
    zones: Groups,
    /// First fixed collider that a zone touched.
    pub(super) collider: Option<usize>,
    /// Number of nodes of the body. The next index represents all fixed colliders, and each index
    /// after that a moving collider.
    nodes: usize,
    movers: usize,
}

/// Momentum that the leader of a zone received, and the work done by its motion.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lost {
    pub(super) momentum: Vec3,
    pub(super) work: f64,
}

/// Motion of a zone: sums over its nodes, or the motion of its leader.
#[derive(Clone, Copy, Default)]
struct RigidMotion {
    nodes: usize,
    mass: f64,
    sum: Vec3,
    is_led: bool,
    /// Moving collider that leads the zone.
    mover: Option<usize>,
}

impl Rigid {
    /// Creates zones of one node each, for `nodes` nodes and `movers` moving colliders.
    pub(super) fn new(nodes: usize, movers: usize) -> Self {
        Self { zones: Groups::new(nodes + 1 + movers), collider: None, nodes, movers }
    }

    /// Whether these nodes are in one zone.
    pub(super) fn is_one(&self, nodes: impl IntoIterator<Item = usize>) -> bool {
        let mut zones = nodes.into_iter().map(|node| self.zones.of(node));
        let first = zones.next();
        zones.all(|zone| Some(zone) == first)
    }

    /// Merges the zones of these nodes.
    pub(super) fn join(&mut self, nodes: impl IntoIterator<Item = usize>) {
        let mut nodes = nodes.into_iter();
        let Some(first) = nodes.next() else { return };
        nodes.for_each(|node| self.zones.join(first, node));
    }

    /// Whether a node shares its zone with another node.
    pub(super) fn has_joined(&self, node: usize) -> bool {
        let zone = self.zones.of(node);
        let others = 0..=self.nodes + self.movers;
        others.filter(|other| *other != node).any(|other| self.zones.of(other) == zone)
    }

    /// Updates the zones. Call it after the last [`Rigid::join`], before zones are queried or
    /// moved.
    pub(super) fn settle(&mut self) {
        self.zones.flatten();
    }

    /// Moves each zone by the mean of its displacements from the start to `wanted`.
    pub(super) fn move_together(
        &self,
        nodes: &mut Nodes,
        wanted: &[Vec3],
        pinned: &[bool],
        movers: &[Mover],
    ) {
        let displacements: Vec<Vec3> =
            (0..self.nodes).map(|i| sub(wanted[i], nodes.from[i])).collect();
        let carried =
            |mover: usize, i: usize| sub(movers[mover].carried(nodes.from[i]), nodes.from[i]);
        let means = self.means(nodes, &displacements, pinned, carried);
        for (i, mean) in means.into_iter().enumerate() {
            if let Some(displacement) = mean {
                nodes.to[i] = along(nodes.from[i], 1.0, displacement);
            }
        }
    }

    /// Gives the nodes of each zone its mean velocity. Returns the losses of all zones with a
    /// leader, by leader: a pinned node, or the index that represents a collider.
    pub(super) fn share_velocity(
        &self,
        nodes: &mut Nodes,
        pinned: &[bool],
        movers: &[Mover],
    ) -> BTreeMap<usize, Lost> {
        let carried =
            |mover: usize, i: usize| movers[mover].end_near(nodes.to[i]).velocity_at(nodes.to[i]);
        let means = self.means(nodes, &nodes.v[..self.nodes], pinned, carried);
        let mut leaders = BTreeMap::new();
        for ground in self.nodes..=self.nodes + self.movers {
            leaders.entry(self.zones.of(ground)).or_insert(ground);
        }
        for i in (0..self.nodes).filter(|&i| pinned[i]) {
            leaders.entry(self.zones.of(i)).or_insert(i);
        }
        let mut lost = BTreeMap::new();
        for (i, mean) in means.into_iter().enumerate() {
            let Some(v) = mean else { continue };
            if let Some(leader) = leaders.get(&self.zones.of(i)) {
                let Lost { momentum, work } = lost.entry(*leader).or_default();
                let (mass, change) = (1.0 / nodes.inverse[i], sub(nodes.v[i], v));
                *momentum = along(*momentum, mass, change);
                if *leader > self.nodes {
                    *work -= mass * dot(change, v);
                }
            }
            nodes.v[i] = v;
        }
        lost
    }

    /// Returns the mean of the values in the zone of each free node; `None` for a node alone in its
    /// zone. `carried` returns the value of a node that moves with a collider.
    fn means(
        &self,
        nodes: &Nodes,
        values: &[Vec3],
        pinned: &[bool],
        carried: impl Fn(usize, usize) -> Vec3,
    ) -> Vec<Option<Vec3>> {
        let grounds = self.nodes..=self.nodes + self.movers;
        let mut motions = vec![RigidMotion::default(); self.nodes + 1 + self.movers];
        for (index, ground) in grounds.enumerate() {
            let motion = &mut motions[self.zones.of(ground)];
            motion.nodes += 1;
            if !std::mem::replace(&mut motion.is_led, true) {
                (motion.mass, motion.mover) = (1.0, index.checked_sub(1));
            }
        }
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
            counts.then(|| match motion.mover {
                Some(mover) => carried(mover, i),
                None => scaled(motion.sum, 1.0 / motion.mass),
            })
        };
        (0..self.nodes).map(mean).collect()
    }
}
