//! Exports: the motion of a scene in a file format of another program.

mod target;

use super::error::refused;
use super::panel::find_panel;
use super::prepare::limited;
use super::progress::{Stage, time};
use super::{
    BodyOutcome, FrameChoice, FrameError, Interruption, Progress, RunError, scene_inputs, threads,
};
use catena_analysis::settle::Ending;
use catena_base::text::list::quoted;
use catena_base::text::number::counted;
use catena_draw::frames::Batches;
use catena_output::OutputError;
use catena_scene::limits::{PlannedRun, Product};
use catena_scene::{Limits, Scene};
use catena_sim::{Outcome, Simulation};
use catena_study::export::{
    self, Contents, ExportError, ExportFormat, Recorder, RopeForm, Weight, WriteOptions, weigh,
};
use std::io;
use std::path::Path;
use std::sync::Arc;
use target::ExportTarget;

/// Options of an export.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExportOptions {
    /// Frames to export.
    pub frames: FrameChoice,
    /// Label of the exported panel, or its number from 1. `None` exports all panels.
    pub panel: Option<String>,
    /// File format.
    pub format: ExportFormat,
    /// Representation of ropes in glTF.
    pub ropes: RopeForm,
    /// Frames per second in glTF and USD, above 0. `None` keeps the time of the scene.
    pub rate: Option<f64>,
    /// Limits on the run.
    pub limits: Limits,
    /// Number of threads that simulate, 1 to 1024. `None` uses the caller's rayon pool. The output
    /// does not depend on it.
    pub threads: Option<u16>,
}

/// Result of an export.
#[derive(Clone, Debug, PartialEq)]
pub struct Exported {
    /// Number of exported frames.
    pub frames: u64,
    /// Number of exported ropes, nets, cloths, meshes and figures.
    pub items: usize,
    /// Notes for the user, one sentence each.
    pub notes: Vec<String>,
    /// Outcome of each exported body, up to the last frame.
    pub bodies: Vec<BodyOutcome>,
}

/// Number of morph targets above which many graphics cards run out of memory.
const MANY_TARGETS: u64 = 1000;

/// Exports a scene to a file, or to a folder for a format of several files. `-` writes to standard
/// output.
///
/// # Errors
/// The panel does not exist, the run would exceed the limits, or the scene does not fit the format.
/// A foreign file is in the way, a file cannot be written, or the job is interrupted. An error
/// leaves no output behind.
pub fn export(
    scene: &Scene,
    output: &Path,
    options: &ExportOptions,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<Exported, FrameError> {
    let run = || {
        let frames = options.frames.of(scene)?;
        if let FrameChoice::Listed(list) = &options.frames {
            return Err(RunError::Option(format!(
                "frames {list}: an export needs consecutive frames, such as 100-199"
            ))
            .into());
        }
        if options.rate.is_some_and(|rate| !(rate > 0.0 && rate.is_finite())) {
            let what = "the frame rate must be a finite number above 0".into();
            return Err(RunError::Option(what).into());
        }
        let panel = options.panel.as_deref().map(|wanted| find_panel(scene, wanted)).transpose()?;
        let contents = Contents::of_scene(scene, panel, frames.clone());
        let Weight { frame_bytes, frame_work } = weigh(&contents, options.format, options.ropes);
        let product = Product::Export { bytes: frame_bytes, work: frame_work };
        let run = PlannedRun { frames: frames.end, from: frames.start, product };
        let mut scene = scene.clone();
        if let Some(panel) = panel {
            scene.panels = vec![scene.panels.swap_remove(panel)];
        }
        let scene = limited(&scene, &options.limits, &run)?;
        if options.format == ExportFormat::Glb {
            let bytes = frame_bytes.saturating_mul(frames.end - frames.start);
            export::check_glb(bytes).map_err(|error| refusal(error, output))?;
        }
        keep_inputs(&scene, output, options.format)?;
        // A signal needs its message before the first file exists.
        interruption.started();
        let mut target = ExportTarget::open(output, options.format)?;
        ExportJob { scene: &scene, contents: &contents, output, options, progress, interruption }
            .run(&mut target)
    };
    threads::with(options.threads, run)?
}

/// Returns an error if the output would replace an input file of the scene. A format of several
/// files replaces everything in its folder.
fn keep_inputs(scene: &Scene, output: &Path, format: ExportFormat) -> Result<(), RunError> {
    let inputs = scene_inputs(scene);
    let kept = inputs.refuse("-o", output).and_then(|()| match format.info().is_folder {
        true => inputs.refuse_around("-o", output),
        false => Ok(()),
    });
    kept.map_err(RunError::Option)
}

/// An export in progress: its scene, options and destination.
struct ExportJob<'a> {
    scene: &'a Scene,
    contents: &'a Contents,
    output: &'a Path,
    options: &'a ExportOptions,
    progress: &'a dyn Progress,
    interruption: &'a dyn Interruption,
}

impl ExportJob<'_> {
    fn run(&self, target: &mut ExportTarget) -> Result<Exported, FrameError> {
        let Self { contents, output, options, progress, .. } = *self;
        let refuse = |cause| RunError::Output(OutputError::new("write", output, cause));
        let spare = target.spare().map_err(refuse)?;
        let has_motion = options.format.info().has_motion;
        let mut recorder = Recorder::new(contents, spare, has_motion);
        let bodies = self.simulate(&mut recorder)?;
        let mut recording = recorder.finish().map_err(refuse)?;
        let how = WriteOptions { ropes: options.ropes, rate: options.rate };
        let stop = || self.interruption.is_set();
        time(progress, Stage::Write, || {
            let written =
                export::write(options.format, contents, &mut recording, how, target, &stop);
            written.map_err(|error| refusal(error, output))
        })?;
        if stop() {
            return Err(FrameError::Interrupted);
        }
        target.publish().map_err(RunError::Output)?;
        let frames = contents.count() as u64;
        let notes = self.notes(frames, &bodies);
        Ok(Exported { frames, items: contents.items(), notes, bodies })
    }

    /// Simulates all frames and records the requested ones.
    fn simulate(&self, recorder: &mut Recorder<'_>) -> Result<Vec<BodyOutcome>, FrameError> {
        let Self { scene, contents, output, progress, .. } = *self;
        let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
        let mut all: Vec<Simulation> =
            bodies.map(|body| Simulation::new(Arc::clone(&body.setup))).collect();
        let has_tensions = contents.bodies().all(|body| body.knows_tension);
        if self.options.format.info().has_motion && has_tensions {
            all.iter_mut().for_each(Simulation::keep_tensions);
        }
        let mut batches = Batches::default();
        let mut unconverged = vec![0; all.len()];
        progress.begin(contents.count() as u64, 0);
        for frame in 0..contents.frames.end {
            if self.interruption.is_set() {
                return Err(FrameError::Interrupted);
            }
            if frame > 0 {
                time(progress, Stage::Simulate, || batches.advance(all.iter_mut().collect()));
            }
            if let Some(refusal) = refused(scene, all.iter()) {
                return Err(refusal.into());
            }
            for (count, simulation) in unconverged.iter_mut().zip(&all) {
                if simulation.outcome() == Outcome::Fine {
                    *count += simulation.report().unconverged;
                }
            }
            recorder.record(all.iter());
            if contents.frames.contains(&frame) {
                let refuse = |cause| RunError::Output(OutputError::new("write", output, cause));
                recorder.keep().map_err(refuse)?;
                progress.frame();
            }
        }
        let outcome =
            |((body, simulation), unconverged): ((&export::ExportedBody, &Simulation), u64)| {
                let diverged = match simulation.outcome() {
                    Outcome::Diverged { frame, .. } => Some(frame),
                    Outcome::Fine => None,
                };
                let ending = diverged.map(|frame| Ending::Diverged { frame });
                BodyOutcome {
                    label: body.label.clone(),
                    ending,
                    diverged,
                    unconverged,
                    route_stops: simulation.route_stops(),
                    from_solved: None,
                }
            };
        Ok(contents.bodies().zip(&all).zip(unconverged).map(outcome).collect())
    }

    /// Notes about the export.
    fn notes(&self, frames: u64, bodies: &[BodyOutcome]) -> Vec<String> {
        let mut notes = Vec::new();
        if let panels @ 2.. = self.contents.groups.len() {
            notes.push(format!(
                "note: the {panels} panels keep their positions in the scene, so they may overlap; \
                 --panel exports only one"
            ));
        }
        for BodyOutcome { label, diverged, unconverged, .. } in bodies {
            let label = quoted(label);
            if *unconverged > 0 {
                let steps = counted(*unconverged, "step");
                notes.push(format!("note: {label}: {steps} did not converge"));
            }
            notes.extend(diverged.map(|frame| {
                format!("note: {label} diverged at frame {frame}; later frames repeat the last frame before it")
            }));
        }
        if self.options.format == ExportFormat::Glb && frames > MANY_TARGETS {
            notes.push(format!(
                "note: {frames} frames become {frames} morph targets, but many graphics cards support at most {MANY_TARGETS} in three.js; --frame-range exports fewer, and --format usda has no such limit"
            ));
        }
        notes
    }
}

/// Converts an error of a format's writer into the error of a job.
fn refusal(error: ExportError, output: &Path) -> FrameError {
    match error {
        ExportError::Stopped => FrameError::Interrupted,
        ExportError::Unfit(what) => RunError::Exhausted(what).into(),
        ExportError::Write(cause) => match cause.downcast::<OutputError>() {
            Ok(error) => RunError::Output(error).into(),
            Err(cause) => RunError::Output(OutputError::new("write", output, cause)).into(),
        },
    }
}

/// Error of a file of an export, raised by its writer or by its folder.
enum FileError {
    Export(ExportError),
    Output(OutputError),
}

impl From<OutputError> for FileError {
    fn from(error: OutputError) -> Self {
        Self::Output(error)
    }
}

impl From<FileError> for ExportError {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Export(error) => error,
            // `refusal` recovers the output error from the cause.
            FileError::Output(error) => Self::Write(io::Error::new(error.cause.kind(), error)),
        }
    }
}
