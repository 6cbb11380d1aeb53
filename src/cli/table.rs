//! Reads number files that arguments name.

use super::Failure;
use crate::output::{OutputError, stdout};
use crate::read;
use crate::scene::similar_table;
use std::io;
use std::path::Path;

/// Reads a file of numbers with at most `maximum` bytes, or standard input for `-`. Returns the
/// name of the file in messages, and its bytes.
pub(super) fn read_table(path: &Path, maximum: u64) -> Result<(String, Vec<u8>), Failure> {
    let (name, bytes) = match stdout::is_stdout(path) {
        true => ("standard input".to_owned(), read::up_to(maximum, io::stdin())),
        false => (path.display().to_string(), read::file(path, maximum)),
    };
    let advised = |cause: io::Error| {
        let is_missing = cause.kind() == io::ErrorKind::NotFound;
        match is_missing.then(|| similar_table(path)).flatten() {
            Some(similar) => {
                io::Error::new(cause.kind(), format!("{cause}; did you mean {similar}?"))
            }
            None => cause,
        }
    };
    let bytes = bytes.and_then(|bytes| match read::pointer_of(&bytes) {
        Some((program, command)) => {
            let what = format!("it is a pointer of {program}, and `{command}` fetches the file");
            Err(io::Error::new(io::ErrorKind::InvalidData, what))
        }
        None => Ok(bytes),
    });
    Ok((name, bytes.map_err(|cause| OutputError::new("read", path, advised(cause)))?))
}
