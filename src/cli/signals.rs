//! Signals that ask the process to end, as each system gives them.

use signal_hook::consts::{SIGINT, SIGTERM};
use std::io;

/// SIGINT comes from ctrl-C, on Windows as well; nothing sends SIGTERM there.
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// Receives signals from when it is made, in place of the system, which would end the process.
pub(super) struct Listener(Inner);

#[cfg(unix)]
type Inner = signal_hook::iterator::Signals;

#[cfg(unix)]
impl Listener {
    pub(super) fn new() -> io::Result<Self> {
        Inner::new(SIGNALS).map(Self)
    }

    /// Visits each signal, for as long as the process lives.
    pub(super) fn visit(mut self, visit: impl FnMut(i32)) {
        self.0.forever().for_each(visit);
    }
}

/// A flag of each signal, since no thread can wait for one.
#[cfg(not(unix))]
type Inner = Vec<(i32, std::sync::Arc<std::sync::atomic::AtomicBool>)>;

#[cfg(not(unix))]
impl Listener {
    pub(super) fn new() -> io::Result<Self> {
        let flag = |signal: i32| {
            let flag = std::sync::Arc::default();
            signal_hook::flag::register(signal, std::sync::Arc::clone(&flag))?;
            Ok((signal, flag))
        };
        SIGNALS.into_iter().map(flag).collect::<io::Result<_>>().map(Self)
    }

    /// Visits each signal, for as long as the process lives.
    pub(super) fn visit(self, mut visit: impl FnMut(i32)) {
        loop {
            for (signal, flag) in &self.0 {
                if flag.swap(false, std::sync::atomic::Ordering::Relaxed) {
                    visit(*signal);
                }
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
}
