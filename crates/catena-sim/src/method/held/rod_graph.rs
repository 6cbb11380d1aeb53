//! Rods between arbitrary nodes: the Newton system of [`rods`](super::rods) as a sparse matrix.
//! Supports rings, trees, ropes that meet in a knot, and nets.
//!
//! The cost per rod of a ring does not depend on its size, with or without a pin. Pins divide the
//! system into independent parts. Broken rods keep their row, with a unit diagonal.

use super::projection::{MIN_ALONG, Projection, report_pin_motion};
use super::reaction::Listener;
use super::rods::{Ending, Found, NewtonSystem, iterate};
use super::sparse::Sparse;
use crate::body::{Model, vector::dot};
use crate::force::System;

/// Number of updates of matrix entries with the same cost as one rod in a sweep.
const UPDATES_A_SWEEP: usize = 6;

/// A rod that can move.
#[derive(Clone, Copy, Debug)]
struct Rod {
    /// Index of the spring in the model.
    spring: usize,
    ends: [usize; 2],
    /// l²; 0 if the rod is broken.
    square: f64,
    /// Maximum | |s|² - l² | that counts as exact; infinite if the rod is broken.
    bound: f64,
}

/// Matrix entry of two rods that share a free node.
#[derive(Clone, Copy, Debug)]
struct Link {
    row: u32,
    column: u32,
    place: u32,
    /// Inverse mass of the node; negative if one rod starts and the other ends at the node.
    weight: f64,
}

/// The rods of any body, and their Newton system.
pub(super) struct RodGraph {
    rods: Vec<Rod>,
    links: Vec<Link>,
    matrix: Sparse,
    /// Broken springs at the last update; `None` before that.
    broken: Option<Vec<bool>>,
    /// Number of changes of lengths at the last update.
    length_changes: u64,
    /// Positions before all corrections.
    predicted: Vec<f64>,
    /// Vector of each rod at the current positions; `before` has the vectors at the start of the
    /// step.
    now: Vec<[f64; 3]>,
    before: Vec<[f64; 3]>,
    /// |s|² - l² of each rod at the current positions.
    excess: Vec<f64>,
    /// The right side; after the solution, the δ of each rod.
    given: Vec<f64>,
    /// Sum of the δ of each rod for a listener; empty if there is no listener.
    totals: Vec<f64>,
}

impl RodGraph {
    /// Creates the system. `None` if its solution costs too much.
    pub(super) fn new(model: &Model, weights: &[f64]) -> Option<Self> {
        let is_movable = |ends: [usize; 2]| ends.iter().any(|&node| weights[node] > 0.0);
        let rods: Vec<Rod> = (model.held().iter().enumerate())
            .map(|(spring, it)| Rod { spring, ends: [it.a, it.b], square: 0.0, bound: 0.0 })
            .filter(|rod| is_movable(rod.ends))
            .collect();
        let mut at_node = vec![Vec::new(); model.nodes()];
        for (number, rod) in rods.iter().enumerate() {
            for (node, sign) in rod.ends.into_iter().zip([1.0, -1.0]) {
                at_node[node].push((number, sign));
            }
        }
        let (mut entries, mut factors) = (Vec::new(), Vec::new());
        for (list, weight) in at_node.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
            // A node with many rods couples every pair of them.
            if list.len() > 64 {
                return None;
            }
            for (row, sign) in list {
                for (column, other) in list.iter().filter(|(column, _)| column != row) {
                    entries.push([*row, *column]);
                    factors.push(sign * other * weight);
                }
            }
        }
        let matrix = Sparse::new(rods.len(), &entries)?;
        let places = matrix.places(&entries)?;
        let links = entries.iter().zip(places).zip(factors).map(|((entry, place), weight)| {
            let [row, column] = entry.map(|rod| rod as u32);
            Link { row, column, place, weight }
        });
        let (links, count) = (links.collect(), rods.len());
        Some(Self {
            rods,
            links,
            matrix,
            broken: None,
            length_changes: 0,
            predicted: Vec::new(),
            now: vec![[0.0; 3]; count],
            before: vec![[0.0; 3]; count],
            excess: vec![0.0; count],
            given: vec![0.0; count],
            totals: Vec::new(),
        })
    }

    /// Updates the rods if springs have broken or their rest lengths have changed.
    fn read(&mut self, system: &System<'_>, tolerance: f64) {
        let (model, memory) = (system.model, system.springs);
        let are_of_now = self.length_changes == system.length_changes();
        if are_of_now && self.broken.as_ref() == Some(&memory.broken) {
            return;
        }
        self.length_changes = system.length_changes();
        for rod in &mut self.rods {
            let length = model.springs[rod.spring].rest_length;
            (rod.square, rod.bound) = match memory.is_broken(rod.spring) {
                true => (0.0, f64::INFINITY),
                false => (length * length, 2.0 * tolerance * length * length),
            };
        }
        self.broken = Some(memory.broken.clone());
    }

    /// Corrects the predicted positions `x` until every length is exact. If `keeps_totals`, keeps
    /// the data for [`RodGraph::report_reactions`].
    pub(super) fn solve(
        &mut self,
        projection: &Projection<'_>,
        x: &mut [f64],
        tolerance: f64,
        maximum: u32,
        keeps_totals: bool,
    ) -> Ending {
        let model = projection.system.model;
        self.read(projection.system, tolerance);
        self.predicted.clear();
        self.predicted.extend_from_slice(x);
        self.totals.clear();
        self.totals.resize(if keeps_totals { self.rods.len() } else { 0 }, 0.0);
        spans(&self.rods, projection.start, model, &mut self.before);
        iterate(self, projection, x, maximum)
    }

    /// Restores the positions before the corrections.
    pub(super) fn undo(&self, x: &mut [f64]) {
        x.copy_from_slice(&self.predicted);
    }

    /// Reports all corrections to a listener. Their totals must have been kept.
    pub(super) fn report_reactions(
        &self,
        projection: &Projection<'_>,
        listener: &mut impl Listener,
    ) {
        let (model, weights) = (projection.system.model, projection.weights);
        for ((rod, r), total) in self.rods.iter().zip(&self.before).zip(&self.totals) {
            let spring = &model.springs[rod.spring];
            listener.pulled(rod.spring, total * spring.rest_length);
            for (axis, component) in r.iter().enumerate().take(model.axes) {
                let by = rod.ends.map(|node| weights[node] * total * component);
                report_pin_motion(model, axis, spring, by[0], -by[1], listener);
            }
        }
    }
}

impl NewtonSystem for RodGraph {
    fn are_exact(&mut self, projection: &Projection<'_>, x: &[f64]) -> bool {
        spans(&self.rods, x, projection.system.model, &mut self.now);
        let mut are_exact = true;
        for ((rod, s), excess) in self.rods.iter().zip(&self.now).zip(&mut self.excess) {
            *excess = dot(*s, *s) - rod.square;
            are_exact &= excess.abs() <= rod.bound;
        }
        are_exact
    }

    fn eliminate(&mut self, projection: &Projection<'_>, _x: &[f64]) -> Found {
        let Self { rods, links, matrix, now, before, excess, given, .. } = self;
        let weights = projection.weights;
        let mut found = Found { is_open: false, is_sound: true, turned: 0 };
        matrix.clear();
        for (number, rod) in rods.iter().enumerate() {
            let along = dot(now[number], before[number]);
            // This case includes non-finite numbers.
            let is_along = along > MIN_ALONG * rod.square && excess[number] < f64::INFINITY;
            if !is_along || rod.square == 0.0 {
                found.turned += usize::from(!is_along && rod.square != 0.0);
                // The matrix entries of the rod's links are multiples of this vector, so they
                // become 0.
                now[number] = [0.0; 3];
                matrix.add(number as u32, 1.0);
                given[number] = 0.0;
                continue;
            }
            found.is_open |= excess[number].abs() > rod.bound;
            let weight = weights[rod.ends[0]] + weights[rod.ends[1]];
            matrix.add(number as u32, weight * along);
            given[number] = 0.5 * excess[number];
        }
        for link in &*links {
            let value = dot(now[link.row as usize], before[link.column as usize]);
            matrix.add(link.place, link.weight * value);
        }
        found.is_sound = matrix.eliminate(given);
        found
    }

    fn substitute(&mut self, projection: &Projection<'_>, x: &mut [f64]) {
        self.matrix.substitute(&mut self.given);
        let (axes, n, weights) =
            (projection.system.model.axes, projection.weights.len(), projection.weights);
        for ((rod, r), delta) in self.rods.iter().zip(&self.before).zip(&self.given) {
            let [a, b] = rod.ends;
            let by = [weights[a] * delta, weights[b] * delta];
            for (axis, component) in r.iter().enumerate().take(axes) {
                x[axis * n + a] += by[0] * component;
                x[axis * n + b] -= by[1] * component;
            }
        }
        self.totals.iter_mut().zip(&self.given).for_each(|(total, given)| *total += given);
    }

    fn sweeps(&self) -> u64 {
        1 + (self.matrix.updates() / (UPDATES_A_SWEEP * self.rods.len().max(1))) as u64
    }
}

/// Computes the vectors of rods at positions `x`.
fn spans(rods: &[Rod], x: &[f64], model: &Model, out: &mut [[f64; 3]]) {
    let n = model.nodes();
    match model.axes {
        2 => {
            let (x, y) = x.split_at(n);
            for (Rod { ends: [a, b], .. }, out) in rods.iter().zip(out) {
                *out = [x[*b] - x[*a], y[*b] - y[*a], 0.0];
            }
        }
        _ => {
            for (Rod { ends: [a, b], .. }, out) in rods.iter().zip(out) {
                *out = std::array::from_fn(|axis| x[axis * n + b] - x[axis * n + a]);
            }
        }
    }
}
