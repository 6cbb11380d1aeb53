//! Values of Python as a scene has them: 8 is `8`, (0, -1) is `(0, -1)`, text stays as it is.

use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple},
};

/// The text of a value in a scene.
///
/// Numbers keep their bits, tuples and lists their kind, a dict becomes a struct. Text is taken as
/// the scene has it, so a name is `"Xpbd"` and a text with quotes of its own is `'"red"'`. Numbers
/// and arrays of NumPy are what their `tolist` makes of them.
pub(crate) fn text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(flag.is_true().to_string());
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(text.to_string());
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(value.str()?.to_string());
    }
    if value.is_instance_of::<PyFloat>() {
        // Debug writes a point, and all digits that are needed.
        return Ok(format!("{:?}", value.extract::<f64>()?));
    }
    if let Ok(parts) = value.cast::<PyTuple>() {
        return Ok(format!("({})", joined(parts.iter())?));
    }
    if let Ok(parts) = value.cast::<PyList>() {
        return Ok(format!("[{}]", joined(parts.iter())?));
    }
    if let Ok(fields) = value.cast::<PyDict>() {
        let field = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok(format!("{}: {}", name.str()?, text(&value)?))
        };
        let fields = fields.iter().map(field).collect::<PyResult<Vec<String>>>()?;
        return Ok(format!("({})", fields.join(", ")));
    }
    match value.call_method0("tolist") {
        Ok(plain) if !plain.is(value) => text(&plain),
        _ => {
            let found = value.get_type().name()?;
            Err(PyTypeError::new_err(format!(
                "expected a number, text, tuple, list or dict, found {found}"
            )))
        }
    }
}

fn joined<'py>(parts: impl Iterator<Item = Bound<'py, PyAny>>) -> PyResult<String> {
    Ok(parts.map(|part| text(&part)).collect::<PyResult<Vec<String>>>()?.join(", "))
}

/// The values of an axis: text such as `Log(1, 1e4, 32)` as it is, or all values of an iterable.
pub(crate) fn axis(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if value.is_instance_of::<PyString>() {
        return text(value);
    }
    let Ok(values) = value.try_iter() else {
        return Err(PyTypeError::new_err(format!(
            "axes: expected values of {name}, such as [1, 10, 100], or a text such as 'Log(1, 100, 3)'"
        )));
    };
    let values = values.collect::<PyResult<Vec<_>>>()?;
    Ok(format!("[{}]", joined(values.into_iter())?))
}
