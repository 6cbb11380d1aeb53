//! Effect of skinning on the size of a skin: its volume, and the radius of a tube.

use super::Rig;
use crate::glam::DVec3;
use crate::skin::volume;

/// Sizes of a skin, relative to its sizes at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinMeasures {
    /// Enclosed volume, divided by the volume at rest; `None` if the volume at rest is 0.
    pub volume: Option<f64>,
    /// Minimum distance between a vertex and the centre of its ring, divided by this distance at
    /// rest; `None` if the skin is not a tube.
    pub radius: Option<f64>,
}

impl SkinMeasures {
    /// Measures the first skin of a rig at a time. Returns `None` if the rig has no skin.
    pub fn of(rig: &Rig, t: f64) -> Option<Self> {
        let posed = rig.bones_at(t);
        let first = rig.skin_at(rig.skins.first()?, t, &posed.pose)?;
        let skin = first.skin;
        let share = |now: f64, rest: f64| (rest != 0.0).then_some(now / rest);
        let triangles: Vec<[usize; 3]> = first.triangles().collect();
        let volumes = volume(&first.points, &triangles).zip(volume(&skin.points, &skin.triangles));
        let radius = |points: &[DVec3]| Some(least_radius(points, skin.ring?));
        let radii = radius(&first.points).zip(radius(&skin.points));
        Some(Self {
            volume: volumes.and_then(|(now, rest)| share(now, rest)),
            radius: radii.and_then(|(now, rest)| share(now, rest)),
        })
    }
}

/// Returns the minimum distance between a vertex and the centre of its ring. The two vertices at
/// the ends belong to no ring.
fn least_radius(points: &[DVec3], ring: usize) -> f64 {
    let rings = points[..points.len() - points.len() % ring].chunks_exact(ring);
    let minimum = |ring: &[DVec3]| {
        let middle = ring.iter().copied().sum::<DVec3>() / ring.len() as f64;
        ring.iter().map(|point| (*point - middle).length()).fold(f64::INFINITY, f64::min)
    };
    rings.map(minimum).fold(f64::INFINITY, f64::min)
}
