//! Skins and bones in space.

use super::mesh::{Material, Mesh, Sides, Surface, Vertex, Weave, channels};
use crate::rigs::DrawnRig;
use crate::vector::{cross, sub, unit};
use catena_scene::{Pattern, Visible};
use catena_sim::glam::DVec3;
use catena_sim::rig::{PosedBone, PosedSkin};
use image::Rgb;

/// Gloss of skins and bones.
const SKIN_GLOSS: f32 = 0.12;
const BONE_GLOSS: f32 = 0.2;

/// Position of the maximum thickness of a bone, as a share of its length.
const THICKEST: f64 = 0.1;

/// Adds the visible parts of a rig. Bones inside skins are drawn over the picture instead.
pub fn add_rig(mesh: &mut Mesh, rig: &DrawnRig<'_>) {
    for skin in &rig.posed.skins {
        add_skin(mesh, rig, skin);
    }
    let is_hidden = rig.shown.show == Visible::All && !rig.posed.skins.is_empty();
    if rig.shown.shows_bones() && !is_hidden {
        for bone in rig.posed.bones() {
            add_bone(mesh, &bone, rig.shown.bone_width, channels(rig.bone));
        }
    }
}

fn add_skin(mesh: &mut Mesh, rig: &DrawnRig<'_>, posed: &PosedSkin<'_>) {
    let ink = channels(rig.ink_of(posed.skin.color));
    let sides = if posed.skin.is_double_sided { Sides::Both } else { Sides::Front };
    let mut material = |(pattern, cells): (Pattern, u32)| {
        let surface = Surface::Skin(Weave { pattern, cells: cells as f32 });
        mesh.add_material(Material { sides, ..Material::smooth(surface, SKIN_GLOSS) })
    };
    let plain = material((Pattern::Plain, 1));
    let patterned = material(rig.shown.pattern);
    let first = mesh.vertices.len() as u32;
    let ring = posed.skin.ring.unwrap_or(usize::MAX);
    // The last two vertices of a tube are its ends.
    let of_rings = posed.points.len() - if posed.skin.ring.is_some() { 2 } else { 0 };
    let colors = rig.shown.colors_of(posed.skin);
    for (index, (point, normal)) in posed.points.iter().zip(&posed.normals).enumerate() {
        let grain = [(index % ring) as f64, (index / ring) as f64];
        let own = colors.and_then(|colors| colors.get(index));
        let ink = own.map_or(ink, |color| channels(Rgb(*color)));
        let vertex = Vertex::plain(point.to_array(), normal.to_array(), ink);
        mesh.add(Vertex { grain, ..vertex });
    }
    for corners in posed.triangles() {
        let is_end = corners.iter().any(|corner| *corner >= of_rings);
        let [low, high] =
            [corners.iter().map(|c| c % ring).min(), corners.iter().map(|c| c % ring).max()];
        let is_seam =
            posed.skin.ring.is_some() && !is_end && low == Some(0) && high == Some(ring - 1);
        let number = corners.map(|corner| {
            if !(is_seam && corner % ring == 0) {
                return first + corner as u32;
            }
            // At the seam of a tube, the first side also follows the last one.
            let vertex = mesh.vertices[first as usize + corner];
            mesh.add(Vertex { grain: [ring as f64, vertex.grain[1]], ..vertex })
        });
        mesh.triangle(number, if is_end || ring == usize::MAX { plain } else { patterned });
    }
}

/// Adds a bone as two pyramids on a common square, like animation tools.
fn add_bone(mesh: &mut Mesh, bone: &PosedBone, width: f64, ink: [f32; 3]) {
    let way = bone.to - bone.from;
    let length = way.length();
    let along = way / length;
    // The bone's own axis that is most perpendicular to it determines the first side.
    let axis = [bone.axes.y_axis, bone.axes.z_axis, bone.axes.x_axis]
        .into_iter()
        .min_by(|a, b| a.dot(along).abs().total_cmp(&b.dot(along).abs()))
        .unwrap_or(DVec3::Y);
    let across = (axis - along * axis.dot(along)).normalize_or_zero();
    let other = along.cross(across);
    let half = width * length;
    let middle = bone.from + way * THICKEST;
    let square = [across + other, other - across, -across - other, across - other]
        .map(|side| middle + side * (half * std::f64::consts::FRAC_1_SQRT_2));
    let material = mesh.add_material(Material::new(Surface::Solid, BONE_GLOSS));
    for k in 0..4 {
        let (a, b) = (square[k], square[(k + 1) % 4]);
        for corners in [[bone.to, a, b], [bone.from, b, a]] {
            let corners = corners.map(|corner| corner.to_array());
            let normal = unit(cross(sub(corners[1], corners[0]), sub(corners[2], corners[0])));
            let corners = corners.map(|at| mesh.add(Vertex::plain(at, normal, ink)));
            mesh.triangle(corners, material);
        }
    }
}
