//! Rigs in scenes: effects of bones on pins, colliders, layers, skins and warm-up.

use crate::scene_of;
use catena::rig::SkinMeasures;
use catena::scene::Scene;
use catena::scene::comparability::differences;
use catena::sim::Simulation;
use std::f64::consts::PI;

/// A scene of one panel with these fields.
fn base(fields: &str) -> Scene {
    scene_of(&format!("Scene(base: ({fields}))"))
}

/// The arm of the table of known results: lengths 1 and 0.7, angles 0.4 and 0.9 at rates 2 and -3.
#[test]
fn a_pinned_node_has_the_place_and_velocity_of_the_hand() {
    let degrees = |angle: f64, rate: f64| {
        let at = |t: f64| (angle + rate * t) * 180.0 / PI;
        format!("[(-1, {}), (1, {})]", at(-1.0), at(1.0))
    };
    let scene = base(&format!(
        "frame_time: 1e-9, substeps: 1, gravity: (0, 0), rope: (start: (1.1083101, 1.0639090), end: (1.1083101, 0), nodes: 2),
        rig: (bones: [
            (name: \"upper\", turn: About(axis: (0, 0, 1), angle: {})),
            (name: \"lower\", parent: \"upper\", place: (1, 0), turn: About(axis: (0, 0, 1), angle: {})),
        ]),
        anchors: [(node: 0, bone: \"lower\", offset: (0.7, 0))]",
        degrees(0.4, 2.0),
        degrees(0.9, -3.0)
    ));
    let simulation = Simulation::new(scene.panels[0].bodies[0].setup.clone());
    let state = simulation.state();
    let found = [state.x[0], state.x[2], state.v[0], state.v[2]];
    let expected = [1.10831017, 1.06390907, -0.10434595, 1.65487281];
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-8, "{found} beside {expected}");
    }
}

/// Position of a bone's node in a frame, as x and y.
fn node_at(scene: &Scene, frame: usize) -> [f64; 2] {
    let mut simulation = Simulation::new(scene.panels[0].bodies[0].setup.clone());
    (0..frame).for_each(|_| simulation.advance_frame());
    let at = simulation.position(0).unwrap();
    [at[0], at[1]]
}

/// A rope whose pin is on a bone that two clips move along x, and the result of layers.
fn layered(layers: &str, frame: usize) -> [f64; 2] {
    let scene = base(&format!(
        "frame_time: 0.25, rope: (nodes: 2), rig: (
            bones: [(name: \"a\")],
            clips: [
                (name: \"four\", tracks: [(bone: \"a\", place: (4, 0))]),
                (name: \"eight\", tracks: [(bone: \"a\", place: (8, 0))]),
                (name: \"way\", tracks: [(bone: \"a\", place: Linear(keys: [(0, (0, 0)), (1, (1, 0))]))]),
            ],
            layers: [{layers}],
        ),
        anchors: [(node: 0, bone: \"a\", offset: (0, 0))]"
    ));
    node_at(&scene, frame)
}

#[test]
fn layers_mix_fade_and_repeat() {
    let mix =
        |a: f64, b: f64| format!("(clip: \"four\", weight: {a}), (clip: \"eight\", weight: {b})");
    for (layers, frame, x) in [
        (mix(0.5, 0.5), 0, 6.0),
        (mix(1.0, 1.0), 0, 6.0),
        (mix(0.5, 0.0), 0, 2.0),
        (mix(0.25, 0.25), 0, 3.0),
        ("(clip: \"four\"), (clip: \"eight\", blend: Over, weight: 0.25)".into(), 0, 5.0),
        ("(clip: \"four\"), (clip: \"eight\", blend: Add, weight: 0.5)".into(), 0, 8.0),
        ("(clip: \"four\"), (clip: \"eight\", blend: Add, bones: [\"a\"])".into(), 0, 12.0),
        // A fade of 1 from time 0 has the weight 3s² - 2s³.
        ("(clip: \"four\"), (clip: \"eight\", blend: Over, fade_in: (0, 1))".into(), 1, 4.625),
        ("(clip: \"four\"), (clip: \"eight\", blend: Over, fade_out: (0, 1))".into(), 1, 7.375),
        ("(clip: \"four\", weight: [(0, 0), (1, 1)])".into(), 2, 2.0),
        ("(clip: \"way\")".into(), 3, 0.75),
        ("(clip: \"way\")".into(), 6, 1.0),
        ("(clip: \"way\", repeat: Loop)".into(), 6, 0.5),
        ("(clip: \"way\", repeat: PingPong)".into(), 7, 0.25),
        ("(clip: \"way\", start: 0.5, speed: 2)".into(), 3, 0.5),
    ] {
        let found = layered(&layers, frame);
        assert!((found[0] - x).abs() < 1e-15, "{layers}: {found:?} beside {x}");
    }
}

/// In the half second before time 0, the bone moves from x = 0 to 1, and the pin with it; the film
/// begins there, with the rope trailing behind.
#[test]
fn a_warm_up_comes_from_the_bind_pose() {
    let scene = |warm_up: &str| {
        base(&format!(
            "frame_time: 0.1, substeps: 16, gravity: (0, -9.81), drag: 0.1,
            rope: (start: (0, 0), end: (0, -1), nodes: 6, stiffness: 1000, mass: 0.1),
            rig: (bones: [(name: \"a\")], clips: [(name: \"there\", tracks: [(bone: \"a\", place: (1, 0))])], {warm_up}),
            anchors: [(node: 0, bone: \"a\")]"
        ))
    };
    let warm = scene("warm_up: 0.5");
    let simulation = Simulation::new(warm.panels[0].bodies[0].setup.clone());
    let (first, last) = (simulation.position(0).unwrap(), simulation.position(5).unwrap());
    assert_eq!((simulation.state().t, first), (0.0, [1.0, 0.0, 0.0]));
    assert!(last[0] > 0.05 && last[0] < 0.9, "the end of the rope lags behind: {last:?}");
    // Without a warm-up, the rope starts from the bone's position at time 0.
    let cold = scene("");
    assert_eq!(node_at(&cold, 0), [0.0, 0.0]);
    assert_eq!(warm.panels[0].bodies[0].setup.warm_up, 5);
}

/// A cylinder twisted by 180° over two bones with linear weights keeps 1/3 of its volume under
/// linear blending, and all of it under dual quaternions.
#[test]
fn the_candy_wrapper_has_its_numbers() {
    let measured = |skinning: &str| {
        let scene = base(&format!(
            "gravity: (0, 0, 0), rig: (
                bones: [
                    (name: \"a\"),
                    (name: \"b\", parent: \"a\", place: (1, 0, 0), length: 1, turn: About(axis: (1, 0, 0), angle: [(0, 0), (1, 180)])),
                ],
                skin: Tube(radius: 0.3, sides: 128, rings: 257, blend: 2), skinning: {skinning},
            )"
        ));
        let body = &scene.panels[0].bodies[0];
        assert!(body.is_rig_alone());
        let rig = body.rig.clone().unwrap();
        let at_rest = SkinMeasures::of(&rig.rig, 0.0).unwrap().volume.unwrap();
        assert!((at_rest - 1.0).abs() < 1e-14, "{at_rest}");
        SkinMeasures::of(&rig.rig, 1.0).unwrap()
    };
    let (linear, dual) = (measured("Linear"), measured("DualQuaternion"));
    assert!((linear.volume.unwrap() - 1.0 / 3.0).abs() < 5e-5, "{linear:?}");
    assert!(linear.radius.unwrap() < 1e-12, "{linear:?}");
    assert!((dual.volume.unwrap() - 1.0).abs() < 5e-5, "{dual:?}");
    assert!((dual.radius.unwrap() - 1.0).abs() < 1e-12, "{dual:?}");
}

/// Tracks that repeat by themselves continue in a layer, with the layer's speed and start.
#[test]
fn layers_play_tracks_that_repeat() {
    let at = |clip: &str, layer: &str, frame: usize| {
        let scene = base(&format!(
            "frame_time: 0.25, rope: (nodes: 2), anchors: [(node: 0, bone: \"a\", offset: (1, 0))],
            rig: (bones: [(name: \"a\")], layers: [(clip: \"{clip}\"{layer})], clips: [
                (name: \"turns\", tracks: [(bone: \"a\", turn: Keys(keys: [(0, 0), (1, 80)], repeat: Loop))]),
                (name: \"goes\", tracks: [(bone: \"a\", place: Keys(keys: [(0, (0, 0)), (1, (80, 0))], repeat: Loop))]),
            ])"
        ));
        node_at(&scene, frame)
    };
    // Position in a track of length 80, at frames of a quarter second.
    for (layer, frame, expected) in [
        ("", 3, 60.0),
        ("", 7, 60.0),
        (", speed: 2", 3, 40.0),
        (", speed: 2", 7, 40.0),
        (", start: 0.5", 7, 20.0),
        // The track also repeats before the layer begins.
        (", start: 0.5", 1, 60.0),
        (", speed: -1", 1, 60.0),
        (", speed: -1", 5, 60.0),
        (", speed: 0.5, start: -1, repeat: Loop", 3, 70.0),
        (", repeat: PingPong", 7, 20.0),
    ] {
        let (sine, cosine) = libm::sincos(expected * PI / 180.0);
        for (clip, place) in [("turns", [cosine, sine]), ("goes", [1.0 + expected, 0.0])] {
            let found = at(clip, layer, frame);
            let off = (found[0] - place[0]).abs().max((found[1] - place[1]).abs());
            assert!(off < 1e-13, "{clip}{layer}, frame {frame}: {found:?} beside {place:?}");
        }
    }
}

/// Names of the quantities in which two panels with ropes on rigs differ.
fn differing(rigs: [&str; 2]) -> Vec<&'static str> {
    let panel = |rig: &str| format!("(with: (rig: (bones: [{rig}])))");
    let scene = scene_of(&format!(
        "Scene(base: (rope: (nodes: 4), anchors: [(node: 0, bone: \"a\", offset: (1, 0))],
            colliders: [OnBone(bone: \"a\", of: Sphere(center: (0, 5), radius: 1))]),
            panels: [{}, {}])",
        panel(rigs[0]),
        panel(rigs[1])
    ));
    differences(&scene).iter().map(|found| found.quantity.name).collect()
}

#[test]
fn panels_are_compared_by_how_their_bones_move() {
    let turning =
        |to: f64| format!("(name: \"a\", turn: Keys(keys: [(0, 0), (1, {to})], repeat: Loop))");
    let [slow, fast] = [80.0, 90.0].map(turning);
    assert_eq!(differing([&slow, &slow]), [""; 0]);
    assert_eq!(differing([&slow, &fast]), ["moving pins", "colliders"]);
    // A body on a bone does not depend on other bones.
    let two = format!("{slow}, (name: \"b\", parent: \"a\", turn: [(0, 0), (1, 9)])");
    assert_eq!(differing([&slow, &two]), [""; 0]);
    // A difference between all times at which positions are compared.
    let blip = |y: f64| {
        format!(
            "(name: \"a\", place: [(0, (0, 0)), (0.501, (0, 0)), (0.502, (0, {y})), (0.503, (0, 0)), (1, (0, 0))])"
        )
    };
    assert_eq!(differing([&blip(1.0), &blip(2.0)]), ["moving pins", "colliders"]);
}

#[test]
fn degrees_mean_what_they_say_also_beyond_half_a_turn() {
    // A curve of a bone's rotation, a frame of 0.25 s, and the degrees at that time.
    let about = |angle: f64| format!("About(axis: (0, 0, 1), angle: {angle})");
    let turns = [
        ("[(0, 0), (3, 360)]".to_owned(), 3, 90.0),
        ("[(0, 0), (3, 300)]".to_owned(), 6, 150.0),
        ("[(0, 0), (3, -720)]".to_owned(), 2, -120.0),
        ("[(0, 0, Slerp), (1, 180)]".to_owned(), 2, 90.0),
        ("[(0, 0, Linear), (1, 400, Step), (2, 10)]".to_owned(), 3, 300.0),
        ("[(0, 10), (1, 100), (2, 460)]".to_owned(), 6, 280.0),
        ("[(0, 0, Hermite(leave: 90)), (1, 90, Hermite(arrive: 90))]".to_owned(), 3, 67.5),
        ("[(0, 0, CatmullRom), (1, 200, CatmullRom), (2, 400)]".to_owned(), 2, 100.0),
        ("Keys(keys: [(0, 0), (1, 360)], repeat: Loop)".to_owned(), 7, 270.0),
        ("BSpline(degree: 1, points: [0, 360], end: 4)".to_owned(), 4, 90.0),
        (format!("[(0, {}), (3, {})]", about(0.0), about(360.0)), 3, 90.0),
        ("[(0, 0), (3, About(axis: (0, 0, -2), angle: 360))]".to_owned(), 3, -90.0),
        // The shorter direction, as usual.
        ("[(0, 0), (1, 120)]".to_owned(), 2, 60.0),
        ("[(0, 0), (1, Quaternion(0, 0, 1, 0))]".to_owned(), 2, 90.0),
    ];
    for (turn, frame, degrees) in turns {
        let scene = base(&format!(
            "frame_time: 0.25, gravity: (0, 0), rope: (start: (1, 0), end: (2, 0), nodes: 2),
             rig: (bones: [(name: \"crank\", turn: {turn})]), anchors: [(node: 0, bone: \"crank\", offset: (1, 0))]"
        ));
        let [x, y] = node_at(&scene, frame);
        let (sine, cosine) = libm::sincos(degrees * PI / 180.0);
        let error = libm::hypot(x - cosine, y - sine);
        assert!(error < 1e-9, "{turn}: ({x}, {y}) at frame {frame}, not at {degrees} degrees");
    }
}
