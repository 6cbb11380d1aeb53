//! House rule: files in the same folder do not import each other.

use super::{SOURCES, walk};
use crate::repository;
use std::collections::{BTreeMap, BTreeSet};

/// Pairs of files that may import each other, with the reason.
const EXCEPTIONS: [(&str, &str, &str); 1] =
    [("part_entries", "schema", "settings of a body list parts, which have settings of their own")];

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

/// Imports of each module from modules of the crate, except from its ancestors and descendants.
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

/// Imports between the modules of a folder.
fn imported(root: &str) -> BTreeSet<(String, String)> {
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
    edges(&modules)
}

/// Pairs of modules that import each other.
fn circles(edges: &BTreeSet<(String, String)>) -> Vec<(String, String)> {
    let is_circle = |(a, b): &&(String, String)| a < b && edges.contains(&(b.clone(), a.clone()));
    edges.iter().filter(is_circle).cloned().collect()
}

/// Imports that are part of a cycle of any length, or lead from one cycle to another.
fn tangle(mut edges: BTreeSet<(String, String)>) -> BTreeSet<(String, String)> {
    loop {
        let from: BTreeSet<String> = edges.iter().map(|(from, _)| from.clone()).collect();
        let to: BTreeSet<String> = edges.iter().map(|(_, to)| to.clone()).collect();
        let before = edges.len();
        edges.retain(|(one, other)| to.contains(one) && from.contains(other));
        if edges.len() == before {
            return edges;
        }
    }
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

    let all = SOURCES.iter().map(|root| imported(root));
    let found: Vec<(String, String)> = all.flat_map(|edges| circles(&edges)).collect();
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

#[test]
fn imports_go_round_in_no_circle() {
    let edge = |(a, b): (&str, &str)| (a.to_owned(), b.to_owned());
    let circle = [("b", "c"), ("c", "d"), ("d", "b")].map(edge);
    let others = [("a", "b"), ("d", "e"), ("a", "e")].map(edge);
    let edges = circle.iter().chain(&others).cloned().collect();
    assert_eq!(tangle(edges), BTreeSet::from(circle));

    let is_exception = |pair: &(String, String)| {
        EXCEPTIONS.iter().any(|(a, b, _)| [(*a, *b), (*b, *a)].contains(&(&pair.0, &pair.1)))
    };
    for root in SOURCES {
        let mut edges = imported(root);
        edges.retain(|pair| !is_exception(pair));
        let found = tangle(edges);
        assert!(found.is_empty(), "move what these files of {root} share into another: {found:?}");
    }
}
