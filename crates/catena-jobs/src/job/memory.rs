//! Memory checks before work begins, because a failed allocation during the work ends the process.

use super::threads::PIXEL_BYTES;

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
