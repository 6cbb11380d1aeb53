//! What can be read off a run.

use super::{ColliderForce, Outcome, PinForce, Simulation};
use crate::body::{SpringMemory, State};
use crate::budget::Refusal;
use crate::contact::ContactForces;
use crate::force::{Energy, System};
use crate::method::StepReport;
use crate::named::BadSetup;
use crate::run::{Setup, ledger};
use std::sync::Arc;

impl Simulation {
    /// What is run.
    pub fn setup(&self) -> &Arc<Setup> {
        &self.setup
    }

    /// Time, positions and velocities now.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What the springs have been through.
    pub fn springs(&self) -> &SpringMemory {
        &self.springs
    }

    /// The frame that the state belongs to.
    pub fn frame(&self) -> u64 {
        self.steps / self.setup.substeps
    }

    /// How many steps were taken since the start.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Whether it has diverged, and when. A run that does not go on is not diverged; see
    /// [`Simulation::refusal`].
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Why it does not go on, where it would take more than its budget or its setup cannot be run.
    /// Steps still count, so that whoever waits for a frame does not wait for ever, but nothing
    /// moves any more and the state means nothing.
    pub fn refusal(&self) -> Option<Refusal> {
        self.refusal
    }

    /// What is wrong with the setup, where it cannot be run.
    pub fn bad_setup(&self) -> Option<&BadSetup> {
        self.bad_setup.as_ref()
    }

    /// Position of a node, z being 0 in the plane; `None` where there is no such node.
    pub fn position(&self, node: usize) -> Option<[f64; 3]> {
        let nodes = self.setup.model.nodes();
        (node < nodes).then(|| self.state.position(nodes, node))
    }

    /// Positions of all nodes, in their order, z being 0 in the plane.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = [f64; 3]> {
        let nodes = self.setup.model.nodes();
        (0..nodes).map(move |node| self.state.position(nodes, node))
    }

    /// Velocity of a node, z being 0 in the plane; `None` where there is no such node.
    pub fn velocity(&self, node: usize) -> Option<[f64; 3]> {
        let nodes = self.setup.model.nodes();
        (node < nodes).then(|| self.state.velocity(nodes, node))
    }

    /// Nanoseconds of one core that it took so far, as methods and contacts count them.
    pub fn spent(&self) -> u64 {
        self.meter.spent()
    }

    /// What steps were taken in the last frame; of no step at frame 0.
    pub fn report(&self) -> StepReport {
        self.report
    }

    /// Tension of each structural and shear spring in the last step, above 0 where it pulls; empty
    /// before the first step. `None` where it follows from the spring's law, and of methods that
    /// hold lengths before [`Simulation::keep_tensions`].
    pub fn tensions(&self) -> Option<&[f64]> {
        match self.integrator.tensions() {
            // The method has begun anew at the end of this step.
            Some([]) => Some(&self.tensions_before),
            tensions => tensions,
        }
    }

    /// The force of the body on each of its pins, in the order of their nodes; empty before
    /// [`Simulation::keep_forces`].
    pub fn pin_forces(&self) -> &[PinForce] {
        self.forces.as_ref().map_or(&[], |forces| forces.pins())
    }

    /// The force of the body on a pinned node over the last step, in units of force: springs,
    /// weight and drag of the node, less what a moving pin's own mass takes up. `None` where the
    /// node is not pinned, or forces are not recorded.
    pub fn pin_force(&self, node: usize) -> Option<[f64; 3]> {
        self.pin_forces().iter().find(|pin| pin.node == node).map(|pin| pin.step)
    }

    /// The force of the body on each of its colliders, in their order; empty before
    /// [`Simulation::keep_forces`].
    pub fn collider_forces(&self) -> &[ColliderForce] {
        self.forces.as_ref().map_or(&[], |forces| forces.colliders())
    }

    /// Impulses of contacts in the last step: what each collider and each node received. Empty
    /// where nothing was touched, and before the first step after a checkpoint.
    pub fn contact_impulses(&self) -> &ContactForces {
        &self.contact_forces
    }

    /// Potential energy of all forces that have one.
    pub fn potential(&self) -> f64 {
        self.system().potential(&self.state)
    }

    /// What the body has of energy now, as the ledger counts it. Asking changes nothing, and takes
    /// about as long as one look at all springs.
    pub fn energy(&self) -> Energy {
        ledger::energy(&self.setup, &self.setup.model_as_taken(), &self.system(), &self.state)
    }

    /// The body as it is now, for questions about its forces.
    pub fn system(&self) -> System<'_> {
        System::new(&self.setup.model, &self.springs, &self.setup.forces, &self.anchors)
    }
}
