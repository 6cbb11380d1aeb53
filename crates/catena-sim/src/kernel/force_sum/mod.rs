//! The sum of all forces on all nodes, in vectors, for any body: what every explicit method asks
//! for once or several times a step.
//!
//! Forces are added one after the other, and springs in runs ([`run`]), so each node gets the same
//! numbers in the same order as from the plain loops of the forces, and so the same bits. Nodes go
//! in tiles that stay in the fast part of memory: all forces are summed on a tile, and divided by
//! mass, before the next one. What pulls of a tile's springs do to nodes above it is kept for the
//! next tiles. Loops are written over slices and compiled for each set of instructions.
//!
//! Forces that have no such form, and springs in no order, go over the whole body between tiles.

mod gather;
mod loops;
mod pulls;
mod run;
mod stage;

use super::{
    lanes::{WideSimd, WideWork},
    node_forces::has_exact_inverse,
};
use crate::body::{Model, SpringMemory, State};
use crate::force::{Force, System};
use crate::instructions::Instructions;
use gather::Loose;
use run::Springs;
use stage::{Moment, Stage, Tile};
use std::{ops::Range, sync::Arc};

/// Nodes in a tile.
const TILE: usize = 256;

/// Sums forces for one body, as long as its model, forces and broken springs stay the same.
#[derive(Debug)]
pub struct ForceSum {
    groups: Vec<Group>,
    /// The reciprocal of each mass, where all are exact.
    inverse: Option<Vec<f64>>,
    tile: Box<Tile>,
}

/// Forces that are summed together.
#[derive(Debug)]
enum Group {
    /// Tile by tile.
    Tiled(Vec<Stage>),
    /// A force by its own loop.
    Plain { force: usize },
    /// Springs in no order.
    Loose(Loose),
}

impl ForceSum {
    /// For a body whose springs have been through this.
    pub fn new(model: &Model, memory: &SpringMemory, forces: &[Arc<dyn Force>]) -> Self {
        let mut sum = Self { groups: Vec::new(), inverse: None, tile: Box::default() };
        for (number, force) in forces.iter().enumerate() {
            sum.take(model, memory, (number, force.as_ref()));
        }
        if model.mass.iter().all(|mass| has_exact_inverse(*mass)) {
            sum.inverse = Some(model.mass.iter().map(|mass| 1.0 / mass).collect());
        }
        sum
    }

    /// Takes a force into the sum.
    fn take(&mut self, model: &Model, memory: &SpringMemory, (number, force): (usize, &dyn Force)) {
        if let Some(stage) = stage::on_nodes(number, force) {
            return self.push(stage);
        }
        let Some(kind) = force.spring_force() else {
            return self.groups.push(Group::Plain { force: number });
        };
        for springs in run::divide(model, memory, kind.range(model)) {
            let kind = (kind, force.is_elastic());
            match springs {
                Springs::Run(run) => self.push(stage::of_springs(number, kind, model, &run)),
                Springs::Loose(springs) => {
                    let loose = Loose::new(number, kind, model, &springs);
                    self.groups.push(Group::Loose(loose));
                }
            }
        }
    }

    fn push(&mut self, stage: Stage) {
        match self.groups.last_mut() {
            Some(Group::Tiled(stages)) => stages.push(stage),
            _ => self.groups.push(Group::Tiled(vec![stage])),
        }
    }

    /// Acceleration of each node under all forces, or under those that are not elastic, into `a`.
    /// The system is the one that this sum is for.
    pub fn accelerations(
        &mut self,
        system: &System<'_>,
        state: &State,
        a: &mut [f64],
        is_external: bool,
    ) {
        let moment = Moment { system, state, is_external };
        match system.model.axes {
            2 => Summation::<2> { sum: self, moment, a }.run_with(Instructions::best()),
            _ => Summation::<3> { sum: self, moment, a }.run_with(Instructions::best()),
        }
    }
}

/// The work of one evaluation.
struct Summation<'a, 'b, 'c, const A: usize> {
    sum: &'c mut ForceSum,
    moment: Moment<'a, 'b>,
    a: &'c mut [f64],
}

impl<const A: usize> WideWork for Summation<'_, '_, '_, A> {
    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) {
        let Self { sum: ForceSum { groups, inverse, tile }, moment, a } = self;
        let model = moment.system.model;
        let n = model.nodes();
        let is_tiled = |group: Option<&Group>| matches!(group, Some(Group::Tiled(_)));
        if !is_tiled(groups.first()) {
            a.fill(0.0);
        }
        let last = groups.len().saturating_sub(1);
        for (number, group) in groups.iter_mut().enumerate() {
            let stages = match group {
                Group::Tiled(stages) => stages,
                Group::Plain { force } => {
                    let force = &moment.system.forces()[*force];
                    if !(moment.is_external && force.is_elastic()) {
                        force.add_to(&moment.system.body(), moment.state, a);
                    }
                    continue;
                }
                Group::Loose(loose) => {
                    loose.add::<S, A>(simd, &moment, tile, a);
                    continue;
                }
            };
            for first in (0..n).step_by(TILE) {
                let nodes = first..(first + TILE).min(n);
                begin(tile, (number == 0, n), &nodes, a);
                for stage in &mut *stages {
                    stage.add::<S, A>(simd, &moment, &nodes, tile);
                }
                if number == last {
                    accelerate(tile, model, inverse.as_deref(), &nodes, a);
                } else {
                    end(tile, n, &nodes, a);
                }
            }
        }
        if !is_tiled(groups.last()) {
            accelerate_all(tile, model, inverse.as_deref(), a);
        }
    }
}

/// Copies forces to the tile, or begins with zeros.
#[inline(always)]
fn begin(tile: &mut Tile, (is_first, n): (bool, usize), nodes: &Range<usize>, a: &[f64]) {
    for (f, a) in tile.f.iter_mut().zip(a.chunks_exact(n)) {
        let f = &mut f[..nodes.len()];
        if is_first {
            f.fill(0.0);
        } else {
            f.copy_from_slice(&a[nodes.clone()]);
        }
    }
}

/// Copies forces from the tile.
#[inline(always)]
fn end(tile: &Tile, n: usize, nodes: &Range<usize>, a: &mut [f64]) {
    for (f, a) in tile.f.iter().zip(a.chunks_exact_mut(n)) {
        a[nodes.clone()].copy_from_slice(&f[..nodes.len()]);
    }
}

/// Divides the forces of a tile by mass.
#[inline(always)]
fn accelerate(
    tile: &Tile,
    model: &Model,
    inverse: Option<&[f64]>,
    nodes: &Range<usize>,
    a: &mut [f64],
) {
    let pinned = &model.pinned[nodes.clone()];
    for (f, a) in tile.f.iter().zip(a.chunks_exact_mut(model.nodes())) {
        let (f, a) = (&f[..nodes.len()], &mut a[nodes.clone()]);
        match inverse {
            Some(inverse) => loops::multiply(a, f, &inverse[nodes.clone()], pinned),
            None => loops::divide(a, f, &model.mass[nodes.clone()], pinned),
        }
    }
}

/// Divides all forces by mass.
#[inline(always)]
fn accelerate_all(tile: &mut Tile, model: &Model, inverse: Option<&[f64]>, a: &mut [f64]) {
    let n = model.nodes();
    for first in (0..n).step_by(TILE) {
        let nodes = first..(first + TILE).min(n);
        begin(tile, (false, n), &nodes, a);
        accelerate(tile, model, inverse, &nodes, a);
    }
}
