//! Chosen frames of every panel, as frames draw them, on one sheet.

use super::{NumberTable, Study};
use crate::figure::chart::{Axis, Chart, Mark, Plot};
use crate::render::theme::Ink;
use crate::text::list::listed;

/// The height of the line above a row that has the panel's label, in CSS pixels.
pub const LABEL_HEIGHT: f64 = 30.0;
/// The width of a frame, in CSS pixels.
pub const FRAME_WIDTH: f64 = 160.0;

/// Frames of every panel in one picture.
pub struct ContactSheet<'a> {
    /// The labels of the panels, from top to bottom.
    pub labels: Vec<&'a str>,
    /// The frames, from left to right.
    pub frames: Vec<u64>,
    /// For each panel the frame at which a body of it diverged.
    pub diverged: Vec<Option<u64>>,
    /// Height of a frame over its width.
    pub aspect: f64,
    /// The picture as a PNG file: a row a panel, with room for a label above each.
    pub png: Vec<u8>,
    /// The colour of words on the picture.
    pub ink: Ink,
}

/// How high words stand above the bottom of a frame, in CSS pixels.
const WORDS_ABOVE: f64 = 11.0;

/// A row for each panel and a column for each frame; `None` without frames.
pub fn study(sheet: ContactSheet<'_>) -> Option<Study> {
    let ContactSheet { labels, frames, diverged, aspect, png, ink } = sheet;
    if frames.is_empty() || labels.is_empty() {
        return None;
    }
    let (columns, rows) = (frames.len() as f64, labels.len() as f64);
    let height = LABEL_HEIGHT + FRAME_WIDTH * aspect;
    let label_share = LABEL_HEIGHT / height;
    let corners = [[0.0, 0.0], [columns, rows]];
    let mut marks = vec![Mark::Picture { corners, png }];
    for (index, (label, lost)) in labels.iter().zip(&diverged).enumerate() {
        let top = rows - index as f64;
        let at = [columns / 2.0, top - 0.55 * label_share];
        marks.push(Mark::Text { at, text: (*label).to_string(), color: ink });
        let lost_frames = frames.iter().enumerate();
        let lost = lost_frames.filter_map(|(column, frame)| {
            let since = (*lost)?;
            (since <= *frame).then(|| Mark::Text {
                at: [column as f64 + 0.5, top - 1.0 + WORDS_ABOVE / height],
                text: format!("lost at {since}"),
                color: ink,
            })
        });
        marks.extend(lost);
    }
    let numbers: Vec<String> = frames.iter().map(u64::to_string).collect();
    let caption = format!("Frames {} of each panel, as frames show them.", listed(&numbers));
    let words = labels.iter().zip(&diverged);
    let words = words.filter_map(|(label, lost)| {
        lost.map(|frame| format!("{label} diverged at frame {frame}."))
    });
    let remarks: Vec<String> = words.collect();
    let chart = Chart {
        title: "Chosen frames".into(),
        caption: caption.clone(),
        columns: 1,
        plots: vec![Plot {
            x: Axis { label: "frame".into(), categories: numbers, ..Axis::default() },
            y: Axis { is_hidden: true, range: Some([0.0, rows]), ..Axis::default() },
            marks,
            ..Plot::default()
        }],
        plot_size: [columns * FRAME_WIDTH, rows * height],
        ..Chart::default()
    };
    let table = NumberTable::default();
    Some(Study { name: "strip".into(), chart, caption, remarks: remarks.join(" "), table })
}
