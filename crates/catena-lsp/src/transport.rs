//! Messages between client and server: JSON with a header, as the protocol defines.
//!
//! A message that cannot be parsed is answered with an error, and reading continues.

use lsp_server::{ErrorCode, Message};
use serde_json::json;
use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum size of a message in bytes. A scene has at most 1 MiB.
const MAX_BYTES: u64 = 32 << 20;
/// Maximum length of a header line in bytes.
const MAX_HEADER_BYTES: u64 = 4096;

/// Result of reading from the client.
pub(super) enum Incoming {
    /// A complete message.
    Message(Message),
    /// Invalid bytes, with the reason.
    Broken(String),
    /// The client closed the connection.
    End,
}

/// Reads the next message.
pub(super) fn read(input: &mut impl BufRead) -> Incoming {
    let Ok(Some(length)) = content_length(input) else { return Incoming::End };
    if length > MAX_BYTES {
        let skipped = io::copy(&mut input.take(length), &mut io::sink());
        return match skipped {
            Ok(_) => Incoming::Broken(format!("a message may have at most {MAX_BYTES} bytes")),
            Err(_) => Incoming::End,
        };
    }
    let mut body = Vec::new();
    match input.take(length).read_to_end(&mut body) {
        Ok(read) if read as u64 == length => {}
        _ => return Incoming::End,
    }
    match serde_json::from_slice(&body) {
        Ok(message) => Incoming::Message(message),
        Err(error) => Incoming::Broken(error.to_string()),
    }
}

/// Reads headers until an empty line and returns the content length. Unknown header lines are
/// skipped.
fn content_length(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.take(MAX_HEADER_BYTES).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        match line.trim().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().ok();
            }
            None if line.trim().is_empty() && length.is_some() => return Ok(length),
            _ => {}
        }
    }
}

/// Output channel of the server. Threads share it, and each message is written as a whole.
#[derive(Clone)]
pub(super) struct Outbox(Arc<Mutex<Box<dyn Write + Send>>>);

impl Outbox {
    pub(super) fn new(output: Box<dyn Write + Send>) -> Self {
        Self(Arc::new(Mutex::new(output)))
    }

    /// Sends a message. Write errors are ignored, because a closed connection is detected on the
    /// input.
    pub(super) fn send(&self, message: impl Into<Message>) {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = message.into().write(&mut *output);
    }

    /// Answers invalid bytes with an error that has no request number.
    pub(super) fn refuse(&self, why: &str) {
        let error = json!({ "code": ErrorCode::ParseError as i32, "message": why });
        let body = json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string();
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = write!(output, "Content-Length: {}\r\n\r\n{body}", body.len());
        let _ = output.flush();
    }
}
