//! The numbers of a scene as a table: csv, or a NumPy array.

mod energy;
mod events;
mod format;
mod nodes;
mod table;

use super::{Interruption, RunError, options::count, prepare::limited, refusal::refused};
use crate::output::OutputError;
use crate::scene::{
    Limits, Scene,
    limits::{PlannedRun, Product},
};
use crate::sim::{Outcome, Simulation};
use std::{
    io::{self, Write},
    sync::Arc,
};
use table::{Cell, Column, Table};

/// Which numbers are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TraceTable {
    /// Position, velocity and step of each node: one row a node and frame.
    #[default]
    Nodes,
    /// The energy ledger: one row a body and frame.
    Energy,
    /// What happened: one row an event. It has text, and is written as csv only.
    Events,
}

/// How a table is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TraceFormat {
    /// Numbers with all their digits between commas, below the names of the columns.
    #[default]
    Csv,
    /// One NumPy structured array with the same columns.
    Npy,
}

/// How a trace is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TraceOptions {
    /// How many frames to simulate, from 1 to [`super::MOST_FRAMES`]; `None` takes the scene's.
    pub frames: Option<u64>,
    /// Which numbers.
    pub table: TraceTable,
    /// How they are written.
    pub format: TraceFormat,
    /// What the run may take.
    pub limits: Limits,
}

/// Why a table was not written to its end.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The scene cannot be run with these options.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The writer failed.
    #[error(transparent)]
    Write(#[from] io::Error),
}

impl TraceError {
    /// The error of a file or stream, where `refuse` makes one of what the writer said.
    pub fn of_output(self, refuse: impl FnOnce(io::Error) -> OutputError) -> RunError {
        match self {
            Self::Run(error) => error,
            Self::Write(cause) => refuse(cause).into(),
        }
    }
}

/// A table whose run is within its limits, and that can be written.
pub struct Trace {
    scene: Scene,
    frames: u64,
    options: TraceOptions,
}

/// A body that diverged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// What pictures and messages call the body.
    pub label: String,
    /// The frame at which it diverged.
    pub frame: u64,
}

/// The columns that all tables have in front.
const PLACE: [Column; 4] =
    [Column::whole("frame"), Column::real("time"), Column::whole("panel"), Column::whole("body")];

impl Trace {
    /// Prepares the table of a scene.
    ///
    /// # Errors
    /// When the number of frames is out of range, or the run would take more than the limits allow.
    pub fn new(scene: &Scene, options: &TraceOptions) -> Result<Self, RunError> {
        let frames = count(options.frames, scene)?;
        if (options.table, options.format) == (TraceTable::Events, TraceFormat::Npy) {
            return Err(RunError::Option("events have text: write them as csv".into()));
        }
        let product = match options.table {
            TraceTable::Nodes => Product::Rows,
            TraceTable::Events => Product::Numbers,
            TraceTable::Energy => Product::Energies,
        };
        let scene = limited(scene, &options.limits, &PlannedRun::up_to(frames, product))?;
        Ok(Self { scene, frames, options: options.clone() })
    }

    /// Writes the table and returns the bodies that diverged. After an interruption the rows of
    /// later frames are missing.
    ///
    /// # Errors
    /// When the writer fails, or a simulation uses up its budget.
    pub fn write(
        &self,
        out: &mut dyn Write,
        interruption: &dyn Interruption,
    ) -> Result<Vec<Divergence>, TraceError> {
        let nodes = nodes::Nodes { axes: self.scene.axes };
        let events = events::Events { axes: self.scene.axes };
        let table: &dyn Table = match self.options.table {
            TraceTable::Events => &events,
            TraceTable::Nodes => &nodes,
            TraceTable::Energy => &energy::Energies,
        };
        let columns = [PLACE.to_vec(), table.columns()].concat();
        match self.options.format {
            TraceFormat::Csv => {
                format::csv_header(&columns, out)?;
                self.rows(table, interruption, |cells| format::csv_row(cells, out))
            }
            TraceFormat::Npy => {
                let bodies = self.scene.panels.iter().flat_map(|panel| &panel.bodies);
                let count: u64 = bodies.map(|body| table.rows(&body.setup) as u64).sum();
                format::npy_header(&columns, count * self.frames, out)?;
                self.rows(table, interruption, |cells| format::npy_row(cells, out))
            }
        }
    }

    /// Runs the scene and hands out every row: frame by frame, panel by panel, body by body. A body
    /// that diverges is run on, so its rows show what the arithmetic gave, up to inf and NaN.
    fn rows(
        &self,
        table: &dyn Table,
        interruption: &dyn Interruption,
        mut take: impl FnMut(&[Cell]) -> io::Result<()>,
    ) -> Result<Vec<Divergence>, TraceError> {
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
        for frame in (0..self.frames).take_while(|_| !interruption.is_set()) {
            if frame > 0 {
                bodies.iter_mut().for_each(|(.., simulation)| simulation.advance_frame());
            }
            let simulations = bodies.iter().map(|(.., simulation)| simulation);
            if let Some(refusal) = refused(&self.scene, simulations) {
                return Err(refusal.into());
            }
            for (panel, body, simulation) in &bodies {
                for row in 0..table.rows_now(simulation) {
                    cells.clear();
                    let time = Cell::Real(simulation.state().t);
                    cells.extend([Cell::Whole(frame), time]);
                    cells.extend([Cell::Whole(*panel), Cell::Whole(*body)]);
                    table.cells(simulation, row, &mut cells);
                    take(&cells)?;
                }
            }
        }
        let outcomes = bodies.iter().map(|(.., simulation)| simulation.outcome());
        let labels = self.scene.body_labels().into_iter();
        let diverged = labels.zip(outcomes).filter_map(|(label, outcome)| match outcome {
            Outcome::Diverged { frame, .. } => Some(Divergence { label, frame }),
            Outcome::Fine => None,
        });
        Ok(diverged.collect())
    }
}
