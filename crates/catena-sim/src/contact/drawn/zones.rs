//! The last resort of drawn contact: groups of nodes that move as one.
//!
//! What still hits after all passes forms zones. A zone moves by its mean displacement, by mass, so
//! its pieces stay as far apart as they were at the start; a zone with a pinned node moves with it,
//! and one that touches a collider stays where it was, or goes and turns with a collider that
//! moves. Colliders that stand come before those that move, and these before pins. Zones that hit
//! each other merge until nothing hits. Momentum stays and kinetic energy never grows but by what
//! moves. Source: Provot 1997, without the rotation of zones.

use super::solve::Nodes;
use crate::body::groups::Groups;
use crate::body::vector::{Vec3, along, dot, scaled, sub};
use crate::contact::moving::Mover;
use std::collections::BTreeMap;

/// Which nodes move as one.
pub(super) struct Rigid {
    zones: Groups,
    /// The first collider that stands and that a zone touched.
    pub(super) collider: Option<usize>,
    /// Number of nodes of the body. The node after the last stands for all colliders that stand,
    /// and each of those behind it for one that moves.
    nodes: usize,
    movers: usize,
}

/// What a leader of a zone received: momentum, and the work that it did by moving.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lost {
    pub(super) momentum: Vec3,
    pub(super) work: f64,
}

/// Motion of a zone.
#[derive(Clone, Copy, Default)]
struct RigidMotion {
    nodes: usize,
    mass: f64,
    sum: Vec3,
    is_led: bool,
    /// The collider that it moves with.
    mover: Option<usize>,
}

impl Rigid {
    /// For so many nodes, and so many colliders that move.
    pub(super) fn new(nodes: usize, movers: usize) -> Self {
        Self { zones: Groups::new(nodes + 1 + movers), collider: None, nodes, movers }
    }

    /// Whether these nodes are in one zone.
    pub(super) fn is_one(&self, nodes: impl IntoIterator<Item = usize>) -> bool {
        let mut zones = nodes.into_iter().map(|node| self.zones.of(node));
        let first = zones.next();
        zones.all(|zone| Some(zone) == first)
    }

    /// Makes one zone of these nodes.
    pub(super) fn join(&mut self, nodes: impl IntoIterator<Item = usize>) {
        let mut nodes = nodes.into_iter();
        let Some(first) = nodes.next() else { return };
        nodes.for_each(|node| self.zones.join(first, node));
    }

    /// Must be called after the last [`Rigid::join`] and before zones are asked for or moved.
    pub(super) fn settle(&mut self) {
        self.zones.flatten();
    }

    /// Moves zones by the mean of the displacements from the start to `wanted`.
    pub(super) fn move_together(
        &self,
        nodes: &mut Nodes,
        wanted: &[Vec3],
        pinned: &[bool],
        movers: &[Mover],
    ) {
        let ways: Vec<Vec3> = (0..self.nodes).map(|i| sub(wanted[i], nodes.from[i])).collect();
        let carried =
            |mover: usize, i: usize| sub(movers[mover].carried(nodes.from[i]), nodes.from[i]);
        let means = self.means(nodes, &ways, pinned, carried);
        for (i, mean) in means.into_iter().enumerate() {
            if let Some(way) = mean {
                nodes.to[i] = along(nodes.from[i], 1.0, way);
            }
        }
    }

    /// Gives the nodes of a zone its mean velocity. Returns what each zone lost which has a leader,
    /// by the pinned node that leads it, or the node that stands for colliders.
    pub(super) fn share_velocity(
        &self,
        nodes: &mut Nodes,
        pinned: &[bool],
        movers: &[Mover],
    ) -> BTreeMap<usize, Lost> {
        let carried = |mover: usize, i: usize| movers[mover].end.velocity_at(nodes.to[i]);
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

    /// The mean of the values in the zone of each free node that is not alone in one.
    /// `carried` has that of a node that goes with a collider.
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
