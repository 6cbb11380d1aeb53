//! Finds the frames of a folder: the frames of its manifest or, without a manifest, a numbered
//! sequence of PNG files under any name.

use super::error::FilmError;
use crate::{
    folder::recorded_frames,
    manifest::{Manifest, RenderSource},
    names::FrameFormat,
    pack::Pack,
    png::is_named_png,
};
use catena_base::read;
use catena_base::text::{list::listed, printable, shell};
use rayon::prelude::*;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    ops::Range,
    path::Path,
};

/// Frame file in a folder.
#[derive(Clone, Debug)]
pub(super) struct FoundFrame {
    /// File name.
    pub(super) name: String,
    /// Hash in the manifest, if there is one.
    pub(super) hash: Option<String>,
}

/// Frames of a folder, with the information of its manifest.
#[derive(Debug, Default)]
pub(super) struct FoundFrames {
    /// Frames by number.
    pub(super) frames: BTreeMap<u64, FoundFrame>,
    pub(super) packs: Vec<Pack>,
    pub(super) notes: Vec<String>,
    pub(super) source: Option<RenderSource>,
    /// Whether a render is in progress and will add frames.
    pub(super) is_unfinished: bool,
}

/// Finds the frames listed in the manifest of a folder. If there is no manifest or a sequence is
/// named, finds the frames of a numbered sequence. `is_part` allows an unfinished render.
pub(super) fn find(
    folder: &Path,
    sequence: Option<&str>,
    is_part: bool,
) -> Result<FoundFrames, FilmError> {
    let names = names(folder)?;
    if let Some(pattern) = sequence {
        let pattern = NamePattern::parse(pattern)?;
        let all = names.iter().filter_map(|name| Some((pattern.number(name)?, name.clone())));
        let note = "note: frames of --sequence are not checked against a manifest.json".into();
        return numbered(folder, all.collect(), vec![note]);
    }
    let manifest = Manifest::read(folder).map_err(|error| match read::is_about_content(&error.cause) {
        false => error.into(),
        true => FilmError::Frames(format!(
            "{error}; run the same `catena render` again to restore it, or remove it to use the \
             frames unchecked"
        )),
    })?;
    if let Some(manifest) = manifest {
        return of_manifest(folder, manifest, is_part);
    }
    let mut sequences = sequences(&names);
    let mut single = Vec::new();
    // A single numbered picture next to a sequence is not a frame.
    if sequences.values().any(|files| files.len() > 1) {
        let alone = sequences.values().filter(|files| files.len() == 1).flatten();
        single.extend(alone.map(|(_, name)| name.clone()));
        sequences.retain(|_, files| files.len() > 1);
    }
    match sequences.len() {
        0 => Err(no_frames(folder, &names)),
        1 => {
            let mut notes = vec![format!(
                "note: {} has no manifest.json, so its frames are not checked",
                printable::path(folder)
            )];
            let single: Vec<String> = single.iter().map(|it| printable::text(it).into()).collect();
            notes.extend((!single.is_empty()).then(|| {
                format!(
                    "note: the film skips {}, which is not part of the sequence",
                    shortened(&single)
                )
            }));
            numbered(folder, sequences.into_values().flatten().collect(), notes)
        }
        _ => Err(several(folder, &sequences)),
    }
}

/// File names in a folder, without hidden files.
fn names(folder: &Path) -> Result<BTreeSet<String>, FilmError> {
    let refuse = |cause| FilmError::output("read the folder", folder, cause);
    if folder.is_file() {
        let shown = printable::path(folder);
        return Err(FilmError::Frames(format!(
            "{shown} is a file, but a film is made from a folder of frames; to make a film of a \
             scene, run: catena render {shown} --film FILE"
        )));
    }
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder).map_err(refuse)? {
        let entry = entry.map_err(refuse)?;
        let name = entry.file_name().into_string().ok().filter(|name| !name.starts_with('.'));
        names.extend(name.filter(|_| entry.file_type().is_ok_and(|kind| !kind.is_dir())));
    }
    Ok(names)
}

fn of_manifest(folder: &Path, manifest: Manifest, is_part: bool) -> Result<FoundFrames, FilmError> {
    if manifest.source.names.format() != FrameFormat::Png {
        let name = manifest.source.names.file(0);
        let ending = name.rsplit('.').next().unwrap_or_default();
        return Err(FilmError::Frames(format!(
            "{} contains .{ending} frames, but a film needs PNG frames; to make a film of a scene, \
             use `catena render SCENE --film FILE`",
            printable::path(folder)
        )));
    }
    let written = recorded_frames(folder, &manifest.source)?;
    let all = manifest.frames.into_iter().chain(written);
    let frame = |name, sha256| FoundFrame { name, hash: Some(sha256) };
    let names = &manifest.source.names;
    let frames: BTreeMap<u64, FoundFrame> =
        all.map(|entry| (entry.frame, frame(names.file(entry.frame), entry.sha256))).collect();
    if let (Some([first, last]), false) = (manifest.under_way, is_part) {
        return Err(not_finished(folder, frames.len(), [first, last]));
    }
    let open = |pack: &String| {
        let path = folder.join(pack);
        Pack::open(&path).map_err(|cause| FilmError::output("read", &path, cause))
    };
    let packs = manifest.packs.par_iter().map(open).collect::<Result<_, _>>()?;
    let is_unfinished = manifest.under_way.is_some();
    let source = Some(manifest.source);
    Ok(FoundFrames { frames, packs, notes: Vec::new(), source, is_unfinished })
}

/// Frames of a sequence without a manifest.
fn numbered(
    folder: &Path,
    files: Vec<(u64, String)>,
    notes: Vec<String>,
) -> Result<FoundFrames, FilmError> {
    let mut frames: BTreeMap<u64, FoundFrame> = BTreeMap::new();
    for (number, name) in files {
        if let Some(other) = frames.get(&number) {
            let (other, name) = (printable::text(&other.name), printable::text(&name));
            return Err(FilmError::Frames(format!(
                "{} has two files for frame {number}, {other} and {name}: remove one",
                printable::path(folder)
            )));
        }
        frames.insert(number, FoundFrame { name, hash: None });
    }
    Ok(FoundFrames { frames, notes, ..FoundFrames::default() })
}

/// File name pattern of a sequence: the text before and after the frame number.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct NamePattern {
    before: String,
    after: String,
}

impl NamePattern {
    /// Parses a pattern with `*` in place of the number.
    fn parse(text: &str) -> Result<Self, FilmError> {
        let parts: Vec<&str> = text.split('*').collect();
        let [before, after] = parts[..] else {
            return Err(FilmError::Usage(format!(
                "--sequence {}: write one * instead of the number, such as 'shot.*.png'",
                printable::text(text)
            )));
        };
        if !is_named_png(Path::new(text)) || text.contains('/') {
            return Err(FilmError::Usage(format!(
                "--sequence {}: expected the names of PNG files in the folder, such as 'shot.*.png'",
                printable::text(text)
            )));
        }
        Ok(Self { before: before.into(), after: after.into() })
    }

    /// Number in a file name of the sequence.
    fn number(&self, name: &str) -> Option<u64> {
        let digits = name.strip_prefix(&*self.before)?.strip_suffix(&*self.after)?;
        frame_number(digits)
    }

    fn shown(&self) -> String {
        format!("{}*{}", self.before, self.after)
    }
}

/// Number of a frame; `None` if it is 2⁶⁴ - 1 or larger.
fn frame_number(digits: &str) -> Option<u64> {
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|number| is_number && *number < u64::MAX)
}

/// File name, and the positions of the numbers in it.
type Numbered<'a> = (&'a String, Vec<Range<usize>>);

/// Groups PNG files with numbers in their names into sequences. If a name has several numbers, the
/// last one that differs between files is the frame number.
fn sequences(names: &BTreeSet<String>) -> BTreeMap<NamePattern, Vec<(u64, String)>> {
    let mut alike: BTreeMap<String, Vec<Numbered<'_>>> = BTreeMap::new();
    for name in names.iter().filter(|name| is_named_png(Path::new(name))) {
        let (text, numbers) = parts(name);
        if !numbers.is_empty() {
            alike.entry(text).or_default().push((name, numbers));
        }
    }
    let mut sequences: BTreeMap<NamePattern, Vec<(u64, String)>> = BTreeMap::new();
    for files in alike.values() {
        let number = |(name, numbers): &Numbered<'_>, place: usize| {
            frame_number(&name[numbers[place].clone()])
        };
        let count = files[0].1.len();
        let differs =
            |place: &usize| files.iter().any(|it| number(it, *place) != number(&files[0], *place));
        let place = (0..count).rev().find(differs).unwrap_or(count - 1);
        for file in files {
            let (name, Range { start, end }) = (file.0, file.1[place].clone());
            let pattern = NamePattern { before: name[..start].into(), after: name[end..].into() };
            let number = number(file, place);
            let of_pattern = number.map(|number| (number, name.clone()));
            sequences.entry(pattern).or_default().extend(of_pattern);
        }
    }
    sequences.retain(|_, files| !files.is_empty());
    sequences
}

/// Replaces each number in the name of a PNG file with a mark, and returns the positions of the
/// numbers. The extension is excluded.
fn parts(name: &str) -> (String, Vec<Range<usize>>) {
    let (mut text, mut numbers): (String, Vec<Range<usize>>) = (String::new(), Vec::new());
    for (at, letter) in name.char_indices() {
        match numbers.last_mut() {
            _ if !letter.is_ascii_digit() => text.push(letter),
            Some(last) if last.end == at => last.end = at + 1,
            _ => {
                numbers.push(at..at + 1);
                text.push('\0');
            }
        }
    }
    (text, numbers)
}

/// Error about a folder without a numbered picture.
fn no_frames(folder: &Path, names: &BTreeSet<String>) -> FilmError {
    let shown = printable::path(folder);
    let other = ["jpg", "jpeg", "webp", "exr", "tif", "tiff", "bmp", "tga"];
    let other = names.iter().find_map(|name| {
        let ending = Path::new(name).extension()?.to_str()?.to_ascii_lowercase();
        other.contains(&&*ending).then_some(ending)
    });
    FilmError::Frames(match other {
        Some(ending) => {
            format!("{shown} contains no frames: it has .{ending} files; convert them to PNG")
        }
        None => format!(
            "{shown} contains no frames: PNG files with a number in their names, such as frame_00000.png or shot.0001.png; create them with `catena render SCENE --out {}`",
            shell::quoted(folder)
        ),
    })
}

/// Error about a folder with several sequences.
fn several(folder: &Path, sequences: &BTreeMap<NamePattern, Vec<(u64, String)>>) -> FilmError {
    let shown = |(pattern, files): (&NamePattern, &Vec<(u64, String)>)| {
        let numbers: BTreeSet<u64> = files.iter().map(|(number, _)| *number).collect();
        format!("{} ({})", printable::text(&pattern.shown()), ranges(numbers.into_iter()))
    };
    let all: Vec<String> = sequences.iter().map(shown).collect();
    let first = sequences.keys().next().map(NamePattern::shown).unwrap_or_default();
    FilmError::Frames(format!(
        "{} contains several numbered sequences: {}; choose one, such as --sequence {}",
        printable::path(folder),
        shortened(&all),
        shell::quoted(first)
    ))
}

/// Error about a folder whose render or merge is unfinished.
fn not_finished(folder: &Path, there: usize, [first, last]: [u64; 2]) -> FilmError {
    let name = folder.display();
    FilmError::Frames(if folder.join("shards").is_dir() {
        format!("{name} is not completely merged; `catena merge` lists the shards to run again")
    } else {
        format!(
            "{name} is not finished: it has {there} of the frames {first}-{last}; run the same `catena render` again to complete it, or use --frames A-B for a part"
        )
    })
}

/// Origin of a folder with missing frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// Not catena, or a sequence that the user named.
    Other,
    /// A render of catena that includes the missing frames.
    Incomplete,
    /// A render of catena that does not include the missing frames.
    Complete,
}

/// Error about missing frames. `there` are the existing frames.
pub(super) fn missing_frames(
    folder: &Path,
    missing: &[u64],
    there: impl Iterator<Item = u64>,
    origin: Origin,
) -> FilmError {
    let there: Vec<u64> = there.collect();
    let runs_there = ranges(there.iter().copied());
    let first = missing.first().copied().unwrap_or_default();
    let list = frame_list(&there);
    let part = format!("use --frames {} for a part", largest_part(&there, list.as_deref(), first));
    let folder = folder.display();
    FilmError::Frames(match (there.is_empty(), origin) {
        (true, _) => format!("frame {first} and all others are missing from {folder}"),
        (false, Origin::Complete) => match list {
            Some(list) => format!(
                "frame {first} was not rendered into {folder}; use --frames {list} for a film of \
                 the rendered frames, or `catena render` without --frame-range for all frames"
            ),
            None => format!(
                "frame {first} was not rendered into {folder}: {runs_there} were; {part}, or `catena render` without --frame-range for all frames"
            ),
        },
        (false, Origin::Incomplete) => format!(
            "frame {first} is missing from {folder}: {runs_there} exist; run the same `catena render` again to complete it, or {part}"
        ),
        (false, Origin::Other) if missing.len() > MAX_MISSING => format!(
            "frame {first} and more than {MAX_MISSING} others are missing from {folder}: {runs_there} exist; {part}"
        ),
        (false, Origin::Other) => {
            let (word, are) = if missing.len() == 1 { ("frame", "is") } else { ("frames", "are") };
            let gaps = ranges(missing.iter().copied());
            format!("{word} {gaps} {are} missing from {folder}: {runs_there} exist; {part}")
        }
    })
}

/// Part of a sequence for --frames: the consecutive frames before the first missing frame. All
/// existing frames if at most one frame is before it.
fn largest_part(there: &[u64], list: Option<&str>, missing: u64) -> String {
    let before = there.iter().copied().filter(|number| *number < missing).collect::<Vec<_>>();
    match (&before[..], list) {
        ([first, .., last], _) => format!("{first}-{last}"),
        (_, Some(list)) => list.into(),
        ([only], _) => only.to_string(),
        ([], None) => "A-B".into(),
    }
}

/// Ascending frames as a list for --frames, such as `0-40x4,60-70`. `None` if it is long.
fn frame_list(there: &[u64]) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut rest = there;
    while let [first, others @ ..] = rest {
        let step = others.first().map_or(1, |next| next - first);
        let is_next = |pair: &&[u64]| pair[1] - pair[0] == step;
        let count = 1 + rest.windows(2).take_while(is_next).count();
        // Two frames are shorter as two numbers, and the second may begin a longer run.
        let count = if count == 2 && step > 1 { 1 } else { count };
        let last = rest[count - 1];
        parts.push(match (count, step) {
            (1, _) => first.to_string(),
            (_, 1) => format!("{first}-{last}"),
            _ => format!("{first}-{last}x{step}"),
        });
        if parts.len() > MAX_WORDS {
            return None;
        }
        rest = &rest[count..];
    }
    (!parts.is_empty()).then(|| parts.join(","))
}

/// Maximum number of missing frames that a message covers completely.
pub(super) const MAX_MISSING: usize = 10_000;

/// Formats ascending numbers as ranges: `0-16 and 18-40`.
pub(super) fn ranges(numbers: impl Iterator<Item = u64>) -> String {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(number) => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let of = |&(first, last): &(u64, u64)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    shortened(&ranges.iter().map(of).collect::<Vec<_>>())
}

/// Joins the words into a list for a sentence. A long list is cut after the first words.
fn shortened(words: &[String]) -> String {
    match words.get(..MAX_WORDS) {
        Some(first) if words.len() > MAX_WORDS => format!("{}, …", first.join(", ")),
        _ => listed(words),
    }
}

const MAX_WORDS: usize = 8;
