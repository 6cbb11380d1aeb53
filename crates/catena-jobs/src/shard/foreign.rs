//! Check for shards of another source in the folder of a shard that starts.

use super::{
    ShardChoice, ShardKind, ShardPlace, ShardReport, ShardSource,
    found::{names_in, parse},
    numbers,
};
use catena_base::text::printable;
use std::path::Path;

/// Maximum number of reports that are read if file names show no conflict. Thousands of shards may
/// start at once on a shared file system. A merge reads all reports.
const MOST_READ: usize = 64;

impl ShardReport {
    /// Checks, before any work, that no finished shard conflicts with the one at `place`: it would
    /// be overwritten, or a merge would refuse both. Unfinished shards are ignored, so that shards
    /// may start at the same time.
    ///
    /// An existing report of the same shard is replaced, whatever its source, if no other shard has
    /// another source. A report is also replaced if most of the others have the new source, since a
    /// merge then requests this shard again.
    ///
    /// # Errors
    /// A message with the conflicting shards, the differences and the remedy.
    pub fn refuse_foreign(
        place: &ShardPlace,
        kind: ShardKind,
        source: &ShardSource,
    ) -> Result<(), String> {
        // Writing reports the error if the folder cannot be read.
        let Ok((names, _)) = names_in(place.folder(), place.folder()) else { return Ok(()) };
        let key = source.key();
        let is_own = |report: &Self| {
            report.key == key && report.kind == kind && report.of == place.choice().of()
        };
        let of_others = names.iter().filter(|(choice, _)| *choice != place.choice());
        let of_others: Vec<&(ShardChoice, String)> = of_others.collect();
        let own = names.iter().filter(|(choice, _)| *choice == place.choice());
        let own: Vec<Self> = own.filter_map(|it| read(place, it)).collect();
        if own.iter().any(is_own) {
            return Ok(());
        }
        let other_count = of_others.iter().any(|(choice, _)| choice.of() != place.choice().of());
        let every = match !own.is_empty() || other_count {
            true => 1,
            false => of_others.len().div_ceil(MOST_READ).max(1),
        };
        let found = of_others.iter().step_by(every);
        let found = found.filter_map(|it| Some((it.1.as_str(), read(place, it)?)));
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
             they differ from this one in {}; choose another --out, or remove from {folder} what is \
             not wanted any more",
            first.kind.command(),
            numbers(&all),
            first.of,
            first.host(),
            differences.join(", "),
        ))
    }
}

/// Reads a report. `None` if it is damaged or unreadable.
fn read(place: &ShardPlace, (choice, file): &(ShardChoice, String)) -> Option<ShardReport> {
    let folder: &Path = place.folder();
    parse(folder, file, *choice).ok()
}
