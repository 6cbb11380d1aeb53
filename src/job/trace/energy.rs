//! The table of energy: the ledger of each frame.

use super::table::{Cell, Column, Rows, Table};
use crate::analysis::topology::Passage;
use crate::sim::{
    Setup, Simulation,
    run::ledger::{Balance, Gains, Ledger},
};
use std::io;

/// One row a body and frame: its energies at the frame, and its gains since the frame before.
pub(super) struct Energies;

/// The columns.
const COLUMNS: [&str; 12] = [
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
        let Ledger { frame, .. } = simulation.ledger().copied().unwrap_or_default();
        let Balance { end, gains, turned_over, .. } = frame;
        let Gains { anchors, colliders, damping, contact, external, yielding, method } = gains;
        let values: [f64; COLUMNS.len()] = [
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
        ];
        rows.row(|cells| cells.extend(values.map(Cell::Real)))
    }
}
