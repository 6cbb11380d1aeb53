//! Refused rigs: position of the fault, and advice.

use catena::scene::limits::PlannedRun;
use catena::scene::{Limits, SceneText, load};

/// A rig, the path in the error, and words of the error.
const REFUSED: &[(&str, &str, &[&str])] = &[
    ("rig: ()", "rig", &["no bones", "name a glTF `file`"]),
    ("rig: (bones: [])", "rig.bones", &["no bones", "bones: [(name: \"arm\")]"]),
    (
        "rig: (bones: [(name: \"left_shoulder\"), (name: \"arm\", parent: \"left_sholder\")])",
        "rig.bones[1].parent",
        &["did you mean \"left_shoulder\"?"],
    ),
    (
        "rig: (bones: [(name: \"a\", turn: About(axis: (1, 0, 0), angle: Keys(keys: [(0, 0), (1, 90)], repeat: Loop)))])",
        "rig",
        &["bone “a” leaves the plane"],
    ),
    (
        "rig: (bones: [(name: \"a\", turn: About(axis: (0, 1, 0), angle: [(0, 0), (4.9, 0), (4.95, 90), (5, 0), (16, 0)]))])",
        "rig",
        &["bone “a” leaves the plane"],
    ),
    (
        "rig: (bones: [(name: \"a\")], clips: [(name: \"run\", tracks: [(bone: \"a\", turn: [(0, 0), (1, Quaternion(1, 0, 0, 1)), (2, 0)])])])",
        "rig",
        &["bone “a” leaves the plane"],
    ),
    ("rig: (bones: [(parent: \"a\")])", "rig.bones[0]", &["`rig.bones[0].name` is required"]),
    (
        "rig: (bones: [(name: \"a\", parent: \"b\")])",
        "rig.bones[0].parent",
        &["bone “a”: the parent “b” does not exist", "there are \"a\""],
    ),
    (
        "rig: (bones: [(name: \"a\", parent: \"b\"), (name: \"b\", parent: \"a\")])",
        "rig.bones[0].parent",
        &["the parents form a loop: the parent of “a” is “b”, the parent of “b” is “a”"],
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
        &["bone “a” leaves the plane", "rotate bones only about z"],
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
        &["expected a time later than the time of the previous key"],
    ),
    (
        "rig: (bones: [(name: \"a\", turn: [(0, 0), (1, 200), (2, Quaternion(0, 0, 0, 1))])])",
        "rig.bones[0].turn[1]",
        &["at most 180° from one to the next", "write all keys as angles about one axis"],
    ),
    (
        "rig: (bones: [(name: \"a\", turn: BSpline(degree: 1, points: [0, 300, Quaternion(0, 0, 0, 1)]))])",
        "rig.bones[0].turn.points[1]",
        &["`points[1]` of the curve: expected at most 180° from one to the next"],
    ),
    (
        "rig: (bones: [(name: \"a\", turn: Quaternion(0, 0, 0, 0))])",
        "rig.bones[0].turn",
        &["the quaternion must have a length above 0"],
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
        "rig.clips[0].tracks[0].bone",
        &["there is no bone “b”", "there are \"a\""],
    ),
    (
        "rig: (bones: [(name: \"a\")], clips: [(name: \"run\", tracks: []), (name: \"run\", tracks: [])])",
        "rig.clips[1]",
        &["two clips “run”"],
    ),
    (
        "rig: (bones: [(name: \"a\")], clips: [(name: \"run\", tracks: [])], layers: [(clip: \"run\", bones: [\"b\"])])",
        "rig.layers[0].bones[0]",
        &["there is no bone “b”", "there are \"a\""],
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
    ("anchors: [(node: 0)]", "anchors[0]", &["the entry needs `curve` or `bone`"]),
    (
        "anchors: [(node: 0, curve: Linear(keys: [(0, (0, 0))]), offset: (0, 0))]",
        "anchors[0].offset",
        &["`offset` needs `bone`"],
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
    (
        "rig: (bones: [(name: \"upper arm\", length: 1)], skin: Tube(radius: 1, from: \"uper arm\"))",
        "rig.skin.from",
        &["there is no bone “uper arm”", "did you mean \"upper arm\"?"],
    ),
    (
        "colliders: [OnBone(bone: \"hand\", of: Sphere(center: (0, 0), radius: 1))], rig: (bones: [(name: \"hands\")])",
        "colliders[0].bone",
        &["there is no bone “hand”", "did you mean \"hands\"?"],
    ),
    // The name of the rig is not one of its bones.
    (
        "colliders: [OnBone(bone: \"rig\", of: Sphere(center: (0, 0), radius: 1))], rig: (place: (1, 0), bones: [(name: \"a\")])",
        "colliders[0].bone",
        &["there is no bone “rig”", "there are \"a\""],
    ),
    (
        "colliders: [OnBone(bone: \"a\", of: Sphere(center: (0, 0), radius: 1))], rig: (scale: 2, bones: [(name: \"a\")])",
        "colliders[0].bone",
        &["must be rigid, but `rig.scale` scales the whole rig", "remove `rig.scale`"],
    ),
    (
        "colliders: [OnBone(bone: \"a\", of: Sphere(center: (0, 0), radius: 1))], rig: (bones: [(name: \"a\", scale: Keys(keys: [(0, 1), (1, 2), (2, 1)], repeat: Loop))])",
        "colliders[0].bone",
        &["must be rigid, but bone “a” is scaled"],
    ),
    (
        "colliders: [OnBone(bone: \"a\", of: Sphere(center: (0, 0), radius: 1))], rig: (bones: [(name: \"a\", scale: Linear(keys: [(0, (1, 1)), (5, (1, 1)), (5.001, (2, 1)), (5.002, (1, 1)), (10, (1, 1))]))])",
        "colliders[0].bone",
        &["must be rigid, but bone “a” is scaled"],
    ),
];

/// A layer of the clip “run”, the field in the error, and words of the error.
const REFUSED_LAYERS: &[(&str, &str, &[&str])] = &[
    ("clip: \"rum\"", "clip", &["there is no clip “rum”", "did you mean \"run\"?"]),
    ("clip: \"run\", bones: []", "bones", &["moves nothing", "remove `bones`"]),
    ("clip: \"run\", speed: 0", "speed", &["does not move", "below 0 to play the clip backwards"]),
    ("clip: \"run\", reference: 1", "reference", &["no effect without `blend: Add`", "blend: Add"]),
    ("clip: \"run\", blend: Over, reference: 1", "reference", &["no effect without `blend: Add`"]),
    (
        "clip: \"run\", fade_in: (2, 1), fade_out: (1, 0.5)",
        "fade_out",
        &["fades out at time 1, before it fades in", "at or after the time of `fade_in`"],
    ),
    ("clip: \"run\", weight: -1", "weight", &["a weight of -1 is out of range", "at least 0"]),
    (
        "clip: \"run\", blend: Over, weight: 1.5",
        "weight",
        &["a weight of 1.5 is out of range", "from 0 to 1"],
    ),
    ("clip: \"run\", blend: Over, weight: -0.1", "weight", &["from 0 to 1"]),
];

#[test]
fn rigs_that_cannot_be_are_refused_with_their_place() {
    let layer = |(layer, field, words): &(&str, &str, &'static [&str])| {
        let clip = "(name: \"run\", tracks: [(bone: \"a\", place: [(0, (0, 0)), (1, (1, 0))])])";
        let fields = format!("rig: (bones: [(name: \"a\")], clips: [{clip}], layers: [({layer})])");
        (fields, format!("rig.layers[0].{field}"), *words)
    };
    let row = |(fields, path, words): &(&str, &str, &'static [&str])| {
        ((*fields).to_owned(), (*path).to_owned(), *words)
    };
    for (fields, path, words) in REFUSED.iter().map(row).chain(REFUSED_LAYERS.iter().map(layer)) {
        let text = format!("Scene(base: ({fields}))");
        let text = SceneText { origin: "test".into(), name: "test".into(), text };
        let error = load(&text, &[]).expect_err(&fields);
        assert!(error.to_string().starts_with("test:"), "{fields}: {error}");
        let error = format!("{error:?}").replace("\\\"", "\"");
        assert!(error.contains(&format!("Some(\"base.{path}\")")), "{fields}: {error}");
        for word in words {
            assert!(error.contains(word), "{fields}: {error}");
        }
    }
}

#[test]
fn layers_that_are_in_range_are_taken() {
    for layer in [
        "clip: \"run\", blend: Add, weight: -3, reference: 1",
        "clip: \"run\", weight: 7",
        "clip: \"run\", blend: Over, weight: 1, fade_in: (0, 1), fade_out: (0, 1)",
        "clip: \"run\", speed: -2, weight: [(0, -1), (1, 2)]",
    ] {
        let text = format!(
            "Scene(base: (rig: (bones: [(name: \"a\")], layers: [({layer})],
                clips: [(name: \"run\", tracks: [(bone: \"a\", place: [(0, (0, 0)), (1, (1, 0))])])])))"
        );
        let text = SceneText { origin: "test".into(), name: "test".into(), text };
        assert!(load(&text, &[]).is_ok(), "{layer}");
    }
}

#[test]
fn a_long_warm_up_is_to_blame_and_not_the_frames() {
    let text = "Scene(base: (rope: (nodes: 4), rig: (warm_up: 1e9, bones: [(name: \"a\")])))";
    let text = SceneText { origin: "test".into(), name: "test".into(), text: text.into() };
    let scene = load(&text, &[]).unwrap();
    let limits = Limits::default();
    let error = limits.check_run(&text, &scene, &PlannedRun::of(&scene)).unwrap_err();
    let report = error.report(false);
    for part in
        ["test:1:47: 600 frames and ", " before time 0 would take about", "lower `rig.warm_up`"]
    {
        assert!(report.contains(part), "{report}");
    }
    assert!(!report.contains("`frames`"), "{report}");
}
