//! A step of drawn contact: contacts are found and resolved until the paths of all nodes keep their
//! distances. Other files of the folder add the methods of one stage each to `DrawnSolver`, whose
//! state all stages share.

use super::guard::Guard;
use super::meet::Meeting;
use super::memory::Impulses;
use super::near::Pair;
use super::neighbours::Neighbours;
use super::pieces::Pieces;
use super::rigid::{SolidMotion, carry};
use super::settle::ROUNDING;
use super::solve::{self, Contact, Nodes};
use super::tree::{Tree, TreeBounds};
use super::zones::Rigid;
use super::{DEPTH, DrawnContact};
use crate::body::vector::{Vec3, dot, greatest};
use crate::body::{Body, Model, SpringMemory, State};
use crate::budget::{Item, Meter};
use crate::contact::collider::Surface;
use crate::contact::obstacle::Obstacles;
use crate::contact::{ContactForces, put};
use std::collections::BTreeMap;

/// Maximum number of passes that find and resolve contacts.
const PASSES: usize = 16;
/// Number of passes that also correct contacts above their floor.
const FINE_PASSES: usize = 4;
/// Accuracy of positions, as a fraction of the maximum depth without contacts.
const ACCURACY: f64 = 1e-8;
/// Maximum number of contacts per pair: parallel segments touch at several places.
const PLACES: usize = 4;
/// Difference of weights below which two contacts count as the same place.
pub(super) const PLACE: f64 = 0.25;

/// Solver for the drawn contact of one body.
pub(crate) struct DrawnSolver {
    pub(super) contact: DrawnContact,
    pub(super) surfaces: Vec<Surface>,
    pub(super) pieces: Pieces,
    pub(super) neighbours: Neighbours,
    /// Contact distances of neighbours that begin too close for the usual one, by their pieces.
    pub(super) closer: BTreeMap<(usize, usize), f64>,
    pub(super) vertices: Tree,
    pub(super) edges: Tree,
    pub(super) faces: Tree,
    /// Number of nodes of the body; those of colliders follow.
    pub(super) body_nodes: usize,
    /// Maximum displacement of a node along an axis before pairs are searched again.
    pub(super) slack: f64,
    /// Minimum thickness of all parts.
    pub(super) least: f64,
    pub(super) nodes: Nodes,
    /// Motions of rigid bodies in the step, in the order of their pieces.
    pub(super) solids: Vec<SolidMotion>,
    /// Whether each piece is whole; `None` if no spring is broken.
    pub(super) is_whole: Option<Vec<bool>>,
    pub(super) bounds: Vec<TreeBounds>,
    pub(super) found: Vec<(usize, usize)>,
    pub(super) near: Vec<Pair>,
    /// Ends of paths at the last search for pairs.
    pub(super) seen: Vec<Vec3>,
    pub(super) contacts: Vec<Contact>,
    /// Impulses of the contacts of the last step.
    pub(super) impulses: Impulses,
    /// Positions of nodes after the step if they keep their velocities.
    pub(super) ahead: Vec<Vec3>,
    /// Colliders as distance functions.
    pub(super) obstacles: Obstacles,
    /// Proof that nothing touches; `None` without one.
    pub(super) guard: Option<Box<Guard>>,
    /// Whether each step tests all pairs, without the guard.
    pub(super) is_plain: bool,
}

impl DrawnSolver {
    /// Creates a solver for pieces that have been checked.
    pub(super) fn of(
        contact: DrawnContact,
        surfaces: Vec<Surface>,
        pieces: Pieces,
        neighbours: Neighbours,
        model: &Model,
        initial: &State,
    ) -> Self {
        let n = model.nodes();
        let middle = |piece: usize| initial.position(n, pieces.kin(piece)[0]);
        let middles: Vec<Vec3> = (0..pieces.faces.end).map(middle).collect();
        let tree = |range| Tree::new(range, &pieces, &middles);
        let thickness = contact.parts.iter().map(|part| part.thickness);
        let least = thickness.fold(f64::INFINITY, f64::min);
        let mut inverse: Vec<f64> = model.mass.iter().map(|mass| 1.0 / mass).collect();
        inverse.iter_mut().zip(&model.pinned).filter(|(_, p)| **p).for_each(|(i, _)| *i = 0.0);
        inverse.resize(n + pieces.places.len() + pieces.solids.len(), 0.0);
        let at: Vec<Vec3> = (0..n).map(|i| initial.position(n, i)).collect();
        let turns = vec![[0.0; 3]; pieces.solids.len()];
        let at = [at, pieces.places.clone(), turns].concat();
        let rest = vec![[0.0; 3]; at.len()];
        let (from, to, before, v) = (at.clone(), at, rest.clone(), rest);
        let nodes = Nodes { inverse, from, to, before, v, turns: Vec::new() };
        Self {
            vertices: tree(pieces.vertices.clone()),
            edges: tree(pieces.edges.clone()),
            faces: tree(pieces.faces.clone()),
            body_nodes: n,
            slack: 0.25 * least,
            least,
            nodes,
            solids: Vec::new(),
            is_whole: None,
            bounds: Vec::new(),
            found: Vec::new(),
            near: Vec::new(),
            seen: Vec::new(),
            contacts: Vec::new(),
            impulses: Impulses::default(),
            ahead: Vec::new(),
            obstacles: Obstacles::default(),
            guard: None,
            is_plain: false,
            closer: BTreeMap::new(),
            contact,
            surfaces,
            pieces,
            neighbours,
        }
    }

    /// Corrects the motion from `start` to `state`, the two ends of a step, so that no drawn pieces
    /// come too close.
    ///
    /// Adds the nodes that it changed to `displaced`, and the impulses on colliders and pinned
    /// nodes to `forces`. Gives up when the meter ends the run.
    pub(crate) fn resolve(
        &mut self,
        body: Body<'_>,
        start: &State,
        state: &mut State,
        displaced: &mut Vec<usize>,
        forces: &mut ContactForces,
        meter: &Meter,
    ) {
        let model = body.model;
        self.begin(model, body.springs, start, state);
        let is_clear = self.separate(meter);
        if meter.is_over() || (is_clear && self.contacts.is_empty()) {
            self.impulses.clear();
            return;
        }
        let zones = (!is_clear).then(|| self.make_rigid(model, meter));
        self.stop(model, forces);
        if let Some(zones) = zones {
            let movers = &self.obstacles.movers;
            let lost = zones.share_velocity(&mut self.nodes, &model.pinned, movers);
            self.book(lost, zones.collider, model, forces);
        }
        self.settle(state);
        let (n, axes) = (model.nodes(), model.axes);
        let carried = self.carried_nodes(model, start, state);
        for i in (0..n).filter(|&i| !model.pinned[i]) {
            let (x, v) = (self.nodes.to[i], self.nodes.v[i]);
            if x != state.position(n, i) || v != state.velocity(n, i) {
                put(&mut state.x, n, axes, i, x);
                put(&mut state.v, n, axes, i, v);
                displaced.push(i);
            }
        }
        carry(&carried, model, state, displaced, forces);
        self.tell_guard(displaced, state);
    }

    /// Returns the maximum thickness of all parts.
    pub(super) fn thickest(&self) -> f64 {
        let solids = self.pieces.solids.iter().map(|solid| 2.0 * solid.half);
        self.contact.parts.iter().map(|part| part.thickness).chain(solids).fold(0.0, f64::max)
    }

    /// Updates pins and broken springs.
    pub(super) fn know(&mut self, model: &Model, springs: &SpringMemory) {
        for i in 0..self.body_nodes {
            // Events may have changed the pins.
            self.nodes.inverse[i] = if model.pinned[i] { 0.0 } else { 1.0 / model.mass[i] };
        }
        self.is_whole = (!springs.is_whole()).then(|| {
            (0..self.pieces.all.len()).map(|piece| self.pieces.is_whole(piece, springs)).collect()
        });
    }

    /// Loads the two ends of a step.
    fn begin(&mut self, model: &Model, springs: &SpringMemory, start: &State, state: &State) {
        let n = self.body_nodes;
        self.know(model, springs);
        for i in 0..n {
            self.nodes.from[i] = start.position(n, i);
            self.nodes.to[i] = state.position(n, i);
            self.nodes.before[i] = start.velocity(n, i);
            self.nodes.v[i] = state.velocity(n, i);
        }
        self.place_solids(model, start, state);
        self.place_colliders();
        self.look_ahead(state.t - start.t);
        self.seen.clear();
        self.contacts.clear();
    }

    /// Moves the ends of the step until nothing comes too close on the way. Returns whether this
    /// succeeded.
    fn separate(&mut self, meter: &Meter) -> bool {
        let mut tolerance = 0.01 * DEPTH * self.least;
        for pass in 0..=PASSES {
            self.find_near(meter);
            meter.count(Item::DrawnPass, self.body_nodes as u64);
            if !meter.count(Item::DrawnFollow, self.near.len() as u64) {
                return true;
            }
            let (mut hits, mut found) = (false, Vec::new());
            for pair in &self.near {
                if pass == 0 && self.touch(pair, &mut found) {
                    continue;
                }
                match self.follow(pair) {
                    Meeting::Clear => {}
                    Meeting::Close(contact) => found.push(contact),
                    Meeting::Hit(contact) => {
                        hits = true;
                        found.push(contact);
                    }
                }
            }
            if found.is_empty() || (!hits && pass >= FINE_PASSES) || pass == PASSES {
                return !hits;
            }
            if pass == 0 {
                let deepest = found.iter().map(|contact| -contact.gap(&self.nodes.to));
                let deepest = deepest.fold(0.0, f64::max);
                let size = |contact: &Contact| greatest(self.nodes.from[contact.nodes[0]]);
                let size = found.iter().map(size).fold(self.least, f64::max);
                let rounding = ROUNDING * size;
                tolerance = tolerance.min((ACCURACY * deepest).max(rounding));
                if deepest <= rounding && !hits {
                    self.contacts = found;
                    return true;
                }
            }
            self.add(found);
            if pass == 0 {
                self.recall();
            }
            let sweeps = solve::project(&mut self.contacts, &mut self.nodes, tolerance);
            self.turn_solids();
            if !meter.count(Item::DrawnSweep, (sweeps * self.contacts.len()) as u64) {
                return true;
            }
        }
        false
    }

    /// Adds the contacts found, sorted by their pairs. They replace earlier contacts at the same
    /// places.
    fn add(&mut self, found: Vec<Contact>) {
        let known = self.contacts.len();
        for mut contact in found {
            let is_before = |other: &Contact| other.pair < contact.pair;
            let first = self.contacts[..known].partition_point(is_before);
            let same = self.contacts[first..known].iter().enumerate();
            let same = same.take_while(|(_, other)| other.pair == contact.pair);
            let places = same.map(|(k, other)| (apart(&other.places, &contact.places), first + k));
            let places: Vec<(f64, usize)> = places.collect();
            let nearest = places.iter().copied().min_by(|a, b| a.0.total_cmp(&b.0));
            let replaced = nearest.filter(|(far, _)| *far < PLACE || places.len() >= PLACES);
            let Some((_, place)) = replaced else {
                self.contacts.push(contact);
                continue;
            };
            let old = &mut self.contacts[place];
            (contact.closed, contact.guess) = (old.closed, old.guess);
            let (inverse, to) = (&self.nodes.inverse, &mut self.nodes.to);
            old.apply_all(-1.0, inverse, to);
            if dot(old.normal, contact.normal) > 0.5 {
                contact.push = old.push;
                contact.apply_all(1.0, inverse, to);
            }
            *old = contact;
        }
        self.contacts.sort_by_key(|contact| contact.pair);
    }

    /// Starts the solver from the impulses of the last step.
    fn recall(&mut self) {
        let mut contacts = std::mem::take(&mut self.contacts);
        for contact in &mut contacts {
            if let Some((way, speed)) = self.impulses.of(contact) {
                let [way, speed] = [way, speed].map(|known| self.carried_on(contact, known));
                contact.begin_with(way, &self.nodes.inverse, &mut self.nodes.to);
                contact.guess = speed;
            }
        }
        self.contacts = contacts;
    }

    /// Makes zones rigid until nothing comes too close.
    fn make_rigid(&mut self, model: &Model, meter: &Meter) -> Rigid {
        let (n, wanted) = (self.body_nodes, self.nodes.to.clone());
        let mut zones = Rigid::new(n, self.obstacles.movers.len());
        loop {
            self.find_near(meter);
            meter.count(Item::DrawnPass, n as u64);
            if !meter.count(Item::DrawnFollow, self.near.len() as u64) {
                return zones;
            }
            let mut joined = Vec::new();
            for pair in &self.near {
                let ground = self.collider(pair.b).map(|collider| self.ground(collider));
                let second = match &ground {
                    Some(ground) => std::slice::from_ref(ground),
                    None => self.pieces.all[pair.b].nodes(),
                };
                let nodes = self.pieces.all[pair.a].nodes().iter().chain(second);
                let nodes = nodes.map(|&node| self.hub_of(node));
                if !zones.is_one(nodes.clone()) && matches!(self.follow(pair), Meeting::Hit(_)) {
                    joined.push(nodes.collect::<Vec<usize>>());
                    let stands = || self.collider(pair.b).filter(|_| ground == Some(n));
                    zones.collider = zones.collider.or_else(stands);
                }
            }
            if joined.is_empty() {
                return zones;
            }
            joined.into_iter().for_each(|nodes| zones.join(nodes));
            zones.settle();
            let movers = &self.obstacles.movers;
            zones.move_together(&mut self.nodes, &wanted, &model.pinned, movers);
            self.keep_turned(&zones);
        }
    }
}

/// Returns the distance of two contacts of one pair: the maximum difference of their weights.
pub(super) fn apart(a: &[f64; 4], b: &[f64; 4]) -> f64 {
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, f64::max)
}
