//! Files of a report: figures, each in four formats, and the page that shows them.

use super::{
    FigureFormat, FigureWriter, budgets,
    plan::{Figures, ReportPlan},
    player::PlayerFrames,
    studies::{FigurePart, wanted},
};
use crate::job::{Progress, RunError, check};
use catena_draw::theme::Theme;
use catena_output::{
    OutputError,
    names::frame_name,
    pages::{GrowingPage, PAGE, PageFolder, StagedFile},
};
use catena_study::figure::{
    findings::{Finding, divided, markdown},
    page::{
        PageFigure, ReportPage, SCRIPT_FILE, STYLE_FILE, files, html, paper, settings,
        without_pictures,
    },
    study::{NAMES, OF_SOME_SCENES, Study, subjects},
};
use rayon::prelude::*;
use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
};

/// Folder of the player's frames, next to the page.
const PLAYER: &str = "player";

/// File of the findings as text.
const FINDINGS_FILE: &str = "findings.md";

/// Extensions of the files of a figure.
const ENDINGS: [&str; 4] = ["png", "pdf", "svg", "csv"];

/// Initial content of a page.
pub(super) struct PageContents<'a> {
    pub(super) plan: &'a ReportPlan<'a>,
    pub(super) frames: PlayerFrames,
    pub(super) frame_size: [u32; 2],
}

/// Page of a report, to which figures are added, and its files.
pub(super) struct Publication<'a> {
    page: ReportPage,
    /// Notes at the top of the page: panels with different physics, and steps above the stability
    /// limit.
    cautions: Vec<String>,
    /// Reasons for missing figures.
    left_out: Vec<String>,
    /// Letters that no typeface has.
    letters: BTreeSet<char>,
    /// Figures on the page, for the PDF file.
    studies: Vec<Study>,
    growing: GrowingPage<'a>,
    folder: &'a PageFolder,
    writer: &'a FigureWriter,
    progress: &'a dyn Progress,
}

/// Paths of all files that a report may have in addition to its page.
pub(super) fn all_names() -> impl Iterator<Item = PathBuf> {
    let names = NAMES.iter().chain(&OF_SOME_SCENES);
    let figures = names.flat_map(|name| {
        let files = ENDINGS.map(|ending| format!("{name}.{ending}"));
        files.into_iter().chain([narrow_path(name)])
    });
    [STYLE_FILE, SCRIPT_FILE, FINDINGS_FILE]
        .map(str::to_owned)
        .into_iter()
        .chain(figures)
        .map(PathBuf::from)
}

/// Path of the narrow version of a figure, next to the page.
fn narrow_path(name: &str) -> String {
    format!("narrow/{name}.svg")
}

/// Writes the style and script of a page as temporary files.
pub(in crate::job) fn stage_page_files(
    folder: &PageFolder,
) -> Result<Vec<StagedFile>, OutputError> {
    let stage = |(name, text): (&str, String)| {
        folder.stage(Path::new(name), |file| file.write_all(text.as_bytes()))
    };
    files().into_iter().map(stage).collect()
}

/// Numbers and paths of the player's frames, and their temporary files.
#[derive(Default)]
struct StagedFrames {
    files: Vec<StagedFile>,
    paths: Vec<(u64, String)>,
}

impl StagedFrames {
    fn stage(pictures: &[(u64, Vec<u8>)], folder: &PageFolder) -> Result<Self, OutputError> {
        let mut staged = Self::default();
        for (number, png) in pictures {
            let path = format!("{PLAYER}/{}", frame_name(*number));
            staged.files.push(folder.stage(Path::new(&path), |file| file.write_all(png))?);
            staged.paths.push((*number, path));
        }
        Ok(staged)
    }
}

impl<'a> Publication<'a> {
    /// Publishes a page without figures, which replaces an older report.
    pub(super) fn begin(
        contents: PageContents<'_>,
        folder: &'a PageFolder,
        writer: &'a FigureWriter,
        progress: &'a dyn Progress,
    ) -> Result<Self, RunError> {
        let PageContents { plan, frames, frame_size } = contents;
        let scene = plan.scene;
        let (columns, rows) = settings(&subjects(scene));
        let cautions: Vec<String> =
            check::physics(scene, plan.frames).0.into_iter().map(|caution| caution.text).collect();
        let left_out: Vec<String> = plan.unseen().into_iter().collect();
        report_notes(progress, left_out.iter().chain(&frames.left_out));
        let mut files = stage_page_files(folder)?;
        let staged = StagedFrames::stage(&frames.pictures, folder)?;
        files.extend(staged.files);
        let page = ReportPage {
            title: scene.title.clone().unwrap_or_else(|| scene.name.clone()),
            columns,
            rows,
            findings: Vec::new(),
            open: Vec::new(),
            notes: cautions.clone(),
            gaps: left_out.clone(),
            frames: staged.paths,
            frame_time: scene.frame_time(),
            frame_size,
            light_frames: Theme::of(scene).is_light(),
            frames_left_out: frames.left_out,
            figures: Vec::new(),
            budget: budgets::budget_sentence(budgets::scale(plan.options.study_time)),
            coming: wanted(plan).iter().map(|part| part.figure).collect(),
            scene: scene.text.clone(),
            command: plan.options.command.clone(),
            program: format!("catena {}", env!("CARGO_PKG_VERSION")),
        };
        let growing = folder.begin(files, stage(&page, folder)?)?;
        let (letters, studies) = (BTreeSet::new(), Vec::new());
        Ok(Self { page, cautions, left_out, letters, studies, growing, folder, writer, progress })
    }

    /// Writes the figures of a part, and the page with them.
    pub(super) fn add(
        &mut self,
        part: &FigurePart,
        made: Figures,
        findings: Vec<Finding>,
        coming: Vec<&'static str>,
    ) -> Result<(), RunError> {
        let (mut figures, files): (Vec<PageFigure>, Vec<Vec<StagedFile>>) = made
            .studies
            .par_iter()
            .map(|study| stage_page_figure(study, self.folder, self.writer))
            .collect::<Result<Vec<_>, OutputError>>()?
            .into_iter()
            .unzip();
        report_notes(self.progress, &made.left_out);
        match figures.iter_mut().find(|figure| figure.name == part.figure) {
            Some(figure) => figure.left_out = made.left_out,
            None => self.left_out.extend(made.left_out),
        }
        self.page.figures.extend(figures);
        self.letters
            .extend(made.studies.iter().flat_map(|it| it.chart.missing(self.writer.typeface())));
        let is_last = coming.is_empty();
        self.page.coming = coming;
        let missing = missing(&self.letters);
        if is_last {
            report_notes(self.progress, &missing);
        }
        self.page.notes = [&self.cautions[..], missing.as_slice()].concat();
        self.page.gaps.clone_from(&self.left_out);
        [self.page.findings, self.page.open] = divided(&findings);
        let mut files: Vec<StagedFile> = files.into_iter().flatten().collect();
        if is_last {
            let text = markdown(&self.page.title, &findings);
            let write = |file: &mut dyn io::Write| file.write_all(text.as_bytes());
            files.push(self.folder.stage(Path::new(FINDINGS_FILE), write)?);
        }
        self.studies.extend(made.studies);
        let page = stage(&self.page, self.folder)?;
        Ok(self.growing.add(files, page)?)
    }

    /// Report as a PDF file.
    pub(super) fn pdf(&self) -> Result<Vec<u8>, RunError> {
        let typeface = self.writer.printed();
        let refuse = |error| OutputError::new("draw", "the report", io::Error::other(error));
        Ok(paper::pdf(&self.page, &self.studies, &typeface).map_err(refuse)?)
    }

    /// Number of figures on the page.
    pub(super) fn figures(&self) -> usize {
        self.page.figures.len()
    }
}

/// Reports sentences that the page also shows.
fn report_notes<'s>(progress: &dyn Progress, sentences: impl IntoIterator<Item = &'s String>) {
    sentences.into_iter().for_each(|text| progress.note(&format!("note: {text}")));
}

/// Writes the page as a temporary file.
fn stage(page: &ReportPage, folder: &PageFolder) -> Result<StagedFile, OutputError> {
    let text = html(page);
    folder.stage(Path::new(PAGE), |file| file.write_all(text.as_bytes()))
}

/// Note about letters in figures that no typeface has.
fn missing(letters: &BTreeSet<char>) -> Option<String> {
    let letters: String = letters.iter().collect();
    (!letters.is_empty()).then(|| {
        format!(
            "No font contains these characters, so figures show boxes instead: {letters}. Use \
                 `--font FILE` with a font that contains them."
        )
    })
}

/// Writes a figure of a page as temporary files: the files of [`stage_figure`], the pictures inside
/// the figure, and its narrow version.
pub(in crate::job) fn stage_page_figure(
    study: &Study,
    folder: &PageFolder,
    writer: &FigureWriter,
) -> Result<(PageFigure, Vec<StagedFile>), OutputError> {
    let (figure, files) = stage_figure(study, folder, writer)?;
    let (svg, pictures) = without_pictures(study, &figure.svg);
    let has_pictures = !pictures.is_empty();
    let mut files = Vec::from(files);
    for picture in pictures {
        files.push(folder.stage(Path::new(&picture.name), |file| file.write_all(&picture.png))?);
    }
    // Frames of a contact sheet need the whole width.
    let narrow = writer.narrow(study).filter(|_| !has_pictures);
    if let Some(narrow) = &narrow {
        let path = narrow_path(&study.name);
        let write = |file: &mut dyn io::Write| file.write_all(narrow.as_bytes());
        files.push(folder.stage(Path::new(&path), write)?);
    }
    let narrow = narrow.map(|_| narrow_path(&study.name));
    Ok((PageFigure { svg, narrow, ..figure }, files))
}

/// Writes a figure as four temporary files.
pub(in crate::job) fn stage_figure(
    study: &Study,
    folder: &PageFolder,
    writer: &FigureWriter,
) -> Result<(PageFigure, [StagedFile; 4]), OutputError> {
    let figure = writer.fitted(study);
    let write = |format: FigureFormat| {
        let bytes = figure.file(format)?;
        let name = PathBuf::from(format!("{}.{}", study.name, format.ending()));
        folder.stage(&name, |file| file.write_all(&bytes))
    };
    let files = [
        write(FigureFormat::Png)?,
        write(FigureFormat::Pdf)?,
        write(FigureFormat::Svg)?,
        write(FigureFormat::Csv)?,
    ];
    let inlined = PageFigure {
        name: study.name.clone(),
        title: study.chart.title.clone(),
        // The page uses outlines, which look the same on every machine.
        svg: figure.outlined(),
        narrow: None,
        caption: study.caption.clone(),
        remarks: study.remarks.clone(),
        table: study.table.clone(),
        left_out: Vec::new(),
    };
    Ok((inlined, files))
}
