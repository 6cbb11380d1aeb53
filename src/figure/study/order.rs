//! Error against step, and error against what it costs.

use super::{Study, listed};
use crate::analysis::order::{Curve, Orders, Point};
use crate::figure::chart::{Axis, Chart, Dash, Mark, Plot, Scale};
use crate::render::theme::method_color;
use crate::text::number::short;

/// Errors above this share of the body's length are of runs that were lost.
const LOST: f64 = 10.0;

/// Error against dt, with the fitted order of each method at its line; and error against evaluations of all forces.
///
/// `damped` are the same runs with the scene's own damping, where it has any.
pub fn studies(orders: &Orders, damped: Option<&Orders>) -> Vec<Study> {
    vec![by_step(orders, damped), by_work(orders)]
}

/// Which methods the scene's damping costs their order.
fn lost_orders(damped: &Orders) -> String {
    let lost = damped.curves.iter().filter_map(|curve| {
        let (slope, order) = (curve.slope?, f64::from(curve.method.order?));
        (slope < order - 0.5).then(|| format!("{} ({slope:.2})", curve.method.title))
    });
    let lost: Vec<String> = lost.collect();
    let is_known = damped.curves.iter().all(|curve| curve.slope.is_some());
    match lost[..] {
        [] if !is_known => String::new(),
        [] => " With the scene's own damping all keep their order.".into(),
        _ => format!(" With the scene's own damping these fall below it: {}.", listed(&lost)),
    }
}

fn log_axis(label: &str) -> Axis {
    Axis { label: label.into(), scale: Scale::Log, ..Axis::default() }
}

/// One line a method, of the runs that were not lost.
fn lines(
    orders: &Orders,
    x: impl Fn(&Point) -> f64,
    label: impl Fn(&Curve) -> String,
) -> Vec<Mark> {
    let line = |curve: &Curve| Mark::Line {
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

fn by_step(orders: &Orders, damped: Option<&Orders>) -> Study {
    let label = |curve: &Curve| match curve.slope {
        Some(slope) => format!("{} {slope:.2}", curve.method.title),
        None => curve.method.title.to_string(),
    };
    let marks = lines(orders, |point| point.dt, label);
    let of_order = |order: u32| {
        let is_near = |curve: &&Curve| {
            curve.slope.is_some_and(|slope| (slope - f64::from(order)).abs() <= 0.1)
        };
        let names: Vec<String> = orders
            .curves
            .iter()
            .filter(is_near)
            .map(|curve| curve.method.title.to_string())
            .collect();
        (!names.is_empty()).then(|| format!("Order {order}: {}.", listed(&names)))
    };
    let groups: Vec<String> = (1..=5).filter_map(of_order).collect();
    let off: Vec<String> = orders
        .curves
        .iter()
        .filter_map(|curve| {
            let (slope, order) = (curve.slope?, f64::from(curve.method.order?));
            ((slope - order).abs() > 0.1)
                .then(|| format!("{} ({slope:.2}, not {order})", curve.method.title))
        })
        .collect();
    let unfitted: Vec<String> = orders
        .curves
        .iter()
        .filter(|curve| curve.slope.is_none())
        .map(|curve| curve.method.title.to_string())
        .collect();
    let mut off = match (off.len(), unfitted.len()) {
        (0, count) if count == orders.curves.len() => String::new(),
        (0, _) => "Every fitted slope is within 0.1 of the method's order.".into(),
        _ => format!("More than 0.1 from the method's order: {}.", listed(&off)),
    };
    if !unfitted.is_empty() {
        off += &format!(" No three of these steps lie on a line: {}.", listed(&unfitted));
    }
    let finding = format!(
        "Error at t = {} of every method on this scene's first body without its drag and damping, against runs of Runge-Kutta 4 that have converged to {} of its length. \
         The number at a name is its fitted slope, the order. {} {off}{}",
        short(orders.time),
        short(orders.reference_error),
        groups.join(" "),
        damped.map_or(String::new(), lost_orders),
    );
    let chart = chart("Error against step", log_axis("dt, units of time"), marks, &finding);
    Study { name: "order".into(), chart, finding }
}

fn by_work(orders: &Orders) -> Study {
    let marks = lines(orders, |point| point.work.forces as f64, |curve| curve.method.title.into());
    // What it takes to come within a millionth.
    let cheapest = |limit: f64| {
        let cost = |curve: &Curve| {
            let fine = curve.points.iter().filter(|point| point.error <= limit);
            fine.map(|point| point.work.forces).min()
        };
        let costs =
            orders.curves.iter().filter_map(|curve| Some((cost(curve)?, curve.method.title)));
        costs.min()
    };
    let sentence = |limit: f64| {
        cheapest(limit).map(|(cost, title)| {
            format!(
                "to an error of {} the cheapest is {title}, with {cost} evaluations.",
                short(limit)
            )
        })
    };
    let sentences: Vec<String> = [1e-3, 1e-6, 1e-9].into_iter().filter_map(sentence).collect();
    let finding = format!(
        "The same runs against how often all forces were evaluated, which was counted. Among these runs: {}",
        sentences.join(" ")
    );
    let axis = log_axis("evaluations of all forces");
    let chart = chart("Error against work", axis, marks, &finding);
    Study { name: "work_precision".into(), chart, finding }
}
