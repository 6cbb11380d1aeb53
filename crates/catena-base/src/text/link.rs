//! Relative file paths in links, percent-encoded by RFC 3986.

use std::{
    ffi::OsString,
    path::{Component, Path, PathBuf},
};

/// Encodes a path below a folder as a link. ASCII letters, digits, `-`, `_` and `.` stay; every
/// other byte is percent-encoded.
pub fn encoded(path: &Path) -> String {
    let mut link = String::new();
    for part in path.components() {
        let Component::Normal(part) = part else { continue };
        if !link.is_empty() {
            link.push('/');
        }
        for byte in part.as_encoded_bytes() {
            if byte.is_ascii_alphanumeric() || b"-_.".contains(byte) {
                link.push(char::from(*byte));
            } else {
                link += &format!("%{byte:02X}");
            }
        }
    }
    link
}

/// Decodes a link into a path. Returns `None` if the encoding is invalid or the path leaves its
/// folder.
pub fn decoded(link: &str) -> Option<PathBuf> {
    let mut bytes = Vec::with_capacity(link.len());
    let mut rest = link.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first == b'%' {
            let (digits, after) = rest.split_at_checked(2)?;
            bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
            rest = after;
        } else {
            bytes.push(*first);
        }
    }
    let path = PathBuf::from(os_string(bytes)?);
    let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
    (is_inside && path.components().next().is_some()).then_some(path)
}

#[cfg(unix)]
fn os_string(bytes: Vec<u8>) -> Option<OsString> {
    use std::os::unix::ffi::OsStringExt;
    Some(OsString::from_vec(bytes))
}

#[cfg(not(unix))]
fn os_string(bytes: Vec<u8>) -> Option<OsString> {
    String::from_utf8(bytes).ok().map(OsString::from)
}
