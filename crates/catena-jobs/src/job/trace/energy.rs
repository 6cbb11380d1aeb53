//! Table of energy: the ledger of each frame.

use super::table::{Cell, Column, RowSink, TableWriter};
use catena_analysis::topology::Passage;
use catena_sim::{
    Setup, Simulation,
    run::ledger::{Balance, Gains, Ledger},
};
use std::io;

/// Table with one row per body and frame: the energies at the frame, and the gains since the
/// previous frame.
pub(super) struct Energies;

/// Columns: three stores of energy, the gain from each account since the previous frame, and the
/// accuracy of the balance.
pub(in crate::job) const COLUMNS: [&str; 12] = [
    "kinetic",
    "gravitational",
    "elastic",
    "anchors",
    "colliders",
    "damping",
    "contact",
    "external",
    "yielding",
    "method",
    "residual",
    "turned_over",
];

impl TableWriter for Energies {
    fn columns(&self) -> Vec<Column> {
        COLUMNS.map(Column::real).to_vec()
    }

    fn prepare(&self, simulation: &mut Simulation) {
        simulation.keep_ledger();
    }

    fn rows(&self, _setup: &Setup) -> Option<usize> {
        Some(1)
    }

    fn write(
        &self,
        simulation: &Simulation,
        _passages: &[Passage],
        rows: &mut RowSink<'_>,
    ) -> io::Result<()> {
        let values = values(simulation);
        rows.row(|cells| cells.extend(values.map(Cell::Real)))
    }
}

/// Values of the columns at the current frame of a simulation with a ledger.
pub(in crate::job) fn values(simulation: &Simulation) -> [f64; COLUMNS.len()] {
    let Ledger { frame, .. } = simulation.ledger().copied().unwrap_or_default();
    let Balance { end, gains, turned_over, .. } = frame;
    let Gains { anchors, colliders, damping, contact, external, yielding, method } = gains;
    [
        end.kinetic,
        end.gravitational,
        end.elastic,
        anchors,
        colliders,
        damping,
        contact,
        external,
        yielding,
        method,
        frame.residual(),
        turned_over,
    ]
}
