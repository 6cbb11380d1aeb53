//! SIGINT, which ctrl-C sends, and SIGTERM: both ask the process to end.
//!
//! The first signal raises a flag. A command that looks at the flag finishes its frame and ends. A
//! thread of its own ends a command that never looks, or has not ended after [`GRACE`], wherever it
//! is. Files get their names only when they are whole, so nothing but work is lost. A second signal
//! does not wait.

use super::{say, signals::Listener};
use crate::film;
use crate::job::Interruption;
use crate::output::unfinished::remove_unfinished;
use crate::text::shell;
use crate::threads;
use std::{
    process,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicI32, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

/// How long a command that looks at the flag may take to end.
const GRACE: Duration = Duration::from_millis(600);

/// How long cleaning up after it may take.
const FAREWELL: Duration = Duration::from_millis(300);

/// The message about a command that had to be ended.
type LastWords = Box<dyn Fn() -> String + Send>;

/// Knows whether the process was asked to end.
#[derive(Clone, Default)]
pub(super) struct Interrupt(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// The first signal, or 0.
    signal: AtomicI32,
    /// `Some` once the command looks at the flag.
    last_words: Mutex<Option<LastWords>>,
}

impl Interrupt {
    /// Listens from here on. Where no thread can be started for that, signals end the process as
    /// they end any other.
    pub(super) fn listen() -> Self {
        let interrupt = Self::default();
        let theirs = interrupt.clone();
        let (give, take) = mpsc::channel::<Listener>();
        // The thread comes first: a handler without it would swallow signals.
        let started = threads::spawn("signals", move || {
            if let Ok(listener) = take.recv() {
                listener.visit(|signal| theirs.take(signal));
            }
        });
        if started.is_ok()
            && let Ok(listener) = Listener::new()
        {
            // Its receiver lives as long as the process.
            let _ = give.send(listener);
        }
        interrupt
    }

    /// The flag for a job. `last_words` tells what there is, and how to go on, should the job not
    /// end by itself in time.
    pub(super) fn watched<W: Fn() -> String + Clone + Send + Sync + 'static>(
        &self,
        last_words: W,
    ) -> Watched<'_, W> {
        Watched { interrupt: self, last_words }
    }

    /// From here on the command looks at the flag.
    fn will_be_seen(&self, last_words: impl Fn() -> String + Send + 'static) {
        *self.0.last_words.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Box::new(last_words));
    }

    /// Whether the process was asked to end.
    fn is_set(&self) -> bool {
        self.0.signal.load(Ordering::Relaxed) != 0
    }

    /// The exit code after a signal, where there was one: 128 and its number.
    pub(super) fn exit_code(&self) -> Option<u8> {
        let signal = self.0.signal.load(Ordering::Relaxed);
        (signal != 0).then_some(128 + signal as u8)
    }

    /// Answers to a signal.
    fn take(&self, signal: i32) {
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

/// A flag that a job looks at.
pub(super) struct Watched<'a, W> {
    interrupt: &'a Interrupt,
    last_words: W,
}

impl<W: Fn() -> String + Clone + Send + Sync + 'static> Interruption for Watched<'_, W> {
    fn is_set(&self) -> bool {
        self.interrupt.is_set()
    }

    fn begins(&self) {
        self.interrupt.will_be_seen(self.last_words.clone());
    }
}

/// Ends the process, without any file that is not finished.
fn end(signal: i32, said: String) -> ! {
    // A disk or a reader of standard error that hangs must not keep the process.
    let words = said.clone();
    let farewell = threads::spawn("farewell", move || clean_up(&words));
    if farewell.is_err() {
        clean_up(&said);
    }
    let start = Instant::now();
    while farewell.as_ref().is_ok_and(|thread| !thread.is_finished()) && start.elapsed() < FAREWELL
    {
        thread::sleep(Duration::from_millis(1));
    }
    process::exit(128 + signal)
}

/// Stops programs, which may be writing files, removes unfinished files, and says the last words.
fn clean_up(said: &str) {
    film::stop_programs();
    remove_unfinished();
    say::last_words(said);
}

/// The command as it was typed, to be typed again in a shell.
pub(super) fn command() -> String {
    let words: Vec<String> = std::env::args_os().map(shell::quoted).collect();
    words.join(" ")
}
