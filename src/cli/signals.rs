//! Signals that ask the process to end, on each operating system.

use signal_hook::consts::{SIGINT, SIGTERM};
use std::io;

/// Ctrl-C sends SIGINT, also on Windows, where nothing sends SIGTERM.
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// Receiver of signals. It replaces the default action, which would end the process.
pub(super) struct Listener(Inner);

#[cfg(unix)]
type Inner = signal_hook::iterator::Signals;

#[cfg(unix)]
impl Listener {
    pub(super) fn new() -> io::Result<Self> {
        Inner::new(SIGNALS).map(Self)
    }

    /// Calls `visit` with each signal as long as the process lives.
    pub(super) fn visit(mut self, visit: impl FnMut(i32)) {
        self.0.forever().for_each(visit);
    }
}

/// One flag per signal, since no thread can wait for one.
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

    /// Calls `visit` with each signal as long as the process lives.
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
