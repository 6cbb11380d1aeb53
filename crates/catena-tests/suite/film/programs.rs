//! An ffmpeg or ffprobe that is missing or lacks a feature: the message says how to get another
//! one.
#![cfg(unix)]

use super::{
    content::frames,
    faults::{Bench, COUNTS_FIVE, TAKES_ALL},
};
use crate::catena;

#[test]
fn a_missing_ffmpeg_is_told_with_the_way_to_get_it() {
    let bench = Bench::new(&frames(2, 64, 64));
    let remedies = [
        "sudo apt install ffmpeg",
        "brew install ffmpeg",
        "winget install ffmpeg",
        "frames are kept",
    ];
    let remedies = remedies.map(|remedy| {
        if remedy == "frames are kept" { "the frames in frames are kept" } else { remedy }
    });
    bench.script("good", TAKES_ALL);
    let options = ["-o", "film.mp4", "--ffprobe", "./good", "--ffmpeg", "./none"];
    bench.fails(
        &options,
        6,
        &[&["ffmpeg cannot be started: ./none does not exist"], &remedies[..]].concat(),
    );
    let options = ["-o", "film.mp4", "--ffmpeg", "./good", "--ffprobe", "./none"];
    bench.fails(
        &options,
        6,
        &[&["ffprobe cannot be started: ./none does not exist"], &remedies[..]].concat(),
    );
    // Without the option, the program is searched in PATH.
    let run = catena()
        .current_dir(&bench.folder)
        .env("PATH", "/nowhere")
        .args(["film", "frames", "-o", "film.mp4"])
        .assert()
        .code(6);
    let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(stderr.contains("not installed, or not in PATH"), "{stderr}");
    bench.has_no_film();
}

/// An ffmpeg that lacks a feature fails with a message that only its developers understand.
#[test]
fn an_ffmpeg_that_lacks_a_part_is_told_with_the_way_to_get_another() {
    let bench = Bench::new(&frames(2, 64, 64));
    let remedies = [
        "dnf swap ffmpeg-free",
        "conda-forge",
        "sudo apt install ffmpeg",
        "--ffmpeg PATH",
        ".gif, .apng or .webp",
    ];
    bench.script("ffprobe", COUNTS_FIVE);
    for (printed, quality, what) in [
        ("Unknown encoder 'libx264'", "18", "this ffmpeg was built without the encoder"),
        (
            "[vost#0:0 @ 0x55] Unknown encoder 'libx264rgb'",
            "0",
            "this ffmpeg was built without the encoder",
        ),
        ("Automatic encoder selection failed Encoder not found", "18", "without the encoder"),
        ("Requested output format 'mov' is not a suitable output format", "18", "without a format"),
        ("Unknown input format: 'rawvideo'", "18", "without a format"),
        ("pipe:0: Protocol not found", "18", "without access to files or pipes"),
        ("Unrecognized option 'xerror'.", "18", "this ffmpeg is too old"),
        (
            "ffmpeg: error while loading shared libraries: libx264.so.164",
            "18",
            "not installed completely",
        ),
    ] {
        // The program ends at once, or after it has read the frames.
        for first in ["cat > /dev/null &", ":"] {
            bench.script("ffmpeg", &format!("{first}\necho \"{printed}\" >&2; exit 8"));
            let options = ["-o", "film.mp4", "--quality", quality, "--ffmpeg", "./ffmpeg"];
            bench.fails(&options, 6, &[&[what, printed][..], &remedies].concat());
        }
    }
    // Other failures give no such advice.
    bench.script("ffmpeg", "cat > /dev/null; echo Killed >&2; exit 8");
    let run = catena()
        .current_dir(&bench.folder)
        .args(["film", "frames", "-o", "film.mp4", "--ffmpeg", "./ffmpeg"])
        .assert()
        .code(6);
    let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(stderr.contains("Killed") && !stderr.contains("apt install"), "{stderr}");
}
