//! Renders, films and other commands that meet in one folder, and foreign files in it.

use crate::job::signals::{Running, frame};
use crate::rendered::{Bench, TINY, is_whole, manifest_is_exact};
use catena::output::{journal::Journal, manifest::Manifest};
use std::{
    fs,
    io::Read,
    os::unix::{fs::symlink, net::UnixListener},
    path::Path,
    process::Command,
};

#[test]
fn one_range_does_not_forget_what_was_drawn_of_another() {
    let bench = Bench::new(TINY);
    bench.render("whole", &["-q", "--frames", "64"], 0);
    let whole = bench.tree("whole");
    let mut killed = Running::start(&bench, &["-q", "--claim", "--frame-range", "0-63"]);
    killed.until(frame(8));
    killed.send("KILL");
    killed.end();
    let there = is_whole(&bench.path("out"), &whole) as u64;
    bench.render("out", &["-q", "--claim", "--frame-range", "100-131"], 0);
    let (drawn, _) = bench.drawn("out", &["--frame-range", "0-63"]);
    // The line about the last file may be missing.
    assert!(
        there >= 8 && (64 - there..=65 - there).contains(&drawn),
        "{there} there, {drawn} drawn"
    );
    assert_eq!(manifest_is_exact(&bench.path("out")), 96);
}

#[test]
fn an_unfinished_render_is_no_whole_film() {
    let bench = Bench::new(TINY);
    bench.render("out", &["-q", "--frames", "4"], 0);
    let film = |more: &[&str]| {
        let run = bench.run([&["film", "out", "-o", "film.gif", "-q"], more].concat());
        (run.status.code(), String::from_utf8_lossy(&run.stderr).into_owned())
    };
    assert_eq!(film(&[]).0, Some(0));
    let out = bench.path("out");
    let whole = Manifest::read(&out).unwrap().unwrap();
    assert_eq!(whole.under_way, None);
    Manifest { under_way: Some([0, 9]), ..whole }.write(&out).unwrap();
    let (code, message) = film(&[]);
    assert_eq!(code, Some(5), "{message}");
    assert!(message.contains("not finished: it has 4 of the frames 0-9"), "{message}");
    assert_eq!(film(&["--frames", "0-3"]).0, Some(0));
    // Files of a killed render count, too.
    let Manifest { source, frames, .. } = Manifest::read(&out).unwrap().unwrap();
    let journal = Journal::create(&bench.path("out/.catena/journal"), &source.key()).unwrap();
    frames.iter().for_each(|entry| journal.add(entry).unwrap());
    let few = frames[..1].to_vec();
    let under_way = Some([0, 9]);
    Manifest { source, frames: few, under_way, packs: Vec::new(), steady: None }
        .write(&out)
        .unwrap();
    assert!(film(&[]).1.contains("it has 4 of the frames 0-9"));
    assert_eq!(film(&["--frames", "0-3"]).0, Some(0));
    // A film never replaces a frame.
    let run = bench.run([
        "film",
        "out",
        "-o",
        "out/frame_00001.png",
        "--format",
        "apng",
        "--frames",
        "0-3",
    ]);
    assert_eq!(run.status.code(), Some(2));
    assert_eq!(film(&["--frames", "0-3"]).0, Some(0));
}

#[test]
fn a_render_leaves_the_unfinished_files_of_others_alone() {
    let bench = Bench::new(TINY);
    fs::create_dir_all(bench.path("out/.catena")).unwrap();
    let others =
        ["out/.part-table.part", "out/.catena-mine.part", "out/.part-0123456789abcdef.part"];
    for name in others.into_iter().chain(["out/.catena/.catena-killed.part"]) {
        fs::write(bench.path(name), "half").unwrap();
    }
    bench.render("out", &["-q", "--frames", "1"], 0);
    bench.render("out", &["-q", "--frames", "2"], 0);
    for name in others {
        assert_eq!(fs::read(bench.path(name)).unwrap(), b"half", "{name}");
    }
    // The whole private folder belongs to catena.
    assert!(!bench.path("out/.catena/.catena-killed.part").exists());
}

#[test]
fn a_part_of_a_render_keeps_the_steady_state() {
    let bench = Bench::new(TINY);
    bench.render("out", &["-q", "--frames", "5"], 0);
    let before = bench.tree("out");
    bench.render("out", &["-q", "--frame-range", "2-2", "--no-steady"], 0);
    assert_eq!(bench.tree("out"), before);
    // A longer wait may give another result.
    bench.render("out", &["-q", "--frame-range", "40-40", "--no-steady"], 0);
    assert!(!bench.path("out/steady.png").exists());
}

#[test]
fn folders_of_others_stay_as_they_are() {
    for (manifest, word) in [
        ("{\"name\": \"an app\"}", "not written by catena"),
        ("// no JSON\n{}", "not written by catena"),
    ] {
        let bench = Bench::new(TINY);
        let web = bench.path("web");
        fs::create_dir(&web).unwrap();
        fs::write(web.join("manifest.json"), manifest).unwrap();
        fs::write(web.join("frame_00000.png"), "mine").unwrap();
        let message = bench.render("web", &["-q"], 5);
        assert!(message.contains(word), "{message}");
        assert_eq!(fs::read_to_string(web.join("manifest.json")).unwrap(), manifest);
        assert_eq!(fs::read_to_string(web.join("frame_00000.png")).unwrap(), "mine");
    }
    // A folder of catena's own whose manifest is lost is not one of these.
    let bench = Bench::new(TINY);
    bench.render("out", &["-q"], 0);
    let whole = bench.tree("out");
    fs::remove_file(bench.path("out/manifest.json")).unwrap();
    bench.render("out", &["-q"], 0);
    assert_eq!(bench.tree("out"), whole);
    let far = r#"{"source":{"catena":"","build":"","scene":"","scene_sha256":"","scene_text":"","size":[1,1],"set":[]},
        "frames":[{"frame":18446744073709551615,"file":"frame_18446744073709551615.png","sha256":"","state_sha256":""}],"steady":null}"#;
    assert!(Manifest::parse(far.as_bytes()).unwrap_err().to_string().contains("the file of frame"));
    assert!(Manifest::parse(far.replace("18446744073709551615", "00007").as_bytes()).is_err());
}

#[test]
fn links_are_not_followed_out_of_a_folder() {
    let bench = Bench::new(TINY);
    bench.render("out", &["-q", "--frames", "1"], 0);
    fs::create_dir(bench.path("outside")).unwrap();
    for name in ["lock", "holder", "journal", "gate", "claims", "state_0000001"] {
        let link = bench.path("out/.catena").join(name);
        let _ = fs::remove_file(&link);
        symlink(bench.path("outside").join(name), &link).unwrap();
    }
    bench.render("out", &["-q", "--frames", "3"], 0);
    bench.render("out", &["-q", "--frames", "5", "--claim"], 0);
    assert_eq!(fs::read_dir(bench.path("outside")).unwrap().count(), 0);

    // A report about pictures in folders is not written through a link either.
    for folder in ["a/c", "b/c", "d"] {
        fs::create_dir_all(bench.path(folder)).unwrap();
    }
    fs::copy(bench.path("out/frame_00000.png"), bench.path("a/c/x.png")).unwrap();
    fs::copy(bench.path("out/steady.png"), bench.path("b/c/x.png")).unwrap();
    symlink(bench.path("outside"), bench.path("d/c")).unwrap();
    let run = bench.run(["diff", "a", "b", "--out", "d"]);
    assert_eq!(run.status.code(), Some(5), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(fs::read_dir(bench.path("outside")).unwrap().count(), 0);
}

#[test]
fn pipes_that_the_user_names_are_written_to() {
    let bench = Bench::new(TINY);
    bench.render("out", &["-q", "--frames", "2"], 0);
    let made = Command::new("mkfifo").arg(bench.path("pipe")).status().unwrap();
    assert!(made.success());
    let path = bench.path("pipe");
    let read = move || {
        let mut text = String::new();
        fs::File::open(path).unwrap().read_to_string(&mut text).unwrap();
        text
    };
    let reader = catena::threads::spawn("reader", read).unwrap();
    let run = bench.run(["diff", "out", "out", "--json", "pipe"]);
    assert_eq!(run.status.code(), Some(0));
    assert!(reader.join().unwrap().contains("\"frame_00001.png\""));
}

#[test]
fn a_reader_that_goes_away_changes_no_verdict() {
    let bench = Bench::new(TINY);
    fs::write(bench.path("bad.ron"), "Scene(base: (rope: (nodes: 0)))").unwrap();
    let catena = crate::catena();
    // Standard output is a socket whose other end is closed.
    let listener = UnixListener::bind(bench.path("socket")).unwrap();
    let stream = std::os::unix::net::UnixStream::connect(bench.path("socket")).unwrap();
    drop(listener);
    let output = std::os::fd::OwnedFd::from(stream);
    let status = Command::new(catena.get_program())
        .current_dir(bench.path(""))
        .args(["check", "scene.ron", "bad.ron"])
        .stdout(output)
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(3));
}

#[test]
fn limits_count_what_is_written() {
    // A folder of frames of this size would be too large.
    let bench = Bench::new("Scene(base: (rope: (nodes: 2), substeps: 1))");
    let many = ["-q", "--size", "1920x1080", "--no-steady"];
    let refused = bench.render("out", &[&many[..], &["--frames", "1000000"]].concat(), 3);
    assert!(refused.contains("lower `--frames`"), "{refused}");
    // A single frame is not too large: now the folder causes the failure.
    let message =
        bench.render("/proc/self", &[&many[..], &["--frame-range", "999999-999999"]].concat(), 5);
    assert!(message.contains("/proc/self"), "{message}");
    assert!(Path::new("/proc/self").is_dir());
}

#[test]
fn a_piece_with_a_damaged_frame_is_mended_alone() {
    let bench = Bench::new(TINY);
    bench.render("out", &["-q", "--frames", "40", "--no-steady"], 0);
    // As after a claimed render whose folder was not cleaned up.
    let manifest = Manifest::read(&bench.path("out")).unwrap().unwrap();
    let claims = bench.path("out/.catena/claims/0-39");
    fs::create_dir_all(&claims).unwrap();
    for (piece, frames) in manifest.frames.chunks(32).enumerate() {
        let path = claims.join(format!("{piece:06}.0"));
        let journal = Journal::create_new(&path, &manifest.source.key()).unwrap().unwrap();
        frames.iter().for_each(|entry| journal.add(entry).unwrap());
        journal.mark_left().unwrap();
    }
    fs::write(bench.path("out/frame_00007.png"), "damaged").unwrap();
    let (drawn, _) = bench.drawn("out", &["--frames", "40", "--claim", "--no-steady"]);
    assert_eq!(drawn, 1);
    assert_eq!(manifest_is_exact(&bench.path("out")), 40);
}
