//! Draws what a panel shows: its bodies, and the ground and colliders around them.

use super::arrows::{self, Arrow, ArrowScale};
use super::body::{self, DrawnPart};
use super::camera::{Camera, SpatialCamera};
use super::canvas::Canvas;
use super::ground::Ground;
use super::primitive::{self, Primitive};
use super::rect::Rect;
use super::theme::{Ink, Theme};
use super::vector::{Vec3, norm, sub};
use super::{events, rope, solids};
use crate::scene::{Panel, Scene, Viewpoint};
use crate::sim::contact::collider::Solid;

/// Draws the bodies of a panel, in the plane or in space, and what stands around them.
pub struct PanelPainter {
    camera: Camera,
    /// Pixels per length where the camera looks to.
    scale: f64,
    solids: Vec<Solid>,
    /// What only a panel in space has.
    space: Option<Space>,
}

/// The surroundings of a panel in space.
struct Space {
    eye: SpatialCamera,
    ground: Option<Ground>,
    /// Corners of the facets of all colliders.
    facets: Vec<[Vec3; 4]>,
    /// The facets as primitives, made once since they do not move.
    primitives: Vec<Primitive>,
}

impl PanelPainter {
    /// A panel of the plane.
    pub fn planar(panel: &Panel, camera: Camera) -> Self {
        Self { camera, scale: camera.scale(0.0), solids: solids::solids(panel), space: None }
    }

    /// A panel of space, seen from a viewpoint in a rectangle of the picture.
    pub fn spatial(panel: &Panel, viewpoint: &Viewpoint, rect: Rect, theme: &Theme) -> Self {
        let eye = SpatialCamera::new(viewpoint, rect);
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
        Self { camera, scale: camera.scale(size), solids, space: Some(space) }
    }

    /// Draws what never changes: colliders of the plane, or the ground and the shadows of
    /// colliders.
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

    /// Draws the bodies at one moment: in the plane in their order, in space the farthest first.
    pub fn draw_bodies(&self, canvas: &mut Canvas, clip: Rect, figures: &[DrawnPart<'_>]) {
        let Some(space) = &self.space else {
            for figure in figures {
                rope::draw_planar(canvas, clip, &self.camera, figure);
                events::draw_marks(canvas, clip, &self.camera, figure);
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
        for figure in figures {
            events::draw_marks(canvas, clip, &self.camera, figure);
        }
    }

    /// How long arrows are in this panel.
    pub fn arrow_scale(&self, scene: &Scene, plot: Rect) -> ArrowScale {
        ArrowScale::new(scene, plot, self.scale)
    }

    /// Draws arrows over the bodies, each in a colour and with an outline.
    pub fn draw_arrows(&self, canvas: &mut Canvas, clip: Rect, arrows: &[Arrow], inks: [Ink; 2]) {
        for arrow in arrows {
            arrows::draw(canvas, clip, &self.camera, arrow, inks);
        }
    }
}
