//! Smooth lines of ropes in space, and threads that are denser than pixels.

use crate::scene_of;
use catena::render::space::{CurvePoint, curve};
use catena::render::vector::{Vec3, dot, norm, sub, unit};
use catena::render::{Painter, PanelRun, text::Font};
use catena_tests::Random;
use image::RgbImage;

/// Pixels per length at which curves are drawn.
const SCALE: f64 = 400.0;

/// A rope that bends by up to about 60° at each node.
fn winding(random: &mut Random) -> Vec<Vec3> {
    let (mut at, mut direction) = ([0.0; 3], [1.0, 0.0, 0.0]);
    let mut next = || {
        let here = at;
        direction = unit([0, 1, 2].map(|k| direction[k] + random.between(-0.5, 0.5)));
        at = [0, 1, 2].map(|k| at[k] + 0.4 * direction[k]);
        here
    };
    (0..12).map(|_| next()).collect()
}

/// Maximum angle between successive pieces of a line, in radians.
fn sharpest(points: &[Vec3]) -> f64 {
    let angle = |three: &[Vec3]| {
        let [a, b] = [sub(three[1], three[0]), sub(three[2], three[1])];
        libm::acos((dot(a, b) / (norm(a) * norm(b))).clamp(-1.0, 1.0))
    };
    points.windows(3).map(angle).fold(0.0, f64::max)
}

fn places(points: &[CurvePoint]) -> Vec<Vec3> {
    points.iter().map(|point| point.at).collect()
}

#[test]
fn lines_pass_through_all_nodes_and_have_no_corners() {
    let mut random = Random::new(3);
    for _ in 0..20 {
        let nodes = winding(&mut random);
        let line = curve(&nodes, false, |_| SCALE);
        let at_nodes = line.iter().filter(|point| point.share == 0.0);
        assert!(at_nodes.map(|point| point.at).eq(nodes.iter().copied()));
        assert!(sharpest(&nodes) > 0.3, "the nodes are a polygon");
        assert!(
            3.0 * sharpest(&places(&line)) < 2.0 * sharpest(&nodes),
            "{} {}",
            sharpest(&places(&line)),
            sharpest(&nodes)
        );
        // No part of the line is far from its segment.
        for point in &line {
            let (a, b) = (nodes[point.after], nodes[(point.after + 1).min(nodes.len() - 1)]);
            let straight = [0, 1, 2].map(|k| a[k] + (b[k] - a[k]) * point.share);
            assert!(norm(sub(point.at, straight)) < 0.25 * 0.4);
        }
        // A ring ends where it starts.
        let ring = curve(&nodes, true, |_| SCALE);
        assert_eq!(ring.iter().filter(|point| point.share == 0.0).count(), nodes.len());
        assert!(ring.last().unwrap().after == nodes.len() - 1);
    }
}

#[test]
fn lines_that_are_straight_small_or_torn_stay_as_they_are() {
    let straight: Vec<Vec3> = (0..9).map(|i| [f64::from(i), 0.0, 0.0]).collect();
    assert_eq!(places(&curve(&straight, false, |_| SCALE)), straight);
    let nodes = winding(&mut Random::new(5));
    assert_eq!(places(&curve(&nodes, false, |_| 0.5)), nodes, "pieces below a pixel are no use");
    assert_eq!(places(&curve(&nodes, false, |_| f64::INFINITY)), nodes, "behind the eye");
    // A diverging rope has segments of very different lengths.
    let torn = [[0.0; 3], [1.0, 0.0, 0.0], [1e6, 1e6, 0.0], [1e6, 1e6 + 1.0, 0.0], [0.0, 3e7, 0.0]];
    assert_eq!(places(&curve(&torn, false, |_| SCALE)), torn);
    let twice = [[0.0; 3], [0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]];
    assert!(
        curve(&twice, false, |_| SCALE).iter().all(|point| point.at.iter().all(|x| x.is_finite()))
    );
}

fn cloth(nodes: usize, style: &str) -> RgbImage {
    let scene = scene_of(&format!(
        "Scene(base: (size: (160, 120), decoration: Bare, gravity: (0, -1, 0),
            camera: (eye: (0, 0, 3)), style: ({style}),
            cloth: (corner: (-0.5, 0.5, 0), across: (1, 0, 0), down: (0, -1, 0.2),
                rows: {nodes}, columns: {nodes}, stiffness: 500, mass: 0.01)))"
    ));
    let painter = Painter::new(&scene, Font::built_in().unwrap()).unwrap();
    let frames = [PanelRun::new(&scene.panels[0]).current().clone()];
    let mut canvas = painter.canvas();
    painter.draw(&mut canvas, &frames);
    canvas.into_image()
}

#[test]
fn threads_that_cover_their_cloth_are_drawn_as_facets() {
    let (wires, facets) = ("surface: Wires", "surface: Facets");
    // The cloth is about 48 pixels wide.
    assert_eq!(cloth(60, wires), cloth(60, facets));
    assert_ne!(cloth(9, wires), cloth(9, facets));
    assert_eq!(cloth(9, ""), cloth(9, facets), "facets are usual in space");
    // In between, thin threads leave gaps.
    let image = cloth(13, wires);
    let around = image.get_pixel(2, 60).0;
    let (left, right, top, bottom) = (60, 100, 40, 80);
    let inside = (left..right).flat_map(|x| (top..bottom).map(move |y| (x, y)));
    let gaps = inside.filter(|(x, y)| {
        image.get_pixel(*x, *y).0.iter().zip(around).all(|(a, b)| a.abs_diff(b) < 20)
    });
    assert!(gaps.count() > 100);
}
