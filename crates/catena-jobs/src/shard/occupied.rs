//! Protection of foreign files whose names catena would use for a shard.

use super::{ShardKind, ShardPlace, journal};
use catena_base::read;
use catena_output::{OutputError, ownership::is_blank};
use std::{fs, io, path::Path};

/// Test for the first bytes of a file: whether catena wrote it.
pub type IsOurs = fn(&[u8]) -> bool;

/// Number of bytes that identify a file of a shard. The header of a pack is the longest.
const START: u64 = 512;

/// Returns an error if the report, journal or product of a shard would replace a file that catena
/// did not write. `product` is the extension of the product and the test for its first bytes.
///
/// # Errors
/// The first such file.
pub fn refuse_occupied(
    place: &ShardPlace,
    ending: &str,
    is_product: IsOurs,
) -> Result<(), OutputError> {
    refuse_other(&place.report(), START, is_report)?;
    refuse_other(&place.journal(), START, journal::is_start)?;
    refuse_other(&place.file(ending), START, is_product)
}

/// Returns an error if the path holds a file that catena did not write, judged by its first `most`
/// bytes. Links and blank files may be replaced: a power failure leaves blank files.
///
/// # Errors
/// The path holds such a file or no regular file, or it cannot be read at the moment.
pub fn refuse_other(path: &Path, most: u64, is_ours: IsOurs) -> Result<(), OutputError> {
    let refuse = |cause| Err(OutputError::new("replace", path, cause));
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Ok(meta) if meta.is_symlink() => return Ok(()),
        _ => {}
    }
    match read::start(path, most) {
        Ok(start) if is_blank(&start) || is_ours(&start) => Ok(()),
        Ok(_) => refuse(io::Error::other(
            "a file that catena did not write is in the way; move it, or choose another --out",
        )),
        // An unreadable file may have been written by catena.
        Err(cause) if !read::is_about_content(&cause) => Err(OutputError::new("read", path, cause)),
        Err(cause) => {
            let what = format!("{cause}; move it, or choose another --out");
            refuse(io::Error::new(cause.kind(), what))
        }
    }
}

fn is_report(start: &[u8]) -> bool {
    let text: Vec<u8> = start.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    [ShardKind::Render, ShardKind::Sweep].into_iter().any(|kind| {
        let fields = format!("{{\"kind\":\"{}\",\"key\":\"", kind.command());
        text.starts_with(fields.as_bytes())
    })
}
