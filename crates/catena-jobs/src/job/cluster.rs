//! Planning of cluster jobs: number of shards, and the time and memory for each.

use super::{
    RenderOptions, RunError, bodies, options, plan_sweep,
    prepare::{faces, limited, view_fit},
    sweep::start_work,
    threads::PIXEL_BYTES,
};
use crate::cluster::{ClusterJob, FilmStep, Input, Word, Work};
use crate::shard::MAX_SHARDS;
use catena_base::text::number::{bytes, counted, duration};
use catena_draw::text::Font;
use catena_scene::{
    Body, Scene,
    limits::{Estimate, FilmEncoding, PlannedRun, Product},
    sweep::Sweep,
};
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Maximum time limit of a step in minutes: a year.
pub const MAX_STEP_MINUTES: u32 = 366 * 24 * 60;

/// Options of a cluster job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterOptions {
    /// Output folder, which receives the shards and the merged result.
    pub out: PathBuf,
    /// Options of a shard's command as typed, except options that have a field in this struct.
    pub words: Vec<OsString>,
    /// Number of shards, from 1 to [`crate::shard::MAX_SHARDS`]. `None` derives it from the
    /// estimated work.
    pub shards: Option<u32>,
    /// Time limit of one run of a shard in minutes, from 1 to [`MAX_STEP_MINUTES`]. `None` allows
    /// four times the estimate plus ten minutes.
    pub minutes: Option<u32>,
    /// Processors per shard, from 1 to [`super::MAX_THREADS`].
    pub threads: u16,
    /// Film to make after the merge.
    pub film: Option<ClusterFilm>,
    /// Path that the job is written to, for its comments.
    pub file: Option<PathBuf>,
}

/// Film that a step of a cluster job makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterFilm {
    /// File of the film.
    pub file: OsString,
    /// Options of `catena film`.
    pub words: Vec<OsString>,
    /// Encoding of the film, for the time limit of the step.
    pub encoding: FilmEncoding,
}

/// Nanoseconds per minute.
const MINUTE: u128 = 60_000_000_000;
/// Minimum work per shard in nanoseconds. Starting a shard costs seconds, and queueing it costs
/// minutes.
const SHARD_WORK: u128 = 2 * MINUTE;
/// Maximum number of shards that are chosen automatically. Slurm's arrays have at most this many
/// tasks by default.
const MAX_CHOSEN: u128 = 1000;
/// Minutes added to the estimate of every step.
const SPARE_MINUTES: u128 = 10;
/// Factor on the estimate of every step, since processors differ and file servers may be busy.
const SLOWNESS: u128 = 4;
/// Assumed minimum reading rate of a merge, in bytes per second.
const MERGE_RATE: u128 = 20_000_000;
/// Assumed time to read a pixel of a frame for a film, in picoseconds.
const READ_PIXEL: u128 = 13_600;
/// Assumed time to read a row of a sweep and write it twice, in nanoseconds.
const ROW: u128 = 10_000;

/// Basic memory of every step in MiB.
const BASE_MEMORY: u128 = 256;
/// Assumed memory per node in bytes, for its simulation and its pictures.
const NODE_BYTES: u128 = 2000;
/// Number of variants that a sweep simulates at the same time.
const LANES: u128 = 32;

/// Plans a render in shards. `path` is the file of the scene.
///
/// # Errors
/// The render would exceed its limits, or an option is out of range.
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
    view_fit(&limited, &Font::new(faces(&render.fonts)?.0), None)?;
    let estimate = Estimate::of(scene, &run);
    let count = frames.end - frames.start;
    let shards = options.shards.unwrap_or_else(|| chosen(&estimate, count));
    let pixels = u128::from(size[0]) * u128::from(size[1]);
    let [first, last] = first_and_last(&estimate, &frames, shards);
    let longest = first.max(last);
    let merging = estimate.bytes * 1_000_000_000 / MERGE_RATE;
    let film = options.film.as_ref().map(|film| film_step(film, count, pixels));
    let (inputs, fonts) = inputs(scene, path, &render.fonts);
    Ok(ClusterJob {
        name: scene.name.clone(),
        work: Work::Render,
        inputs,
        options: words(options, &fonts),
        out: options.out.clone(),
        shards,
        idle: idle(shards, count),
        minutes: options.minutes.unwrap_or_else(|| minutes_for(longest)),
        merge_minutes: minutes_for(merging),
        memory: memory(&estimate, pixels, options.threads),
        threads: options.threads,
        film,
        reasons: reasons(&estimate, count, size, shards, [first, last]),
        file: options.file.clone(),
    })
}

/// Step that makes a film of `count` frames.
fn film_step(film: &ClusterFilm, count: u64, pixels: u128) -> FilmStep {
    let all = pixels.saturating_mul(count.into());
    let read = all.saturating_mul(READ_PIXEL) / 1000;
    FilmStep {
        file: film.file.clone(),
        options: film.words.clone(),
        minutes: minutes_for(read.saturating_add(film.encoding.work(all))),
        memory: film_memory(pixels),
    }
}

/// Plans a sweep in shards. `path` is the file of the sweep or of its scene.
///
/// # Errors
/// An option is out of range, or the sweep cannot be run.
pub fn cluster_sweep(
    sweep: &Sweep,
    path: &Path,
    options: &ClusterOptions,
) -> Result<ClusterJob, RunError> {
    check(options)?;
    let plan = plan_sweep(sweep)?;
    let needed = plan.work.div_ceil(SHARD_WORK).min(plan.bunches.into()).min(MAX_CHOSEN);
    let shards = options.shards.unwrap_or_else(|| u32::try_from(needed).unwrap_or(1).max(1));
    let idle = idle(shards, plan.bunches);
    let busy = shards - idle;
    // Each shard starts a process of its own.
    let shared = plan.work.saturating_sub(start_work());
    let longest = shared.div_ceil(u128::from(busy)).saturating_add(start_work());
    let (base, _) = sweep.example()?;
    let rows = u128::from(plan.variants) * u128::from(plan.rows_each);
    let nodes: usize = bodies(&base).iter().map(|(_, body)| body.setup.model.nodes()).sum();
    let work = format!(
        "{}, {} each: about {} of CPU time, including measures.",
        counted(plan.variants, "variant"),
        counted(plan.frames, "frame"),
        duration(plan.work)
    );
    let busy = match idle {
        0 => counted(shards.into(), "shard"),
        _ => format!("{}, {busy} of which have work", counted(shards.into(), "shard")),
    };
    let each = format!("{busy}: about {} each.", duration(longest));
    Ok(ClusterJob {
        name: sweep.name.clone(),
        work: Work::Sweep,
        inputs: sweep_inputs(sweep, path),
        options: words(options, &[]),
        out: options.out.clone(),
        shards,
        idle,
        minutes: options.minutes.unwrap_or_else(|| minutes_for(longest)),
        merge_minutes: minutes_for(rows * ROW),
        memory: in_steps(BASE_MEMORY + ((nodes as u128 * LANES * NODE_BYTES) >> 20)),
        threads: options.threads,
        film: None,
        reasons: vec![work, each],
        file: options.file.clone(),
    })
}

/// Number of shards without work if there are `parts` units to distribute.
fn idle(shards: u32, parts: u64) -> u32 {
    shards - u32::try_from(parts.max(1)).map_or(shards, |parts| shards.min(parts))
}

/// Input files of a sweep's shards: the sweep, its scene, and the files named by the scene and by
/// values of axes.
fn sweep_inputs(sweep: &Sweep, path: &Path) -> Vec<Input> {
    let file_bytes = |path: &Path| std::fs::metadata(path).map_or(0, |file| file.len());
    let mut all =
        vec![Input { path: path.to_owned(), name: name_of(path), bytes: file_bytes(path) }];
    let folder = path.parent().unwrap_or(Path::new(""));
    let relative = |path: &Path| path.strip_prefix(folder).unwrap_or(path).to_owned();
    let scene = Path::new(&sweep.scene_text().origin);
    if scene != path {
        let bytes = sweep.scene_text().text.len() as u64;
        all.push(Input { path: scene.to_owned(), name: relative(scene), bytes });
    }
    let around = scene.parent().unwrap_or(Path::new(""));
    all.extend(sweep.files().into_iter().filter_map(|(name, bytes)| {
        let path = around.join(name);
        Some(Input { name: relative(&path), path, bytes: bytes?.len() as u64 })
    }));
    all
}

/// Returns an error if an option is out of range.
fn check(options: &ClusterOptions) -> Result<(), RunError> {
    options::within("shards", options.shards.unwrap_or(1), 1..=MAX_SHARDS)?;
    options::within("time", options.minutes.unwrap_or(1), 1..=MAX_STEP_MINUTES)?;
    options::within("threads", options.threads, 1..=super::MAX_THREADS)
}

/// Returns the number of shards. Each shard is a process that first simulates all frames before its
/// own. A shard that draws for less time than the whole simulation takes would mostly repeat work.
fn chosen(estimate: &Estimate, frames: u64) -> u32 {
    let useful = estimate.drawing / (estimate.start + estimate.simulation).max(1);
    let needed = estimate.drawing.div_ceil(SHARD_WORK);
    let shards = needed.min(useful).min(frames.into()).min(MAX_CHOSEN);
    u32::try_from(shards).unwrap_or(1).max(1)
}

/// Work of the first shard, which also makes the steady-state comparison, and of the last one,
/// which simulates all frames.
fn first_and_last(estimate: &Estimate, frames: &Range<u64>, shards: u32) -> [u128; 2] {
    let shards = u128::from(shards);
    let each = estimate.start + estimate.drawing / shards;
    let own = u128::from(frames.end - frames.start).div_ceil(shards);
    let up_to = u128::from(frames.start) + own;
    let simulation = estimate.simulation.saturating_mul(up_to) / u128::from(frames.end.max(1));
    [each + simulation + estimate.settling, each + estimate.simulation]
}

/// Explanation of the chosen numbers. The last argument is the work of the first and of the last
/// shard.
fn reasons(
    estimate: &Estimate,
    frames: u64,
    [width, height]: [u32; 2],
    shards: u32,
    [first, last]: [u128; 2],
) -> Vec<String> {
    let work = format!(
        "{} of {width}x{height}: about {} of CPU time to simulate and {} to draw; the frames take \
         {}.",
        counted(frames, "frame"),
        duration(estimate.simulation),
        duration(estimate.drawing),
        bytes(estimate.bytes)
    );
    let each = match shards {
        1 => {
            "1 shard: more shards would spend more time on simulation or in the queue than on drawing."
                .into()
        }
        shards => {
            let compared = match estimate.settling {
                0 => String::new(),
                _ => format!(
                    ", and {} for the first shard, which makes the steady-state comparison",
                    duration(first)
                ),
            };
            format!(
                "Each of {shards} shards simulates all frames up to its last one, and draws its \
                 own frames: about {} for the last shard{compared}.",
                duration(last)
            )
        }
    };
    vec![work, each]
}

/// Time limit in minutes for a step with this estimated work in nanoseconds.
fn minutes_for(work: u128) -> u32 {
    let minutes = (work.saturating_mul(SLOWNESS)).div_ceil(MINUTE).saturating_add(SPARE_MINUTES);
    u32::try_from(minutes).unwrap_or(MAX_STEP_MINUTES).min(MAX_STEP_MINUTES)
}

/// Memory of a shard in MiB, with a margin. On one thread, a render of 1280x720 takes 20 MiB and a
/// render of 3840x2160 takes 54 MiB.
fn memory(estimate: &Estimate, pixels: u128, threads: u16) -> u64 {
    let pictures =
        pixels * (u128::from(threads) * u128::from(PIXEL_BYTES) + u128::from(PIXEL_BYTES));
    let bodies = u128::from(estimate.nodes) * NODE_BYTES;
    in_steps(BASE_MEMORY + ((pictures + bodies) >> 20))
}

/// Memory of ffmpeg in MiB. Its frames in flight take some hundred bytes per pixel.
fn film_memory(pixels: u128) -> u64 {
    in_steps(2 * BASE_MEMORY + ((pixels * 200) >> 20))
}

/// Rounds MiB up to a multiple of 64.
fn in_steps(memory: u128) -> u64 {
    u64::try_from(memory.next_multiple_of(64)).unwrap_or(u64::MAX)
}

/// Input files of a render's shards: the scene, the files that it names, and the fonts. Also
/// returns the indices of the fonts.
fn inputs(scene: &Scene, path: &Path, fonts: &[PathBuf]) -> (Vec<Input>, Vec<usize>) {
    let text = scene.source_text().text.len() as u64;
    let mut all = vec![Input { path: path.to_owned(), name: name_of(path), bytes: text }];
    let folder = path.parent().unwrap_or(Path::new(""));
    all.extend(scene.files.iter().map(|file| Input {
        path: folder.join(&file.name),
        name: PathBuf::from(&file.name),
        bytes: file.bytes.len() as u64,
    }));
    let first = all.len();
    for (index, font) in fonts.iter().enumerate() {
        let bytes = std::fs::metadata(font).map_or(0, |file| file.len());
        // Fonts with the same file name in different folders need folders of their own.
        let folder = if index == 0 { "font".to_owned() } else { format!("font{}", index + 1) };
        let name = Path::new(&folder).join(name_of(font));
        all.push(Input { path: font.to_owned(), name, bytes });
    }
    let places = (first..all.len()).collect();
    (all, places)
}

/// Last component of a path.
fn name_of(path: &Path) -> PathBuf {
    PathBuf::from(path.file_name().unwrap_or(path.as_os_str()))
}

/// Arguments of a shard's command.
fn words(options: &ClusterOptions, fonts: &[usize]) -> Vec<Word> {
    let plain = |word: &OsString| Word::Plain(word.clone());
    let mut words: Vec<Word> = options.words.iter().map(plain).collect();
    for place in fonts {
        words.extend([Word::Plain("--font".into()), Word::Input(*place)]);
    }
    words.extend(["--threads".into(), options.threads.to_string().into()].map(Word::Plain));
    words
}
