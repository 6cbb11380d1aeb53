//! `catena identify`: the method, variant and slip that reproduce the numbers of a program.

use super::table::read_table;
use super::{
    Failure,
    args::{IdentifyArgs, SceneArgs},
    say, threads,
};
use crate::job::{
    self, FittedValue, FittedValues, Identified, IdentifyError, IdentifyOutcome, Match,
};
use crate::output::{OutputError, stdout};
use crate::scene::{Patch, Scene, load_within};
use crate::text::{
    number::{counted, short},
    shell,
};

/// Maximum size in bytes of a number file.
const MAX: u64 = 1 << 29;

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
    options.top = Some(usize::from(args.top));
    let (_, bytes) = read_table(&args.data, MAX)?;
    let pool = threads::pool(threads::wanted(args.threads), "identify", false)?;
    let found = pool.install(|| job::identify(&scene, &bytes, &options))?;
    match args.json {
        true => {
            let text = found.json().map_err(|error| OutputError::new("write", "JSON", error))?;
            say::json(&text)?;
        }
        false => {
            say::lines(report(&found, &scene, args))?;
        }
    }
    match found.outcome {
        IdentifyOutcome::Identified => Ok(()),
        IdentifyOutcome::Undecided | IdentifyOutcome::None => Err(Failure::Different),
    }
}

fn row(key: &str, value: impl AsRef<str>) -> String {
    format!("  {key:<14} {}", value.as_ref())
}

/// Describes a program with fitted values of the scene.
fn with_values(found: &FittedValues) -> String {
    let others: Vec<&FittedValue> = found.values.iter().filter(|it| it.is_other()).collect();
    let value = |it: &&FittedValue| {
        format!("{} {} instead of {}", it.field, short(it.value), short(it.start))
    };
    let values = match &others[..] {
        [] => "with more digits of its values".to_owned(),
        all => format!("with {}", all.iter().map(value).collect::<Vec<_>>().join(", ")),
    };
    format!("{}, {values}", found.phrase)
}

/// Describes the residual of fitted values, and the numbers of substeps with an equally small
/// residual.
fn residual(found: &FittedValues) -> String {
    let range = found.substeps.map_or(String::new(), |range| format!("; {}", as_many(range)));
    format!("rms residual {}, which rounding explains{range}", short(found.rms))
}

/// Returns lines with the values with which a program reproduces the file, and the command that
/// fits them.
fn other_values(found: &FittedValues, scene: &Scene, args: &IdentifyArgs) -> Vec<String> {
    let mut text =
        vec![row("other values", format!("{}; {}", with_values(found), residual(found)))];
    text.extend(found.remarks.iter().map(|remark| row("remark", remark)));
    text.push(row("fit them", fit_command(found, scene, args)));
    text
}

/// Returns lines that begin with the fitted values of a program that reproduces the file. The
/// candidate with the values of the scene follows, which only the rounding of a float explains.
fn values_first(found: &Identified, scene: &Scene, args: &IdentifyArgs) -> Option<Vec<String>> {
    let (values, best) = found.other_values.as_ref().zip(found.matches.first())?;
    let mut text = vec![
        format!("undecided; it may be {}", with_values(values)),
        row("other values", residual(values)),
    ];
    text.extend(values.remarks.iter().map(|remark| row("remark", remark)));
    text.push(row("fit them", fit_command(values, scene, args)));
    text.push(row(
        "or",
        format!("with the values of the scene and the rounding of a float: {}", best.phrase),
    ));
    text.extend(identified(found, best, scene, args).into_iter().skip(1));
    Some(text)
}

/// Returns lines with the reading of the file, the outcome and its margin.
fn report(found: &Identified, scene: &Scene, args: &IdentifyArgs) -> Vec<String> {
    let top = usize::from(args.top);
    let other_values = found.other_values.iter().flat_map(|it| other_values(it, scene, args));
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
        (IdentifyOutcome::None, _) => {
            let with = match found.other_values {
                Some(_) => " with the values of the scene",
                None => "",
            };
            text.push(format!(
                "none: no method, variant or slip of catena reproduces the file{with}"
            ));
            text.extend(other_values);
            // Advice on another reading comes first, because it makes the candidates meaningless.
            let advice = found.advice.iter().map(|line| row("try", line));
            let nearest = nearest(found, top);
            match found.is_other_reading {
                true => text.extend(advice.chain(nearest)),
                false => text.extend(nearest.into_iter().chain(advice)),
            }
            return text;
        }
        (_, None) => {}
        (_, Some(best)) => match values_first(found, scene, args) {
            Some(all) => text.extend(all),
            None => text.extend(identified(found, best, scene, args)),
        },
    }
    text.extend(found.advice.iter().map(|line| row("try", line)));
    text
}

/// Returns the largest distance of a candidate. For a diverged motion, returns its share of the
/// positions.
fn distance(of: &Match) -> String {
    let share = |largest: f64| match of.has_diverged {
        true => format!("{} times the largest coordinate", short(largest / of.size)),
        false => short(largest),
    };
    match of.largest {
        None => "infinite".into(),
        Some(0.0) => "0".into(),
        Some(largest) => share(largest),
    }
}

/// Returns the largest distance of a candidate. If rounding blurs the end of its motion, also
/// returns the distance in all frames.
fn distances(of: &Match) -> String {
    match of.farthest {
        Some(farthest) if of.largest.is_some_and(|largest| farthest > largest) => format!(
            "{} up to frame {}, after which rounding dominates, and {} in all frames",
            distance(of),
            of.compared_to,
            short(farthest)
        ),
        _ => distance(of),
    }
}

/// Returns the place of the largest distance, and the rounding that explains it.
fn explained(best: &Match, is_single: bool) -> String {
    let unit = if best.has_diverged { best.size } else { 1.0 };
    let [all, printed] = [best.tolerance, best.printed].map(|it| short(it / unit));
    let of_float = if is_single { " of a float" } else { "" };
    let why = match best.tolerance <= 1.1 * best.printed {
        true => format!("the printed digits explain {printed} there"),
        false => format!(
            "rounding{of_float} explains {all} there, because it has grown over {} frames",
            best.frame.saturating_add_signed(best.offset)
        ),
    };
    match best.largest {
        Some(0.0) => "0: every number agrees exactly".into(),
        _ => format!("{}, at node {} in frame {}; {why}", distance(best), best.node, best.frame),
    }
}

/// Returns lines with the best explanation, its margin and equally good candidates.
fn identified(found: &Identified, best: &Match, scene: &Scene, args: &IdentifyArgs) -> Vec<String> {
    let top = usize::from(args.top);
    let mut text = match found.outcome {
        IdentifyOutcome::Undecided => vec![format!("undecided; it may be {}", best.phrase)],
        _ => vec![best.phrase.clone()],
    };
    text.push(row("largest", explained(best, found.is_single)));
    match &found.next {
        Some(next) => text.push(row("next best", next_best(next, found.margin))),
        None => {
            text.push(row("next best", "none: every other completed candidate fits as well"));
        }
    }
    if best.from_data {
        text.push(row("start", "the file's own first positions, with the scene's velocities"));
    }
    text.extend(found.substeps.map(|range| row("substeps", as_many(range))));
    text.extend(best.remarks.iter().map(|remark| row("remark", remark)));
    text.extend(to_see(best, &args.scene, scene));
    let others = distinct(&found.matches);
    let others = &others[1..];
    if !others.is_empty() {
        text.push(row("as good", "the file does not distinguish the following from it:"));
        text.extend(
            others
                .iter()
                .take(top.max(2) - 1)
                .map(|it| row("", format!("{}, largest {}", it.phrase, distance(it)))),
        );
    }
    let more = others.len().saturating_sub(top.max(2) - 1) + found.crowded;
    if more > 0 {
        text.push(row("", format!("and {more} more that are equally close; --top N lists more")));
    }
    text
}

/// Returns the nearest candidate that does not reproduce the file, compared with the best one in
/// the same frames. A candidate that is no farther there exceeds its own rounding.
fn next_best(next: &Match, margin: Option<f64>) -> String {
    let (own, phrase) = (distance(next), &next.phrase);
    match (margin, next.parts_at) {
        (Some(margin), Some(frame)) if margin < 1.0 => {
            let (last, at) = (next.compared_to, at_node(next));
            format!(
                "{own} up to frame {last}, no farther than the best one: {phrase}; in frame \
                 {frame} it deviates{at} by more than its own rounding explains"
            )
        }
        (Some(margin), _) => {
            format!("{own}, {} times as far: {phrase}{}", short(margin), parts(next))
        }
        (None, _) => format!("{own}: {phrase}{}", parts(next)),
    }
}

/// Returns a sentence about the numbers of substeps that explain a file equally well.
fn as_many([low, high]: [u64; 2]) -> String {
    format!("{low} to {high} substeps explain it equally well; more digits would distinguish them")
}

/// Returns the node at which a candidate deviates from the file.
fn at_node(of: &Match) -> String {
    of.parts_node.map_or(String::new(), |node| format!(" at node {node}"))
}

/// Returns the frame and node at which a candidate deviates from the file.
fn parts(of: &Match) -> String {
    let at = |frame| format!("; it deviates in frame {frame}{}", at_node(of));
    of.parts_at.map_or(String::new(), at)
}

/// Returns the frame and node at which a candidate that does not reproduce the file deviates from
/// it. If rounding may explain its distances, returns the place of the largest distance.
fn leaves(of: &Match) -> String {
    match of.parts_at {
        Some(_) => parts(of),
        None => format!("; its largest distance is in frame {} at node {}", of.frame, of.node),
    }
}

/// Returns lines with the command that renders a candidate. The command gives all panels the fields
/// of the candidate's panel, so that all are equal and shown once. If panels differ in fields that
/// `--set` cannot change, a line names the panel. If some panels cannot have these fields, the
/// lines state what to write in the candidate's panel.
fn to_see(of: &Match, scene: &SceneArgs, read: &Scene) -> Vec<String> {
    let given = scene.set.iter().map(Patch::text);
    let changes: Vec<String> = given.chain(of.changes.iter().cloned()).collect();
    let patches: Option<Vec<Patch>> = changes.iter().map(|it| it.parse().ok()).collect();
    let limits = scene.limit.limits();
    let load = |patches: Vec<Patch>| load_within(&read.source_text(), &patches, &limits).ok();
    let shown = patches.and_then(load);
    let path = shell::quoted(&scene.scene);
    let key = "to see it";
    let Some(shown) = shown else {
        let fields = of.changes.iter().map(|it| it.replacen('=', ": ", 1));
        let fields = fields.collect::<Vec<_>>().join(", ");
        return vec![row(key, format!("write in {} of {path}: {fields}", panel_of(of, None)))];
    };
    let sets = changes.iter().map(|change| format!(" --set {}", shell::quoted(change)));
    let command = format!("catena render {path}{}", sets.collect::<String>());
    let mut lines = vec![row(key, command)];
    if shown.panels.len() > 1 {
        let label = shown.panels.get(of.panel_index).map(|panel| &*panel.label);
        lines.push(row("", format!("{} shows it", panel_of(of, label))));
    }
    lines
}

/// Names the panel of a candidate: by `label` if given, otherwise by the panel's own label. A panel
/// without a label is named by its number from 1.
fn panel_of(of: &Match, label: Option<&str>) -> String {
    match label.unwrap_or(&of.panel) {
        "" => format!("panel {}", of.panel_index + 1),
        label => format!("panel \"{label}\""),
    }
}

/// Returns the first candidate of each phrase. Candidates have equal phrases if, for example,
/// panels with one method differ in another field.
fn distinct(all: &[Match]) -> Vec<&Match> {
    let mut found: Vec<&Match> = Vec::new();
    for of in all {
        if !found.iter().any(|known| known.phrase == of.phrase) {
            found.push(of);
        }
    }
    found
}

/// Returns the command that fits the values of the scene.
fn fit_command(found: &FittedValues, scene: &Scene, args: &IdentifyArgs) -> String {
    let given = args.scene.set.iter().map(Patch::text);
    let changes = given.chain(found.changes.iter().cloned());
    let changes = changes.map(|change| format!(" --set {}", shell::quoted(change)));
    let panel = match scene.panels.len() {
        1 => String::new(),
        _ => format!(" --panel {}", found.panel_index + 1),
    };
    let first = found.first_frame.map_or(String::new(), |it| format!(" --first-frame {it}"));
    format!(
        "catena fit {}{}{panel} --data {}{}{first} --vary {}",
        shell::quoted(&args.scene.scene),
        changes.collect::<String>(),
        shell::quoted(&args.data),
        args.reading(),
        shell::quoted(found.vary.join(","))
    )
}

/// Returns lines with the nearest candidates and the nearest panel of the scene. A candidate that
/// is farther away than the length of the body is not near.
fn nearest(found: &Identified, top: usize) -> Vec<String> {
    let is_near =
        |of: &&Match| of.has_diverged || of.largest.is_some_and(|largest| largest <= found.extent);
    let near: Vec<&Match> = distinct(&found.matches).into_iter().filter(is_near).collect();
    let mut text = Vec::new();
    for (index, of) in near.iter().take(top).enumerate() {
        let key = if index == 0 { "nearest" } else { "" };
        text.push(row(key, format!("{}: {}{}", distances(of), of.phrase, leaves(of))));
    }
    if near.is_empty() {
        let extent = short(found.extent);
        let first = found.matches.first();
        let first = first.map_or(String::new(), |of| {
            format!("; the nearest is {}: {}", of.phrase, leaves(of).trim_start_matches("; "))
        });
        let what = "all candidates are farther away than the length of the body";
        text.push(row("nearest", format!("{what}, {extent}{first}")));
    }
    let shown = &near[..near.len().min(top)];
    let is_new = |own: &&Match| shown.iter().all(|of| of.phrase != own.phrase);
    if let Some(own) = found.own.as_ref().filter(is_near).filter(is_new) {
        let panel = match &*own.panel {
            "" => "the scene itself".to_owned(),
            label => format!("panel \"{label}\""),
        };
        text.push(row("of the scene", format!("{}: {panel}{}", distance(own), leaves(own))));
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
