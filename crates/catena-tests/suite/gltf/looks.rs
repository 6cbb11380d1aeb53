//! The look of a figure apart from its colours: mirroring, transparency, hidden nodes, compression,
//! unsupported extensions, and file names that are not URI-encoded.

use super::document::{Document, arm};
use super::{figure as read_figure, read_alone};
use crate::repository;
use catena::gltf::{Figure, Limits, read};
use catena::job::draw;
use catena::rig::Rig;
use catena::scene::{Scene, SceneText, load};
use catena::sim::glam::DVec3;
use catena::sim::skin::volume;
use serde_json::{Value, json};
use std::{f64::consts::FRAC_1_SQRT_2, fs};

fn figure(document: &Document) -> Figure {
    read_alone(&document.embedded()).unwrap_or_else(|error| panic!("{error}"))
}

/// A scene of tests/defects/media, with changed JSON in the glTF file that it names.
fn scene(name: &str, change: impl Fn(&mut Value)) -> Result<Scene, String> {
    let media = repository("tests/defects/media");
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(media.join(name).with_extension("ron")).unwrap();
    let figure = format!("{name}.gltf");
    let mut json = serde_json::from_slice(&fs::read(media.join(&figure)).unwrap()).unwrap();
    change(&mut json);
    fs::write(folder.path().join(&figure), json.to_string()).unwrap();
    let origin = folder.path().join("scene.ron").display().to_string();
    load(&SceneText { origin, name: name.into(), text }, &[]).map_err(|error| error.report(false))
}

fn rig(scene: &Scene) -> &Rig {
    &scene.panels[0].bodies[0].rig.as_ref().unwrap().rig
}

fn notes(scene: &Scene) -> String {
    scene.panels[0].bodies[0].notes.join("\n")
}

/// A mirrored box is the same box. With its faces inside out it would have a negative volume, and
/// its picture would show its far walls.
#[test]
fn a_node_that_mirrors_keeps_its_outside() {
    let plain = scene("01_mirrored_node", |it| it["nodes"][0]["scale"] = json!([1, 1, 1])).unwrap();
    let expected = draw(&plain, 0).unwrap();
    let turned = json!([0.0, FRAC_1_SQRT_2, 0.0, FRAC_1_SQRT_2]);
    let parent = |it: &mut Value| {
        it["nodes"][0]["scale"] = json!([1, 1, 1]);
        let above = json!({"name": "above", "children": [0], "scale": [1, -1, 1]});
        it["nodes"].as_array_mut().unwrap().push(above);
        it["scenes"][0]["nodes"] = json!([1]);
    };
    let by_matrix = |it: &mut Value| {
        it["nodes"][0] =
            json!({"mesh": 0, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1]});
    };
    let twice = |it: &mut Value| it["nodes"][0]["scale"] = json!([-1, -1, 1]);
    let thrice = |it: &mut Value| it["nodes"][0]["scale"] = json!([-1, -1, -1]);
    let with_turn = |it: &mut Value| it["nodes"][0]["rotation"] = turned.clone();
    let as_it_is = |_: &mut Value| {};
    let cases: [(&str, &dyn Fn(&mut Value)); 6] = [
        ("scale", &as_it_is),
        ("parent", &parent),
        ("matrix", &by_matrix),
        ("twice", &twice),
        ("thrice", &thrice),
        ("turned", &with_turn),
    ];
    for (name, change) in cases {
        let mirrored = scene("01_mirrored_node", change).unwrap();
        let posed = rig(&mirrored).at(0.0);
        let triangles: Vec<[usize; 3]> = posed.skins[0].triangles().collect();
        let volume = volume(&posed.skins[0].points, &triangles).unwrap();
        assert!((volume - 1.0).abs() < 1e-12, "{name}: {volume}");
        let found = draw(&mirrored, 0).unwrap();
        let is_near = |(a, b): (&u8, &u8)| a.abs_diff(*b) <= 2;
        assert!(found.as_raw().iter().zip(expected.as_raw()).all(is_near), "{name}");
    }
}

/// The mirroring of a skinned mesh's node counts, although the rest of the node's transform is
/// ignored.
#[test]
fn a_skin_below_a_mirrored_node_is_seen_from_its_front() {
    let front = |document: &Document| {
        let bytes = document.embedded();
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("arm.gltf"), bytes).unwrap();
        let text = "(base: (frames: 2, gravity: (0, 0, 0), rig: (file: \"arm.gltf\")))".into();
        let origin = folder.path().join("scene.ron").display().to_string();
        let scene = load(&SceneText { origin, name: "arm".into(), text }, &[]).unwrap();
        let posed = rig(&scene).at(0.0);
        let skin = &posed.skins[0];
        let [a, b, c] = skin.triangles().next().unwrap().map(|corner| skin.points[corner]);
        let normal = (b - a).cross(c - a);
        (normal.z > 0.0, skin.normals[0].dot(DVec3::Z) > 0.0)
    };
    assert_eq!(front(&arm()), (true, true));
    let all = arm()
        .with("/nodes/3", json!({"children": [0, 1], "scale": [-1, 1, 1]}))
        .with("/scenes/0/nodes", json!([3]));
    assert_eq!(front(&all), (true, true), "joints and mesh are mirrored");
    let node = arm().with("/nodes/0/scale", json!([-1, 1, 1]));
    assert!(!front(&node).0, "glTF asks the node, which moves nothing else");
}

#[test]
fn transparency_is_honoured_or_said() {
    let material = |value: Value| move |it: &mut Value| it["materials"][0] = value.clone();
    let color = |alpha: f64| json!({"baseColorFactor": [0.8, 0.2, 0.2, alpha]});
    let hidden = "ignored: 1 fully transparent primitive";
    let cases = [
        (json!({"alphaMode": "BLEND", "pbrMetallicRoughness": color(0.0)}), 0, hidden),
        (json!({"alphaMode": "BLEND", "pbrMetallicRoughness": color(0.5)}), 1, ""),
        (json!({"alphaMode": "BLEND", "pbrMetallicRoughness": color(1.0)}), 1, ""),
        (json!({"alphaMode": "MASK", "pbrMetallicRoughness": color(0.4)}), 0, hidden),
        (json!({"alphaMode": "MASK", "pbrMetallicRoughness": color(0.5)}), 1, ""),
        (
            json!({"alphaMode": "MASK", "alphaCutoff": 0.3, "pbrMetallicRoughness": color(0.4)}),
            1,
            "",
        ),
        (json!({"alphaMode": "OPAQUE", "pbrMetallicRoughness": color(0.0)}), 1, ""),
        (json!({"pbrMetallicRoughness": color(0.0)}), 1, ""),
    ];
    for (value, skins, note) in cases {
        let shown = value.to_string();
        let scene = scene("04_transparent_material", material(value)).unwrap();
        assert_eq!(
            (rig(&scene).skins.len(), notes(&scene).contains(note)),
            (skins, true),
            "{shown}"
        );
        assert_eq!(notes(&scene).is_empty(), note.is_empty(), "{shown}: {}", notes(&scene));
    }
}

#[test]
fn what_extensions_say_is_read_or_said() {
    let used = |names: Value| arm().with("/extensionsUsed", names);
    let older = json!({"KHR_materials_pbrSpecularGlossiness": {"diffuseFactor": [0, 0, 1, 1]}});
    let document =
        used(json!(["KHR_materials_pbrSpecularGlossiness"])).with("/materials/0/extensions", older);
    let read = figure(&document);
    let [r, g, b, alpha] = read.meshes[0].look.color;
    assert!(
        (b - 1.0).abs() < 1e-12 && (r, g, alpha) == (0.0, 0.0, 1.0),
        "{:?}",
        read.meshes[0].look
    );
    assert!(read.notes.is_empty(), "{:?}", read.notes);

    let hide = json!({"KHR_node_visibility": {"visible": false}});
    for (place, nodes) in [("/nodes/0/extensions", 1), ("/nodes/3/extensions", 4)] {
        let document = used(json!(["KHR_node_visibility"]))
            .with("/nodes/3", json!({"children": [0, 1]}))
            .with("/scenes/0/nodes", json!([3]))
            .with(place, hide.clone());
        let read = figure(&document);
        assert_eq!(read.meshes.len(), 0, "{place}: {nodes}");
        assert_eq!(read.notes, ["nodes[0] is hidden: its mesh is ignored"], "{place}");
    }
    let shown = json!({"KHR_node_visibility": {}});
    assert_eq!(figure(&arm().with("/nodes/0/extensions", shown)).meshes.len(), 1);

    let names =
        json!(["VRM", "EXT_mesh_gpu_instancing", "KHR_mesh_quantization", "KHR_lights_punctual"]);
    let expected = [
        "ignored: appearance settings of KHR_lights_punctual",
        "ignored: extensions EXT_mesh_gpu_instancing, VRM",
    ];
    assert_eq!(figure(&used(names)).notes, expected);
}

#[test]
fn compressed_data_is_refused_where_nothing_else_is_there() {
    let error = scene("03_compressed_not_required", |_| {}).unwrap_err();
    let draco = "meshes[0].primitives[0]: its data is compressed with KHR_draco_mesh_compression: export the figure without compression";
    assert!(error.contains(draco), "{error}");
    // With a fallback the file is valid, and so is a file that has only sparse values.
    let with_views =
        |it: &mut Value| (0..3).for_each(|k| it["accessors"][k]["bufferView"] = k.into());
    assert!(scene("03_compressed_not_required", with_views).is_ok());
    let indices_alone =
        |it: &mut Value| (0..2).for_each(|k| it["accessors"][k]["bufferView"] = k.into());
    assert!(scene("03_compressed_not_required", indices_alone).unwrap_err().contains(draco));

    for name in ["EXT_meshopt_compression", "KHR_meshopt_compression"] {
        let fallback = json!({"byteLength": 64, "extensions": {name: {"fallback": true}}});
        let view = json!({"buffer": 1, "byteLength": 64, "extensions": {name: {"buffer": 0}}});
        let by_buffer = arm().with("/buffers/1", fallback);
        let by_view =
            arm().with("/buffers/1", json!({"byteLength": 64})).with("/bufferViews/9", view);
        for document in [by_buffer, by_view] {
            let error = read_alone(&document.embedded()).unwrap_err().to_string();
            let expected = format!(
                "buffers[1]: its data is compressed with {name}: export the figure without compression"
            );
            assert_eq!(error, expected);
        }
    }
}

/// Some exporters encode names, others do not.
#[test]
fn names_of_buffers_may_have_bare_percent_signs() {
    let path = repository("tests/defects/media/10_percent_uri.ron");
    load(&SceneText::read(&path).unwrap(), &[]).unwrap();
    let document = arm();
    // A URI, and the name of the existing file.
    for (uri, file) in [
        ("a 10%.bin", "a 10%.bin"),
        ("a%2010%25.bin", "a 10%.bin"),
        ("100%", "100%"),
        ("%zz%4.bin", "%zz%4.bin"),
        ("%+5.bin", "%+5.bin"),
        ("a%20b.bin", "a b.bin"),
        ("a%20b.bin", "a%20b.bin"),
        ("./sub%2fa.bin", "sub/a.bin"),
    ] {
        let mut files = |name: &str, _| {
            let found = (name == file).then(|| document.data.clone());
            found.ok_or_else(|| "there is no such file".to_owned())
        };
        let read = read(&document.with_buffer_at(uri), &mut files, &Limits::default());
        assert!(read.is_ok(), "{uri}: {read:?}");
    }
    for uri in ["..%2fa.bin", "%2e%2e/a.bin", "..%/../../a", "/a%.bin"] {
        let mut files = |_: &str, _| Ok(document.data.clone());
        assert!(
            read(&document.with_buffer_at(uri), &mut files, &Limits::default()).is_err(),
            "{uri}"
        );
    }
    assert!(read_figure("simple_skin.gltf").is_ok());
}

/// Vertex colours in all forms of glTF: linear light multiplied by the material's colour, which is
/// (1, 0.5, 0).
#[test]
fn colours_of_vertices_multiply_those_of_the_material() {
    let light = [[1.0_f32, 1.0, 1.0], [0.5, 0.5, 0.5], [0.0, 1.0, 0.0], [1.0, 0.0, 1.0]];
    let alpha = light.map(|[r, g, b]| [r, g, b, 0.5]);
    type Adds = fn(&mut Document, [[f32; 4]; 4]) -> usize;
    let with_three: Adds = |it, all| it.accessor(&all.map(|[r, g, b, _]| [r, g, b]));
    let forms: [(Adds, u8); 4] = [
        (with_three, 0),
        (|it, all| it.accessor(&all), 0),
        (|it, all| it.normalized(&all.map(|row| row.map(|part| (255.0 * part) as u8))), 2),
        (|it, all| it.normalized(&all.map(|row| row.map(|part| (65_535.0 * part) as u16))), 0),
    ];
    // encode(0.5) = 0.735 and encode(0.25) = 0.537, of 255.
    let wanted = [[255, 188, 0], [188, 137, 0], [0, 188, 0], [255, 0, 0]];
    for (add, off) in forms {
        let mut document = arm();
        let colors = add(&mut document, alpha);
        let document = document.with("/meshes/0/primitives/0/attributes/COLOR_0", colors.into());
        let found = figure(&document).meshes[0].colors.clone().unwrap();
        let differs = |(a, b): (&u8, &u8)| a.abs_diff(*b) > off;
        let mut both = found.as_flattened().iter().zip(wanted.as_flattened());
        assert!(!both.any(differs), "{found:?}");
    }
    let mut document = arm();
    let colors = document.accessor(&light[..3]);
    let document = document.with("/meshes/0/primitives/0/attributes/COLOR_0", colors.into());
    let error = read_alone(&document.embedded()).unwrap_err().to_string();
    assert!(error.contains("COLOR_0: accessors[9] has 3 elements, expected 4"), "{error}");
}

/// A face whose vertices have one colour looks like a material of this colour.
#[test]
fn colours_of_vertices_are_drawn() {
    let picture = |document: &Document, fields: &str| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("arm.gltf"), document.embedded()).unwrap();
        let text = format!(
            "(base: (size: (96, 96), frames: 2, decoration: Bare, rig: (file: \"arm.gltf\"), {fields}))"
        );
        let origin = folder.path().join("scene.ron").display().to_string();
        let scene = load(&SceneText { origin, name: "arm".into(), text }, &[]).unwrap();
        draw(&scene, 0).unwrap()
    };
    let view = "gravity: (0, 0, 0), camera: (eye: (0, 1, 5), target: (0, 1, 0))";
    let plain = arm().with("/materials/0/alphaMode", "OPAQUE".into());
    let mut colored = plain.clone().with("/materials", json!([{}]));
    let colors = colored.accessor(&[[1.0_f32, 0.5, 0.0]; 4]);
    let colored = colored.with("/meshes/0/primitives/0/attributes/COLOR_0", colors.into());
    let (plain, colored) = (picture(&plain, view), picture(&colored, view));
    let is_red = |pixel: &image::Rgb<u8>| pixel.0[0] > pixel.0[2].saturating_add(60);
    assert!(plain.pixels().filter(|pixel| is_red(pixel)).count() > 300, "{view}");
    let off = plain.as_raw().iter().zip(colored.as_raw()).filter(|(a, b)| a.abs_diff(**b) > 1);
    assert_eq!(off.count(), 0, "{view}");
}
