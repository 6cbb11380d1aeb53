//! Measure: the rest of a body from the balance of its forces.

use super::{Measure, Measuring, PlannedMeasuring, RunEnd, Shape};
use crate::sweep::table::{Column, Value};
use catena_analysis::{
    shape::farthest,
    statics::{Equilibrium, equilibrium},
};
use catena_sim::{Arrangement, Model, Setup, SpringMemory, body::measure};
use std::sync::Arc;

/// Measure of the solved rest.
#[derive(Clone, Copy)]
pub(super) struct RestMeasure;

/// Approximate number of linear systems of a search.
const SYSTEMS: u128 = 30;
/// Nanoseconds per coordinate of a search, and per multiplication of a factorisation.
const COORDINATE: u128 = 1000;

impl Measure for RestMeasure {
    fn columns(&self, _shape: Shape) -> Vec<Column> {
        let numbers = ["rest_tension", "rest_pin_force", "rest_length", "rest_sag"];
        let more = ["rest_omega", "rest_distance"];
        let columns = numbers.into_iter().chain(more).map(Column::real);
        columns.chain([Column::text("rest_missing")]).collect()
    }

    fn begin(&self, _setup: &Arc<Setup>) -> Box<dyn Measuring> {
        Box::new(*self)
    }

    fn work(&self, run: &PlannedMeasuring<'_>) -> [u128; 2] {
        let model = &run.setup.model;
        let coordinates = (model.nodes() * model.axes) as u128;
        // Half-bandwidth of the stiffness in the order that keeps coupled nodes together.
        let half_band = match model.arrangement {
            Arrangement::Chain => 2,
            Arrangement::Sheet { rows, columns } => rows.min(columns) + 1,
            Arrangement::Parts => (model.nodes() as f64).sqrt() as usize + 2,
        };
        let band = (half_band * model.axes) as u128;
        [SYSTEMS * coordinates * (COORDINATE + band * band), 0]
    }
}

impl Measuring for RestMeasure {
    fn values(&mut self, end: &RunEnd<'_>) -> Vec<Value> {
        let setup = end.setup;
        let rest = match equilibrium(setup) {
            Ok(rest) => rest,
            Err(reason) => {
                let mut values = vec![Value::None; 6];
                values.push(Value::Text(reason.to_string()));
                return values;
            }
        };
        let unrest = rest.unrest().map(|[reason, _]| reason);
        let model = &setup.model;
        let size = |force: &[f64; 3]| force.iter().map(|part| part * part).sum::<f64>().sqrt();
        let pin_force = rest.pins.iter().map(|pin| size(&pin.force)).reduce(f64::max);
        let square = rest.modes.first().map(|mode| mode.omega_squared);
        let omega = square.filter(|square| *square >= 0.0).map(f64::sqrt);
        let distance = farthest(model, &end.simulation.state().x, &rest.x);
        let length = measure::length(model, &SpringMemory::default(), &rest.x);
        [
            (model.held > 0).then(|| rest.greatest_tension(model.held)),
            pin_force,
            (model.structural > 0).then_some(length),
            sag(setup, &rest),
            omega,
            Some(distance).filter(|distance| distance.is_finite()),
        ]
        .map(Value::real)
        .into_iter()
        .chain([unrest.map_or(Value::None, Value::Text)])
        .collect()
    }
}

/// Maximum distance along gravity of a node below the line between its neighbouring pins, or below
/// its only neighbouring pin. Bodies other than ropes are compared with their highest pin. `None`
/// if there are no pins or there is no gravity.
fn sag(setup: &Setup, rest: &Equilibrium) -> Option<f64> {
    let (model, x) = (&setup.model, &rest.x);
    let (gravity, g) = (setup.gravity(), setup.gravity_strength());
    let pins: Vec<usize> = (0..model.nodes()).filter(|&node| model.pinned[node]).collect();
    if g == 0.0 || pins.is_empty() {
        return None;
    }
    let down: Vec<f64> = gravity.iter().map(|component| component / g).collect();
    let depth = |node: usize| inner(&place(model, x, node), &down);
    let highest = pins.iter().map(|pin| depth(*pin)).reduce(f64::min)?;
    let sag_of = |node: usize| {
        if model.arrangement != Arrangement::Chain {
            return depth(node) - highest;
        }
        let next = pins.iter().position(|pin| *pin >= node);
        let ends = match next {
            Some(0) => [pins[0]; 2],
            Some(next) => [pins[next - 1], pins[next]],
            None => [pins[pins.len() - 1]; 2],
        };
        sag_of_line(model, x, node, ends, &down)
    };
    (0..model.nodes()).map(sag_of).reduce(f64::max)
}

/// Distance along gravity of a node below the line between two pins.
fn sag_of_line(model: &Model, x: &[f64], node: usize, ends: [usize; 2], down: &[f64]) -> f64 {
    let [first, last] = ends.map(|end| place(model, x, end));
    let here = place(model, x, node);
    let offset: Vec<f64> = last.iter().zip(&first).map(|(last, first)| last - first).collect();
    let from: Vec<f64> = here.iter().zip(&first).map(|(here, first)| here - first).collect();
    let drop = inner(&offset, down);
    let across: Vec<f64> =
        offset.iter().zip(down).map(|(offset, down)| offset - drop * down).collect();
    let square = inner(&across, &across);
    let share = match square > 0.0 {
        true => inner(&from, &across) / square,
        // The pins are above each other or the same.
        false => (node - ends[0].min(node)) as f64 / (ends[1] - ends[0]).max(1) as f64,
    };
    inner(&from, down) - share * drop
}

fn place(model: &Model, x: &[f64], node: usize) -> Vec<f64> {
    x.iter().skip(node).step_by(model.nodes()).copied().collect()
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
