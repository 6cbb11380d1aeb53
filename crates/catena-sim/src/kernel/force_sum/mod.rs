//! The sum of all forces on all nodes, in vectors, for any body. Every explicit method needs it
//! once or several times per step.
//!
//! Forces are added one after the other, and springs in runs (`run`). Each node gets the same terms
//! in the same order as from the plain loops of the forces, so results are bit-identical. Nodes are
//! processed in tiles that stay in the inner cache: all forces are summed on a tile, and divided by
//! mass, before the next tile. Pulls of a tile's springs on nodes of later tiles are stored until
//! those tiles are processed. Loops run over slices and are compiled for each instruction set.
//!
//! Forces without a vector form, and springs in irregular order, are added over the whole body
//! between passes over the tiles.

mod gather;
mod pulls;
mod run;
mod single_run;
mod stage;

use super::node_forces::has_exact_inverse;
use crate::body::{Model, SpringMemory, State};
use crate::force::{AccelerationSum, Force, Known, System};
use crate::instructions::Instructions;
use crate::lane::{WideSimd, WideWork};
use gather::Loose;
use run::Springs;
use stage::{Last, Stage, StageMoment, Sum, TileMemory};
use std::sync::Arc;

/// Number of nodes per tile.
const TILE: usize = 256;

/// Sums forces for one body. Valid while its model, forces and broken springs are unchanged.
#[derive(Debug)]
pub struct ForceSum {
    groups: Vec<ForceGroup>,
    /// Reciprocals of the masses, if all are exact.
    inverse: Option<Vec<f64>>,
    /// Indices of the pinned nodes, in order.
    pinned: Vec<usize>,
    tile: Box<TileMemory>,
}

/// Forces that are summed together.
#[derive(Debug)]
enum ForceGroup {
    /// Forces that are summed tile by tile.
    Tiled(Vec<Stage>),
    /// A force that uses its plain loop.
    Plain { force: usize },
    /// Springs in irregular order.
    Loose(Loose),
}

impl ForceGroup {
    fn loose_springs(&self) -> usize {
        match self {
            Self::Loose(loose) => loose.springs(),
            Self::Tiled(_) | Self::Plain { .. } => 0,
        }
    }
}

impl ForceSum {
    /// Creates the sum for a body whose springs have this memory.
    pub fn new(model: &Model, memory: &SpringMemory, forces: &[Arc<dyn Force>]) -> Self {
        let pinned = (0..model.nodes()).filter(|node| model.pinned[*node]).collect();
        let mut sum = Self { groups: Vec::new(), inverse: None, pinned, tile: Box::default() };
        for (number, force) in forces.iter().enumerate() {
            sum.add(model, memory, number, force.as_ref());
        }
        if model.mass.iter().all(|mass| has_exact_inverse(*mass)) {
            sum.inverse = Some(model.mass.iter().map(|mass| 1.0 / mass).collect());
        }
        sum
    }

    /// Returns descriptions of the obstacles to vectors: springs in irregular order, and forces
    /// without a vector form.
    pub fn obstacles(&self, forces: &[Arc<dyn Force>]) -> Vec<String> {
        let mut obstacles = Vec::new();
        let loose: usize = self.groups.iter().map(ForceGroup::loose_springs).sum();
        if loose > 0 {
            let springs = if loose == 1 { "spring" } else { "springs" };
            obstacles.push(format!("{loose} {springs} in irregular order"));
        }
        for group in &self.groups {
            if let ForceGroup::Plain { force } = group {
                obstacles.push(format!("{} without vectors", forces[*force].name()));
            }
        }
        obstacles
    }

    /// Adds a force to the sum.
    fn add(&mut self, model: &Model, memory: &SpringMemory, number: usize, force: &dyn Force) {
        let kind = match force.known() {
            Some(Known::Gravity { .. }) => return self.push(Stage::Weight { force: number }),
            Some(Known::Drag { .. }) => return self.push(Stage::Drag { force: number }),
            Some(Known::Springs(kind)) => kind,
            None => return self.groups.push(ForceGroup::Plain { force: number }),
        };
        for springs in run::divide(model, memory, kind.range(model)) {
            let is_elastic = force.is_elastic();
            match springs {
                Springs::Run(run) => {
                    self.push(stage::of_springs(number, kind, is_elastic, model, &run));
                }
                Springs::Loose(springs) => {
                    let loose = Loose::new(number, kind, is_elastic, model, &springs);
                    self.groups.push(ForceGroup::Loose(loose));
                }
            }
        }
    }

    fn push(&mut self, stage: Stage) {
        match self.groups.last_mut() {
            Some(ForceGroup::Tiled(stages)) => stages.push(stage),
            _ => self.groups.push(ForceGroup::Tiled(vec![stage])),
        }
    }
}

impl AccelerationSum for ForceSum {
    /// Sums the forces in vectors. The system must have the model, forces and broken springs of
    /// this sum.
    fn accelerations(
        &mut self,
        system: &System<'_>,
        state: &State,
        a: &mut [f64],
        is_external: bool,
    ) {
        let moment = StageMoment { system, state, is_external };
        match system.model.axes {
            2 => Instructions::best().run_with(Summation::<2> { sum: self, moment, a }),
            _ => Instructions::best().run_with(Summation::<3> { sum: self, moment, a }),
        }
    }
}

/// The work of one evaluation.
struct Summation<'a, 'b, 'c, const A: usize> {
    sum: &'c mut ForceSum,
    moment: StageMoment<'a, 'b>,
    a: &'c mut [f64],
}

impl<const A: usize> WideWork for Summation<'_, '_, '_, A> {
    type Output = ();

    /// All functions below are inlined. Springs are added at a single call site, because each
    /// additional one would compile all kinds of springs again.
    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) {
        let Self { sum: ForceSum { groups, inverse, pinned, tile }, moment, a } = self;
        let n = moment.system.model.nodes();
        let count = groups.len();
        let ends_tiled = matches!(groups.last(), Some(ForceGroup::Tiled(_)));
        // If the last group is not tiled, a final pass divides all tiles by mass.
        for number in 0..count + usize::from(!ends_tiled) {
            let group = groups.get_mut(number);
            if number == 0 && !matches!(group, Some(ForceGroup::Tiled(_)) | None) {
                a.fill(0.0);
            }
            let stages = match group {
                Some(ForceGroup::Plain { force }) => {
                    let force = &moment.system.forces()[*force];
                    if !(moment.is_external && force.is_held()) {
                        force.add_to(&moment.system.body(), moment.state, a);
                    }
                    continue;
                }
                Some(ForceGroup::Loose(loose)) => {
                    loose.add::<S, A>(simd, &moment, tile, a);
                    continue;
                }
                Some(ForceGroup::Tiled(stages)) => &mut stages[..],
                None => &mut [],
            };
            let inverse = (number + 1 >= count).then_some(inverse.as_deref());
            for first in (0..n).step_by(TILE) {
                let nodes = first..(first + TILE).min(n);
                let sum = Sum { moment: &moment, nodes, tile, a, is_first: number == 0 };
                add_tile::<S, A>(simd, sum, stages, inverse);
            }
        }
        for pinned in pinned {
            for axis in 0..A {
                a[axis * n + *pinned] = 0.0;
            }
        }
    }
}

/// Adds the forces of some stages to the nodes of a tile. If no other force follows, `last` is
/// `Some`, and the sum is divided by mass or multiplied by the given reciprocals.
#[inline(always)]
fn add_tile<S: WideSimd, const A: usize>(
    simd: S,
    mut sum: Sum<'_, '_, '_>,
    mut stages: &mut [Stage],
    last: Option<Option<&[f64]>>,
) {
    loop {
        let springs = stages.iter().take_while(|stage| stage.is_of_springs()).count();
        let (springs, others) = stages.split_at_mut(springs);
        // If the last force is a weight, the pass over the springs also adds the weight and divides
        // by mass.
        let g = match &*others {
            [Stage::Weight { force }] => stage::acceleration(sum.moment.system, *force),
            _ => None,
        };
        let is_end = g.is_some() || others.is_empty();
        let last = last.filter(|_| is_end).map(|inverse| Last { inverse, g });
        if sum.is_first || !springs.is_empty() || last.is_some() {
            sum.add_springs::<S, A>(simd, springs, last);
        }
        match others {
            [stage, more @ ..] if last.is_none() => {
                sum.add_on_nodes::<A>(stage);
                stages = more;
            }
            _ => return,
        }
    }
}
