//! Table of events, with the time and place of each.

use super::table::{Cell, Column, RowSink, TableWriter};
use catena_analysis::topology::Passage;
use catena_sim::{Setup, Simulation, drive::event::Happened};
use std::io;

/// Table with one row per event, listed at the frame that ends the frame interval of the event.
pub(super) struct Events {
    /// Number of axes of the scene.
    pub(super) axes: usize,
}

impl Events {
    /// Events of the last frame. Frame 0 has those of the initial state.
    fn of(simulation: &Simulation) -> impl Iterator<Item = &Happened> {
        let (frame, substeps) = (simulation.frame(), simulation.setup().substeps);
        let happened = simulation.events().happened.iter();
        happened.filter(move |happened| happened.step.div_ceil(substeps) == frame)
    }
}

impl TableWriter for Events {
    fn columns(&self) -> Vec<Column> {
        let mut columns = ["event", "step"].map(Column::whole).to_vec();
        columns.push(Column::real("at"));
        columns.extend(["x", "y", "z"][..self.axes].iter().map(|name| Column::real(name)));
        columns.extend(["nodes", "what", "note"].map(Column::text));
        columns
    }

    fn rows(&self, _setup: &Setup) -> Option<usize> {
        None
    }

    fn write(
        &self,
        simulation: &Simulation,
        _passages: &[Passage],
        rows: &mut RowSink<'_>,
    ) -> io::Result<()> {
        let setup = simulation.setup();
        for happened in Self::of(simulation) {
            let place = happened.at.unwrap_or([f64::NAN; 3]);
            let nodes: Vec<String> = happened.nodes.iter().map(usize::to_string).collect();
            let note = happened.nothing.as_ref().map(|why| format!("nothing changed: {why}"));
            let what = setup.events[happened.event].action.words();
            rows.row(|cells| {
                cells.extend([Cell::Whole(happened.event as u64), Cell::Whole(happened.step)]);
                cells.push(Cell::Real(happened.step as f64 * setup.dt()));
                cells.extend(place[..self.axes].iter().map(|value| Cell::Real(*value)));
                cells.extend([nodes.join(" "), what, note.unwrap_or_default()].map(Cell::Text));
            })?;
        }
        Ok(())
    }
}
