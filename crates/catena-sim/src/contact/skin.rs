//! Skins of rigs: closed surfaces whose points move on their own.
//!
//! A node near such a surface moves with the point of the surface that is nearest to it. The frame
//! of that point keeps the directions of the scene and does not turn.

use super::collider::check_surface;
use super::collider::facets::Facets;
use super::collider::{Collider, Solid, Surface};
use crate::body::vector::{Vec3, along, dot, sub};
use crate::drive::motion::{Motion, Placement};
use crate::drive::track::Extent;
use crate::identity::Identity;
use crate::named::{BadOption, Info};
use std::fmt::{self, Debug};
use std::sync::{Arc, Mutex, PoisonError};

/// Points of a surface as functions of time.
pub trait Deformation: Debug + Identity + Send + Sync {
    /// Returns the positions of all points at a time, and their velocities.
    fn at(&self, t: f64) -> (Vec<Vec3>, Vec<Vec3>);

    /// Returns the time range in which they change.
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
    /// Returns the frame of the point of the surface that is nearest to a point, and the same
    /// point's frame on this surface at another time.
    pub(in crate::contact) fn frames(&self, other: &Self, point: Vec3) -> [Placement; 2] {
        let place = self.facets.nearest(point);
        let weights = weights(self.facets.corners(place.facet), place.at);
        [self, other].map(|posed| posed.frame(place.facet, weights))
    }

    /// Returns the frame of the point of the surface that is nearest to a point.
    pub(in crate::contact) fn near(&self, point: Vec3) -> Placement {
        let place = self.facets.nearest(point);
        self.frame(place.facet, weights(self.facets.corners(place.facet), place.at))
    }

    /// Returns the frame of a point of a triangle by the weights of its corners.
    fn frame(&self, facet: usize, weights: [f64; 3]) -> Placement {
        let numbers = self.facets.triangles()[facet];
        let mean = |values: &[Vec3]| {
            let terms = numbers.into_iter().zip(weights);
            terms.fold([0.0; 3], |sum, (k, weight)| along(sum, weight, values[k]))
        };
        let (place, velocity) = (mean(self.facets.points()), mean(&self.velocities));
        Placement { place, velocity, ..Placement::STILL }
    }

    /// Returns the longest way of a point from another time to this one.
    pub(in crate::contact) fn longest_way(&self, from: &Self) -> f64 {
        let pairs = self.facets.points().iter().zip(from.facets.points());
        let squares = pairs.map(|(to, from)| {
            let way = sub(*to, *from);
            dot(way, way)
        });
        squares.fold(0.0, |most: f64, square| if square <= most { most } else { square }).sqrt()
    }
}

/// Returns the weights of a triangle's corners at one of its points.
fn weights([a, b, c]: [Vec3; 3], at: Vec3) -> [f64; 3] {
    let (ab, ac, way) = (sub(b, a), sub(c, a), sub(at, a));
    let (bb, bc, cc) = (dot(ab, ab), dot(ab, ac), dot(ac, ac));
    let (wb, wc) = (dot(way, ab), dot(way, ac));
    let determinant = bb * cc - bc * bc;
    if determinant <= 0.0 || determinant.is_nan() {
        return [1.0, 0.0, 0.0];
    }
    let (v, w) = ((cc * wb - bc * wc) / determinant, (bb * wc - bc * wb) / determinant);
    [1.0 - v - w, v, w]
}

/// A surface that deforms.
pub struct Skin {
    surface: Surface,
    /// The surface with its points at rest.
    rest: Arc<Facets>,
    deformation: Arc<dyn Deformation>,
    /// The last time that was asked for. Results do not depend on it.
    cache: Mutex<Option<(u64, Arc<Posed>)>>,
}
crate::identity!(Skin { surface, rest, deformation; cache });

impl Skin {
    /// Name in scenes and messages.
    pub const INFO: Info = Info { name: "Skin", summary: "skin of the body's rig", options: &[] };

    /// Creates the collider of a closed surface whose points move.
    pub fn new(rest: Facets, deformation: Arc<dyn Deformation>, surface: Surface) -> Self {
        Self { surface, rest: Arc::new(rest), deformation, cache: Mutex::default() }
    }

    /// Computes the surface at a time.
    pub fn posed(&self, t: f64) -> Arc<Posed> {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, posed)) = cache.as_ref().filter(|(time, _)| *time == t.to_bits()) {
            return Arc::clone(posed);
        }
        let (points, velocities) = self.deformation.at(t);
        let posed = Posed { facets: Arc::new(self.rest.moved(points)), velocities };
        let posed = Arc::new(posed);
        *cache = Some((t.to_bits(), Arc::clone(&posed)));
        posed
    }
}

impl Clone for Skin {
    fn clone(&self) -> Self {
        let (rest, deformation) = (Arc::clone(&self.rest), Arc::clone(&self.deformation));
        Self { surface: self.surface, rest, deformation, cache: Mutex::default() }
    }
}

/// Shows what defines the collider, without what it has computed.
impl Debug for Skin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "skin {:?} with {:?}", self.deformation, self.surface)
    }
}

/// Motion of a skin as a whole, for those that ask only whether and when it moves.
#[derive(Debug)]
struct SkinMotion {
    deformation: Arc<dyn Deformation>,
}
crate::identity!(SkinMotion { deformation });

impl Motion for SkinMotion {
    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    fn fits(&self, _axes: usize) -> Result<(), BadOption> {
        Ok(())
    }

    fn at(&self, _t: f64) -> Placement {
        Placement::STILL
    }

    fn is_of_bone(&self) -> bool {
        true
    }

    fn extent(&self) -> Extent {
        self.deformation.extent()
    }
}

impl Collider for Skin {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        check_surface(self.surface)
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        BadOption::unless(axes == 3, "of", "a skin in a three-dimensional scene")
    }

    fn surface(&self) -> Surface {
        self.surface
    }

    fn motion(&self) -> Option<Arc<dyn Motion>> {
        Some(Arc::new(SkinMotion { deformation: Arc::clone(&self.deformation) }))
    }

    fn deformation(&self) -> Option<Arc<dyn Deformation>> {
        Some(Arc::clone(&self.deformation))
    }

    fn posed_at(&self, t: f64) -> Option<Arc<Posed>> {
        Some(self.posed(t))
    }

    fn solid(&self) -> Solid {
        Solid::of_facets(&self.rest)
    }

    fn solid_at(&self, t: f64) -> Solid {
        Solid::of_facets(&self.posed(t).facets)
    }

    fn frame_at(&self, t: f64, point: [f64; 3]) -> Option<Placement> {
        Some(self.posed(t).near(point))
    }

    fn distance_at(&self, t: f64, point: [f64; 3]) -> (f64, [f64; 3]) {
        self.posed(t).facets.distance(point)
    }

    fn sweep_at(&self, t: f64, from: [f64; 3], to: [f64; 3], radius: f64) -> Option<f64> {
        self.posed(t).facets.sweep(from, to, radius)
    }

    fn distance(&self, point: [f64; 3]) -> (f64, [f64; 3]) {
        self.rest.distance(point)
    }

    fn sweep(&self, from: [f64; 3], to: [f64; 3], radius: f64) -> Option<f64> {
        self.rest.sweep(from, to, radius)
    }
}
