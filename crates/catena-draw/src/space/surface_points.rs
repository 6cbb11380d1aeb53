//! Visible points of the objects of a panel in space, at the centres of pixels.

use super::facet::{Facet, facets};
use super::mesh::Mesh;
use super::painter::SpacePainter;
use super::part::{PixelScale, add_part};
use super::rig::add_rig;
use super::single::single;
use super::solid::add_shown;
use super::visibility::is_in_hole;
use crate::data::{MovedObjects, SurfacePoint};
use crate::rect::Rect;
use crate::rigs::DrawnRig;
use crate::vector::{dot, scaled, sub};

/// Nearest triangle at the centre of each pixel.
struct Front {
    clip: Rect,
    nearness: Vec<f64>,
    points: Vec<Option<SurfacePoint>>,
}

/// Object that a triangle belongs to.
#[derive(Clone, Copy)]
enum Owner {
    /// An object that never moves.
    Fixed,
    /// A collider or rig. The colours of its corners encode their motion since the previous frame.
    Moving,
    /// A part of a body, by its index.
    Part(usize),
}

impl SpacePainter {
    /// Finds the visible points, row by row of the panel's rectangle.
    pub fn surface_points(&self, objects: &MovedObjects<'_>) -> Vec<Option<SurfacePoint>> {
        let clip = self.clip();
        let count = (clip.w.max(0) * clip.h.max(0)) as usize;
        let mut front =
            Front { clip, nearness: vec![f64::NEG_INFINITY; count], points: vec![None; count] };
        let empty = Mesh::default();
        let fixed = self.fixed_facets().iter();
        fixed.for_each(|facet| self.store_visible(&mut front, facet, &empty, Owner::Fixed));
        self.store_mesh(&mut front, &moving_rigs(&objects.rigs), Owner::Moving);
        let mut mesh = Mesh::default();
        for moved in &objects.moving {
            mesh.clear();
            add_shown(&mut mesh, &moved.shown, [0.0; 3], self.camera());
            if let Some(before) = &moved.before {
                let mut was = Mesh::default();
                add_shown(&mut was, before, [0.0; 3], self.camera());
                set_motions(&mut mesh, &was);
            } else {
                for vertex in &mut mesh.vertices {
                    vertex.ink = single(moved.motion_of(vertex.at));
                }
            }
            self.store_mesh(&mut front, &mesh, Owner::Moving);
        }
        let scale = PixelScale { camera: self.camera(), at_target: self.scale() };
        for (index, pair) in objects.parts.iter().enumerate() {
            mesh.clear();
            add_part(&mut mesh, &pair.now, scale);
            self.store_mesh(&mut front, &mesh, Owner::Part(index));
        }
        front.points
    }

    fn store_mesh(&self, front: &mut Front, mesh: &Mesh, owner: Owner) {
        let mut seen = Vec::new();
        facets(mesh, self.camera(), front.clip, &mut seen);
        seen.iter().for_each(|facet| self.store_visible(front, facet, mesh, owner));
    }

    /// Stores the points of a triangle of a mesh that are nearer than the stored points. Points in
    /// holes of its texture are skipped.
    fn store_visible(&self, front: &mut Front, facet: &Facet, mesh: &Mesh, owner: Owner) {
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
                if nearness <= front.nearness[index]
                    || is_in_hole(mesh, facet, at, self.camera().is_perspective())
                {
                    continue;
                }
                if let Some(point) = self.surface_point(facet, at, owner) {
                    front.nearness[index] = nearness;
                    front.points[index] = Some(point);
                }
            }
        }
    }

    fn surface_point(&self, facet: &Facet, at: [f64; 2], owner: Owner) -> Option<SurfacePoint> {
        let camera = self.camera();
        let is_perspective = camera.is_perspective();
        let place = facet.place(at, is_perspective)?.map(f64::from);
        let normal = facet.normal(at, is_perspective)?.map(f64::from);
        let (part, moved) = match owner {
            Owner::Fixed => (None, [0.0; 3]),
            Owner::Moving => (None, facet.ink(at, is_perspective)?.map(f64::from)),
            Owner::Part(index) => (Some(index), [0.0; 3]),
        };
        let at = camera.at_target(place);
        let length = dot(normal, normal).sqrt();
        let is_away = dot(normal, camera.to_eye(at)) < 0.0;
        let factor = if is_away { -1.0 } else { 1.0 } / length.max(f64::MIN_POSITIVE);
        let depth = camera.in_camera_axes(at)[2];
        Some(SurfacePoint { at, depth, normal: scaled(normal, factor), part, moved })
    }
}

/// Mesh of the rigs at a frame. The colours of its corners encode their motion since the previous
/// frame.
fn moving_rigs([now, before]: &[Vec<DrawnRig<'_>>; 2]) -> Mesh {
    let mesh_of = |rigs: &[DrawnRig<'_>]| {
        let mut mesh = Mesh::default();
        rigs.iter().for_each(|rig| add_rig(&mut mesh, rig, None));
        mesh
    };
    let mut mesh = mesh_of(now);
    set_motions(&mut mesh, &mesh_of(before));
    mesh
}

/// Sets the colours of corners to their motion since the previous frame. A bone without length is
/// not drawn, so the numbers of corners may differ. All motions are then 0.
fn set_motions(mesh: &mut Mesh, was: &Mesh) {
    let is_alike = mesh.vertices.len() == was.vertices.len();
    for (index, vertex) in mesh.vertices.iter_mut().enumerate() {
        let before = was.vertices.get(index).filter(|_| is_alike);
        vertex.ink = before.map_or([0.0; 3], |before| single(sub(vertex.at, before.at)));
    }
}
