//! Table of a sweep, with columns as arrays.

use crate::waiting::guarded;
use catena::sweep::table::{Column, ColumnKind, Value};
use numpy::PyArray1;
use pyo3::{
    exceptions::PyKeyError,
    prelude::*,
    types::{PyDict, PyIterator, PyList, PyString},
};
use std::path::PathBuf;

/// Table of a sweep, with one row per body and variant, and one column per varying field and
/// measure. Rows are in the order of variants, in which the last axis varies fastest.
///
/// Columns are NumPy arrays: int64 for integers, float64 for numbers (with nan for missing values),
/// and objects for text (with None). The column status is fine, diverged, exhausted or refused, and
/// message says why a variant was refused.
#[pyclass(frozen, mapping, module = "catena")]
pub(crate) struct Table {
    columns: Py<PyDict>,
    /// Number of rows.
    rows: usize,
    /// Fields that vary, in order.
    #[pyo3(get)]
    axes: Vec<String>,
    /// Names of the measured columns.
    #[pyo3(get)]
    measures: Vec<String>,
    /// Folder with table.csv, table.parquet and sweep.json; None if no folder was requested.
    #[pyo3(get)]
    folder: Option<PathBuf>,
}

/// Content of a table.
pub(crate) struct TableParts {
    pub(crate) columns: Vec<(Column, Vec<Value>)>,
    pub(crate) axes: Vec<String>,
    pub(crate) measures: Vec<String>,
    pub(crate) folder: Option<PathBuf>,
}

impl Table {
    pub(crate) fn new(py: Python<'_>, parts: TableParts) -> PyResult<Self> {
        let TableParts { columns, axes, measures, folder } = parts;
        let rows = columns.first().map_or(0, |(_, values)| values.len());
        let arrays = PyDict::new(py);
        for (column, values) in columns {
            let array = guarded(|| array(py, &column, &values))?;
            arrays.set_item(&column.name, array)?;
        }
        Ok(Self { columns: arrays.unbind(), rows, axes, measures, folder })
    }
}

/// Array of a column.
fn array<'py>(py: Python<'py>, column: &Column, values: &[Value]) -> PyResult<Bound<'py, PyAny>> {
    let whole = |value: &Value| match value {
        Value::Whole(number) => i64::try_from(*number).ok(),
        _ => None,
    };
    let text = |value: &Value| match value {
        Value::Text(text) => PyString::new(py, text).into_any().unbind(),
        _ => py.None(),
    };
    if column.kind == ColumnKind::Text {
        let texts = values.iter().map(text).collect();
        return Ok(PyArray1::from_vec(py, texts).into_any());
    }
    if column.kind == ColumnKind::Whole
        && let Some(numbers) = values.iter().map(whole).collect::<Option<Vec<i64>>>()
    {
        return Ok(PyArray1::from_vec(py, numbers).into_any());
    }
    let numbers = values.iter().map(|value| value.number().unwrap_or(f64::NAN)).collect();
    Ok(PyArray1::from_vec(py, numbers).into_any())
}

#[pymethods]
impl Table {
    /// Names of all columns, in order.
    #[getter]
    fn columns<'py>(&self, py: Python<'py>) -> Bound<'py, PyList> {
        self.columns.bind(py).keys()
    }

    /// Names of all columns, in order.
    fn keys<'py>(&self, py: Python<'py>) -> Bound<'py, PyList> {
        self.columns(py)
    }

    /// Returns a column.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let columns = self.columns.bind(py);
        columns.get_item(name)?.ok_or_else(|| {
            let names: Vec<String> = columns.keys().iter().map(|it| it.to_string()).collect();
            PyKeyError::new_err(format!("no column {name}; there are {}", names.join(", ")))
        })
    }

    /// Number of rows.
    fn __len__(&self) -> usize {
        self.rows
    }

    fn __contains__(&self, py: Python<'_>, name: &str) -> PyResult<bool> {
        self.columns.bind(py).contains(name)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.columns(py).try_iter()
    }

    /// Returns all columns with their names, for example for pandas.DataFrame.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.columns.bind(py).copy()
    }

    /// Returns the table as a pandas DataFrame. pandas must be installed.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("pandas")?.call_method1("DataFrame", (self.to_dict(py)?,))
    }

    /// Returns the table as a polars DataFrame. polars must be installed.
    fn to_polars<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let columns = PyDict::new(py);
        for (name, values) in self.columns.bind(py).iter() {
            // polars would turn an array of objects into a column of objects.
            let is_text = values.getattr("dtype")?.getattr("kind")?.extract::<String>()? == "O";
            columns
                .set_item(name, if is_text { values.call_method0("tolist")? } else { values })?;
        }
        // A column that contains only None must still have the type text.
        let schema = PyDict::new(py);
        let polars = py.import("polars")?;
        for (name, values) in columns.iter() {
            if values.is_instance_of::<PyList>() {
                schema.set_item(name, polars.getattr("String")?)?;
            }
        }
        let options = PyDict::new(py);
        options.set_item("schema_overrides", schema)?;
        polars.call_method("DataFrame", (columns,), Some(&options))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let columns = self.columns.bind(py).len();
        format!("<catena.Table {} rows, {columns} columns: {}>", self.rows, self.axes.join(", "))
    }
}
