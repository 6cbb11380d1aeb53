//! Animation of bodies: tracks, rotations, skeletons, layers; and skins.

mod colors;
mod figures;
mod hostile;
mod layers;
mod pins;
mod rings;
mod rotations;
mod skeletons;
mod skins;
mod tracks;

use catena_sim::glam::{DQuat, DVec3};
use catena_tests::Random;

/// Numbers and vectors that are equal in every run.
struct Numbers(Random);

impl Numbers {
    fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    /// A number from -1 to 1.
    fn next(&mut self) -> f64 {
        self.0.signed()
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }

    /// A unit quaternion.
    fn rotation(&mut self) -> DQuat {
        let q = DQuat::from_xyzw(self.next(), self.next(), self.next(), self.next());
        q * (1.0 / q.dot(q).sqrt())
    }
}

/// The rotation by an angle about a unit axis.
fn about(axis: DVec3, angle: f64) -> DQuat {
    let (sine, cosine) = libm::sincos(0.5 * angle);
    DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}

/// Maximum difference of components.
fn farthest<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Distance of two quaternions as rotations.
fn apart(a: DQuat, b: DQuat) -> f64 {
    farthest(a.to_array(), b.to_array()).min(farthest(a.to_array(), (-b).to_array()))
}
