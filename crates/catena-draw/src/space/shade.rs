//! Shading: light, shadow and patterns on visible surfaces.
//!
//! A fragment is the part of a pixel that shows one triangle. Fragments are shaded in batches,
//! where each step is a loop over all of them.

use super::facet::{CARRIED, Facet, Single, carried};
use super::ground::Ground;
use super::light::Light;
use super::mesh::{Material, Surface, Weave};
use super::shadow::{ShadowMap, SunPoints, along_axes};
use super::single::{Single3, crossed, inner, mixed, normalized, plus, times, within};
use super::texture::color_at;
use super::visibility::{SAMPLES, TILE};
use catena_scene::Pattern;
use catena_scene::gltf::Texture;
use std::sync::Arc;

/// Number of fragments in a batch.
const COUNT: usize = 64;

/// Maximum number of adjacent pixels that are added together.
pub const LANES: usize = 8;

/// Maximum number of fragments that a pixel adds: a run that it ends, and one per sample.
const MOST: usize = LANES + SAMPLES;

/// One number per pixel of a run.
type PerPixel = [f32; LANES];

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
    /// Whether the batch may have no room for the fragments of another pixel.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.count + MOST > COUNT
    }

    /// Adds adjacent pixels of a row that show one triangle: the index of the first, and their
    /// number, at most [`LANES`]. `at` is the middle of the first pixel. The material must form
    /// runs.
    #[inline(always)]
    pub fn add_run(
        &mut self,
        [pixel, count]: [usize; 2],
        facet: &Facet,
        material: &Material,
        at: [f32; 2],
        lighting: &Lighting<'_>,
    ) {
        // All lanes are computed. Later fragments replace those beyond `count`.
        let i = self.count;
        self.count += count;
        let run = PixelRun::new(facet, at, lighting.is_perspective);
        let weave = match material.surface {
            Surface::Sheet(weave) | Surface::Skin(weave) => Some(weave),
            _ => None,
        };
        let is_back = weave.is_some() && !facet.is_front;
        let side = if is_back { -1.0 } else { 1.0 };
        for k in 0..3 {
            let mut normal = run.values(carried::NORMAL + k);
            normal.iter_mut().for_each(|value| *value *= side);
            store(&mut self.normal[k], i, &normal);
            store(&mut self.place[k], i, &run.values(carried::PLACE + k));
        }
        // The colour of the ground depends only on the position.
        if material.surface != Surface::Ground {
            let mut ink = [PerPixel::default(); 3];
            for (k, ink) in ink.iter_mut().enumerate() {
                *ink = run.values(carried::INK + k);
            }
            if let Some(weave) = weave {
                run.paint(weave, &mut ink);
            }
            let dim = if is_back { BACK } else { 1.0 };
            for (own, ink) in self.ink.iter_mut().zip(&mut ink) {
                ink.iter_mut().for_each(|value| *value *= dim);
                store(own, i, ink);
            }
            let (mut fold, front) = (run.values(carried::CREASE), facet.is_front);
            for fold in &mut fold {
                let crease = if front { *fold } else { -*fold };
                *fold = 1.0 - within(FOLD * crease, -LIFTED, DEEPEST);
            }
            store(&mut self.fold, i, &fold);
        }
        let is_sheet = matches!(material.surface, Surface::Sheet(_));
        let is_skin = matches!(material.surface, Surface::Skin(_));
        store(&mut self.depth, i, &run.scale);
        store(&mut self.shares, i, &[1.0; LANES]);
        store(&mut self.gloss, i, &[material.gloss; LANES]);
        store(&mut self.through, i, &[if is_sheet { THROUGH } else { 0.0 }; LANES]);
        store(&mut self.sheen, i, &[if is_sheet { SHEEN } else { 0.0 }; LANES]);
        store(&mut self.rim, i, &[if is_skin { RIM } else { 0.0 }; LANES]);
        self.kinds[i..i + LANES].fill(shading(material.surface));
        for (lane, own) in self.pixels[i..i + LANES].iter_mut().enumerate() {
            *own = (pixel + lane) as u16;
        }
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
        self.kinds[i] = shading(material.surface);
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
        let mut pixel = [0.0; COUNT];
        let mut is_wanted = [false; COUNT];
        for i in 0..COUNT {
            pixel[i] = lighting.pixel * self.depth[i];
            is_wanted[i] = i < self.count && self.sun[i] > 0.0;
        }
        let points = SunPoints { at: &self.seen, normal: &self.sunny, pixel: &pixel };
        let softness = lighting.light.softness;
        let mut lights = [0.0; COUNT];
        let [fixed, moving] = lighting.shadows;
        fixed.add_lights(&points, softness, &is_wanted, &mut lights);
        // In full shadow, another shadow changes nothing.
        for i in 0..COUNT {
            is_wanted[i] &= lights[i] > 0.0;
        }
        let mut second = lights;
        moving.add_lights(&points, softness, &is_wanted, &mut second);
        for i in 0..COUNT {
            lights[i] = if lights[i] < second[i] { lights[i] } else { second[i] };
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

/// Stores one number per pixel of a run as those of the fragments from `i` on.
#[inline(always)]
fn store(all: &mut PerFragment, i: usize, values: &PerPixel) {
    all[i..i + LANES].copy_from_slice(values);
}

/// Shading of a surface.
#[inline(always)]
fn shading(surface: Surface) -> Shading {
    match surface {
        Surface::Flat => Shading::Flat,
        Surface::Ground => Shading::Ground,
        _ => Shading::Lit,
    }
}

/// Adjacent pixels of a row on one triangle.
struct PixelRun<'a> {
    facet: &'a Facet,
    /// Offsets of the middles of the pixels from the origin of the triangle, in x and in y.
    x: PerPixel,
    y: f32,
    /// Depth in perspective, otherwise 1.
    scale: PerPixel,
    /// Slope of the nearness in x and in y; 0 without perspective.
    slope: [f32; 2],
}

impl<'a> PixelRun<'a> {
    /// Pixels from the one with its middle at `at`.
    #[inline(always)]
    fn new(facet: &'a Facet, at: [f32; 2], is_perspective: bool) -> Self {
        let Single { origin, nearness: [slope_x, slope_y, middle] } = facet.single;
        let (mut x, y) = ([0.0; LANES], at[1] - origin[1]);
        let mut scale = [1.0; LANES];
        for lane in 0..LANES {
            x[lane] = at[0] + lane as f32 - origin[0];
            let nearness = slope_x * x[lane] + slope_y * y + middle;
            scale[lane] = if is_perspective { 1.0 / nearness } else { 1.0 };
        }
        let slope = if is_perspective { [slope_x, slope_y] } else { [0.0; 2] };
        Self { facet, x, y, scale, slope }
    }

    /// Values of an attribute.
    #[inline(always)]
    fn values(&self, attribute: usize) -> PerPixel {
        let [a, b, c] = &self.facet.planes;
        let (a, b, c) = (a[attribute], b[attribute], c[attribute]);
        let mut values = [0.0; LANES];
        for (lane, value) in values.iter_mut().enumerate() {
            *value = (a * self.x[lane] + b * self.y + c) * self.scale[lane];
        }
        values
    }

    /// Applies a pattern to the colours of the pixels.
    #[inline(always)]
    fn paint(&self, weave: Weave, ink: &mut [PerPixel; 3]) {
        // A constant pattern keeps branches out of the loops.
        match weave.pattern {
            Pattern::Plain => (),
            Pattern::Stripes => {
                self.paint_with(Weave { pattern: Pattern::Stripes, ..weave }, ink);
            }
            Pattern::Checks => self.paint_with(Weave { pattern: Pattern::Checks, ..weave }, ink),
            Pattern::Weave => self.paint_with(Weave { pattern: Pattern::Weave, ..weave }, ink),
        }
    }

    #[inline(always)]
    fn paint_with(&self, weave: Weave, ink: &mut [PerPixel; 3]) {
        let [across, down, _] = &self.facet.planes;
        let (mut grain, mut change) = ([[0.0; LANES]; 2], [[0.0; LANES]; 2]);
        for k in 0..2 {
            grain[k] = self.values(carried::GRAIN + k);
            let (across, down) = (across[carried::GRAIN + k], down[carried::GRAIN + k]);
            for lane in 0..LANES {
                let x = (across - grain[k][lane] * self.slope[0]) * self.scale[lane];
                let y = (down - grain[k][lane] * self.slope[1]) * self.scale[lane];
                change[k][lane] = x.abs() + y.abs();
            }
        }
        for lane in 0..LANES {
            let own = [ink[0][lane], ink[1][lane], ink[2][lane]];
            let (grain, change) =
                ([grain[0][lane], grain[1][lane]], [change[0][lane], change[1][lane]]);
            let painted = pattern(weave, grain, change, own);
            (ink[0][lane], ink[1][lane], ink[2][lane]) = (painted[0], painted[1], painted[2]);
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
