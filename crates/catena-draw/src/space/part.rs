//! Parts of bodies in space: ropes as tubes, cloth as sheets or threads, nodes, and marks on pins.

use super::curve::{CurvePoint, curve};
use super::mesh::{Material, Mesh, Surface, Weave, channels};
use super::sheet::add_sheet;
use super::single::mixed;
use super::solid::add_node;
use super::tube::{Line, add_ribbon, add_tube};
use crate::body::DrawnPart;
use crate::camera::SpatialCamera;
use crate::panel_objects::Trail;
use crate::theme::mix;
use crate::vector::{Vec3, norm, sub};
use catena_scene::NodeShape;
use std::f64::consts::TAU;

/// Minimum thickness of a tube, and of the rim of a cloth, in pixels.
const THINNEST: f64 = 1.2;

/// Gloss of ropes.
const ROPE_GLOSS: f32 = 0.18;
/// Gloss of cloth.
const CLOTH_GLOSS: f32 = 0.04;

/// Default length of a strand's turn, in thicknesses of the rope.
const LAY: f64 = 5.0;

/// Default thickness of a cloth, as a share of the distance between its nodes.
const CLOTH_SHARE: f64 = 0.1;
/// Maximum default thickness of a cloth, in pixels at the target of the camera.
const CLOTH_PIXELS: f64 = 3.0;

/// Thickness in pixels below which a cloth is drawn as a single layer, and a tube as a ribbon.
const SEEN: f64 = 2.5;

/// Distance between threads, in pixels, below which they would cover the cloth completely. The
/// cloth is then drawn as a surface.
const DENSE: f64 = 2.0;

/// Maximum diameter of the mark on a thin pin, in pixels of a picture of 1280x720.
const MARK: f64 = 11.0;

/// Conversion of sizes in pixels to lengths.
#[derive(Clone, Copy)]
pub struct PixelScale<'a> {
    /// Camera of the panel.
    pub camera: &'a SpatialCamera,
    /// Pixels per length at the target of the camera.
    pub at_target: f64,
}

/// Adds a part of a body to a mesh.
pub fn add_part(mesh: &mut Mesh, part: &DrawnPart<'_>, scale: PixelScale<'_>) {
    let (style, is_past) = (&part.look.style, part.look.is_ghost);
    let of_part = |material: Material| Material { casts: !is_past, is_past, ..material };
    let spacing = part.room();
    let line_width = style.line_width / scale.at_target;
    let is_dense = part.has_cells() && spacing * scale.at_target < DENSE;
    if part.is_filled() || is_dense {
        let natural = (CLOTH_SHARE * spacing).min(CLOTH_PIXELS / scale.at_target);
        let thickness = style.thickness.unwrap_or(natural);
        // An invisible thickness is omitted.
        let seen = if thickness * scale.at_target < SEEN { 0.0 } else { thickness };
        let weave = Weave { pattern: style.pattern, cells: style.pattern_cells as f32 };
        let material = of_part(Material::smooth(Surface::Sheet(weave), CLOTH_GLOSS));
        // A single layer would be invisible when seen edge-on.
        let rim = thickness.max(THINNEST / scale.at_target);
        add_sheet(mesh, part, |i| channels(part.node_ink(i)), [seen, rim], material);
        add_pins(mesh, part, scale, thickness);
        return;
    }
    let thickness = match part.is_rope() {
        true => style.thickness.unwrap_or(line_width),
        false => style.thickness.unwrap_or(line_width.min(0.25 * spacing)),
    };
    for line in lines(part, thickness, scale) {
        let pixels = thickness * scale.at_target;
        let sides = if pixels < 6.0 {
            8
        } else if pixels < 20.0 {
            12
        } else {
            20
        };
        let surface = match style.strands {
            Some(count) if part.is_rope() => Surface::Strands(count as f32),
            _ => Surface::Solid,
        };
        if pixels < SEEN {
            let material = of_part(Material::smooth(Surface::Solid, ROPE_GLOSS));
            add_ribbon(mesh, &line, |at| scale.camera.to_eye(at), material);
        } else {
            add_tube(mesh, &line, sides, of_part(Material::smooth(surface, ROPE_GLOSS)));
        }
    }
    let size = style.node_size / scale.at_target;
    let node = if part.is_rope() { size.min(0.7 * spacing) } else { size };
    // Nodes of a net or cloth are omitted if they would hide its threads.
    if node > thickness && (part.is_rope() || spacing >= 4.0 * size) {
        for i in 0..part.nodes() {
            let place = part.node(i);
            if place.iter().all(|value| value.is_finite()) {
                let ink = channels(part.node_ink(i));
                add_node(mesh, scale.camera, place, node, style.node_shape, ink);
            }
        }
    }
    add_pins(mesh, part, scale, thickness.max(node.min(0.7 * spacing)));
}

/// Adds the trail of a node: a thin, unshaded tube that fades along its length.
pub fn add_trail(mesh: &mut Mesh, trail: &Trail, scale: PixelScale<'_>) {
    let n = trail.points.len();
    if !trail.points.as_flattened().iter().all(|value| value.is_finite()) {
        return;
    }
    let share = |index: usize| 48 + 208 * index as i32 / n as i32;
    let ink = |index: usize| channels(mix(trail.inks[0], trail.inks[1], share(index)));
    let line = Line {
        points: trail.points.clone(),
        radii: vec![0.5 * trail.width / scale.at_target; n],
        inks: (0..n).map(ink).collect(),
        turns: vec![0.0; n],
        is_closed: false,
        normal: None,
    };
    add_tube(mesh, &line, 6, Material::smooth(Surface::Flat, 0.0));
}

/// Adds balls as marks to the pins of a part with this thickness.
fn add_pins(mesh: &mut Mesh, part: &DrawnPart<'_>, scale: PixelScale<'_>, thickness: f64) {
    if !part.look.style.mark_pins {
        return;
    }
    let pixel = 1.0 / scale.at_target;
    let wanted = 1.6 * thickness + 3.0 * part.look.stroke * pixel;
    let maximum = if part.is_rope() { f64::INFINITY } else { 0.6 * part.room() };
    // A mark on a thin part does not grow as the part approaches the eye.
    let seen = (MARK * part.look.stroke).max(1.6 * thickness * scale.at_target);
    for i in (0..part.nodes()).filter(|&i| part.is_pinned(i)) {
        let at = part.node(i);
        let size = wanted.min(maximum.max(4.0 * part.look.stroke * pixel));
        let size = size.min(seen / scale.camera.scale_at(at));
        if size > 0.0 && at.iter().all(|value| value.is_finite()) {
            add_node(mesh, scale.camera, at, size, NodeShape::Disc, channels(part.look.pin));
        }
    }
}

/// Lines through the nodes of a part: the unbroken sections of a rope, or each thread of a net or
/// cloth.
fn lines(part: &DrawnPart<'_>, thickness: f64, scale: PixelScale<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut open: Option<(Vec<usize>, Vec<f64>)> = None;
    let mut finish = |open: Option<(Vec<usize>, Vec<f64>)>| {
        if let Some((nodes, lengths)) = open {
            lines.extend(line(part, &nodes, &lengths, thickness, scale));
        }
    };
    for (ends, length) in part.threads_with_lengths() {
        match &mut open {
            Some((nodes, lengths)) if part.is_rope() && nodes.last() == Some(&ends[0]) => {
                nodes.push(ends[1]);
                lengths.push(lengths[lengths.len() - 1] + length);
            }
            _ => {
                let begun = (ends.to_vec(), vec![0.0, length]);
                finish(open.replace(begun));
            }
        }
    }
    finish(open);
    lines
}

/// Line through nodes of the body. `lengths` are the rest lengths from the first node to each.
fn line(
    part: &DrawnPart<'_>,
    nodes: &[usize],
    lengths: &[f64],
    thickness: f64,
    scale: PixelScale<'_>,
) -> Option<Line> {
    let is_closed = nodes.len() > 3 && nodes.first() == nodes.last();
    let own = if is_closed { &nodes[..nodes.len() - 1] } else { nodes };
    let points: Vec<Vec3> = own.iter().map(|&number| part.place(number)).collect();
    if !points.as_flattened().iter().all(|value| value.is_finite()) {
        return None;
    }
    let is_long = points.windows(2).any(|pair| norm(sub(pair[1], pair[0])) > 0.0);
    let lay = part.look.style.lay.unwrap_or(LAY * thickness);
    let count = f64::from(part.look.style.strands.unwrap_or(1));
    let mut turns: Vec<f64> = lengths.iter().map(|length| length / lay).collect();
    if let (true, Some(&total)) = (is_closed, turns.last()) {
        // Strands of a ring must meet where it closes.
        let stretch = (total * count).round().max(1.0) / (total * count);
        turns.iter_mut().for_each(|turn| *turn *= stretch);
    }
    // A winding starts at the first node of the rope, so it does not apply after a break.
    let winding = part.winding.filter(|_| nodes.first() == Some(&0));
    if let (Some(winding), Some(&total)) = (winding, lengths.last()) {
        let twist = winding.twist / (TAU * total.max(f64::MIN_POSITIVE));
        turns.iter_mut().zip(lengths).for_each(|(turn, length)| *turn -= twist * length);
    }
    let radius = |at: Vec3| {
        let minimum = THINNEST / scale.camera.scale_at(at);
        0.5 * if minimum.is_finite() { thickness.max(minimum) } else { thickness }
    };
    let inks: Vec<_> = own.iter().map(|&number| channels(part.ink_of(number))).collect();
    let curve = curve(&points, is_closed, |at| scale.camera.scale_at(at));
    // Everything else changes linearly from node to node.
    let ink = |point: &CurvePoint| {
        let next = inks[(point.after + 1) % inks.len()];
        mixed(inks[point.after], next, point.share as f32)
    };
    let turn = |point: &CurvePoint| {
        let here = turns[point.after];
        let next = turns.get(point.after + 1).copied().unwrap_or(here);
        here + (next - here) * point.share
    };
    let last = turns.last().copied().filter(|_| is_closed);
    let turns = curve.iter().map(turn).chain(last).collect();
    let inks = curve.iter().map(ink).collect();
    let radii = curve.iter().map(|point| radius(point.at)).collect();
    let points = curve.iter().map(|point| point.at).collect();
    let normal = winding.map(|winding| winding.normal);
    is_long.then_some(Line { points, radii, inks, turns, is_closed, normal })
}
