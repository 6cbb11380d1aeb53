//! Buffers and canvases that are used again, by the thread that used them before: what another core
//! has in its caches is slow to reach.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Values to be used again.
pub(super) struct Pool<T>(Mutex<Shelf<T>>);

struct Shelf<T> {
    /// How many values there are, in use or not.
    count: usize,
    /// Those that nobody uses now, each with the thread that used it last.
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
    /// Takes the value that this thread used last. A thread that has none gets a new one, or any
    /// if there is one for each thread.
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

    /// Takes a value back.
    pub(super) fn give_back(&self, pooled: Pooled<T>) {
        self.lock().spare.push((pooled.thread, pooled.value));
    }

    fn lock(&self) -> MutexGuard<'_, Shelf<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
