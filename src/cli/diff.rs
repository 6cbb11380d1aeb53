//! `catena diff`: comparison of expected and actual pictures.

use super::{Failure, args::DiffArgs, diff_numbers, paths::GivenPaths, say, threads};
use crate::compare::{CompareError, ComparisonEntry, Tolerance, finding, json, summary};
use crate::job::{DiffError, DiffOptions, diff, picture_inputs};
use crate::output::{OutputError, atomic, inputs::Inputs, stdout};
use std::io;

pub(super) fn run(args: &DiffArgs, paths: &GivenPaths) -> Result<(), Failure> {
    if diff_numbers::applies(args)? {
        if paths.is_output_there() {
            let mut inputs = Inputs::default();
            inputs.add("the expected file", &args.expected);
            inputs.add("the actual file", &args.actual);
            paths.keep(&inputs)?;
        }
        return diff_numbers::run(args);
    }
    if paths.is_output_there() {
        let mut inputs = picture_inputs(&args.expected, &args.actual)?;
        args.ignore.iter().for_each(|mask| inputs.add("the mask", mask));
        paths.keep(&inputs)?;
    }
    let tolerance = args.picture_tolerance();
    let options = DiffOptions {
        tolerance,
        allows_extra: args.allow_extra,
        failures: args.out.clone(),
        ignore: args.ignore.clone(),
        threads: None,
    };
    let pool = threads::pool(threads::wanted(args.threads), "diff", args.quiet)?;
    let compared = pool.install(|| diff(&args.expected, &args.actual, &options))?;
    let to_stdout = args.json.as_deref().is_some_and(stdout::is_stdout);
    if let Some(path) = &args.json {
        let text = json(&compared.entries, &tolerance)
            .map_err(|error| OutputError::new("write", path, io::Error::other(error)))?;
        if to_stdout {
            say::json(&text)?;
        } else {
            let refuse = |cause| OutputError::new("write", path, cause);
            atomic::write_to(path, |file| file.write_all(text.as_bytes()).map_err(refuse))?;
        }
    }
    if !to_stdout && !args.quiet {
        let mut lines = report(&compared.entries, &tolerance);
        lines.extend(compared.page.as_ref().map(|page| format!("see {}", page.display())));
        say::lines(lines)?;
    }
    if compared.passes() { Ok(()) } else { Err(Failure::Different) }
}

/// Maximum number of failures on standard output. A film may differ in every frame after the first
/// difference.
const MAX_LINES: usize = 40;

/// One line per failure, followed by the counts.
fn report(entries: &[ComparisonEntry], tolerance: &Tolerance) -> Vec<String> {
    let failures: Vec<&ComparisonEntry> = entries.iter().filter(|entry| !entry.passes).collect();
    let line = |entry: &&ComparisonEntry| {
        format!("{}: {}", entry.shown_name(), finding(&entry.outcome, tolerance))
    };
    let mut lines: Vec<String> = failures.iter().take(MAX_LINES).map(line).collect();
    if let more @ 1.. = failures.len().saturating_sub(MAX_LINES) {
        lines.push(format!("… and {more} more; --json FILE lists all"));
    }
    lines.push(summary(entries, tolerance));
    lines
}

impl From<CompareError> for Failure {
    fn from(error: CompareError) -> Self {
        match error {
            CompareError::Usage(what) => Self::Usage(what),
            CompareError::Output(error) => error.into(),
        }
    }
}

impl From<DiffError> for Failure {
    fn from(error: DiffError) -> Self {
        match error {
            DiffError::Compare(error) => error.into(),
            DiffError::Run(error) => error.into(),
        }
    }
}
