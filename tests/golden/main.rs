//! Golden pictures: each small scene beside its reference pictures, compared exactly, one named test a scene; and
//! the tests that need ffmpeg, which are ignored by name where it is missing.
//!
//! The first line of a scene says which pictures it has: `// golden: frame_00030 steady`. On a mismatch,
//! target/golden/ gets expected, difference and actual side by side. `UPDATE_GOLDEN=name` or `UPDATE_GOLDEN=all`
//! accepts what is drawn now.

// A test that cannot go on has failed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod film;

use image::{Rgb, RgbImage};
use libtest_mimic::{Arguments, Failed, Trial};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn main() {
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> = Vec::new();
    for name in names("ron") {
        trials.push(Trial::test(format!("golden::{name}"), move || compare(&name)));
    }
    trials.push(Trial::test("golden::no_orphans", no_orphans));
    trials.extend(film::trials());
    libtest_mimic::run(&arguments, trials).exit();
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// Names of the files of a kind, without ending, sorted.
fn names(ending: &str) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == ending))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

/// The pictures that a scene says it has.
fn pictures(name: &str) -> Result<Vec<String>, Failed> {
    let text =
        fs::read_to_string(folder().join(name).with_extension("ron")).map_err(|e| e.to_string())?;
    let line = text.lines().next().and_then(|line| line.strip_prefix("// golden: "));
    let line =
        line.ok_or_else(|| format!("the first line of {name}.ron says no `// golden: …`"))?;
    Ok(line.split_whitespace().map(str::to_owned).collect())
}

fn is_accepted(name: &str) -> bool {
    std::env::var("UPDATE_GOLDEN").is_ok_and(|accepted| accepted == name || accepted == "all")
}

fn compare(name: &str) -> Result<(), Failed> {
    let out = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut faults = Vec::new();
    for picture in pictures(name)? {
        let frame = picture.strip_prefix("frame_").map_or(0, |n| n.parse::<u64>().unwrap_or(0));
        let output = Command::new(env!("CARGO_BIN_EXE_catena"))
            .arg("render")
            .arg(folder().join(name).with_extension("ron"))
            .args(["-q", "--frame-range", &format!("{frame}-{frame}"), "--out"])
            .arg(out.path())
            .output()
            .map_err(|e| e.to_string())?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
        }
        let actual = out.path().join(format!("{picture}.png"));
        let reference = folder().join(format!("{name}.{picture}.png"));
        if is_accepted(name) {
            fs::copy(&actual, &reference).map_err(|e| e.to_string())?;
        }
        let actual = open(&actual)?;
        match open(&reference) {
            Ok(expected) if expected == actual => {}
            expected => faults.push(show(name, &picture, expected.ok(), &actual)?),
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n").into()) }
}

fn open(path: &Path) -> Result<RgbImage, Failed> {
    Ok(image::open(path).map_err(|e| format!("{}: {e}", path.display()))?.to_rgb8())
}

/// Writes expected, difference and actual beside each other, and says where.
fn show(
    name: &str,
    picture: &str,
    expected: Option<RgbImage>,
    actual: &RgbImage,
) -> Result<String, Failed> {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/golden");
    fs::create_dir_all(&place).map_err(|e| e.to_string())?;
    let path = place.join(format!("{name}.{picture}.png"));
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
        // Differences are amplified, so that one level shows.
        let difference = [0, 1, 2].map(|i| e.0[i].abs_diff(a.0[i]).saturating_mul(8));
        sheet.put_pixel(x, y, e);
        sheet.put_pixel(w + x, y, Rgb(difference));
        sheet.put_pixel(2 * w + x, y, a);
    }
    sheet.save(&path).map_err(|e| e.to_string())?;
    let what =
        if is_missing { "has no reference".into() } else { format!("differs in {differ} pixels") };
    Ok(format!(
        "{name}.{picture} {what}: see target/golden/{name}.{picture}.png (expected | difference | actual); UPDATE_GOLDEN={name} accepts it"
    ))
}

fn no_orphans() -> Result<(), Failed> {
    let mut known = Vec::new();
    for name in names("ron") {
        known.extend(pictures(&name)?.iter().map(|picture| format!("{name}.{picture}")));
    }
    let orphans: Vec<String> =
        names("png").into_iter().filter(|name| !known.contains(name)).collect();
    if orphans.is_empty() {
        Ok(())
    } else {
        Err(format!("no scene has these pictures: {orphans:?}").into())
    }
}
