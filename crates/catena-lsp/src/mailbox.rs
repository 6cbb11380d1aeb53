//! Work on the newest text of each document, in threads of its own: what is outdated is dropped.

use super::documents::Document;
use catena_base::threads;
use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What is waiting, and which text of each document is the newest.
#[derive(Default)]
struct Waiting {
    documents: BTreeMap<String, (u64, Document)>,
    /// For each open document, the number of its newest text.
    newest: BTreeMap<String, u64>,
    count: u64,
    is_over: bool,
}

/// Documents that wait for a thread.
#[derive(Clone, Default)]
pub(super) struct Mailbox(Arc<(Mutex<Waiting>, Condvar)>);

impl Mailbox {
    /// Starts a thread that works on each document put in. `work` gets the document, and a function
    /// that runs what it is given unless the text is outdated by then.
    pub(super) fn start(
        work: impl Fn(&Document, &dyn Fn(&mut dyn FnMut())) + Send + 'static,
    ) -> io::Result<Self> {
        let mailbox = Self::default();
        let own = mailbox.clone();
        let run = move || {
            while let Some((number, document)) = own.take() {
                let if_newest = |finish: &mut dyn FnMut()| {
                    let waiting = own.waiting();
                    if waiting.newest.get(document.uri.as_str()) == Some(&number) {
                        finish();
                    }
                };
                // A text that the program falls over is left alone until it changes.
                let _ = catch_unwind(AssertUnwindSafe(|| work(&document, &if_newest)));
            }
        };
        threads::spawn_large("mailbox", run).map(|_| mailbox)
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a document; `None` at the end.
    fn take(&self) -> Option<(u64, Document)> {
        let mut waiting = self.waiting();
        loop {
            if waiting.is_over {
                return None;
            }
            if let Some((_, next)) = waiting.documents.pop_first() {
                return Some(next);
            }
            waiting = self.0.1.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Puts in the newest text of a document; an older one that waits is dropped.
    pub(super) fn put(&self, document: Document) {
        let mut waiting = self.waiting();
        waiting.count += 1;
        let (number, key) = (waiting.count, document.uri.as_str().to_owned());
        waiting.newest.insert(key.clone(), number);
        waiting.documents.insert(key, (number, document));
        self.0.1.notify_one();
    }

    /// Forgets a document.
    pub(super) fn forget(&self, uri: &str) {
        let mut waiting = self.waiting();
        waiting.documents.remove(uri);
        waiting.newest.remove(uri);
    }

    /// Ends the thread when it has finished what it works on.
    pub(super) fn end(&self) {
        self.waiting().is_over = true;
        self.0.1.notify_one();
    }
}
