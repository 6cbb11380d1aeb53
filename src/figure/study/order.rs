//! The errors of methods against step and against cost.

use super::Study;
use crate::analysis::order::{
    ABOVE_REFERENCE, ErrorCurve, ErrorPoint, NoOrder, Orders, ReferenceRun, RefinementEnd,
    SlopeVerdict,
};
use crate::figure::chart::{Axis, Chart, Dash, Mark, Plot, Scale};
use crate::render::theme::method_color;
use crate::text::{list::listed, number::short};

/// Runs with an error above this share of the body's length are lost and not drawn.
const LOST: f64 = 10.0;

/// A line whose slope is this near to its order is unresolved for another reason than its slope.
const SLOPE_TOLERANCE: f64 = 0.15;

/// The title of a method without commas, for lists.
fn title_without_commas(curve: &ErrorCurve) -> String {
    match curve.method.title.split_once(", ") {
        Some((title, more)) => format!("{title} ({more})"),
        None => curve.method.title.into(),
    }
}

/// Two figures: error against dt, with the slope of each method at its line, and error against
/// evaluations of all forces.
///
/// `damped` has the same runs with the scene's own damping, if the scene has any.
pub fn studies(orders: &Orders, damped: Option<&Result<Orders, NoOrder>>) -> Vec<Study> {
    vec![error_over_step(orders, damped), error_over_work(orders)]
}

/// Why there is no figure.
pub fn missing(reason: NoOrder) -> String {
    let why = match reason {
        NoOrder::Loose => "nothing pulls it back".into(),
        NoOrder::Still => "nothing moves it".into(),
        NoOrder::Large => {
            "it is too large for a reference within the work that these figures may take".into()
        }
        NoOrder::Inexact { error } => format!(
            "its reference does not converge within the work that it may take: halving the step still moves a node by {} of its length",
            short(error)
        ),
    };
    format!("No figures of order of the first body: {why}.")
}

fn log_axis(label: &str) -> Axis {
    Axis { label: label.into(), scale: Scale::Log, ..Axis::default() }
}

/// A line for each method, of the runs that are not lost.
fn lines(
    orders: &Orders,
    x: impl Fn(&ErrorPoint) -> f64,
    label: impl Fn(&ErrorCurve) -> String,
) -> Vec<Mark> {
    let line = |curve: &ErrorCurve| Mark::Line {
        points: curve
            .points
            .iter()
            .filter(|point| point.error < LOST)
            .map(|point| [x(point), point.error])
            .collect(),
        color: method_color(curve.method.name),
        label: Some(label(curve)),
        dash: Dash::Solid,
        width: 1.6,
    };
    orders.curves.iter().map(line).collect()
}

fn chart(title: &str, x: Axis, marks: Vec<Mark>, finding: &str) -> Chart {
    let y = log_axis("greatest error of a position / rope length");
    Chart {
        title: title.into(),
        caption: finding.into(),
        columns: 1,
        plots: vec![Plot { x, y, marks, ..Plot::default() }],
        plot_size: [620.0, 460.0],
        one_scale: false,
    }
}

fn error_over_step(orders: &Orders, damped: Option<&Result<Orders, NoOrder>>) -> Study {
    let label = |curve: &ErrorCurve| match curve.verdict {
        SlopeVerdict::Straight { slope } => format!("{}: {slope:.2}", curve.method.title),
        SlopeVerdict::Unresolved { .. } => format!("{}: -", curve.method.title),
    };
    let marks = lines(orders, |point| point.dt, label);
    let left_out = match &orders.left_out[..] {
        [] => String::new(),
        words => {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            format!(" without its {}", listed(&words))
        }
    };
    let finding = format!(
        "Error of every method on this scene's first body{left_out} at t = {}, {}. {} \
         The number at a name is the slope of its line over its last steps, up to four times the shortest: the order. {}{}",
        short(orders.reference.time),
        time_of_errors(&orders.reference),
        reference(&orders.reference),
        sentences(orders),
        damped.map_or(String::new(), |damped| match damped {
            Ok(damped) => with_damping(damped),
            Err(_) => " With the scene's own drag and damping no reference converged.".into(),
        }),
    );
    let chart = chart("Error against step", log_axis("dt, units of time"), marks, &finding);
    Study { name: "order".into(), chart, finding }
}

/// Describes the time at which errors are measured.
fn time_of_errors(span: &ReferenceRun) -> String {
    format!(
        "when a node has moved by {} of the body's length and its highest mode through {} rad",
        short(span.way),
        short(span.radians)
    )
}

fn reference(span: &ReferenceRun) -> String {
    format!(
        "They are distances from a run of Runge-Kutta 4 with {} steps, which is {} of the body's length from one with half as many; \
         none below {} times that is shown.",
        span.steps,
        short(span.error),
        short(ABOVE_REFERENCE)
    )
}

/// Lists the methods of each order, and those whose order is unresolved with the reason.
fn sentences(orders: &Orders) -> String {
    let groups = (1..=9).filter_map(|order| {
        let names: Vec<String> = orders
            .curves
            .iter()
            .filter(|curve| curve.order == order)
            .filter(|curve| matches!(curve.verdict, SlopeVerdict::Straight { .. }))
            .map(title_without_commas)
            .collect();
        (!names.is_empty()).then(|| format!("Order {order}: {}.", listed(&names)))
    });
    let mut sentences: Vec<String> = groups.collect();
    sentences.extend(unresolved(orders));
    sentences.join(" ")
}

/// Lists the methods whose lines have not become straight, each with its reason.
fn unresolved(orders: &Orders) -> Option<String> {
    let one = |curve: &ErrorCurve| {
        let SlopeVerdict::Unresolved { slope, stop } = curve.verdict else { return None };
        let end = match stop {
            RefinementEnd::Reference => {
                "where finer steps would meet the error of the reference".into()
            }
            RefinementEnd::Work { steps } => format!("where {steps} steps use up its work"),
        };
        Some(match slope {
            // With a slope near the order, the line bends before its end.
            Some(slope) if (slope - f64::from(curve.order)).abs() < SLOPE_TOLERANCE => {
                format!("{} (a line that still bends, {end})", title_without_commas(curve))
            }
            Some(slope) => {
                format!(
                    "{} ({slope:.2} in place of {}, {end})",
                    title_without_commas(curve),
                    curve.order
                )
            }
            None => format!("{} (no two small errors, {end})", title_without_commas(curve)),
        })
    };
    let all: Vec<String> = orders.curves.iter().filter_map(one).collect();
    (!all.is_empty()).then(|| format!("Not resolved: {}.", listed(&all)))
}

/// Describes the orders with the scene's damping.
fn with_damping(damped: &Orders) -> String {
    let loses = |curve: &&ErrorCurve| Some(curve.order) != curve.method.order;
    let lost: Vec<String> = damped
        .curves
        .iter()
        .filter(loses)
        .filter_map(|curve| match curve.verdict {
            SlopeVerdict::Straight { slope } => {
                Some(format!("{} ({slope:.2})", title_without_commas(curve)))
            }
            SlopeVerdict::Unresolved { .. } => None,
        })
        .collect();
    let mut text = String::new();
    if !lost.is_empty() {
        text += &format!(
            " With the scene's own drag and damping these fall below their order, since they take such forces at a velocity of another time: {}.",
            listed(&lost)
        );
    }
    let kept = damped.curves.iter().filter(|curve| !loses(curve));
    let (kept, open): (Vec<&ErrorCurve>, Vec<&ErrorCurve>) =
        kept.partition(|curve| matches!(curve.verdict, SlopeVerdict::Straight { .. }));
    if !kept.is_empty() {
        let all = if open.is_empty() { "All others keep theirs" } else { "Others keep theirs" };
        text += &format!(" {all}.");
    }
    if let Some(sentence) = unresolved(damped) {
        text += &format!(" With them: {sentence}");
    }
    text
}

fn error_over_work(orders: &Orders) -> Study {
    let marks = lines(orders, |point| point.work.forces as f64, |curve| curve.method.title.into());
    let cheapest = |limit: f64| {
        let cost = |curve: &ErrorCurve| {
            let fine = curve.points.iter().filter(|point| point.error <= limit);
            fine.map(|point| point.work.forces).min()
        };
        let costs = orders
            .curves
            .iter()
            .filter_map(|curve| Some((cost(curve)?, title_without_commas(curve))));
        costs.min()
    };
    let sentence = |limit: f64| {
        cheapest(limit).map(|(cost, title)| {
            format!("to an error of {} {title} ({cost} evaluations)", short(limit))
        })
    };
    let sentences: Vec<String> = [1e-3, 1e-6, 1e-9].into_iter().filter_map(sentence).collect();
    let among = match &sentences[..] {
        [] => "None of these runs came to an error of 0.001".into(),
        all => format!("Among these runs the cheapest are, {}", listed(all)),
    };
    let solves = |curve: &&ErrorCurve| curve.points.iter().any(|point| point.work.jacobians > 0);
    let solving: Vec<String> =
        orders.curves.iter().filter(solves).map(title_without_commas).collect();
    let solving = match &solving[..] {
        [] => String::new(),
        all => format!(" {} also solve linear systems, which are not counted.", listed(all)),
    };
    let finding = format!(
        "The same runs against how often all forces were evaluated, which was counted. {among}.{solving}"
    );
    let axis = log_axis("evaluations of all forces");
    let chart = chart("Error against work", axis, marks, &finding);
    Study { name: "work_precision".into(), chart, finding }
}
