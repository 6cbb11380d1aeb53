//! A running `catena watch`, and its output.

use crate::rendered::Bench;
use catena::threads::spawn;
use serde_json::Value;
use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Maximum time to wait for an event.
pub const DEADLINE: Duration = Duration::from_secs(240);

/// Waits for a condition, which must become true.
#[track_caller]
pub fn until(what: &str, mut is_there: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_there() {
        assert!(start.elapsed() < DEADLINE, "it never comes: {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// A `catena watch` that is killed when the test ends.
pub struct Watching {
    child: Child,
    printed: Arc<Mutex<Vec<String>>>,
    reader: Option<JoinHandle<()>>,
}

impl Watching {
    /// Starts `catena watch scene.ron …`.
    pub fn start(bench: &Bench, args: &[&str]) -> Self {
        let catena = crate::catena();
        let mut child = Command::new(catena.get_program())
            .current_dir(bench.path(""))
            .args(["watch", "scene.ron"])
            .args(args)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let printed: Arc<Mutex<Vec<String>>> = Arc::default();
        let theirs = Arc::clone(&printed);
        let reader = spawn("reader", move || {
            lines.for_each(|line| theirs.lock().unwrap().push(line.unwrap()));
        })
        .unwrap();
        Self { child, printed, reader: Some(reader) }
    }

    /// Output so far.
    pub fn printed(&self) -> Vec<String> {
        self.printed.lock().unwrap().clone()
    }

    /// Waits for a line that contains this text, after `after` lines. Returns the number of lines
    /// up to it.
    #[track_caller]
    pub fn until_printed(&mut self, after: usize, text: &str) -> usize {
        let mut found = None;
        until(text, || {
            let printed = self.printed();
            let at = printed.iter().skip(after).position(|line| line.contains(text));
            found = at.map(|at| after + at + 1);
            let is_running = self.child.try_wait().unwrap().is_none();
            assert!(is_running || found.is_some(), "it has ended: {printed:?}");
            found.is_some()
        });
        found.unwrap()
    }

    /// Events of this kind from `--progress json`.
    pub fn events(&self, kind: &str) -> Vec<Value> {
        let events = self.printed().into_iter().filter_map(|line| serde_json::from_str(&line).ok());
        events.filter(|event: &Value| event["event"] == kind).collect()
    }

    /// Address of the page.
    pub fn url(&mut self) -> String {
        let at = self.until_printed(0, "http://");
        let line = self.printed()[at - 1].clone();
        let start = line.find("http://").unwrap();
        line[start..].split(';').next().unwrap().to_owned()
    }

    /// Number of threads and open files of the process.
    #[cfg(target_os = "linux")]
    pub fn holds(&self) -> [usize; 2] {
        let count = |what: &str| fs::read_dir(format!("/proc/{}/{what}", self.child.id())).unwrap();
        ["task", "fd"].map(|what| count(what).count())
    }

    /// Memory of the process in MiB.
    #[cfg(target_os = "linux")]
    pub fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.split_whitespace().next().unwrap().parse::<u64>().unwrap() / 1024
    }

    /// Asks the process to end, as Ctrl-C does. Returns the exit code and the output.
    pub fn interrupt(mut self) -> (Option<i32>, String) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", "INT", &id]).status().unwrap().success());
        let mut status = None;
        until("its end", || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        self.reader.take().unwrap().join().unwrap();
        (status.unwrap().code(), self.printed().join("\n"))
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
