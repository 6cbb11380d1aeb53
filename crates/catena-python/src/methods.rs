//! The methods that a scene can name.

use catena::sim::method::{METHODS, MethodInfo};
use catena::sim::named::OptionInfo;
use pyo3::prelude::*;

/// An option of a method, as a scene writes it in parentheses behind the name.
#[pyclass(frozen, get_all, module = "catena")]
pub(crate) struct MethodOption {
    /// Its name.
    name: &'static str,
    /// What it does, in a line.
    summary: &'static str,
    /// Its value when left out, as text.
    default: &'static str,
    /// Which values are allowed, in words.
    range: &'static str,
}

#[pymethods]
impl MethodOption {
    fn __repr__(&self) -> String {
        format!("<catena.MethodOption {}: {}, default {}>", self.name, self.range, self.default)
    }
}

/// A method, as a scene names it under integrator.
#[pyclass(frozen, get_all, module = "catena")]
pub(crate) struct Method {
    /// Its name.
    name: &'static str,
    /// Its name in pictures.
    title: &'static str,
    /// What it does, in a line.
    summary: &'static str,
    /// The order of its global error; None if it does not integrate springs.
    order: Option<u32>,
    /// The same with drag or friction in springs.
    damped_order: Option<u32>,
    /// Whether it keeps springs at their rest length instead of integrating their force.
    holds_lengths: bool,
    /// Its options.
    options: Vec<Py<MethodOption>>,
}

#[pymethods]
impl Method {
    fn __repr__(&self) -> String {
        format!("<catena.Method {}: {}>", self.name, self.summary)
    }
}

/// All methods, with their options.
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
