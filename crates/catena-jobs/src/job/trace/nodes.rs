//! Tables of nodes, energies, events and forces.

use super::table::{Cell, Column, RowSink, TableWriter};
use catena_analysis::topology::Passage;
use catena_scene::recorded::Reference;
use catena_sim::drive::event::Happened;
use catena_sim::run::ledger::{Balance, Gains, Ledger};
use catena_sim::vector::{Vec3, norm};
use catena_sim::{Setup, Simulation};
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

/// Table with one row per node and frame.
pub(super) struct Nodes<'a> {
    /// Number of axes of the scene.
    pub(super) axes: usize,
    /// Nodes to write; `None` writes all.
    pub(super) chosen: Option<&'a [u64]>,
    /// Reference motions of bodies, by panel and body.
    pub(super) references: BTreeMap<[u64; 2], Arc<Reference>>,
}

impl Nodes<'_> {
    /// Nodes of a body that are written, in order.
    fn of(&self, nodes: usize) -> impl Iterator<Item = usize> {
        (0..nodes).filter(|&node| self.chosen.is_none_or(|it| it.contains(&(node as u64))))
    }
}

impl Nodes<'_> {
    /// Distances of the nodes of a body from its reference. Nodes without data are omitted.
    fn distances(&self, simulation: &Simulation, numbers: [u64; 2]) -> Vec<(usize, f64)> {
        let Some(reference) = self.references.get(&numbers) else { return Vec::new() };
        let (x, n) = (&simulation.state().x, simulation.setup().model.nodes());
        reference.motion.distances(simulation.frame(), x, n)
    }
}

impl TableWriter for Nodes<'_> {
    fn columns(&self) -> Vec<Column> {
        let vectors = ["x", "y", "z"][..self.axes].iter().chain(&["vx", "vy", "vz"][..self.axes]);
        let mut columns = vec![Column::whole("node")];
        columns.extend(vectors.map(|name| Column::real(name)));
        columns.push(Column::real("dt"));
        if !self.references.is_empty() {
            columns.push(Column::real("distance"));
        }
        columns
    }

    fn rows(&self, setup: &Setup) -> Option<usize> {
        Some(self.of(setup.model.nodes()).count())
    }

    /// Writes the vectors, and then the shortest step of the frame, which in frame 0 is the step of
    /// the scene. The last column is the distance from the reference. It is empty if the reference
    /// has no data.
    fn write(
        &self,
        simulation: &Simulation,
        _passages: &[Passage],
        rows: &mut RowSink<'_>,
    ) -> io::Result<()> {
        let (setup, state) = (simulation.setup(), simulation.state());
        let n = setup.model.nodes();
        let dt = if simulation.frame() == 0 { setup.dt() } else { simulation.report().least_dt };
        let has_distance = !self.references.is_empty();
        let distances = self.distances(simulation, rows.numbers());
        for node in self.of(n) {
            let (x, v) = (state.position(n, node), state.velocity(n, node));
            rows.row(|cells| {
                cells.push(Cell::Whole(node as u64));
                let vectors = x[..self.axes].iter().chain(&v[..self.axes]);
                cells.extend(vectors.chain([&dt]).map(|value| Cell::Real(*value)));
                if has_distance {
                    let found = distances.binary_search_by_key(&node, |(node, _)| *node);
                    cells.push(found.map_or(Cell::Missing, |at| Cell::Real(distances[at].1)));
                }
            })?;
        }
        Ok(())
    }
}

/// Table with one row per body and frame: the energies at the frame, and the gains since the
/// previous frame.
pub(super) struct Energies {
    /// Whether a body of the scene is a rod.
    pub(super) has_rods: bool,
}

/// Columns: three kinds of stored energy, the gain from each account since the previous frame, and
/// the accuracy of the balance.
pub(in crate::job) const ENERGIES: [&str; 12] = [
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

/// Further columns if a body is a rod: its stored energies.
pub(in crate::job) const ROD_ENERGIES: [&str; 2] = ["bending", "twist"];

/// Values of the columns [`ROD_ENERGIES`] in the current state.
pub(in crate::job) fn rod_energies(simulation: &Simulation) -> [f64; ROD_ENERGIES.len()] {
    let energy = simulation.energy();
    [energy.bending, energy.twist]
}

impl TableWriter for Energies {
    fn columns(&self) -> Vec<Column> {
        let mut columns = ENERGIES.map(Column::real).to_vec();
        if self.has_rods {
            columns.extend(ROD_ENERGIES.map(Column::real));
        }
        columns
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
        let values = energies(simulation);
        rows.row(|cells| {
            cells.extend(values.map(Cell::Real));
            if self.has_rods {
                cells.extend(rod_energies(simulation).map(Cell::Real));
            }
        })
    }
}

/// Values of the columns [`ENERGIES`] in the current state of a simulation with a ledger.
pub(in crate::job) fn energies(simulation: &Simulation) -> [f64; ENERGIES.len()] {
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

/// Table with one row per event, in the frame whose interval contains the event. It also has rows
/// without a number when a route first reaches its stop and when a winch first slips.
pub(super) struct Events {
    /// Number of axes of the scene.
    pub(super) axes: usize,
}

impl Events {
    /// Events in the last frame interval. Frame 0 has the events of the initial state.
    fn of(simulation: &Simulation) -> impl Iterator<Item = &Happened> {
        let (frame, substeps) = (simulation.frame(), simulation.setup().substeps);
        let happened = simulation.events().happened.iter();
        happened.filter(move |happened| happened.step.div_ceil(substeps) == frame)
    }
}

impl Events {
    /// Step, time and description of stops and slips of routes that first happened in the last
    /// frame.
    fn stops(simulation: &Simulation) -> Vec<(u64, f64, &'static str)> {
        let (setup, frame) = (simulation.setup(), simulation.frame());
        let words = ["a node of a route is at its stop", "the winch of a route slips"];
        let times = simulation.route_stops();
        let all = times.iter().flat_map(|times| times.iter().zip(words));
        let of_frame = |(at, what): (&Option<f64>, &'static str)| {
            let step = (((*at)? - setup.start_time) / setup.dt()).round().max(0.0) as u64;
            (step.div_ceil(setup.substeps) == frame).then_some((step, (*at)?, what))
        };
        all.filter_map(of_frame).collect()
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
                cells.extend(place[..self.axes].iter().map(|value| Cell::defined(*value)));
                cells.extend([nodes.join(" "), what, note.unwrap_or_default()].map(Cell::Text));
            })?;
        }
        for (step, at, what) in Self::stops(simulation) {
            rows.row(|cells| {
                cells.extend([Cell::Missing, Cell::Whole(step), Cell::Real(at)]);
                cells.extend((0..self.axes).map(|_| Cell::Missing));
                let note = String::new();
                cells.extend([String::new(), what.to_owned(), note].map(Cell::Text));
            })?;
        }
        Ok(())
    }
}

/// Table with one row per pin, collider and guide of a route: the force on it in the last step, and
/// the mean over the frame.
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
        let pins = setup.model.pinned.iter().filter(|is_pinned| **is_pinned).count();
        let routes = setup.forces.iter().filter_map(|force| force.route());
        let guides = routes.map(|route| route.via.len()).sum::<usize>();
        // Events may pin and release nodes.
        setup.events.is_empty().then_some(pins + setup.contacts.colliders.len() + guides)
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
                    cells.extend(force[..self.axes].iter().copied().map(Cell::defined));
                    cells.push(Cell::defined(norm(force)));
                }
            })
        };
        for pin in simulation.pin_forces() {
            write(0, pin.node, [pin.step, pin.frame])?;
        }
        for on in simulation.collider_forces() {
            write(1, on.collider, [on.step, on.frame])?;
        }
        for on in simulation.guide_forces() {
            write(2, on.guide, [on.step, on.frame])?;
        }
        Ok(())
    }
}
