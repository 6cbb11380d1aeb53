//! Skins of rigs: closed surfaces with individually moving points.
//!
//! A node near a skin moves with the nearest point of the surface. The frame of that point has the
//! directions of the scene and does not rotate.

use super::collider::facets::Facets;
use super::collider::{Collider, Solid, Surface, check_surface};
use crate::contact::deformation::{Deformation, Posed};
use crate::drive::motion::{Motion, Placement};
use crate::drive::track::Extent;
use crate::named::{BadOption, Info};
use std::fmt::{self, Debug};
use std::sync::{Arc, Mutex, PoisonError};

/// A surface that deforms.
pub struct Skin {
    surface: Surface,
    /// The surface with its points at rest.
    rest: Arc<Facets>,
    deformation: Arc<dyn Deformation>,
    /// Last requested time, as bits, and the surface at this time. The cache does not affect
    /// results.
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

/// Shows the definition of the collider without its cache.
impl Debug for Skin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "skin {:?} with {:?}", self.deformation, self.surface)
    }
}

/// Motion of a skin as a whole, for callers that only query whether and when it moves.
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
