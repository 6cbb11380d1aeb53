//! Progress bars for long work.

use crate::waiting::wait_and_poll;
use catena::job::{Interruption, Progress};
use pyo3::{
    exceptions::{PyImportError, PyTypeError},
    prelude::*,
    types::{PyBool, PyDict},
};
use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicU64, Ordering},
};

/// Number of finished frames, counted by the threads of a job.
#[derive(Default)]
pub(crate) struct Counter {
    done: AtomicU64,
    all: AtomicU64,
    /// Noun for the counted items, if they are not frames.
    noun: OnceLock<&'static str>,
}

impl Progress for Counter {
    fn counts(&self, what: &'static str) {
        // The first noun is kept.
        let _ = self.noun.set(what);
    }

    fn begin(&self, total: u64, there: u64) {
        self.all.store(total, Ordering::Relaxed);
        self.done.store(there, Ordering::Relaxed);
    }

    fn frame(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

/// Receiver of progress in Python.
enum Bar {
    None,
    /// A function of the number of finished frames and the total number.
    Function(Py<PyAny>),
    /// A bar of tqdm.
    Tqdm(Py<PyAny>),
}

impl Bar {
    /// Creates the receiver that an argument requests: nothing, True, or a function.
    fn of(py: Python<'_>, asked: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(asked) = asked else { return Ok(Self::None) };
        if let Ok(flag) = asked.cast::<PyBool>() {
            return if flag.is_true() { Self::tqdm(py) } else { Ok(Self::None) };
        }
        if asked.is_callable() {
            return Ok(Self::Function(asked.clone().unbind()));
        }
        Err(PyTypeError::new_err("progress: expected True, or a function of two numbers"))
    }

    fn tqdm(py: Python<'_>) -> PyResult<Self> {
        let module = py.import("tqdm.auto").map_err(|_| {
            PyImportError::new_err(
                "progress: a bar needs tqdm; run pip install tqdm, or pass a function",
            )
        })?;
        let options = PyDict::new(py);
        options.set_item("unit", " frames")?;
        Ok(Self::Tqdm(module.getattr("tqdm")?.call((), Some(&options))?.unbind()))
    }

    fn show(&self, py: Python<'_>, counter: &Counter) -> PyResult<()> {
        let done = counter.done.load(Ordering::Relaxed);
        let all = counter.all.load(Ordering::Relaxed);
        match self {
            Self::None => Ok(()),
            Self::Function(function) => function.call1(py, (done, all)).map(|_| ()),
            Self::Tqdm(bar) => {
                let bar = bar.bind(py);
                bar.setattr("total", all)?;
                bar.setattr("n", done)?;
                if let Some(noun) = counter.noun.get() {
                    bar.setattr("unit", format!(" {noun}"))?;
                }
                bar.call_method0("refresh").map(|_| ())
            }
        }
    }

    fn close(&self, py: Python<'_>) -> PyResult<()> {
        match self {
            Self::Tqdm(bar) => bar.call_method0(py, "close").map(|_| ()),
            Self::None | Self::Function(_) => Ok(()),
        }
    }
}

/// Runs a job on another thread and shows its progress: see [`wait_and_poll`].
pub(crate) fn watched<R: Send + 'static>(
    py: Python<'_>,
    asked: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&dyn Progress, &dyn Interruption) -> R + Send + 'static,
) -> PyResult<R> {
    let bar = Bar::of(py, asked)?;
    let counter = Arc::new(Counter::default());
    let theirs = Arc::clone(&counter);
    let mut shown = 0;
    let mut poll = |py: Python<'_>| -> PyResult<()> {
        let done = counter.done.load(Ordering::Relaxed);
        if done != std::mem::replace(&mut shown, done) {
            bar.show(py, &counter)?;
        }
        Ok(())
    };
    let made = wait_and_poll(py, move |interruption| work(&*theirs, interruption), &mut poll);
    let last = if made.is_ok() { poll(py) } else { Ok(()) };
    bar.close(py)?;
    last.and(made)
}
