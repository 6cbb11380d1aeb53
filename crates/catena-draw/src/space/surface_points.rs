//! Visible points of the objects of a panel in space, at the centres of pixels.

use super::facet::{Facet, facets};
use super::mesh::Mesh;
use super::painter::SpacePainter;
use super::part::{PixelScale, add_part};
use super::rig::add_rig;
use super::solid::add_shown;
use crate::data::{PartPair, SurfacePoint};
use crate::rect::Rect;
use crate::rigs::DrawnRig;
use crate::solids::ShownSolid;
use crate::vector::{dot, scaled};

/// Nearest triangle at the centre of each pixel.
struct Front {
    clip: Rect,
    nearness: Vec<f64>,
    points: Vec<Option<SurfacePoint>>,
}

impl SpacePainter {
    /// Finds the visible points, row by row of the panel's rectangle.
    pub fn surface_points(
        &self,
        parts: &[PartPair<'_>],
        rigs: &[DrawnRig<'_>],
        moving: &[ShownSolid],
    ) -> Vec<Option<SurfacePoint>> {
        let clip = self.clip();
        let count = (clip.w.max(0) * clip.h.max(0)) as usize;
        let mut front =
            Front { clip, nearness: vec![f64::NEG_INFINITY; count], points: vec![None; count] };
        self.fixed_facets().iter().for_each(|facet| self.look(&mut front, facet, None));
        let scale = PixelScale { camera: self.camera(), at_target: self.scale() };
        let mut mesh = Mesh::default();
        rigs.iter().for_each(|rig| add_rig(&mut mesh, rig));
        moving.iter().for_each(|shown| add_shown(&mut mesh, shown, [0.0; 3], self.camera()));
        self.look_at_mesh(&mut front, &mesh, None);
        for (index, pair) in parts.iter().enumerate() {
            mesh.clear();
            add_part(&mut mesh, &pair.now, scale);
            self.look_at_mesh(&mut front, &mesh, Some(index));
        }
        front.points
    }

    fn look_at_mesh(&self, front: &mut Front, mesh: &Mesh, part: Option<usize>) {
        let mut seen = Vec::new();
        facets(mesh, self.camera(), front.clip, &mut seen);
        seen.iter().for_each(|facet| self.look(front, facet, part));
    }

    /// Stores the points of a triangle that are nearer than those before.
    fn look(&self, front: &mut Front, facet: &Facet, part: Option<usize>) {
        let [first, last, upper, lower] = facet.pixels;
        for y in upper..=lower {
            for x in first..=last {
                let at = [f64::from(x) + 0.5, f64::from(y) + 0.5];
                let is_in = |[a, b, c]: &[f64; 3]| a * at[0] + b * at[1] + c > 0.0;
                if !facet.edges.iter().all(is_in) {
                    continue;
                }
                let index = ((y - front.clip.y) * front.clip.w + (x - front.clip.x)) as usize;
                let [a, b, c] = facet.nearness;
                let nearness = a * (at[0] - facet.origin[0]) + b * (at[1] - facet.origin[1]) + c;
                if nearness <= front.nearness[index] {
                    continue;
                }
                if let Some(point) = self.surface_point(facet, at, part) {
                    front.nearness[index] = nearness;
                    front.points[index] = Some(point);
                }
            }
        }
    }

    fn surface_point(
        &self,
        facet: &Facet,
        at: [f64; 2],
        part: Option<usize>,
    ) -> Option<SurfacePoint> {
        let camera = self.camera();
        let is_perspective = camera.is_perspective();
        let place = facet.place(at, is_perspective)?.map(f64::from);
        let normal = facet.normal(at, is_perspective)?.map(f64::from);
        let at = camera.at_target(place);
        let length = dot(normal, normal).sqrt();
        let is_away = dot(normal, camera.to_eye(at)) < 0.0;
        let factor = if is_away { -1.0 } else { 1.0 } / length.max(f64::MIN_POSITIVE);
        let depth = camera.in_camera_axes(at)[2];
        Some(SurfacePoint { at, depth, normal: scaled(normal, factor), part })
    }
}
