//! Settings that make a body equal to the others, found by trying them.
//!
//! All remedies of a body are one layer of settings: quantities are taken from the one that depends
//! on nothing to those that depend on it, the step before a damping that acts once a step, and each
//! change is kept that makes its quantity equal. What a change makes unequal, another change makes
//! equal again, or the change is given up. In the end each quantity is told as few of the layer's
//! fields as do it alone. So each remedy holds alone and all hold together.

use super::changes::{self, Case};
use super::layer::Layer;
use super::quantities::{QUANTITIES, Quantity};
use super::{Difference, Place, Value, differences, lead, places};
use crate::scene::build::{Body, Scene};
use crate::scene::written::BodyLayers;
use std::cell::Cell;

/// How often all quantities are gone through: once, and again for what the first round made
/// unequal.
const ROUNDS: usize = 3;

/// The nodes of all bodies that one search builds, at the most: a second or two of work.
pub const MOST_BUILT: u64 = 20_000_000;

/// A search that could build fewer bodies than this is not begun: it would find little.
const FEWEST_BUILDS: u64 = 10;

/// A body that is built takes as long as one of this many nodes, however few it has.
const LEAST_NODES: u64 = 100;

/// Settings that make a body equal in a quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Remedy {
    /// In what.
    pub quantity: &'static Quantity,
    /// The place of the body's panel.
    pub panel: usize,
    /// Its place in the panel.
    pub body: usize,
    /// What to write into the body's `with`; may be empty.
    pub settings: String,
    /// The paths of the fields to remove from what is written for the body; mostly empty.
    pub left_out: Vec<String>,
    /// The paths of the fields that the settings set.
    pub fields: Vec<String>,
}

/// What a search for remedies has found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Search {
    /// For the first body that differs in each quantity, where there is one.
    pub remedies: Vec<Remedy>,
    /// The bodies whose search was not done or not done to its end, since it would build too many
    /// nodes: the panel, the place in the panel, and how far the search went.
    pub unfinished: Vec<(usize, usize, Extent)>,
    /// The nodes of all bodies that were built.
    pub built: u64,
}

/// How far a search went that was not done to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Nothing was tried.
    Nothing,
    /// Some settings were tried.
    Part,
}

/// A remedy for the first body that differs in each quantity, where there is one.
pub fn remedies(scene: &Scene) -> Vec<Remedy> {
    search(scene, MOST_BUILT).remedies
}

/// The same, with bodies built of so many nodes in all at the most.
pub fn search(scene: &Scene, most: u64) -> Search {
    let all = differences(scene);
    let mut firsts: Vec<&Difference> = Vec::new();
    for difference in &all {
        if firsts.last().is_none_or(|last| last.quantity != difference.quantity) {
            firsts.push(difference);
        }
    }
    of_firsts(scene, &firsts, most)
}

/// Remedies for differences, each the first of its quantity.
pub(super) fn of_firsts(scene: &Scene, firsts: &[&Difference], most: u64) -> Search {
    let mut bodies: Vec<usize> = firsts.iter().map(|first| first.place).collect();
    bodies.sort_unstable();
    bodies.dedup();
    let places = places(scene);
    let mut found = Search::default();
    for place in bodies {
        let here = firsts.iter().filter(|first| first.place == place);
        let wanted: Vec<&'static Quantity> = here.map(|first| first.quantity).collect();
        let Place { panel, body, .. } = places[place];
        let trials = Trials::new(scene, &places, place, most - found.built);
        if trials.left.get() < FEWEST_BUILDS * trials.price {
            found.unfinished.push((panel, body, Extent::Nothing));
            continue;
        }
        let remedy = |(quantity, layer): (&'static Quantity, Layer)| Remedy {
            quantity,
            panel,
            body,
            settings: layer.text(),
            left_out: layer.left_out(),
            fields: layer.paths(),
        };
        match trials.remedies(&wanted) {
            Ok(layers) => found.remedies.extend(layers.into_iter().map(remedy)),
            Err(Spent) => found.unfinished.push((panel, body, Extent::Part)),
        }
        found.built = most - trials.left.get();
    }
    found
}

/// As many nodes as may be built have been built.
struct Spent;

/// What a quantity shall be in the body, and what it is.
struct Target<'a> {
    quantity: &'static Quantity,
    /// The body that it is compared with.
    lead: usize,
    there: &'a Body,
    wanted: Value,
    was_equal: bool,
}

/// What is tried to find the remedies of one body.
struct Trials<'a> {
    own: BodyLayers<'a>,
    targets: Vec<Target<'a>>,
    /// The layers of the bodies that it is compared with.
    leads: Vec<(usize, BodyLayers<'a>)>,
    /// Nodes that a body to be built counts as, and the most that it may have: those of the largest
    /// of these bodies.
    price: u64,
    /// Nodes that may still be built.
    left: Cell<u64>,
}

/// A layer that has been tried.
struct Trial {
    layer: Layer,
    body: Body,
    /// For which quantities it was changed, and at which paths.
    changed: Vec<(&'static Quantity, Vec<String>)>,
}

impl<'a> Trials<'a> {
    fn new(scene: &'a Scene, places: &[Place<'a>], place: usize, left: u64) -> Self {
        let layers = |place: usize| scene.layers_of(places[place].panel, places[place].body);
        let target = |quantity: &'static Quantity| {
            let values: Vec<Value> = places.iter().map(|place| quantity.of(place.it)).collect();
            // A body that others are compared with stays as it is in that.
            let lead = lead(&values);
            Target {
                quantity,
                lead,
                there: places[lead].it,
                was_equal: values[place].equals(&values[lead]),
                wanted: values[lead].clone(),
            }
        };
        let targets: Vec<Target<'a>> = QUANTITIES.iter().map(target).collect();
        let mut leads: Vec<(usize, BodyLayers<'a>)> = Vec::new();
        for Target { lead, .. } in &targets {
            if leads.iter().all(|(known, _)| known != lead) {
                leads.push((*lead, layers(*lead)));
            }
        }
        let nodes = |place: usize| places[place].it.setup.model.nodes() as u64;
        let largest = leads.iter().map(|(lead, _)| nodes(*lead)).fold(nodes(place), u64::max);
        let (price, left) = (largest.max(LEAST_NODES), Cell::new(left));
        Self { own: layers(place), targets, leads, price, left }
    }

    /// The body with a layer; `None` where that makes no sense.
    fn build(&self, layer: &Layer) -> Result<Option<Body>, Spent> {
        self.left.set(self.left.get().checked_sub(self.price).ok_or(Spent)?);
        Ok(self.own.build(&layer.text(), &layer.left_out(), self.price).ok())
    }

    /// How many quantities that were equal are so no more.
    fn newly_unequal(&self, body: &Body) -> usize {
        self.targets.iter().filter(|target| target.was_equal && !target.is_met(body)).count()
    }

    /// The layer for each quantity that can be made equal.
    fn remedies(
        &self,
        wanted: &[&'static Quantity],
    ) -> Result<Vec<(&'static Quantity, Layer)>, Spent> {
        let mut given_up: Vec<&'static Quantity> = Vec::new();
        loop {
            let Some(trial) = self.all_together(&given_up)? else { return Ok(Vec::new()) };
            if self.newly_unequal(&trial.body) == 0 {
                return self.told(wanted, &trial);
            }
            // Without the change that was made last, those before it may do.
            let Some((last, _)) = trial.changed.last() else { return Ok(Vec::new()) };
            given_up.push(last);
        }
    }

    /// One layer for all quantities but those that are given up.
    fn all_together(&self, given_up: &[&'static Quantity]) -> Result<Option<Trial>, Spent> {
        let layer = Layer::default();
        let Some(body) = self.build(&layer)? else { return Ok(None) };
        let mut trial = Trial { layer, body, changed: Vec::new() };
        for _ in 0..ROUNDS {
            let mut is_done = true;
            // What others depend on stands behind them in the table.
            for target in self.targets.iter().rev() {
                if !given_up.contains(&target.quantity) && !target.is_met(&trial.body) {
                    is_done &= !self.improve(target, &mut trial)?;
                }
            }
            if is_done {
                break;
            }
        }
        Ok(Some(trial))
    }

    /// Makes one quantity equal by the change that makes the fewest others unequal; whether there
    /// is one.
    fn improve(&self, target: &Target<'_>, trial: &mut Trial) -> Result<bool, Spent> {
        let written_here = |path: &str| match trial.layer.get(path) {
            Some(value) => value.map(str::to_owned),
            None => self.own.field(path),
        };
        let lead = self.leads.iter().find(|(place, _)| *place == target.lead);
        let case = Case {
            quantity: target.quantity,
            here: &trial.body,
            there: target.there,
            written_here: &written_here,
            written_there: &|path| lead?.1.field(path),
        };
        let mut best: Option<(usize, Layer, Body, Vec<String>)> = None;
        for change in changes::of(&case).into_iter().filter(|change| !change.is_empty()) {
            let layer = trial.layer.with(&change);
            let Some(body) = self.build(&layer)?.filter(|body| target.is_met(body)) else {
                continue;
            };
            let newly_unequal = self.newly_unequal(&body);
            if best.as_ref().is_none_or(|(least, ..)| newly_unequal < *least) {
                let paths = change.into_iter().map(|(path, _)| path).collect();
                best = Some((newly_unequal, layer, body, paths));
            }
            if newly_unequal == 0 {
                break;
            }
        }
        let Some((_, layer, body, paths)) = best else { return Ok(false) };
        (trial.layer, trial.body) = (layer, body);
        trial.changed.push((target.quantity, paths));
        Ok(true)
    }

    /// For each wanted quantity as few fields of the layer as make it equal alone and make nothing
    /// else unequal.
    fn told(
        &self,
        wanted: &[&'static Quantity],
        trial: &Trial,
    ) -> Result<Vec<(&'static Quantity, Layer)>, Spent> {
        let mut found = Vec::new();
        for target in self.targets.iter().filter(|target| wanted.contains(&target.quantity)) {
            if trial.layer.is_empty() || !target.is_met(&trial.body) {
                continue;
            }
            let layer = self.fewest(target, trial)?.unwrap_or_else(|| trial.layer.clone());
            found.push((target.quantity, layer));
        }
        // What was left out of each may be missed by all of them together.
        let union = found.iter().fold(Layer::default(), |all, (_, layer)| all.with(layer.fields()));
        let is_sound = self.build(&union)?.is_some_and(|body| {
            let is_met = |target: &Target<'_>| {
                let is_told = found.iter().any(|(quantity, _)| *quantity == target.quantity);
                !is_told || target.is_met(&body)
            };
            self.targets.iter().all(is_met) && self.newly_unequal(&body) == 0
        });
        if !is_sound {
            found.iter_mut().for_each(|(_, layer)| layer.clone_from(&trial.layer));
        }
        Ok(found)
    }

    /// The fields that were changed for a quantity where these do, or with those that were changed
    /// for one other.
    fn fewest(&self, target: &Target<'_>, trial: &Trial) -> Result<Option<Layer>, Spent> {
        let of_it = trial.changed.iter().filter(|(quantity, _)| *quantity == target.quantity);
        let own: Vec<String> = of_it.flat_map(|(_, paths)| paths.clone()).collect();
        let with_one = trial.changed.iter().map(|(_, paths)| [&own[..], paths].concat());
        for paths in std::iter::once(own.clone()).chain(with_one) {
            let layer = trial.layer.only(&paths);
            if layer.is_empty() {
                continue;
            }
            let body = self.build(&layer)?;
            if body.is_some_and(|body| target.is_met(&body) && self.newly_unequal(&body) == 0) {
                return Ok(Some(layer));
            }
        }
        Ok(None)
    }
}

impl Target<'_> {
    fn is_met(&self, body: &Body) -> bool {
        self.quantity.of(body).equals(&self.wanted)
    }
}
