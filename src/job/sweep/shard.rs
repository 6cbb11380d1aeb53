//! One shard of a sweep: its bunches, with a journal, and its part of the table.

use super::{SweepError, SweepJobOptions, bunch::BunchRunner, content::SweepContent};
use crate::job::{Interruption, Progress};
use crate::output::{OutputError, atomic, hash::sha256};
use crate::scene::sweep::Sweep;
use crate::shard::{
    RanOn, ShardAudit, ShardChoice, ShardFile, ShardJournal, ShardKind, ShardPlace, ShardReport,
    ShardSource,
};
use crate::sweep::{
    deal::Deal,
    measure::{Measure, Shape, measures},
    table::{Row, header, line},
};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::{
    collections::HashSet,
    io::Write,
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

/// The ending of a shard's part of the table.
pub(super) const TABLE: &str = "csv";

/// A line of the journal: a bunch with its rows.
#[derive(Serialize, Deserialize)]
struct BunchLine {
    bunch: u64,
    /// The variant of each row, and its cells.
    rows: Vec<(u64, String)>,
}

/// All that a shard is about.
pub(super) struct ShardTask<'a> {
    sweep: &'a Sweep,
    measures: Vec<Box<dyn Measure>>,
    options: &'a SweepJobOptions,
    pub(super) source: ShardSource,
    content: SweepContent,
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
        let base = sweep.scene(&sweep.variant(0)).or_else(|_| sweep.base())?;
        let frames = sweep.frames.unwrap_or(base.frames);
        let measures = measures(&sweep.measures, Shape { axes: base.axes, frames })?;
        crate::job::options::within("frames", frames, 1..=crate::job::MOST_FRAMES)?;
        if let Some(share) = options.audit {
            crate::job::options::within("audit", share, 0.0..=1.0)?;
        }
        let content = SweepContent::new(sweep, &measures, (&base, frames), &options.repeat);
        let mut source = ShardSource::new()
            .with("the scene", sha256(sweep.scene_text().text.as_bytes()))
            .with("the sweep", sweep.canonical().join("\n"))
            .with("--set", sweep.changes().join("\n"))
            .with("the limits", sha256(format!("{:?}", options.limits).as_bytes()));
        for file in base.files {
            source = source.with(&format!("the file {}", file.name), sha256(&file.bytes));
        }
        let place = ShardPlace::new(folder, choice);
        Ok(Self { sweep, measures, options, source, content, choice, place, start })
    }

    /// Removes what another sweep has left of a table in one process, which no shard needs.
    pub(super) fn make_room(&self) -> Result<(), OutputError> {
        let is_other = ShardReport::read(&self.place, &self.source.key()).is_none();
        if is_other && self.choice.of() == 1 {
            atomic::remove(&self.place.report())
        } else {
            Ok(())
        }
    }

    /// Measures what is not measured yet; returns how many rows the shard has, and whether it was
    /// finished already.
    pub(super) fn run(
        &self,
        progress: &dyn Progress,
        interruption: &dyn Interruption,
    ) -> Result<(u64, bool), SweepError> {
        interruption.begins();
        let key = self.source.key();
        if let Some(report) = ShardReport::read(&self.place, &key) {
            let is_whole = |file: &ShardFile| file.fault(self.place.folder()).is_none();
            if report.files.iter().all(is_whole) {
                progress.begin(report.rows, report.rows);
                return Ok((report.rows, true));
            }
            atomic::remove(&self.place.report())?;
        }
        let deal = Deal::new(self.sweep);
        let bunches: Vec<u64> = deal.bunches(self.choice.slice(deal.count())).collect();
        let runner = self.runner(interruption);
        let lines = self.measure(&runner, (&deal, &bunches), progress)?;
        let (journal, lines) = lines;
        let rows = self.write_table(lines)?;
        let mut report =
            ShardReport::new(ShardKind::Sweep, &self.source, self.choice, deal.count());
        report.rows = rows;
        report.files = vec![ShardFile::of(self.place.folder(), self.place.name(TABLE))?];
        report.content = serde_json::to_value(&self.content).unwrap_or_default();
        report.audit = self.audit(&runner, &deal)?;
        report.ran_on = RanOn::here(self.start, self.options.command.clone());
        report.publish(&self.place)?;
        journal.remove()?;
        Ok((rows, false))
    }

    fn runner<'b>(&'b self, interruption: &'b dyn Interruption) -> BunchRunner<'b> {
        let known = Mutex::default();
        let limits = &self.options.limits;
        let columns = self.content.columns.len() - self.content.measures();
        let (sweep, measures) = (self.sweep, &self.measures);
        BunchRunner { sweep, measures, columns, limits, interruption, known }
    }

    /// The rows of all bunches; those that the journal has are not measured again.
    fn measure(
        &self,
        runner: &BunchRunner<'_>,
        (deal, bunches): (&Deal, &[u64]),
        progress: &dyn Progress,
    ) -> Result<(ShardJournal, Vec<BunchLine>), SweepError> {
        let (journal, there) = ShardJournal::open::<BunchLine>(&self.place, &self.source.key())?;
        let wanted: HashSet<u64> = bunches.iter().copied().collect();
        let mut seen = HashSet::new();
        let there: Vec<BunchLine> = there
            .into_iter()
            .filter(|line| wanted.contains(&line.bunch) && seen.insert(line.bunch))
            .collect();
        let count = |bunch: &u64| deal.variants(*bunch).len() as u64;
        let all: u64 = bunches.iter().map(count).sum();
        let done: u64 = there.iter().map(|line| count(&line.bunch)).sum();
        progress.begin(all, done);
        let (done, lines) = (AtomicU64::new(done), Mutex::new(there));
        let measure = |bunch: &u64| -> Result<(), SweepError> {
            let numbers = deal.variants(*bunch);
            let interrupted =
                || SweepError::Interrupted { there: done.load(Ordering::Relaxed), all };
            let rows = runner.rows(&numbers).ok_or_else(interrupted)?;
            let rows = rows.iter().map(|row: &Row| (row.variant, line(&row.cells))).collect();
            let line = BunchLine { bunch: *bunch, rows };
            journal.add(&line)?;
            lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
            done.fetch_add(numbers.len() as u64, Ordering::Relaxed);
            numbers.iter().for_each(|_| progress.frame());
            Ok(())
        };
        let missing: Vec<u64> =
            bunches.iter().copied().filter(|bunch| !seen.contains(bunch)).collect();
        // One bunch after the other, so that what the journal has is even over the sweep.
        missing.par_iter().with_max_len(1).try_for_each(measure)?;
        let lines = lines.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok((journal, lines))
    }

    /// Writes the shard's part of the table, in order of variants; returns how many rows it has.
    fn write_table(&self, lines: Vec<BunchLine>) -> Result<u64, OutputError> {
        // A stable sort: the rows of a variant are in one bunch, in order.
        let mut rows: Vec<(u64, String)> = lines.into_iter().flat_map(|line| line.rows).collect();
        rows.sort_by_key(|(variant, _)| *variant);
        let path = self.place.file(TABLE);
        atomic::write_to(&path, |out| {
            let refuse = |cause| OutputError::new("write", &path, cause);
            let mut out = std::io::BufWriter::new(out);
            writeln!(out, "{}", header(&self.content.columns)).map_err(refuse)?;
            for (_, line) in &rows {
                writeln!(out, "{line}").map_err(refuse)?;
            }
            out.flush().map_err(refuse)
        })?;
        Ok(rows.len() as u64)
    }

    /// Measures some bunches of the neighbour once more, where that is asked for.
    fn audit(
        &self,
        runner: &BunchRunner<'_>,
        deal: &Deal,
    ) -> Result<Option<ShardAudit>, SweepError> {
        let share = self.options.audit.filter(|share| *share > 0.0);
        let Some((share, neighbour)) = share.zip(self.choice.neighbour()) else { return Ok(None) };
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
