//! Frames of other programs: numbered PNG files with any name.

use super::content::png;
use crate::catena;
use image::{Rgb, RgbImage};
use std::fs;

/// A picture that encodes its number.
fn picture(number: u8) -> Vec<u8> {
    png(&RgbImage::from_pixel(3, 2, Rgb([number, 0, 0])))
}

/// Films a folder with these files. Returns the exit code, the numbers of the pictures in the film,
/// and the message.
fn film(files: &[(&str, u8)], options: &[&str]) -> (i32, Vec<u8>, String) {
    let folder = tempfile::tempdir().unwrap();
    let shots = folder.path().join("shots");
    fs::create_dir(&shots).unwrap();
    for (name, number) in files {
        let bytes = if *number == 0 { b"text".to_vec() } else { picture(*number) };
        fs::write(shots.join(name), bytes).unwrap();
    }
    let output = catena()
        .current_dir(&folder)
        .args(["film", "shots", "-o", "film.raw"])
        .args(options)
        .output()
        .unwrap();
    let bytes = fs::read(folder.path().join("film.raw")).unwrap_or_default();
    let numbers = bytes.chunks_exact(18).map(|frame| frame[0]).collect();
    (output.status.code().unwrap(), numbers, String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn any_one_numbered_sequence_is_filmed_in_the_order_of_its_numbers() {
    let cases: [(&[(&str, u8)], &[&str], &[u8]); 12] = [
        (&[("0001.png", 1), ("0002.png", 2)], &[], &[1, 2]),
        (&[("frame_1.png", 1), ("frame_2.png", 2)], &[], &[1, 2]),
        // Numbers may have any width: 10 comes after 9.
        (&[("f10.png", 10), ("f8.png", 8), ("f9.png", 9)], &[], &[8, 9, 10]),
        (&[("shot.0998.png", 1), ("shot.0999.png", 2), ("shot.1000.png", 3)], &[], &[1, 2, 3]),
        (&[("frame (1).png", 1), ("frame (2).png", 2)], &[], &[1, 2]),
        (&[("A-01.PNG", 1), ("A-02.PNG", 2)], &[], &[1, 2]),
        // The number that varies is the frame number, whatever follows it.
        (&[("v2_shot_07_1080p.png", 7), ("v2_shot_08_1080p.png", 8)], &[], &[7, 8]),
        (&[("2026-01-31_0001.png", 1), ("2026-01-31_0002.png", 2)], &[], &[1, 2]),
        // Files without a number, other files and hidden files are ignored.
        (
            &[
                ("steady.png", 9),
                ("1.png", 1),
                ("2.png", 2),
                ("3.txt", 0),
                ("._3.png", 0),
                ("3.png.bak", 0),
            ],
            &[],
            &[1, 2],
        ),
        (&[("007.png", 7)], &[], &[7]),
        (
            &[("1.png", 1), ("2.png", 2), ("3.png", 3), ("4.png", 4), ("5.png", 5)],
            &["--frames", "2-4"],
            &[2, 3, 4],
        ),
        // Every second frame was rendered.
        (&[("1.png", 1), ("3.png", 3), ("5.png", 5)], &["--every", "2"], &[1, 3, 5]),
    ];
    for (files, options, numbers) in cases {
        let (code, found, message) = film(files, options);
        assert_eq!((code, &*found), (0, numbers), "{files:?}: {message}");
        assert!(message.contains("no manifest.json"), "{message}");
    }
}

#[test]
fn gaps_and_several_sequences_are_refused_with_a_remedy() {
    let two: &[(&str, u8)] = &[("a.1.png", 1), ("a.2.png", 2), ("b.1.png", 3), ("b.2.png", 4)];
    let cases: [(&[(&str, u8)], &[&str], i32, &[&str]); 10] = [
        (
            &[("1.png", 1), ("2.png", 2), ("4.png", 4), ("5.png", 5), ("9.png", 9)],
            &[],
            5,
            &[
                "frames 3 and 6-8 are missing from shots: 1-2, 4-5 and 9 exist; use --frames 1-2 for a part",
            ],
        ),
        (
            &[("s_01.png", 1), ("s_03.png", 3)],
            &[],
            5,
            &["frame 2 is missing from shots: 1 and 3 exist"],
        ),
        (
            two,
            &[],
            5,
            &[
                "several numbered sequences: a.*.png (1-2) and b.*.png (1-2)",
                "--sequence 'a.*.png'",
            ],
        ),
        (
            &[("1.png", 1), ("01.png", 2), ("2.png", 3)],
            &[],
            5,
            &["two files for frame 1, 01.png and 1.png"],
        ),
        (
            &[("a.jpg", 0), ("1.jpg", 0)],
            &[],
            5,
            &["shots contains no frames", ".jpg files; convert them to PNG"],
        ),
        (
            &[("logo.png", 1)],
            &[],
            5,
            &["shots contains no frames", "shot.0001.png", "catena render SCENE --out shots"],
        ),
        (two, &["--sequence", "c.*.png"], 5, &["shots contains no c.*.png"]),
        (two, &["--sequence", "a.1.png"], 2, &["write one * instead of the number"]),
        (two, &["--sequence", "../*.png"], 2, &["expected the names of PNG files in the folder"]),
        (&[("99999999999999999999999.png", 1)], &[], 5, &["contains no frames"]),
    ];
    for (files, options, code, words) in cases {
        let (found, _, message) = film(files, options);
        assert_eq!(found, code, "{files:?} {options:?}: {message}");
        for word in words {
            assert!(message.contains(word), "{files:?} {options:?}: {word:?} is not in\n{message}");
        }
    }
    assert_eq!(film(two, &["--sequence", "b.*.png"]).1, [3, 4]);
}

#[test]
fn a_single_numbered_picture_beside_a_sequence_is_named_and_left_out() {
    let (code, found, message) = film(&[("logo2.png", 9), ("0001.png", 1), ("0002.png", 2)], &[]);
    assert_eq!((code, &*found), (0, &[1, 2][..]), "{message}");
    assert!(message.contains("skips logo2.png"), "{message}");
}

#[test]
fn what_is_named_png_and_is_none_is_told_with_the_remedy_and_frames_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let shots = folder.path().join("shots");
    fs::create_dir(&shots).unwrap();
    fs::write(shots.join("0001.png"), picture(1)).unwrap();
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n";
    fs::write(shots.join("0002.png"), pointer).unwrap();
    let fails = |output: &str, code, words: &str| {
        let args = ["film", "shots", "--format", "apng", "-o", output];
        let run = catena().current_dir(&folder).args(args).assert().code(code);
        let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(stderr.contains(words), "{stderr}");
        assert!(!stderr.contains("catena render"), "catena did not make the folder: {stderr}");
    };
    fails("film.apng", 5, "0002.png cannot be filmed: it is a pointer of Git LFS");
    fs::write(shots.join("0002.png"), picture(2)).unwrap();
    let hard = folder.path().join("hard.png");
    fs::hard_link(shots.join("0002.png"), &hard).unwrap();
    // No frame is read before this check: the first file is not a picture.
    fs::write(shots.join("0001.png"), pointer).unwrap();
    fails(
        "shots/0002.png",
        2,
        "-o: shots/0002.png is a file of the frames that this command reads",
    );
    if cfg!(unix) {
        fails("hard.png", 2, "-o: hard.png leads to shots/0002.png, a file of the frames");
    }
    assert_eq!(fs::read(shots.join("0002.png")).unwrap(), picture(2));
    assert_eq!(fs::read(hard).unwrap(), picture(2));
}
