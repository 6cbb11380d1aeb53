//! Data of other programs for a scene: fits, identification, and comparison of files.

use crate::{errors, options, scene::Scene, waiting::wait_for};
use catena::job::{
    self, FitData, FitOptions, FitTerm, IdentifyError, IdentifyOptions, Interruption, NumberReading,
};
use catena::scene::recorded::{NodeOrder, NumberRows, Placement, YAxis};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyString},
};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Maximum size in bytes of a number file.
const MAX: u64 = 1 << 28;

/// File of numbers: its name in messages, and its bytes.
struct Numbers {
    name: String,
    bytes: Vec<u8>,
}

impl Numbers {
    /// Reads the file at a path, or takes bytes as the contents of a file.
    fn of(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = data.cast::<PyBytes>() {
            return Ok(Self { name: "data".into(), bytes: bytes.as_bytes().to_vec() });
        }
        let path: PathBuf = data.extract().map_err(|_| {
            PyTypeError::new_err("data: expected the path of a CSV file, or its contents as bytes")
        })?;
        let name = path.display().to_string();
        let bytes = file(&path).map_err(|cause| {
            errors::of_file(&cause, format!("cannot read {name}: {cause}"), &path)
        })?;
        Ok(Self { name, bytes })
    }
}

/// Reads a file of at most [`MAX`] bytes.
fn file(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MAX {
        true => Err(io::Error::other(format!("the file has more than {MAX} bytes"))),
        false => Ok(bytes),
    }
}

/// Parses the direction of y: up, down, or None.
fn direction(y: Option<&str>) -> PyResult<Option<YAxis>> {
    match y {
        None => Ok(None),
        Some("up") => Ok(Some(YAxis::Up)),
        Some("down") => Ok(Some(YAxis::Down)),
        Some(other) => {
            Err(PyValueError::new_err(format!("y: {other:?} is not \"up\" or \"down\"")))
        }
    }
}

/// Parses the order of nodes: forward, reversed, or None.
fn order(node_order: Option<&str>) -> PyResult<Option<NodeOrder>> {
    match node_order {
        None => Ok(None),
        Some("forward") => Ok(Some(NodeOrder::Forward)),
        Some("reversed") => Ok(Some(NodeOrder::Reversed)),
        Some(other) => Err(PyValueError::new_err(format!(
            "node_order: {other:?} is not \"forward\" or \"reversed\""
        ))),
    }
}

/// Checks the factor on positions, which must not be 0.
fn factor(scale: f64) -> PyResult<f64> {
    match scale != 0.0 && scale.is_finite() {
        true => Ok(scale),
        false => Err(PyValueError::new_err(format!(
            "scale: expected a number other than 0, found {scale}"
        ))),
    }
}

/// Checks the position of an origin, which has two or three numbers.
fn origin(translate: Option<Vec<f64>>) -> PyResult<[f64; 3]> {
    match translate.as_deref() {
        None => Ok([0.0; 3]),
        Some([x, y]) if [x, y].iter().all(|it| it.is_finite()) => Ok([*x, *y, 0.0]),
        Some([x, y, z]) if [x, y, z].iter().all(|it| it.is_finite()) => Ok([*x, *y, *z]),
        Some(_) => Err(PyValueError::new_err("translate: expected two or three numbers")),
    }
}

/// Index of a panel by its label, or by its number from 0.
fn panel(scene: &Scene, panel: Option<&Bound<'_, PyAny>>) -> PyResult<Option<usize>> {
    let Some(panel) = panel else { return Ok(None) };
    let wanted = match panel.extract::<usize>() {
        Ok(index) => return Ok(Some(index)),
        Err(_) => panel.extract::<String>().map_err(|_| {
            PyTypeError::new_err("panel: expected a label, or a number counted from 0")
        })?,
    };
    let found = job::panel_index(&scene.scene, &wanted, &scene.limits);
    found.map(Some).map_err(|error| errors::of_run(panel.py(), &error))
}

/// Converts JSON to Python dicts, lists, strings and numbers.
pub(crate) fn of_json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.getattr("loads")?.call1((text,))
}

/// Parses the fields that vary.
fn terms(vary: &Bound<'_, PyAny>) -> PyResult<Vec<FitTerm>> {
    let texts = match vary.cast::<PyString>() {
        Ok(text) => vec![text.to_str()?.to_owned()],
        Err(_) => vary.extract::<Vec<String>>()?,
    };
    let lists = texts.iter().map(|text| FitTerm::list(text).map_err(PyValueError::new_err));
    Ok(lists.collect::<PyResult<Vec<_>>>()?.concat())
}

/// Fits fields of a body to data by least squares, as catena fit does.
///
/// vary has the fields, in one text such as "drag=0.1,rope.stiffness" or several; a number in
/// braces varies inside a value: "gravity=(0, {-9.81})". data is the path of a CSV file or its
/// contents as bytes; None takes the reference of the scene. columns, node, first_node, node_order,
/// first_frame, y, scale and translate describe what the file itself does not say. panel is a label
/// or a number from 0; body counts from 0.
///
/// Returns a dict: parameters (field, start, estimate, standard_error, interval_95, at_bound),
/// numbers, rms, rms_at_start, converged, fits, noise, warnings, set and more. If fits is False,
/// the model does not fit the data, and there are no intervals.
#[pyfunction]
#[pyo3(signature = (
    scene, vary, data=None, *, columns=None, node=None, first_node=None, node_order=None, first_frame=None, y=None,
    scale=1.0, translate=None, panel=None, body=0, frames=None, minutes=None, unlimited=false
))]
#[expect(clippy::too_many_arguments, reason = "arguments with names, of Python")]
pub(crate) fn fit<'py>(
    py: Python<'py>,
    scene: &Bound<'py, Scene>,
    vary: &Bound<'py, PyAny>,
    data: Option<&Bound<'py, PyAny>>,
    columns: Option<String>,
    node: Option<usize>,
    first_node: Option<usize>,
    node_order: Option<&str>,
    first_frame: Option<u64>,
    y: Option<&str>,
    scale: f64,
    translate: Option<Vec<f64>>,
    panel: Option<&Bound<'py, PyAny>>,
    body: usize,
    frames: Option<i64>,
    minutes: Option<f64>,
    unlimited: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let loaded = scene.get().loaded();
    let panel = self::panel(scene.get(), panel)?.unwrap_or(0);
    let own = [panel as u64, body as u64];
    let (y, scale) = (direction(y)?, factor(scale)?);
    let translate = origin(translate)?;
    let placement = Placement {
        node,
        first_node,
        node_order: order(node_order)?,
        first_frame,
        y,
        own,
        scale,
        translate,
        ..Placement::default()
    };
    let data = data.map(Numbers::of).transpose()?;
    let options = FitOptions {
        vary: terms(vary)?,
        panel,
        body,
        frames: options::frames(frames)?,
        limits: options::limits(&loaded.limits, minutes, unlimited)?,
        ..FitOptions::default()
    };
    let found = wait_for(py, move |interruption: &dyn Interruption| {
        let data = data.as_ref().map(|Numbers { name, bytes }| {
            let columns = columns.as_deref();
            FitData { name, bytes, columns, placement }
        });
        job::fit(&loaded.scene, data, &options, interruption)
    })?;
    let found = found.map_err(|error| errors::of_run(py, &error))?;
    of_json(py, &found.json()?)
}

/// Finds the method, variant and slip that reproduce the numbers of a program, as catena identify
/// does.
///
/// data is the path of a CSV file or its contents as bytes. substeps has further numbers of steps
/// per frame to try; only=True tries only these numbers and the scene's own. panel is a label or a
/// number from 0. The other arguments are as in fit.
///
/// Returns a dict: outcome (identified, undecided or none), matches with phrase, method, slips,
/// substeps, largest and tolerance, the next best candidate, margin, notes, advice and more.
#[pyfunction]
#[pyo3(signature = (
    scene, data, *, columns=None, node=None, first_node=None, node_order=None, first_frame=None, y=None, scale=1.0,
    translate=None, panel=None, frames=None, substeps=None, only=false, threads=None
))]
#[expect(clippy::too_many_arguments, reason = "arguments with names, of Python")]
pub(crate) fn identify<'py>(
    py: Python<'py>,
    scene: &Bound<'py, Scene>,
    data: &Bound<'py, PyAny>,
    columns: Option<String>,
    node: Option<usize>,
    first_node: Option<usize>,
    node_order: Option<&str>,
    first_frame: Option<u64>,
    y: Option<&str>,
    scale: f64,
    translate: Option<Vec<f64>>,
    panel: Option<&Bound<'py, PyAny>>,
    frames: Option<i64>,
    substeps: Option<Vec<u64>>,
    only: bool,
    threads: Option<i64>,
) -> PyResult<Bound<'py, PyAny>> {
    let loaded = scene.get().loaded();
    let Numbers { name, bytes } = Numbers::of(data)?;
    let substeps = substeps.unwrap_or_default();
    if substeps.contains(&0) {
        return Err(PyValueError::new_err("substeps: a frame must have at least one step"));
    }
    let options = IdentifyOptions {
        name,
        columns,
        node,
        first_node,
        node_order: order(node_order)?,
        first_frame,
        y: direction(y)?,
        scale: factor(scale)?,
        translate: origin(translate)?,
        panel: self::panel(scene.get(), panel)?.map(|index| index as u64),
        frames: options::frames(frames)?,
        substeps,
        only_given_substeps: only,
        limits: loaded.limits.clone(),
        threads: options::threads(threads)?,
        ..IdentifyOptions::default()
    };
    let found = wait_for(py, move |_: &dyn Interruption| {
        job::identify(&loaded.scene, &bytes, &options)
            .and_then(|found| found.json().map_err(|it| IdentifyError::Data(it.to_string())))
    })?;
    match found {
        Ok(text) => of_json(py, &text),
        Err(IdentifyError::Run(error)) => Err(errors::of_run(py, &error)),
        Err(error) => Err(PyValueError::new_err(errors::in_python(&error.to_string()))),
    }
}

/// Compares two files of numbers, such as traces, as catena diff does.
///
/// expected and actual are paths of CSV files, or their contents as bytes. Rows are matched by
/// frame, panel, body and node, columns by name. columns lists the columns of actual, such as
/// "frame,node,x,y". The arguments y to translate describe how actual differs. y is "down" if y
/// points down, and node_order is "reversed" for reversed nodes. first_frame and first_node are the
/// numbers of the first frame and node, steps the number of steps per frame. scale is a factor, and
/// translate the position of the origin.
///
/// Returns a dict: passes, columns with largest, rms and place, frames, first_beyond, alone, hint
/// and more.
#[pyfunction]
#[pyo3(signature = (
    expected, actual, *, tolerance=0.0, allow_extra=false, columns=None, y=None, first_frame=None,
    first_node=None, node_order=None, steps=1, scale=1.0, translate=None
))]
#[expect(clippy::too_many_arguments, reason = "arguments with names, of Python")]
pub(crate) fn diff<'py>(
    py: Python<'py>,
    expected: &Bound<'py, PyAny>,
    actual: &Bound<'py, PyAny>,
    tolerance: f64,
    allow_extra: bool,
    columns: Option<String>,
    y: Option<&str>,
    first_frame: Option<u64>,
    first_node: Option<u32>,
    node_order: Option<&str>,
    steps: u64,
    scale: f64,
    translate: Option<Vec<f64>>,
) -> PyResult<Bound<'py, PyAny>> {
    if !(tolerance >= 0.0 && tolerance.is_finite()) {
        let what = format!("tolerance: expected a number of at least 0, found {tolerance}");
        return Err(PyValueError::new_err(what));
    }
    let (expected, actual) = (Numbers::of(expected)?, Numbers::of(actual)?);
    let is_y_down = direction(y)? == Some(YAxis::Down);
    let (scale, translate) = (factor(scale)?, origin(translate)?);
    let is_reversed = order(node_order)? == Some(NodeOrder::Reversed);
    let reading =
        NumberReading { is_y_down, first_frame, first_node, is_reversed, steps, scale, translate };
    let found = wait_for(py, move |_: &dyn Interruption| -> Result<_, String> {
        let expected = NumberRows::read(&expected.bytes, &expected.name);
        let expected = expected.map_err(|error| error.to_string())?;
        let actual = NumberRows::read_with(&actual.bytes, &actual.name, columns.as_deref());
        let actual = reading.of(actual.map_err(|error| error.to_string())?);
        let found = job::diff_numbers(&expected, &actual, tolerance);
        let text = found.json().map_err(|error| error.to_string())?;
        Ok((text, found.passes(allow_extra)))
    })?;
    let (text, passes) = found.map_err(PyValueError::new_err)?;
    let found = of_json(py, &text)?;
    found.set_item("passes", passes)?;
    Ok(found)
}
