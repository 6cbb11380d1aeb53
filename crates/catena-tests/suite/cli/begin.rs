//! The first minute: `catena`, `catena new`, and a file in place of a command.

use crate::{catena, cli::names};
use catena::job::{TEMPLATES, Template, draw};
use catena::scene::{Scene, SceneText, load};
use std::{collections::BTreeSet, fs, path::Path};

/// Output of a command that must succeed.
fn printed(folder: &Path, words: &str) -> String {
    let run = catena().current_dir(folder).args(words.split_whitespace()).assert().success();
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

/// Message of a command that must fail because of wrong usage.
fn refused(folder: &Path, words: &str) -> String {
    let run = catena().current_dir(folder).args(words.split_whitespace()).assert().code(2);
    assert!(run.get_output().stdout.is_empty());
    String::from_utf8(run.get_output().stderr.clone()).unwrap()
}

#[test]
fn catena_alone_says_what_to_type_first() {
    let folder = tempfile::tempdir().unwrap();
    let page = printed(folder.path(), "");
    assert!(page.lines().count() < 16 && page.lines().all(|line| line.chars().count() <= 80));
    assert!(page.contains("  catena new rope  ") && page.contains("catena --help"), "{page}");
    assert_eq!(names(folder.path()), [""; 0]);
}

/// The commands that `catena new` proposes run unchanged.
#[test]
fn what_new_proposes_runs() {
    let folder = tempfile::tempdir().unwrap();
    let page = printed(folder.path(), "new first/compare");
    assert_eq!(
        fs::read_to_string(folder.path().join("first/compare.ron")).unwrap(),
        Template::of("compare").unwrap().text
    );
    let proposed = page.lines().filter_map(|line| line.strip_prefix("  catena "));
    let proposed: Vec<&str> =
        proposed.map(|line| line.split("   ").next().unwrap().trim()).collect();
    assert!(proposed.len() >= 3, "{page}");
    for words in proposed.iter().filter(|words| !words.starts_with("watch")) {
        let small = match words.starts_with("render") {
            true => " --frames 2 --size 320x180 -q",
            false => "",
        };
        printed(folder.path(), &format!("{words}{small}"));
    }
    assert_eq!(names(folder.path()), ["compare.gif", "first", "out"]);
    assert!(folder.path().join("out/compare/frame_00001.png").is_file());
}

#[test]
fn new_never_replaces_anything() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rope.ron");
    fs::write(&path, "mine").unwrap();
    let message = refused(folder.path(), "new");
    assert!(
        message.contains("rope.ron exists already") && message.contains("catena new rope_2.ron")
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", folder.path().join("link.ron")).unwrap();
        refused(folder.path(), "new link");
    }
    fs::create_dir(folder.path().join("scenes")).unwrap();
    fs::create_dir(folder.path().join("cloth.ron")).unwrap();
    refused(folder.path(), "new cloth");
    printed(folder.path(), "new scenes -t knot");
    printed(folder.path(), "new my.rope");
    let cases = [("scenes/knot.ron", "knot"), ("my.rope.ron", "rope")];
    for (file, template) in cases {
        let text = fs::read_to_string(folder.path().join(file)).unwrap();
        assert_eq!(text, Template::of(template).unwrap().text, "{file}");
    }
    for words in ["new --print -t cape", "new - -t cape"] {
        assert_eq!(printed(folder.path(), words), Template::of("cape").unwrap().text);
    }
}

#[test]
fn a_file_in_place_of_a_command_names_the_command() {
    let folder = tempfile::tempdir().unwrap();
    printed(folder.path(), "new rope");
    printed(folder.path(), "new sweep");
    fs::create_dir(folder.path().join("frames")).unwrap();
    fs::write(folder.path().join("frames/manifest.json"), "{}").unwrap();
    for (words, expected) in [
        (
            "rope.ron --frames 3",
            "rope.ron is a scene; to render it, run: catena render rope.ron --frames 3\n",
        ),
        (
            "sweep.ron --plan",
            "sweep.ron is a sweep; to run it, run: catena sweep sweep.ron --plan\n",
        ),
        ("other.ron", "other.ron does not exist; to create it, run: catena new other.ron\n"),
        ("frames", "to create a film, run: catena film frames -o film.gif\n"),
        ("rendr rope.ron", "'render'"),
    ] {
        let message = refused(folder.path(), words);
        assert!(message.contains(expected), "{words}: {message}");
    }
}

/// The scene of a template.
fn scene(template: &Template) -> Scene {
    let text = SceneText {
        origin: template.name.into(),
        name: template.name.into(),
        text: template.text.into(),
    };
    load(&text, &[]).unwrap_or_else(|error| panic!("{}", error.report(false)))
}

/// Every template can be drawn, shows something, and moves.
#[test]
fn every_template_is_drawn() {
    let mut drawn = 0;
    for template in TEMPLATES.iter().filter(|template| !template.is_sweep) {
        let mut scene = scene(template);
        (scene.size, scene.frames) = ([320, 180], 13);
        let frames = [0, 12].map(|frame| draw(&scene, frame).unwrap());
        assert_ne!(frames[0].as_raw(), frames[1].as_raw(), "{} stands still", template.name);
        let colors: BTreeSet<[u8; 3]> = frames[1].pixels().map(|pixel| pixel.0).collect();
        assert!(colors.len() > 40, "{}: {} colours", template.name, colors.len());
        drawn += 1;
    }
    assert!(drawn >= 5);
}

/// A template is a file for people: it has short lines, a comment about its picture, and comments
/// on its settings. `catena check` has no warnings, except about differences that are the purpose
/// of a comparison.
#[test]
fn templates_are_commented_and_sound() {
    let folder = tempfile::tempdir().unwrap();
    for template in TEMPLATES {
        let Template { name, text, .. } = template;
        assert!(text.starts_with("// ") && text.is_ascii() && text.ends_with(")\n"), "{name}");
        assert!(text.matches("//").count() >= 6, "{name} has few comments");
        assert!(text.matches("`catena ").count() >= 1, "{name} names no command");
        for line in text.lines() {
            assert!(line.len() <= 120, "{name}: {line}");
        }
        printed(folder.path(), &format!("new {name}"));
        if !template.is_sweep {
            let message = printed(folder.path(), &format!("check {name}.ron"));
            let warnings = message.lines().filter(|line| line.contains("warning:")).count();
            let expected = match *name {
                "compare" => 1,
                "homework" => 2,
                _ => 0,
            };
            assert_eq!(warnings, expected, "{message}");
        }
    }
}

#[test]
fn the_template_of_a_sweep_runs() {
    let folder = tempfile::tempdir().unwrap();
    printed(folder.path(), "new sweep");
    printed(folder.path(), "sweep sweep.ron --frames 4 -q");
    let table = fs::read_to_string(folder.path().join("out/sweep/sweep/table.csv")).unwrap();
    assert_eq!(table.lines().count(), 1 + 3 * 21 * 4);
}
