//! `catena diff`: expected pictures beside actual ones.

use super::{Failure, args::DiffArgs, say, threads};
use crate::compare::{
    CompareError, ComparisonEntry, FailureFolder, PairOutcome, PicturePaths, Tolerance, compare,
    finding, json, pairs, summary,
};
use crate::output::{OutputError, atomic, stdout};
use rayon::prelude::*;
use std::io;

pub(super) fn run(args: &DiffArgs) -> Result<(), Failure> {
    let tolerance = args.tolerance();
    let listed = pairs(&args.expected, &args.actual)?;
    let place =
        args.out.as_deref().map(|out| FailureFolder::open(out, [&args.expected, &args.actual]));
    let place = place.transpose()?;
    let judge = |listed: &PicturePaths| judge(listed, &tolerance, args.allow_extra, place.as_ref());
    // At most one pair a thread is in memory.
    let entries =
        threads::pool(threads::wanted(args.threads), "diff", args.quiet)?.install(|| {
            listed
                .par_iter()
                .with_max_len(1)
                .map(judge)
                .collect::<Result<Vec<ComparisonEntry>, OutputError>>()
        })?;
    let page = match place {
        Some(place) => place.publish(&entries, &tolerance)?,
        None => None,
    };
    let to_stdout = args.json.as_deref().is_some_and(stdout::is_stdout);
    if let Some(path) = &args.json {
        let text = json(&entries, &tolerance)
            .map_err(|error| OutputError::new("write", path, io::Error::other(error)))?;
        if to_stdout {
            say::json(&text)?;
        } else {
            let refuse = |cause| OutputError::new("write", path, cause);
            atomic::write_to(path, |file| file.write_all(text.as_bytes()).map_err(refuse))?;
        }
    }
    if !to_stdout && !args.quiet {
        let mut lines = report(&entries, &tolerance);
        lines.extend(page.map(|page| format!("see {}", page.display())));
        say::lines(lines)?;
    }
    if entries.iter().all(|entry| entry.passes) { Ok(()) } else { Err(Failure::Different) }
}

/// Compares a pair, and draws it if it fails and there is a place to draw.
fn judge(
    listed: &PicturePaths,
    tolerance: &Tolerance,
    allows_extra: bool,
    place: Option<&FailureFolder>,
) -> Result<ComparisonEntry, OutputError> {
    let read = compare(listed, tolerance, allows_extra);
    let drawn = place.zip(read.pictures.as_ref());
    if let Some((place, pictures)) = drawn {
        let numbers = match &read.outcome {
            PairOutcome::Compared(numbers) => Some(numbers),
            _ => None,
        };
        place.write_sheet(&listed.name, pictures, numbers, tolerance.max_channel)?;
    }
    Ok(ComparisonEntry {
        name: listed.name.clone(),
        outcome: read.outcome,
        passes: read.passes,
        has_sheet: drawn.is_some(),
    })
}

/// Failures that standard output names; a film that differs from some frame on has as many as frames.
const MOST_LINES: usize = 40;

/// A line for each failure, and the count.
fn report(entries: &[ComparisonEntry], tolerance: &Tolerance) -> Vec<String> {
    let failures: Vec<&ComparisonEntry> = entries.iter().filter(|entry| !entry.passes).collect();
    let line = |entry: &&ComparisonEntry| {
        format!("{}: {}", entry.shown_name(), finding(&entry.outcome, tolerance))
    };
    let mut lines: Vec<String> = failures.iter().take(MOST_LINES).map(line).collect();
    if let more @ 1.. = failures.len().saturating_sub(MOST_LINES) {
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
