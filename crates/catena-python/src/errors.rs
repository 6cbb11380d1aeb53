//! Conversion of catena's errors into Python exceptions.

use catena::job::{FrameError, RenderError, RunError, SweepError};
use catena::output::OutputError;
use catena::scene;
use pyo3::{
    create_exception,
    exceptions::{PyException, PyKeyboardInterrupt, PyOSError, PyRuntimeError, PyValueError},
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyType},
};
use std::{any::Any, path::Path};

create_exception!(catena, Error, PyException, "Base class of the exceptions of catena.");

create_exception!(
    catena,
    InternalError,
    Error,
    "Internal error: a bug of catena. Please report it with a scene that reproduces it."
);

/// Docstring of SceneError.
const SCENE_ERROR: &str = "Error in a scene or sweep. Its text is the whole message: the \
position, the line, and advice.\n\nfile is the name of the text in messages, or the invalid \
option. line and column are counted from 1, column in characters. path is the path of the field, \
such as base.rope.nodes, and help is the advice. Each is None if unknown.";

/// Type SceneError, a subclass of Error and ValueError.
pub(crate) fn scene_error(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let make = || -> PyResult<Py<PyType>> {
        let bases = (py.get_type::<Error>(), py.get_type::<PyValueError>());
        let members = PyDict::new(py);
        members.set_item("__doc__", SCENE_ERROR)?;
        members.set_item("__module__", "catena")?;
        let made = py.get_type::<PyType>().call1(("SceneError", bases, members))?;
        Ok(made.cast_into::<PyType>()?.unbind())
    };
    Ok(TYPE.get_or_try_init(py, make)?.bind(py))
}

/// Exception for a panic.
pub(crate) fn of_panic(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    let text = text.unwrap_or_else(|| "no message".into());
    InternalError::new_err(format!("internal error of catena, please report it: {text}"))
}

/// Exception for a worker thread that ended without a result.
pub(crate) fn lost() -> PyErr {
    InternalError::new_err(
        "internal error of catena, please report it: work ended without a result",
    )
}

/// Exception for a scene that cannot be used.
pub(crate) fn of_scene(py: Python<'_>, error: &scene::SceneError) -> PyErr {
    let report = error.report(false);
    let place = error.has_place().then(|| error.position());
    let parts = SceneErrorFields {
        file: Some(error.origin()),
        place,
        path: error.field(),
        help: error.help(),
        // Python prints the type of the exception itself.
        message: report.strip_prefix("error: ").unwrap_or(&report),
    };
    parts.raise(py)
}

/// Exception for an option that is not a valid change of a scene.
pub(crate) fn of_option(py: Python<'_>, option: &str, message: &str) -> PyErr {
    let message = format!("{option}: {message}");
    let parts = SceneErrorFields {
        file: Some(option),
        place: None,
        path: None,
        help: None,
        message: &message,
    };
    parts.raise(py)
}

/// Attributes of a SceneError.
struct SceneErrorFields<'a> {
    file: Option<&'a str>,
    place: Option<(usize, usize)>,
    path: Option<&'a str>,
    help: Option<&'a str>,
    message: &'a str,
}

impl SceneErrorFields<'_> {
    fn raise(self, py: Python<'_>) -> PyErr {
        let exception = match scene_error(py) {
            Ok(kind) => PyErr::from_type(kind.clone(), in_python(self.message)),
            Err(error) => return error,
        };
        let value = exception.value(py);
        let set = || -> PyResult<()> {
            value.setattr("file", self.file.map(in_python))?;
            value.setattr("line", self.place.map(|(line, _)| line))?;
            value.setattr("column", self.place.map(|(_, column)| column))?;
            value.setattr("path", self.path)?;
            value.setattr("help", self.help.map(in_python))
        };
        match set() {
            Ok(()) => exception,
            Err(error) => error,
        }
    }
}

/// Options of the command line that messages may mention, and their Python equivalents.
const OPTIONS: [(&str, &str); 12] = [
    ("--unlimited", "unlimited=True"),
    ("--minutes ", "minutes="),
    ("--steady-time ", "steady_time="),
    ("--frames ", "frames="),
    ("--frames", "frames"),
    ("--threads", "threads"),
    ("--size", "size"),
    ("--font", "font"),
    ("--set", "set"),
    ("--axis ", "axes "),
    ("--measure ", "measure "),
    ("another --out", "another folder"),
];

/// Message with options of the command line replaced by Python arguments.
pub(crate) fn in_python(message: &str) -> String {
    OPTIONS
        .iter()
        .fold(message.into(), |text: String, (option, argument)| text.replace(option, argument))
}

/// Exception for a failed job.
pub(crate) fn of_run(py: Python<'_>, error: &RunError) -> PyErr {
    match error {
        RunError::Scene(error) => of_scene(py, error),
        RunError::Output(error) => of_output(error),
        RunError::Exhausted(message) => PyRuntimeError::new_err(in_python(message)),
        RunError::Option(_) | RunError::Data(_) | RunError::TooSmall { .. } => {
            PyValueError::new_err(in_python(&error.to_string()))
        }
    }
}

/// Exception for frames that could not be made.
pub(crate) fn of_frames(py: Python<'_>, error: &FrameError) -> PyErr {
    match error {
        FrameError::Run(error) => of_run(py, error),
        FrameError::Interrupted => PyKeyboardInterrupt::new_err("interrupted"),
    }
}

/// Exception for a failed render.
pub(crate) fn of_render(py: Python<'_>, error: &RenderError) -> PyErr {
    match error {
        RenderError::Run(error) => of_run(py, error),
        RenderError::Film(error) => PyRuntimeError::new_err(in_python(&error.to_string())),
        RenderError::Interrupted { .. } => PyKeyboardInterrupt::new_err(error.to_string()),
    }
}

/// Exception for a failed sweep.
pub(crate) fn of_sweep(py: Python<'_>, error: &SweepError) -> PyErr {
    match error {
        SweepError::Run(error) => of_run(py, error),
        SweepError::Merge(error) => PyRuntimeError::new_err(in_python(&error.to_string())),
        SweepError::Interrupted { .. } => PyKeyboardInterrupt::new_err(error.to_string()),
    }
}

/// Exception for a file: OSError, or its subclass for the system's error number.
pub(crate) fn of_output(error: &OutputError) -> PyErr {
    of_file(&error.cause, in_python(&error.to_string()), error.path())
}

/// Exception for a file, with a message.
pub(crate) fn of_file(cause: &std::io::Error, message: String, path: &Path) -> PyErr {
    match cause.raw_os_error() {
        Some(number) => PyOSError::new_err((number, message, path.as_os_str().to_owned())),
        None => PyOSError::new_err(message),
    }
}
