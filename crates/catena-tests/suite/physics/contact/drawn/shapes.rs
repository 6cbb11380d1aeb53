//! Boxes, edges and faces: shapes with corners.

use super::super::body;
use super::{Body, measure::of_segments, stable_methods, thick};
use crate::scene_of;
use catena::sim::{Collider, Simulation, contact::collider::Box as Block};
use std::sync::Arc;

/// A box at (1, 2, 3).
fn tilted(size: [f64; 3], along: [f64; 3], up: [f64; 3]) -> Block {
    Block {
        center: [1.0, 2.0, 3.0].into(),
        size: size.into(),
        along: Some(along.into()),
        up: Some(up.into()),
        restitution: 0.0,
        friction: 0.0,
    }
}

#[test]
fn distances_from_a_box_are_those_of_its_sides() {
    let (along, up) = ([3.0, 4.0, 0.0], [-4.0, 3.0, 0.0]);
    let solid = tilted([2.0, 4.0, 6.0], along, up);
    // Along its first side, (0.6, 0.8, 0), the box extends by 1 from its center.
    for (at, distance, normal) in [
        ([1.0 + 0.6 * 3.0, 2.0 + 0.8 * 3.0, 3.0], 2.0, [0.6, 0.8, 0.0]),
        ([1.0 - 0.8 * 5.0, 2.0 + 0.6 * 5.0, 3.0], 3.0, [-0.8, 0.6, 0.0]),
        ([1.0, 2.0, 3.0 + 2.5], -0.5, [0.0, 0.0, 1.0]),
        ([1.0, 2.0, 3.0 - 7.0], 4.0, [0.0, 0.0, -1.0]),
    ] {
        let (found, outwards) = solid.distance(at);
        assert!((found - distance).abs() < 1e-12, "{at:?}: {found}");
        (0..3).for_each(|k| assert!((outwards[k] - normal[k]).abs() < 1e-12, "{outwards:?}"));
    }
    // From a corner, the distance is the distance of two points.
    let (found, _) =
        solid.distance([1.0 + 0.6 * 4.0 - 0.8 * 6.0, 2.0 + 0.8 * 4.0 + 0.6 * 6.0, 3.0]);
    assert!((found - 5.0).abs() < 1e-12, "{found}");
    for (size, along, up) in [
        ([1.0, 0.0, 1.0], along, up),
        ([1.0, f64::NAN, 1.0], along, up),
        ([1.0; 3], [0.0; 3], up),
        ([1.0; 3], along, [-3.0, -4.0, 0.0]),
    ] {
        assert!(tilted(size, along, up).check().is_err(), "{size:?} {along:?} {up:?}");
    }
}

#[test]
fn nodes_do_not_enter_a_box() {
    for (speed, dt) in [(1.0, 0.01), (1e3, 0.1), (1e9, 1.0)] {
        let mut simulation = body(&format!(
            "gravity: (0, -1), frame_time: {dt:?}, substeps: 1,
             colliders: [Box(center: (0, 0), size: (2, 1), along: (2, 1), restitution: 0.5, friction: 0.2)],
             impulses: [(node: 0, impulse: (0.2, -{speed:?})), (node: 1, impulse: (-0.1, -{speed:?}))],
             rope: (start: (-0.4, 2), end: (0.4, 2), nodes: 2, pins: [], stiffness: 1e-90)"
        ));
        let solid = Arc::clone(&simulation.setup().contacts.colliders[0]);
        for _ in 0..50 {
            simulation.step();
            let deepest = simulation.positions().map(|at| solid.distance(at).0).fold(9.0, f64::min);
            assert!(deepest >= 0.0, "{speed} {dt}: {deepest}");
        }
    }
}

#[test]
fn a_rope_and_a_cloth_lie_on_the_edge_of_a_box() {
    // Segments longer than the width of the box: only edge-edge contact can hold them.
    let block = Block {
        center: [0.0, 0.0, 0.0].into(),
        size: [0.4, 0.4, 3.0].into(),
        along: Some([1.0, 1.0, 0.0].into()),
        up: None,
        restitution: 0.0,
        friction: 0.6,
    };
    let top = 0.2 * 2.0_f64.sqrt();
    for (name, method) in stable_methods() {
        let mut body = Body::new(3);
        let height = top + 0.1;
        let line: Vec<_> = (0..4).map(|i| [f64::from(i) - 1.5, height, 0.9]).collect();
        body.rope("rope", &line, false, (1.0, 3000.0), thick(0.1, 0.0, 0.3));
        let at = |i: usize| [0.9 * ((i % 4) as f64 - 1.5), height, 0.5 * (i / 4) as f64 - 1.2];
        let cloth: Vec<_> = (0..12).map(at).collect();
        body.sheet("cloth", &cloth, (3, 4), (0.3, 1000.0), thick(0.04, 0.0, 0.3));
        let builder = body.setup().gravity([0.0, -9.81, 0.0]).drag(0.5).collider(block.clone());
        let mut simulation =
            Simulation::new(builder.method_of(method).frames(1.0 / 60.0, 4).build().unwrap());
        let edge = [[0.0, top, -1.5], [0.0, top, 1.5]];
        for frame in 0..90 {
            simulation.advance_frame();
            let points: Vec<_> = simulation.positions().collect();
            for (j, spring) in simulation.setup().model.springs.iter().enumerate() {
                let half = if j < 3 { 0.05 } else { 0.02 };
                let gap = of_segments([points[spring.a], points[spring.b]], edge) - half;
                assert!(gap >= -1e-3 * half, "{name}, frame {frame}, spring {j}: {gap}");
            }
        }
        // Their middles are still on the box, and their ends hang.
        assert!(simulation.position(0).unwrap()[1] < top, "{name}");
        let middle = simulation.positions().skip(1).take(2).map(|at| at[1]).fold(-9.0, f64::max);
        assert!(middle > -1.0, "{name}: {middle}");
    }
}

#[test]
fn a_ball_falls_through_no_cell_of_a_cloth() {
    // The cloth is pulled over a ball smaller than its cells.
    let text = "Scene(base: (gravity: (0, -9.81, 0), drag: 0.3, frame_time: 0.02, substeps: 2,
        integrator: ImplicitEuler, contact: (of: Drawn, thickness: 0.05, friction: 0.2),
        colliders: [Sphere(center: (0.26, -0.35, 0.24), radius: 0.1, friction: 0.3)],
        cloth: (corner: (-1, 0, -1), across: (2, 0, 0), down: (0, 0, 2), rows: 5, columns: 5,
                stiffness: 300, mass: 1, pins: [])))";
    let scene = scene_of(text);
    let mut simulation = Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup));
    let mut touched = 0;
    for frame in 0..40 {
        simulation.advance_frame();
        touched += usize::from(!simulation.contact_impulses().on_colliders.is_empty());
        let points: Vec<_> = simulation.positions().collect();
        for [a, b, c] in simulation.setup().model.part_list()[0].facets() {
            // Many points on each facet.
            for (u, v) in (0..=20).flat_map(|u| (0..=20 - u).map(move |v| (u, v))) {
                let (u, v) = (f64::from(u) / 20.0, f64::from(v) / 20.0);
                let at = [0, 1, 2].map(|k| {
                    points[a][k]
                        + u * (points[b][k] - points[a][k])
                        + v * (points[c][k] - points[a][k])
                });
                let gap = super::distance(at, [0.26, -0.35, 0.24]) - 0.125;
                assert!(gap >= -0.125e-3, "frame {frame}: {gap}");
            }
        }
    }
    assert!(touched > 20, "{touched}");
}

#[test]
fn scenes_say_what_touches() {
    let setup = |contact: &str, rest: &str| {
        let text = format!("Scene(base: (contact: ({contact}), {rest}))");
        let text = catena::scene::SceneText { origin: "test".into(), name: "test".into(), text };
        catena::scene::load(&text, &[]).map(|scene| Arc::clone(&scene.panels[0].bodies[0].setup))
    };
    let rope = "rope: (start: (0, 0), end: (10, 0), nodes: 11)";
    let drawn = setup("of: Drawn, thickness: 0.5, friction: 0.2", rope).unwrap();
    let contact = drawn.contacts.drawn.as_ref().unwrap();
    assert_eq!((contact.parts.len(), contact.parts[0].thickness), (1, 0.5));
    assert_eq!(drawn.contacts.own, None);
    let parts = "parts: [(name: \"a\", with: (rope: (start: (0, 0), end: (10, 0), nodes: 11))),
        (name: \"b\", with: (rope: (start: (0, 3), end: (10, 3), nodes: 11), contact: (thickness: 2)))]";
    let drawn = setup("of: Drawn, thickness: 0.5", parts).unwrap();
    let contact = drawn.contacts.drawn.as_ref().unwrap();
    let thickness: Vec<f64> = contact.parts.iter().map(|part| part.thickness).collect();
    assert_eq!(thickness, [0.5, 2.0]);
    for (contact, rest, expected) in [
        ("of: Drawn", rope, "needs a thickness"),
        ("of: Drawn, thickness: 0.5, radius: 1", rope, "contact.radius has no effect"),
        ("of: Drawn, thickness: 6", parts, "segment from node"),
        ("of: Drawn, thickness: 1e9", rope, "more than the length of the part"),
        ("of: Lines, thickness: 1", rope, "there is no word `Lines`"),
        (
            "of: Drawn, thickness: 1",
            "rope: (start: (0, 0), end: (10, 0), nodes: 11),
             colliders: [Sphere(center: (5, -1.4), radius: 1)]",
            "colliders[0], a Sphere",
        ),
    ] {
        let message = setup(contact, rest).err().map(|e| e.to_string()).unwrap_or_default();
        assert!(message.contains(expected), "{contact}: {message}");
    }
}
