//! A running program, its last lines, and whether it still works.

use super::register::RegisteredProgram;
use crate::film::{error::FilmError, sink::StopCheck};
use catena_base::threads;
use std::{
    collections::VecDeque,
    ffi::OsStr,
    io::{self, BufRead, BufReader, Read},
    path::Path,
    process::{Child, ChildStderr, ChildStdin, Command, ExitStatus},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

/// How many lines are kept, and how many bytes of each.
const LINES: usize = 10;
const LINE: u64 = 1000;

/// The last lines of a program's standard error.
#[derive(Default)]
struct StderrLines {
    lines: VecDeque<String>,
    bytes: u64,
    is_over: bool,
}

#[derive(Default)]
struct StderrReader {
    said: Mutex<StderrLines>,
    over: Condvar,
}

impl StderrReader {
    fn lock(&self) -> MutexGuard<'_, StderrLines> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, stream: ChildStderr) {
        let mut reader = BufReader::new(stream);
        let mut line = Vec::new();
        while let Ok(1..) = reader.by_ref().take(LINE).read_until(b'\n', &mut line) {
            let mut said = self.lock();
            said.bytes += line.len() as u64;
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            if !text.is_empty() {
                said.lines.push_back(text);
            }
            while said.lines.len() > LINES {
                said.lines.pop_front();
            }
            line.clear();
        }
        self.lock().is_over = true;
        self.over.notify_all();
    }
}

/// A child process, killed when this value is dropped.
pub(super) struct WatchedProgram {
    program: RegisteredProgram,
    stderr: Arc<StderrReader>,
}

impl WatchedProgram {
    /// Starts a program; a pipe of its standard error is read from now on.
    pub(super) fn start(
        program: &'static str,
        path: &OsStr,
        command: &mut Command,
    ) -> Result<Self, FilmError> {
        // A process group of its own keeps an interrupt at the terminal from ffmpeg: catena decides
        // what becomes of the film.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut child = spawn(command).map_err(|cause| not_started(program, path, cause))?;
        let stderr = child.stderr.take();
        // From here on the program is killed whenever a step fails.
        let watched = Self { program: RegisteredProgram::new(child), stderr: Arc::default() };
        match stderr {
            Some(stream) => {
                let theirs = Arc::clone(&watched.stderr);
                start_thread(program, move || theirs.read(stream))?;
            }
            None => watched.stderr.lock().is_over = true,
        }
        Ok(watched)
    }

    /// Its standard input, if that is piped and was not taken yet.
    pub(super) fn stdin(&self) -> Option<ChildStdin> {
        self.program.child().stdin.take()
    }

    /// The number of bytes of its standard error so far.
    pub(super) fn stderr_bytes(&self) -> u64 {
        self.stderr.lock().bytes
    }

    /// Its exit status; `None` while it runs.
    pub(super) fn ended(&self) -> Option<ExitStatus> {
        self.program.child().try_wait().ok().flatten()
    }

    /// Waits for its end, at most for `most`, and no longer than until `stop` says so.
    pub(super) fn ended_within(&self, most: Duration, stop: StopCheck<'_>) -> Option<ExitStatus> {
        let start = Instant::now();
        loop {
            let ended = self.ended();
            if ended.is_some() || start.elapsed() >= most || stop() {
                return ended;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits for its end in the same way, and kills it when it has not ended by then; `None` in
    /// that case.
    pub(super) fn end_within(&self, most: Duration, stop: StopCheck<'_>) -> Option<ExitStatus> {
        let ended = self.ended_within(most, stop);
        if ended.is_none() {
            self.kill();
        }
        ended
    }

    pub(super) fn kill(&self) {
        self.program.kill();
    }

    /// A failure of the program, with its last lines.
    pub(super) fn failure(&self, what: String) -> FilmError {
        FilmError::Program { what, lines: self.lines() }
    }

    /// The last lines, after a short wait for the end of the stream: programs that this one has
    /// started may keep it open.
    pub(super) fn lines(&self) -> Vec<String> {
        let wait = Duration::from_millis(500);
        let wait =
            self.stderr.over.wait_timeout_while(self.stderr.lock(), wait, |said| !said.is_over);
        let (said, _) = wait.unwrap_or_else(PoisonError::into_inner);
        said.lines.iter().cloned().collect()
    }
}

/// The error of a program that cannot be started: it is absent, or the system is out of processes
/// or memory.
fn not_started(program: &'static str, path: &OsStr, cause: io::Error) -> FilmError {
    match cause.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory => {
            FilmError::output("start", Path::new(path), cause)
        }
        _ => FilmError::Missing { program, path: path.into(), cause },
    }
}

/// Starts a thread that serves a program and ends with it.
pub(super) fn start_thread(
    program: &'static str,
    work: impl FnOnce() + Send + 'static,
) -> Result<(), FilmError> {
    let started = threads::spawn(program, work);
    let refuse = |cause| FilmError::output("start a thread for", Path::new(program), cause);
    started.map(drop).map_err(refuse)
}

/// Starts a program. A script that another process has just written can be busy for a moment.
fn spawn(command: &mut Command) -> io::Result<Child> {
    for _ in 0..20 {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                thread::sleep(Duration::from_millis(10));
            }
            other => return other,
        }
    }
    command.spawn()
}

/// How a program ended, as a predicate that follows its name.
pub(super) fn ending(status: Option<ExitStatus>) -> String {
    let Some(status) = status else { return "stopped reading".into() };
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("was killed by signal {signal}");
    }
    match status.code() {
        Some(0) => "ended too early".into(),
        Some(code) => format!("failed with exit code {code}"),
        None => "failed".into(),
    }
}

/// Detects that the signs of a program's work no longer change.
pub(super) struct StallDetector<T> {
    signs: Option<T>,
    /// How long nothing has changed. Each check adds little, so that the time in which this process
    /// was suspended does not count.
    waited: Duration,
    last_look: Instant,
    patience: Duration,
}

/// The most that a check adds.
const MOST_A_CHECK: Duration = Duration::from_secs(1);

impl<T: PartialEq> StallDetector<T> {
    pub(super) fn new(patience: Duration) -> Self {
        Self { signs: None, waited: Duration::ZERO, last_look: Instant::now(), patience }
    }

    /// Whether the signs have not changed for `patience`.
    pub(super) fn is_stalled(&mut self, signs: T) -> bool {
        self.waited += self.last_look.elapsed().min(MOST_A_CHECK);
        self.last_look = Instant::now();
        if self.signs.as_ref() != Some(&signs) {
            self.signs = Some(signs);
            self.waited = Duration::ZERO;
        }
        self.waited >= self.patience
    }
}
