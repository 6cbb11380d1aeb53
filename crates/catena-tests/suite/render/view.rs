//! The default view of a scene: it shows everything that its bodies reach.

use crate::scene_of;
use catena::render::{
    Rect,
    camera::{Camera, fit, fit_viewpoint},
};
use catena::scene::{Scene, View};
use catena::sim::{Simulation, vector::Vec3};
use std::sync::Arc;

const PICTURE: Rect = Rect { x: 0, y: 0, w: 640, h: 480 };

/// Settings that all scenes share.
const PLANE: &str = "gravity: (0, -9.81), frame_time: 0.033, drag: 0.05";
const SPACE: &str = "gravity: (0, -9.81, 0), frame_time: 0.033, drag: 0.02";

fn camera(scene: &Scene) -> Camera {
    if scene.axes == 3 {
        return Camera::spatial(&fit_viewpoint(scene, 4.0 / 3.0).0, PICTURE);
    }
    // The view of `fit`, without the margins for another aspect ratio of the picture.
    let View { center, extent } = fit(scene);
    let view = View { center, extent: [extent[0].max(extent[1] * 4.0 / 3.0), extent[1]] };
    Camera::planar(view, PICTURE)
}

/// The first node outside the picture, with its frame; `None` if no node leaves within these
/// frames.
fn leaves(scene: &Scene, frames: u64) -> Option<(u64, usize, Vec3)> {
    let camera = camera(scene);
    let mut simulation = Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup));
    let n = simulation.setup().model.nodes();
    for frame in 0..frames {
        for i in 0..n {
            let at = simulation.state().position(n, i);
            let is_in = camera.point(at).is_some_and(|seen| {
                (0.0..640.0).contains(&seen.at[0]) && (0.0..480.0).contains(&seen.at[1])
            });
            if !is_in {
                return Some((frame, i, at));
            }
        }
        simulation.advance_frame();
    }
    None
}

/// Name, number of frames, and settings of the scene.
type Case = (&'static str, u64, &'static str, &'static str);

const BODIES: &[Case] = &[
    (
        "a ring at one pin",
        120,
        PLANE,
        "rope: (shape: Ring, start: (0, 0), end: (2, 0), nodes: 40, stiffness: 3000, mass: 0.05,
            pins: [0])",
    ),
    (
        "a closed knot",
        60,
        SPACE,
        "rope: (shape: Knot(name: Trefoil), start: (-1, 0, 0), end: (1, 0, 0), nodes: 80,
            stiffness: 3000, mass: 0.02, pins: [First]),
            contact: (of: Drawn, thickness: 0.08, friction: 0.2)",
    ),
    (
        "slack parts",
        120,
        PLANE,
        r#"parts: [
            (name: "a", with: (rope: (start: (0, 0), end: (1, 0), length: 4, nodes: 40,
                stiffness: 3000, mass: 0.05, pins: [First]))),
            (name: "b", with: (rope: (start: (1, 0), end: (1, -0.5), length: 2, nodes: 10,
                stiffness: 3000, mass: 0.05, pins: []))),
        ], joins: [Touching]"#,
    ),
    (
        "a folded graph",
        120,
        PLANE,
        "graph: (nodes: [(0, 0), (1, 0), (0, 0.1), (1, 0.1), (0, 0.2)],
            springs: [(0, 1), (1, 2), (2, 3), (3, 4)], pins: [0], stiffness: 500)",
    ),
    (
        "a slack rope",
        120,
        PLANE,
        "rope: (start: (0, 0), end: (1, 0), length: 4, nodes: 40, stiffness: 3000, mass: 0.05,
            pins: [First])",
    ),
    (
        "a rope that is paid out",
        120,
        PLANE,
        "rope: (start: (0, 0), end: (0, -1), nodes: 20, stiffness: 3000, mass: 0.05,
            pins: [First], length: [(0, 1), (1, 3)])",
    ),
];

const ROPE: &str = "rope: (start: (0, 0), end: (2, 0), nodes: 21, stiffness: 3000, mass: 0.05,
    pins: [First, Last])";

/// Motion of a rope between two pins.
const EVENTS: &[(&str, u64, &str)] = &[
    (
        "one pin after the other is let go",
        36,
        "(at: 0.3, do: Release(node: First)), (at: 0.6, do: Release(node: Last))",
    ),
    (
        "it falls upwards at one pin",
        120,
        "(at: 0.3, do: Release(node: First)),
            (at: 0.6, do: Gravity(acceleration: (0, 9.81)))",
    ),
    ("it is cut in the middle", 120, "(at: 0.3, do: Cut(a: 10, b: 11))"),
    ("it is paid out to three times its length", 120, "(at: 0.2, do: Reel(length: 6, over: 1))"),
    (
        "it is cut off on either side",
        36,
        "(at: 0.3, do: Cut(a: 3, b: 4)),
        (at: 0.3, do: Cut(a: 17, b: 18))",
    ),
];

#[test]
fn without_a_view_all_that_bodies_reach_is_in_the_picture() {
    let bodies = BODIES.iter().map(|(what, frames, base, body)| {
        (*what, *frames, format!("Scene(base: ({base}, {body}))"))
    });
    let events = EVENTS.iter().map(|(what, frames, events)| {
        (*what, *frames, format!("Scene(base: ({PLANE}, {ROPE}, events: [{events}]))"))
    });
    let cloth = "cloth: (corner: (-0.5, 0, 0), across: (1, 0, 0), down: (0, 0, 1), rows: 6,
        columns: 8, stiffness: 500, mass: 0.01, damping: 0.05, pins: TopCorners)";
    let torn = ["Release(node: (0, 0))", "Cut(a: (0, 0), b: (0, 1))"].map(|action| {
        let events = format!("events: [(at: 0.5, do: {action})]");
        (action, 90, format!("Scene(base: ({SPACE}, {cloth}, {events}))"))
    });
    let cases = bodies.chain(events).chain(torn);
    let left = cases.filter_map(|(what, frames, text)| {
        leaves(&scene_of(&text), frames).map(|(frame, node, at)| (what, frame, node, at))
    });
    let left: Vec<_> = left.collect();
    assert!(left.is_empty(), "the frames, nodes and places out of the picture: {left:#?}");
}
