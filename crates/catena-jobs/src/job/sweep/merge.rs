//! Merge of the shards of a sweep into one table, in the order of variants.

use super::SweepContent;
use super::shard::ShardTask;
use crate::job::RunError;
use crate::job::sweep::content::{
    CSV, MANIFEST, MergedSweep, PARQUET, refuse_foreign, starts_as_ours,
};
use crate::job::{
    Interruption, Progress,
    progress::{Stage, time},
};
use crate::shard::{Damage, FoundReport, MergeRefusal, ShardSet};
use catena_base::read;
use catena_output::{
    OutputError, atomic,
    hash::{sha256, sha256_of_file},
    unfinished::UnfinishedFile,
};
use catena_study::sweep::table::{ParquetTable, Value, header, read_cells};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
    fs,
    io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

/// Reads the complete sweep in a folder. `None` unless the sweep has the source of this task and
/// its files are intact. Links are not followed.
///
/// # Errors
/// A file cannot be read.
pub(super) fn read_complete(
    folder: &Path,
    task: &ShardTask<'_>,
) -> Result<Option<MergedSweep>, OutputError> {
    let path = folder.join(MANIFEST);
    let bytes = match read::file(&path, read::LARGE) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes.map_err(|cause| OutputError::new("read", &path, cause))?,
    };
    let found: Option<MergedSweep> = serde_json::from_slice(&bytes).ok();
    let is_whole = |(name, hash): (&String, &String)| {
        let path = folder.join(name);
        let is_file = fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file());
        // A file that cannot be the table is not hashed, since it may be very long.
        let is_ours = || read::start(&path, 64).is_ok_and(|start| starts_as_ours(name, &start));
        is_file && is_ours() && sha256_of_file(&path, u64::MAX).is_ok_and(|found| found == *hash)
    };
    // `sweep.json` has no hash of itself, so its content is compared with the task.
    let found = found.filter(|it| it.source == task.source && it.content == task.content);
    let has_tables = |it: &MergedSweep| it.files.keys().map(String::as_str).eq([CSV, PARQUET]);
    Ok(found.filter(|it| has_tables(it) && it.files.iter().all(is_whole)))
}

/// Merges all shards of a folder and returns the result. The shards are kept. `None` if the job is
/// interrupted; the folder is then unchanged.
///
/// # Errors
/// A shard is missing or damaged, two disagree, or a file cannot be read or written.
pub fn merge_sweep(
    set: &ShardSet,
    folder: &Path,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<Option<MergedSweep>, MergeRefusal> {
    interruption.started();
    time(progress, Stage::Hash, || set.check_files())?;
    let hashes = row_hashes(set)?;
    set.check_audits("variant", |report, variant| {
        hashes.get(&(report.number, variant)).map(String::as_str)
    })?;
    let Some(first) = set.reports().first().map(|found| &found.report) else {
        return Err(MergeRefusal::Nothing(folder.into()));
    };
    let content = content(set, first.number)?;
    refuse_foreign(folder)?;
    progress.begin(set.reports().iter().map(|found| found.report.rows).sum(), 0);
    let Some((rows, csv)) = stage_csv(set, &folder.join(CSV), &content, interruption)? else {
        return Ok(None);
    };
    let path = folder.join(PARQUET);
    let staged = stage_parquet(set, csv.path(), &path, &content, progress, interruption)?;
    let Some((statuses, parquet)) = staged else {
        return Ok(None);
    };
    let tables = [(CSV, csv), (PARQUET, parquet)];
    let hash = |(name, file): &(&str, UnfinishedFile)| -> Result<(String, String), OutputError> {
        let hash = sha256_of_file(file.path(), u64::MAX);
        let refuse = |cause| OutputError::new("read", folder.join(name), cause);
        Ok(((*name).into(), hash.map_err(refuse)?))
    };
    let files = tables.iter().map(hash).collect::<Result<_, _>>()?;
    let source = first.source.clone();
    let (text, command) = (first.ran_on.text.clone(), first.ran_on.repeat.clone());
    let merged = MergedSweep { source, content, text, command, rows, statuses, files };
    if interruption.is_set() {
        return Ok(None);
    }
    publish(folder, tables, &merged)?;
    Ok(Some(merged))
}

/// Moves the tables to their final paths and writes `sweep.json`.
fn publish(
    folder: &Path,
    tables: [(&str, UnfinishedFile); 2],
    merged: &MergedSweep,
) -> Result<(), OutputError> {
    let path = folder.join(MANIFEST);
    let text = serde_json::to_string_pretty(merged);
    let text = text.map_err(|error| OutputError::new("write", &path, io::Error::other(error)))?;
    // The old file is removed first, so that it never describes new tables.
    atomic::remove(&path)?;
    tables.into_iter().try_for_each(|(name, file)| file.publish(&folder.join(name)))?;
    atomic::write_synced(&path, (text + "\n").as_bytes())
}

/// Writes the rows of all shards in the order of variants to a temporary file, and returns their
/// number. `None` if the job is interrupted.
fn stage_csv(
    set: &ShardSet,
    path: &Path,
    content: &SweepContent,
    interruption: &dyn Interruption,
) -> Result<Option<(u64, UnfinishedFile)>, MergeRefusal> {
    let refuse = |cause| OutputError::new("write", path, cause);
    let mut file = atomic::create_unfinished(path).map_err(refuse)?;
    let (mut rows, mut out) = (0, BufWriter::new(file.file()));
    writeln!(out, "{}", header(&content.columns)).map_err(refuse)?;
    let is_whole = for_each_line(set, &mut |_, line| {
        rows += 1;
        writeln!(out, "{line}").map_err(refuse)?;
        Ok(!interruption.is_set())
    })?;
    out.flush().map_err(refuse)?;
    drop(out);
    Ok(is_whole.then_some((rows, file)))
}

/// Number of rows per status.
type Statuses = BTreeMap<String, u64>;

/// Writes the table as Parquet to a temporary file, and returns the number of rows per status.
/// `None` if the job is interrupted.
fn stage_parquet(
    set: &ShardSet,
    from: &Path,
    path: &Path,
    content: &SweepContent,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<Option<(Statuses, UnfinishedFile)>, MergeRefusal> {
    let unread = |cause: csv::Error| OutputError::new("read", from, io::Error::other(cause));
    let refuse = |cause: io::Error| OutputError::new("write", path, cause);
    let failed = |error: ::parquet::errors::ParquetError| refuse(io::Error::other(error));
    let mut statuses = BTreeMap::new();
    let mut reader = csv::Reader::from_path(from).map_err(unread)?;
    let mut file = atomic::create_unfinished(path).map_err(refuse)?;
    let out = BufWriter::new(file.file());
    let mut table = ParquetTable::new(out, &content.columns).map_err(failed)?;
    for record in reader.records() {
        if interruption.is_set() {
            return Ok(None);
        }
        let cells = read_cells(&record.map_err(unread)?, &content.columns);
        let cells = cells.ok_or_else(|| {
            let all = set
                .reports()
                .iter()
                .map(|it| damage(it.report.number, "its rows have different columns"));
            set.damaged(all.collect())
        })?;
        if let Some(Value::Text(status)) = cells.get(content.status()) {
            *statuses.entry(status.clone()).or_insert(0) += 1;
        }
        table.add(cells).map_err(failed)?;
        progress.frame();
    }
    let written = table.finish().map_err(failed)?;
    written.into_inner().map_err(|error| refuse(error.into_error()))?;
    Ok(Some((statuses, file)))
}

fn damage(number: u32, what: &str) -> Damage {
    Damage { number, what: what.into() }
}

/// Returns the content with the columns of the table. The content is the same in all shards, since
/// their sources are equal.
fn content(set: &ShardSet, number: u32) -> Result<SweepContent, MergeRefusal> {
    let read = |found: &FoundReport| found.report.content::<SweepContent>().ok();
    let found = set.reports().iter().find_map(read).filter(SweepContent::is_sound);
    found.ok_or_else(|| set.damaged(vec![damage(number, "its report does not belong to a sweep")]))
}

/// Approximate number of bytes that are read ahead in the tables of all shards together.
const READ_AHEAD: u64 = 64 << 20;
/// Minimum number of bytes that are read ahead per table.
const MIN_AHEAD: u64 = 4 << 10;
/// Maximum number of bytes that are read ahead per table. A block ends after a complete line, so it
/// may be longer.
const MAX_AHEAD: u64 = 1 << 20;

/// Lines of a shard's table. The file is open only while a block is read, because there may be more
/// shards than a process may open files.
struct ShardLines {
    number: u32,
    path: PathBuf,
    block: u64,
    /// Offset of the next block in the file.
    next: u64,
    /// Complete lines of the last block.
    text: String,
    /// Offset in `text` of the next line to return.
    at: usize,
}

impl ShardLines {
    fn open(set: &ShardSet, found: &FoundReport) -> Result<Self, MergeRefusal> {
        let number = found.report.number;
        let Some(file) = found.report.files.first() else {
            return Err(set.damaged(vec![damage(number, "its report names no table")]));
        };
        let path = set.folder().join(&file.file);
        let block = (READ_AHEAD / set.reports().len() as u64).clamp(MIN_AHEAD, MAX_AHEAD);
        let mut shard = Self { number, path, block, next: 0, text: String::new(), at: 0 };
        // Skip the header.
        shard.next()?;
        Ok(shard)
    }

    fn next(&mut self) -> Result<Option<String>, MergeRefusal> {
        if self.at == self.text.len() {
            let read = self.read_block();
            read.map_err(|cause| OutputError::new("read", &self.path, cause))?;
        }
        let line = self.text[self.at..].split_inclusive('\n').next();
        self.at += line.map_or(0, str::len);
        Ok(line.map(|line| line.strip_suffix('\n').unwrap_or(line).to_owned()))
    }

    /// Reads some complete lines, or none at the end of the file.
    fn read_block(&mut self) -> io::Result<()> {
        let (mut file, _) = read::open(&self.path, u64::MAX)?;
        file.seek(SeekFrom::Start(self.next))?;
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        bytes.clear();
        let mut file = BufReader::new(file);
        file.by_ref().take(self.block).read_to_end(&mut bytes)?;
        // A line may be longer than a block.
        file.read_until(b'\n', &mut bytes)?;
        self.next += bytes.len() as u64;
        self.text = String::from_utf8(bytes).map_err(io::Error::other)?;
        self.at = 0;
        Ok(())
    }
}

/// Number of the variant at the start of a line.
fn variant(line: &str) -> Option<u64> {
    line.split(',').next()?.parse().ok()
}

/// Passes the lines of all shards with the number of their shard to `then`, in the order of
/// variants, while `then` returns true. Returns whether all lines were passed.
fn for_each_line(
    set: &ShardSet,
    then: &mut dyn FnMut(u32, &str) -> Result<bool, MergeRefusal>,
) -> Result<bool, MergeRefusal> {
    let open = |found: &FoundReport| ShardLines::open(set, found);
    let mut shards = set.reports().iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let mut next = BinaryHeap::new();
    for (index, shard) in shards.iter_mut().enumerate() {
        push(&mut next, set, index, shard)?;
    }
    while let Some(Reverse((_, index, line))) = next.pop() {
        let shard: &mut ShardLines = &mut shards[index];
        if !then(shard.number, &line)? {
            return Ok(false);
        }
        push(&mut next, set, index, shard)?;
    }
    Ok(true)
}

/// Next line of each shard, ordered by its variant.
type NextLines = BinaryHeap<Reverse<(u64, usize, String)>>;

fn push(
    next: &mut NextLines,
    set: &ShardSet,
    index: usize,
    shard: &mut ShardLines,
) -> Result<(), MergeRefusal> {
    if let Some(line) = shard.next()? {
        let damaged = || set.damaged(vec![damage(shard.number, "a row has no variant number")]);
        next.push(Reverse((variant(&line).ok_or_else(damaged)?, index, line)));
    }
    Ok(())
}

/// SHA-256 of the rows of each audited variant, by shard and variant.
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
        Ok(true)
    })?;
    let hash = |lines: Vec<String>| sha256(lines.join("\n").as_bytes());
    Ok(lines.into_iter().map(|(place, lines)| (place, hash(lines))).collect())
}

/// Passes the rows of the table in a folder to `receive` in order, with one value per column of
/// `merged.content`. Numbers are bit-identical to the measured ones.
///
/// # Errors
/// The table cannot be read, or has other columns.
pub fn sweep_rows(
    merged: &MergedSweep,
    folder: &Path,
    receive: &mut dyn FnMut(Vec<Value>),
) -> Result<(), RunError> {
    let path = folder.join(CSV);
    let refuse = |cause: io::Error| OutputError::new("read", &path, cause);
    let of_csv = |cause: csv::Error| refuse(io::Error::other(cause));
    let mut reader = csv::Reader::from_reader(read::open(&path, u64::MAX).map_err(refuse)?.0);
    for record in reader.records() {
        let cells = read_cells(&record.map_err(of_csv)?, &merged.content.columns);
        receive(cells.ok_or_else(|| refuse(io::Error::other("a row has different columns")))?);
    }
    Ok(())
}
