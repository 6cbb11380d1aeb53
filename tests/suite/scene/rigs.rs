//! Rigs in scenes: what bones do to pins, layers, skins and warm-up, and what is refused, where,
//! and with what advice.

use crate::scene_of;
use catena::rig::SkinMeasures;
use catena::scene::{Scene, SceneText, load};
use catena::sim::Simulation;
use std::f64::consts::PI;

/// A rig, the path that the error names, and words of it.
const REFUSED: &[(&str, &str, &[&str])] = &[
    ("rig: ()", "rig", &["no bones", "name a glTF `file`"]),
    ("rig: (bones: [(parent: \"a\")])", "rig.bones[0]", &["`rig.bones[0].name` is needed"]),
    (
        "rig: (bones: [(name: \"a\", parent: \"b\")])",
        "rig.bones[0]",
        &["bone “a”: there is no bone “b” to carry it"],
    ),
    (
        "rig: (bones: [(name: \"a\", parent: \"b\"), (name: \"b\", parent: \"a\")])",
        "rig.bones[0]",
        &["it carries itself, in a circle"],
    ),
    (
        "rig: (bones: [(name: \"a\"), (name: \"a\")])",
        "rig.bones[1]",
        &["bones[0] has the same name"],
    ),
    ("rig: (bones: [(name: \"a\", scale: 0)])", "rig.bones[0].scale", &["a number above 0"]),
    (
        "rig: (bones: [(name: \"a\", turn: About(axis: (1, 0, 0), angle: 20))])",
        "rig",
        &["bone “a” leaves the plane", "turn bones about z alone"],
    ),
    (
        "rig: (bones: [(name: \"a\", turn: About(axis: (0, 0, 0), angle: 20))])",
        "rig.bones[0].turn",
        &["the axis has no direction"],
    ),
    (
        "rig: (bones: [(name: \"a\", turn: About(angle: 20))])",
        "rig.bones[0].turn",
        &["needs `axis` and `angle`", "About(axis: (0, 1, 0), angle: 90)"],
    ),
    (
        "rig: (bones: [(name: \"a\", turn: left)])",
        "rig.bones[0].turn",
        &["degrees about z", "Quaternion(x, y, z, w)"],
    ),
    (
        "rig: (bones: [(name: \"a\", turn: [(1, 0), (0, 90)])])",
        "rig.bones[0].turn[1]",
        &["expected a time above that of the key before"],
    ),
    (
        "rig: (bones: [(name: \"a\", turn: Quaternion(0, 0, 0, 0))])",
        "rig.bones[0].turn",
        &["the quaternion has no length"],
    ),
    (
        "rig: (bones: [(name: \"a\")], layers: [(clip: \"walk\")])",
        "rig.layers[0].clip",
        &["there is no clip “walk”", "the rig has no clips"],
    ),
    (
        "rig: (bones: [(name: \"a\")], clips: [(name: \"run\", tracks: [])], layers: [(clip: \"walk\")])",
        "rig.layers[0].clip",
        &["there is no clip “walk”", "there are \"run\""],
    ),
    (
        "rig: (bones: [(name: \"a\")], clips: [(name: \"run\", tracks: [(bone: \"b\", turn: 3)])])",
        "rig.clips[0]",
        &["there is no bone “b”"],
    ),
    (
        "rig: (bones: [(name: \"a\")], clips: [(name: \"run\", tracks: []), (name: \"run\", tracks: [])])",
        "rig.clips[1]",
        &["two clips “run”"],
    ),
    (
        "rig: (bones: [(name: \"a\")], clips: [(name: \"run\", tracks: [])], layers: [(clip: \"run\", bones: [\"b\"])])",
        "rig.layers[0].bones",
        &["there is no bone “b”"],
    ),
    ("rig: (bones: [(name: \"a\")], skin: Tube(radius: 1))", "rig.skin", &["has no length"]),
    ("rig: (bones: [(name: \"a\", length: 1)], skin: Tube())", "rig.skin", &["radius"]),
    ("rig: (bones: [(name: \"a\", length: 1)], skin: Ball(radius: 1))", "rig.skin", &["Tube("]),
    ("anchors: [(node: 0, bone: \"a\")]", "anchors[0].bone", &["has no rig", "rig: (bones:"]),
    (
        "rig: (bones: [(name: \"a\")]), rope: (nodes: 3), anchors: [(node: 0, bone: \"b\")]",
        "anchors[0].bone",
        &["there is no bone “b”", "there are \"a\""],
    ),
    ("anchors: [(node: 0)]", "anchors[0]", &["nothing says how the node moves"]),
    (
        "anchors: [(node: 0, curve: Linear(keys: [(0, (0, 0))]), offset: (0, 0))]",
        "anchors[0].offset",
        &["measured from a bone"],
    ),
    (
        "rig: (bones: [(name: \"a\")]), rope: (nodes: 3), anchors: [(bone: \"a\"), (node: 0, bone: \"a\")]",
        "anchors[1].node",
        &["node 0 has two curves"],
    ),
    (
        "rig: (bones: [(name: \"a\")]), rope: (nodes: 3), anchors: [(node: 0, bone: \"a\"), (bone: \"a\")]",
        "anchors[1]",
        &["no pinned node is left"],
    ),
];

#[test]
fn rigs_that_cannot_be_are_refused_with_their_place() {
    for (fields, path, words) in REFUSED {
        let text = format!("Scene(base: ({fields}))");
        let text = SceneText { origin: "test".into(), name: "test".into(), text };
        let error = load(&text, &[]).expect_err(fields);
        assert!(error.to_string().starts_with("test:"), "{fields}: {error}");
        let error = format!("{error:?}").replace("\\\"", "\"");
        assert!(error.contains(&format!("Some(\"base.{path}\")")), "{fields}: {error}");
        for word in *words {
            assert!(error.contains(word), "{fields}: {error}");
        }
    }
}

/// A scene of one panel with these fields.
fn base(fields: &str) -> Scene {
    scene_of(&format!("Scene(base: ({fields}))"))
}

/// The arm of the table of known answers: lengths 1 and 0.7, angles 0.4 and 0.9 at rates 2 and -3.
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

/// What a bone's node is at a time, by x and y.
fn node_at(scene: &Scene, frame: usize) -> [f64; 2] {
    let mut simulation = Simulation::new(scene.panels[0].bodies[0].setup.clone());
    (0..frame).for_each(|_| simulation.advance_frame());
    let at = simulation.position(0).unwrap();
    [at[0], at[1]]
}

/// A rope whose pin hangs on a bone that two clips move along x, and what layers make of it.
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
        // A fade of 1 from time 0 is at 3s² - 2s³ of the way.
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

/// In the half second before time 0 the bone comes from x = 0 to 1, and the pin with it; the film
/// begins there, with the rope behind it.
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
    // Without a warm-up the rope is measured from where the bone is at time 0.
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
