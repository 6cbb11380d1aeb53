//! Runs: setups, their simulation, batches side by side, and the energy ledger.

pub mod batch;
mod breaking;
mod builder;
mod check;
mod cost;
mod entries;
mod events;
mod implicit_lanes;
mod interleaved;
pub mod ledger;
mod lengths;
mod loads;
mod setup;
mod simulation;
mod surface_friction;
mod watch;

pub use breaking::BreakingStrain;
pub use builder::SetupBuilder;
pub use cost::{extra_bill, frame_bill_among, frame_time_among};
pub use lengths::{ChangingLengths, LengthOverTime};
pub use setup::Setup;
pub use simulation::{
    Checkpoint, ColliderForce, GuideForce, Outcome, Path, PinForce, Push, Simulation, SteeredPin,
    Steering, Taken,
};
pub use surface_friction::SurfaceFriction;
