//! SHA-256 hashes of bytes and files, and lines that contain their own hash.

pub use catena_base::hash::NumberHash;

pub(super) use catena_base::hash::hex;

use catena_base::read;
use sha2::{Digest, Sha256};
use std::{
    io::{self, Read, Write},
    path::Path,
};

/// SHA-256 of bytes in hexadecimal, as `sha256sum` prints it.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// SHA-256 of a regular file in hexadecimal.
///
/// # Errors
/// Returns an error if the file cannot be read, is not a regular file, or is larger than `maximum`
/// bytes.
pub fn sha256_of_file(path: &Path, maximum: u64) -> io::Result<String> {
    let (mut file, _) = read::open(path, maximum)?;
    let mut hash = Sha256::new();
    let mut block = [0; 1 << 16];
    loop {
        match file.read(&mut block) {
            Ok(0) => return Ok(hex(&hash.finalize())),
            Ok(length) => hash.update(&block[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// SHA-256 of bytes that come in blocks.
#[derive(Default)]
pub struct ByteHash(Sha256);

impl ByteHash {
    /// Adds a block.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// SHA-256 of all blocks.
    pub fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}

/// Writer that hashes the bytes it passes on.
pub(super) struct Hashing<'a> {
    file: &'a mut dyn Write,
    hash: Sha256,
}

impl<'a> Hashing<'a> {
    pub(super) fn new(file: &'a mut dyn Write) -> Self {
        Self { file, hash: Sha256::new() }
    }

    /// Returns the inner writer, and the SHA-256 of all bytes written to it.
    pub(super) fn finish(self) -> (&'a mut dyn Write, [u8; 32]) {
        (self.file, self.hash.finalize().into())
    }
}

impl Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Encodes a line that begins with its hash. The hash includes the key, so the line cannot be
/// decoded with another key.
pub fn encode_line(key: &str, text: &str) -> String {
    format!("{} {text}\n", line_hash(key, text))
}

/// Decodes the text of a line without its terminator. Returns `None` if the line is damaged or has
/// another key.
pub fn decode_line<'a>(key: &str, line: &'a [u8]) -> Option<&'a str> {
    let (found, text) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    (found == line_hash(key, text)).then_some(text)
}

fn line_hash(key: &str, text: &str) -> String {
    sha256(format!("{key}\n{text}").as_bytes())
}
