//! Thread that fills ffmpeg's pipe, so that the next frames are drawn while ffmpeg reads.

use super::program::start_thread;
use crate::film::error::FilmError;
use std::{
    collections::VecDeque,
    io::Write,
    process::ChildStdin,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

/// Maximum number of queued frames.
const MAX_WAITING: usize = 4;

/// Bytes per write: the capacity of a pipe on Linux.
const BLOCK: usize = 1 << 16;

#[derive(Default)]
struct QueueState {
    waiting: VecDeque<Vec<u8>>,
    spare: Vec<Vec<u8>>,
    /// Whether no more frames will be queued.
    is_closed: bool,
    /// Whether the thread has ended.
    has_ended: bool,
}

#[derive(Default)]
struct SharedQueue {
    state: Mutex<QueueState>,
    changed: Condvar,
    bytes: AtomicU64,
    frames: AtomicU64,
}

impl SharedQueue {
    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits while `condition` holds, for at most `maximum`.
    fn wait_while(
        &self,
        maximum: Duration,
        condition: impl Fn(&QueueState) -> bool,
    ) -> MutexGuard<'_, QueueState> {
        let wait = self.changed.wait_timeout_while(self.lock(), maximum, |state| condition(state));
        wait.unwrap_or_else(PoisonError::into_inner).0
    }
}

/// Result of offering a frame.
pub(super) enum OfferResult {
    Taken,
    /// The queue is still full; the frame is returned.
    Full(Vec<u8>),
    /// The program has stopped reading.
    Ended,
}

/// Queue of frames that a thread writes into a pipe. The thread is never joined, since it blocks
/// forever if the program hangs.
pub(super) struct Feeder {
    shared: Arc<SharedQueue>,
}

impl Feeder {
    pub(super) fn start(pipe: Option<ChildStdin>) -> Result<Self, FilmError> {
        let shared = Arc::new(SharedQueue::default());
        let theirs = Arc::clone(&shared);
        start_thread("ffmpeg", move || {
            if let Some(pipe) = pipe {
                feed(pipe, &theirs);
            }
            theirs.lock().has_ended = true;
            theirs.changed.notify_all();
        })?;
        Ok(Self { shared })
    }

    /// Returns a buffer for the next frame.
    pub(super) fn spare(&self) -> Vec<u8> {
        self.shared.lock().spare.pop().unwrap_or_default()
    }

    /// Queues a frame, and waits for a free slot for at most `maximum`.
    pub(super) fn offer(&self, frame: Vec<u8>, maximum: Duration) -> OfferResult {
        let is_full = |state: &QueueState| !state.has_ended && state.waiting.len() >= MAX_WAITING;
        let mut state = self.shared.wait_while(maximum, is_full);
        if state.has_ended {
            return OfferResult::Ended;
        }
        if is_full(&state) {
            return OfferResult::Full(frame);
        }
        state.waiting.push_back(frame);
        drop(state);
        self.shared.changed.notify_all();
        OfferResult::Taken
    }

    /// Closes the pipe after the queued frames.
    pub(super) fn close(&self) {
        self.shared.lock().is_closed = true;
        self.shared.changed.notify_all();
    }

    /// Waits for the end of the thread, for at most `maximum`.
    pub(super) fn wait(&self, maximum: Duration) {
        drop(self.shared.wait_while(maximum, |state| !state.has_ended));
    }

    /// Whether writing has ended: all frames are written, or the program has stopped reading.
    pub(super) fn has_ended(&self) -> bool {
        self.shared.lock().has_ended
    }

    /// Number of bytes written into the pipe.
    pub(super) fn written(&self) -> u64 {
        self.shared.bytes.load(Ordering::Relaxed)
    }

    /// Number of complete frames written into the pipe.
    pub(super) fn frames(&self) -> u64 {
        self.shared.frames.load(Ordering::Relaxed)
    }
}

impl Drop for Feeder {
    fn drop(&mut self) {
        self.shared.lock().waiting.clear();
        self.close();
    }
}

fn feed(mut pipe: ChildStdin, shared: &SharedQueue) {
    loop {
        let mut state = shared.lock();
        let frame = loop {
            if let Some(frame) = state.waiting.pop_front() {
                break frame;
            }
            if state.is_closed {
                return;
            }
            state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        };
        drop(state);
        shared.changed.notify_all();
        for block in frame.chunks(BLOCK) {
            if pipe.write_all(block).is_err() {
                return;
            }
            shared.bytes.fetch_add(block.len() as u64, Ordering::Relaxed);
        }
        shared.frames.fetch_add(1, Ordering::Relaxed);
        shared.lock().spare.push(frame);
    }
}
