//! Whether there is memory for a render: a request that is refused in its midst would end the process without a word.

use crate::output::OutputError;
use std::{io, path::Path};

/// Bytes of a pixel for each thread that draws: its picture and its mask.
const A_PIXEL: u64 = 12;
/// Bytes of a pixel of what all frames have in common.
const A_TEMPLATE_PIXEL: u64 = 4;
/// Bytes of a thread beside that, about, and of all that does not grow with pictures and threads.
const A_THREAD: u64 = 4 << 20;
const REST: u64 = 32 << 20;

/// Asks for the memory that a render takes at the least, and gives it back.
///
/// # Errors
/// When there is not as much.
pub(super) fn ask(path: &Path, size: [u32; 2], threads: usize) -> Result<(), OutputError> {
    let [width, height] = size;
    let pixels = u64::from(width) * u64::from(height);
    let a_thread = A_THREAD + A_PIXEL * pixels;
    let parts =
        [REST + A_TEMPLATE_PIXEL * pixels].into_iter().chain((0..threads).map(|_| a_thread));
    let taken: Option<Vec<Vec<u8>>> = parts.map(reserve).collect();
    // Looked at, lest the compiler sees that nobody uses it and asks for nothing.
    match std::hint::black_box(taken) {
        Some(_) => Ok(()),
        None => {
            let what = format!(
                "there is too little memory for {threads} threads and pictures of {width}x{height}; lower --threads or --size"
            );
            Err(OutputError::new(
                "render into",
                path,
                io::Error::new(io::ErrorKind::OutOfMemory, what),
            ))
        }
    }
}

fn reserve(bytes: u64) -> Option<Vec<u8>> {
    let mut part = Vec::new();
    part.try_reserve_exact(usize::try_from(bytes).ok()?).ok()?;
    Some(part)
}
