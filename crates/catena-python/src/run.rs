//! Motion of bodies as arrays.

use crate::{arrays::cube, waiting::guarded};
use catena::job::BodyMotion;
use catena::scene::recorded::Reference;
use catena::sim::Outcome;
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::{
    exceptions::{PyIndexError, PyKeyError, PyTypeError},
    prelude::*,
    types::{PyDict, PyIterator, PyList},
};

/// Motion of a body. The first axis of each array is the frame; frame 0 is the initial state.
#[pyclass(frozen, get_all, module = "catena")]
pub(crate) struct Run {
    /// Label of the body in messages and pictures.
    label: String,
    /// Index of the panel that contains the body.
    panel: usize,
    /// Name of the method, as in the scene.
    method: &'static str,
    /// Simulated time of each frame: float64 of shape (frames,).
    times: Py<PyArray1<f64>>,
    /// Positions: float64 of shape (frames, nodes, axes), in the scene's unit of length.
    positions: Py<PyArray3<f64>>,
    /// Velocities as the method defines them: float64 of shape (frames, nodes, axes), length over
    /// time.
    velocities: Py<PyArray3<f64>>,
    /// Distances from the reference of the scene: float64 of shape (frames, nodes), nan where the
    /// reference has no data. None if there is no reference.
    distances: Option<Py<PyArray2<f64>>>,
    /// Energies with their names, each float64 of shape (frames,): kinetic, gravitational, elastic
    /// and their sum, total. ledger=True adds the gains since the previous frame from anchors,
    /// colliders, damping, contact, external, yielding and method. It also adds residual, the
    /// unexplained change, and turned_over, the scale of rounding errors.
    energies: Py<PyDict>,
    /// Outcome: fine or diverged. After a divergence the arrays hold the raw results, possibly inf
    /// and nan.
    outcome: &'static str,
    /// Frame and step at which the body diverged, with steps counted from the start. None if it did
    /// not.
    diverged: Option<(u64, u64)>,
    /// Number of steps that did not converge, up to a divergence.
    unconverged: u64,
}

impl Run {
    /// Transfers the arrays of a motion to NumPy.
    pub(crate) fn new(
        py: Python<'_>,
        motion: BodyMotion,
        method: &'static str,
        reference: Option<&Reference>,
    ) -> PyResult<Self> {
        guarded(|| Self::of_motion(py, motion, method, reference))
    }

    fn of_motion(
        py: Python<'_>,
        motion: BodyMotion,
        method: &'static str,
        reference: Option<&Reference>,
    ) -> PyResult<Self> {
        let distances = reference.map(|it| distances(py, &motion, it)).transpose()?;
        let BodyMotion { label, panel, nodes, axes, times, positions, velocities, .. } = motion;
        let shape = [times.len(), nodes, axes];
        let energies = PyDict::new(py);
        let mut total = vec![0.0; times.len()];
        for (index, (name, values)) in motion.energies.into_iter().enumerate() {
            // Stored energies come first, followed by gains.
            let is_store = index < STORES;
            if is_store {
                total.iter_mut().zip(&values).for_each(|(sum, value)| *sum += value);
            }
            energies.set_item(name, PyArray1::from_vec(py, values))?;
            if index + 1 == STORES {
                energies.set_item("total", PyArray1::from_vec(py, std::mem::take(&mut total)))?;
            }
        }
        let diverged = match motion.outcome {
            Outcome::Fine => None,
            Outcome::Diverged { frame, step } => Some((frame, step)),
        };
        Ok(Self {
            label,
            panel,
            method,
            times: PyArray1::from_vec(py, times).unbind(),
            positions: cube(py, shape, positions)?,
            velocities: cube(py, shape, velocities)?,
            distances,
            energies: energies.unbind(),
            outcome: if diverged.is_some() { "diverged" } else { "fine" },
            diverged,
            unconverged: motion.unconverged,
        })
    }
}

/// Distances of a motion from a reference, by frame and node.
fn distances(
    py: Python<'_>,
    motion: &BodyMotion,
    reference: &Reference,
) -> PyResult<Py<PyArray2<f64>>> {
    let (frames, nodes, axes) = (motion.times.len(), motion.nodes, motion.axes);
    let mut all = vec![f64::NAN; frames * nodes];
    for frame in 0..frames {
        for (node, data) in reference.motion.at(frame as u64) {
            let place = &motion.positions[(frame * nodes + node) * axes..][..axes];
            let squares = place.iter().zip(data).map(|(a, b)| (a - b) * (a - b));
            all[frame * nodes + node] = squares.sum::<f64>().sqrt();
        }
    }
    Ok(PyArray1::from_vec(py, all).reshape([frames, nodes])?.unbind())
}

/// Number of energies that are stored in a body.
const STORES: usize = 3;

#[pymethods]
impl Run {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shape = self.positions.bind(py).getattr("shape")?;
        let end = match self.diverged {
            Some((frame, _)) => format!("diverged at frame {frame}"),
            None => self.outcome.into(),
        };
        Ok(format!("<catena.Run {:?}, positions {shape}, {end}>", self.label))
    }
}

/// Motions of all bodies of a scene: a sequence with access by index or label.
#[pyclass(frozen, sequence, module = "catena")]
pub(crate) struct Runs {
    all: Py<PyList>,
    labels: Vec<String>,
}

impl Runs {
    pub(crate) fn new(py: Python<'_>, all: Vec<Run>) -> PyResult<Self> {
        let labels = all.iter().map(|run| run.label.clone()).collect();
        Ok(Self { all: PyList::new(py, all)?.unbind(), labels })
    }
}

#[pymethods]
impl Runs {
    /// Labels of the bodies, in order.
    #[getter]
    fn labels(&self) -> Vec<String> {
        self.labels.clone()
    }

    fn __len__(&self) -> usize {
        self.labels.len()
    }

    /// Returns the run with this index or label. Negative indices count from the end.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let all = self.all.bind(py);
        if let Ok(label) = key.extract::<String>() {
            let Some(at) = self.labels.iter().position(|it| *it == label) else {
                let labels = self.labels.join(", ");
                return Err(PyKeyError::new_err(format!("no body {label}; there are {labels}")));
            };
            return all.get_item(at);
        }
        let count = self.labels.len() as i64;
        let number: i64 =
            key.extract().map_err(|_| PyTypeError::new_err("expected a number or a label"))?;
        match number {
            0.. if number < count => all.get_item(number as usize),
            ..0 if number >= -count => all.get_item((number + count) as usize),
            _ => Err(PyIndexError::new_err(format!("no run {number}: there are {count}"))),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.all.bind(py).try_iter()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.all.bind(py).repr()?.to_string())
    }
}
