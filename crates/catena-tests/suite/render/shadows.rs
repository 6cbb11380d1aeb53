//! Shadows on the ground, compared with a ray tracer that does not use shadow maps.

use crate::{cases, scene_of};
use catena::render::camera::SpatialCamera;
use catena::render::vector::{Vec3, add, cross, dot, norm, scaled, sub, unit};
use catena::render::{Painter, PanelRun, Rect, text::Font};
use catena::scene::Scene;
use catena_tests::Random;
use image::RgbImage;
use std::fmt::Write;

const SIZE: [u32; 2] = [96, 72];

/// Height of the ground.
const GROUND: f64 = -1.0;

/// Direction to the sun, and the tangent of its angular radius, as documented.
const TO_SUN: Vec3 = [0.4, 1.0, 0.6];
const SUN_DEGREES: f64 = 1.15;

/// Number of sun directions per axis, and number of points per pixel and axis.
const SUN_SAMPLES: usize = 5;
const PIXEL_SAMPLES: usize = 2;

/// An object that casts a shadow.
enum Caster {
    Capsule([Vec3; 2], f64),
    Triangle([Vec3; 3]),
}

impl Caster {
    /// Whether a ray hits the object. The direction has length 1.
    fn meets(&self, from: Vec3, direction: Vec3) -> bool {
        match *self {
            Self::Capsule(ends, radius) => meets_capsule(ends, radius, from, direction),
            Self::Triangle(corners) => meets_triangle(corners, from, direction),
        }
    }
}

/// Whether the minimum distance of a ray from a segment is below a radius.
fn meets_capsule([a, b]: [Vec3; 2], radius: f64, from: Vec3, direction: Vec3) -> bool {
    let (along, start) = (sub(b, a), sub(a, from));
    // A fraction s of the segment and a distance t on the ray are closest where both derivatives of
    // the squared distance vanish; s is then limited to the segment.
    let (aa, aw) = (dot(along, along), dot(along, direction));
    let (sa, sw) = (dot(start, along), dot(start, direction));
    let volume = aa - aw * aw;
    let share = if volume > 1e-12 { ((sw * aw - sa) / volume).clamp(0.0, 1.0) } else { 0.5 };
    let ahead = (sw + share * aw).max(0.0);
    let apart = sub(add(start, scaled(along, share)), scaled(direction, ahead));
    norm(apart) < radius
}

fn meets_triangle([a, b, c]: [Vec3; 3], from: Vec3, direction: Vec3) -> bool {
    let (ab, ac) = (sub(b, a), sub(c, a));
    let p = cross(direction, ac);
    let volume = dot(ab, p);
    let s = sub(from, a);
    let u = dot(s, p) / volume;
    let q = cross(s, ab);
    let (v, depth) = (dot(direction, q) / volume, dot(ac, q) / volume);
    u >= 0.0 && v >= 0.0 && u + v <= 1.0 && depth > 1e-9
}

/// Directions to points of the sun.
fn sun() -> Vec<Vec3> {
    let middle = unit(TO_SUN);
    let aside = unit(cross([1.0, 0.0, 0.0], middle));
    let other = cross(middle, aside);
    let radius = libm::tan(SUN_DEGREES.to_radians());
    let mut all = Vec::new();
    for i in 0..SUN_SAMPLES {
        for j in 0..SUN_SAMPLES {
            let [x, y] = [i, j].map(|k| (2 * k + 1) as f64 / SUN_SAMPLES as f64 - 1.0);
            if x * x + y * y <= 1.0 {
                let off = add(scaled(aside, radius * x), scaled(other, radius * y));
                all.push(unit(add(middle, off)));
            }
        }
    }
    all
}

/// A scene of tubes, balls and sheets above a white ground with black shadows, and the objects that
/// cast shadows.
fn random_scene(random: &mut Random) -> (String, Vec<Caster>) {
    let (mut bodies, mut casters) = (String::new(), Vec::new());
    let point = |random: &mut Random, minimum: f64| {
        [random.between(-1.2, 1.2), random.between(minimum, 0.9), random.between(-1.0, 1.0)]
    };
    for _ in 0..3 + random.between(0.0, 5.0) as usize {
        let thickness = random.between(0.04, 0.4);
        let a = point(random, GROUND + thickness);
        // Some tubes are as short as balls.
        let b = if random.between(0.0, 1.0) < 0.4 {
            add(a, [0.001, 0.0, 0.0])
        } else {
            point(random, GROUND + thickness)
        };
        casters.push(Caster::Capsule([a, b], 0.5 * thickness));
        write!(
            bodies,
            "(with: (style: (thickness: {thickness}), \
             graph: (nodes: [{}, {}], springs: [(0, 1)]))),",
            ron(a),
            ron(b)
        )
        .unwrap();
    }
    for _ in 0..random.between(0.0, 3.0) as usize {
        let corner = point(random, -0.4);
        let across = scaled(unit(point(random, -1.0)), random.between(0.3, 1.0));
        let aside = unit(cross(across, point(random, -1.0)));
        let down = scaled(aside, random.between(0.3, 1.0));
        let far = add(add(corner, across), down);
        let corners = [corner, far, add(corner, across), add(corner, down)];
        if corners.iter().any(|at| at[1] < GROUND + 0.05) {
            continue;
        }
        casters.push(Caster::Triangle([corner, add(corner, across), far]));
        casters.push(Caster::Triangle([corner, far, add(corner, down)]));
        write!(
            bodies,
            "(with: (cloth: (corner: {}, across: {}, down: {}, rows: 4, columns: 5))),",
            ron(corner),
            ron(across),
            ron(down)
        )
        .unwrap();
    }
    let eye = [random.between(-1.5, 1.5), random.between(1.5, 3.0), random.between(3.0, 4.5)];
    (scene_text(&bodies, eye), casters)
}

/// A point in the syntax of scenes.
fn ron([x, y, z]: Vec3) -> String {
    format!("({x}, {y}, {z})")
}

/// A scene with these bodies. The ground is white, and black in full shadow.
fn scene_text(bodies: &str, eye: Vec3) -> String {
    let [x, y, z] = eye;
    let [width, height] = SIZE;
    format!(
        "Scene(base: (
            size: ({width}, {height}), decoration: Bare, background: \"white\", gravity: (0, -1, 0),
            camera: (eye: ({x}, {y}, {z}), target: (-0.3, -0.7, -0.3), field_of_view: 38),
            style: (mark_pins: false, node_size: 1, color: \"red\", surface: Facets),
            ground: (height: {GROUND}, size: 30, near: \"white\", far: \"white\", shadow: \"black\"),
            bodies: [{bodies}],
        ))"
    )
}

/// Frame 0 of a scene.
fn picture(scene: &Scene) -> RgbImage {
    let painter = Painter::new(scene, Font::built_in().unwrap()).unwrap();
    let frames: Vec<_> =
        scene.panels.iter().map(|panel| PanelRun::new(panel).current().clone()).collect();
    let mut canvas = painter.canvas();
    painter.draw(&mut canvas, &frames);
    canvas.into_image()
}

/// Mean difference of the light on the ground between a picture and rays, over the pixels that show
/// only ground, and the fraction of these pixels that are in shadow.
fn difference(text: &str, casters: &[Caster]) -> [f64; 2] {
    let scene = scene_of(text);
    let image = picture(&scene);
    let [w, h] = SIZE.map(|side| side as i32);
    let camera = SpatialCamera::new(&scene.panels[0].viewpoint.unwrap(), Rect { x: 0, y: 0, w, h });
    let sun = sun();
    let (mut sum, mut shaded, mut count) = (0.0, 0.0, 0.0);
    for (x, y, pixel) in image.enumerate_pixels() {
        let direction = |right: f64, down: f64| {
            unit(camera.direction_through([f64::from(x) + right, f64::from(y) + down]))
        };
        let shows_ground = |direction: Vec3| {
            direction[1] < -0.05
                && !casters.iter().any(|caster| caster.meets(camera.eye(), direction))
        };
        let corners = [(-0.1, -0.1), (1.1, -0.1), (-0.1, 1.1), (1.1, 1.1), (0.5, 0.5)];
        if !corners.iter().all(|(right, down)| shows_ground(direction(*right, *down))) {
            continue;
        }
        let (mut lit, mut rays) = (0.0, 0.0);
        for i in 0..PIXEL_SAMPLES * PIXEL_SAMPLES {
            let place = |k: usize| (k as f64 + 0.5) / PIXEL_SAMPLES as f64;
            let direction = direction(place(i % PIXEL_SAMPLES), place(i / PIXEL_SAMPLES));
            let at =
                add(camera.eye(), scaled(direction, (GROUND - camera.eye()[1]) / direction[1]));
            for to_sun in &sun {
                let is_lit = !casters.iter().any(|caster| caster.meets(at, *to_sun));
                lit += f64::from(u8::from(is_lit));
                rays += 1.0;
            }
        }
        sum += (f64::from(pixel.0[1]) / 255.0 - lit / rays).abs();
        shaded += f64::from(u8::from(lit < rays));
        count += 1.0;
    }
    [sum / count, shaded / count]
}

/// Compares scenes, and prints those with the largest differences.
fn compare(scenes: usize) {
    let mut random = Random::new(40);
    let (mut sum, mut shaded) = (0.0, 0.0);
    for number in 0..scenes {
        let (text, casters) = random_scene(&mut random);
        let [differs, shade] = difference(&text, &casters);
        assert!(differs < 0.04, "scene {number}: {differs}, with {shade} in shade\n{text}");
        sum += differs / scenes as f64;
        shaded += shade / scenes as f64;
    }
    eprintln!("mean difference {sum:.4}, mean share in shade {shaded:.3}");
    assert!(shaded > 0.03, "the scenes have nearly no shadows: {shaded}");
    assert!(sum < 0.02, "mean difference {sum}");
}

#[test]
fn shadows_are_those_of_rays_to_the_sun() {
    compare(cases(4));
}

#[test]
fn the_shadow_of_a_thin_rope_has_no_gaps() {
    // Ropes in several directions, each much thinner than a pixel of the shadow map.
    for (a, b) in [
        ([-1.6, -0.2, 0.5], [1.8, -0.1, 0.2]),
        ([-0.9, 0.3, -0.8], [1.0, -0.8, 0.9]),
        ([-1.7, -0.5, -0.3], [1.9, 0.4, -0.1]),
    ] {
        let rope = format!(
            "(with: (style: (thickness: 0.012), rope: (start: {}, end: {}, nodes: 40)))",
            ron(a),
            ron(b)
        );
        let scene = scene_of(&scene_text(&rope, [0.3, 2.4, 3.6]).replace("(96, 72)", "(480, 360)"));
        let image = picture(&scene);
        let rect = Rect { x: 0, y: 0, w: 480, h: 360 };
        let camera = SpatialCamera::new(&scene.panels[0].viewpoint.unwrap(), rect);
        let mut depths = Vec::new();
        for step in 0..=400 {
            let share = 0.02 + 0.96 * f64::from(step) / 400.0;
            let at = add(a, scaled(sub(b, a), share));
            // Follows the ray down to the ground.
            let fall = (at[1] - GROUND) / TO_SUN[1];
            let shadow = sub(at, scaled(TO_SUN, fall));
            let seen = camera.point(shadow).unwrap().at.map(|value| value.floor() as i64);
            let near = |dx: i64, dy: i64| {
                let [x, y] = [seen[0] + dx, seen[1] + dy];
                let is_in = (0..480).contains(&x) && (0..360).contains(&y);
                is_in.then(|| image.get_pixel(x as u32, y as u32).0[1])
            };
            let around = [-1, 0, 1].into_iter().flat_map(|dx| [-1, 0, 1].map(|dy| near(dx, dy)));
            if let Some(darkest) = around.flatten().min() {
                depths.push(255 - i32::from(darkest));
            }
        }
        let maximum = *depths.iter().max().unwrap();
        let minimum = *depths.iter().min().unwrap();
        assert!(depths.len() > 200 && maximum > 60, "{a:?}: {maximum}, {} points", depths.len());
        assert!(3 * minimum > maximum, "{a:?}: the shadow goes from {minimum} to {maximum}");
    }
}
