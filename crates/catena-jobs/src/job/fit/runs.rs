//! Runs of a body with other values of its fields, side by side, and their distance from data.

use super::term::FitTerm;
use catena_analysis::fit::Residuals;
use catena_scene::{Limits, Patch, SceneText, load_whole};
use catena_sim::run::batch::Batch;
use catena_sim::{Outcome, Setup, Simulation};
use std::sync::Arc;

/// Position of a node in a frame, by data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Datum {
    /// Frame.
    pub frame: u64,
    /// Node.
    pub node: usize,
    /// Position.
    pub place: [f64; 3],
}

/// A body of a scene, the fields that vary, and the data.
pub(super) struct Runs<'a> {
    pub(super) text: SceneText,
    pub(super) patches: Vec<Patch>,
    pub(super) limits: &'a Limits,
    pub(super) terms: &'a [FitTerm],
    pub(super) panel: usize,
    pub(super) body: usize,
    /// Data by frame.
    pub(super) data: &'a [Datum],
}

impl Runs<'_> {
    /// Setup of the body with these values. `None` if the scene refuses them.
    fn setup(&self, point: &[f64]) -> Option<Arc<Setup>> {
        let mut patches = self.patches.clone();
        for (term, value) in self.terms.iter().zip(point) {
            patches.push(term.setting(*value).parse().ok()?);
        }
        let scene = load_whole(&self.text, &patches, self.limits).ok()?;
        Some(Arc::clone(&scene.panels.get(self.panel)?.bodies.get(self.body)?.setup))
    }

    /// Positions of the run at the data, in the order of the data. `None` if a run diverges.
    pub(super) fn places(&self, points: &[Vec<f64>]) -> Vec<Option<Vec<[f64; 3]>>> {
        let mut all: Vec<Option<Vec<[f64; 3]>>> = vec![None; points.len()];
        let (mut numbers, mut runs) = (Vec::new(), Vec::new());
        for (number, point) in points.iter().enumerate() {
            if let Some(setup) = self.setup(point) {
                numbers.push(number);
                runs.push(Simulation::new(setup));
                all[number] = Some(Vec::with_capacity(self.data.len()));
            }
        }
        let mut batch = Batch::default();
        let mut frame = 0;
        for data in self.data.chunk_by(|a, b| a.frame == b.frame) {
            while frame < data[0].frame && !runs.is_empty() {
                batch.advance_frames(&mut runs);
                frame += 1;
            }
            // Order-preserving removal keeps the remaining runs in their lanes.
            for index in (0..runs.len()).rev() {
                let run = &runs[index];
                if run.outcome() != Outcome::Fine || run.refusal().is_some() {
                    all[numbers.remove(index)] = None;
                    runs.remove(index);
                }
            }
            for (number, run) in numbers.iter().zip(&runs) {
                let (state, n) = (run.state(), run.setup().model.nodes());
                let places = data.iter().map(|datum| state.position(n, datum.node));
                all[*number].iter_mut().for_each(|all| all.extend(places.clone()));
            }
        }
        all
    }
}

impl Residuals for Runs<'_> {
    fn at(&self, points: &[Vec<f64>]) -> Vec<Option<Vec<f64>>> {
        let differences = |places: Vec<[f64; 3]>| {
            let pairs = places.into_iter().zip(self.data);
            pairs.flat_map(|(place, datum)| [0, 1, 2].map(|k| place[k] - datum.place[k])).collect()
        };
        self.places(points).into_iter().map(|places| places.map(differences)).collect()
    }
}
