//! `catena trace`: the numbers of a scene, as csv or as a NumPy array.

use super::{
    Failure,
    args::{TraceArgs, TraceFormat},
};
use crate::output::{OutputError, atomic};
use crate::scene::{Scene, SceneText, load};
use crate::sim::{Outcome, Simulation};
use std::{
    io::{self, Write},
    path::Path,
    sync::Arc,
};

/// A node of a body in a frame.
struct Node {
    frame: u64,
    time: f64,
    panel: u64,
    body: u64,
    node: u64,
    x: [f64; 3],
    v: [f64; 3],
    /// The shortest step that led to the frame; that of the scene in frame 0.
    dt: f64,
}

/// The columns, of csv and of npy.
fn columns(axes: usize) -> &'static [&'static str] {
    match axes {
        2 => &["frame", "time", "panel", "body", "node", "x", "y", "vx", "vy", "dt"],
        _ => &["frame", "time", "panel", "body", "node", "x", "y", "z", "vx", "vy", "vz", "dt"],
    }
}

pub(super) fn run(args: &TraceArgs) -> Result<(), Failure> {
    let scene = load(&SceneText::read(&args.scene.scene)?, &args.scene.set)?;
    let frames = args.frames.unwrap_or(scene.frames);
    let mut diverged = Vec::new();
    let mut fill = |out: &mut dyn Write| -> Result<(), Failure> {
        let name =
            if args.output == Path::new("-") { Path::new("standard output") } else { &args.output };
        let refuse = |cause| Failure::from(OutputError::new("write", name, cause));
        diverged = match args.format {
            TraceFormat::Csv => write_csv(&scene, frames, out).map_err(refuse)?,
            TraceFormat::Npy => write_npy(&scene, frames, out).map_err(refuse)?,
        };
        Ok(())
    };
    if args.output == Path::new("-") {
        let mut out = io::BufWriter::new(io::stdout().lock());
        fill(&mut out)?;
        out.flush().map_err(Failure::stdout)?;
    } else {
        atomic::write_with(&args.output, fill)?;
    }
    if args.strict && !diverged.is_empty() {
        return Err(Failure::Diverged(diverged.join("; ")));
    }
    Ok(())
}

/// `{:?}` prints the shortest digits that read back to the same bits.
fn write_csv(scene: &Scene, frames: u64, out: &mut dyn Write) -> io::Result<Vec<String>> {
    writeln!(out, "{}", columns(scene.axes).join(","))?;
    rows(scene, frames, |r| {
        write!(out, "{},{:?},{},{},{}", r.frame, r.time, r.panel, r.body, r.node)?;
        for value in r.x[..scene.axes].iter().chain(&r.v[..scene.axes]) {
            write!(out, ",{value:?}")?;
        }
        writeln!(out, ",{:?}", r.dt)
    })
}

/// Writes an array of records, version 1.0 of NumPy's format: <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>.
fn write_npy(scene: &Scene, frames: u64, out: &mut dyn Write) -> io::Result<Vec<String>> {
    let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    let nodes: u64 = bodies.map(|body| body.setup.model.nodes() as u64).sum();
    out.write_all(&npy_header(columns(scene.axes), nodes * frames))?;
    rows(scene, frames, |r| {
        out.write_all(&r.frame.to_le_bytes())?;
        out.write_all(&r.time.to_le_bytes())?;
        for whole in [r.panel, r.body, r.node] {
            out.write_all(&whole.to_le_bytes())?;
        }
        for value in r.x[..scene.axes].iter().chain(&r.v[..scene.axes]).chain([&r.dt]) {
            out.write_all(&value.to_le_bytes())?;
        }
        Ok(())
    })
}

/// Magic bytes, version, length and a Python dictionary, padded so that the data begin at a multiple of 64 bytes.
fn npy_header(columns: &[&str], rows: u64) -> Vec<u8> {
    let record: String = columns
        .iter()
        .map(|&name| {
            let whole = matches!(name, "frame" | "panel" | "body" | "node");
            format!("('{name}', '{}'), ", if whole { "<u8" } else { "<f8" })
        })
        .collect();
    let record = record.trim_end();
    let mut text = format!("{{'descr': [{record}], 'fortran_order': False, 'shape': ({rows},), }}");
    const BEFORE: usize = 10;
    let padded = (BEFORE + text.len() + 1).next_multiple_of(64) - BEFORE;
    text.extend(std::iter::repeat_n(' ', padded - 1 - text.len()));
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((padded as u16).to_le_bytes());
    bytes.extend(text.bytes());
    bytes
}

/// Runs the scene and hands out every row: frame by frame, panel by panel, body by body, node by node. A body that
/// diverges is run on, so its rows show what the arithmetic gave, up to inf and NaN.
fn rows(
    scene: &Scene,
    frames: u64,
    mut take: impl FnMut(Node) -> io::Result<()>,
) -> io::Result<Vec<String>> {
    let mut bodies = Vec::new();
    for (panel, bodies_of_panel) in (0..).zip(scene.panels.iter().map(|panel| &panel.bodies)) {
        for (body, setup) in (0..).zip(bodies_of_panel.iter().map(|body| &body.setup)) {
            bodies.push((panel, body, Simulation::new(Arc::clone(setup))));
        }
    }
    for frame in 0..frames {
        for (panel, body, simulation) in &mut bodies {
            if frame > 0 {
                simulation.advance_frame();
            }
            let state = simulation.state();
            let n = simulation.setup().model.nodes();
            let report = simulation.report();
            let dt = if frame == 0 { simulation.setup().dt() } else { report.least_dt };
            for i in 0..n {
                take(Node {
                    frame,
                    time: state.t,
                    panel: *panel,
                    body: *body,
                    node: i as u64,
                    x: state.position(n, i).map(canonical),
                    v: state.velocity(n, i).map(canonical),
                    dt,
                })?;
            }
        }
    }
    let diverged =
        bodies.iter().filter_map(|(panel, body, simulation)| match simulation.outcome() {
            Outcome::Diverged { frame, .. } => {
                Some(format!("body {body} of panel {panel} diverged at frame {frame}"))
            }
            Outcome::Fine => None,
        });
    Ok(diverged.collect())
}

/// All NaNs are one: their bits differ between processors.
fn canonical(value: f64) -> f64 {
    if value.is_nan() { f64::NAN } else { value }
}
