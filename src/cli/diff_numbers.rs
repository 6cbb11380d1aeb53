//! `catena diff` of two files of numbers, such as traces.

use super::table::read_table;
use super::{Failure, args::DiffArgs, say};
use crate::job::{NumberComparison, NumberPlace, diff_numbers};
use crate::output::{OutputError, atomic, stdout};
use crate::scene::recorded::{NumberRows, RecordedError};
use crate::text::number::{counted, short};
use crate::text::shell;
use std::path::{Path, PathBuf};

/// Maximum size in bytes of a number file.
const MAX: u64 = 1 << 29;

/// Whether a path names a file of numbers.
fn is_table(path: &Path) -> bool {
    let endings = ["csv", "tsv", "txt", "dat"];
    let ending = path.extension().and_then(|ending| ending.to_str());
    stdout::is_stdout(path)
        || ending.is_some_and(|it| endings.iter().any(|e| it.eq_ignore_ascii_case(e)))
}

/// Whether the arguments name two files of numbers.
///
/// # Errors
/// Only one of the two is a file of numbers, or an option is for pictures.
pub(super) fn applies(args: &DiffArgs) -> Result<bool, Failure> {
    match (is_table(&args.expected), is_table(&args.actual)) {
        (false, false) if args.has_number_options() => {
            let what = "--tolerance, --columns, --y, --first-frame, --first-node, --node-order, --steps, --scale and --translate are for files of numbers; pictures have --max-channel, --max-pixels and --min-ssim";
            Err(Failure::Usage(what.into()))
        }
        (false, false) => Ok(false),
        (true, true) if args.has_picture_options() => {
            let what = "--max-channel, --max-pixels, --min-ssim and --out are for pictures; files of numbers have --tolerance";
            Err(Failure::Usage(what.into()))
        }
        (true, true) if stdout::is_stdout(&args.expected) && stdout::is_stdout(&args.actual) => {
            Err(Failure::Usage("only one of the two files can be standard input".into()))
        }
        (true, true) => Ok(true),
        _ => {
            if let Some(command) = of_scene(args) {
                let what = "a scene contains no results; compare its trace";
                let panel = "`catena trace --panel N` selects one of several panels";
                return Err(Failure::Usage(format!("{what}: {command}; {panel}")));
            }
            let what = "expected two files of numbers (.csv, .tsv, .txt or .dat, - for standard input), or two pictures or folders of pictures";
            Err(Failure::Usage(what.into()))
        }
    }
}

/// Command that compares the trace of a scene with a file of numbers, if one argument is a scene
/// and the other such a file.
fn of_scene(args: &DiffArgs) -> Option<String> {
    let both = [&args.expected, &args.actual];
    let is_scene = |path: &&&PathBuf| path.extension().is_some_and(|ending| ending == "ron");
    let scene = both.iter().find(is_scene)?;
    let data = both.iter().find(|path| is_table(path))?;
    let (scene, data) = (shell::quoted(scene), shell::quoted(data));
    Some(format!("catena trace {scene} | catena diff - {data}"))
}

pub(super) fn run(args: &DiffArgs) -> Result<(), Failure> {
    let expected = open(&args.expected, NumberRows::read)?;
    let columns = args.columns.as_deref();
    let actual = open(&args.actual, |bytes, name| NumberRows::read_with(bytes, name, columns))?;
    let actual = args.reading().of(actual);
    let found = diff_numbers(&expected, &actual, args.tolerance.map_or(0.0, |it| it.0));
    if found.columns.is_empty() {
        return Err(Failure::Usage(format!(
            "{} and {} have no columns of numbers in common: {} and {}",
            found.files[0],
            found.files[1],
            expected.columns.join(", "),
            actual.columns.join(", ")
        )));
    }
    let to_stdout = args.json.as_deref().is_some_and(stdout::is_stdout);
    if let Some(path) = &args.json {
        let text = found.json().map_err(|error| OutputError::new("write", path, error))?;
        if to_stdout {
            say::json(&text)?;
        } else {
            let refuse = |cause| OutputError::new("write", path, cause);
            atomic::write_to(path, |file| file.write_all(text.as_bytes()).map_err(refuse))?;
        }
    }
    if !to_stdout && !args.quiet {
        say::lines(report(&found))?;
    }
    if found.passes(args.allow_extra) { Ok(()) } else { Err(Failure::Different) }
}

fn open(
    path: &Path,
    read: impl Fn(&[u8], &str) -> Result<NumberRows, RecordedError>,
) -> Result<NumberRows, Failure> {
    let (name, bytes) = read_table(path, MAX)?;
    read(&bytes, &name).map_err(|error| Failure::Data(error.to_string()))
}

/// Maximum number of nodes that a line lists.
const MAX_NODES: usize = 12;

/// Describes the result: a table of the columns, and what does not match.
fn report(found: &NumberComparison) -> Vec<String> {
    let [expected, actual] = &found.files;
    let rows = counted(found.rows, "row");
    let mut lines = Vec::new();
    match &found.unmatched {
        Some(why) => lines.push(format!("{expected} and {actual}: no row matches: {why}")),
        None => {
            lines.push(format!("{expected} and {actual}: {rows} compared"));
            lines.extend(columns(found));
        }
    }
    for (name, alone) in found.files.iter().zip(&found.alone) {
        if let Some((count, [first, last])) = alone {
            let rows = counted(*count, "row");
            lines.push(format!("only in {name}: {rows}, {}s {first} to {last}", found.unit));
        }
    }
    for (index, nodes) in found.nodes_alone.iter().enumerate().filter(|(_, it)| !it.is_empty()) {
        let [has, lacks] = [&found.files[index], &found.files[1 - index]];
        let shown: Vec<String> = nodes.iter().take(MAX_NODES).map(ToString::to_string).collect();
        let more = if nodes.len() > MAX_NODES { ", …" } else { "" };
        let (word, shown) = (if nodes.len() == 1 { "node" } else { "nodes" }, shown.join(", "));
        lines.push(format!("{word} {shown}{more}: only in {has}, not in {lacks}"));
    }
    let [a, b] = found.starts;
    if a != b {
        let unit = found.unit;
        lines.push(format!(
            "{unit}s begin at {a} in {expected} but at {b} in {actual}; rows are \
                            matched by their numbers"
        ));
    }
    for (name, columns) in found.files.iter().zip(&found.columns_alone) {
        if !columns.is_empty() {
            lines.push(format!("columns only in {name}: {}", columns.join(", ")));
        }
    }
    lines.extend(found.hint.iter().map(|hint| format!("note: {expected} and {actual}: {hint}")));
    if !found.texts.is_empty() {
        lines.push(format!(
            "columns not compared, because they contain text: {}",
            found.texts.join(", ")
        ));
    }
    lines
}

/// Lines of the columns with their differences, and the first one above the tolerance.
fn columns(found: &NumberComparison) -> Vec<String> {
    let mut lines = Vec::new();
    let width =
        found.columns.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(6);
    lines.push(format!("  {:width$}  {:>10}  {:>10}  where", "column", "largest", "rms"));
    for (name, column) in &found.columns {
        let place = column.place.as_ref().map_or("equal".into(), |it| place(found.unit, it));
        let (largest, rms) = (short(column.largest), short(column.rms));
        lines.push(format!("  {name:width$}  {largest:>10}  {rms:>10}  {place}"));
    }
    let tolerance = short(found.tolerance);
    lines.push(match &found.first_beyond {
        Some(it) => format!("first {} above {tolerance}: {}, {}", found.unit, it.at, of_column(it)),
        None => format!("no difference above {tolerance}"),
    });
    lines
}

/// Describes where a difference is, and both numbers.
fn place(unit: &str, it: &NumberPlace) -> String {
    let number = |word: &str, number: Option<u64>| number.map(|number| format!("{word} {number}"));
    let parts = [
        Some(format!("{unit} {}", it.at)),
        // The column counts from 0, unlike --panel.
        it.panel.map(|panel| format!("panel={panel}")),
        it.body.map(|body| format!("body={body}")),
        number("node", it.node.map(u64::from)),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("{}: {}", parts.join(", "), values(it))
}

fn of_column(it: &NumberPlace) -> String {
    let node = it.node.map_or(String::new(), |node| format!(" of node {node}"));
    format!("{}{node}: {}", it.column, values(it))
}

fn values(it: &NumberPlace) -> String {
    let [a, b] = it.values.map(|value| value.map_or("nothing".into(), |value| value.to_string()));
    format!("{a} and {b}")
}
