//! Frames of a folder, in order. Each frame is checked twice: before the film begins, and when it
//! is read for the film.

use super::{
    error::FilmError,
    options::FilmOptions,
    picture::{DecodedFrame, Depths, decode},
    sequence::{FoundFrame, FoundFrames, MAX_MISSING, Origin, find, missing_frames, ranges},
    sink::FrameSink,
};
use crate::{
    chunks::{PngChunks, PngFlaw},
    frame_list::FrameList,
    hash::sha256,
    manifest::RenderSource,
    pack::Pack,
};
use catena_base::read;
use rayon::prelude::*;
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

/// Maximum number of pictures that are decoded at a time.
const CHUNK_FRAMES: usize = 8;
/// Maximum size of the pictures that are decoded at a time, in bytes. A larger picture is decoded
/// alone.
const CHUNK_BYTES: usize = 256 << 20;

/// Checked frames of a folder.
#[derive(Debug)]
pub struct FolderFrames {
    folder: PathBuf,
    /// Number, file name and hash of each frame.
    frames: Vec<(u64, FoundFrame)>,
    /// Packs that contain frames, and the pack index of each frame in a pack.
    packs: Vec<Pack>,
    packed: BTreeMap<u64, usize>,
    size: [u32; 2],
    depths: Depths,
    /// Whether a decoded frame has a transparent pixel.
    is_translucent: AtomicBool,
    notes: Vec<String>,
    source: Option<RenderSource>,
}

impl FolderFrames {
    /// Finds the frames of a folder or a list, and checks the frames that the options select. No
    /// frame may be missing, all must have the same size, and each must be an intact PNG file with
    /// the hash in the manifest. Before any frame is read, `keep` receives the files of all frames.
    ///
    /// # Errors
    /// Returns an error if there is no folder, no frame, or more than one sequence, or if `keep`
    /// fails. Also returned if a frame is missing, damaged or changed; the error names the frame.
    pub fn open(
        folder: &Path,
        list: Option<FrameList>,
        options: &FilmOptions,
        keep: impl FnOnce(Vec<PathBuf>) -> Result<(), FilmError>,
    ) -> Result<Self, FilmError> {
        let found = find(folder, options.sequence.as_deref(), list.is_some())?;
        let files = found.frames.values().map(|frame| folder.join(&frame.name));
        keep(files.chain(found.packs.iter().map(|pack| pack.path().into())).collect())?;
        let is_whole = list.is_none();
        let numbers = || found.frames.keys().copied();
        let (Some(first), Some(last)) = (numbers().min(), numbers().max()) else {
            let name = options.sequence.as_deref().map_or("frames", |name| name);
            let folder = folder.display();
            return Err(FilmError::Frames(format!("{folder} contains no {name}")));
        };
        let all = first..last.saturating_add(1);
        if let Some(asked) = &list {
            let hull = asked.hull(all.end);
            if hull.start < first || hull.end > all.end {
                return Err(FilmError::Usage(format!(
                    "--frames {asked} is incomplete: {} contains the frames {}",
                    folder.display(),
                    ranges(numbers())
                )));
            }
        }
        let wanted = match &list {
            Some(asked) => wanted(folder, &found, asked.frames(all.end), options.every),
            None => wanted(folder, &found, all, options.every),
        }?;
        let FoundFrames { frames, packs, notes, source: rendered, is_unfinished: _ } = found;
        let frames = frames.into_iter().filter(|(number, _)| wanted.contains(number)).collect();
        let names = rendered.as_ref().map(|it| it.names.clone()).unwrap_or_default();
        let numbers = |(index, pack): (usize, &Pack)| {
            let numbers: Vec<u64> = pack.names().filter_map(|it| names.frame(it)).collect();
            numbers.into_iter().map(move |number| (number, index))
        };
        let packed = packs.iter().enumerate().flat_map(numbers).collect();
        let mut source = Self {
            folder: folder.into(),
            frames,
            packs,
            packed,
            size: [0; 2],
            depths: Depths::default(),
            is_translucent: AtomicBool::new(false),
            notes,
            source: rendered,
        };
        (source.size, source.depths) = source.check()?;
        // The films of parts are joined later, so they must agree on alpha.
        if is_whole && source.depths.has_alpha && !source.has_translucent_frame()? {
            source.depths.has_alpha = false;
        }
        Ok(source)
    }

    /// Whether any pixel of any frame is not opaque. Other programs write an alpha channel even if
    /// all pixels are opaque.
    fn has_translucent_frame(&self) -> Result<bool, FilmError> {
        for frames in self.frames.chunks(self.chunk_frames()) {
            let of_frame = |(number, frame): &(u64, FoundFrame)| {
                Ok(self.decode(*number, frame, Vec::new())?.is_translucent())
            };
            let found: Vec<bool> =
                frames.par_iter().map(of_frame).collect::<Result<_, FilmError>>()?;
            if found.contains(&true) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Number of frames, at least one.
    pub fn count(&self) -> u64 {
        self.frames.len() as u64
    }

    /// Width and height of all frames, in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Source of the frames, if the folder has a manifest.
    pub fn source(&self) -> Option<&RenderSource> {
        self.source.as_ref()
    }

    /// Whether a frame has a pixel that is not opaque or, in a part of a film, an alpha channel.
    pub fn has_alpha(&self) -> bool {
        self.depths.has_alpha
    }

    /// Messages for the user, one line each. `keeps_alpha` says whether the film preserves
    /// transparency. Transparent pixels are known only after [`Self::feed`].
    pub fn notes(&self, keeps_alpha: bool) -> Vec<String> {
        let is_laid = !keeps_alpha && self.is_translucent.load(Ordering::Relaxed);
        let laid = is_laid.then_some(super::OVER_WHITE);
        let deep = self.depths.is_deep.then_some(
            "note: frames have 16 bits per channel, but the film has 8: values are rounded",
        );
        let of_pictures = laid.into_iter().chain(deep).map(str::to_owned);
        self.notes.iter().cloned().chain(of_pictures).collect()
    }

    /// Passes all frames to a sink, in order, while decoding the next frames. `continues` receives
    /// the number of frames passed so far, and cancels the film by returning false. The work runs
    /// in the caller's thread pool.
    ///
    /// # Errors
    /// Returns an error if a frame has changed since it was checked or cannot be decoded, or if the
    /// sink fails.
    pub fn feed(
        &self,
        sink: &mut dyn FrameSink,
        mut continues: impl FnMut(u64) -> bool + Send,
    ) -> Result<(), FilmError> {
        let mut chunks = self.frames.chunks(self.chunk_frames());
        let mut decode = |spare: Vec<Vec<u8>>| -> Result<Vec<DecodedFrame>, FilmError> {
            let frames = chunks.next().unwrap_or_default();
            // Buffers are reused: allocating memory per picture would cost as much as decoding it.
            let buffers = spare.into_iter().chain(std::iter::repeat_with(Vec::new));
            let buffers: Vec<Vec<u8>> = buffers.take(frames.len()).collect();
            let frames = frames.par_iter().zip(buffers);
            let decode = |((number, frame), buffer): (&(u64, FoundFrame), Vec<u8>)| {
                self.decode(*number, frame, buffer)
            };
            frames.map(decode).collect()
        };
        let mut taken = 0;
        let keeps_alpha = self.has_alpha() && sink.keeps_alpha();
        let mut show = |images: Vec<DecodedFrame>| -> Result<Option<Vec<Vec<u8>>>, FilmError> {
            let mut shown = Vec::new();
            for picture in images {
                if picture.is_translucent() {
                    self.is_translucent.store(true, Ordering::Relaxed);
                }
                shown.push(match keeps_alpha {
                    true => {
                        let image = picture.with_alpha();
                        sink.add_translucent_frame(&image)?;
                        image.into_raw()
                    }
                    false => {
                        let image = picture.over_white();
                        sink.add_frame(&image)?;
                        image.into_raw()
                    }
                });
                taken += 1;
                if !continues(taken) {
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

    /// Number of frames decoded at a time.
    fn chunk_frames(&self) -> usize {
        let pixel = self.depths.pixel_bytes();
        let bytes = self.size.iter().fold(pixel, |product, side| product * *side as usize);
        (CHUNK_BYTES / bytes).clamp(1, CHUNK_FRAMES)
    }

    fn path(&self, frame: &FoundFrame) -> PathBuf {
        self.folder.join(&frame.name)
    }

    /// Checks every file, and returns the common size and the combined pixel formats.
    fn check(&self) -> Result<([u32; 2], Depths), FilmError> {
        let found: Vec<([u32; 2], Depths)> = self
            .frames
            .par_iter()
            .map(|(number, frame)| {
                self.read(*number, frame).map(|(_, size, depths)| (size, depths))
            })
            // If several frames are bad, the error names the first, whichever thread finds one
            // first.
            .collect::<Vec<_>>()
            .into_iter()
            .collect::<Result<_, _>>()
            .map_err(|bad| self.explain(bad))?;
        let first = found.first().map(|(size, _)| *size).unwrap_or_default();
        let depths = found.iter().fold(Depths::default(), |all, (_, depths)| all.or(*depths));
        match found.iter().position(|(size, _)| *size != first) {
            None => Ok((first, depths)),
            Some(other) => Err(FilmError::Frames(format!(
                "{} is {}x{}, but the frames before it are {}x{}; all frames of a film must have \
                 the same size",
                self.path(&self.frames[other].1).display(),
                found[other].0[0],
                found[other].0[1],
                first[0],
                first[1]
            ))),
        }
    }

    /// Reads a frame, and checks that it is intact and as rendered. Returns its bytes, width and
    /// height, and pixel format.
    fn read(
        &self,
        number: u64,
        frame: &FoundFrame,
    ) -> Result<(Vec<u8>, [u32; 2], Depths), FrameFault> {
        let pack = self.packed.get(&number).and_then(|index| self.packs.get(*index));
        let (path, bytes) = match pack {
            Some(pack) => (pack.path().join(&frame.name), pack.read(&frame.name)),
            None => (self.path(frame), read::file(&self.path(frame), read::LARGE)),
        };
        let bytes = bytes.map_err(|cause| match cause.kind() {
            io::ErrorKind::NotFound => FrameFault::Missing(number),
            _ => FrameFault::Other(FilmError::output("read", &path, cause)),
        })?;
        let refuse = |why: &str, remedy: &str| {
            FrameFault::Other(FilmError::Frames(format!("{} {why}{remedy}", path.display())))
        };
        let restore = "; run the same `catena render` again to restore it";
        let chunks = PngChunks::of(&bytes).and_then(|chunks| Ok((chunks.decodable()?, chunks)));
        let (size, chunks) = chunks.map_err(|flaw| {
            let is_rendered = frame.hash.is_some() && !matches!(flaw, PngFlaw::Mistaken(_));
            let remedy = if is_rendered { restore } else { "" };
            refuse(&format!("cannot be filmed: {flaw}"), remedy)
        })?;
        if chunks.has_animation {
            return Err(refuse(
                "cannot be filmed: it is an animated PNG, but a frame must be a single picture",
                "",
            ));
        }
        if frame.hash.as_ref().is_some_and(|hash| *hash != sha256(&bytes)) {
            return Err(refuse(
                "is not the picture that manifest.json lists: it was changed or comes from elsewhere",
                restore,
            ));
        }
        Ok((bytes, size, Depths::of(&chunks)))
    }

    /// Error about a bad frame. For a missing frame it lists the existing frames, which is
    /// affordable once.
    fn explain(&self, bad: FrameFault) -> FilmError {
        match bad {
            FrameFault::Missing(number) => {
                let there = self.frames.iter().filter(|(_, frame)| self.path(frame).exists());
                let there = there.map(|(number, _)| *number);
                let is_rendered = self.source.is_some();
                let origin = if is_rendered { Origin::Incomplete } else { Origin::Other };
                missing_frames(&self.folder, &[number], there, origin)
            }
            FrameFault::Other(error) => error,
        }
    }

    /// Decodes the picture of a frame, into `buffer` if the format allows.
    fn decode(
        &self,
        number: u64,
        frame: &FoundFrame,
        buffer: Vec<u8>,
    ) -> Result<DecodedFrame, FilmError> {
        let (bytes, size, depths) = self.read(number, frame).map_err(|bad| self.explain(bad))?;
        decode(&bytes, size, depths, buffer).map_err(|error| {
            let path = self.path(frame);
            FilmError::Frames(format!("{} cannot be decoded: {error}", path.display()))
        })
    }
}

/// Numbers of the frames of a film. None may be missing.
fn wanted(
    folder: &Path,
    found: &FoundFrames,
    numbers: impl Iterator<Item = u64>,
    every: u64,
) -> Result<BTreeSet<u64>, FilmError> {
    let every = usize::try_from(every.max(1)).unwrap_or(usize::MAX);
    let mut wanted = BTreeSet::new();
    let mut missing = Vec::new();
    for number in numbers.step_by(every) {
        match found.frames.contains_key(&number) {
            true => wanted.extend([number]),
            false => missing.push(number),
        }
        // The message names only the first gaps, since numbers may be arbitrarily far apart.
        if missing.len() > MAX_MISSING {
            break;
        }
    }
    if missing.is_empty() {
        return Ok(wanted);
    }
    let there = found.frames.keys().copied();
    let origin = match (&found.source, found.is_unfinished) {
        (None, _) => Origin::Other,
        (Some(_), true) => Origin::Incomplete,
        (Some(_), false) => Origin::Complete,
    };
    Err(missing_frames(folder, &missing, there, origin))
}

/// Reason why a frame cannot be filmed.
enum FrameFault {
    /// The frame with this number has no file.
    Missing(u64),
    /// Any other reason.
    Other(FilmError),
}
