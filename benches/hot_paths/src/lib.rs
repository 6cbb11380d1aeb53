//! Shared code of the benchmarks: scenes, and frames to draw.

#![allow(clippy::unwrap_used, missing_docs)]

use catena::{
    render::{PanelFrame, PanelRun},
    scene::{Scene, SceneText, load},
    sim::Setup,
};
use std::sync::Arc;

/// Builds a scene from the text of its base.
pub fn scene(base: &str) -> Scene {
    read(&format!("Scene(base: ({base}))"))
}

/// The main job: two panels, 16 nodes, 64 substeps.
pub fn compare() -> Scene {
    read(include_str!("../../../scenes/compare.ron"))
}

fn read(text: &str) -> Scene {
    load(&SceneText { origin: "bench".into(), name: "bench".into(), text: text.into() }, &[])
        .unwrap()
}

/// Setup of the first body of a base.
pub fn setup(base: &str) -> Arc<Setup> {
    Arc::clone(&scene(base).panels[0].bodies[0].setup)
}

/// The first frames of a scene.
pub fn panel_frames(scene: &Scene, frames: usize) -> Vec<Vec<PanelFrame>> {
    let mut panel_runs: Vec<_> = scene.panels.iter().map(PanelRun::new).collect();
    let mut frame = || {
        panel_runs.iter_mut().for_each(PanelRun::advance_frame);
        panel_runs.iter().map(|panel_run| panel_run.current().clone()).collect()
    };
    (0..frames).map(|_| frame()).collect()
}
