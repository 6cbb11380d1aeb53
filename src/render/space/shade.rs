//! The colour of what is seen: light, shade, shadow, and the pattern of a surface.

use super::facet::{CARRIED, Facet, carried};
use super::ground::Ground;
use super::light::{Light, inner, normalized};
use super::mesh::{Material, Surface, Weave};
use super::shadow::ShadowMap;
use crate::scene::Pattern;

/// The share of the light on one side of a sheet that comes out on the other.
const THROUGH: f32 = 0.4;

/// How dark the back of a sheet is.
const BACK: f32 = 0.8;

/// How far the strands of a rope turn its normal, and how dark the grooves between them are.
const RELIEF: f32 = 1.1;
const GROOVE: f32 = 0.55;

/// What the second colour of a pattern has of white, and how dark the lines of a weave are.
const PALE: f32 = 0.68;
const LINE: f32 = 0.62;
/// Half the thickness of a line of a weave, in cells.
const LINE_HALF: f32 = 0.07;

/// All that colours depend on beside the surface itself.
pub struct Lighting<'a> {
    /// The light.
    pub light: &'a Light,
    /// Its shadows.
    pub shadows: &'a ShadowMap,
    /// Ends and radii of balls and capsules, which hide the sky from what is near.
    pub capsules: &'a [([[f32; 3]; 2], f32)],
    /// The ground, if there is one.
    pub ground: Option<&'a Ground>,
    /// The eye, or the direction to it where there is no perspective.
    pub eye: [f32; 3],
    /// Whether what is far looks small.
    pub is_perspective: bool,
}

/// What is carried to a point of a triangle, and how it changes there from pixel to pixel.
struct Point {
    values: [f32; CARRIED],
    /// How the place on the surface changes in x and in y, both directions added.
    grain_change: [f32; 2],
}

impl Lighting<'_> {
    /// The colour of a triangle at a point of the picture, each channel from 0 to 1, and the share
    /// of it that is seen.
    #[inline(always)]
    pub fn color(&self, facet: &Facet, material: &Material, at: [f32; 2]) -> ([f32; 3], f32) {
        let point = self.point(facet, at);
        let three = |lane: usize| [point.values[lane], point.values[lane + 1], point.values[lane + 2]];
        let (place, ink) = (three(carried::PLACE), three(carried::INK));
        if material.surface == Surface::Flat {
            return (ink, 1.0);
        }
        let to_eye = self.to_eye(place);
        if let (Surface::Ground, Some(ground)) = (material.surface, self.ground) {
            let normal = [0.0, 1.0, 0.0];
            let light = self.shadows.light_at(place, normal);
            let (color, share) = ground.color(place, light);
            let open = 0.6 + 0.4 * self.open_sky(place, normal);
            return (color.map(|channel| channel * open), share);
        }
        let (normal, ink) = surface(facet, material, &point, (normalized(three(carried::NORMAL)), ink));
        let to_sun = self.light.to_sun();
        let towards = inner(normal, to_sun);
        // The side of a surface that the sun shines on.
        let sunny = if towards < 0.0 { normal.map(|value| -value) } else { normal };
        let taken = match material.surface {
            Surface::Sheet(_) if towards < 0.0 => -THROUGH * towards,
            _ => towards.max(0.0),
        };
        let sun = if taken > 0.0 { taken * self.shadows.light_at(place, sunny) } else { 0.0 };
        let strength = self.light.strength(normal, to_eye, self.open_sky(place, normal), sun);
        let half = normalized([0, 1, 2].map(|k| to_sun[k] + to_eye[k]));
        let mut shine = inner(normal, half).max(0.0);
        // To the power of 32.
        for _ in 0..5 {
            shine *= shine;
        }
        let shine = if towards > 0.0 { material.gloss * shine * sun } else { 0.0 };
        (ink.map(|channel| channel * strength + shine), 1.0)
    }

    #[inline(always)]
    fn point(&self, facet: &Facet, at: [f32; 2]) -> Point {
        let x = at[0] - facet.origin[0] as f32;
        let y = at[1] - facet.origin[1] as f32;
        let mut values = [0.0_f32; CARRIED];
        for (lane, value) in values.iter_mut().enumerate() {
            *value = facet.planes[0][lane] * x + facet.planes[1][lane] * y + facet.planes[2][lane];
        }
        let slope = [facet.nearness[0] as f32, facet.nearness[1] as f32];
        let nearness = slope[0] * x + slope[1] * y + facet.nearness[2] as f32;
        let scale = if self.is_perspective { 1.0 / nearness } else { 1.0 };
        for value in &mut values {
            *value *= scale;
        }
        let change = |lane: usize| {
            let along = |k: usize| {
                let own = if self.is_perspective { values[lane] * slope[k] } else { 0.0 };
                ((facet.planes[k][lane] - own) * scale).abs()
            };
            along(0) + along(1)
        };
        let grain_change = [change(carried::GRAIN), change(carried::GRAIN + 1)];
        Point { values, grain_change }
    }

    #[inline(always)]
    fn to_eye(&self, place: [f32; 3]) -> [f32; 3] {
        if !self.is_perspective {
            return self.eye;
        }
        normalized([0, 1, 2].map(|k| self.eye[k] - place[k]))
    }

    /// The share of the sky that balls and capsules leave open over a surface: a ball of radius r
    /// at distance d hides cos θ (r/d)² of it (Quilez 2006).
    #[inline(always)]
    fn open_sky(&self, place: [f32; 3], normal: [f32; 3]) -> f32 {
        let mut open = 1.0;
        for ([a, b], radius) in self.capsules {
            let along = [0, 1, 2].map(|k| b[k] - a[k]);
            let from_a = [0, 1, 2].map(|k| place[k] - a[k]);
            let square = inner(along, along);
            let share =
                if square > 0.0 { (inner(from_a, along) / square).clamp(0.0, 1.0) } else { 0.0 };
            let way = [0, 1, 2].map(|k| along[k] * share - from_a[k]);
            let distance = inner(way, way).max(radius * radius);
            let cosine = inner(way, normal) / distance.sqrt();
            open *= 1.0 - (cosine.clamp(0.0, 1.0) * radius * radius / distance);
        }
        open
    }
}

/// The normal of a surface at a point, on the side that is seen, and its colour there.
#[inline(always)]
fn surface(
    facet: &Facet,
    material: &Material,
    point: &Point,
    (normal, ink): ([f32; 3], [f32; 3]),
) -> ([f32; 3], [f32; 3]) {
    let grain = [point.values[carried::GRAIN], point.values[carried::GRAIN + 1]];
    match material.surface {
        Surface::Sheet(weave) => {
            let ink = pattern(weave, grain, point.grain_change, ink);
            if facet.is_front {
                (normal, ink)
            } else {
                (normal.map(|value| -value), ink.map(|channel| channel * BACK))
            }
        }
        Surface::Strands(count) => {
            let lanes = [0, 1, 2].map(|k| point.values[carried::AXIS + k]);
            strand(count, (grain, point.grain_change), (normal, normalized(lanes)), ink)
        }
        _ => (normal, ink),
    }
}

/// The normal and the colour of a rope of strands that wind around it.
#[inline(always)]
fn strand(
    count: f32,
    (grain, change): ([f32; 2], [f32; 2]),
    (normal, axis): ([f32; 3], [f32; 3]),
    ink: [f32; 3],
) -> ([f32; 3], [f32; 3]) {
    // grain[0] counts the turns of a strand along the rope, grain[1] those around it.
    let phase = count * (grain[0] + grain[1]);
    let across = 2.0 * (phase - phase.floor()) - 1.0;
    // Strands that are narrower than two pixels have no relief.
    let seen = (1.0 - count * (change[0] + change[1])).clamp(0.0, 1.0);
    let around = cross(axis, normal);
    let tilt = RELIEF * seen * across;
    let tilted = normalized([0, 1, 2].map(|k| normal[k] + tilt * (around[k] + 0.5 * axis[k])));
    let deep = across * across * across * across;
    (tilted, ink.map(|channel| channel * (1.0 - GROOVE * seen * deep)))
}

#[inline(always)]
fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The colour of a sheet with a pattern; finer than pixels it is the mean of the pattern.
#[inline(always)]
fn pattern(weave: Weave, grain: [f32; 2], change: [f32; 2], ink: [f32; 3]) -> [f32; 3] {
    let place = grain.map(|value| value / weave.cells);
    let change = change.map(|value| (value / weave.cells).max(1e-6));
    let pale = ink.map(|channel| channel + (1.0 - channel) * PALE);
    let mixed = |share: f32| [0, 1, 2].map(|k| ink[k] + (pale[k] - ink[k]) * share);
    match weave.pattern {
        Pattern::Plain => ink,
        Pattern::Stripes => mixed(square_wave(place[1], change[1])),
        Pattern::Checks => {
            let [a, b] = [0, 1].map(|k| square_wave(place[k], change[k]));
            mixed(a + b - 2.0 * a * b)
        }
        Pattern::Weave => {
            let [a, b] = [0, 1].map(|k| line(place[k], change[k], LINE_HALF / weave.cells));
            ink.map(|channel| channel * (1.0 - LINE * (a + b - a * b)))
        }
    }
}

/// 0 and 1 in turns of length 1, as a pixel of this width sees it.
#[inline(always)]
fn square_wave(at: f32, width: f32) -> f32 {
    // The integral of the wave over the pixel.
    let sum = |at: f32| {
        let half = 0.5 * at;
        let rest = half - half.floor();
        half.floor() + (2.0 * rest - 1.0).max(0.0)
    };
    ((sum(at + 0.5 * width) - sum(at - 0.5 * width)) / width).clamp(0.0, 1.0)
}

/// The share of a pixel of this width that lines at whole numbers cover.
#[inline(always)]
fn line(at: f32, width: f32, half: f32) -> f32 {
    let sum = |at: f32| {
        let rest = at - at.floor();
        2.0 * half * at.floor() + rest.min(half) + (rest - 1.0 + half).max(0.0)
    };
    ((sum(at + 0.5 * width) - sum(at - 0.5 * width)) / width).clamp(0.0, 1.0)
}
