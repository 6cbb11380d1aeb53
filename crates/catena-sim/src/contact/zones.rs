//! Last resorts of self-contact: groups of nodes that move together, and nodes that stay in place.
//!
//! A zone is a group of nodes that hits connect. All of its nodes get its mean displacement and
//! mean velocity, weighted by mass. Momentum is therefore conserved, and kinetic energy never
//! grows. Nodes of a zone keep their distances from the start of the step, which were at least the
//! thickness. Zones that hit each other merge until there are no hits. A zone with a pinned node
//! moves with that node. Source: Provot 1997, "Collision and Self-Collision Handling in Cloth Model
//! Dedicated to Design Garments", without the rotation of zones.

use super::own::SelfContacts;
use super::put;
use crate::body::State;
use crate::body::groups::Groups;
use crate::body::vector::{along, sub};
use crate::budget::Item;

/// Motion of a zone: sums over its nodes, or the motion of its pinned node.
#[derive(Clone, Copy, Default)]
struct ZoneMotion {
    nodes: usize,
    mass: f64,
    displacement: [f64; 3],
    v: [f64; 3],
    is_pinned: bool,
}

impl SelfContacts<'_> {
    /// Makes zones rigid until no two nodes come too close.
    pub(super) fn make_rigid(&mut self, state: &mut State, displaced: &mut Vec<usize>) {
        let n = self.model.nodes();
        // Zone means use these motions, however often zones merge.
        let proposed = state.clone();
        let mut zones = Groups::new(n);
        loop {
            let hits = self.hits(state, |i, j| zones.of(i) != zones.of(j));
            if hits.is_empty() {
                return;
            }
            hits.iter().for_each(|hit| zones.join(hit.i, hit.j));
            zones.flatten();
            // Every pass moves all nodes again, so each pass has its cost.
            if !self.meter.count(Item::ZoneNode, n as u64) {
                return;
            }
            self.move_zones(&zones, &proposed, state, displaced);
            displaced.sort_unstable();
            displaced.dedup();
        }
    }

    fn move_zones(
        &self,
        zones: &Groups,
        proposed: &State,
        state: &mut State,
        displaced: &mut Vec<usize>,
    ) {
        let (n, axes) = (self.model.nodes(), self.model.axes);
        let mut motions = vec![ZoneMotion::default(); n];
        for i in 0..n {
            let motion = &mut motions[zones.of(i)];
            let displacement = sub(proposed.position(n, i), self.start.position(n, i));
            let v = proposed.velocity(n, i);
            motion.nodes += 1;
            if motion.is_pinned {
                continue;
            }
            let mass = self.model.mass[i];
            *motion = if self.model.pinned[i] {
                ZoneMotion { mass: 1.0, displacement, v, is_pinned: true, ..*motion }
            } else {
                let (displacement, v) =
                    (along(motion.displacement, mass, displacement), along(motion.v, mass, v));
                ZoneMotion { mass: motion.mass + mass, displacement, v, ..*motion }
            };
        }
        for i in (0..n).filter(|&i| !self.model.pinned[i]) {
            let motion = &motions[zones.of(i)];
            if motion.nodes > 1 {
                let x = along(self.start.position(n, i), 1.0 / motion.mass, motion.displacement);
                put(&mut state.x, n, axes, i, x);
                put(&mut state.v, n, axes, i, motion.v.map(|value| value / motion.mass));
                displaced.push(i);
            }
        }
    }

    /// Moves nodes that are still too close back to the start of the step, at rest, until all
    /// distances are long enough. For a body wedged between colliders and itself, that start is the
    /// only position known to be free.
    pub(super) fn hold_back(&mut self, state: &mut State, displaced: &mut Vec<usize>) {
        let (n, axes) = (self.model.nodes(), self.model.axes);
        let mut is_held = self.model.pinned.clone();
        loop {
            let mut changed = false;
            for hit in self.hits(state, |i, j| !(is_held[i] && is_held[j])) {
                for i in [hit.i, hit.j] {
                    if !std::mem::replace(&mut is_held[i], true) {
                        put(&mut state.x, n, axes, i, self.start.position(n, i));
                        put(&mut state.v, n, axes, i, [0.0; 3]);
                        displaced.push(i);
                        changed = true;
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }
}
