//! Execution of work without the interpreter's lock; signals interrupt it.

use crate::errors;
use catena::job::Interruption;
use catena::threads;
use pyo3::prelude::*;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, channel},
    },
    time::{Duration, Instant},
};

/// Interval between checks for signals.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Time limit for interrupted work to end.
const GRACE: Duration = Duration::from_secs(1);

/// Runs work on a separate thread. Other Python threads continue, and this one handles signals,
/// which Python delivers only to its main thread. If a handler raises an exception such as
/// KeyboardInterrupt, the work is told to end, and the exception is returned afterwards. After
/// [`GRACE`], work in a long step continues in the background until the step ends.
///
/// # Errors
/// The exception of a handler, an InternalError if the work panics, or an OSError if the system
/// refuses a thread.
pub(crate) fn wait_for<R: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&dyn Interruption) -> R + Send + 'static,
) -> PyResult<R> {
    wait_and_poll(py, work, &mut |_| Ok(()))
}

/// Runs work as [`wait_for`]. `poll` is called on this thread from time to time; its exception ends
/// the work in the same way as a signal.
pub(crate) fn wait_and_poll<R: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&dyn Interruption) -> R + Send + 'static,
    poll: &mut (dyn FnMut(Python<'_>) -> PyResult<()> + Send),
) -> PyResult<R> {
    let is_over = Arc::new(AtomicBool::new(false));
    let theirs = Arc::clone(&is_over);
    let (done, result) = channel();
    let run = move || {
        let interruption = || theirs.load(Ordering::Relaxed);
        // Without a receiver, the result is discarded.
        let _ = done.send(catch_unwind(AssertUnwindSafe(|| work(&interruption))));
    };
    threads::spawn_large("catena", run)?;
    let ended = py.detach(move || wait(&result, &is_over, poll));
    ended?.map_err(|panic| errors::of_panic(panic.as_ref()))
}

/// Waits for the result. After a signal, waits at most [`GRACE`].
fn wait<R>(
    result: &Receiver<R>,
    is_over: &AtomicBool,
    poll: &mut (dyn FnMut(Python<'_>) -> PyResult<()> + Send),
) -> PyResult<R> {
    loop {
        match result.recv_timeout(POLL_INTERVAL) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Disconnected) => return Err(errors::lost()),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let polled = Python::attach(|py| check_signals(py).and_then(|()| poll(py)));
        if let Err(signalled) = polled {
            is_over.store(true, Ordering::Relaxed);
            let start = Instant::now();
            while start.elapsed() < GRACE
                && matches!(result.recv_timeout(POLL_INTERVAL), Err(RecvTimeoutError::Timeout))
            {
            }
            return Err(signalled);
        }
    }
}

/// Runs short work, and converts a panic into an InternalError.
///
/// # Errors
/// The errors of the work, and the InternalError.
pub(crate) fn guarded<R>(work: impl FnOnce() -> PyResult<R>) -> PyResult<R> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(errors::of_panic(&*panic)))
}

/// Raises the exception of a pending signal, such as KeyboardInterrupt after Ctrl-C.
fn check_signals(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}
