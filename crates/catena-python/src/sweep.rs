//! Measurement of many variants of a scene.

use crate::{
    errors,
    loaded::{Loaded, limits, read_text},
    options,
    progress::watched,
    scene::Scene,
    table::{Table, TableParts},
    values,
    waiting::wait_for,
};
use catena::job::{
    self, Interruption, MergedSweep, Progress, RunError, SweepError, SweepJobOptions, Swept,
};
use catena::scene::{
    Access, Limits, Patch, SceneText,
    sweep::{Sweep, SweepOptions, load_sweep},
};
use catena::sweep::table::Value;
use pyo3::{
    exceptions::{PyOSError, PyTypeError},
    prelude::*,
    types::PyString,
};
use std::path::{Path, PathBuf};

/// Measures many variants of a scene. Returns a table with one row per body and variant.
///
/// scene is a Scene, or the path of a scene or sweep file. axes are the fields that vary: a dict of
/// paths and values, such as {"rope.stiffness": [1, 10, 100]}, or texts "PATH=VALUES". Text in a
/// dict uses the syntax of sweep files: {"rope.stiffness": "Log(1, 100, 3)"}. An axis of several
/// fields has a path such as "rope.nodes, substeps", and tuples as values.
///
/// sample is a sampling scheme such as "Sobol(256)", for axes without a count. exclude has patterns
/// of variants to omit. measure has the names of measures, in one text or several. frames is the
/// number of frames per variant. set has changes that override all axes.
///
/// A variant that diverges, exhausts its budget or is refused has a row with that status. out is a
/// folder for table.csv, table.parquet and sweep.json, in which an interrupted sweep can be
/// resumed. progress=True shows a bar, as in Scene.simulate. allow_path and allow_any_path are as
/// in Scene.read.
#[pyfunction]
#[pyo3(signature = (
    scene, axes=None, *, sample=None, exclude=None, measure=None, frames=None, set=None, out=None,
    progress=None, minutes=None, unlimited=false, threads=None, allow_path=None,
    allow_any_path=false
))]
#[expect(clippy::too_many_arguments, reason = "arguments with names, of Python")]
pub(crate) fn sweep(
    py: Python<'_>,
    scene: &Bound<'_, PyAny>,
    axes: Option<&Bound<'_, PyAny>>,
    sample: Option<String>,
    exclude: Option<&Bound<'_, PyAny>>,
    measure: Option<&Bound<'_, PyAny>>,
    frames: Option<i64>,
    set: Option<&Bound<'_, PyAny>>,
    out: Option<PathBuf>,
    progress: Option<&Bound<'_, PyAny>>,
    minutes: Option<f64>,
    unlimited: bool,
    threads: Option<i64>,
    allow_path: Option<&Bound<'_, PyAny>>,
    allow_any_path: bool,
) -> PyResult<Table> {
    let access = options::access(allow_path, allow_any_path)?;
    let SweepInput { text, mut patches, limits } = SweepInput::of(scene, unlimited, access)?;
    patches.extend(options::patches(set)?);
    let limits = options::limits(&limits, minutes, unlimited)?;
    let axes = axes.map(|axes| options::assignments("axes", axes, &values::axis)).transpose()?;
    let options = SweepOptions {
        axes: axes.unwrap_or_default(),
        sample,
        except: texts("exclude", exclude)?,
        measure: Some(texts("measure", measure)?.join(", ")).filter(|names| !names.is_empty()),
        frames: options::frames(frames)?,
        set: patches,
    };
    let own_limits = limits.clone();
    let loaded = wait_for(py, move |_| load_sweep(&text, &options, &own_limits))?;
    let sweep = loaded.map_err(|error| errors::of_scene(py, &error))?;
    let job = SweepJobOptions {
        limits,
        threads: options::threads(threads)?,
        ..SweepJobOptions::default()
    };
    let parts = run(py, sweep, job, out, progress)?;
    Table::new(py, parts)
}

/// Scene or file that a sweep starts from.
struct SweepInput {
    text: SceneText,
    patches: Vec<Patch>,
    limits: Limits,
}

impl SweepInput {
    /// Reads the input. `access`, if given, replaces the access of the scene.
    fn of(scene: &Bound<'_, PyAny>, unlimited: bool, access: Access) -> PyResult<Self> {
        if let Ok(scene) = scene.cast::<Scene>() {
            let Loaded { text, patches, limits, .. } = &**scene.get();
            let limits = limits.clone();
            let limits = match access == Access::default() {
                true => limits,
                false => limits.with_access(access),
            };
            return Ok(Self { text: text.clone(), patches: patches.clone(), limits });
        }
        let path: PathBuf = scene
            .extract()
            .map_err(|_| PyTypeError::new_err("scene: expected a catena.Scene or a path"))?;
        let limits = limits(unlimited, access);
        let text = read_text(scene.py(), &path, &limits)?;
        Ok(Self { text, patches: Vec::new(), limits })
    }
}

/// Texts of an argument that is one text, or several.
fn texts(option: &str, given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    if let Ok(text) = given.cast::<PyString>() {
        return Ok(vec![text.to_string()]);
    }
    options::texts(option, given, "a text, or a list of texts")
}

/// Computes the table in a folder and reads it back.
fn run(
    py: Python<'_>,
    sweep: Sweep,
    options: SweepJobOptions,
    out: Option<PathBuf>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<TableParts> {
    let kept = match &out {
        Some(_) => None,
        None => Some(tempfile::tempdir().map_err(|error| PyOSError::new_err(error.to_string()))?),
    };
    let folder = match (&out, &kept) {
        (Some(folder), _) => folder.clone(),
        (None, kept) => kept.as_ref().map(|it| it.path().to_path_buf()).unwrap_or_default(),
    };
    let measure = move |progress: &dyn Progress, interruption: &dyn Interruption| {
        // A temporary folder is removed when the work ends.
        let _kept = kept;
        let merged = match job::sweep(&sweep, &folder, &options, progress, interruption)? {
            Swept::Table(merged) => merged,
            // A shard is only returned if one is requested.
            Swept::Shard { .. } => {
                let what = "the result is a shard instead of a table";
                return Err(RunError::Option(what.into()).into());
            }
        };
        let columns = columns(&merged, &folder)?;
        Ok((merged, columns))
    };
    let swept: Result<_, SweepError> = watched(py, progress, measure)?;
    let (merged, columns) = swept.map_err(|error| errors::of_sweep(py, &error))?;
    let content = &merged.content;
    let names = content.columns.iter().map(|column| column.name.clone());
    Ok(TableParts {
        columns: content.columns.iter().cloned().zip(columns).collect(),
        axes: content.axes.iter().map(|field| field.path.clone()).collect(),
        measures: names.skip(content.measures()).collect(),
        folder: out,
    })
}

/// Values of each column.
fn columns(merged: &MergedSweep, folder: &Path) -> Result<Vec<Vec<Value>>, RunError> {
    let mut columns = vec![Vec::with_capacity(merged.rows as usize); merged.content.columns.len()];
    job::sweep_rows(merged, folder, &mut |cells| {
        columns.iter_mut().zip(cells).for_each(|(column, cell)| column.push(cell));
    })?;
    Ok(columns)
}
