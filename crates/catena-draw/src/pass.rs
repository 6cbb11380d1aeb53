//! Work limits of simulation passes before the first picture, which find its view and colour
//! ranges.
//!
//! Work is counted, not timed, and depends only on the scene. Every machine, range of frames and
//! command-line limit gets the same result.

use super::camera::BodyWatch;
use crate::pass_budget::{bodies, budgets, with_budget};
use catena_scene::{Body, Panel, Scene};

pub(super) use catena_scene::limits::{affordable_frames, shows_frames};

/// Whether the view should contain all frames, but finding the positions of bodies in them takes
/// too much work.
pub fn gives_up_view(scene: &Scene) -> bool {
    shows_frames(scene) && budgets(scene, scene.frames).is_none()
}

/// Panels and watches for runs that serve both the view and the pictures.
pub struct SharedPass {
    /// Panels of the scene. Their runs have the budgets of the pass.
    pub panels: Vec<Panel>,
    /// One watch per body, in the order of the scene.
    pub watches: Vec<BodyWatch>,
}

impl SharedPass {
    /// Prepares a scene. Returns `None` if its view needs no pass or a pass takes too much work.
    /// Also `None` if the scene has smaller budgets than a pass, or if the work of drawing its
    /// frames is counted differently.
    pub fn of(scene: &Scene) -> Option<Self> {
        // A run that records forces advances step by step, at a different cost.
        if !shows_frames(scene) || bodies(scene).any(Body::shows_forces) {
            return None;
        }
        let mut budgets = budgets(scene, scene.frames)?.into_iter();
        let (mut panels, mut watches) = (scene.panels.clone(), Vec::new());
        for body in panels.iter_mut().flat_map(|panel| &mut panel.bodies) {
            let (own, pass) = (body.setup.budget, budgets.next()?);
            if own.work < pass.work || own.pairs < pass.pairs {
                return None;
            }
            body.setup = with_budget(&body.setup, pass);
            watches.push(BodyWatch::new(&body.setup));
        }
        Some(Self { panels, watches })
    }
}
