//! A running program that is watched, and that never outlives its guard.

use crate::film::FilmError;
use std::{
    collections::VecDeque,
    ffi::OsStr,
    io::{self, BufRead, BufReader, Read},
    process::{Child, ChildStderr, Command, ExitStatus},
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
    pub(super) child: Child,
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
        let missing = |cause| FilmError::Missing { program, path: path.into(), cause };
        let mut child = spawn(command).map_err(missing)?;
        let listener = Arc::new(Listener::default());
        match child.stderr.take() {
            Some(stream) => {
                let theirs = Arc::clone(&listener);
                thread::spawn(move || theirs.listen(stream));
            }
            None => listener.lock().is_over = true,
        }
        Ok(Self { child, listener })
    }

    /// How many bytes it has written to standard error.
    pub(super) fn said(&self) -> u64 {
        self.listener.lock().bytes
    }

    /// Whether and how it has ended.
    pub(super) fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Waits for its end, at most this long.
    pub(super) fn ended_within(&mut self, most: Duration) -> Option<ExitStatus> {
        let start = Instant::now();
        loop {
            let ended = self.ended();
            if ended.is_some() || start.elapsed() >= most {
                return ended;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits for its end, and makes it end when it takes longer; `None` then.
    pub(super) fn end_within(&mut self, most: Duration) -> Option<ExitStatus> {
        let ended = self.ended_within(most);
        if ended.is_none() {
            self.kill();
        }
        ended
    }

    pub(super) fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
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

impl Drop for Guard {
    fn drop(&mut self) {
        self.kill();
    }
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
