//! Stability regions of the scene's methods in the plane of hλ, with the eigenvalues of its bodies.

use super::{DARK, NumberTable, Study, Subject, modes::NATURAL, multiples};
use crate::figure::chart::{Axis, Chart, Dash, Mark, Marker, Plot};
use catena_analysis::stability::region::{
    AxisEnds, Eigenvalue, ModePoint, ModeState, PlaneFrame, Region, SceneModes,
};
use catena_base::text::{
    list::{listed, quoted},
    number::{digits, short},
};
use catena_draw::theme::{Ink, mix};
use image::Rgb;

/// Body with the region of its method.
pub struct BodyRegion<'a> {
    /// Body whose eigenvalues are drawn.
    pub subject: Subject<'a>,
    /// Part of the plane that is shown.
    pub frame: PlaneFrame,
    /// Region of the body's method in that part.
    pub region: Region,
    /// Modes of the body; `None` if no mode oscillates.
    pub modes: Option<SceneModes>,
}

/// Colour of eigenvalues outside of the region.
const OUTSIDE: Ink = Rgb([176, 36, 24]);
/// Share of white in the colour of a region, of 255.
const LIGHT: i32 = 150;
/// Possible half heights of the shown plane: from the regions of explicit methods to the maximum at
/// which these remain visible.
const REACHES: [f64; 6] = [3.2, 4.0, 5.0, 6.5, 8.0, 12.0];
/// Extent to the right of the imaginary axis, as a share of the half height.
const RIGHT: f64 = 0.35;
/// Maximum number of bodies with a sentence each.
const SENTENCES: usize = 8;
/// Maximum number of modes that a cell of the table lists.
const LISTED: usize = 4;

/// Part of the plane that shows these modes and the stability region around them.
pub fn frame_of(modes: Option<&SceneModes>) -> PlaneFrame {
    let points = modes.iter().flat_map(|modes| &modes.modes).flat_map(|mode| mode.points);
    let farthest = points.map(Eigenvalue::size).fold(0.0, f64::max);
    let enough = REACHES.into_iter().find(|reach| *reach >= 1.1 * farthest);
    let reach = enough.unwrap_or(REACHES[REACHES.len() - 1]);
    PlaneFrame { left: -reach, right: RIGHT * reach, top: reach }
}

/// Figure with a plot per body. Returns `None` if there are no bodies.
pub fn study(bodies: &[BodyRegion<'_>]) -> Option<Study> {
    let first = bodies.first()?;
    let grid = first.subject.grid_columns;
    let (columns, plot_size) = multiples(bodies.len(), 3, [220.0, 326.0], grid);
    let caption = "Region of the plane of hλ in which a step h keeps y' = λy bounded (shaded). \
                   Dots are the eigenvalues of the body's modes times its step; crosses mark modes \
                   whose motion grows.";
    let chart = Chart {
        title: "Stability regions".into(),
        caption: caption.into(),
        columns,
        plots: bodies.iter().map(plot).collect(),
        plot_size,
        ..Chart::default()
    };
    Some(Study {
        name: "stability_regions".into(),
        chart,
        caption: caption.into(),
        remarks: remarks(bodies),
        table: table(bodies),
    })
}

fn plot(body: &BodyRegion<'_>) -> Plot {
    let PlaneFrame { left, right, top } = body.frame;
    let color = body.subject.look.color;
    let mut marks: Vec<Mark> = [true, false]
        .map(|is_horizontal| Mark::Rule {
            at: 0.0,
            is_horizontal,
            color: NATURAL,
            label: None,
            dash: Dash::Solid,
        })
        .into();
    for strip in strips(&body.region) {
        let dash = Dash::Solid;
        let light = mix(color, Rgb([255; 3]), LIGHT);
        let lines = [strip.upper.clone(), strip.lower.clone()];
        marks.push(Mark::Area {
            upper: strip.upper,
            lower: strip.lower,
            color: light,
            label: None,
        });
        for points in lines {
            marks.push(Mark::Line { points, color, label: None, dash, width: 1.2 });
        }
    }
    let (points, note) = eigenvalues(body);
    marks.extend(points);
    let axis = |label: &str, range: [f64; 2]| Axis {
        label: label.into(),
        range: Some(range),
        ..Axis::default()
    };
    Plot {
        title: Some(body.subject.label.clone()),
        x: axis("Re hλ", [left, right]),
        y: axis("Im hλ", [-top, top]),
        marks,
        equal_aspect: true,
        notes: note.into_iter().collect(),
        ..Plot::default()
    }
}

/// Marks of a body's eigenvalues, and a note about eigenvalues beyond the plot.
fn eigenvalues(body: &BodyRegion<'_>) -> (Vec<Mark>, Option<String>) {
    let PlaneFrame { left, right, top } = body.frame;
    let mut marks = Vec::new();
    let modes = body.modes.iter().flat_map(|modes| &modes.modes);
    let (inside, outside): (Vec<&ModePoint>, Vec<&ModePoint>) =
        modes.partition(|mode| mode.is_bounded);
    let places = |modes: &[&ModePoint]| -> Vec<[f64; 2]> {
        modes.iter().flat_map(|mode| mode.points).map(|point| [point.re, point.im]).collect()
    };
    let groups = [
        (places(&inside), DARK, Marker::Disc, 4.0, "mode that stays bounded"),
        (places(&outside), OUTSIDE, Marker::Cross, 7.0, "mode that grows"),
    ];
    let beyond = groups
        .iter()
        .flat_map(|group| &group.0)
        .filter(|[re, im]| !(left..=right).contains(re) || im.abs() > top);
    let (beyond, farthest) = beyond
        .fold((0, 0.0_f64), |(count, far), [re, im]| (count + 1, far.max(libm::hypot(*re, *im))));
    for (points, color, shape, size, label) in groups {
        if !points.is_empty() {
            marks.push(Mark::Points { points, color, label: Some(label.into()), shape, size });
        }
    }
    let note = (beyond > 0)
        .then(|| format!("{beyond} eigenvalues lie beyond, up to |hλ| = {}.", short(farthest)));
    (marks, note)
}

/// Part of a region between two lines over the real part.
#[derive(Default)]
struct Strip {
    upper: Vec<[f64; 2]>,
    lower: Vec<[f64; 2]>,
}

impl Strip {
    fn push(&mut self, re: f64, [low, high]: [f64; 2]) {
        self.lower.push([re, low]);
        self.upper.push([re, high]);
    }

    /// Extends the strip to a real part: with its last interval, or to a tip.
    fn extend_to(&mut self, re: f64, is_tip: bool) {
        if let (Some([_, low]), Some([_, high])) =
            (self.lower.last().copied(), self.upper.last().copied())
        {
            self.push(re, if is_tip { tip([low, high]) } else { [low, high] });
        }
    }
}

/// Whether an interval overlaps any interval in `others`.
fn meets([low, high]: [f64; 2], others: &[[f64; 2]]) -> bool {
    others.iter().any(|other| low <= other[1] && other[0] <= high)
}

/// Middle of an interval, as an interval.
fn tip([low, high]: [f64; 2]) -> [f64; 2] {
    [0.5 * (low + high); 2]
}

/// Stable parts of a region. A part continues while its interval in one column overlaps exactly one
/// interval of the next column, and vice versa. Parts end half way between columns.
fn strips(region: &Region) -> Vec<Strip> {
    let mut done: Vec<Strip> = Vec::new();
    let mut open: Vec<Strip> = Vec::new();
    let (mut re, mut last) = (f64::NAN, Vec::new());
    // Regions have corners on the imaginary axis and at their left end.
    let left = region.ends.real.map_or(f64::NAN, |end| -end);
    let is_corner = |re: f64| re == 0.0 || (re - left).abs() < 1e-3 * left.abs();
    for column in &region.columns {
        let intervals = mirrored(&column.stable);
        let ends = match re {
            before if before.is_nan() || is_corner(column.re) => column.re,
            before if is_corner(before) => before,
            before => 0.5 * (before + column.re),
        };
        let follower = |index: usize| {
            let next = sole(last[index], &intervals)?;
            sole(intervals[next], &last).map(|_| next)
        };
        let mut continued: Vec<Option<Strip>> = intervals.iter().map(|_| None).collect();
        for (index, mut strip) in open.into_iter().enumerate() {
            match follower(index) {
                Some(next) => continued[next] = Some(strip),
                None => {
                    strip.extend_to(ends, !meets(last[index], &intervals));
                    done.push(strip);
                }
            }
        }
        let strip = |(before, interval): (Option<Strip>, &[f64; 2])| {
            let mut strip = before.unwrap_or_else(|| {
                let is_part = meets(*interval, &last);
                let mut strip = Strip::default();
                strip.push(ends, if is_part { *interval } else { tip(*interval) });
                strip
            });
            strip.push(column.re, *interval);
            strip
        };
        open = continued.into_iter().zip(&intervals).map(strip).collect();
        (re, last) = (column.re, intervals);
    }
    done.append(&mut open);
    done
}

/// Index of the only interval in `others` that overlaps an interval; `None` if none or several do.
fn sole([low, high]: [f64; 2], others: &[[f64; 2]]) -> Option<usize> {
    let mut met =
        (0..others.len()).filter(|&index| low <= others[index][1] && others[index][0] <= high);
    met.next().filter(|_| met.next().is_none())
}

/// Intervals in both half planes, ascending, from the intervals in the upper half plane.
fn mirrored(upper: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let apart = upper.iter().filter(|interval| interval[0] > 0.0);
    let below = apart.clone().rev().map(|[low, high]| [-high, -low]);
    let middle = upper.iter().filter(|interval| interval[0] <= 0.0).map(|[_, high]| [-high, *high]);
    below.chain(middle).chain(apart.copied()).collect()
}

/// A complex pair, or the two real eigenvalues of a damped mode.
fn pair([a, b]: [Eigenvalue; 2]) -> String {
    if a.im == 0.0 {
        return format!("{} and {}", short(a.re), short(b.re));
    }
    let re = if a.re == 0.0 { String::new() } else { format!("{} ", short(a.re)) };
    format!("{re}±{} i", short(a.im.abs()))
}

/// Phrase for a mode: its number among all modes, its frequency and the node that it moves most.
fn named(mode: &ModePoint, modes: &SceneModes) -> String {
    let omega = short(mode.omega);
    match (mode.number, modes.count, mode.node) {
        (Some(number), Some(count), Some(node)) => {
            format!("mode {number} of {count} (ω = {omega}, it moves node {node} most)")
        }
        _ => format!("the highest mode (ω = {omega})"),
    }
}

/// Mode that grows most, or the one nearest to growing.
fn worst(modes: &SceneModes) -> Option<&ModePoint> {
    let grows = modes.modes.iter().filter(|mode| !mode.is_bounded);
    let fastest = grows.max_by(|a, b| a.growth.total_cmp(&b.growth));
    let size = |mode: &ModePoint| mode.points[1].size();
    fastest.or_else(|| modes.modes.iter().max_by(|a, b| size(a).total_cmp(&size(b))))
}

/// Sentence about the modes of a body that stay bounded.
fn sentence(body: &BodyRegion<'_>) -> Option<String> {
    let modes = body.modes.as_ref()?;
    let worst = worst(modes)?;
    let label = quoted(&body.subject.label);
    let count = modes.modes.iter().filter(|mode| !mode.is_bounded).count();
    let (name, points) = (named(worst, modes), pair(worst.points));
    let of = modes.modes.len();
    let growth = digits(worst.growth, 5);
    Some(match (count, modes.count) {
        (0, Some(_)) if of > 1 => {
            format!(
                "{label}: all {of} modes stay bounded; the farthest from 0 is {name} at hλ = \
                 {points}."
            )
        }
        (0, _) => format!("{label}: {name} at hλ = {points} stays bounded."),
        (_, None) => {
            format!("{label}: {name} at hλ = {points} grows by a factor of {growth} per step.")
        }
        (1, _) => {
            format!(
                "{label}: one of {of} modes grows: {name} at hλ = {points}, by a factor of \
                 {growth} per step."
            )
        }
        _ => format!(
            "{label}: {count} of {of} modes grow, the fastest being {name} at hλ = {points}, by a \
             factor of {growth} per step."
        ),
    })
}

fn remarks(bodies: &[BodyRegion<'_>]) -> String {
    verdicts(bodies).into_iter().chain(notes(bodies)).collect::<Vec<_>>().join(" ")
}

/// Sentences about the modes that stay bounded.
fn verdicts(bodies: &[BodyRegion<'_>]) -> Vec<String> {
    let loses = |body: &&BodyRegion<'_>| {
        let modes = body.modes.iter().flat_map(|modes| &modes.modes);
        modes.into_iter().any(|mode| !mode.is_bounded)
    };
    let has_modes =
        |body: &&BodyRegion<'_>| body.modes.as_ref().is_some_and(|modes| !modes.modes.is_empty());
    let (lost, kept): (Vec<&BodyRegion<'_>>, Vec<&BodyRegion<'_>>) =
        bodies.iter().filter(has_modes).partition(loses);
    let mut all: Vec<String> =
        lost.iter().filter_map(|body| sentence(body)).take(SENTENCES).collect();
    if lost.len() > SENTENCES {
        all.push(format!("{} of {} bodies have a mode that grows.", lost.len(), bodies.len()));
    }
    match kept[..] {
        [] => {}
        [body] => all.extend(sentence(body)),
        _ => {
            let labels: Vec<String> = kept.iter().map(|body| quoted(&body.subject.label)).collect();
            all.push(format!("All modes of {} stay bounded.", listed(&labels)));
        }
    }
    all
}

/// Labels of the bodies that satisfy a condition, as a list; `None` if there are none.
fn labels(bodies: &[BodyRegion<'_>], are: impl Fn(&BodyRegion<'_>) -> bool) -> Option<String> {
    let labels: Vec<String> =
        bodies.iter().filter(|body| are(body)).map(|body| quoted(&body.subject.label)).collect();
    (!labels.is_empty()).then(|| listed(&labels))
}

/// Sentences that explain how to read the figure.
fn notes(bodies: &[BodyRegion<'_>]) -> Vec<String> {
    let modes_of = |body: &BodyRegion<'_>, are: &dyn Fn(&SceneModes) -> bool| {
        body.modes.as_ref().is_some_and(are)
    };
    let pairs = labels(bodies, |body| !body.region.treats_alike).map(|labels| {
        format!(
            "{labels}: the method is for x'' = a, so each point stands for an oscillator with this \
             λ and its conjugate, and a point on the real axis for critical damping."
        )
    });
    let is_damped = |modes: &SceneModes| modes.modes.iter().any(|mode| !mode.oscillates());
    let damped = labels(bodies, |body| {
        !body.region.treats_alike && modes_of(body, &is_damped)
    })
    .map(|labels| {
        format!(
            "{labels}: modes on the real axis are overdamped; their stability depends on both of \
             their eigenvalues, not on the shaded region."
        )
    });
    let about = |state: ModeState| {
        let is_about = |modes: &SceneModes| !modes.modes.is_empty() && modes.state == state;
        labels(bodies, |body| modes_of(body, &is_about))
    };
    let about = match [ModeState::Rest, ModeState::Start].map(about) {
        [Some(_), None] => Some("The modes are those about the shape at rest.".into()),
        [None, Some(_)] => Some("The modes are those about the start.".into()),
        [Some(_), Some(start)] => Some(format!(
            "The modes are those about the shape at rest, but for {start} about the \
                          start."
        )),
        [None, None] => None,
    };
    let single = labels(bodies, |body| modes_of(body, &|modes: &SceneModes| modes.count.is_none()))
        .map(|labels| format!("For {labels}, only the highest mode is known."));
    let loose = labels(bodies, |body| modes_of(body, &|modes: &SceneModes| modes.loose > 0))
        .map(|labels| format!("{labels}: motions without a restoring force are omitted."));
    let has_modes = |modes: &SceneModes| !modes.modes.is_empty();
    let still = labels(bodies, |body| !modes_of(body, &has_modes))
        .map(|labels| format!("{labels}: no mode oscillates, so no eigenvalue is shown."));
    [pairs, damped, about, single, loose, still].into_iter().flatten().collect()
}

/// End of a region on an axis, as a number with a sign and a unit.
fn end(at: Option<f64>, sign: &str, unit: &str) -> String {
    match at {
        None => "0".into(),
        Some(at) if at.is_infinite() => format!("{sign}∞"),
        Some(at) => format!("{sign}{}{unit}", digits(at, 5)),
    }
}

fn table(bodies: &[BodyRegion<'_>]) -> NumberTable {
    let mut table = NumberTable::new(&[
        "body",
        "method",
        "real end",
        "imaginary end",
        "modes",
        "outside",
        "which",
        "worst: ω",
        "hλ",
        "growth per step",
    ]);
    for body in bodies {
        let AxisEnds { real, imaginary } = body.region.ends;
        let method = body.subject.body.setup.method.info().title.to_string();
        let mut row =
            vec![body.subject.label.clone(), method, end(real, "-", ""), end(imaginary, "", " i")];
        let known = body.modes.as_ref().and_then(|modes| Some((modes, worst(modes)?)));
        row.extend(match known {
            None => ["-", "-", "-", "-", "-", "-"].map(str::to_string),
            Some((modes, worst)) => [
                modes.modes.len().to_string(),
                modes.modes.iter().filter(|mode| !mode.is_bounded).count().to_string(),
                which(modes),
                short(worst.omega),
                pair(worst.points),
                digits(worst.growth, 6),
            ],
        });
        table.rows.push(row);
    }
    table
}

/// List of the numbers of the modes that grow, with ranges such as 3–9.
fn which(modes: &SceneModes) -> String {
    let lost = modes.modes.iter().filter(|mode| !mode.is_bounded);
    let numbers: Vec<usize> = lost.clone().filter_map(|mode| mode.number).collect();
    if numbers.is_empty() {
        return if lost.count() > 0 { "the highest".into() } else { "-".into() };
    }
    let mut ranges: Vec<[usize; 2]> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some(range) if range[1] + 1 == number => range[1] = number,
            _ => ranges.push([number; 2]),
        }
    }
    let more = ranges.len().saturating_sub(LISTED);
    let range = |[first, last]: &[usize; 2]| match first == last {
        true => first.to_string(),
        false => format!("{first}–{last}"),
    };
    let mut shown: Vec<String> = ranges.iter().take(LISTED).map(range).collect();
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    listed(&shown)
}
