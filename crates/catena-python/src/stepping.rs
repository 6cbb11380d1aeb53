//! Steps of runs that Python objects own, and access to runs that another thread may be stepping.

use crate::{
    errors,
    waiting::{guarded, wait_for},
};
use catena::job::Interruption;
use catena::sim::{BadSetup, Refusal, Simulation};
use pyo3::{
    exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError},
    prelude::*,
};
use std::{
    sync::{Arc, Mutex, MutexGuard, TryLockError},
    time::Duration,
};

/// Maximum estimated nanoseconds of steps that are taken on the calling thread.
const QUICK: u128 = 20_000_000;

/// Span to simulate: a number of steps, or up to the end of a frame.
#[derive(Clone, Copy)]
pub(crate) enum StepSpan {
    Steps(u64),
    Frames(u64),
}

impl StepSpan {
    /// Number of steps of a run in this span.
    pub(crate) fn steps_of(self, run: &Simulation) -> u64 {
        match self {
            Self::Steps(steps) => steps,
            Self::Frames(frames) => run.steps_to_frame(frames),
        }
    }

    /// Estimated cost of a run's steps in nanoseconds; `None` if only a budget limits it.
    pub(crate) fn cost(self, run: &Simulation) -> Option<u128> {
        let setup = run.setup();
        let cost = u128::from(run.step_cost()).saturating_mul(u128::from(self.steps_of(run)));
        (!setup.is_open() && !setup.chooses_its_step()).then_some(cost)
    }
}

/// Reason why runs stopped before their end.
pub(crate) enum Stop {
    Interrupted,
    Refused(usize, Refusal),
}

impl Stop {
    /// Exception for a stop; `label` names a body.
    pub(crate) fn error(self, label: impl Fn(usize) -> String) -> PyErr {
        match self {
            Self::Interrupted => PyKeyboardInterrupt::new_err("interrupted"),
            Self::Refused(number, refusal) => PyRuntimeError::new_err(format!(
                "{}: frame {} exceeds the limit of work per frame; start with minutes= or \
                 unlimited=True to allow more",
                label(number),
                refusal.frame
            )),
        }
    }
}

/// Runs stepping work: on this thread if it is known to be short, otherwise on another thread,
/// which signals can interrupt.
pub(crate) fn work<R: Send + 'static>(
    py: Python<'_>,
    cost: Option<u128>,
    work: impl FnOnce(&dyn Interruption) -> R + Send + 'static,
) -> PyResult<R> {
    match cost {
        Some(cost) if cost < QUICK => guarded(|| Ok(py.detach(|| work(&())))),
        _ => wait_for(py, work),
    }
}

/// Steps several runs frame by frame, so that all are at the same time after an interruption.
pub(crate) fn run_span<'a>(
    runs: &mut [impl std::ops::DerefMut<Target = Simulation> + 'a],
    span: StepSpan,
    interruption: &dyn Interruption,
) -> Result<(), Stop> {
    let targets: Vec<u64> = runs.iter().map(|run| run.steps() + span.steps_of(run)).collect();
    loop {
        if interruption.is_set() {
            return Err(Stop::Interrupted);
        }
        let mut is_done = true;
        for (number, (run, end)) in runs.iter_mut().zip(&targets).enumerate() {
            let left = end.saturating_sub(run.steps());
            if left > 0 {
                let steps = left.min(run.steps_to_frame(1));
                run.renew_budget();
                run.advance_steps(steps);
            }
            if let Some(refusal) = run.refusal() {
                return Err(Stop::Refused(number, refusal));
            }
            is_done &= run.steps() >= *end;
        }
        if is_done {
            return Ok(());
        }
    }
}

/// Waits until no other thread uses a value. Signals such as Ctrl-C end the wait.
pub(crate) fn lock<'a, T: Send>(
    py: Python<'_>,
    value: &'a Mutex<T>,
) -> PyResult<MutexGuard<'a, T>> {
    loop {
        match value.try_lock() {
            Ok(guard) => return Ok(guard),
            Err(TryLockError::Poisoned(_)) => return Err(errors::lost()),
            Err(TryLockError::WouldBlock) => {
                py.detach(|| std::thread::sleep(Duration::from_millis(1)));
                py.check_signals()?;
            }
        }
    }
}

/// Locks a value on one of catena's own threads.
pub(crate) fn lock_here<T>(value: &Arc<Mutex<T>>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Exception for a change that a body refuses.
pub(crate) fn refused(bad: &BadSetup) -> PyErr {
    PyValueError::new_err(bad.to_string())
}

/// Index of a node; negative numbers count from the end.
pub(crate) fn node(number: i64, nodes: usize) -> PyResult<usize> {
    let from_end = if number < 0 { number + nodes as i64 } else { number };
    usize::try_from(from_end).ok().filter(|node| *node < nodes).ok_or_else(|| {
        PyValueError::new_err(format!(
            "node: there is no node {number}: nodes are numbered from 0 to {}",
            nodes - 1
        ))
    })
}

/// Number of steps in a duration, rounded, at least 1. None is one step.
pub(crate) fn steps_in(duration: Option<f64>, dt: f64) -> PyResult<u64> {
    match duration {
        None => Ok(1),
        Some(duration) if duration > 0.0 => Ok(((duration / dt).round() as u64).max(1)),
        Some(duration) => {
            Err(PyValueError::new_err(format!("duration: {duration} is not a time above 0")))
        }
    }
}
