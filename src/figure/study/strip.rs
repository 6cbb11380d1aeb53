//! Chosen frames of every panel, side by side.

use super::{NumberTable, Study, Subject};
use crate::figure::chart::{Axis, Chart, Dash, Mark, Marker, Plot};
use crate::sim::Model;
use crate::text::list::listed;

/// A body at a frame.
pub struct BodyAtFrame<'a> {
    /// The body.
    pub subject: Subject<'a>,
    /// Its positions, flat by axis; those of its last frame in order where it has diverged.
    pub x: Vec<f64>,
    /// The frame at which it diverged, if it did.
    pub diverged: Option<u64>,
}

/// A row for each panel and a column for each frame; scenes in space are shown in x and y.
pub fn study(labels: &[String], frames: &[u64], stills: &[Vec<BodyAtFrame<'_>>]) -> Option<Study> {
    if frames.is_empty() || labels.is_empty() {
        return None;
    }
    let mut plots = Vec::new();
    for (panel, label) in labels.iter().enumerate() {
        for (frame, stills) in frames.iter().zip(stills) {
            let stills = || stills.iter().filter(|still| still.subject.panel == panel);
            let lost = stills().filter_map(|still| still.diverged).min();
            let note = match lost {
                Some(since) if since <= *frame => format!("diverged at frame {since}"),
                _ => format!("frame {frame}"),
            };
            plots.push(Plot {
                title: Some(label.clone()),
                x: Axis { is_hidden: true, ..Axis::default() },
                y: Axis { is_hidden: true, ..Axis::default() },
                marks: stills().flat_map(drawing).collect(),
                equal_aspect: true,
                notes: vec![note],
            });
        }
    }
    let numbers: Vec<String> = frames.iter().map(u64::to_string).collect();
    let caption = format!("Frames {} of each panel, all on one scale.", listed(&numbers));
    let chart = Chart {
        title: "Chosen frames".into(),
        caption: caption.clone(),
        columns: frames.len(),
        plots,
        plot_size: [190.0, 190.0],
        one_scale: true,
        width: None,
    };
    let (remarks, table) = (String::new(), NumberTable::default());
    Some(Study { name: "strip".into(), chart, caption, remarks, table })
}

fn drawing(still: &BodyAtFrame<'_>) -> Vec<Mark> {
    let model = &still.subject.body.setup.model;
    let n = model.nodes();
    let point = |node: usize| [still.x[node], still.x[n + node]];
    let pins = (0..n).filter(|&node| model.pinned[node]).map(point).collect();
    let color = still.subject.look.color;
    vec![
        Mark::Line {
            points: spring_line(model, point),
            color,
            label: None,
            dash: Dash::Solid,
            width: 1.6,
        },
        Mark::Points { points: pins, color, label: None, shape: Marker::Square, size: 5.0 },
    ]
}

/// All structural springs as one line, broken where a spring does not begin at the end of the one
/// before.
fn spring_line(model: &Model, point: impl Fn(usize) -> [f64; 2]) -> Vec<[f64; 2]> {
    let mut line: Vec<[f64; 2]> = Vec::new();
    let mut end = None;
    for spring in model.structural() {
        if end != Some(spring.a) {
            if end.is_some() {
                line.push([f64::NAN; 2]);
            }
            line.push(point(spring.a));
        }
        line.push(point(spring.b));
        end = Some(spring.b);
    }
    line
}
