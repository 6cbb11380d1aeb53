//! `catena render`: frames, the steady-state comparison and a manifest; or a film without files in between.

mod alone;
mod claimed;
mod film;
mod notes;
mod patience;
mod steady;

use super::{
    Failure,
    args::RenderArgs,
    cautions::cautions,
    frames::{Keeping, Reel},
    interrupt::{self, Interrupt},
    progress::Progress,
    room::Need,
    threads,
    timings::{Stage, Timings},
    typeface,
};
use crate::analysis::settle::Ending;
use crate::film::FilmTarget;
use crate::output::{
    OutputError,
    checkpoint::Checkpoints,
    clearing::WantedFiles,
    folder::{EarlierRender, Folder},
    hash::sha256,
    manifest::{FrameEntry, Manifest, RenderSource},
};
use crate::render::{Painter, text::Font};
use crate::scene::{
    Patch, Scene,
    limits::{PlannedRun, Product},
};
use crate::text::printable;
pub(super) use patience::LEAST_SECONDS;
use patience::Patience;
use std::{
    collections::HashSet,
    io,
    ops::Range,
    path::{Path, PathBuf},
};

/// All that a render is about.
struct Task<'a> {
    args: &'a RenderArgs,
    scene: &'a Scene,
    font: &'a Font,
    painter: &'a Painter<'a>,
    /// The frames that are asked for.
    range: Range<u64>,
    /// The folder.
    path: &'a Path,
    source: &'a RenderSource,
    /// The key of the source.
    key: String,
    timings: &'a Timings,
    interrupt: &'a Interrupt,
}

pub(super) fn run(args: &RenderArgs, interrupt: &Interrupt) -> Result<(), Failure> {
    if let (None, Some(option)) = (&args.film, args.film_options.given()) {
        return Err(Failure::Usage(format!(
            "{option} is an option of films and needs --film FILE"
        )));
    }
    let timings = Timings::new();
    let range = |scene: &Scene| match (&args.frame_range, args.frames) {
        (Some(range), _) => range.0.clone(),
        (None, frames) => 0..frames.unwrap_or(scene.frames),
    };
    let size = |scene: &Scene| args.size.map_or(scene.size, |size| size.0);
    let run = |scene: &Scene| PlannedRun {
        frames: range(scene).end,
        from: range(scene).start,
        product: match args.film {
            Some(_) => Product::Film { size: size(scene) },
            None => Product::Pictures { size: size(scene), settles: !args.no_steady },
        },
    };
    let (text, mut scene) = timings.time(Stage::Prepare, || args.scene.load(run))?;
    scene.size = size(&scene);
    let range = range(&scene);
    let path = args.out.clone().unwrap_or_else(|| default_folder(&scene));
    let threads = most_threads(args, scene.size);
    let target = args.film.as_ref().map_or(path.as_path(), Path::new);
    ask_for_memory(target, scene.size, threads)?;
    let (faces, font_sha256) = typeface::faces(&args.font)?;
    let font = Font::new(faces);
    let painter = timings
        .time(Stage::Prepare, || Painter::new(&scene, font.clone()))
        .map_err(|error| Failure::paint(&text, error))?;
    let source = source(&scene, args, font_sha256);
    let task = Task {
        args,
        scene: &scene,
        font: &font,
        painter: &painter,
        range,
        path: &path,
        source: &source,
        key: source.key(),
        timings: &timings,
        interrupt,
    };
    let pool = threads::pool(threads, "render", args.progress.quiet)?;
    pool.install(|| match (&args.film, args.claim) {
        (Some(target), _) => film::run(&task, target),
        (None, true) => claimed::run(&task).map_err(with_way_on),
        (None, false) => alone::run(&task).map_err(with_way_on),
    })
}

/// Each thread has a canvas of its own; together they take at most about 2 GiB.
fn most_threads(args: &RenderArgs, size: [u32; 2]) -> usize {
    let canvas_bytes = A_PIXEL * size.map(u64::from).iter().product::<u64>();
    let most = ((2 << 30) / canvas_bytes).max(1) as usize;
    threads::wanted(args.threads).min(most)
}

/// Bytes of a pixel for each thread that draws: its picture and its mask.
const A_PIXEL: u64 = 12;
/// Bytes of a pixel of what all frames have in common.
const A_TEMPLATE_PIXEL: u64 = 4;

/// Refuses a render for whose pictures there is too little memory.
fn ask_for_memory(path: &Path, size: [u32; 2], threads: usize) -> Result<(), OutputError> {
    let [width, height] = size;
    let pixels = u64::from(width) * u64::from(height);
    let need = Need { each: A_PIXEL * pixels, common: A_TEMPLATE_PIXEL * pixels };
    if need.is_met(threads) {
        return Ok(());
    }
    let what = format!(
        "there is too little memory for {threads} threads and pictures of {width}x{height}; lower --threads or --size"
    );
    let cause = io::Error::new(io::ErrorKind::OutOfMemory, what);
    Err(OutputError::new("render into", path, cause))
}

fn default_folder(scene: &Scene) -> PathBuf {
    Path::new("out").join(&scene.name)
}

/// A full disk does not take anything back: says how to go on.
fn with_way_on(failure: Failure) -> Failure {
    match failure {
        Failure::Output(error) if error.is_full() => Failure::Full(error, interrupt::command()),
        other => other,
    }
}

fn source(scene: &Scene, args: &RenderArgs, font_sha256: Option<String>) -> RenderSource {
    RenderSource {
        catena: env!("CARGO_PKG_VERSION").into(),
        build: env!("CATENA_BUILD").into(),
        scene: scene.name.clone(),
        scene_sha256: sha256(scene.text.as_bytes()),
        scene_text: scene.text.clone(),
        size: scene.size,
        set: args.scene.set.iter().map(Patch::text).collect(),
        font_sha256,
    }
}

impl Task<'_> {
    fn last(&self) -> u64 {
        self.range.end - 1
    }

    fn threads(&self) -> usize {
        most_threads(self.args, self.scene.size)
    }

    fn checkpoints(&self, folder: &Folder) -> Checkpoints {
        Checkpoints::new(folder.private(), &self.key)
    }

    fn keeping(&self, folder: &Folder) -> Keeping {
        Keeping { checkpoints: self.checkpoints(folder), every: self.args.checkpoint_every }
    }

    /// A manifest without frames.
    fn manifest(&self) -> Manifest {
        let under_way = Some([self.range.start, self.last()]);
        Manifest { source: self.source.clone(), frames: Vec::new(), under_way, steady: None }
    }

    fn patience(&self) -> Patience {
        Patience::new(self.scene, self.args.steady_time, self.last())
    }

    /// For each panel the frame after which its bodies are waited for no longer: past the last frame before any is given up.
    fn limits(&self) -> Vec<u64> {
        let patience = self.patience();
        let panels = self.scene.panels.iter();
        panels.map(|panel| patience.limit(panel.rest.limit, self.last())).collect()
    }

    /// The frames that are asked for and not there.
    fn missing(&self, there: &[FrameEntry]) -> Vec<u64> {
        let there: HashSet<u64> = there.iter().map(|entry| entry.frame).collect();
        self.range.clone().filter(|frame| !there.contains(frame)).collect()
    }

    /// Reports on the frames of a render, of which so many have yet to be drawn.
    fn progress(&self, missing: usize, notes: &[String]) -> Progress {
        let all = self.range.end - self.range.start;
        let progress = Progress::new(&self.args.progress, all, all - missing as u64);
        notes.iter().for_each(|note| progress.note(note));
        progress
    }

    /// From here on this render ends by itself when it is asked to.
    fn ends_by_itself(&self, progress: &Progress) {
        let (there, said) = (progress.counter(), self.interrupted_with());
        self.interrupt.will_be_seen(move || said(Some(there())));
    }

    /// What is said of a render that ends before its time, with so many frames where that is known.
    fn interrupted_with(&self) -> impl Fn(Option<u64>) -> String + Send + 'static {
        let all = self.range.end - self.range.start;
        let folder = printable::path(self.path);
        move |there| {
            let command = interrupt::command();
            let state = match there {
                Some(there) => format!("with {there} of {all} frames in {folder}"),
                None => format!("before the frames in {folder} were looked at"),
            };
            format!("interrupted {state}; this goes on:\n  {command}")
        }
    }

    /// With `--strict` a body that diverged is a failure.
    fn verdict(&self, diverged: &[Option<Ending>]) -> Result<(), Failure> {
        match notes::diverged(self.scene, diverged) {
            lines if self.args.strict && !lines.is_empty() => {
                Err(Failure::Diverged(lines.join("; ")))
            }
            _ => Ok(()),
        }
    }

    /// The end of a render that was to end before its time.
    fn interrupted(&self, frames: &[FrameEntry]) -> Failure {
        let there = self.range.end - self.range.start - self.missing(frames).len() as u64;
        let code = self.interrupt.exit_code().unwrap_or(130);
        Failure::Interrupted { code, said: self.interrupted_with()(Some(there)) }
    }
}

/// Takes over what an earlier render of the same has left, and removes what else is catena's. The
/// folder is this process's alone.
fn begin(task: &Task<'_>, folder: &Folder) -> Result<EarlierRender, OutputError> {
    let mut found = folder.earlier_render(task.source);
    if task.args.frame_range.is_none() {
        let all = found.frames.len();
        found.frames.retain(|entry| task.range.contains(&entry.frame));
        if let beyond @ 1.. = all - found.frames.len() {
            let end = task.range.end;
            found.notes.push(format!(
                "note: {beyond} frames of an earlier render from {end} on are removed, since {end} frames are asked for"
            ));
        }
    }
    // Bodies are waited for up to the last frame at least, so another last frame may mean another picture.
    found.steady = found.steady.filter(|steady| steady.limits == task.limits());
    let missing = task.missing(&found.frames).into_iter().collect();
    let steady = found.steady.is_none() && !task.args.no_steady;
    let wanted = WantedFiles { frames: missing, steady, size: task.scene.size };
    let clearing = folder.plan(&found, &wanted)?;
    found.notes.extend(clearing.notes.iter().cloned());
    let (frames, steady) = (found.frames.clone(), found.steady.clone());
    // From here on the folder is known as ours, and what is kept is known, should this render be
    // interrupted.
    let manifest = Manifest { frames, steady, ..task.manifest() };
    found.notes.extend(folder.clear(&clearing, &manifest)?);
    if found.has_other_source {
        task.checkpoints(folder).clear()?;
    }
    folder.remove_all_claims()?;
    Ok(found)
}

/// What a render has made.
struct Made {
    /// How many frames there are of those that were asked for.
    frames: u64,
    what: &'static str,
    place: String,
    notes: Vec<String>,
    /// How each body ended, where that is known, and which diverged up to the last frame.
    endings: Vec<Option<Ending>>,
    diverged: Vec<Option<Ending>>,
    unconverged: Vec<u64>,
}

impl Made {
    fn new(task: &Task<'_>, reel: &Reel<'_>, manifest: &Manifest) -> Self {
        let diverged = reel.diverged();
        let steady = manifest.steady.as_ref().filter(|_| !task.args.no_steady);
        let endings = steady.map_or_else(|| diverged.clone(), steady::endings);
        let notes = steady::way_on(task, &endings).filter(|_| steady.is_some());
        Self {
            frames: task.range.end - task.range.start,
            what: if steady.is_some() {
                ", steady.png and manifest.json"
            } else {
                " and manifest.json"
            },
            place: task.path.display().to_string(),
            notes: notes.into_iter().collect(),
            endings,
            diverged,
            unconverged: reel.unconverged().to_vec(),
        }
    }

    /// Of a film, with what is to be said of it.
    fn film(task: &Task<'_>, reel: &Reel<'_>, target: &FilmTarget, notes: Vec<String>) -> Self {
        Self {
            frames: task.range.end - task.range.start,
            what: "",
            place: target.to_string(),
            notes,
            endings: reel.diverged(),
            diverged: reel.diverged(),
            unconverged: reel.unconverged().to_vec(),
        }
    }

    /// Says what there is to say at the end.
    fn tell(&self, task: &Task<'_>, progress: &Progress) -> Result<(), Failure> {
        let scene = task.scene;
        let mut said = self.notes.clone();
        let cautions = cautions(scene, task.range.end, task.font);
        said.extend(cautions.iter().map(ToString::to_string));
        said.extend(notes::notes(scene, &self.endings));
        said.extend(notes::unconverged(scene, &self.unconverged));
        progress.done(self.frames, self.what, &self.place, &said);
        if task.args.timings {
            progress.table(&task.timings.table(self.frames));
        }
        task.verdict(&self.diverged)
    }
}
