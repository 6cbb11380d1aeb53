//! Figure of the errors of rods against the number of their segments.

use super::{
    RunError,
    report::{FigureStyle, SceneFigure},
};
use catena_analysis::verify::{Refinement, refinements};
use catena_base::text::number::digits;
use catena_draw::theme::Ink;
use catena_study::figure::{
    chart::{Axis, Chart, Dash, Mark, Marker, Plot, Scale},
    study::{NumberTable, Study},
};

/// Numbers of segments of the figure.
pub const REFINED: [usize; 4] = [8, 16, 32, 64];
/// Colours of the lines in turn.
const COLORS: [[u8; 3]; 3] = [[0, 90, 160], [200, 80, 30], [40, 130, 70]];
/// Colour of the line of order 2.
const GREY: [u8; 3] = [110, 116, 124];

/// Makes the figure for these numbers of segments, each of which is twice the previous one.
///
/// # Errors
/// A style is out of range.
pub fn refinement_figure(segments: &[usize], style: &FigureStyle) -> Result<SceneFigure, RunError> {
    let all = refinements(segments);
    let mut table = NumberTable::new(&["rod", "segments", "value", "relative error", "order"]);
    for one in &all {
        let orders = one.orders();
        table.rows.extend(one.values.iter().enumerate().map(|(index, &(count, value))| {
            let order = index.checked_sub(1).and_then(|before| orders.get(before));
            let order = order.map_or(String::new(), |order| format!("{order:.2}"));
            let error = digits(one.error(value), 3);
            vec![one.name.into(), count.to_string(), digits(value, 8), error, order]
        }));
    }
    let caption = "Relative errors of rods at rest over the number of their segments: a clamped \
                   rod with a transverse force at its tip, a rod bent through 45° that leaves its \
                   plane, and a twisted ring, which has 5 segments for every 4 of the others. The \
                   grey line has order 2.";
    let axis = |label: &str| Axis { label: label.into(), scale: Scale::Log, ..Axis::default() };
    let mut plot = Plot { x: axis("segments"), y: axis("relative error"), ..Plot::default() };
    plot.marks = all.iter().enumerate().flat_map(|(index, one)| marks(index, one)).collect();
    plot.marks.extend(guide(&all));
    let chart = Chart {
        title: "Errors of rods are of order 2".into(),
        caption: caption.into(),
        columns: 1,
        plots: vec![plot],
        plot_size: [480.0, 360.0],
        ..Chart::default()
    };
    let (name, caption) = ("rod_order".into(), caption.into());
    SceneFigure::of(Study { name, chart, caption, remarks: String::new(), table }, style)
}

/// Line and discs of a quantity.
fn marks(index: usize, one: &Refinement) -> [Mark; 2] {
    let color = Ink::from(COLORS[index % COLORS.len()]);
    let at = |&(count, value): &(usize, f64)| [count as f64, one.error(value)];
    let points: Vec<[f64; 2]> = one.values.iter().map(at).collect();
    let label = Some(one.name.into());
    let discs =
        Mark::Points { points: points.clone(), color, label: None, shape: Marker::Disc, size: 6.0 };
    [Mark::Line { points, color, label, dash: Dash::Solid, width: 1.6 }, discs]
}

/// Line of order 2 below all others.
fn guide(all: &[Refinement]) -> Option<Mark> {
    let counts = all.iter().flat_map(|one| one.values.iter().map(|(count, _)| *count as f64));
    let range = counts.fold([f64::INFINITY, 0.0_f64], |[a, b], at| [a.min(at), b.max(at)]);
    let scaled = all.iter().flat_map(|one| {
        one.values.iter().map(|&(count, value)| one.error(value) * (count * count) as f64)
    });
    let minimum = 0.5 * scaled.fold(f64::INFINITY, f64::min);
    let points = range.iter().map(|at| [*at, minimum / (at * at)]).collect();
    let (color, label) = (Ink::from(GREY), Some("order 2".into()));
    minimum.is_finite().then_some(Mark::Line {
        points,
        color,
        label,
        dash: Dash::Dashed,
        width: 1.0,
    })
}
