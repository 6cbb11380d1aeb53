//! `catena trace`: the numbers of a scene, as csv or as a NumPy array.

mod energy;
mod format;
mod nodes;

use super::{
    Failure,
    args::{TraceArgs, TraceFormat},
};
use crate::output::{OutputError, atomic};
use crate::scene::{
    Scene,
    limits::{Product, Run},
};
use crate::sim::{Outcome, Setup, Simulation};
use std::{
    io::{self, Write},
    path::Path,
    sync::Arc,
};

/// What is in a cell.
#[derive(Clone, Copy, Debug)]
enum Cell {
    Whole(u64),
    Real(f64),
}

/// A column: its name, and whether its cells are whole numbers.
#[derive(Clone, Copy, Debug)]
struct Column {
    name: &'static str,
    is_whole: bool,
}

impl Column {
    const fn whole(name: &'static str) -> Self {
        Self { name, is_whole: true }
    }

    const fn real(name: &'static str) -> Self {
        Self { name, is_whole: false }
    }
}

/// A kind of trace: which columns it has, and the rows of a body in a frame. What all kinds have in front, the frame,
/// its time, panel and body, is no matter of theirs.
trait Table {
    /// The columns behind those that all have.
    fn columns(&self) -> Vec<Column>;

    /// Gets a simulation ready, at frame 0.
    fn prepare(&self, _simulation: &mut Simulation) {}

    /// How many rows a body has in a frame.
    fn rows(&self, setup: &Setup) -> usize;

    /// Appends the cells of a row, in the order of the columns.
    fn cells(&self, simulation: &Simulation, row: usize, cells: &mut Vec<Cell>);
}

/// The columns that all tables have in front.
const PLACE: [Column; 4] =
    [Column::whole("frame"), Column::real("time"), Column::whole("panel"), Column::whole("body")];

pub(super) fn run(args: &TraceArgs) -> Result<(), Failure> {
    let run = |scene: &Scene| {
        let product = if args.energy { Product::Numbers } else { Product::Rows };
        Run::up_to(args.frames.unwrap_or(scene.frames), product)
    };
    let (_, scene) = args.scene.load(run)?;
    let frames = args.frames.unwrap_or(scene.frames);
    let table: &dyn Table =
        if args.energy { &energy::Energies } else { &nodes::Nodes { axes: scene.axes } };
    let mut diverged = Vec::new();
    let mut fill = |out: &mut dyn Write| -> Result<(), Failure> {
        let name =
            if args.output == Path::new("-") { Path::new("standard output") } else { &args.output };
        let refuse = |cause| Failure::from(OutputError::new("write", name, cause));
        diverged = write(table, &scene, frames, args.format, out).map_err(refuse)?;
        Ok(())
    };
    if args.output == Path::new("-") {
        let mut out = io::BufWriter::new(io::stdout().lock());
        fill(&mut out)?;
        out.flush().map_err(Failure::stdout)?;
    } else {
        atomic::write_to(&args.output, fill)?;
    }
    if args.strict && !diverged.is_empty() {
        return Err(Failure::Diverged(diverged.join("; ")));
    }
    Ok(())
}

/// Writes the whole table; says which bodies diverged.
fn write(
    table: &dyn Table,
    scene: &Scene,
    frames: u64,
    format: TraceFormat,
    out: &mut dyn Write,
) -> io::Result<Vec<String>> {
    let columns = [PLACE.to_vec(), table.columns()].concat();
    match format {
        TraceFormat::Csv => {
            format::csv_header(&columns, out)?;
            rows(table, scene, frames, |cells| format::csv_row(cells, out))
        }
        TraceFormat::Npy => {
            let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
            let count: u64 = bodies.map(|body| table.rows(&body.setup) as u64).sum();
            format::npy_header(&columns, count * frames, out)?;
            rows(table, scene, frames, |cells| format::npy_row(cells, out))
        }
    }
}

/// Runs the scene and hands out every row: frame by frame, panel by panel, body by body. A body that diverges is run on,
/// so its rows show what the arithmetic gave, up to inf and NaN.
fn rows(
    table: &dyn Table,
    scene: &Scene,
    frames: u64,
    mut take: impl FnMut(&[Cell]) -> io::Result<()>,
) -> io::Result<Vec<String>> {
    let mut bodies = Vec::new();
    for (panel, bodies_of_panel) in (0..).zip(scene.panels.iter().map(|panel| &panel.bodies)) {
        for (body, setup) in (0..).zip(bodies_of_panel.iter().map(|body| &body.setup)) {
            let mut simulation = Simulation::new(Arc::clone(setup));
            table.prepare(&mut simulation);
            bodies.push((panel, body, simulation));
        }
    }
    let mut cells = Vec::new();
    for frame in 0..frames {
        for (panel, body, simulation) in &mut bodies {
            if frame > 0 {
                simulation.advance_frame();
            }
            for row in 0..table.rows(simulation.setup()) {
                cells.clear();
                let time = Cell::Real(simulation.state().t);
                cells.extend([Cell::Whole(frame), time, Cell::Whole(*panel), Cell::Whole(*body)]);
                table.cells(simulation, row, &mut cells);
                take(&cells)?;
            }
        }
    }
    let ended = bodies.iter().map(|(.., simulation)| simulation.outcome());
    let diverged =
        scene.body_labels().into_iter().zip(ended).filter_map(|(label, outcome)| match outcome {
            Outcome::Diverged { frame, .. } => Some(format!("{label} diverged at frame {frame}")),
            Outcome::Fine => None,
        });
    Ok(diverged.collect())
}
