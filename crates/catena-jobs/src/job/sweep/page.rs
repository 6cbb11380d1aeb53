//! Page of a sweep: findings in words, and figures.

use super::{MergedSweep, SweepContent, sweep_rows};
use crate::job::{
    FigureStyle, FigureWriter, RunError,
    report::{stage_page_figure, stage_page_files},
};
use catena_base::text::list::{listed, quoted};
use catena_base::threads::in_pool;
use catena_output::{
    OutputError,
    pages::{PAGE, PageFolder, StagedFile},
};
use catena_study::figure::{
    page::{PageFigure, ReportPage, html},
    study::sweep::{Factor, STATUSES, SweepData, findings, studies},
};
use catena_study::sweep::table::Value;
use rayon::prelude::*;
use std::path::Path;

/// Folder of the page, next to the table.
pub(super) const FOLDER: &str = "report";

/// Draws the figures of a complete sweep and writes the page that shows them, replacing an older
/// one.
///
/// # Errors
/// The table cannot be read, or a file cannot be written.
pub fn sweep_page(
    merged: &MergedSweep,
    folder: &Path,
    style: &FigureStyle,
) -> Result<(), RunError> {
    let writer = FigureWriter::new(style)?;
    let data = read(merged, folder)?;
    let pages = PageFolder::open_in(folder, FOLDER)?;
    let studies = studies(&data);
    let stage = || {
        studies
            .par_iter()
            .map(|study| stage_page_figure(study, &pages, &writer))
            .collect::<Result<_, OutputError>>()
    };
    let staged: Vec<(PageFigure, Vec<StagedFile>)> = in_pool(stage)?;
    let (figures, files): (Vec<PageFigure>, Vec<Vec<StagedFile>>) = staged.into_iter().unzip();
    let content = &merged.content;
    let page = ReportPage {
        title: format!("Sweep: {}", content.name),
        findings: findings(&data),
        notes: repeated(content).into_iter().collect(),
        figures,
        scene: merged.text.clone(),
        command: merged.command.clone(),
        program: format!("catena {}", env!("CARGO_PKG_VERSION")),
        ..ReportPage::default()
    };
    let page = pages.stage(Path::new(PAGE), |file| file.write_all(html(&page).as_bytes()))?;
    let files = stage_page_files(&pages)?.into_iter().chain(files.into_iter().flatten());
    Ok(pages.publish(files.collect(), Some(page))?)
}

/// Note about panels that repeat the run of another panel.
fn repeated(content: &SweepContent) -> Option<String> {
    let labels: Vec<String> = content.repeated.iter().map(|label| quoted(label)).collect();
    let verb = if labels.len() == 1 { "repeats" } else { "repeat" };
    (!labels.is_empty()).then(|| {
        format!(
            "{} {verb} the run of another panel; figures show equal runs once.",
            listed(&labels)
        )
    })
}

/// Reads the table as columns.
fn read(merged: &MergedSweep, folder: &Path) -> Result<SweepData, RunError> {
    let content = &merged.content;
    let fields = content
        .axes
        .iter()
        .map(|field| Factor { is_log: field.is_log, ..Factor::new(&field.path, field.is_sampled) });
    let measures = content.columns.iter().skip(content.measures());
    let mut data = SweepData {
        factors: fields.chain([Factor::new("panel", false)]).collect(),
        measures: measures.map(|column| (column.name.clone(), Vec::new())).collect(),
        ..SweepData::default()
    };
    let axes = content.before_axes..content.status();
    sweep_rows(merged, folder, &mut |cells| {
        if matches!(&cells[1], Value::Text(panel) if content.repeated.contains(panel)) {
            return;
        }
        let body = body(content, &cells);
        let factors = cells[axes.clone()].iter().chain([&body]);
        data.factors.iter_mut().zip(factors).for_each(|(factor, value)| factor.add(value));
        let status = match &cells[content.status()] {
            Value::Text(status) => STATUSES.iter().position(|known| known == status),
            _ => None,
        };
        data.statuses.push(status.unwrap_or(STATUSES.len() - 1) as u8);
        data.variants.push(cells[0].number().unwrap_or_default() as u64);
        let values = cells[content.measures()..].iter();
        for ((_, column), value) in data.measures.iter_mut().zip(values) {
            column.push(value.number().unwrap_or(f64::NAN));
        }
    })?;
    if let Some(panels) = data.factors.last_mut().filter(|_| !content.repeated.is_empty()) {
        shorten(&mut panels.words);
    }
    data.finish();
    Ok(data)
}

/// Division of a label into two parts, one of which other labels may share.
type LabelSplit = fn(&str) -> Option<(&str, &str)>;

/// Removes the part before or after a comma that all labels share. This part is redundant if an
/// axis overrides what varies along a row of panels: only one panel of the row then remains.
fn shorten(labels: &mut Vec<String>) {
    let splits: [LabelSplit; 2] = [
        |label| label.split_once(", "),
        |label| label.rsplit_once(", ").map(|(rest, end)| (end, rest)),
    ];
    for split in splits {
        let parts: Option<Vec<(&str, &str)>> = labels.iter().map(|label| split(label)).collect();
        let parts = parts.filter(|parts| parts.len() > 1);
        let Some(parts) = parts.filter(|it| it.windows(2).all(|pair| pair[0].0 == pair[1].0))
        else {
            continue;
        };
        *labels = parts.into_iter().map(|(_, rest)| rest.to_string()).collect();
        return;
    }
}

/// Name of a row's body: its panel, and its own label if panels have several bodies.
fn body(content: &SweepContent, cells: &[Value]) -> Value {
    match (&cells[1], &cells[2]) {
        (Value::Text(panel), Value::Text(body)) if content.has_bodies => {
            Value::Text(format!("{panel}: {body}"))
        }
        // The label of a single panel adds no information to the axes.
        _ if content.panels == 1 + content.repeated.len() as u64 => Value::None,
        (panel, _) => panel.clone(),
    }
}
