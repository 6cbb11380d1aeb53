//! Reading and comparison of all reports in a folder.

use super::{
    Damage, Disagreement, Example, MergeRefusal, SHARDS, ShardChoice, ShardFile, ShardKind,
    ShardPlace, ShardReport, refusal,
};
use catena_base::read;
use catena_base::threads::in_pool;
use catena_output::OutputError;
use rayon::prelude::*;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Component, Path, PathBuf},
};

/// Maximum number of rows per shard, so that sums over all shards fit into 64 bits.
const MAX_ROWS: u64 = 1 << 40;

/// A report and the name of its file.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundReport {
    /// Content of the report.
    pub report: ShardReport,
    /// Name of the file in the folder of shards.
    pub file: String,
}

impl FoundReport {
    /// Returns the report and the folder from which the command of another shard is derived.
    fn example(&self, shards: &Path) -> Box<Example> {
        let folder = shards.parent().map_or_else(PathBuf::new, Path::to_path_buf);
        Box::new(Example { report: self.report.clone(), folder })
    }
}

/// Reports of all shards of one source, one per shard, in the order of their numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct ShardSet {
    folder: PathBuf,
    of: u32,
    reports: Vec<FoundReport>,
}

impl ShardSet {
    /// Reads all reports of an output folder. No other file is opened.
    ///
    /// # Errors
    /// There are no reports, one is missing, damaged or from another source, or two reports of one
    /// shard disagree.
    pub fn read(folder: &Path) -> Result<Self, MergeRefusal> {
        let shards = folder.join(SHARDS);
        let (names, begun) = names_in(&shards, folder)?;
        let read = |(choice, file): (ShardChoice, String)| {
            let report = parse(&shards, &file, choice);
            report.map(|report| FoundReport { report, file: file.clone() }).map_err(|what| {
                let what = format!("{file}: {what}");
                (choice.of(), Damage { number: choice.number(), what })
            })
        };
        let all: Vec<_> = in_pool(|| names.into_par_iter().map(read).collect());
        let (mut found, mut damaged) = (Vec::new(), Vec::new());
        for report in all {
            match report {
                Ok(report) => found.push(report),
                Err(damage) => damaged.push(damage),
            }
        }
        let counts: BTreeSet<u32> =
            found.iter().map(|it| it.report.of).chain(damaged.iter().map(|it| it.0)).collect();
        if counts.len() > 1 {
            return Err(MergeRefusal::OtherCount(counts.into_iter().collect()));
        }
        let Some(of) = counts.first().or(begun.last()).copied() else {
            return Err(MergeRefusal::Nothing(folder.into()));
        };
        same_source(&found)?;
        let (reports, disagreements) = without_copies(found);
        if !disagreements.is_empty() {
            return Err(disagreeing(disagreements, of, &shards, &reports));
        }
        // A damaged copy does not matter if an intact report of the shard exists.
        let there: BTreeSet<u32> = reports.iter().map(|it| it.report.number).collect();
        let damaged = damaged.into_iter().map(|(_, damage)| damage);
        let damaged: Vec<Damage> = damaged.filter(|it| !there.contains(&it.number)).collect();
        let set = Self { folder: shards, of, reports };
        let is_damaged = |number: &u32| damaged.iter().any(|damage| damage.number == *number);
        let missing = (1..=of).filter(|number| !there.contains(number) && !is_damaged(number));
        let missing: Vec<u32> = missing.collect();
        if missing.is_empty() && damaged.is_empty() {
            return Ok(set);
        }
        Err(set.incomplete(missing, damaged))
    }

    /// The folder of shards.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Total number of shards.
    pub fn of(&self) -> u32 {
        self.of
    }

    /// Kind of work that is divided.
    pub fn kind(&self) -> Option<ShardKind> {
        self.reports.first().map(|found| found.report.kind)
    }

    /// Reports, one per shard, in the order of their numbers.
    pub fn reports(&self) -> &[FoundReport] {
        &self.reports
    }

    /// Error about damaged shards.
    pub fn damaged(&self, damaged: Vec<Damage>) -> MergeRefusal {
        self.incomplete(Vec::new(), damaged)
    }

    fn incomplete(&self, missing: Vec<u32>, mut damaged: Vec<Damage>) -> MergeRefusal {
        damaged.sort();
        let example = self.reports.first().map(|found| found.example(&self.folder));
        MergeRefusal::Incomplete { of: self.of, missing, damaged, example }
    }

    /// Verifies the hash of every file that the reports name.
    ///
    /// # Errors
    /// A file is missing or does not match its report. The error lists the shards to run again.
    pub fn check_files(&self) -> Result<(), MergeRefusal> {
        let faults = self.reports.par_iter().flat_map_iter(|FoundReport { report, .. }| {
            let fault = |file: &ShardFile| file.fault(&self.folder);
            let damage = |what| Damage { number: report.number, what };
            report.files.iter().filter_map(fault).map(damage)
        });
        let faults: Vec<Damage> = faults.collect();
        if faults.is_empty() { Ok(()) } else { Err(self.damaged(faults)) }
    }

    /// Compares the audits of shards with the reports of their neighbours. `hash_of` returns the
    /// neighbour's hash of an item. `item` is the noun for messages, such as `frame`.
    ///
    /// # Errors
    /// Two hashes differ.
    pub fn check_audits<'a>(
        &'a self,
        item: &str,
        hash_of: impl Fn(&'a ShardReport, u64) -> Option<&'a str>,
    ) -> Result<(), MergeRefusal> {
        let mut all = Vec::new();
        for FoundReport { report, .. } in &self.reports {
            let Some(audit) = &report.audit else { continue };
            let other = self.reports.iter().find(|other| other.report.number == audit.number);
            let Some(FoundReport { report: other, .. }) = other else { continue };
            let differing =
                audit.hashes.iter().filter(|(at, hash)| hash_of(other, *at) != Some(hash));
            all.extend(differing.map(|(at, _)| Disagreement {
                what: format!("{item} {at}"),
                by: [
                    format!("shard {} on {}", other.number, other.host()),
                    format!("the audit by shard {} on {}", report.number, report.host()),
                ],
                // Either shard may be wrong, including all its other items.
                shards: vec![other.number, report.number],
            }));
        }
        if all.is_empty() {
            Ok(())
        } else {
            Err(disagreeing(all, self.of, &self.folder, &self.reports))
        }
    }
}

/// Error about results that differ. A shard's report provides the command to run again.
fn disagreeing(
    all: Vec<Disagreement>,
    of: u32,
    shards: &Path,
    reports: &[FoundReport],
) -> MergeRefusal {
    let numbers: BTreeSet<u32> = all.iter().flat_map(|one| one.shards.iter().copied()).collect();
    let is_one = |found: &&FoundReport| numbers.contains(&found.report.number);
    let example = reports.iter().find(is_one).map(|found| found.example(shards));
    MergeRefusal::Disagreeing { all, of, example }
}

/// Names of all reports, and all shard counts that occur in file names. Names are sorted by shard,
/// and each shard's own report comes before its copies.
pub(super) type ReportNames = (Vec<(ShardChoice, String)>, BTreeSet<u32>);

pub(super) fn names_in(shards: &Path, folder: &Path) -> Result<ReportNames, MergeRefusal> {
    let refuse = |cause| OutputError::new("read the folder", shards, cause);
    let entries = match fs::read_dir(shards) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(MergeRefusal::Nothing(folder.into()));
        }
        entries => entries.map_err(refuse)?,
    };
    let (mut names, mut begun) = (Vec::new(), BTreeSet::new());
    for entry in entries {
        let Ok(name) = entry.map_err(refuse)?.file_name().into_string() else { continue };
        if let Some((choice, ending)) = ShardPlace::parse(&name) {
            begun.insert(choice.of());
            if ShardPlace::is_report(ending) {
                names.push((choice, name));
            }
        }
    }
    names.sort_by(|(one, a), (other, b)| (one, a.len(), a).cmp(&(other, b.len(), b)));
    Ok((names, begun))
}

/// Reads a report. An error describes its damage.
pub(super) fn parse(shards: &Path, file: &str, choice: ShardChoice) -> Result<ShardReport, String> {
    let bytes = read::file(&shards.join(file), read::LARGE).map_err(|error| error.to_string())?;
    let report = ShardReport::parse(&bytes).map_err(|error| error.to_string())?;
    if report.choice() != Some(choice) {
        return Err(format!("it is the report of shard {}/{}", report.number, report.of));
    }
    let is_inside = |file: &ShardFile| {
        Path::new(&file.file).components().all(|part| matches!(part, Component::Normal(_)))
    };
    let [first, end] = report.items;
    if report.rows > MAX_ROWS || first > end {
        return Err("its numbers of rows or items are invalid".into());
    }
    match report.files.iter().find(|file| !is_inside(file)) {
        Some(file) => Err(format!("the file {:?} would be outside the folder", file.file)),
        None => Ok(report),
    }
}

/// Returns an error if the shards have different sources.
fn same_source(found: &[FoundReport]) -> Result<(), MergeRefusal> {
    let mut groups: BTreeMap<(&str, &str), Vec<&FoundReport>> = BTreeMap::new();
    for it in found {
        groups.entry((it.report.kind.command(), &it.report.key)).or_default().push(it);
    }
    let mut groups: Vec<Vec<&FoundReport>> = groups.into_values().collect();
    // A stable sort keeps groups of equal size in the order of their keys.
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let [first, other, ..] = groups.as_slice() else { return Ok(()) };
    let (Some(one), Some(two)) = (first.first(), other.first()) else { return Ok(()) };
    let mut differences: Vec<String> =
        one.report.source.differences(&two.report.source).into_iter().map(String::from).collect();
    if one.report.kind != two.report.kind {
        differences.insert(0, "the command".into());
    }
    let numbers = |group: &[&FoundReport]| {
        let numbers: BTreeSet<u32> = group.iter().map(|it| it.report.number).collect();
        numbers.into_iter().collect::<Vec<u32>>()
    };
    let description = |group: &Vec<&FoundReport>| {
        let it = group.first()?;
        Some(refusal::group(it.report.kind, &numbers(group), &it.file, &it.report.host()))
    };
    let others: Vec<&FoundReport> = groups.iter().skip(1).flatten().copied().collect();
    Err(MergeRefusal::OtherSource {
        groups: groups.iter().filter_map(description).collect(),
        differences,
        others: (numbers(&others), one.report.of),
    })
}

/// Returns one report per shard, and the disagreements between copies.
fn without_copies(found: Vec<FoundReport>) -> (Vec<FoundReport>, Vec<Disagreement>) {
    let (mut reports, mut disagreements) = (Vec::<FoundReport>::new(), Vec::new());
    for it in found {
        let first = reports.last().filter(|first| first.report.number == it.report.number);
        match first {
            None => reports.push(it),
            Some(first) if first.report.agrees_with(&it.report) => {}
            Some(first) => {
                let by = |it: &FoundReport| format!("{} of {}", it.file, it.report.host());
                disagreements.push(Disagreement {
                    what: format!("shard {}", it.report.number),
                    by: [by(first), by(&it)],
                    shards: vec![it.report.number],
                });
            }
        }
    }
    (reports, disagreements)
}
