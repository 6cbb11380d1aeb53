//! Contents of a figure: names, clips, triangles, normals, looks, skinned meshes, and notes.

use super::document::{Document, arm};
use super::{Method, playing, read_alone, skinned};
use catena::gltf::{Conflict, Figure, Moved};
use catena::sim::drive::rig::{Bone, Pose, Skeleton, Transform};
use catena::sim::glam::DVec3;
use serde_json::{Value, json};

fn figure(document: &Document) -> Figure {
    read_alone(&document.embedded()).unwrap_or_else(|error| panic!("{error}"))
}

const PRIMITIVE: &str = "/meshes/0/primitives/0";

#[test]
fn names_are_unique_and_joints_keep_theirs() {
    let names = [
        (json!("hand"), "hand_2"),
        (json!("hand"), "hand"),
        (Value::Null, "node 2"),
        (json!("hand_1"), "hand_1"),
        (json!("hand"), "hand_3"),
        (json!(""), "node 5_1"),
        (json!("node 5"), "node 5"),
    ];
    let node = |(name, _): &(Value, &str)| match name {
        Value::Null => json!({}),
        name => json!({"name": name}),
    };
    let nodes: Vec<Value> = names.iter().map(node).collect();
    let clip = |name: &str| json!({"name": name, "channels": [], "samplers": []});
    let document = arm()
        .with("/nodes", json!(nodes))
        .with("/animations", json!([clip("walk"), clip(""), clip("walk")]))
        .with("/scenes/0/nodes", json!([0, 1, 2, 3, 4, 5, 6]));
    let figure = figure(&document);
    assert_eq!(figure.skeleton.names(), names.map(|(_, name)| name));
    let clips: Vec<&str> = figure.clips.iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(clips, ["walk", "animation 1", "walk_1"]);
    let notes = [
        "nodes[0] is called “hand_2”, since another is called “hand”; and 1 more of this kind",
        "animations[2] is called “walk_1”, since another is called “walk”",
    ];
    assert_eq!(figure.notes, notes);
}

#[test]
fn clips_are_played_by_name_and_together() {
    let channel = |sampler: usize, path: &str| json!({"sampler": sampler, "target": {"node": 2, "path": path}});
    let samplers = json!([
        {"input": 6, "output": 7}, {"input": 6, "output": 8}, {"input": 6, "output": 8, "interpolation": "STEP"},
    ]);
    let document = arm().with("/animations", json!([
        {"name": "turn", "channels": [channel(0, "rotation")], "samplers": samplers},
        {"name": "both", "channels": [channel(0, "rotation"), channel(2, "translation")], "samplers": samplers},
        {"name": "stretch", "channels": [channel(1, "scale"), channel(1, "translation")], "samplers": samplers},
    ]));
    let figure = figure(&document);
    let tracks = |name: &str| {
        let clip = figure.clip(name).unwrap();
        let tracks = clip.tracks(2).unwrap();
        [tracks.place.is_some(), tracks.rotation.is_some(), tracks.scale.is_some()]
    };
    let found = ["turn", "both", "stretch"].map(tracks);
    assert_eq!(found, [[false, true, false], [true, true, false], [true, false, true]]);
    let error = figure.clip("walk").unwrap_err().to_string();
    let expected = "clip: there is no clip “walk”: expected one of: turn, both, stretch";
    assert_eq!(error, expected);

    let (all, conflicts) = figure.all_clips().unwrap();
    let conflict = |clips, moved| Conflict { clips, bone: 2, moved };
    let expected = [conflict([0, 1], Moved::Rotation), conflict([1, 2], Moved::Place)];
    assert_eq!(conflicts, expected);
    // The first clip that moves the position uses STEP interpolation.
    let rest = figure.skeleton.bind()[2];
    let place = |t: f64| all.transform(2, rest, t).place;
    let expected = [(0.999, [0.0, 1.0, 0.0]), (1.0, [0.25, 1.0, 0.0]), (9.0, [0.0, 1.0, 0.5])];
    for (time, expected) in expected {
        assert_eq!(place(time).to_array(), expected, "at {time}");
    }
    assert_eq!(figure.clips[2].bones().collect::<Vec<_>>(), [2]);
    let other = Skeleton::new(vec![Bone::root("alone", Transform::IDENTITY)]).unwrap();
    let error = figure.clips[0].clip(&other).unwrap_err().to_string();
    assert_eq!(error, "tracks: there is no bone 2; number of bones: 1");
}

#[test]
fn splines_have_tangents_by_time() {
    let mut document = arm();
    let times = document.accessor(&[[0.0_f32], [2.0]]);
    let zero = [0.0_f32; 3];
    let keys = [zero, zero, [1.0, -2.0, 4.0], zero, [1.0, -2.0, 4.0], zero];
    let keys = document.accessor(&keys);
    let document = document.with(
        "/animations/0/samplers/1",
        json!({
            "input": times, "output": keys, "interpolation": "CUBICSPLINE",
        }),
    );
    let figure = figure(&document);
    let rest = figure.skeleton.bind()[2];
    let at_one = figure.clip("wave").unwrap().transform(2, rest, 1.0);
    assert_eq!(at_one.place.to_array(), [0.75, -1.5, 3.0]);
    // 3 (v₁ - v₀)/(2d) - (b₀ + a₁)/4 in the middle of a segment.
    assert_eq!(at_one.velocity.to_array(), [0.5, -1.0, 2.0]);
}

#[test]
fn triangles_come_from_lists_strips_and_fans() {
    let mode = |mode: Value, indices: Value| {
        let document = arm()
            .with(&format!("{PRIMITIVE}/mode"), mode)
            .with(&format!("{PRIMITIVE}/indices"), indices);
        figure(&document).meshes.first().map(|mesh| mesh.triangles.clone())
    };
    let mut longer = arm();
    let corners = longer.accessor(&[[3_u8], [2], [1], [0], [1]]);
    let fan = longer
        .with(&format!("{PRIMITIVE}/mode"), json!(6))
        .with(&format!("{PRIMITIVE}/indices"), corners.into());
    assert_eq!(mode(json!(4), json!(4)), Some(vec![[0, 1, 2], [2, 1, 3]]));
    assert_eq!(mode(Value::Null, json!(4)), Some(vec![[0, 1, 2], [2, 1, 3]]));
    assert_eq!(mode(json!(5), Value::Null), Some(vec![[0, 1, 2], [1, 3, 2]]));
    assert_eq!(mode(json!(6), Value::Null), Some(vec![[1, 2, 0], [2, 3, 0]]));
    assert_eq!(figure(&fan).meshes[0].triangles, [[2, 1, 3], [1, 0, 3], [0, 1, 3]]);
    assert_eq!(mode(json!(1), Value::Null), None);
}

#[test]
fn normals_are_those_of_the_file_or_of_the_triangles() {
    let pointer = format!("{PRIMITIVE}/attributes/NORMAL");
    let mut partly = arm();
    let accessor = partly.accessor(&[[0.0_f32, 3.0, 4.0], [0.0; 3], [0.0, -1e-30, 0.0], [0.0; 3]]);
    let mut bent = arm();
    let places =
        bent.accessor(&[[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 1.0]]);
    let bent = bent
        .with(&pointer, Value::Null)
        .with(&format!("{PRIMITIVE}/attributes/POSITION"), places.into());
    let table = [
        (arm(), [[0.0, 0.0, 1.0]; 4]),
        (arm().with(&pointer, Value::Null), [[0.0, 0.0, 1.0]; 4]),
        (
            partly.with(&pointer, accessor.into()),
            [[0.0, 0.6, 0.8], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]],
        ),
        // The second triangle faces -x and -y.
        (
            bent,
            [
                [0.0, 0.0, 1.0],
                [-0.577, -0.577, 0.577],
                [-0.577, -0.577, 0.577],
                [-0.707, -0.707, 0.0],
            ],
        ),
    ];
    for (row, (document, expected)) in table.into_iter().enumerate() {
        let figure = figure(&document);
        for (normal, expected) in figure.meshes[0].normals.iter().zip(expected) {
            let off = (*normal - DVec3::from_array(expected)).abs().max_element();
            let tolerance = if row == 3 { 1e-3 } else { 1e-15 };
            assert!(off <= tolerance, "row {row}: {normal}, not {expected:?}");
        }
    }
}

#[test]
fn materials_are_colours_in_srgb() {
    let color = |document: Document| figure(&document).meshes[0].look;
    let look = color(arm());
    let [r, g, b, alpha] = look.color;
    // Half of the light is 188 of 255.
    assert!((r - 1.0).abs() < 1e-15 && (g - 0.735_356_983_052_449_4).abs() < 1e-12, "{look:?}");
    assert_eq!((b, alpha, look.is_double_sided), (0.0, 1.0, false));
    let blended = arm()
        .with("/materials/0/alphaMode", json!("BLEND"))
        .with("/materials/0/doubleSided", json!(true));
    let look = color(blended);
    assert_eq!((look.color[3], look.is_double_sided), (0.25, true));
    let look = color(arm().with(&format!("{PRIMITIVE}/material"), Value::Null));
    assert_eq!((look.color, look.is_double_sided), ([1.0; 4], false));
}

#[test]
fn nodes_carry_meshes_without_a_skin() {
    let document = arm().with("/nodes/2/mesh", json!(0));
    let figure = figure(&document);
    assert_eq!(figure.meshes.len(), 2);
    let rigid = &figure.meshes[1];
    assert_eq!((rigid.name.as_str(), rigid.bone, &rigid.joints.bones), ("sleeve_1", 2, &vec![2]));
    let mut pose = Pose::default();
    playing(&figure).pose(1.0, &mut pose);
    let bone = pose.bones()[2].matrix;
    for (place, rest) in skinned(rigid, &pose, Method::Linear).iter().zip(&rigid.points) {
        assert!((*place - bone.transform_point3(*rest)).length() < 1e-15);
    }
    // The square follows its skin, wherever its own node is.
    let square = skinned(&figure.meshes[0], &pose, Method::Linear);
    assert!(square.iter().all(|place| place.length() < 3.0), "{square:?}");
}

#[test]
fn what_is_left_out_is_said() {
    let mut document = arm();
    let weights = document.accessor(&[[0.0_f32; 4], [1.0, 0.0, 0.0, 0.0], [0.0; 4], [0.0; 4]]);
    let colors = document.accessor(&[[1.0_f32; 4]; 4]);
    let nodes = json!([
        {"name": "square", "mesh": 0, "skin": 0, "camera": 0},
        {"name": "upper", "children": [2]},
        {"name": "lower", "translation": [0, 1, 0], "scale": [0, 0, 0]},
        {"name": "spare", "mesh": 0},
    ]);
    let document = document
        .with("/nodes", nodes)
        .with("/cameras", json!([{}, {}]))
        .with("/textures", json!([{}]))
        .with("/extensionsRequired", json!(["KHR_mesh_quantization", "KHR_materials_unlit"]))
        .with(
            "/animations/0/channels/2",
            json!({"sampler": 0, "target": {"node": 1, "path": "weights"}}),
        )
        .with("/animations/0/channels/3", json!({"sampler": 0, "target": {"path": "rotation"}}))
        .with(&format!("{PRIMITIVE}/attributes/WEIGHTS_0"), weights.into())
        .with(&format!("{PRIMITIVE}/attributes/COLOR_1"), colors.into())
        .with(&format!("{PRIMITIVE}/targets"), json!([{"POSITION": 0, "COLOR_0": 3}]))
        .with("/meshes/0/primitives/1", json!({"attributes": {}, "mode": 0, "targets": [{}]}))
        .with("/meshes/0/primitives/2", json!({"attributes": {}, "targets": [{}]}));
    let figure = figure(&document);
    let expected = [
        "ignored: appearance settings of KHR_materials_unlit",
        "nodes[2] has a scale of 0, which is replaced by 1e-30",
        "animations[0].channels[2] is ignored: it moves morph targets, which its node does not have; and 1 more of this kind",
        "nodes[3] is not in the scene: its mesh is ignored",
        "meshes[0].primitives[0].targets[0]: its colours and texture coordinates are ignored",
        "meshes[0].primitives[1] has points or lines, which are ignored",
        "meshes[0].primitives[2] has no POSITION and is ignored",
        "meshes[0].primitives[0]: vertex colours after COLOR_0 are ignored",
        "meshes[0].primitives[0].attributes: 3 of 4 vertices have no weight above 0 and follow the first joint listed there",
        "ignored: 2 cameras",
        "ignored: 1 texture: only base colour textures are used",
    ];
    assert_eq!(figure.notes, expected);
    let mesh = &figure.meshes[0];
    let hang = [0, 1, 2, 3].map(|vertex| mesh.skin.influences(vertex).collect::<Vec<_>>());
    assert_eq!(hang, [vec![(0, 1.0)], vec![(0, 1.0)], vec![(0, 1.0)], vec![(0, 1.0)]]);
    assert_eq!(figure.meshes.len(), 1);
}
