//! Accessors for the current values of a run.

use super::{ColliderForce, GuideForce, Outcome, PinForce, Simulation};
use crate::body::{SpringMemory, State};
use crate::budget::Refusal;
use crate::contact::ContactForces;
use crate::force::{Energy, System};
use crate::method::StepReport;
use crate::named::BadSetup;
use crate::run::{Setup, ledger};
use std::sync::Arc;

impl Simulation {
    /// The current setup.
    pub fn setup(&self) -> &Arc<Setup> {
        &self.setup
    }

    /// Current time, positions and velocities.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Memory of the springs.
    pub fn springs(&self) -> &SpringMemory {
        &self.springs
    }

    /// Index of the frame that contains the current state.
    pub fn frame(&self) -> u64 {
        self.steps / self.setup.substeps
    }

    /// Number of steps since the start.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Whether and when the run diverged. A refused run does not count as diverged; see
    /// [`Simulation::refusal`].
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Reason why the run does not continue: its budget is exhausted or its setup cannot run. Steps
    /// still count, so that a caller that waits for a frame terminates. Nothing moves, and the
    /// state is invalid.
    pub fn refusal(&self) -> Option<Refusal> {
        self.refusal
    }

    /// Error in the setup, if the setup cannot run.
    pub fn bad_setup(&self) -> Option<&BadSetup> {
        self.bad_setup.as_ref()
    }

    /// Position of a node, with z = 0 in the plane; `None` if there is no such node.
    pub fn position(&self, node: usize) -> Option<[f64; 3]> {
        let nodes = self.setup.model.nodes();
        (node < nodes).then(|| self.state.position(nodes, node))
    }

    /// Positions of all nodes in order, with z = 0 in the plane.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = [f64; 3]> {
        let nodes = self.setup.model.nodes();
        (0..nodes).map(move |node| self.state.position(nodes, node))
    }

    /// Velocity of a node, with z = 0 in the plane; `None` if there is no such node.
    pub fn velocity(&self, node: usize) -> Option<[f64; 3]> {
        let nodes = self.setup.model.nodes();
        (node < nodes).then(|| self.state.velocity(nodes, node))
    }

    /// Cost so far in nanoseconds of one core, as methods and contacts count it.
    pub fn spent(&self) -> u64 {
        self.meter.spent()
    }

    /// Cost so far in nanoseconds of one core, including operations that no budget counts, because
    /// their number depends on cached data.
    pub fn work(&self) -> u64 {
        self.meter.work()
    }

    /// Minimum cost of a step of the current setup in nanoseconds of one core.
    pub fn step_cost(&self) -> u64 {
        self.meter.prices().step
    }

    /// Statistics of the steps of the last frame; empty at frame 0.
    pub fn report(&self) -> StepReport {
        self.report
    }

    /// Tension of each structural and shear spring in the last step, above 0 for a pull; empty
    /// before the first step. `None` if the tension follows from the spring's law. Methods that
    /// hold lengths return `None` before [`Simulation::keep_tensions`].
    pub fn tensions(&self) -> Option<&[f64]> {
        match self.integrator.tensions() {
            // The method restarted at the end of this step.
            Some([]) => Some(&self.tensions_before),
            tensions => tensions,
        }
    }

    /// Force of the body on each of its pins, in the order of their nodes; empty before
    /// [`Simulation::keep_forces`].
    pub fn pin_forces(&self) -> &[PinForce] {
        self.forces.as_ref().map_or(&[], |forces| forces.pins())
    }

    /// Force of the body on a pinned node over the last step: springs, weight and drag of the node,
    /// minus the force that accelerates a moving pin's own mass. `None` if the node is not pinned
    /// or forces are not recorded.
    pub fn pin_force(&self, node: usize) -> Option<[f64; 3]> {
        self.pin_forces().iter().find(|pin| pin.node == node).map(|pin| pin.step)
    }

    /// Force of the body on each of its colliders, in order; empty before
    /// [`Simulation::keep_forces`].
    pub fn collider_forces(&self) -> &[ColliderForce] {
        self.forces.as_ref().map_or(&[], |forces| forces.colliders())
    }

    /// Force of the ropes of routes on each of their guides, in order; empty before
    /// [`Simulation::keep_forces`].
    pub fn guide_forces(&self) -> &[GuideForce] {
        self.forces.as_ref().map_or(&[], |forces| forces.guides())
    }

    /// Impulses of contacts in the last step, per collider and per node. Empty if there are no
    /// contacts, and before the first step after a checkpoint.
    pub fn contact_impulses(&self) -> &ContactForces {
        &self.contact_forces
    }

    /// Time at which a node of each route first reached its stop, and time at which its winch first
    /// slipped, in the order of forces.
    pub fn route_stops(&self) -> Vec<[Option<f64>; 2]> {
        let routes = self.setup.forces.iter().filter_map(|force| force.route());
        let times =
            routes.map(|route| [route.stopped_at(&self.springs), route.slipped_at(&self.springs)]);
        times.collect()
    }

    /// Potential energy of all forces that have one.
    pub fn potential(&self) -> f64 {
        self.system().potential(&self.state)
    }

    /// Current energy of the body, as in the ledger. The state does not change. The cost is about
    /// one pass over all springs.
    pub fn energy(&self) -> Energy {
        ledger::energy(&self.setup, &self.setup.model_as_taken(), &self.system(), &self.state)
    }

    /// The body in its current state, for evaluations of its forces.
    pub fn system(&self) -> System<'_> {
        System::new(&self.setup.model, &self.springs, &self.setup.forces, &self.anchors)
    }
}
