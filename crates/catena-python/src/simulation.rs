//! Simulations that Python steps.

use crate::{
    errors,
    loaded::Loaded,
    moving::SimulationBody,
    picture::Picture,
    state::{Kept, State, decode, encode},
    stepping::{StepSpan, lock, lock_here, run_span, work},
    waiting::wait_for,
};
use catena::job::{FrameChoice, FrameOptions, StateDrawing, record_shown};
use catena::output::hash::sha256;
use catena::scene::limits::{PlannedRun, Product};
use catena::scene::{Limits, Patch, Scene, SceneError};
use catena::sim::Simulation as Run;
use numpy::{PyArray1, PyArray2};
use pyo3::{
    exceptions::{PyIndexError, PyKeyError, PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyDict, PyIterator, PyList},
};
use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
};

/// A running scene, or some of its bodies, step by step.
///
/// bodies has each body, by index or label. A simulation of a single body also has the attributes
/// of the body: sim.positions is sim.bodies[0].positions. With several bodies these raise
/// ValueError.
#[pyclass(frozen, module = "catena")]
pub(crate) struct Simulation {
    loaded: Arc<Loaded>,
    /// Indices of the bodies in the scene.
    numbers: Vec<usize>,
    bodies: Vec<Py<SimulationBody>>,
    limits: Limits,
    /// Options and layout of the last picture.
    drawing: Mutex<Option<(FrameOptions, Arc<StateDrawing>)>>,
}

/// Starts runs of the bodies with these indices, whose frames must keep within the limits.
pub(crate) fn start_runs(
    py: Python<'_>,
    loaded: &Arc<Loaded>,
    limits: Limits,
    numbers: Vec<usize>,
) -> PyResult<Vec<Run>> {
    let own = Arc::clone(loaded);
    let made: Result<Vec<Run>, SceneError> = wait_for(py, move |_| {
        let plan = PlannedRun::up_to(1, Product::Numbers);
        limits.check_run(&own.scene.source_text(), &own.scene, &plan)?;
        let mut scene = own.scene.clone();
        limits.allot(&mut scene, &plan);
        let bodies: Vec<_> = scene.panels.iter().flat_map(|panel| &panel.bodies).collect();
        Ok(numbers.iter().map(|number| Run::new(Arc::clone(&bodies[*number].setup))).collect())
    })?;
    made.map_err(|error| errors::of_scene(py, &error))
}

/// Indices of the bodies that a label or an index selects; all for None.
pub(crate) fn chosen(loaded: &Loaded, body: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<usize>> {
    let labels = loaded.scene.body_labels();
    match body {
        None => Ok((0..labels.len()).collect()),
        Some(key) => Ok(vec![find(&labels, key)?]),
    }
}

/// Index of a body by its index or label. Negative indices count from the end.
fn find(labels: &[String], key: &Bound<'_, PyAny>) -> PyResult<usize> {
    if let Ok(label) = key.extract::<String>() {
        return labels.iter().position(|it| *it == label).ok_or_else(|| {
            PyKeyError::new_err(format!("no body {label}; there are {}", labels.join(", ")))
        });
    }
    let count = labels.len() as i64;
    let number: i64 =
        key.extract().map_err(|_| PyTypeError::new_err("body: expected a number or a label"))?;
    match number {
        0.. if number < count => Ok(number as usize),
        ..0 if number >= -count => Ok((number + count) as usize),
        _ => Err(PyIndexError::new_err(format!("no body {number}: there are {count}"))),
    }
}

/// Content of a saved simulation.
type Saved = (String, Vec<usize>, Vec<Kept>);

/// Hash of the text and the changes of a scene, which determine its physics.
fn key(loaded: &Loaded) -> String {
    let changes: Vec<String> = loaded.patches.iter().map(Patch::text).collect();
    sha256([loaded.text.text.as_str(), "\0", &changes.join("\0")].concat().as_bytes())
}

impl Simulation {
    pub(crate) fn start(
        py: Python<'_>,
        loaded: Arc<Loaded>,
        limits: Limits,
        numbers: Vec<usize>,
    ) -> PyResult<Self> {
        let runs = start_runs(py, &loaded, limits.clone(), numbers.clone())?;
        let labels = loaded.scene.body_labels();
        let bodies: Vec<_> = loaded.scene.panels.iter().flat_map(|panel| &panel.bodies).collect();
        let body = |(number, mut run): (&usize, Run)| {
            record_shown(bodies[*number], &mut run);
            let label = labels[*number].clone();
            Py::new(py, SimulationBody::new(label, bodies[*number].method.name, run))
        };
        let bodies = numbers.iter().zip(runs).map(body).collect::<PyResult<_>>()?;
        Ok(Self { loaded, numbers, bodies, limits, drawing: Mutex::default() })
    }

    /// Continues a saved simulation.
    pub(crate) fn resume(
        py: Python<'_>,
        loaded: Arc<Loaded>,
        limits: Limits,
        data: &[u8],
    ) -> PyResult<Self> {
        let (known, numbers, kept): Saved = decode(data)?;
        let count = loaded.scene.body_labels().len();
        let fits = numbers.iter().all(|number| *number < count) && numbers.len() == kept.len();
        if known != key(&loaded) || !fits || numbers.is_empty() {
            return Err(PyValueError::new_err(
                "data: saved from another scene, or from this scene with other changes",
            ));
        }
        let simulation = Self::start(py, loaded, limits, numbers)?;
        for (body, kept) in simulation.bodies.iter().zip(kept) {
            kept.restore(&mut *lock(py, &body.get().run())?)?;
        }
        Ok(simulation)
    }

    /// Returns the only body.
    fn one(&self) -> PyResult<&SimulationBody> {
        match &self.bodies[..] {
            [body] => Ok(body.get()),
            bodies => Err(PyValueError::new_err(format!(
                "the simulation has {} bodies: use sim.bodies[0] or sim.bodies[label], or start \
                 one with scene.start(body)",
                bodies.len()
            ))),
        }
    }

    fn run_span(&self, py: Python<'_>, span: StepSpan) -> PyResult<()> {
        let mut cost = Some(0_u128);
        for body in &self.bodies {
            let own = body.get().read(py, |run| span.cost(run))?;
            cost = cost.zip(own).map(|(sum, own)| sum.saturating_add(own));
        }
        let runs: Vec<_> = self.bodies.iter().map(|body| body.get().run()).collect();
        let done = work(py, cost, move |interruption| {
            let mut runs: Vec<_> = runs.iter().map(lock_here).collect();
            run_span(&mut runs, span, interruption)
        })?;
        done.map_err(|stop| stop.error(|number| self.bodies[number].get().label().to_owned()))
    }
}

/// Scene with only the bodies with these indices, and the panels that contain them.
fn scene_of(loaded: &Loaded, numbers: &[usize]) -> Scene {
    let mut scene = loaded.scene.clone();
    let mut number = 0..;
    for panel in &mut scene.panels {
        panel.bodies.retain(|_| number.next().is_some_and(|it| numbers.contains(&it)));
    }
    scene.panels.retain(|panel| !panel.bodies.is_empty());
    scene
}

#[pymethods]
impl Simulation {
    /// Bodies, by index or label.
    #[getter]
    fn bodies(&self, py: Python<'_>) -> SimulationBodies {
        SimulationBodies { all: self.bodies.iter().map(|body| body.clone_ref(py)).collect() }
    }

    /// Labels of the bodies, in order.
    #[getter]
    fn labels(&self) -> Vec<String> {
        self.bodies.iter().map(|body| body.get().label().to_owned()).collect()
    }

    /// Simulated time of the first body. All bodies have the same time unless they were stepped
    /// separately.
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        self.bodies[0].get().time(py)
    }

    /// Index of the frame of the first body.
    #[getter]
    fn frame(&self, py: Python<'_>) -> PyResult<u64> {
        self.bodies[0].get().frame(py)
    }

    /// Takes n steps of dt in every body. If bodies have different steps, raises ValueError: use
    /// advance, or step each body separately.
    #[pyo3(signature = (n=1))]
    fn step(&self, py: Python<'_>, n: u64) -> PyResult<()> {
        let steps: Vec<f64> =
            self.bodies.iter().map(|body| body.get().dt(py)).collect::<PyResult<_>>()?;
        if steps.iter().any(|dt| *dt != steps[0]) {
            return Err(PyValueError::new_err(format!(
                "bodies have different steps, {steps:?}: use advance(frames), or \
                 sim.bodies[label].step(n)"
            )));
        }
        self.run_span(py, StepSpan::Steps(n))
    }

    /// Steps every body to the end of a frame: of the current frame for 1, of the next frame for 2,
    /// and so on.
    #[pyo3(signature = (frames=1))]
    fn advance(&self, py: Python<'_>, frames: u64) -> PyResult<()> {
        self.run_span(py, StepSpan::Frames(frames))
    }

    /// Returns the state of the simulation as bytes, from which scene.resume continues
    /// bit-identically.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let kept = self.bodies.iter().map(|body| body.get().read(py, Kept::of));
        let kept: Vec<Kept> = kept.collect::<PyResult<_>>()?;
        let saved: Saved = (key(&self.loaded), self.numbers.clone(), kept);
        Ok(PyBytes::new(py, &encode(&saved)?))
    }

    /// Draws the current state of the bodies, in the view of a render of the scene. At the end of a
    /// frame of an unchanged run, the pixels equal scene.draw(frame), except for ghosts and trails.
    /// A simulation of some bodies draws only their panels. size and font are as in Scene.draw. For
    /// the first picture the frames of the scene are simulated to determine the view; later
    /// pictures keep this view.
    #[pyo3(signature = (*, size=None, font=None))]
    fn draw(
        &self,
        py: Python<'_>,
        size: Option<[u32; 2]>,
        font: Option<PathBuf>,
    ) -> PyResult<Picture> {
        let options = FrameOptions {
            frames: FrameChoice::Part(0..1),
            size,
            fonts: font.into_iter().collect(),
            limits: self.limits.clone(),
            threads: None,
        };
        let kept = lock(py, &self.drawing)?.take().filter(|(with, _)| *with == options);
        let loaded = Arc::clone(&self.loaded);
        let (numbers, wanted) = (self.numbers.clone(), options.clone());
        let runs: Vec<_> = self.bodies.iter().map(|body| body.get().run()).collect();
        let (drawing, picture) = wait_for(py, move |_| {
            let drawing = match kept {
                Some((_, drawing)) => drawing,
                None => Arc::new(StateDrawing::new(&scene_of(&loaded, &numbers), &wanted)?),
            };
            let runs: Vec<_> = runs.iter().map(lock_here).collect();
            let runs: Vec<&Run> = runs.iter().map(|run| &**run).collect();
            let picture = drawing.draw(&runs)?;
            Ok((drawing, picture))
        })?
        .map_err(|error| errors::of_frames(py, &error))?;
        *lock(py, &self.drawing)? = Some((options, drawing));
        Picture::new(py, picture)
    }

    /// Positions of the single body: see SimulationBody.
    #[getter]
    fn positions(&self, py: Python<'_>) -> PyResult<Py<PyArray2<f64>>> {
        self.one()?.positions(py)
    }

    /// Velocities of the single body: see SimulationBody.
    #[getter]
    fn velocities(&self, py: Python<'_>) -> PyResult<Py<PyArray2<f64>>> {
        self.one()?.velocities(py)
    }

    /// Whether each node of the single body is pinned: see SimulationBody.
    #[getter]
    fn pinned<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        self.one()?.pinned(py)
    }

    /// Step of the single body: see SimulationBody.
    #[getter]
    fn dt(&self, py: Python<'_>) -> PyResult<f64> {
        self.one()?.dt(py)
    }

    /// State of the single body: see SimulationBody.
    #[getter]
    fn state(&self, py: Python<'_>) -> PyResult<State> {
        self.one()?.state(py)
    }

    /// Energies of the single body: see SimulationBody.
    #[getter]
    fn energy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.one()?.energy(py)
    }

    /// Forces of contacts on the single body: see SimulationBody.
    #[getter]
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.one()?.contacts(py)
    }

    /// Outcome: fine, or diverged if any body has diverged.
    #[getter]
    fn outcome(&self, py: Python<'_>) -> PyResult<&'static str> {
        for body in &self.bodies {
            if body.get().diverged(py)?.is_some() {
                return Ok("diverged");
            }
        }
        Ok("fine")
    }

    /// Sets the state of the single body: see SimulationBody.
    #[pyo3(signature = (state=None, *, positions=None, velocities=None))]
    fn set_state(
        &self,
        py: Python<'_>,
        state: Option<&Bound<'_, State>>,
        positions: Option<&Bound<'_, PyAny>>,
        velocities: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.one()?.set_state(py, state, positions, velocities)
    }

    /// Pins or moves a node of the single body: see SimulationBody.
    #[pyo3(signature = (node, place=None, velocity=None))]
    fn pin(
        &self,
        py: Python<'_>,
        node: i64,
        place: Option<&Bound<'_, PyAny>>,
        velocity: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.one()?.pin(py, node, place, velocity)
    }

    /// Releases a node of the single body: see SimulationBody.
    fn release(&self, py: Python<'_>, node: i64) -> PyResult<()> {
        self.one()?.release(py, node)
    }

    /// Applies a force to a node of the single body: see SimulationBody.
    #[pyo3(signature = (node, force, duration=None))]
    fn push(
        &self,
        py: Python<'_>,
        node: i64,
        force: &Bound<'_, PyAny>,
        duration: Option<f64>,
    ) -> PyResult<()> {
        self.one()?.push(py, node, force, duration)
    }

    /// Ends the forces of push on the single body.
    fn end_pushes(&self, py: Python<'_>) -> PyResult<()> {
        self.one()?.end_pushes(py)
    }

    /// Changes the momentum of a node of the single body: see SimulationBody.
    fn kick(&self, py: Python<'_>, node: i64, impulse: &Bound<'_, PyAny>) -> PyResult<()> {
        self.one()?.kick(py, node, impulse)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (time, labels) = (self.time(py)?, self.labels().join(", "));
        Ok(format!("<catena.Simulation {:?} at {time}: {labels}>", self.loaded.scene.name))
    }
}

/// Bodies of a simulation: a sequence with access by index or label.
#[pyclass(frozen, sequence, module = "catena")]
pub(crate) struct SimulationBodies {
    all: Vec<Py<SimulationBody>>,
}

#[pymethods]
impl SimulationBodies {
    fn __len__(&self) -> usize {
        self.all.len()
    }

    /// Returns the body with this index or label. Negative indices count from the end.
    fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Py<SimulationBody>> {
        let labels: Vec<String> =
            self.all.iter().map(|body| body.get().label().to_owned()).collect();
        Ok(self.all[find(&labels, key)?].clone_ref(py))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.all.iter().map(|body| body.clone_ref(py)))?.try_iter()
    }

    fn __repr__(&self) -> String {
        let labels: Vec<_> = self.all.iter().map(|body| body.get().label()).collect();
        format!("<catena.SimulationBodies: {}>", labels.join(", "))
    }
}
