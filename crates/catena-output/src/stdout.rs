//! Standard output. If its reader closes, only the printing ends; results and other files are not
//! affected.

use super::OutputError;
use std::{
    io::{self, Write},
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

/// Name of standard output in messages.
const NAME: &str = "standard output";

/// Prints a text.
///
/// # Errors
/// Returns an error if the text cannot be written, unless the reader has closed standard output.
pub fn print(text: &str) -> Result<(), OutputError> {
    let mut printer = StdoutWriter::default();
    printer.write_all(text.as_bytes()).and_then(|()| printer.flush()).map_err(refused)
}

/// Creates the error of a failed write.
pub fn refused(cause: io::Error) -> OutputError {
    OutputError::new("write to", NAME, cause)
}

/// Writer to standard output. After the reader has gone, it discards its input.
#[derive(Default)]
pub struct StdoutWriter {
    is_closed: AtomicBool,
}

impl StdoutWriter {
    /// Whether the reader was still present at the last write.
    pub fn has_reader(&self) -> bool {
        !self.is_closed.load(Ordering::Relaxed)
    }

    /// Converts the error for a closed reader into `Ok(dropped)`.
    fn unless_closed<T>(&self, done: io::Result<T>, dropped: T) -> io::Result<T> {
        match done {
            // On standard output this error means that the reader has gone.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed.store(true, Ordering::Relaxed);
                Ok(dropped)
            }
            other => other,
        }
    }
}

impl Write for &StdoutWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_closed.load(Ordering::Relaxed) {
            return Ok(bytes.len());
        }
        self.unless_closed(io::stdout().write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed(io::stdout().flush(), ())
    }
}

impl Write for StdoutWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&*self).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        (&*self).flush()
    }
}

/// Names of standard output: `-` on command lines, and the system's paths.
const NAMES: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// Whether a path means standard output.
pub fn is_stdout(path: &Path) -> bool {
    NAMES.iter().any(|name| path == Path::new(name))
}
