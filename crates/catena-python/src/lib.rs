//! Python package catena: scenes are read, simulated to NumPy arrays, stepped, drawn and swept.
//!
//! Each class and function of Python has its own file. `python/catena/__init__.pyi` also describes
//! the Python interface, and `tests/python/run` compares the two. `waiting` runs work without the
//! interpreter's lock, and `stepping` takes steps of runs that Python objects own. `progress` shows
//! bars, `errors` converts errors into exceptions, and `options`, `values` and `arrays` read
//! arguments. Modules in Python itself are in `python/catena`.

mod animation;
mod arrays;
mod batch;
mod body;
mod data;
mod errors;
mod loaded;
mod methods;
mod moving;
mod options;
mod picture;
mod progress;
mod rendered;
mod run;
mod scene;
mod simulation;
mod stability;
mod state;
mod statics;
mod stepping;
mod sweep;
mod table;
mod values;
mod waiting;

use pyo3::{exceptions::PyValueError, prelude::*};

/// Deterministic simulation of ropes and cloth.
///
/// Scene.read, Scene.parse and Scene.from_dict read a scene. Scenes can be simulated to NumPy
/// arrays, stepped, drawn as pictures for notebooks, and searched for stable steps. Batch steps
/// many runs at once, and sweep measures many variants of one scene. The same scene gives
/// bit-identical results on every machine.
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
        animation::Animation,
        batch::Batch,
        body::{Body, Panel},
        data::{diff, fit, identify},
        methods::{Method, MethodOption, methods},
        moving::SimulationBody,
        picture::Picture,
        rendered::Rendered,
        run::{Run, Runs},
        scene::Scene,
        simulation::{Simulation, SimulationBodies},
        stability::Stability,
        state::State,
        statics::statics,
        sweep::sweep,
        table::Table,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        // Checked now, because later an unknown value would be ignored.
        catena::environment::check().map_err(PyValueError::new_err)?;
        // Checked now, because the library for NumPy arrays panics if NumPy is missing.
        py.import("numpy")?.getattr("ndarray")?;
        module.add("Error", py.get_type::<Error>())?;
        module.add("InternalError", py.get_type::<InternalError>())?;
        module.add("SceneError", scene_error(py)?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
