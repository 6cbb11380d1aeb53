//! Many runs of one shape, stepped together.

use crate::{
    arrays::{by_axis, by_node, cube, numbers, table},
    loaded::Loaded,
    options,
    scene::Scene,
    simulation::{chosen, start_runs},
    state::{Kept, State},
    stepping::{StepSpan, Stop, lock, lock_here, node, refused, work},
};
use catena::job::Interruption;
use catena::sim::{Outcome, Simulation, run::batch};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::{
    exceptions::{PyIndexError, PyValueError},
    prelude::*,
    types::{PyDict, PyInt},
};
use std::sync::{Arc, Mutex};

/// Maximum number of runs in a batch.
const MAX_RUNS: usize = 1 << 20;

/// Many runs of one body, whose arrays have the run as their first axis.
///
/// runs is a number of equal runs, or a list of changes as in Scene.with_set, one per run. All runs
/// have the same nodes and the same step. If the scene has several bodies, body chooses one by
/// index or label. Runs advance together on one thread, in vectors if their method supports that.
/// The result of each run is bit-identical to a run alone.
#[pyclass(frozen, module = "catena")]
pub(crate) struct Batch {
    label: String,
    runs: Arc<Mutex<Runs>>,
    count: usize,
    nodes: usize,
    axes: usize,
    dt: f64,
    substeps: u64,
}

/// Runs, and the groups in which they advance.
struct Runs {
    all: Vec<Simulation>,
    /// Initial state of each run.
    starts: Vec<Kept>,
    groups: batch::Batch,
}

impl Runs {
    fn run_span(&mut self, span: StepSpan, interruption: &dyn Interruption) -> Result<(), Stop> {
        let targets: Vec<u64> =
            self.all.iter().map(|run| run.steps() + span.steps_of(run)).collect();
        loop {
            if interruption.is_set() {
                return Err(Stop::Interrupted);
            }
            self.all.iter_mut().for_each(Simulation::renew_budget);
            let takes_frame = |(run, end): (&Simulation, &u64)| {
                let substeps = run.setup().substeps;
                run.steps().is_multiple_of(substeps) && end - run.steps() >= substeps
            };
            if self.all.iter().zip(&targets).all(takes_frame) {
                self.groups.advance_frames(&mut self.all);
            } else {
                for (run, end) in self.all.iter_mut().zip(&targets) {
                    let steps = (end - run.steps()).min(run.steps_to_frame(1));
                    run.advance_steps(steps);
                }
            }
            if let Some(stop) = self.refused() {
                return Err(stop);
            }
            if self.all.iter().zip(&targets).all(|(run, end)| run.steps() >= *end) {
                return Ok(());
            }
        }
    }

    fn refused(&self) -> Option<Stop> {
        let mut refusals = self.all.iter().map(Simulation::refusal).enumerate();
        refusals.find_map(|(number, refusal)| Some(Stop::Refused(number, refusal?)))
    }
}

/// Runs of all variants of a scene.
fn start(
    py: Python<'_>,
    scene: &Scene,
    runs: &Bound<'_, PyAny>,
    body: Option<&Bound<'_, PyAny>>,
    limits: &dyn Fn(&Loaded) -> PyResult<catena::scene::Limits>,
) -> PyResult<Vec<Simulation>> {
    let of = |loaded: &Arc<Loaded>, count: usize| {
        let numbers = chosen(loaded, body)?;
        let [number] = numbers[..] else {
            return Err(PyValueError::new_err(format!(
                "the scene has {} bodies: choose one with body=",
                numbers.len()
            )));
        };
        start_runs(py, loaded, limits(loaded)?, vec![number; count])
    };
    let number = runs.extract::<usize>();
    if number.is_ok() || runs.is_instance_of::<PyInt>() {
        let Some(count) = number.ok().filter(|count| (1..=MAX_RUNS).contains(count)) else {
            let what = format!("runs: {runs} is not from 1 to {MAX_RUNS}");
            return Err(PyValueError::new_err(what));
        };
        return of(&scene.loaded(), count);
    }
    let mut all = Vec::new();
    for set in runs.try_iter()? {
        if all.len() == MAX_RUNS {
            return Err(PyValueError::new_err(format!("runs: more than {MAX_RUNS}")));
        }
        let variant = scene.with(py, options::patches(Some(&set?))?)?;
        all.extend(of(&variant.loaded(), 1)?);
    }
    if all.is_empty() {
        return Err(PyValueError::new_err("runs: expected a number, or one change per run"));
    }
    Ok(all)
}

impl Batch {
    /// Checks that all runs have one shape and one step.
    fn check(all: &[Simulation]) -> PyResult<()> {
        let shape = |run: &Simulation| {
            let setup = run.setup();
            (setup.model.nodes(), setup.model.axes, setup.substeps, setup.frame_time.to_bits())
        };
        match all.iter().position(|run| shape(run) != shape(&all[0])) {
            None => Ok(()),
            Some(run) => Err(PyValueError::new_err(format!(
                "runs: run {run} has different nodes, axes or steps than run 0"
            ))),
        }
    }

    /// Array with the numbers of all runs. Its shape is (runs, nodes, axes).
    fn of_all(
        &self,
        py: Python<'_>,
        of: impl Fn(&Simulation) -> &[f64],
    ) -> PyResult<Py<PyArray3<f64>>> {
        let mut values = Vec::with_capacity(self.count * self.nodes * self.axes);
        for run in &lock(py, &self.runs)?.all {
            by_node(of(run), self.nodes, &mut values);
        }
        cube(py, [self.count, self.nodes, self.axes], values)
    }

    fn run_span(&self, py: Python<'_>, span: StepSpan) -> PyResult<()> {
        let cost = {
            let runs = lock(py, &self.runs)?;
            let own = span.cost(&runs.all[0]);
            own.map(|cost| cost.saturating_mul(self.count as u128))
        };
        let runs = Arc::clone(&self.runs);
        let done =
            work(py, cost, move |interruption| lock_here(&runs).run_span(span, interruption))?;
        done.map_err(|stop| stop.error(|number| format!("run {number}")))
    }

    /// Whether each run is chosen: all for None, or the runs that a bool array of shape (runs,)
    /// selects.
    fn mask(&self, py: Python<'_>, mask: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<bool>> {
        let Some(mask) = mask else { return Ok(vec![true; self.count]) };
        let numpy = py.import("numpy")?;
        let array = numpy.call_method1("ascontiguousarray", (mask, "bool"))?;
        let array = array.cast::<PyArray1<bool>>()?;
        let chosen = array.try_readonly()?.as_slice()?.to_vec();
        if chosen.len() != self.count {
            return Err(PyValueError::new_err(format!(
                "mask: expected {} values, found {}",
                self.count,
                chosen.len()
            )));
        }
        Ok(chosen)
    }

    /// Numbers of an array of shape (runs, axes), or of shape (axes,) for all runs.
    fn rows(&self, name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
        match numbers(name, given, &[self.axes]) {
            Ok(one) => Ok(one.repeat(self.count)),
            Err(_) => numbers(name, given, &[self.count, self.axes]),
        }
    }
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (scene, runs, *, body=None, minutes=None, unlimited=false))]
    fn new(
        py: Python<'_>,
        scene: &Bound<'_, Scene>,
        runs: &Bound<'_, PyAny>,
        body: Option<&Bound<'_, PyAny>>,
        minutes: Option<f64>,
        unlimited: bool,
    ) -> PyResult<Self> {
        let limits = |loaded: &Loaded| options::limits(&loaded.limits, minutes, unlimited);
        let all = start(py, scene.get(), runs, body, &limits)?;
        Self::check(&all)?;
        let setup = Arc::clone(all[0].setup());
        let labels = scene.get().loaded().scene.body_labels();
        let label = labels[chosen(&scene.get().loaded(), body)?[0]].clone();
        let (count, starts) = (all.len(), all.iter().map(Kept::of).collect());
        let runs = Arc::new(Mutex::new(Runs { all, starts, groups: batch::Batch::default() }));
        let (nodes, axes) = (setup.model.nodes(), setup.model.axes);
        Ok(Self { label, runs, count, nodes, axes, dt: setup.dt(), substeps: setup.substeps })
    }

    /// Label of the body in messages.
    #[getter]
    fn label(&self) -> &str {
        &self.label
    }

    /// Number of nodes of a run.
    #[getter]
    fn nodes(&self) -> usize {
        self.nodes
    }

    /// Number of components of a position: 2 or 3.
    #[getter]
    fn axes(&self) -> usize {
        self.axes
    }

    /// Step: frame_time / substeps.
    #[getter]
    fn dt(&self) -> f64 {
        self.dt
    }

    /// Steps per frame.
    #[getter]
    fn substeps(&self) -> u64 {
        self.substeps
    }

    /// Simulated time of each run: float64 of shape (runs,).
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let times = lock(py, &self.runs)?.all.iter().map(|run| run.state().t).collect();
        Ok(PyArray1::from_vec(py, times))
    }

    /// Positions: float64 of shape (runs, nodes, axes), a copy.
    #[getter]
    fn positions(&self, py: Python<'_>) -> PyResult<Py<PyArray3<f64>>> {
        self.of_all(py, |run| &run.state().x)
    }

    /// Velocities: float64 of shape (runs, nodes, axes), a copy.
    #[getter]
    fn velocities(&self, py: Python<'_>) -> PyResult<Py<PyArray3<f64>>> {
        self.of_all(py, |run| &run.state().v)
    }

    /// Positions of one node: float64 of shape (runs, axes), a copy.
    fn positions_of(&self, py: Python<'_>, node: i64) -> PyResult<Py<PyArray2<f64>>> {
        let node = self::node(node, self.nodes)?;
        let runs = lock(py, &self.runs)?;
        let place = |run: &Simulation| {
            run.state().position(self.nodes, node).into_iter().take(self.axes).collect::<Vec<_>>()
        };
        table(py, [self.count, self.axes], runs.all.iter().flat_map(place).collect())
    }

    /// Energies with their names, each float64 of shape (runs,): kinetic, gravitational, elastic,
    /// bending, twist, and their sum, total.
    #[getter]
    fn energies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all: Vec<_> = lock(py, &self.runs)?.all.iter().map(Simulation::energy).collect();
        let energies = PyDict::new(py);
        let add = |name: &str, of: &dyn Fn(&catena::sim::force::Energy) -> f64| {
            energies.set_item(name, PyArray1::from_vec(py, all.iter().map(of).collect()))
        };
        add("kinetic", &|it| it.kinetic)?;
        add("gravitational", &|it| it.gravitational)?;
        add("elastic", &|it| it.elastic)?;
        add("bending", &|it| it.bending)?;
        add("twist", &|it| it.twist)?;
        add("total", &|it| it.total())?;
        Ok(energies)
    }

    /// Whether each run has diverged: bool of shape (runs,).
    #[getter]
    fn diverged<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let runs = lock(py, &self.runs)?;
        let all = runs.all.iter().map(|run| run.outcome() != Outcome::Fine).collect();
        Ok(PyArray1::from_vec(py, all))
    }

    /// Takes n steps of dt in every run.
    #[pyo3(signature = (n=1))]
    fn step(&self, py: Python<'_>, n: u64) -> PyResult<()> {
        self.run_span(py, StepSpan::Steps(n))
    }

    /// Steps every run to the end of a frame: of the current frame for 1, of the next frame for 2,
    /// and so on. Whole frames are fastest.
    #[pyo3(signature = (frames=1))]
    fn advance(&self, py: Python<'_>, frames: u64) -> PyResult<()> {
        self.run_span(py, StepSpan::Frames(frames))
    }

    /// Resets runs to their initial state: all runs, or the runs that mask selects, a bool array of
    /// shape (runs,).
    #[pyo3(signature = (mask=None))]
    fn reset(&self, py: Python<'_>, mask: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let mask = self.mask(py, mask)?;
        let mut runs = lock(py, &self.runs)?;
        let Runs { all, starts, .. } = &mut *runs;
        let mut chosen = all.iter_mut().zip(starts).zip(mask).filter(|(_, is_chosen)| *is_chosen);
        chosen.try_for_each(|((run, start), _)| start.restore(run))
    }

    /// Pins a node of every run, or of the runs in mask, or moves its pin. places and velocities
    /// are arrays of shape (runs, axes), or one vector for all runs. A pin without a velocity stays
    /// in place, and its run still advances in vectors.
    #[pyo3(signature = (node, places=None, velocities=None, mask=None))]
    fn pin(
        &self,
        py: Python<'_>,
        node: i64,
        places: Option<&Bound<'_, PyAny>>,
        velocities: Option<&Bound<'_, PyAny>>,
        mask: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (node, axes) = (self::node(node, self.nodes)?, self.axes);
        let places = places.map(|it| self.rows("places", it)).transpose()?;
        let velocities = velocities.map(|it| self.rows("velocities", it)).transpose()?;
        for (name, rows) in [("places", &places), ("velocities", &velocities)] {
            if rows.as_ref().is_some_and(|rows| !rows.iter().all(|number| number.is_finite())) {
                return Err(PyValueError::new_err(format!("{name}: expected finite numbers")));
            }
        }
        let mask = self.mask(py, mask)?;
        let mut runs = lock(py, &self.runs)?;
        for (number, run) in runs.all.iter_mut().enumerate().filter(|(number, _)| mask[*number]) {
            let row = |rows: &Vec<f64>| rows[number * axes..][..axes].to_vec();
            let (place, velocity) = (places.as_ref().map(row), velocities.as_ref().map(row));
            let pinned = run.pin(node, place.as_deref(), velocity.as_deref());
            pinned.map_err(|bad| refused(&bad))?;
        }
        Ok(())
    }

    /// Releases a pinned node of every run, or of the runs in mask.
    #[pyo3(signature = (node, mask=None))]
    fn release(&self, py: Python<'_>, node: i64, mask: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let node = self::node(node, self.nodes)?;
        let mask = self.mask(py, mask)?;
        let mut runs = lock(py, &self.runs)?;
        let chosen = |number: &usize| mask[*number];
        let is_free = |number: &usize| !runs.all[*number].setup().model.pinned[node];
        if let Some(number) = (0..self.count).filter(chosen).find(is_free) {
            let what = format!("node: node {node} of run {number} is not pinned");
            return Err(PyValueError::new_err(what));
        }
        for number in (0..self.count).filter(chosen) {
            runs.all[number].release(node).map_err(|bad| refused(&bad))?;
        }
        Ok(())
    }

    /// Applies forces, an array of shape (runs, nodes, axes), for the next steps. steps is their
    /// number. Forces of 0 have no effect.
    #[pyo3(signature = (forces, steps=1))]
    fn push(&self, py: Python<'_>, forces: &Bound<'_, PyAny>, steps: u64) -> PyResult<()> {
        let (nodes, axes) = (self.nodes, self.axes);
        let forces = numbers("forces", forces, &[self.count, nodes, axes])?;
        if !forces.iter().all(|number| number.is_finite()) {
            return Err(PyValueError::new_err("forces: expected finite numbers"));
        }
        let mut runs = lock(py, &self.runs)?;
        for (run, forces) in runs.all.iter_mut().zip(forces.chunks_exact(nodes * axes)) {
            let rows = forces.chunks_exact(axes).enumerate();
            let pushes: Vec<_> =
                rows.filter(|(_, force)| force.iter().any(|component| *component != 0.0)).collect();
            run.push_all(&pushes, steps).map_err(|bad| refused(&bad))?;
        }
        Ok(())
    }

    /// Sets positions, velocities, or both, in every run or in the runs in mask. Both are arrays of
    /// shape (runs, nodes, axes). Methods restart from the new values.
    #[pyo3(signature = (positions=None, velocities=None, mask=None))]
    fn set_motion(
        &self,
        py: Python<'_>,
        positions: Option<&Bound<'_, PyAny>>,
        velocities: Option<&Bound<'_, PyAny>>,
        mask: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (size, axes) = (self.nodes * self.axes, self.axes);
        let shape = [self.count, self.nodes, axes];
        let x = positions.map(|it| numbers("positions", it, &shape)).transpose()?;
        let v = velocities.map(|it| numbers("velocities", it, &shape)).transpose()?;
        let mask = self.mask(py, mask)?;
        let mut runs = lock(py, &self.runs)?;
        for (number, run) in runs.all.iter_mut().enumerate().filter(|(number, _)| mask[*number]) {
            let flat = |rows: &Option<Vec<f64>>, now: &[f64]| match rows {
                Some(rows) => by_axis(&rows[number * size..][..size], axes),
                None => now.to_vec(),
            };
            let (x, v) = (flat(&x, &run.state().x), flat(&v, &run.state().v));
            run.set_motion(&x, &v).map_err(|bad| refused(&bad))?;
        }
        Ok(())
    }

    /// State of a run, including the memory of its method.
    fn state(&self, py: Python<'_>, run: usize) -> PyResult<State> {
        let runs = lock(py, &self.runs)?;
        runs.all.get(run).map(State::of).ok_or_else(|| self.missing(run))
    }

    /// Continues a run from a state. The result is bit-identical.
    fn set_state(&self, py: Python<'_>, run: usize, state: &Bound<'_, State>) -> PyResult<()> {
        let mut runs = lock(py, &self.runs)?;
        let run = runs.all.get_mut(run).ok_or_else(|| self.missing(run))?;
        state.get().kept.restore(run)
    }

    fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        format!("<catena.Batch {:?}: {} runs of {} nodes>", self.label, self.count, self.nodes)
    }
}

impl Batch {
    fn missing(&self, run: usize) -> PyErr {
        PyIndexError::new_err(format!("no run {run}: the batch has {}", self.count))
    }
}
