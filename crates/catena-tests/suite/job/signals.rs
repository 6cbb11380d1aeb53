//! Signals, and the lock of a folder: the state that a render leaves when it is asked to end, or is
//! killed.
#![cfg(unix)]

use crate::rendered::{Bench, TINY, is_whole, manifest_is_exact, unfinished};
use catena::output::{
    folder::Folder,
    lock::{LockMode, process_name},
    manifest::Manifest,
};
use std::{
    fs,
    io::Read,
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// A scene whose frames take some milliseconds, so that there is time to ask for an end.
pub const SLOW: &str =
    "Scene(base: (size: (64, 64), frames: 40, substeps: 3000, decoration: Bare, rest: (limit: 60),
    view: (center: (0, 0), extent: (1200, 1200)), rope: (nodes: 8)))";

/// A scene whose frames take longer than anyone waits.
const ENDLESS: &str =
    "Scene(base: (size: (64, 64), frames: 1000, substeps: 1000000, decoration: Bare,
    view: (center: (0, 0), extent: (1200, 1200)), rope: (nodes: 2000)))";

/// A scene that never rests, although its render waits for rest.
pub const RESTLESS: &str = "Scene(base: (size: (64, 64), frames: 3, substeps: 32, decoration: Bare, integrator: VelocityVerlet,
    view: (center: (0, 0), extent: (1200, 1200)), rest: (limit: 1000000000), rope: (nodes: 4)))";

/// A running render, which is killed when the test ends.
pub struct Running {
    child: Child,
    pub out: std::path::PathBuf,
}

/// Exit status and message of a render.
pub struct Ended {
    pub status: ExitStatus,
    pub message: String,
}

impl Running {
    /// `catena render scene.ron --out out …`.
    pub fn start(bench: &Bench, args: &[&str]) -> Self {
        let catena = crate::catena();
        let child = Command::new(catena.get_program())
            .current_dir(bench.path(""))
            .args(["render", "scene.ron", "--out", "out"])
            .args(args)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Self { child, out: bench.path("out") }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until a condition holds. Returns whether the render was still running.
    pub fn until(&mut self, is_there: impl Fn(&Path) -> bool) -> bool {
        let start = Instant::now();
        while !is_there(&self.out) {
            assert!(start.elapsed() < Duration::from_secs(120), "it never comes");
            if !self.is_running() {
                return false;
            }
            thread::sleep(Duration::from_millis(1));
        }
        self.is_running()
    }

    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    pub fn send(&self, signal: &str) {
        let sent = Command::new("kill").args(["-s", signal, &self.id().to_string()]).status();
        assert!(sent.unwrap().success(), "{signal}");
    }

    /// Waits for the end of the render, which must come.
    pub fn end(mut self) -> Ended {
        let start = Instant::now();
        while self.is_running() {
            assert!(start.elapsed() < Duration::from_secs(120), "it does not end");
            thread::sleep(Duration::from_millis(2));
        }
        let mut message = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
        Ended { status: self.child.wait().unwrap(), message }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A condition: whether a frame exists.
pub fn frame(number: u64) -> impl Fn(&Path) -> bool {
    move |out| out.join(format!("frame_{number:05}.png")).is_file()
}

/// The command that a render proposed for continuing.
fn resume_command(message: &str) -> String {
    let lines: Vec<&str> = message.lines().collect();
    let at = lines.iter().position(|line| line.ends_with("resume with:")).expect(message);
    lines[at + 1].trim().to_owned()
}

/// Runs a command in a shell.
fn type_in(bench: &Bench, command: &str) {
    let run =
        Command::new("sh").current_dir(bench.path("")).args(["-c", command]).output().unwrap();
    assert!(run.status.success(), "{command}: {}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn a_render_that_is_asked_to_end_can_be_gone_on_with() {
    let bench = Bench::new(SLOW);
    bench.render("whole", &["-q"], 0);
    let whole = bench.tree("whole");
    for (signal, code, options) in
        [("INT", 130, &["-q"][..]), ("TERM", 143, &["--threads", "1", "--set", "rest.limit=60"])]
    {
        // A render that finished before the signal proves nothing.
        let ended = loop {
            let mut running = Running::start(&bench, options);
            if running.until(frame(1)) {
                running.send(signal);
            }
            let ended = running.end();
            if ended.status.code() != Some(0) {
                break ended;
            }
            bench.remove(&["out"]);
        };
        assert_eq!(ended.status.code(), Some(code), "{signal}: {}", ended.message);
        let frames = manifest_is_exact(&bench.path("out"));
        assert_eq!(frames, is_whole(&bench.path("out"), &whole), "{signal}");
        assert!((2..=40).contains(&frames), "{signal}: {frames}");
        assert!(
            ended.message.contains(&format!("{frames} of 40 frames in out")),
            "{}",
            ended.message
        );
        assert_eq!(unfinished(&bench.path("out")), [""; 0].map(Into::<std::path::PathBuf>::into));
        type_in(&bench, &resume_command(&ended.message));
        let mut tree = bench.tree("out");
        if signal == "TERM" {
            // Its manifest records --set.
            tree.insert("manifest.json".into(), whole["manifest.json"].clone());
        }
        assert_eq!(tree, whole, "{signal}");
        bench.remove(&["out"]);
    }
}

#[test]
fn a_second_signal_ends_at_once_and_leaves_nothing_partial() {
    let bench = Bench::new(ENDLESS);
    bench.render("first", &["-q", "--frames", "1", "--no-steady"], 0);
    for (first, second, code) in [("INT", "INT", 130), ("TERM", "INT", 130), ("INT", "TERM", 143)] {
        let running = loop {
            let mut running = Running::start(&bench, &["--unlimited"]);
            assert!(running.until(frame(0)));
            thread::sleep(Duration::from_millis(50));
            running.send(first);
            thread::sleep(Duration::from_millis(100));
            // The render finishes its frame, which takes forever, unless it had not yet begun.
            if running.is_running() {
                break running;
            }
            assert_eq!(running.end().status.code(), Some(if first == "INT" { 130 } else { 143 }));
        };
        running.send(second);
        let ended = running.end();
        assert_eq!(ended.status.code(), Some(code), "{first} {second}: {}", ended.message);
        assert_eq!(is_whole(&bench.path("out"), &bench.tree("first")), 1, "{first} {second}");
    }
}

#[test]
fn waiting_for_rest_can_be_interrupted() {
    let bench = Bench::new(RESTLESS);
    bench.render("whole", &["-q", "--no-steady"], 0);
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let mut running = Running::start(&bench, &["--progress", "json", "--steady-time", "inf"]);
        // This checkpoint is written when all frames exist.
        assert!(running.until(|out| out.join(".catena/state_0000002").is_file()));
        running.send(signal);
        let ended = running.end();
        assert_eq!(ended.status.code(), Some(code), "{}", ended.message);
        assert!(ended.message.contains("3 of 3 frames in out"), "{}", ended.message);
        assert_eq!(manifest_is_exact(&bench.path("out")), 3);
        assert!(Manifest::read(&bench.path("out")).unwrap().unwrap().steady.is_none());
        let command = resume_command(&ended.message).replace("--steady-time inf", "--no-steady");
        type_in(&bench, &command);
        assert_eq!(bench.tree("out"), bench.tree("whole"));
        bench.remove(&["out"]);
    }
}

#[test]
fn a_folder_has_one_writer_and_its_lock_dies_with_it() {
    let bench = Bench::new(ENDLESS);
    let mut running = Running::start(&bench, &["--unlimited"]);
    assert!(running.until(frame(0)));
    let before = bench.tree("out");
    for args in
        [&["-q"][..], &["-q", "--claim", "--claim-patience", "1"], &["-q", "--frame-range", "5-6"]]
    {
        let message = bench.render("out", &[args, &["--unlimited"]].concat(), 5);
        assert!(message.contains(&format!("process {} ", running.id())), "{args:?}: {message}");
        assert!(message.contains("--out"), "{args:?}: {message}");
    }
    assert_eq!(bench.tree("out"), before, "those who came too late touched nothing");
    running.send("KILL");
    assert_eq!(running.end().status.signal(), Some(9));
    bench.render("out", &["-q", "--frames", "1", "--no-steady"], 0);

    // A render in this process: a lock ends when its value is dropped.
    let folder = Folder::open(&bench.path("out"), LockMode::Exclusive)
        .unwrap_or_else(|error| panic!("{error}"));
    let Err(error) = Folder::open(&bench.path("out"), LockMode::Exclusive) else {
        panic!("held twice")
    };
    assert!(error.to_string().contains(&process_name()), "{error}");
    bench.render("out", &["-q", "--frames", "1", "--no-steady"], 5);
    drop(folder);
    bench.render("out", &["-q", "--frames", "1", "--no-steady"], 0);
}

#[test]
fn a_kill_at_any_time_leaves_whole_files_that_are_gone_on_from() {
    let bench = Bench::new(TINY);
    bench.render("whole", &["-q"], 0);
    let whole = bench.tree("whole");
    let mut kills = 0;
    for delay in [0, 1, 2, 4, 8, 16, 32] {
        let running = Running::start(&bench, &["-q", "--checkpoint-every", "3"]);
        thread::sleep(Duration::from_millis(delay));
        running.send("KILL");
        kills += usize::from(running.end().status.signal() == Some(9));
        is_whole(&bench.path("out"), &whole);
    }
    assert!(kills > 0);
    bench.render("out", &["-q"], 0);
    assert_eq!(bench.tree("out"), whole);
    assert_eq!(unfinished(&bench.path("out")).len(), 0);
    assert!(fs::read_dir(bench.path("out/.catena")).unwrap().count() > 0);
}
