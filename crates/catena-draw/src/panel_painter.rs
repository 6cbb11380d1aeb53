//! Painters of panels: layout, cameras, and drawing of the bodies, the ground and the colliders.

use super::arrows::{self, Arrow, ArrowScale};
use super::body::{BodyLook, DrawnPart, WeightScale, drawn_parts, weights};
use super::camera::{Camera, SeenFrames, Subject};
use super::canvas::Canvas;
use super::data::{MovedObjects, SurfacePoint, see_planar};
use super::layout::{Layout, TooSmall, layout};
use super::rect::Rect;
use super::solids::ShownSolid;
use super::space::{SpacePainter, Surroundings, channels};
use super::theme::{Ink, Theme};
use super::vector::{Vec3, norm, sub};
use super::{blend, events, rope, solids};
use crate::changes::BodyChanges;
use crate::font::Font;
use crate::panel_objects::{PanelObjects, Trail};
use catena_scene::{Body, Fit, Panel, Scene, View, Viewpoint};
use catena_sim::SpringMemory;
use rayon::prelude::*;

/// Draws the bodies of a panel with their surroundings, in the plane or in space.
pub struct PanelPainter {
    camera: Camera,
    /// Pixels per length at the target of the camera.
    scale: f64,
    solids: Vec<ShownSolid>,
    /// Painter of a panel in space.
    space: Option<SpacePainter>,
}

impl PanelPainter {
    /// Painter of a planar panel.
    pub fn planar(panel: &Panel, camera: Camera) -> Self {
        Self { camera, scale: camera.scale(0.0), solids: solids::solids(panel), space: None }
    }

    /// Painter of a panel in space, seen from a viewpoint in a rectangle of the picture, in front
    /// of `background`.
    pub fn spatial(
        panel: &Panel,
        viewpoint: &Viewpoint,
        rect: Rect,
        theme: &Theme,
        background: Ink,
    ) -> Self {
        let solids = solids::solids(panel);
        let size = norm(sub(viewpoint.eye, viewpoint.target));
        let patch = || solids::level_patch(&solids, size, theme);
        let ground = panel.ground.or_else(patch);
        let is_moving = panel.motion.is_some();
        let around = Surroundings {
            solids: &solids,
            ground,
            solid: theme.solid,
            background: theme.backdrop_or(background),
            is_clear: theme.is_clear,
            light: &panel.light,
            is_moving,
        };
        let space = SpacePainter::new(viewpoint, rect, &around);
        let (camera, scale) = (Camera::Spatial(*space.camera()), space.scale());
        Self { camera, scale, solids, space: Some(space) }
    }

    /// Draws the background of a panel in space.
    pub fn draw_backdrop(&self, canvas: &mut Canvas) {
        if let Some(space) = &self.space {
            space.draw_backdrop(canvas);
        }
    }

    /// Draws everything that never changes: the background, colliders and the ground.
    pub fn draw_surroundings(&self, canvas: &mut Canvas, clip: Rect, theme: &Theme) {
        match &self.space {
            Some(space) => space.draw_surroundings(canvas),
            None => solids::draw_planar(canvas, clip, &self.camera, theme, &self.solids),
        }
    }

    /// Draws the bodies at one moment, in their order in the plane, and by depth in space.
    pub fn draw_bodies(
        &self,
        canvas: &mut Canvas,
        clip: Rect,
        theme: &Theme,
        objects: PanelObjects<'_>,
    ) {
        let PanelObjects { parts, trails, over, rigs, moving, spokes } = objects;
        if let Some(space) = &self.space {
            space.draw_translucent(canvas, clip, objects, channels(theme.solid));
            rigs.iter().for_each(|rig| rig.draw_over(canvas, clip, &self.camera));
        } else {
            solids::draw_planar(canvas, clip, &self.camera, theme, moving);
            solids::draw_spokes(canvas, clip, &self.camera, theme, spokes);
            rigs.iter().for_each(|rig| rig.draw_planar(canvas, clip, &self.camera));
            self.draw_trails(canvas, clip, trails);
            for body in parts.chunk_by(DrawnPart::is_drawn_with) {
                blend::translucent(canvas, clip, body[0].look.alpha, |canvas| {
                    body.iter()
                        .for_each(|part| rope::draw_planar(canvas, clip, &self.camera, part));
                });
            }
        }
        self.draw_trails(canvas, clip, over);
    }

    /// Draws lines over everything already drawn, regardless of depth.
    fn draw_trails(&self, canvas: &mut Canvas, clip: Rect, trails: &[Trail]) {
        for Trail { points, inks, width, alpha } in trails {
            blend::translucent(canvas, clip, *alpha, |canvas| {
                rope::draw_trail(canvas, clip, &self.camera, points, *width, *inks);
            });
        }
    }

    /// Finds the visible points of the bodies in a rectangle, row by row.
    pub(super) fn surface_points(
        &self,
        rect: Rect,
        objects: &MovedObjects<'_>,
    ) -> Vec<Option<SurfacePoint>> {
        match &self.space {
            Some(space) => space.surface_points(objects),
            None => see_planar(rect, &self.camera, &objects.parts),
        }
    }

    /// Camera of the panel.
    pub(super) fn camera(&self) -> &Camera {
        &self.camera
    }

    /// Draws the marks of events over the bodies.
    pub fn draw_marks(&self, canvas: &mut Canvas, clip: Rect, figures: &[DrawnPart<'_>]) {
        for figure in figures {
            events::draw_marks(canvas, clip, &self.camera, figure);
        }
    }

    /// Length of a pixel at the target of the camera.
    pub fn pixel(&self) -> f64 {
        1.0 / self.scale
    }

    /// Visible amount of the bodies in a rectangle, in eighths of threads.
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

    /// Number of pins in a rectangle.
    pub fn pins_in(&self, rect: Rect, figures: &[DrawnPart<'_>]) -> usize {
        let is_in = |at: [f64; 2]| {
            (f64::from(rect.x)..f64::from(rect.right())).contains(&at[0])
                && (f64::from(rect.y)..f64::from(rect.bottom())).contains(&at[1])
        };
        let pins = figures.iter().filter(|part| part.look.style.mark_pins).flat_map(|part| {
            (0..part.nodes()).filter(|node| part.is_pinned(*node)).map(|node| part.node(node))
        });
        pins.filter_map(|pin| self.camera.point(pin)).filter(|pin| is_in(pin.at)).count()
    }

    /// Draws a cross over the visible points, or at the nearest border if all points are outside.
    /// The whole cross is inside `clip`. `size` is the text size of labels. Returns the covered
    /// area, or `None` if there are no points.
    pub fn draw_cross(
        &self,
        canvas: &mut Canvas,
        clip: Rect,
        points: impl Iterator<Item = Vec3>,
        size: f64,
        ink: Ink,
    ) -> Option<Rect> {
        let (low, high) = ([f64::from(clip.x), f64::from(clip.y)], [clip.right(), clip.bottom()]);
        let high = high.map(f64::from);
        let is_seen =
            |at: &[f64; 2]| (0..2).all(|axis| (low[axis]..high[axis]).contains(&at[axis]));
        let all: Vec<[f64; 2]> =
            points.filter_map(|at| self.camera.point(at)).map(|seen| seen.at).collect();
        // Points outside get the smallest cross.
        let aside = |ends: [[f64; 2]; 2]| [middle_of(ends); 2];
        let seen = box_of(all.iter().copied().filter(is_seen));
        let [minimum, maximum] = seen.or_else(|| box_of(all.into_iter()).map(aside))?;
        let width = (0.22 * size).max(2.0);
        let longest = (maximum[0] - minimum[0]).max(maximum[1] - minimum[1]);
        let shorter = (high[0] - low[0]).min(high[1] - low[1]);
        let half = (0.4 * longest).clamp(1.2 * size, 4.0 * size).min(0.5 * shorter - width);
        let half = half.max(0.0);
        let middle = middle_of([minimum, maximum]);
        let middle = [0, 1].map(|axis| {
            let room = half + width;
            middle[axis].max(low[axis] + room).min(high[axis] - room)
        });
        canvas.shape(clip, ink, |pen| {
            for aside in [half, -half] {
                let ends =
                    [-1.0, 1.0].map(|sign| [middle[0] + sign * aside, middle[1] + sign * half]);
                pen.line(ends[0], ends[1], width);
                ends.into_iter().for_each(|end| pen.disc(end, width));
            }
        });
        let [x, y] = middle.map(|at| (at - half - width).floor() as i32);
        let side = (2.0 * (half + width)).ceil() as i32 + 1;
        Some(Rect { x, y, w: side, h: side }.intersect(clip))
    }

    /// Scale of the arrows in this panel.
    pub fn arrow_scale(&self, scene: &Scene, plot: Rect) -> ArrowScale {
        ArrowScale::new(scene, plot, self.scale)
    }

    /// Draws arrows over the bodies, in a colour and with an outline. `stroke` is the scale of line
    /// widths, relative to a picture of 1280x720.
    pub fn draw_arrows(
        &self,
        canvas: &mut Canvas,
        clip: Rect,
        stroke: f64,
        arrows: &[Arrow],
        inks: [Ink; 2],
    ) {
        for arrow in arrows {
            arrows::draw(canvas, clip, &self.camera, stroke, arrow, inks);
        }
    }
}

/// Layout, painter of each panel, and the content of panels without a view of their own.
pub(super) type Panels = (Layout, Vec<PanelPainter>, Option<Fit>);

/// Middle of a box.
fn middle_of([minimum, maximum]: [[f64; 2]; 2]) -> [f64; 2] {
    [0, 1].map(|axis| 0.5 * (minimum[axis] + maximum[axis]))
}

/// Minimum and maximum coordinates of points.
fn box_of(points: impl Iterator<Item = [f64; 2]>) -> Option<[[f64; 2]; 2]> {
    points.fold(None, |all: Option<[[f64; 2]; 2]>, at| {
        let [minimum, maximum] = all.unwrap_or([at, at]);
        Some([[0, 1].map(|k| minimum[k].min(at[k])), [0, 1].map(|k| maximum[k].max(at[k]))])
    })
}

/// Computes the panels of a scene. `seen` has positions found by an earlier simulation.
pub(super) fn fitted_panels(
    scene: &Scene,
    font: &Font,
    theme: &Theme,
    seen: Option<SeenFrames>,
) -> Result<Panels, TooSmall> {
    match scene.axes {
        3 => spatial_panels(scene, font, theme, seen),
        _ => planar_panels(scene, font, seen),
    }
}

/// Computes the panels of a planar scene.
fn planar_panels(scene: &Scene, font: &Font, seen: Option<SeenFrames>) -> Result<Panels, TooSmall> {
    let is_fitted = scene.shapes_only || scene.panels.iter().any(|panel| panel.view.is_none());
    let shows_frames = is_fitted && scene.fit == Fit::Frames;
    let seen = shows_frames.then(|| seen.unwrap_or_else(|| SeenFrames::of(scene)));
    let subject = is_fitted.then(|| Subject::of_seen(scene, seen.clone()));
    let fitted = subject.as_ref().map(Subject::view);
    let view = |panel: &Panel| {
        let view = panel.view.or(fitted)?;
        Some(subject.as_ref().filter(|_| scene.shapes_only).map_or(view, |all| all.widened(view)))
    };
    let views: Vec<View> = scene.panels.iter().filter_map(view).collect();
    let aspect = views[0].extent[0] / views[0].extent[1];
    let layout = layout(scene, scene.size, font, aspect)?;
    let wider = seen.zip(fitted).map(|(seen, view)| for_weights(scene, &seen, view, &layout));
    let wider = wider.unwrap_or(1.0);
    let panels = scene
        .panels
        .iter()
        .zip(layout.panels.iter().zip(&views))
        .map(|(panel, (place, view))| {
            let share = if panel.view.is_none() { wider } else { 1.0 };
            let view = View { extent: view.extent.map(|side| side * share), ..*view };
            PanelPainter::planar(panel, Camera::planar(view, place.plot))
        })
        .collect();
    Ok((layout, panels, subject.map(|subject| subject.fit())))
}

/// Looks of the parts of a body at the start, for sizes and not for colours.
fn first_looks(body: &Body, stroke: f64) -> impl Iterator<Item = BodyLook> + '_ {
    let ink = image::Rgb([0; 3]);
    body.part_styles_at(0.0).map(move |style| BodyLook::new(ink, [ink; 2], style, stroke))
}

/// Scale of the weights of all panels of a scene. `None` if there are no weights.
pub fn weight_scale(scene: &Scene) -> Option<WeightScale> {
    let (springs, changes) = (SpringMemory::default(), BodyChanges::default());
    let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    WeightScale::of(bodies.flat_map(|body| {
        let (setup, looks) = (&body.setup, first_looks(body, 1.0));
        drawn_parts(&setup.model, &setup.initial.x, &springs, &changes, looks)
    }))
}

/// Maximum factor by which weights widen a view.
const WIDEST: f64 = 2.0;

/// Factor that widens the view of all panels until the balls of weights are entirely visible in all
/// frames.
fn for_weights(scene: &Scene, seen: &SeenFrames, view: View, layout: &Layout) -> f64 {
    let (springs, changes) = (SpringMemory::default(), BodyChanges::default());
    let (weight_scale, stroke) = (weight_scale(scene), layout.sizes.stroke);
    let (mut factor, mut first) = (1.0_f64, 0);
    for (panel, place) in scene.panels.iter().zip(&layout.panels) {
        let sides = [place.plot.w, place.plot.h].map(f64::from);
        let scale = Camera::planar(view, place.plot).scale(0.0);
        for (number, body) in panel.bodies.iter().enumerate() {
            let look = |look| BodyLook { weight_scale, ..look };
            let looks = first_looks(body, stroke).map(look);
            let setup = &body.setup;
            let parts = drawn_parts(&setup.model, &setup.initial.x, &springs, &changes, looks);
            let balls = parts.flat_map(|part| {
                let balls = weights(&part, part.room() * scale).into_iter();
                balls.map(move |(i, size)| (part.number(i), 0.5 * size + 1.0)).collect::<Vec<_>>()
            });
            for (node, radius) in balls {
                let Some([low, high]) = seen.of_node(first + number, node) else { continue };
                for axis in 0..2 {
                    let middle = view.center[axis];
                    let far = (high[axis] - middle).max(middle - low[axis]) * scale;
                    let free = 0.5 * sides[axis] - radius;
                    factor = if free > 0.0 { factor.max(far / free) } else { factor };
                }
            }
        }
        first += panel.bodies.len();
    }
    factor.min(WIDEST)
}

/// Computes the panels of a scene in space.
fn spatial_panels(
    scene: &Scene,
    font: &Font,
    theme: &Theme,
    seen: Option<SeenFrames>,
) -> Result<Panels, TooSmall> {
    // A viewpoint set in the scene does not determine the width. Most pictures are a third wider
    // than high.
    let is_fitted = scene.shapes_only || scene.panels.iter().any(|panel| panel.viewpoint.is_none());
    let subject = is_fitted.then(|| Subject::of_seen(scene, seen));
    let aspect = match (scene.panels[0].viewpoint, &subject) {
        (None, Some(subject)) => subject.viewpoint(1.0).1,
        _ => 4.0 / 3.0,
    };
    let layout = layout(scene, scene.size, font, aspect)?;
    let aspects =
        layout.panels.iter().map(|place| f64::from(place.plot.w) / f64::from(place.plot.h));
    let narrowest = aspects.fold(f64::INFINITY, f64::min);
    let fitted = subject.as_ref().map(|subject| subject.viewpoint(narrowest).0);
    let panels = scene
        .panels
        .par_iter()
        .zip(&layout.panels)
        .filter_map(|(panel, place)| {
            let (plot, background) = (place.plot, theme.background(scene));
            let aspect = f64::from(plot.w) / f64::from(plot.h);
            let own = panel.viewpoint.map(|own| {
                let own = own.upright(aspect);
                let all = subject.as_ref().filter(|_| scene.shapes_only);
                all.map_or(own, |all| all.stepped_back(own, aspect))
            });
            Some(PanelPainter::spatial(panel, &own.or(fitted)?, plot, theme, background))
        })
        .collect();
    Ok((layout, panels, subject.map(|subject| subject.fit())))
}
