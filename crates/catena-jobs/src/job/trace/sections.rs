//! Table of the sections of rods: orientation, curvature and twist of each segment over time.

use super::table::{Cell, Column, RowSink, TableWriter};
use catena_analysis::topology::Passage;
use catena_sim::{Body, Setup, Simulation, force::rod::Rods};
use std::io;

/// Table with one row per segment of each rod. A body without rods has no rows.
pub(super) struct Sections;

impl TableWriter for Sections {
    fn columns(&self) -> Vec<Column> {
        let mut columns = ["rod", "segment", "first", "second"].map(Column::whole).to_vec();
        let reals = ["tx", "ty", "tz", "nx", "ny", "nz", "curvature", "twist"];
        columns.extend(reals.map(Column::real));
        columns
    }

    fn rows(&self, setup: &Setup) -> Option<usize> {
        let rods = setup.rods().into_iter().flat_map(Rods::rods);
        Some(rods.map(|rod| rod.springs.len()).sum())
    }

    /// Writes the tangent, the normal and the twist at the middle of each segment, and the
    /// curvature at its first node.
    fn write(
        &self,
        simulation: &Simulation,
        _passages: &[Passage],
        rows: &mut RowSink<'_>,
    ) -> io::Result<()> {
        let (setup, springs) = (simulation.setup(), simulation.springs());
        let Some(rods) = setup.rods() else { return Ok(()) };
        let body = Body { model: &setup.model, springs };
        let readings = rods.readings(&body, simulation.state());
        for (index, (rod, reading)) in rods.rods().zip(readings).enumerate() {
            for segment in 0..rod.springs.len() {
                let ends = [segment, (segment + 1) % rod.nodes.len()].map(|k| rod.nodes[k]);
                rows.row(|cells| {
                    let whole = [index, segment, ends[0], ends[1]];
                    cells.extend(whole.map(|number| Cell::Whole(number as u64)));
                    let frame = reading.frames[segment];
                    let vectors = frame.tangent.into_iter().chain(frame.normal);
                    let turned = [reading.curvature[segment], reading.twist[segment]];
                    cells.extend(vectors.chain(turned).map(Cell::defined));
                })?;
            }
        }
        Ok(())
    }
}
