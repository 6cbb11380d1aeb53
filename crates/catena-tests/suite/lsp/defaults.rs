//! The file of defaults that editors show: there is only one, wherever servers end.

use super::{Client, marked};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Asks a server with this home where a default comes from, then kills the server. Returns its
/// answer.
fn asked(home: &Path) -> Result<Value, Value> {
    let mut client = Client::in_home(home).ready(false);
    let (text, at) = marked("Scene(base: (rope: (no¦des: 8)))");
    client.open("untitled:1", &text);
    let at = json!({ "textDocument": { "uri": "untitled:1" }, "position": at });
    let answer = client.ask("textDocument/definition", at);
    client.child.kill().unwrap();
    client.child.wait().unwrap();
    answer
}

#[test]
fn killed_servers_leave_one_file() {
    let home = tempfile::tempdir().unwrap();
    let first = asked(home.path()).unwrap();
    let all = files(home.path());
    assert!(all.len() == 1 && all[0].ends_with("defaults.ron"), "{all:?}");
    assert_eq!(fs::read_to_string(&all[0]).unwrap(), catena::scene::defaults());
    assert!(first["uri"].as_str().unwrap().ends_with("/defaults.ron"), "{first}");
    // A file that a user has edited is not shown as the defaults.
    for other in ["", "drag: 3", &"x".repeat(1 << 20)] {
        fs::write(&all[0], other).unwrap();
        assert_eq!(asked(home.path()).unwrap(), first);
        assert_eq!(fs::read_to_string(&all[0]).unwrap(), catena::scene::defaults());
    }
    assert_eq!(files(home.path()), all);
}

/// The file is not a scene, and has no faults; the next server recognises it as well.
#[test]
fn nothing_is_wrong_with_the_defaults() {
    let home = tempfile::tempdir().unwrap();
    let uri = asked(home.path()).unwrap()["uri"].as_str().unwrap().to_owned();
    let mut client = Client::in_home(home.path()).ready(false);
    client.open(&uri, catena::scene::defaults());
    client.open("untitled:1", "Scene(bse: 1)");
    assert_eq!(client.diagnostics("untitled:1", 1).len(), 1);
    let is_of_defaults = |message: &&Value| message["params"]["uri"] == uri.as_str();
    assert_eq!(client.unasked.iter().find(is_of_defaults), None);
    assert_eq!(client.end(), Some(0));
}

#[test]
fn a_home_that_is_none_is_told() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("file");
    fs::write(&file, "").unwrap();
    let error = asked(&file).unwrap_err();
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("cannot make the folder") || message.contains("file"), "{message}");
    assert_eq!(error["code"], -32803);
}
