//! Threads and memory of a job. Memory is checked before work begins, because a failed allocation
//! during the work ends the process.

use super::options::within;
use super::{MAX_THREADS, RunError};
use catena_base::threads;
use catena_output::OutputError;
use rayon::ThreadPool;
use std::io;

/// Bytes per pixel for each thread that draws: its picture and its mask.
pub(super) const PIXEL_BYTES: u64 = 12;
/// Approximate maximum memory of the canvases of all threads, in bytes.
const CANVAS_BYTES: u64 = 2 << 30;

/// Maximum number of threads, up to `wanted`, for drawing pictures of this size. Each thread has
/// its own canvas.
pub fn max_threads(size: [u32; 2], wanted: usize) -> usize {
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
        within("threads", count, 1..=MAX_THREADS)?;
    }
    let here = || threads::in_pool(rayon::current_num_threads);
    let wanted = count.map_or_else(here, usize::from);
    let maximum = max_threads(size, wanted);
    let is_here = count.is_none() && maximum == wanted;
    let own = u16::try_from(maximum).ok().filter(|_| !is_here).or(count);
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
            let what = "not enough memory";
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
    within("threads", count, 1..=MAX_THREADS)?;
    let refuse = |cause| OutputError::new("start", "threads", cause);
    Ok(thread_pool(usize::from(count)).map_err(refuse)?.install(work))
}

/// Estimated memory of a thread in bytes: its stack and small allocations.
pub(super) const THREAD_BYTES: u64 = 4 << 20;
/// Memory in bytes that does not depend on pictures and threads.
pub(super) const OTHER_BYTES: u64 = 32 << 20;
/// Address space that glibc reserves for the malloc arena of each further thread: 64 MiB, briefly
/// doubled for alignment. Without it, every allocation is a system call and forty times slower.
const ARENA_BYTES: u64 = 64 << 20;

/// Bytes per pixel of the picture that all frames share.
const TEMPLATE_PIXEL_BYTES: u64 = 4;

/// Minimum memory of a job, in addition to the threads themselves.
#[derive(Clone, Copy)]
pub(crate) struct MemoryNeed {
    /// Bytes per thread.
    pub(crate) each: u64,
    /// Bytes for the whole process.
    pub(crate) common: u64,
}

impl MemoryNeed {
    /// Minimum memory for this number of threads.
    pub(crate) fn of_threads(threads: usize) -> Self {
        let arena = if threads > 1 { ARENA_BYTES } else { 0 };
        Self { each: arena, common: arena }
    }

    /// Minimum memory for pictures of this size.
    pub(crate) fn of_pictures([width, height]: [u32; 2]) -> Self {
        let pixels = u64::from(width) * u64::from(height);
        Self { each: PIXEL_BYTES * pixels, common: TEMPLATE_PIXEL_BYTES * pixels }
    }

    /// Allocates the memory of a single picture and frees it. Returns whether that succeeded.
    pub(crate) fn try_allocate_one(self) -> bool {
        let mut part: Vec<u8> = Vec::new();
        let bytes = self.each.saturating_add(self.common);
        let is_met = part.try_reserve_exact(usize::try_from(bytes).unwrap_or(usize::MAX)).is_ok();
        std::hint::black_box(part);
        is_met
    }

    /// Allocates the memory for this number of threads and frees it. Returns whether that
    /// succeeded.
    pub(crate) fn try_allocate(self, threads: usize) -> bool {
        let each = (0..threads).map(|_| THREAD_BYTES.saturating_add(self.each));
        let mut parts = std::iter::once(OTHER_BYTES.saturating_add(self.common)).chain(each);
        let mut taken = Vec::new();
        let is_met = parts.all(|bytes| {
            let mut part: Vec<u8> = Vec::new();
            let length = usize::try_from(bytes).unwrap_or(usize::MAX);
            let is_had = part.try_reserve_exact(length).is_ok();
            taken.push(part);
            is_had
        });
        // Prevents the compiler from removing the unused allocations.
        std::hint::black_box(taken);
        is_met
    }
}
