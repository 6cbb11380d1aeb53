//! The frames of a folder, in order. Each is checked twice: before the film begins, and when it is
//! read for the film.

use super::{error::FilmError, sink::FrameSink};
use crate::output::{
    chunks::{MOST_BYTES, PngChunks},
    folder::recorded_frames,
    hash::sha256,
    manifest::{Manifest, RenderSource},
    names::{frame_name, frame_number},
    pack::Pack,
};
use crate::read;
use crate::text::list::listed;
use image::{ImageFormat, ImageReader, Limits, RgbImage};
use rayon::prelude::*;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    ops::Range,
    path::{Path, PathBuf},
};

/// The most pictures that are decoded at a time, and the most bytes of them.
const CHUNK_FRAMES: usize = 8;
const CHUNK_BYTES: usize = 256 << 20;

/// Checked frames of a folder.
#[derive(Debug)]
pub struct FolderFrames {
    folder: PathBuf,
    /// The number of each frame with its hash in the manifest, if there is one.
    frames: Vec<(u64, Option<String>)>,
    /// Where frames lie that have no files of their own, and which of them has a frame.
    packs: Vec<Pack>,
    packed: BTreeMap<u64, usize>,
    size: [u32; 2],
    notes: Vec<String>,
    source: Option<RenderSource>,
}

impl FolderFrames {
    /// Finds the frames of a folder, or those of a range, and checks the first of them and each
    /// that is `every` after another: none is missing, all have one size, and each is a whole PNG
    /// file with the hash that the manifest lists.
    ///
    /// # Errors
    /// When there is no folder or no frame, and when a frame is missing, damaged or changed; the
    /// error names the frame.
    pub fn open(folder: &Path, range: Option<Range<u64>>, every: u64) -> Result<Self, FilmError> {
        let Found { frames: found, packs, notes, source: rendered } =
            find(folder, range.is_some())?;
        let (Some(first), Some(last)) = (found.keys().min(), found.keys().max()) else {
            return Err(FilmError::Frames(format!(
                "{} holds no frames; `catena render SCENE --out {}` makes some",
                folder.display(),
                folder.display()
            )));
        };
        let range = match range {
            Some(asked) if asked.is_empty() || asked.start < *first || asked.end > last + 1 => {
                return Err(FilmError::Usage(format!(
                    "--frames {}-{} is not all there: {} holds the frames {}",
                    asked.start,
                    asked.end.saturating_sub(1),
                    folder.display(),
                    ranges(found.keys().copied())
                )));
            }
            Some(asked) => asked,
            None => *first..last + 1,
        };
        let every = usize::try_from(every.max(1)).unwrap_or(usize::MAX);
        let wanted: BTreeSet<u64> = range.step_by(every).collect();
        if let Some(missing) = wanted.iter().copied().find(|number| !found.contains_key(number)) {
            return Err(missing_frame(folder, missing, found.keys().copied()));
        }
        let frames = found.into_iter().filter(|(number, _)| wanted.contains(number)).collect();
        let numbers = |(index, pack): (usize, &Pack)| {
            let numbers: Vec<u64> = pack.names().filter_map(frame_number).collect();
            numbers.into_iter().map(move |number| (number, index))
        };
        let packed = packs.iter().enumerate().flat_map(numbers).collect();
        let (folder, size) = (folder.into(), [0; 2]);
        let source = Self { folder, frames, packs, packed, size, notes, source: rendered };
        let size = source.check()?;
        Ok(Self { size, ..source })
    }

    /// The number of frames, at least one.
    pub fn count(&self) -> u64 {
        self.frames.len() as u64
    }

    /// Width and height of all frames, in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// What the frames were made from, where the folder has a manifest.
    pub fn source(&self) -> Option<&RenderSource> {
        self.source.as_ref()
    }

    /// Messages for the user, a line each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Gives all frames to a sink, in order, and decodes the next while the sink takes some.
    /// `go_on` gets the number of frames that the sink has taken, and ends the film by returning
    /// false. The work runs in the caller's pool of threads.
    ///
    /// # Errors
    /// When a frame has changed since it was checked or cannot be decoded, and when the sink fails.
    pub fn feed(
        &self,
        sink: &mut dyn FrameSink,
        mut go_on: impl FnMut(u64) -> bool + Send,
    ) -> Result<(), FilmError> {
        let mut chunks = self.frames.chunks(self.chunk_frames());
        let mut decode = |spare: Vec<Vec<u8>>| -> Result<Vec<RgbImage>, FilmError> {
            let frames = chunks.next().unwrap_or_default();
            // Buffers are used again: fresh memory for each picture would cost as much as its
            // decoding.
            let buffers = spare.into_iter().chain(std::iter::repeat_with(Vec::new));
            let buffers: Vec<Vec<u8>> = buffers.take(frames.len()).collect();
            let frames = frames.par_iter().zip(buffers);
            frames.map(|(frame, buffer)| self.decode(frame, buffer)).collect()
        };
        let mut taken = 0;
        let mut show = |images: Vec<RgbImage>| -> Result<Option<Vec<Vec<u8>>>, FilmError> {
            let mut shown = Vec::new();
            for image in images {
                sink.frame(&image)?;
                shown.push(image.into_raw());
                taken += 1;
                if !go_on(taken) {
                    return Ok(None);
                }
            }
            Ok(Some(shown))
        };
        let (mut images, mut spare) = (decode(Vec::new())?, Vec::new());
        while !images.is_empty() {
            let (shown, decoded) = rayon::join(|| show(images), || decode(spare));
            let Some(shown) = shown? else { return Ok(()) };
            (images, spare) = (decoded?, shown);
        }
        Ok(())
    }

    /// The number of frames that are decoded at a time.
    fn chunk_frames(&self) -> usize {
        let bytes = self.size.iter().fold(3, |product, side| product * *side as usize);
        (CHUNK_BYTES / bytes).clamp(1, CHUNK_FRAMES)
    }

    fn path(&self, number: u64) -> PathBuf {
        self.folder.join(frame_name(number))
    }

    /// Checks every file, and returns the size that all have.
    fn check(&self) -> Result<[u32; 2], FilmError> {
        let sizes: Vec<[u32; 2]> = self
            .frames
            .par_iter()
            .map(|frame| self.read(frame).map(|(_, size)| size))
            // Of several bad frames the error names the first, whichever thread finds one first.
            .collect::<Vec<_>>()
            .into_iter()
            .collect::<Result<_, _>>()
            .map_err(|bad| self.explain(bad))?;
        let first = sizes.first().copied().unwrap_or_default();
        match sizes.iter().position(|size| *size != first) {
            None => Ok(first),
            Some(other) => Err(FilmError::Frames(format!(
                "{} is {}x{}, the frames before it are {}x{}; a film has one size",
                self.path(self.frames[other].0).display(),
                sizes[other][0],
                sizes[other][1],
                first[0],
                first[1]
            ))),
        }
    }

    /// The bytes of a frame, and its width and height, once it is known to be whole and as
    /// rendered.
    fn read(
        &self,
        (number, hash): &(u64, Option<String>),
    ) -> Result<(Vec<u8>, [u32; 2]), FrameFault> {
        let name = frame_name(*number);
        let pack = self.packed.get(number).and_then(|index| self.packs.get(*index));
        let (path, bytes) = match pack {
            Some(pack) => (pack.path().join(&name), pack.read(&name)),
            None => (self.path(*number), read::file(&self.path(*number), read::LARGE)),
        };
        let bytes = bytes.map_err(|cause| match cause.kind() {
            io::ErrorKind::NotFound => FrameFault::Missing(*number),
            _ => FrameFault::Other(FilmError::output("read", &path, cause)),
        })?;
        let again = "the `catena render` that made the folder, typed again with the same options, makes it again";
        let refuse = |why: &str| {
            FrameFault::Other(FilmError::Frames(format!("{} {why}; {again}", path.display())))
        };
        let size = PngChunks::of(&bytes).and_then(|chunks| chunks.decodable());
        let size = size.map_err(|flaw| refuse(&format!("cannot be filmed: {flaw}")))?;
        if hash.as_ref().is_some_and(|hash| *hash != sha256(&bytes)) {
            return Err(refuse(
                "is not the picture that manifest.json lists: it was changed or comes from elsewhere",
            ));
        }
        Ok((bytes, size))
    }

    /// The error about a bad frame. For a missing one it looks which others are there, which is
    /// worth the time for one frame only.
    fn explain(&self, bad: FrameFault) -> FilmError {
        match bad {
            FrameFault::Missing(number) => {
                let numbers = self.frames.iter().map(|(number, _)| *number);
                missing_frame(
                    &self.folder,
                    number,
                    numbers.filter(|number| self.path(*number).exists()),
                )
            }
            FrameFault::Other(error) => error,
        }
    }

    /// The picture of a frame, decoded into `buffer` if the format allows.
    fn decode(
        &self,
        frame: &(u64, Option<String>),
        mut buffer: Vec<u8>,
    ) -> Result<RgbImage, FilmError> {
        let (bytes, [width, height]) = self.read(frame).map_err(|bad| self.explain(bad))?;
        if decode_rgb(&bytes, &mut buffer).is_some()
            && let Some(image) = RgbImage::from_raw(width, height, buffer)
        {
            return Ok(image);
        }
        let mut reader = ImageReader::with_format(io::Cursor::new(bytes), ImageFormat::Png);
        let mut limits = Limits::default();
        limits.max_alloc = Some(MOST_BYTES);
        reader.limits(limits);
        reader.decode().map(image::DynamicImage::into_rgb8).map_err(|error| {
            let path = self.path(frame.0);
            FilmError::Frames(format!("{} cannot be decoded: {error}", path.display()))
        })
    }
}

/// Why a frame cannot be filmed.
enum FrameFault {
    /// The frame with this number has no file.
    Missing(u64),
    /// Any other reason.
    Other(FilmError),
}

/// Decodes a PNG file of 8-bit RGB, as catena writes them; `None` for any other or damaged one.
fn decode_rgb(bytes: &[u8], buffer: &mut Vec<u8>) -> Option<()> {
    let mut reader = png::Decoder::new(io::Cursor::new(bytes)).read_info().ok()?;
    if reader.output_color_type() != (png::ColorType::Rgb, png::BitDepth::Eight) {
        return None;
    }
    buffer.resize(reader.output_buffer_size()?, 0);
    reader.next_frame(buffer).ok().map(drop)
}

type FrameHashes = BTreeMap<u64, Option<String>>;

/// What a folder says of its frames.
struct Found {
    frames: FrameHashes,
    packs: Vec<Pack>,
    notes: Vec<String>,
    source: Option<RenderSource>,
}

/// The frames that the manifest of a folder lists or, without a manifest, all that lie there.
fn find(folder: &Path, is_part: bool) -> Result<Found, FilmError> {
    let entries = fs::read_dir(folder)
        .map_err(|cause| FilmError::output("read the folder", folder, cause))?;
    let manifest = Manifest::read(folder).map_err(|error| match read::is_about_content(&error.cause) {
        false => error.into(),
        true => FilmError::Frames(format!(
            "{error}; without the file the frames are filmed unchecked, and the same `catena render` writes it anew"
        )),
    })?;
    if let Some(manifest) = manifest {
        let written = recorded_frames(folder, &manifest.source)?;
        let all = manifest.frames.into_iter().chain(written);
        let all: FrameHashes = all.map(|entry| (entry.frame, Some(entry.sha256))).collect();
        if let (Some([first, last]), false) = (manifest.under_way, is_part) {
            return Err(not_finished(folder, all.len(), [first, last]));
        }
        let open = |pack: &String| {
            let path = folder.join(pack);
            Pack::open(&path).map_err(|cause| FilmError::output("read", &path, cause))
        };
        let packs = manifest.packs.par_iter().map(open).collect::<Result<_, _>>()?;
        return Ok(Found { frames: all, packs, notes: Vec::new(), source: Some(manifest.source) });
    }
    let mut found = FrameHashes::new();
    for entry in entries {
        let entry = entry.map_err(|cause| FilmError::output("read the folder", folder, cause))?;
        let name = entry.file_name();
        let number = name.to_str().and_then(frame_number);
        found.extend(number.map(|number| (number, None)));
    }
    let note =
        format!("note: {} has no manifest.json, so its frames are not checked", folder.display());
    Ok(Found { frames: found, packs: Vec::new(), notes: vec![note], source: None })
}

/// The error about a folder whose render or merge has not come to its end.
fn not_finished(folder: &Path, there: usize, [first, last]: [u64; 2]) -> FilmError {
    let name = folder.display();
    FilmError::Frames(if folder.join("shards").is_dir() {
        format!(
            "{name} is not merged to its end; `catena merge` says which shards have to run again"
        )
    } else {
        format!(
            "{name} is not finished: it has {there} of the frames {first}-{last}; the same `catena render` goes on, and \
             --frames A-B films a part"
        )
    })
}

fn missing_frame(folder: &Path, missing: u64, there: impl Iterator<Item = u64>) -> FilmError {
    let there: Vec<u64> = there.collect();
    let runs_there = ranges(there.iter().copied());
    let before = there.iter().copied().filter(|number| *number < missing).collect::<Vec<_>>();
    let part = match (before.first(), before.last()) {
        (Some(first), Some(last)) => format!(", --frames {first}-{last} films a part"),
        _ => String::new(),
    };
    let folder = folder.display();
    FilmError::Frames(if there.is_empty() {
        format!("frame {missing} is missing from {folder}, and so are all others")
    } else {
        format!(
            "frame {missing} is missing from {folder}: {runs_there} are there; the `catena render` that made the folder, typed \
             again with the same options, makes it{part}"
        )
    })
}

/// Ascending numbers as ranges: `0-16 and 18-40`.
fn ranges(numbers: impl Iterator<Item = u64>) -> String {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let of = |&(first, last): &(u64, u64)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    // A message names only the first of many ranges.
    let parts: Vec<String> = ranges.iter().take(MOST_RANGES).map(of).collect();
    if ranges.len() > MOST_RANGES { format!("{}, …", parts.join(", ")) } else { listed(&parts) }
}

const MOST_RANGES: usize = 8;
