//! Checks before a shard starts: files of other programs under its names, and shards of another
//! source in its folder.

use super::found::{names_in, parse};
use super::{ShardChoice, ShardKind, ShardPlace, ShardReport, ShardSource, journal, numbers};
use catena_base::read;
use catena_base::text::printable;
use catena_output::OutputError;
use catena_output::ownership::is_blank;
use std::path::Path;
use std::{fs, io};

/// Function that returns whether catena wrote a file with these first bytes.
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
    is_product: impl Fn(&[u8]) -> bool,
) -> Result<(), OutputError> {
    refuse_other(&place.report(), START, is_report)?;
    refuse_other(&place.journal(), START, journal::is_start)?;
    refuse_other(&place.file(ending), START, is_product)
}

/// Returns an error if the path holds a file that catena did not write, judged by its first
/// `maximum` bytes. Links may be replaced, and so may blank files, which power failures leave
/// behind.
///
/// # Errors
/// The path holds such a file or no regular file, or it cannot be read at the moment.
pub fn refuse_other(
    path: &Path,
    maximum: u64,
    is_ours: impl Fn(&[u8]) -> bool,
) -> Result<(), OutputError> {
    let refuse = |cause| Err(OutputError::new("replace", path, cause));
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Ok(meta) if meta.is_symlink() => return Ok(()),
        _ => {}
    }
    match read::start(path, maximum) {
        Ok(start) if is_blank(&start) || is_ours(&start) => Ok(()),
        Ok(_) => refuse(io::Error::other(
            "a file with this name exists that catena did not write; move it, or choose another \
             --out",
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

/// Maximum number of reports that are read if file names show no conflict. Thousands of shards may
/// start at once on a shared file system. A merge reads all reports.
const MAX_READ: usize = 64;

impl ShardReport {
    /// Checks, before any work, that no finished shard conflicts with the one at `place`: it would
    /// be overwritten, or a merge would refuse both. Unfinished shards are ignored, so that shards
    /// may start at the same time.
    ///
    /// An existing report of the same shard is replaced, regardless of its source, if no other
    /// shard has another source. It is also replaced if most other reports have the new source,
    /// since a merge then requests this shard again.
    ///
    /// # Errors
    /// A message with the conflicting shards, the differences and the remedy.
    pub fn refuse_foreign(
        place: &ShardPlace,
        kind: ShardKind,
        source: &ShardSource,
    ) -> Result<(), String> {
        // If the folder cannot be read, writing the report returns the error.
        let Ok((names, _)) = names_in(place.folder(), place.folder()) else { return Ok(()) };
        let key = source.key();
        let is_own = |report: &Self| {
            report.key == key && report.kind == kind && report.of == place.choice().of()
        };
        let of_others = names.iter().filter(|(choice, _)| *choice != place.choice());
        let of_others: Vec<&(ShardChoice, String)> = of_others.collect();
        let own = names.iter().filter(|(choice, _)| *choice == place.choice());
        let own: Vec<Self> = own.filter_map(|(choice, file)| read(place, *choice, file)).collect();
        if own.iter().any(is_own) {
            return Ok(());
        }
        let other_count = of_others.iter().any(|(choice, _)| choice.of() != place.choice().of());
        let every = match !own.is_empty() || other_count {
            true => 1,
            false => of_others.len().div_ceil(MAX_READ).max(1),
        };
        let found = of_others.iter().step_by(every);
        let found =
            found.filter_map(|(choice, file)| Some((file.as_str(), read(place, *choice, file)?)));
        let (ours, foreign): (Vec<_>, Vec<_>) = found.partition(|(_, report)| is_own(report));
        // A merge keeps the larger group and requests the other shards again.
        let Some((file, first)) = foreign.first().filter(|_| ours.len() <= foreign.len()) else {
            return Ok(());
        };
        let mut differences: Vec<&str> = source.differences(&first.source);
        if first.kind != kind {
            differences = vec!["the command"];
        }
        if first.of != place.choice().of() {
            differences.push("the number of shards");
        }
        let like_first = foreign.iter().filter(|(_, it)| it.key == first.key && it.of == first.of);
        let mut all: Vec<u32> = like_first.map(|(_, report)| report.number).collect();
        all.dedup();
        let folder = printable::path(place.folder());
        let shards = if all.len() == 1 { "shard" } else { "shards" };
        Err(format!(
            "{folder} has finished shards of another {}: {shards} {} of {}, such as {file}, run on {}; \
             they differ from this one in {}; choose another --out, or remove old files from {folder}",
            first.kind.command(),
            numbers(&all),
            first.of,
            first.host(),
            differences.join(", "),
        ))
    }
}

/// Reads a report. `None` if it is damaged or unreadable.
fn read(place: &ShardPlace, choice: ShardChoice, file: &str) -> Option<ShardReport> {
    let folder: &Path = place.folder();
    parse(folder, file, choice).ok()
}
