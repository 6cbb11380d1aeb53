//! Running programs: their last lines, progress and end. A process that exits without dropping
//! values kills all programs that it has started.

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

/// Maximum number of stored lines of a program's standard error.
const LINES: usize = 10;
/// Maximum length of a stored line in bytes. A longer line is divided.
const LINE: u64 = 1000;

/// Last lines of a program's standard error.
#[derive(Default)]
struct StderrLines {
    lines: VecDeque<String>,
    bytes: u64,
    is_over: bool,
}

#[derive(Default)]
struct StderrReader {
    tail: Mutex<StderrLines>,
    over: Condvar,
}

impl StderrReader {
    fn lock(&self) -> MutexGuard<'_, StderrLines> {
        self.tail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, stream: ChildStderr) {
        let mut reader = BufReader::new(stream);
        let mut line = Vec::new();
        while let Ok(1..) = reader.by_ref().take(LINE).read_until(b'\n', &mut line) {
            let mut tail = self.lock();
            tail.bytes += line.len() as u64;
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            if !text.is_empty() {
                tail.lines.push_back(text);
            }
            while tail.lines.len() > LINES {
                tail.lines.pop_front();
            }
            line.clear();
        }
        self.lock().is_over = true;
        self.over.notify_all();
    }
}

/// Child process, killed when this value is dropped.
pub(super) struct WatchedProgram {
    program: RegisteredProgram,
    stderr: Arc<StderrReader>,
}

impl WatchedProgram {
    /// Starts a program. If its standard error is piped, a thread begins to read it.
    pub(super) fn start(
        program: &'static str,
        path: &OsStr,
        command: &mut Command,
    ) -> Result<Self, FilmError> {
        // A separate process group keeps an interrupt at the terminal from ffmpeg, so that catena
        // decides the film's fate.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut child = spawn(command).map_err(|cause| not_started(program, path, cause))?;
        let stderr = child.stderr.take();
        // From here on, the program is killed if a step fails.
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

    /// Takes the program's standard input, if it is piped and was not taken before.
    pub(super) fn stdin(&self) -> Option<ChildStdin> {
        self.program.child().stdin.take()
    }

    /// Number of bytes read from standard error so far.
    pub(super) fn stderr_bytes(&self) -> u64 {
        self.stderr.lock().bytes
    }

    /// Exit status of the program; `None` while it runs.
    pub(super) fn ended(&self) -> Option<ExitStatus> {
        self.program.child().try_wait().ok().flatten()
    }

    /// Waits for the program's end, for at most `maximum` or until `stop` returns true.
    pub(super) fn ended_within(
        &self,
        maximum: Duration,
        stop: StopCheck<'_>,
    ) -> Option<ExitStatus> {
        let start = Instant::now();
        loop {
            let ended = self.ended();
            if ended.is_some() || start.elapsed() >= maximum || stop() {
                return ended;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits like [`Self::ended_within`], then kills the program if it still runs and returns
    /// `None`.
    pub(super) fn end_within(&self, maximum: Duration, stop: StopCheck<'_>) -> Option<ExitStatus> {
        let ended = self.ended_within(maximum, stop);
        if ended.is_none() {
            self.kill();
        }
        ended
    }

    pub(super) fn kill(&self) {
        self.program.kill();
    }

    /// Creates the error of a failed program, with the last lines of its output.
    pub(super) fn failure(&self, what: String) -> FilmError {
        FilmError::Program { what, lines: self.lines() }
    }

    /// Last lines, after a short wait for the end of the stream. Programs started by this one may
    /// keep it open.
    pub(super) fn lines(&self) -> Vec<String> {
        let wait = Duration::from_millis(500);
        let wait =
            self.stderr.over.wait_timeout_while(self.stderr.lock(), wait, |tail| !tail.is_over);
        let (tail, _) = wait.unwrap_or_else(PoisonError::into_inner);
        tail.lines.iter().cloned().collect()
    }
}

/// Error of a program that cannot be started: the program is missing, or the system is out of
/// processes or memory.
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

/// Spawns a program. A script just written by another process may be busy for a moment, so this is
/// retried.
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

/// Describes the end of a program, as a predicate that follows its name.
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

/// Detects that a program's progress indicators no longer change.
pub(super) struct StallDetector<T> {
    signs: Option<T>,
    /// Time without change. Each check adds a limited amount, so that time in which this process
    /// was suspended does not count.
    waited: Duration,
    last_check: Instant,
    patience: Duration,
}

/// Maximum time added per check.
const MAX_PER_CHECK: Duration = Duration::from_secs(1);

impl<T: PartialEq> StallDetector<T> {
    pub(super) fn new(patience: Duration) -> Self {
        Self { signs: None, waited: Duration::ZERO, last_check: Instant::now(), patience }
    }

    /// Records the progress indicators. Returns whether they have been unchanged for `patience`.
    pub(super) fn notes_stall(&mut self, signs: T) -> bool {
        self.waited += self.last_check.elapsed().min(MAX_PER_CHECK);
        self.last_check = Instant::now();
        if self.signs.as_ref() != Some(&signs) {
            self.signs = Some(signs);
            self.waited = Duration::ZERO;
        }
        self.waited >= self.patience
    }
}

static ALL: Mutex<Vec<Arc<Mutex<Child>>>> = Mutex::new(Vec::new());

/// Registered program, killed and removed when this value is dropped.
struct RegisteredProgram(Arc<Mutex<Child>>);

impl RegisteredProgram {
    pub(super) fn new(child: Child) -> Self {
        let child = Arc::new(Mutex::new(child));
        lock(&ALL).push(Arc::clone(&child));
        Self(child)
    }

    /// Locks and returns the program.
    fn child(&self) -> MutexGuard<'_, Child> {
        lock(&self.0)
    }

    pub(super) fn kill(&self) {
        let mut child = self.child();
        // Both calls fail if the program has already ended.
        let _ = child.kill();
        let _ = child.wait();
    }
}

impl Drop for RegisteredProgram {
    fn drop(&mut self) {
        self.kill();
        lock(&ALL).retain(|other| !Arc::ptr_eq(other, &self.0));
    }
}

/// Kills all programs started for films. The process must exit right after this.
pub fn stop_programs() {
    for child in lock(&ALL).iter() {
        let _ = lock(child).kill();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
