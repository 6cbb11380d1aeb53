//! Register of the running programs that this process has started. A process that exits without
//! dropping values kills them first.

use std::{
    process::Child,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

static ALL: Mutex<Vec<Arc<Mutex<Child>>>> = Mutex::new(Vec::new());

/// Registered program, killed and removed when this value is dropped.
pub(super) struct RegisteredProgram(Arc<Mutex<Child>>);

impl RegisteredProgram {
    pub(super) fn new(child: Child) -> Self {
        let child = Arc::new(Mutex::new(child));
        lock(&ALL).push(Arc::clone(&child));
        Self(child)
    }

    /// Locks and returns the program.
    pub(super) fn child(&self) -> MutexGuard<'_, Child> {
        lock(&self.0)
    }

    pub(super) fn kill(&self) {
        let mut child = self.child();
        // Both calls fail if the program has already ended.
        let _ = child.kill();
        let _ = child.wait();
    }
}

impl Drop for RegisteredProgram {
    fn drop(&mut self) {
        self.kill();
        lock(&ALL).retain(|other| !Arc::ptr_eq(other, &self.0));
    }
}

/// Kills all programs started for films. The process must exit right after this.
pub fn stop_programs() {
    for child in lock(&ALL).iter() {
        let _ = lock(child).kill();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
