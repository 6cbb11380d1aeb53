//! Contacts of nodes with colliders, and of nodes with each other.
//!
//! After each step, the whole path of every node is swept, so nothing passes through anything at
//! any step size. Passes for self-contacts and for colliders alternate, because one may undo the
//! other. Nodes in piles that are still too close are then separated from the bottom up. Nodes that
//! touch a collider are held first, then the nodes that touch held nodes, and so on. This is shock
//! propagation (Guendelman, Bridson, Fedkiw 2003). The last resorts are rigid zones, and a return
//! to the start of the step.

mod clusters;
pub mod collider;
pub(crate) mod deformation;
pub mod drawn;
mod fence;
mod forces;
pub mod gaps;
mod hash;
mod impact;
mod lanes;
mod moving;
mod nodes;
mod obstacle;
mod own;
mod response;
pub mod skin;
mod stopped;
mod zones;

pub(crate) use self::collider::facets::Visits;
use self::collider::{Collider, Surface};
pub use self::drawn::{DrawnContact, PartContact};
#[doc(hidden)]
pub use self::fence::Fence;
pub use self::forces::ContactForces;
pub(crate) use self::nodes::NodeSolver;
pub use self::own::ContactFault;
pub use self::stopped::{StopSteps, Stopped};
use crate::body::{Body, Model, State};
use crate::budget::Meter;
use std::sync::Arc;

/// Self-contact: nodes that keep a minimum distance from each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfContact {
    /// Minimum distance of two nodes that no spring joins, above zero.
    pub thickness: f64,
    /// Restitution and friction.
    pub surface: Surface,
}
crate::identity!(SelfContact { thickness, surface });

/// Everything that a body can touch.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    /// Solid obstacles.
    pub colliders: Vec<Arc<dyn Collider>>,
    /// Distance between nodes and colliders in contact, at least 0.
    pub radius: f64,
    /// Contact of the body with itself; `None` if it passes through itself.
    pub own: Option<SelfContact>,
    /// Contact of the whole drawn geometry, which replaces contact of nodes; `None` if only nodes
    /// touch.
    pub drawn: Option<DrawnContact>,
    /// Deliberate fault in the contact of nodes with each other, set by a slip; `None` for correct
    /// contact.
    pub fault: Option<ContactFault>,
}
crate::identity!(Contacts { colliders, radius, own, drawn, fault });

/// Model, start and meter of a step during which contacts are resolved.
#[derive(Clone, Copy)]
pub(crate) struct Step<'a> {
    pub(crate) model: &'a Model,
    pub(crate) start: &'a State,
    pub(crate) meter: &'a Meter,
}

/// Bound on the motion of a body in some steps of a frame, or in all: each node stays close to a
/// parabola.
pub(crate) struct BoundedMotion {
    /// Middle control points of the parabolas, flat by axis: a parabola lies in the triangle of its
    /// start, middle and end, and weights of these points are quadratic in time.
    pub(crate) middles: Vec<f64>,
    /// Ends of the parabolas, flat by axis.
    pub(crate) ends: Vec<f64>,
    /// Maximum distance of a node from its parabola at the end of any step.
    pub(crate) error: f64,
    /// Maximum displacement of a node from the start of the steps.
    pub(crate) farthest: f64,
    /// Number of steps.
    pub(crate) count: f64,
}

impl BoundedMotion {
    /// Returns the positions after the first step of a uniform motion to the ends, flat by axis.
    fn first(&self, state: &State) -> Vec<f64> {
        let ends = self.ends.iter().zip(&state.x);
        ends.map(|(end, x)| x + (end - x) / self.count).collect()
    }
}

impl Contacts {
    /// Whether the body cannot touch anything.
    pub fn is_empty(&self) -> bool {
        self.colliders.is_empty() && self.own.is_none() && self.drawn.is_none()
    }

    /// Corrects the motion from `start` to `state`, the two ends of a step, so that no node ends on
    /// the wrong side of anything.
    ///
    /// Adds the nodes that it changed to `displaced`, in any order. Adds the impulses on colliders
    /// and pinned nodes to `forces`. Gives up when the meter ends the run. A simulation does the
    /// same work, but keeps caches between steps.
    pub fn resolve(
        &self,
        body: Body<'_>,
        start: &State,
        state: &mut State,
        displaced: &mut Vec<usize>,
        forces: &mut ContactForces,
        meter: &Meter,
    ) {
        let mut solver = NodeSolver::new(self, body.model, start);
        if solver.find_candidates(body, start, state) {
            solver.resolve(body.model, start, state, displaced, forces, meter);
        }
    }
}

/// Writes `vector` as the entry of node `i` into a flat list of `nodes` times `axes` values.
fn put(flat: &mut [f64], nodes: usize, axes: usize, i: usize, vector: [f64; 3]) {
    for axis in 0..axes {
        flat[axis * nodes + i] = vector[axis];
    }
}
