//! What the system may refuse while a command works: without this it would end the process, without
//! an exit code of catena's.

use super::Failure;
use crate::output::OutputError;
use signal_hook::{consts::SIGABRT, flag};
use std::{
    io,
    sync::{Arc, atomic::AtomicBool},
};

/// The exit code of what failed for want of memory, as that of files.
const REFUSED: i32 = 5;

/// Prepares for it, before anything else is done.
pub(super) fn prepare() -> Result<(), Failure> {
    let refuse = |cause: io::Error| OutputError::new("listen to", "signals", cause);
    // Where memory is refused, the standard library says how much was asked for, and aborts.
    let always = Arc::new(AtomicBool::new(true));
    flag::register_conditional_shutdown(SIGABRT, REFUSED, always).map_err(refuse)?;
    // A file that reaches the limit of its size: with a handler, whatever it does, the call that
    // writes returns an error.
    #[cfg(unix)]
    flag::register(signal_hook::consts::SIGXFSZ, Arc::default()).map_err(refuse)?;
    Ok(())
}
