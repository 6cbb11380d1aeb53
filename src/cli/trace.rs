//! `catena trace`: the numbers of a scene, as csv or as a NumPy array.

use super::{Failure, args::TraceArgs, notes, paths::GivenPaths, say};
use crate::job::{self, Divergence, RunError, Trace, TraceTable, Traces, scene_inputs};
use crate::output::{
    OutputError, atomic,
    stdout::{self, StdoutWriter},
};
use crate::text::list::quoted;
use std::io::{self, Write};

pub(super) fn run(args: &TraceArgs, paths: &GivenPaths) -> Result<(), Failure> {
    args.check()?;
    let scene = args.scene.load_for(args.panel.as_deref())?;
    paths.keep(&scene_inputs(&scene))?;
    let options = args.options()?;
    if let Some(warning) = scene.override_warning(false) {
        say::aside(&format!("warning: {warning}"));
    }
    job::understood(&scene).iter().for_each(|text| say::aside(&format!("note: {text}")));
    let trace = Trace::new(&scene, &options)?;
    let watches = matches!(options.table, TraceTable::Topology(_) | TraceTable::Crossings(_));
    if watches && trace.is_planar() {
        say::aside(IN_THE_PLANE);
    }
    let mut traces = Traces::default();
    if stdout::is_stdout(&args.output) {
        let printer = StdoutWriter::default();
        let mut out = io::BufWriter::new(&printer);
        // If standard output has no reader, rows matter only for the exit code.
        let is_of_no_use = || !args.strict && !watches && !printer.has_reader();
        let written = trace.write(&mut out, &is_of_no_use);
        traces = written.map_err(|error| error.of_output(stdout::refused))?;
        out.flush().map_err(stdout::refused)?;
    } else {
        let refuse = |cause| OutputError::new("write", &args.output, cause);
        atomic::write_to(&args.output, |out| {
            let written = trace.write(out, &());
            traces = written.map_err(|error| error.of_output(refuse))?;
            Ok::<_, RunError>(())
        })?;
    }
    if traces.passages > 0 {
        return Err(Failure::Passed(passed(&traces)));
    }
    let stops = traces.stops.iter().filter_map(|(label, times)| notes::stop(label, *times));
    stops.for_each(|line| say::aside(&format!("note: {line}")));
    let line = |it: &Divergence| format!("{} diverged at frame {}", quoted(&it.label), it.frame);
    let diverged: Vec<String> = traces.diverged.iter().map(line).collect();
    match (diverged.join("; "), args.strict) {
        (lines, _) if lines.is_empty() => {}
        (lines, true) => return Err(Failure::Diverged(lines)),
        (lines, false) => say::aside(&format!("note: {lines}; later rows are meaningless")),
    }
    Ok(())
}

/// Note about a planar scene.
const IN_THE_PLANE: &str = "note: in a planar scene no curve passes over another: crossings are \
                            intersections, and nothing is linked; gauss, linking, reduced and \
                            signs are empty";

/// Maximum number of passages that a message describes.
const MAX_REPORTED: usize = 10;

/// Description of the passages, one line each.
fn passed(traces: &Traces) -> String {
    let listed = traces.passed.iter().take(MAX_REPORTED);
    let mut lines: Vec<String> = listed.map(ToString::to_string).collect();
    let others = traces.passages - lines.len() as u64;
    if others > 0 {
        lines.push(format!("and {others} more"));
    }
    lines.join("\n  ")
}
