//! Reversal of each body's run: distance between the reversed run and the forward run.

use super::{NumberTable, Study, Subject, TIME, marked_line};
use crate::figure::chart::{Axis, Chart, Mark, Plot, Scale};
use catena_analysis::reversal::{Reversal, ReversalEnd};
use catena_base::text::{
    list::{listed, quoted},
    number::short,
};

/// Distance below which a body has returned up to rounding, as a share of its length.
const ROUNDING: f64 = 1e-9;
/// Minimum distance that is drawn.
const FLOOR: f64 = 1e-17;
/// Maximum number of bodies with a phrase each.
const PHRASES: usize = 8;

/// Figure of all bodies in one plot. Returns `None` if there are no bodies.
pub fn study(bodies: &[(Subject<'_>, Reversal)]) -> Option<Study> {
    if bodies.is_empty() {
        return None;
    }
    let caption = "A run forward, then back with negated velocities: distance of the body from its \
                   forward path at equal times. The end of a line is the distance from the start.";
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

/// Bodies without damping whose final distance from the start satisfies a condition.
fn missed(bodies: &[(Subject<'_>, Reversal)], want: impl Fn(f64) -> bool) -> Vec<(String, f64)> {
    let all = bodies.iter().filter_map(|(subject, reversal)| {
        let missed = reversal.missed().filter(|missed| want(*missed))?;
        reversal.losses.is_empty().then(|| (quoted(&subject.label), missed))
    });
    all.collect()
}

fn remarks(bodies: &[(Subject<'_>, Reversal)]) -> String {
    let mut sentences = Vec::new();
    sentences.extend(returned(&missed(bodies, |missed| missed <= ROUNDING)));
    sentences.extend(strayed(missed(bodies, |missed| missed > ROUNDING)));
    sentences.extend(damped(bodies));
    let lost = bodies.iter().filter_map(|(subject, reversal)| match reversal.end {
        ReversalEnd::LostThere(frame) => Some(format!(
            "{} diverges at frame {frame} of the forward run, so it has no backward run.",
            quoted(&subject.label)
        )),
        ReversalEnd::LostBack(frame) => {
            Some(format!("{} diverges {frame} frames after the reversal.", quoted(&subject.label)))
        }
        ReversalEnd::Refused => Some(format!(
            "The work limit of the figure was reached before {} returned.",
            quoted(&subject.label)
        )),
        ReversalEnd::Whole => None,
    });
    sentences.extend(lost.take(PHRASES));
    let is_lagging = |subject: &Subject<'_>| !subject.body.setup.method.info().velocity_carries;
    let lagging: Vec<String> = bodies
        .iter()
        .filter(|(subject, _)| is_lagging(subject))
        .map(|(subject, _)| quoted(&subject.label))
        .collect();
    if !lagging.is_empty() {
        sentences.push(format!(
            "{}: the method continues from its last two positions. At the reversal, the older one \
             is mirrored, as after an impulse.",
            listed(&lagging)
        ));
    }
    sentences.join(" ")
}

/// Sentence about bodies that return up to rounding.
fn returned(bodies: &[(String, f64)]) -> Option<String> {
    let labels: Vec<String> = bodies.iter().map(|(label, _)| label.clone()).collect();
    let worst = bodies.iter().map(|(_, missed)| *missed).fold(0.0, f64::max);
    let verb = if labels.len() == 1 { "returns" } else { "return" };
    (!labels.is_empty()).then(|| {
        format!(
            "{} {verb} to the start up to rounding: within {} of the length.",
            listed(&labels),
            short(worst)
        )
    })
}

/// Sentence about bodies that miss the start, worst first.
fn strayed(mut bodies: Vec<(String, f64)>) -> Option<String> {
    bodies.sort_by(|a, b| b.1.total_cmp(&a.1));
    let phrase = |(label, missed): &(String, f64)| {
        format!("{label} misses the start by {} of its length", short(*missed))
    };
    let phrases: Vec<String> = bodies.iter().take(PHRASES).map(phrase).collect();
    let more = match bodies.len() - phrases.len() {
        0 => String::new(),
        1 => "; 1 more body misses it by less".into(),
        more => format!("; {more} more bodies miss it by less"),
    };
    (!phrases.is_empty()).then(|| format!("{}{more}.", listed(&phrases)))
}

/// Sentences about bodies that lose energy in both directions, one per kind of loss.
fn damped(bodies: &[(Subject<'_>, Reversal)]) -> Vec<String> {
    let mut damped: Vec<(String, Vec<String>)> = Vec::new();
    for (subject, reversal) in bodies.iter().filter(|(_, it)| !it.losses.is_empty()) {
        let what = listed(&reversal.losses.iter().map(ToString::to_string).collect::<Vec<_>>());
        let label = quoted(&subject.label);
        match damped.iter_mut().find(|(known, _)| *known == what) {
            Some((_, labels)) => labels.push(label),
            None => damped.push((what, vec![label])),
        }
    }
    let sentence = |(what, labels): (String, Vec<String>)| {
        format!(
            "{}: no method can return to the start, because the energy changes in both directions, \
             due to {what}. Without this, the figure would show the method alone.",
            listed(&labels)
        )
    };
    damped.into_iter().map(sentence).collect()
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
                ReversalEnd::LostThere(frame) => format!("diverges at frame {frame} forwards"),
                ReversalEnd::LostBack(frame) => format!("diverges at frame {frame} backwards"),
                ReversalEnd::Refused => "reached its work limit".into(),
            },
        ]);
    }
    table
}
