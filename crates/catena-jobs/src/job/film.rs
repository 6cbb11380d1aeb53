//! Films made from a folder of frames, or directly from a scene.

use super::{
    BodyOutcome, FrameError, FrameList, FrameOptions, Interruption, Progress, RunError,
    frame_inputs,
    frames::{FramePainter, FramePipeline, FrameSimulator, add_to_film},
    inputs::is_frame_of,
    scene_inputs, threads,
};
use catena_base::threads::in_pool;
use catena_output::film::{
    self, FilmCodec, FilmError, FilmFormat, FilmOptions, FilmReport, FilmShape, FilmTarget,
    OVER_WHITE, frames::FolderFrames,
};
use catena_output::{OutputError, names::is_render_file};
use catena_scene::limits::{FilmEncoding, Product};
use catena_scene::{Scene, frame_time_of};
use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

/// Makes a film of the frames in a folder, or of the listed ones. Every frame is verified first.
/// `output` is a file, or `-` for standard output. The work runs in the caller's rayon pool.
///
/// # Errors
/// The output has no known format or belongs to the frames, an option is out of range, or a frame
/// is missing or altered. A file cannot be written, ffmpeg is missing or fails, or the reader of
/// standard output has exited. An interruption gives [`FilmError::Stopped`].
pub fn film_folder(
    folder: &Path,
    frames: Option<FrameList>,
    output: &OsStr,
    options: &FilmOptions,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<FilmReport, FilmError> {
    in_pool(|| folder_film(folder, frames, output, options, progress, interruption))
}

/// Makes the film in the rayon pool of this thread.
fn folder_film(
    folder: &Path,
    frames: Option<FrameList>,
    output: &OsStr,
    options: &FilmOptions,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<FilmReport, FilmError> {
    let (target, format) = target(output, options)?;
    keep_off("-o", &target, folder)?;
    let keep = |files: Vec<PathBuf>| match &target {
        FilmTarget::File(path) if path.symlink_metadata().is_ok() => {
            let mut inputs = frame_inputs(folder);
            files.into_iter().for_each(|file| inputs.add("a file of the frames", file));
            inputs.refuse("-o", path).map_err(FilmError::Usage)
        }
        _ => Ok(()),
    };
    // Verifying every frame before the film starts means that a bad frame costs no encoding time.
    let source = FolderFrames::open(folder, frames, options, keep)?;
    let frame_time = source.source().and_then(|it| frame_time_of(&it.scene_text, &it.set));
    let options =
        &frame_time.map_or_else(|| options.clone(), |it| options.at_frame_time(it, format));
    interruption.started();
    progress.begin(source.count(), 0);
    let mut keeps_alpha = false;
    let mut make = || {
        let stop = || interruption.is_set();
        let shape = FilmShape {
            size: source.size(),
            frames: source.count(),
            has_alpha: source.has_alpha(),
        };
        let mut sink = film::open(&target, format, options, shape, &stop)?;
        keeps_alpha = sink.keeps_alpha();
        source.feed(sink.as_mut(), |_| {
            progress.frame();
            !interruption.is_set()
        })?;
        if interruption.is_set() { Err(FilmError::Stopped) } else { sink.finish() }
    };
    let report = make().map_err(|error| error.keeping(folder))?;
    let speed = frame_time.and_then(|it| options.speed_note(it));
    let notes = [&source.notes(keeps_alpha)[..], &report.notes, speed.as_slice()].concat();
    Ok(FilmReport { notes, ..report })
}

/// Output path and format of a film.
///
/// # Errors
/// The output has no known format, or standard output does not support it.
fn target(output: &OsStr, options: &FilmOptions) -> Result<(FilmTarget, FilmFormat), FilmError> {
    let target = FilmTarget::new(output);
    let format = FilmFormat::choose(&target, options.format)?;
    Ok((target, format))
}

/// Encoding of a film in this format, for its price.
///
/// # Errors
/// The format cannot contain the requested codec.
pub fn film_encoding(format: FilmFormat, options: &FilmOptions) -> Result<FilmEncoding, FilmError> {
    let codec = FilmCodec::choose(format, options.codec, false)?;
    Ok(match (format, codec) {
        (_, Some(FilmCodec::H264 | FilmCodec::H264Full)) => FilmEncoding::H264,
        (_, Some(FilmCodec::Vp9)) => FilmEncoding::Vp9,
        (_, Some(_)) => FilmEncoding::Intermediate,
        (FilmFormat::Gif, None) => FilmEncoding::Gif,
        (FilmFormat::Apng, None) => FilmEncoding::Apng,
        (FilmFormat::WebP, None) => FilmEncoding::WebP,
        (FilmFormat::Y4m, None) => FilmEncoding::Y4m,
        (_, None) => FilmEncoding::Raw,
    })
}

/// Film in this format as a product, given the size of its frames.
fn product(
    format: FilmFormat,
    options: &FilmOptions,
) -> Result<impl Fn([u32; 2]) -> Product, FilmError> {
    let encoding = film_encoding(format, options)?;
    Ok(move |size| Product::Film { size, encoding })
}

/// Returns an error if the film would have the name of a render's file in the folder of frames. A
/// later render would take the film for its own file.
fn keep_off(option: &str, target: &FilmTarget, folder: &Path) -> Result<(), FilmError> {
    let FilmTarget::File(path) = target else { return Ok(()) };
    let name = path.file_name().unwrap_or_default();
    let above = path.parent().filter(|above| !above.as_os_str().is_empty());
    let is_there = match (above.unwrap_or(Path::new(".")).canonicalize(), folder.canonicalize()) {
        (Ok(above), Ok(folder)) => above == folder,
        _ => false,
    };
    let is_frame = |name: &str| is_render_file(name) || is_frame_of(folder, name);
    if is_there && name.to_str().is_some_and(is_frame) {
        let path = path.display();
        let what = format!("{option}: {path} belongs to the frames; choose another name");
        return Err(FilmError::Usage(what));
    }
    Ok(())
}

/// Options of a film of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneFilmOptions {
    /// Frames, and how they are drawn.
    pub frames: FrameOptions,
    /// Encoding options.
    pub film: FilmOptions,
    /// Whether to simulate up to the last frame even if the reader of standard output has exited.
    /// This completes the outcomes of the bodies.
    pub needs_outcomes: bool,
}

/// Result of making a film of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneFilm {
    /// The film, or `None` if the reader of standard output exited early.
    pub film: Option<FilmReport>,
    /// Outcome of each body in the order of the panels, as far as it was simulated.
    pub bodies: Vec<BodyOutcome>,
}

/// Error of a film of a scene.
#[derive(Debug, thiserror::Error)]
pub enum SceneFilmError {
    /// The scene cannot be run with these options, or the job was interrupted.
    #[error(transparent)]
    Frames(#[from] FrameError),
    /// The film cannot be made.
    #[error(transparent)]
    Film(FilmError),
}

impl From<RunError> for SceneFilmError {
    fn from(error: RunError) -> Self {
        FrameError::Run(error).into()
    }
}

impl From<OutputError> for SceneFilmError {
    fn from(error: OutputError) -> Self {
        RunError::Output(error).into()
    }
}

impl From<FilmError> for SceneFilmError {
    fn from(error: FilmError) -> Self {
        match error {
            FilmError::Stopped => FrameError::Interrupted.into(),
            error => Self::Film(error),
        }
    }
}

/// Makes a film of a scene without intermediate files. `output` is a file, or `-` for standard
/// output.
///
/// # Errors
/// The errors of [`super::frames`] and of [`film_folder`]. If the reader of standard output exits
/// early, that is not an error.
pub fn film_scene(
    scene: &Scene,
    output: &OsStr,
    options: &SceneFilmOptions,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<SceneFilm, SceneFilmError> {
    let SceneFilmOptions { frames, film, needs_outcomes } = options;
    let run = || {
        let threads = rayon::current_num_threads();
        let (target, format) = target(output, film)?;
        let product = product(format, film)?;
        let drawing = frames.drawing_of(scene, Path::new(output), threads, &product)?;
        let (painter, ahead) = drawing.painter(&drawing.range, progress)?;
        let options = &film.at_frame_time(scene.frame_time(), format);
        let kept = scene_inputs(scene).refuse("--film", Path::new(output));
        kept.map_err(FilmError::Usage)?;
        if let Some(folder) = Path::new(output).parent() {
            keep_off("--film", &target, folder)?;
        }
        let every = usize::try_from(options.every).unwrap_or(usize::MAX).max(1);
        let numbers: Vec<u64> = drawing.frames().into_iter().step_by(every).collect();
        interruption.started();
        let (size, count) = (drawing.scene.size, numbers.len() as u64);
        let stop = || interruption.is_set();
        let shape = FilmShape { size, frames: count, has_alpha: painter.has_alpha() };
        let mut sink = film::open(&target, format, options, shape, &stop)?;
        let is_over_white = painter.has_alpha() && !sink.keeps_alpha();
        progress.begin(count, 0);
        let pipeline = FramePipeline { progress, interruption, on_failure: &|| {} };
        // Finished pictures wait in memory, so chunks are short.
        let maximum = 2 * threads;
        let mut simulator = FrameSimulator::new(&drawing.scene, None, interruption, maximum, ahead);
        let painter = FramePainter::new(&painter, progress);
        let refuse = SceneFilmError::from;
        let shown = pipeline.show(&painter, &mut simulator, &numbers, refuse, |_, picture| {
            Ok(add_to_film(sink.as_mut(), picture)?)
        });
        let made = shown.and_then(|()| match simulator.refusal() {
            _ if interruption.is_set() => Err(FrameError::Interrupted.into()),
            Some(refusal) => Err(refusal.into()),
            None => Ok(sink.finish()?),
        });
        let film = match made {
            Ok(mut report) => {
                report.notes.extend(is_over_white.then(|| OVER_WHITE.into()));
                report.notes.extend(options.speed_note(scene.frame_time()));
                Some(report)
            }
            Err(SceneFilmError::Film(FilmError::ReaderGone)) => None,
            Err(error) => return Err(error),
        };
        if film.is_none() && *needs_outcomes && !simulator.advance_to(drawing.range.end - 1)? {
            let refusal = simulator.refusal().map(SceneFilmError::from);
            return Err(refusal.unwrap_or_else(|| FrameError::Interrupted.into()));
        }
        Ok(SceneFilm { film, bodies: simulator.outcomes(None) })
    };
    threads::draw_with(frames.threads, frames.size.unwrap_or(scene.size), run)?
}
