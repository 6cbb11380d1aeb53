//! Draws what a panel shows: its bodies, and the ground and colliders around them.

use super::arrows::{self, Arrow, ArrowScale};
use super::body::DrawnPart;
use super::camera::Camera;
use super::canvas::Canvas;
use super::rect::Rect;
use super::space::{SpacePainter, Surroundings};
use super::theme::{Ink, Theme};
use super::vector::{Vec3, norm, sub};
use super::{events, rope, solids};
use crate::scene::{Panel, Scene, Viewpoint};
use crate::sim::contact::collider::Solid;

/// The way that a node has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Trail {
    /// Where it was, from now on backwards.
    pub points: Vec<Vec3>,
    /// Its colour now, and the one into which it fades.
    pub inks: [Ink; 2],
    /// Its thickness, in pixels.
    pub width: f64,
}

/// Whether what is around the bodies of a panel looks different from frame to frame.
pub fn is_moving(panel: &Panel) -> bool {
    panel.motion.is_some() || solids::move_in(panel)
}

/// Draws the bodies of a panel, in the plane or in space, and what is around them.
pub struct PanelPainter {
    camera: Camera,
    /// Where the camera of a panel in space is.
    viewpoint: Option<Viewpoint>,
    /// Pixels per length where the camera looks to.
    scale: f64,
    solids: Vec<Solid>,
    /// What only a panel in space has.
    space: Option<SpacePainter>,
}

impl PanelPainter {
    /// A panel of the plane at a time.
    pub fn planar(panel: &Panel, camera: Camera, t: f64) -> Self {
        let (scale, solids) = (camera.scale(0.0), solids::solids(panel, t));
        Self { camera, viewpoint: None, scale, solids, space: None }
    }

    /// A panel of space at a time, seen from a viewpoint in a rectangle of the picture; `behind` is
    /// the colour behind everything.
    pub fn spatial(
        (panel, t): (&Panel, f64),
        viewpoint: &Viewpoint,
        rect: Rect,
        (theme, behind): (&Theme, Ink),
    ) -> Self {
        let solids = solids::solids(panel, t);
        let size = norm(sub(viewpoint.eye, viewpoint.target));
        let patch = || solids::level_patch(&solids, size, theme);
        let ground = panel.ground.or_else(patch);
        let is_moving = is_moving(panel);
        let around =
            Surroundings { solids: &solids, ground, solid: theme.solid, behind, is_moving };
        let space = SpacePainter::new(viewpoint, rect, &around);
        let (camera, scale) = (Camera::Spatial(*space.camera()), space.scale());
        Self { camera, viewpoint: Some(*viewpoint), scale, solids, space: Some(space) }
    }

    /// The same panel at another time, where its camera or its colliders are elsewhere.
    pub fn at(&self, panel: &Panel, t: f64, rect: Rect, colors: (&Theme, Ink)) -> Self {
        let Some(viewpoint) = self.viewpoint else { return Self::planar(panel, self.camera, t) };
        let moved = panel.motion.as_ref().and_then(|_| panel.viewpoint_at(t));
        let moved = moved.map(|moved| moved.upright(f64::from(rect.w) / f64::from(rect.h)));
        Self::spatial((panel, t), &moved.unwrap_or(viewpoint), rect, colors)
    }

    /// Draws what is around the bodies: colliders, and the ground.
    pub fn draw_surroundings(&self, canvas: &mut Canvas, clip: Rect, theme: &Theme) {
        match &self.space {
            Some(space) => space.draw_surroundings(canvas),
            None => solids::draw_planar(canvas, clip, &self.camera, theme, &self.solids),
        }
    }

    /// Draws the bodies at one moment: in the plane in their order, in space by their depth.
    pub fn draw_bodies(
        &self,
        canvas: &mut Canvas,
        clip: Rect,
        figures: &[DrawnPart<'_>],
        trails: &[Trail],
    ) {
        if let Some(space) = &self.space {
            space.draw(canvas, figures, trails);
        } else {
            for Trail { points, inks, width } in trails {
                rope::draw_trail(canvas, (clip, &self.camera), (points, *width), *inks);
            }
        }
        for figure in figures.iter().filter(|_| self.space.is_none()) {
            rope::draw_planar(canvas, clip, &self.camera, figure);
        }
    }

    /// Draws the marks of events over the bodies.
    pub fn draw_marks(&self, canvas: &mut Canvas, clip: Rect, figures: &[DrawnPart<'_>]) {
        for figure in figures {
            events::draw_marks(canvas, clip, &self.camera, figure);
        }
    }

    /// How much of the bodies is seen in a rectangle, in eighths of threads.
    pub fn covered(&self, rect: Rect, figures: &[DrawnPart<'_>]) -> usize {
        let is_in = |[x, y]: [f64; 2]| {
            (f64::from(rect.x)..f64::from(rect.right())).contains(&x)
                && (f64::from(rect.y)..f64::from(rect.bottom())).contains(&y)
        };
        let of_thread = |[a, b]: [Vec3; 2]| {
            let Some([a, b]) = self.camera.segment(a, b) else { return 0 };
            let place = |eighth: i32| {
                let share = f64::from(eighth) / 8.0;
                [0, 1].map(|axis| a.at[axis] + (b.at[axis] - a.at[axis]) * share)
            };
            (0..8).filter(|eighth| is_in(place(*eighth))).count()
        };
        figures.iter().flat_map(DrawnPart::threads).map(of_thread).sum()
    }

    /// How long arrows are in this panel.
    pub fn arrow_scale(&self, scene: &Scene, plot: Rect) -> ArrowScale {
        ArrowScale::new(scene, plot, self.scale)
    }

    /// Draws arrows over the bodies, each in a colour and with an outline; `stroke` is how large
    /// what is a pixel thick in a picture of 1280x720 is in this one.
    pub fn draw_arrows(
        &self,
        canvas: &mut Canvas,
        (clip, stroke): (Rect, f64),
        arrows: &[Arrow],
        inks: [Ink; 2],
    ) {
        for arrow in arrows {
            arrows::draw(canvas, clip, (&self.camera, stroke), arrow, inks);
        }
    }
}
