//! One figure of a scene, without a page.

use super::{
    FigureStyle, FigureWriter, ReportOptions, budgets,
    plan::{Extent, Knowledge, ReportPlan},
    studies::PARTS,
};
use crate::job::report::style::FigureFormat;
use crate::job::{Progress, RunError, options::count, prepare::limited, threads};
use catena_base::text::number::short;
use catena_draw::text::Font;
use catena_output::OutputError;
use catena_scene::{
    Scene,
    limits::{PlannedRun, Product},
};
use catena_study::figure::study::Study;
use std::io;

/// One figure of a scene.
pub struct SceneFigure {
    /// Figure. `None` if the scene cannot have it.
    pub study: Option<Study>,
    /// Sentences about what the figure omits, or why it is missing.
    pub left_out: Vec<String>,
    writer: FigureWriter,
}

/// Makes one figure of a scene, by its name in a report. Its budget is `study_time` seconds if the
/// options set it, and otherwise the same as in a report.
///
/// # Errors
/// There is no figure of this name, an option is out of range, or the run would exceed the limits.
pub fn figure(
    scene: &Scene,
    name: &str,
    options: &ReportOptions,
    progress: &dyn Progress,
) -> Result<SceneFigure, RunError> {
    let has = |it: &&super::studies::FigurePart| it.figure == name || it.others.contains(&name);
    let part = PARTS.iter().find(has).ok_or_else(|| RunError::Option(super::no_figure(name)))?;
    let frame_count = count(options.frames, scene)?;
    let product = Product::Pictures { size: scene.size, settles: true };
    let scene = &limited(scene, &options.limits, &PlannedRun::up_to(frame_count, product))?;
    options.check(scene, frame_count)?;
    let writer = FigureWriter::new(&options.style())?;
    let font = &Font::new(writer.typeface().faces().clone());
    // A single figure gets the whole study time.
    let given = options.study_time.map(|seconds| budgets::whole_for(part.figure, seconds));
    let options = &ReportOptions { study_time: given.or(options.study_time), ..options.clone() };
    let extent = Extent::new(progress);
    let known = Knowledge::new(scene, frame_count);
    let plan = ReportPlan { frames: frame_count, scene, options, font, extent, known };
    let made = threads::with(options.threads, || (part.make)(&plan))?;
    let study = made.studies.into_iter().find(|study| study.name == name);
    let mut left_out = made.left_out;
    left_out.extend(plan.unseen());
    if study.is_none() && left_out.is_empty() {
        let usual = || format!("The scene has no figure \"{name}\".");
        left_out.push(super::lacks(scene, name).unwrap_or_else(usual));
    }
    Ok(SceneFigure { study, left_out, writer })
}

impl SceneFigure {
    /// Creates a figure that does not need a report.
    ///
    /// # Errors
    /// The width is out of range, or the typeface cannot be read.
    pub fn of(study: Study, style: &FigureStyle) -> Result<Self, RunError> {
        Ok(Self { study: Some(study), left_out: Vec::new(), writer: FigureWriter::new(style)? })
    }

    /// Returns the bytes of the figure's file in a format.
    ///
    /// # Errors
    /// There is no figure, or it cannot be drawn.
    pub fn file(&self, format: FigureFormat) -> Result<Vec<u8>, OutputError> {
        let refuse = |name: &str, cause: io::Error| OutputError::new("draw", name, cause);
        let Some(study) = &self.study else {
            return Err(refuse("the figure", io::Error::other(self.left_out.join(" "))));
        };
        self.writer.file(study, format)
    }

    /// Title, caption, remarks and omissions, one line each.
    pub fn sentences(&self) -> Vec<String> {
        let Some(study) = &self.study else { return self.left_out.clone() };
        let sentences = [&study.caption, &study.remarks].into_iter().chain(&self.left_out);
        let sentences = sentences.filter(|text| !text.is_empty()).cloned();
        [study.chart.title.clone()].into_iter().chain(sentences).chain([String::new()]).collect()
    }

    /// Lines of the table, with columns of equal width. Empty if there is no figure.
    pub fn table(&self) -> Vec<String> {
        self.study.as_ref().map_or(Vec::new(), |study| study.table.aligned())
    }

    /// Warning about letters that no typeface has. `None` if there are no such letters.
    pub fn missing_letters(&self) -> Option<String> {
        let missing = self.study.as_ref()?.chart.missing(self.writer.typeface());
        let count = missing.len();
        (count > 0).then(|| format!("no font contains {} of its characters", short(count as f64)))
    }
}
