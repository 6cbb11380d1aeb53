//! Rendering of a scene each time it changes.
//!
//! [`watch`] takes one edition of a scene after another from [`Changes`] and passes each to
//! [`Pictures`]. The pictures are files in a folder ([`FolderPictures`]), or in memory for a page
//! in a browser ([`ShownPictures`], [`Server`]). A new edition interrupts work on the previous one.
//! An unusable edition leaves the pictures unchanged.

mod file_changes;
mod page;
mod request;
mod server;
mod shown;
mod tuning;

pub use file_changes::{Changes, Edition, FileChanges};
pub use server::{MAX_CONNECTIONS, MAX_REQUEST_BYTES, Server, ServerOptions};
pub use shown::{MAX_BYTES, ShownPictures};
pub use tuning::{Tuner, with_changes};

use crate::job::{
    FrameOrder, Interruption, Progress, RenderError, RenderOptions, Rendered, RunError, Stage,
    render,
};
use catena_scene::Scene;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Maker and destination of the pictures of a scene.
pub trait Pictures {
    /// Renders the pictures of an edition, the most useful ones first, or resumes them.
    ///
    /// # Errors
    /// The errors of [`crate::job::render`]. After an interruption, the finished pictures of the
    /// edition are kept.
    fn make(
        &mut self,
        edition: u64,
        scene: &Scene,
        progress: &dyn Progress,
        interruption: &dyn Interruption,
    ) -> Result<Rendered, RenderError>;

    /// Called when the newest edition has been read, before its pictures are made.
    fn started(&mut self) {}

    /// Called when the newest edition cannot be used. The pictures of the previous one are kept.
    fn refuse(&mut self, _error: &RunError) {}
}

/// Receiver of reports about each edition.
pub trait Audience {
    /// Called when an edition has been read, before its pictures are made.
    fn started(&mut self, scene: &Scene);

    /// Receiver of the progress of the pictures.
    fn progress(&self) -> &dyn Progress;

    /// Called when an edition cannot be used.
    fn refused(&mut self, error: RunError);

    /// Called when all pictures of an edition are finished.
    fn made(&mut self, scene: &Scene, rendered: &Rendered);
}

/// Interruption by a newer edition or by the end of the program.
struct Outdated<'a> {
    changes: &'a dyn Changes,
    edition: u64,
    end: &'a dyn Interruption,
}

impl Interruption for Outdated<'_> {
    fn is_set(&self) -> bool {
        self.end.is_set() || self.changes.poll_newer(self.edition)
    }

    fn started(&self) {
        self.end.started();
    }
}

/// Renders the pictures of every edition until `end` is set or no more editions come. If the last
/// edition was interrupted, returns the number of its finished pictures and their total.
pub fn watch(
    changes: &dyn Changes,
    pictures: &mut (dyn Pictures + Send),
    audience: &mut (dyn Audience + Send),
    end: &dyn Interruption,
) -> Option<[u64; 2]> {
    end.started();
    // Number and scene of an edition with unfinished pictures.
    let mut unfinished: Option<(u64, Scene)> = None;
    let (mut seen, mut reached) = (0, None);
    while let Some(Edition { number, scene }) = changes.next(seen, end) {
        seen = number;
        let mut is_new = false;
        match scene {
            Ok(scene) => {
                audience.started(&scene);
                pictures.started();
                (unfinished, is_new, reached) = (Some((number, scene)), true, None);
            }
            Err(error) => {
                let error = RunError::Scene(error);
                pictures.refuse(&error);
                audience.refused(error);
            }
        }
        let Some((edition, scene)) = &unfinished else { continue };
        // The pictures of the previous edition are finished while the user corrects the newest
        // edition.
        let progress = if is_new { audience.progress() } else { &() };
        let outdated = Outdated { changes, edition: seen, end };
        match pictures.make(*edition, scene, progress, &outdated) {
            Ok(rendered) => {
                reached = None;
                if is_new {
                    audience.made(scene, &rendered);
                }
            }
            Err(RenderError::Interrupted { there, frames }) => {
                reached = Some([there, frames]);
                continue;
            }
            Err(error) => {
                let error = match error {
                    RenderError::Run(error) => error,
                    other => RunError::Option(other.to_string()),
                };
                pictures.refuse(&error);
                audience.refused(error);
            }
        }
        unfinished = None;
    }
    reached
}

/// Message about an unusable edition without colours, with the same words as `catena check`.
pub fn words(error: &RunError) -> String {
    match error {
        RunError::Scene(error) => error.report(false),
        error => format!("error: {error}"),
    }
}

/// Pictures in a folder.
#[derive(Clone, Debug)]
pub struct FolderPictures {
    folder: PathBuf,
    options: RenderOptions,
}

impl FolderPictures {
    /// Creates pictures in this folder. Frames are rendered from coarse to fine, followed by the
    /// steady-state comparison.
    pub fn new(folder: &Path, options: &RenderOptions) -> Self {
        let options = RenderOptions { order: FrameOrder::CoarseToFine, ..options.clone() };
        Self { folder: folder.to_owned(), options }
    }
}

impl Pictures for FolderPictures {
    fn make(
        &mut self,
        _: u64,
        scene: &Scene,
        progress: &dyn Progress,
        interruption: &dyn Interruption,
    ) -> Result<Rendered, RenderError> {
        let frames = RenderOptions { steady: false, ..self.options.clone() };
        // The first edition reports whose frames it replaces. Later editions replace only frames of
        // this process.
        self.options.replaces_quietly = true;
        let rendered = render(scene, &self.folder, &frames, progress, interruption)?;
        if !self.options.steady {
            return Ok(rendered);
        }
        let progress = SteadyProgress(progress);
        render(scene, &self.folder, &self.options, &progress, interruption)
    }
}

/// Progress of the steady-state comparison only, because the frames were already reported.
struct SteadyProgress<'a>(&'a dyn Progress);

impl Progress for SteadyProgress<'_> {
    fn note(&self, text: &str) {
        self.0.note(text);
    }

    fn settling_started(&self, frames: u64) {
        self.0.settling_started(frames);
    }

    fn settling(&self, frame: u64, limit: u64) {
        self.0.settling(frame, limit);
    }

    fn settled(&self, saved: u64) {
        self.0.settled(saved);
    }

    fn settling_ended(&self) {
        self.0.settling_ended();
    }

    fn spent(&self, stage: Stage, time: Duration) {
        self.0.spent(stage, time);
    }
}
