//! Rods along chains: solver for the Newton system of [`rods`](super::rods) without a sparse
//! matrix.
//!
//! Rod i joins nodes i and i + 1, so the Jacobian is tridiagonal, with s_i·r_{i-1}, s_i·r_i and
//! s_i·r_{i+1} in row i. While rods rotate little in a step, the matrix is positive definite, so
//! elimination needs no pivoting. Elimination runs from both ends to the middle, so that the
//! processor can overlap two divisions. A step takes two or three solutions, independently of the
//! length of the chain.
//!
//! Pins have weight 0. Pins, missing rods and broken rods divide the system into independent parts.

use super::projection::{MIN_ALONG, Projection, report_pin_motion};
use super::reaction::Listener;
use super::rods::{Ending, Found, MIN_PIVOT, NewtonSystem, iterate};
use crate::body::{Model, vector::dot};
use crate::force::System;

/// The rods of a body that consists of chains, by their first node.
pub(super) struct ChainRods {
    /// Index of the spring from each node to the next.
    springs: Vec<Option<usize>>,
    /// Broken springs at the last update of `squares`; `length_changes` is of the same time.
    broken: Vec<bool>,
    length_changes: u64,
    /// l² of each rod; 0 at a node without a movable rod.
    squares: Vec<f64>,
    /// Maximum | |s|² - l² | of an exact rod; infinite at a node without a rod.
    bounds: Vec<f64>,
    /// Positions before all corrections.
    predicted: Vec<f64>,
    /// Remainder of each row after elimination: δ_i = given - share times the δ of the next row.
    share: Vec<f64>,
    given: Vec<f64>,
    /// Rods with one pinned end.
    at_pins: Vec<usize>,
    /// Sum of the δ of each rod for a listener; empty if there is no listener.
    totals: Vec<f64>,
}

impl ChainRods {
    /// Creates the system. `None` if a held spring joins nodes that are not consecutive, or two
    /// springs join the same nodes.
    pub(super) fn new(model: &Model) -> Option<Self> {
        let count = model.nodes().checked_sub(1)?;
        let mut springs = vec![None; count];
        for (index, spring) in model.held().iter().enumerate() {
            let place = springs.get_mut(spring.a).filter(|_| spring.b == spring.a + 1)?;
            if place.replace(index).is_some() {
                return None;
            }
        }
        let is_at_pin = |rod: &usize| model.pinned[*rod] != model.pinned[rod + 1];
        let at_pins = (0..count).filter(is_at_pin).collect();
        Some(Self {
            springs,
            broken: Vec::new(),
            length_changes: 0,
            squares: Vec::new(),
            bounds: Vec::new(),
            predicted: Vec::new(),
            share: vec![0.0; count],
            given: vec![0.0; count],
            at_pins,
            totals: Vec::new(),
        })
    }

    /// Updates the rods if springs have broken or their rest lengths have changed.
    fn read(&mut self, system: &System<'_>, tolerance: f64) {
        let (model, memory) = (system.model, system.springs);
        let is_read = self.squares.len() == self.springs.len();
        let are_of_now = self.length_changes == system.length_changes();
        if is_read && are_of_now && self.broken == memory.broken {
            return;
        }
        self.length_changes = system.length_changes();
        self.broken.clone_from(&memory.broken);
        self.squares.clear();
        self.bounds.clear();
        for (first, spring) in self.springs.iter().enumerate() {
            let is_held = model.pinned[first] && model.pinned[first + 1];
            let rod = spring.filter(|spring| !is_held && !memory.is_broken(*spring));
            let square = rod.map(|rod| model.springs[rod].rest_length).map(|l| l * l);
            self.squares.push(square.unwrap_or(0.0));
            self.bounds.push(square.map_or(f64::INFINITY, |square| 2.0 * tolerance * square));
        }
    }

    /// Corrects the predicted positions `x` until every length is exact. If `keeps_totals`, keeps
    /// the data for [`ChainRods::report_reactions`].
    pub(super) fn solve(
        &mut self,
        projection: &Projection<'_>,
        x: &mut [f64],
        tolerance: f64,
        maximum: u32,
        keeps_totals: bool,
    ) -> Ending {
        self.read(projection.system, tolerance);
        self.predicted.clear();
        self.predicted.extend_from_slice(x);
        self.totals.clear();
        self.totals.resize(if keeps_totals { self.squares.len() } else { 0 }, 0.0);
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
        let springs = self.springs.iter().zip(&self.totals);
        for (spring, total) in springs.filter_map(|(spring, total)| Some(((*spring)?, total))) {
            listener.pulled(spring, total * model.springs[spring].rest_length);
        }
        for &rod in &self.at_pins {
            let Some(spring) = self.springs[rod].map(|spring| &model.springs[spring]) else {
                continue;
            };
            let total = self.totals.get(rod).copied().unwrap_or(0.0);
            let r = model.span(projection.start, spring).0;
            for (axis, component) in r.iter().enumerate().take(model.axes) {
                let by = [spring.a, spring.b].map(|node| weights[node] * total * component);
                report_pin_motion(model, axis, spring, by[0], -by[1], listener);
            }
        }
    }

    /// Whether every rod has its length.
    fn are_exact_in<const D: usize>(&self, x: &[&[f64]; D]) -> bool {
        let count = self.squares.len();
        let (squares, bounds) = (&self.squares[..count], &self.bounds[..count]);
        let (here, next) = (x.map(|x| &x[..count]), x.map(|x| &x[1..][..count]));
        let mut are_exact = true;
        for i in 0..count {
            let mut square = 0.0;
            for axis in 0..D {
                let s = next[axis][i] - here[axis][i];
                square += s * s;
            }
            are_exact &= (square - squares[i]).abs() <= bounds[i];
        }
        are_exact
    }

    /// Performs forward elimination from both ends to the middle.
    fn eliminate_in<const D: usize>(&mut self, chain: &RodChain<'_, D>) -> Found {
        let count = self.squares.len();
        let half = count / 2;
        let (mut up, mut down) = (Side::default(), Side::default());
        let mut found = Found { is_open: false, is_sound: true, turned: 0 };
        // The front side uses the previous row, the back side the next one.
        for step in 0..count - half {
            if step < half {
                let row = self.row(chain, step, &mut found);
                found.is_sound &= up.eliminate(row.diagonal, row.before, row.after, row.excess);
                (self.share[step], self.given[step]) = (up.share, up.given);
            }
            let last = count - 1 - step;
            let row = self.row(chain, last, &mut found);
            found.is_sound &= down.eliminate(row.diagonal, row.after, row.before, row.excess);
            (self.share[last], self.given[last]) = (down.share, down.given);
        }
        // The two middle rows are coupled only with each other.
        let rest = 1.0 - up.share * down.share;
        self.given[half] = (down.given - down.share * up.given) / rest;
        found.is_sound &= rest > MIN_PIVOT;
        found
    }

    /// Returns the row of a rod in the Newton system. A missing rod, and one that has rotated by a
    /// right angle, has δ = 0.
    #[inline(always)]
    fn row<const D: usize>(&self, chain: &RodChain<'_, D>, i: usize, found: &mut Found) -> RodRow {
        let (s, w) = (difference(&chain.x, i), chain.w);
        let along = dot(s, difference(&chain.start, i));
        let excess = dot(s, s) - self.squares[i];
        // This case includes non-finite numbers.
        let is_along = along > MIN_ALONG * self.squares[i] && excess < f64::INFINITY;
        if !is_along || self.squares[i] == 0.0 {
            found.turned += usize::from(!is_along);
            return RodRow { diagonal: 1.0, ..RodRow::default() };
        }
        found.is_open |= excess.abs() > self.bounds[i];
        let mut row = RodRow {
            diagonal: (w[i] + w[i + 1]) * along,
            excess: 0.5 * excess,
            ..RodRow::default()
        };
        if i > 0 {
            row.before = -w[i] * dot(s, difference(&chain.start, i - 1));
        }
        if i + 2 < w.len() {
            row.after = -w[i + 1] * dot(s, difference(&chain.start, i + 1));
        }
        row
    }

    /// Performs back substitution from the middle to both ends, and moves the nodes.
    fn substitute_in<const D: usize>(&mut self, start: &[&[f64]; D], w: &[f64], x: &mut [f64]) {
        let count = self.squares.len();
        let half = count / 2;
        let middle = self.given[half];
        // Back half.
        let mut before = RodPull { delta: middle, rod: difference(start, half) };
        for i in half + 1..count {
            let delta = self.given[i] - self.share[i] * before.delta;
            self.given[i] = delta;
            let this = RodPull { delta, rod: difference(start, i) };
            shift(x, w, i, before, this);
            before = this;
        }
        shift(x, w, count, before, RodPull::NONE);
        // Front half.
        let mut after = RodPull { delta: middle, rod: difference(start, half) };
        for i in (0..half).rev() {
            let delta = self.given[i] - self.share[i] * after.delta;
            self.given[i] = delta;
            let this = RodPull { delta, rod: difference(start, i) };
            shift(x, w, i + 1, this, after);
            after = this;
        }
        shift(x, w, 0, RodPull::NONE, after);
    }
}

impl NewtonSystem for ChainRods {
    fn are_exact(&mut self, projection: &Projection<'_>, x: &[f64]) -> bool {
        let Model { axes, .. } = projection.system.model;
        let n = projection.weights.len();
        match axes {
            2 => self.are_exact_in(&by_axis::<2>(x, n)),
            _ => self.are_exact_in(&by_axis::<3>(x, n)),
        }
    }

    fn eliminate(&mut self, projection: &Projection<'_>, x: &[f64]) -> Found {
        match projection.system.model.axes {
            2 => self.eliminate_in(&RodChain::<2>::new(projection, x)),
            _ => self.eliminate_in(&RodChain::<3>::new(projection, x)),
        }
    }

    fn substitute(&mut self, projection: &Projection<'_>, x: &mut [f64]) {
        let (start, w) = (projection.start, projection.weights);
        match projection.system.model.axes {
            2 => self.substitute_in(&by_axis::<2>(start, w.len()), w, x),
            _ => self.substitute_in(&by_axis::<3>(start, w.len()), w, x),
        }
        self.totals.iter_mut().zip(&self.given).for_each(|(total, given)| *total += given);
    }
}

/// Inputs of the Newton system.
struct RodChain<'a, const D: usize> {
    x: [&'a [f64]; D],
    start: [&'a [f64]; D],
    /// Inverse masses, 0 for pins.
    w: &'a [f64],
}

impl<'a, const D: usize> RodChain<'a, D> {
    fn new(projection: &Projection<'a>, x: &'a [f64]) -> Self {
        let w = projection.weights;
        Self { x: by_axis(x, w.len()), start: by_axis(projection.start, w.len()), w }
    }
}

/// A row of the Newton system: coefficients of δ_{i-1}, δ_i and δ_{i+1}, and the right side.
#[derive(Clone, Copy, Default)]
struct RodRow {
    before: f64,
    diagonal: f64,
    after: f64,
    excess: f64,
}

/// The last row that was eliminated from one side.
#[derive(Clone, Copy, Default)]
struct Side {
    share: f64,
    given: f64,
}

impl Side {
    /// Eliminates the previous row from the next one. Returns whether the pivot is large enough.
    #[inline(always)]
    fn eliminate(&mut self, diagonal: f64, known: f64, unknown: f64, excess: f64) -> bool {
        let pivot = diagonal - known * self.share;
        let inverse = 1.0 / pivot;
        self.given = (excess - known * self.given) * inverse;
        self.share = unknown * inverse;
        pivot > MIN_PIVOT * diagonal
    }
}

/// Vector from node i to the next.
#[inline(always)]
fn difference<const D: usize>(x: &[&[f64]; D], i: usize) -> [f64; D] {
    std::array::from_fn(|axis| x[axis][i + 1] - x[axis][i])
}

/// Pull of a rod on its nodes, δ r.
#[derive(Clone, Copy)]
struct RodPull<const D: usize> {
    delta: f64,
    /// Vector r along the rod.
    rod: [f64; D],
}

impl<const D: usize> RodPull<D> {
    /// Pull of a missing rod.
    const NONE: Self = Self { delta: 0.0, rod: [0.0; D] };
}

/// Moves a node by the rods on both sides.
#[inline(always)]
fn shift<const D: usize>(
    x: &mut [f64],
    w: &[f64],
    node: usize,
    before: RodPull<D>,
    after: RodPull<D>,
) {
    for axis in 0..D {
        let offset = after.delta * after.rod[axis] - before.delta * before.rod[axis];
        x[axis * w.len() + node] += w[node] * offset;
    }
}

/// Splits a flat vector by axis.
fn by_axis<const D: usize>(x: &[f64], n: usize) -> [&[f64]; D] {
    std::array::from_fn(|axis| &x[axis * n..][..n])
}
