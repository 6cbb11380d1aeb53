//! The step of each body and its longest stable step, computed within a fixed amount of work.

use catena_analysis::budget::StudyBudget;
use catena_analysis::lengths::length_warning;
use catena_analysis::stability::predict::{Prediction, predict_film};
use catena_analysis::stability::{warning, warning_amount};
use catena_base::text::list::quoted;
use catena_scene::{Body, Scene, comparability};
use catena_sim::Setup;
use serde::Serialize;

/// Number of nodes of a body above which its longest step is not computed in a page.
const MANY_NODES: usize = 2500;

/// Step of a body and its stability limit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BodyStability {
    /// Label of the body.
    pub label: String,
    /// Name of the method.
    pub method: String,
    /// Step in seconds.
    pub dt: f64,
    /// Longest stable step, if it is finite and known.
    pub longest: Option<f64>,
    /// Verdict about the limit, in words.
    pub words: String,
}

/// Finds the longest stable steps of all bodies of a scene.
pub(crate) fn of_scene(scene: &Scene) -> Vec<BodyStability> {
    let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    let labels = scene.body_labels();
    let maximum = warning_amount(labels.len());
    let one = |(body, label): (&Body, String)| {
        let setup = &body.setup;
        let (longest, words) = limit(setup, scene.frames, &mut StudyBudget::new(maximum));
        let method = body.method.name.to_string();
        BodyStability { label, method, dt: setup.dt(), longest, words }
    };
    bodies.zip(labels).map(one).collect()
}

/// Longest stable step of a setup, and a sentence about it.
fn limit(setup: &Setup, frames: u64, budget: &mut StudyBudget) -> (Option<f64>, String) {
    if setup.chooses_its_step() {
        return (None, "chooses its own steps".into());
    }
    if setup.model.nodes() > MANY_NODES {
        return (None, "too many nodes for a page; use `catena stability`".into());
    }
    match predict_film(setup, frames as f64 * setup.frame_time, budget) {
        None if !setup.has_known_limit() => {
            (None, "unknown: a slip changes the stability limit".into())
        }
        None => (None, "no limit".into()),
        Some(Prediction { longest_step: None, .. }) => {
            (None, "grows at every step size without damping".into())
        }
        Some(Prediction { longest_step: Some(longest), .. }) if longest.is_infinite() => {
            (None, "stable at every step size".into())
        }
        Some(Prediction { longest_step: Some(longest), .. }) => {
            let is_above = setup.dt() > longest;
            (Some(longest), if is_above { "above the limit" } else { "stable" }.into())
        }
    }
}

/// Warnings about steps and lengths of bodies, and notes about panels with different physics.
pub(crate) fn cautions(scene: &Scene) -> Vec<String> {
    let bodies: Vec<&Body> = scene.panels.iter().flat_map(|panel| &panel.bodies).collect();
    let maximum = warning_amount(bodies.len());
    let mut all: Vec<String> = scene.override_warning(false).into_iter().collect();
    all.extend(comparability::notes(scene));
    for (body, label) in bodies.iter().zip(scene.body_labels()) {
        let setup = &body.setup;
        let is_judged = setup.model.nodes() <= MANY_NODES;
        let found = [
            length_warning(setup, scene.frames),
            is_judged.then(|| warning(setup, scene.frames, maximum)).flatten(),
        ];
        all.extend(found.into_iter().flatten().map(|text| format!("{}: {text}", quoted(&label))));
    }
    all
}
