//! Conversion of Python values to the syntax of scenes: 8 is `8`, (0, -1) is `(0, -1)`, and text is
//! unchanged.
//!
//! Lists may contain themselves and iterators may never end, so depth and length are limited.

use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple},
};

/// Maximum depth of values within values.
const MAX_DEPTH: usize = 64;
/// Maximum length of the text of a value, in bytes.
const MAX_BYTES: usize = 16 << 20;
/// Number of values between two checks for signals.
const CHECK_INTERVAL: usize = 1 << 14;

/// Returns a value in the syntax of scenes.
///
/// Numbers keep all their digits, tuples and lists keep their kind, and a dict becomes a struct.
/// Text must be in the syntax of scenes: a name is `"Xpbd"`, and a quoted text is `'"red"'`. NumPy
/// numbers and arrays are converted by their `tolist`.
pub(crate) fn text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut writer = Writer::default();
    writer.value(value, 0)?;
    Ok(writer.text)
}

/// Returns the values of an axis: text such as `Log(1, 1e4, 32)` unchanged, or all values of an
/// iterable.
pub(crate) fn axis(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if value.is_instance_of::<PyString>() {
        return text(value);
    }
    let Ok(values) = value.try_iter() else {
        return Err(PyTypeError::new_err(format!(
            "axes: expected values of {name}, such as [1, 10, 100], or a text such as 'Log(1, 100, 3)'"
        )));
    };
    let mut writer = Writer::default();
    writer.list(['[', ']'], values, 0)?;
    Ok(writer.text)
}

/// Writer of nested values.
#[derive(Default)]
struct Writer {
    text: String,
    parts: usize,
}

impl Writer {
    fn value(&mut self, value: &Bound<'_, PyAny>, depth: usize) -> PyResult<()> {
        if depth > MAX_DEPTH {
            let what =
                format!("the value is nested more than {MAX_DEPTH} deep, or contains itself");
            return Err(PyValueError::new_err(what));
        }
        self.parts += 1;
        if self.parts.is_multiple_of(CHECK_INTERVAL) {
            value.py().check_signals()?;
        }
        if let Ok(flag) = value.cast::<PyBool>() {
            return self.push(&flag.is_true().to_string());
        }
        if let Ok(text) = value.cast::<PyString>() {
            return self.push(&text.to_cow()?);
        }
        if value.is_instance_of::<PyInt>() {
            return self.push(&value.str()?.to_cow()?);
        }
        if value.is_instance_of::<PyFloat>() {
            // The debug form has a decimal point and all significant digits.
            return self.push(&format!("{:?}", value.extract::<f64>()?));
        }
        if let Ok(parts) = value.cast::<PyTuple>() {
            return self.list(['(', ')'], parts.iter().map(Ok), depth);
        }
        if let Ok(parts) = value.cast::<PyList>() {
            return self.list(['[', ']'], parts.iter().map(Ok), depth);
        }
        if let Ok(fields) = value.cast::<PyDict>() {
            return self.fields(fields, depth);
        }
        match value.call_method0("tolist") {
            Ok(plain) if !plain.is(value) => self.value(&plain, depth + 1),
            _ => {
                let found = value.get_type().name()?;
                Err(PyTypeError::new_err(format!(
                    "expected a number, text, tuple, list or dict, found {found}"
                )))
            }
        }
    }

    fn push(&mut self, text: &str) -> PyResult<()> {
        if self.text.len().saturating_add(text.len()) > MAX_BYTES {
            let what = format!("the text of the value has more than {MAX_BYTES} bytes");
            return Err(PyValueError::new_err(what));
        }
        self.text.push_str(text);
        Ok(())
    }

    fn list<'py>(
        &mut self,
        [open, close]: [char; 2],
        parts: impl Iterator<Item = PyResult<Bound<'py, PyAny>>>,
        depth: usize,
    ) -> PyResult<()> {
        self.text.push(open);
        for (index, part) in parts.enumerate() {
            self.push(if index > 0 { ", " } else { "" })?;
            self.value(&part?, depth + 1)?;
        }
        self.text.push(close);
        Ok(())
    }

    /// Writes a dict as a struct. The items are copied first, since converting names may run code
    /// that changes the dict.
    fn fields(&mut self, fields: &Bound<'_, PyDict>, depth: usize) -> PyResult<()> {
        self.text.push('(');
        for (index, item) in fields.items().iter().enumerate() {
            let (name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
            self.push(if index > 0 { ", " } else { "" })?;
            self.push(&name.str()?.to_cow()?)?;
            self.push(": ")?;
            self.value(&value, depth + 1)?;
        }
        self.text.push(')');
        Ok(())
    }
}
