//! Arguments: numbers within ranges, limits, patches and frames.

use crate::{errors, values};
use catena::job::{FrameChoice, MAX_FRAMES, MAX_THREADS};
use catena::scene::{Access, Limits, Patch};
use catena::threads::processors;
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyDict, PyString},
};
use std::path::PathBuf;

/// Files outside its own folder that a scene may read: the files in a folder, in a list of folders,
/// or all files.
pub(crate) fn access(allowed: Option<&Bound<'_, PyAny>>, any: bool) -> PyResult<Access> {
    let folders = match allowed {
        None => Vec::new(),
        Some(one) => match one.extract::<PathBuf>() {
            Ok(folder) => vec![folder],
            Err(_) => several("allow_path", one, "a path or a list of paths", &|path| {
                path.extract().ok()
            })?,
        },
    };
    if let Some(missing) = folders.iter().find(|folder| !folder.is_dir()) {
        let what = format!("allow_path: there is no folder {}", missing.display());
        return Err(PyValueError::new_err(what));
    }
    Ok(if any { Access::unlimited() } else { Access::to_folders(folders) })
}

/// Limits of a run: the limits of the scene, or none if `unlimited`. If given, `minutes` replaces
/// the time limit.
pub(crate) fn limits(scene: &Limits, minutes: Option<f64>, unlimited: bool) -> PyResult<Limits> {
    let limits = match unlimited {
        true => Limits::unlimited().with_access(scene.access.clone()),
        false => scene.clone(),
    };
    match minutes {
        None => Ok(limits),
        Some(minutes) if minutes > 0.0 && minutes.is_finite() => Ok(limits.with_minutes(minutes)),
        Some(minutes) => {
            Err(PyValueError::new_err(format!("minutes: {minutes} is not a finite number above 0")))
        }
    }
}

/// Checks that an integer is within a range, including both ends.
fn whole(name: &str, number: i64, minimum: u64, maximum: u64) -> PyResult<u64> {
    let in_range = u64::try_from(number).ok().filter(|number| (minimum..=maximum).contains(number));
    in_range.ok_or_else(|| {
        PyValueError::new_err(format!("{name}: {number} is not from {minimum} to {maximum}"))
    })
}

/// Number of threads; all processors by default. A job always gets its own threads, because a
/// shared pool does not survive a fork of the process.
pub(crate) fn threads(asked: Option<i64>) -> PyResult<Option<u16>> {
    let all = || processors() as u64;
    let maximum = u64::from(MAX_THREADS);
    let number = asked.map_or(Ok(all().min(maximum)), |it| whole("threads", it, 1, maximum))?;
    Ok(u16::try_from(number).ok())
}

/// Checks a number of frames.
pub(crate) fn frames(asked: Option<i64>) -> PyResult<Option<u64>> {
    asked.map(|frames| whole("frames", frames, 1, MAX_FRAMES)).transpose()
}

/// Checks the index of a frame.
pub(crate) fn frame(number: i64) -> PyResult<u64> {
    whole("frame", number, 0, MAX_FRAMES - 1)
}

/// Selection of frames: a number of frames, or a range.
pub(crate) fn choice(asked: Option<&Bound<'_, PyAny>>) -> PyResult<FrameChoice> {
    let Some(asked) = asked else { return Ok(FrameChoice::All) };
    if let Ok(count) = asked.extract::<i64>() {
        return Ok(frames(Some(count))?.map_or(FrameChoice::All, FrameChoice::First));
    }
    let number = |name: &str| asked.getattr(name).and_then(|value| value.extract::<i64>());
    match (number("start"), number("stop"), number("step")) {
        (Ok(start), Ok(stop), Ok(1)) => Ok(FrameChoice::Part(frame(start)?..frame(stop)?)),
        (Ok(_), Ok(_), Ok(step)) => Err(PyValueError::new_err(format!(
            "frames: the range has a step of {step}; the step must be 1"
        ))),
        _ => Err(PyTypeError::new_err("frames: expected a whole number or a range")),
    }
}

/// Changes of a scene, from a dict of paths and values, or from texts `PATH=VALUE`.
pub(crate) fn patches(set: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Patch>> {
    let Some(set) = set else { return Ok(Vec::new()) };
    let texts = assignments("set", set, &|_, value| values::text(value))?;
    let read = |text: String| {
        text.parse()
            .map_err(|error: String| errors::of_option(set.py(), &change_text(&text), &error))
    };
    texts.into_iter().map(read).collect()
}

/// Description of a change for messages.
fn change_text(text: &str) -> String {
    format!("set {text}")
}

/// Function that converts the value of a name to text.
type Writer<'a> = &'a dyn Fn(&str, &Bound<'_, PyAny>) -> PyResult<String>;

/// Texts `NAME=VALUE` from a dict, from one text, or from several.
pub(crate) fn assignments(
    option: &str,
    given: &Bound<'_, PyAny>,
    write: Writer<'_>,
) -> PyResult<Vec<String>> {
    if let Ok(text) = given.cast::<PyString>() {
        return Ok(vec![text.to_string()]);
    }
    if let Ok(pairs) = given.cast::<PyDict>() {
        let pair = |item: Bound<'_, PyAny>| {
            let (name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
            let name: String = name.extract().map_err(|_| {
                PyTypeError::new_err(format!("{option}: a name must be text, such as 'rope.nodes'"))
            })?;
            Ok(format!("{name}={}", write(&name, &value)?))
        };
        // A copy, since writing a value may run code that changes the dict.
        return pairs.items().iter().map(pair).collect();
    }
    let expected = "a dict such as {'rope.nodes': 8}, or texts such as ['rope.nodes=8']";
    texts(option, given, expected)
}

/// Maximum number of values in an option.
const MAX_VALUES: usize = 1 << 16;

/// Texts of a sequence; see [`several`].
pub(crate) fn texts(
    option: &str,
    given: &Bound<'_, PyAny>,
    expected: &str,
) -> PyResult<Vec<String>> {
    several(option, given, expected, &|text| text.extract().ok())
}

/// Reads the values of a sequence, with a limit on their number, since an iterator may never end.
/// `read` returns `None` for an invalid value.
fn several<T>(
    option: &str,
    given: &Bound<'_, PyAny>,
    expected: &str,
    read: &dyn Fn(&Bound<'_, PyAny>) -> Option<T>,
) -> PyResult<Vec<T>> {
    let refused = || PyTypeError::new_err(format!("{option}: expected {expected}"));
    let mut values = Vec::new();
    for value in given.try_iter().map_err(|_| refused())? {
        if values.len() == MAX_VALUES {
            let what = format!("{option}: more than {MAX_VALUES} values");
            return Err(PyValueError::new_err(what));
        }
        values.push(read(&value?).ok_or_else(refused)?);
    }
    Ok(values)
}
