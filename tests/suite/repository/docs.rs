//! The documentation says what the program does, and the program keeps to the house rules.

use crate::{catena, repository};
use catena::scene::{Limits, Scope, default_of, fields, picture_sides};
use std::{fs, path::Path};

/// The rows of a table that describes every field, made from the schema.
fn field_rows() -> Vec<String> {
    let rows = fields().into_iter().map(|field| {
        let default = default_of(&field.path).map_or("left out".into(), |text| {
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
fn the_scene_format_describes_every_method() {
    let text = fs::read_to_string(repository("docs/scene-format.md")).unwrap();
    for method in catena::sim::method::METHODS {
        assert!(text.contains(&format!("`{}`", method.name)), "{}", method.name);
        for option in method.options {
            assert!(
                text.contains(&format!("`{}`", option.name)),
                "{}: {}",
                method.name,
                option.name
            );
        }
    }
}

/// Names of the methods that a file declares, by an `impl` or as a row of a macro.
fn declared_methods(text: &str) -> Vec<&str> {
    let start = |line: &&str| line.starts_with("methods_without_options! {");
    let rows = text.lines().skip_while(|line| !start(line)).take_while(|line| *line != "}");
    let rows = rows.filter_map(|line| line.strip_prefix("    ")?.strip_suffix(" {"));
    let impls = text.lines().filter_map(|line| line.strip_prefix("impl Method for "));
    let impls = impls.filter_map(|rest| rest.strip_suffix(" {"));
    rows.filter(|name| name.chars().all(char::is_alphanumeric)).chain(impls).collect()
}

#[test]
fn every_method_stands_in_the_table() {
    let mut count = 0;
    walk(&repository("crates/catena-sim/src/method"), &mut |path, text| {
        for name in declared_methods(text) {
            count += 1;
            assert!(
                catena::sim::method::METHOD_NAMES.contains(&name),
                "{} declares it; crates/catena-sim/src/method/mod.rs: add `{name}` to METHODS",
                path.display()
            );
        }
    });
    assert_eq!(count, catena::sim::method::METHODS.len());
}

#[test]
fn every_scene_is_valid_and_listed() {
    let list = fs::read_to_string(repository("scenes/README.md")).unwrap();
    let mut count = 0;
    for entry in fs::read_dir(repository("scenes")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "ron") {
            catena().arg("check").arg(&path).assert().success();
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
    for (size, said) in [
        ("8192x400", None),
        ("8193x400", Some("the limit of 8192")),
        ("16385x400", Some("to 8192, to 16384")),
    ] {
        let mut check = catena();
        let scene = repository("scenes/compare.ron");
        check.arg("render").arg(scene).args(["--frames", "1", "--no-steady", "--size", size]);
        let output = check.current_dir(tempfile::tempdir().unwrap().path()).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.success(), said.is_none(), "{size}: {message}");
        assert!(said.is_none_or(|said| message.contains(said)), "{size}: {message}");
    }
}

/// A part of the program or of the physics, and the parts that it may use.
type Part = (&'static str, &'static [&'static str]);

/// The rooms of the program, as docs/architecture.md has them.
const PROGRAM: &[Part] = &[
    ("text", &[]),
    ("read", &[]),
    ("output", &["instructions", "read", "text"]),
    ("film", &["output", "read", "text"]),
    ("compare", &["output", "read", "text"]),
    ("scene", &["read", "sim", "text"]),
    ("analysis", &["sim", "text"]),
    ("render", &["instructions", "scene", "sim", "text"]),
    ("figure", &["analysis", "render", "scene", "sim", "text"]),
    (
        "job",
        &[
            "analysis", "compare", "figure", "film", "output", "read", "render", "scene", "sim",
            "text",
        ],
    ),
    (
        "cli",
        &[
            "job",
            "analysis",
            "compare",
            "figure",
            "film",
            "instructions",
            "output",
            "read",
            "render",
            "scene",
            "sim",
            "text",
        ],
    ),
];

/// The folders of the physics, each of which may use those above it.
const PHYSICS: &[Part] = &[
    ("instructions", &[]),
    ("named", &[]),
    ("budget", &[]),
    ("body", &["named"]),
    ("drive", &["body", "named"]),
    ("contact", &["body", "budget", "named"]),
    ("force", &["body", "budget", "drive", "named"]),
    ("linear", &["body", "budget", "force"]),
    ("kernel", &["body", "force", "instructions", "linear"]),
    ("method", &["body", "budget", "force", "instructions", "kernel", "linear", "named"]),
    (
        "run",
        &[
            "body",
            "budget",
            "contact",
            "drive",
            "force",
            "instructions",
            "kernel",
            "method",
            "named",
        ],
    ),
];

/// Names behind `crate::` in a text, as far as they are parts of the crate.
fn uses(text: &str) -> Vec<&str> {
    text.split("crate::")
        .skip(1)
        .filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next())
        .collect()
}

/// Visits a file, or all files of a folder and those in it.
fn walk(folder: &Path, visit: &mut dyn FnMut(&Path, &str)) {
    if folder.is_file() {
        visit(folder, &fs::read_to_string(folder).unwrap());
        return;
    }
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, visit);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            visit(&path, &fs::read_to_string(&path).unwrap());
        }
    }
}

/// Every place in which a part uses one that it may not, or one that is no part.
fn forbidden_uses(root: &str, parts: &[Part]) -> Vec<String> {
    let mut found = Vec::new();
    for (part, allowed) in parts {
        let folder = repository(root).join(part);
        let place = if folder.is_dir() { folder } else { folder.with_extension("rs") };
        walk(&place, &mut |path, text| {
            for used in uses(text).into_iter().filter(|used| used != part) {
                if !allowed.contains(&used) {
                    found.push(format!("{} uses {used}", path.display()));
                }
            }
        });
    }
    found
}

#[test]
fn parts_use_only_what_they_may() {
    assert_eq!(forbidden_uses("src", PROGRAM), [""; 0]);
    assert_eq!(forbidden_uses("crates/catena-sim/src", PHYSICS), [""; 0]);
    walk(&repository("crates/catena-sim/src"), &mut |path, text| {
        for banned in ["ron::", "image::", "clap::", "indicatif::", "std::fs", "println!"] {
            assert!(!text.contains(banned), "{} uses {banned}", path.display());
        }
    });
}

#[test]
fn arguments_and_progress_bars_are_for_the_command_line_alone() {
    let root = repository("src");
    walk(&root, &mut |path, text| {
        if !path.starts_with(root.join("cli")) {
            for banned in ["clap::", "indicatif::", "ValueEnum"] {
                assert!(!text.contains(banned), "{} uses {banned}", path.display());
            }
        }
    });
    walk(&root.join("job"), &mut |path, text| {
        for banned in ["println!", "io::stdout", "io::stderr"] {
            assert!(!text.contains(banned), "{} uses {banned}", path.display());
        }
    });
}

/// The folders of source code.
const SOURCES: [&str; 2] = ["src", "crates/catena-sim/src"];

#[test]
fn files_stay_short_and_say_what_they_are() {
    for root in SOURCES {
        walk(&repository(root), &mut |path, text| {
            let lines = text.lines().count();
            assert!(lines <= 400, "{} has {lines} lines", path.display());
            let head = text.lines().next().unwrap_or_default();
            let path = path.display();
            assert!(
                head.starts_with("//! "),
                "{path} needs a head: `//!` and what the file is for"
            );
            let has_end = text
                .lines()
                .take_while(|line| line.starts_with("//!"))
                .any(|line| line.trim_end().ends_with(['.', ':']) || line.contains(". "));
            assert!(has_end, "the head of {path} is no sentence");
        });
    }
}

#[test]
fn the_map_names_every_folder() {
    let map = fs::read_to_string(repository("docs/architecture.md")).unwrap();
    let mut folders = std::collections::BTreeSet::new();
    for root in SOURCES {
        walk(&repository(root), &mut |path, _| {
            let folder = path.parent().unwrap().strip_prefix(repository(".")).unwrap();
            folders.insert(folder.to_str().unwrap().to_owned());
        });
    }
    let missing: Vec<&String> =
        folders.iter().filter(|folder| !map.contains(&format!("{folder}/"))).collect();
    assert!(missing.is_empty(), "docs/architecture.md: add what lies in {missing:?}");
}
