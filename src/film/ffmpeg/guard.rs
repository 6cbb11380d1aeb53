//! A running program that is watched, and that never outlives its guard.

use super::running::Running;
use crate::film::{FilmError, Stop};
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

/// How many lines are kept, and how many bytes of one.
const LINES: usize = 10;
const LINE: u64 = 1000;

/// What the program has written to standard error.
#[derive(Default)]
struct Said {
    lines: VecDeque<String>,
    bytes: u64,
    is_over: bool,
}

#[derive(Default)]
struct Listener {
    said: Mutex<Said>,
    over: Condvar,
}

impl Listener {
    fn lock(&self) -> MutexGuard<'_, Said> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn listen(&self, stream: ChildStderr) {
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

/// A child process. Dropped, it is killed.
pub(super) struct Guard {
    program: Running,
    listener: Arc<Listener>,
}

impl Guard {
    /// Starts a program whose standard error is piped.
    pub(super) fn start(
        program: &'static str,
        path: &OsStr,
        command: &mut Command,
    ) -> Result<Self, FilmError> {
        // An interrupt at the terminal is for catena, which decides what becomes of the film.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut child = spawn(command).map_err(|cause| not_started(program, path, cause))?;
        let stderr = child.stderr.take();
        // From here on it is stopped, whatever fails.
        let guard = Self { program: Running::new(child), listener: Arc::default() };
        match stderr {
            Some(stream) => {
                let theirs = Arc::clone(&guard.listener);
                start_thread(program, move || theirs.listen(stream))?;
            }
            None => guard.listener.lock().is_over = true,
        }
        Ok(guard)
    }

    /// Its standard input, where that is piped and nobody has taken it yet.
    pub(super) fn stdin(&self) -> Option<ChildStdin> {
        self.program.child().stdin.take()
    }

    /// How many bytes it has written to standard error.
    pub(super) fn said(&self) -> u64 {
        self.listener.lock().bytes
    }

    /// Whether and how it has ended.
    pub(super) fn ended(&self) -> Option<ExitStatus> {
        self.program.child().try_wait().ok().flatten()
    }

    /// Waits for its end, at most this long, and not when this process is asked to end.
    pub(super) fn ended_within(&self, most: Duration, stop: Stop<'_>) -> Option<ExitStatus> {
        let start = Instant::now();
        loop {
            let ended = self.ended();
            if ended.is_some() || start.elapsed() >= most || stop() {
                return ended;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits for its end, and makes it end when it takes longer; `None` then.
    pub(super) fn end_within(&self, most: Duration, stop: Stop<'_>) -> Option<ExitStatus> {
        let ended = self.ended_within(most, stop);
        if ended.is_none() {
            self.kill();
        }
        ended
    }

    pub(super) fn kill(&self) {
        self.program.kill();
    }

    /// A failure with the last lines.
    pub(super) fn failure(&self, what: String) -> FilmError {
        FilmError::Program { what, lines: self.lines() }
    }

    /// The last lines, once no more can come; a program that it started itself may keep the stream open.
    pub(super) fn lines(&self) -> Vec<String> {
        let wait = Duration::from_millis(500);
        let wait =
            self.listener.over.wait_timeout_while(self.listener.lock(), wait, |said| !said.is_over);
        let (said, _) = wait.unwrap_or_else(PoisonError::into_inner);
        said.lines.iter().cloned().collect()
    }
}

/// A program that cannot be started: it is not there, or the system has no room for one more.
fn not_started(program: &'static str, path: &OsStr, cause: io::Error) -> FilmError {
    match cause.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory => {
            FilmError::output("start", Path::new(path), cause)
        }
        _ => FilmError::Missing { program, path: path.into(), cause },
    }
}

/// Starts a thread that looks after a program, and ends by itself.
pub(super) fn start_thread(
    program: &'static str,
    work: impl FnOnce() + Send + 'static,
) -> Result<(), FilmError> {
    let started = thread::Builder::new().spawn(work);
    let refuse = |cause| FilmError::output("start a thread for", Path::new(program), cause);
    started.map(drop).map_err(refuse)
}

/// Starts a program. A script that another process is still writing, or has just written, is busy for a moment.
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

/// How a program ended, to follow its name.
pub(super) fn how(status: Option<ExitStatus>) -> String {
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

/// Notices when signs of work no longer change.
pub(super) struct Watch<T> {
    signs: Option<T>,
    /// How long nothing has changed. A process that is suspended does not wait, so each look counts for little.
    waited: Duration,
    last_look: Instant,
    patience: Duration,
}

/// What a look counts for at the most.
const MOST_A_LOOK: Duration = Duration::from_secs(1);

impl<T: PartialEq> Watch<T> {
    pub(super) fn new(patience: Duration) -> Self {
        Self { signs: None, waited: Duration::ZERO, last_look: Instant::now(), patience }
    }

    /// Whether nothing has changed for longer than patience lasts.
    pub(super) fn is_stalled(&mut self, signs: T) -> bool {
        self.waited += self.last_look.elapsed().min(MOST_A_LOOK);
        self.last_look = Instant::now();
        if self.signs.as_ref() != Some(&signs) {
            self.signs = Some(signs);
            self.waited = Duration::ZERO;
        }
        self.waited >= self.patience
    }
}
