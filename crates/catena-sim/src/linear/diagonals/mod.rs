//! Matrices of bodies whose springs are ordered by direction, such as ropes and cloth. Matrices are
//! stored by diagonals, and assembled and multiplied in vectors of nodes.
//!
//! A block between two nodes is the same in both orders, because the force depends on their
//! relative motion. Each such block is stored once, at the first node. All results are
//! bit-identical to the plain matrices: every number is the same sum in the same order. Terms that
//! the plain path skips are -0.0 here, which changes no number. Some zeros that the plain path adds
//! are omitted here. This changes no number either, because sums start with 0.0 or a mass and never
//! become -0.0. Source of the format: Saad, "Iterative Methods for Sparse Linear Systems", 3.4
//! (DIA).

mod chain;
mod directions;
mod elimination;
mod factor;
mod gradients;
mod rods;
mod segments;
mod springs;
mod table;
mod tridiagonal;

use super::banded::Banded;
use super::{Fast, Kind, Limits, Matrix, Motion, WIDEST_BAND, Weights};
use crate::body::{Model, State};
use crate::force::{Derivative, Force, SpringForce, SpringLaw, System};
use crate::instructions::Instructions;
use chain::Chain;
use directions::{Direction, Directions};
use gradients::{Gradients, Parts};
use rods::{MovingRods, Right, RodBlocks};
use segments::MARGIN;
use springs::{Add, Change, Compute, Lengths, Moved, Springs};
use std::sync::Arc;
use table::{Table, TableShape};
pub(crate) use tridiagonal::Tridiagonal;

/// A matrix stored by diagonals, with its assembly and solver.
pub(super) struct Diagonals<const A: usize> {
    set: Instructions,
    nodes: usize,
    directions: Directions,
    storage: Storage,
    work: Work,
    laws: Laws,
    solver: Solver<A>,
    /// Blocks of rods, created on first use, and whether the last assembly used them.
    rods: Option<Box<RodBlocks<A>>>,
    has_rods: bool,
}

/// Stored values of the matrix and the right-hand side.
struct Storage {
    /// Diagonal blocks.
    own: Table,
    /// Blocks between nodes, by index distance, stored at the first node.
    between: Table,
    /// Whether the blocks of each distance contain any values yet.
    is_filled: Vec<bool>,
    right: Table,
}

/// Inputs and intermediate results of the assembly.
struct Work {
    x: Table,
    displacement: Table,
    change: Table,
    /// Blocks of the springs of a direction.
    blocks: Table,
    /// Contributions of motion to the right-hand side, per spring.
    moved: Table,
}

/// Force law values of the springs of a direction, stored at their first nodes.
struct Laws {
    length: Vec<f64>,
    slope: Vec<f64>,
    tension: Vec<f64>,
}

enum Solver<const A: usize> {
    Banded(Banded<A>),
    Chain(Box<Chain<A>>),
    Gradients(Box<Gradients<A>>),
}

impl<const A: usize> Diagonals<A> {
    /// Creates a matrix for the springs of a model. Returns `None` if they are not ordered by
    /// direction.
    pub(super) fn new(model: &Model, limits: Limits, set: Instructions) -> Option<Self> {
        let directions = Directions::new(model)?;
        let nodes = model.nodes();
        let (offsets, reach) = (&directions.offsets, *directions.offsets.last()?);
        let is_chain = reach == 1;
        let shape = TableShape::new(nodes, if is_chain { MARGIN } else { reach });
        let solver = if is_chain {
            Solver::Chain(Box::new(Chain::new(nodes, shape)))
        } else if reach <= WIDEST_BAND {
            Solver::Banded(Banded::new(nodes, reach))
        } else {
            let places = nodes + 2 * directions.pairs();
            Solver::Gradients(Box::new(Gradients::new(shape, places, limits)))
        };
        let mut own = Table::new(A * A, shape, 0.0);
        // This includes the margins, so that there is no division by 0.
        (0..A).for_each(|p| own.fill(p * A + p, 1.0));
        let storage = Storage {
            own,
            between: Table::new(offsets.len() * A * A, shape, 0.0),
            is_filled: vec![false; offsets.len()],
            right: Table::new(A, shape, 0.0),
        };
        let work = Work {
            x: Table::new(A, shape, 0.0),
            displacement: Table::new(A, shape, 0.0),
            change: Table::new(A, shape, 0.0),
            blocks: Table::new(A * A, shape, -0.0),
            moved: Table::new(4 * A, shape, -0.0),
        };
        let zeros = vec![0.0; shape.width];
        let laws = Laws { length: zeros.clone(), slope: zeros.clone(), tension: zeros };
        let rods = None;
        Some(Self { set, nodes, directions, storage, work, laws, solver, rods, has_rods: false })
    }

    /// Adds the contribution of a force through the springs of a direction.
    fn add_springs(
        &mut self,
        index: usize,
        system: &System<'_>,
        derivative: Derivative<'_>,
        weights: Weights,
        is_definite: bool,
        moves: bool,
    ) {
        let Self { set, directions, storage, work, laws, .. } = self;
        let Work { x, displacement, change, blocks, moved } = work;
        let Some(direction) = directions.all.get(index) else { return };
        let Weights { by_v, by_x } = weights;
        let springs = match derivative {
            Derivative::Nothing | Derivative::Drag(_) => return,
            Derivative::Springs(springs) => springs,
        };
        let (weight, motion, change) = match springs {
            SpringForce::Elastic { part, .. } if part != direction.part => return,
            SpringForce::Elastic { law, .. } => {
                (by_x, &*displacement, laws.of_springs::<A>(*set, direction, law, system, x))
            }
            SpringForce::Damping(coefficient) => {
                direction.coefficients(coefficient, system.model, &mut laws.slope);
                (by_v, &*change, Change::Along(&laws.slope))
            }
            SpringForce::Friction(coefficient) => {
                direction.coefficients(coefficient, system.model, &mut laws.slope);
                (by_v, &*change, Change::Alike(&laws.slope))
            }
        };
        let springs = Springs { direction, change, is_definite };
        let results = Moved { motion, factor: by_v, results: moved };
        let results = moves.then_some(results);
        set.run_with(Compute::<A> { springs, weight, x, blocks, moved: results });
        let Storage { own, between, is_filled, right } = storage;
        let is_new = !std::mem::replace(&mut is_filled[direction.slot], true);
        let slot = (direction.slot, is_new);
        let moved = moves.then_some((&*moved, right));
        set.run_with(Add::<A> { offset: direction.offset, blocks, own, between, slot, moved });
    }

    /// Adds the contribution of drag, -c v on every node.
    fn add_drag(&mut self, c: f64, Weights { by_v, by_x }: Weights, moves: bool) {
        let Self { storage, work, .. } = self;
        for (p, row) in storage.own.square_mut::<A>(0).into_iter().enumerate() {
            let value = -(by_v * -c + by_x * 0.0);
            row.into_iter().nth(p).into_iter().flatten().for_each(|own| *own += value);
        }
        if moves {
            let rows = storage.right.rows_mut::<A>().into_iter().zip(work.change.rows_mut::<A>());
            for (right, change) in rows.flat_map(|(right, change)| right.iter_mut().zip(change)) {
                *right += by_v * (0.0 + -c * *change);
            }
        }
    }

    /// Whether the matrix supports the forces of rods in this system. Rods must follow all springs.
    fn takes_rods(&self, system: &System<'_>, t: f64, is_definite: bool) -> bool {
        let body = system.body();
        let mut forces = system.forces().iter().skip_while(|force| force.rods().is_none());
        let Some(rods) = forces.next().and_then(|force| force.rods()) else { return false };
        let is_node = |force: &Arc<dyn Force>| {
            matches!(force.derivative(t), Some(Derivative::Nothing | Derivative::Drag(_)))
        };
        let offsets = &self.directions.offsets;
        offsets.first() == Some(&1)
            && offsets.iter().all(|offset| *offset <= rods::REACH)
            && forces.all(is_node)
            && rods.each_chain(&body, t, is_definite, &mut |_| {})
    }

    /// Adds the contribution of rods.
    fn add_rods(
        &mut self,
        system: &System<'_>,
        state: &State,
        weights: Weights,
        is_definite: bool,
        moves: bool,
    ) {
        let Self { set, nodes, directions, storage, work, rods, .. } = self;
        let Some(force) = system.forces().iter().find_map(|force| force.rods()) else { return };
        storage.clear_rest::<A>();
        let shape = storage.own.shape();
        let rods = rods.get_or_insert_with(|| Box::new(RodBlocks::new(*nodes, shape)));
        rods.start(&storage.between, 0, (directions.offsets.len() > 1).then_some(1));
        let Storage { own, right, .. } = storage;
        let right = Right { displacement: &work.displacement, factor: weights.by_v, right };
        let moving = MovingRods { rods: force, body: system.body(), t: state.t, is_definite };
        rods.add(*set, moving, weights.by_x, &work.x, own, moves.then_some(right));
    }

    /// Sets the rows of pinned nodes to rows of the identity.
    fn hold(&mut self, pinned: &[bool]) {
        let Self { directions, storage, .. } = self;
        for i in (0..pinned.len()).filter(|i| pinned[*i]) {
            for (p, row) in storage.own.square_mut::<A>(0).into_iter().enumerate() {
                for (q, own) in row.into_iter().enumerate() {
                    own[i] = if p == q { 1.0 } else { 0.0 };
                }
            }
            for (slot, offset) in directions.offsets.iter().enumerate() {
                for between in storage.between.square_mut::<A>(slot).into_iter().flatten() {
                    between[i] = 0.0;
                    if let Some(first) = i.checked_sub(*offset) {
                        between[first] = 0.0;
                    }
                }
            }
        }
    }

    /// Prepares the solver. Returns `false` if the matrix cannot be solved.
    fn prepare(&mut self, pinned: &[bool]) -> bool {
        let Self { set, nodes, directions, storage, solver, rods, has_rods, .. } = self;
        if let Some(rods) = rods.as_mut().filter(|_| *has_rods) {
            rods.hold(pinned);
            return rods.prepare(&storage.own, *nodes);
        }
        match solver {
            Solver::Banded(banded) => {
                chain::fill(banded, 0, 0, &storage.own, *nodes);
                for (slot, offset) in directions.offsets.iter().enumerate() {
                    chain::fill(banded, *offset, slot, &storage.between, *nodes);
                }
                banded.prepare()
            }
            Solver::Chain(chain) => chain.prepare(*set, &storage.own, &storage.between),
            Solver::Gradients(gradients) => gradients.prepare(*set, &storage.own),
        }
    }
}

impl Laws {
    /// Returns the derivative of the spring force under a force law. For a nonlinear law, first
    /// computes the lengths, slopes and tensions of the springs.
    fn of_springs<const A: usize>(
        &mut self,
        set: Instructions,
        direction: &Direction,
        law: &dyn SpringLaw,
        system: &System<'_>,
        x: &Table,
    ) -> Change<'_> {
        if law.is_linear() {
            return Change::Hooke;
        }
        let Self { length, slope, tension } = self;
        set.run_with(Lengths::<A> { offset: direction.offset, x, length });
        direction.strain(law, system.model, system.springs, length, slope, tension);
        Change::Law { slope, tension }
    }
}

impl Storage {
    /// Sets every diagonal block to its node's mass times the identity. Marks all other blocks as
    /// empty.
    fn reset<const A: usize>(&mut self, mass: &[f64]) {
        for (p, row) in self.own.square_mut::<A>(0).into_iter().enumerate() {
            for (q, own) in row.into_iter().enumerate() {
                if p == q {
                    own[..mass.len()].copy_from_slice(mass);
                } else {
                    own.fill(0.0);
                }
            }
        }
        self.is_filled.fill(false);
    }

    /// Copies the right-hand side of free nodes back.
    fn store_right<const A: usize>(&mut self, right: &mut [f64], pinned: &[bool]) {
        for (row, right) in
            self.right.rows_mut::<A>().into_iter().zip(right.chunks_exact(pinned.len()))
        {
            for i in (0..pinned.len()).filter(|i| pinned[*i]) {
                row[i] = right[i];
            }
        }
        self.right.store::<A>(right);
    }

    /// Sets all blocks without values to 0.
    fn clear_rest<const A: usize>(&mut self) {
        for (slot, _) in self.is_filled.iter().enumerate().filter(|(_, is_filled)| !**is_filled) {
            self.between.square_mut::<A>(slot).into_iter().flatten().for_each(|row| row.fill(0.0));
        }
    }
}

impl<const A: usize> Fast for Diagonals<A> {
    fn assemble(
        &mut self,
        system: &System<'_>,
        state: &State,
        weights: Weights,
        kind: Kind,
        motion: Option<&mut Motion<'_>>,
    ) -> Option<bool> {
        let Weights { by_v, by_x } = weights;
        let is_known = |force: &Arc<dyn Force>| force.derivative(state.t).is_some();
        let is_definite = kind == Kind::Definite;
        let has_rods = self.takes_rods(system, state.t, is_definite);
        let fits = |force: &Arc<dyn Force>| is_known(force) || has_rods && force.rods().is_some();
        let is_usual = by_v.is_finite() && by_x.is_finite() && system.forces().iter().all(fits);
        let is_same = system.model.nodes() == self.nodes && state.x.len() == A * self.nodes;
        if !is_usual || !is_same || !motion.as_ref().is_none_or(|motion| motion.is_finite()) {
            return None;
        }
        let moves = motion.is_some();
        self.has_rods = has_rods;
        self.directions.update(system);
        self.storage.reset::<A>(&system.model.mass);
        self.work.x.load::<A>(&state.x);
        if let Some(motion) = &motion {
            self.work.displacement.load::<A>(motion.displacement);
            self.work.change.load::<A>(motion.change);
            self.storage.right.load::<A>(motion.right);
        }
        for force in system.forces() {
            if force.rods().is_some() {
                self.add_rods(system, state, weights, is_definite, moves);
            }
            let Some(derivative) = force.derivative(state.t) else { continue };
            if let Derivative::Drag(c) = derivative {
                self.add_drag(c, weights, moves);
            }
            for index in 0..self.directions.all.len() {
                self.add_springs(index, system, derivative, weights, is_definite, moves);
            }
        }
        self.storage.clear_rest::<A>();
        self.hold(&system.model.pinned);
        if let Some(motion) = motion {
            self.storage.store_right::<A>(motion.right, &system.model.pinned);
        }
        Some(self.prepare(&system.model.pinned))
    }

    fn solve(&mut self, rhs: &[f64], y: &mut [f64], maximum: u64) -> bool {
        let Self { set, directions, storage, solver, rods, has_rods, .. } = self;
        if let Some(rods) = rods.as_mut().filter(|_| *has_rods) {
            return rods.solve(rhs, y);
        }
        match solver {
            Solver::Banded(banded) => banded.solve(rhs, y, maximum),
            Solver::Chain(chain) => chain.solve(*set, rhs, y),
            Solver::Gradients(gradients) => {
                let Storage { own, between, .. } = storage;
                let parts = Parts { offsets: &directions.offsets, own, between };
                gradients.solve(*set, &parts, rhs, y, maximum)
            }
        }
    }

    fn is_direct(&self) -> bool {
        self.has_rods || !matches!(self.solver, Solver::Gradients(_))
    }

    fn operations(&self) -> u64 {
        let of_rods = self.rods.as_ref().map_or(0, |rods| rods.operations());
        let own = match &self.solver {
            Solver::Banded(banded) => banded.operations(),
            Solver::Chain(chain) => chain.operations,
            Solver::Gradients(gradients) => gradients.operations,
        };
        own + of_rods
    }
}
