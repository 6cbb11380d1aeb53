//! First frame at rest of variants of a body, over substeps and over drag. Each body has its own
//! strip, so that markers do not overlap.

use super::{DARK, NumberTable, Study, Subject};
use crate::figure::chart::{Axis, Chart, Mark, Marker, Plot, Scale};
use catena_analysis::settle::{Ending, SettledVariant};
use catena_base::text::{list::listed, number::short};

/// Settling times of a body's variants.
pub struct SettlingSweep<'a> {
    /// Body whose variants are simulated.
    pub subject: Subject<'a>,
    /// Frame after which a variant is abandoned.
    pub limit: u64,
    /// Variants of the substeps per frame.
    pub substeps: Vec<SettledVariant>,
    /// Variants of the drag, c/m.
    pub drag: Vec<SettledVariant>,
}

impl SettlingSweep<'_> {
    /// Whether any variant comes to rest.
    pub fn has_rest(&self) -> bool {
        let mut all = self.substeps.iter().chain(&self.drag);
        all.any(|variant| matches!(variant.ending, Ending::AtRest { .. }))
    }
}

/// Figure with two strips per body. Returns `None` if there are no bodies.
pub fn study(sweeps: &[SettlingSweep<'_>]) -> Option<Study> {
    if sweeps.is_empty() {
        return None;
    }
    let frames = range(sweeps.iter().flat_map(|sweep| {
        let all = sweep.substeps.iter().chain(&sweep.drag);
        all.map(|variant| frame(variant, sweep.limit)).chain([sweep.limit as f64])
    }));
    let values =
        |of: VariantsOf| range(sweeps.iter().flat_map(move |it| of(it).iter().map(|v| v.value)));
    let strips: [(&str, VariantsOf); 2] = [
        ("substeps a frame", |sweep| &sweep.substeps),
        ("c/m of the drag, per time", |sweep| &sweep.drag),
    ];
    let plots = sweeps.iter().flat_map(|sweep| {
        strips.map(|(label, of)| {
            strip(sweep, of(sweep), [(label, values(of)), ("frame of rest", frames)])
        })
    });
    let limits = limits(sweeps);
    let caption = format!(
        "Frame at which each variant comes to rest, over the substeps per frame (left) and over \
         drag (right). Crosses mark variants that still move at the last simulated frame, \
         {limits}; triangles mark variants that diverged."
    );
    let chart = Chart {
        title: "When it comes to rest".into(),
        caption: caption.clone(),
        columns: 2,
        plots: plots.collect(),
        plot_size: [380.0, if sweeps.len() > 4 { 80.0 } else { 120.0 }],
        one_scale: true,
        ..Chart::default()
    };
    let remarks = "Only drag is varied; the damping of a method itself stays as in the scene. If \
                   that damping is a share per step, more substeps damp more."
        .into();
    let mut table = NumberTable::new(&["body", "soonest over substeps", "soonest over drag"]);
    for sweep in sweeps {
        let cells = strips.map(|(_, of)| soonest(of(sweep), sweep.limit));
        let [substeps, drag] = cells;
        table.rows.push(vec![sweep.subject.label.clone(), substeps, drag]);
    }
    Some(Study { name: "settling".into(), chart, caption, remarks, table })
}

/// Selects the variants of a sweep.
type VariantsOf = for<'a, 'b> fn(&'a SettlingSweep<'b>) -> &'a Vec<SettledVariant>;

/// Frame at which a variant comes to rest, or is abandoned.
fn frame(variant: &SettledVariant, limit: u64) -> f64 {
    match variant.ending {
        Ending::AtRest { frame } => frame.max(1) as f64,
        _ => limit as f64,
    }
}

/// Range that extends 25 % beyond the minimum and maximum of some values.
fn range(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    let extremes = values.fold([f64::INFINITY, 0.0], |[a, b], it| [a.min(it), b.max(it)]);
    (extremes[1] > 0.0).then_some([extremes[0] / 1.25, extremes[1] * 1.25])
}

/// Lists the last simulated frames.
fn limits(sweeps: &[SettlingSweep<'_>]) -> String {
    let mut limits: Vec<u64> = sweeps.iter().map(|sweep| sweep.limit).collect();
    limits.sort_unstable();
    limits.dedup();
    let limits: Vec<String> = limits.iter().map(u64::to_string).collect();
    listed(&limits)
}

/// Strip: the variants of one body along one axis.
fn strip(
    sweep: &SettlingSweep<'_>,
    variants: &[SettledVariant],
    [x, y]: [(&str, Option<[f64; 2]>); 2],
) -> Plot {
    let look = sweep.subject.look;
    let points = |is_wanted: fn(&Ending) -> bool| -> Vec<[f64; 2]> {
        let wanted = variants.iter().filter(|variant| is_wanted(&variant.ending));
        wanted.map(|variant| [variant.value, frame(variant, sweep.limit)]).collect()
    };
    let rested = points(|ending| matches!(ending, Ending::AtRest { .. }));
    let moving = points(|ending| matches!(ending, Ending::Moving { .. }));
    let lost = points(|ending| matches!(ending, Ending::Diverged { .. }));
    let given_up = |points: Vec<[f64; 2]>, shape, label: &str| {
        let label = (!points.is_empty()).then(|| label.into());
        Mark::Points { points, color: DARK, label, shape, size: 7.0 }
    };
    let axis = |(label, range): (&str, Option<[f64; 2]>)| Axis {
        label: label.into(),
        scale: Scale::Log,
        range,
        ..Axis::default()
    };
    Plot {
        title: Some(sweep.subject.label.clone()),
        x: axis(x),
        y: axis(y),
        marks: vec![
            look.line(rested.clone(), None, 1.4),
            look.points(rested, None, 5.5),
            given_up(moving, Marker::Cross, "not at rest"),
            given_up(lost, Marker::OpenTriangle, "diverges"),
        ],
        ..Plot::default()
    }
}

/// Describes the variant that comes to rest first, or states that the variants hardly differ.
fn soonest(variants: &[SettledVariant], limit: u64) -> String {
    let rested: Vec<(u64, f64)> = variants
        .iter()
        .filter_map(|variant| match variant.ending {
            Ending::AtRest { frame } => Some((frame, variant.value)),
            _ => None,
        })
        .collect();
    let first = rested.iter().min_by(|a, b| a.0.cmp(&b.0));
    let last = rested.iter().map(|it| it.0).max();
    match (first, last) {
        _ if variants.is_empty() => "not varied".into(),
        // Differences of one frame, or of 1 % of the time, are negligible.
        (Some((frame, _)), Some(last)) if rested.len() > 1 && last - frame <= 1 + frame / 100 => {
            let all = if rested.len() == variants.len() { "all" } else { "all that rest" };
            if *frame == last {
                format!("frame {frame}, {all} alike")
            } else {
                format!("frames {frame} to {last}, {all} about alike")
            }
        }
        (Some((frame, value)), _) => format!("frame {frame}, with {}", short(*value)),
        _ => format!("none within {limit} frames"),
    }
}
