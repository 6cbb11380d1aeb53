//! Table of tensions over time: of each structural spring, and of the parts of routes.

use super::table::{Cell, Column, RowSink, TableWriter};
use catena_analysis::topology::Passage;
use catena_sim::{Body, Setup, Simulation};
use std::io;

/// Table with one row per structural spring, and one per part of a route between two guides that
/// resist. The parts of all routes are numbered in their order.
pub(super) struct Tensions;

impl TableWriter for Tensions {
    fn columns(&self) -> Vec<Column> {
        let mut columns = ["is_route", "index"].map(Column::whole).to_vec();
        let reals = ["a", "b", "length", "strain", "tension"];
        columns.extend(reals.map(Column::real));
        columns
    }

    fn prepare(&self, simulation: &mut Simulation) {
        simulation.keep_tensions();
    }

    /// The number of parts of a route depends on its guides.
    fn rows(&self, setup: &Setup) -> Option<usize> {
        let has_routes = setup.forces.iter().any(|force| force.route().is_some());
        (!has_routes).then_some(setup.model.structural)
    }

    /// Writes the nodes of each spring, its length, its strain and its tension. A broken spring has
    /// none of the three.
    fn write(
        &self,
        simulation: &Simulation,
        _passages: &[Passage],
        rows: &mut RowSink<'_>,
    ) -> io::Result<()> {
        let (setup, state, springs) =
            (simulation.setup(), simulation.state(), simulation.springs());
        let law = setup.spring_law();
        let solved = simulation.tensions();
        for (index, spring) in setup.model.structural().iter().enumerate() {
            let length = setup.model.span(&state.x, spring).1;
            let by_law = || law.map(|law| law.tension(spring, length, springs.plastic(index)));
            // Methods that hold lengths know no tension before the first step.
            let tension = match solved {
                Some(solved) => solved.get(index).copied(),
                None => by_law(),
            };
            let tension = tension.unwrap_or(f64::NAN);
            let strain = (length - spring.rest_length) / spring.rest_length;
            let is_broken = springs.is_broken(index);
            rows.row(|cells| {
                cells.extend([Cell::Whole(0), Cell::Whole(index as u64)]);
                cells.extend([spring.a, spring.b].map(|node| Cell::Real(node as f64)));
                let values = [length, strain, tension];
                let shown = |value| if is_broken { Cell::Missing } else { Cell::defined(value) };
                cells.extend(values.map(shown));
            })?;
        }
        let body = Body { model: &setup.model, springs };
        let routes = setup.forces.iter().filter_map(|force| force.route());
        let legs = routes.flat_map(|route| route.tensions(&body, state));
        for (index, tension) in legs.enumerate() {
            rows.row(|cells| {
                cells.extend([Cell::Whole(1), Cell::Whole(index as u64)]);
                cells.extend((0..4).map(|_| Cell::Missing));
                cells.push(Cell::defined(tension));
            })?;
        }
        Ok(())
    }
}
