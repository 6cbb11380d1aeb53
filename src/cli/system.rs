//! System errors that would end the process without an exit code of catena's own.

use super::Failure;
use crate::output::OutputError;
use signal_hook::{consts::SIGABRT, flag};
use std::{
    io,
    sync::{Arc, atomic::AtomicBool},
};

/// Exit code if memory is refused, the same as for files.
const REFUSED: i32 = 5;

/// Installs the handlers, before anything else.
pub(super) fn prepare() -> Result<(), Failure> {
    let refuse = |cause: io::Error| OutputError::new("listen to", "signals", cause);
    // If memory is refused, the standard library prints the size of the request and aborts.
    let always = Arc::new(AtomicBool::new(true));
    flag::register_conditional_shutdown(SIGABRT, REFUSED, always).map_err(refuse)?;
    // Signal for a file at its size limit. With any handler, the write returns an error instead.
    #[cfg(unix)]
    flag::register(signal_hook::consts::SIGXFSZ, Arc::default()).map_err(refuse)?;
    Ok(())
}
