//! Additions to the picture of a body: colours of a quantity, ghosts and trails.

use crate::scene_of;
use catena::render::{PanelRun, scales};
use catena::scene::ColorBy;

/// A falling rope with this style.
fn rope(style: &str) -> catena::scene::Scene {
    scene_of(&format!(
        "Scene(base: (frames: 30, gravity: (0, -1), rope: (nodes: 5), style: ({style})))"
    ))
}

#[test]
fn ghosts_and_trails_are_earlier_frames_and_go_on_from_a_checkpoint() {
    let scene = rope("ghosts: 3, ghost_gap: 2, trails: [Last, 2], trail_frames: 4");
    let mut run = PanelRun::new(&scene.panels[0]);
    let mut all = vec![run.current().bodies[0].x.clone()];
    for frame in 1..=10_usize {
        run.advance_frame();
        let body = &run.current().bodies[0];
        all.push(body.x.clone());
        let ghosts: Vec<_> =
            (1..=3).filter_map(|k| Some(&all[frame.checked_sub(2 * k)?])).collect();
        assert_eq!(body.past.ghosts.iter().collect::<Vec<_>>(), ghosts, "frame {frame}");
        for (trail, node) in body.past.trails.iter().zip([4, 2]) {
            let places = (1..=4).filter_map(|k| Some(&all[frame.checked_sub(k)?]));
            let places: Vec<_> = places.map(|x| [x[node], x[5 + node], 0.0]).collect();
            assert_eq!(*trail, places, "frame {frame}, node {node}");
        }
    }
    let mut resumed = PanelRun::new(&scene.panels[0]);
    assert!(resumed.resume(&run.checkpoint()));
    assert_eq!(resumed.current(), run.current());
    resumed.advance_frame();
    run.advance_frame();
    assert_eq!(resumed.current(), run.current());
}

#[test]
fn quantities_are_those_of_springs_and_nodes() {
    for (quantity, expected) in [
        ("Strain", [0.01, 0.02, 0.0, 0.0]),
        // k = 100 and a spring has length 100.
        ("Tension", [100.0, 200.0, 0.0, 0.0]),
    ] {
        let mut scene = rope(&format!("color_by: {quantity}"));
        let setup = std::sync::Arc::get_mut(&mut scene.panels[0].bodies[0].setup).unwrap();
        let x = &mut setup.initial.x;
        x[1] -= 1.0;
        (2..5).for_each(|i| x[i] -= 3.0);
        let run = PanelRun::new(&scene.panels[0]);
        let values = &run.current().bodies[0].values;
        for (value, expected) in values.springs.iter().zip(expected) {
            assert!((value - expected).abs() < 1e-9, "{quantity}: {:?}", values.springs);
        }
        let half = 0.5 * (expected[0] + expected[1]);
        assert!((values.nodes[1] - half).abs() < 1e-9, "{quantity}: {:?}", values.nodes);
    }
    for (quantity, expected) in [("Speed", 5.0), ("Energy", 12.5)] {
        let mut scene = rope(&format!("color_by: {quantity}"));
        let setup = std::sync::Arc::get_mut(&mut scene.panels[0].bodies[0].setup).unwrap();
        (setup.initial.v[3], setup.initial.v[5 + 3]) = (3.0, -4.0);
        let run = PanelRun::new(&scene.panels[0]);
        let values = &run.current().bodies[0].values;
        assert!((values.nodes[3] - expected).abs() < 1e-9, "{quantity}: {:?}", values.nodes);
        assert!((values.springs[2] - expected / 2.0).abs() < 1e-9, "{:?}", values.springs);
    }
}

#[test]
fn a_scale_has_round_ends_and_is_the_same_whatever_is_rendered() {
    let found = scales(&rope("color_by: Speed"));
    assert_eq!((found.len(), found[0].quantity), (1, ColorBy::Speed));
    let [low, high] = found[0].range;
    assert!(low == 0.0 && high > 10.0, "{:?}", found[0].range);
    assert_eq!((found[0].ticks[0], found[0].ticks.last()), (low, Some(&high)));
    assert!((3..=7).contains(&found[0].ticks.len()), "{:?}", found[0].ticks);
    // Increasing brightness.
    let light = |share: f64| {
        let [r, g, b] = found[0].ink(low + share * (high - low)).0.map(u32::from);
        299 * r + 587 * g + 114 * b
    };
    assert!((0..20).all(|k| light(f64::from(k) / 20.0) < light(f64::from(k + 1) / 20.0)));
    let given = scales(&rope("color_by: Strain, color_range: (-0.5, 0.5)"));
    assert_eq!(given[0].range, [-0.5, 0.5]);
    assert!(scales(&rope("ghosts: 1")).is_empty());
}

#[test]
fn rounding_errors_have_no_colours() {
    let rod = "rope: (nodes: 21, start: (0, 0, 0), end: (1, 0.3, 0.1), mass: 0.05, rod: (bending: 1, torsion: 1, axial: 1e4, clamps: [(node: First)]))";
    let still = "gravity: (0, 0, 0), integrator: ImplicitEuler";
    let bent = "gravity: (0, -9.81, 0), integrator: ImplicitEuler";
    for (quantity, fields, is_flat) in [
        ("Twist", still, true),
        ("Twist", bent, true),
        ("Curvature", still, true),
        ("Curvature", bent, false),
        ("Strain", still, true),
        ("Tension", still, true),
        ("Strain", bent, false),
    ] {
        let text = format!(
            "Scene(base: (frames: 4, frame_time: 0.01, substeps: 2, {fields}, {rod}, style: (color_by: {quantity})))"
        );
        let scene: catena::scene::Scene = text.parse().unwrap();
        let mut run = PanelRun::new(&scene.panels[0]);
        (0..3).for_each(|_| run.advance_frame());
        let values = &run.current().bodies[0].values;
        let all = values.nodes.iter().chain(&values.springs);
        assert_eq!(all.clone().all(|value| *value == 0.0), is_flat, "{quantity} {fields}");
        let range = scales(&scene)[0].range;
        assert_eq!(range == [0.0, 1.0], is_flat, "{quantity} {fields}: {range:?}");
    }
}
