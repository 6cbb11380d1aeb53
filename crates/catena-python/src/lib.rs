//! The Python package catena: scenes are read and simulated to NumPy arrays, drawn, and swept.
//!
//! Each class and function of Python has a file. What Python sees of it is in `catena.pyi` as well,
//! and `tests/python/run` holds the two together. Work runs in `waiting`, without the interpreter's
//! lock; errors become exceptions in `errors`; what is passed for options is read by `options` and
//! `values`.

mod body;
mod errors;
mod loaded;
mod methods;
mod options;
mod picture;
mod rendered;
mod run;
mod scene;
mod stability;
mod sweep;
mod table;
mod values;
mod waiting;

use pyo3::{exceptions::PyValueError, prelude::*};

/// Deterministic simulation of ropes and cloth.
///
/// A scene is read with Scene.read or Scene.parse. It simulates to NumPy arrays, draws pictures
/// that notebooks show, says which steps are stable, and sweep measures many variants of it. The
/// same scene gives the same bits on every machine.
///
///     import catena
///     scene = catena.Scene.read("scenes/compare.ron", set={"rope.nodes": 8})
///     run = scene.simulate(frames=300)[0]
///     run.positions.shape          # (300, 8, 2)
#[pymodule(name = "catena", gil_used = false)]
mod catena_module {
    use super::{
        Bound, PyAnyMethods, PyModule, PyModuleMethods, PyResult, PyValueError,
        errors::{Error, InternalError, scene_error},
    };

    #[pymodule_export]
    use super::{
        body::{Body, Panel},
        methods::{Method, MethodOption, methods},
        picture::Picture,
        rendered::Rendered,
        run::{Run, Runs},
        scene::Scene,
        stability::Stability,
        sweep::sweep,
        table::Table,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        // Later, an unknown value would count as none.
        catena::environment::check().map_err(PyValueError::new_err)?;
        // Arrays of NumPy are made by a library that panics where NumPy is missing.
        py.import("numpy")?.getattr("ndarray")?;
        module.add("Error", py.get_type::<Error>())?;
        module.add("InternalError", py.get_type::<InternalError>())?;
        module.add("SceneError", scene_error(py)?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
