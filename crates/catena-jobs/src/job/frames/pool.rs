//! Pool of buffers and canvases. Each value returns to the thread that used it last, because data
//! in another core's caches is slow to access.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A pool of reusable values.
pub(super) struct Pool<T>(Mutex<Shelf<T>>);

struct Shelf<T> {
    /// Number of values, in use or free.
    count: usize,
    /// Free values, each with the thread that used it last.
    spare: Vec<(Option<usize>, T)>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self(Mutex::new(Shelf { count: 0, spare: Vec::new() }))
    }
}

/// A value in use, and the thread that took it.
pub(super) struct Pooled<T> {
    thread: Option<usize>,
    pub(super) value: T,
}

impl<T> Pool<T> {
    /// Takes the value that this thread used last. Otherwise creates one, or takes any free value
    /// if there is already one per thread.
    pub(super) fn take(&self, new: impl FnOnce() -> T) -> Pooled<T> {
        let thread = rayon::current_thread_index();
        let spare = {
            let mut shelf = self.lock();
            let own = shelf.spare.iter().rposition(|(owner, _)| *owner == thread);
            let is_enough = shelf.count >= rayon::current_num_threads();
            let any = shelf.spare.len().checked_sub(1).filter(|_| is_enough);
            let found = own.or(any).map(|place| shelf.spare.swap_remove(place).1);
            shelf.count += usize::from(found.is_none());
            found
        };
        Pooled { thread, value: spare.unwrap_or_else(new) }
    }

    /// Returns a value to the pool.
    pub(super) fn give_back(&self, pooled: Pooled<T>) {
        self.lock().spare.push((pooled.thread, pooled.value));
    }

    fn lock(&self) -> MutexGuard<'_, Shelf<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
