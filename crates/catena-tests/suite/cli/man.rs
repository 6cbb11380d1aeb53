//! Manual pages: all are complete, contain the required parts, and give no groff warnings.

use super::help::commands;
use crate::catena;
use catena::scene::{fields, reference::KINDS};
use std::{collections::BTreeSet, fs, path::Path, process::Command};

/// A page as groff shows it, with its lines joined by spaces; `None` if groff is missing.
fn shown(page: &Path) -> Option<String> {
    let run = Command::new("groff")
        .args(["-man", "-ww", "-Tutf8", "-P-c", "-rHY=0"])
        .arg(page)
        .output()
        .ok()?;
    let warnings = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(run.status.success() && warnings.is_empty(), "{}: {warnings}", page.display());
    let text = String::from_utf8(run.stdout).unwrap();
    // groff prints bold letters twice, with a backspace between them.
    let mut plain = String::new();
    for letter in text.chars() {
        match letter {
            '\u{8}' => drop(plain.pop()),
            letter => plain.push(letter),
        }
    }
    Some(plain.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[test]
fn every_command_has_a_page_that_groff_reads_without_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let man = folder.path().join("man");
    for _ in 0..2 {
        catena().arg("man").arg("--out").arg(&man).assert().success();
    }
    let mut expected: BTreeSet<String> =
        commands().iter().map(|name| format!("catena-{name}.1")).collect();
    expected.insert("catena.1".into());
    let found: BTreeSet<String> = fs::read_dir(man.join("man1"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(found, expected);
    for name in &expected {
        let page = man.join("man1").join(name);
        let text = fs::read_to_string(&page).unwrap();
        assert!(text.is_ascii(), "{name}");
        for section in [
            "NAME",
            "SYNOPSIS",
            "DESCRIPTION",
            "OPTIONS",
            "EXIT STATUS",
            "ENVIRONMENT",
            "FILES",
            "EXAMPLES",
            "SEE ALSO",
        ] {
            let quoted = format!(".SH \"{section}\"\n");
            assert!(
                text.contains(&quoted) || text.contains(&format!(".SH {section}\n")),
                "{name}: {section}"
            );
        }
        let Some(shown) = shown(&page) else {
            let is_needed = std::env::var_os("CATENA_REQUIRE_GROFF").is_some();
            assert!(!is_needed, "groff is missing");
            return;
        };
        let short = name.trim_end_matches(".1");
        assert!(shown.contains(&format!("{short} - ")), "{shown}");
    }
    let render = shown(&man.join("man1/catena-render.1")).unwrap();
    assert!(
        render.contains("--frame-range <LIST>") && render.contains("4 a body diverged"),
        "{render}"
    );
    let printed = catena().args(["man", "render"]).output().unwrap().stdout;
    assert_eq!(fs::read(man.join("man1/catena-render.1")).unwrap(), printed);
}

#[test]
fn the_page_of_scenes_has_all_fields_and_names() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("catena-scene.5");
    fs::write(&page, catena().args(["man", "scene"]).output().unwrap().stdout).unwrap();
    let Some(text) = shown(&page) else {
        assert!(std::env::var_os("CATENA_REQUIRE_GROFF").is_none(), "groff is missing");
        return;
    };
    for field in fields() {
        let summary = field.summary.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(&format!("{} {summary}", field.path)), "{}: {summary}", field.path);
    }
    for thing in KINDS.iter().flat_map(catena::scene::reference::Kind::things) {
        assert!(text.contains(&format!("{} {}", thing.name, thing.summary)), "{}", thing.name);
        for option in &thing.options {
            let summary = option.summary.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(text.contains(&summary), "{} of {}", option.name, thing.name);
        }
    }
}
