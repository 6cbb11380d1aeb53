//! `catena trace`: the numbers of a scene, as csv or as a NumPy array.

use super::{
    Failure,
    args::{TraceArgs, TraceFormat},
};
use crate::output::{OutputError, atomic};
use crate::scene::{Scene, SceneText, load};
use crate::sim::{Outcome, Simulation};
use npyz::WriterBuilder;
use std::{
    io::{self, Write},
    path::Path,
    sync::Arc,
};

/// A row: a node of a body in a frame.
#[derive(npyz::Serialize, npyz::AutoSerialize)]
struct Row {
    frame: u64,
    time: f64,
    panel: u64,
    body: u64,
    node: u64,
    x: f64,
    y: f64,
    vx: f64,
    vy: f64,
}

const HEADER: &str = "frame,time,panel,body,node,x,y,vx,vy";

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
    writeln!(out, "{HEADER}")?;
    rows(scene, frames, |r| {
        let (t, x, y, vx, vy) = (r.time, r.x, r.y, r.vx, r.vy);
        writeln!(
            out,
            "{},{t:?},{},{},{},{x:?},{y:?},{vx:?},{vy:?}",
            r.frame, r.panel, r.body, r.node
        )
    })
}

fn write_npy(scene: &Scene, frames: u64, out: &mut dyn Write) -> io::Result<Vec<String>> {
    let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    let nodes: u64 = bodies.map(|body| body.setup.model.nodes() as u64).sum();
    let options = npyz::WriteOptions::new().default_dtype().shape(&[nodes * frames]);
    let mut writer = options.writer(out).begin_nd()?;
    let diverged = rows(scene, frames, |row| writer.push(&row))?;
    writer.finish()?;
    Ok(diverged)
}

/// Runs the scene and hands out every row: frame by frame, panel by panel, body by body, node by node. A body that
/// diverges is run on, so its rows show what the arithmetic gave, up to inf and NaN.
fn rows(
    scene: &Scene,
    frames: u64,
    mut take: impl FnMut(Row) -> io::Result<()>,
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
            for i in 0..n {
                let at = |values: &[f64], axis: usize| canonical(values[axis * n + i]);
                let (x, y) = (at(&state.x, 0), at(&state.x, 1));
                let (vx, vy) = (at(&state.v, 0), at(&state.v, 1));
                let (panel, body, node) = (*panel, *body, i as u64);
                take(Row { frame, time: state.t, panel, body, node, x, y, vx, vy })?;
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
