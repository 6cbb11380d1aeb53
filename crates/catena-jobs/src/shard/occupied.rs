//! Files of other programs under the names that a shard gives its own.

use super::{ShardKind, ShardPlace, journal};
use catena_base::read;
use catena_output::{OutputError, ownership::is_blank};
use std::{fs, io, path::Path};

/// Whether a file that begins with these bytes is one that catena writes under its name.
pub type IsOurs = fn(&[u8]) -> bool;

/// Bytes that tell a file of a shard: the header of a pack is the longest.
const START: u64 = 512;

/// Refuses a shard whose report, journal or product would replace a file that catena did not write.
/// `product` has the ending of the product, and what tells it.
///
/// # Errors
/// At the first of them.
pub fn refuse_occupied(
    place: &ShardPlace,
    (ending, is_product): (&str, IsOurs),
) -> Result<(), OutputError> {
    refuse_other(&place.report(), START, is_report)?;
    refuse_other(&place.journal(), START, journal::is_start)?;
    refuse_other(&place.file(ending), START, is_product)
}

/// Refuses a path that a file has which catena did not write, judged by its first bytes. Nothing, a
/// link and a blank file may be replaced: a power failure leaves blank files.
///
/// # Errors
/// When such a file or something that is no file has the path, or it cannot be read at the moment.
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
        // An unreadable file may be one of ours.
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
