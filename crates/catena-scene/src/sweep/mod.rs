//! Sweeps: many variants of one scene. An axis says which field varies and what values it takes, a
//! sample fills a cube of intervals with points, and patterns leave variants out.
//!
//! A variant is known by its number, from which its values follow without those of the others. The
//! sample's point changes least often from one number to the next, then the first axis, and the
//! last one most often.

mod axis;
mod checks;
mod fields;
mod file;
mod outside;
mod pattern;
mod sample;
mod series;
mod variant;

pub use fields::{AXES, Content, FIELDS, SweepField, content_of};
pub use file::{SweepOptions, WrittenMeasure, is_sweep, load_sweep};
pub use sample::{SAMPLES, Sample, SampleKind, permuted};
pub use series::INTERVALS;
pub use variant::{AxisValue, Variant};

use super::error::SceneError;
use super::file::SceneText;
use super::limits::Limits;
use super::parsed::ParsedScene;
use super::parts::Scene;
use axis::Axis;
use outside::OutsideScene;
use pattern::Pattern;
use std::sync::Arc;

/// The most variants of a sweep. A number of rows that a table can still have.
pub const MOST_VARIANTS: u64 = 100_000_000;

/// What the values of a field are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// Whole numbers of at least 0.
    Whole,
    /// Numbers.
    Real,
    /// Anything that a scene can have.
    Text,
}

/// A sweep, ready to run.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// Its name: that of its file, or of the scene.
    pub name: String,
    /// What messages call it: the path of its file, or of the scene.
    pub origin: String,
    /// The text of its file, or of the scene.
    pub text: String,
    /// How many frames a variant has; `None` takes the scene's.
    pub frames: Option<u64>,
    /// What is measured of each variant.
    pub measures: Vec<WrittenMeasure>,
    axes: Vec<Axis>,
    sample: Option<Sample>,
    exceptions: Vec<Pattern>,
    scene_text: SceneText,
    /// The scene, if messages may show no text of it.
    outside: Option<OutsideScene>,
    parsed: ParsedScene,
    limits: Limits,
    /// How many variants there are, left-out ones counted.
    variants: u64,
}

impl Sweep {
    /// How many variants there are, those counted that are left out.
    pub fn variants(&self) -> u64 {
        self.variants
    }

    /// The sample, if there is one.
    pub fn sample(&self) -> Option<Sample> {
        self.sample
    }

    /// The fields that vary, in the order of the axes.
    pub fn paths(&self) -> Vec<&str> {
        self.axes.iter().flat_map(|axis| &axis.paths).map(|(path, _)| path.as_str()).collect()
    }

    /// For each field that varies, whether its values are numbers.
    pub fn kinds(&self) -> Vec<ValueKind> {
        self.axes.iter().flat_map(Axis::kinds).collect()
    }

    /// How many values each axis has, in order; `None` for axes that are sampled.
    pub fn counts(&self) -> Vec<Option<u64>> {
        self.axes.iter().map(Axis::count).collect()
    }

    /// For each axis, whether its numbers lie by equal factors; `None` where they are listed.
    pub fn log_axes(&self) -> Vec<Option<bool>> {
        self.axes.iter().map(Axis::is_log).collect()
    }

    /// How many fields each axis sets, in order.
    pub fn widths(&self) -> Vec<usize> {
        self.axes.iter().map(|axis| axis.paths.len()).collect()
    }

    /// The scene without any axis.
    ///
    /// # Errors
    /// When the scene cannot be used as it stands.
    fn base(&self) -> Result<Scene, SceneError> {
        let parsed = ParsedScene { keeps_equal: true, ..self.parsed.clone() };
        super::load::finish(&self.scene_text, parsed, &self.limits)
            .map_err(|error| self.without_outside_text(error))
    }

    /// An error without text of a scene that is outside of the sweep's folder.
    fn without_outside_text(&self, error: SceneError) -> SceneError {
        match &self.outside {
            Some(outside) => outside.hidden(error),
            None => error,
        }
    }

    /// The files that the scene and the values of axes name, by name, each with what stands in it;
    /// `None` for one that cannot be read. Each is read once, and variants are made from these
    /// bytes.
    pub fn files(&self) -> Vec<(String, Option<Arc<[u8]>>)> {
        // Reads those of the scene, whether or not a variant of it can be built.
        let _ = self.example();
        let files = &self.parsed.source.files;
        for name in self.axes.iter().flat_map(Axis::files) {
            // Figures name files themselves. A file that is none, or cannot be read, is refused
            // where a variant is made from it.
            let _ = files.bytes(&name).and_then(|_| files.figure(&name));
        }
        files.named()
    }

    /// All that determines the numbers of its variants, apart from the scene and its files.
    pub fn canonical(&self) -> Vec<String> {
        let axes = self.axes.iter().map(Axis::canonical);
        let sample = self.sample.iter().map(|it| format!("{} {} {}", it.name(), it.count, it.seed));
        let exceptions = self.exceptions.iter().map(|it| format!("except {}", it.canonical()));
        let frames = self.frames.iter().map(|frames| format!("frames {frames}"));
        let measures = self.measures.iter().map(|it| format!("measure {}", it.canonical()));
        axes.chain(sample).chain(exceptions).chain(frames).chain(measures).collect()
    }

    /// The changes of `--set`, each as `PATH=VALUE`.
    pub fn changes(&self) -> Vec<String> {
        let overrides = self.parsed.overrides.iter();
        overrides.filter_map(|(source, _)| Some(source.option.as_ref()?.change.clone())).collect()
    }

    /// The text of the scene.
    pub fn scene_text(&self) -> &SceneText {
        &self.scene_text
    }
}
