//! The threads that a job runs with.

use super::{MOST_THREADS, RunError, options::within};
use crate::output::OutputError;
use rayon::ThreadPoolBuilder;
use std::io;

/// Bytes of a pixel for each thread that draws: its picture and its mask.
pub(super) const PIXEL_BYTES: u64 = 12;
/// Bytes that the canvases of all threads take together at most, about.
const CANVAS_BYTES: u64 = 2 << 30;

/// How many of so many threads may draw pictures of this size: each has a canvas of its own.
pub(crate) fn most_threads(size: [u32; 2], wanted: usize) -> usize {
    let canvas_bytes = PIXEL_BYTES * size.map(u64::from).iter().product::<u64>();
    wanted.min((CANVAS_BYTES / canvas_bytes.max(1)).max(1) as usize)
}

/// Does work that draws pictures of this size, with so many threads or fewer. `None` takes those of
/// the rayon pool that the caller is in, or else of the one that all the process shares.
///
/// # Errors
/// When the number is out of range, or the threads cannot be started.
pub(super) fn draw_with<R: Send>(
    threads: Option<u16>,
    size: [u32; 2],
    work: impl FnOnce() -> R + Send,
) -> Result<R, RunError> {
    if let Some(threads) = threads {
        within("threads", threads, 1..=MOST_THREADS)?;
    }
    let wanted = threads.map_or_else(rayon::current_num_threads, usize::from);
    let most = most_threads(size, wanted);
    let is_here = threads.is_none() && most == wanted;
    let own = u16::try_from(most).ok().filter(|_| !is_here).or(threads);
    with(own, work)
}

/// Does the work with so many threads. `None` takes the rayon pool that the caller is in, or else
/// the one that all the process shares.
///
/// # Errors
/// When the number is out of range, or the threads cannot be started.
pub(super) fn with<R: Send>(
    threads: Option<u16>,
    work: impl FnOnce() -> R + Send,
) -> Result<R, RunError> {
    let Some(threads) = threads else { return Ok(work()) };
    within("threads", threads, 1..=MOST_THREADS)?;
    let pool = ThreadPoolBuilder::new().num_threads(usize::from(threads)).build();
    let refuse = |error| OutputError::new("start", "threads", io::Error::other(error));
    Ok(pool.map_err(refuse)?.install(work))
}
