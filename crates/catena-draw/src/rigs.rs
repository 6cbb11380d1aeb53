//! Rigs in pictures: selection per panel, and drawing in the plane and over a picture of space.

use super::blend;
use super::camera::Camera;
use super::canvas::Canvas;
use super::rect::Rect;
use super::theme::{Ink, Theme, mix};
use super::vector::Vec3;
use catena_scene::{Panel, ShownRig, Visible};
use catena_sim::glam::DVec3;
use catena_sim::rig::{PosedBone, PosedRig};
use image::Rgb;

/// A rig at the time of a frame, with its colours.
pub struct DrawnRig<'a> {
    /// Style of the rig.
    pub shown: &'a ShownRig,
    /// Poses of its bones and skins.
    pub posed: PosedRig<'a>,
    /// Colour of skins that set no colour.
    pub skin: Ink,
    /// Colour of bones.
    pub bone: Ink,
    /// Colour of the edges of bones.
    pub edge: Ink,
}

/// Rigs of a panel without duplicates. Bodies share a rig if they specify it identically.
pub fn rigs(panel: &Panel) -> Vec<&ShownRig> {
    let mut all: Vec<&ShownRig> = Vec::new();
    for rig in panel.bodies.iter().filter_map(|body| body.rig.as_ref()) {
        if !all.iter().any(|other| other.written == rig.written) {
            all.push(rig);
        }
    }
    all
}

/// Colour of a rig's first skin, or of its bones if no skin is drawn. `None` if nothing is drawn.
pub fn rig_ink(shown: &ShownRig, theme: &Theme) -> Option<Ink> {
    let skin = shown.rig.skins.first().filter(|_| shown.shows_skin());
    skin.map(|skin| skin_ink(shown, skin.color, theme.skin))
        .or_else(|| shown.shows_bones().then_some(theme.bone))
}

/// Colour of a skin: the rig's colour, its own, or the default, in this order.
fn skin_ink(shown: &ShownRig, own: Option<[u8; 3]>, usual: Ink) -> Ink {
    shown.color.map(|color| color.0).or(own).map_or(usual, Rgb)
}

impl<'a> DrawnRig<'a> {
    /// The rig at a time.
    pub fn new(shown: &'a ShownRig, t: f64, theme: &Theme) -> Self {
        let (skin, bone, edge) = (theme.skin, theme.bone, theme.solid_border);
        Self { shown, posed: shown.at(t), skin, bone, edge }
    }

    /// Colour of a skin.
    pub fn ink_of(&self, own: Option<[u8; 3]>) -> Ink {
        skin_ink(self.shown, own, self.skin)
    }

    /// Draws the rig in the plane: skins as areas, with bones on top.
    pub fn draw_planar(&self, canvas: &mut Canvas, clip: Rect, camera: &Camera) {
        let pixel = |at: &DVec3| camera.point(at.to_array()).map_or([f64::NAN; 2], |seen| seen.at);
        for posed in &self.posed.skins {
            let points: Vec<[f64; 2]> = posed.points.iter().map(pixel).collect();
            let ink = self.ink_of(posed.skin.color);
            blend::translucent(canvas, clip, self.shown.alpha_of(posed.skin), |canvas| {
                self.draw_skin(canvas, clip, &posed.skin.triangles, &points, ink);
            });
        }
        if self.shown.shows_bones() {
            self.draw_bones(canvas, clip, camera);
        }
    }

    /// Draws a skin in the plane. Darker edges show the shape, since there is no shading.
    fn draw_skin(
        &self,
        canvas: &mut Canvas,
        clip: Rect,
        triangles: &[[usize; 3]],
        points: &[[f64; 2]],
        ink: Ink,
    ) {
        for (ink, grows) in [(mix(ink, self.edge, 128), 2.0), (ink, 0.0)] {
            canvas.shape(clip, ink, |pen| {
                for corners in triangles {
                    let corners = corners.map(|corner| points[corner]);
                    pen.polygon(&corners);
                    if grows > 0.0 {
                        (0..3).for_each(|k| pen.line(corners[k], corners[(k + 1) % 3], grows));
                    }
                }
            });
        }
    }

    /// Draws bones over a picture of space if skins would hide them.
    pub fn draw_over(&self, canvas: &mut Canvas, clip: Rect, camera: &Camera) {
        if self.shown.show == Visible::All && !self.posed.skins.is_empty() {
            self.draw_bones(canvas, clip, camera);
        }
    }

    /// Draws bones as flat shapes with an outline.
    fn draw_bones(&self, canvas: &mut Canvas, clip: Rect, camera: &Camera) {
        let width = self.shown.bone_width;
        let shapes: Vec<Vec<[f64; 2]>> =
            self.posed.bones().iter().filter_map(|bone| outline(camera, bone, width)).collect();
        canvas.shape(clip, self.edge, |pen| {
            for shape in &shapes {
                (0..shape.len())
                    .for_each(|k| pen.line(shape[k], shape[(k + 1) % shape.len()], 2.4));
            }
        });
        for shape in &shapes {
            canvas.shape(clip, self.bone, |pen| pen.polygon(shape));
        }
    }
}

/// Width of the ends of a bone, relative to its maximum width.
pub const ENDS: f64 = 0.4;

/// Position of the maximum thickness of a bone, as a share of its length.
pub const THICKEST: f64 = 0.1;

/// Outline of a bone in pixels. Both ends are blunt, and the thickest place is a tenth of the
/// length from the start.
fn outline(camera: &Camera, bone: &PosedBone, width: f64) -> Option<Vec<[f64; 2]>> {
    let at = |point: DVec3| Vec3::from(point.to_array());
    let [a, b] = camera.segment(at(bone.from), at(bone.to))?;
    let offset = [b.at[0] - a.at[0], b.at[1] - a.at[1]];
    let across = [-offset[1] * width, offset[0] * width];
    let corner = |along: f64, side: f64| {
        [0, 1].map(|axis| a.at[axis] + along * offset[axis] + side * across[axis])
    };
    Some(vec![
        corner(0.0, ENDS),
        corner(THICKEST, 1.0),
        corner(1.0, ENDS),
        corner(1.0, -ENDS),
        corner(THICKEST, -1.0),
        corner(0.0, -ENDS),
    ])
}
