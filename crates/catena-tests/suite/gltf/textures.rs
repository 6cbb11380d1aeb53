//! Textures of base colours, their transparent parts and coordinates, and translucent materials.

use super::document::{Document, arm};
use super::read_alone;
use base64::{Engine, engine::general_purpose::STANDARD};
use catena::gltf::Wrap;
use catena::job::draw;
use catena::scene::{SceneText, load};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use serde_json::{Value, json};
use std::{fs, io::Cursor};

const RED: [u8; 4] = [220, 30, 30, 255];
const GREEN: [u8; 4] = [30, 200, 30, 255];
const BLUE: [u8; 4] = [30, 30, 220, 255];
const WHITE: [u8; 4] = [240, 240, 240, 255];
const NONE: [u8; 4] = [255, 255, 255, 0];

/// Four pixels: the two of the upper row, then those of the lower row.
fn png(pixels: [[u8; 4]; 4]) -> String {
    let image = RgbaImage::from_fn(2, 2, |x, y| Rgba(pixels[(2 * y + x) as usize]));
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::from(image).write_to(&mut bytes, ImageFormat::Png).unwrap();
    format!("data:image/png;base64,{}", STANDARD.encode(bytes.into_inner()))
}

/// The square of the arm, with an unfiltered texture whose upper edge is at the square's upper
/// edge.
fn textured(uri: String, material: Value) -> Document {
    let mut arm = arm();
    let places = arm.accessor(&[[0.0_f32, 1.0], [1.0, 1.0], [0.0, 0.0], [1.0, 0.0]]);
    arm.with("/meshes/0/primitives/0/attributes/TEXCOORD_0", places.into())
        .with("/textures", json!([{"source": 0, "sampler": 0}]))
        .with("/samplers", json!([{"magFilter": 9728}]))
        .with("/images", json!([{"uri": uri}]))
        .with("/materials", json!([material]))
}

fn base(more: Value) -> Value {
    let mut texture = json!({"baseColorTexture": {"index": 0}});
    texture.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({"pbrMetallicRoughness": texture, "doubleSided": true})
}

/// A frame of the square, which covers the pixels from (36, 24) to (60, 72).
fn picture(document: &Document) -> RgbImage {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("arm.gltf"), document.embedded()).unwrap();
    let view = "gravity: (0, 0, 0), background: \"#000000\", camera: (eye: (0, 1, 5),
        target: (0, 1, 0), projection: Orthographic, height: 4)";
    let text = format!(
        "(base: (size: (96, 96), frames: 2, decoration: Bare, rig: (file: \"arm.gltf\"), {view}))"
    );
    let origin = folder.path().join("scene.ron").display().to_string();
    let scene = load(&SceneText { origin, name: "arm".into(), text }, &[]).unwrap();
    draw(&scene, 0).unwrap()
}

/// Name of the colour in each quarter of the square.
fn quarters(picture: &RgbImage) -> [&'static str; 4] {
    [[42, 36], [54, 36], [42, 60], [54, 60]].map(|[x, y]| {
        let Rgb([r, g, b]) = *picture.get_pixel(x, y);
        let is_above = |a: u8, others: [u8; 2]| others.iter().all(|it| a > it.saturating_add(60));
        match () {
            () if is_above(r, [g, b]) => "red",
            () if is_above(g, [r, b]) => "green",
            () if is_above(b, [r, g]) => "blue",
            () if r.max(g).max(b) < 40 => "nothing",
            () => "white",
        }
    })
}

#[test]
fn textures_are_drawn_where_their_coordinates_say() {
    let four = || png([RED, GREEN, BLUE, WHITE]);
    let plain = textured(four(), base(json!({})));
    assert_eq!(quarters(&picture(&plain)), ["red", "green", "blue", "white"]);
    let figure = read_alone(&plain.embedded()).unwrap();
    assert!(figure.notes.is_empty(), "{:?}", figure.notes);

    let texture = "/materials/0/pbrMetallicRoughness/baseColorTexture";
    let transformed = |transform: Value| {
        let extensions = json!({"KHR_texture_transform": transform});
        plain.clone().with(&format!("{texture}/extensions"), extensions)
    };
    let sampled =
        |sampler: Value, transform: Value| transformed(transform).with("/samplers/0", sampler);
    let clamp = json!({"magFilter": 9728, "wrapS": 33071, "wrapT": 33071});
    let mirror = json!({"magFilter": 9728, "wrapS": 33648, "wrapT": 33648});
    let turn = json!({"rotation": std::f64::consts::FRAC_PI_2, "offset": [0, 1]});
    for (document, expected) in [
        (transformed(json!({"offset": [0.5, 0]})), ["green", "red", "white", "blue"]),
        (transformed(json!({"scale": [-1, 1]})), ["green", "red", "white", "blue"]),
        // A rotation of the coordinates to the left shows the picture rotated to the right.
        (transformed(turn), ["blue", "red", "white", "green"]),
        (sampled(clamp, json!({"offset": [0.5, 0]})), ["green", "green", "white", "white"]),
        (sampled(mirror, json!({"offset": [1, 1]})), ["white", "blue", "green", "red"]),
        (
            plain
                .clone()
                .with("/materials/0/pbrMetallicRoughness/baseColorFactor", json!([1, 0, 0, 1])),
            ["red", "nothing", "nothing", "red"],
        ),
    ] {
        assert_eq!(quarters(&picture(&document)), expected, "{}", document.root["materials"]);
    }
    // Another set of coordinates.
    let mut second = plain.clone().with(&format!("{texture}/texCoord"), 1.into());
    let swapped = second.accessor(&[[1.0_f32, 1.0], [0.0, 1.0], [1.0, 0.0], [0.0, 0.0]]);
    let second = second.with("/meshes/0/primitives/0/attributes/TEXCOORD_1", swapped.into());
    assert_eq!(quarters(&picture(&second)), ["green", "red", "white", "blue"]);
}

#[test]
fn holes_and_translucent_materials_show_what_is_behind() {
    let with_holes = || png([RED, NONE, [255, 255, 255, 100], GREEN]);
    let material = |more: Value| {
        let mut material = base(json!({}));
        material.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        textured(with_holes(), material)
    };
    let blend = material(json!({"alphaMode": "BLEND"}));
    for (document, expected) in [
        (material(json!({"alphaMode": "MASK"})), ["red", "nothing", "nothing", "green"]),
        (
            material(json!({"alphaMode": "MASK", "alphaCutoff": 0.3})),
            ["red", "nothing", "white", "green"],
        ),
        (blend.clone(), ["red", "nothing", "nothing", "green"]),
        (material(json!({})), ["red", "white", "white", "green"]),
    ] {
        assert_eq!(quarters(&picture(&document)), expected, "{}", document.root["materials"]);
    }
    let notes = read_alone(&blend.embedded()).unwrap().notes;
    assert_eq!(notes, ["1 blended texture with holes where its opacity is below 0.5"]);

    // Half of the light of an opaque square, in front of black.
    let square = |mode: &str| {
        let color = json!({"baseColorFactor": [1, 1, 1, 0.5]});
        arm().with("/materials", json!([{"alphaMode": mode, "pbrMetallicRoughness": color}]))
    };
    let [opaque, half] = ["OPAQUE", "BLEND"].map(|mode| {
        let Rgb(pixel) = *picture(&square(mode)).get_pixel(48, 48);
        f64::from(pixel[1])
    });
    assert!(opaque > 100.0 && (half / opaque - 0.5).abs() < 0.02, "{half} of {opaque}");
}

/// Smaller copies of a texture have its mean light, so that fine checkerboards are grey from a
/// distance.
#[test]
fn far_textures_have_their_mean_light() {
    let size = 64;
    let checks = RgbaImage::from_fn(size, size, |x, y| {
        Rgba(if (x + y) % 2 == 0 { [255; 4] } else { [0, 0, 0, 255] })
    });
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::from(checks).write_to(&mut bytes, ImageFormat::Png).unwrap();
    let uri = format!("data:image/png;base64,{}", STANDARD.encode(bytes.into_inner()));
    let document = textured(uri, base(json!({})));
    let figure = read_alone(&document.embedded()).unwrap();
    let texture = &figure.meshes[0].texture.as_ref().unwrap().texture;
    let sizes: Vec<[usize; 2]> = texture.levels.iter().map(|level| level.size).collect();
    assert_eq!(sizes, [64, 32, 16, 8, 4, 2, 1].map(|side| [side; 2]));
    assert_eq!((texture.wraps, texture.is_sharp), ([Wrap::Repeat; 2], true));
    // Half of the light is 188 of 255 in sRGB.
    for level in &texture.levels[1..] {
        assert!(level.pixels.iter().all(|pixel| *pixel == [188, 188, 188, 255]));
    }
    let drawn = picture(&document);
    let (first, all) = (drawn.get_pixel(40, 30), 37..59);
    for x in all {
        assert_eq!(drawn.get_pixel(x, 48).0[0].abs_diff(first.0[0]) / 4, 0, "column {x}");
    }
}

#[test]
fn textures_that_cannot_be_read_are_said() {
    let cut = |uri: String| uri[..uri.len() - 60].to_owned();
    let webp = format!("data:image/webp;base64,{}", STANDARD.encode("RIFF    WEBP"));
    let text = format!("data:image/png;base64,{}", STANDARD.encode("no picture"));
    let jpeg = format!("data:image/jpeg;base64,{}", STANDARD.encode([0xff, 0xd8, 0xff, 0xd9]));
    let fine = || png([RED, GREEN, BLUE, WHITE]);
    for (uri, why) in [
        (webp, "textures[0] is ignored: it is in WebP, not in PNG or JPEG"),
        (text, "textures[0] is ignored: it is neither in PNG nor in JPEG"),
        (jpeg, "textures[0] is ignored: its JPEG data is invalid"),
        (cut(fine()), "textures[0] is ignored: its PNG data is invalid"),
        ("skin.png".into(), "textures[0] is ignored: skin.png: there is no such file"),
        ("../skin.png".into(), "textures[0] is ignored: expected the name of a file"),
    ] {
        let figure = read_alone(&textured(uri, base(json!({}))).embedded()).unwrap();
        assert!(figure.notes.iter().any(|note| note.starts_with(why)), "{:?}", figure.notes);
        assert!(figure.meshes[0].texture.is_none());
    }
    let plain = textured(fine(), base(json!({})));
    for (change, value, why) in [
        ("/images", json!([]), "textures[0] is ignored: there is no image 0"),
        ("/samplers", json!([]), "textures[0] is ignored: there is no sampler 0"),
        ("/textures", json!([{}]), "textures[0] is ignored: it has no PNG or JPEG image"),
        (
            "/meshes/0/primitives/0/attributes/TEXCOORD_0",
            Value::Null,
            "meshes[0].primitives[0] has no texture coordinates, so its texture is ignored",
        ),
    ] {
        let figure = read_alone(&plain.clone().with(change, value).embedded()).unwrap();
        assert!(figure.notes.iter().any(|note| note == why), "{:?}", figure.notes);
    }
    let error = read_alone(&plain.with("/textures", json!([])).embedded()).unwrap_err();
    assert!(error.to_string().contains("there is no texture"), "{error}");
}

/// Mean brightness of the ground in the shadow of each quarter of the square, which is horizontal
/// above the ground. The sun shines from the right, so the shadow is shifted by one to the left.
/// The lower edge of the square is at the top of the picture.
fn ground(document: &Document) -> [f64; 4] {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("arm.gltf"), document.embedded()).unwrap();
    let text = "(base: (size: (96, 96), frames: 2, decoration: Bare, gravity: (0, 0, 0),
        ground: (height: -1, size: 20), light: (direction: (1, 2, 0)),
        rig: (file: \"arm.gltf\", place: (0, 1, 0), turn: About(axis: (1, 0, 0), angle: 90)),
        camera: (eye: (0, 3, 1), target: (0, -1, 1), up: (0, 0, -1), projection: Orthographic,
            height: 4)))";
    let origin = folder.path().join("scene.ron").display().to_string();
    let text = text.to_string();
    let scene = load(&SceneText { origin, name: "arm".into(), text }, &[]);
    let scene = scene.unwrap_or_else(|error| panic!("{}", error.report(false)));
    let picture = draw(&scene, 0).unwrap();
    // The square covers -0.5 to 0.5 in x and 0 to 2 in z, which points downwards in the picture.
    [[18, 36], [30, 36], [18, 60], [30, 60]].map(|[x, y]| {
        let near = (0..25).map(|k| picture.get_pixel(x - 2 + k % 5, y - 2 + k / 5));
        near.map(|pixel| f64::from(pixel.0[1])).sum::<f64>() / 25.0
    })
}

#[test]
fn holes_of_textures_let_the_sun_through() {
    let masked = |pixels: [[u8; 4]; 4]| {
        let mut material = base(json!({}));
        material["alphaMode"] = "MASK".into();
        textured(png(pixels), material)
    };
    let whole = ground(&masked([RED; 4]));
    let none = ground(&masked([NONE; 4]));
    let some = ground(&masked([RED, NONE, NONE, GREEN]));
    let dark = whole;
    for k in 0..4 {
        assert!(whole[k] < none[k] - 20.0, "no shadow: {whole:?}, {none:?}");
    }
    let lit = [0, 1, 2, 3].map(|k| some[k] > dark[k] + 10.0);
    assert_eq!(lit, [true, false, false, true], "{some:?}, {whole:?}, {none:?}");
}
