//! Exports: a scene over time in a format of another program.

mod panel;
mod target;

use super::frames::Batches;
use super::prepare::limited;
use super::progress::{Stage, time};
use super::{
    BodyOutcome, FrameChoice, FrameError, Interruption, Progress, RunError, refusal::refused,
    scene_inputs, threads,
};
use catena_analysis::settle::Ending;
use catena_base::text::{list::quoted, number::counted};
use catena_output::OutputError;
use catena_scene::{
    Limits, Scene,
    limits::{PlannedRun, Product},
};
use catena_sim::{Outcome, Simulation};
use catena_study::export::{
    self, Contents, ExportError, ExportFormat, Recorder, RopeForm, Weight, WriteOptions, weigh,
};
use std::{io, path::Path, sync::Arc};
use target::Target;

/// How a scene is exported.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExportOptions {
    /// Which frames.
    pub frames: FrameChoice,
    /// The panel that is exported, by its label or its number from 1; `None` exports all.
    pub panel: Option<String>,
    /// In which format.
    pub format: ExportFormat,
    /// How ropes stand in glTF.
    pub ropes: RopeForm,
    /// Frames a second of glTF and USD, above 0; `None` keeps the time of the scene.
    pub rate: Option<f64>,
    /// What the run may take.
    pub limits: Limits,
    /// How many threads simulate, from 1 to 1024; `None` takes the rayon pool of the caller. The
    /// bytes do not depend on it.
    pub threads: Option<u16>,
}

/// What was exported.
#[derive(Clone, Debug, PartialEq)]
pub struct Exported {
    /// How many frames.
    pub frames: u64,
    /// How many ropes, nets, cloths, meshes and figures.
    pub items: usize,
    /// What should be known of it, a sentence each.
    pub notes: Vec<String>,
    /// What became of each body that was exported, up to the last frame.
    pub bodies: Vec<BodyOutcome>,
}

/// More morph targets than this are more than many graphics cards have room for.
const MANY_TARGETS: u64 = 1000;

/// Exports a scene to a file, or a folder of files where the format is one; `-` is standard output.
///
/// # Errors
/// When there is no such panel, the run would take more than the limits allow, it does not fit into
/// the format, something that is not catena's is in the way, a file fails, or the job was ended
/// early. Nothing is left then.
pub fn export(
    scene: &Scene,
    output: &Path,
    options: &ExportOptions,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<Exported, FrameError> {
    let run = || {
        let frames = options.frames.of(scene)?;
        if options.rate.is_some_and(|rate| !(rate > 0.0 && rate.is_finite())) {
            let what = "the rate must be a finite number above 0".into();
            return Err(RunError::Option(what).into());
        }
        let panel =
            options.panel.as_deref().map(|wanted| panel::find(scene, wanted)).transpose()?;
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
        let mut target = Target::open(output, options.format)?;
        interruption.begins();
        Job { scene: &scene, contents: &contents, output, options, progress, interruption }
            .run(&mut target)
    };
    threads::with(options.threads, run)?
}

/// Refuses an output that would replace a file that the scene was read from. All in the folder of a
/// format is replaced.
fn keep_inputs(scene: &Scene, output: &Path, format: ExportFormat) -> Result<(), RunError> {
    let inputs = scene_inputs(scene);
    let kept = inputs.refuse("-o", output).and_then(|()| match format.info().is_folder {
        true => inputs.refuse_around("-o", output),
        false => Ok(()),
    });
    kept.map_err(RunError::Option)
}

/// An export with all that it goes by.
struct Job<'a> {
    scene: &'a Scene,
    contents: &'a Contents,
    output: &'a Path,
    options: &'a ExportOptions,
    progress: &'a dyn Progress,
    interruption: &'a dyn Interruption,
}

impl Job<'_> {
    fn run(&self, target: &mut Target) -> Result<Exported, FrameError> {
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

    /// Simulates all frames and records those that are asked for.
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
            recorder.look(all.iter());
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
                BodyOutcome { label: body.label.clone(), ending, diverged, unconverged }
            };
        Ok(contents.bodies().zip(&all).zip(unconverged).map(outcome).collect())
    }

    /// What should be known of the export.
    fn notes(&self, frames: u64, bodies: &[BodyOutcome]) -> Vec<String> {
        let mut notes = Vec::new();
        if let panels @ 2.. = self.contents.groups.len() {
            notes.push(format!(
                "note: {panels} panels lie at the places of the scene, one over the other; --panel exports one"
            ));
        }
        for BodyOutcome { label, diverged, unconverged, .. } in bodies {
            let label = quoted(label);
            if *unconverged > 0 {
                let steps = counted(*unconverged, "step");
                notes.push(format!("note: {label}: {steps} did not converge"));
            }
            notes.extend(diverged.map(|frame| {
                format!("note: {label} diverged at frame {frame}; from there on it stays as it was before")
            }));
        }
        if self.options.format == ExportFormat::Glb && frames > MANY_TARGETS {
            notes.push(format!(
                "note: {frames} frames are as many morph targets, and many graphics cards show at most {MANY_TARGETS} \
                 in three.js; --frame-range exports a part, and --format usda has no such limit"
            ));
        }
        notes
    }
}

/// What the writer of a format says, as the error of a job.
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

/// The error of a file of an export: of its writer, or of the folder that it lies in.
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
            // `refusal` takes the output error out again.
            FileError::Output(error) => Self::Write(io::Error::new(error.cause.kind(), error)),
        }
    }
}
