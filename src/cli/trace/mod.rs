//! `catena trace`: the numbers of a scene, as csv or as a NumPy array.

mod energy;
mod format;
mod nodes;

use super::{
    Failure,
    args::{TraceArgs, TraceFormat},
    refusal::refused,
};
use crate::output::{
    OutputError, atomic,
    stdout::{self, StdoutWriter},
};
use crate::scene::{
    Scene,
    limits::{PlannedRun, Product},
};
use crate::sim::{Outcome, Setup, Simulation};
use std::{
    io::{self, Write},
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
        let product = if args.energy { Product::Energies } else { Product::Rows };
        PlannedRun::up_to(args.frames.unwrap_or(scene.frames), product)
    };
    let (_, scene) = args.scene.load(run)?;
    let frames = args.frames.unwrap_or(scene.frames);
    let table: &dyn Table =
        if args.energy { &energy::Energies } else { &nodes::Nodes { axes: scene.axes } };
    let trace = Trace { table, scene: &scene, frames };
    let mut diverged = Vec::new();
    if stdout::is_stdout(&args.output) {
        let printer = StdoutWriter::default();
        let mut out = io::BufWriter::new(&printer);
        // Rows that nobody reads are of use for the verdict alone.
        let go_on = || args.strict || printer.has_reader();
        let written = trace.write(args.format, &mut out, &go_on);
        diverged = written.map_err(|stop| stop.failure(|cause| stdout::refused(cause).into()))?;
        out.flush().map_err(stdout::refused)?;
    } else {
        let refuse = |cause| OutputError::new("write", &args.output, cause).into();
        atomic::write_to(&args.output, |out| {
            let written = trace.write(args.format, out, &|| true);
            diverged = written.map_err(|stop| stop.failure(refuse))?;
            Ok::<_, Failure>(())
        })?;
    }
    if args.strict && !diverged.is_empty() {
        return Err(Failure::Diverged(diverged.join("; ")));
    }
    Ok(())
}

/// Why a table was not written to its end.
enum Stop {
    Write(io::Error),
    Refused(Failure),
}

impl Stop {
    /// What the command says of it, where `refuse` says it of the file.
    fn failure(self, refuse: impl FnOnce(io::Error) -> Failure) -> Failure {
        match self {
            Self::Write(cause) => refuse(cause),
            Self::Refused(failure) => failure,
        }
    }
}

impl From<io::Error> for Stop {
    fn from(cause: io::Error) -> Self {
        Self::Write(cause)
    }
}

/// What is traced.
struct Trace<'a> {
    table: &'a dyn Table,
    scene: &'a Scene,
    frames: u64,
}

impl Trace<'_> {
    /// Writes the whole table, or its frames up to that at which `go_on` says no; says which bodies
    /// diverged.
    fn write(
        &self,
        format: TraceFormat,
        out: &mut dyn Write,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Vec<String>, Stop> {
        let columns = [PLACE.to_vec(), self.table.columns()].concat();
        match format {
            TraceFormat::Csv => {
                format::csv_header(&columns, out)?;
                self.rows(go_on, |cells| format::csv_row(cells, out))
            }
            TraceFormat::Npy => {
                let bodies = self.scene.panels.iter().flat_map(|panel| &panel.bodies);
                let count: u64 = bodies.map(|body| self.table.rows(&body.setup) as u64).sum();
                format::npy_header(&columns, count * self.frames, out)?;
                self.rows(go_on, |cells| format::npy_row(cells, out))
            }
        }
    }

    /// Runs the scene and hands out every row: frame by frame, panel by panel, body by body. A body
    /// that diverges is run on, so its rows show what the arithmetic gave, up to inf and NaN.
    fn rows(
        &self,
        go_on: &dyn Fn() -> bool,
        mut take: impl FnMut(&[Cell]) -> io::Result<()>,
    ) -> Result<Vec<String>, Stop> {
        let table = self.table;
        let panels = self.scene.panels.iter().map(|panel| &panel.bodies);
        let mut bodies = Vec::new();
        for (panel, bodies_of_panel) in (0..).zip(panels) {
            for (body, setup) in (0..).zip(bodies_of_panel.iter().map(|body| &body.setup)) {
                let mut simulation = Simulation::new(Arc::clone(setup));
                table.prepare(&mut simulation);
                bodies.push((panel, body, simulation));
            }
        }
        let mut cells = Vec::new();
        for frame in (0..self.frames).take_while(|_| go_on()) {
            if frame > 0 {
                bodies.iter_mut().for_each(|(.., simulation)| simulation.advance_frame());
            }
            let simulations = bodies.iter().map(|(.., simulation)| simulation);
            if let Some(failure) = refused(self.scene, simulations) {
                return Err(Stop::Refused(failure));
            }
            for (panel, body, simulation) in &bodies {
                for row in 0..table.rows(simulation.setup()) {
                    cells.clear();
                    let time = Cell::Real(simulation.state().t);
                    cells.extend([Cell::Whole(frame), time]);
                    cells.extend([Cell::Whole(*panel), Cell::Whole(*body)]);
                    table.cells(simulation, row, &mut cells);
                    take(&cells)?;
                }
            }
        }
        let ended = bodies.iter().map(|(.., simulation)| simulation.outcome());
        let labels = self.scene.body_labels().into_iter();
        let diverged = labels.zip(ended).filter_map(|(label, outcome)| match outcome {
            Outcome::Diverged { frame, .. } => Some(format!("{label} diverged at frame {frame}")),
            Outcome::Fine => None,
        });
        Ok(diverged.collect())
    }
}
