//! What happens on ctrl-C and when the process is asked to end: the first time the command finishes what it is at, the second time it
//! ends at once.

use super::Failure;
use crate::output::OutputError;
use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
};
use std::{
    ffi::OsStr,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

/// Knows whether the process was asked to end.
#[derive(Clone, Debug, Default)]
pub(super) struct Interrupt(Arc<AtomicUsize>);

impl Interrupt {
    /// Listens from here on.
    pub(super) fn listen() -> Result<Self, Failure> {
        let interrupt = Self::default();
        let again = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal finds the flag down, and raises it.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&again))
                .and_then(|_| flag::register(signal, Arc::clone(&again)))
                .and_then(|_| {
                    flag::register_usize(signal, Arc::clone(&interrupt.0), signal as usize)
                })
                .map_err(|cause| OutputError::new("listen to", "signals", cause))?;
        }
        Ok(interrupt)
    }

    /// Whether the process was asked to end.
    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }

    /// The exit code that says by what signal, where there was one.
    pub(super) fn exit_code(&self) -> Option<u8> {
        let signal = self.0.load(Ordering::Relaxed);
        (signal != 0).then(|| 128 + signal as u8)
    }
}

/// The command as it was typed, to be typed again in a shell.
pub(super) fn command() -> String {
    let words: Vec<String> = std::env::args_os().map(|word| quoted(&word)).collect();
    words.join(" ")
}

/// A word as a POSIX shell reads it.
fn quoted(word: &OsStr) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%^".contains(c);
    let Some(text) = word.to_str() else { return by_bytes(word.as_encoded_bytes()) };
    if !text.is_empty() && text.chars().all(is_plain) {
        text.into()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// A word that is no text, such as a folder with a name in an old encoding.
fn by_bytes(word: &[u8]) -> String {
    let byte = |byte: &u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' | b'/' | b'=' => {
            char::from(*byte).to_string()
        }
        _ => format!(r"\{byte:03o}"),
    };
    format!("\"$(printf '{}')\"", word.iter().map(byte).collect::<String>())
}
