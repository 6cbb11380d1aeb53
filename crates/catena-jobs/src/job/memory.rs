//! Asks for memory before work begins: a request that is refused while it goes on ends the process.

use super::threads::PIXEL_BYTES;

/// Bytes of a thread, about: its stack and what it allocates in small pieces.
pub(super) const THREAD_BYTES: u64 = 4 << 20;
/// Bytes of all that does not grow with pictures and threads.
pub(super) const OTHER_BYTES: u64 = 32 << 20;
/// Address space that glibc reserves for the malloc arena of each further thread (64 MiB, twice
/// that for a moment to align it). Without it every allocation is a system call, forty times
/// slower.
const ARENA_BYTES: u64 = 64 << 20;

/// Bytes of a pixel of what all frames have in common.
const TEMPLATE_PIXEL_BYTES: u64 = 4;

/// Memory that is needed at the least, beside that of threads as such.
#[derive(Clone, Copy)]
pub(crate) struct Need {
    /// Bytes for each thread.
    pub(crate) each: u64,
    /// Bytes that all have in common.
    pub(crate) common: u64,
}

impl Need {
    /// What threads need at the least, so many of them.
    pub(crate) fn of_threads(threads: usize) -> Self {
        let arena = if threads > 1 { ARENA_BYTES } else { 0 };
        Self { each: arena, common: arena }
    }

    /// What pictures of a size need.
    pub(crate) fn of_pictures([width, height]: [u32; 2]) -> Self {
        let pixels = u64::from(width) * u64::from(height);
        Self { each: PIXEL_BYTES * pixels, common: TEMPLATE_PIXEL_BYTES * pixels }
    }

    /// Asks for the memory of a single picture, and gives it back; whether it was to be had.
    pub(crate) fn is_met_by_one(self) -> bool {
        let mut part: Vec<u8> = Vec::new();
        let bytes = self.each.saturating_add(self.common);
        let is_met = part.try_reserve_exact(usize::try_from(bytes).unwrap_or(usize::MAX)).is_ok();
        std::hint::black_box(part);
        is_met
    }

    /// Asks for the memory with so many threads, and gives it back; whether it was to be had.
    pub(crate) fn is_met(self, threads: usize) -> bool {
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
        // Looked at, lest the compiler sees that nobody uses it and asks for nothing.
        std::hint::black_box(taken);
        is_met
    }
}
