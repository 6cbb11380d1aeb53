//! Response of nodes to colliders. Nodes close to a single fixed collider are computed in batches,
//! all others one by one.

use super::{FILLED, NodeSolver};
use crate::body::State;
use crate::body::vector::{greatest, sub};
use crate::contact::Step;
use crate::contact::collider::facets::Visits;
use crate::contact::lanes::{Ends, LANES, LaneOutcome, Paths};
use crate::contact::moving::{self, Mover};
use crate::contact::response::{Answer, Known, NodePath, Push, Surroundings};
use std::cell::Cell;

impl NodeSolver {
    /// Computes the responses of all nodes that may touch a collider, independently of each other.
    pub(super) fn find_answers(&mut self, Step { model, start, .. }: Step<'_>, state: &State) {
        let n = model.nodes();
        self.answers.clear();
        self.pushes.clear();
        let candidates = std::mem::take(&mut self.candidates);
        for &node in &candidates {
            if model.pinned[node] {
                self.fence.set(node, state.position(n, node), f64::INFINITY);
                continue;
            }
            let path = NodePath {
                from: start.position(n, node),
                to: state.position(n, node),
                before: start.velocity(n, node),
                v: state.velocity(n, node),
            };
            let before = Visits::until_now();
            if self.grounded[node] == Some(path.to) || !self.find_active(node, &path) {
                continue;
            }
            let visits = Visits::since(before);
            let mut answer = Answer { node, path, end: None, pushes: 0..0, visits };
            match self.active[..] {
                [index] if !self.is_plain && self.obstacles.mover(index).is_none() => {
                    self.alone[index].push(self.answers.len());
                }
                _ => self.respond(&mut answer),
            }
            self.answers.push(answer);
        }
        self.candidates = candidates;
        for index in 0..self.alone.len() {
            let mut alone = std::mem::take(&mut self.alone[index]);
            alone.chunks(LANES).for_each(|slots| self.respond_together(index, slots));
            alone.clear();
            self.alone[index] = alone;
        }
    }

    /// Finds the colliders close to a node. Returns `false` if there are none, after it created a
    /// new box for the node.
    fn find_active(&mut self, node: usize, path: &NodePath) -> bool {
        self.fence.remove(node);
        if !self.obstacles.movers.is_empty() {
            return self.find_active_moving(node, path);
        }
        let step = greatest(sub(path.to, path.from));
        let (mut nearest, beyond) = (f64::INFINITY, path.surroundings() * 3.0_f64.sqrt() / FILLED);
        self.active.clear();
        for index in 0..self.everything.len() {
            let clearance = self.obstacles.clearance(index, path.from);
            nearest = nearest.min(clearance);
            if clearance <= beyond {
                self.active.push(index);
            }
        }
        let box_reach = FILLED * nearest / 3.0_f64.sqrt();
        if box_reach >= step && !self.is_plain {
            self.fence.set(node, path.from, box_reach);
            return false;
        }
        true
    }

    /// Finds the colliders close to a node if colliders move; see [`NodeSolver::find_active`]. The
    /// search range includes their motion, because the relative path of a node may lead to other
    /// colliders.
    fn find_active_moving(&mut self, node: usize, path: &NodePath) -> bool {
        let (root, step) = (3.0_f64.sqrt(), greatest(sub(path.to, path.from)));
        let by = |mover: &Mover| greatest(sub(mover.carried(path.from), path.from));
        let carried = self.obstacles.movers.iter().map(by).fold(0.0, f64::max);
        let reach = path.surroundings() + 4.0 * carried;
        let (mut box_reach, mut nearest) = (f64::INFINITY, f64::INFINITY);
        let mut is_clear = true;
        self.active.clear();
        for index in 0..self.everything.len() {
            let clearance = self.obstacles.clearance(index, path.from);
            let (filled, carried) = match self.obstacles.mover(index) {
                None => (FILLED, 0.0),
                Some(mover) => {
                    nearest = nearest.min(clearance);
                    (moving::FILLED, by(mover))
                }
            };
            // An inactive collider is out of reach along the whole relative path.
            if clearance <= (reach + carried) * root / FILLED {
                self.active.push(index);
            }
            is_clear &= FILLED * clearance / root >= carried;
            box_reach = box_reach.min(filled * clearance / root);
        }
        self.surroundings = reach;
        if is_clear && box_reach >= step && !self.is_plain {
            self.fence.set(node, path.from, box_reach);
            self.odometer.set(node, nearest);
            return false;
        }
        true
    }

    /// Computes the responses of nodes that are close to one collider only.
    fn respond_together(&mut self, index: usize, slots: &[usize]) {
        let (mut paths, mut ends) = (Paths::default(), Ends::default());
        for lane in 0..LANES {
            let slot = slots[lane.min(slots.len() - 1)];
            paths.put(lane, &self.answers[slot].path);
        }
        let obstacle = &self.obstacles.all[index];
        ends.touch(&obstacle.shape, self.obstacles.radius, obstacle.surface, &paths);
        for (lane, &slot) in slots.iter().enumerate() {
            let outcome = ends.outcome(lane);
            if outcome == LaneOutcome::Unknown {
                let mut answer = self.answers[slot].clone();
                self.active.clear();
                self.active.push(index);
                self.respond(&mut answer);
                self.answers[slot] = answer;
            } else if outcome != LaneOutcome::Free {
                let first = self.pushes.len();
                let count = if outcome == LaneOutcome::Stays { 2 } else { 1 };
                let changes = ends.changes(lane).into_iter().take(count);
                self.pushes.extend(changes.map(|change| Push::new(index, change)));
                let answer = &mut self.answers[slot];
                answer.end = Some(ends.place(lane));
                answer.pushes = first..self.pushes.len();
            }
        }
    }

    /// Computes the response of a node to the colliders close to it.
    fn respond(&mut self, answer: &mut Answer) {
        let (path, before) = (answer.path, Visits::until_now());
        let known = &Cell::new(Known::NOTHING);
        let near = Surroundings {
            known,
            obstacles: &self.obstacles,
            active: &self.active,
            middle: path.from,
            reach: path.surroundings(),
        };
        let all = Surroundings { active: &self.everything, reach: f64::INFINITY, ..near };
        let (starts, pushes) = (&mut self.starts, &mut self.response);
        let mut respond_to = |around: Surroundings<'_>| {
            let moves = |index: &usize| around.obstacles.mover(*index).is_some();
            match around.active.iter().any(moves) {
                true => around.respond_moving(path, starts, pushes),
                false => around.respond(path, pushes),
            }
        };
        let moves = |index: &usize| self.obstacles.mover(*index).is_some();
        let reach = if self.active.iter().any(moves) { self.surroundings } else { near.reach };
        let near = Surroundings { reach, ..near };
        let response = match self.is_plain {
            true => respond_to(all),
            false => respond_to(near).or_else(|_| respond_to(all)),
        };
        let first = self.pushes.len();
        self.pushes.append(&mut self.response);
        answer.end = response.unwrap_or_default();
        answer.pushes = first..self.pushes.len();
        answer.visits = answer.visits.and(Visits::since(before));
    }
}
