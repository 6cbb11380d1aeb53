//! A small square of starts in phase space: its outline over time, and its area.

use super::{DARK, NumberTable, Study, Subject, marked_line, modes::NATURAL, multiples};
use crate::figure::chart::{Axis, Chart, Dash, Mark, Plot, Scale};
use catena_analysis::phase_area::{APART, PhaseArea};
use catena_base::text::{
    list::{listed, quoted},
    number::{digits, short},
};

/// Maximum change of the area per step at which a method counts as preserving it: rounding, and the
/// curvature of the motion.
const KEPT: f64 = 1e-10;
/// Ratio of the largest to the smallest area above which the axis is logarithmic.
const WIDE: f64 = 5.0;
/// Coordinate beyond which an outline is not drawn, relative to the first displacement.
const FAR: f64 = 4.5;
/// Minimum half width of a plot of outlines.
const NEAR: f64 = 1.6;
/// Maximum number of bodies with a phrase each.
const PHRASES: usize = 8;

/// Figure with an outline per body, and a plot of all areas. Returns `None` if there are no bodies.
pub fn study(bodies: &[(Subject<'_>, PhaseArea)]) -> Option<Study> {
    if bodies.is_empty() {
        return None;
    }
    let caption = "A small square of start states in the displacement and velocity of one mode: \
                   its outline at seven times within three periods, and its area. Only symplectic \
                   methods preserve the area; the dashed line is the exact area.";
    let mut plots: Vec<Plot> =
        bodies.iter().map(|(subject, area)| outlines(subject, area)).collect();
    plots.push(areas(bodies));
    let (columns, plot_size) = multiples(plots.len(), 3, [270.0, 270.0], None);
    let chart = Chart {
        title: "Area in phase space".into(),
        caption: caption.into(),
        columns,
        plots,
        plot_size,
        ..Chart::default()
    };
    Some(Study {
        name: "phase_area".into(),
        chart,
        caption: caption.into(),
        remarks: remarks(bodies),
        table: table(bodies),
    })
}

/// Outlines of the square of a body, from the darkest at the start to the body's own colour.
fn outlines(subject: &Subject<'_>, area: &PhaseArea) -> Plot {
    let closed = |outline: &[[f64; 2]]| -> Vec<[f64; 2]> {
        outline.iter().chain(outline.first()).copied().collect()
    };
    let shown: Vec<Vec<[f64; 2]>> = area
        .moments
        .iter()
        .step_by(APART)
        .filter(|moment| is_near(&moment.outline))
        .map(|moment| closed(&moment.outline))
        .collect();
    let places = shown.iter().flatten().flatten();
    let reach = 1.05 * places.map(|place| place.abs()).fold(NEAR / 1.05, f64::max);
    let line = |(index, points): (usize, Vec<[f64; 2]>)| Mark::Line {
        points,
        color: if index == 0 { DARK } else { subject.look.color },
        label: (index == 0).then(|| "start".into()),
        dash: if index == 0 { Dash::Dashed } else { Dash::Solid },
        width: 1.4,
    };
    let axis =
        |label: &str| Axis { label: label.into(), range: Some([-reach, reach]), ..Axis::default() };
    Plot {
        title: Some(subject.label.clone()),
        x: axis("q"),
        y: axis("q'/ω"),
        // The start is drawn last, so that a square that returns does not hide it.
        marks: shown.into_iter().enumerate().map(line).rev().collect(),
        equal_aspect: true,
        ..Plot::default()
    }
}

/// Plot of the areas of all bodies.
fn areas(bodies: &[(Subject<'_>, PhaseArea)]) -> Plot {
    let mut marks: Vec<Mark> = vec![exact(&bodies[0].1)];
    let mut extremes = [1.0_f64, 1.0];
    for (index, (subject, area)) in bodies.iter().enumerate() {
        let points: Vec<[f64; 2]> = area
            .moments
            .iter()
            .filter(|moment| moment.area.is_finite() && moment.area > 0.0)
            .map(|moment| [moment.periods, moment.area])
            .collect();
        let areas = points.iter().map(|point| point[1]);
        extremes = areas.fold(extremes, |[low, high], area| [low.min(area), high.max(area)]);
        marks.extend(marked_line(points, subject.look, &subject.label, index));
    }
    let scale = if extremes[1] > WIDE * extremes[0] { Scale::Log } else { Scale::Linear };
    let is_level = extremes[1] - extremes[0] < 0.02;
    Plot {
        title: Some("area over time".into()),
        x: Axis { label: "periods of the mode".into(), ..Axis::default() },
        y: Axis {
            label: "area / start".into(),
            scale,
            range: is_level.then_some([0.9, 1.1]),
            ..Axis::default()
        },
        marks,
        is_main: true,
        ..Plot::default()
    }
}

/// Area of the exact motion of a body's mode: constant, or shrinking with its damping.
fn exact(area: &PhaseArea) -> Mark {
    let rate = 2.0 * std::f64::consts::PI * area.damping / area.omega;
    let points =
        area.moments.iter().map(|moment| [moment.periods, libm::exp(-rate * moment.periods)]);
    Mark::Line {
        points: points.collect(),
        color: NATURAL,
        label: Some("exact".into()),
        dash: Dash::Dashed,
        width: 1.6,
    }
}

/// Whether a growth per step counts as preserving the area.
fn is_kept(growth: f64) -> bool {
    (growth - 1.0).abs() <= KEPT
}

/// Whether an outline is within its plot.
fn is_near(outline: &[[f64; 2]]) -> bool {
    outline.iter().flatten().all(|place| place.abs() <= FAR)
}

/// Sentence about outlines beyond their plots. `None` if there are none.
fn beyond(bodies: &[(Subject<'_>, PhaseArea)]) -> Option<String> {
    let count = |(subject, area): &(Subject<'_>, PhaseArea)| {
        let all = area.moments.iter().step_by(APART);
        let far = all.filter(|moment| !is_near(&moment.outline)).count();
        (far > 0).then(|| format!("{far} of {}", quoted(&subject.label)))
    };
    let all: Vec<String> = bodies.iter().filter_map(count).collect();
    (!all.is_empty())
        .then(|| format!("Some later outlines are outside the plots: {}.", listed(&all)))
}

fn remarks(bodies: &[(Subject<'_>, PhaseArea)]) -> String {
    let growths: Vec<(String, &PhaseArea, Option<f64>)> = bodies
        .iter()
        .map(|(subject, area)| (quoted(&subject.label), area, area.growth()))
        .collect();
    let mut sentences = Vec::new();
    for is_damped in [false, true] {
        let all = growths.iter().filter(|(_, area, _)| (area.damping != 0.0) == is_damped);
        let kept = all.filter(|(_, _, growth)| growth.is_some_and(is_kept));
        let kept: Vec<String> = kept.map(|(label, _, _)| label.clone()).collect();
        if !kept.is_empty() {
            let verb = if kept.len() == 1 { "preserves" } else { "preserve" };
            let but = if is_damped { ", apart from the loss by damping" } else { "" };
            sentences.push(format!("{} {verb} the area to 1e-10 per step{but}.", listed(&kept)));
        }
    }
    let changed = growths.iter().filter_map(|(label, area, growth)| {
        let growth = growth.filter(|growth| !is_kept(*growth))?;
        let end = area.moments.last().map_or(1.0, |moment| moment.area);
        Some(format!(
            "With {label}, the area after {1} steps is {0} times its value at the start; the \
             method changes it by {2} % per step.",
            digits(end, 6),
            area.steps,
            short(100.0 * (growth - 1.0))
        ))
    });
    sentences.extend(changed.take(PHRASES));
    let lost: Vec<String> = growths
        .iter()
        .filter(|(_, _, growth)| growth.is_none())
        .map(|(label, _, _)| label.clone())
        .collect();
    if !lost.is_empty() {
        sentences.push(format!("{}: a run diverges.", listed(&lost)));
    }
    sentences.extend(beyond(bodies));
    if let Some((_, area)) = bodies.first().filter(|_| bodies.len() == 1) {
        sentences.push(format!(
            "The mode is number {} of {} about rest, with ωdt = {}.",
            area.mode,
            area.modes,
            short(area.step)
        ));
    }
    sentences.join(" ")
}

fn table(bodies: &[(Subject<'_>, PhaseArea)]) -> NumberTable {
    let mut table = NumberTable::new(&[
        "body",
        "mode",
        "ω",
        "ωdt",
        "γ",
        "steps",
        "area at the end",
        "exact",
        "change by the method, % a step",
    ]);
    for (subject, area) in bodies {
        let last = area.moments.last();
        let end = last.map_or(f64::NAN, |moment| moment.area);
        let time = last.map_or(0.0, |moment| moment.periods * std::f64::consts::TAU / area.omega);
        table.rows.push(vec![
            subject.label.clone(),
            format!("{} of {}", area.mode, area.modes),
            short(area.omega),
            short(area.step),
            short(area.damping),
            area.steps.to_string(),
            if end.is_finite() { digits(end, 6) } else { "diverged".into() },
            digits(libm::exp(-area.damping * time), 6),
            match area.growth() {
                None => "-".into(),
                Some(growth) if is_kept(growth) => "0".into(),
                Some(growth) => short(100.0 * (growth - 1.0)),
            },
        ]);
    }
    table
}
