//! Pictures that look equal, and files that are not pictures.

use crate::{catena, repository};
use catena::compare::{PictureDifference, Raster, measure};
use image::{DynamicImage, ImageBuffer, ImageFormat, Rgb, RgbImage, Rgba};
use std::{fs, io::Cursor};

fn encoded(image: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn measured(pair: [[u8; 4]; 2]) -> PictureDifference {
    let [expected, actual] = pair.map(|pixel| {
        let image = ImageBuffer::from_pixel(16, 16, Rgba::<u8>(pixel));
        Raster::decode(&encoded(image, ImageFormat::Png)).unwrap()
    });
    measure(&expected, &actual, 0).unwrap()
}

/// The difference of two pixels is their visible difference over black or over white, and the
/// difference of their alpha.
#[test]
fn pixels_differ_by_what_is_seen() {
    for (expected, actual, greatest) in [
        // A colour with zero alpha is invisible.
        ([0, 0, 0, 0], [255, 255, 255, 0], 0.0),
        ([1, 2, 3, 0], [200, 100, 50, 0], 0.0),
        // Encoders that premultiply lose the colours of almost transparent pixels.
        ([255, 0, 0, 1], [0, 0, 0, 1], 1.0),
        ([255, 0, 0, 51], [0, 0, 0, 51], 51.0),
        ([255, 255, 255, 255], [255, 255, 255, 0], 255.0),
        ([255, 255, 255, 0], [0, 0, 0, 9], 9.0),
        ([10, 10, 10, 255], [13, 10, 10, 255], 3.0),
        ([10, 10, 10, 128], [10, 10, 10, 127], 1.0),
        ([0, 0, 0, 100], [255, 255, 255, 110], 110.0),
    ] {
        for pair in [[expected, actual], [actual, expected]] {
            let found = measured(pair);
            assert!((found.greatest - greatest).abs() < 0.01, "{pair:?}: {}", found.greatest);
            let is_equal = greatest == 0.0;
            assert_eq!(found.differing == 0, is_equal, "{pair:?}");
            assert_eq!(found.bounds.is_none(), is_equal, "{pair:?}");
            assert!(!is_equal || found.ssim == 1.0, "{pair:?}: {}", found.ssim);
        }
    }
    // An invisible difference still counts in an exact comparison.
    let little = measured([[200, 0, 0, 1], [201, 0, 0, 1]]);
    assert!(little.differing == 256 && little.greatest > 0.0 && little.greatest < 0.01);
}

#[test]
fn transparent_pictures_of_two_encoders_are_equal() {
    let pair = ["13_transparent_black.png", "13_transparent_white.png"];
    let [black, white] = pair.map(|name| repository("tests/defects").join(name));
    let folder = tempfile::tempdir().unwrap();
    let run = catena()
        .current_dir(&folder)
        .arg("diff")
        .args([&black, &white])
        .args(["--out", "failures", "--min-ssim", "1"])
        .assert()
        .success();
    let stdout = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert_eq!(stdout, "1 of 1 picture is equal\n");
    assert!(!folder.path().join("failures").exists());
    // A differing pixel is shown; pixels that are transparent in both pictures are not.
    let mut image = image::open(&white).unwrap().into_rgba8();
    image.put_pixel(3, 2, Rgba([255, 0, 0, 255]));
    let other = folder.path().join("other.png");
    fs::write(&other, encoded(image, ImageFormat::Png)).unwrap();
    let args = ["diff", black.to_str().unwrap(), "other.png", "--out", "failures"];
    let run = catena().current_dir(&folder).args(args).assert().code(1);
    let stdout = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(
        stdout.contains("1 of 256 pixels differs") && stdout.contains("1x1 at (3, 2)"),
        "{stdout}"
    );
    let name = "failures/13_transparent_black.png";
    let sheet = image::open(folder.path().join(name)).unwrap().into_rgba8();
    let middle = 16 + catena::compare::sheet::GAP;
    let bright = (0..16).flat_map(|y| (middle..middle + 16).map(move |x| (x, y)));
    let bright: Vec<_> = bright.filter(|(x, y)| sheet.get_pixel(*x, *y).0[0] > 100).collect();
    assert_eq!(bright, [(middle + 3, 2)]);
}

/// Files with a PNG extension that are not PNG files, each with its message.
fn mistaken() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let picture = || RgbImage::from_fn(9, 7, |x, y| Rgb([x as u8 * 20, y as u8 * 20, 13]));
    let png = encoded(picture(), ImageFormat::Png);
    let replaced = |from: &[u8], to: &[u8]| {
        let mut out = Vec::new();
        let mut rest = &png[..];
        while let Some((first, tail)) = rest.split_first() {
            match rest.strip_prefix(from) {
                Some(after) => {
                    out.extend_from_slice(to);
                    rest = after;
                }
                None => {
                    out.push(*first);
                    rest = tail;
                }
            }
        }
        out
    };
    let as_text = String::from_utf8_lossy(&png).into_owned().into_bytes();
    let as_latin: String = png.iter().map(|byte| char::from(*byte)).collect();
    let mut seven = png.clone();
    seven.iter_mut().for_each(|byte| *byte &= 0x7F);
    let lfs = fs::read(repository("tests/defects/14_lfs_pointer.png")).unwrap();
    let with_crlf = String::from_utf8(lfs.clone()).unwrap().replace('\n', "\r\n").into_bytes();
    let webp = b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\0\0\0".to_vec();
    let ends = "line endings of this PNG file were changed";
    vec![
        ("empty", Vec::new(), "it is empty"),
        ("truncated", png[..png.len() - 20].to_vec(), "it is cut off"),
        ("truncated early", png[..5].to_vec(), "it is cut off"),
        ("lfs", lfs, "it is a pointer of Git LFS, without the picture: `git lfs pull`"),
        ("lfs with CRLF", with_crlf, "it is a pointer of Git LFS"),
        ("annex", b"/annex/objects/SHA256E-s1--00.png\n".to_vec(), "`git annex get`"),
        ("link", b"../shared/picture.png".to_vec(), "core.symlinks"),
        ("jpeg", encoded(picture(), ImageFormat::Jpeg), "it is a JPEG picture named as PNG"),
        ("webp", webp, "it is a WebP picture named as PNG"),
        ("gif", b"GIF89a\x01\0\x01\0\0\0\0;".to_vec(), "it is a GIF picture"),
        ("bmp", b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0".to_vec(), "it is a BMP picture"),
        ("avif", b"\0\0\0\x1cftypavif\0\0\0\0".to_vec(), "it is an AVIF picture"),
        ("svg", b"<?xml version=\"1.0\"?>\n<svg xmlns=\"\"/>".to_vec(), "it is an SVG drawing"),
        (
            "page",
            b"\n<!DOCTYPE HTML>\n<html><body>404</body></html>".to_vec(),
            "it is an HTML page",
        ),
        ("base64", b"iVBORw0KGgoAAAANSUhEUgAA".to_vec(), "base64"),
        ("zeros", vec![0; 4096], "it begins with zeros"),
        ("CRLF to LF", replaced(b"\r\n", b"\n"), ends),
        ("LF to CRLF", replaced(b"\n", b"\r\n"), ends),
        ("CR to LF", replaced(b"\r", b"\n"), ends),
        ("UTF-8", as_text, "read and written as text"),
        ("Latin 1 to UTF-8", as_latin.into_bytes(), "read and written as text"),
        ("seven bits", seven, "read and written as text"),
        ("text", b"hello".to_vec(), "it is not a PNG file"),
        ("BM text", b"BMX results of today".to_vec(), "it is not a PNG file"),
        ("words", b"a note that ends in picture.png".to_vec(), "it is not a PNG file"),
    ]
}

#[test]
fn files_that_are_no_pictures_are_named_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let good = encoded(RgbImage::new(9, 7), ImageFormat::Png);
    fs::write(folder.path().join("good.png"), &good).unwrap();
    let diff = |expected: &str, actual: &str| {
        let args = ["diff", expected, actual];
        let run = catena().current_dir(&folder).args(args).assert().code(1);
        String::from_utf8_lossy(&run.get_output().stdout).into_owned()
    };
    for (name, bytes, words) in mistaken() {
        fs::write(folder.path().join("bad.png"), bytes).unwrap();
        for (part, which) in
            [(diff("bad.png", "good.png"), "expected"), (diff("good.png", "bad.png"), "actual")]
        {
            let wanted = format!("the {which} file cannot be read: ");
            assert!(part.contains(&wanted) && part.contains(words), "{name}: {part}");
        }
    }
}

/// White pixels of a mask are ignored, in all formats of pictures. A mask that fits no picture, or
/// that ignores nothing or everything, is refused.
#[test]
fn a_mask_leaves_pixels_out() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, image: DynamicImage| {
        fs::write(folder.path().join(name), encoded(image, ImageFormat::Png)).unwrap();
    };
    let red = |at: &[[u32; 2]]| {
        let mut image = RgbImage::from_pixel(8, 6, Rgb([10, 20, 30]));
        at.iter().for_each(|[x, y]| image.put_pixel(*x, *y, Rgb([255, 0, 0])));
        DynamicImage::from(image)
    };
    let mask = |size: [u32; 2], white: &[[u32; 2]]| {
        let mut image = RgbImage::new(size[0], size[1]);
        white.iter().for_each(|[x, y]| image.put_pixel(*x, *y, Rgb([255; 3])));
        DynamicImage::from(image)
    };
    write("expected.png", red(&[]));
    write("inside.png", red(&[[3, 2]]));
    write("deep.png", DynamicImage::from(red(&[[3, 2]]).into_rgba16()));
    write("outside.png", red(&[[3, 2], [7, 5]]));
    write("mask.png", mask([8, 6], &[[3, 2], [4, 2]]));
    write("small.png", mask([4, 4], &[[1, 1]]));
    write("black.png", mask([8, 6], &[]));
    let run = |actual: &str, mask: &str, code: i32| {
        let args = ["diff", "expected.png", actual, "--ignore", mask];
        let run = catena().current_dir(&folder).args(args).assert().code(code);
        let output = run.get_output();
        String::from_utf8_lossy(&[&*output.stdout, &output.stderr].concat()).into_owned()
    };
    run("inside.png", "mask.png", 0);
    run("deep.png", "mask.png", 0);
    let message = run("outside.png", "mask.png", 1);
    assert!(message.contains("1 of 48 pixels"), "{message}");
    let message = run("inside.png", "small.png", 2);
    assert!(
        message
            .contains("the mask has 4x4 pixels, but no picture has this size; use a mask of 8x6"),
        "{message}"
    );
    assert!(run("inside.png", "black.png", 2).contains("it has no white pixels"));
    assert!(run("inside.png", "missing.png", 2).contains("--ignore missing.png: "));
    // The mask is an input, and no output may replace it.
    let args = ["diff", "expected.png", "inside.png", "--ignore", "mask.png", "--json", "mask.png"];
    catena().current_dir(&folder).args(args).assert().code(2);
}
