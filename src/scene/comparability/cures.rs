//! Settings that make a body equal to the others, found by trying them.
//!
//! All cures of a body are one layer of settings: quantities are taken from the one that depends on
//! nothing to those that depend on it, the step before a damping that acts once a step, and each
//! change is kept that makes its quantity equal. What a change upsets is mended by another change
//! or the change is given up. In the end each quantity is told as few of the layer's fields as do
//! it alone. So each cure holds alone and all hold together.

use super::layer::Layer;
use super::quantities::{QUANTITIES, Quantity};
use super::remedies::{Case, Change};
use super::{Difference, Place, Value, differences, lead, places};
use crate::scene::build::{Body, Scene};
use crate::scene::written::BodyLayers;

/// How often all quantities are gone through: once, and again for what the first round upset.
const ROUNDS: usize = 3;

/// Settings that make a body equal in a quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Cure {
    /// In what.
    pub quantity: &'static Quantity,
    /// The place of the body's panel.
    pub panel: usize,
    /// Its place in the panel.
    pub body: usize,
    /// What to write into the body's `with`.
    pub settings: String,
}

/// A cure for the first body that differs in each quantity, where there is one.
pub fn cures(scene: &Scene) -> Vec<Cure> {
    let all = differences(scene);
    let mut firsts: Vec<&Difference> = Vec::new();
    for difference in &all {
        if firsts.last().is_none_or(|last| last.quantity != difference.quantity) {
            firsts.push(difference);
        }
    }
    of_firsts(scene, &firsts)
}

/// Cures for differences, each the first of its quantity.
pub(super) fn of_firsts(scene: &Scene, firsts: &[&Difference]) -> Vec<Cure> {
    let mut patients: Vec<usize> = firsts.iter().map(|first| first.place).collect();
    patients.sort_unstable();
    patients.dedup();
    let places = places(scene);
    let mut found = Vec::new();
    for patient in patients {
        let mine = firsts.iter().filter(|first| first.place == patient);
        let wanted: Vec<&'static Quantity> = mine.map(|first| first.quantity).collect();
        let search = Search::new(scene, &places, patient);
        let Place { panel, body, .. } = places[patient];
        let cures = search.cures(&wanted).into_iter();
        found.extend(cures.map(|(quantity, settings)| Cure { quantity, panel, body, settings }));
    }
    found
}

/// What a quantity shall be in the body, and what it is.
struct Target<'a> {
    quantity: &'static Quantity,
    /// The body that it is compared with.
    lead: usize,
    there: &'a Body,
    wanted: Value,
    was_equal: bool,
}

/// The search for the cures of one body.
struct Search<'a> {
    own: BodyLayers<'a>,
    targets: Vec<Target<'a>>,
    /// The layers of the bodies that it is compared with.
    leads: Vec<(usize, BodyLayers<'a>)>,
}

/// A layer that has been tried.
struct Trial {
    layer: Layer,
    body: Body,
    /// For which quantities it was changed, and at which paths.
    changed: Vec<(&'static Quantity, Vec<String>)>,
}

impl<'a> Search<'a> {
    fn new(scene: &'a Scene, places: &[Place<'a>], patient: usize) -> Self {
        let layers = |place: usize| scene.layers_of(places[place].panel, places[place].body);
        let target = |quantity: &'static Quantity| {
            let values: Vec<Value> = places.iter().map(|place| quantity.of(place.it)).collect();
            // A body that others are compared with stays as it is in that.
            let lead = lead(&values);
            Target {
                quantity,
                lead,
                there: places[lead].it,
                was_equal: values[patient].equals(&values[lead]),
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
        Self { own: layers(patient), targets, leads }
    }

    fn build(&self, layer: &Layer) -> Option<Body> {
        self.own.build(&layer.text()).ok()
    }

    /// How many quantities that were equal are so no more.
    fn harm(&self, body: &Body) -> usize {
        self.targets.iter().filter(|target| target.was_equal && !target.is_met(body)).count()
    }

    /// The settings for each quantity that can be made equal.
    fn cures(&self, wanted: &[&'static Quantity]) -> Vec<(&'static Quantity, String)> {
        let mut given_up: Vec<&'static Quantity> = Vec::new();
        loop {
            let Some(trial) = self.all_together(&given_up) else { return Vec::new() };
            if self.harm(&trial.body) == 0 {
                return self.told(wanted, &trial);
            }
            // Without the change that was made last, those before it may do.
            let Some((last, _)) = trial.changed.last() else { return Vec::new() };
            given_up.push(last);
        }
    }

    /// One layer for all quantities but those that are given up.
    fn all_together(&self, given_up: &[&'static Quantity]) -> Option<Trial> {
        let layer = Layer::default();
        let body = self.build(&layer)?;
        let mut trial = Trial { layer, body, changed: Vec::new() };
        for _ in 0..ROUNDS {
            let mut is_done = true;
            // What others depend on stands behind them in the table.
            for target in self.targets.iter().rev() {
                if !given_up.contains(&target.quantity) && !target.is_met(&trial.body) {
                    is_done &= !self.improve(target, &mut trial);
                }
            }
            if is_done {
                break;
            }
        }
        Some(trial)
    }

    /// Makes one quantity equal by the change that upsets least; whether there is one.
    fn improve(&self, target: &Target<'_>, trial: &mut Trial) -> bool {
        let written_here =
            |path: &str| trial.layer.get(path).map(str::to_owned).or_else(|| self.own.field(path));
        let lead = self.leads.iter().find(|(place, _)| *place == target.lead);
        let case = Case {
            quantity: target.quantity,
            here: &trial.body,
            there: target.there,
            written_here: &written_here,
            written_there: &|path| lead?.1.field(path),
        };
        let changes: Vec<Change> = (target.quantity.changes)(&case);
        let mut best: Option<(usize, Layer, Body, Vec<String>)> = None;
        for change in changes.into_iter().filter(|change| !change.is_empty()) {
            let layer = trial.layer.with(&change);
            let Some(body) = self.build(&layer).filter(|body| target.is_met(body)) else {
                continue;
            };
            let harm = self.harm(&body);
            if best.as_ref().is_none_or(|(least, ..)| harm < *least) {
                let paths = change.into_iter().map(|(path, _)| path).collect();
                best = Some((harm, layer, body, paths));
            }
            if harm == 0 {
                break;
            }
        }
        let Some((_, layer, body, paths)) = best else { return false };
        (trial.layer, trial.body) = (layer, body);
        trial.changed.push((target.quantity, paths));
        true
    }

    /// For each wanted quantity as few fields of the layer as make it equal alone and upset
    /// nothing.
    fn told(
        &self,
        wanted: &[&'static Quantity],
        trial: &Trial,
    ) -> Vec<(&'static Quantity, String)> {
        let mut cures = Vec::new();
        for target in self.targets.iter().filter(|target| wanted.contains(&target.quantity)) {
            if trial.layer.is_empty() || !target.is_met(&trial.body) {
                continue;
            }
            let mine = trial.changed.iter().filter(|(quantity, _)| *quantity == target.quantity);
            let own: Vec<String> = mine.flat_map(|(_, paths)| paths.clone()).collect();
            let with_one = trial.changed.iter().map(|(_, paths)| [&own[..], paths].concat());
            let does = |layer: &Layer| {
                let body = self.build(layer);
                body.is_some_and(|body| target.is_met(&body) && self.harm(&body) == 0)
            };
            let layers =
                std::iter::once(own.clone()).chain(with_one).map(|at| trial.layer.only(&at));
            let layer = layers.filter(|layer| !layer.is_empty()).find(does);
            cures.push((target.quantity, layer.unwrap_or_else(|| trial.layer.clone())));
        }
        // What was left out of each may be missed by all of them together.
        let union = cures.iter().fold(Layer::default(), |all, (_, layer)| all.with(layer.fields()));
        let holds = |body: Body| {
            let is_met = |target: &Target<'_>| {
                let is_told = cures.iter().any(|(quantity, _)| *quantity == target.quantity);
                !is_told || target.is_met(&body)
            };
            self.targets.iter().all(is_met) && self.harm(&body) == 0
        };
        let is_sound = self.build(&union).is_some_and(holds);
        let text = |layer: &Layer| if is_sound { layer.text() } else { trial.layer.text() };
        cures.iter().map(|(quantity, layer)| (*quantity, text(layer))).collect()
    }
}

impl Target<'_> {
    fn is_met(&self, body: &Body) -> bool {
        self.quantity.of(body).equals(&self.wanted)
    }
}
