//! Tension, strain and length of each segment at rest, compared with the references.

use super::{DARK, NumberTable, Study, Subject};
use crate::figure::chart::{Axis, Chart, Dash, Mark, Marker, Plot};
use catena_analysis::shape::{RestSegment, RestShape, SegmentReference};
use catena_base::text::number::short;
use catena_draw::theme::Ink;
use image::Rgb;

const CONTINUOUS: Ink = Rgb([120, 130, 140]);

/// Figure of strain and tension by segment, side by side for each body. Returns `None` if no body
/// is at rest.
pub fn study(found: &[(Subject<'_>, RestShape)]) -> Option<Study> {
    if found.is_empty() {
        return None;
    }
    let of_body = |(subject, shape): &(Subject<'_>, RestShape)| {
        let strain = SegmentQuantity {
            label: "strain of a segment, %",
            of: &|s: &RestSegment| Some(100.0 * s.strain),
            reference: &strain,
        };
        let tension = SegmentQuantity {
            label: "tension of a segment",
            of: &|s: &RestSegment| s.tension,
            reference: &|_, r| r.tension,
        };
        [&strain, &tension].map(|part| plot(subject, shape, part))
    };
    let plots = found.iter().flat_map(of_body).collect();
    let caption = "Strain and tension of each segment at rest, compared with the chain of links \
                   from the balance of forces (rings) and the continuous rope (dashed).";
    let chart = Chart {
        title: "Segments at rest".into(),
        caption: caption.into(),
        columns: if found.len() > 3 { 4 } else { 2 },
        plots,
        plot_size: if found.len() > 3 { [210.0, 150.0] } else { [360.0, 200.0] },
        ..Chart::default()
    };
    let mut table = NumberTable::new(&[
        "body",
        "length",
        "farthest from it",
        "chain of links",
        "continuous rope",
        "from the solved rest",
    ]);
    for (subject, shape) in found {
        let length: f64 = shape.segments.iter().map(|segment| segment.length).sum();
        table.rows.push(vec![
            subject.label.clone(),
            short(length),
            shape.distance.map_or("-".into(), short),
            shape.discrete_name.unwrap_or("no reference").into(),
            shape.continuous_name.unwrap_or("-").into(),
            shape.from_solved.map_or("-".into(), short),
        ]);
    }
    let remarks =
        "\"Farthest from it\" is the maximum distance of a node from the chain of links; \
         \"from the solved rest\" is its maximum distance from the equilibrium found by Newton's \
         method."
            .into();
    Some(Study { name: "shape".into(), chart, caption: caption.into(), remarks, table })
}

fn strain(segment: &RestSegment, reference: &SegmentReference) -> f64 {
    let rest_length = segment.length / (1.0 + segment.strain);
    100.0 * (reference.length - rest_length) / rest_length
}

type SegmentFunction<'a> = &'a dyn Fn(&RestSegment) -> Option<f64>;
type OfReference<'a> = &'a dyn Fn(&RestSegment, &SegmentReference) -> f64;

/// Quantity of segments, in a run and in a reference.
struct SegmentQuantity<'a> {
    label: &'a str,
    of: SegmentFunction<'a>,
    reference: OfReference<'a>,
}

fn plot(subject: &Subject<'_>, shape: &RestShape, part: &SegmentQuantity<'_>) -> Plot {
    let points = |value: &dyn Fn(&RestSegment) -> Option<f64>| -> Vec<[f64; 2]> {
        let numbered = (1..).zip(&shape.segments);
        numbered
            .filter_map(|(number, segment)| Some([f64::from(number), value(segment)?]))
            .collect()
    };
    let measured = points(&|segment| (part.of)(segment));
    let discrete = points(&|it| Some((part.reference)(it, it.discrete.as_ref()?)));
    let continuous = points(&|it| Some((part.reference)(it, it.continuous.as_ref()?)));
    let is_known = !measured.is_empty();
    let line = |name: &str| Mark::Line {
        points: continuous,
        color: CONTINUOUS,
        label: Some(name.into()),
        dash: Dash::Dashed,
        width: 1.3,
    };
    let markers = |points, color, label: &str, shape, size| Mark::Points {
        points,
        color,
        label: Some(label.into()),
        shape,
        size,
    };
    let mut marks: Vec<Mark> = shape.continuous_name.map(line).into_iter().collect();
    if let Some(name) = shape.discrete_name {
        marks.push(markers(discrete, DARK, name, Marker::Ring, 8.0));
    }
    if is_known {
        marks.push(markers(measured, subject.look.color, "at rest", Marker::Disc, 4.5));
    }
    let note = (!is_known).then(|| "Lengths are held: no law gives the tension.".into());
    Plot {
        title: Some(subject.label.clone()),
        x: Axis {
            label: "segment, from the first node".into(),
            range: Some([0.0, shape.segments.len() as f64 + 1.0]),
            ..Axis::default()
        },
        y: Axis { label: part.label.into(), range: from_zero(&marks), ..Axis::default() },
        marks,
        notes: note.into_iter().collect(),
        ..Plot::default()
    }
}

/// Range from 0 to slightly above the highest point. `None` if a point is below 0.
fn from_zero(marks: &[Mark]) -> Option<[f64; 2]> {
    let points = marks.iter().flat_map(|mark| match mark {
        Mark::Line { points, .. } | Mark::Points { points, .. } => &points[..],
        _ => &[],
    });
    let [low, high] =
        points.fold([0.0_f64; 2], |[low, high], point| [low.min(point[1]), high.max(point[1])]);
    (low == 0.0 && high > 0.0).then_some([0.0, 1.08 * high])
}
