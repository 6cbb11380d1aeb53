//! Positions of rigs in the frames of a scene.

use super::bounds::Bounds;
use catena_scene::{Body, Scene, ShownRig};
use catena_sim::glam::DVec3;

/// Number of equal intervals into which the time of the scene's frames is divided. A rig is sampled
/// at both ends of each interval.
const MOMENTS: u32 = 64;
/// Maximum number of vertices of a skin that are sampled at each time. They are spread evenly over
/// the skin's list of vertices.
const VERTICES: usize = 4096;

/// Returns a box around a rig's drawn parts for each sampled time. The times are spread evenly from
/// the scene's first frame to its last.
pub(super) fn rig_places(scene: &Scene, body: &Body, rig: &ShownRig) -> Vec<Bounds> {
    let last = body.setup.frame_time * (scene.frames - 1) as f64;
    let place = |moment: u32| {
        let posed = rig.at(last * f64::from(moment) / f64::from(MOMENTS));
        let mut all = Bounds::EMPTY;
        let mut include = |at: DVec3| {
            if at.is_finite() {
                all.include(at.to_array(), at.to_array());
            }
        };
        if rig.shows_bones() || posed.skins.is_empty() {
            posed.bones().iter().flat_map(|bone| [bone.from, bone.to]).for_each(&mut include);
        }
        for skin in &posed.skins {
            let step = skin.points.len().div_ceil(VERTICES).max(1);
            skin.points.iter().step_by(step).for_each(|at| include(*at));
        }
        all
    };
    (0..=MOMENTS).map(place).collect()
}
