//! Colliders that deform, and their shape at a given time.

use crate::body::vector::{Vec3, along, dot, sub};
use crate::contact::collider::facets::Facets;
use crate::drive::motion::Placement;
use crate::drive::track::Extent;
use crate::identity::Identity;
use std::fmt::Debug;
use std::sync::Arc;

/// Points of a surface as functions of time.
pub trait Deformation: Debug + Identity + Send + Sync {
    /// Returns the positions of all points at a time, and their velocities.
    fn at(&self, t: f64) -> (Vec<Vec3>, Vec<Vec3>);

    /// Returns the time range in which positions change.
    fn extent(&self) -> Extent;
}

/// A surface at one time.
#[derive(Clone, Debug)]
pub struct Posed {
    /// Surface.
    pub facets: Arc<Facets>,
    /// Velocity of each point.
    pub velocities: Vec<Vec3>,
}

impl Posed {
    /// Returns the frames of the surface point nearest to `point`, on this surface and on `other`.
    pub(in crate::contact) fn frames(&self, other: &Self, point: Vec3) -> [Placement; 2] {
        let place = self.facets.nearest(point);
        let weights = weights(self.facets.corners(place.facet), place.at);
        [self, other].map(|posed| posed.frame(place.facet, weights))
    }

    /// Returns the frame of the surface point nearest to `point`.
    pub(in crate::contact) fn near(&self, point: Vec3) -> Placement {
        let place = self.facets.nearest(point);
        self.frame(place.facet, weights(self.facets.corners(place.facet), place.at))
    }

    /// Returns the frame of a point of a triangle, given by the weights of its corners.
    fn frame(&self, facet: usize, weights: [f64; 3]) -> Placement {
        let numbers = self.facets.triangles()[facet];
        let mean = |values: &[Vec3]| {
            let terms = numbers.into_iter().zip(weights);
            terms.fold([0.0; 3], |sum, (k, weight)| along(sum, weight, values[k]))
        };
        let (place, velocity) = (mean(self.facets.points()), mean(&self.velocities));
        Placement { place, velocity, ..Placement::STILL }
    }

    /// Returns the maximum displacement of a point between `from` and this surface.
    pub(in crate::contact) fn maximum_displacement(&self, from: &Self) -> f64 {
        let pairs = self.facets.points().iter().zip(from.facets.points());
        let squares = pairs.map(|(to, from)| {
            let offset = sub(*to, *from);
            dot(offset, offset)
        });
        squares
            .fold(0.0, |maximum: f64, square| if square <= maximum { maximum } else { square })
            .sqrt()
    }
}

/// Returns the barycentric weights of a triangle's corners at a point.
pub(crate) fn weights([a, b, c]: [Vec3; 3], at: Vec3) -> [f64; 3] {
    let (ab, ac, offset) = (sub(b, a), sub(c, a), sub(at, a));
    let (bb, bc, cc) = (dot(ab, ab), dot(ab, ac), dot(ac, ac));
    let (wb, wc) = (dot(offset, ab), dot(offset, ac));
    let determinant = bb * cc - bc * bc;
    if determinant <= 0.0 || determinant.is_nan() {
        return [1.0, 0.0, 0.0];
    }
    let (v, w) = ((cc * wb - bc * wc) / determinant, (bb * wc - bc * wb) / determinant);
    [1.0 - v - w, v, w]
}
