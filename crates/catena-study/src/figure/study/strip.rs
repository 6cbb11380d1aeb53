//! Selected frames of every panel on one sheet.

use super::{NumberTable, Study};
use crate::figure::chart::{Axis, Chart, Mark, Plot};
use catena_base::text::list::listed;

/// Width of a frame, in CSS pixels.
pub const FRAME_WIDTH: f64 = 160.0;

/// Frames of every panel in one figure.
pub struct ContactSheet<'a> {
    /// Panels, from top to bottom.
    pub rows: Vec<SheetRow<'a>>,
    /// Frame numbers, from left to right.
    pub frames: Vec<u64>,
    /// Ratio of a frame's height to its width.
    pub aspect: f64,
}

/// Frames of a panel.
pub struct SheetRow<'a> {
    /// Label of the panel.
    pub label: &'a str,
    /// Frame at which a body of the panel diverged.
    pub diverged: Option<u64>,
    /// Names of the references that the panel shows as dashed lines.
    pub references: Vec<String>,
    /// Frames side by side, as a PNG file.
    pub png: Vec<u8>,
}

/// Figure with one row per panel and one column per frame. Returns `None` if there are no frames.
pub fn study(sheet: ContactSheet<'_>) -> Option<Study> {
    let ContactSheet { rows, frames, aspect } = sheet;
    let last = *frames.last()?;
    let columns = frames.len() as f64;
    let numbers: Vec<String> = frames.iter().map(u64::to_string).collect();
    let mut caption = format!("Frames {} of each panel, as rendered.", listed(&numbers));
    caption += &dashed(&rows);
    let words = rows.iter().filter_map(|row| {
        row.diverged.map(|frame| format!("{} diverged at frame {frame}.", row.label))
    });
    let remarks: Vec<String> = words.collect();
    let count = rows.len();
    let plot = |(index, SheetRow { label, diverged, png, .. }): (usize, SheetRow<'_>)| {
        // Only the last row has the numbers of the frames.
        let frames = match index + 1 == count {
            true => Axis { label: "frame".into(), categories: numbers.clone(), ..Axis::default() },
            false => hidden(columns),
        };
        // Written once per row, since frames may be narrower than the text.
        let lost = diverged.filter(|frame| *frame <= last);
        let lost = lost.map_or(String::new(), |frame| format!(", lost at frame {frame}"));
        Plot {
            title: Some(format!("{label}{lost}")),
            x: frames,
            y: hidden(1.0),
            marks: vec![Mark::Picture { corners: [[0.0, 0.0], [columns, 1.0]], png }],
            ..Plot::default()
        }
    };
    let chart = Chart {
        title: "Chosen frames".into(),
        caption: caption.clone(),
        columns: 1,
        plots: rows.into_iter().enumerate().map(plot).collect(),
        plot_size: [columns * FRAME_WIDTH, FRAME_WIDTH * aspect],
        ..Chart::default()
    };
    let table = NumberTable::default();
    Some(Study { name: "strip".into(), chart, caption, remarks: remarks.join(" "), table })
}

/// Sentence that explains dashed lines, with a single explanation if all panels have the same
/// references.
fn dashed(rows: &[SheetRow<'_>]) -> String {
    let names = |row: &SheetRow<'_>| listed(&row.references);
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for row in rows.iter().filter(|row| !row.references.is_empty()) {
        match all.iter_mut().find(|(known, _)| *known == names(row)) {
            Some((_, labels)) => labels.push(row.label.into()),
            None => all.push((names(row), vec![row.label.into()])),
        }
    }
    match &all[..] {
        [] => String::new(),
        [(only, labels)] if labels.len() == rows.len() => {
            format!(" Dashed lines are the reference, {only}.")
        }
        _ => {
            let each =
                all.iter().map(|(names, labels)| format!("{names} beside {}", listed(labels)));
            format!(" Dashed lines are references: {}.", each.collect::<Vec<_>>().join("; "))
        }
    }
}

/// Axis without numbers.
fn hidden(end: f64) -> Axis {
    Axis { is_hidden: true, range: Some([0.0, end]), ..Axis::default() }
}
