//! Skins: points and normals that bones carry, and rings, strands and twist along ropes.
//!
//! A [`Skin`] says how much each bone counts for each vertex. [`Skin::linear`] mixes matrices, and
//! [`Skin::dual_quaternion`] mixes rigid motions after the stretch of each bone, which keeps the
//! radius of what is twisted or bent. Ropes get [`Frames`] that do not spin, from which
//! [`Tube`]s and strands are made.

mod dual_quaternion;
mod frames;
mod influences;
mod linear;
mod mesh;
mod polar;
mod rigid;
mod tube;

pub use dual_quaternion::{DualQuaternion, RigidBone};
pub use frames::{Frame, Frames, central_tangents, signed_angle, transport};
pub use influences::Skin;
pub use linear::{transformed_normal, unit};
pub use mesh::volume;
pub use polar::{Polar, polar};
pub use tube::Tube;
