//! Estimates the cost of a setup's steps and frames, in operations of the price table and in
//! nanoseconds of one core.

use super::{Setup, Simulation, batch::Company};
use crate::body::{Arrangement, Form, Part, Spring};
use crate::budget::{Bill, Cost, Item, Prices};
use crate::drive::event::{Event, Trigger};
use crate::force::rod::{RodKind, Rods};
use crate::force::system::is_of_positions;
use crate::force::{Force, Known, SpringForce, SpringLaw};
use crate::kernel::fits_chain;

/// Extra evaluations of forces per step while an energy ledger is kept.
const EVALUATIONS: u64 = 6;

/// Minimum number of springs in a run that vector instructions process together.
const MIN_RUN: u64 = 8;

/// Number of nodes of a rope from which segments solve a general linear system at a lower cost per
/// node.
const TABLED: u64 = 96;

/// Fixed cost of a frame of a simulation in a group, in steps: copies and checks between frames.
const GROUP_FRAME: u64 = 4;
/// Price of a frame of a chain whose matrix is solved together with others, in thousandths of its
/// price when it advances alone.
const SOLVED: u128 = 130;
/// Price of a coordinate per step in lanes, in thousandths of its price in Euler's kernel.
const IN_LANES: u128 = 2200;
/// Price of a coordinate or a spring of a body that is interleaved with others, in thousandths of
/// its price without a kernel. The lists of all variants fit into the caches less well.
const INTERLEAVED: u128 = 1300;

/// Price of a step of an energy ledger that is kept in a group, in thousandths of an evaluation of
/// forces.
const GROUP_LEDGER: u128 = 1500;

impl Setup {
    /// Prices of the parts of a step for this setup's body.
    pub fn prices(&self) -> Prices {
        let parts = self.part_bills();
        let step = self.step_of(&parts);
        Prices {
            evaluation: parts.evaluation.amount(),
            sweep: parts.sweep.amount(),
            solution: parts.solution.amount(),
            step: step.amount(),
            frame: self.frame_of(&step).amount(),
            ledger_frame: self.ledger_of(&parts).amount(),
        }
    }

    /// Number of coordinates of all nodes.
    fn numbers(&self) -> u64 {
        (self.model.nodes() * self.model.axes) as u64
    }

    /// Number of triangles of sheets and meshes.
    fn facets(&self) -> u64 {
        let of_form = |part: &Part| match &part.form {
            Form::Sheet { rows, columns } => 2 * (rows - 1) * (columns - 1),
            Form::Mesh { facets } => facets.len(),
            Form::Rope { .. } | Form::Graph | Form::Solid(_) => 0,
        };
        self.model.part_list().iter().map(of_form).sum::<usize>() as u64
    }

    /// Operations of the parts of a step.
    fn part_bills(&self) -> PartBills {
        let (model, springs) =
            (&self.model, SpringCounts::of(&self.model.springs, self.model.held));
        let cost = self.step_control.cost(self.method.as_ref());
        let is_rope = model.arrangement == Arrangement::Chain;
        let blocks = (model.axes * model.axes) as u64;
        let solution = match is_rope {
            true => self.rope_solution(blocks, cost),
            false => {
                let solution = Bill::of(Item::Solution, 1);
                let item =
                    if self.has_fast_matrix() { Item::SheetUnknown } else { Item::LooseUnknown };
                solution.and(item, self.couplings() * blocks * model.springs.len() as u64)
            }
        };
        let solution = self.forces.iter().fold(solution, |mut all, force| {
            all.add_times(&force.jacobian_bill(model), 1);
            all
        });
        let mut parts = PartBills {
            evaluation: self.evaluation_bill(&springs, cost.sweeps > 0),
            sweep: cost.sweeping.bill(model.held as u64, model.arrangement),
            solution,
            cost,
        };
        for (kind, nodes) in self.rods().map_or_else(Vec::new, Rods::count_nodes) {
            let (force, unknown) = match kind {
                RodKind::Bent => (Item::Rod, Item::RodUnknown),
                RodKind::Twisted => (Item::TwistedRod, Item::RodUnknown),
                RodKind::Framed => (Item::FramedRod, Item::FramedUnknown),
            };
            parts.evaluation.add(force, nodes as u64);
            parts.solution.add(unknown, nodes as u64);
        }
        parts
    }

    /// Operations of a linear system of a rope. A kernel assembles and eliminates known forces on a
    /// single chain at once; a general system is assembled in tables, and one of many nodes is
    /// solved in segments.
    fn rope_solution(&self, blocks: u64, cost: Cost) -> Bill {
        let nodes = self.model.nodes() as u64;
        let is_known = self.forces.iter().all(|force| force.term().is_some());
        // Methods that solve more than once keep what they have eliminated.
        match cost.solutions {
            1 if is_known => Bill::of(Item::Unknown, blocks * nodes),
            1 => {
                let short = nodes.min(TABLED);
                let weighted = 3 * short + (nodes - short) * 13 / 10;
                Bill::of(Item::RopeSolution, 1).and(Item::Unknown, blocks * weighted)
            }
            _ => Bill::of(Item::RopeSolution, 1).and(Item::Unknown, blocks * nodes),
        }
    }

    /// Whether a sheet's linear system is assembled and solved in vectors.
    fn has_fast_matrix(&self) -> bool {
        let is_sheet = matches!(self.model.arrangement, Arrangement::Sheet { .. });
        let is_known = |force: &dyn Force| force.derivative(self.start_time).is_some();
        is_sheet && self.forces.iter().all(|force| is_known(force.as_ref()))
    }

    /// Number of forces of springs, each of which adds entries to a matrix.
    fn couplings(&self) -> u64 {
        let is_of_springs = |force: &dyn Force| matches!(force.known(), Some(Known::Springs(_)));
        self.forces.iter().filter(|force| is_of_springs(force.as_ref())).count().max(1) as u64
    }

    /// Operations of an evaluation of all forces except rods. If `holds`, the forces of held
    /// springs are omitted.
    fn evaluation_bill(&self, springs: &[SpringCounts; 2], holds: bool) -> Bill {
        let numbers = self.numbers();
        let mut bill = Bill::of(Item::Evaluation, 1).and(Item::Number, numbers);
        let forces = self.forces.iter().filter(|it| !(holds && it.is_held()));
        for force in forces.filter(|force| force.rods().is_none()) {
            match (force.bill(&self.model), force.known()) {
                (Some(own), _) => bill.add_times(&own, 1),
                (None, Some(Known::Gravity { .. })) => {}
                (None, Some(Known::Drag { .. })) => bill.add(Item::Drag, numbers),
                (None, Some(Known::Springs(force))) => {
                    self.add_springs(&mut bill, force, springs);
                }
                (None, None) => bill.add(Item::ListedForce, numbers),
            }
        }
        bill
    }

    /// Adds the operations of a force of springs.
    fn add_springs(&self, bill: &mut Bill, force: SpringForce<'_>, counts: &[SpringCounts; 2]) {
        let axes = self.model.axes as u64;
        let range = force.range(&self.model);
        let [held, bending] = counts;
        let counts = match force {
            SpringForce::Elastic { .. } if range.start > 0 => *bending,
            SpringForce::Elastic { .. } => *held,
            SpringForce::Damping(_) | SpringForce::Friction(_) => held.and(bending),
        };
        let items = match force {
            SpringForce::Elastic { .. } => [Item::Spring, Item::LooseSpring],
            SpringForce::Damping(_) | SpringForce::Friction(_) => {
                [Item::Damping, Item::LooseDamping]
            }
        };
        bill.add(items[0], counts.in_runs * axes);
        bill.add(items[1], counts.loose * axes);
        if let SpringForce::Elastic { law, .. } = force
            && !law.is_linear()
        {
            bill.add(item_of(law), counts.in_runs + counts.loose);
        }
    }

    /// Operations of a step outside the method: contacts, events, and springs that flow or break.
    fn rest_bill(&self) -> Bill {
        let (nodes, springs) = (self.model.nodes() as u64, self.model.springs.len() as u64);
        let mut bill = Bill::of(Item::Step, 1).and(Item::StepNumber, self.numbers());
        if self.flow.is_some() || self.breaks_at.is_some() {
            bill.add(Item::Lasting, springs);
        }
        let is_solid = |part: &&Part| matches!(part.form, Form::Solid(_));
        bill.add(Item::Solid, self.model.parts.iter().filter(is_solid).count() as u64);
        let contacts = &self.contacts;
        let moving = contacts.colliders.iter().filter(|it| it.motion().is_some()).count();
        bill.add(Item::Motion, moving as u64);
        let deforming = contacts.colliders.iter().filter(|it| it.deformation().is_some());
        let facets = deforming.filter_map(|it| it.posed_at(self.start_time));
        bill.add(Item::MovedFacet, facets.map(|it| it.facets.triangles().len() as u64).sum());
        match (&contacts.drawn, contacts.colliders.is_empty()) {
            (Some(_), _) => {
                bill.add(Item::DrawnStep, 1);
                bill.add(Item::DrawnNode, nodes);
                bill.add(Item::DrawnFacet, self.facets());
            }
            (None, false) => {
                bill.add(Item::ContactStep, 1);
                bill.add(Item::ContactNumber, self.numbers());
            }
            (None, true) => {}
        }
        if contacts.own.is_some() && contacts.drawn.is_none() {
            bill.add(Item::OwnNode, nodes);
        }
        for event in &self.events {
            let springs_read_by = |event: &Event| match &event.trigger {
                Trigger::When(condition) if condition.reads_all() => springs,
                _ => 0,
            };
            bill.add(Item::Event, 1);
            bill.add(Item::Spring, springs_read_by(event));
        }
        bill
    }

    /// Minimum operations of a step.
    fn step_of(&self, parts: &PartBills) -> Bill {
        let kernel = self.kernel_step_of(parts.cost).filter(|_| self.is_in_kernel_alone());
        kernel.unwrap_or_else(|| self.plain_step_of(parts))
    }

    /// Operations of a step in a kernel of whole frames; `None` without one.
    fn kernel_step_of(&self, cost: Cost) -> Option<Bill> {
        // Kernels of ropes support no bending springs; those of Euler's methods also take ropes
        // that are not joined.
        let is_rope = || fits_chain(&self.model);
        let is_euler = cost.rope_kernel == Some(Item::KernelNumber);
        let (kernel, count) = match self.model.arrangement {
            Arrangement::Chain if is_rope() => (cost.rope_kernel, self.numbers()),
            Arrangement::Parts if is_euler && is_rope() => (cost.rope_kernel, self.numbers()),
            Arrangement::Sheet { .. } => {
                (cost.sheet_kernel, (self.model.springs.len() * self.model.axes) as u64)
            }
            Arrangement::Chain | Arrangement::Parts => (None, 0),
        };
        let kernel = kernel.filter(|_| self.may_burst());
        kernel.map(|item| Bill::of(Item::KernelStep, 1).and(item, count))
    }

    /// Whether a kernel can take whole frames of this body alone. The kernel of constraint Verlet
    /// needs constant accelerations, except for bodies in lanes.
    fn is_in_kernel_alone(&self) -> bool {
        let is_drag = |force: &dyn Force| matches!(force.known(), Some(Known::Drag { .. }));
        let is_dragged = self.forces.iter().any(|force| is_drag(force.as_ref()));
        !(is_dragged && self.method.cost().sweeps > 0)
    }

    /// Minimum operations of a step without a kernel.
    fn plain_step_of(&self, parts: &PartBills) -> Bill {
        let cost = parts.cost;
        let mut bill = self.rest_bill();
        let is_known = cost.reuses && self.is_plain() && !self.step_control.chooses_steps();
        let is_known = is_known && self.forces.iter().all(|it| is_of_positions(it.as_ref()));
        let evaluations = cost.evaluations - u64::from(is_known);
        bill.add_times(&parts.evaluation, evaluations.into());
        bill.add_times(&parts.sweep, cost.sweeps.into());
        bill.add_times(&parts.solution, cost.solutions.into());
        bill.add(Item::Remembered, cost.remembered.saturating_mul(self.numbers()));
        bill
    }

    /// Operations of a frame of such steps.
    fn frame_of(&self, step: &Bill) -> Bill {
        let mut bill = Bill::of(Item::Frame, 1);
        bill.add_times(step, self.substeps.into());
        bill
    }

    /// Operations of a frame while an energy ledger is kept. No kernel takes whole frames then, and
    /// forces and energies are evaluated more often.
    fn ledger_of(&self, parts: &PartBills) -> Bill {
        let mut step = self.plain_step_of(parts);
        step.add_times(&parts.evaluation, EVALUATIONS.into());
        let mut bill = Bill::of(Item::Frame, 1);
        bill.add_times(&step, self.substeps.into());
        bill
    }

    /// Minimum cost of a step, in nanoseconds of one core, approximately.
    pub fn step_cost(&self) -> u64 {
        self.step_of(&self.part_bills()).amount()
    }

    /// Whether a kernel of the method can take whole frames.
    fn may_burst(&self) -> bool {
        let is_fixed = !self.step_control.chooses_steps();
        is_fixed && self.is_plain() && self.forces.iter().all(|force| force.term().is_some())
    }

    /// Minimum operations of a frame.
    pub fn frame_bill(&self) -> Bill {
        self.frame_of(&self.step_of(&self.part_bills()))
    }

    /// Minimum cost of a frame, in nanoseconds of one core, approximately.
    pub fn frame_cost(&self) -> u128 {
        self.frame_bill().nanoseconds()
    }

    /// Operations of a frame, as one of `count` simulations in a group of this kind.
    fn group_bill(&self, company: Company, count: usize) -> Bill {
        let parts = self.part_bills();
        let steps = u128::from(self.substeps);
        let bill = match company {
            Company::Solved => self.frame_of(&self.step_of(&parts)).share(SOLVED),
            Company::Shapes => {
                Bill::of(Item::KernelNumber, self.numbers()).times(steps).share(IN_LANES)
            }
            Company::Interleaved => {
                shared(self.plain_step_of(&parts).times(steps), count).share(INTERLEAVED)
            }
        };
        bill.and(Item::Step, GROUP_FRAME)
    }

    /// Operations of a frame for an energy ledger that is kept in a group.
    fn group_ledger_bill(&self, count: usize) -> Bill {
        let evaluations = self.part_bills().evaluation.times(self.substeps.into());
        shared(evaluations, count).share(GROUP_LEDGER).and(Item::Step, 2 * GROUP_FRAME)
    }

    /// Whether a kernel takes whole frames of this body alone.
    pub(super) fn has_kernel_alone(&self) -> bool {
        let cost = self.step_control.cost(self.method.as_ref());
        self.kernel_step_of(cost).is_some() && self.is_in_kernel_alone()
    }

    /// Minimum operations of all events. Each event makes a new setup, and a cut visits all
    /// springs.
    pub fn changes_bill(&self) -> Bill {
        let parts = (self.model.nodes() + self.model.springs.len()) as u64;
        let events = self.events.len() as u64;
        Bill::of(Item::Change, events).and(Item::ChangedPart, events.saturating_mul(parts))
    }

    /// Minimum cost of all events, in nanoseconds of one core, approximately.
    pub fn changes_cost(&self) -> u128 {
        self.changes_bill().nanoseconds()
    }

    /// Minimum operations of a frame while an energy ledger is kept. Limits also use this bill for
    /// runs that advance side by side.
    pub fn ledger_bill(&self) -> Bill {
        self.ledger_of(&self.part_bills())
    }

    /// Whether a run may cost more than the estimate. The additional cost is counted during the
    /// run.
    pub fn is_open(&self) -> bool {
        self.step_control.cost(self.method.as_ref()).is_open || !self.contacts.is_empty()
    }
}

/// Operations of the parts of a step.
struct PartBills {
    evaluation: Bill,
    sweep: Bill,
    solution: Bill,
    cost: Cost,
}

/// Number of springs in long runs with consecutive nodes, and number of other springs.
#[derive(Clone, Copy, Default)]
struct SpringCounts {
    in_runs: u64,
    loose: u64,
}

impl SpringCounts {
    /// Counts the held springs and the others of a body.
    fn of(springs: &[Spring], held: usize) -> [Self; 2] {
        let (held, others) = springs.split_at(held.min(springs.len()));
        [Self::among(held), Self::among(others)]
    }

    fn among(springs: &[Spring]) -> Self {
        let mut counts = Self::default();
        let is_next = |one: &Spring, other: &Spring| other.a == one.a + 1 && other.b == one.b + 1;
        for run in springs.chunk_by(is_next).map(|run| run.len() as u64) {
            match run < MIN_RUN {
                true => counts.loose += run,
                false => counts.in_runs += run,
            }
        }
        counts
    }

    fn and(&self, other: &Self) -> Self {
        Self { in_runs: self.in_runs + other.in_runs, loose: self.loose + other.loose }
    }
}

/// Price item of a spring with a law other than Hooke's.
fn item_of(law: &dyn SpringLaw) -> Item {
    match law.info().name {
        "Exponential" | "StrainExponential" => Item::Exponential,
        _ => Item::OtherLaw,
    }
}

/// Returns the bill of one of `count` simulations in a group, which share the fixed costs of steps,
/// evaluations and sweeps.
fn shared(bill: Bill, count: usize) -> Bill {
    bill.divided(&[Item::Step, Item::Evaluation, Item::Sweep], count as u128)
}

/// Returns the operations of a run beyond its minimum, as counted during the run: contacts,
/// iterations, and steps that a method divides.
pub fn extra_bill(simulation: &Simulation) -> Bill {
    let parts = simulation.setup().part_bills();
    let (counts, [evaluations, sweeps, solutions]) = simulation.meter.counted();
    let mut bill = Bill::default();
    counts.for_each(|(item, count)| bill.add(item, count));
    bill.add_times(&parts.evaluation, evaluations.into());
    bill.add_times(&parts.sweep, sweeps.into());
    bill.add_times(&parts.solution, solutions.into());
    bill
}

/// Returns the operations of a frame for one of `count` similar simulations that a
/// [`super::batch::Batch`] advances.
pub fn frame_bill_among(simulation: &mut Simulation, count: usize) -> Bill {
    let company = Company::of(simulation);
    let setup = simulation.setup();
    let is_together = company.is_some_and(|company| count >= *company.counts().start());
    let size = |company: Company| count.min(*company.counts().end());
    match company.filter(|_| is_together) {
        Some(company) if simulation.ledger().is_some() => {
            let mut bill = setup.group_bill(company, size(company));
            bill.add_times(&setup.group_ledger_bill(size(company)), 1);
            bill
        }
        Some(company) => setup.group_bill(company, size(company)),
        None if simulation.ledger().is_some() => setup.ledger_bill(),
        None => setup.frame_bill(),
    }
}

/// Returns the estimated time of a frame in nanoseconds of one core, for one of `count` similar
/// simulations that a [`super::batch::Batch`] advances.
pub fn frame_time_among(simulation: &mut Simulation, count: usize) -> u128 {
    frame_bill_among(simulation, count).nanoseconds()
}
