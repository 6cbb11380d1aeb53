//! Forces, one file each.
//!
//! A force is a pure function of the state and of what springs have been through before the step.
//! It adds to what is there, so any number of forces can be summed; the setup fixes their order,
//! since sums in f64 depend on it.

mod changing_drag;
mod changing_gravity;
mod drag;
mod elastic;
mod energy;
#[doc(hidden)]
pub mod formula;
mod gravity;
pub mod jacobian;
pub mod law;
mod soft_pin;
mod spring_coefficient;
mod spring_damping;
mod spring_friction;
mod system;

pub mod applied;

pub use changing_drag::ChangingDrag;
pub use changing_gravity::ChangingGravity;
pub use drag::Drag;
pub use elastic::{ElasticSprings, Part};
pub use energy::{Account, Energy, ForceEnergy, Potential, Store, Unstored};
pub use gravity::Gravity;
pub use jacobian::{Block, Blocks, Derivative, Entry, Jacobian, diagonal};
pub use law::SpringLaw;
pub use soft_pin::SoftPin;
pub use spring_coefficient::SpringCoefficient;
pub use spring_damping::SpringDamping;
pub use spring_friction::SpringFriction;
pub use system::{AccelerationSum, System};

use crate::body::{Body, Model, State};
use crate::named::BadOption;
use std::{fmt::Debug, ops::Range, sync::Arc};

/// Something that pushes nodes. What it must say is required, so that nothing is forgotten: a force
/// whose load is not known would make a sound run look as if it had diverged.
pub trait Force: Debug + Send + Sync {
    /// Adds the force on each node to `f`, flat by axis. Pinned nodes get theirs too: no method
    /// lets it move them, but whoever holds them feels it.
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]);

    /// Adds how the force changes with positions and velocities, for implicit methods and the
    /// analysis of stability; nothing for a force that changes with neither.
    fn add_jacobian(&self, body: &Body<'_>, state: &State, blocks: &mut Blocks<'_>);

    /// The greatest force, in units of force, that it brings to a body from outside: weight, wind,
    /// a push. 0 for springs and friction, which only answer. It decides from which strain on a run
    /// counts as diverged.
    fn load(&self, model: &Model) -> f64;

    /// The same for a body that begins in this state.
    fn load_from(&self, model: &Model, _initial: &State) -> f64 {
        self.load(model)
    }

    /// What it is to a body that does not move.
    fn at_rest(&self) -> AtRest<'_> {
        self.known().map_or(AtRest::Other, Known::at_rest)
    }

    /// Where the work done against it goes: into a store, to an account of the ledger, or both.
    fn energy(&self) -> ForceEnergy<'_>;

    /// The velocity of the medium at a time, of forces that drag nodes along with one. What the
    /// medium gives by moving is booked as external, and the rest as the force says.
    fn medium(&self, _t: f64) -> Option<[f64; 3]> {
        None
    }

    /// How far whoever holds the other end of it goes from one time to another, of forces that tie
    /// nodes to something that is moved. What is given in this way is booked as the anchors'.
    fn holder(&self, _from: f64, _to: f64) -> Option<[f64; 3]> {
        None
    }

    /// Refuses options that are out of range.
    ///
    /// # Errors
    /// The first option that is.
    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    /// Refuses nodes that the body does not have, and vectors that do not have as many components
    /// as space has axes.
    ///
    /// # Errors
    /// The first option that does not fit.
    fn fits(&self, _axes: usize, _nodes: usize) -> Result<(), BadOption> {
        Ok(())
    }

    /// c of a resistance F = -c v that is the same for every node; 0 for forces that have none.
    fn resistance(&self) -> f64 {
        0.0
    }

    /// The same force as it is where its resistance is least and where it is greatest, of forces
    /// whose resistance changes with time; none of others.
    fn extremes(&self) -> Vec<Arc<dyn Force>> {
        Vec::new()
    }

    /// The greatest acceleration, over all times, that it gives to every node alike without being a
    /// weight ([`AtRest::Weight`]); 0 for forces that give none.
    fn uniform_acceleration(&self) -> f64 {
        0.0
    }

    /// The same force under another gravity, length/time², one number an axis; `None` where it is
    /// no gravity.
    fn with_gravity(&self, _acceleration: &[f64]) -> Option<Arc<dyn Force>> {
        None
    }

    /// The same force in another wind, length/time, one number an axis; `None` where no wind acts.
    fn with_wind(&self, _wind: &[f64]) -> Option<Arc<dyn Force>> {
        None
    }

    /// The kind of force, where kernels and linear systems know it. They compute it from these
    /// numbers, in the order of operations of [`Force::add_to`] and [`Force::add_jacobian`].
    fn known(&self) -> Option<Known<'_>> {
        None
    }

    /// What [`Force::add_jacobian`] adds at a time, where linear systems know its kind.
    fn derivative(&self, _t: f64) -> Option<Derivative<'_>> {
        self.known()?.derivative()
    }

    /// Name of its type.
    fn name(&self) -> &'static str {
        let path = std::any::type_name::<Self>();
        let end = path.find('<').unwrap_or(path.len());
        path[..end].rsplit("::").next().unwrap_or(path)
    }

    /// Whether this force holds springs at their length. Methods that do so by projection leave it
    /// out.
    fn is_elastic(&self) -> bool {
        matches!(self.at_rest(), AtRest::Springs { part: Part::Held, .. })
    }
}

impl<'f> dyn Force + 'f {
    /// The whole force in numbers, where kernels of whole steps know its kind.
    pub fn term(&self) -> Option<Term<'_>> {
        self.known()?.term()
    }

    /// The springs that it is the force of, where kernels know how they pull.
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
    /// The force as kernels of whole steps take it: springs must follow Hooke's law.
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

/// What a force is to a body that does not move. From it follows whether the shape in which a chain
/// hangs can be computed from the balance of forces.
#[derive(Clone, Copy, Debug)]
pub enum AtRest<'a> {
    /// It vanishes: drag in still air, friction.
    Nothing,
    /// m g on every node; g has one number an axis.
    Weight(&'a [f64]),
    /// The tension of springs, all of one law.
    Springs {
        /// Tension by length.
        law: &'a dyn SpringLaw,
        /// Which springs.
        part: Part,
    },
    /// Something else, which only a run can tell.
    Other,
}

/// A force of springs that kernels can compute, in the same order of operations as
/// [`Force::add_to`].
#[derive(Clone, Copy, Debug)]
pub enum SpringForce<'a> {
    /// Tension by a law, the same for all springs of one part.
    Elastic {
        /// Tension by length.
        law: &'a dyn SpringLaw,
        /// Which springs.
        part: Part,
    },
    /// Friction along all springs.
    Damping(&'a SpringCoefficient),
    /// Friction in all springs on the whole relative velocity.
    Friction(&'a SpringCoefficient),
}

impl SpringForce<'_> {
    /// Numbers of its springs, broken ones among them.
    pub(crate) fn range(&self, model: &Model) -> Range<usize> {
        match self {
            Self::Elastic { part: Part::Held, .. } => 0..model.held,
            Self::Elastic { part: Part::Bending, .. } => model.held..model.springs.len(),
            Self::Damping(_) | Self::Friction(_) => 0..model.springs.len(),
        }
    }
}

/// A force that kernels can compute by themselves, in the same order of operations as
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
