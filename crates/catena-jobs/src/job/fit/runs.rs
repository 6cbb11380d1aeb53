//! Simultaneous runs of a body with other values of its fields, and their distances from data.

use super::super::rounding::{FACTOR, Noise, ShownFrame, shaken, with_single};
use super::term::FitTerm;
use catena_analysis::fit::{Parameter, Residuals};
use catena_scene::recorded::Precision;
use catena_scene::{SceneError, Variation};
use catena_sim::run::batch::Batch;
use catena_sim::vector::{norm, sub};
use catena_sim::{Outcome, Setup, Simulation};
use std::sync::Arc;

/// Measured position of a node in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Datum {
    /// Index of the frame.
    pub frame: u64,
    /// Index of the node.
    pub node: usize,
    /// Measured position.
    pub place: [f64; 3],
}

/// Minimum number of frames with data in a part of the data.
const MIN_FRAMES: usize = 24;
/// Minimum number of frames in a part if the motion depends so strongly on the values that only the
/// first frames locate them.
const FIRST_FRAMES: usize = 2;
/// Ratio of the end times of two successive parts: four steps double the time.
const RATIO: f64 = 0.840_896_415_253_714_5;

/// A body of a scene, the fields that vary, and the data.
pub(super) struct Runs<'a> {
    pub(super) body: &'a Variation<'a>,
    pub(super) terms: &'a [FitTerm],
    /// Settings of all runs, as paths and values.
    settings: &'a [(String, String)],
    /// Data by frame.
    pub(super) data: &'a [Datum],
    /// Number of data in each part, smallest first. Each part begins at the first datum.
    parts: Vec<usize>,
    /// Variance of the rounding of a printed coordinate.
    rounding: f64,
}

impl<'a> Runs<'a> {
    pub(super) fn new(body: &'a Variation<'a>, terms: &'a [FitTerm], data: &'a [Datum]) -> Self {
        let parts = parts(data, MIN_FRAMES);
        Self { body, terms, settings: &[], data, parts, rounding: 0.0 }
    }

    /// Returns these runs, for data of a file with the given precision.
    pub(super) fn printed_with(self, of_file: &Precision) -> Self {
        let values = self.data.iter().flat_map(|datum| datum.place).filter(|value| *value != 0.0);
        let variances = values.map(|value| evenly(of_file.rounding(value)));
        let (sum, count) = variances.fold((0.0, 0.0), |(sum, count), it| (sum + it, count + 1.0));
        Self { rounding: sum / f64::max(count, 1.0), ..self }
    }

    /// Returns these runs with other settings.
    pub(super) fn of(self, settings: &'a [(String, String)]) -> Self {
        Self { settings, ..self }
    }

    /// Returns these runs, compared with other data.
    pub(super) fn with<'b>(&'b self, data: &'b [Datum]) -> Runs<'b> {
        let Self { body, terms, settings, rounding, .. } = *self;
        Runs { body, terms, settings, data, parts: parts(data, MIN_FRAMES), rounding }
    }

    /// Returns these runs with shorter parts: the smallest has only the first few frames with data.
    pub(super) fn begun_with_first_frames(&self) -> Runs<'_> {
        let Self { body, terms, settings, data, rounding, .. } = *self;
        Runs { body, terms, settings, data, parts: parts(data, FIRST_FRAMES), rounding }
    }

    /// Returns the setup of the body with these values.
    ///
    /// # Errors
    /// The scene rejects the values.
    pub(super) fn built(&self, point: &[f64]) -> Result<Arc<Setup>, SceneError> {
        let values = FitTerm::divide(self.terms, point).into_iter();
        let values = values.map(|(term, numbers)| (&*term.path, term.value(numbers)));
        let settings = self.settings.iter().map(|(path, value)| (&**path, value.clone()));
        let values: Vec<_> = settings.chain(values).collect();
        self.body.setup(&values)
    }

    /// Returns the setup of the body with these values. `None` if the scene rejects them.
    fn setup(&self, point: &[f64]) -> Option<Arc<Setup>> {
        self.built(point).ok()
    }

    /// Finds the allowed ranges of numbers inside values by trial, since no field description
    /// states them.
    pub(super) fn narrow(&self, parameters: &mut [Parameter]) {
        let mut point: Vec<f64> = parameters.iter().map(|it| it.start).collect();
        let numbers = self.terms.iter().flat_map(|term| vec![term.is_inside(); term.count()]);
        let inside: Vec<bool> = numbers.collect();
        for index in (0..inside.len()).filter(|index| inside[*index]) {
            let mut is_fine = |value: f64| {
                let start = std::mem::replace(&mut point[index], value);
                let found = self.setup(&point).is_some();
                point[index] = start;
                found
            };
            let start = parameters[index].start;
            if is_fine(start) {
                let bounds = &mut parameters[index].bounds;
                bounds.low = end_of_range(start, -1.0, &mut is_fine);
                bounds.high = end_of_range(start, 1.0, &mut is_fine);
            }
        }
    }

    /// Returns the last frame with data up to which rounding separates two runs of one method by at
    /// most `maximum`. `share` is the relative rounding of a number.
    pub(super) fn sharp_end(&self, point: &[f64], share: f64, maximum: f64) -> Option<u64> {
        let setup = self.setup(point)?;
        let other = Arc::new(shaken(&setup, share));
        let nodes = setup.model.nodes();
        let mut runs = [setup, other].map(Simulation::new);
        let (mut batch, mut last) = (Batch::default(), None);
        for data in self.data.chunk_by(|a, b| a.frame == b.frame) {
            while runs[0].frame() < data[0].frame {
                batch.advance_frames(&mut runs);
            }
            let [one, other] = runs.each_ref().map(Simulation::state);
            let drift = (0..nodes).fold(0.0, |maximum: f64, node| {
                let [a, b] = [one, other].map(|state| state.position(nodes, node));
                maximum.max(norm(sub(a, b)))
            });
            if FACTOR * drift > maximum || runs.iter().any(|run| run.outcome() != Outcome::Fine) {
                break;
            }
            last = Some(data[0].frame);
        }
        last
    }

    /// Returns the distance that rounding of a `double` may cause by the last frame of the data.
    /// `None` if the growth of rounding cannot be measured for this body.
    pub(super) fn grown(&self, point: &[f64]) -> Option<f64> {
        let setup = self.setup(point)?;
        let single = with_single(&setup)?;
        let largest = |all: &[f64]| all.iter().fold(0.0, |maximum: f64, it| maximum.max(it.abs()));
        let start = largest(&setup.initial.x);
        let shown = self.data.chunk_by(|a, b| a.frame == b.frame).map(|data| {
            let places: Vec<f64> = data.iter().flat_map(|datum| datum.place).collect();
            let (frame, size) = (data[0].frame, start.max(largest(&places)));
            ShownFrame { number: frame, of_run: frame, size }
        });
        let shown: Vec<ShownFrame> = shown.collect();
        let last = shown.last()?.number;
        let noise = Noise::of(&setup, Some(single), &shown, start);
        Some(noise.allowed(last, false))
    }

    /// Returns for each point the positions of its run, in the order of the data. `None` if the run
    /// diverges.
    fn places(&self, points: &[Vec<f64>], data: &[Datum]) -> Vec<Option<Vec<[f64; 3]>>> {
        let mut all: Vec<Option<Vec<[f64; 3]>>> = vec![None; points.len()];
        let (mut numbers, mut runs) = (Vec::new(), Vec::new());
        for (number, point) in points.iter().enumerate() {
            if let Some(setup) = self.setup(point) {
                numbers.push(number);
                runs.push(Simulation::new(setup));
                all[number] = Some(Vec::with_capacity(data.len()));
            }
        }
        let mut batch = Batch::default();
        let mut frame = 0;
        for data in data.chunk_by(|a, b| a.frame == b.frame) {
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

/// Divides data into parts: all data, and initial sections with at least `minimum` frames.
fn parts(data: &[Datum], minimum: usize) -> Vec<usize> {
    let mut parts = vec![data.len()];
    let mut end = data.last().map_or(0.0, |datum| datum.frame as f64);
    loop {
        end *= RATIO;
        let count = data.partition_point(|datum| datum.frame as f64 <= end);
        let frames = data[..count].chunk_by(|a, b| a.frame == b.frame).count();
        if frames < minimum {
            break;
        }
        if parts.last() != Some(&count) {
            parts.push(count);
        }
    }
    parts.reverse();
    parts
}

impl Residuals for Runs<'_> {
    fn parts(&self) -> usize {
        self.parts.len()
    }

    fn share(&self, part: usize) -> f64 {
        self.parts[part] as f64 / self.data.len().max(1) as f64
    }

    fn least_variance(&self) -> f64 {
        self.rounding
    }

    fn at(&self, points: &[Vec<f64>], part: usize) -> Vec<Option<Vec<f64>>> {
        let data = &self.data[..self.parts[part]];
        let differences = |places: Vec<[f64; 3]>| {
            let pairs = places.into_iter().zip(data);
            pairs.flat_map(|(place, datum)| [0, 1, 2].map(|k| place[k] - datum.place[k])).collect()
        };
        self.places(points, data).into_iter().map(|places| places.map(differences)).collect()
    }
}

/// Returns the last number from `start` upwards or downwards that a scene accepts. Infinite if it
/// accepts all numbers that were tried.
fn end_of_range(start: f64, sign: f64, is_fine: &mut dyn FnMut(f64) -> bool) -> f64 {
    let mut inside = start;
    for step in [1e-2, 1.0, 1e2, 1e4, 1e6] {
        let next = start + sign * step * start.abs().max(1.0);
        if is_fine(next) {
            inside = next;
            continue;
        }
        let mut outside = next;
        for _ in 0..50 {
            let middle = 0.5 * (inside + outside);
            if is_fine(middle) { inside = middle } else { outside = middle }
        }
        // A limit such as 1 is returned exactly.
        let rounded = (outside * 1e9).round() / 1e9 + 0.0;
        return if (rounded - outside).abs() < 1e-9 && is_fine(rounded) { rounded } else { inside };
    }
    sign * f64::INFINITY
}

/// Mean square of a number that is uniformly distributed between `-maximum` and `maximum`.
pub(crate) fn evenly(maximum: f64) -> f64 {
    maximum * maximum / 3.0
}
