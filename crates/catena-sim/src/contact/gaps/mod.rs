//! Gaps between a body in one state and everything that it can touch, for the search for rest.
//!
//! A gap is the distance of two pieces minus their contact distance. The pieces overlap if it is
//! below 0. Its derivative with respect to the position of node i is `weights[i]` times `normal`.
//! With contact of the drawn geometry, pieces of the body touch colliders at vertices, within edges
//! and within facets. Contact of drawn pieces of the body with each other is not included.

mod drawn;

use super::collider::{Collider, Solid};
use super::drawn::own_overlap;
use super::{Contacts, SelfContact, put};
use crate::body::vector::{Vec3, along, greatest, norm, scaled, scaled_norm, sub};
use crate::body::{Model, State};
use drawn::DrawnPieces;
use std::sync::Arc;

/// Maximum depth of a node in a solid after a step, as a share of the solid's half width.
const DEPTH: f64 = 0.25;

/// Half width of a solid bounded by triangles, as a share of its extent, for [`DEPTH`].
const SHALLOW: f64 = 0.05;

/// Returns the longest side of a box around points.
fn extent(points: &[Vec3]) -> f64 {
    let side = |axis: usize| {
        let values = points.iter().map(move |point| point[axis]);
        values.clone().fold(f64::NEG_INFINITY, f64::max) - values.fold(f64::INFINITY, f64::min)
    };
    side(0).max(side(1)).max(side(2))
}

/// Identifies a pair of pieces within one [`Gaps`] value.
pub type GapKey = (usize, usize);

/// Gap of a pair at given positions of the nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// The pair of pieces.
    pub key: GapKey,
    /// Index of the collider; `None` for contact of the body with itself.
    pub collider: Option<usize>,
    /// Nodes of the pieces; only the first [`Gap::count`] entries are used.
    pub nodes: [usize; 4],
    /// Number of used entries of `nodes` and `weights`, 1 to 4.
    pub count: usize,
    /// Weight of each node: positive for the first piece, negative for the second if it belongs to
    /// the body.
    pub weights: [f64; 4],
    /// Unit vector from the second piece to the first.
    pub normal: Vec3,
    /// Distance minus contact distance.
    pub gap: f64,
}

impl Gap {
    /// Nodes with their weights.
    pub fn weighted(&self) -> impl Iterator<Item = (usize, f64)> + use<> {
        self.nodes.into_iter().zip(self.weights).take(self.count)
    }
}

/// Everything that a body can touch, at a fixed time.
#[derive(Debug)]
pub struct Gaps<'a> {
    contacts: &'a Contacts,
    model: &'a Model,
    time: f64,
    drawn: Option<DrawnPieces>,
    /// Pairs of nodes that springs join, sorted.
    joined: Vec<GapKey>,
}

impl<'a> Gaps<'a> {
    /// Creates the gaps of a body. `time` determines the positions of moving colliders.
    pub fn new(contacts: &'a Contacts, model: &'a Model, time: f64) -> Self {
        let drawn = contacts.drawn.as_ref();
        let drawn = drawn.map(|drawn| DrawnPieces::new(drawn, contacts, model, time));
        let mut joined: Vec<GapKey> = match contacts.own {
            Some(_) => model.springs.iter().map(|s| (s.a.min(s.b), s.a.max(s.b))).collect(),
            None => Vec::new(),
        };
        joined.sort_unstable();
        Self { contacts, model, time, drawn, joined }
    }

    /// Whether there is nothing that the body can touch.
    pub fn is_empty(&self) -> bool {
        self.contacts.colliders.is_empty() && self.own().is_none()
    }

    /// Whether the body can touch half-spaces only.
    pub fn are_half_spaces(&self) -> bool {
        let is_half_space =
            |solid: &Arc<dyn Collider>| matches!(solid.solid(), Solid::HalfSpace { .. });
        self.own().is_none() && self.contacts.colliders.iter().all(is_half_space)
    }

    /// Returns the end positions of straight paths, shortened so that each path ends shortly after
    /// it enters a solid. No node then passes through a solid.
    pub fn clipped(&self, from: &[f64], to: &[f64]) -> Vec<f64> {
        let (n, mut ends) = (self.model.nodes(), to.to_vec());
        for collider in &self.contacts.colliders {
            let depth = match collider.solid() {
                Solid::HalfSpace { .. } => continue,
                Solid::Capsule { radius, .. } => DEPTH * (radius + self.contacts.radius),
                Solid::Box { half, .. } => {
                    let sides = half.into_iter().take(self.model.axes);
                    DEPTH * (sides.fold(f64::INFINITY, f64::min) + self.contacts.radius)
                }
                Solid::Facets { points, .. } | Solid::Polygon { points } => {
                    let around = extent(&points);
                    DEPTH * (SHALLOW * around + self.contacts.radius)
                }
            };
            for node in (0..n).filter(|&node| !self.model.pinned[node]) {
                let [a, b] = [from, &ends].map(|x| self.at_node(x, node));
                let offset = sub(b, a);
                let hit = collider.sweep_at(self.time, a, b, self.contacts.radius);
                let Some(hit) = hit else { continue };
                let share = (hit + depth / norm(offset)).min(1.0);
                put(&mut ends, n, self.model.axes, node, along(a, share, offset));
            }
        }
        ends
    }

    /// Coefficient of friction of a gap.
    pub fn friction(&self, gap: &Gap) -> f64 {
        let of_body = || self.contacts.own.map_or(0.0, |own| own.surface.friction);
        match gap.collider {
            Some(collider) => self.contacts.colliders[collider].surface().friction,
            None => of_body(),
        }
    }

    /// First node at which drawn pieces of the body overlap each other; `None` if there is no drawn
    /// contact.
    pub fn own_overlap(&self, x: &[f64]) -> Option<usize> {
        own_overlap(self.contacts, self.model, &State::at_rest(x.to_vec()))
    }

    /// Contact of nodes with each other; `None` if drawn contact replaces it.
    fn own(&self) -> Option<SelfContact> {
        self.contacts.own.filter(|_| self.drawn.is_none())
    }

    /// Position of a node.
    fn at_node(&self, x: &[f64], node: usize) -> Vec3 {
        let n = self.model.nodes();
        [0, 1, 2].map(|axis| x.get(axis * n + node).copied().unwrap_or(0.0))
    }

    /// Signed distance from a collider, and the outward normal.
    fn distance(&self, collider: usize, point: Vec3) -> (f64, Vec3) {
        self.contacts.colliders[collider].distance_at(self.time, point)
    }

    /// Gap of a pair; `None` if its nearest points belong to other pieces.
    pub fn at(&self, key: GapKey, x: &[f64]) -> Option<Gap> {
        if let Some(drawn) = &self.drawn {
            return drawn.at(self, key, x);
        }
        match key.1.checked_sub(self.contacts.colliders.len()) {
            None => Some(self.node_gap(key, x)),
            Some(other) => self.pair_gap((key.0, other), x),
        }
    }

    /// Gap of a node and a collider.
    fn node_gap(&self, key: GapKey, x: &[f64]) -> Gap {
        let (distance, normal) = self.distance(key.1, self.at_node(x, key.0));
        let gap = distance - self.contacts.radius;
        let (nodes, weights) = ([key.0, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]);
        Gap { key, collider: Some(key.1), nodes, count: 1, weights, normal, gap }
    }

    /// Gap of two nodes; `None` if they coincide, because the normal is then undefined.
    fn pair_gap(&self, (a, b): (usize, usize), x: &[f64]) -> Option<Gap> {
        let thickness = self.own()?.thickness;
        let apart = sub(self.at_node(x, a), self.at_node(x, b));
        let distance = scaled_norm(apart);
        let key = (a, self.contacts.colliders.len() + b);
        (distance > 0.0).then(|| Gap {
            key,
            collider: None,
            nodes: [a, b, 0, 0],
            count: 2,
            weights: [1.0, -1.0, 0.0, 0.0],
            normal: scaled(apart, 1.0 / distance),
            gap: distance - thickness,
        })
    }

    /// Returns all gaps smaller than `maximum`, and the gaps of all pairs in `kept`, which must be
    /// sorted. The result is sorted by pairs and omits pairs without a free node.
    pub fn near(&self, x: &[f64], maximum: f64, kept: &[GapKey]) -> Vec<Gap> {
        let mut found: Vec<Gap> = match &self.drawn {
            Some(drawn) => drawn.near(self, x, maximum),
            None => self.near_nodes(x, maximum),
        };
        found.sort_by_key(|gap| gap.key);
        let is_new = |key: &&GapKey| found.binary_search_by_key(*key, |gap| gap.key).is_err();
        let more: Vec<Gap> =
            kept.iter().filter(is_new).filter_map(|&key| self.at(key, x)).collect();
        if !more.is_empty() {
            found.extend(more);
            found.sort_by_key(|gap| gap.key);
        }
        found
    }

    fn near_nodes(&self, x: &[f64], maximum: f64) -> Vec<Gap> {
        let free = (0..self.model.nodes()).filter(|&node| !self.model.pinned[node]);
        let colliders = 0..self.contacts.colliders.len();
        let pairs = free.flat_map(|node| colliders.clone().map(move |collider| (node, collider)));
        let gaps = pairs.map(|key| self.node_gap(key, x));
        let mut found: Vec<Gap> = gaps.filter(|gap| gap.gap < maximum).collect();
        let Some(own) = self.own() else { return found };
        let reach = own.thickness + maximum;
        let mut order: Vec<usize> = (0..self.model.nodes()).collect();
        order.sort_by(|&a, &b| x[a].total_cmp(&x[b]));
        for (place, &a) in order.iter().enumerate() {
            for &b in order[place + 1..].iter().take_while(|&&b| x[b] - x[a] < reach) {
                let pair = (a.min(b), a.max(b));
                let is_fixed = self.model.pinned[a] && self.model.pinned[b];
                let apart = sub(self.at_node(x, a), self.at_node(x, b));
                let is_far = greatest(apart) >= reach;
                if is_far || is_fixed || self.joined.binary_search(&pair).is_ok() {
                    continue;
                }
                found.extend(self.pair_gap(pair, x).filter(|gap| gap.gap < maximum));
            }
        }
        found
    }
}
