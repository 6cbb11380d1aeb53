//! Equilibrium of a body with rods, by Newton's method, and its stability.

use crate::verify::check::CheckSetups;
use catena_sim::drive::Anchors;
use catena_sim::drive::track::Animated;
use catena_sim::force::applied::PointForce;
use catena_sim::force::rod::{Clamp, Rod, Rods, Section};
use catena_sim::linear::{Kind, Limits, LinearSystem, Weights};
use catena_sim::vector::{dot, norm};
use catena_sim::{Body, Components, Model, Setup, SpringMemory, State, System};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Weight of the stiffness relative to the masses in a step of Newton's method.
const STIFF: f64 = 1e9;
/// Maximum number of steps of Newton's method.
const MAX_STEPS: usize = 60;
/// Maximum displacement of a step, as a share of the length.
const MAX: f64 = 0.05;
/// Displacement of a step, as a share of the length, below which the method has converged.
const EXACT: f64 = 1e-11;
/// Displacement of a step, as a share of the length, below which a step counts as rounding if it is
/// at least half as long as the previous one.
const ROUNDING: f64 = 1e-6;

/// A body and its state, which moves to equilibrium.
pub(super) struct Balance {
    setup: Setup,
    /// Number of forces without loads.
    forces: usize,
    pub(super) state: State,
    memory: SpringMemory,
}

/// Clamp that holds the initial direction, rotated by `turn` turns.
pub(super) fn clamp(node: usize, turn: f64) -> Clamp {
    Clamp { node, tangent: None, turn: Animated::number(turn) }
}

/// A rope without bending stiffness, in its initial state.
pub(super) struct Rope {
    pub(super) model: Model,
    pub(super) state: State,
}

impl Rope {
    /// Setup of a rod along the rope. The nodes at clamps are pinned.
    pub(super) fn with_rod(self, section: Section, shape: impl Fn(Rod) -> Rod) -> Option<Setup> {
        let Self { mut model, state } = self;
        let rod = shape(Rod::along(&model, 0, section).ok()?);
        rod.clamps.iter().for_each(|clamp| model.pinned[rod.nodes[clamp.node]] = true);
        let rods = Rods::new(&model, &state, vec![rod]).ok()?;
        let setup = Setup::of_body(model, state).force(rods).check().ok()?;
        Some(Setup::clone(&setup))
    }
}

/// A straight rope of length 1 along x with EA = `axial`. The end nodes have half the mass of the
/// others.
pub(super) fn line(axes: usize, segments: usize, axial: f64) -> Option<Rope> {
    let nodes = segments + 1;
    let stiffness = axial * segments as f64;
    let mut end = vec![0.0; axes];
    end[0] = 1.0;
    let rope = catena_sim::Rope::new(vec![0.0; axes], end, nodes).of(1.0, stiffness);
    let (mut model, state) = catena_sim::body::shape::Topology::build(&rope).ok()?;
    model.mass.fill(1.0 / segments as f64);
    (model.mass[0], model.mass[segments]) = (0.5 / segments as f64, 0.5 / segments as f64);
    Some(Rope { model, state })
}

impl Balance {
    /// Creates the body in its initial state.
    pub(super) fn new(setups: &CheckSetups<'_>, setup: Setup) -> Self {
        let setup = Setup::clone(&setups.ready(setup));
        let mut memory = SpringMemory::default();
        let body = Body { model: &setup.model, springs: &memory };
        let rods = setup.forces.iter().find(|force| force.rods().is_some());
        memory.rods = rods.map(|rods| rods.first_memory(&body, &setup.initial)).unwrap_or_default();
        Self { forces: setup.forces.len(), state: setup.initial.clone(), memory, setup }
    }

    pub(super) fn model(&self) -> &Model {
        &self.setup.model
    }

    /// Setup, and the memory of its springs.
    pub(super) fn parts(&self) -> (&Setup, &SpringMemory) {
        (&self.setup, &self.memory)
    }

    /// Replaces the load by a force on a node.
    pub(super) fn load(&mut self, node: usize, force: Components) {
        self.setup.forces.truncate(self.forces);
        let from = f64::NEG_INFINITY;
        let load = PointForce { force, node, from, until: f64::INFINITY };
        self.setup.forces.push(Arc::new(load));
    }

    /// Position of a node.
    pub(super) fn position(&self, node: usize) -> [f64; 3] {
        self.state.position(self.model().nodes(), node)
    }

    /// Moves the body to its equilibrium. Returns `None` if Newton's method does not converge.
    pub(super) fn settle(&mut self) -> Option<()> {
        let limits = Limits { tolerance: 1e-12, iterations: 20_000 };
        let mut linear = LinearSystem::new(self.model(), limits);
        let (length, mut before) = (self.model().rest_length(), f64::INFINITY);
        for _ in 0..MAX_STEPS {
            let change = self.newton_step(&mut linear)?;
            let maximum = change.iter().fold(0.0, |maximum: f64, change| maximum.max(change.abs()));
            let share = (MAX * length / maximum).min(1.0);
            self.state.x.iter_mut().zip(&change).for_each(|(x, change)| *x += share * change);
            self.remember();
            let is_rounding = maximum < ROUNDING * length && maximum >= 0.5 * before;
            if maximum < EXACT * length || is_rounding {
                return Some(());
            }
            if !maximum.is_finite() {
                return None;
            }
            before = maximum;
        }
        None
    }

    fn newton_step(&self, linear: &mut LinearSystem) -> Option<Vec<f64>> {
        let (model, size) = (self.model(), self.state.x.len());
        let anchors = Anchors::new(model, &self.state, &[]);
        let system = System::new(model, &self.memory, &self.setup.forces, &anchors);
        let (mut f, mut change) = (vec![0.0; size], vec![0.0; size]);
        for force in &self.setup.forces {
            force.add_to(&system.body(), &self.state, &mut f);
        }
        let is_pinned = |index: usize| model.pinned[index % model.nodes()];
        (0..size).filter(|&index| is_pinned(index)).for_each(|index| f[index] = 0.0);
        let weights = Weights { by_v: 0.0, by_x: STIFF };
        if !linear.assemble(&system, &self.state, weights, Kind::Full, None) {
            return None;
        }
        f.iter_mut().for_each(|f| *f *= STIFF);
        linear.solve(&f, &mut change);
        norm(&change).is_finite().then_some(change)
    }

    /// Updates the accumulated turns of rods.
    fn remember(&mut self) {
        let mut rods = std::mem::take(&mut self.memory.rods);
        let before = SpringMemory { rods: rods.clone(), ..self.memory.clone() };
        let body = Body { model: &self.setup.model, springs: &before };
        for force in self.setup.forces.iter().filter(|force| force.rods().is_some()) {
            force.remember(&body, &self.state, &mut rods);
        }
        self.memory.rods = rods;
    }

    /// Work of the forces on some nodes that a small displacement of all nodes causes, along the
    /// displacement of these nodes.
    pub(super) fn work(&self, moved: &[[f64; 3]], nodes: RangeInclusive<usize>) -> f64 {
        let model = self.model();
        let anchors = Anchors::new(model, &self.state, &[]);
        let system = System::new(model, &self.memory, &self.setup.forces, &anchors);
        let entries = system.jacobian(&self.state).entries.into_iter();
        let works = entries.filter(|entry| nodes.contains(&entry.i)).map(|entry| {
            let force = entry.by_x.iter().map(|row| dot(*row, moved[entry.j]));
            force.zip(moved[entry.i]).map(|(force, moved)| force * moved).sum::<f64>()
        });
        works.sum()
    }

    /// Whether a displacement lowers the energy: the stiffness has an eigenvalue below `minimum`.
    pub(super) fn is_unstable(&self, minimum: f64) -> bool {
        let model = self.model();
        let anchors = Anchors::new(model, &self.state, &[]);
        let n = model.nodes();
        let mut places = vec![usize::MAX; self.state.x.len()];
        let free = (0..places.len()).filter(|index| !model.pinned[index % n]);
        let size = free.enumerate().map(|(place, index)| places[index] = place).count();
        let mut matrix = vec![vec![0.0; size]; size];
        let system = System::new(model, &self.memory, &self.setup.forces, &anchors);
        for entry in system.jacobian(&self.state).entries {
            for p in 0..model.axes {
                for q in 0..model.axes {
                    let (i, j) = (places[p * n + entry.i], places[q * n + entry.j]);
                    if i != usize::MAX && j != usize::MAX {
                        matrix[i][j] -= entry.by_x[p][q];
                    }
                }
            }
        }
        matrix.iter_mut().enumerate().for_each(|(i, row)| row[i] -= minimum);
        has_negative_pivot(matrix)
    }
}

/// Whether a symmetric matrix has an eigenvalue below 0: a negative pivot (Sylvester's law).
fn has_negative_pivot(mut rows: Vec<Vec<f64>>) -> bool {
    for k in 0..rows.len() {
        let (done, rest) = rows.split_at_mut(k + 1);
        let pivot = &done[k];
        if pivot[k] < 0.0 || pivot[k].is_nan() {
            return true;
        }
        for row in rest {
            let share = row[k] / pivot[k];
            if share != 0.0 {
                row[k..].iter_mut().zip(&pivot[k..]).for_each(|(value, top)| *value -= share * top);
            }
        }
    }
    false
}

/// Finds the load at which a condition begins to hold, between two loads. Returns `None` if it
/// holds at the first or does not hold at the second.
pub(super) fn onset(
    mut low: f64,
    mut high: f64,
    holds: impl Fn(f64) -> Option<bool>,
) -> Option<f64> {
    if holds(low)? || !holds(high)? {
        return None;
    }
    while high - low > 1e-6 * high {
        let middle = 0.5 * (low + high);
        if holds(middle)? { high = middle } else { low = middle }
    }
    Some(0.5 * (low + high))
}
