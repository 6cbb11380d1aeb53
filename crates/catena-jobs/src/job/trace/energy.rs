//! The table of energy: the ledger of each frame.

use super::table::{Cell, Column, Rows, Table};
use catena_analysis::topology::Passage;
use catena_sim::{
    Setup, Simulation,
    run::ledger::{Balance, Gains, Ledger},
};
use std::io;

/// One row a body and frame: its energies at the frame, and its gains since the frame before.
pub(super) struct Energies;

/// The columns: three stores, what came from each account since the frame before, and how exact
/// that is.
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

impl Table for Energies {
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
        rows: &mut Rows<'_>,
    ) -> io::Result<()> {
        let values = values(simulation);
        rows.row(|cells| cells.extend(values.map(Cell::Real)))
    }
}

/// The values of the columns at the frame where a simulation with a ledger stands.
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
