//! Text of files, in any of the common encodings.

use crate::diagnostic::Fault;
use crate::file::no_text;
use std::borrow::Cow;

/// Decodes a file of numbers and names, without a byte-order mark. A line that is not UTF-8 is read
/// as Latin-1, because many exporters write names in a local encoding.
pub(crate) fn decode_lines(name: &str, bytes: &[u8]) -> Result<String, Fault> {
    check_text(name, bytes)?;
    Ok(decode_text(bytes))
}

/// Decodes lines that are UTF-8 or Latin-1, without a byte-order mark.
pub(crate) fn decode_text(bytes: &[u8]) -> String {
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').map(|line| {
        let latin = || line.iter().copied().map(char::from).collect();
        std::str::from_utf8(line).map_or_else(|_| Cow::Owned(latin()), Cow::Borrowed)
    });
    let text: String = lines.collect();
    text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)
}

/// Decodes a file that must be UTF-8, without a byte-order mark.
pub(crate) fn decode_utf8(name: &str, bytes: &[u8]) -> Result<String, Fault> {
    check_text(name, bytes)?;
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
        Fault::new(format!("{name}:{line}: this is not UTF-8 text")).help("save it as UTF-8")
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text).into())
}

/// Rejects bytes that are not text in an ASCII-compatible encoding.
fn check_text(name: &str, bytes: &[u8]) -> Result<(), Fault> {
    let Some((what, help)) = no_text(bytes) else { return Ok(()) };
    let fault = Fault::new(format!("{name} is {what}, not a text file"));
    Err(fault.help(help.unwrap_or("specify an ordinary text file")))
}
