//! Functions of the WebAssembly module.
//!
//! The page writes a request into `catena_input`, calls `catena_answer`, and reads the answer from
//! `catena_output`. Both are buffers of the module, so no pointer from outside is read.

#![expect(unsafe_code, reason = "exports have fixed names; no memory is read through a pointer")]

use crate::protocol::Session;
use crate::{BUILD, module};
use std::cell::RefCell;

/// Build of the module, read by the program that embeds it in a page.
#[used]
#[unsafe(link_section = "catena")]
static BUILD_SECTION: [u8; BUILD.len()] = build();

const _: () = assert!(matches!(module::SECTION.as_bytes(), b"catena"));

/// Bytes of the build.
const fn build() -> [u8; BUILD.len()] {
    let mut bytes = [0; BUILD.len()];
    let mut at = 0;
    while at < bytes.len() {
        bytes[at] = BUILD.as_bytes()[at];
        at += 1;
    }
    bytes
}

/// Memory that the page and the module share.
#[derive(Default)]
struct Shared {
    session: Session,
    input: Vec<u8>,
    output: Vec<u8>,
}

thread_local! {
    static SHARED: RefCell<Shared> = RefCell::default();
}

fn with<R>(act: impl FnOnce(&mut Shared) -> R) -> R {
    SHARED.with_borrow_mut(act)
}

/// Returns a buffer for a request of `length` bytes.
#[unsafe(no_mangle)]
extern "C" fn catena_input(length: usize) -> *mut u8 {
    with(|shared| {
        shared.input.clear();
        shared.input.resize(length, 0);
        shared.input.as_mut_ptr()
    })
}

/// Answers the request in JSON. Returns the number of bytes of the answer.
#[unsafe(no_mangle)]
extern "C" fn catena_answer() -> usize {
    with(|shared| {
        let answer = shared.session.answer(&shared.input);
        // The request may contain files of many megabytes.
        shared.input = Vec::new();
        shared.output = answer;
        shared.output.len()
    })
}

/// Draws a frame as pixels of four bytes. Returns the number of bytes, or 0 if the frame is not
/// simulated.
#[unsafe(no_mangle)]
extern "C" fn catena_draw(frame: u32) -> usize {
    with(|shared| match shared.session.draw(frame.into(), &mut shared.output) {
        Ok(()) => shared.output.len(),
        Err(_) => 0,
    })
}

/// Number of frames to simulate before a frame can be drawn.
#[unsafe(no_mangle)]
extern "C" fn catena_steps_to(frame: u32) -> u32 {
    with(|shared| u32::try_from(shared.session.steps_to(frame.into())).unwrap_or(u32::MAX))
}

/// Simulates one more frame. Returns whether a frame was simulated.
#[unsafe(no_mangle)]
extern "C" fn catena_advance() -> u32 {
    with(|shared| u32::from(shared.session.advance()))
}

/// Pointer to the answer or the pixels of the last call.
#[unsafe(no_mangle)]
extern "C" fn catena_output() -> *const u8 {
    with(|shared| shared.output.as_ptr())
}
