//! System errors that would end the process without an exit code of catena's own.

use super::Failure;
use crate::output::OutputError;
use signal_hook::{consts::SIGABRT, flag};
use std::{
    io,
    sync::{Arc, atomic::AtomicBool},
};

/// Exit code if an allocation fails, the same as for files.
const REFUSED: i32 = 5;

/// Installs the handlers, before anything else.
pub(super) fn prepare() -> Result<(), Failure> {
    let refuse = |cause: io::Error| OutputError::new("listen to", "signals", cause);
    // If an allocation fails, the standard library prints the requested size and aborts.
    let always = Arc::new(AtomicBool::new(true));
    flag::register_conditional_shutdown(SIGABRT, REFUSED, always).map_err(refuse)?;
    // Signal about a file that reached its size limit. With any handler, the write returns an error
    // instead of ending the process.
    #[cfg(unix)]
    flag::register(signal_hook::consts::SIGXFSZ, Arc::default()).map_err(refuse)?;
    Ok(())
}
