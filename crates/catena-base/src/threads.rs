//! Threads and pools of threads: the one place that starts them. A system that refuses a thread is
//! an error or a smaller pool, never a panic.
//!
//! rayon panics when its global pool cannot start. [`in_pool`] starts that pool itself, and falls
//! back to fewer threads. No output depends on the number of threads.
#![expect(clippy::disallowed_methods, reason = "threads are started here and nowhere else")]

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::{
    error::Error,
    io,
    mem::ManuallyDrop,
    sync::OnceLock,
    thread::{self, Builder, JoinHandle, Scope, ScopedJoinHandle},
    time::Duration,
};

/// Stack size of threads that read scenes, in bytes: the size of a main thread's stack.
pub const LARGE_STACK: usize = 8 << 20;

/// Time that the system takes to count a thread that has ended as ended, about.
const SETTLING: Duration = Duration::from_millis(10);

/// Starts a thread.
///
/// # Errors
/// When the system refuses it.
pub fn spawn<R: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> R + Send + 'static,
) -> io::Result<JoinHandle<R>> {
    Builder::new().name(name.into()).spawn(work)
}

/// Starts a thread with a stack of [`LARGE_STACK`] bytes.
///
/// # Errors
/// When the system refuses it.
pub fn spawn_large<R: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> R + Send + 'static,
) -> io::Result<JoinHandle<R>> {
    Builder::new().name(name.into()).stack_size(LARGE_STACK).spawn(work)
}

/// Starts a thread that ends within a scope.
///
/// # Errors
/// When the system refuses it.
pub fn spawn_scoped<'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    work: impl FnOnce() -> R + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, R>> {
    Builder::new().name(name.into()).spawn_scoped(scope, work)
}

/// Whether one more thread can be started. Libraries that panic without one are asked for nothing
/// until this is known.
pub fn can_start() -> bool {
    let started = spawn("probe", || ()).and_then(|thread| {
        thread.join().map_err(|_| io::Error::other("a thread that does nothing has failed"))
    });
    if started.is_ok() {
        // The system may count the thread for a moment after its end.
        thread::sleep(SETTLING);
    }
    started.is_ok()
}

/// Number of processors that this process may use, or 1.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Makes a pool of `wanted` threads, or of fewer where the system refuses some.
///
/// # Errors
/// When not even one thread can work. Outside of a pool, the caller's thread always can.
pub fn pool(wanted: usize) -> io::Result<ThreadPool> {
    let mut threads = wanted.max(1);
    loop {
        match exact_pool(threads) {
            Err(_) if threads > 1 => threads /= 2,
            other => return other,
        }
    }
}

/// Makes a pool of exactly `threads` threads. A single thread outside of a pool is the caller's.
fn exact_pool(threads: usize) -> io::Result<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(threads);
    let is_alone = threads == 1 && rayon::current_thread_index().is_none();
    let pool = if is_alone { pool.use_current_thread().build() } else { pool.build() };
    pool.map_err(io::Error::other)
}

/// The pool of callers that are in none.
enum SharedPool {
    /// The global pool of rayon, which the process may have set up itself.
    Global,
    /// A smaller pool, since the system refused the threads of the global one.
    Own(ThreadPool),
    /// None: the system refuses every thread.
    Absent,
}

impl SharedPool {
    fn start() -> Self {
        match ThreadPoolBuilder::new().build_global() {
            Ok(()) => Self::Global,
            // An error without a source says that the process has set up the pool before.
            Err(error) if error.source().is_none() => Self::Global,
            Err(_) => {
                let mut threads = processors() / 2;
                while threads > 0 {
                    if let Ok(pool) = ThreadPoolBuilder::new().num_threads(threads).build() {
                        return Self::Own(pool);
                    }
                    threads /= 2;
                }
                Self::Absent
            }
        }
    }
}

static SHARED: OnceLock<SharedPool> = OnceLock::new();

/// Does the work in the pool of the caller. A caller in no pool gets the pool that the process
/// shares, or works alone where the system refuses every thread.
pub fn in_pool<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    if rayon::current_thread_index().is_some() {
        return work();
    }
    match SHARED.get_or_init(SharedPool::start) {
        // The global pool has been started, and rayon takes it by itself.
        SharedPool::Global => work(),
        SharedPool::Own(pool) => pool.install(work),
        SharedPool::Absent => {
            // The thread stays in its pool of one, so this happens once per thread.
            if let Ok(pool) = exact_pool(1) {
                let _ = ManuallyDrop::new(pool);
            }
            work()
        }
    }
}
