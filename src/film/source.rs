//! The frames of a folder, in order. All are checked before a film begins, and each again when it is read for the film.

use super::{FilmError, FrameSink};
use crate::output::{
    folder::{frame_name, frame_number, written},
    hash::sha256,
    manifest::Manifest,
};
use image::{ImageFormat, RgbImage};
use rayon::prelude::*;
use std::{
    collections::BTreeMap,
    fs, io,
    ops::Range,
    path::{Path, PathBuf},
    sync::mpsc::{channel, sync_channel},
    thread,
};

/// Pictures that are decoded at a time, and bytes of them.
const CHUNK_FRAMES: usize = 8;
const CHUNK_BYTES: usize = 256 << 20;

/// The frames of a film.
#[derive(Debug)]
pub struct Source {
    folder: PathBuf,
    /// The number of each with the hash that the manifest gives it, where there is one.
    frames: Vec<(u64, Option<String>)>,
    size: [u32; 2],
    notes: Vec<String>,
}

impl Source {
    /// Finds the frames of a folder, or those of a range, and checks all: none is missing, each is a whole PNG file and the one that
    /// the manifest lists, and all have one size.
    ///
    /// # Errors
    /// When a frame is missing or is not what it should be, which names the frame; when there is no folder or no frame.
    pub fn open(folder: &Path, range: Option<Range<u64>>) -> Result<Self, FilmError> {
        let (found, notes) = find(folder, range.is_some())?;
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
                    runs(found.keys().copied())
                )));
            }
            Some(asked) => asked,
            None => *first..last + 1,
        };
        if let Some(missing) = range.clone().find(|number| !found.contains_key(number)) {
            return Err(gap(folder, missing, found.keys().copied()));
        }
        let frames = found.into_iter().filter(|(number, _)| range.contains(number)).collect();
        let source = Self { folder: folder.into(), frames, size: [0; 2], notes };
        let size = source.check()?;
        Ok(Self { size, ..source })
    }

    /// How many frames there are; at least one.
    pub fn count(&self) -> u64 {
        self.frames.len() as u64
    }

    /// Width and height of all frames, in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// What the user should know, a line each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Gives all frames to a sink, in order. While some are taken, the next are read and decoded. `go_on` is told how many are taken, and
    /// ends the film early when it says no.
    ///
    /// # Errors
    /// When a frame has changed since it was checked, or cannot be decoded, and when the sink refuses one.
    pub fn feed(
        &self,
        sink: &mut dyn FrameSink,
        mut go_on: impl FnMut(u64) -> bool,
    ) -> Result<(), FilmError> {
        let bytes = self.size.iter().fold(3, |product, side| product * *side as usize);
        let chunk = (CHUNK_BYTES / bytes).clamp(1, CHUNK_FRAMES);
        thread::scope(|scope| {
            let (send, receive) = sync_channel(1);
            // Buffers come back: fresh memory for each picture would cost as much as its decoding.
            let (give_back, spare) = channel();
            scope.spawn(move || {
                for frames in self.frames.chunks(chunk) {
                    let buffers: Vec<Vec<u8>> =
                        frames.iter().map(|_| spare.try_recv().unwrap_or_default()).collect();
                    let decoded: Result<Vec<_>, _> = frames
                        .par_iter()
                        .zip(buffers)
                        .map(|(frame, buffer)| self.decode(frame, buffer))
                        .collect();
                    let is_last = decoded.is_err();
                    if send.send(decoded).is_err() || is_last {
                        return;
                    }
                }
            });
            let mut taken = 0;
            // When this ends early, the channel closes and so ends the thread.
            for decoded in receive {
                for image in decoded? {
                    sink.frame(&image)?;
                    // At the end nobody takes it.
                    let _ = give_back.send(image.into_raw());
                    taken += 1;
                    if !go_on(taken) {
                        return Ok(());
                    }
                }
            }
            Ok(())
        })
    }

    fn path(&self, number: u64) -> PathBuf {
        self.folder.join(frame_name(number))
    }

    /// Looks at every file, and returns the size of all.
    fn check(&self) -> Result<[u32; 2], FilmError> {
        let sizes: Vec<[u32; 2]> = self
            .frames
            .par_iter()
            .map(|frame| self.read(frame).map(|(_, size)| size))
            // Of several bad frames the first is named, whatever thread finds it first.
            .collect::<Vec<_>>()
            .into_iter()
            .collect::<Result<_, _>>()?;
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

    /// The bytes of a frame that is whole and the one that was rendered, and its width and height.
    fn read(
        &self,
        (number, hash): &(u64, Option<String>),
    ) -> Result<(Vec<u8>, [u32; 2]), FilmError> {
        let path = self.path(*number);
        let bytes = fs::read(&path).map_err(|cause| match cause.kind() {
            io::ErrorKind::NotFound => {
                let numbers = self.frames.iter().map(|(number, _)| *number);
                gap(&self.folder, *number, numbers.filter(|number| self.path(*number).exists()))
            }
            _ => FilmError::output("read", &path, cause),
        })?;
        let again = "the `catena render` that made the folder, typed again with the same options, makes it again";
        let size = whole_png(&bytes).map_err(|why| {
            FilmError::Frames(format!("{} is no whole PNG file: {why}; {again}", path.display()))
        })?;
        if hash.as_ref().is_some_and(|hash| *hash != sha256(&bytes)) {
            return Err(FilmError::Frames(format!(
                "{} is not the picture that manifest.json lists: it was changed or comes from elsewhere; {again}",
                path.display()
            )));
        }
        Ok((bytes, size))
    }

    /// The picture of a frame, in `buffer` if that is possible.
    fn decode(
        &self,
        frame: &(u64, Option<String>),
        mut buffer: Vec<u8>,
    ) -> Result<RgbImage, FilmError> {
        let (bytes, [width, height]) = self.read(frame)?;
        if decode_rgb(&bytes, &mut buffer).is_some()
            && let Some(image) = RgbImage::from_raw(width, height, buffer)
        {
            return Ok(image);
        }
        let image = image::load_from_memory_with_format(&bytes, ImageFormat::Png);
        image.map(image::DynamicImage::into_rgb8).map_err(|error| {
            let path = self.path(frame.0);
            FilmError::Frames(format!("{} cannot be decoded: {error}", path.display()))
        })
    }
}

/// Decodes a PNG file of 8-bit red, green and blue, as catena writes them; `None` for all others and damaged ones.
fn decode_rgb(bytes: &[u8], buffer: &mut Vec<u8>) -> Option<()> {
    let mut reader = png::Decoder::new(io::Cursor::new(bytes)).read_info().ok()?;
    if reader.output_color_type() != (png::ColorType::Rgb, png::BitDepth::Eight) {
        return None;
    }
    buffer.resize(reader.output_buffer_size()?, 0);
    reader.next_frame(buffer).ok().map(drop)
}

type Found = BTreeMap<u64, Option<String>>;

/// The frames of a folder: those of its manifest, or where it has none, those that lie there.
fn find(folder: &Path, is_part: bool) -> Result<(Found, Vec<String>), FilmError> {
    let entries = fs::read_dir(folder)
        .map_err(|cause| FilmError::output("read the folder", folder, cause))?;
    let manifest = Manifest::read(folder).map_err(|error| {
        FilmError::Frames(format!(
            "{error}; the same `catena render` mends it, and without the file the frames are filmed unchecked"
        ))
    })?;
    if let Some(manifest) = manifest {
        let written = written(folder, &manifest.source);
        let all = manifest.frames.into_iter().chain(written);
        let all: Found = all.map(|entry| (entry.frame, Some(entry.sha256))).collect();
        if let (Some([first, last]), false) = (manifest.under_way, is_part) {
            return Err(FilmError::Frames(format!(
                "{} is not finished: it has {} of the frames {first}-{last}; the same `catena render` goes on, and --frames A-B \
                 films a part",
                folder.display(),
                all.len()
            )));
        }
        return Ok((all, Vec::new()));
    }
    let mut found = Found::new();
    for entry in entries {
        let entry = entry.map_err(|cause| FilmError::output("read the folder", folder, cause))?;
        let name = entry.file_name();
        let number = name.to_str().and_then(frame_number);
        found.extend(number.map(|number| (number, None)));
    }
    let note = format!(
        "note: {} has no manifest.json, so nothing vouches for its frames",
        folder.display()
    );
    Ok((found, vec![note]))
}

fn gap(folder: &Path, missing: u64, there: impl Iterator<Item = u64>) -> FilmError {
    let there: Vec<u64> = there.collect();
    let runs_there = runs(there.iter().copied());
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

/// Numbers in order, as `0-16 and 18-40`.
fn runs(numbers: impl Iterator<Item = u64>) -> String {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let of = |&(first, last): &(u64, u64)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    // Of a folder with many holes, some are enough.
    let mut parts: Vec<String> = runs.iter().take(MOST_RUNS).map(of).collect();
    match runs.len() {
        0 => String::new(),
        1 => parts.remove(0),
        count if count > MOST_RUNS => format!("{}, …", parts.join(", ")),
        _ => {
            let last = parts.pop().unwrap_or_default();
            format!("{} and {last}", parts.join(", "))
        }
    }
}

const MOST_RUNS: usize = 8;

/// Width and height of a PNG file, if all of its chunks are there and have the right checksums. Nothing is decoded.
fn whole_png(bytes: &[u8]) -> Result<[u32; 2], &'static str> {
    let number = |bytes: &[u8]| bytes.iter().fold(0_u32, |n, byte| n << 8 | u32::from(*byte));
    let mut rest = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n").ok_or("it does not begin as one")?;
    let header = rest.get(8..16).filter(|_| rest.get(4..8) == Some(b"IHDR"));
    let header = header.ok_or("it has no header")?;
    let size = [number(&header[..4]), number(&header[4..])];
    loop {
        let length = number(rest.get(..4).ok_or("it is cut short")?) as usize;
        let end =
            length.checked_add(12).filter(|end| *end <= rest.len()).ok_or("it is cut short")?;
        let (chunk, next) = rest.split_at(end);
        if crc32fast::hash(&chunk[4..end - 4]) != number(&chunk[end - 4..]) {
            return Err("its bytes are damaged");
        }
        if &chunk[4..8] == b"IEND" {
            return if size.contains(&0) { Err("it has no pixels") } else { Ok(size) };
        }
        rest = next;
    }
}
