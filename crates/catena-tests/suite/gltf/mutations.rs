//! Thousands of slightly invalid files: each gives an error message or a figure, never a panic.

use super::document::arm;
use super::{Method, read_alone, skinned};
use crate::{cases, repository};
use catena::gltf::{Figure, Limits, read};
use catena::render::{Painter, PanelRun, text::Font};
use catena::scene::{SceneText, load};
use catena::sim::drive::rig::{Animation, Blend, Layer, Pose};
use catena_tests::Random;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::Command;
use std::sync::Arc;

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "7",
    "9",
    "-1",
    "0.5",
    "1e9",
    "1e38",
    "1e300",
    "1e-300",
    "-0.0",
    "255",
    "256",
    "5120",
    "5121",
    "5122",
    "5123",
    "5125",
    "5126",
    "65535",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "18446744073709551615",
    "1e999",
    "null",
    "\"0\"",
    "[]",
];

/// Changes a few bytes.
fn flip(bytes: &mut [u8], random: &mut Random) {
    for _ in 0..=random.below(4) {
        let (at, bit) = (random.below(bytes.len()), random.below(8));
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= 1 << bit;
        }
    }
}

/// Replaces some numbers in the text by others.
fn renumber(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let from = random.below(bytes.len());
        let is_digit = |byte: &u8| b"+-.0123456789eE".contains(byte);
        let Some(start) = bytes[from..].iter().position(u8::is_ascii_digit) else { return };
        let start = from + start;
        let end = start + bytes[start..].iter().take_while(|byte| is_digit(byte)).count();
        let number = NUMBERS[random.below(NUMBERS.len())];
        bytes.splice(start..end, number.bytes());
    }
}

/// Removes bytes, truncates the file, or repeats a part of it.
fn cut(bytes: &mut Vec<u8>, random: &mut Random) {
    let range = random.range(bytes.len());
    match random.below(3) {
        0 => bytes.truncate(range.start),
        1 => drop(bytes.drain(range)),
        _ => {
            let part = bytes[range.clone()].to_vec();
            bytes.splice(range.end..range.end, part);
        }
    }
}

/// Swaps two parts of the file.
fn swap(bytes: &mut [u8], random: &mut Random) {
    let range = random.range(bytes.len());
    if let Some(middle) = bytes.get(range.clone()) {
        let by = random.below(middle.len() + 1);
        bytes[range].rotate_left(by);
    }
}

/// JSON pointers of all values.
fn pointers(value: &Value, path: &str, found: &mut Vec<String>) {
    found.push(path.into());
    match value {
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(k, v)| pointers(v, &format!("{path}/{k}"), found));
        }
        Value::Object(map) => {
            map.iter().for_each(|(key, v)| pointers(v, &format!("{path}/{key}"), found));
        }
        _ => {}
    }
}

/// Replaces some values in the JSON, which stays valid JSON.
fn restructure(root: &mut Value, random: &mut Random) {
    let mut all = Vec::new();
    pointers(root, "", &mut all);
    for _ in 0..=random.below(2) {
        let [to, from] = [0, 1].map(|_| all[random.below(all.len())].clone());
        let other = root.pointer(&from).cloned().unwrap_or_default();
        let Some(place) = root.pointer_mut(&to) else { continue };
        let number = NUMBERS[random.below(NUMBERS.len())];
        match (random.below(6), &mut *place) {
            (0, Value::Array(list)) => drop(list.pop()),
            (1, Value::Array(list)) if !list.is_empty() => {
                list.push(list[random.below(list.len())].clone());
            }
            (2, _) => *place = other,
            (3 | 4, Value::Number(_)) => *place = json!(random.below(12)),
            _ => *place = serde_json::from_str(number).unwrap_or_default(),
        }
    }
}

/// Makes the header of a GLB match the actual length of its JSON.
fn reheaded(mut bytes: Vec<u8>) -> Vec<u8> {
    let length = bytes.len() as u32;
    if let Some(header) = bytes.get_mut(8..12) {
        header.copy_from_slice(&length.to_le_bytes());
    }
    bytes
}

/// A case: one of the files, with one kind of mutation.
fn case(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = seeds[random.below(seeds.len())].clone();
    let is_glb = bytes.starts_with(b"glTF");
    match random.below(8) {
        0 => flip(&mut bytes, random),
        1 => renumber(&mut bytes, random),
        2 => cut(&mut bytes, random),
        3 => swap(&mut bytes, random),
        _ if is_glb => {
            let mut arm = arm();
            flip(&mut arm.data, random);
            restructure(&mut arm.root, random);
            bytes = arm.glb();
        }
        _ => {
            let mut root = serde_json::from_slice(&bytes).unwrap();
            restructure(&mut root, random);
            bytes = root.to_string().into();
        }
    }
    if is_glb && random.below(2) == 0 { reheaded(bytes) } else { bytes }
}

/// Plays a figure that was read, as a program would that considers it valid.
fn play(figure: &Figure) -> f64 {
    let (clip, _) = figure.all_clips().unwrap();
    let layers = vec![Layer::new(Arc::new(clip), Blend::Mix)];
    let animation = Animation::new(Arc::clone(&figure.skeleton), layers).unwrap();
    let mut pose = Pose::default();
    animation.pose(0.7, &mut pose);
    let methods = [Method::Linear, Method::DualQuaternion];
    let sum = |mesh| methods.map(|method| skinned(mesh, &pose, method).len());
    figure.meshes.iter().flat_map(sum).sum::<usize>() as f64
}

/// Makes a scene play a file in a folder, and draws a frame. Returns whether there was something to
/// draw.
fn draw(folder: &Path, bytes: &[u8], font: &Font) -> bool {
    std::fs::write(folder.join("changed.glb"), bytes).unwrap();
    let text = "(base: (size: (128, 96), gravity: (0, 0, 0), frame_time: 0.7, rig: (file: \"changed.glb\")))";
    let origin = folder.join("changed.ron").display().to_string();
    let text = SceneText { origin, name: "changed".into(), text: text.into() };
    let scene = match load(&text, &[]) {
        Ok(scene) => scene,
        Err(error) => {
            assert!(error.report(false).len() < 2000, "{error}");
            return false;
        }
    };
    let painter = Painter::new(&scene, font.clone()).unwrap();
    let mut panel_run = PanelRun::new(&scene.panels[0]);
    panel_run.advance_frame();
    painter.draw(&mut painter.canvas(), &[panel_run.current().clone()]);
    true
}

/// Address space of the process that reads all mutated files: the limit of figures in memory, and
/// the same amount for the process itself.
#[cfg(target_os = "linux")]
const MAX_KIB: u64 = 768 << 10;

/// The test below, in a separate process with a memory limit.
#[test]
#[cfg(target_os = "linux")]
fn changed_files_take_little_memory() {
    let name = "gltf::mutations::changed_files_are_read_or_refused_in_words";
    let limited =
        format!("ulimit -v {MAX_KIB}; exec \"$0\" --ignored --exact {name} --test-threads 1");
    let program = std::env::current_exe().unwrap();
    let output = Command::new("sh").args(["-c", &limited]).arg(program).output().unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && stdout.contains("1 passed"), "{}: {stdout}", output.status);
}

#[test]
#[cfg_attr(target_os = "linux", ignore = "the test above runs it")]
fn changed_files_are_read_or_refused_in_words() {
    let folder = repository("tests/figures");
    let file = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let seeds = [
        file("simple_skin.gltf"),
        file("RiggedSimple.gltf"),
        file("uneven.gltf"),
        arm().embedded(),
        arm().glb(),
        file("malformed/BoxWithInfinites.glb"),
    ];
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let (mut figures, mut drawn, mut places) = (0, 0, BTreeSet::new());
    let (scenes, font) = (tempfile::tempdir().unwrap(), Font::built_in().unwrap());
    // The file that the seeds refer to.
    let buffer = scenes.path().join("RiggedSimple0.bin");
    std::fs::write(buffer, file("RiggedSimple0.bin")).unwrap();
    for index in 0..cases(5_000) {
        let bytes = case(&seeds, &mut random);
        let mut files = |name: &str, maximum| {
            let data = catena::read::file(&folder.join(name), maximum);
            data.map_err(|error| error.to_string())
        };
        let reading = || {
            let found = read(&bytes, &mut files, &Limits::default());
            found.map(|figure| (play(&figure), draw(scenes.path(), &bytes, &font)))
        };
        match catch_unwind(AssertUnwindSafe(reading)) {
            Ok(Ok((_, is_drawn))) => {
                figures += 1;
                drawn += usize::from(is_drawn);
            }
            Ok(Err(error)) => {
                assert!(!error.place.is_empty() && !error.message.is_empty());
                assert!(error.to_string().len() < 900, "{error}");
                places.insert(error.place);
            }
            Err(_) => panic!("case {index} panics: {}", String::from_utf8_lossy(&bytes)),
        }
    }
    // Mutations must reach all parts of the reader, and some files must remain valid figures.
    let found = format!("{figures} figures, {drawn} drawn, errors in {} places", places.len());
    assert!(figures > 500 && drawn > 500 && places.len() > 300, "{found}");
    assert!(read_alone(&arm().glb()).is_ok());
}
