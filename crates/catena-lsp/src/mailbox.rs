//! Threads that process the newest text of each document and drop outdated texts.

use super::documents::Document;
use catena_base::threads;
use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Queue of documents, with the number of each document's newest text.
#[derive(Default)]
struct Waiting {
    documents: BTreeMap<String, (u64, Document)>,
    /// Number of the newest text of each open document.
    newest: BTreeMap<String, u64>,
    count: u64,
    is_over: bool,
}

/// Queue of documents for one worker thread.
#[derive(Clone, Default)]
pub(super) struct Mailbox(Arc<(Mutex<Waiting>, Condvar)>);

impl Mailbox {
    /// Starts a thread that calls `work` for each document. The second argument of `work` is a
    /// function, which runs a closure only if the document is still the newest.
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
                // A panic must not end the thread: the text is skipped until it changes.
                let _ = catch_unwind(AssertUnwindSafe(|| work(&document, &if_newest)));
            }
        };
        threads::spawn_large("mailbox", run).map(|_| mailbox)
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next document. Returns `None` when the mailbox has ended.
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

    /// Adds the newest text of a document and drops an older text of it in the queue.
    pub(super) fn put(&self, document: Document) {
        let mut waiting = self.waiting();
        waiting.count += 1;
        let (number, key) = (waiting.count, document.uri.as_str().to_owned());
        waiting.newest.insert(key.clone(), number);
        waiting.documents.insert(key, (number, document));
        self.0.1.notify_one();
    }

    /// Removes a document from the queue and drops the result of its check.
    pub(super) fn forget(&self, uri: &str) {
        let mut waiting = self.waiting();
        waiting.documents.remove(uri);
        waiting.newest.remove(uri);
    }

    /// Stops the thread after its current document.
    pub(super) fn end(&self) {
        self.waiting().is_over = true;
        self.0.1.notify_one();
    }
}
