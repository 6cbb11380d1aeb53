//! When variants come to rest, over substeps and over drag.

use super::{Study, Subject};
use crate::analysis::{settle::Ending, settling::Variant};
use crate::figure::chart::{Axis, Chart, Dash, Mark, Marker, Plot, Scale};
use crate::text::number::short;

/// Frames until rest of each body's variants.
pub struct Sweep<'a> {
    /// The body.
    pub subject: Subject<'a>,
    /// Over substeps a frame.
    pub substeps: Vec<Variant>,
    /// Over c/m of the drag.
    pub drag: Vec<Variant>,
}

/// Two plots, a line a body; `None` where nothing was run.
pub fn study(sweeps: &[Sweep<'_>], limit: u64) -> Option<Study> {
    if sweeps.is_empty() {
        return None;
    }
    let is_unrested = |variant: &Variant| !matches!(variant.ending, Ending::AtRest { .. });
    let note = |variants: &[Variant]| {
        let is_told = variants.iter().any(is_unrested);
        is_told.then(|| format!("at frame {limit}: crosses still moved, triangles were lost"))
    };
    let over = |title: &str, label: &str, of: &dyn Fn(&Sweep<'_>) -> Vec<Variant>| Plot {
        title: Some(title.into()),
        x: Axis { label: label.into(), scale: Scale::Log, ..Axis::default() },
        y: Axis { label: "frame of rest".into(), scale: Scale::Log, ..Axis::default() },
        marks: sweeps.iter().flat_map(|sweep| marks(&sweep.subject, &of(sweep), limit)).collect(),
        notes: note(&sweeps.iter().flat_map(of).collect::<Vec<_>>()).into_iter().collect(),
        ..Plot::default()
    };
    let plots = vec![
        over("over substeps", "substeps a frame", &|sweep| sweep.substeps.clone()),
        over("over drag", "c/m of the drag, per time", &|sweep| sweep.drag.clone()),
    ];
    let sentences: Vec<String> = sweeps.iter().map(|sweep| sentence(sweep, limit)).collect();
    let finding = format!(
        "The first quiet frame of each variant. Beside the drag that is varied, what a method damps by itself stays as the scene has it; \
         where that is a share a step, more substeps damp more. {}",
        sentences.join(" ")
    );
    let chart = Chart {
        title: "When it comes to rest".into(),
        caption: finding.clone(),
        columns: 2,
        plots,
        plot_size: [380.0, 280.0],
        one_scale: false,
    };
    Some(Study { name: "settling".into(), chart, finding })
}

fn marks(subject: &Subject<'_>, variants: &[Variant], limit: u64) -> Vec<Mark> {
    let rested: Vec<[f64; 2]> = variants
        .iter()
        .filter_map(|variant| match variant.ending {
            Ending::AtRest { frame } => Some([variant.value, frame.max(1) as f64]),
            _ => None,
        })
        .collect();
    let at_top = |is_wanted: fn(&Ending) -> bool| -> Vec<[f64; 2]> {
        variants.iter().filter(|v| is_wanted(&v.ending)).map(|v| [v.value, limit as f64]).collect()
    };
    let moving = at_top(|ending| matches!(ending, Ending::Moving { .. }));
    let lost = at_top(|ending| matches!(ending, Ending::Diverged { .. }));
    let color = subject.color;
    let label = Some(subject.label.clone());
    vec![
        Mark::Line { points: rested.clone(), color, label, dash: Dash::Solid, width: 1.6 },
        Mark::Points { points: rested, color, label: None, shape: Marker::Disc, size: 5.0 },
        Mark::Points { points: moving, color, label: None, shape: Marker::Cross, size: 7.0 },
        Mark::Points { points: lost, color, label: None, shape: Marker::Triangle, size: 7.0 },
    ]
}

fn sentence(sweep: &Sweep<'_>, limit: u64) -> String {
    let first = |variants: &[Variant]| {
        let rested = variants.iter().filter_map(|variant| match variant.ending {
            Ending::AtRest { frame } => Some((frame, variant.value)),
            _ => None,
        });
        rested.min_by(|a, b| a.0.cmp(&b.0))
    };
    let part = |variants: &[Variant], unit: &str| match first(variants) {
        Some((frame, value)) => format!("soonest with {unit} {} (frame {frame})", short(value)),
        None if variants.is_empty() => format!("{unit} was not varied"),
        None => format!("not within {limit} frames over {unit}"),
    };
    format!(
        "{}: {}, {}.",
        sweep.subject.label,
        part(&sweep.substeps, "substeps"),
        part(&sweep.drag, "c/m")
    )
}
