//! Arrays of numbers from and to Python.

use crate::waiting::guarded;
use numpy::{
    IntoPyArray, PyArray2, PyArray3, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods,
    ndarray::Array,
};
use pyo3::{exceptions::PyValueError, prelude::*};

/// Converts numbers in row-major order into an array with three axes, without a copy.
pub(crate) fn cube(
    py: Python<'_>,
    shape: [usize; 3],
    values: Vec<f64>,
) -> PyResult<Py<PyArray3<f64>>> {
    let array = Array::from_shape_vec(shape, values);
    let array = array.map_err(|error| PyValueError::new_err(error.to_string()))?;
    guarded(|| Ok(array.into_pyarray(py).unbind()))
}

/// Converts numbers in row-major order into an array with two axes, without a copy.
pub(crate) fn table(
    py: Python<'_>,
    shape: [usize; 2],
    values: Vec<f64>,
) -> PyResult<Py<PyArray2<f64>>> {
    let array = Array::from_shape_vec(shape, values);
    let array = array.map_err(|error| PyValueError::new_err(error.to_string()))?;
    guarded(|| Ok(array.into_pyarray(py).unbind()))
}

/// Appends numbers that are flat by axis, node by node.
pub(crate) fn by_node(flat: &[f64], nodes: usize, all: &mut Vec<f64>) {
    for node in 0..nodes {
        all.extend(flat.iter().skip(node).step_by(nodes.max(1)));
    }
}

/// Numbers of a body, flat by axis, as an array of shape (nodes, axes).
pub(crate) fn of_nodes(
    py: Python<'_>,
    flat: &[f64],
    [nodes, axes]: [usize; 2],
) -> PyResult<Py<PyArray2<f64>>> {
    let mut all = Vec::with_capacity(flat.len());
    by_node(flat, nodes, &mut all);
    table(py, [nodes, axes], all)
}

/// Numbers of an array or of nested sequences with a given shape, in row-major order.
pub(crate) fn numbers(name: &str, given: &Bound<'_, PyAny>, shape: &[usize]) -> PyResult<Vec<f64>> {
    let numpy = given.py().import("numpy")?;
    let array = numpy.call_method1("ascontiguousarray", (given, "float64"))?;
    let array = array.cast::<PyArrayDyn<f64>>()?;
    if array.shape() != shape {
        let texts = |shape: &[usize]| {
            let sides: Vec<String> = shape.iter().map(ToString::to_string).collect();
            format!("({}{})", sides.join(", "), if sides.len() == 1 { "," } else { "" })
        };
        let what = format!(
            "{name}: expected an array of shape {}, found {}",
            texts(shape),
            texts(array.shape())
        );
        return Err(PyValueError::new_err(what));
    }
    Ok(array.try_readonly()?.as_slice()?.to_vec())
}

/// Numbers of shape (nodes, axes) flat by axis.
pub(crate) fn by_axis(rows: &[f64], axes: usize) -> Vec<f64> {
    (0..axes).flat_map(|axis| rows.iter().skip(axis).step_by(axes).copied()).collect()
}
