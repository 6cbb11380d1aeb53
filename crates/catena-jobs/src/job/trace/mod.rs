//! Traces: the numbers of a scene as a table, in csv or as a NumPy array.

mod nodes;
mod sections;
mod table;
mod tensions;
mod topology;
mod traced;

pub(super) use nodes::{ENERGIES, ROD_ENERGIES, energies, rod_energies};
pub use topology::TopologyView;
pub use traced::Passed;

use super::panel::find_panel;
use super::{Interruption, RunError, error::refused, options::count, prepare::limited};
use catena_output::OutputError;
use catena_scene::{
    Limits, Scene,
    limits::{PlannedRun, Product},
    recorded::Reference,
};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use table::{Cell, Column, Moments, TableWriter};
use traced::Traced;

/// Kind of table.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum TraceTable {
    /// Position, velocity and step of each node: one row per node and frame.
    #[default]
    Nodes,
    /// Energy ledger: one row per body and frame.
    Energy,
    /// Events, one row each. The table contains text and is available as csv only.
    Events,
    /// Forces on pins and colliders: one row per pin or collider and frame.
    Forces,
    /// Tensions: one row per structural spring or part of a route, and frame.
    Tensions,
    /// Sections of rods: one row per segment of a rod and frame.
    Sections,
    /// Links between the ropes of a body: one row per part and one per pair of parts, for each
    /// frame or step. Every step is checked for parts that pass through each other.
    Topology(TopologyView),
    /// Crossings of ropes in a picture: one row per crossing. Every step is checked for passages.
    Crossings(TopologyView),
}

/// File format of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TraceFormat {
    /// Comma-separated numbers with all their digits, below the names of the columns.
    #[default]
    Csv,
    /// One NumPy structured array with the same columns.
    Npy,
}

/// Options of a trace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TraceOptions {
    /// Number of frames to simulate, from 1 to [`super::MAX_FRAMES`]. `None` uses the number of
    /// the scene.
    pub frames: Option<u64>,
    /// Kind of table.
    pub table: TraceTable,
    /// Indices of the nodes in the table of nodes. `None` lists all. An index beyond a body's last
    /// node is skipped for that body.
    pub nodes: Option<Vec<u64>>,
    /// Label of the panel in the table, or its number from 1. `None` uses all panels. Rows contain
    /// the panel's number in the scene.
    pub panel: Option<String>,
    /// File format.
    pub format: TraceFormat,
    /// Limits on the run.
    pub limits: Limits,
}

/// Error of writing a table.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The scene cannot be run with these options.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The writer returned an error.
    #[error(transparent)]
    Write(#[from] io::Error),
}

impl TraceError {
    /// Converts the error for a file or stream. `refuse` wraps an error of the writer.
    pub fn of_output(self, refuse: impl FnOnce(io::Error) -> OutputError) -> RunError {
        match self {
            Self::Run(error) => error,
            Self::Write(cause) => refuse(cause).into(),
        }
    }
}

/// A table that is ready to be written; its run is within the limits.
pub struct Trace {
    /// The scene, which has only the chosen panel if there is one.
    scene: Scene,
    /// Number of this scene's first panel in the whole scene.
    first_panel: u64,
    /// Labels of the bodies in this scene.
    labels: Vec<String>,
    frames: u64,
    options: TraceOptions,
}

/// Findings about the bodies of a table, in addition to its rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Traces {
    /// Bodies that diverged.
    pub diverged: Vec<Divergence>,
    /// Label of each body with a route, and two times: when a node first reached the route's stop,
    /// and when its winch first slipped.
    pub stops: Vec<(String, [Option<f64>; 2])>,
    /// Passages of one part through another, for tables that check for them. Contains at most the
    /// first thousand of each body.
    pub passed: Vec<Passed>,
    /// Total number of passages.
    pub passages: u64,
}

/// A body that diverged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// Label of the body in pictures and messages.
    pub label: String,
    /// Frame at which it diverged.
    pub frame: u64,
}

/// First columns of every table.
const PLACE: [Column; 4] =
    [Column::whole("frame"), Column::real("time"), Column::whole("panel"), Column::whole("body")];

impl Trace {
    /// Prepares the table of a scene.
    ///
    /// # Errors
    /// The number of frames is out of range, or the run would exceed the limits.
    pub fn new(scene: &Scene, options: &TraceOptions) -> Result<Self, RunError> {
        let frames = count(options.frames, scene)?;
        if (options.table, options.format) == (TraceTable::Events, TraceFormat::Npy) {
            return Err(RunError::Option(
                "the table of events contains text; write it as csv".into(),
            ));
        }
        let (chosen, first_panel, labels) = chosen(scene, options.panel.as_deref())?;
        let scene = &chosen;
        check_nodes(scene, options)?;
        let product = match options.table {
            TraceTable::Nodes | TraceTable::Tensions | TraceTable::Sections => Product::Rows,
            TraceTable::Events => Product::Numbers,
            TraceTable::Energy | TraceTable::Forces => Product::Energies,
            TraceTable::Topology(view) | TraceTable::Crossings(view) => {
                let [x, y, z] = view.toward;
                let size = x.abs() + y.abs() + z.abs();
                if !(size > 0.0 && size.is_finite()) {
                    let what = "the direction towards the viewer must be three finite numbers that are not all 0";
                    return Err(RunError::Option(what.into()));
                }
                Product::Topology { each_step: view.each_step }
            }
        };
        let mut bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
        let has_rods = bodies.any(|body| body.setup.rods().is_some());
        if options.table == TraceTable::Sections && !has_rods {
            let what = "sections: no rope is a rod; define one with rope: (rod: (bending: …))";
            return Err(RunError::Option(what.into()));
        }
        let scene = limited(scene, &options.limits, &PlannedRun::up_to(frames, product))?;
        Ok(Self { scene, first_panel, labels, frames, options: options.clone() })
    }

    /// Whether the scene is planar. Planar ropes have no links, and none passes over another.
    pub fn is_planar(&self) -> bool {
        self.scene.axes == 2
    }

    /// Writes the table and returns further findings. After an interruption the rows of later
    /// frames are missing.
    ///
    /// # Errors
    /// The writer returns an error, or a simulation exhausts its budget.
    pub fn write(
        &self,
        out: &mut dyn Write,
        interruption: &dyn Interruption,
    ) -> Result<Traces, TraceError> {
        let (axes, chosen) = (self.scene.axes, self.options.nodes.as_deref());
        let nodes =
            nodes::Nodes { axes, chosen, references: references(&self.scene, self.first_panel) };
        let events = nodes::Events { axes: self.scene.axes };
        let forces = nodes::Forces { axes: self.scene.axes };
        let bodies = self.scene.panels.iter().flat_map(|panel| &panel.bodies);
        let has_rods = bodies.into_iter().any(|body| body.setup.rods().is_some());
        let energies = nodes::Energies { has_rods };
        let (topology, crossings);
        let table: &dyn TableWriter = match self.options.table {
            TraceTable::Events => &events,
            TraceTable::Nodes => &nodes,
            TraceTable::Energy => &energies,
            TraceTable::Forces => &forces,
            TraceTable::Tensions => &tensions::Tensions,
            TraceTable::Sections => &sections::Sections,
            TraceTable::Topology(view) => {
                topology = topology::Topology { view, has_rods };
                &topology
            }
            TraceTable::Crossings(view) => {
                crossings = topology::Crossings(view);
                &crossings
            }
        };
        let columns = [PLACE.to_vec(), table.columns()].concat();
        match self.options.format {
            TraceFormat::Csv => {
                table::csv_header(&columns, out)?;
                self.simulate_rows(table, interruption, &mut |cells| table::csv_row(cells, out))
            }
            TraceFormat::Npy => self.npy(table, &columns, out, interruption),
        }
    }

    /// Writes a NumPy array. Its header contains the number of rows, so rows that cannot be counted
    /// in advance are buffered.
    fn npy(
        &self,
        table: &dyn TableWriter,
        columns: &[Column],
        out: &mut dyn Write,
        interruption: &dyn Interruption,
    ) -> Result<Traces, TraceError> {
        let bodies = self.scene.panels.iter().flat_map(|panel| &panel.bodies);
        let counts = bodies.map(|body| table.rows(&body.setup));
        if let Some(count) = counts.map(|count| count.map(|count| count as u64)).sum() {
            let count: u64 = count;
            table::npy_header(columns, count * self.frames, out)?;
            return self
                .simulate_rows(table, interruption, &mut |cells| table::npy_row(cells, out));
        }
        let (mut kept, mut count) = (Vec::new(), 0);
        let traces = self.simulate_rows(table, interruption, &mut |cells| {
            count += 1;
            table::npy_row(cells, &mut kept)
        })?;
        table::npy_header(columns, count, out)?;
        out.write_all(&kept)?;
        Ok(traces)
    }

    /// Simulates the scene and passes on every row, by frame, then panel, then body. The simulation
    /// of a diverged body continues, so its rows contain the raw results, possibly inf and NaN.
    fn simulate_rows(
        &self,
        table: &dyn TableWriter,
        interruption: &dyn Interruption,
        receive: &mut dyn FnMut(&[Cell]) -> io::Result<()>,
    ) -> Result<Traces, TraceError> {
        let mut labels = self.labels.iter().cloned();
        let mut bodies = Vec::new();
        for (panel, here) in (self.first_panel..).zip(&self.scene.panels) {
            for (body, it) in (0..).zip(&here.bodies) {
                let label = labels.next().unwrap_or_default();
                bodies.push(Traced::new(table, panel, body, &it.setup, label));
            }
        }
        let of_steps = table.moments() == Moments::WatchedSteps;
        let mut cells = Vec::new();
        for frame in (0..self.frames).take_while(|_| !interruption.is_set()) {
            if frame > 0 {
                for body in &mut bodies {
                    let mut write =
                        |body: &mut Traced| body.write(table, frame, &mut cells, receive);
                    let advanced = body.advance(frame, &mut write, of_steps);
                    advanced.map_err(|stopped| stopped.of_scene(&self.scene.name))?;
                }
            }
            let simulations = bodies.iter().map(|body| &body.simulation);
            if let Some(refusal) = refused(&self.scene, simulations) {
                return Err(refusal.into());
            }
            if frame == 0 || !of_steps {
                for body in &mut bodies {
                    body.write(table, frame, &mut cells, receive)?;
                }
            }
        }
        let mut traces = Traces::default();
        for body in bodies {
            let stops = body.simulation.route_stops().into_iter();
            traces.stops.extend(stops.map(|times| (body.label.clone(), times)));
            if let Some(frame) = body.diverged() {
                traces.diverged.push(Divergence { label: body.label, frame });
            }
            traces.passages += body.count;
            traces.passed.extend(body.passed);
        }
        Ok(traces)
    }
}

/// Returns a scene with only the chosen panel. Also returns the panel's number and the labels of
/// its bodies in the whole scene.
fn chosen(scene: &Scene, wanted: Option<&str>) -> Result<(Scene, u64, Vec<String>), RunError> {
    let mut labels = scene.body_labels();
    let mut scene = scene.clone();
    let Some(wanted) = wanted else { return Ok((scene, 0, labels)) };
    let panel = find_panel(&scene, wanted)?;
    let before = scene.panels[..panel].iter().map(|it| it.bodies.len()).sum::<usize>();
    scene.panels = vec![scene.panels.swap_remove(panel)];
    labels = labels.split_off(before.min(labels.len()));
    labels.truncate(scene.panels[0].bodies.len());
    Ok((scene, panel as u64, labels))
}

/// Reference motions of the bodies of a scene, by panel and body.
fn references(scene: &Scene, first_panel: u64) -> BTreeMap<[u64; 2], Arc<Reference>> {
    let panels = (first_panel..).zip(&scene.panels);
    let bodies = panels.flat_map(|(panel, it)| {
        (0..).zip(&it.bodies).map(move |(body, it)| ([panel, body], it.reference.clone()))
    });
    bodies.filter_map(|(numbers, reference)| Some((numbers, reference?))).collect()
}

/// Returns an error for nodes that no body has, and for chosen nodes with another table.
fn check_nodes(scene: &Scene, options: &TraceOptions) -> Result<(), RunError> {
    let Some(nodes) = &options.nodes else { return Ok(()) };
    if options.table != TraceTable::Nodes {
        return Err(RunError::Option(
            "nodes: nodes can be chosen only for the table of nodes".into(),
        ));
    }
    let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    let maximum = bodies.map(|body| body.setup.model.nodes()).max().unwrap_or(0) as u64;
    match nodes.iter().find(|node| **node >= maximum) {
        Some(node) => Err(RunError::Option(format!(
            "nodes: no body has a node {node}; nodes are numbered from 0 to {}",
            maximum.saturating_sub(1)
        ))),
        None => Ok(()),
    }
}
