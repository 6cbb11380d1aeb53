//! One panel's scene: its camera, and what stands around its bodies.

use super::body::{self, Figure};
use super::camera::{Camera, Spatial};
use super::canvas::Canvas;
use super::ground::Ground;
use super::layout::Rect;
use super::primitive::{self, Primitive};
use super::theme::Theme;
use super::vector::{Vec3, norm, sub};
use super::{rope, solids};
use crate::scene::{Panel, Viewpoint};
use crate::sim::contact::collider::Solid;

/// Draws the bodies of a panel, in the plane or in space, and the things around them.
pub struct Stage {
    camera: Camera,
    solids: Vec<Solid>,
    /// What only a scene in space has.
    space: Option<Space>,
}

struct Space {
    eye: Spatial,
    ground: Option<Ground>,
    facets: Vec<[Vec3; 4]>,
    /// The facets as they are drawn: they do not move.
    primitives: Vec<Primitive>,
}

impl Stage {
    /// The plane, as a camera sees it.
    pub fn planar(panel: &Panel, camera: Camera) -> Self {
        Self { camera, solids: solids::solids(panel), space: None }
    }

    /// Space, seen from a viewpoint in a rectangle.
    pub fn spatial(panel: &Panel, viewpoint: &Viewpoint, rect: Rect, theme: &Theme) -> Self {
        let eye = Spatial::new(viewpoint, rect);
        let camera = Camera::Spatial(eye);
        let solids = solids::solids(panel);
        let size = norm(sub(viewpoint.eye, viewpoint.target));
        let patch = || solids::level_patch(&solids, size, theme);
        let ground = panel.ground.or_else(patch);
        let facets = solids::facets(&solids);
        let space = Space {
            eye,
            ground: ground.and_then(|ground| Ground::new(&ground, viewpoint.target, &eye)),
            primitives: solids::primitives(&camera, &eye, &facets, theme.solid),
            facets,
        };
        Self { camera, solids, space: Some(space) }
    }

    /// Draws what never changes and lies below everything.
    pub fn draw_surroundings(&self, canvas: &mut Canvas, clip: Rect, theme: &Theme) {
        let Some(space) = &self.space else {
            solids::draw_planar(canvas, clip, &self.camera, theme, &self.solids);
            return;
        };
        if let Some(ground) = &space.ground {
            ground.draw(canvas, clip, &space.eye);
            ground.draw_facet_shadows(canvas, clip, &self.camera, &space.facets);
        }
    }

    /// Draws the bodies at one moment: in the plane one over the other, in space what is far first.
    pub fn draw_bodies(&self, canvas: &mut Canvas, clip: Rect, figures: &[Figure<'_>]) {
        let Some(space) = &self.space else {
            for figure in figures {
                rope::draw_planar(canvas, clip, &self.camera, figure);
            }
            return;
        };
        if let Some(ground) = &space.ground {
            ground.draw_shadows(canvas, clip, &self.camera, figures);
        }
        let mut all = space.primitives.clone();
        for figure in figures {
            body::primitives(&self.camera, &space.eye, figure, &mut all);
        }
        primitive::draw(canvas, clip, all);
    }
}
