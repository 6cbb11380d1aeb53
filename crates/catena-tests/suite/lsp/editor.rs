//! Neovim as a client, without a screen. Without Neovim this test prints a note and passes, unless
//! `CATENA_REQUIRE_NVIM` is set.

use crate::{catena, repository};
use std::fs;
use std::process::Command;

#[test]
fn neovim_shows_faults_completes_explains_and_lays_out() {
    if Command::new("nvim").arg("--version").output().is_err() {
        let is_needed = std::env::var_os("CATENA_REQUIRE_NVIM").is_some();
        assert!(!is_needed, "nvim is missing");
        eprintln!("nvim is missing: this test is left out");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("scene.ron");
    fs::write(&scene, "Scene(\n  base: (\n    drag: 1,\n    rope: (nods: 3),\n  ),\n)\n").unwrap();
    // The test runs the lines for Neovim of the documentation.
    let page = fs::read_to_string(repository("docs/editors.md")).unwrap();
    let lines = page.split("```lua\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let program = std::path::PathBuf::from(catena().get_program());
    let shown = program.display().to_string();
    let config = lines.replace("'catena'", &format!("'{shown}'"));
    assert!(config.contains(&shown), "{config}");
    fs::write(folder.path().join("init.lua"), config).unwrap();
    let output = Command::new("nvim")
        .current_dir(&folder)
        .env("HOME", folder.path())
        .env("XDG_STATE_HOME", folder.path())
        .args(["--headless", "-n", "-i", "NONE", "-u", "init.lua", "scene.ron"])
        .arg("-S")
        .arg(repository("crates/catena-tests/suite/lsp/editor.lua"))
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{stderr}");
    let expected = [
        "diagnostic 4:12 there is no field `nods`",
        "completion damping",
        "hover `drag`: Viscous drag",
        "definition defaults.ron",
        "fixed 0",
        "layout     base: (",
    ];
    let shown = fs::read_to_string(folder.path().join("shown.txt")).unwrap();
    for (line, start) in shown.lines().zip(expected) {
        assert!(line.starts_with(start), "{line} and not {start}\n{stderr}");
    }
    assert_eq!(shown.lines().count(), expected.len(), "{shown}");
}
