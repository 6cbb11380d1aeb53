//! Distances of bodies from reference motions of other programs, over time.

use super::{DARK, Look, NumberTable, Study, Subject, TIME, marked_line};
use crate::figure::chart::{Axis, Chart, Dash, Mark, Marker, Plot, Scale};
use catena_base::text::{list::quoted, number::short};
use catena_scene::recorded::Distances;
use std::ops::RangeInclusive;

/// Distances of a body from its reference, frame by frame.
pub struct ReferenceHistory<'a> {
    /// Body whose distances are measured.
    pub subject: Subject<'a>,
    /// Frame, time and distances, of frames with data.
    pub moments: Vec<(u64, f64, Distances)>,
    /// Frame at which the body diverged.
    pub diverged: Option<u64>,
}

impl ReferenceHistory<'_> {
    /// Distances over all frames.
    fn total(&self) -> Distances {
        let mut all = Distances::default();
        self.moments.iter().for_each(|(_, _, found)| all.add(found));
        all
    }

    /// Distances over the frames of a range.
    fn total_within(&self, frames: &RangeInclusive<u64>) -> Distances {
        let mut all = Distances::default();
        let within = self.moments.iter().filter(|(frame, ..)| frames.contains(frame));
        within.for_each(|(_, _, found)| all.add(found));
        all
    }

    /// First and last frame with data.
    fn range(&self) -> Option<[u64; 2]> {
        Some([self.moments.first()?.0, self.moments.last()?.0])
    }

    /// Root mean square of the distances, if any frame has data.
    fn rms(&self) -> Option<f64> {
        self.total().rms()
    }

    /// Frame of a range with the largest distance.
    fn farthest(&self, frames: &RangeInclusive<u64>) -> Option<u64> {
        let largest = self.total_within(frames).largest;
        let mut within = self.moments.iter().filter(|(frame, ..)| frames.contains(frame));
        let found = within.find(|(_, _, found)| found.largest.total_cmp(&largest).is_eq());
        found.map(|(frame, ..)| *frame)
    }
}

/// Returns the frames in which bodies are compared: the overlap of the data ranges of all bodies
/// that have not diverged, or of all bodies if all diverged. `None` if the ranges do not overlap.
fn common(all: &[&ReferenceHistory<'_>]) -> Option<RangeInclusive<u64>> {
    let has_diverged = |it: &&&ReferenceHistory<'_>| it.diverged.is_some();
    let is_any = all.iter().all(|it| has_diverged(&it));
    let counted = all.iter().filter(|it| is_any || !has_diverged(it));
    let ranges: Vec<[u64; 2]> = counted.filter_map(|it| it.range()).collect();
    let first = ranges.iter().map(|range| range[0]).max()?;
    let last = ranges.iter().map(|range| range[1]).min()?;
    (first <= last).then_some(first..=last)
}

/// Figure of the largest distance of a node in each frame. Returns `None` if no frame has data.
pub fn study(histories: &[ReferenceHistory<'_>]) -> Option<Study> {
    let shown: Vec<_> = histories.iter().filter(|it| !it.moments.is_empty()).collect();
    if shown.is_empty() {
        return None;
    }
    let scale = scale(&shown);
    let has_place = |distance: f64| scale == Scale::Linear || distance > 0.0;
    let mut marks = Vec::new();
    for (index, history) in shown.iter().enumerate() {
        let points = history.moments.iter().map(|(_, t, found)| [*t, found.largest]);
        let points = points.filter(|point| point[1].is_finite() && has_place(point[1])).collect();
        let subject = &history.subject;
        marks.extend(marked_line(points, subject.look, &subject.label, index));
    }
    marks.extend(crosses(&shown, &has_place));
    let label = "largest distance of a node, units of length".into();
    let plot = Plot {
        x: Axis { label: TIME.into(), ..Axis::default() },
        y: Axis { label, scale, ..Axis::default() },
        marks,
        notes: if scale == Scale::Log { zeros(&shown) } else { Vec::new() },
        ..Plot::default()
    };
    let caption = caption(&shown);
    let chart = Chart {
        title: "Distance from the reference".into(),
        caption: caption.clone(),
        columns: 1,
        plots: vec![plot],
        plot_size: [620.0, 320.0],
        ..Chart::default()
    };
    let remarks = "The distance of a node is the distance between its positions in the scene and \
                   in the file. The root mean square is over all nodes and frames with data."
        .into();
    Some(Study { name: "reference".into(), chart, caption, remarks, table: table(&shown) })
}

/// Sentence about the bodies with the smallest and second smallest root mean square distance from
/// their references. Bodies that diverged come last. `None` if no frame has data.
pub fn nearest(histories: &[ReferenceHistory<'_>]) -> Option<String> {
    let known = |it: &&ReferenceHistory<'_>| it.rms().is_some();
    let mut all: Vec<&ReferenceHistory<'_>> = histories.iter().filter(known).collect();
    // Restricts the comparison to common frames, since later frames of a longer run are farther
    // away.
    let frames = common(&all).unwrap_or(0..=u64::MAX);
    let distance = |it: &ReferenceHistory<'_>| {
        it.total_within(&frames).rms().or(it.rms()).unwrap_or(f64::INFINITY)
    };
    let key = |it: &ReferenceHistory<'_>| (it.diverged.is_some(), distance(it));
    all.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    let (first, others) = all.split_first()?;
    let total = first.total_within(&frames);
    let far = |it: &ReferenceHistory<'_>| short(distance(it));
    let is_longer = |it: &&ReferenceHistory<'_>| {
        it.range().is_some_and(|[first, last]| !frames.contains(&first) || !frames.contains(&last))
    };
    let compared = match all.iter().any(is_longer) {
        true => format!(", compared in frames {} to {}", frames.start(), frames.end()),
        false => String::new(),
    };
    let label = quoted(&first.subject.label);
    let near = format!(
        "{} from {} in the root mean square, and at most {} (in frame {})",
        far(first),
        quoted(reference_of(first)),
        short(total.largest),
        first.farthest(&frames).unwrap_or_default()
    );
    let lost = |it: &ReferenceHistory<'_>| {
        it.diverged.map_or(String::new(), |frame| format!(", and diverged at frame {frame}"))
    };
    let strange = disagreement(first, others.is_empty()).unwrap_or_default();
    Some(match others.first() {
        None => format!("{label} is {near}{}.{strange}", lost(first)),
        Some(next) => format!(
            "Of {} bodies, {label} is nearest to its reference: {near}{}; the next is {}, at {}{}{compared}.{strange}",
            all.len(),
            lost(first),
            quoted(&next.subject.label),
            far(next),
            lost(next)
        ),
    })
}

/// Root mean square distance, as a share of a body's length, from which the motions count as
/// different.
const STRANGE: f64 = 1e-3;

/// Sentence about a nearest body that is far from its reference. `None` if it is near.
fn disagreement(nearest: &ReferenceHistory<'_>, is_only: bool) -> Option<String> {
    let length = nearest.subject.body.setup.model.rest_length();
    let share = nearest.rms()? / length;
    let none = if is_only {
        "It does not agree with the reference"
    } else {
        "None agrees with its \
        reference"
    };
    (length > 0.0 && share > STRANGE).then(|| {
        format!(
            " {none}: that distance is {} % of the length of the body. `catena identify` searches \
             for a method, slip or value that agrees.",
            short(100.0 * share)
        )
    })
}

/// Whether the data of a diverged body extend to its divergence, within the spacing of frames with
/// data.
fn lasts(history: &ReferenceHistory<'_>) -> bool {
    let frames = || history.moments.iter().rev().map(|(frame, ..)| *frame);
    let Some(last) = frames().next() else { return false };
    let gap = frames().nth(1).map_or(1, |before| last.saturating_sub(before)).max(1);
    history.diverged.is_some_and(|diverged| diverged <= last + gap)
}

/// Crosses at the last frames with data before bodies diverged. `None` if no body diverged.
fn crosses(shown: &[&ReferenceHistory<'_>], has_place: &dyn Fn(f64) -> bool) -> Option<Mark> {
    let lost = shown.iter().filter(|history| history.diverged.is_some());
    let last_moments = lost.filter(|history| lasts(history)).filter_map(|it| it.moments.last());
    let points: Vec<[f64; 2]> = last_moments
        .map(|(_, t, found)| [*t, found.largest])
        .filter(|point| point[1].is_finite() && has_place(point[1]))
        .collect();
    let look = Look { color: DARK, dash: Dash::Solid, marker: Marker::Cross };
    (!points.is_empty()).then(|| look.points(points, Some("diverged".into()), 8.0))
}

/// Ratio of the largest to the smallest distance above 0 beyond which the axis is logarithmic.
const WIDE: f64 = 100.0;

/// Scale of the distances: logarithmic if they extend over more than two decades.
fn scale(shown: &[&ReferenceHistory<'_>]) -> Scale {
    let all = shown.iter().flat_map(|history| &history.moments);
    let known = all.map(|(_, _, found)| found.largest).filter(|it| it.is_finite() && *it > 0.0);
    let [minimum, maximum] = known.fold([f64::INFINITY, 0.0_f64], |[minimum, maximum], it| {
        [minimum.min(it), maximum.max(it)]
    });
    if maximum > WIDE * minimum { Scale::Log } else { Scale::Linear }
}

/// Notes on distances of 0, which have no position on a logarithmic axis.
fn zeros(shown: &[&ReferenceHistory<'_>]) -> Vec<String> {
    let of_body = |history: &&ReferenceHistory<'_>| {
        let frames: Vec<u64> = history
            .moments
            .iter()
            .filter(|(_, _, found)| found.largest == 0.0)
            .map(|(frame, ..)| *frame)
            .collect();
        let label = &history.subject.label;
        match (frames.len(), frames.first()) {
            (0, _) | (_, None) => None,
            (count, _) if count == history.moments.len() => {
                Some(format!("{label}: the distance is 0 in every frame, below the axis."))
            }
            (1, Some(frame)) => {
                Some(format!("{label}: the distance is 0 in frame {frame}, below the axis."))
            }
            (count, _) => {
                Some(format!("{label}: the distance is 0 in {count} frames, below the axis."))
            }
        }
    };
    shown.iter().filter_map(of_body).collect()
}

/// Label of a body's reference.
fn reference_of<'a>(history: &'a ReferenceHistory<'_>) -> &'a str {
    history.subject.body.reference.as_ref().map_or("", |reference| &reference.label)
}

fn caption(shown: &[&ReferenceHistory<'_>]) -> String {
    let one = |history: &&ReferenceHistory<'_>| {
        let total = history.total();
        let [label, other] = [&*history.subject.label, reference_of(history)].map(quoted);
        let rms = short(total.rms().unwrap_or(f64::NAN));
        let frame = history.farthest(&(0..=u64::MAX)).unwrap_or(0);
        let lost = history
            .diverged
            .map_or(String::new(), |frame| format!("; it diverged at frame {frame}"));
        format!(
            "The distance of {label} from {other} is at most {} (in frame {frame}), with a root \
             mean square of {rms}{lost}",
            short(total.largest)
        )
    };
    let all: Vec<String> = shown.iter().take(MAX_REPORTED).map(one).collect();
    let more = match shown.len() - all.len() {
        0 => String::new(),
        1 => " One more body is in the table.".into(),
        more => format!(" {more} more bodies are in the table."),
    };
    format!("{}.{more}", all.join(". "))
}

/// Maximum number of bodies that a caption describes.
const MAX_REPORTED: usize = 4;

fn table(shown: &[&ReferenceHistory<'_>]) -> NumberTable {
    let mut table = NumberTable::new(&[
        "body",
        "reference",
        "frames with data",
        "largest distance",
        "in frame",
        "rms distance",
    ]);
    for history in shown {
        let total = history.total();
        table.rows.push(vec![
            history.subject.label.clone(),
            reference_of(history).into(),
            history.moments.len().to_string(),
            short(total.largest),
            history.farthest(&(0..=u64::MAX)).map_or("-".into(), |frame| frame.to_string()),
            total.rms().map_or("-".into(), short),
        ]);
    }
    table
}
