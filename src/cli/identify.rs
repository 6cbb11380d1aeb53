//! `catena identify`: the method, variant and slip that reproduce the numbers of a program.

use super::table::read_table;
use super::{
    Failure,
    args::{IdentifyArgs, SceneArgs},
    say, threads,
};
use crate::job::{self, Identified, IdentifyError, IdentifyOutcome, Match};
use crate::output::{OutputError, stdout};
use crate::scene::Patch;
use crate::text::{
    number::{counted, short},
    shell,
};

/// Maximum size of a file of numbers in bytes.
const MOST: u64 = 1 << 29;

pub(super) fn run(args: &IdentifyArgs) -> Result<(), Failure> {
    let mut options = args.options()?;
    if stdout::is_stdout(&args.data) {
        if stdout::is_stdout(&args.scene.scene) {
            let what = "only one of the file and the scene can be standard input";
            return Err(Failure::Usage(what.into()));
        }
        options.name = "standard input".into();
    }
    let scene = args.scene.load()?;
    let panel = args.panel.as_deref();
    let panel = panel.map(|wanted| job::panel_index(&scene, wanted, &args.scene.limit.limits()));
    options.panel = panel.transpose()?.map(|index| index as u64);
    let (_, bytes) = read_table(&args.data, MOST)?;
    let pool = threads::pool(threads::wanted(args.threads), "identify", false)?;
    let found = pool.install(|| job::identify(&scene, &bytes, &options))?;
    match args.json {
        true => {
            let text = found.json().map_err(|error| OutputError::new("write", "JSON", error))?;
            say::json(&text)?;
        }
        false => say::lines(report(&found, &args.scene, usize::from(args.top)))?,
    }
    match found.outcome {
        IdentifyOutcome::Identified => Ok(()),
        IdentifyOutcome::Undecided | IdentifyOutcome::None => Err(Failure::Different),
    }
}

fn row(key: &str, value: impl AsRef<str>) -> String {
    format!("  {key:<14} {}", value.as_ref())
}

/// Writes what was understood, the verdict and its margin.
fn report(found: &Identified, scene: &SceneArgs, top: usize) -> Vec<String> {
    let mut text = vec![found.file.clone(), row("digits", &found.digits)];
    text.extend(found.notes.iter().map(|note| row("note", note)));
    let tried = found.tried;
    text.push(row(
        "tried",
        format!(
            "{}: {} with {}, {}, {} of substeps",
            counted(tried.candidates as u64, "candidate"),
            counted(tried.methods as u64, "method"),
            counted(tried.variants as u64, "variant"),
            counted(tried.slips as u64, "slip"),
            counted(tried.substeps as u64, "number")
        ),
    ));
    text.push(String::new());
    match (found.outcome, found.matches.first()) {
        (IdentifyOutcome::None, _) => text.extend(nearest(found, top)),
        (_, None) => {}
        (_, Some(best)) => text.extend(identified(found, best, scene, top)),
    }
    text.extend(found.advice.iter().map(|line| row("try", line)));
    text
}

fn distance(of: &Match) -> String {
    of.largest.map_or("infinite".into(), short)
}

/// Writes the best explanation, its margin and those that are as good.
fn identified(found: &Identified, best: &Match, scene: &SceneArgs, top: usize) -> Vec<String> {
    let mut text = match found.outcome {
        IdentifyOutcome::Undecided => vec![format!("undecided; it may be {}", best.phrase)],
        _ => vec![best.phrase.clone()],
    };
    text.push(row(
        "largest",
        format!(
            "{}, at node {} in frame {}; rounding explains {}{}",
            distance(best),
            best.node,
            best.frame,
            short(best.tolerance),
            if found.is_single { ", of a float" } else { "" }
        ),
    ));
    match &found.next {
        Some(next) => {
            let margin =
                found.margin.map_or(String::new(), |it| format!(", {} times as far", short(it)));
            text.push(row(
                "next best",
                format!("{}{margin}: {}{}", distance(next), next.phrase, parts(next)),
            ));
        }
        None => {
            text.push(row("next best", "none: every candidate that was run to the end fits too"));
        }
    }
    if best.from_data {
        text.push(row("start", "the file's own first positions, with the scene's velocities"));
    }
    text.extend(best.remarks.iter().map(|remark| row("remark", remark)));
    text.push(row("to see it", command(best, scene)));
    let others = &found.matches[1..];
    if !others.is_empty() {
        text.push(row("as good", "these cannot be told apart from it by this file:"));
        text.extend(
            others
                .iter()
                .take(top.max(2) - 1)
                .map(|it| row("", format!("{}, largest {}", it.phrase, distance(it)))),
        );
    }
    let more = others.len().saturating_sub(top.max(2) - 1) + found.crowded;
    if more > 0 {
        text.push(row(
            "",
            format!("and {more} more that are as near; --top N lists those run to the end"),
        ));
    }
    text
}

/// Returns where a candidate leaves the file.
fn parts(of: &Match) -> String {
    of.parts_at.map_or(String::new(), |frame| format!("; it parts in frame {frame}"))
}

/// Returns the command that renders a candidate.
fn command(of: &Match, scene: &SceneArgs) -> String {
    let given = scene.set.iter().map(Patch::text);
    let changes = given.chain(of.changes.iter().cloned());
    let changes = changes.map(|change| format!(" --set {}", shell::quoted(change)));
    let scene = shell::quoted(&scene.scene);
    let command = format!("catena render {scene}{}", changes.collect::<String>());
    match &*of.panel {
        "" => command,
        panel => format!("{command}  (panel \"{panel}\")"),
    }
}

/// Writes that nothing fits, and what comes nearest.
fn nearest(found: &Identified, top: usize) -> Vec<String> {
    let mut text =
        vec!["none: no method, variant or slip of catena reproduces the file".to_owned()];
    for (index, of) in found.matches.iter().take(top).enumerate() {
        let key = if index == 0 { "nearest" } else { "" };
        text.push(row(key, format!("{}: {}{}", distance(of), of.phrase, parts(of))));
    }
    text
}

impl From<IdentifyError> for Failure {
    fn from(error: IdentifyError) -> Self {
        match error {
            IdentifyError::Usage(what) => Self::Usage(what),
            IdentifyError::Data(what) => Self::Refused(what),
            IdentifyError::Run(error) => error.into(),
        }
    }
}
