//! Skins and bones in space.

use super::mesh::{Material, Mesh, Painted, Sides, Surface, Vertex, Weave, channels};
use crate::rigs::{DrawnRig, ENDS, THICKEST};
use crate::vector::{cross, sub, unit};
use catena_scene::{Pattern, Visible};
use catena_sim::glam::DVec3;
use catena_sim::rig::{PosedBone, PosedSkin};
use image::Rgb;

/// Gloss of skins.
const SKIN_GLOSS: f32 = 0.12;
/// Gloss of bones.
const BONE_GLOSS: f32 = 0.2;

/// Adds the visible parts of a rig: its opaque skins, and the translucent one with the index
/// `translucent`. Bones inside skins are drawn over the picture instead.
pub fn add_rig(mesh: &mut Mesh, rig: &DrawnRig<'_>, translucent: Option<usize>) {
    for (index, skin) in rig.posed.skins.iter().enumerate() {
        if rig.shown.alpha_of(skin.skin) == u8::MAX || translucent == Some(index) {
            add_skin(mesh, rig, skin);
        }
    }
    let is_hidden = rig.shown.show == Visible::All && !rig.posed.skins.is_empty();
    if rig.shown.shows_bones() && !is_hidden {
        for bone in rig.posed.bones() {
            add_bone(mesh, &bone, rig.shown.bone_width, channels(rig.bone));
        }
    }
}

fn add_skin(mesh: &mut Mesh, rig: &DrawnRig<'_>, posed: &PosedSkin<'_>) {
    let look = rig.shown.look_of(posed.skin);
    let texture = look.and_then(|look| look.texture.as_ref());
    let ink = match texture {
        Some((_, factor)) => channels(Rgb(*factor)),
        None => channels(rig.ink_of(posed.skin.color)),
    };
    let painted = texture.map(|(texture, _)| Painted {
        index: mesh.add_texture(&texture.texture),
        cutoff: texture.cutoff,
    });
    let sides = if posed.skin.is_double_sided { Sides::Both } else { Sides::Front };
    let mut material = |(pattern, cells): (Pattern, u32)| {
        let surface = Surface::Skin(Weave { pattern, cells: cells as f32 });
        let texture = painted;
        mesh.add_material(Material { sides, texture, ..Material::smooth(surface, SKIN_GLOSS) })
    };
    let plain = material((Pattern::Plain, 1));
    let patterned = material(rig.shown.pattern);
    let first = mesh.vertices.len() as u32;
    let ring = posed.skin.ring.unwrap_or(usize::MAX);
    // The last two vertices of a tube are its ends.
    let of_rings = posed.points.len() - if posed.skin.ring.is_some() { 2 } else { 0 };
    let colors = look.and_then(|look| look.colors.as_ref());
    let places = texture.map(|(texture, _)| &texture.places);
    for (index, (point, normal)) in posed.points.iter().zip(&posed.normals).enumerate() {
        let place = places.and_then(|places| places.get(index));
        let on_ring = [(index % ring) as f64, (index / ring) as f64];
        let grain = place.map_or(on_ring, |place| place.map(f64::from));
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

/// Adds a bone as two blunt pyramids on a common square, with the outline that bones have in the
/// plane.
fn add_bone(mesh: &mut Mesh, bone: &PosedBone, width: f64, ink: [f32; 3]) {
    let offset = bone.to - bone.from;
    let length = offset.length();
    let along = offset / length;
    // The bone's own axis that is most perpendicular to it determines the first side.
    let axis = [bone.axes.y_axis, bone.axes.z_axis, bone.axes.x_axis]
        .into_iter()
        .min_by(|a, b| a.dot(along).abs().total_cmp(&b.dot(along).abs()))
        .unwrap_or(DVec3::Y);
    let across = (axis - along * axis.dot(along)).normalize_or_zero();
    let other = along.cross(across);
    let square = |share: f64, size: f64| {
        let half = size * width * length * std::f64::consts::FRAC_1_SQRT_2;
        [across + other, other - across, -across - other, across - other]
            .map(|side| bone.from + offset * share + side * half)
    };
    let [first, middle, last] = [square(0.0, ENDS), square(THICKEST, 1.0), square(1.0, ENDS)];
    let material = mesh.add_material(Material::new(Surface::Solid, BONE_GLOSS));
    let mut side = |corners: [DVec3; 4]| {
        let corners = corners.map(|corner| corner.to_array());
        let normal = unit(cross(sub(corners[1], corners[0]), sub(corners[2], corners[0])));
        let numbers = corners.map(|at| mesh.add(Vertex::plain(at, normal, ink)));
        mesh.quadrilateral(numbers, material);
    };
    for k in 0..4 {
        let next = (k + 1) % 4;
        side([middle[k], middle[next], last[next], last[k]]);
        side([middle[next], middle[k], first[k], first[next]]);
    }
    side([last[0], last[1], last[2], last[3]]);
    side([first[3], first[2], first[1], first[0]]);
}
