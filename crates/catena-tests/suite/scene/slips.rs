//! Mistakes in scenes and options: each gets a message that points at it and says what to do.

use crate::catena;
use std::fs;

/// Mistakes with their complete messages: `> ` precedes a line of a scene, `$ ` a change from the
/// command line.
const SLIPS: &str = include_str!("slips.txt");

/// Other arguments, and the first words of the message.
const ARGUMENTS: &[(&[&str], &str)] = &[
    (
        &["render", "scenes/rope.ron", "--frames", "ten"],
        "error: invalid value 'ten' for '--frames <N>': expected a whole number from 1 to 1000000000\n",
    ),
    (
        &["render", "scenes/rope.ron", "--frames", "0"],
        "error: invalid value '0' for '--frames <N>': expected a whole number from 1 to 1000000000\n",
    ),
    (
        &["render", "scenes/rope.ron", "--threads", "-1"],
        "error: invalid value '-1' for '--threads <N>': expected a whole number from 1 to 1024\n",
    ),
    (
        &["render", "scenes/rope.ron", "--size", "1280"],
        "error: invalid value '1280' for '--size <WxH>': expected WxH such as 1280x720, with each side from 64 to 8192, or up to 16384 with --unlimited\n",
    ),
    (
        &["render", "scenes/rope.ron", "--fps", "30"],
        "error: --fps is an option for films and needs --film FILE\n",
    ),
    (
        &["render", "scenes/rope.ron", "--preset", "medium"],
        "error: --preset is an option for films and needs --film FILE\n",
    ),
    (
        &["render", "scenes/rope.ron", "--ffmpeg-patience", "60"],
        "error: --ffmpeg-patience is an option for films and needs --film FILE\n",
    ),
    (
        &["render", "scenes/rope.ron", "--film", "rope.avi"],
        "error: rope.avi has no known film format: use .mp4, .mov, .mkv, .webm, .gif, .apng, .webp, .y4m or .raw, or --format\n",
    ),
    (
        &["check", "scenes/rop.ron"],
        "error: scenes/rop.ron: cannot be read: No such file or directory (os error 2)\n │\n ╰ help: did you mean scenes/rope.ron?\n",
    ),
    (
        &["check", "rope.ron"],
        "error: rope.ron: cannot be read: No such file or directory (os error 2)\n │\n ╰ help: did you mean scenes/rope.ron?\n",
    ),
    (
        &["check", "scenes/rope"],
        "error: scenes/rope: cannot be read: No such file or directory (os error 2)\n │\n ╰ help: did you mean scenes/rope.ron?\n",
    ),
    (
        &["check", "scene/rope.ron"],
        "error: scene/rope.ron: cannot be read: No such file or directory (os error 2)\n │\n ╰ help: did you mean scenes/rope.ron?\n",
    ),
    (
        &["check", "elsewhere/rope.ron"],
        "error: elsewhere/rope.ron: cannot be read: No such file or directory (os error 2)\n │\n ╰ help: did you mean scenes/rope.ron?\n",
    ),
    (
        &["check", "scenes/Rope.rn"],
        "error: scenes/Rope.rn: cannot be read: No such file or directory (os error 2)\n │\n ╰ help: did you mean scenes/rope.ron?\n",
    ),
    (
        &["check", "picture.png"],
        "error: picture.png: this is a PNG picture, not a scene file\n │\n ╰ help: specify a scene, a text file that ends in .ron\n",
    ),
    (
        &["check", "wide.ron"],
        "error: wide.ron: this is text in UTF-16, not a scene file\n │\n ╰ help: save it with the encoding UTF-8\n",
    ),
    (
        &["check", "zeros.ron"],
        "error: zeros.ron: this is a binary file, not a scene file\n │\n ╰ help: specify a scene, a text file that ends in .ron\n",
    ),
    (
        &["check", "empty.ron"],
        "error: empty.ron:1:1: the file is empty\n1 │\n  │ ━\n  │\n  ╰ help: the shortest scene is `Scene()`; see docs/scene-format.md\n",
    ),
    (
        &["check", "scenes/rope.ron", "--set", "rope.nodes:8"],
        "error: invalid value 'rope.nodes:8' for '--set <PATH=VALUE>': expected PATH=VALUE: write rope.nodes=8\n",
    ),
    (
        &["check", "scenes/rope.ron", "--set", "rope.nodes=8,drag=1"],
        "error: invalid value 'rope.nodes=8,drag=1' for '--set <PATH=VALUE>': write a separate --set for each change: --set rope.nodes=8 --set drag=1\n",
    ),
    (
        &["check", "scenes/rope.ron", "--set", "drag=0,5"],
        "error: invalid value 'drag=0,5' for '--set <PATH=VALUE>': `0,5` is more than one value; a vector needs parentheses: 'drag=(0,5)'; a decimal is written with a point: drag=0.5\n",
    ),
    (
        &["check", "scenes/rope.ron", "--set", "drag=−1"],
        "error: invalid value 'drag=−1' for '--set <PATH=VALUE>': `−` (U+2212) is not a minus sign; write -1\n",
    ),
    (
        &["check", "scenes/rope.ron", "--set", "Rope.Nodes=8"],
        "error: --set Rope.Nodes=8: there is no field `Rope`\n1 │ Rope.Nodes=8\n  │ ━━━━ Rope\n  │\n  ╰ help: did you mean --set rope.nodes=8?\n",
    ),
    (
        &["check", "scenes/nothing_like_it.ron"],
        "error: scenes/nothing_like_it.ron: cannot be read: No such file or directory (os error 2)\n",
    ),
    (
        &["check", "scenes"],
        "error: scenes: this is a folder, not a scene file (Is a directory (os error 21))\n │\n ╰ help: specify a file in it, such as scenes/cloth.ron\n",
    ),
];

fn message(text: &str, args: &[&str]) -> String {
    let output =
        catena().args(["check", "-"]).args(args).env("NO_COLOR", "1").write_stdin(text).output();
    let output = output.unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    let code = output.status.code();
    assert!(matches!(code, Some(2 | 3)), "{text} {args:?}: {code:?} {message}");
    message
}

#[test]
fn slips_are_pointed_at_with_advice() {
    let mut count = 0;
    for block in SLIPS.split("\n\n") {
        let lines = |sign: &str| -> Vec<&str> {
            block.lines().filter_map(|line| line.strip_prefix(sign)).collect()
        };
        let (scene, set) = (lines("> ").join("\n"), lines("$ "));
        let is_message = |line: &&str| !line.starts_with("> ") && !line.starts_with("$ ");
        let expected: Vec<&str> = block.lines().filter(is_message).collect();
        let message = match set[..] {
            [set] => message("Scene()", &["--set", set]),
            _ => message(&scene, &[]),
        };
        // clap adds a second paragraph about --help.
        let first = message.split("\n\n").next().unwrap_or_default();
        assert_eq!(first.trim_end(), expected.join("\n"), "{scene}{set:?}");
        count += 1;
    }
    assert!(count > 220);
}

#[test]
#[cfg(unix)]
fn slips_in_other_arguments_say_what_would_be_right() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("scenes")).unwrap();
    for name in ["rope.ron", "cloth.ron", "notes.txt"] {
        fs::write(folder.path().join("scenes").join(name), "Scene()").unwrap();
    }
    for (name, bytes) in [
        ("picture.png", &b"\x89PNG\r\n\x1a\n\0\0"[..]),
        ("wide.ron", b"\xff\xfeS\0c\0"),
        ("zeros.ron", b"\xc3\0\0\xff"),
        ("empty.ron", b""),
    ] {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    for (words, expected) in ARGUMENTS {
        let output = catena().current_dir(&folder).args(*words).env("NO_COLOR", "1").output();
        let message = String::from_utf8(output.unwrap().stderr).unwrap();
        assert!(message.starts_with(expected), "{words:?}: {message}");
    }
}

#[test]
fn every_name_of_a_colour_is_one() {
    for name in catena::scene::COLOR_NAMES.split_whitespace() {
        let text = format!("Scene(base: (frames: 1, background: \"{name}\"))");
        crate::scene_of(&text);
    }
}

/// A value that looks like a mistake but is valid.
#[test]
fn sound_scenes_are_not_slips() {
    for text in [
        "Scene(title: \"it's 50% # = ; 1/60 (\")",
        "/* ' # */ Scene( // 1/60 = '\n base: (gravity: (0, -1_0.0), drag: 1e-3,), panels: [(), ()],)",
        "Scene(title: r#\"a \"quoted\" word\"#, base: (integrator: Rk4(), rope: (pins: [0, 1,])))",
    ] {
        crate::scene_of(text);
    }
}
