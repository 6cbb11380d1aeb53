//! `catena render`: frames in a folder, or a film of a scene.

use super::{
    Failure,
    args::RenderArgs,
    interrupt::{self, Interrupt},
    notes,
    progress::Reporter,
    threads,
};
use crate::film::FilmTarget;
use crate::job::{
    self, BodyOutcome, FrameError, Progress, RenderError, RunError, SceneFilmError, Stage,
};
use crate::scene::Scene;
use crate::shard::{ShardChoice, ShardPlace};
use crate::text::printable;
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

pub(super) fn run(args: &RenderArgs, interrupt: &Interrupt) -> Result<(), Failure> {
    if let (None, Some(option)) = (&args.film, args.film_options.given()) {
        return Err(Failure::Usage(format!(
            "{option} is an option for films and needs --film FILE"
        )));
    }
    if let Some(why) = args.conflict() {
        return Err(Failure::Usage(why.into()));
    }
    let reporter = Reporter::new(&args.progress);
    let start = Instant::now();
    let scene = args.load()?;
    reporter.spent(Stage::Prepare, start.elapsed());
    let size = args.size.map_or(scene.size, |size| size.0);
    let threads = job::max_threads(size, threads::wanted(args.threads));
    let pool = threads::pool(threads, "render", args.progress.quiet)?;
    let command = Command { args, scene: &scene, interrupt, reporter: &reporter };
    pool.install(|| match &args.film {
        Some(output) if args.shard.is_none() => command.film(output),
        _ => command.folder(),
    })
}

/// The command, together with the scene that it has read.
struct Command<'a> {
    args: &'a RenderArgs,
    scene: &'a Scene,
    interrupt: &'a Interrupt,
    reporter: &'a Reporter,
}

impl Command<'_> {
    /// Renders all frames or one shard into a folder.
    fn folder(&self) -> Result<(), Failure> {
        let Self { args, scene, interrupt, reporter } = *self;
        let path = args.out.clone().unwrap_or_else(|| default_folder(args, scene));
        let (folder, position) = (printable::path(&path), reporter.position());
        let last_words = {
            let folder = folder.clone();
            move || interrupted(&folder, position.reached())
        };
        let watched = interrupt.watched(last_words);
        let refuse = |error| match error {
            RenderError::Interrupted { there, frames } => {
                self.interrupted(interrupted(&folder, Some([there, frames])))
            }
            // Written files are kept, so the same command resumes when there is space.
            RenderError::Run(RunError::Output(error)) if error.is_full() => {
                Failure::Full(error, interrupt::command())
            }
            RenderError::Run(error) => error.into(),
            RenderError::Film(error) => error.into(),
        };
        let mut notes = Vec::new();
        let (rendered, place) = match args.shard {
            None => {
                let rendered = job::render(scene, &path, &args.options(), reporter, &watched);
                (rendered.map_err(refuse)?, path.display().to_string())
            }
            Some(choice) => {
                let options = args.shard_options(choice, interrupt::command());
                let made = job::render_shard(scene, &path, &options, reporter, &watched);
                let made = made.map_err(refuse)?;
                notes.push(what_follows(choice, &path, made.is_merged));
                let place = match made.is_merged {
                    true => path.clone(),
                    false => ShardPlace::new(&path, choice).product(),
                };
                (made.rendered, place.display().to_string())
            }
        };
        let what = match (rendered.has_steady, args.shard) {
            (true, None) => ", steady.png and manifest.json",
            (false, None) => " and manifest.json",
            (true, Some(_)) => " and steady.png",
            (false, Some(_)) => "",
        };
        notes.extend(rendered.note);
        self.report(rendered.frames, what, &place, notes, &rendered.bodies)?;
        self.check_strict(&rendered.bodies)
    }

    /// Makes a film without a folder of frames.
    fn film(&self, output: &OsString) -> Result<(), Failure> {
        let Self { args, scene, interrupt, reporter } = *self;
        let target = FilmTarget::new(output);
        let is_made = Arc::new(AtomicBool::new(false));
        let last_words = film_last_words(&target, &is_made);
        let watched = interrupt.watched(last_words.clone());
        let made = job::film_scene(scene, output, &args.scene_film_options(), reporter, &watched);
        let made = made.map_err(|error| match error {
            SceneFilmError::Frames(FrameError::Interrupted) => self.interrupted(last_words()),
            SceneFilmError::Frames(FrameError::Run(error)) => error.into(),
            SceneFilmError::Film(error) => error.into(),
        })?;
        if let Some(film) = made.film {
            // Computing the cautions may take long, and a signal may arrive in the meantime.
            is_made.store(true, Ordering::Relaxed);
            self.report(film.frames, "", &target.to_string(), film.notes, &made.bodies)?;
        }
        self.check_strict(&made.bodies)
    }

    /// Prints the notes and the last line.
    fn report(
        &self,
        frames: u64,
        what: &str,
        place: &str,
        mut lines: Vec<String>,
        bodies: &[BodyOutcome],
    ) -> Result<(), Failure> {
        let Self { args, scene, reporter, .. } = *self;
        let end = args.frames().of(scene)?.end;
        let cautions = job::cautions(scene, end, &args.font.files)?;
        lines.extend(job::caution_lines(&cautions, args.notes.notes));
        lines.extend(notes::endings(bodies));
        lines.extend(notes::unconverged(scene, bodies));
        lines.extend(notes::stops(bodies));
        reporter.done(frames, what, place, &lines);
        if args.timings {
            reporter.timings(frames);
        }
        Ok(())
    }

    /// Returns an error under `--strict` if a body diverged.
    fn check_strict(&self, bodies: &[BodyOutcome]) -> Result<(), Failure> {
        match notes::diverged(bodies) {
            lines if self.args.strict && !lines.is_empty() => {
                Err(Failure::Diverged(lines.join("; ")))
            }
            _ => Ok(()),
        }
    }

    fn interrupted(&self, message: String) -> Failure {
        Failure::Interrupted { code: self.interrupt.exit_code().unwrap_or(130), message }
    }
}

/// Note about the next step after a shard.
fn what_follows(choice: ShardChoice, folder: &Path, is_merged: bool) -> String {
    let (of, folder) = (choice.of(), folder.display());
    match (is_merged, of) {
        (true, _) => format!("note: shard {choice} is already merged into {folder}"),
        (false, 1) => format!("note: catena merge {folder} completes the render"),
        (false, _) => {
            format!("note: after all {of} shards have finished, catena merge {folder} joins them")
        }
    }
}

fn default_folder(args: &RenderArgs, scene: &Scene) -> PathBuf {
    let folder = Path::new("out").join(&scene.name);
    match args.variant {
        Some(number) => folder.join(format!("variant_{number}")),
        None => folder,
    }
}

/// Message about an interrupted render, with the numbers of finished and total frames.
fn interrupted(folder: &str, reached: Option<[u64; 2]>) -> String {
    let command = interrupt::command();
    let state = match reached {
        Some([there, all]) => format!("with {there} of {all} frames in {folder}"),
        None => format!("before checking the frames in {folder}"),
    };
    format!("interrupted {state}; resume with:\n  {command}")
}

/// Message about an interrupted film. The text depends on whether the film is already finished when
/// the message is printed.
fn film_last_words(
    target: &FilmTarget,
    is_made: &Arc<AtomicBool>,
) -> impl Fn() -> String + Clone + Send + Sync + 'static {
    let film = printable::line(&target.to_string()).into_owned();
    let is_made = Arc::clone(is_made);
    move || match is_made.load(Ordering::Relaxed) {
        true => format!("interrupted: {film} is finished, but its notes were not printed"),
        false => {
            let command = interrupt::command();
            format!("interrupted: no film was made; start again with:\n  {command}")
        }
    }
}
