//! Main loop of a step of drawn contact: finds and resolves contacts until the paths of all nodes
//! keep their distances.

use super::DEPTH;
use super::meet::Meeting;
use super::memory::{PLACE, apart};
use super::rigid::carry;
use super::settle::ROUNDING;
use super::solve::Contact;
use super::step::DrawnStep;
use super::sweeps;
use super::zones::Rigid;
use crate::body::vector::{dot, greatest};
use crate::body::{Body, Model, SpringMemory, State};
use crate::budget::{Item, Meter};
use crate::contact::{ContactForces, put};

/// Maximum number of passes that find and resolve contacts.
const PASSES: usize = 16;
/// Number of passes that also correct contacts above their minimum distance.
const FINE_PASSES: usize = 4;
/// Accuracy of positions, as a fraction of the maximum depth without contacts.
const ACCURACY: f64 = 1e-8;
/// Maximum number of contacts per pair: parallel segments touch at several places.
const PLACES: usize = 4;

impl DrawnStep {
    /// Corrects the motion from `start` to `state`, the two ends of a step, so that no drawn pieces
    /// come too close.
    ///
    /// Adds the nodes that it changed to `displaced`, and the impulses on colliders and pinned
    /// nodes to `forces`. Gives up when the meter ends the run. Returns whether anything touched.
    pub(super) fn resolve(
        &mut self,
        body: Body<'_>,
        start: &State,
        state: &mut State,
        displaced: &mut Vec<usize>,
        forces: &mut ContactForces,
        meter: &Meter,
    ) -> bool {
        let model = body.model;
        self.begin(model, body.springs, start, state);
        let is_clear = self.separate(meter);
        if meter.is_over() || (is_clear && self.contacts.is_empty()) {
            self.impulses.clear();
            return false;
        }
        let zones = (!is_clear).then(|| self.make_rigid(model, meter));
        self.stop(model, forces, meter);
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
        true
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
        self.predict(state.t - start.t);
        self.seen.clear();
        self.contacts.clear();
    }

    /// Moves the ends of the step until nothing comes too close along the paths. Returns whether
    /// this succeeded.
    fn separate(&mut self, meter: &Meter) -> bool {
        let mut tolerance = 0.01 * DEPTH * self.minimum;
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
                let size = found.iter().map(size).fold(self.minimum, f64::max);
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
            let Self { contacts, nodes, direct, .. } = self;
            let may_continue = sweeps::project(contacts, nodes, tolerance, direct, meter);
            self.turn_solids();
            if !may_continue {
                return true;
            }
        }
        false
    }

    /// Adds new contacts, sorted by pairs. They replace earlier contacts at the same places.
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

    /// Warm-starts the solver with the impulses of the last step.
    fn recall(&mut self) {
        let mut contacts = std::mem::take(&mut self.contacts);
        for contact in &mut contacts {
            if let Some((displacement, speed)) = self.impulses.of(contact) {
                let [displacement, speed] =
                    [displacement, speed].map(|known| self.carried_on(contact, known));
                contact.begin_with(displacement, &self.nodes.inverse, &mut self.nodes.to);
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
