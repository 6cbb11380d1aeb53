//! Things that are used again, by the thread that used them before: what another core has in its caches is slow to reach.

use std::sync::{Mutex, PoisonError};

/// Things that nobody uses now, each with the thread that used it last.
pub(super) struct Pool<T> {
    spare: Mutex<Vec<(Option<usize>, T)>>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { spare: Mutex::default() }
    }
}

/// A thing in use.
pub(super) struct Lent<T> {
    thread: Option<usize>,
    pub(super) thing: T,
}

impl<T> Pool<T> {
    /// What this thread used last, or a new one.
    pub(super) fn take(&self, new: impl FnOnce() -> T) -> Lent<T> {
        let thread = rayon::current_thread_index();
        let spare = {
            let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
            let own = spare.iter().rposition(|(owner, _)| *owner == thread);
            own.map(|own| spare.swap_remove(own).1)
        };
        Lent { thread, thing: spare.unwrap_or_else(new) }
    }

    /// Takes it back.
    pub(super) fn give_back(&self, lent: Lent<T>) {
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        spare.push((lent.thread, lent.thing));
    }
}
