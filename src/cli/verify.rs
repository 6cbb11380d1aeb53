//! `catena verify`: checks of the simulation against theory on this machine.

use super::{Failure, args::VerifyArgs, figure, say, threads};
use crate::analysis::verify::{
    Check, CheckSetups, Finding, Gate, Tolerance, checks, run as run_checks,
};
use crate::job::{self, FigureStyle};
use crate::text::{csv, number::digits};

pub(super) fn run(args: &VerifyArgs) -> Result<(), Failure> {
    let pool = threads::pool(threads::wanted(args.threads), "verify", false)?;
    if let Some(path) = &args.rod_orders {
        let format = figure::format("--rod-orders", path)?;
        let made =
            pool.install(|| job::refinement_figure(&job::REFINED, &FigureStyle::default()))?;
        figure::write(&made, path, format)?;
        return say::lines(figure::text(&made));
    }
    let chosen = chosen(args.only.as_deref())?;
    let findings = pool.install(|| run_checks(&chosen, &CheckSetups::default()));
    let rows: Vec<(&Check, &Finding)> = chosen.iter().zip(&findings).collect();
    let text = if args.csv { csv(&rows) } else { report(&rows) };
    say::lines(text.lines())?;
    let failed = rows.iter().filter(|(_, finding)| !finding.passes).count();
    if failed == 0 { Ok(()) } else { Err(Failure::Checks(failed)) }
}

/// Returns the checks whose group or name contains this text, ignoring case.
fn chosen(only: Option<&str>) -> Result<Vec<Check>, Failure> {
    let Some(only) = only else { return Ok(checks()) };
    let words = only.to_lowercase();
    let (chosen, others): (Vec<Check>, Vec<Check>) = checks().into_iter().partition(|check| {
        [check.group, &check.name].iter().any(|text| text.to_lowercase().contains(&words))
    });
    if chosen.is_empty() {
        let mut groups: Vec<&str> = others.iter().map(|check| check.group).collect();
        groups.dedup();
        return Err(Failure::Usage(format!(
            "no check has \"{only}\" in its name; the groups are {}",
            groups.join(", ")
        )));
    }
    Ok(chosen)
}

/// Heading of a group: its name, and the names of the columns.
fn heading(group: &str) -> String {
    let columns = row(["", "expected", "measured", "error", "", "allowed", ""]);
    format!("{group}{}", columns.chars().skip(group.chars().count()).collect::<String>())
}

/// Row of the table: name, expected and measured number, error, whether the error is relative,
/// tolerance, and verdict.
fn row(cells: [&str; 7]) -> String {
    let [name, expected, measured, error, kind, tolerance, verdict] = cells;
    let line = format!(
        "    {name:<60} {expected:>13} {measured:>13} {error:>7} {kind:<3} {tolerance:>7} {verdict}"
    );
    format!("{}\n", line.trim_end())
}

fn report(rows: &[(&Check, &Finding)]) -> String {
    let mut text = String::new();
    let (mut group, mut reference) = ("", "");
    for (check, finding) in rows {
        if check.group != group {
            text += if text.is_empty() { "" } else { "\n" };
            text += &heading(check.group);
        }
        if check.reference != reference || check.group != group {
            text += &format!("  {}\n", check.reference);
        }
        (group, reference) = (check.group, check.reference);
        text += &line(check, finding);
    }
    text + &summary(rows)
}

fn line(check: &Check, finding: &Finding) -> String {
    let (bound, kind) = match check.tolerance {
        Tolerance::Relative(_) => ("", "rel"),
        Tolerance::Absolute(_) => ("", "abs"),
        Tolerance::AtMost => ("≤ ", "abs"),
        Tolerance::AtLeast => ("≥ ", "abs"),
    };
    let (allowed, verdict) = match check.gate {
        Gate::Information => ("-".into(), "info"),
        Gate::Discrete => {
            (digits(check.tolerance.greatest(), 2), if finding.passes { "pass" } else { "FAIL" })
        }
    };
    row([
        &check.name,
        &format!("{bound}{}", digits(check.expected, 8)),
        &digits(finding.measured, 8),
        &digits(finding.error, 2),
        kind,
        &allowed,
        verdict,
    ])
}

fn summary(rows: &[(&Check, &Finding)]) -> String {
    let gates = || rows.iter().filter(|(check, _)| check.gate == Gate::Discrete);
    let passed = gates().filter(|(_, finding)| finding.passes).count();
    let shown = match rows.len() - gates().count() {
        0 => String::new(),
        n => format!("; {n} more for information only"),
    };
    format!("\n{passed} of {} checks pass{shown}\n", gates().count())
}

const COLUMNS: &str =
    "group,check,reference,gate,tolerance_of,expected,measured,error,tolerance,pass";

fn csv(rows: &[(&Check, &Finding)]) -> String {
    let mut text = format!("{COLUMNS}\n");
    for (check, finding) in rows {
        let gate = if check.gate == Gate::Discrete { "discrete" } else { "information" };
        let kind = match check.tolerance {
            Tolerance::Relative(_) => "relative",
            Tolerance::Absolute(_) => "absolute",
            Tolerance::AtMost => "at most",
            Tolerance::AtLeast => "at least",
        };
        let Finding { measured, error, passes } = finding;
        text += &format!(
            "{},{},{},{gate},{kind},{},{},{},{},{passes}\n",
            csv::cell(check.group),
            csv::cell(&check.name),
            csv::cell(check.reference),
            csv::Number(check.expected),
            csv::Number(*measured),
            csv::Number(*error),
            csv::Number(check.tolerance.greatest()),
        );
    }
    text
}
