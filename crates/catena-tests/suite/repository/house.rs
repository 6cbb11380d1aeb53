//! House rules: allowed imports, lengths of files, functions and comments.

use super::{SOURCES, walk};
use crate::repository;

/// A folder of the physics, and the folders that it may import.
type Part = (&'static str, &'static [&'static str]);

/// Folders of the physics; each may import folders listed above it.
const PHYSICS: &[Part] = &[
    ("identity", &[]),
    ("instructions", &[]),
    ("named", &["identity"]),
    // Curves of scenes use tracks.
    ("body", &["drive", "identity", "named"]),
    ("drive", &["body", "identity", "named"]),
    ("budget", &["body", "identity"]),
    ("skin", &["identity", "named"]),
    ("lane", &["instructions"]),
    ("contact", &["body", "budget", "drive", "identity", "instructions", "lane", "named"]),
    ("force", &["body", "budget", "drive", "identity", "instructions", "lane", "named"]),
    ("linear", &["body", "budget", "force", "identity", "instructions", "lane"]),
    ("kernel", &["body", "force", "identity", "instructions", "lane", "linear"]),
    (
        "method",
        &["body", "budget", "force", "identity", "instructions", "kernel", "linear", "named"],
    ),
    (
        "slip",
        &["body", "budget", "contact", "force", "identity", "kernel", "linear", "method", "named"],
    ),
    (
        "run",
        &[
            "body",
            "budget",
            "contact",
            "drive",
            "force",
            "identity",
            "instructions",
            "kernel",
            "lane",
            "method",
            "named",
            "slip",
        ],
    ),
];

/// Names after `crate::` in a text that are parts of the crate.
fn uses(text: &str) -> Vec<&str> {
    text.split("crate::")
        .skip(1)
        .filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next())
        .collect()
}

/// All places where a part imports a forbidden or unknown part.
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
fn folders_of_the_physics_use_only_those_above_them() {
    assert_eq!(forbidden_uses("crates/catena-sim/src", PHYSICS), [""; 0]);
}

/// Crates without clock, file system and processes, which are also compiled for browsers.
const CORE: [&str; 6] =
    ["catena-analysis", "catena-base", "catena-draw", "catena-ron", "catena-scene", "catena-sim"];

/// Code of the core that a browser build excludes: the feature `files`.
const FILES: [&str; 2] = ["catena-base/src/read.rs", "catena-scene/src/disk.rs"];

#[test]
fn the_core_knows_no_clock_no_files_and_no_process() {
    for name in CORE {
        walk(&repository(&format!("crates/{name}/src")), &mut |path, text| {
            let place = path.to_string_lossy().replace('\\', "/");
            if FILES.iter().any(|file| place.contains(file)) {
                return;
            }
            for banned in ["std::fs", "fs::", "std::process", "Instant", "SystemTime", "println!"] {
                assert!(!text.contains(banned), "{} uses {banned}", path.display());
            }
        });
    }
}

/// Parts of catena that the Python package uses.
const FOR_PYTHON: [&str; 8] =
    ["analysis", "environment", "job", "output", "scene", "sim", "sweep", "threads"];

#[test]
fn the_python_package_uses_only_what_it_may() {
    walk(&repository("crates/catena-python/src"), &mut |path, text| {
        for used in text.split("catena::").skip(1) {
            let used = used.split(|c: char| !c.is_alphanumeric() && c != '_').next();
            let is_allowed = used.is_some_and(|used| FOR_PYTHON.contains(&used));
            assert!(is_allowed, "{} uses {used:?}", path.display());
        }
    });
}

#[test]
fn jobs_print_nothing() {
    walk(&repository("crates/catena-jobs/src/job"), &mut |path, text| {
        for banned in ["println!", "io::stdout", "io::stderr"] {
            assert!(!text.contains(banned), "{} uses {banned}", path.display());
        }
    });
}

/// All folders with Rust code.
const CODE: [&str; 6] = ["src", "crates", "tests", "examples", "benches", "fuzz"];

#[test]
fn files_stay_short_and_say_what_they_are() {
    for root in CODE {
        walk(&repository(root), &mut |path, text| {
            let lines = text.lines().count();
            assert!(lines <= 800, "{} has {lines} lines: divide it", path.display());
        });
    }
    for root in SOURCES {
        walk(&repository(root), &mut |path, text| {
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

/// Whether a line begins a function.
fn is_function(line: &str) -> bool {
    let words = ["const", "async", "unsafe", "extern"];
    let mut words = line.split_whitespace().skip_while(|word| {
        word.starts_with("pub") || words.contains(word) || word.starts_with('"')
    });
    words.next() == Some("fn")
}

/// Functions with more than 60 lines in a text formatted by rustfmt: the first line, and the number
/// of lines.
fn long_functions(text: &str) -> Vec<(usize, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (start, first) in lines.iter().enumerate().filter(|(_, line)| is_function(line)) {
        let indent = first.len() - first.trim_start().len();
        let is_end = |line: &&str| {
            let inner = line.trim_start();
            let is_same = line.len() - inner.len() == indent;
            // A declaration in a trait has no body.
            is_same && (inner == "}" || inner.starts_with(')') && inner.ends_with(';'))
        };
        let is_one_line = first.ends_with(['}', ';']);
        let after = lines[start..].iter().position(is_end).filter(|_| !is_one_line);
        let count = after.unwrap_or_default() + 1;
        if count > 60 {
            found.push((start + 1, count));
        }
    }
    found
}

#[test]
fn functions_stay_short() {
    let long =
        |lines: usize| format!("fn f(\n    a: u8,\n) {{\n{}}}\n", "    a();\n".repeat(lines));
    assert_eq!((long_functions(&long(56)), long_functions(&long(57))), (vec![], vec![(1, 61)]));
    let mut found = Vec::new();
    for root in CODE {
        walk(&repository(root), &mut |path, text| {
            for (line, count) in long_functions(text) {
                found.push(format!("{}:{line}: a function of {count} lines", path.display()));
            }
        });
    }
    assert!(found.is_empty(), "divide what has more than 60 lines:\n{}", found.join("\n"));
}

#[test]
fn comments_keep_within_100_columns() {
    let mut found = Vec::new();
    for root in CODE {
        walk(&repository(root), &mut |path, text| {
            for (index, line) in text.lines().enumerate() {
                let width = line.chars().count();
                if line.trim_start().starts_with("//") && width > 100 {
                    found.push(format!("{}:{}: {width} columns", path.display(), index + 1));
                }
            }
        });
    }
    assert!(found.is_empty(), "break what is wider than 100 columns:\n{}", found.join("\n"));
}

#[test]
fn tests_stand_where_they_run() {
    let mut found = Vec::new();
    for folder in std::fs::read_dir(repository("crates")).unwrap() {
        let folder = folder.unwrap().path();
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        // Cargo would not run tests in the sources of such a library.
        if !manifest.contains("\ntest = false") || !folder.join("src").is_dir() {
            continue;
        }
        walk(&folder.join("src"), &mut |file, text| {
            if text.contains("cfg(test)") || text.contains("\n    #[test]") {
                found.push(file.display().to_string());
            }
        });
    }
    assert!(
        found.is_empty(),
        "move these tests to crates/catena-tests/suite:\n{}",
        found.join("\n")
    );
}

#[test]
fn each_folder_of_tests_runs_in_one_program() {
    let suite = repository("crates/catena-tests/suite");
    let text = |name: &str| std::fs::read_to_string(suite.join(name)).unwrap();
    let programs = [text("main.rs"), text("simulation.rs")];
    let mut count = 0;
    for folder in std::fs::read_dir(&suite).unwrap() {
        let folder = folder.unwrap().path();
        if folder.is_dir() {
            let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
            let line = format!("mod {name};");
            let naming = programs.iter().filter(|it| it.lines().any(|own| own == line)).count();
            assert_eq!(naming, 1, "`{line}` belongs in one of main.rs and simulation.rs");
            count += 1;
        }
    }
    assert!(count > 10, "{count} folders");
}
