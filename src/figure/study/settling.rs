//! The frame of rest of variants of a body, over substeps and over drag.

use super::{Study, Subject};
use crate::analysis::{settle::Ending, variants::SettledVariant};
use crate::figure::chart::{Axis, Chart, Dash, Mark, Marker, Plot, Scale};
use crate::text::{list::listed, number::short};

/// When the variants of a body come to rest.
pub struct SettlingSweep<'a> {
    /// The body.
    pub subject: Subject<'a>,
    /// The frame after which a variant is given up.
    pub limit: u64,
    /// Variants of the substeps of a frame.
    pub substeps: Vec<SettledVariant>,
    /// Variants of c/m of the drag.
    pub drag: Vec<SettledVariant>,
}

/// Selects the variants of a sweep.
type Of<'a> = &'a dyn for<'b> Fn(&'b SettlingSweep<'_>) -> &'b [SettledVariant];

/// Two plots with a line for each body; `None` without bodies.
pub fn study(sweeps: &[SettlingSweep<'_>]) -> Option<Study> {
    if sweeps.is_empty() {
        return None;
    }
    let is_unrested = |variant: &SettledVariant| !matches!(variant.ending, Ending::AtRest { .. });
    let note = |of: Of<'_>| {
        let told = sweeps.iter().filter(|sweep| of(sweep).iter().any(is_unrested));
        let mut limits: Vec<u64> = told.map(|sweep| sweep.limit).collect();
        limits.sort_unstable();
        limits.dedup();
        let limits: Vec<String> = limits.iter().map(u64::to_string).collect();
        (!limits.is_empty()).then(|| {
            format!("at frame {}: crosses still moved, triangles were lost", listed(&limits))
        })
    };
    let over = |title: &str, label: &str, of: Of<'_>| Plot {
        title: Some(title.into()),
        x: Axis { label: label.into(), scale: Scale::Log, ..Axis::default() },
        y: Axis { label: "frame of rest".into(), scale: Scale::Log, ..Axis::default() },
        marks: sweeps.iter().flat_map(|sweep| marks(sweep, of(sweep))).collect(),
        notes: note(of).into_iter().collect(),
        ..Plot::default()
    };
    let plots = vec![
        over("over substeps", "substeps a frame", &|sweep| &sweep.substeps[..]),
        over("over drag", "c/m of the drag, per time", &|sweep| &sweep.drag[..]),
    ];
    let sentences: Vec<String> = sweeps.iter().map(sentence).collect();
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

fn marks(sweep: &SettlingSweep<'_>, variants: &[SettledVariant]) -> Vec<Mark> {
    let (subject, limit) = (&sweep.subject, sweep.limit);
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

fn sentence(sweep: &SettlingSweep<'_>) -> String {
    let limit = sweep.limit;
    let first = |variants: &[SettledVariant]| {
        let rested = variants.iter().filter_map(|variant| match variant.ending {
            Ending::AtRest { frame } => Some((frame, variant.value)),
            _ => None,
        });
        rested.min_by(|a, b| a.0.cmp(&b.0))
    };
    let part = |variants: &[SettledVariant], unit: &str| match first(variants) {
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
