//! `catena watch` on the command line.
#![cfg(unix)]

use super::watching::Watching;
use crate::job::signals::SLOW;
use crate::rendered::{Bench, is_whole, manifest_is_exact, unfinished};
use std::{fs, net::TcpListener, path::PathBuf};

fn scene(nodes: usize) -> String {
    format!(
        "Scene(base: (size: (64, 64), frames: 6, substeps: 8, decoration: Bare, rest: (limit: 8),
        view: (center: (0, 0), extent: (1200, 1200)), rope: (nodes: {nodes})))"
    )
}

#[test]
fn saves_are_rendered_and_errors_are_shown_until_it_is_interrupted() {
    let bench = Bench::new(&scene(4));
    let mut watching = Watching::start(&bench, &["--threads", "2"]);
    let mut at = watching.until_printed(0, "watching scene.ron, writing frames to out/scene");
    at = watching.until_printed(at, "6 frames, steady.png and manifest.json in out/scene");
    let before = bench.tree("out/scene");
    for (wrong, message) in [
        ("Scene(base: (rope: (nods: 4)))", "error: scene.ron:1:21: there is no field `nods`"),
        ("Scene(base: (size: (64, 64), frames: 900000000))", "900000000 frames are more than"),
        ("Scene(base: (size: (64, 64), panels: [))", "error: scene.ron:1:"),
    ] {
        fs::write(bench.path("scene.ron"), wrong).unwrap();
        at = watching.until_printed(at, message);
        assert_eq!(bench.tree("out/scene"), before, "the last good pictures stay");
    }
    fs::write(bench.path("scene.ron"), scene(5)).unwrap();
    watching.until_printed(at, "6 frames, steady.png and manifest.json in out/scene");
    let (code, message) = watching.interrupt();
    assert_eq!(code, Some(130), "{message}");
    assert!(message.ends_with("interrupted"), "{message}");
    bench.render("plain", &["-q"], 0);
    assert_eq!(bench.tree("out/scene"), bench.tree("plain"));
    let (drawn, _) = bench.drawn("out/scene", &[]);
    assert_eq!(drawn, 0, "render takes over all frames");
}

#[test]
fn dozens_of_saves_leave_nothing_behind() {
    let bench = Bench::new(&scene(4));
    let json = ["--progress", "json", "--threads", "2"];
    let saves = if crate::is_thorough() { 60 } else { 24 };
    for serve in [&[][..], &["--serve"]] {
        let watching = Watching::start(&bench, &[&json[..], serve].concat());
        let mut early = None;
        let memory = || watching.memory();
        for number in 0..saves {
            let [done, refused] = ["done", "refused"].map(|kind| watching.events(kind).len());
            let (kind, count, text) = match number % 4 {
                2 => ("refused", refused, format!("Scene(base: (rope: (nods: {number})))")),
                _ => ("done", done, scene(4 + number % 5)),
            };
            fs::write(bench.path("scene.ron"), text).unwrap();
            super::watching::until(kind, || watching.events(kind).len() > count);
            if number == 9 {
                early = Some((watching.holds(), memory()));
            }
        }
        let ((holds, before), after) = (early.unwrap(), memory());
        // A file that is being read is open for a moment; a leaked file stays open.
        super::watching::until(&format!("{holds:?} threads and open files"), || {
            watching.holds().iter().zip(holds).all(|(&now, early)| now <= early)
        });
        assert!(after < before + 64, "{before} MiB before, {after} MiB after");
        assert_eq!(watching.interrupt().0, Some(130));
        assert_eq!(unfinished(&bench.path("out")), Vec::<PathBuf>::new());
    }
}

#[test]
fn an_interrupted_watch_leaves_a_whole_folder() {
    let bench = Bench::new(SLOW);
    bench.render("whole", &["-q"], 0);
    let whole = bench.tree("whole");
    let mut watching = Watching::start(&bench, &["--out", "out", "--no-steady"]);
    watching.until_printed(0, "watching");
    super::watching::until("a frame", || bench.path("out/frame_00000.png").is_file());
    // A newer text replaces this one while frames are made.
    fs::write(bench.path("scene.ron"), SLOW.replace("nodes: 8", "nodes: 7")).unwrap();
    super::watching::until("other frames", || {
        let manifest = fs::read_to_string(bench.path("out/manifest.json")).unwrap_or_default();
        manifest.contains("nodes: 7")
    });
    fs::write(bench.path("scene.ron"), SLOW).unwrap();
    super::watching::until("the first frames", || {
        let manifest = fs::read_to_string(bench.path("out/manifest.json")).unwrap_or_default();
        manifest.contains("nodes: 8") && bench.path("out/frame_00000.png").is_file()
    });
    let (code, message) = watching.interrupt();
    assert_eq!(code, Some(130), "{message}");
    let frames = manifest_is_exact(&bench.path("out"));
    assert_eq!(frames, is_whole(&bench.path("out"), &whole));
    let is_all = message.ends_with("\ninterrupted");
    assert!(
        is_all || message.contains(&format!("interrupted with {frames} of 40 frames in out")),
        "{message}"
    );
    bench.drawn("out", &[]);
    assert_eq!(bench.tree("out"), whole);
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let bench = Bench::new(&scene(4));
    let busy = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = busy.local_addr().unwrap().port().to_string();
    let cases: [(&[&str], i32, &str); 7] = [
        (&["-"], 2, "cannot watch standard input"),
        (&["scen.ron"], 3, "did you mean scene.ron?"),
        (&["."], 3, "this is a folder"),
        (&["scene.ron", "--serve", &port], 5, "the port is in use"),
        (&["scene.ron", "--serve", "70000"], 2, "from 1 to 65535"),
        (&["scene.ron", "--serve", "--out", "x"], 2, "cannot be used with"),
        (&["scene.ron", "--frames", "0"], 2, "expected a whole number"),
    ];
    for (args, code, wanted) in cases {
        let output = bench.run([&["watch"], args].concat());
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {stderr}");
        assert!(stderr.contains(wanted), "{args:?}: {stderr}");
    }
}
