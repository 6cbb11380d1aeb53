//! Three-dimensional scenes: cameras compared with numbers computed by hand, and contents of drawn
//! pictures.

use crate::scene_of;
use catena::render::{
    BodyLook, DrawnPart, Painter, PanelRun, Rect,
    camera::{Camera, fit_viewpoint},
    canvas::Canvas,
    events::BodyChanges,
    text::Font,
    theme::Theme,
};
use catena::scene::{Lens, Scene, Viewpoint};
use catena::sim::contact::collider::{Solid, Surface};
use catena::sim::named::{BadOption, Info};
use catena::sim::{Collider, Simulation, SpringMemory};
use image::{Rgb, RgbImage};
use std::sync::Arc;

const PICTURE: Rect = Rect { x: 0, y: 0, w: 640, h: 480 };

fn camera(lens: Lens) -> Camera {
    let (eye, up) = ([0.0, 0.0, 4.0], [0.0, 1.0, 0.0]);
    let viewpoint = Viewpoint { eye, target: [0.0; 3], up, lens, aspect: 1.0 };
    Camera::spatial(&viewpoint, PICTURE)
}

fn perspective() -> Camera {
    camera(Lens::Perspective { field_of_view: 45.0 })
}

/// Frame 0 of a scene.
fn picture(scene: &Scene) -> RgbImage {
    let painter = Painter::new(scene, Font::built_in().unwrap()).unwrap();
    let panel_frames: Vec<_> =
        scene.panels.iter().map(|panel| PanelRun::new(panel).current().clone()).collect();
    let mut canvas = painter.canvas();
    painter.draw(&mut canvas, &panel_frames);
    canvas.into_image()
}

#[test]
fn points_lie_where_perspective_puts_them() {
    let camera = perspective();
    // 240 / tan 22.5° = 579.4113 pixels at distance 1.
    for (point, at, depth) in [
        ([0.0, 0.0, 0.0], [320.0, 240.0], 4.0),
        ([1.0, 0.0, 0.0], [464.852_814, 240.0], 4.0),
        ([0.0, 1.0, 0.0], [320.0, 95.147_186], 4.0),
        ([-1.0, -1.0, 2.0], [30.294_373, 529.705_627], 2.0),
    ] {
        let seen = camera.point(point).unwrap();
        assert!((seen.at[0] - at[0]).abs() < 1e-5, "{point:?}: {seen:?}");
        assert!((seen.at[1] - at[1]).abs() < 1e-5, "{point:?}: {seen:?}");
        assert!((seen.depth - depth).abs() < 1e-12, "{point:?}: {seen:?}");
    }
    for place in [[0.0, 0.0, 4.1], [1.0, 0.0, 5.0], [0.0, 0.0, f64::NAN], [0.0, 0.0, 4.0]] {
        assert_eq!(camera.point(place), None, "{place:?}");
    }
}

#[test]
fn what_comes_too_near_is_cut_off() {
    let camera = perspective();
    // The path from depth 4 to depth -6 at height 1 is cut at depth 0.004, far below the picture's
    // middle.
    let [a, b] = camera.segment([0.0, 1.0, 0.0], [0.0, 1.0, 10.0]).unwrap();
    assert!((a.depth - 4.0).abs() < 1e-12 && (b.depth - 0.004).abs() < 1e-12, "{b:?}");
    assert!((b.at[1] - (240.0 - 579.411_255 / 0.004)).abs() < 0.1, "{b:?}");
    assert_eq!(camera.segment([0.0, 0.0, 5.0], [0.0, 1.0, 10.0]), None);

    let corners = camera.polygon(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 10.0]]);
    assert_eq!(corners.len(), 4, "one corner becomes two");
    assert!(corners.iter().all(|seen| seen.depth >= 0.003_999 && seen.at[0].is_finite()));
    assert!(camera.polygon(&[[0.0, 0.0, 5.0], [1.0, 0.0, 6.0], [0.0, 1.0, 7.0]]).is_empty());
}

#[test]
fn an_orthographic_view_has_one_scale() {
    let camera = camera(Lens::Orthographic { height: 2.0 });
    for z in [-100.0, 0.0, 3.0, 50.0] {
        let seen = camera.point([0.5, -0.25, z]).unwrap();
        assert!((seen.at[0] - 440.0).abs() < 1e-9 && (seen.at[1] - 300.0).abs() < 1e-9, "{seen:?}");
    }
}

#[test]
fn polygons_cover_their_area_and_no_more_than_the_clip() {
    for (corners, area) in [
        (vec![[20.0, 20.0], [220.0, 30.0], [120.0, 200.0]], 17_500.0),
        (vec![[100.5, 100.5], [300.5, 100.5], [300.5, 250.5], [100.5, 250.5]], 30_000.0),
        // Half of it is outside the picture.
        (vec![[-100.0, 100.0], [100.0, 100.0], [100.0, 300.0], [-100.0, 300.0]], 20_000.0),
        (vec![[-1e9, -1e9], [1e9, -1e9], [1e9, 1e9], [-1e9, 1e9]], 640.0 * 480.0),
        (vec![[0.0, 0.0], [f64::NAN, 10.0], [100.0, 100.0]], 0.0),
    ] {
        let mut canvas = Canvas::new(RgbImage::new(640, 480));
        canvas.shape(PICTURE, Rgb([255; 3]), |pen| pen.polygon(&corners));
        let image = canvas.into_image();
        let sum: f64 = image.pixels().map(|pixel| f64::from(pixel.0[0]) / 255.0).sum();
        assert!((sum - area).abs() <= 0.01 * area, "{corners:?} covers {sum}, not {area}");
    }
}

/// Two ropes that cross in the middle of the picture. The z of the red one is given.
fn crossing(red_z: f64) -> Scene {
    scene_of(&format!(
        "Scene(base: (
            size: (640, 480), decoration: Bare, gravity: (0, -1, 0),
            camera: (eye: (0, 0, 4)),
            style: (mark_pins: false, node_size: 1, line_width: 8),
            bodies: [
                (with: (style: (color: \"red\"),
                    rope: (start: (-1, -0.5, {red_z}), end: (1, 0.5, {red_z}), nodes: 4))),
                (with: (style: (color: \"blue\"), rope: (start: (0, -1, 0), end: (0, 1, 0), nodes: 6))),
            ],
        ))"
    ))
}

/// Whether a colour is a shade of red.
fn is_red([r, g, b]: [u8; 3]) -> bool {
    r > 100 && r > 3 * g.min(80) && r > 3 * b.min(80)
}

#[test]
fn what_is_near_covers_what_is_far() {
    let middle = |red_z: f64| picture(&crossing(red_z)).get_pixel(320, 240).0;
    assert!(is_red(middle(1.0)), "{:?}", middle(1.0));
    let [r, _, b] = middle(-1.0);
    assert!(b > 100 && b > 3 * r, "{:?}", middle(-1.0));
}

#[test]
fn shadows_fall_away_from_the_sun_on_the_ground_and_nowhere_else() {
    let scene = scene_of(
        "Scene(base: (
            size: (640, 480), decoration: Bare, background: \"white\", gravity: (0, -1, 0),
            camera: (eye: (0, 0.5, 4)),
            style: (mark_pins: false, node_size: 1, color: \"red\", thickness: 0.2),
            ground: (height: -1, size: 2, near: \"#00ff00\", far: \"#00ff00\", shadow: \"black\"),
            rope: (start: (-1, 0, 0), end: (1, 0, 0), nodes: 9),
        ))",
    );
    let image = picture(&scene);
    let viewpoint = scene.panels[0].viewpoint.unwrap();
    let camera = Camera::spatial(&viewpoint, PICTURE);
    let at = |x: f64, z: f64| {
        let [x, y] = camera.point([x, -1.0, z]).unwrap().at;
        image.get_pixel(x as u32, y as u32).0
    };
    // The direction to the sun is (0.4, 1, 0.6), so the shadow of a point 1 above the ground is 0.4
    // to the left and 0.6 behind it.
    assert!(at(0.0, -0.6)[1] < 40, "{:?}", at(0.0, -0.6));
    assert!(at(0.5, -0.6)[1] < 40, "{:?}", at(0.5, -0.6));
    assert!(at(-1.35, -0.6)[1] < 128, "{:?}", at(-1.35, -0.6));
    for (x, z) in [(0.0, 0.0), (0.0, -0.9), (0.9, -0.6)] {
        assert_eq!(at(x, z), [0, 255, 0], "{x}, {z}");
    }
}

#[test]
fn the_ground_fades_towards_the_horizon_without_an_edge() {
    let scene = scene_of(
        "Scene(base: (
            size: (640, 480), decoration: Bare, background: \"white\", gravity: (0, -1, 0),
            camera: (eye: (0, 0, 4)),
            ground: (height: -1, size: 2, near: \"black\", far: \"black\"),
            rope: (start: (0, 3.5, 0), end: (0.1, 3.5, 0)),
        ))",
    );
    let image = picture(&scene);
    let column = |y: u32| i32::from(image.get_pixel(320, y).0[0]);
    // The line of sight meets the ground below the target at 579.41 / 4 pixels below the middle.
    assert_eq!(column(240 + 144), 0);
    // The horizon is in the middle of the picture. Above it is the background.
    assert!((0..240).all(|y| column(y) == 255));
    assert!(column(241) >= 250 && column(243) >= 240, "{} {}", column(241), column(243));
    let steps: Vec<i32> = (240..479).map(|y| column(y) - column(y + 1)).collect();
    assert!(steps.iter().all(|step| (0..=12).contains(step)), "{steps:?}");
    // At the left and right it is as far away as in the middle.
    let rows = |x: u32| (240..480).filter(|y| image.get_pixel(x, *y).0[0] < 128).count();
    assert!(rows(320) > 100 && rows(5).abs_diff(rows(320)) < 30, "{} {}", rows(5), rows(320));
}

#[test]
fn the_ground_goes_from_its_near_to_its_far_colour() {
    let scene = scene_of(
        "Scene(base: (
            size: (640, 480), decoration: Bare, background: \"black\", gravity: (0, -9.81, 0),
            camera: (eye: (0, 0, 4)),
            ground: (height: -1.5, size: 20, near: \"#0000ff\", far: \"black\"),
            rope: (start: (0, 0, 0), end: (3.95, 0, 0)),
        ))",
    );
    let image = picture(&scene);
    for (x, y) in [(10, 470), (320, 400), (400, 300)] {
        // The line of sight falls by (y - 240) / 579.41 per length ahead, and by 1.5 in total.
        let ahead = 1.5 * 579.411_255 / (f64::from(y) + 0.5 - 240.0);
        let blue = 255.0 * (1.0 - (20.0 - (4.0 - ahead)) / 40.0);
        let found = image.get_pixel(x, y).0;
        assert!((f64::from(found[2]) - blue).abs() < 1.0, "{x}, {y}: {found:?}, not {blue}");
    }
    assert_eq!(image.get_pixel(100, 200).0, [0; 3], "above the horizon is the background");
}

/// A ball, only for pictures.
#[derive(Debug)]
struct Ball([f64; 3], f64);
catena_sim::identity!(Ball(center, radius));

impl Collider for Ball {
    fn info(&self) -> Info {
        Info { name: "Ball", summary: "ball", options: &[] }
    }

    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    fn fits(&self, _axes: usize, _nodes: usize) -> Result<(), BadOption> {
        Ok(())
    }

    fn surface(&self) -> Surface {
        Surface { restitution: 0.0, friction: 0.0 }
    }

    fn solid(&self) -> Solid {
        Solid::Capsule { a: self.0, b: self.0, radius: self.1 }
    }

    fn distance(&self, _point: [f64; 3]) -> (f64, [f64; 3]) {
        (f64::INFINITY, [0.0, 1.0, 0.0])
    }

    fn sweep(&self, _from: [f64; 3], _to: [f64; 3], _radius: f64) -> Option<f64> {
        None
    }
}

fn with_ball(text: &str, center: [f64; 3], radius: f64) -> Scene {
    let mut scene = scene_of(text);
    let setup = Arc::get_mut(&mut scene.panels[0].bodies[0].setup).unwrap();
    setup.contacts.colliders.push(Arc::new(Ball(center, radius)));
    scene
}

#[test]
fn a_ball_hides_what_is_behind_it() {
    let text = "Scene(base: (
        size: (640, 480), decoration: Bare, gravity: (0, -1, 0), camera: (eye: (0, 0, 4)),
        style: (mark_pins: false, node_size: 1, color: \"red\", line_width: 8),
        rope: (start: (-1, 0, 0), end: (1, 0, 0), nodes: 21),
    ))";
    let is_red =
        |z: f64, x: u32| is_red(picture(&with_ball(text, [0.0, 0.0, z], 0.5)).get_pixel(x, 240).0);
    assert!(!is_red(1.0, 320));
    assert!(is_red(-1.0, 320));
    // Radius 0.5 at distance 3 is visible up to 579.41 · tan(asin(0.5 / 3)) = 97.9 pixels from the
    // middle.
    assert!(!is_red(1.0, 414));
    assert!(is_red(1.0, 422));
}

#[test]
fn a_ball_of_the_plane_is_drawn_below_the_rope() {
    let text = "Scene(base: (
        size: (640, 480), gravity: (0, -1), view: (center: (0, 0), extent: (6.4, 4.8)),
        style: (mark_pins: false, node_size: 1, color: \"red\"),
        rope: (start: (-1, 0), end: (1, 0), nodes: 5),
    ))";
    let scene = with_ball(text, [0.0, 0.0, 0.0], 1.0);
    let image = picture(&scene);
    let theme = Theme::of(&scene);
    let count = |ink| image.pixels().filter(|pixel| **pixel == ink).count();
    // The rope is as long as the ball is wide, so all its visible parts are on the ball.
    let reddish = |pixel: &&Rgb<u8>| pixel.0[0] > 200 && pixel.0[1] < 120;
    assert!(image.pixels().filter(reddish).count() > 200);
    assert!(count(theme.solid) > 10_000 && count(theme.solid_border) > 200);
    // Pictures of the plane without decoration show only bodies.
    let bare = with_ball(&text.replace("gravity", "decoration: Bare, gravity"), [0.0; 3], 1.0);
    let image = picture(&bare);
    assert!(image.pixels().all(|pixel| *pixel != theme.solid && *pixel != theme.solid_border));
}

/// A cloth that hangs from its corners.
const CLOTH: &str = "Scene(base: (
    size: (640, 480), gravity: (0, -9.81, 0), frame_time: 0.02, substeps: 32, drag: 0.02,
    cloth: (corner: (-0.5, 0, 0), across: (1, 0, 0), down: (0, 0, 1), rows: 6, columns: 8,
        stiffness: 500, mass: 0.01, damping: 0.05, pins: TopCorners),
))";

#[test]
fn a_cell_with_a_broken_thread_is_a_hole() {
    let scene = scene_of(CLOTH);
    let body = &scene.panels[0].bodies[0];
    let model = &body.setup.model;
    let ink = Rgb([0; 3]);
    let look = BodyLook::new(ink, [ink, ink], body.style, 1.0);
    let cells = |broken: &[usize]| {
        let mut springs =
            SpringMemory { broken: vec![false; model.springs.len()], ..SpringMemory::default() };
        broken.iter().for_each(|&j| springs.broken[j] = true);
        let x = &body.setup.initial.x;
        let changes = &BodyChanges::NONE;
        DrawnPart {
            model,
            part: None,
            x,
            springs: &springs,
            changes,
            values: None,
            winding: None,
            look,
        }
        .cells()
        .len()
    };
    let between = |a: usize, b: usize| {
        model.springs.iter().position(|spring| (spring.a, spring.b) == (a, b)).unwrap()
    };
    assert_eq!(cells(&[]), 35);
    // On the edge, inside along a row, inside along a column, and a shear spring, which is not an
    // edge.
    assert_eq!(cells(&[between(0, 1)]), 34);
    assert_eq!(cells(&[between(9, 10)]), 33);
    assert_eq!(cells(&[between(9, 17)]), 33);
    assert_eq!(cells(&[between(0, 9)]), 35);
}

#[test]
fn without_a_camera_all_of_a_swinging_cloth_is_in_view() {
    let scene = scene_of(CLOTH);
    let camera = Camera::spatial(&fit_viewpoint(&scene, 4.0 / 3.0).0, PICTURE);
    let mut simulation = Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup));
    let n = simulation.setup().model.nodes();
    let mut tallest = 0.0_f64;
    for frame in 0..60 {
        let seen = |i| camera.point(simulation.state().position(n, i)).unwrap().at;
        let all: Vec<_> = (0..n).map(seen).collect();
        for [x, y] in &all {
            assert!((0.0..640.0).contains(x) && (0.0..480.0).contains(y), "{frame}: {x}, {y}");
        }
        let low = all.iter().fold(f64::INFINITY, |low, at| low.min(at[1]));
        tallest = all.iter().fold(tallest, |tallest, at| tallest.max(at[1] - low));
        simulation.advance_frame();
    }
    assert!(tallest > 0.33 * 480.0, "it fills {tallest} of 480 pixels");
}

#[test]
fn numbers_that_are_not_finite_draw_nothing_and_harm_nothing() {
    for style in ["Wires", "Facets"] {
        let mut scene = scene_of(&CLOTH.replace(
            "size:",
            &format!(
                "style: (surface: {style}), ground: (height: -2, size: 3, shadow: \"black\"), size:"
            ),
        ));
        let clean = picture(&scene);
        let setup = Arc::get_mut(&mut scene.panels[0].bodies[0].setup).unwrap();
        for (i, bad) in [f64::NAN, f64::INFINITY, -1e308, 1e300, 1e155].into_iter().enumerate() {
            setup.initial.x[20 + i] = bad;
        }
        assert_ne!(picture(&scene), clean, "{style}");
    }
}
