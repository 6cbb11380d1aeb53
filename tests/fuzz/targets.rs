//! Fuzz targets: functions of arbitrary bytes. No target may panic, hang or exceed the memory
//! limits.

use super::{
    mutate::WORDS,
    outcome::{Outcomes, kind, names, only},
    recipe,
};
use catena::gltf;
use catena::output::{
    checkpoint, claim,
    flat::FlatEncoder,
    hash,
    journal::JournalContents,
    manifest::{FrameEntry, Manifest, SteadyEntry},
};
use catena::render::{BodyCheckpoint, Painter, PanelRun, text::Font};
use catena::scene::{Limits, Patch, Scene, SceneError, SceneText, limits::PlannedRun, load};
use catena::sim::{Simulation, run::batch::Batch};
use sha2::{Digest, Sha256};
use std::{fs, io::Write, sync::LazyLock};

/// A fuzz target.
pub struct Target {
    /// Name of the target and of its corpus.
    pub name: &'static str,
    /// Whether its input files are text.
    pub is_text: bool,
    /// Runs the target on arbitrary bytes.
    pub run: fn(&[u8]) -> Outcomes,
}

/// All fuzz targets.
pub const TARGETS: &[Target] = &[
    Target { name: "scene", is_text: true, run: scene },
    Target { name: "manifest", is_text: true, run: manifest },
    Target { name: "journal", is_text: true, run: journal },
    Target { name: "checkpoint", is_text: false, run: checkpoint },
    Target { name: "rendered_scene", is_text: false, run: rendered_scene },
    Target { name: "figure", is_text: false, run: figure },
];

/// Maximum length of an input.
pub const MAX_BYTES: usize = 4096;

static FONT: LazyLock<Font> = LazyLock::new(|| Font::built_in().expect("the built-in typeface"));

fn named(text: &str) -> SceneText {
    SceneText { origin: "fuzz.ron".into(), name: "fuzz".into(), text: text.into() }
}

/// Reads a scene file as `catena check` does. After a byte 0 there may be changes in the form of
/// `--set`, one per line.
pub fn scene(data: &[u8]) -> Outcomes {
    scene_by(data, check)
}

/// Reads a scene file as [`scene`] does, but without laying out a picture. Valid scenes of the
/// repository have the same outcomes in both targets.
pub fn scene_alone(data: &[u8]) -> Outcomes {
    scene_by(data, |text, patches| load_checked(text, patches).map(|_| "sound".into()))
}

fn scene_by(data: &[u8], check: fn(&[u8], &[Patch]) -> Result<String, SceneError>) -> Outcomes {
    let (text, patches) = match data.iter().position(|byte| *byte == 0) {
        Some(at) => (&data[..at], &data[at + 1..]),
        None => (data, &data[..0]),
    };
    let patches = String::from_utf8_lossy(patches);
    let patches: Vec<Patch> = patches.lines().filter_map(|line| line.parse().ok()).collect();
    match check(text, &patches) {
        Ok(outcome) => {
            let text = String::from_utf8_lossy(text);
            let names = names(&text, &WORDS).map(|name| format!("{outcome}: {name}"));
            names.chain([outcome.clone()]).collect()
        }
        Err(error) => {
            let message = error.to_string();
            assert!(!message.is_empty() && message.len() < 64 << 10, "{} bytes", message.len());
            only(kind(&message))
        }
    }
}

fn load_checked(text: &[u8], patches: &[Patch]) -> Result<Scene, SceneError> {
    let text = read(text)?;
    let scene = load(&text, patches)?;
    Limits::default().check_run(&text, &scene, &PlannedRun::of(&scene))?;
    Ok(scene)
}

fn check(text: &[u8], patches: &[Patch]) -> Result<String, SceneError> {
    let scene = load_checked(text, patches)?;
    // A picture that is too small for its panels gives an error message.
    Ok(match Painter::new(&scene, FONT.clone()) {
        Ok(painter) => {
            let [width, height] = scene.size;
            assert_eq!(painter.template().dimensions(), (width, height));
            "sound".into()
        }
        Err(error) => kind(&error.to_string()),
    })
}

/// Reads text directly, or through a file if only a file can hold it.
fn read(text: &[u8]) -> Result<SceneText, SceneError> {
    match str::from_utf8(text) {
        Ok(text) if !text.trim().is_empty() && !text.starts_with('\u{feff}') => Ok(named(text)),
        _ => {
            let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
            file.write_all(text).expect("room for a temporary file");
            SceneText::read(file.path())
        }
    }
}

/// Reads a manifest as it is, and again with a correct hash. A manifest that can be read can be
/// written and read back unchanged.
pub fn manifest(data: &[u8]) -> Outcomes {
    let mut outcomes = only(match Manifest::parse(data) {
        Ok(_) => "whole".into(),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            kind(&error.to_string())
        }
    });
    if let Ok(manifest) = serde_json::from_slice::<Manifest>(data) {
        let written = manifest.text().expect("a manifest is JSON");
        match Manifest::parse(written.as_bytes()) {
            Ok(parsed) => {
                assert_eq!(parsed, manifest);
                outcomes.insert("read again".into());
            }
            // The only other case is a frame whose name does not match its number.
            Err(error) => {
                assert!(error.to_string().contains("the file of frame"), "{error}");
                outcomes.insert("another name".into());
            }
        }
        assert_eq!(manifest.source.key().len(), 64);
    }
    outcomes
}

/// Reads a journal or claim as it is, and again with correct hashes, and the record of a finished
/// piece.
pub fn journal(data: &[u8]) -> Outcomes {
    let mut outcomes = Outcomes::new();
    let lines = data.split(|byte| *byte == b'\n').filter_map(|line| str::from_utf8(line).ok());
    for line in lines.clone() {
        let of_frame = serde_json::from_str::<FrameEntry>(line).map(|_| ());
        let of_steady = serde_json::from_str::<SteadyEntry>(line).map(|_| ());
        for (what, read) in [("frame", of_frame), ("steady state", of_steady)] {
            let read = read.map_or_else(|error| kind(&error.to_string()), |()| "sound".into());
            outcomes.insert(format!("a line as a {what}: {read}"));
        }
    }
    // The hash of the first line, which contains the key, does not depend on the key.
    let hashed: Vec<String> = lines
        .enumerate()
        .map(|(index, line)| hash::encode_line(if index == 0 { "" } else { "key" }, line))
        .collect();
    for data in [data, hashed.concat().as_bytes()] {
        if let Some(past) = JournalContents::parse(data) {
            assert_eq!(past.bytes, data.len());
            let lines = data.iter().filter(|byte| **byte == b'\n').count();
            let found = [past.entries.len(), past.files.len(), past.damaged];
            assert!(found.iter().sum::<usize>() <= lines);
            let found = found.map(|count| count.min(4));
            outcomes.insert(format!("entries, files and damaged lines: {found:?}"));
        }
        outcomes.insert(format!("a claim: {:?}", is_done(data)));
    }
    let done = hash::encode_line("key", &String::from_utf8_lossy(data));
    outcomes.insert(format!("a claim with its hash: {:?}", is_done(done.as_bytes())));
    outcomes
}

/// Whether bytes record finished frames, and a finished steady state.
fn is_done(data: &[u8]) -> [bool; 2] {
    let frames = claim::done::<Vec<FrameEntry>>(data, "key");
    [frames.is_some(), claim::done::<SteadyEntry>(data, "key").is_some()]
}

/// Scene of the corpus's checkpoints: its panels have every method that keeps state.
pub const CHECKPOINT_SCENE: &str = include_str!("checkpoint.ron");

static CHECKPOINTED: LazyLock<Scene> =
    LazyLock::new(|| load(&named(CHECKPOINT_SCENE), &[]).unwrap_or_else(|error| panic!("{error}")));

/// The state from which a render continues.
pub type Point = (Vec<Vec<BodyCheckpoint>>, Vec<u64>);

/// Reads a checkpoint as it is, and again with a correct hash, so that code after the hash check is
/// reached, too.
pub fn checkpoint(data: &[u8]) -> Outcomes {
    const MAGIC: &[u8] = b"catena checkpoint 3\n";
    const HASH: usize = 32;
    let mut outcomes = Outcomes::new();
    if checkpoint::parse::<Point>(data, "key").is_some() {
        outcomes.insert("whole".into());
    }
    let body = &data[..data.len().saturating_sub(HASH)];
    let page = body.strip_prefix(MAGIC).unwrap_or(data);
    // The key comes first.
    let (key, points) = match postcard::take_from_bytes::<String>(page) {
        Ok(parts) => parts,
        Err(error) => return only(format!("no key: {error}")),
    };
    outcomes.insert(match postcard::take_from_bytes::<Point>(points) {
        Ok((_, rest)) => format!("bytes behind the end: {}", rest.len().min(4)),
        Err(error) => format!("no checkpoint: {error}"),
    });
    let mut hashed = [MAGIC, page].concat();
    let hash = Sha256::digest(&hashed);
    hashed.extend_from_slice(&hash);
    let Some((_, (panels, _))) = checkpoint::parse::<Point>(&hashed, &key) else {
        outcomes.insert("not of this form".into());
        return outcomes;
    };
    for (index, (panel, points)) in CHECKPOINTED.panels.iter().zip(&panels).enumerate() {
        let mut panel_run = PanelRun::new(panel);
        let is_resumed = panel_run.resume(points);
        let bodies = points.len().min(4);
        outcomes.insert(format!(
            "panel {index} of {}, {bodies} bodies: {is_resumed}",
            panels.len().min(9)
        ));
        if is_resumed {
            panel_run.advance_frame();
            let saved: Vec<BodyCheckpoint> = panel_run.checkpoint();
            assert!(PanelRun::new(panel).resume(&saved), "a panel can go to where it was");
        }
    }
    outcomes
}

/// Reads a glTF file without any other files. If it is valid, a scene plays and draws it.
pub fn figure(data: &[u8]) -> Outcomes {
    let mut none = |_: &str, _: u64| Err("there is no other file".to_owned());
    if let Err(error) = gltf::read(data, &mut none, &gltf::Limits::default()) {
        assert!(!error.place.is_empty() && !error.message.is_empty());
        return only(kind(&error.message));
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("figure.glb"), data).expect("room for a temporary file");
    let text = "Scene(base: (size: (128, 96), gravity: (0, 0, 0), frame_time: 0.7, rig: (file: \"figure.glb\")))";
    let origin = folder.path().join("figure.ron").display().to_string();
    let text = SceneText { origin, name: "figure".into(), text: text.into() };
    // A clip may move a bone that another clip has scaled to zero, so not every figure is a rig.
    let scene = match load(&text, &[]) {
        Ok(scene) => scene,
        Err(error) => return only(kind(&error.to_string())),
    };
    let Ok(painter) = Painter::new(&scene, FONT.clone()) else { return only("too small") };
    let mut panel_runs: Vec<PanelRun> = scene.panels.iter().map(PanelRun::new).collect();
    panel_runs.iter_mut().for_each(PanelRun::advance_frame);
    let frames: Vec<_> = panel_runs.iter().map(|panel_run| panel_run.current().clone()).collect();
    painter.draw(&mut painter.canvas(), &frames);
    only("drawn")
}

/// Number of frames drawn of a random scene.
pub const FRAMES: usize = 10;

/// Makes a valid scene from the bytes and renders ten frames; some scenes are rendered twice.
pub fn rendered_scene(data: &[u8]) -> Outcomes {
    let is_used = render(data);
    let text = recipe::scene(data);
    names(&text, &WORDS).map(|name| format!("{name}: {is_used}")).collect()
}

/// Renders the scene of the recipe. Returns whether the scene was valid; the recipe makes few
/// invalid ones.
pub fn render(data: &[u8]) -> bool {
    let text = recipe::scene(data);
    let text = named(&text);
    let Ok(scene) = load(&text, &[]) else { return false };
    let Ok(painter) = Painter::new(&scene, FONT.clone()) else { return false };
    let once = frames(&scene, &painter, true);
    if data.len().is_multiple_of(4) {
        assert!(once == frames(&scene, &painter, false), "another run differs:\n{}", text.text);
    }
    true
}

/// Renders ten frames as PNG files. Simulations advance in a batch, or one by one with a checkpoint
/// in the middle; both give the same bytes.
fn frames(scene: &Scene, painter: &Painter<'_>, is_together: bool) -> Vec<Vec<u8>> {
    let mut panel_runs: Vec<PanelRun> = scene.panels.iter().map(PanelRun::new).collect();
    let (mut batch, mut canvas) = (Batch::default(), painter.canvas());
    let mut encoder = None;
    let mut files = Vec::with_capacity(FRAMES);
    for frame in 0..FRAMES {
        let panel_frames: Vec<_> =
            panel_runs.iter().map(|panel_run| panel_run.current().clone()).collect();
        painter.draw(&mut canvas, &panel_frames);
        let encoder =
            encoder.get_or_insert_with(|| FlatEncoder::new(painter.template(), canvas.changes()));
        let mut file = Vec::new();
        encoder.encode(canvas.changes(), &mut file);
        if is_together {
            let decoded = image::load_from_memory(&file).expect("a sound PNG file").into_rgb8();
            assert!(decoded == *canvas.image(), "the file shows another picture");
            let all = panel_runs.iter_mut().flat_map(PanelRun::simulations_mut);
            batch.advance_frames(&mut all.collect::<Vec<&mut Simulation>>());
            panel_runs.iter_mut().for_each(PanelRun::update);
        } else {
            panel_runs.iter_mut().for_each(PanelRun::advance_frame);
            if frame == FRAMES / 2 {
                panel_runs = reread(scene, &panel_runs);
            }
        }
        files.push(file);
    }
    files
}

/// Saves and reloads the panel runs through the bytes of a checkpoint.
fn reread(scene: &Scene, panel_runs: &[PanelRun]) -> Vec<PanelRun> {
    let through = |(panel, panel_run): (_, &PanelRun)| {
        let bytes = postcard::to_stdvec(&panel_run.checkpoint()).expect("a checkpoint is bytes");
        let points: Vec<BodyCheckpoint> =
            postcard::from_bytes(&bytes).expect("bytes of a checkpoint");
        let mut panel_run = PanelRun::new(panel);
        assert!(panel_run.resume(&points), "a checkpoint fits the panel that it was made of");
        panel_run
    };
    scene.panels.iter().zip(panel_runs).map(through).collect()
}
