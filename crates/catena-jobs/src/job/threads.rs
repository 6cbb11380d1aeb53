//! Threads of a job.

use super::{MOST_THREADS, MemoryNeed, RunError, options::within};
use catena_base::threads;
use catena_output::OutputError;
use rayon::ThreadPool;
use std::io;

/// Bytes per pixel for each thread that draws: its picture and its mask.
pub(super) const PIXEL_BYTES: u64 = 12;
/// Approximate maximum memory of the canvases of all threads, in bytes.
const CANVAS_BYTES: u64 = 2 << 30;

/// Number of threads, at most `wanted`, that may draw pictures of this size. Each has a canvas of
/// its own.
pub fn most_threads(size: [u32; 2], wanted: usize) -> usize {
    let canvas_bytes = PIXEL_BYTES * size.map(u64::from).iter().product::<u64>();
    wanted.min((CANVAS_BYTES / canvas_bytes.max(1)).max(1) as usize)
}

/// Runs `work`, which draws pictures of this size, on `count` threads or fewer. `None` uses the
/// caller's rayon pool, or else the global pool of the process.
///
/// # Errors
/// The number is out of range, or the threads cannot be started.
pub(super) fn draw_with<R: Send>(
    count: Option<u16>,
    size: [u32; 2],
    work: impl FnOnce() -> R + Send,
) -> Result<R, RunError> {
    if let Some(count) = count {
        within("threads", count, 1..=MOST_THREADS)?;
    }
    let here = || threads::in_pool(rayon::current_num_threads);
    let wanted = count.map_or_else(here, usize::from);
    let most = most_threads(size, wanted);
    let is_here = count.is_none() && most == wanted;
    let own = u16::try_from(most).ok().filter(|_| !is_here).or(count);
    with(own, work)
}

/// Creates a pool of `wanted` threads, or of fewer if the system refuses some.
///
/// # Errors
/// There is too little memory for one thread.
pub fn thread_pool(wanted: usize) -> io::Result<ThreadPool> {
    let mut count = wanted.max(1);
    while !MemoryNeed::of_threads(count).try_allocate(count) {
        if count == 1 {
            let what = "there is too little memory";
            return Err(io::Error::new(io::ErrorKind::OutOfMemory, what));
        }
        count /= 2;
    }
    threads::pool(count)
}

/// Runs `work` on `count` threads, or on fewer if the system refuses some. `None` uses the caller's
/// rayon pool, or else the global pool of the process.
///
/// # Errors
/// The number is out of range, or no thread can be started.
pub(super) fn with<R: Send>(
    count: Option<u16>,
    work: impl FnOnce() -> R + Send,
) -> Result<R, RunError> {
    let Some(count) = count else { return Ok(threads::in_pool(work)) };
    within("threads", count, 1..=MOST_THREADS)?;
    let refuse = |cause| OutputError::new("start", "threads", cause);
    Ok(thread_pool(usize::from(count)).map_err(refuse)?.install(work))
}
