//! Merge of a render into a folder of frames, or into a film. Each file is hashed once and renamed
//! once.

use super::{MergeError, MergeOptions, MergedFrames};
use crate::job::progress::{Stage, time};
use crate::job::render::{FilmContent, RenderContent, segment_frames, whole_in_pack};
use crate::job::{Interruption, Progress};
use crate::shard::{Damage, FoundReport, SHARDS, ShardFile, ShardPlace, ShardReport, ShardSet};
use catena_base::read;
use catena_output::clearing::WantedFiles;
use catena_output::film::{self, FilmError, FilmFormat, FilmOptions, FilmSegment};
use catena_output::film_record::FilmRecord;
use catena_output::folder::{EarlierRender, Folder, holds};
use catena_output::hash::sha256;
use catena_output::journal::Journal;
use catena_output::lock::{LockMode, without_locks};
use catena_output::manifest::{FrameEntry, Manifest, SteadyEntry};
use catena_output::names::{MANIFEST, PRIVATE};
use catena_output::pack::PACK;
use catena_output::{OutputError, atomic, ownership};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, io};

pub(super) fn run(
    path: &Path,
    set: &ShardSet,
    options: &MergeOptions,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<MergedFrames, MergeError> {
    let parts = time(progress, Stage::Prepare, || parts(path, set))?;
    set.check_audits("frame", |report, frame| {
        let index = usize::try_from(report.number.checked_sub(1)?).ok()?;
        let frames = &parts.get(index)?.content.frames;
        let at = frames.binary_search_by_key(&frame, |it| it.frame).ok()?;
        frames.get(at).map(|it| it.sha256.as_str())
    })?;
    let Some(first) = parts.first() else { return Err(set.damaged(Vec::new()).into()) };
    let total = first.content.total;
    if let Some(film) = &first.content.film
        && let Some(format) = film.format()
    {
        let contents = parts.iter().map(|part| &part.content);
        let merge = FilmMerge { path, set, film, format, options: &options.film };
        return merge_film(&merge, contents, progress, interruption);
    }
    let folder = Folder::open(path, LockMode::Exclusive)?;
    let merged = merged_manifest(&parts, first);
    let found = time(progress, Stage::Prepare, || prepare(&folder, &merged))?;
    found.notes.iter().for_each(|note| progress.note(note));
    if !folder.is_locked() {
        progress.note(&without_locks(path));
    }
    progress.begin(total, found.frames.len() as u64);
    interruption.started();
    let journal = Journal::create(&folder.journal(), &merged.source.key())?;
    let (there, damaged) = put_in_place(&parts, &folder, &journal, &found, progress, interruption)?;
    let mut manifest = merged;
    manifest.frames.retain(|entry| there.contains(&entry.file));
    manifest.steady = manifest.steady.filter(|steady| there.contains(&steady.file));
    let is_whole = damaged.is_empty() && !interruption.is_set();
    manifest.under_way = (!is_whole).then(|| [0, total.saturating_sub(1)]);
    manifest.write(path)?;
    folder.remove_journal()?;
    if !damaged.is_empty() {
        return Err(set.damaged(damaged).into());
    }
    if !is_whole {
        return Err(MergeError::Interrupted { there: manifest.frames.len() as u64, all: total });
    }
    Ok(MergedFrames {
        shards: set.of(),
        frames: total,
        has_steady: manifest.steady.is_some(),
        film: None,
        is_packed: !manifest.packs.is_empty(),
    })
}

/// Returns the manifest of all parts, whose first one is `first`.
fn merged_manifest(parts: &[RenderPart], first: &RenderPart) -> Manifest {
    Manifest {
        source: first.content.source.clone(),
        frames: parts.iter().flat_map(|part| part.content.frames.iter().cloned()).collect(),
        under_way: None,
        packs: parts.iter().filter_map(RenderPart::pack).collect(),
        steady: first.content.steady.clone(),
    }
}

/// Moves intact files into the folder. Returns the names of all files in place, and the damaged
/// ones.
fn put_in_place(
    parts: &[RenderPart],
    folder: &Folder,
    journal: &Journal,
    found: &EarlierRender,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<(BTreeSet<String>, Vec<Damage>), OutputError> {
    let mut there: BTreeSet<String> = found.frames.iter().map(|it| it.file.clone()).collect();
    there.extend(found.steady.iter().map(|steady| steady.file.clone()));
    let mut damaged: Vec<Damage> =
        parts.par_iter().filter_map(|part| part.pack_fault(progress)).collect();
    let is_packed = |part: &&RenderPart| part.content.pack.is_some();
    let packed = parts.iter().filter(is_packed).flat_map(|part| &part.content.frames);
    there.extend(packed.map(|entry| entry.file.clone()));
    let damaged_packs: BTreeSet<u32> = damaged.iter().map(|damage| damage.number).collect();
    for part in parts {
        if interruption.is_set() {
            break;
        }
        match part.move_into(folder, journal, &there, progress)? {
            Ok(moved) => {
                there.extend(moved);
                // The product is removed immediately: this shard is complete, regardless of the
                // state of other shards.
                if !damaged_packs.contains(&part.number()) {
                    part.tidy();
                }
            }
            Err(faults) => damaged.extend(faults),
        }
    }
    Ok((there, damaged))
}

/// A shard and the content of its report.
struct RenderPart {
    place: ShardPlace,
    content: RenderContent,
    /// Files of the shard, with their lengths.
    files: Vec<ShardFile>,
}

/// Returns the shards in order. An invalid report is an error.
fn parts(path: &Path, set: &ShardSet) -> Result<Vec<RenderPart>, MergeError> {
    let mut damaged = Vec::new();
    let mut parts = Vec::new();
    for FoundReport { report, file } in set.reports() {
        match part(path, report) {
            Ok(part) => parts.push(part),
            Err(what) => {
                let what = format!("{file}: {what}");
                damaged.push(Damage { number: report.number, what });
            }
        }
    }
    if damaged.is_empty() { Ok(parts) } else { Err(set.damaged(damaged).into()) }
}

fn part(path: &Path, report: &ShardReport) -> Result<RenderPart, String> {
    let choice = report.choice().ok_or("it is not the report of a shard")?;
    let content: RenderContent = report.content().map_err(|error| error.to_string())?;
    let place = ShardPlace::new(path, choice);
    place.refuse_links().map_err(|error| error.to_string())?;
    match content.fault(report, &place) {
        None => Ok(RenderPart { place, content, files: report.files.clone() }),
        Some(fault) => Err(fault.into()),
    }
}

/// Finds the files that are already in place, and removes other files of catena that are in the
/// way.
fn prepare(folder: &Folder, merged: &Manifest) -> Result<EarlierRender, OutputError> {
    let mut found = folder.earlier_render(&merged.source, &|_, _| false)?;
    found.notes.extend(found.other_source.clone());
    // Both lists are sorted by frame.
    let is_wanted = |entry: &FrameEntry| {
        let at = merged.frames.binary_search_by_key(&entry.frame, |it| it.frame);
        at.is_ok_and(|at| merged.frames.get(at) == Some(entry))
    };
    found.frames.retain(is_wanted);
    let mut there: BTreeSet<u64> = found.frames.iter().map(|it| it.frame).collect();
    if merged.packs.is_empty() {
        // A file with the right hash counts as in place even without a record. Files of previously
        // merged shards are found in this way.
        let others = merged.frames.par_iter().filter(|entry| !there.contains(&entry.frame));
        let others: Vec<&FrameEntry> =
            others.filter(|entry| folder.has_frame(&merged.source.names, entry)).collect();
        found.frames.extend(others.into_iter().cloned());
        found.frames.sort_by_key(|entry| entry.frame);
        there = found.frames.iter().map(|it| it.frame).collect();
    }
    let has_steady = |steady: &SteadyEntry| folder.has_file(&steady.file, &steady.sha256);
    found.steady = merged.steady.clone().filter(has_steady);
    let is_missing = |at: &u64| merged.packs.is_empty() && !there.contains(at);
    let missing = merged.frames.iter().map(|it| it.frame).filter(is_missing);
    let wanted = WantedFiles {
        frames: missing.collect(),
        steady: found.steady.is_none() && merged.steady.is_some(),
        size: merged.source.size,
        names: merged.source.names.clone(),
    };
    let clearing = folder.plan(&found, &wanted)?;
    found.notes.extend(clearing.notes.iter().cloned());
    let last = merged.frames.last().map_or(0, |entry| entry.frame);
    let manifest = Manifest {
        source: merged.source.clone(),
        frames: found.frames.clone(),
        under_way: Some([0, last]),
        packs: Vec::new(),
        steady: found.steady.clone(),
    };
    found.notes.extend(folder.clear(&clearing, &manifest)?);
    folder.remove_all_claims()?;
    Ok(found)
}

impl RenderPart {
    fn number(&self) -> u32 {
        self.place.choice().number()
    }

    /// Path of the shard's pack relative to the output folder, if it has one.
    fn pack(&self) -> Option<String> {
        self.content.pack.as_ref().map(|_| format!("{SHARDS}/{}", self.place.name(PACK)))
    }

    /// Damage of the shard's pack, if there is a damaged pack.
    fn pack_fault(&self, progress: &dyn Progress) -> Option<Damage> {
        self.content.pack.as_ref()?;
        let frames = &self.content.frames;
        let shape = self.files.first().and_then(|file| file.shape_fault(self.place.folder()));
        if let Some(what) = shape {
            return Some(Damage { number: self.number(), what });
        }
        let path = self.place.file(PACK);
        let intact = time(progress, Stage::Hash, || whole_in_pack(&path, frames.iter()));
        (0..intact).for_each(|_| progress.frame());
        let first = frames.get(intact)?;
        let what = format!(
            "{} does not contain {}, contrary to its report",
            self.place.name(PACK),
            first.file
        );
        Some(Damage { number: self.number(), what })
    }

    /// Name and hash of each file of the shard, with the manifest entry if the file is a frame.
    fn files(&self) -> impl Iterator<Item = (&str, &str, Option<&FrameEntry>)> {
        let RenderContent { frames, steady, pack, .. } = &self.content;
        let frames = frames.iter().filter(|_| pack.is_none());
        let frames = frames.map(|it| (&*it.file, &*it.sha256, Some(it)));
        frames.chain(steady.iter().map(|it| (&*it.file, &*it.sha256, None)))
    }

    /// Moves missing files into the folder once all of them are known to be intact, and returns
    /// their names. A shard with a damaged file keeps all its files, so that only the damaged files
    /// are made again.
    fn move_into(
        &self,
        folder: &Folder,
        journal: &Journal,
        there: &BTreeSet<String>,
        progress: &dyn Progress,
    ) -> Result<Result<Vec<String>, Vec<Damage>>, OutputError> {
        let missing: Vec<_> = self.files().filter(|(name, ..)| !there.contains(*name)).collect();
        let product = self.place.product();
        // The lock keeps a process that repeats the shard from losing its files.
        let _lock = match missing.is_empty() || !product.is_dir() {
            true => None,
            false => Some(Folder::open(&product, LockMode::Exclusive)?),
        };
        let check = |(name, hash, _): &(&str, &str, Option<&FrameEntry>)| {
            time(progress, Stage::Hash, || self.check(folder, name, hash))
        };
        let faults: Vec<Option<Damage>> =
            missing.par_iter().map(check).collect::<Result<_, _>>()?;
        let faults: Vec<Damage> = faults.into_iter().flatten().collect();
        if !faults.is_empty() {
            return Ok(Err(faults));
        }
        for (name, hash, entry) in &missing {
            match entry {
                Some(entry) => journal.add(entry)?,
                None => journal.add_file(name, hash)?,
            }
            let (from, to) = (product.join(name), folder.file(name));
            time(progress, Stage::Write, || fs::rename(&from, &to))
                .map_err(|cause| OutputError::new("move", from, cause))?;
            if entry.is_some() {
                progress.frame();
            }
        }
        Ok(Ok(missing.into_iter().map(|(name, ..)| name.to_owned()).collect()))
    }

    /// Damage of a file, if it is damaged.
    fn check(
        &self,
        folder: &Folder,
        name: &str,
        hash: &str,
    ) -> Result<Option<Damage>, OutputError> {
        let path = self.place.product().join(name);
        let inside = format!("{}/{name}", self.place.stem());
        let damage = |what: &str| {
            let what = format!("{inside} {what}");
            Some(Damage { number: self.number(), what })
        };
        let file = self.files.iter().find(|file| file.file == inside);
        if let Some(what) = file.and_then(|file| file.shape_fault(self.place.folder())) {
            return Ok(Some(Damage { number: self.number(), what }));
        }
        Ok(match read::file(&path, read::LARGE) {
            Ok(bytes) if sha256(&bytes) == hash => {
                ownership::check_replaceable(&folder.file(name), &bytes)?;
                None
            }
            Ok(_) => damage("does not match its report"),
            Err(error) if error.kind() == io::ErrorKind::NotFound => damage("is missing"),
            Err(cause) => return Err(OutputError::new("read", path, cause)),
        })
    }

    /// Removes the remaining folder of a merged shard. Its report is kept.
    fn tidy(&self) {
        let product = self.place.product();
        // Failures to remove files are harmless, and foreign files are kept.
        if !Manifest::is_foreign(&product, true) {
            let left = self.files().filter(|(name, hash, _)| holds(&product, name, hash));
            let _ = left.map(|(name, ..)| atomic::remove(&product.join(name))).last();
            let _ = atomic::remove(&product.join(MANIFEST));
        }
        let _ = atomic::remove_folder(&product.join(PRIVATE));
        let _ = fs::remove_dir(&product);
    }
}

/// A film whose segments are merged.
struct FilmMerge<'a> {
    /// Output folder.
    path: &'a Path,
    /// Shards with the segments.
    set: &'a ShardSet,
    /// Name and frame rate of the film.
    film: &'a FilmContent,
    format: FilmFormat,
    /// Programs that join the segments, and their time limit.
    options: &'a FilmOptions,
}

/// Joins the segments that the contents of all shards name.
fn merge_film<'a>(
    merge: &FilmMerge<'_>,
    contents: impl Iterator<Item = &'a RenderContent> + Clone,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<MergedFrames, MergeError> {
    let FilmMerge { path, set, film, format, options } = *merge;
    let frames = contents.clone().map(|content| content.total).max().unwrap_or(0);
    let target = path.join(&film.name);
    // Checked before any work is done, and again under the lock.
    FilmRecord::read(path)?.check_replaceable(&target)?;
    interruption.started();
    time(progress, Stage::Hash, || set.check_files())?;
    let folder = Folder::open(path, LockMode::Exclusive)?;
    if !folder.is_locked() {
        progress.note(&without_locks(path));
    }
    let mut record = FilmRecord::read(path)?;
    record.check_replaceable(&target)?;
    let files = contents.filter_map(|content| content.film.as_ref()).flat_map(|it| &it.segments);
    let segments: Vec<FilmSegment> = files
        .zip(segment_frames(frames))
        .map(|(file, frames)| FilmSegment { file: file.clone(), frames })
        .collect();
    let options = &FilmOptions { rate: film.rate(), ..options.clone() };
    let stop = || interruption.is_set();
    progress.begin(frames, 0);
    let joined = film::join(set.folder(), &segments, &target, format, options, &stop);
    let joined = joined.map_err(|error| match error {
        FilmError::Stopped => MergeError::Interrupted { there: 0, all: frames },
        error => error.into(),
    })?;
    record.announce(&film.name, joined.unfinished())?;
    joined.publish()?;
    record.settle(&film.name)?;
    (0..frames).for_each(|_| progress.frame());
    Ok(MergedFrames {
        shards: set.of(),
        frames,
        has_steady: false,
        film: Some(target),
        is_packed: false,
    })
}
