//! Tests that the README's ffmpeg command makes a film. Without ffmpeg these tests are ignored,
//! unless CATENA_REQUIRE_FFMPEG is set, as it is in continuous integration.

use crate::{
    gallery::{self, Film},
    is_accepted, repository,
};
use libtest_mimic::{Failed, Trial};
use std::{fs, path::Path, process::Command};

pub(crate) fn trials() -> Vec<Trial> {
    let is_required = std::env::var_os("CATENA_REQUIRE_FFMPEG").is_some();
    let is_missing = Command::new("ffmpeg").arg("-version").output().is_err();
    if is_missing && !is_required {
        eprintln!("ffmpeg is not installed: film::readme_command_makes_a_film is left out");
    }
    vec![
        Trial::test("film::readme_command_makes_a_film", film)
            .with_kind("needs ffmpeg")
            .with_ignored_flag(is_missing && !is_required),
    ]
}

/// The ffmpeg command of the README.
fn readme_command() -> Result<String, Failed> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = fs::read_to_string(path).map_err(|e| e.to_string())?;
    let line = text.lines().find(|line| line.trim_start().starts_with("ffmpeg "));
    Ok(line.ok_or("the README has no ffmpeg command")?.trim().to_owned())
}

/// Settings of the film: a quarter of the speed, with the same steps and ghosts as the scene.
const SLOWLY: [&str; 8] = [
    "--frames",
    "168",
    "--set",
    "frame_time=0.25",
    "--set",
    "substeps=64",
    "--set",
    "style.ghost_gap=12",
];

/// Makes the film of the README and compares its bytes. `UPDATE_GOLDEN=readme` accepts the new
/// film.
pub(crate) fn the_film_of_the_readme() -> Result<(), Failed> {
    compare("readme", "one_explodes", "docs/one_explodes.gif", &SLOWLY)
}

/// Makes a small film of the gallery and compares its bytes. `UPDATE_GOLDEN` with the name of the
/// scene accepts the new film.
pub(crate) fn of_gallery(film: &Film) -> Result<(), Failed> {
    let &Film(name, frames, every) = film;
    let (range, every) = (format!("0-{}", frames - 1), every.to_string());
    let arguments =
        ["--frame-range", &range, "--every", &every, "--fps", "15", "--size", "320x200"];
    compare(&format!("films::{name}"), name, &gallery::film_path(name), &arguments)
}

/// Makes a film of a scene and compares its bytes with a file of the repository.
fn compare(accepted: &str, scene: &str, known: &str, arguments: &[&str]) -> Result<(), Failed> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let made = folder.path().join("film.gif");
    let status = Command::new(env!("CARGO_BIN_EXE_catena"))
        .args(["render", "-q"])
        .arg(repository(&format!("scenes/{scene}.ron")))
        .arg("--film")
        .arg(&made)
        .args(arguments)
        .status()
        .map_err(|e| e.to_string())?;
    let path = repository(known);
    if is_accepted(accepted) {
        fs::create_dir_all(path.parent().unwrap()).map_err(|e| e.to_string())?;
        fs::copy(&made, &path).map_err(|e| e.to_string())?;
    }
    if !status.success() || fs::read(&made).ok() != fs::read(&path).ok() {
        return Err(format!("{known} differs; UPDATE_GOLDEN={accepted} accepts the new one").into());
    }
    Ok(())
}

fn film() -> Result<(), Failed> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/compare.ron");
    let rendered = Command::new(env!("CARGO_BIN_EXE_catena"))
        .current_dir(&folder)
        .arg("render")
        .arg(scene)
        .args(["--frames", "12", "--size", "320x180", "--set", "rest.limit=10", "-q"])
        .status()
        .map_err(|e| e.to_string())?;
    if !rendered.success() {
        return Err("render failed".into());
    }
    let command = readme_command()?;
    let made = Command::new("sh")
        .current_dir(&folder)
        .args(["-c", &command])
        .output()
        .map_err(|e| e.to_string())?;
    if !made.status.success() {
        return Err(format!("{command}\n{}", String::from_utf8_lossy(&made.stderr)).into());
    }
    let counted = Command::new("ffprobe")
        .current_dir(&folder)
        .args(["-v", "error", "-count_frames", "-select_streams", "v:0"])
        .args([
            "-show_entries",
            "stream=nb_read_frames,width,height",
            "-of",
            "csv=p=0",
            "compare.mp4",
        ])
        .output()
        .map_err(|e| e.to_string())?;
    let counted = String::from_utf8_lossy(&counted.stdout).trim().to_owned();
    if counted == "320,180,12" {
        Ok(())
    } else {
        Err(format!("expected 320,180,12, found {counted}").into())
    }
}
