//! Errors of methods against step and against cost.

use super::{NumberTable, Study, Subject, dispersion::own_look, method_look};
use crate::figure::chart::{Axis, Chart, Dash, Mark, Plot, Scale};
use catena_analysis::order::{
    ABOVE_REFERENCE, ErrorCurve, ErrorPoint, NoOrder, Orders, ReferenceRun, RefinementEnd,
    SlopeVerdict,
};
use catena_base::text::{list::listed, number::short};
use catena_draw::theme::Ink;
use image::Rgb;

/// Error, as a share of the body's length, above which a run is not drawn.
const LOST: f64 = 10.0;

/// Maximum difference between slope and order at which an unresolved line is not due to its slope.
const SLOPE_TOLERANCE: f64 = 0.15;

/// Title of a method without commas, for lists.
fn title_without_commas(curve: &ErrorCurve) -> String {
    match curve.method.title.split_once(", ") {
        Some((title, more)) => format!("{title} ({more})"),
        None => curve.method.title.into(),
    }
}

/// Creates two figures: error against dt, with the slope of each method at its line, and error
/// against force evaluations. The methods of `subjects` are in colour, all others in grey.
///
/// `damped` has the same runs with the scene's own damping, if the scene has any.
pub fn studies(
    orders: &Orders,
    damped: Option<&Result<Orders, NoOrder>>,
    subjects: &[Subject<'_>],
) -> Vec<Study> {
    vec![error_over_step(orders, damped, subjects), error_over_work(orders, subjects)]
}

/// Reason why there is no figure.
pub fn missing(reason: NoOrder) -> String {
    let why = match reason {
        NoOrder::Loose => "no force pulls it back".into(),
        NoOrder::Still => "no force moves it".into(),
        NoOrder::Large => {
            "it is too large for a reference run within the work limit of these figures".into()
        }
        NoOrder::Inexact { error } => format!(
            "its reference run does not converge within its work limit: halving the step still \
             moves a node by {} of its length",
            short(error)
        ),
    };
    format!("No figures of the order of methods on the first body: {why}.")
}

fn log_axis(label: &str) -> Axis {
    Axis { label: label.into(), scale: Scale::Log, ..Axis::default() }
}

/// Lines of all methods without the omitted runs. The scene's own methods are drawn above all
/// others.
fn lines(
    orders: &Orders,
    subjects: &[Subject<'_>],
    x: impl Fn(&ErrorPoint) -> f64,
    label: impl Fn(&ErrorCurve) -> String,
) -> Vec<Mark> {
    let line = |curve: &ErrorCurve| {
        let points: Vec<[f64; 2]> = curve
            .points
            .iter()
            .filter(|point| point.error < LOST)
            .map(|point| [x(point), point.error])
            .collect();
        let name = curve.method.name;
        let own = own_look(subjects, name);
        let look = own.unwrap_or_else(|| method_look(name).grey());
        let width = if own.is_some() { 1.8 } else { 1.1 };
        (own.is_some(), look.line_with(points.clone(), points, &label(curve), width))
    };
    let (own, others): (Vec<_>, Vec<_>) =
        orders.curves.iter().map(line).partition(|(is_own, _)| *is_own);
    others.into_iter().chain(own).flat_map(|(_, marks)| marks).collect()
}

/// Returns short segments with the slope of each order, which begin at one point next to the data.
/// They are above the shortest steps or, if a line blocks that place, below the longest steps,
/// since lines rise.
fn slopes(orders: &Orders) -> Vec<Mark> {
    let points = || orders.curves.iter().flat_map(|curve| &curve.points);
    let shown = || points().filter(|point| point.error < LOST);
    let mut known: Vec<u32> = orders.curves.iter().map(|curve| curve.order).collect();
    known.sort_unstable();
    known.dedup();
    let steepest = libm::pow(SLOPE_LENGTH, f64::from(known.last().copied().unwrap_or(0)));
    let range = shown().fold([f64::INFINITY, 0.0], |[a, b], it| [it.dt.min(a), it.dt.max(b)]);
    let largest = |longest: f64| {
        shown().filter(|point| point.dt <= longest).map(|point| point.error).fold(0.0, f64::max)
    };
    let above = APART * largest(1.2 * SLOPE_LENGTH * range[0]);
    let (left, foot) = match above * steepest <= largest(range[1]) {
        true => (range[0], above),
        false => {
            let minimum = shown().map(|point| point.error).fold(f64::INFINITY, f64::min);
            (range[1] / SLOPE_LENGTH, minimum / (APART * steepest))
        }
    };
    let right = left * SLOPE_LENGTH;
    let segment = |order: u32| {
        let top = foot * libm::pow(right / left, f64::from(order));
        let points = vec![[left, foot], [right, top]];
        let line = Mark::Line { points, color: GREY, label: None, dash: Dash::Solid, width: 0.9 };
        [line, Mark::Text { at: [1.12 * right, top], text: order.to_string(), color: GREY }]
    };
    known.into_iter().flat_map(segment).collect()
}

/// Ratio of the steps at both ends of a segment that shows a slope.
const SLOPE_LENGTH: f64 = 4.0;

/// Ratio of the errors of a segment that shows a slope and of the data.
const APART: f64 = 3.0;

/// Colour of segments that show a slope.
const GREY: Ink = Rgb([110, 116, 124]);

fn chart(title: &str, x: Axis, marks: Vec<Mark>, caption: &str) -> Chart {
    let y = log_axis("greatest error of a position / rope length");
    Chart {
        title: title.into(),
        caption: caption.into(),
        columns: 1,
        plots: vec![Plot { x, y, marks, ..Plot::default() }],
        plot_size: [620.0, 460.0],
        ..Chart::default()
    }
}

fn error_over_step(
    orders: &Orders,
    damped: Option<&Result<Orders, NoOrder>>,
    subjects: &[Subject<'_>],
) -> Study {
    let label = |curve: &ErrorCurve| match curve.verdict {
        SlopeVerdict::Straight { slope } => format!("{}: {slope:.2}", curve.method.title),
        SlopeVerdict::Unresolved { .. } => format!("{}: not resolved", curve.method.title),
    };
    let mut marks = slopes(orders);
    marks.extend(lines(orders, subjects, |point| point.dt, label));
    let left_out = match &orders.left_out[..] {
        [] => String::new(),
        words => {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            format!(" without its {}", listed(&words))
        }
    };
    let caption = format!(
        "Error of every method on this scene's first body{left_out} at t = {}: the scene's methods \
         in colour, all others in grey. The slopes of the short grey lines are the orders of the \
         methods.",
        short(orders.reference.time),
    );
    let mut remarks = vec![
        format!("Errors are measured {}.", time_of_errors(&orders.reference)),
        reference(&orders.reference),
        "The order is the slope of a line over its shortest steps, up to four times the shortest \
         one."
            .into(),
    ];
    remarks.extend(unresolved(orders));
    remarks.extend(damped.and_then(with_damping));
    let mut chart = chart("Error against step", log_axis("dt, units of time"), marks, &caption);
    let note = "The number after a name is its order.".into();
    chart.plots.iter_mut().for_each(|plot| plot.notes = vec![String::clone(&note)]);
    let table = order_table(orders, damped.and_then(|damped| damped.as_ref().ok()));
    Study { name: "order".into(), chart, caption, remarks: remarks.join(" "), table }
}

/// Table of each method's slope and theoretical order.
fn order_table(orders: &Orders, damped: Option<&Orders>) -> NumberTable {
    let mut table = NumberTable::new(&["method", "order", "slope"]);
    table.head.extend(damped.map(|_| "slope with damping".to_string()));
    let slope = |curve: &ErrorCurve| match curve.verdict {
        SlopeVerdict::Straight { slope } => format!("{slope:.2}"),
        SlopeVerdict::Unresolved { .. } => "not resolved".into(),
    };
    for curve in &orders.curves {
        let mut row = vec![curve.method.title.into(), curve.order.to_string(), slope(curve)];
        row.extend(damped.map(|damped| {
            let same = damped.curves.iter().find(|it| it.method.name == curve.method.name);
            same.map_or("-".into(), slope)
        }));
        table.rows.push(row);
    }
    table
}

/// Describes the time at which errors are measured.
fn time_of_errors(span: &ReferenceRun) -> String {
    format!(
        "when a node has moved by {} of the body's length and the phase of its highest mode by {} \
         rad",
        short(span.displacement),
        short(span.radians)
    )
}

fn reference(span: &ReferenceRun) -> String {
    format!(
        "They are distances from a run of Runge-Kutta 4 with {} steps, which differs by {} of the \
         body's length from a run with half as many steps; errors below {} times this difference \
         are not shown.",
        span.steps,
        short(span.error),
        short(ABOVE_REFERENCE)
    )
}

/// Lists the methods whose lines are not straight, each with its reason.
fn unresolved(orders: &Orders) -> Option<String> {
    let one = |curve: &ErrorCurve| {
        let SlopeVerdict::Unresolved { slope, stop } = curve.verdict else { return None };
        let end = match stop {
            RefinementEnd::Reference => {
                "no shorter steps were tried, because their error would reach the error of the \
                 reference"
                    .into()
            }
            RefinementEnd::Work { steps } => {
                format!("no shorter steps were tried after {steps} steps, the work limit")
            }
        };
        Some(match slope {
            // A slope near the order means that the line bends before its end.
            Some(slope) if (slope - f64::from(curve.order)).abs() < SLOPE_TOLERANCE => {
                format!("{} (its line is still curved, {end})", title_without_commas(curve))
            }
            Some(slope) => {
                format!(
                    "{} ({slope:.2} instead of {}, {end})",
                    title_without_commas(curve),
                    curve.order
                )
            }
            None => format!("{} (fewer than two small errors, {end})", title_without_commas(curve)),
        })
    };
    let all: Vec<String> = orders.curves.iter().filter_map(one).collect();
    (!all.is_empty()).then(|| format!("Not resolved: {}.", listed(&all)))
}

/// Lists the methods that lose their order with the scene's damping.
fn with_damping(damped: &Result<Orders, NoOrder>) -> Option<String> {
    let Ok(damped) = damped else {
        return Some("With the scene's own drag and damping, no reference run converged.".into());
    };
    let is_straight = |curve: &&ErrorCurve| matches!(curve.verdict, SlopeVerdict::Straight { .. });
    let lost: Vec<String> = damped
        .curves
        .iter()
        .filter(|curve| Some(curve.order) != curve.method.order)
        .filter(is_straight)
        .map(title_without_commas)
        .collect();
    let fall = (!lost.is_empty()).then(|| {
        format!(
            "With the scene's own drag and damping, these methods fall below their order, because \
             they evaluate such forces with the velocity of another time: {}.",
            listed(&lost)
        )
    });
    let open = unresolved(damped).map(|sentence| format!("With damping: {sentence}"));
    let all: Vec<String> = fall.into_iter().chain(open).collect();
    (!all.is_empty()).then(|| all.join(" "))
}

fn error_over_work(orders: &Orders, subjects: &[Subject<'_>]) -> Study {
    let title = |curve: &ErrorCurve| curve.method.title.to_string();
    let marks = lines(orders, subjects, |point| point.work.forces as f64, title);
    let limits = [1e-3, 1e-6, 1e-9];
    let mut table = NumberTable::new(&["evaluations to an error of", "0.001", "1e-6", "1e-9"]);
    let cost = |curve: &ErrorCurve, limit: f64| {
        let fine = curve.points.iter().filter(|point| point.error <= limit);
        fine.map(|point| point.work.forces).min()
    };
    // The minimum of each column is marked, so that the table has a result.
    let minimum = limits.map(|limit| orders.curves.iter().filter_map(|it| cost(it, limit)).min());
    for curve in &orders.curves {
        let costs = limits.iter().zip(minimum).map(|(limit, minimum)| match cost(curve, *limit) {
            Some(cost) if Some(cost) == minimum => format!("{cost}, the least"),
            Some(cost) => cost.to_string(),
            None => "-".into(),
        });
        table.rows.push([curve.method.title.to_string()].into_iter().chain(costs).collect());
    }
    let solves = |curve: &&ErrorCurve| curve.points.iter().any(|point| point.work.jacobians > 0);
    let solving: Vec<String> =
        orders.curves.iter().filter(solves).map(title_without_commas).collect();
    let remarks = match &solving[..] {
        [] => String::new(),
        all => format!("{} also solve linear systems, which are not counted.", listed(all)),
    };
    let caption = "The errors of the same runs over the counted number of evaluations of all \
                   forces: the scene's methods in colour, all others in grey.";
    let axis = log_axis("evaluations of all forces");
    let chart = chart("Error against work", axis, marks, caption);
    Study { name: "work_precision".into(), chart, caption: caption.into(), remarks, table }
}
