//! Things that are used again, by the thread that used them before: what another core has in its caches is slow to reach.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Things to be used again.
pub(super) struct Pool<T>(Mutex<Things<T>>);

struct Things<T> {
    /// How many there are, in use or not.
    count: usize,
    /// Those that nobody uses now, each with the thread that used it last.
    spare: Vec<(Option<usize>, T)>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self(Mutex::new(Things { count: 0, spare: Vec::new() }))
    }
}

/// A thing in use.
pub(super) struct Lent<T> {
    thread: Option<usize>,
    pub(super) thing: T,
}

impl<T> Pool<T> {
    /// What this thread used last. Where it has none it gets a new one, or any if there is one for each thread.
    pub(super) fn take(&self, new: impl FnOnce() -> T) -> Lent<T> {
        let thread = rayon::current_thread_index();
        let spare = {
            let mut things = self.lock();
            let own = things.spare.iter().rposition(|(owner, _)| *owner == thread);
            let is_enough = things.count >= rayon::current_num_threads();
            let any = things.spare.len().checked_sub(1).filter(|_| is_enough);
            let found = own.or(any).map(|place| things.spare.swap_remove(place).1);
            things.count += usize::from(found.is_none());
            found
        };
        Lent { thread, thing: spare.unwrap_or_else(new) }
    }

    /// Takes it back.
    pub(super) fn give_back(&self, lent: Lent<T>) {
        self.lock().spare.push((lent.thread, lent.thing));
    }

    fn lock(&self) -> MutexGuard<'_, Things<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
