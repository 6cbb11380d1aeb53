//! Runs work without the interpreter's lock, and ends it at a signal.

use catena::job::Interruption;
use pyo3::prelude::*;
use std::{
    panic::resume_unwind,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{RecvTimeoutError, channel},
    },
    thread,
    time::Duration,
};

/// How often signals are looked for.
const LOOK: Duration = Duration::from_millis(50);

/// Does work in a thread of its own, so that other threads of Python go on, and this one hears of
/// signals: Python handles them in its main thread alone. At an exception of a handler, such as
/// KeyboardInterrupt, the work is told to end, and the exception is returned when it has.
pub(crate) fn wait_for<R: Send>(
    py: Python<'_>,
    work: impl FnOnce(&dyn Interruption) -> R + Send,
) -> PyResult<R> {
    let is_over = AtomicBool::new(false);
    let interruption = || is_over.load(Ordering::Relaxed);
    py.detach(|| {
        thread::scope(|scope| {
            // Nothing is sent: the sender goes when the work ends, also by a panic.
            let (sender, ended) = channel::<()>();
            let worker = scope.spawn(|| {
                let _sender = sender;
                work(&interruption)
            });
            let mut signalled = None;
            while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                if signalled.is_none() {
                    signalled = Python::attach(|py| py.check_signals().err());
                    is_over.store(signalled.is_some(), Ordering::Relaxed);
                }
            }
            let done = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            signalled.map_or(Ok(done), Err)
        })
    })
}
