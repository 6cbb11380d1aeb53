//! `catena statics --load`: equilibria of each body while a field changes.

use super::args::StaticsArgs;
use super::paths::GivenPaths;
use super::{Failure, figure, say, threads};
use crate::analysis::statics::{Path, PathEnd, PathPoint, Stability};
use crate::cli::rests::each;
use crate::job::{self, DrawnPath, LoadRange, StaticsOptions};
use crate::scene::{Scene, SceneText, load_whole, load_within};
use crate::text::number::{counted, digits};
use serde_json::{Value, json};

/// Maximum number of equilibria in a table. JSON contains all.
const ROWS: usize = 24;

pub(super) fn run(args: &StaticsArgs, load: &LoadRange, paths: &GivenPaths) -> Result<(), Failure> {
    let limits = args.scene.limit.limits();
    let text = SceneText::read_within(&args.scene.scene, &limits)?;
    let scene = at_first(args, load, &text)?;
    paths.keep(&job::scene_inputs(&scene))?;
    let chosen = args.panel.as_deref().map(|it| job::find_panel(&scene, it)).transpose()?;
    let format = args.output.as_ref().map(|path| figure::format("-o", path)).transpose()?;
    warn_of_overrides(&scene, args);
    let maximum = job::max_balances(&limits);
    let options = StaticsOptions { limits, ..StaticsOptions::default() };
    let pool = threads::pool(threads::wanted(args.threads), "statics", false)?;
    let found = pool.install(|| job::load_paths(&text, &args.scene.set, load, &options, chosen))?;
    let is_chosen = |panel: usize| chosen.is_none_or(|chosen| chosen == panel);
    let bodies: Vec<_> = each(&scene, &found).filter(|(panel, ..)| is_chosen(*panel)).collect();
    let mut drawn = Vec::new();
    let mut lines = vec![scene.title.clone().unwrap_or_else(|| scene.name.clone())];
    let mut values = Vec::new();
    for (panel, body, label, path) in &bodies {
        let axes = body.setup.model.axes;
        let nodes = body.setup.model.nodes();
        if let Some(node) = args.node.filter(|node| *node >= nodes) {
            let message = format!("--node {node}: {label} has only nodes 0 to {}", nodes - 1);
            return Err(Failure::Usage(message));
        }
        let shown = panel + 1;
        lines.extend([String::new(), format!("panel {shown}: {label} ({})", body.method.name)]);
        let mut value = json!({ "panel": panel, "label": label, "method": body.method.name });
        match path {
            None => lines.push("  no rest      this body is a figure without springs".into()),
            Some(Err(reason)) => {
                lines.push(format!("  no rest      {reason}"));
                let back = format!("or reverse the path: --load '{}'", load.reversed());
                lines.push(format!("  what to do   {}; {back}", reason.help()));
                value["help"] = reason.help().into();
                value["reason"] = reason.to_string().into();
            }
            Some(Ok(path)) => {
                let (node, axis) = job::farthest_coordinate(path, axes);
                let node = args.node.unwrap_or(node);
                let warnings = warnings(load, path, maximum);
                lines.extend(report(load, path, node, axes, &warnings));
                value["complete"] = path.is_complete().into();
                value["warnings"] = warnings.into();
                value["points"] = path.points.iter().map(|point| json(point, axes)).collect();
                drawn.push(DrawnPath { label: label.clone(), path, node, axis, axes });
            }
        }
        values.push(value);
    }
    if let (Some(path), Some(format)) = (&args.output, format) {
        figure::write(&job::path_figure(load, &drawn, &args.style.style())?, path, format)?;
    }
    match args.json {
        true => say::json(&format!(
            "{:#}\n",
            json!({ "scene": scene.name, "field": load.path(), "bodies": values })
        )),
        false => say::lines(lines),
    }
}

/// Reads the scene at the first load. If a panel is chosen, panels that become equal are kept.
fn at_first(args: &StaticsArgs, load: &LoadRange, text: &SceneText) -> Result<Scene, Failure> {
    let mut patches = args.scene.set.clone();
    patches.push(load.first().map_err(Failure::Usage)?);
    let read = if args.panel.is_some() { load_whole } else { load_within };
    Ok(read(text, &patches, &args.scene.limit.limits())?)
}

/// Warns about values of panels that the load overrides. The load acts like a change of the scene.
fn warn_of_overrides(scene: &Scene, args: &StaticsArgs) {
    let Some(warning) = scene.override_warning(false) else { return };
    let warning = match args.scene.set.is_empty() {
        true => warning.replacen("--set", "--load", 1),
        false => warning.replacen("--set overrides", "--set and --load override", 1),
    };
    say::aside(&format!("warning: {warning}"));
}

/// Summary and table of a path.
fn report(
    load: &LoadRange,
    path: &Path,
    node: usize,
    axes: usize,
    warnings: &[String],
) -> Vec<String> {
    let count = counted(path.points.len() as u64, "equilibrium point");
    let [from, to] = load.ends().map(|value| digits(value, 5));
    let mut lines = vec![format!("  path         {} from {from} to {to}: {count}", load.name())];
    for limit in path.limits() {
        let place = place(limit, node, axes);
        let load = digits(limit.load, 8);
        lines.push(format!("  limit        {load}: the load reverses, node {node} at {place}"));
    }
    for point in path.points.iter().filter(|point| point.is_critical) {
        let (place, load) = (place(point, node, axes), digits(point.load, 8));
        lines.push(format!("  critical     {load}: stability changes, node {node} at {place}"));
    }
    lines.extend(warnings.iter().map(|warning| format!("  warning      {warning}")));
    let step = path.points.len().div_ceil(ROWS).max(1);
    let is_shown = rows(&path.points, step);
    let shown = is_shown.iter().filter(|is_shown| **is_shown).count();
    if step > 1 {
        lines.push(format!(
            "  table        {shown} of {count}: one in {step}, and those where the load reverses \
             or stability changes; --json and -o FILE.csv contain all"
        ));
    }
    lines.push(format!("  {:>14}  {:>14}  {:<9}  node {node}", "load", "smallest ω²", "stability"));
    for (point, is_shown) in path.points.iter().zip(is_shown) {
        if is_shown {
            let square = point.omega_squared.map_or("-".into(), |square| digits(square, 5));
            let (load, place) = (digits(point.load, 6), place(point, node, axes));
            let word = word(point.stability);
            lines.push(format!("  {load:>14}  {square:>14}  {word:<9}  {place}"));
        }
    }
    lines
}

/// Returns for each equilibrium whether the table has a row for it: one in `step`, the last one,
/// limits, and both sides of a change of stability.
fn rows(points: &[PathPoint], step: usize) -> Vec<bool> {
    let differs = |a: usize, b: usize| match (points.get(a), points.get(b)) {
        (Some(a), Some(b)) => a.stability != b.stability,
        _ => false,
    };
    let last = points.len().saturating_sub(1);
    let is_row = |(index, point): (usize, &PathPoint)| {
        index % step == 0
            || index == last
            || point.is_limit
            || point.is_critical
            || differs(index, index + 1)
            || index > 0 && differs(index - 1, index)
    };
    points.iter().enumerate().map(is_row).collect()
}

/// Warnings about an early end of a path, a loss of stability, and a field without influence.
fn warnings(load: &LoadRange, path: &Path, maximum: usize) -> Vec<String> {
    let mut warnings = Vec::new();
    let last = path.points.last().map_or(f64::NAN, |point| point.load);
    let why = match path.end {
        PathEnd::Complete => None,
        PathEnd::Lost => Some("no next equilibrium was found".to_owned()),
        PathEnd::Far => {
            Some("the load is beyond its range by more than three times the range".into())
        }
        PathEnd::Work => Some(
            "the search reached its work limit; `--minutes N` allows N times as much, and \
             `--unlimited` any amount"
                .into(),
        ),
        PathEnd::Most => Some(format!(
            "the path reached its limit of {maximum} equilibria; `--minutes N` allows N times 2000, \
            and \
             `--unlimited` any number"
        )),
    };
    warnings.extend(why.map(|why| format!("the path ends at {}: {why}", digits(last, 5))));
    if path.passages > 0 {
        warnings.push(job::passage_warning(path.passages));
    }
    warnings.extend(start_warning(load, path));
    let field = load.path();
    match path.stays() {
        [true, true] => warnings.push(format!(
            "{field} has no influence: neither the equilibrium nor its smallest ω² depends on it"
        )),
        [true, false] => warnings.push(format!(
            "no node moves while {field} changes: only the stiffness of the equilibrium changes"
        )),
        [false, _] => {}
    }
    for load in lost_at_critical(path) {
        let load = digits(load, 8);
        warnings.push(format!(
            "stability is lost at {load}, although the load does not reverse: another branch \
             begins there, which a body follows instead; to follow that branch, displace the start \
             towards it, for example with a small transverse force"
        ));
    }
    for [a, b] in lost_stability(path) {
        let [a, b] = [a, b].map(|point| digits(point.load, 8));
        warnings.push(format!(
            "stability is lost between {a} and {b}, although the load does not reverse, and ω² \
             jumps: the path jumped to another branch; a body may leave the path before its limit, \
             so use a shorter range"
        ));
    }
    warnings
}

/// Warning about a path that starts at an unstable equilibrium, or where its direction is
/// undefined.
fn start_warning(load: &LoadRange, path: &Path) -> Option<String> {
    let first = path.points.first()?;
    let from = digits(first.load, 5);
    let back = format!("follow it from the other load: --load '{}'", load.reversed());
    match first.stability {
        Stability::Unstable => Some(format!(
            "the path starts at an unstable equilibrium, at which no run comes to rest, and \
             follows it; displace the start of the body, or {back}"
        )),
        _ if is_later(load, first) => {
            let begin = digits(load.ends()[0], 5);
            Some(format!(
                "at {begin} a displacement costs no energy, so the path has no direction there and \
                 begins at {from} instead"
            ))
        }
        // In a path with several equilibria, the first one is the end of a branch.
        Stability::Neutral if path.points.len() == 1 => Some(format!(
            "at {from} a displacement costs no energy, so other shapes are in equilibrium as well, \
             and the path has no direction there; begin at a small load, or {back}"
        )),
        Stability::Neutral | Stability::Stable => None,
    }
}

/// Returns whether a path begins beyond the first load.
fn is_later(load: &LoadRange, first: &PathPoint) -> bool {
    let [from, to] = load.ends();
    (first.load - from).abs() > 1e-3 * (to - from).abs()
}

/// Loads of critical equilibria after which the path is unstable.
fn lost_at_critical(path: &Path) -> impl Iterator<Item = f64> {
    let pairs = path.points.windows(2).filter(|pair| pair[0].is_critical);
    pairs.filter(|pair| pair[1].stability == Stability::Unstable).map(|pair| pair[0].load)
}

/// Pairs of consecutive equilibria of which only the first is stable, without a limit point.
fn lost_stability(path: &Path) -> impl Iterator<Item = [&PathPoint; 2]> {
    let pairs = path.points.windows(2).map(|pair| [&pair[0], &pair[1]]);
    pairs.filter(|[a, b]| {
        let is_lost = a.stability == Stability::Stable && b.stability == Stability::Unstable;
        is_lost && ![a, b].iter().any(|point| point.is_limit || point.is_critical)
    })
}

fn place(point: &PathPoint, node: usize, axes: usize) -> String {
    let n = point.x.len() / axes;
    let parts: Vec<String> = (0..axes).map(|axis| digits(point.x[axis * n + node], 6)).collect();
    format!("({})", parts.join(", "))
}

fn word(stability: Stability) -> &'static str {
    match stability {
        Stability::Stable => "stable",
        Stability::Neutral => "neutral",
        Stability::Unstable => "unstable",
    }
}

fn json(point: &PathPoint, axes: usize) -> Value {
    let n = point.x.len() / axes;
    let place = |node: usize| (0..axes).map(|axis| point.x[axis * n + node]).collect::<Vec<f64>>();
    json!({
        "load": point.load,
        "residual": point.residual,
        "smallest_omega_squared": point.omega_squared,
        "stability": word(point.stability),
        "limit": point.is_limit,
        "critical": point.is_critical,
        "positions": (0..n).map(place).collect::<Vec<_>>(),
    })
}
