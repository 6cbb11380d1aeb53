//! Standard output. A reader who goes away ends the printing, and nothing else: verdicts and other
//! files do not depend on him.

use super::OutputError;
use std::{
    io::{self, Write},
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

/// What messages call it.
const NAME: &str = "standard output";

/// Prints a text.
///
/// # Errors
/// When it cannot be written; not when its reader has gone.
pub fn print(text: &str) -> Result<(), OutputError> {
    let mut printer = Printer::default();
    printer.write_all(text.as_bytes()).and_then(|()| printer.flush()).map_err(refused)
}

/// A failure of standard output.
pub fn refused(cause: io::Error) -> OutputError {
    OutputError::new("write to", NAME, cause)
}

/// Writes to standard output. Once its reader has gone it takes what is written, and drops it.
#[derive(Default)]
pub struct Printer {
    is_closed: AtomicBool,
}

impl Printer {
    /// Whether somebody may still read what is written.
    pub fn has_reader(&self) -> bool {
        !self.is_closed.load(Ordering::Relaxed)
    }

    /// `done` is dropped where the reader has gone.
    fn unless_closed<T>(&self, done: io::Result<T>, dropped: T) -> io::Result<T> {
        match done {
            // Only here does this error mean that nobody reads.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed.store(true, Ordering::Relaxed);
                Ok(dropped)
            }
            other => other,
        }
    }
}

impl Write for &Printer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.has_reader() {
            return Ok(bytes.len());
        }
        self.unless_closed(io::stdout().write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed(io::stdout().flush(), ())
    }
}

impl Write for Printer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&*self).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        (&*self).flush()
    }
}

/// The names of standard output: that of command lines, and those that the system has for it.
const NAMES: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// Whether a path that the user gives means standard output.
pub fn is_named_by(path: &Path) -> bool {
    NAMES.iter().any(|name| path == Path::new(name))
}
