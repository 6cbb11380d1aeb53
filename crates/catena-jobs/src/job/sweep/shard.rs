//! One shard of a sweep: its bunches, their journal, and its part of the table.

use super::bunch::BunchRunner;
use super::content::SweepContent;
use super::plan::{check_work, exhausted};
use super::{SweepError, SweepJobOptions};
use crate::job::sweep::content::is_table;
use crate::job::{Interruption, Progress, RunError};
use crate::shard::{
    RanOn, ShardAudit, ShardChoice, ShardFile, ShardJournal, ShardKind, ShardPlace, ShardReport,
    ShardSource, refuse_occupied,
};
use catena_base::text::printable;
use catena_output::hash::sha256;
use catena_output::{OutputError, atomic};
use catena_scene::Access;
use catena_scene::sweep::Sweep;
use catena_study::sweep::deal::Deal;
use catena_study::sweep::measure::{Measure, Shape, measures};
use catena_study::sweep::table::{Row, header, line};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Extension of a shard's part of the table.
pub(super) const TABLE: &str = "csv";

/// Line of the journal: a bunch and its rows.
#[derive(Serialize, Deserialize)]
struct BunchLine {
    bunch: u64,
    /// Variant and cells of each row.
    rows: Vec<(u64, String)>,
}

/// Everything that a shard works with.
pub(super) struct ShardTask<'a> {
    sweep: &'a Sweep,
    measures: Vec<Box<dyn Measure>>,
    options: &'a SweepJobOptions,
    pub(super) source: ShardSource,
    pub(super) content: SweepContent,
    choice: ShardChoice,
    place: ShardPlace,
    start: Instant,
}

impl<'a> ShardTask<'a> {
    pub(super) fn new(
        sweep: &'a Sweep,
        folder: &Path,
        choice: ShardChoice,
        options: &'a SweepJobOptions,
    ) -> Result<Self, SweepError> {
        let start = Instant::now();
        let (base, frames) = sweep.example()?;
        let measures = measures(&sweep.measures, Shape::new(sweep, &base, frames))?;
        crate::job::options::within("frames", frames, 1..=crate::job::MAX_FRAMES)?;
        if let Some(share) = options.audit {
            crate::job::options::within("audit", share, 0.0..=1.0)?;
        }
        let content = SweepContent::new(sweep, &measures, &base, frames);
        // Allowed folders differ between machines; the contents of files are hashed below.
        let limits = options.limits.clone().with_access(Access::default());
        let mut source = ShardSource::new()
            .with("the scene", sha256(sweep.scene_text().text.as_bytes()))
            .with("the sweep", sweep.canonical().join("\n"))
            .with("--set", sweep.changes().join("\n"))
            .with("the limits", sha256(format!("{limits:?}").as_bytes()));
        for (name, bytes) in sweep.files() {
            // Another shard may be able to read a file that cannot be read here.
            let hash = bytes.map_or_else(|| "cannot be read".into(), |bytes| sha256(&bytes));
            source = source.with(&format!("the file {name}"), hash);
        }
        let place = ShardPlace::new(folder, choice);
        Ok(Self { sweep, measures, options, source, content, choice, place, start })
    }

    /// Removes the report that another sweep has left in a folder for one process. No shard needs
    /// this report.
    pub(super) fn make_room(&self) -> Result<(), OutputError> {
        let is_other = ShardReport::read(&self.place, &self.source.key())?.is_none();
        if is_other && self.choice.of() == 1 {
            atomic::remove(&self.place.report())
        } else {
            Ok(())
        }
    }

    /// Measures the missing bunches. Returns the number of rows, and whether the shard was already
    /// finished.
    pub(super) fn run(
        &self,
        progress: &dyn Progress,
        interruption: &dyn Interruption,
    ) -> Result<(u64, bool), SweepError> {
        interruption.started();
        self.place.refuse_links()?;
        refuse_occupied(&self.place, TABLE, is_table)?;
        ShardReport::refuse_other_kind(&self.place, ShardKind::Sweep)?;
        ShardReport::refuse_foreign(&self.place, ShardKind::Sweep, &self.source)
            .map_err(RunError::Option)?;
        let key = self.source.key();
        let deal = Deal::new(self.sweep);
        if let Some(mut report) = ShardReport::read(&self.place, &key)? {
            let is_whole = |file: &ShardFile| file.fault(self.place.folder()).is_none();
            if report.files.iter().all(is_whole) {
                progress.begin(report.rows, report.rows);
                if let Some(audit) = self.missing_audit(&report, &deal, interruption)? {
                    report.audit = Some(audit);
                    report.publish(&self.place)?;
                }
                return Ok((report.rows, true));
            }
            atomic::remove(&self.place.report())?;
        }
        let bunches: Vec<u64> = deal.bunches(self.choice.slice(deal.count())).collect();
        let (frames, count) = (self.content.frames, bunches.len() as u64);
        let (measures, limits) = (&self.measures, &self.options.limits);
        check_work(self.sweep, &deal, measures, frames, count, limits)?;
        let runner = self.runner(interruption);
        let (journal, rows) = self.measure(&runner, &deal, &bunches, progress)?;
        let rows = self.write_table(rows)?;
        let mut report =
            ShardReport::new(ShardKind::Sweep, &self.source, self.choice, deal.count());
        report.rows = rows;
        report.files = vec![ShardFile::of(self.place.folder(), self.place.name(TABLE))?];
        report.content = serde_json::to_value(&self.content).unwrap_or_default();
        report.audit = self.audit(&runner, &deal)?;
        report.ran_on = RanOn {
            repeat: self.options.repeat.clone(),
            text: self.sweep.text.clone(),
            ..RanOn::here(self.start, self.options.command.clone())
        };
        report.publish(&self.place)?;
        journal.remove()?;
        Ok((rows, false))
    }

    fn runner<'b>(&'b self, interruption: &'b dyn Interruption) -> BunchRunner<'b> {
        let (known, excess) = Default::default();
        let limits = &self.options.limits;
        let columns = self.content.columns.len() - self.content.measures();
        let (sweep, measures) = (self.sweep, &self.measures);
        BunchRunner { sweep, measures, columns, limits, interruption, known, excess }
    }

    /// Returns the rows of all bunches. Bunches in the journal are not measured again.
    fn measure(
        &self,
        runner: &BunchRunner<'_>,
        deal: &Deal,
        bunches: &[u64],
        progress: &dyn Progress,
    ) -> Result<(ShardJournal, RowSpool), SweepError> {
        let (journal, there, spool) = self.open_journal(bunches)?;
        if journal.has_begun_anew() {
            let choice = self.choice;
            progress.note(&format!(
                "note: shard {choice} in this folder belongs to another sweep, other options or another build of catena; it is measured again"
            ));
        }
        if !journal.is_locked() {
            let folder = printable::path(self.place.folder());
            progress.note(&format!(
                "note: the file system of {folder} does not support locks: do not run shard {} twice at the same time",
                self.choice
            ));
        }
        let count = |bunch: &u64| deal.variants(*bunch).len() as u64;
        let all: u64 = bunches.iter().map(count).sum();
        let done: u64 = there.iter().map(count).sum();
        progress.begin(all, done);
        let (done, spool) = (AtomicU64::new(done), Mutex::new(spool));
        let measure = |bunch: &u64| -> Result<(), SweepError> {
            let numbers = deal.variants(*bunch);
            let interrupted =
                || SweepError::Interrupted { there: done.load(Ordering::Relaxed), all };
            let rows = runner.rows(&numbers).ok_or_else(interrupted)?;
            let rows = rows.iter().map(|row: &Row| (row.variant, line(&row.cells))).collect();
            let line = BunchLine { bunch: *bunch, rows };
            journal.add(&line)?;
            add(&mut spool.lock().unwrap_or_else(PoisonError::into_inner), &line)?;
            done.fetch_add(numbers.len() as u64, Ordering::Relaxed);
            numbers.iter().for_each(|_| progress.frame());
            if u128::from(runner.excess.load(Ordering::Relaxed)) > self.options.limits.sweep_work()
            {
                return Err(exhausted(self.sweep, &self.options.limits).into());
            }
            Ok(())
        };
        let missing: Vec<u64> =
            bunches.iter().copied().filter(|bunch| !there.contains(bunch)).collect();
        // One bunch per task, so that the journal covers the sweep evenly.
        missing.par_iter().with_max_len(1).try_for_each(measure)?;
        Ok((journal, spool.into_inner().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Opens the journal, and reads the shard's bunches and rows from it.
    fn open_journal(
        &self,
        bunches: &[u64],
    ) -> Result<(ShardJournal, HashSet<u64>, RowSpool), OutputError> {
        let wanted: HashSet<u64> = bunches.iter().copied().collect();
        atomic::prepare_folder(self.place.folder())?;
        let (mut there, mut spool) = (HashSet::new(), RowSpool::new(self.place.folder())?);
        let receive =
            |line: BunchLine| match wanted.contains(&line.bunch) && there.insert(line.bunch) {
                true => add(&mut spool, &line),
                false => Ok(()),
            };
        let journal = ShardJournal::open_each(&self.place, &self.source.key(), receive)?;
        Ok((journal, there, spool))
    }

    /// Writes the shard's part of the table in the order of variants. Returns the number of rows.
    fn write_table(&self, rows: RowSpool) -> Result<u64, OutputError> {
        let (path, count) = (self.place.file(TABLE), rows.count());
        atomic::write_with(&path, |out| {
            let refuse = |cause| OutputError::new("write", &path, cause);
            let mut out = BufWriter::new(out);
            writeln!(out, "{}", header(&self.content.columns)).map_err(refuse)?;
            rows.for_each(|line| writeln!(out, "{line}").map_err(refuse))?;
            out.flush().map_err(refuse)
        })?;
        Ok(count)
    }

    /// Computes the requested audit if a finished shard lacks it.
    fn missing_audit(
        &self,
        report: &ShardReport,
        deal: &Deal,
        interruption: &dyn Interruption,
    ) -> Result<Option<ShardAudit>, SweepError> {
        let Some((share, neighbour)) = self.audited() else { return Ok(None) };
        let wanted = neighbour.audited(deal.count(), share).into_iter();
        let bunches = wanted.flat_map(|place| deal.bunches(place..place + 1));
        let kept = |bunch| catena_study::sweep::deal::kept(self.sweep, &deal.variants(bunch));
        let wanted: Vec<u64> = bunches.flat_map(kept).map(|variant| variant.number).collect();
        let there = report.audit.iter().flat_map(|audit| &audit.hashes).map(|(variant, _)| variant);
        match there.eq(&wanted) {
            true => Ok(None),
            false => self.audit(&self.runner(interruption), deal),
        }
    }

    /// Share and neighbour of the requested audit.
    fn audited(&self) -> Option<(f64, ShardChoice)> {
        self.options.audit.filter(|share| *share > 0.0).zip(self.choice.neighbour())
    }

    /// Measures some bunches of the neighbour again, if an audit is requested.
    fn audit(
        &self,
        runner: &BunchRunner<'_>,
        deal: &Deal,
    ) -> Result<Option<ShardAudit>, SweepError> {
        let Some((share, neighbour)) = self.audited() else { return Ok(None) };
        let mut hashes = Vec::new();
        for place in neighbour.audited(deal.count(), share) {
            for bunch in deal.bunches(place..place + 1) {
                let rows = runner.rows(&deal.variants(bunch));
                let rows = rows.ok_or(SweepError::Interrupted { there: 0, all: 0 })?;
                hashes.extend(rows.chunk_by(|a, b| a.variant == b.variant).map(|rows| {
                    let lines: Vec<String> = rows.iter().map(|row| line(&row.cells)).collect();
                    (rows[0].variant, sha256(lines.join("\n").as_bytes()))
                }));
            }
        }
        Ok(Some(ShardAudit { number: neighbour.number(), hashes }))
    }
}

/// Adds the rows of a bunch.
fn add(spool: &mut RowSpool, line: &BunchLine) -> Result<(), OutputError> {
    line.rows.iter().try_for_each(|(variant, line)| spool.add(*variant, line))
}

/// Rows in the order of their arrival, in an unnamed temporary file.
pub(super) struct RowSpool {
    folder: PathBuf,
    file: BufWriter<File>,
    /// Variant of each row, and the offset of its line.
    rows: Vec<(u64, u64)>,
    end: u64,
}

impl RowSpool {
    /// An empty spool, on the disk of an existing folder.
    pub(super) fn new(folder: &Path) -> Result<Self, OutputError> {
        let file = tempfile::tempfile_in(folder)
            .map_err(|cause| OutputError::new("write a file in", folder, cause))?;
        let file = BufWriter::new(file);
        Ok(Self { folder: folder.into(), file, rows: Vec::new(), end: 0 })
    }

    fn error(&self, cause: io::Error) -> OutputError {
        OutputError::new("write a file in", &self.folder, cause)
    }

    /// Adds the line of a row of this variant.
    pub(super) fn add(&mut self, variant: u64, line: &str) -> Result<(), OutputError> {
        self.rows.push((variant, self.end));
        self.end += line.len() as u64 + 1;
        writeln!(self.file, "{line}").map_err(|cause| self.error(cause))
    }

    /// Number of rows.
    pub(super) fn count(&self) -> u64 {
        self.rows.len() as u64
    }

    /// Passes all lines to `then` in the order of variants. Lines of one variant keep their order.
    pub(super) fn for_each(
        mut self,
        mut then: impl FnMut(&str) -> Result<(), OutputError>,
    ) -> Result<(), OutputError> {
        let folder = self.folder.clone();
        let refuse = |cause| OutputError::new("read a file in", &folder, cause);
        self.file.flush().map_err(refuse)?;
        self.rows.sort_unstable();
        let mut lines = BufReader::new(self.file.get_mut());
        let (mut at, mut line) = (lines.seek(SeekFrom::Start(0)).map_err(refuse)?, String::new());
        for (_, start) in &self.rows {
            // A relative seek keeps the buffer if the next line is close.
            lines.seek_relative(*start as i64 - at as i64).map_err(refuse)?;
            line.clear();
            at = start + lines.read_line(&mut line).map_err(refuse)? as u64;
            then(line.strip_suffix('\n').unwrap_or(&line))?;
        }
        Ok(())
    }
}
