//! Pictures in the output folder of a render. A later render reuses all of them.

use super::Pictures;
use crate::job::{
    FrameOrder, Interruption, Progress, RenderError, RenderOptions, Rendered, Stage, render,
};
use catena_scene::Scene;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// Pictures in a folder.
#[derive(Clone, Debug)]
pub struct FolderPictures {
    folder: PathBuf,
    options: RenderOptions,
}

impl FolderPictures {
    /// Pictures in this folder. Frames are rendered from coarse to fine, followed by the
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
        // The first edition reports whose frames it replaces. Later editions replace frames of this
        // process.
        self.options.replaces_quietly = true;
        let rendered = render(scene, &self.folder, &frames, progress, interruption)?;
        if !self.options.steady {
            return Ok(rendered);
        }
        let progress = SteadyProgress(progress);
        render(scene, &self.folder, &self.options, &progress, interruption)
    }
}

/// Progress of the steady-state comparison alone, because the frames were already reported.
struct SteadyProgress<'a>(&'a dyn Progress);

impl Progress for SteadyProgress<'_> {
    fn note(&self, text: &str) {
        self.0.note(text);
    }

    fn settling_begins(&self, frames: u64) {
        self.0.settling_begins(frames);
    }

    fn settling(&self, frame: u64, limit: u64) {
        self.0.settling(frame, limit);
    }

    fn settled(&self, saved: u64) {
        self.0.settled(saved);
    }

    fn settling_ends(&self) {
        self.0.settling_ends();
    }

    fn spent(&self, stage: Stage, time: Duration) {
        self.0.spent(stage, time);
    }
}
