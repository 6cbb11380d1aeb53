//! Runs work without the interpreter's lock, and ends it at a signal.

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

/// How often signals are looked for.
const LOOK: Duration = Duration::from_millis(50);
/// Time that interrupted work has to end.
const GRACE: Duration = Duration::from_secs(1);

/// Does work in a thread of its own, so that other threads of Python go on, and this one hears of
/// signals: Python handles them in its main thread alone. At an exception of a handler, such as
/// KeyboardInterrupt, the work is told to end, and the exception is returned when it has. Work in
/// the middle of a long step is left to itself after [`GRACE`]: it ends behind the step.
///
/// # Errors
/// The exception of a handler, an InternalError where the work panics, or an OSError where the
/// system refuses a thread.
pub(crate) fn wait_for<R: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&dyn Interruption) -> R + Send + 'static,
) -> PyResult<R> {
    let is_over = Arc::new(AtomicBool::new(false));
    let theirs = Arc::clone(&is_over);
    let (done, result) = channel();
    let run = move || {
        let interruption = || theirs.load(Ordering::Relaxed);
        // A receiver that has gone wants no result.
        let _ = done.send(catch_unwind(AssertUnwindSafe(|| work(&interruption))));
    };
    threads::spawn_large("catena", run)?;
    let ended = py.detach(move || wait(&result, &is_over));
    ended?.map_err(|panic| errors::of_panic(panic.as_ref()))
}

/// Waits for the result, or for a signal and then no longer than [`GRACE`].
fn wait<R>(result: &Receiver<R>, is_over: &AtomicBool) -> PyResult<R> {
    loop {
        match result.recv_timeout(LOOK) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Disconnected) => return Err(errors::lost()),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(signalled) = Python::attach(check_signals) {
            is_over.store(true, Ordering::Relaxed);
            let start = Instant::now();
            while start.elapsed() < GRACE
                && matches!(result.recv_timeout(LOOK), Err(RecvTimeoutError::Timeout))
            {}
            return Err(signalled);
        }
    }
}

/// Does short work, and returns a panic as an InternalError.
///
/// # Errors
/// Those of the work, and the InternalError.
pub(crate) fn guarded<R>(work: impl FnOnce() -> PyResult<R>) -> PyResult<R> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(errors::of_panic(&*panic)))
}

/// Raises the exception of a signal that Python has got, such as that of Ctrl-C.
fn check_signals(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}
