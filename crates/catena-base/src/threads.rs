//! Starts threads and thread pools. If the system refuses a thread, the result is an error or a
//! smaller pool, never a panic.
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

/// Stack size in bytes of threads that read scenes: the usual size of a main thread's stack.
pub const LARGE_STACK: usize = 8 << 20;

/// Stack size in bytes of other threads; the default of the standard library.
const STACK: usize = 2 << 20;

/// Maximum memory in bytes that a thread takes at its start, in addition to its stack.
const START: usize = 512 << 10;

/// Approximate delay until the system no longer counts a finished thread.
const SETTLING: Duration = Duration::from_millis(10);

/// Starts a named thread.
///
/// # Errors
/// Returns an error if the system refuses the thread.
pub fn spawn<R: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> R + Send + 'static,
) -> io::Result<JoinHandle<R>> {
    has_room(STACK)?;
    Builder::new().name(name.into()).spawn(work)
}

/// Returns an error if there is not enough memory for a thread. A thread that starts and then finds
/// no memory for its signal stack panics before it does any work.
fn has_room(stack: usize) -> io::Result<()> {
    let refused = |_| io::Error::from(io::ErrorKind::OutOfMemory);
    Vec::<u8>::new().try_reserve_exact(stack + START).map_err(refused)
}

/// Starts a named thread with a stack of [`LARGE_STACK`] bytes.
///
/// # Errors
/// Returns an error if the system refuses the thread.
pub fn spawn_large<R: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> R + Send + 'static,
) -> io::Result<JoinHandle<R>> {
    has_room(LARGE_STACK)?;
    Builder::new().name(name.into()).stack_size(LARGE_STACK).spawn(work)
}

/// Starts a named thread within a scope.
///
/// # Errors
/// Returns an error if the system refuses the thread.
pub fn spawn_scoped<'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    work: impl FnOnce() -> R + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, R>> {
    has_room(STACK)?;
    Builder::new().name(name.into()).spawn_scoped(scope, work)
}

/// Whether the system allows one more thread, tested by starting one. Callers test this before they
/// use libraries that panic without a thread.
pub fn can_start() -> bool {
    let started = spawn("probe", || ()).and_then(|thread| {
        thread.join().map_err(|_| io::Error::other("a thread that does nothing has failed"))
    });
    if started.is_ok() {
        // The system may still count the thread shortly after its end.
        thread::sleep(SETTLING);
    }
    started.is_ok()
}

/// Number of processors available to this process, or 1 if unknown.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Builds a pool of `wanted` threads, or of fewer if the system refuses some.
///
/// # Errors
/// Returns an error if not even a single thread can be used. A caller outside every pool never gets
/// this error, since its own thread serves.
pub fn pool(wanted: usize) -> io::Result<ThreadPool> {
    let mut threads = wanted.max(1);
    loop {
        match exact_pool(threads) {
            Err(_) if threads > 1 => threads /= 2,
            other => return other,
        }
    }
}

/// Builds a pool of exactly `threads` threads. For a caller outside every pool, a pool of one uses
/// the caller's thread.
fn exact_pool(threads: usize) -> io::Result<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(threads);
    let is_alone = threads == 1 && rayon::current_thread_index().is_none();
    let pool = if is_alone { pool.use_current_thread().build() } else { pool.build() };
    pool.map_err(io::Error::other)
}

/// Pool for callers that are in no pool.
enum SharedPool {
    /// rayon's global pool, possibly set up by the process itself.
    Global,
    /// A smaller pool, used if the system refused the threads of the global pool.
    Own(ThreadPool),
    /// No pool: the system refuses every thread.
    Absent,
}

impl SharedPool {
    fn start() -> Self {
        match ThreadPoolBuilder::new().build_global() {
            Ok(()) => Self::Global,
            // An error without a source means that the process has already set up the pool.
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

/// Runs work in the caller's pool. A caller in no pool gets the shared pool of the process, or its
/// own thread if the system refuses every other.
pub fn in_pool<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    if rayon::current_thread_index().is_some() {
        return work();
    }
    match SHARED.get_or_init(SharedPool::start) {
        // The global pool has been started, and rayon uses it by default.
        SharedPool::Global => work(),
        SharedPool::Own(pool) => pool.install(work),
        SharedPool::Absent => {
            // The caller's thread stays in this pool of one, so this happens once per thread.
            if let Ok(pool) = exact_pool(1) {
                let _ = ManuallyDrop::new(pool);
            }
            work()
        }
    }
}
