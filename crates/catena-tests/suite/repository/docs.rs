//! The documentation matches the program.

use super::{SOURCES, walk};
use crate::{catena, repository};
use catena::scene::{Limits, SceneText, Scope, default_of, fields, load, picture_sides};
use catena::sim::Simulation;
use std::{collections::BTreeSet, fs};

/// Rows of a table that describes every field, generated from the schema.
fn field_rows() -> Vec<String> {
    let rows = fields().into_iter().map(|field| {
        let default = default_of(&field.path).map_or("not set".into(), |text| {
            format!("`{}`", text.split_whitespace().collect::<Vec<_>>().join(" "))
        });
        let place = match field.scope {
            Scope::Scene => "base",
            Scope::Panel => "base, panel",
            Scope::Body => "anywhere",
        };
        let range = field.expected.replace('|', "\\|");
        format!(
            "| `{}` | {} | {} | {default} | {range} | {place} |",
            field.path, field.summary, field.unit
        )
    });
    rows.collect()
}

#[test]
fn the_scene_format_describes_every_field() {
    let text = fs::read_to_string(repository("docs/scene-format.md")).unwrap();
    let missing: Vec<String> =
        field_rows().into_iter().filter(|row| !text.contains(row.as_str())).collect();
    assert!(missing.is_empty(), "docs/scene-format.md lacks these rows:\n{}", missing.join("\n"));
    let described =
        text.lines().filter(|line| line.starts_with("| `") && line.matches(" | ").count() == 5);
    assert_eq!(
        described.count(),
        fields().len(),
        "docs/scene-format.md describes a field that is gone"
    );
}

#[test]
fn every_scene_is_valid_and_listed() {
    let list = fs::read_to_string(repository("scenes/README.md")).unwrap();
    let mut count = 0;
    for entry in fs::read_dir(repository("scenes")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "ron") {
            // On Linux, `the_program_ends_with_0_or_3_within_its_memory` checks this.
            if cfg!(not(target_os = "linux")) {
                catena().arg("check").arg(&path).assert().success();
            }
            let name = path.file_name().unwrap().to_str().unwrap();
            assert!(
                list.contains(&format!("render scenes/{name}")),
                "{name} has no command in scenes/README.md"
            );
            count += 1;
        }
    }
    assert!(count >= 12);
}

/// Each scene of the page is read in the folder scenes/, and runs for some frames without
/// diverging.
#[test]
fn scenes_of_the_page_on_animation_run() {
    let page = fs::read_to_string(repository("docs/animate.md")).unwrap();
    let origin = repository("scenes/mine.ron").display().to_string();
    let scenes = page.split("\n    (base: (\n").skip(1).map(|rest| {
        let lines = rest.lines().take_while(|line| line.starts_with("    "));
        format!("(base: (\n{}", lines.map(|line| format!("{line}\n")).collect::<String>())
    });
    let mut count = 0;
    for text in scenes {
        let text = SceneText { origin: origin.clone(), name: "mine".into(), text };
        let scene = load(&text, &[]).unwrap_or_else(|error| panic!("{}", error.report(false)));
        let mut simulation = Simulation::new(scene.panels[0].bodies[0].setup.clone());
        for _ in 0..12 {
            simulation.advance_frame();
        }
        let x = &simulation.state().x;
        assert!(x.iter().all(|x| x.abs() < 3.0), "{}", text.text);
        count += 1;
    }
    assert_eq!(count, 3);
}

#[test]
fn the_largest_picture_is_the_same_wherever_it_is_said() {
    let text = fs::read_to_string(repository("docs/scene-format.md")).unwrap();
    let limit = format!("| {} | pixels along a side of a picture", Limits::default().side);
    assert!(text.contains(&limit) && text.contains(&picture_sides()), "{limit}");
    let help = catena().args(["render", "--help"]).output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let words: Vec<&str> = help.split_whitespace().collect();
    let pixels = format!("at most {} pixels", Limits::default().pixels);
    for part in [picture_sides(), pixels] {
        assert!(words.join(" ").contains(&part), "{part}");
    }
    for (size, expected) in [
        ("8192x400", None),
        ("8193x400", Some("the limit of 8192")),
        ("16385x400", Some("to 8192, or up to 16384")),
    ] {
        let mut check = catena();
        let scene = repository("scenes/compare.ron");
        check.arg("render").arg(scene).args(["--frames", "1", "--no-steady", "--size", size]);
        let output = check.current_dir(tempfile::tempdir().unwrap().path()).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.success(), expected.is_none(), "{size}: {message}");
        assert!(expected.is_none_or(|expected| message.contains(expected)), "{size}: {message}");
    }
}

/// Folders named by the map of docs/architecture.md: for each source folder, one line per
/// subfolder.
fn mapped_folders() -> BTreeSet<String> {
    let page = fs::read_to_string(repository("docs/architecture.md")).unwrap();
    let map = page.split("\n## Map\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let mut folders = BTreeSet::new();
    let mut root = "";
    for line in map.lines().filter_map(|line| line.strip_prefix("    ")) {
        let folder = line.split_whitespace().next().unwrap().strip_suffix('/').unwrap();
        if line.starts_with(' ') {
            folders.insert(format!("{root}/{folder}"));
        } else {
            root = folder;
            folders.insert(root.to_owned());
        }
    }
    folders
}

#[test]
fn the_map_names_every_folder() {
    let mut folders = BTreeSet::new();
    for root in SOURCES {
        folders.insert(root.to_owned());
        walk(&repository(root), &mut |path, _| {
            let inside = path.strip_prefix(repository(root)).unwrap();
            if let [folder, _, ..] = inside.iter().collect::<Vec<_>>()[..] {
                folders.insert(format!("{root}/{}", folder.to_str().unwrap()));
            }
        });
    }
    assert_eq!(mapped_folders(), folders, "docs/architecture.md: correct the map");
}

#[test]
fn the_readme_names_every_subcommand() {
    let readme = fs::read_to_string(repository("README.md")).unwrap();
    let help = catena().arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.is_empty());
    let names: Vec<&str> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.contains(&"render") && names.contains(&"help"), "{help}");
    for name in names.into_iter().filter(|name| *name != "help") {
        let is_there = readme.lines().any(|line| {
            line.strip_prefix(&format!("| `catena {name}"))
                .is_some_and(|rest| rest.starts_with([' ', '`']))
        });
        assert!(is_there, "README.md: add `catena {name}` to Commands");
    }
}

/// Paths of all functions of the suite, in the format of `suite --list` if they are tests.
fn paths_of_tests() -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    let root = repository("crates/catena-tests/suite");
    walk(&root, &mut |path, text| {
        let module = path.strip_prefix(&root).unwrap().with_extension("");
        let module = module.to_str().unwrap().replace(['/', '\\'], "::");
        let module = module.strip_suffix("::mod").unwrap_or(&module);
        for after in text.split("\n#[test]\n").skip(1) {
            let after = after.split("fn ").nth(1).unwrap();
            paths.insert(format!("{module}::{}", after.split('(').next().unwrap()));
        }
    });
    paths
}

/// Words in backticks in a text that are names or paths of functions.
fn quoted_paths(text: &str) -> impl Iterator<Item = &str> {
    let is_path = |word: &&str| {
        word.contains('_')
            && word
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_:".contains(c))
    };
    text.split('`').skip(1).step_by(2).filter(is_path)
}

#[test]
fn tests_that_pages_name_are_there() {
    let paths = paths_of_tests();
    for page in ["docs/faults.md", "docs/determinism.md"] {
        let text = fs::read_to_string(repository(page)).unwrap();
        let named: Vec<&str> = quoted_paths(&text).filter(|name| name.contains("::")).collect();
        assert!(named.len() > 5, "{page} names {} tests", named.len());
        for path in named {
            assert!(paths.contains(path), "{page}: there is no test {path}; correct its name");
        }
    }
    let page = "docs/architecture.md";
    let text = fs::read_to_string(repository(page)).unwrap();
    let invariants = text.split("## Invariants").nth(1).unwrap().split("\n## ").next().unwrap();
    let tests = invariants.lines().filter_map(|line| line.strip_suffix(" |")?.rsplit(" | ").next());
    let named: Vec<&str> = tests.flat_map(quoted_paths).collect();
    assert!(named.len() > 15, "{page} names {} tests", named.len());
    for name in named {
        let is_there = paths.iter().any(|path| path.rsplit("::").next() == Some(name));
        assert!(is_there, "{page}: there is no test {name}; correct Invariants");
    }
}
