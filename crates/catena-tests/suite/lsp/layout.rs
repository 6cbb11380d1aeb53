//! The layout of scenes: its effects, its termination, and that it changes no meaning.

use super::Client;
use crate::{catena, repository};
use catena::scene::{Limits, SceneText, format::format};
use serde_json::json;
use std::fs;
use std::path::Path;

fn text_of(text: &str) -> Option<SceneText> {
    SceneText::of_text(Path::new("test.ron"), text, &Limits::default()).ok()
}

fn laid_out(text: &str) -> Option<String> {
    format(&text_of(text)?, &Limits::default()).ok()
}

/// Texts and their layout.
const LAYOUTS: [(&str, &str); 15] = [
    ("Scene()", "Scene()\n"),
    ("\n\n  (  base :( drag:1 , ) , )  ", "(base: (drag: 1))\n"),
    ("Scene(base:(rope:(nodes:3,),),)", "Scene(base: (rope: (nodes: 3)))\n"),
    ("Scene(\nbase: (drag: 1))", "Scene(\n    base: (drag: 1))\n"),
    (
        "Scene(\n\n\n title: \"a  b\"\n\n\n\n ,base: ()\n\n)",
        "Scene(\n    title: \"a  b\",\n\n    base: (),\n)\n",
    ),
    (
        "Scene( // one\n\t\tbase: () // two\n)// three\n",
        "Scene( // one\n    base: (), // two\n) // three\n",
    ),
    (
        "// head\n\n(\n/* a */ base /* b */ : /* c */ ( /* d */ ) /* e */, )",
        "// head\n\n(\n    /* a */ base /* b */: /* c */ ( /* d */) /* e */)\n",
    ),
    (
        "(\n  base: (\n    drag: 1,     // short\n    frame_time: 0.5, // long\n\n    substeps: 3 //alone\n))",
        "(\n    base: (\n        drag: 1,         // short\n        frame_time: 0.5, // long\n\n        substeps: 3, //alone\n))\n",
    ),
    (
        "(a: [(1,2),(3,\n4)],\nb: Keys (keys: [\n1,2\n], repeat: Loop))",
        "(a: [(1, 2), (3,\n    4)],\n    b: Keys(keys: [\n        1, 2,\n    ], repeat: Loop))\n",
    ),
    ("(title: r#\"a\n  b\"#, base: \n (drag: -.5))", "(title: r#\"a\n  b\"#, base: (drag: -.5))\n"),
    (
        "(base: (drag: 1),\r\n title: \"é😀\"\r\n)\r\n",
        "(base: (drag: 1),\r\n    title: \"é😀\",\r\n)\r\n",
    ),
    ("( // a\n)", "( // a\n)\n"),
    ("(\n)", "()\n"),
    (
        "Sweep(scene:\"a.ron\",axes:{\"drag\":[1,2]})",
        "Sweep(scene: \"a.ron\", axes: {\"drag\": [1, 2]})\n",
    ),
    (
        "Scene(title: \"a title that is so long that it does not fit\", base: (rope: (start: (0, 0), end: (1, 0))), panels: [(label: \"one\"), (label: \"two\")])",
        "Scene(\n    title: \"a title that is so long that it does not fit\",\n    base: (rope: (start: (0, 0), end: (1, 0))),\n    panels: [(label: \"one\"), (label: \"two\")],\n)\n",
    ),
];

#[test]
fn layouts_are_as_shown() {
    for (text, expected) in LAYOUTS {
        let new = laid_out(text);
        assert_eq!(new.as_deref(), Some(expected), "{text}");
        assert_eq!(laid_out(expected).as_deref(), Some(expected), "once more: {expected}");
    }
    for broken in
        ["", "(", "(a: )", "(a b)", "(a: 1,, b: 2)", "(a: 1))", "(a: \"", "(#a)", "(a: 3m)"]
    {
        assert_eq!(laid_out(broken), None, "{broken}");
    }
}

/// Lays out every text of the repository that is a scene, valid or not.
#[test]
fn layout_ends_and_changes_no_meaning() {
    let mut count = 0;
    for folder in ["scenes", "fuzz/corpus/scene"] {
        for entry in fs::read_dir(repository(folder)).unwrap() {
            let path = entry.unwrap().path();
            let is_scene = path.extension().is_some_and(|ending| ending == "ron");
            let Some(text) = is_scene.then(|| fs::read_to_string(&path).ok()).flatten() else {
                continue;
            };
            let Some(new) = laid_out(&text) else { continue };
            let path = path.display();
            assert_eq!(laid_out(&new).as_deref(), Some(new.as_str()), "{path} once more");
            let value = |text: &str| ron::from_str::<ron::Value>(text).map_err(|it| it.code);
            assert_eq!(value(text.trim_start_matches('\u{feff}')), value(&new), "{path}");
            count += 1;
        }
    }
    assert!(count > 60, "{count}");
    // The shipped scenes are laid out already.
    let scenes = fs::read_dir(repository("scenes")).unwrap().map(|entry| entry.unwrap().path());
    let scenes = scenes.filter(|path| path.extension().is_some_and(|ending| ending == "ron"));
    catena().args(["fmt", "--check"]).args(scenes).assert().success().stdout("").stderr("");
}

#[test]
fn the_command_replaces_files_and_names_those_that_it_would() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let marked = "\u{feff}Scene(base:())\r\n";
    fs::write(at("a.ron"), marked).unwrap();
    fs::write(at("b.ron"), "Scene(base: ())\n").unwrap();
    fs::write(at("broken.ron"), "Scene(base: (").unwrap();
    let run = |args: &[&str]| {
        let output = catena().current_dir(&folder).arg("fmt").args(args).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    };
    let (none, listed) = (String::new(), String::from("a.ron is not formatted\n"));
    assert_eq!(run(&["--check", "a.ron", "b.ron"]), (1, listed, none.clone()));
    assert_eq!(fs::read_to_string(at("a.ron")).unwrap(), marked);
    assert_eq!(run(&["a.ron", "b.ron"]), (0, none.clone(), none.clone()));
    assert_eq!(fs::read_to_string(at("a.ron")).unwrap(), "\u{feff}Scene(base: ())\r\n");
    assert_eq!(run(&["--check", "a.ron", "b.ron"]), (0, none.clone(), none.clone()));
    let (code, shown, stderr) = run(&["broken.ron", "none.ron"]);
    assert_eq!((code, shown), (3, none));
    assert!(stderr.contains("broken.ron:1:13: this `(` is never closed"), "{stderr}");
    assert!(stderr.contains("none.ron: cannot be read"), "{stderr}");
    assert_eq!(fs::read_to_string(at("broken.ron")).unwrap(), "Scene(base: (");
    let laid_out = catena().args(["fmt", "-"]).write_stdin("Scene( )").output().unwrap();
    assert_eq!((laid_out.status.code(), laid_out.stdout), (Some(0), b"Scene()\n".to_vec()));
}

/// Properties of a file other than its text are kept: links to it, and its permissions.
#[cfg(unix)]
#[test]
fn the_command_keeps_links_and_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o7777;
    fs::create_dir(at("real")).unwrap();
    for (bits, name) in [(0o600, "real/own.ron"), (0o664, "real/all.ron"), (0o444, "real/kept.ron")]
    {
        fs::write(at(name), "Scene( )").unwrap();
        fs::set_permissions(at(name), fs::Permissions::from_mode(bits)).unwrap();
    }
    symlink("real/own.ron", at("link.ron")).unwrap();
    symlink("link.ron", at("second.ron")).unwrap();
    let fmt = |name: &str| catena().current_dir(&folder).args(["fmt", name]).output().unwrap();
    for (name, real, bits) in
        [("second.ron", "real/own.ron", 0o600), ("real/all.ron", "real/all.ron", 0o664)]
    {
        assert_eq!(fmt(name).status.code(), Some(0), "{name}");
        assert_eq!(fs::read_to_string(at(real)).unwrap(), "Scene()\n", "{name}");
        assert_eq!(format!("{:o}", mode(real)), format!("{bits:o}"), "{name}");
    }
    for link in ["link.ron", "second.ron"] {
        assert!(fs::symlink_metadata(at(link)).unwrap().is_symlink(), "{link}");
    }
    // A read-only file is refused, unless this user may write to any file.
    if fs::OpenOptions::new().write(true).open(at("real/kept.ron")).is_err() {
        let refused = fmt("real/kept.ron");
        let stderr = String::from_utf8(refused.stderr).unwrap();
        assert!(stderr.contains("real/kept.ron: cannot be written"), "{stderr}");
        assert_eq!(refused.status.code(), Some(5));
        assert_eq!(fs::read_to_string(at("real/kept.ron")).unwrap(), "Scene( )");
    }
    let left = fs::read_dir(at("real")).unwrap();
    assert_eq!(left.count(), 3, "nothing lies beside the files");
}

#[test]
fn editors_get_what_has_changed() {
    let uri = "untitled:layout";
    let mut client = Client::start(false);
    let ask = json!({ "textDocument": { "uri": uri }, "options": { "tabSize": 4, "insertSpaces": true } });
    let cases = [
        ("Scene()\n", "[]"),
        ("Scene(", "null"),
        ("Scene(\n    base: (),\n  title: \"é\",\n)\n", r#"[["2:0-3:0","    title: \"é\",\n"]]"#),
        ("\u{feff}Scene(\r\n  base: (),\r\n)\r\n", r#"[["1:0-2:0","    base: (),\r\n"]]"#),
        ("Scene( )", r#"[["0:0-0:8","Scene()\n"]]"#),
    ];
    for (text, expected) in cases {
        client.open(uri, text);
        let edits = client.ask("textDocument/formatting", ask.clone()).unwrap();
        let edits = edits.as_array().map(|all| {
            let edit =
                |edit: &serde_json::Value| json!([super::short(&edit["range"]), edit["newText"]]);
            all.iter().map(edit).collect::<Vec<_>>()
        });
        assert_eq!(json!(edits).to_string(), expected, "{text:?}");
        client.close(uri);
    }
    assert_eq!(client.end(), Some(0));
}
