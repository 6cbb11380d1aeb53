//! Methods that a scene can name.

use catena::sim::method::{METHODS, MethodInfo};
use catena::sim::named::OptionInfo;
use pyo3::prelude::*;

/// An option of a method, written in parentheses after its name in a scene.
#[pyclass(frozen, get_all, module = "catena")]
pub(crate) struct MethodOption {
    /// Name of the option.
    name: &'static str,
    /// One-line description.
    summary: &'static str,
    /// Default value as text.
    default: &'static str,
    /// Allowed values in words.
    range: &'static str,
}

#[pymethods]
impl MethodOption {
    fn __repr__(&self) -> String {
        format!("<catena.MethodOption {}: {}, default {}>", self.name, self.range, self.default)
    }
}

/// A method, named by the field integrator of a scene.
#[pyclass(frozen, get_all, module = "catena")]
pub(crate) struct Method {
    /// Name in scenes.
    name: &'static str,
    /// Name in pictures.
    title: &'static str,
    /// One-line description.
    summary: &'static str,
    /// Order of the global error. None if the method does not integrate springs.
    order: Option<u32>,
    /// Order of the global error with drag or friction in springs.
    damped_order: Option<u32>,
    /// Whether the method keeps springs at their rest length instead of integrating their forces.
    holds_lengths: bool,
    /// Options of the method.
    options: Vec<Py<MethodOption>>,
}

#[pymethods]
impl Method {
    fn __repr__(&self) -> String {
        format!("<catena.Method {}: {}>", self.name, self.summary)
    }
}

/// Returns all methods with their options.
#[pyfunction]
pub(crate) fn methods(py: Python<'_>) -> PyResult<Vec<Method>> {
    METHODS.iter().map(|method| of_info(py, method)).collect()
}

fn of_info(py: Python<'_>, info: &MethodInfo) -> PyResult<Method> {
    let MethodInfo { name, title, summary, order, damped_order, holds_lengths, options, .. } =
        *info;
    let option = |option: &OptionInfo| {
        let OptionInfo { name, summary, default, range, .. } = *option;
        Py::new(py, MethodOption { name, summary, default, range })
    };
    let options = options.iter().map(option).collect::<PyResult<_>>()?;
    Ok(Method { name, title, summary, order, damped_order, holds_lengths, options })
}
