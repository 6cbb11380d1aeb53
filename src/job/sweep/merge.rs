//! Puts the shards of a sweep together: one table, in the order of variants.

use super::SweepContent;
use crate::output::{
    OutputError, atomic,
    hash::{sha256, sha256_of_file},
};
use crate::read;
use crate::shard::{Damage, FoundReport, MergeRefusal, ShardSet, ShardSource};
use crate::sweep::table::{ParquetTable, Value, header, read_cells};
use serde::{Deserialize, Serialize};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Lines, Write},
    path::Path,
};

/// Names of the files of a whole sweep.
pub(super) const CSV: &str = "table.csv";
const PARQUET: &str = "table.parquet";
const MANIFEST: &str = "sweep.json";

/// A whole sweep: what `sweep.json` says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MergedSweep {
    /// What the table was made from.
    pub source: ShardSource,
    /// Its columns.
    #[serde(flatten)]
    pub content: SweepContent,
    /// How many rows it has.
    pub rows: u64,
    /// How many rows have each status.
    pub statuses: BTreeMap<String, u64>,
    /// SHA-256 of each file.
    pub files: BTreeMap<String, String>,
}

/// The whole sweep in a folder, if it is of this source and its files are what they were.
///
/// # Errors
/// When a file cannot be read.
pub(super) fn there(
    folder: &Path,
    source: &ShardSource,
) -> Result<Option<MergedSweep>, OutputError> {
    let path = folder.join(MANIFEST);
    let bytes = match read::file(&path, read::LARGE) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes.map_err(|cause| OutputError::new("read", &path, cause))?,
    };
    let found: Option<MergedSweep> = serde_json::from_slice(&bytes).ok();
    let is_whole = |(name, hash): (&String, &String)| {
        sha256_of_file(&folder.join(name), u64::MAX).is_ok_and(|found| found == *hash)
    };
    let found = found.filter(|it| it.source == *source);
    Ok(found.filter(|it| it.files.len() == 2 && it.files.iter().all(is_whole)))
}

/// Puts all shards of a folder together, and returns what there is. The shards stay.
///
/// # Errors
/// When a shard is missing or damaged, two disagree, or a file fails.
pub fn merge_sweep(set: &ShardSet, folder: &Path) -> Result<MergedSweep, MergeRefusal> {
    set.check_files()?;
    let hashes = row_hashes(set)?;
    set.check_audits("variant", |report, variant| {
        hashes.get(&(report.number, variant)).map(String::as_str)
    })?;
    let Some(first) = set.reports().first().map(|found| &found.report) else {
        return Err(MergeRefusal::Nothing(folder.into()));
    };
    let content = content(set, first.number)?;
    // Nobody takes an older table for that of these shards.
    atomic::remove(&folder.join(MANIFEST))?;
    let rows = write_csv(set, &folder.join(CSV), &content)?;
    let statuses = write_parquet(set, folder, &content)?;
    let hash = |name: &str| -> Result<(String, String), OutputError> {
        let path = folder.join(name);
        let hash = sha256_of_file(&path, u64::MAX);
        Ok((name.into(), hash.map_err(|cause| OutputError::new("read", &path, cause))?))
    };
    let files = [hash(CSV)?, hash(PARQUET)?].into_iter().collect();
    let merged = MergedSweep { source: first.source.clone(), content, rows, statuses, files };
    let path = folder.join(MANIFEST);
    let text = serde_json::to_string_pretty(&merged);
    let text = text.map_err(|error| OutputError::new("write", &path, io::Error::other(error)))?;
    atomic::write_synced(&path, (text + "\n").as_bytes())?;
    Ok(merged)
}

/// Writes the rows of all shards in the order of variants; returns how many there are.
fn write_csv(set: &ShardSet, path: &Path, content: &SweepContent) -> Result<u64, MergeRefusal> {
    let refuse = |cause| OutputError::new("write", path, cause);
    let mut rows = 0;
    atomic::write_to(path, |out| {
        let mut out = BufWriter::new(out);
        writeln!(out, "{}", header(&content.columns)).map_err(refuse)?;
        for_each_line(set, &mut |_, line| {
            rows += 1;
            Ok(writeln!(out, "{line}").map_err(refuse)?)
        })?;
        Ok(out.flush().map_err(refuse)?)
    })
    .map(|()| rows)
}

/// Writes the table once more for other programs; returns how many rows have each status.
fn write_parquet(
    set: &ShardSet,
    folder: &Path,
    content: &SweepContent,
) -> Result<BTreeMap<String, u64>, MergeRefusal> {
    let (from, path) = (folder.join(CSV), folder.join(PARQUET));
    let unread = |cause: csv::Error| OutputError::new("read", &from, io::Error::other(cause));
    let refuse = |cause: io::Error| OutputError::new("write", &path, cause);
    let failed = |error: ::parquet::errors::ParquetError| refuse(io::Error::other(error));
    let mut statuses = BTreeMap::new();
    let mut reader = csv::Reader::from_path(&from).map_err(unread)?;
    let mut file = atomic::unfinished_beside(&path).map_err(refuse)?;
    let out = BufWriter::new(file.file());
    let mut table = ParquetTable::new(out, &content.columns).map_err(failed)?;
    for record in reader.records() {
        let cells = read_cells(&record.map_err(unread)?, &content.columns);
        let cells = cells.ok_or_else(|| {
            let all = set
                .reports()
                .iter()
                .map(|it| damage(it.report.number, "its rows have other columns"));
            set.damaged(all.collect())
        })?;
        if let Some(Value::Text(status)) = cells.get(content.status()) {
            *statuses.entry(status.clone()).or_insert(0) += 1;
        }
        table.add(cells).map_err(failed)?;
    }
    let written = table.finish().map_err(failed)?;
    written.into_inner().map_err(|error| refuse(error.into_error()))?;
    file.publish(&path)?;
    Ok(statuses)
}

fn damage(number: u32, what: &str) -> Damage {
    Damage { number, what: what.into() }
}

/// The columns of the table, which all shards have alike, since their sources are.
fn content(set: &ShardSet, number: u32) -> Result<SweepContent, MergeRefusal> {
    let found = set.reports().iter().find_map(|found| found.report.content().ok());
    found.ok_or_else(|| set.damaged(vec![damage(number, "its report is not that of a sweep")]))
}

/// The lines of a shard's table, and which line comes next.
struct ShardLines {
    number: u32,
    lines: Lines<BufReader<File>>,
}

impl ShardLines {
    fn open(set: &ShardSet, found: &FoundReport) -> Result<Self, MergeRefusal> {
        let number = found.report.number;
        let Some(file) = found.report.files.first() else {
            return Err(set.damaged(vec![damage(number, "its report names no table")]));
        };
        let path = set.folder().join(&file.file);
        let opened = File::open(&path).map_err(|cause| OutputError::new("read", &path, cause))?;
        let mut shard = Self { number, lines: BufReader::new(opened).lines() };
        // The names of the columns.
        shard.next(set)?;
        Ok(shard)
    }

    fn next(&mut self, set: &ShardSet) -> Result<Option<String>, MergeRefusal> {
        let line = self.lines.next().transpose();
        Ok(line.map_err(|cause| OutputError::new("read", set.folder(), cause))?)
    }
}

/// The number of the variant that a line begins with.
fn variant(line: &str) -> Option<u64> {
    line.split(',').next()?.parse().ok()
}

/// Hands on the lines of all shards in the order of variants, with the shard that each is from.
fn for_each_line(
    set: &ShardSet,
    then: &mut dyn FnMut(u32, &str) -> Result<(), MergeRefusal>,
) -> Result<(), MergeRefusal> {
    let open = |found: &FoundReport| ShardLines::open(set, found);
    let mut shards = set.reports().iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let mut next = BinaryHeap::new();
    for (index, shard) in shards.iter_mut().enumerate() {
        push(&mut next, (set, index), shard)?;
    }
    while let Some(Reverse((_, index, line))) = next.pop() {
        let shard: &mut ShardLines = &mut shards[index];
        then(shard.number, &line)?;
        push(&mut next, (set, index), shard)?;
    }
    Ok(())
}

/// The next line of each shard, by its variant.
type Heap = BinaryHeap<Reverse<(u64, usize, String)>>;

fn push(
    next: &mut Heap,
    (set, index): (&ShardSet, usize),
    shard: &mut ShardLines,
) -> Result<(), MergeRefusal> {
    if let Some(line) = shard.next(set)? {
        let damaged = || set.damaged(vec![damage(shard.number, "a row has no number")]);
        next.push(Reverse((variant(&line).ok_or_else(damaged)?, index, line)));
    }
    Ok(())
}

/// SHA-256 of the rows of each variant that audits have measured, by shard and variant.
fn row_hashes(set: &ShardSet) -> Result<BTreeMap<(u32, u64), String>, MergeRefusal> {
    let audits = set.reports().iter().filter_map(|found| found.report.audit.as_ref());
    let wanted = audits.flat_map(|it| it.hashes.iter().map(|(variant, _)| (it.number, *variant)));
    let mut lines: BTreeMap<(u32, u64), Vec<String>> =
        wanted.map(|place| (place, Vec::new())).collect();
    if lines.is_empty() {
        return Ok(BTreeMap::new());
    }
    for_each_line(set, &mut |number, line| {
        let place = variant(line).map(|variant| (number, variant));
        if let Some(lines) = place.and_then(|place| lines.get_mut(&place)) {
            lines.push(line.into());
        }
        Ok(())
    })?;
    let hash = |lines: Vec<String>| sha256(lines.join("\n").as_bytes());
    Ok(lines.into_iter().map(|(place, lines)| (place, hash(lines))).collect())
}
