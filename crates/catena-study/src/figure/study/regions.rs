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
    /// The body.
    pub subject: Subject<'a>,
    /// Part of the plane that is shown.
    pub frame: PlaneFrame,
    /// Region of the body's method in that part.
    pub region: Region,
    /// Modes of the body; `None` without a mode that oscillates.
    pub modes: Option<SceneModes>,
}

/// Colour of eigenvalues outside of the region.
const OUTSIDE: Ink = Rgb([176, 36, 24]);
/// Share of white in the colour of a region, of 255.
const LIGHT: i32 = 150;
/// Half heights of the plane that is shown: from the regions of explicit methods to what keeps them
/// visible.
const REACHES: [f64; 6] = [3.2, 4.0, 5.0, 6.5, 8.0, 12.0];
/// Share of that height to the right of the imaginary axis.
const RIGHT: f64 = 0.35;
/// Maximum number of bodies with a sentence each.
const SENTENCES: usize = 8;
/// Maximum number of modes that a cell of the table lists.
const LISTED: usize = 4;

/// Part of the plane that shows these modes and the region about them.
pub fn frame_of(modes: Option<&SceneModes>) -> PlaneFrame {
    let points = modes.iter().flat_map(|modes| &modes.modes).flat_map(|mode| mode.points);
    let farthest = points.map(Eigenvalue::size).fold(0.0, f64::max);
    let enough = REACHES.into_iter().find(|reach| *reach >= 1.1 * farthest);
    let reach = enough.unwrap_or(REACHES[REACHES.len() - 1]);
    PlaneFrame { left: -reach, right: RIGHT * reach, top: reach }
}

/// Figure with a plot per body. Returns `None` without bodies.
pub fn study(bodies: &[BodyRegion<'_>]) -> Option<Study> {
    let first = bodies.first()?;
    let grid = first.subject.grid_columns;
    let (columns, plot_size) = multiples(bodies.len(), 3, [220.0, 326.0], grid);
    let caption = "Where a step h keeps y' = λy bounded: the shaded part of the plane of hλ. Dots are the eigenvalues of the body's modes times its step; crosses are those whose motion grows.";
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
        let around = strip.outline();
        let dash = Dash::Solid;
        let light = mix(color, Rgb([255; 3]), LIGHT);
        marks.push(Mark::Area { upper: strip.upper, lower: strip.lower, color: light, label: None });
        marks.push(Mark::Line { points: around, color, label: None, dash, width: 1.2 });
    }
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
    let beyond = groups.iter().flat_map(|group| &group.0).filter(|[re, im]| {
        !(left..=right).contains(re) || im.abs() > top
    });
    let (beyond, farthest) = beyond.fold((0, 0.0_f64), |(count, far), [re, im]| {
        (count + 1, far.max(libm::hypot(*re, *im)))
    });
    for (points, color, shape, size, label) in groups {
        if !points.is_empty() {
            marks.push(Mark::Points { points, color, label: Some(label.into()), shape, size });
        }
    }
    let note = (beyond > 0).then(|| {
        format!("{beyond} eigenvalues lie beyond, up to |hλ| = {}.", short(farthest))
    });
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
    }
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

    /// Extends the strip with its last interval.
    fn extend_to(&mut self, re: f64) {
        if let (Some([_, low]), Some([_, high])) =
            (self.lower.last().copied(), self.upper.last().copied())
        {
            self.push(re, [low, high]);
        }
    }

    /// Line around the strip.
    fn outline(&self) -> Vec<[f64; 2]> {
        let back = self.lower.iter().rev();
        self.upper.iter().chain(back).chain(self.upper.first()).copied().collect()
    }
}

/// Stable parts of a region, joined over neighbouring columns with equally many intervals. Where the
/// number changes, parts end half way between columns.
fn strips(region: &Region) -> Vec<Strip> {
    let mut done: Vec<Strip> = Vec::new();
    let mut open: Vec<Strip> = Vec::new();
    let mut kinds = Vec::new();
    let mut before = f64::NAN;
    for column in &region.columns {
        let intervals = mirrored(&column.stable);
        // An interval about the real axis and a pair beside it are different parts.
        let kind: Vec<bool> = intervals.iter().map(|[low, high]| low * high <= 0.0).collect();
        let half = 0.5 * (before + column.re);
        // Nothing is stable to the right of the axis beside a method that gains no energy.
        let ends = if before == 0.0 || column.re == 0.0 { 0.0 } else { half };
        if kind != kinds {
            open.iter_mut().for_each(|strip| strip.extend_to(ends));
            done.append(&mut open);
            open = intervals.iter().map(|_| Strip::default()).collect();
            if before.is_finite() {
                for (strip, interval) in open.iter_mut().zip(&intervals) {
                    strip.push(ends, *interval);
                }
            }
            kinds = kind;
        }
        for (strip, interval) in open.iter_mut().zip(intervals) {
            strip.push(column.re, interval);
        }
        before = column.re;
    }
    done.append(&mut open);
    done
}

/// Intervals of both half planes from those of the upper one, ascending.
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

/// Number of a mode among all, its frequency and the node that it moves most.
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

/// Sentence about which modes of a body are kept.
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
            format!("{label} keeps all {of} modes bounded; the farthest from 0 is {name} at hλ = {points}.")
        }
        (0, _) => format!("{label} keeps {name} at hλ = {points} bounded."),
        (_, None) => format!("{label} loses {name} at hλ = {points}: {growth} times as large after each step."),
        (1, _) => {
            format!("{label} loses one of {of} modes: {name} at hλ = {points} is {growth} times as large after each step.")
        }
        _ => format!(
            "{label} loses {count} of {of} modes, fastest {name} at hλ = {points}, which is {growth} times as large after each step."
        ),
    })
}

fn remarks(bodies: &[BodyRegion<'_>]) -> String {
    let loses = |body: &&BodyRegion<'_>| {
        let modes = body.modes.iter().flat_map(|modes| &modes.modes);
        modes.into_iter().any(|mode| !mode.is_bounded)
    };
    // The bodies that lose modes are named first, since not all may have a sentence.
    let (lost, kept): (Vec<&BodyRegion<'_>>, Vec<&BodyRegion<'_>>) = bodies.iter().partition(loses);
    let mut all: Vec<String> =
        lost.iter().filter_map(|body| sentence(body)).take(SENTENCES).collect();
    if lost.len() > SENTENCES {
        all.push(format!("{} of {} bodies lose a mode.", lost.len(), bodies.len()));
    }
    let kept: Vec<&BodyRegion<'_>> = kept.into_iter().filter(|body| body.modes.is_some()).collect();
    match kept[..] {
        [] => {}
        [body] => all.extend(sentence(body)),
        _ => {
            let labels: Vec<String> = kept.iter().map(|body| quoted(&body.subject.label)).collect();
            all.push(format!("{} keep all of their modes bounded.", listed(&labels)));
        }
    }
    let labels = |are: &dyn Fn(&BodyRegion<'_>) -> bool| -> Vec<String> {
        let shown = bodies.iter().filter(|body| are(body));
        shown.map(|body| quoted(&body.subject.label)).collect()
    };
    let pairs = labels(&|body| !body.region.treats_alike);
    if !pairs.is_empty() {
        all.push(format!(
            "{}: the method is one for x'' = a, so that a point is an oscillator with that λ and its conjugate, and a point of the real axis is critical damping.",
            listed(&pairs)
        ));
    }
    let is_damped = |body: &BodyRegion<'_>| {
        let modes = body.modes.iter().flat_map(|modes| &modes.modes);
        !body.region.treats_alike && modes.into_iter().any(|mode| !mode.oscillates())
    };
    let damped = labels(&is_damped);
    if !damped.is_empty() {
        all.push(format!(
            "{}: modes on the real axis are overdamped; both of their eigenvalues together decide, not the shaded part.",
            listed(&damped)
        ));
    }
    let has = |state: ModeState| {
        bodies.iter().filter_map(|body| body.modes.as_ref()).any(|modes| modes.state == state)
    };
    all.extend(match (has(ModeState::Rest), has(ModeState::Start)) {
        (true, false) => Some("Modes are those about the shape at rest.".into()),
        (false, true) => Some("Modes are those about the start.".into()),
        (true, true) => {
            let start = |body: &BodyRegion<'_>| {
                body.modes.as_ref().is_some_and(|modes| modes.state == ModeState::Start)
            };
            let start = listed(&labels(&start));
            Some(format!("Modes are those about the shape at rest, of {start} about the start."))
        }
        (false, false) => None,
    });
    let single = labels(&|body| body.modes.as_ref().is_some_and(|modes| modes.count.is_none()));
    if !single.is_empty() {
        all.push(format!("Of {} only the highest mode is known.", listed(&single)));
    }
    let loose = labels(&|body| body.modes.as_ref().is_some_and(|modes| modes.loose > 0));
    if !loose.is_empty() {
        all.push(format!("{}: motions that nothing pulls back are left out.", listed(&loose)));
    }
    all.join(" ")
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
        let mut row = vec![
            body.subject.label.clone(),
            method,
            end(real, "-", ""),
            end(imaginary, "", " i"),
        ];
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

/// Numbers of the modes that grow, with ranges such as 3–9.
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
