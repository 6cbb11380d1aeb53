//! `catena trace`: the numbers of a scene, as csv or as a NumPy array.

use super::{Failure, args::TraceArgs};
use crate::job::{Divergence, RunError, Trace};
use crate::output::{
    OutputError, atomic,
    stdout::{self, StdoutWriter},
};
use std::io::{self, Write};

pub(super) fn run(args: &TraceArgs) -> Result<(), Failure> {
    let scene = args.scene.load()?;
    let trace = Trace::new(&scene, &args.options())?;
    let mut diverged: Vec<Divergence> = Vec::new();
    if stdout::is_stdout(&args.output) {
        let printer = StdoutWriter::default();
        let mut out = io::BufWriter::new(&printer);
        // Without a reader, rows matter for the verdict of --strict alone.
        let is_of_no_use = || !args.strict && !printer.has_reader();
        let written = trace.write(&mut out, &is_of_no_use);
        diverged = written.map_err(|error| error.of_output(stdout::refused))?;
        out.flush().map_err(stdout::refused)?;
    } else {
        let refuse = |cause| OutputError::new("write", &args.output, cause);
        atomic::write_to(&args.output, |out| {
            let written = trace.write(out, &());
            diverged = written.map_err(|error| error.of_output(refuse))?;
            Ok::<_, RunError>(())
        })?;
    }
    if args.strict && !diverged.is_empty() {
        let line = |it: &Divergence| format!("{} diverged at frame {}", it.label, it.frame);
        let lines: Vec<String> = diverged.iter().map(line).collect();
        return Err(Failure::Diverged(lines.join("; ")));
    }
    Ok(())
}
