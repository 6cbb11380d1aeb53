//! Bodies of a simulation: their state, and changes from outside, such as pins and forces.

use crate::{
    arrays::{by_axis, numbers, of_nodes, table},
    state::State,
    stepping::{StepSpan, lock, lock_here, node, refused, run_span, steps_in, work},
};
use catena::sim::{Outcome, Simulation};
use numpy::{PyArray1, PyArray2};
use pyo3::{exceptions::PyTypeError, prelude::*, types::PyDict};
use std::sync::{Arc, Mutex};

/// A body of a simulation. Changes take effect immediately, and the next step starts from them.
#[pyclass(frozen, module = "catena")]
pub(crate) struct SimulationBody {
    label: String,
    method: &'static str,
    run: Arc<Mutex<Simulation>>,
}

impl SimulationBody {
    pub(crate) fn new(label: String, method: &'static str, run: Simulation) -> Self {
        Self { label, method, run: Arc::new(Mutex::new(run)) }
    }

    pub(crate) fn run(&self) -> Arc<Mutex<Simulation>> {
        Arc::clone(&self.run)
    }

    /// Reads a value from the run.
    pub(crate) fn read<R>(
        &self,
        py: Python<'_>,
        read_value: impl FnOnce(&Simulation) -> R,
    ) -> PyResult<R> {
        Ok(read_value(&*lock(py, &self.run)?))
    }

    fn run_span(&self, py: Python<'_>, span: StepSpan) -> PyResult<()> {
        let cost = self.read(py, |run| span.cost(run))?;
        let run = self.run();
        let done = work(py, cost, move |interruption| {
            run_span(&mut [lock_here(&run)], span, interruption)
        })?;
        done.map_err(|stop| stop.error(|_| self.label.clone()))
    }

    /// Components of a vector, one per axis.
    fn vector(&self, py: Python<'_>, name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
        numbers(name, given, &[self.axes(py)?])
    }
}

#[pymethods]
impl SimulationBody {
    /// Label in messages and arrays.
    #[getter]
    pub(crate) fn label(&self) -> &str {
        &self.label
    }

    /// Name of the method, as in the scene.
    #[getter]
    fn method(&self) -> &str {
        self.method
    }

    /// Number of nodes.
    #[getter]
    pub(crate) fn nodes(&self, py: Python<'_>) -> PyResult<usize> {
        self.read(py, |run| run.setup().model.nodes())
    }

    /// Number of components of a position: 2 or 3.
    #[getter]
    pub(crate) fn axes(&self, py: Python<'_>) -> PyResult<usize> {
        self.read(py, |run| run.setup().model.axes)
    }

    /// Step: frame_time / substeps.
    #[getter]
    pub(crate) fn dt(&self, py: Python<'_>) -> PyResult<f64> {
        self.read(py, |run| run.setup().dt())
    }

    /// Simulated time.
    #[getter]
    pub(crate) fn time(&self, py: Python<'_>) -> PyResult<f64> {
        self.read(py, |run| run.state().t)
    }

    /// Index of the frame that contains the current state.
    #[getter]
    pub(crate) fn frame(&self, py: Python<'_>) -> PyResult<u64> {
        self.read(py, Simulation::frame)
    }

    /// Number of steps since the start.
    #[getter]
    pub(crate) fn steps(&self, py: Python<'_>) -> PyResult<u64> {
        self.read(py, Simulation::steps)
    }

    /// Positions: float64 of shape (nodes, axes), a copy.
    #[getter]
    pub(crate) fn positions(&self, py: Python<'_>) -> PyResult<Py<PyArray2<f64>>> {
        let run = lock(py, &self.run)?;
        let model = &run.setup().model;
        of_nodes(py, &run.state().x, [model.nodes(), model.axes])
    }

    /// Velocities: float64 of shape (nodes, axes), a copy.
    #[getter]
    pub(crate) fn velocities(&self, py: Python<'_>) -> PyResult<Py<PyArray2<f64>>> {
        let run = lock(py, &self.run)?;
        let model = &run.setup().model;
        of_nodes(py, &run.state().v, [model.nodes(), model.axes])
    }

    /// Whether each node is pinned now: bool of shape (nodes,).
    #[getter]
    pub(crate) fn pinned<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let pinned = self.read(py, |run| run.setup().model.pinned.clone())?;
        Ok(PyArray1::from_vec(py, pinned))
    }

    /// State, including the memory of the method: see set_state.
    #[getter]
    pub(crate) fn state(&self, py: Python<'_>) -> PyResult<State> {
        self.read(py, State::of)
    }

    /// Current energies: kinetic, gravitational, elastic, and their sum, total. A rod also has
    /// bending and twist, which total includes.
    #[getter]
    pub(crate) fn energy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (energy, has_rods) =
            self.read(py, |run| (run.energy(), run.setup().rods().is_some()))?;
        let energies = PyDict::new(py);
        energies.set_item("kinetic", energy.kinetic)?;
        energies.set_item("gravitational", energy.gravitational)?;
        energies.set_item("elastic", energy.elastic)?;
        if has_rods {
            energies.set_item("bending", energy.bending)?;
            energies.set_item("twist", energy.twist)?;
        }
        energies.set_item("total", energy.total())?;
        Ok(energies)
    }

    /// Mean contact forces over the last step. nodes has the force on each node, of shape (nodes,
    /// axes). colliders has the force on each collider, of shape (colliders, axes). All are 0 if
    /// there is no contact.
    #[getter]
    pub(crate) fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let run = lock(py, &self.run)?;
        let setup = run.setup();
        let (nodes, axes, dt) = (setup.model.nodes(), setup.model.axes, setup.dt());
        let impulses = run.contact_impulses();
        let on_node = |i| impulses.on_node(nodes, i).into_iter().take(axes).map(|j| j / dt);
        let on_nodes: Vec<f64> = (0..nodes).flat_map(on_node).collect();
        let count = setup.contacts.colliders.len();
        let on_collider = |i: usize| {
            let impulse = impulses.on_colliders.get(i).copied().unwrap_or_default();
            impulse.into_iter().take(axes).map(|j| j / dt)
        };
        let on_colliders: Vec<f64> = (0..count).flat_map(on_collider).collect();
        let contacts = PyDict::new(py);
        contacts.set_item("nodes", table(py, [nodes, axes], on_nodes)?)?;
        contacts.set_item("colliders", table(py, [count, axes], on_colliders)?)?;
        Ok(contacts)
    }

    /// Outcome: fine or diverged.
    #[getter]
    pub(crate) fn outcome(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.read(py, |run| match run.outcome() {
            Outcome::Fine => "fine",
            Outcome::Diverged { .. } => "diverged",
        })
    }

    /// Frame and step at which the body diverged; None if it did not. As in a render, divergence is
    /// checked at the end of each frame.
    #[getter]
    pub(crate) fn diverged(&self, py: Python<'_>) -> PyResult<Option<(u64, u64)>> {
        self.read(py, |run| match run.outcome() {
            Outcome::Fine => None,
            Outcome::Diverged { frame, step } => Some((frame, step)),
        })
    }

    /// Takes n steps of dt. The result does not depend on how steps are divided among calls.
    #[pyo3(signature = (n=1))]
    pub(crate) fn step(&self, py: Python<'_>, n: u64) -> PyResult<()> {
        self.run_span(py, StepSpan::Steps(n))
    }

    /// Steps to the end of a frame: of the current frame for 1, of the next frame for 2, and so on.
    #[pyo3(signature = (frames=1))]
    pub(crate) fn advance(&self, py: Python<'_>, frames: u64) -> PyResult<()> {
        self.run_span(py, StepSpan::Frames(frames))
    }

    /// Continues bit-identically from a state of this body or of an equal one. Alternatively, sets
    /// positions, velocities, or both, which are arrays of shape (nodes, axes). The method then
    /// restarts from these values, and pins are held at their new positions.
    #[pyo3(signature = (state=None, *, positions=None, velocities=None))]
    pub(crate) fn set_state(
        &self,
        py: Python<'_>,
        state: Option<&Bound<'_, State>>,
        positions: Option<&Bound<'_, PyAny>>,
        velocities: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let [nodes, axes] = [self.nodes(py)?, self.axes(py)?];
        if let Some(state) = state {
            if positions.is_some() || velocities.is_some() {
                let what = "set_state: expected a state, or positions and velocities, not both";
                return Err(PyTypeError::new_err(what));
            }
            return state.get().kept.restore(&mut *lock(py, &self.run)?);
        }
        if positions.is_none() && velocities.is_none() {
            return Err(PyTypeError::new_err(
                "set_state: expected a state, positions or velocities",
            ));
        }
        let flat = |name: &str, given: Option<&Bound<'_, PyAny>>| {
            let rows = given.map(|given| numbers(name, given, &[nodes, axes])).transpose()?;
            PyResult::Ok(rows.map(|rows| by_axis(&rows, axes)))
        };
        let (x, v) = (flat("positions", positions)?, flat("velocities", velocities)?);
        let mut run = lock(py, &self.run)?;
        let x = x.unwrap_or_else(|| run.state().x.clone());
        let v = v.unwrap_or_else(|| run.state().v.clone());
        run.set_motion(&x, &v).map_err(|bad| refused(&bad))
    }

    /// Pins a node, or moves a pin. place is the position of the pin; None is the current position
    /// of the node. velocity is the velocity of the pin; None keeps it in place. Vectors have one
    /// number per axis.
    #[pyo3(signature = (node, place=None, velocity=None))]
    pub(crate) fn pin(
        &self,
        py: Python<'_>,
        node: i64,
        place: Option<&Bound<'_, PyAny>>,
        velocity: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let number = self::node(node, self.nodes(py)?)?;
        let place = place.map(|it| self.vector(py, "place", it)).transpose()?;
        let velocity = velocity.map(|it| self.vector(py, "velocity", it)).transpose()?;
        let pinned = lock(py, &self.run)?.pin(number, place.as_deref(), velocity.as_deref());
        pinned.map_err(|bad| refused(&bad))
    }

    /// Releases a pinned node, which keeps the velocity of its pin.
    pub(crate) fn release(&self, py: Python<'_>, node: i64) -> PyResult<()> {
        let number = self::node(node, self.nodes(py)?)?;
        lock(py, &self.run)?.release(number).map_err(|bad| refused(&bad))
    }

    /// Applies a force to a node for the next step, or for a duration, rounded to whole steps.
    /// Forces add up. With math.inf the force lasts until end_pushes.
    #[pyo3(signature = (node, force, duration=None))]
    pub(crate) fn push(
        &self,
        py: Python<'_>,
        node: i64,
        force: &Bound<'_, PyAny>,
        duration: Option<f64>,
    ) -> PyResult<()> {
        let number = self::node(node, self.nodes(py)?)?;
        let force = self.vector(py, "force", force)?;
        let steps = steps_in(duration, self.dt(py)?)?;
        lock(py, &self.run)?.push(number, &force, steps).map_err(|bad| refused(&bad))
    }

    /// Ends all forces applied by push.
    pub(crate) fn end_pushes(&self, py: Python<'_>) -> PyResult<()> {
        lock(py, &self.run)?.end_all_pushes();
        Ok(())
    }

    /// Changes the momentum of a free node instantaneously. The impulse is mass times change of
    /// velocity.
    pub(crate) fn kick(
        &self,
        py: Python<'_>,
        node: i64,
        impulse: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let number = self::node(node, self.nodes(py)?)?;
        let impulse = self.vector(py, "impulse", impulse)?;
        lock(py, &self.run)?.kick(number, &impulse).map_err(|bad| refused(&bad))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (time, outcome) = (self.time(py)?, self.outcome(py)?);
        Ok(format!("<catena.SimulationBody {:?} at {time}, {outcome}>", self.label))
    }
}
