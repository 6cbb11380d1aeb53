//! Table of forces that a body exerts on its pins and colliders.

use super::table::{Cell, Column, RowSink, TableWriter};
use catena_analysis::topology::Passage;
use catena_sim::{
    Setup, Simulation,
    vector::{Vec3, norm},
};
use std::io;

/// Table with one row per pin and one per collider: the force on it in the last step, and the mean
/// over the frame.
pub(super) struct Forces {
    /// Number of axes of the scene.
    pub(super) axes: usize,
}

impl TableWriter for Forces {
    fn columns(&self) -> Vec<Column> {
        let mut columns = vec![Column::whole("is_collider"), Column::whole("index")];
        let (step, mean) = (["fx", "fy", "fz"], ["mean_fx", "mean_fy", "mean_fz"]);
        columns.extend(step[..self.axes].iter().copied().map(Column::real));
        columns.push(Column::real("size"));
        columns.extend(mean[..self.axes].iter().copied().map(Column::real));
        columns.push(Column::real("mean_size"));
        columns
    }

    fn prepare(&self, simulation: &mut Simulation) {
        simulation.keep_forces();
    }

    fn rows(&self, setup: &Setup) -> Option<usize> {
        // Events may release pins and take others.
        if !setup.events.is_empty() {
            return None;
        }
        let pins = setup.model.pinned.iter().filter(|is_pinned| **is_pinned).count();
        // Events may pin and release nodes.
        setup.events.is_empty().then_some(pins + setup.contacts.colliders.len())
    }

    fn write(
        &self,
        simulation: &Simulation,
        _passages: &[Passage],
        rows: &mut RowSink<'_>,
    ) -> io::Result<()> {
        let mut write = |is_collider: u64, index: usize, forces: [Vec3; 2]| {
            rows.row(|cells| {
                cells.extend([Cell::Whole(is_collider), Cell::Whole(index as u64)]);
                for force in forces {
                    cells.extend(force[..self.axes].iter().copied().map(Cell::Real));
                    cells.push(Cell::Real(norm(force)));
                }
            })
        };
        for pin in simulation.pin_forces() {
            write(0, pin.node, [pin.step, pin.frame])?;
        }
        for on in simulation.collider_forces() {
            write(1, on.collider, [on.step, on.frame])?;
        }
        Ok(())
    }
}
