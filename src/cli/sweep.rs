//! `catena sweep`: a table of results for many variants of a scene.

use super::{
    Failure,
    args::SweepArgs,
    interrupt::{self, Interrupt},
    progress::Reporter,
    say, threads,
};
use crate::job::{self, MergedSweep, RunError, SweepError, SweepPlan, Swept};
use crate::scene::{Limits, sweep::Sweep};
use crate::text::{number::counted, printable, shell};
use std::{
    path::{Path, PathBuf},
    time::Instant,
};

pub(super) fn run(args: &SweepArgs, interrupt: &Interrupt) -> Result<(), Failure> {
    let sweep = args.load()?;
    if args.plan {
        return print_plan(&sweep, &args.limits());
    }
    if let Some(number) = args.variant {
        return say::lines([command(&sweep, number)?]);
    }
    if !args.progress.quiet {
        warn_overrides(&sweep);
    }
    let style = args.style.style();
    refuse_style_of_shard(args)?;
    let start = Instant::now();
    let reporter = Reporter::of(&args.progress, "variants");
    let path = args.out.clone().unwrap_or_else(|| default_folder(&sweep));
    let pool = threads::pool(threads::wanted(args.threads), "measure", args.progress.quiet)?;
    if let Some(numbers) = args.sheet() {
        pool.install(|| job::sweep_sheet(&sweep, &numbers, &path, &style))?;
        let count = counted(numbers.len() as u64, "variant");
        reporter.finish(|| format!("{count} in {}/sheet/sheet.png, .svg and .pdf", path.display()));
        return Ok(());
    }
    let (folder, position) = (printable::path(&path), reporter.position());
    let last_words = {
        let folder = folder.clone();
        move || interrupted(&folder, position.reached())
    };
    let watched = interrupt.watched(last_words);
    let options = args.options(interrupt::command());
    let swept = pool.install(|| job::sweep(&sweep, &path, &options, &reporter, &watched));
    let swept = swept.map_err(|error| failure(error, interrupt, &folder))?;
    if let Swept::Table(merged) = &swept {
        pool.install(|| job::sweep_page(merged, &path, &style))?;
    }
    let seconds = start.elapsed().as_secs_f64();
    let place = path.display().to_string();
    reporter.finish(|| match &swept {
        Swept::Table(merged) => format!("{} in {place} ({seconds:.1} s)", summary(merged)),
        Swept::Shard { rows, was_there } => {
            let there = if *was_there { " (it existed already)" } else { "" };
            let rows = counted(*rows, "row");
            let shard = args.shard.map(|shard| shard.to_string()).unwrap_or_default();
            format!("shard {shard} with {rows}{there} in {place} ({seconds:.1} s)")
        }
    });
    match &swept {
        Swept::Table(merged) if merged.is_all_refused() => Err(all_refused(Some(&sweep))),
        _ => Ok(()),
    }
}

/// Failure of a sweep into a folder.
fn failure(error: SweepError, interrupt: &Interrupt, folder: &str) -> Failure {
    match error {
        SweepError::Interrupted { there, all } => Failure::Interrupted {
            code: interrupt.exit_code().unwrap_or(130),
            message: interrupted(folder, Some([there, all])),
        },
        SweepError::Run(RunError::Output(error)) if error.is_full() => {
            Failure::Full(error, interrupt::command())
        }
        SweepError::Run(error) => error.into(),
        SweepError::Merge(refusal) => refusal.into(),
    }
}

/// Returns an error if options for figures are given for a shard.
fn refuse_style_of_shard(args: &SweepArgs) -> Result<(), Failure> {
    let words = args.style.words();
    match words.first().filter(|_| args.shard.is_some()) {
        Some(option) => {
            let message = format!(
                "{option}: a shard draws no figures; use this option with `catena \
                                merge`"
            );
            Err(Failure::Usage(message))
        }
        None => Ok(()),
    }
}

/// Failure of a sweep in which no variant is valid. Includes the first variant's reason if the
/// sweep is available.
pub(super) fn all_refused(sweep: Option<&Sweep>) -> Failure {
    let reason = sweep.and_then(|sweep| {
        let number = (0..sweep.variants()).find(|at| !sweep.leaves_out(&sweep.variant(*at)))?;
        Some((number, sweep.numbered(number).err()?))
    });
    let all = "every variant is invalid";
    Failure::Refused(match reason {
        Some((number, error)) => format!("{all}; variant {number}: {error}"),
        None => format!("{all}; the column `message` of the table states why"),
    })
}

/// Summary of a complete sweep: its rows, their statuses, and its files.
pub(super) fn summary(merged: &MergedSweep) -> String {
    let statuses = merged.statuses.iter().map(|(status, rows)| format!("{rows} {status}"));
    let statuses: Vec<String> = statuses.collect();
    let files: Vec<&str> = merged.files.keys().map(String::as_str).collect();
    let rows = counted(merged.rows, "row");
    format!("{rows} ({}): {}, figures and report/index.html", statuses.join(", "), files.join(", "))
}

/// Warns about axes and changes that override the panels' own values.
fn warn_overrides(sweep: &Sweep) {
    let example = sweep.example().ok();
    if let Some(warning) = example.and_then(|(scene, _)| scene.override_warning(true)) {
        say::aside(&format!("warning: {warning}"));
    }
}

fn print_plan(sweep: &Sweep, limits: &Limits) -> Result<(), Failure> {
    let plan = job::plan_sweep(sweep)?;
    let SweepPlan { variants, counts_all, rows_each, frames, columns, work, is_open, bunches } =
        plan;
    let mut lines = vec![format!(
        "{}{} of {}, {} each, {}",
        counted(variants, "variant"),
        if counts_all { " (including excluded ones)" } else { "" },
        sweep.origin,
        counted(frames, "frame"),
        counted(variants * rows_each, "row"),
    )];
    let counts = sweep.counts().into_iter().zip(sweep.widths());
    let mut paths = sweep.paths().into_iter();
    for (count, width) in counts {
        let names: Vec<&str> = paths.by_ref().take(width).collect();
        let values = count.map_or("sampled".into(), |count| counted(count, "value"));
        lines.push(format!("  {}: {values}", names.join(", ")));
    }
    lines.push(format!("  measured: {}", columns.join(", ")));
    let more = if is_open { ", or more: methods may divide steps or iterate" } else { "" };
    let time = job::sweep_time(work, limits);
    lines.push(format!("about {} of CPU time, including measures{more}", time.text));
    lines.extend(time.excess);
    lines.push(format!("up to {} have work to do", counted(bunches, "shard")));
    say::lines(lines)
}

/// Command that renders a variant.
fn command(sweep: &Sweep, number: u64) -> Result<String, Failure> {
    let scene = sweep.numbered(number)?;
    if sweep.text != sweep.scene_text().text {
        let mut words =
            vec![format!("catena render {} --variant {number}", shell::quoted(&sweep.origin))];
        words.extend(sweep.changes().iter().map(|it| format!("--set {}", shell::quoted(it))));
        words.extend(sweep.frames.map(|frames| format!("--frames {frames}")));
        return Ok(words.join(" "));
    }
    let mut words =
        vec!["catena render".to_owned(), shell::quoted(sweep.scene_text().origin.clone())];
    for change in scene.changes() {
        words.extend(["--set".into(), shell::quoted(change)]);
    }
    if let Some(frames) = sweep.frames {
        words.push(format!("--frames {frames}"));
    }
    Ok(words.join(" "))
}

fn default_folder(sweep: &Sweep) -> PathBuf {
    Path::new("out").join(&sweep.name).join("sweep")
}

/// Message about an interrupted sweep.
fn interrupted(folder: &str, reached: Option<[u64; 2]>) -> String {
    let command = interrupt::command();
    let state = match reached {
        Some([there, all]) => format!("with {there} of {all} variants in {folder}"),
        None => format!("before checking the variants in {folder}"),
    };
    format!("interrupted {state}; resume with:\n  {command}")
}
