//! Table of nodes: position and velocity of each.

use super::table::{Cell, Column, RowSink, TableWriter};
use catena_analysis::topology::Passage;
use catena_sim::{Setup, Simulation};
use std::io;

/// Table with one row per node and frame.
pub(super) struct Nodes<'a> {
    /// Number of axes of the scene.
    pub(super) axes: usize,
    /// Nodes to write; `None` writes all.
    pub(super) chosen: Option<&'a [u64]>,
}

impl Nodes<'_> {
    /// Nodes of a body that are written, in order.
    fn of(&self, nodes: usize) -> impl Iterator<Item = usize> {
        (0..nodes).filter(|&node| self.chosen.is_none_or(|it| it.contains(&(node as u64))))
    }
}

impl TableWriter for Nodes<'_> {
    fn columns(&self) -> Vec<Column> {
        let vectors = ["x", "y", "z"][..self.axes].iter().chain(&["vx", "vy", "vz"][..self.axes]);
        let mut columns = vec![Column::whole("node")];
        columns.extend(vectors.map(|name| Column::real(name)));
        columns.push(Column::real("dt"));
        columns
    }

    fn rows(&self, setup: &Setup) -> Option<usize> {
        Some(self.of(setup.model.nodes()).count())
    }

    /// The last cell is the shortest step of the frame, or the step of the scene in frame 0.
    fn write(
        &self,
        simulation: &Simulation,
        _passages: &[Passage],
        rows: &mut RowSink<'_>,
    ) -> io::Result<()> {
        let (setup, state) = (simulation.setup(), simulation.state());
        let n = setup.model.nodes();
        let dt = if simulation.frame() == 0 { setup.dt() } else { simulation.report().least_dt };
        for node in self.of(n) {
            let (x, v) = (state.position(n, node), state.velocity(n, node));
            rows.row(|cells| {
                cells.push(Cell::Whole(node as u64));
                let vectors = x[..self.axes].iter().chain(&v[..self.axes]);
                cells.extend(vectors.chain([&dt]).map(|value| Cell::Real(*value)));
            })?;
        }
        Ok(())
    }
}
