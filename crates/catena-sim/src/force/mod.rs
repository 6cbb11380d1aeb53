//! Forces, one file each.
//!
//! A force is a pure function of the state and of the springs' memory before the step. Forces add
//! to an existing sum, so any number can be combined. The setup fixes their order, because sums in
//! f64 depend on it.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

mod changing_drag;
mod changing_gravity;
mod drag;
mod elastic;
mod energy;
pub mod flow;
#[doc(hidden)]
pub mod formula;
mod gravity;
pub mod jacobian;
pub mod law;
mod pushes;
pub mod rod;
mod shared;
mod soft_pin;
mod spring_coefficient;
mod spring_damping;
mod spring_friction;
pub(crate) mod system;

pub mod applied;

pub use changing_drag::ChangingDrag;
pub use changing_gravity::ChangingGravity;
pub use drag::Drag;
pub use elastic::{ElasticSprings, Part};
pub use energy::{Account, Energy, ForceEnergy, Potential, Store, Unstored};
pub use gravity::Gravity;
pub use jacobian::{Block, Blocks, Derivative, Entry, Jacobian, diagonal};
pub use law::SpringLaw;
pub use pushes::Pushes;
pub use shared::{Coupling, Shared};
pub use soft_pin::SoftPin;
pub use spring_coefficient::SpringCoefficient;
pub use spring_damping::SpringDamping;
pub use spring_friction::SpringFriction;
pub use system::{AccelerationSum, System};

use crate::body::{Body, Model, State};
use crate::budget::Bill;
pub use crate::drive::track::Extent;
use crate::identity::Identity;
use crate::named::{BadOption, BadSetup};
use std::{fmt::Debug, ops::Range, sync::Arc};

/// A force on nodes. [`Force::load`] and [`Force::energy`] have no default, so an implementation
/// cannot forget them. For example, a force of unknown load would make a valid run count as
/// diverged.
pub trait Force: Debug + Identity + Send + Sync {
    /// Adds the force on each node to `f`, flat by axis. Pinned nodes are included: they do not
    /// move, but the force acts on their anchors.
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]);

    /// Adds the derivatives of the force with respect to positions and velocities, for implicit
    /// methods and stability analysis. Adds nothing for a force that depends on neither.
    fn add_jacobian(&self, body: &Body<'_>, state: &State, blocks: &mut Blocks<'_>);

    /// Maximum external force on a body, in units of force: weight, wind, a push. 0 for springs and
    /// friction, which only respond to other forces. The load determines the strain above which a
    /// run counts as diverged.
    fn load(&self, model: &Model) -> f64;

    /// Returns the load on a body that starts in this state.
    fn load_from(&self, model: &Model, _initial: &State) -> f64 {
        self.load(model)
    }

    /// Classifies the force for a body that does not move.
    fn at_rest(&self) -> AtRest<'_> {
        self.known().map_or(AtRest::Other, Known::at_rest)
    }

    /// Operations of one evaluation, for the cost estimate. `None` for the operations of a listed
    /// force on every node.
    fn bill(&self, _model: &Model) -> Option<Bill> {
        None
    }

    /// Operations of [`Force::add_jacobian`] and of the entries that it adds to a matrix, for the
    /// cost estimate, in addition to the entries between the ends of springs.
    fn jacobian_bill(&self, _model: &Model) -> Bill {
        Bill::default()
    }

    /// Destination of the work done against the force: a store, an account of the ledger, or both.
    fn energy(&self) -> ForceEnergy<'_>;

    /// Velocity of the medium at a time; `None` for forces without a medium. The ledger books the
    /// work of the medium's motion as external, and the rest on the force's own account.
    fn medium(&self, _t: f64) -> Option<[f64; 3]> {
        None
    }

    /// Displacement of a moving holder between two times; `None` for forces that do not tie nodes
    /// to a moving holder. The ledger books the work of the holder on the anchors.
    fn holder(&self, _from: f64, _to: f64) -> Option<[f64; 3]> {
        None
    }

    /// Work that moving or turning holders do on the force between two states, if [`Force::holder`]
    /// does not describe their motion. The ledger books this work on the anchors.
    fn work_of_holders(&self, _body: &Body<'_>, _start: &State, _end: &State) -> f64 {
        0.0
    }

    /// Returns the rods, if this is the force of rods.
    fn rods(&self) -> Option<&rod::Rods> {
        None
    }

    /// Returns the route, if this is the force of a route.
    fn route(&self) -> Option<&applied::Route> {
        None
    }

    /// Number of values that the force remembers between steps. Only rods and routes remember
    /// values; the values of rods come first in the memory.
    fn numbers(&self) -> usize {
        0
    }

    /// Work of friction and damping inside the force between two states, in addition to the work of
    /// the unstored part of its [energy](Force::energy). 0 except for routes.
    fn work_within(&self, _body: &Body<'_>, _start: &State, _end: &State) -> f64 {
        0.0
    }

    /// Returns the force for a method that evaluates it once per step, with the positions at the
    /// start of the step and the time at its end. Values and derivatives then form the tangent at
    /// the positions to which the velocities lead. `None` for forces without a kink between the two
    /// positions.
    fn ahead(&self) -> Option<Arc<dyn Force>> {
        None
    }

    /// Returns a force whose memory begins at this distance from the end of the memory of all
    /// forces. `None` for forces that find their memory in another way or have none.
    fn remembering_at(&self, _from_end: usize) -> Option<Arc<dyn Force>> {
        None
    }

    /// Returns the force for the search for rest: rods whose twist is in equilibrium at all times.
    /// `None` if the force does not change.
    ///
    /// # Errors
    /// As for [`rod::Rods::new`].
    fn balanced(
        &self,
        _model: &Model,
        _initial: &State,
    ) -> Result<Option<Arc<dyn Force>>, BadSetup> {
        Ok(None)
    }

    /// Refuses options that do not fit the initial state of the body.
    ///
    /// # Errors
    /// The first option that does not fit.
    fn check_start(&self, _model: &Model, _initial: &State) -> Result<(), BadOption> {
        Ok(())
    }

    /// Returns the initial values of the force's memory, at the start of a run.
    fn first_memory(&self, _body: &Body<'_>, _state: &State) -> Vec<f64> {
        Vec::new()
    }

    /// Updates `memory`, the values that the force remembers, after a step that ended at a state.
    /// `body` still has the old values. Returns whether a guide must stop nodes: see
    /// [`Force::stop`].
    fn remember(&self, _body: &Body<'_>, _state: &State, _memory: &mut [f64]) -> bool {
        false
    }

    /// At the end of a step, moves nodes that have run into a guide of a route back to the guide's
    /// stop. Adds their indices to `displaced`. `holds_lengths` says whether the method holds
    /// lengths.
    fn stop(
        &self,
        _body: &Body<'_>,
        _state: &mut State,
        _holds_lengths: bool,
        _displaced: &mut Vec<usize>,
    ) {
    }

    /// Refuses options that are out of range.
    ///
    /// # Errors
    /// The first invalid option.
    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    /// Refuses nodes that the body does not have, and vectors without exactly one component per
    /// axis.
    ///
    /// # Errors
    /// The first option that does not fit.
    fn fits(&self, _axes: usize, _nodes: usize) -> Result<(), BadOption> {
        Ok(())
    }

    /// Coefficient c of a resistance F = -c v that is equal for all nodes; 0 if there is no
    /// resistance. Negative for a slip that reverses the drag.
    fn resistance(&self) -> f64 {
        0.0
    }

    /// Returns a copy of the force with the constant `coefficient` as its resistance. A slip of the
    /// drag is retained. `None` if there is no resistance.
    fn with_drag(&self, _coefficient: f64) -> Option<Arc<dyn Force>> {
        None
    }

    /// Returns copies of the force with its minimum and its maximum resistance, if the resistance
    /// changes with time. Otherwise returns an empty list.
    fn extremes(&self) -> Vec<Arc<dyn Force>> {
        Vec::new()
    }

    /// Whether the force on a body in a fixed state changes with time, for example along a curve.
    fn changes_with_time(&self) -> bool {
        false
    }

    /// Time range in which the force on a body in a fixed state changes. By default, a force that
    /// changes with time does so without end.
    fn extent(&self) -> Extent {
        if self.changes_with_time() { Extent::Endless(0.0, 0.0) } else { Extent::Still }
    }

    /// Returns the force for a run with another step, if the force depends on the step; `None` for
    /// other forces.
    fn with_step(&self, _dt: f64) -> Option<Arc<dyn Force>> {
        None
    }

    /// Upper bound, over all times, of an acceleration of all nodes in addition to a constant
    /// weight ([`AtRest::Weight`]). 0 for other forces.
    fn uniform_acceleration(&self) -> f64 {
        0.0
    }

    /// Acceleration of gravity that the force represents, one number per axis; `None` for forces
    /// that are not a constant weight.
    fn nominal_gravity(&self) -> Option<&[f64]> {
        match self.at_rest() {
            AtRest::Weight(acceleration) => Some(acceleration),
            _ => None,
        }
    }

    /// Returns the force with another acceleration of gravity, length/time², one number per axis;
    /// `None` for other forces.
    fn with_gravity(&self, _acceleration: &[f64]) -> Option<Arc<dyn Force>> {
        None
    }

    /// Constant vector of the force, such as the force on a node; z is 0 in the plane. `None` for
    /// forces without one, and for gravity.
    fn vector(&self) -> Option<[f64; 3]> {
        None
    }

    /// Returns the force with another [`vector`](Force::vector); `None` for forces without one.
    fn with_vector(&self, _vector: [f64; 3]) -> Option<Arc<dyn Force>> {
        None
    }

    /// Returns the force with another wind, length/time, one number per axis; `None` for forces
    /// without wind.
    fn with_wind(&self, _wind: &[f64]) -> Option<Arc<dyn Force>> {
        None
    }

    /// Returns the force of a route whose rope is paid out at a speed, length/time; `None` for
    /// other forces, and for a route with a motor.
    fn fed_at(&self, _speed: f64) -> Option<Arc<dyn Force>> {
        None
    }

    /// Kind and parameters of the force, if kernels and linear systems support it. They use the
    /// order of operations of [`Force::add_to`] and [`Force::add_jacobian`].
    fn known(&self) -> Option<Known<'_>> {
        None
    }

    /// Derivatives of [`Force::add_jacobian`] at a time as numbers, if linear systems support the
    /// kind of force.
    fn derivative(&self, _t: f64) -> Option<Derivative<'_>> {
        self.known()?.derivative()
    }

    /// Name of the force's type.
    fn name(&self) -> &'static str {
        let path = std::any::type_name::<Self>();
        let end = path.find('<').unwrap_or(path.len());
        path[..end].rsplit("::").next().unwrap_or(path)
    }

    /// Whether the force holds springs at their length. Methods that use projection instead omit
    /// such a force.
    fn is_elastic(&self) -> bool {
        matches!(self.at_rest(), AtRest::Springs { part: Part::Held, .. })
    }

    /// Whether methods that hold lengths replace the force by a constraint: elastic springs, and
    /// routes without friction, inertia and motor.
    fn is_held(&self) -> bool {
        self.is_elastic()
    }
}

/// Returns the values that forces remember at the start of a run: first the values of rods, then
/// the values of routes.
pub fn first_memory(forces: &[Arc<dyn Force>], body: &Body<'_>, state: &State) -> Vec<f64> {
    let (rods, others): (Vec<_>, Vec<_>) = forces.iter().partition(|force| force.rods().is_some());
    rods.into_iter().chain(others).flat_map(|force| force.first_memory(body, state)).collect()
}

impl<'f> dyn Force + 'f {
    /// Returns the complete force as a kind with parameters, if kernels of whole steps support its
    /// kind.
    pub fn term(&self) -> Option<Term<'_>> {
        self.known()?.term()
    }

    /// Returns the force of springs, if kernels support their law.
    pub fn spring_force(&self) -> Option<SpringForce<'_>> {
        match self.known()? {
            Known::Springs(springs) => Some(springs),
            Known::Gravity { .. } | Known::Drag { .. } => None,
        }
    }
}

/// A force of a known kind, in numbers.
#[derive(Clone, Copy, Debug)]
pub enum Known<'a> {
    /// F = m g.
    Gravity {
        /// g, one number per axis.
        acceleration: &'a [f64],
    },
    /// F = -c (v - w).
    Drag {
        /// c.
        coefficient: f64,
        /// w, one number per axis.
        wind: &'a [f64],
    },
    /// A force of springs.
    Springs(SpringForce<'a>),
}

impl<'a> Known<'a> {
    /// Returns the force as a [`Term`] for kernels of whole steps. `None` for other forces; of
    /// springs, only Hooke's law is supported.
    fn term(self) -> Option<Term<'a>> {
        match self {
            Self::Gravity { acceleration } => Some(Term::Gravity { acceleration }),
            Self::Drag { coefficient, wind } => Some(Term::Drag { coefficient, wind }),
            Self::Springs(SpringForce::Elastic { law, part }) => {
                law.is_linear().then_some(Term::Hooke(part))
            }
            Self::Springs(_) => None,
        }
    }

    /// Wind pushes a body at rest; still air and friction in springs do not.
    fn at_rest(self) -> AtRest<'a> {
        match self {
            Self::Gravity { acceleration } => AtRest::Weight(acceleration),
            Self::Drag { coefficient, wind } => {
                let is_windy = coefficient > 0.0 && wind.iter().any(|w| *w != 0.0);
                if is_windy { AtRest::Other } else { AtRest::Nothing }
            }
            Self::Springs(SpringForce::Elastic { law, part }) => AtRest::Springs { law, part },
            Self::Springs(_) => AtRest::Nothing,
        }
    }

    fn derivative(self) -> Option<Derivative<'a>> {
        match self {
            Self::Gravity { .. } => Some(Derivative::Nothing),
            Self::Drag { coefficient, .. } => {
                coefficient.is_finite().then_some(Derivative::Drag(coefficient))
            }
            Self::Springs(springs) => Some(Derivative::Springs(springs)),
        }
    }
}

/// Effect of a force on a body that does not move. The effects of all forces decide whether the
/// balance of forces alone defines the shape of a hanging chain.
#[derive(Clone, Copy, Debug)]
pub enum AtRest<'a> {
    /// No effect: drag in still air, friction.
    Nothing,
    /// m g on every node; g has one number per axis.
    Weight(&'a [f64]),
    /// Tension of springs, all with one law.
    Springs {
        /// Law of the tension as a function of length.
        law: &'a dyn SpringLaw,
        /// Springs that the force includes.
        part: Part,
    },
    /// Any other effect, which needs a simulation.
    Other,
}

/// A force of springs that kernels can compute, in the order of operations of [`Force::add_to`].
#[derive(Clone, Copy, Debug)]
pub enum SpringForce<'a> {
    /// Tension by one law for all springs of a part.
    Elastic {
        /// Law of the tension as a function of length.
        law: &'a dyn SpringLaw,
        /// Springs that the force includes.
        part: Part,
    },
    /// Friction along all springs.
    Damping(&'a SpringCoefficient),
    /// Friction in all springs, on the whole relative velocity of their ends.
    Friction(&'a SpringCoefficient),
}

impl SpringForce<'_> {
    /// Index range of the springs, including broken springs.
    pub(crate) fn range(&self, model: &Model) -> Range<usize> {
        match self {
            Self::Elastic { part: Part::Held, .. } => 0..model.held,
            Self::Elastic { part: Part::Bending, .. } => model.held..model.springs.len(),
            Self::Damping(_) | Self::Friction(_) => 0..model.springs.len(),
        }
    }
}

/// A force that kernels can compute from its numbers, in the order of operations of
/// [`Force::add_to`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Term<'a> {
    /// F = m g.
    Gravity {
        /// g, one number per axis.
        acceleration: &'a [f64],
    },
    /// F = -c (v - w).
    Drag {
        /// c.
        coefficient: f64,
        /// w, one number per axis.
        wind: &'a [f64],
    },
    /// Springs that follow Hooke's law and do not flow.
    Hooke(Part),
}
