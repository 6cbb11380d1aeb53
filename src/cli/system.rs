//! Refusals of the system that would end the process without an exit code of catena's.

use super::Failure;
use crate::output::OutputError;
use signal_hook::{consts::SIGABRT, flag};
use std::{
    io,
    sync::{Arc, atomic::AtomicBool},
};

/// The exit code when memory is refused, the same as for files.
const REFUSED: i32 = 5;

/// Sets the handlers, before anything else is done.
pub(super) fn prepare() -> Result<(), Failure> {
    let refuse = |cause: io::Error| OutputError::new("listen to", "signals", cause);
    // Where memory is refused, the standard library says how much was asked for, and aborts.
    let always = Arc::new(AtomicBool::new(true));
    flag::register_conditional_shutdown(SIGABRT, REFUSED, always).map_err(refuse)?;
    // The signal for a file at the limit of its size: with any handler, the call that writes
    // returns an error.
    #[cfg(unix)]
    flag::register(signal_hook::consts::SIGXFSZ, Arc::default()).map_err(refuse)?;
    Ok(())
}
