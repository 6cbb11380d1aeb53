//! `catena methods` and `catena fields`: lists, single entries, and examples that are valid.

use crate::terminal::session;
use crate::{catena, repository};
use catena::scene::grammar::{Grammar, Member};
use catena::scene::reference::{KINDS, TOP, Thing, things_called, words, words_called, written};
use catena::scene::{Access, Limits, Scene, SceneText, fields, load_within, locate::locate};
use std::collections::BTreeSet;
use std::fs;

/// Output of a command.
fn printed(words: &[&str]) -> String {
    let run = catena().args(words).assert().success();
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

/// Session of the `methods` or `fields` commands for these names.
fn looked_up(command: &str, names: &[&str]) -> String {
    let commands: Vec<[&str; 2]> = names.iter().map(|name| [command, name]).collect();
    let commands: Vec<&[&str]> = commands.iter().map(|words| &words[..]).collect();
    session(&commands, |words| catena().args(words).output().unwrap())
}

/// Reads a scene with the repository's folder of scenes as its folder, and with a file of points.
fn read(text: &str) -> Scene {
    let points = repository("crates/catena-tests/suite/cli/points.csv").display().to_string();
    let text = text.replace("points.csv", &points);
    let origin = repository("scenes/example.ron").display().to_string();
    let text = SceneText { origin, name: "example".into(), text };
    let access = Access::to_folders(vec![repository("crates/catena-tests/suite/cli")]);
    let limits = Limits::default().with_access(access);
    load_within(&text, &[], &limits).unwrap_or_else(|error| panic!("{}", error.report(false)))
}

fn things() -> impl Iterator<Item = Thing> {
    KINDS.iter().flat_map(catena::scene::reference::Kind::things)
}

#[test]
fn every_example_is_a_scene_that_reads() {
    let mut count = 0;
    for thing in things() {
        let example = thing.example();
        assert!(example.contains(thing.name), "{}: {example}", thing.name);
        read(&format!("Scene(base: ({example}))"));
        read(&written(&example).join("\n"));
        count += 1;
    }
    for field in fields() {
        let example = field.example();
        let text = format!("({example})");
        let path = &field.path;
        assert!(locate(&text, path).is_some(), "the example of {path} does not set it: {example}");
        read(&format!("Scene(base: {text})"));
        let lines = written(&example);
        assert!(lines.iter().all(|line| line.chars().count() <= 78), "{path}: {lines:#?}");
        read(&lines.join("\n"));
        count += 1;
    }
    for field in TOP {
        assert!(field.example.contains(field.name));
        read(field.example);
    }
    assert!(count > 200, "{count}");
}

#[test]
fn lists_have_everything_and_keep_within_80_columns() {
    let lists: Vec<String> = [&["methods"][..], &["fields"]].map(printed).into();
    let [methods, settings] = [&lists[0], &lists[1]];
    let whole = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = whole(methods);
    for thing in things() {
        let line =
            methods.lines().find(|line| line.trim_start().split(' ').next() == Some(thing.name));
        assert!(line.is_some() && words.contains(&whole(thing.summary)), "{}", thing.name);
        for option in &thing.options {
            let is_there = words.contains(&format!("{}: {}", option.name, whole(&option.summary)));
            assert!(is_there, "{} of {}", option.name, thing.name);
        }
    }
    for field in fields() {
        assert!(settings.contains(&format!("\n  {} ", field.path)), "{}", field.path);
    }
    for list in &lists {
        for line in list.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}

#[test]
fn one_thing_is_told_with_all_that_is_known_of_it() {
    for thing in things() {
        let page = printed(&["methods", &thing.name.to_lowercase()]);
        for line in page.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
        let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut needed = vec![thing.kind.name, thing.kind.place, "Example"];
        for Member { name, summary, expected, unit, default, .. } in &thing.options {
            needed.extend([name, summary.as_str(), expected.as_str()]);
            needed.extend(Some(*unit).filter(|unit| *unit != "-"));
            needed.extend(*default);
        }
        for part in needed {
            let part = part.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words.contains(&part), "{}: {part} is not in {page}", thing.name);
        }
    }
    // A word that is both a name and a kind means the name; the plural means the table.
    let names = ["DormandPrince", "RK4", "explicitEuler", "Xpbd", "curve", "curves", "laws"];
    insta::assert_snapshot!("one_method", looked_up("methods", &names));
}

/// Visits each named part of a value, and nested parts.
fn visit_names(grammar: Grammar, seen: &mut BTreeSet<&'static str>, visit: &mut dyn FnMut(&str)) {
    grammar.words().iter().for_each(|word| visit(word.name));
    for thing in grammar.things() {
        if seen.insert(thing.name) {
            visit(thing.name);
            thing.members().iter().for_each(|member| visit_names(member.grammar, seen, visit));
        }
    }
    for member in grammar.members().iter().filter(|member| member.name != "with") {
        visit_names(member.grammar, seen, visit);
    }
    for one in grammar.alternatives() {
        if let Grammar::List(element) = one {
            visit_names(element(), seen, visit);
        }
    }
}

#[test]
fn every_name_of_a_scene_is_explained() {
    let mut all = BTreeSet::new();
    for field in fields() {
        visit_names(field.grammar, &mut BTreeSet::new(), &mut |name| {
            all.insert(name.to_owned());
        });
    }
    for wanted in ["OnBone", "Tube", "Colors", "About", "Rk4", "Facets", "PingPong", "Trefoil"] {
        assert!(all.contains(wanted), "{wanted}");
    }
    let known = |name: &str| !things_called(name).is_empty() || !words_called(name).is_empty();
    // Two options need no description.
    let unknown: Vec<&String> = all
        .iter()
        .filter(|name| !["true", "false"].contains(&name.as_str()) && !known(name))
        .collect();
    assert_eq!(unknown, [""; 0]);
    // Each meaning of a word has its own place.
    let names = ["onbone", "Tube", "Facets", "None", "First"];
    insta::assert_snapshot!("names", looked_up("methods", &names));
    for word in words() {
        assert!(!printed(&["methods", word.name]).is_empty());
    }
}

#[test]
fn units_are_those_of_options_that_there_are() {
    for (thing, option, unit) in [
        ("Xpbd", "compliance", "length/force"),
        ("Keys", "keys", "time, and that of the moved quantity"),
        ("Bezier", "start", "time"),
        ("Capsule", "radius", "length"),
        ("Tension", "above", "force"),
        ("Length", "above", "length"),
        ("About", "angle", "degrees"),
        ("Tube", "blend", "length"),
        ("Plane", "normal", "-"),
    ] {
        let all = things_called(thing);
        let found = all.iter().flat_map(|it| &it.options).find(|it| it.name == option);
        assert_eq!(found.map(|it| it.unit), Some(unit), "{option} of {thing}");
    }
    let one: serde_json::Value =
        serde_json::from_str(&printed(&["methods", "Arc", "--json"])).unwrap();
    assert_eq!(one[0]["options"][1]["unit"], "degrees");
    assert_eq!(one[0]["options"][2]["unit"], serde_json::Value::Null);
}

#[test]
fn one_field_is_told_with_all_that_is_known_of_it() {
    let page = printed(&["fields", "rope.nodes"]);
    assert_eq!(page, printed(&["fields", "Base.Rope.Nodes"]));
    let mut names = vec!["rope.nodes", "rope.law", "colliders"];
    names.extend(TOP.iter().map(|field| field.name));
    insta::assert_snapshot!("one_field", looked_up("fields", &names));
    let group = printed(&["fields", "rope"]);
    let expected = fields().iter().filter(|field| field.path.starts_with("rope.")).count();
    assert_eq!(group.lines().filter(|line| line.starts_with("  rope.")).count(), expected);
    let docs = fs::read_to_string(repository("docs/scene-format.md")).unwrap();
    for field in TOP {
        assert!(docs.contains(&format!("| `{}` | ", field.name)), "{}", field.name);
    }
}

#[test]
fn what_does_not_exist_is_answered_by_what_is_near() {
    let methods = looked_up("methods", &["rungekutta4", "Rk5", "verlet", "rope", "OnBon", "Facet"]);
    let names = [
        "rope.nods",
        "nodes",
        "stifness",
        "rope.stif",
        "xpbd",
        "velocity",
        "reversed",
        "energy",
        "adams",
        "opacity",
        "qqqqqqqqqqqqqqqq",
    ];
    let session = methods + &looked_up("fields", &names);
    assert_eq!(session.matches("[exit code 2]").count(), 17, "{session}");
    insta::assert_snapshot!("unknown_names", session);
    let run = catena().args(["methods", "\u{1b}[2J"]).assert().code(2);
    let message = String::from_utf8_lossy(&run.get_output().stderr);
    assert!(message.contains("`\\u{1b}[2J`") && !message.contains('\u{1b}'), "{message}");
}

#[test]
fn json_has_the_same() {
    let all: serde_json::Value = serde_json::from_str(&printed(&["fields", "--json"])).unwrap();
    let all = all.as_array().unwrap();
    assert_eq!(all.len(), fields().len());
    for (value, field) in all.iter().zip(fields()) {
        assert_eq!(value["path"], field.path);
        assert_eq!(value["value"], field.expected);
        read(value["example"].as_str().unwrap());
    }
    let all: serde_json::Value = serde_json::from_str(&printed(&["methods", "--json"])).unwrap();
    assert_eq!(all.as_array().unwrap().len(), things().count());
    let one: serde_json::Value =
        serde_json::from_str(&printed(&["methods", "rk4", "--json"])).unwrap();
    assert_eq!(one[0]["order"], 4);
    assert_eq!(one[0]["kind"], "method");
}
