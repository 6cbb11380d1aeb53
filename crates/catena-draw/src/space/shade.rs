//! Shading: light, shadow and patterns on visible surfaces.
//!
//! A fragment is the part of a pixel that shows one triangle. Fragments are shaded in batches,
//! where each step is a loop over all of them.

use super::facet::{CARRIED, Facet, Single, carried};
use super::ground::Ground;
use super::light::Light;
use super::mesh::{Material, Surface, Weave};
use super::shadow::{ShadowMap, SunPoint, along_axes};
use super::single::{Single3, crossed, inner, mixed, normalized, plus, times, within};
use super::texture::color_at;
use super::visibility::TILE;
use catena_scene::Pattern;
use catena_scene::gltf::Texture;
use std::sync::Arc;

/// Number of fragments in a batch.
const COUNT: usize = 64;

/// Share of the light on one side of a sheet that passes through to the other.
const THROUGH: f32 = 0.4;

/// Brightness of the back of a sheet.
const BACK: f32 = 0.8;

/// Strength of the sheen of cloth where it turns away from the eye.
const SHEEN: f32 = 0.28;

/// Strength of the edges of skins.
const RIM: f32 = 0.5;

/// Share of the sky's light that a fold removes per depth of the crease. The depth is relative to
/// the distance between nodes.
const FOLD: f32 = 1.6;
/// Maximum share of the sky's light that is added on a ridge.
const LIFTED: f32 = 0.12;
/// Maximum share of the sky's light that is removed in a valley.
const DEEPEST: f32 = 0.6;

/// Everything that colours depend on, except the surface itself.
pub struct Lighting<'a> {
    /// Light of the scene.
    pub light: &'a Light,
    /// Shadows of fixed and of moving objects.
    pub shadows: [&'a ShadowMap; 2],
    /// Ends and radii of balls and capsules, which obstruct the sky for nearby surfaces.
    pub capsules: &'a [([Single3; 2], f32)],
    /// The ground, if there is one.
    pub ground: Option<&'a Ground>,
    /// Position of the eye, or the direction to it without perspective.
    pub eye: Single3,
    /// Whether the projection is perspective.
    pub is_perspective: bool,
    /// Side of a pixel as a length. With perspective, the length at depth 1.
    pub pixel: f32,
    /// Colour that the edges of skins tend to, so that they differ from the background.
    pub edge: Single3,
    /// Background colour of each row of the tile.
    pub background: &'a [Single3; TILE],
    /// Textures of the materials.
    pub textures: &'a [Arc<Texture>],
}

/// One number per fragment.
type PerFragment = [f32; COUNT];

/// A batch of fragments.
pub struct Fragments {
    count: usize,
    /// Pixel of each fragment, as an index.
    pixels: [u16; COUNT],
    /// Share of its pixel that each fragment covers.
    shares: PerFragment,
    kinds: [Shading; COUNT],
    normal: [PerFragment; 3],
    place: [PerFragment; 3],
    ink: [PerFragment; 3],
    gloss: PerFragment,
    /// Strength of the sheen of cloth; 0 on other surfaces.
    sheen: PerFragment,
    /// Strength of the edges of skins; 0 on other surfaces.
    rim: PerFragment,
    /// Depth in perspective, otherwise 1.
    depth: PerFragment,
    /// Share of the sky's light that reaches the surface between the folds of a cloth; above 1 on
    /// ridges.
    fold: PerFragment,
    /// Share of the light on the other side that passes through the surface.
    through: PerFragment,
    /// Unobstructed share of the sky.
    open: PerFragment,
    /// Light of the sun, first without and then with shadows.
    sun: PerFragment,
    /// Position along the axes of the light.
    seen: [PerFragment; 3],
    /// Normal on the side of the sun, along the axes of the light.
    sunny: [PerFragment; 3],
}

/// Shading of a fragment.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shading {
    Lit,
    Flat,
    Ground,
}

impl Default for Fragments {
    fn default() -> Self {
        let none = [0.0; COUNT];
        Self {
            count: 0,
            pixels: [0; COUNT],
            shares: none,
            kinds: [Shading::Lit; COUNT],
            normal: [none; 3],
            place: [none; 3],
            ink: [none; 3],
            gloss: none,
            sheen: none,
            rim: none,
            depth: none,
            fold: none,
            through: none,
            open: none,
            sun: none,
            seen: [none; 3],
            sunny: [none; 3],
        }
    }
}

impl Fragments {
    /// Whether the batch is full.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.count == COUNT
    }

    /// Adds the part of a pixel that shows a triangle, sampled at a point of the picture.
    #[inline(always)]
    pub fn add(
        &mut self,
        pixel: usize,
        share: f32,
        facet: &Facet,
        material: &Material,
        at: [f32; 2],
        lighting: &Lighting<'_>,
    ) {
        let is_perspective = lighting.is_perspective;
        let i = self.count;
        self.count += 1;
        (self.pixels[i], self.shares[i]) = (pixel as u16, share);
        let Single { origin, nearness: [slope_x, slope_y, middle] } = facet.single;
        let (x, y) = (at[0] - origin[0], at[1] - origin[1]);
        let mut values = [0.0_f32; CARRIED];
        for (lane, value) in values.iter_mut().enumerate() {
            *value = facet.planes[0][lane] * x + facet.planes[1][lane] * y + facet.planes[2][lane];
        }
        let nearness = slope_x * x + slope_y * y + middle;
        let scale = if is_perspective { 1.0 / nearness } else { 1.0 };
        for value in &mut values {
            *value *= scale;
        }
        let slope = if is_perspective { [slope_x, slope_y] } else { [0.0; 2] };
        let (normal, mut ink) = surface(facet, material, &values, scale, slope);
        if let Some(painted) = material.texture {
            let grain = [values[carried::GRAIN], values[carried::GRAIN + 1]];
            let change = footprint(facet, grain, scale, slope);
            let color = color_at(&lighting.textures[painted.index], grain, change);
            (0..3).for_each(|k| ink[k] *= color[k]);
        }
        for k in 0..3 {
            self.normal[k][i] = normal[k];
            self.place[k][i] = values[carried::PLACE + k];
            self.ink[k][i] = ink[k];
        }
        self.gloss[i] = material.gloss;
        self.depth[i] = scale;
        let is_sheet = matches!(material.surface, Surface::Sheet(_));
        self.through[i] = if is_sheet { THROUGH } else { 0.0 };
        self.sheen[i] = if is_sheet { SHEEN } else { 0.0 };
        self.rim[i] = if matches!(material.surface, Surface::Skin(_)) { RIM } else { 0.0 };
        let crease =
            if facet.is_front { values[carried::CREASE] } else { -values[carried::CREASE] };
        self.fold[i] = 1.0 - within(FOLD * crease, -LIFTED, DEEPEST);
        self.kinds[i] = match material.surface {
            Surface::Flat => Shading::Flat,
            Surface::Ground => Shading::Ground,
            _ => Shading::Lit,
        };
    }

    /// Adds the colours of all fragments to their pixels, weighted by their shares, and empties the
    /// batch. Transparent fragments are blended with the background.
    #[inline(always)]
    pub fn shade(&mut self, lighting: &Lighting<'_>, pixels: &mut [Single3]) {
        self.normalize();
        self.open_sky(lighting.capsules);
        self.sunlight(lighting);
        if self.has(Shading::Lit) {
            self.color(lighting);
        }
        if let Some(ground) = lighting.ground.filter(|_| self.has(Shading::Ground)) {
            self.color_ground(*ground, lighting.background);
        }
        for i in 0..self.count {
            let pixel = &mut pixels[self.pixels[i] as usize];
            for (value, ink) in pixel.iter_mut().zip(&self.ink) {
                *value += self.shares[i] * within(ink[i], 0.0, 1.0);
            }
        }
        self.count = 0;
    }

    /// Whether any fragment of the batch has this shading.
    #[inline(always)]
    fn has(&self, shading: Shading) -> bool {
        self.kinds[..self.count].contains(&shading)
    }

    #[inline(always)]
    fn normalize(&mut self) {
        let [x, y, z] = &mut self.normal;
        for i in 0..COUNT {
            let square = x[i] * x[i] + y[i] * y[i] + z[i] * z[i];
            let scale = 1.0 / if square > 1e-20 { square } else { 1.0 }.sqrt();
            x[i] *= scale;
            y[i] *= scale;
            z[i] *= scale;
        }
    }

    /// Computes the share of the sky that balls and capsules do not obstruct. A ball of radius r at
    /// distance d obstructs cos θ (r/d)² of the sky (Quilez 2006).
    #[inline(always)]
    fn open_sky(&mut self, capsules: &[([Single3; 2], f32)]) {
        self.open = [1.0; COUNT];
        let ([nx, ny, nz], [px, py, pz]) = (&self.normal, &self.place);
        for &([a, b], radius) in capsules {
            let along = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
            let square = inner(along, along);
            let inverse = if square > 0.0 { 1.0 / square } else { 0.0 };
            let own = radius * radius;
            for i in 0..COUNT {
                let from = [px[i] - a[0], py[i] - a[1], pz[i] - a[2]];
                let share = within(inner(from, along) * inverse, 0.0, 1.0);
                let offset = [
                    along[0] * share - from[0],
                    along[1] * share - from[1],
                    along[2] * share - from[2],
                ];
                let square = inner(offset, offset);
                let square = if square > own { square } else { own };
                let cosine = inner(offset, [nx[i], ny[i], nz[i]]) / square.sqrt();
                self.open[i] *= 1.0 - within(cosine, 0.0, 1.0) * own / square;
            }
        }
    }

    /// Computes the light of the sun on each fragment.
    #[inline(always)]
    fn sunlight(&mut self, lighting: &Lighting<'_>) {
        // Local copies: a store into an array cannot change them, so the loop is vectorized.
        let axes = lighting.light.single_axes;
        let ([nx, ny, nz], [px, py, pz]) = (&self.normal, &self.place);
        for i in 0..COUNT {
            let normal = along_axes(axes, [nx[i], ny[i], nz[i]]);
            let towards = normal[2];
            // The side of the surface that faces the sun.
            let side = if towards < 0.0 { -1.0 } else { 1.0 };
            self.sun[i] = towards * if towards < 0.0 { -self.through[i] } else { 1.0 };
            let seen = along_axes(axes, [px[i], py[i], pz[i]]);
            for k in 0..3 {
                self.seen[k][i] = seen[k];
                self.sunny[k][i] = side * normal[k];
            }
        }
        let lights = self.lights(lighting);
        for ((sun, light), kind) in self.sun.iter_mut().zip(lights).zip(&self.kinds) {
            let strength = if *kind == Shading::Ground { 1.0 } else { *sun };
            *sun = if *sun > 0.0 { strength * light } else { *sun };
        }
    }

    /// Share of the sun's light that reaches each fragment that faces the sun.
    #[inline(always)]
    fn lights(&self, lighting: &Lighting<'_>) -> PerFragment {
        let mut lights = [0.0; COUNT];
        for (i, light) in lights.iter_mut().enumerate().take(self.count) {
            if self.sun[i] > 0.0 {
                let point = SunPoint {
                    at: [self.seen[0][i], self.seen[1][i], self.seen[2][i]],
                    normal: [self.sunny[0][i], self.sunny[1][i], self.sunny[2][i]],
                    pixel: lighting.pixel * self.depth[i],
                };
                let softness = lighting.light.softness;
                let [fixed, moving] = lighting.shadows;
                let fixed = fixed.light_at(&point, softness);
                // In full shadow, another shadow changes nothing.
                *light = if fixed > 0.0 {
                    let moving = moving.light_at(&point, softness);
                    if fixed < moving { fixed } else { moving }
                } else {
                    fixed
                };
            }
        }
        lights
    }

    /// Computes the colours of fragments on lit surfaces.
    #[inline(always)]
    fn color(&mut self, lighting: &Lighting<'_>) {
        let (light, eye, edge) = (*lighting.light, lighting.eye, lighting.edge);
        let (sunwards, is_perspective) = (light.single_axes[2], lighting.is_perspective);
        let ([nx, ny, nz], [px, py, pz]) = (&self.normal, &self.place);
        let mut strength = [[0.0; COUNT]; 3];
        let (mut shine, mut sheen, mut rim) = ([0.0; COUNT], [0.0; COUNT], [0.0; COUNT]);
        for i in 0..COUNT {
            let normal = [nx[i], ny[i], nz[i]];
            let to_eye = if is_perspective {
                normalized([eye[0] - px[i], eye[1] - py[i], eye[2] - pz[i]])
            } else {
                eye
            };
            let found = light.strength(normal, to_eye, self.open[i] * self.fold[i], self.sun[i]);
            (strength[0][i], strength[1][i], strength[2][i]) = (found[0], found[1], found[2]);
            let half = normalized([
                sunwards[0] + to_eye[0],
                sunwards[1] + to_eye[1],
                sunwards[2] + to_eye[2],
            ]);
            let cosine = within(inner(normal, half), 0.0, 1.0);
            let fourth = cosine * cosine * cosine * cosine;
            let eighth = fourth * fourth;
            let sharp = eighth * eighth * eighth * eighth;
            let is_cloth = self.sheen[i] > 0.0;
            let power = if is_cloth { eighth } else { sharp };
            let is_sunny = inner(normal, sunwards) > 0.0;
            shine[i] = if is_sunny { self.gloss[i] * power * self.sun[i] } else { 0.0 };
            let aside = 1.0 - within(inner(normal, to_eye), 0.0, 1.0);
            let cubed = aside * aside * aside;
            sheen[i] = self.sheen[i] * cubed * (0.4 + 0.6 * within(self.sun[i], 0.0, 1.0));
            rim[i] = self.rim[i] * cubed;
        }
        for i in 0..self.count {
            if self.kinds[i] == Shading::Lit {
                for k in 0..3 {
                    let ink = self.ink[k][i];
                    let lit = ink * strength[k][i] + shine[i];
                    // The sheen of cloth is a paler tone of its colour.
                    let lit = lit + sheen[i] * (0.5 + 0.5 * ink) * strength[k][i];
                    self.ink[k][i] = lit + rim[i] * (edge[k] - lit);
                }
            }
        }
    }

    /// Computes the colours of fragments on the ground. The ground fades into the background.
    #[inline(always)]
    fn color_ground(&mut self, ground: Ground, background: &[Single3; TILE]) {
        let ([x, y, z], sun, open) = (&self.place, &self.sun, &self.open);
        let (mut own, mut opacity) = ([[0.0; COUNT]; 3], [0.0; COUNT]);
        for i in 0..COUNT {
            let (color, share) = ground.color([x[i], y[i], z[i]], sun[i], open[i]);
            (own[0][i], own[1][i], own[2][i], opacity[i]) = (color[0], color[1], color[2], share);
        }
        for i in 0..self.count {
            if self.kinds[i] == Shading::Ground {
                let background = background[self.pixels[i] as usize / TILE];
                for k in 0..3 {
                    self.ink[k][i] = background[k] + opacity[i] * (own[k][i] - background[k]);
                }
            }
        }
    }
}

/// Change of the coordinates on a triangle from pixel to pixel: the larger of the changes in x and
/// in y.
fn footprint(facet: &Facet, grain: [f32; 2], scale: f32, slope: [f32; 2]) -> [f32; 2] {
    let mut change = [0.0; 2];
    for (k, change) in change.iter_mut().enumerate() {
        let lane = carried::GRAIN + k;
        let x = ((facet.planes[0][lane] - grain[k] * slope[0]) * scale).abs();
        let y = ((facet.planes[1][lane] - grain[k] * slope[1]) * scale).abs();
        *change = if x > y { x } else { y };
    }
    change
}

/// Normal of the visible side of a surface, of any length, and its colour. `slope` is the slope of
/// the nearness in x and in y, and `scale` the factor already applied to the values.
#[inline(always)]
fn surface(
    facet: &Facet,
    material: &Material,
    values: &[f32; CARRIED],
    scale: f32,
    slope: [f32; 2],
) -> (Single3, Single3) {
    let three = |lane: usize| [values[lane], values[lane + 1], values[lane + 2]];
    let (normal, ink) = (three(carried::NORMAL), three(carried::INK));
    let is_plain = match material.surface {
        Surface::Sheet(weave) | Surface::Skin(weave) => weave.pattern == Pattern::Plain,
        Surface::Strands(_) => false,
        _ => true,
    };
    if is_plain {
        let has_back = matches!(material.surface, Surface::Sheet(_) | Surface::Skin(_));
        let is_back = has_back && !facet.is_front;
        return if is_back { (times(normal, -1.0), times(ink, BACK)) } else { (normal, ink) };
    }
    // Change of the surface coordinates from pixel to pixel, in x and in y combined.
    let mut change = [0.0; 2];
    for (k, change) in change.iter_mut().enumerate() {
        let lane = carried::GRAIN + k;
        let x = (facet.planes[0][lane] - values[lane] * slope[0]) * scale;
        let y = (facet.planes[1][lane] - values[lane] * slope[1]) * scale;
        *change = x.abs() + y.abs();
    }
    let grain = [values[carried::GRAIN], values[carried::GRAIN + 1]];
    match material.surface {
        Surface::Sheet(weave) | Surface::Skin(weave) => {
            let ink = pattern(weave, grain, change, ink);
            if facet.is_front { (normal, ink) } else { (times(normal, -1.0), times(ink, BACK)) }
        }
        Surface::Strands(count) => {
            let axis = normalized(three(carried::AXIS));
            strand(count, grain, change, normalized(normal), axis, ink)
        }
        _ => (normal, ink),
    }
}

/// Tilt of the normal at the edges of a strand: tangent of the angle to the normal of the rope,
/// approximately.
const RELIEF: f32 = 1.1;
/// Darkness of the grooves between strands, from 0 to 1.
const GROOVE: f32 = 0.55;

/// Share of white in the second colour of a pattern, from 0 to 1.
const PALE: f32 = 0.68;
/// Darkness of the lines of a weave, from 0 to 1.
const LINE: f32 = 0.62;
/// Half the thickness of a line of a weave, in cells.
const LINE_HALF: f32 = 0.07;

/// Normal and colour of a rope whose strands wind around it.
#[inline(always)]
pub fn strand(
    count: f32,
    grain: [f32; 2],
    change: [f32; 2],
    normal: Single3,
    axis: Single3,
    ink: Single3,
) -> (Single3, Single3) {
    // grain[0] counts a strand's turns along the rope, grain[1] the position around it.
    let phase = count * (grain[0] + grain[1]);
    let across = 2.0 * (phase - phase.floor()) - 1.0;
    // Strands that are narrower than two pixels have no relief.
    let seen = within(1.0 - count * (change[0] + change[1]), 0.0, 1.0);
    let around = crossed(axis, normal);
    let tilt = RELIEF * seen * across;
    let tilted = normalized(plus(normal, tilt, plus(around, 0.5, axis)));
    let deep = across * across * across * across;
    (tilted, times(ink, 1.0 - GROOVE * seen * deep))
}

/// Colour of a sheet with a pattern. A pattern finer than pixels is averaged.
#[inline(always)]
pub fn pattern(weave: Weave, grain: [f32; 2], change: [f32; 2], ink: Single3) -> Single3 {
    let place = [grain[0] / weave.cells, grain[1] / weave.cells];
    let width = [change[0] / weave.cells + 1e-6, change[1] / weave.cells + 1e-6];
    let pale = mixed(ink, [1.0; 3], PALE);
    match weave.pattern {
        Pattern::Plain => ink,
        Pattern::Stripes => mixed(ink, pale, square_wave(place[1], width[1])),
        Pattern::Checks => {
            let (a, b) = (square_wave(place[0], width[0]), square_wave(place[1], width[1]));
            mixed(ink, pale, a + b - 2.0 * a * b)
        }
        Pattern::Weave => {
            let half = LINE_HALF / weave.cells;
            let (a, b) = (line(place[0], width[0], half), line(place[1], width[1], half));
            times(ink, 1.0 - LINE * (a + b - a * b))
        }
    }
}

/// Square wave with values 0 and 1 in alternating unit intervals, averaged over a pixel of this
/// width.
#[inline(always)]
fn square_wave(at: f32, width: f32) -> f32 {
    let (low, high) = (at - 0.5 * width, at + 0.5 * width);
    within((square_wave_sum(high) - square_wave_sum(low)) / width, 0.0, 1.0)
}

/// Integral, from 0, of the square wave with values 0 and 1 in alternating unit intervals.
#[inline(always)]
fn square_wave_sum(at: f32) -> f32 {
    let half = 0.5 * at;
    let rest = 2.0 * (half - half.floor()) - 1.0;
    half.floor() + if rest > 0.0 { rest } else { 0.0 }
}

/// Share of a pixel of this width covered by lines at integers. `half` is half of their thickness.
#[inline(always)]
fn line(at: f32, width: f32, half: f32) -> f32 {
    let (low, high) = (at - 0.5 * width, at + 0.5 * width);
    within((line_sum(high, half) - line_sum(low, half)) / width, 0.0, 1.0)
}

/// Integral, from 0, of a function that is 1 on lines at integers and 0 between them. `half` is
/// half of the lines' thickness.
#[inline(always)]
fn line_sum(at: f32, half: f32) -> f32 {
    let rest = at - at.floor();
    let (before, after) = (within(rest, 0.0, half), within(rest - 1.0 + half, 0.0, half));
    2.0 * half * at.floor() + before + after
}
