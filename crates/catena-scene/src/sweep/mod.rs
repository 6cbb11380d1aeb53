//! Sweeps: many variants of one scene. An axis varies a field over several values. A sample chooses
//! points in a cube of intervals. Patterns exclude variants.
//!
//! The number of a variant determines its values, independently of other variants. With increasing
//! number, the last axis changes fastest, the first axis slower, and the sample's point slowest.

mod axis;
mod checks;
mod fields;
mod file;
mod kind;
mod outside;
mod pattern;
mod sample;
mod series;
mod variant;

pub use fields::{AXES, Content, FIELDS, SweepField, content_of};
pub use file::{SweepOptions, WrittenMeasure, load_sweep};
pub use sample::{SAMPLES, Sample, SampleKind, permuted};
pub use series::INTERVALS;
pub use variant::{AxisValue, Variant};

use super::error::SceneError;
use super::file::SceneText;
use super::limits::Limits;
use super::parts::Scene;
use super::stack::ParsedScene;
pub use crate::sweep::kind::is_sweep;
use axis::Axis;
use outside::OutsideScene;
use pattern::Pattern;
use std::sync::Arc;

/// Maximum number of variants of a sweep, which is about the maximum size of a useful table.
pub const MAX_VARIANTS: u64 = 100_000_000;

/// Type of the values of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// Whole numbers of at least 0.
    Whole,
    /// Numbers.
    Real,
    /// Any value of a scene.
    Text,
}

/// Sweep that is ready to run.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// Name of the sweep file, or of the scene.
    pub name: String,
    /// Name in messages: the path of the sweep file, or of the scene.
    pub origin: String,
    /// Text of the sweep file, or of the scene.
    pub text: String,
    /// Number of frames per variant; `None` uses the scene's.
    pub frames: Option<u64>,
    /// Measures of each variant.
    pub measures: Vec<WrittenMeasure>,
    axes: Vec<Axis>,
    sample: Option<Sample>,
    exceptions: Vec<Pattern>,
    scene_text: SceneText,
    /// Scene that messages may not quote, if any.
    outside: Option<OutsideScene>,
    parsed: ParsedScene,
    limits: Limits,
    /// Number of variants, including excluded variants.
    variants: u64,
}

impl Sweep {
    /// Returns the number of variants, including excluded variants.
    pub fn variants(&self) -> u64 {
        self.variants
    }

    /// Returns the sample, if there is one.
    pub fn sample(&self) -> Option<Sample> {
        self.sample
    }

    /// Returns the fields that vary, in the order of the axes.
    pub fn paths(&self) -> Vec<&str> {
        self.axes.iter().flat_map(|axis| &axis.paths).map(|(path, _)| path.as_str()).collect()
    }

    /// Returns the type of the values of each field that varies.
    pub fn kinds(&self) -> Vec<ValueKind> {
        self.axes.iter().flat_map(Axis::kinds).collect()
    }

    /// Returns the number of values of each axis, or `None` for sampled axes.
    pub fn counts(&self) -> Vec<Option<u64>> {
        self.axes.iter().map(Axis::count).collect()
    }

    /// Returns for each axis whether its numbers have constant ratios, or `None` for listed values.
    pub fn log_axes(&self) -> Vec<Option<bool>> {
        self.axes.iter().map(Axis::is_log).collect()
    }

    /// Returns the number of fields that each axis sets.
    pub fn widths(&self) -> Vec<usize> {
        self.axes.iter().map(|axis| axis.paths.len()).collect()
    }

    /// Builds the scene without axes.
    ///
    /// # Errors
    /// Returns an error when the scene cannot be used without the axes.
    fn base(&self) -> Result<Scene, SceneError> {
        let parsed = ParsedScene { keeps_equal: true, ..self.parsed.clone() };
        super::load::finish(&self.scene_text, parsed, &self.limits)
            .map_err(|error| self.without_outside_text(error))
    }

    /// Removes text of a scene outside the sweep's folder from an error.
    fn without_outside_text(&self, error: SceneError) -> SceneError {
        match &self.outside {
            Some(outside) => outside.hidden(error),
            None => error,
        }
    }

    /// Returns name and contents of all files that the scene and the values of axes name. The
    /// contents are `None` for unreadable files. Each file is read once, and all variants use the
    /// same bytes.
    pub fn files(&self) -> Vec<(String, Option<Arc<[u8]>>)> {
        // Building an example reads the files of the scene, even if no variant can be built.
        let _ = self.example();
        let files = &self.parsed.source.files;
        for name in self.axes.iter().flat_map(Axis::files) {
            // Figures name further files. Invalid and unreadable files are reported by the variants
            // that use them.
            let _ = files.bytes(&name).and_then(|_| files.figure(&name));
        }
        files.named()
    }

    /// Returns normalized texts of everything that determines the variants, apart from the scene
    /// and its files.
    pub fn canonical(&self) -> Vec<String> {
        let axes = self.axes.iter().map(Axis::canonical);
        let sample = self.sample.iter().map(|it| format!("{} {} {}", it.name(), it.count, it.seed));
        let exceptions = self.exceptions.iter().map(|it| format!("except {}", it.canonical()));
        let frames = self.frames.iter().map(|frames| format!("frames {frames}"));
        let measures = self.measures.iter().map(|it| format!("measure {}", it.canonical()));
        axes.chain(sample).chain(exceptions).chain(frames).chain(measures).collect()
    }

    /// Returns the changes by `--set`, each as `PATH=VALUE`.
    pub fn changes(&self) -> Vec<String> {
        let overrides = self.parsed.overrides.iter();
        overrides.filter_map(|it| Some(it.source.option.as_ref()?.change.clone())).collect()
    }

    /// Returns the text of the scene.
    pub fn scene_text(&self) -> &SceneText {
        &self.scene_text
    }
}
