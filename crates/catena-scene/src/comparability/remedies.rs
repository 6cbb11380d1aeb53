//! Search for settings that make a body equal to its references, by trial.
//!
//! All remedies of a body form one draft of settings. Quantities are processed in order of
//! dependence, for example the step before a damping that acts once per step. A change that makes
//! its quantity equal is kept. If the change makes another quantity unequal, a later change must
//! repair that, or the first is dropped. Finally, each quantity gets the smallest part of the draft
//! that makes it equal. Every remedy is thus valid alone, and all are valid together.

use super::draft::DraftLayer;
use super::quantity::QUANTITIES;
use super::{Difference, PlacedBody, QuantityValue, changes, differences, places, reference};
use crate::body_layers::BodyLayers;
use crate::comparability::quantity_value::{ComparisonCase, Quantity};
use crate::parts::{Body, Scene};
use std::cell::Cell;

/// Number of passes over all quantities. Later passes repair what earlier ones made unequal.
const ROUNDS: usize = 3;

/// Maximum number of nodes that one search builds in all bodies together, one to two seconds of
/// work.
pub const MAX_BUILT: u64 = 20_000_000;

/// Minimum number of builds that must fit in the budget for a search to start.
const MIN_BUILDS: u64 = 10;

/// Minimum number of nodes that one build is charged, to account for its fixed cost.
const MIN_PRICE: u64 = 100;

/// Settings that make a quantity the same in a body as in its reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Remedy {
    /// Quantity that becomes equal.
    pub quantity: &'static Quantity,
    /// Index of the body's panel.
    pub panel: usize,
    /// Index of the body in its panel.
    pub body: usize,
    /// Settings for the body's `with`; may be empty.
    pub settings: String,
    /// Paths of the fields to remove from the body's own layers; usually empty.
    pub left_out: Vec<String>,
    /// Paths of the fields that the settings set.
    pub fields: Vec<String>,
}

/// Result of a search for remedies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundRemedies {
    /// Remedies, at most one per quantity, each for the first body that differs in it.
    pub remedies: Vec<Remedy>,
    /// Bodies whose search exceeded the node budget: index of the panel, index in the panel, and
    /// the extent of the search.
    pub unfinished: Vec<(usize, usize, SearchExtent)>,
    /// Number of nodes built in all bodies together.
    pub built: u64,
}

/// Extent of an unfinished search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchExtent {
    /// No settings were tried.
    Nothing,
    /// Some settings were tried.
    Part,
}

/// Returns, for each quantity, the remedy of the first body that differs in it, if there is one.
pub fn remedies(scene: &Scene) -> Vec<Remedy> {
    search(scene, MAX_BUILT).remedies
}

/// Searches for remedies and builds at most `maximum` nodes in total. The result includes the
/// unfinished bodies.
pub fn search(scene: &Scene, maximum: u64) -> FoundRemedies {
    let all = differences(scene);
    let mut firsts: Vec<&Difference> = Vec::new();
    for difference in &all {
        if firsts.last().is_none_or(|last| last.quantity != difference.quantity) {
            firsts.push(difference);
        }
    }
    search_firsts(scene, &firsts, maximum)
}

/// Searches for remedies of `firsts`, which holds the first difference in each quantity.
pub(super) fn search_firsts(scene: &Scene, firsts: &[&Difference], maximum: u64) -> FoundRemedies {
    let mut bodies: Vec<usize> = firsts.iter().map(|first| first.place).collect();
    bodies.sort_unstable();
    bodies.dedup();
    let places = places(scene);
    let mut found = FoundRemedies::default();
    for place in bodies {
        let here = firsts.iter().filter(|first| first.place == place);
        let wanted: Vec<&'static Quantity> = here.map(|first| first.quantity).collect();
        let PlacedBody { panel, index: body, .. } = places[place];
        let trials = BodySearch::new(scene, &places, place, maximum - found.built);
        if trials.left.get() < MIN_BUILDS * trials.price {
            found.unfinished.push((panel, body, SearchExtent::Nothing));
            continue;
        }
        let remedy = |(quantity, layer): (&'static Quantity, DraftLayer)| Remedy {
            quantity,
            panel,
            body,
            settings: layer.text(),
            left_out: layer.left_out(),
            fields: layer.paths(),
        };
        match trials.remedies(&wanted) {
            Ok(layers) => found.remedies.extend(layers.into_iter().map(remedy)),
            Err(NodesSpent) => found.unfinished.push((panel, body, SearchExtent::Part)),
        }
        found.built = maximum - trials.left.get();
    }
    found
}

/// Error of a search that has used its node budget.
struct NodesSpent;

/// Target value of a quantity in the body.
struct QuantityTarget<'a> {
    quantity: &'static Quantity,
    /// Index of the reference among all bodies.
    reference: usize,
    there: &'a Body,
    wanted: QuantityValue,
    was_equal: bool,
}

/// Search for the remedies of one body.
struct BodySearch<'a> {
    own: BodyLayers<'a>,
    targets: Vec<QuantityTarget<'a>>,
    /// Layers of the references, by their body index.
    references: Vec<(usize, BodyLayers<'a>)>,
    /// Nodes that each build is charged, and the maximum number of nodes of a build: the node
    /// count of the larger of the body and its references.
    price: u64,
    /// Remaining node budget.
    left: Cell<u64>,
}

/// Draft that has been built.
struct TriedDraft {
    layer: DraftLayer,
    body: Body,
    /// Quantities for which the draft was changed, with the paths that each change touched.
    changed: Vec<(&'static Quantity, Vec<String>)>,
}

impl<'a> BodySearch<'a> {
    fn new(scene: &'a Scene, places: &[PlacedBody<'a>], place: usize, left: u64) -> Self {
        let layers = |place: usize| scene.layers_of(places[place].panel, places[place].index);
        let target = |quantity: &'static Quantity| {
            let values: Vec<QuantityValue> =
                places.iter().map(|place| quantity.of(place.body)).collect();
            // If the body is itself the reference, the quantity keeps its value.
            let reference = reference(&values);
            QuantityTarget {
                quantity,
                reference,
                there: places[reference].body,
                was_equal: values[place].equals(&values[reference]),
                wanted: values[reference].clone(),
            }
        };
        let targets: Vec<QuantityTarget<'a>> = QUANTITIES.iter().map(target).collect();
        let mut references: Vec<(usize, BodyLayers<'a>)> = Vec::new();
        for QuantityTarget { reference, .. } in &targets {
            if references.iter().all(|(known, _)| known != reference) {
                references.push((*reference, layers(*reference)));
            }
        }
        let nodes = |place: usize| places[place].body.setup.model.nodes() as u64;
        let largest =
            references.iter().map(|(reference, _)| nodes(*reference)).fold(nodes(place), u64::max);
        let (price, left) = (largest.max(MIN_PRICE), Cell::new(left));
        Self { own: layers(place), targets, references, price, left }
    }

    /// Builds the body with a draft. Returns `None` if the settings contradict each other.
    fn build(&self, layer: &DraftLayer) -> Result<Option<Body>, NodesSpent> {
        self.left.set(self.left.get().checked_sub(self.price).ok_or(NodesSpent)?);
        Ok(self.own.build(&layer.text(), &layer.left_out(), self.price).ok())
    }

    /// Returns the number of quantities that were equal before but are unequal in `body`.
    fn newly_unequal(&self, body: &Body) -> usize {
        self.targets.iter().filter(|target| target.was_equal && !target.is_met(body)).count()
    }

    /// Returns a draft for each wanted quantity that can be made equal.
    fn remedies(
        &self,
        wanted: &[&'static Quantity],
    ) -> Result<Vec<(&'static Quantity, DraftLayer)>, NodesSpent> {
        let mut given_up: Vec<&'static Quantity> = Vec::new();
        loop {
            let Some(trial) = self.one_draft(&given_up)? else { return Ok(Vec::new()) };
            if self.newly_unequal(&trial.body) == 0 {
                return self.per_quantity(wanted, &trial);
            }
            // Earlier changes may be valid without the last one.
            let Some((last, _)) = trial.changed.last() else { return Ok(Vec::new()) };
            given_up.push(last);
        }
    }

    /// Builds one draft for all quantities that are not in `given_up`.
    fn one_draft(&self, given_up: &[&'static Quantity]) -> Result<Option<TriedDraft>, NodesSpent> {
        let layer = DraftLayer::default();
        let Some(body) = self.build(&layer)? else { return Ok(None) };
        let mut trial = TriedDraft { layer, body, changed: Vec::new() };
        for _ in 0..ROUNDS {
            let mut is_done = true;
            // In the table, a quantity precedes those that it depends on.
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

    /// Makes one quantity equal by the change that makes the fewest others unequal. Returns whether
    /// such a change exists.
    fn improve(
        &self,
        target: &QuantityTarget<'_>,
        trial: &mut TriedDraft,
    ) -> Result<bool, NodesSpent> {
        let written_here = |path: &str| match trial.layer.get(path) {
            Some(value) => value.map(str::to_owned),
            None => self.own.field(path),
        };
        let reference = self.references.iter().find(|(place, _)| *place == target.reference);
        let case = ComparisonCase {
            quantity: target.quantity,
            here: &trial.body,
            there: target.there,
            written_here: &written_here,
            written_there: &|path| reference?.1.field(path),
        };
        let mut best: Option<(usize, DraftLayer, Body, Vec<String>)> = None;
        for change in changes::of(&case).into_iter().filter(|change| !change.is_empty()) {
            let layer = trial.layer.with(&change);
            let Some(body) = self.build(&layer)?.filter(|body| target.is_met(body)) else {
                continue;
            };
            let newly_unequal = self.newly_unequal(&body);
            if best.as_ref().is_none_or(|(minimum, ..)| newly_unequal < *minimum) {
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

    /// Returns, for each wanted quantity, the fewest fields of the draft that make it equal and
    /// make no other unequal.
    fn per_quantity(
        &self,
        wanted: &[&'static Quantity],
        trial: &TriedDraft,
    ) -> Result<Vec<(&'static Quantity, DraftLayer)>, NodesSpent> {
        let mut found = Vec::new();
        for target in self.targets.iter().filter(|target| wanted.contains(&target.quantity)) {
            if trial.layer.is_empty() || !target.is_met(&trial.body) {
                continue;
            }
            let layer = self.fewest_fields(target, trial)?.unwrap_or_else(|| trial.layer.clone());
            found.push((target.quantity, layer));
        }
        // The union of the drafts may lack a field that no draft needs alone.
        let union =
            found.iter().fold(DraftLayer::default(), |all, (_, layer)| all.with(layer.fields()));
        let is_sound = self.build(&union)?.is_some_and(|body| {
            let is_met = |target: &QuantityTarget<'_>| {
                let is_covered = found.iter().any(|(quantity, _)| *quantity == target.quantity);
                !is_covered || target.is_met(&body)
            };
            self.targets.iter().all(is_met) && self.newly_unequal(&body) == 0
        });
        if !is_sound {
            found.iter_mut().for_each(|(_, layer)| layer.clone_from(&trial.layer));
        }
        Ok(found)
    }

    /// Returns the fields that were changed for a quantity if they suffice, otherwise these fields
    /// and the fields of one other quantity. Returns `None` if no such fields suffice.
    fn fewest_fields(
        &self,
        target: &QuantityTarget<'_>,
        trial: &TriedDraft,
    ) -> Result<Option<DraftLayer>, NodesSpent> {
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

impl QuantityTarget<'_> {
    fn is_met(&self, body: &Body) -> bool {
        self.quantity.of(body).equals(&self.wanted)
    }
}
