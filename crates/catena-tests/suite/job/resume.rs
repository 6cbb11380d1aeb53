//! A render that continues the work of an earlier one gives the same bytes as a render that was
//! never stopped.

use crate::rendered::{Bench, TINY, copy, manifest_is_exact, tree};
use catena::{
    output::{checkpoint::Checkpoints, manifest::Manifest},
    render::{BodyCheckpoint, PanelRun},
};
use std::{fs, path::Path};

/// Options to write a checkpoint every 4 frames.
const EVERY: [&str; 2] = ["--checkpoint-every", "4"];

/// A bench with a render of 10 frames to continue, "ten", and uninterrupted renders of 20 frames:
/// "whole", and "other" of another scene.
fn bench() -> Bench {
    let bench = Bench::new(TINY);
    bench.render("whole", &["-q"], 0);
    bench.render("other", &["-q", "--set", "drag=0.5"], 0);
    bench.render("ten", &["-q", "--frames", "10", EVERY[0], EVERY[1]], 0);
    assert_eq!(bench.tree("whole").len(), 22);
    bench
}

/// Names of catena's internal files.
fn private(out: &Path) -> Vec<String> {
    let entries = fs::read_dir(out.join(".catena")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name != ".gitignore").collect();
    names.sort();
    names
}

fn overwrite(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    change(&mut bytes);
    fs::write(path, bytes).unwrap();
}

fn flip(path: &Path) {
    overwrite(path, |bytes| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
    });
}

fn halve(path: &Path) {
    overwrite(path, |bytes| bytes.truncate(bytes.len() / 2));
}

/// Replaces a file by something else.
fn replace(path: &Path, put: impl FnOnce(&Path)) {
    fs::remove_file(path).unwrap();
    put(path);
}

#[cfg(unix)]
fn link(target: &Path) -> impl Fn(&Path) + '_ {
    move |path| std::os::unix::fs::symlink(target, path).unwrap()
}

#[cfg(not(unix))]
fn link(target: &Path) -> impl Fn(&Path) + '_ {
    move |path| drop(fs::copy(target, path).unwrap())
}

/// A change of a folder of 10 frames, and the number of frames that are then drawn to extend it to
/// 20.
type Damage = (&'static str, fn(&Path), u64);

/// Changes of pictures.
const FRAMES: &[Damage] = &[
    ("nothing", |_| (), 10),
    ("a frame is gone", |o| fs::remove_file(o.join("frame_00003.png")).unwrap(), 11),
    ("one bit of a frame is another", |o| flip(&o.join("frame_00000.png")), 11),
    ("a frame is torn", |o| halve(&o.join("frame_00009.png")), 11),
    ("a frame is empty", |o| fs::write(o.join("frame_00004.png"), "").unwrap(), 11),
    (
        "frames have changed places",
        |o| fs::rename(o.join("frame_00007.png"), o.join("frame_00008.png")).unwrap(),
        12,
    ),
    (
        "a frame is a link to its very bytes",
        |o| replace(&o.join("frame_00002.png"), link(&o.with_file_name("ten/frame_00002.png"))),
        if cfg!(unix) { 11 } else { 10 },
    ),
    ("the steady state is damaged", |o| flip(&o.join("steady.png")), 10),
];

/// Changes of the manifest, after which all frames are drawn.
const MANIFESTS: &[Damage] = &[
    ("the manifest is no JSON", |o| fs::write(o.join("manifest.json"), "{").unwrap(), 20),
    ("the manifest is torn", |o| halve(&o.join("manifest.json")), 20),
    ("the manifest is empty", |o| fs::write(o.join("manifest.json"), "").unwrap(), 20),
    (
        "the manifest lies about a frame",
        |o| {
            let path = o.join("manifest.json");
            let text = fs::read_to_string(&path).unwrap();
            let entry = Manifest::read(o).unwrap().unwrap().frames.swap_remove(6);
            fs::write(path, text.replace(&entry.sha256, &"0".repeat(64))).unwrap();
        },
        20,
    ),
    (
        "the manifest names a file elsewhere",
        |o| {
            let path = o.join("manifest.json");
            let text = fs::read_to_string(&path).unwrap();
            fs::write(path, text.replace("\"frame_00001.png\"", "\"../secret\"")).unwrap();
        },
        20,
    ),
];

/// Changes of catena's internal files.
const PRIVATE: &[Damage] = &[
    ("the last checkpoint is torn", |o| halve(&o.join(".catena/state_0000009")), 10),
    (
        "no checkpoint is whole",
        |o| {
            flip(&o.join(".catena/state_0000009"));
            fs::write(o.join(".catena/state_0000008"), "").unwrap();
            fs::write(o.join(".catena/state_0000004"), [0xff; 4096]).unwrap();
        },
        10,
    ),
    (
        "the checkpoints are another scene's",
        |o| {
            let name = o.join(".catena/state_0000009");
            fs::copy(o.with_file_name("other/.catena/state_0000019"), name).unwrap();
        },
        10,
    ),
    ("what only catena needs is gone", |o| fs::remove_dir_all(o.join(".catena")).unwrap(), 10),
    (
        "a file lies in its place",
        |o| {
            fs::remove_dir_all(o.join(".catena")).unwrap();
            fs::write(o.join(".catena"), "no folder").unwrap();
        },
        10,
    ),
    (
        "a journal is garbage",
        |o| fs::write(o.join(".catena/journal"), b"\xff\n\xfe{}\n[]").unwrap(),
        10,
    ),
    (
        "a killed render left a file without a final name",
        |o| fs::write(o.join(".catena/.catena-y.part"), "half").unwrap(),
        10,
    ),
];

#[test]
fn a_longer_render_goes_on_whatever_happened_to_the_shorter_one() {
    let bench = bench();
    let ten = bench.path("ten");
    assert_eq!(
        private(&ten),
        ["holder", "lock", "state_0000004", "state_0000008", "state_0000009"]
    );
    let whole = bench.tree("whole");
    for (what, damage, expected) in [FRAMES, MANIFESTS, PRIVATE].into_iter().flatten() {
        let out = bench.path("case");
        copy(&ten, &out);
        damage(&out);
        let (drawn, notes) = bench.drawn("case", &EVERY);
        assert_eq!(bench.tree("case"), whole, "{what}");
        assert_eq!(drawn, *expected, "{what}");
        assert_eq!(drawn == 20, notes.contains("manifest.json"), "{what}: {notes}");
        manifest_is_exact(&out);
        // With the files that now exist, nothing remains to be done.
        assert_eq!(bench.drawn("case", &[]).0, 0, "{what}");
        assert_eq!(bench.tree("case"), whole, "{what}");
        fs::remove_dir_all(out).unwrap();
    }
}

#[test]
fn what_is_in_the_way_is_named() {
    let bench = bench();
    let cases: &[(&str, &dyn Fn(&Path), &[&str])] = &[
        (
            "a folder has the name of a frame",
            &|o| replace(&o.join("frame_00003.png"), |path| fs::create_dir(path).unwrap()),
            &["frame_00003.png"],
        ),
        (
            "a folder has the name of the manifest",
            &|o| replace(&o.join("manifest.json"), |path| fs::create_dir(path).unwrap()),
            &["manifest.json", "--out"],
        ),
        (
            "nothing says that the frames are catena's",
            &|o| {
                fs::remove_file(o.join("manifest.json")).unwrap();
                fs::remove_dir_all(o.join(".catena")).unwrap();
            },
            &["frame_00000.png", "manifest.json", "--out"],
        ),
    ];
    for (what, damage, words) in cases {
        let out = bench.path("case");
        copy(&bench.path("ten"), &out);
        damage(&out);
        let message = bench.render("case", &["-q"], 5);
        for word in *words {
            assert!(message.contains(word), "{what}: {word} is not in {message}");
        }
        assert!(!message.contains(".part"), "{what}: {message}");
        assert!(out.join("frame_00009.png").is_file(), "{what}");
        fs::remove_dir_all(out).unwrap();
    }
}

#[test]
fn a_changed_source_renders_anew() {
    let bench = bench();
    fs::write(bench.path("font.ttf"), epaint_default_fonts::UBUNTU_LIGHT).unwrap();
    fs::write(bench.path("changed.ron"), TINY.replace("drag: 0.01", "drag: 0.02")).unwrap();
    let original = fs::read(bench.path("scene.ron")).unwrap();
    // Whether the scene text changes, the options, and the word in the note.
    let cases: &[(bool, &[&str], &str)] = &[
        (true, &[], "another scene text"),
        (false, &["--set", "drag=0.02"], "--set"),
        (false, &["--size", "80x64"], "size"),
        (false, &["--font", "font.ttf"], "font"),
    ];
    for (is_other_text, options, word) in cases {
        if *is_other_text {
            fs::copy(bench.path("changed.ron"), bench.path("scene.ron")).unwrap();
        }
        bench.render("fresh", &[&["-q"], *options].concat(), 0);
        copy(&bench.path("ten"), &bench.path("case"));
        let (drawn, notes) = bench.drawn("case", options);
        assert_eq!(drawn, 20, "{word}");
        assert!(notes.contains(word), "{word}: {notes}");
        assert_eq!(bench.tree("case"), bench.tree("fresh"), "{word}");
        let states = private(&bench.path("case"));
        assert!(!states.contains(&"state_0000009".into()), "{word}: {states:?}");
        fs::write(bench.path("scene.ron"), &original).unwrap();
        bench.remove(&["fresh", "case"]);
    }
    // Options that affect no picture keep the pictures: threads, checkpoints, messages.
    for options in
        [&["--threads", "1"][..], &["--threads", "8", "--checkpoint-every", "1"], &["--strict"]]
    {
        copy(&bench.path("ten"), &bench.path("case"));
        assert_eq!(bench.drawn("case", options).0, 10, "{options:?}");
        assert_eq!(bench.tree("case"), bench.tree("whole"), "{options:?}");
        fs::remove_dir_all(bench.path("case")).unwrap();
    }
}

#[test]
fn fewer_frames_and_ranges_keep_to_what_is_asked_for() {
    let bench = bench();
    bench.render("five", &["-q", "--frames", "5"], 0);
    let (drawn, notes) = bench.drawn("ten", &["--frames", "5"]);
    assert_eq!(drawn, 0);
    assert!(notes.contains("5 frames") && notes.contains("removed"), "{notes}");
    assert_eq!(bench.tree("ten"), bench.tree("five"));

    // From the end to the beginning, each range with the checkpoints of earlier ones.
    for (range, drawn) in [("15-19", 5), ("3-3", 1), ("0-16", 14), ("0-19", 0)] {
        assert_eq!(
            bench.drawn("parts", &["--frame-range", range, "--checkpoint-every", "3"]).0,
            drawn,
            "{range}"
        );
        manifest_is_exact(&bench.path("parts"));
    }
    assert_eq!(bench.tree("parts"), bench.tree("whole"));

    // Without the steady state, the picture does not exist; it is added later, and kept.
    bench.render("bare", &["-q", "--frames", "10", "--no-steady"], 0);
    assert_eq!(bench.drawn("bare", &["--no-steady"]).0, 10);
    assert!(!bench.path("bare/steady.png").exists());
    assert_eq!(bench.drawn("bare", &[]).0, 0);
    assert_eq!(bench.tree("bare"), bench.tree("whole"));
}

#[test]
fn checkpoints_are_what_a_render_goes_on_from() {
    let bench = bench();
    let out = bench.path("ten");
    // A checkpoint of frame 9 with the state of frame 11: everything after it is two frames early.
    let scene = crate::scene_of(TINY);
    let mut panel_runs: Vec<PanelRun> = scene.panels.iter().map(PanelRun::new).collect();
    for panel_run in &mut panel_runs {
        (0..11).for_each(|_| panel_run.advance_frame());
    }
    let points: Vec<Vec<BodyCheckpoint>> = panel_runs.iter().map(PanelRun::checkpoint).collect();
    let key = Manifest::read(&out).unwrap().unwrap().source.key();
    Checkpoints::new(&out.join(".catena"), &key).write(9, &(points, vec![0_u64; 2])).unwrap();

    let states = |out: &str| -> Vec<String> {
        let frames = Manifest::read(&bench.path(out)).unwrap().unwrap().frames;
        frames.into_iter().map(|entry| entry.state_sha256).collect()
    };
    copy(&out, &bench.path("all"));
    assert_eq!(bench.drawn("all", &["--no-steady"]).0, 10);
    let (all, right) = (states("all"), states("whole"));
    assert_eq!(all[..10], right[..10]);
    assert_eq!(all[10..18], right[12..20]);

    // A range also begins from this checkpoint, and from no checkpoint after its start.
    assert_eq!(bench.drawn("ten", &["--no-steady", "--frame-range", "12-13"]).0, 2);
    assert_eq!(states("ten")[10..], right[14..16]);
    fs::remove_file(bench.path("ten/frame_00006.png")).unwrap();
    assert_eq!(bench.drawn("ten", &["--no-steady", "--frame-range", "6-6"]).0, 1);
    assert_eq!(states("ten")[6], right[6]);

    // A checkpoint that does not fit the scene is ignored, even though it is complete.
    let other = crate::scene_of("Scene(base: (rope: (nodes: 5)))");
    let points = vec![PanelRun::new(&other.panels[0]).checkpoint(); 2];
    let checkpoints = Checkpoints::new(&bench.path("whole/.catena"), &key);
    checkpoints.write(19, &(points, vec![0_u64; 2])).unwrap();
    let before = tree(&bench.path("whole"));
    fs::remove_file(bench.path("whole/frame_00019.png")).unwrap();
    assert_eq!(bench.drawn("whole", &[]).0, 1);
    assert_eq!(bench.tree("whole"), before);
}

#[test]
fn divergence_is_told_again_when_every_picture_is_there() {
    let bench = Bench::new(
        "Scene(base: (size: (64, 64), frames: 20, decoration: Bare, rest: (limit: 30), integrator: ExplicitEuler))",
    );
    for options in [&["--strict"][..], &["--strict", "--no-steady"]] {
        for (out, expected) in [("new", 4), ("new", 4), ("short", 0), ("short", 4)] {
            // A checkpoint after the divergence records it.
            let frames = if expected == 0 { "5" } else { "20" };
            let args = [options, &["-q", "--checkpoint-every", "3", "--frames", frames]].concat();
            let message = bench.render(out, &args, expected);
            assert_eq!(message.contains("diverged at frame"), expected == 4, "{message}");
        }
        assert_eq!(bench.tree("new"), bench.tree("short"));
        bench.remove(&["new", "short"]);
    }
}

#[test]
fn threads_change_no_byte_of_what_goes_on() {
    let bench = bench();
    for threads in ["1", "2", "8"] {
        bench.render("new", &["-q", "--threads", threads], 0);
        copy(&bench.path("ten"), &bench.path("on"));
        bench.render("on", &["-q", "--threads", threads], 0);
        for name in ["new", "on"] {
            assert_eq!(bench.tree(name), bench.tree("whole"), "{name}, {threads} threads");
            fs::remove_dir_all(bench.path(name)).unwrap();
        }
    }
}
