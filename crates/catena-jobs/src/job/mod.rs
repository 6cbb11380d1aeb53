//! What the command line does, as functions that a program can call.
//!
//! | function | what it makes |
//! | --- | --- |
//! | [`draw`] | one frame of a scene, as a picture in memory |
//! | [`frames`] | many of them, each handed to a function |
//! | [`pictures`] | the same as PNG files in memory, those first that are looked at |
//! | [`simulate`] | where every node of a scene is, as numbers in memory |
//! | [`steady_picture`] | the steady-state comparison, as a picture in memory |
//! | [`render`] | a folder of frames, for one process or shared by several |
//! | [`render_shard`], [`merge`] | a part of such a folder, and all parts put together |
//! | [`film_folder`], [`film_scene`] | a film of a folder, or straight from a scene |
//! | [`report`] | every figure about a scene, and a page that shows them |
//! | [`export()`] | ropes and cloth over time for other programs |
//! | [`Trace`] | the numbers of a scene, as a table |
//! | [`sweep()`], [`sweep_rows`] | a table of what many variants of a scene do, and its rows |
//! | [`stable_steps`] | the longest stable step of each body |
//! | [`check`] | what a scene would make |
//! | [`diff`] | expected pictures beside actual ones |
//! | [`Template`] | a scene to begin with |
//! | [`cluster_render`], [`cluster_sweep`] | what an engine of a cluster is to hand out |
//!
//! A [`catena_scene::Scene`] is read with `text.parse()` or [`catena_scene::load`]. Jobs take plain
//! options, check them, and print nothing: what there is to tell goes to a [`Progress`], and an
//! [`Interruption`] ends them early. `&()` stands for nobody in place of both. `examples/` has
//! short programs that call some of them.

mod cautions;
mod check;
mod cluster;
mod diff;
mod error;
mod export;
mod film;
mod frames;
mod inputs;
mod memory;
mod merge;
mod options;
mod outcome;
mod prepare;
mod progress;
mod refusal;
mod render;
mod report;
mod simulate;
mod stability;
mod sweep;
mod template;
mod threads;
mod trace;
mod typeface;

pub use catena_output::film::FilmOptions;
pub use cautions::{Caution, caution_lines, cautions};
pub use check::{Checked, check};
pub use cluster::{ClusterOptions, MOST_STEP_MINUTES, cluster_render, cluster_sweep};
pub use diff::{Comparison, DiffError, DiffOptions, diff};
pub use error::RunError;
pub use export::{ExportOptions, Exported, export};
pub use film::{SceneFilm, SceneFilmError, SceneFilmOptions, film_folder, film_scene};
pub use frames::{FrameError, FrameOptions, FrameOrder, FrameSequence, draw, frames, pictures};
pub use inputs::{frame_inputs, picture_inputs, scene_inputs, sweep_inputs};
pub use merge::{MergeError, MergeOptions, Merged, MergedFrames, merge};
pub use options::{FrameChoice, MOST_FRAMES, MOST_THREADS};
pub use outcome::BodyOutcome;
pub use progress::{Interruption, Progress, Stage};
pub use render::{
    RenderError, RenderOptions, Rendered, RenderedShard, ShardOptions, ShardProduct, render,
    render_shard, steady_picture,
};
pub use report::{MOST_PLAYER_FRAMES, PLAYER_FRAMES, ReportError, ReportOptions, report};
pub use simulate::{Motion, SimulateOptions, simulate};
pub use stability::{StabilityOptions, stable_steps};
pub use sweep::{
    MOST_SHEET, MergedSweep, SweepContent, SweepError, SweepJobOptions, SweepPlan, Swept,
    SweptField, merge_sweep, plan_sweep, sweep, sweep_page, sweep_rows, sweep_sheet,
};
pub use template::{TEMPLATES, Template, TemplateError};
pub use trace::{
    Divergence, Passed, TopologyView, Trace, TraceError, TraceFormat, TraceOptions, TraceTable,
    Traces,
};

pub use cautions::bodies;
pub use check::check_frames;
pub(crate) use memory::Need;
pub use render::LEAST_SECONDS;
pub use sweep::sweep_excess;
pub use threads::{most_threads, thread_pool};
pub use typeface::faces;
