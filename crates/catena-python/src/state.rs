//! State of a body, including the memory of its method.

use crate::{arrays::of_nodes, waiting::guarded};
use catena::output::hash::sha256;
use catena::sim::{Checkpoint, Simulation, run::Steering};
use numpy::PyArray2;
use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};
use serde::{Deserialize, Serialize};

/// State of a body at one time: positions, velocities, and the memory of its method, springs, pins
/// and forces. set_state continues from it bit-identically. States can be pickled.
#[pyclass(frozen, module = "catena")]
pub(crate) struct State {
    pub(crate) kept: Kept,
    shape: [usize; 2],
}

/// Complete stored state of a run.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Kept {
    checkpoint: Checkpoint,
    steering: Steering,
}

impl Kept {
    pub(crate) fn of(simulation: &Simulation) -> Self {
        let checkpoint = simulation.checkpoint();
        Self { steering: checkpoint.steering.clone(), checkpoint }
    }

    /// Continues a run from this state.
    pub(crate) fn restore(&self, simulation: &mut Simulation) -> PyResult<()> {
        let steering = self.steering.clone();
        let checkpoint = Checkpoint { steering, ..self.checkpoint.clone() };
        if !simulation.fits(&checkpoint) {
            return Err(PyValueError::new_err(
                "state: it belongs to a different setup, with other nodes, springs or method",
            ));
        }
        simulation.restore(&checkpoint);
        Ok(())
    }
}

impl State {
    pub(crate) fn of(simulation: &Simulation) -> Self {
        let model = &simulation.setup().model;
        Self { kept: Kept::of(simulation), shape: [model.nodes(), model.axes] }
    }
}

/// First bytes of all encoded data; the number is the version of the format.
const MAGIC: &[u8] = b"catena state 2\n";

/// Encodes a value as bytes, preceded by their hash.
pub(crate) fn encode<T: Serialize>(value: &T) -> PyResult<Vec<u8>> {
    let body = postcard::to_allocvec(value);
    let body = body.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok([MAGIC, sha256(&body).as_bytes(), &body].concat())
}

/// Decodes a value from bytes that [`encode`] returned.
pub(crate) fn decode<T: for<'de> Deserialize<'de>>(bytes: &[u8]) -> PyResult<T> {
    let refused = |what: &str| PyValueError::new_err(format!("data: {what}"));
    let rest = bytes.strip_prefix(MAGIC);
    let rest =
        rest.ok_or_else(|| refused("this is not a state that this version of catena saved"))?;
    let is_whole = |(hash, body): &(&[u8], &[u8])| sha256(body).as_bytes() == *hash;
    let parts = rest.split_at_checked(64).filter(is_whole);
    let (_, body) = parts.ok_or_else(|| refused("the bytes are damaged or cut off"))?;
    guarded(|| {
        let other = || refused("written by another version of catena");
        match postcard::take_from_bytes(body) {
            Ok((value, [])) => Ok(value),
            Ok(_) | Err(_) => Err(other()),
        }
    })
}

#[pymethods]
impl State {
    /// Reads the bytes of a pickled state.
    #[staticmethod]
    fn _load(data: &[u8]) -> PyResult<Self> {
        let (kept, shape): (Kept, [usize; 2]) = decode(data)?;
        let numbers = shape[0].checked_mul(shape[1]);
        let state = &kept.checkpoint.state;
        if numbers != Some(state.x.len()) || state.v.len() != state.x.len() {
            return Err(PyValueError::new_err("data: the bytes are damaged or cut off"));
        }
        Ok(Self { kept, shape })
    }

    /// Simulated time.
    #[getter]
    fn time(&self) -> f64 {
        self.kept.checkpoint.state.t
    }

    /// Number of steps since the start.
    #[getter]
    fn steps(&self) -> u64 {
        self.kept.checkpoint.steps
    }

    /// Positions: float64 of shape (nodes, axes), a copy.
    #[getter]
    fn positions(&self, py: Python<'_>) -> PyResult<Py<PyArray2<f64>>> {
        of_nodes(py, &self.kept.checkpoint.state.x, self.shape)
    }

    /// Velocities: float64 of shape (nodes, axes), a copy.
    #[getter]
    fn velocities(&self, py: Python<'_>) -> PyResult<Py<PyArray2<f64>>> {
        of_nodes(py, &self.kept.checkpoint.state.v, self.shape)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().kept == self.kept)
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let it = slf.get();
        let bytes = PyBytes::new(slf.py(), &encode(&(&it.kept, it.shape))?);
        Ok((slf.get_type().getattr("_load")?, (bytes,)))
    }

    fn __repr__(&self) -> String {
        format!("<catena.State at {}, {} nodes>", self.time(), self.shape[0])
    }
}
