//! A step of implicit Euler for a chain of Hooke's springs under gravity and drag.
//!
//! The elimination is a sequence of divisions, node after node, whose latency would dominate the
//! time. A chain is therefore assembled first and then solved in segments, all of them at once.
//!
//! A very long chain would wait for memory, and a very short one has no segments. Such chains are
//! solved from end to end, in two passes over the nodes. The first pass assembles a `Window` of a
//! few nodes in arrays that stay in the cache, and eliminates it. Only the values for the back
//! substitution are stored for each node: U = D⁻¹ A to the next node, and y = D⁻¹ r. The second
//! pass traverses the nodes in reverse and moves them.
//!
//! The springs of a window do not depend on each other and are computed in vectors.
//!
//! Results are bit-identical to the plain loop. All sums of forces, of the matrix and of the right
//! side add their parts in the order of forces and springs. The elimination takes the same steps.
//! Parts that the plain loop skips, such as springs of length zero, are added here as -0.0, which
//! changes no number. Some zeros that the plain loop adds are skipped. This changes nothing either,
//! because a sum that starts with 0.0 never becomes -0.0.

pub mod lanes;
mod numbers;
mod sequence;
mod spring;
mod window;

use crate::body::{Arrangement, Model, Spring, State};
use crate::force::{Part, System, Term};
use crate::instructions::Instructions;
use crate::lane::{WideSimd, WideWork};
use crate::linear::Tridiagonal;
use numbers::{Column, NODES, Properties};
use sequence::{Backward, EliminatedNode, Forward};
use std::array::from_fn;
use window::Window;

/// The kernel for the steps of one chain, with its workspace.
pub struct ChainImplicit {
    nodes: usize,
    solver: AxisSolver,
    properties: Properties,
    pins: Vec<Pin>,
}

/// The solver, by the number of axes.
enum AxisSolver {
    Planar(Solver<2>),
    Spatial(Solver<3>),
}

/// A pinned node, and its state before it was moved to the end of the step.
struct Pin {
    node: usize,
    x: [f64; 3],
    v: [f64; 3],
    /// Displacement in the step.
    displacement: [f64; 3],
}

/// Input of a step.
struct ChainBody<'a> {
    nodes: usize,
    properties: &'a Properties,
    /// Flags of the broken springs; empty if none can break.
    broken: &'a [bool],
    terms: &'a [Term<'a>],
    /// Pinned nodes, in order.
    pins: &'a [Pin],
    dt: f64,
}

impl ChainImplicit {
    /// Creates the kernel for a model; `None` if the model is not a chain of single springs.
    pub fn new(model: &Model) -> Option<Self> {
        if !is_chain(model) {
            return None;
        }
        let n = model.nodes();
        let properties = Properties {
            mass: Column::new(model.mass.iter().copied()),
            stiffness: Column::new(model.springs.iter().map(|spring| spring.stiffness)),
            rest: Column::new(model.springs.iter().map(|spring| spring.rest_length)),
        };
        let solver = match model.axes {
            2 => AxisSolver::Planar(Solver::new(&properties, n)),
            3 => AxisSolver::Spatial(Solver::new(&properties, n)),
            _ => return None,
        };
        let pinned = (0..n).filter(|&node| model.pinned[node]);
        let pins =
            pinned.map(|node| Pin { node, x: [0.0; 3], v: [0.0; 3], displacement: [0.0; 3] });
        Some(Self { nodes: n, solver, properties, pins: pins.collect() })
    }

    /// Takes a step of `dt` without moving pins to their final positions. `system` must have the
    /// kernel's model, and `state` the time at the end of the step. Returns whether the matrix
    /// could be solved; otherwise the state becomes NaN. Returns `None` and changes nothing if the
    /// kernel does not support the forces, the values, or rest lengths that change.
    pub fn step(
        &mut self,
        set: Instructions,
        system: &System<'_>,
        state: &mut State,
        dt: f64,
    ) -> Option<bool> {
        let model = system.model;
        let is_other = self.nodes != model.nodes() || state.x.len() != model.axes * self.nodes;
        let is_other = is_other || system.length_changes() > 0;
        if is_other || state.v.len() != state.x.len() {
            return None;
        }
        let terms = system.terms()?;
        if !is_usual(model, &terms, dt) || !self.find_pin_motion(system, state) {
            return None;
        }
        let body = ChainBody {
            nodes: model.nodes(),
            properties: &self.properties,
            broken: &system.springs.broken,
            terms: &terms,
            pins: &self.pins,
            dt,
        };
        let is_exact = match &mut self.solver {
            AxisSolver::Planar(solver) => solver.step(set, &body, state),
            AxisSolver::Spatial(solver) => solver.step(set, &body, state),
        };
        if !is_exact {
            state.x.fill(f64::NAN);
            state.v.fill(f64::NAN);
        }
        Some(is_exact)
    }

    /// Determines the motion of the pins without moving them. Returns `false` if the change of
    /// velocity of a pin is not finite.
    fn find_pin_motion(&mut self, system: &System<'_>, state: &mut State) -> bool {
        let (n, axes) = (system.model.nodes(), system.model.axes);
        for pin in &mut self.pins {
            (pin.x, pin.v) = (state.position(n, pin.node), state.velocity(n, pin.node));
        }
        system.hold(state);
        let mut is_finite = true;
        for pin in &mut self.pins {
            for axis in 0..axes {
                let index = axis * n + pin.node;
                pin.displacement[axis] = state.x[index] - pin.x[axis];
                is_finite &= (state.v[index] - pin.v[axis]).is_finite();
                (state.x[index], state.v[index]) = (pin.x[axis], pin.v[axis]);
            }
        }
        is_finite
    }
}

/// Whether a model is a chain of single springs, in order.
fn is_chain(model: &Model) -> bool {
    let n = model.nodes();
    let joins_next = |(j, spring): (usize, &Spring)| (spring.a, spring.b) == (j, j + 1);
    model.arrangement == Arrangement::Chain
        && n >= 2
        && model.pinned.len() == n
        && model.springs.len() == n - 1
        && model.held == n - 1
        && model.springs.iter().enumerate().all(joins_next)
}

/// Whether the kernels support these forces and numbers.
fn is_usual(model: &Model, terms: &[Term<'_>], dt: f64) -> bool {
    let is_known = terms.iter().all(|term| match *term {
        Term::Gravity { acceleration } => acceleration.len() >= model.axes,
        Term::Drag { coefficient, wind } => coefficient.is_finite() && wind.len() >= model.axes,
        Term::Hooke(_) => true,
    });
    // Only one force may add blocks between nodes.
    let joining = terms.iter().filter(|term| **term == Term::Hooke(Part::Held));
    is_known && joining.count() == 1 && dt > 0.0 && (dt * dt).is_finite()
}

/// The two passes over the nodes.
struct Solver<const A: usize> {
    window: Box<Window<A>>,
    /// Eliminated nodes; empty before the first step from end to end.
    rows: Vec<EliminatedNode<A>>,
    /// Solver of chains that are neither short nor long.
    system: Option<Tridiagonal<A>>,
}

impl<const A: usize> Solver<A> {
    fn new(properties: &Properties, nodes: usize) -> Self {
        let (window, system) = (Window::new(properties), Tridiagonal::new(nodes));
        Self { window, rows: Vec::new(), system }
    }

    /// Takes a step. Returns whether the matrix could be solved; if not, the state is unchanged.
    fn step(&mut self, set: Instructions, body: &ChainBody<'_>, state: &mut State) -> bool {
        let n = body.nodes;
        let Self { window, rows, system } = self;
        let (x, v) = (axes(&state.x, n), axes(&state.v, n));
        if let Some(system) = system {
            set.run_with(Assemble { window, system, body, x, v });
            if let Some(change) = system.solve(set) {
                for ((x, v), change) in state.x.iter_mut().zip(&mut state.v).zip(change) {
                    *v += change;
                    *x += body.dt * *v;
                }
                return true;
            }
        }
        rows.resize(n, EliminatedNode::ZERO);
        let is_exact = set.run_with(Forward { window, rows, body, x, v });
        if is_exact {
            let (x, v) = (axes_mut(&mut state.x, n), axes_mut(&mut state.v, n));
            set.run(Backward { rows, x, v, dt: body.dt });
        }
        is_exact
    }
}

/// Assembles the whole system, window by window.
struct Assemble<'a, const A: usize> {
    window: &'a mut Window<A>,
    system: &'a mut Tridiagonal<A>,
    body: &'a ChainBody<'a>,
    x: [&'a [f64]; A],
    v: [&'a [f64]; A],
}

impl<const A: usize> WideWork for Assemble<'_, A> {
    type Output = ();

    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) {
        let Self { window, system, body, x, v } = self;
        window.begin();
        for start in (0..body.nodes).step_by(NODES) {
            window.load(body, &x, &v, start, NODES.min(body.nodes - start));
            window.assemble_springs(simd, body.dt);
            window.assemble_nodes(simd, body);
            window.store(start, system);
        }
    }
}

/// One slice per axis.
fn axes<const A: usize>(flat: &[f64], n: usize) -> [&[f64]; A] {
    let mut axes = flat.chunks_exact(n);
    from_fn(|_| axes.next().unwrap_or_default())
}

/// One mutable slice per axis.
fn axes_mut<const A: usize>(flat: &mut [f64], n: usize) -> [&mut [f64]; A] {
    let mut axes = flat.chunks_exact_mut(n);
    from_fn(|_| axes.next().unwrap_or_default())
}
