//! House rule: files beside each other do not import each other.

use super::{SOURCES, walk};
use crate::repository;
use std::collections::{BTreeMap, BTreeSet};

/// Pairs of files that import each other for a reason.
const EXCEPTIONS: [(&str, &str, &str); 13] = [
    ("cli::args", "cli::complete", "completion reads the arguments, which name their completers"),
    ("assembly", "schema", "parts of a body have settings of their own"),
    ("contact::drawn::guard", "contact::drawn::step", DRAWN),
    ("contact::drawn::meet", "contact::drawn::step", DRAWN),
    ("contact::drawn::memory", "contact::drawn::step", DRAWN),
    ("contact::drawn::near", "contact::drawn::step", DRAWN),
    ("contact::drawn::rigid", "contact::drawn::step", DRAWN),
    ("contact::drawn::settle", "contact::drawn::step", DRAWN),
    ("force::rod::chain", "force::rod::lanes", "bending of one chain, and of many in lanes"),
    ("recorded::numbering", "recorded::placed", "a motion is placed by the numbers of its nodes"),
    ("statics::balance", "statics::friction", SEARCH),
    ("statics::balance", "statics::search", SEARCH),
    ("statics::friction", "statics::slow", SEARCH),
];

const DRAWN: &str = "each file is a stage of one solver, whose state is in `step`";
const SEARCH: &str = "a search with friction repeats searches without it";

/// Paths in a tree of imports, such as `crate::a::{b, c::D}`.
fn paths(tree: &str) -> Vec<Vec<String>> {
    let (head, inside) = tree.split_once('{').unwrap_or((tree, ""));
    let head = head.split("::").map(str::trim).filter(|part| !part.is_empty()).map(String::from);
    let head: Vec<String> = head.collect();
    let Some((inside, _)) = inside.rsplit_once('}') else { return vec![head] };
    let (mut all, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, letter) in inside.char_indices().chain([(inside.len(), ',')]) {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = inside[start..at].trim();
                start = at + 1;
                if !part.is_empty() {
                    all.extend(paths(part).into_iter().map(|path| [head.clone(), path].concat()));
                }
            }
            _ => {}
        }
    }
    all
}

/// Imports of a text.
fn imports(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (at, word) in text.match_indices("use ") {
        let before = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..at];
        if before.is_empty() || before.starts_with("pub") {
            let tree = text[at + word.len()..].split(';').next().unwrap_or_default();
            found.extend(paths(tree));
        }
    }
    found
}

/// Modules of a crate that each module imports from, except those around and within it.
fn edges(modules: &BTreeMap<Vec<String>, String>) -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    for (module, text) in modules {
        for path in imports(text) {
            let up = path.iter().take_while(|part| *part == "super").count();
            let around = match path.first().map(String::as_str) {
                Some("crate") => &[][..],
                Some("super") => &module[..module.len().saturating_sub(up)],
                _ => continue,
            };
            let whole = [around, &path[up.max(1)..]].concat();
            let known = (1..=whole.len()).rev().map(|count| &whole[..count]);
            let Some(other) = known.into_iter().find(|path| modules.contains_key(*path)) else {
                continue;
            };
            if !module.starts_with(other) && !other.starts_with(module) {
                found.insert((module.join("::"), other.join("::")));
            }
        }
    }
    found
}

/// Pairs of modules of a folder that import each other.
fn circles(root: &str) -> Vec<(String, String)> {
    let (root, mut modules) = (repository(root), BTreeMap::new());
    walk(&root, &mut |path, text| {
        let inside = path.strip_prefix(&root).unwrap().with_extension("");
        let mut parts: Vec<String> =
            inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if parts.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
            parts.pop();
        }
        modules.insert(parts, text.to_owned());
    });
    let edges = edges(&modules);
    let is_circle = |(a, b): &&(String, String)| a < b && edges.contains(&(b.clone(), a.clone()));
    edges.iter().filter(is_circle).cloned().collect()
}

#[test]
fn files_beside_each_other_import_in_one_direction() {
    let text = |text: &str| text.to_owned();
    let modules = BTreeMap::from([
        (vec![text("a")], text("use super::b::{C, d::E};\npub(super) use crate::b::F;\n")),
        (vec![text("b")], text("use {\n    crate::a::G,\n    std::fmt,\n};\n")),
        (vec![text("b"), text("d")], text("use super::H;\n")),
    ]);
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    let expected = [pair("a", "b"), pair("a", "b::d"), pair("b", "a")];
    assert_eq!(edges(&modules), BTreeSet::from(expected));

    let found: Vec<(String, String)> = SOURCES.iter().flat_map(|root| circles(root)).collect();
    let is_known = |(a, b): &(String, String)| {
        EXCEPTIONS.iter().any(|(one, other, _)| (one, other) == (&&**a, &&**b))
    };
    let new: Vec<_> = found.iter().filter(|pair| !is_known(pair)).collect();
    assert!(new.is_empty(), "move what both files use into a third one: {new:?}");
    for (one, other, _) in EXCEPTIONS {
        let is_there = found.contains(&pair(one, other));
        assert!(is_there, "{one} and {other} import each other no longer: remove the exception");
    }
}
