//! Golden pictures: each small scene is compared exactly with its reference pictures, one named
//! test per scene. The tests that need ffmpeg are also here, and are ignored if it is missing.
//!
//! The first line of a scene of this folder names its pictures: `// golden: frame_00030 steady`.
//! Every scene of scenes/ has one small picture, which docs/gallery.md shows. On a mismatch,
//! target/golden/ gets expected, difference and actual side by side. `UPDATE_GOLDEN=name` or
//! `UPDATE_GOLDEN=all` accepts the new pictures.

// A test that cannot continue has failed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod film;
mod gallery;

use image::{Rgb, RgbImage};
use libtest_mimic::{Arguments, Failed, Trial};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// A scene and one of its pictures.
struct Case {
    /// Name of the test, and the value of `UPDATE_GOLDEN` that accepts its picture.
    name: String,
    scene: PathBuf,
    /// The rendered file, such as frame_00030.png or steady.png.
    picture: String,
    /// The reference file.
    reference: PathBuf,
    /// Additional arguments of `catena render`.
    arguments: Vec<String>,
}

fn main() {
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> = Vec::new();
    for case in small_cases().into_iter().chain(scene_cases()) {
        let name = format!("golden::{}::{}", case.name, case.picture.trim_end_matches(".png"));
        trials.push(Trial::test(name, move || compare(&case)));
    }
    trials.push(Trial::test("golden::no_orphans", no_orphans));
    trials.push(Trial::test("golden::gallery", gallery::is_complete));
    trials.push(Trial::test("golden::readme", film::the_film_of_the_readme));
    for thumb in &gallery::FILMS {
        trials.push(Trial::test(format!("golden::films::{}", thumb.0), || film::of_gallery(thumb)));
    }
    trials.extend(film::trials());
    libtest_mimic::run(&arguments, trials).exit();
}

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Files with an extension in a folder, sorted.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == ending)).collect();
    files.sort();
    files
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}

/// Scenes of this folder, with the pictures that their first line names.
fn small_cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for scene in files(&repository("tests/golden"), "ron") {
        let text = fs::read_to_string(&scene).unwrap();
        let line = text.lines().next().and_then(|line| line.strip_prefix("// golden: "));
        let name = stem(&scene);
        for picture in line.expect("the first line says `// golden: …`").split_whitespace() {
            cases.push(Case {
                name: name.clone(),
                scene: scene.clone(),
                picture: format!("{picture}.png"),
                reference: repository("tests/golden").join(format!("{name}.{picture}.png")),
                // Only the steady picture needs the comparison at rest.
                arguments: if picture == "steady" {
                    Vec::new()
                } else {
                    vec!["--no-steady".into()]
                },
            });
        }
    }
    cases
}

/// Example scenes, each with one small picture of a frame in which something happens.
fn scene_cases() -> Vec<Case> {
    let case = |scene: PathBuf| Case {
        name: format!("scenes::{}", stem(&scene)),
        picture: format!("frame_{:05}.png", gallery::frame(&stem(&scene))),
        reference: repository("tests/golden/scenes").join(format!("{}.png", stem(&scene))),
        arguments: ["--no-steady", "--size", "480x300"].map(str::to_owned).to_vec(),
        scene,
    };
    files(&repository("scenes"), "ron").into_iter().map(case).collect()
}

fn is_accepted(name: &str) -> bool {
    std::env::var("UPDATE_GOLDEN").is_ok_and(|accepted| accepted == name || accepted == "all")
}

fn compare(case: &Case) -> Result<(), Failed> {
    let out = tempfile::tempdir().map_err(|e| e.to_string())?;
    let digits: String = case.picture.chars().filter(char::is_ascii_digit).collect();
    let frame: u64 = digits.parse().unwrap_or(0);
    let output = Command::new(env!("CARGO_BIN_EXE_catena"))
        .arg("render")
        .arg(&case.scene)
        .args(["-q", "--frame-range", &format!("{frame}-{frame}"), "--out"])
        .arg(out.path())
        .args(&case.arguments)
        .output()
        .map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let actual = out.path().join(&case.picture);
    if is_accepted(&case.name) {
        fs::copy(&actual, &case.reference).map_err(|e| e.to_string())?;
    }
    let actual = open(&actual)?;
    match open(&case.reference) {
        Ok(expected) if expected == actual => Ok(()),
        expected => Err(show(case, expected.ok(), &actual)?.into()),
    }
}

fn open(path: &Path) -> Result<RgbImage, Failed> {
    Ok(image::open(path).map_err(|e| format!("{}: {e}", path.display()))?.to_rgb8())
}

/// Writes expected, difference and actual side by side, and returns a message with the path.
fn show(case: &Case, expected: Option<RgbImage>, actual: &RgbImage) -> Result<String, Failed> {
    let place = repository("target/golden");
    fs::create_dir_all(&place).map_err(|e| e.to_string())?;
    let file = format!("{}.{}", case.name.replace("::", "."), case.picture);
    let path = place.join(&file);
    let is_missing = expected.is_none();
    let expected = expected.unwrap_or_else(|| RgbImage::new(actual.width(), actual.height()));
    let (w, h) = (actual.width().max(expected.width()), actual.height().max(expected.height()));
    let at = |image: &RgbImage, x, y| {
        image.get_pixel_checked(x, y).copied().unwrap_or(Rgb([255, 0, 255]))
    };
    let mut sheet = RgbImage::new(3 * w, h);
    let mut differ = 0;
    for (x, y) in (0..h).flat_map(|y| (0..w).map(move |x| (x, y))) {
        let (e, a) = (at(&expected, x, y), at(actual, x, y));
        differ += u64::from(e != a);
        // Amplifies differences, so that a difference of one level is visible.
        let difference = [0, 1, 2].map(|i| e.0[i].abs_diff(a.0[i]).saturating_mul(8));
        sheet.put_pixel(x, y, e);
        sheet.put_pixel(w + x, y, Rgb(difference));
        sheet.put_pixel(2 * w + x, y, a);
    }
    sheet.save(&path).map_err(|e| e.to_string())?;
    let what =
        if is_missing { "has no reference".into() } else { format!("differs in {differ} pixels") };
    let name = &case.name;
    Ok(format!(
        "{name} {what}: see target/golden/{file} (expected | difference | actual); UPDATE_GOLDEN={name} accepts it"
    ))
}

fn no_orphans() -> Result<(), Failed> {
    let known: Vec<PathBuf> =
        small_cases().into_iter().chain(scene_cases()).map(|case| case.reference).collect();
    let folders = ["tests/golden", "tests/golden/scenes"];
    let orphans: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| files(&repository(folder), "png"))
        .filter(|path| !known.contains(path))
        .collect();
    if orphans.is_empty() {
        Ok(())
    } else {
        Err(format!("no scene has these pictures: {orphans:?}").into())
    }
}
