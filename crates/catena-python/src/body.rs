//! Panels and bodies of a scene in their initial state.

use crate::waiting::guarded;
use catena::scene;
use catena::sim::{Model, Setup};
use numpy::{IntoPyArray, PyArray1, PyArray2, ndarray::Array};
use pyo3::{exceptions::PyValueError, prelude::*};
use std::sync::Arc;

/// A panel of a scene.
#[pyclass(frozen, get_all, module = "catena")]
pub(crate) struct Panel {
    /// Label in pictures.
    label: String,
    /// Bodies of the panel.
    bodies: Vec<Py<Body>>,
}

#[pymethods]
impl Panel {
    fn __repr__(&self) -> String {
        format!("<catena.Panel {:?}, bodies: {}>", self.label, self.bodies.len())
    }
}

impl Panel {
    /// Panels of a scene.
    pub(crate) fn all(py: Python<'_>, scene: &scene::Scene) -> PyResult<Vec<Self>> {
        let mut labels = scene.body_labels().into_iter();
        let mut panel = |panel: &scene::Panel| {
            let bodies = panel.bodies.iter().zip(&mut labels);
            let body = |(body, label): (&scene::Body, String)| {
                Py::new(
                    py,
                    Body { label, method: body.method.name, setup: Arc::clone(&body.setup) },
                )
            };
            let bodies = bodies.map(body).collect::<PyResult<_>>()?;
            Ok(Self { label: panel.label.clone(), bodies })
        };
        scene.panels.iter().map(&mut panel).collect()
    }
}

/// A body of a scene in its initial state: masses, pins, springs, method and step. Arrays are
/// copies.
#[pyclass(frozen, module = "catena")]
pub(crate) struct Body {
    label: String,
    method: &'static str,
    setup: Arc<Setup>,
}

impl Body {
    fn model(&self) -> &Model {
        &self.setup.model
    }

    /// Array with one number per spring.
    fn of_springs<'py>(
        &self,
        py: Python<'py>,
        number: impl Fn(&catena::sim::Spring) -> f64,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let numbers: Vec<f64> = self.model().springs.iter().map(number).collect();
        guarded(|| Ok(PyArray1::from_vec(py, numbers)))
    }
}

#[pymethods]
impl Body {
    /// Label in messages and arrays.
    #[getter]
    fn label(&self) -> &str {
        &self.label
    }

    /// Name of the method, as in the scene.
    #[getter]
    fn method(&self) -> &str {
        self.method
    }

    /// Number of nodes.
    #[getter]
    fn nodes(&self) -> usize {
        self.model().nodes()
    }

    /// Number of components of a position: 2 or 3.
    #[getter]
    fn axes(&self) -> usize {
        self.model().axes
    }

    /// Simulated time from one frame to the next.
    #[getter]
    fn frame_time(&self) -> f64 {
        self.setup.frame_time
    }

    /// Steps per frame.
    #[getter]
    fn substeps(&self) -> u64 {
        self.setup.substeps
    }

    /// Step: frame_time / substeps.
    #[getter]
    fn dt(&self) -> f64 {
        self.setup.dt()
    }

    /// Initial positions: float64 of shape (nodes, axes).
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (n, axes) = (self.nodes(), self.axes());
        let x = &self.setup.initial.x;
        let values = (0..n).flat_map(|node| x.iter().skip(node).step_by(n).copied()).collect();
        let array = Array::from_shape_vec((n, axes), values);
        let array = array.map_err(|error| PyValueError::new_err(error.to_string()))?;
        guarded(|| Ok(array.into_pyarray(py)))
    }

    /// Mass of each node: float64 of shape (nodes,).
    #[getter]
    fn masses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        guarded(|| Ok(PyArray1::from_slice(py, &self.model().mass)))
    }

    /// Whether each node is pinned: bool of shape (nodes,).
    #[getter]
    fn pinned<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        guarded(|| Ok(PyArray1::from_slice(py, &self.model().pinned)))
    }

    /// Indices of the nodes at both ends of each spring: int64 of shape (springs, 2).
    #[getter]
    fn springs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let springs = &self.model().springs;
        let ends = springs.iter().flat_map(|spring| [spring.a as i64, spring.b as i64]).collect();
        let array = Array::from_shape_vec((springs.len(), 2), ends);
        let array = array.map_err(|error| PyValueError::new_err(error.to_string()))?;
        guarded(|| Ok(array.into_pyarray(py)))
    }

    /// Rest length of each spring: float64 of shape (springs,).
    #[getter]
    fn rest_lengths<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.of_springs(py, |spring| spring.rest_length)
    }

    /// Stiffness of each spring, force per length: float64 of shape (springs,).
    #[getter]
    fn stiffnesses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.of_springs(py, |spring| spring.stiffness)
    }

    fn __repr__(&self) -> String {
        format!("<catena.Body {:?}, {}, {} nodes>", self.label, self.method, self.nodes())
    }
}
