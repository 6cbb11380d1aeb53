//! Scenes: reading, inspection and jobs.

use crate::{
    animation::Animation,
    body::Panel,
    errors,
    loaded::{Loaded, limits, read_text},
    options,
    picture::Picture,
    progress::watched,
    rendered::Rendered,
    run::{Run, Runs},
    simulation::{Simulation, chosen},
    stability::Stability,
    values,
    waiting::wait_for,
};
use catena::job::{
    self, FrameChoice, FrameError, FrameOptions, Interruption, RenderOptions, SimulateOptions,
    StabilityOptions,
};
use catena::scene::{self, Limits, Patch, SceneError, SceneText};
use image::RgbImage;
use pyo3::{
    prelude::*,
    types::{PyBytes, PyDict},
};
use std::{
    ops::Deref,
    path::{Path, PathBuf},
    sync::Arc,
};

/// A scene that is ready to run. Scenes are immutable; with_set returns a changed copy.
#[pyclass(frozen, module = "catena")]
pub(crate) struct Scene(Arc<Loaded>);

impl Deref for Scene {
    type Target = Loaded;

    fn deref(&self) -> &Loaded {
        &self.0
    }
}

impl Scene {
    fn load(
        py: Python<'_>,
        text: SceneText,
        patches: Vec<Patch>,
        limits: Limits,
    ) -> PyResult<Self> {
        let load = move |_: &dyn Interruption| {
            let scene = scene::load_within(&text, &patches, &limits)?;
            Ok(Loaded { scene, text, patches, limits })
        };
        let loaded: Result<Loaded, SceneError> = wait_for(py, load)?;
        Ok(Self(Arc::new(loaded.map_err(|error| errors::of_scene(py, &error))?)))
    }

    /// Loaded scene, with its text, changes and options.
    pub(crate) fn loaded(&self) -> Arc<Loaded> {
        Arc::clone(&self.0)
    }

    /// Copy of the scene with more changes.
    pub(crate) fn with(&self, py: Python<'_>, more: Vec<Patch>) -> PyResult<Self> {
        let patches = [self.patches.clone(), more].concat();
        Self::load(py, self.text.clone(), patches, self.limits.clone())
    }

    /// Names of the methods of all bodies.
    fn methods(&self) -> impl Iterator<Item = &'static str> {
        let bodies = self.scene.panels.iter().flat_map(|panel| &panel.bodies);
        bodies.map(|body| body.method.name)
    }

    /// Draws a frame.
    fn drawn(&self, py: Python<'_>, frame: u64, options: FrameOptions) -> PyResult<Picture> {
        let frames = FrameChoice::Part(frame..frame.saturating_add(1));
        let options = FrameOptions { frames, ..options };
        let loaded = Arc::clone(&self.0);
        let draw = move |interruption: &dyn Interruption| {
            let mut drawn: Option<RgbImage> = None;
            job::frames(&loaded.scene, &options, &(), interruption, |_, image| {
                drawn = Some(image.clone());
                Ok::<(), FrameError>(())
            })?;
            drawn.ok_or(FrameError::Interrupted)
        };
        let drawn = wait_for(py, draw)?.map_err(|error| errors::of_frames(py, &error))?;
        Picture::new(py, drawn)
    }
}

#[pymethods]
impl Scene {
    /// Reads a scene file. set changes fields and overrides all layers of the scene: a dict such as
    /// {"rope.nodes": 8}, or texts such as ["rope.nodes=8"]. Text in a dict uses the syntax of
    /// scenes: {"integrator": "Xpbd(iterations: 20)"}.
    ///
    /// The scene may name files in and below its own folder. allow_path adds a folder or a list of
    /// folders, and allow_any_path allows all files.
    ///
    /// Raises SceneError if the scene cannot be used, and OSError if the file cannot be read.
    #[staticmethod]
    #[pyo3(signature = (path, set=None, *, unlimited=false, allow_path=None, allow_any_path=false))]
    fn read(
        py: Python<'_>,
        path: PathBuf,
        set: Option<&Bound<'_, PyAny>>,
        unlimited: bool,
        allow_path: Option<&Bound<'_, PyAny>>,
        allow_any_path: bool,
    ) -> PyResult<Self> {
        let limits = limits(unlimited, options::access(allow_path, allow_any_path)?);
        let patches = options::patches(set)?;
        Self::load(py, read_text(py, &path, &limits)?, patches, limits)
    }

    /// Reads the text of a scene. file is its name in messages; relative paths in the scene are
    /// relative to the folder of file. allow_path and allow_any_path are as in read.
    #[staticmethod]
    #[pyo3(signature = (text, set=None, file="scene", unlimited=false, allow_path=None, allow_any_path=false))]
    fn parse(
        py: Python<'_>,
        text: String,
        set: Option<&Bound<'_, PyAny>>,
        file: &str,
        unlimited: bool,
        allow_path: Option<&Bound<'_, PyAny>>,
        allow_any_path: bool,
    ) -> PyResult<Self> {
        let access = options::access(allow_path, allow_any_path)?;
        let name = Path::new(file).file_stem().map_or(file.into(), |stem| stem.to_string_lossy());
        let text = SceneText { origin: file.into(), name: name.into_owned(), text };
        Self::load(py, text, options::patches(set)?, limits(unlimited, access))
    }

    /// Returns a copy of the scene with more changes, which override earlier ones.
    fn with_set(&self, py: Python<'_>, set: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.with(py, options::patches(Some(set))?)
    }

    /// Reads a scene from a dict of its fields: {"base": {"rope": {"nodes": 8}}}. Values are as in
    /// set: text uses the syntax of scenes, so that a title is '"Ropes"'. The other arguments are
    /// as in parse.
    #[staticmethod]
    #[pyo3(signature = (fields, set=None, file="scene", unlimited=false, allow_path=None, allow_any_path=false))]
    fn from_dict(
        py: Python<'_>,
        fields: &Bound<'_, PyDict>,
        set: Option<&Bound<'_, PyAny>>,
        file: &str,
        unlimited: bool,
        allow_path: Option<&Bound<'_, PyAny>>,
        allow_any_path: bool,
    ) -> PyResult<Self> {
        let text = format!("Scene{}", values::text(fields.as_any())?);
        Self::parse(py, text, set, file, unlimited, allow_path, allow_any_path)
    }

    /// Starts a simulation that is stepped from Python. body chooses one body, by index or label;
    /// None starts all. minutes is the limit on the estimated time of one core for each frame, and
    /// unlimited removes it.
    #[pyo3(signature = (body=None, *, minutes=None, unlimited=false))]
    fn start(
        &self,
        py: Python<'_>,
        body: Option<&Bound<'_, PyAny>>,
        minutes: Option<f64>,
        unlimited: bool,
    ) -> PyResult<Simulation> {
        let limits = options::limits(&self.limits, minutes, unlimited)?;
        Simulation::start(py, Arc::clone(&self.0), limits, chosen(self, body)?)
    }

    /// Continues a simulation of this scene bit-identically from the bytes that save returned.
    /// Raises ValueError if the bytes are damaged or belong to another scene.
    #[pyo3(signature = (data, *, minutes=None, unlimited=false))]
    fn resume(
        &self,
        py: Python<'_>,
        data: &[u8],
        minutes: Option<f64>,
        unlimited: bool,
    ) -> PyResult<Simulation> {
        let limits = options::limits(&self.limits, minutes, unlimited)?;
        Simulation::resume(py, Arc::clone(&self.0), limits, data)
    }

    /// Draws frames as an animation for notebooks: a page with a slider that needs no network.
    /// frames is a number of frames or a range, and every=3 draws every third of them.
    /// progress=True shows a bar, as in simulate.
    #[pyo3(signature = (frames=None, *, every=1, size=None, font=None, progress=None, minutes=None, unlimited=false, threads=None))]
    #[expect(clippy::too_many_arguments, reason = "arguments with names, of Python")]
    fn animate(
        &self,
        py: Python<'_>,
        frames: Option<&Bound<'_, PyAny>>,
        every: u64,
        size: Option<[u32; 2]>,
        font: Option<PathBuf>,
        progress: Option<&Bound<'_, PyAny>>,
        minutes: Option<f64>,
        unlimited: bool,
        threads: Option<i64>,
    ) -> PyResult<Animation> {
        let options = FrameOptions {
            frames: options::choice(frames)?,
            size,
            fonts: font.into_iter().collect(),
            limits: options::limits(&self.limits, minutes, unlimited)?,
            threads: options::threads(threads)?,
        };
        Animation::draw(py, Arc::clone(&self.0), options, every, progress)
    }

    /// Name of the scene: the file name without its extension.
    #[getter]
    fn name(&self) -> &str {
        &self.scene.name
    }

    /// Title above the panels; None if there is none.
    #[getter]
    fn title(&self) -> Option<&str> {
        self.scene.title.as_deref()
    }

    /// Text of the scene, without the changes of set.
    #[getter]
    fn text(&self) -> &str {
        &self.text.text
    }

    /// Name in messages: the path of its file.
    #[getter]
    fn file(&self) -> &str {
        &self.text.origin
    }

    /// Changes of set, each as PATH=VALUE.
    #[getter]
    fn changes(&self) -> Vec<String> {
        self.patches.iter().map(Patch::text).collect()
    }

    /// Number of frames.
    #[getter]
    fn frames(&self) -> u64 {
        self.scene.frames
    }

    /// Simulated time from one frame to the next.
    #[getter]
    fn frame_time(&self) -> f64 {
        self.scene.frame_time()
    }

    /// Number of components of a position: 2 in the plane, 3 in space.
    #[getter]
    fn axes(&self) -> usize {
        self.scene.axes
    }

    /// Width and height of its pictures in pixels.
    #[getter]
    fn size(&self) -> (u32, u32) {
        self.scene.size.into()
    }

    /// Labels of all bodies, panel by panel, in the order of simulate and stability.
    #[getter]
    fn labels(&self) -> Vec<String> {
        self.scene.body_labels()
    }

    /// Panels of the scene.
    #[getter]
    fn panels(&self, py: Python<'_>) -> PyResult<Vec<Panel>> {
        Panel::all(py, &self.scene)
    }

    /// Warnings and notes to read before the pictures are trusted, one sentence each: panels with
    /// different physics, steps above the stability limit, letters that no typeface has.
    fn cautions(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let loaded = Arc::clone(&self.0);
        let find =
            move |_: &dyn Interruption| job::cautions(&loaded.scene, loaded.scene.frames, &[]);
        let found = wait_for(py, find)?;
        let found = found.map_err(|error| errors::of_output(&error))?;
        Ok(found.iter().map(|caution| errors::in_python(&caution.to_string())).collect())
    }

    /// Simulates the scene and returns the motion of each body as NumPy arrays. The arrays cover
    /// all frames, the first of which is the initial state.
    ///
    /// frames is the number of frames; None uses the scene's own number. ledger=True adds the
    /// sources and sinks of energy per frame, and takes several times as long. minutes is the limit
    /// on the estimated time of one core; unlimited removes all limits. The results do not depend
    /// on threads. progress=True shows a tqdm bar; a function is called with the number of finished
    /// frames and the total number.
    ///
    /// Other Python threads continue during the simulation, and Ctrl-C ends it.
    #[pyo3(signature = (frames=None, *, ledger=false, progress=None, minutes=None, unlimited=false, threads=None))]
    #[expect(clippy::too_many_arguments, reason = "arguments with names, of Python")]
    fn simulate(
        &self,
        py: Python<'_>,
        frames: Option<i64>,
        ledger: bool,
        progress: Option<&Bound<'_, PyAny>>,
        minutes: Option<f64>,
        unlimited: bool,
        threads: Option<i64>,
    ) -> PyResult<Runs> {
        let options = SimulateOptions {
            frames: options::frames(frames)?,
            ledger,
            limits: options::limits(&self.limits, minutes, unlimited)?,
            threads: options::threads(threads)?,
        };
        let loaded = Arc::clone(&self.0);
        let made = watched(py, progress, move |progress, interruption| {
            job::simulate(&loaded.scene, &options, progress, interruption)
        })?;
        let motions = made.map_err(|error| errors::of_frames(py, &error))?.into_iter();
        let bodies = self.scene.panels.iter().flat_map(|panel| &panel.bodies);
        let references = bodies.map(|body| body.reference.as_deref());
        let runs = motions.zip(self.methods()).zip(references);
        let runs = runs.map(|((motion, method), known)| Run::new(py, motion, method, known));
        Runs::new(py, runs.collect::<PyResult<_>>()?)
    }

    /// Draws a frame, with exactly the pixels that catena render writes. All frames up to it are
    /// simulated first. size is width and height in pixels; font is a file for letters that the
    /// built-in typeface lacks.
    #[pyo3(signature = (frame=0, *, size=None, font=None, minutes=None, unlimited=false, threads=None))]
    #[expect(clippy::too_many_arguments, reason = "arguments with names, of Python")]
    fn draw(
        &self,
        py: Python<'_>,
        frame: i64,
        size: Option<[u32; 2]>,
        font: Option<PathBuf>,
        minutes: Option<f64>,
        unlimited: bool,
        threads: Option<i64>,
    ) -> PyResult<Picture> {
        let options = FrameOptions {
            frames: FrameChoice::All,
            size,
            fonts: font.into_iter().collect(),
            limits: options::limits(&self.limits, minutes, unlimited)?,
            threads: options::threads(threads)?,
        };
        self.drawn(py, options::frame(frame)?, options)
    }

    /// Draws the steady-state comparison: bodies are simulated until they are at rest, and their
    /// shapes are drawn next to the hanging chain. The picture equals the steady.png of a render of
    /// the same frames. None if the scene has only rigs. steady_time is the maximum time to wait
    /// for rest, in estimated seconds of one core.
    #[pyo3(signature = (*, frames=None, steady_time=None, size=None, font=None, minutes=None, unlimited=false, threads=None))]
    #[expect(clippy::too_many_arguments, reason = "arguments with names, of Python")]
    fn steady(
        &self,
        py: Python<'_>,
        frames: Option<&Bound<'_, PyAny>>,
        steady_time: Option<f64>,
        size: Option<[u32; 2]>,
        font: Option<PathBuf>,
        minutes: Option<f64>,
        unlimited: bool,
        threads: Option<i64>,
    ) -> PyResult<Option<Picture>> {
        let options = RenderOptions {
            frames: options::choice(frames)?,
            steady_time,
            size,
            fonts: font.into_iter().collect(),
            limits: options::limits(&self.limits, minutes, unlimited)?,
            threads: options::threads(threads)?,
            ..RenderOptions::default()
        };
        let loaded = Arc::clone(&self.0);
        let made = wait_for(py, move |interruption| {
            job::steady_picture(&loaded.scene, &options, &(), interruption)
        })?;
        let picture = made.map_err(|error| errors::of_render(py, &error))?;
        picture.map(|picture| Picture::new(py, picture)).transpose()
    }

    /// Renders frames into a folder as PNG files with manifest.json and, unless steady=False,
    /// steady.png. frames is a number of frames or a range. Existing frames are kept, so an
    /// interrupted render is resumed. progress=True shows a bar, as in simulate.
    #[pyo3(signature = (folder, frames=None, *, steady=true, steady_time=None, size=None, font=None, progress=None, minutes=None, unlimited=false, threads=None))]
    #[expect(clippy::too_many_arguments, reason = "arguments with names, of Python")]
    fn render(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        frames: Option<&Bound<'_, PyAny>>,
        steady: bool,
        steady_time: Option<f64>,
        size: Option<[u32; 2]>,
        font: Option<PathBuf>,
        progress: Option<&Bound<'_, PyAny>>,
        minutes: Option<f64>,
        unlimited: bool,
        threads: Option<i64>,
    ) -> PyResult<Rendered> {
        let options = RenderOptions {
            frames: options::choice(frames)?,
            steady,
            steady_time,
            size,
            fonts: font.into_iter().collect(),
            limits: options::limits(&self.limits, minutes, unlimited)?,
            threads: options::threads(threads)?,
            ..RenderOptions::default()
        };
        let (loaded, place) = (Arc::clone(&self.0), folder.clone());
        let made = watched(py, progress, move |progress, interruption| {
            job::render(&loaded.scene, &place, &options, progress, interruption)
        })?;
        let rendered = made.map_err(|error| errors::of_render(py, &error))?;
        let steady = rendered.has_steady.then(|| folder.join("steady.png"));
        let bodies = rendered.bodies.into_iter();
        let diverged = bodies.map(|body| (body.label, body.diverged)).collect();
        Ok(Rendered { folder, frames: rendered.frames, steady, diverged })
    }

    /// Finds the maximum stable step of each body, predicted from its spectrum and measured by
    /// runs. frames is the number of frames that a stable run must survive; None uses the scene's
    /// own number. study_time is the budget of each body in counted seconds of one core; None means
    /// 4.
    #[pyo3(signature = (frames=None, *, study_time=None, minutes=None, unlimited=false, threads=None))]
    fn stability(
        &self,
        py: Python<'_>,
        frames: Option<i64>,
        study_time: Option<f64>,
        minutes: Option<f64>,
        unlimited: bool,
        threads: Option<i64>,
    ) -> PyResult<Vec<Stability>> {
        let options = StabilityOptions {
            frames: options::frames(frames)?,
            study_time,
            panel: None,
            limits: options::limits(&self.limits, minutes, unlimited)?,
            threads: options::threads(threads)?,
        };
        let loaded = Arc::clone(&self.0);
        let found = wait_for(py, move |_| job::stable_steps(&loaded.scene, &options))?;
        let found = found.map_err(|error| errors::of_run(py, &error))?;
        let names = self.scene.body_labels().into_iter().zip(self.methods());
        let bodies = names.zip(&found);
        Ok(bodies.map(|((label, method), found)| Stability::new(label, method, found)).collect())
    }

    /// Returns the first frame, for notebooks.
    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let options = FrameOptions {
            limits: self.limits.clone(),
            threads: options::threads(None)?,
            ..FrameOptions::default()
        };
        Ok(PyBytes::new(py, &self.drawn(py, 0, options)?.encoded(py)?))
    }

    /// Supports copying scenes and sending them to other processes.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Parsed)> {
        let it = slf.get();
        let access = &it.limits.access;
        let unlimited = it.limits == limits(true, access.clone());
        let allowed = (access.folders().to_vec(), access.is_unlimited());
        let text = &it.text;
        let parsed =
            (text.text.clone(), it.changes(), text.origin.clone(), unlimited, allowed.0, allowed.1);
        Ok((slf.get_type().getattr("parse")?, parsed))
    }

    fn __repr__(&self) -> String {
        let labels: Vec<String> =
            self.scene.panels.iter().map(|panel| format!("{:?}", panel.label)).collect();
        format!("<catena.Scene {:?}: {}>", self.scene.name, labels.join(", "))
    }
}

/// Arguments of Scene.parse.
type Parsed = (String, Vec<String>, String, bool, Vec<PathBuf>, bool);
