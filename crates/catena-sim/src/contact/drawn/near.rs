//! Broad phase of drawn contact: the pairs of pieces that may come close in a step, and their
//! distances at the start of the step.

use super::DrawnContact;
use super::closest::nearest;
use super::pair::Pair;
use super::pieces::{Owner, Pieces};
use super::step::DrawnStep;
use super::tree::{Search, TreeBounds};
use crate::body::vector::{Vec3, add, dot, greatest, scaled, sub};
use crate::budget::{Item, Meter};
use crate::contact::collider::Surface;
use std::f64::consts::PI;

/// Combines two touching surfaces: the geometric mean of friction and the greater restitution.
fn joined(a: Surface, b: Surface) -> Surface {
    Surface {
        restitution: a.restitution.max(b.restitution),
        friction: (a.friction * b.friction).sqrt(),
    }
}

/// Returns the surface properties of a pair of pieces.
pub(super) fn surface(
    contact: &DrawnContact,
    of_colliders: &[Surface],
    pieces: &Pieces,
    a: usize,
    b: usize,
) -> Surface {
    match (pieces.all[a].owner, pieces.all[b].owner) {
        (Owner::Collider(collider), _) | (_, Owner::Collider(collider)) => of_colliders[collider],
        (Owner::Part(a), Owner::Part(b)) => {
            joined(contact.parts[a].surface, contact.parts[b].surface)
        }
    }
}

impl DrawnStep {
    /// Finds the pairs that may meet on the paths to the current ends, unless the last search is
    /// still valid. A search is valid while every node ends within `slack` of its end at the time
    /// of the search.
    pub(super) fn find_near(&mut self, meter: &Meter) {
        let slack = self.slack;
        let is_close =
            |(to, seen): (&Vec3, &Vec3)| (0..3).all(|axis| (to[axis] - seen[axis]).abs() <= slack);
        // Nodes of colliders do not change within a step.
        let nodes = self.body_nodes + self.pieces.corners;
        if self.seen.len() == nodes && self.nodes.to.iter().zip(&self.seen).all(is_close) {
            return;
        }
        self.seen.clear();
        self.seen.extend_from_slice(&self.nodes.to[..nodes]);
        let mean = self.mean_displacement();
        self.fit(mean, slack);
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let mut search = Search { bounds: &self.bounds, meter, uncharged: 0, open: Vec::new() };
        {
            let mut add = |a: usize, b: usize| {
                if self.thickness(a, b).is_some() && meter.allows_pairs(found.len() + 1) {
                    found.push((a, b));
                }
            };
            self.edges.own_pairs(&mut search, &mut add);
            if !self.pieces.faces.is_empty() {
                self.vertices.pairs_with(&self.faces, &mut search, &mut add);
            }
            for piece in self.pieces.fixed.clone() {
                let at = self.bounds[piece];
                let mut add_to = |other: usize| add(other, piece);
                let count = self.pieces.all[piece].count;
                if count < 3 {
                    self.edges.pieces_at(&at, &mut search, &mut add_to);
                }
                match count {
                    1 => self.faces.pieces_at(&at, &mut search, &mut add_to),
                    3 => self.vertices.pieces_at(&at, &mut search, &mut add_to),
                    _ => {}
                }
            }
            search.charge();
        }
        self.add_half_spaces(&mut found, slack);
        found.sort_unstable();
        if meter.count(Item::DrawnFirst, found.len() as u64) {
            self.near = found.iter().filter_map(|&(a, b)| self.pair(a, b)).collect();
        }
        self.found = found;
    }

    /// Returns the mean displacement of the body's nodes.
    fn mean_displacement(&self) -> Vec3 {
        let nodes = self.body_nodes;
        let paths = self.nodes.to[..nodes].iter().zip(&self.nodes.from);
        let sum = paths.fold([0.0; 3], |sum, (to, from)| add(sum, sub(*to, *from)));
        scaled(sum, 1.0 / nodes as f64)
    }

    /// Fits boxes and trees to the paths, relative to the mean motion.
    fn fit(&mut self, mean: Vec3, slack: f64) {
        let (from, to) = (&self.nodes.from, &self.nodes.to);
        self.bounds.clear();
        let flat = self.has_flat_pieces();
        for (index, piece) in self.pieces.all.iter().enumerate() {
            let mut bounds = TreeBounds::EMPTY;
            let counts = flat || index >= self.pieces.vertices.end;
            if counts && self.is_whole.as_ref().is_none_or(|whole| whole[index]) {
                for &node in piece.nodes() {
                    bounds.include(from[node]);
                    bounds.include(sub(to[node], mean));
                }
                bounds = bounds.grown(piece.half + slack);
            }
            self.bounds.push(bounds);
        }
        self.edges.fit(&self.bounds);
        if flat {
            self.vertices.fit(&self.bounds);
            self.faces.fit(&self.bounds);
        }
    }

    /// Whether there are faces that vertices can touch.
    fn has_flat_pieces(&self) -> bool {
        let fixed = &self.pieces.all[self.pieces.fixed.clone()];
        !self.pieces.faces.is_empty() || fixed.iter().any(|piece| piece.count == 3)
    }

    /// Returns the contact distance of two pieces. Returns `None` if they cannot touch, because
    /// they share a node or neither can move.
    pub(super) fn thickness(&self, a: usize, b: usize) -> Option<f64> {
        let (first, second) = (&self.pieces.all[a], &self.pieces.all[b]);
        let mut all = first.nodes().iter().chain(second.nodes());
        if !all.any(|&node| self.nodes.inverse[node] > 0.0) {
            return None;
        }
        let thickness = first.half + second.half;
        match self.neighbours.distance_along_springs(
            self.pieces.reference_nodes(a),
            self.pieces.reference_nodes(b),
            thickness,
        ) {
            None => Some(thickness),
            Some(0.0) => None,
            Some(distance) => {
                let closer = self.closer.get(&(a, b)).copied();
                Some(closer.unwrap_or(distance / PI)).filter(|thickness| *thickness > 0.0)
            }
        }
    }

    /// Lowers the contact distance of neighbours whose initial distance is below twice the contact
    /// distance, to half of the initial distance.
    pub(super) fn let_closer(&mut self) {
        let pairs = self.near.iter().filter(|pair| pair.begun < 2.0 * pair.thickness);
        for pair in pairs.filter(|pair| pair.b < self.pieces.all.len()) {
            let halves = [pair.a, pair.b].map(|piece| self.pieces.all[piece].half);
            let [a, b] = [pair.a, pair.b].map(|piece| self.pieces.reference_nodes(piece));
            if self.neighbours.distance_along_springs(a, b, halves[0] + halves[1]).is_some() {
                self.closer.insert((pair.a, pair.b), 0.5 * pair.begun);
            }
        }
        self.seen.clear();
    }

    /// Adds vertices that may come close to half-spaces.
    fn add_half_spaces(&self, found: &mut Vec<(usize, usize)>, slack: f64) {
        for (index, half_space) in self.pieces.half_spaces.iter().enumerate() {
            for vertex in self.pieces.vertices.clone() {
                let piece = &self.pieces.all[vertex];
                let node = piece.nodes()[0];
                let height = dot(sub(self.nodes.to[node], half_space.point), half_space.normal);
                // A displacement of `slack` per axis is up to √3 times as long along a normal.
                if self.nodes.inverse[node] > 0.0 && height <= piece.half + 2.0 * slack {
                    found.push((vertex, self.pieces.all.len() + index));
                }
            }
        }
    }

    /// Measures a pair at the start of the step.
    fn pair(&self, a: usize, b: usize) -> Option<Pair> {
        let pieces = &self.pieces;
        let half = pieces.all[a].half;
        if let Some(half_space) = pieces.half_spaces.get(b.wrapping_sub(pieces.all.len())) {
            let from = self.nodes.from[pieces.all[a].nodes()[0]];
            let begun = dot(sub(from, half_space.begun.0), half_space.begun.1);
            let surface = self.surfaces[half_space.collider];
            return Some(Pair::new([a, b], half, 2.0 * half, begun, greatest(from), surface));
        }
        let [first, second] = [a, b].map(|piece| self.corners(piece, &self.nodes.from));
        let begun = nearest(&first[..pieces.all[a].count], &second[..pieces.all[b].count]);
        let surface = surface(&self.contact, &self.surfaces, pieces, a, b);
        let thickness = self.thickness(a, b)?;
        let own = match pieces.all[b].owner {
            Owner::Part(_) => thickness,
            Owner::Collider(_) => 2.0 * half,
        };
        let size = greatest(first[0]);
        Some(Pair::new([a, b], thickness, own, begun.distance, size, surface))
    }

    /// Returns the corners of a piece. The last one is repeated if it has fewer than three.
    pub(super) fn corners(&self, piece: usize, positions: &[Vec3]) -> [Vec3; 3] {
        self.pieces.all[piece].padded().map(|node| positions[node])
    }
}
