//! Commands of the command line as functions for programs.
//!
//! | function | result |
//! | --- | --- |
//! | [`draw`] | one frame of a scene, as a picture in memory |
//! | [`frames`] | several frames, each passed to a function |
//! | [`pictures`] | frames as PNG files in memory, in a chosen order |
//! | [`simulate`] | positions of every node of a scene in memory |
//! | [`steady_picture`] | the steady-state comparison as a picture in memory |
//! | [`render`] | a folder of frames, made by one process or several |
//! | [`render_shard`], [`merge`] | a part of such a folder, and the merge of all parts |
//! | [`film_folder`], [`film_scene`] | a film of a folder, or directly of a scene |
//! | [`report`] | all figures about a scene, and a page that shows them |
//! | [`figure`] | one of these figures |
//! | [`export()`] | ropes and cloth over time for other programs |
//! | [`Trace`] | the numbers of a scene, as a table |
//! | [`sweep()`], [`sweep_rows`] | a table of results for many variants of a scene, and its rows |
//! | [`stable_steps`] | the maximum stable step of each body |
//! | [`statics()`], [`statics_json`], [`rest_picture`] | rests, as numbers and a picture |
//! | [`check`] | the cost and cautions of a scene |
//! | [`identify()`] | the method, variant and slip that reproduce a recorded motion |
//! | [`diff`] | a comparison of expected and actual pictures |
//! | [`Template`] | a new scene file |
//! | [`import()`] | the scene of a MoorDyn deck |
//! | [`cluster_render`], [`cluster_sweep`] | a plan of shards for a cluster engine |
//!
//! A [`catena_scene::Scene`] is read with `text.parse()` or [`catena_scene::load`]. Jobs take plain
//! options and validate them. They print nothing: messages go to a [`Progress`], and an
//! [`Interruption`] ends them early. `&()` serves as an empty implementation of both. `examples/`
//! has short programs that call these functions.

mod check;
mod cluster;
mod diff;
mod diff_numbers;
mod diff_reading;
mod error;
mod export;
mod film;
mod fit;
mod frames;
mod identify;
mod import;
mod inputs;
mod likeness;
mod load_path;
mod merge;
mod options;
mod outcome;
mod panel;
mod prepare;
mod progress;
mod refinement;
mod render;
mod report;
mod rest_modes;
mod rounding;
mod simulate;
mod stability;
mod statics;
mod statics_json;
mod sweep;
mod template;
mod threads;
mod trace;

pub use catena_draw::record_shown;
pub use catena_output::film::FilmOptions;
pub use check::{BILLED, Checked, check};
pub use check::{Caution, caution_lines, cautions};
pub use cluster::{ClusterFilm, ClusterOptions, MAX_STEP_MINUTES, cluster_render, cluster_sweep};
pub use diff::{Comparison, DiffError, DiffOptions, diff};
pub use diff_numbers::{NumberComparison, NumberDifference, NumberPlace, diff_numbers};
pub use diff_reading::NumberReading;
pub use error::RunError;
pub use export::{ExportOptions, Exported, export};
pub use film::{
    SceneFilm, SceneFilmError, SceneFilmOptions, film_encoding, film_folder, film_scene,
};
pub use fit::{Datum, Fit, FitData, FitOptions, FitQuestion, FitTerm, Quality, fit, usual_fields};
pub use frames::{
    FrameError, FrameOptions, FrameOrder, FrameSequence, StateDrawing, draw, frames, pictures,
};
pub use identify::{
    FittedValue, FittedValues, Identified, IdentifyError, IdentifyOptions, Match,
    Outcome as IdentifyOutcome, Tried, identify,
};
pub use import::{Import, import};
pub use inputs::{frame_inputs, picture_inputs, scene_inputs, sweep_inputs};
pub use load_path::{
    BodyPath, DrawnPath, LoadRange, farthest_coordinate, load_paths, max_balances, path_figure,
};
pub use merge::{MergeError, MergeOptions, Merged, MergedFrames, merge};
pub use options::{FrameChoice, FrameList, MAX_FRAMES, MAX_THREADS};
pub use outcome::BodyOutcome;
pub use panel::{find_panel, panel_index, with_panel};
pub use progress::{Interruption, Progress, Stage};
pub use refinement::{REFINED, refinement_figure};
pub use render::{
    RenderError, RenderOptions, Rendered, RenderedShard, ShardOptions, ShardProduct, render,
    render_shard, steady_picture,
};
pub use report::{
    FIGURE_WIDTHS, FigureFormat, FigureStyle, FigureWriter, MAX_PLAYER_FRAMES, PLAYER_FRAMES,
    ReportError, ReportOptions, ReportSummary, SceneFigure, figure, report,
};
pub use rest_modes::{modes_scene, swing_scene};
pub use simulate::{BodyMotion, SimulateOptions, simulate};
pub use stability::{StabilityOptions, stable_steps};
pub use statics::{BodyRest, StaticsOptions, rest_picture, statics};
pub use statics_json::{passage_warning, rest_warnings, statics_json};
pub use sweep::{
    MAX_SHEET, MergedSweep, SweepContent, SweepError, SweepJobOptions, SweepPlan, Swept,
    SweptField, merge_sweep, plan_sweep, sweep, sweep_page, sweep_rows, sweep_sheet,
};
pub use template::{TEMPLATES, Template, TemplateError, write_new};
pub use trace::{
    Divergence, Passed, TopologyView, Trace, TraceError, TraceFormat, TraceOptions, TraceTable,
    Traces,
};

pub use check::bodies;
pub use check::check_frames;
pub use check::understood;
pub use prepare::faces;
pub use render::MIN_SECONDS;
pub use sweep::{SweepTime, sweep_time};
pub use threads::{max_threads, thread_pool};
