//! Skinning: points and normals that bones move, and tubes, strands and twist along ropes.
//!
//! A [`Skin`] holds the weights of bones for each vertex. [`Skin::linear`] blends matrices.
//! [`Skin::dual_quaternion`] blends rigid motions after the stretch of each bone, which keeps the
//! radius of twisted or bent parts. Ropes have rotation-minimising [`Frames`], from which [`Tube`]s
//! and strands are made.

mod dual_quaternion;
mod frames;
mod influences;
mod linear;
mod mesh;
mod polar;
mod tube;

pub use dual_quaternion::{DualQuaternion, RigidBone};
pub use frames::{Frame, Frames, central_tangents, signed_angle, transport};
pub use influences::Skin;
pub use linear::{transformed_normal, unit};
pub use mesh::volume;
pub use polar::{Polar, polar};
pub use tube::Tube;
