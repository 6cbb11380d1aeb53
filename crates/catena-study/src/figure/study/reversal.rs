//! Reversal of each body's run: distance between the way back and the way there.

use super::{NumberTable, Study, Subject, TIME, marked_line};
use crate::figure::chart::{Axis, Chart, Mark, Plot, Scale};
use catena_analysis::reversal::{Reversal, ReversalEnd};
use catena_base::text::{
    list::{listed, quoted},
    number::short,
};

/// Distance below which a body has returned up to rounding, as a share of its length.
const ROUNDING: f64 = 1e-9;
/// Smallest distance that is drawn.
const FLOOR: f64 = 1e-17;
/// Maximum number of bodies with a phrase each.
const PHRASES: usize = 8;

/// Figure of all bodies in one plot. Returns `None` without bodies.
pub fn study(bodies: &[(Subject<'_>, Reversal)]) -> Option<Study> {
    if bodies.is_empty() {
        return None;
    }
    let caption = "Forward, velocities negated, and back: how far a body is from its path of the way there, at equal times. The end of a line is the distance from the start.";
    let mut marks: Vec<Mark> = Vec::new();
    for (index, (subject, reversal)) in bodies.iter().enumerate() {
        let turn = reversal.back.first().map_or(0.0, |moment| moment.time);
        let points: Vec<[f64; 2]> = reversal
            .back
            .iter()
            .skip(1)
            .map(|moment| [turn - moment.time, moment.from_path.max(FLOOR)])
            .collect();
        if !points.is_empty() {
            marks.extend(marked_line(points, subject.look, &subject.label, index));
        }
    }
    let plot = Plot {
        x: Axis { label: format!("time since the turn, {}", unit(TIME)), ..Axis::default() },
        y: Axis {
            label: "distance / length of the body".into(),
            scale: Scale::Log,
            ..Axis::default()
        },
        marks,
        ..Plot::default()
    };
    let chart = Chart {
        title: "There and back".into(),
        caption: caption.into(),
        columns: 1,
        plots: vec![plot],
        plot_size: [620.0, 380.0],
        ..Chart::default()
    };
    Some(Study {
        name: "reversal".into(),
        chart,
        caption: caption.into(),
        remarks: remarks(bodies),
        table: table(bodies),
    })
}

/// Unit of a label such as "t, units of time".
fn unit(label: &str) -> &str {
    label.split_once(", ").map_or(label, |(_, unit)| unit)
}

fn remarks(bodies: &[(Subject<'_>, Reversal)]) -> String {
    let missed = |want: &dyn Fn(f64) -> bool| -> Vec<(String, f64)> {
        let all = bodies.iter().filter_map(|(subject, reversal)| {
            let missed = reversal.missed().filter(|missed| want(*missed))?;
            reversal.losses.is_empty().then(|| (quoted(&subject.label), missed))
        });
        all.collect()
    };
    let mut sentences = Vec::new();
    let returned = missed(&|missed| missed <= ROUNDING);
    if !returned.is_empty() {
        let labels: Vec<String> = returned.iter().map(|(label, _)| label.clone()).collect();
        let worst = returned.iter().map(|(_, missed)| *missed).fold(0.0, f64::max);
        let verb = if labels.len() == 1 { "returns" } else { "return" };
        sentences.push(format!(
            "{} {verb} to the start up to rounding: {} of the length.",
            listed(&labels),
            short(worst)
        ));
    }
    let mut strayed = missed(&|missed| missed > ROUNDING);
    strayed.sort_by(|a, b| b.1.total_cmp(&a.1));
    let phrases: Vec<String> = strayed
        .iter()
        .take(PHRASES)
        .map(|(label, missed)| format!("{label} by {}", short(*missed)))
        .collect();
    if !phrases.is_empty() {
        let more = strayed.len() - phrases.len();
        let more = if more > 0 { format!("; {more} more miss it by less") } else { String::new() };
        sentences.push(format!("The start is missed by {} of the length{more}.", listed(&phrases)));
    }
    let mut damped: Vec<(String, Vec<&str>)> = Vec::new();
    for (subject, reversal) in bodies.iter().filter(|(_, it)| !it.losses.is_empty()) {
        let what = listed(&reversal.losses.iter().map(ToString::to_string).collect::<Vec<_>>());
        match damped.iter_mut().find(|(known, _)| *known == what) {
            Some((_, labels)) => labels.push(&subject.label),
            None => damped.push((what, vec![&subject.label])),
        }
    }
    for (what, labels) in damped {
        let labels: Vec<String> = labels.into_iter().map(quoted).collect();
        sentences.push(format!(
            "{}: {what} takes energy on both ways, so no method can return; without it the figure shows the method alone.",
            listed(&labels)
        ));
    }
    let lost = bodies.iter().filter_map(|(subject, reversal)| match reversal.end {
        ReversalEnd::LostThere(frame) => Some(format!(
            "{} diverges at frame {frame} of the way there and has no way back.",
            quoted(&subject.label)
        )),
        ReversalEnd::LostBack(frame) => Some(format!(
            "{} diverges {frame} frames after the turn.",
            quoted(&subject.label)
        )),
        ReversalEnd::Whole | ReversalEnd::Refused => None,
    });
    sentences.extend(lost.take(PHRASES));
    let lagging = bodies.iter().filter(|(subject, _)| {
        let info = subject.body.setup.method.info();
        !info.velocity_carries
    });
    let lagging: Vec<String> = lagging.map(|(subject, _)| quoted(&subject.label)).collect();
    if !lagging.is_empty() {
        sentences.push(format!(
            "{}: the method goes on from its last two positions. At the turn the older one is moved to the other side, as after an impulse.",
            listed(&lagging)
        ));
    }
    sentences.join(" ")
}

fn table(bodies: &[(Subject<'_>, Reversal)]) -> NumberTable {
    let mut table = NumberTable::new(&[
        "body",
        "frames there",
        "farthest from the start",
        "missed start by",
        "half way back",
        "losses",
        "end",
    ]);
    for (subject, reversal) in bodies {
        let farthest = reversal.there.iter().copied().fold(0.0, f64::max);
        let half = reversal.back.get(reversal.frames as usize / 2);
        let text = |value: Option<f64>| value.map_or("-".into(), short);
        table.rows.push(vec![
            subject.label.clone(),
            reversal.frames.to_string(),
            short(farthest),
            text(reversal.missed()),
            text(half.map(|moment| moment.from_path)),
            match reversal.losses.is_empty() {
                true => "none".into(),
                false => reversal.losses.join(", "),
            },
            match reversal.end {
                ReversalEnd::Whole => "whole".into(),
                ReversalEnd::LostThere(frame) => format!("diverges at frame {frame} there"),
                ReversalEnd::LostBack(frame) => format!("diverges at frame {frame} back"),
                ReversalEnd::Refused => "the work is used up".into(),
            },
        ]);
    }
    table
}
