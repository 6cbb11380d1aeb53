//! Handling of SIGINT (from Ctrl-C) and SIGTERM, which both ask the process to end.
//!
//! The first signal sets a flag. A command that checks the flag finishes its frame and ends. A
//! separate thread ends the process if its command does not check the flag, or is still running
//! after [`GRACE`]. Files get their final names only when they are complete, so only unfinished
//! work is lost. A second signal ends the process immediately.

use super::say;
use crate::job::Interruption;
use crate::output::unfinished::remove_unfinished;
use crate::text::shell;
use crate::{film, threads};
use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};
use std::{io, process, thread};

/// Time after the signal within which a command that checks the flag must end.
const GRACE: Duration = Duration::from_millis(600);

/// Time limit for the cleanup after [`GRACE`]. An export may have written thousands of files, which
/// a busy disk removes slowly.
const FAREWELL: Duration = Duration::from_millis(1000);

/// Message about a command that had to be ended.
type LastWords = Box<dyn Fn() -> String + Send>;

/// Record of the signals that ask the process to end.
#[derive(Clone, Default)]
pub(super) struct Interrupt(Arc<SignalState>);

#[derive(Default)]
struct SignalState {
    /// First signal, or 0.
    signal: AtomicI32,
    /// `Some` once the command checks the flag.
    last_words: Mutex<Option<LastWords>>,
}

impl Interrupt {
    /// Starts to listen for signals. If the listening thread cannot be started, signals keep their
    /// default action.
    pub(super) fn listen() -> Self {
        let interrupt = Self::default();
        let theirs = interrupt.clone();
        let (listener_sender, listener_receiver) = mpsc::channel::<Listener>();
        // The thread starts first: a handler without it would swallow signals. Meanwhile nothing
        // else allocates memory, which the start of a thread needs.
        let (started_sender, started_receiver) = mpsc::channel::<()>();
        let started = threads::spawn("signals", move || {
            let _ = started_sender.send(());
            if let Ok(listener) = listener_receiver.recv() {
                listener.visit(|signal| theirs.handle(signal));
            }
        });
        if started.is_ok()
            && started_receiver.recv().is_ok()
            && let Ok(listener) = Listener::new()
        {
            // The receiver lives as long as the process.
            let _ = listener_sender.send(listener);
        }
        interrupt
    }

    /// Returns the flag for a job. `last_words` describes the state of the work and how to resume
    /// it, in case the job does not end in time.
    pub(super) fn watched<W: Fn() -> String + Clone + Send + Sync + 'static>(
        &self,
        last_words: W,
    ) -> Watched<'_, W> {
        Watched { interrupt: self, last_words }
    }

    /// Records that the command checks the flag from now on.
    fn set_last_words(&self, last_words: impl Fn() -> String + Send + 'static) {
        *self.0.last_words.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Box::new(last_words));
    }

    /// Whether the process was asked to end.
    fn is_set(&self) -> bool {
        self.0.signal.load(Ordering::Relaxed) != 0
    }

    /// Exit code after a signal: 128 plus its number. `None` if there was no signal.
    pub(super) fn exit_code(&self) -> Option<u8> {
        let signal = self.0.signal.load(Ordering::Relaxed);
        (signal != 0).then_some(128 + signal as u8)
    }

    /// Handles a signal.
    fn handle(&self, signal: i32) {
        let flag = &self.0.signal;
        let is_first = flag.compare_exchange(0, signal, Ordering::Relaxed, Ordering::Relaxed);
        let last_words = self.0.last_words.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(last_words) = last_words.filter(|_| is_first.is_ok()) else {
            end(signal, "interrupted".into())
        };
        let late = threads::spawn("grace", move || {
            thread::sleep(GRACE);
            end(signal, last_words());
        });
        if late.is_err() {
            end(signal, "interrupted".into());
        }
    }
}

/// Flag that a job checks.
pub(super) struct Watched<'a, W> {
    interrupt: &'a Interrupt,
    last_words: W,
}

impl<W: Fn() -> String + Clone + Send + Sync + 'static> Interruption for Watched<'_, W> {
    fn is_set(&self) -> bool {
        self.interrupt.is_set()
    }

    fn started(&self) {
        self.interrupt.set_last_words(self.last_words.clone());
    }
}

/// Ends the process and removes unfinished files.
fn end(signal: i32, message: String) -> ! {
    // A hanging disk or reader of standard error must not block the process.
    let words = message.clone();
    let farewell = threads::spawn("farewell", move || clean_up(&words));
    if farewell.is_err() {
        clean_up(&message);
    }
    let start = Instant::now();
    while farewell.as_ref().is_ok_and(|thread| !thread.is_finished()) && start.elapsed() < FAREWELL
    {
        thread::sleep(Duration::from_millis(1));
    }
    process::exit(128 + signal)
}

/// Stops child programs, which may be writing files. Then removes unfinished files and prints the
/// last words.
fn clean_up(message: &str) {
    film::stop_programs();
    remove_unfinished();
    say::last_words(message);
}

/// Command line, quoted for a shell.
pub(super) fn command() -> String {
    let words: Vec<String> = std::env::args_os().map(shell::quoted).collect();
    words.join(" ")
}

/// Ctrl-C sends SIGINT, also on Windows, where nothing sends SIGTERM.
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// Receiver of signals, which replaces the default action of ending the process.
pub(super) struct Listener(Inner);

#[cfg(unix)]
type Inner = signal_hook::iterator::Signals;

#[cfg(unix)]
impl Listener {
    pub(super) fn new() -> io::Result<Self> {
        Inner::new(SIGNALS).map(Self)
    }

    /// Calls `visit` with each signal until the process ends.
    pub(super) fn visit(mut self, visit: impl FnMut(i32)) {
        self.0.forever().for_each(visit);
    }
}

/// One flag per signal, since a thread cannot wait for a signal here.
#[cfg(not(unix))]
type Inner = Vec<(i32, std::sync::Arc<std::sync::atomic::AtomicBool>)>;

#[cfg(not(unix))]
impl Listener {
    pub(super) fn new() -> io::Result<Self> {
        let flag = |signal: i32| {
            let flag = std::sync::Arc::default();
            signal_hook::flag::register(signal, std::sync::Arc::clone(&flag))?;
            Ok((signal, flag))
        };
        SIGNALS.into_iter().map(flag).collect::<io::Result<_>>().map(Self)
    }

    /// Calls `visit` with each signal until the process ends.
    pub(super) fn visit(self, mut visit: impl FnMut(i32)) {
        loop {
            for (signal, flag) in &self.0 {
                if flag.swap(false, std::sync::atomic::Ordering::Relaxed) {
                    visit(*signal);
                }
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
}
