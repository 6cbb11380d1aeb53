//! `catena diff`: known numbers, the definition of equal, messages, and files that it writes and
//! removes.

use crate::catena;
use catena::compare::{Bounds, Raster, measure};
use catena_tests::Random;
use image::{DynamicImage, GrayImage, ImageBuffer, ImageFormat, Luma, Rgb, RgbImage, Rgba};
use std::{fs, io::Cursor, path::Path};
use tempfile::TempDir;

fn png(image: impl Into<DynamicImage>) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.into().write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

fn raster(image: impl Into<DynamicImage>) -> Raster {
    Raster::decode(&png(image)).unwrap()
}

/// 1000 pixels; `count` of them differ from `plain(0)` by three levels of green.
fn plain(count: u32) -> RgbImage {
    RgbImage::from_fn(40, 25, |x, y| {
        Rgb([10, if y * 40 + x < count { 103 } else { 100 }, (6 * x) as u8])
    })
}

/// A folder with files; a name that ends in / is a folder.
fn folder(files: &[(&str, Vec<u8>)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(if name.ends_with('/') { &path } else { path.parent().unwrap() })
            .unwrap();
        if !name.ends_with('/') {
            fs::write(path, bytes).unwrap();
        }
    }
    folder
}

/// Exit code, standard output and standard error of `catena diff` in a folder.
fn diff(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let run = catena().current_dir(folder).arg("diff").args(arguments).output().unwrap();
    let [out, err] = [run.stdout, run.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (run.status.code().unwrap(), out, err)
}

#[test]
fn channels_are_compared_whatever_the_kind_of_picture() {
    let grey = |level| DynamicImage::from(GrayImage::from_pixel(5, 4, Luma([level])));
    let rgb = |level| DynamicImage::from(RgbImage::from_pixel(5, 4, Rgb([level; 3])));
    let rgba = |level, alpha| {
        DynamicImage::from(ImageBuffer::from_pixel(5, 4, Rgba::<u8>([level, level, level, alpha])))
    };
    let deep =
        |level: u16| DynamicImage::from(ImageBuffer::from_pixel(5, 4, Rgb::<u16>([level; 3])));
    let cases: [(DynamicImage, DynamicImage, f64); 8] = [
        (rgb(7), rgb(7), 0.0),
        (rgb(7), rgb(8), 1.0),
        (rgb(0), rgb(255), 255.0),
        (grey(7), rgb(7), 0.0),
        (rgb(7), rgba(7, 255), 0.0),
        (rgb(7), rgba(7, 254), 1.0),
        (rgb(7), deep(7 * 257), 0.0),
        (deep(7 * 257), deep(7 * 257 + 1), 1.0 / 257.0),
    ];
    for (index, (expected, actual, greatest)) in cases.into_iter().enumerate() {
        let numbers = measure(&raster(expected), &raster(actual), 0).unwrap();
        assert_eq!(numbers.greatest, greatest, "case {index}");
        assert_eq!(numbers.differing, if greatest > 0.0 { 20 } else { 0 }, "case {index}");
        assert!(greatest > 0.0 || numbers.ssim == 1.0, "case {index}");
    }

    let mut other = plain(0);
    other.put_pixel(3, 2, Rgb([10, 101, 18]));
    other.put_pixel(9, 5, Rgb([10, 100, 50]));
    let bounds = |tolerated| {
        let numbers = measure(&raster(plain(0)), &raster(other.clone()), tolerated).unwrap();
        (numbers.differing, numbers.beyond, numbers.bounds)
    };
    assert_eq!(bounds(0), (2, 2, Some(Bounds { corner: [3, 2], size: [7, 4] })));
    assert_eq!(bounds(1), (2, 1, Some(Bounds { corner: [9, 5], size: [1, 1] })));
    assert_eq!(bounds(4), (2, 0, Some(Bounds { corner: [3, 2], size: [7, 4] })));
    let sizes = measure(&raster(plain(0)), &raster(rgb(1)), 0);
    assert_eq!(sizes, Err([[40, 25], [5, 4]]));
}

/// The mean SSIM as defined in the paper, window by window.
fn plain_ssim(x: &RgbImage, y: &RgbImage) -> f64 {
    let luma = |image: &RgbImage, column, row| {
        let [r, g, b] = image.get_pixel(column, row).0.map(f64::from);
        0.299 * r + 0.587 * g + 0.114 * b
    };
    let (w, h) = (x.width().min(11), x.height().min(11));
    let weight = |i: u32, count: u32| {
        let d = f64::from(i) - (f64::from(count) - 1.0) / 2.0;
        libm::exp(-d * d / (2.0 * 1.5 * 1.5))
    };
    let (c1, c2) = (6.5025, 58.5225);
    let (mut sum, mut windows) = (0.0, 0.0);
    for (top, left) in (0..=x.height() - h).flat_map(|t| (0..=x.width() - w).map(move |l| (t, l))) {
        let places: Vec<(f64, f64, f64)> = (0..h)
            .flat_map(|j| (0..w).map(move |i| (i, j)))
            .map(|(i, j)| {
                let weight = weight(i, w) * weight(j, h);
                (weight, luma(x, left + i, top + j), luma(y, left + i, top + j))
            })
            .collect();
        let total: f64 = places.iter().map(|p| p.0).sum();
        let mean =
            |f: &dyn Fn(f64, f64) -> f64| places.iter().map(|p| p.0 / total * f(p.1, p.2)).sum();
        let (mx, my): (f64, f64) = (mean(&|x, _| x), mean(&|_, y| y));
        let vx: f64 = mean(&|x, _| (x - mx) * (x - mx));
        let vy: f64 = mean(&|_, y| (y - my) * (y - my));
        let cov: f64 = mean(&|x, y| (x - mx) * (y - my));
        sum +=
            (2.0 * mx * my + c1) * (2.0 * cov + c2) / ((mx * mx + my * my + c1) * (vx + vy + c2));
        windows += 1.0;
    }
    sum / windows
}

#[test]
fn ssim_is_that_of_the_paper() {
    let mut random = Random::new(1);
    let mut noise = |w, h| {
        RgbImage::from_fn(w, h, |_, _| {
            let [a, b, c, ..] = random.bits().to_be_bytes();
            Rgb([a, b, c])
        })
    };
    let mut local = noise(40, 30);
    let whole = local.clone();
    (20..24).for_each(|x| local.put_pixel(x, 12, Rgb([0, 255, 0])));
    let pairs = [
        (noise(23, 17), noise(23, 17)),
        (noise(5, 3), noise(5, 3)),
        (noise(1, 30), noise(1, 30)),
        (whole, local),
        (plain(0), plain(500)),
    ];
    for (x, y) in pairs {
        let ssim = measure(&raster(x.clone()), &raster(y.clone()), 0).unwrap().ssim;
        let expected = plain_ssim(&x, &y);
        assert!((ssim - expected).abs() < 1e-9, "{ssim} instead of {expected}");
        assert!(ssim < 1.0);
    }

    // Flat pictures have no variance: (2ab + C1) / (a² + b² + C1).
    let flat = |level| raster(RgbImage::from_pixel(20, 20, Rgb([level; 3])));
    let ssim = measure(&flat(100), &flat(150), 0).unwrap().ssim;
    assert!((ssim - 30006.5025 / 32506.5025).abs() < 1e-9);

    // Transparent pixels are composited on a backdrop: white on white shows nothing, so black is
    // used.
    let glass = |alpha| raster(ImageBuffer::from_pixel(20, 20, Rgba([255_u8, 255, 255, alpha])));
    assert!(measure(&glass(255), &glass(0), 0).unwrap().ssim < 0.01);
}

#[test]
fn a_pair_passes_within_the_tolerance_and_not_beyond() {
    let folder = folder(&[("e.png", png(plain(0))), ("a.png", png(plain(7)))]);
    let ssim = measure(&raster(plain(0)), &raster(plain(7)), 0).unwrap().ssim;
    let [at, over] = [ssim, ssim + 1e-9].map(|minimum| minimum.to_string());
    let cases: [(&[&str], i32); 19] = [
        (&[], 1),
        (&["--max-channel", "2"], 1),
        (&["--max-channel", "3"], 0),
        (&["--max-pixels", "0.7%"], 0),
        (&["--max-pixels", "0.007"], 0),
        (&["--max-pixels", "0.00699"], 1),
        (&["--max-pixels", "0.69%"], 1),
        (&["--max-channel", "2", "--max-pixels", "0.7%"], 0),
        (&["--min-ssim", &at], 0),
        (&["--min-ssim", &over], 1),
        (&["--min-ssim", &at, "--max-pixels", "0.6%"], 1),
        (&["--min-ssim", &over, "--max-channel", "3"], 1),
        (&["--min-ssim", &at, "--max-channel", "3"], 0),
        (&["--min-ssim", "-1"], 0),
        (&["--max-channel", "256"], 2),
        (&["--max-pixels", "5"], 2),
        (&["--max-pixels", "101%"], 2),
        (&["--max-pixels", "NaN"], 2),
        (&["--min-ssim", "1.5"], 2),
    ];
    for (options, code) in cases {
        let arguments: Vec<&str> = ["e.png", "a.png"].iter().chain(options).copied().collect();
        assert_eq!(diff(folder.path(), &arguments).0, code, "{options:?}");
    }
    let (_, stdout, _) = diff(folder.path(), &["e.png", "a.png"]);
    assert!(
        stdout.starts_with("e.png: 7 of 1000 pixels differ (0.7%), by at most 3 of 255, within 7x1 at (0, 0); SSIM 0.9"),
        "{stdout}"
    );
    assert!(stdout.ends_with("\n0 of 1 picture is equal; 1 differs\n"), "{stdout}");
    let passed = diff(folder.path(), &["e.png", "a.png", "--max-channel", "3"]);
    assert_eq!(passed.1, "1 of 1 picture is equal within the tolerance\n");
}

/// Two folders with every kind of difference.
fn everything() -> TempDir {
    let good = png(plain(0));
    let cut = good[..good.len() - 12].to_vec();
    let mut film = Vec::new();
    let mut encoder = png::Encoder::new(&mut film, 1, 1);
    encoder.set_animated(1, 0).unwrap();
    encoder.write_header().unwrap().write_image_data(&[9]).unwrap();
    folder(&[
        ("e/1 same.png", good.clone()),
        ("a/1 same.png", good.clone()),
        ("e/2 <script>.png", good.clone()),
        ("a/2 <script>.png", png(plain(1))),
        ("e/3 size.png", good.clone()),
        ("a/3 size.png", png(RgbImage::new(20, 30))),
        ("e/4 gone.png", good.clone()),
        ("e/5 empty.png", good.clone()),
        ("a/5 empty.png", Vec::new()),
        ("e/6 cut.png", cut.clone()),
        ("a/6 cut.png", cut),
        ("e/7 text.png", b"hello".to_vec()),
        ("a/7 text.png", good.clone()),
        ("e/8 film.png", film.clone()),
        ("a/8 film.png", film),
        ("a/sub/9 new.PNG", good),
        ("e/manifest.json", b"{}".to_vec()),
    ])
}

#[test]
fn every_failure_is_named() {
    let folder = everything();
    let (code, stdout, errors) = diff(folder.path(), &["e", "a"]);
    assert_eq!((code, errors.as_str()), (1, ""));
    let lines: Vec<&str> = stdout.lines().collect();
    assert!(lines[0].starts_with("2 <script>.png: 1 of 1000 pixels differs (0.1%), by at most 3"));
    assert_eq!(
        lines[1..],
        [
            "3 size.png: expected 40x25 pixels, found 20x30",
            "4 gone.png: missing",
            "5 empty.png: the actual file cannot be read: it is empty",
            "6 cut.png: the expected file cannot be read: it is cut off: the end of the PNG file is missing; \
             the actual file cannot be read: it is cut off: the end of the PNG file is missing",
            "7 text.png: the expected file cannot be read: it is not a PNG file",
            "8 film.png: the expected file cannot be read: it is an animated PNG; compare its frames; \
             the actual file cannot be read: it is an animated PNG; compare its frames",
            "sub/9 new.PNG: extra: there is no expected picture with this name",
            "1 of 9 pictures is equal; 2 differ, 1 is missing, 1 is extra, 4 cannot be read",
        ]
    );
    assert_eq!(diff(folder.path(), &["e", "a", "-q"]), (1, String::new(), String::new()));

    let (code, json, _) = diff(folder.path(), &["e", "a", "--json", "-", "--threads", "1"]);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((code, &value["passes"]), (1, &false.into()));
    assert_eq!(value["counts"]["undecodable"], 4);
    let verdicts = ["equal", "different", "size", "missing"];
    let verdicts = verdicts.into_iter().chain(["undecodable"; 4]).chain(["extra"]);
    let pictures = value["pictures"].as_array().unwrap();
    assert!(pictures.iter().map(|p| p["verdict"].as_str().unwrap()).eq(verdicts));
    let differs = &pictures[1];
    assert_eq!(differs["greatest_difference"], 3.0);
    assert_eq!(differs["pixels_beyond"], 1);
    assert_eq!(differs["share_beyond"], 0.001);
    assert_eq!(differs["bounds"], serde_json::json!([0, 0, 1, 1]));
    assert_eq!(pictures[0]["ssim"], 1.0);
    assert_eq!(pictures[2]["actual_size"], serde_json::json!([20, 30]));
    assert_eq!(pictures[4]["expected_error"], serde_json::Value::Null);
    diff(folder.path(), &["e", "a", "--json", "all.json"]);
    assert_eq!(fs::read_to_string(folder.path().join("all.json")).unwrap(), json);
}

#[test]
fn extra_pictures_pass_where_they_may() {
    let picture = || png(plain(0));
    let folder = folder(&[("e/a.png", picture()), ("a/a.png", picture()), ("a/b.png", picture())]);
    assert_eq!(diff(folder.path(), &["e", "a"]).0, 1);
    let (code, stdout, _) = diff(folder.path(), &["e", "a", "--allow-extra"]);
    assert_eq!(
        (code, stdout.as_str()),
        (0, "1 of 1 picture is equal; 1 is extra, which is allowed\n")
    );
}

#[test]
fn the_page_shows_failures_and_goes_when_they_are_gone() {
    let folder = everything();
    let out = folder.path().join("out");
    let (code, stdout, _) = diff(folder.path(), &["e", "a", "--out", "out"]);
    assert_eq!((code, stdout.lines().last()), (1, Some("see out/index.html")));
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains("2 &lt;script&gt;.png") && page.contains("2%20%3Cscript%3E.png"));
    assert!(!page.contains("<script>.png") && !page.contains("1 same.png"));
    assert!(page.contains("4 gone.png") && page.contains("sub/9 new.PNG"));
    let sheet = image::open(out.join("2 <script>.png")).unwrap().to_rgb8();
    assert_eq!(sheet.dimensions(), (3 * 40 + 2 * 8, 25));
    assert_eq!([0, 96].map(|x| sheet.get_pixel(x, 0).0[1]), [100, 103]);
    assert_eq!([48, 49].map(|x| sheet.get_pixel(x, 0).0), [[255; 3], [16; 3]]);
    let sizes = image::open(out.join("3 size.png")).unwrap().to_rgb8();
    assert_eq!(sizes.dimensions(), (136, 30));
    assert_eq!(sizes.get_pixel(0, 29).0, [255, 0, 255]);

    // The next report replaces this one. Files that are not catena's stay, whatever the page
    // claims.
    fs::write(out.join("notes.txt"), "mine").unwrap();
    fs::write(out.join("3 size.png"), png(plain(0))).unwrap();
    let picture = folder.path().join("a/2 <script>.png");
    fs::write(folder.path().join("e/7 text.png"), png(plain(3))).unwrap();
    fs::copy(folder.path().join("e/3 size.png"), folder.path().join("a/3 size.png")).unwrap();
    fs::copy(folder.path().join("e/2 <script>.png"), picture).unwrap();
    assert_eq!(diff(folder.path(), &["e", "a", "--out", "out"]).0, 1);
    let left = ["2 <script>.png", "3 size.png", "7 text.png", "notes.txt"];
    assert_eq!(left.map(|name| out.join(name).exists()), [false, true, true, true]);

    // No failure is left: there is no page, no sheet, and no new folder.
    assert_eq!(diff(folder.path(), &["e", "e", "--out", "none"]).0, 1, "broken files never pass");
    for name in ["5 empty.png", "6 cut.png", "8 film.png"] {
        fs::write(folder.path().join("e").join(name), png(plain(0))).unwrap();
    }
    assert_eq!(diff(folder.path(), &["e", "e", "--out", "out"]).0, 0);
    assert!(!out.join("index.html").exists() && !out.join("7 text.png").exists());
    assert!(out.join("notes.txt").exists() && out.join("3 size.png").exists());
    assert_eq!(diff(folder.path(), &["e", "e", "--out", "fresh"]).0, 0);
    assert!(!folder.path().join("fresh").exists());
}

#[test]
fn what_cannot_be_compared_is_an_error() {
    let picture = || png(plain(0));
    let folder = folder(&[
        ("e/a.png", picture()),
        ("a/a.png", png(plain(1))),
        ("empty/notes.txt", Vec::new()),
        ("foreign/index.html", b"<!DOCTYPE html>".to_vec()),
        ("taken/a.png", picture()),
    ]);
    let cases: [(&[&str], i32, &str); 10] = [
        (&["empty", "a"], 2, "empty contains no *.png"),
        (&["e", "a/a.png"], 2, "e is a folder, but a/a.png is a file"),
        (&["nowhere", "a"], 5, "cannot read nowhere"),
        (&["e", "nowhere"], 5, "cannot read nowhere"),
        (&["e", "a", "--out", "a/report"], 2, "the report would be in a"),
        (&["e", "a", "--out", "e"], 2, "the report would be in e"),
        (&["e/a.png", "a/a.png", "--out", "a"], 2, "the report would be beside a/a.png"),
        (&["e", "a", "--out", "foreign"], 5, "catena did not write it"),
        (&["e", "a", "--out", "taken"], 5, "catena did not write it"),
        (
            &["e", "a", "--out", "empty/notes.txt/report"],
            5,
            "empty/notes.txt is a file, not a folder",
        ),
    ];
    for (arguments, code, expected) in cases {
        let (found, out, errors) = diff(folder.path(), arguments);
        assert_eq!((found, out.as_str()), (code, ""), "{arguments:?}: {errors}");
        assert!(errors.contains(expected), "{arguments:?}: {errors}");
    }
    assert_eq!(fs::read(folder.path().join("taken/a.png")).unwrap(), picture());
    assert_eq!(
        diff(folder.path(), &["e", "empty"]).1,
        "a.png: missing\n0 of 1 picture is equal; 1 is missing\n"
    );
}

#[cfg(unix)]
#[test]
fn links_and_strange_names_are_no_trouble() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt, os::unix::fs::symlink};
    let folder = folder(&[("e/a.png", png(plain(0))), ("a/deep/real.png", png(plain(0)))]);
    let [expected, actual] = ["e", "a"].map(|name| folder.path().join(name));
    symlink("deep/real.png", actual.join("a.png")).unwrap();
    symlink("..", expected.join("circle")).unwrap();
    symlink(".", actual.join("circle.png")).unwrap();
    let name = OsStr::from_bytes(b"odd \xff\n.png");
    fs::write(expected.join(name), png(plain(0))).unwrap();
    fs::write(actual.join(name), png(plain(2))).unwrap();
    symlink("itself.png", actual.join("itself.png")).unwrap();
    fs::write(expected.join("itself.png"), png(plain(0))).unwrap();
    let (code, stdout, _) = diff(folder.path(), &["e", "a", "--out", "out"]);
    assert_eq!(code, 1);
    assert!(
        stdout.contains("deep/real.png: extra") && stdout.contains("odd \u{fffd}\\n.png: 2 of")
    );
    assert!(stdout.contains("itself.png: the actual file cannot be read"), "{stdout}");
    assert!(stdout.contains("1 of 4 pictures is equal"), "{stdout}");
    assert!(folder.path().join("out").join(name).exists());
    fs::copy(expected.join(name), actual.join(name)).unwrap();
    diff(folder.path(), &["e", "a", "--out", "out"]);
    assert!(!folder.path().join("out").join(name).exists(), "the page knew its name");
}
