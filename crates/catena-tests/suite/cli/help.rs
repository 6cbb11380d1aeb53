//! `-h` and `--help` of every command are complete, and fit into 80 columns.

use crate::catena;
use std::collections::BTreeSet;

/// Help text at 80 columns.
fn help(words: &[&str]) -> String {
    let run = catena().env("COLUMNS", "80").args(words).assert().success();
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

/// Names of all commands.
pub fn commands() -> Vec<String> {
    let text = help(&["--help"]);
    let lines = text.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = lines.take_while(|line| !line.is_empty());
    let names = lines.map(|line| {
        // A continuation line would be indented further.
        assert!(line.starts_with("  ") && !line.starts_with("   "), "{line}");
        line.split_whitespace().next().unwrap().to_owned()
    });
    names.filter(|name| name != "help").collect()
}

/// The options in a help text, each with whether it has a description on its line or below.
fn options(text: &str) -> Vec<(String, bool)> {
    // Examples contain options, too.
    let lines: Vec<&str> = text.lines().take_while(|line| *line != "Examples:").collect();
    let mut all = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(start) = line.find("--") else { continue };
        let before = line[..start].trim();
        let is_option = before.is_empty() || (before.starts_with('-') && before.ends_with(','));
        if !is_option || start > 6 || !line.starts_with(' ') {
            continue;
        }
        let (words, explanation) = line[start..].split_once("  ").unwrap_or((&line[start..], ""));
        let name = words.split([' ', '=', '[']).next().unwrap().to_owned();
        let has_explanation = lines.get(index + 1).is_some_and(|next| {
            next.len() - next.trim_start().len() >= 10 && next.trim().len() > 3
        });
        all.push((name, has_explanation || explanation.trim().len() > 3));
    }
    all
}

#[test]
fn every_help_keeps_within_80_columns_and_explains_each_option() {
    let names = commands();
    assert!(names.len() >= 17, "{names:?}");
    let mut pages = vec![vec![]];
    pages.extend(names.iter().map(|name| vec![name.as_str()]));
    for words in pages {
        let [short, long] = ["-h", "--help"].map(|option| {
            let text = help(&[&words[..], &[option]].concat());
            for line in text.lines() {
                assert!(line.chars().count() <= 80, "{words:?} {option}: {line}");
            }
            text
        });
        let [of_short, of_long] = [&short, &long].map(|text| options(text));
        for (name, is_explained) in of_short.iter().chain(&of_long) {
            assert!(is_explained, "{words:?}: {name} is not explained");
        }
        let names = |all: &[(String, bool)]| -> BTreeSet<String> {
            all.iter().map(|(name, _)| name.clone()).collect()
        };
        assert_eq!(names(&of_short), names(&of_long), "{words:?}");
        assert!(names(&of_long).contains("--help"), "{words:?}: {long}");
        assert!(
            long.contains("\nExamples:\n") && long.contains("\nExit codes:\n  0 "),
            "{words:?}"
        );
        assert!(short.lines().count() < long.lines().count(), "{words:?}");
    }
}

/// `-h` shows the first sentence of each option, and its default.
#[test]
fn short_help_is_short() {
    let (short, long) = (help(&["render", "-h"]), help(&["render", "--help"]));
    assert!(short.lines().count() * 3 < long.lines().count() * 2, "{short}");
    let words = short.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("Output folder [default: out/<scene name>]"), "{short}");
    assert!(!words.contains("removes other frames that catena wrote"), "{short}");
    assert!(long.contains("frames that catena"), "{long}");
}

/// Examples use commands and options that exist.
#[test]
fn examples_of_help_name_options_that_exist() {
    let names = commands();
    let mut count = 0;
    for name in &names {
        let long = help(&[name, "--help"]);
        let examples = long.split("\nExamples:\n").nth(1).unwrap();
        let examples = examples.split("\n\n").next().unwrap().replace("\\\n", " ");
        for line in examples.lines().filter(|line| !line.starts_with("      ")) {
            for command in line.split([';', '|', '(']).filter_map(|it| it.split("catena ").nth(1)) {
                let words: Vec<&str> = command.split_whitespace().collect();
                assert!(names.iter().any(|name| name == words[0]), "{name}: {line}");
                let known = help(&[words[0], "--help"]);
                for option in words.iter().filter(|word| word.starts_with("--")) {
                    assert!(
                        known.contains(&format!("{option} "))
                            || known.contains(&format!("{option}\n")),
                        "{line}"
                    );
                }
                count += 1;
            }
        }
    }
    assert!(count > 30, "{count} examples");
}
