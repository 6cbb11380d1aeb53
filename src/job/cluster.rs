//! What engines are to hand out: how many shards, how long each may take, and how much memory.

use super::{
    RenderOptions, RunError, options,
    prepare::{limited, painter},
    threads::PIXEL_BYTES,
    typeface::faces,
};
use crate::cluster::{ClusterJob, FilmStep, Input, Word, Work};
use crate::render::text::Font;
use crate::scene::{
    Body, Scene,
    limits::{Estimate, PlannedRun, Product},
};
use crate::text::number::{bytes, counted, duration};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The most shards that there can be.
pub const MOST_SHARDS: u32 = 100_000;

/// The longest that a step may be given, in minutes: a year.
pub const MOST_STEP_MINUTES: u32 = 366 * 24 * 60;

/// How something is handed out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterOptions {
    /// The folder that shards write to, and that has what is merged from them.
    pub out: PathBuf,
    /// The options of a shard's command as they are typed, beside those that have a field here.
    pub words: Vec<OsString>,
    /// How many shards, from 1 to [`MOST_SHARDS`]; `None` chooses by the estimated work.
    pub shards: Option<u32>,
    /// The longest that a shard may take at a time, in minutes, from 1 to [`MOST_STEP_MINUTES`];
    /// `None` gives it four times its estimate and ten minutes.
    pub minutes: Option<u32>,
    /// How many processors a shard has, from 1 to [`super::MOST_THREADS`].
    pub threads: u16,
    /// A film behind the merge, with the options of `catena film`.
    pub film: Option<(OsString, Vec<OsString>)>,
    /// The file that the job is written to, for its comments.
    pub file: Option<PathBuf>,
}

/// Nanoseconds of a minute.
const MINUTE: u128 = 60_000_000_000;
/// What a shard should draw at the least: starting it costs seconds, and waiting for it minutes.
const SHARD_DRAWING: u128 = 10 * MINUTE;
/// The most shards that are chosen: arrays of Slurm have as many tasks unless their limit is raised.
const MOST_CHOSEN: u128 = 1000;
/// What every step gets beside its estimate, in minutes.
const SPARE_MINUTES: u128 = 10;
/// How many times its estimate a step gets: processors differ, and file servers are busy.
const SLOWNESS: u128 = 4;
/// Bytes a second that a merge reads at the least.
const MERGE_RATE: u128 = 20_000_000;
/// Nanoseconds of a pixel of a film in ffmpeg.
const FILM_PIXEL: u128 = 20;

/// Plans a render of a scene in shards. `path` is the scene's file.
///
/// # Errors
/// When the render would take more than its limits allow, or an option is out of its range.
pub fn cluster_render(
    scene: &Scene,
    path: &Path,
    render: &RenderOptions,
    options: &ClusterOptions,
) -> Result<ClusterJob, RunError> {
    check(options)?;
    let frames = render.frames.of(scene)?;
    let size = render.size.unwrap_or(scene.size);
    options::size(size)?;
    let all = scene.panels.iter().flat_map(|panel| &panel.bodies);
    let settles = render.steady && !all.clone().all(Body::is_rig_alone);
    let product = Product::Pictures { size, settles };
    let run = PlannedRun { frames: frames.end, from: frames.start, product };
    let mut limited = limited(scene, &render.limits, &run)?;
    limited.size = size;
    painter(&limited, &Font::new(faces(render.font.as_deref())?.0))?;
    let estimate = Estimate::of(scene, &run);
    let count = frames.end - frames.start;
    let shards = options.shards.unwrap_or_else(|| chosen(&estimate, count));
    let pixels = u128::from(size[0]) * u128::from(size[1]);
    let longest = estimate.simulation + estimate.drawing / u128::from(shards);
    let merging = estimate.settling + estimate.bytes * 1_000_000_000 / MERGE_RATE;
    let film = options.film.clone().map(|(file, words)| FilmStep {
        file,
        options: words,
        minutes: minutes_for(u128::from(count) * pixels * FILM_PIXEL),
        memory: film_memory(pixels),
    });
    let (inputs, font) = inputs(scene, path, render.font.as_deref());
    Ok(ClusterJob {
        name: scene.name.clone(),
        work: Work::Render,
        inputs,
        options: words(options, font),
        out: options.out.clone(),
        shards,
        minutes: options.minutes.unwrap_or_else(|| minutes_for(longest)),
        merge_minutes: minutes_for(merging),
        memory: memory(&estimate, pixels, options.threads),
        threads: options.threads,
        film,
        reasons: reasons(&estimate, (count, size), shards, longest),
        file: options.file.clone(),
    })
}

/// Plans the shards of a sweep. `path` is its file, of so many bytes.
///
/// # Errors
/// When an option is out of its range, or there is none for what depends on the sweep.
pub fn cluster_sweep(
    path: &Path,
    size: u64,
    options: &ClusterOptions,
) -> Result<ClusterJob, RunError> {
    check(options)?;
    let (Some(shards), Some(minutes)) = (options.shards, options.minutes) else {
        return Err(RunError::Option(
            "a sweep needs --shards and --time; `catena sweep SWEEP --plan` says what makes sense"
                .into(),
        ));
    };
    if options.film.is_some() {
        return Err(RunError::Option("a sweep gives a table, which has no film".into()));
    }
    let input = Input { path: path.to_owned(), name: name_of(path), bytes: size };
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(ClusterJob {
        name,
        work: Work::Sweep,
        inputs: vec![input],
        options: words(options, None),
        out: options.out.clone(),
        shards,
        minutes,
        merge_minutes: minutes_for(0),
        memory: 1024,
        threads: options.threads,
        film: None,
        reasons: vec![format!("{}, as asked for.", counted(shards.into(), "shard"))],
        file: options.file.clone(),
    })
}

/// Refuses options out of their ranges.
fn check(options: &ClusterOptions) -> Result<(), RunError> {
    options::within("shards", options.shards.unwrap_or(1), 1..=MOST_SHARDS)?;
    options::within("time", options.minutes.unwrap_or(1), 1..=MOST_STEP_MINUTES)?;
    options::within("threads", options.threads, 1..=super::MOST_THREADS)
}

/// How many shards make sense. Each simulates from frame 0 up to its own frames, so no number of
/// them takes less time than the simulation; once each draws for less time than it simulates, most
/// of what they do is to simulate the same.
fn chosen(estimate: &Estimate, frames: u64) -> u32 {
    let useful = estimate.drawing / estimate.simulation.max(1);
    let needed = estimate.drawing.div_ceil(SHARD_DRAWING);
    let shards = needed.min(useful).min(frames.into()).min(MOST_CHOSEN);
    u32::try_from(shards).unwrap_or(1).max(1)
}

/// What is said about the choice.
fn reasons(
    estimate: &Estimate,
    (frames, [width, height]): (u64, [u32; 2]),
    shards: u32,
    longest: u128,
) -> Vec<String> {
    let work = format!(
        "{} of {width}x{height}: about {} of one core to simulate, {} to draw, {} of frames.",
        counted(frames, "frame"),
        duration(estimate.simulation),
        duration(estimate.drawing),
        bytes(estimate.bytes)
    );
    let each = match shards {
        1 => {
            "1 shard: more would wait for their simulation, or for the engine, more than they draw."
                .into()
        }
        shards => format!(
            "Each of {shards} shards simulates from frame 0 up to its own frames and draws these: about {} for the last.",
            duration(longest)
        ),
    };
    vec![work, each]
}

/// Minutes for a step of so many estimated nanoseconds.
fn minutes_for(work: u128) -> u32 {
    let minutes = (work.saturating_mul(SLOWNESS)).div_ceil(MINUTE).saturating_add(SPARE_MINUTES);
    u32::try_from(minutes).unwrap_or(MOST_STEP_MINUTES).min(MOST_STEP_MINUTES)
}

/// MiB of a shard, with room: a render of 1280x720 on one thread takes 20, one of 3840x2160 takes 54.
fn memory(estimate: &Estimate, pixels: u128, threads: u16) -> u64 {
    const BASE: u128 = 256;
    let pictures =
        pixels * (u128::from(threads) * u128::from(PIXEL_BYTES) + u128::from(PIXEL_BYTES));
    let bodies = u128::from(estimate.nodes) * 2000;
    let all = BASE + ((pictures + bodies) >> 20);
    u64::try_from(all.next_multiple_of(64)).unwrap_or(u64::MAX)
}

/// MiB of ffmpeg, whose frames in flight take some hundred bytes a pixel.
fn film_memory(pixels: u128) -> u64 {
    let all = 512 + ((pixels * 200) >> 20);
    u64::try_from(all.next_multiple_of(64)).unwrap_or(u64::MAX)
}

/// The files that shards read: the scene, those that it names, and the typeface, with its place among
/// them.
fn inputs(scene: &Scene, path: &Path, font: Option<&Path>) -> (Vec<Input>, Option<usize>) {
    let text = scene.source_text().text.len() as u64;
    let mut all = vec![Input { path: path.to_owned(), name: name_of(path), bytes: text }];
    let folder = path.parent().unwrap_or(Path::new(""));
    all.extend(scene.files.iter().map(|file| Input {
        path: folder.join(&file.name),
        name: PathBuf::from(&file.name),
        bytes: file.bytes.len() as u64,
    }));
    let place = font.map(|font| {
        let bytes = std::fs::metadata(font).map_or(0, |file| file.len());
        let name = Path::new("font").join(name_of(font));
        all.push(Input { path: font.to_owned(), name, bytes });
        all.len() - 1
    });
    (all, place)
}

/// The last part of a path.
fn name_of(path: &Path) -> PathBuf {
    PathBuf::from(path.file_name().unwrap_or(path.as_os_str()))
}

/// The words of a shard's command.
fn words(options: &ClusterOptions, font: Option<usize>) -> Vec<Word> {
    let plain = |word: &OsString| Word::Plain(word.clone());
    let mut words: Vec<Word> = options.words.iter().map(plain).collect();
    if let Some(place) = font {
        words.extend([Word::Plain("--font".into()), Word::Input(place)]);
    }
    words.extend(["--threads".into(), options.threads.to_string().into()].map(Word::Plain));
    words
}

/// Whether a text is a sweep rather than a scene, by its first word.
pub fn is_sweep(text: &str) -> bool {
    let mut rest = text.trim_start();
    while rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with("#!") {
        let (end, length) = if rest.starts_with("/*") { ("*/", 2) } else { ("\n", 1) };
        rest = rest.find(end).map_or("", |at| &rest[at + length..]).trim_start();
    }
    rest.strip_prefix("Sweep").is_some_and(|rest| rest.trim_start().starts_with('('))
}
