//! `catena export`: ropes and cloth over time, for other programs.

use super::{
    Failure, args::ExportArgs, interrupt, interrupt::Interrupt, notes, progress::Reporter, threads,
};
use crate::export::ExportFormat;
use crate::job::{self, ExportOptions, FrameError};
use crate::output::stdout;
use crate::scene::Scene;
use crate::text::{number::counted, printable};
use std::path::{Path, PathBuf};

pub(super) fn run(args: &ExportArgs, interrupt: &Interrupt) -> Result<(), Failure> {
    let format = args.format().map_err(Failure::Usage)?;
    let scene = args.scene.load_for(args.panel.as_deref())?;
    let output = args.output.clone().unwrap_or_else(|| default_path(&scene, format));
    let place = match stdout::is_stdout(&output) {
        true => "standard output".into(),
        false => printable::path(&output),
    };
    let last_words = {
        let place = place.clone();
        move || {
            let command = interrupt::command();
            format!("interrupted: nothing was written to {place}; start again with:\n  {command}")
        }
    };
    let watched = interrupt.watched(last_words.clone());
    let reporter = Reporter::new(&args.progress);
    let options = ExportOptions {
        frames: args.frames(),
        panel: args.panel.clone(),
        format,
        ropes: args.ropes(),
        rate: args.fps,
        limits: args.scene.limit.limits(),
        threads: None,
    };
    let pool = threads::pool(threads::wanted(args.threads), "export", args.progress.quiet)?;
    let made = pool.install(|| job::export(&scene, &output, &options, &reporter, &watched));
    let exported = made.map_err(|error| match error {
        FrameError::Interrupted => Failure::Interrupted {
            code: interrupt.exit_code().unwrap_or(130),
            message: last_words(),
        },
        FrameError::Run(error) => error.into(),
    })?;
    let what = format!(" of {}", counted(exported.items as u64, "item"));
    let overridden = scene.override_warning(false).map(|text| format!("warning: {text}"));
    let mut messages: Vec<String> = overridden.into_iter().chain(exported.notes).collect();
    if scene.panels.iter().flat_map(|panel| &panel.bodies).any(|body| body.reference.is_some()) {
        messages.push(
            "note: the `reference` is not exported; it applies only to pictures, reports and \
             traces"
                .into(),
        );
    }
    messages.extend(notes::stops(&exported.bodies));
    reporter.done(exported.frames, &what, &place, &messages);
    match notes::diverged(&exported.bodies) {
        lines if args.strict && !lines.is_empty() => Err(Failure::Diverged(lines.join("; "))),
        _ => Ok(()),
    }
}

/// Default output path of an export.
fn default_path(scene: &Scene, format: ExportFormat) -> PathBuf {
    let (info, folder) = (format.info(), Path::new("out").join(&scene.name));
    match info.is_folder {
        true => folder.join(info.name),
        false => folder.join(format!("{}.{}", scene.name, info.name)),
    }
}
