//! A scene that is rendered anew whenever it changes.
//!
//! [`watch`] takes edition after edition of a scene from [`Changes`], and has [`Pictures`] made of
//! each: in a folder ([`FolderPictures`]), or in memory for a page in a browser ([`ShownPictures`],
//! [`Server`]). What is made of an older edition is dropped as soon as a newer one is there. An
//! edition that cannot be used leaves the pictures as they are.

mod changes;
mod file_changes;
mod folder;
mod page;
mod request;
mod server;
mod shown;

pub use changes::{Changes, Edition};
pub use file_changes::FileChanges;
pub use folder::FolderPictures;
pub use server::{MOST_CONNECTIONS, MOST_REQUEST_BYTES, Server};
pub use shown::{MOST_BYTES, ShownPictures};

use crate::job::{Interruption, Progress, RenderError, Rendered, RunError};
use catena_scene::Scene;

/// What is made of a scene, and where it goes.
pub trait Pictures {
    /// Makes the pictures of an edition, those first that are looked at, or goes on with them.
    ///
    /// # Errors
    /// As [`crate::job::render`]. What there is of the edition stays after an interruption.
    fn make(
        &mut self,
        edition: u64,
        scene: &Scene,
        progress: &dyn Progress,
        interruption: &dyn Interruption,
    ) -> Result<Rendered, RenderError>;

    /// The newest edition can be read, and its pictures begin.
    fn begins(&mut self) {}

    /// The newest edition cannot be used. The pictures of an older one stay.
    fn refuse(&mut self, _error: &RunError) {}
}

/// Who is told what becomes of each edition.
pub trait Audience {
    /// An edition has been read, and its pictures begin.
    fn begins(&mut self, scene: &Scene);

    /// Is told how far the pictures are.
    fn progress(&self) -> &dyn Progress;

    /// An edition cannot be used.
    fn refused(&mut self, error: RunError);

    /// All pictures of an edition are there.
    fn made(&mut self, scene: &Scene, rendered: &Rendered);
}

/// Whether a newer edition is there, or all is to end.
struct Outdated<'a> {
    changes: &'a dyn Changes,
    edition: u64,
    end: &'a dyn Interruption,
}

impl Interruption for Outdated<'_> {
    fn is_set(&self) -> bool {
        self.end.is_set() || self.changes.is_newer(self.edition)
    }

    fn begins(&self) {
        self.end.begins();
    }
}

/// Makes the pictures of every edition, until `end` is set or no more editions come. Returns how
/// many pictures of the last edition there are, and of how many, where it was interrupted.
pub fn watch(
    changes: &dyn Changes,
    pictures: &mut (dyn Pictures + Send),
    audience: &mut (dyn Audience + Send),
    end: &dyn Interruption,
) -> Option<[u64; 2]> {
    end.begins();
    // The scene whose pictures are not all there, and its edition.
    let mut unfinished: Option<(u64, Scene)> = None;
    let (mut seen, mut reached) = (0, None);
    while let Some(Edition { number, scene }) = changes.next(seen, end) {
        seen = number;
        let mut is_new = false;
        match scene {
            Ok(scene) => {
                audience.begins(&scene);
                pictures.begins();
                (unfinished, is_new, reached) = (Some((number, scene)), true, None);
            }
            Err(error) => {
                let error = RunError::Scene(error);
                pictures.refuse(&error);
                audience.refused(error);
            }
        }
        let Some((edition, scene)) = &unfinished else { continue };
        // What is left of an older edition is made while somebody mends the newest one.
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

/// What is said of an edition that cannot be used, as `catena check` says it, without colours.
pub fn words(error: &RunError) -> String {
    match error {
        RunError::Scene(error) => error.report(false),
        error => format!("error: {error}"),
    }
}
