//! Messages in and out: JSON behind a header, as the protocol has it.
//!
//! A message that cannot be read is answered, and the next one is read.

use lsp_server::{ErrorCode, Message};
use serde_json::json;
use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// The most bytes of a message; a scene has at most one MiB.
const MOST: u64 = 32 << 20;
/// The most bytes of a line of a header.
const HEADER: u64 = 4096;

/// What came in.
pub(super) enum Incoming {
    /// A message.
    Message(Message),
    /// Bytes that are none, and why.
    Broken(String),
    /// The client has gone.
    End,
}

/// Reads the next message.
pub(super) fn read(input: &mut impl BufRead) -> Incoming {
    let Ok(Some(length)) = content_length(input) else { return Incoming::End };
    if length > MOST {
        let skipped = io::copy(&mut input.take(length), &mut io::sink());
        return match skipped {
            Ok(_) => Incoming::Broken(format!("a message has at most {MOST} bytes")),
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

/// The length that the next header gives; lines that are no header are passed over.
fn content_length(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.take(HEADER).read_until(b'\n', &mut line)? == 0 {
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

/// Where messages go; several threads write whole ones.
#[derive(Clone)]
pub(super) struct Outbox(Arc<Mutex<Box<dyn Write + Send>>>);

impl Outbox {
    pub(super) fn new(output: Box<dyn Write + Send>) -> Self {
        Self(Arc::new(Mutex::new(output)))
    }

    /// Sends a message. A client that has gone is found when nothing comes from it any more.
    pub(super) fn send(&self, message: impl Into<Message>) {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = message.into().write(&mut *output);
    }

    /// Answers bytes that are no message, of which no number is known.
    pub(super) fn refuse(&self, why: &str) {
        let error = json!({ "code": ErrorCode::ParseError as i32, "message": why });
        let body = json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string();
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = write!(output, "Content-Length: {}\r\n\r\n{body}", body.len());
        let _ = output.flush();
    }
}
