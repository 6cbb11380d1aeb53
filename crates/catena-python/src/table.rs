//! The table of a sweep: columns as arrays.

use crate::waiting::guarded;
use catena::sweep::table::{Column, ColumnKind, Value};
use numpy::PyArray1;
use pyo3::{
    exceptions::PyKeyError,
    prelude::*,
    types::{PyDict, PyIterator, PyList, PyString},
};
use std::path::PathBuf;

/// The table of a sweep: a row for each body of each variant, a column for each field that varies
/// and each measure. Rows are in the order of variants, of which the last axis varies most often.
///
/// Columns are arrays of NumPy: int64 for whole numbers, float64 for numbers (with nan where there
/// is no value), and objects for text (with None). The column status is fine, diverged, exhausted
/// or refused, and message says why a variant was refused.
#[pyclass(frozen, mapping, module = "catena")]
pub(crate) struct Table {
    columns: Py<PyDict>,
    /// How many rows there are.
    rows: usize,
    /// The fields that vary, in order.
    #[pyo3(get)]
    axes: Vec<String>,
    /// The names of the columns that were measured.
    #[pyo3(get)]
    measures: Vec<String>,
    /// The folder with table.csv, table.parquet and sweep.json; None if none was asked for.
    #[pyo3(get)]
    folder: Option<PathBuf>,
}

/// What a table is made of.
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

/// The array of a column.
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
    /// The names of all columns, in order.
    #[getter]
    fn columns<'py>(&self, py: Python<'py>) -> Bound<'py, PyList> {
        self.columns.bind(py).keys()
    }

    /// The names of all columns, in order.
    fn keys<'py>(&self, py: Python<'py>) -> Bound<'py, PyList> {
        self.columns(py)
    }

    /// A column.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let columns = self.columns.bind(py);
        columns.get_item(name)?.ok_or_else(|| {
            let names: Vec<String> = columns.keys().iter().map(|it| it.to_string()).collect();
            PyKeyError::new_err(format!("no column {name}; there are {}", names.join(", ")))
        })
    }

    /// How many rows there are.
    fn __len__(&self) -> usize {
        self.rows
    }

    fn __contains__(&self, py: Python<'_>, name: &str) -> PyResult<bool> {
        self.columns.bind(py).contains(name)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.columns(py).try_iter()
    }

    /// All columns under their names, for pandas.DataFrame and its like.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.columns.bind(py).copy()
    }

    /// The table as a DataFrame of pandas, which must be installed.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("pandas")?.call_method1("DataFrame", (self.to_dict(py)?,))
    }

    /// The table as a DataFrame of polars, which must be installed.
    fn to_polars<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let columns = PyDict::new(py);
        for (name, values) in self.columns.bind(py).iter() {
            // Of objects polars would make a column of objects.
            let is_text = values.getattr("dtype")?.getattr("kind")?.extract::<String>()? == "O";
            columns
                .set_item(name, if is_text { values.call_method0("tolist")? } else { values })?;
        }
        // What has None alone is still text.
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
